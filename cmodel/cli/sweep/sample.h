// SPDX-License-Identifier: Apache-2.0
//
// How many worms of each window of a run took how long: exact, and no larger than the run has
// different answers, since which windows are measured is known at its end only.

#ifndef ANNELID_SWEEP_SAMPLE_H
#define ANNELID_SWEEP_SAMPLE_H

#include <annelid/base.h>
#include <stddef.h>

struct sweep_count {
    uint64_t window, latency;
    uint64_t worms;  // 0: the slot is free
};

// Zero-initialise; to be given to sweep_sample_free().
struct sweep_sample {
    struct sweep_count *slots;
    size_t size, used;
};

// One worm more. ANL_ERR_MEMORY.
enum anl_status sweep_sample_add(struct sweep_sample *sample, uint64_t window, uint64_t latency);
void sweep_sample_free(struct sweep_sample *sample);

// Those of the windows from first on, of all of them together, ascending by latency: *count of
// them, at the beginning of the slots. The sample can only be freed then.
struct sweep_count *sweep_sample_take(struct sweep_sample *sample, uint64_t first, size_t *count);

#endif
