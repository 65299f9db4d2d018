// SPDX-License-Identifier: Apache-2.0
//
// annelid trace: shows, compares, filters and converts flit traces.

#include "cmd_trace.h"
#include "shared/worm_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- views ---

bool view_open(struct view *view, const char *path)
{
    struct anl_error error = {0};
    *view = (struct view){.path = path};
    if (anl_trace_open(path, &view->reader, &error)) {
        cli_complain(&error);
        return false;
    }
    view->named = !cli_trace_scenario(view->reader, path, &view->scenario, NULL);
    if (view->named) view->links = anl_shape_of(&view->scenario.network).links;
    return true;
}

void view_close(struct view *view)
{
    if (view->named) anl_scenario_free(&view->scenario);
    anl_trace_close(view->reader);
    *view = (struct view){0};
}

bool view_next(struct view *view, struct anl_record *record)
{
    struct anl_error error = {0};
    if (anl_trace_next(view->reader, record, &error)) {
        fflush(stdout);
        cli_complain(&error);
        return false;
    }
    if (record->kind != ANL_RECORD_WORM) return true;
    const uint32_t id = record->worm.id;
    if (!view->worms || id < view->first_worm) view->first_worm = id;
    if (!view->worms || id > view->last_worm) view->last_worm = id;
    view->worms++;
    return true;
}

struct cli_name view_link(const struct view *view, uint32_t link)
{
    struct cli_name name;
    if (view->named && link < view->links) return cli_link_name(&view->scenario.network, link);
    snprintf(name.text, sizeof name.text, "link %" PRIu32, link);
    return name;
}

void print_flit(const struct anl_flit *flit)
{
    const char mark = "BHTS"[flit->head + 2 * flit->tail];
    printf("lane %u  %c  worm %" PRIu32 "  index %u", flit->vc, mark, flit->worm, flit->index);
}

void print_worm(const struct anl_worm *worm)
{
    printf("worm %" PRIu32 "  from %" PRIu32 " to %" PRIu32 ", %u flit%s%s", worm->id, worm->source,
           worm->destination, worm->length, plural(worm->length), cli_message_name(worm).text);
    for (unsigned i = 0; i < worm->route_length; i++)
        printf("%s%u", i ? "." : ", by ", worm->route[i]);
    if (worm->has_path) printf(", path %" PRIu32, worm->path);
    const struct anl_dependencies *waited = worm->dependencies;
    for (uint32_t i = 0; waited && i < waited->count; i++)
        printf(", %" PRIu32 " cycle%s after worm %" PRIu32, waited->after[i].cycles,
               plural(waited->after[i].cycles), waited->after[i].worm);
}

// --- show: reads the trace to its end in any case, so that every damage is found ---

struct selection {
    struct cli_given given;
    const char *link_name;
    uint64_t from, to;
    uint64_t worm;  // UINT64_MAX: of all worms
    uint32_t link;  // if link_name is not NULL
};

#define AT(member) CLI_AT(struct selection, member)

static const struct cli_option show_options[] = {
    {"from", 'f', "CYCLE", "Only from this cycle on", AT(from), .most = UINT64_MAX},
    {"to", 't', "CYCLE", "Only up to this cycle, and with it", AT(to), .most = UINT64_MAX},
    {"worm", 'w', "ID", "Only this worm", AT(worm), .most = UINT32_MAX},
    {"link", 'l', "LINK", "Only flits on this link: its number or its name, e.g. T3.inject",
     AT(link_name)},
    {0},
};

static void check_selection(void *user, struct argp_state *state)
{
    const struct selection *selection = user;
    if (selection->from > selection->to)
        argp_error(state, "--from %" PRIu64 " is after --to %" PRIu64, selection->from,
                   selection->to);
}

