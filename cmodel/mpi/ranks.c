// SPDX-License-Identifier: Apache-2.0
//
// Ranks as the team of a sweep. Each rank has so many slots as runs may share a batch. The leader,
// rank 0, makes runs too: each of its threads takes a slot of some rank, and if that is another
// rank, sends a task there and waits for the answer. On a rank that serves, a thread for each slot
// waits for tasks. A rank makes the runs that it has at a time as the workers of one process do,
// side by side where that is faster.
//
// MPI is called by one thread at a time, and nobody waits in MPI itself, since most MPIs wait by
// asking without a pause, which would take a processor from a run. Of the threads that wait for
// messages one looks for those of all.
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

enum { LEADER = 0, SLOTS = POOL_SLOTS, TAG_END = SLOTS };  // a lower tag is the number of a slot
enum { NAP_NANOSECONDS = 500000 };

struct answer {
    enum anl_status status;
    struct sweep_run run;
    struct anl_error error;
};

// Where the message of a slot of a rank is put.
struct box {
    void *message;  // NULL: nobody waits for it
    int bytes;
    bool full;
};

struct rank {
    unsigned busy;  // slots that are taken
    bool taken[SLOTS];
    struct box boxes[SLOTS];
};

static struct {
    int rank, size;
    bool agreed;
    int stderr_fd;  // where a rank can complain that is silent else

    pthread_mutex_t mpi;  // is held by the one thread that calls MPI

    pthread_mutex_t lock;  // protects what follows
    pthread_cond_t freed, arrived;
    struct rank *all;  // [size]
    bool looked_for;   // some thread looks for messages
    bool over;         // the leader has sent the last task
} ranks = {.mpi = PTHREAD_MUTEX_INITIALIZER,
           .lock = PTHREAD_MUTEX_INITIALIZER,
           .freed = PTHREAD_COND_INITIALIZER,
           .arrived = PTHREAD_COND_INITIALIZER};

// --- slots ---

struct slot {
    int rank, number;
    unsigned count;  // SLOTS: the run has the rank alone
};

// Returns the rank with the fewest runs.
static int freest_rank(void)
{
    int best = LEADER;
    for (int rank = 1; rank < ranks.size; rank++)
        if (ranks.all[rank].busy < ranks.all[best].busy) best = rank;
    return best;
}

static struct slot take_slot(unsigned count)
{
    struct slot slot = {.count = count};
    pthread_mutex_lock(&ranks.lock);
    while (ranks.all[slot.rank = freest_rank()].busy + count > SLOTS)
        pthread_cond_wait(&ranks.freed, &ranks.lock);
    struct rank *rank = &ranks.all[slot.rank];
    while (rank->taken[slot.number])
        slot.number++;
    rank->taken[slot.number] = true;
    rank->busy += count;
    pthread_mutex_unlock(&ranks.lock);
    return slot;
}

static void leave_slot(struct slot slot)
{
    pthread_mutex_lock(&ranks.lock);
    ranks.all[slot.rank].taken[slot.number] = false;
    ranks.all[slot.rank].busy -= slot.count;
    pthread_cond_broadcast(&ranks.freed);
    pthread_mutex_unlock(&ranks.lock);
}

// --- messages ---

