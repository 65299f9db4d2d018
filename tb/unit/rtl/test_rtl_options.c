// SPDX-License-Identifier: Apache-2.0
//
// The routes in the SystemVerilog of a graph or a cube, on each kind of network with each routing
// and number of classes: the text is read as a front end reads it, remarks left out and brackets
// counted, and its bits are the routes of the network.

#include "random_networks.h"

#include <annelid/rtl.h>
#include <ctype.h>
#include <string.h>

enum { TRIALS = 400, MOST_BITS = 1 << 17, MOST_CLASSES = 3 };

// --- constants, read ---

// A constant, its highest bit first.
struct bits {
    uint32_t count;
    uint8_t bit[MOST_BITS];
};

static void add(struct bits *bits, uint32_t bit)
{
    assert_true(bits->count < MOST_BITS);
    bits->bit[bits->count++] = bit & 1;
}

// Returns what stands behind blanks and remarks.
static const char *behind_blanks(const char *at)
{
    for (;;) {
        at += strspn(at, " \n");
        if (strncmp(at, "//", 2) != 0) return at;
        at += strcspn(at, "\n");
    }
}

static const char *expect(const char *at, char c)
{
    at = behind_blanks(at);
    if (*at != c) fail_msg("'%c' expected, found '%.60s'", c, at);
    return at + 1;
}

// Reads a number such as 7'h1F: so many bits as stand before it, of those that its digits have.
static const char *read_number(const char *at, struct bits *bits)
{
    char *end;
    const uint32_t width = (uint32_t)strtoul(at, &end, 10);
    if (end == at || end[0] != '\'' || !strchr("bh", end[1])) fail_msg("a number: '%.60s'", at);
    const uint32_t each = end[1] == 'h' ? 4 : 1,
                   length = (uint32_t)strspn(end + 2, "0123456789ABCDEF_");
    uint32_t digits = 0;
    for (uint32_t i = 0; i < length; i++)
        digits += end[2 + i] != '_';
    assert_between(width, each * (digits - 1) + 1, each * digits);
    for (uint32_t i = 0, left = each * digits; i < length; i++) {
        if (end[2 + i] == '_') continue;
        const char digit[] = {end[2 + i], 0};
        for (uint32_t b = each; b-- > 0; left--) {
            const uint32_t bit = (uint32_t)strtoul(digit, NULL, 16) >> b & 1;
            if (left <= width) add(bits, bit);
            if (left > width) assert_int_equal(bit, 0);
        }
    }
    return end + 2 + length;
}

// Returns how often the brackets at `at` repeat what is in the inner ones; 0: there are no inner
// ones. NumPorts is the only name that stands there.
static uint32_t repeats(const char *at, uint32_t ports)
{
    const char *word = behind_blanks(at);
    const size_t length = strspn(word, "0123456789NumPorts");
    if (length == 0 || *behind_blanks(word + length) != '{') return 0;
    return isdigit((unsigned char)*word) ? (uint32_t)strtoul(word, NULL, 10) : ports;
}

// Reads a number, or what stands in brackets.
static const char *read_constant(const char *at, uint32_t ports, struct bits *bits)
{
    at = behind_blanks(at);
    if (*at != '{') return read_number(at, bits);
    const uint32_t times = repeats(at + 1, ports), first = bits->count;
    if (times) at = strchr(at + 1, '{') - 1;
    do
        at = read_constant(behind_blanks(at + 1), ports, bits);
    while (*(at = behind_blanks(at)) == ',');
    const uint32_t size = bits->count - first;
    for (uint32_t i = size; i < size * times; i++)
        add(bits, bits->bit[first + i % size]);
    return expect(at, '}');
}

// Reads the constant of a switch, up to its semicolon.
static void read_constant_of(const char *package, uint32_t s, const char *name, uint32_t ports,
                             struct bits *bits)
{
    char head[48];
    snprintf(head, sizeof head, "\n      %u: %s = ", s, name);
    const char *at = strstr(package, head);
    if (!at) fail_msg("no%s", head);
    bits->count = 0;
    expect(read_constant(at + strlen(head), ports, bits), ';');
}

