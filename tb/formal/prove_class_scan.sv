// SPDX-License-Identifier: Apache-2.0
//
// anl_class_scan: the scan over classes of docs/switch.md, "Message classes". The classes a_i and b_i
// are any two. The waiter is any class, chosen in the reset cycle; how many flits of other classes
// can move while it has a candidate is counted.

`include "prove.svh"

module prove_class_scan #(
  parameter  int Classes = 2,
  parameter  int WeightBytes = 0,                        // the weight of each class; 0 stands for 1
  localparam int IdxW    = anl_pkg::index_width(Classes),
  localparam int CountW  = 16
) (
  input logic               clk_i,
  input logic [Classes-1:0] req_i,
  input logic               moved_i,
  input logic [IdxW-1:0]    a_i,
  input logic [IdxW-1:0]    b_i,
  input logic [IdxW-1:0]    waiter_i
);

  `PROVE_RESET

  logic [Classes-1:0]          gnt;
  logic [IdxW-1:0]             favoured;
  logic [anl_pkg::WeightW-1:0] quota;

  anl_class_scan #(.Classes(Classes), .Weights({32'd0, WeightBytes})) u_dut (
    .clk_i, .rst_i, .req_i, .gnt_o(gnt), .moved_i, .favoured_o(favoured), .quota_o(quota)
  );

  // The rule, with numbers of classes in place of masks.
  logic [31:0] weights [Classes];
  for (genvar c = 0; c < Classes; c++) begin : g_weight
    localparam int Given = (WeightBytes >> (8 * c)) % 256;
    assign weights[c] = (Given == 0) ? 1 : Given;
  end

  logic [31:0]     favoured_q, quota_q;
  logic            ready_q;                // the reset is over
  logic [IdxW-1:0] waiter_q;
  logic [CountW-1:0] passed_q;             // flits of others since the waiter has a candidate
  wire [31:0]      next = (favoured_q == Classes - 1) ? 0 : favoured_q + 1;

  always_ff @(posedge clk_i) begin : model
    ready_q <= !rst_i;
    if (rst_i) begin
      favoured_q <= 0;
      quota_q    <= weights[0];
      waiter_q   <= waiter_i;
      passed_q   <= '0;
    end else begin
      if (moved_i && quota_q == 1) begin
        favoured_q <= next;
        quota_q    <= weights[IdxW'(next)];
      end else if (moved_i) quota_q <= quota_q - 1;
      if (!req_i[waiter_q] || (moved_i && gnt[waiter_q])) passed_q <= '0;
      else if (moved_i) passed_q <= passed_q + 1'b1;
    end
  end

  wire [31:0] to_a = 32'(a_i) + (32'(a_i) < favoured_q ? Classes : 0) - favoured_q;
  wire [31:0] to_b = 32'(b_i) + (32'(b_i) < favoured_q ? Classes : 0) - favoured_q;

  // While the waiter has a candidate, it is passed by flits until it is the favoured class: by as many
  // as the weights of the classes before it, and what is left of the quota.
  logic [31:0] most;
  always_comb begin : sum
    most = 0;
    for (int c = 0; c < Classes; c++)
      if (c != 32'(waiter_q)) most = most + weights[c];
  end
  // Flits of others that can still pass the waiter.
  logic [31:0] left;
  always_comb begin : rest
    left = 0;
    for (int c = 0; c < Classes; c++)
      if (32'(c) + (32'(c) < favoured_q ? Classes : 0) - favoured_q
          < 32'(waiter_q) + (32'(waiter_q) < favoured_q ? Classes : 0) - favoured_q)
        left = left + (32'(c) == favoured_q ? quota_q : weights[c]);
  end

  `GIVEN(IndicesInRange, 32'(a_i) < Classes && 32'(b_i) < Classes && 32'(waiter_i) < Classes)
  `GIVEN(MovedImpliesRequest, !moved_i || req_i != '0)

  `PROVE(FavouredAsTheRuleSays, !ready_q || 32'(favoured) == favoured_q)
  `PROVE(QuotaAsTheRuleSays, !ready_q || 32'(quota) == quota_q)
  `PROVE(GrantImpliesRequest, !gnt[a_i] || req_i[a_i])
  `PROVE(OneGrant, !gnt[a_i] || !gnt[b_i] || a_i == b_i)
  `PROVE(GrantIfAnyRequest, !req_i[a_i] || gnt != '0)
  `PROVE(FirstFromTheFavoured, !ready_q || !gnt[a_i] || !req_i[b_i] || to_a <= to_b)
  `PROVE(PassedByTheWeightsOfOthers, !ready_q || 32'(waiter_q) >= Classes
                                     || 32'(passed_q) + left <= most)

  `COVER(WaitsAsLongAsItCan, ready_q && gnt[waiter_q] && moved_i && 32'(passed_q) == most)
  `COVER(AnotherClassMoves, ready_q && moved_i && !gnt[favoured] && favoured != '0)
  `COVER(FavouredClassDoesNotMove, ready_q && gnt[favoured] && !moved_i && 32'(favoured) == Classes - 1)

endmodule
