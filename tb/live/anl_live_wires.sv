// SPDX-License-Identifier: Apache-2.0
//
// The probe of links of another style with successive numbers (docs/link.md, "Links of other
// styles"), which changes nothing. Its ports are vectors with an entry for each link: what the
// sender drives, with all wires of a flit, and what the receiver drives. They are sampled at the
// rising edge of the clock, in every cycle.

module anl_live_wires #(
  parameter  int NumLinks = 1,
  parameter  int NumVcs = 1,
  parameter  int FlitW = 34,     // wires of a flit: `width` of the description
  parameter  int BackW = 1,      // wires that the receiver drives: 1, NumVcs or 1 + VcW
  localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] live_i,   // of the module anl_live
  input logic [31:0] first_i,  // number of the link of entry 0

  // the links
  input logic [NumLinks-1:0] valid_i,
  input logic [NumLinks*VcW-1:0] vc_i,
  input logic [NumLinks*FlitW-1:0] flit_i,
  input logic [NumLinks*BackW-1:0] back_i,

  // Of injection links, with the head of a worm that was not announced and does not say its length:
  // how many flits the worm has. Otherwise it is not read.
  input logic [NumLinks*16-1:0] length_i
);
  always @(posedge clk_i) begin : wires
    if (!rst_i && live_i != 0)
      for (int l = 0; l < NumLinks; l++)
        anl_live_pkg::anl_live_sv_wires(live_i, first_i + l, valid_i[l], 32'(vc_i[l*VcW+:VcW]),
            NumVcs, FlitW, anl_live_pkg::WidestFlit'(flit_i[l*FlitW+:FlitW]),
            32'(back_i[l*BackW+:BackW]), 32'(length_i[l*16+:16]));
  end
endmodule
