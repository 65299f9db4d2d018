// SPDX-License-Identifier: Apache-2.0
//
// The node of sliding diagonals against the tables of papers/bock/diagonals.md, at places and under
// commands that are drawn. Worms come at all registers, most of them whole, with destinations near
// by.

#include "bench.h"
#include "diagonals_commands.h"

enum { N, D, C, FLIT_W };
enum { MOST_D = 4, MOST_STAGES = MOST_D - 1, MOST_LINKS = 2 * MOST_D };
enum { NOWHERE = -1 };
// The sides of a stage, as ports of its first dimension.
enum { X_PLUS, X_MINUS, Y_PLUS, Y_MINUS };

struct input {
    bool valid;
    uint64_t flit;  // {head, tail, data}
    int latch;      // the way of its worm, or NOWHERE
    bool sends;     // the neighbour is inside a worm
};

struct place {
    bool slot, turn, top, fits, bottom;
};

struct state {
    struct input inputs[MOST_LINKS];
    struct place places[MOST_STAGES];
    unsigned at[MOST_D], command;
    bool odd, taken[MOST_STAGES], fault, terminal_sends;
    bool late;  // a start is missed at once, before anything else is wrong
};

static unsigned stages(const int *p) { return (unsigned)p[D] - 1; }
static unsigned links(const int *p) { return 2 * (unsigned)p[D]; }
static unsigned label_w(const int *p) { return index_width((unsigned)p[N]); }

static void reset(void *memory, const int *p)
{
    struct state *s = memory;
    for (unsigned d = 0; d < (unsigned)p[D]; d++)
        s->at[d] = (unsigned)random_below((uint64_t)p[N]);
    for (unsigned i = 0; i < stages(p); i++)
        s->places[i] = (struct place){chance(30), chance(50), chance(50), chance(80), chance(30)};
    for (unsigned i = 0; i < links(p); i++)
        s->inputs[i].latch = NOWHERE;
    s->late = chance(50);
}

static unsigned first_of(const struct state *s, const int *p, unsigned stage)
{
    return s->at[stage] - s->at[stage] % (unsigned)p[C];
}

static bool is_head(const struct input *input, const int *p)
{
    return input->flit >> (p[FLIT_W] + 1) & 1;
}

static bool is_tail(const struct input *input, const int *p)
{
    return input->flit >> p[FLIT_W] & 1;
}

static bool distributes(unsigned command) { return command <= DISTRIBUTE_END; }
static bool settles(unsigned command) { return command >= SEEK; }

// What a node sees of a step beside its own registers.
struct step {
    unsigned command;
    bool odd, late, stands_x[MOST_STAGES], stands_y[MOST_STAGES], ahead_y[MOST_STAGES];
    bool valid[MOST_LINKS + 1];
    uint64_t flits[MOST_LINKS + 1];  // of the links, and of the terminal
};

// Stages of one parity work in one half of the time.
static bool works(const struct step *step, unsigned stage) { return step->odd == (stage % 2 == 1); }

// --- what stands ---

struct standing {
    bool stops, waits;
};

static struct standing in_row(const struct state *s, const int *p, const struct step *step,
                              unsigned stage)
{
    const struct input *input = &s->inputs[2 * stage + X_PLUS];
    if (!input->valid || !works(step, stage)) return (struct standing){false, false};
    if (step->command == SEEK_WAIT) return (struct standing){true, false};
    if (!distributes(step->command)) return (struct standing){false, false};
    return (struct standing){s->places[stage].slot, !is_head(input, p)};
}

static struct standing in_column(const struct state *s, const struct step *step, unsigned stage)
{
    const bool may =
        s->inputs[2 * stage + Y_MINUS].valid && works(step, stage) && settles(step->command);
    return (struct standing){may && s->places[stage].bottom, may};
}

static bool stands(const int *p, const struct step *step, unsigned port)
{
    const unsigned dim = port / 2;
    if (port % 2 == 0) return dim < stages(p) && step->stands_x[dim];
    return dim > 0 && step->stands_y[dim - 1];
}

