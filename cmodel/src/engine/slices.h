// SPDX-License-Identifier: Apache-2.0
//
// Links of several cycles, and switches of two stages (slices.c).

#ifndef ANL_ENGINE_SLICES_H
#define ANL_ENGINE_SLICES_H

#include "engine.h"
#include "part.h"

// The copies of the engine in the loops of a cycle must not be passed to it: it is not inlined.
uint32_t engine_sliced_end(const struct slices *slices, uint32_t link);

// Returns whether a link ends at a terminal, perhaps behind a gate.
static inline bool ends_at_terminal(const struct anl_engine *engine, uint32_t link)
{
    const uint32_t to =
        engine->slices ? engine_sliced_end(engine->slices, link) : engine->ports[link].to;
    return leads_to_terminal(engine, to);
}

// Returns how many links, the first ones, can begin with a gate: with one stage those of switches.
static inline uint32_t engine_links_with_gates(const struct anl_engine *engine)
{
    return has_stages(engine) ? first_gate(engine) : engine->switch_links;
}

// Where links between switches take several cycles, or switches have two stages (slices.c). Make
// and free what the engine needs for it; returns false if memory runs out.
bool engine_make_slices(struct anl_engine *engine);
void engine_free_slices(struct anl_engine *engine);
void engine_reset_slices(struct anl_engine *engine);
// Lets the links inside the part lead through the gates.
void engine_wire_slices(struct anl_engine *engine);
// Lets a flit or a credit of another part be on its way, which has passed its link in this cycle.
// worm is NULL unless the flit is a head.
void engine_send_flit(const struct anl_engine *engine, const struct move *move,
                      const uint32_t *worm, bool tail);
void engine_send_credit(const struct anl_engine *engine, uint32_t gate, uint32_t vc);
// Returns the input port in this part at the end of the link that leaves by an output port
// (engine_sliced_end(), above), and the id of the last head that is on its way to a lane of it;
// NO_WORM: none is.
uint32_t engine_head_under_way(const struct anl_engine *engine, uint32_t port, uint32_t vc);
// Returns whether no flit and no credit is on its way.
bool engine_slices_rest(const struct anl_engine *engine);
// Notes the flits that are about to move to a gate, and the credits that they give back to one.
void engine_pass_slices(struct anl_engine *engine);
// Lets come, at the end of the cycle, what has passed its link.
void engine_leave_slices(struct anl_engine *engine);
// Where switches have two stages: returns the input port at the end of an injection link, which
// begins with the gate that the move of a flit names.
uint32_t engine_injection_end(const struct anl_engine *engine, const struct move *move);
// Where switches have two stages: does what return_ejection_credit() says.
void engine_take_at_gate(const struct anl_engine *engine, uint32_t port, uint32_t vc);
// Gives back the credit of a flit that a terminal takes.
static inline void return_ejection_credit(const struct anl_engine *engine, uint32_t port,
                                          uint32_t vc)
{
    if (has_stages(engine))
        engine_take_at_gate(engine, port, vc);
    else
        return_credit(&engine->ports[link_into(engine, port)], vc);
}
// Where switches have two stages: records the flits that leave switches in this cycle, which were
// granted in the last one, in no order; and returns how many they are. Those that leave the part
// count in the cycle in which they are granted, and are not recorded.
void engine_list_crossing(struct anl_engine *engine);
size_t engine_num_crossing(const struct anl_engine *engine);
// Packs what is on its way to so many ports from `first` on. Returns what anl_engine_pack() does.
enum anl_status engine_pack_slices(struct anl_engine *engine, uint32_t first, uint32_t ports,
                                   struct anl_pack *pack);
// Returns whether what was unpacked can be on its way: lanes have room for it, and senders lack the
// credits.
bool engine_slices_fit(struct anl_engine *engine);

#endif
