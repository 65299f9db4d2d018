// SPDX-License-Identifier: Apache-2.0
//
// The wiring of the butterfly fat-tree against Greenberg and Oh (1993), section 3.2.1, by the
// formulas that the paper prints; and the paths that worms draw.

#include "unit_tree.h"

#include <annelid/network.h>

// ---------------------------------------------------------------- the paper

// Returns the switches of level l of a tree with n levels: N/4, and half as many in each next
// level.
static uint32_t paper_size(uint32_t n, uint32_t l)
{
    return l == 1 ? power(4, n) / 4 : paper_size(n, l - 1) / 2;
}

// Returns the address in level l + 1 of one of the two switches that (l, a) is connected to.
static uint32_t paper_parent(uint32_t l, uint32_t a, uint32_t which)
{
    const uint32_t block = a / power(2, l + 1) * power(2, l);
    return block + (a + which * power(2, l - 1)) % power(2, l);
}

// ---------------------------------------------------------------- numbers and wiring

static void switches_are_numbered_from_the_bottom(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= MOST_LEVELS; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_RANDOM);
        const struct anl_shape shape = anl_shape_of(&config);
        uint32_t next = 0;
        for (uint32_t l = 1; l <= n; l++)
            for (uint32_t a = 0; a < paper_size(n, l); a++, next++) {
                const struct anl_tree_place node = anl_tree_place(&config, next);
                assert_int_equal(node.level, l);
                assert_int_equal(node.address, a);
                assert_int_equal(switch_at(&config, l, a), next);
            }
        assert_int_equal(shape.switches, next);
        assert_int_equal(shape.switches, power(4, n) / 2 - power(4, n) / power(2, n + 1));
        assert_int_equal(shape.terminals, power(4, n));
        assert_int_equal(shape.ports, PORTS);
        assert_int_equal(shape.links, next * PORTS + power(4, n));
    }
}

static void terminals_are_at_the_first_level(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= MOST_LEVELS; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_RANDOM);
        for (uint32_t a = 0; a < power(4, n); a++) {
            const uint32_t link = anl_ejection_link(&config, a), s = link / PORTS;
            const struct anl_end end = anl_link_end(&config, s, link % PORTS);
            assert_int_equal(s, switch_at(&config, 1, a / 4));
            assert_int_equal(link % PORTS, a % 4);
            assert_true(end.exists && end.is_terminal);
            assert_int_equal(end.node, a);
        }
    }
}

// The up links of a switch go where the paper says, and their ends lead back.
static void check_parents(const struct anl_config *config, uint32_t s, uint8_t *fed)
{
    const struct anl_tree_place node = anl_tree_place(config, s);
    for (uint32_t up = 0; up < PARENTS; up++) {
        const struct anl_end end = anl_link_end(config, s, CHILDREN + up);
        assert_int_equal(end.exists, node.level < config->n);
        if (!end.exists) continue;
        assert_false(end.is_terminal);
        assert_int_equal(end.node, switch_at(config, node.level + 1,
                                             paper_parent(node.level, node.address, up)));
        assert_true(end.port < CHILDREN);
        assert_int_equal(fed[end.node * PORTS + end.port]++, 0);

        const struct anl_end back = anl_link_end(config, end.node, end.port);
        assert_true(back.exists && !back.is_terminal);
        assert_int_equal(back.node, s);
        assert_int_equal(back.port, CHILDREN + up);
    }
}

static void connections_are_those_of_the_paper(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= MOST_LEVELS; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_RANDOM);
        const struct anl_shape shape = anl_shape_of(&config);
        uint8_t *fed = calloc((size_t)shape.switches * PORTS, 1);
        for (uint32_t s = 0; s < shape.switches; s++)
            check_parents(&config, s, fed);
        for (uint32_t s = 0; s < shape.switches; s++)
            for (uint32_t c = 0; c < CHILDREN; c++)
                assert_int_equal(fed[s * PORTS + c], level_of(&config, s) > 1);
        free(fed);
    }
}

// ---------------------------------------------------------------- subtrees and channels

static void mark_below(const struct anl_config *config, uint32_t s, uint8_t *reached)
{
    for (uint32_t c = 0; c < CHILDREN; c++) {
        const struct anl_end end = anl_link_end(config, s, c);
        if (end.is_terminal)
            reached[end.node]++;
        else
            mark_below(config, end.node, reached);
    }
}

// Downwards a switch reaches exactly the 4^l terminals of its subtree, each by one way.
static void downwards_a_switch_reaches_its_subtree(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= MOST_LEVELS; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_RANDOM);
        const struct anl_shape shape = anl_shape_of(&config);
        uint8_t *reached = malloc(shape.terminals);
        for (uint32_t s = 0; s < shape.switches; s++) {
            const struct anl_tree_place node = anl_tree_place(&config, s);
            const uint32_t subtree = node.address / power(2, node.level - 1);
            memset(reached, 0, shape.terminals);
            mark_below(&config, s, reached);
            for (uint32_t t = 0; t < shape.terminals; t++)
                assert_int_equal(reached[t], t / power(4, node.level) == subtree);
        }
        free(reached);
    }
}

// Returns the subtree of level l that a switch belongs to; the switch is its root or below it.
static uint32_t subtree_of(const struct anl_config *config, uint32_t s, uint32_t l)
{
    uint8_t *reached = calloc(anl_shape_of(config).terminals, 1);
    uint32_t first = 0;
    mark_below(config, s, reached);
    while (!reached[first])
        first++;
    free(reached);
    return first / power(4, l);
}

