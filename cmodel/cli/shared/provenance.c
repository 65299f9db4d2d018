// SPDX-License-Identifier: Apache-2.0
//
// Where results come from: the program, the command that made them, and what its scenario says.
// Nothing here depends on the machine or on the time.

#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { VALUE_BYTES = 4096 };

char *cli_command_text(const struct cli_given *given)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    fputs(given->words[0], out);
    for (size_t i = 0; i < given->num_taken; i++) {
        if (given->taken[i].aside) continue;
        fprintf(out, " --%s", given->taken[i].option);
        if (given->taken[i].value) fputc(' ', out);
        if (given->taken[i].value) anl_print_word(out, given->taken[i].value);
    }
    if (given->num_inputs && given->inputs[0][0] == '-' && given->inputs[0][1]) fputs(" --", out);
    for (size_t i = 0; i < given->num_inputs; i++) {
        fputc(' ', out);
        anl_print_word(out, given->inputs[i]);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

// --- JSON ---

// Returns digits as a number; as a text if JSON's readers would round them.
static json_t *number_of(const char *digits)
{
    const uint64_t value = strtoull(digits, NULL, 10);
    return value <= INT64_MAX ? cli_integer(value) : json_string(digits);
}

// Returns the elements of "[a, b, c]".
static json_t *list_of(char *text)
{
    json_t *list = json_array();
    for (char *rest = text + 1, *word; (word = strsep(&rest, ",]"));) {
        word += strspn(word, " ");
        if (*word >= '0' && *word <= '9')
            json_array_append_new(list, number_of(word));
        else if (*word)
            json_array_append_new(list, json_string(word));
    }
    return list;
}

static json_t *value_of(enum anl_key_kind kind, char *text)
{
    switch (kind) {
    case ANL_KEY_INTEGER:
        return number_of(text);
    case ANL_KEY_REAL:
        return json_real(strtod(text, NULL));
    case ANL_KEY_LIST:
        return list_of(text);
    case ANL_KEY_CHOICE:
        if (strcmp(text, "true") == 0) return json_true();
        if (strcmp(text, "false") == 0) return json_false();
        return json_string(text);
    case ANL_KEY_PATH:
        break;
    }
    return json_string(text);
}

json_t *cli_scenario_json(const struct anl_scenario *scenario)
{
    json_t *sections = json_object();
    struct anl_scenario_key key;
    char value[VALUE_BYTES];
    for (size_t i = 0; anl_scenario_key(i, &key); i++) {
        if (!anl_scenario_setting(scenario, i, value, sizeof value)) continue;
        json_t *section = json_object_get(sections, key.section);
        if (!section) {
            json_object_set_new(sections, key.section, json_object());
            section = json_object_get(sections, key.section);
        }
        json_object_set_new(section, key.name, value_of(key.kind, value));
    }
    return sections;
}

json_t *cli_provenance_json(const struct cli_given *given, const struct anl_scenario *scenario)
{
    char *command = cli_command_text(given);
    json_t *object = json_pack("{s:s, s:s, s:o, s:o, s:o}", "program", CLI_PROGRAM, "command",
                               command ? command : "", "seed", cli_seed_json(scenario->run.seed),
                               "scenario", cli_scenario_json(scenario), "scenario_xxh3",
                               json_sprintf("%016" PRIx64, anl_scenario_hash(scenario, 0)));
    free(command);
    return object;
}

json_t *cli_seed_json(uint64_t seed)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, seed);
    return number_of(digits);
}

// --- remarks of CSV files ---

static bool is_left_out(const struct anl_scenario_key *key, const char *const *without)
{
    char name[96];
    snprintf(name, sizeof name, "%s.%s", key->section, key->name);
    for (; *without; without++)
        if (strcmp(*without, name) == 0) return true;
    return false;
}

static void write_value(FILE *out, enum anl_key_kind kind, const char *value)
{
    const char *plain = kind == ANL_KEY_PATH ? NULL : value;
    if (plain) fputs(plain, out);
    for (const char *c = value; !plain && *c; c++)
        fprintf(out, "%s%s%c", c == value ? "'" : "", *c == '\'' ? "'" : "", *c);
    if (!plain) fputc('\'', out);
}

// Writes the sections of a scenario as lines of YAML.
static void write_scenario(FILE *out, const struct anl_scenario *scenario,
                           const char *const *without)
{
    const char *section = "";
    struct anl_scenario_key key;
    char value[VALUE_BYTES];
    for (size_t i = 0; anl_scenario_key(i, &key); i++) {
        if (is_left_out(&key, without)) continue;
        if (!anl_scenario_setting(scenario, i, value, sizeof value)) continue;
        if (strcmp(section, key.section) != 0)
            fprintf(out, "%s%s: {", *section ? "}\n" : "", key.section);
        else
            fputs(", ", out);
        section = key.section;
        fprintf(out, "%s: ", key.name);
        write_value(out, key.kind, value);
    }
    fputc('}', out);
}

static uint64_t hash_graph(const struct anl_graph *graph)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return 0;
    anl_scenario_write_graph(out, graph);
    fclose(out);
    const uint64_t hash = text ? XXH3_64bits(text, bytes) : 0;
    free(text);
    return hash;
}

size_t cli_contents(const struct anl_scenario *scenario,
                    struct cli_content contents[CLI_MAX_CONTENTS])
{
    const struct anl_demand *demand = scenario->demand;
    size_t count = 0;
    if (scenario->network.topology == ANL_GRAPH)
        contents[count++] = (struct cli_content){"graph", hash_graph(scenario->graph)};
    if (scenario->num_messages)
        contents[count++] =
            (struct cli_content){"messages", anl_scenario_hash_messages(scenario, 0)};
    if (demand)
        contents[count++] = (struct cli_content){demand->begins ? "matrix" : "rates",
                                                 anl_scenario_hash_demand(demand, 0)};
    return count;
}

void cli_write_settings(FILE *out, const struct cli_given *given,
                        const struct anl_scenario *scenario, const char *const *without)
{
    char *text = NULL, *command = cli_command_text(given);
    size_t bytes;
    FILE *remarks = open_memstream(&text, &bytes);
    if (remarks) {
        fprintf(remarks, "%s\n%s\n", CLI_PROGRAM, command ? command : "");
        write_scenario(remarks, scenario, without);
        fputc('\n', remarks);
        fclose(remarks);
    }
    if (text) csv_remark(out, text);
    free(text);
    free(command);
}

void cli_write_provenance(FILE *out, const struct cli_given *given,
                          const struct anl_scenario *scenario)
{
    static const char *const none[] = {NULL};
    struct cli_content contents[CLI_MAX_CONTENTS];
    cli_write_settings(out, given, scenario, none);
    const size_t count = cli_contents(scenario, contents);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "# %s_xxh3: %016" PRIx64 "\r\n", contents[i].name, contents[i].hash);
}
