// SPDX-License-Identifier: Apache-2.0
//
// Scenario files: every key, every default, every refusal with its line and reason, and the page
// that documents the keys.

#include "unit_scenario.h"

#include <stdlib.h>

#define MESH "network: {topology: mesh, k: 4, n: 2}\n"
#define TORUS "network: {topology: torus, k: 4, n: 2}\n"
#define CUBE "network: {topology: hypercube, n: 4}\n"

// --- good ---

static void every_default(void **state)
{
    (void)state;
    struct anl_scenario s = must_parse(TORUS "switch: {num_vcs: 2}\n");
    assert_int_equal(s.network.kind, ANL_BUFFERED);
    assert_int_equal(s.network.topology, ANL_TORUS);
    assert_int_equal(s.network.k, 4);
    assert_int_equal(s.network.n, 2);
    assert_int_equal(s.network.depth, 4);
    assert_int_equal(s.network.flit_width_bits, 32);
    assert_int_equal(s.network.routing, ANL_DATELINE);
    assert_int_equal(s.network.arbiter, ANL_ROUND_ROBIN);
    assert_int_equal(s.network.flow_control, ANL_WORMHOLE);
    assert_int_equal(s.network.length_in_head, ANL_FALSE);
    assert_int_equal(s.traffic.process, ANL_BERNOULLI);
    assert_int_equal(s.traffic.pattern, ANL_UNIFORM);
    assert_true(s.traffic.load >= 0.1 && s.traffic.load <= 0.1);
    assert_int_equal(s.traffic.num_lengths, 1);
    assert_int_equal(s.traffic.lengths[0], 8);
    assert_int_equal(s.traffic.burst_cycles, 50);
    assert_int_equal(s.traffic.worms_per_terminal, 1);
    assert_int_equal(s.traffic.window, 4);
    assert_int_equal(s.traffic.reply_length, 1);
    assert_int_equal(s.traffic.hotspot_terminal, 0);
    assert_true(s.traffic.hotspot_fraction >= 0.2 && s.traffic.hotspot_fraction <= 0.2);
    assert_int_equal(s.traffic.sphere_radius, 1);
    assert_true(s.traffic.sphere_fraction >= 0.8 && s.traffic.sphere_fraction <= 0.8);
    assert_int_equal(s.run.seed, 1);
    assert_int_equal(s.run.cycles, 1000);
    assert_int_equal(s.run.warmup_cycles, 0);
    assert_int_equal(s.run.max_cycles, 1000000);
    assert_null(s.messages);
    anl_scenario_free(&s);
    assert_null(s.text);
}

static void defaults_by_topology(void **state)
{
    (void)state;
    struct anl_scenario s = must_parse(MESH);
    assert_int_equal(s.network.num_vcs, 1);
    assert_int_equal(s.network.routing, ANL_DIMENSION_ORDER);
    anl_scenario_free(&s);
    s = must_parse(CUBE);
    assert_int_equal(s.network.k, 2);
    assert_int_equal(s.network.routing, ANL_E_CUBE);
    anl_scenario_free(&s);
    s = must_parse("network: {topology: unidirectional_torus, k: 3, n: 1}\nswitch: {num_vcs: 8}\n");
    assert_int_equal(s.network.routing, ANL_DATELINE);
    anl_scenario_free(&s);
}

static void every_key(void **state)
{
    (void)state;
    static const char text[] =
        "# a remark\n"
        "---\n"
        "run:\n"
        "  seed: 18446744073709551615\n"
        "  cycles: 999999999999\n"
        "  warmup_cycles: 77\n"
        "  max_cycles: 1000000000000\n"
        "traffic: {process: 'bursty', pattern: \"hotspot\", load: 0.0000125,\n"
        "  length: [1, 65535, 3], burst_cycles: 1000000,\n"
        "  hotspot_terminal: 7, hotspot_fraction: 1}\n"
        "switch: {num_vcs: 3, depth: 64, flit_width_bits: 512,\n"
        "  routing: dimension_order, arbiter: age, flow_control: wormhole}\n"
        "network: {topology: unidirectional_torus, k: 2, n: 3}\n";
    struct anl_scenario s = must_parse(text);
    assert_int_equal(s.network.topology, ANL_UNIDIRECTIONAL_TORUS);
    assert_int_equal(s.network.k, 2);
    assert_int_equal(s.network.n, 3);
    assert_int_equal(s.network.num_vcs, 3);
    assert_int_equal(s.network.depth, 64);
    assert_int_equal(s.network.flit_width_bits, 512);
    assert_int_equal(s.network.routing, ANL_DIMENSION_ORDER);
    assert_int_equal(s.network.arbiter, ANL_AGE);
    assert_int_equal(s.traffic.process, ANL_BURSTY);
    assert_int_equal(s.traffic.pattern, ANL_HOTSPOT);
    assert_true(s.traffic.load >= 0.0000125 && s.traffic.load <= 0.0000125);
    assert_int_equal(s.traffic.num_lengths, 3);
    assert_int_equal(s.traffic.lengths[1], 65535);
    assert_int_equal(s.traffic.lengths[2], 3);
    assert_int_equal(s.traffic.burst_cycles, 1000000);
    assert_int_equal(s.traffic.hotspot_terminal, 7);
    assert_true(s.traffic.hotspot_fraction >= 1 && s.traffic.hotspot_fraction <= 1);
    assert_true(s.run.seed == UINT64_MAX);
    assert_true(s.run.cycles == UINT64_C(999999999999));
    assert_int_equal(s.run.warmup_cycles, 77);
    assert_true(s.run.max_cycles == UINT64_C(1000000000000));
    assert_string_equal(s.text, text);
    assert_int_equal(s.text_bytes, sizeof text - 1);
    anl_scenario_free(&s);
}

static void keys_of_closed_processes(void **state)
{
    (void)state;
    struct anl_scenario s =
        must_parse(MESH "switch: {depth: 16, flow_control: store_and_forward, arbiter: random}\n"
                        "traffic: {process: request_reply, pattern: many_to_one, length: 16,\n"
                        "  hotspot_terminal: 15, worms_per_terminal: 9, window: 1024,\n"
                        "  reply_length: 2}\n"
                        "run: {warmup_cycles: 5000}\n");
    assert_int_equal(s.network.flow_control, ANL_STORE_AND_FORWARD);
    assert_int_equal(s.network.length_in_head, ANL_TRUE);
    assert_int_equal(s.network.arbiter, ANL_RANDOM);
    assert_int_equal(s.traffic.worms_per_terminal, 9);
    assert_int_equal(s.traffic.window, 1024);
    assert_int_equal(s.traffic.reply_length, 2);
    anl_scenario_free(&s);
    s = must_parse(MESH "traffic: {pattern: q_relation, worms_per_terminal: 3, load: 0}\n");
    assert_int_equal(s.traffic.process, ANL_BERNOULLI);
    assert_int_equal(s.traffic.worms_per_terminal, 3);
    anl_scenario_free(&s);
}

