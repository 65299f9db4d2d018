// SPDX-License-Identifier: Apache-2.0
//
// All data and responses are functions of the number of a burst, so what comes to a wrong place,
// changed, doubled or out of order is seen. The network takes requests and gives replies at random;
// requests to one terminal are answered in order, in each direction.

#include "axi_port_rule.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    RING = 64,
    IDS = 4,
    ROWS = 4,
    DST_W = 3,
    HERE = 5,
    REFUSED = 8,
    PERIOD = 4096,
    DRAIN = 1600
};
enum { FIXED, INCR, WRAP };
enum { OKAY, EXOKAY, SLVERR, DECERR };
enum way { WRITE, READ, WAYS };
enum seen { WRITE_STALLS, READ_STALLS, HOLES, TOO_LONG, FULL, TWO_PLACES, REORDERED, SEEN };

// Base and mask in the highest 4 bits of an address, and terminal. The first row that matches
// counts. The lower bits are drawn for each run; row 0 has all of them in its mask, the others a
// few. Of some terminals one bit of the label alone differs; some bits of all labels are inverted.
static const unsigned rows[ROWS][3] = {{7, 15, 2}, {2, 14, 6}, {0, 12, 3}, {12, 14, 0}};

struct burst {
    unsigned id, len, size, type, lock, cache, prot, qos;
    unsigned tag;  // its slot, if the port has a reorder buffer
    uint64_t addr;
    unsigned dest, resp;  // REFUSED; resp of a refused burst
    bool started, ended;  // ended: its last response has been taken
    unsigned replied;     // beats of its reply that have come
    unsigned taken;       // beats of its response that the user has taken
};

// Bursts of one direction, by number. Those below `asked` have their address in the port.
struct bursts {
    struct burst ring[RING];
    unsigned made, asked, next,
        oldest;  // next: the oldest that has not left; oldest: that has not ended
    bool shown;
    unsigned row;   // of the burst before,
    uint64_t addr;  // and its address
    bool no_slot;   // none can be had
    uint32_t stalls;
};

struct axi_port_state {
    struct bursts of[WAYS];
    unsigned data, data_beat, stored;  // the write whose data the user shows, and data in the port
    bool data_shown;
    bool open;                     // a packet of a write goes out
    unsigned sent;                 // and so many of its data have gone
    bool reply_open, reply_shown;  // a packet of replies comes
    enum way reply_way;
    unsigned reply;
    bool r_open;  // a burst of data has begun at the user
    unsigned r_burst;
    unsigned promised;  // beats of data that were asked for and not taken
    bool req_waits;     // a request was shown and not taken
    uint64_t req_beat;
    bool waits[WAYS];                    // a response was shown and not taken
    unsigned waiting[WAYS];              // its burst
    uint64_t low[ROWS], low_mask[ROWS];  // of the map, below the highest 4 bits of an address
    unsigned inverted;                   // bits of labels
};

static unsigned long long seen[SEEN];

static uint64_t hash(uint64_t a, uint64_t b)
{
    uint64_t z = a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xD1B54A32D192ED03) + 1;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return z ^ z >> 29;
}

static uint64_t word(enum way way, unsigned number, unsigned beat, unsigned kind, unsigned width)
{
    return hash(number * 16 + kind * 2 + way, beat) & ones(width);
}

static uint64_t data_of(enum way way, unsigned number, unsigned beat, const struct axi_port *port)
{
    return word(way, number, beat, 0, port->data);
}

static uint64_t strobes_of(unsigned number, unsigned beat, const struct axi_port *port)
{
    return word(WRITE, number, beat, 1, port->data / 8);
}

static unsigned response_of(enum way way, unsigned number, unsigned beat)
{
    return (unsigned)word(way, number, beat, 3, 2) &
           (unsigned)(hash(number, beat) % 5 == 0 ? 3 : 2);
}

static struct burst *burst_of(struct axi_port_state *s, enum way way, unsigned number)
{
    return &s->of[way].ring[number % RING];
}

static bool drains(void) { return bench_cycle() % PERIOD >= PERIOD - DRAIN; }

static bool now(unsigned number) { return drains() || chance(mood(number)); }

static unsigned log2_of(unsigned value)
{
    unsigned log = 0;
    while (1u << log < value)
        log++;
    return log;
}

