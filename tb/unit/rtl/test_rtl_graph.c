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

static char *text_of(enum anl_status (*put)(const struct anl_config *, const char *, FILE *),
                     const struct anl_config *config)
{
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_int_equal(put(config, "anl", stream), ANL_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void begin(struct trial *trial, struct anl_rng *rng)
{
    const bool one_way = anl_rng_below(rng, 2);
    const uint32_t num_vcs = unit_draw(rng, 1, ANL_MAX_VCS);
    const enum anl_routing routing = one_way ? ANL_SHORTEST : ANL_UP_DOWN;
    trial->graph = random_graph(rng, unit_draw(rng, 1, 12), unit_draw(rng, 3, 8), 40, one_way);
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
        EXPECT_ONCE(trial->module,
                    "ej_valid_o[%u*Lines +: Lines] = g_switch[%u].out_valid[%u*Lines +: Lines];", t,
                    s, p);
        EXPECT_ONCE(trial->module,
                    "ej_vc_o[%u*Lines*VcW +: Lines*VcW] = g_switch[%u].out_vc[%u*Lines*VcW", t, s,
                    p);
        EXPECT_ONCE(trial->module,
                    "ej_flit_o[%u*Lines*LinkW +: Lines*LinkW] = g_switch[%u].out_flit[%u*", t, s,
                    p);
        EXPECT_ONCE(trial->module, "g_switch[%u].out_credit[%u*NumVcs +: NumVcs] = ej_credit_i[%u*",
                    s, p, t);
        EXPECT_ONCE(trial->module,
                    "g_switch[%u].in_valid[%u*Lines +: Lines] = inj_valid_i[%u*Lines +: Lines];", s,
                    p, t);
        EXPECT_ONCE(trial->module, "g_switch[%u].in_vc[%u*Lines*VcW +: Lines*VcW] = inj_vc_i[%u*",
                    s, p, t);
        EXPECT_ONCE(trial->module,
                    "g_switch[%u].in_flit[%u*Lines*LinkW +: Lines*LinkW] = inj_flit_i[%u*", s, p,
                    t);
        EXPECT_ONCE(trial->module, "inj_credit_o[%u*NumVcs +: NumVcs] = g_switch[%u].in_credit[%u*",
                    t, s, p);
    } else {
        EXPECT_ONCE(
            trial->module,
            "g_switch[%u].in_valid[%u*Lines +: Lines] = g_switch[%u].out_valid[%u*Lines +: Lines];",
            b, i, s, p);
        EXPECT_ONCE(trial->module,
                    "g_switch[%u].in_vc[%u*Lines*VcW +: Lines*VcW] = g_switch[%u].out_vc[%u*", b, i,
                    s, p);
        EXPECT_ONCE(
            trial->module,
            "g_switch[%u].in_flit[%u*Lines*LinkW +: Lines*LinkW] = g_switch[%u].out_flit[%u*", b, i,
            s, p);
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
    assert_null(strstr(all, "anl_assert.svh"));
    EXPECT_ONCE(all, "  parameter  int NumVcs    = 2,    // lanes of a link, 1 .. 8\n");
    EXPECT_ONCE(all, "\n  // 1.0 to port 0 of 2\n");
    graph->routes[0].vcs = 2;  // the first entry of the table
    char *first = text_of(anl_rtl_graph, &config);
    EXPECT_ONCE(first, "`ANL_ASSERT(AssumeLanesOfTheRoutes, NumVcs == 2)");
    graph->routes[0].vcs = 3;
    graph->routes[1].vcs = 2;
    char *some = text_of(anl_rtl_graph, &config);
    EXPECT_ONCE(some, "`include \"anl_assert.svh\"\n");
    EXPECT_ONCE(some, "= 2,    // lanes of a link; the routes name lanes: no other number\n");
    EXPECT_ONCE(some, "`ANL_ASSERT(AssumeLanesOfTheRoutes, NumVcs == 2)");
    char *package = text_of(anl_rtl_graph_package, &config);
    EXPECT_ONCE(package, "48'h0300_0200_0301};");
    EXPECT_ONCE(package, "      1: routes = {  // 1\n");
    free(first);
    free(all);
    free(some);
    free(package);
    anl_graph_destroy(graph);
}

// Returns the number of a localparam.
static uint32_t number_of(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    assert_non_null(at);
    return (uint32_t)strtoul(at + strlen(name) + strlen(" = "), NULL, 10);
}

// Reads the list from one terminal to another, in bits.
static void list_of(const char *lists, uint32_t from, uint32_t index, uint8_t *bits)
{
    char head[32];
    snprintf(head, sizeof head, "\n      %u: lists = {", from);
    const char *at = strstr(lists, head);
    assert_non_null(at);
    for (uint32_t i = 0; i <= index; i++)
        at = strchr(at, 'h') + 1;
    const size_t count = strspn(at, "0123456789ABCDEF");
    for (size_t i = 0; i < count; i++) {
        const char digit[] = {at[count - 1 - i], 0};
        for (uint32_t b = 0; b < 4; b++)
            bits[4 * i + b] = (uint8_t)(strtoul(digit, NULL, 16) >> b & 1);
    }
}

static void check_lists(const struct anl_config *config, const char *lists)
{
    const uint32_t terminals = config->graph->terminals, width = number_of(lists, "PortW");
    const uint32_t longest = config->graph->longest_route;
    assert_int_equal(number_of(lists, "ListW"), longest * width);
    for (uint32_t from = 0; from < terminals; from++)
        for (uint32_t to = 0; to < terminals; to++) {
            uint8_t bits[ANL_MAX_FLIT_WIDTH_BITS + 8] = {0};
            uint32_t s = config->graph->homes[from] / config->graph->ports;
            list_of(lists, from, terminals - 1 - to, bits);
            for (uint32_t i = 0; i < longest; i++) {
                uint32_t port = 0;
                for (uint32_t b = 0; b < width; b++)
                    port |= (uint32_t)bits[i * width + b] << b;
                if (s == UINT32_MAX) assert_int_equal(port, 0);
                if (s == UINT32_MAX) continue;
                assert_int_equal(
                    port,
                    anl_first_way(anl_route_at(config, (struct anl_input_lane){s, 0, 0}, to)).port);
                const struct anl_end end = anl_link_end(config, s, port);
                if (end.is_terminal) assert_int_equal(end.node, to);
                s = end.is_terminal ? UINT32_MAX : end.node;
            }
            assert_int_equal(s, UINT32_MAX);
        }
}

// A graph whose heads carry their routes has no tables, the turns of these routes, and lists.
static void source_routes_are_written(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(29, 0);
    for (uint32_t i = unit_trials(100); i > 0; i--) {
        struct trial trial = {0};
        const uint32_t vcs = unit_draw(&rng, 1, 4);
        trial.graph = random_graph(&rng, unit_draw(&rng, 1, 9), unit_draw(&rng, 3, 7), 24, false);
        assert_int_equal(anl_graph_route_source(trial.graph, ANL_UP_DOWN, vcs, NULL), ANL_OK);
        trial.config = graph_config(trial.graph, ANL_SOURCE, vcs);
        trial.config.flit_width_bits = 128;
        trial.package = text_of(anl_rtl_graph_package, &trial.config);
        trial.module = text_of(anl_rtl_graph, &trial.config);
        char *lists = text_of(anl_rtl_graph_lists, &trial.config);
        assert_null(strstr(trial.package, "routes("));
        assert_null(strstr(trial.module, "table_i"));
        EXPECT_ONCE(trial.module, "anl_source_switch #(");
        EXPECT_ONCE(trial.module, ".Longest(anl_graph_pkg::LongestRoute)");
        assert_int_equal(number_of(trial.package, "LongestRoute"), trial.graph->longest_route);
        check_turns(&trial);
        check_lists(&trial.config, lists);
        free(lists);
        end(&trial);
    }
}

// --- options ---

// The tables are in test_rtl_options.c.
static void options_of(const struct anl_cube *cube, enum anl_routing routing, const char *straight)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_of_cube(cube, routing, 3, &graph, NULL), ANL_OK);
    struct anl_config config = graph_config(graph, routing, 3);
    config.topology = ANL_CUBE;
    char *package = text_of(anl_rtl_graph_package, &config);
    char *module = text_of(anl_rtl_graph, &config);
    EXPECT_ONCE(package, "  localparam int Select       = %d;", (int)config.select);
    EXPECT_ONCE(package, "  localparam int Escapes      = %u;", anl_escape_lanes(&config));
    EXPECT_ONCE(package, "Straight = %s;", straight);
    EXPECT_ONCE(module, "    anl_options_switch #(");
    EXPECT_ONCE(module, "`ANL_ASSERT(AssumeLanesOfTheRoutes, NumVcs == 3)");
    free(package);
    free(module);
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
    EXPECT_ONCE(module, ".lanes_i({Classes{anl_graph_pkg::Lanes}})");
    EXPECT_ONCE(module, "`ANL_ASSERT(AssumeLanesOfTheRoutes, NumVcs == 7)");
    EXPECT_ONCE(package, "Lanes = {7'h70, 7'h70, 7'h70, 7'h0C, 7'h0C, 7'h03, 7'h03};");
    EXPECT_ONCE(package, "3: injection = {\n        80'h0300_0300_0C00_0C00_0300};");
    EXPECT_ONCE(package, "4: injection = {\n        80'h0300_7000_0C00_0C00_0300};");
    free(package);
    free(module);
    anl_graph_destroy(graph);
}

