// SPDX-License-Identifier: Apache-2.0
//
// The equations: numbers that another program of them gave, the same with one thing wrong, their
// limits, and what is refused.

#include "unit_predict.h"

// --- numbers ---
//
// Those of a separate program of the same equations, to all its digits; length 16 and one lane of
// each kind, Poisson arrivals. A saturation load stands in place of a latency if worms is 0.

struct known {
    uint32_t k, n;
    double length, worms, value, digit;
};
static const struct known known[] = {
    {2, 6, 16, 0.005, 21.880142, 1e-6}, {2, 6, 16, 0.010, 24.480289, 1e-6},
    {2, 6, 16, 0.015, 28.590803, 1e-6}, {2, 6, 16, 0.020, 36.414118, 1e-6},
    {2, 6, 16, 0.025, 58.801024, 1e-6}, {2, 6, 16, 0, 0.0300442, 1e-7},
    {2, 8, 16, 0, 0.0272954, 1e-7},     {2, 10, 16, 0, 0.0249624, 1e-7},
    {2, 6, 32, 0, 0.0150221, 1e-7},     {8, 2, 16, 0.001, 26.044264, 1e-6},
    {8, 2, 16, 0.002, 28.530102, 1e-6}, {8, 2, 16, 0.003, 32.053360, 1e-6},
    {8, 2, 16, 0.004, 38.006199, 1e-6}, {8, 2, 16, 0.005, 54.236475, 1e-6},
    {8, 2, 16, 0, 0.0054985, 1e-7},     {4, 3, 16, 0, 0.0123589, 1e-7},
    {16, 2, 16, 0, 0.0023610, 1e-7},    {8, 2, 32, 0, 0.0027492, 1e-7},
};

static void cube_rates(uint32_t k, uint32_t n, const double *spread, struct anl_rates *rates)
{
    const struct anl_uniform_cube cube = {
        .k = k, .n = n, .lanes = {1, k > 2}, .end_lanes = 1, .spread = spread};
    assert_int_equal(anl_rates_cube(&cube, rates, NULL), ANL_OK);
}

static double latency_of(const struct anl_model *model, const struct anl_rates *rates, double worms)
{
    struct anl_prediction prediction;
    assert_int_equal(anl_model_solve(model, rates, worms, NULL, &prediction), ANL_OK);
    return prediction.saturated ? NAN : prediction.latency;
}

static double value_of(const struct known *row, const struct anl_rates *rates)
{
    const struct anl_model model = anl_model_of_paper(row->length, false);
    double worms;
    if (row->worms > 0) return latency_of(&model, rates, row->worms);
    assert_int_equal(anl_model_saturation(&model, rates, &worms), ANL_OK);
    return worms;
}

static bool is_right(const struct known *row, const struct anl_rates *rates)
{
    return fabs(value_of(row, rates) - row->value) <= 0.51 * row->digit;
}

static void known_numbers_come_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct anl_rates rates;
        cube_rates(known[i].k, known[i].n, NULL, &rates);
        if (!is_right(&known[i], &rates))
            fail_msg("row %zu: %.9g, expected %.9g", i, value_of(&known[i], &rates),
                     known[i].value);
        anl_rates_free(&rates);
    }
}

static void known_spherical_numbers_come_out(void **state)
{
    (void)state;
    static const double numbers[][2] = {{0.01, 22.575861}, {0.02, 30.763458}, {0.03, 75.409786}};
    const struct anl_model model = anl_model_of_paper(16, false);
    double spread[7] = {0};
    struct anl_rates rates;
    for (int h = 1; h <= 6; h++)
        spread[h] = pow(2, 6 - h) / 63;
    cube_rates(2, 6, spread, &rates);
    for (size_t i = 0; i < 3; i++)
        assert_true(fabs(latency_of(&model, &rates, numbers[i][0]) - numbers[i][1]) < 6e-7);
    anl_rates_free(&rates);
}

