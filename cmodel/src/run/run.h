// SPDX-License-Identifier: Apache-2.0
//
// Parts of a run: run.c (its cycles), alone.c and member.c (what differs where the network is in
// parts), many.c (many runs in the slots of a batch), own.c (traffic of the
// caller's), statistics.c (what is counted), async.c (the worker that feeds a blocking analysis),
// team.c (a network in parts), creation.c (traffic in parts), checkpoint.c (the state in a file).
// Private to this room.

#ifndef ANL_RUN_PARTS_H
#define ANL_RUN_PARTS_H

#include <annelid/run.h>
#include <annelid/workload.h>
#include <time.h>

// Returns the CPU time of the calling thread in seconds.
static inline double run_thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --- own.c ---

// Returns why a run cannot have the caller's traffic; NULL: it can, or has none.
const char *run_own_refused(const struct anl_scenario *scenario,
                            const struct anl_run_options *options);
// Returns the scenario with the process of the caller's traffic instead of its own, if the options
// have one. What it points to is the scenario's.
struct anl_scenario run_scenario_of(const struct anl_scenario *scenario,
                                    const struct anl_run_options *options);
// Returns what decides the traffic of a run of run_scenario_of().
struct anl_workload run_workload_of(const struct anl_scenario *scenario,
                                    const struct anl_run_options *options);

// --- run.c ---
//
// A run whose engine the caller resets, after it, and steps.

struct run_batched;
// Begins a run. After an error, too, run_leave_slot() is to be called unless *batched is NULL.
enum anl_status run_slot(struct anl_run_job *job, struct anl_engine *engine,
                         struct run_batched **batched);
// Are called before and after each step of the engine. *over receives whether the run is over.
enum anl_status run_batched_before(struct run_batched *batched);
enum anl_status run_batched_after(struct run_batched *batched, bool *over);
// Ends a run, with the status of what was called last, and frees it. Returns the job, filled in.
struct anl_run_job *run_leave_slot(struct run_batched *batched, enum anl_status status);

// --- statistics.c ---

struct run_statistics {
    const struct anl_scenario *scenario;
    const struct anl_run_options *options;
    uint64_t terminals;
    struct anl_latencies latencies;
    uint32_t num_classes;  // of which each has its own latencies; 0 if there is one
    struct anl_latencies classes[ANL_MAX_VCS];
    // Flits of all worms created, and flits ejected: up to now, up to the cycle before, and at the
    // begin and the end of the measured window.
    uint64_t created_flits, created_before, created_at_begin, created_at_end;
    uint64_t ejected, ejected_before, ejected_at_begin, ejected_at_end;
    uint64_t end;  // the measured window reaches to this cycle so far
    size_t room;   // windows of options->windows for which there is memory
    // Open loop: equal windows of the cycles in which worms are created, with their flits alone.
    struct anl_windows load;
};

// ANL_ERR_MEMORY: statistics_end() is still to be called.
enum anl_status statistics_begin(struct run_statistics *statistics,
                                 const struct anl_scenario *scenario,
                                 const struct anl_run_options *options);
void statistics_worm(struct run_statistics *statistics, const struct anl_worm *worm);
// Counts a cycle that has been run. ANL_ERR_MEMORY.
enum anl_status statistics_cycle(struct run_statistics *statistics, const struct anl_engine *engine,
                                 uint64_t cycle);
// Writes what was measured to *result.
void statistics_conclude(const struct run_statistics *statistics, struct anl_run_result *result);
// Forgets the cycles that were run after the end of the run, in which nothing was counted.
void statistics_cut(struct run_statistics *statistics, uint64_t cycles);
// Hands over what the caller asked for and frees the rest.
void statistics_end(struct run_statistics *statistics);

// Adds up what all members of a team have counted. ANL_ERR_MEMORY.
enum anl_status statistics_join(struct run_statistics *statistics, const struct anl_team *team);

// Packs what all members of a team (NULL: there is none) have counted, or unpacks it, for one of
// them. All members call it together. ANL_ERR_MEMORY; windows must not be asked for.
enum anl_status statistics_pack(struct run_statistics *statistics, const struct anl_team *team,
                                struct anl_pack *pack);

// --- team.c ---
//
// A run whose network is in parts, of which each member of a team steps one.

// Makes room for more elements in a list, which is a struct with the members at, count and room; is
// false if memory runs out.
#define RUN_GROW(list, more)                                                                       \
    run_grow(&(list).at, &(list).room, (list).count + (more), sizeof *(list).at)
