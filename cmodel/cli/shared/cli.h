// SPDX-License-Identifier: Apache-2.0
//
// What the commands of annelid share: options that name a scenario and replace its values, the
// progress of a run, a blocking analysis of a trace or scenario, and JSON.

#ifndef ANNELID_CLI_H
#define ANNELID_CLI_H

#include "common/common.h"

#include <annelid/annelid.h>
#include <jansson.h>

// Name and version of this program, as traces and journals have it.
#define CLI_PROGRAM "annelid " ANL_VERSION

// Each reads its own arguments (argv[0] is the command's name) and returns an exit status.
#define COMMAND(name, what) int cmd_##name(int argc, char **argv);
#include "shared/commands.inc"
#undef COMMAND

// Returns the form of trace that a path asks for: binary if it ends in .anlt, else text.
enum anl_trace_form cli_trace_form(const char *path);

// Returns whether text ends in ending, in small or capital letters, and has something before it.
bool cli_ends_in(const char *text, const char *ending);

// Returns "s", the ending of a plural, or "" if count is 1.
const char *plural(uint64_t count);

// Return the name that a file has in its folder, the end of its path; and whether two paths are of
// files of one folder, which is there.
const char *cli_name_in_folder(const char *path);
bool cli_same_folder(const char *a, const char *b);

// Returns a command as a text that a shell reads back as the same words, which the caller frees
// with free(); NULL if there is no memory. The first word is never quoted: it may be two ("annelid
// sweep").
char *shell_words(char **words, int count);

// --- the arguments of a command ---

// What every command is given. It is the first member of the struct that a command's arguments are
// read into. The pointers in settings point into texts, so the struct must not be copied.
enum { CLI_MAX_SETTINGS = 64, CLI_SETTING_BYTES = 256, CLI_MAX_TAKEN = 128, CLI_MAX_OUTPUTS = 8 };
struct cli_given {
    char **words;  // [num_words] the command as the user gave it
    int num_words;
    char **inputs;  // [num_inputs] its arguments that are no options
    size_t num_inputs;
    const char *settings[CLI_MAX_SETTINGS];  // "section.key=value", in the order of the user
    size_t num_settings;
    char texts[CLI_MAX_SETTINGS][CLI_SETTING_BYTES];
    // The options in the order of the user; value NULL: a flag.
    struct {
        const char *option, *value;
        bool aside;  // it does not decide what is computed
    } taken[CLI_MAX_TAKEN];
    size_t num_taken;
    const char *outputs[CLI_MAX_OUTPUTS];  // files that are written
    size_t num_outputs;
};

// An option. It writes to the place in the command's struct that offset and bytes name; see
// CLI_AT(). If value is NULL it is a flag, which makes a bool true. Otherwise the value is taken by
// read(), if there is one; as an unsigned number of 4 or 8 bytes, if most is not 0; else as a
// const char *.
struct cli_option {
    const char *name;
    int letter;         // of the short form; 0: there is none
    const char *value;  // what the help calls the value
    const char *help;
    size_t offset, bytes;
    uint64_t least, most;
    void (*read)(void *place, const char *value, struct argp_state *state);
    const char *setting;  // the value becomes a setting, behind this text; NULL: it does not
    bool input, output;   // the value is a file that is read, or written
    bool aside;  // it decides only where and how results are written, or how fast they come
};
#define CLI_AT(type, member)                                                                       \
    .offset = offsetof(type, member), .bytes = sizeof(((type *)NULL)->member)

// How many inputs a command takes, and what is said of too few and of too many.
struct cli_inputs {
    const char *names;  // for the help: "SCENARIO"
    size_t least, most;
    const char *too_few, *too_many;
    const char *settings;  // title of the options that replace a scenario's values; NULL: there are
                           // no such options
};
extern const struct cli_inputs cli_one_scenario, cli_trace_or_scenario;

// What an option has to do with others: without one of those in needs it has no effect, and none
// with one of those in bars, unless one of those in unless is given. Options are lists of long
// names with | between them; behind = is a value that an option must have, "method=refinement".
// NULL: no option. alone: no other option or input has an effect beside it.
struct cli_rule {
    const char *option, *needs, *bars, *unless;
    bool alone;
};

enum { CLI_MAX_OPTIONS = 24 };
struct cli_command {
    const struct cli_inputs *inputs;
    const char *help;
    const struct cli_option *options;  // up to one without a name; at most CLI_MAX_OPTIONS
    const struct cli_rule *rules;      // up to one without an option; NULL: there are none
    void (*check)(void *arguments, struct argp_state *state);  // is called last; may be NULL
    size_t outputs;  // how many inputs, at the end, are files that are written
};

// Reads the arguments of a command into *arguments, which has the default values. After an error or
// --help it does not return; nor after --manual, the only argument, which prints what the help is
// made of as one JSON object, for manual pages and completions.
void cli_parse(const struct cli_command *command, int argc, char **argv, void *arguments);

// Returns whether some setting is of a key, "run.seed", also by a name of other programs.
bool cli_sets(const struct cli_given *given, const char *key);

