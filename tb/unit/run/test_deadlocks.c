// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis must report a deadlock in the cycle in which it closes, and only then. The
// moves of heads, as the net shows them, are the witness, over seeds of the unsafe torus and over
// the safe scenarios of the standard regression. With the argument "full" these run to their ends
// instead of SHORT cycles.

#include "lesson.h"

enum { SEEDS = 50, SHORT = 1500 };

static bool full;

// The last moves of heads, and what the blocking analysis answered when it first reported a
// deadlock.
struct witness {
    uint64_t *moved;  // [worm] 1 + last cycle in which its head crossed a link
    size_t size;
    uint64_t fed;  // cycle of the first report; UINT64_MAX: none
    uint32_t *dead;
    size_t num_dead;
};

static void note_heads(struct witness *witness, const struct anl_engine *net)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    for (size_t i = 0; i < count; i++) {
        if (!flits[i].head) continue;
        if (flits[i].worm >= witness->size) {
            const size_t size = 2 * (size_t)flits[i].worm + 64;
            witness->moved = realloc(witness->moved, size * sizeof *witness->moved);
            memset(witness->moved + witness->size, 0,
                   (size - witness->size) * sizeof *witness->moved);
            witness->size = size;
        }
        witness->moved[flits[i].worm] = anl_engine_cycle(net);
    }
}

static bool is_dead(const struct witness *witness, uint32_t worm)
{
    for (size_t i = 0; i < witness->num_dead; i++)
        if (witness->dead[i] == worm) return true;
    return false;
}

// The circle must consist of dead worms, each held by the next.
static void check_circle(const struct anl_blocking *blocking, const struct witness *witness)
{
    size_t count;
    const uint32_t *circle = anl_blocking_circle(blocking, &count);
    assert_true(count > 1);
    for (size_t i = 0; i < count; i++) {
        assert_true(circle[0] <= circle[i]);
        assert_true(is_dead(witness, circle[i]));
        assert_int_equal(anl_blocking_held_by(blocking, circle[i]), circle[(i + 1) % count]);
    }
}

static bool bear_witness(struct lesson *lesson, const struct anl_engine *net)
{
    struct witness *witness = lesson->user;
    note_heads(witness, net);
    if (witness->fed == UINT64_MAX && anl_blocking_deadlocked(lesson->blocking) != UINT64_MAX) {
        witness->fed = anl_blocking_cycle(lesson->blocking);
        assert_true(anl_blocking_deadlocked(lesson->blocking) == witness->fed);
        assert_int_equal(anl_blocking_dead(lesson->blocking, &witness->dead, &witness->num_dead),
                         ANL_OK);
        check_circle(lesson->blocking, witness);
    }
    return true;
}

// Returns the first cycle in which no head of these worms moves any more.
static uint64_t at_rest(const struct witness *witness, const uint32_t *worms, size_t count)
{
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t moved = worms[i] < witness->size ? witness->moved[worms[i]] : 0;
        if (moved > last) last = moved;
    }
    return last;
}

struct tally {
    unsigned runs, deadlocks, late_circles;
    uint64_t cycles, sooner;  // of all runs: cycles; cycles from the deadlock to the end
};

// If the run stalls, the analysis must report it in the cycle after the last move of a head of the
// worms that were dead then. If it does not stall, the analysis must never report a deadlock.
static void judge(const struct lesson *lesson, const struct witness *witness, struct tally *tally)
{
    const bool stalled = lesson->result.end == ANL_RUN_STALLED;
    tally->runs++;
    tally->cycles += lesson->result.cycles;
    assert_int_equal(stalled, witness->fed != UINT64_MAX);
    if (!stalled) return;

    size_t count;
    const uint32_t *circle = anl_blocking_circle(lesson->blocking, &count);
    assert_true(witness->fed == at_rest(witness, witness->dead, witness->num_dead));
    tally->late_circles += witness->fed != at_rest(witness, circle, count);
    tally->deadlocks++;
    tally->sooner += lesson->result.cycles - witness->fed;
}

static void run_one(struct lesson *lesson, struct tally *tally)
{
    struct witness witness = {.fed = UINT64_MAX};
    lesson->look = bear_witness;
    lesson->user = &witness;
    lesson_run(lesson);
    judge(lesson, &witness, tally);
    free(witness.moved);
    free(witness.dead);
    lesson_free(lesson);
}

