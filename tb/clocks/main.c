// SPDX-License-Identifier: Apache-2.0
//
// clocks: runs one scenario in lock-step with the golden model, with clocks for its terminals or
// for regions of its switches. Exit status 0: no difference; 1: a difference; 2: the run could not
// be made. With --parts it prints the parts that it needs (tb/lockstep/run/parts.h).

#include "network.h"
#include "run.h"
#include "run/parts.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: clocks [options] SCENARIO\n"
    "  --seed N        instead of the scenario's\n"
    "  --set KEY=VALUE instead of what the scenario says (section.key=value); any number\n"
    "  --regions N     regions of switches, each with a clock of its own; without it 1\n"
    "  --terminals     each terminal has a clock of its own\n"
    "  --sync-stages N of the synchronizers, 2 to 4; without it 2\n"
    "  --parts         print the names of the parts that are needed, and run nothing\n"
    "  --help\n";

struct arguments {
    struct clocks_options options;
    const char *path;
    const char **settings;
    size_t num_settings;
    uint64_t seed;
    bool has_seed, parts, help;
};

// Reads a whole number from least to most; false: the text is none.
static bool read_number(const char *option, const char *text, uint64_t least, uint64_t most,
                        uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && *number >= least && *number <= most) return true;
    fprintf(stderr, "clocks: --%s '%s': expected a number from %" PRIu64 " to %" PRIu64 "\n",
            option, text, least, most);
    return false;
}

static bool parse(int argc, char **argv, struct arguments *arguments)
{
    static const struct option known[] = {{"seed", required_argument, NULL, 's'},
                                          {"set", required_argument, NULL, 'k'},
                                          {"regions", required_argument, NULL, 'r'},
                                          {"terminals", no_argument, NULL, 't'},
                                          {"sync-stages", required_argument, NULL, 'n'},
                                          {"parts", no_argument, NULL, 'p'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    uint64_t number = 0;
    bool good = true;
    for (int found; (found = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        if (found == 's') {
            good &= read_number("seed", optarg, 0, UINT64_MAX, &arguments->seed);
            arguments->has_seed = true;
        } else if (found == 'k') {
            arguments->settings[arguments->num_settings++] = optarg;
        } else if (found == 'r') {
            good &= read_number("regions", optarg, 1, UINT32_MAX, &number);
            arguments->options.regions = (uint32_t)number;
        } else if (found == 'n') {
            good &= read_number("sync-stages", optarg, 2, 4, &number);
            arguments->options.sync_stages = (uint32_t)number;
        } else if (found == 't') {
            arguments->options.alone = true;
        } else if (found == 'p') {
            arguments->parts = true;
        } else if (found == 'h') {
            arguments->help = true;
        } else {
            good = false;
        }
    }
    if (optind + 1 == argc) arguments->path = argv[optind];
    return good && (arguments->help || arguments->path);
}

static void print_parts(const struct arguments *arguments, const struct anl_config *config)
{
    char name[PART_BYTES];
    for (uint32_t part = 0; part < parts_count(config); part++) {
        parts_name_switch(config, part, name);
        puts(name);
    }
    parts_name_terminal(config, name);
    puts(name);
    clocked_name(config, arguments->options.sync_stages, name, sizeof name);
    puts(name);
}

static int print(const struct clocks_result *result)
{
    if (!result->pass)
        printf("FIRST DIFFERENCE in cycle %" PRIu64 " of its clock, edge %" PRIu64
               " of all, at %s: %s\n  expected  %s\n  seen      %s\n",
               result->cycle, result->edge, result->where, result->what, result->expected,
               result->seen);
    printf("%s: %u clocks, %u crossings, %" PRIu64 " edges, %" PRIu64 " flits, %" PRIu64
           " out of crossings, %" PRIu64 " of them an edge late, %" PRIu64 " worms\n",
           result->pass ? "PASS" : "FAIL", result->domains, result->crossings, result->edges,
           result->flits, result->crossed, result->settled_late, result->worms);
    return !result->pass;
}

static int complain(const struct anl_error *error, enum anl_status status)
{
    const char *text = error->text[0] ? error->text : anl_status_text(status);
    if (error->line)
        fprintf(stderr, "%s:%" PRIu64 ": %s\n", error->file, error->line, text);
    else
        fprintf(stderr, "clocks: %s%s%s\n", error->file, error->file[0] ? ": " : "", text);
    return 2;
}

static int run(const struct arguments *arguments, struct anl_scenario *scenario)
{
    struct clocks_result result;
    struct anl_error error = {0};
    if (arguments->has_seed) scenario->run.seed = arguments->seed;
    const char *why = clocks_refuse(scenario, &arguments->options);
    if (why) {
        fprintf(stderr, "clocks: %s: %s\n", arguments->path, why);
        return 2;
    }
    if (arguments->parts) {
        print_parts(arguments, &scenario->network);
        return 0;
    }
    const enum anl_status status = clocks_run(scenario, &arguments->options, &result, &error);
    return status ? complain(&error, status) : print(&result);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.options = {.regions = 1, .sync_stages = 2},
                                  .settings = calloc((size_t)argc, sizeof(char *))};
    struct anl_scenario scenario = {0};
    struct anl_error error = {0};
    int status = 2;
    if (!arguments.settings) return complain(&error, ANL_ERR_MEMORY);
    if (!parse(argc, argv, &arguments)) {
        fputs(usage, stderr);
    } else if (arguments.help) {
        status = fputs(usage, stdout) < 0;
    } else {
        const enum anl_status loaded = anl_scenario_load_with(
            arguments.path, arguments.settings, arguments.num_settings, &scenario, &error);
        status = loaded ? complain(&error, loaded) : run(&arguments, &scenario);
        if (!loaded) anl_scenario_free(&scenario);
    }
    free(arguments.settings);
    return status;
}
