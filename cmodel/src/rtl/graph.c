// SPDX-License-Identifier: Apache-2.0
//
// Writes a graph as a SystemVerilog module, in the style of rtl/net: constants for each switch, one
// loop with all switches, then the wires of each link under its name. The switch alone is also
// that of a network in regions (regions.c).

#include "rtl.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NAME_BYTES = 128, ENTRIES_A_LINE = 16 };

struct writing {
    const char *name;  // of the design
    const struct anl_config *config;
    const struct anl_graph *graph;
    const uint32_t *turns;
    bool all_lanes;      // every entry of the table has all lanes
    bool options;        // heads select among options (options.c)
    const char *clocks;  // connections of a switch to its clock and reset
    FILE *file;
};

struct name {
    char text[NAME_BYTES];
};

#define PUT(...) fprintf(writing->file, __VA_ARGS__)

static struct name switch_name(const struct writing *writing, uint32_t switch_)
{
    struct name name;
    anl_switch_name(writing->config, switch_, name.text, sizeof name.text);
    return name;
}

static struct name link_name(const struct writing *writing, uint32_t link)
{
    struct name name;
    anl_link_name(writing->config, link, name.text, sizeof name.text);
    return name;
}

// Returns how the module names what stands in the package.
static struct name of_package(const struct writing *writing, const char *what)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "%s_graph_pkg::%s", writing->name, what);
    return name;
}

static uint32_t num_links(const struct anl_graph *graph) { return graph->switches * graph->ports; }

uint32_t rtl_tables(const struct anl_config *config)
{
    return anl_classes_differ(config) ? anl_num_classes(config) : 1;
}

bool rtl_has_layers(const struct anl_config *config)
{
    for (const struct anl_graph *graph = config->graph; graph; graph = graph->next)
        if (graph->num_layers > 1) return true;
    return false;
}

static bool has_all_lanes(const struct anl_config *config)
{
    const struct anl_graph *graph = config->graph;
    const size_t count = (size_t)graph->switches * graph->terminals;
    if (graph->num_layers > 1 || anl_classes_differ(config)) return false;
    for (size_t i = 0; i < count; i++)
        if (graph->routes[i].vcs && graph->routes[i].vcs != (1u << anl_class_lanes(config)) - 1)
            return false;
    return true;
}

// --- the package ---

static void put_sizes(const struct writing *writing)
{
    const struct anl_graph *graph = writing->graph;
    PUT("// SPDX-License-Identifier: Apache-2.0\n"
        "//\n"
        "// Sizes, routes (%s) and turns of the graph in %s_graph.%s Written by annelid.\n\n"
        "// Some of the sizes are only for who looks.\n"
        "// verilator lint_off UNUSEDPARAM\n\n"
        "package %s_graph_pkg;\n\n"
        "  localparam int NumSwitches  = %" PRIu32 ";\n"
        "  localparam int NumPorts     = %" PRIu32 ";\n"
        "  localparam int NumTerminals = %" PRIu32 ";\n",
        anl_classes_differ(writing->config) ? "of each class of messages"
                                            : anl_routing_name(writing->config->routing),
        writing->name, graph->turns ? " Heads carry routes." : "", writing->name, graph->switches,
        graph->ports, graph->terminals);
    if (!graph->turns)
        PUT("  localparam int Tables       = %" PRIu32 ";  // of a switch: %s\n",
            rtl_tables(writing->config),
            rtl_tables(writing->config) > 1 ? "one for each class of messages"
                                            : "one for all classes of messages");
    if (graph->turns)
        PUT("  localparam int LongestRoute = %" PRIu32
            ";  // switches; ports in the list of a head\n",
            graph->longest_route);
}

// Writes an entry: the set of lanes and the port. All lanes are FF for any number of lanes.
static void put_entry(const struct writing *writing, const struct anl_table_hop *hop)
{
    const unsigned lanes = writing->all_lanes && hop->vcs ? 0xff : hop->vcs;
    PUT("%02X%02X", lanes, hop->port);
}

