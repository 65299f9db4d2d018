// SPDX-License-Identifier: Apache-2.0
//
// A run of the golden model, written as a waveform in several forms, gives the flit trace that a
// watch writes which is told of the same wires. Files that are cut are read up to there; files that
// are no VCD files, or are spoiled, are refused or read, but never more.

#include "waveform.h"

enum { TEXT_BYTES = 1 << 25 };

static char *read_text(const char *path, size_t *bytes)
{
    char *text = calloc(1, TEXT_BYTES);
    FILE *file = fopen(path, "r");
    assert_true(text && file);
    *bytes = fread(text, 1, TEXT_BYTES - 1, file);
    assert_true(*bytes < TEXT_BYTES - 1);
    fclose(file);
    return text;
}

// What became of a waveform that a watch has seen.
struct outcome {
    enum anl_status status;
    struct anl_error error;
    uint64_t cycles, flits, unknown_flits;
    char what[24];
    char text[16384];
};

static void watch(struct anl_recorded *recorded, struct anl_live *live, struct outcome *outcome)
{
    bool there = true;
    size_t count;
    while (!outcome->status) {
        outcome->status = anl_recorded_next(recorded, &there, &outcome->error);
        if (outcome->status || !there) break;
        outcome->status = anl_recorded_tell(recorded, live, &outcome->error);
        if (outcome->status) break;
        anl_live_cycle(live);
        anl_live_flits(live, &count);
        outcome->flits += count;
    }
    outcome->cycles = anl_recorded_cycles(recorded);
    outcome->unknown_flits = anl_recorded_unknown_flits(recorded);
    if (anl_live_finding(live)) strcpy(outcome->what, anl_live_finding(live)->what);
    anl_live_end(live);
}

// Lets a watch see a waveform in memory, which is taken as dump.vcd.
static void see(const char *vcd, size_t bytes, const struct anl_probes *probes, const char *trace,
                struct outcome *outcome)
{
    FILE *file = fmemopen((void *)vcd, bytes, "r");
    FILE *out = fmemopen(outcome->text, sizeof outcome->text - 1, "w");
    struct anl_recorded *recorded;
    struct anl_live *live;
    const struct anl_live_options options = {.trace = trace, .out = out};
    *outcome = (struct outcome){0};
    assert_true(file && out);
    outcome->status = anl_recorded_open(file, "dump.vcd", probes, &recorded, &outcome->error);
    if (!outcome->status) {
        assert_int_equal(anl_live_create(anl_probes_network(probes), &options, &live, NULL),
                         ANL_OK);
        watch(recorded, live, outcome);
        anl_live_destroy(live);
    }
    anl_recorded_close(recorded);
    fclose(file);
    fclose(out);
}

static struct anl_probes *load(const struct replay *replay, enum form form)
{
    char path[64];
    struct anl_probes *probes;
    struct anl_error error = {0};
    replay_path(path, "-map.yaml");
    waveform_map(replay, form, path);
    if (anl_probes_load(path, NULL, 0, &probes, &error)) fail_msg("%s", error.text);
    unlink(path);
    return probes;
}

static void create(struct replay *replay, const char *name, const char *const *settings,
                   size_t count)
{
    char path[80];
    snprintf(path, sizeof path, "sim/scenarios/%s.yaml", name);
    replay_create(replay, path, settings, count);
    replay->announced = false;
}

static const char *const few[] = {"run.cycles=120"};

static void waveform_gives_the_trace_of_the_watch(const char *name, enum form form)
{
    struct replay replay;
    struct outcome outcome;
    char vcd_path[64], trace_path[64];
    size_t bytes;
    create(&replay, name, few, 1);
    replay_watch(&replay, 0);
    replay_path(vcd_path, ".vcd");
    replay_path(trace_path, "-recorded.txt");
    waveform_create(&replay, form, vcd_path);
    struct anl_probes *probes = load(&replay, form);
    char *vcd = read_text(vcd_path, &bytes);
    see(vcd, bytes, probes, trace_path, &outcome);
    if (outcome.status || outcome.what[0])
        fail_msg("%s, form %d: %s %s", name, form, outcome.error.text, outcome.text);
    assert_int_equal(outcome.cycles, replay.cycles);
    assert_true(outcome.flits > 100);
    assert_int_equal(outcome.unknown_flits, 0);
    size_t unused;
    char *told = read_text(replay.live_trace, &unused), *seen = read_text(trace_path, &unused);
    if (strcmp(told, seen) != 0) fail_msg("%s, form %d: another trace", name, form);
    free(told);
    free(seen);
    free(vcd);
    anl_probes_destroy(probes);
    unlink(vcd_path);
    unlink(trace_path);
    replay_destroy(&replay);
}