// --- what the bits must be ---

static uint32_t next(const struct bits *bits, uint32_t *at, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++)
        value = value << 1 | bits->bit[(*at)++];
    return value;
}

// Returns the lanes, counted within the class, by which a head of the class may leave by a port,
// whatever the lane of the class is that it is in.
static uint32_t lanes_of(const struct anl_config *config, struct anl_input_lane in, uint32_t class_,
                         uint32_t destination, uint32_t port)
{
    const uint32_t lanes = anl_class_lanes(config);
    uint32_t vcs = 0;
    for (uint32_t w = 0; w < lanes; w++) {
        in.vc = class_ * lanes + w;
        vcs |= anl_route_at(config, in, destination).vcs[port];
    }
    return vcs >> class_ * lanes;
}

// The lanes of each output port, for each input port, class and destination; all of them from the
// last one down to 0, and a bit before them.
static void check_options(const struct anl_config *config, uint32_t s, const struct bits *bits)
{
    const struct anl_shape shape = anl_shape_of(config);
    const uint32_t classes = anl_num_classes(config), lanes = anl_class_lanes(config);
    uint32_t at = 0;
    assert_int_equal(bits->count,
                     1 + shape.ports * classes * shape.terminals * shape.ports * lanes);
    assert_int_equal(next(bits, &at, 1), 1);
    for (uint32_t p = shape.ports; p-- > 0;)
        for (uint32_t c = classes; c-- > 0;)
            for (uint32_t t = shape.terminals; t-- > 0;)
                for (uint32_t o = shape.ports; o-- > 0;)
                    assert_int_equal(next(bits, &at, lanes),
                                     lanes_of(config, (struct anl_input_lane){s, p, 0}, c, t, o));
}

// The set of lanes and the port, in eight bits each, for each class, if they differ, and each
// destination.
static void check_entries(const struct anl_config *config, uint32_t s, const struct bits *bits)
{
    const struct anl_shape shape = anl_shape_of(config);
    const uint32_t tables = anl_classes_differ(config) ? anl_num_classes(config) : 1;
    const uint32_t lanes = anl_class_lanes(config);
    uint32_t at = 0;
    assert_int_equal(bits->count, tables * shape.terminals * 16);
    for (uint32_t c = tables; c-- > 0;)
        for (uint32_t t = shape.terminals; t-- > 0;) {
            const uint32_t vcs = next(bits, &at, 8) & ((1u << lanes) - 1),
                           port = next(bits, &at, 8);
            assert_int_equal(vcs, lanes_of(config, (struct anl_input_lane){s, 0, 0}, c, t, port));
        }
}

static void check_terminals(const struct anl_config *config, uint32_t s, const struct bits *bits)
{
    assert_int_equal(bits->count, anl_shape_of(config).ports);
    for (uint32_t p = 0; p < bits->count; p++) {
        const struct anl_end end = anl_link_end(config, s, p);
        assert_int_equal(bits->bit[bits->count - 1 - p], end.exists && end.is_terminal);
    }
}

// Returns whether heads have options.
static bool check_routes(const struct anl_config *config)
{
    const bool options = anl_is_adaptive(config) || anl_reads_input(config);
    const struct anl_shape shape = anl_shape_of(config);
    struct bits *bits = malloc(sizeof *bits);
    char *package;
    size_t bytes;
    FILE *stream = open_memstream(&package, &bytes);
    assert_true(bits && stream);
    assert_int_equal(anl_rtl_graph_package(config, "anl", stream), ANL_OK);
    assert_int_equal(fclose(stream), 0);
    for (uint32_t s = 0; s < shape.switches; s++) {
        read_constant_of(package, s, "routes", shape.ports, bits);
        (options ? check_options : check_entries)(config, s, bits);
        if (!options) continue;
        read_constant_of(package, s, "terminals", shape.ports, bits);
        check_terminals(config, s, bits);
    }
    free(package);
    free(bits);
    return options;
}

// --- networks ---

