// SPDX-License-Identifier: Apache-2.0
//
// The referee of sliding diagonals. It remembers where each flit was seen last, and where the head
// of each worm must go from there; the flits behind it must go where the one before them was.

#include <annelid/diagonals_referee.h>
#include <stdlib.h>

enum { MOST_D = 8, MOST_LENGTH = 4096, MOST_REGISTERS = 1 << 28 };
// Places that are no register: a flit has not entered, or has left; where a head may not be.
#define OUTSIDE UINT32_MAX
#define LEFT (UINT32_MAX - 1)
#define NOWHERE (UINT32_MAX - 2)

struct contest {
    struct anl_worm worm;
    uint32_t goes;                 // where its head must be at the start of the next step
    enum anl_diagonals_rule rule;  // which it breaks if it is not there
    bool delivered;                // its head has left at its destination
};

// A flit of a worm: where it is, and where it was one step before.
struct sight {
    uint64_t step;  // in which it was seen last, + 1; or in which it left, + 2
    uint32_t place, before;
};

struct register_sight {
    uint64_t step;  // in which a flit was seen here last, + 1
    uint32_t worm, index;
};

enum phase { DISTRIBUTION, IN_BLOCK, ANYWHERE, REORDER, ROUNDS, STAGE_PHASES, DELIVERY };

struct anl_diagonals_referee {
    struct anl_diagonals_torus torus;
    uint32_t nodes, links, powers[MOST_D + 1];
    uint64_t lengths[STAGE_PHASES], stage;  // in steps
    uint64_t step, delivered, failed;
    struct contest *worms;
    struct sight *sights;  // [num_worms * length]
    uint32_t num_worms;
    uint64_t present;  // flits in the network
    struct register_sight *registers;
    uint64_t *turned;  // [nodes * d] start of the batch of the last worm that turned here, + 1
    struct anl_diagonals_violation violation;
};

// --- sizes ---

static bool has_parameters(const struct anl_diagonals_torus *torus)
{
    const uint64_t slots = (uint64_t)torus->a * torus->b * torus->length;
    return torus->n >= 2 && torus->d >= 2 && torus->d <= MOST_D && torus->length >= 1 &&
           torus->length <= MOST_LENGTH && slots > 0 && torus->n % slots == 0 && torus->c >= 2 &&
           torus->n % torus->c == 0 && torus->rounds >= 1 && torus->round_cycles >= 1;
}

static bool has_size(struct anl_diagonals_referee *referee)
{
    const struct anl_diagonals_torus *torus = &referee->torus;
    referee->powers[0] = 1;
    for (uint32_t i = 0; i < torus->d; i++) {
        if (referee->powers[i] > MOST_REGISTERS / torus->n) return false;
        referee->powers[i + 1] = referee->powers[i] * torus->n;
    }
    referee->nodes = referee->powers[torus->d];
    if (referee->nodes > MOST_REGISTERS / (2 * torus->d)) return false;
    referee->links = referee->nodes * 2 * torus->d;
    return true;
}

static void set_lengths(struct anl_diagonals_referee *referee)
{
    const struct anl_diagonals_torus *torus = &referee->torus;
    const uint64_t around = torus->n + torus->length;
    const uint64_t lengths[] = {
        [DISTRIBUTION] = around,
        [IN_BLOCK] = around,
        [ANYWHERE] = around,
        [REORDER] = torus->c + 2 * torus->length,
        [ROUNDS] = (uint64_t)torus->rounds * torus->round_cycles,
    };
    for (unsigned i = 0; i < STAGE_PHASES; i++) {
        referee->lengths[i] = lengths[i];
        referee->stage += lengths[i];
    }
}

