// SPDX-License-Identifier: Apache-2.0
//
// anl_command between registers, on four pins, to measure its clock on a part (docs/fpga.md).

module fpga_command #(
  parameter  int N        = 2,
  parameter  int NameW    = 8,
  parameter  int LinkW    = 34,
  localparam int P        = anl_bufferless_pkg::NumPorts,
  localparam int SlotW    = anl_layout_pkg::SlotW,
  localparam int NumTimes = anl_snakes_pkg::NumTimes,
  localparam int PlaceW   = anl_pkg::index_width(N),
  localparam int InW      = 1 + 2 * PlaceW + NumTimes + SlotW + P + P * LinkW,
  localparam int OutW     = 4 + 2 * SlotW
) (
  input  logic clk_i,
  input  logic serial_i,
  input  logic load_i,
  output logic serial_o
);

  logic                rst, exchange, west, east, overflow;
  logic [2*PlaceW-1:0] here;
  logic [NumTimes-1:0] times;
  logic [SlotW-1:0]    slot;
  logic [P-1:0]        head;
  logic [P*LinkW-1:0]  front;
  logic [2*SlotW-1:0]  gap;
  logic [InW-1:0]      in;
  logic [OutW-1:0]     out;

  serial_in  #(.Width(InW)) u_in (.clk_i, .serial_i, .data_o(in));
  serial_out #(.Width(OutW)) u_out (.clk_i, .load_i, .data_i(out), .serial_o);

  assign {rst, here, times, slot, head, front} = in;
  assign out = {exchange, west, east, gap, overflow};

  anl_command #(.N(N), .NameW(NameW), .LinkW(LinkW)) u_command (
    .clk_i, .rst_i(rst), .here_i(here), .time_i(times), .slot_i(slot), .head_i(head),
    .front_i(front), .exchange_o(exchange), .west_o(west), .east_o(east), .gap_o(gap),
    .overflow_o(overflow)
  );

endmodule
