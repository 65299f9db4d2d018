// SPDX-License-Identifier: Apache-2.0
//
// The referee of sliding diagonals: it takes what the model does, also where worms fail, and for
// each rule it notices a game that breaks this rule, in the step and in the register where it is
// broken.

#include "unit.h"

#include <annelid/annelid.h>
#include <annelid/diagonals.h>
#include <annelid/diagonals_referee.h>
#include <string.h>

enum { MOST = 4096, MOST_WORMS = 1024 };

struct scene {
    struct anl_flit standing[MOST], leaving[MOST];
    size_t num_standing, num_leaving;
};

static struct anl_diagonals_torus torus_of(const struct anl_diagonals_config *config)
{
    return (struct anl_diagonals_torus){.n = config->n,
                                        .d = config->d,
                                        .length = config->length,
                                        .a = config->a,
                                        .b = config->b,
                                        .c = config->c,
                                        .rounds = config->rounds,
                                        .forward = config->forward,
                                        .round_cycles = config->round_cycles};
}

static struct anl_flit flit_in(const struct anl_diagonals_config *config, uint32_t link,
                               const struct anl_diagonals_register *has)
{
    return (struct anl_flit){.link = link,
                             .worm = has->worm,
                             .index = (uint16_t)has->index,
                             .head = has->index == 0,
                             .tail = has->index + 1 == config->length};
}

// What stands in the registers, and what does not come to a register in this step.
static void look(const struct anl_diagonals_config *config, struct anl_diagonals *machine,
                 struct scene *scene)
{
    static struct anl_diagonals_register now[MOST], next[MOST];
    static bool stays[MOST_WORMS][16];
    const uint32_t links = config->n * config->n * (config->d == 3 ? config->n : 1) * 2 * config->d;
    assert_true(links <= MOST && config->length <= 16);
    anl_diagonals_registers(machine, now);
    anl_diagonals_step(machine);
    anl_diagonals_registers(machine, next);
    memset(stays, 0, sizeof stays);
    for (uint32_t link = 0; link < links; link++)
        if (next[link].valid) stays[next[link].worm][next[link].index] = true;
    scene->num_standing = scene->num_leaving = 0;
    for (uint32_t link = 0; link < links; link++) {
        if (!now[link].valid) continue;
        const struct anl_flit flit = flit_in(config, link, &now[link]);
        scene->standing[scene->num_standing++] = flit;
        if (!stays[flit.worm][flit.index]) scene->leaving[scene->num_leaving++] = flit;
    }
}

static uint64_t start_of(const struct anl_diagonals_config *config, uint32_t batch)
{
    const uint64_t stage = anl_diagonals_stage_cycles(config);
    return batch * (config->d > 2 ? 2 * stage : stage + anl_diagonals_delivery_cycles(config));
}

static struct anl_diagonals_referee *referee_for(const struct anl_diagonals_config *config,
                                                 const struct anl_diagonals_worm *worms,
                                                 uint32_t count)
{
    struct anl_diagonals_referee *referee;
    const struct anl_diagonals_torus torus = torus_of(config);
    assert_int_equal(anl_diagonals_referee_create(&torus, &referee), ANL_OK);
    for (uint32_t i = 0; i < count; i++) {
        const struct anl_worm worm = {.source = worms[i].source,
                                      .destination = worms[i].destination,
                                      .created = start_of(config, worms[i].batch),
                                      .length = (uint16_t)config->length};
        assert_int_equal(anl_diagonals_referee_worm(referee, &worm), ANL_OK);
    }
    return referee;
}

// --- what the model does ---

