// SPDX-License-Identifier: Apache-2.0
//
// The lane that an input port offers, of the lanes of one class of messages (docs/switch.md, rule 3).
//
// One of the eligible lanes is chosen by the arbitration policy, and sel_o is this lane if the scan over
// classes has chosen the class. A single lane has nothing to choose among. Where AtOnce is 1 sel_o does
// not wait for eligible_i: it is the lane that can be offered, known from registers alone, and nothing
// is offered unless that one is eligible.
// Timing: sel_o and index_o follow eligible_i, rank_i and random_i, or with AtOnce held_i alone; granted_i may
// depend on them; chosen_i may depend on any_o; ptr_o is a function of registers.

// A policy that is absent leaves some inputs unread. The ports stay, so that all instances look the
// same.
// verilator lint_off UNUSEDSIGNAL

module anl_offer #(
  parameter  int NumVcs  = 4,  // lanes of the class
  parameter  int Arbiter = anl_pkg::RoundRobin,
  parameter  int AtOnce  = 0,  // 1: one lane, or registered_priority, and chosen_i is 1
  localparam int RankW   = anl_head_pkg::RankW,
  localparam int VcW     = anl_pkg::index_width(NumVcs)
) (
  input  logic                    clk_i,
  input  logic                    rst_i,
  input  logic [7:0]              random_i,
  input  logic [NumVcs-1:0]       held_i,      // the lane holds a flit
  input  logic [NumVcs-1:0]       eligible_i,  // its front flit is eligible
  input  logic [NumVcs*RankW-1:0] rank_i,
  output logic                    any_o,       // the class has a lane that it can offer
  input  logic                    chosen_i,    // the class is chosen
  output logic [NumVcs-1:0]       sel_o,       // one-hot; 0: none
  output logic [VcW-1:0]          index_o,     // index of the lane; no meaning if there is none
  input  logic                    granted_i,   // the offer of the port is granted
  output logic [VcW-1:0]          ptr_o        // in_ptr of the class
);

  logic [NumVcs-1:0] first;

  if (NumVcs == 1) begin : g_only
    assign first = (AtOnce != 0) ? 1'b1 : eligible_i;
    assign index_o = '0;
    assign ptr_o = '0;
  end else if (Arbiter == anl_pkg::RegisteredPriority) begin : g_favour
    logic [NumVcs-1:0] ask;
    anl_registered_priority #(.NumVcs(NumVcs)) u_favour (
      .clk_i, .rst_i, .held_i, .eligible_i, .ask_o(ask), .taken_i(chosen_i && granted_i), .ptr_o
    );
    assign first = (AtOnce != 0) ? ask : ask & eligible_i;
    anl_encode #(.Size(NumVcs)) u_index (.onehot_i(ask), .index_o);
  end else begin : g_choice
    anl_arbiter #(.Size(NumVcs), .Arbiter(Arbiter)) u_arbiter (
      .clk_i, .rst_i, .req_i(eligible_i), .rank_i, .random_i, .gnt_o(first), .index_o,
      .taken_i(granted_i && chosen_i), .ptr_o
    );
  end

  assign any_o = (first & eligible_i) != '0;
  assign sel_o = first & {NumVcs{chosen_i}};

endmodule
