// SPDX-License-Identifier: Apache-2.0
//
// The packet algorithm that sorts. It compares worms by an order alone, whatever they are, so it
// sorts all inputs if it sorts those of zeros and ones. A block is held against all of them that
// its sorted parts can leave, so the sizes follow from each other by induction.

#include "unit_papers.h"

#include "papers/roberts_symvonis/program/snakes.h"

#include <string.h>

struct mesh {
    struct packets packets;
    struct destinations destinations;
    uint32_t *to;  // [n * n]
};

static void make(struct mesh *mesh, uint32_t n, packet_algorithm *algorithm)
{
    struct anl_error error;
    *mesh = (struct mesh){.to = calloc((size_t)n * n, sizeof *mesh->to)};
    assert_non_null(mesh->to);
    mesh->destinations = (struct destinations){.of = mesh->to, .room = 8};
    assert_int_equal(packets_create(n, algorithm, &mesh->destinations, &mesh->packets, &error),
                     ANL_OK);
}

static void unmake(struct mesh *mesh)
{
    packets_free(&mesh->packets);
    free(mesh->to);
}

// Empties all nodes, and goes on from a superstep.
static void begin(struct mesh *mesh, uint32_t superstep)
{
    struct packets *packets = &mesh->packets;
    packets->superstep = superstep;
    packets->largest = 0;
    for (uint32_t node = 0; node < packets->n * packets->n; node++)
        packets->queues[node].count = 0;
}

// --- zeros and ones ---

// Returns the node in a place of the snake through the columns of a block.
static uint32_t node_at(uint32_t n, uint32_t side, uint32_t place, uint32_t left, uint32_t top)
{
    const uint32_t x = place / side, y = place % side;
    return (top + (x % 2 ? side - 1 - y : y)) * n + left + x;
}

// Puts a worm into each node: its number is that of the node, and it goes to the first node or to
// the last.
static void put(struct mesh *mesh, uint32_t node, bool one)
{
    mesh->to[node] = one ? mesh->packets.n * mesh->packets.n - 1 : 0;
    assert_int_equal(packets_add(&mesh->packets, node, node), ANL_OK);
}

// Puts a sorted block with so many zeros.
static void put_block(struct mesh *mesh, uint32_t side, uint32_t left, uint32_t top, uint32_t zeros)
{
    for (uint32_t place = 0; place < side * side; place++)
        put(mesh, node_at(mesh->packets.n, side, place, left, top), place >= zeros);
}

// Runs the last block, and returns whether the zeros then come first.
static bool sorts(struct mesh *mesh)
{
    const uint32_t n = mesh->packets.n, routing = 2 * (n - 1);
    uint32_t ones = 0;
    bool sorted = true;
    while (mesh->packets.superstep < sorting_supersteps(n, 1) - routing)
        assert_int_equal(packets_step(&mesh->packets), ANL_OK);
    for (uint32_t place = 0; place < n * n; place++) {
        const uint32_t node = node_at(n, n, place, 0, 0);
        assert_int_equal(mesh->packets.queues[node].count, 1);
        const bool one = mesh->to[mesh->packets.queues[node].worms[0]] != 0;
        sorted &= one || !ones;
        ones += one;
    }
    return sorted;
}

// Returns the superstep in which the parts of the mesh are sorted.
static uint32_t parts_sorted(uint32_t n)
{
    const uint32_t inner = n % 2 ? n - 1 : n / 2;
    return inner < 2 ? 0 : sorting_supersteps(inner, 1) - 2 * (inner - 1);
}