// Writes the entries of a table of a class, of which more follow after the last one if `more`.
static void put_table(const struct writing *writing, uint32_t class_, uint32_t number, bool more,
                      void (*put)(const struct writing *, uint32_t, uint32_t, uint32_t))
{
    for (uint32_t left = writing->graph->terminals; left > 0;) {
        const uint32_t count = (left - 1) % ENTRIES_A_LINE + 1;
        PUT("        %" PRIu32 "'h", 16 * count);
        for (uint32_t i = 0; i < count; i++) {
            put(writing, class_, number, --left);
            if (i + 1 < count) PUT("_");
        }
        PUT("%s\n", left || more ? "," : "};");
    }
}

// Writes the tables of a number, that of class 0 last.
static void put_tables(const struct writing *writing, uint32_t number,
                       void (*put)(const struct writing *, uint32_t, uint32_t, uint32_t))
{
    for (uint32_t c = rtl_tables(writing->config); c-- > 0;)
        put_table(writing, c, number, c > 0, put);
}

static void put_route(const struct writing *writing, uint32_t class_, uint32_t switch_,
                      uint32_t terminal)
{
    const struct anl_config one = anl_config_of_class(writing->config, class_);
    put_entry(writing, &one.graph->routes[(size_t)switch_ * one.graph->terminals + terminal]);
}

static void put_routes_of(const struct writing *writing, uint32_t switch_)
{
    PUT("      %" PRIu32 ": routes = {  // %s\n", switch_, switch_name(writing, switch_).text);
    put_tables(writing, switch_, put_route);
}

static void put_turns_of(const struct writing *writing, uint32_t switch_)
{
    const uint32_t ports = writing->graph->ports;
    PUT("      %" PRIu32 ": turns = anl_pkg::TurnsW'(%" PRIu32 "'h", switch_, 32 * ports);
    for (uint32_t p = ports; p-- > 0;)
        PUT("%08" PRIX32 "%s", writing->turns[switch_ * ports + p], p ? "_" : "");
    PUT(");\n");
}

// Writes the lanes that a head in each lane may take, the last lane first: of one class, if all
// classes are alike.
static void put_lanes(const struct writing *writing)
{
    const struct anl_config *config = writing->config;
    const uint32_t num_vcs = anl_class_lanes(config), lanes = num_vcs * rtl_tables(config);
    PUT("\n  // For each lane, from the last one down to 0, the lanes of its layer.\n"
        "  localparam logic [%u-1:0] Lanes = {",
        lanes * num_vcs);
    for (uint32_t vc = lanes; vc-- > 0;)
        PUT("%u'h%0*X%s", num_vcs, (int)(num_vcs + 3) / 4,
            anl_group_vcs(config, vc) >> anl_class_of(config, vc) * num_vcs, vc ? ", " : "};\n");
}

static void put_injection(const struct writing *writing, uint32_t class_, uint32_t from,
                          uint32_t to)
{
    const struct anl_config one = anl_config_of_class(writing->config, class_);
    PUT("%02X00", anl_injection_vcs(&one, from, to));
}

static void put_injection_of(const struct writing *writing, uint32_t terminal)
{
    PUT("      %" PRIu32 ": injection = {\n", terminal);
    put_tables(writing, terminal, put_injection);
}

// Writes a function from the number of a terminal to the lanes of its worms.
static void put_injections(const struct writing *writing)
{
    PUT("\n  // Lanes of a terminal's worms on its injection link: for each destination, from T - "
        "1 "
        "down to 0, the set\n"
        "  // of lanes, as in routes(); the port is 0.\n"
        "  function automatic logic [Tables*NumTerminals*anl_pkg::EntryW-1:0] injection(input int "
        "t);\n"
        "    case (t)\n");
    for (uint32_t t = 0; t < writing->graph->terminals; t++)
        put_injection_of(writing, t);
    PUT("      default: injection = (Tables*NumTerminals*anl_pkg::EntryW)'(0);\n    endcase\n  "
        "endfunction\n");
}