static void options_are_written(void **state)
{
    (void)state;
    const struct anl_cube lines = {
        .dimensions = 2, .radix = {3, 2}, .kinds = {ANL_LINE, ANL_LINE}, .concentration = 1};
    const struct anl_cube rings = {.dimensions = 2,
                                   .radix = {4, 3},
                                   .kinds = {ANL_RING, ANL_ONE_WAY_RING},
                                   .concentration = 1};
    // Input port p and output port o are bit p * ports + o: 0 and 1 are opposite, and 2 and 3.
    options_of(&lines, ANL_ODD_EVEN, "25'h0022022");
    // Port 2 is the only one of its dimension.
    options_of(&rings, ANL_ADAPTIVE, "16'h0412");
}

// --- classes ---

// How the heads of two classes go: each class has a graph of its own if `second` is a routing.
struct kind_of_text {
    uint8_t first, second;  // ANL_SOURCE as the second one: both classes go as the first one says
    bool one_lane;          // an entry of the first graph names one of the two lanes
};

// A routing is that of a table with several entries for a terminal if it is ANL_TABLE.
static struct anl_graph *routed_ring(enum anl_routing routing, bool one_lane)
{
    struct anl_rng rng = anl_rng_seed(31, 0);
    struct anl_graph *graph = ring(3);
    if (routing == ANL_TABLE) random_options(&rng, graph, 2, true);
    if (routing == ANL_SOURCE)
        assert_int_equal(anl_graph_route_source(graph, ANL_SHORTEST, 2, NULL), ANL_OK);
    else
        assert_int_equal(anl_graph_route(graph, routing, 2, NULL), ANL_OK);
    if (one_lane) graph->routes[0].vcs = 2;
    return graph;
}

