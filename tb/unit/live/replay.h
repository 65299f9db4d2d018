// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of the room live: a run of the golden model as a stream of events on
// links, which a test may spoil before a watch gets them.

#ifndef ANNELID_UNIT_LIVE_REPLAY_H
#define ANNELID_UNIT_LIVE_REPLAY_H

#include "unit.h"

#include <annelid/annelid.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WIRE_WORDS = (ANL_MAX_FLIT_WIDTH_BITS + 2 + 31) / 32 };
#define NOT_TOLD UINT32_MAX

struct event {
    uint64_t cycle;
    uint32_t link, vc;     // link NOT_TOLD: left out
    uint32_t worm, index;  // of a flit
    uint32_t from;         // lane that it leaves
    uint32_t words[WIRE_WORDS];
    uint32_t credits;  // 0: it is a flit
};

struct replay {
    char scenario[128], model_trace[64], live_trace[64], report[64];
    struct anl_scenario settings;
    struct anl_worm *worms;
    uint32_t *path, *passed;  // of worm w the lanes path[w * links …], passed[w] of them
    struct event *events;     // in ascending order of cycles, credits at last
    size_t num_worms, num_events, room_events;
    uint64_t cycles;
    bool announced;     // worms are announced when they are created
    bool no_lengths;    // lengths are not told
    bool half_cycle;    // the watch is ended in a cycle in which a worm was announced
    bool in_the_way;    // a directory takes the place of the trace that is being written
    bool report_lost;   // a directory takes the place of the list of reports
    uint64_t patience;  // cycles
    char text[16384];   // what the watch printed
    struct anl_finding finding;
    bool trace_was_there;  // before the watch was ended
    bool written;          // the scenario is a file of the test
    bool good;             // what anl_live_end() returned
};

static inline void replay_path(char path[64], const char *suffix)
{
    snprintf(path, 64, "/tmp/annelid-live-%ld%s", (long)getpid(), suffix);
}

static inline struct event *replay_add(struct replay *replay, struct event event)
{
    if (replay->num_events == replay->room_events) {
        replay->room_events = replay->room_events ? 2 * replay->room_events : 1024;
        replay->events = realloc(replay->events, replay->room_events * sizeof event);
        assert_non_null(replay->events);
    }
    replay->events[replay->num_events] = event;
    return &replay->events[replay->num_events++];
}

static inline void replay_mark(const struct anl_config *config, uint32_t *words, bool head,
                               bool tail)
{
    const uint32_t width = config->flit_width_bits;
    words[width / 32] |= (uint32_t)tail << width % 32;
    words[(width + 1) / 32] |= (uint32_t)head << (width + 1) % 32;
}

// Returns the number of the lane that a flit leaves, NOT_TOLD at injection, and notes which lane
// its head enters.
static inline uint32_t replay_leaves(struct replay *replay, const struct anl_flit *flit)
{
    const struct anl_config *config = &replay->settings.network;
    uint32_t *path = &replay->path[(size_t)flit->worm * anl_shape_of(config).links];
    const uint32_t lane = flit->link * config->num_vcs + flit->vc;
    if (flit->head) path[replay->passed[flit->worm]++] = lane;
    for (uint32_t i = 0; i < replay->passed[flit->worm]; i++)
        if (path[i] == lane) return i ? path[i - 1] : NOT_TOLD;
    fail();
    return NOT_TOLD;
}

static inline void replay_credit(struct replay *replay, uint64_t cycle, uint32_t lane)
{
    const uint32_t num_vcs = replay->settings.network.num_vcs;
    replay_add(
        replay,
        (struct event){.cycle = cycle, .link = lane / num_vcs, .credits = 1u << lane % num_vcs});
}

