// SPDX-License-Identifier: Apache-2.0
//
// annelid trace diff: reads two traces side by side up to their first difference.

#include "cmd_trace.h"

#include <inttypes.h>
#include <string.h>

enum { HISTORY = 4 };

struct traces {
    struct view a, b;
    struct anl_record in_a, in_b;  // the last record of each that was read
};

static bool same_route(const struct anl_worm *a, const struct anl_worm *b)
{
    return a->route_length == b->route_length &&
           (!a->route || memcmp(a->route, b->route, a->route_length) == 0);
}

static bool same_path(const struct anl_worm *a, const struct anl_worm *b)
{
    return a->has_path == b->has_path && (!a->has_path || a->path == b->path);
}

static bool same_dependencies(const struct anl_dependencies *a, const struct anl_dependencies *b)
{
    if (!a || !b) return a == b;
    return a->earliest == b->earliest && a->count == b->count &&
           memcmp(a->after, b->after, a->count * sizeof *a->after) == 0;
}

static bool same_record(const struct anl_record *a, const struct anl_record *b)
{
    if (a->kind != b->kind || a->cycle != b->cycle) return false;
    switch (a->kind) {
    case ANL_RECORD_WORM:
        return a->worm.id == b->worm.id && a->worm.source == b->worm.source &&
               a->worm.destination == b->worm.destination && a->worm.length == b->worm.length &&
               a->worm.class_ == b->worm.class_ && a->worm.role == b->worm.role &&
               same_route(&a->worm, &b->worm) && same_path(&a->worm, &b->worm) &&
               same_dependencies(a->worm.dependencies, b->worm.dependencies);
    case ANL_RECORD_FLIT:
        return a->flit.link == b->flit.link && a->flit.vc == b->flit.vc &&
               a->flit.worm == b->flit.worm && a->flit.index == b->flit.index &&
               a->flit.head == b->flit.head && a->flit.tail == b->flit.tail;
    case ANL_RECORD_END:
        return a->flits == b->flits && a->digest == b->digest;
    }
    return false;
}

// Compares two records by the order of docs/trace.md. Returns a negative number if a comes before
// b, and 0 if both would be at one position of a trace.
static int order(const struct anl_record *a, const struct anl_record *b)
{
    const bool a_ends = a->kind == ANL_RECORD_END, b_ends = b->kind == ANL_RECORD_END;
    if (a_ends || b_ends) return a_ends - b_ends;
    if (a->cycle != b->cycle) return a->cycle < b->cycle ? -1 : 1;
    if (a->kind != b->kind) return a->kind == ANL_RECORD_WORM ? -1 : 1;
    if (a->kind == ANL_RECORD_WORM || a->flit.link == b->flit.link) return 0;
    return a->flit.link < b->flit.link ? -1 : 1;
}

static void print_event(const struct view *view, const struct anl_record *record)
{
    switch (record->kind) {
    case ANL_RECORD_WORM:
        print_worm(&record->worm);
        break;
    case ANL_RECORD_FLIT:
        print_flit(&record->flit);
        break;
    case ANL_RECORD_END:
        printf("ends after %" PRIu64 " cycles", record->cycle);
        break;
    }
    printf("  (%s)\n", view->path);
}

// Says that a trace has no record where the difference is, and prints the next one that it has.
static void print_absence(const struct view *view, const struct anl_record *next)
{
    printf("nothing; ");
    if (next->kind == ANL_RECORD_END) {
        print_event(view, next);
        return;
    }
    printf("next is cycle %" PRIu64 ", ", next->cycle);
    if (next->kind == ANL_RECORD_FLIT) printf("%s, ", view_link(view, next->flit.link).text);
    print_event(view, next);
}

static void print_side(char letter, const struct view *view, const struct anl_record *record,
                       bool present)
{
    printf("  %c  ", letter);
    if (present)
        print_event(view, record);
    else
        print_absence(view, record);
}

static bool before(const struct anl_record *record, const struct anl_record *difference)
{
    return record->kind != ANL_RECORD_END && order(record, difference) < 0;
}