// The text passes on each of its parameters, and a macro is included if it is used: front ends warn
// of the one and stop at the other.
static void check_what_is_read(const char *module)
{
    static const char *const parameters[] = {"NumVcs",  "Depth",       "FlitW",
                                             "Arbiter", "FlowControl", "LengthInHead",
                                             "Stages",  "Classes",     "Weights"};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        char passed[64];
        snprintf(passed, sizeof passed, ".%s(%s)", parameters[i], parameters[i]);
        assert_true(count(module, passed) > 0);
    }
    assert_int_equal(count(module, "`include \"anl_assert.svh\""),
                     count(module, "`ANL_ASSERT(") > 0);
}

static void check_kind_of_text(const struct kind_of_text *kind)
{
    const bool differ = kind->second != ANL_SOURCE;
    struct anl_graph *graph = routed_ring((enum anl_routing)kind->first, kind->one_lane);
    struct anl_config config = graph_config(graph, (enum anl_routing)kind->first, 4);
    config.classes = 2;
    if (differ) {
        anl_graph_add_class(graph, routed_ring((enum anl_routing)kind->second, false));
        config.num_class_routings = 2;
        config.class_routing[0] = kind->first;
        config.class_routing[1] = kind->second;
    }
    char *module = text_of(anl_rtl_graph, &config);
    check_what_is_read(module);
    assert_int_equal(count(module, "AssumeClassesOfTheRoutes"), differ);
    assert_int_equal(count(module, ".table_i("), kind->first != ANL_SOURCE);
    free(module);
    anl_graph_destroy(graph);
}

