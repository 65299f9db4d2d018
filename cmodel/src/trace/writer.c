// SPDX-License-Identifier: Apache-2.0
//
// Writes traces of both forms. Records are collected and written in large pieces; the first failure
// of the system is kept until anl_trace_finish().

#include "trace.h"

#include <annelid/base.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

enum {
    PLAIN_BYTES = 1 << 17,
    LENGTH_BYTES = 4,
    MARK_BYTES = 16,
    SUFFIX_BYTES = 16,
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
    bool told;  // a worm or flit of this cycle was written by this process
    struct anl_digest *digest;

    // A trace that outlives its process: records are collected in a file of its own until the trace
    // is finished. NULL: it is written directly.
    struct collected *collected;
};

// Begins a file of collected records. A file that does not is somebody else's.
static const char mark[MARK_BYTES + 1] = "annelid records\n";

// The records that were flushed, each time behind their length.
struct collected {
    char *path, *trace_path;
    int file;
    uint64_t bytes;
    XXH3_state_t *hash;  // of these bytes
    uint8_t *piece;      // one of these pieces
    bool stays;          // some checkpoint may need the file
    uint64_t seed;
    char *scenario;
};

static void put_file(struct anl_trace_writer *writer, const void *bytes, size_t count)
{
    if (writer->failure) return;
    errno = 0;
    if (fwrite(bytes, 1, count, writer->output.file) != count)
        writer->failure = errno ? errno : EIO;
}

static void collect_bytes(struct anl_trace_writer *writer, const void *bytes, size_t count)
{
    struct collected *collected = writer->collected;
    for (size_t done = 0; done < count && !writer->failure;) {
        const ssize_t some = pwrite(collected->file, (const uint8_t *)bytes + done, count - done,
                                    (off_t)(MARK_BYTES + collected->bytes + done));
        if (some < 0 && errno != EINTR) writer->failure = errno;
        if (some > 0) done += (size_t)some;
    }
    XXH3_64bits_update(collected->hash, bytes, count);
    collected->bytes += count;
}

