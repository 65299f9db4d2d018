// SPDX-License-Identifier: Apache-2.0
//
// Templates of a design: their text, and what stands for each @NAME@ in them.

#include "design.h"

#include <annelid/rtl.h>
#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { SEEDS_A_LINE = 8, DISTANCES_A_LINE = 16, MOST_DISTANCES = 65536 };

const char *design_text(const char *path)
{
    uint64_t i = 0;
    while (i < design_num_files && strcmp(design_files[i].path, path) != 0)
        i++;
    assert(i < design_num_files);
    return design_files[i].text;
}

static uint32_t list_bits(const struct anl_config *config)
{
    return config->graph->longest_route * anl_source_port_bits(config);
}

// Bits of the path or of the list of output ports, which a terminal puts into heads.
static uint32_t path_bits(const struct anl_config *config)
{
    if (config->routing == ANL_SOURCE) return list_bits(config);
    return anl_path_bits(config);
}

bool design_has_distances(const struct anl_config *config)
{
    const uint64_t terminals = anl_shape_of(config).terminals;
    return anl_arbiter_has(config->arbiter, ANL_ARBITER_DISTANCES) &&
           terminals << anl_label_bits(config) <= MOST_DISTANCES;
}

// Returns whether the module of the network is written for this design, with values of its own.
static bool is_written(const struct design *design)
{
    return design->config->graph || design_has_regions(design);
}

// Returns whether streams are vectors inside of the module, which have no suffix.
static bool has_vectors(const struct design *design)
{
    return design->in_bench || design->axis.per_terminal;
}

#define VALUE(function, ...)                                                                       \
    static void function(FILE *out, const struct design *design)                                   \
    {                                                                                              \
        (void)design;                                                                              \
        fprintf(out, __VA_ARGS__);                                                                 \
    }

VALUE(put_name, "%s", design->name)
VALUE(put_num_vcs, "%" PRIu32, design->config->num_vcs)
VALUE(put_depth, "%" PRIu32, design->config->depth)
VALUE(put_flit_w, "%" PRIu32, design->config->flit_width_bits)
VALUE(put_arbiter, "%d", (int)design->config->arbiter)
VALUE(put_flow_control, "%d", (int)design->config->flow_control)
VALUE(put_length_in_head, "%" PRIu32, anl_rtl_length_in_head(design->config))
VALUE(put_wide, "%d", (int)design->config->link)
VALUE(put_stages, "%" PRIu32, anl_stages(design->config))
VALUE(put_classes, "%" PRIu32, anl_num_classes(design->config))
VALUE(put_weights, "64'h%" PRIX64, anl_rtl_weights(design->config))
VALUE(put_terminals, "%" PRIu32, anl_shape_of(design->config).terminals)
VALUE(put_dst_w, "%" PRIu32, anl_label_bits(design->config))
VALUE(put_path_w, "%" PRIu32, path_bits(design->config))
VALUE(put_domains, "%" PRIu32, design_num_domains(design))
VALUE(put_network, "%s%s", is_written(design) ? design->name : anl_rtl_module(design->config),
      design_has_regions(design) ? "_regions"
      : design->config->graph    ? "_graph"
                                 : "")
VALUE(put_version, "%s", ANL_VERSION)
VALUE(put_shared_digest, "%016" PRIx64, design_shared_digest())
// Between two clocks a credit never counts in the cycle in which it comes.
VALUE(put_credit_bypass, "%d", design->clocks ? 0 : (int)design->config->credits)
// Of ejection links wide ones alone are ever chained.
VALUE(put_ejection_bypass, "%d",
      design->config->link == ANL_WIDE && design->config->credits == ANL_BYPASS)
VALUE(put_in, "%s", has_vectors(design) ? "" : "_i")
VALUE(put_out, "%s", has_vectors(design) ? "" : "_o")

// The policies that a user may choose, by their numbers. Streams of a design without a table of
// distances have none to say, clocks of terminals do not agree on stamps, and some policies are not
// for wide links.
static void put_arbiters(FILE *out, const struct design *design)
{
    const bool distances = !design->kind->streams || design_has_distances(design->config);
    const unsigned without = (distances ? 0 : ANL_ARBITER_DISTANCES) |
                             (design_has_domains(design) ? ANL_ARBITER_STAMPS : 0);
    const unsigned with = design->config->link == ANL_WIDE ? ANL_ARBITER_WIDE : 0;
    const char *before = "";
    for (unsigned i = 0; i <= ANL_LAST_ARBITER; i++) {
        const enum anl_arbiter arbiter = (enum anl_arbiter)i;
        if (anl_arbiter_has(arbiter, without) || (with && !anl_arbiter_has(arbiter, with)))
            continue;
        fprintf(out, "%s%u %s", before, i, anl_arbiter_name(arbiter));
        before = ", ";
    }
}

