// SPDX-License-Identifier: Apache-2.0
//
// The SystemVerilog of random graphs: every wire once and from the right place, the routes of the
// network in the table, and the turns that routes make.

#include "unit_graph.h"

#include "rtl/rtl.h"

#include <stdio.h>
#include <string.h>

enum { TRIALS = 200, LINE_BYTES = 128 };

// A graph with its texts.
struct trial {
    struct anl_graph *graph;
    struct anl_config config;
    char *package, *module;
};

static char *text_of(enum anl_status (*put)(const struct anl_config *, FILE *),
                     const struct anl_config *config)
{
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_int_equal(put(config, stream), ANL_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void begin(struct trial *trial, struct anl_rng *rng)
{
    const bool one_way = anl_rng_below(rng, 2);
    const uint32_t num_vcs = graph_draw(rng, 1, ANL_MAX_VCS);
    const enum anl_routing routing = one_way ? ANL_SHORTEST : ANL_UP_DOWN;
    trial->graph = random_graph(rng, graph_draw(rng, 1, 12), graph_draw(rng, 3, 8), 40, one_way);
    assert_int_equal(anl_graph_route(trial->graph, routing, num_vcs, NULL), ANL_OK);
    trial->config = graph_config(trial->graph, routing, num_vcs);
    trial->package = text_of(anl_rtl_graph_package, &trial->config);
    trial->module = text_of(anl_rtl_graph, &trial->config);
}

static void end(struct trial *trial)
{
    free(trial->package);
    free(trial->module);
    anl_graph_destroy(trial->graph);
}

static void for_all(void (*check)(const struct trial *trial))
{
    struct anl_rng rng = anl_rng_seed(23, 0);
    for (uint32_t i = unit_trials(TRIALS); i > 0; i--) {
        struct trial trial;
        begin(&trial, &rng);
        check(&trial);
        end(&trial);
    }
}

// --- wires ---

static uint32_t count(const char *text, const char *word)
{
    uint32_t found = 0;
    while ((text = strstr(text, word))) {
        found++;
        text += strlen(word);
    }
    return found;
}

#define EXPECT_ONCE(text, ...)                                                                     \
    do {                                                                                           \
        char line_[LINE_BYTES];                                                                    \
        snprintf(line_, sizeof line_, __VA_ARGS__);                                                \
        if (count(text, line_) != 1)                                                               \
            fail_msg("'%s' is there %u times", line_, count(text, line_));                         \
    } while (0)

static void check_link(const struct trial *trial, uint32_t s, uint32_t p)
{
    const struct anl_end end = anl_link_end(&trial->config, s, p);
    const uint32_t b = end.node, i = end.port, t = end.node;
    if (!end.exists) {
        EXPECT_ONCE(trial->module, "g_switch[%u].out_credit[%u*NumVcs +: NumVcs] = '0;", s, p);
    } else if (end.is_terminal) {
        EXPECT_ONCE(trial->module, "ej_valid_o[%u] = g_switch[%u].out_valid[%u];", t, s, p);
        EXPECT_ONCE(trial->module, "ej_vc_o[%u*VcW +: VcW] = g_switch[%u].out_vc[%u*VcW", t, s, p);
        EXPECT_ONCE(trial->module, "ej_flit_o[%u*LinkW +: LinkW] = g_switch[%u].out_flit[%u*", t, s,
                    p);
        EXPECT_ONCE(trial->module, "g_switch[%u].out_credit[%u*NumVcs +: NumVcs] = ej_credit_i[%u*",
                    s, p, t);
        EXPECT_ONCE(trial->module, "g_switch[%u].in_valid[%u] = inj_valid_i[%u];", s, p, t);
        EXPECT_ONCE(trial->module, "g_switch[%u].in_vc[%u*VcW +: VcW] = inj_vc_i[%u*", s, p, t);
        EXPECT_ONCE(trial->module, "g_switch[%u].in_flit[%u*LinkW +: LinkW] = inj_flit_i[%u*", s, p,
                    t);
        EXPECT_ONCE(trial->module, "inj_credit_o[%u*NumVcs +: NumVcs] = g_switch[%u].in_credit[%u*",
                    t, s, p);
    } else {
        EXPECT_ONCE(trial->module, "g_switch[%u].in_valid[%u] = g_switch[%u].out_valid[%u];", b, i,
                    s, p);
        EXPECT_ONCE(trial->module, "g_switch[%u].in_vc[%u*VcW +: VcW] = g_switch[%u].out_vc[%u*", b,
                    i, s, p);
        EXPECT_ONCE(trial->module,
                    "g_switch[%u].in_flit[%u*LinkW +: LinkW] = g_switch[%u].out_flit[%u*", b, i, s,
                    p);
        EXPECT_ONCE(trial->module,
                    "g_switch[%u].out_credit[%u*NumVcs +: NumVcs] = g_switch[%u].in_credit[%u*", s,
                    p, b, i);
    }
}

// Each input is driven once: of as many drivers as there are inputs, those of the links and
// terminals are where they must be.
static void check_wires(const struct trial *trial)
{
    const struct anl_shape shape = anl_shape_of(&trial->config);
    const uint32_t ports = shape.switches * shape.ports;
    assert_int_equal(count(trial->module, "].in_valid["), ports);
    assert_int_equal(count(trial->module, "].in_vc["), ports);
    assert_int_equal(count(trial->module, "].in_flit["), ports);
    assert_int_equal(count(trial->module, "].out_credit["), ports);
    for (uint32_t s = 0; s < shape.switches; s++)
        for (uint32_t p = 0; p < shape.ports; p++)
            check_link(trial, s, p);
}

static void every_wire_is_there_once(void **state)
{
    (void)state;
    for_all(check_wires);
}

// --- tables ---

// Reads the next hexadecimal digits of a constant; skips the width of a number ("16'h") and all
// that is no digit.
static unsigned long digits(const char **text, unsigned number)
{
    char word[17] = "";
    for (unsigned i = 0; i < number; (*text)++) {
        const size_t width = strspn(*text, "0123456789");
        if (strncmp(*text + width, "'h", 2) == 0) *text += width + 2;
        if (strspn(*text, "0123456789ABCDEF")) word[i++] = **text;
    }
    return strtoul(word, NULL, 16);
}

// Returns the text of a constant of a switch, behind the name of the switch.
static const char *constant(const char *package, uint32_t s, const char *name)
{
    char head[32];
    snprintf(head, sizeof head, "\n      %u: %s = ", s, name);
    const char *text = strstr(package, head);
    assert_non_null(text);
    text += strlen(head);
    const char *name_ends = strchr(text, '\n');
    return *text == '{' ? name_ends : text;
}

static void check_tables(const struct trial *trial)
{
    const struct anl_shape shape = anl_shape_of(&trial->config);
    for (uint32_t s = 0; s < shape.switches; s++) {
        const char *text = constant(trial->package, s, "routes");
        for (uint32_t t = shape.terminals; t-- > 0;) {
            const struct anl_input_lane at = {s, 0, 0};
            const struct anl_way way = anl_first_way(anl_route_at(&trial->config, at, t));
            assert_int_equal(digits(&text, 4), 0xff00 + way.port);
        }
        assert_memory_equal(text, "};", 2);
    }
}

static void the_tables_are_the_routes(void **state)
{
    (void)state;
    for_all(check_tables);
}

// Notes the turns of a worm.
static void go(const struct anl_config *config, uint32_t from, uint32_t to, uint32_t *turns)
{
    const struct anl_graph *graph = config->graph;
    uint32_t s = graph->homes[from] / graph->ports, p = graph->homes[from] % graph->ports;
    for (;;) {
        const struct anl_input_lane at = {s, p, 0};
        const uint32_t port = anl_first_way(anl_route_at(config, at, to)).port;
        turns[s * graph->ports + p] |= 1u << port;
        const struct anl_end end = anl_link_end(config, s, port);
        if (end.is_terminal) return;
        s = end.node;
        p = end.port;
    }
}

static void check_turns(const struct trial *trial)
{
    const struct anl_graph *graph = trial->graph;
    uint32_t *turns = calloc((size_t)graph->switches * graph->ports, sizeof *turns);
    assert_non_null(turns);
    for (uint32_t from = 0; from < graph->terminals; from++)
        for (uint32_t to = 0; to < graph->terminals; to++)
            go(&trial->config, from, to, turns);
    for (uint32_t s = 0; s < graph->switches; s++) {
        const char *text = strchr(constant(trial->package, s, "turns"), '\'') + 1;
        uint32_t used = 0;
        for (uint32_t p = 0; p < graph->ports; p++)
            used |= turns[s * graph->ports + p];
        for (uint32_t p = graph->ports; p-- > 0;) {
            const uint32_t own = used >> p & 1 ? 0 : 1u << p;
            assert_int_equal(digits(&text, 8), turns[s * graph->ports + p] | own);
        }
    }
    free(turns);
}

static void the_turns_are_those_that_routes_make(void **state)
{
    (void)state;
    for_all(check_turns);
}

// --- lanes, and what is refused ---

static struct anl_graph *ring(uint32_t switches)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(switches, 2, switches, &graph, NULL), ANL_OK);
    for (uint32_t s = 0; s < switches; s++) {
        assert_int_equal(anl_graph_link(graph, 2 * s, 2 * ((s + 1) % switches), NULL), ANL_OK);
        assert_int_equal(anl_graph_attach(graph, s, 2 * s + 1, NULL), ANL_OK);
    }
    return graph;
}

