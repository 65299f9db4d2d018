// SPDX-License-Identifier: Apache-2.0
//
// The port of AXI4 to which a memory is connected (docs/axi.md: "Packets", "Ordering", "Cycles").
// C is the network, which brings whole packets of requests and takes replies at random, and the
// memory, which answers in order, each direction at random. Data and responses are functions of the
// number of a burst.

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { BURSTS, ID_W, ADDR_W, DATA_W, DST_W };
enum { RING = 256, STORED = 2 };
enum way { READ, WRITE, WAYS };
enum seen { FULL, ADDRESS_WAITS, DATA_FIRST, STORE_FULL, TURNS, THROUGH, SEEN };

struct burst {
    unsigned id, source, len, size, type, cache, prot, qos;
    uint64_t addr;
};

// Bursts of one direction, by number: the counts only grow. Those below `taken` have their head in
// the port, and those below `ended` have had their reply.
struct bursts {
    struct burst ring[RING];
    unsigned taken, ended;
    unsigned asked;   // addresses that the memory has taken
    bool shown;       // an address is shown
    unsigned beat;    // of the reply that is due
    unsigned stored;  // responses, or beats of data, that the port has
};

struct state {
    struct bursts of[WAYS];
    struct burst head;  // of the packet that the network shows, or shows next
    enum way way;
    bool drawn, shown, inside;  // inside: data of a write are shown
    unsigned sent;              // and so many have been taken
    unsigned done, answered;    // writes whose data the memory has, and those that have a response
    unsigned read, read_beat;   // the read, and its beat, that the memory gives next
    bool b_shown, r_shown;
    bool mid;       // a reply was shown, and its packet has not ended
    bool turned;    // a packet of replies has been shown
    enum way last;  // the direction of the last one
};

static unsigned long long seen[SEEN];

static uint64_t word(enum way way, unsigned number, unsigned beat, unsigned kind, unsigned width)
{
    uint64_t z = number * UINT64_C(0x9E3779B97F4A7C15) + beat * UINT64_C(0xD1B54A32D192ED03);
    z += (uint64_t)way * 3 + kind * 5 + 1;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return (z ^ z >> 29) & ones(width);
}

static struct burst *burst_of(struct bursts *of, unsigned number)
{
    return &of->ring[number % RING];
}

static unsigned widest(unsigned a, unsigned b) { return a > b ? a : b; }

static unsigned head_width(const int *p)
{
    return 25 + (unsigned)p[DST_W] + (unsigned)p[ID_W] + (unsigned)p[ADDR_W];
}

static unsigned data_width(const int *p) { return (unsigned)p[DATA_W] + (unsigned)p[DATA_W] / 8; }

static unsigned beat_width(const int *p)
{
    return widest(widest(head_width(p), data_width(p)),
                  3 + (unsigned)p[ID_W] + (unsigned)p[DATA_W]);
}

static void draw_head(struct state *s, const int *p)
{
    s->way = (enum way)random_below(WAYS);
    s->head = (struct burst){
        .id = (unsigned)random_bits((unsigned)p[ID_W]),
        .source = (unsigned)random_bits((unsigned)p[DST_W]),
        .len = (unsigned)(chance(2) ? random_below(256) : random_below(5)),
        .size = (unsigned)random_bits(3),
        .type = (unsigned)random_bits(2),
        .cache = (unsigned)random_bits(4),
        .prot = (unsigned)random_bits(3),
        .qos = (unsigned)random_bits(4),
        .addr = random_bits((unsigned)p[ADDR_W]),
    };
    s->drawn = true;
}

static uint64_t data_of_write(const struct state *s, const int *p)
{
    return word(WRITE, s->of[WRITE].taken - 1, s->sent, 0, data_width(p));
}

static uint64_t head_of(const struct state *s, const int *p)
{
    const struct burst *b = &s->head;
    const struct {
        uint64_t value;
        unsigned width;
    } fields[] = {{s->way == WRITE, 1},
                  {b->source, (unsigned)p[DST_W]},
                  {b->id, (unsigned)p[ID_W]},
                  {b->len, 8},
                  {b->size, 3},
                  {b->type, 2},
                  {b->cache, 4},
                  {b->prot, 3},
                  {b->qos, 4},
                  {b->addr, (unsigned)p[ADDR_W]}};
    uint64_t head = 0;
    unsigned at = 0;
    for (unsigned n = 0; n < sizeof fields / sizeof *fields; at += fields[n++].width)
        head |= fields[n].value << at;
    return head;
}

