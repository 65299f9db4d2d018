// SPDX-License-Identifier: Apache-2.0
//
// The RTL of a network by switches: an instance of a verilated part for each switch and each
// terminal, and the links between them. Nothing combinational leads through a switch, so all
// instances can be evaluated one by one if each gets, in a cycle, what the others show at its
// start. Where links lead says the network of the model (anl_end_of()).
//
// A cycle: terminals get the flits of their sources; what all instances show goes to the inputs at
// the other ends; the clock of each instance runs for a cycle.
//
// An instance that holds no flit, shows nothing and gets nothing keeps all its registers (make
// prove ONLY=idle), so it is not evaluated again, once it has been evaluated so, until something
// comes. The slices of a link are evaluated so as often as the link takes cycles.

#include "part.h"
#include "rtl.h"

extern "C" {
#include "compare/dpi.h"
#include "parts.h"
#include "tables.h"
}

#include "context.h"
#include "crew.h"

#include <dlfcn.h>
#include <memory>
#include <unistd.h>
#include <vector>

namespace
{

// A port of an instance, or no port.
struct port {
    uint32_t instance, number;

    bool exists() const { return instance != UINT32_MAX; }
};

const port nowhere = {UINT32_MAX, 0};

struct instance {
    const part_type *type = nullptr;
    void *part = nullptr;
    part_ports at{};
    uint32_t first = 0;           // its ports are first, first + 1, … of all ports
    uint32_t link = 0;            // the number of the link that leaves by its port 0
    uint32_t rest = 1;            // cycles in which nothing happens, before it sleeps
    uint32_t quiet = 0;           // cycles in which nothing has happened
    std::vector<uint32_t> known;  // registers, as they were told last
    bool awake = true;
    bool touched = false;  // something comes in this cycle
    bool fresh = true;     // its registers are yet to be told, also if they are as before
};

// The source of a class of a terminal: whether it shows a flit, and whether that is taken in this
// cycle.
struct terminal {
    uint8_t taken = 0;
    bool refuses = false;
};

}  // namespace

struct rtl : rtl_context {
    anl_config config;
    anl_shape shape;
    std::vector<void *> libraries;
    std::vector<instance>
        instances;  // the switches, then the terminals, then the links of several cycles
    std::vector<port> to, from;  // of each port: where its link leads, and whose link comes in
    std::vector<terminal> terminals;
    std::vector<uint32_t>
        held_mask;  // of the registers of a switch: the counts of its lanes, which come first
    std::vector<uint32_t> ends_mask;  // of those of a terminal
    uint32_t classes = 1;
    uint32_t count_bits = 0;  // of the count of a lane
    bool low = false;
    bool over = false;
    bool sleeps = true;             // what is idle is not evaluated
    std::unique_ptr<crew> threads;  // no pointer: one
};

namespace
{

std::string folder_of_program()
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    const std::string whole(path, length > 0 ? static_cast<size_t>(length) : 0);
    return whole.substr(0, whole.rfind('/'));
}

// Returns the part of a name, or a null pointer with *error.
const part_type *load(rtl *rtl, const char *name, anl_error *error)
{
    const std::string path = folder_of_program() + "/" + name + "/part.so";
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void *function = library ? dlsym(library, PART_FUNCTION) : nullptr;
    if (!function) {
        anl_fail(error, ANL_ERR_IO, path.c_str(), 0,
                 "the library of this part cannot be loaded: %s", dlerror());
        return nullptr;
    }
    rtl->libraries.push_back(library);
    return reinterpret_cast<const part_type *(*)()>(function)();
}

void eval(const instance &one) { one.type->eval(one.part); }

void add(rtl *rtl, const part_type *type, const std::string &name, uint32_t link)
{
    instance one;
    one.type = type;
    one.part = type->create(rtl, name.c_str(), &one.at);
    *one.at.toggle = 0;
    eval(one);
    one.first = static_cast<uint32_t>(rtl->to.size());
    one.link = link;
    one.known.resize(type->state_words);
    rtl->to.resize(rtl->to.size() + type->ports, nowhere);
    rtl->from.resize(rtl->to.size(), nowhere);
    rtl->instances.push_back(std::move(one));
}

