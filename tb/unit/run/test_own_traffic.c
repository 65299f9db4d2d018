// SPDX-License-Identifier: Apache-2.0
//
// Traffic of the caller's own (docs/own_traffic.md): the same stream of worms gives the same run,
// whether a process, a replay or functions of the caller's create it, alone, in a batch, in parts,
// and over checkpoints; and worms that are refused end the run with their cycle.

#include "team.h"

#include <annelid/batch.h>
#include <glob.h>

// ---------------------------------------------------------------- a stream of worms

struct stream {
    struct anl_new_worm *worms;
    uint64_t *cycles;  // of each worm, ascending
    size_t count, room;
    bool waits;  // some worm has waited for others, which a stream does not say
};

static enum anl_status note_worm(void *user, const struct anl_worm *worm)
{
    struct stream *stream = user;
    if (stream->count == stream->room) {
        stream->room = 2 * stream->room + 64;
        stream->worms = realloc(stream->worms, stream->room * sizeof *stream->worms);
        stream->cycles = realloc(stream->cycles, stream->room * sizeof *stream->cycles);
        assert_true(stream->worms && stream->cycles);
    }
    stream->waits |= worm->dependencies != NULL;
    stream->cycles[stream->count] = worm->created;
    stream->worms[stream->count++] = (struct anl_new_worm){.source = worm->source,
                                                           .destination = worm->destination,
                                                           .length = worm->length,
                                                           .route = worm->route,
                                                           .route_length = worm->route_length,
                                                           .path = worm->has_path ? worm->path : 0,
                                                           .has_path = worm->has_path,
                                                           .class_ = worm->class_,
                                                           .role = worm->role};
    return ANL_OK;
}

static void free_stream(struct stream *stream)
{
    free(stream->worms);
    free(stream->cycles);
    *stream = (struct stream){0};
}

// Returns the first worm that is created in the cycle or later. It reads the stream alone, so that
// threads may share it, and a run that goes on needs nothing else.
static size_t first_from(const struct stream *stream, uint64_t cycle)
{
    size_t first = 0, end = stream->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (stream->cycles[middle] < cycle)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static uint64_t emit_stream(void *user, uint64_t cycle, struct anl_emit *emit)
{
    const struct stream *stream = user;
    size_t i = first_from(stream, cycle);
    for (; i < stream->count && stream->cycles[i] == cycle; i++)
        if (!anl_emit_worm(emit, &stream->worms[i])) break;
    return i < stream->count ? stream->cycles[i] : ANL_NEVER;
}

// Is asked in each cycle up to the last worm.
static uint64_t emit_each_cycle(void *user, uint64_t cycle, struct anl_emit *emit)
{
    return emit_stream(user, cycle, emit) == ANL_NEVER ? ANL_NEVER : cycle + 1;
}

static void pack_nothing(void *user, struct anl_pack *pack) { (void)user, (void)pack; }

// ---------------------------------------------------------------- a run and all that is seen of it

struct seen {
    struct anl_run_result result;
    struct anl_latencies latencies;
    struct anl_windows windows;
    uint64_t *link_flits;
    uint64_t flits;  // hash of all of them
    struct stream *stream;
};

static enum anl_status hash_flits(void *user, uint64_t cycle, const struct anl_flit *flits,
                                  size_t count)
{
    struct seen *seen = user;
    for (size_t i = 0; i < count; i++) {
        const struct anl_flit *flit = &flits[i];
        seen->flits = anl_mix(seen->flits ^ cycle);
        seen->flits = anl_mix(seen->flits ^ ((uint64_t)flit->link << 32 | flit->worm));
        seen->flits = anl_mix(seen->flits ^ ((uint64_t)flit->index << 8 | flit->vc));
    }
    return ANL_OK;
}

static enum anl_status note_seen(void *user, const struct anl_worm *worm)
{
    struct seen *seen = user;
    return seen->stream ? note_worm(seen->stream, worm) : ANL_OK;
}

// watched: the digest and all observers; else the run may skip cycles, and counts alone.
static void see(const struct anl_scenario *scenario, const struct anl_own_traffic *traffic,
                bool watched, struct stream *stream, struct seen *seen)
{
    struct anl_error error = {0};
    *seen = (struct seen){.windows.cycles = 70, .stream = stream};
    seen->link_flits = calloc(anl_shape_of(&scenario->network).links, sizeof *seen->link_flits);
    assert_non_null(seen->link_flits);
    struct anl_run_options options = {
        .latencies = &seen->latencies, .windows = &seen->windows, .traffic = traffic, .user = seen};
    if (watched) {
        options.digest = options.referee = true;
        options.link_flits = seen->link_flits;
        options.worm = note_seen;
        options.flits = hash_flits;
    }
    if (anl_run(scenario, &options, &seen->result, &error)) fail_msg("%s", error.text);
}

static void forget(struct seen *seen)
{
    free(seen->latencies.count);
    free(seen->windows.at);
    free(seen->link_flits);
}

static void same_lines(const char *text, const struct anl_run_result *a,
                       const struct anl_run_result *b, bool digest)
{
    for (enum anl_run_line line = 0; line < ANL_RUN_LINES; line++) {
        char x[ANL_RUN_LINE_BYTES] = "", y[ANL_RUN_LINE_BYTES] = "";
        if (line == ANL_LINE_SPEED || (line == ANL_LINE_DIGEST && !digest)) continue;
        anl_run_line(a, line, x, sizeof x);
        anl_run_line(b, line, y, sizeof y);
        if (strcmp(x, y) != 0) fail_msg("%s\n%s\nown traffic: %s", text, x, y);
    }
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->measured, b->measured);
    assert_int_equal(a->window_cycles, b->window_cycles);
    assert_int_equal(a->saturation_known, b->saturation_known);
    assert_int_equal(a->totals.flit_hops, b->totals.flit_hops);
    assert_int_equal(a->totals.ejected_flits, b->totals.ejected_flits);
    assert_int_equal(a->totals.queued, b->totals.queued);
}