// A table that names lanes holds for one number of lanes; any other one for all.
static void lanes_of_a_table_are_written(void **state)
{
    (void)state;
    struct anl_graph *graph = ring(3);
    assert_int_equal(anl_graph_route(graph, ANL_SHORTEST, 2, NULL), ANL_OK);
    const struct anl_config config = graph_config(graph, ANL_SHORTEST, 2);
    char *all = text_of(anl_rtl_graph, &config);
    assert_null(strstr(all, "ANL_ASSERT"));
    graph->routes[1].vcs = 2;
    char *some = text_of(anl_rtl_graph, &config);
    EXPECT_ONCE(some, "`ANL_ASSERT(AssumeLanesOfTheRoutes, NumVcs == 2)");
    char *package = text_of(anl_rtl_graph_package, &config);
    EXPECT_ONCE(package, "48'h0300_0200_0301};");
    free(all);
    free(some);
    free(package);
    anl_graph_destroy(graph);
}

// The ring of five switches and its layers: tb/unit/network/test_layers.c.
static void lanes_of_layers_are_written(void **state)
{
    (void)state;
    struct anl_graph *graph = ring(5);
    assert_int_equal(anl_graph_route(graph, ANL_LAYERED, 7, NULL), ANL_OK);
    const struct anl_config config = graph_config(graph, ANL_LAYERED, 7);
    char *package = text_of(anl_rtl_graph_package, &config);
    char *module = text_of(anl_rtl_graph, &config);
    EXPECT_ONCE(module, ".lanes_i(anl_graph_pkg::Lanes)");
    EXPECT_ONCE(module, "`ANL_ASSERT(AssumeLanesOfTheRoutes, NumVcs == 7)");
    EXPECT_ONCE(package, "Lanes = {7'h70, 7'h70, 7'h70, 7'h0C, 7'h0C, 7'h03, 7'h03};");
    EXPECT_ONCE(package, "3: injection = {\n        80'h0300_0300_0C00_0C00_0300};");
    EXPECT_ONCE(package, "4: injection = {\n        80'h0300_7000_0C00_0C00_0300};");
    free(package);
    free(module);
    anl_graph_destroy(graph);
}

static void other_networks_are_refused(void **state)
{
    (void)state;
    const struct anl_config mesh = {.topology = ANL_MESH, .k = 2, .n = 2, .num_vcs = 1, .depth = 1};
    assert_int_equal(anl_rtl_graph(&mesh, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_rtl_graph_package(&mesh, NULL), ANL_ERR_ARGUMENT);
    struct anl_graph *graph = ring(3);
    struct anl_config config = graph_config(graph, ANL_SHORTEST, 2);
    assert_int_equal(anl_rtl_graph(&config, NULL), ANL_ERR_ARGUMENT);  // it has no routes
    anl_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wire_is_there_once),
        cmocka_unit_test(the_tables_are_the_routes),
        cmocka_unit_test(the_turns_are_those_that_routes_make),
        cmocka_unit_test(lanes_of_a_table_are_written),
        cmocka_unit_test(lanes_of_layers_are_written),
        cmocka_unit_test(other_networks_are_refused),
    };
    return cmocka_run_group_tests_name("rtl_graph", tests, NULL, NULL);
}
