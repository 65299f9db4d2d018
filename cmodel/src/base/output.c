// SPDX-License-Identifier: Apache-2.0

#define _XOPEN_SOURCE 700  // realpath()

#include "base.h"

#include <annelid/base.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TRIES = 10000, SUFFIX_BYTES = 48 };

static enum anl_status cannot_write(const char *path, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_IO, path, 0, "cannot write: %s", strerror(errno));
}

// --- which temporary files are there ---

enum { MOST_NOTED = 64 };  // a command writes no more files at once
static _Atomic(const char *) noted[MOST_NOTED];
_Static_assert(ATOMIC_POINTER_LOCK_FREE == 2, "a handler of signals reads it");

// Held while a file comes to be and its name is not yet noted, with signals blocked in that thread:
// a handler runs in another one, waits until the name is there, and keeps it until the process
// ends.
static atomic_flag creating = ATOMIC_FLAG_INIT;

static void hold(void)
{
    while (atomic_flag_test_and_set(&creating))
        continue;
}

// Puts one name in the place of another; NULL: none.
static void note(const char *before, const char *after)
{
    for (size_t i = 0; i < MOST_NOTED; i++) {
        const char *expected = before;
        if (atomic_compare_exchange_strong(&noted[i], &expected, after)) return;
    }
}

void anl_output_remove_all(void)
{
    hold();
    for (size_t i = 0; i < MOST_NOTED; i++) {
        const char *temporary = atomic_load(&noted[i]);
        if (temporary) unlink(temporary);
    }
}

static void forget(struct anl_output *output)
{
    if (output->temporary) note(output->temporary, NULL);
    free(output->path);
    free(output->target);
    free(output->temporary);
    *output = (struct anl_output){0};
}

// Refuses a path at which an input would be replaced.
static enum anl_status check_input(const char *path, struct anl_error *error)
{
    struct stat there;
    if (stat(path, &there) != 0 || !base_is_input(&there)) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, path, 0, "cannot write: it is the input");
}

// Refuses a directory and a disk, too.
static enum anl_status check_target(const char *path, struct anl_error *error)
{
    struct stat there;
    if (stat(path, &there) == 0 && (S_ISDIR(there.st_mode) || S_ISBLK(there.st_mode)))
        return anl_fail(error, ANL_ERR_IO, path, 0, "cannot write: not an ordinary file");
    return check_input(path, error);
}

// Creates a file that was not there, and notes its name. Returns its descriptor, or -1.
static int create_noted(const char *path)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    hold();
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), reason = errno;
    if (file >= 0) note(NULL, path);
    atomic_flag_clear(&creating);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return file;
}

// Creates a file that did not exist before, even if other processes try the same names. Returns
// NULL with errno set on failure.
static FILE *create(struct anl_output *output, size_t size)
{
    int file = -1;
    for (int i = 0; i < MOST_TRIES && file < 0; i++) {
        snprintf(output->temporary, size, "%s.%ld-%d.tmp", output->target, (long)getpid(), i);
        file = create_noted(output->temporary);
        if (file < 0 && errno != EEXIST) return NULL;
    }
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    if (stream || file < 0) return stream;
    const int reason = errno;
    close(file);
    unlink(output->temporary);
    errno = reason;
    return NULL;
}

// --- what is written directly ---

// Returns the number of the descriptor that a path names, or -1.
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    int number, end = 0;
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) != 0) continue;
        if (sscanf(path + length, "%d%n", &number, &end) == 1 && !path[length + (size_t)end])
            return number;
    }
    return -1;
}

static bool is_direct(const char *path)
{
    struct stat there;
    if (descriptor_of(path) >= 0) return true;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode) &&
           !S_ISBLK(there.st_mode);
}

// Opens it so that others who write there too do not overwrite each other.
static FILE *open_direct(const char *path)
{
    const int named = descriptor_of(path);
    const int file = named >= 0 ? fcntl(named, F_DUPFD_CLOEXEC, 0)
                                : open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    if (!stream && file >= 0) close(file);
    return stream;
}

// Returns the path of the file itself, to be freed, if links lead to it, so that they stay; NULL
// with errno set if they lead nowhere, or without memory.
static char *behind_links(const char *path)
{
    struct stat there;
    const bool is_link = lstat(path, &there) == 0 && S_ISLNK(there.st_mode);
    return is_link ? realpath(path, NULL) : strdup(path);
}

// Opens the temporary file. Returns NULL with errno set on failure.
static FILE *open_temporary(struct anl_output *output)
{
    output->target = behind_links(output->path);
    if (!output->target) return NULL;
    const size_t size = strlen(output->target) + SUFFIX_BYTES;
    output->temporary = malloc(size);
    return output->temporary ? create(output, size) : NULL;
}

enum anl_status anl_output_open(const char *path, struct anl_output *output,
                                struct anl_error *error)
{
    *output = (struct anl_output){0};
    const bool direct = is_direct(path);
    enum anl_status status = direct ? ANL_OK : check_target(path, error);
    if (status) return status;
    output->path = strdup(path);
    if (output->path) output->file = direct ? open_direct(path) : open_temporary(output);
    if (output->file) return ANL_OK;
    status = errno == ENOMEM
                 ? anl_fail(error, ANL_ERR_MEMORY, path, 0, "cannot write: out of memory")
                 : cannot_write(path, error);
    forget(output);
    return status;
}

// Closes the file. Returns false, with the reason in errno, if any write failed. An earlier failure
// left only a mark, not its reason: writing one more byte fails for the same reason and sets errno.
static bool close_whole(struct anl_output *output)
{
    int reason = 0;
    if (ferror(output->file)) reason = write(fileno(output->file), "", 1) < 0 ? errno : EIO;
    if (fclose(output->file) != 0 && !reason) reason = errno;
    errno = reason;
    return !reason;
}

// Asks again which files are inputs, because some were perhaps read after the output was opened.
static enum anl_status put_in_place(const struct anl_output *output, struct anl_error *error)
{
    const enum anl_status status = check_input(output->path, error);
    if (status) return status;
    return rename(output->temporary, output->target) ? cannot_write(output->path, error) : ANL_OK;
}

enum anl_status anl_output_finish(struct anl_output *output, struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    if (!close_whole(output))
        status = cannot_write(output->path, error);
    else if (output->temporary)
        status = put_in_place(output, error);
    if (status && output->temporary) unlink(output->temporary);
    forget(output);
    return status;
}

void anl_output_abandon(struct anl_output *output)
{
    if (!output->file) return;
    fclose(output->file);
    if (output->temporary) unlink(output->temporary);
    forget(output);
}
