// SPDX-License-Identifier: Apache-2.0
//
// A port whose two sides keep the rules of docs/axi.md, but for one cycle in fifty or so. What is
// broken then must be what the page says, in that cycle; and the checker starts again. At the end
// each rule must have been broken, but for those of unknown signals, which are not there in two
// states.

#include "axi_rule.h"
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BURSTS, ID_W, DATA_W, RULES };
enum { ADDR_W = 13, MOST = 64, NUM_RULES = 20 };
enum {
    AW_CHANGED,
    W_CHANGED,
    AR_CHANGED,
    B_CHANGED,
    R_CHANGED,
    IN_RESET,
    ALSO_IN_RESET,
    BAD_BURST,
    CROSSES_4K,
    BAD_WLAST,
    EARLY_B,
    STRAY_R,
    BAD_RLAST,
    STRAY_EXOKAY,
    INTERLEAVED,
    TOO_MANY,
    AFTER_RESET,
    BAD_STROBE,
    UNKNOWN,
    ALSO_UNKNOWN
};

struct address {
    bool valid, ready;
    unsigned id, addr, len, size, burst, lock, attr;
};

struct wires {
    bool restart;
    struct address aw, ar;
    struct {
        bool valid, ready;
        uint64_t data, strb;
        unsigned last;
    } w;
    struct {
        bool valid, ready;
        unsigned id, resp;
    } b;
    struct {
        bool valid, ready;
        unsigned id, resp, last;
        uint64_t data;
    } r;
};

struct entry {
    struct address asked;
    unsigned beats;  // those that came, of a write whose data are all there
};

struct state {
    struct wires before;
    bool aw_waits, ar_waits, w_waits, b_waits, r_waits;
    struct entry write[MOST + 1], read[MOST + 1];  // oldest first
    unsigned num_aw, num_w, num_ar;                // writes with an address, with all data; reads
    unsigned coming;                               // transfers of the next write that came
    bool open;
    unsigned open_id;
    bool restart, old;  // old: the cycle before was not one of reset
};

static unsigned long long seen[NUM_RULES];

static bool same_address(const struct address *a, const struct address *b)
{
    return a->id == b->id && a->addr == b->addr && a->len == b->len && a->size == b->size &&
           a->burst == b->burst && a->lock == b->lock && a->attr == b->attr;
}

static unsigned data_bytes(const int *p) { return (unsigned)p[DATA_W] / 8; }

static bool is_bad(const int *p, const struct address *a)
{
    if (!a->valid) return false;
    if (1u << a->size > data_bytes(p) || a->burst == 3) return true;
    if (a->burst == 0) return a->len > 15;
    if (a->burst == 1) return false;
    const bool power = a->len == 1 || a->len == 3 || a->len == 7 || a->len == 15;
    return !power || a->addr % (1u << a->size) != 0;
}

static bool crosses(const struct address *a)
{
    if (!a->valid || a->burst != 1) return false;
    const unsigned bytes = 1u << a->size, first = a->addr / bytes * bytes;
    return (first + (a->len + 1) * bytes - 1) / 4096 != first / 4096;
}

// Returns the oldest of some entries that has this ID, or their number.
static unsigned oldest(const struct entry *of, unsigned number, unsigned id)
{
    unsigned i = 0;
    while (i < number && of[i].asked.id != id)
        i++;
    return i;
}

// Returns whether the data and the address of a write do not agree, as far as they are known after
// this cycle.
static bool wrong_last(const struct state *s, const struct wires *w)
{
    const bool aw = w->aw.valid && w->aw.ready, data = w->w.valid && w->w.ready;
    const unsigned beats = s->coming + data;
    const bool ends = data && w->w.last;
    if (aw && s->num_aw < s->num_w && s->write[s->num_aw].beats != w->aw.len + 1) return true;
    if (!data && !aw) return false;
    const bool known = s->num_w < s->num_aw || (aw && s->num_aw == s->num_w);
    if (!known) return data && !ends && beats == 256;
    const unsigned due = (s->num_w < s->num_aw ? s->write[s->num_w].asked.len : w->aw.len) + 1;
    return ends ? beats != due : beats >= due;
}

// Returns the burst to which data that are taken now belong, or NULL if its address is not known.
static const struct address *burst_of_data(const struct state *s, const struct wires *w)
{
    if (s->num_w < s->num_aw) return &s->write[s->num_w].asked;
    return s->num_w == s->num_aw && w->aw.valid && w->aw.ready ? &w->aw : NULL;
}