// Refuses an option that by the rules of the command has no effect beside the others.
void cli_check_rules(const struct cli_command *command, const struct cli_given *given,
                     struct argp_state *state);

// Refuses a scenario or trace of another kind than buffered, for commands that know this one alone.
// ANL_ERR_ARGUMENT: the error names path.
enum anl_status cli_expect_buffered(const struct anl_config *config, const char *path,
                                    struct anl_error *error);

// Refuses links of several cycles, for commands that know links of one cycle alone.
enum anl_status cli_expect_short_links(const struct anl_config *config, const char *path,
                                       struct anl_error *error);

// Refuses links of several cycles and switches of two stages, for commands in whose networks a flit
// takes one cycle for a hop.
enum anl_status cli_expect_one_cycle(const struct anl_config *config, const char *path,
                                     struct anl_error *error);

// Refuses all of these and wide links, for commands that know links with one flit a cycle alone.
enum anl_status cli_expect_shared(const struct anl_config *config, const char *path,
                                  struct anl_error *error);

// Refuses an input that cannot be read twice, such as a named pipe. ANL_ERR_IO.
enum anl_status cli_expect_ordinary(const char *path, struct anl_error *error);

// Says on standard error which names of other programs the scenario was read with, if it has any.
void cli_tell_synonyms(const struct anl_scenario *scenario, const char *path);

// Loads a scenario with the settings that were given, like anl_scenario_load_with(), and tells its
// synonyms.
enum anl_status cli_read_scenario(const char *path, const struct cli_given *given,
                                  struct anl_scenario *scenario, struct anl_error *error);

// Loads the one scenario that was given, with its settings, of any kind of switch or of kind
// buffered alone. Returns CLI_OK, and the caller frees *scenario; on failure prints the error and
// returns CLI_BAD.
int cli_load_any(const struct cli_given *given, struct anl_scenario *scenario);
int cli_load(const struct cli_given *given, struct anl_scenario *scenario);
// Does the same for commands that know shared links alone.
int cli_load_shared(const struct cli_given *given, struct anl_scenario *scenario);

// A command that has commands of its own.
struct cli_menu {
    const char *name;         // "annelid"
    const char *what;         // what they are called: "command"
    const char *head, *foot;  // of the usage text
    struct cli_entry {
        const char *name;
        int (*run)(int argc, char **argv);
        const char *what;
    } entries[24];  // up to one without a name
};

// Runs the command that argv[1] names, or prints the usage, or with --manual the menu as JSON.
// Returns the exit status.
int cli_choose(const struct cli_menu *menu, int argc, char **argv);

// The form of a picture, which its file's name says.
enum cli_form { FORM_SVG, FORM_PNG, FORM_PDF, FORM_HTML, FORM_GNUPLOT };

// Returns the form that the ending of a path asks for, FORM_GNUPLOT only if gnuplot is true. Calls
// argp_error() if there is none.
enum cli_form cli_form_of(const char *path, bool gnuplot, struct argp_state *state);

// --- names ---

struct cli_name {
    char text[160];
};

// Return the name of a link, "3(1,0).+1", and of a lane, "3(1,0).+1 lane 0". The number of lane v
// of a link is link * num_vcs + v.
struct cli_name cli_link_name(const struct anl_config *config, uint32_t link);
struct cli_name cli_lane_name(const struct anl_config *config, uint32_t lane);

// Prints the settings and the first input of a command, as words of another command line: " --set
// run.seed=7 mesh.yaml". An input that no other command can read, such as standard input, is SAVED.
// Returns whether there is one; cli_print_saved() then says what it is.
bool cli_print_given(const struct cli_given *given);
void cli_print_saved(bool gone);

// Returns what a network is: "torus, k 5, n 2", "graph, 10 terminals", "cube, radix 6 4". `is`
// stands between k and its number.
struct cli_name cli_network_name(const struct anl_config *config, const char *is);

// Returns the routing, or those of the classes of messages: "[dimension_order, odd_even]".
struct cli_name cli_routing_name(const struct anl_config *config);

// Returns what a buffered network has that is not usual, each with a comma in front: ", credits
// bypass, two stages, 3 classes, 2 reservations for replies"; nothing of the usual one.
struct cli_name cli_unusual_name(const struct anl_config *config);

// Returns a switch in a few words, "2 lanes of 4 flits, dateline, round_robin, wormhole", or those
// of its kind, "without buffers".
struct cli_words {
    char text[512];
};
struct cli_words cli_switch_words(const struct anl_config *config);

// Returns the class and the role of a worm, each with a comma in front, ", class 1, a reply";
// nothing of a plain worm of class 0.
struct cli_name cli_message_name(const struct anl_worm *worm);

// Prints the parameters of a switch of the RTL, without a line's end.
void cli_print_parameters(const struct anl_config *config);

// --- what is read of traces ---

// Reads the scenario in a trace. Status and ownership are those of anl_scenario_parse().
enum anl_status cli_trace_scenario(const struct anl_trace_reader *reader, const char *path,
                                   struct anl_scenario *scenario, struct anl_error *error);

// Returns a worm of a trace with its path, which is not written there.
struct anl_worm cli_trace_worm(const struct anl_config *config,
                               const struct anl_trace_reader *reader, struct anl_worm worm);

