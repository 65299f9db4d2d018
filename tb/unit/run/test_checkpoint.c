// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints of runs (docs/checkpoint.md): a run that is stopped and goes on has the result, the
// digest, the verdict of the referee and the trace of one that never stopped. A checkpoint that is
// damaged, or of another run, is refused, and says why.

#include "unit.h"

#include <annelid/run.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char room[] = "/tmp/annelid-checkpoint-XXXXXX";
static char checkpoint_path[64], one_path[64], kept_path[64], partial_path[80];

static struct anl_scenario parse(const char *text)
{
    struct anl_scenario scenario;
    struct anl_error error = {0};
    if (anl_scenario_parse(text, strlen(text), "inline", "", &scenario, &error))
        fail_msg("line %u: %s\n%s", (unsigned)error.line, error.text, text);
    return scenario;
}

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

// Reads a file; the caller frees it.
static char *read_file(const char *path, size_t *bytes)
{
    struct stat there;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &there), 0);
    char *text = malloc((size_t)there.st_size + 1);
    assert_non_null(text);
    *bytes = fread(text, 1, (size_t)there.st_size, file);
    assert_int_equal(*bytes, there.st_size);
    fclose(file);
    return text;
}

static void write_file(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

// ---------------------------------------------------------------- runs

static bool end_run(void *user, const struct anl_engine *engine)
{
    (void)user, (void)engine;
    return false;
}

static const struct anl_checkpoint checkpoint = {
    .path = checkpoint_path, .every = 50, .question = 7, .name = "the scenario"};

// Runs a scenario to its end, or stops it after so many cycles (0: it is not stopped).
static enum anl_status run_some(const struct anl_scenario *scenario, struct anl_run_options options,
                                uint64_t cycles, struct anl_run_result *result,
                                struct anl_error *error)
{
    *error = (struct anl_error){0};
    options.progress_cycles = cycles;
    options.progress = cycles ? end_run : NULL;
    return anl_run(scenario, &options, result, error);
}

static struct anl_trace_writer *trace_of(const struct anl_scenario *scenario, bool kept,
                                         enum anl_trace_form form)
{
    struct anl_trace_writer *trace;
    struct anl_error error = {0};
    if ((kept ? anl_trace_create_kept : anl_trace_create)(
            kept ? kept_path : one_path, form, scenario->run.seed, scenario->text, &trace, &error))
        fail_msg("%s: %s", error.file, error.text);
    return trace;
}

static void finish_trace(struct anl_trace_writer *trace, const struct anl_run_result *result)
{
    struct anl_error error = {0};
    if (anl_trace_finish(trace, result->cycles, &error)) fail_msg("%s", error.text);
}

static void expect_same_results(struct anl_run_result *one, struct anl_run_result *kept)
{
    one->cpu_seconds = kept->cpu_seconds = 0;
    for (enum anl_run_line line = 0; line < ANL_RUN_LINES; line++) {
        char a[ANL_RUN_LINE_BYTES] = "", b[ANL_RUN_LINE_BYTES] = "";
        anl_run_line(one, line, a, sizeof a);
        anl_run_line(kept, line, b, sizeof b);
        assert_string_equal(a, b);
    }
    assert_true(memcmp(&one->totals, &kept->totals, sizeof one->totals) == 0);
    assert_true(one->digest == kept->digest && one->measured == kept->measured);
}

static void expect_same_files(void)
{
    size_t bytes, kept_bytes;
    char *one = read_file(one_path, &bytes), *kept = read_file(kept_path, &kept_bytes);
    assert_int_equal(bytes, kept_bytes);
    assert_memory_equal(one, kept, bytes);
    free(one);
    free(kept);
    unlink(one_path);
    unlink(kept_path);
}

// Runs a scenario once to its end and once with stops after all these cycles, in which each time
// all is forgotten but the checkpoint and what is beside the trace.
static void try_stops(const char *text, const uint64_t *stops, size_t count,
                      enum anl_trace_form form)
{
    struct anl_scenario scenario = parse(text);
    struct anl_run_result one, kept;
    struct anl_error error;
    struct anl_run_options options = {.digest = true, .referee = true};
    options.trace = trace_of(&scenario, false, form);
    assert_int_equal(run_some(&scenario, options, 0, &one, &error), ANL_OK);
    finish_trace(options.trace, &one);

    options.checkpoint = &checkpoint;
    for (size_t i = 0; i <= count; i++) {
        options.trace = trace_of(&scenario, true, form);
        if (run_some(&scenario, options, i < count ? stops[i] : 0, &kept, &error))
            fail_msg("%s: %s\n%s", error.file, error.text, text);
        if (kept.end != ANL_RUN_STOPPED) break;
        assert_true(is_there(checkpoint_path) && kept.cycles % stops[i] == 0);
        anl_trace_abandon(options.trace);
        assert_true(is_there(partial_path) && !is_there(kept_path));
    }
    finish_trace(options.trace, &kept);
    assert_false(is_there(partial_path));
    expect_same_results(&one, &kept);
    expect_same_files();
    unlink(checkpoint_path);
    anl_scenario_free(&scenario);
}

static const char *const texts[] = {
    "network: {topology: torus, k: 4, n: 2}\nswitch: {num_vcs: 2, depth: 4}\n"
    "traffic: {load: 0.25, length: [1, 4, 9]}\nrun: {seed: 3, cycles: 600, warmup_cycles: 100}\n",
    "network: {topology: fat_tree, n: 2}\n"
    "switch: {num_vcs: 2, depth: 4, routing: up_down_greedy, arbiter: farthest, credits: bypass}\n"
    "traffic: {load: 0.25, length: [1, 4, 9]}\nrun: {seed: 3, cycles: 600, warmup_cycles: 100}\n",
    "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 4, depth: 2, link: wide, arbiter: "
    "random, flow_control: cut_through}\n"
    "traffic: {process: bursty, load: 0.4, length: 2}\nrun: {cycles: 600}\n",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 4, classes: 2}\n"
    "traffic: {process: request_reply, worms_per_terminal: 40, window: 3, length: 2, "
    "reply_length: 5, reply_queue: 2}\nrun: {max_cycles: 100000}\n",
    "network: {topology: torus, k: 5, n: 1, unsafe: true}\nswitch: {num_vcs: 1, routing: "
    "dimension_order, depth: 1}\ntraffic: {process: batch, worms_per_terminal: 40, pattern: "
    "tornado, length: 4, delays: 8, delay_cycles: 40}\nrun: {max_cycles: 100000}\n",
    "network: {topology: mesh, k: 8, n: 2}\nswitch: {num_vcs: 1}\n"
    "traffic: {load: 0.9, length: 8}\nrun: {cycles: 900, max_cycles: 1000, warmup_cycles: 300}\n",
    "network: {topology: butterfly, k: 2, n: 3, passes: 2}\nswitch: {num_vcs: 2}\n"
    "traffic: {load: 0.4, length: [1, 6]}\nrun: {cycles: 400, max_cycles: 2000}\n",
    "network: {topology: cube, radix: [3, 2], concentration: 2}\nswitch: {num_vcs: 4, classes: 2, "
    "routing: west_first}\ntraffic: {process: request_reply, worms_per_terminal: 30, window: 4, "
    "length: 2, reply_length: 5, reply_queue: 1}\nrun: {max_cycles: 100000}\n",
    "network: {topology: graph}\nswitch: {num_vcs: 2, classes: 2, stages: 2}\n"
    "traffic: {process: request_reply, worms_per_terminal: 50, window: 2, length: 3, reply_length: "
    "4, reply_queue: 1}\nrun: {max_cycles: 100000}\n"
    "graph:\n  switches: 3\n  terminals: [0, 1, 2, 2]\n  links: [[0, 1], [1, 2]]\n",
    "network: {topology: unidirectional_torus, k: 3, n: 2}\nswitch: {num_vcs: 3, routing: "
    "adaptive, "
    "link_cycles: 3}\ntraffic: {load: 0.3, length: [1, 5]}\nrun: {cycles: 400}\n",
    "network: {topology: hypercube, n: 3}\nswitch: {num_vcs: 1, arbiter: age}\n"
    "traffic: {load: 0.3, length: [1, 5]}\nrun: {cycles: 400}\n",
};

