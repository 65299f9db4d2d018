// SPDX-License-Identifier: Apache-2.0
//
// The choosing cells of a supernode side by side, each in one position.

`include "bench.svh"

module tb_anl_choose #(
  parameter int Index,
  parameter int Right
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int East = anl_bufferless_pkg::East;
  localparam int West = anl_bufferless_pkg::West;
  localparam int South = anl_bufferless_pkg::South;
  localparam int North = anl_bufferless_pkg::North;
  localparam int SlotW = anl_layout_pkg::SlotW;
  localparam int NumTimes = anl_snakes_pkg::NumTimes;
  localparam int DstW = 8;
  localparam int LinkW = DstW + 2;
  localparam int P = anl_bufferless_pkg::NumPorts;
  logic [NumTimes-1:0] times;
  logic [SlotW-1:0] slot, gap;
  logic west, east, exchange;
  logic [DstW-1:0] dst, from, to;
  logic [P-1:0] entry_chosen, processor_chosen, centre_chosen, arm_chosen, start_chosen, box_chosen;
  logic [P*P-1:0] entry, processor, centre, arm, start, box;

  `BENCH("anl_choose", Index, {Right, SlotW})
  assign {to, from, dst, exchange, east, west, gap, slot, times} = in;
  assign out = {box, box_chosen, start, start_chosen, arm, arm_chosen, centre, centre_chosen,
                processor, processor_chosen, entry, entry_chosen};

  // The left cells of the upper half, or the right ones of the lower half.
  anl_choose_entry #(.Corner((Right == 1) ? 3 : 0)) u_entry (
    .time_i(times), .slot_i(slot), .gap_i(gap), .chosen_o(entry_chosen), .choice_o(entry)
  );
  anl_choose_processor #(.Outer((Right == 1) ? South : North)) u_processor (
    .time_i(times), .west_i(west), .east_i(east), .chosen_o(processor_chosen), .choice_o(processor)
  );
  anl_choose_centre u_centre (
    .time_i(times), .exchange_i(exchange), .chosen_o(centre_chosen), .choice_o(centre)
  );
  anl_choose_arm #(.Outer((Right == 1) ? East : West)) u_arm (
    .time_i(times), .chosen_o(arm_chosen), .choice_o(arm)
  );
  // The lane is in column 4, the centre in row 8, the ends in rows 4 and 12.
  anl_choose_start #(.Outer((Right == 1) ? South : North), .DstW(DstW)) u_start (
    .time_i(times), .dst_i(dst), .column_i(4'd4), .middle_i(4'd8), .end_i((Right == 1) ? 4'd12 : 4'd4),
    .chosen_o(start_chosen), .choice_o(start)
  );
  anl_choose_box #(.Ports(6), .Way(East), .DstW(DstW), .LinkW(LinkW)) u_box (
    .time_i(times), .front_i({P{2'b10, dst}}), .from_i(from), .to_i(to), .chosen_o(box_chosen), .choice_o(box)
  );

endmodule
