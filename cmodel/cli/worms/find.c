// SPDX-License-Identifier: Apache-2.0
//
// Answers the question of `annelid worms`: goes through the run once and keeps what will be
// printed.

#include "worms.h"

#include <annelid/base.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- the longest stalls ---

static struct anl_delay longest_delay(const struct anl_life *life)
{
    struct anl_delay most = {.by = ANL_NOTHING};
    for (size_t i = 0; i < life->num_delays; i++)
        if (life->delays[i].cycles > most.cycles) most = life->delays[i];
    return most;
}

static uint64_t cycles_waited(const struct anl_life *life)
{
    uint64_t cycles = 0;
    for (enum anl_wait wait = ANL_BOUND_ELSEWHERE; wait < ANL_QUEUED; wait++)
        cycles += life->cycles[wait];
    return cycles;
}

static uint64_t rank(const struct waiters *waiters, const struct waiter *waiter)
{
    return waiters->by_waited ? waiter->waited : stall_cycles(&waiter->stall);
}

static bool comes_before(const struct waiters *waiters, const struct waiter *a,
                         const struct waiter *b)
{
    const uint64_t x = rank(waiters, a), y = rank(waiters, b);
    return x != y ? x > y : a->worm.id < b->worm.id;
}

static void add_waiter(struct waiters *waiters, const struct anl_life *life,
                       const struct anl_stall *stall)
{
    const struct waiter waiter = {life->worm, *stall, longest_delay(life), cycles_waited(life)};
    size_t i = waiters->count;
    if (stall->worm == ANL_NOTHING) return;
    while (i > 0 && comes_before(waiters, &waiter, &waiters->list[i - 1]))
        i--;
    if (i == waiters->most) return;
    if (waiters->count < waiters->most) waiters->count++;
    memmove(&waiters->list[i + 1], &waiters->list[i],
            (waiters->count - i - 1) * sizeof *waiters->list);
    waiters->list[i] = waiter;
}

// --- every stall, as a table ---

static void print_stalls_head(FILE *out)
{
    fputs("worm,source,destination,begin,end,cycles,buffer,cause,blocker,root_blocker", out);
    for (int wait = ANL_BOUND_ELSEWHERE; wait < ANL_QUEUED; wait++)
        fprintf(out, ",%s", anl_wait_name((enum anl_wait)wait));
    fputc('\n', out);
}

// Prints a field of the table; it is empty if worm is ANL_NOTHING.
static void print_worm_field(FILE *out, uint32_t worm)
{
    fputc(',', out);
    if (worm != ANL_NOTHING) fprintf(out, "%" PRIu32, worm);
}

static void print_stall_row(FILE *out, const struct anl_blocking *blocking,
                            const struct anl_stall *stall)
{
    struct anl_life life = {0};
    char buffer[112];
    anl_blocking_life(blocking, stall->worm, &life);
    anl_buffer_name(anl_blocking_config(blocking), stall->buffer, buffer, sizeof buffer);
    fprintf(out,
            "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",\"%s\",%s",
            stall->worm, life.worm.source, life.worm.destination, stall->begin, stall->end,
            stall_cycles(stall), buffer, anl_wait_name(main_cause(stall)));
    print_worm_field(out, stall->blocker);
    print_worm_field(out, stall->root_blocker);
    for (int wait = ANL_BOUND_ELSEWHERE; wait < ANL_QUEUED; wait++)
        fprintf(out, ",%" PRIu64, stall->cycles[wait]);
    fputc('\n', out);
}

static int by_worm(const void *a, const void *b)
{
    const struct anl_stall *x = a, *y = b;
    return x->worm < y->worm ? -1 : x->worm > y->worm;
}

static void print_ended_stalls(struct findings *findings, const struct anl_blocking *blocking)
{
    struct stalls *ended = &findings->ended;
    if (ended->count > 1) qsort(ended->list, ended->count, sizeof *ended->list, by_worm);
    for (size_t i = 0; i < ended->count; i++)
        print_stall_row(findings->stalls, blocking, &ended->list[i]);
    ended->count = 0;
}

