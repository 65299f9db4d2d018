// SPDX-License-Identifier: Apache-2.0
//
// The AXI4-Streams of a design (docs/integrate.md, "Streams"): a table of their signals, from which
// come the ports of the top module, what connects them, and the page.

#include "design.h"

#include <annelid/rtl.h>
#include <inttypes.h>
#include <string.h>

// --- the signals ---

static bool always(const struct design *design)
{
    (void)design;
    return true;
}

static bool has_keep(const struct design *design) { return design->axis.tkeep; }
static bool has_user(const struct design *design) { return design->axis.tuser_bits != 0; }
static bool has_id(const struct design *design)
{
    return design->axis.tid || design->axis.interleave;
}
static bool has_length(const struct design *design) { return anl_head_has_length(design->config); }

static const struct signal {
    char side;           // s: into the network, m: out of it
    const char *name;    // in small letters; in capitals it is that of AXI4-Stream
    bool standard;       // AXI4-Stream has it
    bool into_module;    // the user drives it
    const char *width;   // bits, as a parameter of the top module; NULL: one
    const char *before;  // blanks, so that names stand below each other
    bool (*there)(const struct design *design);
    const char *meaning;  // for the page
} signals[] = {
    {'s', "tvalid", true, true, NULL, "        ", always,
     "you: a beat is there. It stays, with all that belongs to it, until it is taken"},
    {'s', "tready", true, false, NULL, "        ", always, "the network takes the beat"},
    {'s', "tdata", true, true, "TdataW", " ", always, "your bytes"},
    {'s', "tkeep", true, true, "TkeepW", " ", has_keep,
     "which bytes count; it comes out as it went in"},
    {'s', "tlast", true, true, NULL, "        ", always, "the last beat of a packet"},
    {'s', "tdest", true, true, "DstW", "   ", always,
     "label of the destination, read with the first beat"},
    {'s', "tuser", true, true, "TuserW", " ", has_user,
     "yours, of each beat; it comes out as it went in"},
    {'s', "beats", false, true, "LengthW", "", has_length,
     "number of beats of the packet, read with the first one: 1 … Depth, under wormhole 1 … 127"},
    {'m', "tvalid", true, false, NULL, "        ", always,
     "a beat is there. It stays until it is taken"},
    {'m', "tready", true, true, NULL, "        ", always, "you take the beat"},
    {'m', "tdata", true, false, "TdataW", " ", always, "its bytes"},
    {'m', "tkeep", true, false, "TkeepW", " ", has_keep, "which bytes count"},
    {'m', "tlast", true, false, NULL, "        ", always, "the last beat of its packet"},
    {'m', "tid", true, false, "TidW", "   ", has_id, NULL},
    {'m', "tuser", true, false, "TuserW", " ", has_user, "as it went in"},
};

enum { NUM_SIGNALS = sizeof signals / sizeof *signals };

// What the page says of a signal; m_tid is what the options make it.
static const char *meaning(const struct design *design, const struct signal *signal)
{
    if (signal->meaning) return signal->meaning;
    if (!design->axis.interleave)
        return "label of the terminal that sent the packet, which is `tdest` of an answer";
    return design->axis.tid ? "{label of the terminal that sent the packet, lane in its class}, "
                              "lane lowest"
                            : "lane in its class: packets of one lane are whole";
}

const char *design_axis_id(const struct design *design)
{
    if (!has_id(design)) return NULL;
    if (!design->axis.interleave) return "DstW";
    return design->axis.tid ? "DstW + LaneW" : "LaneW";
}

// Returns "s_tdata_i", the port of a vector, or "s_tdata", a vector between other ports.
struct name {
    char text[64];
};

static struct name vector_of(const struct design *design, const struct signal *signal)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "%c_%s%s", signal->side, signal->name,
             design->in_bench || design->axis.per_terminal ? ""
             : signal->into_module                         ? "_i"
                                                           : "_o");
    return name;
}

// --- ports of each terminal ---

static uint32_t streams_of_terminal(const struct design *design)
{
    const struct anl_config *config = design->config;
    const uint32_t lines = config->link == ANL_WIDE ? config->num_vcs : 1;
    return lines * anl_num_classes(config);
}

