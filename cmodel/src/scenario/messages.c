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
    uint64_t cycle;       // of the message before
    uint64_t *free_from;  // [terminals] kind bufferless: the first cycle in which a source may
                          // begin another worm; else NULL
    uint8_t *ports;       // of the routes of all messages so far, one behind the other
    size_t num_ports, room;
    struct after_reader after;
    struct anl_error *error;
};

enum { NUM_FIELDS = 5, CLASS_FIELD = 4 };  // the class stands in files with several classes alone
static const char *const field_names[NUM_FIELDS] = {"cycle", "source", "destination", "length",
                                                    "class"};

#define REFUSE(reader, ...)                                                                        \
    return anl_fail((reader)->error, ANL_ERR_FORMAT, (reader)->file, (reader)->line, __VA_ARGS__)

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

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

static enum anl_status refuse_field(const struct message_reader *reader, unsigned field,
                                    const char *found, uint64_t min, uint64_t max)
{
    static const char *const units[NUM_FIELDS] = {"", " (a terminal)", " (a terminal)", " (flits)",
                                                  ""};
    char hint[64];
    scenario_number_hint(ANL_KEY_INTEGER, found, min, max, hint, sizeof hint);
    if (!*hint)
        snprintf(hint, sizeof hint, "%s",
                 scenario_terminal_hint((struct scenario_scalar){found, strlen(found), true}));
    if (!*hint && strpbrk(found, ",;"))
        snprintf(hint, sizeof hint, "; fields are separated by blanks");
    REFUSE(reader, "%s: found %s, expected an integer %" PRIu64 "..%" PRIu64 "%s%s",
           field_names[field], found, min, max, units[field], hint);
}

static enum anl_status read_field(struct message_reader *reader, unsigned field, uint64_t min,
                                  uint64_t max, uint64_t *value)
{
    char shown[SCENARIO_SHOWN_BYTES];
    skip_blanks(reader);
    const struct scenario_scalar word = next_word(reader);
    if (!read_digits(word, value) || *value < min || *value > max)
        return refuse_field(reader, field, scenario_show(word, shown), min, max);
    return ANL_OK;
}

// --- routes ---

static enum anl_status add_port(struct message_reader *reader, struct scenario_scalar word)
{
    uint64_t port;
    char shown[SCENARIO_SHOWN_BYTES];
    if (!read_digits(word, &port) || port >= ANL_MAX_PORTS)
        REFUSE(reader, "route: found port %s, expected an integer 0..%" PRIu32,
               scenario_show(word, shown), anl_shape_of(&reader->scenario->network).ports - 1);
    if (reader->num_ports == reader->room) {
        const size_t room = reader->room ? 2 * reader->room : 256;
        uint8_t *larger = realloc(reader->ports, room);
        if (!larger)
            return anl_fail(reader->error, ANL_ERR_MEMORY, reader->file, 0, "no memory for routes");
        reader->ports = larger;
        reader->room = room;
    }
    reader->ports[reader->num_ports++] = (uint8_t)port;
    return ANL_OK;
}

// Reads ports with a point between them.
static enum anl_status read_ports(struct message_reader *reader, struct scenario_scalar word)
{
    const char *at = word.text, *const end = word.text + word.bytes;
    for (;;) {
        const char *point = memchr(at, '.', (size_t)(end - at));
        const size_t bytes = (size_t)((point ? point : end) - at);
        const enum anl_status status = add_port(reader, (struct scenario_scalar){at, bytes, true});
        if (status || !point) return status;
        at = point + 1;
    }
}

// Checks that the route fits into a head. While messages are read, the graph has no routes, so that
// the other fields of a head are known.
static enum anl_status check_width(const struct message_reader *reader, size_t length)
{
    const struct anl_config *network = &reader->scenario->network;
    const uint32_t others = anl_head_bits(network), bits = anl_source_port_bits(network);
    const uint32_t most = (network->flit_width_bits - others) / bits;
    if (length > most)
        REFUSE(reader,
               "route: found %zu ports, expected at most %" PRIu32 ": flit_width_bits is %" PRIu32
               ", of which other fields of a head have %" PRIu32 ", and a port has %" PRIu32,
               length, most, network->flit_width_bits, others, bits);
    return ANL_OK;
}

