// SPDX-License-Identifier: Apache-2.0

#include "trace.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1 << 16 };

static enum anl_status stop(struct anl_input *input, enum anl_status status)
{
    input->ended = true;
    input->cause = errno;
    return input->status = status;
}

enum anl_status anl_input_file(struct anl_input *input, const char *path)
{
    input->bytes = malloc(FIRST_CAPACITY);
    if (!input->bytes) return stop(input, ANL_ERR_MEMORY);
    input->capacity = FIRST_CAPACITY;
    input->file = anl_input_open(path);
    return input->file ? ANL_OK : stop(input, ANL_ERR_IO);
}

enum anl_status anl_input_memory(struct anl_input *input, const void *bytes, size_t size)
{
    input->bytes = malloc(size + 1);  // + 1: so that an empty input is no special case
    if (!input->bytes) return stop(input, ANL_ERR_MEMORY);
    if (size > 0) memcpy(input->bytes, bytes, size);
    input->capacity = size + 1;
    input->end = size;
    input->ended = true;
    return ANL_OK;
}

void anl_input_close(struct anl_input *input)
{
    if (input->file) fclose(input->file);
    free(input->bytes);
}

static bool grow(struct anl_input *input)
{
    uint8_t *larger = realloc(input->bytes, 2 * input->capacity);
    if (!larger) return false;
    input->bytes = larger;
    input->capacity *= 2;
    return true;
}

static void read_more(struct anl_input *input)
{
    memmove(input->bytes, input->bytes + input->begin, input->end - input->begin);
    input->end -= input->begin;
    input->begin = 0;
    if (input->end == input->capacity && !grow(input)) {
        stop(input, ANL_ERR_MEMORY);
        return;
    }
    size_t count = fread(input->bytes + input->end, 1, input->capacity - input->end, input->file);
    input->end += count;
    if (count == 0 && ferror(input->file)) stop(input, ANL_ERR_IO);
    if (count == 0) input->ended = true;
}

size_t anl_input_need(struct anl_input *input, size_t wanted)
{
    while (input->end - input->begin < wanted && !input->ended)
        read_more(input);
    return input->end - input->begin;
}

void anl_input_skip(struct anl_input *input, size_t bytes)
{
    assert(bytes <= input->end - input->begin);
    input->begin += bytes;
    input->offset += bytes;
}

size_t anl_input_line(struct anl_input *input, size_t limit)
{
    for (size_t searched = 0; searched < limit;) {
        size_t there = anl_input_need(input, searched + 1);
        if (there > limit) there = limit;
        if (there <= searched) return 0;
        const uint8_t *from = input->bytes + input->begin;
        const uint8_t *newline = memchr(from + searched, '\n', there - searched);
        if (newline) return (size_t)(newline - from) + 1;
        searched = there;
    }
    return 0;
}
