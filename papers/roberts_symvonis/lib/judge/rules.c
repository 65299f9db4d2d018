// SPDX-License-Identifier: Apache-2.0
//
// The referee of the mesh without buffers. For every flit it remembers on which link it was seen
// last, and for every link which flit it saw there last.

#include <annelid/bufferless_referee.h>
#include <stdlib.h>

enum { PORTS = 5, TERMINAL = 4, MOST_N = 512 };
#define NOWHERE UINT32_MAX

// A flit of a worm. Step 0 is before all steps.
struct sight {
    uint64_t step;  // in which it was seen last
    uint32_t link;
    bool consumed;
};

struct contest {
    struct anl_worm worm;
    size_t first;  // its flits in sights
};

// What was seen last on a link; of port 4, what was consumed.
struct link_sight {
    uint64_t step;
    uint32_t worm, index;
};

struct anl_bufferless_referee {
    uint32_t n;
    bool any_path;
    uint64_t step;
    struct contest *worms;
    struct sight *sights;
    size_t num_worms, num_sights;
    struct link_sight *links;  // [n * n * PORTS]
    struct anl_flit *before;   // that stood at the start of the step before
    size_t num_before;
    struct anl_bufferless_violation violation;
};

enum anl_status anl_bufferless_referee_create(uint32_t n, struct anl_bufferless_referee **referee)
{
    *referee = NULL;
    if (n < 1 || n > MOST_N) return ANL_ERR_ARGUMENT;
    struct anl_bufferless_referee *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    made->n = n;
    made->links = calloc((size_t)n * n * PORTS, sizeof *made->links);
    made->before = calloc((size_t)n * n * PORTS, sizeof *made->before);
    if (!made->links || !made->before) {
        anl_bufferless_referee_destroy(made);
        return ANL_ERR_MEMORY;
    }
    *referee = made;
    return ANL_OK;
}

void anl_bufferless_referee_any_path(struct anl_bufferless_referee *referee)
{
    referee->any_path = true;
}

void anl_bufferless_referee_destroy(struct anl_bufferless_referee *referee)
{
    if (!referee) return;
    free(referee->worms);
    free(referee->sights);
    free(referee->links);
    free(referee->before);
    free(referee);
}

enum anl_status anl_bufferless_referee_worm(struct anl_bufferless_referee *referee,
                                            const struct anl_worm *worm)
{
    const uint32_t nodes = referee->n * referee->n;
    if (worm->source >= nodes || worm->destination >= nodes || worm->length == 0)
        return ANL_ERR_ARGUMENT;
    struct contest *worms =
        realloc(referee->worms, (referee->num_worms + 1) * sizeof *referee->worms);
    if (!worms) return ANL_ERR_MEMORY;
    referee->worms = worms;
    const size_t flits = referee->num_sights + worm->length;
    struct sight *sights = realloc(referee->sights, flits * sizeof *referee->sights);
    if (!sights) return ANL_ERR_MEMORY;
    referee->sights = sights;
    worms[referee->num_worms++] = (struct contest){*worm, referee->num_sights};
    while (referee->num_sights < flits)
        sights[referee->num_sights++] = (struct sight){0};
    return ANL_OK;
}

// --- the mesh ---

// Returns the node at the end of a link; NOWHERE if there is no such link.
static uint32_t end_of(const struct anl_bufferless_referee *referee, uint32_t link)
{
    const uint32_t n = referee->n, node = link / PORTS, row = node / n, column = node % n;
    if (row >= n) return NOWHERE;
    switch (link % PORTS) {
    case 0:
        return column + 1 < n ? node + 1 : NOWHERE;
    case 1:
        return column > 0 ? node - 1 : NOWHERE;
    case 2:
        return row + 1 < n ? node + n : NOWHERE;
    case 3:
        return row > 0 ? node - n : NOWHERE;
    default:
        return node;
    }
}

