// SPDX-License-Identifier: Apache-2.0
//
// Memory runs out at every place where it can. Each call that allocates is made with its first
// allocation refused, then with its second one, and so on until none is. Each time it must return
// ANL_ERR_MEMORY and leave nothing behind, and it must work when there is memory. The linker sends
// every allocation of the library through this file (cmodel.mk). Here an allocation of no bytes
// returns NULL, as it may, and the bytes of malloc() are not zero.

#include "unit_traffic.h"

#include <annelid/annelid.h>
#include <annelid/layout.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NEVER = 1 << 30 };

// The functions that the linker redirects get no pointer of the user, so their state is static. It
// is atomic because a blocking analysis is fed by a thread of its own.
static atomic_long left = NEVER;  // allocations up to the one that is refused; 1: the next
static atomic_bool has_refused;
static atomic_long live;  // allocations that are not freed

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
FILE *__real_open_memstream(char **text, size_t *bytes);
void __real_free(void *memory);

// A refused allocation sets errno, as POSIX says.
static bool grant(void)
{
    if (atomic_fetch_sub(&left, 1) != 1) return true;
    atomic_store(&has_refused, true);
    errno = ENOMEM;
    return false;
}

static void *noted(void *memory)
{
    if (memory) atomic_fetch_add(&live, 1);
    return memory;
}

void *__wrap_malloc(size_t size)
{
    void *memory = size && grant() ? noted(__real_malloc(size)) : NULL;
    return memory ? memset(memory, 0xff, size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return count && size && grant() ? noted(__real_calloc(count, size)) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
    if (!grant()) return NULL;
    void *memory = __real_realloc(old, size);
    return old ? memory : noted(memory);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return grant() ? noted(__real_aligned_alloc(alignment, size)) : NULL;
}

char *__wrap_strdup(const char *text) { return grant() ? noted(__real_strdup(text)) : NULL; }

// The caller frees the text.
FILE *__wrap_open_memstream(char **text, size_t *bytes)
{
    return grant() ? noted(__real_open_memstream(text, bytes)) : NULL;
}

void __wrap_free(void *memory)
{
    if (memory) atomic_fetch_sub(&live, 1);
    __real_free(memory);
}

// A function that allocates, and frees what it makes.
typedef enum anl_status action(const void *with);

// Returns the number of allocations of the action.
static long refuse_each(action *deed, const void *with)
{
    enum { MOST = 10000 };
    const long before = atomic_load(&live);
    for (long nth = 1; nth <= MOST; nth++) {
        atomic_store(&has_refused, false);
        atomic_store(&left, nth);
        const enum anl_status status = deed(with);
        atomic_store(&left, NEVER);
        if (atomic_load(&live) != before)
            fail_msg("allocation %ld refused, %ld not freed", nth, atomic_load(&live) - before);
        if (!atomic_load(&has_refused)) {
            assert_int_equal(status, ANL_OK);
            return nth - 1;
        }
        if (status != ANL_ERR_MEMORY)
            fail_msg("allocation %ld refused: %s", nth, anl_status_text(status));
    }
    fail_msg("still allocates after %d", MOST);
    return MOST;
}

static char directory[] = "/tmp/test_memory.XXXXXX";
static char file[sizeof directory + 16];

// --- networks ---

static const struct anl_config tree = {.topology = ANL_FAT_TREE,
                                       .k = 4,
                                       .n = 2,
                                       .num_vcs = 2,
                                       .routing = ANL_UP_DOWN_RANDOM,
                                       .credits = ANL_BYPASS};

static struct anl_config network(uint32_t i, enum anl_arbiter arbiter,
                                 enum anl_flow_control flow_control)
{
    struct anl_config config = i < UNIT_NUM_NETWORKS ? unit_networks[i] : tree;
    config.depth = 4;
    config.flit_width_bits = 64;
    config.arbiter = arbiter;
    config.flow_control = flow_control;
    return config;
}

static enum anl_status make_net(const void *config)
{
    struct anl_engine *net = (struct anl_engine *)&net;
    const enum anl_status status = anl_engine_create(config, &net);
    assert_true((net == NULL) == (status != ANL_OK));
    anl_engine_destroy(net);
    return status;
}

static enum anl_status make_batch(const void *config)
{
    struct anl_network *network;
    struct anl_batch *batch = (struct anl_batch *)&batch;
    enum anl_status status = anl_network_create(config, &network);
    if (status) return status;
    status = anl_batch_create(network, 16, &batch);
    assert_true((batch == NULL) == (status != ANL_OK));
    anl_batch_destroy(batch);
    anl_network_destroy(network);
    return status;
}

static enum anl_status make_referee(const void *config)
{
    struct anl_referee *referee = (struct anl_referee *)&referee;
    const enum anl_status status = anl_referee_create(config, &referee);
    assert_true((referee == NULL) == (status != ANL_OK));
    anl_referee_destroy(referee);
    return status;
}

// Lets a referee of terminals that refuse hear of a reply, which it notes.
static enum anl_status hear_of_a_reply(const void *config)
{
    struct anl_referee *referee;
    enum anl_status status = anl_referee_create(config, &referee);
    if (status) return status;
    const struct anl_worm reply = {.role = ANL_REPLY, .destination = 1, .length = 1};
    const bool fine = anl_referee_worm(referee, &reply);
    status = anl_referee_status(referee);
    assert_true(fine == (status == ANL_OK));
    anl_referee_destroy(referee);
    return status;
}

static void networks_and_referees_are_made_whole_or_not_at_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= UNIT_NUM_NETWORKS; i++)
        for (int flow_control = ANL_WORMHOLE; flow_control <= ANL_STORE_AND_FORWARD;
             flow_control++) {
            const struct anl_config config =
                network(i, (enum anl_arbiter)((int)i % 5), (enum anl_flow_control)flow_control);
            assert_true(refuse_each(make_net, &config) > 10);
            assert_true(refuse_each(make_referee, &config) > 3);
            if ((uint32_t)flow_control == i % 3 && anl_batch_can(&config))
                assert_true(refuse_each(make_batch, &config) > 50);
        }
    struct anl_config wide = network(0, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    wide.link = ANL_WIDE;
    assert_true(refuse_each(make_net, &wide) > 10);
    struct anl_config refusing = network(UNIT_NUM_NETWORKS, ANL_FIXED, ANL_WORMHOLE);
    refusing.reply_queue = 1;
    assert_true(refuse_each(hear_of_a_reply, &refusing) > refuse_each(make_referee, &refusing));
}