static void waveforms_give_traces(void **unused)
{
    static const char *const names[] = {"mesh4_uniform", "torus8_uniform", "graph_star",
                                        "fattree16_lanes"};
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (enum form form = 0; form < NUM_FORMS; form++)
            if ((i + form) % unit_step(3) == 0)
                waveform_gives_the_trace_of_the_watch(names[i], form);
}

// A small run with its waveform, for files that are spoiled.
struct small {
    struct replay replay;
    struct anl_probes *probes;
    char *vcd;
    size_t bytes, declarations;
};

static void make_small(struct small *small, enum form form)
{
    static const char *const settings[] = {"run.cycles=30", "network.k=2", "network.n=1"};
    char path[64];
    create(&small->replay, "mesh3_complement", settings, 3);
    replay_path(path, ".vcd");
    waveform_create(&small->replay, form, path);
    small->probes = load(&small->replay, form);
    small->vcd = read_text(path, &small->bytes);
    small->declarations = (size_t)(strstr(small->vcd, "$enddefinitions $end") - small->vcd) + 20;
    unlink(path);
}

static void free_small(struct small *small)
{
    anl_probes_destroy(small->probes);
    free(small->vcd);
    replay_destroy(&small->replay);
}

static void files_are_read_to_where_they_are_cut(void **unused)
{
    struct small small;
    struct outcome whole, outcome;
    (void)unused;
    make_small(&small, SCOPES);
    see(small.vcd, small.bytes, small.probes, NULL, &whole);
    assert_int_equal(whole.status, ANL_OK);
    uint64_t cycles = 0;
    for (size_t bytes = 1; bytes < small.bytes;
         bytes += bytes < small.declarations ? 7 : (1 + bytes % 3) * unit_share()) {
        see(small.vcd, bytes, small.probes, NULL, &outcome);
        const bool declared = bytes >= small.declarations;
        if (!outcome.status != declared || outcome.what[0])
            fail_msg("%zu bytes: %s %s", bytes, outcome.error.text, outcome.text);
        if (!declared) assert_non_null(strstr(outcome.error.text, "the end of the file, expected"));
        assert_true(outcome.cycles >= cycles);
        cycles = outcome.cycles;
    }
    assert_between(cycles, whole.cycles - 2, whole.cycles);
    free_small(&small);
}

// A change of the clock counts if its code is whole.
static void a_cut_code_is_no_change(void **unused)
{
    static const char *const ends[] = {"#1000000\n1#", "#1000000\n1#\n"};
    struct small small;
    struct outcome outcome[2];
    (void)unused;
    make_small(&small, SCOPES);
    char *text = calloc(1, TEXT_BYTES);
    for (size_t i = 0; i < 2; i++) {
        snprintf(text, TEXT_BYTES, "%s#999999\n0#\n%s", small.vcd, ends[i]);
        see(text, strlen(text), small.probes, NULL, &outcome[i]);
    }
    assert_int_equal(outcome[0].cycles + 1, outcome[1].cycles);
    free(text);
    free_small(&small);
}

// A waveform in which one text stands in place of another, and what is said of it.
struct refusal {
    const char *old, *new, *says;
};

