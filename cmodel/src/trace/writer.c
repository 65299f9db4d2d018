// SPDX-License-Identifier: Apache-2.0
//
// Writes traces of both forms. Records are collected and written in large pieces; the first failure
// of the system is kept until anl_trace_finish().

#include "trace.h"

#include <annelid/base.h>
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    PLAIN_BYTES = 1 << 17,
    LONGEST_RECORD = 128 + 3 * ANL_TRACE_MOST_PORTS + 22 * ANL_MAX_AFTER,
    COMPRESSION_LEVEL = 1
};

struct anl_trace_writer {
    struct anl_output output;
    enum anl_trace_form form;
    int failure;  // errno of the first failure, 0: none

    uint8_t *plain;  // records not yet written or compressed
    size_t used;
    ZSTD_CCtx *zstd;  // binary form only
    uint8_t *packed;
    size_t packed_bytes;

    uint64_t cycle;       // of the last record
    uint64_t next_link;   // of the last flit of this cycle the link + 1; 0: there is none yet
    uint64_t next_place;  // further flits of this cycle must have this place or a higher one
    uint64_t worms, flits;
    struct anl_digest *digest;
};

static void put_file(struct anl_trace_writer *writer, const void *bytes, size_t count)
{
    if (writer->failure) return;
    errno = 0;
    if (fwrite(bytes, 1, count, writer->output.file) != count)
        writer->failure = errno ? errno : EIO;
}

static void pack(struct anl_trace_writer *writer, ZSTD_EndDirective directive)
{
    ZSTD_inBuffer in = {writer->plain, writer->used, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {writer->packed, writer->packed_bytes, 0};
        left = ZSTD_compressStream2(writer->zstd, &out, &in, directive);
        if (ZSTD_isError(left)) {
            if (!writer->failure) writer->failure = ENOMEM;
            return;
        }
        put_file(writer, writer->packed, out.pos);
    } while (in.pos < in.size || (directive == ZSTD_e_end && left > 0));
}

static void flush(struct anl_trace_writer *writer, ZSTD_EndDirective directive)
{
    if (writer->form == ANL_TRACE_BINARY)
        pack(writer, directive);
    else
        put_file(writer, writer->plain, writer->used);
    writer->used = 0;
}

