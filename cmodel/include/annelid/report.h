// SPDX-License-Identifier: Apache-2.0
//
// What was found in a run, for people and for programs: the first difference of the lock-step, what
// the referee says of a trace or a run, and what a watch finds. One structure holds it. The text
// for people and the JSON for programs are both made of this structure, so they cannot disagree.
// docs/lockstep.md, "Reports for programs", has a table of the JSON.
//
//   struct anl_report report; anl_report_begin(&report, ANL_REPORT_WATCH, what, cycle)
//   fill its fields; anl_report_chain(&report, …) and so on
//   anl_report_print(&report, stdout); anl_reports_add(list, &report); anl_report_end(&report)
//   anl_reports_write(list, "found.json", &error)

#ifndef ANNELID_REPORT_H
#define ANNELID_REPORT_H

#include <annelid/blocking.h>
#include <annelid/referee.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ANL_REPORT_WORMS = 16,    // that are listed
    ANL_REPORT_PASSAGES = 4,  // flits of a lane that are listed
    ANL_REPORT_LANES = 16,    // in which flits stand still that are listed
    ANL_REPORT_NAME_BYTES = 96,
    ANL_REPORT_TEXT_BYTES = 640,
};

enum anl_report_source { ANL_REPORT_LOCKSTEP, ANL_REPORT_REFEREE, ANL_REPORT_WATCH };

// A worm of which the report speaks.
struct anl_report_worm {
    uint32_t id;
    bool known;  // the next three are
    uint32_t source, destination, length;
    uint32_t flit;  // index of the flit in question, or of the one in front; ANL_NOTHING: none
};

// A worm that waits, where all of them are listed.
struct anl_report_waiter {
    struct anl_report_worm worm;
    uint32_t buffer;  // that holds its leading flit
    uint64_t since;
    enum anl_wait wait;
    uint32_t root_blocker;  // ANL_NOTHING: no worm moves at the end of its chain
};

// The last flits that have crossed a lane, the oldest first.
struct anl_report_passage {
    uint32_t worm, index;
    uint64_t cycle;
};

// A lane in which flits stand still.
struct anl_report_held {
    uint32_t link, vc, flits;
    uint64_t since;  // cycle in which the last one came
};

// Some lines of a chain or of a deadlock.
struct anl_report_lines {
    struct anl_chain_line *list;
    size_t count, room;
};

// All numbers may be ANL_NOTHING and all texts "", if there is no such thing.
struct anl_report {
    enum anl_report_source from;
    const struct anl_config *config;  // of the network, which must outlive the report
    const char *file;                 // the scenario, or the trace that was checked; NULL: unknown
    const uint64_t *seed;             // of the run; NULL: unknown

    char what[48];                     // "flit", "credit", the name of a rule, "deadlock", …
    char rule[ANL_REPORT_TEXT_BYTES];  // what breaks the rule of this name, in words
    uint64_t cycle;
    uint32_t more;  // further differences in this cycle
    struct {
        char text[ANL_REPORT_NAME_BYTES];  // "link 3(1,0).+1 lane 2"
        uint32_t link, switch_, port, vc;
    } place;
    uint32_t worm;  // in question
    char expected[ANL_REPORT_TEXT_BYTES], seen[ANL_REPORT_TEXT_BYTES];

    // What else is known of it, in words.
    char probe[ANL_REPORT_TEXT_BYTES];      // what speaks for a probe that is wrong
    char referee[ANL_REPORT_TEXT_BYTES];    // what the referee says of the same flits
    char assertion[ANL_REPORT_TEXT_BYTES];  // of the RTL that failed as well

    // The worms of which it speaks, the one in question first. Chains add theirs.
    struct anl_report_worm worms[ANL_REPORT_WORMS];
    size_t num_worms;

    // The last flits on the lanes of a link.
    uint32_t before_link;
    struct {
        struct anl_report_passage list[ANL_REPORT_PASSAGES];
        size_t count;
    } before[ANL_MAX_VCS];

    // All worms that wait, of which the first ones are listed. waiting_cycle UINT64_MAX: nobody
    // asked.
    uint64_t waiting_cycle;
    size_t waiting, moving, queued;
    struct anl_report_waiter waiters[ANL_REPORT_WORMS];

