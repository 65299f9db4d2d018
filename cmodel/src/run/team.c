// SPDX-License-Identifier: Apache-2.0
//
// A run whose network is in parts (docs/scale.md). Each member of the team steps its own part and
// counts what happens there. It draws the worms of its own terminals, or follows the traffic of the
// whole network where that cannot be divided. In each cycle it hears from its neighbours alone,
// unless what is delivered anywhere decides what is created. Whether the run is over, all members
// find out together, in the cycle in which it could be stalled at the earliest; then the leader's
// observers see what all have noted since.

#include "run.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- make and free

static enum anl_status make_routes(struct run_team *team)
{
    const struct anl_scenario *scenario = team->scenario;
    bool some = false;
    for (size_t i = 0; i < scenario->num_messages; i++)
        some |= scenario->messages[i].route != NULL;
    if (some) team->routes = calloc(scenario->num_messages, sizeof *team->routes);
    return some && !team->routes ? ANL_ERR_MEMORY : ANL_OK;
}

// Returns true if parts with higher numbers have terminals with higher numbers, and says which are
// those of this member.
static bool divide(struct run_team *team, const uint32_t *part_of)
{
    const struct anl_config *config = &team->scenario->network;
    const struct anl_shape shape = anl_shape_of(config);
    uint32_t last = 0;
    for (uint32_t t = 0; t < shape.terminals; t++) {
        const uint32_t part = part_of[anl_end_of(config, anl_injection_link(config, t)).node];
        if (part < last) return false;
        team->first += part < team->members->rank;
        team->terminals += part == team->members->rank;
        last = part;
    }
    return true;
}

static enum anl_status make_part(struct run_team *team, struct anl_engine **engine,
                                 struct anl_error *error)
{
    const struct anl_config *config = &team->scenario->network;
    const uint32_t switches = anl_shape_of(config).switches;
    uint32_t *part_of = calloc(switches, sizeof *part_of);
    if (!part_of) return ANL_ERR_MEMORY;
    const struct anl_team *members = team->members;
    enum anl_status status = members->cut
                                 ? members->cut(members->user, config, members->size, part_of)
                                 : anl_cut(config, members->size, part_of);
    if (status == ANL_ERR_ARGUMENT)
        anl_fail(error, status, "", 0,
                 "%u ranks, the network has %u switches, and each rank needs one at least",
                 team->members->size, switches);
    if (!status) status = anl_network_create_bare(config, &team->network);
    if (!status)
        status = anl_engine_create_part(team->network, part_of, team->members->rank, engine, error);
    team->divides = !status && anl_workload_has_parts(&team->workload) && divide(team, part_of);
    free(part_of);
    return status;
}

enum anl_status run_team_create(struct run_team *team, struct anl_engine **engine,
                                struct anl_error *error)
{
    team->answers = anl_workload_answers(&team->workload);
    const enum anl_status status = make_part(team, engine, error);
    return status ? status : make_routes(team);
}

enum anl_status run_team_agree(const struct run_team *team, enum anl_status status, bool *recorded,
                               struct anl_error *error)
{
    const struct anl_team *members = team->members;
    uint64_t agreed[] = {*recorded, status != ANL_OK};
    members->most(members->user, agreed, 2);
    *recorded = agreed[0];
    if (!agreed[1] || status) return status;
    return anl_fail(error, ANL_ERR_MEMORY, "", 0, "another rank cannot make its part");
}

void run_team_destroy(struct run_team *team)
{
    anl_network_destroy(team->network);
    run_creation_destroy(&team->creation);
    free(team->routes);
    free(team->answered.at);
    free(team->worms.at);
    free(team->flits.at);
    free(team->counts.at);
}

// ---------------------------------------------------------------- a cycle

enum anl_status run_team_compare(const struct run_team *team, const struct anl_traffic *traffic,
                                 uint64_t now, struct anl_error *error)
{
    const uint64_t own = anl_traffic_signature(traffic);
    uint64_t seen[] = {own, ~own};
    team->members->most(team->members->user, seen, 2);
    if (seen[0] == ~seen[1]) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                    "own traffic, cycle %" PRIu64
                    ": found other worms in some member of the team, expected the same in all",
                    now);
}