static uint64_t base_of(const struct axi_port_state *s, unsigned row, const struct axi_port *port)
{
    return (uint64_t)rows[row][0] << (port->addr - 4) | (s->low[row] & ones(port->addr - 4));
}

static uint64_t mask_of(const struct axi_port_state *s, unsigned row, const struct axi_port *port)
{
    return (uint64_t)rows[row][1] << (port->addr - 4) | (s->low_mask[row] & ones(port->addr - 4));
}

// Where an address goes: the terminal, or REFUSED for a hole.
static unsigned terminal_of(const struct axi_port_state *s, uint64_t addr,
                            const struct axi_port *port)
{
    for (unsigned r = 0; r < ROWS; r++)
        if (((addr ^ base_of(s, r, port)) & mask_of(s, r, port)) == 0)
            return rows[r][2] ^ s->inverted;
    return REFUSED;
}

static void make_burst(const struct axi_port_state *s, struct bursts *of,
                       const struct axi_port *port)
{
    struct burst *b = &of->ring[of->made++ % RING];
    *b = (struct burst){.size = log2_of(port->data / 8), .type = INCR};
    b->prot = (unsigned)random_bits(3);
    if (of->row == 0 || chance(40)) of->row = (unsigned)random_below(chance(15) ? 16 : 4);
    b->addr = (uint64_t)of->row << (port->addr - 4) | random_bits(port->addr - 4);
    const unsigned row = (unsigned)random_below(ROWS);
    if (chance(60))
        b->addr =
            (b->addr & ~mask_of(s, row, port)) | (base_of(s, row, port) & mask_of(s, row, port));
    if (chance(20))
        b->addr = base_of(s, 0, port) ^ (chance(50) ? UINT64_C(1) << random_below(port->addr) : 0);
    if (chance(40)) b->addr = of->addr;
    of->addr = b->addr;
    if (!port->lite) {
        b->id = (unsigned)random_below(IDS);
        b->len = (unsigned)(chance(5) ? random_below(256) : random_below(2 * port->longest) / 2);
        b->size = (unsigned)random_below(b->size + 1);
        b->type = (unsigned)random_below(3);
        b->lock = (unsigned)random_bits(1);
        b->cache = (unsigned)random_bits(4);
        b->qos = (unsigned)random_bits(4);
    }
    b->dest = terminal_of(s, b->addr, port);
    b->resp = b->dest == REFUSED ? DECERR : SLVERR;
    seen[HOLES] += b->dest == REFUSED;
    if (b->len >= port->longest) {
        seen[TOO_LONG] += b->dest != REFUSED;
        b->dest = REFUSED;
    }
}

static void put_address(struct axi_port_state *s, enum way way, const struct axi_port *port,
                        struct bits *in)
{
    struct bursts *of = &s->of[way];
    const bool more = of->made - of->oldest < RING - 4 && of->made - of->asked < 3;
    if (more && !drains()) make_burst(s, of, port);
    if (bench_in_reset())
        of->shown = false;
    else if (!of->shown && of->asked < of->made)
        of->shown = now(way);
    const struct burst *b = burst_of(s, way, of->asked);
    put(in, 1, of->shown);
    if (!port->lite) put(in, port->id, b->id);
    put(in, port->addr, b->addr);
    if (!port->lite) {
        put(in, 8, b->len);
        put(in, 3, b->size);
        put(in, 2, b->type);
        put(in, 1, b->lock);
        put(in, 4, b->cache);
    }
    put(in, 3, b->prot);
    if (!port->lite) put(in, 4, b->qos);
}

// Chooses a burst whose reply may come next: the oldest to some terminal that started and has not
// its reply. Returns false if there is none.
static bool choose_reply(struct axi_port_state *s)
{
    const enum way way = (enum way)random_below(WAYS);
    const unsigned dest = (unsigned)random_below(REFUSED);
    const struct bursts *of = &s->of[way];
    for (unsigned n = of->oldest; n < of->asked; n++) {
        const struct burst *b = &of->ring[n % RING];
        const bool whole = way == READ || n < of->next;
        if (b->started && b->dest == dest && b->replied == 0) {
            s->reply_way = way;
            s->reply = n;
            return whole;
        }
    }
    return false;
}