// Writes a function from the number of a switch to a constant.
static void put_function(const struct writing *writing, const char *head,
                         void (*put)(const struct writing *, uint32_t))
{
    PUT("%s    case (s)\n", head);
    for (uint32_t s = 0; s < writing->graph->switches; s++)
        put(writing, s);
}

static void put_routes(const struct writing *writing)
{
    PUT("\n  // Routes of a switch: for each terminal, from T - 1 down to 0, the set of lanes and "
        "the "
        "output port, in\n"
        "  // two digits each (anl_route_table)%s.\n",
        rtl_tables(writing->config) > 1 ? "; those of the last class of messages first" : "");
    put_function(writing,
                 "  function automatic logic [Tables*NumTerminals*anl_pkg::EntryW-1:0] "
                 "routes(input int s);\n",
                 put_routes_of);
    PUT("      default: routes = (Tables*NumTerminals*anl_pkg::EntryW)'(0);\n    endcase\n  "
        "endfunction\n");
}

static void put_layers(const struct writing *writing)
{
    if (!rtl_has_layers(writing->config)) return;
    put_lanes(writing);
    put_injections(writing);
}

static void put_turns(const struct writing *writing)
{
    PUT("\n  // Turns of a switch: for each input port, from the last one down to 0, the set of "
        "output "
        "ports to which a\n"
        "  // route leads from it, in eight digits. An output port without a route has the turn "
        "from "
        "its own number.\n");
    put_function(writing, "  function automatic logic [anl_pkg::TurnsW-1:0] turns(input int s);\n",
                 put_turns_of);
    PUT("      default: turns = {anl_pkg::TurnsW{1'b1}};\n    endcase\n  endfunction\n\n"
        "endpackage\n");
}

// --- the module ---

static void put_head(const struct writing *writing)
{
    const struct anl_graph *graph = writing->graph;
    const bool chained = writing->config->credits == ANL_BYPASS;
    PUT("// SPDX-License-Identifier: Apache-2.0\n"
        "//\n"
        "// A graph: %" PRIu32 " switches of %" PRIu32 " ports and the links between them. The "
        "injection and ejection links of\n"
        "// its %" PRIu32 " terminals are ports. Written by annelid.\n"
        "//\n"
        "// The links of terminal t are at index t, and its label is t. Inputs that no link "
        "reaches "
        "are tied\n"
        "// to 0.\n"
        "// Timing: %s\n\n"
        "// An output port may have no link.\n"
        "// verilator lint_off UNUSEDSIGNAL\n",
        graph->switches, graph->ports, graph->terminals,
        chained ? "credits come from the ejection links to the injection links within a cycle."
                : "no combinational path leads from any input to any output.");
    if (chained)
        PUT("// Chains of credits end where no route goes on. Verilator sees whole vectors.\n"
            "// verilator lint_off UNOPTFLAT\n");
    PUT("\n");
    if (!writing->all_lanes) PUT("`include \"anl_assert.svh\"\n\n");
}

static void put_parameter(FILE *file, const char *name, uint32_t value, const char *what)
{
    char text[16];
    snprintf(text, sizeof text, "%" PRIu32 ",", value);
    fprintf(file, "  parameter  int %-9s = %-5s // %s\n", name, text, what);
}

void rtl_put_parameters(const struct anl_config *config, FILE *file)
{
    const bool any = !config->graph || (!rtl_has_options(config) && has_all_lanes(config));
    put_parameter(file, "NumVcs", config->num_vcs,
                  any ? "lanes of a link, 1 .. 8"
                      : "lanes of a link; the routes name lanes: no other number");
    put_parameter(file, "Depth", config->depth, "flits of a lane, 1 .. 64");
    put_parameter(file, "FlitW", config->flit_width_bits, "data bits of a flit (docs/link.md)");
    put_parameter(file, "Arbiter", config->arbiter, "how arbiters choose (anl_pkg)");
    put_parameter(file, "FlowControl", config->flow_control, "credits that a head needs (anl_pkg)");
    put_parameter(file, "LengthInHead", anl_rtl_length_in_head(config),
                  "1: heads say their length under wormhole, too");
    put_parameter(file, "CreditBypass", config->credits,
                  "1: links are chained; wide links alone can be");
    put_parameter(file, "Wide", config->link, "1: links are wide");
    put_parameter(file, "Stages", anl_stages(config), "of a switch, 1 or 2");
    put_parameter(file, "Classes", anl_num_classes(config), "of messages");
    fprintf(file,
            "  parameter  logic [anl_pkg::WeightsW-1:0] Weights = 64'h%" PRIX64
            ",  // of the classes (anl_pkg)\n",
            anl_rtl_weights(config));
}

