// SPDX-License-Identifier: Apache-2.0
//
// The data bits of a flit, as docs/link.md defines them.

#include "network.h"

#include <annelid/base.h>
#include <string.h>

// The special words of docs/link.md: bit patterns that hardware and its checkers like to treat in a
// way of their own (markers, alternating bits, ends of the range of numbers).
static const uint32_t special_words[32] = {
    0xdeadbeef, 0xcafebabe, 0xbaadf00d, 0xfeedface, 0xdeadc0de, 0x0badcafe, 0xc0ffee00, 0xfacefeed,
    0x12345678, 0x87654321, 0x01234567, 0x89abcdef, 0xaaaaaaaa, 0x55555555, 0xcccccccc, 0x33333333,
    0xf0f0f0f0, 0x0f0f0f0f, 0xff00ff00, 0x00ff00ff, 0xffff0000, 0x0000ffff, 0x7fffffff, 0x80000000,
    0x7f800000, 0x3f800000, 0x7fc00000, 0x00010001, 0x01010101, 0x80808080, 0x20202020, 0x0a0d0a0d,
};

// Writes the low `count` bits of value from bit *at of words on and advances *at behind them. Bits
// that lie beyond the width of a flit are left out.
static void put(uint32_t *words, uint32_t width, uint32_t *at, uint64_t value, uint32_t count)
{
    for (uint32_t done = 0; done < count && *at < width;) {
        const uint32_t room = 32 - *at % 32, left = width - *at;
        uint32_t step = count - done;
        if (step > room) step = room;
        if (step > left) step = left;
        const uint32_t mask = step == 32 ? UINT32_MAX : (1u << step) - 1;
        words[*at / 32] |= ((uint32_t)(value >> done) & mask) << *at % 32;
        *at += step;
        done += step;
    }
}

// Writes the output ports that a worm on this link has still to take.
static void put_list(const struct anl_config *config, const struct anl_worm *worm, uint32_t link,
                     uint32_t *words, uint32_t *at)
{
    const uint32_t bits = anl_source_port_bits(config), begin = *at;
    const uint32_t passed = anl_switches_passed(config, worm, link);
    struct network_walk walk = network_walk_begin(config->graph, worm);
    while (network_walk_next(&walk))
        if (walk.passed > passed) put(words, config->flit_width_bits, at, walk.port, bits);
    *at = begin + config->graph->longest_route * bits;
}

// Returns the digits of a path, as they stand in a head.
static uint64_t path_field(const struct anl_config *config, uint32_t path)
{
    const uint32_t radix = anl_path_radix(config), bits = network_bits_for(radix);
    uint64_t field = 0;
    for (uint32_t at = 0; at < anl_path_bits(config); at += bits, path /= radix)
        field |= (uint64_t)(path % radix) << at;
    return field;
}

// Returns `count` bits from bit *at of words on and advances *at behind them.
static uint64_t get(const uint32_t *words, uint32_t *at, uint32_t count)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < count; i++, ++*at)
        value |= (uint64_t)(words[*at / 32] >> *at % 32 & 1) << i;
    return value;
}

// Returns the number that has these digits, as label and path have them; UINT32_MAX: one of them is
// none.
static uint32_t number_of(const uint32_t *words, uint32_t *at, uint32_t radix, uint32_t width)
{
    const uint32_t bits = network_bits_for(radix), end = *at + width;
    uint64_t number = 0, weight = 1;
    bool good = true;
    for (; *at < end; weight *= radix) {
        const uint64_t digit = get(words, at, bits);
        good = good && digit < radix;
        number += digit * weight;
    }
    return good ? (uint32_t)number : UINT32_MAX;
}

uint32_t anl_head_terminal(const struct anl_config *config, const uint32_t *words)
{
    uint32_t at = 0;
    return number_of(words, &at, config->k, anl_label_bits(config));
}

// Reads a list of output ports up to the one that leads to a terminal.
static uint16_t read_list(const struct anl_config *config, uint32_t source, const uint32_t *words,
                          uint32_t at, uint8_t *ports)
{
    const struct anl_graph *graph = config->graph;
    const uint32_t bits = anl_source_port_bits(config), links = graph->switches * graph->ports;
    uint16_t passed = 0;
    for (uint32_t in = graph->homes[source]; in < links && passed < graph->longest_route;) {
        ports[passed] = (uint8_t)get(words, &at, bits);
        if (ports[passed] >= graph->ports) return 0;
        in = graph->ends[in / graph->ports * graph->ports + ports[passed++]];
    }
    return passed;
}

