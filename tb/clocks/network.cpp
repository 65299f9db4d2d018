// SPDX-License-Identifier: Apache-2.0

#include "network.h"

#include "run/assembly.h"

extern "C" {
#include "compare/dpi.h"
#include "run/parts.h"
}

#include "run/context.h"

#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <vector>

namespace
{

// A crossing, its instance, and the ports between which it is.
struct passage_between {
    size_t instance;
    port from, to;
};

}  // namespace

struct clocked : rtl_context, assembly {
    std::vector<uint32_t> domain;  // of each switch and terminal
    std::vector<crossing> crossings;
    std::vector<passage_between> places;  // of the crossings
    std::vector<uint8_t> taken;           // of each terminal: the sources whose flits are taken
    std::vector<bool> in_reset;           // of each domain
    uint32_t classes = 1;

    bool cross(const clocked_cut &cut, anl_error *error);
};

namespace
{

bool is_in(const clocked *network, size_t number, uint32_t domain)
{
    return network->domain[number] == domain;
}

// Takes from the inputs what came in the cycle that has ended.
void clear_inputs(const instance &one)
{
    std::memset(one.at.valid_in, 0, one.type->ports);
    std::memset(one.at.credit_in, 0, one.type->ports);
}

void pulse(const instance &one, uint8_t *toggle)
{
    *toggle ^= 1;
    one.eval();
}

// --- terminals ---

void pull(clocked *network, uint32_t t, const instance &one)
{
    uint8_t &valid = *one.at.src_valid;
    const uint8_t taken = network->taken[t];
    network->taken[t] = 0;
    for (uint32_t c = 0; c < network->classes; c++) {
        const uint8_t bit = static_cast<uint8_t>(1u << c);
        if (valid & bit && !(taken & bit)) continue;
        uint32_t vcs = 0;
        const bool more = anl_lockstep_pull(network->harness, t, c,
                                            one.at.src_flit + c * one.type->flit_words, &vcs);
        one.at.src_vcs[c] = static_cast<uint8_t>(vcs);
        valid = static_cast<uint8_t>(more ? valid | bit : valid & ~bit);
    }
}

void terminal_low(clocked *network, uint32_t t, const instance &one)
{
    *one.at.snk_ready = 0xff;
    if (network->in_reset[network->domain[network->shape.switches + t]])
        *one.at.src_valid = 0;
    else
        pull(network, t, one);
    one.eval();
}

void terminal_shows(clocked *network, uint32_t t, const instance &one)
{
    network->taken[t] = *one.at.src_valid & *one.at.src_ready;
    for (uint32_t c = 0; *one.at.snk_valid >> c; c++)
        if (*one.at.snk_valid >> c & 1)
            anl_lockstep_sink(network->harness, t, c, one.at.snk_vc[c],
                              one.at.snk_flit + c * one.type->flit_words);
}

// --- links ---

// Takes a flit to the port at the other end of a link.
void give_flit(clocked *network, const instance &one, uint32_t p, const port &to)
{
    const instance &other = network->instances[to.instance];
    const size_t words = one.type->flit_words;
    other.at.valid_in[to.number] = one.at.valid_out[p];
    other.at.vc_in[to.number] = one.at.vc_out[p];
    std::memcpy(other.at.flit_in + to.number * words, one.at.flit_out + p * words,
                words * sizeof(uint32_t));
}

// Takes what a switch or a terminal shows to the other ends of its links, which may be crossings.
void give(clocked *network, const instance &one)
{
    for (uint32_t p = 0; p < one.type->ports; p++) {
        const port &to = network->to[one.first + p], &from = network->from[one.first + p];
        if (one.at.valid_out[p]) {
            anl_lockstep_flit(network->harness, one.link + p, one.at.vc_out[p],
                              one.at.flit_out + p * one.type->flit_words);
            if (to.exists()) give_flit(network, one, p, to);
        }
        if (one.at.credit_out[p] && from.exists())
            network->instances[from.instance].at.credit_in[from.number] = one.at.credit_out[p];
    }
}

// What the side of a crossing shows in a domain goes to the switch or terminal there.
void give_crossing(clocked *network, size_t number, uint32_t domain)
{
    crossing &link = network->crossings[number];
    const passage_between &place = network->places[number];
    const instance &one = network->instances[place.instance];
    if (link.sender.domain == domain)
        network->instances[place.from.instance].at.credit_in[place.from.number] =
            one.at.credit_out[0];
    if (link.receiver.domain == domain && one.at.valid_out[0]) give_flit(network, one, 0, place.to);
}

// Notes what is on a side of a crossing, once all have shown what they show.
void view(clocked *network, size_t number, uint32_t domain)
{
    crossing &link = network->crossings[number];
    const instance &one = network->instances[network->places[number].instance];
    if (link.sender.domain == domain)
        link.sender = {domain, one.at.valid_in[0] != 0, one.at.vc_in[0], one.at.credit_out[0],
                       one.at.flit_in};
    if (link.receiver.domain == domain)
        link.receiver = {domain, one.at.valid_out[0] != 0, one.at.vc_out[0], one.at.credit_in[0],
                         one.at.flit_out};
}

// The edge of a clock at a crossing. Its inputs of that side then wait for the next cycle.
void pulse_crossing(clocked *network, size_t number, uint32_t domain)
{
    const crossing &link = network->crossings[number];
    const instance &one = network->instances[network->places[number].instance];
    if (link.sender.domain == domain) {
        pulse(one, one.at.toggle);
        *one.at.valid_in = 0;
    }
    if (link.receiver.domain == domain) {
        pulse(one, one.at.receiver_toggle);
        *one.at.credit_in = 0;
    }
}

void tell(const clocked *network, uint32_t number, const instance &one)
{
    if (number < network->shape.switches)
        anl_lockstep_switch(network->harness, number, one.at.state);
    else
        anl_lockstep_terminal(network->harness, number - network->shape.switches, one.at.state);
}

}  // namespace