// Finds the number of the link that the user named.
static bool find_link(const struct view *view, struct selection *selection)
{
    const char *name = selection->link_name;
    const uint64_t most = view->named ? view->links - 1 : UINT32_MAX;
    const size_t digits = strspn(name, "0123456789");
    const uint64_t number = digits ? strtoull(name, NULL, 10) : UINT64_MAX;  // cut at UINT64_MAX
    if (!name[digits] && number <= most) {
        selection->link = (uint32_t)number;
        return true;
    }
    for (uint32_t link = 0; view->named && link < view->links; link++) {
        selection->link = link;
        if (strcmp(view_link(view, link).text, name) == 0) return true;
    }
    struct anl_error error = {0};
    if (view->named)
        anl_fail(&error, ANL_ERR_ARGUMENT, view->path, 0,
                 "no link '%s'; expected 0..%" PRIu32 " or a name such as T0.inject", name,
                 view->links - 1);
    else
        anl_fail(&error, ANL_ERR_ARGUMENT, view->path, 0,
                 "link '%s'; expected a number, for the scenario inside is not understood", name);
    cli_complain(&error);
    return false;
}

static bool selected(const struct selection *selection, const struct anl_record *record)
{
    const bool flit = record->kind == ANL_RECORD_FLIT;
    const uint32_t worm = flit ? record->flit.worm : record->worm.id;
    return record->cycle >= selection->from && record->cycle <= selection->to &&
           (selection->worm == UINT64_MAX || worm == selection->worm) &&
           (!selection->link_name || (flit && record->flit.link == selection->link));
}

static void print_head(const struct view *view)
{
    const bool text = anl_trace_form_of(view->reader) == ANL_TRACE_TEXT;
    printf("# %s, %s, seed %" PRIu64 "\n", view->path, text ? "text" : "binary",
           anl_trace_seed(view->reader));
    if (!view->named) {
        puts("# the scenario inside is not understood: links are shown by number");
        return;
    }
    const struct anl_config *network = &view->scenario.network;
    printf("# %s, %s\n", cli_network_name(network, " ").text, cli_switch_words(network).text);
}

static void print_record(const struct view *view, const struct anl_record *record)
{
    printf("cycle %-7" PRIu64 " ", record->cycle);
    if (record->kind == ANL_RECORD_WORM) {
        print_worm(&record->worm);
    } else {
        printf("%-14s ", view_link(view, record->flit.link).text);
        print_flit(&record->flit);
    }
    putchar('\n');
}

// Refuses a worm that is not in the trace, of which nothing was shown.
static int check_worm(const struct view *view, const struct selection *selection, bool there)
{
    struct anl_error error;
    if (there || selection->worm == UINT64_MAX) return CLI_OK;
    if (view->worms)
        anl_fail(&error, ANL_ERR_ARGUMENT, view->path, 0,
                 "has no worm %" PRIu64 "; expected %" PRIu32 "..%" PRIu32, selection->worm,
                 view->first_worm, view->last_worm);
    else
        anl_fail(&error, ANL_ERR_ARGUMENT, view->path, 0,
                 "has no worm %" PRIu64 ": none was created", selection->worm);
    fflush(stdout);
    return cli_complain(&error);
}

// Refuses a first cycle behind the last one, from which nothing was shown.
static int check_cycles(const struct view *view, const struct selection *selection, uint64_t cycles)
{
    struct anl_error error;
    if (selection->from == 0 || selection->from < cycles) return CLI_OK;
    if (cycles)
        anl_fail(&error, ANL_ERR_ARGUMENT, view->path, 0,
                 "has no cycle %" PRIu64 "; expected 0..%" PRIu64, selection->from, cycles - 1);
    else
        anl_fail(&error, ANL_ERR_ARGUMENT, view->path, 0, "has no cycles");
    fflush(stdout);
    return cli_complain(&error);
}

