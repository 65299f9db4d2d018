// SPDX-License-Identifier: Apache-2.0
//
// Status codes and error messages of libannelid.
//
// Every function that can fail returns an enum anl_status: ANL_OK is 0, all errors are negative.
// Functions that read user input also fill a struct anl_error, which says where and what. The
// library never prints and never exits.

#ifndef ANNELID_STATUS_H
#define ANNELID_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum anl_status {
    ANL_OK = 0,
    ANL_ERR_ARGUMENT = -1,  // a value is out of its documented range, or values do not fit together
    ANL_ERR_MEMORY = -2,    // allocation failed
    ANL_ERR_IO = -3,        // the system refused to read or write
    ANL_ERR_FORMAT = -4,    // the input is not what its format demands
    ANL_ERR_STALLED = -5,   // worms are in the network and no flit can move
};

// Where and what went wrong. Plain data, owned by the caller; text is always terminated.
struct anl_error {
    char file[256];   // path as the caller gave it, "" if none
    uint64_t line;    // 1-based line of a text file, 0 if unknown
    uint64_t offset;  // byte offset in a binary file, meaningful when line is 0
    char text[512];   // what was found and what was expected, one line, no newline
};

// Short constant text for a status, never NULL.
const char *anl_status_text(enum anl_status status);

// Fills *error (which may be NULL: then nothing happens) and returns status. format is printf's.
enum anl_status anl_fail(struct anl_error *error, enum anl_status status, const char *file,
                         uint64_t line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#ifdef __cplusplus
}
#endif

#endif
