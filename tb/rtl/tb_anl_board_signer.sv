// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_board_signer #(
  parameter int Index,
  parameter int NumVcs,
  parameter int FlitW
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int VcW = anl_pkg::index_width(NumVcs), LinkW = FlitW + 2;
  logic valid;
  logic [LinkW-1:0] flit;
  logic [VcW-1:0] vc;
  logic [31:0] cycle, signature;

  `BENCH("anl_board_signer", Index, {FlitW, NumVcs})
  assign {flit, vc, cycle, valid} = in;
  assign out = {signature};

  anl_board_signer #(.NumVcs(NumVcs), .FlitW(FlitW)) u_dut (
    .clk_i, .rst_i, .valid_i(valid), .flit_i(flit), .vc_i(vc), .cycle_i(cycle),
    .signature_o(signature)
  );

endmodule
