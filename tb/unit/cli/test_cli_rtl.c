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
                 "tb_star_network.sv star_network.md star_network_graph.sv "
                 "star_network_graph_pkg.sv rtl/include/anl_assert.svh rtl/LICENSE");
    expect_shell("cd new/design && grep '^[a-z]' star_network.f | xargs ls > ../list");
    expect_shell("cd new/design && sed -n 's/^ *- \\(.*[.]sv\\)$/\\1/p' *.core | sort > ../core && "
                 "find * -name '*.sv' | sort | diff - ../core");
    expect_shell("! grep -rE '@[A-Z_]+@' new/design");
    expect_shell("! grep -l -e anl_cube -e anl_board $(cd new/design && grep '^rtl' "
                 "star_network.f | sed 's|^|new/design/|')");
    expect_shell("grep -q '^| 2 | 2 | 2(b).1 |$' new/design/star_network.md");
    expect_shell("grep -q '^It cannot deadlock' new/design/star_network.md");
}

static void a_design_says_what_it_costs(void **state)
{
    (void)state;
    expect("rtl star.yaml -o cost --ports axis", 0, "\necp5-25f\n           LUT4 sites: ", NULL);
    expect("rtl star.yaml -o cost --ports axis", 0, " MHz, that of the nearest network", NULL);
    expect_shell("! $ANNELID rtl star.yaml -o cost --ports axis | grep 'not counted'");
    expect_shell("$ANNELID rtl star.yaml -o cost > said && sed -n '/^## What it costs/,/^## P/p' "
                 "cost/star_network.md | sed -n '/^```/,/^```/p' | grep -v '^```' | diff - said");
    expect("rtl star.yaml -o cost --ports stop_go", 0, "not counted: the adapters of links", NULL);
    expect("rtl star.yaml -o cost --clock-per-terminal", 0, "not counted: the crossings of clocks",
           NULL);
    write_file("cost.map", "0 4K 2\n");
    static const char *const said[] = {
        "\n           ports of AXI4: not counted, since",
        "\n           a port of AXI4 with 32 bits of data: LUT4 sites ", " of AXI4-Lite, ",
        "\nextrapolated: ports of AXI4 with room for 256 beats (",
        "\nextrapolated: classes of messages\n"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        expect("rtl star.yaml -o axi_cost --ports axi --map cost.map --lite 1 --data 32 --room 256 "
               "--set switch.classes=2",
               0, said[i], NULL);
    expect("rtl --set switch.link=wide star.yaml -o cost", 0, "No estimate: switches with ", NULL);
    expect("rtl star.yaml -o cost/star.sv --name star", 0, "", "");
}

// Modules and packages have the name of the design, or are those that all designs share.
static void what_depends_on_the_scenario_has_the_name_of_the_design(void **state)
{
    (void)state;
    expect("rtl star.yaml -o own --name own", 0, "", "");
    expect("rtl 4-mesh.v2.yaml -o other --ports axis", 0, "", "");
    expect_shell("diff -r own/rtl other/rtl && diff own/annelid_rtl.core other/annelid_rtl.core");
    expect_shell(
        "test 3 = $(grep -hoE '^(module|package) own[a-z_]*' own/*.sv | grep -vc tb_) && "
        "! grep -hE '^(module|package) ' own/*.sv | grep -vE ' (own|own_graph|own_graph_pkg|"
        "tb_own)( |;)'");
}

// Each file says which version and command wrote it, and of which scenario.
static void every_file_says_where_it_comes_from(void **state)
{
    (void)state;
    expect("rtl star.yaml -o from --ports axis --set switch.depth=3", 0, "", "");
    expect_shell("test $(find from -type f | wc -l) = $(find from -type f -exec head -40 {} ';' | "
                 "grep -c 'Written by annelid rtl for \\(all networks\\|star_network\\)[.]$')");
    expect_shell(
        "for file in from/*star_network*; do grep -q 'version   annelid [0-9.]*, shared RTL "
        "[0-9a-f]\\{16\\}$' $file && grep -q 'command   annelid rtl --ports axis --set "
        "switch.depth=3 star.yaml$' $file && grep -q 'scenario  digest [0-9a-f]\\{16\\}, "
        "star.yaml$' $file || exit 1; done");
    expect_shell("grep -q 'Apache License' from/rtl/LICENSE");
    expect("rtl star.yaml -o from.sv", 0, "", "");
    expect("rtl star.yaml -o other.sv --set traffic.load=0.2", 0, "", "");
    expect_shell(
        "grep -q 'command   annelid rtl star.yaml$' from.sv && test 2 = $(grep -h 'scenario  "
        "digest' from.sv other.sv | sort -u | wc -l)");
}

// A line's end in a name would make what is behind it code.
static void names_of_files_stay_in_the_remark(void **state)
{
    (void)state;
    expect_shell("cp star.yaml 'star\nmodule evil; endmodule'");
    expect("rtl 'star\nmodule evil; endmodule' -o evil --name good", 0, "", "");
    expect_shell("! grep -r '^module evil' evil");
}

static void a_design_that_can_deadlock_says_so(void **state)
{
    (void)state;
    write_file("ring.yaml", "network: {topology: torus, k: 5, n: 1, unsafe: true}\n"
                            "switch: {routing: dimension_order}\n");
    expect("rtl ring.yaml -o ring", 0, "", "");
    expect_shell("grep -q '^[*][*]It can deadlock[*][*]' ring/ring_network.md");
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
    expect_shell("cd design && (cat star_network_graph_pkg.sv; echo; sed 1,4d "
                 "star_network_graph.sv) | diff - ../one.sv");
    expect("rtl tree.yaml -o two.sv", 2, "", "the module of a fat_tree is anl_fat_tree in rtl/net");
    assert_false(remains("two.sv"));
    // It replaces itself, and no file of another design or of the shared set.
    expect("rtl star.yaml -o one.sv", 0, "", "");
    static const char *const others[] = {"design/star_network.sv", "design/rtl/common/anl_pkg.sv"};
    for (size_t i = 0; i < 2; i++) {
        char command[96];
        snprintf(command, sizeof command, "rtl star.yaml --name other -o %s", others[i]);
        expect(command, 2, "", "is there and is not replaced");
    }
}

// A design has wide links unless they are split among layers.
static void wide_links_are_written(void **state)
{
    (void)state;
    expect("rtl star.yaml -o wide.sv --set switch.link=wide", 0, "", "");
    expect_shell("grep -q 'Wide *= 1,' wide.sv && grep -q 'CreditBypass *= 0,' wide.sv");
    expect("rtl star.yaml -o wide.sv --set switch.link=wide --set switch.credits=bypass", 0, "",
           "");
    expect_shell("grep -q 'Wide *= 1,' wide.sv && grep -q 'CreditBypass *= 1,' wide.sv");
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
    expect_shell("grep -q 'K(2), .N(2), .Topology(0), .Routing(0)' mesh2/my_noc.sv");
}

// What streams have is there if it is asked for, and the width of flits follows.
static void streams_have_what_is_asked_for(void **state)
{
    (void)state;
    expect("rtl 4-mesh.v2.yaml -o plain_streams --ports axis", 0, "", "");
    expect_shell(
        "cd plain_streams && grep -q 's_tdata_i,' *k.sv && grep -q 'TdataW *= 32,' *k.sv && "
        "! grep -qE 'logic.* (._t(keep|user|id)|s_beats)_[io]' n*.sv");
    expect(
        "rtl 4-mesh.v2.yaml -o streams --ports axis --tdata 16 --tkeep --tuser 5 --tid --aresetn "
        "--set switch.length_in_head=true",
        0, "", "");
    expect_shell(
        "cd streams && for port in s_tkeep_i s_tuser_i s_beats_i m_tkeep_o m_tid_o m_tuser_o "
        "aresetn_i; do grep -q \"logic.* $port,\\?\" n*.sv || exit 1; done");
    // 2 bits of a label, 7 of a length, 16 of data, 2 of bytes kept, 5 of the user, 2 of the
    // source.
    expect_shell("grep -q 'FlitW *= 34;' streams/tb_n4_mesh_network.sv");
    expect("rtl 4-mesh.v2.yaml -o each --ports axis --per-terminal --set switch.classes=2 --set "
           "switch.num_vcs=2",
           0, "", "");
    expect_shell(
        "cd each && grep -q '^Wide and Classes cannot be changed' n*.md && "
        "grep -q 'ends each packet that it has begun' n*.md && "
        "grep -q 'input  logic aclk,' n*.sv && grep -q 'output logic m3_1_axis_tlast$' "
        "n*.sv && grep -q 'axis:1.0 s0_0_axis TDATA\"' n*.sv && ! grep -q 'logic.*s_tdata_i' "
        "n*.sv");
    // The page has the policies that the design can have, by their numbers.
    static const char *const policies[][2] = {
        {"", "2 random, 3 age, 5 matrix, 6 registered_priority |"},
        {"--set switch.arbiter=farthest", "3 age, 4 farthest, 5 matrix, 6 registered_priority |"},
        {"--set switch.num_vcs=2 --set switch.link=wide", "2 random, 3 age |"},
        {"--clock-per-terminal", "2 random, 5 matrix, 6 registered_priority |"}};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        char command[160];
        snprintf(command, sizeof command, "rtl 4-mesh.v2.yaml -o p%zu --ports axis %s", i,
                 policies[i][0]);
        expect(command, 0, "", "");
        snprintf(command, sizeof command, "grep -q '0 fixed, 1 round_robin, .*%s$' p%zu/n*.md",
                 policies[i][1], i);
        expect_shell(command);
    }
    static const char *const refused[][2] = {
        {"--tkeep", "--tkeep has no effect without --ports axis"},
        {"--aresetn", "--aresetn has no effect without --ports axis or --ports axi"},
        {"--ports ready_valid --interleave", "--interleave has no effect without --ports axis"},
        {"--ports axis --tdata 12", "--tdata 12: expected whole bytes, a multiple of 8"},
        {"--ports axis --tdata 1032", "'1032' is not a number from 8 to 1024"},
        {"--ports axis --tuser 0", "'0' is not a number from 1 to 1024"},
        {"--ports axis --interleave --set switch.num_vcs=1",
         "--interleave expects several lanes behind a stream: each has one (lanes of a link: 1, "
         "streams of a terminal: 1)"},
        {"--ports axis --interleave --set switch.num_vcs=2 --set switch.classes=2",
         "lanes of a link: 2, streams of a terminal: 2"},
        {"--ports axis --interleave --set switch.num_vcs=2 --set switch.link=wide",
         "lanes of a link: 2, streams of a terminal: 2"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char command[160];
        snprintf(command, sizeof command, "rtl 4-mesh.v2.yaml -o never %s", refused[i][0]);
        expect(command, 2, "", refused[i][1]);
    }
    assert_false(remains("never"));
}

// AXI4 ports are those that the map and the lists ask for.
static void axi_ports_are_where_they_are_asked_for(void **state)
{
    (void)state;
    write_file("axi.yaml", "network: {topology: mesh, k: 2, n: 2}\n"
                           "switch: {num_vcs: 2, classes: 2}\n");
    write_file("axi.map", "# base size terminal\n0x1_0000, 12K, 1\n  1M  0x1000  2  # a page\n\n");
    expect("rtl axi.yaml -o axi --ports axi --map axi.map --lite 3", 0,
           "a port of AXI4 with 64 bits of data: LUT4 sites ", "");
    expect_shell("cd axi && ! grep -rE '@[A-Z_]+@' . && ! grep -q s1_axi a*.sv && "
                 "! grep -q m0_axi a*.sv && grep -q 'output logic s0_axi_awready' a*.sv && "
                 "grep -q 'input  logic m2_axi_awready' a*.sv && ! grep -q s3_axi_awlen a*.sv && "
                 "grep -q 'aximm:1.0 s3_axi AWADDR\"' a*.sv && ! grep -q m1_axi_awid a*.sv && "
                 "grep -q 'ASSOCIATED_BUSIF s0_axi:s3_axi:m1_axi:m2_axi, ' a*.sv");
    // 12 KiB at a multiple of 64 KiB are 8 and 4 KiB.
    expect_shell("cd axi && grep -q \"2'd1, 32'hFFFFE000, 32'h10000,\\?$\" a*.sv && "
                 "grep -q \"2'd1, 32'hFFFFF000, 32'h12000,\\?$\" a*.sv && "
                 "grep -q '^| 0x00100000 | 0x00100fff | 2 |$' a*.md && "
                 "grep -q '^| `m2_axi_[*]` | 2 | manager port' a*.md");
    // What AXI4 has anyway may be asked for.
    expect("rtl axi.yaml -o axi3 --ports axi --map axi.map --lite 3 --aresetn --per-terminal", 0,
           "", "");
    expect_shell("grep -v '^//' axi/axi_network.sv > axi.sv && "
                 "grep -v '^//' axi3/axi_network.sv | cmp - axi.sv");
    expect("rtl axi.yaml -o axi2 --ports axi --map axi.map --users 1 --data 512 --address 64 --id "
           "16 --bursts 8 --max-beats 256 --room 300 --reorder 16",
           0, "", "");
    expect_shell("cd axi2 && grep -q 's1_axi_awid' a*.sv && ! grep -q s0_axi a*.sv && "
                 "grep -q 'DataW *= 512,' a*.sv && grep -q 'AddrW *= 64,' a*.sv && "
                 "grep -q 'IdW *= 16,' a*.sv && grep -q 'Room *= 300,' a*.sv && "
                 "grep -q 'Reorder *= 16,' a*.sv && grep -q '^| Reorder | 16 |' a*.md");
    expect_shell("grep -q 'Reorder *= 0,' axi/a*.sv && grep -q '^| Reorder | 0 |' axi/a*.md");
}

static void wrong_axi_ports_are_refused(void **state)
{
    (void)state;
    static const struct wrong {
        const char *map, *options, *said;
    } wrong[] = {
        {"0 4K", "", "w.map:2: found 2 words, expected base, size, terminal"},
        {"0 4K 1 2", "", "w.map:2: found '2' behind a row"},
        {"0 4k 1", "", "w.map:2: found '4k', expected a number: 4096, 0x1000 or 4K"},
        {"0x 4K 1", "", "w.map:2: found '0x', expected a number"},
        {"100 4K 1", "", "w.map:2: found base '100', expected a multiple of 4 KiB"},
        {"0 4097 1", "", "w.map:2: found size '4097', expected a multiple of 4 KiB"},
        {"0 0 1", "", "w.map:2: found size '0', expected one that ends below 2^64"},
        {"0xffff_ffff_ffff_f000 8K 1", "--address 64", "ends below 2^64"},
        {"0 4K 4", "", "w.map:2: found terminal '4', expected 0 … 3"},
        {"4G 4K 1", "", "found a range up to 0x100000fff, expected addresses of 32 bits"},
        {"0 8K 1\n4K 4K 2", "", "w.map:3: found 0x1000 … 0x1fff, which overlaps with line 2 (0x0 "},
        {"# no row", "", "w.map: found no row, expected one at least"},
        {"0x1000 0x1fff_ffff_ffff_e000 1\n0x2000_0000_0000_1000 0x1fff_ffff_ffff_e000 1\n"
         "0x4000_0000_0000_1000 0x1fff_ffff_ffff_e000 1",
         "--address 64", "found more than 256 blocks, expected at most 256"},
        {"0 4K 1", "--users 4", "--users: found '4', expected terminals 0 … 3"},
        {"0 4K 1", "--users 2-1", "--users: found '2-1', expected terminals"},
        {"0 4K 1", "--users 0,,1", "--users: found '', expected terminals"},
        {"0 4K 1", "--lite 1", "--lite: found terminal 1, expected terminals with a subordinate"},
        {"0 4K 0\n4K 4K 1\n8K 4K 2\n12K 4K 3", "", "found a manager port at each terminal"},
        {"0 4K 1", "--data 96", "--data 96: expected a power of two from 8 to 1024"},
        {"0 4K 1", "--room 4", "--room 4: expected at least as much as a burst has, 16"},
        {"0 4K 1", "--reorder 17", "17"},
        {"0 4K 1", "--users 0,2 --lite 0,2 --reorder 2", "--reorder has no effect, since all sub"},
        {"0 4K 1", "--users 2 --lite 2 --max-beats 1", "--max-beats has no effect, since all "},
        {"0 4K 1", "--lite 0,2,3 --room 16", "--room has no effect, since all subordinate"},
        {"0 4K 1", "--id 1 --reorder 3",
         "--reorder 3: expected at most 2, since slots are IDs of 1 bits"},
        {"0 4K 1", "--tid", "--tid has no effect without --ports axis"},
        {"0 4K 1", "--clock-per-terminal --set switch.arbiter=age",
         "\"age\", --clock-per-terminal expects one without stamps"},
        {"0 4K 1", "--set switch.num_vcs=4", "switch.num_vcs 4, expected 2 and 2"},
        {"0 4K 1", "--set switch.classes=1", "switch.classes is 1 and"},
        {"0 4K 1", "--set switch.depth=8 --set switch.flow_control=cut_through",
         "cut_through, expected wormhole"},
        {"0 4K 1", "--set switch.length_in_head=true", "length_in_head is true, expected false"},
        {"0 4K 1", "--set switch.routing=west_first", "several ways at switch"},
        {"0 4K 1",
         "--set network.topology=torus --set network.k=5 --set network.unsafe=true "
         "--set switch.routing=dimension_order",
         "the network can deadlock (annelid cdg says where)"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512], command[256];
        snprintf(text, sizeof text, "# remark\n%s\n", wrong[i].map);
        write_file("w.map", text);
        snprintf(command, sizeof command, "rtl axi.yaml -o unwritten --ports axi --map w.map %s",
                 wrong[i].options);
        expect(command, 2, "", wrong[i].said);
    }
    expect("rtl axi.yaml -o unwritten --ports axi", 2, "",
           "the address map is missing: --map FILE");
    expect("rtl axi.yaml -o unwritten --map w.map", 2, "",
           "--map has no effect without --ports axi");
    expect("rtl axi.yaml -o unwritten --ports axi --map none.map", 2, "", "none.map");
    assert_false(remains("unwritten"));
}

// No file is replaced that was not written for the same design, and then nothing is written at all.
static void the_files_of_others_stay(void **state)
{
    (void)state;
    static const char *const paths[] = {"star_network.md",    "star_network.f",
                                        "tb_star_network.sv", "rtl/LICENSE",
                                        "annelid_rtl.core",   "rtl/common/anl_pkg.sv"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char command[256], said[256];
        snprintf(command, sizeof command,
                 "rm -rf p && mkdir -p p/$(dirname %s) && echo mine > p/%s", paths[i], paths[i]);
        expect_shell(command);
        snprintf(said, sizeof said, "p/%s: is there and is not replaced", paths[i]);
        expect("rtl star.yaml -o p", 2, "", said);
        snprintf(command, sizeof command, "test $(find p -type f) = p/%s && grep -qx mine p/%s",
                 paths[i], paths[i]);
        expect_shell(command);
    }
    expect_shell("mkdir -p p/README.md p/q.md && echo mine > p/LICENSE && rm -rf p/rtl");
    expect("rtl star.yaml -o p", 0, "", "");
    expect_shell("grep -qx mine p/LICENSE");
    expect("rtl star.yaml -o p --name q", 2, "", "p/q.md: cannot write: not an ordinary file");
    write_file("mine.sv", "module mine; endmodule\n");
    expect("rtl star.yaml -o mine.sv", 2, "", "mine.sv: is there and is not replaced");
    expect_shell("grep -q 'module mine' mine.sv");
}

// What a design no longer has is removed, unless somebody else has written it.
static void files_of_an_earlier_run_are_removed(void **state)
{
    (void)state;
    expect("rtl star.yaml -o bare --name e", 0, "", "");
    expect("rtl star.yaml -o e --name e --clock-per-terminal --clock-regions hubs=hub", 0, "", "");
    expect_shell("cd e && test -f e_regions.sv && echo mine > e.xdc && cp e.sdc kept.sdc && "
                 "mv e.lpf else.lpf && ln -s else.lpf e.lpf && "
                 "sed 's/ for e[.]/ for e_graph_lists_pkg./' e.sdc > e_graph_lists_pkg.sv");
    expect("rtl star.yaml -o e --name e", 0,
           "removed, since this design has none: e/e_regions.sv, e/e_resets.sv, e/e.sdc, "
           "e/e.pcf\n",
           "");
    expect_shell("cd e && grep -qx mine e.xdc && test -L e.lpf && "
                 "rm kept.sdc e_graph_lists_pkg.sv e.xdc e.lpf else.lpf && diff -r ../bare .");
    expect_shell("! $ANNELID rtl star.yaml -o e --name e | grep removed");
}

// Several designs stand in one directory, unless their files would have the same names.
static void a_directory_has_room_for_several_designs(void **state)
{
    (void)state;
    expect("rtl star.yaml -o many --name a", 0, "", "");
    expect_shell("cp -r many before");
    expect("rtl 4-mesh.v2.yaml -o many --name b", 0, "", "");
    expect_shell("diff -r before many | grep -v '^Only in many[:/]' > changed; test ! -s changed");
    expect("rtl 4-mesh.v2.yaml -o many --name a_graph", 2, "",
           "many/a_graph.sv: is there and is not");
    expect("rtl 4-mesh.v2.yaml -o many --name tb_a", 2, "", "many/tb_a.sv: is there and is not");
    expect("rtl 4-mesh.v2.yaml -o many --name a", 0, "", "");
}

// Rows in a file and on the line are the same; the page has the clocks of all regions.
static void regions_have_names_and_switches(void **state)
{
    (void)state;
    write_file("regions.txt", "# name  switches\nfast 0, 3  # two\n\nslow 2\n");
    expect("rtl 4-mesh.v2.yaml -o r1 --name r --clock-regions regions.txt", 0, "", "");
    expect("rtl 4-mesh.v2.yaml -o r2 --name r --clock-regions 'fast=0,3;slow=2'", 0, "", "");
    expect_shell("grep -v -- --clock-regions r1/r_regions.sv > r1.sv && "
                 "grep -v -- --clock-regions r2/r_regions.sv | diff r1.sv -");
    expect_shell("grep -q '^| 1 | `clk_fast_i`, `rst_fast_i` | 0, 3 |$' r1/r.md && "
                 "grep -q '^FREQUENCY PORT \"clk_slow_i\" 100 MHZ;$' r1/r.lpf && "
                 "grep -q '^set_frequency clk_slow_i 50$' r1/r.pcf && "
                 "grep -q 'Domains *= 3$' r1/r_resets.sv");
    expect("rtl star.yaml -o r3 --clock-regions hubs=hub", 0, "", "");
    expect("rtl star.yaml -o r4 --name r --clock-per-terminal --instance u_chip.g_net[1].u_noc", 0,
           "", "");
    expect_shell(
        "grep -q '^FREQUENCY NET \"u_chip.g_net\\[1\\].u_noc.clk_t_i\\[0\\]\" 100 MHZ;$' r4/r.lpf "
        "&& grep -q '^set_frequency u_chip.g_net\\[1\\].u_noc.clk_i 50$' r4/r.pcf");
}

static void wrong_regions_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"fast=0-16", "found '0-16', expected switches 0 … 15: 3, 4-7, or the name"},
        {"fast=2-1", "found '2-1', expected switches 0 … 15"},
        {"fast=1x", "found '1x', expected switches 0 … 15"},
        {"fast=hub", "found 'hub', expected switches 0 … 15"},
        {"'a=1;b=0-2'", "--clock-regions:2: found switch 1 of row 1 again, expected it once"},
        {"'a=1;a=2'", "found region 'a' again, expected one row for each"},
        {"a=", "found region 'a' alone, expected its switches behind it"},
        {"''", "--clock-regions: found no row, expected one at least: a name and switches"},
        {"t3=1", "found region 't3', expected a letter, then letters, digits or _"},
        {"2nd=1", "found region '2nd', expected a letter"},
        {"a=0-15", "found all switches in its rows, expected one at least that keeps the clock"},
        {"';='", "found no row, expected one at least: a name and switches"},
        {"nothing.txt", "nothing.txt: "},
        {"a=1 --set switch.arbiter=age", "\"age\", --clock-regions expects one without stamps"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char command[256];
        snprintf(command, sizeof command,
                 "rtl 4-mesh.v2.yaml --set network.k=4 -o x --clock-regions %s", wrong[i][0]);
        expect(command, 2, "", wrong[i][1]);
    }
    expect("rtl star.yaml -o x --instance u_noc", 2, "",
           "--instance has no effect without --clock-per-terminal or --clock-regions");
    expect("rtl star.yaml -o x --clock-per-terminal --instance u..n", 2, "",
           "--instance u..n: expected names of instances with a dot between them");
    expect("rtl star.yaml -o x.sv --clock-regions a=1", 2, "",
           "--clock-regions has no effect on the module of a graph; expected -o DIR");
    assert_false(remains("x"));
}

