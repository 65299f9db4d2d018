// SPDX-License-Identifier: Apache-2.0
//
// Benches of the switch and of its ports: a switch of the oracle (tb/oracle/switch.h) whose flits
// have the bits of the RTL, and what is driven into it.

#ifndef ANL_TB_SWITCH_BENCH_H
#define ANL_TB_SWITCH_BENCH_H

#include "bench.h"
#include "oracle/routes.h"
#include "oracle/switch.h"

// The bits of a flit: {head, tail, data}, and of the data of a head (docs/link.md).
struct layout {
    unsigned flit_w, dst_w;
    bool length_in_head;  // heads say their length under wormhole, too
    int path;             // PATH_*
    unsigned path_w;      // bits of the path in a head, or of a port in its list
    unsigned list_w;      // bits of the list of output ports in a head; 0: it has none
};

struct switch_bench {
    struct oracle_switch s;  // comes first: route() of the oracle gets its address
    struct layout layout;
    unsigned chained, chained_in;  // bit p: the link out of port p, into port p, is chained
    // The flits still to come of the worm that enters lane (p, v), and the seed.
    unsigned left[ORACLE_PORTS][ORACLE_LANES];
    uint32_t seed;
    // The place of the switch in a network of that topology and routing.
    unsigned k, n, here[ORACLE_DIMENSIONS];
    int topology, routing;
    // Of heads in each lane, the lanes to which they keep; 0: they may take any.
    uint64_t keeps[ORACLE_LANES];
    // The route or the options of a head, as if heads kept to no lanes. Its lanes, as those of
    // keeps, are counted from 0 within the class.
    struct oracle_route (*route)(const struct switch_bench *b, struct oracle_place at, uint64_t dst,
                                 uint64_t path);
    uint64_t (*destination)(const struct switch_bench *b, unsigned p);  // of a new worm
    unsigned (*first_port)(const struct switch_bench *b, unsigned p);  // of its list, if it has one
};

// Resets a bench whose shape, layout and functions are set.
void reset_bench(struct switch_bench *b);

// Returns the flit of the oracle with these bits, which are its data.
struct oracle_flit flit_of(const struct switch_bench *b, uint64_t bits);
// Returns the bits of a flit as it leaves the switch: a head with a list without its first port.
uint64_t bits_behind(const struct switch_bench *b, const struct oracle_flit *flit);
// Returns the bits of the next flit of the worm that enters port p: of a new worm if *left is 0,
// else *left flits are still to come.
uint64_t random_flit(const struct switch_bench *b, unsigned p, unsigned *left);
void enter_lane(struct switch_bench *b, unsigned p, unsigned v, uint64_t bits);

// The shape and the layout in a bench's parameters NumPorts, NumVcs, Depth, FlitW, DstW, Arbiter,
// FlowControl, LengthInHead, Path, PathW, in this order. Other parameters follow them.
void set_shape(struct switch_bench *b, const int *p);
enum { SHAPE_PARAMETERS = 10 };
// Sets the classes of a corner, which have these weights: 2, 1, 3, 1, …
void set_classes(struct oracle_shape *shape, int classes);

// Resets a switch with such parameters and with routes of benches without route units: a
// destination spells out its port, and under the path greedy the last two ports are equally good;
// no route leads to the last one alone.
void spelled_reset(struct switch_bench *b, const int *p);

// Bench of a whole switch. The inputs are seed, valid, vc, flit, credit; the outputs are valid, vc,
// flit, credit and the state.
// The state ends with favoured classes and quotas if there are several classes.
void drive_links(struct switch_bench *b, struct bits *in);
void check_switch(struct switch_bench *b, struct bits *in, struct bits *out);

#endif
