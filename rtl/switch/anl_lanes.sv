// SPDX-License-Identifier: Apache-2.0
//
// The NumVcs lanes (virtual channels) at the end of a link: one FIFO of Depth flits each.
//
// The marks and the low LowW data bits of the front flit of every lane are visible; they are enough
// to route it. The whole flit is visible only for the lane sel_i. So the other bits of all lanes
// share one memory with one write port and one read port. A single lane keeps its front in a
// register, which is read without an address. A second register beside it holds the low bits in
// which the front differs from here_i, so that half of the comparison in a route is already done.
//
// Timing: front_o, differs_o, held_o and count_o are functions of registers; flit_o follows sel_i;
// credit_o follows sel_i and pop_i. A flit that enters in cycle t can be at the front in t + 1.

// Lanes whose flits are visible as a whole need no shared memory.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_lanes #(
  parameter  int NumVcs = 4,
  parameter  int Depth  = 4,
  parameter  int FlitW  = 32,
  parameter  int LowW   = 8,                               // 1 .. FlitW
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int CntW   = $clog2(Depth + 1),
  localparam int FrontW = LowW + 2                         // {head, tail, low bits}
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  // The link (docs/link.md). The sender must have a credit for each flit it sends.
  input  logic                     valid_i,
  input  logic [VcW-1:0]           vc_i,
  input  logic [FlitW+1:0]         flit_i,
  output logic [NumVcs-1:0]        credit_o,

  // Front flits of the lanes, meaningful where held_o is 1; here_i must be constant.
  input  logic [LowW-1:0]          here_i,
  output logic [NumVcs*FrontW-1:0] front_o,
  output logic [NumVcs*LowW-1:0]   differs_o, // low bits of the front that differ from here_i
  output logic [NumVcs-1:0]        held_o,    // bit v: lane v holds a flit
  output logic [NumVcs*CntW-1:0]   count_o,

  // The lane that is read, one-hot or 0, and whether its front flit leaves.
  input  logic [NumVcs-1:0]        sel_i,
  input  logic                     pop_i,
  output logic [FlitW+1:0]         flit_o
);

  localparam int PtrW = anl_pkg::index_width(Depth);

  logic [NumVcs-1:0]      lane, push, pop;
  logic [NumVcs*PtrW-1:0] wr_ptr, rd_ptr;
  logic [FrontW-1:0]      entry, front_sel;

  anl_decode #(.Size(NumVcs)) u_vc (.index_i(vc_i), .onehot_o(lane));

  assign push     = lane & {NumVcs{valid_i}};
  assign pop      = sel_i & {NumVcs{pop_i}};
  assign credit_o = pop;
  assign entry    = {flit_i[FlitW+1:FlitW], flit_i[LowW-1:0]};

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    if (NumVcs == 1) begin : g_only
      logic              load;
      logic [FrontW-1:0] next;
      logic [LowW-1:0]   differs_q;

      always_ff @(posedge clk_i) begin : differs
        if (load) differs_q <= next[LowW-1:0] ^ here_i;
      end
      assign differs_o = differs_q;

      anl_front_fifo #(.Depth(Depth), .Width(FrontW)) u_fifo (
        .clk_i, .rst_i, .push_i(push), .data_i(entry), .pop_i(pop),
        .front_o, .held_o, .count_o, .wr_ptr_o(wr_ptr), .rd_ptr_o(rd_ptr),
        .load_o(load), .next_o(next)
      );
    end else begin : g_one_of_many
      assign differs_o[v*LowW +: LowW] = front_o[v*FrontW +: LowW] ^ here_i;

      anl_fifo #(.Depth(Depth), .Width(FrontW)) u_fifo (
        .clk_i, .rst_i, .push_i(push[v]), .data_i(entry), .pop_i(pop[v]),
        .front_o(front_o[v*FrontW +: FrontW]), .held_o(held_o[v]),
        .count_o(count_o[v*CntW +: CntW]),
        .wr_ptr_o(wr_ptr[v*PtrW +: PtrW]), .rd_ptr_o(rd_ptr[v*PtrW +: PtrW])
      );
    end
  end

  if (NumVcs == 1) begin : g_alone
    assign front_sel = front_o;
  end else begin : g_selected
    anl_mux #(.Size(NumVcs), .Width(FrontW)) u_front (.sel_i, .data_i(front_o), .data_o(front_sel));
  end

  if (LowW < FlitW) begin : g_rest
    localparam int RestW = FlitW - LowW;
    logic [RestW-1:0] rest;
    anl_lane_memory #(.NumVcs(NumVcs), .Depth(Depth), .Width(RestW)) u_memory (
      .clk_i,
      .write_i(valid_i), .write_lane_i(lane), .wr_ptr_i(wr_ptr), .data_i(flit_i[FlitW-1:LowW]),
      .read_lane_i(sel_i), .rd_ptr_i(rd_ptr), .data_o(rest)
    );
    assign flit_o = {front_sel[FrontW-1:LowW], rest, front_sel[LowW-1:0]};
  end else begin : g_no_rest
    assign flit_o = front_sel;
  end

  `ANL_ASSERT(SelectIsOneHotOrZero, (sel_i & (sel_i - 1'b1)) == '0)
  `ANL_ASSERT(PopOnlyWhatIsHeld, (pop & ~held_o) == '0)
  `ANL_ASSERT(AssumeLaneExists, !valid_i || 32'(vc_i) < NumVcs)

endmodule