enum anl_status anl_diagonals_referee_create(const struct anl_diagonals_torus *torus,
                                             struct anl_diagonals_referee **referee)
{
    *referee = NULL;
    if (!has_parameters(torus)) return ANL_ERR_ARGUMENT;
    struct anl_diagonals_referee *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    made->torus = *torus;
    if (!has_size(made)) {
        free(made);
        return ANL_ERR_ARGUMENT;
    }
    set_lengths(made);
    made->registers = calloc(made->links, sizeof *made->registers);
    made->turned = calloc((size_t)made->nodes * torus->d, sizeof *made->turned);
    if (!made->registers || !made->turned) {
        anl_diagonals_referee_destroy(made);
        return ANL_ERR_MEMORY;
    }
    *referee = made;
    return ANL_OK;
}

void anl_diagonals_referee_destroy(struct anl_diagonals_referee *referee)
{
    if (!referee) return;
    free(referee->worms);
    free(referee->sights);
    free(referee->registers);
    free(referee->turned);
    free(referee);
}

// Returns how many steps lie between the starts of two batches.
static uint64_t period(const struct anl_diagonals_referee *referee)
{
    if (referee->torus.d > 2) return 2 * referee->stage;
    return referee->stage + referee->torus.n + referee->torus.length;
}

enum anl_status anl_diagonals_referee_worm(struct anl_diagonals_referee *referee,
                                           const struct anl_worm *worm)
{
    const uint32_t length = referee->torus.length, known = referee->num_worms;
    if (worm->source >= referee->nodes || worm->destination >= referee->nodes ||
        worm->length != length || worm->created % period(referee) != 0 || known >= LEFT)
        return ANL_ERR_ARGUMENT;
    if ((known & (known - 1)) == 0) {  // there is room for 1, 2, 4, …
        const size_t room = known ? 2 * (size_t)known : 1;
        struct contest *worms = realloc(referee->worms, room * sizeof *worms);
        if (worms) referee->worms = worms;
        struct sight *sights = realloc(referee->sights, room * length * sizeof *sights);
        if (sights) referee->sights = sights;
        if (!worms || !sights) return ANL_ERR_MEMORY;
    }
    for (uint32_t j = 0; j < length; j++)
        referee->sights[(size_t)known * length + j] = (struct sight){0, OUTSIDE, OUTSIDE};
    referee->worms[referee->num_worms++] = (struct contest){.worm = *worm};
    return ANL_OK;
}

// --- the torus ---

static uint32_t coordinate(const struct anl_diagonals_referee *referee, uint32_t node, uint32_t dim)
{
    return node / referee->powers[dim] % referee->torus.n;
}

// Returns the register at the end of the link that leaves a node in a direction.
static uint32_t neighbour(const struct anl_diagonals_referee *referee, uint32_t node, uint32_t dim,
                          bool minus)
{
    const uint32_t n = referee->torus.n, power = referee->powers[dim];
    const uint32_t at = coordinate(referee, node, dim), to = (at + (minus ? n - 1 : 1)) % n;
    return (node - at * power + to * power) * 2 * referee->torus.d + 2 * dim + minus;
}

static bool is_held(const struct anl_diagonals_referee *referee, uint32_t link)
{
    return referee->registers[link].step == referee->step + 1;
}

static bool is_slot(const struct anl_diagonals_torus *torus, uint32_t x, uint32_t y)
{
    const uint32_t apart = torus->b * torus->length, sum = (x + y) % torus->n;
    return sum % apart == 0 && (sum / apart + torus->n - y) % torus->a == 0;
}

// The rows of a row block.
struct block {
    uint32_t bottom, top;  // of its reservoir; its highest row
};

static struct block block_of(const struct anl_diagonals_torus *torus, uint32_t y)
{
    const uint32_t height = torus->c * torus->length, first = y / height * height;
    const uint32_t rows = first + height > torus->n ? torus->n - first : height;
    return (struct block){first + (rows - 1) % torus->length, first + rows - 1};
}

// --- where a head must go ---

// A head, and the step as its batch counts it.
struct head {
    struct contest *contest;
    uint32_t node, dim;  // of its register
    bool minus;
    uint32_t stage;
    enum phase phase;
    uint64_t u;                 // step of the phase
    uint32_t x, y, to_x, to_y;  // in the dimensions of the stage
};

