// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_diagonals #(
  parameter int Index,
  parameter int N,
  parameter int D,
  parameter int C,
  parameter int FlitW
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int W = anl_pkg::index_width(N);
  localparam int T = D - 1;
  localparam int L = 2 * D;
  localparam int LinkW = FlitW + 2;
  logic [anl_diagonals_pkg::CommandW-1:0] command;
  logic [D*W-1:0] here;
  logic [T*W-1:0] first;
  logic [T-1:0] slot, turn, top, fits, bottom, stops_x, waits_x, stops_y, waits_y, stands_x, stands_y, ahead_y;
  logic [L-1:0] valid, valid_out, exit_valid;
  logic [L*LinkW-1:0] flit, flit_out, exit_flit;
  logic [LinkW-1:0] inj_flit;
  logic odd, inj_valid, late, failed, fault;

  `BENCH("anl_diagonals", Index, {FlitW, C, D, N})
  assign {late, inj_flit, inj_valid, flit, valid, ahead_y, stands_y, stands_x, bottom, fits, top, turn, slot, first, here,
          odd, command} = in;
  assign out = {fault, u_dut.collision, u_dut.meets, u_dut.broken, u_dut.astray, u_dut.taken, u_dut.latch,
                failed, exit_flit, exit_valid, flit_out, valid_out, waits_y, stops_y, waits_x, stops_x};

  anl_diagonals #(.N(N), .D(D), .C(C), .FlitW(FlitW)) u_dut (
    .clk_i, .rst_i, .command_i(command), .odd_i(odd), .here_i(here), .first_i(first),
    .slot_i(slot), .turn_i(turn), .top_i(top), .fits_i(fits), .bottom_i(bottom),
    .valid_i(valid), .flit_i(flit), .inj_valid_i(inj_valid), .inj_flit_i(inj_flit), .late_i(late),
    .stops_x_o(stops_x), .waits_x_o(waits_x), .stops_y_o(stops_y), .waits_y_o(waits_y),
    .stands_x_i(stands_x), .stands_y_i(stands_y), .ahead_y_i(ahead_y),
    .valid_o(valid_out), .flit_o(flit_out), .exit_valid_o(exit_valid), .exit_flit_o(exit_flit),
    .failed_o(failed), .fault_o(fault)
  );

endmodule
