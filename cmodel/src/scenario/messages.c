// SPDX-License-Identifier: Apache-2.0
//
// Message files (docs/scenario.md) have one message per line; the reader corrects and guesses
// nothing.

#include "scenario.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct message_reader {
    const char *at, *end;  // the rest of the text
    const char *file;
    uint64_t line;
    const struct anl_scenario *scenario;
    uint32_t terminals;
    uint64_t cycle;  // of the message before
    struct anl_error *error;
};

enum { NUM_FIELDS = 4 };
static const char *const field_names[NUM_FIELDS] = {"cycle", "source", "destination", "length"};

#define REFUSE(reader, ...)                                                                        \
    return anl_fail((reader)->error, ANL_ERR_FORMAT, (reader)->file, (reader)->line, __VA_ARGS__)

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_blanks(struct message_reader *reader)
{
    while (reader->at < reader->end && is_blank(*reader->at))
        reader->at++;
}

// Returns true if the rest of the line is empty or a comment.
static bool line_is_over(const struct message_reader *reader)
{
    return reader->at == reader->end || *reader->at == '\n' || *reader->at == '#';
}

static void skip_line(struct message_reader *reader)
{
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    reader->at = newline ? newline + 1 : reader->end;
    reader->line++;
}

static struct scenario_scalar next_word(struct message_reader *reader)
{
    struct scenario_scalar word = {reader->at, 0, true};
    while (!line_is_over(reader) && !is_blank(*reader->at)) {
        reader->at++;
        word.bytes++;
    }
    return word;
}

static bool read_digits(struct scenario_scalar word, uint64_t *value)
{
    if (word.bytes == 0 || word.bytes > 19) return false;  // 64 bits hold 19 digits
    *value = 0;
    for (size_t i = 0; i < word.bytes; i++) {
        if (word.text[i] < '0' || word.text[i] > '9') return false;
        *value = *value * 10 + (uint64_t)(word.text[i] - '0');
    }
    return true;
}

static enum anl_status read_field(struct message_reader *reader, unsigned field, uint64_t min,
                                  uint64_t max, uint64_t *value)
{
    char shown[SCENARIO_SHOWN_BYTES];
    skip_blanks(reader);
    const struct scenario_scalar word = next_word(reader);
    if (!read_digits(word, value) || *value < min || *value > max)
        REFUSE(reader, "%s: found %s, expected an integer %" PRIu64 "..%" PRIu64,
               field_names[field], scenario_show(word, shown), min, max);
    return ANL_OK;
}

static enum anl_status read_message(struct message_reader *reader, struct anl_message *message)
{
    const uint64_t min[NUM_FIELDS] = {0, 0, 0, 1};
    const uint64_t max[NUM_FIELDS] = {reader->scenario->run.max_cycles - 1, reader->terminals - 1,
                                      reader->terminals - 1,
                                      anl_longest_worm(&reader->scenario->network)};
    uint64_t field[NUM_FIELDS];
    char shown[SCENARIO_SHOWN_BYTES];
    for (unsigned i = 0; i < NUM_FIELDS; i++) {
        const enum anl_status status = read_field(reader, i, min[i], max[i], &field[i]);
        if (status) return status;
    }
    skip_blanks(reader);
    if (!line_is_over(reader))
        REFUSE(reader, "found %s, expected the end of the line",
               scenario_show(next_word(reader), shown));
    if (field[0] < reader->cycle)
        REFUSE(reader, "cycle: found %" PRIu64 ", expected at least %" PRIu64 " as before",
               field[0], reader->cycle);
    *message =
        (struct anl_message){field[0], (uint32_t)field[1], (uint32_t)field[2], (uint16_t)field[3]};
    reader->cycle = field[0];
    return ANL_OK;
}

static size_t count_lines(const char *text, size_t bytes)
{
    size_t lines = 1;
    for (size_t i = 0; i < bytes; i++)
        lines += text[i] == '\n';
    return lines;
}

// Reads all messages; messages has room for one message per line.
static enum anl_status read_lines(struct message_reader *reader, struct anl_message *messages,
                                  size_t *count)
{
    *count = 0;
    for (; reader->at < reader->end; skip_line(reader)) {
        skip_blanks(reader);
        if (line_is_over(reader)) continue;
        const enum anl_status status = read_message(reader, &messages[*count]);
        if (status) return status;
        ++*count;
    }
    if (*count == 0) REFUSE(reader, "found no message, expected at least one");
    return ANL_OK;
}

enum anl_status scenario_read_messages(const char *text, size_t bytes, const char *name,
                                       const struct anl_scenario *scenario,
                                       struct anl_message **messages, size_t *num_messages,
                                       struct anl_error *error)
{
    struct message_reader reader = {.at = text,
                                    .end = text + bytes,
                                    .file = name,
                                    .line = 1,
                                    .scenario = scenario,
                                    .terminals = anl_shape_of(&scenario->network).terminals,
                                    .error = error};
    struct anl_message *read = calloc(count_lines(text, bytes), sizeof *read);
    if (!read) return anl_fail(error, ANL_ERR_MEMORY, name, 0, "no memory for its messages");
    const enum anl_status status = read_lines(&reader, read, num_messages);
    if (status) {
        free(read);
        *num_messages = 0;
        return status;
    }
    *messages = read;
    return ANL_OK;
}
