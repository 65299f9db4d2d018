// SPDX-License-Identifier: Apache-2.0
//
// annelid schedule: start times for worms on a mesh without buffers, after Roberts and Symvonis
// (1994). papers/roberts_symvonis/schedule.md explains them.

#include "starts.h"

#include <annelid/schedule.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct arguments {
    struct cli_given given;
    uint32_t n, k;
    const char *permutation, *file, *paths, *order, *order_file, *check;  // NULL: not given
    const char *output, *messages, *svg;
    uint64_t seed, tries;
    uint32_t seconds;  // 0: no search, or no limit if tries are given
    bool json;
};

static const struct cli_option options[] = {
    {"n", 'n', "N", "Side of the mesh, 1 to 512; required but for --paths",
     CLI_AT(struct arguments, n), .least = 1, .most = ANL_SCHEDULE_MAX_N},
    {"k", 'k', "K", "Flits of a worm, 1 to 4096; required", CLI_AT(struct arguments, k), .least = 1,
     .most = ANL_SCHEDULE_MAX_K},
    {"permutation", 'p', "NAME",
     "Where the worms go: transpose, reversal, shift, rotate, bitrev or random",
     CLI_AT(struct arguments, permutation)},
    {"file", 'f', "FILE",
     "The same from a file, with a row source,destination for each worm; node row * N + column",
     CLI_AT(struct arguments, file)},
    {"paths", 0, "FILE",
     "Worms on any graph: a row with the nodes of its path, separated by blanks, for each worm. "
     "Orders are row-major, longest and shortest; schedules have rows worm,start",
     CLI_AT(struct arguments, paths)},
    {"order", 'O', "NAME",
     "Schedule the worms in this order: row-major, lex-desc(h,v), lex-asc(h,v), longest, shortest, "
     "lex-desc(v,h), h-desc,v-asc or random; only letters count. best (default): all but random, "
     "and the shortest schedule is taken",
     CLI_AT(struct arguments, order)},
    {"order-file", 0, "FILE", "An order of your own: a file with a source in each row",
     CLI_AT(struct arguments, order_file)},
    {"seed", 's', "N", "Of random permutation, random order and search (1)",
     CLI_AT(struct arguments, seed), .most = UINT64_MAX},
    {"search", 0, "SECONDS",
     "Look for shorter schedules for so long; Ctrl-C ends it and keeps the shortest",
     CLI_AT(struct arguments, seconds), .least = 1, .most = 1000000},
    {"tries", 0, "N",
     "Look for shorter schedules with so many tries: the same result on any machine",
     CLI_AT(struct arguments, tries), .least = 1, .most = UINT64_MAX},
    {"check", 0, "FILE",
     "Make no schedule, but check that of a file with a row source,destination,start for each worm",
     CLI_AT(struct arguments, check)},
    {"output", 'o', "FILE", "Write the schedule as CSV: source,destination,start",
     CLI_AT(struct arguments, output), .output = true},
    {"messages", 0, "FILE",
     "Write it as a message file, for a scenario with switch.kind bufferless",
     CLI_AT(struct arguments, messages), .output = true},
    {"svg", 0, "FILE", "Draw the starts on the mesh", CLI_AT(struct arguments, svg),
     .output = true},
    {"json", 0, NULL, "Print the result as one JSON object", CLI_AT(struct arguments, json)},
    {0},
};

static const struct cli_rule rules[] = {
    {"seed", .needs = "permutation=random|order=random|search|tries"},
    {"order", .bars = "order-file"},
    {"order", .bars = "check"},
    {"order-file", .bars = "check"},
    {"search", .bars = "check"},
    {"tries", .bars = "check"},
    {"paths", .bars = "n"},
    {"paths", .bars = "permutation"},
    {"paths", .bars = "file"},
    {"paths", .bars = "order-file"},
    {"paths", .bars = "search"},
    {"paths", .bars = "tries"},
    {"paths", .bars = "messages"},
    {"paths", .bars = "svg"},
    {0},
};

static const struct cli_inputs no_inputs = {"", .too_many = "no argument is expected"};

