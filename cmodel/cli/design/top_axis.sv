// SPDX-License-Identifier: Apache-2.0
//
@ORIGIN@//
// @NAME@: @WHAT@.
// The terminals of the network are AXI4-Streams (@NAME@.md).
//
// The streams of terminal t for class c of messages are number t * Classes + c; if links are wide, those
// of lane v of its links are number t * NumVcs + v. A packet travels as a worm and a beat as a flit, whose
// width follows from what a beat has. s_tdest is the label of the destination, of the first beat. A
// packet is created in the cycle in which its first beat is shown.
// Timing: m_* are functions of registers, and s_tready of registers and of the length of a packet if heads
// say it; with several classes also of s_tvalid.

module @NAME@ #(
  parameter  int NumVcs    = @NUM_VCS@,
  parameter  int Depth     = @DEPTH@,
  parameter  int TdataW    = @TDATA_W@,          // whole bytes
  @TUSER_IS@ int TuserW    = @TUSER_W@,
  parameter  int Arbiter   = @ARBITER@,
  @LENGTH_IS@ int FlowControl = @FLOW_CONTROL@,
  @LENGTH_IS@ int LengthInHead = @LENGTH_IN_HEAD@,
  @STREAMS_ARE@ int Wide      = @WIDE@,
  parameter  int Stages    = @STAGES@,
  @STREAMS_ARE@ int Classes   = @CLASSES@,
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = @WEIGHTS@,
  localparam int T         = @TERMINALS@,
  localparam int DstW      = @DST_W@,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam int PathW     = @PATH_W@,
  localparam int TkeepW    = @TKEEP_W@,
  localparam int SourceW   = @SOURCE_W@,
  localparam int BeatW     = TdataW + TkeepW + TuserW + SourceW,  // of a beat in a flit
  localparam int FlitW     = anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead) + PathW + BeatW,
  localparam int LinkW     = FlitW + 2,
  localparam int Lines     = anl_pkg::lines_of(Wide, NumVcs),   // of a link
  localparam int LineVcs   = NumVcs / Lines,    // lanes that share a line
  localparam int LineVcW   = anl_pkg::index_width(LineVcs),
  localparam int LaneW     = anl_pkg::index_width(LineVcs / Classes),
@TID_W@  localparam int Streams   = T * Lines * Classes                // in, and as many out
) (
@AXIS_PORTS@);

@SEEDS@
  anl_shared #(.Digest(64'h@SHARED@)) u_shared ();

  logic [T*Lines-1:0]       inj_valid, ej_valid;
  logic [T*Lines*VcW-1:0]   inj_vc, ej_vc;
  logic [T*Lines*LinkW-1:0] inj_flit, ej_flit;
  logic [T*NumVcs-1:0]      inj_credit, ej_credit;

  // What flits carry of beats. The lane that a beat comes from is told if packets interleave.
  logic [Streams*BeatW-1:0] s_beat, m_beat;
  // verilator lint_off UNUSEDSIGNAL
  logic [Streams*LaneW-1:0] m_lane;
  // verilator lint_on UNUSEDSIGNAL

@AXIS_BODY@
@CROSSINGS@  @NETWORK@ #(
@FIXED@    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Wide(Wide), .Stages(Stages),
    .Classes(Classes), .Weights(Weights)
  ) u_network (
    @NETWORK_CLOCKS@, .seed_i(Seeds),
@LINK_PINS@  );

@STREAMS@
endmodule