// Holds a mesh of even side against all that four sorted quarters can leave.
static void sort_quarters(uint32_t n, uint32_t every)
{
    struct mesh mesh;
    const uint32_t half = n / 2, amounts = half * half + 1;
    make(&mesh, n, sorting);
    for (uint32_t i = 0; i < amounts * amounts * amounts * amounts; i += every) {
        begin(&mesh, parts_sorted(n));
        for (uint32_t quarter = 0, rest = i; quarter < 4; quarter++, rest /= amounts)
            put_block(&mesh, half, quarter % 2 * half, quarter / 2 * half, rest % amounts);
        if (!sorts(&mesh)) fail_msg("side %u: quarters %u are not sorted", n, i);
        assert_true(mesh.packets.largest <= 2);
    }
    unmake(&mesh);
}

// Holds a mesh of odd side against all that a sorted block can leave with any last row and column.
static void sort_border(uint32_t n, uint32_t every)
{
    struct mesh mesh;
    const uint32_t side = n - 1, amounts = side * side + 1;
    make(&mesh, n, sorting);
    for (uint32_t i = 0; i < amounts << (2 * n - 1); i += every) {
        begin(&mesh, parts_sorted(n));
        put_block(&mesh, side, 0, 0, i % amounts);
        const uint32_t bits = i / amounts;
        for (uint32_t y = 0; y < n; y++)
            put(&mesh, y * n + side, bits >> y & 1);
        for (uint32_t x = 0; x < side; x++)
            put(&mesh, side * n + x, bits >> (n + x) & 1);
        if (!sorts(&mesh)) fail_msg("side %u: border %u is not sorted", n, i);
        assert_true(mesh.packets.largest <= 2);
    }
    unmake(&mesh);
}

static void zeros_come_before_ones(void **state)
{
    (void)state;
    const uint32_t share = unit_share();
    sort_quarters(2, 1);
    sort_border(3, 1);
    sort_quarters(4, 1);
    sort_border(5, share);
    sort_quarters(6, 2 * share - 1);
    sort_border(7, 100 * share + 1);
    sort_quarters(8, 30 * share + 1);
    sort_border(9, 20000 * share + 1);
    sort_quarters(16, 100000 * share + 1);
}

// --- whole permutations ---

// Routes to[node], or nothing where it is NO_WORM. Returns the longest queue.
static uint32_t route(struct mesh *mesh, const uint32_t *to, uint32_t supersteps)
{
    begin(mesh, 0);
    for (uint32_t node = 0; node < mesh->packets.n * mesh->packets.n; node++) {
        if (to[node] == NO_WORM) continue;
        mesh->to[node] = to[node];
        assert_int_equal(packets_add(&mesh->packets, node, node), ANL_OK);
    }
    while (mesh->packets.superstep < supersteps)
        assert_int_equal(packets_step(&mesh->packets), ANL_OK);
    assert_int_equal(packets_away(&mesh->packets, &mesh->destinations), 0);
    return mesh->packets.largest;
}

