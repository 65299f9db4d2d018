// SPDX-License-Identifier: Apache-2.0
//
// Worms and source queues against worms.h: their order, and every bit of a flit that is pulled.

#include "unit.h"

#include "compare/worms.h"

#include <string.h>

enum { GUARD = 0x5a5a5a5a };

static struct anl_config width(uint32_t flit_width_bits)
{
    struct anl_config config = unit_networks[6];
    config.depth = 4;
    config.flit_width_bits = flit_width_bits;
    return config;
}

static struct anl_worm worm(uint32_t id, uint32_t source, uint16_t length)
{
    return (struct anl_worm){.id = id, .source = source, .destination = 15, .length = length};
}

static void add(struct worms *worms, uint32_t source, uint16_t length)
{
    struct anl_worm next = worm(worms->count, source, length);
    assert_int_equal(worms_add(worms, &next), ANL_OK);
}

static bool bit(const uint32_t *words, uint32_t number)
{
    return words[number / 32] >> number % 32 & 1;
}

// Compares {head, tail, data} bit by bit, from the lowest bit.
static void expect_bits(const struct anl_config *config, const uint32_t *flit,
                        const struct anl_worm *of, uint32_t index)
{
    uint32_t data[ANL_FLIT_WORDS] = {0}, width_bits = config->flit_width_bits;
    anl_flit_data(config, of, (uint16_t)index, 0, data);
    for (uint32_t b = 0; b < width_bits; b++)
        assert_int_equal(bit(flit, b), bit(data, b));
    assert_int_equal(bit(flit, width_bits), index + 1 == of->length);
    assert_int_equal(bit(flit, width_bits + 1), index == 0);
    for (uint32_t b = width_bits + 2; b < 32 * ((width_bits + 33) / 32); b++)
        assert_false(bit(flit, b));
}

// The marks are in the last data word, split over two words, or in a word of their own.
static const uint32_t widths[] = {4, 30, 31, 32, 62, 63, 64, 65, 126, 127, 128, 510, 511, 512};
enum { NUM_WIDTHS = sizeof widths / sizeof *widths };

static void packs_marks_above_the_data(void **unused)
{
    (void)unused;
    static const uint16_t lengths[] = {1, 2, 3, ANL_MAX_WORM_LENGTH};
    for (size_t w = 0; w < NUM_WIDTHS; w++) {
        struct anl_config config = width(widths[w]);
        assert_int_equal(flit_words(&config), (widths[w] + 33) / 32);
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            struct anl_worm of = worm(77, 3, lengths[l]);
            const uint32_t indices[] = {0, lengths[l] / 2u, lengths[l] - 1u};
            for (size_t i = 0; i < 3; i++) {
                uint32_t flit[FLIT_WORDS];
                memset(flit, 0xff, sizeof flit);
                flit_pack(&config, &of, (uint16_t)indices[i], 0, flit);
                expect_bits(&config, flit, &of, indices[i]);
                for (uint32_t word = flit_words(&config); word < FLIT_WORDS; word++)
                    assert_int_equal(flit[word], 0);
            }
        }
    }
}

static void pull(struct worms *worms, uint32_t id, uint32_t index)
{
    const struct anl_worm *expected = &worms->worm[id].worm;
    uint32_t flit[FLIT_WORDS + 1], vcs = 0, words = flit_words(worms->config);
    flit[words] = GUARD;
    assert_true(worms_pull(worms, expected->source, expected->class_, flit, &vcs));
    expect_bits(worms->config, flit, expected, index);
    assert_int_equal(flit[words], GUARD);
    assert_int_equal(vcs, (1u << anl_class_lanes(worms->config)) - 1);
}

static void expect_empty(struct worms *worms, uint32_t terminal)
{
    uint32_t flit[FLIT_WORDS] = {GUARD}, vcs;
    assert_false(worms_pull(worms, terminal, 0, flit, &vcs));
    assert_int_equal(flit[0], GUARD);
}

