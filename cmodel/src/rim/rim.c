// SPDX-License-Identifier: Apache-2.0
//
// The rim of a network. The engine has all switches and no terminals (anl_engine_create_inside());
// here are the messages of its one peer, in the name of which the caller's terminals send, and the
// data of the flits, which an engine does not have.
//
// What the switches drive is what they have decided, as many cycles later as they have stages more
// than one. A credit of a chained link is the sender's from the start of its cycle on, any other
// one from the end.

#include <annelid/rim.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

// A flit in the network, or a free one. The flits of a worm are a list.
struct cell {
    uint32_t next;
};

// A worm in the network, or a free one. Its number is the id of the worm for the engine.
struct passing {
    struct anl_worm worm;
    uint32_t first, last;  // of its flits that are in the network; NONE, NONE: none is now
    uint32_t entered;      // flits that have come
    uint32_t next;         // free one
};

// What is known of a lane of an injection or an ejection link.
struct rim_lane {
    uint32_t worm;  // that is entering or leaving; NONE: none
    uint32_t room;  // injection: credits of the sender; ejection: flits at the terminal
};

struct anl_rim {
    struct anl_config config;
    struct anl_network *network;
    struct anl_engine *engine;
    uint64_t seed;
    uint32_t terminals, lines, vcs, depth, words, num_cells;
    uint32_t longest;                       // ports in the list of a head: routing source; else 0
    struct rim_lane *injection, *ejection;  // [terminals * vcs]
    struct ending {
        uint32_t link, terminal;
    } * endings;     // [terminals] the ejection links, ascending
    uint32_t *rank;  // [terminals] place of the ejection link of a terminal among them
    struct cell *cells;
    uint32_t *data;         // [num_cells * words]
    struct passing *worms;  // [num_cells]
    uint8_t *routes;        // [num_cells * longest] of the worms
    uint32_t free_cell, free_worm;
    struct anl_border *told;  // the message of the terminals
    struct ended {
        struct anl_crossing tail;
        uint16_t length;
    } * tails;  // [terminals * lines] ends, in this cycle, of worms of unknown length
    uint32_t num_tails;
    bool decided;  // the engine has decided this cycle, and has not moved
    // What is decided in a cycle is at cycle % stages.
    uint32_t stages;
    struct anl_rim_line *out;  // [stages * terminals * lines]
    uint32_t *credits;         // [stages * terminals]
};

// ---------------------------------------------------------------- bits of flits

static uint64_t field(const uint32_t *flit, uint32_t at, uint32_t width)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < width; i++)
        value |= (uint64_t)(flit[(at + i) / 32] >> (at + i) % 32 & 1) << i;
    return value;
}

static bool is_head(const struct anl_rim *rim, const uint32_t *flit)
{
    return field(flit, rim->config.flit_width_bits + 1, 1) != 0;
}

static bool is_tail(const struct anl_rim *rim, const uint32_t *flit)
{
    return field(flit, rim->config.flit_width_bits, 1) != 0;
}

static int by_link(const void *a, const void *b)
{
    const uint32_t x = ((const struct ending *)a)->link, y = ((const struct ending *)b)->link;
    return (x > y) - (x < y);
}

// ---------------------------------------------------------------- creation

static const char *refuse(const struct anl_config *config)
{
    if (config->kind != ANL_BUFFERED) return "its switches are of another kind than buffered";
    if (config->credits == ANL_BYPASS && config->link == ANL_WIDE)
        return "credits of chained wide links pass the network within a cycle";
    return NULL;
}

// Orders the ejection links by their numbers.
static void order(struct anl_rim *rim)
{
    struct ending *list = rim->endings;
    for (uint32_t t = 0; t < rim->terminals; t++)
        list[t] = (struct ending){anl_ejection_link(&rim->config, t), t};
    qsort(list, rim->terminals, sizeof *list, by_link);
    for (uint32_t place = 0; place < rim->terminals; place++)
        rim->rank[list[place].terminal] = place;
}

