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
    return worms->source ? ANL_OK : ANL_ERR_MEMORY;
}

void worms_destroy(struct worms *worms)
{
    free(worms->worm);
    free(worms->source);
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

enum anl_status worms_add(struct worms *worms, const struct anl_worm *worm)
{
    enum anl_status status = make_room(worms);
    if (status != ANL_OK) return status;
    struct source *source = &worms->source[worm->source * worms->classes + worm->class_];
    worms->worm[worm->id] = (struct queued_worm){.worm = *worm};
    if (source->holds)
        worms->worm[source->last].next = worm->id;
    else
        source->first = worm->id;
    source->last = worm->id;
    source->holds = true;
    worms->count++;
    return ANL_OK;
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

enum anl_status starts_create(struct starts *starts, const struct anl_message *messages,
                              size_t count, uint32_t terminals)
{
    *starts = (struct starts){.messages = messages, .count = count};
    starts->next = calloc(terminals, sizeof *starts->next);
    return starts->next ? ANL_OK : ANL_ERR_MEMORY;
}

void starts_destroy(struct starts *starts)
{
    free(starts->next);
    *starts = (struct starts){0};
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
