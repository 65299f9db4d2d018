// SPDX-License-Identifier: Apache-2.0
//
// Algorithms of Greenberg and Oh: UNIV on tiny cases, competing networks.

#include "unit_traffic.h"

#include "papers/greenberg_oh/program/greenberg_oh.h"

#include <signal.h>
#include <stdlib.h>

// --- UNIV ---

static struct univ_result send(uint32_t n, const struct anl_new_worm *packets, uint32_t count,
                               uint64_t seed)
{
    const struct anl_config tree = {.topology = ANL_FAT_TREE,
                                    .k = 4,
                                    .n = n,
                                    .num_vcs = 1,
                                    .depth = 1,
                                    .flit_width_bits = 32,
                                    .routing = ANL_UP_DOWN_RANDOM};
    struct univ_result result;
    assert_int_equal(univ_run(&tree, packets, count, 4, seed, 10000, &result), ANL_OK);
    return result;
}

// Alone a packet moves over an edge in every step, but at a switch it waits for what its other
// inputs have to say. The processors without packets say in step 0 that nothing will come, so that
// is known everywhere as soon as the packet itself could be there.
static void a_packet_alone_is_not_held_up(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 3; n++)
        for (uint32_t destination = 0; destination < 1u << 2 * n; destination++) {
            const struct anl_new_worm packet = {
                .source = 1, .destination = destination, .length = 1};
            const struct univ_result result = send(n, &packet, 1, destination);
            uint32_t edges = 2;
            while (destination >> edges != 1u >> edges)
                edges += 2;
            assert_int_equal(result.dilation, edges);
            assert_int_equal(result.congestion, 1);
            assert_int_equal(result.delivered, 1);
            assert_true(result.steps >= edges && result.steps <= 2 * 2 * n);
        }
}

// All of a leaf switch to one processor: its queue is emptied after it is looked at, so a packet
// arrives in every second step.
static void packets_to_one_processor_follow_each_other(void **state)
{
    (void)state;
    const struct anl_new_worm packets[] = {{.source = 0, .destination = 0, .length = 1},
                                           {.source = 1, .destination = 0, .length = 1},
                                           {.source = 2, .destination = 0, .length = 1},
                                           {.source = 3, .destination = 0, .length = 1}};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct univ_result result = send(1, packets, 4, seed);
        assert_int_equal(result.delivered, 4);
        assert_int_equal(result.congestion, 4);
        assert_int_equal(result.steps, 1 + 2 * 3 + 1);
    }
}

static void every_instance_is_delivered(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(3, 0);
    uint32_t steps = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct anl_new_worm packets[64];
        uint32_t count = 0;
        for (uint32_t t = 0; t < 64; t++)
            if (anl_rng_below(&rng, 4))
                packets[count++] = (struct anl_new_worm){
                    .source = t, .destination = anl_rng_below(&rng, 64), .length = 1};
        const struct univ_result result = send(3, packets, count, seed);
        assert_int_equal(result.delivered, count);
        assert_true(result.steps >= result.congestion && result.steps >= result.dilation);
        assert_int_equal(send(3, packets, count, seed).steps, result.steps);
        steps += result.steps;
    }
    assert_int_equal(steps, 4825);  // fewer if ghosts stayed: what they tell is then out of date
}

// papers/greenberg_oh/README.md has these: ranks, the life of ghosts, and who is waited for decide
// them.
static void univ_takes_the_steps_that_the_page_says(void **state)
{
    (void)state;
    uint32_t steps = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct anl_new_worm packets[16];
        for (uint32_t t = 0; t < 16; t++)
            packets[t] = (struct anl_new_worm){.source = t, .destination = 15 - t, .length = 1};
        steps += send(2, packets, 16, seed).steps - 1;
    }
    assert_int_equal(steps, 298);  // 317.9 flit-steps in the mean
}

static void univ_refuses_what_it_cannot_send(void **state)
{
    (void)state;
    const struct anl_config tree = {.topology = ANL_FAT_TREE, .k = 4, .n = 1};
    const struct anl_new_worm twice[] = {{.source = 0, .destination = 1, .length = 1},
                                         {.source = 0, .destination = 2, .length = 1},
                                         {.source = 1, .destination = 2, .length = 1},
                                         {.source = 0, .destination = 3, .length = 1}},
                              outside = {.source = 0, .destination = 4, .length = 1};
    struct univ_result result;
    assert_int_equal(univ_run(&tree, twice, 4, 1, 1, 9, &result), ANL_ERR_ARGUMENT);
    assert_int_equal(univ_run(&tree, twice, 3, 1, 1, 99, &result), ANL_OK);
    assert_true(result.delivered == 3 && result.congestion == 2);  // two packets of one source
    assert_int_equal(univ_run(&tree, &outside, 1, 1, 1, 9, &result), ANL_ERR_ARGUMENT);
    assert_int_equal(univ_run(&tree, twice, 1, 0, 1, 9, &result), ANL_ERR_ARGUMENT);
    assert_int_equal(univ_run(&tree, twice, 1, 1, 1, 1, &result), ANL_OK);
    assert_int_equal(result.delivered, 0);  // one step is too few
}