static bool is_last(const struct state *s)
{
    return s->inside ? s->sent == s->head.len : s->way == READ;
}

static bool now(unsigned number) { return !bench_in_reset() && chance(mood(number)); }

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    struct bursts *writes = &s->of[WRITE], *reads = &s->of[READ];
    if (!s->drawn) draw_head(s, p);
    // In reset a network shows nothing, and nothing may follow from what is shown.
    if (!s->shown) s->shown = bench_in_reset() || now(0);
    put(in, 1, s->shown);
    put(in, beat_width(p), s->inside ? data_of_write(s, p) : head_of(s, p));
    put(in, 1, is_last(s));
    put(in, 1, chance(mood(1)));

    const unsigned known = s->done < writes->asked ? s->done : writes->asked;
    if (!s->b_shown && s->answered < known) s->b_shown = now(4);
    if (!s->r_shown && s->read < reads->asked) s->r_shown = now(6);
    put(in, 1, chance(mood(2)));
    put(in, 1, chance(mood(3)));
    put(in, 1, s->b_shown);
    put(in, 2, word(WRITE, s->answered, 0, 1, 2));
    put(in, 1, chance(mood(5)));
    put(in, 1, s->r_shown);
    put(in, (unsigned)p[DATA_W], word(READ, s->read, s->read_beat, 0, (unsigned)p[DATA_W]));
    put(in, 2, word(READ, s->read, s->read_beat, 1, 2));
    put(in, 1, s->read_beat == burst_of(reads, s->read)->len);
}

struct wires {
    bool req_valid, rep_ready, awready, wready, bvalid, arready, rvalid;
};

static struct wires take_wires(const int *p, struct bits *in)
{
    struct wires w;
    w.req_valid = take(in, "req_valid", 1);
    take(in, "req_data", beat_width(p));
    take(in, "req_last", 1);
    w.rep_ready = take(in, "rep_ready", 1);
    w.awready = take(in, "awready", 1);
    w.wready = take(in, "wready", 1);
    w.bvalid = take(in, "bvalid", 1);
    take(in, "bresp", 2);
    w.arready = take(in, "arready", 1);
    w.rvalid = take(in, "rvalid", 1);
    take(in, "rdata", (unsigned)p[DATA_W]);
    take(in, "rresp", 2);
    take(in, "rlast", 1);
    return w;
}

// The reply that is shown. Returns whether it is the last beat of its packet.
static bool check_reply(struct state *s, const int *p, enum way way, uint64_t beat, bool last,
                        unsigned dest)
{
    struct bursts *of = &s->of[way];
    const struct burst *b = burst_of(of, of->ended);
    const bool ends = way == WRITE || of->beat == b->len;
    require("a reply is due", of->stored > 0, true);
    if (s->mid) require("replies do not interleave", way, s->last);
    if (!s->mid && s->turned && s->of[READ].stored > 0 && s->of[WRITE].stored > 0)
        require("the other direction has its turn", way != s->last, true);
    const uint64_t resp = word(way, of->ended, of->beat, 1, 2);
    const uint64_t data =
        way == WRITE ? 0 : word(READ, of->ended, of->beat, 0, (unsigned)p[DATA_W]);
    require("reply", beat,
            (uint64_t)(way == WRITE) | resp << 1 | (uint64_t)b->id << 3 | data << (3 + p[ID_W]));
    require("last beat of a reply", last, ends);
    require("terminal", dest, b->source);
    return ends;
}

// Checks a channel of addresses, whose burst is the last that was taken.
static void check_address(struct bursts *of, const int *p, struct bits *out)
{
    const struct burst *b = burst_of(of, of->taken - 1);
    const bool shown = of->shown;
    expect(out, "address valid", 1, shown);
    expect_if(shown, out, "address", (unsigned)p[ADDR_W], b->addr);
    expect_if(shown, out, "length", 8, b->len);
    expect_if(shown, out, "size", 3, b->size);
    expect_if(shown, out, "type", 2, b->type);
    expect_if(shown, out, "lock", 1, 0);
    expect_if(shown, out, "cache", 4, b->cache);
    expect_if(shown, out, "prot", 3, b->prot);
    expect_if(shown, out, "qos", 4, b->qos);
}