static void put_reply(struct axi_port_state *s, const struct axi_port *port, struct bits *in)
{
    if (!s->reply_shown && now(5))
        for (unsigned tries = 0; tries < 8 && !s->reply_shown; tries++)
            s->reply_shown = s->reply_open || choose_reply(s);
    const bool write = s->reply_way == WRITE;
    const struct burst *b = burst_of(s, s->reply_way, s->reply);
    const unsigned beat = b->replied;
    const unsigned head = 25 + DST_W + port->id + port->addr, data = port->data + port->data / 8;
    const unsigned reply = 3 + port->id + port->data;
    unsigned width = head > data ? head : data;
    if (reply > width) width = reply;
    put(in, 1, s->reply_shown);
    put(in, 1, write);
    put(in, 2, response_of(s->reply_way, s->reply, beat));
    put(in, port->id, port->slots ? b->tag : b->id);
    put(in, port->data, write ? 0 : data_of(READ, s->reply, beat, port));
    if (width > reply) put(in, width - reply, 0);
    put(in, 1, write || beat == b->len);
}

// What the main function was given, and whether the port is one of AXI4-Lite.
static struct axi_port (*port_of)(const int *p);
static bool lite;

static void reset(void *state, const int *p)
{
    struct axi_port_state *s = state;
    (void)p;
    s->inverted = (unsigned)random_bits(DST_W);
    for (unsigned r = 0; r < ROWS; r++) {
        s->low_mask[r] = r == 0 ? UINT64_MAX : random_bits(64) & random_bits(64);
        s->low[r] = random_bits(64) & s->low_mask[r];
    }
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct axi_port of_instance = port_of(p), *port = &of_instance;
    struct axi_port_state *s = state;
    lite = port->lite;
    for (unsigned r = 0; r < ROWS; r++) {
        put(in, port->addr, base_of(s, r, port));
        put(in, port->addr, mask_of(s, r, port));
        put(in, DST_W, rows[r][2] ^ s->inverted);
    }
    put(in, DST_W, HERE);
    put_address(s, WRITE, port, in);
    if (bench_in_reset())
        s->data_shown = false;
    else if (!s->data_shown && s->data < s->of[WRITE].made)
        s->data_shown = now(2);
    put(in, 1, s->data_shown);
    put(in, port->data, data_of(WRITE, s->data, s->data_beat, port));
    put(in, port->data / 8, strobes_of(s->data, s->data_beat, port));
    if (!port->lite) put(in, 1, s->data_beat == burst_of(s, WRITE, s->data)->len);
    put(in, 1, now(3));
    put_address(s, READ, port, in);
    put(in, 1, now(4));
    put(in, 1, now(6));
    put_reply(s, port, in);
}

struct wires {
    bool awvalid, wvalid, bready, arvalid, rready, req_ready, rep_valid;
};

static bool take_address(const struct axi_port *port, struct bits *in)
{
    const bool valid = take(in, "valid", 1);
    if (!port->lite) take(in, "id", port->id);
    take(in, "address", port->addr);
    if (!port->lite) take(in, "length, size, type, lock, cache", 8 + 3 + 2 + 1 + 4);
    take(in, "prot", 3);
    if (!port->lite) take(in, "qos", 4);
    return valid;
}

static struct wires take_wires(const struct axi_port *port, struct bits *in)
{
    struct wires w;
    for (unsigned r = 0; r < ROWS; r++)
        take(in, "base", port->addr), take(in, "mask", port->addr), take(in, "terminal", DST_W);
    take(in, "here", DST_W);
    w.awvalid = take_address(port, in);
    w.wvalid = take(in, "wvalid", 1);
    take(in, "wdata", port->data);
    take(in, "wstrb", port->data / 8);
    if (!port->lite) take(in, "wlast", 1);
    w.bready = take(in, "bready", 1);
    w.arvalid = take_address(port, in);
    w.rready = take(in, "rready", 1);
    w.req_ready = take(in, "req_ready", 1);
    w.rep_valid = take(in, "rep_valid", 1);
    return w;
}

static unsigned under_way(const struct axi_port_state *s, enum way way)
{
    const struct bursts *of = &s->of[way];
    unsigned number = 0;
    for (unsigned n = of->oldest; n < of->asked; n++)
        number += of->ring[n % RING].started && !of->ring[n % RING].ended;
    return number;
}

// Whether two bursts of one ID may not be under way at once.
static bool apart(const struct burst *a, const struct burst *b, const struct axi_port *port)
{
    return port->slots ? (a->dest == REFUSED) != (b->dest == REFUSED) : a->dest != b->dest;
}

