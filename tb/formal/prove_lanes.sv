// SPDX-License-Identifier: Apache-2.0
//
// anl_lanes, the end of a link: in every lane flits leave in the order in which they came, whole.
//
// As in prove_fifo.sv, with a mark on any flit of any one lane while the others do what they like.

`include "prove.svh"

module prove_lanes #(
  parameter  int NumVcs = 2,
  parameter  int Depth  = 2,
  parameter  int FlitW  = 2,
  parameter  int LowW   = 1,
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int CntW   = $clog2(Depth + 1),
  localparam int FrontW = LowW + 2
) (
  input logic             clk_i,
  input logic             valid_i,
  input logic [VcW-1:0]   vc_i,
  input logic [FlitW+1:0] flit_i,
  input logic             read_i,
  input logic [VcW-1:0]   read_vc_i,
  input logic             pop_i,
  input logic             mark_i,
  input logic [VcW-1:0]   lane_i           // the lane of the mark, as it is in the reset cycle
);

  `PROVE_RESET

  logic [NumVcs-1:0]        credit, held;
  logic [NumVcs*FrontW-1:0] front;
  logic [NumVcs*CntW-1:0]   count;
  logic [FlitW+1:0]         flit;
  wire  [NumVcs-1:0]        sel = read_i ? NumVcs'(1) << read_vc_i : '0;

  anl_lanes #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .LowW(LowW)) u_dut (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o(credit),
    .front_o(front), .held_o(held), .count_o(count), .sel_i(sel), .pop_i, .flit_o(flit)
  );

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [CntW-1:0] held_q;               // flits in the lane
    wire             push = valid_i && 32'(vc_i) == v;
    wire             pop  = pop_i && read_i && 32'(read_vc_i) == v;

    always_ff @(posedge clk_i) begin : model
      held_q <= rst_i ? '0 : held_q + CntW'(push) - CntW'(pop);
    end

    `GIVEN(PushHasRoom, !push || 32'(held_q) < Depth || pop)
    `GIVEN(PopHasFlit, !pop || held_q != '0)

    `PROVE(CountIsPushesLessPops, count[v*CntW +: CntW] == held_q)
    `PROVE(HeldIfAny, held[v] == (held_q != '0))
    `PROVE(CreditForWhatLeaves, credit[v] == pop)
  end

  logic [NumVcs*CntW-1:0] held_all;
  for (genvar v = 0; v < NumVcs; v++) begin : g_all
    assign held_all[v*CntW +: CntW] = g_lane[v].held_q;
  end

  logic [VcW-1:0]   lane_q;
  logic             marked_q, there_q;
  logic [CntW-1:0]  ahead_q;               // flits before the marked one
  logic [FlitW+1:0] flit_q;
  wire              pop  = pop_i && read_i && read_vc_i == lane_q;
  wire              mark = valid_i && vc_i == lane_q && mark_i && !marked_q;

  always_ff @(posedge clk_i) begin : model
    if (rst_i) lane_q <= lane_i;
    if (mark) begin
      {marked_q, there_q} <= 2'b11;
      ahead_q <= held_all[lane_q*CntW +: CntW] - CntW'(pop);
      flit_q  <= flit_i;
    end else if (there_q && pop) begin
      if (ahead_q == '0) there_q <= 1'b0;
      else               ahead_q <= ahead_q - 1'b1;
    end
    if (rst_i) {marked_q, there_q} <= 2'b00;
  end

  wire at_front = there_q && ahead_q == '0;

  `GIVEN(LanesExist, 32'(vc_i) < NumVcs && 32'(read_vc_i) < NumVcs && 32'(lane_q) < NumVcs)

  `PROVE(FrontInOrder, !at_front || front[lane_q*FrontW +: FrontW]
                                    == {flit_q[FlitW+1:FlitW], flit_q[LowW-1:0]})
  `PROVE(LeavesInOrder, !at_front || !read_i || read_vc_i != lane_q || flit == flit_q)

endmodule
