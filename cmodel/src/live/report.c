// SPDX-License-Identifier: Apache-2.0
//
// What a watch prints, and its list of reports: the first broken rule, and who waits for whom.

#include "live.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// --- findings ---

// Keeps the first finding, for the caller.
static void note(struct anl_live *live, const struct anl_finding *finding)
{
    live->found_now = true;
    if (!live->finding.what[0]) live->finding = *finding;
}

// Returns "" for what is no broken rule.
static const char *in_words(const char *what)
{
    const enum anl_rule of_referee = anl_rule_named(what);
    if (of_referee) return anl_rule_text(of_referee);
    for (enum anl_link_rule rule = ANL_LINK_SENT_AT_STOP; rule <= ANL_LINK_CHANGED; rule++)
        if (strcmp(what, anl_link_rule_name(rule)) == 0) return anl_link_rule_text(rule);
    if (strcmp(what, "made_up_flit") == 0) return "a flit is made up, or its data have changed";
    if (strcmp(what, "no_probe") == 0)
        return "a flit leaves a switch, and no probe has seen it come";
    if (strcmp(what, "two_alike") == 0) return "it cannot be known which worm moves";
    if (strcmp(what, "misuse") == 0) return "probes, calls and scenario fit each other";
    return "";
}

// Begins the report of a finding; violation is what the referee has found, or NULL.
static void begin_report(const struct anl_live *live, const struct anl_finding *finding,
                         const struct anl_violation *violation, struct anl_report *report)
{
    anl_report_begin(report, ANL_REPORT_WATCH, finding->what, finding->cycle);
    if (violation) anl_report_violation(report, live->config, violation);
    report->config = live->config;
    report->file = live->scenario_path;
    report->seed = live->options.has_seed ? &live->scenario.run.seed : NULL;
    report->worm = finding->worm;
    if (!violation) anl_report_place(report, finding->link, ANL_NOTHING);
    snprintf(report->rule, sizeof report->rule, "%s", in_words(finding->what));
    snprintf(report->seen, sizeof report->seen, "%s", finding->text);
    anl_report_add_worm(report, live->fed ? live->blocking : NULL, finding->worm, ANL_NOTHING);
}

// Writes the list of reports as it is now. What cannot be written is found, but not in the list.
static void write_reports(struct anl_live *live)
{
    struct anl_error error = {0};
    if (!live->reports || anl_reports_write(live->reports, live->report_path, &error) == ANL_OK)
        return;
    anl_reports_destroy(live->reports);
    live->reports = NULL;
    live_lose_file(live, "no_report", &error);
}

// Notes what is found, prints its report, and adds that to the list.
static void tell(struct anl_live *live, const struct anl_finding *finding,
                 struct anl_report *report)
{
    note(live, finding);
    anl_report_print(report, live->out);
    if (live->reports) anl_reports_add(live->reports, report);
    anl_report_end(report);
    write_reports(live);
}

// Adds the last flit of each lane of a link.
static void add_before(const struct anl_live *live, uint32_t link, struct anl_report *report)
{
    if (link >= live->shape.links) return;
    report->before_link = link;
    for (uint32_t vc = 0; vc < live->config->num_vcs; vc++) {
        const struct live_lane *lane = &live->lanes[(size_t)link * live->config->num_vcs + vc];
        const struct anl_report_passage last = {lane->last.worm, lane->last.index,
                                                lane->last_cycle};
        if (lane->last.worm != ANL_NOTHING) anl_report_add_passage(report, vc, last);
    }
}

// Adds what the cycle before says of it.
static void add_more(const struct anl_live *live, const struct anl_finding *finding,
                     struct anl_report *report)
{
    const bool is_now = finding->cycle == live->now;
    if (is_now) snprintf(report->probe, sizeof report->probe, "%s", live->hint);
    if (is_now) add_before(live, finding->link, report);
    report->waits_before = true;
    if (live->now && live->fed && finding->worm != ANL_NOTHING)
        anl_report_chain(report, live->blocking,
                         anl_blocking_leading(live->blocking, finding->worm));
    report->trace = live->trace_path ? strdup(live->trace_path) : NULL;
}

void live_lose_file(struct anl_live *live, const char *what, const struct anl_error *error)
{
    struct anl_finding finding = {.cycle = live->now, .link = ANL_NOTHING, .worm = ANL_NOTHING};
    struct anl_report report;
    snprintf(finding.what, sizeof finding.what, "%s", what);
    snprintf(finding.text, sizeof finding.text, "%.120s: %.120s", error->file, error->text);
    begin_report(live, &finding, NULL, &report);
    tell(live, &finding, &report);
}

