// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a trace, from a file or from memory, through one window that grows only with what was
// really read.

#ifndef ANL_TRACE_INPUT_H
#define ANL_TRACE_INPUT_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct anl_input {
    FILE *file;  // NULL: everything is in the window
    uint8_t *bytes;
    size_t begin, end, capacity;  // of the window
    uint64_t offset;              // in the file, of bytes[begin]
    bool ended;                   // nothing comes after the window
    enum anl_status status;       // ANL_ERR_IO or ANL_ERR_MEMORY: why it ended early
    int cause;                    // errno of ANL_ERR_IO
};

// input is all zero before. On failure status and cause say why.
enum anl_status anl_input_file(struct anl_input *input, const char *path);
enum anl_status anl_input_memory(struct anl_input *input, const void *bytes, size_t size);
void anl_input_close(struct anl_input *input);

// Brings at least wanted bytes into the window, fewer only at the end of the input. Returns how
// many are there, from bytes[begin].
size_t anl_input_need(struct anl_input *input, size_t wanted);

// Steps over bytes of the window.
void anl_input_skip(struct anl_input *input, size_t bytes);

// Length of the next line with its newline, which stands at bytes[begin] afterwards; 0 if no
// newline is found in the next limit bytes.
size_t anl_input_line(struct anl_input *input, size_t limit);

#endif
