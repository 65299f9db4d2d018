// SPDX-License-Identifier: Apache-2.0
//
// Hands the records of a trace to the referee of sliding diagonals, load by load. Which worms a
// load has, and in which batches, follows from papers/bock/diagonals.md, "Loads". Cycle t is step t
// - 1 of all loads.

#include "referee/referee.h"

#include <annelid/diagonals_referee.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct ride {
    uint64_t created;
    uint32_t node, to, destination;  // where it waits; where it goes first, and in the end
    uint32_t in_load;                // its number in the load; NONE: it is in none
    uint32_t behind;                 // next worm at its node, while batches are given
    uint64_t start;                  // in steps of the load
    bool there;
};

struct referee_rides {
    struct anl_diagonals_torus torus;
    uint32_t nodes, sides;  // registers of a node
    bool by_way;            // worms go to their path first
    uint64_t stage, delivery, period;
    uint64_t played;      // cycles
    uint64_t begin, end;  // of the load, if there is a game
    struct anl_diagonals_referee *game;
    struct ride *rides;  // [referee->next_worm]
    uint32_t room, waiting;
    uint32_t *load;  // [in_load] numbers of worms
    uint32_t in_load;
    struct referee_list standing, leaving;  // as the game sees them
    uint32_t *at;       // [in_load * length] where each flit is in `standing`; NONE: nowhere
    uint64_t *crossed;  // the same: the cycle in which it crossed a link last, + 1
};

static struct referee_rides *of(const struct anl_referee *referee) { return referee->of_game; }

// --- the torus ---

static void set_times(struct referee_rides *rides, enum anl_rounds rounds)
{
    struct anl_diagonals_torus *torus = &rides->torus;
    const uint32_t c = torus->c, length = torus->length;
    torus->rounds = rounds == ANL_PAPER_ROUNDS ? c : rounds == ANL_SHORT_ROUNDS ? 8 : 6;
    torus->forward = rounds == ANL_PAPER_ROUNDS ? 2 * c * length : 2 * c;
    const uint32_t back = 2 * torus->forward + 2 * length;
    const uint32_t column = torus->forward + 2 * c * length + length;
    torus->round_cycles = back > column ? back : column;
    rides->stage = 3 * (uint64_t)(torus->n + length) + c + 2 * length +
                   (uint64_t)torus->rounds * torus->round_cycles;
    rides->delivery = torus->n + length;
    rides->period = rides->stage + (torus->d == 2 ? rides->delivery : rides->stage);
}

// Returns how many batches one worm from each node makes.
static uint32_t usual_batches(const struct anl_diagonals_torus *torus)
{
    const uint32_t slots = torus->a * torus->b * torus->length;
    uint32_t batches = torus->d == 2 ? slots : 6 * slots;
    for (; batches < torus->n && torus->n % batches; batches++)
        continue;
    return torus->d > 2 && batches > torus->n ? torus->n : batches;
}

// --- violations ---

static const char *words(unsigned rule)
{
    static const char *const texts[] = {
        [ANL_DIAGONALS_KEPT] = "no rule is broken",
        [ANL_DIAGONALS_UNKNOWN_FLIT] = "there is no such flit or lane, or it is somewhere else",
        [ANL_DIAGONALS_ONE_FLIT] = "two flits are in one register",
        [ANL_DIAGONALS_ENTERS] = "its batch begins in another step, or it comes from elsewhere",
        [ANL_DIAGONALS_CONTIGUOUS] = "the flits of its worm do not follow each other",
        [ANL_DIAGONALS_DISTRIBUTION] = "a head does not go to its slot in the distribution",
        [ANL_DIAGONALS_PHASE_1] = "a head turns, or does not, against the rules of phase 1",
        [ANL_DIAGONALS_REORDER] = "a head does not go as all do in reorder",
        [ANL_DIAGONALS_PHASE_2] = "a head does not seek its column as the rules of phase 2 say",
        [ANL_DIAGONALS_RESERVOIR] = "a head does not go to its place in the reservoir",
        [ANL_DIAGONALS_DELIVERY] = "a head does not leave in the row of its destination",
        [ANL_DIAGONALS_LOST] = "a flit is not seen again, or its worm has not arrived at the end",
    };
    return texts[rule];
}

