// SPDX-License-Identifier: Apache-2.0
//
// Schedules of random, fixed and all permutations of a mesh in all orders.

#include "roberts_symvonis.h"

#include <annelid/schedule.h>
#include <stdlib.h>
#include <string.h>

// The machine runs the schedules of one permutation in so many: it takes longer than to make them.
enum { ONE_CHECKED_OF = 16 };

// A study while it is measured.
struct work {
    const struct study *study;
    struct result *result;
    uint32_t *order, *starts;       // [n * n]
    double *makespans[ANL_ORDERS];  // [permutations] of random permutations; NULL: of all
    double sums[ANL_ORDERS];        // of all permutations
    double over;                    // sum of shortest makespan / lower bound
    uint64_t seen;                  // permutations
    struct anl_error *error;
};

static enum anl_status check(struct work *work, const struct anl_permutation *permutation)
{
    struct anl_schedule_fault fault;
    const enum anl_status status =
        anl_schedule_check(permutation, work->study->k, work->starts, NULL, &fault);
    work->result->checked++;
    work->result->broken += fault.rule != ANL_SCHEDULE_KEPT;
    return status;
}

// Notes how many worms move in one step: from their start until the last flit crosses its last
// link.
static enum anl_status count_moving(struct work *work, const struct anl_permutation *permutation,
                                    uint32_t makespan)
{
    const uint32_t n = permutation->n, k = work->study->k;
    int32_t *changes = calloc(makespan + 2, sizeof *changes), moving = 0;
    if (!changes) return ANL_ERR_MEMORY;
    for (uint32_t worm = 0; worm < n * n; worm++) {
        const uint32_t to = permutation->destinations[worm], start = work->starts[worm];
        if (to == worm) continue;
        const uint32_t h = to % n > worm % n ? to % n - worm % n : worm % n - to % n;
        const uint32_t v = to / n > worm / n ? to / n - worm / n : worm / n - to / n;
        changes[start]++;
        changes[start + h + v + k - 1]--;
    }
    for (uint32_t step = 1; step <= makespan; step++) {
        moving += changes[step];
        const double part = (double)moving * k / (n * n);
        if (part > work->result->moving) work->result->moving = part;
    }
    free(changes);
    return ANL_OK;
}

static void note(struct outcome *outcome, const struct anl_schedule *schedule)
{
    if (schedule->makespan > outcome->makespan) outcome->makespan = schedule->makespan;
    if (schedule->largest > outcome->start) outcome->start = schedule->largest;
}

// Schedules a permutation in all orders; makespans[ANL_ORDERS] receives what comes out. The seed is
// that of the random order.
static enum anl_status schedule(struct work *work, const struct anl_permutation *permutation,
                                uint64_t seed, bool checked, uint32_t *makespans)
{
    struct anl_scheduler *scheduler;
    enum anl_status status = anl_scheduler_create(permutation, work->study->k, &scheduler);
    for (int i = 0; !status && i < (int)ANL_ORDERS; i++) {
        status = anl_order_make(permutation, (enum anl_order)i, seed, work->order);
        if (status) break;
        const struct anl_schedule made = anl_scheduler_run(
            scheduler, work->order, anl_permutation_worms(permutation), work->starts);
        makespans[i] = made.makespan;
        note(&work->result->orders[i], &made);
        if (checked) status = check(work, permutation);
        if (checked && !status) status = count_moving(work, permutation, made.makespan);
    }
    anl_scheduler_destroy(scheduler);
    return status;
}

static uint32_t least_of(const uint32_t *makespans)
{
    uint32_t least = makespans[0];
    for (int i = 1; i < (int)ANL_ORDERS; i++)
        if (makespans[i] < least) least = makespans[i];
    return least;
}

// Notes a permutation of those over which means are taken.
static enum anl_status take(struct work *work, const struct anl_permutation *permutation)
{
    uint32_t makespans[ANL_ORDERS];
    struct anl_schedule_lower lower;
    const bool checked = work->seen % ONE_CHECKED_OF == 0;
    enum anl_status status = schedule(work, permutation, work->seen + 1, checked, makespans);
    if (!status) status = anl_schedule_lower(permutation, work->study->k, &lower);
    if (status) return status;
    const uint32_t least = least_of(makespans);
    work->over += lower.one_bend ? (double)least / lower.one_bend : 1;
    work->result->below += least < lower.one_bend;
    for (int i = 0; i < (int)ANL_ORDERS; i++) {
        work->sums[i] += makespans[i];
        if (work->makespans[i]) work->makespans[i][work->seen] = makespans[i];
    }
    work->seen++;
    return ANL_OK;
}

