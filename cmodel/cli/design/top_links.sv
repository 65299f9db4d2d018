// SPDX-License-Identifier: Apache-2.0
//
@ORIGIN@//
// @NAME@: @WHAT@.
// The terminals of the network are links (@NAME@.md).
//
// The links of terminal t are at index t of each vector; if they are wide, line v, which carries the
// flits of lane v, is at index t * NumVcs + v.
// Timing: @TIMING@

module @NAME@ #(
  parameter  int NumVcs    = @NUM_VCS@,
  parameter  int Depth     = @DEPTH@,
  parameter  int FlitW     = @FLIT_W@,
  parameter  int Arbiter   = @ARBITER@,
  parameter  int FlowControl = @FLOW_CONTROL@,
  parameter  int LengthInHead = @LENGTH_IN_HEAD@,
  parameter  int Wide      = @WIDE@,
  parameter  int Stages    = @STAGES@,
  parameter  int Classes   = @CLASSES@,
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = @WEIGHTS@,
  localparam int T         = @TERMINALS@,
  localparam int Lines     = anl_pkg::lines_of(Wide, NumVcs),   // of a link
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2
) (
  input  logic                     clk_i,
  input  logic                     rst_i,          // synchronous, for at least one cycle
@CLOCK_PORTS@
  // Injection links.
  input  logic [T*Lines-1:0]       inj_valid_i,
  input  logic [T*Lines*VcW-1:0]   inj_vc_i,
  input  logic [T*Lines*LinkW-1:0] inj_flit_i,     // {head, tail, data}
  output logic [T*NumVcs-1:0]      inj_credit_o,

  // Ejection links.
  output logic [T*Lines-1:0]       ej_valid_o,
  output logic [T*Lines*VcW-1:0]   ej_vc_o,
  output logic [T*Lines*LinkW-1:0] ej_flit_o,
  input  logic [T*NumVcs-1:0]      ej_credit_i
);

@SEEDS@
  anl_shared #(.Digest(64'h@SHARED@)) u_shared ();

@CROSSINGS@  @NETWORK@ #(
@FIXED@    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Wide(Wide), .Stages(Stages),
    .Classes(Classes), .Weights(Weights)
  ) u_network (
    @NETWORK_CLOCKS@, .seed_i(Seeds),
@LINK_PINS@  );

endmodule