    // Who waits for whom: a chain, at the end of a cycle, and the circle of a deadlock.
    uint64_t waits_cycle;
    bool waits_before;  // the cycle is the one before that of the report, which is worth a remark
    struct anl_report_lines waits, deadlock;
    uint64_t closed;  // cycle in which the deadlock closed; UINT64_MAX: there is none
    uint32_t circle[ANL_REPORT_WORMS];  // its worms, each held by the next one
    size_t in_circle;                   // of which the first ones are listed

    // A stall: report->cycle is its first cycle, and the lanes that have flits are listed, those
    // first in which flits have stood still for the longest time.
    uint64_t told;  // cycle in which it is told; UINT64_MAX: it is no stall
    struct anl_report_held held[ANL_REPORT_LANES];
    size_t num_held;  // of which the first ones are listed

    // Commands for a shell, NULL: there is none. anl_report_end() frees them.
    char *replay, *waves;
    char *trace;  // a file that has the cycles before; its command is `annelid worms`
};

// Begins a report, which has nothing but these.
void anl_report_begin(struct anl_report *report, enum anl_report_source from, const char *what,
                      uint64_t cycle);
void anl_report_end(struct anl_report *report);  // frees what it holds

// Says at which link of report->config it is, and at which lane, which may be ANL_NOTHING. The
// words of a watch name the link alone.
void anl_report_place(struct anl_report *report, uint32_t link, uint32_t vc);

// Fills a report with what the referee has found in a network.
void anl_report_violation(struct anl_report *report, const struct anl_config *config,
                          const struct anl_violation *violation);

// Adds a worm, unless it is there. blocking, which knows more of it, may be NULL.
void anl_report_add_worm(struct anl_report *report, const struct anl_blocking *blocking,
                         uint32_t id, uint32_t flit);
// Adds a flit that has crossed lane vc of before_link, later than those before.
void anl_report_add_passage(struct anl_report *report, uint32_t vc,
                            struct anl_report_passage passage);
// Adds a lane in which flits stand still.
void anl_report_add_held(struct anl_report *report, const struct anl_report_held *held);
// Add the chain that begins at a buffer, the worms of the deadlock if there is one, and all worms
// that wait. Lines for which memory does not suffice are missing.
void anl_report_chain(struct anl_report *report, const struct anl_blocking *blocking,
                      uint32_t buffer);
void anl_report_deadlock(struct anl_report *report, const struct anl_blocking *blocking);
void anl_report_waiters(struct anl_report *report, const struct anl_blocking *blocking);

// Prints the report for people. Its first line is
//   FIRST DIFFERENCE in cycle 27 at link 7(3,1).-1 lane 1: flit        of the lock-step
//   run.anlt: lane_shared: cycle 27: flit 0 of worm 4 …                of the referee, alone
//   annelid: lane_shared in cycle 27 at link 0.0, worm 4               of a watch
//   annelid: stalled since cycle 27: flits stand in lane 1 of 0.0 …    of a watch, too
void anl_report_print(const struct anl_report *report, FILE *out);
// Prints who waits for whom alone.
void anl_report_print_waiting(const struct anl_report *report, FILE *out);

// --- lists of reports as JSON ---

struct anl_reports;

// Returns an empty list, which the caller frees with anl_reports_destroy(); NULL: no memory.
struct anl_reports *anl_reports_create(void);
void anl_reports_destroy(struct anl_reports *reports);  // may be NULL
// Adds a report as it is now. Returns ANL_OK or ANL_ERR_MEMORY.
enum anl_status anl_reports_add(struct anl_reports *reports, const struct anl_report *report);
// Returns the list on one line, without its end, which the caller frees with free(); NULL: no
// memory.
char *anl_reports_text(const struct anl_reports *reports);

// Returns ANL_OK if a list can be written to path: nothing is there, or an empty file, or a list of
// reports. ANL_ERR_FORMAT: what is there is something else, and stays. ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status anl_reports_check(const char *path, struct anl_error *error);
// Writes the list to path, where it appears as a whole (anl_output_open()). The errors are those of
// anl_reports_check().
enum anl_status anl_reports_write(const struct anl_reports *reports, const char *path,
                                  struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