// Compares two runs. waited: their digests differ, since the records of worms do.
static void same(const char *text, const struct anl_scenario *scenario, const struct seen *a,
                 const struct seen *b, bool waited)
{
    const size_t links = anl_shape_of(&scenario->network).links;
    same_lines(text, &a->result, &b->result, !waited);
    assert_memory_equal(&a->result.totals, &b->result.totals, sizeof a->result.totals);
    assert_int_equal(a->flits, b->flits);
    assert_int_equal(a->windows.count, b->windows.count);
    assert_memory_equal(a->windows.at, b->windows.at, a->windows.count * sizeof *a->windows.at);
    assert_int_equal(a->latencies.size, b->latencies.size);
    if (a->latencies.size)
        assert_memory_equal(a->latencies.count, b->latencies.count,
                            a->latencies.size * sizeof *a->latencies.count);
    assert_memory_equal(a->link_flits, b->link_flits, links * sizeof *a->link_flits);
}

// ---------------------------------------------------------------- the same as a process and a
// replay

static struct anl_own_traffic own_of(const struct anl_scenario *scenario, struct stream *stream)
{
    return (struct anl_own_traffic){.user = stream,
                                    .open_loop =
                                        anl_process_is_open_loop(scenario->traffic.process),
                                    .create = emit_stream,
                                    .pack = pack_nothing};
}

static struct anl_message *messages_of(const struct stream *stream)
{
    struct anl_message *messages = calloc(stream->count + 1, sizeof *messages);
    assert_non_null(messages);
    for (size_t i = 0; i < stream->count; i++) {
        const struct anl_new_worm *worm = &stream->worms[i];
        messages[i] = (struct anl_message){.cycle = stream->cycles[i],
                                           .source = worm->source,
                                           .destination = worm->destination,
                                           .length = worm->length,
                                           .route = worm->route,
                                           .route_length = worm->route_length,
                                           .path = worm->path,
                                           .has_path = worm->has_path,
                                           .class_ = worm->class_};
    }
    return messages;
}

// Compares a replay with own traffic that is no open loop, as a replay is none.
static void same_as_replay(const char *text, const struct anl_scenario *scenario,
                           struct stream *stream)
{
    struct anl_scenario replay = *scenario;
    struct anl_own_traffic own = own_of(scenario, stream);
    struct seen played, seen;
    replay.traffic.process = ANL_REPLAY;
    replay.traffic.pattern = ANL_UNIFORM;
    replay.messages = messages_of(stream);
    replay.num_messages = stream->count;
    see(&replay, NULL, true, NULL, &played);
    own.open_loop = false;
    own.create = emit_each_cycle;
    see(scenario, &own, true, NULL, &seen);
    same(text, scenario, &played, &seen, false);
    forget(&played);
    forget(&seen);
    free(replay.messages);
}

