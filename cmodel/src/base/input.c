// SPDX-License-Identifier: Apache-2.0

#include "base.h"

#include <annelid/base.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- which files are inputs ---

struct id {
    dev_t device;
    ino_t inode;
};

static struct {
    pthread_mutex_t lock;
    bool on;           // files that are opened are noted
    struct id *files;  // [count]
    size_t count;
} inputs = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_noted(const struct stat *file)
{
    for (size_t i = 0; i < inputs.count; i++)
        if (inputs.files[i].device == file->st_dev && inputs.files[i].inode == file->st_ino)
            return true;
    return false;
}

bool base_is_input(const struct stat *file)
{
    pthread_mutex_lock(&inputs.lock);
    const bool is = is_noted(file);
    pthread_mutex_unlock(&inputs.lock);
    return is;
}

// Returns false if there is no memory.
static bool note(const struct stat *file)
{
    if (!S_ISREG(file->st_mode) || is_noted(file)) return true;
    struct id *files = realloc(inputs.files, (inputs.count + 1) * sizeof *files);
    if (!files) return false;
    inputs.files = files;
    files[inputs.count++] = (struct id){file->st_dev, file->st_ino};
    return true;
}

enum anl_status anl_input_protect(char *const *paths, size_t count)
{
    struct stat file;
    bool noted = true;
    pthread_mutex_lock(&inputs.lock);
    inputs.on = true;
    for (size_t i = 0; i < count && noted; i++)
        if (stat(paths[i], &file) == 0) noted = note(&file);
    pthread_mutex_unlock(&inputs.lock);
    return noted ? ANL_OK : ANL_ERR_MEMORY;
}

// Closes the file and returns NULL if there is no memory to note it.
static FILE *noted(FILE *file)
{
    struct stat there;
    bool is = true;
    if (!file || fstat(fileno(file), &there) != 0) return file;
    pthread_mutex_lock(&inputs.lock);
    if (inputs.on) is = note(&there);
    pthread_mutex_unlock(&inputs.lock);
    if (is) return file;
    fclose(file);
    errno = ENOMEM;
    return NULL;
}

// --- opening ---

static FILE *open_path(const char *path)
{
    if (strcmp(path, "-") != 0) return fopen(path, "rb");
    FILE *file = fopen("/dev/stdin", "rb");
    if (file) return file;
    const int copy =
        fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);  // of a socket, which cannot be opened
    return copy < 0 ? NULL : fdopen(copy, "rb");
}

FILE *anl_input_open(const char *path) { return noted(open_path(path)); }

const char *anl_skip_mark(const char *text, size_t *bytes)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t length = sizeof mark - 1;
    if (*bytes < length || memcmp(text, mark, length) != 0) return text;
    *bytes -= length;
    return text + length;
}

size_t anl_unify_line_ends(char *text, size_t bytes)
{
    const char *const end = text + bytes;
    char *to = memchr(text, '\r', bytes);
    if (!to) return bytes;
    for (const char *from = to; from < end; from++)
        if (*from != '\r')
            *to++ = *from;
        else if (from + 1 == end || from[1] != '\n')
            *to++ = '\n';
    memset(to, 0, (size_t)(end - to));
    return (size_t)(to - text);
}
