// SPDX-License-Identifier: Apache-2.0

#include "observed.h"

#include "difference.h"

#include <stdlib.h>
#include <string.h>

static enum anl_status wires_create(struct wires *wires, uint32_t size)
{
    wires->wire = calloc(size, sizeof *wires->wire);
    wires->valid = calloc(size / 64 + 1, sizeof *wires->valid);
    wires->size = size;
    return wires->wire && wires->valid ? ANL_OK : ANL_ERR_MEMORY;
}

static void wires_destroy(struct wires *wires)
{
    free(wires->wire);
    free(wires->valid);
}

static void wires_clear(struct wires *wires)
{
    memset(wires->valid, 0, (wires->size / 64 + 1) * sizeof *wires->valid);
}

void wires_put(struct wires *wires, uint32_t number, uint32_t vc, const uint32_t *flit,
               uint32_t words)
{
    wires->valid[number / 64] |= UINT64_C(1) << (number % 64);
    wires->wire[number].vc = (uint8_t)vc;
    memcpy(wires->wire[number].flit, flit, words * sizeof *flit);
}

uint32_t wires_next(const struct wires *wires, uint32_t from)
{
    uint32_t word = from / 64;
    uint64_t bits = wires->valid[word] & (UINT64_MAX << (from % 64));
    while (!bits) {
        if (++word > wires->size / 64) return wires->size;
        bits = wires->valid[word];
    }
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

static bool bit_of(const uint32_t *words, uint32_t bit)
{
    return words[bit / 32] >> (bit % 32) & 1;
}

size_t wires_count(const struct wires *wires)
{
    size_t count = 0;
    for (uint32_t word = 0; word < (wires->size + 63) / 64; word++)
        count += (size_t)__builtin_popcountll(wires->valid[word]);
    return count;
}

bool wire_head(const struct anl_config *config, const struct wire *wire)
{
    return bit_of(wire->flit, config->flit_width_bits + 1);
}

bool wire_tail(const struct anl_config *config, const struct wire *wire)
{
    return bit_of(wire->flit, config->flit_width_bits);
}

enum anl_status state_create(struct anl_state *state, const struct anl_config *config)
{
    struct anl_shape shape = anl_shape_of(config);
    size_t ports = (size_t)shape.switches * shape.ports;
    state->lanes = calloc(ports * config->num_vcs, sizeof *state->lanes);
    state->ports = calloc(ports, sizeof *state->ports);
    state->random = calloc(shape.switches, sizeof *state->random);
    state->terminal_lanes =
        calloc((size_t)shape.terminals * config->num_vcs, sizeof *state->terminal_lanes);
    const uint32_t classes = anl_num_classes(config);
    state->in_ptrs = calloc(ports * classes, sizeof *state->in_ptrs);
    state->favours = calloc(ports, sizeof *state->favours);
    state->injections = calloc(shape.terminals, sizeof *state->injections);
    state->sinks = calloc((size_t)shape.terminals * classes, sizeof *state->sinks);
    state->reservations = calloc(shape.terminals, sizeof *state->reservations);
    bool whole = state->lanes && state->ports && state->random && state->terminal_lanes &&
                 state->in_ptrs && state->favours && state->injections && state->sinks &&
                 state->reservations;
    return whole ? ANL_OK : ANL_ERR_MEMORY;
}

void state_destroy(struct anl_state *state)
{
    free(state->lanes);
    free(state->ports);
    free(state->random);
    free(state->terminal_lanes);
    free(state->in_ptrs);
    free(state->favours);
    free(state->injections);
    free(state->sinks);
    free(state->reservations);
}

void observed_destroy(struct observed *observed)
{
    wires_destroy(&observed->links);
    wires_destroy(&observed->sinks);
    state_destroy(&observed->state);
    free(observed->seen);
    free(observed->credits);
    if (observed->of_kind) observed->kind->destroy(observed);
    *observed = (struct observed){0};
}

void observed_clear(struct observed *observed)
{
    wires_clear(&observed->links);
    wires_clear(&observed->sinks);
    observed->num_credits = 0;
    observed->fault = NOWHERE;
    if (observed->kind && observed->kind->clear) observed->kind->clear(observed);
}

void observed_credits(struct observed *observed, uint32_t link, uint32_t lanes)
{
    if (observed->num_credits == observed->shape.links) return;  // two switches have one label
    observed->credits[observed->num_credits++] = (struct anl_credits){link, lanes};
}

void observed_forget(struct observed *observed)
{
    size_t ports = (size_t)observed->shape.switches * observed->shape.ports;
    memset(observed->seen, 0, ports * observed->config->num_vcs * sizeof *observed->seen);
}

static inline uint32_t take(struct fields *fields, uint32_t width)
{
    if (fields->count < width) {
        fields->bits |= (uint64_t)*fields->next++ << fields->count;
        fields->count += 32;
    }
    uint64_t rest = fields->bits >> width;
    uint32_t value = (uint32_t)(fields->bits ^ rest << width);
    fields->bits = rest;
    fields->count -= width;
    return value;
}

uint32_t fields_take(struct fields *fields, uint32_t width) { return take(fields, width); }

void fields_take_flit(struct fields *fields, const struct observed *observed, struct wire *wire)
{
    uint32_t width = observed->config->flit_width_bits + 2, *words = wire->flit;
    for (; width > 32; width -= 32)
        *words++ = take(fields, 32);
    *words = take(fields, width);
}

// Returns the least width that can hold 0..values-1.
static uint32_t width_of(uint32_t values)
{
    uint32_t width = 0;
    while (UINT32_C(1) << width < values)
        width++;
    return width;
}

struct widths {
    uint32_t count, port, vc;
    uint32_t class_, class_vc;  // of a class, and of a lane within its class
};

// An index has at least one bit.
static uint32_t index_width(uint32_t values)
{
    const uint32_t width = width_of(values);
    return width ? width : 1;
}

static struct widths widths_of(const struct observed *observed)
{
    const struct anl_config *config = observed->config;
    return (struct widths){
        .count = width_of(config->depth + 1),
        .port = index_width(observed->shape.ports),
        .vc = index_width(config->num_vcs),
        .class_ = index_width(observed->classes),
        .class_vc = index_width(anl_class_lanes(config)),
    };
}

#define TAKE_EACH(fields, lanes, number, member, width)                                            \
    for (uint32_t i_ = 0; i_ < (number); i_++)                                                     \
    (lanes)[i_].member = (uint8_t)take(fields, width)

static void mask_and_cover(const struct observed *observed, struct anl_lane_state *lane,
                           uint8_t *seen)
{
    if (!lane->bound) lane->bound_port = lane->bound_vc = 0;
    if (!lane->owned) lane->owner_port = lane->owner_vc = 0;
    if (lane->count == observed->config->depth) *seen |= SEEN_FULL;
    if (lane->bound) *seen |= SEEN_BOUND;
    if (lane->credit == 0) *seen |= SEEN_NO_CREDIT;
    if (lane->owned) *seen |= SEEN_OWNED;
}

// With several classes each class of an input port has a pointer, and ports have none for all.
static void take_in_ptrs(struct fields *fields, struct observed *observed, uint32_t number)
{
    const uint32_t ports = observed->shape.ports, classes = observed->classes;
    const uint32_t width = widths_of(observed).class_vc;
    for (uint32_t i = 0; i < ports * classes; i++) {
        const uint8_t in_ptr = (uint8_t)take(fields, width);
        observed->state.in_ptrs[(size_t)number * ports * classes + i] = in_ptr;
        if (classes == 1) observed->state.ports[(size_t)number * ports + i].in_ptr = in_ptr;
    }
}

static void take_favours(struct fields *fields, const struct observed *observed,
                         struct anl_favour_state *favour, uint32_t number)
{
    enum { QUOTA_WIDTH = 8 };
    if (observed->classes == 1) return;
    TAKE_EACH(fields, favour, number, class_, widths_of(observed).class_);
    TAKE_EACH(fields, favour, number, quota, QUOTA_WIDTH);
}

// A pointer of a wide link names an input lane of the switch.
static uint32_t out_ptr_width(const struct observed *observed)
{
    return index_width(observed->shape.ports * observed->lines);
}

static void take_buffered(struct observed *observed, uint32_t number, struct fields *fields)
{
    uint32_t ports = observed->shape.ports, lanes = ports * observed->config->num_vcs;
    struct widths width = widths_of(observed);
    struct anl_lane_state *lane = &observed->state.lanes[(size_t)number * lanes];
    struct anl_port_state *port = &observed->state.ports[(size_t)number * ports];
    TAKE_EACH(fields, lane, lanes, count, width.count);
    TAKE_EACH(fields, lane, lanes, bound, 1);
    TAKE_EACH(fields, lane, lanes, bound_port, width.port);
    TAKE_EACH(fields, lane, lanes, bound_vc, width.vc);
    TAKE_EACH(fields, lane, lanes, credit, width.count);
    TAKE_EACH(fields, lane, lanes, owned, 1);
    TAKE_EACH(fields, lane, lanes, owner_port, width.port);
    TAKE_EACH(fields, lane, lanes, owner_vc, width.vc);
    take_in_ptrs(fields, observed, number);
    TAKE_EACH(fields, port, ports, out_ptr, out_ptr_width(observed));
    observed->state.random[number] = take(fields, 32);
    take_favours(fields, observed, &observed->state.favours[(size_t)number * ports], ports);
    for (uint32_t i = 0; i < lanes; i++)
        mask_and_cover(observed, &lane[i], &observed->seen[(size_t)number * lanes + i]);
}

void observed_switch(struct observed *observed, uint32_t number, const uint32_t *bits)
{
    struct fields fields = {.next = bits};
    if (observed->kind)
        observed->kind->take(observed, number, &fields);
    else
        take_buffered(observed, number, &fields);
}

enum anl_status observed_create(struct observed *observed, const struct anl_config *config,
                                const struct observed_kind *kind)
{
    *observed = (struct observed){.config = config, .shape = anl_shape_of(config), .kind = kind};
    observed->classes = anl_num_classes(config);
    observed->lines = anl_link_flits(config);
    observed->ends = config->link == ANL_WIDE ? config->num_vcs : observed->classes;
    size_t lanes = (size_t)observed->shape.switches * observed->shape.ports * config->num_vcs;
    observed->seen = calloc(lanes, sizeof *observed->seen);
    observed->credits = calloc(observed->shape.links, sizeof *observed->credits);
    bool whole = observed->seen && observed->credits;
    if (kind) whole = kind->create(observed) && whole;
    whole =
        wires_create(&observed->links, observed->shape.links * observed->lines) == ANL_OK && whole;
    whole = wires_create(&observed->sinks, observed->shape.terminals * observed->ends) == ANL_OK &&
            whole;
    whole = state_create(&observed->state, config) == ANL_OK && whole;
    return whole ? ANL_OK : ANL_ERR_MEMORY;
}

void observed_terminal(struct observed *observed, uint32_t number, const uint32_t *bits)
{
    uint32_t lanes = observed->config->num_vcs;
    struct widths width = widths_of(observed);
    struct fields fields = {.next = bits};
    struct anl_terminal_lane_state *lane = &observed->state.terminal_lanes[(size_t)number * lanes];
    TAKE_EACH(&fields, lane, lanes, count, width.count);
    TAKE_EACH(&fields, lane, lanes, credit, width.count);
    TAKE_EACH(&fields, lane, lanes, bound, 1);
    take_favours(&fields, observed, &observed->state.injections[number], 1);
}
