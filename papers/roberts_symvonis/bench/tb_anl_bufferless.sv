// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_bufferless #(
  parameter int Index,
  parameter int FlitW,
  parameter int Turns
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int P = anl_bufferless_pkg::NumPorts;
  localparam int T = anl_bufferless_pkg::Terminal;
  localparam int LinkW = FlitW + 2;
  logic [P-1:0] links, valid_out;
  logic [T-1:0] valid;
  logic [T*LinkW-1:0] flit;
  logic [P*LinkW-1:0] front, flit_out;
  logic [P*P-1:0] way;
  logic [LinkW-1:0] inj_flit;
  logic [P-1:0] head;
  logic inj_valid, late, fault;

  `BENCH("anl_bufferless", Index, {Turns, FlitW})
  assign {late, way, inj_flit, inj_valid, flit, valid, links} = in;
  assign out = {fault, u_dut.collision, u_dut.broken, u_dut.astray, u_dut.latch, flit_out, valid_out, head, front};

  anl_bufferless #(.FlitW(FlitW), .Turns(Turns)) u_dut (
    .clk_i, .rst_i, .links_i(links), .valid_i(valid), .flit_i(flit), .inj_valid_i(inj_valid),
    .inj_flit_i(inj_flit), .late_i(late), .head_o(head), .front_o(front), .way_i(way),
    .valid_o(valid_out), .flit_o(flit_out), .fault_o(fault)
  );

endmodule
