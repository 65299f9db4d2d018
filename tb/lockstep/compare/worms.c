// SPDX-License-Identifier: Apache-2.0

#include "worms.h"

#include <stdlib.h>
#include <string.h>

enum anl_status worms_create(struct worms *worms, const struct anl_config *config)
{
    *worms = (struct worms){.config = config};
    worms->classes = anl_num_classes(config);
    worms->source =
        calloc((size_t)anl_shape_of(config).terminals * worms->classes, sizeof *worms->source);
    worms->sending =
        calloc((size_t)anl_shape_of(config).terminals * config->num_vcs, sizeof *worms->sending);
    return worms->source && worms->sending ? ANL_OK : ANL_ERR_MEMORY;
}

void worms_destroy(struct worms *worms)
{
    free(worms->worm);
    free(worms->source);
    free(worms->sending);
    *worms = (struct worms){0};
}

static enum anl_status make_room(struct worms *worms)
{
    if (worms->count < worms->capacity) return ANL_OK;
    uint32_t capacity = worms->capacity ? 2 * worms->capacity : 1024;
    struct queued_worm *worm = realloc(worms->worm, capacity * sizeof *worm);
    if (!worm) return ANL_ERR_MEMORY;
    worms->worm = worm;
    worms->capacity = capacity;
    return ANL_OK;
}

static void append(struct worms *worms, struct source *source, uint32_t id)
{
    if (source->holds)
        worms->worm[source->last].next = id;
    else
        source->first = id;
    source->last = id;
    source->holds = true;
}

enum anl_status worms_add(struct worms *worms, const struct anl_worm *worm)
{
    enum anl_status status = make_room(worms);
    if (status != ANL_OK) return status;
    worms->worm[worm->id] = (struct queued_worm){.worm = *worm, .destination = worm->destination};
    worms->count++;
    if (anl_has(worms->config, ANL_TRAIT_LOADS)) return ANL_OK;
    append(worms, &worms->source[worm->source * worms->classes + worm->class_], worm->id);
    return ANL_OK;
}

void worms_ride(struct worms *worms, const struct anl_ride *ride)
{
    worms->worm[ride->worm].worm.destination = ride->to;
    append(worms, &worms->source[ride->from], ride->worm);
}

bool worms_pull(struct worms *worms, uint32_t terminal, uint32_t class_, uint32_t *flit,
                uint32_t *vcs)
{
    struct source *source = &worms->source[terminal * worms->classes + class_];
    if (!source->holds) return false;
    const struct queued_worm *front = &worms->worm[source->first];
    uint32_t bits[FLIT_WORDS];
    const uint32_t link = anl_injection_link(worms->config, terminal);
    flit_pack(worms->config, &front->worm, source->index, link, bits);
    memcpy(flit, bits, flit_words(worms->config) * sizeof *flit);
    *vcs = anl_injection_vcs(worms->config, terminal, front->worm.destination) &
           anl_class_vcs(worms->config, class_);
    *vcs >>= class_ * anl_class_lanes(worms->config);
    if (++source->index == front->worm.length) {
        source->index = 0;
        source->holds = source->first != source->last;
        source->first = front->next;
    }
    return true;
}

// --- wide links ---

// Returns the lane of a set that a worm of this length takes by rule 5; num_vcs: none has room.
static uint32_t lane_for(const struct anl_config *config, uint32_t set, const uint32_t *credits,
                         uint32_t length)
{
    const uint32_t need = config->flow_control == ANL_WORMHOLE ? 1 : length;
    uint32_t found = config->num_vcs;
    for (uint32_t vc = config->num_vcs; vc-- > 0;) {
        const uint32_t has = credits[vc / 4] >> vc % 4 * 8 & 0xff;
        if (set >> vc & 1 && has >= need) found = vc;
    }
    for (uint32_t vc = config->num_vcs; vc-- > 0;) {
        const uint32_t has = credits[vc / 4] >> vc % 4 * 8 & 0xff;
        if (set >> vc & 1 && has == config->depth) found = vc;
    }
    return found;
}