static void check_options(void *user, struct argp_state *state)
{
    const struct arguments *arguments = user;
    const bool searches = arguments->seconds || arguments->tries;
    if ((!arguments->n && !arguments->paths) || !arguments->k)
        argp_error(state, "say how large the mesh is and how long "
                          "its worms are: -n N -k K");
    if (arguments->paths) return;
    if (!!arguments->permutation + !!arguments->file + !!arguments->check != 1)
        argp_error(state, "say where the worms go: one of --permutation, --file and --check");
    if (searches && (arguments->order || arguments->order_file))
        argp_error(state, "a search begins with the best order: no --order and no --order-file");
}

// --- the answer ---

struct answer {
    const struct arguments *arguments;
    struct starts starts;
    const char *order;  // its name; NULL: the schedule came from a file
    struct anl_schedule schedule;
    struct anl_search_result search;  // if one was made
    struct anl_schedule_lower lower;
    struct anl_schedule_fault fault;
};

static bool searches(const struct answer *answer)
{
    return answer->arguments->seconds || answer->arguments->tries;
}

// --- reading ---

static enum anl_status read_worms(struct answer *answer, struct anl_error *error)
{
    const struct arguments *arguments = answer->arguments;
    struct starts *starts = &answer->starts;
    const uint32_t n = arguments->n;
    enum anl_status status = ANL_OK;
    if (arguments->check)
        // On a mesh of one node no worm uses links, and each starts at 1.
        status = starts_read_schedule(
            arguments->check, n, n > 1 ? anl_schedule_bound(n, arguments->k) : 1, starts, error);
    else if (arguments->file)
        status = starts_read_permutation(arguments->file, n, starts, error);
    else
        status = anl_permutation_make(arguments->permutation, n, arguments->seed,
                                      &starts->permutation, error);
    if (status) return status;
    starts->k = arguments->k;
    starts->worms = anl_permutation_worms(&starts->permutation);
    starts->order = calloc(starts->worms, sizeof *starts->order);
    if (!starts->starts) starts->starts = calloc((size_t)n * n, sizeof *starts->starts);
    return starts->order && starts->starts ? ANL_OK : cli_fail(ANL_ERR_MEMORY, error);
}

// --- scheduling ---

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// What shows a search, and ends it.
struct search_view {
    struct cli_progress progress;
    double begin, seconds;  // seconds 0: no limit
    uint64_t tries;
};

static bool look_at_search(void *user, uint64_t tries, const struct anl_schedule *best)
{
    struct search_view *view = user;
    const double elapsed = seconds_now() - view->begin;
    double fraction = view->tries == UINT64_MAX ? 0 : (double)tries / (double)view->tries;
    if (view->seconds > 0 && elapsed / view->seconds > fraction) fraction = elapsed / view->seconds;
    char detail[64];
    snprintf(detail, sizeof detail, "makespan %" PRIu32 " in %" PRIu64 " tries", best->makespan,
             tries);
    cli_progress_update(&view->progress, fraction, detail);
    return !cli_interrupted() && (view->seconds == 0 || elapsed < view->seconds);
}

static enum anl_status search(struct answer *answer)
{
    const struct arguments *arguments = answer->arguments;
    const uint64_t tries = arguments->tries || !arguments->seconds ? arguments->tries : UINT64_MAX;
    struct search_view view = {.progress = {.what = "searching"},
                               .begin = seconds_now(),
                               .seconds = arguments->seconds,
                               .tries = tries};
    const struct anl_search_options how = {
        .seed = arguments->seed, .tries = tries, .go_on = look_at_search, .user = &view};
    const enum anl_status status = anl_schedule_search(
        &answer->starts.permutation, arguments->k, &how, answer->starts.starts, &answer->search);
    cli_progress_end(&view.progress);
    answer->schedule = answer->search.schedule;
    answer->order = anl_order_name(answer->search.order);
    return status;
}

static enum anl_status make_order(struct answer *answer, struct anl_error *error)
{
    const struct arguments *arguments = answer->arguments;
    enum anl_order order;
    if (arguments->order_file) {
        answer->order = "of a file";
        return starts_read_order(arguments->order_file, &answer->starts, error);
    }
    if (!anl_order_find(arguments->order, &order))
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "order '%s', expected best, row-major, lex-desc(h,v), lex-asc(h,v), "
                        "longest, shortest, lex-desc(v,h), h-desc,v-asc or random",
                        arguments->order);
    answer->order = anl_order_name(order);
    return cli_fail(
        anl_order_make(&answer->starts.permutation, order, arguments->seed, answer->starts.order),
        error);
}

