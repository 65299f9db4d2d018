// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_board_source #(
  parameter int Index,
  parameter int K,
  parameter int N,
  parameter int FlitW,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int LengthInHead = 0,
  parameter int Worms,
  parameter int Length
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int LinkW = FlitW + 2;
  logic valid, ready;
  logic [LinkW-1:0] flit;
  logic [31:0] seed;

  `BENCH("anl_board_source", Index, {Length, Worms, LengthInHead, FlowControl, FlitW, N, K})
  assign {ready, seed} = in;
  assign out = {flit, valid};

  // While another bench of the room runs, the inputs are 0; a generator must not get 0 as its
  // seed.
  anl_board_source #(
    .K(K), .N(N), .FlitW(FlitW), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Worms(Worms),
    .Length(Length)
  ) u_dut (
    .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed),
    .src_valid_o(valid), .src_flit_o(flit), .src_ready_i(ready)
  );

endmodule