// Returns the link that ends at a register.
static uint32_t link_to(const struct referee_rides *rides, uint32_t register_)
{
    const uint32_t n = rides->torus.n, side = register_ % rides->sides;
    const uint32_t node = register_ / rides->sides;
    uint32_t stride = 1;
    for (uint32_t dim = 0; dim < side / 2; dim++)
        stride *= n;
    const uint32_t x = node / stride % n, before = side % 2 ? (x + 1) % n : (x + n - 1) % n;
    return (node + (before - x) * stride) * (rides->sides + 1) + side;
}

static bool breaks(struct anl_referee *referee, enum anl_diagonals_rule rule, uint64_t cycle,
                   uint32_t link, uint32_t worm, uint32_t index)
{
    struct anl_violation *violation = &referee->violation;
    *violation = (struct anl_violation){.rule = ANL_RULE_OF(ANL_DIAGONALS, rule),
                                        .cycle = cycle,
                                        .link = link,
                                        .worm = worm,
                                        .has_flit = true,
                                        .vc = UINT32_MAX,
                                        .index = index};
    snprintf(violation->text, sizeof violation->text,
             "cycle %" PRIu64 ": flit %" PRIu32 " of worm %" PRIu32 " at link %" PRIu32 ": %s",
             cycle, index, worm, link, words(rule));
    return false;
}

// Takes over the violation that the referee of the game has found.
static bool tell(struct anl_referee *referee)
{
    const struct referee_rides *rides = of(referee);
    const struct anl_diagonals_violation *found = anl_diagonals_referee_violation(rides->game);
    const uint32_t link =
        found->link < rides->nodes * rides->sides ? link_to(rides, found->link) : 0;
    return breaks(referee, found->rule, rides->begin + found->step, link, rides->load[found->worm],
                  found->index);
}

static bool no_memory(struct anl_referee *referee)
{
    referee->status = ANL_ERR_MEMORY;
    return false;
}

// Returns the register at the end of a link.
static uint32_t end_of(const struct referee_rides *rides, uint32_t link)
{
    const uint32_t n = rides->torus.n, side = link % (rides->sides + 1);
    const uint32_t node = link / (rides->sides + 1);
    uint32_t stride = 1;
    for (uint32_t dim = 0; dim < side / 2; dim++)
        stride *= n;
    const uint32_t x = node / stride % n, behind = side % 2 ? (x + n - 1) % n : (x + 1) % n;
    return (node + (behind - x) * stride) * rides->sides + side;
}

// --- batches ---

// What a batch has of the row that is being filled.
struct share {
    uint32_t worms, first, last;
};

// Puts a worm of a column into the first batch of its row that has room for it. `shares` are those
// of the row.
static uint32_t fit(const struct anl_diagonals_torus *torus, struct share *shares, uint32_t column)
{
    const uint32_t slots = torus->n / (torus->a * torus->b * torus->length);
    const uint32_t sixth = slots < 12 ? 1 : slots / 6, most = torus->d > 2 ? sixth : slots;
    uint32_t batch = 0;
    for (;; batch++) {
        struct share *share = &shares[batch];
        if (share->worms == 0) share->first = column;
        if (share->worms == 0 || (share->worms < most && column - share->last >= torus->length &&
                                  share->first + torus->n - column >= torus->length)) {
            share->worms++;
            share->last = column;
            return batch;
        }
    }
}

// Lists the worms of the load by node, the older ones first. Returns whether all nodes have the
// same number; *most receives the largest number in a row.
static bool list_by_node(struct referee_rides *rides, uint32_t *first, uint32_t *most)
{
    const uint32_t n = rides->torus.n;
    uint32_t in_row = 0, here = 0;
    bool even = true;
    *most = 0;
    for (uint32_t node = 0; node < rides->nodes; node++)
        first[node] = NONE;
    for (uint32_t i = rides->in_load; i-- > 0;) {
        struct ride *ride = &rides->rides[rides->load[i]];
        ride->behind = first[ride->node];
        first[ride->node] = rides->load[i];
    }
    for (uint32_t node = 0; node < rides->nodes; node++) {
        if (node % n == 0) in_row = 0;
        here = 0;
        for (uint32_t worm = first[node]; worm != NONE; worm = rides->rides[worm].behind)
            here++;
        in_row += here;
        if (in_row > *most) *most = in_row;
        even &= (uint64_t)here * rides->nodes == rides->in_load;
    }
    return even;
}

