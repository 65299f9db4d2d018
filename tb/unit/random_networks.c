// SPDX-License-Identifier: Apache-2.0

#include "random_networks.h"

static void draw_cube(struct anl_rng *rng, struct anl_config *c)
{
    static const uint32_t most_k[4][4] = {{0, 9, 5, 3}, {0, 9, 5, 3}, {0, 9, 5, 3}, {0, 2, 2, 2}};
    c->topology = (enum anl_topology)unit_draw(rng, ANL_MESH, ANL_HYPERCUBE);
    c->n = unit_draw(rng, 1, 3);
    c->k = unit_draw(rng, c->topology == ANL_MESH ? 1 : 2, most_k[c->topology][c->n]);
    if (c->topology == ANL_HYPERCUBE) c->n = unit_draw(rng, 1, 5);
    c->num_vcs = unit_draw(rng, 1, unit_draw(rng, 1, VCS));
    c->depth = unit_draw(rng, 1, unit_draw(rng, 1, MAX_DEPTH));
    c->routing = c->topology == ANL_HYPERCUBE ? ANL_E_CUBE : ANL_DIMENSION_ORDER;
    const bool torus = c->topology == ANL_TORUS || c->topology == ANL_UNIDIRECTIONAL_TORUS;
    if (torus && c->num_vcs > 1 && unit_draw(rng, 0, 3) > 0) c->routing = ANL_DATELINE;
    const bool may_be_valiant =
        c->topology != ANL_UNIDIRECTIONAL_TORUS && c->num_vcs >= (torus ? 4 : 2);
    if (may_be_valiant && unit_draw(rng, 0, 1)) c->routing = ANL_VALIANT;
}

static void draw_selection(struct anl_rng *rng, struct anl_config *c, bool escapes)
{
    c->select = (enum anl_select)unit_draw(rng, ANL_MOST_CREDITS, ANL_STRAIGHT_FIRST);
    if (escapes) c->atomic = (enum anl_atomic)unit_draw(rng, ANL_ATOMIC_NONE, ANL_ATOMIC_ADAPTIVE);
}

// A cube whose heads select. Without atomic lanes it may deadlock, which oracle and engine must do
// alike.
static void draw_adaptive(struct anl_rng *rng, struct anl_config *c)
{
    const uint32_t most_k[] = {9, 5, 3};
    c->routing = (enum anl_routing)unit_draw(rng, ANL_WEST_FIRST, ANL_ADAPTIVE);
    c->topology = ANL_MESH;
    c->n = 2;
    if (c->routing == ANL_ADAPTIVE)
        c->topology = (enum anl_topology)unit_draw(rng, ANL_MESH, ANL_UNIDIRECTIONAL_TORUS);
    if (c->routing == ANL_ADAPTIVE || c->routing == ANL_NEGATIVE_FIRST) c->n = unit_draw(rng, 1, 3);
    c->k = unit_draw(rng, 2, most_k[c->n - 1]);
    c->num_vcs = unit_draw(rng, c->routing == ANL_ADAPTIVE ? 3 : 1, 6);
    if (c->topology == ANL_MESH && unit_draw(rng, 0, 2) == 0) c->num_vcs = 2;
    c->depth = unit_draw(rng, 1, unit_draw(rng, 1, MAX_DEPTH));
    draw_selection(rng, c, c->routing == ANL_ADAPTIVE);
}

static void draw_tree(struct anl_rng *rng, struct anl_config *c)
{
    c->topology = ANL_FAT_TREE;
    c->k = 4;
    c->n = unit_draw(rng, 1, 3);
    c->num_vcs = unit_draw(rng, 1, 4);
    c->depth = unit_draw(rng, 1, 5);
    c->routing = (enum anl_routing)unit_draw(rng, ANL_UP_DOWN_FIXED, ANL_UP_DOWN_GREEDY + 1);
    if (c->routing > ANL_UP_DOWN_GREEDY) c->routing = ANL_DESTINATION_TAG;
    c->credits = (enum anl_credit_return)unit_draw(rng, ANL_REGISTERED, ANL_BYPASS);
}

static void draw_butterfly(struct anl_rng *rng, struct anl_config *c)
{
    const uint32_t most_k[] = {7, 5, 3}, passes = unit_draw(rng, 1, 2);
    c->topology = ANL_BUTTERFLY;
    c->routing = ANL_DESTINATION_TAG;
    c->passes = passes;
    c->n = unit_draw(rng, passes, 3);
    c->k = unit_draw(rng, 2, most_k[c->n - 1]);
    c->num_vcs = unit_draw(rng, 1, 4);
    c->depth = unit_draw(rng, 1, 5);
    c->credits = (enum anl_credit_return)unit_draw(rng, ANL_REGISTERED, ANL_BYPASS);
}

// Gives a graph a table with several options, and its network a selection between them.
static void draw_options(struct anl_rng *rng, struct anl_config *c, struct anl_graph *graph,
                         uint32_t lanes)
{
    random_options(rng, graph, lanes, unit_draw(rng, 0, 1));
    draw_selection(rng, c, c->escape_vcs > 0);
    if (c->select == ANL_STRAIGHT_FIRST) c->select = ANL_SELECT_RANDOM;
}

