// SPDX-License-Identifier: Apache-2.0
//
// `annelid run --activity` against docs/run.md: the counts of each link and switch are worked out
// from the trace of the same run, a link at a time, bit by bit.

#include "unit_cli.h"

#include <annelid/network.h>
#include <annelid/scenario.h>
#include <annelid/trace.h>
#include <inttypes.h>

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("mesh.yaml", "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 2}\n"
                            "traffic: {load: 0.4, length: [1, 5]}\n"
                            "run: {cycles: 300, warmup_cycles: 40}\n");
    write_file("wide.yaml", "network: {topology: torus, k: 3, n: 1}\n"
                            "switch: {num_vcs: 2, link: wide, flit_width_bits: 40}\n"
                            "traffic: {load: 0.5, length: 3}\nrun: {cycles: 200}\n");
    write_file("far.yaml", "network: {topology: mesh, k: 2, n: 2}\n"
                           "switch: {link_cycles: 3, stages: 2}\n"
                           "traffic: {load: 0.3, length: 4}\nrun: {cycles: 200}\n");
    write_file("bare.yaml", "network: {topology: mesh, k: 4, n: 2}\nswitch: {kind: bufferless}\n"
                            "traffic: {process: replay, messages: bare.txt}\n");
    write_file("bare.txt", "1 0 15 9\n1 3 12 20\n1 5 6 30\n");
    return 0;
}

enum { MOST_WORMS = 4096, MOST_BITS = ANL_MAX_FLIT_WIDTH_BITS + 2, MOST_NODES = 64 };

struct counts {
    uint64_t flits, heads, toggled;
};

// What the page says of one link: wires by lane or shared, each with the bits of its last flit.
static struct counts count_link(const struct anl_scenario *scenario, uint32_t link)
{
    static struct anl_worm worms[MOST_WORMS];
    static bool wires[ANL_MAX_VCS][MOST_BITS];
    const struct anl_config *config = &scenario->network;
    struct counts counts = {0};
    struct anl_error error = {0};
    struct anl_trace_reader *reader;
    struct anl_record record;
    char path[128];
    snprintf(path, sizeof path, "%s/t.anlt", directory);
    memset(wires, 0, sizeof wires);
    assert_int_equal(anl_trace_open(path, &reader, &error), ANL_OK);
    while (anl_trace_next(reader, &record, &error) == ANL_OK && record.kind != ANL_RECORD_END) {
        if (record.kind == ANL_RECORD_WORM) worms[record.worm.id] = record.worm;
        if (record.kind != ANL_RECORD_FLIT || record.flit.link != link) continue;
        uint32_t words[ANL_FLIT_WORDS];
        bool *wire = wires[config->link == ANL_WIDE ? record.flit.vc : 0];
        const bool counted = record.cycle >= scenario->run.warmup_cycles;
        anl_flit_data(config, &worms[record.flit.worm], record.flit.index, link, words);
        for (uint32_t bit = 0; bit < config->flit_width_bits + 2; bit++) {
            const bool now = bit < config->flit_width_bits    ? words[bit / 32] >> bit % 32 & 1
                             : bit == config->flit_width_bits ? record.flit.head
                                                              : record.flit.tail;
            counts.toggled += counted && now != wire[bit];
            wire[bit] = now;
        }
        counts.flits += counted;
        counts.heads += counted && record.flit.head;
    }
    anl_trace_close(reader);
    return counts;
}

static void expect_row(const char *row)
{
    char command[256];
    snprintf(command, sizeof command, "tr -d '\\r' < a.csv | grep -qE '%s'", row);
    expect_shell(command);
}

static void expect_counts(const char *name)
{
    struct anl_scenario scenario;
    struct anl_error error = {0};
    char text[256];
    snprintf(text, sizeof text, "run --activity a.csv -t t.anlt %s", name);
    expect(text, 0, NULL, NULL);
    snprintf(text, sizeof text, "%s/%s", directory, name);
    assert_int_equal(anl_scenario_load(text, &scenario, &error), ANL_OK);
    const struct anl_shape shape = anl_shape_of(&scenario.network);
    struct counts out[MOST_NODES] = {0};
    uint64_t in[MOST_NODES] = {0}, all = 0;
    for (uint32_t link = 0; link < shape.links; link++) {
        const struct anl_end end = anl_end_of(&scenario.network, link);
        if (!end.exists) continue;
        const struct counts counts = count_link(&scenario, link);
        snprintf(text, sizeof text, "^link,%" PRIu32 ",.*,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",,$",
                 link, counts.flits, counts.heads, counts.toggled);
        expect_row(text);
        all += counts.toggled;
        if (!end.is_terminal) in[end.node] += counts.flits;
        if (link / shape.ports >= shape.switches) continue;
        out[link / shape.ports].flits += counts.flits;
        out[link / shape.ports].heads += counts.heads;
    }
    for (uint32_t s = 0; s < shape.switches; s++) {
        snprintf(text, sizeof text,
                 "^switch,%" PRIu32 ",.*,%" PRIu64 ",%" PRIu64 ",,%" PRIu64 ",%" PRIu64 "$", s,
                 out[s].flits, out[s].heads, in[s], out[s].flits);
        expect_row(text);
    }
    assert_true(all > 1000);
    anl_scenario_free(&scenario);
}

static void counts_are_those_of_the_trace(void **state)
{
    (void)state;
    static const char *const names[] = {"mesh.yaml", "wide.yaml", "far.yaml", "bare.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_counts(names[i]);
}

static void the_file_says_what_was_counted(void **state)
{
    (void)state;
    expect("run --activity a.csv --set run.max_cycles=300 mesh.yaml", 0, "300 cycles", NULL);
    expect_row("^# counted: 260 cycles$");
    expect("run --activity a.csv --worms w.csv mesh.yaml", 0, NULL, NULL);
    expect_shell("test -s a.csv && test -s w.csv");
    expect("run --activity mesh.yaml mesh.yaml", 2, NULL, "it is the input");
    expect("run --activity a.csv --checkpoint c --every 10 mesh.yaml", 2, NULL,
           "--activity is not there with --checkpoint");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_trace),
        cmocka_unit_test(the_file_says_what_was_counted),
    };
    return cmocka_run_group_tests(tests, prepare, remove_directory);
}
