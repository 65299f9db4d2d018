// SPDX-License-Identifier: Apache-2.0
//
// The watch of the network pair.yaml, bound into what `annelid rtl pair.yaml -o pair --name pair` has
// written, of which no file is changed.

bind pair anl_live #(
  .Scenario("pair.yaml"),
  .Trace("pair.anlt")
) u_live (
  .clk_i,
  .rst_i,
  .live_o()
);

// The injection links of the terminals have the numbers behind those of all ports.
bind pair anl_live_links #(
  .NumLinks(T),
  .NumVcs(NumVcs),
  .FlitW(FlitW)
) u_injections (
  .clk_i,
  .rst_i,
  .live_i(u_live.live_o),
  .first_i(pair_graph_pkg::NumSwitches * pair_graph_pkg::NumPorts),
  .valid_i(inj_valid_i),
  .vc_i(inj_vc_i),
  .flit_i(inj_flit_i),
  .credit_i(inj_credit_o),
  .length_i('0)  // heads carry it: switch.length_in_head
);

// Port p of switch s has link s * NumPorts + p.
bind anl_graph_switch anl_live_links #(
  .NumLinks(NumPorts),
  .NumVcs(NumVcs),
  .FlitW(FlitW)
) u_links (
  .clk_i,
  .rst_i,
  .live_i(tb_pair.u_dut.u_live.live_o),
  .first_i(32'(here_i) * NumPorts),
  .valid_i(valid_o),
  .vc_i(vc_o),
  .flit_i(flit_o),
  .credit_i,
  .length_i('0)
);
