// SPDX-License-Identifier: Apache-2.0
//
// The AXI4 ports of a design (docs/axi.md, "Written designs"): a table of their signals, from which
// come the ports of the top module, what is behind them, the bench and the page.

#include "axi.h"

#include <annelid/rtl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 2, HEAD_BITS = 25, ROW_DIGITS = 16 };

// --- the signals ---

static const struct signal {
    const char *name;   // in small letters; in capitals it is that of AXI4
    bool from_manager;  // the manager of a port drives it
    const char *width;  // bits, as a parameter of the top module; NULL: one
    bool lite, memory;  // AXI4-Lite has it; so have the ports of memories
    const char *other;  // what it is for the bench where it is not there
} signals[] = {
    {"awid", true, "IdW", false, false, NULL},   {"awaddr", true, "AddrW", true, true, NULL},
    {"awlen", true, "8", false, true, NULL},     {"awsize", true, "3", false, true, NULL},
    {"awburst", true, "2", false, true, NULL},   {"awlock", true, NULL, false, true, NULL},
    {"awcache", true, "4", false, true, NULL},   {"awprot", true, "3", true, true, NULL},
    {"awqos", true, "4", false, true, NULL},     {"awvalid", true, NULL, true, true, NULL},
    {"awready", false, NULL, true, true, NULL},  {"wdata", true, "DataW", true, true, NULL},
    {"wstrb", true, "StrbW", true, true, NULL},  {"wlast", true, NULL, false, true, NULL},
    {"wvalid", true, NULL, true, true, NULL},    {"wready", false, NULL, true, true, NULL},
    {"bid", false, "IdW", false, false, "'0"},   {"bresp", false, "2", true, true, NULL},
    {"bvalid", false, NULL, true, true, NULL},   {"bready", true, NULL, true, true, NULL},
    {"arid", true, "IdW", false, false, NULL},   {"araddr", true, "AddrW", true, true, NULL},
    {"arlen", true, "8", false, true, NULL},     {"arsize", true, "3", false, true, NULL},
    {"arburst", true, "2", false, true, NULL},   {"arlock", true, NULL, false, true, NULL},
    {"arcache", true, "4", false, true, NULL},   {"arprot", true, "3", true, true, NULL},
    {"arqos", true, "4", false, true, NULL},     {"arvalid", true, NULL, true, true, NULL},
    {"arready", false, NULL, true, true, NULL},  {"rid", false, "IdW", false, false, "'0"},
    {"rdata", false, "DataW", true, true, NULL}, {"rresp", false, "2", true, true, NULL},
    {"rlast", false, NULL, false, true, "1'b1"}, {"rvalid", false, NULL, true, true, NULL},
    {"rready", true, NULL, true, true, NULL},
};

enum { NUM_SIGNALS = sizeof signals / sizeof *signals };

// A port of a terminal, and its number among those of its side.
struct port {
    uint32_t terminal, number;
    bool memory, lite;
};

// Calls a function for each port, those of users first, each with its number among them.
static void each_port(FILE *out, const struct design *design,
                      void (*put)(FILE *, const struct design *, const struct port *))
{
    const uint32_t terminals = anl_shape_of(design->config).terminals;
    for (int memory = 0; memory < 2; memory++) {
        const uint8_t kind = memory ? DESIGN_MEMORY : DESIGN_USER;
        uint32_t number = 0;
        for (uint32_t t = 0; t < terminals; t++) {
            if (!(design->axi.ports[t] & kind)) continue;
            const bool lite = !memory && design->axi.ports[t] & DESIGN_LITE;
            put(out, design, &(struct port){t, number++, memory, lite});
        }
    }
}

static uint32_t count_ports(const struct design *design, uint8_t kind)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < anl_shape_of(design->config).terminals; t++)
        count += (design->axi.ports[t] & kind) != 0;
    return count;
}

// Whether a subordinate port has bursts. Those of AXI4-Lite have none.
static bool has_bursts(const struct design *design)
{
    return count_ports(design, DESIGN_USER) > count_ports(design, DESIGN_LITE);
}

