// SPDX-License-Identifier: Apache-2.0
//
// The files that annelid describe writes: the network for Graphviz, and as a graph.

#include "cmd_describe.h"

#include <inttypes.h>
#include <string.h>

// --- Graphviz ---

// Prints the name of the port by which a link leaves, without that of the switch.
static void print_port(FILE *file, const struct anl_config *config, uint32_t link)
{
    const struct cli_name name = cli_link_name(config, link);
    fputs(strrchr(name.text, '.') + 1, file);
}

// Prints the name of a switch as a node: that of the text of a graph, else its number. A terminal's
// is two words, which no switch has.
static void print_switch(FILE *file, const struct anl_config *config, uint32_t s)
{
    if (config->graph && config->graph->names)
        fprintf(file, "\"%s\"", config->graph->names[s]);
    else
        fprintf(file, "%" PRIu32, s);
}

static void print_nodes(FILE *file, const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    char name[64];
    for (uint32_t s = 0; s < shape.switches; s++) {
        anl_switch_name(config, s, name, sizeof name);
        fputs("  ", file);
        print_switch(file, config, s);
        fprintf(file, " [label=\"%s\"];\n", name);
    }
    for (uint32_t t = 0; t < shape.terminals; t++)
        fprintf(file,
                "  \"terminal %" PRIu32 "\" [label=\"T%" PRIu32
                "\", type=terminal, shape=ellipse];\n",
                t, t);
}

// A pair of opposite links is one edge, which the link with the lower number prints.
static void print_link(FILE *file, const struct anl_config *config, uint32_t link, uint32_t ports)
{
    const struct anl_end end = anl_link_end(config, link / ports, link % ports);
    if (!end.exists || end.is_terminal) return;
    const struct anl_end back = anl_link_end(config, end.node, end.port);
    const uint32_t other = end.node * ports + end.port;
    const bool pair = back.exists && !back.is_terminal && back.node * ports + back.port == link;
    if (pair && other < link) return;
    fputs("  ", file);
    print_switch(file, config, link / ports);
    fputs(" -> ", file);
    print_switch(file, config, end.node);
    fprintf(file, " [%staillabel=\"", pair && other != link ? "dir=both, " : "");
    print_port(file, config, link);
    fputs("\", headlabel=\"", file);
    print_port(file, config, other);
    fputs("\"];\n", file);
}

static void print_dot(FILE *file, const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    fprintf(file, "digraph annelid {\n  label=\"%s\";\n", cli_network_name(config, " = ").text);
    if (config->graph) fprintf(file, "  ports=%" PRIu32 ";\n", shape.ports);
    fputs("  node [shape=box];\n", file);
    print_nodes(file, config);
    for (uint32_t link = 0; link < shape.switches * shape.ports; link++)
        print_link(file, config, link, shape.ports);
    for (uint32_t t = 0; t < shape.terminals; t++) {
        const uint32_t link = anl_ejection_link(config, t);
        const struct anl_end in = anl_end_of(config, anl_injection_link(config, t));
        const bool both = in.node == link / shape.ports;
        fputs("  ", file);
        print_switch(file, config, link / shape.ports);
        fprintf(file, " -> \"terminal %" PRIu32 "\" [%staillabel=\"", t, both ? "dir=both, " : "");
        print_port(file, config, link);
        fputs("\"];\n", file);
        if (both) continue;
        fprintf(file, "  \"terminal %" PRIu32 "\" -> ", t);
        print_switch(file, config, in.node);
        fputs(";\n", file);
    }
    fputs("}\n", file);
}

// --- both ---

static int write_whole(const char *path, void (*print)(FILE *file, const void *what),
                       const void *what)
{
    struct anl_output output;
    struct anl_error error;
    if (anl_output_open(path, &output, &error)) return cli_complain(&error);
    print(output.file, what);
    if (anl_output_finish(&output, &error)) return cli_complain(&error);
    return CLI_OK;
}

static void put_dot(FILE *file, const void *config) { print_dot(file, config); }
static void put_graph(FILE *file, const void *graph) { anl_scenario_write_graph(file, graph); }

int describe_dot(const struct anl_config *config, const char *path)
{
    const int status = write_whole(path, put_dot, config);
    if (!status && config->graph && config->graph->table)
        fprintf(stderr,
                "annelid: %s: the routes of the graph are not in it, as DOT has none: "
                "--graph writes them\n",
                path);
    return status;
}

int describe_graph(const struct anl_config *config, const char *scenario, const char *path)
{
    struct anl_graph *graph;
    struct anl_error error = {0};
    if (anl_graph_of(config, &graph, &error)) {
        cli_name_file(&error, scenario);
        return cli_complain(&error);
    }
    const int status = write_whole(path, put_graph, graph);
    anl_graph_destroy(graph);
    return status;
}
