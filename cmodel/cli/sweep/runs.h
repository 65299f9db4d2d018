// SPDX-License-Identifier: Apache-2.0
//
// The runs of a sweep: each is made once, and remembered in the journal as its row of the CSV file.

#ifndef ANNELID_SWEEP_RUNS_H
#define ANNELID_SWEEP_RUNS_H

#include "common/common.h"
#include "journal.h"
#include "variants.h"

// Several threads may use one.
struct sweep_runs {
    const struct sweep_variants *variants;
    const struct sweep_list *seeds;
    struct sweep_journal *journal;
    bool digest;
};

// The row of a run, without its line's end: made now, or remembered. It stays with the journal.
// ANL_ERR_IO after Ctrl-C.
enum anl_status sweep_runs_row(struct sweep_runs *runs, size_t variant, uint64_t load,
                               uint64_t seed, struct pool_worker *worker, const char **row,
                               struct anl_error *error);

// Whether a run with this load is saturated or stalled, told by a brief one of so many times its
// cycles (sweep_measure.h); *state is one of these two or another one.
enum anl_status sweep_runs_state(struct sweep_runs *runs, size_t variant, uint64_t load,
                                 uint64_t seed, unsigned times, enum sweep_state *state,
                                 struct anl_error *error);

// Makes all runs, in threads, and then writes the CSV file at path, which appears whole. input: as
// for anl_output_open().
enum anl_status sweep_runs_write(struct sweep_runs *runs, unsigned workers, const char *path,
                                 const char *input, struct anl_error *error);

// How many there are.
size_t sweep_runs_count(const struct sweep_runs *runs);

#endif