// Returns how many worms were created.
static size_t try_scenario(const char *text, const struct anl_scenario *scenario)
{
    struct stream stream = {0};
    struct seen built_in, seen;
    see(scenario, NULL, true, &stream, &built_in);
    const struct anl_own_traffic own = own_of(scenario, &stream);
    see(scenario, &own, true, NULL, &seen);
    same(text, scenario, &built_in, &seen, stream.waits);
    forget(&seen);
    see(scenario, &own, false, NULL, &seen);
    assert_int_equal(seen.result.cycles, built_in.result.cycles);
    assert_memory_equal(&seen.result.totals, &built_in.result.totals, sizeof seen.result.totals);
    forget(&seen);
    forget(&built_in);
    if (!scenario->network.reply_queue) same_as_replay(text, scenario, &stream);
    const size_t count = stream.count;
    free_stream(&stream);
    return count;
}

static void texts_are_the_same(void **state)
{
    size_t worms = 0;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += unit_step(5)) {
        struct anl_scenario scenario;
        struct anl_error error;
        if (anl_scenario_parse(texts[i], strlen(texts[i]), "inline", "", &scenario, &error))
            fail_msg("%s\n%s", error.text, texts[i]);
        worms += try_scenario(texts[i], &scenario);
        anl_scenario_free(&scenario);
    }
    assert_true(worms > 100);
}

// An open loop creates worms in fewer cycles, and other runs are given up in a certain cycle.
static void shorten(struct anl_scenario *scenario)
{
    struct anl_run_config *run = &scenario->run;
    if (anl_process_is_open_loop(scenario->traffic.process)) {
        run->cycles = run->cycles < 400 ? run->cycles : 400;
        run->warmup_cycles = run->warmup_cycles < 50 ? run->warmup_cycles : 50;
    }
    run->max_cycles = run->max_cycles < 2000 ? run->max_cycles : 2000;
    if (run->warmup_cycles > run->max_cycles) run->warmup_cycles = run->max_cycles;
}

static void drawn_scenarios_are_the_same(void **state)
{
    struct anl_rng rng = anl_rng_seed(57, 1);
    glob_t paths;
    (void)state;
    assert_int_equal(glob("sim/scenarios/*.yaml", 0, NULL, &paths), 0);
    glob("papers/*/scenarios/*.yaml", GLOB_APPEND, NULL, &paths);
    for (uint32_t trial = 0; trial < unit_trials(80); trial++) {
        const char *path = paths.gl_pathv[anl_rng_below(&rng, (uint32_t)paths.gl_pathc)];
        char seed[40];
        snprintf(seed, sizeof seed, "run.seed=%u", (unsigned)anl_rng_below(&rng, 1000000));
        const char *settings[] = {seed};
        struct anl_scenario scenario;
        struct anl_error error;
        if (anl_scenario_load_with(path, settings, 1, &scenario, &error))
            fail_msg("%s: %s", path, error.text);
        shorten(&scenario);
        if (anl_shape_of(&scenario.network).terminals <= 1024) try_scenario(path, &scenario);
        anl_scenario_free(&scenario);
    }
    globfree(&paths);
}

// ---------------------------------------------------------------- worms that answer others

enum { MOST_TERMINALS = 64, REQUEST = 2, REPLY = 5 };

// Requests in the order of a stream, in cycles that depend on what is delivered: a terminal has at
// most `window` of them that are not answered.
struct loop {
    const struct stream *stream;
    uint32_t window, terminals;
    size_t next[MOST_TERMINALS];  // the next request of each terminal, in the stream
    uint32_t outstanding[MOST_TERMINALS];
    struct anl_new_worm replies[MOST_TERMINALS];  // of the next cycle
    size_t num_replies;
    bool refusing;  // a request is answered when it is taken
};

static void seek(struct loop *loop, uint32_t terminal)
{
    const struct stream *stream = loop->stream;
    size_t *next = &loop->next[terminal];
    while (*next < stream->count &&
           (stream->worms[*next].source != terminal || stream->worms[*next].length != REQUEST))
        ++*next;
}

static bool may_request(const struct loop *loop, uint32_t terminal)
{
    return loop->next[terminal] < loop->stream->count && loop->outstanding[terminal] < loop->window;
}

static uint64_t next_of(const struct loop *loop, uint64_t cycle)
{
    bool some = loop->num_replies > 0;
    for (uint32_t t = 0; t < loop->terminals; t++)
        some |= may_request(loop, t);
    return some ? cycle : ANL_NEVER;
}

static uint64_t create_loop(void *user, uint64_t cycle, struct anl_emit *emit)
{
    struct loop *loop = user;
    for (size_t i = 0; i < loop->num_replies; i++)
        anl_emit_worm(emit, &loop->replies[i]);
    loop->num_replies = 0;
    for (uint32_t t = 0; t < loop->terminals; t++) {
        if (!may_request(loop, t)) continue;
        anl_emit_worm(emit, &loop->stream->worms[loop->next[t]++]);
        loop->outstanding[t]++;
        seek(loop, t);
    }
    return next_of(loop, cycle + 1);
}