enum { MANY_WORMS = 5000 };

// A worm that could not be enqueued leaves the net as it was, so the same one is enqueued again.
static void worms_without_memory_are_refused_and_taken_later(void **state)
{
    (void)state;
    const struct anl_config config = network(UNIT_NUM_NETWORKS, ANL_AGE, ANL_WORMHOLE);
    const uint32_t terminals = anl_shape_of(&config).terminals;
    size_t failed = 0;
    struct anl_engine *net;
    assert_int_equal(anl_engine_create(&config, &net), ANL_OK);
    for (uint32_t i = 0; i < MANY_WORMS; i++) {
        uint32_t id = UINT32_MAX;
        const long before = live;
        for (left = 1; anl_engine_enqueue(net, i % terminals, i * 7 % terminals, 2, &id);
             failed++) {
            assert_int_equal(id, UINT32_MAX);
            assert_int_equal(anl_engine_totals(net).enqueued, i);
            assert_int_equal(live, before);
            left = 1 + (long)(failed % 3);
        }
        left = NEVER;
        assert_int_equal(id, i);
        const struct anl_worm *worm = anl_engine_worm(net, i / 2);
        assert_true(worm && worm->id == i / 2 && worm->destination == i / 2 * 7 % terminals);
    }
    assert_true(failed >= 6);
    while (anl_engine_totals(net).delivered < MANY_WORMS &&
           anl_engine_cycle(net) < 100 * MANY_WORMS)
        anl_engine_step(net);
    assert_int_equal(anl_engine_totals(net).delivered, MANY_WORMS);
    anl_engine_destroy(net);
}

