// SPDX-License-Identifier: Apache-2.0
//
// What the commands of annelid share: options that name a scenario and replace its values, the
// progress of a run, a blocking analysis of a trace or scenario, and JSON.

#ifndef ANNELID_CLI_H
#define ANNELID_CLI_H

#include "common/common.h"

#include <annelid/blocking.h>
#include <annelid/engine.h>
#include <annelid/network.h>
#include <annelid/scenario.h>
#include <annelid/trace.h>
#include <jansson.h>

// Name and version of this program, as traces and journals have it.
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

// Returns the form of trace that a path asks for: binary if it ends in .anlt, else text.
enum anl_trace_form cli_trace_form(const char *path);

// Returns whether text ends in ending and has something before it.
bool cli_ends_in(const char *text, const char *ending);

// Returns "s", the ending of a plural, or "" if count is 1.
const char *plural(uint64_t count);

// Returns the latency, in cycles, of a worm of `length` flits that no other worm delays, from
// terminal to terminal over `distance` links between switches (docs/switch.md, "Latency").
uint64_t cli_latency_alone(const struct anl_config *config, uint64_t distance, uint64_t length);

// Prints a word, in quotes if a shell would read it as anything else.
void shell_word(FILE *out, const char *word);

// Returns a command as a text that a shell reads back as the same words, which the caller frees
// with free(); NULL if there is no memory. The first word is never quoted: it may be two ("annelid
// sweep").
char *shell_words(char **words, int count);

// --- scenarios and their options ---

// Settings "section.key=value" for anl_scenario_load_with(), in the order in which the user gave
// them. The pointers in list point into text, so the struct must not be copied.
enum { RUNNING_MAX_SETTINGS = 64, RUNNING_SETTING_BYTES = 256 };
struct running_settings {
    const char *list[RUNNING_MAX_SETTINGS];
    size_t count;
    char text[RUNNING_MAX_SETTINGS][RUNNING_SETTING_BYTES];
};

// Parses the options --set, --seed, --cycles and --load, as a child of a command's parser. Its
// input is a struct running_settings; the parent passes it in child_inputs at ARGP_KEY_INIT.
extern const struct argp running_settings_argp;

// Parses the argument SCENARIO and those options, as a child of a command's parser. Its input is a
// struct running_scenario.
struct running_scenario {
    const char *path;
    bool optional;  // the user may leave SCENARIO out; path is then NULL
    struct running_settings settings;
};
extern const struct argp running_scenario_argp;

// Loads the scenario with its settings. Status and ownership are those of anl_scenario_load_with().
enum anl_status running_load(const struct running_scenario *from, struct anl_scenario *scenario,
                             struct anl_error *error);

// --- the progress of a run ---

// Returns how many cycles pass before the progress is shown again and Ctrl-C is looked for: the
// larger the network, the fewer.
uint64_t running_cycles_between_looks(const struct anl_scenario *scenario);

// Shows the progress of a run of scenario: of an open loop by its cycles, else by the worms that
// are delivered.
struct running_view {
    struct cli_progress progress;
    const struct anl_scenario *scenario;
    uint64_t cycles;  // that the run will take; 0: unknown
};
void running_show(struct running_view *view, uint64_t cycles, uint64_t delivered);

// Does the same for the network in an engine; user is a struct running_view. Returns false after
// Ctrl-C.
bool running_look(void *user, const struct anl_engine *net);

// --- blocking analysis (annelid/blocking.h) ---
//
// It is made of a flit trace, or of a scenario, which is run on the golden model. The content of
// the file says which of the two it is.

struct analyse_options {
    const char *path;
    const char *const *settings;  // section.key=value; scenarios only
    size_t num_settings;
    uint64_t last;  // stop after this cycle; UINT64_MAX: to the end
    struct anl_blocking_listener listener;
    // Is called after every cycle, also without flits; may be NULL. Returning false stops
    // analyse().
    bool (*cycle)(void *user, const struct anl_blocking *blocking, const struct anl_flit *flits,
                  size_t count);
    // Is called before the first cycle, when network and seed are known; may be NULL. An error that
    // it returns stops analyse().
    enum anl_status (*begin)(void *user, const struct anl_scenario *scenario,
                             struct anl_error *error);
    void *user;  // first argument of cycle and begin
};

struct analysed {
    struct anl_scenario scenario;   // of a trace: the one that the trace contains
    struct anl_blocking *blocking;  // its state is that of the last cycle
    uint64_t cycles;                // that were analysed
    bool ended;  // the run or trace came to its own end; anl_blocking_end() was called
};

// Analyses a trace or scenario, and shows its progress. Returns CLI_OK, and the caller gives
// *analysed to analysed_free(). On failure, also after Ctrl-C, prints the error, returns the exit
// status, and *analysed is empty.
int analyse(const struct analyse_options *options, struct analysed *analysed);
void analysed_free(struct analysed *analysed);

// Returns the delays of a life, those of most cycles first, and of equal ones that by the lowest
// worm first. The caller frees them with free(); NULL if there is no memory.
struct anl_delay *sorted_delays(const struct anl_life *life);

// --- wiring and routes as a list of lines, which the RTL prints (docs/cdg.md) ---

// Reads the list and builds the channel-dependency graph from it alone, not from the golden model:
// it follows heads from every terminal to every terminal. *heads receives how many pairs of lane
// and destination were met. The caller destroys *cdg. Returns ANL_ERR_FORMAT if a line cannot be
// parsed, or if a head gets lost or comes to a wrong terminal; ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status cdg_routes_read(const char *path, const struct anl_config *config,
                                struct anl_cdg **cdg, uint64_t *heads, struct anl_error *error);

// --- JSON ---

// Returns a new JSON number.
static inline json_t *cli_integer(uint64_t value) { return json_integer((json_int_t)value); }

// Prints a JSON object on one line and frees it. Returns CLI_OK, or CLI_BAD with a message if
// object is NULL, because there was no memory for it.
int cli_print_json(json_t *object);

#endif