static void fate(struct anl_diagonals *machine, struct anl_diagonals_referee *referee,
                 uint64_t *all_failed)
{
    const struct anl_diagonals_totals totals = anl_diagonals_totals(machine);
    uint64_t delivered, failed;
    assert_true(anl_diagonals_referee_end(referee));
    anl_diagonals_referee_count(referee, &delivered, &failed);
    assert_int_equal(delivered, totals.states[ANL_DIAGONALS_DELIVERED]);
    assert_int_equal(failed, totals.states[ANL_DIAGONALS_ROW_FULL] +
                                 totals.states[ANL_DIAGONALS_RESERVOIR_FULL] +
                                 totals.states[ANL_DIAGONALS_LEFT]);
    for (unsigned i = 0; i < ANL_DIAGONALS_STATES; i++)
        all_failed[i] += totals.states[i];
}

static void play(const struct anl_diagonals_config *config, uint32_t batches, struct anl_rng *rng,
                 uint64_t *fates)
{
    static struct anl_diagonals_worm worms[MOST_WORMS];
    static struct scene scene;
    const uint32_t n = config->n, nodes = n * n * (config->d == 3 ? n : 1);
    struct anl_diagonals *machine;
    assert_int_equal(anl_diagonals_create(config, &machine, NULL), ANL_OK);
    for (uint32_t node = 0; node < nodes; node++)
        worms[node] = (struct anl_diagonals_worm){
            .source = node,
            .destination = anl_rng_below(rng, nodes),
            .batch = (node % n + node / n % n + node / n / n) % batches};
    assert_int_equal(anl_diagonals_load(machine, worms, nodes, NULL), ANL_OK);
    struct anl_diagonals_referee *referee = referee_for(config, worms, nodes);
    for (uint64_t step = 0; !anl_diagonals_done(machine); step++) {
        look(config, machine, &scene);
        if (!anl_diagonals_referee_step(referee, step, scene.standing, scene.num_standing,
                                        scene.leaving, scene.num_leaving)) {
            const struct anl_diagonals_violation *why = anl_diagonals_referee_violation(referee);
            fail_msg("%s in step %u, register %u, worm %u", anl_diagonals_rule_name(why->rule),
                     (unsigned)why->step, why->link, why->worm);
        }
    }
    fate(machine, referee, fates);
    anl_diagonals_referee_destroy(referee);
    anl_diagonals_destroy(machine);
}

// Tori of two and three dimensions, in which worms fail in all ways.
static void it_takes_what_the_model_does(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, d, length, a, b, c, batches;
    } tori[] = {{8, 2, 1, 2, 2, 2, 4},  {8, 2, 2, 2, 1, 2, 4},  {8, 2, 2, 1, 2, 4, 4},
                {16, 2, 1, 2, 1, 2, 2}, {12, 2, 2, 1, 2, 4, 4}, {12, 2, 3, 2, 1, 2, 6},
                {8, 3, 1, 2, 2, 2, 8},  {8, 3, 2, 2, 1, 2, 8},  {8, 3, 1, 2, 1, 4, 2}};
    uint64_t fates[ANL_DIAGONALS_STATES] = {0};
    struct anl_rng rng = anl_rng_seed(4, 0);
    for (size_t i = 0; i < sizeof tori / sizeof *tori; i++)
        for (uint32_t paper = 0; paper < 2; paper++) {
            struct anl_diagonals_config config = {.n = tori[i].n,
                                                  .d = tori[i].d,
                                                  .length = tori[i].length,
                                                  .a = tori[i].a,
                                                  .b = tori[i].b,
                                                  .c = tori[i].c};
            anl_diagonals_short_rounds(&config);
            if (paper) anl_diagonals_paper_rounds(&config);
            if (anl_diagonals_check(&config, NULL)) continue;
            play(&config, tori[i].batches, &rng, fates);
        }
    assert_true(fates[ANL_DIAGONALS_ROW_FULL] > 10);
    assert_true(fates[ANL_DIAGONALS_RESERVOIR_FULL] > 10);
    assert_true(fates[ANL_DIAGONALS_LEFT] > 10);
}

// --- false steps ---

enum { STEPS = 400, WORMS = 2, LENGTH = 2, NONE = -1 };
enum { X_PLUS, X_MINUS, Y_PLUS, Y_MINUS, LINKS };

