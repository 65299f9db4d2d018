// SPDX-License-Identifier: Apache-2.0
//
// Managers of users and memories of C around a network with AXI4 ports. Each burst has a number in
// its address, and all its data and responses are functions of it. So a memory knows what must
// come, and a user what must come back, in the order of the ID. Every `period` cycles all bursts
// must have come to their end. The rules of the ports themselves are watched by checkers in the
// bench cell.
//
// The directed run fills everything: users start what they may and take no response, and memories
// stand still; then memories go on and user 0 alone takes no response, which must not stop the
// others.

#include "axi_rule.h"
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { K, N, USERS, MEMORIES, DEPTH, STAGES, BURSTS, MAX_BEATS, ROOM, REORDER, DATA_W, PARAMETERS };
enum { MAX_PORTS = 9, IDS = 8, RING = 256, UNDER_WAY = 40, DRAIN = 2600 };
enum { SHORT_PERIOD = 4096, LONG_PERIOD = 65536 };
enum { OKAY, EXOKAY, SLVERR, DECERR };
enum kind { WRITE, READ, KINDS };

struct burst {
    uint32_t number;
    uint64_t addr;
    unsigned id, len, size, type, lock, attr;
    int memory;  // to which it goes; -1: it is refused
    unsigned refused;
};

// The bursts of a user in one direction. Numbers count from 0; those below `made` exist.
struct way {
    struct burst ring[RING];
    uint32_t made, asked, ended;  // asked: address taken; ended: bursts whose last response came
    uint32_t of_id[IDS][RING];    // numbers of an ID, in order
    uint32_t id_made[IDS], id_ended[IDS];
    unsigned beat[IDS];        // of the burst whose response comes next
    uint32_t seen[MAX_PORTS];  // numbers below it have come to this memory, if they go there
    bool shown;
    int last_memory;
    uint32_t stalls;  // as the port says
    bool may_stall;   // in the cycle before, it might count one
};

struct user {
    struct way way[KINDS];
    uint32_t data;  // number of the write whose data are sent
    unsigned beat;
    bool data_shown;
};

struct pending {
    unsigned user;
    uint32_t number;
};

struct queue {
    struct pending item[RING];
    uint32_t in, out;
};

struct memory {
    struct queue writes, data_due, reads;  // responses due; data due; data of reads due
    unsigned w_beat, r_beat;
    bool aw_known, b_shown, r_shown;  // aw_known: the address on AW is in data_due
};

struct state {
    struct user user[MAX_PORTS];
    struct memory memory[MAX_PORTS];
    unsigned quiet;
    uint32_t others;  // bursts of users other than 0 that have ended, at the begin of a phase
};

// What each network did.
struct total {
    const int *p;
    uint64_t bursts, beats, cycles, stalls[KINDS];
};

static struct total totals[BENCH_INSTANCES];

static uint32_t period =
    SHORT_PERIOD;  // cycles; in the long form, which ANL_AXI_CYCLES asks for, more
static uint64_t total_bursts, total_beats, total_cycles;

static unsigned ports(int mask) { return members_below(32, (uint64_t)(unsigned)mask); }

static unsigned data_bytes(const int *p) { return (unsigned)p[DATA_W] / 8; }

static uint64_t hash(uint64_t a, uint64_t b)
{
    uint64_t z = a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xD1B54A32D192ED03) + 1;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

// What a transfer carries: word n of its data.
static uint64_t word(enum kind kind, unsigned user, uint32_t number, unsigned beat, unsigned n)
{
    return hash(number | (uint64_t)user << 32 | (uint64_t)kind << 40, beat | (uint64_t)n << 16);
}

// The strobes of a transfer of a write.
static uint64_t strobes(const int *p, unsigned user, const struct burst *b, unsigned beat)
{
    return word(WRITE, user, b->number, beat, 1000) &
           axi_write_lanes(b->addr, b->size, b->type, b->len, beat, data_bytes(p));
}

static unsigned response(enum kind kind, unsigned user, uint32_t number, unsigned beat)
{
    const uint64_t h = word(kind, user, number, beat, 2000);
    return h % 16 == 0 ? SLVERR : h % 16 == 1 ? DECERR : OKAY;
}