static void answer(struct loop *loop, const struct anl_worm *request)
{
    assert_true(loop->num_replies < MOST_TERMINALS);
    loop->replies[loop->num_replies++] =
        (struct anl_new_worm){.source = request->destination,
                              .destination = request->source,
                              .length = REPLY,
                              .class_ = loop->refusing ? 1 : 0,
                              .role = loop->refusing ? ANL_REPLY : ANL_PLAIN};
}

static uint64_t hear_loop(void *user, uint64_t cycle, const struct anl_worm *worms, size_t count)
{
    struct loop *loop = user;
    for (size_t i = 0; i < count; i++) {
        if (worms[i].length == REPLY)
            loop->outstanding[worms[i].destination]--;
        else if (!loop->refusing)
            answer(loop, &worms[i]);
    }
    return next_of(loop, cycle + 1);
}

static uint64_t take_loop(void *user, uint64_t cycle, const struct anl_worm *worms, size_t count)
{
    struct loop *loop = user;
    for (size_t i = 0; i < count; i++)
        if (worms[i].length == REQUEST) answer(loop, &worms[i]);
    return next_of(loop, cycle);
}

static void pack_loop(void *user, struct anl_pack *pack)
{
    struct loop *loop = user;
    anl_pack_bytes(pack, loop->next, sizeof loop->next);
    anl_pack_bytes(pack, loop->outstanding, sizeof loop->outstanding);
    ANL_PACK_BELOW(pack, loop->num_replies, MOST_TERMINALS + 1);
    for (size_t i = 0; i < loop->num_replies; i++)
        anl_pack_bytes(pack, &loop->replies[i], sizeof *loop->replies);
}

static const char *const loops[] = {
    MESH "traffic: {process: request_reply, worms_per_terminal: 9, window: 2, length: 2, "
         "reply_length: 5}\nrun: {seed: 8}\n",
    "network: {topology: torus, k: 4, n: 2}\nswitch: {num_vcs: 2, link_cycles: 2}\n"
    "traffic: {process: request_reply, worms_per_terminal: 9, window: 1, length: 2, "
    "reply_length: 5}\nrun: {seed: 8, warmup_cycles: 30}\n",
    MESH "switch: {num_vcs: 2, classes: 2}\n"
         "traffic: {process: request_reply, worms_per_terminal: 12, window: 4, length: 2, "
         "reply_length: 5, reply_queue: 2}\nrun: {seed: 8}\n",
};

static struct anl_own_traffic begin_loop(struct loop *loop, const struct anl_scenario *scenario,
                                         const struct stream *stream)
{
    *loop = (struct loop){.stream = stream,
                          .window = scenario->traffic.window,
                          .terminals = anl_shape_of(&scenario->network).terminals,
                          .refusing = scenario->network.reply_queue > 0};
    for (uint32_t t = 0; t < loop->terminals; t++)
        seek(loop, t);
    return (struct anl_own_traffic){.user = loop,
                                    .create = create_loop,
                                    .delivered = hear_loop,
                                    .taken = loop->refusing ? take_loop : NULL,
                                    .pack = pack_loop};
}

static void parse(const char *text, struct anl_scenario *scenario)
{
    struct anl_error error;
    if (anl_scenario_parse(text, strlen(text), "inline", "", scenario, &error))
        fail_msg("%s\n%s", error.text, text);
}

static void answers_are_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        static struct loop loop;
        struct anl_scenario scenario;
        struct stream stream = {0};
        struct seen built_in, seen;
        parse(loops[i], &scenario);
        see(&scenario, NULL, true, &stream, &built_in);
        const struct anl_own_traffic own = begin_loop(&loop, &scenario, &stream);
        see(&scenario, &own, true, NULL, &seen);
        same(loops[i], &scenario, &built_in, &seen, false);
        assert_true(seen.result.end == ANL_RUN_COMPLETE && stream.count > 100);
        forget(&built_in);
        forget(&seen);
        free_stream(&stream);
        anl_scenario_free(&scenario);
    }
}

// ---------------------------------------------------------------- when it is asked

struct asked {
    uint64_t next;  // cycle in which it is to be asked
    size_t times, delivered;
};

// Creates a worm in cycles 0, 100, 200, 300, and one more 3 cycles after each that is delivered.
static uint64_t create_seldom(void *user, uint64_t cycle, struct anl_emit *emit)
{
    const struct anl_new_worm worm = {.source = 0, .destination = 5, .length = 2};
    struct asked *asked = user;
    assert_int_equal(cycle, asked->next);
    assert_true(anl_emit_worm(emit, &worm));
    asked->times++;
    asked->next = cycle >= 300 ? ANL_NEVER : cycle / 100 * 100 + 100;
    return asked->next;
}

