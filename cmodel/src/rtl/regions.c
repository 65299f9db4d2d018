// SPDX-License-Identifier: Apache-2.0
//
// Writes a network of any topology whose domains have clocks of their own (docs/clocks.md,
// "Regions of switches") as a SystemVerilog module: one loop with all switches, then each link
// under its name, with a crossing if it leads from one domain to another.

#include "rtl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 128, DOMAINS_A_LINE = 16 };

struct writing {
    const char *name;  // of the design
    const struct anl_config *config;
    const struct anl_rtl_domains *domains;
    const struct family *family;
    struct anl_shape shape;
    FILE *file;
};

// What is peculiar to the switches of a topology: their constants and their instance up to the
// connections that all switches have; and the port from which on credits have a name of their own.
struct family {
    void (*put_constants)(const struct writing *);
    void (*put_switch)(const struct writing *);
    uint32_t first_up;  // 0: all credits that come back are out_credit
    const char *credits;
};

#define PUT(...) fprintf(writing->file, __VA_ARGS__)
#define CLOCKS ".clk_i(clk_d_i[Domain]), .rst_i(rst_d_i[Domain])"
#define COMMON                                                                                     \
    "      .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter), "                     \
    ".FlowControl(FlowControl),\n"                                                                 \
    "      .LengthInHead(LengthInHead), .Wide(Wide), .Stages(Stages), .Classes(Classes), "         \
    ".Weights(Weights),\n"

// --- switches ---

static uint64_t value_of(const struct writing *writing, const char *name)
{
    const struct anl_rtl_parameters all = anl_rtl_parameters(writing->config);
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(all.list[i].name, name) == 0) return all.list[i].value;
    return 0;
}

// Writes the parameters that say which network it is, of those that the switch has.
static void put_network(const struct writing *writing, const char *const *names)
{
    PUT("     ");
    for (; *names; names++)
        PUT(" .%s(%" PRIu64 "),", *names, value_of(writing, *names));
    PUT("\n");
}

// Writes the end of an instance's parameters, and its first connections.
static void put_here(const struct writing *writing, const char *number, const char *here)
{
    PUT("`ifdef ANL_HERE\n"
        "      , .Here(%s)\n"
        "`endif\n"
        "    ) u_switch (\n"
        "      " CLOCKS ", .seed_i(seed_i[s*32 +: 32]), .here_i(%s),\n",
        number, here);
}

static void put_cube_constants(const struct writing *writing)
{
    PUT("    localparam int Label = anl_cube_pkg::label(K, N, s);\n"
        "    localparam int HereW = anl_cube_pkg::label_width(K, N);\n");
}

// Select and Atomic are in the list of parameters only where they are not as usual.
static void put_cube_switch(const struct writing *writing)
{
    static const char *const names[] = {"K", "N", "Topology", "Routing", "Atomic", NULL};
    const struct anl_config *config = writing->config;
    PUT("    anl_cube_switch #(\n");
    put_network(writing, names);
    if (anl_is_adaptive(config)) PUT("      .Select(%d),\n", (int)config->select);
    PUT(COMMON "      .CreditBypass(CreditBypass)\n");
    put_here(writing, "Label", "Label[HereW-1:0]");
}

static void put_tree_constants(const struct writing *writing)
{
    PUT("    localparam int Level   = anl_fat_tree_pkg::level_of(N, s);\n"
        "    localparam int Address = s - anl_fat_tree_pkg::first(N, Level);\n"
        "    localparam int HereW   = anl_fat_tree_pkg::label_width(N);\n");
}

static void put_tree_switch(const struct writing *writing)
{
    static const char *const names[] = {"N", "Routing", NULL};
    PUT("    anl_fat_tree_switch #(\n");
    put_network(writing, names);
    PUT("      .Level(Level),\n" COMMON "      .CreditBypass(CreditBypass)\n");
    put_here(writing, "Address", "Address[HereW-1:0]");
}

static void put_fly_constants(const struct writing *writing)
{
    PUT("    localparam int Level = s / anl_butterfly_pkg::columns(K, N);\n"
        "    localparam int Tag   = anl_butterfly_pkg::tag(N, %" PRIu64 ", Level);\n",
        value_of(writing, "Routing"));
}