// Gives the worms of a node their starts. Returns the largest number of a batch, + 1.
static uint32_t start_node(struct referee_rides *rides, uint32_t node, uint32_t worm, bool even,
                           struct share *shares)
{
    const uint32_t n = rides->torus.n, usual = usual_batches(&rides->torus);
    uint32_t sum = 0, most = 0;
    for (uint32_t rest = node; rest; rest /= n)
        sum += rest % n;
    for (uint32_t turn = 0; worm != NONE; worm = rides->rides[worm].behind, turn++) {
        const uint32_t batch =
            even ? turn * usual + sum % usual : fit(&rides->torus, shares, node % n);
        rides->rides[worm].start = batch * rides->period;
        if (batch >= most) most = batch + 1;
    }
    return most;
}

// Returns how many batches the load has; 0: no memory.
static uint32_t give_batches(struct referee_rides *rides)
{
    uint32_t *first = calloc(rides->nodes, sizeof *first), most = 0, batches = 0;
    const bool even = first && list_by_node(rides, first, &most);
    struct share *shares = calloc(most + 1, sizeof *shares);
    for (uint32_t node = 0; first && shares && node < rides->nodes; node++) {
        if (node % rides->torus.n == 0) memset(shares, 0, (most + 1) * sizeof *shares);
        const uint32_t count = start_node(rides, node, first[node], even, shares);
        if (count > batches) batches = count;
    }
    free(first);
    free(shares);
    return batches;
}

// --- loads ---

static void end_load(struct referee_rides *rides)
{
    anl_diagonals_referee_destroy(rides->game);
    free(rides->load);
    free(rides->at);
    free(rides->crossed);
    rides->game = NULL;
    rides->load = rides->at = NULL;
    rides->crossed = NULL;
    for (uint32_t i = 0; i < rides->room; i++)
        rides->rides[i].in_load = NONE;
    rides->in_load = 0;
    rides->standing.count = 0;
}

static void collect(struct anl_referee *referee, uint64_t begin)
{
    struct referee_rides *rides = of(referee);
    for (uint32_t i = 0; i < referee->next_worm; i++) {
        struct ride *ride = &rides->rides[i];
        if (ride->there || ride->created >= begin) continue;
        ride->in_load = rides->in_load;
        rides->load[rides->in_load++] = i;
    }
}

// Begins a load with all worms that wait.
static bool begin_load(struct anl_referee *referee, uint64_t begin)
{
    struct referee_rides *rides = of(referee);
    const size_t flits = (size_t)rides->waiting * rides->torus.length;
    rides->load = calloc(rides->waiting, sizeof *rides->load);
    rides->at = malloc(flits * sizeof *rides->at);
    rides->crossed = calloc(flits, sizeof *rides->crossed);
    if (!rides->load || !rides->at || !rides->crossed) return no_memory(referee);
    memset(rides->at, 0xff, flits * sizeof *rides->at);
    collect(referee, begin);
    const uint32_t batches = give_batches(rides);
    if (!batches || anl_diagonals_referee_create(&rides->torus, &rides->game))
        return no_memory(referee);
    for (uint32_t i = 0; i < rides->in_load; i++) {
        const struct ride *ride = &rides->rides[rides->load[i]];
        const struct anl_worm worm = {.source = ride->node,
                                      .destination = ride->to,
                                      .length = (uint16_t)rides->torus.length,
                                      .created = ride->start};
        if (anl_diagonals_referee_worm(rides->game, &worm)) return no_memory(referee);
    }
    rides->begin = begin;
    rides->end =
        begin + (rides->torus.d == 2 ? batches * rides->period
                                     : (2 * (uint64_t)batches + rides->torus.d - 3) * rides->stage +
                                           rides->delivery);
    return true;
}

// Returns whether some worm that was created before a cycle waits.
static bool some_wait(const struct anl_referee *referee, uint64_t cycle)
{
    for (uint32_t i = 0; i < referee->next_worm && of(referee)->waiting; i++)
        if (!of(referee)->rides[i].there && of(referee)->rides[i].created < cycle) return true;
    return false;
}

// --- flits ---

