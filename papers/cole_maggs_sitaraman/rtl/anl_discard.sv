// SPDX-License-Identifier: Apache-2.0
//
// The lanes of a node that discards (papers/cole_maggs_sitaraman/discard.md): says which output lane sends the flit of which
// input lane, and keeps the owner of each output lane.
//
// A head takes the lowest lane of its link that has no owner and that no lower input takes in this
// cycle; if there is none, discard_o is 1. The flits behind it are sent in the lane that their input
// owns, or nowhere. Output lane v of link l has number l*NumVcs + v.
// Timing: the outputs are functions of registers and inputs in the same cycle. Owners change in
// cycles in which step_i is 1.

// Some state is read only by the probes (papers/cole_maggs_sitaraman/discard.md, "What is compared").
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_discard #(
  parameter  int NumVcs  = 2,                           // lanes of a link, at least 1
  parameter  int Inputs  = 4,                           // input lanes, 1 .. 31
  localparam int Links   = 2,
  localparam int Outputs = Links * NumVcs,
  localparam int InW     = anl_pkg::index_width(Inputs)
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic                   step_i,     // the step ends with this cycle

  // The flit that stands in each input lane; of a head, the link that it needs.
  input  logic [Inputs-1:0]      valid_i,
  input  logic [Inputs-1:0]      head_i,
  input  logic [Inputs-1:0]      tail_i,
  input  logic [Inputs-1:0]      link_i,
  output logic [Inputs-1:0]      discard_o,  // the head that stands here takes no lane

  // Whether each output lane sends a flit, and the input lane in which this flit stands.
  output logic [Outputs-1:0]     valid_o,
  output logic [Outputs*InW-1:0] input_o
);

  logic [Outputs-1:0]      busy;     // state that the lock-step compares: the lane has an owner,
  logic [Outputs*InW-1:0]  owner;    // this input lane
  logic [Inputs*2-1:0]     marks;    // {valid, tail} of each input
  logic [Links*Inputs-1:0] left;     // the heads that take no lane, by link

  for (genvar i = 0; i < Inputs; i++) begin : g_marks
    assign marks[i*2 +: 2] = {valid_i[i], tail_i[i]};
  end

  for (genvar l = 0; l < Links; l++) begin : g_link
    logic [NumVcs*Inputs-1:0] taken;  // bit v*Inputs + i: the head of input i takes lane v

    // The heads of this link take its free lanes in turn. The block writes its outputs once: Icarus
    // would take each intermediate value as a new event.
    always_comb begin : choose
      logic [Inputs-1:0]        heads, lowest;
      logic [NumVcs*Inputs-1:0] takes;
      heads = valid_i & head_i & (l == 0 ? ~link_i : link_i);
      takes = '0;
      for (int v = 0; v < NumVcs; v++) begin
        lowest = busy[l*NumVcs + v] ? '0 : heads & (~heads + 1'b1);
        takes[v*Inputs +: Inputs] = lowest;
        heads = heads & ~lowest;
      end
      taken = takes;
      left[l*Inputs +: Inputs] = heads;
    end

    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      localparam int O = l * NumVcs + v;
      logic           takes, valid, tail, busy_d, busy_q;
      logic [InW-1:0] taker, index, owner_q;

      anl_encode #(.Size(Inputs)) u_taker (.onehot_i(taken[v*Inputs +: Inputs]), .index_o(taker));
      anl_select #(.Size(Inputs), .Width(2), .Members((1 << Inputs) - 1)) u_flit (
        .index_i(index), .data_i(marks), .data_o({valid, tail})
      );

      assign takes  = taken[v*Inputs +: Inputs] != '0;
      assign index  = busy_q ? owner_q : taker;
      assign busy_d = valid_o[O] ? !tail : busy_q;

      assign valid_o[O]             = takes || (busy_q && valid);
      assign input_o[O*InW +: InW]  = index;
      assign busy[O]                = busy_q;
      assign owner[O*InW +: InW]    = owner_q;

      always_ff @(posedge clk_i) begin : regs
        if (rst_i)       busy_q <= 1'b0;
        else if (step_i) busy_q <= busy_d;
        if (step_i) owner_q <= index;
      end

      `ANL_ASSERT(AssumeWormsHaveNoGap, !busy_q || valid)
    end
  end

  assign discard_o = left[0 +: Inputs] | left[Inputs +: Inputs];

endmodule