struct cost_ports design_axi_cost(const struct design *design)
{
    const struct design_axi *axi = &design->axi;
    const uint32_t lite = count_ports(design, DESIGN_LITE);
    return (struct cost_ports){.users = count_ports(design, DESIGN_USER) - lite,
                               .lite = lite,
                               .memories = count_ports(design, DESIGN_MEMORY),
                               .data_bits = axi->data_bits,
                               .address_bits = axi->address_bits,
                               .id_bits = axi->id_bits,
                               .bursts = axi->bursts,
                               .max_beats = axi->max_beats,
                               .room = axi->room,
                               .reorder = axi->reorder};
}

static bool has(const struct port *port, const struct signal *signal)
{
    return (signal->lite || !port->lite) && (signal->memory || !port->memory);
}

static char side(const struct port *port) { return port->memory ? 'm' : 's'; }

// --- ports of the top module ---

static void put_interface(FILE *out, const struct port *port)
{
    fprintf(out, "%c%" PRIu32 "_axi", side(port), port->terminal);
}

static void put_signal_ports(FILE *out, const struct design *design, const struct port *port)
{
    (void)design;
    for (size_t i = 0; i < NUM_SIGNALS; i++) {
        const struct signal *signal = &signals[i];
        if (!has(port, signal)) continue;
        fputs(",\n  (* X_INTERFACE_INFO = \"xilinx.com:interface:aximm:1.0 ", out);
        put_interface(out, port);
        fputc(' ', out);
        design_put_capitals(out, signal->name);
        fprintf(out, "\" *)\n  %s logic ",
                signal->from_manager != port->memory ? "input " : "output");
        if (signal->width) fprintf(out, "[%s-1:0] ", signal->width);
        put_interface(out, port);
        fprintf(out, "_%s", signal->name);
    }
    if (!port->memory && !port->lite)
        fprintf(out,
                ",\n  output logic [31:0] s%" PRIu32 "_write_stalls,\n"
                "  output logic [31:0] s%" PRIu32 "_read_stalls",
                port->terminal, port->terminal);
}

bool design_axi_interfaces(FILE *out, const struct design *design, uint32_t domain,
                           const char *before)
{
    bool any = false;
    for (int memory = 0; memory < 2; memory++)
        for (uint32_t t = 0; t < anl_shape_of(design->config).terminals; t++) {
            const struct port port = {.terminal = t, .memory = memory};
            if (design->regions.of_terminal[t] != domain) continue;
            if (!(design->axi.ports[t] & (memory ? DESIGN_MEMORY : DESIGN_USER))) continue;
            fputs(any ? ":" : before, out);
            put_interface(out, &port);
            any = true;
        }
    return any;
}

static void put_ports(FILE *out, const struct design *design)
{
    design_put_clock_info(out, design, 0);
    fputs("  input  logic aclk,\n", out);
    design_put_clock_ports(out, design);
    design_put_reset_info(out, design, 0);
    fputs("  // Synchronous, for at least one cycle.\n"
          "  input  logic aresetn",
          out);
    each_port(out, design, put_signal_ports);
    fputc('\n', out);
}

// --- what is behind them ---

static void put_rows_of_map(FILE *out, const struct design *design)
{
    const struct design_axi *axi = &design->axi;
    const uint32_t bits = axi->address_bits;
    const uint64_t all = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    for (size_t i = axi->num_rows; i-- > 0;) {
        const struct design_row *row = &axi->rows[i];
        fprintf(out,
                "    %" PRIu32 "'d%" PRIu64 ", %" PRIu32 "'h%" PRIX64 ", %" PRIu32 "'h%" PRIX64
                "%s\n",
                anl_label_bits(design->config), anl_label(design->config, row->terminal), bits,
                all & ~row->rest, bits, row->base, i ? "," : "");
    }
}

static void put_map(FILE *out, const struct design *design)
{
    fprintf(out,
            "  // Rows {label of the destination, mask, base}, the first one lowest.\n"
            "  localparam int Rows = %zu;\n"
            "  localparam logic [Rows*(2*AddrW+DstW)-1:0] Map = {\n",
            design->axi.num_rows);
    put_rows_of_map(out, design);
    fputs("  };\n", out);
}