static uint32_t go(const struct anl_diagonals_referee *referee, const struct head *head,
                   uint32_t dim, bool minus)
{
    return neighbour(referee, head->node, dim, minus);
}

static uint32_t register_of(const struct anl_diagonals_referee *referee, const struct head *head)
{
    return head->node * 2 * referee->torus.d + 2 * head->dim + head->minus;
}

// Returns whether there is a head on +y at the node of a head.
static bool another_climbs(const struct anl_diagonals_referee *referee, const struct head *head)
{
    const uint32_t link = head->node * 2 * referee->torus.d + 2 * (head->stage + 1);
    return is_held(referee, link) && referee->registers[link].index == 0;
}

static bool has_turned(const struct anl_diagonals_referee *referee, const struct head *head,
                       uint32_t node)
{
    return referee->turned[node * referee->torus.d + head->stage] ==
           head->contest->worm.created + 1;
}

static bool row_is_full(const struct anl_diagonals_referee *referee, const struct head *head)
{
    const struct anl_diagonals_torus *torus = &referee->torus;
    const uint32_t power = referee->powers[head->stage], first = head->node - head->x * power;
    uint32_t turned = 0;
    for (uint32_t x = 0; x < torus->n; x++)
        turned += has_turned(referee, head, first + x * power);
    return turned >= torus->n / (torus->a * torus->b * torus->length);
}

static uint32_t in_distribution(struct anl_diagonals_referee *referee, const struct head *head)
{
    const struct anl_diagonals_torus *torus = &referee->torus;
    if (head->u == 0 && !head->minus)  // LEFT: it has found no column in the stage before
        return head->dim + 1 == head->stage ? LEFT : NOWHERE;
    if (head->dim != head->stage) return NOWHERE;
    if (!head->minus)
        return is_slot(torus, head->x, head->y) ? register_of(referee, head)
                                                : go(referee, head, head->stage, false);
    if (is_slot(torus, (head->x + torus->length) % torus->n, head->y) &&
        !has_turned(referee, head, head->node)) {
        referee->turned[head->node * torus->d + head->stage] = head->contest->worm.created + 1;
        return go(referee, head, head->stage, false);
    }
    if (head->u >= torus->n && row_is_full(referee, head)) return LEFT;
    return go(referee, head, head->stage, true);
}

static uint32_t in_phase_1(const struct anl_diagonals_referee *referee, const struct head *head)
{
    const struct anl_diagonals_torus *torus = &referee->torus;
    const bool climbs = head->dim == head->stage + 1;
    if (head->minus || (!climbs && head->dim != head->stage)) return NOWHERE;
    const bool fits = head->phase == ANYWHERE || head->x / torus->c == head->to_x / torus->c;
    const bool turns = head->u < torus->n && fits && !another_climbs(referee, head);
    return go(referee, head, head->stage + (climbs || turns), false);
}

// Returns whether the registers of -y of a row block hold flits, from the bottom up to a row.
static bool is_filled(const struct anl_diagonals_referee *referee, const struct head *head,
                      uint32_t row)
{
    const uint32_t dim = head->stage + 1, power = referee->powers[dim];
    for (uint32_t y = block_of(&referee->torus, head->y).bottom; y <= row; y++) {
        const uint32_t node = head->node - head->y * power + y * power;
        if (!is_held(referee, node * 2 * referee->torus.d + 2 * dim + 1)) return false;
    }
    return true;
}

// Returns where a head goes that climbs in its column, or comes to it; LEFT: the reservoir is full.
static uint32_t climb(const struct anl_diagonals_referee *referee, const struct head *head)
{
    const struct block block = block_of(&referee->torus, head->y);
    if (head->y < block.top) return go(referee, head, head->stage + 1, false);
    if (block.top == 0 || is_filled(referee, head, block.top - 1)) return LEFT;
    return go(referee, head, head->stage + 1, true);
}

