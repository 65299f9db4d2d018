// SPDX-License-Identifier: Apache-2.0
//
// anl_ready_to_credit, anl_lane_ready_to_credit, anl_stop_to_credit: what crosses the link of the style crosses our
// link in the same cycle, as it is, and never without a credit (docs/link.md, "Links of other styles").
//
// The sender does what it likes, but for a stop that it has seen; so no rule of it is needed for the credits. The
// receiver returns credits of what was sent at any time.

`include "prove.svh"

module prove_to_credit #(
  parameter  int Style  = 0,               // 0: ready_valid, 1: ready_valid_per_lane, 2: stop_go
  parameter  int NumVcs = 2,
  parameter  int Depth  = 2,
  localparam int FlitW  = 1,
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int CntW   = $clog2(Depth + 1),
  localparam int LinkW  = FlitW + 2
) (
  input logic              clk_i,
  input logic              valid_i,
  input logic [VcW-1:0]    vc_i,
  input logic [LinkW-1:0]  flit_i,
  input logic [NumVcs-1:0] credit_i
);

  `PROVE_RESET

  logic              valid, taken;         // taken: what is offered crosses the link of the style
  logic [VcW-1:0]    vc;
  logic [LinkW-1:0]  flit;
  logic [NumVcs-1:0] go, stop_q;           // go: bit v: lane v is ready, or not stopped

  if (Style == 0) begin : g_dut
    logic ready;
    anl_ready_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_dut (
      .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .ready_o(ready), .valid_o(valid), .vc_o(vc), .flit_o(flit), .credit_i
    );
    assign go    = {NumVcs{ready}};
    assign taken = ready;
  end else if (Style == 1) begin : g_per_lane
    anl_lane_ready_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_dut (
      .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .ready_o(go), .valid_o(valid), .vc_o(vc), .flit_o(flit), .credit_i
    );
    assign taken = (go & (NumVcs'(1) << vc_i)) != '0;
  end else begin : g_stop
    logic [NumVcs-1:0] stop;
    anl_stop_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_dut (
      .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .stop_o(stop), .valid_o(valid), .vc_o(vc), .flit_o(flit), .credit_i
    );
    assign go    = ~stop;
    assign taken = 1'b1;
    `GIVEN(SenderSeesTheStop, !valid_i || (stop_q & (NumVcs'(1) << vc_i)) == '0)
  end

  always_ff @(posedge clk_i) begin : before
    stop_q <= rst_i ? '0 : ~go;
  end

  `GIVEN(LanesExist, 32'(vc_i) < NumVcs)
  `PROVE(SentIffTaken, valid == (valid_i && taken))
  `PROVE(SentAsGiven, !valid || {vc, flit} == {vc_i, flit_i})
  `COVER(FlitWithoutAMark, valid && flit == '0)

  logic [NumVcs*CntW-1:0] lent_q;          // flits sent and credits not yet returned

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    wire [CntW-1:0] lent = lent_q[v*CntW +: CntW];
    wire            send = valid && 32'(vc) == v;

    always_ff @(posedge clk_i) begin : model
      lent_q[v*CntW +: CntW] <= rst_i ? '0 : lent + CntW'(send) - CntW'(credit_i[v]);
    end

    `GIVEN(CreditForWhatIsThere, !credit_i[v] || lent != '0)
    `PROVE(SendsWithCreditOnly, !send || 32'(lent) < Depth)
    `COVER(LastCreditIsSpent, send && 32'(lent) == Depth - 1)
    `COVER(CreditOfAFullLane, 32'(lent) == Depth && credit_i[v])
    if (Style == 0) begin : g_ready
      `PROVE(ReadyIfTheLaneHasCredit, 32'(vc_i) != v || go[v] == (32'(lent) < Depth))
      `COVER(WaitsForACredit, valid_i && 32'(vc_i) == v && !taken)
    end else if (Style == 1) begin : g_per_lane
      `PROVE(ReadyIffItHasCredit, go[v] == (32'(lent) < Depth))
      `COVER(OffersAnotherLane, NumVcs == 1 || (valid && !go[v]))
    end else begin : g_stop
      `PROVE(StopsForNothingElse, go[v] || 32'(lent) == Depth || (32'(lent) == Depth - 1 && !stop_q[v]))
      `COVER(UnderWayWhenStopRises, send && !go[v] && 32'(lent) == Depth - 1)
      `COVER(GoesWithOneCredit, go[v] && 32'(lent) == Depth - 1)
    end
  end

endmodule
