  localparam int LinkW = FlitW + 2;
  localparam int BackW = @BACK_W@;

  // The links of the terminals, which have credits; then those of the network.
  logic [T*Lines-1:0]         inj_valid, ej_valid, inj_style_valid, ej_style_valid;
  logic [T*Lines*VcW-1:0]     inj_vc, ej_vc;
  logic [T*Lines*LineVcW-1:0] inj_style_vc, ej_style_vc;
  logic [T*Lines*LinkW-1:0]   inj_flit, ej_flit, inj_style_flit, ej_style_flit;
  logic [T*NumVcs-1:0]        inj_credit, ej_credit;
  logic [T*Lines*BackW-1:0]   inj_style_back, ej_style_back;

  @NAME@ u_dut (
    .clk_i(clk), .rst_i(rst)@CLOCK_PINS@,
    .inj_valid_i(inj_style_valid), .inj_vc_i(inj_style_vc), .inj_flit_i(inj_style_flit), .inj_@BACK@_o(inj_style_back),
    .ej_valid_o(ej_style_valid), .ej_vc_o(ej_style_vc), .ej_flit_o(ej_style_flit), .ej_@BACK@_i(ej_style_back)
  );

  for (genvar l = 0; l < T * Lines; l++) begin : g_line
    logic [LineVcW-1:0] inj_line_vc, ej_line_vc;
    logic [BackW-1:0]   inj_back, ej_back;

    @FROM_CREDIT@ u_inj (
      .clk_i(@TERMINAL_CLK@), .rst_i(@TERMINAL_RST@),
      .valid_i(inj_valid[l]), .vc_i(inj_line_vc), .flit_i(inj_flit[l*LinkW +: LinkW]),
      .credit_o(inj_credit[l*LineVcs +: LineVcs]),
      .valid_o(inj_style_valid[l]), .vc_o(inj_style_vc[l*LineVcW +: LineVcW]), .flit_o(inj_style_flit[l*LinkW +: LinkW]),
      @INJ_BACK@
    );
    @TO_CREDIT@ u_ej (
      .clk_i(@TERMINAL_CLK@), .rst_i(@TERMINAL_RST@),
      .valid_i(ej_style_valid[l]), .vc_i(ej_style_vc[l*LineVcW +: LineVcW]), .flit_i(ej_style_flit[l*LinkW +: LinkW]),
      @EJ_BACK@,
      .valid_o(ej_valid[l]), .vc_o(ej_line_vc), .flit_o(ej_flit[l*LinkW +: LinkW]),
      .credit_i(ej_credit[l*LineVcs +: LineVcs])
    );
    assign inj_back                            = inj_style_back[l*BackW +: BackW];
    assign ej_style_back[l*BackW +: BackW]     = ej_back;
    assign inj_line_vc                         = LineVcW'(inj_vc[l*VcW +: VcW] - VcW'(l % Lines));
    assign ej_vc[l*VcW +: VcW]                 = VcW'(ej_line_vc) + VcW'(l % Lines);
  end

  assign m_source = '0;
  assign broken   = '0;

@STREAMS@
