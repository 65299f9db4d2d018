// SPDX-License-Identifier: Apache-2.0
//
// Values of a scenario: turns what is written into what is meant. Nothing here depends on the
// locale.

#include "scenario.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_control(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

// Copies a text on one line, as much of it as there is room for. Returns where it ends.
static char *show(struct scenario_scalar scalar, char *shown)
{
    static const char dots[] = "...";
    const size_t room = SCENARIO_SHOWN_BYTES - sizeof dots - strlen("''");
    size_t used = 0;
    for (; used < scalar.bytes && used < room; used++)
        shown[used] = is_control(scalar.text[used]) ? '?' : scalar.text[used];
    while (used < scalar.bytes && used > 0 && ((unsigned char)scalar.text[used] & 0xC0) == 0x80)
        used--;  // a letter of several bytes is not cut in two
    const bool cut = used < scalar.bytes;
    memcpy(shown + used, cut ? dots : "", cut ? sizeof dots : 1);
    return shown + used + (cut ? strlen(dots) : 0);
}

// Returns whether each character of a text can be seen, and told from the words of a message.
static bool is_plain(struct scenario_scalar scalar)
{
    for (size_t i = 0; i < scalar.bytes; i++)
        if (scalar.text[i] <= ' ' || scalar.text[i] > '~' || strchr("'\"", scalar.text[i]))
            return false;
    return true;
}

const char *scenario_quote(struct scenario_scalar scalar, char shown[SCENARIO_SHOWN_BYTES])
{
    if (scalar.bytes == 0) return scalar.plain ? "nothing" : "an empty text";
    *shown = '\'';
    memcpy(show(scalar, shown + 1), "'", 2);
    return shown;
}

const char *scenario_show(struct scenario_scalar scalar, char shown[SCENARIO_SHOWN_BYTES])
{
    if (scalar.bytes == 0 || !is_plain(scalar)) return scenario_quote(scalar, shown);
    show(scalar, shown);
    return shown;
}

// YAML 1.1 would read a leading zero as octal.
bool scenario_integer(struct scenario_scalar scalar, uint64_t *value)
{
    if (scalar.bytes == 0 || (scalar.bytes > 1 && scalar.text[0] == '0')) return false;
    *value = 0;
    for (size_t i = 0; i < scalar.bytes; i++) {
        if (!is_digit(scalar.text[i])) return false;
        const uint64_t digit = (uint64_t)(scalar.text[i] - '0');
        if (*value > (UINT64_MAX - digit) / 10) return false;
        *value = *value * 10 + digit;
    }
    return true;
}

// Reads digits, perhaps followed by a point and at most 15 more digits. Below 10 the result is the
// nearest double, because both operands of the division are exact.
bool scenario_real(struct scenario_scalar scalar, double *value)
{
    const char *point = memchr(scalar.text, '.', scalar.bytes);
    const size_t whole = point ? (size_t)(point - scalar.text) : scalar.bytes;
    const size_t decimals = point ? scalar.bytes - whole - 1 : 0;
    uint64_t digits;
    if (!scenario_integer((struct scenario_scalar){scalar.text, whole, true}, &digits))
        return false;
    if (digits > 9 || decimals > 15 || (point && decimals == 0)) return false;
    uint64_t scale = 1;
    for (size_t i = 0; i < decimals; i++) {
        if (!is_digit(point[1 + i])) return false;
        digits = digits * 10 + (uint64_t)(point[1 + i] - '0');
        scale *= 10;
    }
    *value = (double)digits / (double)scale;
    return true;
}

// Stores the value of a key, or element number `place` of its list.
static void store(const struct scenario_key *key, struct anl_scenario *scenario, uint32_t place,
                  uint64_t value)
{
    char *to = (char *)scenario + key->offset + place * key->size;
    const uint32_t word = (uint32_t)value;
    const uint16_t half = (uint16_t)value;
    const uint8_t byte = (uint8_t)value;
    switch (key->size) {
    case sizeof value:
        memcpy(to, &value, sizeof value);
        break;
    case sizeof word:
        memcpy(to, &word, sizeof word);
        break;
    case sizeof half:
        memcpy(to, &half, sizeof half);
        break;
    default:
        assert(key->size == sizeof byte);
        memcpy(to, &byte, sizeof byte);
    }
}