static bool refuses_all(const struct state *s, unsigned user)
{
    (void)s;
    return bench_directed() && (bench_cycle() % period < 800 || user == 0) &&
           bench_cycle() % period < period - DRAIN;
}

static bool memories_stand(void) { return bench_directed() && bench_cycle() % period < 800; }

static bool drains(void) { return bench_cycle() % period >= period - DRAIN; }

// Nothing is shown in reset, nor in the first cycle behind it.
static bool now(unsigned number)
{
    if (bench_in_reset() || bench_cycle() == 0) return false;
    return drains() || bench_directed() || chance(mood(number));
}

static unsigned log2_of(unsigned value)
{
    unsigned log = 0;
    while ((1u << log) < value)
        log++;
    return log;
}

static void make_burst(const int *p, unsigned user, struct way *way)
{
    struct burst *b = &way->ring[way->made % RING];
    const unsigned full = log2_of(data_bytes(p)), memories = ports(p[MEMORIES]);
    *b = (struct burst){.number = way->made, .id = (unsigned)random_below(IDS)};
    b->size = chance(60) ? full : (unsigned)random_below(full + 1);
    b->type = chance(60) ? AXI_INCR : (unsigned)random_below(3);
    b->lock = chance(5);
    b->attr = (unsigned)random_bits(11);
    unsigned low = (unsigned)random_bits(12);
    if (b->type == AXI_INCR) {
        b->len = chance(3) ? (unsigned)random_below(256) : (unsigned)random_below(12);
        if (b->len >= (unsigned)p[MAX_BEATS] && chance(70)) b->len %= (unsigned)p[MAX_BEATS];
        const unsigned bytes = (b->len + 1) << b->size;
        if (bytes > 4096) b->len = (4096u >> b->size) - 1;
        const unsigned aligned = low & ~((1u << b->size) - 1);
        if (aligned + ((b->len + 1) << b->size) > 4096)
            low -= aligned - (4096 - ((b->len + 1) << b->size));
    } else if (b->type == AXI_FIXED) {
        b->len = (unsigned)random_below(16);
    } else {
        b->len = (2u << random_below(4)) - 1;
        low &= ~((1u << b->size) - 1);
    }
    const bool same = way->made > 0 && chance(70);
    int row = same ? way->last_memory : (int)random_below(memories);
    way->last_memory = row;
    b->memory = row;
    if (chance(4)) {
        row = (int)(memories + random_below(16 - memories));
        b->memory = -1;
        b->refused = DECERR;
    } else if (b->len >= (unsigned)p[MAX_BEATS]) {
        b->memory = -1;
        b->refused = SLVERR;
    }
    b->addr = (uint64_t)(unsigned)row << 28 | (uint64_t)user << 20 |
              (uint64_t)(way->made % RING) << 12 | low;
    way->of_id[b->id][way->id_made[b->id]++ % RING] = way->made;
    way->made++;
}

static void put_ask(const struct burst *b, bool shown, bool with_id, struct bits *in)
{
    put(in, 1, shown);
    if (with_id) put(in, 3, b->id);
    put(in, 32, b->addr);
    put(in, 8, b->len);
    put(in, 3, b->size);
    put(in, 2, b->type);
    put(in, 1, b->lock);
    put(in, 11, b->attr);
}

// Shows the next address if it is time.
static const struct burst *address(const int *p, unsigned user, struct way *way, unsigned mood_of)
{
    const bool may = !drains() || way->asked < way->made;
    if (may && way->made - way->ended < UNDER_WAY && !drains() && way->made - way->asked < 3)
        make_burst(p, user, way);
    if (!way->shown && way->asked < way->made) way->shown = now(mood_of + user);
    return &way->ring[way->asked % RING];
}

static void drive_user(const int *p, struct state *s, unsigned u, struct bits *in)
{
    struct user *user = &s->user[u];
    const struct burst *aw = address(p, u, &user->way[WRITE], 0);
    put_ask(aw, user->way[WRITE].shown, true, in);

    const struct burst *w = &user->way[WRITE].ring[user->data % RING];
    if (!user->data_shown && user->data < user->way[WRITE].made) user->data_shown = now(1 + u);
    put(in, 1, user->data_shown);
    for (unsigned n = 0; n < (unsigned)p[DATA_W]; n += 64)
        put(in, p[DATA_W] < 64 ? (unsigned)p[DATA_W] : 64,
            word(WRITE, u, user->data, user->beat, n));
    put(in, data_bytes(p), strobes(p, u, w, user->beat));
    put(in, 1, user->beat == w->len);
    put(in, 1, !refuses_all(s, u) && now(2 + u));

    const struct burst *ar = address(p, u, &user->way[READ], 3);
    put_ask(ar, user->way[READ].shown, true, in);
    put(in, 1, !refuses_all(s, u) && now(4 + u));
}

