// SPDX-License-Identifier: Apache-2.0
//
// annelid bounds: compares the bounds of Greenberg and Oh (1993) with the times of the worms of a
// scenario. papers/greenberg_oh/README.md explains the theory.

#include "shared/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct bounds_answer {
    const struct anl_scenario *scenario;
    bool ran;                // there was a run; else only the paths were computed
    struct anl_trial trial;  // without a run: what is known of the worms, and lower if all worms
                             // have one length
    struct anl_paths paths;
    struct anl_paths_measures measures;
    uint32_t *cycle;      // [cycle_length] channels of a cycle of the dependency graph
    size_t cycle_length;  // 0: the graph has no cycle
    struct anl_paths_meeting meeting;
    struct anl_bounds_schedule theorem;  // Theorem 2 for worms as long as the longest
    bool has_delayed;
    struct anl_trial delayed;  // the delayed-greedy run, if has_delayed, and its schedule
    struct anl_bounds_schedule schedule;
};

struct arguments {
    struct cli_given given;
    bool fixed, delayed, check, json;
};

static const struct cli_option options[] = {
    {"fixed", 0, NULL,
     "Do not run it: the paths that the worms would take if nobody were in their way, of a "
     "fat-tree's shortest paths those that up_down_fixed draws",
     CLI_AT(struct arguments, fixed)},
    {"delayed", 0, NULL, "Also run the delayed-greedy algorithm of Theorem 2 (process batch)",
     CLI_AT(struct arguments, delayed)},
    {"check", 0, NULL,
     "Exit with 1 also if a condition of the theory does not hold or a time is above Theorem 2's: "
     "the dependency graph has a cycle, two paths part and meet again, a worm of the "
     "delayed-greedy algorithm missed its phase",
     CLI_AT(struct arguments, check)},
    {"json", 0, NULL, "Print the result as one JSON object", CLI_AT(struct arguments, json)},
    {0},
};

// --- running ---

