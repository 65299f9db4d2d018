// SPDX-License-Identifier: Apache-2.0
//
@ORIGIN@// @NAME@: @WHAT@.
// The terminals of the network are links of style @STYLE@ (@NAME@.md).
//
// The links of terminal t are at index t of each vector; if they are wide, line v, which carries the
// flits of lane v, is at index t * NumVcs + v, and its lane is 0.
// Timing: @STYLE_TIMING@

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
  localparam int LineVcs   = NumVcs / Lines,    // lanes that share a line
  localparam int VcW       = anl_pkg::index_width(LineVcs),
  localparam int BackW     = @BACK_W@,
  localparam int LinkW     = FlitW + 2
) (
  input  logic                     clk_i,
  input  logic                     rst_i,          // synchronous, for at least one cycle
@CLOCK_PORTS@
  // Injection links.
  input  logic [T*Lines-1:0]       inj_valid_i,
  input  logic [T*Lines*VcW-1:0]   inj_vc_i,
  input  logic [T*Lines*LinkW-1:0] inj_flit_i,     // {head, tail, data}
  output logic [T*Lines*BackW-1:0] inj_@BACK@_o,

  // Ejection links.
  output logic [T*Lines-1:0]       ej_valid_o,
  output logic [T*Lines*VcW-1:0]   ej_vc_o,
  output logic [T*Lines*LinkW-1:0] ej_flit_o,
  input  logic [T*Lines*BackW-1:0] ej_@BACK@_i
);

@SEEDS@
  anl_shared #(.Digest(64'h@SHARED@)) u_shared ();

  // The links of the network, which have credits. A line carries its lane alone, or all lanes.
  localparam int NetVcW = anl_pkg::index_width(NumVcs);
  logic [T*Lines-1:0]        inj_valid, ej_valid;
  logic [T*Lines*NetVcW-1:0] inj_vc, ej_vc;
  logic [T*Lines*LinkW-1:0]  inj_flit, ej_flit;
  logic [T*NumVcs-1:0]       inj_credit, ej_credit;

@CROSSINGS@  @NETWORK@ #(
@FIXED@    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Wide(Wide), .Stages(Stages),
    .Classes(Classes), .Weights(Weights)
  ) u_network (
    @NETWORK_CLOCKS@, .seed_i(Seeds),
@LINK_PINS@  );

  for (genvar l = 0; l < T * Lines; l++) begin : g_line
    logic [VcW-1:0]   inj_line_vc, ej_line_vc;
    logic [BackW-1:0] inj_back, ej_back;

    @TO_CREDIT@ u_inj (
      .clk_i(@TERMINAL_CLK@), .rst_i(@TERMINAL_RST@),
      .valid_i(inj_valid_i[l]), .vc_i(inj_vc_i[l*VcW +: VcW]), .flit_i(inj_flit_i[l*LinkW +: LinkW]),
      @INJ_BACK@,
      .valid_o(inj_valid[l]), .vc_o(inj_line_vc), .flit_o(inj_flit[l*LinkW +: LinkW]),
      .credit_i(inj_credit[l*LineVcs +: LineVcs])
    );
    @FROM_CREDIT@ u_ej (
      .clk_i(@TERMINAL_CLK@), .rst_i(@TERMINAL_RST@),
      .valid_i(ej_valid[l]), .vc_i(ej_line_vc), .flit_i(ej_flit[l*LinkW +: LinkW]),
      .credit_o(ej_credit[l*LineVcs +: LineVcs]),
      .valid_o(ej_valid_o[l]), .vc_o(ej_vc_o[l*VcW +: VcW]), .flit_o(ej_flit_o[l*LinkW +: LinkW]),
      @EJ_BACK@
    );
    assign inj_@BACK@_o[l*BackW +: BackW] = inj_back;
    assign ej_back                        = ej_@BACK@_i[l*BackW +: BackW];
    assign inj_vc[l*NetVcW +: NetVcW] = NetVcW'(inj_line_vc) + NetVcW'(l % Lines);
    assign ej_line_vc                 = VcW'(ej_vc[l*NetVcW +: NetVcW] - NetVcW'(l % Lines));
  end

endmodule