// --- permutations ---

static enum anl_status take_random(struct work *work, uint32_t count)
{
    enum anl_status status = ANL_OK;
    for (uint32_t seed = 1; !status && seed <= count; seed++) {
        struct anl_permutation permutation;
        if (cli_interrupted()) return anl_fail(work->error, ANL_ERR_IO, "", 0, "interrupted");
        status = anl_permutation_make("random", work->study->n, seed, &permutation, work->error);
        if (!status) status = cli_fail(take(work, &permutation), work->error);
        anl_permutation_free(&permutation);
    }
    return status;
}

// The permutations that have a name count for what is largest.
static enum anl_status take_fixed(struct work *work)
{
    static const char *const names[] = {"transpose", "reversal", "shift", "rotate", "bitrev"};
    const uint32_t n = work->study->n;
    enum anl_status status = ANL_OK;
    for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++) {
        struct anl_permutation permutation;
        uint32_t makespans[ANL_ORDERS];
        if (strcmp(names[i], "bitrev") == 0 && (n & (n - 1))) continue;
        status = anl_permutation_make(names[i], n, 1, &permutation, work->error);
        if (!status)
            status = cli_fail(schedule(work, &permutation, 1, true, makespans), work->error);
        anl_permutation_free(&permutation);
    }
    return status;
}

static void exchange(uint32_t *a, uint32_t *b)
{
    const uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

// Takes all permutations of the destinations from place on.
static enum anl_status take_from(struct work *work, struct anl_permutation *permutation,
                                 uint32_t place)
{
    const uint32_t nodes = permutation->n * permutation->n;
    uint32_t *to = permutation->destinations;
    enum anl_status status = ANL_OK;
    if (place == nodes) return cli_fail(take(work, permutation), work->error);
    if (cli_interrupted()) return anl_fail(work->error, ANL_ERR_IO, "", 0, "interrupted");
    for (uint32_t i = place; !status && i < nodes; i++) {
        exchange(&to[place], &to[i]);
        status = take_from(work, permutation, place + 1);
        exchange(&to[place], &to[i]);
    }
    return status;
}

static enum anl_status take_all(struct work *work)
{
    struct anl_permutation permutation;
    enum anl_status status = anl_permutation_begin(work->study->n, &permutation, work->error);
    for (uint32_t node = 0; !status && node < permutation.n * permutation.n; node++)
        permutation.destinations[node] = node;
    if (!status) status = take_from(work, &permutation, 0);
    anl_permutation_free(&permutation);
    return status;
}

// --- a study ---

static enum anl_status begin(struct work *work, uint32_t count)
{
    const size_t nodes = (size_t)work->study->n * work->study->n;
    work->order = calloc(nodes, sizeof *work->order);
    work->starts = calloc(nodes, sizeof *work->starts);
    bool enough = work->order && work->starts;
    for (int i = 0; i < (int)ANL_ORDERS && count; i++) {
        work->makespans[i] = calloc(count, sizeof *work->makespans[i]);
        enough &= work->makespans[i] != NULL;
    }
    return enough ? ANL_OK : cli_fail(ANL_ERR_MEMORY, work->error);
}

static void finish(const struct work *work)
{
    work->result->over = work->over / (double)work->seen;
    for (int i = 0; i < (int)ANL_ORDERS; i++)
        work->result->orders[i].sample =
            work->makespans[i]
                ? sample_of(work->makespans[i], work->seen)
                : (struct sample){.count = work->seen, .mean = work->sums[i] / (double)work->seen};
    work->result->done = true;
}

enum anl_status measure_study(const struct study *study, bool only_short, struct result *result,
                              struct anl_error *error)
{
    struct work work = {.study = study, .result = result, .error = error};
    const bool all = study->permutations == 0;
    const uint32_t count = only_short && !all ? study->brief : study->permutations;
    enum anl_status status = begin(&work, count);
    if (!status) status = all ? take_all(&work) : take_random(&work, count);
    if (!status && !all) status = take_fixed(&work);
    if (!status) finish(&work);
    free(work.order);
    free(work.starts);
    for (int i = 0; i < (int)ANL_ORDERS; i++)
        free(work.makespans[i]);
    return status;
}
