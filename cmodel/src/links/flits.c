// SPDX-License-Identifier: Apache-2.0
//
// The fields of a flit as a description says them: read from a head that comes, written into flits
// that we make.

#include "links.h"

#include <string.h>

// --- numbers of terminals ---

static uint32_t columns_of(const struct anl_link_description *description,
                           const struct anl_config *config)
{
    return description->columns ? description->columns : config->k;
}

// Returns the value of a head's field, or of no field 0. May be negative by its `plus`.
static int64_t value_of(const struct anl_link_description *description, const uint32_t *flit,
                        enum anl_head_field field)
{
    const struct anl_bits bits = description->fields[field];
    return bits.width ? (int64_t)links_bits(flit, bits) + bits.plus : 0;
}

uint32_t anl_link_destination(const struct anl_link_description *description,
                              const struct anl_config *config, const uint32_t *flit)
{
    const int64_t columns = columns_of(description, config);
    const int64_t terminals = anl_shape_of(config).terminals;
    int64_t terminal = 0;
    if (description->fields[ANL_FIELD_DESTINATION].width) {
        terminal = value_of(description, flit, ANL_FIELD_DESTINATION);
    } else {
        const int64_t x = value_of(description, flit, ANL_FIELD_X);
        const int64_t y = value_of(description, flit, ANL_FIELD_Y);
        const int64_t z = value_of(description, flit, ANL_FIELD_Z);
        const bool fits = x >= 0 && y >= 0 && z >= 0 && x < columns;
        if (!fits || (description->fields[ANL_FIELD_Z].width && y >= columns)) return UINT32_MAX;
        terminal = x + columns * (y + columns * z);
    }
    return terminal >= 0 && terminal < terminals ? (uint32_t)terminal : UINT32_MAX;
}

uint32_t anl_link_length(const struct anl_link_description *description, const uint32_t *flit)
{
    const int64_t length = value_of(description, flit, ANL_FIELD_LENGTH);
    if (!description->fields[ANL_FIELD_LENGTH].width)
        return description->ends == ANL_ENDS_LENGTH ? 1 : 0;
    return length > 0 && length <= UINT16_MAX ? (uint32_t)length : 0;
}

// --- flits that we make ---

// Writes a field of a head, if there is one.
static void put(const struct anl_link_description *description, enum anl_head_field field,
                uint32_t value, uint32_t *flit)
{
    const struct anl_bits bits = description->fields[field];
    links_set_bits(flit, bits, value - (uint32_t)bits.plus);
}

static void put_terminal(const struct anl_link_description *description,
                         const struct anl_config *config, enum anl_head_field first,
                         uint32_t terminal, uint32_t *flit)
{
    const uint32_t columns = columns_of(description, config);
    const bool deep = description->fields[first + 3].width;
    put(description, first, terminal, flit);
    put(description, first + 1, terminal % columns, flit);
    put(description, first + 2, deep ? terminal / columns % columns : terminal / columns, flit);
    put(description, first + 3, terminal / columns / columns, flit);
}

static void put_fixed(const struct anl_fixed_bits *fixed, uint32_t count, uint32_t *flit)
{
    for (uint32_t i = 0; i < count; i++)
        links_set_bits(flit, fixed[i].bits, fixed[i].value);
}

static void put_head(const struct anl_link_description *description,
                     const struct anl_config *config, const struct anl_worm *worm, uint32_t *flit)
{
    put(description, ANL_FIELD_NUMBER, worm->id, flit);
    put_terminal(description, config, ANL_FIELD_DESTINATION, worm->destination, flit);
    put_terminal(description, config, ANL_FIELD_SOURCE, worm->source, flit);
    put(description, ANL_FIELD_LENGTH, worm->length, flit);
    put_fixed(description->head_always, description->num_head_always, flit);
}

// Returns the lowest value that has a bit in one set, and has one in the other or not.
static uint32_t type_of(const struct anl_link_description *description, bool head, bool tail)
{
    for (uint32_t value = 0; value < 64; value++)
        if ((description->type_head >> value & 1) == head &&
            (description->type_tail >> value & 1) == tail)
            return value;
    return 0;
}