// Returns a port of an instance, whose bits were random, as bits that are 0.
bits zero(uint32_t *words, size_t size)
{
    std::memset(words, 0, size * sizeof *words);
    return {words, size};
}

// Gives a switch of a graph its routes.
void load_tables(const anl_config &config, uint32_t switch_, const instance &one)
{
    if (!one.at.load) return;
    tables_routes(&config, switch_, zero(one.at.table, one.at.table_words));
    tables_lanes(&config, zero(one.at.lanes, one.at.lanes_words));
    tables_straight(&config, zero(one.at.straight, one.at.straight_words));
    tables_terminals(&config, switch_, zero(one.at.terminals, 1));
    for (const bool level : {false, true}) {
        *one.at.load = level;
        eval(one);
    }
}

bool add_switches(rtl *rtl, anl_error *error)
{
    std::vector<const part_type *> types;
    for (uint32_t part = 0; part < parts_count(&rtl->config); part++) {
        char name[PART_BYTES];
        parts_name_switch(&rtl->config, part, name);
        types.push_back(load(rtl, name, error));
        if (!types.back()) return false;
    }
    for (uint32_t s = 0; s < rtl->shape.switches; s++) {
        const std::string name = "TOP.anl_lockstep_top.dut.g_switch[" + std::to_string(s) + "]";
        add(rtl, types[parts_of_switch(&rtl->config, s)], name, s * rtl->shape.ports);
        *rtl->instances.back().at.here = parts_here(&rtl->config, s);
        load_tables(rtl->config, s, rtl->instances.back());
    }
    return true;
}

bool add_terminals(rtl *rtl, anl_error *error)
{
    char name[PART_BYTES];
    parts_name_terminal(&rtl->config, name);
    const part_type *type = load(rtl, name, error);
    for (uint32_t t = 0; type && t < rtl->shape.terminals; t++)
        add(rtl, type, "TOP.anl_lockstep_top.g_node[" + std::to_string(t) + "]",
            anl_injection_link(&rtl->config, t));
    rtl->terminals.resize(rtl->shape.terminals);
    return type;
}

void connect(rtl *rtl, const port &a, const port &b)
{
    rtl->to[rtl->instances[a.instance].first + a.number] = b;
    rtl->from[rtl->instances[b.instance].first + b.number] = a;
}

// Connects a port with the other end of the link that leaves by it, if it has one; with slices
// between two switches.
void connect_link(rtl *rtl, const port &a, const part_type *slices)
{
    const uint32_t switches = rtl->shape.switches,
                   link = rtl->instances[a.instance].link + a.number;
    const anl_end end = anl_end_of(&rtl->config, link);
    if (!end.exists) return;
    const port b = {end.is_terminal ? switches + end.node : end.node, end.port};
    if (!slices || a.instance >= switches || b.instance >= switches) return connect(rtl, a, b);
    add(rtl, slices, "TOP.anl_lockstep_top.dut.g_link[" + std::to_string(link) + "]", link);
    rtl->instances.back().rest = anl_link_cycles(&rtl->config);
    const port between = {static_cast<uint32_t>(rtl->instances.size() - 1), 0};
    connect(rtl, a, between);
    connect(rtl, between, b);
}

bool connect_all(rtl *rtl, anl_error *error)
{
    char name[PART_BYTES];
    parts_name_link(&rtl->config, name);
    const part_type *slices = name[0] ? load(rtl, name, error) : nullptr;
    if (name[0] && !slices) return false;
    for (uint32_t i = 0; i < rtl->shape.switches + rtl->shape.terminals; i++)
        for (uint32_t p = 0; p < rtl->instances[i].type->ports; p++)
            connect_link(rtl, {i, p}, slices);
    return true;
}

uint32_t count_bits(uint32_t depth)
{
    uint32_t width = 0;
    while (1u << width < depth + 1)
        width++;
    return width;
}

// Returns the lowest bits of registers, in which counts stand.
std::vector<uint32_t> lowest(size_t bits)
{
    std::vector<uint32_t> mask((bits + 31) / 32, UINT32_MAX);
    if (bits % 32) mask.back() = (1u << bits % 32) - 1;
    return mask;
}

bool any(const uint8_t *bytes, size_t size)
{
    uint8_t all = 0;
    for (size_t i = 0; i < size; i++)
        all |= bytes[i];
    return all != 0;
}

