// SPDX-License-Identifier: Apache-2.0
//
// annelid draw: draws one cycle as a still picture, or a range of cycles as a page for the browser.

#include "draw/draw.h"

#include <annelid/base.h>
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum form { FORM_SVG, FORM_PNG, FORM_HTML, NUM_FORMS };
static const char *const endings[NUM_FORMS] = {".svg", ".png", ".html"};

struct arguments {
    struct running_settings settings;
    const char *input, *output;
    enum form form;
    bool has_at, has_from, has_to, has_worm;
    uint64_t at, from, to;
    uint32_t worm;
};

enum { KEY_AT = 256, KEY_WORM, KEY_FROM, KEY_TO };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Where to draw: FILE.svg, FILE.png or FILE.html", 0},
    {"at", KEY_AT, "CYCLE", 0,
     "Cycle of the picture; if not given: the one in which the deadlock closes, else the one in "
     "which the longest stall ends",
     0},
    {"worm", KEY_WORM, "ID", 0,
     "Whose chain to show; if not given: the worm that waits longest, or the deadlock", 0},
    {"from", KEY_FROM, "CYCLE", 0, "First cycle of a page (0)", 0},
    {"to", KEY_TO, "CYCLE", 0, "Last cycle of a page (the last of the run)", 0},
    {0},
};

static enum form form_of(const char *path, struct argp_state *state)
{
    for (enum form form = 0; form < NUM_FORMS; form++)
        if (cli_ends_in(path, endings[form])) return form;
    argp_error(state, "'%s' ends in none of .svg, .png and .html", path);
    return NUM_FORMS;
}

