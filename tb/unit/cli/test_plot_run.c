// SPDX-License-Identifier: Apache-2.0
//
// `annelid plot` of scenarios: the histogram counts what a run counts, the links carry what the
// trace says, and every error.

#include "unit_plot.h"

#include <annelid/network.h>
#include <annelid/run.h>
#include <annelid/trace.h>
#include <inttypes.h>

static const char *const scenarios[] = {"mesh.yaml", "torus.yaml", "tree.yaml", "row.yaml"};
enum { NUM_SCENARIOS = sizeof scenarios / sizeof *scenarios };

static int prepare(void **state)
{
    (void)state;
    char line[512], here[256];
    if (!make_directory() || !getcwd(here, sizeof here)) return -1;
    write_picture_reader();
    write_file("mesh.yaml", "network: {topology: mesh, k: 4, n: 2}\n"
                            "switch: {num_vcs: 2, depth: 4}\n"
                            "traffic: {load: 0.3, length: 8}\n"
                            "run: {cycles: 2000, seed: 3, warmup_cycles: 150}\n");
    write_file("torus.yaml", "network: {topology: torus, k: 3, n: 3}\n"
                             "switch: {num_vcs: 2, depth: 2}\n"
                             "traffic: {pattern: tornado, load: 0.2, length: 3}\n"
                             "run: {cycles: 500, seed: 3, warmup_cycles: 100}\n");
    write_file("tree.yaml", "network: {topology: fat_tree, n: 2}\nswitch: {depth: 2}\n"
                            "traffic: {process: batch, length: 5, worms_per_terminal: 20}\n");
    write_file("row.yaml", "network: {topology: mesh, k: 3, n: 1}\n"
                           "traffic: {process: replay, messages: row.txt}\n"
                           "run: {max_cycles: 1000, warmup_cycles: 4}\n");
    write_file("row.txt", "0 0 2 12\n6 1 0 3\n9 1 0 1\n");
    snprintf(line, sizeof line, "cp '%s'/sim/scenarios/deadlock_ring5.yaml .", here);
    return shell(line);
}

// Reads a scenario of the directory.
static void load(const char *name, struct anl_scenario *scenario)
{
    char path[128];
    struct anl_error error = {0};
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (anl_scenario_load(path, scenario, &error)) fail_msg("%s", error.text);
}

static FILE *open_there(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

// --- histogram ---

// Compares every bin of the script for gnuplot with the latencies; the bins must be adjacent.
static void compare_bins(const struct anl_latencies *latencies, uint64_t measured)
{
    char line[256];
    uint64_t first, last, worms, sum = 0, next = 0;
    FILE *script = open_there("h.gnuplot");
    while (fgets(line, sizeof line, script) && strncmp(line, "$bins", 5) != 0)
        continue;
    while (fgets(line, sizeof line, script) && strcmp(line, "end\n") != 0) {
        assert_int_equal(sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64, &first, &last, &worms),
                         3);
        if (next) assert_int_equal(first, next);
        uint64_t counted = 0;
        for (uint64_t i = first; i <= last && i < latencies->size; i++)
            counted += latencies->count[i];
        assert_int_equal(worms, counted);
        next = last + 1;
        sum += worms;
    }
    fclose(script);
    assert_int_equal(sum, measured);
}

static void histograms_count_what_the_run_counts(void **state)
{
    (void)state;
    for (int i = 0; i < NUM_SCENARIOS; i++) {
        char line[64], promise[2048];
        struct anl_scenario scenario;
        struct anl_latencies latencies = {0};
        const struct anl_run_options options = {.latencies = &latencies};
        struct anl_run_result result;
        load(scenarios[i], &scenario);
        assert_int_equal(anl_run(&scenario, &options, &result, NULL), ANL_OK);
        assert_true(result.measured > 0);
        snprintf(line, sizeof line, "plot %s -o h.gnuplot", scenarios[i]);
        expect(line, 0, "", NULL);
        compare_bins(&latencies, result.measured);
        expect_plot(scenarios[i], "h.svg");
        snprintf(
            promise, sizeof promise,
            "assert \"mean: %.2f\" in texts and \"50 %%: %" PRIu64 "\" in texts, texts\n"
            "assert \"95 %%: %" PRIu64 "\" in texts and \"99 %%: %" PRIu64 "\" in texts, texts\n"
            "assert any(\": %" PRIu64 " worms, %" PRIu64 " to %" PRIu64 " cycles\" in t for t in "
            "texts), texts\n"
            "assert \"latency, cycles\" in texts\n"
            "counts = [int(m[2].split()[-2]) for m in marks]\n"
            "assert sum(counts) == %" PRIu64 " and len(counts) > 1, counts",
            result.latency_mean, result.latency_p50, result.latency_p95, result.latency_p99,
            result.measured, result.latency_min, result.latency_max, result.measured);
        judge_picture("h.svg", promise);
        free(latencies.count);
        anl_scenario_free(&scenario);
    }
}

