// SPDX-License-Identifier: Apache-2.0
//
// Fills a report with what the referee and the blocking analysis know.

#include "base/base.h"

#include <annelid/report.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void anl_report_begin(struct anl_report *report, enum anl_report_source from, const char *what,
                      uint64_t cycle)
{
    *report = (struct anl_report){.from = from,
                                  .cycle = cycle,
                                  .place = {"", ANL_NOTHING, ANL_NOTHING, ANL_NOTHING, ANL_NOTHING},
                                  .worm = ANL_NOTHING,
                                  .before_link = ANL_NOTHING,
                                  .waiting_cycle = UINT64_MAX,
                                  .waits_cycle = UINT64_MAX,
                                  .closed = UINT64_MAX,
                                  .told = UINT64_MAX};
    snprintf(report->what, sizeof report->what, "%s", what);
}

void anl_report_end(struct anl_report *report)
{
    free(report->waits.list);
    free(report->deadlock.list);
    free(report->replay);
    free(report->waves);
    free(report->trace);
}

void anl_report_place(struct anl_report *report, uint32_t link, uint32_t vc)
{
    const struct anl_shape shape = anl_shape_of(report->config);
    char name[ANL_REPORT_NAME_BYTES - 32];
    if (link == ANL_NOTHING) return;
    anl_link_name(report->config, link, name, sizeof name);
    if (vc == ANL_NOTHING || report->from == ANL_REPORT_WATCH)
        snprintf(report->place.text, sizeof report->place.text, "link %s", name);
    else
        snprintf(report->place.text, sizeof report->place.text, "link %s lane %" PRIu32, name, vc);
    report->place.link = link;
    report->place.vc = vc;
    if (link >= shape.switches * shape.ports) return;
    report->place.switch_ = link / shape.ports;
    report->place.port = link % shape.ports;
}

void anl_report_violation(struct anl_report *report, const struct anl_config *config,
                          const struct anl_violation *violation)
{
    report->config = config;
    report->worm = violation->worm;
    anl_report_place(report, violation->link, violation->has_flit ? violation->vc : ANL_NOTHING);
    snprintf(report->rule, sizeof report->rule, "%s", anl_rule_text(violation->rule));
    snprintf(report->seen, sizeof report->seen, "%s", violation->text);
    if (violation->worm == ANL_NOTHING) return;
    report->worms[report->num_worms++] = (struct anl_report_worm){
        violation->worm,   violation->has_worm,
        violation->source, violation->destination,
        violation->length, violation->has_flit ? violation->index : ANL_NOTHING};
}

// Returns the worm in the list, a new one behind it, or NULL if the list is full.
static struct anl_report_worm *entry_of(struct anl_report *report, uint32_t id)
{
    size_t i = 0;
    while (i < report->num_worms && report->worms[i].id != id)
        i++;
    if (i == ANL_REPORT_WORMS) return NULL;
    if (i == report->num_worms)
        report->worms[report->num_worms++] =
            (struct anl_report_worm){.id = id, .flit = ANL_NOTHING};
    return &report->worms[i];
}

static void know(struct anl_report_worm *entry, const struct anl_worm *worm)
{
    entry->known = true;
    entry->source = worm->source;
    entry->destination = worm->destination;
    entry->length = worm->length;
}

void anl_report_add_worm(struct anl_report *report, const struct anl_blocking *blocking,
                         uint32_t id, uint32_t flit)
{
    struct anl_worm worm;
    if (id == ANL_NOTHING) return;
    struct anl_report_worm *entry = entry_of(report, id);
    if (!entry) return;
    if (entry->flit == ANL_NOTHING) entry->flit = flit;
    if (!entry->known && blocking && anl_blocking_worm(blocking, id, &worm)) know(entry, &worm);
}

void anl_report_add_passage(struct anl_report *report, uint32_t vc,
                            struct anl_report_passage passage)
{
    if (vc >= ANL_MAX_VCS || report->before[vc].count == ANL_REPORT_PASSAGES) return;
    report->before[vc].list[report->before[vc].count++] = passage;
}

static bool stood_longer(const struct anl_report_held *a, const struct anl_report_held *b)
{
    return a->since != b->since ? a->since < b->since
           : a->link != b->link ? a->link < b->link
                                : a->vc < b->vc;
}

