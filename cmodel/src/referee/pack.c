// SPDX-License-Identifier: Apache-2.0
//
// Packs what the referee of buffered switches knows between two cycles (docs/checkpoint.md).

#include "referee.h"

#include <annelid/base.h>
#include <stdlib.h>

static void pack_link(struct referee_link *link, struct anl_pack *pack)
{
    ANL_PACK(pack, link->used);
    ANL_PACK(pack, link->tried);
    ANL_PACK(pack, link->trier);
}

static void pack_lane(struct referee_lane *lane, uint32_t num_visits, struct anl_pack *pack)
{
    ANL_PACK(pack, lane->due);
    ANL_PACK(pack, lane->used);
    ANL_PACK(pack, lane->tried);
    ANL_PACK(pack, lane->left);
    ANL_PACK_BELOW(pack, lane->front, num_visits);
    ANL_PACK_BELOW(pack, lane->back, num_visits);
    ANL_PACK(pack, lane->count);
    ANL_PACK(pack, lane->spent);
    ANL_PACK(pack, lane->entries);
    ANL_PACK(pack, lane->exits);
}

static void pack_visit(const struct referee_shape *shape, struct referee_visit *visit,
                       uint32_t num_visits, struct anl_pack *pack)
{
    ANL_PACK(pack, visit->last);
    ANL_PACK(pack, visit->worm);
    ANL_PACK_BELOW(pack, visit->link, shape->links);
    ANL_PACK_BELOW(pack, visit->before, num_visits);
    ANL_PACK_BELOW(pack, visit->behind, num_visits);
    ANL_PACK_BELOW(pack, visit->source, shape->terminals);
    ANL_PACK(pack, visit->entered);
    ANL_PACK(pack, visit->taken);
    ANL_PACK(pack, visit->length);
    ANL_PACK_BELOW(pack, visit->vc, ANL_MAX_VCS);
    ANL_PACK(pack, visit->role);
}

static void pack_visits(struct anl_referee *referee, struct anl_pack *pack)
{
    uint32_t count = referee->num_visits;
    ANL_PACK(pack, count);
    if (pack->from && anl_pack_expect(pack, count >= referee->num_visits)) {
        struct referee_visit *grown = realloc(referee->visits, count * sizeof *grown);
        if (!anl_pack_expect(pack, grown != NULL)) return;
        referee->visits = grown;
        referee->visits[0] = (struct referee_visit){0};
        referee->num_visits = count;
    }
    ANL_PACK_BELOW(pack, referee->free_visit, referee->num_visits);
    for (uint32_t i = 1; i < referee->num_visits && !pack->failed; i++)
        pack_visit(&referee->shape, &referee->visits[i], referee->num_visits, pack);
}

static void pack_terminal(struct referee_terminal *terminal, struct anl_pack *pack)
{
    ANL_PACK(pack, terminal->reservations);
    ANL_PACK(pack, terminal->refusing);
    for (uint32_t c = 0; c < ANL_MAX_VCS; c++)
        ANL_PACK_BELOW(pack, terminal->shown[c], ANL_MAX_VCS);
}

static void pack_replies(struct referee_replies *replies, struct anl_pack *pack)
{
    ANL_PACK(pack, replies->count);
    if (pack->from && !anl_pack_expect(pack, replies->count <= pack->count)) replies->count = 0;
    if (pack->from) replies->items = calloc(replies->count + 1, sizeof *replies->items);
    if (pack->from && !anl_pack_expect(pack, replies->items != NULL)) replies->count = 0;
    for (size_t i = 0; i < replies->count; i++) {
        ANL_PACK(pack, replies->items[i].time);
        ANL_PACK(pack, replies->items[i].source);
        ANL_PACK(pack, replies->items[i].destination);
        ANL_PACK(pack, replies->items[i].worm);
    }
}

static void pack_deliveries(struct referee_deliveries *deliveries, struct anl_pack *pack)
{
    anl_pack_bool(pack, &deliveries->kept);
    ANL_PACK(pack, deliveries->room);
    if (pack->from && !anl_pack_expect(pack, deliveries->room <= pack->count)) deliveries->room = 0;
    if (pack->from) deliveries->times = calloc(deliveries->room + 1, sizeof *deliveries->times);
    if (pack->from && !anl_pack_expect(pack, deliveries->times != NULL)) deliveries->room = 0;
    for (size_t i = 0; i < deliveries->room; i++)
        ANL_PACK(pack, deliveries->times[i]);
}

// --- worms ---

