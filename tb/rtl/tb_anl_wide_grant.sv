// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_wide_grant (input logic clk_i, input logic rst_i);

  localparam int NumPortsOf [9] = '{1, 2, 3, 3, 5, 1, 1, 2, 2};
  localparam int NumVcsOf [9] = '{2, 1, 2, 3, 4, 5, 6, 7, 8};
  localparam bit SampleOf [9] = '{1, 1, 1, 1, 0, 0, 0, 0, 1};

  // The sample has eight lanes with one policy alone.
  for (genvar g = 0; g < 45; g++) if (`BUILT(SampleOf[g / 5] && (NumVcsOf[g / 5] < 8 || g % 5 == 1))) begin : g_corner
    localparam int NumPorts = NumPortsOf[g / 5];
    localparam int NumVcs = NumVcsOf[g / 5];
    localparam int Scan = g % 5;
    localparam int Size = NumPorts * NumVcs;
    logic [7:0] random;
    logic [Size-1:0] ask;
    logic [NumVcs*Size-1:0] can, take;
    logic [Size*16-1:0] rank;
    logic [NumVcs-1:0] all_credits;
    logic [anl_pkg::index_width(Size)-1:0] out_ptr;

    `BENCH("anl_wide_grant", g, {Scan, NumVcs, NumPorts})
    assign {all_credits, rank, can, ask, random} = in;
    assign out = {out_ptr, take};

    anl_wide_grant #(.NumPorts(NumPorts), .NumVcs(NumVcs), .Scan(Scan)) u_dut (
      .clk_i, .rst_i, .random_i(random), .ask_i(ask), .can_i(can), .rank_i(rank),
      .all_credits_i(all_credits), .take_o(take), .out_ptr_o(out_ptr)
    );
  end

endmodule
