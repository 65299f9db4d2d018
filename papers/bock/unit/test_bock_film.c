// SPDX-License-Identifier: Apache-2.0
//
// The pictures of a batch are those of the page, and show what the machine does: every flit that is
// in the network, and what the words below the pictures say.

#include "unit_papers.h"

#include "papers/bock/program/film.h"

#include <string.h>

static char *drawn(enum anl_status (*write)(FILE *out, struct anl_error *error))
{
    struct anl_error error;
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_int_equal(write(out, &error), ANL_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

// After a change of the strip: make paper-bock SHORT=1, and copy phases.svg (the page says how).
static void the_strip_is_that_of_the_page(void **state)
{
    (void)state;
    char *text = drawn(film_strip), *page = calloc(strlen(text) + 2, 1);
    FILE *file = fopen("papers/bock/images/phases.svg", "r");
    assert_non_null(file);
    assert_non_null(page);
    const size_t bytes = fread(page, 1, strlen(text) + 1, file);
    fclose(file);
    if (bytes != strlen(text) || strcmp(text, page) != 0)
        fail_msg("papers/bock/images/phases.svg is stale");
    free(text);
    free(page);
}

// What is counted while the film runs.
struct count {
    uint64_t steps, flits;
    uint32_t in_slots, in_reservoirs, delivered, failed;
};

static void count_step(void *user, const struct film *film, uint64_t step)
{
    struct count *count = user;
    const struct times times = film_times(&film->config);
    assert_int_equal(step, count->steps++);
    count->delivered = count->failed = 0;
    for (uint32_t i = 0; i < 4 * FILM_SIDE * FILM_SIDE; i++) {
        const bool head = film->at[i].valid && film->at[i].index == 0;
        count->flits += film->at[i].valid;
        assert_true(film->at[i].valid || !film->stands[i]);
        if (step == times.inside - 1) count->in_slots += head && film->stands[i] && i % 4 == 0;
        if (step == times.delivery - 1)
            count->in_reservoirs += head && film->stands[i] && i % 4 == 3;
    }
    for (uint32_t w = 0; w < FILM_SIDE * FILM_SIDE; w++) {
        const bool first = film->worms[w].batch == 0;
        count->delivered += first && film->worms[w].state == ANL_DIAGONALS_DELIVERED;
        count->failed += first && film->worms[w].state > ANL_DIAGONALS_DELIVERED;
    }
}

static void the_words_are_right(void **state)
{
    (void)state;
    struct count count = {0};
    const struct anl_diagonals_config config = film_config();
    assert_int_equal(film_play(count_step, &count, NULL), ANL_OK);
    assert_int_equal(count.steps, anl_diagonals_period(&config));
    assert_int_equal(count.in_slots, 64);
    assert_int_equal(count.in_reservoirs, 62);
    assert_int_equal(count.delivered, 62);
    assert_int_equal(count.failed, 2);
}

// Returns how often a text contains another one.
static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    for (; (text = strstr(text, what)); text++)
        count++;
    return count;
}

// In the picture of the end of phase 2 each worm has two thick lines, and one square.
static void the_strip_has_every_worm(void **state)
{
    (void)state;
    char *text = drawn(film_strip);
    const char *seventh = strstr(text, ">6 Phase 2"), *eighth = strstr(text, ">7 Phase 2");
    assert_true(seventh && eighth);
    char *frame = calloc((size_t)(eighth - seventh) + 1, 1);
    assert_non_null(frame);
    memcpy(frame, seventh, (size_t)(eighth - seventh));
    assert_int_equal(count_of(frame, "stroke-width=\"4.2\""), 2 * 62);
    assert_int_equal(count_of(frame, "width=\"6.4\""), 62);
    assert_int_equal(count_of(frame, "stroke-width=\"2.4\""), 0);
    free(frame);
    free(text);
}

// The data of the page have two numbers for each flit in each step.
static void the_page_has_every_flit(void **state)
{
    (void)state;
    struct count count = {0};
    char *text = drawn(film_page);
    assert_int_equal(film_play(count_step, &count, NULL), ANL_OK);
    const char *begin = strstr(text, "{\"steps\":["), *end = strstr(text, "],\n\"worms\":[");
    assert_true(begin && end && begin < end);
    uint64_t numbers = 0, steps = 0;
    for (const char *at = begin + strlen("{\"steps\":["); at < end; at++) {
        steps += *at == '[';
        numbers += *at >= '0' && *at <= '9' && !(at[1] >= '0' && at[1] <= '9');
    }
    assert_int_equal(steps, count.steps);
    assert_int_equal(numbers, 2 * count.flits);
    assert_int_equal(count_of(text, "delivered in step"), 62);
    assert_int_equal(count_of(text, "reservoir full in step"), 2);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strip_is_that_of_the_page),
        cmocka_unit_test(the_words_are_right),
        cmocka_unit_test(the_strip_has_every_worm),
        cmocka_unit_test(the_page_has_every_flit),
    };
    return cmocka_run_group_tests_name("bock_film", tests, NULL, NULL);
}
