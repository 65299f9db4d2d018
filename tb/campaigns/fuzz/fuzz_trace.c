// SPDX-License-Identifier: Apache-2.0
//
// Whatever the bytes are, the trace reader ends with a record, an end, or an error with a message.
// An input that begins with 'R' is a list of bare binary records, which are put into a whole file
// first, because no mutation of a zstd frame gets that far by chance.

#include <annelid/trace.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool holds)
{
    if (!holds) abort();
}

static void read_to_end(const void *bytes, size_t size)
{
    struct anl_trace_reader *reader;
    struct anl_error error = {0};
    struct anl_record record = {.kind = ANL_RECORD_WORM};
    enum anl_status status = anl_trace_open_memory(bytes, size, "fuzz", &reader, &error);
    demand((status == ANL_OK) == (reader != NULL));
    if (status == ANL_OK) demand(strlen(anl_trace_scenario_text(reader)) <= ANL_MAX_SCENARIO_BYTES);
    while (status == ANL_OK && record.kind != ANL_RECORD_END)
        status = anl_trace_next(reader, &record, &error);
    demand(status == ANL_OK || (status == ANL_ERR_FORMAT && error.text[0]));
    anl_trace_close(reader);
}

static void read_records(const uint8_t *records, size_t size)
{
    static const char head[] = "\x89"
                               "ANLT\r\n\x01"
                               "seed....\0\0\0";
    size_t bound = ZSTD_compressBound(size);
    uint8_t *file = malloc(sizeof head + bound);
    demand(file != NULL);
    memcpy(file, head, sizeof head);
    size_t frame = ZSTD_compress(file + sizeof head, bound, records, size, 1);
    demand(!ZSTD_isError(frame));
    read_to_end(file, sizeof head + frame);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > 0 && bytes[0] == 'R')
        read_records(bytes + 1, size - 1);
    else
        read_to_end(bytes, size);
    return 0;
}
