// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_arbiter #(
  parameter int Index,
  parameter int Size,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int Members
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int IdxW   = anl_pkg::index_width(Size);
  localparam int IndexW = anl_pkg::index_width(anl_pkg::members(Members, Size));
  logic [Size-1:0]    req, gnt;
  logic [Size*16-1:0] rank;
  logic [7:0]         random;
  logic [IndexW-1:0]  index;
  logic [IdxW-1:0]    ptr;
  logic               accept;

  `BENCH("anl_arbiter", Index, {Members, Arbiter, Size})
  assign {accept, random, rank, req} = in;
  assign out = {ptr, index, gnt};

  anl_arbiter #(.Size(Size), .Arbiter(Arbiter), .Members(Members)) u_dut (
    .clk_i, .rst_i, .req_i(req), .rank_i(rank), .random_i(random), .gnt_o(gnt), .index_o(index),
    .taken_i(accept && gnt != 0), .ptr_o(ptr)
  );

endmodule