static void put_fly_switch(const struct writing *writing)
{
    static const char *const names[] = {"K", "N", NULL};
    const uint32_t levels = 1 + anl_fly_place(writing->config, writing->shape.switches - 1).level;
    PUT("    anl_butterfly_switch #(\n");
    put_network(writing, names);
    PUT("      .Tag(Tag),\n" COMMON "      .CreditBypass((Level < %" PRIu32
        " || Wide != 0) ? CreditBypass : 0)\n",
        levels - 1);
    put_here(writing, "s", "s[15:0]");
}

static void put_graph_constants(const struct writing *writing)
{
    rtl_put_graph_constants(writing->config, writing->name, writing->file);
}

static void put_graph_switch(const struct writing *writing)
{
    rtl_put_graph_switch(writing->config, writing->name, CLOCKS, writing->file);
}

static const struct family families[] = {
#define CUBE                                                                                       \
    {                                                                                              \
        put_cube_constants, put_cube_switch, 0, ".credit_i(out_credit)"                            \
    }
#define GRAPH                                                                                      \
    {                                                                                              \
        put_graph_constants, put_graph_switch, 0, ".credit_i(out_credit)"                          \
    }
    [ANL_MESH] = CUBE,
    [ANL_TORUS] = CUBE,
    [ANL_UNIDIRECTIONAL_TORUS] = CUBE,
    [ANL_HYPERCUBE] = CUBE,
    [ANL_FAT_TREE] = {put_tree_constants, put_tree_switch, ANL_TREE_CHILDREN,
                      ".down_credit_i(out_credit), .up_credit_i(up_credit)"},
    [ANL_GRAPH] = GRAPH,
    [ANL_CUBE] = GRAPH,
    [ANL_BUTTERFLY] = {put_fly_constants, put_fly_switch, 0, ".credit_i(out_credit)"},
};

static void put_switches(const struct writing *writing)
{
    const uint32_t up = writing->family->first_up;
    PUT("  for (genvar s = 0; s < S; s++) begin : g_switch\n"
        "    localparam int Domain = 32'(DomainOf[s*32 +: 32]);\n");
    writing->family->put_constants(writing);
    PUT("    logic [NumPorts*Lines-1:0]       in_valid, out_valid;\n"
        "    logic [NumPorts*Lines*VcW-1:0]   in_vc, out_vc;\n"
        "    logic [NumPorts*Lines*LinkW-1:0] in_flit, out_flit;\n"
        "    logic [NumPorts*NumVcs-1:0] in_credit;   // credits that go back from the inputs\n"
        "    logic [%s*NumVcs-1:0] out_credit;  // credits that come back for the outputs\n",
        up ? "(NumPorts-NumUp)" : "NumPorts");
    if (up) PUT("    logic [NumUp*NumVcs-1:0] up_credit;      // and for those that lead up\n");
    PUT("\n");
    writing->family->put_switch(writing);
    PUT("      .valid_i(in_valid), .vc_i(in_vc), .flit_i(in_flit), .credit_o(in_credit),\n"
        "      .valid_o(out_valid), .vc_o(out_vc), .flit_o(out_flit),\n"
        "      %s\n"
        "    );\n"
        "  end\n",
        writing->family->credits);
}

// --- links ---

// An end of a link: its vectors, and where it stands in them; and its domain.
struct side {
    char owner[32];                      // what stands before the names
    const char *way, *suffix, *credits;  // of valid, vc and flit; and the name of the credits
    uint32_t number, credit, domain;
};

static struct side output_of(const struct writing *writing, uint32_t s, uint32_t port)
{
    const uint32_t up = writing->family->first_up;
    const bool is_up = up && port >= up;
    struct side side = {.way = "out_",
                        .suffix = "",
                        .credits = is_up ? "up_credit" : "out_credit",
                        .number = port,
                        .credit = is_up ? port - up : port,
                        .domain = writing->domains->of_switch[s]};
    snprintf(side.owner, sizeof side.owner, "g_switch[%" PRIu32 "].", s);
    return side;
}

static struct side input_of(const struct writing *writing, uint32_t s, uint32_t port)
{
    struct side side = output_of(writing, s, 0);
    side.way = "in_";
    side.credits = "in_credit";
    side.number = side.credit = port;
    return side;
}

static struct side terminal_of(const struct writing *writing, uint32_t t, bool injects)
{
    return (struct side){.way = injects ? "inj_" : "ej_",
                         .suffix = injects ? "_i" : "_o",
                         .credits = injects ? "inj_credit_o" : "ej_credit_i",
                         .number = t,
                         .credit = t,
                         .domain = writing->domains->of_terminal[t]};
}

