// SPDX-License-Identifier: Apache-2.0
//
// Settings: keys that are given beside the file. Writes the scenario with them as one file.

#include "scenario.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- "section.key=value" ---

// Reads "1,8" or "[1, 8]".
static enum anl_status read_elements(struct scenario_reading *reading, unsigned key,
                                     const char *value)
{
    const size_t length = strlen(value);
    const bool in_brackets = length > 2 && *value == '[' && value[length - 1] == ']';
    const char *const end = value + length - in_brackets;
    enum anl_status status = ANL_OK;
    for (const char *at = value + in_brackets; !status && at;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        at += strspn(at, " ");
        const size_t bytes = (size_t)((comma ? comma : end) - at);
        status = scenario_value(reading, key, (struct scenario_scalar){at, bytes, true}, 0);
        at = comma ? comma + 1 : NULL;
    }
    return status;
}

enum anl_status scenario_read_setting(struct scenario_reading *reading, const char *setting)
{
    const char *equals = strchr(setting, '=');
    char section_name[64], key_name[64];
    if (!equals || sscanf(setting, "%63[^.=].%63[^=]", section_name, key_name) != 2)
        return anl_fail(reading->error, ANL_ERR_FORMAT, reading->file, 0,
                        "expected section.key=value");
    enum scenario_section section;
    unsigned key;
    enum anl_status status = scenario_find_section(reading, section_name, 0, &section);
    if (!status && section == IN_GRAPH)
        return anl_fail(reading->error, ANL_ERR_FORMAT, reading->file, 0,
                        "section graph has no keys with one value; expected network, switch, "
                        "traffic or run");
    if (!status) status = scenario_find_key(reading, section, key_name, 0, &key);
    if (status) return status;
    reading->given[key].file = NULL;  // the setting replaces the value of the file
    status = scenario_give(reading, key, 0);
    if (status) return status;
    if (scenario_keys[key].kind == ANL_KEY_LIST) return read_elements(reading, key, equals + 1);
    return scenario_value(reading, key,
                          (struct scenario_scalar){equals + 1, strlen(equals + 1), true}, 0);
}

// --- writing ---

static uint64_t fetch(const struct scenario_key *key, const struct anl_scenario *scenario,
                      uint32_t place)
{
    const char *from = (const char *)scenario + key->offset + place * key->size;
    uint64_t value = 0;
    uint32_t word;
    uint16_t half;
    uint8_t byte;
    if (key->size == sizeof value) {
        memcpy(&value, from, sizeof value);
    } else if (key->size == sizeof word) {
        memcpy(&word, from, sizeof word);
        value = word;
    } else if (key->size == sizeof half) {
        memcpy(&half, from, sizeof half);
        value = half;
    } else {
        memcpy(&byte, from, sizeof byte);
        value = byte;
    }
    return value;
}

// Reals were read with at most 15 decimals, so 15 decimals write them exactly.
static void write_real(FILE *stream, const struct scenario_key *key,
                       const struct anl_scenario *scenario)
{
    static const uint64_t scale = UINT64_C(1000000000000000);
    double value;
    memcpy(&value, (const char *)scenario + key->offset, sizeof value);
    const uint64_t digits = (uint64_t)llround(value * (double)scale);
    fprintf(stream, "%" PRIu64 ".%015" PRIu64, digits / scale, digits % scale);
}

static void write_list(FILE *stream, const struct scenario_key *key,
                       const struct anl_scenario *scenario)
{
    const uint32_t *count = (const uint32_t *)(const void *)((const char *)scenario + key->count);
    for (uint32_t i = 0; i < *count; i++) {
        const uint64_t value = fetch(key, scenario, i);
        fputs(i ? ", " : "[", stream);
        if (key->choice)
            fputs(key->choice((int)value), stream);
        else
            fprintf(stream, "%" PRIu64, value);
    }
    fputc(']', stream);
}

static void write_path(FILE *stream, const char *path)
{
    fputc('\'', stream);
    for (; *path; path++)
        fprintf(stream, *path == '\'' ? "''" : "%c", *path);
    fputc('\'', stream);
}

static void write_value(FILE *stream, const struct anl_scenario *scenario,
                        const struct scenario_key *key)
{
    switch (key->kind) {
    case ANL_KEY_CHOICE:
        fputs(key->choice((int)fetch(key, scenario, 0)), stream);
        break;
    case ANL_KEY_INTEGER:
        fprintf(stream, "%" PRIu64, fetch(key, scenario, 0));
        break;
    case ANL_KEY_REAL:
        write_real(stream, key, scenario);
        break;
    case ANL_KEY_LIST:
        write_list(stream, key, scenario);
        break;
    case ANL_KEY_PATH:
        break;
    }
}

static const char *path_of(const struct anl_scenario *scenario, size_t key)
{
    switch (key) {
    case KEY_GRAPH:
        return scenario->graph_path;
    case KEY_TABLE:
        return scenario->table_path;
    case KEY_MATRIX:
        return scenario->matrix_path;
    case KEY_RATES:
        return scenario->rates_path;
    default:
        return scenario->messages_path;
    }
}

// Removes the zeros at the end of a decimal number, and the point if nothing is behind it.
static void trim(char *text)
{
    size_t length = strlen(text);
    while (length > 1 && text[length - 1] == '0')
        length--;
    if (length > 1 && text[length - 1] == '.') length--;
    text[length] = '\0';
}

bool anl_scenario_setting(const struct anl_scenario *scenario, size_t index, char *text,
                          size_t size)
{
    *text = '\0';
    if (index >= NUM_KEYS || !scenario_has_key(scenario, (unsigned)index)) return false;
    const struct scenario_key *key = &scenario_keys[index];
    if (key->kind == ANL_KEY_PATH) {
        const char *path = path_of(scenario, index);
        snprintf(text, size, "%s", path ? path : "");
        return path != NULL;
    }
    FILE *stream = fmemopen(text, size - 1, "w");
    if (!stream) return true;
    write_value(stream, scenario, key);
    fclose(stream);
    text[size - 1] = '\0';
    if (key->kind == ANL_KEY_REAL) trim(text);
    return true;
}

char *scenario_write(const struct scenario_reading *reading, size_t *bytes)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, bytes);
    if (!stream) return NULL;
    enum scenario_section section = NUM_SECTIONS;
    for (unsigned i = 0; i < NUM_KEYS; i++) {
        const struct scenario_key *key = &scenario_keys[i];
        const bool in_section = reading->scenario->graph && (i == KEY_GRAPH || i == KEY_TABLE);
        if (!reading->given[i].file || in_section) continue;
        if (key->section != section) fprintf(stream, "%s:\n", scenario_sections[key->section]);
        section = key->section;
        fprintf(stream, "  %s: ", key->name);
        if (key->kind == ANL_KEY_PATH)
            write_path(stream, reading->paths[i]);
        else
            write_value(stream, reading->scenario, key);
        fputc('\n', stream);
    }
    if (reading->scenario->network.topology == ANL_GRAPH && reading->scenario->graph) {
        fputs("graph:\n", stream);
        scenario_write_graph(stream, reading->scenario->graph, "  ");
    }
    if (fclose(stream) == 0) return text;
    free(text);
    return NULL;
}
