// SPDX-License-Identifier: Apache-2.0
//
// anl_switch, whole: a lane of a link out carries one worm at a time, by the rules of admission, and
// never more flits than it has room for.
//
// A data bit of every flit says whether it came by one certain lane, which may be any. As the bit does
// not change between head and tail, all flits of a worm come by the lane of its head, where they
// follow one another (prove_switch_flits.sv).

`include "prove.svh"

module prove_switch_worms #(
  parameter  int NumPorts  = 2,
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 2,
  parameter  int Scan      = anl_pkg::Rotating,
  parameter  int Chained   = 0,
  parameter  int Greedy    = 0,                   // the last but one destination has two ports
  parameter  int Admission = anl_pkg::Wormhole,
  localparam int LengthW   = anl_pkg::LengthW,
  localparam int DstW      = anl_pkg::index_width(NumPorts),
  localparam int OriginBit = anl_pkg::head_width(DstW, Scan, Admission),
  localparam int FlitW     = OriginBit + 1,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LaneW     = anl_pkg::index_width(NumPorts * NumVcs),
  localparam int NumLanes  = NumPorts * NumVcs
) (
  input logic                          clk_i,
  input logic [31:0]                   seed_i,
  input logic [NumPorts-1:0]           valid_i,
  input logic [NumPorts*VcW-1:0]       vc_i,
  input logic [NumPorts*(FlitW+2)-1:0] flit_i,
  input logic [NumLanes-1:0]           credit_i,
  input logic [LaneW-1:0]              origin_i    // the certain lane, as it is in the reset cycle
);

  localparam bit Whole = Admission != anl_pkg::Wormhole;

  `include "switch.svh"

  logic [LaneW-1:0] origin_q;
  always_ff @(posedge clk_i) begin : certain_lane
    if (rst_i) origin_q <= origin_i;
  end

  for (genvar p = 0; p < NumPorts; p++) begin : g_worms
    wire [LinkW-1:0]   in_flit  = flit_i[p*LinkW +: LinkW];
    wire [LinkW-1:0]   out_flit = flit[p*LinkW +: LinkW];
    wire               head     = in_flit[FlitW+1];
    wire [LengthW-1:0] length   = LengthW'(in_flit[FlitW-1:0] >> DstW);
    wire [LengthW-1:0] out_length = LengthW'(out_flit[FlitW-1:0] >> DstW);

    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      localparam int L = p * NumVcs + v;
      logic            of_origin_q;        // the worm that is going out comes by the certain lane
      logic [CntW-1:0] left_q;             // flits of the worm coming in that are still to come
      wire [CntW-1:0]  lent = lent_q[L*CntW +: CntW];

      always_ff @(posedge clk_i) begin : model
        if (departs[L] && out_flit[FlitW+1]) of_origin_q <= out_flit[OriginBit];
        if (arrives[L]) left_q <= CntW'(head ? 32'(length) - 1 : 32'(left_q) - 1);
      end

      `GIVEN(MarkedByOrigin, !arrives[L] || in_flit[OriginBit] == (32'(origin_q) == L))
      `GIVEN(WormsAreAsLongAsTheySay, !Whole || !arrives[L] || (head
          ? length >= 1 && 32'(length) <= Depth && in_flit[FlitW] == (length == 1)
          : in_flit[FlitW] == (left_q == 1)))

      `PROVE(WormsAreWhole, !departs[L] || out_flit[FlitW+1] == !sent_q[L])
      `PROVE(FlitsOfAWormTogether, !departs[L] || out_flit[FlitW+1]
                                   || out_flit[OriginBit] == of_origin_q)
      `PROVE(LaneHasRoom, !overflow[L])
      if (Whole) begin : g_whole
        `PROVE(RoomForTheWholeWorm, !departs[L] || !out_flit[FlitW+1]
                                    || 32'(lent) + 32'(out_length) <= Depth)
      end
      if (Admission == anl_pkg::StoreAndForward) begin : g_stored
        `PROVE(HeadWaitsForItsTail, !departs[L] || !out_flit[FlitW+1] || !out_flit[OriginBit]
                                    || 32'(held_q[origin_q*CntW +: CntW]) >= 32'(out_length))
      end
    end

    `GIVEN(PortExists, !valid_i[p] || !head || 32'(in_flit[DstW-1:0]) < NumPorts)
  end

  `PROVE(LaneExists, ((NumVcs & (NumVcs - 1)) == 0) || departs != '0 || valid == '0)
  `PROVE(SomethingMovesIfAllIsFree, held_q == '0 || lent_q != '0 || sent_q != '0 || valid != '0
                                    || Admission == anl_pkg::StoreAndForward)

endmodule