static uint32_t gap(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

static uint32_t distance(const struct anl_bufferless_referee *referee, const struct anl_worm *worm)
{
    const uint32_t n = referee->n;
    return gap(worm->source / n, worm->destination / n) +
           gap(worm->source % n, worm->destination % n);
}

// Returns whether a link lies on the one-bend path of a worm: in the row of the source towards the
// column of the destination, or in this column towards the destination.
static bool on_path(const struct anl_bufferless_referee *referee, const struct anl_worm *worm,
                    uint32_t link)
{
    const uint32_t n = referee->n, from = link / PORTS, to = end_of(referee, link);
    const uint32_t left = worm->source % n, right = worm->destination % n;
    const uint32_t above = worm->source / n, below = worm->destination / n;
    if (link % PORTS < 2)
        return from / n == above && gap(from % n, left) + 1 == gap(to % n, left) &&
               gap(from % n, right) == gap(to % n, right) + 1;
    return from % n == right && gap(from / n, above) + 1 == gap(to / n, above) &&
           gap(from / n, below) == gap(to / n, below) + 1;
}

// --- rules ---

static bool break_rule(struct anl_bufferless_referee *referee, enum anl_bufferless_rule rule,
                       uint32_t link, uint32_t worm, uint32_t index)
{
    referee->violation = (struct anl_bufferless_violation){rule, referee->step, link, worm, index};
    return false;
}

static bool refuse(struct anl_bufferless_referee *referee, enum anl_bufferless_rule rule,
                   const struct anl_flit *flit)
{
    return break_rule(referee, rule, flit->link, flit->worm, flit->index);
}

static struct sight *sight_of(struct anl_bufferless_referee *referee, const struct anl_flit *flit)
{
    return &referee->sights[referee->worms[flit->worm].first + flit->index];
}

static bool is_known(const struct anl_bufferless_referee *referee, const struct anl_flit *flit,
                     bool consumed)
{
    if (flit->worm >= referee->num_worms || end_of(referee, flit->link) == NOWHERE) return false;
    const struct anl_worm *worm = &referee->worms[flit->worm].worm;
    return flit->index < worm->length && flit->head == (flit->index == 0) &&
           flit->tail == (flit->index + 1 == worm->length) && flit->vc == 0 &&
           consumed == (flit->link % PORTS == TERMINAL);
}

// Returns whether a flit that crossed a link in the step before was at the beginning of this link:
// it stood there and was not consumed, or it is new and leaves its source on time.
static bool came_from_there(const struct anl_bufferless_referee *referee,
                            const struct anl_flit *flit, const struct sight *sight)
{
    const struct anl_worm *worm = &referee->worms[flit->worm].worm;
    const uint32_t from = flit->link / PORTS;
    const uint64_t crossed = referee->step - 1;
    if (sight->step == 0) return from == worm->source && crossed == worm->created + flit->index;
    return sight->step == crossed && !sight->consumed && end_of(referee, sight->link) == from;
}

// Returns whether the flit before it crossed the same link one step earlier.
static bool follows(const struct anl_bufferless_referee *referee, const struct anl_flit *flit)
{
    const struct link_sight *last = &referee->links[flit->link];
    return flit->index == 0 || (last->step + 1 == referee->step && last->worm == flit->worm &&
                                last->index + 1 == flit->index);
}

static bool stands(struct anl_bufferless_referee *referee, const struct anl_flit *flit)
{
    if (!is_known(referee, flit, false)) return refuse(referee, ANL_BUFFERLESS_UNKNOWN_FLIT, flit);
    struct sight *sight = sight_of(referee, flit);
    if (referee->links[flit->link].step == referee->step)
        return refuse(referee, ANL_BUFFERLESS_ONE_FLIT, flit);
    if (!came_from_there(referee, flit, sight))
        return refuse(referee, ANL_BUFFERLESS_NO_IDLE, flit);
    if (!follows(referee, flit)) return refuse(referee, ANL_BUFFERLESS_CONTIGUOUS, flit);
    if (!referee->any_path && !on_path(referee, &referee->worms[flit->worm].worm, flit->link))
        return refuse(referee, ANL_BUFFERLESS_ONE_BEND, flit);
    referee->links[flit->link] = (struct link_sight){referee->step, flit->worm, flit->index};
    *sight = (struct sight){referee->step, flit->link, false};
    return true;
}

// Looks for a flit of the step before that is gone.
static bool none_is_lost(struct anl_bufferless_referee *referee)
{
    for (size_t i = 0; i < referee->num_before; i++) {
        const struct anl_flit *flit = &referee->before[i];
        const struct sight *sight = sight_of(referee, flit);
        if (!sight->consumed && sight->step != referee->step)
            return refuse(referee, ANL_BUFFERLESS_NO_IDLE, flit);
    }
    return true;
}

// Looks for a worm that does not go on behind a flit of the step before.
static bool all_go_on(struct anl_bufferless_referee *referee)
{
    for (size_t i = 0; i < referee->num_before; i++) {
        const struct anl_flit *flit = &referee->before[i];
        const struct link_sight *link = &referee->links[flit->link];
        if (!flit->tail && (link->step != referee->step || link->worm != flit->worm))
            return refuse(referee, ANL_BUFFERLESS_CONTIGUOUS, flit);
    }
    return true;
}

// Returns whether a flit is consumed when it must be. On any path that is where and when the flit
// before it was, one step later.
static bool is_on_time(const struct anl_bufferless_referee *referee, const struct anl_flit *flit)
{
    const struct anl_worm *worm = &referee->worms[flit->worm].worm;
    if (referee->any_path) return follows(referee, flit);
    return referee->step == worm->created + distance(referee, worm) + flit->index;
}

static bool is_consumed(struct anl_bufferless_referee *referee, const struct anl_flit *flit)
{
    if (!is_known(referee, flit, true)) return refuse(referee, ANL_BUFFERLESS_UNKNOWN_FLIT, flit);
    const struct anl_worm *worm = &referee->worms[flit->worm].worm;
    struct sight *sight = sight_of(referee, flit);
    const uint32_t node = flit->link / PORTS;
    if (referee->links[flit->link].step == referee->step)
        return refuse(referee, ANL_BUFFERLESS_ONE_ARRIVAL, flit);
    if (sight->step != referee->step || end_of(referee, sight->link) != node)
        return refuse(referee, ANL_BUFFERLESS_NO_IDLE, flit);
    if (node != worm->destination || !is_on_time(referee, flit))
        return refuse(referee, ANL_BUFFERLESS_ON_TIME, flit);
    referee->links[flit->link] = (struct link_sight){referee->step, flit->worm, flit->index};
    sight->consumed = true;
    return true;
}

bool anl_bufferless_referee_step(struct anl_bufferless_referee *referee, uint64_t step,
                                 const struct anl_flit *standing, size_t num_standing,
                                 const struct anl_flit *consumed, size_t num_consumed)
{
    if (referee->violation.rule) return false;
    referee->step = step;
    for (size_t i = 0; i < num_standing; i++)
        if (!stands(referee, &standing[i])) return false;
    if (!none_is_lost(referee) || !all_go_on(referee)) return false;
    for (size_t i = 0; i < num_consumed; i++)
        if (!is_consumed(referee, &consumed[i])) return false;
    for (size_t i = 0; i < num_standing; i++)
        referee->before[i] = standing[i];
    referee->num_before = num_standing;
    return true;
}

bool anl_bufferless_referee_end(struct anl_bufferless_referee *referee)
{
    if (referee->violation.rule) return false;
    for (uint32_t id = 0; id < referee->num_worms; id++) {
        const struct contest *contest = &referee->worms[id];
        for (uint32_t index = 0; index < contest->worm.length; index++)
            if (!referee->sights[contest->first + index].consumed)
                return break_rule(referee, ANL_BUFFERLESS_ON_TIME,
                                  contest->worm.destination * PORTS + TERMINAL, id, index);
    }
    return true;
}

const struct anl_bufferless_violation *
anl_bufferless_referee_violation(const struct anl_bufferless_referee *referee)
{
    return &referee->violation;
}

const char *anl_bufferless_rule_name(enum anl_bufferless_rule rule)
{
    static const char *const names[] = {
        [ANL_BUFFERLESS_KEPT] = "kept",         [ANL_BUFFERLESS_UNKNOWN_FLIT] = "unknown_flit",
        [ANL_BUFFERLESS_ONE_FLIT] = "one_flit", [ANL_BUFFERLESS_CONTIGUOUS] = "contiguous",
        [ANL_BUFFERLESS_NO_IDLE] = "no_idle",   [ANL_BUFFERLESS_ONE_ARRIVAL] = "one_arrival",
        [ANL_BUFFERLESS_ON_TIME] = "on_time",   [ANL_BUFFERLESS_ONE_BEND] = "one_bend",
    };
    return names[rule];
}
