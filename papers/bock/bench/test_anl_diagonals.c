// SPDX-License-Identifier: Apache-2.0
//
// The node of sliding diagonals against the tables of papers/bock/diagonals.md, at places and under
// commands that are drawn. Worms come at all registers, most of them whole, with destinations near
// by.

#include "bench.h"
#include "diagonals_commands.h"

enum { N, C, FLIT_W, SLOT, BOTTOM };
enum { X_PLUS, X_MINUS, Y_PLUS, Y_MINUS, LINKS, EXIT = LINKS, WAYS };
enum { NOWHERE = -1 };

struct input {
    bool valid;
    uint64_t flit;  // {head, tail, data}
    int latch;      // the way of its worm, or NOWHERE
    bool sends;     // the neighbour is inside a worm
};

struct state {
    struct input inputs[LINKS];
    unsigned x, y, command;
    bool turn, top, fits, taken, fault, terminal_sends;
};

static void reset(void *place, const int *p)
{
    struct state *s = place;
    s->x = (unsigned)random_below((uint64_t)p[N]);
    s->y = (unsigned)random_below((uint64_t)p[N]);
    s->turn = chance(50);
    s->top = chance(50);
    s->fits = chance(80);
    for (unsigned i = 0; i < LINKS; i++)
        s->inputs[i].latch = NOWHERE;
}

static unsigned label_w(const int *p) { return index_width((unsigned)p[N]); }

