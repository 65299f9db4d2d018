// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <annelid/network.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define MOST_CYCLES "run.max_cycles=1000000000000"

// --- keys ---

static bool is_plain(const char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text)) return false;
    return true;
}

// Words of others are those of the page, and a list of one value is that value.
static bool is_same_value(const char *key, const char *a, const char *b)
{
    char settings[2][SWEEP_SETTING_BYTES];
    return sweep_setting(settings[0], key, anl_scenario_usual_value(key, a)) &&
           sweep_setting(settings[1], key, anl_scenario_usual_value(key, b)) &&
           strcmp(settings[0], settings[1]) == 0;
}

static bool has_twice(const struct sweep_key *key)
{
    for (size_t i = 0; i < key->count; i++)
        for (size_t j = 0; j < i; j++)
            if (is_same_value(key->name, key->values[i], key->values[j])) return true;
    return false;
}

static enum anl_status check_key(const struct sweep_key *key, struct anl_error *error)
{
    const char *why = NULL;
    if (!strchr(key->name, '.') || !is_plain(key->name)) why = "expected SECTION.KEY=A,B,C";
    if (strcmp(key->name, "run.seed") == 0) why = "seeds are varied by --seeds";
    if (strcmp(key->name, "traffic.load") == 0) why = "loads are varied by --loads";
    for (size_t i = 0; i < key->count; i++)
        if (!*key->values[i] || !is_plain(key->values[i])) why = "a value is empty or no text";
    if (has_twice(key)) why = "a value is there twice";
    return why ? anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "--vary %s: %s", key->name, why) : ANL_OK;
}

// Works like strsep() at commas, but not at those within brackets: a list is one value.
static char *cut_value(char **rest)
{
    char *value = *rest;
    int depth = 0;
    for (char *at = value; *at; at++) {
        depth += (*at == '[') - (*at == ']' && depth > 0);
        if (*at != ',' || depth > 0) continue;
        *at = '\0';
        *rest = at + 1;
        return value;
    }
    *rest = NULL;
    return value;
}

enum anl_status sweep_key_read(const char *text, struct sweep_key *key, struct anl_error *error)
{
    *key = (struct sweep_key){0};
    size_t commas = 0;
    for (const char *at = text; *at; at++)
        commas += *at == ',';
    key->text = strdup(text);
    key->values = calloc(commas + 1, sizeof *key->values);
    enum anl_status status = cli_fail(key->text && key->values ? ANL_OK : ANL_ERR_MEMORY, error);
    char *rest = status ? NULL : key->text;
    strsep(&rest, "=");
    while (rest)
        key->values[key->count++] = cut_value(&rest);
    char usual[SWEEP_NAME_BYTES];
    if (!status) anl_scenario_usual_key(key->text, usual, sizeof usual);
    if (!status) status = cli_fail((key->name = strdup(usual)) ? ANL_OK : ANL_ERR_MEMORY, error);
    if (!status && !key->count)
        status =
            anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "--vary %s: expected SECTION.KEY=A,B,C", text);
    if (!status) status = check_key(key, error);
    if (status) sweep_key_free(key);
    return status;
}

void sweep_key_free(struct sweep_key *key)
{
    free(key->name);
    free(key->text);
    free(key->values);
    *key = (struct sweep_key){0};
}

// --- one variant ---

// The settings of a variant: those of all variants, its own, and two that are added here.
enum { MOST_SETTINGS = CLI_MAX_SETTINGS + SWEEP_MAX_KEYS + 2 };
struct settings {
    const char *list[MOST_SETTINGS];
    size_t count;
    char own[SWEEP_MAX_KEYS][SWEEP_SETTING_BYTES];
    char load[sizeof "traffic.load=" + SWEEP_LOAD_BYTES];
};