// The byte lanes of the transfer that comes next, as far as its burst is known.
static uint64_t lanes_of_data(const struct state *s, const int *p, const struct address *a)
{
    if (!a || is_bad(p, a)) return ones(data_bytes(p));
    return axi_write_lanes(a->addr, a->size, a->burst, a->len, s->coming, data_bytes(p));
}

static unsigned broken(const struct state *s, const int *p, const struct wires *w)
{
    const struct wires *was = &s->before;
    const unsigned limit = (unsigned)p[BURSTS];
    bool is[NUM_RULES] = {false};
    is[AW_CHANGED] = s->aw_waits && (!w->aw.valid || !same_address(&w->aw, &was->aw));
    is[AR_CHANGED] = s->ar_waits && (!w->ar.valid || !same_address(&w->ar, &was->ar));
    is[W_CHANGED] = s->w_waits && (!w->w.valid || w->w.data != was->w.data ||
                                   w->w.strb != was->w.strb || w->w.last != was->w.last);
    is[B_CHANGED] = s->b_waits && (!w->b.valid || w->b.id != was->b.id || w->b.resp != was->b.resp);
    is[R_CHANGED] =
        s->r_waits && (!w->r.valid || w->r.id != was->r.id || w->r.data != was->r.data ||
                       w->r.resp != was->r.resp || w->r.last != was->r.last);
    is[BAD_BURST] = is_bad(p, &w->aw) || is_bad(p, &w->ar);
    is[CROSSES_4K] = crosses(&w->aw) || crosses(&w->ar);
    const unsigned b = oldest(s->write, s->num_aw, w->b.id);
    const unsigned r = oldest(s->read, s->num_ar, w->r.id);
    is[EARLY_B] = w->b.valid && (b == s->num_aw || b >= s->num_w);
    is[STRAY_R] = w->r.valid && r == s->num_ar;
    const bool read = w->r.valid && r < s->num_ar;
    is[BAD_RLAST] = read && (bool)w->r.last != (s->read[r].beats == s->read[r].asked.len);
    is[STRAY_EXOKAY] = (w->b.valid && !is[EARLY_B] && w->b.resp == 1 && !s->write[b].asked.lock) ||
                       (read && w->r.resp == 1 && !s->read[r].asked.lock);
    is[INTERLEAVED] = w->r.valid && s->open && w->r.id != s->open_id;
    const bool aw_over = w->aw.valid && w->aw.ready && s->num_aw == limit;
    const bool w_over = w->w.valid && w->w.ready && s->num_w == limit;
    is[TOO_MANY] = aw_over || w_over || (w->ar.valid && w->ar.ready && s->num_ar == limit);
    is[BAD_WLAST] = !aw_over && !w_over && wrong_last(s, w);
    is[AFTER_RESET] = !s->old && (w->aw.valid || w->w.valid || w->ar.valid);
    const uint64_t lanes = lanes_of_data(s, p, burst_of_data(s, w));
    is[BAD_STROBE] = w->w.valid && w->w.ready && !w_over && (w->w.strb & ~lanes) != 0;
    unsigned rules = 0;
    for (unsigned n = 0; n < NUM_RULES; n++)
        rules |= (unsigned)is[n] << n;
    return rules;
}

static void remove_entry(struct entry *of, unsigned at)
{
    memmove(&of[at], &of[at + 1], (MOST - at) * sizeof *of);
}

static void step(struct state *s, const struct wires *w)
{
    const unsigned b = oldest(s->write, s->num_aw, w->b.id);
    const unsigned r = oldest(s->read, s->num_ar, w->r.id);
    if (w->aw.valid && w->aw.ready) s->write[s->num_aw++].asked = w->aw;
    if (w->w.valid && w->w.ready) {
        s->coming++;
        if (w->w.last) s->write[s->num_w++].beats = s->coming, s->coming = 0;
    }
    if (w->ar.valid && w->ar.ready) s->read[s->num_ar++] = (struct entry){.asked = w->ar};
    if (w->b.valid && w->b.ready) remove_entry(s->write, b), s->num_aw--, s->num_w--;
    if (w->r.valid && w->r.ready) {
        s->open = !w->r.last;
        s->open_id = w->r.id;
        if (s->read[r].beats++ == s->read[r].asked.len) remove_entry(s->read, r), s->num_ar--;
    }
    s->aw_waits = w->aw.valid && !w->aw.ready;
    s->ar_waits = w->ar.valid && !w->ar.ready;
    s->w_waits = w->w.valid && !w->w.ready;
    s->b_waits = w->b.valid && !w->b.ready;
    s->r_waits = w->r.valid && !w->r.ready;
    s->before = *w;
}

