// SPDX-License-Identifier: Apache-2.0
//
// What the unit tests of the C rooms share: cmocka with the headers it wants, and a set of networks
// that covers the corners.

#ifndef ANNELID_UNIT_H
#define ANNELID_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <annelid/network.h>

// Fails unless the value, which is not negative, lies in least..most. cmocka 1 and 2 have no such
// assertion in common.
#define assert_between(value, least, most)                                                         \
    do {                                                                                           \
        const uintmax_t value_ = (uintmax_t)(value), least_ = (uintmax_t)(least),                  \
                        most_ = (uintmax_t)(most);                                                 \
        if (value_ < least_ || value_ > most_)                                                     \
            fail_msg("%ju is not in %ju..%ju", value_, least_, most_);                             \
    } while (0)

// Where a sanitizer makes each trial slower, so many times fewer are run.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { UNIT_SLOWER = 8 };
#else
enum { UNIT_SLOWER = 1 };
#endif

// Returns how many random trials there are for each that is run: SHARE of the makefiles, 1 without
// it, times UNIT_SLOWER.
static inline uint32_t unit_share(void)
{
    const char *share = getenv("UNIT_SHARE");
    const long asked = share ? strtol(share, NULL, 10) : 1;
    return asked > 1 ? (uint32_t)asked * UNIT_SLOWER : UNIT_SLOWER;
}

// Returns how many of all random trials are to be run: at least one.
static inline uint32_t unit_trials(uint32_t all)
{
    const uint32_t some = all / unit_share();
    return some ? some : 1;
}

// Returns whether only a sample is run, and that under a sanitizer.
static inline bool unit_slow_sample(void) { return UNIT_SLOWER > 1 && unit_share() > UNIT_SLOWER; }

// Returns of how many cases of a kind one is tried: so many in such a sample, else each one.
static inline uint32_t unit_step(uint32_t in_sample) { return unit_slow_sample() ? in_sample : 1; }

// Skips the rest of a test in such a sample: of one that takes long there, and that goes by no code
// that quicker tests do not go by.
static inline void unit_leave_out(void)
{
    if (unit_slow_sample()) skip();
}

// Small networks of every kind, valid with the switch fields as given (one lane where the routing
// allows it).
static const struct anl_config unit_networks[] = {
    {.topology = ANL_MESH, .k = 1, .n = 1, .num_vcs = 1, .routing = ANL_DIMENSION_ORDER},
    {.topology = ANL_MESH, .k = 2, .n = 1, .num_vcs = 1, .routing = ANL_DIMENSION_ORDER},
    {.topology = ANL_MESH, .k = 5, .n = 2, .num_vcs = 2, .routing = ANL_DIMENSION_ORDER},
    {.topology = ANL_MESH, .k = 3, .n = 3, .num_vcs = 3, .routing = ANL_DIMENSION_ORDER},
    {.topology = ANL_MESH, .k = 2, .n = 4, .num_vcs = 8, .routing = ANL_DIMENSION_ORDER},
    {.topology = ANL_TORUS, .k = 2, .n = 2, .num_vcs = 2, .routing = ANL_DATELINE},
    {.topology = ANL_TORUS, .k = 4, .n = 2, .num_vcs = 4, .routing = ANL_DATELINE},
    {.topology = ANL_TORUS, .k = 5, .n = 2, .num_vcs = 3, .routing = ANL_DATELINE},
    {.topology = ANL_TORUS, .k = 3, .n = 3, .num_vcs = 2, .routing = ANL_DATELINE},
    {.topology = ANL_TORUS, .k = 6, .n = 1, .num_vcs = 1, .routing = ANL_DIMENSION_ORDER},
    {.topology = ANL_UNIDIRECTIONAL_TORUS, .k = 4, .n = 2, .num_vcs = 2, .routing = ANL_DATELINE},
    {.topology = ANL_UNIDIRECTIONAL_TORUS, .k = 3, .n = 3, .num_vcs = 5, .routing = ANL_DATELINE},
    {.topology = ANL_UNIDIRECTIONAL_TORUS,
     .k = 5,
     .n = 1,
     .num_vcs = 1,
     .routing = ANL_DIMENSION_ORDER},
    {.topology = ANL_HYPERCUBE, .k = 2, .n = 1, .num_vcs = 1, .routing = ANL_E_CUBE},
    {.topology = ANL_HYPERCUBE, .k = 2, .n = 5, .num_vcs = 2, .routing = ANL_E_CUBE},
};
enum { UNIT_NUM_NETWORKS = sizeof unit_networks / sizeof *unit_networks };

#endif
