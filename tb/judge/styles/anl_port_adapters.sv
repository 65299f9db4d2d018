// SPDX-License-Identifier: Apache-2.0
//
// Both adapters of a port of one of our switches, from and to links of a style: what stands at each
// port of the switches of `make judge-styles`, and what such a port costs (docs/fpga.md).

module anl_port_adapters #(
  parameter  int Style   = anl_checker_pkg::ReadyValid,  // of the links (anl_checker_pkg)
  parameter  int NumVcs  = 1,
  parameter  int Depth   = 4,
  parameter  int FlitW   = 32,
  localparam int VcW     = anl_pkg::index_width(NumVcs),
  localparam int LinkW   = FlitW + 2,
  localparam int BackW   = anl_checker_pkg::back_width(Style, NumVcs)
) (
  input  logic              clk_i,
  input  logic              rst_i,

  // Into the switch: a link of the style, and ours.
  input  logic              foreign_valid_i,
  input  logic [VcW-1:0]    foreign_vc_i,
  input  logic [LinkW-1:0]  foreign_flit_i,
  output logic [BackW-1:0]  foreign_back_o,
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic [NumVcs-1:0] credit_i,

  // Out of the switch: ours, and a link of the style.
  input  logic              valid_i,
  input  logic [VcW-1:0]    vc_i,
  input  logic [LinkW-1:0]  flit_i,
  output logic [NumVcs-1:0] credit_o,
  output logic              foreign_valid_o,
  output logic [VcW-1:0]    foreign_vc_o,
  output logic [LinkW-1:0]  foreign_flit_o,
  input  logic [BackW-1:0]  foreign_back_i
);

  if (Style == anl_checker_pkg::Credit) begin : g_credit
    assign valid_o         = foreign_valid_i;
    assign vc_o            = foreign_vc_i;
    assign flit_o          = foreign_flit_i;
    assign foreign_back_o  = credit_i;
    assign foreign_valid_o = valid_i;
    assign foreign_vc_o    = vc_i;
    assign foreign_flit_o  = flit_i;
    assign credit_o        = foreign_back_i;
  end else if (Style == anl_checker_pkg::CreditPulseShared) begin : g_pulse
    anl_pulse_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_in (
      .clk_i, .rst_i, .valid_i(foreign_valid_i), .vc_i(foreign_vc_i), .flit_i(foreign_flit_i),
      .pulse_o(foreign_back_o[BackW-1]), .lane_o(foreign_back_o[VcW-1:0]), .valid_o, .vc_o, .flit_o, .credit_i
    );

    anl_credit_to_pulse #(.NumVcs(NumVcs), .FlitW(FlitW)) u_out (
      .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o,
      .valid_o(foreign_valid_o), .vc_o(foreign_vc_o), .flit_o(foreign_flit_o),
      .pulse_i(foreign_back_i[BackW-1]), .lane_i(foreign_back_i[VcW-1:0])
    );
  end else if (Style == anl_checker_pkg::ReadyValid) begin : g_ready
    anl_ready_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_in (
      .clk_i, .rst_i, .valid_i(foreign_valid_i), .vc_i(foreign_vc_i), .flit_i(foreign_flit_i),
      .ready_o(foreign_back_o), .valid_o, .vc_o, .flit_o, .credit_i
    );

    anl_credit_to_ready #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_out (
      .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o,
      .valid_o(foreign_valid_o), .vc_o(foreign_vc_o), .flit_o(foreign_flit_o), .ready_i(foreign_back_i)
    );
  end else if (Style == anl_checker_pkg::ReadyValidPerLane) begin : g_lane_ready
    anl_lane_ready_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_in (
      .clk_i, .rst_i, .valid_i(foreign_valid_i), .vc_i(foreign_vc_i), .flit_i(foreign_flit_i),
      .ready_o(foreign_back_o), .valid_o, .vc_o, .flit_o, .credit_i
    );

    anl_credit_to_lane_ready #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_out (
      .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o,
      .valid_o(foreign_valid_o), .vc_o(foreign_vc_o), .flit_o(foreign_flit_o), .ready_i(foreign_back_i)
    );
  end else begin : g_stop
    anl_stop_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_in (
      .clk_i, .rst_i, .valid_i(foreign_valid_i), .vc_i(foreign_vc_i), .flit_i(foreign_flit_i),
      .stop_o(foreign_back_o), .valid_o, .vc_o, .flit_o, .credit_i
    );

    anl_credit_to_stop #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_out (
      .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o,
      .valid_o(foreign_valid_o), .vc_o(foreign_vc_o), .flit_o(foreign_flit_o), .stop_i(foreign_back_i)
    );
  end

endmodule