// Returns how many lanes come out on a stream.
static uint32_t lanes_of_stream(const struct design *design)
{
    return design->config->num_vcs / streams_of_terminal(design);
}

static uint32_t num_streams(const struct design *design)
{
    return anl_shape_of(design->config).terminals * streams_of_terminal(design);
}

// Returns "s3_axis", or "s3_1_axis" where terminal 3 has several streams: the interface that a tool
// shows.
static struct name interface_of(const struct design *design, char side, uint32_t stream)
{
    const uint32_t each = streams_of_terminal(design);
    struct name name;
    if (each == 1)
        snprintf(name.text, sizeof name.text, "%c%" PRIu32 "_axis", side, stream);
    else
        snprintf(name.text, sizeof name.text, "%c%" PRIu32 "_%" PRIu32 "_axis", side, stream / each,
                 stream % each);
    return name;
}

void design_put_capitals(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text, out);
}

static void put_info(FILE *out, const struct name *interface, const char *signal)
{
    fprintf(out, "  (* X_INTERFACE_INFO = \"xilinx.com:interface:axis:1.0 %s ", interface->text);
    design_put_capitals(out, signal);
    fputs("\" *)\n", out);
}

static void put_port_of_stream(FILE *out, const struct design *design, const struct signal *signal,
                               uint32_t stream)
{
    const struct name interface = interface_of(design, signal->side, stream);
    if (signal->standard) put_info(out, &interface, signal->name);
    fprintf(out, "  %s logic ", signal->into_module ? "input " : "output");
    if (signal->width) fprintf(out, "[%s-1:0] ", signal->width);
    fprintf(out, "%s_%s", interface.text, signal->name);
}

static void put_ports_of_terminals(FILE *out, const struct design *design)
{
    const char *before = "";
    for (uint32_t s = 0; s < num_streams(design); s++)
        for (const char *side = "sm"; *side; side++)
            for (size_t i = 0; i < NUM_SIGNALS; i++) {
                if (signals[i].side != *side || !signals[i].there(design)) continue;
                fputs(before, out);
                put_port_of_stream(out, design, &signals[i], s);
                before = ",\n";
            }
    fputc('\n', out);
}

// --- ports of vectors ---

static void put_vector(FILE *out, const struct design *design, const struct signal *signal,
                       const char *before)
{
    fputs(before, out);
    if (signal->width)
        fprintf(out, "logic [Streams*%s-1:0]%s ", signal->width, signal->before);
    else
        fprintf(out, "logic [Streams-1:0]%s ", signal->before);
    fputs(vector_of(design, signal).text, out);
}

static void put_ports_of_vectors(FILE *out, const struct design *design)
{
    const char *before = "  // Streams into the network.\n  ";
    for (size_t i = 0; i < NUM_SIGNALS; i++) {
        if (!signals[i].there(design)) continue;
        if (i > 0 && signals[i].side != signals[i - 1].side)
            before = ",\n\n  // Streams out of the network.\n  ";
        fputs(before, out);
        put_vector(out, design, &signals[i], signals[i].into_module ? "input  " : "output ");
        before = ",\n  ";
    }
    fputc('\n', out);
}

// --- clock and reset ---

static const char *clock_name(const struct design *design)
{
    return design->axis.per_terminal ? "aclk" : "clk_i";
}

static struct name reset_name(const struct design *design)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "%s%s", design->axis.aresetn ? "aresetn" : "rst",
             design->axis.per_terminal ? "" : "_i");
    return name;
}

void design_axis_reset(FILE *out, const struct design *design)
{
    fputs(reset_name(design).text, out);
}

bool design_axis_interfaces(FILE *out, const struct design *design, uint32_t domain,
                            const char *before)
{
    bool any = false;
    for (uint32_t s = 0; s < num_streams(design); s++) {
        if (design->regions.of_terminal[s / streams_of_terminal(design)] != domain) continue;
        fprintf(out, "%s%s:%s", any ? ":" : before, interface_of(design, 's', s).text,
                interface_of(design, 'm', s).text);
        any = true;
    }
    return any;
}

