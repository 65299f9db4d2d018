// SPDX-License-Identifier: Apache-2.0
//
// Flit traces: digest, writer, reader. Format: docs/trace.md.

#ifndef ANNELID_TRACE_H
#define ANNELID_TRACE_H

#include <annelid/network.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- digest ---

struct anl_digest;
enum anl_status anl_digest_create(struct anl_digest **digest);
void anl_digest_destroy(struct anl_digest *digest);
void anl_digest_worm(struct anl_digest *digest, const struct anl_worm *worm);
void anl_digest_flits(struct anl_digest *digest, uint64_t cycle, const struct anl_flit *flits,
                      size_t count);
uint64_t anl_digest_value(const struct anl_digest *digest);  // of what was put in so far

// --- writer ---

enum anl_trace_form { ANL_TRACE_TEXT, ANL_TRACE_BINARY };
struct anl_trace_writer;

// Writes to a file of another name until finish (annelid/base.h); ANL_ERR_IO if path is something
// other than an ordinary file. scenario_text need not end with a newline.
enum anl_status anl_trace_create(const char *path, enum anl_trace_form form, uint64_t seed,
                                 const char *scenario_text, struct anl_trace_writer **writer,
                                 struct anl_error *error);
// Records in the order of docs/trace.md; errors of the system are kept and reported by finish.
void anl_trace_worm(struct anl_trace_writer *writer, const struct anl_worm *worm);
void anl_trace_flits(struct anl_trace_writer *writer, uint64_t cycle, const struct anl_flit *flits,
                     size_t count);
// Writes the end record, renames the file to path, frees the writer. On failure the temporary file
// is removed.
enum anl_status anl_trace_finish(struct anl_trace_writer *writer, uint64_t cycles,
                                 struct anl_error *error);
// Frees the writer and removes the temporary file. writer may be NULL.
void anl_trace_abandon(struct anl_trace_writer *writer);

// --- reader ---

enum anl_record_kind { ANL_RECORD_WORM, ANL_RECORD_FLIT, ANL_RECORD_END };
struct anl_record {
    enum anl_record_kind kind;
    uint64_t cycle;        // flit: of the crossing; worm: of creation; end: cycles run
    struct anl_worm worm;  // kind WORM
    struct anl_flit flit;  // kind FLIT
    uint64_t flits;        // kind END
    uint64_t digest;       // kind END; already checked against the records read
};

struct anl_trace_reader;

// Opens either form (told apart by its first bytes) and reads the header.
enum anl_status anl_trace_open(const char *path, struct anl_trace_reader **reader,
                               struct anl_error *error);
// The same from memory (copied); name is used in messages.
enum anl_status anl_trace_open_memory(const void *bytes, size_t size, const char *name,
                                      struct anl_trace_reader **reader, struct anl_error *error);
uint64_t anl_trace_seed(const struct anl_trace_reader *reader);
enum anl_trace_form anl_trace_form_of(const struct anl_trace_reader *reader);
const char *anl_trace_scenario_text(const struct anl_trace_reader *reader);  // owned by the reader

// The next record. After ANL_RECORD_END the trace is over and proved whole; do not call again.
// Order, ranges that do not need the network (head has index 0, tail has index length - 1, worm
// known, ids in order), counts and digest are checked; ANL_ERR_FORMAT names the place.
enum anl_status anl_trace_next(struct anl_trace_reader *reader, struct anl_record *record,
                               struct anl_error *error);
void anl_trace_close(struct anl_trace_reader *reader);  // reader may be NULL

#ifdef __cplusplus
}
#endif

#endif