// The flits of a cycle. The user frees flits with free().
struct cli_batch {
    struct anl_flit *flits;
    size_t count, size;
};
enum anl_status cli_batch_add(struct cli_batch *batch, const struct anl_flit *flit);

// --- the progress of a run ---

// Returns how many cycles pass before the progress is shown again and Ctrl-C is looked for: the
// larger the network, the fewer.
uint64_t running_cycles_between_looks(const struct anl_scenario *scenario);

// Shows the progress of a run of scenario: of an open loop by its cycles, else by the worms that
// are delivered and by the cycles until the last one is created. When an open loop creates no more
// worms, it says how many are left: nobody knows how long they will take.
struct running_view {
    struct cli_progress progress;
    const struct anl_scenario *scenario;
    uint64_t cycles;  // that the run will take; 0: unknown
};
struct running_state {
    uint64_t cycles;              // that have been run
    uint64_t created, delivered;  // worms
};
void running_show(struct running_view *view, const struct running_state *state);

// Writes what is shown of a state. Returns the fraction of the run that is done; 1: the rest will
// take nobody knows how long.
double running_words(const struct running_view *view, const struct running_state *state, char *text,
                     size_t size);

// Does the same for the network in an engine; user is a struct running_view. Returns false after
// Ctrl-C.
bool running_look(void *user, const struct anl_engine *net);

// --- several processes (together.c) ---

// Processes that are given the same command, before it begins in each of them. agree() is called by
// all with what became of reading the files and the hash of what was read; it returns the status,
// for all of them ANL_ERR_ARGUMENT if another one failed or has read something else.
struct run_together {
    const struct anl_team *members;
    enum anl_status (*agree)(enum anl_status status, uint64_t question, struct anl_error *error);
};
void cli_run_together(const struct run_together *processes);

// Returns the team of these processes; NULL: this process is alone.
const struct anl_team *cli_team(void);
// Returns false in processes that step a part of the network for the one that leads.
bool cli_leads(void);
// Called by all with what became of reading the scenario; returns the status, not ANL_OK unless all
// have read the same.
enum anl_status cli_agree(enum anl_status status, const struct anl_scenario *scenario,
                          struct anl_error *error);
// Runs the scenario as a process that does not lead, prints nothing, and returns the exit status.
int cli_follow(const struct cli_given *given);

// --- blocking analysis (annelid/blocking.h) ---
//
// It is made of a flit trace, or of a scenario, which is run on the golden model. The content of
// the file says which of the two it is.

struct analyse_options {
    const struct cli_given *given;  // one input; settings for scenarios only
    uint64_t first;  // a scenario whose run ends before this cycle in any case is refused
    uint64_t last;   // stop after this cycle; UINT64_MAX: to the end
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
    struct anl_trace_reader *reader;  // of a trace: it owns the routes of worms; otherwise NULL
};

// Analyses a trace or scenario, and shows its progress. Returns CLI_OK, and the caller gives
// *analysed to analysed_free(). On failure prints the error, returns the exit
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

// --- where results come from ---

// Returns the command that made a result as a text for a shell, without the options that are aside;
// the caller frees it with free(). NULL if there is no memory.
char *cli_command_text(const struct cli_given *given);

// Return new JSON objects: the program, the command, the seed and the scenario; the scenario alone,
// with all keys that have a meaning in it.
json_t *cli_provenance_json(const struct cli_given *given, const struct anl_scenario *scenario);
json_t *cli_scenario_json(const struct anl_scenario *scenario);
json_t *cli_seed_json(uint64_t seed);

// Write the same as remarks at the head of a CSV file: but for the keys "section.key" in without,
// which ends with NULL; with all keys, and what the scenario's files say.
void cli_write_settings(FILE *out, const struct cli_given *given,
                        const struct anl_scenario *scenario, const char *const *without);
void cli_write_provenance(FILE *out, const struct cli_given *given,
                          const struct anl_scenario *scenario);

// What files say of a scenario, as the XXH3 of it: a graph with its table, messages, a matrix or
// rates. Fills contents and returns how many there are.
enum { CLI_MAX_CONTENTS = 3 };
struct cli_content {
    const char *name;  // "graph"
    uint64_t hash;
};
size_t cli_contents(const struct anl_scenario *scenario,
                    struct cli_content contents[CLI_MAX_CONTENTS]);

// --- JSON ---

// Returns a new JSON number.
static inline json_t *cli_integer(uint64_t value) { return json_integer((json_int_t)value); }

// Returns reports as a new JSON array; NULL: there is no memory for it, or reports is NULL.
json_t *cli_reports_json(const struct anl_reports *reports);
// Begins the report of what the referee has found in a scenario, or a trace of it, at a path; the
// command that shows it again is the one that was given.
void cli_begin_report(struct anl_report *report, const struct cli_given *given,
                      const struct anl_scenario *scenario, const char *path,
                      const struct anl_violation *violation);

// Prints a JSON object on one line and frees it. Returns CLI_OK, or CLI_BAD with a message if
// object is NULL, because there was no memory for it.
int cli_print_json(json_t *object);

#endif
