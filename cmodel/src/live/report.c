// SPDX-License-Identifier: Apache-2.0
//
// What a watch prints: the first broken rule, and who waits for whom.

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

static const char *in_words(const char *what)
{
    for (enum anl_rule rule = ANL_RULE_NONE; rule <= ANL_RULE_WRONG_CYCLE; rule++)
        if (strcmp(what, anl_rule_name(rule)) == 0) return anl_rule_text(rule);
    for (enum anl_link_rule rule = ANL_LINK_SENT_AT_STOP; rule <= ANL_LINK_CHANGED; rule++)
        if (strcmp(what, anl_link_rule_name(rule)) == 0) return anl_link_rule_text(rule);
    if (strcmp(what, "made_up_flit") == 0) return "a flit is made up, or its data have changed";
    if (strcmp(what, "no_probe") == 0)
        return "a flit leaves a switch, and no probe has seen it come";
    if (strcmp(what, "two_alike") == 0) return "it cannot be known which worm moves";
    return "probes, calls and scenario fit each other";
}

static void print_where(const struct anl_live *live, const struct anl_finding *finding)
{
    char name[LIVE_NAME_BYTES];
    fprintf(live->out, "annelid: %s in cycle %" PRIu64, finding->what, finding->cycle);
    if (finding->link != ANL_NOTHING) {
        anl_link_name(live->config, finding->link, name, sizeof name);
        fprintf(live->out, " at link %s", name);
    }
    if (finding->worm != ANL_NOTHING) fprintf(live->out, ", worm %" PRIu32, finding->worm);
    fputc('\n', live->out);
}

// Prints the last flit of each lane of a link.
static void print_before(const struct anl_live *live, uint32_t link)
{
    for (uint32_t vc = 0; link < live->shape.links && vc < live->config->num_vcs; vc++) {
        const struct live_lane *lane = &live->lanes[(size_t)link * live->config->num_vcs + vc];
        if (lane->last.worm == ANL_NOTHING)
            fprintf(live->out, "  before    lane %" PRIu32 ": nothing yet\n", vc);
        else
            fprintf(live->out,
                    "  before    lane %" PRIu32 ": flit %d of worm %" PRIu32 " in cycle %" PRIu64
                    "\n",
                    vc, lane->last.index, lane->last.worm, lane->last_cycle);
    }
}

// Prints a path as a word of a shell, in quotes if it would be read as anything else.
// Says which command tells more.
static void print_trace(FILE *out, const char *path)
{
    fprintf(out, "  trace     %s has the cycles before it: annelid worms %s", path,
            *path == '-' ? "-- " : "");
    anl_print_word(out, path);
    fputc('\n', out);
}

static void print_finding(const struct anl_live *live, const struct anl_finding *finding)
{
    print_where(live, finding);
    fprintf(live->out, "  rule      %s\n  seen      %s\n", in_words(finding->what), finding->text);
    if (live->hint[0] && finding->cycle == live->now)
        fprintf(live->out, "  probe     %s\n", live->hint);
    if (finding->cycle == live->now) print_before(live, finding->link);
    const uint32_t buffer = live->now && live->fed && finding->worm != ANL_NOTHING
                                ? anl_blocking_leading(live->blocking, finding->worm)
                                : ANL_NOTHING;
    if (buffer != ANL_NOTHING) {
        fprintf(live->out, "  waits     in cycle %" PRIu64 ", the one before:\n", live->now - 1);
        anl_blocking_print_chain(live->out, "            ", live->blocking, buffer);
    }
    if (live->trace_path) print_trace(live->out, live->trace_path);
}

void live_lose_trace(struct anl_live *live, const struct anl_error *error)
{
    struct anl_finding finding = {
        .what = "no_trace", .cycle = live->now, .link = ANL_NOTHING, .worm = ANL_NOTHING};
    snprintf(finding.text, sizeof finding.text, "%.120s: %.120s", error->file, error->text);
    note(live, &finding);
    print_where(live, &finding);
    fprintf(live->out, "  seen      %s\n", finding.text);
}

static bool end_with(struct anl_live *live, const struct anl_finding *finding)
{
    live->over = true;
    live_finish_trace(live);
    note(live, finding);
    print_finding(live, finding);
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
    return end_with(live, &finding);
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
    return end_with(live, &finding);
}

// --- who waits for whom ---

struct waiter {
    uint32_t worm;
    uint64_t since;  // first cycle in which it waited
};

struct waiters {
    const struct anl_blocking *blocking;
    struct waiter *list;  // NULL: they are counted alone
    size_t count, moving, queued;
};

static void add_waiter(void *user, uint32_t worm)
{
    struct waiters *waiters = user;
    struct anl_life life = {0};
    const bool known = anl_blocking_life(waiters->blocking, worm, &life);
    waiters->moving += known && life.wait == ANL_MOVING;
    waiters->queued += known && life.wait == ANL_QUEUED;
    if (!known || life.wait == ANL_MOVING || life.wait == ANL_QUEUED) return;
    if (waiters->list) waiters->list[waiters->count] = (struct waiter){worm, life.stall.begin};
    waiters->count++;
}