static enum anl_status read_route(struct message_reader *reader, struct anl_message *message)
{
    const struct anl_config *network = &reader->scenario->network;
    const size_t before = reader->num_ports;
    char shown[SCENARIO_SHOWN_BYTES];
    const struct scenario_scalar word = next_word(reader);
    if (network->routing != ANL_SOURCE)
        REFUSE(reader, "found %s, expected the end of the line", scenario_show(word, shown));
    enum anl_status status = read_ports(reader, word);
    if (!status) status = check_width(reader, reader->num_ports - before);
    if (status) return status;
    message->route_length = (uint16_t)(reader->num_ports - before);
    const struct anl_worm worm = {.source = message->source,
                                  .destination = message->destination,
                                  .route = reader->ports + before,
                                  .route_length = message->route_length};
    struct anl_error reason;
    if (anl_own_route_check(network, &worm, &reason)) REFUSE(reader, "route: %s", reason.text);
    return ANL_OK;
}

// Appends room for what the messages wait for, and then the ports, to the memory of the messages,
// and lets these point to their routes. Returns the messages; NULL if memory runs out.
static struct anl_message *keep_routes(const struct message_reader *reader,
                                       struct anl_message *messages, size_t count)
{
    const size_t bytes =
        count * sizeof *messages + reader->after.num_waits * sizeof(struct anl_after);
    struct anl_message *kept = realloc(messages, bytes + reader->num_ports);
    if (!kept) return NULL;
    uint8_t *ports = (uint8_t *)kept + bytes;
    if (reader->num_ports) memcpy(ports, reader->ports, reader->num_ports);
    for (size_t i = 0; i < count; ports += kept[i++].route_length)
        kept[i].route = kept[i].route_length ? ports : NULL;
    return kept;
}

// --- messages ---

// Returns the next word if it is a field with a name, else an empty one.
static struct scenario_scalar next_named(struct message_reader *reader)
{
    const char *before = reader->at;
    const struct scenario_scalar word = next_word(reader);
    if (memchr(word.text, '=', word.bytes)) return word;
    reader->at = before;
    return (struct scenario_scalar){before, 0, true};
}

static enum anl_status read_path(const struct message_reader *reader, struct scenario_scalar text,
                                 struct anl_message *message)
{
    const uint32_t paths = anl_num_paths(&reader->scenario->network);
    uint64_t path;
    char shown[SCENARIO_SHOWN_BYTES];
    if (message->has_path) REFUSE(reader, "path: found a second time, expected once");
    if (paths == 1)
        REFUSE(reader,
               "path: found %s, expected none: heads carry a path with routing "
               "up_down_fixed, and in a butterfly with two passes",
               scenario_show(text, shown));
    if (!scenario_integer(text, &path) || path >= paths)
        REFUSE(reader, "path: found %s, expected an integer 0..%" PRIu32,
               scenario_show(text, shown), paths - 1);
    message->path = (uint32_t)path;
    message->has_path = true;
    return ANL_OK;
}

static enum anl_status read_named(struct message_reader *reader, struct scenario_scalar named,
                                  struct anl_message *message, uint32_t number)
{
    static const char path[] = "path=";
    const size_t name = sizeof path - 1;
    if (named.bytes < name || memcmp(named.text, path, name) != 0)
        return scenario_read_after(&reader->after, named, number, reader->line);
    const struct scenario_scalar value = {named.text + name, named.bytes - name, true};
    return read_path(reader, value, message);
}

// Reads what stands behind the fields that all messages have: a route, then fields with names.
static enum anl_status read_more(struct message_reader *reader, struct anl_message *message,
                                 uint32_t number)
{
    enum anl_status status = ANL_OK;
    skip_blanks(reader);
    struct scenario_scalar named = next_named(reader);
    if (!named.bytes && !line_is_over(reader)) {
        status = read_route(reader, message);
        skip_blanks(reader);
        named = next_named(reader);
    }
    for (; !status && named.bytes; named = next_named(reader)) {
        status = read_named(reader, named, message, number);
        skip_blanks(reader);
    }
    return status;
}

