// SPDX-License-Identifier: Apache-2.0
//
// The binary form. The frame is unpacked through a window, never as a whole. A message about a
// record gives its position in the unpacked records; the offset of the error is that of the frame.

#include "trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_BYTES = 1 << 17, FRAME_MAGIC_BYTES = 4 };

// --- head ---

static enum anl_status read_magic(struct anl_trace_reader *reader)
{
    const uint8_t *head = reader->input.bytes;
    if (memcmp(head, ANL_TRACE_MAGIC, ANL_TRACE_MAGIC_BYTES - 1) != 0)
        return anl_reader_fail(
            reader,
            "magic %02x %02x %02x %02x %02x %02x %02x; expected 89 41 4e 4c 54 0d "
            "0a, a binary trace",
            head[0], head[1], head[2], head[3], head[4], head[5], head[6]);
    uint8_t version = head[ANL_TRACE_MAGIC_BYTES - 1];
    if (version != ANL_TRACE_MAGIC[ANL_TRACE_MAGIC_BYTES - 1])
        return anl_reader_fail(reader, "version %u; expected 1", version);
    return ANL_OK;
}

static enum anl_status read_scenario(struct anl_trace_reader *reader, size_t length)
{
    if (length > ANL_MAX_SCENARIO_BYTES)
        return anl_reader_fail(reader, "scenario of %zu bytes; expected at most %d", length,
                               ANL_MAX_SCENARIO_BYTES);
    anl_input_skip(&reader->input, ANL_TRACE_HEADER_BYTES);
    size_t there = anl_input_need(&reader->input, length);
    if (there < length)
        return anl_reader_fail_short(reader, "file ends in the scenario; it is truncated");
    const uint8_t *text = reader->input.bytes + reader->input.begin;
    if (memchr(text, '\0', length))
        return anl_reader_fail(reader, "byte 0 in the scenario; expected text");
    char *copy = realloc(reader->scenario, length + 1);
    if (!copy) return anl_reader_fail_system(reader, ANL_ERR_MEMORY, 0);
    memcpy(copy, text, length);
    copy[length] = '\0';
    reader->scenario = copy;
    reader->scenario_bytes = length;
    anl_input_skip(&reader->input, length);
    return ANL_OK;
}

static enum anl_status start_frame(struct anl_trace_reader *reader)
{
    static const uint8_t magic[FRAME_MAGIC_BYTES] = {0x28, 0xB5, 0x2F, 0xFD};
    struct anl_unpacked *unpacked = &reader->unpacked;
    if (anl_input_need(&reader->input, sizeof magic) < sizeof magic)
        return anl_reader_fail_short(reader, "file ends before its records; it is truncated");
    if (memcmp(reader->input.bytes + reader->input.begin, magic, sizeof magic) != 0)
        return anl_reader_fail(reader, "expected a zstd frame here");
    unpacked->zstd = ZSTD_createDCtx();
    unpacked->bytes = malloc(WINDOW_BYTES);
    unpacked->capacity = WINDOW_BYTES;
    unpacked->frame_start = reader->input.offset;
    if (!unpacked->zstd || !unpacked->bytes)
        return anl_reader_fail_system(reader, ANL_ERR_MEMORY, 0);
    ZSTD_DCtx_setParameter(unpacked->zstd, ZSTD_d_windowLogMax, ANL_TRACE_WINDOW_LOG);
    return ANL_OK;
}

enum anl_status anl_binary_head(struct anl_trace_reader *reader)
{
    if (anl_input_need(&reader->input, ANL_TRACE_HEADER_BYTES) < ANL_TRACE_HEADER_BYTES)
        return anl_reader_fail_short(reader, "file ends in the header; it is truncated");
    const uint8_t *head = reader->input.bytes;
    enum anl_status status = read_magic(reader);
    if (status != ANL_OK) return status;
    reader->seed = anl_get_bytes(head + ANL_TRACE_MAGIC_BYTES, 8);
    status = read_scenario(reader, (size_t)anl_get_bytes(head + 16, 4));
    return status == ANL_OK ? start_frame(reader) : status;
}

