// SPDX-License-Identifier: Apache-2.0
//
// weigh COMMAND...: runs the command, and prints as a last line of JSON what it cost: CPU time of
// user and system together, elapsed time, largest resident size, and how it ended. It is a program
// of its own, and a small one, because the kernel counts the size of a parent into that of a child.

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANNOT_START = 127, BAD_USAGE = 2, BYTES_OF_A_UNIT = 1024 };

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void run(char **command)
{
    execvp(command[0], command);
    fprintf(stderr, "%s: %s\n", command[0], strerror(errno));
    _exit(CANNOT_START);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int print(int status, const struct rusage *usage, double passed)
{
    printf("{\"cpu_seconds\": %.6f, \"wall_seconds\": %.6f, \"peak_bytes\": %ld, \"status\": %d, "
           "\"signal\": %d}\n",
           seconds(usage->ru_utime) + seconds(usage->ru_stime), passed,
           usage->ru_maxrss * BYTES_OF_A_UNIT, WIFEXITED(status) ? WEXITSTATUS(status) : -1,
           WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return fflush(stdout) ? 1 : 0;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;
    if (argc < 2) {
        fputs("usage: weigh COMMAND [ARGUMENT...]\n", stderr);
        return BAD_USAGE;
    }
    const double begin = now();
    const pid_t child = fork();
    if (child == 0) run(argv + 1);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("weigh");
        return 1;
    }
    return print(status, &usage, now() - begin);
}