static void stopped_runs_go_on(void **state)
{
    static const uint64_t all_stops[][3] = {{97, 200, 330}, {1, 2, 250}, {50, 100, 150}};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        try_stops(texts[i], all_stops[i % 3], 3, i % 2 ? ANL_TRACE_TEXT : ANL_TRACE_BINARY);
}

// A run that Ctrl-C ends has had the same cycles as one that ends there at its limit, on each kind
// of network; that one is compared with the RTL.
static void a_stopped_run_is_one_with_a_limit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint64_t cycles = 1; cycles < 200; cycles += 22 * unit_step(4)) {
            struct anl_scenario scenario = parse(texts[i]);
            const struct anl_run_options options = {.digest = true};
            struct anl_run_result stopped, limited;
            struct anl_error error;
            assert_int_equal(run_some(&scenario, options, cycles, &stopped, &error), ANL_OK);
            scenario.run.max_cycles = cycles;
            assert_int_equal(run_some(&scenario, options, 0, &limited, &error), ANL_OK);
            if (stopped.end == ANL_RUN_STOPPED) assert_int_equal(limited.end, ANL_RUN_MAX_CYCLES);
            assert_int_equal(stopped.cycles, limited.cycles);
            assert_int_equal(stopped.digest, limited.digest);
            assert_int_equal(stopped.totals.delivered, limited.totals.delivered);
            anl_scenario_free(&scenario);
        }
}

