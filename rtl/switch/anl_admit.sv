// SPDX-License-Identifier: Apache-2.0
//
// The lanes of an output port that can accept the flit at the front of an input lane
// (docs/switch.md, rule 2).
//
// A head can go to each lane of its set that no worm owns and that has enough credits: one under
// wormhole, the length of the worm under cut_through and store_and_forward. Another flit can go
// only to the lane that its worm is bound to, and only if that lane has a credit.
// Timing: can_o is combinational; the module has no state.

// A policy or field that is absent leaves some inputs unread. The ports stay, so that all instances
// look the same.
// verilator lint_off UNUSEDSIGNAL

module anl_admit #(
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlowControl = anl_pkg::Wormhole,
  localparam int CntW      = $clog2(Depth + 1)
) (
  input  logic                        head_i,
  input  logic [anl_head_pkg::LengthW-1:0] length_i,      // flits; not read under wormhole
  input  logic [NumVcs-1:0]           set_i,         // of a head: lanes that the route allows
  input  logic [NumVcs-1:0]           bound_vc_i,    // of another flit: its lane, one-hot

  // State of the lanes of the output port; lane w is at bit w.
  input  logic [NumVcs-1:0]           free_i,        // no worm owns the lane
  input  logic [NumVcs-1:0]           has_credit_i,
  input  logic [NumVcs*CntW-1:0]      credits_i,     // 0 .. Depth each; not read under wormhole

  output logic [NumVcs-1:0]           can_o
);

  logic [NumVcs-1:0] enough;

  if (FlowControl == anl_pkg::Wormhole) begin : g_one
    assign enough = has_credit_i;
  end else begin : g_whole_worm
    localparam int CompareW = (CntW > anl_head_pkg::LengthW) ? CntW : anl_head_pkg::LengthW;
    for (genvar w = 0; w < NumVcs; w++) begin : g_lane
      assign enough[w] = CompareW'(credits_i[w*CntW +: CntW]) >= CompareW'(length_i);
    end
  end

  assign can_o = head_i ? (set_i & free_i & enough) : (bound_vc_i & has_credit_i);

endmodule