static uint8_t *put_leb(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

// Writes a space and the number.
static uint8_t *put_number(uint8_t *to, uint64_t value)
{
    char digits[20];
    unsigned count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    *to++ = ' ';
    while (count)
        *to++ = (uint8_t)digits[--count];
    return to;
}

static uint8_t *put(const struct anl_trace_writer *writer, uint8_t *to, uint64_t value)
{
    return writer->form == ANL_TRACE_TEXT ? put_number(to, value) : put_leb(to, value);
}

// --- records ---

// Returns where the fields of a new record are to be written; end_record() says where they end.
static uint8_t *begin_record(struct anl_trace_writer *writer, uint8_t tag)
{
    const char *word = tag == ANL_TAG_FLIT ? "flit" : tag == ANL_TAG_END ? "end" : "worm";
    if (writer->used + LONGEST_RECORD > PLAIN_BYTES) flush(writer, ZSTD_e_continue);
    uint8_t *at = writer->plain + writer->used;
    memcpy(at, word, 4);
    if (writer->form == ANL_TRACE_TEXT) return at + (tag == ANL_TAG_END ? 3 : 4);
    *at = tag;
    return at + 1;
}

static void end_record(struct anl_trace_writer *writer, uint8_t *at)
{
    if (writer->form == ANL_TRACE_TEXT) *at++ = '\n';
    writer->used = (size_t)(at - writer->plain);
}

static void go_to_cycle(struct anl_trace_writer *writer, uint64_t cycle)
{
    assert(cycle >= writer->cycle);
    if (cycle == writer->cycle) return;
    if (writer->form == ANL_TRACE_BINARY)
        end_record(writer, put_leb(begin_record(writer, ANL_TAG_ADVANCE), cycle - writer->cycle));
    writer->cycle = cycle;
    writer->next_link = writer->next_place = 0;
}

// Writes the ports of a worm's own route: "2.0.1", or their number and a byte for each.
static uint8_t *put_route(const struct anl_trace_writer *writer, uint8_t *at,
                          const struct anl_worm *worm)
{
    if (writer->form == ANL_TRACE_BINARY) {
        at = put_leb(at, worm->route_length);
        memcpy(at, worm->route, worm->route_length);
        return at + worm->route_length;
    }
    for (unsigned i = 0; i < worm->route_length; i++)
        at += sprintf((char *)at, "%c%u", i ? '.' : ' ', worm->route[i]);
    return at;
}

// Writes the class and the role of a worm: "1:reply", or two numbers.
static uint8_t *put_class(const struct anl_trace_writer *writer, uint8_t *at,
                          const struct anl_worm *worm)
{
    if (writer->form == ANL_TRACE_BINARY) return put_leb(put_leb(at, worm->class_), worm->role);
    return at + sprintf((char *)at, " %u:%s", worm->class_, anl_role_name(worm->role));
}

// Writes the path that the message of a worm gives: "path:5", or a number.
static uint8_t *put_path(const struct anl_trace_writer *writer, uint8_t *at, uint32_t path)
{
    if (writer->form == ANL_TRACE_BINARY) return put_leb(at, path);
    return at + sprintf((char *)at, " path:%" PRIu32, path);
}

// Writes what a worm has waited for: "after:0:1+20,2+1", or numbers.
static uint8_t *put_after(const struct anl_trace_writer *writer, uint8_t *at,
                          const struct anl_dependencies *waited)
{
    const bool binary = writer->form == ANL_TRACE_BINARY;
    if (binary)
        at = put_leb(put_leb(at, waited->earliest), waited->count);
    else
        at += sprintf((char *)at, " after:%" PRIu64, waited->earliest);
    for (uint32_t i = 0; i < waited->count; i++) {
        const struct anl_after *after = &waited->after[i];
        if (binary)
            at = put_leb(put_leb(at, after->worm), after->cycles);
        else
            at += sprintf((char *)at, "%c%" PRIu32 "+%" PRIu32, i ? ',' : ':', after->worm,
                          after->cycles);
    }
    return at;
}

void anl_trace_worm(struct anl_trace_writer *writer, const struct anl_worm *worm)
{
    go_to_cycle(writer, worm->created);
    assert(writer->next_link == 0 && worm->id == writer->worms && worm->length > 0);
    assert(worm->route_length <= ANL_TRACE_MOST_PORTS);
    uint8_t *at = begin_record(writer, anl_tag_of(worm));
    at = put(writer, at, worm->id);
    at = put(writer, at, worm->source);
    at = put(writer, at, worm->destination);
    at = put(writer, at, worm->length);
    if (writer->form == ANL_TRACE_TEXT) at = put_number(at, worm->created);
    if (anl_has_class_or_role(worm)) at = put_class(writer, at, worm);
    if (worm->route) at = put_route(writer, at, worm);
    if (worm->has_path) at = put_path(writer, at, worm->path);
    if (worm->dependencies) at = put_after(writer, at, worm->dependencies);
    end_record(writer, at);
    writer->worms++;
    anl_digest_worm(writer->digest, worm);
}

static void put_flit(struct anl_trace_writer *writer, uint64_t cycle, const struct anl_flit *flit)
{
    const uint64_t next_link = writer->next_link;
    const unsigned marks = flit->head + 2u * flit->tail;
    uint8_t *at = begin_record(writer, ANL_TAG_FLIT);
    if (writer->form == ANL_TRACE_TEXT) {
        at = put_number(put_number(put_number(at, cycle), flit->link), flit->vc);
        *at++ = ' ';
        *at++ = (uint8_t) "BHTS"[marks];
        at = put_number(put_number(at, flit->worm), flit->index);
    } else {
        at = put_leb(at, next_link ? flit->link - next_link + 1 : flit->link);
        at = put_leb(put_leb(at, flit->vc * 4u + marks), flit->worm);
        at = put_leb(at, flit->index);
    }
    end_record(writer, at);
}

void anl_trace_flits(struct anl_trace_writer *writer, uint64_t cycle, const struct anl_flit *flits,
                     size_t count)
{
    if (count == 0) return;
    go_to_cycle(writer, cycle);
    for (size_t i = 0; i < count; i++) {
        assert(anl_flit_place(&flits[i]) >= writer->next_place && flits[i].worm < writer->worms);
        put_flit(writer, cycle, &flits[i]);
        writer->next_link = (uint64_t)flits[i].link + 1;
        writer->next_place = anl_flit_place(&flits[i]) + 1;
    }
    writer->flits += count;
    anl_digest_flits(writer->digest, cycle, flits, count);
}

static void put_end(struct anl_trace_writer *writer, uint64_t cycles)
{
    assert(cycles > writer->cycle || (cycles == writer->cycle && writer->next_link == 0));
    const uint64_t digest = anl_digest_value(writer->digest);
    uint8_t *at = begin_record(writer, ANL_TAG_END);
    at = put(writer, put(writer, at, cycles), writer->flits);
    if (writer->form == ANL_TRACE_TEXT)
        at += sprintf((char *)at, " %016" PRIx64, digest);
    else
        at = anl_put_bytes(at, digest, 8);
    end_record(writer, at);
}

// --- head of the file ---

static void put_text_head(struct anl_trace_writer *writer, uint64_t seed, const char *scenario)
{
    char head[LONGEST_RECORD];
    int used = snprintf(head, sizeof head, ANL_TRACE_FIRST_LINE "\nseed %" PRIu64 "\n", seed);
    put_file(writer, head, (size_t)used);
    while (*scenario) {
        size_t length = strcspn(scenario, "\n");
        put_file(writer, "| ", 2);
        put_file(writer, scenario, length);
        put_file(writer, "\n", 1);
        scenario += length + (scenario[length] == '\n');
    }
}

// A newline is appended to the scenario if it has none, so that both forms hold the same text.
static void put_binary_head(struct anl_trace_writer *writer, uint64_t seed, const char *scenario)
{
    size_t length = strlen(scenario);
    bool newline = length > 0 && scenario[length - 1] != '\n';
    uint8_t head[ANL_TRACE_HEADER_BYTES];
    memcpy(head, ANL_TRACE_MAGIC, ANL_TRACE_MAGIC_BYTES);
    uint8_t *at = anl_put_bytes(head + ANL_TRACE_MAGIC_BYTES, seed, 8);
    anl_put_bytes(at, length + newline, 4);
    put_file(writer, head, sizeof head);
    put_file(writer, scenario, length);
    put_file(writer, "\n", newline);
}

// --- life ---

static void destroy(struct anl_trace_writer *writer)
{
    anl_output_abandon(&writer->output);
    ZSTD_freeCCtx(writer->zstd);
    anl_digest_destroy(writer->digest);
    free(writer->plain);
    free(writer->packed);
    free(writer);
}

static bool make_zstd(struct anl_trace_writer *writer)
{
    if (writer->form == ANL_TRACE_TEXT) return true;
    writer->packed_bytes = ZSTD_CStreamOutSize();
    writer->packed = malloc(writer->packed_bytes);
    writer->zstd = ZSTD_createCCtx();
    if (!writer->packed || !writer->zstd) return false;
    ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
    ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_checksumFlag, 1);
    return true;
}