static void put_pins(FILE *out, const struct port *port)
{
    const char *before = "    ";
    size_t on_line = 0;
    for (size_t i = 0; i < NUM_SIGNALS; i++) {
        const struct signal *signal = &signals[i];
        if (!has(port, signal)) continue;
        fprintf(out, "%s.%c_%s_%c(", before, side(port), signal->name,
                signal->from_manager != port->memory ? 'i' : 'o');
        put_interface(out, port);
        fprintf(out, "_%s)", signal->name);
        before = ++on_line % 3 == 0 ? ",\n    " : ", ";
    }
}

// Writes the connections to the streams of a terminal: one into the network, one out of it.
static void put_streams(FILE *out, uint32_t in, uint32_t from, const char *into, const char *back)
{
    fprintf(out,
            ",\n    .%s_valid_o(s_tvalid[%" PRIu32 "]), .%s_ready_i(s_tready[%" PRIu32
            "]), .%s_data_o(s_beat[%" PRIu32 "*BeatW +: BeatW]),\n    .%s_last_o(s_tlast[%" PRIu32
            "]), .%s_dest_o(s_tdest[%" PRIu32 "*DstW +: DstW])",
            into, in, into, in, into, in, into, in, into, in);
    fprintf(out,
            ",\n    .%s_valid_i(m_tvalid[%" PRIu32 "]), .%s_ready_o(m_tready[%" PRIu32
            "]), .%s_data_i(m_beat[%" PRIu32 "*BeatW +: BeatW]), .%s_last_i(m_tlast[%" PRIu32 "])",
            back, from, back, from, back, from, back, from);
}

// Writes the connections to the clock and the reset of a terminal.
static void put_clocks(FILE *out, const struct design *design, uint32_t terminal)
{
    if (design_has_domains(design))
        fprintf(out, "    .clk_i(clk_t[%" PRIu32 "]), .rst_i(rst_t[%" PRIu32 "])", terminal,
                terminal);
    else
        fputs("    .clk_i(aclk), .rst_i(rst)", out);
}

static void put_memory(FILE *out, const struct design *design, const struct port *port)
{
    fprintf(out,
            "  anl_axi_manager #(\n"
            "    .Bursts(Bursts), .IdW(IdW), .AddrW(AddrW), .DataW(DataW), .DstW(DstW)\n"
            "  ) u_m%" PRIu32 " (\n",
            port->terminal);
    put_clocks(out, design, port->terminal);
    fputs(",\n", out);
    put_pins(out, port);
    put_streams(out, CLASSES * port->terminal + 1, CLASSES * port->terminal, "rep", "req");
}

static void put_user(FILE *out, const struct design *design, const struct port *port)
{
    fprintf(out,
            "  anl_axi_%ssubordinate #(\n"
            "    .Bursts(Bursts), %s.Rows(Rows), .IdW(IdW), .AddrW(AddrW), .DataW(DataW), "
            ".DstW(DstW)\n"
            "  ) u_s%" PRIu32 " (\n",
            port->lite ? "lite_" : "",
            port->lite ? ""
                       : ".MaxBeats(MaxBeats), .WriteRoom(Room), .ReadRoom(Room), "
                         ".Reorder(Reorder), ",
            port->terminal);
    put_clocks(out, design, port->terminal);
    fprintf(out, ", .map_i(Map), .here_i(%" PRIu32 "'d%" PRIu64 "),\n",
            anl_label_bits(design->config), anl_label(design->config, port->terminal));
    put_pins(out, port);
    put_streams(out, CLASSES * port->terminal, CLASSES * port->terminal + 1, "req", "rep");
    if (!port->lite)
        fprintf(out,
                ",\n    .write_stalls_o(s%" PRIu32 "_write_stalls), .read_stalls_o(s%" PRIu32
                "_read_stalls)",
                port->terminal, port->terminal);
}

