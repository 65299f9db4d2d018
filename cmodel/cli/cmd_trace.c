// SPDX-License-Identifier: Apache-2.0
//
// annelid trace: shows, compares, filters and converts flit traces.

#include "cmd_trace.h"

#include <inttypes.h>
#include <stdio.h>
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
    const char *text = anl_trace_scenario_text(view->reader);
    view->named = !anl_scenario_parse(text, strlen(text), path, NULL, &view->scenario, NULL);
    if (view->named) view->shape = anl_shape_of(&view->scenario.network);
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
    view->worms += record->kind == ANL_RECORD_WORM;
    return true;
}

struct link_name view_link(const struct view *view, uint32_t link)
{
    struct link_name name;
    if (view->named && link < view->shape.links)
        anl_link_name(&view->scenario.network, link, name.text, sizeof name.text);
    else
        snprintf(name.text, sizeof name.text, "link %" PRIu32, link);
    return name;
}

void print_flit(const struct anl_flit *flit)
{
    printf("lane %u  %c  worm %" PRIu32 "  index %u", flit->vc, "BHTS"[flit->head + 2 * flit->tail],
           flit -> worm, flit -> index);
}

void print_worm(const struct anl_worm *worm)
{
    printf("worm %" PRIu32 "  from %" PRIu32 " to %" PRIu32 ", %u flit%s", worm->id, worm->source,
           worm->destination, worm->length, worm->length == 1 ? "" : "s");
}

// --- show: reads the trace to its end in any case, so that every damage is found ---

struct selection {
    const char *path, *link_name;
    uint64_t from, to;
    uint32_t worm, link;
    bool has_worm, has_link;
};

static const struct argp_option show_options[] = {
    {"from", 'f', "CYCLE", 0, "Only from this cycle on", 0},
    {"to", 't', "CYCLE", 0, "Only up to this cycle, and with it", 0},
    {"worm", 'w', "ID", 0, "Only this worm", 0},
    {"link", 'l', "LINK", 0, "Only flits on this link: its number or its name, e.g. T3.inject", 0},
    {0},
};

