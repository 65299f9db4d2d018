  localparam int LinkW = FlitW + 2;

  logic [T*Lines-1:0]       inj_valid, ej_valid;
  logic [T*Lines*VcW-1:0]   inj_vc, ej_vc;
  logic [T*Lines*LinkW-1:0] inj_flit, ej_flit;
  logic [T*NumVcs-1:0]      inj_credit, ej_credit;

  @NAME@ u_dut (
    .clk_i(clk), .rst_i(rst)@CLOCK_PINS@,
    .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
    .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
  );

  assign m_source = '0;
  assign broken   = '0;

@STREAMS@