static enum anl_status follow_order(struct answer *answer, struct anl_error *error)
{
    struct anl_scheduler *scheduler = NULL;
    struct starts *starts = &answer->starts;
    enum anl_status status = make_order(answer, error);
    if (status) return status;
    status = cli_fail(anl_scheduler_create(&starts->permutation, starts->k, &scheduler), error);
    if (!status)
        answer->schedule =
            anl_scheduler_run(scheduler, starts->order, starts->worms, starts->starts);
    anl_scheduler_destroy(scheduler);
    return status;
}

// Makes the schedule, or takes it as the file has it.
static enum anl_status schedule(struct answer *answer, struct anl_error *error)
{
    const struct arguments *arguments = answer->arguments;
    const bool best = !arguments->order || strcmp(arguments->order, "best") == 0;
    if (arguments->check)
        answer->schedule = anl_schedule_measure(&answer->starts.permutation, answer->starts.k,
                                                answer->starts.starts);
    else if (best && !arguments->order_file)
        return cli_fail(search(answer), error);
    else
        return follow_order(answer, error);
    return ANL_OK;
}

// --- the check ---

static bool look_at_check(void *user, uint32_t step, uint32_t last)
{
    char detail[64];
    snprintf(detail, sizeof detail, "step %" PRIu32 " of %" PRIu32, step, last);
    cli_progress_update(user, (double)step / last, detail);
    return !cli_interrupted();
}

// Lets the machine run the schedule. After Ctrl-C in a search it runs as well, to its end.
static enum anl_status check_schedule(struct answer *answer, struct anl_error *error)
{
    struct cli_progress progress = {.what = "checking"};
    const struct anl_schedule_watch watch = {look_at_check, &progress};
    const struct starts *starts = &answer->starts;
    const enum anl_status status =
        anl_schedule_check(&starts->permutation, starts->k, starts->starts,
                           cli_interrupted() ? NULL : &watch, &answer->fault);
    cli_progress_end(&progress);
    if (status == ANL_ERR_STALLED)
        return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted while the schedule was checked");
    return cli_fail(status, error);
}

// --- printing ---

static void print_search(const struct answer *answer)
{
    const struct anl_search_result *result = &answer->search;
    if (!searches(answer)) return;
    printf("search      %" PRIu64 " tries, from %" PRIu32 " of order %s%s\n", result->tries,
           result->begin, answer->order, result->shortest ? ", until none can be shorter" : "");
    if (cli_interrupted()) puts("            interrupted: this is the shortest so far");
}

static void print_bounds(const struct answer *answer)
{
    const uint32_t n = answer->arguments->n, k = answer->arguments->k;
    const struct anl_schedule_lower *lower = &answer->lower;
    const uint32_t bound = anl_schedule_bound(n, k);
    printf("bound       %" PRIu32 " in any order, with starts to %" PRIu32 "; %" PRIu32
           " by descending h; this is %.3f of the first\n",
           bound, anl_schedule_bound_start(n, k), anl_schedule_bound_h_descending(n, k),
           bound ? (double)answer->schedule.makespan / bound : 0);
    printf("lower bound %" PRIu32 " for any paths (distance %" PRIu32 ", cuts %" PRIu32
           "), %" PRIu32 " for paths with one bend\n",
           lower->any, lower->distance, lower->cut, lower->one_bend);
}

static void print_text(const struct answer *answer)
{
    const struct arguments *arguments = answer->arguments;
    const struct anl_schedule *schedule = &answer->schedule;
    char fault[256];
    anl_schedule_fault_text(&answer->fault, arguments->n, fault, sizeof fault);
    printf("worms       %" PRIu32 " on a mesh of %" PRIu32 " x %" PRIu32 ", k = %" PRIu32
           "; %" PRIu32 " use links\n",
           answer->starts.worms, arguments->n, arguments->n, arguments->k, schedule->worms);
    if (answer->order) printf("order       %s\n", answer->order);
    print_search(answer);
    printf("makespan    %" PRIu32 "\nstarts      sum %" PRIu64 ", largest %" PRIu32 "\n",
           schedule->makespan, schedule->sum, schedule->largest);
    print_bounds(answer);
    printf("check       %s\n", fault);
}

static json_t *search_object(const struct answer *answer)
{
    const struct anl_search_result *result = &answer->search;
    return json_pack("{s:o, s:o, s:b, s:b}", "tries", cli_integer(result->tries), "from",
                     cli_integer(result->begin), "interrupted", cli_interrupted(), "shortest",
                     result->shortest);
}