static error_t parse_show(int key, char *value, struct argp_state *state)
{
    struct selection *selection = state->input;
    switch (key) {
    case 'f':
        selection->from = cli_number(value, UINT64_MAX, state);
        break;
    case 't':
        selection->to = cli_number(value, UINT64_MAX, state);
        break;
    case 'w':
        selection->worm = (uint32_t)cli_number(value, UINT32_MAX, state);
        selection->has_worm = true;
        break;
    case 'l':
        selection->link_name = value;
        selection->has_link = true;
        break;
    case ARGP_KEY_ARG:
        if (selection->path) argp_error(state, "one trace, please");
        selection->path = value;
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a trace is missing");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// Finds the number of the link that the user named.
static bool find_link(const struct view *view, struct selection *selection)
{
    const char *name = selection->link_name;
    char rest;
    if (name[strspn(name, "0123456789")] == '\0' &&
        sscanf(name, "%10" SCNu32 "%c", &selection->link, &rest) == 1 &&
        (!view->named || selection->link < view->shape.links))
        return true;
    for (uint32_t link = 0; view->named && link < view->shape.links; link++) {
        selection->link = link;
        if (strcmp(view_link(view, link).text, name) == 0) return true;
    }
    struct anl_error error = {0};
    if (view->named)
        anl_fail(&error, ANL_ERR_ARGUMENT, view->path, 0,
                 "no link '%s'; expected 0..%" PRIu32 " or a name such as T0.inject", name,
                 view->shape.links - 1);
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
           (!selection->has_worm || worm == selection->worm) &&
           (!selection->has_link || (flit && record->flit.link == selection->link));
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
    printf("# %s, k %" PRIu32 ", n %" PRIu32 ", %" PRIu32 " lane%s of %" PRIu32
           " flit%s, %s, %s, %s\n",
           anl_topology_name(network->topology), network->k, network->n, network->num_vcs,
           network->num_vcs == 1 ? "" : "s", network->depth, network->depth == 1 ? "" : "s",
           anl_routing_name(network->routing), anl_scan_name(network->scan),
           anl_admission_name(network->admission));
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

static int show(struct view *view, const struct selection *selection)
{
    struct anl_record record;
    print_head(view);
    while (view_next(view, &record) && !ferror(stdout)) {
        if (record.kind == ANL_RECORD_END) {
            printf("# end: %" PRIu64 " cycles, %" PRIu64 " worms, %" PRIu64
                   " flits, digest %016" PRIx64 "\n",
                   record.cycle, view->worms, record.flits, record.digest);
            return CLI_OK;
        }
        if (selected(selection, &record)) print_record(view, &record);
    }
    return CLI_BAD;
}

static int trace_show(int argc, char **argv)
{
    const struct argp argp = {
        show_options,
        parse_show,
        "FILE",
        "Prints the records of a trace, or those that all the options select, "
        "one a line: cycle, then the worm created, or link, lane, kind "
        "(H head, B body, T tail, S head and tail), worm and index.",
        NULL,
        NULL,
        NULL};
    struct selection selection = {.to = UINT64_MAX};
    struct view view;
    argp_parse(&argp, argc, argv, 0, NULL, &selection);
    if (!view_open(&view, selection.path)) return CLI_BAD;
    int exit_status = CLI_BAD;
    if (!selection.has_link || find_link(&view, &selection)) exit_status = show(&view, &selection);
    view_close(&view);
    return exit_status;
}

// --- convert ---

struct file_pair {
    const char *from, *to;
};

static error_t parse_pair(int key, char *value, struct argp_state *state)
{
    struct file_pair *files = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) argp_error(state, "two files, please");
        *(state->arg_num == 0 ? &files->from : &files->to) = value;
        break;
    case ARGP_KEY_END:
        if (state->arg_num < 2) argp_error(state, "two files, please: IN and OUT");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

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
        if (cli_interrupted()) return false;
    }
    return false;
}

static int convert(struct view *view, const char *path)
{
    struct anl_error error = {0};
    struct anl_trace_writer *writer;
    cli_catch_interrupt();
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
    const struct argp argp = {
        NULL,
        parse_pair,
        "IN OUT",
        "Copies a trace: binary if OUT ends in .anlt, else text. The records, "
        "the scenario and the seed stay the same.",
        NULL,
        NULL,
        NULL};
    struct file_pair files = {0};
    struct view view;
    argp_parse(&argp, argc, argv, 0, NULL, &files);
    if (!view_open(&view, files.from)) return CLI_BAD;
    const int exit_status = convert(&view, files.to);
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

static error_t parse_digest(int key, char *value, struct argp_state *state)
{
    bool *good = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        *good = print_digest(value) && *good;
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a trace is missing");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int trace_digest(int argc, char **argv)
{
    const struct argp argp = {
        NULL,      parse_digest,
        "FILE...", "Reads traces to the end, checks them, and prints their digests.",
        NULL,      NULL,
        NULL};
    bool good = true;
    argp_parse(&argp, argc, argv, 0, NULL, &good);
    return good ? CLI_OK : CLI_BAD;
}

// --- sub-commands ---

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *title;  // its name in usage messages
    const char *what;
} commands[] = {
    {"show", trace_show, "annelid trace show", "print the records, or those selected, for people"},
    {"diff", trace_diff, "annelid trace diff", "point at the first difference of two traces"},
    {"convert", trace_convert, "annelid trace convert", "copy from text to binary or back"},
    {"digest", trace_digest, "annelid trace digest", "check traces and print their digests"},
};
enum { NUM_COMMANDS = sizeof commands / sizeof *commands };

static void print_usage(FILE *out)
{
    fputs("Usage: annelid trace COMMAND [OPTION...] FILE...\n"
          "Flit traces (docs/trace.md), in text or binary form.\n\n",
          out);
    for (int i = 0; i < NUM_COMMANDS; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].what);
    fputs("\n`annelid trace COMMAND --help` tells more. Exit status: 0 done, 1 the traces differ,\n"
          "2 bad usage or bad input.\n",
          out);
}

int cmd_trace(int argc, char **argv)
{
    argp_err_exit_status = CLI_BAD;
    if (argc < 2) {
        print_usage(stderr);
        return CLI_BAD;
    }
    for (int i = 0; i < NUM_COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) != 0) continue;
        argv[1] = (char *)(uintptr_t)commands[i].title;
        return commands[i].run(argc - 1, argv + 1);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return CLI_OK;
    }
    fprintf(stderr, "annelid: unknown trace command '%s'\n", argv[1]);
    print_usage(stderr);
    return CLI_BAD;
}
