// SPDX-License-Identifier: Apache-2.0
//
// CSV as in RFC 4180: records of fields, a field in quotes where it must be.

#ifndef ANNELID_SWEEP_CSV_H
#define ANNELID_SWEEP_CSV_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SWEEP_CSV_MAX_FIELDS = 32 };

// A text that is read record by record. The fields lie in the text, which is changed for it.
struct sweep_csv {
    const char *file;  // for messages
    char *at;          // of the terminated text: what is not yet read
    uint64_t line;     // of at, from 1
    uint64_t record_line;
    char *fields[SWEEP_CSV_MAX_FIELDS];
    size_t num_fields;
};

// The text of a file, terminated, to be given to free() also after an error. ANL_ERR_IO,
// ANL_ERR_FORMAT, ANL_ERR_MEMORY.
enum anl_status sweep_csv_text(const char *path, char **text, struct anl_error *error);

// True: there is a record. False: the text has ended, or *status says what is wrong.
bool sweep_csv_next(struct sweep_csv *csv, enum anl_status *status, struct anl_error *error);

// Writes text as a field, in quotes if need be.
void sweep_csv_field(FILE *stream, const char *text);

#endif
