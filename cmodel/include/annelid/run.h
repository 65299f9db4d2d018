// SPDX-License-Identifier: Apache-2.0
//
// Runs a scenario on the golden model, with the observers that the caller asks for (digest, trace,
// referee, blocking analysis), and gathers statistics.

#ifndef ANNELID_RUN_H
#define ANNELID_RUN_H

#include <annelid/blocking.h>
#include <annelid/engine.h>
#include <annelid/referee.h>
#include <annelid/scenario.h>
#include <annelid/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

// A run is divided into windows of equally many cycles, of which the last may be shorter. These are
// the counts of one window.
struct anl_window {
    // Flits of the worms created, and flits ejected, in its cycles.
    uint64_t created_flits, ejected_flits;
    uint64_t worms;    // worms created in its cycles and delivered by the end of the run
    uint64_t latency;  // sum of the latencies of these worms, in cycles
};
struct anl_windows {
    uint64_t cycles;  // of one window, > 0; set by the caller
    // [count] filled by the run as far as it is, also after an error; the caller frees it with
    // free().
    struct anl_window *at;
    size_t count;
};

// What is seen of the backlog, the flits that are created and not yet ejected, in the second half
// of some windows (docs/run.md, "Saturated").
struct anl_backlog {
    // The part of the flits created in it that no ejected flit matches, < 0 if more were ejected; 0
    // if none was created.
    double left_behind;
    bool grows;  // left_behind is more than 0.01, and the backlog still grew in the last quarter
};

// Returns what the backlog is in windows begin .. end - 1 of a run. windows begins with the first
// window of the run.
struct anl_backlog anl_backlog_of(const struct anl_window *windows, size_t begin, size_t end);

// Exact latencies of the measured worms (see anl_run_result): count[i] of them took i cycles.
//
// The latency of a worm is the number of cycles from the one in which it is created to the one in
// which its tail crosses the ejection link, both of them counted: delivered - created + 1. So it
// contains the time in the source queue.
struct anl_latencies {
    // [size] filled by the run, also after an error; the caller frees it with free().
    uint64_t *count;
    size_t size;
};

// Return of how many worms there are latencies; their mean in cycles, 0 without worms; and the
// quantile: the least latency that at least the fraction 0..1 of the worms does not exceed, so 0 is
// the minimum, 0.5 the median, 1 the maximum. It is 0 without worms.
uint64_t anl_latencies_worms(const struct anl_latencies *latencies);
double anl_latencies_mean(const struct anl_latencies *latencies);
uint64_t anl_latencies_quantile(const struct anl_latencies *latencies, double fraction);

// Processes that run one scenario together, each with a part of the network (docs/scale.md). All
// members call anl_run() with the same scenario and options, but for the observers (digest,
// referee, trace, blocking, fed, progress): only member 0, the leader, has these. In a run all
// members come to the same calls of these functions in the same order. What fails in them does not
// return.
struct anl_team {
    uint32_t size, rank;  // how many members there are, and the number of this one
    void *user;           // first argument of the functions
    // Cuts the network, the same for all members; the status is for all of them. NULL: anl_cut().
    enum anl_status (*cut)(void *user, const struct anl_config *config, uint32_t parts,
                           uint32_t *part_of);
    // Sends the messages of an engine to its peers, and begins to receive theirs.
    void (*send)(void *user, const struct anl_engine *engine);
    // Returns the message of a peer, as soon as it is there. It is valid, and may be changed, until
    // the next call of send().
    struct anl_border *(*receive)(void *user, uint32_t index);
    // Replaces values by their sums, and by the largest ones, over all members.
    void (*sum)(void *user, uint64_t *values, size_t count);
    void (*most)(void *user, uint64_t *values, size_t count);
    // Replaces values by their sums over the members with lower numbers.
    void (*before)(void *user, uint64_t *values, size_t count);
    // Returns the lists of all members, one behind the other by their numbers, and their bytes in
    // all; to the leader or, if to_all, to each member, and NULL to the others. The list is valid
    // until the next call.
    const void *(*gather)(void *user, const void *list, size_t bytes, bool to_all, size_t *all);
    // Ends all members, since this one cannot go on.
    void (*give_up)(void *user, const char *reason);
};

// A run that can be killed and go on (docs/checkpoint.md). If there is a checkpoint at the path,
// the run goes on from it, over any number of members. While it goes on it replaces the checkpoint
// after every `every` cycles, and when it is stopped; who has used the result removes it.
struct anl_checkpoint {
    const char *path;
    uint64_t every;     // cycles, > 0
    uint64_t question;  // hash of all that decides the run, so that that of another one is refused
    const char *name;   // of the scenario, for messages about it
    bool restart;       // true: a checkpoint at the path is replaced, not read
};

