// SPDX-License-Identifier: Apache-2.0
//
// annelid colour: colours for messages, so that those of one colour never block each other, and the
// schedule that follows, after Cole, Maggs and Sitaraman (2001).
// papers/cole_maggs_sitaraman/colour.md explains them.

#include "colours.h"

#include <annelid/colour.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    struct cli_given given;
    uint32_t vcs, colours, length;
    const char *method, *output, *scenario;
    uint64_t seed, resamples;
    bool compact, json;
};

static const struct cli_option options[] = {
    {"vcs", 'B', "B",
     "How many messages of one colour may cross a link, 1 to 255 (the scenario's num_vcs)",
     CLI_AT(struct arguments, vcs), .least = 1, .most = ANL_COLOUR_MAX_VCS},
    {"method", 'm', "NAME",
     "first_fit (default), moser_tardos or refinement; first_fit takes the fewest colours",
     CLI_AT(struct arguments, method)},
    {"colours", 'c', "N",
     "moser_tardos: draw from N colours; without it, the least N that is found is taken",
     CLI_AT(struct arguments, colours), .least = 1, .most = UINT32_MAX},
    {"resamples", 0, "N",
     "moser_tardos, refinement: give an attempt up after so many links whose messages drew anew "
     "(200000)",
     CLI_AT(struct arguments, resamples), .most = UINT64_MAX},
    {"seed", 's', "N", "Of moser_tardos and refinement (1)", CLI_AT(struct arguments, seed),
     .most = UINT64_MAX},
    {"length", 'l', "L", "Flits of each message of a file of paths (1)",
     CLI_AT(struct arguments, length), .least = 1, .most = ANL_MAX_WORM_LENGTH},
    {"compact", 0, NULL,
     "Start each colour as soon as its links are free, not when the colour before it is over",
     CLI_AT(struct arguments, compact)},
    {"output", 'o', "FILE",
     "Write the schedule: a message file, or message,colour,start rows for a file of paths",
     CLI_AT(struct arguments, output), .output = true, .aside = true},
    {"scenario", 0, "FILE", "Write a scenario that replays the message file; needs --output",
     CLI_AT(struct arguments, scenario), .output = true, .aside = true},
    {"json", 0, NULL, "Print the result as one JSON object", CLI_AT(struct arguments, json)},
    {0},
};

static const struct cli_rule rules[] = {
    {"colours", .needs = "method=moser_tardos"},
    {"resamples", .needs = "method=moser_tardos|method=refinement"},
    {"seed", .needs = "method=moser_tardos|method=refinement"},
    {"scenario", .needs = "output"},
    {0},
};

static void check_options(void *user, struct argp_state *state)
{
    const struct arguments *arguments = user;
    if (arguments->scenario && !cli_same_folder(arguments->scenario, arguments->output))
        argp_error(state, "--scenario and --output: expected two files of one folder");
}

// --- the answer ---

struct answer {
    const struct arguments *arguments;
    enum anl_colour_method method;
    struct colours colours;
    struct anl_link_measures measures;
    struct anl_colour_fault fault;
    struct anl_release release;
    struct colours_replay replay;  // with a scenario
};

static enum anl_status find_method(struct answer *answer, struct anl_error *error)
{
    const char *name = answer->arguments->method;
    for (int method = ANL_FIRST_FIT; name && method <= (int)ANL_REFINEMENT; method++)
        if (strcmp(name, anl_colour_method_name((enum anl_colour_method)method)) == 0) {
            answer->method = (enum anl_colour_method)method;
            return ANL_OK;
        }
    if (!name) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                    "method '%s', expected first_fit, moser_tardos or refinement", name);
}