static void what_makes_no_design_is_refused(void **state)
{
    (void)state;
    write_file("plain", "a file\n");
    expect("rtl star.yaml", 2, "", "where to write is missing: -o DIR");
    expect("rtl star.yaml -o x --ports wires", 2, "",
           "--ports wires: expected links (or credit, which is the same), axis, axi, ready_valid");
    expect("rtl star.yaml -o x --name 2nd", 2, "", "--name 2nd: expected a letter");
    expect("rtl star.yaml -o x --name anl_graph", 2, "", "not anl_ in front");
    static const char *const keywords[] = {"interconnect", "design", "cell", "module", "bool"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        char command[64];
        snprintf(command, sizeof command, "rtl star.yaml -o x --name %s", keywords[i]);
        expect(command, 2, "", "expected a name that is no keyword of SystemVerilog");
    }
    expect("rtl star.yaml -o x --name annelid_rtl", 2, "", "for that is the shared core");
    expect("rtl star.yaml -o net.v", 2, "", "-o net.v: expected a directory, or FILE.sv");
    expect("rtl star.yaml -o d/NET.SV", 2, "", "d/NET.SV: cannot write: No such file");
    assert_false(remains("net.v"));
    expect("rtl star.yaml -o net.v/", 0, "", "");
    expect("rtl star.yaml -o net.v", 0, "", "");
    expect("rtl star.yaml -o plain", 2, "", "cannot make the directory: Not a directory");
    expect("rtl star.yaml -o plain/x", 2, "", "plain");
    expect("rtl full.yaml -o x", 2, "", "flit_width_bits is 8, a design expects at least 9");
    expect("rtl 4-mesh.v2.yaml -o x --ports axis --set switch.arbiter=farthest --set network.k=17",
           2, "", "the table of distances between 289 terminals would be too large");
    expect("rtl 4-mesh.v2.yaml -o x --clock-per-terminal --set switch.arbiter=age", 2, "",
           "arbiter is \"age\", --clock-per-terminal expects one without stamps");
    expect("rtl nothing.yaml -o x", 2, "", "nothing.yaml");
    assert_false(remains("x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_design_has_all_its_files),
        cmocka_unit_test(a_design_says_what_it_costs),
        cmocka_unit_test(what_depends_on_the_scenario_has_the_name_of_the_design),
        cmocka_unit_test(every_file_says_where_it_comes_from),
        cmocka_unit_test(names_of_files_stay_in_the_remark),
        cmocka_unit_test(streams_have_what_is_asked_for),
        cmocka_unit_test(axi_ports_are_where_they_are_asked_for),
        cmocka_unit_test(wrong_axi_ports_are_refused),
        cmocka_unit_test(the_files_of_others_stay),
        cmocka_unit_test(files_of_an_earlier_run_are_removed),
        cmocka_unit_test(a_directory_has_room_for_several_designs),
        cmocka_unit_test(a_design_that_can_deadlock_says_so),
        cmocka_unit_test(it_is_deterministic),
        cmocka_unit_test(a_graph_alone_is_one_file),
        cmocka_unit_test(wide_links_are_written),
        cmocka_unit_test(the_top_has_the_name_that_is_asked_for),
        cmocka_unit_test(regions_have_names_and_switches),
        cmocka_unit_test(wrong_regions_are_refused),
        cmocka_unit_test(what_makes_no_design_is_refused),
    };
    return cmocka_run_group_tests_name("cli_rtl", tests, prepare, remove_directory);
}