static void put_port(FILE *out, const struct design *design, const struct port *port)
{
    if (port->memory)
        put_memory(out, design, port);
    else
        put_user(out, design, port);
    fputs("\n  );\n\n", out);
}

// Nothing comes into the network by a stream that has no port, and what comes out there stays.
static void put_open(FILE *out, uint32_t in, uint32_t from)
{
    fprintf(out,
            "  assign {s_tvalid[%" PRIu32 "], s_tlast[%" PRIu32 "], m_tready[%" PRIu32 "]} = '0;\n"
            "  assign {s_beat[%" PRIu32 "*BeatW +: BeatW], s_tdest[%" PRIu32
            "*DstW +: DstW]} = '0;\n",
            in, in, from, in, in);
}

static void put_body(FILE *out, const struct design *design)
{
    each_port(out, design, put_port);
    for (uint32_t t = 0; t < anl_shape_of(design->config).terminals; t++) {
        const uint8_t ports = design->axi.ports[t];
        if (!(ports & DESIGN_USER)) put_open(out, CLASSES * t, CLASSES * t + 1);
        if (!(ports & DESIGN_MEMORY)) put_open(out, CLASSES * t + 1, CLASSES * t);
    }
}

// --- the bench ---

static void put_bench_signals(FILE *out, const struct design *design)
{
    (void)design;
    for (const char *of = "sm"; *of; of++)
        for (size_t i = 0; i < NUM_SIGNALS; i++) {
            const char *count = *of == 's' ? "Users" : "Memories";
            if (signals[i].width)
                fprintf(out, "  logic [%s*%s-1:0] %c_%s;\n", count, signals[i].width, *of,
                        signals[i].name);
            else
                fprintf(out, "  logic [%s-1:0] %c_%s;\n", count, *of, signals[i].name);
        }
}

static void put_entry(FILE *out, const struct port *port, const struct signal *signal)
{
    fprintf(out, "%c_%s[%" PRIu32, side(port), signal->name, port->number);
    if (signal->width)
        fprintf(out, "*%s +: %s]", signal->width, signal->width);
    else
        fputc(']', out);
}

static void put_bench_pins_of(FILE *out, const struct design *design, const struct port *port)
{
    (void)design;
    for (size_t i = 0; i < NUM_SIGNALS; i++) {
        if (!has(port, &signals[i])) continue;
        fputs(",\n    .", out);
        put_interface(out, port);
        fprintf(out, "_%s(", signals[i].name);
        put_entry(out, port, &signals[i]);
        fputc(')', out);
    }
    if (!port->memory && !port->lite)
        fprintf(out, ",\n    .s%" PRIu32 "_write_stalls(), .s%" PRIu32 "_read_stalls()",
                port->terminal, port->terminal);
}

static void put_bench_pins(FILE *out, const struct design *design)
{
    each_port(out, design, put_bench_pins_of);
    fputc('\n', out);
}

// Gives the bench what a port of AXI4-Lite does not say: IDs of responses, and which beat is last.
static void put_bench_rest_of(FILE *out, const struct design *design, const struct port *port)
{
    (void)design;
    for (size_t i = 0; i < NUM_SIGNALS; i++) {
        if (has(port, &signals[i]) || !signals[i].other || port->memory) continue;
        fputs("  assign ", out);
        put_entry(out, port, &signals[i]);
        fprintf(out, " = %s;\n", signals[i].other);
    }
}

static void put_bench_rest(FILE *out, const struct design *design)
{
    each_port(out, design, put_bench_rest_of);
}

// Writes the clock and the reset of each port of the bench.
static void put_bench_clock_of(FILE *out, const struct design *design, const struct port *port)
{
    if (design_has_domains(design))
        fprintf(out,
                "  assign %c_clk[%" PRIu32 "] = clk_t[%" PRIu32 "];\n"
                "  assign %c_rst[%" PRIu32 "] = rst_t[%" PRIu32 "];\n",
                side(port), port->number, port->terminal, side(port), port->number, port->terminal);
    else
        fprintf(out, "  assign %c_clk[%" PRIu32 "] = clk;\n  assign %c_rst[%" PRIu32 "] = rst;\n",
                side(port), port->number, side(port), port->number);
}