// Two worms of two flits: the register of each flit at the start of each step, and whether it
// leaves.
struct game {
    struct anl_diagonals_config config;
    struct anl_diagonals_worm worms[WORMS];
    int place[STEPS][WORMS][LENGTH];
    bool leaves[STEPS][WORMS][LENGTH];
    uint32_t steps;
    int changed_mark;  // the step in which the tail mark of flit 0 of worm 0 is wrong
};

// Worms from (5,0) and (2,1), which go to (6,3) and to (1,6).
static void fill(struct game *game)
{
    static struct scene scene;
    struct anl_diagonals *machine;
    memset(game, 0, sizeof *game);
    game->config =
        (struct anl_diagonals_config){.n = 8, .d = 2, .length = 2, .a = 2, .b = 1, .c = 2};
    anl_diagonals_short_rounds(&game->config);
    game->worms[0] = (struct anl_diagonals_worm){.source = 5, .destination = 30, .batch = 0};
    game->worms[1] = (struct anl_diagonals_worm){.source = 10, .destination = 49, .batch = 0};
    game->changed_mark = NONE;
    assert_int_equal(anl_diagonals_create(&game->config, &machine, NULL), ANL_OK);
    assert_int_equal(anl_diagonals_load(machine, game->worms, WORMS, NULL), ANL_OK);
    memset(game->place, NONE, sizeof game->place);
    for (; !anl_diagonals_done(machine); game->steps++) {
        assert_true(game->steps < STEPS);
        look(&game->config, machine, &scene);
        for (size_t i = 0; i < scene.num_standing; i++)
            game->place[game->steps][scene.standing[i].worm][scene.standing[i].index] =
                (int)scene.standing[i].link;
        for (size_t i = 0; i < scene.num_leaving; i++)
            game->leaves[game->steps][scene.leaving[i].worm][scene.leaving[i].index] = true;
    }
    assert_int_equal(anl_diagonals_totals(machine).states[ANL_DIAGONALS_DELIVERED], WORMS);
    anl_diagonals_destroy(machine);
}

static void add(const struct game *game, uint32_t step, bool leaving, struct scene *scene)
{
    struct anl_flit *flits = leaving ? scene->leaving : scene->standing;
    size_t *count = leaving ? &scene->num_leaving : &scene->num_standing;
    *count = 0;
    for (uint32_t worm = 0; worm < WORMS; worm++)
        for (uint32_t index = 0; index < LENGTH; index++) {
            const int link = game->place[step][worm][index];
            if (link == NONE || (leaving && !game->leaves[step][worm][index])) continue;
            const struct anl_diagonals_register has = {.worm = worm, .index = index};
            flits[*count] = flit_in(&game->config, (uint32_t)link, &has);
            if ((int)step == game->changed_mark && worm == 0 && index == 0)
                flits[*count].tail = true;
            ++*count;
        }
}

static struct anl_diagonals_violation judge(const struct game *game)
{
    static struct scene scene;
    struct anl_diagonals_referee *referee = referee_for(&game->config, game->worms, WORMS);
    bool good = true;
    for (uint32_t step = 0; step < game->steps; step++) {
        add(game, step, false, &scene);
        add(game, step, true, &scene);
        good = anl_diagonals_referee_step(referee, step, scene.standing, scene.num_standing,
                                          scene.leaving, scene.num_leaving);
    }
    good = anl_diagonals_referee_end(referee) && good;
    const struct anl_diagonals_violation violation = *anl_diagonals_referee_violation(referee);
    assert_int_equal(good, violation.rule == ANL_DIAGONALS_KEPT);
    anl_diagonals_referee_destroy(referee);
    return violation;
}

static void expect(const struct game *game, const char *rule, uint32_t step, int link)
{
    const struct anl_diagonals_violation violation = judge(game);
    assert_string_equal(anl_diagonals_rule_name(violation.rule), rule);
    assert_int_equal(violation.step, step);
    assert_int_equal((int)violation.link, link);
}