static unsigned first_of(const struct state *s, const int *p)
{
    return s->x - s->x % (unsigned)p[C];
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
static bool settles(unsigned command) { return command >= SEEK && command <= SEEK_WAIT; }

// What a node sees of a step beside its own registers.
struct step {
    unsigned command;
    bool ahead_x, ahead_y, late, valid[LINKS + 1];
    uint64_t flits[LINKS + 1];  // of the links, and of the terminal
};

static bool stands(const struct state *s, const int *p, const struct step *step, unsigned i)
{
    const struct input *input = &s->inputs[i];
    if (!input->valid) return false;
    if (i == Y_MINUS) return settles(step->command) && (p[BOTTOM] || step->ahead_y);
    if (i != X_PLUS) return false;
    if (distributes(step->command)) return p[SLOT] || (!is_head(input, p) && step->ahead_x);
    return step->command == SEEK_WAIT;
}

// --- inputs ---

static uint64_t next_flit(const struct state *s, const int *p, bool *sends)
{
    const unsigned w = label_w(p), width = (unsigned)p[FLIT_W];
    const bool strange = chance(2), tail = chance(40), head = *sends ? strange : !strange;
    uint64_t column = random_bits(w), row = chance(50) ? s->y : random_bits(w);
    if (chance(60)) column = chance(50) ? s->x : first_of(s, p) + random_below((uint64_t)p[C]);
    const uint64_t rest = random_bits(width) >> 2 * w << 2 * w;
    *sends = !tail;
    return (uint64_t)head << (width + 1) | (uint64_t)tail << width | rest | row << w | column;
}

static void drive(void *place, const int *p, struct bits *in)
{
    struct state *s = place;
    const unsigned link_w = (unsigned)p[FLIT_W] + 2;
    if (chance(25)) s->command = (unsigned)random_below(COMMANDS);
    struct step step = {.command = s->command, .ahead_x = chance(40), .ahead_y = chance(40)};
    put(in, 4, step.command);
    put(in, label_w(p), s->x);
    put(in, label_w(p), s->y);
    put(in, label_w(p), first_of(s, p));
    put(in, 1, s->turn);
    put(in, 1, s->top);
    put(in, 1, s->fits);
    put(in, 1, step.ahead_x);
    put(in, 1, step.ahead_y);
    for (unsigned i = 0; i < LINKS; i++) {
        const bool sends = s->inputs[i].sends ? chance(97) : chance(mood(i));
        step.valid[i] = sends && (!stands(s, p, &step, i) || chance(3));
    }
    for (unsigned i = 0; i < LINKS; i++)
        put(in, 1, step.valid[i]);
    for (unsigned i = 0; i < LINKS; i++) {
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
    put(in, 1, bench_cycle() > 1500 && chance(1));
}

// --- the rules ---

static bool is_open(const struct state *s, const struct step *step)
{
    return !s->top || (s->fits && !step->ahead_y);
}

static bool another_climbs(const struct state *s, const int *p)
{
    return s->inputs[Y_PLUS].valid && is_head(&s->inputs[Y_PLUS], p);
}

static bool takes_turn_node(const struct state *s, const struct step *step)
{
    return distributes(step->command) && s->turn && !s->taken;
}

static int from_x_plus(const struct state *s, const int *p, const struct step *step)
{
    const uint64_t column = s->inputs[X_PLUS].flit & ones(label_w(p));
    const bool in_block = column / (unsigned)p[C] == s->x / (unsigned)p[C];
    switch (step->command) {
    case TURN_IN_BLOCK:
        return in_block && !another_climbs(s, p) ? Y_PLUS : X_PLUS;
    case TURN_ANYWHERE:
        return another_climbs(s, p) ? X_PLUS : Y_PLUS;
    case SEEK:
        if (column != s->x || another_climbs(s, p) || !is_open(s, step)) return X_PLUS;
        return s->top ? Y_MINUS : Y_PLUS;
    case BACK:
    case SEEK_BACK:
        return X_MINUS;
    case SEEK_WAIT:
        return NOWHERE;
    case DELIVER:
        return EXIT;
    default:
        return X_PLUS;
    }
}

static int from_x_minus(const struct state *s, const struct step *step)
{
    switch (step->command) {
    case DISTRIBUTE:
        return takes_turn_node(s, step) ? X_PLUS : X_MINUS;
    case DISTRIBUTE_END:
        return takes_turn_node(s, step) ? X_PLUS : EXIT;
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

static int from_y_plus(const struct state *s, const struct step *step)
{
    if (settles(step->command) && s->top) return is_open(s, step) ? Y_MINUS : EXIT;
    if (settles(step->command)) return Y_PLUS;
    if (step->command == BACK) return X_MINUS;
    return step->command >= TURN_IN_BLOCK && step->command <= STRAIGHTEN ? Y_PLUS : NOWHERE;
}

static int from_y_minus(const struct state *s, const int *p, const struct step *step)
{
    const uint64_t row = s->inputs[Y_MINUS].flit >> label_w(p) & ones(label_w(p));
    if (settles(step->command)) return Y_MINUS;
    if (step->command != DELIVER) return NOWHERE;
    return row == s->y ? EXIT : Y_MINUS;
}

// Returns where a flit that does not stand goes.
static int way_of(const struct state *s, const int *p, const struct step *step, unsigned i)
{
    if (!is_head(&s->inputs[i], p)) return s->inputs[i].latch;
    if (i == X_PLUS) return from_x_plus(s, p, step);
    if (i == X_MINUS) return from_x_minus(s, step);
    return i == Y_PLUS ? from_y_plus(s, step) : from_y_minus(s, p, step);
}

static struct step see(const int *p, struct bits *in)
{
    const unsigned link_w = (unsigned)p[FLIT_W] + 2;
    struct step step;
    step.command = (unsigned)take(in, "command", 4);
    take(in, "here", 2 * label_w(p));
    take(in, "first", label_w(p));
    take(in, "place", 3);
    step.ahead_x = take(in, "ahead_x", 1);
    step.ahead_y = take(in, "ahead_y", 1);
    for (unsigned i = 0; i < LINKS; i++)
        step.valid[i] = take(in, "valid", 1);
    for (unsigned i = 0; i < LINKS; i++)
        step.flits[i] = take(in, "flit", link_w);
    step.valid[LINKS] = take(in, "inj_valid", 1);
    step.flits[LINKS] = take(in, "inj_flit", link_w);
    step.late = take(in, "late", 1);
    return step;
}

// What the rules say of a step. Masks are by register or link.
struct verdict {
    int ways[LINKS];
    unsigned stands, astray, broken, meets, collision, sent;
    uint64_t flits[WAYS];
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
    if (step->valid[LINKS]) send(&v, X_MINUS, step->flits[LINKS]);
    for (unsigned i = 0; i < LINKS; i++) {
        const struct input *input = &s->inputs[i];
        const bool holds = stands(s, p, step, i), goes = input->valid && !holds;
        v.ways[i] = goes ? way_of(s, p, step, i) : NOWHERE;
        v.stands |= (unsigned)holds << i;
        v.meets |= (unsigned)(holds && step->valid[i]) << i;
        v.astray |= (unsigned)(goes && v.ways[i] == NOWHERE) << i;
        v.broken |= (unsigned)(input->latch != NOWHERE && (!input->valid || is_head(input, p)))
                    << i;
        if (v.ways[i] >= 0 && v.ways[i] < LINKS) send(&v, v.ways[i], input->flit);
    }
    return v;
}

static void advance(struct state *s, const int *p, const struct step *step, const struct verdict *v)
{
    const struct input *minus = &s->inputs[X_MINUS];
    const bool takes = minus->valid && is_head(minus, p) && takes_turn_node(s, step);
    s->taken = step->command != DELIVER && (s->taken || takes);
    s->fault |= step->late || v->astray || v->broken || v->meets || v->collision;
    for (unsigned i = 0; i < LINKS; i++) {
        struct input *input = &s->inputs[i];
        if (v->stands >> i & 1) continue;
        input->latch = is_tail(input, p) ? NOWHERE : v->ways[i];
        input->valid = step->valid[i];
        input->flit = step->flits[i];
    }
}

static void check_exits(const struct state *s, const int *p, const struct verdict *v,
                        struct bits *out)
{
    bool failed = false;
    for (unsigned i = 0; i < LINKS; i++)
        expect(out, "exit_valid", 1, v->ways[i] == EXIT);
    for (unsigned i = 0; i < LINKS; i++) {
        if (v->ways[i] == EXIT)
            expect(out, "exit_flit", (unsigned)p[FLIT_W] + 2, s->inputs[i].flit);
        else
            ignore(out, "exit_flit", (unsigned)p[FLIT_W] + 2);
        failed |= v->ways[i] == EXIT && i != Y_MINUS;
    }
    expect(out, "failed", 1, failed);
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place;
    const unsigned link_w = (unsigned)p[FLIT_W] + 2;
    const struct step step = see(p, in);
    const struct verdict v = judge(s, p, &step);
    expect(out, "stands_x", 1, v.stands >> X_PLUS & 1);
    expect(out, "stands_y", 1, v.stands >> Y_MINUS & 1);
    expect(out, "valid", LINKS, v.sent);
    for (unsigned o = 0; o < LINKS; o++) {
        if (v.sent & ~v.collision & 1u << o)
            expect(out, "flit", link_w, v.flits[o]);
        else
            ignore(out, "flit", link_w);
    }
    check_exits(s, p, &v, out);
    for (unsigned i = 0; i < LINKS; i++)
        expect(out, "latch", WAYS, s->inputs[i].latch == NOWHERE ? 0 : 1u << s->inputs[i].latch);
    expect(out, "taken", 1, s->taken);
    expect(out, "astray", LINKS, v.astray);
    expect(out, "broken", LINKS, v.broken);
    expect(out, "meets", LINKS, v.meets);
    expect(out, "collision", LINKS, v.collision);
    expect(out, "fault", 1, s->fault);
    advance(s, p, &step, &v);
}

static const struct bench_module module = {
    .name = "anl_diagonals",
    .parameters = "N, C, FlitW, Slot, Bottom",
    .state_bytes = sizeof(struct state),
    .cycles = 4000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