VALUE(put_timing, "%s",
      design->clocks ? "no combinational path leads from any input to any output."
      : design->config->credits == ANL_BYPASS && design->config->link == ANL_WIDE
          ? "credits come from the ejection links to inj_credit_o within a cycle."
      : design->config->credits == ANL_BYPASS
          ? "credits come from the root of the tree, or from the last level of the butterfly, to "
            "inj_credit_o within a cycle."
          : "no combinational path leads from any input to any output.")

// --- links of other styles ---

#define STYLE design->kind->style

VALUE(put_style, "%s", design->kind->word)
VALUE(put_style_timing, "%s", STYLE->timing)
VALUE(put_style_valid, "%s", STYLE->valid)
VALUE(put_style_rule, "%s", STYLE->rule)
VALUE(put_back, "%s", STYLE->back)
VALUE(put_back_bits, "%s", STYLE->back_bits)
VALUE(put_back_meaning, "%s", STYLE->meaning)

// The top module calls the bits of a lane by another name than the bench.
static const char *lane_width(const struct design *design)
{
    return design->in_bench ? "LineVcW" : "VcW";
}

static void put_back_w(FILE *out, const struct design *design)
{
    if (STYLE->pulses)
        fprintf(out, "1 + %s", lane_width(design));
    else
        fputs(STYLE->back_width, out);
}

VALUE(put_to_credit, "anl_%s_to_credit #(.NumVcs(LineVcs), .Depth(Depth), .FlitW(FlitW))",
      STYLE->module)
VALUE(put_from_credit, "anl_credit_to_%s #(.NumVcs(LineVcs), %s.FlitW(FlitW))", STYLE->module,
      STYLE->pulses ? "" : ".Depth(Depth), ")

// Writes the connections of the wires that go back, from an adapter or to it.
static void put_back_pins(FILE *out, const struct design *design, const char *link, bool goes_out)
{
    const char *way = goes_out ? "o" : "i", *width = lane_width(design);
    if (STYLE->pulses)
        fprintf(out, ".pulse_%s(%s_back[%s]), .lane_%s(%s_back[%s-1:0])", way, link, width, way,
                link, width);
    else
        fprintf(out, ".%s_%s(%s_back)", STYLE->back, way, link);
}

// The bench is at the other ends of the links.
static void put_inj_back(FILE *out, const struct design *design)
{
    put_back_pins(out, design, "inj", !design->in_bench);
}

static void put_ej_back(FILE *out, const struct design *design)
{
    put_back_pins(out, design, "ej", design->in_bench);
}

// --- what the network is ---

static void put_what(FILE *out, const struct design *design)
{
    const struct anl_config *config = design->config;
    const struct anl_shape shape = anl_shape_of(config);
    fprintf(out, "A %s of %" PRIu32 " switches with %" PRIu32 " terminals, routing %s",
            anl_topology_name(config->topology), shape.switches, shape.terminals,
            cli_routing_name(config).text);
}

// Says whether the network can deadlock.
static void put_safety(FILE *out, const struct design *design)
{
    const struct anl_config *config = design->config;
    struct anl_safety safety = {.is_safe = anl_is_acyclic_by_rule(config)};
    const enum anl_status status = safety.is_safe ? ANL_OK : anl_safety_of(config, &safety);
    if (status)
        fputs("**It may be able to deadlock**: it is too large to be searched.", out);
    else if (safety.is_safe)
        fprintf(out, "It cannot deadlock, as long as %s.",
                design->kind->asked ? design->kind->asked(design)
                                    : "each terminal takes what comes");
    else
        fputs("**It can deadlock**: worms may wait for each other in a circle, for ever. The "
              "scenario "
              "says `unsafe: true`;\n`annelid cdg` names the lanes of such a circle.",
              out);
    anl_safety_free(&safety);
}

