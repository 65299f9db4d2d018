// SPDX-License-Identifier: Apache-2.0
//
// Checks flits against what they can be: a flit stands at the front of a buffer that leads over its
// link to its lane, and the rules of docs/switch.md let it in there.

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

// Returns true if a lane, counted from lane 0 of port 0 of the switch, is one of the options.
static bool is_option(const struct anl_blocking *blocking, const struct blocking_buffer *buffer,
                      uint32_t lane)
{
    const uint32_t vcs = blocking->config.num_vcs;
    return lane < blocking->shape.ports * vcs &&
           (options_of(blocking, buffer)->vcs[lane / vcs] >> lane % vcs & 1);
}

// Returns true if the front flit wants the lane and has not gone to another one in this cycle:
// flits that are fed could show it on both of two links that are equally good.
static inline bool wants(const struct anl_blocking *blocking, const struct blocking_buffer *buffer,
                         uint32_t lane)
{
    const uint32_t bit = lane - buffer->wanted;
    if (blocking->options && is_selecting(blocking, buffer))
        return buffer->moved == STALLS && is_option(blocking, buffer, bit);
    return (bit < 2 * ANL_MAX_VCS) & (buffer->set >> (bit % 16)) & (buffer->moved == STALLS);
}

// Returns the buffer that the flit leaves, if it stands at the front and wants the lane; else NONE.
static uint32_t origin(const struct anl_blocking *blocking, const struct anl_flit *flit,
                       uint32_t lane)
{
    uint32_t from;
    if (flit->index > 0) {
        if (blocking->buffers[lane].owner == NONE) return NONE;
        from = blocking->buffers[lane].feed;
    } else {
        const struct blocking_entry *entry = blocking_worms_find(blocking, flit->worm);
        if (!entry || entry->slot == NONE) return NONE;
        from = blocking->worms[entry->slot].head_buffer;
    }
    const struct blocking_buffer *buffer = &blocking->buffers[from];
    const bool there = buffer->front != NONE && buffer->index == flit->index &&
                       blocking->worms[buffer->front].id == flit->worm &&
                       wants(blocking, buffer, lane);
    return there ? from : NONE;
}

