// SPDX-License-Identifier: Apache-2.0
//
// points: runs a scenario on the golden model and prints the functional points that it reaches, a
// line "name times first-cycle" for each. With --list it prints all points, a line
// "name<tab>meaning" for each.

#include "points.h"

#include <annelid/run.h>

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: points [--seed N] [--set KEY=VALUE]... [--effort N] SCENARIO | points --list\n"
    "  --effort N   look at so many lanes in all, then end the run (default: all of it)\n";

struct request {
    const char **settings;
    size_t num_settings;
    uint64_t seed, effort;
    bool has_seed, list;
};

struct looking {
    struct monitor *monitor;
    const struct anl_blocking *blocking;
    uint64_t left;  // lanes that the run may still look at
};

static bool look(void *user, const struct anl_engine *net)
{
    struct looking *looking = user;
    size_t count = 0;
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    monitor_cycle(looking->monitor, net, looking->blocking, flits, count);
    if (looking->left < looking->monitor->lanes) return false;
    looking->left -= looking->monitor->lanes;
    return true;
}

static enum anl_status run(const struct anl_scenario *scenario, uint64_t effort,
                           struct monitor *monitor, struct anl_error *error)
{
    struct anl_blocking *blocking = NULL;
    struct anl_run_result result;
    enum anl_status status = anl_blocking_create(&scenario->network, NULL, &blocking);
    struct looking looking = {monitor, blocking, effort};
    const struct anl_run_options options = {.record = true,
                                            .blocking = blocking,
                                            .progress_cycles = 1,
                                            .progress = look,
                                            .user = &looking};
    if (status == ANL_OK) status = anl_run(scenario, &options, &result, error);
    anl_blocking_destroy(blocking);
    return status;
}

static void print_tallies(const struct monitor *monitor)
{
    char name[64];
    for (uint32_t i = 0; i < POINTS; i++)
        if (monitor->tallies[i].count && point_name(i, name, sizeof name))
            printf("%s %" PRIu64 " %" PRIu64 "\n", name, monitor->tallies[i].count,
                   monitor->tallies[i].first);
}

static int fail(const struct anl_error *error, enum anl_status status)
{
    fprintf(stderr, "points: %s:%" PRIu64 ": %s\n", error->file, error->line,
            error->text[0] ? error->text : anl_status_text(status));
    return 2;
}

// Returns whether a network can reach points: they are those of lanes that share their links.
static bool has_points(const struct anl_config *network)
{
    return anl_has(network, ANL_TRAIT_WAITS) && network->link == ANL_SHARED &&
           anl_hop_cycles(network) == 1;
}

static int monitor_scenario(const struct request *request, const char *path)
{
    struct anl_scenario scenario;
    struct anl_error error = {0};
    struct monitor monitor;
    enum anl_status status =
        anl_scenario_load_with(path, request->settings, request->num_settings, &scenario, &error);
    if (status != ANL_OK) return fail(&error, status);
    if (request->has_seed) scenario.run.seed = request->seed;
    if (!has_points(&scenario.network)) {
        anl_scenario_free(&scenario);
        return 0;
    }
    status = ANL_ERR_MEMORY;
    if (monitor_create(&scenario.network, &monitor))
        status = run(&scenario, request->effort, &monitor, &error);
    if (status == ANL_OK) {
        monitor_end(&monitor);
        print_tallies(&monitor);
    }
    monitor_free(&monitor);
    anl_scenario_free(&scenario);
    return status == ANL_OK ? 0 : fail(&error, status);
}

static int print_list(void)
{
    char name[64];
    for (uint32_t i = 0; i < POINTS; i++)
        if (point_name(i, name, sizeof name)) printf("%s\t%s\n", name, point_meaning(i));
    return 0;
}

static bool number(const char *text, uint64_t *value)
{
    char *end = NULL;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0';
}

static bool parse(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {{"seed", required_argument, NULL, 's'},
                                            {"set", required_argument, NULL, 'k'},
                                            {"effort", required_argument, NULL, 'e'},
                                            {"list", no_argument, NULL, 'l'},
                                            {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'k')
            request->settings[request->num_settings++] = optarg;
        else if (option == 's')
            request->has_seed = true;
        else if (option == 'l')
            request->list = true;
        else if (option != 'e')
            return false;
        if (option == 's' && !number(optarg, &request->seed)) return false;
        if (option == 'e' && !number(optarg, &request->effort)) return false;
    }
    return optind + !request->list == argc;
}

int main(int argc, char **argv)
{
    struct request request = {.settings = calloc((size_t)argc, sizeof(char *)),
                              .effort = UINT64_MAX};
    int status = 2;
    if (!request.settings || !parse(argc, argv, &request))
        fputs(usage, stderr);
    else if (request.list)
        status = print_list();
    else
        status = monitor_scenario(&request, argv[optind]);
    free(request.settings);
    return status;
}