// A run that is stopped while nothing moves any more is stalled in the same cycle.
static void a_stall_is_seen_in_its_cycle(void **state)
{
    struct anl_scenario scenario = parse(texts[4]);
    struct anl_run_result result;
    struct anl_error error;
    (void)state;
    assert_int_equal(run_some(&scenario, (struct anl_run_options){0}, 0, &result, &error), ANL_OK);
    assert_int_equal(result.end, ANL_RUN_STALLED);
    const uint64_t before[] = {result.cycles - 5};
    try_stops(texts[4], before, 1, ANL_TRACE_TEXT);
    anl_scenario_free(&scenario);
}

// ---------------------------------------------------------------- what is refused

static const char small[] = "network: {topology: mesh, k: 2, n: 1}\nswitch: {num_vcs: 1}\n"
                            "traffic: {load: 0.5, length: 3}\nrun: {cycles: 30}\n";

// Leaves a checkpoint of a run.
static void leave(const struct anl_scenario *scenario, bool digest, uint64_t cycles)
{
    struct anl_run_result result;
    struct anl_error error;
    const struct anl_run_options options = {.digest = digest, .checkpoint = &checkpoint};
    unlink(checkpoint_path);
    assert_int_equal(run_some(scenario, options, cycles, &result, &error), ANL_OK);
    assert_int_equal(result.cycles, cycles);
}

// Expects that a run does not go on from what is there.
static void expect_refusal(const struct anl_scenario *scenario, struct anl_run_options options,
                           enum anl_status status, const char *reason)
{
    struct anl_run_result result;
    struct anl_error error;
    if (!options.checkpoint) options.checkpoint = &checkpoint;
    assert_int_equal(run_some(scenario, options, 0, &result, &error), status);
    if (!strstr(error.text, reason)) fail_msg("'%s' does not say '%s'", error.text, reason);
    assert_string_equal(error.file, checkpoint_path);
}

static void damaged_ones_are_refused(void **state)
{
    struct anl_scenario scenario = parse(small);
    size_t count;
    (void)state;
    leave(&scenario, true, 12);
    char *bytes = read_file(checkpoint_path, &count);
    if (count < 100 || count > 4000) fail_msg("%zu bytes", count);
    for (size_t i = 0; i < count; i += i < 8 ? 1 : unit_step(7)) {
        bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
        write_file(checkpoint_path, bytes, count);
        bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
        expect_refusal(&scenario, (struct anl_run_options){.digest = true}, ANL_ERR_FORMAT,
                       i < 7   ? "this is no checkpoint"
                       : i < 8 ? "another version of the format"
                               : "is damaged");
    }
    for (size_t i = 0; i < count; i += i < 8 ? 1 : unit_step(7)) {
        write_file(checkpoint_path, bytes, i);
        expect_refusal(&scenario, (struct anl_run_options){.digest = true}, ANL_ERR_FORMAT,
                       i < 8 ? "this is no checkpoint" : "is damaged");
    }
    write_file(checkpoint_path, bytes, count);
    struct anl_run_result result;
    struct anl_error error;
    const struct anl_run_options options = {.digest = true, .checkpoint = &checkpoint};
    assert_int_equal(run_some(&scenario, options, 0, &result, &error), ANL_OK);
    free(bytes);
    unlink(checkpoint_path);
    anl_scenario_free(&scenario);
}