static void exchange(uint32_t *a, uint32_t *b)
{
    const uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

// Routes one of `every` permutations of the nodes from `place` on.
static void route_all(struct mesh *mesh, uint32_t *to, uint32_t place, uint32_t every,
                      uint32_t *seen)
{
    const uint32_t n = mesh->packets.n, nodes = n * n;
    if (place == nodes) {
        if ((*seen)++ % every == 0) assert_true(route(mesh, to, sorting_supersteps(n, 1)) <= 4);
        return;
    }
    for (uint32_t i = place; i < nodes; i++) {
        exchange(&to[place], &to[i]);
        route_all(mesh, to, place + 1, every, seen);
        exchange(&to[place], &to[i]);
    }
}

static void all_permutations_arrive(uint32_t n, uint32_t every, uint32_t expected)
{
    struct mesh mesh;
    uint32_t to[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, seen = 0;
    make(&mesh, n, sorting);
    route_all(&mesh, to, 0, every, &seen);
    assert_int_equal(seen, expected);
    unmake(&mesh);
}

static void small_permutations_arrive(void **state)
{
    (void)state;
    all_permutations_arrive(2, 1, 24);
    all_permutations_arrive(3, unit_share() > 1 ? 200 : 1, 362880);
}

// Random destinations of which none has more than `most` worms; one of `gaps` nodes has no worm.
static void draw_destinations(uint32_t n, uint32_t most, uint32_t gaps, struct anl_rng *rng,
                              uint32_t *to)
{
    const uint32_t nodes = n * n;
    for (uint32_t i = 0; i < nodes; i++)
        to[i] = i / most * most;
    for (uint32_t i = nodes; i > 1; i--)
        exchange(&to[i - 1], &to[anl_rng_below(rng, i)]);
    for (uint32_t i = 0; i < nodes && gaps; i++)
        if (anl_rng_below(rng, gaps) == 0) to[i] = NO_WORM;
}

static uint32_t route_random(uint32_t n, uint32_t most, uint32_t gaps, uint64_t seed)
{
    struct mesh mesh;
    uint32_t *to = calloc((size_t)n * n, sizeof *to);
    assert_non_null(to);
    make(&mesh, n, sorting);
    struct anl_rng rng = anl_rng_seed(seed, n);
    draw_destinations(n, most, gaps, &rng, to);
    const uint32_t largest = route(&mesh, to, sorting_supersteps(n, most));
    unmake(&mesh);
    free(to);
    return largest;
}

// Queues stay within the bounds of the page: 2 on the way in a row, and what ends in a column.
static void random_permutations_arrive(void **state)
{
    (void)state;
    const uint32_t last = unit_share() > 1 ? 20 : 70;
    for (uint32_t n = 1; n < last; n++)
        for (uint32_t gaps = 0; gaps < 4; gaps++)
            assert_true(route_random(n, 1, gaps, n) <= 4);
}

// No worm goes along its column before all could go along their rows.
static void columns_wait_for_rows(void **state)
{
    (void)state;
    enum { N = 4 };
    const uint32_t to[] = {3 * N}, worm = 0, sorted = sorting_supersteps(N, 1) - 2 * (N - 1);
    struct destinations destinations = {.of = to};
    for (uint32_t i = 0; i < 2 * N; i++) {
        const struct node_view view = {N, 0, sorted + i, &worm, 1};
        uint32_t out[DIRECTIONS];
        sorting(&destinations, &view, out);
        assert_int_equal(out[ANL_SOUTH], i < N - 1 ? NO_WORM : worm);
        assert_true(out[ANL_EAST] == NO_WORM && out[ANL_WEST] == NO_WORM);
    }
}

// Without consumption a node has up to `most` worms in the end.
static void many_to_one_arrives(void **state)
{
    (void)state;
    for (uint32_t most = 2; most < 9; most++)
        for (uint32_t n = 3; n < 18; n++)
            assert_true(route_random(n, most, 0, n) <= 2 * most + 3);
}

// --- what it is good for ---

// All worms of the first row go to the column in the middle. Two come to its first node in a
// superstep, and one can leave.
static void greedy_has_long_queues(void **state)
{
    (void)state;
    enum { N = 48 };
    packet_algorithm *const algorithms[] = {greedy, deflecting, sorting};
    uint32_t to[N * N], largest[3];
    memset(to, 0xff, sizeof to);
    for (uint32_t x = 0; x < N; x++)
        to[x] = x * N + N / 2;
    for (int i = 0; i < 3; i++) {
        struct mesh mesh;
        make(&mesh, N, algorithms[i]);
        largest[i] = route(&mesh, to, sorting_supersteps(N, 1));
        unmake(&mesh);
    }
    assert_true(largest[0] >= N / 3 && largest[1] <= 8 + 4 && largest[2] <= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_come_before_ones),     cmocka_unit_test(small_permutations_arrive),
        cmocka_unit_test(random_permutations_arrive), cmocka_unit_test(columns_wait_for_rows),
        cmocka_unit_test(many_to_one_arrives),        cmocka_unit_test(greedy_has_long_queues),
    };
    return cmocka_run_group_tests_name("roberts_symvonis_sorting", tests, NULL, NULL);
}
