// SPDX-License-Identifier: Apache-2.0
//
// Hand-made traces for the tests of the referee: worms on paths that are written out link by link,
// so that no formula of a topology is used. Events may be in any order.

#ifndef REFEREE_TRACE_H
#define REFEREE_TRACE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <annelid/referee.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_WORMS = 8, MAX_EVENTS = 256, MAX_HOPS = 12, START = 10 };

struct event {
    uint64_t cycle;
    struct anl_flit flit;
};

struct trace {
    struct anl_config config;
    struct anl_worm worms[MAX_WORMS];
    size_t num_worms;
    struct event events[MAX_EVENTS];
    size_t num_events;
};

struct hop {
    uint32_t link;
    uint8_t vc;
};

// A worm that crosses an empty network: flit i crosses hop j in cycle start + j * hop_cycles + i *
// flit_cycles.
struct legal_worm {
    const char *name;
    struct anl_config config;
    uint32_t source, destination;
    uint16_t length;
    uint32_t hop_cycles, flit_cycles;
    struct hop hops[MAX_HOPS];
    size_t num_hops;
};

size_t add_worm(struct trace *trace, uint32_t id, uint32_t source, uint32_t destination,
                uint16_t length, uint64_t created);
struct event *add_flit(struct trace *trace, uint64_t cycle, uint32_t link, uint8_t vc,
                       const struct anl_worm *worm, uint16_t index);
// Returns the class of a legal worm, which its lanes show.
uint8_t class_of(const struct legal_worm *legal);
// Adds the whole legal worm of one more worm, with lane_shift added to every lane.
void add_legal_worm(struct trace *trace, const struct legal_worm *legal, uint32_t id,
                    uint64_t start, uint8_t lane_shift);
struct event *find_event(struct trace *trace, uint32_t worm, uint32_t link, uint16_t index);
void drop_event(struct trace *trace, struct event *event);
// Returns a new referee that goes on from what this one knows (docs/checkpoint.md), which is
// destroyed.
struct anl_referee *referee_again(struct anl_referee *referee, const struct trace *trace);
// Returns the referee's verdict over the trace; its rule is ANL_RULE_NONE if no rule is broken.
// changes: another referee goes on after each cycle.
struct anl_violation judge_with(const struct trace *original, bool complete, bool backwards,
                                bool changes);
// Backwards, another referee goes on after each cycle besides.
struct anl_violation judge(const struct trace *trace, bool complete, bool backwards);
void expect_legal(const struct trace *trace, const char *name);

#endif