// Returns whether no parameter of the design can change this one: it says what the network is, or
// what its links are. The K of a fat-tree is no parameter.
static bool is_fixed(const struct anl_config *config, const char *name)
{
    static const char *const fixed[] = {"N",      "Topology",     "Routing",   "Select",
                                        "Atomic", "CreditBypass", "LinkCycles"};
    if (strcmp(name, "K") == 0) return config->topology != ANL_FAT_TREE;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strcmp(name, fixed[i]) == 0) return true;
    return false;
}

static void put_fixed(FILE *out, const struct design *design)
{
    const struct anl_config *config = design->config;
    const struct anl_rtl_parameters all = anl_rtl_parameters(config);
    const char *before = "    ";
    if (is_written(design)) return;
    for (size_t i = 0; i < all.count; i++) {
        if (!is_fixed(config, all.list[i].name)) continue;
        fprintf(out, "%s.%s(%" PRIu64 "),", before, all.list[i].name, all.list[i].value);
        before = " ";
    }
    fputc('\n', out);
}

void design_put_label(FILE *out, const struct design *design)
{
    const struct anl_config *config = design->config;
    const char *package = anl_rtl_labels(config);
    if (package)
        fprintf(out, "%s::label(%" PRIu32 ", %" PRIu32 ", t)", package, config->k, config->n);
    else
        fputs("t", out);
}

static void put_seeds(FILE *out, const struct design *design)
{
    const uint32_t switches = anl_shape_of(design->config).switches;
    fprintf(out,
            "  // A seed for each switch, the last one first. Arbiter 2 and 4, and routing "
            "up_down_random, read them.\n"
            "  localparam logic [%" PRIu32 "*32-1:0] Seeds = {",
            switches);
    for (uint32_t s = switches; s-- > 0;)
        fprintf(out, "%s32'h%08" PRIX32 "%s",
                (switches - 1 - s) % SEEDS_A_LINE == 0 ? "\n    " : " ",
                anl_switch_seed(design->scenario->run.seed, s), s ? "," : "\n  };\n");
}

// Writes the row of a terminal: its distance to the terminal of each label, label 0 last.
static void put_row(FILE *out, const struct anl_config *config, uint32_t from, uint16_t *row)
{
    const uint32_t labels = UINT32_C(1) << anl_label_bits(config);
    memset(row, 0, labels * sizeof *row);
    for (uint32_t to = 0; to < anl_shape_of(config).terminals; to++)
        row[anl_label(config, to)] = (uint16_t)anl_distance(config, from, to);
    fprintf(out, "      %" PRIu32 ": distances = {", from);
    for (uint32_t label = labels; label-- > 0;)
        fprintf(out, "%s16'd%u%s",
                (labels - 1 - label) % DISTANCES_A_LINE == 0 ? "\n        " : " ", row[label],
                label ? "," : "};\n");
}

static void put_distances(FILE *out, const struct design *design)
{
    const struct anl_config *config = design->config;
    uint16_t row[MOST_DISTANCES];
    if (!design_has_distances(config)) return;
    fputs("  // Links between terminal t and the terminal of each label, label 0 in the lowest "
          "bits.\n"
          "  localparam int RowW = anl_head_pkg::RankW << DstW;\n"
          "  function automatic logic [RowW-1:0] distances(input int t);\n"
          "    case (t)\n",
          out);
    for (uint32_t t = 0; t < anl_shape_of(config).terminals; t++)
        put_row(out, config, t, row);
    fputs("      default: distances = '0;\n    endcase\n  endfunction\n\n", out);
}

static bool is_layered(const struct anl_config *config)
{
    for (const struct anl_graph *graph = config->graph; graph; graph = graph->next)
        if (graph->num_layers > 1) return true;
    return false;
}

// Writes the table of the lanes of a terminal's worms, if they depend on the destination.
static void put_injection_table(FILE *out, const struct design *design)
{
    if (!is_layered(design->config)) return;
    fprintf(out,
            "    localparam int ClassVcs = NumVcs / Classes;\n"
            "    localparam int TableW = T * anl_pkg::EntryW;\n"
            "    localparam int Tables = %s_graph_pkg::Tables;\n"
            "    localparam logic [Tables*TableW-1:0] Injection = "
            "%s_graph_pkg::injection(l / Lines);\n"
            "    logic [NumVcs-1:0] vcs;\n"
            "    // verilator lint_off PINCONNECTEMPTY\n"
            "    for (genvar c = 0; c < Classes; c++) begin : g_vcs\n"
            "      anl_route_table #(.T(T), .NumPorts(1), .NumVcs(ClassVcs)) u_vcs (\n"
            "        .table_i(Injection[c %% Tables * TableW +: TableW]),\n"
            "        .dst_i(s_tdest%s[(l*Classes+c)*DstW +: DstW]), .port_o(),\n"
            "        .vcs_o(vcs[c*ClassVcs +: ClassVcs])\n"
            "      );\n"
            "    end\n"
            "    // verilator lint_on PINCONNECTEMPTY\n\n",
            design->name, design->name, has_vectors(design) ? "" : "_i");
}

