// SPDX-License-Identifier: Apache-2.0
//
// Lanes of its output port that the flit at the front of an input lane can be sent to.
//
// A head: the lanes of its set that no worm owns and that have `need` credits: 1 (wormhole), or the
// length of the worm (cut_through, store_and_forward). Another flit: the lane its worm is bound to,
// if that has a credit. docs/switch.md, "Eligible" and "takeable".
// Timing: combinational, no state.

module anl_admit #(
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int Admission = anl_pkg::Wormhole,
  localparam int CntW      = $clog2(Depth + 1)
) (
  input  logic                        head_i,
  input  logic [anl_head_pkg::LengthW-1:0] length_i,      // of a head; not read under wormhole
  input  logic [NumVcs-1:0]           set_i,         // of a head: lanes the route allows
  input  logic [NumVcs-1:0]           bound_vc_i,    // of another flit: its lane, one-hot

  // The lanes of the output port.
  input  logic [NumVcs-1:0]           free_i,        // no worm owns lane w
  input  logic [NumVcs-1:0]           has_credit_i,
  input  logic [NumVcs*CntW-1:0]      credits_i,     // not read under wormhole

  output logic [NumVcs-1:0]           can_o
);

  logic [NumVcs-1:0] enough;

  if (Admission == anl_pkg::Wormhole) begin : g_one
    assign enough = has_credit_i;
  end else begin : g_whole_worm
    localparam int CompareW = (CntW > anl_head_pkg::LengthW) ? CntW : anl_head_pkg::LengthW;
    for (genvar w = 0; w < NumVcs; w++) begin : g_lane
      assign enough[w] = CompareW'(credits_i[w*CntW +: CntW]) >= CompareW'(length_i);
    end
  end

  assign can_o = head_i ? (set_i & free_i & enough) : (bound_vc_i & has_credit_i);

endmodule
