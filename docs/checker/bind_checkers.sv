// SPDX-License-Identifier: Apache-2.0
//
// Binds a checker into every lossy_fifo of a design, which stays as it is. Icarus has no bind.

bind lossy_fifo anl_switch_checker #(
  .Style(anl_checker_pkg::Credit), .NumPorts(1), .NumVcs(1), .Depth(4), .FlitW(FlitW),
  .Same({2'b00, {(FlitW-2){1'b1}}}), .Rest(8)
) u_checker (
  .clk_i, .rst_i,
  .in_valid_i, .in_vc_i(1'b0), .in_head_i(in_flit_i[FlitW-1]), .in_tail_i(in_flit_i[FlitW-2]), .in_flit_i,
  .in_back_i(in_credit_o), .in_length_i(16'd0), .routes_i(1'b1),
  .out_valid_i(out_valid_o), .out_vc_i(1'b0), .out_head_i(out_flit_o[FlitW-1]), .out_tail_i(out_flit_o[FlitW-2]),
  .out_flit_i(out_flit_o), .out_back_i(out_credit_i),
  .at_rest_i(1'b0), .switch_broken_o(), .user_broken_o(), .over_o()
);