static inline void replay_flit(struct replay *replay, uint64_t cycle, const struct anl_flit *flit)
{
    const struct anl_config *config = &replay->settings.network;
    struct event event = {.cycle = cycle,
                          .link = flit->link,
                          .vc = flit->vc,
                          .worm = flit->worm,
                          .index = flit->index,
                          .from = replay_leaves(replay, flit)};
    anl_flit_data(config, &replay->worms[flit->worm], flit->index, flit->link, event.words);
    replay_mark(config, event.words, flit->head, flit->tail);
    replay_add(replay, event);
    if (event.from != NOT_TOLD) replay_credit(replay, cycle, event.from);
    if (anl_end_of(config, flit->link).is_terminal)
        replay_credit(replay, cycle + 1, flit->link * config->num_vcs + flit->vc);
}

static inline void replay_read(struct replay *replay)
{
    struct anl_trace_reader *reader;
    struct anl_record record;
    const uint32_t links = anl_shape_of(&replay->settings.network).links;
    assert_int_equal(anl_trace_open(replay->model_trace, &reader, NULL), ANL_OK);
    while (anl_trace_next(reader, &record, NULL) == ANL_OK && record.kind != ANL_RECORD_END) {
        if (record.kind == ANL_RECORD_FLIT) {
            replay_flit(replay, record.cycle, &record.flit);
            continue;
        }
        const size_t count = ++replay->num_worms;
        if ((count & (count - 1)) == 0) {  // from a power of two on there is room for the next one
            replay->worms = realloc(replay->worms, 2 * count * sizeof *replay->worms);
            replay->passed = realloc(replay->passed, 2 * count * sizeof *replay->passed);
            replay->path = realloc(replay->path, 2 * count * links * sizeof *replay->path);
        }
        replay->worms[count - 1] = record.worm;
        replay->passed[count - 1] = 0;
    }
    assert_int_equal(record.kind, ANL_RECORD_END);
    replay->cycles = record.cycle;
    anl_trace_close(reader);
}

static inline void replay_write(struct replay *replay)
{
    replay_path(replay->scenario, ".yaml");
    FILE *file = fopen(replay->scenario, "w");
    fputs(replay->settings.text, file);
    assert_int_equal(fclose(file), 0);
    replay->written = true;
}

// Runs a scenario on the golden model, with settings, and keeps what happened on its links.
static inline void replay_create(struct replay *replay, const char *path,
                                 const char *const *settings, size_t num_settings)
{
    struct anl_run_options options = {0};
    struct anl_run_result result;
    *replay = (struct replay){.announced = true};
    replay_path(replay->model_trace, "-model.txt");
    replay_path(replay->live_trace, "-live.txt");
    replay_path(replay->report, "-live.json");
    struct anl_error error = {0};
    if (anl_scenario_load_with(path, settings, num_settings, &replay->settings, &error) != ANL_OK)
        fail_msg("%s", error.text);
    assert_int_equal(anl_trace_create(replay->model_trace, ANL_TRACE_TEXT,
                                      replay->settings.run.seed, replay->settings.text,
                                      &options.trace, NULL),
                     ANL_OK);
    assert_int_equal(anl_run(&replay->settings, &options, &result, NULL), ANL_OK);
    assert_int_equal(anl_trace_finish(options.trace, result.cycles, NULL), ANL_OK);
    if (num_settings)
        replay_write(replay);
    else
        snprintf(replay->scenario, sizeof replay->scenario, "%s", path);
    replay_read(replay);
}

static inline void replay_destroy(struct replay *replay)
{
    if (replay->written) unlink(replay->scenario);
    unlink(replay->model_trace);
    unlink(replay->live_trace);
    unlink(replay->report);
    anl_scenario_free(&replay->settings);
    free(replay->worms);
    free(replay->path);
    free(replay->passed);
    free(replay->events);
}

static inline int replay_before(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    return a->cycle < b->cycle ? -1 : a->cycle > b->cycle;
}

