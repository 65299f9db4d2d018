// SPDX-License-Identifier: Apache-2.0
//
// anl_axi_merge: two streams whose beats stay until they are taken become one of the same kind, packet by packet.

`include "prove.svh"

module prove_axi_merge #(
  parameter int Width = 1
) (
  input logic               clk_i,
  input logic [1:0]         valid_i,
  input logic [2*Width-1:0] data_i,
  input logic [1:0]         last_i,
  input logic               ready_i
);

  `PROVE_RESET

  logic [1:0]       ready;
  logic             valid, last, from;
  logic [Width-1:0] data;

  anl_axi_merge #(.Width(Width)) u_dut (
    .clk_i, .rst_i, .valid_i, .ready_o(ready), .data_i, .last_i, .valid_o(valid), .ready_i, .data_o(data), .last_o(last),
    .from_o(from)
  );

  logic [1:0]         waits_q, passed_q;   // passed: a packet of the other one ended while a beat waited
  logic [2*Width+1:0] in_q;
  logic               shown_q, mid_q, of_q;
  logic [Width:0]     out_q;
  wire                taken = valid && ready_i;

  for (genvar s = 0; s < 2; s++) begin : g_stream
    always_ff @(posedge clk_i) begin : waits
      waits_q[s]  <= !rst_i && valid_i[s] && !ready[s];
      passed_q[s] <= !rst_i && valid_i[s] && !ready[s] && (passed_q[s] || (taken && last));
    end
    `GIVEN(BeatStays, !waits_q[s] || (valid_i[s] && {last_i[s], data_i[s*Width +: Width]}
                                      == {in_q[2*Width+s], in_q[s*Width +: Width]}))
    `PROVE(TakenIffItIsShown, !valid_i[s] || ready[s] == (ready_i && from == 1'(s)))
    `PROVE(PassedByOnePacket, !passed_q[s] || !valid || from == 1'(s))
  end

  always_ff @(posedge clk_i) begin : out
    in_q    <= {last_i, data_i};
    out_q   <= {last, data};
    shown_q <= !rst_i && valid && !ready_i;
    mid_q   <= !rst_i && (taken ? !last : mid_q);
    if (taken) of_q <= from;
  end

  `PROVE(SomethingIsShown, valid == (mid_q ? valid_i[of_q] : valid_i != '0))
  `PROVE(ShownAsItCame, !valid || (valid_i[from] && {last, data} == {last_i[from], data_i[from*Width +: Width]}))
  `PROVE(ShownUntilTaken, !shown_q || (valid && {last, data} == out_q))
  `PROVE(PacketsDoNotInterleave, !mid_q || !valid || from == of_q)

  `COVER(BothWait, valid_i == 2'b11 && waits_q == 2'b11)
  `COVER(GapInAPacket, mid_q && !valid && valid_i != '0)

endmodule
