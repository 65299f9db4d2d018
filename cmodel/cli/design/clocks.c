// SPDX-License-Identifier: Apache-2.0
//
// Terminals with clocks of their own (docs/clocks.md): what the templates of a design say of
// clocks.

#include "design.h"

#include <inttypes.h>
#include <string.h>

const char *const design_constraints[] = {".sdc", ".xdc", ".lpf"};
const size_t design_num_constraints = sizeof design_constraints / sizeof *design_constraints;

// Returns the stem of the name of a reset.
static const char *reset_stem(const struct design *design)
{
    return design->axis.aresetn ? "aresetn" : "rst";
}

const char *design_clocks_of_terminals(const struct design *design)
{
    return design->in_bench || design->axis.per_terminal ? "clk_t" : "clk_t_i";
}

const char *design_resets_of_terminals(const struct design *design)
{
    const bool inside = design->in_bench || design->axis.per_terminal || design->axis.aresetn;
    return inside ? "rst_t" : "rst_t_i";
}

static void put_ports_of_each(FILE *out, const struct design *design)
{
    for (uint32_t t = 0; t < anl_shape_of(design->config).terminals; t++) {
        char name[32];
        snprintf(name, sizeof name, "t%" PRIu32 "_", t);
        design_axis_put_clock_info(out, design, name, t);
        fprintf(out, "  input  logic %saclk,\n", name);
        design_axis_put_reset_info(out, design, name);
        fprintf(out, "  input  logic %s%s,\n", name, reset_stem(design));
    }
}

void design_put_clock_ports(FILE *out, const struct design *design)
{
    if (!design->clocks) return;
    if (design->axis.per_terminal) {
        put_ports_of_each(out, design);
        return;
    }
    fprintf(out,
            "  input  logic [T-1:0]             clk_t_i,        // of the terminals\n"
            "  input  logic [T-1:0]             %s_t_i,%s    // synchronous to them%s\n",
            reset_stem(design), design->axis.aresetn ? "" : "    ",
            design->axis.aresetn ? ", active low" : "");
}

// Writes the clocks and resets, active high, inside of the module, where they are not its ports.
static void put_clocks_inside(FILE *out, const struct design *design)
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

void design_put_link_pins(FILE *out, const struct design *design)
{
    static const char *const pins[] = {"inj_valid_i", "inj_vc_i", "inj_flit_i", "inj_credit_o",
                                       "ej_valid_o",  "ej_vc_o",  "ej_flit_o",  "ej_credit_i"};
    const size_t count = sizeof pins / sizeof *pins;
    const bool plain = has_suffix(design) && !design->clocks;
    for (size_t i = 0; i < count; i++) {
        const int stem = (int)(strlen(pins[i]) - strlen("_i"));
        fprintf(out, "%s.%s", i % (count / 2) == 0 ? "    " : " ", pins[i]);
        if (!plain) fprintf(out, "(%s%.*s)", design->clocks ? "net_" : "", stem, pins[i]);
        fputs(i + 1 == count ? "\n" : i + 1 == count / 2 ? ",\n" : ",", out);
    }
}

void design_put_crossings(FILE *out, const struct design *design)
{
    if (!design->clocks) return;
    put_clocks_inside(out, design);
    design_fill(out, design, "crossings.sv");
}

void design_put_clocking(FILE *out, const struct design *design)
{
    design_fill(out, design, design->clocks ? "clocking_terminals.sv" : "clocking.sv");
}

void design_put_clock_signals(FILE *out, const struct design *design)
{
    if (design->clocks)
        fputs("  logic [T-1:0] clk_t = '0, rst_t = '1;    // of the terminals\n\n", out);
}

void design_put_clock_pins(FILE *out, const struct design *design)
{
    const char *no = design->axis.aresetn ? "~" : "";
    if (!design->clocks) return;
    if (!design->axis.per_terminal)
        fprintf(out, ",\n    .clk_t_i(clk_t), .%s_t_i(%srst_t)", reset_stem(design), no);
    for (uint32_t t = 0; design->axis.per_terminal && t < anl_shape_of(design->config).terminals;
         t++)
        fprintf(out,
                ",\n    .t%" PRIu32 "_aclk(clk_t[%" PRIu32 "]), .t%" PRIu32 "_%s(%srst_t[%" PRIu32
                "])",
                t, t, t, reset_stem(design), no, t);
}

void design_put_clock_names(FILE *out, const struct design *design)
{
    const char *reset = reset_stem(design);
    if (design->axis.per_terminal)
        fprintf(
            out,
            "`aclk` and `%s` are those of the network. Terminal 3 has clock `t3_aclk` and reset "
            "`t3_%s`, which is",
            reset, reset);
    else
        fprintf(
            out,
            "`clk_i` and `%s_i` are those of the network. Terminal t has clock `clk_t_i[t]` and "
            "reset `%s_t_i[t]`, which is",
            reset, reset);
}

void design_put_polarity(FILE *out, const struct design *design)
{
    fputs(design->axis.aresetn ? "low" : "high", out);
}

void design_put_clock_rows(FILE *out, const struct design *design)
{
    for (size_t i = 0; design->clocks && i < design_num_constraints; i++)
        fprintf(out, "| `%s%s` | constraints of the paths between clocks |\n", design->name,
                design_constraints[i]);
}

void design_put_lpf_clocks(FILE *out, const struct design *design)
{
    const bool each = design->axis.per_terminal;
    fprintf(out, "FREQUENCY PORT \"%s\" 100 MHZ;\n", each ? "aclk" : "clk_i");
    for (uint32_t t = 0; t < anl_shape_of(design->config).terminals; t++)
        fprintf(out,
                each ? "FREQUENCY PORT \"t%" PRIu32 "_aclk\" 100 MHZ;\n"
                     : "FREQUENCY PORT \"clk_t_i[%" PRIu32 "]\" 100 MHZ;\n",
                t);
}
