  // Each terminal has a clock of its own. Its links cross to the clock of the network (docs/clocks.md of Annelid).
  localparam int CrossVcs = NumVcs / Lines;
  localparam int CrossVcW = anl_pkg::index_width(CrossVcs);
  localparam int WholeVcW = anl_pkg::index_width(NumVcs);

  logic [T*Lines-1:0]          net_inj_valid, net_ej_valid;
  logic [T*Lines*WholeVcW-1:0] net_inj_vc, net_ej_vc;
  logic [T*Lines*LinkW-1:0]    net_inj_flit, net_ej_flit;
  logic [T*NumVcs-1:0]         net_inj_credit, net_ej_credit;

  for (genvar l = 0; l < T * Lines; l++) begin : g_crossing
    logic [CrossVcW-1:0] inj_from, inj_to, ej_from, ej_to;

    anl_link_cdc #(.NumVcs(CrossVcs), .Depth(Depth), .FlitW(FlitW)) u_inj (
      .sender_clk_i(@TERMINAL_CLK@), .sender_rst_i(@TERMINAL_RST@),
      .valid_i(inj_valid@TI@[l]), .vc_i(inj_from), .flit_i(inj_flit@TI@[l*LinkW +: LinkW]),
      .credit_o(inj_credit@TO@[l*CrossVcs +: CrossVcs]),
      .receiver_clk_i(@CLK@), .receiver_rst_i(@RST@),
      .valid_o(net_inj_valid[l]), .vc_o(inj_to), .flit_o(net_inj_flit[l*LinkW +: LinkW]),
      .credit_i(net_inj_credit[l*CrossVcs +: CrossVcs])
    );
    // A switch spends the credits of a wide link that is chained in their cycle.
    anl_link_cdc #(
      .NumVcs(CrossVcs), .Depth(Depth), .FlitW(FlitW), .CreditBypass(@EJECTION_BYPASS@)
    ) u_ej (
      .sender_clk_i(@CLK@), .sender_rst_i(@RST@),
      .valid_i(net_ej_valid[l]), .vc_i(ej_from), .flit_i(net_ej_flit[l*LinkW +: LinkW]),
      .credit_o(net_ej_credit[l*CrossVcs +: CrossVcs]),
      .receiver_clk_i(@TERMINAL_CLK@), .receiver_rst_i(@TERMINAL_RST@),
      .valid_o(ej_valid@TO@[l]), .vc_o(ej_to), .flit_o(ej_flit@TO@[l*LinkW +: LinkW]),
      .credit_i(ej_credit@TI@[l*CrossVcs +: CrossVcs])
    );
    // A line of a wide link carries its lane alone.
    assign inj_from                  = CrossVcW'(inj_vc@TI@[l*WholeVcW +: WholeVcW] - WholeVcW'(l % Lines));
    assign net_inj_vc[l*WholeVcW +: WholeVcW]  = WholeVcW'(inj_to) + WholeVcW'(l % Lines);
    assign ej_from                   = CrossVcW'(net_ej_vc[l*WholeVcW +: WholeVcW] - WholeVcW'(l % Lines));
    assign ej_vc@TO@[l*WholeVcW +: WholeVcW] = WholeVcW'(ej_to) + WholeVcW'(l % Lines);
  end

