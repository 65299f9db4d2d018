// SPDX-License-Identifier: Apache-2.0
//
// bsg_wormhole_router of BaseJump STL as a switch of a mesh: two dimensions, x first, one lane, worms by the length in
// their head.
// Its links are ready/valid, and its header is {data, flits behind the head, y, x}, x lowest. A head that waits for its
// output is offered until it goes (HoldOnValid 1). With 0, the router's own default, another head may take its place.
module anl_judged_router #(
  parameter int K = 4,
  parameter int NumPorts = 5,
  parameter int NumVcs = 1,
  parameter int FlitW = 32,
  parameter int BackW = 1,
  parameter int HoldOnValid = 1,
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
  // The fields of a head have these widths for every K up to 16, so that one description of the link holds.
  localparam int CoordW = 4;
  localparam int LengthW = 8;

  logic [NumPorts-1:0][FlitW+1:0] link_in;  // {valid of a flit in, ready for a flit out, flit in}
  logic [NumPorts-1:0][FlitW+1:0] link_out;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    // Ours are +x, -x, +y, -y, terminal; theirs are P (terminal), W (-x), E (+x), N (-y), S (+y).
    localparam int Theirs = (p == 4) ? 0 : (p == 0) ? 2 : (p == 1) ? 1 : (p == 2) ? 4 : 3;

    assign link_in[Theirs] = {in_valid_i[p], out_back_i[p], in_flit_i[p*FlitW +: FlitW]};
    assign {out_valid_o[p], in_back_o[p], out_flit_o[p*FlitW +: FlitW]} = link_out[Theirs];
  end

  assign out_vc_o = '0;

  bsg_wormhole_router #(
    .flit_width_p(FlitW),
    .dims_p(2),
    .cord_dims_p(2),
    .cord_markers_pos_p('{2 * CoordW, CoordW, 0}),
    .len_width_p(LengthW),
    .hold_on_valid_p(HoldOnValid)
  ) u_router (
    .clk_i,
    .reset_i(rst_i),
    .link_i(link_in),
    .link_o(link_out),
    .my_cord_i({CoordW'(here_i / 32'(K)), CoordW'(here_i % 32'(K))})
  );

  logic unused;
  assign unused = &{1'b0, in_vc_i};
endmodule
