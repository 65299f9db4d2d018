// SPDX-License-Identifier: Apache-2.0

#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int start(const struct child *child, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    int refused = posix_spawn_file_actions_init(&actions);
    if (refused) return refused;
    refused = posix_spawn_file_actions_adddup2(&actions, child->in, STDIN_FILENO);
    if (!refused) refused = posix_spawn_file_actions_adddup2(&actions, child->out, STDOUT_FILENO);
    if (!refused && child->complaints >= 0)
        refused = posix_spawn_file_actions_adddup2(&actions, child->complaints, STDERR_FILENO);
    if (!refused && child->directory)
        refused = posix_spawn_file_actions_addchdir_np(&actions, child->directory);
    if (!refused)
        refused =
            posix_spawnp(process, child->arguments[0], &actions, NULL, child->arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return refused;
}

static enum child_end run_to_its_end(struct child *child)
{
    pid_t process;
    int end;
    child->reason = start(child, &process);
    if (child->reason) return CHILD_ABSENT;
    // An interrupt just before a blocking wait would not end it, so the child is polled.
    const struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
    for (pid_t ended; (ended = waitpid(process, &end, WNOHANG)) != process;
         nanosleep(&pause, NULL)) {
        child->reason = errno;
        if (ended < 0 && errno != EINTR) return CHILD_ABSENT;
        if (cli_interrupted()) kill(process, SIGTERM);
    }
    if (cli_interrupted()) return CHILD_INTERRUPTED;
    child->kind = WIFEXITED(end) ? "exit status" : "signal";
    child->reason = WIFEXITED(end) ? WEXITSTATUS(end) : WTERMSIG(end);
    return WIFEXITED(end) && child->reason == 0 ? CHILD_DONE : CHILD_FAILED;
}

enum child_end child_run(struct child *child)
{
    struct sigaction at_interrupt, at_end;
    sigaction(SIGINT, NULL, &at_interrupt);
    sigaction(SIGTERM, NULL, &at_end);
    cli_catch_interrupt();  // which stops the child first
    const enum child_end end = run_to_its_end(child);
    if (cli_interrupted()) return end;
    sigaction(SIGINT, &at_interrupt, NULL);
    sigaction(SIGTERM, &at_end, NULL);
    return end;
}

int child_output_open(char *const *arguments, struct child_output *child)
{
    struct child started = {.arguments = arguments, .in = STDIN_FILENO, .complaints = -1};
    int ends[2];
    child->file = NULL;
    if (pipe2(ends, O_CLOEXEC)) return errno;
    started.out = ends[1];
    int refused = start(&started, &child->process);
    close(ends[1]);
    if (!refused && !(child->file = fdopen(ends[0], "r"))) refused = errno;
    if (!child->file) close(ends[0]);
    return refused;
}

bool child_output_close(struct child_output *child)
{
    int end = 0;
    if (!child->file) return true;
    if (!feof(child->file)) kill(child->process, SIGTERM);
    const bool alone = feof(child->file);
    fclose(child->file);
    child->file = NULL;
    while (waitpid(child->process, &end, 0) < 0 && errno == EINTR)
        ;
    return !alone || (WIFEXITED(end) && WEXITSTATUS(end) == 0);
}