const char *anl_head_read(const struct anl_config *config, const uint32_t *words, uint32_t vc,
                          uint8_t *ports, struct anl_worm *worm)
{
    const struct anl_worm read = {.source = worm->source,
                                  .destination = anl_head_terminal(config, words),
                                  .has_path = anl_num_paths(config) > 1,
                                  .class_ = (uint8_t)anl_class_of(config, vc)};
    uint32_t at = anl_label_bits(config), distance = 0;
    *worm = read;
    if (read.destination == UINT32_MAX) return "expected the label of a terminal as destination";
    if (anl_head_has_length(config)) {
        worm->length = (uint16_t)get(words, &at, ANL_LENGTH_BITS);
        if (worm->length == 0 || worm->length > anl_longest_worm(config))
            return "expected a length that this network takes";
    }
    if (anl_arbiter_has(config->arbiter, ANL_ARBITER_STAMPS)) worm->created = get(words, &at, 16);
    const bool has_distance = anl_arbiter_has(config->arbiter, ANL_ARBITER_DISTANCES);
    if (has_distance) distance = (uint32_t)get(words, &at, 16);
    worm->path = number_of(words, &at, anl_path_radix(config), anl_path_bits(config));
    if (worm->path == UINT32_MAX) return "expected a path of this network";
    if (config->routing == ANL_SOURCE) {
        worm->route = ports;
        worm->route_length = read_list(config, worm->source, words, at, ports);
        if (anl_own_route_check(config, worm, NULL))
            return "expected a list of output ports that leads to its destination";
    }
    if (has_distance && distance != anl_worm_distance(config, worm))
        return "expected the distance of source and destination";
    if (!(anl_injection_vcs(config, worm->source, worm->destination) >> vc & 1))
        return "expected a lane that leads to its destination";
    return NULL;
}

static void put_head(const struct anl_config *config, const struct anl_worm *worm, uint32_t link,
                     uint32_t *words, uint32_t *at)
{
    const uint32_t width = config->flit_width_bits;
    put(words, width, at, anl_label(config, worm->destination), anl_label_bits(config));
    if (anl_head_has_length(config)) put(words, width, at, worm->length, ANL_LENGTH_BITS);
    if (anl_arbiter_has(config->arbiter, ANL_ARBITER_STAMPS))
        put(words, width, at, worm->created, 16);
    if (anl_arbiter_has(config->arbiter, ANL_ARBITER_DISTANCES))
        put(words, width, at, anl_worm_distance(config, worm), 16);
    put(words, width, at, path_field(config, worm->path), anl_path_bits(config));
    if (config->routing == ANL_SOURCE) put_list(config, worm, link, words, at);
}

uint32_t anl_worm_path(const struct anl_config *config, uint64_t seed, uint32_t id)
{
    const uint32_t paths = anl_num_paths(config);
    if (paths == 1) return 0;
    return (uint32_t)(anl_mix(anl_mix(seed) + id + 1) >> 32) % paths;
}

uint32_t anl_path_of(const struct anl_config *config, uint64_t seed, const struct anl_worm *worm)
{
    return worm->has_path ? worm->path : anl_worm_path(config, seed, worm->id);
}

// Fills all bits of a flit with the special pattern that the bits of `pattern` choose.
static void put_special(uint32_t *words, uint32_t width, uint64_t pattern)
{
    enum { EQUAL_BITS, SPECIAL_WORD, ONE_BIT, SMALL_NUMBER } kind = pattern >> 4 & 3;
    const uint32_t all = pattern >> 8 & 1 ? UINT32_MAX : 0;
    const uint32_t word = kind == SPECIAL_WORD ? special_words[pattern >> 8 & 31] : all;
    const uint32_t small = kind == SMALL_NUMBER ? pattern >> 9 & 0xff : 0;
    for (uint32_t at = 0; at < width;)
        put(words, width, &at, at ? word : word ^ small, 32);
    const uint32_t bit = (uint32_t)(pattern >> 16 & 0xffff) % width;
    if (kind == ONE_BIT) words[bit / 32] ^= 1u << bit % 32;
}

void anl_flit_data(const struct anl_config *config, const struct anl_worm *worm, uint16_t index,
                   uint32_t link, uint32_t *words)
{
    const uint32_t width = config->flit_width_bits;
    const uint32_t id = config->first_id + worm->id;
    const uint64_t argument = (uint64_t)id << 32 | (uint64_t)index << 16;
    const uint64_t pattern = anl_mix(argument + 0xffff);
    uint32_t at = 0;

    memset(words, 0, (width + 31) / 32 * sizeof *words);
    if (index > 0 && pattern % 16 == 0) {
        put_special(words, width, pattern);
        return;
    }
    if (index == 0) put_head(config, worm, link, words, &at);
    if (width - at >= 32)
        put(words, width, &at, anl_mix32((uint32_t)index << 24 | (id & 0xffffff)), 32);
    for (uint64_t j = 0; at < width; j++)
        put(words, width, &at, anl_mix(argument + j), 64);
}
