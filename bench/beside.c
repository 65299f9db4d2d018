// SPDX-License-Identifier: Apache-2.0

#include "beside.h"

#include "meter.h"

#include <annelid/annelid.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 7 };
#define LEAST_SECONDS 0.5  // of a measurement

_Noreturn void beside_die(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(2);
}

static double moves_per_second(uint64_t (*play)(void *user), void *user)
{
    uint64_t moves = 0;
    double seconds;
    const double begin = meter_cpu_seconds();
    do {
        moves += play(user);
        seconds = meter_cpu_seconds() - begin;
    } while (seconds < LEAST_SECONDS);
    return (double)moves / seconds;
}

static double hops_per_second(const struct anl_scenario *scenario)
{
    const struct anl_run_options options = {0};
    struct anl_run_result result;
    const double begin = meter_cpu_seconds();
    if (anl_run(scenario, &options, &result, NULL)) beside_die("no run");
    return (double)result.totals.flit_hops / (meter_cpu_seconds() - begin);
}

int beside_the_buffered_engine(const char *path, const char *name, double least,
                               uint64_t (*play)(void *user), void *user)
{
    struct anl_scenario scenario;
    struct anl_error error;
    double moves[ROUNDS], hops[ROUNDS];
    if (anl_scenario_load(path, &scenario, &error)) beside_die(error.text);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        moves[i] = moves_per_second(play, user);
        hops[i] = hops_per_second(&scenario);
    }
    const double fast = meter_spread(moves, ROUNDS).median;
    const double buffered = meter_spread(hops, ROUNDS).median;
    printf("%s: %.1f million flit-moves per CPU second\n", name, fast / 1e6);
    printf("buffered, %s: %.1f million flit-hops; ratio %.2f\n", path, buffered / 1e6,
           fast / buffered);
    anl_scenario_free(&scenario);
    return fast < least * buffered;
}
