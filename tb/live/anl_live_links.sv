// SPDX-License-Identifier: Apache-2.0
//
// The probe of links with successive numbers (docs/networks.md), which changes nothing: of one link,
// of all links that leave a switch, or of the injection links of all terminals. Its ports are
// vectors with an entry for each link, and are sampled at the rising edge of the clock, like the
// links themselves (docs/link.md). It is instantiated beside the links or bound into a module.

module anl_live_links #(
  parameter  int NumLinks = 1,
  parameter  int NumVcs = 1,
  parameter  int FlitW = 32,
  localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] live_i,   // of the module anl_live
  input logic [31:0] first_i,  // number of the link of entry 0

  // the links
  input logic [NumLinks-1:0] valid_i,
  input logic [NumLinks*VcW-1:0] vc_i,
  input logic [NumLinks*(FlitW+2)-1:0] flit_i,    // {head, tail, data}
  input logic [NumLinks*NumVcs-1:0] credit_i,

  // Of injection links, with the head of a worm that was not announced: how many flits the worm
  // has. Otherwise it is not read.
  input logic [NumLinks*16-1:0] length_i
);
  always @(posedge clk_i) begin : links
    if (!rst_i && live_i != 0)
      for (int l = 0; l < NumLinks; l++) begin
        if (valid_i[l])
          anl_live_pkg::anl_live_sv_flit(live_i, first_i + l, 32'(vc_i[l*VcW+:VcW]), NumVcs, FlitW,
              anl_live_pkg::WidestFlit'(flit_i[l*(FlitW+2)+:FlitW+2]), 32'(length_i[l*16+:16]));
        if (credit_i[l*NumVcs+:NumVcs] != '0)
          anl_live_pkg::anl_live_sv_credits(live_i, first_i + l, 32'(credit_i[l*NumVcs+:NumVcs]));
      end
  end
endmodule
