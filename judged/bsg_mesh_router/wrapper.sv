// SPDX-License-Identifier: Apache-2.0
//
// bsg_mesh_router of BaseJump STL as a switch of a mesh, with the queues of two flits at its inputs that
// bsg_mesh_router_buffered has: two dimensions, x first, one lane, packets of one flit.
// Its links are ready/valid, and a packet is {data, y, x}, x lowest. The packet offered may change while it waits.
module anl_judged_router #(
  parameter int K = 4,
  parameter int NumPorts = 5,
  parameter int NumVcs = 1,
  parameter int FlitW = 34,
  parameter int BackW = 1,
  localparam int VcW = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  logic clk_i,
  input  logic rst_i,
  input  logic [31:0] here_i,  // number of the switch, constant
  input  logic [NumPorts-1:0] in_valid_i,
  input  logic [NumPorts*VcW-1:0] in_vc_i,
  input  logic [NumPorts*FlitW-1:0] in_flit_i,
  output logic [NumPorts*BackW-1:0] in_back_o,
  output logic [NumPorts-1:0] out_valid_o,
  output logic [NumPorts*VcW-1:0] out_vc_o,
  output logic [NumPorts*FlitW-1:0] out_flit_o,
  input  logic [NumPorts*BackW-1:0] out_back_i
);
  localparam int CoordW = 4;  // for every K up to 16, so that one description of the link holds

  logic [NumPorts-1:0][FlitW+1:0] link_in;  // {valid of a flit in, ready for a flit out, flit in}
  logic [NumPorts-1:0][FlitW+1:0] link_out;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    // Ours are +x, -x, +y, -y, terminal; theirs are P (terminal), W (-x), E (+x), N (-y), S (+y).
    localparam int Theirs = (p == 4) ? 0 : (p == 0) ? 2 : (p == 1) ? 1 : (p == 2) ? 4 : 3;

    assign link_in[Theirs] = {in_valid_i[p], out_back_i[p], in_flit_i[p*FlitW +: FlitW]};
    assign {out_valid_o[p], in_back_o[p], out_flit_o[p*FlitW +: FlitW]} = link_out[Theirs];
  end

  assign out_vc_o = '0;

  bsg_mesh_router_buffered #(
    .width_p(FlitW),
    .x_cord_width_p(CoordW),
    .y_cord_width_p(CoordW),
    .dims_p(2),
    .XY_order_p(1)
  ) u_router (
    .clk_i,
    .reset_i(rst_i),
    .link_i(link_in),
    .link_o(link_out),
    .my_x_i(CoordW'(here_i % 32'(K))),
    .my_y_i(CoordW'(here_i / 32'(K)))
  );

  logic unused;
  assign unused = &{1'b0, in_vc_i};
endmodule
