// SPDX-License-Identifier: Apache-2.0
//
// Route in a butterfly: the port is one digit of the destination or of the intermediate column; all
// lanes are allowed (docs/networks.md, "The butterfly").
//
// Tag 0 .. N - 1 is a digit of the destination, N + d is digit d of the intermediate column. A
// digit that is no port, which no head has, is no route: then all bits of port_o are 0.
// Timing: the outputs are combinational; the module has no state.

// A level of a butterfly reads one digit.
// verilator lint_off UNUSEDSIGNAL

module anl_route_butterfly #(
  parameter  int K      = 2,                                   // ports of a switch, 2 .. 32
  parameter  int N      = 3,                                   // digits of a destination
  parameter  int Tag    = 0,                                   // 0 .. 2 N - 2
  parameter  int NumVcs = 4,
  localparam int DigitW = anl_butterfly_pkg::digit_width(K),
  localparam int DstW   = anl_butterfly_pkg::label_width(K, N),
  localparam int PathW  = (Tag < N) ? 1 : (Tag - N + 1) * DigitW
) (
  input  logic [DstW-1:0]   dst_i,
  input  logic [PathW-1:0]  path_i,   // digits 0 .. Tag - N of the intermediate column
  output logic [K-1:0]      port_o,   // one-hot
  output logic [NumVcs-1:0] vcs_o
);

  logic [DigitW-1:0] digit;

  if (Tag < N) begin : g_destination
    assign digit = dst_i[Tag*DigitW +: DigitW];
  end else begin : g_column
    assign digit = path_i[(Tag-N)*DigitW +: DigitW];
  end

  anl_decode #(.Size(K)) u_port (.index_i(digit), .onehot_o(port_o));

  assign vcs_o = '1;

endmodule