static void put_ends(const struct anl_link_description *description, bool head, bool tail,
                     uint32_t *flit)
{
    if (description->ends == ANL_ENDS_MARKS) {
        links_set_bits(flit, (struct anl_bits){description->head_mark, 1, 0}, head);
        links_set_bits(flit, (struct anl_bits){description->tail_mark, 1, 0}, tail);
    } else if (description->ends == ANL_ENDS_TYPE) {
        links_set_bits(flit, description->type, type_of(description, head, tail));
    }
}

// Fills all wires: the lowest 32 tell flits apart whatever the fields behind them cover.
static void fill(const struct anl_link_description *description, const struct anl_worm *worm,
                 uint32_t index, uint32_t *flit)
{
    const uint64_t number = (uint64_t)worm->id << 16 | index;
    for (uint32_t word = 0; word < ANL_WIRE_WORDS; word++)
        flit[word] = (uint32_t)anl_mix(number << 8 | word);
    for (uint32_t bit = description->width; bit < 32 * ANL_WIRE_WORDS; bit++)
        flit[bit / 32] &= ~(1u << bit % 32);
}

// Marks the wires of a head that mean something.
static void mark_taken(const struct anl_link_description *description, uint32_t *taken)
{
    for (unsigned field = 0; field < ANL_NUM_HEAD_FIELDS; field++)
        links_set_bits(taken, description->fields[field], UINT32_MAX);
    for (uint32_t i = 0; i < description->num_head_always; i++)
        links_set_bits(taken, description->head_always[i].bits, UINT32_MAX);
    for (uint32_t i = 0; i < description->num_always; i++)
        links_set_bits(taken, description->always[i].bits, UINT32_MAX);
    for (uint32_t i = 0; i < description->num_changes; i++)
        links_set_bits(taken, description->changes[i], UINT32_MAX);
    links_set_bits(taken, description->lane, UINT32_MAX);
    put_ends(description, true, true, taken);
    if (description->ends == ANL_ENDS_TYPE) links_set_bits(taken, description->type, UINT32_MAX);
}

// Writes the number of the worm into the free wires of a head, the lowest bit into the lowest wire.
// So the heads of as many worms in a row differ as these wires can count.
static void number_head(const struct anl_link_description *description, uint32_t id, uint32_t *flit)
{
    uint32_t taken[ANL_WIRE_WORDS] = {0};
    mark_taken(description, taken);
    for (uint32_t bit = 0, digit = 0; bit < description->width && digit < 32; bit++)
        if (!(taken[bit / 32] >> bit % 32 & 1))
            links_set_bits(flit, (struct anl_bits){(uint16_t)bit, 1, 0}, id >> digit++ & 1);
}

void anl_link_make_flit(const struct anl_link_description *description,
                        const struct anl_config *config, const struct anl_worm *worm,
                        uint32_t index, uint32_t vc, uint32_t *flit)
{
    const bool head = index == 0, tail = index + 1u == worm->length;
    fill(description, worm, index, flit);
    put_fixed(description->always, description->num_always, flit);
    if (head && !description->fields[ANL_FIELD_NUMBER].width)
        number_head(description, worm->id, flit);
    if (head) put_head(description, config, worm, flit);
    put_ends(description, head, tail, flit);
    links_set_bits(flit, description->lane, vc);
}

void anl_link_mask(const struct anl_link_description *description, bool head, uint32_t *flit)
{
    for (uint32_t bit = description->width; bit < 32 * ANL_WIRE_WORDS; bit++)
        flit[bit / 32] &= ~(1u << bit % 32);
    put_ends(description, false, false, flit);
    if (description->ends == ANL_ENDS_TYPE) links_set_bits(flit, description->type, 0);
    links_set_bits(flit, description->lane, 0);
    for (uint32_t i = 0; head && i < description->num_changes; i++)
        links_set_bits(flit, description->changes[i], 0);
}