// Reads trace a again and prints the last flits before the difference on its link. They are the
// same in trace b.
static void print_history(const char *path, const struct anl_record *difference)
{
    struct view view;
    struct anl_record ring[HISTORY], record;
    size_t count = 0;
    if (!view_open(&view, path)) return;
    while (view_next(&view, &record) && before(&record, difference))
        if (record.kind == ANL_RECORD_FLIT && record.flit.link == difference->flit.link)
            ring[count++ % HISTORY] = record;
    view_close(&view);
    puts(count ? "Before it on this link, in both:" : "Before it nothing crossed this link.");
    for (size_t i = count > HISTORY ? count - HISTORY : 0; i < count; i++) {
        printf("  cycle %" PRIu64 "  ", ring[i % HISTORY].cycle);
        print_flit(&ring[i % HISTORY].flit);
        putchar('\n');
    }
}

static void print_difference(const struct traces *traces)
{
    const int which = order(&traces->in_a, &traces->in_b);
    const struct anl_record *first = which <= 0 ? &traces->in_a : &traces->in_b;
    printf("First difference: ");
    if (first->kind == ANL_RECORD_END)
        printf("the length of the run");
    else
        printf("cycle %" PRIu64, first->cycle);
    if (first->kind == ANL_RECORD_WORM) printf(", creation of worm %" PRIu32, first->worm.id);
    if (first->kind == ANL_RECORD_FLIT)
        printf(", %s (link %" PRIu32 ")", view_link(&traces->a, first->flit.link).text,
               first->flit.link);
    putchar('\n');
    print_side('A', &traces->a, &traces->in_a, which <= 0);
    print_side('B', &traces->b, &traces->in_b, which >= 0);
    if (first->kind == ANL_RECORD_FLIT) print_history(traces->a.path, first);
}

// Prints in what the scenarios and seeds differ. Returns true if both are the same.
static bool compare_heads(const struct traces *traces)
{
    const struct anl_trace_reader *a = traces->a.reader, *b = traces->b.reader;
    const bool same_seed = anl_trace_seed(a) == anl_trace_seed(b);
    const bool same_scenario = !strcmp(anl_trace_scenario_text(a), anl_trace_scenario_text(b));
    if (!same_seed)
        printf("The seeds differ: A %" PRIu64 ", B %" PRIu64 "\n", anl_trace_seed(a),
               anl_trace_seed(b));
    if (!same_scenario) puts("The scenarios differ.");
    return same_seed && same_scenario;
}

static int diff(struct traces *traces)
{
    const bool same_heads = compare_heads(traces);
    do {
        if (!view_next(&traces->a, &traces->in_a) || !view_next(&traces->b, &traces->in_b))
            return CLI_BAD;
        if (!same_record(&traces->in_a, &traces->in_b)) {
            print_difference(traces);
            return CLI_NO;
        }
    } while (traces->in_a.kind != ANL_RECORD_END);
    printf("%s: %" PRIu64 " cycles, %" PRIu64 " worms, %" PRIu64 " flits, digest %016" PRIx64 "\n",
           same_heads ? "Same" : "The records are the same", traces->in_a.cycle, traces->a.worms,
           traces->in_a.flits, traces->in_a.digest);
    return same_heads ? CLI_OK : CLI_NO;
}

int trace_diff(int argc, char **argv)
{
    static const struct cli_inputs inputs = {
        "A B", 2, 2, "two traces, please", "two traces, please", NULL};
    static const struct cli_command command = {
        .inputs = &inputs,
        .help = "Compares two traces of any form record by record and prints their first "
                "difference: where, what each has there, and the last flits on that link.\v"
                "Exit status: 0 same, 1 different, 2 bad usage or bad input."};
    struct cli_given given = {0};
    struct traces traces;
    cli_parse(&command, argc, argv, &given);
    if (!view_open(&traces.a, given.inputs[0])) return CLI_BAD;
    int exit_status = CLI_BAD;
    if (view_open(&traces.b, given.inputs[1])) {
        exit_status = diff(&traces);
        view_close(&traces.b);
    }
    view_close(&traces.a);
    return exit_status;
}
