// SPDX-License-Identifier: Apache-2.0
//
// Flits held against what they can be: at the front of a buffer that leads over their link to their
// lane, and let in there by the rules of docs/switch.md.

#include "blocking.h"

#include <inttypes.h>
#include <stdio.h>

static enum anl_status refuse(const struct anl_blocking *blocking, const struct anl_flit *flit,
                              const char *why, struct anl_error *error)
{
    char name[96];
    if (flit->link < blocking->shape.links)
        anl_link_name(&blocking->config, flit->link, name, sizeof name);
    else
        snprintf(name, sizeof name, "link %" PRIu32, flit->link);
    return anl_fail(error, ANL_ERR_FORMAT, "", 0,
                    "cycle %" PRIu64 ": flit %u of worm %" PRIu32 " on lane %u of %s: %s",
                    blocking->cycle, flit->index, flit->worm, flit->vc, name, why);
}

// True if the front flit wants the lane, and has not gone to another one in this cycle: where two
// links are as good, it may be fed of both.
static inline bool wants(const struct blocking_buffer *buffer, uint32_t lane)
{
    const uint32_t bit = lane - buffer->wanted;
    return (bit < 2 * ANL_MAX_VCS) & (buffer->set >> (bit % 16)) & (buffer->moved == STALLS);
}

// Place that the flit comes from, if it is at its front and wants to go there; else NONE.
static uint32_t origin(const struct anl_blocking *blocking, const struct anl_flit *flit,
                       uint32_t lane)
{
    uint32_t from;
    if (flit->link >= blocking->network_links) {
        from = blocking->lanes + flit->link - blocking->network_links;
    } else if (flit->index > 0) {
        if (blocking->buffers[lane].owner == NONE) return NONE;
        from = blocking->buffers[lane].feed;
    } else {
        const struct blocking_entry *entry = blocking_worms_find(blocking, flit->worm);
        if (!entry || entry->slot == NONE) return NONE;
        from = blocking->worms[entry->slot].head_buffer;
    }
    const struct blocking_buffer *buffer = &blocking->buffers[from];
    const bool there = buffer->front != NONE && buffer->index == flit->index &&
                       blocking->worms[buffer->front].id == flit->worm && wants(buffer, lane);
    return there ? from : NONE;
}

static const char *why_not(const struct anl_blocking *blocking, const struct blocking_move *move)
{
    const struct blocking_worm *worm = &blocking->worms[move->slot];
    const struct blocking_buffer *lane = &blocking->buffers[move->to];
    const uint32_t room = credits_now(blocking, move->to);
    if (move->head != (move->index == 0) || move->tail != (move->index + 1 == worm->length))
        return "its head or tail mark does not fit its index";
    if (room == 0) return "the lane is full";
    if (lane->owner != (move->head ? NONE : move->slot)) return "the lane belongs to another worm";
    if (!move->head) return NULL;
    if (room < need(blocking, worm)) return "the whole worm does not fit there";
    if (blocking->config.admission == ANL_STORE_AND_FORWARD && !is_source(blocking, move->from) &&
        !blocking_tail_is_here(&blocking->buffers[move->from]))
        return "its tail is not in the lane that it leaves";
    return NULL;
}

static enum anl_status check_flit(const struct anl_blocking *blocking, const struct anl_flit *flit,
                                  struct blocking_move *move, struct anl_error *error)
{
    if (flit->link >= blocking->shape.links || blocking->links[flit->link].end == NONE)
        return refuse(blocking, flit, "there is no such link", error);
    if (flit->vc >= blocking->config.num_vcs)
        return refuse(blocking, flit, "there is no such lane", error);
    const uint32_t lane = lane_at(blocking, flit->link, flit->vc);
    const uint32_t buffer = origin(blocking, flit, lane);
    if (buffer == NONE)
        return refuse(blocking, flit, "it is not at the front of a buffer from which it goes there",
                      error);
    *move = (struct blocking_move){
        .from = buffer,
        .to = lane,
        .slot = blocking->buffers[buffer].front,
        .index = flit->index,
        .head = flit->head,
        .tail = flit->tail,
    };
    const char *why = why_not(blocking, move);
    return why ? refuse(blocking, flit, why, error) : ANL_OK;
}

static inline bool has_room(const struct anl_blocking *blocking, const struct blocking_buffer *lane)
{
    return (lane->count < blocking->config.depth) | (lane->chained & (lane->moved != STALLS));
}

// What a head needs besides where whole worms are admitted.
static inline bool is_admitted(const struct anl_blocking *blocking,
                               const struct blocking_move *move)
{
    if (credits_now(blocking, move->to) < blocking->worms[move->slot].length) return false;
    return blocking->config.admission == ANL_CUT_THROUGH || is_source(blocking, move->from) ||
           blocking_tail_is_here(&blocking->buffers[move->from]);
}

// The same for the common case: a flit that follows its head into the lane. False: look closer.
static inline bool follows(const struct anl_blocking *blocking, const struct anl_flit *flit,
                           uint32_t to, struct blocking_move *move)
{
    const struct blocking_buffer *lane = &blocking->buffers[to];
    const uint32_t slot = lane->owner, from = lane->feed;
    if (slot == NONE) return false;
    const struct blocking_buffer *buffer = &blocking->buffers[from];
    const struct blocking_worm *worm = &blocking->worms[slot];
    *move = (struct blocking_move){from, to, slot, flit->index, flit->head, flit->tail};
    const uint32_t tail = flit->index + 1 == worm->length;
    const uint32_t wrong = (worm->id ^ flit->worm) | (buffer->front ^ slot) |
                           (uint32_t)(buffer->index ^ flit->index) | (flit->tail ^ tail) |
                           flit->head | !has_room(blocking, lane);
    return wrong == 0;
}