// Notes where a worm is whose tail has left.
static void arrive(struct referee_rides *rides, uint32_t worm, uint32_t register_)
{
    struct ride *ride = &rides->rides[worm];
    const bool home = register_ % rides->sides == rides->sides - 1;
    ride->node = register_ / rides->sides;
    if (!home || ride->node != ride->to) return;
    ride->there = ride->node == ride->destination;
    ride->to = ride->destination;
    rides->waiting -= ride->there;
}

// Takes a flit out of the list of those that stand in registers.
static void take_out(struct referee_rides *rides, uint32_t place)
{
    struct referee_list *list = &rides->standing;
    const uint32_t length = rides->torus.length;
    list->flits[place] = list->flits[--list->count];
    rides->at[list->flits[place].worm * length + list->flits[place].index] = place;
}

// Moves the flits that have crossed links to their registers, for the next step.
static bool move(struct anl_referee *referee, const struct anl_flit *flits, size_t count)
{
    struct referee_rides *rides = of(referee);
    const uint32_t length = rides->torus.length, ports = rides->sides + 1;
    for (size_t i = 0; i < count; i++) {
        struct anl_flit flit = flits[i];
        const uint32_t port = flit.link % ports;
        flit.worm = rides->rides[flit.worm].in_load;
        uint32_t *at = &rides->at[flit.worm * length + flit.index];
        if (*at != NONE) take_out(rides, *at);
        *at = NONE;
        if (port == rides->sides) {
            if (flit.tail) arrive(rides, flits[i].worm, flit.link / ports * rides->sides + flit.vc);
            continue;
        }
        *at = (uint32_t)rides->standing.count;
        flit.link = end_of(rides, flit.link);
        if (!referee_list_add(&rides->standing, &flit)) return no_memory(referee);
    }
    return true;
}

// Notes that a flit of the load crosses a link. Returns false if it has crossed another one in this
// cycle.
static bool crosses_once(const struct referee_rides *rides, const struct anl_flit *flit,
                         uint64_t cycle)
{
    uint64_t *crossed =
        &rides->crossed[rides->rides[flit->worm].in_load * rides->torus.length + flit->index];
    if (*crossed == cycle + 1) return false;
    *crossed = cycle + 1;
    return true;
}

// Lists what leaves in a step. Returns false for a flit of which the game need not be asked.
static bool list_leaving(struct anl_referee *referee, uint64_t cycle, const struct anl_flit *flits,
                         size_t count)
{
    struct referee_rides *rides = of(referee);
    const uint32_t ports = rides->sides + 1;
    rides->leaving.count = 0;
    for (size_t i = 0; i < count; i++) {
        struct anl_flit flit = flits[i];
        const bool out = flit.link % ports == rides->sides;
        if (flit.worm >= referee->next_worm || rides->rides[flit.worm].in_load == NONE ||
            flit.link >= rides->nodes * ports || flit.index >= rides->torus.length ||
            flit.vc >= (out ? rides->sides : 1) || !crosses_once(rides, &flit, cycle))
            return breaks(referee, ANL_DIAGONALS_UNKNOWN_FLIT, cycle, flit.link, flit.worm,
                          flit.index);
        if (!out) continue;
        flit.link = flit.link / ports * rides->sides + flit.vc;
        flit.worm = rides->rides[flit.worm].in_load;
        flit.vc = 0;
        if (!referee_list_add(&rides->leaving, &flit)) return no_memory(referee);
    }
    return true;
}

// Plays a cycle.
static bool play(struct anl_referee *referee, uint64_t cycle, const struct anl_flit *flits,
                 size_t count)
{
    struct referee_rides *rides = of(referee);
    rides->played = cycle + 1;
    if (rides->game && cycle == rides->end) {
        if (!anl_diagonals_referee_end(rides->game)) return tell(referee);
        end_load(rides);
    }
    if (!rides->game && cycle > 0 && (cycle - 1) % rides->period == 0 &&
        some_wait(referee, cycle) && !begin_load(referee, cycle))
        return false;
    if (!list_leaving(referee, cycle, flits, count)) return false;
    if (rides->game && !anl_diagonals_referee_step(rides->game, cycle - rides->begin,
                                                   rides->standing.flits, rides->standing.count,
                                                   rides->leaving.flits, rides->leaving.count))
        return tell(referee);
    return move(referee, flits, count);
}