// Writes the distances of the streams of a terminal, which its row has for each destination.
static void put_row_of_streams(FILE *out, const struct design *design)
{
    if (!design_has_distances(design->config)) return;
    fprintf(out,
            "    localparam logic [RowW-1:0] Row = distances(l / Lines);\n"
            "    logic [Classes*anl_head_pkg::RankW-1:0] distance;\n"
            "    for (genvar c = 0; c < Classes; c++) begin : g_distance\n"
            "      assign distance[c*anl_head_pkg::RankW +: anl_head_pkg::RankW] =\n"
            "        Row[{s_tdest%s[(l*Classes+c)*DstW +: DstW], 4'd0} +: anl_head_pkg::RankW];\n"
            "    end\n\n",
            has_vectors(design) ? "" : "_i");
}

// Writes the lists of output ports for the heads of the streams of a terminal.
static void put_lists_of_streams(FILE *out, const struct design *design)
{
    fprintf(out,
            "    localparam logic [T*PathW-1:0] Lists = %s_graph_lists_pkg::lists(l / Lines);\n"
            "    logic [Classes*PathW-1:0] list;\n"
            "    for (genvar c = 0; c < Classes; c++) begin : g_list\n"
            "      assign list[c*PathW +: PathW] =\n"
            "        Lists[32'(s_tdest%s[(l*Classes+c)*DstW +: DstW])*PathW +: PathW];\n"
            "    end\n\n",
            design->name, has_vectors(design) ? "" : "_i");
}

// The clock and the reset, active high, inside of the module.
const char *design_clock_inside(const struct design *design)
{
    return design->in_bench ? "clk" : has_vectors(design) ? "aclk" : "clk_i";
}

const char *design_reset_inside(const struct design *design)
{
    return design->axis.aresetn || has_vectors(design) ? "rst" : "rst_i";
}

VALUE(put_clk, "%s", design_clock_inside(design))
VALUE(put_rst, "%s", design_reset_inside(design))

// Those of the terminal of a line.
VALUE(put_terminal_clk, "%s%s",
      design_has_domains(design) ? design_clocks_of_terminals(design) : design_clock_inside(design),
      design_has_domains(design) ? "[l/Lines]" : "")
VALUE(put_terminal_rst, "%s%s",
      design_has_domains(design) ? design_resets_of_terminals(design) : design_reset_inside(design),
      design_has_domains(design) ? "[l/Lines]" : "")

// Writes the generator of the paths that a terminal draws.
static void put_generator(FILE *out, const struct design *design)
{
    const uint32_t first = anl_shape_of(design->config).switches;  // seed behind those of switches
    fputs("    // A path is drawn from the lowest bits.\n"
          "    // verilator lint_off UNUSEDSIGNAL\n"
          "    logic [31:0] random;\n"
          "    // verilator lint_on UNUSEDSIGNAL\n"
          "    anl_prng u_path (\n"
          "      .clk_i(",
          out);
    put_terminal_clk(out, design);
    fputs("), .rst_i(", out);
    put_terminal_rst(out, design);
    fprintf(out,
            "), .seed_i(32'h%08" PRIX32 " ^ (32'(l) << 8)), "
            ".step_i(1'b1),\n"
            "      .random_o(random)\n"
            "    );\n\n",
            anl_switch_seed(design->scenario->run.seed, first) | 1);
}

// Writes what a terminal has beside it: the lanes of its worms, its distances, its lists of output
// ports, a generator for paths.
static void put_of_terminal(FILE *out, const struct design *design)
{
    put_injection_table(out, design);
    put_row_of_streams(out, design);
    if (design->config->routing == ANL_SOURCE)
        put_lists_of_streams(out, design);
    else if (path_bits(design->config) && !design->kind->paths)
        put_generator(out, design);
}

static void put_distance(FILE *out, const struct design *design)
{
    fputs(design_has_distances(design->config) ? "distance" : "{Classes{16'd0}}", out);
}

