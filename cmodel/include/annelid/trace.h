// SPDX-License-Identifier: Apache-2.0
//
// Flit traces: the digest of a run, a writer and a reader. Format: docs/trace.md.

#ifndef ANNELID_TRACE_H
#define ANNELID_TRACE_H

#include <annelid/base.h>
#include <annelid/network.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- digest ---
//
// The digest is one number for all worms and flits of a run, given in the order of docs/trace.md.
// anl_digest_create() returns ANL_OK or ANL_ERR_MEMORY; on success the caller frees *digest with
// anl_digest_destroy(), which accepts NULL.

struct anl_digest;
enum anl_status anl_digest_create(struct anl_digest **digest);
void anl_digest_destroy(struct anl_digest *digest);
void anl_digest_worm(struct anl_digest *digest, const struct anl_worm *worm);
void anl_digest_flits(struct anl_digest *digest, uint64_t cycle, const struct anl_flit *flits,
                      size_t count);
// Returns the digest of what was given so far.
uint64_t anl_digest_value(const struct anl_digest *digest);
// Packs or unpacks what was given so far. What another version of the hash's library has packed
// makes no sense.
void anl_digest_pack(struct anl_digest *digest, struct anl_pack *pack);

// --- writer ---

enum anl_trace_form { ANL_TRACE_TEXT, ANL_TRACE_BINARY };
struct anl_trace_writer;

// Opens a trace of the form for writing; the file appears at path only when it is finished
// (anl_output_open() in annelid/base.h). The text of the scenario need not end with a newline. On
// success *writer is the caller's, who ends it with anl_trace_finish() or anl_trace_abandon().
// ANL_ERR_IO: the file cannot be created, as for anl_output_open(); ANL_ERR_MEMORY.
enum anl_status anl_trace_create(const char *path, enum anl_trace_form form, uint64_t seed,
                                 const char *scenario_text, struct anl_trace_writer **writer,
                                 struct anl_error *error);
// Does and returns the same for a trace that can outlive its process (docs/checkpoint.md): until it
// is finished the records are in a file beside it, "<path>.partial", which stays if a checkpoint
// needs it, or if it was there before.
enum anl_status anl_trace_create_kept(const char *path, enum anl_trace_form form, uint64_t seed,
                                      const char *scenario_text, struct anl_trace_writer **writer,
                                      struct anl_error *error);
// Packs or unpacks, into a new writer of this kind, what was written so far. ANL_ERR_IO;
// ANL_ERR_FORMAT: the file beside the trace is not what it was.
enum anl_status anl_trace_pack(struct anl_trace_writer *writer, struct anl_pack *pack,
                               struct anl_error *error);
// Write records, in the order of docs/trace.md. A failure of the system is kept until
// anl_trace_finish() returns it.
void anl_trace_worm(struct anl_trace_writer *writer, const struct anl_worm *worm);
void anl_trace_flits(struct anl_trace_writer *writer, uint64_t cycle, const struct anl_flit *flits,
                     size_t count);
// Writes the end record, renames the file to path and frees the writer. ANL_ERR_IO, ANL_ERR_MEMORY:
// the temporary file is removed.
enum anl_status anl_trace_finish(struct anl_trace_writer *writer, uint64_t cycles,
                                 struct anl_error *error);
// Frees the writer, which may be NULL, and removes the temporary file.
void anl_trace_abandon(struct anl_trace_writer *writer);

// --- reader ---

enum anl_record_kind { ANL_RECORD_WORM, ANL_RECORD_FLIT, ANL_RECORD_END };
struct anl_record {
    enum anl_record_kind kind;
    uint64_t cycle;  // flit: of its crossing; worm: of its creation; end: number of cycles run
    struct anl_worm worm;  // kind WORM
    struct anl_flit flit;  // kind FLIT
    uint64_t flits;        // kind END: flits in the trace
    uint64_t digest;       // kind END: equals the digest of the records read
};

struct anl_trace_reader;

// Opens a trace of either form, which its first bytes tell, and reads its header. On success
// *reader is the caller's, who frees it with anl_trace_close(). ANL_ERR_IO, ANL_ERR_MEMORY, or
// ANL_ERR_FORMAT (the header is wrong); *reader is then NULL.
enum anl_status anl_trace_open(const char *path, struct anl_trace_reader **reader,
                               struct anl_error *error);
// Opens a trace in memory, which is copied, and returns the same. name stands for the file in
// messages.
enum anl_status anl_trace_open_memory(const void *bytes, size_t size, const char *name,
                                      struct anl_trace_reader **reader, struct anl_error *error);
// Return the seed, the form and the text of the scenario, which the reader owns.
uint64_t anl_trace_seed(const struct anl_trace_reader *reader);
enum anl_trace_form anl_trace_form_of(const struct anl_trace_reader *reader);
const char *anl_trace_scenario_text(const struct anl_trace_reader *reader);

// Accepts any digest in the end record, for traces of programs that cannot compute it. All other
// checks remain. Must be called before the first record is read.
void anl_trace_ignore_digest(struct anl_trace_reader *reader);

// Reads the next record. Order, ranges that do not depend on the network (the head has index 0, the
// tail index length - 1, the worm is known, ids ascend by 1), counts and the digest are checked.
// The route of a worm, if it has one of its own, and what it has waited for are the reader's and
// stay until anl_trace_close().
// After ANL_RECORD_END the trace is proved whole and this must not be called again. ANL_ERR_FORMAT:
// *error says where and what; ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status anl_trace_next(struct anl_trace_reader *reader, struct anl_record *record,
                               struct anl_error *error);
// Reads as many records as there are, but at most `room`, into records[]: *count is how many were
// read, ANL_RECORD_END the last one of the trace. What anl_trace_next() says holds; on failure the
// records before the one that is wrong have been read.
enum anl_status anl_trace_read(struct anl_trace_reader *reader, struct anl_record *records,
                               size_t room, size_t *count, struct anl_error *error);
void anl_trace_close(struct anl_trace_reader *reader);  // reader may be NULL

#ifdef __cplusplus
}
#endif

#endif
