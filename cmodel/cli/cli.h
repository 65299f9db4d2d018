// SPDX-License-Identifier: Apache-2.0
//
// What the commands of `annelid` share. Exit statuses: 0 done, 1 the answer is no (a rule broken, a
// difference, a stall), 2 bad usage or bad input.

#ifndef ANNELID_CLI_H
#define ANNELID_CLI_H

#include <annelid/trace.h>
#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

// What this program calls itself.
#define CLI_PROGRAM "annelid 0.1.0"

enum { CLI_OK = 0, CLI_NO = 1, CLI_BAD = 2 };

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

// Prints "annelid: FILE:LINE: text" to stderr. Returns CLI_BAD.
int cli_complain(const struct anl_error *error);

// What was printed to stdout has arrived; otherwise complains and returns false.
bool cli_output_whole(void);

// Width of the terminal behind stdout in characters; COLUMNS says otherwise, 80 if unknown.
uint32_t cli_columns(void);

// Whether stdout wants colours: a terminal that has some, and NO_COLOR is not set.
bool cli_colours(void);

// The number from 0 to most that text holds, or argp_error.
uint64_t cli_number(const char *text, uint64_t most, struct argp_state *state);

// The form of trace that a path asks for: binary if it ends in .anlt, else text.
enum anl_trace_form cli_trace_form(const char *path);

// Progress of something that may take long: nothing for the first two seconds, then a bar on a
// terminal or a line every ten seconds in a log. Zero-initialise; call cli_progress_end() when
// done.
struct cli_progress {
    const char *what;  // e.g. "running"
    double begin, last;
    bool shown;
};
void cli_progress_update(struct cli_progress *progress, double fraction, const char *detail);
void cli_progress_end(struct cli_progress *progress);

// Set by Ctrl-C after cli_catch_interrupt(): long work should stop, clean up and return CLI_BAD.
void cli_catch_interrupt(void);
bool cli_interrupted(void);

#endif