static enum anl_status keep_stall(struct stalls *stalls, const struct anl_stall *stall)
{
    struct anl_stall *list = gather_room(stalls->list, stalls->count, &stalls->size, sizeof *list);
    if (!list) return ANL_ERR_MEMORY;
    stalls->list = list;
    list[stalls->count++] = *stall;
    return ANL_OK;
}

// --- chains ---

// Follows the delay chain that begins at a buffer.
static enum anl_status follow_chain(struct chain *chain, const struct anl_blocking *blocking,
                                    uint32_t buffer)
{
    const uint32_t buffers = anl_blocking_num_buffers(blocking);
    uint32_t *order =
        calloc(buffers, sizeof *order);  // [buffers] 1 + index in the chain; 0: not on it
    chain->buffers = malloc(buffers * sizeof *chain->buffers);
    chain->back = SIZE_MAX;
    if (!order || !chain->buffers) {
        free(order);
        return ANL_ERR_MEMORY;
    }
    while (buffer != ANL_NOTHING && !order[buffer]) {
        chain->buffers[chain->count++] = buffer;
        order[buffer] = (uint32_t)chain->count;
        buffer = anl_blocking_buffer(blocking, buffer).next;
    }
    if (buffer != ANL_NOTHING) chain->back = order[buffer] - 1;
    free(order);
    return ANL_OK;
}

// --- deadlock ---

static uint16_t flits_of(const struct anl_blocking *blocking, uint32_t buffer, uint32_t worm)
{
    struct anl_flit_run runs[ANL_MAX_DEPTH];
    const size_t count = anl_blocking_runs(blocking, buffer, runs, ANL_MAX_DEPTH);
    for (size_t i = 0; i < count; i++)
        if (runs[i].worm == worm) return runs[i].flits;
    return 0;
}

static enum anl_status note_holds(struct deadlocked_worm *deadlocked_worm,
                                  const struct anl_blocking *blocking)
{
    const uint32_t worm = deadlocked_worm->worm.id;
    deadlocked_worm->num_holds = anl_blocking_body(blocking, worm, NULL, 0);
    deadlocked_worm->holds = calloc(deadlocked_worm->num_holds + 1, sizeof *deadlocked_worm->holds);
    deadlocked_worm->flits = calloc(deadlocked_worm->num_holds + 1, sizeof *deadlocked_worm->flits);
    if (!deadlocked_worm->holds || !deadlocked_worm->flits) return ANL_ERR_MEMORY;
    anl_blocking_body(blocking, worm, deadlocked_worm->holds, deadlocked_worm->num_holds);
    for (size_t i = 0; i < deadlocked_worm->num_holds; i++)
        deadlocked_worm->flits[i] = flits_of(blocking, deadlocked_worm->holds[i], worm);
    return ANL_OK;
}

// Notes what stands in the lanes of the terminal, which wait for what holds the worm.
static enum anl_status note_lanes(struct deadlocked_worm *deadlocked_worm,
                                  const struct anl_blocking *blocking)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    if (deadlocked_worm->terminal == ANL_NOTHING) return ANL_OK;
    const uint32_t first = anl_ejection_link(config, deadlocked_worm->terminal) * config->num_vcs;
    struct refused_lane *lanes = calloc(config->num_vcs, sizeof *lanes);
    if (!lanes) return ANL_ERR_MEMORY;
    deadlocked_worm->lanes = lanes;
    for (uint32_t vc = 0; vc < config->num_vcs; vc++) {
        struct refused_lane *lane = &lanes[deadlocked_worm->num_lanes];
        *lane = (struct refused_lane){first + vc, anl_blocking_buffer(blocking, first + vc), ""};
        if (lane->at.worm == ANL_NOTHING && lane->at.owner == ANL_NOTHING) continue;
        anl_blocking_text(blocking, first + vc, lane->text, sizeof lane->text);
        deadlocked_worm->num_lanes++;
    }
    return ANL_OK;
}