static enum anl_status run(struct running_view *view, struct anl_trial_options how,
                           struct anl_trial *trial, struct anl_error *error)
{
    how.look_cycles = running_cycles_between_looks(view->scenario);
    how.go_on = running_look;
    how.user = view;
    const enum anl_status status = anl_trial_run(view->scenario, &how, trial);
    cli_progress_end(&view->progress);
    return cli_fail(status, error);
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

// Returns whether each run obeys what holds for every run: it delivers all worms, and not earlier
// than the lower bound.
static bool is_possible(const struct bounds_answer *answer)
{
    const struct anl_trial *trial = &answer->trial;
    if (answer->has_delayed && !answer->delayed.complete) return false;
    return !answer->ran || (trial->complete && trial->cycles >= trial->lower);
}

// Returns whether the conditions of the theory and its upper bounds hold. They need not hold in a
// correct run: paths may meet twice, and Theorem 2 is about another algorithm.
static bool is_as_in_theory(const struct bounds_answer *answer)
{
    const struct anl_trial *trial = &answer->trial;
    if (answer->cycle_length || answer->meeting.found) return false;
    if (answer->has_delayed && answer->delayed.missed) return false;
    return !answer->ran || trial->cycles <= trial->last_created + answer->theorem.cycles;
}

static struct cli_name name_of_link(const struct bounds_answer *answer, uint32_t link)
{
    return cli_link_name(&answer->scenario->network, link);
}

// Returns the name of a channel: that of its link, and of its lane if links have several.
static struct cli_name name_of(const struct bounds_answer *answer, uint32_t channel)
{
    const struct anl_config *network = &answer->scenario->network;
    return network->num_vcs > 1 ? cli_lane_name(network, channel) : cli_link_name(network, channel);
}

// --- text ---

static void print_worms(const struct bounds_answer *answer)
{
    const struct anl_trial *trial = &answer->trial;
    printf("worms       P = %" PRIu64 ", L = %" PRIu32, trial->worms, trial->longest);
    if (trial->shortest != trial->longest) printf(" (%" PRIu32 " to it)", trial->shortest);
    if (trial->last_created) printf(", created until cycle %" PRIu64, trial->last_created);
    const char *how = "drawn, not run";
    if (answer->ran)
        how = trial->complete ? "as the run took them" : "as far as the run came; --fixed has all";
    printf("\npaths       %s\n", how);
}

static void print_load(const struct anl_load_place *load)
{
    const uint32_t first = load->subtree << 2 * load->level;
    printf("load        lambda = %g, on the channel %s ", load->factor,
           load->up ? "up from" : "down to");
    if (load->level == 0)
        printf("terminal %" PRIu32 "\n", first);
    else
        printf("the %" PRIu32 " terminals from %" PRIu32 "\n", UINT32_C(1) << 2 * load->level,
               first);
}

static void print_measures(const struct bounds_answer *answer)
{
    const struct anl_paths_measures *measures = &answer->measures;
    const struct anl_load_place *load = &answer->trial.load;
    printf("congestion  c = %" PRIu32 " over %s, mean %.2f over links that are used\n",
           measures->congestion, name_of_link(answer, measures->link).text, measures->mean);
    printf("dilation    d = %" PRIu32 ", eta = min(d, L) = %" PRIu64 "\n", measures->dilation,
           answer->theorem.eta);
    if (load->factor > 0) print_load(load);
}

static void print_time(const struct bounds_answer *answer)
{
    const struct anl_trial *trial = &answer->trial;
    const bool one_length = trial->shortest == trial->longest;
    if (trial->lower)
        printf("at least    %" PRIu64 " cycles: %s\n", trial->lower,
               one_length ? "max(c L, d + L - 1)"
                          : "flits over one link, or the way of one worm (lengths differ)");
    if (answer->ran && trial->complete)
        printf("measured    %" PRIu64 " cycles (the paper's time is %" PRIu64
               ": it counts from 0), %.3f c L\n",
               trial->cycles, trial->cycles - 1,
               (double)trial->cycles / ((double)answer->measures.congestion * trial->longest));
    if (answer->ran && !trial->complete)
        printf("measured    not all delivered: %" PRIu64 " of %" PRIu64 " in %" PRIu64 " cycles\n",
               trial->delivered, trial->worms, trial->cycles);
}

static void print_theorem(const struct bounds_answer *answer)
{
    const struct anl_bounds_schedule *theorem = &answer->theorem;
    const struct anl_trial *trial = &answer->trial;
    printf("theorem 2   %" PRIu64 " cycles: R = 5 c %s = %" PRIu64 " phases of 10 T1 L = %" PRIu64
           ", T1 = max(d / L, ln P, 1) = %.3f\n",
           theorem->cycles, trial->longest < answer->measures.dilation ? "L" : "d", theorem->delays,
           theorem->phase_cycles, theorem->t1);
    if (trial->shortest != trial->longest)
        puts("            it is about worms of one length: this is for the longest");
    if (trial->last_created)
        puts(
            "            it is about worms that all wait at the start: this is after the last one");
}

static void print_checks(const struct bounds_answer *answer)
{
    const struct anl_paths_meeting *meeting = &answer->meeting;
    puts(answer->cycle_length ? "acyclic     no, the dependency graph has a cycle:"
                              : "acyclic     yes");
    for (size_t i = 0; answer->cycle_length && i <= answer->cycle_length; i++)
        printf("            %s%s\n", i ? "-> " : "",
               name_of(answer, answer->cycle[i % answer->cycle_length]).text);
    if (!meeting->found) {
        puts("contiguous  yes: no two paths part and meet again");
        return;
    }
    const struct cli_name part = name_of_link(answer, meeting->part);
    const struct cli_name meet = name_of_link(answer, meeting->meet);
    printf("contiguous  no: worms %" PRIu32 " and %" PRIu32, meeting->worms[0], meeting->worms[1]);
    if (meeting->reversed)
        printf(" both take %s and %s, but in opposite order\n", part.text, meet.text);
    else
        printf(" both take %s, part, and meet again in %s\n", part.text, meet.text);
    puts("            (Theorem 2 assumes that none do; its bound is then not proven)");
}

static void print_delayed(const struct bounds_answer *answer)
{
    const struct anl_bounds_schedule *schedule = &answer->schedule;
    const struct anl_trial *delayed = &answer->delayed;
    printf("delayed     %" PRIu64 " cycles with %" PRIu64 " phases of %" PRIu64 ", c = %" PRIu32
           "; %" PRIu64 " of %" PRIu64 " worms missed their phase\n",
           delayed->cycles, schedule->delays, schedule->phase_cycles, delayed->congestion,
           delayed->missed, delayed->worms);
    if (!delayed->complete) puts("            not all worms were delivered");
}

static void print_text(const struct bounds_answer *answer)
{
    print_worms(answer);
    print_measures(answer);
    print_time(answer);
    print_theorem(answer);
    if (answer->has_delayed) print_delayed(answer);
    print_checks(answer);
}

// --- JSON ---

static json_t *schedule_object(const struct anl_bounds_schedule *schedule)
{
    return json_pack("{s:f, s:o, s:o, s:o}", "t1", schedule->t1, "phases",
                     cli_integer(schedule->delays), "phase_cycles",
                     cli_integer(schedule->phase_cycles), "cycles", cli_integer(schedule->cycles));
}

static json_t *cycle_array(const struct bounds_answer *answer)
{
    json_t *cycle = json_array();
    for (size_t i = 0; i < answer->cycle_length; i++)
        json_array_append_new(cycle, json_string(name_of(answer, answer->cycle[i]).text));
    return cycle;
}

static json_t *meeting_object(const struct bounds_answer *answer)
{
    const struct anl_paths_meeting *meeting = &answer->meeting;
    return json_pack("{s:[o, o], s:s, s:s, s:b}", "worms", cli_integer(meeting->worms[0]),
                     cli_integer(meeting->worms[1]), "part",
                     name_of_link(answer, meeting->part).text, "meet",
                     name_of_link(answer, meeting->meet).text, "reversed", meeting->reversed);
}

static json_t *delayed_object(const struct anl_trial *delayed)
{
    return json_pack("{s:b, s:o, s:o, s:o}", "complete", delayed->complete, "cycles",
                     cli_integer(delayed->cycles), "congestion", cli_integer(delayed->congestion),
                     "missed", cli_integer(delayed->missed));
}

static int print_json(const struct bounds_answer *answer)
{
    const struct anl_trial *trial = &answer->trial;
    const struct anl_paths_measures *measures = &answer->measures;
    const struct anl_paths_meeting *meeting = &answer->meeting;
    json_t *object = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:o?, s:o?, s:o?, s:o?, s:o, s:o?, s:o?, "
        "s:b, s:o, s:b, s:o?}",
        "paths", answer->ran ? "observed" : "fixed", "worms", cli_integer(trial->worms), "length",
        cli_integer(trial->longest), "shortest", cli_integer(trial->shortest), "last_created",
        cli_integer(trial->last_created), "congestion", cli_integer(measures->congestion),
        "mean_congestion", measures->mean, "dilation", cli_integer(measures->dilation), "eta",
        cli_integer(answer->theorem.eta), "load_factor",
        trial->load.factor > 0 ? json_real(trial->load.factor) : NULL, "lower_cycles",
        trial->lower ? cli_integer(trial->lower) : NULL, "complete",
        answer->ran ? json_boolean(trial->complete) : NULL, "cycles",
        answer->ran ? cli_integer(trial->cycles) : NULL, "theorem_2",
        schedule_object(&answer->theorem), "schedule",
        answer->has_delayed ? schedule_object(&answer->schedule) : NULL, "delayed",
        answer->has_delayed ? delayed_object(&answer->delayed) : NULL, "acyclic",
        !answer->cycle_length, "cycle", cycle_array(answer), "contiguous", !meeting->found,
        "meeting", meeting->found ? meeting_object(answer) : NULL);
    return cli_print_json(object);
}