// Those for which there is no room fall off.
void anl_report_add_held(struct anl_report *report, const struct anl_report_held *held)
{
    size_t at = report->num_held < ANL_REPORT_LANES ? report->num_held : ANL_REPORT_LANES;
    for (; at > 0 && stood_longer(held, &report->held[at - 1]); at--)
        if (at < ANL_REPORT_LANES) report->held[at] = report->held[at - 1];
    if (at < ANL_REPORT_LANES) report->held[at] = *held;
    report->num_held++;
}

// --- lines ---

struct adding {
    struct anl_report *report;
    const struct anl_blocking *blocking;
    struct anl_report_lines *lines;
};

static bool has_room(struct anl_report_lines *lines)
{
    struct anl_chain_line *list = base_room(lines->list, lines->count, &lines->room, sizeof *list);
    if (list) lines->list = list;
    return list;
}

static void add_line(void *user, const struct anl_chain_line *line)
{
    struct adding *adding = user;
    if (!has_room(adding->lines)) return;
    adding->lines->list[adding->lines->count++] = *line;
    anl_report_add_worm(adding->report, adding->blocking, line->worm, line->index);
}

void anl_report_chain(struct anl_report *report, const struct anl_blocking *blocking,
                      uint32_t buffer)
{
    struct adding adding = {report, blocking, &report->waits};
    report->config = anl_blocking_config(blocking);
    if (buffer == ANL_NOTHING) return;
    report->waits_cycle = anl_blocking_cycle(blocking);
    anl_blocking_tell_chain(blocking, buffer, add_line, &adding);
}

void anl_report_deadlock(struct anl_report *report, const struct anl_blocking *blocking)
{
    struct adding adding = {report, blocking, &report->deadlock};
    report->config = anl_blocking_config(blocking);
    const uint32_t *circle = anl_blocking_circle(blocking, &report->in_circle);
    report->closed = anl_blocking_deadlocked(blocking);
    for (size_t i = 0; i < report->in_circle && i < ANL_REPORT_WORMS; i++)
        report->circle[i] = circle[i];
    anl_blocking_tell_deadlock(blocking, add_line, &adding);
}

// --- all worms that wait ---

struct counting {
    struct anl_report *report;
    const struct anl_blocking *blocking;
};

static bool waits_longer(const struct anl_report_waiter *a, const struct anl_report_waiter *b)
{
    return a->since != b->since ? a->since < b->since : a->worm.id < b->worm.id;
}

// Puts a worm into the list, the longest waiting first; those for which there is no room fall off.
static void insert(struct anl_report *report, const struct anl_report_waiter *waiter)
{
    size_t at = report->waiting < ANL_REPORT_WORMS ? report->waiting : ANL_REPORT_WORMS;
    for (; at > 0 && waits_longer(waiter, &report->waiters[at - 1]); at--)
        if (at < ANL_REPORT_WORMS) report->waiters[at] = report->waiters[at - 1];
    if (at < ANL_REPORT_WORMS) report->waiters[at] = *waiter;
    report->waiting++;
}

static void count_worm(void *user, uint32_t id)
{
    const struct counting *counting = user;
    struct anl_report *report = counting->report;
    struct anl_life life = {0};
    const bool known = anl_blocking_life(counting->blocking, id, &life);
    report->moving += known && life.wait == ANL_MOVING;
    report->queued += known && life.wait == ANL_QUEUED;
    if (!known || life.wait == ANL_MOVING || life.wait == ANL_QUEUED) return;
    struct anl_report_waiter waiter = {.worm = {.id = id, .flit = ANL_NOTHING},
                                       .buffer = life.buffer,
                                       .since = life.stall.begin,
                                       .wait = life.wait,
                                       .root_blocker = ANL_NOTHING};
    know(&waiter.worm, &life.worm);
    insert(report, &waiter);
}

void anl_report_waiters(struct anl_report *report, const struct anl_blocking *blocking)
{
    struct counting counting = {report, blocking};
    report->config = anl_blocking_config(blocking);
    report->waiting_cycle = anl_blocking_cycle(blocking);
    report->waiting = report->moving = report->queued = 0;
    anl_blocking_worms(blocking, count_worm, &counting);
    for (size_t i = 0; i < report->waiting && i < ANL_REPORT_WORMS; i++)
        report->waiters[i].root_blocker =
            anl_blocking_root_blocker(blocking, report->waiters[i].buffer);
}