static void known_parts_come_out(void **state)
{
    (void)state;
    static const double services[] = {17.852474, 18.830226, 19.644002,
                                      20.480692, 21.394638, 22.412998};
    static const double waits[] = {1.998774, 2.277352, 2.532985, 2.819095, 3.159492, 3.574302};
    const struct anl_model model = anl_model_of_paper(16, false);
    struct anl_rates rates;
    struct anl_prediction prediction;
    struct anl_channel_time times[8];
    cube_rates(2, 6, NULL, &rates);
    assert_int_equal(anl_model_solve(&model, &rates, 0.02, times, &prediction), ANL_OK);
    for (int i = 0; i < 6; i++) {  // the last dimension here is the first one there
        assert_true(fabs(times[6 - i].service - services[i]) < 6e-7);
        assert_true(fabs(times[6 - i].wait - waits[i]) < 6e-7);
    }
    assert_true(fabs(times[7].wait - 3.764706) < 6e-7);
    assert_true(fabs(times[0].service - 22.455983) < 6e-7);
    assert_true(fabs(times[0].wait - 9.910517) < 6e-7);
    assert_true(fabs(prediction.source_wait - 9.910517) < 6e-7);
    assert_near(prediction.wait[0], 0, 1e-9);  // only sources feed the first dimension
    anl_rates_free(&rates);
}

static void known_fat_tree_comes_out(void **state)
{
    (void)state;
    static const double numbers[][2] = {{0.003, 22.573614}, {0.005, 24.951941}, {0.007, 29.396407}};
    const struct anl_model model = anl_model_of_paper(16, false);
    struct anl_scenario scenario;
    struct anl_rates rates;
    double worms;
    parse("network: {topology: fat_tree, n: 3}\n"
          "switch: {num_vcs: 1, depth: 2, routing: up_down_greedy}\n"
          "traffic: {pattern: uniform_others, length: 16}\n",
          &scenario);
    const struct anl_workload workload = anl_scenario_workload(&scenario);
    assert_int_equal(anl_rates_walk(&workload, &rates, NULL), ANL_OK);
    for (size_t i = 0; i < 3; i++)
        assert_true(fabs(latency_of(&model, &rates, numbers[i][0]) - numbers[i][1]) < 6e-7);
    assert_int_equal(anl_model_saturation(&model, &rates, &worms), ANL_OK);
    assert_true(fabs(worms - 0.0099833) < 6e-8);
    anl_rates_free(&rates);
    anl_scenario_free(&scenario);
}

// The two calibrated corrections leave alone what is exact, and let a network carry a little more.
static void corrections_are_small(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct anl_rates rates;
        double plain, calibrated;
        const struct anl_model models[] = {anl_model_of_paper(known[i].length, false),
                                           anl_model_of_paper(known[i].length, true)};
        if (known[i].worms > 0) continue;
        cube_rates(known[i].k, known[i].n, NULL, &rates);
        assert_int_equal(anl_model_saturation(&models[0], &rates, &plain), ANL_OK);
        assert_int_equal(anl_model_saturation(&models[1], &rates, &calibrated), ANL_OK);
        assert_true(calibrated > 1.01 * plain && calibrated < 1.1 * plain);
        const double alone = latency_of(&models[0], &rates, 0), few = 1e-6 * plain;
        const double slopes[] = {latency_of(&models[0], &rates, few) - alone,
                                 latency_of(&models[1], &rates, few) - alone};
        assert_true(slopes[0] > 0 && fabs(slopes[1] / slopes[0] - 1) < 1e-3);
        anl_rates_free(&rates);
    }
}

// --- what is wrong shows ---

static void wrong_rate(struct anl_rates *rates) { rates->classes[3].rate *= 1.001; }
static void lost_correction(struct anl_rates *rates)
{
    for (uint32_t i = 0; i < rates->num_flows; i++)
        if (rates->flows[i].to == 3) rates->flows[i].same_lane = 0;
}
static void exchanged_class(struct anl_rates *rates)
{
    for (uint32_t i = 0; i < rates->num_flows; i++)
        if (rates->flows[i].to == 3 || rates->flows[i].to == 4) rates->flows[i].to ^= 7;
}
static void lost_mates(struct anl_rates *rates)
{
    for (uint32_t i = 0; i < rates->num_flows; i++)
        rates->flows[i].mates = 0;
}

