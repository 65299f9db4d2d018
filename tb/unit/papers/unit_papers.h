// SPDX-License-Identifier: Apache-2.0
//
// What the tests of papers share.

#ifndef ANNELID_UNIT_PAPERS_H
#define ANNELID_UNIT_PAPERS_H

#include "unit.h"

#include <math.h>

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g, expected %.12g within %g", value, expected, tolerance);
}

#endif