static void lengths_in_heads(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        enum anl_truth expected;
    } cases[] = {{"depth: 8", ANL_FALSE},
                 {"length_in_head: false", ANL_FALSE},
                 {"length_in_head: true", ANL_TRUE},
                 {"depth: 64, flow_control: cut_through", ANL_TRUE},
                 {"depth: 64, flow_control: cut_through, length_in_head: true", ANL_TRUE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[160];
        snprintf(text, sizeof text, MESH "switch: {%s}\ntraffic: {length: [64, %d]}\n",
                 cases[i].keys,
                 i < 2    ? 65535
                 : i == 2 ? 127
                          : 1);
        struct anl_scenario s = must_parse(text);
        assert_int_equal(s.network.length_in_head, cases[i].expected);
        anl_scenario_free(&s);
    }
}

static void decimal_numbers_are_the_nearest_double(void **state)
{
    (void)state;
    static const char *const texts[] = {"0.3",    "0.1",  "0.7",  "0.30",  "0.999999999999999",
                                        "0.0001", "0.43", "0.05", "1.000", "0.000000000000001"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[128];
        snprintf(text, sizeof text, MESH "traffic: {load: %s}\n", texts[i]);
        struct anl_scenario s = must_parse(text);
        const double nearest = strtod(texts[i], NULL);
        assert_memory_equal(&s.traffic.load, &nearest, sizeof nearest);
        anl_scenario_free(&s);
    }
}

static void networks_without_a_cycle_need_not_be_unsafe(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "network: {topology: torus, k: 4, n: 3}\nswitch: {routing: dimension_order}\n",
        "network: {topology: unidirectional_torus, k: 2, n: 3}\nswitch: {routing: "
        "dimension_order}\n",
        "network: {topology: torus, k: 512, n: 2}\nswitch: {num_vcs: 2}\n",
        "network: {topology: cube, radix: [9, 4, 2], dimensions: [line, ring, one_way_ring]}\n"
        "switch: {routing: dimension_order}\n",
        "network: {topology: torus, k: 5, n: 1, unsafe: true}\nswitch: {routing: "
        "dimension_order}\n",
        "network: {topology: torus, k: 512, n: 2, unsafe: true}\n"
        "switch: {routing: dimension_order}\n",
        "network: {topology: mesh, k: 5, n: 1, unsafe: true}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct anl_scenario s = must_parse(texts[i]);
        assert_int_equal(s.unsafe, strstr(texts[i], "unsafe") != NULL);
        anl_scenario_free(&s);
    }
}

// --- refused ---

#define LIST16 "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1"

