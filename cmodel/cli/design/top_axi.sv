// SPDX-License-Identifier: Apache-2.0
//
@ORIGIN@//
// @NAME@: @WHAT@.
// Terminals of the network have AXI4 ports (@NAME@.md): s<terminal>_axi is a subordinate port, for a
// manager of yours; m<terminal>_axi is a manager port, for a memory of yours.
//
// Requests travel in class 0 of messages and replies in class 1, each class with one lane. The streams of
// terminal t are number 2 t (requests) and 2 t + 1 (replies).
// Timing: that of anl_axi_subordinate and anl_axi_manager.

module @NAME@ #(
  parameter  int Depth     = @DEPTH@,
  parameter  int Arbiter   = @ARBITER@,
  parameter  int Stages    = @STAGES@,
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = @WEIGHTS@,
  parameter  int Bursts    = @AXI_BURSTS@,          // under way at most, of each port and direction
@AXI_BURST_PARAMETERS@  parameter  int IdW       = @AXI_ID_W@,
  parameter  int DataW     = @AXI_DATA_W@,
  localparam int AddrW     = @AXI_ADDR_W@,
  localparam int StrbW     = DataW / 8
) (
@AXI_PORTS@);

  localparam int T         = @TERMINALS@;
  localparam int Classes   = 2;                    // requests, replies
  localparam int NumVcs    = 2;
  localparam int FlowControl = anl_pkg::Wormhole;
  localparam int LengthInHead = 0;
  localparam int Wide      = 0;
  localparam int Lines     = 1;
  localparam int LineVcs   = NumVcs;
  localparam int VcW       = anl_pkg::index_width(NumVcs);
  localparam int LineVcW   = VcW;
  localparam int LaneW     = anl_pkg::index_width(LineVcs / Classes);
  localparam int LengthW   = anl_head_pkg::LengthW;
  localparam int DstW      = @DST_W@;
  localparam int PathW     = @PATH_W@;
  localparam int BeatW     = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW);
  localparam int FlitW     = anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead) + PathW + BeatW;
  localparam int LinkW     = FlitW + 2;
  localparam int Streams   = T * Classes;

@AXI_MAP@
@SEEDS@
  anl_shared #(.Digest(64'h@SHARED@)) u_shared ();

  logic [T-1:0]             inj_valid, ej_valid;
  logic [T*VcW-1:0]         inj_vc, ej_vc;
  logic [T*LinkW-1:0]       inj_flit, ej_flit;
  logic [T*NumVcs-1:0]      inj_credit, ej_credit;

  logic [Streams-1:0]       s_tvalid, s_tlast, m_tready;
  logic [Streams*DstW-1:0]  s_tdest;
  logic [Streams*BeatW-1:0] s_beat;
  // Streams without a port are not read, and a stream has one lane.
  // verilator lint_off UNUSEDSIGNAL
  logic [Streams-1:0]       s_tready, m_tvalid, m_tlast;
  logic [Streams*BeatW-1:0] m_beat;
  logic [Streams*LaneW-1:0] m_lane;
  // verilator lint_on UNUSEDSIGNAL
  wire rst = !aresetn;

@CROSSINGS@@AXI_BODY@
  @NETWORK@ #(
@FIXED@    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Wide(Wide), .Stages(Stages),
    .Classes(Classes), .Weights(Weights)
  ) u_network (
    @NETWORK_CLOCKS@, .seed_i(Seeds),
@LINK_PINS@  );

@STREAMS@
endmodule
