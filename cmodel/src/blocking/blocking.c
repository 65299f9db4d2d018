// SPDX-License-Identifier: Apache-2.0
//
// Creates a blocking analysis and feeds it one cycle at a time: the moves of the cycle before are
// carried out, and the flits fed are checked against what is possible then. If they can be true,
// they become the moves of this cycle; else everything is restored.

#include "blocking.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- create and destroy ---

enum { LINE = 64 };  // bytes of a cache line, at which each array begins

// Gives an array memory, which is not set but for the old bytes.
static bool resize(void *pointer, size_t old_bytes, size_t bytes)
{
    void *old, *memory = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    if (!memory) return false;
    memcpy(&old, pointer, sizeof old);
    if (old) memcpy(memory, old, old_bytes);
    memcpy(pointer, &memory, sizeof memory);
    free(old);
    return true;
}

#define MAKE(field, count) resize(&(field), 0, (count) * sizeof *(field))

static bool make_arrays(struct anl_blocking *blocking)
{
    const size_t links = blocking->shape.links, sources = blocking->num_sources;
    const size_t buffers = blocking->num_buffers, lines = links * blocking->senders;
    struct blocking_moves *moves = &blocking->moves;

    return MAKE(blocking->links, links + 1) && MAKE(blocking->lines, lines + blocking->senders) &&
           MAKE(blocking->buffers, buffers) &&
           MAKE(blocking->runs, (size_t)blocking->lanes * blocking->most_runs) &&
           MAKE(blocking->queues, sources) && MAKE(blocking->slots.fresh, sources) &&
           MAKE(moves->list, lines + sources) && MAKE(moves->fed, lines + sources) &&
           MAKE(moves->before, lines + sources) && MAKE(moves->left_since, lines + sources) &&
           MAKE(moves->heads, lines + 1) && MAKE(moves->tails, lines + 1) &&
           MAKE(moves->ejections, sources + 1) &&
           (!anl_is_adaptive(&blocking->config) || MAKE(blocking->options, blocking->lanes)) &&
           MAKE(blocking->search.targets, buffers * blocking->search.most_targets) &&
           MAKE(blocking->search.stops, buffers) && MAKE(blocking->search.order, buffers) &&
           MAKE(blocking->search.choices, links + 1);
}

// Some lists are written without a branch, one element past their end.
#define GROW(field, each)                                                                          \
    resize(&(field), old *(each) * sizeof *(field), size * (each) * sizeof *(field))

bool blocking_grow_slots(struct anl_blocking *blocking, size_t count)
{
    const size_t old = blocking->slots.count, size = count + 1;
    struct blocking_slots *slots = &blocking->slots;
    struct blocking_lives *lives = &blocking->lives;

    for (int wait = 0; wait < ANL_WAITS; wait++)
        if (!GROW(lives->rows[wait], 1)) return false;
    return GROW(blocking->worms, 1) && GROW(blocking->records, 1) && GROW(slots->free, 1) &&
           GROW(slots->activated, 1) && GROW(slots->come, 1) && GROW(slots->gone, 1) &&
           GROW(lives->row_at, 1) && GROW(lives->stopped, 1) && GROW(lives->changes, 1) &&
           GROW(lives->full, 1) && GROW(lives->root_blockers, MOST_ROOT_BLOCKERS);
}

// Returns how many lanes one flit wants at most: those of two links, or of all options.
static uint32_t most_targets(const struct anl_blocking *blocking)
{
    const struct anl_config *config = &blocking->config;
    uint32_t links = 2;
    if (anl_is_adaptive(config) && !config->graph) links = blocking->shape.ports;
    for (const struct anl_graph *graph = config->graph; graph; graph = graph->next)
        if (links < graph->options) links = graph->options;
    return links * config->num_vcs;
}

const char *anl_blocking_unknown(const struct anl_config *config)
{
    if (!anl_has(config, ANL_TRAIT_BLOCKING)) return anl_machine_of(config->kind)->called;
    return anl_link_cycles(config) > 1 ? "links of several cycles" : NULL;
}