// Writes the paths of worms that go by one path to a destination: the lowest bits of its label.
static void put_paths(FILE *out, const struct design *design)
{
    const char *before = "{";
    for (uint32_t c = anl_num_classes(design->config); c-- > 0;) {
        fprintf(out, "%ss_tdest[(l*Classes+%" PRIu32 ")*DstW +: PathW]", before, c);
        before = ", ";
    }
    fputc('}', out);
}

static void put_path(FILE *out, const struct design *design)
{
    if (design->config->routing == ANL_SOURCE)
        fputs("list", out);
    else if (path_bits(design->config) && design->kind->paths)
        put_paths(out, design);
    else
        fputs(path_bits(design->config) ? "{Classes{random[PathW-1:0]}}" : "{Classes{1'b0}}", out);
}

static void put_injection_vcs(FILE *out, const struct design *design)
{
    fputs(is_layered(design->config) ? "vcs" : "{LineVcs{1'b1}}", out);
}

static void put_streams(FILE *out, const struct design *design)
{
    design_fill(out, design, "streams.sv");
}

static void put_dut(FILE *out, const struct design *design)
{
    design_put_clock_signals(out, design);
    design_fill(out, design, design->kind->bench);
}

// --- AXI4-Streams ---

VALUE(put_tdata_w, "%" PRIu32, design->axis.tdata_bits)
VALUE(put_tuser_w, "%" PRIu32, design->axis.tuser_bits)
VALUE(put_tkeep_w, "%s", design->axis.tkeep ? "TdataW / 8" : "0")
VALUE(put_tuser_is, "%s", design->axis.tuser_bits ? "parameter " : "localparam")
VALUE(put_source_w, "%s", design->axis.tid ? "DstW" : "0")
VALUE(put_has_source, "%d", design->axis.tid)
VALUE(put_whole, "%d", design->kind->streams && !design->axis.interleave)
// Without a port for lengths no policy can read them; ports of terminals are as many as they are.
VALUE(put_length_is, "%s", anl_head_has_length(design->config) ? "parameter " : "localparam")
VALUE(put_streams_are, "%s", design->axis.per_terminal ? "localparam" : "parameter ")
VALUE(put_entries, "%s",
      design->axis.per_terminal
          ? "All other ports are those of each terminal, terminal 0 first, with its\nnumber in "
            "their names"
          : "All other ports are vectors with an entry for each terminal,\nterminal 0 in the "
            "lowest bits")

static void put_lengths(FILE *out, const struct design *design)
{
    if (design->kind->streams && !anl_head_has_length(design->config))
        fputs("{Classes*LengthW{1'b0}}", out);
    else
        fprintf(out, "s_beats%s[l*Classes*LengthW +: Classes*LengthW]",
                has_vectors(design) ? "" : "_i");
}

// How wide a beat of the bench is.
static void put_bench_beats(FILE *out, const struct design *design)
{
    if (design->kind->put_beats)
        design->kind->put_beats(out, design);
    else
        fputs("  localparam int BeatW     = FlitW - anl_head_pkg::head_width(DstW, Arbiter, "
              "FlowControl, LengthInHead) - PathW;\n",
              out);
}

static void put_tid_w(FILE *out, const struct design *design)
{
    const char *width = design_axis_id(design);
    if (width) fprintf(out, "  localparam int TidW      = %s,\n", width);
}

static void put_packets(FILE *out, const struct design *design)
{
    fputs(design->axis.interleave
              ? "Packets of different lanes interleave:\nwho takes them sorts beats by m_tid.\n"
              : "Each stream out gives one packet\nat a time, whole. A source that stops in the "
                "middle of a packet stops the stream out of its destination.\n",
          out);
}

// What is fixed beside what is fixed in all designs.
static void put_fixed_streams(FILE *out, const struct design *design)
{
    if (!anl_head_has_length(design->config))
        fputs("\nFlowControl and LengthInHead cannot be changed: streams do not say how long a "
              "packet is.",
              out);
    if (design->axis.per_terminal)
        fputs("\nWide and Classes cannot be changed: the number of ports follows from them.", out);
}

// --- the page and the core file ---

static void put_ports(FILE *out, const struct design *design)
{
    design_fill(out, design, design->kind->page);
}

