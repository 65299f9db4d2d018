// SPDX-License-Identifier: Apache-2.0
//
// Finds out what `annelid worms` was asked: goes through the run once and keeps what will be fed.

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

// Nothing, if there is no such worm.
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

static void print_ended_stalls(struct tale *tale, const struct anl_blocking *blocking)
{
    if (tale->num_ended > 1) qsort(tale->ended, tale->num_ended, sizeof *tale->ended, by_worm);
    for (size_t i = 0; i < tale->num_ended; i++)
        print_stall_row(tale->stalls, blocking, &tale->ended[i]);
    tale->num_ended = 0;
}

static enum anl_status keep_ended_stall(struct tale *tale, const struct anl_stall *stall)
{
    struct anl_stall *ended =
        gather_room(tale->ended, tale->num_ended, &tale->size_ended, sizeof *ended);
    if (!ended) return ANL_ERR_MEMORY;
    tale->ended = ended;
    ended[tale->num_ended++] = *stall;
    return ANL_OK;
}

// --- what is heard while it runs ---

static bool is_asked_for(const struct tale *tale, uint32_t worm)
{
    return tale->question->has_worm && tale->question->worm == worm;
}

static void hear_stall(void *user, const struct anl_stall *stall)
{
    struct tale *tale = user;
    if (!tale->status && is_asked_for(tale, stall->worm))
        tale->status = biography_stall(&tale->worm, stall);
    if (!tale->status && tale->stalls) tale->status = keep_ended_stall(tale, stall);
}

static void hear_delivered(void *user, const struct anl_life *life)
{
    struct tale *tale = user;
    if (!tale->question->has_at) add_waiter(&tale->waiters, life, &life->longest);
    if (!is_asked_for(tale, life->worm.id)) return;
    tale->worm.gone = true;
    if (!tale->status) tale->status = biography_life(&tale->worm, life);
}

static bool hear_cycle(void *user, const struct anl_blocking *blocking,
                       const struct anl_flit *flits, size_t count)
{
    struct tale *tale = user;
    if (count) tale->last_move = anl_blocking_cycle(blocking);
    if (!tale->status && tale->question->has_worm)
        tale->status = biography_flits(&tale->worm, tale->question->worm,
                                       anl_blocking_cycle(blocking), flits, count);
    if (!tale->status && tale->deadlock.cycle == UINT64_MAX &&
        anl_blocking_deadlocked(blocking) != UINT64_MAX)
        tale->status = deadlock_note(&tale->deadlock, blocking);
    print_ended_stalls(tale, blocking);
    return !tale->status;
}

// --- what is found in the last cycle ---

// The worms still there, and their stalls, of which no end was heard unless the run ended.
static void meet_worm(void *user, uint32_t worm)
{
    struct tale *tale = user;
    struct anl_life life;
    if (!anl_blocking_life(tale->analysed.blocking, worm, &life)) return;
    const bool lasts = life.stall.worm != ANL_NOTHING;
    const bool waits = life.wait != ANL_MOVING && life.wait != ANL_QUEUED;
    tale->waiting += waits;
    tale->moving += life.wait == ANL_MOVING;
    tale->queued += life.wait == ANL_QUEUED;
    if (tale->question->has_at) {
        if (waits) add_waiter(&tale->waiters, &life, &life.stall);
    } else if (life.delivered == UINT64_MAX) {
        const bool now = lasts && (life.longest.worm == ANL_NOTHING ||
                                   stall_cycles(&life.stall) > stall_cycles(&life.longest));
        add_waiter(&tale->waiters, &life, now ? &life.stall : &life.longest);
    }
    if (lasts && !tale->analysed.ended) hear_stall(tale, &life.stall);
    if (is_asked_for(tale, worm) && !tale->worm.gone && !tale->status)
        tale->status = biography_life(&tale->worm, &life);
}

static enum anl_status find_chain(struct tale *tale)
{
    struct anl_life life;
    tale->chain_worm = ANL_NOTHING;
    if (!tale->question->has_at) return ANL_OK;
    if (tale->question->has_worm)
        tale->chain_worm = tale->question->worm;
    else if (tale->waiters.count)
        tale->chain_worm = tale->waiters.list[0].worm.id;
    if (!anl_blocking_life(tale->analysed.blocking, tale->chain_worm, &life)) return ANL_OK;
    return chain_follow(&tale->chain, tale->analysed.blocking, life.buffer);
}