// If no latency is far above the others, the height of a bar is its count.
static void bars_are_as_high_as_their_counts(void **state)
{
    (void)state;
    expect_plot("tree.yaml", "h.svg");
    expect_shell("! grep -q logscale same.gnuplot");
    judge_picture("h.svg",
                  "assert all(near(m[1], int(m[2].split()[-2]), 0.3) for m in marks), marks\n"
                  "assert all(near(m[0], float(m[2].split()[0]), 6) for m in marks)");
}

static void few_slow_worms_are_counted_in_powers_of_ten(void **state)
{
    (void)state;
    expect_plot("mesh.yaml --set traffic.pattern=hotspot --load 0.2", "h.svg");
    expect_shell("grep -q 'set logscale y 10' same.gnuplot");
}

static void settings_hold(void **state)
{
    (void)state;
    expect("plot mesh.yaml --seed 4 -o a.gnuplot", 0, "", NULL);
    expect("plot mesh.yaml --set run.seed=4 --title mesh.yaml -o b.gnuplot", 0, "", NULL);
    expect("plot mesh.yaml -o c.gnuplot", 0, "", NULL);
    expect_shell("cmp a.gnuplot b.gnuplot && ! cmp -s a.gnuplot c.gnuplot");
    expect_shell("grep -q 'uniform, load 0.3, worms of 8 flits, seed 4: ' a.gnuplot");
}

// --- links ---

// Returns the flits of the trace that crossed each link in the measured cycles.
static uint64_t *count_trace(const char *trace, const struct anl_scenario *scenario,
                             uint64_t *cycles)
{
    char path[128];
    struct anl_trace_reader *reader;
    struct anl_record record;
    const struct anl_run_config *run = &scenario->run;
    const bool open = anl_process_is_open_loop(scenario->traffic.process);
    const uint64_t end = open ? run->cycles : UINT64_MAX;
    uint64_t *flits = calloc(anl_shape_of(&scenario->network).links, sizeof *flits);
    assert_non_null(flits);
    snprintf(path, sizeof path, "%s/%s", directory, trace);
    assert_int_equal(anl_trace_open(path, &reader, NULL), ANL_OK);
    do {
        assert_int_equal(anl_trace_next(reader, &record, NULL), ANL_OK);
        if (record.kind == ANL_RECORD_FLIT && record.cycle >= run->warmup_cycles &&
            record.cycle < end)
            flits[record.flit.link]++;
    } while (record.kind != ANL_RECORD_END);
    *cycles = (record.cycle < end ? record.cycle : end) - run->warmup_cycles;
    anl_trace_close(reader);
    return flits;
}

static bool exists_in(const struct anl_config *config, uint32_t link)
{
    const struct anl_shape shape = anl_shape_of(config);
    return link >= shape.switches * shape.ports ||
           anl_link_end(config, link / shape.ports, link % shape.ports).exists;
}

// Writes "link name flits cycles" for each link, for Python.
static void write_counts(const struct anl_scenario *scenario, const uint64_t *flits,
                         uint64_t cycles)
{
    char path[128], name[96];
    snprintf(path, sizeof path, "%s/counts", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint32_t link = 0; link < anl_shape_of(&scenario->network).links; link++) {
        anl_link_name(&scenario->network, link, name, sizeof name);
        if (exists_in(&scenario->network, link))
            fprintf(file, "%" PRIu32 " %s %" PRIu64 " %" PRIu64 "\n", link, name, flits[link],
                    cycles);
    }
    fclose(file);
}

static void write_map_reader(void)
{
    write_file(
        "map.py",
        "import sys, xml.etree.ElementTree as xml\n"
        "S = '{http://www.w3.org/2000/svg}'\n"
        "root = xml.parse(sys.argv[1]).getroot()\n"
        "counts = {}\n"
        "for link, name, flits, cycles in map(str.split, open('counts')):\n"
        "    counts[int(link)] = (name, int(flits), int(cycles))\n"
        "links = {int(g.get('id')[5:]): g for g in root.iter(S + 'g') if "
        "(g.get('id') or '').startswith('link-')}\n"
        "assert links.keys() == counts.keys(), links.keys() ^ counts.keys()\n"
        "light = lambda c: sum(w * int(c[i:i + 2], 16) for w, i in ((3, 1), (6, 3), (1, 5)))\n"
        "for link, (name, flits, cycles) in counts.items():\n"
        "    title = links[link].find(S + 'title').text\n"
        "    want = '%s: %.4f flits per cycle, %d in %d' % (name, flits / cycles, flits, cycles)\n"
        "    assert title == want, (title, want)\n"
        "    assert (links[link].get('class') == 'idle') == (flits == 0), title\n"
        "order = sorted((l for l in counts if counts[l][1]), key=lambda l: counts[l][1])\n"
        "shades = [light(links[l].get('color')) for l in order]\n"
        "assert all(a >= b for a, b in zip(shades, shades[1:])) and shades[0] > shades[-1]\n"
        "assert all(p.get('d').startswith('M') for g in links.values() for p in g.iter(S + "
        "'path'))\n");
}

