// SPDX-License-Identifier: Apache-2.0

#include "compare.h"

#include "bits.h"

#include <annelid/bufferless.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORTS = ANL_BUFFERLESS_PORTS, LINKS = ANL_BUFFERLESS_LINKS };

static unsigned link_w(const struct comparison *it) { return it->flit_w + 2; }

// --- reports ---

static void say(struct comparison *it, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(struct comparison *it, const char *format, ...)
{
    const size_t used = strlen(it->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(it->text + used, sizeof it->text - used, format, arguments);
    va_end(arguments);
}

void compare_differ(struct comparison *it, unsigned node, unsigned port, const char *what)
{
    it->differs = true;
    say(it, "step %" PRIu64 " at (%u,%u).%c: %s", it->step, node / it->side, node % it->side,
        "EWSNT"[port], what);
}

static void compare_flit(struct comparison *it, unsigned node, unsigned port, const char *what,
                         bool expected, uint64_t expected_bits, bool seen, uint64_t seen_bits)
{
    if (it->differs || (expected == seen && (!seen || expected_bits == seen_bits))) return;
    compare_differ(it, node, port, what);
    if (expected) say(it, "\n  expected  %0*" PRIx64, (int)(link_w(it) + 3) / 4, expected_bits);
    if (!expected) say(it, "\n  expected  no flit");
    if (seen) say(it, "\n  seen      %0*" PRIx64, (int)(link_w(it) + 3) / 4, seen_bits);
    if (!seen) say(it, "\n  seen      no flit");
}

void compare_number(struct comparison *it, unsigned node, unsigned port, const char *what,
                    uint64_t expected, uint64_t seen)
{
    if (it->differs || expected == seen) return;
    compare_differ(it, node, port, what);
    say(it, "\n  expected  %" PRIu64 "\n  seen      %" PRIu64, expected, seen);
}

// --- registers ---

unsigned compare_sender(const struct comparison *it, unsigned node, unsigned port)
{
    switch (port) {
    case ANL_EAST:
        return node + 1;
    case ANL_WEST:
        return node - 1;
    case ANL_SOUTH:
        return node + it->side;
    default:
        return node - it->side;
    }
}

// Returns whether a node has a neighbour on a side.
static bool has_neighbour(const struct comparison *it, unsigned node, unsigned port)
{
    const unsigned n = it->side, row = node / n, column = node % n;
    const bool has[] = {column + 1 < n, column > 0, row + 1 < n, row > 0};
    return has[port];
}

// Compares the registers of a node; a link is that of the node that has sent.
static void compare_node(struct comparison *it, const struct anl_bufferless_state *state,
                         unsigned node, const struct sight *sight)
{
    for (unsigned port = 0; port < LINKS; port++) {
        if (!has_neighbour(it, node, port)) continue;
        const unsigned at = compare_sender(it, node, port) * LINKS + (port ^ 1);  // its other end
        const struct anl_bufferless_register *link = &state->links[at];
        compare_flit(it, node, port, "link register", link->valid,
                     link->valid ? it->bits(link->worm, link->index) : 0,
                     bits_get(sight->valid, at, 1),
                     bits_get(sight->flit, at * link_w(it), link_w(it)));
    }
    for (unsigned port = 0; port < PORTS; port++) {
        const unsigned latch = node * PORTS + port;
        const uint8_t way = state->latches[latch];
        compare_number(it, node, port, "latch", way == ANL_NO_WAY ? 0 : 1u << way,
                       bits_get(sight->latch, latch * PORTS, PORTS));
    }
    compare_number(it, node, ANL_TERMINAL_PORT, "fault", state->faults[node],
                   bits_get(sight->fault, node, 1));
}

void compare_registers(struct comparison *it, const struct anl_bufferless *model,
                       const struct sight *sight)
{
    const unsigned nodes = it->side * it->side;
    struct anl_bufferless_state state = {calloc((size_t)nodes * LINKS, sizeof *state.links),
                                         calloc(nodes, PORTS), calloc(nodes, 1)};
    if (!state.links || !state.latches || !state.faults) abort();
    anl_bufferless_state(model, &state);
    for (unsigned node = 0; node < nodes && !it->differs; node++)
        compare_node(it, &state, node, sight);
    free(state.links);
    free(state.latches);
    free(state.faults);
}

void compare_consumed(struct comparison *it, const struct anl_bufferless *model,
                      const struct sight *sight)
{
    size_t count, next = 0;
    const struct anl_flit *flits = anl_bufferless_flits(model, &count);
    for (unsigned node = 0; node < it->side * it->side; node++) {
        const uint32_t link = node * PORTS + ANL_TERMINAL_PORT;
        while (next < count && flits[next].link < link)
            next++;
        const bool expected = next < count && flits[next].link == link;
        compare_flit(it, node, ANL_TERMINAL_PORT, "consumed", expected,
                     expected ? it->bits(flits[next].worm, flits[next].index) : 0,
                     bits_get(sight->ej_valid, node, 1),
                     bits_get(sight->ej_flit, node * link_w(it), link_w(it)));
    }
}

// --- which flits the RTL shows ---

// Finds out which flit the bits on a link are: the one that follows the last one there, or the one
// that the bits name (docs/link.md).
static struct anl_flit identify(struct comparison *it, uint32_t link, uint64_t bits)
{
    struct anl_flit flit = {.link = link,
                            .worm = UINT32_MAX,
                            .head = bits >> (it->flit_w + 1) & 1,
                            .tail = bits >> it->flit_w & 1};
    struct compare_last *last = &it->last[link];
    const uint32_t number = anl_unmix32((uint32_t)(bits >> (flit.head ? it->head_fields : 0)));
    if (last->step && last->step + 1 == it->step &&
        it->is_flit(last->flit.worm, last->flit.index + 1u, bits)) {
        flit.worm = last->flit.worm;
        flit.index = (uint16_t)(last->flit.index + 1);
    } else if (it->is_flit(number & 0xffffff, number >> 24, bits)) {
        flit.worm = number & 0xffffff;
        flit.index = (uint16_t)(number >> 24);
    }
    *last = (struct compare_last){flit, it->step};
    return flit;
}

size_t compare_standing(struct comparison *it, const struct sight *sight, struct anl_flit *flits)
{
    size_t count = 0;
    for (unsigned node = 0; node < it->side * it->side; node++)
        for (unsigned port = 0; port < LINKS; port++) {
            const unsigned at = node * LINKS + port;
            if (!bits_get(sight->valid, at, 1)) continue;
            const unsigned link = compare_sender(it, node, port) * PORTS + (port ^ 1);
            flits[count++] = identify(it, link, bits_get(sight->flit, at * link_w(it), link_w(it)));
        }
    return count;
}

size_t compare_leaving(struct comparison *it, const struct sight *sight, struct anl_flit *flits)
{
    size_t count = 0;
    for (unsigned node = 0; node < it->side * it->side; node++)
        if (bits_get(sight->ej_valid, node, 1))
            flits[count++] = identify(it, node * PORTS + ANL_TERMINAL_PORT,
                                      bits_get(sight->ej_flit, node * link_w(it), link_w(it)));
    return count;
}
