// SPDX-License-Identifier: Apache-2.0
//
// Arbiters that keep an order: matrix and registered_priority (order.c).

#ifndef ANL_ENGINE_ORDER_H
#define ANL_ENGINE_ORDER_H

#include "engine.h"

// The lane of a class that an input port favours next: unless the lane that asks is granted, and if
// it is.
struct favoured {
    uint8_t lane, if_granted;
};

// Where the arbiter is matrix or registered_priority: who was served least recently, as numbers of
// which that one stands first. Lanes are counted within their class.
struct orders {
    const struct anl_engine *engine;  // to which they belong; its copies in the loops of a cycle
                                      // must not be passed to functions that are not inlined
    uint8_t *ports;                   // [switch_links * P] input ports, for each output port
    uint8_t *lanes;  // [switch_links * V] matrix: for each input port its lanes, class by class
    struct favoured
        *next;  // [switch_links * classes] registered_priority: after this cycle, as decided
};

// Where the arbiter keeps an order (order.c). Make and free it; returns false if memory runs out.
bool engine_make_orders(struct anl_engine *engine);
void engine_free_orders(struct anl_engine *engine);
void engine_reset_orders(struct anl_engine *engine);
// Return who was served least recently of the input ports, or of the lanes of a class, in a mask
// that is not 0; lanes are counted from the first one of the class, number first_vc.
uint32_t engine_first_port(const struct orders *orders, uint32_t link, uint32_t mask);
uint32_t engine_first_lane(const struct orders *orders, uint32_t port, uint32_t first_vc,
                           uint32_t mask);
// Decides which lanes an input port that holds a flit favours next. Of the mask of its eligible
// lanes, returns those that ask: at most one in each class.
uint32_t engine_favour(const struct orders *orders, uint32_t port, uint32_t eligible);
// Carries out what engine_favour() has decided, as if no flit were granted.
void engine_move_favours(const struct anl_engine *engine);
// Packs the orders of a port, and knows the lanes that it favours by its pointers.
void engine_pack_orders(const struct anl_engine *engine, uint32_t port, struct anl_pack *pack);
// Notes that the flit of a lane of an input port is granted.
void engine_serve(const struct orders *orders, const struct move *move, uint32_t vc);

#endif