// Notes the registers. Returns whether they are others than they were.
bool look(instance &one)
{
    const size_t bytes = one.type->state_words * sizeof(uint32_t);
    if (std::memcmp(one.known.data(), one.at.state, bytes) == 0) return false;
    std::memcpy(one.known.data(), one.at.state, bytes);
    return true;
}

bool holds_flits(const instance &one, const std::vector<uint32_t> &mask)
{
    uint32_t held = 0;
    for (size_t i = 0; i < mask.size(); i++)
        held |= one.known[i] & mask[i];
    return held != 0;
}

// Takes from the inputs what came in the cycle that has ended.
void clear_inputs(instance &one)
{
    std::memset(one.at.valid_in, 0, one.type->ports);
    std::memset(one.at.credit_in, 0, one.type->ports);
}

// Tells the flits that leave by a port.
void report(rtl *rtl, const instance &one, uint32_t p)
{
    const size_t lines = one.type->lines;
    for (uint32_t l = 0; l < lines; l++)
        if (one.at.valid_out[p] >> l & 1)
            anl_lockstep_flit(rtl->harness, one.link + p, lines > 1 ? l : one.at.vc_out[p],
                              one.at.flit_out + (p * lines + l) * one.type->flit_words);
}

// Takes the flits and credits that an instance shows to the other ends of its links. The flits
// cross a link where they begin it.
void give(rtl *rtl, const instance &one, bool begins)
{
    const size_t words = one.type->flit_words, lines = one.type->lines;
    for (uint32_t p = 0; p < one.type->ports; p++) {
        if (one.at.valid_out[p]) {
            if (begins && rtl->running) report(rtl, one, p);
            const port &to = rtl->to[one.first + p];
            if (to.exists()) {
                instance &other = rtl->instances[to.instance];
                other.at.valid_in[to.number] = one.at.valid_out[p];
                other.at.vc_in[to.number] = one.at.vc_out[p];
                std::memcpy(other.at.flit_in + to.number * lines * words,
                            one.at.flit_out + p * lines * words, lines * words * sizeof(uint32_t));
                other.touched = true;
            }
        }
        const port &from = rtl->from[one.first + p];
        if (one.at.credit_out[p] && from.exists()) {
            instance &other = rtl->instances[from.instance];
            other.at.credit_in[from.number] = one.at.credit_out[p];
            other.touched = true;
        }
    }
}

bool shows(const instance &one)
{
    return any(one.at.valid_out, one.type->ports) || any(one.at.credit_out, one.type->ports);
}

// Tells the registers of an instance, as they are in the next cycle.
void tell(const rtl *rtl, size_t number, const instance &one)
{
    const uint32_t switches = rtl->shape.switches;
    if (number < switches)
        anl_lockstep_switch(rtl->harness, static_cast<uint32_t>(number), one.known.data());
    else if (number < switches + rtl->shape.terminals)
        anl_lockstep_terminal(rtl->harness, static_cast<uint32_t>(number) - switches,
                              one.known.data());
}

// Runs the clock of an instance for a cycle.
void pulse(rtl *rtl, size_t number, instance &one, const std::vector<uint32_t> &held)
{
    *one.at.toggle ^= 1;
    eval(one);
    if (one.touched) clear_inputs(one);
    const bool same = !look(one);
    if (!same || one.fresh) tell(rtl, number, one);
    const bool still = same && !one.touched && !holds_flits(one, held) && !shows(one);
    one.quiet = still && rtl->running ? one.quiet + 1 : 0;
    one.awake = !rtl->sleeps || one.quiet < one.rest;
    one.touched = one.fresh = false;
}

// --- terminals ---

instance &terminal_at(rtl *rtl, uint32_t t) { return rtl->instances[rtl->shape.switches + t]; }

// Returns the credits of each lane of a terminal's injection link that shows no flit, in a byte
// each; they stand behind the counts.
uint64_t credits_of(const rtl *rtl, const instance &one)
{
    const uint32_t vcs = rtl->config.num_vcs, width = rtl->count_bits;
    uint64_t credits = 0;
    for (uint32_t v = 0; v < vcs; v++) {
        const uint32_t at = (vcs + v) * width;
        const uint64_t words =
            one.known[at / 32] | (uint64_t)one.known[at / 32 + (at % 32 + width > 32)] << 32;
        if (!(*one.at.src_valid >> v & 1))
            credits |= (words >> at % 32 & ((1u << width) - 1)) << 8 * v;
    }
    return credits;
}

