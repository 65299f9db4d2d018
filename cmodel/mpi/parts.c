// SPDX-License-Identifier: Apache-2.0
//
// Ranks as the team of a run: each has a part of the network (docs/scale.md). Messages are the
// bytes of struct anl_border, so the ranks must be processors of one kind.
//
// A rank that waits asks without a pause for as long as an exchange between free processors takes,
// and then sleeps a little between two questions: it may stand in the way of the rank for which it
// waits.

#include "ranks.h"

#include "cli/shared/cli.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_BORDER = 4, MOST_QUESTIONS = 400, NAP_NANOSECONDS = 10000 };

static struct {
    struct anl_team team;
    uint32_t num_peers;
    MPI_Request *sent, *received;  // [num_peers]
    struct anl_border **messages;  // [num_peers] from the peers
    size_t *room;                  // [num_peers] bytes of messages
    int *bytes, *begins;           // [size] of the lists to be gathered
    void *gathered;
    size_t room_gathered;
} parts;

static void *must(void *memory)
{
    if (!memory) ranks_give_up(anl_status_text(ANL_ERR_MEMORY));
    return memory;
}

static void wait_for(MPI_Request *request)
{
    int done = 0;
    for (uint32_t asked = 0;; asked++) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done) return;
        if (asked >= MOST_QUESTIONS)
            nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL);
    }
}

// --- messages to neighbours ---

static void make_peers(const struct anl_engine *engine)
{
    const uint32_t count = anl_engine_num_peers(engine);
    parts.num_peers = count;
    parts.sent = must(calloc(count + 1, sizeof(MPI_Request)));
    parts.received = must(calloc(count + 1, sizeof(MPI_Request)));
    parts.messages = must(calloc(count + 1, sizeof *parts.messages));
    parts.room = must(calloc(count + 1, sizeof *parts.room));
    for (uint32_t i = 0; i < count; i++) {
        parts.room[i] = anl_engine_peer(engine, i).most_bytes;
        if (parts.room[i] > INT_MAX) ranks_give_up("the cut is too large for a message");
        parts.messages[i] = must(malloc(parts.room[i]));
    }
}

static void send(void *user, const struct anl_engine *engine)
{
    (void)user;
    if (!parts.sent) make_peers(engine);
    for (uint32_t i = 0; i < parts.num_peers; i++) {
        const struct anl_peer peer = anl_engine_peer(engine, i);
        MPI_Irecv(parts.messages[i], (int)parts.room[i], MPI_BYTE, (int)peer.part, TAG_BORDER,
                  MPI_COMM_WORLD, &parts.received[i]);
        MPI_Isend(peer.message, (int)anl_border_bytes(peer.message), MPI_BYTE, (int)peer.part,
                  TAG_BORDER, MPI_COMM_WORLD, &parts.sent[i]);
    }
}

// The engine writes its next message over the one that was sent, so that one must have left, too.
static struct anl_border *receive(void *user, uint32_t index)
{
    (void)user;
    wait_for(&parts.received[index]);
    wait_for(&parts.sent[index]);
    return parts.messages[index];
}

// --- what all ranks know together ---

// Combines values over all ranks, a piece at a time, since a count is an int.
static void combine(uint64_t *values, size_t count, MPI_Op op)
{
    enum { PIECE = 1 << 20 };
    for (size_t i = 0; i < count; i += PIECE) {
        const int some = (int)(count - i < PIECE ? count - i : PIECE);
        MPI_Request request;
        MPI_Iallreduce(MPI_IN_PLACE, &values[i], some, MPI_UINT64_T, op, MPI_COMM_WORLD, &request);
        wait_for(&request);
    }
}

static void sum(void *user, uint64_t *values, size_t count)
{
    (void)user;
    combine(values, count, MPI_SUM);
}

static void most(void *user, uint64_t *values, size_t count)
{
    (void)user;
    combine(values, count, MPI_MAX);
}

static void before(void *user, uint64_t *values, size_t count)
{
    const MPI_Datatype type = MPI_UINT64_T;
    (void)user;
    MPI_Request request;
    MPI_Iexscan(MPI_IN_PLACE, values, (int)count, type, MPI_SUM, MPI_COMM_WORLD, &request);
    wait_for(&request);
    if (parts.team.rank == 0) memset(values, 0, count * sizeof *values);
}

// Returns the bytes of all lists, and says where each begins.
static size_t lay_out(void)
{
    size_t all = 0;
    for (uint32_t rank = 0; rank < parts.team.size; rank++) {
        parts.begins[rank] = (int)all;
        all += (size_t)parts.bytes[rank];
        if (all > INT_MAX) ranks_give_up("too many flits in a cycle for a message");
    }
    return all;
}

static const void *gather(void *user, const void *list, size_t bytes, bool to_all, size_t *all)
{
    const int own = (int)bytes;
    (void)user;
    MPI_Request request;
    MPI_Iallgather(&own, 1, MPI_INT, parts.bytes, 1, MPI_INT, MPI_COMM_WORLD, &request);
    wait_for(&request);
    *all = lay_out();
    if (*all > parts.room_gathered || !parts.gathered) {
        free(parts.gathered);
        parts.room_gathered = 2 * *all + 64;
        parts.gathered = must(malloc(parts.room_gathered));
    }
    if (to_all)
        MPI_Iallgatherv(list, own, MPI_BYTE, parts.gathered, parts.bytes, parts.begins, MPI_BYTE,
                        MPI_COMM_WORLD, &request);
    else
        MPI_Igatherv(list, own, MPI_BYTE, parts.gathered, parts.bytes, parts.begins, MPI_BYTE, 0,
                     MPI_COMM_WORLD, &request);
    wait_for(&request);
    return to_all || parts.team.rank == 0 ? parts.gathered : NULL;
}

static void give_up(void *user, const char *reason)
{
    (void)user;
    ranks_give_up(reason);
}

void parts_begin(void)
{
    static const struct run_together together = {.members = &parts.team, .agree = ranks_agree};
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    parts.team = (struct anl_team){.size = (uint32_t)size,
                                   .rank = (uint32_t)rank,
                                   .cut = parts_cut,
                                   .send = send,
                                   .receive = receive,
                                   .sum = sum,
                                   .most = most,
                                   .before = before,
                                   .gather = gather,
                                   .give_up = give_up};
    parts.bytes = must(calloc((size_t)size, sizeof *parts.bytes));
    parts.begins = must(calloc((size_t)size, sizeof *parts.begins));
    cli_run_together(&together);
}