// Makes the graphs of a cube for so many routings; NULL: one of them does not work on it.
static struct anl_graph *of_cube(const struct anl_cube *cube, const uint8_t *routings,
                                 uint32_t count, uint32_t lanes)
{
    struct anl_graph *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        struct anl_graph *graph;
        const enum anl_status status =
            anl_graph_of_cube(cube, (enum anl_routing)routings[i], lanes, &graph, NULL);
        assert_true(status == ANL_OK || status == ANL_ERR_ARGUMENT);
        if (!graph) anl_graph_destroy(first);
        if (!graph) return NULL;
        if (first) anl_graph_add_class(first, graph);
        if (!first) first = graph;
    }
    return first;
}

// All classes go by one routing, or the last one goes by another one. Returns whether heads have
// options.
static bool check_cube(const struct anl_cube *cube, enum anl_routing routing, enum anl_routing last,
                       uint32_t classes)
{
    const uint32_t lanes = ANL_MAX_VCS / classes, differ = routing == last ? 1 : classes;
    const uint8_t most = (uint8_t)routing;
    uint8_t routings[MOST_CLASSES] = {most, most, most};
    routings[classes - 1] = (uint8_t)last;
    struct anl_graph *graph = of_cube(cube, routings, differ, lanes);
    if (!graph) return false;
    struct anl_config config = graph_config(graph, (enum anl_routing)routings[0], classes * lanes);
    config.topology = ANL_CUBE;
    config.classes = classes;
    config.num_class_routings = differ > 1 ? classes : 0;
    memcpy(config.class_routing, routings, sizeof routings);
    const bool options = check_routes(&config);
    anl_graph_destroy(graph);
    return options;
}

// Runs all pairs of routings. Returns how many networks had options.
static uint32_t check_routings(const struct anl_cube *cube, uint32_t classes)
{
    uint32_t options = 0;
    for (uint32_t i = 0; i < (ANL_ADAPTIVE + 1) * (ANL_ADAPTIVE + 1); i++)
        options += check_cube(cube, (enum anl_routing)(i / (ANL_ADAPTIVE + 1)),
                              (enum anl_routing)(i % (ANL_ADAPTIVE + 1)), classes);
    return options;
}

// Returns whether a class has lanes enough for a routing with options: on a ring, adaptive lanes
// and two escape lanes.
static bool fits(const struct anl_cube *cube, uint32_t classes)
{
    bool rings = false;
    for (uint32_t d = 0; d < cube->dimensions; d++)
        rings |= cube->kinds[d] != ANL_LINE;
    return !rings || ANL_MAX_VCS / classes > 2;
}

static void cubes_of_each_kind(void **state)
{
    (void)state;
    static const struct anl_cube cubes[] = {
        {.dimensions = 2, .radix = {3, 2}, .kinds = {ANL_LINE, ANL_LINE}, .concentration = 1},
        {.dimensions = 1, .radix = {3}, .kinds = {ANL_LINE}, .concentration = 3},
        {.dimensions = 2,
         .radix = {4, 3},
         .kinds = {ANL_RING, ANL_ONE_WAY_RING},
         .concentration = 1},
        {.dimensions = 3,
         .radix = {2, 3, 2},
         .kinds = {ANL_LINE, ANL_RING, ANL_LINE},
         .concentration = 2}};
    for (uint32_t classes = 1; classes <= MOST_CLASSES; classes++)
        for (size_t i = 0; i < sizeof cubes / sizeof *cubes; i += unit_step(3))
            assert_int_equal(check_routings(&cubes[i], classes) > 0, fits(&cubes[i], classes));
}

static void graphs_of_each_routing(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(37, 0);
    uint32_t with_options = 0;
    for (uint32_t i = unit_trials(TRIALS); i > 0; i--) {
        struct anl_config config = {.flit_width_bits = 64};
        struct anl_graph *graph;
        draw_graph(&rng, &config, &graph);
        draw_classes(&rng, &config);
        draw_class_routings(&rng, &config, graph);
        with_options += check_routes(&config) && config.classes > 1;
        anl_graph_destroy(graph);
    }
    assert_true(with_options > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_of_each_kind),
        cmocka_unit_test(graphs_of_each_routing),
    };
    return cmocka_run_group_tests_name("rtl_options", tests, NULL, NULL);
}
