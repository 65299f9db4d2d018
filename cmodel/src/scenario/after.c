// SPDX-License-Identifier: Apache-2.0
//
// Messages that wait for others: the fields id and after of message files (docs/scenario.md), and
// whether what they say can happen.

#include "scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Refuses what stands in a line.
#define REFUSE(reader, in_line, ...)                                                               \
    return anl_fail((reader)->error, ANL_ERR_FORMAT, (reader)->file, (in_line), __VA_ARGS__)

static enum anl_status no_memory(const struct after_reader *reader)
{
    return anl_fail(reader->error, ANL_ERR_MEMORY, reader->file, 0, "no memory for its messages");
}

// Returns the list with room for one element more; NULL if memory runs out, and the list is as it
// was.
static void *with_room(void *list, size_t count, size_t *room, size_t bytes)
{
    if (count < *room) return list;
    const size_t more = *room ? 2 * *room : 64;
    void *grown = realloc(list, more * bytes);
    if (grown) *room = more;
    return grown;
}

// --- fields ---

static enum anl_status read_id(struct after_reader *reader, struct scenario_scalar text,
                               uint32_t message, uint64_t line)
{
    struct after_id id = {.message = message, .line = line};
    char shown[SCENARIO_SHOWN_BYTES];
    if (reader->num_ids && reader->ids[reader->num_ids - 1].message == message)
        REFUSE(reader, line, "id: found a second time, expected once");
    if (!scenario_integer(text, &id.id))
        REFUSE(reader, line, "id: found %s, expected an integer 0..%" PRIu64,
               scenario_show(text, shown), UINT64_MAX);
    struct after_id *ids =
        with_room(reader->ids, reader->num_ids, &reader->ids_room, sizeof *reader->ids);
    if (!ids) return no_memory(reader);
    reader->ids = ids;
    ids[reader->num_ids++] = id;
    return ANL_OK;
}

// Reads "3+20" or "5".
static bool read_wait(struct scenario_scalar text, struct after_wait *wait)
{
    const char *plus = memchr(text.text, '+', text.bytes);
    const size_t bytes = plus ? (size_t)(plus - text.text) : text.bytes;
    uint64_t cycles = 1;
    if (plus && !scenario_integer((struct scenario_scalar){plus + 1, text.bytes - bytes - 1, true},
                                  &cycles))
        return false;
    wait->cycles = (uint32_t)cycles;
    return cycles >= 1 && cycles <= UINT32_MAX &&
           scenario_integer((struct scenario_scalar){text.text, bytes, true}, &wait->id);
}

static enum anl_status add_wait(struct after_reader *reader, struct scenario_scalar text,
                                uint32_t message, uint64_t line)
{
    struct after_wait wait = {.message = message, .line = line};
    char shown[SCENARIO_SHOWN_BYTES];
    if (!read_wait(text, &wait))
        REFUSE(reader, line,
               "after: found %s, expected the id of a message, and perhaps + and 1..%" PRIu32
               " cycles, such as 3+20",
               scenario_show(text, shown), UINT32_MAX);
    struct after_wait *waits =
        with_room(reader->waits, reader->num_waits, &reader->waits_room, sizeof *reader->waits);
    if (!waits) return no_memory(reader);
    reader->waits = waits;
    waits[reader->num_waits++] = wait;
    return ANL_OK;
}

static enum anl_status read_after(struct after_reader *reader, struct scenario_scalar text,
                                  uint32_t message, uint64_t line)
{
    const size_t before = reader->num_waits;
    if (before && reader->waits[before - 1].message == message)
        REFUSE(reader, line, "after: found a second time, expected once");
    for (const char *at = text.text, *const end = at + text.bytes; at;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const size_t bytes = (size_t)((comma ? comma : end) - at);
        if (reader->num_waits - before == ANL_MAX_AFTER)
            REFUSE(reader, line, "after: found more than %d messages", ANL_MAX_AFTER);
        const enum anl_status status =
            add_wait(reader, (struct scenario_scalar){at, bytes, true}, message, line);
        if (status) return status;
        at = comma ? comma + 1 : NULL;
    }
    return ANL_OK;
}

enum anl_status scenario_read_after(struct after_reader *reader, struct scenario_scalar field,
                                    uint32_t message, uint64_t line)
{
    char shown[SCENARIO_SHOWN_BYTES];
    const char *equals = memchr(field.text, '=', field.bytes);
    const size_t name = (size_t)(equals - field.text);
    const struct scenario_scalar value = {equals + 1, field.bytes - name - 1, true};
    if (name == 2 && memcmp(field.text, "id", 2) == 0) return read_id(reader, value, message, line);
    if (name == 5 && memcmp(field.text, "after", 5) == 0)
        return read_after(reader, value, message, line);
    REFUSE(reader, line, "found %s, expected path=…, id=… or after=…", scenario_show(field, shown));
}

// --- which messages they are ---