static void one_wrong_thing_shows_in_a_known_number(void **state)
{
    (void)state;
    static void (*const wrongs[])(struct anl_rates *) = {wrong_rate, lost_correction,
                                                         exchanged_class, lost_mates};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (size_t wrong = 0; wrong < sizeof wrongs / sizeof *wrongs; wrong++) {
            struct anl_rates rates;
            const bool hypercube = known[i].k == 2;
            if (hypercube == (wrong == 3)) continue;  // only rings have mates
            if (!hypercube && wrong != 3) continue;
            if (known[i].worms == 0) continue;
            cube_rates(known[i].k, known[i].n, NULL, &rates);
            wrongs[wrong](&rates);
            if (is_right(&known[i], &rates)) fail_msg("row %zu, wrong thing %zu", i, wrong);
            anl_rates_free(&rates);
        }
}

// --- forms ---

// In the hypercube all lanes of a class are alike, so both forms are the same; in a ring the
// busiest lane decides, and they differ by less than 0.6 % up to 93 % of the saturation of the
// walked form.
static void both_forms_agree(void **state)
{
    (void)state;
    static const struct {
        enum anl_topology topology;
        uint32_t k, n;
        double most;
    } cubes[] = {{ANL_HYPERCUBE, 2, 6, 1e-9},
                 {ANL_UNIDIRECTIONAL_TORUS, 8, 2, 0.006},
                 {ANL_UNIDIRECTIONAL_TORUS, 4, 3, 0.01}};
    for (size_t i = 0; i < 3; i++) {
        const struct anl_scenario scenario = {
            .network = {.topology = cubes[i].topology,
                        .k = cubes[i].k,
                        .n = cubes[i].n,
                        .num_vcs = 1 + (cubes[i].k > 2),
                        .routing = anl_default_routing(cubes[i].topology)},
            .traffic = {.pattern = ANL_UNIFORM_OTHERS}};
        const struct anl_workload workload = anl_scenario_workload(&scenario);
        const struct anl_model model = anl_model_of_paper(16, false);
        struct anl_rates walked, classes;
        double worms;
        assert_int_equal(anl_rates_walk(&workload, &walked, NULL), ANL_OK);
        for (uint32_t c = 0; c < walked.num_classes; c++)  // a paper's ejection has one lane
            if (walked.classes[c].tier == ANL_TIER_EJECTION) walked.classes[c].lanes = 1;
        for (uint32_t f = 0; f < walked.num_flows; f++)
            if (walked.classes[walked.flows[f].to].tier == ANL_TIER_EJECTION)
                walked.flows[f].same_lane /= scenario.network.num_vcs;
        cube_rates(cubes[i].k, cubes[i].n, NULL, &classes);
        assert_int_equal(anl_model_saturation(&model, &walked, &worms), ANL_OK);
        for (double part = 0.1; part < 0.93; part += 0.1)
            assert_near(latency_of(&model, &walked, part * worms),
                        latency_of(&model, &classes, part * worms), cubes[i].most);
        anl_rates_free(&walked);
        anl_rates_free(&classes);
    }
}

// --- limits ---

// Returns the derivative of the latency over the load at no load, from the flows alone: the first
// worm that another one meets.
static double first_order(const struct anl_rates *rates, double length)
{
    double sum = (length * length - length) / 2, sources = 0, met = 0;
    for (uint32_t i = 0; i < rates->num_classes; i++)
        if (rates->classes[i].tier == ANL_TIER_INJECTION)
            sources += rates->classes[i].rate * rates->classes[i].count;
    for (uint32_t i = 0; i < rates->num_flows; i++) {
        const struct anl_channel_flow *flow = &rates->flows[i];
        const struct anl_channel_class *from = &rates->classes[flow->from];
        const struct anl_channel_class *to = &rates->classes[flow->to];
        const double worms = from->rate * flow->probability;
        double others = to->lanes == 1 ? to->rate * (1 - flow->same_lane) / 2
                                       : to->rate * (1 - flow->same_link) *
                                             (to->lanes / to->links - 1) / (to->lanes - 1);
        if (to->links == 2 && to->lanes == 2)  // a random link is busy: one cycle
            others = to->resampled ? to->rate * (1 - fmin(1, flow->same_lane) / 2) / length : 0;
        met += from->count * worms * (others + flow->mates);
    }
    return sum + length * length * met / sources;
}