static void some_address(struct address *a, const int *p, unsigned mood_of)
{
    *a = (struct address){.valid = chance(mood(mood_of)), .ready = chance(60)};
    a->id = (unsigned)random_bits((unsigned)p[ID_W]);
    a->addr = (unsigned)random_bits(ADDR_W);
    a->size = (unsigned)random_below(chance(5) ? 8 : index_width(data_bytes(p)) + 1);
    a->burst = (unsigned)random_below(chance(5) ? 4 : 3);
    a->len = (unsigned)(chance(80) ? random_below(4) : random_below(chance(20) ? 256 : 16));
    if (chance(10)) a->addr |= 0xfe0;
    if (a->burst == 2 && chance(80)) a->addr &= ~0u << a->size;
    a->lock = chance(20);
    a->attr = (unsigned)random_bits(11);
}

// Of wide data the lowest bits only.
static uint64_t some_data(const int *p)
{
    return random_bits(p[DATA_W] < 64 ? (unsigned)p[DATA_W] : 64);
}

static void put_wide(struct bits *in, unsigned width, uint64_t value)
{
    put(in, width < 64 ? width : 64, value);
    for (; width > 64; width -= 64)
        put(in, width - 64 < 64 ? width - 64 : 64, 0);
}

static uint64_t take_wide(struct bits *in, const char *name, unsigned width)
{
    const uint64_t value = take(in, name, width < 64 ? width : 64);
    for (; width > 64; width -= 64)
        take(in, name, width - 64 < 64 ? width - 64 : 64);
    return value;
}

// What was shown and not taken stays with that many percent.
static struct wires some_wires(const struct state *s, const int *p, unsigned stays)
{
    struct wires w = {.restart = false};
    const unsigned limit = (unsigned)p[BURSTS];
    some_address(&w.aw, p, 0);
    some_address(&w.ar, p, 1);
    w.aw.valid &= s->num_aw < limit || chance(2);
    w.ar.valid &= s->num_ar < limit || chance(2);
    w.w.valid = chance(mood(2)) && (s->num_w < limit || chance(2));
    w.w.data = some_data(p);
    w.w.last = chance(30);
    const bool odd = chance(stays < 100 ? 10 : 1);
    const bool may = s->old || odd;
    w.aw.valid &= may, w.ar.valid &= may, w.w.valid &= may;
    w.b.valid = chance(mood(3)) && ((s->num_aw && s->num_w) || odd);
    w.b.id = chance(80) ? s->write[0].asked.id : (unsigned)random_bits((unsigned)p[ID_W]);
    w.b.resp = (unsigned)random_bits(2);
    w.r.valid = chance(mood(4)) && (s->num_ar || odd);
    w.r.id = s->open && chance(98) ? s->open_id : (unsigned)random_bits((unsigned)p[ID_W]);
    w.r.data = some_data(p);
    w.r.resp = (unsigned)random_bits(2);
    w.r.last = chance(30);
    if (s->aw_waits && chance(stays)) w.aw = s->before.aw;
    if (s->ar_waits && chance(stays)) w.ar = s->before.ar;
    w.aw.ready = chance(60);
    w.w.strb = random_bits(data_bytes(p)) & random_bits(data_bytes(p));
    const struct address *burst = burst_of_data(s, &w);
    if (burst && chance(stays)) w.w.strb &= lanes_of_data(s, p, burst);
    if (!burst && chance(stays)) w.w.strb = 0;  // they fit any burst
    if (s->w_waits && chance(stays)) w.w = s->before.w;
    if (s->b_waits && chance(stays)) w.b = s->before.b;
    if (s->r_waits && chance(stays)) w.r = s->before.r;
    w.ar.ready = chance(60);
    w.w.ready = chance(60);
    w.b.ready = chance(60);
    w.r.ready = chance(60);
    return w;
}