static enum anl_status note_worm(struct deadlocked_worm *deadlocked_worm,
                                 const struct anl_blocking *blocking, uint32_t worm)
{
    struct anl_life life;
    if (anl_blocking_life(blocking, worm, &life)) {
        deadlocked_worm->worm = life.worm;
        deadlocked_worm->head_buffer = life.buffer;
        deadlocked_worm->head = anl_blocking_buffer(blocking, life.buffer);
    }
    deadlocked_worm->held_by = anl_blocking_held_by(blocking, worm);
    const enum anl_status status = note_holds(deadlocked_worm, blocking);
    return status ? status : note_lanes(deadlocked_worm, blocking);
}

// Notes the deadlock that closed in this cycle, but not the dead worms.
static enum anl_status note_deadlock(struct deadlock *deadlock, const struct anl_blocking *blocking)
{
    size_t count;
    const uint32_t *worms = anl_blocking_circle(blocking, &count);
    deadlock->cycle = anl_blocking_deadlocked(blocking);
    deadlock->circle = calloc(count + 1, sizeof *deadlock->circle);
    if (!deadlock->circle) return ANL_ERR_MEMORY;
    deadlock->count = count;
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        deadlock->circle[i].terminal = anl_blocking_circle_terminals(blocking)[i];
        status = note_worm(&deadlock->circle[i], blocking, worms[i]);
    }
    return status;
}

// --- the life of a worm ---

static enum anl_status head_crosses(struct worm_history *worm, uint64_t cycle,
                                    const struct anl_flit *flit)
{
    struct crossing *path = gather_room(worm->path, worm->num_path, &worm->size_path, sizeof *path);
    if (!path) return ANL_ERR_MEMORY;
    worm->path = path;
    path[worm->num_path++] =
        (struct crossing){.link = flit->link, .vc = flit->vc, .head = cycle, .tail = UINT64_MAX};
    return ANL_OK;
}

static void tail_crosses(struct worm_history *worm, uint64_t cycle, const struct anl_flit *flit)
{
    for (size_t i = 0; i < worm->num_path; i++)
        if (worm->path[i].link == flit->link) worm->path[i].tail = cycle;
}

// Adds the links that the head and the tail of worm id cross in a cycle.
static enum anl_status note_flits(struct worm_history *worm, uint32_t id, uint64_t cycle,
                                  const struct anl_flit *flits, size_t count)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        if (flits[i].worm != id) continue;
        if (flits[i].head) status = head_crosses(worm, cycle, &flits[i]);
        if (!status && flits[i].tail) tail_crosses(worm, cycle, &flits[i]);
    }
    return status;
}

static enum anl_status note_life(struct worm_history *worm, const struct anl_life *life)
{
    free(worm->delays);
    worm->delays = sorted_delays(life);
    if (!worm->delays) return ANL_ERR_MEMORY;
    worm->life = *life;
    worm->life.delays = worm->delays;
    worm->created = true;
    return ANL_OK;
}

// --- what crosses the links ---

static enum anl_status count_flits(struct findings *findings, const struct anl_blocking *blocking,
                                   const struct anl_flit *flits, size_t count)
{
    if (!findings->loads) {
        const uint32_t links = anl_shape_of(anl_blocking_config(blocking)).links;
        findings->loads = calloc(links, sizeof *findings->loads);
        if (!findings->loads) return ANL_ERR_MEMORY;
        findings->num_loads = links;
        for (uint32_t link = 0; link < links; link++)
            findings->loads[link].link = link;
    }
    for (size_t i = 0; i < count; i++) {
        findings->loads[flits[i].link].flits++;
        findings->loads[flits[i].link].worms += flits[i].head;
    }
    return ANL_OK;
}

static int busiest_first(const void *a, const void *b)
{
    const struct link_load *x = a, *y = b;
    if (x->flits != y->flits) return x->flits < y->flits ? 1 : -1;
    return (x->link > y->link) - (x->link < y->link);
}

static void sort_loads(struct findings *findings)
{
    if (findings->loads)
        qsort(findings->loads, findings->num_loads, sizeof *findings->loads, busiest_first);
}

// --- while it runs ---

static bool is_asked_for(const struct findings *findings, uint32_t worm)
{
    return findings->question->has_worm && findings->question->worm == worm;
}

