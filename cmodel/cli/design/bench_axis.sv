  @NAME@ u_dut (
    .clk_i(clk), .rst_i(rst),
    .s_tvalid_i(s_tvalid), .s_tready_o(s_tready), .s_tdata_i(s_tdata), .s_tlast_i(s_tlast),
    .s_tdest_i(s_tdest), .s_tuser_i(s_tuser),
    .m_tvalid_o(m_tvalid), .m_tready_i(m_tready), .m_tdata_o(m_tdata), .m_tlast_o(m_tlast),
    .m_tid_o(m_tid)
  );

