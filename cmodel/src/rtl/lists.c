// SPDX-License-Identifier: Apache-2.0
//
// Writes the lists of output ports that heads carry with routing source as a SystemVerilog package.

#include "rtl.h"

#include <inttypes.h>

enum { LIST_WORDS = ANL_MAX_FLIT_WIDTH_BITS / 32 };

// Writes the list of a worm in hexadecimal digits.
static void put_list(const struct anl_config *config, uint32_t from, uint32_t to, FILE *file)
{
    const struct anl_worm worm = {.source = from, .destination = to};
    const uint32_t bits = anl_source_port_bits(config);
    uint8_t ports[ANL_MAX_FLIT_WIDTH_BITS];
    uint32_t words[LIST_WORDS + 1] = {0}, length;
    anl_source_list(config, &worm, ports, &length);
    for (uint32_t i = 0; i < length * bits; i++)
        words[i / 32] |= (uint32_t)(ports[i / bits] >> i % bits & 1) << i % 32;
    const uint32_t width = config->graph->longest_route * bits;
    fprintf(file, "%" PRIu32 "'h", width);
    for (uint32_t digit = (width + 3) / 4; digit-- > 0;)
        fprintf(file, "%" PRIX32, words[digit / 8] >> digit % 8 * 4 & 15);
}

static void put_lists_of(const struct anl_config *config, uint32_t from, FILE *file)
{
    enum { LISTS_A_LINE = 8 };
    const uint32_t terminals = config->graph->terminals;
    fprintf(file, "      %" PRIu32 ": lists = {", from);
    for (uint32_t left = terminals; left > 0;) {
        fputs((terminals - left) % LISTS_A_LINE ? " " : "\n        ", file);
        put_list(config, from, --left, file);
        if (left) fputs(",", file);
    }
    fputs("};\n", file);
}

enum anl_status anl_rtl_graph_lists(const struct anl_config *config, const char *name, FILE *file)
{
    if (!config->graph || config->routing != ANL_SOURCE || config->graph->own_routes ||
        anl_config_check(config, NULL))
        return ANL_ERR_ARGUMENT;
    const uint32_t terminals = config->graph->terminals, bits = anl_source_port_bits(config);
    fprintf(file,
            "// SPDX-License-Identifier: Apache-2.0\n"
            "//\n"
            "// Lists of output ports for heads in the graph %s_graph (%s). Written by annelid.\n\n"
            "// Some of the sizes are only for who looks.\n"
            "// verilator lint_off UNUSEDPARAM\n\n"
            "package %s_graph_lists_pkg;\n\n"
            "  localparam int PortW = %" PRIu32 ";  // bits of a port\n"
            "  localparam int ListW = %" PRIu32 ";  // bits of a list\n\n"
            "  // The lists from terminal t to each terminal, from the last one down to 0.\n"
            "  function automatic logic [%" PRIu32 "*ListW-1:0] lists(input int t);\n"
            "    case (t)\n",
            name, anl_routing_name(config->paths), name, bits, config->graph->longest_route * bits,
            terminals);
    for (uint32_t from = 0; from < terminals; from++)
        put_lists_of(config, from, file);
    fprintf(file, "      default: lists = {%" PRIu32 "{{ListW{1'b0}}}};\n    endcase\n", terminals);
    fputs("  endfunction\n\nendpackage\n", file);
    return ANL_OK;
}
