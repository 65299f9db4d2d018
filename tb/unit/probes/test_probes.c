// SPDX-License-Identifier: Apache-2.0
//
// Maps of probes: the names that templates give, maps that are refused, and maps with bytes that
// somebody has changed, which are read or refused but never more.

#include "unit.h"

#include <annelid/base.h>
#include <annelid/probes.h>
#include <annelid/scenario.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 4096 };

static char folder[] = "/tmp/annelid-probes-XXXXXX";

static void write_text(const char *name, const char *text, size_t bytes)
{
    char path[80];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    fclose(file);
}

static int make_folder(void **unused)
{
    static const char mesh[] = "network: {topology: mesh, k: 2, n: 2}\n"
                               "switch: {num_vcs: 1, depth: 2, flit_width_bits: 32}\n";
    static const char lanes[] = "network: {topology: mesh, k: 2, n: 2}\n"
                                "switch: {num_vcs: 2, depth: 2, flit_width_bits: 32}\n";
    static const char links[] = "style: ready_valid\nwidth: 32\n"
                                "head:\n  x: {at: 0, width: 4}\n  y: {at: 4, width: 4}\n"
                                "  length: {at: 8, width: 8, plus: 1}\n";
    (void)unused;
    if (!mkdtemp(folder)) return -1;
    write_text("mesh.yaml", mesh, strlen(mesh));
    write_text("lanes.yaml", lanes, strlen(lanes));
    write_text("links.yaml", links, strlen(links));
    return 0;
}

