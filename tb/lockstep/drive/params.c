// SPDX-License-Identifier: Apache-2.0
//
// Prints what the regression needs to know of scenarios: a line "key switches seed" for each "FILE
// [--set KEY=VALUE]…". With --rules in front the flit width is the one that rules mode needs.

#include "compare/identify.h"
#include "key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads the settings that follow a file; returns the number of words read.
static int read_settings(int count, char **words, const char **settings, size_t *num_settings)
{
    int used = 0;
    for (*num_settings = 0; used + 1 < count && strcmp(words[used], "--set") == 0; used += 2)
        settings[(*num_settings)++] = words[used + 1];
    return used;
}

static void complain(const struct anl_error *error)
{
    if (error->line)
        fprintf(stderr, "%s:%" PRIu64 ": %s\n", error->file, error->line, error->text);
    else
        fprintf(stderr, "%s: %s\n", error->file, error->text);
}

static bool print_one(const char *path, const char *const *settings, size_t num_settings,
                      bool rules)
{
    struct anl_scenario scenario;
    struct anl_error error;
    char key[KEY_BYTES];
    if (anl_scenario_load_with(path, settings, num_settings, &scenario, &error) != ANL_OK) {
        complain(&error);
        return false;
    }
    if (rules) scenario.network.flit_width_bits = identify_width(&scenario.network);
    key_of(&scenario.network, key);
    printf("%s %u %" PRIu64 "\n", key, anl_shape_of(&scenario.network).switches, scenario.run.seed);
    anl_scenario_free(&scenario);
    return true;
}

int main(int argc, char **argv)
{
    const bool rules = argc > 1 && strcmp(argv[1], "--rules") == 0;
    const char **settings = calloc((size_t)argc, sizeof *settings);
    bool good = settings != NULL;
    for (int i = rules ? 2 : 1; i < argc && good;) {
        const char *path = argv[i++];
        size_t num_settings;
        i += read_settings(argc - i, argv + i, settings, &num_settings);
        good = print_one(path, settings, num_settings, rules);
    }
    free(settings);
    return good ? 0 : 2;
}
