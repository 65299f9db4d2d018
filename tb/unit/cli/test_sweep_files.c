// SPDX-License-Identifier: Apache-2.0
//
// The files that a sweep reads and writes: lists, CSV files and journals, good ones and bad ones.

#include "unit_sweep.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64];

static int make_path(void **state)
{
    (void)state;
    strcpy(path, "/tmp/annelid-test-sweep-XXXXXX");
    const int file = mkstemp(path);
    return file < 0 || close(file);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path) && access(path, F_OK) == 0;
}

static void write_bytes(const char *text, size_t bytes)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    fclose(file);
}

static void write_text(const char *text) { write_bytes(text, strlen(text)); }

// Returns the whole file; the caller frees it.
static char *read_text(void)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    if (getdelim(&text, &room, '\0', file) < 0) text = calloc(1, 1);
    fclose(file);
    return text;
}

// --- lists ---

// Returns the loads as text, with a blank after each.
static void expect_loads(const char *asked, const char *expected)
{
    struct sweep_list list;
    struct anl_error error = {0};
    char found[1024] = "";
    if (sweep_list_loads(asked, &list, &error)) fail_msg("%s: %s", asked, error.text);
    for (size_t i = 0; i < list.count; i++) {
        char text[SWEEP_LOAD_BYTES];
        sweep_load_text(list.values[i], text);
        strcat(strcat(found, text), " ");
        assert_true(sweep_load_number(list.values[i]) == strtod(text, NULL));
    }
    assert_string_equal(found, expected);
    free(list.values);
}

static void lists_of_loads(void **state)
{
    (void)state;
    expect_loads("0.3", "0.3 ");
    expect_loads("0.06:0.12:0.02", "0.06 0.08 0.1 0.12 ");
    expect_loads("0.1:0.35:0.1", "0.1 0.2 0.3 ");
    expect_loads("0.5,0.1:0.2:0.1,0,1", "0 0.1 0.2 0.5 1 ");
    expect_loads("0.000000001,0.123456789,1.000", "0.000000001 0.123456789 1 ");
    static const char *const bad[] = {"",          "x",
                                      "0.1,",      "1.1",
                                      "-0.1",      "0.1:0.2",
                                      ".5",        "0.1:0.2:0",
                                      "0.2:0.1:1", "0.1,0.10",
                                      "1e-1",      "0.1:0.2:0.1:0.1",
                                      "2:1:1",     "0.1234567891",
                                      "0."};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sweep_list list;
        struct anl_error error = {0};
        if (sweep_list_loads(bad[i], &list, &error) != ANL_ERR_ARGUMENT || !*error.text)
            fail_msg("'%s' is taken", bad[i]);
        assert_null(list.values);
    }
}

static void expect_seeds(const char *asked, size_t count, uint64_t first, uint64_t last)
{
    struct sweep_list list;
    assert_int_equal(sweep_list_seeds(asked, &list, NULL), ANL_OK);
    assert_int_equal(list.count, count);
    assert_int_equal(list.values[0], first);
    assert_int_equal(list.values[count - 1], last);
    free(list.values);
}

static void lists_of_seeds(void **state)
{
    (void)state;
    expect_seeds("3", 3, 1, 3);
    expect_seeds("7-7", 1, 7, 7);
    expect_seeds("9,1-3,0", 5, 0, 9);
    expect_seeds("18446744073709551614-18446744073709551615", 2, UINT64_MAX - 1, UINT64_MAX);
    static const char *const bad[] = {"",
                                      "0",
                                      "-1",
                                      "1-",
                                      "3-1",
                                      "1,1",
                                      "x",
                                      "1-2-3",
                                      "1000001",
                                      "18446744073709551616",
                                      "0-18446744073709551615"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sweep_list list;
        struct anl_error error = {0};
        if (sweep_list_seeds(bad[i], &list, &error) != ANL_ERR_ARGUMENT || !*error.text)
            fail_msg("'%s' is taken", bad[i]);
    }
}

static void points_are_denser_near_saturation(void **state)
{
    (void)state;
    struct sweep_list list;
    assert_int_equal(sweep_list_up_to(0.4, 4, &list, NULL), ANL_OK);
    assert_int_equal(list.count, 4);
    assert_int_equal(list.values[0], 171500000);
    assert_int_equal(list.values[3], 392000000);
    free(list.values);
}