static int remove_folder(void **unused)
{
    static const char *const names[] = {"mesh.yaml", "lanes.yaml", "links.yaml", "map.yaml"};
    char path[80];
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static enum anl_status load(const char *text, size_t bytes, struct anl_probes **probes,
                            struct anl_error *error)
{
    char path[80];
    write_text("map.yaml", text, bytes);
    snprintf(path, sizeof path, "%s/map.yaml", folder);
    return anl_probes_load(path, NULL, 0, probes, error);
}

static const char map[] =
    "network: mesh.yaml\n"
    "links: links.yaml\n"
    "scope: tb.mesh\n"
    "clock: clk\n"
    "reset: ~rst_n\n"
    "probes:\n"
    "  - of: switches\n"
    "    ports: [east, west, north, south, home]\n"
    "    valid: g[{y}].g[{x}].r.{port}_v[{x}+2*{y}]\n"
    "    flit: r.d[({switch}+1)*32-1-:32]\n"
    "    back: ~r.full[7%4]\n"
    "  - of: terminals\n"
    "    valid: v[{terminal}]\n"
    "    flit: ['\\a[{terminal}] .h', \"d[{terminal}][0:15]\", 8'hff, 'e[3:0]', 'e[7:5]', z]\n"
    "    back: b_{link}[{switch}*8/2]\n"
    "  - link: 3(1,1).T\n"
    "    valid: sink.v_i\n"
    "    flit: sink.data_i\n"
    "    back: 1'b1\n";

// What the list must have of a link: a line for each part.
static void expect_link(const struct anl_probes *probes, const char *link, const char *expected)
{
    char seen[1000] = "", text[200], name[80];
    size_t count;
    const struct anl_probe *list = anl_probes_list(probes, &count);
    for (size_t i = 0; i < count; i++) {
        if (list[i].link == ANL_NOTHING)
            strcpy(name, "-");
        else
            anl_link_name(&anl_probes_scenario(probes)->network, list[i].link, name, sizeof name);
        if (strcmp(name, link) != 0) continue;
        anl_probe_text(&list[i], text, sizeof text);
        const size_t used = strlen(seen);
        snprintf(seen + used, sizeof seen - used, "%s %s\n", anl_probe_role_name(list[i].role),
                 text);
    }
    assert_string_equal(seen, expected);
}

static void templates_give_names(void **unused)
{
    struct anl_probes *probes;
    struct anl_error error = {0};
    (void)unused;
    if (load(map, strlen(map), &probes, &error)) fail_msg("%s", error.text);
    assert_non_null(strstr(anl_probes_network(probes), "/mesh.yaml"));
    assert_non_null(strstr(anl_probes_links(probes), "/links.yaml"));
    assert_int_equal(anl_probes_description(probes)->width, 32);
    assert_true(anl_probes_have_back(probes));
    assert_int_equal(anl_probes_bits(probes, ANL_PROBE_FLIT), 32);
    assert_int_equal(anl_probes_bits(probes, ANL_PROBE_BACK), 1);
    assert_int_equal(anl_probes_bits(probes, ANL_PROBE_VC), 0);
    expect_link(probes, "-", "clock tb.mesh.clk\nreset ~tb.mesh.rst_n\n");
    expect_link(probes, "0(0,0).+0",
                "valid tb.mesh.g[0].g[0].r.east_v[0]\nflit tb.mesh.r.d[31:0]\n"
                "back ~tb.mesh.r.full[3]\n");
    expect_link(probes, "2(0,1).-1",
                "valid tb.mesh.g[1].g[0].r.south_v[2]\nflit tb.mesh.r.d[95:64]\n"
                "back ~tb.mesh.r.full[3]\n");
    expect_link(probes, "T1.inject",
                "valid tb.mesh.v[1]\nflit tb.mesh.\\a[1] .h\nflit tb.mesh.d[1][15:0]\n"
                "flit 8'd255\nflit tb.mesh.e[3:0]\nflit tb.mesh.e[7:5]\nflit tb.mesh.z\n"
                "back tb.mesh.b_21[4]\n");
    expect_link(probes, "3(1,1).T",
                "valid tb.mesh.sink.v_i\nflit tb.mesh.sink.data_i\n"
                "back 1'd1\n");
    expect_link(probes, "0(0,0).-0", "");  // no such link
    anl_probes_destroy(probes);
}

static void links_of_ours_may_have_no_credits(void **unused)
{
    static const char text[] = "network: lanes.yaml\nclock: clk\nprobes:\n"
                               "  - {link: '3(1,1).T', valid: v, vc: w, flit: g}\n"
                               "  - {of: switches, valid: v, vc: w, flit: 'f[{link}]'}\n"
                               "  - {of: terminals, valid: v, vc: w, flit: f, length: l}\n";
    struct anl_probes *probes;
    struct anl_error error = {0};
    (void)unused;
    if (load(text, strlen(text), &probes, &error)) fail_msg("%s", error.text);
    assert_null(anl_probes_links(probes));
    assert_null(anl_probes_description(probes));
    assert_false(anl_probes_have_back(probes));
    assert_int_equal(anl_probes_bits(probes, ANL_PROBE_FLIT), 34);
    assert_int_equal(anl_probes_bits(probes, ANL_PROBE_BACK), 2);
    expect_link(probes, "-", "clock clk\n");
    expect_link(probes, "0(0,0).T", "valid v\nvc w\nflit f[4]\n");
    expect_link(probes, "3(1,1).T", "valid v\nvc w\nflit g\n");
    anl_probes_destroy(probes);
}

// The maps that stand beside pages.
static void maps_of_pages_are_read(void **unused)
{
    static const char *const names[] = {"docs/probes/ring.yaml",
                                        "judged/bsg_wormhole_router/bench/requests.yaml",
                                        "judged/bsg_wormhole_router/bench/replies.yaml"};
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct anl_probes *probes;
        struct anl_error error = {0};
        size_t count;
        if (anl_probes_load(names[i], NULL, 0, &probes, &error)) fail_msg("%s", error.text);
        assert_string_equal(anl_probes_path(probes), names[i]);
        anl_probes_list(probes, &count);
        assert_true(count > 3 * 12);
        anl_probes_destroy(probes);
    }
}

// A map in which one text stands in place of another, and what is said of it.
struct refusal {
    const char *old, *new;
    uint64_t line;
    const char *says;
};

