// SPDX-License-Identifier: Apache-2.0
//
// PNG is made of SVG by rsvg-convert, a child process that reads the one and writes the other.

#include "draw.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int start(int svg, int png, pid_t *child)
{
    char name[] = "rsvg-convert", unlimited[] = "--unlimited", form[] = "--format=png";
    char zoom[] = "--zoom=1.5";
    char *const arguments[] = {name, unlimited, form, zoom, NULL};
    posix_spawn_file_actions_t actions;
    int refused = posix_spawn_file_actions_init(&actions);
    if (refused) return refused;
    refused = posix_spawn_file_actions_adddup2(&actions, svg, STDIN_FILENO);
    if (!refused) refused = posix_spawn_file_actions_adddup2(&actions, png, STDOUT_FILENO);
    if (!refused) refused = posix_spawnp(child, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return refused;
}

enum anl_status draw_png(FILE *svg, FILE *png, const char *path, struct anl_error *error)
{
    pid_t child;
    int end;
    if (fflush(svg) != 0 || fseek(svg, 0, SEEK_SET) != 0 || lseek(fileno(svg), 0, SEEK_SET) != 0)
        return anl_fail(error, ANL_ERR_IO, path, 0, "cannot draw: %s", strerror(errno));
    const int refused = start(fileno(svg), fileno(png), &child);
    if (refused)
        return anl_fail(error, ANL_ERR_IO, path, 0,
                        "cannot run rsvg-convert, which makes PNG (%s): install Debian's "
                        "librsvg2-bin, or ask for .svg",
                        strerror(refused));
    while (waitpid(child, &end, 0) < 0)
        if (errno != EINTR)
            return anl_fail(error, ANL_ERR_IO, path, 0, "rsvg-convert: %s", strerror(errno));
    if (WIFEXITED(end) && WEXITSTATUS(end) == 0) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, path, 0, "rsvg-convert failed (%s %d); ask for .svg",
                    WIFEXITED(end) ? "exit status" : "signal",
                    WIFEXITED(end) ? WEXITSTATUS(end) : WTERMSIG(end));
}