struct anl_worm run_team_worm(struct run_team *team, const struct anl_engine *engine,
                              const struct anl_worm *new_worm, uint32_t id)
{
    struct anl_worm worm = *new_worm;
    worm.id = id;
    worm.created = anl_engine_cycle(engine);
    worm.path = anl_path_of(&team->scenario->network, team->scenario->run.seed, &worm);
    if (team->routes) team->routes[id] = worm.route;
    return worm;
}

// Makes the pointers of the worms in a message those of this process.
static void point_worms(const struct run_team *team, struct anl_border *border)
{
    struct anl_worm *worms = anl_border_worms(border);
    for (uint32_t i = 0; i < border->num_worms; i++) {
        worms[i].dependencies = NULL;
        worms[i].route = team->routes ? team->routes[worms[i].id] : NULL;
    }
}

static enum anl_status take_all(const struct run_team *team, struct anl_engine *engine,
                                struct anl_error *error)
{
    const struct anl_team *members = team->members;
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; i < anl_engine_num_peers(engine) && !status; i++) {
        struct anl_border *border = members->receive(members->user, i);
        point_worms(team, border);
        status = anl_engine_take(engine, i, border, error);
    }
    return status;
}

// Returns whether some member asks for messages before the cycle is decided.
static bool some_ask(const struct run_team *team, const struct anl_engine *engine)
{
    const struct anl_config *config = &team->scenario->network;
    uint64_t asks = anl_engine_asks(engine);
    if (config->credits == ANL_BYPASS && config->link == ANL_WIDE)
        team->members->most(team->members->user, &asks, 1);
    return asks > 0;
}

// Decides the cycle together with the neighbours.
static enum anl_status decide(const struct run_team *team, struct anl_engine *engine,
                              struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    anl_engine_decide(engine);
    while (!status && some_ask(team, engine)) {
        team->members->send(team->members->user, engine);
        status = take_all(team, engine, error);
        if (!status) status = anl_engine_decide_on(engine);
    }
    return status;
}

enum anl_status run_team_step(struct run_team *team, struct anl_engine *engine,
                              struct anl_error *error)
{
    enum anl_status status = decide(team, engine, error);
    if (status) return status;
    anl_engine_tell(engine);
    team->members->send(team->members->user, engine);
    anl_engine_move(engine);
    status = take_all(team, engine, error);
    return status ? status : anl_engine_end(engine);
}

// ---------------------------------------------------------------- lists

bool run_grow(void *list, size_t *room, size_t count, size_t size)
{
    void *memory;
    if (count <= *room) return true;
    memcpy(&memory, list, sizeof memory);
    memory = realloc(memory, 2 * count * size);
    if (!memory) return false;
    memcpy(list, &memory, sizeof memory);
    *room = 2 * count;
    return true;
}

// The worms of one terminal are in one list, so that they keep their order.
static void sort_worms(struct anl_worm *worms, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct anl_worm worm = worms[i];
        size_t to = i;
        for (; to > 0 && worms[to - 1].destination > worm.destination; to--)
            worms[to] = worms[to - 1];
        worms[to] = worm;
    }
}

const struct anl_worm *run_team_worms(struct run_team *team, const struct anl_worm *worms,
                                      size_t *count)
{
    const struct anl_team *members = team->members;
    size_t bytes;
    const void *all = members->gather(members->user, worms, *count * sizeof *worms, true, &bytes);
    *count = bytes / sizeof *worms;
    team->answered.count = 0;
    if (!RUN_GROW(team->answered, *count + 1)) return NULL;
    if (*count) memcpy(team->answered.at, all, bytes);
    sort_worms(team->answered.at, *count);
    return team->answered.at;
}

// ---------------------------------------------------------------- what the leader's observers see