static const struct refusal refusals[] = {
    {"clock: clk", "clocks: clk", 4, "found key 'clocks', expected one of network, links, scope"},
    {"clock: clk\n", "", 1, "found no clock, expected it"},
    {"clock: clk", "clock: [clk]", 4, "clock: found 'a list', expected a word"},
    {"clock: clk", "clock: clk\nclock: b", 5, "found key 'clock' a second time"},
    {"clock: clk", "clock: clk[1:0]", 4, "clock: found 2 wires, expected 1"},
    {"clock: clk", "clock: clk{x}", 4, "clock: found '{x}', expected no word in braces here"},
    {"of: switches", "of: nodes", 7, "of: found 'nodes', expected switches or terminals"},
    {"- of: switches\n", "- ports: [a]\n", 8, "found key 'ports' a second time"},
    {"  - of: switches\n    ports", "  - ports", 7, "found neither of nor link"},
    {"of: switches", "of: switches\n    link: 3", 7, "found both of and link"},
    {"of: terminals", "of: terminals\n    out: [1]", 13, "found out beside of: terminals"},
    {"link: 3(1,1).T", "link: 3(1,1).T\n    only: [1]", 16, "found only beside link"},
    {"link: 3(1,1).T", "link: 3(1,1).+0", 16, "found '3(1,1).+0', expected the name of a link"},
    {"link: 3(1,1).T", "link: 9", 16, "found '9', expected the name of a link"},
    {"link: 3(1,1).T", "link: T4.inject", 16, "found 'T4.inject', expected the name of a link"},
    {"of: terminals", "of: terminals\n    only: [0, 4]", 13, "only: found '4', expected 0 .. 3"},
    {"of: terminals", "of: terminals\n    only: [0, -1]", 13, "only: found '-1'"},
    {"of: terminals", "of: terminals\n    only: 3", 13, "only: found '3', expected a list"},
    {"of: terminals", "of: terminals\n    only: [0, 2, 3]", 7,
     "found no entry for link T1.inject,"},
    {"of: switches", "of: switches\n    out: [0, 1, 2]", 7,
     "found no entry for link 0(0,0).T and others"},
    {"of: terminals", "of: switches", 12, "a second entry, expected that of line 7 alone"},
    {", home]", "]", 8, "ports: found 4 words, expected 5"},
    {"home]", "homeABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGH]", 8,
     "ABCDEFGHIJ…', expected at most 63 letters"},
    {", home]", ", [1]]", 8, "ports: found 'a list', expected a word"},
    {"    valid: v[{terminal}]\n", "", 12, "found no valid, expected it"},
    {"    back: b_{link}[{switch}*8/2]\n", "", 12,
     "found no back, expected it, for links of style ready_"},
    {"mesh.yaml", "lanes.yaml", 7, "found no vc, expected it, for there are 2 lanes"},
    {"v[{terminal}]", "v[{terminals}]", 13,
     "found '{terminals}', expected {link}, {terminal}, {switch}, "},
    {"v[{terminal}]", "v[{terminal]", 13, "valid: found '{' without '}'"},
    {"v[{terminal}]", "v[{terminal}", 13, "valid: found '', expected ']'"},
    {"v[{terminal}]", "v[1/0]", 13, "valid: found a division by 0"},
    {"v[{terminal}]", "v[1-2]", 13, "valid: found -1 in brackets, expected 0 .. 2147483647"},
    {"v[{terminal}]", "v[1-:3]", 13, "valid: found bit -1, expected 0"},
    {"v[{terminal}]", "v[1+:0]", 13, "valid: found 0 bits, expected 1 or more"},
    {"v[{terminal}]", "v[99999999*99999999*99999999]", 13, "a product that is too large"},
    {"v[{terminal}]", "v[9223372036854775807+1]", 13, "valid: found a sum that is too large"},
    {"v[{terminal}]", "v[(0-9223372036854775807-1)/(0-1)]", 13, "a product that is too large"},
    {"v[{terminal}]", "v[(0-9223372036854775807-1)%(0-1)]", 13, "a product that is too large"},
    {"v[{terminal}]", "v[i]", 13, "found 'i]' in brackets, expected a whole number"},
    {"v[{terminal}]", "v[((((((((((((((((((1))))))))))))))))))]", 13, "found too many brackets"},
    {"v[{terminal}]", "v[1:0].w", 13, "found a range of bits before '.w'"},
    {"v[{terminal}]", "v[1:0]", 13, "valid: found 2 wires, expected 1"},
    {"v[{terminal}]", "v w", 13, "found ' ' in the name 'v'"},
    {"v[{terminal}]", "'[3]'", 13, "expected a name before '['"},
    {"v[{terminal}]", "~", 13, "found nothing, expected the name of a signal"},
    {"v[{terminal}]", "1'b2", 13, "found '1'b2', expected a number of 1 bits"},
    {"v[{terminal}]", "33'd2", 13, "found '33'd2', expected a name, or a constant of 1 to 32 bits"},
    {"v[{terminal}]", "1'x0", 13, "found '1'x0', expected a name"},
    {"v[{terminal}]", "[]", 13, "valid: found an empty list"},
    {"v[{terminal}]", "{a: b}", 13, "valid: found 'a mapping', expected a word"},
    {"[({switch}+1)*32-1-:32]", "[31:1]", 10, "flit: found 31 wires, expected 32"},
    {"mesh.yaml", "none.yaml", 0, "No such file"},
    {"links.yaml", "mesh.yaml", 1, "found key 'network'"},
    {"probes:\n", "probes: [\n", 7, "expected YAML"},
};