static bool allocate(struct anl_rim *rim, const struct anl_shape *shape)
{
    const size_t lanes = (size_t)rim->terminals * rim->vcs;
    const size_t lines = (size_t)rim->terminals * rim->lines;
    rim->num_cells = shape->links * rim->vcs * rim->depth + (uint32_t)lines;
    if (rim->config.routing == ANL_SOURCE) rim->longest = rim->config.graph->longest_route;
    rim->words = (rim->config.flit_width_bits + 2 + 31) / 32;
    rim->injection = calloc(lanes, sizeof *rim->injection);
    rim->ejection = calloc(lanes, sizeof *rim->ejection);
    rim->rank = calloc(rim->terminals, sizeof *rim->rank);
    rim->endings = calloc(rim->terminals, sizeof *rim->endings);
    rim->cells = calloc(rim->num_cells, sizeof *rim->cells);
    rim->data = calloc((size_t)rim->num_cells * rim->words, sizeof *rim->data);
    rim->worms = calloc(rim->num_cells, sizeof *rim->worms);
    rim->routes = malloc((size_t)rim->num_cells * rim->longest + 1);
    rim->tails = calloc(lines, sizeof *rim->tails);
    rim->out = calloc(rim->stages * lines, sizeof *rim->out);
    rim->credits = calloc((size_t)rim->stages * rim->terminals, sizeof *rim->credits);
    rim->told = malloc(sizeof *rim->told + lines * sizeof(struct anl_worm) +
                       (lines + lanes) * sizeof(struct anl_crossing));
    return rim->injection && rim->ejection && rim->rank && rim->endings && rim->cells &&
           rim->data && rim->worms && rim->routes && rim->tails && rim->out && rim->credits &&
           rim->told;
}

static enum anl_status make_engine(struct anl_rim *rim, const struct anl_shape *shape,
                                   struct anl_error *error)
{
    uint32_t *const of_switch = calloc(shape->switches, sizeof *of_switch);
    uint32_t *const of_terminal = malloc(shape->terminals * sizeof *of_terminal);
    enum anl_status status = of_switch && of_terminal ? ANL_OK : ANL_ERR_MEMORY;
    if (status) anl_fail(error, status, "", 0, "%s", anl_status_text(status));
    for (uint32_t t = 0; !status && t < shape->terminals; t++)
        of_terminal[t] = 1;
    const struct anl_parts parts = {.of_switch = of_switch, .of_terminal = of_terminal};
    if (!status) status = anl_engine_create_inside(rim->network, &parts, 0, &rim->engine, error);
    free(of_switch);
    free(of_terminal);
    return status;
}

static enum anl_status make(struct anl_rim *rim, struct anl_error *error)
{
    const struct anl_shape shape = anl_shape_of(&rim->config);
    rim->terminals = shape.terminals;
    rim->lines = anl_link_flits(&rim->config);
    rim->vcs = rim->config.num_vcs;
    rim->depth = rim->config.depth;
    rim->stages = anl_stages(&rim->config);
    enum anl_status status = anl_network_create(&rim->config, &rim->network);
    if (!status && !allocate(rim, &shape)) status = ANL_ERR_MEMORY;
    if (status) return anl_fail(error, status, "", 0, "%s", anl_status_text(status));
    order(rim);
    return make_engine(rim, &shape, error);
}

enum anl_status anl_rim_create(const struct anl_scenario *scenario, struct anl_rim **rim,
                               struct anl_error *error)
{
    *rim = NULL;
    const char *why = refuse(&scenario->network);
    if (why)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "the network cannot have its terminals outside: %s", why);
    struct anl_rim *made = calloc(1, sizeof *made);
    if (!made) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "out of memory");
    made->config = scenario->network;
    made->config.reply_queue = 0;  // which is a matter of terminals
    made->seed = scenario->run.seed;
    const enum anl_status status = make(made, error);
    if (status) {
        anl_rim_destroy(made);
        return status;
    }
    anl_rim_reset(made);
    *rim = made;
    return ANL_OK;
}

void anl_rim_destroy(struct anl_rim *rim)
{
    if (!rim) return;
    anl_engine_destroy(rim->engine);
    anl_network_destroy(rim->network);
    void *const owned[] = {rim->injection, rim->ejection, rim->rank,    rim->endings,
                           rim->cells,     rim->data,     rim->worms,   rim->routes,
                           rim->tails,     rim->out,      rim->credits, rim->told};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    free(rim);
}

