// SPDX-License-Identifier: Apache-2.0
//
// Searches the cases of one network for one that fails in lock-step. libFuzzer chooses the cases,
// and the options are libFuzzer's. A mismatch is printed on stderr and aborts. The other use is:
//
//   shrink CASE DIRECTORY [DUT]   makes a failing case smaller and writes it as a scenario, with
//   the
//                                 report of the lock-step; exit status 1, or 0 if the case passes.
//                                 DUT: the file that was built in, for the replay command
//
// Exit status 2: it cannot be done.

#include "keep.h"
#include "mutator.h"
#include "shrink.h"

#include <stdlib.h>
#include <string.h>

// A function of libFuzzer's library: it tries cases, and returns or exits at the end of the search.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*try)(const uint8_t *bytes, size_t size));
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);  // changes of bytes
// libFuzzer calls this function instead, if it exists.
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);

// libFuzzer passes only bytes to the functions that it calls.
static struct trial searched;

static int search_one(const uint8_t *bytes, size_t size)
{
    struct test_case test;
    struct lockstep_result result;
    case_decode(&searched.limits, bytes, size, &test);
    if (!trial_run(&searched, &test, &result)) exit(2);
    if (result.pass) return 0;
    fprintf(stderr, "MISMATCH: %s\n", result.reason);
    abort();
}

// Every second change is one of libFuzzer's, which also crosses cases.
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    struct test_case test;
    if (room < CASE_BYTES || seed % 2) return LLVMFuzzerMutate(bytes, size, room);
    case_decode(&searched.limits, bytes, size, &test);
    mutate_worms(&searched.limits, &test, seed / 2);
    return case_encode(&searched.limits, &test, bytes);
}

static int search(int argc, char **argv)
{
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere || !trial_open(&searched, ANL_SCENARIO, nowhere)) return 2;
    int status = LLVMFuzzerRunDriver(&argc, &argv, search_one);
    trial_close(&searched);
    fclose(nowhere);
    return status;
}

static bool read_case(const char *path, const struct case_limits *limits, struct test_case *test)
{
    uint8_t bytes[CASE_BYTES];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    bool read = file && !ferror(file);
    if (!read) perror(path);
    if (file) fclose(file);
    if (read) case_decode(limits, bytes, size, test);
    return read;
}

// Runs the shrunken case as the scenario that was written. Returns the exit status.
static int show(struct trial *trial, const struct test_case *test, const char *directory,
                const char *dut)
{
    struct lockstep_result result;
    char path[4096];
    snprintf(path, sizeof path, "%s/scenario.yaml", directory);
    trial->path = path;
    trial->dut = dut;
    trial->report = stdout;
    tell(trial, test, stdout);
    if (!trial_run(trial, test, &result)) return 2;
    if (!result.difference.count) printf("%s\n", result.pass ? "passes" : result.reason);
    return !result.pass;
}

static int shrink_case(struct trial *trial, char **words)
{
    struct test_case test;
    struct lockstep_result result;
    if (!read_case(words[0], &trial->limits, &test) || !trial_run(trial, &test, &result)) return 2;
    if (!result.pass && !shrink(trial, &test)) return 2;
    if (!keep(trial, &test, words[1])) return 2;
    return show(trial, &test, words[1], words[2]);
}

int main(int argc, char **argv)
{
    struct trial trial;
    if (argc < 2 || strcmp(argv[1], "shrink") != 0) return search(argc, argv);
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: %s shrink CASE DIRECTORY [DUT]\n", argv[0]);
        return 2;
    }
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere || !trial_open(&trial, ANL_SCENARIO, nowhere)) return 2;
    int status = shrink_case(&trial, argv + 2);
    trial_close(&trial);
    fclose(nowhere);
    return status;
}