static void the_first_worms_meet_as_they_must(void **state)
{
    (void)state;
    static const char *const networks[] = {"mesh, k: 5, n: 2", "hypercube, n: 4",
                                           "unidirectional_torus, k: 5, n: 2", "torus, k: 5, n: 2",
                                           "fat_tree, n: 2"};
    for (size_t i = 0; i < 5; i++)
        for (int lanes = 1; lanes <= 4; lanes *= 2) {
            char text[256];
            struct anl_scenario scenario;
            struct anl_predictor predictor;
            struct anl_prediction prediction;
            const bool dateline = i == 2 || i == 3;
            snprintf(text, sizeof text,
                     "network: {topology: %s}\nswitch: {num_vcs: %d}\ntraffic: {length: 6}\n",
                     networks[i], dateline && lanes == 1 ? 2 : lanes);
            parse(text, &scenario);
            assert_int_equal(anl_predictor_create(&scenario, &predictor, NULL), ANL_OK);
            const double worms = 1e-7;
            assert_int_equal(anl_predictor_at(&predictor, worms * 6, &prediction), ANL_OK);
            const double slope = (prediction.latency - prediction.transfer) / worms;
            assert_near(slope, first_order(&predictor.rates, 6), 2e-5);
            anl_predictor_free(&predictor);
            anl_scenario_free(&scenario);
        }
}

// Latency grows with the load up to saturation; nothing is answered beyond.
static void nothing_is_answered_beyond_saturation(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "network: {topology: mesh, k: 4, n: 2}\n",
        "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 4}\n",
        "network: {topology: torus, k: 5, n: 2}\nswitch: {num_vcs: 3, depth: 1}\n",
        ("network: {topology: torus, k: 5, n: 2, unsafe: true}\nswitch: {routing: "
         "dimension_order}\n"),
        "network: {topology: mesh, k: 3, n: 2}\ntraffic: {pattern: many_to_one}\n",
        "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: 2}\ntraffic: {length: [1,9]}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct anl_scenario scenario;
        struct anl_predictor predictor;
        parse(texts[i], &scenario);
        assert_int_equal(anl_predictor_create(&scenario, &predictor, NULL), ANL_OK);
        double before = 0;
        assert_true(predictor.saturation <= predictor.channel_bound * (1 + 1e-8));
        for (double part = 0; part < 3; part += 0.05) {
            struct anl_prediction prediction;
            assert_int_equal(anl_predictor_at(&predictor, part * predictor.saturation, &prediction),
                             ANL_OK);
            assert_int_equal(prediction.saturated, part >= 0.9999999);
            if (prediction.saturated) continue;
            assert_true(prediction.latency >= before && prediction.source_wait >= 0);
            for (int tier = 0; tier < ANL_NUM_TIERS; tier++)
                assert_true(prediction.wait[tier] >= 0);
            before = prediction.latency;
        }
        anl_predictor_free(&predictor);
        anl_scenario_free(&scenario);
    }
}

static void what_the_model_does_not_reach_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } refused[] = {
        {"network: {topology: mesh, k: 3, n: 2}\ntraffic: {process: bursty}\n", "process bursty"},
        {"network: {topology: mesh, k: 3, n: 2}\ntraffic: {process: batch}\n", "process batch"},
        {"network: {topology: mesh, k: 3, n: 2}\nswitch: {flow_control: store_and_forward, depth: "
         "8}\n",
         "store_and_forward"},
        {"network: {topology: mesh, k: 128, n: 2}\n", "16384 switches"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct anl_scenario scenario;
        struct anl_predictor predictor;
        struct anl_error error;
        parse(refused[i].text, &scenario);
        assert_int_equal(anl_predictor_create(&scenario, &predictor, &error), ANL_ERR_ARGUMENT);
        if (!strstr(error.text, refused[i].why)) fail_msg("%s", error.text);
        anl_scenario_free(&scenario);
    }
}

