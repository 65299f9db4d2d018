// SPDX-License-Identifier: Apache-2.0
//
// What the commands that take scenarios share: which one, the options that stand in place of its
// values, how far a run is, for people to see, and JSON.

#ifndef ANNELID_RUNNING_H
#define ANNELID_RUNNING_H

#include "cli.h"

#include <annelid/engine.h>
#include <annelid/scenario.h>
#include <argp.h>
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

enum { RUNNING_MAX_SETTINGS = 64, RUNNING_SETTING_BYTES = 256 };

// Settings section.key=value for anl_scenario_load_with(), in the order in which they were given.
// list points into text, so the struct must not be copied.
struct running_settings {
    const char *list[RUNNING_MAX_SETTINGS];
    size_t count;
    char text[RUNNING_MAX_SETTINGS][RUNNING_SETTING_BYTES];
};

// The options --set, --seed, --cycles and --load, as a child of a command's parser. Its input,
// which the parent hands over in child_inputs at ARGP_KEY_INIT, is a struct running_settings.
extern const struct argp running_settings_argp;

// The argument SCENARIO and those options, as a child of a command's parser. Its input is a struct
// running_scenario.
struct running_scenario {
    const char *path;
    bool optional;  // need not be given; then path may be NULL
    struct running_settings settings;
};
extern const struct argp running_scenario_argp;

// The scenario with the settings, as anl_scenario_load_with() gives it.
enum anl_status running_load(const struct running_scenario *from, struct anl_scenario *scenario,
                             struct anl_error *error);

// Cycles between two looks at the progress and at Ctrl-C: the larger the network, the fewer.
uint64_t running_cycles_between_looks(const struct anl_scenario *scenario);

// Shows how far a run of scenario is: an open loop by its cycles, others by the worms delivered.
struct running_view {
    struct cli_progress progress;
    const struct anl_scenario *scenario;
    uint64_t cycles;  // that it will take; 0: unknown
};
void running_show(struct running_view *view, uint64_t cycles, uint64_t delivered);

// The same as a look at a net, user a struct running_view; false after Ctrl-C.
bool running_look(void *user, const struct anl_engine *net);

// A JSON number.
static inline json_t *cli_integer(uint64_t value) { return json_integer((json_int_t)value); }

// Prints a JSON object on one line and frees it; NULL, that is, no memory for it, is an error.
// Returns CLI_OK or CLI_BAD.
int cli_print_json(json_t *object);

#endif