static uint64_t hear_seldom(void *user, uint64_t cycle, const struct anl_worm *worms, size_t count)
{
    struct asked *asked = user;
    assert_int_equal(count, 1);
    assert_int_equal(worms->id, asked->delivered);
    if (asked->delivered++ % 2) return ANL_NEVER;
    if (cycle + 3 < asked->next) asked->next = cycle + 3;
    return cycle + 3;
}

static void it_is_asked_in_the_cycles_that_it_names(void **state)
{
    struct anl_scenario scenario;
    (void)state;
    parse(MESH, &scenario);
    for (int watched = 0; watched <= 1; watched++) {
        struct asked asked = {0};
        struct anl_run_result result;
        struct anl_error error;
        const struct anl_own_traffic own = {
            .user = &asked, .create = create_seldom, .delivered = hear_seldom};
        const struct anl_run_options options = {.record = watched, .traffic = &own};
        assert_int_equal(anl_run(&scenario, &options, &result, &error), ANL_OK);
        assert_int_equal(result.end, ANL_RUN_COMPLETE);
        assert_int_equal(asked.times, 8);
        assert_int_equal(asked.delivered, 8);
        assert_between(result.cycles, 301, 350);
    }
    anl_scenario_free(&scenario);
}

// ---------------------------------------------------------------- checkpoints, teams, batches

static bool stop(void *user, const struct anl_engine *engine)
{
    (void)user, (void)engine;
    return false;
}

// A run of the loop that is stopped again and again has the same result, with a new state each
// time.
static void loops_go_on_from_checkpoints(void **state)
{
    char room[] = "/tmp/annelid-own-XXXXXX", path[64];
    (void)state;
    assert_non_null(mkdtemp(room));
    snprintf(path, sizeof path, "%s/run.ckpt", room);
    const struct anl_checkpoint checkpoint = {
        .path = path, .every = 20, .question = 3, .name = "own"};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        static struct loop loop;
        struct anl_scenario scenario;
        struct anl_error error = {0};
        struct stream stream = {0};
        struct seen whole;
        struct anl_run_result result;
        size_t stops = 0;
        parse(loops[i], &scenario);
        see(&scenario, NULL, true, &stream, &whole);
        do {
            const struct anl_own_traffic own = begin_loop(&loop, &scenario, &stream);
            const struct anl_run_options options = {.digest = true,
                                                    .referee = true,
                                                    .progress_cycles = 33,
                                                    .progress = stop,
                                                    .checkpoint = &checkpoint,
                                                    .traffic = &own};
            if (anl_run(&scenario, &options, &result, &error)) fail_msg("%s", error.text);
        } while (result.end == ANL_RUN_STOPPED && ++stops < 200);
        same_lines(loops[i], &whole.result, &result, true);
        assert_true(stops > 1);
        unlink(path);
        forget(&whole);
        free_stream(&stream);
        anl_scenario_free(&scenario);
    }
    rmdir(room);
}

static void members_create_the_same(void **state)
{
    static struct group group;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += unit_step(9)) {
        struct anl_scenario scenario;
        struct stream stream = {0};
        struct seen whole;
        bool routes = false;
        parse(texts[i], &scenario);
        see(&scenario, NULL, true, &stream, &whole);
        for (size_t w = 0; w < stream.count; w++)
            routes |= stream.worms[w].route != NULL;
        const struct anl_own_traffic own = own_of(&scenario, &stream);
        const struct anl_run_options options = {.digest = true, .referee = true, .traffic = &own};
        for (uint32_t size = 2; size <= 3 && !routes; size++) {
            run_group(&group, &scenario, size, &options);
            if (group.members[0].status) fail_msg("%s\n%s", group.members[0].error.text, texts[i]);
            same_lines(texts[i], &whole.result, &group.members[0].result, !stream.waits);
            free_group(&group);
        }
        forget(&whole);
        free_stream(&stream);
        anl_scenario_free(&scenario);
    }
}