// --- inputs ---

static uint64_t coordinate(const struct state *s, const int *p, unsigned dim)
{
    if (chance(40)) return random_bits(label_w(p));
    if (dim == stages(p) || chance(50)) return s->at[dim];
    return first_of(s, p, dim) + random_below((uint64_t)p[C]);
}

static uint64_t next_flit(const struct state *s, const int *p, bool *sends)
{
    const unsigned w = label_w(p), width = (unsigned)p[FLIT_W], fields = w * (unsigned)p[D];
    const bool strange = chance(2), tail = chance(40), head = *sends ? strange : !strange;
    uint64_t data = width > fields ? random_bits(width - fields) << fields : 0;
    for (unsigned d = 0; d < (unsigned)p[D]; d++)
        data |= coordinate(s, p, d) << d * w;
    *sends = !tail;
    return (uint64_t)head << (width + 1) | (uint64_t)tail << width | data;
}

static void put_place(const struct state *s, const int *p, struct bits *in)
{
    for (unsigned d = 0; d < (unsigned)p[D]; d++)
        put(in, label_w(p), s->at[d]);
    for (unsigned i = 0; i < stages(p); i++)
        put(in, label_w(p), first_of(s, p, i));
    for (unsigned i = 0; i < stages(p); i++)
        put(in, 1, s->places[i].slot);
    for (unsigned i = 0; i < stages(p); i++)
        put(in, 1, s->places[i].turn);
    for (unsigned i = 0; i < stages(p); i++)
        put(in, 1, s->places[i].top);
    for (unsigned i = 0; i < stages(p); i++)
        put(in, 1, s->places[i].fits);
    for (unsigned i = 0; i < stages(p); i++)
        put(in, 1, s->places[i].bottom);
}

// What the torus says: a flit stands as the node says, where the one ahead of it does what it may.
static void stand(const struct state *s, const int *p, struct step *step)
{
    for (unsigned i = 0; i < stages(p); i++) {
        const struct standing row = in_row(s, p, step, i), column = in_column(s, step, i);
        step->stands_x[i] = row.stops || (row.waits && chance(40));
        step->ahead_y[i] = chance(40);
        step->stands_y[i] = column.stops || (column.waits && step->ahead_y[i]);
    }
}

static void put_stages(const int *p, struct bits *in, const bool *bits)
{
    for (unsigned i = 0; i < stages(p); i++)
        put(in, 1, bits[i]);
}

static void drive(void *memory, const int *p, struct bits *in)
{
    struct state *s = memory;
    const unsigned link_w = (unsigned)p[FLIT_W] + 2;
    if (chance(25)) s->command = (unsigned)random_below(COMMANDS);
    if (chance(15)) s->odd = !s->odd;
    struct step step = {.command = s->command, .odd = s->odd};
    stand(s, p, &step);
    put(in, 4, step.command);
    put(in, 1, step.odd);
    put_place(s, p, in);
    put_stages(p, in, step.stands_x);
    put_stages(p, in, step.stands_y);
    put_stages(p, in, step.ahead_y);
    for (unsigned i = 0; i < links(p); i++) {
        const bool sends = s->inputs[i].sends ? chance(97) : chance(mood(i));
        step.valid[i] = sends && (!stands(p, &step, i) || chance(3));
        put(in, 1, step.valid[i]);
    }
    for (unsigned i = 0; i < links(p); i++) {
        bool sends = s->inputs[i].sends;
        put(in, link_w, next_flit(s, p, &sends));
        if (step.valid[i]) s->inputs[i].sends = sends;
    }
    const bool injects = s->terminal_sends || (distributes(step.command) && chance(20));
    bool sends = s->terminal_sends;
    const uint64_t flit = next_flit(s, p, &sends);
    if (injects) s->terminal_sends = sends;
    put(in, 1, injects);
    put(in, link_w, flit);
    put(in, 1, s->late);
    s->late = chance(1);
}

