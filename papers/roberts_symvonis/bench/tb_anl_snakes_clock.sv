// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_snakes_clock #(
  parameter int Index,
  parameter int Even
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int CountW = 3;
  localparam int SlotW = anl_layout_pkg::SlotW;
  localparam int NumTimes = anl_snakes_pkg::NumTimes;
  localparam int K = anl_layout_pkg::K;
  localparam int S = anl_layout_pkg::S;
  localparam int Slots = anl_layout_pkg::Slots;
  localparam int Half = anl_layout_pkg::Half;
  logic begins, busy, last;
  logic [CountW-1:0] supersteps;
  logic [NumTimes-1:0] times;
  logic [SlotW-1:0] slot;

  `BENCH("anl_snakes_clock", Index, {Half, Slots, S, K, SlotW, CountW, Even})
  assign {supersteps, begins} = in;
  assign out = {slot, times, last, busy};

  anl_snakes_clock #(.CountW(CountW)) u_dut (
    .clk_i, .rst_i, .even_i(Even == 1), .begin_i(begins), .supersteps_i(supersteps),
    .busy_o(busy), .last_o(last), .time_o(times), .slot_o(slot)
  );

endmodule