static bool set_choice(const struct scenario_key *key, struct anl_scenario *scenario,
                       uint32_t place, struct scenario_scalar scalar)
{
    for (uint64_t i = key->min; i <= key->max; i++) {
        const char *name = key->choice((int)i);
        if (!name || strlen(name) != scalar.bytes || memcmp(name, scalar.text, scalar.bytes) != 0)
            continue;
        store(key, scenario, place, i);
        return true;
    }
    return false;
}

static bool set_integer(const struct scenario_key *key, struct anl_scenario *scenario,
                        uint32_t place, struct scenario_scalar scalar)
{
    uint64_t value;
    if (!scalar.plain || !scenario_integer(scalar, &value)) return false;
    if (value < key->min || value > key->max) return false;
    store(key, scenario, place, value);
    return true;
}

static bool set_real(const struct scenario_key *key, struct anl_scenario *scenario,
                     struct scenario_scalar scalar)
{
    double value;
    if (!scalar.plain || !scenario_real(scalar, &value)) return false;
    if (value < (double)key->min || value > (double)key->max) return false;
    memcpy((char *)scenario + key->offset, &value, sizeof value);
    return true;
}

uint32_t *scenario_count(const struct scenario_key *key, struct anl_scenario *scenario)
{
    return (uint32_t *)(void *)((char *)scenario + key->count);
}

static bool add_element(const struct scenario_key *key, struct anl_scenario *scenario,
                        struct scenario_scalar scalar)
{
    uint32_t *count = scenario_count(key, scenario);
    if (*count == key->most) return false;
    const bool fits = key->choice ? set_choice(key, scenario, *count, scalar)
                                  : set_integer(key, scenario, *count, scalar);
    *count += fits;
    return fits;
}

static bool is_path(struct scenario_scalar scalar)
{
    for (size_t i = 0; i < scalar.bytes; i++)
        if (is_control(scalar.text[i])) return false;
    return scalar.bytes > 0;
}

static enum anl_status set_path(struct scenario_reading *reading, unsigned key,
                                struct scenario_scalar scalar)
{
    char *path = malloc(scalar.bytes + 1);
    if (!path) return anl_fail(reading->error, ANL_ERR_MEMORY, reading->file, 0, "no memory");
    memcpy(path, scalar.text, scalar.bytes);
    path[scalar.bytes] = '\0';
    free(reading->paths[key]);
    reading->paths[key] = path;
    return ANL_OK;
}

static bool set_value(struct anl_scenario *scenario, const struct scenario_key *key,
                      struct scenario_scalar scalar)
{
    switch (key->kind) {
    case ANL_KEY_CHOICE:
        return set_choice(key, scenario, 0, scalar);
    case ANL_KEY_INTEGER:
        return set_integer(key, scenario, 0, scalar);
    case ANL_KEY_REAL:
        return set_real(key, scenario, scalar);
    case ANL_KEY_LIST:
        return add_element(key, scenario, scalar);
    case ANL_KEY_PATH:
        return is_path(scalar);
    }
    return false;
}

// Keeps what a name of others was read as, once. Returns ANL_ERR_MEMORY if it cannot.
static enum anl_status note_synonym(struct scenario_reading *reading, const char *found,
                                    const char *read_as)
{
    char **notes = &reading->scenario->synonyms, *more = NULL;
    char note[2 * SCENARIO_SHOWN_BYTES + 8];
    size_t bytes;
    snprintf(note, sizeof note, "%s as %s", found, read_as);
    if (*notes && strstr(*notes, note)) return ANL_OK;
    FILE *stream = open_memstream(&more, &bytes);
    if (stream) fprintf(stream, "%s%s%s", *notes ? *notes : "", *notes ? ", " : "", note);
    if (!stream || fclose(stream) != 0)
        return anl_fail(reading->error, ANL_ERR_MEMORY, reading->file, 0, "no memory");
    free(*notes);
    *notes = more;
    return ANL_OK;
}

// Returns the row of a name that others use for a choice of the key; NULL if it is none.
static const struct scenario_synonym *synonym_of_choice(const struct scenario_key *key,
                                                        const char *found)
{
    char where[64];
    snprintf(where, sizeof where, "%s.%s", scenario_sections[key->section], key->name);
    return scenario_synonym_of(where, found);
}

// Returns the choice that a name of others means; NULL if it is none. found gets the name.
static const char *same_choice(const struct scenario_key *key, struct scenario_scalar scalar,
                               char found[SCENARIO_SHOWN_BYTES])
{
    if (!key->choice || scalar.bytes >= SCENARIO_SHOWN_BYTES) return NULL;
    snprintf(found, SCENARIO_SHOWN_BYTES, "%.*s", (int)scalar.bytes, scalar.text);
    const struct scenario_synonym *synonym = synonym_of_choice(key, found);
    return synonym && synonym->same ? synonym->meant : NULL;
}