// Source routes, tables, layers and options, in one table for both classes or in one for each.
static void what_is_read_is_declared(void **state)
{
    (void)state;
    static const struct kind_of_text kinds[] = {
        {ANL_SOURCE, ANL_SOURCE, false},    {ANL_SHORTEST, ANL_SOURCE, false},
        {ANL_SHORTEST, ANL_SOURCE, true},   {ANL_LAYERED, ANL_SOURCE, false},
        {ANL_TABLE, ANL_SOURCE, false},     {ANL_SHORTEST, ANL_SHORTEST, false},
        {ANL_SHORTEST, ANL_SHORTEST, true}, {ANL_SHORTEST, ANL_LAYERED, false},
        {ANL_LAYERED, ANL_SHORTEST, false}, {ANL_LAYERED, ANL_LAYERED, false},
        {ANL_TABLE, ANL_SHORTEST, false},   {ANL_TABLE, ANL_TABLE, false},
        {ANL_LAYERED, ANL_TABLE, false}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_kind_of_text(&kinds[i]);
}

static void other_networks_are_refused(void **state)
{
    (void)state;
    const struct anl_config mesh = {.topology = ANL_MESH, .k = 2, .n = 2, .num_vcs = 1, .depth = 1};
    assert_int_equal(anl_rtl_graph(&mesh, "anl", NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_rtl_graph_package(&mesh, "anl", NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_rtl_graph_lists(&mesh, "anl", NULL), ANL_ERR_ARGUMENT);
    struct anl_graph *graph = ring(3);
    struct anl_config config = graph_config(graph, ANL_SHORTEST, 2);
    assert_int_equal(anl_rtl_graph(&config, "anl", NULL), ANL_ERR_ARGUMENT);  // it has no routes
    anl_graph_destroy(graph);
}

// Every network that make regress and annelid rtl build asks this first.
static void what_the_rtl_has_not_is_refused(void **state)
{
    (void)state;
    struct anl_error error;
    const struct anl_config valiant = {
        .topology = ANL_MESH, .k = 3, .n = 2, .routing = ANL_VALIANT};
    const struct anl_config mesh = {.topology = ANL_MESH, .k = 3, .n = 2};
    assert_int_equal(anl_rtl_check(&mesh, "a.yaml", &error), ANL_OK);
    assert_int_equal(anl_rtl_check(&valiant, "a.yaml", &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.file, "a.yaml");
    assert_non_null(strstr(error.text, "valiant"));
    const struct anl_config wide = {.topology = ANL_MESH, .k = 513, .n = 1};
    const struct anl_config large = {.topology = ANL_MESH, .k = 102, .n = 3};
    assert_int_equal(anl_rtl_check(&wide, "a.yaml", &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "network.k is 513"));
    assert_int_equal(anl_rtl_check(&large, "a.yaml", &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "1061208 terminals"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wire_is_there_once),
        cmocka_unit_test(the_tables_are_the_routes),
        cmocka_unit_test(the_turns_are_those_that_routes_make),
        cmocka_unit_test(lanes_of_a_table_are_written),
        cmocka_unit_test(source_routes_are_written),
        cmocka_unit_test(options_are_written),
        cmocka_unit_test(lanes_of_layers_are_written),
        cmocka_unit_test(what_is_read_is_declared),
        cmocka_unit_test(other_networks_are_refused),
        cmocka_unit_test(what_the_rtl_has_not_is_refused),
    };
    return cmocka_run_group_tests_name("rtl_graph", tests, NULL, NULL);
}
