// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_bufferless_mesh (input logic clk_i, input logic rst_i);

  localparam int KOf [3] = '{2, 3, 4};
  localparam int StepWOf [3] = '{12, 14, 7};

  for (genvar g = 0; g < 3; g++) begin : g_corner
    localparam int K = KOf[g];
    localparam int FlitW = 8;
    localparam int StepW = StepWOf[g];
    localparam int S = K * K;
    localparam int LinkW = FlitW + 2;
    logic run;
    logic [StepW-1:0] step;
    logic [S-1:0] start_valid, start_ready, src_valid, src_ready, ej_valid, fault;
    logic [S*StepW-1:0] start;
    logic [S*LinkW-1:0] src_flit, ej_flit;

    `BENCH("anl_bufferless_mesh", g, {StepW, FlitW, K})
    assign {src_flit, src_valid, start, start_valid, run} = in;
    assign out = {fault, ej_flit, ej_valid, src_ready, start_ready, step};

    anl_bufferless_mesh #(.K(K), .FlitW(FlitW), .StepW(StepW)) u_dut (
      .clk_i, .rst_i, .run_i(run), .step_o(step), .start_valid_i(start_valid), .start_i(start),
      .start_ready_o(start_ready), .src_valid_i(src_valid), .src_flit_i(src_flit),
      .src_ready_o(src_ready), .ej_valid_o(ej_valid), .ej_flit_o(ej_flit), .fault_o(fault)
    );
  end

endmodule
