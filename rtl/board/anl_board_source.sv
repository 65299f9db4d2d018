// SPDX-License-Identifier: Apache-2.0
//
// Source of worms at a terminal of a board: the process generator of docs/board.md.
//
// It shows a flit in every cycle after reset until the tail of its last worm has been taken.
// Destinations, lengths and data are bits of a random state that steps with each flit taken.
// Timing: src_valid_o and src_flit_o are functions of registers.

// Narrow flits and short labels leave bits of a source's random state unread.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_board_source #(
  parameter  int K         = 4,                  // at most 256
  parameter  int N         = 2,                  // at most 3
  parameter  int FlitW     = 32,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int LengthInHead = 0,               // 1: heads say their length under wormhole, too
  parameter  int Worms     = 1,                  // number of worms, at least 1
  parameter  int Length    = 8,                  // flits of the longest worm, at most 256
  localparam int LinkW     = FlitW + 2
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [31:0]      seed_i,               // not 0, sampled in reset

  output logic             src_valid_o,
  output logic [LinkW-1:0] src_flit_o,
  input  logic             src_ready_i
);

  localparam int CoordW = anl_pkg::index_width(K);
  localparam int DstW   = anl_cube_pkg::label_width(K, N);
  localparam bit HasLength = FlowControl != anl_pkg::Wormhole || LengthInHead != 0;
  localparam int FieldW = DstW + (HasLength ? anl_head_pkg::LengthW : 0);
  localparam int WormsW = $clog2(Worms + 1);
  localparam int RestW  = anl_pkg::index_width(Length);

  logic [31:0]       random;
  logic              taken, head, tail, head_q, more_q;
  logic [RestW-1:0]  rest, rest_q;               // flits of the worm behind the one shown
  logic [WormsW-1:0] worms_q;                    // worms whose tail has not been taken
  logic [FieldW-1:0] fields;                     // fields of a head
  logic [FlitW-1:0]  data;

  assign head  = head_q;
  assign taken = src_ready_i && more_q;

  anl_prng u_random (.clk_i, .rst_i, .seed_i, .step_i(taken), .random_o(random));

  for (genvar d = 0; d < N; d++) begin : g_digit
    assign fields[d*CoordW +: CoordW] = CoordW'(16'(random[8*d +: 8]) * 16'(K) >> 8);
  end

  assign rest = head ? RestW'(16'(random[31:24]) * 16'(Length) >> 8) : rest_q;
  assign tail = rest == '0;

  if (HasLength) begin : g_length
    assign fields[DstW +: anl_head_pkg::LengthW] = anl_head_pkg::LengthW'(rest) + 1'b1;
  end

  for (genvar i = 0; i < FlitW; i++) begin : g_data
    if (i < FieldW) begin : g_field
      assign data[i] = head ? fields[i] : random[i % 32];
    end else begin : g_free
      assign data[i] = random[i % 32];
    end
  end

  assign src_valid_o = more_q;
  assign src_flit_o  = {head, tail, data};

  always_ff @(posedge clk_i) begin : regs
    if (taken) rest_q <= rest - 1'b1;
    if (rst_i) begin
      head_q  <= 1'b1;
      more_q  <= 1'b1;
      worms_q <= WormsW'(Worms);
    end else if (taken) begin
      head_q  <= tail;
      more_q  <= !tail || worms_q != WormsW'(1);
      worms_q <= worms_q - WormsW'(tail);
    end
  end

  `ANL_ASSERT(MoreWhileWormsAreLeft, more_q == (worms_q != '0))

endmodule
