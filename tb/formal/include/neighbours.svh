// SPDX-License-Identifier: Apache-2.0
//
// The neighbours of a switch, which do whatever the link contract (docs/link.md) allows. Senders
// know how many flits their lanes hold, and send whole worms, each lane its own. Receivers return
// credits for the flits that they have, at any time.
//
// The including harness provides NumPorts, NumVcs, Depth, FlitW, DstW; Chained, which is 1 if all
// links are chained; the inputs seed_i, valid_i, vc_i, flit_i, credit_i; and the outputs of the
// switch, valid, vc, flit, credit. This file provides for each lane of the links in: held_q, its
// number of flits; worm_q, a worm has begun on the link and has not ended; dst_q, the destination
// of that worm. For each lane of the links out it provides lent_q, the flits sent and credits not
// yet returned, and sent_q, a worm has begun and has not ended. It also proves that the switch
// never sends to a full lane.

  localparam int CntW  = $clog2(Depth + 1);
  localparam int LinkW = FlitW + 2;

  logic [NumLanes*CntW-1:0] held_q, lent_q;
  logic [NumLanes-1:0]      worm_q, sent_q;
  logic [NumLanes*DstW-1:0] dst_q;
  logic [NumPorts-1:0]      legal;         // the sender of the port keeps the contract
  logic [NumLanes-1:0]      arrives, departs, overflow;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    wire [VcW-1:0]   in_vc   = vc_i[p*VcW +: VcW];
    wire [LinkW-1:0] in_flit = flit_i[p*LinkW +: LinkW];
    wire [VcW-1:0]   out_vc  = vc[p*VcW +: VcW];
    wire [LinkW-1:0] out_flit = flit[p*LinkW +: LinkW];
    logic [NumVcs-1:0] may;

    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      localparam int L = p * NumVcs + v;
      wire [CntW-1:0] held = held_q[L*CntW +: CntW];
      wire [CntW-1:0] lent = lent_q[L*CntW +: CntW];

      assign arrives[L]  = valid_i[p] && 32'(in_vc) == v;
      assign departs[L]  = valid[p] && 32'(out_vc) == v;
      assign overflow[L] = departs[L] && 32'(lent) == Depth && !(CreditBypass != 0 && credit_i[L]);
      assign may[v]      = !arrives[L]
                           || ((32'(held) < Depth || (CreditBypass != 0 && credit[L]))
                               && in_flit[FlitW+1] == !worm_q[L]);

      always_ff @(posedge clk_i) begin : model
        held_q[L*CntW +: CntW] <= held + CntW'(arrives[L]) - CntW'(credit[L]);
        lent_q[L*CntW +: CntW] <= lent + CntW'(departs[L]) - CntW'(credit_i[L]);
        if (arrives[L]) worm_q[L] <= !in_flit[FlitW];
        if (departs[L]) sent_q[L] <= !out_flit[FlitW];
        if (arrives[L] && in_flit[FlitW+1]) dst_q[L*DstW +: DstW] <= in_flit[DstW-1:0];
        if (rst_i) begin
          held_q[L*CntW +: CntW] <= '0;
          lent_q[L*CntW +: CntW] <= '0;
          worm_q[L] <= 1'b0;
          sent_q[L] <= 1'b0;
        end
      end

      `GIVEN(CreditForWhatIsThere, !credit_i[L] || lent != '0)

      `PROVE(CreditForWhatIsHeld, !credit[L] || held != '0)
      `PROVE(LaneHasRoom, !overflow[L])
      `COVER(LaneInIsFull, 32'(held) == Depth && worm_q[L])
      `COVER(LaneOutIsFull, 32'(lent) == Depth)
    end

    assign legal[p] = !valid_i[p] || (32'(in_vc) < NumVcs && may == {NumVcs{1'b1}});
    `GIVEN(SendersAreLegal, legal[p])
  end

  always_comb begin : seed_is_not_zero
    if (rst_i) assume (seed_i != '0);
  end
