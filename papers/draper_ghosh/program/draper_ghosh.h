// SPDX-License-Identifier: Apache-2.0
//
// What the files of this paper share: plan.c (what is run), traffic.c (Poisson arrivals), measure.c
// (runs and predictions), report.c (tables), files.c (results and curves).

#ifndef ANL_DRAPER_GHOSH_H
#define ANL_DRAPER_GHOSH_H

#include "papers/common/program/paper.h"

#include <annelid/annelid.h>

// --- plan ---

enum { GOALS = 4, MOST_CASES = 64 };
extern const double goal_parts[GOALS];  // 0.4, 0.6, 0.7, 0.8 of saturation

enum traffic { UNIFORM, SPHERICAL, PATTERN };
enum form { CLASSES, ROUTES, SCENARIO };

// A row of cases.csv. Texts point into the file's text. A goal that is not set is NAN.
struct study {
    const char *name, *scenario, *settings;
    enum traffic traffic;
    enum form form;
    bool is_short;
    double goals[GOALS];  // per cent
    double least, most;   // of the error of the saturation load, per cent
    double equal;         // per cent
};

// A row of differs.csv: a goal that is known to be missed, and the range of our error then.
struct known {
    const char *name, *what;  // "saturation", or the part of it: "0.8"
    double least, most;
};

// A row of gains.csv: what a case has over another one, per cent.
struct gain {
    size_t of, over;   // of the cases
    const char *what;  // in the text of the file
    double part;       // of the saturation of `over`, where latencies are compared; 0: saturation
    double least, most;
};

struct plan {
    struct study *cases;
    size_t num_cases;
    struct known *differs;
    size_t num_differs;
    struct gain *gains;
    size_t num_gains;
    const char *directory;
    char *text, *differs_text, *gains_text;
};

// Reads the plan; the caller frees it with plan_free(), also after an error.
enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error);
void plan_free(struct plan *plan);

// --- traffic ---

// A network as the paper has it: k^n nodes. Where a node has several terminals, they are its ports:
// one for the messages that begin, or end, in each dimension.
struct nodes {
    uint32_t k, n, ports, count;
    bool ring;
};

struct nodes nodes_of(const struct anl_config *network);

// Puts worms with Poisson arrivals, so many per node and cycle, into a scenario, which becomes
// a replay. spread has the probability of each distance in a hypercube; NULL: uniform.
// ANL_ERR_MEMORY.
enum anl_status traffic_make(struct anl_scenario *scenario, double worms, const double *spread);

// --- results ---

enum { PARTS = 10, EQUALS = 5 };
enum { PLAIN, CALIBRATED, FORMS };   // the reconstruction, and the same with its two corrections
extern const double parts[PARTS];    // of the measured saturation
extern const double equals[EQUALS];  // times the latency of no load

struct point {
    double worms;           // per node and cycle
    struct sample latency;  // measured
    double model[FORMS];    // NAN: the model is saturated
};

struct result {
    const struct study *study;
    bool done;
    double length;
    double measured, predicted[FORMS];  // saturation, worms per node and cycle
    struct point points[PARTS];
    size_t num_points;
    double equal[EQUALS];  // error of the load at equal latency, calibrated, per cent; NAN: was not
                           // measured
};

// Measures one case. A short one has fewer runs and ends at 70 % of saturation.
enum anl_status measure_case(const struct plan *plan, bool only_short, struct result *result,
                             struct anl_error *error);

// Returns the latency that was measured at a load, between two points; NAN: it is not between any.
double measured_latency(const struct result *result, double worms);

// Returns the error of a prediction of this form, per cent; NAN: there is none.
double point_error(const struct point *point, int form);

struct results {
    const struct plan *plan;
    struct result *of;  // [count]
    size_t count;
    bool only_short;
};

// Prints all tables. Returns whether no check failed.
bool report_print(const struct results *results);

// Writes points.csv, saturation.csv and a curve of each case.
enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error);

#endif