static void put_bench_clocks(FILE *out, const struct design *design)
{
    if (!design_has_domains(design)) fputs("  always #5 clk = !clk;\n\n", out);
    each_port(out, design, put_bench_clock_of);
}

static void put_bench_reset(FILE *out, const struct design *design)
{
    if (!design_has_domains(design)) fputs("    rst    = cycles < 4;\n", out);
}

static void put_in_reset(FILE *out, const struct design *design)
{
    fputs(design_has_domains(design) ? "rst_d != '0" : "rst", out);
}

static void put_lites(FILE *out, const struct design *design)
{
    fprintf(out, "%" PRIu32 "'b", count_ports(design, DESIGN_USER));
    for (uint32_t t = anl_shape_of(design->config).terminals; t-- > 0;)
        if (design->axi.ports[t] & DESIGN_USER)
            fputc(design->axi.ports[t] & DESIGN_LITE ? '1' : '0', out);
}

static void put_labels(FILE *out, const struct design *design)
{
    const char *before = "{";
    for (uint32_t t = anl_shape_of(design->config).terminals; t-- > 0;) {
        if (!(design->axi.ports[t] & DESIGN_MEMORY)) continue;
        fprintf(out, "%s%" PRIu32 "'d%" PRIu64, before, anl_label_bits(design->config),
                anl_label(design->config, t));
        before = ", ";
    }
    fputc('}', out);
}

// --- the page ---

static const char *kind_of(const struct port *port)
{
    return port->memory ? "manager port, for your memory"
           : port->lite ? "subordinate port, AXI4-Lite, for your manager"
                        : "subordinate port, for your manager";
}

static void put_page_row(FILE *out, const struct design *design, const struct port *port)
{
    (void)design;
    fprintf(out, "| `%c%" PRIu32 "_axi_*` | %" PRIu32 " | %s |\n", side(port), port->terminal,
            port->terminal, kind_of(port));
}

static void put_page_ports(FILE *out, const struct design *design)
{
    each_port(out, design, put_page_row);
}

static void put_page_map(FILE *out, const struct design *design)
{
    const int digits = ((int)design->axi.address_bits + 3) / 4;
    for (size_t i = 0; i < design->axi.num_rows; i++) {
        const struct design_row *row = &design->axi.rows[i];
        fprintf(out, "| 0x%0*" PRIx64 " | 0x%0*" PRIx64 " | %" PRIu32 " |\n", digits, row->base,
                digits, row->base + row->rest, row->terminal);
    }
}

#define NUMBER(function, type, member)                                                             \
    static void function(FILE *out, const struct design *design) { fprintf(out, "%" type, member); }

NUMBER(put_id_w, PRIu32, design->axi.id_bits)
NUMBER(put_addr_w, PRIu32, design->axi.address_bits)
NUMBER(put_data_w, PRIu32, design->axi.data_bits)
NUMBER(put_bursts, PRIu32, design->axi.bursts)
NUMBER(put_max_beats, PRIu32, design->axi.max_beats)
NUMBER(put_users, PRIu32, count_ports(design, DESIGN_USER))
NUMBER(put_memories, PRIu32, count_ports(design, DESIGN_MEMORY))

static void put_burst_parameters(FILE *out, const struct design *design)
{
    const struct design_axi *axi = &design->axi;
    if (!has_bursts(design)) return;
    fprintf(out,
            "  parameter  int MaxBeats  = %" PRIu32 ",           // of a burst\n"
            "  parameter  int Room      = %" PRIu32
            ",           // beats that a subordinate port stores in each direction\n"
            "  parameter  int Reorder   = %" PRIu32
            ",           // slots of the reorder buffer of a subordinate port, 0: none\n",
            axi->max_beats, axi->room, axi->reorder);
}

static void put_too_long(FILE *out, const struct design *design)
{
    if (has_bursts(design)) fputs(", and one of more than MaxBeats beats SLVERR", out);
}

