// SPDX-License-Identifier: Apache-2.0
//
// Traffic of the caller's own is a process of the workload, which stands in the place of that of
// the scenario (docs/own_traffic.md).

#include "run.h"

const char *run_own_refused(const struct anl_scenario *scenario,
                            const struct anl_run_options *options)
{
    const struct anl_own_traffic *own = options->traffic;
    if (!own) return NULL;
    if (!own->create) return "own traffic: create: found NULL, expected a function";
    if (own->open_loop && !anl_process_is_open_loop(scenario->traffic.process))
        return "own traffic: open_loop: found true, expected false, or a scenario whose process is "
               "bernoulli or bursty, so that it says run.cycles";
    if (options->checkpoint && !own->pack)
        return "own traffic: pack: found NULL, expected a function, since a checkpoint keeps its "
               "state";
    return NULL;
}

struct anl_scenario run_scenario_of(const struct anl_scenario *scenario,
                                    const struct anl_run_options *options)
{
    const struct anl_own_traffic *own = options->traffic;
    struct anl_scenario made = *scenario;
    if (!own) return made;
    const uint32_t most = anl_longest_worm(&scenario->network);
    const uint16_t longest = own->longest && own->longest < most ? own->longest : (uint16_t)most;
    made.traffic = (struct anl_traffic_config){
        .process = own->open_loop ? ANL_OWN_OPEN : ANL_OWN, .lengths = {longest}, .num_lengths = 1};
    made.messages = NULL;
    made.num_messages = 0;
    return made;
}

struct anl_workload run_workload_of(const struct anl_scenario *scenario,
                                    const struct anl_run_options *options)
{
    struct anl_workload workload = anl_scenario_workload(scenario);
    workload.own = options->traffic;
    if (options->team) workload.no_routes = "the run is that of a team";
    if (options->checkpoint) workload.no_routes = "the run has a checkpoint";
    return workload;
}
