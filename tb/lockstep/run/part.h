// SPDX-License-Identifier: Apache-2.0
//
// A part of a network as its library shows it: one verilated module, anl_lockstep_switch or
// anl_lockstep_terminal (tb/lockstep/parts), of which there may be any number of instances.
// by_switches.cpp loads the libraries.

#ifndef ANL_LOCKSTEP_PART_H
#define ANL_LOCKSTEP_PART_H

#include <cstddef>
#include <cstdint>

class VerilatedContext;
class VerilatedVcdC;

// Where the ports of an instance are. An element of a port has a byte (valid: bit l for line l; vc;
// credit: bit v for lane v) or whole words of 32 bits (the flits of each line, the lowest word
// first). Sources and sinks are those of terminals, null pointers elsewhere.
struct part_ports {
    uint8_t *toggle, *rst;                    // a change of toggle is a cycle of the clock
    uint8_t *receiver_toggle, *receiver_rst;  // of a link between two clocks, whose sender has the
                                              // two above; null pointers elsewhere
    uint64_t *harness, *here;
    uint32_t *seed;
    uint8_t *valid_in, *vc_in, *credit_out;
    uint32_t *flit_in;
    uint8_t *valid_out, *vc_out, *credit_in;
    uint32_t *flit_out;
    uint8_t *src_valid, *src_vcs, *src_ready, *snk_valid, *snk_vc, *snk_ready;
    uint32_t *src_flit, *snk_flit;
    uint32_t *state;
    // Of switches with tables: what load takes when it rises, in so many words each; null pointers
    // elsewhere.
    uint8_t *load;
    uint32_t *table, *lanes, *straight, *terminals;
    size_t table_words, lanes_words, straight_words;
};

struct part_type {
    size_t ports, lines, flit_words, state_words;
    void *(*create)(VerilatedContext *context, const char *name, part_ports *ports);
    void (*eval)(void *part);
    void (*end)(void *part);  // lets its final blocks run
    void (*destroy)(void *part);
    // Adds the signals of an instance to waves; a null pointer if the library was built without
    // them. With them toggle is the clock itself, so that both halves of a cycle can be seen.
    void (*trace)(void *part, VerilatedVcdC *waves);
};

// The one function of a library.
extern "C" const part_type *anl_lockstep_part();
static const char *const PART_FUNCTION = "anl_lockstep_part";

#endif