const struct design_value design_axi_values[] = {
    {"AXI_PORTS", put_ports},
    {"AXI_MAP", put_map},
    {"AXI_BODY", put_body},
    {"AXI_SIGNALS", put_bench_signals},
    {"AXI_PINS", put_bench_pins},
    {"AXI_REST", put_bench_rest},
    {"AXI_CLOCKS", put_bench_clocks},
    {"AXI_RESET", put_bench_reset},
    {"AXI_IN_RESET", put_in_reset},
    {"AXI_LITES", put_lites},
    {"AXI_LABELS", put_labels},
    {"AXI_PAGE_PORTS", put_page_ports},
    {"AXI_PAGE_MAP", put_page_map},
    {"AXI_ID_W", put_id_w},
    {"AXI_ADDR_W", put_addr_w},
    {"AXI_DATA_W", put_data_w},
    {"AXI_BURSTS", put_bursts},
    {"AXI_MAX_BEATS", put_max_beats},
    {"AXI_BURST_PARAMETERS", put_burst_parameters},
    {"AXI_TOO_LONG", put_too_long},
    {"AXI_USERS", put_users},
    {"AXI_MEMORIES", put_memories},
    {NULL, NULL},
};

void design_axi_clocks(FILE *out, const struct design *design)
{
    (void)design;
    fputs("`aclk`; `aresetn`, synchronous, active low.", out);
}

void design_axi_widths(FILE *out, const struct design *design)
{
    const struct design_axi *axi = &design->axi;
    fprintf(out,
            "| Bursts | %" PRIu32 " | bursts under way at most, of each port and direction, 1 … "
            "64 |\n",
            axi->bursts);
    if (has_bursts(design))
        fprintf(out,
                "| MaxBeats | %" PRIu32 " | longest burst that is carried, 1 … 256 |\n"
                "| Room | %" PRIu32 " | beats that a subordinate port stores in each direction, at "
                "least MaxBeats |\n"
                "| Reorder | %" PRIu32
                " | slots of the reorder buffer of a subordinate port of AXI4, "
                "0 … 16; 0: none |\n",
                axi->max_beats, axi->room, axi->reorder);
    fprintf(out,
            "| IdW | %" PRIu32 " | bits of an ID, 1 … 16 |\n"
            "| DataW | %" PRIu32 " | bits of data, a power of two from 8 to 1024 |\n",
            axi->id_bits, axi->data_bits);
}

const char *design_axi_asked(const struct design *design)
{
    (void)design;
    return "memories take requests and give responses in the end, and none\nbegins a burst of data "
           "that it can end only after a request that it has not taken";
}

// --- what the options are ---

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

// Those of the widest beat (docs/axi.md, "Packets").
uint32_t design_axi_bits(const struct design *design)
{
    const struct design_axi *axi = &design->axi;
    const uint32_t head =
        HEAD_BITS + anl_label_bits(design->config) + axi->id_bits + axi->address_bits;
    const uint32_t write = axi->data_bits + axi->data_bits / 8;
    const uint32_t reply = 3 + axi->id_bits + axi->data_bits;
    return larger(head, larger(write, reply));
}

enum anl_status design_axi_prepare(struct design *design, struct anl_error *error)
{
    struct design_axi *axi = &design->axi;
    const uint32_t terminals = anl_shape_of(design->config).terminals;
    design->axis.per_terminal = design->axis.aresetn = true;  // the same words: aclk, aresetn
    axi->ports = calloc(terminals, sizeof *axi->ports);
    axi->rows = calloc(DESIGN_MOST_ROWS, sizeof *axi->rows);
    if (!axi->ports || !axi->rows) return cli_fail(ANL_ERR_MEMORY, error);
    enum anl_status status = axi_check(design, error);
    if (!status) status = axi_map_read(design, axi->map, error);
    if (!status && axi->users)
        status = axi_list_read(design, "users", axi->users, DESIGN_USER, error);
    for (uint32_t t = 0; !status && !axi->users && t < terminals; t++)
        if (!axi->ports[t]) axi->ports[t] = DESIGN_USER;
    if (!status && axi->lite) status = axi_list_read(design, "lite", axi->lite, DESIGN_LITE, error);
    for (uint32_t t = 0; !status && t < terminals; t++)
        if (axi->ports[t] & DESIGN_LITE && !(axi->ports[t] & DESIGN_USER))
            status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                              "--lite: found terminal %" PRIu32
                              ", expected terminals with a subordinate port (--users)",
                              t);
    if (!status && !count_ports(design, DESIGN_USER))
        status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                          "found a manager port at each terminal, expected a terminal with a "
                          "subordinate port: --users LIST");
    if (!status && axi->of_bursts && !has_bursts(design))
        status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                          "--%s has no effect, since all subordinate ports are of AXI4-Lite "
                          "(--lite), which has no bursts",
                          axi->of_bursts);
    return status;
}