// Returns the end of the slices of a link, behind which a crossing is.
static struct side slices_of(const struct side *from, uint32_t link)
{
    struct side side = {.way = "",
                        .suffix = "",
                        .credits = "credit",
                        .number = 0,
                        .credit = 0,
                        .domain = from->domain};
    snprintf(side.owner, sizeof side.owner, "g_slices_%" PRIu32 ".", link);
    return side;
}

// Writes a vector of an end, all of its bits or those of line l, each of `width` bits.
static void put_bits(const struct writing *writing, const struct side *side, const char *what,
                     const char *width, bool line)
{
    const char *times = *width ? "*" : "";
    if (line)
        PUT("%s%s%s%s[(%" PRIu32 "*Lines+l)%s%s +: %s]", side->owner, side->way, what, side->suffix,
            side->number, times, width, *width ? width : "1");
    else
        PUT("%s%s%s%s[%" PRIu32 "*Lines%s%s +: Lines%s%s]", side->owner, side->way, what,
            side->suffix, side->number, times, width, times, width);
}

static void put_credits(const struct writing *writing, const struct side *side, bool line)
{
    if (line)
        PUT("%s%s[%" PRIu32 "*NumVcs + l*LineVcs +: LineVcs]", side->owner, side->credits,
            side->credit);
    else
        PUT("%s%s[%" PRIu32 "*NumVcs +: NumVcs]", side->owner, side->credits, side->credit);
}

static const struct {
    const char *what, *width;
} parts[] = {{"valid", ""}, {"vc", "VcW"}, {"flit", "LinkW"}};

enum { NUM_PARTS = sizeof parts / sizeof *parts };

static void put_wires(const struct writing *writing, const struct side *from, const struct side *to)
{
    for (size_t i = 0; i < NUM_PARTS; i++) {
        PUT("  assign ");
        put_bits(writing, to, parts[i].what, parts[i].width, false);
        PUT(" = ");
        put_bits(writing, from, parts[i].what, parts[i].width, false);
        PUT(";\n");
    }
    PUT("  assign ");
    put_credits(writing, from, false);
    PUT(" = ");
    put_credits(writing, to, false);
    PUT(";\n");
}

static void put_clock(const struct writing *writing, const char *before, const struct side *side)
{
    PUT(".%sclk_i(clk_d_i[%" PRIu32 "]), .%srst_i(rst_d_i[%" PRIu32 "])", before, side->domain,
        before, side->domain);
}

// Writes the slices of a link, in the clock of the sender.
static void put_slices(const struct writing *writing, uint32_t link, const struct side *from,
                       const struct side *to)
{
    PUT("  anl_link_slices #(.Cycles(%" PRIu32 "), .NumVcs(NumVcs), .FlitW(FlitW), .Lines(Lines)) "
        "u_slices_%" PRIu32 " (\n    ",
        anl_link_cycles(writing->config), link);
    put_clock(writing, "", from);
    for (int out = 0; out < 2; out++) {
        const struct side *side = out ? to : from;
        for (size_t i = 0; i < NUM_PARTS; i++) {
            PUT(",\n    .%s_%c(", parts[i].what, out ? 'o' : 'i');
            put_bits(writing, side, parts[i].what, parts[i].width, false);
            PUT(")");
        }
        PUT(",\n    .credit_%c(", out ? 'i' : 'o');
        put_credits(writing, side, false);
        PUT(")");
    }
    PUT("\n  );\n");
}

// Writes the connections of one side of a crossing; the number of the lane has a wire of its own.
static void put_crossing_side(const struct writing *writing, const struct side *side, bool receives)
{
    const char way = receives ? 'o' : 'i', back = receives ? 'i' : 'o';
    PUT("      ");
    put_clock(writing, receives ? "receiver_" : "sender_", side);
    PUT(",\n      .valid_%c(", way);
    put_bits(writing, side, "valid", "", true);
    PUT("), .vc_%c(%s),\n      .flit_%c(", way, receives ? "to" : "from", way);
    put_bits(writing, side, "flit", "LinkW", true);
    PUT("),\n      .credit_%c(", back);
    put_credits(writing, side, true);
    PUT(")");
}