// --- the command ---

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
    int printed = CLI_OK;
    if (!status && arguments->json) printed = print_json(&answer);
    if (!status && !arguments->json) print_text(&answer);
    const bool good =
        !status && is_possible(&answer) && (!arguments->check || is_as_in_theory(&answer));
    anl_paths_free(&answer.paths);
    free(answer.cycle);
    if (status) {
        cli_name_file(&error, arguments->given.inputs[0]);
        return cli_complain(&error);
    }
    if (printed != CLI_OK) return printed;
    return good ? CLI_OK : CLI_NO;
}

int cmd_bounds(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &cli_one_scenario,
        .options = options,
        .help =
            "Tells congestion c, dilation d, load factor and the bounds of Greenberg and Oh (1993) "
            "for the worms of a scenario, with the paths that they take in a run, and the time "
            "that they take; says whether the dependency graph of the paths has a cycle and "
            "whether two paths part and meet again (papers/greenberg_oh/README.md).\v"
            "Exit status: 0 done, 1 not all worms were delivered, or sooner than is possible, or "
            "(--check) a condition of the theory or its bound does not hold, 2 bad usage or bad "
            "input."};
    struct arguments arguments = {0};
    struct anl_scenario scenario;
    cli_parse(&command, argc, argv, &arguments);
    if (cli_load_shared(&arguments.given, &scenario)) return CLI_BAD;
    const int exit_status = answer_question(&arguments, &scenario);
    anl_scenario_free(&scenario);
    return exit_status;
}