// Returns the first step from a given one on in which the head of worm 0 is in a register of a
// port.
static uint32_t first(const struct game *game, uint32_t step, int port)
{
    while (game->place[step][0][0] == NONE || game->place[step][0][0] % LINKS != port) {
        step++;
        assert_true(step < game->steps);
    }
    return step;
}

// Returns the register that a node's link leads to, for the node of a register.
static int next_from(int link, int port)
{
    static const int dx[] = {1, 7, 0, 0}, dy[] = {0, 0, 1, 7};
    const int node = link / LINKS, x = (node % 8 + dx[port]) % 8, y = (node / 8 + dy[port]) % 8;
    return (8 * y + x) * LINKS + port;
}

// Lets the head of worm 0 go by another port, in the step in which it first comes to one.
static void go_wrong(uint32_t since, int port, int instead, const char *rule)
{
    static struct game game;
    fill(&game);
    const uint32_t step = first(&game, since, port);
    const int link = next_from(game.place[step - 1][0][0], instead);
    game.place[step][0][0] = link;
    expect(&game, rule, step, link);
}

static void it_takes_the_game(void **state)
{
    (void)state;
    static struct game game;
    fill(&game);
    expect(&game, "kept", 0, 0);
}

// Phases of the game: n + L = 10, c + 2 L = 6, and rounds from step 36 on.
static void it_notices_a_head_that_goes_wrong(void **state)
{
    (void)state;
    go_wrong(0, X_PLUS, X_MINUS, "distribution");  // passes its turn node
    go_wrong(10, Y_PLUS, X_PLUS, "phase_1");       // passes its column block
    go_wrong(10, X_MINUS, Y_PLUS, "reorder");      // climbs on
    go_wrong(37, X_PLUS, X_MINUS, "phase_2");      // goes back too early
    go_wrong(36, Y_PLUS, X_PLUS, "phase_2");       // passes its column
    go_wrong(36, Y_MINUS, Y_PLUS, "reservoir");    // climbs on to the next row block
}

static void it_notices_what_stands(void **state)
{
    (void)state;
    static struct game game;
    uint32_t step;
    fill(&game);  // in front of its slot
    step = first(&game, 0, X_PLUS) + 1;
    memcpy(game.place[step], game.place[step - 1], sizeof game.place[step]);
    expect(&game, "distribution", step, game.place[step][0][0]);

    fill(&game);  // falls through the bottom
    for (step = first(&game, 36, Y_MINUS); game.place[step][0][0] != game.place[step - 1][0][0];)
        step++;
    game.place[step][0][0] = next_from(game.place[step - 1][0][0], Y_MINUS);
    expect(&game, "reservoir", step, game.place[step][0][0]);

    fill(&game);  // the flit behind a head that goes
    step = first(&game, 10, Y_PLUS);
    game.place[step][0][1] = game.place[step - 1][0][1];
    expect(&game, "contiguous", step, game.place[step][0][1]);
}

static void it_notices_who_leaves(void **state)
{
    (void)state;
    static struct game game;
    uint32_t step;
    fill(&game);  // its row is not full
    game.leaves[3][0][0] = true;
    expect(&game, "distribution", 3, game.place[3][0][0]);

    fill(&game);  // its reservoir is not full
    step = first(&game, 36, Y_PLUS);
    game.leaves[step][0][0] = true;
    expect(&game, "reservoir", step, game.place[step][0][0]);

    fill(&game);  // in another row than its own
    for (step = 0; !game.leaves[step][0][0];)
        step++;
    game.leaves[step - 1][0][0] = true;
    expect(&game, "delivery", step - 1, game.place[step - 1][0][0]);

    fill(&game);  // it passes its row
    game.leaves[step][0][0] = false;
    game.place[step + 1][0][0] = next_from(game.place[step][0][0], Y_MINUS);
    expect(&game, "delivery", step + 1, game.place[step + 1][0][0]);

    fill(&game);  // the tail leaves beside the head
    game.leaves[step][0][1] = true;
    expect(&game, "contiguous", step, game.place[step][0][1]);
}

