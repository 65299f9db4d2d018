// SPDX-License-Identifier: Apache-2.0
//
// Full supernodes, and a worm in each direction in each superstep. The same with a rule broken must
// be found.

#include "common/common.h"
#include "snakes.h"

#include <stdlib.h>
#include <string.h>

void shuffle(uint32_t *numbers, uint32_t count, struct anl_rng *rng)
{
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t j = anl_rng_below(rng, i), was = numbers[i - 1];
        numbers[i - 1] = numbers[j];
        numbers[j] = was;
    }
}

// Sends worms that do not depend on where they go.
static void push(void *user, const struct node_view *view, uint32_t out[DIRECTIONS])
{
    const struct stress *stress = user;
    struct anl_rng rng =
        anl_rng_seed(stress->seed, view->superstep * view->n * view->n + view->node);
    uint32_t order[MOST_QUEUE], next = 0;
    shuffle(order, view->count, &rng);
    for (uint32_t port = 0; port < DIRECTIONS; port++)
        out[port] = leads_on(view->n, view->node, port) && next < view->count
                        ? view->queue[order[next++]]
                        : NO_WORM;
}

enum anl_status stress_create(struct stress *stress, struct trial *trial, struct anl_error *error)
{
    return trial_create(stress->f, stress->k, stress->n, push, stress, trial, error);
}

// --- which slots are taken ---

// Returns how many worms a supernode is loaded with. Full: as many as it may have if it sends one
// in each direction.
static uint32_t amount(const struct stress *stress, uint32_t supernode)
{
    struct anl_rng rng = anl_rng_seed(stress->seed, supernode);
    uint32_t most = stress->f - DIRECTIONS;
    for (uint32_t port = 0; port < DIRECTIONS; port++)
        most += leads_on(stress->n, supernode, port);
    return stress->full ? most : anl_rng_below(&rng, most + 1);
}

// Notes which slots of a supernode are taken: those of the left train first.
static void fill_slots(const struct stress *stress, uint32_t supernode, bool *taken)
{
    struct anl_rng rng = anl_rng_seed(~stress->seed, supernode);
    const uint32_t count = amount(stress, supernode), f = stress->f;
    uint32_t order[2 * MOST_SLOTS];
    shuffle(order, f, &rng);
    memset(taken, 0, f * sizeof *taken);
    for (uint32_t i = 0; i < count; i++)
        taken[stress->fill == FILL_LEFT    ? i
              : stress->fill == FILL_RIGHT ? f - 1 - i
                                           : order[i]] = true;
}

// --- worms ---

// Puts the worms into the queues of the packet algorithm, numbered from 0.
static enum anl_status fill_queues(const struct stress *stress, struct packets *packets)
{
    bool taken[2 * MOST_SLOTS];
    enum anl_status status = ANL_OK;
    for (uint32_t node = 0, worm = 0; node < stress->n * stress->n; node++) {
        fill_slots(stress, node, taken);
        for (uint32_t slot = 0; slot < stress->f && !status; slot++)
            if (taken[slot]) status = packets_add(packets, node, worm++);
    }
    return status;
}

// Fills in the node in which each worm ends.
static enum anl_status foresee(struct stress *stress, uint32_t *ends)
{
    struct packets packets;
    struct anl_error error;
    enum anl_status status = packets_create(stress->n, push, stress, &packets, &error);
    if (!status) status = fill_queues(stress, &packets);
    for (uint32_t i = 0; i < stress->supersteps && !status; i++)
        status = packets_step(&packets);
    for (uint32_t node = 0; node < stress->n * stress->n && !status; node++)
        for (uint32_t i = 0; i < packets.queues[node].count; i++)
            ends[packets.queues[node].worms[i]] = node;
    packets_free(&packets);
    return status;
}

// Loads a supernode with worms that go to random cells of those in which they end.
static enum anl_status load(const struct stress *stress, struct trial *trial, uint32_t supernode,
                            const uint32_t *ends)
{
    struct anl_rng rng = anl_rng_seed(stress->seed, supernode);
    const struct layout *layout = &trial->layout;
    bool taken[2 * MOST_SLOTS];
    enum anl_status status = ANL_OK;
    fill_slots(stress, supernode, taken);
    for (uint32_t i = 0; i < stress->f && !status; i++) {
        if (!taken[i]) continue;
        const enum side side = i < layout->slots ? SIDE_LEFT : SIDE_RIGHT;
        const uint32_t worm = (uint32_t)anl_bufferless_totals(trial->snakes.machine).enqueued;
        uint32_t cell = anl_rng_below(&rng, layout->cells), id;
        if (cell == snakes_door(layout, side)) cell = layout->centre;
        status = snakes_load(&trial->snakes, supernode, side, i % layout->slots,
                             snakes_node(&trial->snakes, ends[worm], cell), &id);
        if (!status) status = trial_note(trial, id, supernode, ends[worm]);
    }
    return status;
}

