// SPDX-License-Identifier: Apache-2.0
//
// Colours of messages: the methods against a slow first fit and a count of their own, the bounds,
// the release, and the network on which every schedule is slow.

#include "unit.h"

#include <annelid/colour.h>
#include <string.h>

enum { MOST_MESSAGES = 200, MOST_LINKS = 60, MOST_HOPS = 12 };

// --- paths ---

// Draws paths of at most so many messages, of links in ascending order, so that none is on a path
// twice.
static struct anl_link_paths draw(struct anl_rng *rng, uint32_t most_messages)
{
    const uint32_t links = 1 + anl_rng_below(rng, MOST_LINKS);
    const uint32_t messages = 1 + anl_rng_below(rng, most_messages);
    struct anl_link_paths paths = {messages, links, calloc(messages + 1, sizeof *paths.begin),
                                   calloc((size_t)messages * MOST_HOPS + 1, sizeof *paths.on)};
    size_t end = 0;
    for (uint32_t m = 0; m < messages; m++) {
        const uint32_t want = 1 + anl_rng_below(rng, MOST_HOPS);
        uint32_t link = anl_rng_below(rng, links);
        for (uint32_t i = 0; i < want && link < links; i++) {
            paths.on[end++] = link;
            link += 1 + anl_rng_below(rng, 5);
        }
        paths.begin[m + 1] = end;
    }
    return paths;
}

static uint32_t count(const struct anl_link_paths *paths, const uint32_t *colours, uint32_t link,
                      uint32_t colour, uint32_t messages)
{
    uint32_t found = 0;
    for (uint32_t m = 0; m < messages; m++)
        for (size_t i = paths->begin[m]; i < paths->begin[m + 1]; i++)
            found += paths->on[i] == link && colours[m] == colour;
    return found;
}

// Returns the largest number of messages of one colour over one link.
static uint32_t most_of_a_colour(const struct anl_link_paths *paths,
                                 const struct anl_colouring *colouring)
{
    uint32_t most = 0;
    for (uint32_t link = 0; link < paths->links; link++)
        for (uint32_t colour = 0; colour < colouring->count; colour++) {
            const uint32_t found = count(paths, colouring->of, link, colour, paths->messages);
            if (found > most) most = found;
        }
    return most;
}

static bool is_open(const struct anl_link_paths *paths, const uint32_t *colours, uint32_t message,
                    uint32_t colour, uint32_t vcs)
{
    for (size_t i = paths->begin[message]; i < paths->begin[message + 1]; i++)
        if (count(paths, colours, paths->on[i], colour, message) >= vcs) return false;
    return true;
}

static struct anl_colouring colour(const struct anl_link_paths *paths,
                                   struct anl_colour_options options)
{
    struct anl_colouring colouring;
    if (!options.resamples) options.resamples = 100000;
    assert_int_equal(anl_colour(paths, &options, &colouring), ANL_OK);
    return colouring;
}

// --- methods ---

static void first_fit_takes_the_lowest_open_colour(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(1, 0);
    for (uint32_t trial = 0; trial < unit_trials(40); trial++) {
        const uint32_t vcs = 1 + anl_rng_below(&rng, 4);
        struct anl_link_paths paths = draw(&rng, MOST_MESSAGES);
        struct anl_colouring colouring = colour(&paths, (struct anl_colour_options){.vcs = vcs});
        uint32_t colours[MOST_MESSAGES];
        for (uint32_t m = 0; m < paths.messages; m++) {
            for (colours[m] = 0; !is_open(&paths, colours, m, colours[m], vcs);)
                colours[m]++;
            assert_int_equal(colouring.of[m], colours[m]);
        }
        anl_colouring_free(&colouring);
        anl_link_paths_free(&paths);
    }
}

// One link and many messages: colours beyond the first word of bits, of 64.
static void first_fit_has_any_number_of_colours(void **state)
{
    (void)state;
    size_t begin[301];
    uint32_t on[300] = {0};
    for (size_t m = 0; m <= 300; m++)
        begin[m] = m;
    const struct anl_link_paths paths = {300, 1, begin, on};
    struct anl_colouring colouring = colour(&paths, (struct anl_colour_options){.vcs = 2});
    for (uint32_t m = 0; m < 300; m++)
        assert_int_equal(colouring.of[m], m / 2);
    assert_int_equal(colouring.count, 150);
    anl_colouring_free(&colouring);
}

