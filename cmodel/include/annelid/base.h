// SPDX-License-Identifier: Apache-2.0
//
// What every room uses: the version, status codes and error messages, output files that appear only
// when they are whole, state as bytes, and random generators.

#ifndef ANNELID_BASE_H
#define ANNELID_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- version ---
//
// This is the one place that says which version this is; make reads it here. A version has the same
// major number as another if a program that was made for the older one runs with the newer one. As
// long as the major number is 0, the minor number has this meaning.

#define ANL_VERSION_MAJOR 0
#define ANL_VERSION_MINOR 1
#define ANL_VERSION_PATCH 0

#define ANL_TEXT_OF_(number) #number
#define ANL_VERSION_TEXT_(major, minor, patch)                                                     \
    ANL_TEXT_OF_(major) "." ANL_TEXT_OF_(minor) "." ANL_TEXT_OF_(patch)
// The version of this header as a text, "0.1.0".
#define ANL_VERSION ANL_VERSION_TEXT_(ANL_VERSION_MAJOR, ANL_VERSION_MINOR, ANL_VERSION_PATCH)
// The same as a number that the preprocessor can compare: 100 for 0.1.0, 20304 for 2.3.4.
#define ANL_VERSION_NUMBER (ANL_VERSION_MAJOR * 10000 + ANL_VERSION_MINOR * 100 + ANL_VERSION_PATCH)

// Returns the version of the library that the program runs with, a constant text like ANL_VERSION.
const char *anl_version(void);

// --- status and errors ---

enum anl_status {
    ANL_OK = 0,
    ANL_ERR_ARGUMENT =
        -1,               // a value is out of its documented range, or values contradict each other
    ANL_ERR_MEMORY = -2,  // allocation failed
    ANL_ERR_IO = -3,      // the system refused to read or write
    ANL_ERR_FORMAT = -4,  // the input is not what its format demands
    ANL_ERR_STALLED = -5,  // worms are in the network and no flit can move
};

// Says where and what went wrong. Plain data, owned by the caller; all strings are terminated.
struct anl_error {
    char file[256];   // path as the caller gave it, "" if none
    uint64_t line;    // 1-based line of a text file, 0 if unknown
    uint64_t offset;  // byte offset in a binary file, meaningful when line is 0
    char text[512];   // what was found and what was expected, one line, no newline
};

// Returns a short constant text for a status, never NULL.
const char *anl_status_text(enum anl_status status);