void design_axis_ports(FILE *out, const struct design *design)
{
    const bool each = design->axis.per_terminal;
    if (each) design_put_clock_info(out, design, 0);
    fprintf(out, "  input  logic %s,\n", clock_name(design));
    if (each) design_put_reset_info(out, design, 0);
    fprintf(out, "  input  logic %s,%s  // synchronous, for at least one cycle%s\n",
            reset_name(design).text, each ? "" : "      ",
            design->axis.aresetn ? "; active low" : "");
    design_put_clock_ports(out, design);
    fputc('\n', out);
    if (each)
        put_ports_of_terminals(out, design);
    else
        put_ports_of_vectors(out, design);
}

// --- in the top module ---

// Writes vectors of all streams and connects them to the ports of each terminal.
static void put_vectors(FILE *out, const struct design *design)
{
    for (size_t i = 0; i < NUM_SIGNALS; i++)
        if (signals[i].there(design)) {
            put_vector(out, design, &signals[i], "  ");
            fputs(";\n", out);
        }
    fputs("\n", out);
    for (uint32_t s = 0; s < num_streams(design); s++)
        for (size_t i = 0; i < NUM_SIGNALS; i++) {
            const struct signal *signal = &signals[i];
            char entry[128], port[128];
            if (!signal->there(design)) continue;
            if (signal->width)
                snprintf(entry, sizeof entry, "%s[%" PRIu32 "*%s +: %s]",
                         vector_of(design, signal).text, s, signal->width, signal->width);
            else
                snprintf(entry, sizeof entry, "%s[%" PRIu32 "]", vector_of(design, signal).text, s);
            snprintf(port, sizeof port, "%s_%s", interface_of(design, signal->side, s).text,
                     signal->name);
            fprintf(out, "  assign %s = %s;\n", signal->into_module ? entry : port,
                    signal->into_module ? port : entry);
        }
    fputc('\n', out);
}

// Returns the signal of a side and name.
static const struct signal *find(char side, const char *name)
{
    size_t i = 0;
    while (signals[i].side != side || strcmp(signals[i].name, name) != 0)
        i++;
    return &signals[i];
}

// What a flit carries of a beat beside its fields, from the highest bit down; behind them stands
// the source, if it is carried.
static const char *const carried[] = {"tuser", "tkeep", "tdata"};
enum { NUM_CARRIED = sizeof carried / sizeof *carried };

// Writes a concatenation of it, without its end.
static void put_carried(FILE *out, const struct design *design, char side)
{
    const char *before = "{";
    for (size_t i = 0; i < NUM_CARRIED; i++) {
        const struct signal *signal = find(side, carried[i]);
        if (!signal->there(design)) continue;
        fprintf(out, "%s%s[s*%s +: %s]", before, vector_of(design, signal).text, signal->width,
                signal->width);
        before = ", ";
    }
}

static void put_side(FILE *out, const struct design *design, char side)
{
    put_carried(out, design, side);
    if (design->axis.tid) fputs(side == 's' ? ", Source[DstW-1:0]" : ", source", out);
    fputc('}', out);
}

static void put_id(FILE *out, const struct design *design)
{
    if (!has_id(design)) return;
    fprintf(out, "    assign %s[s*TidW +: TidW] = ", vector_of(design, find('m', "tid")).text);
    if (!design->axis.interleave)
        fputs("source;\n", out);
    else
        fputs(design->axis.tid ? "{source, m_lane[s*LaneW +: LaneW]};\n"
                               : "m_lane[s*LaneW +: LaneW];\n",
              out);
}

void design_axis_body(FILE *out, const struct design *design)
{
    if (design->axis.aresetn) fprintf(out, "  wire rst = !%s;\n\n", reset_name(design).text);
    if (design->axis.per_terminal) put_vectors(out, design);
    fputs("  for (genvar s = 0; s < Streams; s++) begin : g_beat\n", out);
    if (design->axis.tid) {
        fputs(
            "    localparam int t = s / (Lines * Classes);\n    localparam logic [31:0] Source = ",
            out);
        design_put_label(out, design);
        fputs(";\n    logic [DstW-1:0] source;\n", out);
    }
    fputs("    assign s_beat[s*BeatW +: BeatW] = ", out);
    put_side(out, design, 's');
    fputs(";\n    assign ", out);
    put_side(out, design, 'm');
    fputs(" = m_beat[s*BeatW +: BeatW];\n", out);
    put_id(out, design);
    fputs("  end\n", out);
}