bool run_grow(void *list, size_t *room, size_t count, size_t size);

enum { MOST_CREATED = 64 };  // cycles of a batch

// The worms of this member's terminals in a batch of cycles (creation.c).
struct run_creation {
    uint64_t begin, cycles;  // the batch; cycles 0: none yet
    struct {
        struct anl_new_worm *at;
        size_t count, room;
    } worms;
    size_t given;  // worms of the list that cycles have got
    // Of each cycle: the worms of this member and of all, and the number of this member's first.
    uint64_t own[MOST_CREATED], all[MOST_CREATED], ids[MOST_CREATED];
    uint64_t next_id;  // number of the first worm after the batch
};

// How far all members are together.
struct run_look {
    struct anl_engine_totals totals;
    uint64_t last_move, last_end;  // as in struct run_team
    uint64_t next;                 // the cycle of the next worm; of a batch that is not drawn yet
    bool stops;                    // some member wants to stop
    bool done;                     // no member creates any more worms
    bool idle;                     // the engines of all members are
};

struct run_team {
    const struct anl_scenario *scenario;
    struct anl_workload workload;
    const struct anl_team *members;  // NULL: there is no team, and no function below is called
    struct anl_network *network;
    bool answers;  // what is delivered decides what is created
    // Each member has the traffic of its own terminals: so many from the first one on. Else each
    // follows that of all terminals.
    bool divides;
    uint32_t first, terminals;
    struct run_creation creation;
    const uint8_t **routes;  // [messages] by the id of their worms; NULL: none has a route
    uint64_t look_at;    // the number of cycles after which the members must look how far they are
    uint64_t last_move;  // the number of cycles after which no flit has moved in this part
    uint64_t last_end;  // the same: in which no worm was delivered, and traffic did not become done
    uint64_t delivered;    // worms, up to now
    bool done;             // anl_traffic_done(), now
    struct run_look look;  // when the members looked together last
    bool looked;           // that was after the cycle that was run last
    struct {
        struct anl_worm *at;
        size_t count, room;
    } answered, worms;  // all worms that were reported last; those that observers have not seen
    struct {
        struct anl_flit *at;
        size_t count, room;
    } flits;  // of this part, that observers have not seen
    struct {
        uint64_t *at;
        size_t count, room;
    } counts;  // how many of these flits each cycle has
};

// Makes the engine of this member's part. ANL_ERR_ARGUMENT: the network cannot be cut;
// ANL_ERR_MEMORY. run_team_destroy() is to be called in any case.
enum anl_status run_team_create(struct run_team *team, struct anl_engine **engine,
                                struct anl_error *error);
// Begins the run if no member has failed. Returns status, or ANL_ERR_MEMORY if another member has
// failed. *recorded becomes true if some member wants to see flits.
enum anl_status run_team_agree(const struct run_team *team, enum anl_status status, bool *recorded,
                               struct anl_error *error);
void run_team_destroy(struct run_team *team);

// Worms of this member that are created in a cycle, and the number of the first one.
struct run_created {
    const struct anl_new_worm *worms;
    size_t count;
    uint64_t id;
};
// Writes to *created the worms of the cycle, each of which is asked for once, unless
// run_creation_next() is later. No worms of cycle `end` or later ones are drawn. ANL_ERR_MEMORY.
enum anl_status run_creation_cycle(struct run_creation *creation, const struct run_team *team,
                                   struct anl_traffic *traffic, uint64_t now, uint64_t end,
                                   struct run_created *created);
// Goes on with the worms of cycle `now`, of which the first one has this number.
void run_creation_resume(struct run_creation *creation, uint64_t now, uint64_t next_id);
// Returns true if this member's terminals create no more worms.
bool run_creation_done(const struct run_creation *creation, const struct anl_traffic *traffic);
// Returns the next cycle from now on in which any member creates a worm; later is the first one
// after the batch.
uint64_t run_creation_next(const struct run_creation *creation, uint64_t now, uint64_t later);
void run_creation_destroy(struct run_creation *creation);

// Checks that own traffic has created the same worms in all members. ANL_ERR_ARGUMENT.
enum anl_status run_team_compare(const struct run_team *team, const struct anl_traffic *traffic,
                                 uint64_t now, struct anl_error *error);