struct anl_run_options {
    bool digest;       // compute the digest; the run is slower, since flits are recorded
    bool referee;      // check every flit
    bool record;       // record flits, so that progress() may call anl_engine_flits()
    bool heads;        // the same, but flits that are not heads may be left out, which is faster
    uint64_t shuffle;  // order of switches, as for anl_engine_shuffle(); 0: ascending
    struct anl_trace_writer *trace;  // NULL: none; it stays the caller's
    // The blocking analysis is fed every cycle but not ended. NULL: none; it stays the caller's. It
    // may be fed on a thread of its own, where that is faster, but it is up to date when progress()
    // is called and when the run is over. If fed is not NULL, it is called on that thread after
    // each cycle, with the flits of the cycle. When it returns false, nothing more is fed and the
    // run stops some cycles later.
    struct anl_blocking *blocking;
    bool (*fed)(void *user, const struct anl_blocking *blocking, const struct anl_flit *flits,
                size_t count);
    // Called with each worm that is created, and with the flits of each cycle; NULL: not. Of a team
    // those of the leader are called, some cycles late. What they return but ANL_OK ends the run.
    enum anl_status (*worm)(void *user, const struct anl_worm *worm);
    enum anl_status (*flits)(void *user, uint64_t cycle, const struct anl_flit *flits,
                             size_t count);
    // What else is to be counted; NULL: nothing.
    struct anl_windows *windows;
    struct anl_latencies *latencies;
    uint64_t *link_flits;  // [links] each flit that crosses a link in the measured window adds 1
    // Called after every progress_cycles cycles (0: never), even if the run is over then. If it
    // returns false, the run stops.
    uint64_t progress_cycles;
    bool (*progress)(void *user, const struct anl_engine *engine);
    void *user;                   // argument of fed(), worm(), flits() and progress()
    const struct anl_team *team;  // NULL: this process has the whole network
    // NULL: none. Needs kind buffered, and no blocking, windows or link_flits; a trace must be of
    // anl_trace_create_kept().
    const struct anl_checkpoint *checkpoint;
    // NULL: worms are created as the scenario says. Else the caller creates them, and the keys of
    // section traffic mean nothing (docs/own_traffic.md). Each member of a team has its own
    // functions, which must all create the same worms; with a team or a checkpoint worms have no
    // routes of their own.
    const struct anl_own_traffic *traffic;
};

// What was measured of the worms of one class of messages.
struct anl_class_result {
    uint64_t measured;     // worms, as in struct anl_run_result
    double latency_mean;   // cycles
    uint64_t latency_p99;  // cycles
};

enum anl_run_end {
    ANL_RUN_COMPLETE,
    ANL_RUN_MAX_CYCLES,
    ANL_RUN_STALLED,
    ANL_RUN_STOPPED,
    ANL_RUN_FAULT  // a switch without buffers has lost a flit, or a worm has no next flit
};

struct anl_run_result {
    enum anl_run_end end;
    uint64_t cycles;                  // that were run, idle ones too
    struct anl_engine_totals totals;  // of the whole run, warm-up too
    bool has_digest, has_referee;     // options.digest, options.referee
    uint64_t digest;                  // 0 if there is none
    char fault[160];                  // the first one: "step 4, (0,1).E: …"; or ""
    // Its rule is ANL_RULE_NONE if no rule is broken or there is no referee.
    struct anl_violation violation;
    // The measured worms are those that were created at or after warmup_cycles and delivered by the
    // end of the run, also if that was after the measured window. Worms that were not delivered are
    // in no latency.
    uint64_t measured;  // worms; if it is 0 all latencies are 0
    // Latencies of the measured worms, in cycles, as anl_latencies_mean() and
    // anl_latencies_quantile() of 0, 0.5, 0.95, 0.99 and 1 give them.
    double latency_mean;
    uint64_t latency_min, latency_p50, latency_p95, latency_p99, latency_max;
    uint32_t num_classes;  // classes of messages; 0 if there is one
    struct anl_class_result classes[ANL_MAX_VCS];
    // The measured window begins at warmup_cycles and ends when an open-loop process creates no
    // more worms (run.cycles), else with the run.
    uint64_t window_cycles;  // 0: there is none, and the loads are 0
    // Flits of the worms created in the window, and flits that crossed an ejection link in it, each
    // divided by window_cycles and by the number of terminals. The ejected flits may belong to
    // worms that were created before the window.
    double offered_load, accepted_load;
    // Open-loop processes: whether the load was more than the network carries. A run that is
    // saturated has no steady state: its latencies depend on its length and say nothing of the
    // network. Not known (false, and the rest is 0) of other processes, of runs that did not come
    // to the last cycle in which worms are created, and of runs of fewer than 8 measured cycles.
    bool saturation_known;
    struct anl_backlog backlog;  // of the measured cycles, without the first tenth of the run
    double cpu_seconds;  // CPU time of this thread and of the one that feeds the blocking analysis
};