bool sweep_setting(char setting[SWEEP_SETTING_BYTES], const char *name, const char *value)
{
    const size_t length = strlen(value);
    const bool list = length > 2 && value[0] == '[' && value[length - 1] == ']';
    const char *begin = value + list, *end = value + length - list;
    while (list && begin < end && *begin == ' ')
        begin++;
    while (list && begin < end && end[-1] == ' ')
        end--;
    return snprintf(setting, SWEEP_SETTING_BYTES, "%s=%.*s", name, (int)(end - begin), begin) <
           SWEEP_SETTING_BYTES;
}

static enum anl_status make_settings(const struct sweep_source *source,
                                     const struct sweep_variant *variant, struct settings *settings,
                                     struct anl_error *error)
{
    for (size_t i = 0; i < source->num_settings; i++)
        settings->list[settings->count++] = source->settings[i];
    for (size_t i = 0; i < source->num_keys; i++) {
        char *own = settings->own[i];
        const char *name = source->keys[i].text, *value = variant->values[i];
        if (!sweep_setting(own, name, value))
            return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "--vary %s: a value is too long", name);
        settings->list[settings->count++] = own;
    }
    return ANL_OK;
}

// Checks that the variant can be run at this load, its largest.
static enum anl_status check_load(const struct sweep_source *source, struct settings *settings,
                                  uint64_t load, struct anl_error *error)
{
    struct anl_scenario scenario;
    char text[SWEEP_LOAD_BYTES];
    sweep_load_text(load, text);
    snprintf(settings->load, sizeof settings->load, "traffic.load=%s", text);
    settings->list[settings->count] = settings->load;
    const enum anl_status status =
        anl_scenario_load_with(source->path, settings->list, settings->count + 1, &scenario, error);
    if (!status) anl_scenario_free(&scenario);
    return status;
}

// *load receives the load of the scenario itself.
static enum anl_status own_load(const struct sweep_variant *variant, uint64_t *load,
                                struct anl_error *error)
{
    const double wanted = variant->scenario.traffic.load;
    *load = (uint64_t)(wanted * (double)SWEEP_LOAD_1 + 0.5);
    if (sweep_load_number(*load) >= wanted && sweep_load_number(*load) <= wanted) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                    "traffic.load has more than nine decimals, which a sweep cannot have");
}

static enum anl_status give_loads(const struct sweep_source *source, struct sweep_variant *variant,
                                  struct anl_error *error)
{
    uint64_t own = SWEEP_NO_LOAD;
    const struct sweep_list *loads = source->loads;
    if (!variant->open && (loads || source->find_saturation))
        return anl_fail(error, ANL_ERR_ARGUMENT, source->path, 0,
                        "process %s has no load that could be swept",
                        anl_process_name(variant->scenario.traffic.process));
    if (variant->open && !loads && own_load(variant, &own, error)) return ANL_ERR_ARGUMENT;
    const struct sweep_list one = {&own, 1};
    if (!loads) loads = &one;
    variant->loads.values = calloc(loads->count, sizeof *loads->values);
    if (!variant->loads.values) return cli_fail(ANL_ERR_MEMORY, error);
    memcpy(variant->loads.values, loads->values, loads->count * sizeof *loads->values);
    variant->loads.count = loads->count;
    return ANL_OK;
}

static void limit_cycles(struct anl_scenario *scenario)
{
    const uint64_t most = 2 * scenario->run.cycles;
    if (scenario->run.max_cycles > most) scenario->run.max_cycles = most;
}

// Returns whether neither scenario nor settings give run.max_cycles. Then the sweep sets it, and
// run.cycles may exceed its default.
static bool may_take_longer(const struct sweep_source *source, struct settings *settings)
{
    struct anl_scenario scenario;
    const size_t count = settings->count;
    settings->list[count] = "run.cycles=1";
    settings->list[count + 1] = "run.warmup_cycles=0";
    if (anl_scenario_load_with(source->path, settings->list, count + 2, &scenario, NULL))
        return false;
    const bool open = anl_process_is_open_loop(scenario.traffic.process);
    const bool given = strstr(scenario.text, "max_cycles:") != NULL;
    anl_scenario_free(&scenario);
    return open && !given;
}