static void drive_memory(const int *p, struct state *s, unsigned m, struct bits *in)
{
    struct memory *mem = &s->memory[m];
    const bool stand = memories_stand();
    put(in, 1, !stand && now(5 + m));
    put(in, 1, !stand && now(6 + m));
    if (!mem->b_shown && mem->writes.out < mem->writes.in) mem->b_shown = !stand && now(7 + m);
    const struct pending *b = &mem->writes.item[mem->writes.out % RING];
    put(in, 1, mem->b_shown);
    put(in, 2, response(WRITE, b->user, b->number, 0));
    put(in, 1, !stand && now(5 + m));
    if (!mem->r_shown && mem->reads.out < mem->reads.in) mem->r_shown = !stand && now(3 + m);
    const struct pending *r = &mem->reads.item[mem->reads.out % RING];
    put(in, 1, mem->r_shown);
    for (unsigned n = 0; n < (unsigned)p[DATA_W]; n += 64)
        put(in, p[DATA_W] < 64 ? (unsigned)p[DATA_W] : 64,
            word(READ, r->user, r->number, mem->r_beat, n));
    put(in, 2, response(READ, r->user, r->number, mem->r_beat));
    const struct burst *burst = &s->user[r->user].way[READ].ring[r->number % RING];
    put(in, 1, mem->r_beat == burst->len);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    for (unsigned u = 0; u < ports(p[USERS]); u++)
        drive_user(p, s, u, in);
    for (unsigned m = 0; m < ports(p[MEMORIES]); m++)
        drive_memory(p, s, m, in);
}

static void pass_over(struct bits *in, unsigned width)
{
    for (; width > 64; width -= 64)
        take(in, "", 64);
    if (width) take(in, "", width);
}

static void check_data(const int *p, enum kind kind, unsigned user, uint32_t number, unsigned beat,
                       bool shown, bool zero, struct bits *out)
{
    const unsigned width = p[DATA_W] < 64 ? (unsigned)p[DATA_W] : 64;
    for (unsigned n = 0; n < (unsigned)p[DATA_W]; n += 64)
        expect_if(shown, out, "data", width,
                  zero ? 0 : word(kind, user, number, beat, n) & ones(width));
}

// The burst whose response with this ID must come next.
static struct burst *due(struct way *way, unsigned id)
{
    const uint32_t number = way->of_id[id][way->id_ended[id] % RING];
    return &way->ring[number % RING];
}

static bool is_due(const struct way *way, unsigned id)
{
    return way->id_ended[id] < way->id_made[id] &&
           way->of_id[id][way->id_ended[id] % RING] < way->asked;
}

static void end_burst(struct way *way, unsigned id)
{
    way->id_ended[id]++;
    way->ended++;
    way->beat[id] = 0;
    total_bursts++;
}

struct user_in {
    bool awvalid, wvalid, bready, arvalid, rready;
};

static struct user_in take_user(const int *p, struct bits *in)
{
    struct user_in taken;
    taken.awvalid = take(in, "awvalid", 1);
    pass_over(in, 3 + 32 + 8 + 3 + 2 + 1 + 11);
    taken.wvalid = take(in, "wvalid", 1);
    pass_over(in, (unsigned)p[DATA_W] + data_bytes(p) + 1);
    taken.bready = take(in, "bready", 1);
    taken.arvalid = take(in, "arvalid", 1);
    pass_over(in, 3 + 32 + 8 + 3 + 2 + 1 + 11);
    taken.rready = take(in, "rready", 1);
    return taken;
}

static bool check_address(struct way *way, bool valid, struct bits *out)
{
    const bool taken = take(out, "address ready", 1) && valid;
    if (!taken) return false;
    way->asked++;
    way->shown = false;
    return true;
}