// Each member has a state of its own.
static void members_answer_the_same(void **state)
{
    static struct group group;
    static struct loop own_loops[MOST_MEMBERS];
    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        struct anl_own_traffic own[MOST_MEMBERS];
        struct anl_scenario scenario;
        struct stream stream = {0};
        struct seen whole;
        parse(loops[i], &scenario);
        see(&scenario, NULL, true, &stream, &whole);
        const struct anl_run_options options = {.digest = true, .referee = true};
        begin_group(&group, &scenario, 3, &options);
        for (uint32_t m = 0; m < 3; m++) {
            own[m] = begin_loop(&own_loops[m], &scenario, &stream);
            group.members[m].options.traffic = &own[m];
        }
        end_group(&group);
        if (group.members[0].status) fail_msg("%s\n%s", group.members[0].error.text, loops[i]);
        same_lines(loops[i], &whole.result, &group.members[0].result, true);
        free_group(&group);
        forget(&whole);
        free_stream(&stream);
        anl_scenario_free(&scenario);
    }
}

static void members_that_differ_say_so(void **state)
{
    static struct group group;
    struct anl_scenario scenario;
    struct stream streams[2] = {0};
    struct anl_own_traffic own[2];
    struct seen whole;
    const struct anl_run_options options = {0};
    (void)state;
    parse(texts[0], &scenario);
    begin_group(&group, &scenario, 2, &options);
    group.given_up = true;
    for (uint32_t m = 0; m < 2; m++) {
        see(&scenario, NULL, true, &streams[m], &whole);
        forget(&whole);
        own[m] = own_of(&scenario, &streams[m]);
        group.members[m].options.traffic = &own[m];
    }
    const size_t other = streams[1].count / 2;
    streams[1].worms[other].destination ^= 1;
    end_group(&group);
    for (uint32_t m = 0; m < 2; m++) {
        char message[160];
        snprintf(message, sizeof message,
                 "own traffic, cycle %u: found other worms in some member of the team, expected "
                 "the same in all",
                 (unsigned)streams[1].cycles[other]);
        assert_int_equal(group.members[m].status, ANL_ERR_ARGUMENT);
        assert_string_equal(group.members[m].error.text, message);
        free_stream(&streams[m]);
    }
    free_group(&group);
    anl_scenario_free(&scenario);
}

struct jobs {
    struct anl_run_job job[3];
    size_t next, ended;
};

static struct anl_run_job *next_job(void *user, struct anl_run_left left)
{
    struct jobs *jobs = user;
    (void)left;
    return jobs->next < 3 ? &jobs->job[jobs->next++] : NULL;
}

static void job_ended(void *user, struct anl_run_job *job)
{
    (void)job;
    ((struct jobs *)user)->ended++;
}

static void runs_of_a_batch_are_the_same(void **state)
{
    struct anl_scenario scenario;
    struct stream stream = {0};
    struct seen whole;
    (void)state;
    parse(texts[0], &scenario);
    see(&scenario, NULL, true, &stream, &whole);
    struct anl_own_traffic own = own_of(&scenario, &stream), closed = own;
    own.longest = closed.longest = 9;
    closed.open_loop = false;
    const struct anl_run_options options[] = {{.digest = true, .referee = true, .traffic = &own},
                                              {.digest = true, .referee = true},
                                              {.digest = true, .traffic = &closed}};
    struct jobs jobs = {0};
    for (size_t i = 0; i < 3; i++) {
        jobs.job[i] = (struct anl_run_job){.scenario = &scenario, .options = &options[i]};
        assert_true(anl_run_many_can(&scenario, &options[i]));
    }
    const struct anl_run_queue queue = {&jobs, next_job, job_ended};
    assert_int_equal(anl_run_many(&scenario.network, 16, &queue), ANL_OK);
    assert_int_equal(jobs.ended, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(jobs.job[i].status, ANL_OK);
        assert_int_equal(jobs.job[i].result.digest, whole.result.digest);
    }
    same_lines(texts[0], &whole.result, &jobs.job[0].result, true);
    own.longest = 0;  // as long as the network allows, which lanes of a batch do not hold
    assert_false(anl_run_many_can(&scenario, &options[0]));
    forget(&whole);
    free_stream(&stream);
    anl_scenario_free(&scenario);
}

// ---------------------------------------------------------------- the blocking analysis

static void blocking_is_the_same(void **state)
{
    struct anl_scenario scenario;
    struct stream stream = {0};
    struct seen whole;
    struct anl_blocking_totals totals[2];
    (void)state;
    parse(texts[0], &scenario);
    see(&scenario, NULL, true, &stream, &whole);
    const struct anl_own_traffic own = own_of(&scenario, &stream);
    for (int i = 0; i < 2; i++) {
        struct anl_blocking *blocking;
        struct anl_run_result result;
        struct anl_error error;
        assert_int_equal(anl_blocking_create(&scenario.network, NULL, &blocking), ANL_OK);
        const struct anl_run_options options = {.blocking = blocking, .traffic = i ? &own : NULL};
        assert_int_equal(anl_run(&scenario, &options, &result, &error), ANL_OK);
        totals[i] = anl_blocking_totals(blocking);
        anl_blocking_destroy(blocking);
    }
    assert_memory_equal(&totals[0], &totals[1], sizeof totals[0]);
    forget(&whole);
    free_stream(&stream);
    anl_scenario_free(&scenario);
}