static void those_of_other_runs_are_refused(void **state)
{
    struct anl_scenario scenario = parse(small);
    struct anl_checkpoint other = checkpoint;
    (void)state;
    leave(&scenario, true, 12);
    other.question++;
    expect_refusal(&scenario, (struct anl_run_options){.digest = true, .checkpoint = &other},
                   ANL_ERR_ARGUMENT, "of another scenario, the scenario");
    expect_refusal(&scenario, (struct anl_run_options){.digest = false}, ANL_ERR_ARGUMENT,
                   "--digest");
    expect_refusal(&scenario, (struct anl_run_options){.digest = true, .referee = true},
                   ANL_ERR_ARGUMENT, "--referee");
    struct anl_trace_writer *trace = trace_of(&scenario, true, ANL_TRACE_TEXT);
    expect_refusal(&scenario, (struct anl_run_options){.digest = true, .trace = trace},
                   ANL_ERR_ARGUMENT, "--trace");
    anl_trace_abandon(trace);
    assert_false(is_there(partial_path));

    struct anl_run_result result;
    struct anl_error error;
    other.restart = true;
    const struct anl_run_options options = {.checkpoint = &other};
    assert_int_equal(run_some(&scenario, options, 20, &result, &error), ANL_OK);
    assert_int_equal(result.cycles, 20);
    unlink(checkpoint_path);
    anl_scenario_free(&scenario);
}

// A file of somebody else is not thrown away either.
static void only_a_checkpoint_is_thrown_away(void **state)
{
    struct anl_scenario scenario = parse(small);
    struct anl_checkpoint anew = checkpoint;
    const struct anl_run_options options = {.checkpoint = &anew};
    struct anl_run_result result;
    struct anl_error error;
    (void)state;
    anew.restart = true;
    write_file(checkpoint_path, "my own notes\n", 13);
    expect_refusal(&scenario, options, ANL_ERR_FORMAT, "this is no checkpoint");
    size_t count;
    char *bytes = read_file(checkpoint_path, &count);
    assert_int_equal(count, 13);
    assert_memory_equal(bytes, "my own notes\n", 13);
    free(bytes);
    write_file(checkpoint_path, "", 0);
    assert_int_equal(run_some(&scenario, options, 20, &result, &error), ANL_OK);
    bytes = read_file(checkpoint_path, &count);
    write_file(checkpoint_path, bytes, count - 9);
    assert_int_equal(run_some(&scenario, options, 20, &result, &error), ANL_OK);
    free(bytes);
    unlink(checkpoint_path);
    anl_scenario_free(&scenario);
}

// What is beside the trace must be what it was, and stays if a run is refused.
static void a_changed_trace_is_refused(void **state)
{
    struct anl_scenario scenario = parse(texts[5]);
    struct anl_run_options options = {.checkpoint = &checkpoint};
    struct anl_run_result result;
    struct anl_error error;
    size_t count;
    (void)state;
    options.trace = trace_of(&scenario, true, ANL_TRACE_TEXT);
    assert_int_equal(run_some(&scenario, options, 400, &result, &error), ANL_OK);
    anl_trace_abandon(options.trace);
    options.trace = trace_of(&scenario, true, ANL_TRACE_TEXT);
    expect_refusal(
        &scenario,
        (struct anl_run_options){.checkpoint = &checkpoint, .trace = options.trace, .digest = true},
        ANL_ERR_ARGUMENT, "--digest");
    anl_trace_abandon(options.trace);
    char *bytes = read_file(partial_path, &count);
    assert_true(count > 1000);
    for (int what = 0; what < 2; what++) {
        bytes[count / 2] ^= 1;
        write_file(partial_path, bytes, what ? count / 3 : count);
        bytes[count / 2] ^= 1;
        options.trace = trace_of(&scenario, true, ANL_TRACE_TEXT);
        assert_int_equal(run_some(&scenario, options, 0, &result, &error), ANL_ERR_FORMAT);
        assert_string_equal(error.file, partial_path);
        anl_trace_abandon(options.trace);
    }
    free(bytes);
    unlink(checkpoint_path);
    unlink(partial_path);
    anl_scenario_free(&scenario);
}