static void hear_stall(void *user, const struct anl_stall *stall)
{
    struct findings *findings = user;
    if (!findings->status && is_asked_for(findings, stall->worm))
        findings->status = keep_stall(&findings->worm.stalls, stall);
    if (!findings->status && findings->stalls)
        findings->status = keep_stall(&findings->ended, stall);
}

static void hear_delivered(void *user, const struct anl_life *life)
{
    struct findings *findings = user;
    if (!findings->question->has_at) add_waiter(&findings->waiters, life, &life->longest);
    if (!is_asked_for(findings, life->worm.id)) return;
    findings->worm.gone = true;
    if (!findings->status) findings->status = note_life(&findings->worm, life);
}

static bool hear_cycle(void *user, const struct anl_blocking *blocking,
                       const struct anl_flit *flits, size_t count)
{
    struct findings *findings = user;
    if (count) findings->last_move = anl_blocking_cycle(blocking);
    if (!findings->status && !findings->question->has_at)
        findings->status = count_flits(findings, blocking, flits, count);
    if (!findings->status && findings->question->has_worm)
        findings->status = note_flits(&findings->worm, findings->question->worm,
                                      anl_blocking_cycle(blocking), flits, count);
    if (!findings->status && findings->deadlock.cycle == UINT64_MAX &&
        anl_blocking_deadlocked(blocking) != UINT64_MAX)
        findings->status = note_deadlock(&findings->deadlock, blocking);
    print_ended_stalls(findings, blocking);
    return !findings->status;
}

// --- in the last cycle ---

// Is called for every worm that is still there. Its stall, if one lasts, was reported to
// hear_stall() only if the run ended; otherwise this is done here.
static void meet_worm(void *user, uint32_t worm)
{
    struct findings *findings = user;
    struct anl_life life;
    if (!anl_blocking_life(findings->analysed.blocking, worm, &life)) return;
    const bool lasts = life.stall.worm != ANL_NOTHING;
    const bool waits = life.wait != ANL_MOVING && life.wait != ANL_QUEUED;
    findings->waiting += waits;
    findings->moving += life.wait == ANL_MOVING;
    findings->queued += life.wait == ANL_QUEUED;
    if (findings->question->has_at) {
        if (waits) add_waiter(&findings->waiters, &life, &life.stall);
    } else if (life.delivered == UINT64_MAX) {
        const bool now = lasts && (life.longest.worm == ANL_NOTHING ||
                                   stall_cycles(&life.stall) > stall_cycles(&life.longest));
        add_waiter(&findings->waiters, &life, now ? &life.stall : &life.longest);
    }
    if (lasts && !findings->analysed.ended) hear_stall(findings, &life.stall);
    if (is_asked_for(findings, worm) && !findings->worm.gone && !findings->status)
        findings->status = note_life(&findings->worm, &life);
}

static enum anl_status find_chain(struct findings *findings)
{
    struct anl_life life;
    findings->chain_worm = ANL_NOTHING;
    if (!findings->question->has_at) return ANL_OK;
    if (findings->question->has_worm)
        findings->chain_worm = findings->question->worm;
    else if (findings->waiters.count)
        findings->chain_worm = findings->waiters.list[0].worm.id;
    if (!anl_blocking_life(findings->analysed.blocking, findings->chain_worm, &life)) return ANL_OK;
    return follow_chain(&findings->chain, findings->analysed.blocking, life.buffer);
}

static enum anl_status find_rest(struct findings *findings)
{
    const struct anl_blocking *blocking = findings->analysed.blocking;
    findings->totals = anl_blocking_totals(blocking);
    findings->last = findings->analysed.cycles - 1;
    sort_loads(findings);
    anl_blocking_worms(blocking, meet_worm, findings);
    print_ended_stalls(findings, blocking);
    if (!findings->status && findings->deadlock.cycle != UINT64_MAX)
        findings->status =
            anl_blocking_dead(blocking, &findings->deadlock.dead, &findings->deadlock.num_dead);
    if (!findings->status) findings->status = find_chain(findings);
    if (!findings->status) findings->status = find_lost(findings);
    return findings->status;
}