// ---------------------------------------------------------------- what is refused

struct wrong {
    struct anl_new_worm worm;
    uint64_t next;       // what create() returns in cycle 3; 0: 4
    const char *reason;  // that it gives itself
};

static uint64_t emit_wrong(void *user, uint64_t cycle, struct anl_emit *emit)
{
    static const struct anl_new_worm good = {.source = 1, .destination = 2, .length = 4};
    const struct wrong *wrong = user;
    assert_true(cycle <= 3);
    if (cycle == 0) assert_true(anl_emit_worm(emit, &good));
    if (cycle < 3) return cycle + 1;
    if (wrong->reason) anl_emit_error(emit, wrong->reason);
    if (wrong->worm.length || !wrong->next) {
        assert_false(anl_emit_worm(emit, &wrong->worm));
        assert_false(anl_emit_worm(emit, &good));  // the first failure counts
    }
    return wrong->next ? wrong->next : cycle + 1;
}

static void refused(const char *text, const struct anl_run_options *options, const char *message)
{
    struct anl_scenario scenario;
    struct anl_run_result result;
    struct anl_error error = {0};
    parse(text, &scenario);
    const enum anl_status status = anl_run(&scenario, options, &result, &error);
    assert_int_equal(status, ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, message);
    anl_scenario_free(&scenario);
}

