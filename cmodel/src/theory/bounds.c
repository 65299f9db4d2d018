// SPDX-License-Identifier: Apache-2.0

#include <annelid/theory.h>
#include <annelid/workload.h>
#include <math.h>

static uint64_t greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

uint64_t anl_bounds_lower(uint64_t congestion, uint64_t dilation, uint64_t length)
{
    return greater(congestion * length, dilation + length - 1);
}

struct anl_bounds_schedule anl_bounds_theorem_2(uint64_t worms, uint64_t congestion,
                                                uint64_t dilation, uint64_t length)
{
    enum { K = 10 };
    const double ratio = (double)dilation / (double)length;
    struct anl_bounds_schedule schedule = {
        .eta = dilation < length ? dilation : length,
        .t1 = fmax(fmax(ratio, log((double)worms)), 1),
    };
    schedule.delays = 5 * congestion * schedule.eta;
    schedule.phase_cycles = (uint64_t)ceil(K * schedule.t1 * (double)length);
    schedule.cycles = schedule.delays * schedule.phase_cycles;
    return schedule;
}

// --- the delayed-greedy algorithm ---

static enum anl_status schedule_of(const struct anl_scenario *scenario,
                                   struct anl_bounds_schedule *schedule, struct anl_error *error)
{
    struct anl_trial trial;
    struct anl_paths paths;
    struct anl_paths_measures measures;
    anl_paths_begin(&paths, &scenario->network);
    enum anl_status status = anl_trial_draw(scenario, &paths, &trial, error);
    if (!status) status = anl_paths_settle(&paths);
    if (!status) status = anl_paths_measure(&paths, &measures);
    if (!status)
        *schedule = anl_bounds_theorem_2(trial.worms, measures.congestion, measures.dilation,
                                         trial.longest);
    anl_paths_free(&paths);
    if (!status) return ANL_OK;
    return anl_fail(error, status, "", 0, "%s", anl_status_text(status));
}

enum anl_status anl_bounds_delay(struct anl_scenario *scenario,
                                 struct anl_bounds_schedule *schedule, struct anl_error *error)
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
