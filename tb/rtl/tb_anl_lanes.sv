// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_lanes #(
  parameter int Index,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int LowW
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int CntW = $clog2(Depth + 1);
  logic valid, pop;
  logic [LowW-1:0] here;
  logic [VcW-1:0] vc;
  logic [FlitW+1:0] flit, read;
  logic [NumVcs-1:0] sel, credit, held;
  logic [NumVcs*CntW-1:0] count;
  logic [NumVcs*(LowW+2)-1:0] front;
  logic [NumVcs*LowW-1:0] differs;

  `BENCH("anl_lanes", Index, {LowW, FlitW, Depth, NumVcs})
  assign {here, pop, sel, flit, vc, valid} = in;
  assign out = {read, differs, front, count, held, credit};

  anl_lanes #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .LowW(LowW)) u_dut (
    .clk_i, .rst_i, .valid_i(valid), .vc_i(vc), .flit_i(flit), .credit_o(credit),
    .here_i(here), .front_o(front), .differs_o(differs), .held_o(held), .count_o(count),
    .sel_i(sel), .pop_i(pop), .flit_o(read)
  );

endmodule