static enum anl_status load_scenario(const struct sweep_source *source, struct settings *settings,
                                     struct anl_scenario *scenario, struct anl_error *error)
{
    const enum anl_status status =
        anl_scenario_load_with(source->path, settings->list, settings->count, scenario, error);
    if (status != ANL_ERR_FORMAT && status != ANL_ERR_ARGUMENT) return status;
    if (!may_take_longer(source, settings)) return status;
    settings->list[settings->count++] = MOST_CYCLES;
    return anl_scenario_load_with(source->path, settings->list, settings->count, scenario, error);
}

static enum anl_status load_variant(const struct sweep_source *source,
                                    struct sweep_variant *variant, struct anl_error *error)
{
    struct settings settings = {0};
    enum anl_status status = make_settings(source, variant, &settings, error);
    if (!status) status = load_scenario(source, &settings, &variant->scenario, error);
    if (!status) status = cli_expect_buffered(&variant->scenario.network, source->path, error);
    if (!status) {
        variant->open = anl_process_is_open_loop(variant->scenario.traffic.process);
        status = give_loads(source, variant, error);
    }
    if (!status && variant->open) {
        const uint64_t most = variant->loads.values[variant->loads.count - 1];
        status =
            check_load(source, &settings, source->find_saturation ? SWEEP_LOAD_1 : most, error);
        limit_cycles(&variant->scenario);
    }
    return status;
}

// --- all of them ---

static void choose_values(struct sweep_variants *variants, size_t number)
{
    for (size_t i = variants->num_keys, rest = number; i-- > 0;) {
        const struct sweep_key *key = &variants->keys[i];
        variants->list[number].values[i] = key->values[rest % key->count];
        rest /= key->count;
    }
}

enum anl_status sweep_variants_load(const struct sweep_source *source,
                                    struct sweep_variants *variants, struct anl_error *error)
{
    size_t count = 1;
    *variants = (struct sweep_variants){.keys = source->keys, .num_keys = source->num_keys};
    for (size_t i = 0; i < source->num_keys && count <= SWEEP_MAX_VARIANTS; i++)
        count *= source->keys[i].count;
    if (count > SWEEP_MAX_VARIANTS)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "more than %d variants",
                        SWEEP_MAX_VARIANTS);
    variants->list = calloc(count, sizeof *variants->list);
    if (!variants->list) return cli_fail(ANL_ERR_MEMORY, error);
    variants->count = count;
    enum anl_status status = cli_expect_ordinary(source->path, error);
    for (size_t i = 0; i < count && !status; i++) {
        choose_values(variants, i);
        status = load_variant(source, &variants->list[i], error);
    }
    if (!status) cli_tell_synonyms(&variants->list[0].scenario, source->path);
    return status;
}

void sweep_variants_free(struct sweep_variants *variants)
{
    for (size_t i = 0; i < variants->count; i++) {
        anl_scenario_free(&variants->list[i].scenario);
        free(variants->list[i].loads.values);
    }
    free(variants->list);
    *variants = (struct sweep_variants){0};
}

void sweep_variants_write(FILE *file, const struct sweep_variants *variants,
                          const struct sweep_variant *variant)
{
    for (size_t i = 0; i < variants->num_keys; i++) {
        csv_write(file, variant ? variant->values[i] : variants->keys[i].name);
        fputc(',', file);
    }
}

// Returns whether a key has the same value, or no meaning, in all variants.
bool sweep_variants_agree(const struct sweep_variants *variants, size_t key)
{
    enum { VALUE_BYTES = 4096 };
    char first[VALUE_BYTES], other[VALUE_BYTES];
    const bool has = anl_scenario_setting(&variants->list[0].scenario, key, first, sizeof first);
    for (size_t i = 1; i < variants->count; i++) {
        const struct anl_scenario *scenario = &variants->list[i].scenario;
        if (anl_scenario_setting(scenario, key, other, sizeof other) != has) return false;
        if (strcmp(first, other) != 0) return false;
    }
    return true;
}

