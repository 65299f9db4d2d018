// SPDX-License-Identifier: Apache-2.0
//
// Assumes the contract of docs/link.md for a link, or for the source of a terminal, where mutants
// are proved harmless. Each lane brings one worm after the other, head first, and heads name
// terminals that exist. If heads carry a length, it is that of the worm; if a switch reads it, the
// worm fits its lane. Only Yosys reads this file.

module anl_contract #(
  parameter  int K         = 4,
  parameter  int N         = 2,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlitW     = 32,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int LengthInHead = 0,          // 1: heads say their length under wormhole, too
  localparam int DstW      = anl_cube_pkg::label_width(K, N),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LengthW   = anl_head_pkg::LengthW
) (
  input logic             clk_i,
  input logic             rst_i,
  input logic             valid_i,      // a flit is shown
  input logic             taken_i,      // it goes in this cycle; on a link always 1
  input logic [VcW-1:0]   vc_i,
  input logic [FlitW+1:0] flit_i
);

  localparam int DigitW = DstW / N;

  logic [NumVcs-1:0] open_q;      // the tail of the lane's worm is still to come
  logic              head, tail;

  assign {head, tail} = flit_i[FlitW+1:FlitW];

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic comes, goes;
    assign comes = valid_i && 32'(vc_i) == v;
    assign goes  = comes && taken_i;

    always_ff @(posedge clk_i) begin : open
      if (rst_i)     open_q[v] <= 1'b0;
      else if (goes) open_q[v] <= !tail;
    end
    always @* if (!rst_i && comes) assume (head == !open_q[v]);

    if (FlowControl != anl_pkg::Wormhole || LengthInHead != 0) begin : g_length
      logic [LengthW-1:0] left_q, left;          // flits still to come, with this one
      assign left = head ? flit_i[DstW +: LengthW] : left_q;
      always_ff @(posedge clk_i) begin : count
        if (goes) left_q <= left - 1'b1;
      end
      always @* if (!rst_i && comes) assume (left != '0 && tail == (left == 1)
                                             && (left <= Depth || FlowControl == anl_pkg::Wormhole));
    end
  end

  for (genvar d = 0; d < N; d++) begin : g_digit
    always @* if (!rst_i && valid_i && head) assume (32'(flit_i[d*DigitW +: DigitW]) < K);
  end

endmodule
