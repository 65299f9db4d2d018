// SPDX-License-Identifier: Apache-2.0
//
// PNG is made of SVG by rsvg-convert, a child process that reads the one and writes the other.

#include "draw.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static enum anl_status cannot_draw(const char *path, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_IO, path, 0, "cannot draw: %s", strerror(errno));
}

static enum anl_status run(char *const *arguments, int in, int out, const char *path,
                           struct anl_error *error)
{
    struct child child = {.arguments = arguments, .in = in, .out = out, .complaints = -1};
    switch (child_run(&child)) {
    case CHILD_DONE:
        return ANL_OK;
    case CHILD_INTERRUPTED:
        return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted");
    case CHILD_FAILED:
        return anl_fail(error, ANL_ERR_IO, path, 0, "rsvg-convert failed (%s %d); ask for .svg",
                        child.kind, child.reason);
    case CHILD_ABSENT:
        break;
    }
    return anl_fail(error, ANL_ERR_IO, path, 0,
                    "cannot run rsvg-convert, which makes PNG (%s): install Debian's "
                    "librsvg2-bin, or ask for .svg",
                    strerror(child.reason));
}

enum anl_status draw_png_check(const char *path, struct anl_error *error)
{
    char name[] = "rsvg-convert", version[] = "--version";
    char *const arguments[] = {name, version, NULL};
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return cannot_draw(path, error);
    const enum anl_status status = run(arguments, nothing, nothing, path, error);
    close(nothing);
    return status;
}

enum anl_status draw_png(FILE *svg, FILE *png, const char *path, struct anl_error *error)
{
    char name[] = "rsvg-convert", unlimited[] = "--unlimited", form[] = "--format=png";
    char zoom[] = "--zoom=1.5";
    char *const arguments[] = {name, unlimited, form, zoom, NULL};
    if (ferror(svg))
        return anl_fail(error, ANL_ERR_IO, path, 0,
                        "cannot draw: no room for its SVG in the directory of temporary files");
    if (fflush(svg) != 0 || fseek(svg, 0, SEEK_SET) != 0 || lseek(fileno(svg), 0, SEEK_SET) != 0)
        return cannot_draw(path, error);
    return run(arguments, fileno(svg), fileno(png), path, error);
}