static uint32_t in_reservoir(const struct anl_diagonals_referee *referee, const struct head *head)
{
    if (!head->minus) return climb(referee, head);
    const struct block block = block_of(&referee->torus, head->y);
    if (head->y < block.bottom || head->y == block.top) return NOWHERE;
    return is_filled(referee, head, head->y) ? register_of(referee, head)
                                             : go(referee, head, head->stage + 1, true);
}

static uint32_t in_a_round(const struct anl_diagonals_referee *referee, const struct head *head)
{
    const struct anl_diagonals_torus *torus = &referee->torus;
    const uint64_t u = head->u % torus->round_cycles, forth = 2 * (uint64_t)torus->forward;
    if (head->dim != head->stage) return NOWHERE;
    if (u >= forth + 2 * torus->length) return register_of(referee, head);
    if (u >= torus->forward) return go(referee, head, head->stage, u < forth + torus->length);
    const bool asks = head->x == head->to_x && !another_climbs(referee, head);
    const uint32_t taken = asks ? climb(referee, head) : LEFT;
    return taken != LEFT ? taken : go(referee, head, head->stage, false);
}

static uint32_t in_delivery(const struct anl_diagonals_referee *referee, const struct head *head)
{
    if (head->dim == head->stage && !head->minus) return LEFT;
    if (head->dim != head->stage + 1 || !head->minus) return NOWHERE;
    return head->y == head->to_y ? LEFT : go(referee, head, head->stage + 1, true);
}

static void find_moment(const struct anl_diagonals_referee *referee, struct head *head)
{
    const uint64_t age = referee->step - head->contest->worm.created;
    const uint32_t stages = referee->torus.d - 1;
    head->u = age % referee->stage;
    head->stage = (uint32_t)(age / referee->stage);
    if (head->stage >= stages) {
        head->u = age - stages * referee->stage;
        head->stage = stages - 1;
        head->phase = DELIVERY;
        return;
    }
    for (head->phase = DISTRIBUTION; head->u >= referee->lengths[head->phase]; head->phase++)
        head->u -= referee->lengths[head->phase];
}

// Returns the rule that says where a head goes.
static enum anl_diagonals_rule rule_of(const struct head *head)
{
    static const enum anl_diagonals_rule rules[] = {
        [DISTRIBUTION] = ANL_DIAGONALS_DISTRIBUTION,
        [IN_BLOCK] = ANL_DIAGONALS_PHASE_1,
        [ANYWHERE] = ANL_DIAGONALS_PHASE_1,
        [REORDER] = ANL_DIAGONALS_REORDER,
        [ROUNDS] = ANL_DIAGONALS_PHASE_2,
        [DELIVERY] = ANL_DIAGONALS_DELIVERY,
    };
    if (head->phase == ROUNDS && head->dim == head->stage + 1) return ANL_DIAGONALS_RESERVOIR;
    return rules[head->phase];
}

static uint32_t place_of(struct anl_diagonals_referee *referee, const struct head *head,
                         enum anl_diagonals_rule rule)
{
    switch (rule) {
    case ANL_DIAGONALS_DISTRIBUTION:
        return in_distribution(referee, head);
    case ANL_DIAGONALS_PHASE_1:
        return in_phase_1(referee, head);
    case ANL_DIAGONALS_REORDER:
        return go(referee, head, head->stage,
                  head->u < (uint64_t)referee->torus.c + referee->torus.length);
    case ANL_DIAGONALS_PHASE_2:
        return in_a_round(referee, head);
    case ANL_DIAGONALS_RESERVOIR:
        return in_reservoir(referee, head);
    case ANL_DIAGONALS_DELIVERY:
        return in_delivery(referee, head);
    default:
        return NOWHERE;
    }
}

// Finds out where the head in a register goes in this step, for the next one.
static void decide(struct anl_diagonals_referee *referee, uint32_t link)
{
    const uint32_t d = referee->torus.d, worm = referee->registers[link].worm;
    struct head head = {.contest = &referee->worms[worm],
                        .node = link / (2 * d),
                        .dim = link % (2 * d) / 2,
                        .minus = link & 1};
    find_moment(referee, &head);
    const uint32_t to = head.contest->worm.destination;
    head.x = coordinate(referee, head.node, head.stage);
    head.y = coordinate(referee, head.node, head.stage + 1);
    head.to_x = coordinate(referee, to, head.stage);
    head.to_y = coordinate(referee, to, head.stage + 1);
    head.contest->rule = rule_of(&head);
    head.contest->goes = place_of(referee, &head, head.contest->rule);
}