static enum anl_status find_rest(struct tale *tale)
{
    const struct anl_blocking *blocking = tale->analysed.blocking;
    tale->totals = anl_blocking_totals(blocking);
    tale->last = tale->analysed.cycles - 1;
    anl_blocking_worms(blocking, meet_worm, tale);
    print_ended_stalls(tale, blocking);
    if (!tale->status && tale->deadlock.cycle != UINT64_MAX)
        tale->status = anl_blocking_dead(blocking, &tale->deadlock.dead, &tale->deadlock.num_dead);
    if (!tale->status) tale->status = find_chain(tale);
    if (tale->waiters.count > tale->question->top) tale->waiters.count = tale->question->top;
    return tale->status;
}

// --- errors ---

static enum anl_status check_question(const struct tale *tale, struct anl_error *error)
{
    const struct worms_question *question = tale->question;
    const uint64_t cycles = tale->analysed.cycles, worms = tale->totals.worms;
    if (cycles == 0) return anl_fail(error, ANL_ERR_ARGUMENT, question->path, 0, "has no cycles");
    if (question->has_at && question->at >= cycles)
        return anl_fail(error, ANL_ERR_ARGUMENT, question->path, 0,
                        "has no cycle %" PRIu64 "; expected 0..%" PRIu64, question->at, cycles - 1);
    if (question->map && !worms_can_map(&tale->analysed.scenario.network))
        return anl_fail(error, ANL_ERR_ARGUMENT, question->path, 0,
                        "is a %s, n = %" PRIu32 "; expected a cube of 1 or 2 dimensions for --map",
                        anl_topology_name(tale->analysed.scenario.network.topology),
                        tale->analysed.scenario.network.n);
    if (question->has_worm && !tale->worm.born && worms == 0)
        return anl_fail(error, ANL_ERR_ARGUMENT, question->path, 0,
                        "has no worm %" PRIu32 ": none was created", question->worm);
    if (question->has_worm && !tale->worm.born)
        return anl_fail(error, ANL_ERR_ARGUMENT, question->path, 0,
                        "has no worm %" PRIu32 " in cycle %" PRIu64 "; expected 0..%" PRIu64,
                        question->worm, tale->last, worms - 1);
    return ANL_OK;
}

static int find(struct tale *tale)
{
    const struct worms_question *question = tale->question;
    const struct analyse_options options = {
        .path = question->path,
        .settings = question->settings.list,
        .num_settings = question->settings.count,
        .last = question->has_at ? question->at : UINT64_MAX,
        .listener = {.stall = hear_stall, .delivered = hear_delivered, .user = tale},
        .cycle = hear_cycle,
        .user = tale};
    struct anl_error error = {0};
    const int exit_status = analyse(&options, &tale->analysed);
    if (exit_status != CLI_OK) return exit_status;
    enum anl_status status = find_rest(tale);
    if (status)
        cli_fail(status, &error);
    else
        status = check_question(tale, &error);
    return status ? cli_complain(&error) : CLI_OK;
}

int worms_find(const struct worms_question *question, struct tale *tale)
{
    struct anl_error error = {0};
    struct anl_output output = {0};
    const bool to_stdout = question->stalls && strcmp(question->stalls, "-") == 0;
    const size_t most = question->top ? question->top : 1;  // with --at, the first has the chain
    *tale = (struct tale){.question = question,
                          .last_move = UINT64_MAX,
                          .deadlock = {.cycle = UINT64_MAX},
                          .waiters = {.most = most, .by_waited = question->by_waited}};
    tale->waiters.list = calloc(most, sizeof *tale->waiters.list);
    if (!tale->waiters.list)
        return cli_complain(&(struct anl_error){.text = "no memory for the longest stalls"});
    if (to_stdout)
        tale->stalls = stdout;
    else if (question->stalls && anl_output_open(question->stalls, question->path, &output, &error))
        return cli_complain(&error);
    else
        tale->stalls = output.file;

    if (tale->stalls) print_stalls_head(tale->stalls);
    const int exit_status = find(tale);
    tale->stalls = NULL;
    if (exit_status != CLI_OK)
        anl_output_abandon(&output);
    else if (output.file && anl_output_finish(&output, &error))
        return cli_complain(&error);
    return exit_status;
}

void worms_forget(struct tale *tale)
{
    analysed_free(&tale->analysed);
    biography_free(&tale->worm);
    deadlock_free(&tale->deadlock);
    free(tale->chain.buffers);
    free(tale->waiters.list);
    free(tale->ended);
    *tale = (struct tale){0};
}
