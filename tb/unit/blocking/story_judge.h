// SPDX-License-Identifier: Apache-2.0
//
// A slow story of blocked worms, written from docs/worms.md alone: every flit is an object in the
// list of its place, and everything else is found anew in every cycle by plain loops over all
// places and worms. It shares nothing with the story engine but the public records and the shape of
// the network (annelid/topology.h).
//
//   judge_reset(); for each cycle: judge_worm() for each created, judge_cycle() with the flits that
//   cross a link in it; then all fields hold for that cycle, contents as at its start;
//   judge_advance()

#ifndef ANNELID_STORY_JUDGE_H
#define ANNELID_STORY_JUDGE_H

#include "story_judge_dead.h"

// ---------------------------------------------------------------- blocked, and by what

// The lane is the flit's to take: nobody's for a head, its own worm's for another.
static bool is_open(const struct judge *j, uint32_t lane, const struct flit *flit)
{
    return j->place[lane].owner == (flit->index == 0 ? ANL_NOTHING : flit->worm);
}

static enum anl_wait cause(const struct judge *j, uint32_t p)
{
    const struct place *place = &j->place[p];
    const struct flit *front = place->front;
    const uint32_t length = length_of(j, front->worm);
    bool could = false, open = false;
    if (front->index == 0 && !is_source(j, p) && j->c.admission == ANL_STORE_AND_FORWARD &&
        flits_of(j, p, front->worm) < length)
        return ANL_NOT_YET;
    for (uint32_t i = 0; i < place->want.count; i++) {
        const uint32_t lane = place->want.lanes[i];
        if (!is_open(j, lane, front)) continue;
        open = true;
        if (credits_now(j, lane) >= need(j, front)) could = true;
    }
    if (could) return ANL_LOST_ARBITRATION;
    return open ? ANL_NO_CREDIT : ANL_BOUND_ELSEWHERE;
}

// The wanted lanes as the record has them: a link, and a set counted from its lane 0.
static void write_want(const struct judge *j, const struct want *want, struct anl_place *is)
{
    if (want->count == 0) return;
    is->wants = want->lanes[0] / j->c.num_vcs;
    for (uint32_t i = 0; i < want->count; i++)
        is->wants_vcs |= 1U << (want->lanes[i] - is->wants * j->c.num_vcs);
}

static void look(struct judge *j, uint32_t p)
{
    struct place *place = &j->place[p];
    const struct flit *front = place->front;
    struct anl_place *is = &place->is;
    is->flits = flits_in(j, p);
    is->owner = place->owner;
    is->worm = is->wants = is->took = is->next = is->distance = ANL_NOTHING;
    is->index = 0, is->wait = ANL_MOVING, is->wants_vcs = 0;
    if (place->front != place->was_front) is->since = front ? j->cycle : 0;
    place->was_front = place->front;
    if (!front) return;
    place->want = wanted(j, p, front);
    is->worm = front->worm;
    is->index = (uint16_t)front->index;
    write_want(j, &place->want, is);
    if (front->moves) is->took = front->to - is->wants * j->c.num_vcs;
    if (!front->moves && !is_ejection(j, p)) is->wait = cause(j, p);
}

// ---------------------------------------------------------------- waits for

// The nearest place upstream of a lane that holds flits of its owner.
static uint32_t upstream(const struct judge *j, uint32_t lane)
{
    const uint32_t owner = j->place[lane].owner;
    uint32_t p = j->place[lane].feed;
    while (flits_of(j, p, owner) == 0) {
        assert_true(!is_source(j, p) && j->place[p].owner == owner);
        p = j->place[p].feed;
    }
    return p;
}

// The place whose flit crossed a wanted link, of two the lower one; ANL_NOTHING: none did.
static uint32_t crosser(const struct judge *j, const struct place *place)
{
    for (uint32_t i = 0; i < place->want.count; i++) {
        const uint32_t crossed = j->crossed[place->want.lanes[i] / j->c.num_vcs];
        if (crossed != ANL_NOTHING) return crossed;
    }
    return ANL_NOTHING;
}

static uint32_t winner(const struct judge *j, uint32_t p)
{
    const struct place *place = &j->place[p];
    if (crosser(j, place) != ANL_NOTHING) return crosser(j, place);
    const uint32_t first = place->is.link * j->c.num_vcs;  // lanes of the same input port
    for (uint32_t q = first; !is_source(j, p) && q < first + j->c.num_vcs; q++)
        if (j->place[q].front && j->place[q].front->moves) return q;
    for (uint32_t q = first; !is_source(j, p) && q < first + j->c.num_vcs; q++)
        if (j->place[q].is.wait == ANL_LOST_ARBITRATION && crosser(j, &j->place[q]) != ANL_NOTHING)
            return q;
    return ANL_NOTHING;
}