// --- in the bench ---

// Writes the connections of the ports to the vectors of the bench.
static void put_pins_of_stream(FILE *out, const struct design *design, uint32_t s)
{
    for (size_t i = 0; i < NUM_SIGNALS; i++) {
        const struct signal *signal = &signals[i];
        if (!signal->there(design)) continue;
        fprintf(out, ",\n    .%s_%s(%c_%s[", interface_of(design, signal->side, s).text,
                signal->name, signal->side, signal->name);
        if (signal->width)
            fprintf(out, "%" PRIu32 "*%s +: %s])", s, signal->width, signal->width);
        else
            fprintf(out, "%" PRIu32 "])", s);
    }
}

void design_axis_pins(FILE *out, const struct design *design)
{
    fprintf(out, "    .%s(clk), .%s(%srst)", clock_name(design), reset_name(design).text,
            design->axis.aresetn ? "!" : "");
    design_put_clock_pins(out, design);
    if (design->axis.per_terminal) {
        for (uint32_t s = 0; s < num_streams(design); s++)
            put_pins_of_stream(out, design, s);
        fputc('\n', out);
        return;
    }
    for (size_t i = 0; i < NUM_SIGNALS; i++) {
        const struct signal *signal = &signals[i];
        if (!signal->there(design)) continue;
        fprintf(out, ",\n    .%c_%s_%c(%c_%s)", signal->side, signal->name,
                signal->into_module ? 'i' : 'o', signal->side, signal->name);
    }
    fputc('\n', out);
}

static const char *if_there(const struct design *design, const char *name, const char *text,
                            const char *otherwise)
{
    return find('m', name)->there(design) ? text : otherwise;
}

// Writes a checker at each stream out.
static void put_checkers(FILE *out, const struct design *design)
{
    const struct anl_checked {
        const char *name, *text, *otherwise;
    } checked[] = {{"tkeep", "m_tkeep[s*TkeepW +: TkeepW]", "{TdataW/8{1'b1}}"},
                   {"tid", "m_tid[s*TidW +: TidW]", "1'b0"},
                   {"tuser", "m_tuser[s*TuserW +: TuserW]", "1'b0"}};
    fprintf(out,
            "    // Bytes are kept at random, so that there are gaps; and the bench is ready in "
            "reset.\n"
            "    anl_axis_checker #(\n"
            "      .TdataW(TdataW), .TidW(%s), .TuserW(%s), .Rules(~(1 << "
            "anl_checker_pkg::AxisGap) & ~(1 << anl_checker_pkg::AxisReadyInReset)%s)\n"
            "    ) u_checker (\n"
            "      .clk_i(%s), .rst_i(%s), .tvalid_i(m_tvalid[s]), .tready_i(m_tready[s]), "
            ".tlast_i(m_tlast[s]),\n"
            "      .tdata_i(m_tdata[s*TdataW +: TdataW]), .tdest_i(1'b0),\n",
            if_there(design, "tid", "TidW", "1"), if_there(design, "tuser", "TuserW", "1"),
            design->axis.interleave ? " & ~(1 << anl_checker_pkg::AxisMixed)" : "",
            design_has_domains(design) ? "clk_t[s/(Lines*Classes)]" : "clk",
            design_has_domains(design) ? "rst_t[s/(Lines*Classes)]" : "rst");
    for (size_t i = 0; i < sizeof checked / sizeof *checked; i++)
        fprintf(out, "      .%s_i(%s),\n", checked[i].name,
                if_there(design, checked[i].name, checked[i].text, checked[i].otherwise));
    fputs("      .broken_o(rules)\n    );\n    assign broken[s] = rules != '0;\n", out);
}

