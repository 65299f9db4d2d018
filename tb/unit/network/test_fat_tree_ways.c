// SPDX-License-Identifier: Apache-2.0
//
// Paths through the butterfly fat-tree, followed link by link for every choice of up links: they
// are shortest, turn once, cannot deadlock, and meet again after parting only where this test says
// so.

#include "unit_tree.h"

#include <annelid/base.h>

enum { MOST_LINKS = 2 * MOST_LEVELS };

// ---------------------------------------------------------------- ways

// The links of a path, injection first and ejection last.
struct way {
    uint32_t links[MOST_LINKS];
    size_t count;
};

// Follows the routes. Bit i of choices says which of several ports is taken at switch i of the
// path.
static struct way way_of(const struct anl_config *config, uint32_t from, uint32_t to,
                         uint32_t choices)
{
    const struct anl_shape shape = anl_shape_of(config);
    struct way way = {{shape.switches * PORTS + from}, 1};
    struct anl_end here = {true, false, anl_ejection_link(config, from) / PORTS, 0};
    for (; !here.is_terminal; choices >>= 1) {
        const struct anl_input_lane at = {here.node, here.port, 0};
        const struct anl_route route = anl_route_at(config, at, to);
        const struct anl_way first = anl_first_way(route);
        const bool two = route.ports == 3u << first.port;
        assert_true(two || route.ports == 1u << first.port);
        const uint32_t port = first.port + (two ? choices & 1 : 0);
        assert_int_equal(route.vcs[port], (1u << config->num_vcs) - 1);
        assert_true(way.count < MOST_LINKS);
        way.links[way.count++] = here.node * PORTS + port;
        here = anl_link_end(config, here.node, port);
        assert_true(here.exists);
    }
    assert_int_equal(here.node, to);
    return way;
}

// Returns the links between the switches of two terminals, by a search over the whole graph.
static uint32_t searched_distance(const struct anl_config *config, uint32_t from, uint32_t *reached)
{
    const struct anl_shape shape = anl_shape_of(config);
    uint32_t *queue = malloc(shape.switches * sizeof *queue), tail = 1;
    memset(reached, 0xff, shape.switches * sizeof *reached);
    queue[0] = from;
    reached[from] = 0;
    for (uint32_t head = 0; head < tail; head++)
        for (uint32_t p = 0; p < PORTS; p++) {
            const struct anl_end end = anl_link_end(config, queue[head], p);
            if (!end.exists || end.is_terminal || reached[end.node] != UINT32_MAX) continue;
            reached[end.node] = reached[queue[head]] + 1;
            queue[tail++] = end.node;
        }
    free(queue);
    return tail;
}

// Returns the number of up links on the paths between two terminals.
static uint32_t ups(const struct anl_config *config, uint32_t from, uint32_t to)
{
    return anl_distance(config, from, to) / 2;
}

static void every_choice_of_up_links_is_a_shortest_way(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= MOST_LEVELS; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_GREEDY);
        const struct anl_shape shape = anl_shape_of(&config);
        const uint32_t step = n == MOST_LEVELS ? 37 : 1;
        uint32_t *distance = malloc(shape.switches * sizeof *distance);
        for (uint32_t from = 0; from < shape.terminals; from += step) {
            assert_int_equal(searched_distance(&config, from / 4, distance), shape.switches);
            for (uint32_t to = 0; to < shape.terminals; to++) {
                assert_int_equal(anl_distance(&config, from, to), distance[to / 4]);
                for (uint32_t choices = 0; choices < 1u << ups(&config, from, to); choices++)
                    assert_int_equal(way_of(&config, from, to, choices).count,
                                     anl_distance(&config, from, to) + 2);
            }
        }
        free(distance);
    }
}

// The path goes up and then down: no up link comes after a down link.
static void ways_turn_once(void **state)
{
    (void)state;
    const struct anl_config config = tree(3, ANL_UP_DOWN_RANDOM);
    for (uint32_t from = 0; from < 64; from++)
        for (uint32_t to = 0; to < 64; to++)
            for (uint32_t choices = 0; choices < 4; choices++) {
                const struct way way = way_of(&config, from, to, choices);
                for (size_t i = 1; i < way.count; i++) {
                    const bool up = way.links[i] % PORTS >= CHILDREN;
                    assert_int_equal(up, i < way.count / 2);
                }
            }
}

