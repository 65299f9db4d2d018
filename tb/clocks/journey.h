// SPDX-License-Identifier: Apache-2.0
//
// What is under way in a crossing, and what is known of its two sides (docs/clocks.md): flits that
// have gone in, and when credits have.

#ifndef ANL_CLOCKS_JOURNEY_H
#define ANL_CLOCKS_JOURNEY_H

#include "network.h"

#include <annelid/annelid.h>

enum { MOST_UNDER_WAY = 1024 };  // flits in a crossing; a power of two

struct traveller {
    struct anl_flit flit;
    uint64_t begun;  // edges of the receiver's clock before it went in
};

struct journey {
    const struct crossing *crossing;
    uint32_t rank;                   // among the crossings from the same domain to the same one
    struct traveller *flits;         // [MOST_UNDER_WAY] a ring
    uint32_t first, count;           // of the flits under way
    uint64_t latest;                 // edge at which the last one came out, and one more
    uint64_t *credits[ANL_MAX_VCS];  // [MOST_UNDER_WAY] as begun, of the sender's clock
    uint32_t first_credit[ANL_MAX_VCS], num_credits[ANL_MAX_VCS];
    uint64_t latest_credit[ANL_MAX_VCS];
};

// Makes room; journey_destroy() is due in any case.
enum anl_status journey_create(struct journey *journey, const struct crossing *crossing,
                               uint32_t rank);
void journey_destroy(struct journey *journey);

// A flit goes in, when the receiver's clock has had so many edges. Returns false if that is more
// than any link may have under way.
bool journey_begin(struct journey *journey, const struct anl_flit *flit, uint64_t edges);
// A flit comes out, when the receiver's clock has had so many edges. Returns NULL if it may, with
// *flit, or else what is wrong. *settled_late: it took an edge more than SyncStages, though no flit
// before it held it up.
const char *journey_end(struct journey *journey, uint32_t sync_stages, uint64_t edges,
                        struct anl_flit *flit, bool *settled_late);

// The same of a credit of a lane and the sender's clock.
bool journey_begin_credit(struct journey *journey, uint32_t vc, uint64_t edges);
const char *journey_end_credit(struct journey *journey, uint32_t vc, uint32_t sync_stages,
                               uint64_t edges);

// Return whether what is to come next, on the side of the receiver or of a credit on that of the
// sender, ought to have come before the clock there has had so many edges.
bool journey_is_late(const struct journey *journey, uint32_t sync_stages, uint64_t edges);
bool journey_is_late_credit(const struct journey *journey, uint32_t vc, uint32_t sync_stages,
                            uint64_t edges);

// Returns whether nothing is under way.
bool journey_is_over(const struct journey *journey);

#endif