// Writes the map with a text in place of another, which it must have.
static void replace(const struct refusal *refusal, char text[BYTES])
{
    const char *at = strstr(map, refusal->old);
    if (!at) fail_msg("the map has no '%s'", refusal->old);
    snprintf(text, BYTES, "%.*s%s%s", (int)(at - map), map, refusal->new,
             at + strlen(refusal->old));
}

static void maps_are_refused(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const struct refusal *refusal = &refusals[i];
        struct anl_probes *probes;
        struct anl_error error = {0};
        char text[BYTES];
        replace(refusal, text);
        const enum anl_status status = load(text, strlen(text), &probes, &error);
        anl_probes_destroy(probes);
        if (!status || !strstr(error.text, refusal->says) || error.line != refusal->line)
            fail_msg("%s: found line %ju: %s, expected %ju: %s", refusal->new,
                     (uintmax_t)error.line, error.text, (uintmax_t)refusal->line, refusal->says);
    }
}

static void spoiled_maps_are_read_or_refused(void **unused)
{
    const uint32_t trials = unit_trials(2000);
    const size_t bytes = strlen(map);
    (void)unused;
    for (uint32_t trial = 0; trial < trials; trial++) {
        char text[sizeof map];
        struct anl_probes *probes;
        struct anl_error error = {0};
        memcpy(text, map, sizeof map);
        for (uint32_t i = 0; i < 1 + trial % 4; i++) {
            const uint64_t number = anl_mix((uint64_t)trial << 8 | i);
            text[number % bytes] = (char)("[]{}:*/-+~'0\\ \nxA9"[(number >> 32) % 19]);
        }
        const enum anl_status status = load(text, bytes, &probes, &error);
        if (!status != !error.text[0] || !status == !probes) fail_msg("trial %u", trial);
        anl_probes_destroy(probes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates_give_names),
        cmocka_unit_test(links_of_ours_may_have_no_credits),
        cmocka_unit_test(maps_of_pages_are_read),
        cmocka_unit_test(maps_are_refused),
        cmocka_unit_test(spoiled_maps_are_read_or_refused),
    };
    return cmocka_run_group_tests_name("probes", tests, make_folder, remove_folder);
}
