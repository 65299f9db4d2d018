// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_axis_packets #(
  parameter int Index,
  parameter int NumVcs
) (
  input logic clk_i,
  input logic rst_i
);

  logic [NumVcs-1:0] held, ends, gnt;
  logic ready, valid;
  logic [anl_pkg::index_width(NumVcs)-1:0] index;

  `BENCH("anl_axis_packets", Index, {NumVcs})
  // ends has a bit for each lane: the flit at its front ends a packet.
  assign {ready, ends, held} = in;
  assign out = {index, gnt, valid};

  anl_axis_packets #(.NumVcs(NumVcs)) u_dut (
    .clk_i, .rst_i, .held_i(held), .last_i((ends & gnt) != '0), .ready_i(ready),
    .valid_o(valid), .gnt_o(gnt), .index_o(index)
  );

endmodule
