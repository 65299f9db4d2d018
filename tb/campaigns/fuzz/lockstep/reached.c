// SPDX-License-Identifier: Apache-2.0

#include "reached.h"

enum { COUNTERS = 1 << 16 };

// libFuzzer finds the section, sets it to 0 before each case and reads it afterwards. The attribute
// `used` is needed because the compiler sees no reader.
__attribute__((section("__libfuzzer_extra_counters"), used)) static uint8_t counters[COUNTERS];

// Kinds of features; each is hashed with what it says.
enum { INPUT = 1, OUTPUT, PORTS, REQUESTS, HELD };

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static void tell(uint64_t hash) { counters[hash % COUNTERS] = 1; }

// One port of one switch: its state at the start of the cycle, and what happens in it.
struct port {
    const struct observed *observed;
    uint32_t switch_, number;
    const struct anl_lane_state *lanes;
    const struct anl_port_state *state;
};

// Returns 0 if no flit leaves by this port, or the number of its lane plus 1.
static uint32_t sent(const struct port *port)
{
    const struct wires *links = &port->observed->links;
    uint32_t link = port->switch_ * port->observed->shape.ports + port->number;
    bool valid = links->valid[link / 64] >> (link % 64) & 1;
    return valid ? links->wire[link].vc + 1u : 0;
}

static void tell_input(const struct port *port)
{
    uint64_t hash = mix(INPUT, port->number);
    uint32_t held = 0;
    for (uint32_t v = 0; v < port->observed->config->num_vcs; v++) {
        const struct anl_lane_state *lane = &port->lanes[v];
        hash = mix(mix(hash, lane->count), lane->bound);
        hash = mix(mix(hash, lane->bound_port), lane->bound_vc);
        held += lane->count;
    }
    if (held) tell(mix(hash, port->state->in_ptr));
}

static void tell_output(const struct port *port)
{
    uint64_t hash = mix(OUTPUT, port->number);
    for (uint32_t v = 0; v < port->observed->config->num_vcs; v++)
        hash = mix(mix(hash, port->lanes[v].credit), port->lanes[v].owned);
    tell(mix(mix(hash, port->state->out_ptr), sent(port)));
}

// Tells which inputs hold a worm that is bound to this output, and where the output's scan starts.
static void tell_requests(const struct port *port, const struct anl_lane_state *lanes)
{
    const struct observed *observed = port->observed;
    uint32_t vcs = observed->config->num_vcs;
    uint64_t who = 0;
    for (uint32_t lane = 0; lane < observed->shape.ports * vcs; lane++)
        if (lanes[lane].bound && lanes[lane].count && lanes[lane].bound_port == port->number)
            who |= UINT64_C(1) << lane % 64;
    if (who) tell(mix(mix(mix(REQUESTS, port->number), port->state->out_ptr), who));
}

// Tells how many lanes of an input are bound to one output and how many of these are full. There
// are so few combinations that the fuzzer gets from one to the next.
static void tell_crowds(const struct port *port)
{
    const struct anl_config *config = port->observed->config;
    for (uint32_t output = 0; output < port->observed->shape.ports; output++) {
        uint32_t bound = 0, full = 0;
        for (uint32_t v = 0; v < config->num_vcs; v++) {
            const struct anl_lane_state *lane = &port->lanes[v];
            bool here = lane->bound && lane->bound_port == output;
            bound += here;
            full += here && lane->count == config->depth;
        }
        if (bound) tell(mix(mix(mix(mix(HELD, port->number), output), bound), full));
    }
}

static void tell_switch(const struct observed *observed, uint32_t number)
{
    uint32_t ports = observed->shape.ports, vcs = observed->config->num_vcs;
    const struct anl_lane_state *lanes = &observed->state.lanes[(size_t)number * ports * vcs];
    uint64_t ports_hash = PORTS;
    for (uint32_t p = 0; p < ports; p++) {
        struct port port = {observed, number, p, &lanes[p * vcs],
                            &observed->state.ports[number * ports + p]};
        tell_input(&port);
        tell_output(&port);
        tell_requests(&port, lanes);
        tell_crowds(&port);
        uint32_t held = 0;
        for (uint32_t v = 0; v < vcs; v++)
            held |= port.lanes[v].count != 0;
        ports_hash = mix(mix(ports_hash, held), sent(&port) != 0);
    }
    tell(ports_hash);
}

void reached_tell(const struct observed *observed)
{
    for (uint32_t s = 0; s < observed->shape.switches; s++)
        tell_switch(observed, s);
}