// Worms that were delivered before the table grew take no room in it: once all are delivered there
// is room for as many as it holds.
static void a_table_that_grew_has_room(void **state)
{
    (void)state;
    enum { EARLY = 100, QUEUED = 1100, MORE = 2000 };
    static const uint32_t new_worms[] = {EARLY, QUEUED, MORE};
    const struct anl_config config = network(1, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct anl_engine *net;
    uint64_t enqueued = 0;
    assert_int_equal(anl_engine_create(&config, &net), ANL_OK);
    for (size_t i = 0; i < sizeof new_worms / sizeof *new_worms; i++) {
        const long before = live;
        left = new_worms[i] == QUEUED ? NEVER : 1;
        for (uint32_t w = 0; w < new_worms[i]; w++, enqueued++)
            assert_int_equal(anl_engine_enqueue(net, w % 2, 1, 1, NULL), ANL_OK);
        left = NEVER;
        assert_int_equal(live, before);
        for (uint32_t cycle = 0; cycle < 5000 && !anl_engine_idle(net); cycle++)
            anl_engine_step(net);
        assert_int_equal(anl_engine_totals(net).delivered, enqueued);
    }
    anl_engine_destroy(net);
}

static void an_order_that_finds_no_memory_changes_nothing(void **state)
{
    (void)state;
    const struct anl_config config = network(2, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct anl_engine *net;
    assert_int_equal(anl_engine_create(&config, &net), ANL_OK);
    left = 1;
    assert_int_equal(anl_engine_shuffle(net, 0), ANL_OK);
    assert_int_equal(anl_engine_shuffle(net, 1), ANL_ERR_MEMORY);
    left = NEVER;
    assert_int_equal(anl_engine_enqueue(net, 0, 24, 3, NULL), ANL_OK);
    for (uint32_t i = 0; i < 100 && !anl_engine_idle(net); i++)
        anl_engine_step(net);
    assert_int_equal(anl_engine_totals(net).delivered, 1);
    anl_engine_destroy(net);
}

static enum anl_status grow_network(const void *with)
{
    struct anl_engine *net = NULL;
    enum anl_status status = anl_engine_create(with, &net);
    for (int i = 0; status == ANL_OK && i < 3000; i++)
        status = anl_engine_enqueue(net, 0, 1, 1, NULL);
    if (status == ANL_OK) status = anl_engine_shuffle(net, 3);
    anl_engine_destroy(net);
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
        if (config.k * config.n < 3) continue;  // the test uses terminal 1
        assert_true(refuse_each(grow_network, &config) > 10);
        assert_true(refuse_each(draw_layout, &config) > 3);
        assert_true(refuse_each(look_for_cycles, &config) > 5);
    }
}

// --- runs ---

static const char *const runs[] = {
    "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 2, arbiter: random}\n"
    "traffic: {load: 0.9, length: [1, 8]}\nrun: {cycles: 300}\n",
    "network: {topology: torus, k: 4, n: 2}\nswitch: {num_vcs: 2, flow_control: cut_through}\n"
    "traffic: {process: batch, worms_per_terminal: 40, delays: 8, length: 4}\n",
    "network: {topology: unidirectional_torus, k: 5, n: 1, unsafe: true}\n"
    "switch: {routing: dimension_order, depth: 1}\n"
    "traffic: {pattern: tornado, process: batch, worms_per_terminal: 4, length: 32}\n",
    "network: {topology: graph}\nswitch: {num_vcs: 2}\n"
    "graph: {switches: 3, terminals: [0, 1, 2, 2], links: [[0, 1], [1, 2], [0, 2]]}\n"
    "traffic: {load: 0.5, length: [1, 8]}\nrun: {cycles: 300}\n",
    "network: {topology: fat_tree, n: 2}\n"
    "switch: {num_vcs: 2, routing: up_down_greedy, flow_control: store_and_forward, credits: "
    "chained}\n"
    "traffic: {process: bursty, load: 0.8, length: 4}\nrun: {cycles: 400}\n",
    "network: {topology: hypercube, n: 3}\n"
    "traffic: {process: request_reply, worms_per_terminal: 60, pattern: q_relation}\n",
    "network: {topology: fat_tree, n: 2}\n"
    "switch: {num_vcs: 2, depth: 4, routing: up_down_random, arbiter: farthest, credits: bypass}\n"
    "traffic: {process: bursty, load: 0.2, length: 3}\nrun: {cycles: 200}\n",
    "network: {topology: mesh, k: 4, n: 2}\n"
    "switch: {num_vcs: 1, depth: 8, flow_control: cut_through}\n"
    "traffic: {process: batch, pattern: permutation, worms_per_terminal: 30, length: 5, delays: "
    "9}\n",
    "network: {topology: mesh, k: 32, n: 1}\nswitch: {num_vcs: 8, depth: 2}\n"
    "traffic: {process: batch, pattern: complement, worms_per_terminal: 40, length: 9}\n",
    "network: {topology: mesh, k: 2, n: 1}\nswitch: {depth: 64}\n"
    "traffic: {load: 1, length: 1}\nrun: {cycles: 1500}\n",
};

enum { RUNS = sizeof runs / sizeof *runs, DEADLOCKS = 2, MANY_SHORT = RUNS - 1 };

static enum anl_status make_traffic(const void *scenario)
{
    struct anl_traffic *traffic = (struct anl_traffic *)&traffic;
    const enum anl_status status = anl_traffic_create(anl_scenario_workload(scenario), &traffic);
    assert_true((traffic == NULL) == (status != ANL_OK));
    anl_traffic_destroy(traffic);
    return status;
}

static void nothing_to_replay_needs_no_memory(void **state)
{
    (void)state;
    struct anl_scenario scenario = {.network = network(2, ANL_ROUND_ROBIN, ANL_WORMHOLE)};
    scenario.traffic.process = ANL_REPLAY;
    assert_true(refuse_each(make_traffic, &scenario) >= 4);
}

static void forget(struct anl_windows *windows, struct anl_latencies *latencies)
{
    free(windows->at);
    free(latencies->count);
}

static enum anl_status run_all(const struct anl_scenario *scenario, bool with_blocking)
{
    struct anl_windows windows = {.cycles = 16};
    struct anl_latencies latencies = {0};
    struct anl_run_result result;
    struct anl_error error = {0};
    struct anl_blocking *blocking = NULL;
    struct anl_trace_writer *writer = NULL;
    enum anl_status status = ANL_OK;
    if (with_blocking) status = anl_blocking_create(&scenario->network, NULL, &blocking);
    if (!with_blocking)
        status = anl_trace_create(file, ANL_TRACE_BINARY, 1, scenario->text, &writer, &error);
    const struct anl_run_options options = {.digest = !with_blocking,
                                            .referee = !with_blocking,
                                            .trace = writer,
                                            .blocking = blocking,
                                            .shuffle = 7,
                                            .windows = &windows,
                                            .latencies = &latencies};
    if (status == ANL_OK) {
        status = anl_run(scenario, &options, &result, &error);
        assert_true((*error.text == '\0') == (status == ANL_OK));
        if (!status) assert_true(result.end != ANL_RUN_COMPLETE || !result.violation.rule);
    }
    if (status == ANL_OK && writer) {
        status = anl_trace_finish(writer, result.cycles, &error);
        writer = NULL;
    }
    if (writer) anl_trace_abandon(writer);
    anl_blocking_destroy(blocking);
    forget(&windows, &latencies);
    return status;
}

static enum anl_status run_and_judge(const void *with) { return run_all(with, false); }
static enum anl_status run_and_feed(const void *with) { return run_all(with, true); }

static void runs_say_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < RUNS; i += unit_step(3)) {
        struct anl_scenario scenario = scenario_of(runs[i]);
        const long of_traffic = refuse_each(make_traffic, &scenario);
        assert_true(of_traffic >= 4);
        assert_true(refuse_each(run_and_judge, &scenario) > 20 + of_traffic);
        assert_true(refuse_each(run_and_feed, &scenario) > 20 + of_traffic);
        anl_scenario_free(&scenario);
    }
}