static void all_methods_colour_within_the_bounds(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(2, 0);
    for (uint32_t trial = 0; trial < unit_trials(60); trial++) {
        const uint32_t vcs = 1 + anl_rng_below(&rng, 4);
        const enum anl_colour_method method = (enum anl_colour_method)(trial % 3);
        struct anl_link_paths paths = draw(&rng, MOST_MESSAGES / 2);
        struct anl_link_measures measures;
        struct anl_colour_fault fault;
        struct anl_colouring colouring = colour(
            &paths, (struct anl_colour_options){.method = method, .vcs = vcs, .seed = trial});
        assert_int_equal(anl_link_paths_measure(&paths, &measures), ANL_OK);
        assert_true(most_of_a_colour(&paths, &colouring) <= vcs);
        assert_true(colouring.count >= anl_colour_lower(&measures, vcs));
        assert_true(colouring.drawn_from >= colouring.count);
        if (method == ANL_FIRST_FIT)
            assert_true(colouring.count <= anl_colour_first_fit_bound(&measures, vcs));
        if (method == ANL_REFINEMENT)
            assert_true(colouring.drawn_from >= anl_colour_theorem(&measures, vcs));
        assert_int_equal(anl_colour_check(&paths, &colouring, vcs, &fault), ANL_OK);
        assert_false(fault.found);
        anl_colouring_free(&colouring);
        anl_link_paths_free(&paths);
    }
}

// A colouring that is made worse by one message is found out, with link, colour and number.
static void the_check_finds_a_link_with_too_many(void **state)
{
    (void)state;
    size_t begin[] = {0, 2, 4, 5};
    uint32_t on[] = {7, 3, 3, 9, 7}, of[] = {0, 0, 1};
    const struct anl_link_paths paths = {3, 10, begin, on};
    const struct anl_colouring colouring = {.count = 2, .of = of};
    struct anl_colour_fault fault;
    assert_int_equal(anl_colour_check(&paths, &colouring, 2, &fault), ANL_OK);
    assert_false(fault.found);
    assert_int_equal(anl_colour_check(&paths, &colouring, 1, &fault), ANL_OK);
    assert_true(fault.found);
    assert_int_equal(fault.link, 3);
    assert_int_equal(fault.colour, 0);
    assert_int_equal(fault.messages, 2);
    of[2] = 0;
    of[1] = 1;
    assert_int_equal(anl_colour_check(&paths, &colouring, 1, &fault), ANL_OK);
    assert_int_equal(fault.link, 7);
}

static void an_attempt_without_hope_is_given_up(void **state)
{
    (void)state;
    size_t begin[] = {0, 1, 2, 3};
    uint32_t on[] = {0, 0, 0};
    const struct anl_link_paths paths = {3, 1, begin, on};
    struct anl_colour_options options = {
        .method = ANL_MOSER_TARDOS, .vcs = 1, .colours = 2, .resamples = 50};
    struct anl_colouring colouring;
    assert_int_equal(anl_colour(&paths, &options, &colouring), ANL_ERR_STALLED);
    anl_colouring_free(&colouring);
    options.vcs = 0;
    assert_int_equal(anl_colour(&paths, &options, &colouring), ANL_ERR_ARGUMENT);
    anl_colouring_free(&colouring);
    options = (struct anl_colour_options){
        .method = ANL_MOSER_TARDOS, .vcs = 1, .resamples = 50, .seed = 3};
    assert_int_equal(anl_colour(&paths, &options, &colouring), ANL_OK);
    assert_int_equal(colouring.count, 3);
    anl_colouring_free(&colouring);
}

// --- bounds ---

static void bounds_are_those_of_the_formulas(void **state)
{
    (void)state;
    const struct anl_link_measures six = {6, 64}, sixteen = {16, 64}, two = {2, 64};
    assert_int_equal(anl_colour_lower(&six, 4), 2);
    assert_int_equal(anl_colour_first_fit_bound(&six, 3), 107);
    assert_int_equal((int)anl_colour_theorem(&six, 1), 18788);
    assert_int_equal((int)anl_colour_theorem(&six, 2), 479);
    assert_int_equal((int)anl_colour_theorem(&two, 2), 1);
    // 32 e 16 / 6 classes, then 3 e 6 (64 * 6)^(1/2) / 2 of each
    assert_int_equal((int)anl_colour_theorem(&sixteen, 2), 111202);
}

// --- release ---

