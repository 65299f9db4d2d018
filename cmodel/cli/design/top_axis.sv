// SPDX-License-Identifier: Apache-2.0
//
@ORIGIN@//
// @NAME@: @WHAT@.
// The terminals of the network are AXI4-Streams (@NAME@.md).
//
// The streams of terminal t for class c of messages are at index t * Classes + c of each vector; if
// links are wide, those of lane v of its links are at index t * NumVcs + v. A
// packet travels as a worm and a beat as a flit. s_tdest is the label of the destination and s_tuser
// the number of beats, both of the first beat; m_tid is the lane within the class, because packets
// of different lanes interleave. A packet is created in the cycle in which its first beat is shown.
// Timing: m_* are functions of registers, and s_tready_o of registers and s_tuser_i; with several
// classes also of s_tvalid_i.

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
  localparam int DstW      = @DST_W@,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam int PathW     = @PATH_W@,
  localparam int DataW     = FlitW - anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead) - PathW,
  localparam int Lines     = anl_pkg::lines_of(Wide, NumVcs),   // of a link
  localparam int LineVcs   = NumVcs / Lines,    // lanes that share a line
  localparam int LineVcW   = anl_pkg::index_width(LineVcs),
  localparam int Streams   = T * Lines * Classes,               // in, and as many out
  localparam int TidW      = anl_pkg::index_width(LineVcs / Classes)
) (
  input  logic                       clk_i,
  input  logic                       rst_i,      // synchronous, for at least one cycle

  // Streams into the network.
  input  logic [Streams-1:0]         s_tvalid_i,
  output logic [Streams-1:0]         s_tready_o,
  input  logic [Streams*DataW-1:0]   s_tdata_i,
  input  logic [Streams-1:0]         s_tlast_i,
  input  logic [Streams*DstW-1:0]    s_tdest_i,
  input  logic [Streams*LengthW-1:0] s_tuser_i,

  // Streams out of the network.
  output logic [Streams-1:0]         m_tvalid_o,
  input  logic [Streams-1:0]         m_tready_i,
  output logic [Streams*DataW-1:0]   m_tdata_o,
  output logic [Streams-1:0]         m_tlast_o,
  output logic [Streams*TidW-1:0]    m_tid_o
);

@SEEDS@
  anl_shared #(.Digest(64'h@SHARED@)) u_shared ();

  logic [T*Lines-1:0]       inj_valid, ej_valid;
  logic [T*Lines*VcW-1:0]   inj_vc, ej_vc;
  logic [T*Lines*LinkW-1:0] inj_flit, ej_flit;
  logic [T*NumVcs-1:0]      inj_credit, ej_credit;

  @NETWORK@ #(
@FIXED@    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Wide(Wide), .Stages(Stages),
    .Classes(Classes), .Weights(Weights)
  ) u_network (
    .clk_i, .rst_i, .seed_i(Seeds),
    .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
    .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
  );

@STREAMS@
endmodule
