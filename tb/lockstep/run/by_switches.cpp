// SPDX-License-Identifier: Apache-2.0
//
// The RTL of a network by switches: its instances (assembly.h) run here, cycle by cycle. Nothing
// combinational leads through our switches with registered credits, so all instances can be
// evaluated one by one if each gets, in a cycle, what the others show at its start.
//
// A cycle: terminals get the flits of their sources; what all instances show goes to the inputs at
// the other ends; the clock of each instance runs for a cycle.
//
// An instance that holds no flit, shows nothing and gets nothing keeps all its registers (make
// prove ONLY=idle), so it is not evaluated again, once it has been evaluated so, until something
// comes. The slices of a link are evaluated so as often as the link takes cycles.
//
// Where credits count at once, where switches are somebody else's, and while waves are written,
// links settle: what instances show goes to the other ends again and again until it stays the same,
// all in one cycle, and no instance sleeps.

#include "assembly.h"
#include "rtl.h"

extern "C" {
#include "compare/dpi.h"
#include "parts.h"
}

#include "context.h"
#include "crew.h"

#include <algorithm>
#include <dlfcn.h>
#include <memory>
#include <vector>
#include <verilated_vcd_c.h>

namespace
{

// The source of a class of a terminal: whether it shows a flit, and whether that is taken in this
// cycle.
struct terminal {
    uint8_t taken = 0;
    bool refuses = false;
};

}  // namespace

struct rtl : rtl_context, assembly {
    rtl_options options{};
    std::vector<terminal> terminals;
    std::vector<uint32_t>
        held_mask;  // of the registers of a switch: the counts of its lanes, which come first
    std::vector<uint32_t> ends_mask;  // of those of a terminal
    uint32_t classes = 1;
    uint32_t count_bits = 0;  // of the count of a lane
    uint64_t cycle = 0;
    bool low = false;
    bool over = false;
    bool settles = false;           // see above
    std::unique_ptr<crew> threads;  // no pointer: one
    std::unique_ptr<VerilatedVcdC> waves;
};