enum anl_status anl_blocking_create(const struct anl_config *config,
                                    const struct anl_blocking_listener *listener,
                                    struct anl_blocking **blocking)
{
    *blocking = NULL;
    if (anl_config_check(config, NULL) || anl_blocking_unknown(config)) return ANL_ERR_ARGUMENT;
    struct anl_blocking *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;

    if (anl_network_create(config, &made->network)) {
        free(made);
        return ANL_ERR_MEMORY;
    }
    made->config = *config;
    // A flit may be told of before the one that leaves its register, so there is room for both.
    made->loses = anl_has(config, ANL_TRAIT_LOSES);
    if (made->loses) made->config.depth = 2;
    if (listener) made->listener = *listener;
    made->shape = anl_shape_of(config);
    made->network_links = made->shape.switches * made->shape.ports;
    made->lanes = made->shape.links * config->num_vcs;
    made->senders = anl_link_flits(config);
    made->num_sources = made->shape.terminals * anl_num_classes(config) * made->senders;
    made->follows = config->link == ANL_WIDE && config->credits == ANL_BYPASS;
    made->two_stages = anl_stages(config) > 1;
    made->class_lanes = anl_class_lanes(config);
    made->num_buffers = made->lanes + made->num_sources;
    made->all_vcs = (uint16_t)((1u << config->num_vcs) - 1);
    made->escapes = anl_escape_lanes(config);
    made->atomic = anl_atomic_lanes(config);
    made->has_paths = anl_num_paths(config) > 1;
    made->search.most_targets = most_targets(made);
    made->most_runs = made->config.depth + (config->credits == ANL_BYPASS);
    made->dead.cycle = UINT64_MAX;
    if (!make_arrays(made) || (config->reply_queue && !blocking_sinks_create(made)) ||
        blocking_lay_out(made) || blocking_find_safe(made)) {
        anl_blocking_destroy(made);
        return ANL_ERR_MEMORY;
    }
    *blocking = made;
    return ANL_OK;
}

void anl_blocking_destroy(struct anl_blocking *blocking)
{
    if (!blocking) return;
    for (uint32_t i = 0; i < blocking->slots.count; i++)
        free(blocking->records[i].delays);
    for (uint32_t i = 0; i < blocking->ids.num_pages; i++)
        free(blocking->ids.pages[i]);
    for (int wait = 0; wait < ANL_WAITS; wait++)
        free(blocking->lives.rows[wait]);
    void *const owned[] = {
        blocking->links,
        blocking->lines,
        blocking->buffers,
        blocking->runs,
        blocking->queues,
        blocking->slots.fresh,
        blocking->moves.list,
        blocking->moves.fed,
        blocking->moves.before,
        blocking->moves.left_since,
        blocking->moves.heads,
        blocking->moves.tails,
        blocking->moves.ejections,
        blocking->options,
        blocking->search.targets,
        blocking->search.stops,
        blocking->search.order,
        blocking->search.choices,
        blocking->worms,
        blocking->records,
        blocking->slots.free,
        blocking->slots.activated,
        blocking->slots.come,
        blocking->slots.gone,
        blocking->lives.row_at,
        blocking->lives.stopped,
        blocking->lives.changes,
        blocking->lives.full,
        blocking->lives.root_blockers,
        blocking->lives.delays,
        blocking->ids.pages,
        blocking->ids.spare_page,
        blocking->routes,
        blocking->dead.circle,
    };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    blocking_sinks_destroy(blocking->sinks);
    anl_network_destroy(blocking->network);
    free(blocking);
}

// --- one cycle ---