static const struct refused refused[] = {
    {MESH "switch: {kind: none}\n", 2, "switch.kind: found none", "expected buffered, "},
    {"network: {topology: butterfly, k: 2, n: 3}\nswitch: {when_blocked: stop}\n", 2, "found stop",
     "wait or drop"},
    {TORUS "switch: {a: 2}\n", 2, "a is not for", "kind buffered"},
    {TORUS "switch: {rounds: short}\n", 2, "rounds is not for", "kind buffered"},
    // The shape of the file.
    {"", 1, "found nothing", "the sections network, switch, traffic, run"},
    {"# remark\n\n", 3, "found nothing", "the sections"},
    {"hello\n", 1, "found hello", "a mapping of sections"},
    {"- network\n", 1, "found a list", "a mapping of sections"},
    {MESH "traffic:\n", 2, "traffic: found nothing", "a mapping of keys"},
    {MESH "traffic: 7\n", 2, "traffic: found 7", "a mapping of keys"},
    {MESH "traffic: [load]\n", 2, "traffic: found a list", "a mapping of keys"},
    {MESH "[run]: 3\n", 2, "found a list", "the name of a section"},
    {MESH "run: {{seed: 1}: 2}\n", 2, "found a mapping", "the name of a key"},
    {MESH "run: {seed: 1\n", 3, "expected YAML", "did not find expected"},
    {MESH "run: {seed: 1}}\n", 2, "expected YAML", "did not find expected"},
    {MESH "run:\n\tseed: 1\n", 3, "expected YAML",
     "cannot start any token; lines are indented by blanks, not by tabs"},
    {"# \xC3\xA4\xC3\xB6 \xE2\x80\xA6\n" MESH "run:\n\tseed: 1\n", 4, "expected YAML",
     "; lines are indented by blanks, not by tabs"},
    {MESH "run: \"seed\n", 3, "expected YAML", "end of stream"},
    {MESH "---\n" MESH, 2, "found a second document", "expected one"},
    {"%YAML 1.1\n---\n" MESH, 1, "found a directive", "the sections alone"},
    {"%TAG ! tag:x,2000:\n---\n" MESH, 1, "found a directive", "the sections alone"},
    {MESH "run: &a {seed: 1}\n", 2, "found an anchor", "without one"},
    {MESH "run: {seed: &a 1}\n", 2, "found an anchor", "without one"},
    {MESH "run: {seed: *a}\n", 2, "found an alias", "a value"},
    {MESH "run: {seed: !!int 1}\n", 2, "found a tag", "without one"},
    {MESH "run: !x {seed: 1}\n", 2, "found a tag", "without one"},
    {MESH "traffic: {length: !!seq [1]}\n", 2, "found a tag", "without one"},
    {MESH "run: {seed: 1}\nswitch: {depth: 2}\nrun: {cycles: 2}\n", 4,
     "found section run a second time", "first in line 2"},
    {MESH "run:\n  seed: 1\n  cycles: 3\n  seed: 2\n", 5, "run.seed: found a second time",
     "first in line 3"},
    {MESH "traffic: {length: 8, length: 8}\n", 2, "traffic.length: found a second time",
     "first in line 2"},
    // Names.
    {MESH "traffic:\n  load: 0,3\n", 3, "found 0,3, expected a decimal", "; write 0.3"},
    {MESH "traffic: {load: 0,3}\n", 2, "unknown key 3",
     "; decimal numbers have a point, not a comma"},
    {MESH "run:\n  cycles: 1,000,000\n", 3, "found 1,000,000", "; write 1000000"},
    {"network: {topology: mesh, k: 4x4}\n", 1, "network.k: found 4x4",
     "; dimensions of different sizes need topology cube, and there radix: [4, 2] in place of k"},
    {"network: {topology: mesh, k: [4, 2]}\n", 1, "found a list", "topology cube"},
    {"network: {topology: mesh, radix: [4, 2]}\n", 1, "radix is not for topology mesh",
     "; it is for topology cube"},
    {"network: {topology: mesh, k: 2, n: 2, passes: 1}\n", 1, "passes is not for topology mesh",
     "; it is for topology butterfly"},
    {MESH "rum: {seed: 1}\n", 2, "unknown section rum", "did you mean run?"},
    {MESH "router: {seed: 1}\n", 2, "unknown section router",
     "expected network, switch, traffic, run or graph; did you mean switch?"},
    {MESH "topology: mesh\n", 2, "unknown section topology",
     "run or graph; did you mean topology in section network?"},
    {MESH "depth: 4\n", 2, "unknown section depth", "did you mean depth in section switch?"},
    {MESH "colour: {seed: 1}\n", 2, "unknown section colour", "traffic, run or graph"},
    {MESH "switch: {vc: 2}\n", 2, "unknown key vc", "; did you mean num_vcs?"},
    {MESH "traffic: {rate: 0.2}\n", 2, "unknown key rate", "; did you mean load?"},
    {MESH "traffic: {vcs: 2}\n", 2, "unknown key vcs", "; did you mean switch.num_vcs?"},
    {MESH "traffic: {lengths: 2}\n", 2, "unknown key lengths", "; did you mean length?"},
    {MESH "traffic: {delay_cycle: 2}\n", 2, "unknown key", "; did you mean delay_cycles?"},
    {"network: {topology: mesh2d, k: 4, n: 2}\n", 1, "found mesh2d", "; did you mean mesh?"},
    {MESH "switch: {routing: West-First}\n", 2, "found West-First", "did you mean west_first?"},
    {MESH "<<: {seed: 1}\n", 2, "unknown section <<", "expected network"},
    {MESH "switch: {num_vc: 1}\n", 2, "switch: found the unknown key num_vc",
     "did you mean num_vcs?"},
    {MESH "switch:\n  depth: 1\n  colour: red\n", 4, "unknown key colour",
     "expected one of kind, when_blocked, num_vcs, classes, class_weights, depth, flit_width_bits, "
     "routing, "
     "class_routing, paths, table, escape_vcs, select"},
    {"network: {topology: mesh, k: 4, n: 2, depth: 4}\n", 1, "unknown key depth",
     "did you mean switch.depth?"},
    {MESH "run: {\"se\\0ed\": 1}\n", 2, "found a zero byte", "the name of a key"},
    {MESH "run: {? [1, 2] : 3}\n", 2, "found a list", "the name of a key"},
    {MESH "run: {a_key_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on: 1}\n", 2,
     "unknown key a_key_that_goes_on_and_on", "..., expected one of seed"},
    // Required keys.
    {"run: {seed: 1}\n", 2, "network.topology: found nothing", "mesh, torus"},
    {"run: {seed: 1}\nnetwork: {k: 4, n: 2}\n", 2, "network.topology: found nothing", "mesh"},
    {"network: {topology: mesh, k: 4}\n", 1, "network.n: found nothing", "1..10"},
    {"network: {topology: torus, n: 2}\n", 1, "network.k: found nothing", "1..2048"},
    {MESH "traffic:\n  process: replay\n", 2, "traffic.messages: found nothing", "path for replay"},
    // Types and ranges.
    {MESH "run: {seed: x}\n", 2, "run.seed: found x", "an integer 0..2^64 - 1"},
    {"network: {topology: 'mesh '}\n", 1, "found the text 'mesh ', expected mesh", ""},
    {MESH "run: {seed: '1'}\n", 2, "found the text '1'", "an integer"},
    {MESH "run: {seed: ''}\n", 2, "found an empty text", "an integer"},
    {MESH "run: {seed: }\n", 2, "run.seed: found nothing", "an integer"},
    {MESH "run: {seed: ~}\n", 2, "found ~", "an integer"},
    {MESH "run: {seed: [1]}\n", 2, "found a list", "an integer"},
    {MESH "run: {seed: {a: 1}}\n", 2, "found a mapping", "an integer"},
    {MESH "run: {seed: -1}\n", 2, "found -1", "an integer"},
    {MESH "run: {seed: +1}\n", 2, "found +1", "an integer"},
    {MESH "run: {seed: 0x10}\n", 2, "found 0x10", "an integer"},
    {MESH "run: {seed: 010}\n", 2, "found 010", "an integer"},
    {MESH "run: {seed: 1_000}\n", 2, "found 1_000", "an integer"},
    {MESH "run: {seed: 1e3}\n", 2, "found 1e3", "an integer"},
    {MESH "run: {seed: 1.0}\n", 2, "found 1.0", "an integer"},
    {MESH "run: {seed: 18446744073709551616}\n", 2, "found 18446744073709551616", "2^64 - 1"},
    {MESH "run: {seed: 99999999999999999999999}\n", 2, "found 99999999999999999999999", "2^64 - 1"},
    {MESH "run: {cycles: 1000000000001}\n", 2, "found 1000000000001", "an integer 1..10^12"},
    {MESH "run: {cycles: 0}\n", 2, "run.cycles: found 0", "1..10^12"},
    {"network: {topology: ring, k: 4, n: 2}\n", 1, "network.topology: found ring",
     "expected mesh, torus, unidirectional_torus, hypercube, fat_tree, graph, cube or butterfly"},
    {"network: {topology: hypercub, n: 2}\n", 1, "found hypercub", "did you mean hypercube?"},
    {"network: {topology: Mesh, k: 4, n: 2}\n", 1, "found Mesh", "did you mean mesh?"},
    {"network: {topology: [mesh], k: 4, n: 2}\n", 1, "found a list", "mesh, torus"},
    {"network: {topology: mesh, k: 0, n: 2}\n", 1, "network.k: found 0", "1..2048"},
    {"network: {topology: mesh, k: 2049, n: 1}\n", 1, "network.k: found 2049", "1..2048"},
    {"network:\n  topology: mesh\n  k: 4\n  n: 11\n", 4, "network.n: found 11", "1..10"},
    {MESH "switch: {num_vcs: 9}\n", 2, "switch.num_vcs: found 9", "1..8"},
    {MESH "switch: {depth: 65}\n", 2, "switch.depth: found 65", "1..64"},
    {MESH "switch: {flit_width_bits: 7}\n", 2, "switch.flit_width_bits: found 7", "8..512"},
    {MESH "switch: {arbiter: round_robi}\n", 2, "switch.arbiter: found round_robi",
     "did you mean round_robin?"},
    {MESH "switch: {flow_control: virtual}\n", 2, "switch.flow_control: found virtual",
     "cut_through"},
    {MESH "switch: {length_in_head: yes}\n", 2, "switch.length_in_head: found yes",
     "expected false or true"},
    {MESH "traffic: {load: 1.1}\n", 2, "traffic.load: found 1.1", "a decimal number 0..1"},
    {MESH "traffic: {load: -0.1}\n", 2, "found -0.1", "a decimal number"},
    {MESH "traffic: {load: .nan}\n", 2, "found .nan", "a decimal number"},
    {MESH "traffic: {load: nan}\n", 2, "found nan", "a decimal number"},
    {MESH "traffic: {load: .inf}\n", 2, "found .inf", "a decimal number"},
    {MESH "traffic: {load: 1e-1}\n", 2, "found 1e-1", "a decimal number"},
    {MESH "traffic: {load: 0.}\n", 2, "found 0.", "a decimal number"},
    {MESH "traffic: {load: .5}\n", 2, "found .5", "a decimal number"},
    {MESH "traffic: {load: 0.5x}\n", 2, "found 0.5x", "a decimal number"},
    {MESH "traffic: {load: 0.1.2}\n", 2, "found 0.1.2", "a decimal number"},
    {MESH "traffic: {load: 0,5}\n", 2, "unknown key 5", "expected one of process"},
    {MESH "traffic: {load: 0.1234567890123456}\n", 2, "found 0.1234567890123456", "a decimal"},
    {MESH "traffic: {load: 10}\n", 2, "found 10",
     "a decimal number 0..1 (flits per terminal and cycle), such as 0.25"},
    {MESH "traffic: {load: .25}\n", 2, "found .25", "; write 0.25"},
    {MESH "traffic: {load: 25%}\n", 2, "found 25%", "; write 0.25"},
    {MESH "run: {cycles: 1e6}\n", 2, "found 1e6", "(cycles), such as 10000; write 1000000"},
    {MESH "run: {cycles: 20_000}\n", 2, "found 20_000", "; write 20000"},
    {MESH "traffic: {length: 0}\n", 2, "traffic.length: found 0", "1..65535"},
    {MESH "traffic: {length: 65536}\n", 2, "found 65536", "or a list of 1..16"},
    {MESH "traffic: {length: []}\n", 2, "found an empty list", "a list of 1..16"},
    {MESH "traffic: {length: [1, [2]]}\n", 2, "found a list", "an integer"},
    {MESH "traffic:\n  length:\n  - 1\n  - x\n", 5, "found x", "an integer 1..65535"},
    {MESH "traffic: {length: [" LIST16 ", 1]}\n", 2, "found one more, 1", "a list of 1..16"},
    {MESH "traffic: {process: replay, messages: [a]}\n", 2, "messages: found a list", "a path"},
    {MESH "traffic: {process: replay, messages: ''}\n", 2, "found an empty text", "a path"},
    {MESH "traffic: {process: replay, messages: \"a\\nb\"}\n", 2, "found the text 'a?b'", "a path"},
    {MESH "traffic: {process: replay, messages: \"a\\0b\"}\n", 2, "found the text 'a?b'", "a path"},
    // Combinations in the network.
    {"network:\n  topology: hypercube\n  k: 3\n  n: 2\n", 3, "k is 3", "hypercube expects 2"},
    {"network:\n  topology: torus\n  k: 1\n  n: 2\n", 3, "k is 1", "at least 2"},
    {"network:\n  topology: mesh\n  n: 3\n  k: 162\n", 4, "162^3", "at most 4194304"},
    {TORUS, 1, "num_vcs is 1", "dateline expects at least 2"},
    {TORUS "switch:\n  depth: 3\n  num_vcs: 1\n", 4, "num_vcs is 1", "at least 2"},
    {TORUS "switch:\n  depth: 3\n  routing: dateline\n", 4, "num_vcs is 1", "at least 2"},
    {MESH "switch:\n  depth: 3\n  routing: e_cube\n", 4, "routing e_cube", "topology mesh"},
    {"network: {topology: torus, k: 5, n: 1, unsafe: no}\n", 1, "network.unsafe: found no",
     "expected false or true"},
    {"network:\n  topology: mesh\n  k: 4\n  n: 2\n  radix: 4\n", 5, "radix is not for",
     "topology mesh"},
    {"network: {topology: fat_tree, n: 2, dimensions: ring}\n", 1, "dimensions is not for",
     "fat_tree"},
    {"network: {topology: torus, k: 4, n: 2, concentration: 2}\n", 1, "concentration is not for",
     "topology torus"},
    {"network:\n  topology: mesh\n  k: 4\n  n: 2\n  graph: g.yaml\n", 5, "graph is not for",
     "topology mesh"},
    {MESH "switch: {table: t.csv}\n", 2, "table is not for", "topology mesh"},
    {MESH "switch: {routing: table}\n", 2, "routing table does not work", "topology mesh"},
    {TORUS "switch: {routing: odd_even}\n", 2, "routing odd_even does not work", "topology torus"},
    {"network: {topology: mesh, k: 4, n: 3}\nswitch: {routing: north_last}\n", 2,
     "routing north_last expects 2 dimensions", "found 3"},
    {TORUS "switch:\n  routing: adaptive\n  num_vcs: 2\n", 4, "num_vcs is 2", "at least 3"},
    {MESH "switch: {select: random}\n", 2, "select is for adaptive routings",
     "each route of routing dimension_order has one"},
    {MESH "switch: {routing: odd_even, select: first}\n", 2, "select: found first",
     "most_credits, random or straight_first"},
    {MESH "switch:\n  routing: odd_even\n  atomic: adaptive\n", 4, "atomic is adaptive",
     "no escape lanes"},
    {MESH "switch: {escape_vcs: 1, num_vcs: 2}\n", 2, "escape_vcs is for routing table",
     "routing is dimension_order"},
    {MESH "switch:\n  num_vcs: 2\n  routing: adaptive\n  atomic: none\n", 5,
     "routing adaptive can deadlock here with atomic none", "unsafe: true"},
    {"network: {topology: cube, radix: [4, 4], dimensions: [ring, line]}\n"
     "switch: {routing: west_first}\n",
     2, "routing west_first expects lines in all dimensions", "found a ring"},
    {MESH "graph: {switches: 1, terminals: [0]}\n", 1, "a section graph is not for",
     "topology mesh"},
    // What can deadlock.
    {"network: {topology: torus, k: 5, n: 1}\nswitch: {routing: dimension_order}\n", 2,
     "routing dimension_order can deadlock here, in a cycle of 5 lanes",
     "next: 0(0).+0 lane 0, 1(1).+0 lane 0, 2(2).+0 lane 0, 3(3).+0 lane 0, 4(4).+0 lane 0; to run "
     "it "
     "nevertheless, write unsafe: true in section network"},
    {"network: {topology: torus, k: 8, n: 2, unsafe: false}\n"
     "switch: {num_vcs: 2, routing: dimension_order}\n",
     2, "in a cycle of 8 lanes", "4(4,0).+0 lane 0 and 3 more; to run it"},
    {"network: {topology: unidirectional_torus, k: 3, n: 1}\nswitch: {routing: dimension_order}\n",
     2, "in a cycle of 3 lanes", "2(2).+0 lane 0; to run it"},
    {"network: {topology: torus, k: 128, n: 2}\nswitch: {routing: dimension_order}\n", 2,
     "may be able to deadlock here, on a network that is too large", "write unsafe: true"},
    {"network: {topology: cube, radix: [2, 5], dimensions: [line, ring]}\n"
     "switch: {routing: dimension_order}\n",
     2, "in a cycle of 5 lanes", "0(0,0).+1 lane 0, 2(0,1).+1 lane 0, 4(0,2).+1 lane 0"},
    {CUBE "switch: {routing: dimension_order}\n", 2, "routing dimension_order",
     "topology hypercube"},
    {MESH "switch:\n  arbiter: age\n  flit_width_bits: 19\n", 4, "flit_width_bits is 19",
     "expected 20..512"},
    {MESH "switch:\n  arbiter: age\n  length_in_head: true\n  flit_width_bits: 26\n", 5,
     "flit_width_bits is 26", "expected 27..512"},
    {MESH "switch:\n  depth: 8\n  flow_control: cut_through\n  length_in_head: false\n", 5,
     "length_in_head is false", "flow_control cut_through expects true"},
    {MESH "switch:\n  depth: 8\n  length_in_head: false\n  flow_control: store_and_forward\n", 4,
     "length_in_head is false", "flow_control store_and_forward expects true"},
    {"network: {topology: mesh, k: 32, n: 4}\nswitch: {arbiter: age}\n", 1, "flit_width_bits is 32",
     "expected 36..512"},
    // Combinations in the traffic.
    {MESH "traffic:\n  process: batch\n  load: 0.2\n", 4, "load is for bernoulli, bursty",
     "process is batch"},
    {MESH "traffic: {process: batch}\nrun: {cycles: 5}\n", 3, "cycles is for bernoulli, bursty",
     "process is batch"},
    {MESH "traffic: {process: batch}\nrun: {warmup_cycles: 5}\n", 3, "warmup_cycles is for",
     "process is batch"},
    {MESH "traffic: {burst_cycles: 5}\n", 2, "burst_cycles is for bursty", "process is bernoulli"},
    {MESH "traffic: {window: 5}\n", 2, "window is for request_reply", "process is bernoulli"},
    {MESH "traffic: {reply_length: 5}\n", 2, "reply_length is for request_reply", "bernoulli"},
    {MESH "traffic: {messages: m}\n", 2, "messages is for replay", "process is bernoulli"},
    // Classes of messages.
    {MESH "switch:\n  num_vcs: 4\n  classes: 3\n", 4, "classes is 3",
     "expected a divisor of num_vcs, 4"},
    {MESH "switch: {classes: 2}\n", 2, "classes is 2", "expected a divisor of num_vcs, 1"},
    {MESH "switch: {classes: 9}\n", 2, "classes: found 9", "an integer 1..8"},
    {MESH "switch: {classes: 0}\n", 2, "classes: found 0", "an integer 1..8"},
    {MESH "switch:\n  num_vcs: 4\n  classes: 2\n  class_weights: [1, 2, 3]\n", 5,
     "class_weights are 3", "expected 1 or as many as classes, 2"},
    {MESH "switch: {num_vcs: 2, classes: 2, class_weights: [1, 0]}\n", 2, "class_weights: found 0",
     "1..255"},
    {MESH "switch: {num_vcs: 2, classes: 2, class_weights: 256}\n", 2, "class_weights: found 256",
     "1..255"},
    {TORUS "switch:\n  num_vcs: 2\n  classes: 2\n", 4,
     "classes is 2, and of each class num_vcs is 1, routing dateline expects at least 2", ""},
    {MESH "switch:\n  num_vcs: 4\n  classes: 4\n  routing: adaptive\n", 4,
     "of each class num_vcs is 1, routing adaptive expects at least 2", ""},
    {MESH "switch: {num_vcs: 2, classes: 2}\ntraffic: {process: generator}\n", 2, "classes is 2",
     "process generator expects 1"},
    {MESH "traffic: {reply_queue: 1}\n", 2, "reply_queue is for request_reply", "bernoulli"},
    {MESH "traffic: {process: request_reply, reply_queue: 1025}\n", 2, "reply_queue: found 1025",
     "0..1024"},
    {MESH "traffic: {process: request_reply, reply_queue: 1}\n", 1,
     "can deadlock here, in a cycle of 2 lanes", "0(0,0).T lane 0, T0.inject lane 0; to run it"},
    {MESH "switch: {num_vcs: 3, routing: adaptive}\n"
          "traffic: {process: request_reply, reply_queue: 1}\n",
     2, "can deadlock here, in a cycle of 2 lanes", "T0.inject lane 0; to run it"},
    {MESH "traffic: {worms_per_terminal: 5}\n", 2,
     "worms_per_terminal is for batch, request_reply, generator, pattern q_relation",
     "pattern is uniform"},
    {MESH "traffic: {process: replay, messages: m, pattern: uniform}\n", 2, "pattern is for",
     "process is replay"},
    {MESH "traffic: {process: replay, messages: m, length: 4}\n", 2, "length is for",
     "process is replay"},
    {MESH "traffic: {hotspot_terminal: 1}\n", 2,
     "hotspot_terminal is for pattern hotspot, pattern many_to_one", "pattern is uniform"},
    {MESH "traffic: {pattern: many_to_one, hotspot_fraction: 1}\n", 2,
     "hotspot_fraction is for pattern hotspot", "pattern is many_to_one"},
    {MESH "traffic: {pattern: hotspot, hotspot_terminal: 16}\n", 2, "hotspot_terminal is 16",
     "a terminal 0..15"},
    {"network: {topology: mesh, k: 3, n: 2}\ntraffic:\n  load: 0\n  pattern: bit_reverse\n", 4,
     "bit_reverse", "power of two of terminals, found 9"},
    {"network: {topology: mesh, k: 1, n: 2}\ntraffic:\n  load: 0\n  pattern: uniform_others\n", 4,
     "uniform_others", "two terminals or more"},
    {"network: {topology: mesh, k: 1, n: 2}\ntraffic:\n  load: 0\n  pattern: sphere\n", 4, "sphere",
     "two terminals or more"},
    {"network: {topology: mesh, k: 91, n: 2}\ntraffic: {pattern: sphere}\n", 2,
     "sphere expects at most 8192 terminals", "found 8281"},
    {MESH "traffic: {sphere_radius: 1}\n", 2, "sphere_radius is for pattern sphere",
     "pattern is uniform"},
    {MESH "traffic: {pattern: hotspot, sphere_fraction: 1}\n", 2,
     "sphere_fraction is for pattern sphere", "pattern is hotspot"},
    {"network: {topology: mesh, k: 6, n: 1}\ntraffic: {pattern: shuffle}\n", 2, "shuffle",
     "power of two of terminals, found 6"},
    {MESH "switch: {flow_control: cut_through}\n", 2, "length is 8", "at most depth, 4"},
    {MESH "switch: {flow_control: store_and_forward}\ntraffic: {length: [1, 5]}\n", 3,
     "length is 5", "at most depth, 4"},
    {MESH "switch: {flow_control: cut_through}\n"
          "traffic:\n  process: request_reply\n  length: 2\n  reply_length: 5\n",
     6, "reply_length is 5", "at most depth, 4"},
    {MESH "switch: {length_in_head: true}\ntraffic: {length: [1, 128]}\n", 3, "length is 128",
     "length_in_head true expects at most 127"},
    {MESH "switch: {length_in_head: true}\n"
          "traffic:\n  process: request_reply\n  length: 127\n  reply_length: 128\n",
     6, "reply_length is 128", "length_in_head true expects at most 127"},
    {MESH "run: {cycles: 10, warmup_cycles: 11}\n", 2, "warmup_cycles is 11", "at most cycles, 10"},
    {MESH "traffic: {process: request_reply}\nrun:\n  max_cycles: 10\n  warmup_cycles: 11\n", 5,
     "warmup_cycles is 11", "at most max_cycles, 10"},
    {MESH "run: {cycles: 2000000}\n", 2, "cycles is 2000000", "at most max_cycles, 1000000"},
    {MESH "run:\n  seed: 1\n  max_cycles: 999\n", 4, "cycles is 1000", "at most max_cycles, 999"},
    {"network: {topology: mesh, k: 512, n: 2}\n"
     "traffic: {pattern: q_relation, worms_per_terminal: 1025}\n",
     2, "q_relation", "at most 67108864, found 1025 times 262144"},
    {"network: {topology: mesh, k: 512, n: 2}\n"
     "traffic: {process: batch, worms_per_terminal: 16384}\n",
     2, "worms_per_terminal makes about 4.29e+09 worms", "at most 2^32 - 1"},
    {"network: {topology: mesh, k: 512, n: 2}\n"
     "traffic: {process: request_reply, worms_per_terminal: 8192}\n",
     2, "worms_per_terminal makes about 4.29e+09 worms", "at most 2^32 - 1"},
    {MESH "run:\n  max_cycles: 1000000000000\n  cycles: 1000000000000\n", 4,
     "cycles makes about 2e+11 worms", "at most 2^32 - 1"},
};

