// SPDX-License-Identifier: Apache-2.0
//
// PNG is made of SVG by rsvg-convert, a child process that reads the one and writes the other.

#include "draw.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static enum anl_status cannot_draw(const char *path, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_IO, path, 0, "cannot draw: %s", strerror(errno));
}

static int start(char *const *arguments, int in, int out, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int refused = posix_spawn_file_actions_init(&actions);
    if (refused) return refused;
    refused = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!refused) refused = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!refused) refused = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return refused;
}

// Ctrl-C stops the child as well.
static enum anl_status wait_for(pid_t child, const char *path, struct anl_error *error)
{
    int end;
    while (waitpid(child, &end, 0) < 0) {
        if (errno != EINTR) return cannot_draw(path, error);
        if (cli_interrupted()) kill(child, SIGTERM);
    }
    if (cli_interrupted()) return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted");
    if (WIFEXITED(end) && WEXITSTATUS(end) == 0) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, path, 0, "rsvg-convert failed (%s %d); ask for .svg",
                    WIFEXITED(end) ? "exit status" : "signal",
                    WIFEXITED(end) ? WEXITSTATUS(end) : WTERMSIG(end));
}

static enum anl_status run(char *const *arguments, int in, int out, const char *path,
                           struct anl_error *error)
{
    pid_t child;
    const int refused = start(arguments, in, out, &child);
    if (!refused) return wait_for(child, path, error);
    return anl_fail(error, ANL_ERR_IO, path, 0,
                    "cannot run rsvg-convert, which makes PNG (%s): install Debian's "
                    "librsvg2-bin, or ask for .svg",
                    strerror(refused));
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
