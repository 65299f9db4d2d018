// SPDX-License-Identifier: Apache-2.0
//
// What a link, or the source of a terminal, brings by docs/link.md, assumed where mutants are proved
// harmless: each lane worm by worm, head first; heads for terminals that there are; if heads carry a
// length, it is the worm's, and the worm fits its lane. Read by Yosys alone.

module anl_contract #(
  parameter  int K         = 4,
  parameter  int N         = 2,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlitW     = 32,
  parameter  int Admission = anl_pkg::Wormhole,
  localparam int DstW      = anl_cube_pkg::label_width(K, N),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LengthW   = anl_head_pkg::LengthW
) (
  input logic             clk_i,
  input logic             rst_i,
  input logic             valid_i,      // a flit is there
  input logic             taken_i,      // and goes in this cycle; on a link, always
  input logic [VcW-1:0]   vc_i,
  input logic [FlitW+1:0] flit_i
);

  localparam int DigitW = DstW / N;

  logic [NumVcs-1:0] open_q;      // a worm whose tail is still to come
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

    if (Admission != anl_pkg::Wormhole) begin : g_length
      logic [LengthW-1:0] left_q, left;          // flits still to come, with this one
      assign left = head ? flit_i[DstW +: LengthW] : left_q;
      always_ff @(posedge clk_i) begin : count
        if (goes) left_q <= left - 1'b1;
      end
      always @* if (!rst_i && comes) assume (left != '0 && left <= Depth && tail == (left == 1));
    end
  end

  for (genvar d = 0; d < N; d++) begin : g_digit
    always @* if (!rst_i && valid_i && head) assume (32'(flit_i[d*DigitW +: DigitW]) < K);
  end

endmodule