static void classes_and_their_weights(void **state)
{
    (void)state;
    struct anl_scenario s =
        must_parse(MESH "switch: {num_vcs: 6, classes: 3, class_weights: [1, 255, 7]}\n"
                        "traffic: {process: request_reply, reply_queue: 5}\n");
    static const uint8_t weights[] = {1, 255, 7};
    assert_int_equal(s.network.classes, 3);
    assert_int_equal(s.network.reply_queue, 5);
    assert_memory_equal(s.network.class_weights, weights, sizeof weights);
    anl_scenario_free(&s);
    s = must_parse(MESH "switch: {num_vcs: 4, classes: 4, class_weights: 9}\n");
    for (uint32_t c = 0; c < 4; c++)
        assert_int_equal(s.network.class_weights[c], 9);
    anl_scenario_free(&s);
    s = must_parse(MESH "");
    assert_int_equal(s.network.classes, 1);
    assert_int_equal(s.network.reply_queue, 0);
    anl_scenario_free(&s);
}

// Without the fifth field a message has no class; with one class there is no such field.
static void messages_have_classes(void **state)
{
    (void)state;
    static const struct {
        const char *classes, *messages, *error;
        uint64_t line;
    } cases[] = {
        {"2", "0 0 1 1 1\n5 1 0 2 0\n", NULL, 0},
        {"2", "0 0 1 1 0\n5 1 0 2\n", "class: found nothing, expected an integer 0..1", 2},
        {"2", "0 0 1 1 2\n", "class: found 2, expected an integer 0..1", 1},
        {"2", "0 0 1 1 1 0\n", "found 0, expected the end of the line", 1},
        {"1", "0 0 1 1 0\n", "found 0, expected the end of the line", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], path[64];
        struct anl_scenario s;
        struct anl_error error = {0};
        snprintf(path, sizeof path, "/tmp/annelid-classes-%ld.txt", (long)getpid());
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(cases[i].messages, file);
        fclose(file);
        snprintf(text, sizeof text,
                 MESH "switch: {num_vcs: 2, classes: %s}\n"
                      "traffic: {process: replay, messages: %s}\n",
                 cases[i].classes, path);
        const enum anl_status status =
            anl_scenario_parse(text, strlen(text), "test.yaml", "", &s, &error);
        remove(path);
        if (cases[i].error) {
            assert_int_equal(status, ANL_ERR_FORMAT);
            assert_string_equal(error.text, cases[i].error);
            assert_int_equal(error.line, cases[i].line);
            continue;
        }
        assert_int_equal(status, ANL_OK);
        assert_int_equal(s.messages[0].class_, 1);
        assert_int_equal(s.messages[1].class_, 0);
        anl_scenario_free(&s);
    }
}