// What the table knows beyond the worm itself.
static void pack_known(struct referee_worm *worm, uint32_t num_visits, struct anl_pack *pack)
{
    ANL_PACK_BELOW(pack, worm->at, num_visits);
    ANL_PACK(pack, worm->passed);
}

static void pack_worm(const struct anl_referee *referee, struct anl_worm *worm,
                      struct anl_pack *pack)
{
    ANL_PACK(pack, worm->id);
    ANL_PACK(pack, worm->created);
    ANL_PACK_BELOW(pack, worm->source, referee->shape.terminals);
    ANL_PACK_BELOW(pack, worm->destination, referee->shape.terminals);
    ANL_PACK(pack, worm->path);
    ANL_PACK(pack, worm->length);
    ANL_PACK_BELOW(pack, worm->class_, referee->shape.classes);
    ANL_PACK(pack, worm->role);
}

static int by_id(const void *a, const void *b)
{
    const struct referee_worm *const *x = a, *const *y = b;
    return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

static void write_worm(const struct anl_referee *referee, struct referee_worm *known,
                       struct anl_pack *pack)
{
    struct anl_worm worm = {.id = known->id,
                            .created = known->created,
                            .source = known->source,
                            .destination = known->destination,
                            .path = known->path,
                            .length = known->length,
                            .class_ = known->class_,
                            .role = known->role};
    pack_worm(referee, &worm, pack);
    pack_known(known, referee->num_visits, pack);
}

// Writes the worms by their ids: their places in the table depend on its past.
static void write_worms(const struct anl_referee *referee, struct anl_pack *pack)
{
    const struct referee_worms *worms = &referee->worms;
    struct referee_worm **sorted = calloc(worms->count + 1, sizeof *sorted);
    if (!anl_pack_expect(pack, sorted != NULL)) return;
    uint32_t count = 0;
    for (uint32_t i = 0; i < UINT32_C(1) << worms->bits; i++)
        if (worms->slots[i].length) sorted[count++] = &worms->slots[i];
    qsort(sorted, count, sizeof *sorted, by_id);
    for (uint32_t i = 0; i < count; i++)
        write_worm(referee, sorted[i], pack);
    free(sorted);
}

static void read_worms(struct anl_referee *referee, uint32_t count, struct anl_pack *pack,
                       anl_tie *tie, void *user)
{
    for (uint32_t i = 0; i < count && !pack->failed; i++) {
        struct anl_worm worm = {0};
        pack_worm(referee, &worm, pack);
        tie(user, &worm);
        if (!anl_pack_expect(pack, worm.length && !referee_worms_find(&referee->worms, worm.id)))
            return;
        if (!anl_pack_expect(pack, referee_worms_add(&referee->worms, &worm))) return;
        pack_known(referee_worms_find(&referee->worms, worm.id), referee->num_visits, pack);
    }
}

static void pack_violation(struct anl_violation *violation, struct anl_pack *pack)
{
    uint32_t rule = violation->rule;
    ANL_PACK(pack, rule);
    violation->rule = (enum anl_rule)rule;
    ANL_PACK(pack, violation->cycle);
    ANL_PACK(pack, violation->link);
    ANL_PACK(pack, violation->worm);
    anl_pack_bytes(pack, violation->text, sizeof violation->text);
    anl_pack_bool(pack, &violation->has_flit);
    ANL_PACK(pack, violation->vc);
    ANL_PACK(pack, violation->index);
    anl_pack_bool(pack, &violation->has_worm);
    ANL_PACK(pack, violation->source);
    ANL_PACK(pack, violation->destination);
    ANL_PACK(pack, violation->length);
}

void anl_referee_pack(struct anl_referee *referee, struct anl_pack *pack, anl_tie *tie, void *user)
{
    const struct referee_shape *shape = &referee->shape;
    uint32_t worms = referee->worms.count;
    ANL_PACK(pack, referee->now);
    ANL_PACK(pack, referee->next_worm);
    pack_violation(&referee->violation, pack);
    pack_visits(referee, pack);
    for (uint32_t i = 0; i < shape->links; i++)
        pack_link(&referee->links[i], pack);
    for (size_t i = 0; i < (size_t)shape->links * shape->config.num_vcs; i++)
        pack_lane(&referee->lanes[i], referee->num_visits, pack);
    for (uint32_t t = 0; referee->terminals && t < shape->terminals; t++)
        pack_terminal(&referee->terminals[t], pack);
    pack_replies(&referee->owed, pack);
    pack_replies(&referee->created, pack);
    pack_deliveries(&referee->deliveries, pack);
    ANL_PACK(pack, worms);
    if (pack->from)
        read_worms(referee, worms, pack, tie, user);
    else
        write_worms(referee, pack);
}
