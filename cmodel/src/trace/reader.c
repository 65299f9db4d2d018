// SPDX-License-Identifier: Apache-2.0
//
// Reads traces of both forms. A record is returned only after all checks that are possible so far,
// and the end record only after the whole trace was checked.

#include "trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Reads the header of an input that is open, a file or memory.
static enum anl_status read_head(struct anl_trace_reader *reader, struct anl_error *error)
{
    enum anl_status status = anl_digest_create(&reader->digest);
    if (status != ANL_OK) return anl_reader_fail_system(reader, error, status, 0);
    if (anl_input_need(&reader->input, 1) == 0)
        return anl_reader_fail_short(reader, error, "empty; expected a trace");
    if (reader->input.bytes[0] == (uint8_t)ANL_TRACE_MAGIC[0]) {
        reader->form = ANL_TRACE_BINARY;
        return anl_binary_head(reader, error);
    }
    return anl_text_head(reader, error);
}

static enum anl_status open_with(struct anl_trace_reader *made, enum anl_status status,
                                 struct anl_trace_reader **reader, struct anl_error *error)
{
    if (status == ANL_OK)
        status = read_head(made, error);
    else
        anl_reader_fail_system(made, error, status, made->input.cause);
    if (status == ANL_OK)
        *reader = made;
    else
        anl_trace_close(made);
    return status;
}

static struct anl_trace_reader *make(const char *name)
{
    struct anl_trace_reader *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->name = strdup(name);
    made->scenario = calloc(1, 1);
    if (made->name && made->scenario) return made;
    anl_trace_close(made);
    return NULL;
}

enum anl_status anl_trace_open(const char *path, struct anl_trace_reader **reader,
                               struct anl_error *error)
{
    *reader = NULL;
    struct anl_trace_reader *made = make(path);
    if (!made) return anl_fail(error, ANL_ERR_MEMORY, path, 0, "out of memory");
    return open_with(made, anl_input_file(&made->input, path), reader, error);
}

enum anl_status anl_trace_open_memory(const void *bytes, size_t size, const char *name,
                                      struct anl_trace_reader **reader, struct anl_error *error)
{
    *reader = NULL;
    struct anl_trace_reader *made = make(name);
    if (!made) return anl_fail(error, ANL_ERR_MEMORY, name, 0, "out of memory");
    return open_with(made, anl_input_memory(&made->input, bytes, size), reader, error);
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
    bool text = reader->form == ANL_TRACE_TEXT;
    *record = (struct anl_record){0};
    enum anl_status status =
        text ? anl_text_next(reader, record, error) : anl_binary_next(reader, record, error);
    if (status != ANL_OK || record->kind != ANL_RECORD_END) return status;
    reader->over = true;
    return text ? anl_text_end(reader, error) : anl_binary_end(reader, error);
}

void anl_trace_close(struct anl_trace_reader *reader)
{
    if (!reader) return;
    anl_input_close(&reader->input);
    ZSTD_freeDCtx(reader->unpacked.zstd);
    free(reader->unpacked.bytes);
    anl_digest_destroy(reader->digest);
    free(reader->lengths);
    free(reader->scenario);
    free(reader->name);
    free(reader);
}
