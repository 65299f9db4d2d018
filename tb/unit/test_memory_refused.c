// SPDX-License-Identifier: Apache-2.0
//
// When there is no memory: every call of the library that allocates is made with its first
// allocation refused, then its second, and so on until none is refused. Each time it must say
// ANL_ERR_MEMORY, leave nothing behind (the sanitized tests see to that) and work again afterwards.
// The linker hands the library's allocations to this file (cmodel.mk).

#include "unit.h"

#include <annelid/annelid.h>
#include <annelid/layout.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);

// The linker's names carry no user's pointer. Stories are told by a thread of their own.
static atomic_long left;        // allocations until the one that is refused
static atomic_bool has_failed;  // it has been

enum { NEVER = 1 << 30 };

static bool refuse(void)
{
    if (atomic_fetch_sub(&left, 1) != 1) return false;
    atomic_store(&has_failed, true);
    return true;
}

void *__wrap_malloc(size_t size) { return refuse() ? NULL : __real_malloc(size); }

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return refuse() ? NULL : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text) { return refuse() ? NULL : __real_strdup(text); }

static char directory[] = "/tmp/test_memory.XXXXXX";
static char file[sizeof directory + 16];

// Something that allocates; what it makes it also frees.
typedef enum anl_status action(const void *with);

// Returns how many allocations it makes. most: where it must have come to an end.
static long refuse_each(action *deed, const void *with, long most)
{
    for (long nth = 1; nth <= most; nth++) {
        atomic_store(&has_failed, false);
        atomic_store(&left, nth);
        const enum anl_status status = deed(with);
        const long rest = atomic_exchange(&left, NEVER);
        if (!atomic_load(&has_failed)) {
            assert_int_equal(status, ANL_OK);
            assert_true(rest > 0);
            return nth - 1;
        }
        if (status != ANL_ERR_MEMORY) fail_msg("allocation %ld refused: status %d", nth, status);
    }
    fail_msg("still allocates after %ld", most);
    return most;
}

static void load(const char *text, struct anl_scenario *scenario)
{
    struct anl_error error;
    atomic_store(&left, NEVER);
    if (anl_scenario_parse(text, strlen(text), "test", "", scenario, &error) != ANL_OK)
        fail_msg("%s", error.text);
}

// --- runs ---

static const char *const runs[] = {
    "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 2, scan: random}\n"
    "traffic: {load: 0.9, length: [1, 8]}\nrun: {cycles: 300}\n",
    "network: {topology: torus, k: 4, n: 2}\nswitch: {num_vcs: 2, admission: cut_through}\n"
    "traffic: {process: batch, worms_per_terminal: 40, delays: 8, length: 4}\n",
    "network: {topology: unidirectional_torus, k: 5, n: 1}\n"
    "switch: {routing: dimension_order, depth: 1}\n"
    "traffic: {pattern: tornado, process: batch, worms_per_terminal: 4, length: 32}\n",
    "network: {topology: fat_tree, n: 2}\n"
    "switch: {num_vcs: 2, routing: up_down_greedy, admission: store_and_forward, space: chained}\n"
    "traffic: {process: bursty, load: 0.8, length: 4}\nrun: {cycles: 400}\n",
    "network: {topology: hypercube, n: 3}\n"
    "traffic: {process: request_reply, worms_per_terminal: 60, pattern: q_relation}\n",
    "network: {topology: mesh, k: 2, n: 1}\nswitch: {depth: 64}\n"
    "traffic: {load: 1, length: 1}\nrun: {cycles: 1500}\n",
};

static void forget(struct anl_windows *windows, struct anl_latencies *latencies)
{
    free(windows->at);
    free(latencies->count);
}

static enum anl_status run_all(const struct anl_scenario *scenario, bool with_story)
{
    struct anl_windows windows = {.cycles = 16};
    struct anl_latencies latencies = {0};
    struct anl_run_result result;
    struct anl_error error = {0};
    struct anl_story *story = NULL;
    struct anl_trace_writer *writer = NULL;
    enum anl_status status = ANL_OK;
    if (with_story) status = anl_story_create(&scenario->network, NULL, &story);
    if (!with_story)
        status = anl_trace_create(file, ANL_TRACE_BINARY, 1, scenario->text, &writer, &error);
    const struct anl_run_options options = {.digest = !with_story,
                                            .referee = !with_story,
                                            .trace = writer,
                                            .story = story,
                                            .shuffle = 7,
                                            .windows = &windows,
                                            .latencies = &latencies};
    if (status == ANL_OK) status = anl_run(scenario, &options, &result, &error);
    if (status == ANL_OK && writer) {
        status = anl_trace_finish(writer, result.cycles, &error);
        writer = NULL;
    }
    if (writer) anl_trace_abandon(writer);
    anl_story_destroy(story);
    forget(&windows, &latencies);
    return status;
}

static enum anl_status run_and_judge(const void *with) { return run_all(with, false); }
static enum anl_status run_and_tell(const void *with) { return run_all(with, true); }

static void runs_say_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct anl_scenario scenario;
        load(runs[i], &scenario);
        assert_true(refuse_each(run_and_judge, &scenario, 4000) > 20);
        assert_true(refuse_each(run_and_tell, &scenario, 4000) > 20);
        anl_scenario_free(&scenario);
    }
}

// --- scenarios ---

static enum anl_status load_file(const void *with)
{
    static const char *const settings[] = {"switch.num_vcs=2", "traffic.messages=messages.txt"};
    struct anl_scenario scenario;
    const enum anl_status status = anl_scenario_load_with(with, settings, 2, &scenario, NULL);
    anl_scenario_free(&scenario);
    return status;
}