enum anl_status run_team_note_worm(struct run_team *team, const struct anl_worm *worm)
{
    if (!RUN_GROW(team->worms, 1)) return ANL_ERR_MEMORY;
    team->worms.at[team->worms.count++] = *worm;
    return ANL_OK;
}

enum anl_status run_team_note_flits(struct run_team *team, const struct anl_engine *engine)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(engine, &count);
    if (!RUN_GROW(team->flits, count + 1) || !RUN_GROW(team->counts, 1)) return ANL_ERR_MEMORY;
    memcpy(&team->flits.at[team->flits.count], flits, count * sizeof *flits);
    team->flits.count += count;
    team->counts.at[team->counts.count++] = count;
    return ANL_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct anl_flit *x = a, *y = b;
    if (x->link != y->link) return x->link < y->link ? -1 : 1;
    return (x->vc > y->vc) - (x->vc < y->vc);
}

// What all members have noted, as the leader reads it.
struct noted {
    const uint64_t *counts;  // [members * cycles] flits of each cycle
    uint64_t first;          // cycle
    size_t cycles;
    const struct anl_flit *flits;  // those of a member are behind each other
    size_t *next;                  // [members] the first one that was not read yet
    struct anl_flit *of_cycle;     // room for all flits
};

// Collects the flits of a cycle. Returns how many there are.
static size_t collect(const struct noted *noted, uint32_t members, size_t cycle)
{
    size_t count = 0;
    for (uint32_t m = 0; m < members; m++) {
        const size_t some = noted->counts[m * noted->cycles + cycle];
        memcpy(&noted->of_cycle[count], &noted->flits[noted->next[m]], some * sizeof *noted->flits);
        noted->next[m] += some;
        count += some;
    }
    qsort(noted->of_cycle, count, sizeof *noted->of_cycle, by_place);
    return count;
}

static enum anl_status feed_all(const struct run_team *team, const struct noted *noted,
                                uint64_t end, const struct run_feed *feed)
{
    enum anl_status status = ANL_OK;
    const uint64_t first = noted->first;
    size_t worm = 0;
    for (size_t i = 0; first + i < end && !status; i++) {
        const struct anl_worm *worms = team->worms.at;
        for (; worm < team->worms.count && worms[worm].created == first + i && !status; worm++)
            status = feed->worm(feed->user, &worms[worm]);
        const size_t count = collect(noted, team->members->size, i);
        if (!status) status = feed->flits(feed->user, first + i, noted->of_cycle, count);
    }
    return status;
}

// Reads the lists of all members, of which the leader has copied the counts.
static enum anl_status read_noted(const struct run_team *team, uint64_t *counts,
                                  const struct anl_flit *flits, uint64_t now, uint64_t end,
                                  const struct run_feed *feed)
{
    const uint32_t members = team->members->size;
    const size_t cycles = team->counts.count;
    struct noted noted = {
        .counts = counts, .first = now - cycles, .cycles = cycles, .flits = flits};
    size_t all = 0;
    noted.next = calloc(members, sizeof *noted.next);
    for (size_t i = 0; noted.next && i < members * noted.cycles; i++) {
        if (i % noted.cycles == 0) noted.next[i / noted.cycles] = all;
        all += counts[i];
    }
    noted.of_cycle = calloc(all + 1, sizeof *noted.of_cycle);
    const bool room = noted.next && noted.of_cycle;
    const enum anl_status status = room ? feed_all(team, &noted, end, feed) : ANL_ERR_MEMORY;
    free(noted.next);
    free(noted.of_cycle);
    return status;
}