// --- a run in a slot ---

struct batched {
    struct anl_run_job job;  // the first member
    unsigned given, ended;
};

static struct anl_run_job *give(void *user, struct anl_run_left under_way)
{
    struct batched *batched = user;
    (void)under_way;
    return batched->given++ ? NULL : &batched->job;
}

static void take_back(void *user, struct anl_run_job *job)
{
    struct batched *batched = user;
    assert_ptr_equal(job, &batched->job);
    batched->ended++;
}

static enum anl_status run_in_a_slot(const void *scenario)
{
    struct anl_windows windows = {.cycles = 16};
    struct anl_latencies latencies = {0};
    const struct anl_run_options options = {
        .digest = true, .referee = true, .windows = &windows, .latencies = &latencies};
    struct batched batched = {.job = {.scenario = scenario, .options = &options}};
    const struct anl_run_queue queue = {&batched, give, take_back};
    const struct anl_scenario *of = scenario;
    const enum anl_status status = anl_run_many(&of->network, 1, &queue);
    assert_int_equal(batched.ended, status ? 0 : 1);
    assert_true(status || (*batched.job.error.text == '\0') == (batched.job.status == ANL_OK));
    forget(&windows, &latencies);
    return status ? status : batched.job.status;
}

static void runs_in_slots_say_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct anl_scenario scenario = scenario_of(runs[i]);
        assert_true(refuse_each(run_in_a_slot, &scenario) > 60);
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
    assert_true(refuse_each(load_plain, path) > 3);
    assert_true(refuse_each(load_file, path) > 3);
}

