// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_board_source (input logic clk_i, input logic rst_i);

  localparam int KOf [9] = '{1, 2, 3, 4, 5, 256, 7, 2, 3};
  localparam int NOf [9] = '{1, 2, 3, 2, 1, 3, 2, 3, 2};
  localparam int FlitWOf [9] = '{8, 32, 20, 64, 11, 40, 32, 16, 24};
  localparam int AdmissionOf [9] = '{0, 0, 1, 2, 0, 0, 1, 2, 0};
  localparam int LengthInHeadOf [9] = '{0, 0, 0, 0, 0, 0, 0, 0, 1};
  localparam int WormsOf [9] = '{1, 1000000, 40, 16, 3, 1000, 255, 256, 20};
  localparam int LengthOf [9] = '{1, 8, 4, 64, 3, 256, 5, 2, 127};

  for (genvar g = 0; g < 9; g++) begin : g_corner
    localparam int K = KOf[g], N = NOf[g], FlitW = FlitWOf[g], Admission = AdmissionOf[g];
    localparam int LengthInHead = LengthInHeadOf[g];
    localparam int Worms = WormsOf[g], Length = LengthOf[g], LinkW = FlitW + 2;
    logic valid, ready;
    logic [LinkW-1:0] flit;
    logic [31:0] seed;

    `BENCH("anl_board_source", g, {Length, Worms, LengthInHead, Admission, FlitW, N, K})
    assign {ready, seed} = in;
    assign out = {flit, valid};

    // While another bench of the room runs, the inputs are 0; a generator must not get 0 as its
    // seed.
    anl_board_source #(
      .K(K), .N(N), .FlitW(FlitW), .Admission(Admission), .LengthInHead(LengthInHead), .Worms(Worms),
      .Length(Length)
    ) u_dut (
      .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed),
      .src_valid_o(valid), .src_flit_o(flit), .src_ready_i(ready)
    );
  end

endmodule