static void every_refusal(void **state)
{
    (void)state;
    all_are_refused(refused, sizeof refused / sizeof *refused);
}

static void bytes_that_are_not_text(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        uint64_t line;
    } bad[] = {{MESH "run: {seed: \x00}\n", sizeof MESH + 14, 2},
               {MESH "# \xff\n", sizeof MESH + 3, 2},
               {MESH "\n# \xc0\xaf\n", sizeof MESH + 5, 3},
               {"# \xed\xa0\x80\n" MESH, sizeof MESH + 6, 1},
               {"\xff\xfen\0e\0", 6, 1},
               {MESH "# \x1b[31m\n", sizeof MESH + 7, 2},
               {MESH "# cut \xe2\x82", sizeof MESH + 7, 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct anl_scenario s;
        struct anl_error error = {0};
        assert_int_equal(
            anl_scenario_parse(bad[i].bytes, bad[i].size, "test.yaml", NULL, &s, &error),
            ANL_ERR_FORMAT);
        assert_int_equal(error.line, bad[i].line);
        assert_non_null(strstr(error.text, "expected UTF-8"));
    }
}

static void deep_and_large(void **state)
{
    (void)state;
    const size_t size = ANL_MAX_SCENARIO_BYTES + 1;
    char *text = malloc(size + 1);
    struct anl_scenario s;
    struct anl_error error = {0};
    assert_non_null(text);
    static const char *const fill[] = {"[", "{a: ", "- ", "? ", "&a ", "\n"};
    for (size_t f = 0; f < sizeof fill / sizeof *fill; f++) {
        for (size_t i = 0; i < size; i++)
            text[i] = fill[f][i % strlen(fill[f])];
        assert_int_equal(anl_scenario_parse(text, size - 1, "deep", NULL, &s, &error),
                         ANL_ERR_FORMAT);
        assert_int_equal(anl_scenario_parse(text, size, "deep", NULL, &s, &error), ANL_ERR_FORMAT);
        assert_non_null(strstr(error.text, "expected at most 1048576"));
    }
    memset(text, '#', size - 1);
    memcpy(text, MESH, sizeof MESH - 1);
    assert_int_equal(anl_scenario_parse(text, size - 1, "large", NULL, &s, &error), ANL_OK);
    anl_scenario_free(&s);
    free(text);
}

