// SPDX-License-Identifier: Apache-2.0

#include "dpi.h"

#include <pthread.h>
#include <stdio.h>

struct harness *harness_at(uint64_t harness)
{
    return (struct harness *)(uintptr_t)harness;  // the RTL passes the address as a number
}

bool harness_has(uint64_t harness, uint32_t number, uint32_t size)
{
    if (number < size) return true;
    anl_lockstep_failed(harness, "SwitchHasItsLabel", "", 0, 0);
    return false;
}

uint32_t anl_lockstep_seed(uint64_t harness, uint32_t switch_number)
{
    return anl_switch_seed(harness_at(harness)->seed, switch_number);
}

svBit anl_lockstep_pull(uint64_t harness, uint32_t terminal, uint32_t class_, svBitVecVal *flit,
                        uint32_t *vcs)
{
    struct injections *injections = &harness_at(harness)->injections;
    if (injections->num_lanes) return injections_pull(injections, terminal, flit);
    return worms_pull(&harness_at(harness)->worms, terminal, class_, flit, vcs);
}

uint32_t anl_lockstep_begin(uint64_t harness, uint32_t terminal, const svBitVecVal *credits)
{
    struct worms *worms = &harness_at(harness)->worms;
    return worms_begin(worms, terminal, credits);
}

svBit anl_lockstep_send(uint64_t harness, uint32_t terminal, uint32_t vc, svBitVecVal *flit)
{
    return worms_send(&harness_at(harness)->worms, terminal, vc, flit);
}

svBit anl_lockstep_start(uint64_t harness, uint32_t terminal, uint32_t *start)
{
    struct injections *injections = &harness_at(harness)->injections;
    if (injections->num_lanes) return injections_start(injections, terminal, start);
    return starts_next(&harness_at(harness)->starts, terminal, start);
}

svBit anl_lockstep_refuse(uint64_t harness)
{
    return terminals_refuse(&harness_at(harness)->terminals);
}

uint32_t anl_lockstep_ready(uint64_t harness, uint32_t terminal)
{
    return terminals_ready(&harness_at(harness)->terminals, terminal);
}

void anl_lockstep_flit(uint64_t harness, uint32_t link, uint32_t vc, const svBitVecVal *flit)
{
    struct observed *observed = &harness_at(harness)->observed;
    if (!harness_has(harness, link, observed->shape.links)) return;
    const uint32_t line = observed->lines > 1 ? vc : 0;
    if (!harness_has(harness, line, observed->lines)) return;
    wires_put(&observed->links, link * observed->lines + line, vc, flit,
              flit_words(observed->config));
}

void anl_lockstep_credits(uint64_t harness, uint32_t link, uint32_t lanes)
{
    struct observed *observed = &harness_at(harness)->observed;
    if (!harness_has(harness, link, observed->shape.links)) return;
    observed_credits(observed, link, lanes);
}

void anl_lockstep_sink(uint64_t harness, uint32_t terminal, uint32_t class_, uint32_t vc,
                       const svBitVecVal *flit)
{
    struct observed *observed = &harness_at(harness)->observed;
    wires_put(&observed->sinks, terminal * observed->ends + class_, vc, flit,
              flit_words(observed->config));
}

void anl_lockstep_switch(uint64_t harness, uint32_t switch_number, const svBitVecVal *state)
{
    struct observed *observed = &harness_at(harness)->observed;
    if (!harness_has(harness, switch_number, observed->shape.switches)) return;
    observed_switch(observed, switch_number, state);
}

uint32_t anl_lockstep_wait(uint64_t harness) { return harness_at(harness)->wait; }

void anl_lockstep_step(uint64_t harness, uint32_t step, uint32_t lane)
{
    harness_at(harness)->observed.step = step;
    harness_at(harness)->observed.turn = lane;
}

void anl_lockstep_fault(uint64_t harness, uint32_t node)
{
    struct observed *observed = &harness_at(harness)->observed;
    if (node < observed->fault) observed->fault = node;
}

void anl_lockstep_terminal(uint64_t harness, uint32_t terminal, const svBitVecVal *state)
{
    observed_terminal(&harness_at(harness)->observed, terminal, state);
}

_Thread_local uint32_t anl_lockstep_place;

void anl_lockstep_failed(uint64_t harness, const char *name, const char *condition,
                         uint64_t instance_name, uint64_t inner_name)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct harness *self = harness_at(harness);
    pthread_mutex_lock(&lock);
    if (!self->failure.name[0] || anl_lockstep_place < self->failed_at) {
        self->failed_at = anl_lockstep_place;
        failure_set(&self->failure, name, condition, (const char *)(uintptr_t)instance_name,
                    (const char *)(uintptr_t)inner_name);
        if (self->values) self->values(&self->failure);
    }
    pthread_mutex_unlock(&lock);
}

void anl_lockstep_said(uint64_t harness, const char *place, const char *message, bool in_reset)
{
    struct failure *failure = &harness_at(harness)->failure;
    if (!failure->name[0]) failure_say(failure, place, message, in_reset);
}
