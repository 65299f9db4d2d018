// SPDX-License-Identifier: Apache-2.0
//
// annelid worms: says which worm is stuck, where, since when, why, and which worm holds it up.

#include "worms/worms.h"

#include <argp.h>
#include <string.h>

enum { KEY_AT = 256, KEY_BY, KEY_MAP, KEY_JSON, KEY_STALLS, MOST_TOP = 10000 };

static const struct argp_option options[] = {
    {"worm", 'w', "ID", 0, "The life of this worm; with --at: who holds it up in that cycle", 0},
    {"at", KEY_AT, "CYCLE", 0,
     "The state in this cycle: who waits, the delay chain of the longest waiting worm (or of "
     "--worm), and on a terminal that is wide enough the map",
     0},
    {"top", 'n', "N", 0, "List N worms (10)", 0},
    {"by", KEY_BY, "stall|waited", 0,
     "Which worms to list first: those with the longest stall in one buffer (stall), or those that "
     "waited most in all (waited)",
     0},
    {"map", KEY_MAP, NULL, 0, "Print the map in any case; with --at, 1 or 2 dimensions", 0},
    {"json", KEY_JSON, NULL, 0, "Print all of it as one JSON object (docs/worms.md)", 0},
    {"stalls", KEY_STALLS, "FILE", 0,
     "Write every stall as a row of CSV; - for standard output, instead of the text", 0},
    {NULL, 0, NULL, 0, "In place of the scenario's values:", 1},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct worms_question *question = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &question->settings;
        break;
    case 'w':
        question->worm = (uint32_t)cli_number(value, UINT32_MAX - 1, state);
        question->has_worm = true;
        break;
    case KEY_AT:
        question->at = cli_number(value, UINT64_MAX - 1, state);
        question->has_at = true;
        break;
    case 'n':
        question->top = (size_t)cli_number(value, MOST_TOP, state);
        break;
    case KEY_BY:
        question->by_waited = strcmp(value, "waited") == 0;
        if (!question->by_waited && strcmp(value, "stall") != 0)
            argp_error(state, "--by %s: expected stall or waited", value);
        break;
    case KEY_MAP:
        question->map = true;
        break;
    case KEY_JSON:
        question->json = true;
        break;
    case KEY_STALLS:
        question->stalls = value;
        break;
    case ARGP_KEY_ARG:
        if (question->path) argp_error(state, "one trace or scenario, please");
        question->path = value;
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a trace or scenario is missing");
        break;
    case ARGP_KEY_END:
        if (question->map && !question->has_at) argp_error(state, "--map needs --at");
        if (question->map && question->json)
            argp_error(state, "--map and --json exclude each other");
        if (question->json && question->stalls && strcmp(question->stalls, "-") == 0)
            argp_error(state, "--json and --stalls - both want standard output");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int answer(const struct worms_question *question)
{
    struct findings findings;
    int exit_status = worms_find(question, &findings);
    if (exit_status == CLI_OK) {
        if (question->json)
            exit_status = worms_print_json(&findings);
        else if (!question->stalls || strcmp(question->stalls, "-") != 0)
            worms_print_text(&findings);
        if (!exit_status && findings.deadlock.cycle != UINT64_MAX) exit_status = CLI_NO;
    }
    worms_forget(&findings);
    return exit_status;
}

int cmd_worms(int argc, char **argv)
{
    const struct argp_child children[] = {{&running_settings_argp, 0, NULL, 1}, {0}};
    const struct argp argp = {
        options,
        parse_option,
        "TRACE|SCENARIO",
        "Tells which worms were blocked, where, since when, why, and who held them up "
        "(docs/worms.md): from a flit trace, or from a scenario, which is run on the golden "
        "model. A deadlock is proved and printed worm by worm.\v"
        "The map: " WORMS_MAP_HELP "\n\n"
        "Exit status: 0 done, 1 deadlocked, 2 bad usage or bad input.",
        children,
        NULL,
        NULL};
    struct worms_question question = {.top = 10};
    argp_err_exit_status = CLI_BAD;
    argp_parse(&argp, argc, argv, 0, NULL, &question);
    cli_catch_interrupt();  // Ctrl-C must not leave a part of a file
    return answer(&question);
}