// --- files and settings ---

static void files_are_found_beside_the_scenario(void **state)
{
    (void)state;
    const struct folder folder = make_folder();
    struct anl_scenario s;
    struct anl_error error;
    assert_int_equal(anl_scenario_load(folder.scenario, &s, &error), ANL_ERR_IO);
    assert_string_equal(error.file, folder.scenario);
    assert_int_equal(anl_scenario_load(folder.path, &s, &error), ANL_ERR_IO);
    char *text;
    size_t bytes;
    write_file(folder.scenario, MESH);
    assert_int_equal(scenario_read_file(folder.scenario, 9, &text, &bytes, &error), ANL_ERR_FORMAT);
    assert_null(text);
    write_file(folder.scenario, MESH "traffic: {process: replay, messages: \"it's.txt\"}\n");
    assert_int_equal(anl_scenario_load(folder.scenario, &s, &error), ANL_ERR_IO);
    assert_string_equal(error.file, folder.scenario);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.text, folder.messages));
    write_file(folder.messages, "0 0 1 1\nx\n");
    assert_int_equal(anl_scenario_load(folder.scenario, &s, &error), ANL_ERR_FORMAT);
    assert_string_equal(error.file, folder.messages);
    assert_int_equal(error.line, 2);
    assert_null(s.text);
    write_file(folder.messages, "0 0 1 1\n7 1 2 3\n");
    assert_int_equal(anl_scenario_load(folder.scenario, &s, &error), ANL_OK);
    assert_int_equal(s.num_messages, 2);
    anl_scenario_free(&s);
    remove_folder(&folder);
}

static void settings_replace_and_are_written(void **state)
{
    (void)state;
    const struct folder folder = make_folder();
    static const char *const settings[] = {"run.seed=3", "traffic.length=1,2,64", "run.seed=4",
                                           "traffic.load=0.25", "switch.arbiter=age"};
    write_file(folder.scenario, MESH "run: {seed: 2, cycles: 50}\n");
    struct anl_scenario s;
    struct anl_error error = {0};
    assert_int_equal(anl_scenario_load_with(folder.scenario, settings, 5, &s, &error), ANL_OK);
    struct anl_scenario again = must_parse(s.text);
    assert_int_equal(again.run.seed, 4);
    assert_int_equal(again.run.cycles, 50);
    assert_int_equal(again.traffic.num_lengths, 3);
    assert_int_equal(again.traffic.lengths[2], 64);
    assert_int_equal(again.network.arbiter, ANL_AGE);
    assert_int_equal(s.text_bytes, strlen(s.text));
    assert_memory_equal(&again.traffic, &s.traffic, sizeof s.traffic);
    assert_memory_equal(&again.network, &s.network, sizeof s.network);
    assert_memory_equal(&again.run, &s.run, sizeof s.run);
    anl_scenario_free(&again);
    anl_scenario_free(&s);
    remove_folder(&folder);
}

