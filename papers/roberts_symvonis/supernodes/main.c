// SPDX-License-Identifier: Apache-2.0
//
// Lock-step of supernodes (papers/roberts_symvonis/supernodes.md, "Lock-step").
//
//   snakes ROUNDS [SEED]     random rounds: permutations of supernodes, and trains full of worms
//   snakes [--rules] FILE    one round, a worm in a line: born SUPERNODE CELL, or train SUPERNODE
//   SIDE
//                            SLOT, and behind it the SUPERNODE and the CELL to which it goes

#include "lockstep.h"

#include <annelid/bufferless.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void die(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(2);
}

struct plan {
    const struct layout *layout;
    uint32_t n, nodes;
    struct anl_rng rng;
    uint32_t number, rounds;
};

// --- the packet algorithm alone says how many supersteps a round needs ---

// Returns the number of supersteps until all worms of a round are where they go, or 0 if a queue
// gets too long on the way: of a supernode that keeps more than f - 4 worms, or has more than f.
static uint32_t count_supersteps(const struct plan *plan, const struct round *round)
{
    uint32_t of[MOST_ROLES], supersteps = 0, away = 1;
    struct destinations destinations = {.of = of};
    struct packets packets;
    struct anl_error error = {0};
    if (packets_create(plan->n, greedy, &destinations, &packets, &error)) die(error.text);
    for (uint32_t i = 0; i < round->count; i++) {
        of[i] = round->roles[i].to_supernode;
        if (packets_add(&packets, round->roles[i].supernode, i)) die("too many worms");
    }
    while (away) {
        away = 0;
        for (uint32_t node = 0; node < plan->nodes; node++)
            for (uint32_t i = 0; i < packets.queues[node].count; i++)
                away += of[packets.queues[node].worms[i]] != node;
        if (!away && supersteps) break;
        if (packets_step(&packets)) die("too many worms");
        supersteps++;
        if (!away) break;  // a round has at least one
    }
    const bool fits = packets.largest <= plan->layout->f && packets.kept <= plan->layout->f - 4;
    packets_free(&packets);
    return fits ? supersteps : 0;
}

// --- rounds ---

static uint32_t below(struct plan *plan, uint32_t bound)
{
    return (uint32_t)anl_rng_below(&plan->rng, bound);
}

// A permutation of supernodes: all worms are born in one cell and go to another one. Each cell is
// the birth cell in turn.
static void plan_births(struct plan *plan, struct round *round)
{
    const uint32_t birth = plan->number * 7 % plan->layout->cells;
    const uint32_t target =
        (birth + 1 + below(plan, plan->layout->cells - 1)) % plan->layout->cells;
    uint32_t to[MOST_ROLES];
    shuffle(to, plan->nodes, &plan->rng);
    for (uint32_t i = 0; i < plan->nodes; i++)
        round->roles[round->count++] =
            (struct role){.supernode = i, .cell = birth, .to_supernode = to[i], .to_cell = target};
}

// Puts worms into slots of the trains of a supernode, as many as it may keep or fewer, all on one
// side as long as it has room or anywhere.
static void load(struct plan *plan, uint32_t supernode, enum fill fill, struct round *round)
{
    const struct layout *layout = plan->layout;
    const uint32_t count = below(plan, 3) ? layout->f - 4 : below(plan, layout->f - 3);
    uint32_t order[2 * MOST_SLOTS];
    shuffle(order, 2 * layout->slots, &plan->rng);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = fill == FILL_LEFT    ? i
                            : fill == FILL_RIGHT ? 2 * layout->slots - 1 - i
                                                 : order[i];
        struct role role = {.loads = true,
                            .supernode = supernode,
                            .side = at < layout->slots ? SIDE_LEFT : SIDE_RIGHT,
                            .slot = at % layout->slots,
                            .to_supernode = below(plan, plan->nodes),
                            .to_cell = below(plan, layout->cells)};
        // A worm does not go to the cell that sends it.
        if (role.to_cell == snakes_door(layout, role.side)) role.to_cell = layout->centre;
        round->roles[round->count++] = role;
    }
}

static int by_source(const void *one, const void *other)
{
    const struct role *a = one, *b = other;
    const uint32_t at = a->supernode * 2 + a->side, to = b->supernode * 2 + b->side;
    return at != to ? (at > to) - (at < to) : (a->slot > b->slot) - (a->slot < b->slot);
}

// Trains with many worms, with a seed that keeps all queues short enough.
static void plan_trains(struct plan *plan, struct round *round)
{
    const enum fill fill = (enum fill)(plan->number / 4 % FILLS);
    do {
        round->count = 0;
        for (uint32_t i = 0; i < plan->nodes; i++)
            load(plan, i, fill, round);
        qsort(round->roles, round->count, sizeof *round->roles, by_source);
    } while (round->count == 0 || count_supersteps(plan, round) == 0);
}

// Every fourth round has full trains; every third one waits some steps.
static bool next_round(void *user, struct round *round)
{
    struct plan *plan = user;
    if (plan->number == plan->rounds) return false;
    round->count = 0;
    if (plan->number % 4 == 0)
        plan_trains(plan, round);
    else
        plan_births(plan, round);
    round->supersteps = count_supersteps(plan, round);
    round->wait = plan->number % 3 == 0 ? below(plan, 5) : 0;
    plan->number++;
    return true;
}