// No flit meets a flit of another colour on a link, nor for `gap` steps behind its tail, and none
// of a colour but on another lane.
static void check_release(const struct anl_link_paths *paths, const struct anl_colouring *colouring,
                          const uint16_t *lengths, const uint64_t *starts, uint32_t vcs,
                          uint64_t gap, uint64_t steps)
{
    uint64_t last = 0;
    for (uint32_t a = 0; a < paths->messages; a++)
        for (size_t i = paths->begin[a]; i < paths->begin[a + 1]; i++) {
            const uint64_t begin = starts[colouring->of[a]] + (i - paths->begin[a]);
            uint32_t others = 0;
            if (begin + lengths[a] > last) last = begin + lengths[a];
            for (uint32_t b = 0; b < paths->messages; b++)
                for (size_t j = paths->begin[b]; j < paths->begin[b + 1]; j++) {
                    if (a == b || paths->on[i] != paths->on[j]) continue;
                    const uint64_t other = starts[colouring->of[b]] + (j - paths->begin[b]);
                    const bool meet = other < begin + lengths[a] && begin < other + lengths[b];
                    const bool near =
                        other < begin + lengths[a] + gap && begin < other + lengths[b] + gap;
                    if (colouring->of[a] != colouring->of[b]) assert_false(near);
                    others += colouring->of[a] == colouring->of[b] && meet;
                }
            assert_true(others < vcs);
        }
    assert_int_equal(last, steps);
}

static void colours_never_meet_in_a_release(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(3, 0);
    for (uint32_t trial = 0; trial < unit_trials(40); trial++) {
        const uint32_t vcs = 1 + anl_rng_below(&rng, 3);
        const struct anl_release_rule rule = {false, trial % 3}, soon = {true, trial % 3};
        struct anl_link_paths paths = draw(&rng, MOST_MESSAGES / 4);
        struct anl_colouring colouring = colour(&paths, (struct anl_colour_options){.vcs = vcs});
        uint16_t lengths[MOST_MESSAGES];
        uint64_t starts[MOST_MESSAGES], compact[MOST_MESSAGES];
        struct anl_release release, shorter;
        for (uint32_t m = 0; m < paths.messages; m++)
            lengths[m] = (uint16_t)(1 + anl_rng_below(&rng, 6));
        anl_colour_release(&paths, &colouring, lengths, &rule, starts, &release);
        anl_colour_release(&paths, &colouring, lengths, &soon, compact, &shorter);
        check_release(&paths, &colouring, lengths, starts, vcs, rule.gap, release.steps);
        check_release(&paths, &colouring, lengths, compact, vcs, rule.gap, shorter.steps);
        assert_true(shorter.steps <= release.steps);
        assert_true(release.steps <= colouring.count * (release.interval + rule.gap));
        anl_colouring_free(&colouring);
        anl_link_paths_free(&paths);
    }
}

// --- the worst case ---

static uint32_t crossing(const struct anl_instance *instance, const uint32_t *paths, uint32_t size)
{
    uint32_t shared = 0;
    for (uint32_t link = 0; link < instance->paths.links; link++) {
        uint32_t some = 0;
        for (uint32_t i = 0; i < size; i++)
            for (size_t at = instance->paths.begin[paths[i]];
                 at < instance->paths.begin[paths[i] + 1]; at++)
                some += instance->paths.on[at] == link;
        shared += some == size;
    }
    return shared;
}

// Links follow each other, and levels rise along them, so no paths close a circle.
static void check_paths(const struct anl_instance *instance)
{
    for (uint32_t m = 0; m < instance->paths.messages; m++)
        for (size_t i = instance->paths.begin[m] + 1; i < instance->paths.begin[m + 1]; i++) {
            const uint32_t before = instance->paths.on[i - 1], link = instance->paths.on[i];
            assert_int_equal(instance->to[before], instance->from[link]);
            assert_true(instance->to[link] > instance->from[link]);
        }
}

static void check_worst_case(struct anl_worst_case how, uint32_t dilation)
{
    struct anl_instance instance;
    struct anl_link_measures measures;
    assert_int_equal(anl_worst_case_make(&how, &instance, NULL), ANL_OK);
    assert_int_equal(anl_link_paths_measure(&instance.paths, &measures), ANL_OK);
    assert_int_equal(measures.dilation, dilation);
    assert_int_equal(measures.congestion, (how.vcs + 1) * how.copies + how.more);
    assert_int_equal(instance.paths.messages, how.distinct * how.copies + how.more);
    check_paths(&instance);
    for (uint32_t vcs = 1; vcs <= how.vcs; vcs++) {
        struct anl_colouring colouring =
            colour(&instance.paths, (struct anl_colour_options){.vcs = vcs});
        const uint32_t messages = instance.paths.messages;
        if (vcs == how.vcs) assert_int_equal(colouring.count, (messages + vcs - 1) / vcs);
        anl_colouring_free(&colouring);
    }
    anl_instance_free(&instance);
}