// Whether bursts of an ID that have been asked for and have not ended go to two destinations. With
// a reorder buffer there are two: that of bursts that are refused, and that of others.
static bool may_stall(const int *p, const struct way *way)
{
    for (unsigned id = 0; id < IDS; id++) {
        int first = 0;
        for (uint32_t i = way->id_ended[id]; i < way->id_made[id]; i++) {
            const struct burst *b = &way->ring[way->of_id[id][i % RING] % RING];
            const int memory = p[REORDER] && b->memory >= 0 ? 0 : b->memory;
            if (way->of_id[id][i % RING] >= way->asked) break;
            if (i == way->id_ended[id]) first = memory;
            if (memory != first) return true;
        }
    }
    return false;
}

static void check_stalls(const int *p, struct way *way, struct bits *out)
{
    const uint32_t stalls = (uint32_t)take(out, "stalls", 32);
    require("a cycle that counts as a stall", stalls - way->stalls <= way->may_stall, true);
    way->stalls = stalls;
    way->may_stall = may_stall(p, way);
}

static bool check_user(const int *p, struct state *s, unsigned u, struct bits *in, struct bits *out)
{
    struct user *user = &s->user[u];
    struct way *writes = &user->way[WRITE], *reads = &user->way[READ];
    const struct user_in wires = take_user(p, in);
    check_stalls(p, writes, out);
    check_stalls(p, reads, out);
    bool moved = check_address(writes, wires.awvalid, out);
    const uint32_t asked = reads->asked;

    if (take(out, "wready", 1) && wires.wvalid) {
        const struct burst *w = &writes->ring[user->data % RING];
        moved = true;
        total_beats++;
        user->data_shown = false;
        user->beat++;
        if (user->beat > w->len) user->beat = 0, user->data++;
    }

    const bool bvalid = take(out, "bvalid", 1);
    const unsigned bid = (unsigned)take(out, "bid", 3);
    const bool b_due = bvalid && is_due(writes, bid);
    if (bvalid) require("a write of the ID is under way", b_due, true);
    const struct burst *b = due(writes, bid);
    expect_if(b_due, out, "bresp", 2,
              b->memory < 0 ? b->refused : response(WRITE, u, b->number, 0));
    if (b_due && wires.bready) end_burst(writes, bid), moved = true;

    moved |= check_address(reads, wires.arvalid, out);
    const bool rvalid = take(out, "rvalid", 1);
    const unsigned rid = (unsigned)take(out, "rid", 3);
    const bool r_due =
        rvalid && is_due(reads, rid) && reads->of_id[rid][reads->id_ended[rid] % RING] < asked;
    if (rvalid) require("a read of the ID is under way", r_due, true);
    const struct burst *r = due(reads, rid);
    const unsigned beat = reads->beat[rid];
    check_data(p, READ, u, r->number, beat, r_due, r->memory < 0, out);
    expect_if(r_due, out, "rresp", 2,
              r->memory < 0 ? r->refused : response(READ, u, r->number, beat));
    expect_if(r_due, out, "rlast", 1, beat == r->len);
    if (r_due && wires.rready) {
        moved = true;
        total_beats++;
        if (beat == r->len)
            end_burst(reads, rid);
        else
            reads->beat[rid]++;
    }
    return moved;
}

// Takes an address at a memory. Sets item to the burst that it says, and checks all of it if it is
// new.
static bool take_ask(const int *p, struct state *s, unsigned m, enum kind kind, bool known,
                     struct bits *out, struct pending *item)
{
    const bool valid = take(out, "m valid", 1);
    const uint64_t addr = take(out, "m addr", 32);
    const unsigned user = (unsigned)(addr >> 20 & 0xff);
    const bool exists = valid && user < ports(p[USERS]);
    if (valid) require("the user exists", exists, true);
    struct way *way = &s->user[exists ? user : 0].way[kind];
    uint32_t number = way->seen[m];
    if (exists && known) number = item->number;
    while (exists && !known && number < way->asked && way->ring[number % RING].memory != (int)m)
        number++;
    const struct burst *b = &way->ring[number % RING];
    if (exists) require("a burst is due here", number < way->asked && b->memory == (int)m, true);
    if (exists) require("address", addr, b->addr);
    expect_if(exists, out, "m len", 8, b->len);
    expect_if(exists, out, "m size", 3, b->size);
    expect_if(exists, out, "m burst", 2, b->type);
    expect_if(exists, out, "m lock", 1, 0);
    expect_if(exists, out, "m attributes", 11, b->attr);
    if (exists && !known) way->seen[m] = number + 1;
    *item = (struct pending){user, number};
    return exists;
}

