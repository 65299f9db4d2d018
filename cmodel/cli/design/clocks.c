// SPDX-License-Identifier: Apache-2.0
//
// Domains with clocks of their own (docs/clocks.md): what the templates of a design say of clocks.

#include "design.h"

#include <inttypes.h>
#include <string.h>

const char *const design_constraints[] = {".sdc", ".xdc", ".lpf", ".pcf"};
const size_t design_num_constraints = sizeof design_constraints / sizeof *design_constraints;

struct port_name {
    char text[2 * DESIGN_REGION_BYTES];
};

bool design_has_domains(const struct design *design) { return design_num_domains(design) > 1; }

// --- names ---

// Returns the stem of the name of a reset.
static const char *reset_stem(const struct design *design)
{
    return design->axis.aresetn ? "aresetn" : "rst";
}

// Returns the number of the terminal whose clock that of a domain is; ANL_NO_PORT: none.
static uint32_t terminal_of(const struct design *design, uint32_t domain)
{
    const uint32_t regions = design->regions.count;
    return domain < regions ? ANL_NO_PORT : domain - regions;
}

// Returns the name of the port of a domain, or of its entry in a vector: that of its clock or
// reset. Ports of each terminal are t3_aclk, fast_aclk and aclk, others clk_t_i[3], clk_fast_i and
// clk_i.
static struct port_name port_of(const struct design *design, uint32_t domain, bool reset)
{
    const bool each = design->axis.per_terminal;
    const char *stem = reset ? reset_stem(design) : each ? "aclk" : "clk";
    const uint32_t t = terminal_of(design, domain);
    struct port_name name;
    if (t != ANL_NO_PORT && each)
        snprintf(name.text, sizeof name.text, "t%" PRIu32 "_%s", t, stem);
    else if (t != ANL_NO_PORT)
        snprintf(name.text, sizeof name.text, "%s_t_i[%" PRIu32 "]", stem, t);
    else if (domain > 0 && each)
        snprintf(name.text, sizeof name.text, "%s_%s", design->regions.names[domain].text, stem);
    else if (domain > 0)
        snprintf(name.text, sizeof name.text, "%s_%s_i", stem, design->regions.names[domain].text);
    else
        snprintf(name.text, sizeof name.text, "%s%s", stem, each ? "" : "_i");
    return name;
}

static bool terminals_are_inside(const struct design *design)
{
    return design->in_bench || design->axis.per_terminal || design_has_regions(design);
}

const char *design_clocks_of_terminals(const struct design *design)
{
    return terminals_are_inside(design) ? "clk_t" : "clk_t_i";
}

const char *design_resets_of_terminals(const struct design *design)
{
    return terminals_are_inside(design) || design->axis.aresetn ? "rst_t" : "rst_t_i";
}

// --- ports ---

void design_put_clock_info(FILE *out, const struct design *design, uint32_t domain)
{
    fprintf(out,
            "  (* X_INTERFACE_INFO = \"xilinx.com:signal:clock:1.0 %s CLK\",\n"
            "     X_INTERFACE_PARAMETER = \"",
            port_of(design, domain, false).text);
    if (design->kind->put_interfaces(out, design, domain, "ASSOCIATED_BUSIF ")) fputs(", ", out);
    fprintf(out, "ASSOCIATED_RESET %s\" *)\n", port_of(design, domain, true).text);
}

void design_put_reset_info(FILE *out, const struct design *design, uint32_t domain)
{
    fprintf(out,
            "  (* X_INTERFACE_INFO = \"xilinx.com:signal:reset:1.0 %s RST\",\n"
            "     X_INTERFACE_PARAMETER = \"POLARITY ACTIVE_%s\" *)\n",
            port_of(design, domain, true).text, design->axis.aresetn ? "LOW" : "HIGH");
}

static void put_ports_of_each(FILE *out, const struct design *design)
{
    for (uint32_t d = 1; d < design_num_domains(design); d++) {
        design_put_clock_info(out, design, d);
        fprintf(out, "  input  logic %s,\n", port_of(design, d, false).text);
        design_put_reset_info(out, design, d);
        fprintf(out, "  input  logic %s,\n", port_of(design, d, true).text);
    }
}

void design_put_clock_ports(FILE *out, const struct design *design)
{
    if (design->axis.per_terminal) {
        put_ports_of_each(out, design);
        return;
    }
    for (uint32_t r = 1; r < design->regions.count; r++)
        fprintf(out,
                "  input  logic                     %s,\n"
                "  input  logic                     %s,  // synchronous to it%s\n",
                port_of(design, r, false).text, port_of(design, r, true).text,
                design->axis.aresetn ? ", active low" : "");
    if (design->clocks)
        fprintf(out,
                "  input  logic [T-1:0]             clk_t_i,        // of the terminals\n"
                "  input  logic [T-1:0]             %s_t_i,%s    // synchronous to them%s\n",
                reset_stem(design), design->axis.aresetn ? "" : "    ",
                design->axis.aresetn ? ", active low" : "");
}

