@DISTANCES@  for (genvar t = 0; t < T; t++) begin : g_terminal
@OF_TERMINAL@    anl_axis_terminal #(
      .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .Admission(Admission),
      .Chained(@CHAINED@), .Scan(Scan), .PathW(PathW)
    ) u_terminal (
      .clk_i(@CLK@), .rst_i(@RST@),
      .s_tvalid_i(s_tvalid@I@[t*Classes +: Classes]), .s_tready_o(s_tready@O@[t*Classes +: Classes]),
      .s_tdata_i(s_tdata@I@[t*Classes*DataW +: Classes*DataW]),
      .s_tlast_i(s_tlast@I@[t*Classes +: Classes]),
      .s_tdest_i(s_tdest@I@[t*Classes*DstW +: Classes*DstW]),
      .s_tuser_i(s_tuser@I@[t*Classes*LengthW +: Classes*LengthW]),
      .distance_i(@DISTANCE@), .path_i(@PATH@), .s_vcs_i(@INJECTION_VCS@),
      .m_tvalid_o(m_tvalid@O@[t*Classes +: Classes]), .m_tready_i(m_tready@I@[t*Classes +: Classes]),
      .m_tdata_o(m_tdata@O@[t*Classes*DataW +: Classes*DataW]),
      .m_tlast_o(m_tlast@O@[t*Classes +: Classes]),
      .m_tid_o(m_tid@O@[t*Classes*TidW +: Classes*TidW]),
      .inj_valid_o(inj_valid[t]), .inj_vc_o(inj_vc[t*VcW +: VcW]),
      .inj_flit_o(inj_flit[t*LinkW +: LinkW]), .inj_credit_i(inj_credit[t*NumVcs +: NumVcs]),
      .ej_valid_i(ej_valid[t]), .ej_vc_i(ej_vc[t*VcW +: VcW]),
      .ej_flit_i(ej_flit[t*LinkW +: LinkW]), .ej_credit_o(ej_credit[t*NumVcs +: NumVcs])
    );
  end