// Writes a crossing for each line of a link. A line of a wide link carries its lane alone.
static void put_crossing(const struct writing *writing, uint32_t link, const struct side *from,
                         const struct side *to)
{
    PUT("  for (genvar l = 0; l < Lines; l++) begin : g_crossing_%" PRIu32 "\n"
        "    logic [LineVcW-1:0] from, to;\n"
        "    anl_link_cdc #(\n"
        "      .NumVcs(LineVcs), .Depth(Depth), .FlitW(FlitW), .CreditBypass(CreditBypass)\n"
        "    ) u_link (\n",
        link);
    put_crossing_side(writing, from, false);
    PUT(",\n");
    put_crossing_side(writing, to, true);
    PUT("\n    );\n    assign from = LineVcW'(");
    put_bits(writing, from, "vc", "VcW", true);
    PUT(" - VcW'(l));\n    assign ");
    put_bits(writing, to, "vc", "VcW", true);
    PUT(" = VcW'(to) + VcW'(l);\n  end\n");
}

static struct name_text {
    char text[NAME_BYTES];
} link_name(const struct writing *writing, uint32_t link)
{
    struct name_text name;
    anl_link_name(writing->config, link, name.text, sizeof name.text);
    return name;
}

// Writes what leads from one end of a link to the other.
static void put_link(const struct writing *writing, uint32_t link, uint32_t cycles,
                     const struct side *from, const struct side *to)
{
    const bool crosses = from->domain != to->domain;
    struct side start = *from;
    PUT("\n  // %s", link_name(writing, link).text);
    if (crosses) PUT(", from domain %" PRIu32 " to %" PRIu32, from->domain, to->domain);
    PUT("\n");
    if (cycles > 1 && crosses) {
        PUT("  if (1) begin : g_slices_%" PRIu32 "\n"
            "    logic [Lines-1:0]       valid;\n"
            "    logic [Lines*VcW-1:0]   vc;\n"
            "    logic [Lines*LinkW-1:0] flit;\n"
            "    logic [NumVcs-1:0]      credit;\n"
            "  end\n",
            link);
        start = slices_of(from, link);
    }
    if (cycles > 1) put_slices(writing, link, from, crosses ? &start : to);
    if (crosses)
        put_crossing(writing, link, &start, to);
    else if (cycles == 1)
        put_wires(writing, &start, to);
}

// Writes what an input port gets by which no link comes.
static void put_open_input(const struct writing *writing, uint32_t s, uint32_t port)
{
    const struct side in = input_of(writing, s, port);
    for (size_t i = 0; i < NUM_PARTS; i++) {
        PUT("  assign ");
        put_bits(writing, &in, parts[i].what, parts[i].width, false);
        PUT(" = '0;\n");
    }
}

// Writes the link that leaves by a port, or the credits of a port by which none leaves.
static void put_output(const struct writing *writing, uint32_t link, bool *has_input)
{
    const uint32_t ports = writing->shape.ports, s = link / ports;
    const struct anl_end end = anl_link_end(writing->config, s, link % ports);
    const struct side from = output_of(writing, s, link % ports);
    if (!end.exists) {
        PUT("\n  // %s: no link leaves\n  assign ", link_name(writing, link).text);
        put_credits(writing, &from, false);
        PUT(" = '0;\n");
    } else if (end.is_terminal) {
        const struct side to = terminal_of(writing, end.node, false);
        put_link(writing, link, 1, &from, &to);
    } else {
        const struct side to = input_of(writing, end.node, end.port);
        has_input[end.node * ports + end.port] = true;
        put_link(writing, link, anl_link_cycles(writing->config), &from, &to);
    }
}

static void put_links(const struct writing *writing, bool *has_input)
{
    const uint32_t ports = writing->shape.ports, outputs = writing->shape.switches * ports;
    for (uint32_t t = 0; t < writing->shape.terminals; t++) {
        const uint32_t link = anl_injection_link(writing->config, t);
        const struct anl_end end = anl_end_of(writing->config, link);
        const struct side from = terminal_of(writing, t, true);
        const struct side to = input_of(writing, end.node, end.port);
        has_input[end.node * ports + end.port] = true;
        put_link(writing, link, 1, &from, &to);
    }
    for (uint32_t link = 0; link < outputs; link++)
        put_output(writing, link, has_input);
    PUT("\n  // Input ports by which no link comes\n");
    for (uint32_t port = 0; port < outputs; port++)
        if (!has_input[port]) put_open_input(writing, port / ports, port % ports);
}

// --- the module ---

