// SPDX-License-Identifier: Apache-2.0
//
// Reports for programs: each is an object of JSON, and what was found is a list of them.

#include <annelid/report.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct anl_reports {
    json_t *list;
};

// --- members ---

static json_t *integer(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *number_or_null(uint32_t value)
{
    return value == ANL_NOTHING ? json_null() : integer(value);
}

static json_t *cycle_or_null(uint64_t cycle)
{
    return cycle == UINT64_MAX ? json_null() : integer(cycle);
}

// Of what comes from somebody else's RTL not everything is UTF-8; then the text is without its
// other bytes.
static json_t *text_or_null(const char *text)
{
    if (!text || !*text) return json_null();
    json_t *string = json_string(text);
    if (string) return string;
    char *plain = strdup(text), *to = plain;
    for (; plain && *text; text++)
        if ((unsigned char)*text < 0x80) *to++ = *text;
    if (plain) *to = '\0';
    string = plain ? json_string(plain) : NULL;
    free(plain);
    return string;
}

// As text if JSON's readers would round the number.
static json_t *seed_or_null(const uint64_t *seed)
{
    if (!seed) return json_null();
    return *seed <= INT64_MAX ? integer(*seed) : json_sprintf("%" PRIu64, *seed);
}

static json_t *link_or_null(const struct anl_report *report, uint32_t link)
{
    char name[ANL_REPORT_NAME_BYTES];
    if (link == ANL_NOTHING || !report->config) return json_null();
    anl_link_name(report->config, link, name, sizeof name);
    return json_string(name);
}

static json_t *buffer_or_null(const struct anl_report *report, uint32_t buffer)
{
    char name[ANL_REPORT_NAME_BYTES];
    if (buffer == ANL_NOTHING) return json_null();
    anl_buffer_name(report->config, buffer, name, sizeof name);
    return json_string(name);
}

static json_t *source_name(enum anl_report_source from)
{
    static const char *const names[] = {"lock-step", "referee", "watch"};
    return json_string(names[from]);
}

static json_t *place_object(const struct anl_report *report)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "text", text_or_null(report->place.text),
                     "link", link_or_null(report, report->place.link), "number",
                     number_or_null(report->place.link), "switch",
                     number_or_null(report->place.switch_), "port",
                     number_or_null(report->place.port), "lane", number_or_null(report->place.vc));
}

static json_t *worm_object(const struct anl_report_worm *worm)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "worm", integer(worm->id), "source",
                     worm->known ? integer(worm->source) : json_null(), "destination",
                     worm->known ? integer(worm->destination) : json_null(), "length",
                     worm->known ? integer(worm->length) : json_null(), "flit",
                     number_or_null(worm->flit));
}

static json_t *worms_array(const struct anl_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->num_worms; i++)
        json_array_append_new(array, worm_object(&report->worms[i]));
    return array;
}

static json_t *passages_array(const struct anl_report *report, uint32_t vc)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->before[vc].count; i++) {
        const struct anl_report_passage *one = &report->before[vc].list[i];
        json_array_append_new(array,
                              json_pack("{s:o, s:o, s:o}", "worm", integer(one->worm), "flit",
                                        integer(one->index), "cycle", integer(one->cycle)));
    }
    return array;
}

static json_t *before_or_null(const struct anl_report *report)
{
    if (report->before_link == ANL_NOTHING) return json_null();
    json_t *lanes = json_array();
    for (uint32_t vc = 0; vc < report->config->num_vcs; vc++)
        json_array_append_new(lanes, json_pack("{s:o, s:o}", "lane", integer(vc), "flits",
                                               passages_array(report, vc)));
    return json_pack("{s:o, s:o}", "link", link_or_null(report, report->before_link), "lanes",
                     lanes);
}