static enum anl_status read_paths(struct answer *answer, struct anl_error *error)
{
    const struct arguments *arguments = answer->arguments;
    const char *path = arguments->given.inputs[0];
    if (arguments->given.num_settings)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0, "%s: a file of paths has no such value",
                        arguments->given.settings[0]);
    if (!arguments->vcs)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "a file of paths does not say how many lanes links have: --vcs B");
    if (arguments->scenario)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "a file of paths gives no scenario that could replay them");
    answer->colours.vcs = arguments->vcs;
    return colours_read_paths(path, (uint16_t)(arguments->length ? arguments->length : 1),
                              &answer->colours, error);
}

// A worm that may take some lanes of a link alone is not blocked by fewer worms than these lanes.
static enum anl_status settle_lanes(struct answer *answer, struct anl_error *error)
{
    const struct arguments *arguments = answer->arguments;
    struct colours *colours = &answer->colours;
    const struct anl_config *network = &colours->scenario.network;
    colours->vcs = arguments->vcs ? arguments->vcs : colours->narrowest;
    if (colours->vcs > colours->narrowest)
        return anl_fail(error, ANL_ERR_ARGUMENT, arguments->given.inputs[0], 0,
                        "--vcs %" PRIu32 ", expected at most %" PRIu32
                        ": so many lanes may a worm take on some link",
                        colours->vcs, colours->narrowest);
    colours->slower = anl_link_flits(network) > 1 ? 1 : colours->vcs;
    colours->gap = network->link == ANL_WIDE && network->depth == 1;
    return ANL_OK;
}

static enum anl_status read_scenario(struct answer *answer, struct anl_error *error)
{
    const struct arguments *arguments = answer->arguments;
    const struct cli_given *given = &arguments->given;
    struct colours *colours = &answer->colours;
    const struct anl_config *network = &colours->scenario.network;
    if (arguments->length)
        return anl_fail(error, ANL_ERR_ARGUMENT, given->inputs[0], 0,
                        "--length has no effect: it is of a file of paths, and the worms of a "
                        "scenario have lengths");
    enum anl_status status = cli_read_scenario(given->inputs[0], given, &colours->scenario, error);
    if (status) return status;
    colours->has_scenario = true;
    status = cli_expect_buffered(network, given->inputs[0], error);
    if (!status) status = cli_expect_one_cycle(network, given->inputs[0], error);
    if (status) return status;
    status = colours_take_scenario(colours, given->inputs[0], error);
    return status ? status : settle_lanes(answer, error);
}

// --- the schedule ---

struct colour_view {
    struct cli_progress progress;
};

static bool look(void *user)
{
    struct colour_view *view = user;
    cli_progress_update(&view->progress, 1, "drawing colours");
    return true;
}

static enum anl_status colour(struct answer *answer, struct anl_error *error)
{
    const struct arguments *arguments = answer->arguments;
    struct colour_view view = {{.what = "colouring"}};
    const struct anl_colour_options how = {.method = answer->method,
                                           .vcs = answer->colours.vcs,
                                           .colours = arguments->colours,
                                           .seed = arguments->seed,
                                           .resamples = arguments->resamples,
                                           .go_on = look,
                                           .user = &view};
    const enum anl_status status =
        anl_colour(&answer->colours.paths, &how, &answer->colours.colouring);
    cli_progress_end(&view.progress);
    if (status == ANL_ERR_STALLED)
        return anl_fail(error, ANL_ERR_STALLED, "", 0,
                        "no colouring was found with %" PRIu64
                        " resamples; expected more --resamples, or more --colours",
                        how.resamples);
    if (status == ANL_ERR_ARGUMENT)
        return anl_fail(error, status, "", 0,
                        "the refinement would need more than 2^32 colours for these paths");
    return cli_fail(status, error);
}

static enum anl_status release(struct answer *answer, struct anl_error *error)
{
    struct colours *colours = &answer->colours;
    const struct anl_release_rule rule = {answer->arguments->compact, colours->gap};
    colours->starts = calloc((size_t)colours->colouring.count + 1, sizeof *colours->starts);
    enum anl_status status = colours->starts ? ANL_OK : ANL_ERR_MEMORY;
    if (!status)
        status = anl_colour_release(&colours->paths, &colours->colouring, colours->lengths, &rule,
                                    colours->starts, &answer->release);
    for (uint32_t c = 0; !status && c < colours->colouring.count; c++)
        colours->starts[c] *= colours->slower;
    return cli_fail(status, error);
}