static void put_header(const struct writing *writing)
{
    const struct anl_shape *shape = &writing->shape;
    PUT("// SPDX-License-Identifier: Apache-2.0\n"
        "//\n"
        "// A network of %" PRIu32 " switches and the links between them, in %" PRIu32
        " domains, each with a clock of its own. A link\n"
        "// from one domain to another has a crossing (docs/clocks.md). The injection and ejection "
        "links of the\n"
        "// terminals are ports, each in the clock of its terminal. Written by annelid.\n"
        "//\n"
        "// Entry d of clk_d_i and rst_d_i is of domain d, and the links of terminal t are at "
        "index "
        "t.\n"
        "// Timing: outputs follow registers of their clock, and credits of a chained link within "
        "its domain.\n\n"
        "// A port of a switch may have no link.\n"
        "// verilator lint_off UNUSEDSIGNAL\n"
        "// Some constants are for other networks.\n"
        "// verilator lint_off UNUSEDPARAM\n"
        "// Chains of credits end where no route goes on. Verilator sees whole vectors.\n"
        "// verilator lint_off UNOPTFLAT\n\n"
        "`include \"anl_assert.svh\"\n\n"
        "module %s_regions #(\n",
        shape->switches, writing->domains->count, writing->name);
    rtl_put_parameters(writing->config, writing->file);
    PUT("  localparam int Domains   = %" PRIu32 ",\n"
        "  localparam int S         = %" PRIu32 ",\n"
        "  localparam int T         = %" PRIu32 ",\n"
        "  localparam int VcW       = anl_pkg::index_width(NumVcs),\n"
        "  localparam int Lines     = anl_pkg::lines_of(Wide, NumVcs),   // of a link\n"
        "  localparam int LinkW     = FlitW + 2\n"
        ") (\n"
        "  input  logic [Domains-1:0]  clk_d_i,\n"
        "  input  logic [Domains-1:0]  rst_d_i,        // synchronous, each to its clock\n",
        writing->domains->count, shape->switches, shape->terminals);
    rtl_put_links_of_terminals(writing->file);
}

static void put_numbers(const struct writing *writing)
{
    PUT("  localparam int K        = %" PRIu32 ";\n"
        "  localparam int N        = %" PRIu32 ";\n"
        "  localparam int NumPorts = %" PRIu32 ";\n"
        "  localparam int NumUp    = %" PRIu32 ";\n"
        "  localparam int LineVcs  = NumVcs / Lines;    // lanes that share a line\n"
        "  localparam int LineVcW  = anl_pkg::index_width(LineVcs);\n\n"
        "  // The domain of each switch, the last one first.\n"
        "  localparam logic [S*32-1:0] DomainOf = {",
        writing->config->k, writing->config->n, writing->shape.ports,
        writing->family->first_up ? writing->shape.ports - writing->family->first_up : 0);
    for (uint32_t s = writing->shape.switches; s-- > 0;)
        PUT("%s32'd%" PRIu32 "%s",
            (writing->shape.switches - 1 - s) % DOMAINS_A_LINE == 0 ? "\n    " : " ",
            writing->domains->of_switch[s], s ? "," : "\n  };\n\n");
}

// Assertions are those of the clock of domain 0.
static void put_assumptions(const struct writing *writing)
{
    PUT("\n  wire clk_i = clk_d_i[0], rst_i = rst_d_i[0];  // of assertions\n");
    rtl_put_graph_assumptions(writing->config, writing->name, writing->file);
}

enum anl_status anl_rtl_regions(const struct anl_config *config,
                                const struct anl_rtl_domains *domains, const char *name, FILE *file)
{
    struct anl_error error;
    const enum anl_status status = anl_config_check(config, &error);
    if (status) return status;
    if (config->topology >= sizeof families / sizeof *families ||
        !families[config->topology].put_switch)
        return ANL_ERR_ARGUMENT;
    const struct writing writing = {
        name, config, domains, &families[config->topology], anl_shape_of(config), file};
    bool *has_input = calloc((size_t)writing.shape.switches * writing.shape.ports, 1);
    if (!has_input) return ANL_ERR_MEMORY;
    put_header(&writing);
    put_numbers(&writing);
    put_switches(&writing);
    put_links(&writing, has_input);
    if (config->graph) put_assumptions(&writing);
    fputs("\nendmodule\n", file);
    free(has_input);
    return ANL_OK;
}
