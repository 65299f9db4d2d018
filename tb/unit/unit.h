// SPDX-License-Identifier: Apache-2.0
//
// Common part of the unit tests of the C rooms: cmocka with the headers that it needs, and a set of
// networks that covers the corners.

#ifndef ANNELID_UNIT_H
#define ANNELID_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <annelid/network.h>

// Random trials are divided by this number where a sanitizer makes each of them slower.
#ifdef __SANITIZE_ADDRESS__
enum { UNIT_FEWER = 4 };
#else
enum { UNIT_FEWER = 1 };
#endif

// Small networks of every kind. They are valid with any switch fields that the test adds, with one
// lane where the routing allows it.
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