void rtl_put_links_of_terminals(FILE *file)
{
    fputs("  input  logic [S*32-1:0]     seed_i,         // one for each switch, sampled in "
          "reset\n\n"
          "  // Injection links, from the terminals (docs/link.md).\n"
          "  input  logic [T*Lines-1:0]  inj_valid_i,\n"
          "  input  logic [T*Lines*VcW-1:0] inj_vc_i,\n"
          "  input  logic [T*Lines*LinkW-1:0] inj_flit_i,\n"
          "  output logic [T*NumVcs-1:0] inj_credit_o,\n\n"
          "  // Ejection links, to the terminals (docs/link.md).\n"
          "  output logic [T*Lines-1:0]  ej_valid_o,\n"
          "  output logic [T*Lines*VcW-1:0] ej_vc_o,\n"
          "  output logic [T*Lines*LinkW-1:0] ej_flit_o,\n"
          "  input  logic [T*NumVcs-1:0] ej_credit_i\n"
          ");\n\n",
          file);
}

static void put_header(const struct writing *writing)
{
    PUT("module %s_graph #(\n", writing->name);
    rtl_put_parameters(writing->config, writing->file);
    PUT("  localparam int S         = %s,\n"
        "  localparam int T         = %s,\n",
        of_package(writing, "NumSwitches").text, of_package(writing, "NumTerminals").text);
    PUT("  localparam int VcW       = anl_pkg::index_width(NumVcs),\n"
        "  localparam int Lines     = anl_pkg::lines_of(Wide, NumVcs),   // of a link\n"
        "  localparam int LinkW     = FlitW + 2\n"
        ") (\n"
        "  input  logic                clk_i,\n"
        "  input  logic                rst_i,\n");
    rtl_put_links_of_terminals(writing->file);
}

// Writes what a switch knows of the lanes that heads keep to.
static void put_lanes_of_routes(const struct writing *writing)
{
    const bool is_one = rtl_tables(writing->config) == 1;  // for all classes
    if (!rtl_has_layers(writing->config))
        PUT("      .lanes_i({NumVcs*(NumVcs/Classes){1'b1}}),\n");
    else
        PUT("      .lanes_i(%s%s%s),\n", is_one ? "{Classes{" : "",
            of_package(writing, "Lanes").text, is_one ? "}}" : "");
}

// Writes the switch with its parameters, and those of its connections that only it has.
static void put_switch(const struct writing *writing)
{
    const bool source = writing->graph->turns != NULL;
    if (writing->options)
        PUT("    anl_options_switch #(\n"
            "      .NumPorts(NumPorts), .T(T), .Select(%s),\n"
            "      .Atomic(%s),\n"
            "      .Escapes(%s),\n"
            "      .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter), "
            ".FlowControl(FlowControl),\n"
            "      .LengthInHead(LengthInHead), .Stages(Stages), .Classes(Classes), "
            ".Weights(Weights),\n"
            "      .Turns(%s)\n",
            of_package(writing, "Select").text, of_package(writing, "Atomic").text,
            of_package(writing, "Escapes").text, of_package(writing, "turns(s)").text);
    else
        PUT("    %s #(\n"
            "      .NumPorts(NumPorts), .T(T), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), "
            ".Arbiter(Arbiter),\n"
            "      .FlowControl(FlowControl), .LengthInHead(LengthInHead), "
            ".CreditBypass(CreditBypass), "
            ".Wide(Wide),\n"
            "      .Stages(Stages), .Classes(Classes), .Weights(Weights), .Turns(%s)",
            source ? "anl_source_switch" : "anl_graph_switch",
            of_package(writing, "turns(s)").text);
    if (source) PUT(", .Longest(%s)", of_package(writing, "LongestRoute").text);
    if (!writing->options) PUT("\n");
    PUT("`ifdef ANL_HERE\n"
        "      , .Here(s)\n"
        "`endif\n"
        "    ) u_switch (\n"
        "      %s, .seed_i(seed_i[s*32 +: 32]), .here_i(Here),%s\n",
        writing->clocks,
        source                                                ? ""
        : writing->options || rtl_tables(writing->config) > 1 ? " .table_i(Routes),"
                                                              : " .table_i({Classes{Routes}}),");
    if (!source) put_lanes_of_routes(writing);
    if (writing->options)
        PUT("      .straight_i(%s), .terminals_i(Terminals),\n",
            of_package(writing, "Straight").text);
}