// Returns the worm with this id that was enqueued in this cycle.
struct anl_worm run_team_worm(struct run_team *team, const struct anl_engine *engine,
                              const struct anl_worm *new_worm, uint32_t id);
// Runs a cycle of the part. ANL_ERR_ARGUMENT: the message of a peer was refused; ANL_ERR_MEMORY.
enum anl_status run_team_step(struct run_team *team, struct anl_engine *engine,
                              struct anl_error *error);
// Returns the worms of a list of the engine with those of all other parts, as an engine of the
// whole network lists them. NULL: memory runs out.
const struct anl_worm *run_team_worms(struct run_team *team, const struct anl_worm *worms,
                                      size_t *count);

// Note what the leader's observers are to see: worms that are created, by the leader alone unless
// the team divides the traffic, and the flits of each cycle. ANL_ERR_MEMORY.
enum anl_status run_team_note_worm(struct run_team *team, const struct anl_worm *worm);
enum anl_status run_team_note_flits(struct run_team *team, const struct anl_engine *engine);
// Shows the leader's observers what all members have noted; now cycles have been run, of which
// those from end on are not shown.
struct run_feed {
    void *user;
    enum anl_status (*worm)(void *user, const struct anl_worm *worm);
    enum anl_status (*flits)(void *user, uint64_t cycle, const struct anl_flit *flits,
                             size_t count);
};
enum anl_status run_team_feed(struct run_team *team, uint64_t now, uint64_t end,
                              const struct run_feed *feed);

// Notes how far this part is after each cycle; done: this member creates no more worms.
void run_team_see(struct run_team *team, const struct anl_engine *engine, bool done);
// Returns true if it is time to look together, and looks.
bool run_team_look(struct run_team *team, const struct anl_engine *engine,
                   const struct anl_traffic *traffic, bool goes_on, struct run_look *look);

// Goes on from a checkpoint, after which the engine and the traffic are as they are; worms have
// been created.
void run_team_resume(struct run_team *team, const struct anl_engine *engine,
                     const struct anl_traffic *traffic, uint64_t worms, uint64_t idle_cycles);

// --- checkpoint.c ---

// What a checkpoint holds. Observers are those of the leader; NULL: there is none.
struct run_kept {
    const struct anl_scenario *scenario;
    const struct anl_run_options *options;
    const struct anl_team *team;  // NULL: this process has the whole network
    struct anl_engine *engine;
    struct anl_traffic *traffic;
    struct anl_digest *digest;
    struct anl_referee *referee;
    struct run_statistics *statistics;
    bool divides;  // the traffic is that of some terminals from the first one on; else of all
    uint32_t first, terminals;
    struct anl_engine_totals totals;  // of the whole network
    uint64_t idle_cycles;             // consecutive cycles without a move
};
// Write the checkpoint, after a cycle of which all observers know; and read it into an engine and
// all the rest that was just made. All members of a team call them together. *found: there is a
// checkpoint, else nothing has changed. ANL_ERR_IO; ANL_ERR_FORMAT (it is damaged);
// ANL_ERR_ARGUMENT (it is of another run, or not all members read the same); ANL_ERR_MEMORY.
enum anl_status run_checkpoint_write(struct run_kept *kept, struct anl_error *error);
enum anl_status run_checkpoint_read(struct run_kept *kept, bool *found, struct anl_error *error);

// --- async.c ---

// The worker feeds options->blocking; where possible it does so on a thread of its own, some cycles
// behind the run.
struct run_worker;
// Makes the worker. ANL_ERR_MEMORY: *worker is NULL. run_worker_destroy() accepts NULL.
enum anl_status run_worker_create(const struct anl_run_options *options,
                                  struct run_worker **worker);
// Feed a worm, and the flits of a cycle. They return the status of what was fed earlier, with the
// error of the blocking analysis in *error; a failure may be returned some cycles late.
enum anl_status run_worker_worm(struct run_worker *worker, const struct anl_worm *worm,
                                struct anl_error *error);
enum anl_status run_worker_flits(struct run_worker *worker, uint64_t cycle,
                                 const struct anl_flit *flits, size_t count,
                                 struct anl_error *error);
// Waits until everything has been fed. Returns the status.
enum anl_status run_worker_wait(struct run_worker *worker, struct anl_error *error);
// Does the same at the end of the run; nothing more may be fed after it.
enum anl_status run_worker_end(struct run_worker *worker, struct anl_error *error);
// Returns false if options->fed() wants no more cycles.
bool run_worker_goes_on(const struct run_worker *worker);
// Returns the CPU time of the worker's thread, once the run is over.
double run_worker_seconds(const struct run_worker *worker);
void run_worker_destroy(struct run_worker *worker);