static int waits_longer(const void *left, const void *right)
{
    const struct waiter *a = left, *b = right;
    if (a->since != b->since) return a->since < b->since ? -1 : 1;
    return a->worm < b->worm ? -1 : a->worm > b->worm;
}

// Lists the worms that wait, the longest waiting first; the caller frees the list. It is NULL if
// memory runs out.
static struct waiters find_waiters(const struct anl_live *live)
{
    struct waiters counted = {.blocking = live->blocking}, found = counted;
    anl_blocking_worms(live->blocking, add_waiter, &counted);
    found.list = calloc(counted.count + 1, sizeof *found.list);
    anl_blocking_worms(live->blocking, add_waiter, &found);
    if (found.list) qsort(found.list, found.count, sizeof *found.list, waits_longer);
    return found;
}

static void print_waiter(const struct anl_blocking *blocking, uint32_t worm, FILE *out)
{
    struct anl_life life;
    char name[LIVE_NAME_BYTES];
    if (!anl_blocking_life(blocking, worm, &life)) return;
    anl_buffer_name(anl_blocking_config(blocking), life.buffer, name, sizeof name);
    fprintf(out,
            "  worm %" PRIu32 "  T%" PRIu32 " -> T%" PRIu32 ", %d flits, in %s since cycle %" PRIu64
            ", %s, ",
            worm, life.worm.source, life.worm.destination, life.worm.length, name, life.stall.begin,
            anl_wait_name(life.wait));
    const uint32_t root = anl_blocking_root_blocker(blocking, life.buffer);
    if (root == ANL_NOTHING)
        fputs("no worm moves at the end of its chain\n", out);
    else
        fprintf(out, "root blocker worm %" PRIu32 "\n", root);
}

static void print_waiters(const struct anl_live *live, FILE *out)
{
    enum { MOST = 16 };
    if (!live->now || !live->fed) return;
    struct waiters waiters = find_waiters(live);
    fprintf(out,
            "Cycle %" PRIu64 ": of the worms %zu wait, %zu move, %zu are queued at the sources\n",
            live->now - 1, waiters.count, waiters.moving, waiters.queued);
    for (size_t i = 0; waiters.list && i < waiters.count && i < MOST; i++)
        print_waiter(live->blocking, waiters.list[i].worm, out);
    if (waiters.count > MOST) fprintf(out, "  … %zu in all\n", waiters.count);
    if (waiters.list && waiters.count)
        anl_blocking_print_chain(out, "  waits     ", live->blocking,
                                 anl_blocking_leading(live->blocking, waiters.list[0].worm));
    free(waiters.list);
}

void anl_live_print(const struct anl_live *live, FILE *out)
{
    print_waiters(live, out);
    if (live->now && live->fed) anl_blocking_print_deadlock(out, "  deadlock  ", live->blocking);
}

// --- deadlock, stall, end ---

void live_tell_deadlock(struct anl_live *live)
{
    struct anl_finding finding = {.what = "deadlock", .link = ANL_NOTHING};
    size_t count;
    const uint32_t *circle = anl_blocking_circle(live->blocking, &count);
    finding.cycle = anl_blocking_deadlocked(live->blocking);
    finding.worm = count ? circle[0] : ANL_NOTHING;
    snprintf(finding.text, sizeof finding.text,
             "%zu worms hold each other, and none of their heads can ever move again", count);
    live->told_dead = true;
    note(live, &finding);
    print_where(live, &finding);
    fprintf(live->out, "  seen      %s\n", finding.text);
    anl_blocking_print_deadlock(live->out, "  deadlock  ", live->blocking);
}

void live_tell_stall(struct anl_live *live)
{
    struct anl_finding finding = {
        .what = "stalled", .cycle = live->now, .link = ANL_NOTHING, .worm = ANL_NOTHING};
    snprintf(finding.text, sizeof finding.text,
             "no flit has crossed a link for %" PRIu64 " cycles, and of %" PRIu64 " worms %" PRIu64
             " are delivered",
             live->quiet_cycles, live->worms_created, live->worms_delivered);
    note(live, &finding);
    print_where(live, &finding);
    fprintf(live->out, "  seen      %s\n", finding.text);
    anl_live_print(live, live->out);
}

void live_print_end(const struct anl_live *live)
{
    const uint64_t left = live->worms_created - live->worms_delivered;
    fprintf(live->out,
            "annelid: %" PRIu64 " cycles, %" PRIu64 " flits, %" PRIu64 " worms, %" PRIu64
            " delivered: %s\n",
            live->now, live->flits_passed, live->worms_created, live->worms_delivered,
            live->finding.what[0] ? live->finding.what : "no rule broken");
    if (left && !live->over && !live->told_stall) print_waiters(live, live->out);
}