static void put_clocks(FILE *out, const struct design *design)
{
    if (design_has_domains(design))
        design_fill(out, design, "ports_clocks.md");
    else if (design->kind->put_clocks)
        design->kind->put_clocks(out, design);
    else
        fputs("`clk_i`; `rst_i`, synchronous, active high.", out);
}

// The widths that a user may choose: that of a flit, or those of a stream.
static void put_width_row(FILE *out, const struct design *design)
{
    if (design->kind->put_widths)
        design->kind->put_widths(out, design);
    else
        fprintf(out, "| FlitW | %" PRIu32 " | data bits of a flit, at least %" PRIu32 " |\n",
                design->config->flit_width_bits, anl_head_bits(design->config) + 1);
}

static void put_lanes(FILE *out, const struct design *design)
{
    const struct anl_config *config = design->config;
    if (is_layered(config))
        fprintf(out, "no other number: they are split among %" PRIu32 " layers",
                config->graph->num_layers);
    else if (config->graph && (config->routing == ANL_TABLE || config->routing == ANL_DATELINE))
        fputs("no other number if the routing table names lanes", out);
    else
        fprintf(out, "%d … 8", config->routing == ANL_DATELINE ? 2 : 1);
}

static void put_fields(FILE *out, const struct design *design)
{
    const struct anl_config *config = design->config;
    fprintf(out, "the label of the destination (%" PRIu32 " bits)", anl_label_bits(config));
    if (anl_head_has_length(config)) fputs(", the number of flits (7 bits)", out);
    if (anl_arbiter_has(config->arbiter, ANL_ARBITER_STAMPS))
        fputs(", the time of the worm's creation (16 bits)", out);
    if (anl_arbiter_has(config->arbiter, ANL_ARBITER_DISTANCES))
        fputs(", the distance to the destination (16 bits)", out);
    if (config->routing == ANL_UP_DOWN_FIXED && config->n > 1)
        fprintf(out, ", the path, a bit for each level but the highest (%" PRIu32 " bits)",
                config->n - 1);
    if (anl_num_passes(config) == 2)
        fprintf(out, ", the intermediate column, as digits 0 … %" PRIu32 " (%" PRIu32 " bits)",
                config->k - 1, anl_path_bits(config));
    if (config->routing == ANL_SOURCE)
        fprintf(out, ", the list of output ports (%" PRIu32 " bits)", list_bits(config));
}

// --- lists of output ports ---

static void put_lists(FILE *out, const struct design *design)
{
    const struct anl_config *config = design->config;
    if (config->routing != ANL_SOURCE) return;
    if (design->kind->lists)
        fputs(design->kind->lists, out);
    else
        fprintf(out,
                "\nWorms find their way by the list in their heads: %" PRIu32
                " output ports of %" PRIu32
                " bits each, the one that the\nfirst switch takes lowest, filled up with 0. Each "
                "switch takes one off and moves the others down, so that lists arrive\nas 0. "
                "`lists(t)` of `%s_graph_lists_pkg` has the lists from terminal t to all "
                "terminals. A list\nmust be one of these: other turns are not wired.\n",
                config->graph->longest_route, anl_source_port_bits(config), design->name);
}

// --- wide links ---

static void put_lines(FILE *out, const struct design *design)
{
    if (design->config->link != ANL_WIDE) return;
    fputs(design->kind->lines, out);
    if (design->config->credits == ANL_BYPASS && design->kind->bare && !design->clocks)
        fputs("Links are chained: a credit counts in its cycle for flits that are not heads. Heads "
              "need a credit at the start of the cycle.\n",
              out);
}

static void put_terminal_rows(FILE *out, const struct design *design)
{
    const struct anl_config *config = design->config;
    for (uint32_t t = 0; t < anl_shape_of(config).terminals; t++)
        fprintf(out, "| %" PRIu32 " | %" PRIu64 " | %s |\n", t, anl_label(config, t),
                cli_link_name(config, anl_ejection_link(config, t)).text);
}

// --- area and clock ---

void design_put_cost(FILE *out, const struct design *design)
{
    struct anl_error error;
    const enum cost_streams streams =
        design->kind->streams ? COST_WITH_STREAMS : COST_WITHOUT_STREAMS;
    const struct cost_ports ports =
        design->kind->cost_ports ? design->kind->cost_ports(design) : (struct cost_ports){0};
    if (cost_print(out, design->config, "", NULL, streams, &ports, &error)) {
        fprintf(out, "No estimate: %s.\n", error.text);
        return;
    }
    if (design_has_domains(design)) fputs("not counted: the crossings of clocks\n", out);
    if (design->kind->uncounted) fprintf(out, "not counted: %s\n", design->kind->uncounted);
}

