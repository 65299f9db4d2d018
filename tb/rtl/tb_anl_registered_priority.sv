// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_registered_priority #(
  parameter int Index,
  parameter int NumVcs
) (
  input logic clk_i,
  input logic rst_i
);

  logic [NumVcs-1:0] held, eligible, ask;
  logic [anl_pkg::index_width(NumVcs)-1:0] ptr;
  logic accept;

  `BENCH("anl_registered_priority", Index, {NumVcs})
  assign {accept, eligible, held} = in;
  assign out = {ptr, ask};

  anl_registered_priority #(.NumVcs(NumVcs)) u_dut (
    .clk_i, .rst_i, .held_i(held), .eligible_i(eligible), .ask_o(ask),
    .taken_i(accept && (ask & eligible) != '0), .ptr_o(ptr)
  );

endmodule