static enum anl_status load_plain(const void *with)
{
    struct anl_scenario scenario;
    const enum anl_status status = anl_scenario_load(with, &scenario, NULL);
    anl_scenario_free(&scenario);
    return status;
}

static void write_text(const char *name, const char *text)
{
    char path[sizeof directory + 32];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

static void scenarios_say_so(void **state)
{
    (void)state;
    char path[sizeof directory + 16];
    snprintf(path, sizeof path, "%s/replay", directory);
    write_text("messages.txt", "0 0 1 2\n1 1 0 3\n");
    write_text("replay", "network: {topology: mesh, k: 2, n: 1}\n"
                         "traffic: {process: replay, messages: messages.txt}\n");
    assert_true(refuse_each(load_plain, path, 100) > 3);
    assert_true(refuse_each(load_file, path, 100) > 3);
}

// --- traces ---

static enum anl_status read_trace(const void *with)
{
    struct anl_trace_reader *reader = NULL;
    struct anl_record record = {0};
    struct anl_error error = {0};
    enum anl_status status = anl_trace_open(with, &reader, &error);
    while (status == ANL_OK && record.kind != ANL_RECORD_END)
        status = anl_trace_next(reader, &record, &error);
    anl_trace_close(reader);
    return status;
}

static void write_trace(const struct anl_scenario *scenario, enum anl_trace_form form)
{
    struct anl_trace_writer *writer;
    struct anl_run_result result;
    struct anl_error error;
    assert_int_equal(anl_trace_create(file, form, 1, scenario->text, &writer, &error), ANL_OK);
    const struct anl_run_options options = {.trace = writer};
    assert_int_equal(anl_run(scenario, &options, &result, &error), ANL_OK);
    assert_int_equal(anl_trace_finish(writer, result.cycles, &error), ANL_OK);
}

static void readers_of_traces_say_so(void **state)
{
    (void)state;
    struct anl_scenario scenario;
    load(runs[5], &scenario);  // more worms than the first table of lengths holds
    for (int form = ANL_TRACE_TEXT; form <= ANL_TRACE_BINARY; form++) {
        write_trace(&scenario, (enum anl_trace_form)form);
        assert_true(refuse_each(read_trace, file, 100) > 3);
    }
    anl_scenario_free(&scenario);
}

// --- networks ---

static enum anl_status grow_network(const void *with)
{
    struct anl_net *net = NULL;
    enum anl_status status = anl_net_create(with, &net);
    for (int i = 0; status == ANL_OK && i < 3000; i++)
        status = anl_net_offer(net, 0, 1, 1, NULL);
    if (status == ANL_OK) status = anl_net_shuffle(net, 3);
    anl_net_destroy(net);
    return status;
}

static enum anl_status draw_layout(const void *with)
{
    struct anl_layout layout;
    struct anl_error error = {0};
    const enum anl_status status = anl_layout_create(with, &layout, &error);
    if (status == ANL_OK) anl_layout_free(&layout);
    return status;
}

static enum anl_status look_for_cycles(const void *with)
{
    struct anl_cdg *cdg = NULL;
    uint32_t *lanes = NULL;
    size_t count;
    bool acyclic;
    enum anl_status status = anl_cdg_of(with, &cdg);
    if (status == ANL_OK) status = anl_cdg_is_acyclic(cdg, &acyclic);
    if (status == ANL_OK) status = anl_cdg_cycle(cdg, &lanes, &count);
    free(lanes);
    anl_cdg_destroy(cdg);
    return status;
}

static void networks_say_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof unit_networks / sizeof *unit_networks; i++) {
        struct anl_config config = unit_networks[i];
        config.depth = 2;
        config.flit_width_bits = 64;
        if (config.k * config.n < 3) continue;  // terminal 1 is needed
        assert_true(refuse_each(grow_network, &config, 100) > 10);
        assert_true(refuse_each(draw_layout, &config, 100) > 3);
        assert_true(refuse_each(look_for_cycles, &config, 100) > 5);
    }
}

// --- the dead of a story ---

static enum anl_status ask_for_the_dead(const void *with)
{
    const struct anl_scenario *scenario = with;
    struct anl_story *story = NULL;
    struct anl_run_result result;
    struct anl_error error = {0};
    uint32_t *dead = NULL;
    size_t count;
    enum anl_status status = anl_story_create(&scenario->network, NULL, &story);
    const struct anl_run_options options = {.story = story};
    if (status == ANL_OK) status = anl_run(scenario, &options, &result, &error);
    if (status == ANL_OK) status = anl_story_dead(story, &dead, &count);
    if (status == ANL_OK) status = count ? ANL_OK : ANL_ERR_ARGUMENT;
    free(dead);
    anl_story_destroy(story);
    return status;
}

static void stories_of_deadlocks_say_so(void **state)
{
    (void)state;
    struct anl_scenario scenario;
    load(runs[2], &scenario);
    assert_true(refuse_each(ask_for_the_dead, &scenario, 1000) > 30);
    anl_scenario_free(&scenario);
}

static int prepare(void **state)
{
    (void)state;
    atomic_store(&left, NEVER);
    if (!mkdtemp(directory)) return -1;
    snprintf(file, sizeof file, "%s/trace", directory);
    return 0;
}

static int clear(void **state)
{
    (void)state;
    char line[sizeof directory + 16];
    snprintf(line, sizeof line, "rm -rf %s", directory);
    return system(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_say_so),
        cmocka_unit_test(scenarios_say_so),
        cmocka_unit_test(readers_of_traces_say_so),
        cmocka_unit_test(networks_say_so),
        cmocka_unit_test(stories_of_deadlocks_say_so),
    };
    return cmocka_run_group_tests(tests, prepare, clear);
}
