// SPDX-License-Identifier: Apache-2.0

#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static enum anl_status cannot_draw(const char *path, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_IO, path, 0, "cannot draw: %s", strerror(errno));
}

// Returns the contents of a file without blanks and line ends around them; the caller frees the
// text. NULL if there is no memory or the file cannot be read.
static char *text_of(int file)
{
    const off_t size = lseek(file, 0, SEEK_END);
    char *text = size < 0 ? NULL : calloc((size_t)size + 1, 1);
    if (!text || pread(file, text, (size_t)size, 0) != size) {
        free(text);
        return NULL;
    }
    size_t end = (size_t)size;
    while (end > 0 && strchr(" \t\n", text[end - 1]))
        text[--end] = '\0';
    return text;
}

// Fills *error with the reason, which is the last line that gnuplot printed.
static enum anl_status failed(const struct child *child, const char *path, struct anl_error *error)
{
    char *said = text_of(child->complaints);
    const char *line = said ? strrchr(said, '\n') : NULL;
    line = line ? line + 1 : said ? said : "";
    line += strspn(line, " \t");
    const enum anl_status status =
        anl_fail(error, ANL_ERR_IO, path, 0, "gnuplot failed (%s %d): %s", child->kind,
                 child->reason, *line ? line : "no reason");
    free(said);
    return status;
}

static enum anl_status run(struct child *child, const char *path, struct anl_error *error)
{
    switch (child_run(child)) {
    case CHILD_DONE:
        return ANL_OK;
    case CHILD_INTERRUPTED:
        return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted");
    case CHILD_FAILED:
        return failed(child, path, error);
    case CHILD_ABSENT:
        break;
    }
    return anl_fail(error, ANL_ERR_IO, path, 0,
                    "cannot run gnuplot, which draws curves (%s): install Debian's gnuplot-nox",
                    strerror(child->reason));
}

enum anl_status gnuplot_check(const char *path, struct anl_error *error)
{
    char name[] = "gnuplot", version[] = "--version";
    char *const arguments[] = {name, version, NULL};
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return cannot_draw(path, error);
    struct child child = {
        .arguments = arguments, .in = nothing, .out = nothing, .complaints = nothing};
    const enum anl_status status = run(&child, path, error);
    close(nothing);
    return status;
}

// Runs gnuplot between files in memory. Option -d makes it ignore the user's own settings.
static enum anl_status draw(const struct gnuplot *drawing, int in, int out, int complaints,
                            char **svg, struct anl_error *error)
{
    char name[] = "gnuplot", defaults[] = "-d";
    char *const arguments[] = {name, defaults, NULL};
    struct child child = {.arguments = arguments,
                          .directory = drawing->directory,
                          .in = in,
                          .out = out,
                          .complaints = complaints};
    if (write(in, drawing->script, drawing->bytes) != (ssize_t)drawing->bytes ||
        lseek(in, 0, SEEK_SET) != 0)
        return cannot_draw(drawing->path, error);
    const enum anl_status status = run(&child, drawing->path, error);
    if (status) return status;
    *svg = text_of(out);
    if (*svg && strstr(*svg, "<g id=\"gnuplot_canvas\">") && strstr(*svg, "</svg>")) return ANL_OK;
    free(*svg);
    *svg = NULL;
    return anl_fail(error, ANL_ERR_IO, drawing->path, 0, "gnuplot left no picture");
}

enum anl_status gnuplot_draw(const struct gnuplot *drawing, char **svg, struct anl_error *error)
{
    const int in = memfd_create("script", MFD_CLOEXEC);
    const int out = memfd_create("picture", MFD_CLOEXEC);
    const int complaints = memfd_create("complaints", MFD_CLOEXEC);
    *svg = NULL;
    const enum anl_status status = in < 0 || out < 0 || complaints < 0
                                       ? cannot_draw(drawing->path, error)
                                       : draw(drawing, in, out, complaints, svg, error);
    const int files[] = {in, out, complaints};
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0) close(files[i]);
    return status;
}
