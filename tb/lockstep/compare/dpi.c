// SPDX-License-Identifier: Apache-2.0

#include "dpi.h"

#include <stdio.h>

static struct harness *at(uint64_t harness)
{
    return (struct harness *)(uintptr_t)harness;  // the RTL passes the address as a number
}

// Returns false if a number is out of range. A probe computes its numbers from the label of its
// switch, and a wrong label must not make this program write elsewhere.
static bool exists(uint64_t harness, uint32_t number, uint32_t size)
{
    if (number < size) return true;
    anl_lockstep_failed(harness, "SwitchHasItsLabel", "", 0, 0);
    return false;
}

uint32_t anl_lockstep_seed(uint64_t harness, uint32_t switch_number)
{
    return anl_switch_seed(at(harness)->seed, switch_number);
}

svBit anl_lockstep_pull(uint64_t harness, uint32_t terminal, uint32_t class_, svBitVecVal *flit,
                        uint32_t *vcs)
{
    struct injections *injections = &at(harness)->injections;
    if (injections->num_lanes) return injections_pull(injections, terminal, flit);
    return worms_pull(&at(harness)->worms, terminal, class_, flit, vcs);
}

uint32_t anl_lockstep_begin(uint64_t harness, uint32_t terminal, const svBitVecVal *credits)
{
    struct worms *worms = &at(harness)->worms;
    return worms_begin(worms, terminal, credits);
}

svBit anl_lockstep_send(uint64_t harness, uint32_t terminal, uint32_t vc, svBitVecVal *flit)
{
    return worms_send(&at(harness)->worms, terminal, vc, flit);
}

svBit anl_lockstep_start(uint64_t harness, uint32_t terminal, uint32_t *start)
{
    struct injections *injections = &at(harness)->injections;
    if (injections->num_lanes) return injections_start(injections, terminal, start);
    return starts_next(&at(harness)->starts, terminal, start);
}

void anl_lockstep_clean_up(uint64_t harness, svBit failed)
{
    at(harness)->observed.failed = failed;
}

svBit anl_lockstep_refuse(uint64_t harness) { return terminals_refuse(&at(harness)->terminals); }

uint32_t anl_lockstep_ready(uint64_t harness, uint32_t terminal)
{
    return terminals_ready(&at(harness)->terminals, terminal);
}

void anl_lockstep_flit(uint64_t harness, uint32_t link, uint32_t vc, const svBitVecVal *flit)
{
    struct observed *observed = &at(harness)->observed;
    if (!exists(harness, link, observed->shape.links)) return;
    const uint32_t line = observed->lines > 1 ? vc : 0;
    if (!exists(harness, line, observed->lines)) return;
    wires_put(&observed->links, link * observed->lines + line, vc, flit,
              flit_words(observed->config));
}

void anl_lockstep_credits(uint64_t harness, uint32_t link, uint32_t lanes)
{
    struct observed *observed = &at(harness)->observed;
    if (!exists(harness, link, observed->shape.links)) return;
    observed_credits(observed, link, lanes);
}

void anl_lockstep_sink(uint64_t harness, uint32_t terminal, uint32_t class_, uint32_t vc,
                       const svBitVecVal *flit)
{
    struct observed *observed = &at(harness)->observed;
    wires_put(&observed->sinks, terminal * observed->ends + class_, vc, flit,
              flit_words(observed->config));
}

void anl_lockstep_switch(uint64_t harness, uint32_t switch_number, const svBitVecVal *state)
{
    struct observed *observed = &at(harness)->observed;
    if (!exists(harness, switch_number, observed->shape.switches)) return;
    observed_switch(observed, switch_number, state);
}

void anl_lockstep_discards(uint64_t harness, uint32_t node, svBit says, uint32_t heads)
{
    struct observed *observed = &at(harness)->observed;
    if (!exists(harness, node, observed->shape.switches)) return;
    observed->discards[node] = (struct discards){says, heads};
}

uint32_t anl_lockstep_wait(uint64_t harness) { return at(harness)->wait; }

void anl_lockstep_step(uint64_t harness, uint32_t step, uint32_t lane)
{
    at(harness)->observed.step = step;
    at(harness)->observed.turn = lane;
}

void anl_lockstep_fault(uint64_t harness, uint32_t node)
{
    struct observed *observed = &at(harness)->observed;
    if (node < observed->fault) observed->fault = node;
}

void anl_lockstep_terminal(uint64_t harness, uint32_t terminal, const svBitVecVal *state)
{
    observed_terminal(&at(harness)->observed, terminal, state);
}

void anl_lockstep_failed(uint64_t harness, const char *name, const char *condition,
                         uint64_t instance_name, uint64_t inner_name)
{
    struct failure *failure = &at(harness)->failure;
    if (failure->name[0]) return;
    failure_set(failure, name, condition, (const char *)(uintptr_t)instance_name,
                (const char *)(uintptr_t)inner_name);
    if (at(harness)->values) at(harness)->values(failure);
}

void anl_lockstep_said(uint64_t harness, const char *place, const char *message, bool in_reset)
{
    struct failure *failure = &at(harness)->failure;
    if (!failure->name[0]) failure_say(failure, place, message, in_reset);
}