uint32_t anl_rim_terminals(const struct anl_rim *rim) { return rim->terminals; }
uint32_t anl_rim_lines(const struct anl_rim *rim) { return rim->lines; }
const struct anl_config *anl_rim_config(const struct anl_rim *rim) { return &rim->config; }
const struct anl_engine *anl_rim_engine(const struct anl_rim *rim) { return rim->engine; }

// Return what is decided in this cycle, and what shows in it: what was decided stages - 1 cycles
// ago.
static struct anl_rim_line *decided_lines(const struct anl_rim *rim)
{
    const uint64_t place = anl_engine_cycle(rim->engine) % rim->stages;
    return &rim->out[place * rim->terminals * rim->lines];
}

static uint32_t *decided_credits(const struct anl_rim *rim)
{
    return &rim->credits[anl_engine_cycle(rim->engine) % rim->stages * rim->terminals];
}

const struct anl_rim_line *anl_rim_flit(const struct anl_rim *rim, uint32_t line)
{
    const uint64_t place = (anl_engine_cycle(rim->engine) + 1) % rim->stages;
    return &rim->out[place * rim->terminals * rim->lines + line];
}

uint32_t anl_rim_credits(const struct anl_rim *rim, uint32_t terminal)
{
    const uint64_t place = (anl_engine_cycle(rim->engine) + 1) % rim->stages;
    return rim->credits[place * rim->terminals + terminal];
}

// ---------------------------------------------------------------- flits in the network

// There is a cell for each place of the network, and for each flit that crosses an ejection link,
// so there is always a free one; and a worm in the network has a flit there, or is entering.
static void store(struct anl_rim *rim, struct passing *worm, const uint32_t *flit)
{
    const uint32_t cell = rim->free_cell;
    rim->free_cell = rim->cells[cell].next;
    rim->cells[cell].next = NONE;
    memcpy(rim->data + (size_t)cell * rim->words, flit, rim->words * sizeof *flit);
    if (worm->first == NONE)
        worm->first = cell;
    else
        rim->cells[worm->last].next = cell;
    worm->last = cell;
    worm->entered++;
}

// Takes the flit of a worm that leaves the network.
static void fetch(struct anl_rim *rim, struct passing *worm, uint32_t *flit)
{
    const uint32_t cell = worm->first;
    memcpy(flit, rim->data + (size_t)cell * rim->words, rim->words * sizeof *flit);
    worm->first = rim->cells[cell].next;
    rim->cells[cell].next = rim->free_cell;
    rim->free_cell = cell;
}

// ---------------------------------------------------------------- what the network drives

// Takes the ports of the switches that a worm has passed off the list in its head.
static void take_ports(const struct anl_rim *rim, const struct anl_worm *worm, uint32_t *flit)
{
    const uint32_t bits = rim->longest ? anl_source_port_bits(&rim->config) : 0;
    const uint32_t at = anl_head_bits(&rim->config) - rim->longest * bits;
    const uint32_t end = at + rim->longest * bits, taken = worm->route_length * bits;
    for (uint32_t i = at; i < end; i++) {
        const uint32_t bit = i + taken < end ? (uint32_t)field(flit, i + taken, 1) : 0;
        flit[i / 32] = (flit[i / 32] & ~(1u << i % 32)) | bit << i % 32;
    }
}

static void see_flits(struct anl_rim *rim, const struct anl_border *message)
{
    struct anl_rim_line *const out = decided_lines(rim);
    const struct anl_worm *worm = anl_border_worms(message);
    for (uint32_t i = 0; i < message->num_flits; i++) {
        const struct anl_crossing *flit = &anl_border_flits(message)[i];
        const uint32_t terminal = rim->endings[flit->link].terminal;
        struct rim_lane *lane = &rim->ejection[terminal * rim->vcs + flit->vc];
        struct anl_rim_line *line = &out[terminal * rim->lines + (rim->lines > 1 ? flit->vc : 0)];
        if (flit->head) lane->worm = worm++->id;
        struct passing *passing = &rim->worms[lane->worm];
        fetch(rim, passing, line->flit);
        if (flit->head) take_ports(rim, &passing->worm, line->flit);
        line->valid = true;
        line->vc = flit->vc;
        if (!flit->tail) continue;
        passing->next = rim->free_worm;
        rim->free_worm = lane->worm;
        lane->worm = NONE;
    }
}