static void links_carry_what_the_trace_says(void **state)
{
    (void)state;
    write_map_reader();
    for (int i = 0; i < NUM_SCENARIOS; i++) {
        char line[256];
        struct anl_scenario scenario;
        uint64_t cycles;
        load(scenarios[i], &scenario);
        snprintf(line, sizeof line, "run --trace t.txt %s", scenarios[i]);
        expect(line, 0, NULL, NULL);
        uint64_t *flits = count_trace("t.txt", &scenario, &cycles);
        write_counts(&scenario, flits, cycles);
        snprintf(line, sizeof line, "plot --what links -o l.svg %s", scenarios[i]);
        expect(line, 0, "", NULL);
        expect_shell("$PYTHON map.py l.svg");
        free(flits);
        anl_scenario_free(&scenario);
    }
}

// Link 0.+0 carries 8 of 12 flits after 4 cycles, as do all links of worm 0; worms 1 and 2 go to
// the left.
static void the_busiest_links_are_told(void **state)
{
    (void)state;
    expect("plot --what links -o l.svg row.yaml --title '<row>'", 0, "", NULL);
    expect_shell("$PYTHON -c 'import xml.etree.ElementTree as xml\n"
                 "texts = [t.text for t in xml.parse(\"l.svg\").iter() if t.text]\n"
                 "assert texts.count(\"<row>\") == 2, texts\n"
                 "busiest = texts[texts.index(\"Busiest links\") + 1:]\n"
                 "names, shares = busiest[::2], [float(share) for share in busiest[1::2]]\n"
                 "assert len(names) == 10 and shares == sorted(shares, reverse=True), busiest\n"
                 "assert \"1(1).+0\" in names and any(n.endswith(\".T\") for n in names), names\n"
                 "assert any(t.startswith(\"4 links between switches: mean \") for t in texts)'");
}

// A wide link carries a flit of each lane in a cycle.
static void the_scale_is_that_of_the_links(void **state)
{
    (void)state;
    expect_shell("$ANNELID plot --what links -o one.svg mesh.yaml && "
                 "grep -q 'a link can carry 1<' one.svg && "
                 "$ANNELID plot --what links -o two.svg --set switch.link=wide mesh.yaml && "
                 "grep -q 'a link can carry 2<' two.svg");
}

static void maps_come_as_png(void **state)
{
    (void)state;
    expect("plot --what links -o l.png torus.yaml", 0, "", NULL);
    expect_shell("head -c 8 l.png | od -An -tx1 | grep -q '89 50 4e 47 0d 0a 1a 0a'");
}

// --- errors ---

static void a_stalled_run_says_so(void **state)
{
    (void)state;
    expect("plot --what links -o l.svg deadlock_ring5.yaml", 0, "", NULL);
    expect_shell("grep -q 'the run stalled' l.svg");
    expect("plot -o x.svg deadlock_ring5.yaml", 2, "", "no worm was measured");
    assert_false(remains("x."));
}

static void nothing_measured_is_an_error(void **state)
{
    (void)state;
    expect("plot --load 0 -o x.svg mesh.yaml", 2, "", "mesh.yaml: no worm was measured");
    expect("plot --set run.warmup_cycles=900 --what links -o x.svg row.yaml", 2, "",
           "row.yaml: no cycle was measured");
    expect("plot --set network.k=64 --what links --cycles 200 -o x.svg mesh.yaml", 2, "",
           "4096 switches is too large to be drawn");
    expect("plot --set switch.num_vcs=9 -o x.svg mesh.yaml", 2, "", "num_vcs");
    expect("plot -o x.svg missing.yaml", 2, "", "missing.yaml");
    expect_shell("printf 'network: {topology: mesh, k: 3, n: 2}\\nswitch: {nil: 9}\\n' > bad.yaml");
    expect("plot -o x.svg bad.yaml", 2, "", "bad.yaml:2:");
    assert_false(remains("x."));
}

// A long run that is interrupted leaves nothing.
static void a_run_can_be_interrupted(void **state)
{
    (void)state;
    expect_interrupted("plot --what links --set run.max_cycles=1000000000 --cycles 1000000000 "
                       "-o i.svg mesh.yaml",
                       "-e i.svg.*.tmp");
    expect_shell("grep -q '^annelid: interrupted$' said");
    assert_false(remains("i.svg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histograms_count_what_the_run_counts),
        cmocka_unit_test(bars_are_as_high_as_their_counts),
        cmocka_unit_test(few_slow_worms_are_counted_in_powers_of_ten),
        cmocka_unit_test(settings_hold),
        cmocka_unit_test(links_carry_what_the_trace_says),
        cmocka_unit_test(the_busiest_links_are_told),
        cmocka_unit_test(the_scale_is_that_of_the_links),
        cmocka_unit_test(maps_come_as_png),
        cmocka_unit_test(a_stalled_run_says_so),
        cmocka_unit_test(nothing_measured_is_an_error),
        cmocka_unit_test(a_run_can_be_interrupted),
    };
    return cmocka_run_group_tests_name("plot_run", tests, prepare, remove_directory);
}
