// SPDX-License-Identifier: Apache-2.0
//
// `annelid rtl`: the files that it writes and what it refuses. What they do is tested by
// tb/unit/scripts/test_design.py.

#include "unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("star.yaml", "network: {topology: graph}\n"
                            "switch: {num_vcs: 2, flit_width_bits: 24}\n"
                            "traffic: {load: 0.1, length: 4}\n"
                            "graph:\n"
                            "  switches: [hub, a, b]\n"
                            "  terminals: [hub, a, b]\n"
                            "  links: [[hub, a], [hub, b]]\n");
    write_file("4-mesh.v2.yaml", "network: {topology: mesh, k: 2, n: 2}\n");
    write_file("tree.yaml",
               "network: {topology: fat_tree, n: 2}\nswitch: {routing: up_down_fixed}\n");
    write_file("full.yaml",
               "network: {topology: mesh, k: 16, n: 2}\nswitch: {flit_width_bits: 8}\n");
    return 0;
}

static void a_design_has_all_its_files(void **state)
{
    (void)state;
    expect("rtl star.yaml -o new/design", 0, "", "");
    expect_shell("cd new/design && ls > ../list star_network.sv star_network.f star_network.core "
                 "tb_star_network.sv README.md rtl/net/anl_graph.sv rtl/net/anl_graph_pkg.sv "
                 "rtl/include/anl_assert.svh");
    expect_shell("cd new/design && grep -v '^+' star_network.f | xargs ls > ../list");
    expect_shell("cd new/design && test $(grep -c 'rtl/.*/.*.sv$' star_network.core) = "
                 "$(find rtl -name '*.sv' | wc -l)");
    expect_shell("! grep -rE '@[A-Z_]+@' new/design");
    expect_shell("! grep -l -e anl_cube -e anl_board new/design/rtl/*/*.sv");
    expect_shell("grep -q '^| 2 | 2 | 2(b).1 |$' new/design/README.md");
    expect_shell("grep -q '^It cannot deadlock' new/design/README.md");
}

static void a_design_that_can_deadlock_says_so(void **state)
{
    (void)state;
    write_file("ring.yaml", "network: {topology: torus, k: 5, n: 1, unsafe: true}\n"
                            "switch: {routing: dimension_order}\n");
    expect("rtl ring.yaml -o ring", 0, "", "");
    expect_shell("grep -q '^[*][*]It can deadlock[*][*]' ring/README.md");
}

// The same scenario gives the same files, and a second call replaces them.
static void it_is_deterministic(void **state)
{
    (void)state;
    expect("rtl star.yaml -o one", 0, "", "");
    expect("rtl star.yaml -o one", 0, "", "");
    expect("rtl star.yaml -o two", 0, "", "");
    expect_shell("diff -r one two");
}

static void a_graph_alone_is_one_file(void **state)
{
    (void)state;
    expect("rtl star.yaml -o one.sv", 0, "", "");
    expect("rtl star.yaml -o design", 0, "", "");
    expect_shell("cd design/rtl/net && (cat anl_graph_pkg.sv; echo; cat anl_graph.sv) | diff - "
                 "../../../one.sv");
    expect("rtl tree.yaml -o two.sv", 2, "", "the module of a fat_tree is anl_fat_tree in rtl/net");
    assert_false(remains("two.sv"));
}

// A design has wide links unless they are split among layers.
static void wide_links_are_written(void **state)
{
    (void)state;
    expect("rtl star.yaml -o wide.sv --set switch.link=wide", 0, "", "");
    expect_shell("grep -qF 'Scan = anl_pkg::scan(1, anl_pkg::WideClasses, ' wide.sv");
    expect("rtl star.yaml -o wide.sv --set switch.link=wide --set switch.space=chained", 0, "", "");
    expect_shell("grep -qF 'anl_pkg::WideClasses + anl_pkg::ChainedClasses, ' wide.sv");
    expect("rtl star.yaml -o broad --set switch.link=wide --set switch.routing=layered", 2, "",
           "are split among layers");
    assert_false(remains("broad"));
}

static void the_top_has_the_name_that_is_asked_for(void **state)
{
    (void)state;
    expect("rtl 4-mesh.v2.yaml -o mesh", 0, "", "");
    expect_shell("grep -q '^module n4_mesh_network #' mesh/n4_mesh_network.sv");
    expect("rtl 4-mesh.v2.yaml -o mesh2 --name my_noc --ports axis", 0, "", "");
    expect_shell("grep -q '^module my_noc #' mesh2/my_noc.sv");
    expect_shell(
        "grep -q s_tvalid_i mesh2/my_noc.sv && ! grep -q s_tvalid_i mesh/n4_mesh_network.sv");
    expect_shell("grep -q 'K(2), .N(2), .Kind(0)' mesh2/my_noc.sv");
}

static void what_makes_no_design_is_refused(void **state)
{
    (void)state;
    write_file("plain", "a file\n");
    expect("rtl star.yaml", 2, "", "where to write is missing: -o DIR");
    expect("rtl star.yaml -o x --ports wires", 2, "", "--ports wires: expected links or axis");
    expect("rtl star.yaml -o x --name 2nd", 2, "", "--name 2nd: expected a letter");
    expect("rtl star.yaml -o x --name anl_graph", 2, "", "not anl_ in front");
    expect("rtl star.yaml -o plain", 2, "", "cannot make the directory: Not a directory");
    expect("rtl star.yaml -o plain/x", 2, "", "plain");
    expect("rtl full.yaml -o x", 2, "", "flit_width_bits is 8, a design expects at least 9");
    expect("rtl 4-mesh.v2.yaml -o x --ports axis --set switch.scan=farthest --set network.k=17", 2,
           "", "the table of distances between 289 terminals would be too large");
    expect("rtl nothing.yaml -o x", 2, "", "nothing.yaml");
    assert_false(remains("x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_design_has_all_its_files),
        cmocka_unit_test(a_design_that_can_deadlock_says_so),
        cmocka_unit_test(it_is_deterministic),
        cmocka_unit_test(a_graph_alone_is_one_file),
        cmocka_unit_test(wide_links_are_written),
        cmocka_unit_test(the_top_has_the_name_that_is_asked_for),
        cmocka_unit_test(what_makes_no_design_is_refused),
    };
    return cmocka_run_group_tests_name("cli_rtl", tests, prepare, remove_directory);
}