void design_axi_forget(struct design *design)
{
    free(design->axi.ports);
    free(design->axi.rows);
}

// --- which networks carry AXI4 ---

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "--ports axi: " __VA_ARGS__)

// Refuses routes on which packets of one class may overtake each other: a head has several ways.
static enum anl_status check_routes(const struct anl_config *config, struct anl_error *error)
{
    const struct anl_shape shape = anl_shape_of(config);
    const uint32_t inputs = anl_reads_input(config) ? shape.ports : 1;
    if (config->routing == ANL_SOURCE) return ANL_OK;  // a list for each pair
    for (uint32_t s = 0; s < shape.switches; s++)
        for (uint32_t t = 0; t < shape.terminals; t++)
            for (uint32_t i = 0; i < inputs * CLASSES; i++) {
                const struct anl_input_lane at = {s, i / CLASSES, i % CLASSES};
                const uint32_t ports = anl_route_on_path(config, at, t, 0).ports;
                char name[64];
                if ((ports & (ports - 1)) == 0) continue;
                anl_switch_name(config, s, name, sizeof name);
                REFUSE("routing %s gives heads for T%" PRIu32 " several ways at switch %s, "
                       "expected one: packets must arrive in order",
                       cli_routing_name(config).text, t, name);
            }
    return ANL_OK;
}

static enum anl_status check_safety(const struct anl_config *config, struct anl_error *error)
{
    struct anl_safety safety = {.is_safe = anl_is_acyclic_by_rule(config)};
    const enum anl_status status = safety.is_safe ? ANL_OK : anl_safety_of(config, &safety);
    anl_safety_free(&safety);
    if (status == ANL_ERR_ARGUMENT)
        REFUSE("the network is too large to be searched for deadlocks, expected one that has none");
    if (status) return cli_fail(status, error);
    if (!safety.is_safe)
        REFUSE("the network can deadlock (annelid cdg says where), expected one that cannot");
    return ANL_OK;
}

enum anl_status axi_check(const struct design *design, struct anl_error *error)
{
    const struct anl_config *config = design->config;
    const struct anl_shape shape = anl_shape_of(config);
    if (anl_num_classes(config) != CLASSES || config->num_vcs != CLASSES)
        REFUSE("switch.classes is %" PRIu32 " and switch.num_vcs %" PRIu32
               ", expected 2 and 2: requests and replies, each in a lane",
               anl_num_classes(config), config->num_vcs);
    if (config->flow_control != ANL_WORMHOLE)
        REFUSE("switch.flow_control is %s, expected wormhole: a packet of requests does not say "
               "its length",
               anl_flow_control_name(config->flow_control));
    if (anl_head_has_length(config))
        REFUSE("switch.length_in_head is true, expected false: a packet of requests does not say "
               "its length");
    if ((uint64_t)shape.switches * shape.terminals > ANL_CDG_ROUTES)
        REFUSE("found %" PRIu32 " switches and %" PRIu32
               " terminals, expected a product of at most %" PRIu64,
               shape.switches, shape.terminals, ANL_CDG_ROUTES);
    const enum anl_status status = check_routes(config, error);
    return status ? status : check_safety(config, error);
}