void draw_graph(struct anl_rng *rng, struct anl_config *c, struct anl_graph **graph)
{
    const enum anl_routing routing = (enum anl_routing)unit_draw(rng, ANL_SHORTEST, ANL_TABLE);
    const uint32_t switches = unit_draw(rng, 1, 24), ports = unit_draw(rng, 3, MAX_PORTS);
    *graph = random_graph(rng, switches, ports, 32, routing != ANL_UP_DOWN);
    *c = graph_config(*graph, routing, unit_draw(rng, 1, 4));
    c->depth = unit_draw(rng, 1, 5);
    if (routing == ANL_TABLE && unit_draw(rng, 0, 2) == 0) {
        random_table(rng, *graph, c->num_vcs);
    } else if (routing == ANL_TABLE) {
        c->escape_vcs = unit_draw(rng, 0, c->num_vcs - 1);
        draw_options(rng, c, *graph, c->num_vcs);
    }
    assert_int_equal(anl_graph_route(*graph, routing, c->num_vcs, NULL), ANL_OK);
}

struct anl_config draw_config(struct anl_rng *rng, struct anl_graph **graph)
{
    struct anl_config c = {.flit_width_bits = 64};
    const uint32_t kind = unit_draw(rng, 0, 4);
    *graph = NULL;
    if (kind == 0)
        draw_cube(rng, &c);
    else if (kind == 1)
        draw_tree(rng, &c);
    else if (kind == 2)
        draw_adaptive(rng, &c);
    else if (kind == 3)
        draw_butterfly(rng, &c);
    else
        draw_graph(rng, &c, graph);
    c.arbiter = (enum anl_arbiter)unit_draw(rng, ANL_FIXED, ANL_LAST_ARBITER);
    c.flow_control = (enum anl_flow_control)unit_draw(rng, ANL_WORMHOLE, ANL_STORE_AND_FORWARD);
    return c;
}

void draw_classes(struct anl_rng *rng, struct anl_config *c)
{
    c->classes = unit_draw(rng, 1, VCS / c->num_vcs);
    if (unit_draw(rng, 0, 1)) c->classes = 1;
    c->num_vcs *= c->classes;
    for (uint32_t i = 0; i < c->classes; i++)
        c->class_weights[i] = (uint8_t)unit_draw(rng, 0, unit_draw(rng, 0, 1) ? 1 : 5);
    if (unit_draw(rng, 0, 2) == 0) c->reply_queue = unit_draw(rng, 1, 3);
}

// Returns the graph of one more class, by a routing of its own. Up and down is for links both ways,
// which the graph of the first class has where that one goes up and down.
static struct anl_graph *draw_class_graph(struct anl_rng *rng, struct anl_config *c,
                                          const struct anl_graph *first, uint32_t class_)
{
    const uint32_t lanes = c->num_vcs / c->classes;
    struct anl_graph *graph = graph_again(first);
    enum anl_routing routing = (enum anl_routing)unit_draw(rng, ANL_SHORTEST, ANL_TABLE);
    if (routing == ANL_UP_DOWN && c->routing != ANL_UP_DOWN) routing = ANL_TABLE;
    if (routing == ANL_TABLE && c->escape_vcs == 0) c->escape_vcs = unit_draw(rng, 0, lanes - 1);
    if (routing == ANL_TABLE) draw_options(rng, c, graph, lanes);
    assert_int_equal(anl_graph_route(graph, routing, lanes, NULL), ANL_OK);
    c->class_routing[class_] = (uint8_t)routing;
    return graph;
}

void draw_class_routings(struct anl_rng *rng, struct anl_config *c, struct anl_graph *graph)
{
    if (!graph || c->classes == 1 || unit_draw(rng, 0, 1)) return;
    c->num_class_routings = c->classes;
    c->class_routing[0] = (uint8_t)c->routing;
    for (uint32_t class_ = 1; class_ < c->classes; class_++)
        anl_graph_add_class(graph, draw_class_graph(rng, c, graph, class_));
}

void draw_wide(struct anl_rng *rng, struct anl_config *c)
{
    if (anl_is_adaptive(c) || c->classes > 1 || !anl_arbiter_has(c->arbiter, ANL_ARBITER_WIDE) ||
        unit_draw(rng, 0, 1))
        return;
    c->link = ANL_WIDE;
    c->reply_queue = 0;
    c->credits = (enum anl_credit_return)unit_draw(rng, ANL_REGISTERED, ANL_BYPASS);
    if (anl_config_check(c, NULL)) c->credits = ANL_REGISTERED;
}

void draw_hops(struct anl_rng *rng, struct anl_config *c)
{
    static const uint32_t cycles[] = {1, 1, 1, 2, 5};
    if (c->credits == ANL_BYPASS) return;
    c->stages = unit_draw(rng, 1, 2);
    c->link_cycles = cycles[unit_draw(rng, 0, 4)];
}
