// SPDX-License-Identifier: Apache-2.0
//
// Ranks as the team of a sweep. The leader, rank 0, makes runs too: its threads share the places,
// one for each rank, and each thread that has the place of another rank waits for its answer. MPI
// is called by one thread at a time, and nobody waits in MPI itself, since most MPIs wait by asking
// without a pause, which would take a processor from a run.
//
// Messages are structs as they are in memory: all ranks must run the same program on processors of
// one kind, which agree() checks for the program.

#include "ranks.h"

#include "cli/sweep/sweep.h"

#include <annelid/base.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LEADER = 0, TAG_TASK = 1, TAG_END, TAG_ANSWER };
enum { NAP_NANOSECONDS = 200000 };

struct answer {
    enum anl_status status;
    struct sweep_run run;
    struct anl_error error;
};

static struct {
    int rank, size;
    bool agreed;
    int stderr_fd;  // where a rank can complain that is silent else

    pthread_mutex_t mpi;  // is held by the one thread that calls MPI

    pthread_mutex_t lock;  // protects what follows
    pthread_cond_t freed;
    int *free, num_free;  // ranks that make no run
} ranks = {.mpi = PTHREAD_MUTEX_INITIALIZER,
           .lock = PTHREAD_MUTEX_INITIALIZER,
           .freed = PTHREAD_COND_INITIALIZER};

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL); }

// --- places ---

static int take_place(void)
{
    pthread_mutex_lock(&ranks.lock);
    while (ranks.num_free == 0)
        pthread_cond_wait(&ranks.freed, &ranks.lock);
    const int place = ranks.free[--ranks.num_free];
    pthread_mutex_unlock(&ranks.lock);
    return place;
}

static void give_place(int place)
{
    pthread_mutex_lock(&ranks.lock);
    ranks.free[ranks.num_free++] = place;
    pthread_cond_signal(&ranks.freed);
    pthread_mutex_unlock(&ranks.lock);
}

// --- messages ---

static void send(const void *message, size_t bytes, int to, int tag)
{
    pthread_mutex_lock(&ranks.mpi);
    MPI_Send(message, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
    pthread_mutex_unlock(&ranks.mpi);
}

// Waits for a message, which has at most so many bytes. Returns its tag.
static int receive(void *message, size_t bytes, int from)
{
    MPI_Request request;
    MPI_Status status;
    int done = 0;
    pthread_mutex_lock(&ranks.mpi);
    MPI_Irecv(message, (int)bytes, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &done, &status);
    pthread_mutex_unlock(&ranks.mpi);
    while (!done) {
        nap();
        pthread_mutex_lock(&ranks.mpi);
        MPI_Test(&request, &done, &status);
        pthread_mutex_unlock(&ranks.mpi);
    }
    return status.MPI_TAG;
}

// --- the team ---

static enum anl_status measure(const struct sweep_runs *runs, const struct sweep_task *task,
                               struct pool_worker *worker, struct sweep_run *run,
                               struct anl_error *error)
{
    struct answer answer = {0};
    const int place = take_place();
    if (place == LEADER) {
        answer.status = sweep_runs_measure(runs, task, 1, worker, &answer.run, &answer.error);
    } else {
        send(task, sizeof *task, place, TAG_TASK);
        receive(&answer, sizeof answer, place);
    }
    give_place(place);
    *run = answer.run;
    if (answer.status) *error = answer.error;
    return answer.status;
}

static void serve(const struct sweep_runs *runs)
{
    struct sweep_task task;
    while (receive(&task, sizeof task, LEADER) == TAG_TASK) {
        struct answer answer = {0};
        answer.status = sweep_runs_measure(runs, &task, 1, NULL, &answer.run, &answer.error);
        send(&answer, sizeof answer, LEADER, TAG_ANSWER);
    }
}

static void dismiss(void)
{
    for (int rank = 1; rank < ranks.size && ranks.agreed; rank++)
        send(NULL, 0, rank, TAG_END);
}

enum anl_status ranks_agree(enum anl_status status, uint64_t question, struct anl_error *error)
{
    const uint64_t ours[] = {status != ANL_OK, question};
    uint64_t(*all)[2] = calloc((size_t)ranks.size, sizeof *all);
    if (!all) MPI_Abort(MPI_COMM_WORLD, CLI_BAD);
    MPI_Allgather(ours, 2, MPI_UINT64_T, all, 2, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int rank = 0; rank < ranks.size && !status; rank++) {
        if (all[rank][0])
            status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                              "rank %d cannot read the scenario, or what it names", rank);
        else if (all[rank][1] != question)
            status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                              "rank %d has other files or another program than rank %d", rank,
                              ranks.rank);
    }
    free(all);
    ranks.agreed = !status;
    return status;
}

// --- begin and end ---

void ranks_give_up(const char *reason)
{
    dprintf(ranks.rank == LEADER ? STDERR_FILENO : ranks.stderr_fd, "annelid-mpi: rank %d: %s\n",
            ranks.rank, reason);
    MPI_Abort(MPI_COMM_WORLD, CLI_BAD);
}

static void end_mpi(void) { MPI_Finalize(); }

static bool be_silent(void)
{
    ranks.stderr_fd = dup(STDERR_FILENO);
    return freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
}

bool ranks_begin(int *argc, char ***argv)
{
    static struct sweep_team team = {
        .agree = ranks_agree, .measure = measure, .serve = serve, .dismiss = dismiss};
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
    atexit(end_mpi);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
    if (provided < MPI_THREAD_SERIALIZED) {
        fputs("annelid-mpi: this MPI does not allow threads\n", stderr);
        return false;
    }
    ranks.free = calloc((size_t)ranks.size, sizeof *ranks.free);
    if (!ranks.free || (ranks.rank != LEADER && !be_silent())) return false;
    for (int place = ranks.size - 1; place >= 0; place--)
        give_place(place);
    team.leads = ranks.rank == LEADER;
    team.places = (unsigned)ranks.size;
    sweep_set_team(&team);
    return true;
}