static void a_file_of_others_beside_the_trace_stays(void **state)
{
    struct anl_scenario scenario = parse(small);
    struct anl_trace_writer *trace;
    struct anl_error error;
    size_t count;
    (void)state;
    write_file(partial_path, "my own notes, of some length\n", 29);
    assert_int_equal(
        anl_trace_create_kept(kept_path, ANL_TRACE_TEXT, 1, scenario.text, &trace, &error),
        ANL_ERR_IO);
    assert_string_equal(error.file, partial_path);
    assert_non_null(strstr(error.text, "is not replaced"));
    char *bytes = read_file(partial_path, &count);
    assert_int_equal(count, 29);
    assert_memory_equal(bytes, "my own notes, of some length\n", 29);
    free(bytes);
    unlink(partial_path);
    anl_scenario_free(&scenario);
}

// It would be in vain to run until the first checkpoint is due.
static void bad_paths_are_refused_at_once(void **state)
{
    static const struct {
        const char *path, *reason;
    } bad[] = {{"-", "an ordinary file"},
               {"/", "an ordinary file"},
               {"/dev/null", "an ordinary file"},
               {"/nowhere/run.ckpt", "cannot write"}};
    struct anl_scenario scenario = parse(small);
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof bad / sizeof *bad); i++) {
        struct anl_checkpoint there = checkpoint;
        const struct anl_run_options options = {.checkpoint = &there};
        struct anl_run_result result;
        struct anl_error error;
        there.path = bad[i / 2].path;
        there.restart = i % 2;
        assert_int_not_equal(run_some(&scenario, options, 0, &result, &error), ANL_OK);
        assert_string_equal(error.file, there.path);
        if (!strstr(error.text, bad[i / 2].reason)) fail_msg("%s: %s", error.file, error.text);
    }
    anl_scenario_free(&scenario);
}

static void what_has_no_checkpoint_is_refused(void **state)
{
    struct anl_scenario scenario = parse(small);
    struct anl_windows windows = {.cycles = 10};
    struct anl_run_options options = {.checkpoint = &checkpoint};
    struct anl_run_result result;
    struct anl_error error;
    (void)state;
    options.windows = &windows;
    assert_int_equal(run_some(&scenario, options, 0, &result, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "windows"));
    assert_false(is_there(checkpoint_path));
    anl_scenario_free(&scenario);
}

static int make_room(void **state)
{
    (void)state;
    if (!mkdtemp(room)) return -1;
    snprintf(checkpoint_path, sizeof checkpoint_path, "%s/run.ckpt", room);
    snprintf(one_path, sizeof one_path, "%s/one", room);
    snprintf(kept_path, sizeof kept_path, "%s/kept", room);
    snprintf(partial_path, sizeof partial_path, "%s.partial", kept_path);
    return 0;
}

static int leave_room(void **state)
{
    (void)state;
    return rmdir(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_runs_go_on),
        cmocka_unit_test(a_stopped_run_is_one_with_a_limit),
        cmocka_unit_test(a_stall_is_seen_in_its_cycle),
        cmocka_unit_test(damaged_ones_are_refused),
        cmocka_unit_test(those_of_other_runs_are_refused),
        cmocka_unit_test(only_a_checkpoint_is_thrown_away),
        cmocka_unit_test(a_changed_trace_is_refused),
        cmocka_unit_test(a_file_of_others_beside_the_trace_stays),
        cmocka_unit_test(bad_paths_are_refused_at_once),
        cmocka_unit_test(what_has_no_checkpoint_is_refused),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, make_room, leave_room);
}