static void large_rings_have_the_class_form(void **state)
{
    (void)state;
    struct anl_scenario scenario;
    struct anl_predictor predictor;
    struct anl_prediction prediction;
    parse("network: {topology: unidirectional_torus, k: 256, n: 2}\nswitch: {num_vcs: 2}\n",
          &scenario);
    assert_int_equal(anl_predictor_create(&scenario, &predictor, NULL), ANL_OK);
    assert_int_equal(predictor.form, ANL_FORM_CLASSES);
    assert_int_equal(anl_predictor_at(&predictor, predictor.saturation / 2, &prediction), ANL_OK);
    assert_false(prediction.saturated);
    anl_predictor_free(&predictor);
    anl_scenario_free(&scenario);
}

// Worms of one flit, 4 x 4: a search finds 0.651, 0.709, 0.737 and 0.748 with 1, 2, 4 and 8 lanes.
static void more_lanes_cost_short_worms_nothing(void **state)
{
    (void)state;
    static const double found[] = {0.651, 0.709, 0.737, 0.748};
    double before = 0;
    for (uint32_t i = 0; i < 4; i++) {
        struct anl_scenario scenario;
        struct anl_predictor predictor;
        parse("network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 8}\ntraffic: {length: 1}\n",
              &scenario);
        scenario.network.num_vcs = 1u << i;
        assert_int_equal(anl_predictor_create(&scenario, &predictor, NULL), ANL_OK);
        assert_true(fabs(predictor.saturation / found[i] - 1) < (i ? 0.1 : 0.16));
        assert_true(predictor.saturation > 0.95 * before);
        before = predictor.saturation;
        anl_predictor_free(&predictor);
        anl_scenario_free(&scenario);
    }
}

static void only_what_was_measured_is_validated(void **state)
{
    (void)state;
    struct anl_scenario scenario;
    parse("network: {topology: hypercube, n: 6}\nswitch: {depth: 2}\ntraffic: {length: 16}\n",
          &scenario);
    assert_true(anl_predict_validated(&scenario, 0.3) > 0);
    assert_true(anl_predict_validated(&scenario, 0.7) > anl_predict_validated(&scenario, 0.3));
    assert_int_equal(anl_predict_validated(&scenario, 0.85), 0);
    scenario.network.arbiter = ANL_AGE;
    assert_int_equal(anl_predict_validated(&scenario, 0.3), 0);
    scenario.network.arbiter = ANL_ROUND_ROBIN;
    scenario.network.stages = 2;
    assert_int_equal(anl_predict_validated(&scenario, 0.3), 0);
    scenario.network.stages = 1;
    scenario.traffic.lengths[0] = 200;
    assert_int_equal(anl_predict_validated(&scenario, 0.3), 0);
    anl_scenario_free(&scenario);
    load("sim/scenarios/graph_tree.yaml", &scenario);
    scenario.network.arbiter = ANL_ROUND_ROBIN;
    scenario.network.flow_control = ANL_WORMHOLE;
    scenario.traffic.num_lengths = 1;
    scenario.traffic.lengths[0] = 8;
    assert_true(anl_predict_validated(&scenario, 0.5) > 0);
    assert_true(anl_predict_validated_saturation(&scenario) > 0);
    scenario.network.routing = ANL_TABLE;  // which may be any one
    assert_int_equal(anl_predict_validated(&scenario, 0.5), 0);
    assert_int_equal(anl_predict_validated_saturation(&scenario), 0);
    anl_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers_come_out),
        cmocka_unit_test(known_spherical_numbers_come_out),
        cmocka_unit_test(known_parts_come_out),
        cmocka_unit_test(known_fat_tree_comes_out),
        cmocka_unit_test(corrections_are_small),
        cmocka_unit_test(one_wrong_thing_shows_in_a_known_number),
        cmocka_unit_test(both_forms_agree),
        cmocka_unit_test(the_first_worms_meet_as_they_must),
        cmocka_unit_test(nothing_is_answered_beyond_saturation),
        cmocka_unit_test(what_the_model_does_not_reach_is_refused),
        cmocka_unit_test(large_rings_have_the_class_form),
        cmocka_unit_test(more_lanes_cost_short_worms_nothing),
        cmocka_unit_test(only_what_was_measured_is_validated),
    };
    return cmocka_run_group_tests_name("predict_model", tests, NULL, NULL);
}