static void a_setting_may_be_repeated(void **state)
{
    (void)state;
    const struct folder folder = make_folder();
    const char *setting = "traffic.length=1,2";
    const char *const settings[] = {setting, setting};
    write_file(folder.scenario, MESH);
    struct anl_scenario s;
    assert_int_equal(anl_scenario_load_with(folder.scenario, settings, 2, &s, NULL), ANL_OK);
    assert_int_equal(s.traffic.num_lengths, 2);
    anl_scenario_free(&s);
    remove_folder(&folder);
}

static void a_setting_may_have_a_list_in_brackets(void **state)
{
    (void)state;
    static const char *const forms[] = {"traffic.length=1,8", "traffic.length=[1,8]",
                                        "traffic.length=[1, 8]"};
    const char *const kinds[] = {"network.topology=cube", "network.radix=[6, 4]",
                                 "network.dimensions=[line, line]"};
    const struct folder folder = make_folder();
    struct anl_scenario s;
    struct anl_error error = {0};
    write_file(folder.scenario, MESH);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        assert_int_equal(anl_scenario_load_with(folder.scenario, &forms[i], 1, &s, &error), ANL_OK);
        assert_int_equal(s.traffic.num_lengths, 2);
        assert_int_equal(s.traffic.lengths[0], 1);
        assert_int_equal(s.traffic.lengths[1], 8);
        anl_scenario_free(&s);
    }
    write_file(folder.scenario, "network: {topology: cube, radix: [2, 2]}\n");
    assert_int_equal(anl_scenario_load_with(folder.scenario, kinds, 3, &s, &error), ANL_OK);
    assert_int_equal(anl_shape_of(&s.network).switches, 24);
    anl_scenario_free(&s);
    remove_folder(&folder);
}

static void a_path_is_written_as_it_was_read(void **state)
{
    (void)state;
    const struct folder folder = make_folder();
    static const char *const settings[] = {"run.max_cycles=9"};
    struct anl_scenario s;
    struct anl_error error = {0};
    write_file(folder.scenario, MESH "traffic: {process: replay, messages: \"it's.txt\"}\n");
    write_file(folder.messages, "0 0 1 1\n");
    assert_int_equal(anl_scenario_load_with(folder.scenario, settings, 1, &s, &error), ANL_OK);
    write_file(folder.scenario, s.text);
    anl_scenario_free(&s);
    assert_int_equal(anl_scenario_load(folder.scenario, &s, &error), ANL_OK);
    assert_int_equal(s.num_messages, 1);
    assert_int_equal(s.run.max_cycles, 9);
    anl_scenario_free(&s);
    remove_folder(&folder);
}

static void refused_settings(void **state)
{
    (void)state;
    static const struct {
        const char *setting, *message;
    } bad[] = {{"seed=3", "expected section.key=value"},
               {"run.seed", "expected section.key=value"},
               {"run.=3", "expected section.key=value"},
               {"", "expected section.key=value"},
               {"run.sed=3", "did you mean seed?"},
               {"ran.seed=3", "did you mean run?"},
               {"switch.depht=3", "did you mean depth?"},
               {"graph.links=3", "section graph has no keys with one value"},
               {"run.seed=", "found nothing"},
               {"run.seed=1,2", "found 1,2"},
               {"run.seed=3 ", "found '3 ', expected"},
               {"run.seed=3\xc2\xa0", "found '3\xc2\xa0', expected"},
               {"network.topology=mesh ", "butterfly; did you mean mesh?"},
               {"traffic.length=1,,2", "found nothing"},
               {"traffic.length=", "found nothing"},
               {"traffic.length=[1,,2]", "found nothing"},
               {"traffic.length=[1,2", "found [1"},
               {"traffic.length=1,2]", "found 2]"},
               {"run.seed=[1]", "found [1]"},
               {"run.warmup_cycles=51", "at most cycles, 50"},
               {"traffic.process=batch", "cycles is for bernoulli, bursty"}};
    const struct folder folder = make_folder();
    write_file(folder.scenario, MESH "run: {seed: 2, cycles: 50}\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct anl_scenario s;
        struct anl_error error = {0};
        assert_int_not_equal(
            anl_scenario_load_with(folder.scenario, &bad[i].setting, 1, &s, &error), ANL_OK);
        if (!strstr(error.text, bad[i].message)) fail_msg("%s: %s", bad[i].setting, error.text);
    }
    remove_folder(&folder);
}

// --- the page on scenarios ---

static void the_page_has_the_row(const char *page, const struct anl_scenario_key *key)
{
    char row[512];
    snprintf(row, sizeof row, "\n| %s.%s | %s | %s | %s |\n", key->section, key->name, key->range,
             key->fallback, key->meaning);
    if (!strstr(page, row)) fail_msg("docs/scenario.md has no row%s", row);
}

static void the_page_lists_the_keys(void **state)
{
    (void)state;
    char *page;
    size_t bytes, rows = 0, index = 0;
    struct anl_scenario_key key;
    assert_int_equal(scenario_read_file("docs/scenario.md", 1 << 20, &page, &bytes, NULL), ANL_OK);
    for (; anl_scenario_key(index, &key); index++)
        the_page_has_the_row(page, &key);
    static const char *const sections[] = {"\n| network.", "\n| switch.", "\n| traffic.",
                                           "\n| run."};
    for (size_t i = 0; i < 4; i++)
        for (const char *at = page; (at = strstr(at, sections[i])); at++)
            rows++;
    assert_int_equal(rows, index);
    assert_int_equal(index, NUM_KEYS);
    free(page);
}

static void the_example_of_the_page_is_good(void **state)
{
    (void)state;
    char *page;
    size_t bytes;
    assert_int_equal(scenario_read_file("docs/scenario.md", 1 << 20, &page, &bytes, NULL), ANL_OK);
    char *begin = strstr(page, "```yaml\n");
    assert_non_null(begin);
    begin += 8;
    char *end = strstr(begin, "```");
    assert_non_null(end);
    *end = '\0';
    struct anl_scenario s = must_parse(begin);
    assert_int_equal(s.run.cycles, 2000);
    anl_scenario_free(&s);
    free(page);
}

// Checks that a text is refused with what is meant by the name in it.
static void expect_hint(const struct scenario_synonym *row, const char *name)
{
    char text[256];
    struct anl_error error = {0};
    struct anl_scenario scenario;
    const char *dot = strchr(row->where, '.'), *meant = strchr(row->meant, '.');
    if (!*row->where)
        snprintf(text, sizeof text, "%s: {a: 1}\n", name);
    else if (dot)
        snprintf(text, sizeof text, "%.*s: {%s: %s}\n", (int)(dot - row->where), row->where,
                 dot + 1, name);
    else
        snprintf(text, sizeof text, "%s: {%s: 1}\n", row->where, name);
    assert_int_not_equal(parse(text, &scenario, &error), ANL_OK);
    const bool in_section = meant && !dot;
    snprintf(text, sizeof text, "; did you mean %s?", in_section ? meant + 1 : row->meant);
    if (!strstr(error.text, text)) fail_msg("%s: %s", name, error.text);
}

// Returns the number of a key that is written so.
static unsigned key_of(struct scenario_reading *reading, const char *section, const char *name)
{
    enum scenario_section at;
    unsigned key;
    assert_int_equal(scenario_find_section(reading, section, 0, &at), ANL_OK);
    if (scenario_find_key(reading, at, name, 0, &key)) fail_msg("%s", reading->error->text);
    return key;
}