// The links between a subtree and the rest are 2^l in each direction.
static void channels_have_their_links(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= MOST_LEVELS; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_RANDOM);
        for (uint32_t l = 1; l < n; l++) {
            uint32_t *up = calloc(power(4, n - l), sizeof *up);
            uint32_t *down = calloc(power(4, n - l), sizeof *down);
            for (uint32_t a = 0; a < paper_size(n, l); a++)
                for (uint32_t p = 0; p < PARENTS; p++)
                    up[subtree_of(&config, switch_at(&config, l, a), l)] +=
                        anl_link_end(&config, switch_at(&config, l, a), CHILDREN + p).exists;
            for (uint32_t a = 0; a < paper_size(n, l + 1); a++)
                for (uint32_t c = 0; c < CHILDREN; c++) {
                    const uint32_t s = switch_at(&config, l + 1, a);
                    down[subtree_of(&config, anl_link_end(&config, s, c).node, l)]++;
                }
            for (uint32_t j = 0; j < power(4, n - l); j++) {
                assert_int_equal(up[j], power(2, l));
                assert_int_equal(down[j], power(2, l));
            }
            free(up);
            free(down);
        }
    }
}

// ---------------------------------------------------------------- what else is known of a link

static void links_have_names(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, link;
        const char *name;
    } cases[] = {
        {1, 0 * PORTS + 3, "0(1,0).d3"},   {2, 5 * PORTS + 1, "5(2,1).d1"},
        {3, 17 * PORTS + 4, "17(2,1).u0"}, {3, 15 * PORTS + 5, "15(1,15).u1"},
        {2, 6 * PORTS + 9, "T9.inject"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct anl_config config = tree(cases[i].n, ANL_UP_DOWN_RANDOM);
        char name[64];
        anl_link_name(&config, cases[i].link, name, sizeof name);
        assert_string_equal(name, cases[i].name);
    }
}

static void labels_are_numbers(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= MOST_LEVELS; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_RANDOM);
        assert_int_equal(anl_label_bits(&config), 2 * n);
        for (uint32_t t = 0; t < power(4, n); t++)
            assert_int_equal(anl_label(&config, t), t);
    }
}

static void up_and_injection_links_are_chained(void **state)
{
    (void)state;
    struct anl_config config = tree(2, ANL_UP_DOWN_RANDOM);
    for (uint32_t link = 0; link < 6 * PORTS + 16; link++) {
        const bool upwards = link >= 6 * PORTS || link % PORTS >= CHILDREN;
        config.credits = ANL_REGISTERED;
        assert_false(anl_link_is_chained(&config, link));
        config.credits = ANL_BYPASS;
        assert_int_equal(anl_link_is_chained(&config, link), upwards);
    }
}

// ---------------------------------------------------------------- drawn paths

// The chi-square of 4096 drawn paths must be below a limit that uniform paths exceed with
// probability 0.001.
static void paths_are_uniform(void **state)
{
    (void)state;
    static const double limits[MOST_LEVELS + 1] = {0, 0, 10.8, 16.3, 24.3, 37.7};
    for (uint32_t n = 2; n <= MOST_LEVELS; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_FIXED);
        const uint32_t paths = 1u << (n - 1);
        uint32_t seen[1 << (MOST_LEVELS - 1)] = {0};
        double chi_square = 0;
        for (uint32_t id = 0; id < 4096; id++) {
            const uint32_t path = anl_worm_path(&config, 7, id);
            assert_true(path < paths);
            seen[path]++;
        }
        const double mean = 4096.0 / paths;
        for (uint32_t path = 0; path < paths; path++)
            chi_square += (seen[path] - mean) * (seen[path] - mean) / mean;
        assert_true(chi_square < limits[n]);
        assert_true(chi_square > 0);
    }
}

static void paths_depend_on_seed_and_worm(void **state)
{
    (void)state;
    const struct anl_config fixed = tree(5, ANL_UP_DOWN_FIXED);
    const struct anl_config random = tree(5, ANL_UP_DOWN_RANDOM);
    const struct anl_config flat = tree(1, ANL_UP_DOWN_FIXED);
    uint32_t same_seed = 0, same_id = 0;
    for (uint32_t id = 0; id < 4096; id++) {
        same_seed += anl_worm_path(&fixed, 1, id) == anl_worm_path(&fixed, 1, id + 1);
        same_id += anl_worm_path(&fixed, 1, id) == anl_worm_path(&fixed, 2, id);
        assert_int_equal(anl_worm_path(&random, 1, id), 0);
        assert_int_equal(anl_worm_path(&flat, 1, id), 0);
    }
    // 256 of 4096 are expected; the standard deviation is 15.5.
    assert_between(same_seed, 190, 322);
    assert_between(same_id, 190, 322);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_are_numbered_from_the_bottom),
        cmocka_unit_test(terminals_are_at_the_first_level),
        cmocka_unit_test(connections_are_those_of_the_paper),
        cmocka_unit_test(downwards_a_switch_reaches_its_subtree),
        cmocka_unit_test(channels_have_their_links),
        cmocka_unit_test(links_have_names),
        cmocka_unit_test(labels_are_numbers),
        cmocka_unit_test(up_and_injection_links_are_chained),
        cmocka_unit_test(paths_are_uniform),
        cmocka_unit_test(paths_depend_on_seed_and_worm),
    };
    return cmocka_run_group_tests_name("fat_tree", tests, NULL, NULL);
}