static void put_address(const struct address *a, const int *p, struct bits *in)
{
    put(in, 1, a->valid);
    put(in, 1, a->ready);
    put(in, (unsigned)p[ID_W], a->id);
    put(in, ADDR_W, a->addr);
    put(in, 8, a->len);
    put(in, 3, a->size);
    put(in, 2, a->burst);
    put(in, 1, a->lock);
    put(in, 11, a->attr);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    const bool breaks = chance(3);
    struct wires w = some_wires(s, p, breaks ? 70 : 100);
    for (int tries = 0; tries < 50 && (broken(s, p, &w) != 0) != breaks; tries++)
        w = some_wires(s, p, breaks ? 70 : 100);
    put(in, 1, s->restart);
    put_address(&w.aw, p, in);
    put_address(&w.ar, p, in);
    put(in, 1, w.w.valid);
    put(in, 1, w.w.ready);
    put_wide(in, (unsigned)p[DATA_W], w.w.data);
    put(in, data_bytes(p), w.w.strb);
    put(in, 1, w.w.last);
    put(in, 1, w.b.valid);
    put(in, 1, w.b.ready);
    put(in, (unsigned)p[ID_W], w.b.id);
    put(in, 2, w.b.resp);
    put(in, 1, w.r.valid);
    put(in, 1, w.r.ready);
    put(in, (unsigned)p[ID_W], w.r.id);
    put_wide(in, (unsigned)p[DATA_W], w.r.data);
    put(in, 2, w.r.resp);
    put(in, 1, w.r.last);
}

static struct address take_address(const int *p, struct bits *in)
{
    struct address a = {.valid = take(in, "valid", 1)};
    a.ready = take(in, "ready", 1);
    a.id = (unsigned)take(in, "id", (unsigned)p[ID_W]);
    a.addr = (unsigned)take(in, "addr", ADDR_W);
    a.len = (unsigned)take(in, "len", 8);
    a.size = (unsigned)take(in, "size", 3);
    a.burst = (unsigned)take(in, "burst", 2);
    a.lock = (unsigned)take(in, "lock", 1);
    a.attr = (unsigned)take(in, "attr", 11);
    return a;
}

static struct wires take_wires(const int *p, struct bits *in)
{
    struct wires w = {.restart = take(in, "restart", 1)};
    w.aw = take_address(p, in);
    w.ar = take_address(p, in);
    w.w.valid = take(in, "wvalid", 1);
    w.w.ready = take(in, "wready", 1);
    w.w.data = take_wide(in, "wdata", (unsigned)p[DATA_W]);
    w.w.strb = take(in, "wstrb", data_bytes(p));
    w.w.last = (unsigned)take(in, "wlast", 1);
    w.b.valid = take(in, "bvalid", 1);
    w.b.ready = take(in, "bready", 1);
    w.b.id = (unsigned)take(in, "bid", (unsigned)p[ID_W]);
    w.b.resp = (unsigned)take(in, "bresp", 2);
    w.r.valid = take(in, "rvalid", 1);
    w.r.ready = take(in, "rready", 1);
    w.r.id = (unsigned)take(in, "rid", (unsigned)p[ID_W]);
    w.r.data = take_wide(in, "rdata", (unsigned)p[DATA_W]);
    w.r.resp = (unsigned)take(in, "rresp", 2);
    w.r.last = (unsigned)take(in, "rlast", 1);
    return w;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const struct wires w = take_wires(p, in);
    unsigned rules = broken(s, p, &w);
    if (w.restart) {
        rules = (unsigned)(w.aw.valid || w.w.valid || w.ar.valid) << IN_RESET |
                (unsigned)(w.b.valid || w.r.valid) << ALSO_IN_RESET;
        *s = (struct state){.restart = false};
    }
    expect(out, "broken", NUM_RULES, rules & (unsigned)p[RULES]);
    for (unsigned n = 0; n < NUM_RULES; n++)
        seen[n] += rules >> n & 1;
    if (w.restart) return;
    s->old = true;
    s->restart = rules != 0;
    if (!rules) step(s, &w);
}

int main(void)
{
    static const struct bench_module module = {
        .name = "anl_axi_checker",
        .parameters = "Bursts, IdW, DataW, Rules",
        .state_bytes = sizeof(struct state),
        .cycles = 20000,
        .drive = drive,
        .check = check,
    };
    const int failed = bench_main(&module);
    bool missing = false;
    for (unsigned n = 0; n < UNKNOWN; n++) {
        printf("rule %u was broken %llu times\n", n, seen[n]);
        missing |= !seen[n];
    }
    // A mutant has one corner, and few cycles with some seeds.
    return failed | (missing && !getenv("ANL_MUTANT"));
}