static void a_path_decides_at_every_level(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 3; n++) {
        const struct anl_config fixed = tree(n, ANL_UP_DOWN_FIXED);
        const struct anl_config greedy = tree(n, ANL_UP_DOWN_GREEDY);
        const struct anl_shape shape = anl_shape_of(&fixed);
        for (uint32_t s = 0; s < shape.switches; s++)
            for (uint32_t to = 0; to < shape.terminals; to++)
                for (uint32_t path = 0; path < 1u << (n - 1); path++) {
                    const struct anl_input_lane at = {s, 0, 0};
                    const struct anl_route any = anl_route_at(&greedy, at, to);
                    const struct anl_route one = anl_route_on_path(&fixed, at, to, path);
                    const uint32_t bit = path >> (level_of(&fixed, s) - 1) & 1;
                    const bool two = __builtin_popcount(any.ports) == 2;
                    const struct anl_way way = anl_first_way(one);
                    assert_int_equal(one.ports, 1u << way.port);
                    assert_int_equal(way.vcs, any.vcs[way.port]);
                    assert_int_equal(way.port, anl_first_way(any).port + (two ? bit : 0));
                }
    }
}

static void a_destination_decides_at_every_level(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 3; n++) {
        const struct anl_config tag = tree(n, ANL_DESTINATION_TAG);
        const struct anl_config fixed = tree(n, ANL_UP_DOWN_FIXED);
        const struct anl_shape shape = anl_shape_of(&tag);
        for (uint32_t s = 0; s < shape.switches; s++)
            for (uint32_t to = 0; to < shape.terminals; to++) {
                const struct anl_input_lane at = {s, 0, 0};
                const struct anl_route one = anl_route_at(&tag, at, to);
                // The bits of the destination in the place of a path.
                const struct anl_route same = anl_route_on_path(&fixed, at, to, to);
                assert_int_equal(one.ports, same.ports);
                assert_int_equal(anl_first_way(one).vcs, anl_first_way(same).vcs);
            }
    }
}

static size_t all_ways(const struct anl_config *config, struct way *ways)
{
    const uint32_t terminals = anl_shape_of(config).terminals;
    size_t count = 0;
    for (uint32_t from = 0; from < terminals; from++)
        for (uint32_t to = 0; to < terminals; to++)
            for (uint32_t choices = 0; choices < 1u << ups(config, from, to); choices++)
                ways[count++] = way_of(config, from, to, choices);
    return count;
}

// Returns the number of unbroken runs of links that two paths share.
static unsigned stretches(const struct way *a, const struct way *b)
{
    unsigned count = 0;
    size_t last = MOST_LINKS;  // index in b of the previous link, if it is shared
    for (size_t i = 0; i < a->count; i++) {
        size_t at = 0;
        while (at < b->count && b->links[at] != a->links[i])
            at++;
        count += at < b->count && at != last + 1;
        last = at < b->count ? at : MOST_LINKS;
    }
    return count;
}

static uint32_t destination_of(const struct anl_config *config, const struct way *way)
{
    const uint32_t last = way->links[way->count - 1];
    return anl_link_end(config, last / PORTS, last % PORTS).node;
}

// Returns whether the two paths come up together to a switch of level l, part there by its two up
// links, and go to one subtree of level l - 1. Then they come down to one switch of level l and
// leave it by one link.
static bool part_and_meet(const struct anl_config *config, const struct way *a, const struct way *b)
{
    size_t l = 0;
    for (size_t i = 0; 2 * i < a->count && 2 * i < b->count; i++)
        if (a->links[i] == b->links[i]) l = i + 1;
    if (l == 0 || 2 * l >= a->count || 2 * l >= b->count) return false;
    const uint32_t size = power(4, (uint32_t)l - 1);
    return destination_of(config, a) / size == destination_of(config, b) / size;
}

static void meet_as_they_may(const struct anl_config *config, const struct way *a,
                             const struct way *b)
{
    if (part_and_meet(config, a, b))
        assert_int_equal(stretches(a, b), 2);
    else
        assert_true(stretches(a, b) <= 1);
}