static const struct refusal refusals[] = {
    {"$date", "\x89HDF", "found '\x89HDF', expected a declaration of a VCD file"},
    {"$date", "date", "found 'date', expected a declaration of a VCD file, such as $var"},
    {"$upscope", "$upscope $end $upscope $end $upscope $end $upscope", "expected $scope before it"},
    {"# clk", "# clock", "clock: dump.vcd has no signal 'bench.net.clk', expected one"},
    {"# clk", "# clock", "; the name most like it is 'bench.net.clock'"},
    {"module bench $end", "module b $end $scope module u $end $upscope $end",
     "like it is 'b.net.clk'"},
    {"wire 1 # clk", "wire 2 # clk", "clock: found 2 wires in dump.vcd, expected 1"},
    {"wire 1 # clk", "wire one # clk", "found 'one', expected the width of a variable"},
    {"wire 1 # clk", "real 1 # clk", "has no signal 'bench.net.clk'"},
    {"# clk $end", "# $end", "found no name of a variable"},
    {"# clk", "################ clk", "found the code '################', expected at most 15"},
    {"vc [3:0]", "vc [7:4]", NULL},
    {"wire 4 ", "wire 33 ", "vc of link 0(0).+0: found 33 wires in dump.vcd, expected at most 32"},
    {"# clk $end", "# clk $end $var wire 1 # clk $end", NULL},  // twice the same
    {"# clk $end", "# clk $end $var wire 1 ~ clk $end",
     "dump.vcd has signals 'bench.net.clk' and 'bench.net.clk' for 'bench.net.clk', expected one"},
    {"$scope module bench",
     "$scope module u $end $scope module bench $end $scope module net $end $var wire 1 ~ clk $end "
     "$upscope $end $upscope $end $upscope $end $scope module v $end $scope module bench $end "
     "$scope module net $end $var wire 1 ! clk $end $upscope $end $upscope $end $upscope $end "
     "$scope module bench",
     NULL},  // the whole name goes before those without a scope
    {"$scope module bench",
     "$scope module u $end $scope module bench $end $scope module net $end $var wire 1 ~ clk $end "
     "$upscope $end $upscope $end $upscope $end $scope module v $end $scope module bench",
     "dump.vcd has signals 'u.bench.net.clk' and 'v.bench.net.clk' for 'bench.net.clk', expected"},
    {"#20\n", "#2\n", "found '#2', expected a time of 15 or later"},
    {"#20\n", "#20x\n", "found '#20x', expected a time of"},
    {"#20\n", "?20\n", "found '?20', expected a time, or a change of a variable"},
    {"#20\n", "#20\n1\n", "found '1', expected a value and the code of a variable"},
    {"#20\n", "#20\nb2 #\n", "found 'b2', expected b and bits"},
    {"1$\n", "1$\n$comment 1$ 0%", NULL},
    {"1$\n", "z$\n", NULL},  // in reset for ever
};

// Of vectors.
static const struct refusal refused_vectors[] = {
    {"wire 8 ! valid [7:0]", "wire 8 ! valid [0:40]", NULL},  // a range of another width
    {"wire 8 ! valid [7:0]", "wire 7 ! valid [6:0]",
     "has no signal 'bench.net.valid[7]', whose "
     "bits are [6:0]"},
    {"wire 8 ! valid [7:0]", "wire 8 ! valid [8:1]",
     "has no signal 'bench.net.valid[0]', whose "
     "bits are [8:1]"},
    {"#25\n", "#25\nbx0 !\n", "is neither 0 nor 1 at the edge of time 30"},  // x of all above
};

static void are_refused(enum form form, const struct refusal *list, size_t count)
{
    struct small small;
    make_small(&small, form);
    char *text = calloc(1, TEXT_BYTES);
    for (size_t i = 0; i < count; i++) {
        const struct refusal *refusal = &list[i];
        const char *at = strstr(small.vcd, refusal->old);
        struct outcome outcome;
        if (!at) fail_msg("no '%s'", refusal->old);
        snprintf(text, TEXT_BYTES, "%.*s%s%s", (int)(at - small.vcd), small.vcd, refusal->new,
                 at + strlen(refusal->old));
        see(text, strlen(text), small.probes, NULL, &outcome);
        const bool right = refusal->says ? outcome.status == ANL_ERR_FORMAT &&
                                               strstr(outcome.error.text, refusal->says)
                                         : !outcome.status;
        if (!right)
            fail_msg("%s: %s, expected %s", refusal->new, outcome.error.text, refusal->says);
    }
    free(text);
    free_small(&small);
}

static void files_are_refused(void **unused)
{
    (void)unused;
    are_refused(SCOPES, refusals, sizeof refusals / sizeof *refusals);
    are_refused(VECTORS, refused_vectors, sizeof refused_vectors / sizeof *refused_vectors);
}

