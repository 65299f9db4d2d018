// SPDX-License-Identifier: Apache-2.0
//
// Terminals that refuse (docs/switch.md, "Requests and replies"): which flits their sinks show and
// take. Flits say when they come to a terminal, and the rules say when it takes them.

#include "blocking.h"

#include <stdlib.h>
#include <string.h>

enum { NO_LANE = 0xff };

// --- create and destroy ---

static bool make_state(struct blocking_sink_state *state, size_t terminals, size_t sinks)
{
    state->reservations = calloc(terminals, sizeof *state->reservations);
    state->shown = malloc(sinks * sizeof *state->shown);
    if (state->shown) memset(state->shown, NO_LANE, sinks * sizeof *state->shown);
    state->refuses = calloc(sinks, sizeof *state->refuses);
    return state->reservations && state->shown && state->refuses;
}

bool blocking_sinks_create(struct anl_blocking *blocking)
{
    const size_t terminals = blocking->shape.terminals, sinks = blocking->num_sources;
    struct blocking_sinks *made = calloc(1, sizeof *made);
    blocking->sinks = made;
    if (!made) return false;
    made->ended = malloc((terminals + 1) * sizeof *made->ended);
    return made->ended && make_state(&made->now, terminals, sinks) &&
           make_state(&made->next, terminals, sinks);
}

static void free_state(struct blocking_sink_state *state)
{
    free(state->reservations);
    free(state->shown);
    free(state->refuses);
}

void blocking_sinks_destroy(struct blocking_sinks *sinks)
{
    if (!sinks) return;
    free(sinks->ended);
    free_state(&sinks->now);
    free_state(&sinks->next);
    free(sinks);
}

// --- one cycle ---

static uint32_t terminal_of_lane(const struct anl_blocking *blocking, uint32_t lane)
{
    return anl_end_of(&blocking->config, blocking->buffers[lane].link).node;
}

// Returns where the sink of a terminal for a class stands in shown, as its source does among the
// sources.
static uint32_t sink_at(const struct anl_blocking *blocking, uint32_t terminal, uint32_t class_)
{
    return source_buffer(blocking, terminal, class_) - blocking->lanes;
}

static uint32_t sink_of_lane(const struct anl_blocking *blocking, uint32_t lane)
{
    return sink_at(blocking, terminal_of_lane(blocking, lane),
                   blocking->buffers[lane].vc / blocking->class_lanes);
}

static uint8_t role_of(const struct anl_blocking *blocking, uint32_t slot)
{
    return blocking_entry(blocking, worm_id(blocking, slot))->worm.role;
}

// Notes what the moves of the cycle before have done to reservations, and which sinks are free to
// show another flit.
static void follow_moves(const struct anl_blocking *blocking, struct blocking_sink_state *next)
{
    const struct blocking_move *moves = blocking->moves.list;
    for (size_t i = 0; i < blocking->moves.num_taken; i++) {
        const uint32_t sink = sink_of_lane(blocking, moves[i].from);
        next->shown[sink] = NO_LANE;
        if (moves[i].tail && role_of(blocking, moves[i].slot) == ANL_REQUEST)
            next->reservations[sink % blocking->shape.terminals]++;
    }
    for (size_t i = 0; i < blocking->moves.num_tails; i++) {
        const struct blocking_move *move = &moves[blocking->moves.tails[i]];
        if (!is_source(blocking, move->from)) continue;
        uint16_t *reservations = &next->reservations[terminal_of_source(blocking, move->from)];
        if (role_of(blocking, move->slot) == ANL_REPLY && *reservations > 0) --*reservations;
    }
}

static uint8_t lane_to_show(const struct anl_blocking *blocking, uint32_t first, uint32_t class_)
{
    const uint32_t begin = class_ * blocking->class_lanes;
    for (uint32_t vc = begin; vc < begin + blocking->class_lanes; vc++)
        if (blocking->buffers[first + vc].count > 0) return (uint8_t)vc;
    return NO_LANE;
}

// Adds the move by which a sink takes the front flit of a lane.
static void list_take(struct anl_blocking *blocking, uint32_t lane)
{
    const struct blocking_buffer *buffer = &blocking->buffers[lane];
    const uint32_t length = blocking->worms[buffer->front].length;
    blocking->moves.fed[blocking->moves.num_fed++] =
        (struct blocking_move){.from = lane,
                               .to = NONE,
                               .slot = buffer->front,
                               .index = buffer->index,
                               .head = buffer->index == 0,
                               .tail = buffer->index + 1u == length};
}

static bool is_tail_of_request(const struct anl_blocking *blocking, uint32_t lane)
{
    const struct blocking_buffer *buffer = &blocking->buffers[lane];
    return buffer->index + 1u == blocking->worms[buffer->front].length &&
           role_of(blocking, buffer->front) == ANL_REQUEST;
}

static void choose(struct anl_blocking *blocking, uint32_t terminal)
{
    struct blocking_sink_state *next = &blocking->sinks->next;
    const uint32_t first = lane_at(blocking, anl_ejection_link(&blocking->config, terminal), 0);
    uint32_t reservations = next->reservations[terminal];
    for (uint32_t c = 0; c < anl_num_classes(&blocking->config); c++) {
        const uint32_t sink = sink_at(blocking, terminal, c);
        uint8_t *shown = &next->shown[sink];
        const bool refused_before = *shown != NO_LANE;
        next->refuses[sink] = false;
        if (!refused_before) *shown = lane_to_show(blocking, first, c);
        if (*shown == NO_LANE) continue;
        const bool request = is_tail_of_request(blocking, first + *shown);
        if (request && reservations >= blocking->config.reply_queue) {
            next->refuses[sink] = true;
            blocking->sinks->changes |= !refused_before;
            continue;
        }
        reservations += request;
        list_take(blocking, first + *shown);
    }
}

void blocking_sinks_choose(struct anl_blocking *blocking)
{
    struct blocking_sinks *sinks = blocking->sinks;
    const size_t terminals = blocking->shape.terminals;
    memcpy(sinks->next.reservations, sinks->now.reservations,
           terminals * sizeof *sinks->now.reservations);
    memcpy(sinks->next.shown, sinks->now.shown, blocking->num_sources * sizeof *sinks->now.shown);
    sinks->changes = false;
    follow_moves(blocking, &sinks->next);
    for (uint32_t t = 0; t < terminals; t++)
        choose(blocking, t);
    for (size_t i = 0; i < blocking->moves.num_heads; i++) {
        const uint32_t to = blocking->moves.list[blocking->moves.heads[i]].to;
        if (!blocking->buffers[to].ejection) continue;
        sinks->changes |= sinks->next.refuses[sink_of_lane(blocking, to)];
    }
}

void blocking_sinks_take_in(struct blocking_sinks *sinks)
{
    const struct blocking_sink_state before = sinks->now;
    sinks->now = sinks->next;
    sinks->next = before;
}

// --- questions ---

bool blocking_is_refused(const struct anl_blocking *blocking, uint32_t lane)
{
    return blocking->sinks && blocking->sinks->now.refuses[sink_of_lane(blocking, lane)];
}

uint32_t blocking_shown_lane(const struct anl_blocking *blocking, uint32_t lane)
{
    const uint8_t shown = blocking->sinks->now.shown[sink_of_lane(blocking, lane)];
    return shown == NO_LANE ? NONE : lane - blocking->buffers[lane].vc + shown;
}

uint32_t blocking_reply_source(const struct anl_blocking *blocking, uint32_t lane)
{
    return source_buffer(blocking, terminal_of_lane(blocking, lane),
                         anl_num_classes(&blocking->config) - 1);
}