static json_t *fault_object(const struct answer *answer)
{
    const struct anl_schedule_fault *fault = &answer->fault;
    char text[256];
    anl_schedule_fault_text(fault, answer->arguments->n, text, sizeof text);
    return json_pack("{s:o, s:s}", "step", cli_integer(fault->step), "text", text);
}

static int print_json(const struct answer *answer)
{
    const uint32_t n = answer->arguments->n, k = answer->arguments->k;
    const struct anl_schedule *schedule = &answer->schedule;
    const bool kept = answer->fault.rule == ANL_SCHEDULE_KEPT;
    return cli_print_json(json_pack(
        "{s:o, s:o, s:o, s:o, s:s?, s:o?, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, "
        "s:o?}",
        "n", cli_integer(n), "k", cli_integer(k), "worms", cli_integer(answer->starts.worms),
        "moving", cli_integer(schedule->worms), "order", answer->order, "search",
        searches(answer) ? search_object(answer) : NULL, "makespan",
        cli_integer(schedule->makespan), "sum_of_starts", cli_integer(schedule->sum),
        "largest_start", cli_integer(schedule->largest), "bound",
        cli_integer(anl_schedule_bound(n, k)), "bound_start",
        cli_integer(anl_schedule_bound_start(n, k)), "bound_h_descending",
        cli_integer(anl_schedule_bound_h_descending(n, k)), "lower_bound",
        cli_integer(answer->lower.any), "lower_distance", cli_integer(answer->lower.distance),
        "lower_cut", cli_integer(answer->lower.cut), "lower_one_bend",
        cli_integer(answer->lower.one_bend), "valid", kept, "fault",
        kept ? NULL : fault_object(answer)));
}

// --- the command ---

static enum anl_status write_files(const struct answer *answer, struct anl_error *error)
{
    const struct arguments *arguments = answer->arguments;
    enum anl_status status = ANL_OK;
    if (arguments->output) status = starts_write(arguments->output, &answer->starts, error);
    if (!status && arguments->messages)
        status = starts_write_messages(arguments->messages, &answer->starts, error);
    if (!status && arguments->svg)
        status = starts_draw(arguments->svg, &answer->starts, &answer->schedule, error);
    return status;
}

static int answer_question(struct answer *answer)
{
    struct anl_error error = {0};
    enum anl_status status = read_worms(answer, &error);
    if (!status) status = schedule(answer, &error);
    if (!status)
        status = cli_fail(
            anl_schedule_lower(&answer->starts.permutation, answer->starts.k, &answer->lower),
            &error);
    if (!status) status = check_schedule(answer, &error);
    const bool kept = answer->fault.rule == ANL_SCHEDULE_KEPT;
    if (!status && kept) status = write_files(answer, &error);
    if (status) return cli_complain(&error);
    int printed = CLI_OK;
    if (answer->arguments->json)
        printed = print_json(answer);
    else
        print_text(answer);
    if (printed != CLI_OK) return printed;
    return kept ? CLI_OK : CLI_NO;
}

int cmd_schedule(int argc, char **argv);  // parts.inc
int cmd_schedule(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &no_inputs,
        .options = options,
        .rules = rules,
        .check = check_options,
        .help =
            "Finds start times for worms on a mesh whose nodes have no buffers, so that no two "
            "flits ever want one link: each worm goes along its row, then along a column, and "
            "never "
            "waits; or worms take given paths on any graph (papers/roberts_symvonis/schedule.md). "
            "A "
            "machine without buffers checks every schedule.\v"
            "Exit status: 0 done, 1 the schedule that was checked breaks a rule, 2 bad usage or "
            "bad input."};
    struct arguments arguments = {.seed = 1};
    struct answer answer = {.arguments = &arguments};
    cli_parse(&command, argc, argv, &arguments);
    if (arguments.paths)
        return schedule_paths(&(struct paths_arguments){.paths = arguments.paths,
                                                        .order = arguments.order,
                                                        .check = arguments.check,
                                                        .output = arguments.output,
                                                        .k = arguments.k,
                                                        .json = arguments.json});
    if (searches(&answer)) cli_catch_interrupt();  // which keeps the shortest schedule so far
    const int exit_status = answer_question(&answer);
    starts_free(&answer.starts);
    return exit_status;
}
