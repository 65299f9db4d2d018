// SPDX-License-Identifier: Apache-2.0
//
// Terminals with clocks of their own (docs/clocks.md): what the templates of a design say of
// clocks.

#include "design.h"

#include <inttypes.h>
#include <string.h>

const char *const design_constraints[] = {".sdc", ".xdc", ".lpf"};
const size_t design_num_constraints = sizeof design_constraints / sizeof *design_constraints;

void design_put_clock_ports(FILE *out, const struct design *design)
{
    if (design->clocks)
        fputs("  input  logic [T-1:0]             clk_t_i,        // of the terminals\n"
              "  input  logic [T-1:0]             rst_t_i,        // synchronous to them\n",
              out);
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
    if (design->clocks) design_fill(out, design, "crossings.sv");
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
    if (design->clocks) fputs(",\n    .clk_t_i(clk_t), .rst_t_i(rst_t)", out);
}

void design_put_clock_rows(FILE *out, const struct design *design)
{
    for (size_t i = 0; design->clocks && i < design_num_constraints; i++)
        fprintf(out, "| `%s%s` | constraints of the paths between clocks |\n", design->name,
                design_constraints[i]);
}

void design_put_lpf_clocks(FILE *out, const struct design *design)
{
    for (uint32_t t = 0; t < anl_shape_of(design->config).terminals; t++)
        fprintf(out, "FREQUENCY PORT \"clk_t_i[%" PRIu32 "]\" 100 MHZ;\n", t);
}
