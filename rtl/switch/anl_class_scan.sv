// SPDX-License-Identifier: Apache-2.0
//
// The weighted scan over classes of messages (docs/switch.md, "Message classes"). It chooses one of
// the classes that could send a flit over a link in this cycle.
//
// It chooses the first class with a candidate, in cyclic order from the favoured class on. Each flit
// that moves, of whichever class, lowers the quota by one. When the quota is used up the next class
// becomes the favoured one, with its weight as the quota. So no class waits for ever.
// Timing: gnt_o follows req_i; moved_i may depend on gnt_o; favoured_o and quota_o are functions of
// registers.

// The index of the winner is not needed here.
// verilator lint_off PINCONNECTEMPTY

`include "anl_assert.svh"

module anl_class_scan #(
  parameter  int Classes = 2,                             // of messages, at least 2
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of them (anl_pkg)
  localparam int ClassW  = anl_pkg::index_width(Classes),
  localparam int WeightW = anl_pkg::WeightW
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [Classes-1:0] req_i,       // bit c: class c has a candidate
  output logic [Classes-1:0] gnt_o,       // one-hot; 0 if no class has a candidate
  input  logic               moved_i,     // a flit of the class in gnt_o moves
  output logic [ClassW-1:0]  favoured_o,
  output logic [WeightW-1:0] quota_o      // flits that may still move before the next class is favoured
);

  localparam int QuotaW = anl_pkg::quota_width(Weights);

  logic [Classes-1:0]        favoured_d, favoured_q, next;    // one-hot
  logic [QuotaW-1:0]         quota_d, quota_q, next_quota;
  logic [Classes*QuotaW-1:0] weights;
  logic                      last;        // the next flit that moves is the last one of the quota

  for (genvar c = 0; c < Classes; c++) begin : g_weight
    localparam int Weight = anl_pkg::weight_of(Weights, c);
    assign weights[c*QuotaW +: QuotaW] = Weight[QuotaW-1:0];
  end

  // From the favoured class on all bits of the mask are 1.
  anl_arb_cyclic #(.Size(Classes)) u_arb (
    .req_i, .from_i(~(favoured_q - 1'b1)), .gnt_o, .index_o()
  );

  assign next = {favoured_q[Classes-2:0], favoured_q[Classes-1]};
  anl_mux #(.Size(Classes), .Width(QuotaW)) u_next_quota (
    .sel_i(next), .data_i(weights), .data_o(next_quota)
  );

  assign last       = quota_q == QuotaW'(1);
  assign favoured_d = (moved_i && last) ? next : favoured_q;
  assign quota_d    = !moved_i ? quota_q : last ? next_quota : quota_q - 1'b1;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) favoured_q <= Classes'(1);
    else       favoured_q <= favoured_d;
    if (rst_i) quota_q <= weights[QuotaW-1:0];
    else       quota_q <= quota_d;
  end

  anl_encode #(.Size(Classes)) u_favoured (.onehot_i(favoured_q), .index_o(favoured_o));
  assign quota_o = WeightW'(quota_q);

  `ANL_ASSERT(OneClassIsFavoured, favoured_q != '0 && (favoured_q & (favoured_q - 1'b1)) == '0)
  `ANL_ASSERT(QuotaIsNeverUsedUp, quota_q != '0)
  `ANL_ASSERT(AssumeAGrantedClassMoves, !moved_i || gnt_o != '0)

endmodule