void design_put_network_clocks(FILE *out, const struct design *design)
{
    if (design_has_regions(design))
        fputs(".clk_d_i(clk_d), .rst_d_i(rst_d)", out);
    else if (design->kind->streams)
        fprintf(out, ".clk_i(%s), .rst_i(%s)", design_clock_inside(design),
                design_reset_inside(design));
    else
        fputs(".clk_i, .rst_i", out);
}

// --- inside of the module ---

// Writes the clocks and resets of the terminals, active high, where they are not its ports.
static void put_terminals_inside(FILE *out, const struct design *design)
{
    const char *no = design->axis.aresetn ? "!" : "";
    if (!design->axis.per_terminal) {
        if (design->axis.aresetn) fputs("  wire [T-1:0] rst_t = ~aresetn_t_i;\n\n", out);
        return;
    }
    fputs("  wire [T-1:0] clk_t, rst_t;\n", out);
    for (uint32_t t = 0; t < anl_shape_of(design->config).terminals; t++)
        fprintf(out,
                "  assign clk_t[%" PRIu32 "] = t%" PRIu32 "_aclk;\n"
                "  assign rst_t[%" PRIu32 "] = %st%" PRIu32 "_%s;\n",
                t, t, t, no, t, reset_stem(design));
    fputc('\n', out);
}

// Writes which of the domains each terminal is in.
static void put_terminals_of_domains(FILE *out, const struct design *design)
{
    for (uint32_t t = 0; t < anl_shape_of(design->config).terminals; t++)
        fprintf(out,
                "  assign clk_t[%" PRIu32 "] = clk_d[%" PRIu32 "];\n"
                "  assign rst_t[%" PRIu32 "] = rst_d[%" PRIu32 "];\n",
                t, design->regions.of_terminal[t], t, design->regions.of_terminal[t]);
    fputc('\n', out);
}

static void put_domains_inside(FILE *out, const struct design *design)
{
    const char *no = design->axis.aresetn ? "!" : "";
    fprintf(
        out,
        "  // The domains (docs/clocks.md of Annelid): the regions, that of the network first%s. "
        "Resets are active high.\n"
        "  localparam int Domains = %" PRIu32 ";\n"
        "  wire [Domains-1:0] clk_d, rst_d;\n"
        "  // A bare network has no use for those of the terminals.\n"
        "  // verilator lint_off UNUSEDSIGNAL\n"
        "  wire [T-1:0] clk_t, rst_t;\n"
        "  // verilator lint_on UNUSEDSIGNAL\n"
        "  assign clk_d[0] = %s;\n"
        "  assign rst_d[0] = %s;\n",
        design->clocks ? ", then the terminals" : "", design_num_domains(design),
        design_clock_inside(design), design_reset_inside(design));
    for (uint32_t d = 1; d < design_num_domains(design); d++)
        fprintf(out, "  assign clk_d[%" PRIu32 "] = %s;\n  assign rst_d[%" PRIu32 "] = %s%s;\n", d,
                port_of(design, d, false).text, d, no, port_of(design, d, true).text);
    put_terminals_of_domains(out, design);
}

// Links that are ports have the suffixes of ports.
static bool has_suffix(const struct design *design) { return design->kind->bare; }

void design_put_terminal_in(FILE *out, const struct design *design)
{
    if (has_suffix(design)) fputs("_i", out);
}

void design_put_terminal_out(FILE *out, const struct design *design)
{
    if (has_suffix(design)) fputs("_o", out);
}

// Returns whether links of terminals cross in the top module; a network in regions has all
// crossings in itself.
static bool crosses_here(const struct design *design)
{
    return design->clocks && !design_has_regions(design);
}

void design_put_link_pins(FILE *out, const struct design *design)
{
    static const char *const pins[] = {"inj_valid_i", "inj_vc_i", "inj_flit_i", "inj_credit_o",
                                       "ej_valid_o",  "ej_vc_o",  "ej_flit_o",  "ej_credit_i"};
    const size_t count = sizeof pins / sizeof *pins;
    const bool plain = has_suffix(design) && !crosses_here(design);
    for (size_t i = 0; i < count; i++) {
        const int stem = (int)(strlen(pins[i]) - strlen("_i"));
        fprintf(out, "%s.%s", i % (count / 2) == 0 ? "    " : " ", pins[i]);
        if (!plain) fprintf(out, "(%s%.*s)", crosses_here(design) ? "net_" : "", stem, pins[i]);
        fputs(i + 1 == count ? "\n" : i + 1 == count / 2 ? ",\n" : ",", out);
    }
}

void design_put_crossings(FILE *out, const struct design *design)
{
    if (design_has_regions(design)) put_domains_inside(out, design);
    if (!crosses_here(design)) return;
    put_terminals_inside(out, design);
    design_fill(out, design, "crossings.sv");
}

