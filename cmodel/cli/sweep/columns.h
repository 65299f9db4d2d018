// SPDX-License-Identifier: Apache-2.0
//
// The columns of a sweep's CSV file behind those of the varied keys, written and read.

#ifndef ANNELID_SWEEP_COLUMNS_H
#define ANNELID_SWEEP_COLUMNS_H

#include "common/common.h"
#include "points.h"

// Their names, as in a header: "load,seed,…".
void sweep_columns_write_header(FILE *stream, bool digest);

// A run, as in a row: "0.3,1,…".
void sweep_columns_write(FILE *stream, const struct sweep_run *run);

// Whether the record read is a header, with these columns behind num_keys others. ANL_ERR_FORMAT.
enum anl_status sweep_columns_check(const struct csv *csv, size_t num_keys, bool *has_digest,
                                    struct anl_error *error);

// The run in the record read. ANL_ERR_FORMAT.
enum anl_status sweep_columns_read(const struct csv *csv, size_t num_keys, bool has_digest,
                                   struct sweep_run *run, struct anl_error *error);

#endif
