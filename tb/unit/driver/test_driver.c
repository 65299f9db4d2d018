// SPDX-License-Identifier: Apache-2.0
//
// Terminals and watch around a switch that is nobody's, in each style: a good one breaks no rule
// and all is delivered; of a bad one the first broken rule is named, in its cycle.

#include "star.h"

#include <annelid/scenario.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static const char *const network =
    "network: {topology: graph}\n"
    "switch: {num_vcs: 2, depth: 4, flit_width_bits: 32, routing: shortest}\n"
    "traffic: {load: 0.4, length: [1, 3, 6]}\n"
    "run: {cycles: 2000, warmup_cycles: 200, max_cycles: 20000}\n"
    "graph: {switches: 1, terminals: [0.0, 0.1, 0.2, 0.3], links: []}\n";

static void write_file(const char *path, const char *format, const char *word)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, format, word);
    assert_int_equal(fclose(file), 0);
}

struct bench {
    struct star star;
    struct anl_driver *drive;
    const char *more[2];  // settings, or NULL
    char scenario[64], links[64], text[1 << 15];
    FILE *out;
};

static void open_bench(struct bench *bench, enum anl_link_style style, double hesitation,
                       const char *seed, bool exact)
{
    struct anl_error error = {0};
    // Without credits nobody says how deep lanes are. So a flit that is lost is missed by its worm
    // before its place is.
    const char *settings[] = {seed, exact ? "switch.depth=4" : "switch.depth=16", bench->more[0],
                              bench->more[1]};
    snprintf(bench->scenario, sizeof bench->scenario, "/tmp/annelid-drive-%d.yaml", (int)getpid());
    snprintf(bench->links, sizeof bench->links, "/tmp/annelid-drive-%d-links.yaml", (int)getpid());
    write_file(bench->scenario, "%s", network);
    write_file(bench->links,
               "style: %s\nwidth: 34\nmarks: {head: 33, tail: 32}\n"
               "head: {destination: {at: 0, width: 3}, length: {at: 3, width: 4}}\n",
               anl_style_name(style));
    bench->out = fmemopen(bench->text, sizeof bench->text - 1, "w");
    const struct anl_driver_options options = {.live = {.links = bench->links,
                                                        .settings = settings,
                                                        .num_settings = bench->more[0] ? 4 : 2,
                                                        .patience_cycles = 200,
                                                        .out = bench->out},
                                               .hesitation = hesitation};
    if (anl_driver_create(bench->scenario, &options, &bench->drive, &error))
        fail_msg("%s:%d: %s", error.file, (int)error.line, error.text);
    star_create(&bench->star, bench->drive);
    bench->star.config = &anl_live_scenario(anl_driver_live(bench->drive))->network;
}

static bool run(struct bench *bench)
{
    while (star_cycle(&bench->star))
        ;
    const bool good = anl_driver_end(bench->drive);
    fflush(bench->out);
    return good;
}

static void close_bench(struct bench *bench)
{
    anl_driver_destroy(bench->drive);
    fclose(bench->out);
    unlink(bench->scenario);
    unlink(bench->links);
}

static void a_good_switch_breaks_no_rule(void **unused)
{
    (void)unused;
    static const double hesitations[] = {0, 0.1, 0.5};
    for (unsigned style = 0; style < ANL_NUM_STYLES; style++)
        for (unsigned h = 0; h < 3; h++) {
            struct bench bench = {0};
            open_bench(&bench, style, hesitations[h], "run.seed=3", true);
            if (!run(&bench))
                fail_msg("%s, hesitation %g:\n%s", anl_style_name(style), hesitations[h],
                         bench.text);
            const struct anl_driver_result result = anl_driver_result(bench.drive);
            assert_true(result.delivered == result.worms && result.worms > 500);
            assert_true(result.measured > 400 && result.latency > 3 && result.least_hop == 1);
            assert_true(result.accepted > 0.3 && result.accepted < 0.5);
            close_bench(&bench);
        }
}

// Terminals let a head go when the whole worm has room, where the receiver says how much there is.
static void a_whole_worm_has_room(void **unused)
{
    (void)unused;
    for (unsigned style = 0; style <= ANL_STYLE_CREDIT_PULSE_SHARED; style++) {
        struct bench bench = {
            .more = {"switch.flow_control=cut_through", "traffic.length=[1, 3, 4]"}};
        open_bench(&bench, style, 0.1, "run.seed=3", true);
        bench.star.admits = true;
        if (!run(&bench)) fail_msg("%s:\n%s", anl_style_name(style), bench.text);
        assert_true(anl_driver_result(bench.drive).worms > 500);
        close_bench(&bench);
    }
}

