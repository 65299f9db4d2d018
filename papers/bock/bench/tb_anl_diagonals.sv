// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_diagonals #(
  parameter int Index,
  parameter int N,
  parameter int C,
  parameter int FlitW,
  parameter int Slot,
  parameter int Bottom
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int W = anl_pkg::index_width(N);
  localparam int L = anl_diagonals_pkg::NumLinks;
  localparam int LinkW = FlitW + 2;
  logic [anl_diagonals_pkg::CommandW-1:0] command;
  logic [2*W-1:0] here;
  logic [W-1:0] first;
  logic [L-1:0] valid, valid_out, exit_valid;
  logic [L*LinkW-1:0] flit, flit_out, exit_flit;
  logic [LinkW-1:0] inj_flit;
  logic turn, top, fits, inj_valid, late, ahead_x, ahead_y, stands_x, stands_y, failed, fault;

  `BENCH("anl_diagonals", Index, {Bottom, Slot, FlitW, C, N})
  assign {late, inj_flit, inj_valid, flit, valid, ahead_y, ahead_x, fits, top, turn, first, here, command} = in;
  assign out = {fault, u_dut.collision, u_dut.meets, u_dut.broken, u_dut.astray, u_dut.taken_q, u_dut.latch,
                failed, exit_flit, exit_valid, flit_out, valid_out, stands_y, stands_x};

  anl_diagonals #(.N(N), .C(C), .FlitW(FlitW), .Slot(Slot), .Bottom(Bottom)) u_dut (
    .clk_i, .rst_i, .command_i(command), .here_i(here), .first_i(first), .turn_i(turn), .top_i(top), .fits_i(fits),
    .valid_i(valid), .flit_i(flit), .inj_valid_i(inj_valid), .inj_flit_i(inj_flit), .late_i(late),
    .stands_x_o(stands_x), .stands_y_o(stands_y), .ahead_x_i(ahead_x), .ahead_y_i(ahead_y),
    .valid_o(valid_out), .flit_o(flit_out), .exit_valid_o(exit_valid), .exit_flit_o(exit_flit),
    .failed_o(failed), .fault_o(fault)
  );

endmodule
