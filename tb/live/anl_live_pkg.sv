// SPDX-License-Identifier: Apache-2.0
//
// The C functions of a watch (cmodel/include/annelid/live.h), which the library libannelid has. They
// are declared once, with one width for all flits, as the DPI of every simulator wants it. A tool
// without DPI, such as Icarus, cannot read this file.

package anl_live_pkg;
  localparam int WidestFlit = 514;  // {head, tail, data}

  import "DPI-C" function longint unsigned anl_live_sv_create(
    input string scenario, input string links, input string trace, input string report,
    input longint unsigned patience_cycles, input bit credits);
  import "DPI-C" function void anl_live_sv_worm(
    input longint unsigned handle, input int unsigned source, input int unsigned destination,
    input int unsigned length, input int unsigned class_number);
  import "DPI-C" function void anl_live_sv_flit(
    input longint unsigned handle, input int unsigned link, input int unsigned vc,
    input int unsigned num_vcs, input int unsigned flit_width_bits,
    input bit [WidestFlit-1:0] flit, input int unsigned length);
  import "DPI-C" function void anl_live_sv_credits(
    input longint unsigned handle, input int unsigned link, input int unsigned lanes);
  import "DPI-C" function void anl_live_sv_wires(
    input longint unsigned handle, input int unsigned link, input bit valid, input int unsigned vc,
    input int unsigned num_vcs, input int unsigned width, input bit [WidestFlit-1:0] flit,
    input int unsigned back, input int unsigned length);
  import "DPI-C" function bit anl_live_sv_cycle(input longint unsigned handle);
  import "DPI-C" function void anl_live_sv_print(input longint unsigned handle);
  import "DPI-C" function bit anl_live_sv_end(input longint unsigned handle);
  import "DPI-C" function void anl_live_sv_destroy(input longint unsigned handle);
endpackage