static void see_credits(struct anl_rim *rim, const struct anl_border *message)
{
    uint32_t *const credits = decided_credits(rim);
    for (uint32_t i = 0; i < message->num_credits; i++) {
        const struct anl_crossing *credit = &anl_border_credits(message)[i];
        credits[credit->link] |= 1u << credit->vc;
    }
}

// The credits that the network gives in a cycle are at the sender.
static void give_credits(struct anl_rim *rim)
{
    for (uint32_t t = 0; t < rim->terminals; t++)
        for (uint32_t vc = 0; vc < rim->vcs; vc++)
            rim->injection[t * rim->vcs + vc].room += anl_rim_credits(rim, t) >> vc & 1;
}

// The flits that the network shows in a cycle may be given back from then on.
static void give_flits(struct anl_rim *rim)
{
    for (uint32_t i = 0; i < rim->terminals * rim->lines; i++) {
        const struct anl_rim_line *line = anl_rim_flit(rim, i);
        rim->ejection[i / rim->lines * rim->vcs + line->vc].room += line->valid;
    }
}

// Terminals tell nothing that counts in the cycle in which it is told.
static void decide(struct anl_rim *rim)
{
    anl_engine_decide(rim->engine);
    while (anl_engine_asks(rim->engine)) {
        *rim->told = anl_engine_expects(rim->engine, 0);
        if (anl_engine_take(rim->engine, 0, rim->told, NULL)) return;
        anl_engine_decide_on(rim->engine);
    }
    anl_engine_tell(rim->engine);
}

// Decides a cycle: what the network drives in it is a function of its state alone. It moves when
// the cycle ends, so until then the state of the engine is that at the start of the cycle.
static void begin_cycle(struct anl_rim *rim)
{
    memset(decided_lines(rim), 0, (size_t)rim->terminals * rim->lines * sizeof *rim->out);
    memset(decided_credits(rim), 0, rim->terminals * sizeof *rim->credits);
    decide(rim);
    const struct anl_border *message = anl_engine_peer(rim->engine, 0).message;
    see_flits(rim, message);
    see_credits(rim, message);
    give_flits(rim);
    if (rim->config.credits == ANL_BYPASS) give_credits(rim);
    rim->decided = true;
}

static void free_all(struct anl_rim *rim)
{
    for (uint32_t i = 0; i < rim->num_cells; i++) {
        const uint32_t next = i + 1 < rim->num_cells ? i + 1 : NONE;
        rim->cells[i].next = rim->worms[i].next = next;
    }
    rim->free_cell = rim->free_worm = 0;
}

// Ends a cycle that was decided and in which nothing comes: an engine is reset between cycles
// alone.
static void end_decided(struct anl_rim *rim)
{
    if (!rim->decided) return;
    *rim->told = anl_engine_expects(rim->engine, 0);
    anl_engine_move(rim->engine);
    if (!anl_engine_take(rim->engine, 0, rim->told, NULL)) anl_engine_end(rim->engine);
    rim->decided = false;
}

void anl_rim_reset(struct anl_rim *rim)
{
    end_decided(rim);
    free_all(rim);
    for (uint32_t i = 0; i < rim->terminals * rim->vcs; i++) {
        rim->injection[i] = (struct rim_lane){NONE, rim->depth};
        rim->ejection[i] = (struct rim_lane){NONE, 0};
    }
    memset(rim->out, 0, (size_t)rim->stages * rim->terminals * rim->lines * sizeof *rim->out);
    memset(rim->credits, 0, (size_t)rim->stages * rim->terminals * sizeof *rim->credits);
    anl_engine_reset(rim->engine, rim->seed);
    begin_cycle(rim);
}

// ---------------------------------------------------------------- what the terminals drive

struct hearing {
    struct anl_rim *rim;
    const struct anl_rim_drive *drive;
    struct anl_error *error;
    enum anl_status status;
};