// --- a mesh on the fat-tree ---

static void shuffled_row_major_keeps_squares_together(void **state)
{
    (void)state;
    static const uint32_t first[4][4] = {
        {0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
    for (uint32_t row = 0; row < 4; row++)
        for (uint32_t column = 0; column < 4; column++)
            assert_int_equal(area_terminal(row, column), first[row][column]);
    assert_int_equal(area_terminal(63, 0), 2 * 1365);
    assert_int_equal(area_terminal(0, 63), 1365);
    assert_int_equal(area_terminal(63, 63), 4095);
}

// Through the root of a tree at most one flit a cycle goes each way.
static void a_tree_stands_in_the_place_of_a_mesh(void **state)
{
    (void)state;
    struct anl_scenario tree = scenario_of("network: {topology: mesh, k: 4, n: 2}\n"
                                           "traffic: {pattern: complement, load: 1, length: 8}\n");
    struct area_worms stream;
    assert_int_equal(area_tree(&tree, NULL), ANL_OK);
    assert_int_equal(anl_shape_of(&tree.network).switches, 15);
    assert_int_equal(anl_distance(&tree.network, 0, 15), 6);
    assert_int_equal(anl_distance(&tree.network, 6, 7), 0);
    assert_int_equal(area_worms(&tree, false, &stream), ANL_OK);
    assert_true(stream.count >= 26 && stream.count <= 2 * 128 / 8);
    for (size_t i = 0; i < stream.count; i++)
        assert_int_equal(stream.messages[i].source + stream.messages[i].destination, 15);
    free(stream.messages);
    anl_scenario_free(&tree);
}

static void windows_and_streams_of_a_mesh(void **state)
{
    (void)state;
    struct anl_scenario mesh = scenario_of("network: {topology: mesh, k: 4, n: 2}\n"
                                           "switch: {depth: 2, arbiter: random}\n"
                                           "traffic: {pattern: uniform, load: 1, length: 8}\n");
    struct area_worms window, stream, nothing;
    assert_int_equal(area_worms(&mesh, true, &window), ANL_OK);
    assert_int_equal(area_worms(&mesh, false, &stream), ANL_OK);
    assert_int_equal(window.window_cycles, 8);
    assert_int_equal(stream.window_cycles, 16 * 8);
    assert_true(window.count >= 16 && window.count <= 3 * 16);  // every processor sends
    // each processor takes at most a flit a cycle
    assert_true(stream.count >= 26 && stream.count <= 16 * 128 / 8);
    for (size_t i = 0; i < stream.count; i++)
        assert_true(stream.messages[i].source < 16 && stream.messages[i].destination < 16 &&
                    stream.messages[i].length == 8 && stream.messages[i].cycle == 0);
    mesh.run.cycles = 16 * 8 - 1;
    assert_int_equal(area_worms(&mesh, false, &nothing), ANL_ERR_ARGUMENT);
    mesh.run.cycles = 1000;
    cli_catch_interrupt();
    raise(SIGINT);
    assert_int_equal(area_worms(&mesh, false, &nothing), ANL_OK);
    assert_int_equal(nothing.count, 0);
    free(window.messages);
    free(stream.messages);
    anl_scenario_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_alone_is_not_held_up),
        cmocka_unit_test(packets_to_one_processor_follow_each_other),
        cmocka_unit_test(every_instance_is_delivered),
        cmocka_unit_test(univ_takes_the_steps_that_the_page_says),
        cmocka_unit_test(univ_refuses_what_it_cannot_send),
        cmocka_unit_test(shuffled_row_major_keeps_squares_together),
        cmocka_unit_test(a_tree_stands_in_the_place_of_a_mesh),
        cmocka_unit_test(windows_and_streams_of_a_mesh),  // is interrupted at its end
    };
    return cmocka_run_group_tests_name("greenberg_oh_algorithms", tests, NULL, NULL);
}