namespace
{

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
void report(const rtl *rtl, const instance &one, uint32_t p)
{
    const size_t lines = one.type->lines;
    for (uint32_t l = 0; l < lines; l++)
        if (one.at.valid_out[p] >> l & 1)
            anl_lockstep_flit(rtl->harness, one.link + p, lines > 1 ? l : one.at.vc_out[p],
                              one.at.flit_out + (p * lines + l) * one.type->flit_words);
}

// Tells the credits that come back on the link which leaves by a port.
void report_credits(const rtl *rtl, const instance &one, uint32_t p, uint8_t lanes)
{
    if (rtl->options.credits && rtl->running)
        anl_lockstep_credits(rtl->harness, one.link + p, lanes);
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
            if (from.instance < rtl->links())
                report_credits(rtl, other, from.number, one.at.credit_out[p]);
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
    if (number < switches && rtl->options.registers)
        anl_lockstep_switch(rtl->harness, static_cast<uint32_t>(number), one.known.data());
    else if (rtl->is_terminal(number))
        anl_lockstep_terminal(rtl->harness, static_cast<uint32_t>(number) - switches,
                              one.known.data());
}

// Has the clock of an instance fall that shows both halves of a cycle in waves.
void fall(const instance &one)
{
    if (!*one.at.toggle) return;
    *one.at.toggle = 0;
    one.eval();
}

// Runs the clock of an instance for a cycle.
void pulse(rtl *rtl, size_t number, instance &one, const std::vector<uint32_t> &held)
{
    if (one.type->trace) fall(one);
    *one.at.toggle ^= 1;
    one.eval();
    if (one.touched) clear_inputs(one);
    const bool same = !look(one);
    if (!same || one.fresh) tell(rtl, number, one);
    const bool still = same && !one.touched && !holds_flits(one, held) && !shows(one);
    one.quiet = still && rtl->running ? one.quiet + 1 : 0;
    one.awake = rtl->options.awake || rtl->settles || one.quiet < one.rest;
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
    if (changes) one.eval();
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

// --- links that settle ---

// Returns whether the bytes at a place become others.
bool copy(void *to, const void *from, size_t bytes)
{
    if (std::memcmp(to, from, bytes) == 0) return false;
    std::memcpy(to, from, bytes);
    return true;
}

// Takes all that an instance shows to the other ends of its links, also that it shows nothing, and
// notes where that is new.
void show(rtl *rtl, const instance &one)
{
    const size_t words = one.type->lines * one.type->flit_words;
    for (uint32_t p = 0; p < one.type->ports; p++) {
        const port &to = rtl->to[one.first + p], &from = rtl->from[one.first + p];
        if (to.exists()) {
            instance &other = rtl->instances[to.instance];
            other.touched |= copy(&other.at.valid_in[to.number], &one.at.valid_out[p], 1);
            other.touched |= copy(&other.at.vc_in[to.number], &one.at.vc_out[p], 1);
            other.touched |= copy(other.at.flit_in + to.number * words, one.at.flit_out + p * words,
                                  words * sizeof(uint32_t));
        }
        if (from.exists()) {
            instance &other = rtl->instances[from.instance];
            other.touched |= copy(&other.at.credit_in[from.number], &one.at.credit_out[p], 1);
        }
    }
}

// Shows everything, and again what is evaluated because of it, until nothing changes any more. A
// path without a circle passes each port at most once.
void settle(rtl *rtl)
{
    for (const instance &one : rtl->instances)
        show(rtl, one);
    for (size_t rounds = rtl->to.size() + 1; rounds > 0; rounds--) {
        bool changes = false;
        for (instance &one : rtl->instances) {
            if (!one.touched) continue;
            one.touched = false;
            one.eval();
            show(rtl, one);
            changes = true;
        }
        if (!changes) return;
    }
    anl_lockstep_said(rtl->harness, "links",
                      "the values on links never come to rest: a combinational path through "
                      "switches ends where it begins",
                      !rtl->running);
}

// Tells what crosses all links, once they have settled.
void report_all(const rtl *rtl)
{
    for (uint32_t i = 0; rtl->running && i < rtl->links(); i++) {
        const instance &one = rtl->instances[i];
        for (uint32_t p = 0; p < one.type->ports; p++) {
            if (one.at.valid_out[p]) report(rtl, one, p);
            if (one.at.credit_in[p]) report_credits(rtl, one, p, one.at.credit_in[p]);
        }
    }
}

// --- halves of a cycle ---

void dump(const rtl *rtl, unsigned phase)
{
    if (rtl->waves) rtl->waves->dump(rtl->cycle * RTL_CYCLE + phase);
}

void low(rtl *rtl)
{
    for (uint32_t i = 0; rtl->waves && i < rtl->instances.size(); i++)
        fall(rtl->instances[i]);
    for (uint32_t t = 0; t < rtl->shape.terminals; t++)
        terminal_low(rtl, t);
    if (rtl->settles) settle(rtl);
    dump(rtl, 0);
    rtl->low = true;
}

// What all instances show goes to the other ends of links.
void exchange(rtl *rtl)
{
    if (rtl->settles) report_all(rtl);
    for (uint32_t i = 0; i < rtl->instances.size(); i++) {
        const instance &one = rtl->instances[i];
        if (!one.awake) continue;
        if (rtl->is_terminal(i) && rtl->running) terminal_shows(rtl, i - rtl->shape.switches, one);
        if (!rtl->settles) give(rtl, one, i < rtl->links());
    }
}

void high(rtl *rtl)
{
    static const std::vector<uint32_t> none;
    const size_t count = rtl->instances.size();
    exchange(rtl);
    const auto work = [&](size_t i) {
        instance &one = rtl->instances[i];
        if (!one.awake && !one.touched) return;
        anl_lockstep_place = static_cast<uint32_t>(i);
        pulse(rtl, i, one,
              i < rtl->shape.switches ? rtl->held_mask
              : rtl->is_terminal(i)   ? rtl->ends_mask
                                      : none);
    };
    if (rtl->threads) {
        rtl->threads->each(count, work);
    } else {
        for (size_t i = 0; i < count; i++)
            work(i);
    }
    if (rtl->waves) settle(rtl);
    dump(rtl, RTL_CYCLE / 2);
    rtl->cycle += rtl->running;
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

rtl *rtl_create(const anl_config *config, const void *harness, uint64_t seed,
                const rtl_options *options, anl_error *error)
{
    std::unique_ptr<rtl, void (*)(rtl *)> result(new rtl, rtl_destroy);
    result->over = true;
    result->options = *options;
    result->settles = options->foreign || config->credits != ANL_REGISTERED;
    result->classes = anl_num_classes(config);
    result->random_start(seed);
    result->traceEverOn(true);
    result->VerilatedContext::threads(
        1);  // else each context keeps threads of its own, for nothing
    const char *why = parts_refuse(config);
    if (why) {
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "by switches: %s", why);
        return nullptr;
    }
    result->harness = reinterpret_cast<uintptr_t>(harness);
    if (!result->assembly::create(config, result.get(), result->harness, error)) return nullptr;
    const uint32_t lanes = config->num_vcs;
    result->terminals.resize(result->shape.terminals);
    result->count_bits = count_bits(config->depth);
    result->held_mask = lowest(lanes * result->shape.ports * result->count_bits);
    result->ends_mask = lowest(lanes * result->count_bits);
    result->over = false;
    if (options->threads > 1)
        result->threads = std::make_unique<crew>(
            options->threads, [made = result.get()] { Verilated::threadContextp(made); });
    return result.release();
}

void rtl_destroy(rtl *rtl)
{
    if (!rtl) return;
    rtl_end(rtl);
    rtl_waves_end(rtl);
    rtl->threads.reset();
    rtl->destroy();
    const std::vector<void *> libraries = std::move(rtl->libraries);
    delete rtl;  // the context knows names in the libraries
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

bool rtl_waves(rtl *rtl, const char *path, const uint32_t *switches, size_t count)
{
    const uint32_t *end = switches + count;
    if (!rtl_has_waves(rtl)) return false;
    rtl->waves = std::make_unique<VerilatedVcdC>();
    for (uint32_t i = 0; i < rtl->instances.size(); i++) {
        instance &one = rtl->instances[i];
        one.awake = true;
        if (!switches || std::find(switches, end, i) != end)
            one.type->trace(one.part, rtl->waves.get());
    }
    rtl->settles = true;
    rtl->waves->open(path);
    return rtl->waves->isOpen();
}

void rtl_waves_end(rtl *rtl)
{
    if (rtl->waves) rtl->waves->close();
    rtl->waves.reset();
}

bool rtl_has_waves(const rtl *rtl) { return rtl->instances[0].type->trace; }

const char *rtl_key(void) { return nullptr; }

const char *rtl_mode(void) { return nullptr; }

}  // extern "C"