enum anl_status stress_run(struct stress *stress, struct trial *trial)
{
    const uint32_t nodes = stress->n * stress->n;
    uint32_t *ends = calloc((size_t)nodes * stress->f, sizeof *ends);
    enum anl_status status = ends ? foresee(stress, ends) : ANL_ERR_MEMORY;
    trial_begin(trial);
    for (uint32_t node = 0; node < nodes && !status; node++)
        status = load(stress, trial, node, ends);
    free(ends);
    return status ? status : trial_run(trial, stress->supersteps);
}

// --- what must not be left out ---

// SPURS: another number of spurs than five.
enum kind {
    NOTHING,
    NO_DELAY,
    ALL_DELAY,
    EVEN_DELAY,
    NO_FIRST_DELAY,
    NONE_AHEAD,
    ALL_AHEAD,
    K_LATE,
    K_EARLY,
    STEP_LATE,
    NO_BALANCE,
    WRONG_GAPS,
    SPURS
};

static const struct {
    enum kind kind;
    uint32_t spurs;
    const char *name;
} controls[] = {
    {NOTHING, 5, "nothing"},
    {NOTHING, 7, "7 spurs"},
    {NO_DELAY, 5, "odd supernodes do not delay worms that arrive"},
    {ALL_DELAY, 5, "even supernodes delay worms as well"},
    {EVEN_DELAY, 5, "even supernodes delay worms in place of odd ones"},
    {NO_FIRST_DELAY, 5, "no delay in extraction"},
    {NONE_AHEAD, 5, "no supernode is ahead"},
    {ALL_AHEAD, 5, "all supernodes are ahead"},
    {K_LATE, 5, "transmission k steps late"},
    {K_EARLY, 5, "transmission k steps early"},
    {STEP_LATE, 5, "transmission a step late"},
    {NO_BALANCE, 5, "trains do not exchange slots"},
    {WRONG_GAPS, 5, "gaps are wrong by a slot"},
    {SPURS, 0, "no spur"},
    {SPURS, 1, "1 spur"},
    {SPURS, 2, "2 spurs"},
    {SPURS, 3, "3 spurs"},
    {SPURS, 4, "4 spurs"},
    {SPURS, 6, "6 spurs"},
    {SPURS, 8, "8 spurs"},
};

const char *control_name(uint32_t control)
{
    return control < sizeof controls / sizeof *controls ? controls[control].name : NULL;
}

bool control_is_right(uint32_t control) { return controls[control].kind == NOTHING; }

static void break_rule(struct rules *rules, enum kind kind, uint32_t k)
{
    if (kind == NO_DELAY || kind == EVEN_DELAY) rules->delays[0] = false;
    if (kind == ALL_DELAY || kind == EVEN_DELAY) rules->delays[1] = true;
    if (kind == NO_FIRST_DELAY) rules->delays_first = false;
    if (kind == NONE_AHEAD) rules->lead[1] = 0;
    if (kind == ALL_AHEAD) rules->lead[0] = 1;
    if (kind == K_LATE) rules->transmission += k;
    if (kind == K_EARLY) rules->transmission -= k;
    if (kind == STEP_LATE) rules->transmission += 1;
    if (kind == NO_BALANCE) rules->balances = false;
    if (kind == WRONG_GAPS) rules->gap_error = 1;
}

// Puts another layout into a trial without worms.
static enum anl_status change_spurs(struct stress *stress, struct trial *trial, uint32_t spurs,
                                    struct anl_error *error)
{
    snakes_free(&trial->snakes);
    layout_free(&trial->layout);
    enum anl_status status =
        layout_create_spurs(stress->f, stress->k, spurs, &trial->layout, error);
    if (!status)
        status = snakes_create(&trial->layout, stress->n, push, stress, &trial->snakes, error);
    if (!status) watch_start(&trial->watch, &trial->snakes);
    return status;
}

enum anl_status control_run(uint32_t control, const char **found, struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    *found = NULL;
    for (int fill = 0; fill < (int)FILLS && !*found && !status; fill++) {
        struct stress stress = {12, 4, 3, 3, (enum fill)fill, true, 5};
        struct trial trial;
        status = stress_create(&stress, &trial, error);
        if (status) return status;
        status = change_spurs(&stress, &trial, controls[control].spurs, error);
        if (!status) {
            break_rule(&trial.snakes.rules, controls[control].kind, stress.k);
            status = cli_fail(stress_run(&stress, &trial), error);
            *found = trial.wrong;
        }
        trial_free(&trial);
    }
    return status;
}