static void find_waits(struct judge *j, uint32_t p)
{
    struct place *place = &j->place[p];
    place->num_waits_for = 0;
    switch (place->is.wait) {
    case ANL_NOT_YET:
        place->waits_for[place->num_waits_for++] = upstream(j, p);
        return;
    case ANL_LOST_ARBITRATION:
        place->waits_for[0] = winner(j, p);
        place->num_waits_for = place->waits_for[0] != ANL_NOTHING;
        return;
    case ANL_NO_CREDIT:
    case ANL_BOUND_ELSEWHERE:
        for (uint32_t i = 0; i < place->want.count; i++) {
            const uint32_t lane = place->want.lanes[i];
            const bool open = is_open(j, lane, place->front);
            place->waits_for[place->num_waits_for++] = open ? lane : upstream(j, lane);
        }
        return;
    default:
        return;
    }
}

static uint32_t least_distance(const struct judge *j, const struct place *place)
{
    uint32_t least = ENDLESS;
    for (uint32_t i = 0; i < place->num_waits_for; i++) {
        assert_non_null(j->place[place->waits_for[i]].front);
        const uint32_t distance = j->place[place->waits_for[i]].is.distance;
        if (distance < least) least = distance;
    }
    return least;
}

// Bellman and Ford: ways of one step more, until none is shorter.
static void find_distances(struct judge *j)
{
    for (uint32_t p = 0; p < j->places; p++)
        if (j->place[p].front && j->place[p].is.wait == ANL_MOVING) j->place[p].is.distance = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = 0; p < j->places; p++) {
            const uint32_t least = least_distance(j, &j->place[p]);
            if (least == ENDLESS || least + 1 >= j->place[p].is.distance) continue;
            j->place[p].is.distance = least + 1;
            changed = true;
        }
    }
}

static void find_next(struct judge *j, uint32_t p)
{
    struct place *place = &j->place[p];
    const uint32_t least = least_distance(j, place);
    for (uint32_t i = place->num_waits_for; i-- > 0;)
        if (j->place[place->waits_for[i]].is.distance == least)
            place->is.next = place->waits_for[i];
}

// The worm at the end of the chain of a place; ANL_NOTHING if nothing moves there.
static uint32_t mover(const struct judge *j, uint32_t p)
{
    for (uint32_t steps = 0; steps <= j->places && p != ANL_NOTHING; steps++) {
        if (j->place[p].is.distance == 0) return j->place[p].front->worm;
        p = j->place[p].is.next;
    }
    return ANL_NOTHING;
}

// ---------------------------------------------------------------- worms

static const struct flit *leading(const struct judge *j, const struct worm *w)
{
    const struct flit *flit = w->flits;
    while (flit->place == ANL_NOTHING || is_ejection(j, flit->place))
        flit++;
    assert_true(flit < w->flits + w->life.worm.length);
    return flit;
}

static enum anl_wait class_of(const struct judge *j, const struct flit *flit)
{
    if (flit->moves) return ANL_MOVING;
    if (j->place[flit->place].front == flit) return j->place[flit->place].is.wait;
    return is_source(j, flit->place) ? ANL_QUEUED : ANL_BEHIND;
}

static uint32_t blocker(const struct judge *j, const struct anl_life *life)
{
    const struct place *place = &j->place[life->place];
    if (life->wait == ANL_BEHIND) return place->front->worm;
    return place->is.next == ANL_NOTHING ? ANL_NOTHING : j->place[place->is.next].front->worm;
}

static void stay_on(const struct judge *j, struct worm *w)
{
    struct anl_life *life = &w->life;
    struct anl_stay *stay = &life->stay;
    if (stay->worm == ANL_NOTHING)
        *stay = (struct anl_stay){.worm = life->worm.id,
                                  .place = life->place,
                                  .begin = j->cycle,
                                  .blocker = blocker(j, life),
                                  .mover = mover(j, life->place)};
    stay->end = j->cycle;
    stay->cycles[life->wait]++;
    const bool longer = stay->end - stay->begin > life->longest.end - life->longest.begin;
    if (life->longest.worm == ANL_NOTHING || longer) life->longest = *stay;
    if (life->longest.begin == stay->begin) life->longest = *stay;
}