enum anl_status scenario_value(struct scenario_reading *reading, unsigned key,
                               struct scenario_scalar scalar, uint64_t line)
{
    const bool path = scenario_keys[key].kind == ANL_KEY_PATH;
    if (set_value(reading->scenario, &scenario_keys[key], scalar))
        return path ? set_path(reading, key, scalar) : ANL_OK;
    char other[SCENARIO_SHOWN_BYTES];
    const char *same = same_choice(&scenario_keys[key], scalar, other);
    if (same && set_value(reading->scenario, &scenario_keys[key],
                          (struct scenario_scalar){same, strlen(same), true}))
        return note_synonym(reading, other, same);
    char shown[SCENARIO_SHOWN_BYTES], found[SCENARIO_SHOWN_BYTES + 32];
    const bool quoted = !scalar.plain && scalar.bytes > 0;
    const char *text = (quoted ? scenario_quote : scenario_show)(scalar, shown);
    const bool full =
        scenario_keys[key].kind == ANL_KEY_LIST &&
        *scenario_count(&scenario_keys[key], reading->scenario) == scenario_keys[key].most;
    snprintf(found, sizeof found, quoted ? "the text %s" : full ? "one more, %s" : "%s", text);
    return scenario_unfit(reading, key, line, found);
}

// Returns the name of a choice that was probably meant, or NULL.
static const char *nearest_choice(const struct scenario_key *key, const char *found)
{
    struct scenario_nearest nearest = {0};
    if (!key->choice) return NULL;
    const struct scenario_synonym *synonym = synonym_of_choice(key, found);
    const char *meant = synonym ? synonym->meant : NULL;
    for (uint64_t i = key->min; !meant && i <= key->max; i++)
        if (key->choice((int)i)) scenario_nearest(key->choice((int)i), found, &nearest);
    return meant ? meant : nearest.name;
}

// Writes "; did you mean mesh?", "; write 1000000" or "".
static void hint(const struct scenario_key *key, const char *found, char *text, size_t size)
{
    char bare[SCENARIO_SHOWN_BYTES + 32];
    const bool in_quotes = *found == '\'';
    snprintf(bare, sizeof bare, "%.*s", (int)(strlen(found) - (in_quotes ? 2 : 0)),
             found + in_quotes);
    const char *meant = nearest_choice(key, bare);
    *text = '\0';
    if (meant)
        snprintf(text, size, "; did you mean %s?", meant);
    else if (!key->choice && key->kind != ANL_KEY_PATH)
        scenario_number_hint(key->kind, bare, key->min, key->max, text, size);
}

enum anl_status scenario_unfit(struct scenario_reading *reading, unsigned key, uint64_t line,
                               const char *found)
{
    static const char *const kinds[] = {[ANL_KEY_CHOICE] = "",
                                        [ANL_KEY_INTEGER] = "an integer ",
                                        [ANL_KEY_REAL] = "a decimal number ",
                                        [ANL_KEY_LIST] = "an integer ",
                                        [ANL_KEY_PATH] = "a "};
    const struct scenario_key *at = &scenario_keys[key];
    char range[SCENARIO_RANGE_BYTES], example[96], said[96];
    scenario_range(at, " or ", range, sizeof range);
    scenario_example(key, example, sizeof example);
    hint(at, found, said, sizeof said);
    return anl_fail(reading->error, ANL_ERR_FORMAT, reading->file, line,
                    "%s.%s: found %s, expected %s%s%s%s%s", scenario_sections[at->section],
                    at->name, found, at->choice ? "" : kinds[at->kind], range, example, said,
                    scenario_shape_hint(key, found));
}

enum anl_status scenario_give(struct scenario_reading *reading, unsigned key, uint64_t line)
{
    const struct scenario_key *at = &scenario_keys[key];
    if (reading->given[key].file == reading->file)
        return anl_fail(reading->error, ANL_ERR_FORMAT, reading->file, line,
                        "%s.%s: found a second time, expected once (first in line %llu)",
                        scenario_sections[at->section], at->name,
                        (unsigned long long)reading->given[key].line);
    reading->given[key].file = reading->file;
    reading->given[key].line = line;
    if (at->kind == ANL_KEY_LIST) *scenario_count(at, reading->scenario) = 0;
    return ANL_OK;
}

