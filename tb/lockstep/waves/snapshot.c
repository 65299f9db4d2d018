// SPDX-License-Identifier: Apache-2.0

#define _DEFAULT_SOURCE  // for MAP_ANONYMOUS

#include "snapshot.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct sleeper {
    uint64_t cycle;
    pid_t process;
    int wake;  // a byte written here wakes the copy; when it is closed, the copy ends
    int done;  // a byte read here is the exit status of the process that the copy made
};

struct snapshots {
    size_t most, count;
    uint64_t distance;
    void *shared;
    size_t shared_bytes;
    struct sleeper sleeper[];  // ascending by cycle
};

enum anl_status snapshots_create(size_t most, uint64_t distance, size_t shared_bytes,
                                 struct snapshots **snapshots)
{
    *snapshots = NULL;
    struct snapshots *made = calloc(1, sizeof *made + most * sizeof *made->sleeper);
    if (!made) return ANL_ERR_MEMORY;
    made->most = most;
    made->distance = distance;
    made->shared_bytes = shared_bytes;
    made->shared =
        mmap(NULL, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (made->shared == MAP_FAILED) {
        free(made);
        return ANL_ERR_MEMORY;
    }
    *snapshots = made;
    return ANL_OK;
}

void *snapshots_shared(const struct snapshots *snapshots) { return snapshots->shared; }

static void end_sleeper(struct sleeper *sleeper)
{
    close(sleeper->wake);
    close(sleeper->done);
    while (waitpid(sleeper->process, NULL, 0) < 0 && errno == EINTR)
        continue;
}

void snapshots_destroy(struct snapshots *snapshots)
{
    if (!snapshots) return;
    for (size_t i = 0; i < snapshots->count; i++)
        end_sleeper(&snapshots->sleeper[i]);
    munmap(snapshots->shared, snapshots->shared_bytes);
    free(snapshots);
}

// --- the copy ---

static unsigned char status_of(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR) return 1;
    return WIFEXITED(status) ? (unsigned char)WEXITSTATUS(status) : 1;
}

// Sleeps until it is woken, makes a process that repeats the run (returns true there), waits for it
// and sleeps again. Ends when no process is left that could wake it.
static bool sleep_here(int wake, int done)
{
    char byte;
    while (read(wake, &byte, 1) == 1) {
        pid_t process = fork();
        if (process == 0) {
            close(wake);
            close(done);
            return true;
        }
        unsigned char status = process < 0 ? 1 : status_of(process);
        if (write(done, &status, 1) != 1) break;
    }
    _exit(0);
}

// Closes the pipes to other copies: only the first process may hold them, or no copy would ever
// end.
static void let_go(struct snapshots *snapshots)
{
    for (size_t i = 0; i < snapshots->count; i++) {
        close(snapshots->sleeper[i].wake);
        close(snapshots->sleeper[i].done);
    }
    snapshots->count = 0;
}

// --- the first process ---

static void thin_out(struct snapshots *snapshots)
{
    size_t kept = 0;
    for (size_t i = 0; i < snapshots->count; i++) {
        if (i % 2 == 0)
            snapshots->sleeper[kept++] = snapshots->sleeper[i];
        else
            end_sleeper(&snapshots->sleeper[i]);
    }
    snapshots->count = kept;
    snapshots->distance *= 2;
}

// Makes a copy. Returns true in a process that repeats the run. If no copy can be made, the run
// goes on without it.
static bool make_sleeper(struct snapshots *snapshots, uint64_t cycle)
{
    int wake[2], done[2];
    if (pipe(wake) != 0) return false;
    if (pipe(done) != 0) {
        close(wake[0]);
        close(wake[1]);
        return false;
    }
    pid_t process = fork();
    if (process == 0) {
        close(wake[1]);
        close(done[0]);
        let_go(snapshots);
        return sleep_here(wake[0], done[1]);
    }
    close(wake[0]);
    close(done[1]);
    struct sleeper made = {cycle, process, wake[1], done[0]};
    if (process > 0) {
        snapshots->sleeper[snapshots->count++] = made;
    } else {
        close(wake[1]);
        close(done[0]);
    }
    return false;
}

bool snapshots_pass(struct snapshots *snapshots, uint64_t cycle)
{
    size_t count = snapshots->count;
    if (count > 0 && cycle < snapshots->sleeper[count - 1].cycle + snapshots->distance)
        return false;
    if (count == snapshots->most) {
        thin_out(snapshots);
        if (cycle < snapshots->sleeper[snapshots->count - 1].cycle + snapshots->distance)
            return false;
    }
    return make_sleeper(snapshots, cycle);
}

enum anl_status snapshots_take_up(struct snapshots *snapshots, uint64_t cycle)
{
    size_t i = snapshots->count;
    while (i > 0 && snapshots->sleeper[i - 1].cycle > cycle)
        i--;
    if (i == 0) return ANL_ERR_ARGUMENT;
    const struct sleeper *sleeper = &snapshots->sleeper[i - 1];
    unsigned char status = 1;
    if (write(sleeper->wake, "", 1) != 1) return ANL_ERR_IO;
    ssize_t got;
    while ((got = read(sleeper->done, &status, 1)) < 0 && errno == EINTR)
        continue;
    return got == 1 && status == 0 ? ANL_OK : ANL_ERR_IO;
}
