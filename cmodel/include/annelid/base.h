// SPDX-License-Identifier: Apache-2.0
//
// What every room stands on: status codes and error messages, files that appear whole, random
// generators.

#ifndef ANNELID_BASE_H
#define ANNELID_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- status and errors ---

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

// --- files that appear whole ---
//
// A file is written under a name that nobody has and renamed at the end, so that it appears under
// its own name only when it is whole. Several processes may write to one path at once; each leaves
// a whole file, and the last one stays.

struct anl_output {
    FILE *file;  // NULL: none is open
    char *path, *temporary;
};

// Opens a new file beside path. input: what is being read, which must not be replaced; may be NULL.
// ANL_ERR_IO, also if path is the input or something other than an ordinary file, which the rename
// would replace; ANL_ERR_MEMORY. *output is then empty.
enum anl_status anl_output_open(const char *path, const char *input, struct anl_output *output,
                                struct anl_error *error);

// Closes the file and renames it to path; ANL_ERR_IO if not all of it could be written: then it is
// removed. *output is empty after it.
enum anl_status anl_output_finish(struct anl_output *output, struct anl_error *error);

// Removes the file, if there is one. *output is empty after it.
void anl_output_abandon(struct anl_output *output);

// --- random generators, defined in docs/random.md ---

// The 64-bit mix of docs/random.md.
uint64_t anl_mix(uint64_t z);

// One step of the generator inside a switch; state must not be 0.
uint32_t anl_xorshift32(uint32_t state);

// Initial state of the generator of a switch in a run with this seed; never 0.
uint32_t anl_switch_seed(uint64_t seed, uint32_t switch_);

// xoshiro256**, for traffic. Plain data; separate generators share nothing.
struct anl_rng {
    uint64_t s[4];
};

struct anl_rng anl_rng_seed(uint64_t seed, uint32_t stream);
uint64_t anl_rng_next(struct anl_rng *rng);
// Uniform in 0..bound-1, exact; bound >= 1.
uint32_t anl_rng_below(struct anl_rng *rng, uint32_t bound);
// Uniform in [0, 1), 53 bits.
double anl_rng_unit(struct anl_rng *rng);

#ifdef __cplusplus
}
#endif

#endif