// Checks what a source without a queue needs: it sends one worm at a time, and not to itself.
static enum anl_status check_start(const struct message_reader *reader,
                                   const struct anl_message *message)
{
    uint64_t *free_from = &reader->free_from[message->source];
    if (message->destination == message->source)
        REFUSE(reader, "destination: found %" PRIu32 ", expected another terminal than the source",
               message->destination);
    if (message->cycle < *free_from)
        REFUSE(reader,
               "cycle: found %" PRIu64 ", expected at least %" PRIu64 ": source %" PRIu32
               " sends another worm until then",
               message->cycle, *free_from, message->source);
    *free_from = message->cycle + message->length;
    return ANL_OK;
}

static enum anl_status read_message(struct message_reader *reader, struct anl_message *message,
                                    uint32_t number)
{
    const uint32_t classes = anl_num_classes(&reader->scenario->network);
    const uint64_t min[NUM_FIELDS] = {reader->free_from ? 1 : 0, 0, 0, 1, 0};
    const uint64_t max[NUM_FIELDS] = {reader->scenario->run.max_cycles - 1, reader->terminals - 1,
                                      reader->terminals - 1,
                                      anl_longest_worm(&reader->scenario->network), classes - 1};
    const unsigned fields = classes > 1 ? NUM_FIELDS : CLASS_FIELD;
    uint64_t field[NUM_FIELDS] = {0};
    char shown[SCENARIO_SHOWN_BYTES];
    for (unsigned i = 0; i < fields; i++) {
        const enum anl_status status = read_field(reader, i, min[i], max[i], &field[i]);
        if (status) return status;
    }
    if (field[0] < reader->cycle)
        REFUSE(reader, "cycle: found %" PRIu64 ", expected at least %" PRIu64 " as before",
               field[0], reader->cycle);
    *message = (struct anl_message){.cycle = field[0],
                                    .source = (uint32_t)field[1],
                                    .destination = (uint32_t)field[2],
                                    .length = (uint16_t)field[3],
                                    .class_ = (uint8_t)field[CLASS_FIELD]};
    reader->cycle = field[0];
    if (reader->free_from) {
        const enum anl_status status = check_start(reader, message);
        if (status) return status;
    }
    const enum anl_status status = read_more(reader, message, number);
    if (status) return status;
    if (anl_has(&reader->scenario->network, ANL_TRAIT_DISCARDS) && reader->after.num_waits)
        REFUSE(reader, "after: a worm that was discarded never arrives for others");
    if (reader->free_from && reader->after.num_waits)
        REFUSE(reader, "after: kind bufferless has no queue in which a worm could wait for others");
    if (!line_is_over(reader))
        REFUSE(reader, "found %s, expected the end of the line",
               scenario_show(next_word(reader), shown));
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
        const enum anl_status status = read_message(reader, &messages[*count], (uint32_t)*count);
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
                                    .after = {.file = name, .error = error},
                                    .error = error};
    struct anl_message *read = calloc(count_lines(text, bytes), sizeof *read);
    const bool starts = anl_has(&scenario->network, ANL_TRAIT_STARTS);
    if (starts) reader.free_from = calloc(reader.terminals, sizeof *reader.free_from);
    const bool ready = read && (!starts || reader.free_from);
    enum anl_status status = ready ? read_lines(&reader, read, num_messages) : ANL_ERR_MEMORY;
    struct anl_message *kept = status ? NULL : keep_routes(&reader, read, *num_messages);
    if (!status && !kept) status = ANL_ERR_MEMORY;
    if (kept) {
        read = kept;
        status = scenario_settle_after(&reader.after, kept, *num_messages,
                                       (struct anl_after *)(void *)(kept + *num_messages));
    }
    free(reader.ports);
    scenario_free_after(&reader.after);
    free(reader.free_from);
    if (!status) {
        *messages = read;
        return ANL_OK;
    }
    free(read);
    *num_messages = 0;
    if (status != ANL_ERR_MEMORY) return status;
    return anl_fail(error, status, name, 0, "no memory for its messages");
}
