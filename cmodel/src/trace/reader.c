// SPDX-License-Identifier: Apache-2.0
//
// Reads traces of both forms. A record is returned only after all checks that are possible so far,
// and the end record only after the whole trace was checked.

#include "trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Reads the header of an input, a file or memory; opened says whether it is open.
static enum anl_status read_head(struct anl_trace_reader *reader, enum anl_status opened)
{
    if (opened) return anl_reader_fail_system(reader, opened, reader->input.cause);
    if (anl_digest_create(&reader->digest))
        return anl_reader_fail_system(reader, ANL_ERR_MEMORY, 0);
    if (anl_input_need(&reader->input, 1) == 0)
        return anl_reader_fail_short(reader, "empty; expected a trace");
    if (reader->input.bytes[0] != (uint8_t)ANL_TRACE_MAGIC[0]) return anl_text_head(reader);
    reader->form = ANL_TRACE_BINARY;
    return anl_binary_head(reader);
}

// Opens the file `name`, or the bytes if there are any.
static enum anl_status open_either(const char *name, const void *bytes, size_t size, bool memory,
                                   struct anl_trace_reader **reader, struct anl_error *error)
{
    struct anl_trace_reader *made = calloc(1, sizeof *made);
    enum anl_status status = ANL_ERR_MEMORY;
    *reader = NULL;
    if (made) {
        made->error = error;
        made->name = strdup(name);
        made->scenario = calloc(1, 1);
    }
    if (!made || !made->name || !made->scenario)
        anl_fail(error, status, name, 0, "out of memory");
    else
        status = read_head(made, memory ? anl_input_memory(&made->input, bytes, size)
                                        : anl_input_file(&made->input, name));
    if (status)
        anl_trace_close(made);
    else
        *reader = made;
    return status;
}

enum anl_status anl_trace_open(const char *path, struct anl_trace_reader **reader,
                               struct anl_error *error)
{
    return open_either(path, NULL, 0, false, reader, error);
}

enum anl_status anl_trace_open_memory(const void *bytes, size_t size, const char *name,
                                      struct anl_trace_reader **reader, struct anl_error *error)
{
    return open_either(name, bytes, size, true, reader, error);
}

uint64_t anl_trace_seed(const struct anl_trace_reader *reader) { return reader->seed; }

enum anl_trace_form anl_trace_form_of(const struct anl_trace_reader *reader)
{
    return reader->form;
}

const char *anl_trace_scenario_text(const struct anl_trace_reader *reader)
{
    return reader->scenario;
}

enum anl_status anl_trace_next(struct anl_trace_reader *reader, struct anl_record *record,
                               struct anl_error *error)
{
    assert(!reader->over);
    const bool text = reader->form == ANL_TRACE_TEXT;
    reader->error = error;
    *record = (struct anl_record){0};
    enum anl_status status = text ? anl_text_next(reader, record) : anl_binary_next(reader, record);
    if (status != ANL_OK || record->kind != ANL_RECORD_END) return status;
    reader->over = true;
    return text ? anl_text_end(reader) : anl_binary_end(reader);
}

enum anl_status anl_trace_read(struct anl_trace_reader *reader, struct anl_record *records,
                               size_t room, size_t *count, struct anl_error *error)
{
    for (*count = 0; *count < room && !reader->over; ++*count) {
        const enum anl_status status = anl_trace_next(reader, &records[*count], error);
        if (status != ANL_OK) return status;
    }
    return ANL_OK;
}

// Returns a copy of the bytes, which stays until the reader is closed; NULL if memory runs out.
static void *keep(struct anl_trace_reader *reader, const void *bytes, size_t count)
{
    struct anl_kept_block *block = reader->kept;
    if (!block || block->used + count > sizeof block->bytes) {
        block = malloc(sizeof *block);
        if (!block) return NULL;
        block->before = reader->kept;
        block->used = 0;
        reader->kept = block;
    }
    uint8_t *copy = block->bytes + block->used;
    memcpy(copy, bytes, count);
    block->used += (count + 7) / 8 * 8;
    return copy;
}

enum anl_status anl_reader_keep_route(struct anl_trace_reader *reader, const uint8_t *ports,
                                      size_t count, struct anl_worm *worm)
{
    worm->route = keep(reader, ports, count);
    worm->route_length = worm->route ? (uint16_t)count : 0;
    return worm->route ? ANL_OK : anl_reader_fail_system(reader, ANL_ERR_MEMORY, 0);
}

enum anl_status anl_reader_keep_after(struct anl_trace_reader *reader, uint64_t earliest,
                                      const struct anl_after *after, uint32_t count,
                                      struct anl_worm *worm)
{
    const struct anl_dependencies made = {
        .earliest = earliest, .after = keep(reader, after, count * sizeof *after), .count = count};
    if (made.after) worm->dependencies = keep(reader, &made, sizeof made);
    return worm->dependencies ? ANL_OK : anl_reader_fail_system(reader, ANL_ERR_MEMORY, 0);
}

static void free_kept(struct anl_kept_block *block)
{
    while (block) {
        struct anl_kept_block *before = block->before;
        free(block);
        block = before;
    }
}

void anl_trace_ignore_digest(struct anl_trace_reader *reader) { reader->any_digest = true; }

void anl_trace_close(struct anl_trace_reader *reader)
{
    if (!reader) return;
    anl_input_close(&reader->input);
    ZSTD_freeDCtx(reader->unpacked.zstd);
    free(reader->unpacked.bytes);
    anl_digest_destroy(reader->digest);
    free(reader->lengths);
    free_kept(reader->kept);
    free(reader->scenario);
    free(reader->name);
    free(reader);
}
