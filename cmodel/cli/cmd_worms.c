// SPDX-License-Identifier: Apache-2.0
//
// annelid worms: says which worm is stuck, where, since when, why, and which worm holds it up.

#include "worms/worms.h"

#include <string.h>

enum { MOST_TOP = 10000 };

#define AT(member) CLI_AT(struct worms_question, member)

static void read_by(void *by_waited, const char *value, struct argp_state *state)
{
    const bool waited = strcmp(value, "waited") == 0;
    if (!waited && strcmp(value, "stall") != 0)
        argp_error(state, "--by %s: expected stall or waited", value);
    *(bool *)by_waited = waited;
}

static const struct cli_option options[] = {
    {"worm", 'w', "ID", "The life of this worm; with --at: who holds it up in that cycle", AT(worm),
     .most = UINT32_MAX - 1},
    {"at", 0, "CYCLE",
     "The state in this cycle: who waits, the delay chain of the longest waiting worm (or of "
     "--worm), and on a terminal that is wide enough the map",
     AT(at), .most = UINT64_MAX - 1},
    {"top", 'n', "N", "List N worms (10)", AT(top), .least = 1, .most = MOST_TOP},
    {"by", 0, "stall|waited",
     "Which worms to list first: those with the longest stall in one buffer (stall), or those that "
     "waited most in all (waited)",
     AT(by_waited), .read = read_by},
    {"map", 0, NULL, "Print the map in any case; with --at, 1 or 2 dimensions", AT(map)},
    {"json", 0, NULL, "Print all of it as one JSON object (docs/worms.md)", AT(json)},
    {"stalls", 0, "FILE",
     "Write every stall as a row of CSV; - for standard output, instead of the text", AT(stalls)},
    {0},
};

static const struct cli_rule rules[] = {
    {"map", .needs = "at"},
    {"map", .bars = "json|stalls=-"},
    {"json", .bars = "stalls=-"},
    {"worm", .bars = "stalls=-"},
    {"top", .bars = "worm", .unless = "at|json"},
    {"by", .bars = "worm", .unless = "at|json"},
    {"top", .bars = "stalls=-"},
    {"by", .bars = "stalls=-"},
    {0},
};

static void check(void *user, struct argp_state *state)
{
    struct worms_question *question = user;
    (void)state;
    question->has_at = question->at != UINT64_MAX;
    question->has_worm = question->worm != ANL_NOTHING;
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
        const bool bad = findings.deadlock.cycle != UINT64_MAX || findings.num_lost;
        if (!exit_status && bad) exit_status = CLI_NO;
    }
    worms_forget(&findings);
    return exit_status;
}

int cmd_worms(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &cli_trace_or_scenario,
        .options = options,
        .rules = rules,
        .check = check,
        .help = "Tells which worms were blocked, where, since when, why, and who held them up "
                "(docs/worms.md): from a flit trace, or from a scenario, which is run on the "
                "golden model. A deadlock is proved and printed worm by worm.\v"
                "The map: " WORMS_MAP_HELP "\n\n"
                "Exit status: 0 done, 1 deadlocked or a fault, 2 bad usage or bad input."};
    struct worms_question question = {.top = 10, .at = UINT64_MAX, .worm = ANL_NOTHING};
    cli_parse(&command, argc, argv, &question);
    return cli_leads() ? answer(&question) : cli_follow(&question.given);
}
