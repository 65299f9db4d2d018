// SPDX-License-Identifier: Apache-2.0
//
// The journal in memory is a tree of its lines by their keys (tsearch()).

#include "sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static const char first_words[] = "annelid sweep journal 1, question ";

struct sweep_journal {
    const char *path;
    FILE *file;            // NULL: in memory only
    pthread_mutex_t lock;  // protects what follows
    void *all;             // root of the tree
    size_t count;
};

// Compares keys. Each element of the tree is a text: the key, terminated, and then its value.
static int by_key(const void *a, const void *b) { return strcmp(a, b); }

static const char *value_of(const char *element) { return element + strlen(element) + 1; }

// Adds a line to the tree; does nothing if the key is there already.
static enum anl_status insert(struct sweep_journal *journal, const char *key, const char *value,
                              struct anl_error *error)
{
    char *element = NULL;
    if (asprintf(&element, "%s%c%s", key, '\0', value) < 0) return cli_fail(ANL_ERR_MEMORY, error);
    char **at = tsearch(element, &journal->all, by_key);
    const bool is_new = at && *at == element;
    if (!is_new) free(element);
    journal->count += is_new;
    return cli_fail(at ? ANL_OK : ANL_ERR_MEMORY, error);
}

// --- reading ---

static uint64_t checksum(const char *key, const char *value)
{
    return XXH3_64bits_withSeed(value, strlen(value), XXH3_64bits(key, strlen(key)));
}

static enum anl_status damaged(const struct sweep_journal *journal, uint64_t line,
                               struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_FORMAT, journal->path, line,
                    "this line is damaged; --restart throws away what was done so far");
}

// Adds the line "checksum key value", without its line's end, to the tree.
static enum anl_status read_line(struct sweep_journal *journal, char *text, uint64_t line,
                                 struct anl_error *error)
{
    char *rest = text;
    const char *sum = strsep(&rest, " "), *key = strsep(&rest, " ");
    if (!key || !rest) return damaged(journal, line, error);
    char expected[17];
    snprintf(expected, sizeof expected, "%016" PRIx64, checksum(key, rest));
    if (strcmp(sum, expected) != 0) return damaged(journal, line, error);
    return insert(journal, key, rest, error);
}

static enum anl_status check_question(const struct sweep_journal *journal, const char *text,
                                      uint64_t question, bool restart, struct anl_error *error)
{
    char expected[80];
    snprintf(expected, sizeof expected, "%s%016" PRIx64, first_words, question);
    if (strncmp(text, first_words, strlen(first_words)) != 0)
        return anl_fail(error, ANL_ERR_FORMAT, journal->path, 1,
                        "this is no journal of a sweep: move it away, or give another -o");
    if (restart || strcmp(text, expected) == 0) return ANL_OK;
    return anl_fail(error, ANL_ERR_FORMAT, journal->path, 0,
                    "left by a sweep of another scenario or with other settings: --restart throws "
                    "it away, or give another -o");
}

// Reads the whole lines; *good receives how many bytes they have. A last line without a line's end
// was cut short and is not read.
static enum anl_status read_lines(struct sweep_journal *journal, uint64_t question, bool restart,
                                  off_t *good, struct anl_error *error)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t bytes;
    uint64_t line = 0;
    enum anl_status status = ANL_OK;
    *good = 0;
    while (!status && (bytes = getline(&text, &room, journal->file)) > 0 &&
           text[bytes - 1] == '\n') {
        text[bytes - 1] = '\0';
        line++;
        if (line == 1)
            status = check_question(journal, text, question, restart, error);
        else if (!restart)
            status = read_line(journal, text, line, error);
        *good += bytes;
    }
    if (!status && line == 0 && bytes > 0)
        status = check_question(journal, text, question, restart, error);
    free(text);
    return status;
}

// --- writing ---

static enum anl_status lost(const struct sweep_journal *journal, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_IO, journal->path, 0, "cannot write: %s", strerror(errno));
}

// Cuts the file after the good lines, and writes the first line of an empty journal.
static enum anl_status settle(struct sweep_journal *journal, uint64_t question, off_t good,
                              struct anl_error *error)
{
    if (fseeko(journal->file, good, SEEK_SET) || ftruncate(fileno(journal->file), good))
        return lost(journal, error);
    if (good == 0) fprintf(journal->file, "%s%016" PRIx64 "\n", first_words, question);
    return fflush(journal->file) ? lost(journal, error) : ANL_OK;
}

// Returns whether path is free or names an ordinary file.
static bool may_be_journal(const char *path)
{
    struct stat there;
    return stat(path, &there) ? errno == ENOENT : S_ISREG(there.st_mode);
}

static enum anl_status open_file(struct sweep_journal *journal, uint64_t question, bool restart,
                                 struct anl_error *error)
{
    if (!may_be_journal(journal->path))
        return anl_fail(error, ANL_ERR_IO, journal->path, 0, "cannot write: not an ordinary file");
    journal->file = fopen(journal->path, "a+");
    if (!journal->file) return lost(journal, error);
    if (flock(fileno(journal->file), LOCK_EX | LOCK_NB))
        return anl_fail(error, ANL_ERR_IO, journal->path, 0, "another sweep writes this file now");
    off_t good;
    const enum anl_status status = read_lines(journal, question, restart, &good, error);
    return status ? status : settle(journal, question, restart ? 0 : good, error);
}

// Frees the journal and leaves its file unchanged.
static void discard(struct sweep_journal *journal)
{
    if (journal->file) fclose(journal->file);
    tdestroy(journal->all, free);
    pthread_mutex_destroy(&journal->lock);
    free(journal);
}

enum anl_status sweep_journal_open(const char *path, uint64_t question, bool restart,
                                   struct sweep_journal **journal, struct anl_error *error)
{
    *journal = calloc(1, sizeof **journal);
    if (!*journal) return cli_fail(ANL_ERR_MEMORY, error);
    (*journal)->path = path;
    pthread_mutex_init(&(*journal)->lock, NULL);
    const enum anl_status status = path ? open_file(*journal, question, restart, error) : ANL_OK;
    if (!status) return ANL_OK;
    discard(*journal);
    *journal = NULL;
    return status;
}

// --- use ---

const char *sweep_journal_find(struct sweep_journal *journal, const char *key)
{
    pthread_mutex_lock(&journal->lock);
    char *const *found = tfind(key, &journal->all, by_key);
    const char *value = found ? value_of(*found) : NULL;
    pthread_mutex_unlock(&journal->lock);
    return value;
}

// Writes a line with one call, so that an interrupt does not cut it.
static enum anl_status write_line(struct sweep_journal *journal, const char *key, const char *value,
                                  struct anl_error *error)
{
    fprintf(journal->file, "%016" PRIx64 " %s %s\n", checksum(key, value), key, value);
    return fflush(journal->file) ? lost(journal, error) : ANL_OK;
}

enum anl_status sweep_journal_add(struct sweep_journal *journal, const char *key, const char *value,
                                  struct anl_error *error)
{
    pthread_mutex_lock(&journal->lock);
    enum anl_status status = insert(journal, key, value, error);
    if (!status && journal->file) status = write_line(journal, key, value, error);
    pthread_mutex_unlock(&journal->lock);
    return status;
}

size_t sweep_journal_count(const struct sweep_journal *journal) { return journal->count; }

void sweep_journal_close(struct sweep_journal *journal, bool wanted)
{
    if (!journal) return;
    if (journal->file && (!wanted || !journal->count)) unlink(journal->path);
    discard(journal);
}
