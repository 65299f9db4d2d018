// SPDX-License-Identifier: Apache-2.0

#include "wave_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 256, MOST_WORDS = 1 << WAVE_CODE_BITS };

enum anl_status wave_create(struct wave **wave)
{
    *wave = calloc(1, sizeof **wave);
    return *wave ? ANL_OK : ANL_ERR_MEMORY;
}

void wave_destroy(struct wave *wave)
{
    if (!wave) return;
    for (size_t i = 0; i < wave->num_items; i++) {
        free(wave->items[i].name);
        free(wave->items[i].path);
    }
    for (size_t i = 0; i < wave->num_texts; i++) {
        free(wave->texts[i].text);
        free(wave->texts[i].colour);
    }
    for (size_t i = 0; i < wave->num_names; i++)
        free(wave->names[i].name);
    free(wave->items);
    free(wave->changes);
    free(wave->texts);
    free(wave->names);
    free(wave);
}

bool wave_grow(struct wave *wave, void **array, size_t count, size_t *room, size_t size)
{
    if (count < *room) return true;
    size_t larger = *room ? 2 * *room : 64;
    void *moved = realloc(*array, larger * size);
    if (!moved) {
        wave->out_of_memory = true;
        return false;
    }
    *array = moved;
    *room = larger;
    return true;
}

// --- declaring ---

// Writes the names of the open scopes, joined by dots, and then name.
static void write_path(const struct wave *wave, const char *name, char path[PATH_BYTES])
{
    size_t length = 0, depth[PATH_BYTES], level = 0;
    path[0] = '\0';
    for (size_t i = 0; i < wave->num_items && level < PATH_BYTES; i++) {
        const struct wave_item *item = &wave->items[i];
        if (item->kind == WAVE_SCOPE) {
            depth[level++] = length;
            int more = snprintf(path + length, PATH_BYTES - length, "%s.", item->name);
            length = length + (size_t)more < PATH_BYTES ? length + (size_t)more : PATH_BYTES - 1;
        } else if (item->kind == WAVE_UP) {
            length = depth[--level];
            path[length] = '\0';
        }
    }
    snprintf(path + length, PATH_BYTES - length, "%s", name);
}

static uint32_t add_item(struct wave *wave, enum wave_item_kind kind, const char *name,
                         uint32_t bits)
{
    char path[PATH_BYTES];
    if (!wave_grow(wave, (void **)&wave->items, wave->num_items, &wave->room_items,
                   sizeof *wave->items))
        return 0;
    write_path(wave, name, path);
    struct wave_item item = {
        .kind = kind, .name = strdup(name), .path = strdup(path), .bits = bits};
    if (!item.name || !item.path) wave->out_of_memory = true;
    wave->items[wave->num_items] = item;
    return (uint32_t)wave->num_items++;
}

void wave_scope(struct wave *wave, const char *name) { add_item(wave, WAVE_SCOPE, name, 0); }

void wave_up(struct wave *wave) { add_item(wave, WAVE_UP, "", 0); }

uint32_t wave_word(struct wave *wave, const char *name)
{
    return add_item(wave, WAVE_WORD, name, WAVE_CODE_BITS);
}

uint32_t wave_number(struct wave *wave, const char *name, uint32_t bits)
{
    return add_item(wave, WAVE_NUMBER, name, bits);
}

const char *wave_path(const struct wave *wave, uint32_t signal)
{
    return signal < wave->num_items && wave->items[signal].path ? wave->items[signal].path : "";
}

uint32_t wave_bits(const struct wave *wave, uint32_t signal)
{
    return signal < wave->num_items ? wave->items[signal].bits : 0;
}

// --- values ---

static uint32_t number_of(struct wave *wave, const char *text, const char *colour)
{
    for (size_t i = 0; i < wave->num_texts; i++)
        if (strcmp(wave->texts[i].text, text) == 0 && strcmp(wave->texts[i].colour, colour) == 0)
            return (uint32_t)i;
    if (wave->num_texts == MOST_WORDS) return 0;
    if (!wave_grow(wave, (void **)&wave->texts, wave->num_texts, &wave->room_texts,
                   sizeof *wave->texts))
        return 0;
    struct wave_text made = {strdup(text), strdup(colour)};
    if (!made.text || !made.colour) {
        free(made.text);
        free(made.colour);
        wave->out_of_memory = true;
        return 0;
    }
    wave->texts[wave->num_texts] = made;
    return (uint32_t)wave->num_texts++;
}

static void set(struct wave *wave, uint32_t signal, uint64_t time, uint32_t value, bool unknown)
{
    if (wave->out_of_memory) return;
    struct wave_item *item = &wave->items[signal];
    if (item->has_value && item->value == value && item->unknown == unknown) return;
    if (!wave_grow(wave, (void **)&wave->changes, wave->num_changes, &wave->room_changes,
                   sizeof *wave->changes))
        return;
    item->value = value;
    item->has_value = true;
    item->unknown = unknown;
    wave->changes[wave->num_changes++] = (struct wave_change){time, signal, value, unknown};
}

void wave_set_word(struct wave *wave, uint32_t signal, uint64_t time, const char *text,
                   const char *colour)
{
    set(wave, signal, time, number_of(wave, text, colour), false);
}

void wave_set_number(struct wave *wave, uint32_t signal, uint64_t time, uint32_t value)
{
    set(wave, signal, time, value, false);
}

void wave_set_unknown(struct wave *wave, uint32_t number, uint64_t time)
{
    set(wave, number, time, 0, true);
}

bool wave_entry(const struct wave *wave, uint32_t index, struct wave_entry *entry)
{
    if (index >= wave->num_texts) return false;
    *entry = (struct wave_entry){index, wave->texts[index].text, wave->texts[index].colour};
    return true;
}

const char *wave_rtl_name(const struct wave *wave, uint32_t switch_, size_t index)
{
    for (size_t i = 0; i < wave->num_names; i++)
        if (wave->names[i].switch_ == switch_ && index-- == 0) return wave->names[i].name;
    return NULL;
}
