// SPDX-License-Identifier: Apache-2.0
//
// What a record must be in either form: cycles never go back, the worms of a cycle come before its
// flits, worm ids are 0, 1, 2, …, links ascend and on one link lanes, flits belong to known worms,
// index and marks fit the length, and the end record agrees with the records read.

#include "trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_WORMS = 256 };

// --- errors ---

enum anl_status anl_reader_fail(struct anl_trace_reader *reader, const char *format, ...)
{
    char text[sizeof reader->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (reader->form == ANL_TRACE_TEXT)
        return anl_fail(reader->error, ANL_ERR_FORMAT, reader->name, reader->line, "%s", text);
    uint64_t place = reader->in_record ? reader->unpacked.offset : reader->input.offset;
    anl_fail(reader->error, ANL_ERR_FORMAT, reader->name, 0, "%sbyte %" PRIu64 ": %s",
             reader->in_record ? "unpacked " : "", place, text);
    if (reader->error)
        reader->error->offset = reader->in_record ? reader->unpacked.frame_start : place;
    return ANL_ERR_FORMAT;
}

enum anl_status anl_reader_fail_system(struct anl_trace_reader *reader, enum anl_status status,
                                       int cause)
{
    if (status == ANL_ERR_MEMORY)
        return anl_fail(reader->error, status, reader->name, 0, "out of memory");
    return anl_fail(reader->error, status, reader->name, 0, "cannot read: %s", strerror(cause));
}

enum anl_status anl_reader_fail_short(struct anl_trace_reader *reader, const char *what)
{
    if (reader->input.status != ANL_OK)
        return anl_reader_fail_system(reader, reader->input.status, reader->input.cause);
    return anl_reader_fail(reader, "%s", what);
}

// --- records ---

void anl_reader_advance(struct anl_trace_reader *reader, uint64_t cycle)
{
    reader->cycle = cycle;
    reader->next_link = reader->next_place = 0;
    reader->told = false;
}

static enum anl_status check_cycle(struct anl_trace_reader *reader, uint64_t cycle)
{
    if (cycle < reader->cycle)
        return anl_reader_fail(
            reader, "cycle %" PRIu64 " after cycle %" PRIu64 "; expected ascending cycles", cycle,
            reader->cycle);
    if (cycle > reader->cycle) anl_reader_advance(reader, cycle);
    return ANL_OK;
}

// Notes the length of the next worm. The table doubles, so its size follows what was read.
static bool remember_length(struct anl_trace_reader *reader, uint16_t length)
{
    if (reader->num_worms == reader->max_worms) {
        uint64_t more = reader->max_worms ? 2 * reader->max_worms : FIRST_WORMS;
        uint16_t *table = realloc(reader->lengths, (size_t)more * sizeof *table);
        if (!table) return false;
        reader->lengths = table;
        reader->max_worms = more;
    }
    reader->lengths[reader->num_worms++] = length;
    return true;
}

// Worms can wait only for those that were created before.
static enum anl_status check_dependencies(struct anl_trace_reader *reader,
                                          const struct anl_worm *worm)
{
    const struct anl_dependencies *waited = worm->dependencies;
    for (uint32_t i = 0; waited && i < waited->count; i++)
        if (waited->after[i].worm >= worm->id)
            return anl_reader_fail(reader,
                                   "worm %" PRIu32 " has waited for worm %" PRIu32
                                   "; expected one that was created before",
                                   worm->id, waited->after[i].worm);
    return ANL_OK;
}

static enum anl_status check_worm(struct anl_trace_reader *reader, const struct anl_worm *worm)
{
    if (reader->next_link > 0)
        return anl_reader_fail(reader,
                               "worm %" PRIu32 " after flits of its cycle %" PRIu64
                               "; expected the worms of a cycle before its flits",
                               worm->id, reader->cycle);
    if (worm->id != reader->num_worms)
        return anl_reader_fail(reader, "worm %" PRIu32 "; expected worm %" PRIu64, worm->id,
                               reader->num_worms);
    const enum anl_status status = check_dependencies(reader, worm);
    if (status) return status;
    if (!remember_length(reader, worm->length))
        return anl_reader_fail_system(reader, ANL_ERR_MEMORY, 0);
    anl_digest_worm(reader->digest, worm);
    return ANL_OK;
}

static enum anl_status check_place_in_worm(struct anl_trace_reader *reader,
                                           const struct anl_flit *flit)
{
    if (flit->worm >= reader->num_worms)
        return anl_reader_fail(reader,
                               "flit of worm %" PRIu32 "; expected one of the %" PRIu64
                               " worms created so far",
                               flit->worm, reader->num_worms);
    unsigned length = reader->lengths[flit->worm];
    if (flit->index >= length)
        return anl_reader_fail(reader,
                               "flit %u of worm %" PRIu32 "; expected an index below its length %u",
                               flit->index, flit->worm, length);
    bool head = flit->index == 0, tail = flit->index == length - 1;
    if (flit->head != head || flit->tail != tail)
        return anl_reader_fail(
            reader, "flit %u of worm %" PRIu32 " marked %c; expected %c, its length is %u",
            flit->index, flit->worm, "BHTS"[flit->head + 2 * flit->tail], "BHTS"[head + 2 * tail],
            length);
    return ANL_OK;
}

static enum anl_status check_flit(struct anl_trace_reader *reader, const struct anl_flit *flit)
{
    if (anl_flit_place(flit) < reader->next_place)
        return anl_reader_fail(reader,
                               "link %" PRIu32 " after link %" PRIu64 " in cycle %" PRIu64
                               "; expected ascending links, and on one link ascending lanes",
                               flit->link, reader->next_link - 1, reader->cycle);
    enum anl_status status = check_place_in_worm(reader, flit);
    if (status != ANL_OK) return status;
    reader->next_link = (uint64_t)flit->link + 1;
    reader->next_place = anl_flit_place(flit) + 1;
    reader->flits++;
    anl_digest_flits(reader->digest, reader->cycle, flit, 1);
    return ANL_OK;
}

static enum anl_status check_end(struct anl_trace_reader *reader, const struct anl_record *record)
{
    uint64_t last = reader->cycle;
    if (record->cycle < last || (record->cycle == last && reader->told))
        return anl_reader_fail(reader,
                               "end after %" PRIu64
                               " cycles; expected more, the last record is of cycle %" PRIu64,
                               record->cycle, last);
    if (record->flits != reader->flits)
        return anl_reader_fail(reader,
                               "end counts %" PRIu64 " flits; expected the %" PRIu64 " read",
                               record->flits, reader->flits);
    uint64_t digest = anl_digest_value(reader->digest);
    if (record->digest != digest && !reader->any_digest)
        return anl_reader_fail(reader,
                               "digest %016" PRIx64 "; expected %016" PRIx64
                               ", which is that of the records read",
                               record->digest, digest);
    return ANL_OK;
}

enum anl_status anl_check_record(struct anl_trace_reader *reader, const struct anl_record *record)
{
    if (record->kind == ANL_RECORD_END) return check_end(reader, record);
    enum anl_status status = check_cycle(reader, record->cycle);
    if (status != ANL_OK) return status;
    reader->told = true;
    return record->kind == ANL_RECORD_WORM ? check_worm(reader, &record->worm)
                                           : check_flit(reader, &record->flit);
}