uint32_t worms_begin(struct worms *worms, uint32_t terminal, const uint32_t *credits)
{
    const struct anl_config *config = worms->config;
    struct source *source = &worms->source[terminal];
    struct sending *sending = &worms->sending[(size_t)terminal * config->num_vcs];
    uint32_t busy = 0;
    for (uint32_t vc = 0; vc < config->num_vcs; vc++)
        busy |= (uint32_t)sending[vc].sends << vc;
    while (source->holds) {
        const struct queued_worm *front = &worms->worm[source->first];
        const uint32_t set = anl_injection_vcs(config, terminal, front->worm.destination) & ~busy;
        const uint32_t vc = lane_for(config, set, credits, front->worm.length);
        if (vc == config->num_vcs) break;
        sending[vc] = (struct sending){.worm = source->first, .sends = true};
        busy |= 1u << vc;
        source->holds = source->first != source->last;
        source->first = front->next;
    }
    return busy;
}

bool worms_send(struct worms *worms, uint32_t terminal, uint32_t vc, uint32_t *flit)
{
    struct sending *sending = &worms->sending[(size_t)terminal * worms->config->num_vcs + vc];
    if (!sending->sends) return false;
    const struct anl_worm *worm = &worms->worm[sending->worm].worm;
    uint32_t bits[FLIT_WORDS];
    const uint32_t link = anl_injection_link(worms->config, terminal);
    flit_pack(worms->config, worm, sending->index, link, bits);
    memcpy(flit, bits, flit_words(worms->config) * sizeof *flit);
    sending->sends = ++sending->index < worm->length;
    return true;
}

// --- starts ---

enum anl_status starts_create(struct starts *starts, const struct anl_message *messages,
                              size_t count, uint32_t terminals)
{
    *starts = (struct starts){.messages = messages, .count = count, .terminals = terminals};
    starts->next = calloc(terminals, sizeof *starts->next);
    return starts->next ? ANL_OK : ANL_ERR_MEMORY;
}

void starts_destroy(struct starts *starts)
{
    free(starts->next);
    free(starts->rides);
    *starts = (struct starts){0};
}

enum anl_status starts_load(struct starts *starts, const struct anl_ride *rides, size_t count)
{
    free(starts->rides);
    starts->rides = calloc(count, sizeof *starts->rides);
    if (!starts->rides) return ANL_ERR_MEMORY;
    for (size_t i = 0; i < count; i++)
        starts->rides[i] = (struct anl_message){.cycle = rides[i].start, .source = rides[i].from};
    starts->messages = starts->rides;
    starts->count = count;
    memset(starts->next, 0, starts->terminals * sizeof *starts->next);
    return ANL_OK;
}

bool starts_next(struct starts *starts, uint32_t terminal, uint32_t *start)
{
    while (starts->next[terminal] < starts->count) {
        const struct anl_message *message = &starts->messages[starts->next[terminal]++];
        if (message->source != terminal) continue;
        *start = (uint32_t)message->cycle;
        return message->cycle < UINT32_MAX;  // later ones are beyond any run
    }
    return false;
}

static void set_bit(uint32_t *words, uint32_t bit, bool value)
{
    words[bit / 32] |= (uint32_t)value << (bit % 32);
}

void flit_pack(const struct anl_config *config, const struct anl_worm *worm, uint16_t index,
               uint32_t link, uint32_t flit[FLIT_WORDS])
{
    memset(flit, 0, FLIT_WORDS * sizeof *flit);
    anl_flit_data(config, worm, index, link, flit);
    set_bit(flit, config->flit_width_bits, index + 1 == worm->length);
    set_bit(flit, config->flit_width_bits + 1, index == 0);
}

uint32_t flit_words(const struct anl_config *config)
{
    return (config->flit_width_bits + 2 + 31) / 32;
}