void design_axis_bench(FILE *out, const struct design *design)
{
    const bool interleave = design->axis.interleave;
    if (has_id(design)) fprintf(out, "  localparam int TidW = %s;\n", design_axis_id(design));
    for (size_t i = 0; i < NUM_SIGNALS; i++)
        if (signals[i].there(design) &&
            (signals[i].width && strcmp(signals[i].name, "tdest") != 0 && signals[i].standard))
            fprintf(out, "  logic [Streams*%s-1:0] %c_%s;\n", signals[i].width, signals[i].side,
                    signals[i].name);
    fputs("\n  for (genvar s = 0; s < Streams; s++) begin : g_stream\n"
          "    logic [anl_checker_pkg::AxisRules-1:0] rules;\n"
          "    assign ",
          out);
    put_carried(out, design, 's');
    fputs("} = s_beat[s*BeatW +: BeatW];\n    assign m_beat[s*BeatW +: BeatW] = ", out);
    put_carried(out, design, 'm');
    fprintf(out, "};\n    assign m_lane[s*LaneW +: LaneW] = %s;\n",
            interleave ? "m_tid[s*TidW +: LaneW]" : "'0");
    fprintf(out, "    assign m_source[s*DstW +: DstW] = %s;\n",
            design->axis.tid ? "m_tid[(s+1)*TidW-1 -: DstW]" : "'0");
    put_checkers(out, design);
    fputs("  end\n", out);
}

void design_axis_beats(FILE *out, const struct design *design)
{
    fprintf(out,
            "  localparam int TdataW    = %" PRIu32 ";\n"
            "  localparam int TkeepW    = %s;\n"
            "  localparam int TuserW    = %" PRIu32 ";\n"
            "  localparam int BeatW     = TdataW + TkeepW + TuserW;\n",
            design->axis.tdata_bits, design->axis.tkeep ? "TdataW / 8" : "0",
            design->axis.tuser_bits);
}

// --- on the page ---

void design_axis_widths(FILE *out, const struct design *design)
{
    fprintf(out, "| TdataW | %" PRIu32 " | bits of tdata, whole bytes |\n",
            design->axis.tdata_bits);
    if (design->axis.tuser_bits)
        fprintf(out, "| TuserW | %" PRIu32 " | bits of tuser |\n", design->axis.tuser_bits);
}

void design_axis_rows(FILE *out, const struct design *design)
{
    for (size_t i = 0; i < NUM_SIGNALS; i++) {
        const struct signal *signal = &signals[i];
        if (!signal->there(design)) continue;
        if (design->axis.per_terminal)
            fprintf(out, "| `%s_%s` | ", interface_of(design, signal->side, 0).text, signal->name);
        else
            fprintf(out, "| `%s` | ", vector_of(design, signal).text);
        fprintf(out, "%s | %s |\n", signal->width ? signal->width : "1", meaning(design, signal));
    }
}

void design_axis_clocks(FILE *out, const struct design *design)
{
    fprintf(out, "`%s`; `%s`, synchronous, active %s.", clock_name(design), reset_name(design).text,
            design->axis.aresetn ? "low" : "high");
}

// --- what the options are ---

uint32_t design_axis_bits(const struct design *design)
{
    const struct design_axis *axis = &design->axis;
    return axis->tdata_bits + (axis->tkeep ? axis->tdata_bits / 8 : 0) + axis->tuser_bits +
           (axis->tid ? anl_label_bits(design->config) : 0);
}

const char *design_axis_asked(const struct design *design)
{
    return design->axis.interleave ? "each terminal takes what comes"
                                   : "each terminal takes what comes, and ends each packet that it "
                                     "has begun\nwhatever comes";
}

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

enum anl_status design_axis_check(const struct design *design, struct anl_error *error)
{
    const struct anl_config *config = design->config;
    const uint32_t radix = anl_path_radix(config);
    if (config->arbiter == ANL_FARTHEST && !design_has_distances(config))
        REFUSE("--ports %s with arbiter farthest expects fewer terminals: the table of distances "
               "between %" PRIu32 " terminals would be too large",
               design->kind->word, anl_shape_of(config).terminals);
    if ((radix & (radix - 1)) != 0)
        REFUSE("k is %u, --ports %s with two passes expects a power of two: the intermediate "
               "column is made of bits",
               config->k, design->kind->word);
    if (design->axis.interleave && lanes_of_stream(design) == 1)
        REFUSE("--interleave expects several lanes behind a stream: each has one (lanes of a link: "
               "%" PRIu32 ", streams of a terminal: %" PRIu32 "), whose packets come out whole",
               config->num_vcs, streams_of_terminal(design));
    return ANL_OK;
}