static int by_id(const void *a, const void *b)
{
    const struct anl_worm *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

// Gives the leader the worms that all members have noted.
static enum anl_status gather_worms(struct run_team *team)
{
    const struct anl_team *members = team->members;
    const size_t own = team->worms.count * sizeof *team->worms.at;
    size_t bytes;
    if (!team->divides) return ANL_OK;
    const void *all = members->gather(members->user, team->worms.at, own, false, &bytes);
    team->worms.count = 0;
    if (!all || !bytes) return ANL_OK;
    if (!RUN_GROW(team->worms, bytes / sizeof *team->worms.at)) return ANL_ERR_MEMORY;
    memcpy(team->worms.at, all, bytes);
    team->worms.count = bytes / sizeof *team->worms.at;
    qsort(team->worms.at, team->worms.count, sizeof *team->worms.at, by_id);
    return ANL_OK;
}

enum anl_status run_team_feed(struct run_team *team, uint64_t now, uint64_t end,
                              const struct run_feed *feed)
{
    const struct anl_team *members = team->members;
    enum anl_status status = gather_worms(team);
    size_t bytes;
    if (status) return status;
    const void *list = members->gather(members->user, team->counts.at,
                                       team->counts.count * sizeof *team->counts.at, false, &bytes);
    uint64_t *counts = list ? malloc(bytes + 1) : NULL;
    if (list && !counts) return ANL_ERR_MEMORY;
    if (counts && bytes) memcpy(counts, list, bytes);
    list = members->gather(members->user, team->flits.at,
                           team->flits.count * sizeof *team->flits.at, false, &bytes);
    if (list && team->counts.count) status = read_noted(team, counts, list, now, end, feed);
    free(counts);
    team->counts.count = team->flits.count = team->worms.count = 0;
    return status;
}

// ---------------------------------------------------------------- how far the run is

// The fields of struct anl_engine_totals add up, and so do those who want to stop, those who will
// create worms, and those in whose part something is.
enum { TOTALS = sizeof(struct anl_engine_totals) / sizeof(uint64_t) };

void run_team_see(struct run_team *team, const struct anl_engine *engine, bool done)
{
    const uint64_t now = anl_engine_cycle(engine);
    const struct anl_engine_totals totals = anl_engine_totals(engine);
    const bool refusing = team->scenario->network.reply_queue > 0;
    if (totals.moved || (refusing && totals.taken)) team->last_move = now;
    if (totals.delivered != team->delivered || (done && !team->done)) team->last_end = now;
    team->delivered = totals.delivered;
    team->done = done;
}

// Some worm is yet to be created or delivered, so it does not matter when the last one was.
void run_team_resume(struct run_team *team, const struct anl_engine *engine,
                     const struct anl_traffic *traffic, uint64_t worms, uint64_t idle_cycles)
{
    const uint64_t now = anl_engine_cycle(engine);
    team->last_move = now - idle_cycles;
    run_creation_resume(&team->creation, now, worms);
    for (size_t id = 0; team->routes && id < team->scenario->num_messages; id++) {
        struct anl_worm worm = {.id = (uint32_t)id};
        if (!anl_traffic_tie(traffic, &worm)) break;  // it is not yet created
        team->routes[id] = worm.route;
    }
}

bool run_team_look(struct run_team *team, const struct anl_engine *engine,
                   const struct anl_traffic *traffic, bool goes_on, struct run_look *look)
{
    const struct anl_team *members = team->members;
    const uint64_t now = anl_engine_cycle(engine);
    if (now < team->look_at && now < team->scenario->run.max_cycles) return false;
    const struct anl_engine_totals totals = anl_engine_totals(engine);
    uint64_t sums[TOTALS + 3] = {[TOTALS] = !goes_on, !team->done, !anl_engine_idle(engine)};
    uint64_t last[] = {team->last_move, team->last_end, UINT64_MAX - anl_traffic_next(traffic)};
    memcpy(sums, &totals, sizeof totals);
    members->sum(members->user, sums, TOTALS + 3);
    members->most(members->user, last, 3);
    memcpy(&look->totals, sums, sizeof look->totals);
    look->stops = sums[TOTALS] > 0;
    look->last_move = last[0];
    look->last_end = last[1];
    look->next = UINT64_MAX - last[2];
    look->done = sums[TOTALS + 1] == 0;
    look->idle = sums[TOTALS + 2] == 0;
    return true;
}