// And a head. A slot that is guessed wrong is found out like any other.
static inline bool begins(const struct anl_blocking *blocking, const struct anl_flit *flit,
                          uint32_t to, struct blocking_move *move)
{
    const struct blocking_buffer *lane = &blocking->buffers[to];
    const bool injection = flit->link >= blocking->network_links;
    const uint32_t slot = blocking->ids.guesses[flit->worm % GUESSES];
    if (slot >= blocking->slots.count) return false;
    const struct blocking_worm *worm = &blocking->worms[slot];
    const uint32_t source = blocking->lanes + flit->link - blocking->network_links;
    const uint32_t from = (uint32_t)pick(injection, source, worm->head_buffer);
    const struct blocking_buffer *buffer = &blocking->buffers[from];
    *move = (struct blocking_move){from, to, slot, flit->index, flit->head, flit->tail};
    if (blocking->config.admission != ANL_WORMHOLE && !is_admitted(blocking, move)) return false;
    const uint32_t tail = worm->length == 1;
    const uint32_t wrong = (worm->id ^ flit->worm) | (buffer->front ^ slot) | buffer->index |
                           (flit->tail ^ tail) | (flit->head ^ 1u) | (lane->owner ^ NONE) |
                           !wants(buffer, to) | !has_room(blocking, lane);
    return wrong == 0;
}

static enum anl_status refuse_order(const struct anl_blocking *blocking,
                                    const struct anl_flit *flit, uint32_t before,
                                    struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_FORMAT, "", 0,
                    "cycle %" PRIu64 ": link %" PRIu32 " after link %" PRIu32
                    ", expected ascending links, one flit on each",
                    blocking->cycle, flit->link, before);
}

static enum anl_status check_order(const struct anl_blocking *blocking,
                                   const struct anl_flit *flits, size_t count,
                                   struct anl_error *error)
{
    bool wrong = false;
    for (size_t i = 1; i < count; i++)
        wrong |= flits[i].link <= flits[i - 1].link;
    if (!wrong) return ANL_OK;
    size_t i = 1;
    while (flits[i].link > flits[i - 1].link)
        i++;
    return refuse_order(blocking, &flits[i], flits[i - 1].link, error);
}

// How many flits cross links of switches; those of sources are behind them.
static size_t count_inner(const struct anl_blocking *blocking, const struct anl_flit *flits,
                          size_t count)
{
    while (count > 0 && flits[count - 1].link >= blocking->network_links)
        count--;
    return count;
}

// Where the next move is noted, and which of them are of heads, of tails, over ejection links.
struct pens {
    struct blocking_move *move;
    uint32_t *head, *tail, *ejection;
};

// Turns one flit after the other into moves, in steps of 1 or -1.
static enum anl_status check_all(struct anl_blocking *blocking, const struct anl_flit *flit,
                                 size_t count, ptrdiff_t step, struct pens *pens,
                                 struct anl_error *error)
{
    const uint32_t links = blocking->shape.links, vcs = blocking->config.num_vcs;
    const struct blocking_move *const fed = blocking->moves.fed;
    struct pens at = *pens;
    enum anl_status status = ANL_OK;
    for (; count > 0; count--, flit += step) {
        const uint32_t to = flit->link * vcs + flit->vc;
        bool known = (flit->link < links) & (flit->vc < vcs);
        if (known)
            known = flit->index > 0 ? follows(blocking, flit, to, at.move)
                                    : begins(blocking, flit, to, at.move);
        if (!known) status = check_flit(blocking, flit, at.move, error);
        if (status) break;
        blocking_mark(blocking, at.move, flit->link, flit->worm);
        *at.head = *at.tail = *at.ejection = (uint32_t)(at.move - fed);
        at.head += flit->head;
        at.tail += flit->tail;
        at.ejection += blocking->buffers[to].ejection;
        at.move++;
    }
    *pens = at;
    return status;
}

// On chained links a flit may come to where another one leaves in the same cycle, which is to be
// known before: the moves are gone through as they are decided, from the root down, terminals last
// (docs/switch.md, "Space").
enum anl_status blocking_check(struct anl_blocking *blocking, const struct anl_flit *flits,
                               size_t count, struct anl_error *error)
{
    const size_t turned =
        blocking->config.space == ANL_CHAINED ? count_inner(blocking, flits, count) : 0;
    struct pens pens = {&blocking->moves.fed[blocking->moves.num_fed_taken], blocking->moves.heads,
                        blocking->moves.tails, blocking->moves.ejections};
    enum anl_status status = check_order(blocking, flits, count, error);
    if (!status && turned > 0)
        status = check_all(blocking, flits + turned - 1, turned, -1, &pens, error);
    if (!status && count > turned)
        status = check_all(blocking, flits + turned, count - turned, 1, &pens, error);
    blocking->moves.num_heads = (size_t)(pens.head - blocking->moves.heads);
    blocking->moves.num_tails = (size_t)(pens.tail - blocking->moves.tails);
    blocking->moves.num_ejections = (size_t)(pens.ejection - blocking->moves.ejections);
    blocking->moves.num_fed = (size_t)(pens.move - blocking->moves.fed);
    return status;
}
