// SPDX-License-Identifier: Apache-2.0
//
// The registers of a mesh without buffers held against those of the model, node by node.

#ifndef ANL_TB_SNAKES_COMPARE_H
#define ANL_TB_SNAKES_COMPARE_H

#include <annelid/annelid.h>
#include <annelid/bufferless.h>
#include <svdpi.h>

// What the RTL shows in a cycle, by node: of each link register at (node * LINKS + input port), of
// each latch at (node * PORTS + input port).
struct sight {
    const svBitVecVal *valid, *flit, *latch, *fault, *ej_valid, *ej_flit;
};

// The flit that was seen last on a link. Step 0: none was.
struct compare_last {
    struct anl_flit flit;
    uint64_t step;
};

// The first difference, as words for people. The caller sets what is above it.
struct comparison {
    unsigned side;         // of the mesh
    unsigned flit_w;       // data bits of a flit, at most 62
    unsigned head_fields;  // bits of a head below the number of the flit (docs/link.md)
    uint64_t (*bits)(uint32_t worm, uint32_t index);                // of a flit: {head, tail, data}
    bool (*is_flit)(uint32_t worm, uint32_t index, uint64_t bits);  // which may not exist
    struct compare_last *last;  // [side * side * ANL_BUFFERLESS_PORTS], all 0 before the first step
    uint64_t step;
    bool differs;
    char text[400];
};

// Returns the node from which a link comes to an input port; it leaves that node by port ^ 1.
unsigned compare_sender(const struct comparison *comparison, unsigned node, unsigned port);

// Notes a difference at a port of a node; after the first one the calls below do nothing.
void compare_differ(struct comparison *comparison, unsigned node, unsigned port, const char *what);
// Notes a difference between two numbers, if there is one.
void compare_number(struct comparison *comparison, unsigned node, unsigned port, const char *what,
                    uint64_t expected, uint64_t seen);

// Compares link registers, latches and faults with the state of the model, which must not have made
// the step yet.
void compare_registers(struct comparison *comparison, const struct anl_bufferless *model,
                       const struct sight *sight);
// Compares what the terminals consume with the flits of the step that the model has made.
void compare_consumed(struct comparison *comparison, const struct anl_bufferless *model,
                      const struct sight *sight);

// Fill in the flits that stand in the link registers of the RTL, and those that its terminals
// consume, and return how many. A flit is known by its data alone; if they are those of no flit,
// its worm is UINT32_MAX.
size_t compare_standing(struct comparison *comparison, const struct sight *sight,
                        struct anl_flit *flits);
size_t compare_leaving(struct comparison *comparison, const struct sight *sight,
                       struct anl_flit *flits);

#endif