static enum anl_status make(struct answer *answer, struct anl_error *error)
{
    struct colours *colours = &answer->colours;
    enum anl_status status =
        cli_fail(anl_link_paths_measure(&colours->paths, &answer->measures), error);
    if (!status) status = colour(answer, error);
    if (!status)
        status = cli_fail(
            anl_colour_check(&colours->paths, &colours->colouring, colours->vcs, &answer->fault),
            error);
    if (!status) status = release(answer, error);
    if (!status && colours->has_scenario) status = colours_replay(colours, &answer->replay, error);
    return status;
}

// Worms that share a link delay each other, but none of them may be kept from a lane.
static bool is_good(const struct answer *answer)
{
    const struct colours_replay *replay = &answer->replay;
    if (answer->fault.found) return false;
    return !answer->colours.has_scenario ||
           (replay->delivered == replay->worms && !replay->blocked &&
            (answer->colours.slower > 1 || !replay->late));
}

// --- printing ---

static void print_colours(const struct answer *answer)
{
    const struct colours *colours = &answer->colours;
    printf("messages    %" PRIu32 " of %s%" PRIu32 " flit%s\n", colours->paths.messages,
           colours->has_scenario ? "at most " : "", colours->longest, plural(colours->longest));
    printf("paths       congestion C = %" PRIu32 ", dilation D = %" PRIu32 "\n",
           answer->measures.congestion, answer->measures.dilation);
    printf("colours     %" PRIu32 " by %s, at most %" PRIu32 " message%s of one on a link\n",
           colours->colouring.count, anl_colour_method_name(answer->method), colours->vcs,
           plural(colours->vcs));
    if (answer->method != ANL_FIRST_FIT)
        printf("drawn       from %.0f colours, with %" PRIu64 " resample%s\n",
               colours->colouring.drawn_from, colours->colouring.resamples,
               plural(colours->colouring.resamples));
    printf("at least    %" PRIu32 ": C / B\n", anl_colour_lower(&answer->measures, colours->vcs));
    printf("at most     %" PRIu64 " by first fit, D (C - 1) / B + 1; %.0f by the proof of Theorem "
           "2.1.6\n",
           anl_colour_first_fit_bound(&answer->measures, colours->vcs),
           anl_colour_theorem(&answer->measures, colours->vcs));
}

static void print_release(const struct answer *answer)
{
    const struct colours *colours = &answer->colours;
    const struct colours_replay *replay = &answer->replay;
    const bool shared = colours->slower > 1;
    printf("schedule    %" PRIu64 " cycles%s, %s\n", answer->release.steps * colours->slower,
           shared ? " at most" : "",
           answer->arguments->compact ? "each colour as soon as its links are free"
                                      : "a colour every L + D - 1 steps");
    if (shared)
        printf("            a step is %" PRIu32 " cycles, since the lanes of a link share it\n",
               colours->slower);
    if (answer->fault.found)
        printf("check       %" PRIu32 " messages of colour %" PRIu32 " cross link %" PRIu32 "\n",
               answer->fault.messages, answer->fault.colour, answer->fault.link);
    if (!colours->has_scenario) return;
    printf("replay      %" PRIu64 " cycles, %" PRIu64 " of %" PRIu64 " worms delivered, %" PRIu64
           " later than alone\n",
           replay->cycles, replay->delivered, replay->worms, replay->late);
    if (colours->scenario.network.link == ANL_SHARED)
        printf("            %" PRIu64 " worm%s waited for a lane that another one had\n",
               replay->blocked, plural(replay->blocked));
}

static json_t *replay_object(const struct colours_replay *replay)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "cycles", cli_integer(replay->cycles), "worms",
                     cli_integer(replay->worms), "delivered", cli_integer(replay->delivered),
                     "blocked", cli_integer(replay->blocked), "late", cli_integer(replay->late));
}

