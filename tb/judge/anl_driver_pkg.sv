// SPDX-License-Identifier: Apache-2.0
//
// The C functions of the terminals of a network that is judged (cmodel/include/annelid/driver.h).

package anl_driver_pkg;
  localparam int WidestFlit = 544;  // ANL_WIRE_WORDS words of 32 bits

  import "DPI-C" function longint unsigned anl_driver_sv_create(
    input string scenario, input string links, input string settings, input string trace,
    input string report, input longint unsigned patience_cycles, input real hesitation, input bit json);
  import "DPI-C" function longint unsigned anl_driver_sv_live(input longint unsigned handle);
  import "DPI-C" function bit anl_driver_sv_sends(
    input longint unsigned handle, input int unsigned terminal, output int unsigned vc,
    output bit [WidestFlit-1:0] flit);
  import "DPI-C" function int unsigned anl_driver_sv_takes(
    input longint unsigned handle, input int unsigned terminal);
  import "DPI-C" function void anl_driver_sv_saw(
    input longint unsigned handle, input int unsigned terminal, input int unsigned back,
    input bit valid, input int unsigned vc, input bit [WidestFlit-1:0] flit);
  import "DPI-C" function bit anl_driver_sv_cycle(input longint unsigned handle);
  import "DPI-C" function bit anl_driver_sv_end(input longint unsigned handle);
  import "DPI-C" function void anl_driver_sv_destroy(input longint unsigned handle);
endpackage