// Writes what the functions of the package say of a switch. Icarus 11 leaves other ports unknown
// where a connection of an instance calls a function.
static void put_constants(const struct writing *writing)
{
    const struct name bits = of_package(writing, writing->options ? "RoutesW" : "Tables");
    PUT("    localparam logic [15:0] Here = s;\n");
    if (!writing->graph->turns)
        PUT("    localparam logic [%s%s-1:0] Routes =\n      %s;\n", bits.text,
            writing->options ? "" : "*T*anl_pkg::EntryW", of_package(writing, "routes(s)").text);
    if (writing->options)
        PUT("    localparam logic [NumPorts-1:0] Terminals = %s;\n",
            of_package(writing, "terminals(s)").text);
    PUT("\n");
}

static void put_switches(const struct writing *writing)
{
    PUT("  localparam int NumPorts = %s;\n", of_package(writing, "NumPorts").text);
    PUT("\n  for (genvar s = 0; s < S; s++) begin : g_switch\n");
    put_constants(writing);
    PUT("    logic [NumPorts*Lines-1:0]       in_valid, out_valid;\n"
        "    logic [NumPorts*Lines*VcW-1:0]   in_vc, out_vc;\n"
        "    logic [NumPorts*Lines*LinkW-1:0] in_flit, out_flit;\n"
        "    logic [NumPorts*NumVcs-1:0] in_credit;   // credits that go back from the inputs\n"
        "    logic [NumPorts*NumVcs-1:0] out_credit;  // credits that come back for the "
        "outputs\n\n");
    put_switch(writing);
    PUT("      .valid_i(in_valid), .vc_i(in_vc), .flit_i(in_flit), .credit_o(in_credit),\n"
        "      .valid_o(out_valid), .vc_o(out_vc), .flit_o(out_flit), .credit_i(out_credit)\n"
        "    );\n"
        "  end\n");
}

// Writes the slices of a link of several cycles from port o of switch a to port i of switch b.
static void put_slices(const struct writing *writing, uint32_t a, uint32_t o, uint32_t b,
                       uint32_t i)
{
    PUT("  anl_link_slices #(.Cycles(%" PRIu32 "), .NumVcs(NumVcs), .FlitW(FlitW), .Lines(Lines)) "
        "u_slices_%u_%u (\n    .clk_i, .rst_i,\n",
        anl_link_cycles(writing->config), a, o);
    PUT("    .valid_i(g_switch[%u].out_valid[%u*Lines +: Lines]),\n", a, o);
    PUT("    .vc_i(g_switch[%u].out_vc[%u*Lines*VcW +: Lines*VcW]),\n", a, o);
    PUT("    .flit_i(g_switch[%u].out_flit[%u*Lines*LinkW +: Lines*LinkW]),\n", a, o);
    PUT("    .credit_o(g_switch[%u].out_credit[%u*NumVcs +: NumVcs]),\n", a, o);
    PUT("    .valid_o(g_switch[%u].in_valid[%u*Lines +: Lines]),\n", b, i);
    PUT("    .vc_o(g_switch[%u].in_vc[%u*Lines*VcW +: Lines*VcW]),\n", b, i);
    PUT("    .flit_o(g_switch[%u].in_flit[%u*Lines*LinkW +: Lines*LinkW]),\n", b, i);
    PUT("    .credit_i(g_switch[%u].in_credit[%u*NumVcs +: NumVcs])\n  );\n", b, i);
}

