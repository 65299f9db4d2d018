// SPDX-License-Identifier: Apache-2.0
//
// A second model of docs/discard.md, slow and written from the page: it moves every flit through
// registers, latches and busy bits.

#ifndef ANL_UNIT_DISCARD_ORACLE_H
#define ANL_UNIT_DISCARD_ORACLE_H

#include <annelid/annelid.h>
#include <stdlib.h>
#include <string.h>

enum { ORACLE_LANES = 8 * 16 * 2 * 4, ORACLE_WORMS = 400, ORACLE_WAYS = 8 };

struct oracle_flit {
    uint32_t worm;
    uint16_t index;
    bool valid;
};

struct oracle {
    struct anl_discard_shape shape;
    uint32_t columns, levels;
    struct anl_discard_worm worms[ORACLE_WORMS];
    uint32_t num_worms;
    uint8_t first_ways[ORACLE_WORMS];  // the latch of the injection lane of each worm
    struct oracle_flit registers[ORACLE_LANES], crossed[ORACLE_LANES];  // by lane of the link
    uint8_t latches[ORACLE_LANES];                                      // behind the register
    bool busy[ORACLE_LANES], taken[ORACLE_LANES];
    struct anl_discard_outcome outcomes[ORACLE_WORMS];
    uint64_t step;
};

static inline void oracle_begin(struct oracle *oracle, const struct anl_discard_shape *shape)
{
    memset(oracle, 0, sizeof *oracle);
    oracle->shape = *shape;
    oracle->columns = 1u << shape->levels;
    oracle->levels = shape->levels * shape->passes;
    memset(oracle->latches, ANL_DISCARD_NO_WAY, sizeof oracle->latches);
    memset(oracle->first_ways, ANL_DISCARD_NO_WAY, sizeof oracle->first_ways);
}

static inline uint32_t oracle_bit(const struct oracle *oracle, uint32_t level)
{
    return 1u << (oracle->shape.levels - 1 - level % oracle->shape.levels);
}

static inline uint32_t oracle_lane(const struct oracle *oracle, uint32_t level, uint32_t column,
                                   uint32_t way)
{
    return (level * oracle->columns + column) * 2 * oracle->shape.num_vcs + way;
}

// Returns the column in which a link begins that ends at an input link of a node.
static inline uint32_t oracle_from(const struct oracle *oracle, uint32_t level, uint32_t column,
                                   uint32_t input)
{
    const uint32_t bit = oracle_bit(oracle, level - 1);
    return input ? column | bit : column & ~bit;
}

// Moves one flit that stands in a node; *way is its latch.
static inline void oracle_flit(struct oracle *oracle, uint32_t level, uint32_t column,
                               struct oracle_flit flit, uint8_t *way)
{
    const struct anl_discard_worm *worm = &oracle->worms[flit.worm];
    struct anl_discard_outcome *outcome = &oracle->outcomes[flit.worm];
    const uint32_t num_vcs = oracle->shape.num_vcs;
    const bool head = flit.index == 0, tail = flit.index + 1 == worm->length;
    if (head) {
        const bool first = oracle->shape.passes == 2 && level < oracle->shape.levels;
        const uint32_t goal = first ? worm->intermediate : worm->destination;
        const uint32_t link = (goal & oracle_bit(oracle, level)) != 0;
        *way = ANL_DISCARD_WAY_DISCARD;
        for (uint32_t vc = num_vcs; vc-- > 0;) {
            const uint32_t lane = oracle_lane(oracle, level, column, link * num_vcs + vc);
            if (!oracle->busy[lane] && !oracle->taken[lane]) *way = (uint8_t)(link * num_vcs + vc);
        }
        outcome->level = level;
        outcome->step = oracle->step;
        if (*way == ANL_DISCARD_WAY_DISCARD) outcome->fate = ANL_DISCARD_DISCARDED;
    }
    if (*way != ANL_DISCARD_WAY_DISCARD) {
        const uint32_t lane = oracle_lane(oracle, level, column, *way);
        oracle->taken[lane] = true;
        oracle->crossed[lane] = flit;
        if (level + 1 == oracle->levels && tail)
            *outcome = (struct anl_discard_outcome){ANL_DISCARD_DELIVERED, oracle->levels,
                                                    oracle->step, *way % num_vcs};
    }
    if (tail) *way = ANL_DISCARD_NO_WAY;
}

static inline void oracle_node(struct oracle *oracle, uint32_t level, uint32_t column)
{
    const uint32_t num_vcs = oracle->shape.num_vcs;
    for (uint32_t input = 0; level > 0 && input < 2 * num_vcs; input++) {
        const uint32_t from = oracle_from(oracle, level, column, input / num_vcs);
        const uint32_t end = (column & oracle_bit(oracle, level - 1)) != 0;
        const uint32_t lane = oracle_lane(oracle, level - 1, from, end * num_vcs + input % num_vcs);
        if (oracle->registers[lane].valid)
            oracle_flit(oracle, level, column, oracle->registers[lane], &oracle->latches[lane]);
    }
    for (uint32_t id = 0; level == 0 && id < oracle->num_worms; id++) {
        const struct anl_discard_worm *worm = &oracle->worms[id];
        const struct oracle_flit flit = {id, (uint16_t)(oracle->step - worm->start), true};
        if (worm->source == column && worm->start <= oracle->step &&
            oracle->step < worm->start + worm->length)
            oracle_flit(oracle, 0, column, flit, &oracle->first_ways[id]);
    }
}

static inline void oracle_step(struct oracle *oracle)
{
    const uint32_t lanes = oracle->levels * oracle->columns * 2 * oracle->shape.num_vcs;
    oracle->step++;
    memset(oracle->crossed, 0, sizeof oracle->crossed);
    memset(oracle->taken, 0, sizeof oracle->taken);
    for (uint32_t level = 0; level < oracle->levels; level++)
        for (uint32_t column = 0; column < oracle->columns; column++)
            oracle_node(oracle, level, column);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const struct oracle_flit flit = oracle->crossed[lane];
        if (flit.valid) oracle->busy[lane] = flit.index + 1u < oracle->worms[flit.worm].length;
        oracle->registers[lane] = flit;
    }
}

#endif