static void put_cost(FILE *out, const struct design *design) { fputs(design->cost, out); }

// --- lists of files ---

static void put_part_rows(FILE *out, const struct design *design)
{
    for (size_t i = 0; i < design_num_parts; i++)
        if (design_parts[i].there(design))
            fprintf(out, "| `%s%s` | %s |\n", design->name, design_parts[i].ending,
                    design_parts[i].what);
}

// Writes those of the shared files that are marked, a line each, then the module that checks them.
static void put_marked(FILE *out, const bool *marked, const char *before)
{
    for (uint64_t i = 0; i < design_num_files; i++)
        if (marked[i] && cli_ends_in(design_files[i].path, ".sv"))
            fprintf(out, "%s%s\n", before, design_files[i].path);
    fprintf(out, "%s%s\n", before, DESIGN_CHECK);
}

static void put_own(FILE *out, const struct design *design, const char *before)
{
    for (size_t i = 0; i < design_num_parts; i++)
        if (design_parts[i].there(design))
            fprintf(out, "%s%s%s\n", before, design->name, design_parts[i].ending);
    fprintf(out, "%s%s.sv\n", before, design->name);
}

static void put_list_files(FILE *out, const struct design *design)
{
    bool needed[design_num_files];
    design_needs(design, needed);
    put_marked(out, needed, "");
    put_own(out, design, "");
}

static void put_core_files(FILE *out, const struct design *design)
{
    put_own(out, design, "      - ");
}

static void put_bender_files(FILE *out, const struct design *design)
{
    put_own(out, design, "      - ../../");
}

static void put_shared(FILE *out, const char *before)
{
    bool shared[design_num_files];
    design_shared(shared);
    put_marked(out, shared, before);
}

static void put_shared_core_files(FILE *out, const struct design *design)
{
    (void)design;
    put_shared(out, "      - ");
}

static void put_shared_bender_files(FILE *out, const struct design *design)
{
    (void)design;
    put_shared(out, "      - ../../");
}

// Writes the files of the list, on one line, for commands that take no list.
static void put_yosys_files(FILE *out, const struct design *design)
{
    fprintf(out, "$(grep -v '^[+/]' %s.f | xargs)", design->name);
}

// --- where it comes from ---

static void put_origin(FILE *out, const struct design *design)
{
    design_put_origin(out, design, design->remark);
}

static void put_shared_origin(FILE *out, const struct design *design)
{
    design_put_shared_origin(out, design->remark);
}

// --- filling ---

