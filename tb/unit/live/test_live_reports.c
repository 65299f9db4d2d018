// SPDX-License-Identifier: Apache-2.0
//
// The list of reports that a watch leaves for programs: it has what was found and nothing else, it
// appears as a whole, and it takes the place of nothing but such a list. (That it says what is
// printed is expected of each watch, in replay.h.)

#include "replay.h"

static const char *const few[] = {"run.cycles=150"};

static void read_list(const char *path, char text[static 1 << 16])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t bytes = fread(text, 1, (1 << 16) - 1, file);
    text[bytes] = '\0';
    fclose(file);
}

static void expect_in(const char *text, const char *words)
{
    if (!strstr(text, words)) fail_msg("no %s in\n%s", words, text);
}

static void a_good_run_leaves_an_empty_list(void **unused)
{
    static char text[1 << 16];
    struct replay replay;
    (void)unused;
    replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", few, 1);
    replay_watch(&replay, 0);
    assert_true(replay.good);
    read_list(replay.report, text);
    assert_string_equal(text, "[]\n");
    replay_destroy(&replay);
}

// Returns a flit of data that crosses a link between switches late in the run.
static struct event *body_flit(struct replay *replay)
{
    const struct anl_config *config = &replay->settings.network;
    for (size_t i = 0; i < replay->num_events; i++) {
        struct event *event = &replay->events[i];
        if (!event->credits && event->cycle > 40 && event->index == 2 &&
            event->link < anl_shape_of(config).switches * anl_shape_of(config).ports &&
            !anl_end_of(config, event->link).is_terminal)
            return event;
    }
    fail();
    return NULL;
}

static void a_broken_rule_has_its_place_and_its_worm(void **unused)
{
    static char text[1 << 16];
    char words[128];
    struct replay replay;
    (void)unused;
    replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", few, 1);
    struct event *event = body_flit(&replay);
    const struct anl_worm worm = replay.worms[event->worm];
    const uint64_t cycle = event->cycle;
    const uint32_t link = event->link;
    event->vc ^= 1;
    replay_watch(&replay, 0);
    read_list(replay.report, text);
    expect_in(text, "\"from\": \"watch\"");
    expect_in(text, "\"what\": \"split_worm\"");
    snprintf(words, sizeof words, "\"cycle\": %llu", (unsigned long long)cycle);
    expect_in(text, words);
    snprintf(words, sizeof words, "\"number\": %u", link);
    expect_in(text, words);
    snprintf(words, sizeof words, "\"lane\": %u", event->vc);
    expect_in(text, words);
    snprintf(words, sizeof words,
             "\"worm\": %u,\n    \"source\": %u,\n    \"destination\": %u,\n    \"length\": %u,\n"
             "    \"flit\": 2",
             worm.id, worm.source, worm.destination, worm.length);
    expect_in(text, words);
    replay_destroy(&replay);
}

// A deadlock, then a stall, each once.
static void what_does_not_end_the_watch_makes_the_list_longer(void **unused)
{
    static char text[1 << 16];
    struct replay replay;
    (void)unused;
    replay_create(&replay, "sim/scenarios/deadlock_ring5.yaml", NULL, 0);
    replay.patience = 20;
    replay_watch(&replay, 0);
    read_list(replay.report, text);
    const char *deadlock = strstr(text, "\"what\": \"deadlock\"");
    assert_non_null(deadlock);
    const char *stalled = strstr(deadlock, "\"what\": \"stalled\"");
    assert_non_null(stalled);
    assert_null(strstr(stalled + 1, "\"what\""));
    expect_in(stalled, "\"cycle\": 3,");
    expect_in(text, "\"seed\": null");
    expect_in(stalled, "\"since\": 3,\n   \"told\": 22,\n   \"lanes\": 10,");
    expect_in(stalled, "\"in_all\": 5");
    replay_destroy(&replay);
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// Returns what becomes of a watch that is to leave its list there.
static enum anl_status watch_with(const char *report, struct anl_error *error)
{
    const struct anl_live_options options = {.report = report};
    struct anl_live *live;
    const enum anl_status status =
        anl_live_create("sim/scenarios/mesh4_uniform.yaml", &options, &live, error);
    assert_int_equal(live == NULL, status != ANL_OK);
    anl_live_destroy(live);
    return status;
}

static void the_file_of_somebody_else_stays(void **unused)
{
    static const char *const texts[] = {"not JSON at all\n", "{\"from\": 1, \"what\": 2}\n",
                                        "[{\"from\": \"x\"}]\n", "[1]\n", "[] and more\n"};
    static const char *const ours[] = {"", "[]\n", "[{\"from\": \"watch\", \"what\": \"x\"}]\n"};
    static char text[1 << 16];
    char path[64];
    struct anl_error error;
    (void)unused;
    replay_path(path, "-other.json");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put(path, texts[i]);
        assert_int_equal(watch_with(path, &error), ANL_ERR_FORMAT);
        assert_string_equal(error.file, path);
        expect_in(error.text, "is no list of reports");
        read_list(path, text);
        assert_string_equal(text, texts[i]);
    }
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        put(path, ours[i]);
        assert_int_equal(watch_with(path, &error), ANL_OK);
        read_list(path, text);
        assert_string_equal(text, ours[i]);  // a watch that never ends leaves it as it was
    }
    unlink(path);
}

static void a_list_that_cannot_be_written_is_refused_before_the_run(void **unused)
{
    struct anl_error error;
    char path[64];
    (void)unused;
    assert_int_equal(watch_with("/tmp", &error), ANL_ERR_IO);
    replay_path(path, "-none/list.json");
    assert_int_equal(watch_with(path, &error), ANL_ERR_IO);
    expect_in(error.text, "cannot write");
}

static void a_list_that_is_lost_at_the_end_is_a_finding(void **unused)
{
    struct replay replay;
    (void)unused;
    replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", few, 1);
    replay.report_lost = true;
    replay_watch(&replay, 0);
    assert_false(replay.good);
    expect_in(replay.text, "annelid: no_report in cycle ");
    expect_in(replay.text, " delivered: no_report\n");
    assert_int_equal(rmdir(replay.report), 0);
    replay_destroy(&replay);
}

// Somebody puts another file there while the simulation runs.
static void a_file_that_comes_later_stays(void **unused)
{
    static char text[1 << 16];
    char path[64], said[4096] = "";
    (void)unused;
    replay_path(path, "-later.json");
    FILE *out = fmemopen(said, sizeof said - 1, "w");
    const struct anl_live_options options = {.report = path, .out = out};
    struct anl_live *live;
    assert_int_equal(anl_live_create("sim/scenarios/mesh4_uniform.yaml", &options, &live, NULL),
                     ANL_OK);
    put(path, "mine\n");
    assert_true(anl_live_cycle(live));
    assert_false(anl_live_end(live));
    anl_live_destroy(live);
    assert_int_equal(fclose(out), 0);
    expect_in(said, "annelid: no_report in cycle 1\n");
    read_list(path, text);
    assert_string_equal(text, "mine\n");
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_run_leaves_an_empty_list),
        cmocka_unit_test(a_broken_rule_has_its_place_and_its_worm),
        cmocka_unit_test(what_does_not_end_the_watch_makes_the_list_longer),
        cmocka_unit_test(the_file_of_somebody_else_stays),
        cmocka_unit_test(a_list_that_cannot_be_written_is_refused_before_the_run),
        cmocka_unit_test(a_list_that_is_lost_at_the_end_is_a_finding),
        cmocka_unit_test(a_file_that_comes_later_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
