// SPDX-License-Identifier: Apache-2.0
//
// What the commands of annelid share: which scenario, the options that stand in place of its
// values, how far a run is, and a blocking analysis of whatever the user names.

#ifndef ANNELID_CLI_H
#define ANNELID_CLI_H

#include "common/common.h"

#include <annelid/blocking.h>
#include <annelid/engine.h>
#include <annelid/network.h>
#include <annelid/scenario.h>
#include <annelid/trace.h>
#include <jansson.h>

// What this program calls itself.
#define CLI_PROGRAM "annelid 0.1.0"

// Each parses its own arguments (argv[0] is the command's name) and returns an exit status.
int cmd_run(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_describe(int argc, char **argv);
int cmd_worms(int argc, char **argv);
int cmd_draw(int argc, char **argv);
int cmd_bounds(int argc, char **argv);
int cmd_cdg(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_signature(int argc, char **argv);

// The form of trace that a path asks for: binary if it ends in .anlt, else text.
enum anl_trace_form cli_trace_form(const char *path);

// A command as text that a shell reads back as the same words. The first word stays as it is: it
// may be two ("annelid sweep"). To be given to free(); NULL: no memory.
char *shell_words(char **words, int count);

// --- scenarios and their options ---

// Settings section.key=value for anl_scenario_load_with(), in the order in which they were given.
// list points into text, so the struct must not be copied.
enum { RUNNING_MAX_SETTINGS = 64, RUNNING_SETTING_BYTES = 256 };
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

// --- how far a run is ---

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

// --- blocking analysis (annelid/blocking.h) ---
//
// Of a flit trace, which feeds it by itself, or of a scenario, which is run on the golden model.
// Which of the two it is, the content of the file says.

struct analyse_options {
    const char *path;
    const char *const *settings;  // section.key=value; scenarios only
    size_t num_settings;
    uint64_t last;  // stop after this cycle; UINT64_MAX: to the end
    struct anl_blocking_listener listener;
    // After every cycle, also those without flits; may be NULL. Returning false stops.
    bool (*cycle)(void *user, const struct anl_blocking *blocking, const struct anl_flit *flits,
                  size_t count);
    // Before the first cycle, when network and seed are known; may be NULL. Non-zero stops.
    enum anl_status (*begin)(void *user, const struct anl_scenario *scenario,
                             struct anl_error *error);
    void *user;  // of cycle and begin
};

struct analysed {
    struct anl_scenario scenario;   // of a trace: the one that it carries
    struct anl_blocking *blocking;  // as it stands in the last cycle, ended if the run was
    uint64_t cycles;                // gone through
    bool ended;                     // the run or trace came to its own end
};

// Goes through it, with progress; on failure the error was printed and the exit status is returned,
// else CLI_OK and *analysed is the caller's, to be given to analysed_free(). Ctrl-C is a failure.
int analyse(const struct analyse_options *options, struct analysed *analysed);
void analysed_free(struct analysed *analysed);

// The delays of a life, most cycles first, of several the lowest worm first. To be freed with
// free(); NULL: no memory.
struct anl_delay *sorted_delays(const struct anl_life *life);

// --- wiring and routes as a list of lines, such as the RTL is asked for (docs/cdg.md) ---

// Reads the list and sends a head from every terminal to every terminal, without a look at what the
// golden model thinks of wiring or routes. *heads: how many places a head was looked at in: lanes
// times destinations. The caller destroys *cdg. ANL_ERR_FORMAT: a line is not one, or a head gets
// lost or comes to a terminal that is not its own; ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status cdg_routes_read(const char *path, const struct anl_config *config,
                                struct anl_cdg **cdg, uint64_t *heads, struct anl_error *error);

// --- JSON ---

// A JSON number.
static inline json_t *cli_integer(uint64_t value) { return json_integer((json_int_t)value); }

// Prints a JSON object on one line and frees it; NULL, that is, no memory for it, is an error.
// Returns CLI_OK or CLI_BAD.
int cli_print_json(json_t *object);

#endif