static void keys_to_vary(void **state)
{
    (void)state;
    struct sweep_key key;
    assert_int_equal(sweep_key_read("switch.num_vcs=1,2,4", &key, NULL), ANL_OK);
    assert_string_equal(key.name, "switch.num_vcs");
    assert_int_equal(key.count, 3);
    assert_string_equal(key.values[2], "4");
    sweep_key_free(&key);
    assert_int_equal(sweep_key_read("traffic.length=[1,8],4,[2,3]", &key, NULL), ANL_OK);
    assert_int_equal(key.count, 3);
    assert_string_equal(key.values[0], "[1,8]");
    assert_string_equal(key.values[2], "[2,3]");
    sweep_key_free(&key);
    static const char *const bad[] = {"switch.num_vcs", "depth=1",          "switch.depth=1,1",
                                      "run.seed=1,2",   "traffic.load=1",   "switch.depth=1,,2",
                                      "switch.depth=",  "switch.depth=a\nb"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(sweep_key_read(bad[i], &key, NULL), ANL_ERR_ARGUMENT);
}

// --- CSV ---

#define COLUMNS                                                                                    \
    "load,seed,state,end,cycles,warmup,worms,offered,accepted,latency,latency_min,latency_p50,"    \
    "latency_p95,latency_p99,latency_max,links"
#define ROW(load, seed, state, latency)                                                            \
    load "," seed "," state ",complete,100,10,7,0.1,0.2," latency ",1,2,3,4,5,6.5"

static void rows_become_points_and_curves(void **state)
{
    (void)state;
    write_text("a.b,\"c.\"\"d\"\"\"," COLUMNS ",digest\r\n"
               "1,\"x, y\"," ROW("0.2", "2", "steady",
                                 "12") ",00000000000000ff\r\n"
                                       "1,\"x, y\"," ROW(
                                           "0.2", "1", "unsteady",
                                           "10") ",0123456789abcdef\r\n"
                                                 "2,z," ROW("", "1", "stalled",
                                                            "") ",0123456789abcdef\r\n"
                                                                "1,\"x, y\"," ROW(
                                                                    "0.1", "1", "steady",
                                                                    "9") ",0123456789abcdef\n");
    struct sweep_points points;
    struct anl_error error = {0};
    if (sweep_points_read(path, &points, &error)) fail_msg("%s", error.text);
    assert_int_equal(points.num_keys, 2);
    assert_string_equal(points.keys[1], "c.\"d\"");
    assert_int_equal(points.num_runs, 4);
    assert_int_equal(points.num_curves, 2);
    assert_int_equal(points.curves[0].num_points, 2);
    char name[64];
    sweep_curve_name(&points, &points.curves[0], name, sizeof name);
    assert_string_equal(name, "a.b 1, c.\"d\" x, y");

    const struct sweep_point *point = &points.curves[0].points[1];
    assert_true(point->load == 0.2 && point->num_runs == 2 && !point->steady);
    assert_int_equal(point->in_state[SWEEP_UNSTEADY], 1);
    assert_true(point->latency.mean == 11 && fabs(point->latency.half_width - 12.7062) < 1e-3);
    const struct sweep_run *run = &point->runs[0];
    assert_true(run->seed == 1 && run->latency_p95 == 3 && run->links == 6.5 && run->line == 3);
    assert_int_equal(run->digest, 0x0123456789abcdef);
    const struct sweep_point *closed = &points.curves[1].points[0];
    assert_true(isnan(closed->load) && isnan(closed->latency.mean));
    sweep_points_free(&points);
}

static void values_that_are_missing_are_left_out(void **state)
{
    (void)state;
    struct sweep_points points;
    struct anl_error error = {0};
    write_text(
        COLUMNS "\n" ROW("0.1", "1", "steady", "") "\n" ROW("0.1", "2", "steady", "1") "\n" ROW(
            "0.1", "3", "steady",
            "") "\n" ROW("0.1", "4", "steady",
                         "3") "\n" ROW("0.1", "5", "steady",
                                       "2") "\n" ROW("0.2", "1", "steady",
                                                     "7") "\n" ROW("0.2", "2", "steady", "") "\n");
    if (sweep_points_read(path, &points, &error)) fail_msg("%s", error.text);
    const struct sample three = points.points[0].latency, one = points.points[1].latency;
    assert_true(three.count == 3 && fabs(three.mean - 2) < 1e-9);
    assert_true(fabs(three.half_width - 4.30265273 / 1.73205081) < 1e-6);
    assert_true(one.count == 1 && one.mean == 7 && isnan(one.half_width));
    sweep_points_free(&points);
}

static void expect_bad(const char *text, uint64_t line, const char *words)
{
    struct sweep_points points;
    struct anl_error error = {0};
    write_text(text);
    assert_int_equal(sweep_points_read(path, &points, &error), ANL_ERR_FORMAT);
    if (error.line != line || !strstr(error.text, words) || strcmp(error.file, path) != 0)
        fail_msg("line %d '%s', expected line %d '%s'", (int)error.line, error.text, (int)line,
                 words);
    assert_null(points.runs);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    expect_bad("", 1, "found no line");
    expect_bad("hello\n", 1, "expected 'load'");
    expect_bad("load,seed\n", 1, "'nothing', expected 'state'");
    expect_bad(COLUMNS ",more,and\n", 1, "'more' behind");
    expect_bad(COLUMNS "\n", 0, "no runs");
    expect_bad(COLUMNS "\n" ROW("0.1", "1", "steady", "9") ",8\n", 2, "17 fields, expected 16");
    expect_bad(COLUMNS "\n" ROW("0.1", "1", "steady", "9") "\n" ROW("x", "2", "steady", "9") "\n",
               3, "load is 'x'");
    expect_bad(COLUMNS "\n" ROW("1.5", "1", "steady", "9") "\n", 2, "a number from 0 to 1");
    expect_bad(COLUMNS "\n" ROW("0.1", "-1", "steady", "9") "\n", 2, "seed is '-1'");
    expect_bad(COLUMNS "\n" ROW("0.1", "1", "calm", "9") "\n", 2, "state is 'calm'");
    expect_bad(COLUMNS "\n" ROW("0.1", "1", "steady", "nan") "\n", 2, "latency is 'nan'");
    expect_bad(COLUMNS "\n" ROW("0.1", "1", "steady", "0x9") "\n", 2, "latency is '0x9'");
    expect_bad(COLUMNS "\n" ROW("0.1", "1", "steady", "9") "\n" ROW("0.1", "1", "steady", "9"), 3,
               "the run of line 2 again");
    expect_bad(COLUMNS "\n\"0.1", 2, "has no end");
    expect_bad(COLUMNS "\n\"0.1\"x,", 2, "behind a field");
    expect_bad(COLUMNS "\n0\"1", 2, "a quote");
    expect_bad(",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n", 1, "more than 32");
    expect_bad("a.a,a.b,a.c,a.d,a.e,a.f,a.g,a.h,a.i\n", 1, "more than 8");

    struct sweep_points points;
    struct anl_error error = {0};
    write_bytes(COLUMNS "\n\0\n", sizeof COLUMNS + 2);
    assert_int_equal(sweep_points_read(path, &points, &error), ANL_ERR_FORMAT);
    assert_non_null(strstr(error.text, "zero byte"));
    assert_int_equal(sweep_points_read("/nowhere/x.csv", &points, &error), ANL_ERR_IO);
}

static void a_byte_order_mark_says_nothing(void **state)
{
    (void)state;
    struct sweep_points points;
    struct anl_error error = {0};
    write_text("\xEF\xBB\xBF" COLUMNS "\n" ROW("0.1", "1", "steady", "9") "\n");
    if (sweep_points_read(path, &points, &error)) fail_msg("%s", error.text);
    assert_int_equal(points.num_runs, 1);
    sweep_points_free(&points);
}

// What is written is read back the same, to nine digits.
static void rows_read_back_as_written(void **state)
{
    (void)state;
    const struct sweep_run run = {.load = 0.123456789,
                                  .seed = UINT64_MAX,
                                  .state = SWEEP_SATURATED,
                                  .end = ANL_RUN_MAX_CYCLES,
                                  .cycles = 1000000000000,
                                  .worms = 3,
                                  .offered = NAN,
                                  .accepted = 1.0 / 3,
                                  .latency = 12345678901,
                                  .links = 5.25,
                                  .has_digest = true,
                                  .digest = 0xfedcba9876543210};
    FILE *file = fopen(path, "w");
    sweep_run_write_names(file, true);
    fputs("\r\n", file);
    sweep_run_write(file, &run);
    fclose(file);
    struct sweep_points points;
    struct anl_error error = {0};
    if (sweep_points_read(path, &points, &error)) fail_msg("%s", error.text);
    const struct sweep_run *back = points.runs;
    assert_true(back->load == run.load && back->seed == run.seed && back->state == run.state);
    assert_true(back->cycles == run.cycles && back->latency == run.latency && isnan(back->offered));
    assert_true(fabs(back->accepted - run.accepted) < 1e-9 && back->links == run.links);
    assert_true(back->digest == run.digest && back->end == run.end);
    sweep_points_free(&points);
}

// --- journals ---

static enum anl_status open_journal(uint64_t question, bool restart, struct sweep_journal **journal)
{
    struct anl_error error = {0};
    const enum anl_status status = sweep_journal_open(path, question, restart, journal, &error);
    if (status) assert_true(*error.text);
    return status;
}

static void a_journal_remembers(void **state)
{
    (void)state;
    struct sweep_journal *journal;
    unlink(path);
    assert_int_equal(open_journal(7, false, &journal), ANL_OK);
    assert_null(sweep_journal_find(journal, "a"));
    assert_int_equal(sweep_journal_add(journal, "a", "1,2 3", NULL), ANL_OK);
    assert_int_equal(sweep_journal_add(journal, "b", "", NULL), ANL_OK);
    struct sweep_journal *other;
    assert_int_equal(open_journal(7, false, &other), ANL_ERR_IO);  // it is in use
    sweep_journal_close(journal, true);

    assert_int_equal(open_journal(8, false, &journal), ANL_ERR_FORMAT);
    assert_int_equal(open_journal(7, false, &journal), ANL_OK);
    assert_string_equal(sweep_journal_find(journal, "a"), "1,2 3");
    assert_string_equal(sweep_journal_find(journal, "b"), "");
    assert_int_equal(sweep_journal_count(journal), 2);
    sweep_journal_close(journal, true);

    assert_int_equal(open_journal(8, true, &journal), ANL_OK);
    assert_null(sweep_journal_find(journal, "a"));
    sweep_journal_close(journal, true);
    assert_int_equal(access(path, F_OK), -1);  // nothing was in the journal
}

static void fill_journal(void)
{
    struct sweep_journal *journal;
    unlink(path);
    assert_int_equal(open_journal(7, false, &journal), ANL_OK);
    for (char key[2] = "a"; *key <= 'e'; ++*key)
        assert_int_equal(sweep_journal_add(journal, key, "value", NULL), ANL_OK);
    sweep_journal_close(journal, true);
}

// The journal is cut at any place behind the first line: whole lines are kept, and the next line is
// written behind them.
static void a_journal_that_was_cut_short_goes_on(void **state)
{
    (void)state;
    fill_journal();
    char *text = read_text();
    const size_t bytes = strlen(text), first = strcspn(text, "\n") + 1;
    for (size_t cut = first; cut <= bytes; cut++) {
        size_t lines = 0;
        for (size_t i = first; i < cut; i++)
            lines += text[i] == '\n';
        write_bytes(text, cut);
        struct sweep_journal *journal;
        assert_int_equal(open_journal(7, false, &journal), ANL_OK);
        assert_int_equal(sweep_journal_count(journal), lines);
        assert_int_equal(sweep_journal_add(journal, "x", "y", NULL), ANL_OK);
        sweep_journal_close(journal, true);
        assert_int_equal(open_journal(7, false, &journal), ANL_OK);
        assert_int_equal(sweep_journal_count(journal), lines + 1);
        sweep_journal_close(journal, true);
    }
    free(text);
}

// A journal with any byte changed is refused and stays as it is.
static void a_damaged_journal_is_refused(void **state)
{
    (void)state;
    fill_journal();
    char *text = read_text();
    const size_t bytes = strlen(text);
    for (size_t i = 0; i + 1 < bytes; i++) {
        struct sweep_journal *journal;
        text[i] ^= 1;
        write_bytes(text, bytes);
        if (open_journal(7, false, &journal) != ANL_ERR_FORMAT) fail_msg("byte %zu", i);
        char *after = read_text();
        assert_string_equal(after, text);
        free(after);
        text[i] ^= 1;
    }
    free(text);
}

static void what_is_no_journal_is_left_alone(void **state)
{
    (void)state;
    struct sweep_journal *journal;
    static const char *const texts[] = {"my thesis\n", "my thesis", "\n"};
    for (size_t i = 0; i < 3; i++) {
        write_text(texts[i]);
        assert_int_equal(open_journal(7, true, &journal), ANL_ERR_FORMAT);
        char *after = read_text();
        assert_string_equal(after, texts[i]);
        free(after);
    }
    struct anl_error error = {0};
    assert_int_equal(sweep_journal_open("/tmp", 7, true, &journal, &error), ANL_ERR_IO);
}

// A run that the journal has is not run again: variant 1 could not be run at all.
static void what_is_known_is_not_run_again(void **state)
{
    (void)state;
    struct sweep_variant list[2] = {{.open = true}, {.open = true}};
    const struct sweep_variants variants = {.list = list, .count = 2};
    struct sweep_runs runs = {.variants = &variants};
    const uint64_t load = 100000000;
    const struct sweep_task whole[2] = {{0, load, 5, 0}, {1, load, 5, 0}};
    const struct sweep_task brief[2] = {{0, load, 5, 1}, {1, load, 5, 1}}, longer = {1, load, 5, 4};
    const char *text;
    parse("network: {topology: mesh, k: 2, n: 1}\ntraffic: {load: 0.1}\nrun: {cycles: 100}\n",
          &list[0].scenario);
    assert_int_equal(sweep_journal_open(NULL, 7, false, &runs.journal, NULL), ANL_OK);
    assert_int_equal(sweep_runs_find(&runs, &whole[1], 1, NULL, &text, NULL), ANL_ERR_ARGUMENT);
    sweep_journal_add(runs.journal, "run:1:0.1:5", "a row", NULL);
    sweep_journal_add(runs.journal, "brief4:1:0.1:5", "saturated", NULL);
    assert_int_equal(sweep_runs_find(&runs, &whole[1], 1, NULL, &text, NULL), ANL_OK);
    assert_string_equal(text, "a row");
    assert_int_equal(sweep_runs_find(&runs, &longer, 1, NULL, &text, NULL), ANL_OK);
    assert_string_equal(text, "saturated");
    assert_int_equal(sweep_runs_find(&runs, &brief[1], 1, NULL, &text, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(sweep_runs_find(&runs, &whole[0], 1, NULL, &text, NULL), ANL_OK);
    assert_memory_equal(text, "0.1,5,", 6);
    assert_int_equal(sweep_runs_find(&runs, &brief[0], 1, NULL, &text, NULL), ANL_OK);
    assert_true(strcmp(text, "steady") == 0 || strcmp(text, "unsteady") == 0);
    sweep_journal_close(runs.journal, false);
    anl_scenario_free(&list[0].scenario);
}

struct writer {
    struct sweep_journal *journal;
    char name;
};

static void *write_many(void *argument)
{
    const struct writer *writer = argument;
    for (unsigned i = 0; i < 1000; i++) {
        char key[16];
        snprintf(key, sizeof key, "%c%u", writer->name, i);
        sweep_journal_add(writer->journal, key, key, NULL);
    }
    return NULL;
}

static void threads_share_a_journal(void **state)
{
    (void)state;
    struct writer writers[4];
    pthread_t threads[4];
    struct sweep_journal *journal;
    unlink(path);
    assert_int_equal(open_journal(7, false, &journal), ANL_OK);
    for (int i = 0; i < 4; i++) {
        writers[i] = (struct writer){journal, (char)('a' + i)};
        pthread_create(&threads[i], NULL, write_many, &writers[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    sweep_journal_close(journal, true);
    assert_int_equal(open_journal(7, false, &journal), ANL_OK);
    assert_int_equal(sweep_journal_count(journal), 4000);
    assert_string_equal(sweep_journal_find(journal, "c999"), "c999");
    sweep_journal_close(journal, false);
    assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_loads),
        cmocka_unit_test(lists_of_seeds),
        cmocka_unit_test(points_are_denser_near_saturation),
        cmocka_unit_test(keys_to_vary),
        cmocka_unit_test(rows_become_points_and_curves),
        cmocka_unit_test(values_that_are_missing_are_left_out),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(a_byte_order_mark_says_nothing),
        cmocka_unit_test(rows_read_back_as_written),
        cmocka_unit_test(a_journal_remembers),
        cmocka_unit_test(a_journal_that_was_cut_short_goes_on),
        cmocka_unit_test(a_damaged_journal_is_refused),
        cmocka_unit_test(what_is_no_journal_is_left_alone),
        cmocka_unit_test(what_is_known_is_not_run_again),
        cmocka_unit_test(threads_share_a_journal),
    };
    return cmocka_run_group_tests_name("sweep_files", tests, make_path, remove_path);
}
