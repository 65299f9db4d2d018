// SPDX-License-Identifier: Apache-2.0
//
// A K x K mesh without buffers that replays a table of starts (papers/roberts_symvonis/bufferless.md): S = K*K
// switches of the policy one bend, the links between them, a source at each terminal, and the
// counter of steps.
//
// Node s is in row s / K and column s % K; what belongs to it is at index s.
// Timing: ej_* are functions of registers. src_ready_o and start_ready_o follow src_valid_i.

// At the edge of the mesh a port of a switch has no link.
// verilator lint_off UNUSEDSIGNAL

module anl_bufferless_mesh #(
  parameter  int K     = 4,           // side of the mesh, at least 1
  parameter  int FlitW = 32,          // data bits of a flit (docs/link.md)
  parameter  int StepW = 12,          // bits of a step; starts are below 2**StepW - 1
  localparam int S     = K * K,
  localparam int LinkW = FlitW + 2
) (
  input  logic               clk_i,
  input  logic               rst_i,

  input  logic               run_i,           // the step counts
  output logic [StepW-1:0]   step_o,

  // Starts and worms of each source (anl_replay).
  input  logic [S-1:0]       start_valid_i,
  input  logic [S*StepW-1:0] start_i,
  output logic [S-1:0]       start_ready_o,
  input  logic [S-1:0]       src_valid_i,
  input  logic [S*LinkW-1:0] src_flit_i,
  output logic [S-1:0]       src_ready_o,

  // What each terminal consumes in this cycle.
  output logic [S-1:0]       ej_valid_o,
  output logic [S*LinkW-1:0] ej_flit_o,

  output logic [S-1:0]       fault_o          // of each switch, until reset
);

  localparam int P    = anl_bufferless_pkg::NumPorts;
  localparam int T    = anl_bufferless_pkg::Terminal;
  localparam int DstW = anl_cube_pkg::label_width(K, 2);

  anl_steps #(.StepW(StepW)) u_steps (.clk_i, .rst_i, .run_i, .step_o);

  for (genvar s = 0; s < S; s++) begin : g_switch
    localparam int Label = anl_cube_pkg::label(K, 2, s);
    localparam int Links = anl_bufferless_pkg::links(K, s);

    logic [T-1:0]       in_valid;
    logic [T*LinkW-1:0] in_flit;
    logic [P-1:0]       out_valid;
    logic [P*LinkW-1:0] out_flit;
    logic               inj_valid, late;
    logic [LinkW-1:0]   inj_flit;

    anl_replay #(.FlitW(FlitW), .StepW(StepW)) u_source (
      .clk_i, .rst_i, .step_i(step_o),
      .start_valid_i(start_valid_i[s]), .start_i(start_i[s*StepW +: StepW]),
      .start_ready_o(start_ready_o[s]),
      .src_valid_i(src_valid_i[s]), .src_flit_i(src_flit_i[s*LinkW +: LinkW]),
      .src_ready_o(src_ready_o[s]),
      .inj_valid_o(inj_valid), .inj_flit_o(inj_flit), .late_o(late)
    );

    anl_one_bend_switch #(.K(K), .FlitW(FlitW)) u_switch (
      .clk_i, .rst_i, .here_i(Label[DstW-1:0]), .links_i(Links[P-1:0]),
      .valid_i(in_valid), .flit_i(in_flit), .inj_valid_i(inj_valid), .inj_flit_i(inj_flit),
      .late_i(late),
      .valid_o(out_valid), .flit_o(out_flit), .fault_o(fault_o[s])
    );

    assign ej_valid_o[s]                 = out_valid[T];
    assign ej_flit_o[s*LinkW +: LinkW]   = out_flit[T*LinkW +: LinkW];

    // Input port p is on the side of output port p; there the neighbour sends by the port of the
    // other side.
    for (genvar p = 0; p < T; p++) begin : g_port
      localparam int Far  = (p % 2 == 0) ? p + 1 : p - 1;
      localparam int Away = (p < anl_bufferless_pkg::South) ? 1 : K;
      localparam int From = (p % 2 == 0) ? s + Away : s - Away;

      if ((Links >> p) % 2 != 0) begin : g_link
        assign in_valid[p]               = g_switch[From].out_valid[Far];
        assign in_flit[p*LinkW +: LinkW] = g_switch[From].out_flit[Far*LinkW +: LinkW];
      end else begin : g_edge
        assign in_valid[p]               = 1'b0;
        assign in_flit[p*LinkW +: LinkW] = '0;
      end
    end
  end

endmodule