// Begins a round, in which no way is known yet.
static void begin_round(struct anl_blocking *blocking)
{
    blocking->round += 2;
    if (blocking->round != 0) return;
    blocking->round = 2;
    for (uint32_t i = 0; i < blocking->num_buffers; i++)
        blocking->buffers[i].way.known = 0;
    for (uint32_t i = 0; i < (blocking->shape.links + 1) * blocking->senders; i++)
        blocking->lines[i].round = 0;
    memset(blocking->search.choices, 0, blocking->shape.links * sizeof *blocking->search.choices);
    for (uint32_t i = 0; i < blocking->slots.count; i++)
        blocking->records[i].followed = 0;
}

static enum anl_status step(struct anl_blocking *blocking, uint64_t cycle,
                            const struct anl_flit *flits, size_t count, struct anl_error *error)
{
    const uint64_t before = blocking->cycle;
    const uint32_t round_before = blocking->round;
    if (blocking_lives_reserve(blocking)) return ANL_ERR_MEMORY;
    begin_round(blocking);
    blocking_apply(blocking);
    blocking->cycle = cycle;
    enum anl_status status = blocking_worms_activate(blocking);
    if (!status) status = blocking_check(blocking, flits, count, error);
    if (status) {
        blocking_worms_deactivate(blocking);
        blocking->cycle = before;
        blocking->round = round_before;
        blocking_take_back(blocking);
        return status;
    }
    blocking->began = true;
    blocking_take_in(blocking);
    blocking_worms_renew(blocking);
    blocking_lives_account(blocking);
    return blocking_look_for_deadlock(blocking);
}

// --- feeding ---

#define REFUSE(...) return anl_fail(error, ANL_ERR_FORMAT, "", 0, __VA_ARGS__)

static enum anl_status check_worm(const struct anl_blocking *blocking, const struct anl_worm *worm,
                                  struct anl_error *error)
{
    const uint32_t terminals = blocking->shape.terminals;
    if (worm->id != blocking->next_id || worm->id == NONE)
        REFUSE("worm %" PRIu32 ", expected worm %" PRIu32, worm->id, blocking->next_id);
    if (worm->source >= terminals || worm->destination >= terminals)
        REFUSE("worm %" PRIu32 " goes from terminal %" PRIu32 " to %" PRIu32
               ", expected 0..%" PRIu32,
               worm->id, worm->source, worm->destination, terminals - 1);
    const uint32_t paths = anl_num_paths(&blocking->config);
    if (worm->path >= paths)
        REFUSE("worm %" PRIu32 " has path %" PRIu32 ", expected 0..%" PRIu32, worm->id, worm->path,
               paths - 1);
    if (worm->length == 0) REFUSE("worm %" PRIu32 " has no flits", worm->id);
    if (worm->class_ >= anl_num_classes(&blocking->config))
        REFUSE("worm %" PRIu32 " has class %u, expected 0..%" PRIu32, worm->id, worm->class_,
               anl_num_classes(&blocking->config) - 1);
    struct anl_error reason;
    if (worm->route && anl_own_route_check(&blocking->config, worm, &reason))
        REFUSE("worm %" PRIu32 ": %s", worm->id, reason.text);
    const bool whole = blocking->config.flow_control != ANL_WORMHOLE;
    if (worm->length > anl_longest_worm(&blocking->config))
        REFUSE("worm %" PRIu32 " has %u flits, expected at most %" PRIu32 ": %s", worm->id,
               worm->length, anl_longest_worm(&blocking->config),
               whole ? "whole worms must fit in a lane" : "heads carry the length");
    if (worm->created < blocking->last_created ||
        (blocking->began && worm->created <= blocking->cycle))
        REFUSE("worm %" PRIu32 " is created in cycle %" PRIu64 ", which is over", worm->id,
               worm->created);
    return ANL_OK;
}

static enum anl_status over(const struct anl_blocking *blocking, struct anl_error *error)
{
    if (blocking->status)
        return anl_fail(error, blocking->status, "", 0,
                        "the blocking analysis ended in an error before");
    if (blocking->ended) REFUSE("the blocking analysis has ended");
    return ANL_OK;
}