// Plays cycles without flits up to one.
static bool pause(struct anl_referee *referee, uint64_t cycle)
{
    struct referee_rides *rides = of(referee);
    while (rides->played < cycle) {
        if (!rides->game && !rides->waiting)
            rides->played = cycle;
        else if (!play(referee, rides->played, NULL, 0))
            return false;
    }
    return true;
}

static bool take_flits(struct anl_referee *referee, uint64_t cycle, const struct anl_flit *flits,
                       size_t count)
{
    return pause(referee, cycle) && play(referee, cycle, flits, count);
}

static bool end(struct anl_referee *referee, uint64_t cycles, bool complete)
{
    struct referee_rides *rides = of(referee);
    if (!pause(referee, cycles)) return false;
    if (!complete) return true;
    if (rides->game && !anl_diagonals_referee_end(rides->game)) return tell(referee);
    for (uint32_t i = 0; i < referee->next_worm && rides->waiting; i++)
        if (!rides->rides[i].there)
            return breaks(referee, ANL_DIAGONALS_LOST, cycles,
                          rides->rides[i].node * (rides->sides + 1) + rides->sides, i, 0);
    return true;
}

// --- worms ---

static bool make_room(struct referee_rides *rides, uint64_t count)
{
    if (count < rides->room) return true;
    const uint32_t room = rides->room ? 2 * rides->room : 256;
    struct ride *more = realloc(rides->rides, room * sizeof *more);
    if (!more) return false;
    rides->rides = more;
    for (uint32_t i = rides->room; i < room; i++)
        rides->rides[i] = (struct ride){.in_load = NONE};
    rides->room = room;
    return true;
}

static bool take_worm(struct anl_referee *referee, const struct anl_worm *worm)
{
    struct referee_rides *rides = of(referee);
    const uint32_t to = rides->by_way ? worm->path : worm->destination;
    if (!pause(referee, worm->created)) return false;
    if (worm->id == referee->next_worm && !worm->class_ && !worm->role && !worm->route &&
        worm->source < rides->nodes && worm->destination < rides->nodes && to < rides->nodes &&
        worm->length == rides->torus.length && worm->created + 1 >= rides->played) {
        if (!make_room(rides, worm->id)) return no_memory(referee);
        rides->rides[worm->id] = (struct ride){.created = worm->created,
                                               .node = worm->source,
                                               .to = to,
                                               .destination = worm->destination,
                                               .in_load = NONE};
        referee->next_worm++;
        rides->waiting++;
        return true;
    }
    return referee_refuses_worm(referee, worm, 0,
                                "it has no such terminals or length, a class or a route, or "
                                "numbers and cycles do not ascend");
}

// --- make, free ---

static enum anl_status create(struct anl_referee *referee, const struct anl_config *config)
{
    const struct anl_diagonals_shape *shape = &config->diagonals;
    struct referee_rides *rides = calloc(1, sizeof *rides);
    if (!rides) return ANL_ERR_MEMORY;
    referee->of_game = rides;
    rides->torus = (struct anl_diagonals_torus){.n = config->k,
                                                .d = config->n,
                                                .length = shape->length,
                                                .a = shape->a,
                                                .b = shape->b,
                                                .c = shape->c};
    rides->sides = 2 * config->n;
    rides->by_way = config->routing == ANL_VALIANT;
    rides->nodes = 1;
    for (uint32_t dim = 0; dim < config->n; dim++)
        rides->nodes *= config->k;
    set_times(rides, shape->rounds);
    return ANL_OK;
}

static void destroy(struct anl_referee *referee)
{
    struct referee_rides *rides = of(referee);
    if (!rides) return;
    end_load(rides);
    free(rides->rides);
    free(rides->standing.flits);
    free(rides->leaving.flits);
    free(rides);
}

static const char *name(unsigned rule)
{
    return anl_diagonals_rule_name((enum anl_diagonals_rule)rule);
}

const struct referee_game referee_diagonals = {
    .create = create,
    .destroy = destroy,
    .worm = take_worm,
    .flits = take_flits,
    .end = end,
    .name = name,
    .words = words,
    .num_rules = ANL_DIAGONALS_LOST + 1,
};
