// SPDX-License-Identifier: Apache-2.0
//
// annelid draw: draws one cycle as a still picture, or a range of cycles as a page for the browser.

#include "draw/draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// What the user did not give is UINT64_MAX or ANL_NOTHING; `to` is then the last cycle there can
// be.
struct arguments {
    struct cli_given given;
    const char *output;
    enum cli_form form;
    uint64_t at, from, to;
    uint32_t worm;
};

#define AT(member) CLI_AT(struct arguments, member)

static const struct cli_option options[] = {
    {"output", 'o', "FILE", "Where to draw: FILE.svg, FILE.png, FILE.pdf or FILE.html", AT(output),
     .output = true, .aside = true},
    {"at", 0, "CYCLE",
     "Cycle of the picture; if not given: the one in which the deadlock closes, else the one in "
     "which the longest stall ends, or that of a fault",
     AT(at), .most = UINT64_MAX - 1},
    {"worm", 0, "ID",
     "Whose chain to show; if not given: the worm that waits longest, or the deadlock", AT(worm),
     .most = UINT32_MAX - 1},
    {"from", 0, "CYCLE", "First cycle of a page (0)", AT(from), .most = UINT64_MAX - 1},
    {"to", 0, "CYCLE", "Last cycle of a page (the last of the run)", AT(to),
     .most = UINT64_MAX - 1},
    {0},
};

static void check(void *user, struct argp_state *state)
{
    struct arguments *arguments = user;
    if (!arguments->output) argp_error(state, "where to draw is missing: -o FILE");
    arguments->form = cli_form_of(arguments->output, false, state);
    const bool page = arguments->form == FORM_HTML;
    if (page && (arguments->at != UINT64_MAX || arguments->worm != ANL_NOTHING))
        argp_error(state, "--at and --worm are for still pictures; a page has --from and --to");
    if (!page && (arguments->from != UINT64_MAX || arguments->to != UINT64_MAX))
        argp_error(state, "--from and --to are for pages (.html); a still picture has --at");
    if (arguments->from == UINT64_MAX) arguments->from = 0;
    if (arguments->from > arguments->to)
        argp_error(state, "--from %" PRIu64 " is after --to %" PRIu64, arguments->from,
                   arguments->to);
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

static bool has_lost(const struct anl_blocking *blocking)
{
    for (uint32_t i = 0; i < anl_blocking_num_buffers(blocking); i++)
        if (anl_blocking_buffer(blocking, i).wait == ANL_LOST) return true;
    return false;
}

// Sets arguments->at to the cycle that is drawn if the user names none. Returns CLI_OK or the exit
// status of a failure.
static int choose_cycle(struct arguments *arguments)
{
    struct search search = {.worm = arguments->worm, .longest = {.worm = ANL_NOTHING}};
    const struct analyse_options how = {.given = &arguments->given,
                                        .last = UINT64_MAX,
                                        .listener = {.stall = note_stall, .user = &search},
                                        .cycle = note_deadlock,
                                        .begin = draw_begin,
                                        .user = &search};
    struct analysed analysed;
    const int failed = analyse(&how, &analysed);
    if (failed) return failed;
    if (search.deadlock && arguments->worm == ANL_NOTHING)
        arguments->at = search.deadlocked;
    else if (search.longest.worm != ANL_NOTHING)
        arguments->at = search.longest.end;
    else if (has_lost(analysed.blocking))
        arguments->at = analysed.cycles - 1;
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
    if (arguments->worm != ANL_NOTHING) return arguments->worm;
    if (anl_blocking_deadlocked(blocking) <= anl_blocking_cycle(blocking)) return ANL_NOTHING;
    anl_blocking_worms(blocking, compare_wait, &longest);
    return longest.worm;
}

static enum anl_status check_cycle(const struct arguments *arguments,
                                   const struct analysed *analysed, struct anl_error *error)
{
    struct anl_life life;
    if (analysed->cycles <= arguments->at)
        return anl_fail(error, ANL_ERR_ARGUMENT, arguments->given.inputs[0], 0,
                        "there is no cycle %" PRIu64 ", the last one is %" PRIu64, arguments->at,
                        analysed->cycles ? analysed->cycles - 1 : 0);
    if (arguments->worm != ANL_NOTHING &&
        !anl_blocking_life(analysed->blocking, arguments->worm, &life))
        return anl_fail(error, ANL_ERR_ARGUMENT, arguments->given.inputs[0], 0,
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
    const struct draw_request request = {basename(arguments->given.inputs[0]),
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
    const struct draw_sheet sheet = {
        .out = out, .form = arguments->form, .path = arguments->output, .put = put_svg};
    return draw_form(&sheet, &picture, error);
}

static int still(struct arguments *arguments, FILE *out)
{
    struct analysed analysed;
    struct anl_error error = {0};
    if (arguments->at == UINT64_MAX && choose_cycle(arguments)) return CLI_BAD;
    const struct analyse_options how = {.given = &arguments->given,
                                        .first = arguments->at,
                                        .last = arguments->at,
                                        .begin = draw_begin};
    if (analyse(&how, &analysed)) return CLI_BAD;
    const enum anl_status status = put(arguments, &analysed, out, &error);
    analysed_free(&analysed);
    return status ? cli_complain(&error) : CLI_OK;
}

// --- pages ---

static int page(const struct arguments *arguments, FILE *out)
{
    const struct draw_page_request request = {
        .analyse = {.given = &arguments->given, .last = UINT64_MAX},
        .input = basename(arguments->given.inputs[0]),
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
    enum anl_status status = draw_form_check(arguments->form, arguments->output, &error);
    if (!status) status = anl_output_open(arguments->output, &output, &error);
    if (status) return cli_complain(&error);
    const int exit_status =
        arguments->form == FORM_HTML ? page(arguments, output.file) : still(arguments, output.file);
    if (exit_status == CLI_OK) status = anl_output_finish(&output, &error);
    anl_output_abandon(&output);
    return status ? cli_complain(&error) : exit_status;
}

int cmd_draw(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &cli_trace_or_scenario,
        .options = options,
        .check = check,
        .help = "Draws the network and the worms in it: a cycle as SVG, PNG or PDF, or a range of "
                "cycles as a page for the browser (docs/draw.md).\v"
                "Exit status: 0 done, 2 bad usage or bad input."};
    struct arguments arguments = {
        .at = UINT64_MAX, .from = UINT64_MAX, .to = UINT64_MAX, .worm = ANL_NOTHING};
    cli_parse(&command, argc, argv, &arguments);
    return draw(&arguments);
}