// A flit that stands on +0 while another one comes, which alone raises the fault line.
static void drive_a_meeting(void *memory, const int *p, struct bits *in)
{
    const struct state *s = memory;
    const unsigned link_w = (unsigned)p[FLIT_W] + 2;
    put(in, 4, SEEK_WAIT);
    put(in, 1, 0);
    put_place(s, p, in);
    for (unsigned i = 0; i < 3 * stages(p); i++)
        put(in, 1, i == 0 && s->inputs[X_PLUS].valid);
    for (unsigned i = 0; i < links(p); i++)
        put(in, 1, i == X_PLUS && (bench_cycle() == 1 || bench_cycle() == 9));
    for (unsigned i = 0; i < links(p); i++)
        put(in, link_w, 3ull << (link_w - 2));
    put(in, 1, 0);
    put(in, link_w, 0);
    put(in, 1, 0);
}

// --- the rules ---

static int leaves(const int *p) { return (int)links(p); }

static bool is_open(const struct state *s, const struct step *step, unsigned stage)
{
    return !s->places[stage].top || (s->places[stage].fits && !step->ahead_y[stage]);
}

static bool another_climbs(const struct state *s, const int *p, unsigned stage)
{
    const struct input *input = &s->inputs[2 * stage + Y_PLUS];
    return input->valid && is_head(input, p);
}

static bool takes_turn_node(const struct state *s, const struct step *step, unsigned stage)
{
    return works(step, stage) && distributes(step->command) && s->places[stage].turn &&
           !s->taken[stage];
}

// Each of these returns the side of its stage to which a head goes, NOWHERE, or that it leaves.
enum { OUT = 4 };

static int from_x_plus(const struct state *s, const int *p, const struct step *step, unsigned stage)
{
    const uint64_t label = s->inputs[2 * stage + X_PLUS].flit;
    const uint64_t column = label >> stage * label_w(p) & ones(label_w(p));
    const bool in_block = column / (unsigned)p[C] == s->at[stage] / (unsigned)p[C];
    const bool barred = another_climbs(s, p, stage);
    switch (step->command) {
    case TURN_IN_BLOCK:
        return in_block && !barred ? Y_PLUS : X_PLUS;
    case TURN_ANYWHERE:
        return barred ? X_PLUS : Y_PLUS;
    case SEEK:
        if (column != s->at[stage] || barred || !is_open(s, step, stage)) return X_PLUS;
        return s->places[stage].top ? Y_MINUS : Y_PLUS;
    case BACK:
    case SEEK_BACK:
        return X_MINUS;
    case SEEK_WAIT:
        return NOWHERE;
    default:
        return X_PLUS;
    }
}

static int from_x_minus(const struct state *s, const struct step *step, unsigned stage)
{
    switch (step->command) {
    case DISTRIBUTE:
        return takes_turn_node(s, step, stage) ? X_PLUS : X_MINUS;
    case DISTRIBUTE_END:
        return takes_turn_node(s, step, stage) ? X_PLUS : OUT;
    case BACK:
    case SEEK_BACK:
        return X_MINUS;
    case FORTH:
    case SEEK_FORTH:
        return X_PLUS;
    default:
        return NOWHERE;
    }
}

static int from_y_plus(const struct state *s, const struct step *step, unsigned stage)
{
    const bool top = s->places[stage].top;
    if (settles(step->command) && top) return is_open(s, step, stage) ? Y_MINUS : OUT;
    if (settles(step->command)) return Y_PLUS;
    if (step->command == BACK) return X_MINUS;
    return step->command >= TURN_IN_BLOCK && step->command <= STRAIGHTEN ? Y_PLUS : NOWHERE;
}

static int in_stage(const struct state *s, const int *p, const struct step *step, unsigned stage,
                    unsigned side)
{
    switch (side) {
    case X_PLUS:
        return from_x_plus(s, p, step, stage);
    case X_MINUS:
        return from_x_minus(s, step, stage);
    case Y_PLUS:
        return from_y_plus(s, step, stage);
    default:
        return settles(step->command) ? Y_MINUS : NOWHERE;
    }
}

