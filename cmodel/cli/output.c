// SPDX-License-Identifier: Apache-2.0

#include "output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum anl_status cannot_write(const char *path, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_IO, path, 0, "cannot write: %s", strerror(errno));
}

static void forget(struct output *output)
{
    free(output->path);
    free(output->temporary);
    *output = (struct output){0};
}

// The rename would take away what stands at path.
static enum anl_status check_target(const char *path, const char *input, struct anl_error *error)
{
    struct stat there, read;
    if (stat(path, &there) != 0) return ANL_OK;
    if (!S_ISREG(there.st_mode))
        return anl_fail(error, ANL_ERR_IO, path, 0, "cannot write: not an ordinary file");
    if (stat(input, &read) == 0 && read.st_dev == there.st_dev && read.st_ino == there.st_ino)
        return anl_fail(error, ANL_ERR_IO, path, 0, "cannot write: it is the input");
    return ANL_OK;
}

// mkstemp() lets nobody else read the file; one that a command leaves is as any other.
static bool let_others_read(int file)
{
    const mode_t mask = umask(0);
    umask(mask);
    return fchmod(file, 0666 & ~mask) == 0;
}

static FILE *create(char *temporary)
{
    const int file = mkstemp(temporary);
    if (file < 0) return NULL;
    FILE *stream = let_others_read(file) ? fdopen(file, "w") : NULL;
    if (stream) return stream;
    const int reason = errno;
    close(file);
    unlink(temporary);
    errno = reason;
    return NULL;
}

enum anl_status output_open(const char *path, const char *input, struct output *output,
                            struct anl_error *error)
{
    *output = (struct output){0};
    enum anl_status status = check_target(path, input, error);
    if (status) return status;
    const size_t size = strlen(path) + sizeof ".XXXXXX";
    output->path = strdup(path);
    output->temporary = malloc(size);
    if (output->path && output->temporary) {
        snprintf(output->temporary, size, "%s.XXXXXX", path);
        output->file = create(output->temporary);
        if (output->file) return ANL_OK;
    }
    status = cannot_write(path, error);
    forget(output);
    return status;
}

enum anl_status output_finish(struct output *output, struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    const bool lost = ferror(output->file) != 0;
    if (fclose(output->file) != 0 || lost || rename(output->temporary, output->path) != 0) {
        status = cannot_write(output->path, error);
        unlink(output->temporary);
    }
    forget(output);
    return status;
}

void output_abandon(struct output *output)
{
    if (!output->file) return;
    fclose(output->file);
    unlink(output->temporary);
    forget(output);
}