static void push(struct queue *queue, struct pending item)
{
    queue->item[queue->in++ % RING] = item;
}

struct memory_in {
    bool awready, wready, bvalid, arready, rvalid;
};

static struct memory_in take_memory(const int *p, struct bits *in)
{
    struct memory_in taken;
    taken.awready = take(in, "m awready", 1);
    taken.wready = take(in, "m wready", 1);
    taken.bvalid = take(in, "m bvalid", 1);
    pass_over(in, 2);
    taken.arready = take(in, "m arready", 1);
    taken.rvalid = take(in, "m rvalid", 1);
    pass_over(in, (unsigned)p[DATA_W] + 2 + 1);
    return taken;
}

static bool check_memory(const int *p, struct state *s, unsigned m, struct bits *in,
                         struct bits *out)
{
    struct memory *mem = &s->memory[m];
    const struct memory_in wires = take_memory(p, in);
    struct queue *data = &mem->data_due;
    bool moved = false;

    // An address is known from the cycle on in which it is shown, since its data may be taken
    // first.
    struct pending item = data->item[(data->in - 1) % RING];
    if (take_ask(p, s, m, WRITE, mem->aw_known, out, &item)) {
        if (!mem->aw_known) push(data, item);
        mem->aw_known = !wires.awready;
        moved |= wires.awready;
    }
    const bool wvalid = take(out, "m wvalid", 1);
    const bool w_due = wvalid && data->out < data->in;
    if (wvalid) require("data of a write are due", w_due, true);
    const struct pending *w = &data->item[data->out % RING];
    const struct burst *burst = &s->user[w->user].way[WRITE].ring[w->number % RING];
    check_data(p, WRITE, w->user, w->number, mem->w_beat, w_due, false, out);
    expect_if(w_due, out, "m wstrb", data_bytes(p), strobes(p, w->user, burst, mem->w_beat));
    expect_if(w_due, out, "m wlast", 1, mem->w_beat == burst->len);
    if (w_due && wires.wready) {
        moved = true;
        if (mem->w_beat++ == burst->len) mem->w_beat = 0, data->out++;
    }
    // Its response may be given when both have been taken.
    while (mem->writes.in < data->out && !(mem->aw_known && mem->writes.in + 1 == data->in))
        push(&mem->writes, data->item[mem->writes.in % RING]);

    const bool bready = take(out, "m bready", 1);
    if (wires.bvalid && bready) mem->b_shown = false, mem->writes.out++, moved = true;

    item = (struct pending){0, 0};
    struct queue *reads = &mem->reads;
    const bool r_taken = take(out, "m arvalid", 1) && wires.arready;
    (void)r_taken;
    const uint64_t addr = take(out, "m araddr", 32);
    const unsigned user = (unsigned)(addr >> 20 & 0xff);
    const bool exists = r_taken && user < ports(p[USERS]);
    struct way *way = &s->user[exists ? user : 0].way[READ];
    uint32_t number = way->seen[m];
    while (exists && number < way->asked && way->ring[number % RING].memory != (int)m)
        number++;
    const struct burst *b = &way->ring[number % RING];
    if (r_taken) require("a read is due here", exists && number < way->asked, true);
    if (exists) require("read address", addr, b->addr);
    expect_if(exists, out, "m arlen", 8, b->len);
    expect_if(exists, out, "m arsize", 3, b->size);
    expect_if(exists, out, "m arburst", 2, b->type);
    expect_if(exists, out, "m arlock", 1, 0);
    expect_if(exists, out, "m arattr", 11, b->attr);
    const uint32_t before = reads->in;
    if (exists) {
        way->seen[m] = number + 1;
        push(reads, (struct pending){user, number});
        moved = true;
    }
    const bool rready = take(out, "m rready", 1);
    if (wires.rvalid && rready && reads->out < before) {
        const struct pending *r = &reads->item[reads->out % RING];
        mem->r_shown = false;
        moved = true;
        if (mem->r_beat++ == s->user[r->user].way[READ].ring[r->number % RING].len)
            mem->r_beat = 0, reads->out++;
    }
    return moved;
}

