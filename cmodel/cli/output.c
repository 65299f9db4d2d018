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

enum anl_status output_open(const char *path, struct output *output, struct anl_error *error)
{
    struct stat there;
    *output = (struct output){0};
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return anl_fail(error, ANL_ERR_IO, path, 0, "cannot write: not an ordinary file");
    const size_t size = strlen(path) + sizeof ".tmp";
    output->path = strdup(path);
    output->temporary = malloc(size);
    if (output->path && output->temporary) {
        snprintf(output->temporary, size, "%s.tmp", path);
        output->file = fopen(output->temporary, "w");
        if (output->file) return ANL_OK;
    }
    const enum anl_status status = cannot_write(path, error);
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