static void live(struct judge *j, struct worm *w)
{
    const struct flit *flit = leading(j, w), *tail = &w->flits[w->life.worm.length - 1];
    w->life.place = flit->place;
    w->life.wait = class_of(j, flit);
    w->life.cycles[w->life.wait]++;
    j->totals.cycles[w->life.wait]++;
    w->ended.worm = ANL_NOTHING;
    if (w->life.wait == ANL_MOVING || w->life.wait == ANL_QUEUED) {
        w->ended = w->life.stay;
        w->life.stay.worm = ANL_NOTHING;
    } else {
        const uint32_t by = mover(j, w->life.place);
        stay_on(j, w);
        if (by != ANL_NOTHING) j->delays[w->life.worm.id][by]++, w->delayed++;
    }
    if (tail->moves && is_ejection(j, tail->to)) {
        w->life.delivered = j->cycle;
        j->totals.delivered++;
    }
}

// ---------------------------------------------------------------- a cycle

static void cross(struct judge *j, const struct anl_flit *is)
{
    struct worm *w = &j->worm[is->worm];
    struct flit *flit = &w->flits[is->index];
    const uint32_t first = first_link(j, flit->place);
    const uint32_t last = is_source(j, flit->place) ? first : first + j->ports - 1;
    assert_true(is->worm < j->num_worms && is->index < w->life.worm.length);
    assert_ptr_equal(j->place[flit->place].front, flit);
    assert_true(is->link >= first && is->link <= last && j->crossed[is->link] == ANL_NOTHING);
    flit->moves = true;
    flit->to = is->link * j->c.num_vcs + is->vc;
    j->crossed[is->link] = flit->place;
    if (is->index > 0) return;
    assert_false(w->stuck);  // was dead in the cycle before
    w->head_moved = j->cycle;
    if (w->life.injected == NEVER) w->life.injected = j->cycle;
    if (++w->life.links > j->totals.dilation) j->totals.dilation = w->life.links;
    if (++j->heads[is->link] > j->totals.congestion) j->totals.congestion = j->heads[is->link];
}

static void count_places(struct judge *j)
{
    for (uint32_t w = 0; w < j->num_worms; w++)
        j->worm[w].places =
            is_source(j, j->worm[w].flits[length_of(j, w) - 1].place) && !j->worm[w].gone;
    for (uint32_t p = 0; p < j->links * j->c.num_vcs; p++) {
        struct run runs[MAX_RUNS];
        const uint32_t count = runs_of(j, p, runs);
        for (uint32_t i = 0; i < count; i++)
            j->worm[runs[i].worm].places++;
    }
}

static void judge_cycle(struct judge *j, const struct anl_flit *flits, size_t count)
{
    for (uint32_t l = 0; l < j->links; l++)
        j->crossed[l] = ANL_NOTHING;
    for (size_t i = 0; i < count; i++)
        cross(j, &flits[i]);
    for (uint32_t p = 0; p < j->places; p++)
        look(j, p);
    for (uint32_t p = 0; p < j->places; p++)
        find_waits(j, p);
    find_distances(j);
    for (uint32_t p = 0; p < j->places; p++)
        find_next(j, p);
    for (uint32_t w = 0; w < j->num_worms; w++)
        if (!j->worm[w].gone) live(j, &j->worm[w]);
    judge_deadlock(j);
    count_places(j);
}

static void judge_advance(struct judge *j)
{
    static struct flit *moving[MAX_LINKS];
    size_t count = 0;
    for (uint32_t p = 0; p < j->places; p++) {
        struct flit *front = j->place[p].front;
        if (!front || (!front->moves && !is_ejection(j, p))) continue;
        j->place[p].front = front->behind;
        front->place = ANL_NOTHING;
        if (front->moves) moving[count++] = front, front->place = p;
    }
    for (size_t i = 0; i < count; i++) {
        struct flit *flit = moving[i];
        struct place *to = &j->place[flit->to];
        if (flit->index == 0) to->owner = flit->worm, to->feed = flit->place;
        if (flit->index + 1 == length_of(j, flit->worm)) to->owner = ANL_NOTHING;
        flit->moves = false;
        append(j, flit->to, flit);
    }
    for (uint32_t w = 0; w < j->num_worms; w++)
        j->worm[w].gone = j->worm[w].life.delivered != NEVER;
    j->cycle++;
}

#endif