// --- unpacking ---

static enum anl_status unpack_some(struct anl_trace_reader *reader)
{
    struct anl_unpacked *unpacked = &reader->unpacked;
    struct anl_input *input = &reader->input;
    size_t there = anl_input_need(input, 1);
    ZSTD_inBuffer in = {input->bytes + input->begin, there, 0};
    ZSTD_outBuffer out = {unpacked->bytes, unpacked->capacity, unpacked->end};
    size_t left = ZSTD_decompressStream(unpacked->zstd, &out, &in);
    if (ZSTD_isError(left))
        return anl_reader_fail(reader, "zstd frame is damaged: %s", ZSTD_getErrorName(left));
    bool stuck = left > 0 && there == 0 && out.pos == unpacked->end;
    anl_input_skip(input, in.pos);
    unpacked->end = out.pos;
    unpacked->ended = left == 0;
    if (stuck) return anl_reader_fail_short(reader, "file ends in the zstd frame; it is truncated");
    return ANL_OK;
}

// Brings a whole record into the window, or all that is left of the frame.
static enum anl_status unpack(struct anl_trace_reader *reader)
{
    struct anl_unpacked *unpacked = &reader->unpacked;
    enum anl_status status = ANL_OK;
    if (unpacked->end - unpacked->begin >= ANL_TRACE_RECORD_BYTES) return ANL_OK;
    memmove(unpacked->bytes, unpacked->bytes + unpacked->begin, unpacked->end - unpacked->begin);
    unpacked->end -= unpacked->begin;
    unpacked->begin = 0;
    while (status == ANL_OK && unpacked->end < ANL_TRACE_RECORD_BYTES && !unpacked->ended)
        status = unpack_some(reader);
    return status;
}

// --- records ---

// Reads the record that begins at `from`. The first failure is kept, and later reads return 0.
struct cursor {
    struct anl_trace_reader *reader;
    const uint8_t *from, *at, *end;
    enum anl_status status;
};

static uint64_t refuse(struct cursor *cursor, const char *name, const char *why)
{
    cursor->status = anl_reader_fail(cursor->reader, "%s: %s", name, why);
    return 0;
}

static uint64_t read_leb(struct cursor *cursor, const char *name)
{
    uint64_t value = 0;
    if (cursor->status != ANL_OK) return 0;
    for (unsigned shift = 0; cursor->at < cursor->end; shift += 7) {
        uint8_t byte = *cursor->at++;
        if (shift > 0 && byte == 0)
            return refuse(cursor, name, "over-long integer; expected the shortest form");
        if (shift == 63 && byte > 1)
            return refuse(cursor, name, "over-long integer; expected at most 64 bits");
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) return value;
    }
    return refuse(cursor, name, "the frame ends here; expected the rest of the record");
}

static uint64_t read_ranged(struct cursor *cursor, const char *name, uint64_t least, uint64_t most)
{
    uint64_t value = read_leb(cursor, name);
    if (cursor->status != ANL_OK || (value >= least && value <= most)) return value;
    cursor->status = anl_reader_fail(
        cursor->reader, "%s %" PRIu64 "; expected %" PRIu64 "..%" PRIu64, name, value, least, most);
    return 0;
}

static void read_worm(struct cursor *cursor, struct anl_record *record)
{
    record->kind = ANL_RECORD_WORM;
    record->cycle = cursor->reader->cycle;
    record->worm.created = record->cycle;
    record->worm.id = (uint32_t)read_ranged(cursor, "id", 0, UINT32_MAX);
    record->worm.source = (uint32_t)read_ranged(cursor, "source", 0, UINT32_MAX);
    record->worm.destination = (uint32_t)read_ranged(cursor, "destination", 0, UINT32_MAX);
    record->worm.length = (uint16_t)read_ranged(cursor, "length", 1, ANL_MAX_WORM_LENGTH);
}

