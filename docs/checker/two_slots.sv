// SPDX-License-Identifier: Apache-2.0
//
// A router of one port with ready and valid: two slots. With the macro HASTY it is ready although both are
// full, so it loses a flit. An example of a module for make prove DUT= (docs/checker.md).

module anl_judged_router #(
  parameter int Here = 0, NumPorts = 1, NumVcs = 1, FlitW = 5, BackW = 1,
  localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [NumPorts-1:0]       in_valid_i,
  input  logic [NumPorts*VcW-1:0]   in_vc_i,
  input  logic [NumPorts*FlitW-1:0] in_flit_i,
  output logic [NumPorts*BackW-1:0] in_back_o,
  output logic [NumPorts-1:0]       out_valid_o,
  output logic [NumPorts*VcW-1:0]   out_vc_o,
  output logic [NumPorts*FlitW-1:0] out_flit_o,
  input  logic [NumPorts*BackW-1:0] out_back_i
);
  logic [FlitW-1:0] front, second;
  logic [1:0]       held;
  wire              comes = in_valid_i[0] && in_back_o[0];
  wire              goes  = out_valid_o[0] && out_back_i[0];

`ifdef HASTY
  assign in_back_o = 1'b1;
`else
  assign in_back_o = held != 2'd2;
`endif
  assign out_valid_o = held != 2'd0;
  assign out_vc_o    = '0;
  assign out_flit_o  = front;

  always_ff @(posedge clk_i) begin
    if (goes || held == 2'd0) front <= (held == 2'd2) ? second : in_flit_i;
    if (comes) second <= in_flit_i;
    held <= rst_i ? 2'd0 : held + 2'(comes) - 2'(goes);
  end
endmodule