static void wrong_worms_end_the_run(void **state)
{
    static const struct anl_dependencies dependencies = {0};
    static const uint8_t route[] = {0};
    static const struct {
        struct wrong wrong;
        const char *message;
    } cases[] = {
        {{.worm = {.source = 16, .destination = 1, .length = 1}},
         "worm 1: source: found 16, expected 0..15 (a terminal)"},
        {{.worm = {.source = 1, .destination = 4294967295, .length = 1}},
         "worm 1: destination: found 4294967295, expected 0..15 (a terminal)"},
        {{.worm = {.source = 1, .destination = 1, .length = 0}},
         "worm 1: length: found 0, expected 1..8 (flits)"},
        {{.worm = {.source = 1, .destination = 1, .length = 9}},
         "worm 1: length: found 9, expected 1..8 (flits)"},
        {{.worm = {.source = 1, .destination = 1, .length = 1, .class_ = 2}},
         "worm 1: class: found 2, expected 0..1"},
        {{.worm = {.source = 1, .destination = 1, .length = 1, .role = 3}},
         "worm 1: role: found 3, expected 0..2"},
        {{.worm = {.source = 1, .destination = 1, .length = 1, .has_path = true, .path = 1}},
         "worm 1: path: found 1, expected 0..0"},
        {{.worm = {.source = 1, .destination = 1, .length = 1, .dependencies = &dependencies}},
         "worm 1: dependencies: found some, expected none: emit the worm when it is due"},
        {{.next = 3}, "create() returned cycle 3, expected 4 at the earliest, or ANL_NEVER"},
        {{.next = 4, .reason = "the file of requests is over"}, "the file of requests is over"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[300];
        const struct wrong wrong = cases[i].wrong;
        const struct anl_own_traffic own = {
            .user = (void *)(uintptr_t)&wrong, .longest = 8, .create = emit_wrong};
        const struct anl_run_options options = {.traffic = &own};
        snprintf(message, sizeof message, "own traffic, cycle 3: %s", cases[i].message);
        refused(MESH "switch: {num_vcs: 2, classes: 2}\n", &options, message);
    }
    const struct wrong routed = {
        .worm = {.source = 1, .destination = 1, .length = 1, .route = route, .route_length = 1}};
    const struct anl_own_traffic own = {.user = (void *)(uintptr_t)&routed, .create = emit_wrong};
    const struct anl_run_options options = {.traffic = &own};
    struct anl_scenario scenario;
    struct anl_run_result result;
    struct anl_error error = {0};
    parse(MESH, &scenario);
    assert_int_equal(anl_run(&scenario, &options, &result, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "own traffic, cycle 3: worm 1: route: "));
    anl_scenario_free(&scenario);
}

// A caller that keeps emit, and uses it when its worm is delivered.
static uint64_t keep_emit(void *user, uint64_t cycle, struct anl_emit *emit)
{
    static const struct anl_new_worm worm = {.source = 1, .destination = 2, .length = 1};
    (void)cycle;
    *(struct anl_emit **)user = emit;
    assert_true(anl_emit_worm(emit, &worm));
    return ANL_NEVER;
}

static uint64_t emit_late(void *user, uint64_t cycle, const struct anl_worm *worms, size_t count)
{
    static const struct anl_new_worm worm = {.source = 2, .destination = 1, .length = 1};
    (void)cycle, (void)worms, (void)count;
    assert_false(anl_emit_worm(*(struct anl_emit **)user, &worm));
    return ANL_NEVER;
}

static void worms_are_emitted_in_create_alone(void **state)
{
    struct anl_emit *kept = NULL;
    const struct anl_own_traffic own = {.user = &kept, .create = keep_emit, .delivered = emit_late};
    const struct anl_run_options options = {.traffic = &own};
    struct anl_scenario scenario;
    struct anl_run_result result;
    struct anl_error error = {0};
    (void)state;
    parse(MESH, &scenario);
    assert_int_equal(anl_run(&scenario, &options, &result, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, ": worm 1: found outside of create(), expected in it"));
    anl_scenario_free(&scenario);
}

static void what_cannot_be_says_so(void **state)
{
    struct stream stream = {0};
    const struct anl_checkpoint checkpoint = {.path = "/nowhere/run.ckpt", .every = 9, .name = ""};
    struct anl_own_traffic own = {.user = &stream, .create = emit_stream};
    struct anl_run_options options = {.traffic = &own, .checkpoint = &checkpoint};
    (void)state;
    refused(MESH, &options,
            "own traffic: pack: found NULL, expected a function, since a checkpoint keeps its "
            "state");
    options.checkpoint = NULL;
    own.open_loop = true;
    refused(MESH "traffic: {process: batch, worms_per_terminal: 1}\n", &options,
            "own traffic: open_loop: found true, expected false, or a scenario whose process is "
            "bernoulli or bursty, so that it says run.cycles");
    own.create = NULL;
    refused(MESH, &options, "own traffic: create: found NULL, expected a function");
}

// A source of a bufferless network sends one worm at a time, from cycle 1 on.
static uint64_t emit_at_once(void *user, uint64_t cycle, struct anl_emit *emit)
{
    const struct anl_new_worm worm = {.source = 0, .destination = *(uint32_t *)user, .length = 5};
    if (cycle == 1 || cycle == 3) anl_emit_worm(emit, &worm);
    return cycle + 1;
}

static void sources_without_queues_send_one_worm_at_a_time(void **state)
{
    static const char *const bufferless =
        "network: {topology: mesh, k: 4, n: 2}\nswitch: {kind: bufferless}\n"
        "traffic: {process: replay, messages: tb/unit/run/stall_messages.txt}\n";
    static const char *const messages[] = {
        "own traffic, cycle 1: worm 0: destination: found 0, expected another terminal than the "
        "source",
        "own traffic, cycle 3: worm 1: source 0: found a worm in this cycle, expected none before "
        "cycle 6: such a source sends one worm at a time"};
    (void)state;
    for (uint32_t destination = 0; destination < 2; destination++) {
        struct anl_scenario scenario;
        struct anl_run_result result;
        struct anl_error error = {0};
        uint32_t to = destination;
        const struct anl_own_traffic own = {.user = &to, .create = emit_at_once};
        const struct anl_run_options options = {.traffic = &own};
        if (anl_scenario_parse(bufferless, strlen(bufferless), "", NULL, &scenario, &error)) {
            print_message("not tried: %s\n", error.text);
            skip();
        }
        assert_int_equal(anl_run(&scenario, &options, &result, &error), ANL_ERR_ARGUMENT);
        assert_string_equal(error.text, messages[destination]);
        anl_scenario_free(&scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_the_same),
        cmocka_unit_test(drawn_scenarios_are_the_same),
        cmocka_unit_test(answers_are_the_same),
        cmocka_unit_test(it_is_asked_in_the_cycles_that_it_names),
        cmocka_unit_test(loops_go_on_from_checkpoints),
        cmocka_unit_test(members_create_the_same),
        cmocka_unit_test(members_answer_the_same),
        cmocka_unit_test(members_that_differ_say_so),
        cmocka_unit_test(runs_of_a_batch_are_the_same),
        cmocka_unit_test(blocking_is_the_same),
        cmocka_unit_test(wrong_worms_end_the_run),
        cmocka_unit_test(worms_are_emitted_in_create_alone),
        cmocka_unit_test(what_cannot_be_says_so),
        cmocka_unit_test(sources_without_queues_send_one_worm_at_a_time),
    };
    return cmocka_run_group_tests_name("own_traffic", tests, NULL, NULL);
}
