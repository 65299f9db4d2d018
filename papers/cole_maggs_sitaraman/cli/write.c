// SPDX-License-Identifier: Apache-2.0

#include "colours.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 4096 };

// --- the schedule ---

static void write_row(FILE *out, const struct colours *colours, uint32_t message)
{
    const uint32_t colour = colours->colouring.of[message];
    fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu64 "\n", message, colour, colours->starts[colour]);
}

static void write_message(FILE *out, const struct colours *colours, uint32_t m)
{
    const struct anl_message *message = &colours->messages[m];
    fprintf(out, "%" PRIu64 " %" PRIu32 " %" PRIu32 " %u",
            colours->starts[colours->colouring.of[m]], message->source, message->destination,
            message->length);
    if (anl_num_classes(&colours->scenario.network) > 1) fprintf(out, " %u", message->class_);
    for (uint32_t i = 0; i < message->route_length; i++)
        fprintf(out, "%c%u", i ? '.' : ' ', message->route[i]);
    if (message->has_path) fprintf(out, " path=%" PRIu32, message->path);
    fputc('\n', out);
}

// The colours in the order of their starts; of one colour the messages in their order.
struct turn {
    uint64_t start;
    uint32_t message;
};

static int by_start(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->message < y->message ? -1 : 1;
}

static enum anl_status write_schedule(FILE *out, const struct colours *colours)
{
    const uint32_t count = colours->paths.messages;
    struct turn *turns = malloc(((size_t)count + 1) * sizeof *turns);
    if (!turns) return ANL_ERR_MEMORY;
    for (uint32_t m = 0; m < count; m++)
        turns[m] = (struct turn){colours->starts[colours->colouring.of[m]], m};
    if (colours->has_scenario) qsort(turns, count, sizeof *turns, by_start);
    fputs(colours->has_scenario ? "# cycle source destination length\n" : "message,colour,start\n",
          out);
    for (uint32_t i = 0; i < count; i++)
        (colours->has_scenario ? write_message : write_row)(out, colours, turns[i].message);
    free(turns);
    return ANL_OK;
}

enum anl_status colours_write(const char *path, const struct colours *colours,
                              struct anl_error *error)
{
    struct anl_output output;
    enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    status = cli_fail(write_schedule(output.file, colours), error);
    if (!status) return anl_output_finish(&output, error);
    anl_output_abandon(&output);
    return status;
}

// --- the scenario that replays it ---

// Writes the keys of a section that have a value; no names of files.
static void write_section(FILE *out, const struct anl_scenario *scenario, const char *section)
{
    struct anl_scenario_key key;
    char value[VALUE_BYTES];
    fprintf(out, "%s:\n", section);
    for (size_t i = 0; anl_scenario_key(i, &key); i++)
        if (strcmp(key.section, section) == 0 && key.kind != ANL_KEY_PATH &&
            anl_scenario_setting(scenario, i, value, sizeof value) && *value &&
            strcmp(value, "[]") != 0)
            fprintf(out, "  %s: %s\n", key.name, value);
}

// Writes the graph as a section: each of its lines behind two blanks.
static enum anl_status write_graph(FILE *out, const struct anl_graph *graph)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream) return ANL_ERR_MEMORY;
    anl_scenario_write_graph(stream, graph);
    if (fclose(stream)) return ANL_ERR_MEMORY;
    fputs("graph:\n", out);
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        fprintf(out, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    free(text);
    return ANL_OK;
}

static enum anl_status write_text(FILE *out, const struct anl_scenario *scenario,
                                  const char *messages)
{
    write_section(out, scenario, "network");
    write_section(out, scenario, "switch");
    fprintf(out,
            "traffic: {process: replay, messages: '%s'}\n"
            "run: {seed: %" PRIu64 ", max_cycles: 1000000000000}\n",
            messages, scenario->run.seed);
    return scenario->network.topology == ANL_GRAPH ? write_graph(out, scenario->graph) : ANL_OK;
}

enum anl_status colours_write_scenario(const char *path, const char *messages,
                                       const struct colours *colours, struct anl_error *error)
{
    struct anl_output output;
    enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    status = cli_fail(write_text(output.file, &colours->scenario, messages), error);
    if (!status) return anl_output_finish(&output, error);
    anl_output_abandon(&output);
    return status;
}