static const char *why_not(const struct anl_blocking *blocking, const struct blocking_move *move)
{
    const struct blocking_worm *worm = &blocking->worms[move->slot];
    const struct blocking_buffer *lane = &blocking->buffers[move->to];
    const uint32_t room = credits_on_link(blocking, move->to) + (blocking->follows && !move->head);
    if (move->head != (move->index == 0) || move->tail != (move->index + 1 == worm->length))
        return "its head or tail mark does not fit its index";
    if (room == 0) return "the lane is full";
    if (lane->owner != (move->head ? NONE : move->slot)) return "the lane belongs to another worm";
    if (!move->head) return NULL;
    if (room < need(blocking, worm)) return "the whole worm does not fit there";
    if (room < need_in(blocking, move->to, worm)) return "the lane is atomic and not empty";
    if (blocking->config.flow_control == ANL_STORE_AND_FORWARD &&
        !is_source(blocking, move->from) && !blocking_tail_has_come(&blocking->buffers[move->from]))
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
        return refuse(blocking, flit,
                      blocking->two_stages
                          ? "it is not at the front, behind the first stage, of a buffer from "
                            "which it goes there"
                          : "it is not at the front of a buffer from which it goes there",
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

// Returns true if a lane has room for a flit or, where flits that are not heads follow others, may
// have it for one of these.
static inline bool has_room(const struct anl_blocking *blocking, const struct blocking_buffer *lane)
{
    return (lane->count < blocking->config.depth) | (lane->chained & (lane->moved != STALLS));
}

// Returns true if the flow control rule lets a head in, where whole worms are admitted.
static inline bool is_admitted(const struct anl_blocking *blocking,
                               const struct blocking_move *move)
{
    if (credits_on_link(blocking, move->to) < blocking->worms[move->slot].length) return false;
    return blocking->config.flow_control == ANL_CUT_THROUGH || is_source(blocking, move->from) ||
           blocking_tail_has_come(&blocking->buffers[move->from]);
}

// The short check for the common case, a flit that follows its head into the lane. Returns false if
// check_flit() must look closer.
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
                           (buffer->moved ^ STALLS) | flit->head |
                           !(has_room(blocking, lane) | blocking->follows);
    return wrong == 0;
}

// The short check for a head. The slot is a guess; if it is wrong, the comparisons show it.
static inline bool begins(const struct anl_blocking *blocking, const struct anl_flit *flit,
                          uint32_t to, struct blocking_move *move)
{
    const struct blocking_buffer *lane = &blocking->buffers[to];
    const uint32_t slot = blocking->ids.guesses[flit->worm % GUESSES];
    if (slot >= blocking->slots.count || blocking->config.atomic) return false;
    const struct blocking_worm *worm = &blocking->worms[slot];
    const uint32_t from = worm->head_buffer;
    const struct blocking_buffer *buffer = &blocking->buffers[from];
    *move = (struct blocking_move){from, to, slot, flit->index, flit->head, flit->tail};
    if (blocking->config.flow_control != ANL_WORMHOLE && !is_admitted(blocking, move)) return false;
    const uint32_t tail = worm->length == 1;
    const uint32_t wrong = (worm->id ^ flit->worm) | (buffer->front ^ slot) | buffer->index |
                           (flit->tail ^ tail) | (flit->head ^ 1u) | (lane->owner ^ NONE) |
                           !wants(blocking, buffer, to) | !has_room(blocking, lane);
    return wrong == 0;
}

// Returns true if a flit stands behind the one before it in the list: it crosses a later link or,
// if links are wide, a later lane.
static inline bool ascends(const struct anl_blocking *blocking, const struct anl_flit *flit)
{
    return (flit->link > flit[-1].link) |
           ((blocking->senders > 1) & (flit->link == flit[-1].link) & (flit->vc > flit[-1].vc));
}

static enum anl_status check_order(const struct anl_blocking *blocking,
                                   const struct anl_flit *flits, size_t count,
                                   struct anl_error *error)
{
    bool wrong = false;
    for (size_t i = 1; i < count; i++)
        wrong |= !ascends(blocking, &flits[i]);
    if (!wrong) return ANL_OK;
    flits++;
    while (ascends(blocking, flits))
        flits++;
    return anl_fail(error, ANL_ERR_FORMAT, "", 0,
                    "cycle %" PRIu64 ": link %" PRIu32 " after link %" PRIu32
                    ", expected ascending links%s, one flit on each",
                    blocking->cycle, flits[0].link, flits[-1].link,
                    blocking->senders > 1 ? " and lanes" : "");
}

// Where the next move is written, and the numbers of the moves of heads, of tails, and over
// ejection links.
struct cursors {
    struct blocking_move *move;
    uint32_t *head, *tail, *ejection;
};

// Turns flits into moves one after the other, in steps of 1 or -1.
static enum anl_status check_all(struct anl_blocking *blocking, const struct anl_flit *flit,
                                 size_t count, ptrdiff_t step, struct cursors *cursors,
                                 struct anl_error *error)
{
    const uint32_t links = blocking->shape.links, vcs = blocking->config.num_vcs;
    const struct blocking_move *const fed = blocking->moves.fed;
    struct cursors at = *cursors;
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
    *cursors = at;
    return status;
}

// Returns what is wrong with a move over a wide link, of which the moves of other flits decide;
// else NULL.
static const char *why_not_wide(const struct anl_blocking *blocking,
                                const struct blocking_move *move)
{
    if (move->head)
        return is_source(blocking, move->from) && blocking_not_begun(blocking, move->from) != NONE
                   ? "a worm before it in the source queue has not begun"
                   : NULL;
    return credits(blocking, move->to) == 0 && blocking->buffers[move->to].moved == STALLS
               ? "the lane is full"
               : NULL;
}

// Checks, now that all moves are marked, what depends on them.
static enum anl_status check_wide(const struct anl_blocking *blocking, const struct anl_flit *flits,
                                  size_t count, struct anl_error *error)
{
    const struct blocking_move *move = &blocking->moves.fed[blocking->moves.num_fed_taken];
    for (size_t i = 0; i < count; i++) {
        const char *why = why_not_wide(blocking, &move[i]);
        if (why) return refuse(blocking, &flits[i], why, error);
    }
    return ANL_OK;
}

// On chained links a flit may enter the slot that another flit leaves in the same cycle, so the
// leaving flit must be known first. Flits are therefore checked in the order in which switches
// decide: from the root down, sources last (docs/switch.md, "Credits"). Wide links may be chained
// in any order; then this is checked last.
enum anl_status blocking_check(struct anl_blocking *blocking, const struct anl_flit *flits,
                               size_t count, struct anl_error *error)
{
    const bool wide = blocking->config.link == ANL_WIDE;
    size_t backwards = blocking->config.credits == ANL_BYPASS && !wide ? count : 0;
    while (backwards > 0 && flits[backwards - 1].link >= blocking->network_links)
        backwards--;
    struct cursors cursors = {&blocking->moves.fed[blocking->moves.num_fed_taken],
                              blocking->moves.heads, blocking->moves.tails,
                              blocking->moves.ejections};
    enum anl_status status = check_order(blocking, flits, count, error);
    if (!status && backwards > 0)
        status = check_all(blocking, flits + backwards - 1, backwards, -1, &cursors, error);
    if (!status && count > backwards)
        status = check_all(blocking, flits + backwards, count - backwards, 1, &cursors, error);
    blocking->moves.num_heads = (size_t)(cursors.head - blocking->moves.heads);
    blocking->moves.num_tails = (size_t)(cursors.tail - blocking->moves.tails);
    blocking->moves.num_ejections = (size_t)(cursors.ejection - blocking->moves.ejections);
    blocking->moves.num_fed = (size_t)(cursors.move - blocking->moves.fed);
    return status || !wide ? status : check_wide(blocking, flits, count, error);
}
