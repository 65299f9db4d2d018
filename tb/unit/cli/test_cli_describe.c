// SPDX-License-Identifier: Apache-2.0
//
// `annelid describe`: counts, distances and latencies of cubes and fat-trees, and the parameters
// that the RTL of a scenario needs.

#include "unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("mesh.yaml", "network: {topology: mesh, k: 8, n: 2}\n"
                            "switch: {num_vcs: 4, depth: 4}\n"
                            "traffic: {load: 0.3, length: 8}\n");
    write_file("tree.yaml", "network: {topology: fat_tree, n: 3}\n"
                            "switch: {depth: 2, scan: random}\n"
                            "traffic: {process: batch, pattern: random_function, length: 32}\n");
    return 0;
}

static void cubes_are_counted(void **state)
{
    (void)state;
    expect("describe mesh.yaml", 0, "mesh, k = 8, n = 2: 64 switches of 5 ports, 64 terminals",
           NULL);
    expect("describe mesh.yaml", 0, "224 links between switches, 16 across the middle", NULL);
    expect("describe mesh.yaml", 0, "distance at most 14, mean 5.250 links", NULL);
    expect("describe mesh.yaml", 0, "at least 23 cycles for 8 flits", NULL);
    expect("describe --set network.k=1 mesh.yaml", 0, "1 switch of 5 ports, 1 terminal\n", NULL);
    expect("describe --set network.topology=torus --set network.k=5 mesh.yaml", 0,
           "100 links between switches, 20 across the middle", NULL);
    expect("describe --set network.topology=torus --set network.k=5 mesh.yaml", 0,
           "distance at most 4, mean 2.400 links", NULL);
}

// The levels have N/4, N/8, … switches. Below the root each switch has 2 links up and as many down.
// The bisection is half of the 4 channels of 2^(n-1) links between the root and the level below. Of
// 64 terminals 4 are at distance 0, 12 at distance 2 and 48 at distance 4.
static void trees_are_counted(void **state)
{
    (void)state;
    expect("describe tree.yaml", 0, "28 switches of 6 ports, 64 terminals", NULL);
    expect("describe tree.yaml", 0, "96 links between switches, 16 of them at the root", NULL);
    expect("describe tree.yaml", 0, "distance at most 4, mean 3.375 links", NULL);
    expect("describe tree.yaml", 0, "at least 37 cycles for 32 flits", NULL);
    expect("describe --set network.n=1 tree.yaml", 0, "1 switch of 6 ports, 4 terminals", NULL);
    expect("describe --set network.n=1 tree.yaml", 0, "0 links between switches, 0 of", NULL);
    expect("describe --set network.n=1 tree.yaml", 0, "distance at most 0, mean 0.000", NULL);
    expect("describe --set network.n=2 tree.yaml", 0, "16 links between switches, 8 of", NULL);
    expect("describe --set network.n=5 tree.yaml", 0, "1920 links between switches, 64 of", NULL);
    expect("describe --set network.n=5 tree.yaml", 0, "distance at most 8, ", NULL);
    expect("describe --set switch.depth=1 tree.yaml", 0, "at least 68 cycles", NULL);
}

static void words_fit_the_numbers(void **state)
{
    (void)state;
    expect("describe tree.yaml", 0, "1 lane of 2 flits per link", NULL);
    expect("describe tree.yaml", 0, "scan random, wormhole\n", NULL);
    expect("describe --set switch.space=chained tree.yaml", 0, "wormhole, space chained\n", NULL);
    expect("describe --set traffic.length=1 tree.yaml", 0, "worms of 1 flit\n", NULL);
    expect("describe tree.yaml", 0, "1 worm per terminal\n", NULL);
    expect("describe mesh.yaml", 0, "a head's fields take 6\n", NULL);
    expect("describe --set switch.length_in_head=yes mesh.yaml", 0,
           "a head's fields take 13, with the length of the worm\n", NULL);
    expect("describe --set traffic.delays=3 --set traffic.delay_cycles=160 tree.yaml", 0,
           "1 worm per terminal after 0 to 2 times 160 cycles", NULL);
}

// The numbers are those of rtl/common/anl_pkg.sv and of the packages in rtl/net.
static void parameters_are_those_of_the_rtl(void **state)
{
    (void)state;
    expect("describe --rtl mesh.yaml", 0,
           "K=8 N=2 Kind=0 NumVcs=4 Depth=4 FlitW=32 Scan=1 Admission=0\n", NULL);
    expect("describe --rtl --set switch.length_in_head=yes mesh.yaml", 0, " Scan=1 Admission=3\n",
           NULL);
    expect("describe --rtl --set network.topology=torus --set switch.routing=dimension_order "
           "mesh.yaml",
           0, "Kind=5 ", NULL);
    expect("describe --rtl tree.yaml", 0,
           "K=4 N=3 Kind=9 NumVcs=1 Depth=2 FlitW=32 Scan=2 Admission=0 Chained=0\n", NULL);
    expect("describe --rtl --set switch.routing=up_down_fixed tree.yaml", 0, "Kind=8 ", NULL);
    expect("describe --rtl --set switch.routing=up_down_greedy tree.yaml", 0, "Kind=10 ", NULL);
    expect("describe --rtl --set switch.scan=farthest --set switch.space=chained tree.yaml", 0,
           "Scan=4 Admission=0 Chained=1\n", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_are_counted),
        cmocka_unit_test(trees_are_counted),
        cmocka_unit_test(words_fit_the_numbers),
        cmocka_unit_test(parameters_are_those_of_the_rtl),
    };
    return cmocka_run_group_tests_name("cli_describe", tests, prepare, remove_directory);
}