static void take_address(struct bursts *of, bool ready)
{
    seen[ADDRESS_WAITS] += of->shown && !ready;
    if (!of->shown || !ready) return;
    of->asked++;
    of->shown = false;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    struct bursts *writes = &s->of[WRITE], *reads = &s->of[READ], *of = &s->of[s->way];
    const struct wires w = take_wires(p, in);
    const bool running = !bench_in_reset();
    const bool full = of->taken - of->ended == (unsigned)p[BURSTS];
    const bool waits = of->shown && !(s->way == WRITE ? w.awready : w.arready);
    const bool may = s->inside ? w.wready : !full && !waits;

    expect_if(running && w.req_valid, out, "req_ready", 1, may);
    const bool some = writes->stored > 0 || reads->stored > 0;
    const bool rep_valid = take(out, "rep_valid", 1);
    const uint64_t rep = take(out, "rep_data", beat_width(p));
    const bool last = take(out, "rep_last", 1);
    const unsigned dest = (unsigned)take(out, "rep_dest", (unsigned)p[DST_W]);
    if (running)
        require("rep_valid", rep_valid, s->mid && s->last == READ ? reads->stored > 0 : some);
    const bool shown = running && rep_valid && some;
    const enum way way = rep & 1 ? WRITE : READ;
    const bool ends = shown && check_reply(s, p, way, rep, last, dest);

    check_address(writes, p, out);
    const bool w_shown = running && w.req_valid && s->inside;
    expect(out, "wvalid", 1, w_shown);
    expect_if(w_shown, out, "wdata and wstrb", data_width(p), data_of_write(s, p));
    expect_if(w_shown, out, "wlast", 1, is_last(s));
    expect(out, "bready", 1, 1);
    check_address(reads, p, out);
    expect_if(running, out, "rready", 1, reads->stored < STORED);
    if (!running) {
        s->drawn = s->shown = false;
        return;
    }

    // The next state.
    const bool goes = shown && w.rep_ready, comes = w.rvalid && reads->stored < STORED;
    seen[FULL] += w.req_valid && !s->inside && full;
    seen[STORE_FULL] += w.rvalid && reads->stored == STORED;
    seen[THROUGH] += comes && goes && way == READ;
    seen[DATA_FIRST] += w_shown && w.wready && writes->shown && !w.awready;
    seen[TURNS] += shown && !s->mid && writes->stored > 0 && reads->stored > 0;
    if (shown) {
        s->mid = !(goes && ends);
        s->turned = true;
        s->last = way;
    }
    if (goes) {
        struct bursts *gone = &s->of[way];
        gone->stored--;
        gone->beat = ends ? 0 : gone->beat + 1;
        gone->ended += ends;
    }
    if (w.bvalid) s->b_shown = false, s->answered++, writes->stored++;
    if (comes) {
        s->r_shown = false;
        reads->stored++;
        if (s->read_beat++ == burst_of(reads, s->read)->len) s->read_beat = 0, s->read++;
    }
    take_address(writes, w.awready);
    take_address(reads, w.arready);
    if (!w.req_valid || !may) return;
    const bool packet_ends = is_last(s);
    s->shown = false;
    if (s->inside) {
        s->sent++;
        s->done += packet_ends;
    } else {
        *burst_of(of, of->taken++) = s->head;
        of->shown = true;
        s->sent = 0;
    }
    s->inside = !packet_ends;
    if (packet_ends) s->drawn = false;
}

int main(void)
{
    static const char *const names[SEEN] = {"heads that waited for a burst to end",
                                            "addresses that waited for the memory",
                                            "data that were taken ahead of their address",
                                            "beats that found the store full",
                                            "choices between two replies",
                                            "beats that came while another went"};
    const struct bench_module module = {
        .name = "anl_axi_manager",
        .parameters = "Bursts, IdW, AddrW, DataW, DstW",
        .state_bytes = sizeof(struct state),
        .cycles = 8192,
        .drive = drive,
        .check = check,
    };
    const int failed = bench_main(&module);
    bool missing = false;
    for (unsigned n = 0; n < SEEN; n++) {
        printf("%llu %s\n", seen[n], names[n]);
        missing |= !seen[n] && !getenv("ANL_MUTANT");
    }
    return failed | missing;
}