// Writes file, line and the message, formatted as by printf(), to *error and returns status. error
// may be NULL: then nothing is written.
enum anl_status anl_fail(struct anl_error *error, enum anl_status status, const char *file,
                         uint64_t line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Prints an error as "who: file:line: text", as far as file and line are known.
void anl_error_print(const struct anl_error *error, const char *who, FILE *out);

// --- what was probably meant ---

// Returns how many letters to insert, delete or replace, or neighbours to swap, make one text of
// the other; UINT_MAX if a text is too long for a name.
unsigned anl_letters_apart(const char *a, const char *b);

// Returns true if somebody who wrote one text has probably meant the other.
bool anl_resembles(const char *meant, const char *written);

// Returns "; fields are separated by commas, not by tabs" if the fields of a line are separated by
// tabs or semicolons, which is a constant text; else "".
const char *anl_separator_hint(const char *line, size_t bytes);

// --- words of a shell ---

// Prints a word, in quotes if a shell would read it as anything else.
void anl_print_word(FILE *out, const char *word);

// --- input files ---

// Opens a file for reading; "-" is standard input. Returns NULL, with the reason in errno, if it
// cannot. Standard input that is a file is read from its beginning each time; a pipe is empty the
// second time.
FILE *anl_input_open(const char *path);

// Protects the inputs of this process: from now on anl_output_open() and anl_output_finish() refuse
// to replace a regular file that is at one of these paths now, or that anl_input_open() opens
// later. Programs that obey one command call it; a program that reads a file in order to replace it
// does not. Returns ANL_OK or ANL_ERR_MEMORY.
enum anl_status anl_input_protect(char *const *paths, size_t count);

// Returns the text behind a byte order mark, with which some editors begin UTF-8, and makes *bytes
// smaller by it; text itself if there is none.
const char *anl_skip_mark(const char *text, size_t *bytes);

// Makes the ends of lines in a text LF, which may be CR LF, or CR alone as of old Macintoshes.
// Returns how many bytes are left; those that are not become zeros.
size_t anl_unify_line_ends(char *text, size_t bytes);

// --- output files ---
//
// A file is written under a temporary name that no other file has, and is renamed when it is
// complete, so that its own name never stands for half a file. Several processes may write to one
// path at once: each leaves a whole file, and the last rename wins. A link stays one: the file to
// which it leads is replaced.
//
// What is no regular file is written directly: "-", which is standard output, "/dev/stdout",
// "/dev/fd/5" and the like, a pipe with a name, a terminal.

struct anl_output {
    FILE *file;                // NULL: no file is open
    char *path;                // as it was given
    char *target, *temporary;  // behind links, and beside that; NULL if path is written directly
};

// Opens a temporary file beside path, or what is at path if that is no regular file. Returns
// ANL_OK; ANL_ERR_IO if the file cannot be created, or if path is a protected input
// (anl_input_protect()), a directory, a disk, or a link that leads nowhere; ANL_ERR_MEMORY. On
// failure *output is empty.
enum anl_status anl_output_open(const char *path, struct anl_output *output,
                                struct anl_error *error);

// Closes the file and renames it to path, unless it was written directly. Returns ANL_OK;
// ANL_ERR_IO if a write, the close or the rename failed, or if path has become a protected input
// since it was opened, and then the temporary file is removed.
// Frees and empties *output in both cases.
enum anl_status anl_output_finish(struct anl_output *output, struct anl_error *error);

// Removes the temporary file, if one is open, and empties *output.
void anl_output_abandon(struct anl_output *output);

// Removes the temporary files that are open, of a process that is about to end: no output can be
// opened from then on. A handler of signals may call it, in any thread.
void anl_output_remove_all(void);

// --- state as bytes ---
//
// A function that packs a struct names its fields; the same function unpacks it, so what is written
// and what is read cannot differ. Numbers have their low byte first. After a failure nothing more
// is packed, and all that is unpacked is 0.

struct anl_pack {
    uint8_t *bytes;       // packing: what was packed, of anl_pack_free()
    const uint8_t *from;  // unpacking: the bytes that are left; NULL: packing
    size_t count, room;   // of bytes, or that are left
    bool failed;          // memory ran out; or there were too few bytes, or they make no sense
};

// Packs or unpacks a number of 1, 2, 4 or 8 bytes: a variable or a field, but no bool.
#define ANL_PACK(pack, number) anl_pack_number((pack), &(number), sizeof(number))
void anl_pack_number(struct anl_pack *pack, void *number, size_t bytes);
// Does the same of a number below `end`; another one makes no sense.
#define ANL_PACK_BELOW(pack, number, end)                                                          \
    (ANL_PACK((pack), (number)), anl_pack_expect((pack), (number) < (end)) ? 0 : ((number) = 0))
// Pack or unpack a truth value, as a byte that is 0 or 1, and so many bytes as they are.
void anl_pack_bool(struct anl_pack *pack, bool *truth);
void anl_pack_bytes(struct anl_pack *pack, void *bytes, size_t count);

// Notes that what was unpacked makes no sense, unless it is right. Returns right.
bool anl_pack_expect(struct anl_pack *pack, bool right);
// Takes bytes off the front of what is left, and returns a pack that unpacks them; it has none if
// there are too few. They stay where they are.
struct anl_pack anl_pack_take(struct anl_pack *pack, size_t count);
// Frees what was packed.
void anl_pack_free(struct anl_pack *pack);

// --- random generators, defined in docs/random.md ---

// Returns mix(z) of docs/random.md, a 64-bit hash.
uint64_t anl_mix(uint64_t z);

// Returns mix32(z) of docs/random.md: another 32-bit number for each z.
uint32_t anl_mix32(uint32_t z);

// Returns the z whose mix32 is given.
uint32_t anl_unmix32(uint32_t mixed);

// Returns the state that follows state in the generator of a switch (xorshift32); state must not be
// 0.
uint32_t anl_xorshift32(uint32_t state);

// Returns the initial state of the generator of a switch in a run with this seed; it is never 0.
uint32_t anl_switch_seed(uint64_t seed, uint32_t switch_);

// The generator of traffic, xoshiro256**. Plain data; two generators share nothing.
struct anl_rng {
    uint64_t s[4];
};

// Returns the generator of one stream of a run. Streams 0 … T - 1 belong to the terminals and
// stream T to patterns, where T is the number of terminals.
struct anl_rng anl_rng_seed(uint64_t seed, uint32_t stream);
// Returns the next 64 bits.
uint64_t anl_rng_next(struct anl_rng *rng);
// Returns a number in 0..bound-1, each with exactly the same probability; bound >= 1.
uint32_t anl_rng_below(struct anl_rng *rng, uint32_t bound);
// Returns a number in [0, 1), a multiple of 2^-53.
double anl_rng_unit(struct anl_rng *rng);

#ifdef __cplusplus
}
#endif

#endif