static void read_route(struct cursor *cursor, struct anl_worm *worm)
{
    const uint64_t count = read_ranged(cursor, "ports", 1, ANL_TRACE_MOST_PORTS);
    uint8_t ports[ANL_TRACE_MOST_PORTS];
    for (uint64_t i = 0; i < count; i++)
        ports[i] = (uint8_t)read_ranged(cursor, "port", 0, ANL_MAX_PORTS - 1);
    if (cursor->status == ANL_OK)
        cursor->status = anl_reader_keep_route(cursor->reader, ports, (size_t)count, worm);
}

static void read_class(struct cursor *cursor, struct anl_worm *worm)
{
    worm->class_ = (uint8_t)read_ranged(cursor, "class", 0, ANL_MAX_VCS - 1);
    worm->role = (uint8_t)read_ranged(cursor, "role", 0, ANL_REPLY);
    if (cursor->status == ANL_OK && !anl_has_class_or_role(worm))
        refuse(cursor, "class", "class 0 and role 0; expected a record without them");
}

static void read_after(struct cursor *cursor, struct anl_worm *worm)
{
    struct anl_after after[ANL_MAX_AFTER];
    const uint64_t earliest = read_leb(cursor, "earliest cycle");
    const uint64_t count = read_ranged(cursor, "worms waited for", 1, ANL_MAX_AFTER);
    for (uint64_t i = 0; i < count; i++) {
        after[i].worm = (uint32_t)read_ranged(cursor, "worm waited for", 0, UINT32_MAX);
        after[i].cycles = (uint32_t)read_ranged(cursor, "cycles", 1, UINT32_MAX);
    }
    if (cursor->status == ANL_OK)
        cursor->status =
            anl_reader_keep_after(cursor->reader, earliest, after, (uint32_t)count, worm);
}

// Reads the record of a worm, whose tag says what it has.
static void read_any_worm(struct cursor *cursor, uint8_t tag, struct anl_record *record)
{
    const unsigned kind = tag & ~(unsigned)(ANL_TAG_WAITED | ANL_TAG_PATH);
    read_worm(cursor, record);
    if (kind >= ANL_TAG_CLASSED_WORM) read_class(cursor, &record->worm);
    if (kind == ANL_TAG_ROUTED_WORM || kind == ANL_TAG_CLASSED_ROUTED_WORM)
        read_route(cursor, &record->worm);
    record->worm.has_path = tag & ANL_TAG_PATH;
    if (tag & ANL_TAG_PATH)
        record->worm.path = (uint32_t)read_ranged(cursor, "path", 0, UINT32_MAX);
    if (tag & ANL_TAG_WAITED) read_after(cursor, &record->worm);
}

// A link is stored as the step from the link before; after a step of 0 the lane must be a higher
// one.
static void read_flit(struct cursor *cursor, struct anl_record *record)
{
    uint64_t next_link = cursor->reader->next_link;
    uint64_t base = next_link ? next_link - 1 : 0;
    record->kind = ANL_RECORD_FLIT;
    record->cycle = cursor->reader->cycle;
    record->flit.link = (uint32_t)(base + read_ranged(cursor, "link step", 0, UINT32_MAX - base));
    uint64_t lane_marks = read_ranged(cursor, "lane and marks", 0, 4 * UINT8_MAX + 3);
    record->flit.vc = (uint8_t)(lane_marks / 4);
    record->flit.head = lane_marks & 1;
    record->flit.tail = lane_marks & 2;
    record->flit.worm = (uint32_t)read_ranged(cursor, "worm", 0, UINT32_MAX);
    record->flit.index = (uint16_t)read_ranged(cursor, "index", 0, UINT16_MAX);
}

