// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_owners #(
  parameter int Index,
  parameter int NumPorts,
  parameter int NumVcs
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int PortW = anl_pkg::index_width(NumPorts);
  localparam int VcW = anl_pkg::index_width(NumVcs);
  logic [NumVcs-1:0] move, owned;
  logic head, tail;
  logic [PortW-1:0] port;
  logic [VcW-1:0] vc;
  logic [NumVcs*PortW-1:0] ports;
  logic [NumVcs*VcW-1:0] vcs;

  `BENCH("anl_owners", Index, {NumVcs, NumPorts})
  assign {vc, port, tail, head, move} = in;
  assign out = {vcs, ports, owned};

  anl_owners #(.NumPorts(NumPorts), .NumVcs(NumVcs)) u_dut (
    .clk_i, .rst_i, .move_i(move), .head_i(head), .tail_i(tail), .from_i(NumPorts'(1) << port), .vc_i(vc),
    .owned_o(owned), .port_o(ports), .vc_o(vcs)
  );

endmodule