// Returns where a head goes for which no stage works: what is left in a row leaves in the step
// behind, and in the last column worms are delivered.
static int behind(const struct state *s, const int *p, const struct step *step, unsigned port)
{
    const unsigned last = links(p) - 1, dim = port / 2;
    if (!distributes(step->command)) return NOWHERE;
    if (port % 2 == 0) return dim < stages(p) ? leaves(p) : NOWHERE;
    if (port != last) return NOWHERE;
    const uint64_t row = s->inputs[port].flit >> dim * label_w(p) & ones(label_w(p));
    return row == s->at[dim] ? leaves(p) : (int)port;
}

// Returns where a flit that does not stand goes: a port, NOWHERE, or that it leaves.
static int way_of(const struct state *s, const int *p, const struct step *step, unsigned port)
{
    const unsigned dim = port / 2;
    if (!is_head(&s->inputs[port], p)) return s->inputs[port].latch;
    int ended = NOWHERE;
    for (unsigned back = 0; back < 2; back++) {  // it is x of stage dim, and y of stage dim - 1
        if (dim < back || dim - back >= stages(p) || !works(step, dim - back)) continue;
        const unsigned stage = dim - back;
        const int side = in_stage(s, p, step, stage, port % 2 + 2 * back);
        if (side != NOWHERE) return side == OUT ? leaves(p) : (int)(2 * stage) + side;
    }
    const bool is_x = dim < stages(p) && !works(step, dim);
    const bool is_last = dim == stages(p) && !works(step, dim - 1);
    if (is_x || is_last) ended = behind(s, p, step, port);
    return ended;
}

static void take_stages(const int *p, struct bits *in, const char *name, bool *bits)
{
    for (unsigned i = 0; i < stages(p); i++)
        bits[i] = take(in, name, 1);
}

static struct step see(const int *p, struct bits *in)
{
    const unsigned link_w = (unsigned)p[FLIT_W] + 2;
    struct step step;
    step.command = (unsigned)take(in, "command", 4);
    step.odd = take(in, "odd", 1);
    for (unsigned i = 0; i < (unsigned)p[D] + stages(p); i++)
        take(in, "here and first", label_w(p));
    take(in, "place", 5 * stages(p));
    take_stages(p, in, "stands_x", step.stands_x);
    take_stages(p, in, "stands_y", step.stands_y);
    take_stages(p, in, "ahead_y", step.ahead_y);
    const unsigned terminal = links(p);
    for (unsigned i = 0; i < terminal; i++)
        step.valid[i] = take(in, "valid", 1);
    for (unsigned i = 0; i < terminal; i++)
        step.flits[i] = take(in, "flit", link_w);
    step.valid[terminal] = take(in, "inj_valid", 1);
    step.flits[terminal] = take(in, "inj_flit", link_w);
    step.late = take(in, "late", 1);
    return step;
}

// What the rules say of a step. Masks are by register or link.
struct verdict {
    int ways[MOST_LINKS];
    unsigned stands, astray, broken, meets, collision, sent;
    uint64_t flits[MOST_LINKS];
};

static void send(struct verdict *v, int way, uint64_t flit)
{
    v->collision |= v->sent & 1u << way;
    v->sent |= 1u << way;
    v->flits[way] = flit;
}

static struct verdict judge(const struct state *s, const int *p, const struct step *step)
{
    struct verdict v = {0};
    if (step->valid[links(p)]) send(&v, X_MINUS, step->flits[links(p)]);
    for (unsigned i = 0; i < links(p); i++) {
        const struct input *input = &s->inputs[i];
        const bool holds = stands(p, step, i), goes = input->valid && !holds;
        v.ways[i] = goes ? way_of(s, p, step, i) : NOWHERE;
        v.stands |= (unsigned)holds << i;
        v.meets |= (unsigned)(holds && step->valid[i]) << i;
        v.astray |= (unsigned)(goes && v.ways[i] == NOWHERE) << i;
        v.broken |= (unsigned)(input->latch != NOWHERE && (!input->valid || is_head(input, p)))
                    << i;
        if (v.ways[i] >= 0 && v.ways[i] < leaves(p)) send(&v, v.ways[i], input->flit);
    }
    return v;
}