// Writes the wires of the link that leaves by a port and ends at the input port `to`.
static void put_link(const struct writing *writing, uint32_t from, uint32_t to)
{
    const uint32_t ports = writing->graph->ports;
    const uint32_t a = from / ports, o = from % ports, b = to / ports, i = to % ports;
    PUT("\n  // %s to port %" PRIu32 " of %s\n", link_name(writing, from).text, i,
        switch_name(writing, b).text);
    if (anl_link_cycles(writing->config) > 1) {
        put_slices(writing, a, o, b, i);
        return;
    }
    PUT("  assign g_switch[%u].in_valid[%u*Lines +: Lines] = g_switch[%u].out_valid[%u*Lines +: "
        "Lines];\n",
        b, i, a, o);
    PUT("  assign g_switch[%u].in_vc[%u*Lines*VcW +: Lines*VcW] = g_switch[%u].out_vc[%u*Lines*VcW "
        "+: Lines*VcW];\n",
        b, i, a, o);
    PUT("  assign g_switch[%u].in_flit[%u*Lines*LinkW +: Lines*LinkW] = "
        "g_switch[%u].out_flit[%u*Lines*LinkW +: "
        "Lines*LinkW];\n",
        b, i, a, o);
    PUT("  assign g_switch[%u].out_credit[%u*NumVcs +: NumVcs] = g_switch[%u].in_credit[%u*NumVcs "
        "+: NumVcs];\n",
        a, o, b, i);
}

static void put_terminal(const struct writing *writing, uint32_t terminal)
{
    const uint32_t ports = writing->graph->ports, port = writing->graph->homes[terminal];
    const uint32_t s = port / ports, p = port % ports, t = terminal;
    PUT("\n  // Terminal %" PRIu32 " at %s\n", terminal, link_name(writing, port).text);
    PUT("  assign g_switch[%u].in_valid[%u*Lines +: Lines] = inj_valid_i[%u*Lines +: Lines];\n", s,
        p, t);
    PUT("  assign g_switch[%u].in_vc[%u*Lines*VcW +: Lines*VcW] = inj_vc_i[%u*Lines*VcW +: "
        "Lines*VcW];\n",
        s, p, t);
    PUT("  assign g_switch[%u].in_flit[%u*Lines*LinkW +: Lines*LinkW] = inj_flit_i[%u*Lines*LinkW "
        "+: Lines*LinkW];\n",
        s, p, t);
    PUT("  assign inj_credit_o[%u*NumVcs +: NumVcs] = g_switch[%u].in_credit[%u*NumVcs +: "
        "NumVcs];\n",
        t, s, p);
    PUT("  assign ej_valid_o[%u*Lines +: Lines] = g_switch[%u].out_valid[%u*Lines +: Lines];\n", t,
        s, p);
    PUT("  assign ej_vc_o[%u*Lines*VcW +: Lines*VcW] = g_switch[%u].out_vc[%u*Lines*VcW +: "
        "Lines*VcW];\n",
        t, s, p);
    PUT("  assign ej_flit_o[%u*Lines*LinkW +: Lines*LinkW] = g_switch[%u].out_flit[%u*Lines*LinkW "
        "+: Lines*LinkW];\n",
        t, s, p);
    PUT("  assign g_switch[%u].out_credit[%u*NumVcs +: NumVcs] = ej_credit_i[%u*NumVcs +: "
        "NumVcs];\n",
        s, p, t);
}