enum anl_status anl_blocking_feed_worm(struct anl_blocking *blocking, const struct anl_worm *worm,
                                       struct anl_error *error)
{
    if (over(blocking, error)) return blocking->status ? blocking->status : ANL_ERR_FORMAT;
    enum anl_status status = check_worm(blocking, worm, error);
    if (!status && blocking_worms_add(blocking, worm))
        status = anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s", anl_status_text(ANL_ERR_MEMORY));
    blocking->status = status;
    if (status) return status;
    blocking->next_id++;
    blocking->last_created = worm->created;
    return ANL_OK;
}

// Goes through cycles without flits, up to but not including `until`. Where nothing moves, nothing
// is created, and nothing of the cycle before is on its way, a cycle equals the one before.
static enum anl_status go_through(struct anl_blocking *blocking, uint64_t until)
{
    enum anl_status status = ANL_OK;
    for (uint64_t cycle; !status && (cycle = blocking->began ? blocking->cycle + 1 : 0) < until;) {
        const uint64_t creation = blocking_worms_next(blocking);
        if (blocking->began && blocking->moves.count + blocking->moves.num_before == 0 &&
            creation > cycle)
            blocking->cycle = (creation < until ? creation : until) - 1;
        else
            status = step(blocking, cycle, NULL, 0, NULL);
    }
    return status;
}

static enum anl_status feed(struct anl_blocking *blocking, uint64_t cycle,
                            const struct anl_flit *flits, size_t count, struct anl_error *error)
{
    if ((blocking->began && cycle <= blocking->cycle) || cycle == UINT64_MAX)
        REFUSE("cycle %" PRIu64 " after cycle %" PRIu64, cycle, blocking->cycle);
    if (blocking->num_created < blocking->next_id && blocking->last_created > cycle)
        REFUSE("cycle %" PRIu64 ": worm %" PRIu32 " is only created in cycle %" PRIu64, cycle,
               blocking->next_id - 1, blocking->last_created);
    enum anl_status status = go_through(blocking, cycle);
    return status ? status : step(blocking, cycle, flits, count, error);
}

enum anl_status anl_blocking_feed_flits(struct anl_blocking *blocking, uint64_t cycle,
                                        const struct anl_flit *flits, size_t count,
                                        struct anl_error *error)
{
    if (over(blocking, error)) return blocking->status ? blocking->status : ANL_ERR_FORMAT;
    blocking->status = feed(blocking, cycle, flits, count, error);
    if (blocking->status == ANL_ERR_MEMORY)
        anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s", anl_status_text(ANL_ERR_MEMORY));
    return blocking->status;
}

enum anl_status anl_blocking_end(struct anl_blocking *blocking, uint64_t cycles,
                                 struct anl_error *error)
{
    if (over(blocking, error)) return blocking->status ? blocking->status : ANL_ERR_FORMAT;
    if ((blocking->began && cycles <= blocking->cycle) ||
        (blocking->num_created < blocking->next_id && blocking->last_created >= cycles))
        REFUSE("the end after %" PRIu64 " cycles, but cycle %" PRIu64 " was told of", cycles,
               blocking->began && blocking->cycle > blocking->last_created
                   ? blocking->cycle
                   : blocking->last_created);
    blocking->status = go_through(blocking, cycles);
    if (blocking->status)
        return anl_fail(error, blocking->status, "", 0, "%s", anl_status_text(blocking->status));
    blocking_lives_end(blocking);
    blocking->ended = true;
    return ANL_OK;
}

// --- questions ---

uint64_t anl_blocking_cycle(const struct anl_blocking *blocking) { return blocking->cycle; }

const struct anl_config *anl_blocking_config(const struct anl_blocking *blocking)
{
    return &blocking->config;
}

uint32_t anl_blocking_num_buffers(const struct anl_blocking *blocking)
{
    return blocking->num_buffers;
}

static uint32_t terminal_of(const struct anl_blocking *blocking, uint32_t buffer)
{
    if (is_source(blocking, buffer)) return terminal_of_source(blocking, buffer);
    if (!blocking->buffers[buffer].ejection) return NONE;
    return anl_end_of(&blocking->config, blocking->buffers[buffer].link).node;
}