static void the_worst_case_is_that_of_the_theorem(void **state)
{
    (void)state;
    check_worst_case((struct anl_worst_case){1, 4, 1, false, 0, 0}, 5);
    check_worst_case((struct anl_worst_case){2, 4, 1, true, 0, 0}, 5);
    check_worst_case((struct anl_worst_case){1, 11, 6, false, 0, 0}, 19);
    check_worst_case((struct anl_worst_case){1, 11, 6, true, 0, 0}, 19);
    check_worst_case((struct anl_worst_case){2, 6, 4, true, 0, 0}, 19);
    check_worst_case((struct anl_worst_case){3, 6, 3, false, 0, 0}, 19);
    check_worst_case((struct anl_worst_case){3, 7, 2, false, 0, 0}, 39);
    check_worst_case((struct anl_worst_case){1, 2, 1, false, 0, 0}, 1);
    check_worst_case((struct anl_worst_case){2, 6, 2, true, 1, 24}, 24);
    check_worst_case((struct anl_worst_case){3, 6, 1, false, 3, 0}, 19);
    assert_int_equal(anl_worst_case_links(&(struct anl_worst_case){.vcs = 2, .distinct = 6}), 19);
}

// Every set of B + 1 paths shares exactly one link, its primary one.
static void every_set_of_paths_shares_a_link(void **state)
{
    (void)state;
    struct anl_instance instance;
    const struct anl_worst_case how = {2, 6, 1, false, 0, 0};
    assert_int_equal(anl_worst_case_make(&how, &instance, NULL), ANL_OK);
    for (uint32_t a = 0; a < 6; a++)
        for (uint32_t b = a + 1; b < 6; b++)
            for (uint32_t c = b + 1; c < 6; c++)
                assert_int_equal(crossing(&instance, (const uint32_t[]){a, b, c}, 3), 1);
    anl_instance_free(&instance);
}

static void a_worst_case_that_is_none_is_refused(void **state)
{
    (void)state;
    struct anl_instance instance;
    struct anl_error error;
    const struct anl_worst_case few = {3, 3, 1, false, 0, 0}, many = {10, 40, 1, false, 0, 0};
    const struct anl_worst_case more = {3, 6, 1, false, 4, 0}, near = {3, 6, 1, false, 0, 18};
    assert_int_equal(anl_worst_case_make(&few, &instance, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "3 paths, expected more than the 3 lanes");
    anl_instance_free(&instance);
    assert_int_equal(anl_worst_case_make(&many, &instance, &error), ANL_ERR_ARGUMENT);
    anl_instance_free(&instance);
    assert_int_equal(anl_worst_case_make(&more, &instance, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "at most one message more for each lane");
    anl_instance_free(&instance);
    assert_int_equal(anl_worst_case_make(&near, &instance, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "dilation 18, expected at least 19 with 6 paths");
    anl_instance_free(&instance);
}

// --- instances as scenarios ---

static void an_instance_is_written_as_a_scenario(void **state)
{
    (void)state;
    struct anl_instance instance;
    const struct anl_worst_case how = {1, 3, 1, false, 0, 0};
    const struct anl_instance_scenario options = {
        .num_vcs = 2, .depth = 4, .more = "", .messages = "m.txt", .length = 7};
    char *text = NULL;
    size_t bytes;
    assert_int_equal(anl_worst_case_make(&how, &instance, NULL), ANL_OK);
    FILE *stream = open_memstream(&text, &bytes);
    assert_int_equal(anl_instance_write_scenario(stream, &instance, &options, NULL), ANL_OK);
    assert_int_equal(anl_instance_write_messages(stream, &instance, &options, NULL), ANL_OK);
    fclose(stream);
    assert_non_null(strstr(text, "depth: 4, routing: source, flit_width_bits: 32}"));
    assert_non_null(strstr(text, "switches: 6\n"));
    assert_non_null(strstr(text, "\n0 0 3 7 "));
    assert_non_null(strstr(text, "\n0 2 4 7 "));
    free(text);
    anl_instance_free(&instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_fit_takes_the_lowest_open_colour),
        cmocka_unit_test(first_fit_has_any_number_of_colours),
        cmocka_unit_test(all_methods_colour_within_the_bounds),
        cmocka_unit_test(the_check_finds_a_link_with_too_many),
        cmocka_unit_test(an_attempt_without_hope_is_given_up),
        cmocka_unit_test(bounds_are_those_of_the_formulas),
        cmocka_unit_test(colours_never_meet_in_a_release),
        cmocka_unit_test(the_worst_case_is_that_of_the_theorem),
        cmocka_unit_test(every_set_of_paths_shares_a_link),
        cmocka_unit_test(a_worst_case_that_is_none_is_refused),
        cmocka_unit_test(an_instance_is_written_as_a_scenario),
    };
    return cmocka_run_group_tests_name("colour", tests, NULL, NULL);
}