static int show(struct view *view, const struct selection *selection)
{
    struct anl_record record;
    bool there = false;
    print_head(view);
    while (view_next(view, &record) && !ferror(stdout)) {
        if (record.kind == ANL_RECORD_END) {
            printf("# end: %" PRIu64 " cycles, %" PRIu64 " worms, %" PRIu64
                   " flits, digest %016" PRIx64 "\n",
                   record.cycle, view->worms, record.flits, record.digest);
            return check_worm(view, selection, there) ? CLI_BAD
                                                      : check_cycles(view, selection, record.cycle);
        }
        there |= record.kind == ANL_RECORD_WORM && record.worm.id == selection->worm;
        if (selected(selection, &record)) print_record(view, &record);
    }
    return CLI_BAD;
}

static int trace_show(int argc, char **argv)
{
    static const struct cli_inputs inputs = {
        "FILE", 1, 1, "a trace is missing", "one trace, please", NULL};
    static const struct cli_command command = {
        .inputs = &inputs,
        .options = show_options,
        .check = check_selection,
        .help = "Prints the records of a trace, or those that all the options select, one a line: "
                "cycle, then the worm created, or link, lane, kind (H head, B body, T tail, S head "
                "and tail), worm and index."};
    struct selection selection = {.to = UINT64_MAX, .worm = UINT64_MAX};
    struct view view;
    cli_parse(&command, argc, argv, &selection);
    if (!view_open(&view, selection.given.inputs[0])) return CLI_BAD;
    int exit_status = CLI_BAD;
    if (!selection.link_name || find_link(&view, &selection)) exit_status = show(&view, &selection);
    view_close(&view);
    return exit_status;
}

// --- convert ---

static bool copy_records(struct view *view, struct anl_trace_writer *writer, uint64_t *cycles)
{
    struct anl_record record;
    while (view_next(view, &record)) {
        *cycles = record.cycle;
        switch (record.kind) {
        case ANL_RECORD_WORM:
            anl_trace_worm(writer, &record.worm);
            break;
        case ANL_RECORD_FLIT:
            anl_trace_flits(writer, record.cycle, &record.flit, 1);
            break;
        case ANL_RECORD_END:
            return true;
        }
    }
    return false;
}

static int convert(struct view *view, const char *path)
{
    struct anl_error error = {0};
    struct anl_trace_writer *writer;
    if (anl_trace_create(path, cli_trace_form(path), anl_trace_seed(view->reader),
                         anl_trace_scenario_text(view->reader), &writer, &error))
        return cli_complain(&error);
    uint64_t cycles = 0;
    if (!copy_records(view, writer, &cycles)) {
        anl_trace_abandon(writer);
        return CLI_BAD;
    }
    return anl_trace_finish(writer, cycles, &error) ? cli_complain(&error) : CLI_OK;
}

static int trace_convert(int argc, char **argv)
{
    static const struct cli_inputs inputs = {
        "IN OUT", 2, 2, "two files, please: IN and OUT", "two files, please", NULL};
    static const struct cli_command command = {
        .inputs = &inputs,
        .outputs = 1,
        .help = "Copies a trace: binary if OUT ends in .anlt, else text. The records, the scenario "
                "and the seed stay the same."};
    struct cli_given given = {0};
    struct view view;
    cli_parse(&command, argc, argv, &given);
    if (!view_open(&view, given.inputs[0])) return CLI_BAD;
    const int exit_status = convert(&view, given.inputs[1]);
    view_close(&view);
    return exit_status;
}

// --- digest ---

static bool print_digest(const char *path)
{
    struct view view;
    struct anl_record record;
    bool good = view_open(&view, path);
    if (!good) return false;
    do
        good = view_next(&view, &record);
    while (good && record.kind != ANL_RECORD_END);
    if (good) printf("%016" PRIx64 "  %s\n", record.digest, path);
    view_close(&view);
    return good;
}

static int trace_digest(int argc, char **argv)
{
    static const struct cli_inputs inputs = {"FILE...", .least = 1, .most = SIZE_MAX,
                                             .too_few = "a trace is missing"};
    static const struct cli_command command = {
        .inputs = &inputs,
        .help = "Reads traces to the end, checks them, and prints their digests."};
    struct cli_given given = {0};
    bool good = true;
    cli_parse(&command, argc, argv, &given);
    for (size_t i = 0; i < given.num_inputs; i++)
        good = print_digest(given.inputs[i]) && good;
    return good ? CLI_OK : CLI_BAD;
}

