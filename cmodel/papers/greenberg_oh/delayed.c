// SPDX-License-Identifier: Apache-2.0

#include "delayed.h"
#include "worm_set.h"

static enum anl_status schedule_of(const struct anl_scenario *scenario,
                                   struct bounds_schedule *schedule, struct anl_error *error)
{
    struct worm_set set;
    struct paths paths;
    struct paths_measures measures;
    paths_begin(&paths, &scenario->network);
    enum anl_status status = worm_set_begin(&set, &scenario->network);
    if (!status) status = worm_set_draw(scenario, &set, &paths, error);
    if (!status) status = paths_settle(&paths);
    if (!status) status = paths_measure(&paths, &measures);
    if (!status)
        *schedule =
            bounds_theorem_2(set.worms, measures.congestion, measures.dilation, set.longest);
    paths_free(&paths);
    worm_set_free(&set);
    if (!status) return ANL_OK;
    return anl_fail(error, status, "", 0, "%s", anl_status_text(status));
}

enum anl_status delayed_prepare(struct anl_scenario *scenario, struct bounds_schedule *schedule,
                                struct anl_error *error)
{
    enum { TRIES = 64 };
    if (scenario->traffic.process != ANL_BATCH)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "the delayed-greedy algorithm sends a batch, not worms of process %s",
                        anl_process_name(scenario->traffic.process));
    scenario->traffic.delays = 1;
    for (int i = 0; i < TRIES; i++) {
        const enum anl_status status = schedule_of(scenario, schedule, error);
        if (status) return status;
        const uint64_t now = scenario->traffic.delays;
        if (schedule->delays <= now) break;
        if (schedule->delays > 1000000 || schedule->phase_cycles > 1000000)
            return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                            "Theorem 2 wants more than 1000000 phases or cycles a phase");
        scenario->traffic.delays = (uint32_t)schedule->delays;
        scenario->traffic.delay_cycles = (uint32_t)schedule->phase_cycles;
    }
    schedule->delays = scenario->traffic.delays;
    schedule->cycles = schedule->delays * schedule->phase_cycles;
    if (scenario->run.max_cycles < 2 * schedule->cycles)
        scenario->run.max_cycles = 2 * schedule->cycles;
    return ANL_OK;
}