// --- errors ---

static enum anl_status check_question(const struct findings *findings, struct anl_error *error)
{
    const struct worms_question *question = findings->question;
    const uint64_t cycles = findings->analysed.cycles, worms = findings->totals.worms;
    if (cycles == 0)
        return anl_fail(error, ANL_ERR_ARGUMENT, question->given.inputs[0], 0, "has no cycles");
    if (question->has_at && question->at >= cycles)
        return anl_fail(error, ANL_ERR_ARGUMENT, question->given.inputs[0], 0,
                        "has no cycle %" PRIu64 "; expected 0..%" PRIu64, question->at, cycles - 1);
    if (question->map && !worms_can_map(&findings->analysed.scenario.network))
        return anl_fail(error, ANL_ERR_ARGUMENT, question->given.inputs[0], 0,
                        "is a %s; expected a k-ary n-cube of 1 or 2 dimensions for --map",
                        cli_network_name(&findings->analysed.scenario.network, " = ").text);
    if (question->has_worm && !findings->worm.created && worms == 0)
        return anl_fail(error, ANL_ERR_ARGUMENT, question->given.inputs[0], 0,
                        "has no worm %" PRIu32 ": none was created", question->worm);
    if (question->has_worm && !findings->worm.created)
        return anl_fail(error, ANL_ERR_ARGUMENT, question->given.inputs[0], 0,
                        "has no worm %" PRIu32 " in cycle %" PRIu64 "; expected 0..%" PRIu64,
                        question->worm, findings->last, worms - 1);
    return ANL_OK;
}

static int find(struct findings *findings)
{
    const struct worms_question *question = findings->question;
    const struct analyse_options options = {
        .given = &question->given,
        .first = question->has_at ? question->at : 0,
        .last = question->has_at ? question->at : UINT64_MAX,
        .listener = {.stall = hear_stall, .delivered = hear_delivered, .user = findings},
        .cycle = hear_cycle,
        .user = findings};
    struct anl_error error = {0};
    const int exit_status = analyse(&options, &findings->analysed);
    if (exit_status != CLI_OK) return exit_status;
    enum anl_status status = find_rest(findings);
    if (status)
        cli_fail(status, &error);
    else
        status = check_question(findings, &error);
    return status ? cli_complain(&error) : CLI_OK;
}

int worms_find(const struct worms_question *question, struct findings *findings)
{
    struct anl_error error = {0};
    struct anl_output output = {0};
    const bool to_stdout = question->stalls && strcmp(question->stalls, "-") == 0;
    *findings =
        (struct findings){.question = question,
                          .last_move = UINT64_MAX,
                          .deadlock = {.cycle = UINT64_MAX},
                          .waiters = {.most = question->top, .by_waited = question->by_waited}};
    findings->waiters.list = calloc(question->top, sizeof *findings->waiters.list);
    if (!findings->waiters.list)
        return cli_complain(&(struct anl_error){.text = "no memory for the longest stalls"});
    if (to_stdout)
        findings->stalls = stdout;
    else if (question->stalls && anl_output_open(question->stalls, &output, &error))
        return cli_complain(&error);
    else
        findings->stalls = output.file;

    if (findings->stalls) print_stalls_head(findings->stalls);
    const int exit_status = find(findings);
    findings->stalls = NULL;
    if (exit_status != CLI_OK)
        anl_output_abandon(&output);
    else if (output.file && anl_output_finish(&output, &error))
        return cli_complain(&error);
    return exit_status;
}

void worms_forget(struct findings *findings)
{
    analysed_free(&findings->analysed);
    for (size_t i = 0; i < findings->deadlock.count; i++) {
        free(findings->deadlock.circle[i].holds);
        free(findings->deadlock.circle[i].flits);
        free(findings->deadlock.circle[i].lanes);
    }
    void *const owned[] = {
        findings->deadlock.circle,
        findings->deadlock.dead,
        findings->worm.delays,
        findings->worm.path,
        findings->worm.stalls.list,
        findings->chain.buffers,
        findings->loads,
        findings->waiters.list,
        findings->ended.list,
        findings->lost,
    };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}