// Notes a broken rule of a lane.
static void broken(struct hearing *hearing, uint32_t link, uint32_t vc, enum anl_link_rule rule,
                   const char *seen)
{
    char name[64];
    anl_link_name(&hearing->rim->config, link, name, sizeof name);
    hearing->status = anl_fail(hearing->error, ANL_ERR_ARGUMENT, "", 0,
                               "cycle %" PRIu64 ", link %s, lane %" PRIu32 ": %s: %s; %s",
                               anl_engine_cycle(hearing->rim->engine), name, vc,
                               anl_link_rule_name(rule), anl_link_rule_text(rule), seen);
}

// Returns whether each turn of a worm with a route of its own is that of a route of the network.
static bool has_wired_turns(const struct anl_config *config, const struct anl_worm *worm)
{
    const struct anl_graph *graph = config->graph;
    uint32_t in = worm->route ? graph->homes[worm->source] : 0;
    for (uint32_t i = 0; i < worm->route_length; i++) {
        if (!(graph->turns[in] >> worm->route[i] & 1)) return false;
        in = graph->ends[in / graph->ports * graph->ports + worm->route[i]];
    }
    return true;
}

// Reads a head. Returns what is wrong with it; NULL: nothing.
static const char *read_head(const struct anl_rim *rim, uint32_t terminal, uint32_t vc,
                             const uint32_t *flit, struct anl_worm *worm)
{
    const struct anl_config *config = &rim->config;
    uint8_t *const ports = &rim->routes[(size_t)rim->free_worm * rim->longest];
    *worm = (struct anl_worm){.source = terminal};
    const char *wrong = anl_head_read(config, flit, vc, ports, worm);
    if (wrong) return wrong;
    if (!has_wired_turns(config, worm))
        return "expected a list of ports of which each turn is that of a route";
    if (!anl_head_has_length(config)) worm->length = is_tail(rim, flit) ? 1 : ANL_MAX_WORM_LENGTH;
    if (!anl_arbiter_has(config->arbiter, ANL_ARBITER_STAMPS))
        worm->created = anl_engine_cycle(rim->engine);
    return NULL;
}

// Takes a head or a body flit into a lane. Returns the rule that is broken, with what was seen.
static enum anl_link_rule take_flit(struct hearing *hearing, uint32_t terminal, uint32_t vc,
                                    const uint32_t *flit, const char **seen)
{
    struct anl_rim *rim = hearing->rim;
    struct rim_lane *lane = &rim->injection[terminal * rim->vcs + vc];
    const bool head = is_head(rim, flit), tail = is_tail(rim, flit);
    if (lane->room == 0) return *seen = "the sender has none", ANL_LINK_NO_CREDIT;
    if (head && lane->worm != NONE) return *seen = "seen a head", ANL_LINK_LANE_SHARED;
    if (!head && lane->worm == NONE) return *seen = "no worm is entering", ANL_LINK_BAD_MARKS;
    if (head) {
        struct anl_worm worm;
        *seen = read_head(rim, terminal, vc, flit, &worm);
        if (*seen) return ANL_LINK_BAD_MARKS;
        worm.id = lane->worm = rim->free_worm;
        rim->free_worm = rim->worms[lane->worm].next;
        rim->worms[lane->worm] = (struct passing){.worm = worm, .first = NONE, .last = NONE};
        anl_border_worms(rim->told)[rim->told->num_worms++] = worm;
    }
    struct passing *worm = &rim->worms[lane->worm];
    const bool last = worm->entered + 1u == worm->worm.length;
    const bool known = anl_head_has_length(&rim->config);
    if (known ? last != tail : last && !tail)
        return *seen = known ? "the head says another length" : "more than 65535 flits",
               ANL_LINK_BAD_MARKS;
    store(rim, worm, flit);
    lane->room--;
    return ANL_LINK_KEPT;
}