static json_t *lines_array(const struct anl_report *report, const struct anl_report_lines *lines)
{
    json_t *array = json_array();
    for (size_t i = 0; i < lines->count; i++) {
        const struct anl_chain_line *line = &lines->list[i];
        const bool waits = line->worm != ANL_NOTHING;
        json_array_append_new(
            array,
            json_pack("{s:o, s:o, s:o, s:o, s:o, s:s}", "worm", number_or_null(line->worm), "flit",
                      number_or_null(line->index), "buffer", buffer_or_null(report, line->buffer),
                      "since", waits ? integer(line->since) : json_null(), "wait",
                      waits ? json_string(anl_wait_name(line->wait)) : json_null(), "text",
                      line->text));
    }
    return array;
}

static json_t *waits_or_null(const struct anl_report *report)
{
    if (!report->waits.count) return json_null();
    return json_pack("{s:o, s:b, s:o}", "cycle", cycle_or_null(report->waits_cycle), "before",
                     report->waits_before, "chain", lines_array(report, &report->waits));
}

static json_t *deadlock_or_null(const struct anl_report *report)
{
    if (!report->deadlock.count) return json_null();
    json_t *worms = json_array();
    for (size_t i = 0; i < report->in_circle && i < ANL_REPORT_WORMS; i++)
        json_array_append_new(worms, integer(report->circle[i]));
    return json_pack("{s:o, s:o, s:o, s:o}", "cycle", cycle_or_null(report->closed), "circle",
                     lines_array(report, &report->deadlock), "worms", worms, "in_all",
                     integer(report->in_circle));
}

static json_t *held_array(const struct anl_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->num_held && i < ANL_REPORT_LANES; i++) {
        const struct anl_report_held *held = &report->held[i];
        json_array_append_new(
            array, json_pack("{s:o, s:o, s:o, s:o, s:o}", "link", link_or_null(report, held->link),
                             "number", integer(held->link), "lane", integer(held->vc), "flits",
                             integer(held->flits), "since", integer(held->since)));
    }
    return array;
}

static json_t *stall_or_null(const struct anl_report *report)
{
    if (report->told == UINT64_MAX) return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "since", integer(report->cycle), "told",
                     integer(report->told), "lanes", integer(report->num_held), "longest",
                     held_array(report));
}

static json_t *waiters_array(const struct anl_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->waiting && i < ANL_REPORT_WORMS; i++) {
        const struct anl_report_waiter *waiter = &report->waiters[i];
        json_t *object = worm_object(&waiter->worm);
        json_object_del(object, "flit");
        json_object_set_new(object, "buffer", buffer_or_null(report, waiter->buffer));
        json_object_set_new(object, "since", integer(waiter->since));
        json_object_set_new(object, "wait", json_string(anl_wait_name(waiter->wait)));
        json_object_set_new(object, "root_blocker", number_or_null(waiter->root_blocker));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *waiting_or_null(const struct anl_report *report)
{
    if (report->waiting_cycle == UINT64_MAX) return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "cycle", integer(report->waiting_cycle),
                     "waiting", integer(report->waiting), "moving", integer(report->moving),
                     "queued", integer(report->queued), "longest", waiters_array(report));
}

static json_t *commands_object(const struct anl_report *report)
{
    json_t *object = json_object();
    char *words = NULL;
    size_t bytes;
    if (report->replay) json_object_set_new(object, "replay", text_or_null(report->replay));
    if (report->waves) json_object_set_new(object, "waves", text_or_null(report->waves));
    FILE *out = report->trace ? open_memstream(&words, &bytes) : NULL;
    if (!out) return object;
    fputs(*report->trace == '-' ? "annelid worms -- " : "annelid worms ", out);
    anl_print_word(out, report->trace);
    if (fclose(out) == 0) json_object_set_new(object, "worms", text_or_null(words));
    free(words);
    return object;
}