// Puts a crossing into each link between two domains.
bool clocked::cross(const clocked_cut &cut, anl_error *error)
{
    char name[PART_BYTES];
    clocked_name(&config, cut.sync_stages, name, sizeof name);
    const part_type *type = load(name, error);
    for (uint32_t i = 0; type && i < links(); i++)
        for (uint32_t p = 0; p < instances[i].type->ports; p++) {
            const uint32_t link = instances[i].link + p;
            const port here = {i, p}, there = to[instances[i].first + p];
            if (!there.exists() || domain[there.instance] == domain[i]) continue;
            add(type, "TOP.anl_lockstep_top.dut.g_crossing[" + std::to_string(link) + "]", link);
            const port between = {static_cast<uint32_t>(instances.size() - 1), 0};
            connect(here, between);
            connect(between, there);
            const side none = {0, false, 0, 0, nullptr};
            crossings.push_back({link, none, none});
            crossings.back().sender.domain = domain[i];
            crossings.back().receiver.domain = domain[there.instance];
            places.push_back({between.instance, here, there});
        }
    return type;
}

extern "C" {

void clocked_name(const anl_config *config, uint32_t sync_stages, char *name, size_t bytes)
{
    std::snprintf(name, bytes, "crossing/NumVcs%u_Depth%u_FlitW%u_SyncStages%u", config->num_vcs,
                  config->depth, config->flit_width_bits, sync_stages);
}

clocked *clocked_create(const anl_config *config, const clocked_cut *cut, const void *harness,
                        uint64_t seed, anl_error *error)
{
    std::unique_ptr<clocked, void (*)(clocked *)> result(new clocked, clocked_destroy);
    result->random_start(seed);
    result->VerilatedContext::threads(1);
    result->harness = reinterpret_cast<uintptr_t>(harness);
    result->classes = anl_num_classes(config);
    if (!result->assembly::create(config, result.get(), result->harness, error)) return nullptr;
    const anl_shape &shape = result->shape;
    result->domain.assign(cut->of_switch, cut->of_switch + shape.switches);
    result->domain.insert(result->domain.end(), cut->of_terminal,
                          cut->of_terminal + shape.terminals);
    result->taken.resize(shape.terminals);
    result->in_reset.resize(shape.switches + shape.terminals);
    return result->cross(*cut, error) ? result.release() : nullptr;
}

void clocked_destroy(clocked *network)
{
    if (!network) return;
    network->destroy();
    const std::vector<void *> libraries = std::move(network->libraries);
    delete network;  // the context knows names in the libraries
    for (void *library : libraries)
        dlclose(library);
}

size_t clocked_num_crossings(const clocked *network) { return network->crossings.size(); }

const crossing *clocked_crossing(const clocked *network, size_t number)
{
    return &network->crossings[number];
}

void clocked_reset(clocked *network, uint32_t domain, bool on)
{
    network->in_reset[domain] = on;
    network->running = !on;
    for (uint32_t i = 0; i < network->links(); i++) {
        const instance &one = network->instances[i];
        if (!is_in(network, i, domain)) continue;
        *one.at.rst = on;
        if (on && i < network->shape.switches)
            *one.at.seed = anl_lockstep_seed(network->harness, i);
    }
    for (size_t i = 0; i < network->crossings.size(); i++) {
        const instance &one = network->instances[network->places[i].instance];
        if (network->crossings[i].sender.domain == domain) *one.at.rst = on;
        if (network->crossings[i].receiver.domain == domain) *one.at.receiver_rst = on;
    }
}

void clocked_low(clocked *network, uint32_t domain)
{
    const uint32_t switches = network->shape.switches;
    for (uint32_t t = 0; t < network->shape.terminals; t++)
        if (is_in(network, switches + t, domain))
            terminal_low(network, t, network->instances[switches + t]);
}

void clocked_show(clocked *network, uint32_t domain)
{
    for (uint32_t i = 0; i < network->links(); i++) {
        if (!is_in(network, i, domain)) continue;
        const instance &one = network->instances[i];
        if (network->is_terminal(i)) terminal_shows(network, i - network->shape.switches, one);
        give(network, one);
    }
    for (size_t i = 0; i < network->crossings.size(); i++)
        give_crossing(network, i, domain);
    for (size_t i = 0; i < network->crossings.size(); i++)
        view(network, i, domain);
}

void clocked_pulse(clocked *network, uint32_t domain)
{
    for (uint32_t i = 0; i < network->links(); i++) {
        if (!is_in(network, i, domain)) continue;
        const instance &one = network->instances[i];
        anl_lockstep_place = i;
        pulse(one, one.at.toggle);
        clear_inputs(one);
        tell(network, i, one);
    }
    for (size_t i = 0; i < network->crossings.size(); i++)
        pulse_crossing(network, i, domain);
}

}  // extern "C"
