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
static enum anl_status draw(const struct gnuplot *drawing, FILE *in, int out, int complaints,
                            char **svg, struct anl_error *error)
{
    char name[] = "gnuplot", defaults[] = "-d";
    char *const arguments[] = {name, defaults, NULL};
    struct child child = {.arguments = arguments,
                          .directory = drawing->directory,
                          .in = fileno(in),
                          .out = out,
                          .complaints = complaints};
    drawing->script(drawing->user, in);
    if (fflush(in) != 0 || ferror(in) || lseek(child.in, 0, SEEK_SET) != 0)
        return cannot_draw(drawing->path, error);
    const enum anl_status status = run(&child, drawing->path, error);
    if (status) return status;
    *svg = text_of(out);
    if (*svg && strstr(*svg, "<g id=\"gnuplot_canvas\">") && strstr(*svg, "</svg>")) return ANL_OK;
    free(*svg);
    *svg = NULL;
    return anl_fail(error, ANL_ERR_IO, drawing->path, 0, "gnuplot left no picture");
}

static FILE *in_memory(const char *name)
{
    const int file = memfd_create(name, MFD_CLOEXEC);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w+");
    if (file >= 0 && !stream) close(file);
    return stream;
}

enum anl_status gnuplot_draw(const struct gnuplot *drawing, char **svg, struct anl_error *error)
{
    FILE *files[] = {in_memory("script"), in_memory("picture"), in_memory("complaints")};
    *svg = NULL;
    const enum anl_status status =
        files[0] && files[1] && files[2]
            ? draw(drawing, files[0], fileno(files[1]), fileno(files[2]), svg, error)
            : cannot_draw(drawing->path, error);
    for (int i = 0; i < 3; i++)
        if (files[i]) fclose(files[i]);
    return status;
}
