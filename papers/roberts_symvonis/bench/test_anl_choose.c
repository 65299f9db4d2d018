// SPDX-License-Identifier: Apache-2.0
//
// The choosing cells of a supernode against the tables of papers/roberts_symvonis/supernodes.md,
// for the cells of the upper left; those of the lower right are the same turned by 180 degrees:
// port p becomes p ^ 1, and row and column r become 16 - r and 8 - r.

#include "bench.h"

enum { SLOT_W, RIGHT, TIMES = 17, PORTS = 5, NONE = PORTS, EAST = 0, WEST, SOUTH, NORTH };
enum { BIRTH, CONSUME, REVIEW, BALANCE, EXTRACT, QUEUE, BEFORE, FIRST, CENTRE, SECOND };
enum { LEAVE = 10, PASS, OUT, WAIT, BACK, TURN_OUT, TURN_BACK };

// What a clock says now: one stage or cycle, and at most one event that can be in it.
struct now {
    int stage, event;
};

static void drive(void *place, const int *p, struct bits *in)
{
    const int stage = (int)random_below(6), event = 6 + (int)random_below(14);
    const bool step = stage >= REVIEW;
    const bool fits = step && event < TIMES && (event < LEAVE || stage == EXTRACT);
    const unsigned command = (unsigned)random_below(3);
    (void)place;
    put(in, TIMES, (uint64_t)1 << stage | (fits ? (uint64_t)1 << event : 0));
    put(in, (unsigned)p[SLOT_W], random_below(4));
    put(in, (unsigned)p[SLOT_W], random_below(4));
    put(in, 1, command == 1);
    put(in, 1, command == 2);
    put(in, 1, random_bits(1));
    put(in, 4, 3 + random_below(3));
    put(in, 4, 2 + random_below(12));
    for (int corner = 0; corner < 4; corner++)
        put(in, 4, random_bits(4));
}

// Expects a way for each port of a cell of the upper left: a port, NONE, or -1 if it does not
// choose.
static void expect_cell(struct bits *out, const int *p, const char *name, const int ways[PORTS])
{
    const int turned = p[RIGHT];
    uint64_t chosen = 0;
    for (int port = 0; port < PORTS; port++)
        chosen |= (uint64_t)(ways[port == 4 ? 4 : port ^ turned] >= 0) << port;
    expect(out, name, PORTS, chosen);
    for (int port = 0; port < PORTS; port++) {
        const int way = ways[port == 4 ? 4 : port ^ turned];
        if (way < 0)
            ignore(out, name, PORTS);
        else
            expect(out, name, PORTS,
                   way == NONE ? 0 : (uint64_t)1 << (way == 4 ? 4 : way ^ turned));
    }
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    (void)place;
    const uint64_t times = take(in, "times", TIMES);
    const uint64_t slot = take(in, "slot", (unsigned)p[SLOT_W]);
    const uint64_t gap = take(in, "gap", (unsigned)p[SLOT_W]);
    bool west = take(in, "west", 1), east = take(in, "east", 1);
    const bool exchange = take(in, "exchange", 1);
    int column = (int)take(in, "column", 4), row = (int)take(in, "row", 4);
    const uint64_t left = take(in, "left", 4), top = take(in, "top", 4);
    const uint64_t right = take(in, "right", 4), bottom = take(in, "bottom", 4);
    const bool inside = (uint64_t)row >= top && (uint64_t)row <= bottom &&
                        (uint64_t)column >= left && (uint64_t)column <= right;
#define AT(event) (1 & times >> (event))
    const bool step = AT(REVIEW) || AT(BALANCE) || AT(EXTRACT) || AT(QUEUE), consumes = AT(CONSUME);
    if (p[RIGHT]) {
        const bool was = west;
        west = east;
        east = was;
        row = 16 - row;
        column = 8 - column;
    }

    int entry[PORTS] = {-1, -1, -1, -1, -1};
    if (step) entry[EAST] = AT(EXTRACT) && AT(CENTRE) ? SOUTH : WEST;
    if (step) entry[SOUTH] = WEST;
    if (AT(LEAVE)) entry[NORTH] = SOUTH;
    if (AT(QUEUE) && AT(BEFORE) && slot + 1 == gap) entry[NORTH] = EAST;
    expect_cell(out, p, "entry", entry);

    const int command = west ? WEST : east ? EAST : NONE;
    int processor[PORTS] = {-1, -1, -1, -1, -1};
    if (step) {
        processor[EAST] = processor[WEST] = AT(PASS) ? NORTH : SOUTH;
        processor[NORTH] = processor[SOUTH] = NONE;
        if (AT(TURN_OUT)) processor[NORTH] = WEST;
        if (AT(WAIT)) processor[NORTH] = SOUTH;
        if (AT(FIRST)) processor[NORTH] = command == NONE ? SOUTH : command;
        if (AT(TURN_BACK)) processor[SOUTH] = WEST;
        if (AT(SECOND)) processor[SOUTH] = command == NONE ? NORTH : command;
    }
    expect_cell(out, p, "processor", processor);

    const bool returns = AT(BACK) || (AT(BALANCE) && AT(CENTRE) && exchange);
    const int centre[PORTS] = {returns ? EAST : -1, returns ? WEST : -1, returns ? SOUTH : -1,
                               returns ? NORTH : -1, -1};
    expect_cell(out, p, "centre", centre);

    int arm[PORTS] = {-1, -1, -1, -1, -1};
    if (step) {
        arm[NORTH] = AT(PASS) ? WEST : NORTH;
        arm[SOUTH] = AT(PASS) ? WEST : SOUTH;
        arm[WEST] = AT(TURN_OUT) ? SOUTH : AT(WAIT) ? EAST : NONE;
        arm[EAST] = AT(TURN_BACK) ? SOUTH : NONE;
    }
    expect_cell(out, p, "arm", arm);

    // Turned, the centre itself belongs to the upper half.
    const bool own = column == 4 && row >= 4 && (p[RIGHT] ? row < 8 : row <= 8);
    int start[PORTS] = {-1, -1, -1, -1, -1};
    if (step) start[NORTH] = SOUTH;
    if (AT(OUT)) start[SOUTH] = NORTH;
    if (consumes) start[EAST] = !own ? WEST : row == 4 ? NORTH : SOUTH;
    expect_cell(out, p, "start", start);

    const bool turns = consumes && inside;
    expect(out, "box", PORTS, turns ? 6 : 0);
    for (int port = 0; port < PORTS; port++)
        if (turns && (port == 1 || port == 2))
            expect(out, "box", PORTS, 1);
        else
            ignore(out, "box", PORTS);
}

static const struct bench_module module = {
    .name = "anl_choose",
    .parameters = "SlotW, Right",
    .state_bytes = 1,
    .cycles = 20000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