static void it_notices_flits_that_cannot_be(void **state)
{
    (void)state;
    static struct game game;
    fill(&game);
    game.changed_mark = 5;
    expect(&game, "unknown_flit", 5, game.place[5][0][0]);

    fill(&game);  // it leaves from where it is not
    game.place[399][0][0] = game.place[2][0][0];
    game.leaves[399][0][0] = true;
    game.steps = 400;
    expect(&game, "enters", 399, game.place[399][0][0]);

    fill(&game);
    game.place[6][1][0] = game.place[6][0][0];
    expect(&game, "one_flit", 6, game.place[6][0][0]);

    fill(&game);  // a step too early
    game.place[1][0][1] = next_from(game.place[1][0][0], X_MINUS);
    expect(&game, "enters", 1, game.place[1][0][1]);

    fill(&game);
    game.place[20][0][1] = NONE;
    expect(&game, "lost", 20, game.place[19][0][1]);

    fill(&game);
    game.steps = 100;
    expect(&game, "lost", 100, game.place[99][0][0]);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct anl_diagonals_referee *referee;
    struct anl_diagonals_torus torus = {8, 2, 2, 2, 1, 2, 8, 4, 14}, wrong = torus;
    wrong.b = 3;
    assert_int_equal(anl_diagonals_referee_create(&wrong, &referee), ANL_ERR_ARGUMENT);
    assert_null(referee);
    wrong = torus;
    wrong.d = 9;
    assert_int_equal(anl_diagonals_referee_create(&wrong, &referee), ANL_ERR_ARGUMENT);
    wrong = torus;
    wrong.n = 1 << 16;
    assert_int_equal(anl_diagonals_referee_create(&wrong, &referee), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_diagonals_referee_create(&torus, &referee), ANL_OK);
    struct anl_worm worm = {.source = 5, .destination = 64, .length = 2};
    assert_int_equal(anl_diagonals_referee_worm(referee, &worm), ANL_ERR_ARGUMENT);
    worm = (struct anl_worm){.source = 5, .destination = 6, .length = 3};
    assert_int_equal(anl_diagonals_referee_worm(referee, &worm), ANL_ERR_ARGUMENT);
    worm = (struct anl_worm){.source = 5, .destination = 6, .length = 2, .created = 7};
    assert_int_equal(anl_diagonals_referee_worm(referee, &worm), ANL_ERR_ARGUMENT);
    anl_diagonals_referee_destroy(referee);
    anl_diagonals_referee_destroy(NULL);
}

static void rules_have_names_and_words(void **state)
{
    (void)state;
    for (int rule = ANL_DIAGONALS_UNKNOWN_FLIT; rule <= ANL_DIAGONALS_LOST; rule++) {
        assert_string_equal(anl_rule_name(ANL_RULE_OF(ANL_DIAGONALS, rule)),
                            anl_diagonals_rule_name((enum anl_diagonals_rule)rule));
        assert_true(strlen(anl_rule_text(ANL_RULE_OF(ANL_DIAGONALS, rule))) > 15);
    }
    assert_string_equal(anl_rule_name(ANL_RULE_OF(ANL_DIAGONALS, ANL_DIAGONALS_LOST)), "lost");
    assert_string_equal(anl_rule_name(ANL_RULE_OF(ANL_DIAGONALS, ANL_DIAGONALS_LOST + 1)), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_takes_what_the_model_does),
        cmocka_unit_test(it_takes_the_game),
        cmocka_unit_test(it_notices_a_head_that_goes_wrong),
        cmocka_unit_test(it_notices_what_stands),
        cmocka_unit_test(it_notices_who_leaves),
        cmocka_unit_test(it_notices_flits_that_cannot_be),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(rules_have_names_and_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