// The names of the rules that are told, by style and fault.
static const char *const told[ANL_NUM_STYLES][STAR_NUM_FAULTS] = {
    [ANL_STYLE_CREDIT] = {NULL, "out_of_order", "out_of_order", "early_credit", "lost_credit",
                          "lane_shared or split_worm"},
    [ANL_STYLE_CREDIT_PULSE_SHARED] = {NULL, "out_of_order", "out_of_order", "early_credit",
                                       "lost_credit", "lane_shared or split_worm"},
    [ANL_STYLE_READY_VALID] = {NULL, "out_of_order", "out_of_order", "withdrawn", "changed",
                               "lane_shared or split_worm"},
    [ANL_STYLE_READY_VALID_PER_LANE] = {NULL, "out_of_order", "out_of_order", "changed", "changed",
                                        "lane_shared or split_worm"},
    [ANL_STYLE_STOP_GO] = {NULL, "out_of_order", "out_of_order", "sent_at_stop", "overflow",
                           "lane_shared or split_worm"},
};

// The cycle that is told is the one in which the rule is broken; of a lost credit, the one since
// which a credit of the lane has been missing without a break (docs/lockstep.md).
static bool is_in_time(const struct anl_finding *finding, uint64_t cycle)
{
    if (strcmp(finding->what, "lost_credit") != 0) return finding->cycle == cycle;
    return finding->cycle <= cycle && cycle - finding->cycle < 2 * STAR_DEPTH;
}

static void try_fault(enum anl_link_style style, enum star_fault fault, const char *seed)
{
    struct bench bench = {0};
    open_bench(&bench, style, 0.3, seed,
               style <= ANL_STYLE_CREDIT_PULSE_SHARED || fault == STAR_LATE);
    bench.star.fault = fault;
    bench.star.from = 300;
    const bool good = run(&bench);
    const struct anl_finding *finding = anl_live_finding(anl_driver_live(bench.drive));
    if (good || !finding || !bench.star.committed || !strstr(told[style][fault], finding->what) ||
        !is_in_time(finding, bench.star.cycle))
        fail_msg("%s, fault %d, %s: %s in cycle %d, expected %s in cycle %d\n%s",
                 anl_style_name(style), fault, seed, finding ? finding->what : "nothing",
                 finding ? (int)finding->cycle : -1, told[style][fault], (int)bench.star.cycle,
                 bench.text);
    close_bench(&bench);
}

static void each_fault_is_named_in_its_cycle(void **unused)
{
    (void)unused;
    for (unsigned style = 0; style < ANL_NUM_STYLES; style++)
        for (unsigned fault = STAR_LOST; fault < STAR_NUM_FAULTS; fault++)
            for (unsigned seed = 1; told[style][fault] && seed <= 5; seed++) {
                char setting[32];
                snprintf(setting, sizeof setting, "run.seed=%u", seed);
                try_fault(style, fault, setting);
            }
}

static void links_must_be_described(void **unused)
{
    (void)unused;
    struct anl_driver *drive;
    struct anl_error error = {0};
    const struct anl_driver_options options = {0};
    assert_int_equal(
        anl_driver_create("sim/scenarios/mesh4_uniform.yaml", &options, &drive, &error),
        ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "no file describes its links"));
    assert_null(drive);
}

#define MARKS "marks: {head: 33, tail: 32}\n"
#define TYPE "type: {at: 32, width: 2, "

// Each description is read, but its heads cannot say all worms of the scenario.
static void heads_must_say_the_worms(void **unused)
{
    (void)unused;
    static const char *const heads[] = {
        MARKS "head: {destination: {at: 0, width: 3}, length: {at: 3, width: 2}}",
        MARKS "head: {destination: {at: 0, width: 3}, length: {at: 3, width: 3, plus: 2}}",
        MARKS "head: {destination: {at: 0, width: 3, plus: 1}}",
        TYPE "head: [1], tail: [2]}\nhead: {destination: {at: 0, width: 3}}",
        TYPE "head: [1, 3], tail: [3]}\nhead: {destination: {at: 0, width: 3}}",
        TYPE "head: [0, 1, 3], tail: [2, 3]}\nhead: {destination: {at: 0, width: 3}}"};
    char scenario[64], links[64];
    snprintf(scenario, sizeof scenario, "/tmp/annelid-drive-%d.yaml", (int)getpid());
    snprintf(links, sizeof links, "/tmp/annelid-drive-%d-links.yaml", (int)getpid());
    write_file(scenario, "%s", network);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        const struct anl_driver_options options = {.live = {.links = links}};
        struct anl_driver *drive;
        struct anl_error error = {0};
        write_file(links, "style: credit\nwidth: 34\n%s\n", heads[i]);
        assert_int_equal(anl_driver_create(scenario, &options, &drive, &error), ANL_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, "head: found fields that cannot say a worm of"));
        assert_int_equal(error.line, 4);
    }
    unlink(scenario);
    unlink(links);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_switch_breaks_no_rule),
        cmocka_unit_test(a_whole_worm_has_room),
        cmocka_unit_test(each_fault_is_named_in_its_cycle),
        cmocka_unit_test(links_must_be_described),
        cmocka_unit_test(heads_must_say_the_worms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
