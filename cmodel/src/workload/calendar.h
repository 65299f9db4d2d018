// SPDX-License-Identifier: Apache-2.0
//
// Calendar: which terminal is due next. A binary heap; ties in the cycle go to the lower terminal.
// A terminal stands in it at most once.

#ifndef ANL_TRAFFIC_CALENDAR_H
#define ANL_TRAFFIC_CALENDAR_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stdint.h>

struct calendar_entry {
    uint64_t cycle;
    uint32_t terminal;
};

struct calendar {
    struct calendar_entry *entries;
    uint32_t count, room;
};

// An empty calendar for terminals 0..terminals-1. ANL_ERR_MEMORY.
enum anl_status calendar_create(struct calendar *calendar, uint32_t terminals);
void calendar_destroy(struct calendar *calendar);

void calendar_add(struct calendar *calendar, uint64_t cycle, uint32_t terminal);

// Cycle of the next entry; UINT64_MAX if there is none.
uint64_t calendar_next(const struct calendar *calendar);

// Takes out the next terminal that is due at or before cycle; false: none is.
bool calendar_due(struct calendar *calendar, uint64_t cycle, uint32_t *terminal);

#endif