static void advance(struct state *s, const int *p, const struct step *step, const struct verdict *v)
{
    for (unsigned i = 0; i < stages(p); i++) {
        const struct input *minus = &s->inputs[2 * i + X_MINUS];
        const bool takes = minus->valid && is_head(minus, p) && takes_turn_node(s, step, i);
        s->taken[i] = works(step, i) && distributes(step->command) && (s->taken[i] || takes);
    }
    s->fault |= step->late || v->astray || v->broken || v->meets || v->collision;
    for (unsigned i = 0; i < links(p); i++) {
        struct input *input = &s->inputs[i];
        if (v->stands >> i & 1) continue;
        input->latch = is_tail(input, p) ? NOWHERE : v->ways[i];
        input->valid = step->valid[i];
        input->flit = step->flits[i];
    }
}

static void check_standing(const struct state *s, const int *p, const struct step *step,
                           struct bits *out)
{
    for (unsigned i = 0; i < stages(p); i++)
        expect(out, "stops_x", 1, in_row(s, p, step, i).stops);
    for (unsigned i = 0; i < stages(p); i++) {
        const struct standing row = in_row(s, p, step, i);
        expect_if(!row.stops, out, "waits_x", 1, row.waits);
    }
    for (unsigned i = 0; i < stages(p); i++)
        expect(out, "stops_y", 1, in_column(s, step, i).stops);
    for (unsigned i = 0; i < stages(p); i++) {
        const struct standing column = in_column(s, step, i);
        expect_if(!column.stops, out, "waits_y", 1, column.waits);
    }
}

static void check_exits(const struct state *s, const int *p, const struct verdict *v,
                        struct bits *out)
{
    bool failed = false;
    for (unsigned i = 0; i < links(p); i++)
        expect(out, "exit_valid", 1, v->ways[i] == leaves(p));
    for (unsigned i = 0; i < links(p); i++) {
        const bool exits = v->ways[i] == leaves(p);
        expect_if(exits, out, "exit_flit", (unsigned)p[FLIT_W] + 2, s->inputs[i].flit);
        failed |= exits && i + 1 != links(p);
    }
    expect(out, "failed", 1, failed);
}

static void check(void *memory, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = memory;
    const unsigned link_w = (unsigned)p[FLIT_W] + 2, all = links(p);
    const struct step step = see(p, in);
    const struct verdict v = judge(s, p, &step);
    check_standing(s, p, &step, out);
    expect(out, "valid", all, v.sent);
    for (unsigned o = 0; o < all; o++)
        expect_if(v.sent & ~v.collision & 1u << o, out, "flit", link_w, v.flits[o]);
    check_exits(s, p, &v, out);
    for (unsigned i = 0; i < all; i++)
        expect(out, "latch", all + 1, s->inputs[i].latch == NOWHERE ? 0 : 1u << s->inputs[i].latch);
    for (unsigned i = 0; i < stages(p); i++)
        expect(out, "taken", 1, s->taken[i]);
    expect(out, "astray", all, v.astray);
    expect(out, "broken", all, v.broken);
    expect(out, "meets", all, v.meets);
    expect(out, "collision", all, v.collision);
    expect(out, "fault", 1, s->fault);
    advance(s, p, &step, &v);
}

static const struct bench_module module = {
    .name = "anl_diagonals",
    .parameters = "N, D, C, FlitW",
    .state_bytes = sizeof(struct state),
    .cycles = 4000,
    .reset = reset,
    .drive = drive,
    .directed = drive_a_meeting,
    .check = check,
};

int main(void) { return bench_main(&module); }
