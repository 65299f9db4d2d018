// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_binding #(
  parameter int Index,
  parameter int NumPorts,
  parameter int NumVcs,
  parameter int Arbiter = anl_pkg::RoundRobin
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int PortW = anl_pkg::index_width(NumPorts);
  localparam int VcW = anl_pkg::index_width(NumVcs);
  logic [NumVcs-1:0] learn, move, bound;
  logic head, tail;
  logic [NumVcs*PortW-1:0] wanted;
  logic [NumVcs*NumPorts-1:0] port, to;
  logic [VcW-1:0] vc;
  logic [15:0] rank;
  logic [NumVcs*PortW-1:0] ports;
  logic [NumVcs*VcW-1:0] vcs;
  logic [NumVcs*16-1:0] ranks;

  `BENCH("anl_binding", Index, {Arbiter, NumVcs, NumPorts})
  assign {rank, vc, wanted, learn, tail, head, move} = in;
  assign out = {ranks, vcs, ports, to, bound};

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    assign port[v*NumPorts +: NumPorts] = NumPorts'(1) << wanted[v*PortW +: PortW];
  end

  anl_binding #(.NumPorts(NumPorts), .NumVcs(NumVcs), .Arbiter(Arbiter)) u_dut (
    .clk_i, .rst_i, .learn_i(learn), .port_i(port), .offer_i(move), .move_i(move), .head_i(head), .tail_i(tail),
    .vc_i(vc), .rank_i(rank), .bound_o(bound), .to_o(to), .port_o(ports), .vc_o(vcs),
    .rank_o(ranks)
  );

endmodule