static enum anl_status run_replay(const void *with)
{
    struct anl_scenario scenario;
    enum anl_status status = anl_scenario_load(with, &scenario, NULL);
    struct anl_run_result result;
    const struct anl_run_options options = {.referee = true};
    if (!status) status = anl_run(&scenario, &options, &result, NULL);
    if (!status) assert_int_equal(result.end, ANL_RUN_COMPLETE);
    if (!status) assert_int_equal(result.violation.rule, ANL_RULE_NONE);
    anl_scenario_free(&scenario);
    return status;
}

static void rates_and_messages_that_wait_say_so(void **state)
{
    (void)state;
    char path[sizeof directory + 16], text[8192] = "0 0 1 2 id=0\n";
    for (size_t i = 1, used = strlen(text); i < 100; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "%zu 1 0 3 id=%zu after=%zu+%zu\n", i, i, i - 1, i);
    write_text("messages.txt", text);
    write_text("matrix.csv", "source,destination,rate\n0,1,0.5\n1,0,0.25\n");
    snprintf(path, sizeof path, "%s/replay", directory);
    assert_true(refuse_each(load_plain, path) > 8);
    assert_true(refuse_each(run_replay, path) > 20);
    write_text("replay", "network: {topology: mesh, k: 2, n: 1}\n"
                         "traffic: {pattern: matrix, matrix: matrix.csv}\n");
    assert_true(refuse_each(load_plain, path) > 8);
}

static enum anl_status make_graph(const void *config)
{
    struct anl_error error = {0};
    struct anl_graph *graph = (struct anl_graph *)&graph;
    const enum anl_status status = anl_graph_of(config, &graph, &error);
    assert_true((graph == NULL) == (status != ANL_OK));
    assert_int_equal(error.line, 0);
    if (status) assert_memory_equal(error.text, "no memory for ", strlen("no memory for "));
    anl_graph_destroy(graph);
    return status;
}

// Makes something of the network of a scenario: a graph, with its names and routes, or a referee.
static void refuse_of_scenario(const char *path, enum anl_status (*make)(const void *config))
{
    struct anl_scenario scenario;
    assert_int_equal(anl_scenario_load(path, &scenario, NULL), ANL_OK);
    assert_true(refuse_each(make, &scenario.network) > 5);
    anl_scenario_free(&scenario);
}