static struct total *total_of(const int *p)
{
    unsigned i = 0;
    while (totals[i].p && memcmp(totals[i].p, p, PARAMETERS * sizeof *p) != 0)
        i++;
    if (!totals[i].p) {
        int *copy = malloc(PARAMETERS * sizeof *p);
        memcpy(copy, p, PARAMETERS * sizeof *p);
        totals[i].p = copy;
    }
    return &totals[i];
}

static void count(const int *p, const struct state *s, uint64_t bursts, uint64_t beats)
{
    struct total *total = total_of(p);
    total->bursts += total_bursts - bursts;
    total->beats += total_beats - beats;
    total->cycles++;
    if (bench_cycle() % period != period - 1) return;
    for (unsigned u = 0; u < ports(p[USERS]); u++)
        for (unsigned k = 0; k < KINDS; k++)
            total->stalls[k] += s->user[u].way[k].stalls;
}

static uint32_t ended_by_others(const struct state *s)
{
    uint32_t ended = 0;
    for (unsigned u = 1; u < MAX_PORTS; u++)
        ended += s->user[u].way[WRITE].ended + s->user[u].way[READ].ended;
    return ended;
}

// In the long form, says every two seconds how far it is.
static void progress(const char *end)
{
    static time_t said;
    const time_t time_now = time(NULL);
    if (!said) said = time_now;
    if (!*end && time_now - said < 2) return;
    said = time_now;
    printf("%llu bursts, %llu transfers, in %llu cycles of all networks, %.0f s of processor%s\n",
           (unsigned long long)total_bursts, (unsigned long long)total_beats,
           (unsigned long long)total_cycles, (double)clock() / CLOCKS_PER_SEC, end);
    fflush(stdout);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    bool moved = false, idle = true;
    const uint64_t bursts = total_bursts, beats = total_beats;
    for (unsigned u = 0; u < ports(p[USERS]); u++)
        moved |= check_user(p, s, u, in, out);
    for (unsigned m = 0; m < ports(p[MEMORIES]); m++)
        moved |= check_memory(p, s, m, in, out);
    for (unsigned u = 0; u < ports(p[USERS]); u++)
        for (unsigned k = 0; k < KINDS; k++)
            idle &= s->user[u].way[k].ended == s->user[u].way[k].made;
    s->quiet = moved || idle ? 0 : s->quiet + 1;
    count(p, s, bursts, beats);
    if (period != SHORT_PERIOD && ++total_cycles % 1024 == 0) progress("");
    const uint64_t cycle = bench_cycle() % period;
    if (cycle == period - 1) require("all bursts have ended", idle, true);
    if (bench_directed() && cycle == 800) s->others = ended_by_others(s);
    if (bench_directed() && cycle == period - DRAIN - 1 && ports(p[USERS]) > 1)
        require("users other than 0 went on", ended_by_others(s) > s->others + 20, true);
}

int main(void)
{
    const char *cycles = getenv("ANL_AXI_CYCLES");
    if (cycles) period = LONG_PERIOD;
    const struct bench_module module = {
        .name = "anl_axi_cube",
        .parameters =
            "K, N, Users, Memories, Depth, Stages, Bursts, MaxBeats, Room, Reorder, DataW",
        .state_bytes = sizeof(struct state),
        .cycles = cycles ? (uint32_t)strtoul(cycles, NULL, 10) / period * period : 2 * period,
        .drive = drive,
        .check = check,
        .directed = drive,
    };
    const int failed = bench_main(&module);
    for (const struct total *total = totals; cycles && total->p; total++) {
        printf("%d terminals of users, %d of memories, %d slots, %d bits of data: ",
               (int)ports(total->p[USERS]), (int)ports(total->p[MEMORIES]), total->p[REORDER],
               total->p[DATA_W]);
        printf(
            "%llu bursts, %llu transfers, %llu and %llu stalls of writes and reads, %llu cycles\n",
            (unsigned long long)total->bursts, (unsigned long long)total->beats,
            (unsigned long long)total->stalls[WRITE], (unsigned long long)total->stalls[READ],
            (unsigned long long)total->cycles);
    }
    if (cycles) progress(": the end");
    return failed;
}