static void collect(struct anl_trace_writer *writer)
{
    uint8_t length[LENGTH_BYTES];
    anl_put_bytes(length, writer->used, sizeof length);
    collect_bytes(writer, length, sizeof length);
    collect_bytes(writer, writer->plain, writer->used);
    writer->used = 0;
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

static void put_flushed(struct anl_trace_writer *writer, ZSTD_EndDirective directive)
{
    if (writer->form == ANL_TRACE_BINARY)
        pack(writer, directive);
    else
        put_file(writer, writer->plain, writer->used);
    writer->used = 0;
}

static void flush(struct anl_trace_writer *writer)
{
    if (writer->collected)
        collect(writer);
    else
        put_flushed(writer, ZSTD_e_continue);
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
    if (writer->used + LONGEST_RECORD > PLAIN_BYTES) flush(writer);
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
    writer->told = true;
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
        *at++ = (uint8_t)("BHTS"[marks]);
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
    assert(cycles > writer->cycle || (cycles == writer->cycle && !writer->told));
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

// Frees what is collected, and removes its file unless it must stay.
static void forget_collected(struct collected *collected, bool stays)
{
    if (!collected) return;
    if (collected->file >= 0) close(collected->file);
    if (collected->file >= 0 && !stays) unlink(collected->path);
    XXH3_freeState(collected->hash);
    free(collected->path);
    free(collected->trace_path);
    free(collected->scenario);
    free(collected->piece);
    free(collected);
}

static void destroy(struct anl_trace_writer *writer)
{
    forget_collected(writer->collected, writer->collected && writer->collected->stays);
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

static void put_head(struct anl_trace_writer *writer, uint64_t seed, const char *scenario)
{
    if (writer->form == ANL_TRACE_TEXT)
        put_text_head(writer, seed, scenario);
    else
        put_binary_head(writer, seed, scenario);
}

static enum anl_status create(const char *path, enum anl_trace_form form, const char *scenario_text,
                              struct anl_trace_writer **writer, struct anl_error *error)
{
    *writer = NULL;
    size_t length = strlen(scenario_text);
    if (length + (length > 0 && scenario_text[length - 1] != '\n') > ANL_MAX_SCENARIO_BYTES)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "scenario of %zu bytes; a trace holds at most %d", length,
                        ANL_MAX_SCENARIO_BYTES);
    *writer = make(form);
    return *writer ? ANL_OK : anl_fail(error, ANL_ERR_MEMORY, path, 0, "out of memory");
}

enum anl_status anl_trace_create(const char *path, enum anl_trace_form form, uint64_t seed,
                                 const char *scenario_text, struct anl_trace_writer **writer,
                                 struct anl_error *error)
{
    struct anl_trace_writer *made;
    enum anl_status status = create(path, form, scenario_text, &made, error);
    *writer = NULL;
    if (!status) status = anl_output_open(path, &made->output, error);
    if (status) {
        anl_trace_abandon(made);
        return status;
    }
    put_head(made, seed, scenario_text);
    *writer = made;
    return ANL_OK;
}

// --- a trace that outlives its process ---

// Opens the file, and marks it if it is empty.
static enum anl_status open_marked(struct collected *collected, struct anl_error *error)
{
    char found[MARK_BYTES];
    const int file = open(collected->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    const ssize_t count = file < 0 ? -1 : pread(file, found, MARK_BYTES, 0);
    const bool known = count == MARK_BYTES && memcmp(found, mark, MARK_BYTES) == 0;
    const bool marked = known || (count == 0 && pwrite(file, mark, MARK_BYTES, 0) == MARK_BYTES);
    const int reason = errno;
    if (marked) {
        collected->file = file;
        collected->stays = known;
        return ANL_OK;
    }
    if (file >= 0) close(file);
    if (count > 0)
        return anl_fail(error, ANL_ERR_IO, collected->path, 0,
                        "is there and is not replaced, since no run has left it: move it away, or "
                        "write the trace to another place");
    return anl_fail(error, ANL_ERR_IO, collected->path, 0, "cannot write: %s", strerror(reason));
}

static enum anl_status open_collected(struct collected *collected, const char *path,
                                      const char *scenario_text, struct anl_error *error)
{
    const size_t size = strlen(path) + SUFFIX_BYTES;
    *collected = (struct collected){.path = malloc(size),
                                    .trace_path = strdup(path),
                                    .file = -1,
                                    .hash = XXH3_createState(),
                                    .scenario = strdup(scenario_text),
                                    .piece = malloc(PLAIN_BYTES)};
    if (!collected->path || !collected->trace_path || !collected->hash || !collected->scenario ||
        !collected->piece)
        return anl_fail(error, ANL_ERR_MEMORY, path, 0, "out of memory");
    XXH3_64bits_reset(collected->hash);
    snprintf(collected->path, size, "%s.partial", path);
    return open_marked(collected, error);
}

enum anl_status anl_trace_create_kept(const char *path, enum anl_trace_form form, uint64_t seed,
                                      const char *scenario_text, struct anl_trace_writer **writer,
                                      struct anl_error *error)
{
    struct anl_trace_writer *made;
    enum anl_status status = create(path, form, scenario_text, &made, error);
    *writer = NULL;
    if (status) return status;
    made->collected = calloc(1, sizeof *made->collected);
    if (made->collected)
        status = open_collected(made->collected, path, scenario_text, error);
    else
        status = anl_fail(error, ANL_ERR_MEMORY, path, 0, "out of memory");
    if (status) {
        anl_trace_abandon(made);
        return status;
    }
    made->collected->seed = seed;
    *writer = made;
    return ANL_OK;
}

// Reads bytes that were collected; returns false, with the reason in errno, if they are not there.
static bool read_collected(const struct collected *collected, uint64_t at, void *bytes,
                           size_t count)
{
    for (size_t done = 0; done < count;) {
        errno = 0;
        const ssize_t some = pread(collected->file, (uint8_t *)bytes + done, count - done,
                                   (off_t)(MARK_BYTES + at + done));
        if (some <= 0 && errno != EINTR) return false;
        if (some > 0) done += (size_t)some;
    }
    return true;
}

// Reads all that was collected before a checkpoint, and goes on behind it. Returns false if it is
// not what was collected then.
static bool resume_collected(struct anl_trace_writer *writer, uint64_t bytes, uint64_t hash)
{
    struct collected *collected = writer->collected;
    while (collected->bytes < bytes) {
        const uint64_t left = bytes - collected->bytes;
        const size_t some = left < PLAIN_BYTES ? left : PLAIN_BYTES;
        if (!read_collected(collected, collected->bytes, collected->piece, some)) return false;
        XXH3_64bits_update(collected->hash, collected->piece, some);
        collected->bytes += some;
    }
    return XXH3_64bits_digest(collected->hash) == hash &&
           ftruncate(collected->file, (off_t)(MARK_BYTES + bytes)) == 0;
}

enum anl_status anl_trace_pack(struct anl_trace_writer *writer, struct anl_pack *pack,
                               struct anl_error *error)
{
    struct collected *collected = writer->collected;
    uint64_t bytes = collected->bytes, hash = XXH3_64bits_digest(collected->hash);
    uint32_t used = (uint32_t)writer->used;
    uint8_t form = (uint8_t)writer->form;
    ANL_PACK(pack, form);
    anl_pack_expect(pack, form == (uint8_t)writer->form);
    ANL_PACK(pack, bytes);
    ANL_PACK(pack, hash);
    ANL_PACK_BELOW(pack, used, PLAIN_BYTES + 1);
    anl_pack_bytes(pack, writer->plain, used);
    ANL_PACK(pack, writer->cycle);
    ANL_PACK(pack, writer->worms);
    ANL_PACK(pack, writer->flits);
    anl_digest_pack(writer->digest, pack);
    if (pack->failed) return ANL_OK;
    if (pack->from && !resume_collected(writer, bytes, hash))
        return anl_fail(error, ANL_ERR_FORMAT, collected->path, 0,
                        "this is not what the checkpoint has left there");
    writer->used = used;
    if (!pack->from && !writer->failure && fsync(collected->file) != 0 && errno != EINVAL)
        writer->failure = errno;
    collected->stays = true;
    if (!writer->failure) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, collected->path, 0, "cannot write: %s",
                    strerror(writer->failure));
}

static bool read_piece(struct anl_trace_writer *writer, uint64_t *at)
{
    uint8_t length[LENGTH_BYTES];
    if (!read_collected(writer->collected, *at, length, sizeof length)) return false;
    writer->used = anl_get_bytes(length, sizeof length);
    if (writer->used > PLAIN_BYTES) return false;
    *at += sizeof length + writer->used;
    return read_collected(writer->collected, *at - writer->used, writer->plain, writer->used);
}

// Writes what was collected to the trace: the same bytes in the same pieces as if each piece had
// been written when it was flushed. The last one stays where it is.
static enum anl_status write_collected(struct anl_trace_writer *writer, struct anl_error *error)
{
    struct collected *collected = writer->collected;
    uint8_t *const last = writer->plain;
    const size_t used = writer->used;
    const enum anl_status status = anl_output_open(collected->trace_path, &writer->output, error);
    if (status) return status;
    put_head(writer, collected->seed, collected->scenario);
    writer->plain = collected->piece;
    for (uint64_t at = 0; at < collected->bytes && !writer->failure;) {
        if (!read_piece(writer, &at)) writer->failure = errno ? errno : EIO;
        put_flushed(writer, ZSTD_e_continue);
    }
    writer->plain = last;
    writer->used = used;
    return ANL_OK;
}

enum anl_status anl_trace_finish(struct anl_trace_writer *writer, uint64_t cycles,
                                 struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    put_end(writer, cycles);
    if (writer->collected) status = write_collected(writer, error);
    if (!status) put_flushed(writer, ZSTD_e_end);
    if (!status && writer->failure)
        status = anl_fail(error, ANL_ERR_IO, writer->output.path, 0, "cannot write: %s",
                          strerror(writer->failure));
    if (!status) status = anl_output_finish(&writer->output, error);
    if (writer->collected && !status) writer->collected->stays = false;
    destroy(writer);
    return status;
}

void anl_trace_abandon(struct anl_trace_writer *writer)
{
    if (writer) destroy(writer);
}
