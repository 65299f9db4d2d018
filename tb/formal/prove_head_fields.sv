// SPDX-License-Identifier: Apache-2.0
//
// anl_head_fields: the fields of a head are where docs/link.md, "Data of a flit", has them, and a field
// that is absent, or that nobody reads, is 0.

`include "prove.svh"

module prove_head_fields #(
  parameter  int DstW      = 4,
  parameter  int Arbiter   = anl_pkg::RoundRobin,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int LengthInHead = 0,
  parameter  int PathW     = 2,
  localparam bit Reads     = FlowControl != anl_pkg::Wormhole,
  localparam bit Ranks     = Arbiter == anl_pkg::Age || Arbiter == anl_pkg::Farthest,
  localparam int LengthW   = (Reads || LengthInHead != 0) ? 7 : 0,
  localparam int RankW     = Ranks ? 16 : 0,
  localparam int Width     = DstW + LengthW + RankW + PathW
) (
  input logic             clk_i,
  input logic [Width-1:0] data_i
);

  `PROVE_RESET

  logic [DstW-1:0]                     dst;
  logic [6:0]                          length;
  logic [15:0]                         rank;
  logic [((PathW > 0) ? PathW : 1)-1:0] path;

  anl_head_fields #(
    .DstW(DstW), .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .PathW(PathW)
  ) u_dut (
    .data_i, .dst_o(dst), .length_o(length), .rank_o(rank), .path_o(path)
  );

  // The data with the lowest fields taken off, one after the other.
  wire [Width-1:0] behind_dst    = data_i >> DstW;
  wire [Width-1:0] behind_length = behind_dst >> LengthW;
  wire [Width-1:0] behind_rank   = behind_length >> RankW;

  `PROVE(DestinationIsLowest, dst == DstW'(data_i))
  `PROVE(LengthIsBehindIt, length == (Reads ? 7'(behind_dst) : 7'd0))
  `PROVE(RankIsBehindTheLength, rank == (Ranks ? 16'(behind_length) : 16'd0))
  `PROVE(PathIsLast, 32'(path) == 32'(behind_rank))

  `COVER(AllBitsAreSet, data_i == '1 && dst == '1)
  `COVER(AllFieldsDiffer, length != '0 && rank != '0 && path != '0 && 32'(length) != 32'(rank))

endmodule