// The paper says that two shortest paths meet in at most one run of links. With a free choice of up
// links that is not so: from terminals 0 and 1 both paths to 63 take u0 of 0(1,0); then one takes
// u0 and the other u1, and they meet again in d3 of 22(2,6).
static void ways_meet_at_most_twice(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 3; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_RANDOM);
        const uint32_t terminals = power(4, n);
        struct way *ways = malloc(((size_t)terminals * terminals << (n - 1)) * sizeof *ways);
        const size_t count = all_ways(&config, ways);
        for (size_t a = 0; n <= 2 && a < count; a++)
            for (size_t b = 0; b < count; b++)
                meet_as_they_may(&config, &ways[a], &ways[b]);
        struct anl_rng rng = anl_rng_seed(3, n);
        for (uint32_t i = 0; n == 3 && i < 1000000; i++) {
            const struct way *other = &ways[anl_rng_below(&rng, (uint32_t)count)];
            meet_as_they_may(&config, &ways[anl_rng_below(&rng, (uint32_t)count)], other);
        }
        free(ways);
    }
    const struct anl_config config = tree(3, ANL_UP_DOWN_RANDOM);
    const struct way a = way_of(&config, 0, 63, 0), b = way_of(&config, 1, 63, 2);
    assert_int_equal(stretches(&a, &b), 2);
    assert_int_equal(a.links[1], b.links[1]);
    assert_int_equal(a.links[4], 22 * PORTS + 3);
    assert_int_equal(b.links[4], 22 * PORTS + 3);
}

// Where worms for one subtree take the same up links the paper is right. Here the path at level l
// is the parity of the destination's subtree of level l - 1.
static void ways_that_destinations_choose_meet_at_most_once(void **state)
{
    (void)state;
    const struct anl_config config = tree(3, ANL_UP_DOWN_RANDOM);
    struct way *ways = malloc(64 * 64 * sizeof *ways);
    for (uint32_t from = 0; from < 64; from++)
        for (uint32_t to = 0; to < 64; to++)
            ways[64 * from + to] = way_of(&config, from, to, (to & 1) | (to >> 2 & 1) << 1);
    for (size_t a = 0; a < 64 * 64; a += 3)
        for (size_t b = a % 5; b < 64 * 64; b += 5)
            assert_true(stretches(&ways[a], &ways[b]) <= 1);
    free(ways);
}

// ---------------------------------------------------------------- channel dependencies

struct graph {
    uint8_t *edges;  // [links * links]
    uint8_t *mark;   // 0 new, 1 on the current path, 2 done
    uint32_t links;
};

static bool has_cycle(struct graph *graph, uint32_t from)
{
    graph->mark[from] = 1;
    for (uint32_t to = 0; to < graph->links; to++) {
        if (!graph->edges[from * graph->links + to] || graph->mark[to] == 2) continue;
        if (graph->mark[to] == 1 || has_cycle(graph, to)) return true;
    }
    graph->mark[from] = 2;
    return false;
}

static bool graph_has_cycle(struct graph *graph)
{
    memset(graph->mark, 0, graph->links);
    for (uint32_t link = 0; link < graph->links; link++)
        if (graph->mark[link] == 0 && has_cycle(graph, link)) return true;
    return false;
}

static struct graph dependencies(const struct anl_config *config)
{
    const uint32_t terminals = anl_shape_of(config).terminals;
    struct graph graph = {.links = anl_shape_of(config).links};
    graph.edges = calloc((size_t)graph.links * graph.links, 1);
    graph.mark = malloc(graph.links);
    struct way *ways = malloc(((size_t)terminals * terminals << (config->n - 1)) * sizeof *ways);
    const size_t count = all_ways(config, ways);
    for (size_t w = 0; w < count; w++)
        for (size_t i = 1; i < ways[w].count; i++)
            graph.edges[ways[w].links[i - 1] * graph.links + ways[w].links[i]] = 1;
    free(ways);
    return graph;
}

static void no_channel_waits_for_itself(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 3; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_GREEDY);
        struct graph graph = dependencies(&config);
        assert_false(graph_has_cycle(&graph));
        if (n > 1) {  // going up again after down closes a cycle
            const struct anl_end down = anl_link_end(&config, switch_at(&config, 2, 0), 0);
            graph.edges[(switch_at(&config, 2, 0) * PORTS) * graph.links + down.node * PORTS +
                        down.port] = 1;
            graph.edges[(down.node * PORTS + down.port) * graph.links +
                        switch_at(&config, 2, 0) * PORTS] = 1;
            assert_true(graph_has_cycle(&graph));
        }
        free(graph.edges);
        free(graph.mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_choice_of_up_links_is_a_shortest_way),
        cmocka_unit_test(ways_turn_once),
        cmocka_unit_test(a_path_decides_at_every_level),
        cmocka_unit_test(a_destination_decides_at_every_level),
        cmocka_unit_test(ways_meet_at_most_twice),
        cmocka_unit_test(ways_that_destinations_choose_meet_at_most_once),
        cmocka_unit_test(no_channel_waits_for_itself),
    };
    return cmocka_run_group_tests_name("fat_tree_ways", tests, NULL, NULL);
}