// The lanes of a wide link show the next flits of the worms that are sent on them. Returns as
// pull().
bool send(rtl *rtl, uint32_t t, instance &one)
{
    uint8_t &valid = *one.at.src_valid;
    const uint8_t before = valid, taken = rtl->terminals[t].taken;
    rtl->terminals[t].taken = 0;
    valid &= static_cast<uint8_t>(~taken);
    const uint64_t credits = credits_of(rtl, one);
    const uint32_t words[2] = {static_cast<uint32_t>(credits),
                               static_cast<uint32_t>(credits >> 32)};
    anl_lockstep_begin(rtl->harness, t, words);
    for (uint32_t v = 0; v < rtl->config.num_vcs; v++) {
        if (valid >> v & 1) continue;
        one.at.src_vcs[v] = 1;
        if (anl_lockstep_send(rtl->harness, t, v, one.at.src_flit + v * one.type->flit_words))
            valid |= static_cast<uint8_t>(1u << v);
    }
    return taken || valid != before;
}

// The sources of a terminal show their next flits. Returns whether they show something else than
// before.
bool pull(rtl *rtl, uint32_t t, instance &one)
{
    if (one.type->lines > 1) return send(rtl, t, one);
    uint8_t &valid = *one.at.src_valid, taken = rtl->terminals[t].taken;
    const uint8_t before = valid;
    rtl->terminals[t].taken = 0;
    for (uint32_t c = 0; c < rtl->classes; c++) {
        const uint8_t bit = static_cast<uint8_t>(1u << c);
        if (valid & bit && !(taken & bit)) continue;
        uint32_t vcs = 0;
        const bool more =
            anl_lockstep_pull(rtl->harness, t, c, one.at.src_flit + c * one.type->flit_words, &vcs);
        one.at.src_vcs[c] = static_cast<uint8_t>(vcs);
        valid = static_cast<uint8_t>(more ? valid | bit : valid & ~bit);
    }
    return taken || valid != before;
}

bool set(uint8_t &port, uint32_t value)
{
    const bool changes = port != static_cast<uint8_t>(value);
    port = static_cast<uint8_t>(value);
    return changes;
}

void terminal_low(rtl *rtl, uint32_t t)
{
    instance &one = terminal_at(rtl, t);
    terminal &terminal = rtl->terminals[t];
    bool changes = true;
    if (!rtl->running) {
        *one.at.src_valid = 0;
        *one.at.snk_ready = 0xff;
        terminal.taken = 0;
        terminal.refuses = anl_lockstep_refuse(rtl->harness);
    } else {
        changes = pull(rtl, t, one);
        if (terminal.refuses)
            changes |= set(*one.at.snk_ready, anl_lockstep_ready(rtl->harness, t));
        one.awake |= *one.at.src_valid != 0;
    }
    if (changes) eval(one);
}

// What is taken of the sources, and what the sinks show.
void terminal_shows(rtl *rtl, uint32_t t, const instance &one)
{
    rtl->terminals[t].taken = *one.at.src_valid & *one.at.src_ready;
    for (uint32_t c = 0; *one.at.snk_valid >> c; c++)
        if (*one.at.snk_valid >> c & 1)
            anl_lockstep_sink(rtl->harness, t, c, one.at.snk_vc[c],
                              one.at.snk_flit + c * one.type->flit_words);
}

// --- halves of a cycle ---

void low(rtl *rtl)
{
    for (uint32_t t = 0; t < rtl->shape.terminals; t++)
        terminal_low(rtl, t);
    rtl->low = true;
}