// A bit that is neither 0 nor 1 is told where it matters, and in a flit it is 0.
static void unknown_values_are_told(void **unused)
{
    struct small small;
    struct outcome outcome;
    (void)unused;
    make_small(&small, SCOPES);
    char valid[16];
    snprintf(valid, sizeof valid, "\n1%s\n", waveform_code(8 * 1 + VALID));
    char *at = strstr(small.vcd + small.declarations, valid);
    assert_non_null(at);
    at[1] = 'x';
    see(small.vcd, small.bytes, small.probes, NULL, &outcome);
    assert_int_equal(outcome.status, ANL_ERR_FORMAT);
    assert_non_null(strstr(outcome.error.text, "valid of link 0(0).+0 is neither 0 nor 1"));
    at[1] = '0';
    see(small.vcd, small.bytes, small.probes, NULL, &outcome);
    assert_int_equal(outcome.status, ANL_OK);
    assert_true(outcome.what[0]);  // a flit is missing
    free_small(&small);
}

static void reset_ends_the_watch(void **unused)
{
    struct small small;
    struct outcome outcome;
    (void)unused;
    make_small(&small, UPWARDS);
    char *at = strstr(small.vcd, "\n#200\n");
    assert_non_null(at);
    char *text = calloc(1, TEXT_BYTES);
    snprintf(text, TEXT_BYTES, "%.*s\n1%%%s", (int)(at - small.vcd), small.vcd, at);
    see(text, strlen(text), small.probes, NULL, &outcome);
    assert_int_equal(outcome.status, ANL_OK);
    assert_int_equal(outcome.cycles, 200 / STEPS - RESET_CYCLES);
    free(text);
    free_small(&small);
}

// A recording may be switched off at the end alone: else cycles are missing.
static void no_cycles_may_be_missing(void **unused)
{
    static const char off[] = "$dumpoff\nx#\n$end";
    struct small small;
    struct outcome whole, outcome;
    (void)unused;
    make_small(&small, SCOPES);
    char *at = strstr(small.vcd, "\n#200\n");
    assert_non_null(at);
    char *text = calloc(1, TEXT_BYTES);
    see(small.vcd, small.bytes, small.probes, NULL, &whole);
    snprintf(text, TEXT_BYTES, "%s#1000000\n%s\n", small.vcd, off);
    see(text, strlen(text), small.probes, NULL, &outcome);
    assert_int_equal(outcome.status, ANL_OK);
    assert_int_equal(outcome.cycles, whole.cycles);
    snprintf(text, TEXT_BYTES, "%.*s\n%s%s", (int)(at - small.vcd), small.vcd, off, at);
    see(text, strlen(text), small.probes, NULL, &outcome);
    assert_int_equal(outcome.status, ANL_ERR_FORMAT);
    assert_non_null(strstr(outcome.error.text, "the clock was neither 0 nor 1 between cycle "));
    free(text);
    free_small(&small);
}

static void spoiled_files_are_read_or_refused(void **unused)
{
    const uint32_t trials = unit_trials(1200);
    struct small small;
    (void)unused;
    make_small(&small, VECTORS);
    char *text = malloc(small.bytes + 1);
    for (uint32_t trial = 0; trial < trials; trial++) {
        struct outcome outcome;
        memcpy(text, small.vcd, small.bytes + 1);
        for (uint32_t i = 0; i < 1 + trial % 6; i++) {
            const uint64_t number = anl_mix((uint64_t)trial << 8 | i);
            const size_t within = trial % 2 ? small.declarations : small.bytes;
            text[number % within] = (char)("01xzb$# \n[]:end\\%!\xff"[(number >> 32) % 19]);
        }
        see(text, small.bytes, small.probes, NULL, &outcome);
        if (!outcome.status != !outcome.error.text[0]) fail_msg("trial %u", trial);
    }
    free(text);
    free_small(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waveforms_give_traces),
        cmocka_unit_test(files_are_read_to_where_they_are_cut),
        cmocka_unit_test(a_cut_code_is_no_change),
        cmocka_unit_test(files_are_refused),
        cmocka_unit_test(unknown_values_are_told),
        cmocka_unit_test(reset_ends_the_watch),
        cmocka_unit_test(no_cycles_may_be_missing),
        cmocka_unit_test(spoiled_files_are_read_or_refused),
    };
    return cmocka_run_group_tests_name("recorded", tests, NULL, NULL);
}