// The message lists the worms of all heads first, so flits are taken before they are told.
static void hear_flit(struct hearing *hearing, uint32_t terminal, uint32_t line)
{
    struct anl_rim *rim = hearing->rim;
    const struct anl_rim_line *wires = &hearing->drive->injected[terminal * rim->lines + line];
    const uint32_t link = anl_injection_link(&rim->config, terminal);
    const char *seen = "";
    if (!wires->valid || hearing->status) return;
    if (wires->vc >= rim->vcs || (rim->lines > 1 && wires->vc != line)) {
        broken(hearing, link, wires->vc, ANL_LINK_BAD_LINK, "expected a lane of this line");
        return;
    }
    const enum anl_link_rule rule = take_flit(hearing, terminal, wires->vc, wires->flit, &seen);
    if (rule != ANL_LINK_KEPT) broken(hearing, link, wires->vc, rule, seen);
}

static void tell_flit(struct anl_rim *rim, uint32_t terminal, const struct anl_rim_line *wires)
{
    struct rim_lane *lane = &rim->injection[terminal * rim->vcs + wires->vc];
    const struct passing *worm = &rim->worms[lane->worm];
    const struct anl_crossing flit = {.link = terminal,
                                      .vc = wires->vc,
                                      .head = is_head(rim, wires->flit),
                                      .tail = is_tail(rim, wires->flit)};
    anl_border_flits(rim->told)[rim->told->num_flits++] = flit;
    if (!flit.tail) return;
    if (worm->entered != worm->worm.length)
        rim->tails[rim->num_tails++] = (struct ended){flit, (uint16_t)worm->entered};
    lane->worm = NONE;
}

static void hear_credits(struct hearing *hearing, uint32_t terminal)
{
    struct anl_rim *rim = hearing->rim;
    const uint32_t link = anl_ejection_link(&rim->config, terminal);
    const uint32_t credits = hearing->drive->credits[terminal];
    for (uint32_t vc = 0; vc < 32 && credits >> vc && !hearing->status; vc++) {
        struct rim_lane *lane = &rim->ejection[terminal * rim->vcs + vc];
        if (!(credits >> vc & 1)) continue;
        if (vc >= rim->vcs) {
            broken(hearing, link, vc, ANL_LINK_BAD_LINK, "seen a credit");
        } else if (lane->room == 0) {
            broken(hearing, link, vc, ANL_LINK_EARLY_CREDIT, "no flit is at the terminal");
        } else {
            lane->room--;
            anl_border_credits(rim->told)[rim->told->num_credits++] =
                (struct anl_crossing){.link = rim->rank[terminal], .vc = (uint8_t)vc};
        }
    }
}

static void hear(struct hearing *hearing)
{
    struct anl_rim *rim = hearing->rim;
    const uint32_t lines = rim->terminals * rim->lines;
    for (uint32_t i = 0; i < lines && !hearing->status; i++)
        hear_flit(hearing, i / rim->lines, i % rim->lines);
    for (uint32_t i = 0; i < lines && !hearing->status; i++)
        if (hearing->drive->injected[i].valid)
            tell_flit(rim, i / rim->lines, &hearing->drive->injected[i]);
    for (uint32_t t = 0; t < rim->terminals && !hearing->status; t++)
        hear_credits(hearing, t);
}

static enum anl_status end_cycle(struct anl_rim *rim, struct anl_error *error)
{
    enum anl_status status = anl_engine_take(rim->engine, 0, rim->told, error);
    if (status) return status;
    status = anl_engine_end(rim->engine);
    if (status) return anl_fail(error, status, "", 0, "%s", anl_status_text(status));
    for (uint32_t i = 0; i < rim->num_tails; i++)
        anl_engine_end_worm(rim->engine, 0, rim->tails[i].tail, rim->tails[i].length);
    return ANL_OK;
}

enum anl_status anl_rim_cycle(struct anl_rim *rim, const struct anl_rim_drive *drive,
                              struct anl_error *error)
{
    struct hearing hearing = {.rim = rim, .drive = drive, .error = error, .status = ANL_OK};
    *rim->told = anl_engine_expects(rim->engine, 0);
    rim->num_tails = 0;
    hear(&hearing);
    if (hearing.status) return hearing.status;
    if (rim->config.credits == ANL_REGISTERED) give_credits(rim);
    anl_engine_move(rim->engine);
    rim->decided = false;
    const enum anl_status status = end_cycle(rim, error);
    if (status) return status;
    begin_cycle(rim);
    return ANL_OK;
}
