// SPDX-License-Identifier: Apache-2.0
//
// The time of a prediction (docs/predict.md): of its rates with the predicted saturation, which are
// made once for a scenario, and of a load. Prints a line for each network.

#include "meter.h"

#include <annelid/predict.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, LOADS = 20 };

static const char *const networks[][2] = {
    {"8 x 8 mesh, 2 lanes", "network: {topology: mesh, k: 8, n: 2}\nswitch: {num_vcs: 2}\n"},
    {"6-cube", "network: {topology: hypercube, n: 6}\nswitch: {depth: 2}\n"},
    {"32 x 32 mesh, 2 lanes", "network: {topology: mesh, k: 32, n: 2}\nswitch: {num_vcs: 2}\n"},
    {"fat-tree of 1024", "network: {topology: fat_tree, n: 5}\n"},
    {"10-cube", "network: {topology: hypercube, n: 10}\nswitch: {depth: 2}\n"},
    {"16-ary 4-cube, class form",
     "network: {topology: unidirectional_torus, k: 16, n: 4}\nswitch: {num_vcs: 2, depth: 2}\n"},
    {"256-ary 2-cube, class form",
     "network: {topology: unidirectional_torus, k: 256, n: 2}\nswitch: {num_vcs: 2, depth: 2}\n"},
};
enum { NETWORKS = sizeof networks / sizeof *networks };

// Measures once; returns false if there was an error.
static bool measure(const struct anl_scenario *scenario, double *prepared, double *solved)
{
    struct anl_predictor predictor;
    struct anl_prediction prediction;
    const double begin = meter_cpu_seconds();
    if (anl_predictor_create(scenario, &predictor, NULL)) return false;
    const double middle = meter_cpu_seconds();
    bool good = true;
    for (int i = 0; i < LOADS && good; i++)
        good = !anl_predictor_at(&predictor, predictor.saturation * i / LOADS, &prediction);
    *prepared = middle - begin;
    *solved = (meter_cpu_seconds() - middle) / LOADS;
    anl_predictor_free(&predictor);
    return good;
}

static bool report(const char *name, const char *text)
{
    struct anl_scenario scenario;
    struct anl_error error;
    double prepared[ROUNDS], solved[ROUNDS];
    if (anl_scenario_parse(text, strlen(text), name, NULL, &scenario, &error)) return false;
    bool good = true;
    for (int i = 0; i < ROUNDS && good; i++)
        good = measure(&scenario, &prepared[i], &solved[i]);
    anl_scenario_free(&scenario);
    if (!good) return false;
    printf("%-28s rates and saturation %9.3f ms, a load %8.3f ms\n", name,
           1e3 * meter_spread(prepared, ROUNDS).median, 1e3 * meter_spread(solved, ROUNDS).median);
    return true;
}

int main(void)
{
    for (int i = 0; i < NETWORKS; i++)
        if (!report(networks[i][0], networks[i][1])) return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
