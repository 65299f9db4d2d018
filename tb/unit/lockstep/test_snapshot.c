// SPDX-License-Identifier: Apache-2.0
//
// Snapshots against snapshot.h: a run of the golden model that is resumed sends the same flits in
// the same cycles, from the newest snapshot, and as often as wanted.

#include "unit.h"

#include "waves/snapshot.h"

#include <annelid/annelid.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CYCLES = 1000, MOST = 6 };

// What a resumed run leaves behind.
struct found {
    uint64_t stop;         // cycle after which it must end
    uint64_t taken_up_at;  // cycle of the snapshot
    uint64_t sums[CYCLES];
    bool crash;
};

struct run {
    struct anl_engine *net;
    struct anl_rng rng;
    uint64_t sums[CYCLES];  // [cycle] hash of its flits
};

static uint64_t sum_of(const struct anl_engine *net)
{
    size_t count = 0;
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    uint64_t sum = count;
    for (size_t i = 0; i < count; i++)
        sum = sum * 1000003 + flits[i].link * 64 + flits[i].vc + ((uint64_t)flits[i].worm << 32) +
              flits[i].index;
    return sum;
}

static void step(struct run *run)
{
    const uint32_t terminals = 16;
    if (anl_rng_below(&run->rng, 4) == 0) {
        uint32_t source = anl_rng_below(&run->rng, terminals);
        uint32_t destination = anl_rng_below(&run->rng, terminals);
        assert_int_equal(anl_engine_enqueue(run->net, source, destination, 5, NULL), ANL_OK);
    }
    uint64_t cycle = anl_engine_cycle(run->net);
    anl_engine_step(run->net);
    run->sums[cycle] = sum_of(run->net);
}

static void leave_found(struct snapshots *snapshots, const struct run *run, uint64_t from)
{
    struct found *found = snapshots_shared(snapshots);
    if (found->crash) abort();
    found->taken_up_at = from;
    memcpy(found->sums, run->sums, sizeof run->sums);
    _exit(0);
}

// Runs all cycles; a process that was resumed ends after the one that it was asked for.
static void go(struct snapshots *snapshots, struct run *run)
{
    const struct found *found = snapshots_shared(snapshots);
    uint64_t from = UINT64_MAX;
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        if (from == UINT64_MAX && snapshots_pass(snapshots, cycle)) {
            from = cycle;
            memset(run->sums, 0, sizeof run->sums);
        }
        step(run);
        if (from != UINT64_MAX && cycle == found->stop) leave_found(snapshots, run, from);
    }
}

static void create(struct run *run, struct snapshots **snapshots)
{
    static const struct anl_config config = {
        .topology = ANL_MESH, .k = 4, .n = 2, .num_vcs = 2, .depth = 2, .flit_width_bits = 32};
    *run = (struct run){0};
    run->rng = anl_rng_seed(7, 0);
    assert_int_equal(anl_engine_create(&config, &run->net), ANL_OK);
    anl_engine_record(run->net, true);
    assert_int_equal(snapshots_create(MOST, 8, sizeof(struct found), snapshots), ANL_OK);
}

static void taken_up_run_is_the_same(void **unused)
{
    (void)unused;
    struct snapshots *snapshots;
    struct run run;
    create(&run, &snapshots);
    struct found *found = snapshots_shared(snapshots);
    go(snapshots, &run);
    static const uint64_t asked[] = {0, 1, 500, 999, 123, 998, 0};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        memset(found->sums, 0, sizeof found->sums);
        found->stop = asked[i] + 20 < CYCLES ? asked[i] + 20 : CYCLES - 1;
        assert_int_equal(snapshots_take_up(snapshots, asked[i]), ANL_OK);
        assert_true(found->taken_up_at <= asked[i]);
        assert_true(asked[i] - found->taken_up_at < CYCLES / (MOST / 2) + 1);
        for (uint64_t cycle = found->taken_up_at; cycle <= found->stop; cycle++)
            assert_int_equal(found->sums[cycle], run.sums[cycle]);
    }
    snapshots_destroy(snapshots);
    anl_engine_destroy(run.net);
}

static void copy_that_breaks_off_is_noticed(void **unused)
{
    (void)unused;
    struct snapshots *snapshots;
    struct run run;
    create(&run, &snapshots);
    struct found *found = snapshots_shared(snapshots);
    go(snapshots, &run);
    found->stop = 30;
    found->crash = true;
    assert_int_equal(snapshots_take_up(snapshots, 20), ANL_ERR_IO);
    found->crash = false;
    assert_int_equal(snapshots_take_up(snapshots, 20), ANL_OK);
    snapshots_destroy(snapshots);
    anl_engine_destroy(run.net);
}

// No copy outlives the first process: destroy has waited for each.
static void no_copy_is_left(void **unused)
{
    (void)unused;
    struct snapshots *snapshots;
    struct run run;
    create(&run, &snapshots);
    assert_int_equal(snapshots_take_up(snapshots, 5), ANL_ERR_ARGUMENT);
    go(snapshots, &run);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), 0);
    snapshots_destroy(snapshots);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    anl_engine_destroy(run.net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken_up_run_is_the_same),
        cmocka_unit_test(copy_that_breaks_off_is_noticed),
        cmocka_unit_test(no_copy_is_left),
    };
    return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