static int print_json(const struct answer *answer)
{
    const struct colours *colours = &answer->colours;
    return cli_print_json(json_pack(
        "{s:o, s:o, s:o, s:o, s:s, s:o, s:f, s:o, s:o, s:o, s:f, s:o, s:o, s:b, s:o?}", "messages",
        cli_integer(colours->paths.messages), "congestion",
        cli_integer(answer->measures.congestion), "dilation",
        cli_integer(answer->measures.dilation), "vcs", cli_integer(colours->vcs), "method",
        anl_colour_method_name(answer->method), "colours", cli_integer(colours->colouring.count),
        "drawn_from", colours->colouring.drawn_from, "resamples",
        cli_integer(colours->colouring.resamples), "lower_bound",
        cli_integer(anl_colour_lower(&answer->measures, colours->vcs)), "first_fit_bound",
        cli_integer(anl_colour_first_fit_bound(&answer->measures, colours->vcs)), "theorem",
        anl_colour_theorem(&answer->measures, colours->vcs), "interval",
        cli_integer(answer->release.interval * colours->slower), "cycles",
        cli_integer(answer->release.steps * colours->slower), "valid", is_good(answer), "replay",
        colours->has_scenario ? replay_object(&answer->replay) : NULL));
}

// --- the command ---

static enum anl_status write_files(const struct answer *answer, struct anl_error *error)
{
    const struct arguments *arguments = answer->arguments;
    enum anl_status status = ANL_OK;
    if (arguments->output) status = colours_write(arguments->output, &answer->colours, error);
    if (status || !arguments->scenario) return status;
    return colours_write_scenario(arguments->scenario, cli_name_in_folder(arguments->output),
                                  &answer->colours, error);
}

static int answer_question(struct answer *answer)
{
    struct anl_error error = {0};
    const char *path = answer->arguments->given.inputs[0];
    enum anl_status status = cli_expect_ordinary(path, &error);
    if (!status) status = find_method(answer, &error);
    if (!status) status = (colours_is_of_paths(path) ? read_paths : read_scenario)(answer, &error);
    if (!status) status = make(answer, &error);
    if (!status && is_good(answer)) status = write_files(answer, &error);
    if (status == ANL_ERR_STALLED) {
        cli_complain(&error);
        return CLI_NO;
    }
    if (status) return cli_complain(&error);
    if (answer->arguments->json)
        return print_json(answer) == CLI_OK && is_good(answer) ? CLI_OK : CLI_NO;
    print_colours(answer);
    print_release(answer);
    return is_good(answer) ? CLI_OK : CLI_NO;
}

int cmd_colour(int argc, char **argv);  // parts.inc
int cmd_colour(int argc, char **argv)
{
    static const struct cli_inputs inputs = {"SCENARIO|PATHS",
                                             1,
                                             1,
                                             "a scenario or a file of paths is missing",
                                             "one scenario or file of paths, please",
                                             "In place of the scenario's values:"};
    static const struct cli_command command = {
        .inputs = &inputs,
        .options = options,
        .rules = rules,
        .check = check_options,
        .help = "Gives messages colours, such that at most B of one colour cross any link, and the "
                "messages of each colour a start, such that no worm is ever blocked "
                "(papers/cole_maggs_sitaraman/colour.md). The messages are the worms of a "
                "scenario, which is then run "
                "with this schedule, or those of a file: a line for each message, with the numbers "
                "of its links.\v"
                "Exit status: 0 done, 1 no colouring was found, or a worm was blocked, 2 bad usage "
                "or bad input."};
    struct arguments arguments = {.seed = 1, .resamples = 200000};
    cli_parse(&command, argc, argv, &arguments);
    struct answer answer = {.arguments = &arguments};
    const int exit_status = answer_question(&answer);
    colours_free(&answer.colours);
    return exit_status;
}