// Writes what an input port gets by which no link comes, and an output port by which none leaves.
static void put_no_link(const struct writing *writing, uint32_t port)
{
    const uint32_t ports = writing->graph->ports, s = port / ports, p = port % ports;
    const bool no_in = writing->graph->begins[port] == ANL_NO_PORT;
    const bool no_out = writing->graph->ends[port] == ANL_NO_PORT;
    if (!no_in && !no_out) return;
    PUT("\n  // %s: no link%s\n", link_name(writing, port).text,
        no_in && no_out ? ""
        : no_in         ? " comes in"
                        : " leaves");
    if (no_in) {
        PUT("  assign g_switch[%u].in_valid[%u*Lines +: Lines] = '0;\n", s, p);
        PUT("  assign g_switch[%u].in_vc[%u*Lines*VcW +: Lines*VcW] = '0;\n", s, p);
        PUT("  assign g_switch[%u].in_flit[%u*Lines*LinkW +: Lines*LinkW] = '0;\n", s, p);
    }
    if (no_out) PUT("  assign g_switch[%u].out_credit[%u*NumVcs +: NumVcs] = '0;\n", s, p);
}

static void put_wires(const struct writing *writing)
{
    const struct anl_graph *graph = writing->graph;
    for (uint32_t t = 0; t < graph->terminals; t++)
        put_terminal(writing, t);
    for (uint32_t port = 0; port < num_links(graph); port++)
        if (graph->ends[port] < num_links(graph)) put_link(writing, port, graph->ends[port]);
    for (uint32_t port = 0; port < num_links(graph); port++)
        put_no_link(writing, port);
}

static void put_assumptions(const struct writing *writing)
{
    if (!writing->all_lanes)
        PUT("\n  `ANL_ASSERT(AssumeLanesOfTheRoutes, NumVcs == %" PRIu32 ")\n",
            writing->config->num_vcs);
    if (writing->options)
        PUT("  `ANL_ASSERT(AssumeLinksAreShared, Wide == 0 && CreditBypass == 0)\n");
    if (anl_classes_differ(writing->config))
        PUT("  `ANL_ASSERT(AssumeClassesOfTheRoutes, Classes == %s)\n",
            of_package(writing, "Tables").text);
}

static struct writing writing_of(const struct anl_config *config, const char *name, FILE *file)
{
    const bool options = rtl_has_options(config);
    return (struct writing){.name = name,
                            .config = config,
                            .graph = config->graph,
                            .all_lanes = !options && has_all_lanes(config),
                            .options = options,
                            .clocks = ".clk_i, .rst_i",
                            .file = file};
}

void rtl_put_graph_constants(const struct anl_config *config, const char *name, FILE *file)
{
    const struct writing writing = writing_of(config, name, file);
    put_constants(&writing);
}

void rtl_put_graph_switch(const struct anl_config *config, const char *name, const char *clocks,
                          FILE *file)
{
    struct writing writing = writing_of(config, name, file);
    writing.clocks = clocks;
    put_switch(&writing);
}

void rtl_put_graph_assumptions(const struct anl_config *config, const char *name, FILE *file)
{
    const struct writing writing = writing_of(config, name, file);
    put_assumptions(&writing);
}

static enum anl_status begin(const struct anl_config *config, const char *name, FILE *file,
                             struct writing *writing)
{
    struct anl_error error;
    if (!config->graph) return ANL_ERR_ARGUMENT;
    const enum anl_status status = anl_config_check(config, &error);
    if (!status) *writing = writing_of(config, name, file);
    return status;
}

enum anl_status anl_rtl_graph_package(const struct anl_config *config, const char *name, FILE *file)
{
    struct writing writing;
    const enum anl_status status = begin(config, name, file, &writing);
    if (status) return status;
    uint32_t *turns = rtl_turns(config->graph);
    if (!turns) return ANL_ERR_MEMORY;
    writing.turns = turns;
    put_sizes(&writing);
    if (writing.options)
        rtl_put_options(config, file);
    else if (!config->graph->turns)
        put_routes(&writing);
    put_layers(&writing);
    put_turns(&writing);
    free(turns);
    return ANL_OK;
}

enum anl_status anl_rtl_graph(const struct anl_config *config, const char *name, FILE *file)
{
    struct writing writing;
    const enum anl_status status = begin(config, name, file, &writing);
    if (status) return status;
    put_head(&writing);
    put_header(&writing);
    put_switches(&writing);
    put_wires(&writing);
    put_assumptions(&writing);
    fputs("\nendmodule\n", file);
    return ANL_OK;
}