static void read_end(struct cursor *cursor, struct anl_record *record)
{
    record->kind = ANL_RECORD_END;
    record->cycle = read_leb(cursor, "cycles");
    record->flits = read_leb(cursor, "flits");
    if (cursor->status != ANL_OK) return;
    if (cursor->end - cursor->at < 8) {
        refuse(cursor, "digest", "the frame ends here; expected the rest of the record");
        return;
    }
    record->digest = anl_get_bytes(cursor->at, 8);
    cursor->at += 8;
}

static void read_advance(struct cursor *cursor)
{
    uint64_t step = read_ranged(cursor, "advance", 1, UINT64_MAX - cursor->reader->cycle);
    if (cursor->status != ANL_OK) return;
    anl_reader_advance(cursor->reader, cursor->reader->cycle + step);
}

// Reads one record, or one advance of the cycle, which is no record: *found is then false.
static enum anl_status read_one(struct anl_trace_reader *reader, struct anl_record *record,
                                bool *found)
{
    struct anl_unpacked *unpacked = &reader->unpacked;
    const uint8_t *from = unpacked->bytes + unpacked->begin;
    struct cursor cursor = {reader, from, from, unpacked->bytes + unpacked->end, ANL_OK};
    *found = true;
    if (cursor.at == cursor.end) return anl_reader_fail(reader, "frame ends without an end record");
    uint8_t tag = *cursor.at++;
    switch (tag) {
    case ANL_TAG_WORM:
    case ANL_TAG_ROUTED_WORM:
    case ANL_TAG_CLASSED_WORM:
    case ANL_TAG_CLASSED_ROUTED_WORM:
    case ANL_TAG_WAITED + ANL_TAG_WORM:
    case ANL_TAG_WAITED + ANL_TAG_ROUTED_WORM:
    case ANL_TAG_WAITED + ANL_TAG_CLASSED_WORM:
    case ANL_TAG_WAITED + ANL_TAG_CLASSED_ROUTED_WORM:
    case ANL_TAG_PATH + ANL_TAG_WORM:
    case ANL_TAG_PATH + ANL_TAG_CLASSED_WORM:
    case ANL_TAG_PATH + ANL_TAG_WAITED + ANL_TAG_WORM:
    case ANL_TAG_PATH + ANL_TAG_WAITED + ANL_TAG_CLASSED_WORM:
        read_any_worm(&cursor, tag, record);
        break;
    case ANL_TAG_FLIT:
        read_flit(&cursor, record);
        break;
    case ANL_TAG_ADVANCE:
        read_advance(&cursor);
        *found = false;
        break;
    case ANL_TAG_END:
        read_end(&cursor, record);
        break;
    default:
        return anl_reader_fail(reader, "tag %u; expected 1..7, 9, 13..15", tag);
    }
    if (cursor.status == ANL_OK && *found) cursor.status = anl_check_record(reader, record);
    unpacked->begin += (size_t)(cursor.at - from);
    unpacked->offset += (size_t)(cursor.at - from);
    return cursor.status;
}

enum anl_status anl_binary_next(struct anl_trace_reader *reader, struct anl_record *record)
{
    for (bool found = false; !found;) {
        enum anl_status status = unpack(reader);
        if (status != ANL_OK) return status;
        reader->in_record = true;
        status = read_one(reader, record, &found);
        if (status != ANL_OK) return status;
        reader->in_record = false;
    }
    return ANL_OK;
}

enum anl_status anl_binary_end(struct anl_trace_reader *reader)
{
    struct anl_unpacked *unpacked = &reader->unpacked;
    enum anl_status status = unpack(reader);
    if (status != ANL_OK) return status;
    reader->in_record = true;
    if (unpacked->end > unpacked->begin)
        return anl_reader_fail(reader, "bytes after the end record; expected nothing");
    reader->in_record = false;
    if (anl_input_need(&reader->input, 1) > 0)
        return anl_reader_fail(reader, "bytes after the zstd frame; expected nothing");
    if (reader->input.status != ANL_OK) return anl_reader_fail_short(reader, "");
    return ANL_OK;
}