// --- a run (run.c), of a process alone (alone.c) or of a member of a team (member.c) ---

struct run {
    const struct run_way *way;
    struct anl_scenario made;             // with the process that the run has
    const struct anl_scenario *scenario;  // &made
    const struct anl_run_options *options;
    struct anl_engine *engine;
    struct anl_traffic *traffic;
    struct anl_digest *digest;
    struct anl_referee *referee;
    struct run_worker *worker;
    struct anl_error *error;  // text is "" until the blocking analysis fails
    struct run_statistics statistics;
    struct run_team team;
    // When it was last looked at how far the whole network is: this many cycles had been run.
    uint64_t cycles;
    struct anl_engine_totals totals;
    uint64_t idle_cycles;     // consecutive cycles without a move
    uint64_t patience;        // so many of them mean that nothing will move any more
    uint64_t may_stop_after;  // a run that wants to stop goes on up to so many cycles
    bool stops;               // this process wants to stop or, of a team, some member does
    bool recorded;            // some observer is shown the flits of every cycle
    bool batched;             // the engine is that of a slot of a batch
};

// What a run does in another way if the process has but a part of the network. A function that may
// be NULL does nothing then. Errors are those of the functions above.
struct run_way {
    bool lists_heads;  // of flits that are not recorded, the engine may list the heads
    enum anl_status (*create)(struct run *run);  // the engine, unless the run is batched
    enum anl_status (*traffic)(struct run *run, struct anl_workload workload);
    // Returns with which status the run begins, once all is made; may be NULL.
    enum anl_status (*agree)(struct run *run, enum anl_status status);
    // Goes on from a checkpoint that was read with this status (kept is NULL: there was none). May
    // be NULL.
    enum anl_status (*resume)(struct run *run, enum anl_status status, const struct run_kept *kept);
    void (*destroy)(struct run *run);  // may be NULL
    // Writes the worms of a cycle to *created.
    enum anl_status (*create_worms)(struct run *run, uint64_t now, struct run_created *created);
    // Hands a worm that was enqueued to statistics and observers.
    enum anl_status (*worm)(struct run *run, const struct anl_worm *new_worm, uint32_t id);
    enum anl_status (*step)(struct run *run);
    // Exchanges the worms that this process has seen delivered, or taken, for those of the whole
    // network; *asks becomes false if traffic need not know them. NULL: they are those.
    enum anl_status (*all_worms)(struct run *run, const struct anl_worm **worms, size_t *count,
                                 bool *asks);
    void (*see)(struct run *run);  // notes how far this process is after a cycle; may be NULL
    // Shows the recorded flits of a cycle to the observers, or keeps them for feed().
    enum anl_status (*flits)(struct run *run, uint64_t cycle);
    // Fills totals and idle_cycles. Returns false if the run cannot be over, and nothing was
    // filled.
    bool (*look)(struct run *run);
    void (*looked)(struct run *run);         // is called after a look that was noted; may be NULL
    bool (*is_idle)(const struct run *run);  // it is known that the network is
    bool (*is_done)(const struct run *run);  // nobody creates any more worms
    void (*cut)(struct run *run);  // cuts cycles in which nothing has happened off; may be NULL
    uint64_t (*next_creation)(const struct run *run);  // the cycle of the next worm
    // Shows observers what flits() and worm() have kept, if it is time; may be NULL.
    enum anl_status (*feed)(struct run *run);
    // Adds up at the end what all have counted; may be NULL.
    enum anl_status (*gather)(struct run *run);
};
extern const struct run_way run_alone, run_of_member;

static inline uint64_t run_least(uint64_t a, uint64_t b) { return a < b ? a : b; }
// Returns the next cycle count > cycles after which a checkpoint is to be written.
uint64_t run_next_checkpoint(const struct run *run, uint64_t cycles);
// Returns the error of a run that has more worms than numbers.
enum anl_status run_refuse_worms(const struct run *run);
// Show a worm, and the flits of a cycle, to the observers of a struct run.
enum anl_status run_feed_worm(void *user, const struct anl_worm *worm);
enum anl_status run_feed_flits(void *user, uint64_t cycle, const struct anl_flit *flits,
                               size_t count);

#endif
