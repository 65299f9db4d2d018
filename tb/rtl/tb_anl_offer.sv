// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_offer #(
  parameter int Index,
  parameter int NumVcs,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int AtOnce  = 0
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int VcW = anl_pkg::index_width(NumVcs);
  logic [7:0]           random;
  logic [NumVcs-1:0]    held, eligible, sel;
  logic [NumVcs*16-1:0] rank;
  logic [VcW-1:0]       index, ptr;
  logic                 any, chosen, accept;

  `BENCH("anl_offer", Index, {AtOnce, Arbiter, NumVcs})
  assign {accept, chosen, rank, eligible, held, random} = in;
  assign out = {ptr, index, sel, any};

  // If the class is not chosen, it is the offer of another one that is granted.
  anl_offer #(.NumVcs(NumVcs), .Arbiter(Arbiter), .AtOnce(AtOnce)) u_dut (
    .clk_i, .rst_i, .random_i(random), .held_i(held), .eligible_i(eligible), .rank_i(rank), .any_o(any),
    .chosen_i(chosen), .sel_o(sel), .index_o(index), .granted_i(accept && (any || !chosen)), .ptr_o(ptr)
  );

endmodule