static void send(const void *message, size_t bytes, int to, int tag)
{
    pthread_mutex_lock(&ranks.mpi);
    MPI_Send(message, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
    pthread_mutex_unlock(&ranks.mpi);
}

// Says where a message is to be put. Is called before a message is asked for.
static struct box *open_box(int from, int slot, void *message, size_t bytes)
{
    struct box *box = &ranks.all[from].boxes[slot];
    pthread_mutex_lock(&ranks.lock);
    *box = (struct box){.message = message, .bytes = (int)bytes};
    pthread_mutex_unlock(&ranks.lock);
    return box;
}

// Takes in the message that has come, unless nobody waits for it yet. Returns whether it did.
static bool take_in(const MPI_Status *status)
{
    const bool ends = status->MPI_TAG == TAG_END;
    struct box none = {0}, *box = &none;
    pthread_mutex_lock(&ranks.lock);
    if (!ends) box = &ranks.all[status->MPI_SOURCE].boxes[status->MPI_TAG];
    const bool wanted = ends || (box->message && !box->full);
    if (wanted) {
        MPI_Recv(box->message, box->bytes, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        box->full = true;
    }
    ranks.over |= ends;
    pthread_mutex_unlock(&ranks.lock);
    return wanted;
}

// Looks for a message, and sleeps a little if there is none. Returns whether one was taken in.
static bool look(void)
{
    MPI_Status status;
    int there;
    pthread_mutex_lock(&ranks.mpi);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    const bool taken = there && take_in(&status);
    pthread_mutex_unlock(&ranks.mpi);
    if (!taken) nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL);
    return taken;
}

// Waits until a box is full, and closes it: a message that comes before it is opened again stays
// where it is. Returns false if no more messages will come.
static bool wait_for(struct box *box)
{
    pthread_mutex_lock(&ranks.lock);
    while (!box->full && !ranks.over) {
        if (ranks.looked_for) {
            pthread_cond_wait(&ranks.arrived, &ranks.lock);
            continue;
        }
        ranks.looked_for = true;
        pthread_mutex_unlock(&ranks.lock);
        const bool taken = look();
        pthread_mutex_lock(&ranks.lock);
        ranks.looked_for = false;
        if (taken) pthread_cond_broadcast(&ranks.arrived);
    }
    const bool full = box->full;
    *box = (struct box){0};
    if (!ranks.looked_for) pthread_cond_signal(&ranks.arrived);
    pthread_mutex_unlock(&ranks.lock);
    return full;
}

// --- the team ---

// Returns how many slots a run takes: all of a rank, unless such runs are made side by side.
static unsigned slots_of(const struct sweep_runs *runs, const struct sweep_task *task)
{
    const struct sweep_variant *variant = &runs->variants->list[task->variant];
    const double load = variant->open ? SLOTS * sweep_load_number(task->load) : 0;
    return pool_shares(runs->engine, &variant->scenario, SLOTS, load) ? 1 : SLOTS;
}

static enum anl_status measure(const struct sweep_runs *runs, const struct sweep_task *task,
                               struct pool_worker *worker, struct sweep_run *run,
                               struct anl_error *error)
{
    struct answer answer = {0};
    const struct slot slot = take_slot(slots_of(runs, task));
    if (slot.rank == LEADER) {
        answer.status = sweep_runs_measure(runs, task, 1, worker, &answer.run, &answer.error);
    } else {
        struct box *box = open_box(slot.rank, slot.number, &answer, sizeof answer);
        send(task, sizeof *task, slot.rank, slot.number);
        wait_for(box);
    }
    leave_slot(slot);
    *run = answer.run;
    if (answer.status) *error = answer.error;
    return answer.status;
}

// Makes the runs that the leader wants to be made in a slot.
static enum anl_status serve_slot(void *user, size_t slot, struct pool_worker *worker,
                                  struct anl_error *error)
{
    struct sweep_task task;
    (void)error;
    while (wait_for(open_box(LEADER, (int)slot, &task, sizeof task))) {
        struct answer answer = {0};
        answer.status = sweep_runs_measure(user, &task, 1, worker, &answer.run, &answer.error);
        send(&answer, sizeof answer, LEADER, (int)slot);
    }
    return ANL_OK;
}

static void serve(struct sweep_runs *runs)
{
    struct anl_error error;
    const struct pool_work work = {.what = "serving",
                                   .unit = "slots",
                                   .tasks = SLOTS,
                                   .workers = 1,
                                   .run = serve_slot,
                                   .user = runs,
                                   .engine = runs->engine};
    if (pool_run(&work, &error)) ranks_give_up(error.text);
}

static void dismiss(void)
{
    for (int rank = 1; rank < ranks.size && ranks.agreed; rank++)
        send(NULL, 0, rank, TAG_END);
}

enum anl_status ranks_agree(enum anl_status status, uint64_t question, struct anl_error *error)
{
    const uint64_t ours[] = {status != ANL_OK, question};
    uint64_t *all = calloc((size_t)ranks.size, sizeof ours);
    if (!all) MPI_Abort(MPI_COMM_WORLD, CLI_BAD);
    MPI_Allgather(ours, 2, MPI_UINT64_T, all, 2, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int rank = 0; rank < ranks.size && !status; rank++) {
        if (all[2 * rank])
            status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                              "rank %d cannot read the scenario, or what it names", rank);
        else if (all[2 * rank + 1] != question)
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
    ranks.all = calloc((size_t)ranks.size, sizeof *ranks.all);
    if (!ranks.all || (ranks.rank != LEADER && !be_silent())) return false;
    team.leads = ranks.rank == LEADER;
    team.ranks = (unsigned)ranks.size;
    sweep_set_team(&team);
    return true;
}
