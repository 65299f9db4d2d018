// SPDX-License-Identifier: Apache-2.0
//
// A mesh without buffers beside the model: C gives worms and starts at the falling edge, and sees all
// registers at the rising edge, before they change. Only Verilator reads this file.

module bufferless_top #(
  parameter int K     = 4,
  parameter int FlitW = 40,
  parameter int StepW = 12
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int S     = K * K;
  localparam int T     = anl_bufferless_pkg::Terminal;
  localparam int P     = anl_bufferless_pkg::NumPorts;
  localparam int LinkW = FlitW + 2;

  // What the sources of all nodes show.
  import "DPI-C" function void bufferless_drive(
      input bit reset, output bit run, output bit [S-1:0] start_valid, output bit [S*StepW-1:0] start,
      output bit [S-1:0] src_valid, output bit [S*LinkW-1:0] src_flit);
  // What stands in the mesh in this cycle, and what the sources take and the terminals consume.
  import "DPI-C" function void bufferless_see(
      input int step, input bit [S-1:0] start_ready, input bit [S-1:0] src_ready,
      input bit [S*T-1:0] valid, input bit [S*T*LinkW-1:0] flit, input bit [S*P*P-1:0] latch,
      input bit [S-1:0] fault, input bit [S-1:0] ej_valid, input bit [S*LinkW-1:0] ej_flit);
  import "DPI-C" function void bufferless_parameters(input int k, input int flit_w, input int step_w);

  bit run;
  bit [S-1:0] start_valid, src_valid;
  bit [S*StepW-1:0] start;
  bit [S*LinkW-1:0] src_flit;
  logic [StepW-1:0] step;
  logic [S-1:0] start_ready, src_ready, ej_valid, fault;
  logic [S*LinkW-1:0] ej_flit;
  logic [S*T-1:0] valid;
  logic [S*T*LinkW-1:0] flit;
  logic [S*P*P-1:0] latch;

  anl_bufferless_mesh #(.K(K), .FlitW(FlitW), .StepW(StepW)) u_mesh (
    .clk_i, .rst_i, .run_i(run), .step_o(step),
    .start_valid_i(start_valid), .start_i(start), .start_ready_o(start_ready),
    .src_valid_i(src_valid), .src_flit_i(src_flit), .src_ready_o(src_ready),
    .ej_valid_o(ej_valid), .ej_flit_o(ej_flit), .fault_o(fault)
  );

  for (genvar s = 0; s < S; s++) begin : g_switch
    assign latch[s*P*P +: P*P] = u_mesh.g_switch[s].u_switch.u_core.latch;
    for (genvar p = 0; p < T; p++) begin : g_port
      assign valid[s*T + p] = u_mesh.g_switch[s].u_switch.u_core.g_input[p].valid;
      assign flit[(s*T + p)*LinkW +: LinkW] = u_mesh.g_switch[s].u_switch.u_core.g_input[p].flit;
    end
  end

  initial bufferless_parameters(K, FlitW, StepW);
  always @(negedge clk_i) bufferless_drive(rst_i, run, start_valid, start, src_valid, src_flit);
  always @(posedge clk_i)
    if (!rst_i)
      bufferless_see(32'(step), start_ready, src_ready, valid, flit, latch, fault, ej_valid, ej_flit);

endmodule