static struct tally run_seeds(const char *name, const char *const *settings, uint32_t seeds)
{
    struct tally tally = {0};
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct lesson lesson = lesson_load(name, settings);
        lesson.scenario.run.seed = seed;
        run_one(&lesson, &tally);
    }
    printf("%s: %u runs, %.0f cycles, %u deadlocks, on average %.0f cycles before the end; "
           "%u closed by a worm that hangs on the circle\n",
           name, tally.runs, (double)tally.cycles, tally.deadlocks,
           tally.deadlocks ? (double)tally.sooner / tally.deadlocks : 0.0, tally.late_circles);
    return tally;
}

static void an_unsafe_torus_is_dead_in_the_cycle_it_closes(void **state)
{
    (void)state;
    const uint32_t seeds = unit_trials(SEEDS);
    assert_int_equal(run_seeds("deadlock_torus5", NULL, seeds).deadlocks, seeds);
}

// There are several worms in a lane, and lanes with room for some worms but not for others.
static void rings_full_of_short_worms_too(void **state)
{
    (void)state;
    const char *const many[][5] = {
        {"traffic.worms_per_terminal=200", "traffic.length=1,2,3", "switch.depth=3"},
        {"traffic.worms_per_terminal=200", "traffic.length=1,2", "switch.num_vcs=2"},
        {"traffic.worms_per_terminal=200", "traffic.length=2", "switch.num_vcs=2",
         "switch.depth=4"},
        {"traffic.worms_per_terminal=200", "traffic.length=1,3", "switch.depth=4",
         "switch.flow_control=cut_through"},
        {"traffic.worms_per_terminal=200", "traffic.length=1,2,4", "switch.depth=5",
         "switch.flow_control=store_and_forward"},
    };
    const uint32_t seeds = unit_trials(SEEDS);
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        assert_int_equal(run_seeds("deadlock_ring5", many[i], seeds).deadlocks, seeds);
}

static void arbitration_decides_between_life_and_death(void **state)
{
    (void)state;
    const char *const by_lot[] = {"switch.arbiter=random", NULL};
    const struct tally tally = run_seeds("lesson_torus_deadlock", by_lot, SEEDS);
    assert_between(tally.deadlocks, 1, SEEDS - 1);
}

// ---------------------------------------------------------------- no false alarm

// Leaves out what the blocking analysis does not know.
static void run_safe(const char *name, uint64_t seed, struct tally *tally)
{
    struct lesson lesson = lesson_load(name, NULL);
    if (anl_blocking_unknown(&lesson.scenario.network)) {
        lesson_free(&lesson);
        return;
    }
    lesson.scenario.run.seed = seed;
    if (!full && lesson.scenario.run.max_cycles > SHORT) {
        lesson.scenario.run.max_cycles = SHORT;
        if (lesson.scenario.run.cycles > SHORT) lesson.scenario.run.cycles = SHORT;
    }
    run_one(&lesson, tally);
}

static void safe_scenarios_raise_no_alarm(void **state)
{
    (void)state;
    struct tally tally = {0};
    char line[256], name[128];
    unsigned first, last;
    FILE *list = fopen("sim/suites/standard.suite", "r");
    assert_non_null(list);
    for (uint32_t number = 0; fgets(line, sizeof line, list);) {
        if (line[0] == '#' || strstr(line, "stalls") || strchr(line, '=')) continue;
        if (number++ % unit_step(4)) continue;
        const int found = sscanf(line, "%127s %u-%u", name, &first, &last);
        assert_true(found >= 2);
        for (uint64_t seed = first; seed <= (found == 3 ? last : first); seed++)
            run_safe(name, seed, &tally);
        assert_int_equal(tally.deadlocks, 0);
    }
    fclose(list);
    printf("standard suite: %u safe runs, %.0f cycles, no alarm\n", tally.runs,
           (double)tally.cycles);
    assert_true(tally.runs >= 40 / unit_step(4));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unsafe_torus_is_dead_in_the_cycle_it_closes),
        cmocka_unit_test(rings_full_of_short_worms_too),
        cmocka_unit_test(arbitration_decides_between_life_and_death),
        cmocka_unit_test(safe_scenarios_raise_no_alarm),
    };
    full = argc > 1 && !strcmp(argv[1], "full");
    return cmocka_run_group_tests_name("deadlocks", tests, NULL, NULL);
}