// --- worms ---

struct worms_arguments {
    struct cli_given given;
    const char *output;
    enum worm_table_per per;
};

static const struct cli_option worms_options[] = {
    {"output", 'o', "FILE", "The CSV file (-, standard output)",
     CLI_AT(struct worms_arguments, output), .output = true, .aside = true},
    {"per", 0, "worm|source|destination|pair|class",
     "A row for each of these (worm), with its latencies", CLI_AT(struct worms_arguments, per),
     .read = worm_table_read_per},
    {0},
};

static bool read_worms(struct view *view, struct worm_table *table)
{
    struct anl_record record;
    while (view_next(view, &record)) {
        if (record.kind == ANL_RECORD_END) return true;
        if (record.kind == ANL_RECORD_FLIT)
            worm_table_flit(table, record.cycle, &record.flit);
        else if (worm_table_add(table, &record.worm))
            return cli_complain(&(struct anl_error){.text = "no memory for the worms"}) == CLI_OK;
    }
    return false;
}

static int write_worms(struct view *view, const struct worms_arguments *arguments)
{
    struct anl_error error = {0};
    struct worm_table table = {.config = &view->scenario.network};
    const struct worm_table_file file = {.path = arguments->output,
                                         .per = arguments->per,
                                         .warmup = view->scenario.run.warmup_cycles,
                                         .given = &arguments->given,
                                         .scenario = &view->scenario};
    bool good = view->named;
    if (!good) {
        // The links of worms are known only if the scenario is.
        cli_trace_scenario(view->reader, view->path, &view->scenario, &error);
        cli_complain(&error);
    }
    if (good) good = read_worms(view, &table);
    if (good && worm_table_write(&table, &file, &error)) good = cli_complain(&error) == CLI_OK;
    worm_table_free(&table);
    return good ? CLI_OK : CLI_BAD;
}

static int trace_worms(int argc, char **argv)
{
    static const struct cli_inputs inputs = {
        "FILE", 1, 1, "a trace is missing", "one trace, please", NULL};
    static const struct cli_command command = {
        .inputs = &inputs,
        .options = worms_options,
        .help = "Writes what became of each worm of a trace, or of each source, destination, pair "
                "or class, as CSV (docs/run.md)."};
    struct worms_arguments arguments = {.output = "-"};
    struct view view;
    cli_parse(&command, argc, argv, &arguments);
    if (!view_open(&view, arguments.given.inputs[0])) return CLI_BAD;
    const int exit_status = write_worms(&view, &arguments);
    view_close(&view);
    return exit_status;
}

// --- sub-commands ---

int cmd_trace(int argc, char **argv)
{
    static const struct cli_menu menu = {
        .name = "annelid trace",
        .what = "trace command",
        .head = "Usage: annelid trace COMMAND [OPTION...] FILE...\n"
                "Flit traces (docs/trace.md), in text or binary form.\n\n",
        .foot = "Exit status: 0 done, 1 the traces differ, or a rule\n"
                "is broken, 2 bad usage or bad input.\n",
        .entries = {
            {"show", trace_show, "print the records, or those selected, for people"},
            {"diff", trace_diff, "point at the first difference of two traces"},
            {"convert", trace_convert, "copy from text to binary or back"},
            {"digest", trace_digest, "check traces and print their digests"},
            {"worms", trace_worms, "write what became of each worm, as CSV"},
            {"watch", trace_watch, "judge a recorded waveform, and write its trace"},
        }};
    // Without its name, since what is meant is clear: annelid trace --from-fst FILE --links MAP.
    if (argc > 1 && strncmp(argv[1], "--from-", strlen("--from-")) == 0)
        return trace_watch(argc, argv);
    return cli_choose(&menu, argc, argv);
}