// --- the bench ---

void design_put_clocking(FILE *out, const struct design *design)
{
    design_fill(out, design, design_has_domains(design) ? "clocking_domains.sv" : "clocking.sv");
}

void design_put_clock_signals(FILE *out, const struct design *design)
{
    if (!design_has_domains(design)) return;
    design_fill(out, design, "clock_signals.sv");
    put_terminals_of_domains(out, design);
}

void design_put_clock_pins(FILE *out, const struct design *design)
{
    const char *no = design->axis.aresetn ? "!" : "";
    const uint32_t regions = design->regions.count;
    const uint32_t named = design->axis.per_terminal ? design_num_domains(design)
                                                     : regions;  // have ports of their own
    for (uint32_t d = 1; d < named; d++)
        fprintf(out, ",\n    .%s(clk_d[%" PRIu32 "]), .%s(%srst_d[%" PRIu32 "])",
                port_of(design, d, false).text, d, port_of(design, d, true).text, no, d);
    if (design->clocks && !design->axis.per_terminal)
        fprintf(out, ",\n    .clk_t_i(clk_t), .%s_t_i(%srst_t)", reset_stem(design),
                design->axis.aresetn ? "~" : "");
}

// --- the page ---

static void put_terminal_names(FILE *out, const struct design *design)
{
    const char *reset = reset_stem(design);
    if (design->axis.per_terminal)
        fprintf(out, "Terminal 3 has clock `t3_aclk` and reset `t3_%s`", reset);
    else
        fprintf(out, "Terminal t has clock `clk_t_i[t]` and reset `%s_t_i[t]`", reset);
}

void design_put_clock_names(FILE *out, const struct design *design)
{
    fprintf(out, "`%s` and `%s` are those of the network. ", port_of(design, 0, false).text,
            port_of(design, 0, true).text);
    if (design->clocks) put_terminal_names(out, design);
    for (uint32_t r = 1; r < design->regions.count; r++)
        fprintf(out, "%sregion %s has clock `%s` and reset `%s`",
                r > 1 || design->clocks ? ", " : "The ", design->regions.names[r].text,
                port_of(design, r, false).text, port_of(design, r, true).text);
    fputs(". Each reset is synchronous to its clock,", out);
}

void design_put_whose_clock(FILE *out, const struct design *design)
{
    fputs(design->clocks ? "All other ports of terminal t are in its clock."
                         : "All other ports of terminal t are in the clock of the region of its "
                           "switch.",
          out);
}

void design_put_polarity(FILE *out, const struct design *design)
{
    fputs(design->axis.aresetn ? "low" : "high", out);
}

void design_put_clock_rows(FILE *out, const struct design *design)
{
    for (size_t i = 0; design_has_domains(design) && i < design_num_constraints; i++)
        fprintf(out, "| `%s%s` | constraints of the paths between clocks |\n", design->name,
                design_constraints[i]);
}

// Writes the switches of a domain: "0, 1, 4".
static void put_switches_of(FILE *out, const struct design *design, uint32_t domain)
{
    const char *before = "";
    for (uint32_t s = 0; s < anl_shape_of(design->config).switches; s++) {
        if (design->regions.of_switch[s] != domain) continue;
        fprintf(out, "%s%" PRIu32, before, s);
        before = ", ";
    }
}

void design_put_domain_rows(FILE *out, const struct design *design)
{
    fputs("\n| entry of `clk_i` of `", out);
    fprintf(out, "%s_resets` | clock, reset | switches |\n|---|---|---|\n", design->name);
    for (uint32_t d = 0; d < design_num_domains(design); d++) {
        fprintf(out, "| %" PRIu32 " | `%s`, `%s` | ", d, port_of(design, d, false).text,
                port_of(design, d, true).text);
        put_switches_of(out, design, d);
        fputs(" |\n", out);
    }
}

// --- constraints ---

// Writes the name of a clock for constraints: of a port, or of a net in the user's design.
static void put_clock_name(FILE *out, const struct design *design, uint32_t domain)
{
    if (design->instance) fprintf(out, "%s.", design->instance);
    fputs(port_of(design, domain, false).text, out);
}

void design_put_lpf_clocks(FILE *out, const struct design *design)
{
    for (uint32_t d = 0; d < design_num_domains(design); d++) {
        fprintf(out, "FREQUENCY %s \"", design->instance ? "NET" : "PORT");
        put_clock_name(out, design, d);
        fputs("\" 100 MHZ;\n", out);
    }
}

void design_put_pcf_clocks(FILE *out, const struct design *design)
{
    for (uint32_t d = 0; d < design_num_domains(design); d++) {
        fputs("set_frequency ", out);
        put_clock_name(out, design, d);
        fputs(" 50\n", out);
    }
}
