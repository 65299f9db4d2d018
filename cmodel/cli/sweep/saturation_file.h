// SPDX-License-Identifier: Apache-2.0
//
// FILE.saturation.csv, which lies beside the FILE.csv of a sweep: the saturation loads that were
// found, and how. Columns: docs/sweep.md.

#ifndef ANNELID_SWEEP_SATURATION_FILE_H
#define ANNELID_SWEEP_SATURATION_FILE_H

#include "points.h"
#include "saturation.h"
#include "variants.h"

// Of the CSV file of a sweep; to be given to free(); NULL: no memory.
char *sweep_saturation_path(const char *csv);

struct sweep_search {
    const struct sweep_saturation *found;  // [variants]
    double tolerance;
    const char *program, *command;    // that made it
    const struct sweep_points *rows;  // of the CSV file beside it; NULL: there is none
};

// The file appears whole. input: as for anl_output_open().
enum anl_status sweep_saturation_write(const char *path, const char *input,
                                       const struct sweep_variants *variants,
                                       const struct sweep_search *search, struct anl_error *error);

// What was read. To be given to sweep_saturation_record_free().
struct sweep_saturation_record {
    struct sweep_saturation *found;  // [curves] of the points; seeds 0: nothing is known
    char *program, *command;         // NULL: nothing was read
    bool foreign;                    // there is a file, but beside other rows
};

// Reads the file beside csv, whose rows are given; that there is none is no error. ANL_ERR_FORMAT,
// ANL_ERR_IO, ANL_ERR_MEMORY: *record is empty.
enum anl_status sweep_saturation_read(const char *csv, const struct sweep_points *rows,
                                      struct sweep_saturation_record *record,
                                      struct anl_error *error);
void sweep_saturation_record_free(struct sweep_saturation_record *record);

#endif
