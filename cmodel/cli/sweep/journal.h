// SPDX-License-Identifier: Apache-2.0
//
// What has been found out so far, by key: kept in a file as it comes, so that after an interrupt it
// need not be found out again. A line for each, with a checksum; the first line says what question
// it is about. Several threads may use one journal.

#ifndef ANNELID_SWEEP_JOURNAL_H
#define ANNELID_SWEEP_JOURNAL_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sweep_journal;

// Opens the journal at path, which is created if there is none; NULL: it is kept in memory only. It
// must be about this question, or restart is true: then it is emptied. ANL_ERR_IO also if another
// process uses it; ANL_ERR_FORMAT: it is about another question, or damaged, or no journal at all;
// ANL_ERR_MEMORY.
enum anl_status sweep_journal_open(const char *path, uint64_t question, bool restart,
                                   struct sweep_journal **journal, struct anl_error *error);

// NULL if it is not known. The text stays until the journal is closed.
const char *sweep_journal_find(struct sweep_journal *journal, const char *key);

// Neither key (which has no blanks) nor value has a line's end in it. ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status sweep_journal_add(struct sweep_journal *journal, const char *key, const char *value,
                                  struct anl_error *error);

// How many are known.
size_t sweep_journal_count(const struct sweep_journal *journal);

// Frees it; the file goes if it is no longer wanted, or nothing is in it. journal may be NULL.
void sweep_journal_close(struct sweep_journal *journal, bool wanted);

#endif