// --- verdict ---

// Prints what happened. Returns the exit status.
static int report(const struct lockstep_result *result, bool rules)
{
    const struct anl_bufferless_violation *violation = &result->violation;
    uint32_t n;
    const uint32_t width = lockstep_layout(&n)->side * n;
    if (result->differs)
        printf("%s in %s\n", rules ? "fault line" : "FIRST DIFFERENCE", result->text);
    if (violation->rule)
        printf("referee: %s in step %" PRIu64 " at (%u,%u).%c\n",
               anl_bufferless_rule_name(violation->rule), violation->step,
               violation->link / ANL_BUFFERLESS_PORTS / width,
               violation->link / ANL_BUFFERLESS_PORTS % width,
               "EWSNT"[violation->link % ANL_BUFFERLESS_PORTS]);
    if (result->failed) printf("%s\n", result->failed);
    if (result->assertion[0]) printf("assertion %s\n", result->assertion);
    return result->differs || violation->rule || result->failed || result->assertion[0];
}

static int run_rounds(uint32_t rounds, uint64_t seed)
{
    struct plan plan = {.rounds = rounds, .rng = anl_rng_seed(seed, 0)};
    plan.layout = lockstep_layout(&plan.n);
    plan.nodes = plan.n * plan.n;
    const struct lockstep_options options = {.next = next_round, .user = &plan};
    const struct lockstep_result result = lockstep_run(&options);
    printf("%u x %u supernodes: %" PRIu64 " rounds, %" PRIu64 " supersteps, %" PRIu64
           " worms, %" PRIu64 " exchanges, %" PRIu64 " steps, %" PRIu64
           " flit events, digest %016" PRIx64 "\n",
           plan.n, plan.n, result.rounds, result.supersteps, result.worms, result.exchanges,
           result.steps, result.flits, result.digest);
    return report(&result, false);
}

// --- a file ---

struct script {
    struct plan plan;
    struct round round;
    bool given;
};

static bool next_script(void *user, struct round *round)
{
    struct script *script = user;
    if (script->given) return false;
    script->given = true;
    *round = script->round;
    return true;
}

static bool read_role(const struct plan *plan, const char *line, struct role *role)
{
    uint32_t slot = 0, side = 0;
    *role = (struct role){.loads = strncmp(line, "train ", 6) == 0};
    const int got = role->loads ? sscanf(line, "train %u %u %u %u %u", &role->supernode, &side,
                                         &slot, &role->to_supernode, &role->to_cell)
                                : sscanf(line, "born %u %u %u %u", &role->supernode, &role->cell,
                                         &role->to_supernode, &role->to_cell);
    role->side = (enum side)side;
    role->slot = slot;
    return got == (role->loads ? 5 : 4) && role->supernode < plan->nodes && side < SIDES &&
           slot < plan->layout->slots && role->cell < plan->layout->cells &&
           role->to_supernode < plan->nodes && role->to_cell < plan->layout->cells;
}

static void read_script(const char *path, struct script *script)
{
    FILE *file = anl_input_open(path);
    char line[256];
    if (!file) die("cannot open the file");
    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        if (script->round.count < MOST_ROLES &&
            read_role(&script->plan, line, &script->round.roles[script->round.count])) {
            script->round.count++;
            continue;
        }
        fprintf(stderr,
                "%s:%u: expected born SUPERNODE CELL TO_SUPERNODE TO_CELL, or train "
                "SUPERNODE SIDE SLOT TO_SUPERNODE TO_CELL, at most %d of them\n",
                path, number, MOST_ROLES);
        exit(2);
    }
    fclose(file);
}

static int run_file(const char *path, bool rules)
{
    struct script script = {0};
    script.plan.layout = lockstep_layout(&script.plan.n);
    script.plan.nodes = script.plan.n * script.plan.n;
    read_script(path, &script);
    script.round.supersteps = count_supersteps(&script.plan, &script.round);
    if (script.round.supersteps == 0) die("a supernode gets too many worms");
    const struct lockstep_options options = {rules, next_script, &script};
    const struct lockstep_result result = lockstep_run(&options);
    const int failed = report(&result, rules);
    if (!failed)
        printf("agree, %" PRIu64 " steps, %" PRIu64 " flit events, digest %016" PRIx64 "\n",
               result.steps, result.flits, result.digest);
    return failed;
}

int main(int count, char **words)
{
    const bool rules = count == 3 && strcmp(words[1], "--rules") == 0;
    if (count < 2 || count > 3) die("usage: snakes ROUNDS [SEED], or snakes [--rules] FILE");
    char *end;
    const unsigned long number = strtoul(words[1], &end, 10);
    if (*end == '\0')
        return run_rounds((uint32_t)number, count > 2 ? strtoul(words[2], NULL, 10) : 1);
    if (count == 3 && !rules) die("usage: snakes ROUNDS [SEED], or snakes [--rules] FILE");
    return run_file(words[count - 1], rules);
}