static void list_keys(enum scenario_section section, char *text, size_t size)
{
    size_t used = 0;
    for (unsigned key = 0; key < NUM_KEYS && used < size; key++)
        if (scenario_keys[key].section == section)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     scenario_keys[key].name);
}

// Writes "; did you mean run?", "; did you mean seed in section run?" or "".
static void suggest_section(const char *name, char *text, size_t size)
{
    struct scenario_nearest nearest = {0};
    const struct scenario_synonym *synonym = scenario_synonym_of("", name);
    const char *meant = synonym ? synonym->meant : NULL;
    *text = '\0';
    for (unsigned key = 0; !meant && key < NUM_KEYS; key++) {
        if (strcmp(scenario_keys[key].name, name) != 0) continue;
        snprintf(text, size, "; did you mean %s in section %s?", name,
                 scenario_sections[scenario_keys[key].section]);
        return;
    }
    for (unsigned i = 0; !meant && i < NUM_SECTIONS; i++)
        scenario_nearest(scenario_sections[i], name, &nearest);
    if (!meant) meant = nearest.name;
    if (meant) snprintf(text, size, "; did you mean %s?", meant);
}

enum anl_status scenario_find_section(struct scenario_reading *reading, const char *name,
                                      uint64_t line, enum scenario_section *section)
{
    for (*section = 0; *section < NUM_SECTIONS; ++*section)
        if (strcmp(scenario_sections[*section], name) == 0) return ANL_OK;
    char shown[SCENARIO_SHOWN_BYTES], said[96];
    suggest_section(name, said, sizeof said);
    return anl_fail(
        reading->error, ANL_ERR_FORMAT, reading->file, line,
        "found the unknown section %s, expected network, switch, traffic, run or graph%s",
        scenario_show((struct scenario_scalar){name, strlen(name), true}, shown), said);
}

// Writes "; did you mean depth?", "; did you mean switch.depth?" or "".
static void suggest(enum scenario_section section, const char *name, char *text, size_t size)
{
    struct scenario_nearest nearest = {0};
    const struct scenario_synonym *row = scenario_synonym_of(scenario_sections[section], name);
    const char *synonym = row ? row->meant : NULL;
    *text = '\0';
    for (unsigned key = 0; key < NUM_KEYS; key++)
        if (scenario_keys[key].section == section)
            scenario_nearest(scenario_keys[key].name, name, &nearest);
    if (synonym) synonym = strchr(synonym, '.') + 1;
    if (!synonym) synonym = nearest.name;
    if (synonym) snprintf(text, size, "; did you mean %s?", synonym);
    if (synonym) return;
    // A key of another section, by its own name or by one that others use.
    for (unsigned i = 0; i < NUM_SECTIONS && !row; i++)
        row = scenario_synonym_of(scenario_sections[i], name);
    if (row) snprintf(text, size, "; did you mean %s?", row->meant);
    for (unsigned key = 0; key < NUM_KEYS; key++)
        if (strcmp(scenario_keys[key].name, name) == 0)
            snprintf(text, size, "; did you mean %s.%s?",
                     scenario_sections[scenario_keys[key].section], name);
}

static bool find_own_key(enum scenario_section section, const char *name, unsigned *key)
{
    for (*key = 0; *key < NUM_KEYS; ++*key)
        if (scenario_keys[*key].section == section && !strcmp(scenario_keys[*key].name, name))
            return true;
    return false;
}

enum anl_status scenario_find_key(struct scenario_reading *reading, enum scenario_section section,
                                  const char *name, uint64_t line, unsigned *key)
{
    if (find_own_key(section, name, key)) return ANL_OK;
    const struct scenario_synonym *synonym = scenario_synonym_of(scenario_sections[section], name);
    const char *same = synonym && synonym->same ? strchr(synonym->meant, '.') + 1 : NULL;
    if (same && find_own_key(section, same, key)) return note_synonym(reading, name, same);
    char keys[256], hint[64], shown[SCENARIO_SHOWN_BYTES];
    list_keys(section, keys, sizeof keys);
    suggest(section, name, hint, sizeof hint);
    if (name[strspn(name, "0123456789")] == '\0')  // load: 0,3
        snprintf(hint, sizeof hint, "; decimal numbers have a point, not a comma");
    return anl_fail(
        reading->error, ANL_ERR_FORMAT, reading->file, line,
        "%s: found the unknown key %s, expected one of %s%s", scenario_sections[section],
        scenario_show((struct scenario_scalar){name, strlen(name), true}, shown), keys, hint);
}