// Whether a burst of the ID of number n is under way beside which it may not start.
static bool elsewhere(const struct axi_port_state *s, enum way way, unsigned number,
                      const struct axi_port *port)
{
    const struct bursts *of = &s->of[way];
    const struct burst *b = &of->ring[number % RING];
    for (unsigned n = of->oldest; n < number; n++) {
        const struct burst *other = &of->ring[n % RING];
        if (!other->started || other->ended || other->id != b->id) continue;
        if (apart(other, b, port)) return true;
        seen[TWO_PLACES] += other->dest != b->dest;
    }
    return false;
}

// Whether a burst that has a slot is under way with this tag.
static bool tag_is_used(const struct axi_port_state *s, enum way way, unsigned tag)
{
    const struct bursts *of = &s->of[way];
    for (unsigned n = of->oldest; n < of->next; n++) {
        const struct burst *b = &of->ring[n % RING];
        if (b->dest != REFUSED && !b->ended && b->tag == tag) return true;
    }
    return false;
}

static bool refusing_reads(const struct axi_port_state *s)
{
    const struct bursts *of = &s->of[READ];
    for (unsigned n = of->oldest; n < of->next; n++)
        if (of->ring[n % RING].dest == REFUSED && !of->ring[n % RING].ended) return true;
    return false;
}

// Returns the number of the oldest burst of an ID that has not ended, or asked if there is none.
static unsigned due(const struct bursts *of, unsigned id)
{
    unsigned n = of->oldest;
    while (n < of->asked && (of->ring[n % RING].ended || of->ring[n % RING].id != id))
        n++;
    return n;
}

static uint64_t head_of(const struct burst *b, enum way way, const struct axi_port *port)
{
    unsigned at = 0;
    uint64_t head = 0;
    const struct {
        uint64_t value;
        unsigned width;
    } fields[] = {{way == WRITE, 1},    {HERE, DST_W}, {port->slots ? b->tag : b->id, port->id},
                  {b->len, 8},          {b->size, 3},  {b->type, 2},
                  {b->cache, 4},        {b->prot, 3},  {b->qos, 4},
                  {b->addr, port->addr}};
    for (unsigned n = 0; n < sizeof fields / sizeof *fields; at += fields[n++].width)
        head |= fields[n].value << at;
    return head;
}

// Whether the next burst of a direction may have its head in the request stream.
static bool may_start(const struct axi_port_state *s, const struct axi_port *port, enum way way)
{
    const struct bursts *of = &s->of[way];
    const struct burst *b = &of->ring[of->next % RING];
    if (of->next == of->asked || b->dest == REFUSED || of->no_slot) return false;
    if (under_way(s, way) == port->bursts || elsewhere(s, way, of->next, port)) return false;
    if (way == WRITE) return s->stored > b->len;
    return port->slots || s->promised + b->len < port->read_room;
}

// The request stream. Returns whether the burst that is the next one of a direction leaves.
static void check_request(struct axi_port_state *s, const struct axi_port *port, bool ready,
                          struct bits *out, bool starts[WAYS], bool leaves[WAYS])
{
    const unsigned head = 25 + DST_W + port->id + port->addr, data = port->data + port->data / 8;
    const unsigned reply = 3 + port->id + port->data;
    unsigned width = head > data ? head : data;
    if (reply > width) width = reply;
    const bool valid = take(out, "req_valid", 1);
    const uint64_t beat = take(out, "req_data", width);
    const bool last = take(out, "req_last", 1);
    const unsigned dest = (unsigned)take(out, "req_dest", DST_W);
    if (s->req_waits) require("a request that waits stays", valid && beat == s->req_beat, true);
    s->req_waits = valid && !ready;
    s->req_beat = beat;
    if (!valid) {
        const bool waits = s->open || may_start(s, port, WRITE) || may_start(s, port, READ);
        require("no burst waits that may go", waits, false);
        return;
    }
    if (s->open) {
        const unsigned n = s->of[WRITE].next;
        const struct burst *b = burst_of(s, WRITE, n);
        require("a beat of data", beat,
                data_of(WRITE, n, s->sent, port) | strobes_of(n, s->sent, port) << port->data);
        require("last beat", last, s->sent == b->len);
        require("terminal", dest, b->dest);
        if (!ready) return;
        s->stored--;
        if (s->sent++ == b->len) s->open = false, leaves[WRITE] = true;
        return;
    }
    const enum way way = beat & 1 ? WRITE : READ;
    struct bursts *of = &s->of[way];
    const unsigned n = of->next;
    require("a burst is next", n < of->asked, true);
    if (n >= of->asked) return;
    struct burst *b = burst_of(s, way, n);
    require("it is not refused", b->dest != REFUSED, true);
    b->tag = (unsigned)(beat >> (1 + DST_W) & ones(port->id));
    if (port->slots) require("the tag is a slot", b->tag < port->slots, true);
    if (port->slots) require("the slot is free", tag_is_used(s, way, b->tag), false);
    require("head", beat, head_of(b, way, port));
    require("terminal", dest, b->dest);
    require("last beat", last, way == READ);
    require("bursts under way are fewer than may be", under_way(s, way) < port->bursts, true);
    require("no burst of its ID is under way to another terminal", elsewhere(s, way, n, port),
            false);
    if (way == WRITE) require("all its data have come", s->stored > b->len, true);
    if (way == READ && !port->slots)
        require("there is room for its data", s->promised + b->len < port->read_room, true);
    if (!ready) return;
    starts[way] = true;
    if (way == READ) leaves[READ] = true, s->promised += b->len + 1;
    if (way == WRITE) s->open = true, s->sent = 0;
}

