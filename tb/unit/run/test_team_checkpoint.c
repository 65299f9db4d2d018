// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints of teams (docs/checkpoint.md): a run that is stopped again and again, and goes on
// with another number of members each time, has the result, the digest and the verdict of one that
// never stopped. What a team leaves is byte for byte what one process leaves after the same cycle.

#include "team.h"

#include <sys/stat.h>
#include <unistd.h>

static char room[] = "/tmp/annelid-team-XXXXXX";
static char team_path[64], one_path[64];

static bool end_run(void *user, const struct anl_engine *engine)
{
    (void)user, (void)engine;
    return false;
}

// Runs a scenario with so many members (0: in one process without a team) from what is at the path,
// to its end or until it is stopped after so many cycles.
static struct anl_run_result run_some(const struct anl_scenario *scenario, uint32_t members,
                                      const char *path, uint64_t cycles)
{
    static struct group group;
    const struct anl_checkpoint checkpoint = {.path = path, .every = 41, .name = "inline"};
    const struct anl_run_options options = {.digest = true,
                                            .referee = true,
                                            .checkpoint = path ? &checkpoint : NULL,
                                            .progress_cycles = cycles,
                                            .progress = cycles ? end_run : NULL};
    struct anl_run_result result;
    struct anl_error error = {0};
    if (members == 0) {
        if (anl_run(scenario, &options, &result, &error)) fail_msg("%s", error.text);
        return result;
    }
    run_group(&group, scenario, members, &options);
    for (uint32_t m = 0; m < members; m++)
        if (group.members[m].status)
            fail_msg("member %u of %u: %s", m, members, group.members[m].error.text);
    free_group(&group);
    return group.members[0].result;
}

// Compares what a team has left with what one process leaves after the same cycle.
static void expect_same_checkpoint(const struct anl_scenario *scenario, uint64_t cycles)
{
    static char bytes[2][1 << 20];
    const char *const paths[] = {team_path, one_path};
    size_t count[2];
    assert_int_equal(run_some(scenario, 0, one_path, cycles).cycles, cycles);
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(paths[i], "rb");
        assert_non_null(file);
        count[i] = fread(bytes[i], 1, sizeof bytes[i], file);
        assert_true(count[i] < sizeof bytes[i]);
        fclose(file);
    }
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(bytes[0], bytes[1], count[0]);
    unlink(one_path);
}

static void same_results(const struct anl_run_result *one, const struct anl_run_result *kept)
{
    for (enum anl_run_line line = 0; line < ANL_RUN_LINES; line++) {
        char a[ANL_RUN_LINE_BYTES] = "", b[ANL_RUN_LINE_BYTES] = "";
        if (line == ANL_LINE_SPEED) continue;
        anl_run_line(one, line, a, sizeof a);
        anl_run_line(kept, line, b, sizeof b);
        assert_string_equal(a, b);
    }
    assert_true(one->digest == kept->digest);
    assert_int_equal(one->totals.flit_hops, kept->totals.flit_hops);
    assert_int_equal(one->totals.ejected_flits, kept->totals.ejected_flits);
    assert_int_equal(one->totals.queued, kept->totals.queued);
    assert_int_equal(one->cycles, kept->cycles);
}

static void try_text(const char *text, uint32_t trial)
{
    static const uint32_t sizes[] = {1, 3, 0, 5, 2};
    struct anl_scenario scenario;
    struct anl_error error;
    if (anl_scenario_parse(text, strlen(text), "inline", "", &scenario, &error))
        fail_msg("%s\n%s", error.text, text);
    const struct anl_run_result whole = run_some(&scenario, 0, NULL, 0);
    struct anl_run_result kept = {0};
    for (uint32_t i = 0; i <= 4; i++) {
        const uint32_t size = sizes[(trial + i) % 5];
        kept = run_some(&scenario, size, team_path, i < 4 ? 13 + 29 * i + trial : 0);
        if (kept.end != ANL_RUN_STOPPED) break;
        if (i == 1) expect_same_checkpoint(&scenario, kept.cycles);
    }
    same_results(&whole, &kept);
    unlink(team_path);
    anl_scenario_free(&scenario);
}

static void teams_of_other_sizes_go_on(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++)
        try_text(texts[i], i);
}

// Members that do not find the same checkpoint do not begin.
static void members_read_the_same(void **state)
{
    static struct group group;
    struct anl_scenario scenario;
    struct anl_error error;
    const struct anl_checkpoint checkpoint = {.path = team_path, .every = 41, .name = "inline"};
    const struct anl_checkpoint other = {.path = one_path, .every = 41, .name = "inline"};
    const struct anl_run_options options = {.checkpoint = &checkpoint};
    (void)state;
    assert_int_equal(
        anl_scenario_parse(texts[0], strlen(texts[0]), "inline", "", &scenario, &error), ANL_OK);
    run_some(&scenario, 2, team_path, 20);
    begin_group(&group, &scenario, 2, &options);
    group.members[1].options.checkpoint = &other;
    end_group(&group);
    for (uint32_t m = 0; m < 2; m++) {
        assert_int_not_equal(group.members[m].status, ANL_OK);
        assert_non_null(strstr(group.members[m].error.text, "not all ranks read the same"));
    }
    free_group(&group);
    unlink(team_path);
    anl_scenario_free(&scenario);
}

static int make_room(void **state)
{
    (void)state;
    if (!mkdtemp(room)) return -1;
    snprintf(team_path, sizeof team_path, "%s/team.ckpt", room);
    snprintf(one_path, sizeof one_path, "%s/one.ckpt", room);
    return 0;
}

static int leave_room(void **state)
{
    (void)state;
    return rmdir(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teams_of_other_sizes_go_on),
        cmocka_unit_test(members_read_the_same),
    };
    return cmocka_run_group_tests_name("team checkpoint", tests, make_room, leave_room);
}
