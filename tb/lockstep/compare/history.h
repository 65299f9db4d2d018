// SPDX-License-Identifier: Apache-2.0
//
// The last flits that crossed each lane of each link. Since a lane is a FIFO, the number of its
// flits then tells which flits they are.

#ifndef ANL_LOCKSTEP_HISTORY_H
#define ANL_LOCKSTEP_HISTORY_H

#include <annelid/annelid.h>

struct passage {
    uint64_t cycle;
    uint32_t worm;
    uint16_t index;
    bool tail;
};

struct history {
    const struct anl_config *config;
    struct anl_shape shape;
    uint32_t kept;         // passages kept per lane, >= depth
    struct passage *ring;  // [link][lane][kept]
    uint64_t *passed;      // [link][lane] number of flits that crossed
    uint32_t *into;        // [switch][port] link that ends at the input port, UINT32_MAX: none
};

// config must outlive the history. history_destroy() is also due after ANL_ERR_MEMORY.
enum anl_status history_create(struct history *history, const struct anl_config *config);
void history_destroy(struct history *history);
void history_add(struct history *history, uint64_t cycle, const struct anl_flit *flits,
                 size_t count);

// Returns the flit that crossed a lane as the back-th last (1: the last one); NULL if there is none
// or it is not kept. If the lane holds n flits, its front flit is the n-th last.
const struct passage *history_last(const struct history *history, uint32_t link, uint32_t vc,
                                   uint64_t back);

#endif