// Returns a new object; NULL: there is no memory for it.
static json_t *report_object(const struct anl_report *report)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "from",
                               source_name(report->from), "file", text_or_null(report->file),
                               "seed", seed_or_null(report->seed), "what", report->what, "rule",
                               text_or_null(report->rule), "cycle", cycle_or_null(report->cycle),
                               "more", integer(report->more), "place", place_object(report), "worm",
                               number_or_null(report->worm), "expected",
                               text_or_null(report->expected), "seen", text_or_null(report->seen));
    json_t *rest = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "probe",
                             text_or_null(report->probe), "referee", text_or_null(report->referee),
                             "assertion", text_or_null(report->assertion), "worms",
                             worms_array(report), "before", before_or_null(report), "waiting",
                             waiting_or_null(report), "waits", waits_or_null(report), "deadlock",
                             deadlock_or_null(report), "stall", stall_or_null(report), "trace",
                             text_or_null(report->trace), "commands", commands_object(report));
    const bool whole = object && rest && json_object_update(object, rest) == 0;
    json_decref(rest);
    if (whole) return object;
    json_decref(object);
    return NULL;
}

// --- lists ---

struct anl_reports *anl_reports_create(void)
{
    struct anl_reports *reports = calloc(1, sizeof *reports);
    if (!reports) return NULL;
    reports->list = json_array();
    if (reports->list) return reports;
    free(reports);
    return NULL;
}

void anl_reports_destroy(struct anl_reports *reports)
{
    if (!reports) return;
    json_decref(reports->list);
    free(reports);
}

enum anl_status anl_reports_add(struct anl_reports *reports, const struct anl_report *report)
{
    json_t *object = report_object(report);
    return json_array_append_new(reports->list, object) ? ANL_ERR_MEMORY : ANL_OK;
}

char *anl_reports_text(const struct anl_reports *reports) { return json_dumps(reports->list, 0); }

// --- files ---

// Returns whether all elements have what every report has.
static bool is_list(const json_t *list)
{
    size_t i;
    json_t *report;
    if (!json_is_array(list)) return false;
    json_array_foreach(list, i, report) if (!json_object_get(report, "from") ||
                                            !json_object_get(report, "what")) return false;
    return true;
}

// Returns whether an open file is empty or a list of reports.
static bool may_go(FILE *file)
{
    const int first = getc(file);
    if (first == EOF) return !ferror(file);
    ungetc(first, file);
    json_t *list = json_loadf(file, 0, NULL);
    const bool is_ours = is_list(list);
    json_decref(list);
    return is_ours;
}

static enum anl_status check_there(const char *path, struct anl_error *error)
{
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOENT) return ANL_OK;
    if (!file) return anl_fail(error, ANL_ERR_IO, path, 0, "cannot read: %s", strerror(errno));
    const bool good = may_go(file);
    fclose(file);
    if (good) return ANL_OK;
    return anl_fail(error, ANL_ERR_FORMAT, path, 0,
                    "is there and is no list of reports; it stays as it is");
}

// Returns whether anything but a file is meant, which is written directly.
static bool is_direct(const struct anl_output *output) { return !output->temporary; }

// Opens what is to be written, if it may be.
static enum anl_status open_checked(const char *path, struct anl_output *output,
                                    struct anl_error *error)
{
    enum anl_status status = anl_output_open(path, output, error);
    if (status || is_direct(output)) return status;
    status = check_there(path, error);
    if (status) anl_output_abandon(output);
    return status;
}

enum anl_status anl_reports_check(const char *path, struct anl_error *error)
{
    struct anl_output output;
    const enum anl_status status = open_checked(path, &output, error);
    if (!status) anl_output_abandon(&output);
    return status;
}

enum anl_status anl_reports_write(const struct anl_reports *reports, const char *path,
                                  struct anl_error *error)
{
    struct anl_output output;
    const enum anl_status status = open_checked(path, &output, error);
    if (status) return status;
    json_dumpf(reports->list, output.file, JSON_INDENT(1));
    fputc('\n', output.file);
    return anl_output_finish(&output, error);
}