// --- flits ---

static bool refuse(struct anl_diagonals_referee *referee, enum anl_diagonals_rule rule,
                   const struct anl_flit *flit)
{
    referee->violation =
        (struct anl_diagonals_violation){rule, referee->step, flit->link, flit->worm, flit->index};
    return false;
}

static struct sight *sight_of(const struct anl_diagonals_referee *referee, uint32_t worm,
                              uint32_t index)
{
    return &referee->sights[(size_t)worm * referee->torus.length + index];
}

static bool is_known(const struct anl_diagonals_referee *referee, const struct anl_flit *flit)
{
    const uint32_t length = referee->torus.length;
    return flit->worm < referee->num_worms && flit->link < referee->links && flit->index < length &&
           flit->head == (flit->index == 0) && flit->tail == (flit->index + 1u == length);
}

// Notes where a flit is at the start of this step.
static bool stands(struct anl_diagonals_referee *referee, const struct anl_flit *flit)
{
    if (!is_known(referee, flit)) return refuse(referee, ANL_DIAGONALS_UNKNOWN_FLIT, flit);
    if (is_held(referee, flit->link)) return refuse(referee, ANL_DIAGONALS_ONE_FLIT, flit);
    struct sight *sight = sight_of(referee, flit->worm, flit->index);
    if (sight->step == referee->step + 1) return refuse(referee, ANL_DIAGONALS_UNKNOWN_FLIT, flit);
    referee->registers[flit->link] =
        (struct register_sight){referee->step + 1, flit->worm, flit->index};
    *sight = (struct sight){referee->step + 1, flit->link, sight->place};
    return true;
}

// Returns whether a flit is where the one before it was, and goes on if that one does.
static bool follows(const struct anl_diagonals_referee *referee, const struct anl_flit *flit,
                    const struct sight *sight)
{
    const struct sight *ahead = sight_of(referee, flit->worm, flit->index - 1u);
    if (ahead->step != referee->step + 1) return false;
    return sight->place == (ahead->place == ahead->before ? sight->before : ahead->before);
}

// Looks at where a flit has come from.
static bool has_come(struct anl_diagonals_referee *referee, const struct anl_flit *flit)
{
    const struct contest *contest = &referee->worms[flit->worm];
    const struct sight *sight = sight_of(referee, flit->worm, flit->index);
    const uint64_t due = contest->worm.created + flit->index + 1;
    const bool enters = sight->before == OUTSIDE;
    const uint32_t door = neighbour(referee, contest->worm.source, 0, true);
    if (enters ? referee->step != due || flit->link != door : sight->before == LEFT)
        return refuse(referee, ANL_DIAGONALS_ENTERS, flit);
    if (!enters && flit->head && contest->goes != flit->link)
        return refuse(referee, contest->rule, flit);
    if (!flit->head && !follows(referee, flit, sight))
        return refuse(referee, ANL_DIAGONALS_CONTIGUOUS, flit);
    return true;
}

// Looks for a flit that was in the network and has not been seen in this step; at the end also for
// one that has never been there.
static bool lose(struct anl_diagonals_referee *referee, bool ends)
{
    const size_t flits = (size_t)referee->num_worms * referee->torus.length;
    for (size_t i = 0; i < flits; i++) {
        const struct sight *sight = &referee->sights[i];
        if (sight->place == LEFT || sight->step == referee->step + 1) continue;
        if (sight->place == OUTSIDE && !ends) continue;
        const struct anl_flit flit = {.link = sight->place,
                                      .worm = (uint32_t)(i / referee->torus.length),
                                      .index = (uint16_t)(i % referee->torus.length)};
        return refuse(referee, ANL_DIAGONALS_LOST, &flit);
    }
    return true;
}