// Tells the watch of the events of its cycle, from event `next` on, the last one first: their order
// must not matter. Returns the first event of a later cycle.
static inline size_t replay_tell(const struct replay *replay, struct anl_live *live, size_t next,
                                 uint64_t cycle)
{
    size_t end = next;
    while (end < replay->num_events && replay->events[end].cycle == cycle)
        end++;
    for (size_t i = end; i-- > next;) {
        const struct event *event = &replay->events[i];
        const uint32_t length =
            event->credits || replay->no_lengths ? 0 : replay->worms[event->worm].length;
        if (event->link == NOT_TOLD) continue;
        if (event->credits)
            anl_live_credits(live, event->link, event->credits);
        else
            anl_live_flit(live, event->link, event->vc, event->words, length);
    }
    return end;
}

static inline uint32_t replay_announce(const struct replay *replay, struct anl_live *live,
                                       uint32_t worm, uint64_t cycle)
{
    for (; worm < replay->num_worms && replay->worms[worm].created == cycle; worm++)
        if (replay->announced)
            anl_live_worm(live, replay->worms[worm].source, replay->worms[worm].destination,
                          replay->worms[worm].length, replay->worms[worm].class_);
    return worm;
}

// Expects that the list of reports says what the watch has printed before its last line and what is
// behind that: the text is made again from the JSON alone, by a program that shares no code with
// the library.
static inline void replay_compare(const struct replay *replay)
{
    static char again[sizeof replay->text];
    char command[256];
    const char *python = getenv("PYTHON"), *end = replay->text;
    const char *last = "annelid: ";
    while ((end = strstr(end, last)) && (end[9] < '0' || end[9] > '9'))
        end++;
    snprintf(command, sizeof command, "%s tb/unit/scripts/report_text.py %s",
             python ? python : "python3", replay->report);
    FILE *program = popen(command, "r");
    assert_non_null(program);
    again[fread(again, 1, sizeof again - 1, program)] = '\0';
    assert_int_equal(pclose(program), 0);
    assert_non_null(end);
    if (strlen(again) != (size_t)(end - replay->text) ||
        strncmp(again, replay->text, strlen(again)) != 0)
        fail_msg("printed:\n%s\nof the JSON:\n%s", replay->text, again);
}

// Lets a watch see all cycles and `more` quiet ones behind them.
static inline void replay_watch(struct replay *replay, uint64_t more)
{
    FILE *out = fmemopen(replay->text, sizeof replay->text - 1, "w");
    const struct anl_live_options options = {.trace = replay->live_trace,
                                             .report = replay->report,
                                             .patience_cycles = replay->patience,
                                             .out = out};
    struct anl_live *live;
    struct anl_error error = {0};
    if (anl_live_create(replay->scenario, &options, &live, &error) != ANL_OK)
        fail_msg("%s", error.text);
    qsort(replay->events, replay->num_events, sizeof *replay->events, replay_before);
    uint32_t worm = 0;
    size_t next = 0;
    bool good = true;
    for (uint64_t cycle = 0; cycle < replay->cycles + more; cycle++) {
        worm = replay_announce(replay, live, worm, cycle);
        next = replay_tell(replay, live, next, cycle);
        good = anl_live_cycle(live) && good;
        assert_int_equal(good, anl_live_finding(live) == NULL);
    }
    if (anl_live_finding(live)) replay->finding = *anl_live_finding(live);
    replay->trace_was_there = access(replay->live_trace, F_OK) == 0;
    if (replay->in_the_way) assert_int_equal(mkdir(replay->live_trace, 0700), 0);
    if (replay->report_lost) assert_int_equal(mkdir(replay->report, 0700), 0);
    if (replay->half_cycle) anl_live_worm(live, 0, 1, 2, 0);
    replay->good = anl_live_end(live);
    assert_int_equal(anl_live_end(live), replay->good);
    anl_live_destroy(live);
    assert_int_equal(fclose(out), 0);
    if (!replay->report_lost) replay_compare(replay);
}

#endif
