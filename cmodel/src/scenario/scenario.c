// SPDX-License-Identifier: Apache-2.0
//
// Turns a file and settings into a checked struct anl_scenario. On any failure the scenario is left
// empty.

#include "scenario.h"

#include <annelid/network.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MESSAGE_FILE_BYTES = 1 << 30, MAX_GRAPH_FILE_BYTES = 1 << 26 };

struct source {
    const char *name;
    const char *text;
    size_t bytes;
    const char *directory;  // NULL: the message file is not opened
    const char *const *settings;
    size_t num_settings;
};

// --- files ---

static enum anl_status read_stream(FILE *stream, const char *path, size_t limit, char **text,
                                   size_t *bytes, struct anl_error *error)
{
    size_t room = 4096;
    *bytes = 0;
    for (;;) {
        char *larger = realloc(*text, room + 1);
        if (!larger) return anl_fail(error, ANL_ERR_MEMORY, path, 0, "no memory to read it");
        *text = larger;
        *bytes += fread(*text + *bytes, 1, room - *bytes, stream);
        (*text)[*bytes] = '\0';
        if (ferror(stream)) return anl_fail(error, ANL_ERR_IO, path, 0, "%s", strerror(errno));
        if (*bytes > limit)
            return anl_fail(error, ANL_ERR_FORMAT, path, 0, "found more than %zu bytes", limit);
        if (feof(stream)) return ANL_OK;
        if (*bytes == room) room *= 2;
    }
}

enum anl_status scenario_read_file(const char *path, size_t limit, char **text, size_t *bytes,
                                   struct anl_error *error)
{
    *text = NULL;
    FILE *stream = anl_input_open(path);
    if (!stream) return anl_fail(error, ANL_ERR_IO, path, 0, "%s", strerror(errno));
    const enum anl_status status = read_stream(stream, path, limit, text, bytes, error);
    fclose(stream);
    if (!status) return ANL_OK;
    free(*text);
    *text = NULL;
    return status;
}

// Returns the part of path up to its last '/', which the caller frees; NULL if memory runs out.
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t bytes = slash ? (size_t)(slash - path) + 1 : 0;
    char *directory = calloc(bytes + 1, 1);
    if (directory) memcpy(directory, path, bytes);
    return directory;
}

static char *joined(const char *directory, const char *path)
{
    const bool whole_path = path[0] == '/' || strcmp(path, "-") == 0;
    const size_t length = whole_path ? 0 : strlen(directory);
    const char *separator = length && directory[length - 1] != '/' ? "/" : "";
    const size_t size = length + strlen(separator) + strlen(path) + 1;
    char *whole = malloc(size);
    if (whole) snprintf(whole, size, "%.*s%s%s", (int)length, directory, separator, path);
    return whole;
}

// --- parts of a scenario ---

static enum anl_status use_messages(struct scenario_reading *reading, const char *text,
                                    size_t bytes, const char *path)
{
    struct anl_scenario *scenario = reading->scenario;
    return scenario_read_messages(text, bytes, path, scenario, &scenario->messages,
                                  &scenario->num_messages, reading->error);
}

static enum anl_status use_graph(struct scenario_reading *reading, const char *text, size_t bytes,
                                 const char *path)
{
    const char *before = reading->file;
    reading->file = path;
    const enum anl_status status = scenario_read_graph_file(reading, text, bytes);
    reading->file = before;
    return status;
}

// Reads the file that a key names and gives its text to use(). Without a directory no file is
// opened.
static enum anl_status
load(struct scenario_reading *reading, const char *directory, unsigned key, size_t most_bytes,
     enum anl_status (*use)(struct scenario_reading *reading, const char *text, size_t bytes,
                            const char *path))
{
    if (!reading->paths[key] || !directory) return ANL_OK;
    char *path = joined(directory, reading->paths[key]);
    if (!path) return anl_fail(reading->error, ANL_ERR_MEMORY, reading->file, 0, "no memory");
    free(reading->opened[key]);
    reading->opened[key] = path;
    const struct scenario_key *at = &scenario_keys[key];
    struct anl_error why = {0};
    char *text;
    size_t bytes;
    enum anl_status status = scenario_read_file(path, most_bytes, &text, &bytes, &why);
    if (status == ANL_ERR_IO)
        return anl_fail(reading->error, status, reading->given[key].file, reading->given[key].line,
                        "%s.%s: %s: %s", scenario_sections[at->section], at->name, path, why.text);
    if (status) return anl_fail(reading->error, status, path, 0, "%s", why.text);
    bytes = anl_unify_line_ends(text, bytes);
    const char *content = anl_skip_mark(text, &bytes);
    status = use(reading, content, bytes, path);
    free(text);
    return status;
}

// A file that the scenario names takes the place of a section graph.
static enum anl_status load_graph(struct scenario_reading *reading, const char *directory)
{
    if (reading->paths[KEY_GRAPH] && directory) {
        scenario_graph_free(reading->graph);
        reading->graph = NULL;
    }
    enum anl_status status = load(reading, directory, KEY_GRAPH, MAX_GRAPH_FILE_BYTES, use_graph);
    if (status || !reading->graph) return status;
    status = load(reading, directory, KEY_TABLE, MAX_GRAPH_FILE_BYTES, scenario_read_table);
    return status ? status : scenario_build_graph(reading);
}