static bool contents_are_the_same(const struct sweep_variants *variants)
{
    struct cli_content first[CLI_MAX_CONTENTS], other[CLI_MAX_CONTENTS];
    const size_t count = cli_contents(&variants->list[0].scenario, first);
    for (size_t i = 1; i < variants->count; i++) {
        if (cli_contents(&variants->list[i].scenario, other) != count) return false;
        for (size_t c = 0; c < count; c++)
            if (strcmp(first[c].name, other[c].name) != 0 || first[c].hash != other[c].hash)
                return false;
    }
    return true;
}

// Writes a remark for each content of a variant, with the values that it has if the variants
// differ: "graph_xxh3: 0123456789abcdef of network.graph=a.yaml, switch.num_vcs=2".
static void write_contents_of(FILE *file, const struct sweep_variants *variants,
                              const struct sweep_variant *variant, bool differ)
{
    struct cli_content contents[CLI_MAX_CONTENTS];
    const size_t count = cli_contents(&variant->scenario, contents);
    for (size_t c = 0; c < count; c++) {
        fprintf(file, "# %s_xxh3: %016" PRIx64, contents[c].name, contents[c].hash);
        for (size_t i = 0; differ && i < variants->num_keys; i++)
            fprintf(file, "%s%s=%s", i ? ", " : " of ", variants->keys[i].name, variant->values[i]);
        fputs("\r\n", file);
    }
}

static void write_contents(FILE *file, const struct sweep_variants *variants)
{
    const bool differ = !contents_are_the_same(variants);
    for (size_t i = 0; i < (differ ? variants->count : 1); i++)
        write_contents_of(file, variants, &variants->list[i], differ);
}

void sweep_variants_write_head(FILE *file, const struct sweep_variants *variants,
                               const struct cli_given *given)
{
    enum { MOST_KEYS = 128, NAME_BYTES = 64 };
    char names[MOST_KEYS][NAME_BYTES];
    const char *without[MOST_KEYS + 3] = {"traffic.load", "run.seed"};
    struct anl_scenario_key key;
    size_t count = 2;
    for (size_t i = 0; count < MOST_KEYS && anl_scenario_key(i, &key); i++) {
        if (sweep_variants_agree(variants, i)) continue;
        snprintf(names[count], NAME_BYTES, "%s.%s", key.section, key.name);
        without[count] = names[count];
        count++;
    }
    cli_write_settings(file, given, &variants->list[0].scenario, without);
    write_contents(file, variants);
}

// --- hash ---

// Adds a text to the hash.
static void hash_text(uint64_t *hash, const char *text)
{
    *hash = XXH3_64bits_withSeed(text, strlen(text) + 1, *hash);
}

// Adds this program to the hash, for another one may measure differently; nothing if it cannot be
// read.
static void hash_program(uint64_t *hash)
{
    char bytes[4096];
    size_t count;
    FILE *program = fopen("/proc/self/exe", "rb");
    while (program && (count = fread(bytes, 1, sizeof bytes, program)) > 0)
        *hash = XXH3_64bits_withSeed(bytes, count, *hash);
    if (program) fclose(program);
}

uint64_t sweep_variants_hash(const struct sweep_variants *variants, bool digest)
{
    uint64_t hash = 0;
    hash_text(&hash, digest ? "annelid sweep 2 digest" : "annelid sweep 2");
    hash_program(&hash);
    for (size_t i = 0; i < variants->num_keys; i++)
        hash_text(&hash, variants->keys[i].name);
    for (size_t i = 0; i < variants->count; i++) {
        for (size_t key = 0; key < variants->num_keys; key++)
            hash_text(&hash, variants->list[i].values[key]);
        hash_text(&hash, variants->list[i].scenario.text);
        hash = anl_scenario_hash(&variants->list[i].scenario, hash);
    }
    return hash;
}
