// SPDX-License-Identifier: Apache-2.0
//
// The kinds of ports that a design can have: a row is all that is known of one (struct
// design_kind).

#include "design.h"

#include <string.h>

#define ADAPTERS(module) "anl_credit_to_" module " anl_" module "_to_credit"

// Links of another style, with adapters to those of the network.
#define STYLE(name, adapter)                                                                       \
    .word = #name, .top = "top_style.sv", .tb = "bench.sv", .bench = "bench_style.sv",             \
    .page = "ports_style.md", .style = &design_##name, .modules = ADAPTERS(adapter),               \
    .lines = "\nLinks are wide: each has a line for each lane, and all ports have an entry for "   \
             "each line. Line v of terminal t is number\nt * NumVcs + v; it carries the flits of " \
             "lane v, as a link of one lane, whose number is 0.\n",                                \
    .uncounted = "the adapters of links at the terminals"

// What the page of a design with streams says of lists.
#define LISTS                                                                                      \
    "\nWorms find their way by a list of output ports, which the terminals put into their "        \
    "heads.\n"

const struct design_kind design_kinds[] = {
    {.word = "links",
     .top = "top_links.sv",
     .tb = "bench.sv",
     .bench = "bench_links.sv",
     .page = "ports_links.md",
     .bare = true,
     .lines = "\nLinks are wide: each has a line for each lane, and `valid`, `vc` and `flit` are "
              "there for each line. Line v of terminal t\nis number t * NumVcs + v; it carries the "
              "flits of lane v, and `vc` says so.\n"},
    {.word = "axis",
     .top = "top_axis.sv",
     .tb = "bench.sv",
     .bench = "bench_axis.sv",
     .page = "ports_axis.md",
     .streams = true,
     .lines = "\nLinks are wide: a terminal has a stream in and out for each lane of its links, "
              "number t * NumVcs + v for lane v. What is\nshown on a stream in waits for this lane "
              "alone; packets come out on any stream of their terminal.\n",
     .lists = LISTS,
     .flit_bits = design_axis_bits,
     .asked = design_axis_asked,
     .put_clocks = design_axis_clocks,
     .put_widths = design_axis_widths,
     .put_beats = design_axis_beats,
     .put_interfaces = design_axis_interfaces,
     .check = design_axis_check},
    {.word = "axi",
     .top = "top_axi.sv",
     .tb = "bench_axi.sv",
     .page = "ports_axi.md",
     .values = design_axi_values,
     .modules = "anl_axi_subordinate anl_axi_lite_subordinate anl_axi_manager anl_axi_checker",
     .streams = true,
     .paths = true,
     .lists = LISTS,
     .cost_ports = design_axi_cost,
     .prepare = design_axi_prepare,
     .forget = design_axi_forget,
     .flit_bits = design_axi_bits,
     .asked = design_axi_asked,
     .put_clocks = design_axi_clocks,
     .put_widths = design_axi_widths,
     .put_interfaces = design_axi_interfaces,
     .check = design_axis_check},
    {STYLE(ready_valid, "ready")},
    {STYLE(ready_valid_per_lane, "lane_ready")},
    {STYLE(stop_go, "stop")},
    {STYLE(credit_pulse_shared, "pulse"), .check = design_pulses_check},
};

const size_t design_num_kinds = sizeof design_kinds / sizeof *design_kinds;

const struct design_kind *design_kind_named(const char *word)
{
    // Links of the style credit are those of the network itself.
    if (strcmp(word, "credit") == 0) word = "links";
    for (size_t i = 0; i < design_num_kinds; i++)
        if (strcmp(design_kinds[i].word, word) == 0) return &design_kinds[i];
    return NULL;
}