void high(rtl *rtl)
{
    static const std::vector<uint32_t> none;
    const uint32_t switches = rtl->shape.switches, links = switches + rtl->shape.terminals;
    const size_t count = rtl->instances.size();
    for (uint32_t i = 0; i < count; i++) {
        const instance &one = rtl->instances[i];
        if (!one.awake) continue;
        if (i >= switches && i < links && rtl->running) terminal_shows(rtl, i - switches, one);
        give(rtl, one, i < links);
    }
    const auto work = [&](size_t i) {
        instance &one = rtl->instances[i];
        if (!one.awake && !one.touched) return;
        anl_lockstep_place = static_cast<uint32_t>(i);
        pulse(rtl, i, one, i < switches ? rtl->held_mask : i < links ? rtl->ends_mask : none);
    };
    if (rtl->threads) {
        rtl->threads->each(count, work);
    } else {
        for (size_t i = 0; i < count; i++)
            work(i);
    }
    rtl->low = false;
}

void set_reset(rtl *rtl, bool on)
{
    rtl->running = !on;
    for (uint32_t i = 0; i < rtl->instances.size(); i++) {
        instance &one = rtl->instances[i];
        *one.at.rst = on;
        one.awake = one.fresh = true;
        if (on) clear_inputs(one);
        if (on && i < rtl->shape.switches) *one.at.seed = anl_lockstep_seed(rtl->harness, i);
    }
}

void run_cycle(rtl *rtl)
{
    low(rtl);
    high(rtl);
}

}  // namespace

extern "C" {

rtl *rtl_create(const anl_config *config, const void *harness, uint64_t seed, anl_error *error)
{
    std::unique_ptr<rtl, void (*)(rtl *)> result(new rtl, rtl_destroy);
    result->over = true;
    result->config = *config;
    result->shape = anl_shape_of(config);
    result->classes = anl_num_classes(config);
    result->random_start(seed);
    result->VerilatedContext::threads(
        1);  // else each context keeps threads of its own, for nothing
    const char *why = parts_refuse(config);
    if (why) {
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "by switches: %s", why);
        return nullptr;
    }
    if (!add_switches(result.get(), error) || !add_terminals(result.get(), error)) return nullptr;
    if (!connect_all(result.get(), error)) return nullptr;
    const uint32_t lanes = config->num_vcs;
    result->count_bits = count_bits(config->depth);
    result->held_mask = lowest(lanes * result->shape.ports * result->count_bits);
    result->ends_mask = lowest(lanes * result->count_bits);
    result->over = false;
    rtl_harness(result.get(), harness);
    return result.release();
}

void rtl_destroy(rtl *rtl)
{
    if (!rtl) return;
    rtl_end(rtl);
    rtl->threads.reset();
    for (const instance &one : rtl->instances)
        one.type->destroy(one.part);
    const std::vector<void *> libraries = std::move(rtl->libraries);
    delete rtl;
    for (void *library : libraries)
        dlclose(library);
}

void rtl_low(rtl *rtl) { low(rtl); }

void rtl_high(rtl *rtl) { high(rtl); }

void rtl_harness(rtl *rtl, const void *harness)
{
    rtl->harness = reinterpret_cast<uintptr_t>(harness);
    for (const instance &one : rtl->instances)
        *one.at.harness = rtl->harness;
}

void rtl_stay_awake(rtl *rtl) { rtl->sleeps = false; }

void rtl_threads(rtl *rtl, unsigned threads)
{
    if (threads > 1)
        rtl->threads = std::make_unique<crew>(threads, [rtl] { Verilated::threadContextp(rtl); });
}

void rtl_power_up(rtl *rtl)
{
    set_reset(rtl, true);
    for (int i = 0; i < 3; i++)
        run_cycle(rtl);
}

void rtl_reset(rtl *rtl, uint32_t lead)
{
    set_reset(rtl, true);
    run_cycle(rtl);
    set_reset(rtl, false);
    for (; lead > 0; lead--)
        run_cycle(rtl);
}

void rtl_values(struct failure *) {}

void rtl_end(rtl *rtl)
{
    for (const instance &one : rtl->instances)
        if (!rtl->over) one.type->end(one.part);
    rtl->over = true;
}

bool rtl_is_low(const rtl *rtl) { return rtl->low; }

bool rtl_waves(rtl *, const char *) { return false; }

void rtl_waves_end(rtl *) {}

bool rtl_has_waves(void) { return false; }

const char *rtl_key(void) { return nullptr; }

const char *rtl_mode(void) { return "exact"; }

}  // extern "C"