// Notes that a flit leaves the network in this step.
static bool leaves(struct anl_diagonals_referee *referee, const struct anl_flit *flit)
{
    if (!is_known(referee, flit)) return refuse(referee, ANL_DIAGONALS_UNKNOWN_FLIT, flit);
    struct contest *contest = &referee->worms[flit->worm];
    struct sight *sight = sight_of(referee, flit->worm, flit->index);
    if (sight->step != referee->step + 1 || sight->place != flit->link)
        return refuse(referee, ANL_DIAGONALS_UNKNOWN_FLIT, flit);
    if (flit->head) {
        if (contest->goes != LEFT) return refuse(referee, contest->rule, flit);
        contest->delivered = contest->rule == ANL_DIAGONALS_DELIVERY && (flit->link & 1);
    } else {
        const struct sight *ahead = sight_of(referee, flit->worm, flit->index - 1u);
        if (ahead->step != referee->step + 1 || ahead->place != LEFT || ahead->before != flit->link)
            return refuse(referee, ANL_DIAGONALS_CONTIGUOUS, flit);
    }
    *sight = (struct sight){referee->step + 2, LEFT, flit->link};
    referee->present--;
    referee->delivered += flit->tail && contest->delivered;
    referee->failed += flit->tail && !contest->delivered;
    return true;
}

bool anl_diagonals_referee_step(struct anl_diagonals_referee *referee, uint64_t step,
                                const struct anl_flit *standing, size_t num_standing,
                                const struct anl_flit *leaving, size_t num_leaving)
{
    uint64_t entered = 0;
    if (referee->violation.rule) return false;
    referee->step = step;
    for (size_t i = 0; i < num_standing; i++)
        if (!stands(referee, &standing[i])) return false;
    for (size_t i = 0; i < num_standing; i++) {
        if (!has_come(referee, &standing[i])) return false;
        entered += sight_of(referee, standing[i].worm, standing[i].index)->before == OUTSIDE;
    }
    if (num_standing - entered != referee->present) return lose(referee, false);
    referee->present = num_standing;
    for (size_t i = 0; i < num_standing; i++)
        if (standing[i].head) decide(referee, standing[i].link);
    for (size_t i = 0; i < num_leaving; i++)
        if (!leaves(referee, &leaving[i])) return false;
    return true;
}

bool anl_diagonals_referee_end(struct anl_diagonals_referee *referee)
{
    if (referee->violation.rule) return false;
    referee->step++;
    return lose(referee, true);
}

void anl_diagonals_referee_count(const struct anl_diagonals_referee *referee, uint64_t *delivered,
                                 uint64_t *failed)
{
    *delivered = referee->delivered;
    *failed = referee->failed;
}

const struct anl_diagonals_violation *
anl_diagonals_referee_violation(const struct anl_diagonals_referee *referee)
{
    return &referee->violation;
}

const char *anl_diagonals_rule_name(enum anl_diagonals_rule rule)
{
    static const char *const names[] = {
        [ANL_DIAGONALS_KEPT] = "kept",
        [ANL_DIAGONALS_UNKNOWN_FLIT] = "unknown_flit",
        [ANL_DIAGONALS_ONE_FLIT] = "one_flit",
        [ANL_DIAGONALS_ENTERS] = "enters",
        [ANL_DIAGONALS_CONTIGUOUS] = "contiguous",
        [ANL_DIAGONALS_DISTRIBUTION] = "distribution",
        [ANL_DIAGONALS_PHASE_1] = "phase_1",
        [ANL_DIAGONALS_REORDER] = "reorder",
        [ANL_DIAGONALS_PHASE_2] = "phase_2",
        [ANL_DIAGONALS_RESERVOIR] = "reservoir",
        [ANL_DIAGONALS_DELIVERY] = "delivery",
        [ANL_DIAGONALS_LOST] = "lost",
    };
    return names[rule];
}