// Writes the way of a flit without buffers: the link that it crosses. One that is lost has none,
// but that of its worm.
static void see_way(const struct blocking_buffer *buffer, struct anl_buffer *answer)
{
    if (buffer->moved != STALLS) {
        answer->wants = buffer->wanted + buffer->moved;  // lanes are links
        answer->wants_vcs = 1;
        answer->took = 0;
    } else if (buffer->index > 0) {
        answer->wants = buffer->wants;
        answer->wants_vcs = buffer->set;
    }
}

struct anl_buffer anl_blocking_buffer(const struct anl_blocking *blocking, uint32_t at)
{
    const struct blocking_buffer *buffer = &blocking->buffers[at];
    struct anl_buffer answer = {
        .link = is_source(blocking, at) ? NONE : buffer->link,
        .vc = buffer->vc,
        .terminal = terminal_of(blocking, at),
        .flits = buffer->front == NONE ? 0 : buffer->count,
        .worm = worm_id(blocking, buffer->front),
        .wants = NONE,
        .took = NONE,
        .next = NONE,
        .owner = worm_id(blocking, buffer->owner),
    };
    if (buffer->front == NONE) return answer;
    const struct blocking_way way = *blocking_way(blocking, at);
    answer.index = buffer->index;
    answer.wait = blocking_cause(blocking, at);
    answer.since = buffer->since;
    answer.next = way.next;
    answer.distance = way.distance;
    if (buffer->ejection) return answer;
    if (blocking->loses) {
        see_way(buffer, &answer);
        return answer;
    }
    answer.wants = buffer->wants;
    answer.wants_vcs = buffer->set;
    const uint32_t first = lane_at(blocking, buffer->wants, 0);
    if (is_selecting(blocking, buffer)) {
        answer.options = *options_of(blocking, buffer);
        answer.wants_vcs = answer.options.vcs[lowest(answer.options.ports)];
    }
    if (buffer->moved == TAKEN)
        answer.took = TAKEN;
    else if (is_leaving(buffer))
        answer.took = buffer->wanted + buffer->moved - first;
    return answer;
}

size_t anl_blocking_runs(const struct anl_blocking *blocking, uint32_t at,
                         struct anl_flit_run *runs, size_t max)
{
    const struct blocking_buffer *buffer = &blocking->buffers[at];
    if (buffer->front == NONE) return 0;
    const uint32_t count = is_source(blocking, at) ? 1 : buffer->num_runs;
    for (uint32_t i = 0; i < count && i < max; i++)
        runs[i] = (struct anl_flit_run){
            .worm = worm_id(blocking, i == 0 ? buffer->front : *run_at(blocking, at, i)),
            .first = (uint16_t)first_of_run(blocking, at, i),
            .flits = (uint16_t)(count == 1 ? buffer->count : flits_of_run(blocking, at, i)),
        };
    return count;
}

uint32_t anl_blocking_root_blocker(const struct anl_blocking *blocking, uint32_t buffer)
{
    return blocking->buffers[buffer].front == NONE ? NONE
                                                   : blocking_way(blocking, buffer)->root_blocker;
}

size_t anl_blocking_body(const struct anl_blocking *blocking, uint32_t worm, uint32_t *buffers,
                         size_t max)
{
    struct anl_life life;
    if (!anl_blocking_life(blocking, worm, &life)) return 0;
    const uint32_t slot = blocking_worms_find(blocking, worm)->slot;
    uint32_t buffer = slot == NONE ? life.buffer : blocking->worms[slot].head_buffer;
    size_t count = 0;
    for (;;) {
        if (count < max) buffers[count] = buffer;
        count++;
        if (is_source(blocking, buffer) || blocking->buffers[buffer].owner != slot) return count;
        buffer = blocking->buffers[buffer].feed;
    }
}
