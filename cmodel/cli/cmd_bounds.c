// SPDX-License-Identifier: Apache-2.0
//
// annelid bounds: what the theory of Greenberg and Oh (1993) says of the worms of a scenario, and
// what they do. docs/papers/greenberg-oh.md.

#include "cmd_bounds.h"
#include "cli.h"

#include <annelid/annelid.h>
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

struct arguments {
    struct running_scenario scenario;
    bool fixed, delayed, check, json;
};

enum { KEY_FIXED = 256, KEY_DELAYED, KEY_CHECK, KEY_JSON };

static const struct argp_option options[] = {
    {"fixed", KEY_FIXED, NULL, 0,
     "Do not run it: the paths that the worms would take if nobody were in their way, of a "
     "fat-tree's shortest paths those that up_down_fixed draws",
     0},
    {"delayed", KEY_DELAYED, NULL, 0,
     "Also run the delayed-greedy algorithm of Theorem 2 (process batch)", 0},
    {"check", KEY_CHECK, NULL, 0,
     "Exit with 1 also if a condition of the theory does not hold or a time is above Theorem 2's: "
     "the dependency graph has a cycle, two paths part and meet again, a worm of the "
     "delayed-greedy algorithm missed its phase",
     0},
    {"json", KEY_JSON, NULL, 0, "Print the result as one JSON object", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    (void)value;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->scenario;
        break;
    case KEY_FIXED:
        arguments->fixed = true;
        break;
    case KEY_DELAYED:
        arguments->delayed = true;
        break;
    case KEY_CHECK:
        arguments->check = true;
        break;
    case KEY_JSON:
        arguments->json = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// --- running ---

static enum anl_status run(struct running_view *view, struct anl_trial_options how,
                           struct anl_trial *trial, struct anl_error *error)
{
    how.look_cycles = running_cycles_between_looks(view->scenario);
    how.go_on = running_look;
    how.user = view;
    const enum anl_status status = anl_trial_run(view->scenario, &how, trial);
    cli_progress_end(&view->progress);
    if (status) return cli_fail(status, error);
    return trial->stopped ? anl_fail(error, ANL_ERR_IO, "", 0, "interrupted") : ANL_OK;
}

static enum anl_status run_delayed(struct anl_scenario *scenario, struct bounds_answer *answer,
                                   struct anl_error *error)
{
    struct running_view view = {.progress = {.what = "delayed-greedy"}, .scenario = scenario};
    enum anl_status status = anl_bounds_delay(scenario, &answer->schedule, error);
    view.cycles = answer->schedule.cycles;
    const struct anl_trial_options how = {.phase_cycles = answer->schedule.phase_cycles};
    if (!status) status = run(&view, how, &answer->delayed, error);
    return status;
}

// --- what follows from the paths ---

static enum anl_status examine(struct bounds_answer *answer, struct anl_error *error)
{
    enum anl_status status = anl_paths_settle(&answer->paths);
    if (!status) status = anl_paths_measure(&answer->paths, &answer->measures);
    if (!status)
        status = anl_paths_find_cycle(&answer->paths, &answer->cycle, &answer->cycle_length);
    if (!status) status = anl_paths_find_meeting(&answer->paths, &answer->meeting);
    if (status) return cli_fail(status, error);
    if (!answer->trial.worms || !answer->measures.congestion)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "no worm moves in this scenario");
    answer->theorem = anl_bounds_theorem_2(answer->trial.worms, answer->measures.congestion,
                                           answer->measures.dilation, answer->trial.longest);
    if (!answer->ran && answer->trial.shortest == answer->trial.longest)
        answer->trial.lower = anl_bounds_lower(answer->measures.congestion,
                                               answer->measures.dilation, answer->trial.longest);
    return ANL_OK;
}

// What must be true of every run: all is delivered, not faster than can be.
static bool is_possible(const struct bounds_answer *answer)
{
    const struct anl_trial *trial = &answer->trial;
    if (answer->has_delayed && !answer->delayed.complete) return false;
    return !answer->ran || (trial->complete && trial->cycles >= trial->lower);
}

// What the theory asks for and promises. Runs need not keep it: paths may meet twice, and Theorem 2
// is about another algorithm.
static bool is_as_in_theory(const struct bounds_answer *answer)
{
    const struct anl_trial *trial = &answer->trial;
    if (answer->cycle_length || answer->meeting.found) return false;
    if (answer->has_delayed && answer->delayed.missed) return false;
    return !answer->ran || trial->cycles <= trial->last_created + answer->theorem.cycles;
}

static int answer_question(const struct arguments *arguments, struct anl_scenario *scenario)
{
    struct bounds_answer answer = {.scenario = scenario, .ran = !arguments->fixed};
    struct running_view view = {.progress = {.what = "running"}, .scenario = scenario};
    struct anl_error error = {0};
    anl_paths_begin(&answer.paths, &scenario->network);
    enum anl_status status =
        answer.ran
            ? run(&view, (struct anl_trial_options){.paths = &answer.paths}, &answer.trial, &error)
            : anl_trial_draw(scenario, &answer.paths, &answer.trial, &error);
    if (!status) status = examine(&answer, &error);
    answer.has_delayed = arguments->delayed;
    if (!status && arguments->delayed) status = run_delayed(scenario, &answer, &error);
    if (!status && arguments->json) bounds_print_json(&answer);
    if (!status && !arguments->json) bounds_print_text(&answer);
    const bool good =
        !status && is_possible(&answer) && (!arguments->check || is_as_in_theory(&answer));
    anl_paths_free(&answer.paths);
    free(answer.cycle);
    if (status) return cli_complain(&error);
    return good ? CLI_OK : CLI_NO;
}

int cmd_bounds(int argc, char **argv)
{
    const struct argp_child children[] = {{&running_scenario_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        options,
        parse_option,
        "SCENARIO",
        "Tells congestion c, dilation d, load factor and the bounds of Greenberg and Oh (1993) "
        "for the worms of a scenario, with the paths that they take in a run, and the time that "
        "they take; says whether the dependency graph of the paths has a cycle and whether two "
        "paths part and meet again (docs/papers/greenberg-oh.md).\v"
        "Exit status: 0 done, 1 not all worms were delivered, or sooner than is possible, or "
        "(--check) a condition of the theory or its bound does not hold, 2 bad usage or bad input.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {0};
    struct anl_scenario scenario;
    struct anl_error error = {0};
    argp_err_exit_status = CLI_BAD;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    cli_catch_interrupt();
    if (running_load(&arguments.scenario, &scenario, &error)) return cli_complain(&error);
    const int exit_status = answer_question(&arguments, &scenario);
    anl_scenario_free(&scenario);
    return exit_status;
}
