// SPDX-License-Identifier: Apache-2.0
//
// The worms of a watch. They are created when they are announced, or else when their heads enter
// the network, so their ids ascend as in a flit trace.

#include "live.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct live_worm *live_worm_find(const struct anl_live *live, uint32_t id)
{
    const struct live_worms *worms = &live->worms;
    if (id < worms->first || id - worms->first >= worms->count) return NULL;
    return worms->at[id - worms->first];
}

// Forgets the oldest ids once at least half of the list is of worms that are delivered.
static void forget_delivered(struct live_worms *worms)
{
    size_t gone = 0;
    while (gone < worms->count && !worms->at[gone])
        gone++;
    if (gone < worms->count / 2 || !gone) return;
    memmove(worms->at, worms->at + gone, (worms->count - gone) * sizeof *worms->at);
    worms->count -= gone;
    worms->first += (uint32_t)gone;
}

static bool add(struct live_worms *worms, struct live_worm *worm)
{
    if (worms->count == worms->room) {
        const size_t room = worms->room ? 2 * worms->room : 64;
        struct live_worm **grown = realloc(worms->at, room * sizeof(struct live_worm *));
        if (!grown) return false;
        worms->at = grown;
        worms->room = room;
    }
    worms->at[worms->count++] = worm;
    return true;
}

void live_worm_remove(struct anl_live *live, uint32_t id)
{
    struct live_worm **worm = &live->worms.at[id - live->worms.first];
    free(*worm);
    *worm = NULL;
    live->worms_delivered++;
    forget_delivered(&live->worms);
}

void live_worms_free(struct anl_live *live)
{
    for (size_t i = 0; i < live->worms.count; i++)
        free(live->worms.at[i]);
    free(live->worms.at);
}

// --- creation ---

static bool hand_over(struct anl_live *live, const struct anl_worm *worm)
{
    struct anl_error error = {0};
    if (!anl_referee_worm(live->referee, worm)) return live_break_rule(live);
    if (!live->fed || anl_blocking_feed_worm(live->blocking, worm, &error) == ANL_OK) return true;
    return live_break(live, "misuse", anl_injection_link(live->config, worm->source), worm->id,
                      "%s", error.text);
}

static struct live_worm *make(const struct anl_live *live, uint32_t length)
{
    struct live_worm *worm =
        malloc(sizeof *worm + (size_t)length * live->words * sizeof *worm->data);
    if (worm) *worm = (struct live_worm){0};
    return worm;
}

struct live_worm *live_worm_create(struct anl_live *live, uint32_t source, uint32_t destination,
                                   uint32_t length, uint32_t class_)
{
    const uint32_t most = anl_longest_worm(live->config);
    if (source >= live->shape.terminals || destination >= live->shape.terminals || length == 0 ||
        length > most || class_ >= anl_num_classes(live->config)) {
        live_break(live, "unknown_worm", ANL_NOTHING, ANL_NOTHING,
                   "a worm of %" PRIu32 " flits and class %" PRIu32 " goes from terminal %" PRIu32
                   " to %" PRIu32 ", but terminals are 0 to %" PRIu32 ", worms have 1 to %" PRIu32
                   " flits and classes are 0 to %" PRIu32,
                   length, class_, source, destination, live->shape.terminals - 1, most,
                   anl_num_classes(live->config) - 1);
        return NULL;
    }
    struct live_worm *made = make(live, length);
    if (!made || !add(&live->worms, made)) {
        free(made);
        live_break(live, "misuse", ANL_NOTHING, ANL_NOTHING, "out of memory");
        return NULL;
    }
    made->worm = (struct anl_worm){.id = (uint32_t)live->worms_created++,
                                   .source = source,
                                   .destination = destination,
                                   .length = (uint16_t)length,
                                   .created = live->now,
                                   .class_ = (uint8_t)class_};
    return hand_over(live, &made->worm) ? made : NULL;
}

static struct live_queue *queue_of(const struct anl_live *live, uint32_t terminal, uint32_t class_)
{
    return &live->queues[(size_t)terminal * anl_num_classes(live->config) + class_];
}

void live_worm_announce(struct anl_live *live, struct live_worm *worm)
{
    struct live_queue *queue = queue_of(live, worm->worm.source, worm->worm.class_);
    if (queue->first)
        queue->last->next = worm;
    else
        queue->first = worm;
    queue->last = worm;
}

// --- heads that enter the network ---

// Returns `width` bits of the data, from bit `first` on.
static uint32_t bits_of(const uint32_t *data, uint32_t first, uint32_t width)
{
    uint32_t value = 0;
    for (uint32_t bit = first; bit < first + width; bit++)
        value |= (data[bit / 32] >> bit % 32 & 1) << (bit - first);
    return value;
}

// Returns the terminal to which a head goes: that whose label is in its lowest bits, or what the
// description of a link says; ANL_NOTHING: there is none.
static uint32_t destination_of(const struct anl_live *live, const uint32_t *data)
{
    if (live->links) return anl_link_destination(&live->description, live->config, data);
    return anl_head_terminal(live->config, data);
}

// Returns the length of the worm whose head is on the wire; 0: neither probe nor head tell it.
static uint32_t length_of(const struct anl_live *live, const struct live_wire *wire)
{
    const struct anl_config *config = live->config;
    if (!wire->length && live->links) return anl_link_length(&live->description, wire->data);
    if (wire->length || !anl_head_has_length(config)) return wire->length;
    return bits_of(wire->data, anl_label_bits(config), ANL_LENGTH_BITS);
}

// Takes the first announced worm, which must be the one whose head is on the wire.
static struct live_worm *take_announced(struct anl_live *live, struct live_queue *queue,
                                        uint32_t length, uint32_t destination)
{
    struct live_worm *worm = queue->first;
    const struct anl_worm *said = &worm->worm;
    queue->first = worm->next;
    if (said->destination == destination && (!length || length == said->length)) return worm;
    live_hint_announced(live, said->source, destination, length);
    live_break(live, "unknown_worm", anl_injection_link(live->config, said->source), said->id,
               "the head of a worm for T%" PRIu32 " (%" PRIu32
               " flits, 0: not told) enters, but the "
               "worm announced is for T%" PRIu32 " (%d flits)",
               destination, length, said->destination, said->length);
    return NULL;
}

static void break_unannounced(struct anl_live *live, uint32_t link, uint32_t terminal,
                              uint32_t destination, uint32_t vc)
{
    live_hint_announced(live, terminal, destination, 0);
    live_break(live, "misuse", link, ANL_NOTHING,
               "the head of a worm for T%" PRIu32 " enters in lane %" PRIu32
               ", which was not announced, and its length is not told",
               destination, vc);
}

struct live_worm *live_worm_begin(struct anl_live *live, uint32_t terminal,
                                  const struct live_wire *wire)
{
    const uint32_t link = anl_injection_link(live->config, terminal);
    const uint32_t class_ = anl_class_of(live->config, wire->vc);
    const uint32_t destination = destination_of(live, wire->data);
    const uint32_t length = length_of(live, wire);
    struct live_queue *queue = queue_of(live, terminal, class_);
    if (destination == ANL_NOTHING)
        live_break(live, "unknown_worm", link, ANL_NOTHING,
                   "the lowest bits of a head are 0x%" PRIx32 ", which is the label of no terminal",
                   wire->data[0]);
    else if (queue->first)
        return take_announced(live, queue, length, destination);
    else if (!length)
        break_unannounced(live, link, terminal, destination, wire->vc);
    else
        return live_worm_create(live, terminal, destination, length, class_);
    return NULL;
}