// A graph in files, with names and a table that is searched for a cycle.
static void graphs_say_so(void **state)
{
    (void)state;
    char path[sizeof directory + 16];
    snprintf(path, sizeof path, "%s/graph", directory);
    write_text("graph.yaml", "switches: [a, b]\nterminals: [a.1, b.1]\nlinks: [[a.0, b.0]]\n");
    write_text("table.csv", "switch,destination,port,lanes\na,1,0,all\nb,0,0,all\n");
    write_text("graph", "network: {topology: graph, graph: graph.yaml}\n"
                        "switch: {routing: table, table: table.csv}\n");
    assert_true(refuse_each(load_plain, path) > 20);
    refuse_of_scenario(path, make_graph);
    write_text("graph", "network: {topology: graph}\nswitch: {routing: shortest}\n"
                        "graph: {switches: 3, terminals: [0, 2], links: [[0, 1], [1, 2]]}\n");
    assert_true(refuse_each(load_plain, path) > 15);
    write_text("graph", "network: {topology: graph}\nswitch: {routing: layered, num_vcs: 2}\n"
                        "graph: {switches: 3, terminals: [0, 2], links: [[0, 1], [1, 2]]}\n");
    assert_true(refuse_each(load_plain, path) > 15);
    refuse_of_scenario(path, make_referee);
    write_text("graph", "network: {topology: cube, radix: [3, 2], concentration: 2}\n");
    assert_true(refuse_each(load_plain, path) > 5);
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
    // There are more worms than the first table of lengths holds.
    struct anl_scenario scenario = scenario_of(runs[MANY_SHORT]);
    for (int form = ANL_TRACE_TEXT; form <= ANL_TRACE_BINARY; form++) {
        write_trace(&scenario, (enum anl_trace_form)form);
        assert_true(refuse_each(read_trace, file) > 3);
    }
    anl_scenario_free(&scenario);
}

// --- the dead of a blocking analysis ---

static enum anl_status ask_for_the_dead(const void *with)
{
    const struct anl_scenario *scenario = with;
    struct anl_blocking *blocking = NULL;
    struct anl_run_result result;
    struct anl_error error = {0};
    uint32_t *dead = NULL;
    size_t count;
    enum anl_status status = anl_blocking_create(&scenario->network, NULL, &blocking);
    const struct anl_run_options options = {.blocking = blocking};
    if (status == ANL_OK) status = anl_run(scenario, &options, &result, &error);
    if (status == ANL_OK) status = anl_blocking_dead(blocking, &dead, &count);
    if (status == ANL_OK) status = count ? ANL_OK : ANL_ERR_ARGUMENT;
    free(dead);
    anl_blocking_destroy(blocking);
    return status;
}

static void analyses_of_deadlocks_say_so(void **state)
{
    (void)state;
    struct anl_scenario scenario = scenario_of(runs[DEADLOCKS]);
    assert_true(refuse_each(ask_for_the_dead, &scenario) > 30);
    anl_scenario_free(&scenario);
}

static int prepare(void **state)
{
    (void)state;
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
        cmocka_unit_test(networks_and_referees_are_made_whole_or_not_at_all),
        cmocka_unit_test(worms_without_memory_are_refused_and_taken_later),
        cmocka_unit_test(a_table_that_grew_has_room),
        cmocka_unit_test(an_order_that_finds_no_memory_changes_nothing),
        cmocka_unit_test(networks_say_so),
        cmocka_unit_test(nothing_to_replay_needs_no_memory),
        cmocka_unit_test(runs_say_so),
        cmocka_unit_test(runs_in_slots_say_so),
        cmocka_unit_test(scenarios_say_so),
        cmocka_unit_test(rates_and_messages_that_wait_say_so),
        cmocka_unit_test(graphs_say_so),
        cmocka_unit_test(readers_of_traces_say_so),
        cmocka_unit_test(analyses_of_deadlocks_say_so),
    };
    return cmocka_run_group_tests(tests, prepare, clear);
}
