// SPDX-License-Identifier: Apache-2.0
//
// Makes an FST file of a VCD file, with the programs of GTKWave. They serve all versions of
// Verilator: the library that came with older ones is gone, and the writer that comes with newer
// ones takes no texts (docs/waves.md).

#include "wave_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int start(const char *const arguments[], pid_t *process)
{
    posix_spawn_file_actions_t actions;
    int refused = posix_spawn_file_actions_init(&actions);
    if (refused) return refused;
    for (int file = STDOUT_FILENO; file <= STDERR_FILENO && !refused; file++)
        refused = posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_WRONLY, 0);
    if (!refused)
        refused =
            posix_spawnp(process, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return refused;
}

// Runs a program of GTKWave without its words. ANL_ERR_IO.
static enum anl_status run(const char *const arguments[], const char *path, struct anl_error *error)
{
    pid_t process;
    int end = 0;
    const int refused = start(arguments, &process);
    if (refused == ENOENT)
        return anl_fail(error, ANL_ERR_IO, path, 0, "needs the program %s of GTKWave",
                        arguments[0]);
    while (!refused && waitpid(process, &end, 0) < 0 && errno == EINTR)
        ;
    if (refused || end != 0)
        return anl_fail(error, ANL_ERR_IO, path, 0, "cannot be written: %s failed", arguments[0]);
    return ANL_OK;
}

// Returns a number of 8 bytes, the highest first.
static uint64_t number_at(const unsigned char *byte)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number = number << 8 | byte[i];
    return number;
}

// Returns true if a file consists of whole blocks, among them those that every FST file has, and
// its waves end at a time or later. A block begins with its kind and the number of bytes that
// follow the kind; a header goes on with the times of begin and end.
static bool is_whole(FILE *file, uint64_t end)
{
    // Bits of the kinds; declarations and changes may be packed in three ways.
    enum { HEADER = 1 << 0, GEOMETRY = 1 << 3, DECLARED = 0xd0, CHANGED = 0x122, KINDS = 9 };
    unsigned char byte[25];
    unsigned seen = 0;
    fseek(file, 0, SEEK_END);
    const uint64_t size = (uint64_t)ftell(file);
    uint64_t at = 0;
    while (at < size) {
        const uint64_t left = size - at;
        if (left < sizeof byte || fseek(file, (long)at, SEEK_SET) != 0 ||
            fread(byte, sizeof byte, 1, file) != 1)
            return false;
        const uint64_t bytes = number_at(byte + 1);
        if (byte[0] >= KINDS || bytes < 8 || bytes >= left) return false;
        if (byte[0] == 0 && number_at(byte + 17) < end) return false;
        seen |= 1u << byte[0];
        at += 1 + bytes;
    }
    return seen & HEADER && seen & GEOMETRY && seen & DECLARED && seen & CHANGED;
}

enum anl_status wave_fst(const char *vcd, const char *fst, uint64_t end, struct anl_error *error)
{
    const char *const arguments[] = {"vcd2fst", "-v", vcd, "-f", fst, NULL};
    const enum anl_status status = run(arguments, fst, error);
    if (status != ANL_OK) return status;
    FILE *file = fopen(fst, "rb");
    const bool whole = file && is_whole(file, end);  // vcd2fst does not report a full disk
    if (file) fclose(file);
    return whole ? ANL_OK : anl_fail(error, ANL_ERR_IO, fst, 0, "cannot be written");
}