// Returns "complete", "max_cycles", "stalled", "stopped" or "fault"; "?" if end is out of range.
const char *anl_run_end_name(enum anl_run_end end);

// The lines that `annelid run` prints of a run, in its order.
enum anl_run_line {
    ANL_LINE_END,
    ANL_LINE_FAULT,
    ANL_LINE_WORMS,
    ANL_LINE_LOAD,
    ANL_LINE_LATENCY,
    ANL_LINE_CLASSES,    // several lines, if there are several classes of messages
    ANL_LINE_SATURATED,  // several lines
    ANL_LINE_SPEED,      // depends on the machine, the others do not
    ANL_LINE_DIGEST,
    ANL_LINE_REFEREE,
    ANL_RUN_LINES  // their number
};
enum { ANL_RUN_LINE_BYTES = 640 };  // the longest one, its zero too

// Writes a line, without its end, to text, cut at size - 1 bytes. Returns false, and text is
// unchanged, if the run does not know it.
bool anl_run_line(const struct anl_run_result *result, enum anl_run_line line, char *text,
                  size_t size);

// Returns ANL_OK also for a run that stalled or broke a rule, as *result says. ANL_ERR_MEMORY;
// ANL_ERR_ARGUMENT: more than 2^32 - 1 worms would be created, or options.traffic creates one that
// is refused, or the network cannot be cut into as
// many parts as the team has members, or the run cannot have a checkpoint, or the one that is there
// is of another run; ANL_ERR_FORMAT: it is damaged; ANL_ERR_IO; or the error of the blocking
// analysis. The members of a team have the same result, but for what observers see and for
// cpu_seconds.
enum anl_status anl_run(const struct anl_scenario *scenario, const struct anl_run_options *options,
                        struct anl_run_result *result, struct anl_error *error);

// --- many runs of one network, side by side in a batch (annelid/batch.h) ---

// A run. What anl_run() would return is filled in, but for result.cpu_seconds, which is 0: the
// runs share a thread.
struct anl_run_job {
    const struct anl_scenario *scenario;
    const struct anl_run_options *options;
    struct anl_run_result result;
    enum anl_status status;
    struct anl_error error;
};

// Returns whether a run can be one of many: there is a batch of its network, whose lanes hold its
// worms, and it has no team, no shuffle, no blocking analysis and no checkpoint.
bool anl_run_many_can(const struct anl_scenario *scenario, const struct anl_run_options *options);

// What the runs in a batch still have to do: cycles in which they create worms. What comes after
// these is not known. Nor is it of a closed loop, which counts in the total alone, as at its
// beginning.
struct anl_run_left {
    uint64_t longest, total;  // of one of them, and of all together
};

// Returns the cycles in which a run creates worms; of process batch those in which it creates and
// injects them if all are of the greatest length and nothing is in their way; 0 in other closed
// loops.
uint64_t anl_run_cycles(const struct anl_run_job *job);

// Where many runs come from and go to.
struct anl_run_queue {
    void *user;
    // Returns the next run, or NULL if there is none now, or none that is to join those that are
    // left. It is asked in each cycle in which a slot is free.
    struct anl_run_job *(*next)(void *user, struct anl_run_left left);
    // Is given each run as soon as it is over.
    void (*ended)(void *user, struct anl_run_job *job);
};

// Makes the runs of a queue, which have equal networks and of which anl_run_many_can() is true,
// until none is left. Each is the same as anl_run() makes it, whatever runs beside it. The batch
// has as many slots as are fastest for so many runs at a time; 0: for any number. Returns
// ANL_ERR_ARGUMENT or ANL_ERR_MEMORY if there is no batch: no run was asked for.
enum anl_status anl_run_many(const struct anl_config *network, uint32_t runs,
                             const struct anl_run_queue *queue);

#ifdef __cplusplus
}
#endif

#endif