// A response that is shown stays until it is taken.
static void check_stays(struct axi_port_state *s, enum way way, bool valid, bool ready,
                        unsigned number)
{
    if (s->waits[way])
        require("a response that waits stays", valid && number == s->waiting[way], true);
    s->waits[way] = valid && !ready;
    s->waiting[way] = number;
}

// Whether a response has come and may be shown: its burst is the oldest of its ID, and no other
// burst of data has begun.
static bool has_response(const struct axi_port_state *s, enum way way)
{
    const struct bursts *of = &s->of[way];
    for (unsigned n = of->oldest; n < of->asked; n++) {
        const struct burst *b = &of->ring[n % RING];
        const bool turn = way == WRITE || !s->r_open || n == s->r_burst;
        if (!b->ended && b->replied > b->taken && due(of, b->id) == n && turn) return true;
    }
    return false;
}

static void end_burst(struct bursts *of, unsigned number)
{
    of->ring[number % RING].ended = true;
    while (of->oldest < of->asked && of->ring[of->oldest % RING].ended)
        of->oldest++;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct axi_port of_instance = port_of(p), *port = &of_instance;
    struct axi_port_state *s = state;
    struct bursts *writes = &s->of[WRITE], *reads = &s->of[READ];
    const struct wires w = take_wires(port, in);
    bool starts[WAYS] = {false}, leaves[WAYS] = {false}, stalled[WAYS];
    unsigned b_ended = writes->asked, r_ended = reads->asked;

    // What the state behind the cycle before says.
    for (unsigned way = 0; way < WAYS; way++) {
        const struct bursts *of = &s->of[way];
        const struct burst *next = &of->ring[of->next % RING];
        const bool waits = of->next < of->asked && !next->started;
        const bool other = waits && elsewhere(s, (enum way)way, of->next, port);
        stalled[way] = other;
        const bool full = of->no_slot || under_way(s, (enum way)way) == port->bursts;
        seen[FULL] += waits && full;
        if (waits && !other && !full && next->dest == REFUSED &&
            (way == WRITE || !refusing_reads(s))) {
            starts[way] = true;
            leaves[way] = way == READ;
        }
    }

    const bool aw = take(out, "awready", 1) && w.awvalid;
    const bool wr = take(out, "wready", 1) && w.wvalid;

    const bool bvalid = take(out, "bvalid", 1);
    const unsigned bid = port->lite ? 0 : (unsigned)take(out, "bid", port->id);
    const unsigned bn = due(writes, bid);
    const struct burst *b = burst_of(s, WRITE, bn);
    const bool b_due = bvalid && bn < writes->asked && b->started &&
                       (b->dest == REFUSED ? bn == writes->next : b->replied > 0);
    if (bvalid) require("the oldest write of the ID has its response", b_due, true);
    if (has_response(s, WRITE)) require("a response that has come is shown", bvalid, true);
    check_stays(s, WRITE, bvalid, w.bready, bn);
    expect_if(b_due, out, "bresp", 2, b->dest == REFUSED ? b->resp : response_of(WRITE, bn, 0));
    if (b_due && w.bready) {
        b_ended = bn;
        if (b->dest == REFUSED) leaves[WRITE] = true;
    }

    const bool ar = take(out, "arready", 1) && w.arvalid;
    const bool rvalid = take(out, "rvalid", 1);
    const unsigned rid = port->lite ? 0 : (unsigned)take(out, "rid", port->id);
    const unsigned rn = due(reads, rid);
    struct burst *r = burst_of(s, READ, rn);
    const bool r_due =
        rvalid && rn < reads->asked && r->started && (r->dest == REFUSED || r->replied > r->taken);
    if (rvalid) require("the oldest read of the ID has data", r_due, true);
    if (has_response(s, READ)) require("data that have come are shown", rvalid, true);
    check_stays(s, READ, rvalid, w.rready, rn);
    if (rvalid && s->r_open) require("data of the burst that has begun", rn, s->r_burst);
    expect_if(r_due, out, "rdata", port->data,
              r->dest == REFUSED ? 0 : data_of(READ, rn, r->taken, port));
    expect_if(r_due, out, "rresp", 2,
              r->dest == REFUSED ? r->resp : response_of(READ, rn, r->taken));
    if (!port->lite) expect_if(r_due, out, "rlast", 1, r->taken == r->len);

    check_request(s, port, w.req_ready, out, starts, leaves);
    expect(out, "rep_ready", 1, 1);
    if (!port->lite) {
        expect(out, "write_stalls", 32, writes->stalls);
        expect(out, "read_stalls", 32, reads->stalls);
    }

    // The next state.
    if (r_due && w.rready) {
        s->r_open = r->taken != r->len;
        s->r_burst = rn;
        s->promised -= r->dest != REFUSED;
        if (r->taken++ == r->len) r_ended = rn;
    }
    if (w.rep_valid) {
        struct burst *of = burst_of(s, s->reply_way, s->reply);
        s->reply_shown = false;
        of->replied++;
        seen[REORDERED] += due(&s->of[s->reply_way], of->id) != s->reply;
        s->reply_open = s->reply_way == READ && of->replied <= of->len;
    }
    for (unsigned way = 0; way < WAYS; way++) {
        struct bursts *of = &s->of[way];
        of->no_slot = port->slots && under_way(s, (enum way)way) + starts[way] == port->slots;
        of->stalls += stalled[way];
        seen[way == WRITE ? WRITE_STALLS : READ_STALLS] += stalled[way];
        if (starts[way]) of->ring[of->next % RING].started = true;
        if (leaves[way]) of->next++;
    }
    if (b_ended < writes->asked) {
        const struct burst *ended = burst_of(s, WRITE, b_ended);
        if (ended->dest == REFUSED) s->stored -= ended->len + 1;
        end_burst(writes, b_ended);
    }
    if (r_ended < reads->asked) end_burst(reads, r_ended);
    if (aw) writes->asked++, writes->shown = false;
    if (ar) reads->asked++, reads->shown = false;
    if (wr) {
        s->stored++;
        s->data_shown = false;
        if (s->data_beat++ == burst_of(s, WRITE, s->data)->len) s->data_beat = 0, s->data++;
    }
    if (bench_cycle() % PERIOD == PERIOD - 1)
        require("all bursts have ended",
                writes->oldest == writes->made && reads->oldest == reads->made, true);
}

// Prints what the runs have seen. Returns whether something that must happen did not.
static bool is_something_missing(void)
{
    static const char *const names[SEEN] = {"stalls of writes",
                                            "stalls of reads",
                                            "holes",
                                            "bursts that were too long",
                                            "cycles with all bursts under way",
                                            "bursts of one ID in two places at once",
                                            "beats of replies that wait for older bursts"};
    bool missing = false;
    for (unsigned n = 0; n < SEEN; n++) {
        printf("%llu %s\n", seen[n], names[n]);
        missing |= !seen[n] && !(lite && n == TOO_LONG);
    }
    return missing && !getenv("ANL_MUTANT");
}

int axi_port_main(struct bench_module module, struct axi_port (*of)(const int *p))
{
    port_of = of;
    module.state_bytes = sizeof(struct axi_port_state);
    module.reset = reset;
    module.drive = drive;
    module.check = check;
    const int failed = bench_main(&module);
    return is_something_missing() | failed;
}