static const struct design_value values[] = {
    {"NAME", put_name},
    {"STYLE", put_style},
    {"STYLE_TIMING", put_style_timing},
    {"STYLE_VALID", put_style_valid},
    {"STYLE_RULE", put_style_rule},
    {"BACK", put_back},
    {"BACK_W", put_back_w},
    {"BACK_BITS", put_back_bits},
    {"BACK_MEANING", put_back_meaning},
    {"TO_CREDIT", put_to_credit},
    {"FROM_CREDIT", put_from_credit},
    {"INJ_BACK", put_inj_back},
    {"EJ_BACK", put_ej_back},
    {"AXIS_PORTS", design_axis_ports},
    {"AXIS_BODY", design_axis_body},
    {"AXIS_BENCH", design_axis_bench},
    {"AXIS_PINS", design_axis_pins},
    {"AXIS_ROWS", design_axis_rows},
    {"AXIS_FIXED", put_fixed_streams},
    {"CLOCKS", put_clocks},
    {"ENTRIES", put_entries},
    {"WIDTH_ROW", put_width_row},
    {"LENGTHS", put_lengths},
    {"LENGTH_IS", put_length_is},
    {"STREAMS_ARE", put_streams_are},
    {"TDATA_W", put_tdata_w},
    {"TKEEP_W", put_tkeep_w},
    {"TUSER_W", put_tuser_w},
    {"TID_W", put_tid_w},
    {"SOURCE_W", put_source_w},
    {"TUSER_IS", put_tuser_is},
    {"PACKETS", put_packets},
    {"HAS_SOURCE", put_has_source},
    {"WHOLE", put_whole},
    {"BENCH_BEATS", put_bench_beats},
    {"WHAT", put_what},
    {"SAFETY", put_safety},
    {"TIMING", put_timing},
    {"NUM_VCS", put_num_vcs},
    {"DEPTH", put_depth},
    {"FLIT_W", put_flit_w},
    {"ARBITER", put_arbiter},
    {"FLOW_CONTROL", put_flow_control},
    {"LENGTH_IN_HEAD", put_length_in_head},
    {"WIDE", put_wide},
    {"STAGES", put_stages},
    {"CLASSES", put_classes},
    {"WEIGHTS", put_weights},
    {"TERMINALS", put_terminals},
    {"DST_W", put_dst_w},
    {"NETWORK", put_network},
    {"FIXED", put_fixed},
    {"SEEDS", put_seeds},
    {"CREDIT_BYPASS", put_credit_bypass},
    {"EJECTION_BYPASS", put_ejection_bypass},
    {"LABEL", design_put_label},
    {"STREAMS", put_streams},
    {"PATH_W", put_path_w},
    {"PATH", put_path},
    {"DISTANCES", put_distances},
    {"DISTANCE", put_distance},
    {"OF_TERMINAL", put_of_terminal},
    {"INJECTION_VCS", put_injection_vcs},
    {"DUT", put_dut},
    {"CLK", put_clk},
    {"RST", put_rst},
    {"TERMINAL_CLK", put_terminal_clk},
    {"TERMINAL_RST", put_terminal_rst},
    {"CLOCK_PORTS", design_put_clock_ports},
    {"CLOCK_NAMES", design_put_clock_names},
    {"POLARITY", design_put_polarity},
    {"LINK_PINS", design_put_link_pins},
    {"CROSSINGS", design_put_crossings},
    {"TI", design_put_terminal_in},
    {"TO", design_put_terminal_out},
    {"CLOCKING", design_put_clocking},
    {"CLOCK_PINS", design_put_clock_pins},
    {"CLOCK_SIGNALS", design_put_clock_signals},
    {"CLOCK_ROWS", design_put_clock_rows},
    {"DOMAINS", put_domains},
    {"DOMAIN_ROWS", design_put_domain_rows},
    {"NETWORK_CLOCKS", design_put_network_clocks},
    {"WHOSE_CLOCK", design_put_whose_clock},
    {"LPF_CLOCKS", design_put_lpf_clocks},
    {"PCF_CLOCKS", design_put_pcf_clocks},
    {"I", put_in},
    {"O", put_out},
    {"PORTS", put_ports},
    {"LANES", put_lanes},
    {"ARBITERS", put_arbiters},
    {"FIELDS", put_fields},
    {"COST", put_cost},
    {"LISTS", put_lists},
    {"LINES", put_lines},
    {"TERMINAL_ROWS", put_terminal_rows},
    {"VERSION", put_version},
    {"SHARED", put_shared_digest},
    {"PART_ROWS", put_part_rows},
    {"LIST_FILES", put_list_files},
    {"CORE_FILES", put_core_files},
    {"SHARED_CORE_FILES", put_shared_core_files},
    {"BENDER_FILES", put_bender_files},
    {"SHARED_BENDER_FILES", put_shared_bender_files},
    {"YOSYS_FILES", put_yosys_files},
    {"ORIGIN", put_origin},
    {"SHARED_ORIGIN", put_shared_origin},
    {NULL, NULL},
};

static const struct design_value *find_value(const struct design_value *value, const char *name,
                                             size_t length)
{
    for (; value && value->name; value++)
        if (strncmp(value->name, name, length) == 0 && !value->name[length]) return value;
    return NULL;
}

// Writes the value of the name that begins a text and is followed by @. Returns its length, or 0 if
// there is no such name: the @ before it then stands for itself.
static size_t put_value(FILE *out, const struct design *design, const char *name)
{
    const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (length == 0 || name[length] != '@') return 0;
    const struct design_value *value = find_value(values, name, length);
    if (!value) value = find_value(design->kind->values, name, length);
    if (value) value->put(out, design);
    return value ? length : 0;
}

void design_fill(FILE *out, const struct design *design, const char *name)
{
    const char *text = design_text(name);
    while (*text) {
        const size_t plain = strcspn(text, "@");
        fwrite(text, 1, plain, out);
        text += plain;
        if (!*text) break;
        const size_t length = put_value(out, design, ++text);
        if (length)
            text += length + 1;
        else
            fputc('@', out);
    }
}
