// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_command #(
  parameter int Index,
  parameter int N,
  parameter int Top
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int NameW = 4;
  localparam int DstW = anl_cube_pkg::label_width(N * anl_layout_pkg::Side, 2);
  localparam int LinkW = DstW + NameW + 3;
  localparam int P = anl_bufferless_pkg::NumPorts;
  localparam int PlaceW = anl_pkg::index_width(N);
  localparam int SlotW = anl_layout_pkg::SlotW;
  localparam int NumTimes = anl_snakes_pkg::NumTimes;
  localparam int K = anl_layout_pkg::K;
  localparam int Side = anl_layout_pkg::Side;
  localparam int Slots = anl_layout_pkg::Slots;
  localparam int Period = anl_layout_pkg::Period;
  logic [2*PlaceW-1:0] here;
  logic [NumTimes-1:0] times;
  logic [SlotW-1:0] slot;
  logic [P-1:0] head;
  logic [P*LinkW-1:0] front;
  logic exchange, west, east, overflow;
  logic [2*SlotW-1:0] gap;

  `BENCH("anl_command", Index, {Period, Slots, K, Side, SlotW, LinkW, DstW, NameW, Top, N})
  assign {front, head, slot, times, here} = in;
  assign out = {overflow, gap, east, west, exchange};

  anl_command #(.N(N), .NameW(NameW), .Top(Top), .LinkW(LinkW)) u_dut (
    .clk_i, .rst_i, .here_i(here), .time_i(times), .slot_i(slot), .head_i(head), .front_i(front),
    .exchange_o(exchange), .west_o(west), .east_o(east), .gap_o(gap), .overflow_o(overflow)
  );

endmodule
