// SPDX-License-Identifier: Apache-2.0
//
// Feeds the blocking analysis with what the RTL does: its worms and the flits that crossed a link.
// The analysis finds deadlocks and, for reports, says who waits for whom.

#include "lockstep_internal.h"

// Notes as a difference that the blocking analysis refuses what the referee allowed: one of them is
// wrong. After another difference the analysis may refuse to end, because it was fed the worms of a
// cycle but not its flits; that is no difference of its own.
static void note_refusal(struct lockstep *run, const struct anl_error *error)
{
    run->fed = false;
    note_in_words(run, &(struct words){run->cycle, "the network", "blocking",
                                       "flits that are possible here", error->text});
}

void feed_worm(struct lockstep *run, const struct anl_worm *worm)
{
    struct anl_error error = {.text = "out of memory"};
    if (!run->fed) return;
    if (anl_blocking_feed_worm(run->blocking, worm, &error) != ANL_OK) note_refusal(run, &error);
}

void feed_flits(struct lockstep *run, const struct anl_flit *flits, size_t count)
{
    struct anl_error error = {.text = "out of memory"};
    if (!run->fed) return;
    double start = lockstep_now();
    if (anl_blocking_feed_flits(run->blocking, run->cycle, flits, count, &error) != ANL_OK)
        note_refusal(run, &error);
    else
        run->cycles_fed = run->cycle + 1;
    run->result->blocking_seconds += lockstep_now() - start;
}

void feed_expected(struct lockstep *run)
{
    if (!run->engine || run->cycles_fed > run->cycle || behind_fault(run)) return;
    if (anl_engine_cycle(run->engine) == run->cycle) anl_engine_step(run->engine);
    size_t count = 0;
    const struct anl_flit *flits = anl_engine_flits(run->engine, &count);
    feed_flits(run, flits, count);
}

void feed_end(struct lockstep *run)
{
    struct anl_error error = {.text = "out of memory"};
    const uint64_t end = behind_fault(run) ? run->fault_cycle + 1 : run->cycle;
    uint64_t cycles = run->cycles_fed > end ? run->cycles_fed : end;
    if (!run->fed) return;
    if (anl_blocking_end(run->blocking, cycles, &error) != ANL_OK) note_refusal(run, &error);
}