static void pulls_flit_by_flit_in_order(void **unused)
{
    (void)unused;
    for (size_t w = 0; w < NUM_WIDTHS; w++) {
        struct anl_config config = width(widths[w]);
        struct worms worms;
        assert_int_equal(worms_create(&worms, &config), ANL_OK);
        expect_empty(&worms, 0);
        add(&worms, 0, 3);
        add(&worms, 15, 1);
        add(&worms, 0, 1);
        pull(&worms, 0, 0);
        add(&worms, 0, 2);  // behind a worm that is half sent
        expect_empty(&worms, 1);
        pull(&worms, 1, 0);
        expect_empty(&worms, 15);
        pull(&worms, 0, 1);
        pull(&worms, 0, 2);
        pull(&worms, 2, 0);
        pull(&worms, 3, 0);
        pull(&worms, 3, 1);
        expect_empty(&worms, 0);
        add(&worms, 0, 2);  // into a queue that has been empty
        pull(&worms, 4, 0);
        pull(&worms, 4, 1);
        expect_empty(&worms, 0);
        worms_destroy(&worms);
    }
}

// Each class of a terminal has a queue, and its worms the lanes of their class.
static void each_class_has_a_queue(void **unused)
{
    (void)unused;
    struct anl_config config = width(64);
    struct worms worms;
    config.num_vcs = 6;
    config.classes = 3;
    assert_int_equal(worms_create(&worms, &config), ANL_OK);
    for (uint32_t id = 0; id < 12; id++) {
        struct anl_worm next = worm(id, id / 6, (uint16_t)(1 + id % 2));
        next.class_ = (uint8_t)(id * 2 % 3);
        assert_int_equal(worms_add(&worms, &next), ANL_OK);
    }
    for (uint32_t c = 3; c-- > 0;)
        for (uint32_t id = 0; id < 12; id++)
            for (uint32_t i = 0; i < worms.worm[id].worm.length; i++)
                if (worms.worm[id].worm.class_ == c) pull(&worms, id, i);
    expect_empty(&worms, 0);
    worms_destroy(&worms);
}

// More worms than there was room for at first, in all queues in turn.
static void holds_many_worms(void **unused)
{
    (void)unused;
    enum { MANY = 5000, TERMINALS = 16 };
    struct anl_config config = width(64);
    struct worms worms;
    assert_int_equal(worms_create(&worms, &config), ANL_OK);
    for (uint32_t id = 0; id < MANY; id++)
        add(&worms, id * 7 % TERMINALS, (uint16_t)(1 + id % 3));
    assert_int_equal(worms.count, MANY);
    for (uint32_t t = 0; t < TERMINALS; t++) {
        for (uint32_t id = 0; id < MANY; id++) {
            assert_int_equal(worms.worm[id].worm.id, id);
            if (worms.worm[id].worm.source != t) continue;
            for (uint32_t index = 0; index < worms.worm[id].worm.length; index++)
                pull(&worms, id, index);
        }
        expect_empty(&worms, t);
    }
    worms_destroy(&worms);
}

// The longest possible worm ends with its tail, and not before.
static void pulls_the_longest_worm(void **unused)
{
    (void)unused;
    struct anl_config config = width(64);
    struct worms worms;
    assert_int_equal(worms_create(&worms, &config), ANL_OK);
    add(&worms, 5, ANL_MAX_WORM_LENGTH);
    add(&worms, 5, 1);
    for (uint32_t index = 0; index < ANL_MAX_WORM_LENGTH; index++) {
        uint32_t flit[FLIT_WORDS], vcs;
        assert_true(worms_pull(&worms, 5, 0, flit, &vcs));
        assert_int_equal(bit(flit, 64), index + 1 == ANL_MAX_WORM_LENGTH);
        assert_int_equal(bit(flit, 65), index == 0);
    }
    pull(&worms, 1, 0);
    expect_empty(&worms, 5);
    worms_destroy(&worms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_marks_above_the_data), cmocka_unit_test(pulls_flit_by_flit_in_order),
        cmocka_unit_test(each_class_has_a_queue),     cmocka_unit_test(holds_many_worms),
        cmocka_unit_test(pulls_the_longest_worm),
    };
    return cmocka_run_group_tests_name("worms", tests, NULL, NULL);
}