static void check(struct arguments *arguments, struct argp_state *state)
{
    if (!arguments->input) argp_error(state, "a trace or a scenario is missing");
    if (!arguments->output) argp_error(state, "where to draw is missing: -o FILE");
    arguments->form = form_of(arguments->output, state);
    const bool page = arguments->form == FORM_HTML;
    if (page && (arguments->has_at || arguments->has_worm))
        argp_error(state, "--at and --worm are for still pictures; a page has --from and --to");
    if (!page && (arguments->has_from || arguments->has_to))
        argp_error(state, "--from and --to are for pages (.html); a still picture has --at");
    if (arguments->from > arguments->to)
        argp_error(state, "--from %" PRIu64 " is after --to %" PRIu64, arguments->from,
                   arguments->to);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->settings;
        break;
    case 'o':
        arguments->output = value;
        break;
    case KEY_AT:
        arguments->at = cli_number(value, UINT64_MAX - 1, state);
        arguments->has_at = true;
        break;
    case KEY_WORM:
        arguments->worm = (uint32_t)cli_number(value, UINT32_MAX - 1, state);
        arguments->has_worm = true;
        break;
    case KEY_FROM:
        arguments->from = cli_number(value, UINT64_MAX - 1, state);
        arguments->has_from = true;
        break;
    case KEY_TO:
        arguments->to = cli_number(value, UINT64_MAX - 1, state);
        arguments->has_to = true;
        break;
    case ARGP_KEY_ARG:
        if (arguments->input) argp_error(state, "one trace or scenario, please");
        arguments->input = value;
        break;
    case ARGP_KEY_END:
        check(arguments, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static struct analyse_options analyse_options(const struct arguments *arguments)
{
    return (struct analyse_options){.path = arguments->input,
                                    .settings = arguments->settings.list,
                                    .num_settings = arguments->settings.count,
                                    .last = UINT64_MAX};
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// --- which cycle ---

struct search {
    uint32_t worm;  // whose stalls count; ANL_NOTHING: those of all worms
    struct anl_stall longest;
    bool deadlock;
    uint64_t deadlocked;
};

static void note_stall(void *user, const struct anl_stall *stall)
{
    struct search *search = user;
    if (search->worm != ANL_NOTHING && search->worm != stall->worm) return;
    const bool first = search->longest.worm == ANL_NOTHING;
    if (first || stall->end - stall->begin > search->longest.end - search->longest.begin)
        search->longest = *stall;
}

// Stops the search at a deadlock, for no later cycle is of more interest, unless a worm was asked
// for.
static bool note_deadlock(void *user, const struct anl_blocking *blocking,
                          const struct anl_flit *flits, size_t count)
{
    (void)flits;
    (void)count;
    struct search *search = user;
    search->deadlocked = anl_blocking_deadlocked(blocking);
    search->deadlock = search->deadlocked <= anl_blocking_cycle(blocking);
    return !search->deadlock || search->worm != ANL_NOTHING;
}

// Sets arguments->at to the cycle that is drawn if the user names none. Returns CLI_OK or the exit
// status of a failure.
static int choose_cycle(struct arguments *arguments)
{
    struct search search = {.worm = arguments->has_worm ? arguments->worm : ANL_NOTHING,
                            .longest = {.worm = ANL_NOTHING}};
    struct analyse_options how = analyse_options(arguments);
    struct analysed analysed;
    how.listener = (struct anl_blocking_listener){.stall = note_stall, .user = &search};
    how.cycle = note_deadlock;
    how.user = &search;
    const int failed = analyse(&how, &analysed);
    if (failed) return failed;
    if (search.deadlock && !arguments->has_worm)
        arguments->at = search.deadlocked;
    else if (search.longest.worm != ANL_NOTHING)
        arguments->at = search.longest.end;
    else
        arguments->at = analysed.cycles / 2;
    analysed_free(&analysed);
    return CLI_OK;
}

// --- still pictures ---

struct longest_wait {
    const struct anl_blocking *blocking;
    uint32_t worm;
    uint64_t begin;
};

static void compare_wait(void *user, uint32_t worm)
{
    struct longest_wait *longest = user;
    struct anl_life life;
    if (!anl_blocking_life(longest->blocking, worm, &life) || life.stall.worm == ANL_NOTHING)
        return;
    const bool longer = life.stall.begin < longest->begin;
    if (!longer && (life.stall.begin > longest->begin || worm > longest->worm)) return;
    longest->worm = worm;
    longest->begin = life.stall.begin;
}

// Returns the worm whose chain is shown: the one that was asked for, or ANL_NOTHING for that of the
// deadlock, or the worm that waits longest.
static uint32_t choose_worm(const struct arguments *arguments, const struct anl_blocking *blocking)
{
    struct longest_wait longest = {blocking, ANL_NOTHING, UINT64_MAX};
    if (arguments->has_worm) return arguments->worm;
    if (anl_blocking_deadlocked(blocking) <= anl_blocking_cycle(blocking)) return ANL_NOTHING;
    anl_blocking_worms(blocking, compare_wait, &longest);
    return longest.worm;
}

static enum anl_status check_cycle(const struct arguments *arguments,
                                   const struct analysed *analysed, struct anl_error *error)
{
    struct anl_life life;
    if (analysed->cycles <= arguments->at)
        return anl_fail(error, ANL_ERR_ARGUMENT, arguments->input, 0,
                        "there is no cycle %" PRIu64 ", the last one is %" PRIu64, arguments->at,
                        analysed->cycles ? analysed->cycles - 1 : 0);
    if (arguments->has_worm && !anl_blocking_life(analysed->blocking, arguments->worm, &life))
        return anl_fail(error, ANL_ERR_ARGUMENT, arguments->input, 0,
                        "worm %" PRIu32 " is not in the network in cycle %" PRIu64, arguments->worm,
                        arguments->at);
    return ANL_OK;
}

struct picture {
    const struct arguments *arguments;
    const struct analysed *analysed;
};

static enum anl_status put_svg(FILE *out, const void *user, struct anl_error *error)
{
    const struct picture *picture = user;
    const struct arguments *arguments = picture->arguments;
    const struct analysed *analysed = picture->analysed;
    struct anl_layout layout;
    const struct draw_request request = {name_of(arguments->input),
                                         choose_worm(arguments, analysed->blocking)};
    enum anl_status status = anl_layout_create(&analysed->scenario.network, &layout, error);
    if (!status) status = draw_svg(out, &request, analysed, &layout, error);
    anl_layout_free(&layout);
    return status;
}

static enum anl_status put(const struct arguments *arguments, const struct analysed *analysed,
                           FILE *out, struct anl_error *error)
{
    const struct picture picture = {arguments, analysed};
    const enum anl_status status = check_cycle(arguments, analysed, error);
    if (status) return status;
    if (arguments->form != FORM_PNG) return put_svg(out, &picture, error);
    return draw_png(out, arguments->output, put_svg, &picture, error);
}

static int still(struct arguments *arguments, FILE *out)
{
    struct analyse_options how = analyse_options(arguments);
    struct analysed analysed;
    struct anl_error error = {0};
    if (!arguments->has_at && choose_cycle(arguments)) return CLI_BAD;
    how.last = arguments->at;
    if (analyse(&how, &analysed)) return CLI_BAD;
    const enum anl_status status = put(arguments, &analysed, out, &error);
    analysed_free(&analysed);
    return status ? cli_complain(&error) : CLI_OK;
}

// --- pages ---

static int page(const struct arguments *arguments, FILE *out)
{
    const struct draw_page_request request = {.analyse = analyse_options(arguments),
                                              .input = name_of(arguments->input),
                                              .from = arguments->from,
                                              .to = arguments->to};
    return draw_page(&request, out);
}

// --- the command ---

// Checks what it can before the run, which may take long.
static int draw(struct arguments *arguments)
{
    struct anl_output output = {0};
    struct anl_error error = {0};
    enum anl_status status = ANL_OK;
    if (arguments->form == FORM_PNG) status = draw_png_check(arguments->output, &error);
    if (!status) status = anl_output_open(arguments->output, arguments->input, &output, &error);
    if (status) return cli_complain(&error);
    const int exit_status =
        arguments->form == FORM_HTML ? page(arguments, output.file) : still(arguments, output.file);
    if (exit_status == CLI_OK) status = anl_output_finish(&output, &error);
    anl_output_abandon(&output);
    return status ? cli_complain(&error) : exit_status;
}

int cmd_draw(int argc, char **argv)
{
    const struct argp_child children[] = {{&running_settings_argp, 0, "Scenarios only:", 1}, {0}};
    const struct argp argp = {
        options,
        parse_option,
        "TRACE|SCENARIO",
        "Draws the network and the worms in it: a cycle as SVG or PNG, or a range of cycles as a "
        "page for the browser (docs/draw.md).\vExit status: 0 done, 2 bad usage or bad input.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {.to = UINT64_MAX};
    argp_err_exit_status = CLI_BAD;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    cli_catch_interrupt();  // Ctrl-C must not leave a part of a file
    return draw(&arguments);
}