static int by_id(const void *a, const void *b)
{
    const struct after_id *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static enum anl_status sort_ids(struct after_reader *reader)
{
    if (reader->num_ids) qsort(reader->ids, reader->num_ids, sizeof *reader->ids, by_id);
    for (size_t i = 1; i < reader->num_ids; i++) {
        const struct after_id *first = &reader->ids[i - 1], *second = &reader->ids[i];
        if (first->id == second->id)
            REFUSE(reader, second->line,
                   "id: found %" PRIu64 " a second time, the first one is in line %" PRIu64,
                   second->id, first->line);
    }
    return ANL_OK;
}

// Returns the first of the sorted ids that is not less than id, or how many there are.
static size_t place_of(const struct after_reader *reader, uint64_t id)
{
    size_t first = 0, end = reader->num_ids;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (reader->ids[middle].id < id)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

// Fills in what each message waits for; waits are in the order of the messages.
static enum anl_status resolve(const struct after_reader *reader, struct anl_message *messages,
                               struct anl_after *after)
{
    for (size_t i = 0; i < reader->num_waits; i++) {
        const struct after_wait *wait = &reader->waits[i];
        const size_t place = place_of(reader, wait->id);
        if (place == reader->num_ids || reader->ids[place].id != wait->id)
            REFUSE(reader, wait->line, "after: found %" PRIu64 ", but no message has this id",
                   wait->id);
        after[i] = (struct anl_after){reader->ids[place].message, wait->cycles};
        struct anl_message *message = &messages[wait->message];
        if (message->num_after++ == 0) message->after = &after[i];
    }
    return ANL_OK;
}

// --- circles ---

// A search that goes from each message to those that it waits for.
struct search {
    const struct after_reader *reader;
    const struct anl_message *messages;
    const struct anl_after *after;  // of all messages
    uint8_t *seen;                  // [count] 0: not yet, 1: on the way, 2: in no circle
    uint32_t *way;                  // [count] the messages on the way, of which each waits for the
                                    // next one
    uint32_t *asked;                // [count] how many of those that a message waits for are seen
    size_t length;                  // of the way
};

// Returns what message m waits for next, as it stands in its line.
static const struct after_wait *wait_of(const struct search *search, uint32_t m)
{
    const struct anl_after *after = &search->messages[m].after[search->asked[m] - 1];
    return &search->reader->waits[after - search->after];
}

static enum anl_status refuse_circle(const struct search *search, uint32_t m)
{
    enum { MOST_SHOWN = 8 };
    char text[256];
    size_t at = 0, used = 0;
    while (search->way[at] != m)
        at++;
    const struct after_wait *first = wait_of(search, m);
    const size_t messages = search->length - at;
    for (size_t i = at; i < search->length && i < at + MOST_SHOWN; i++) {
        const struct after_wait *wait = wait_of(search, search->way[i]);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s line %" PRIu64,
                                 i > at ? "," : "", wait->line);
    }
    REFUSE(search->reader, first->line,
           "after: found messages that wait for each other in a circle of %zu:%s%s", messages, text,
           messages > MOST_SHOWN ? ", …" : "");
}

// Follows one message to the end of all its ways.
static enum anl_status follow(struct search *search, uint32_t m)
{
    search->way[0] = m;
    search->length = 1;
    search->seen[m] = 1;
    while (search->length) {
        const uint32_t last = search->way[search->length - 1];
        if (search->asked[last] == search->messages[last].num_after) {
            search->seen[last] = 2;
            search->length--;
            continue;
        }
        const uint32_t next = search->messages[last].after[search->asked[last]++].worm;
        if (search->seen[next] == 1) return refuse_circle(search, next);
        if (search->seen[next]) continue;
        search->seen[next] = 1;
        search->way[search->length++] = next;
    }
    return ANL_OK;
}

static enum anl_status find_circle(const struct after_reader *reader,
                                   const struct anl_message *messages, size_t count,
                                   const struct anl_after *after)
{
    struct search search = {.reader = reader, .messages = messages, .after = after};
    search.seen = calloc(count, sizeof *search.seen);
    search.way = calloc(count, sizeof *search.way);
    search.asked = calloc(count, sizeof *search.asked);
    enum anl_status status = search.seen && search.way && search.asked ? ANL_OK : no_memory(reader);
    for (uint32_t m = 0; !status && m < count; m++)
        if (!search.seen[m]) status = follow(&search, m);
    free(search.seen);
    free(search.way);
    free(search.asked);
    return status;
}

enum anl_status scenario_settle_after(struct after_reader *reader, struct anl_message *messages,
                                      size_t count, struct anl_after *after)
{
    enum anl_status status = sort_ids(reader);
    if (status || !reader->num_waits) return status;
    status = resolve(reader, messages, after);
    return status ? status : find_circle(reader, messages, count, after);
}

void scenario_free_after(struct after_reader *reader)
{
    free(reader->ids);
    free(reader->waits);
}