static bool end_with(struct anl_live *live, const struct anl_finding *finding,
                     const struct anl_violation *violation)
{
    struct anl_report report;
    live->over = true;
    live_finish_trace(live);
    begin_report(live, finding, violation, &report);
    add_more(live, finding, &report);
    tell(live, finding, &report);
    return false;
}

bool live_break(struct anl_live *live, const char *what, uint32_t link, uint32_t worm,
                const char *format, ...)
{
    struct anl_finding finding = {.cycle = live->now, .link = link, .worm = worm};
    snprintf(finding.what, sizeof finding.what, "%s", what);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding.text, sizeof finding.text, format, arguments);
    va_end(arguments);
    return end_with(live, &finding, NULL);
}

bool live_break_rule(struct anl_live *live)
{
    const struct anl_violation *violation = anl_referee_violation(live->referee);
    if (!violation)
        return live_break(live, "misuse", ANL_NOTHING, ANL_NOTHING, "%s",
                          anl_status_text(anl_referee_status(live->referee)));
    struct anl_finding finding = {
        .cycle = violation->cycle, .link = violation->link, .worm = violation->worm};
    snprintf(finding.what, sizeof finding.what, "%s", anl_rule_name(violation->rule));
    snprintf(finding.text, sizeof finding.text, "%s", violation->text);
    return end_with(live, &finding, violation);
}

// --- who waits for whom ---

// Adds all worms that wait, and the chain of the one that has waited longest.
static void add_waiters(const struct anl_live *live, struct anl_report *report)
{
    if (!live->now || !live->fed) return;
    anl_report_waiters(report, live->blocking);
    if (report->waiting)
        anl_report_chain(report, live->blocking,
                         anl_blocking_leading(live->blocking, report->waiters[0].worm.id));
}

static void print_waiters(const struct anl_live *live, bool and_deadlock, FILE *out)
{
    struct anl_report report;
    anl_report_begin(&report, ANL_REPORT_WATCH, "", live->now);
    add_waiters(live, &report);
    if (and_deadlock && live->now && live->fed) anl_report_deadlock(&report, live->blocking);
    anl_report_print_waiting(&report, out);
    anl_report_end(&report);
}

void anl_live_print(const struct anl_live *live, FILE *out) { print_waiters(live, true, out); }

// --- deadlock, stall, end ---

void live_tell_deadlock(struct anl_live *live)
{
    struct anl_finding finding = {.what = "deadlock", .link = ANL_NOTHING};
    struct anl_report report;
    size_t count;
    const uint32_t *circle = anl_blocking_circle(live->blocking, &count);
    finding.cycle = anl_blocking_deadlocked(live->blocking);
    finding.worm = count ? circle[0] : ANL_NOTHING;
    snprintf(finding.text, sizeof finding.text,
             "%zu worms hold each other, and none of their heads can ever move again", count);
    live->told_dead = true;
    begin_report(live, &finding, NULL, &report);
    anl_report_deadlock(&report, live->blocking);
    tell(live, &finding, &report);
}

// Adds the lanes in which flits stand still.
static void add_held(const struct anl_live *live, struct anl_report *report)
{
    const uint32_t num_vcs = live->config->num_vcs;
    for (uint32_t lane = 0; lane < live->shape.links * num_vcs; lane++) {
        const struct live_lane *at = &live->lanes[lane];
        const struct anl_report_held held = {lane / num_vcs, lane % num_vcs, at->count,
                                             at->last_cycle};
        if (at->count) anl_report_add_held(report, &held);
    }
}

void live_tell_stall(struct anl_live *live)
{
    struct anl_finding finding = {.what = "stalled",
                                  .cycle = live->now + 1 - live->stuck_cycles,
                                  .link = ANL_NOTHING,
                                  .worm = ANL_NOTHING};
    struct anl_report report;
    snprintf(finding.text, sizeof finding.text,
             "no flit has crossed a link for %" PRIu64 " cycles, up to cycle %" PRIu64
             ", and of %" PRIu64 " worms %" PRIu64 " are delivered",
             live->stuck_cycles, live->now, live->worms_created, live->worms_delivered);
    begin_report(live, &finding, NULL, &report);
    report.told = live->now;
    add_held(live, &report);
    add_waiters(live, &report);
    if (live->now && live->fed) anl_report_deadlock(&report, live->blocking);
    tell(live, &finding, &report);
}

void live_tell_end(struct anl_live *live)
{
    const uint64_t left = live->worms_created - live->worms_delivered;
    write_reports(live);
    fprintf(live->out,
            "annelid: %" PRIu64 " cycles, %" PRIu64 " flits, %" PRIu64 " worms, %" PRIu64
            " delivered: %s\n",
            live->now, live->flits_passed, live->worms_created, live->worms_delivered,
            live->finding.what[0] ? live->finding.what : "no rule broken");
    if (left && !live->over && !live->told_stall) print_waiters(live, false, live->out);
}