// Gives a key that is named "section.key" a value.
static void give_value(struct scenario_reading *reading, const char *where, const char *value)
{
    char section[64];
    snprintf(section, sizeof section, "%.*s", (int)(strchr(where, '.') - where), where);
    const unsigned key = key_of(reading, section, strchr(where, '.') + 1);
    const struct scenario_scalar scalar = {value, strlen(value), true};
    if (scenario_value(reading, key, scalar, 0)) fail_msg("%s: %s", value, reading->error->text);
}

// Checks that a name is read as what it means, and that this is told.
static void expect_same(const struct scenario_synonym *row, const char *name)
{
    struct anl_scenario theirs = {0}, ours = {0};
    struct anl_error error = {0};
    struct scenario_reading reading = {.scenario = &theirs, .error = &error},
                            other = {.scenario = &ours, .error = &error};
    const char *meant = strchr(row->where, '.') ? row->meant : strchr(row->meant, '.') + 1;
    char told[128];
    if (strchr(row->where, '.')) {
        give_value(&reading, row->where, name);
        give_value(&other, row->where, row->meant);
    } else {
        assert_int_equal(key_of(&reading, row->where, name), key_of(&other, row->where, meant));
    }
    snprintf(told, sizeof told, "%s as %s", name, meant);
    assert_string_equal(theirs.synonyms, told);
    assert_null(ours.synonyms);
    free(theirs.synonyms);
    theirs.synonyms = NULL;
    assert_memory_equal(&theirs, &ours, sizeof ours);
}

// Each synonym is read as what it means, or answered with what is meant, and the page has all.
static void names_of_others_are_known(void **state)
{
    (void)state;
    char *page;
    size_t bytes, same = 0, alike = 0;
    assert_int_equal(scenario_read_file("docs/scenario.md", 1 << 20, &page, &bytes, NULL), ANL_OK);
    for (const struct scenario_synonym *at = scenario_synonyms; at->where; at++) {
        char names[256], row[640] = "", *rest = names;
        snprintf(names, sizeof names, "%s", at->names);
        for (char *name; (name = strsep(&rest, " "));) {
            (at->same ? expect_same : expect_hint)(at, name);
            (*(at->same ? &same : &alike))++;
            const size_t used = strlen(row);
            snprintf(row + used, sizeof row - used, "%s`%s`", used ? ", " : "| ", name);
        }
        const size_t used = strlen(row);
        snprintf(row + used, sizeof row - used, " | `%s` |%s", at->meant,
                 at->same ? " yes |" : " |");
        if (!strstr(page, row)) fail_msg("docs/scenario.md lacks %s", row);
    }
    assert_true(same > 60 && alike > 90);
    free(page);
}

static const char theirs[] = "network: {topology: mesh, k: 3, n: 2}\n"
                             "switch: {vcs: 2, scan: Oldest-First, switching: vct, depth: 8}\n"
                             "traffic: {pattern: neighbor}\n";

// A whole scenario in the words of others is the run of ours; each word is told once.
static void words_of_others_make_the_same_run(void **state)
{
    (void)state;
    struct anl_scenario other = must_parse(theirs);
    struct anl_scenario own = must_parse("network: {topology: mesh, k: 3, n: 2}\n"
                                         "switch: {num_vcs: 2, arbiter: age, flow_control: "
                                         "cut_through, depth: 8}\ntraffic: {pattern: neighbour}\n");
    assert_memory_equal(&other.network, &own.network, sizeof own.network);
    assert_int_equal(other.traffic.pattern, own.traffic.pattern);
    assert_string_equal(other.synonyms,
                        "vcs as num_vcs, scan as arbiter, Oldest-First as age, switching as "
                        "flow_control, vct as cut_through, neighbor as neighbour");
    anl_scenario_free(&own);
    anl_scenario_free(&other);
    struct anl_error error = {0};
    assert_int_equal(parse(MESH "switch: {arbiter: fixed, scan: fixed}\n", &other, &error),
                     ANL_ERR_FORMAT);
    assert_non_null(strstr(error.text, "switch.arbiter: found a second time"));
}

static void a_mark_is_skipped(void **state)
{
    (void)state;
    struct anl_scenario s = must_parse("\xEF\xBB\xBF" MESH);
    assert_int_equal(s.text[0], 'n');
    anl_scenario_free(&s);
}

static void numbers_are_written_as_they_are_read(void **state)
{
    (void)state;
    char text[64];
    scenario_number_hint(ANL_KEY_REAL, "+0", 0, 1, text, sizeof text);
    assert_string_equal(text, "; write 0.0");
    scenario_number_hint(ANL_KEY_REAL, "-0", 0, 1, text, sizeof text);
    assert_string_equal(text, "");
    scenario_number_hint(ANL_KEY_INTEGER, "-0", 0, 1, text, sizeof text);
    assert_string_equal(text, "");
    scenario_number_hint(ANL_KEY_INTEGER, "1,5", 0, 15, text, sizeof text);
    assert_string_equal(text, "");
    scenario_number_hint(ANL_KEY_REAL, "0,0,1", 0, 1, text, sizeof text);
    assert_string_equal(text, "");
}

static void names_resemble(void **state)
{
    (void)state;
    assert_true(anl_resembles("depth", "dept"));
    assert_true(anl_resembles("depth", "depths"));
    assert_true(anl_resembles("num_vcs", "numvcs"));
    assert_true(anl_resembles("load", "laod"));
    assert_true(anl_resembles("matrix", "amtrix"));
    assert_false(anl_resembles("load", "dola"));
    assert_false(anl_resembles("n", "k"));
    assert_false(anl_resembles("seed", "need more"));
    assert_false(anl_resembles("seed", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_default),
        cmocka_unit_test(defaults_by_topology),
        cmocka_unit_test(every_key),
        cmocka_unit_test(keys_of_closed_processes),
        cmocka_unit_test(lengths_in_heads),
        cmocka_unit_test(decimal_numbers_are_the_nearest_double),
        cmocka_unit_test(networks_without_a_cycle_need_not_be_unsafe),
        cmocka_unit_test(classes_and_their_weights),
        cmocka_unit_test(messages_have_classes),
        cmocka_unit_test(every_refusal),
        cmocka_unit_test(bytes_that_are_not_text),
        cmocka_unit_test(deep_and_large),
        cmocka_unit_test(files_are_found_beside_the_scenario),
        cmocka_unit_test(settings_replace_and_are_written),
        cmocka_unit_test(a_setting_may_be_repeated),
        cmocka_unit_test(a_setting_may_have_a_list_in_brackets),
        cmocka_unit_test(a_path_is_written_as_it_was_read),
        cmocka_unit_test(refused_settings),
        cmocka_unit_test(the_page_lists_the_keys),
        cmocka_unit_test(the_example_of_the_page_is_good),
        cmocka_unit_test(names_of_others_are_known),
        cmocka_unit_test(words_of_others_make_the_same_run),
        cmocka_unit_test(a_mark_is_skipped),
        cmocka_unit_test(numbers_are_written_as_they_are_read),
        cmocka_unit_test(names_resemble),
    };
    return cmocka_run_group_tests_name("scenario", tests, NULL, NULL);
}