static struct anl_trace_writer *make(enum anl_trace_form form)
{
    struct anl_trace_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->form = form;
    writer->plain = malloc(PLAIN_BYTES);
    if (!writer->plain || !make_zstd(writer) || anl_digest_create(&writer->digest) != ANL_OK) {
        destroy(writer);
        return NULL;
    }
    return writer;
}

enum anl_status anl_trace_create(const char *path, enum anl_trace_form form, uint64_t seed,
                                 const char *scenario_text, struct anl_trace_writer **writer,
                                 struct anl_error *error)
{
    *writer = NULL;
    size_t length = strlen(scenario_text);
    if (length + (length > 0 && scenario_text[length - 1] != '\n') > ANL_MAX_SCENARIO_BYTES)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "scenario of %zu bytes; a trace holds at most %d", length,
                        ANL_MAX_SCENARIO_BYTES);
    struct anl_trace_writer *made = make(form);
    if (!made) return anl_fail(error, ANL_ERR_MEMORY, path, 0, "out of memory");
    const enum anl_status status = anl_output_open(path, &made->output, error);
    if (status) {
        destroy(made);
        return status;
    }
    if (form == ANL_TRACE_TEXT)
        put_text_head(made, seed, scenario_text);
    else
        put_binary_head(made, seed, scenario_text);
    *writer = made;
    return ANL_OK;
}

enum anl_status anl_trace_finish(struct anl_trace_writer *writer, uint64_t cycles,
                                 struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    put_end(writer, cycles);
    flush(writer, ZSTD_e_end);
    if (writer->failure)
        status = anl_fail(error, ANL_ERR_IO, writer->output.path, 0, "cannot write: %s",
                          strerror(writer->failure));
    else
        status = anl_output_finish(&writer->output, error);
    destroy(writer);
    return status;
}

void anl_trace_abandon(struct anl_trace_writer *writer)
{
    if (writer) destroy(writer);
}
