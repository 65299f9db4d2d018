// SPDX-License-Identifier: Apache-2.0
//
// A second model of papers/cole_maggs_sitaraman/discard.md, slow and written from the page: it
// moves every flit through registers and owners.

#ifndef ANL_UNIT_DISCARD_ORACLE_H
#define ANL_UNIT_DISCARD_ORACLE_H

#include <annelid/annelid.h>
#include <annelid/discard.h>
#include <stdlib.h>
#include <string.h>

enum { ORACLE_LANES = 8 * 16 * 2 * 4, ORACLE_WORMS = 400 };
#define ORACLE_NOWHERE UINT32_MAX

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
    struct oracle_flit registers[ORACLE_LANES], crossed[ORACLE_LANES];  // by lane of the link
    uint8_t owners[ORACLE_LANES];
    bool owned[ORACLE_LANES], taken[ORACLE_LANES];  // at the start of the step; in the step
    uint32_t owner_worms[ORACLE_LANES];  // which tells apart the injection lanes of a source
    struct anl_discard_outcome outcomes[ORACLE_WORMS];
    uint64_t step;
};

static inline void oracle_begin(struct oracle *oracle, const struct anl_discard_shape *shape)
{
    memset(oracle, 0, sizeof *oracle);
    oracle->shape = *shape;
    oracle->columns = 1u << shape->levels;
    oracle->levels = shape->levels * shape->passes;
    memset(oracle->owners, ANL_DISCARD_NO_OWNER, sizeof oracle->owners);
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

// Returns the lane that a head takes, or ORACLE_NOWHERE.
static inline uint32_t oracle_choose(const struct oracle *oracle, uint32_t level, uint32_t column,
                                     const struct anl_discard_worm *worm)
{
    const uint32_t num_vcs = oracle->shape.num_vcs;
    const bool first = oracle->shape.passes == 2 && level < oracle->shape.levels;
    const uint32_t goal = first ? worm->intermediate : worm->destination;
    const uint32_t link = (goal & oracle_bit(oracle, level)) != 0;
    for (uint32_t vc = 0; vc < num_vcs; vc++) {
        const uint32_t lane = oracle_lane(oracle, level, column, link * num_vcs + vc);
        if (!oracle->owned[lane] && !oracle->taken[lane]) return lane;
    }
    return ORACLE_NOWHERE;
}

// Returns the output lane of a node that an input lane owns, or ORACLE_NOWHERE.
static inline uint32_t oracle_owned(const struct oracle *oracle, uint32_t level, uint32_t column,
                                    uint32_t worm, uint8_t input)
{
    for (uint32_t way = 0; way < 2 * oracle->shape.num_vcs; way++) {
        const uint32_t lane = oracle_lane(oracle, level, column, way);
        const bool same = input != ANL_DISCARD_SOURCE || oracle->owner_worms[lane] == worm;
        if (oracle->owned[lane] && oracle->owners[lane] == input && same) return lane;
    }
    return ORACLE_NOWHERE;
}

// Moves one flit that stands in an input lane of a node.
static inline void oracle_flit(struct oracle *oracle, uint32_t level, uint32_t column,
                               struct oracle_flit flit, uint8_t input)
{
    const struct anl_discard_worm *worm = &oracle->worms[flit.worm];
    struct anl_discard_outcome *outcome = &oracle->outcomes[flit.worm];
    const bool head = flit.index == 0, tail = flit.index + 1 == worm->length;
    const uint32_t lane = head ? oracle_choose(oracle, level, column, worm)
                               : oracle_owned(oracle, level, column, flit.worm, input);
    if (head)
        *outcome = (struct anl_discard_outcome){lane == ORACLE_NOWHERE ? ANL_DISCARD_DISCARDED
                                                                       : ANL_DISCARD_UNDECIDED,
                                                level, oracle->step, 0};
    if (lane == ORACLE_NOWHERE) return;
    oracle->taken[lane] = true;
    oracle->crossed[lane] = flit;
    oracle->owners[lane] = tail ? ANL_DISCARD_NO_OWNER : input;
    oracle->owner_worms[lane] = flit.worm;
    if (level + 1 == oracle->levels && tail)
        *outcome = (struct anl_discard_outcome){ANL_DISCARD_DELIVERED, oracle->levels, oracle->step,
                                                lane % oracle->shape.num_vcs};
}

static inline void oracle_node(struct oracle *oracle, uint32_t level, uint32_t column)
{
    const uint32_t num_vcs = oracle->shape.num_vcs;
    for (uint32_t input = 0; level > 0 && input < 2 * num_vcs; input++) {
        const uint32_t from = oracle_from(oracle, level, column, input / num_vcs);
        const uint32_t end = (column & oracle_bit(oracle, level - 1)) != 0;
        const uint32_t lane = oracle_lane(oracle, level - 1, from, end * num_vcs + input % num_vcs);
        if (oracle->registers[lane].valid)
            oracle_flit(oracle, level, column, oracle->registers[lane], (uint8_t)input);
    }
    for (uint32_t id = 0; level == 0 && id < oracle->num_worms; id++) {
        const struct anl_discard_worm *worm = &oracle->worms[id];
        const struct oracle_flit flit = {id, (uint16_t)(oracle->step - worm->start), true};
        if (worm->source == column && worm->start <= oracle->step &&
            oracle->step < worm->start + worm->length)
            oracle_flit(oracle, 0, column, flit, ANL_DISCARD_SOURCE);
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
        oracle->registers[lane] = oracle->crossed[lane];
        oracle->owned[lane] = oracle->owners[lane] != ANL_DISCARD_NO_OWNER;
    }
}

#endif
