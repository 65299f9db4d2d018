// SPDX-License-Identifier: Apache-2.0

#include "lesson.h"

static uint64_t lesson_sum(const uint64_t cycles[ANL_WAITS])
{
    uint64_t sum = 0;
    for (int wait = 0; wait < ANL_WAITS; wait++)
        sum += cycles[wait];
    return sum;
}

uint64_t lesson_latency(const struct anl_life *life)
{
    return life->delivered - life->worm.created + 1;
}

static void lesson_delivered(void *user, const struct anl_life *life)
{
    struct lesson *lesson = user;
    const size_t id = life->worm.id;
    if (id >= lesson->num_lives) {
        const size_t size = 2 * id + 16;
        lesson->lives = realloc(lesson->lives, size * sizeof *lesson->lives);
        memset(lesson->lives + lesson->num_lives, 0,
               (size - lesson->num_lives) * sizeof *lesson->lives);
        lesson->num_lives = size;
    }
    struct anl_delay *delays = malloc((life->num_delays + 1) * sizeof *delays);
    if (life->num_delays) memcpy(delays, life->delays, life->num_delays * sizeof *delays);
    lesson->lives[id] = *life;
    lesson->lives[id].delays = delays;
    assert_int_equal(lesson_sum(life->cycles), lesson_latency(life));
}

static bool lesson_cycle(void *user, const struct anl_engine *net)
{
    struct lesson *lesson = user;
    assert_int_equal(anl_blocking_cycle(lesson->blocking) + 1, anl_engine_cycle(net));
    return !lesson->look || lesson->look(lesson, net);
}

struct lesson lesson_load(const char *name, const char *const *settings)
{
    struct lesson lesson = {0};
    struct anl_error error;
    char path[256];
    size_t num_settings = 0;

    while (settings && settings[num_settings])
        num_settings++;
    snprintf(path, sizeof path, "sim/scenarios/%s.yaml", name);
    if (anl_scenario_load_with(path, settings, num_settings, &lesson.scenario, &error))
        fail_msg("%s:%u: %s", error.file, (unsigned)error.line, error.text);
    return lesson;
}

void lesson_run(struct lesson *lesson)
{
    struct anl_error error;
    const struct anl_blocking_listener listener = {.delivered = lesson_delivered, .user = lesson};
    assert_int_equal(anl_blocking_create(&lesson->scenario.network, &listener, &lesson->blocking),
                     ANL_OK);
    const struct anl_run_options options = {.referee = true,
                                            .blocking = lesson->blocking,
                                            .progress_cycles = 1,
                                            .progress = lesson_cycle,
                                            .user = lesson};
    if (anl_run(&lesson->scenario, &options, &lesson->result, &error)) fail_msg("%s", error.text);
    assert_int_equal(lesson->result.violation.rule, ANL_RULE_NONE);
    assert_int_equal(anl_blocking_end(lesson->blocking, lesson->result.cycles, &error), ANL_OK);
    assert_int_equal(anl_blocking_totals(lesson->blocking).worms, lesson->result.totals.enqueued);
    assert_int_equal(anl_blocking_totals(lesson->blocking).delivered,
                     lesson->result.totals.delivered);
}

void lesson_free(struct lesson *lesson)
{
    for (size_t i = 0; i < lesson->num_lives; i++)
        free((void *)lesson->lives[i].delays);
    free(lesson->lives);
    anl_blocking_destroy(lesson->blocking);
    anl_scenario_free(&lesson->scenario);
}