static enum anl_status keep_text(const struct scenario_reading *reading,
                                 const struct source *source)
{
    struct anl_scenario *scenario = reading->scenario;
    if (source->num_settings || scenario->synonyms || scenario->demand ||
        scenario->network.topology == ANL_GRAPH) {
        scenario->text = scenario_write(reading, &scenario->text_bytes);
    } else {
        scenario->text = malloc(source->bytes + 1);
        scenario->text_bytes = source->bytes;
        if (scenario->text && source->bytes) memcpy(scenario->text, source->text, source->bytes);
        if (scenario->text) scenario->text[source->bytes] = '\0';
    }
    if (scenario->text) return ANL_OK;
    return anl_fail(reading->error, ANL_ERR_MEMORY, reading->file, 0, "no memory for its text");
}

static enum anl_status read_all(struct scenario_reading *reading, const struct source *source)
{
    enum anl_status status = scenario_read_yaml(reading, source->text, source->bytes);
    for (size_t i = 0; !status && i < source->num_settings; i++) {
        reading->file = source->settings[i];
        status = scenario_read_setting(reading, source->settings[i]);
    }
    reading->file = status ? reading->file : source->name;
    if (!status) status = scenario_fall_back(reading);
    if (!status) status = scenario_settle_kind(reading);
    if (!status) status = scenario_settle_classes(reading);
    if (!status) status = load_graph(reading, source->directory);
    if (!status) status = scenario_settle(reading);
    if (!status)
        status = load(reading, source->directory, KEY_MATRIX, MAX_GRAPH_FILE_BYTES,
                      scenario_read_matrix);
    if (!status)
        status =
            load(reading, source->directory, KEY_RATES, MAX_GRAPH_FILE_BYTES, scenario_read_rates);
    if (!status) status = scenario_settle_demand(reading);
    if (!status) status = keep_text(reading, source);
    if (!status)
        status =
            load(reading, source->directory, KEY_MESSAGES, MAX_MESSAGE_FILE_BYTES, use_messages);
    if (!status && reading->scenario->num_messages) status = scenario_settle_routes(reading);
    return status;
}

// Hands a path over to the scenario.
static void keep_path(struct scenario_reading *reading, unsigned key, char **path)
{
    *path = reading->paths[key];
    reading->paths[key] = NULL;
}

static enum anl_status read_source(const struct source *source, struct anl_scenario *scenario,
                                   struct anl_error *error)
{
    *scenario = (struct anl_scenario){0};
    if (source->bytes > ANL_MAX_SCENARIO_BYTES)
        return anl_fail(error, ANL_ERR_FORMAT, source->name, 0,
                        "found %zu bytes, expected at most %d", source->bytes,
                        ANL_MAX_SCENARIO_BYTES);
    struct scenario_reading reading = {.scenario = scenario, .error = error, .file = source->name};
    struct source text = *source;
    text.text = anl_skip_mark(text.text, &text.bytes);
    const enum anl_status status = read_all(&reading, &text);
    keep_path(&reading, KEY_GRAPH, &scenario->graph_path);
    keep_path(&reading, KEY_TABLE, &scenario->table_path);
    keep_path(&reading, KEY_MESSAGES, &scenario->messages_path);
    keep_path(&reading, KEY_MATRIX, &scenario->matrix_path);
    keep_path(&reading, KEY_RATES, &scenario->rates_path);
    for (unsigned key = 0; key < NUM_KEYS; key++) {
        free(reading.paths[key]);
        free(reading.opened[key]);
    }
    scenario_graph_free(reading.graph);
    if (status) anl_scenario_free(scenario);
    return status;
}

// --- public ---

enum anl_status anl_scenario_load_with(const char *path, const char *const *settings,
                                       size_t num_settings, struct anl_scenario *scenario,
                                       struct anl_error *error)
{
    *scenario = (struct anl_scenario){0};
    char *text;
    size_t bytes;
    enum anl_status status = scenario_read_file(path, ANL_MAX_SCENARIO_BYTES, &text, &bytes, error);
    if (status) return status;
    char *directory = directory_of(path);
    if (directory)
        status = read_source(&(struct source){path, text, bytes, directory, settings, num_settings},
                             scenario, error);
    else
        status = anl_fail(error, ANL_ERR_MEMORY, path, 0, "no memory");
    free(directory);
    free(text);
    return status;
}

enum anl_status anl_scenario_load(const char *path, struct anl_scenario *scenario,
                                  struct anl_error *error)
{
    return anl_scenario_load_with(path, NULL, 0, scenario, error);
}

enum anl_status anl_scenario_parse(const char *text, size_t bytes, const char *name,
                                   const char *directory, struct anl_scenario *scenario,
                                   struct anl_error *error)
{
    const struct source source = {name, text, bytes, directory, NULL, 0};
    return read_source(&source, scenario, error);
}

void anl_scenario_free(struct anl_scenario *scenario)
{
    free(scenario->messages);
    anl_graph_destroy(scenario->graph);
    free(scenario->text);
    free(scenario->graph_path);
    free(scenario->table_path);
    free(scenario->messages_path);
    free(scenario->matrix_path);
    free(scenario->rates_path);
    free(scenario->synonyms);
    anl_demand_destroy(scenario->demand);
    *scenario = (struct anl_scenario){0};
}

struct anl_workload anl_scenario_workload(const struct anl_scenario *scenario)
{
    return (struct anl_workload){
        .network = &scenario->network,
        .traffic = &scenario->traffic,
        .seed = scenario->run.seed,
        .cycles = scenario->run.cycles,
        .messages = scenario->messages,
        .num_messages = scenario->num_messages,
    };
}
