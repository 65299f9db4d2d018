// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_wide_output (input logic clk_i, input logic rst_i);

  localparam int NumPortsOf [11] = '{1, 2, 3, 3, 5, 4, 3, 2, 2, 2, 2};
  localparam int NumVcsOf [11] = '{2, 1, 2, 3, 4, 2, 2, 5, 6, 7, 8};
  localparam int DepthOf [11] = '{1, 2, 1, 3, 2, 16, 4, 2, 3, 1, 2};
  localparam int ScanOf [11] = '{0, 1, 1, 2, 1, 3, 4, 1, 0, 2, 3};
  localparam int ChainedOf [11] = '{1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0};
  // Behind these, every depth of a lane (docs/switch.md).
  localparam int Listed = 11;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 128)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumPorts = (g < Listed) ? NumPortsOf[g % Listed] : 2;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1 + S % 2;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int Scan = (g < Listed) ? ScanOf[g % Listed] : S % 5;
    localparam int Chained = (g < Listed) ? ChainedOf[g % Listed] : S / 2 % 2;
    localparam int FlitW = 20;
    localparam int Size = NumPorts * NumVcs;
    localparam int CntW = $clog2(Depth + 1);
    logic [7:0] random;
    logic [Size-1:0] ask, go;
    logic [NumVcs*Size-1:0] can, bound, take;
    logic [Size*16-1:0] rank;
    logic [Size*(FlitW+2)-1:0] flit;
    logic [NumVcs-1:0] credit, valid, has_credit, usable, owned;
    logic [NumVcs*(FlitW+2)-1:0] flit_out;
    logic [NumVcs*CntW-1:0] credits;
    logic [NumVcs*anl_pkg::index_width(NumPorts)-1:0] owner_port;
    logic [NumVcs*anl_pkg::index_width(NumVcs)-1:0] owner_vc;
    logic [anl_pkg::index_width(Size)-1:0] out_ptr;

    `BENCH("anl_wide_output", g, {Chained, Scan, FlitW, Depth, NumVcs, NumPorts})
    assign {credit, flit, bound, go, rank, can, ask, random} = in;
    assign out = {out_ptr, owner_vc, owner_port, owned, credits, usable, has_credit, flit_out, valid, take};

    anl_wide_output #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Scan(Scan), .Chained(Chained)
    ) u_dut (
      .clk_i, .rst_i, .random_i(random), .ask_i(ask), .can_i(can), .rank_i(rank), .go_i(go),
      .bound_i(bound), .flit_i(flit), .take_o(take), .valid_o(valid), .flit_o(flit_out),
      .credit_i(credit), .has_credit_o(has_credit), .usable_o(usable), .credits_o(credits),
      .owned_o(owned), .owner_port_o(owner_port), .owner_vc_o(owner_vc), .out_ptr_o(out_ptr)
    );
  end

endmodule
