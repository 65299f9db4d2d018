@DISTANCES@  for (genvar l = 0; l < T * Lines; l++) begin : g_terminal
    logic [LineVcW-1:0] inj_line_vc, ej_line_vc;
@OF_TERMINAL@    anl_axis_terminal #(
      .NumVcs(LineVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .FlowControl(FlowControl),
      .LengthInHead(LengthInHead), .CreditBypass(@CREDIT_BYPASS@), .Arbiter(Arbiter), .Wide(Wide), .Classes(Classes),
      .Weights(Weights), .PathW(PathW), .Whole(@WHOLE@)
    ) u_terminal (
      .clk_i(@TERMINAL_CLK@), .rst_i(@TERMINAL_RST@),
      .s_tvalid_i(s_tvalid@I@[l*Classes +: Classes]), .s_tready_o(s_tready@O@[l*Classes +: Classes]),
      .s_tdata_i(s_beat[l*Classes*BeatW +: Classes*BeatW]),
      .s_tlast_i(s_tlast@I@[l*Classes +: Classes]),
      .s_tdest_i(s_tdest@I@[l*Classes*DstW +: Classes*DstW]),
      .s_beats_i(@LENGTHS@),
      .distance_i(@DISTANCE@), .path_i(@PATH@), .s_vcs_i(@INJECTION_VCS@),
      .m_tvalid_o(m_tvalid@O@[l*Classes +: Classes]), .m_tready_i(m_tready@I@[l*Classes +: Classes]),
      .m_tdata_o(m_beat[l*Classes*BeatW +: Classes*BeatW]),
      .m_tlast_o(m_tlast@O@[l*Classes +: Classes]),
      .m_lane_o(m_lane[l*Classes*LaneW +: Classes*LaneW]),
      .inj_valid_o(inj_valid[l]), .inj_vc_o(inj_line_vc),
      .inj_flit_o(inj_flit[l*LinkW +: LinkW]), .inj_credit_i(inj_credit[l*LineVcs +: LineVcs]),
      .ej_valid_i(ej_valid[l]), .ej_vc_i(ej_line_vc),
      .ej_flit_i(ej_flit[l*LinkW +: LinkW]), .ej_credit_o(ej_credit[l*LineVcs +: LineVcs])
    );
    assign inj_vc[l*VcW +: VcW] = VcW'(inj_line_vc) + VcW'(l % Lines);
    assign ej_line_vc           = LineVcW'(ej_vc[l*VcW +: VcW] - VcW'(l % Lines));
  end
