// SPDX-License-Identifier: Apache-2.0
//
// A butterfly with 2^Levels columns that discards worms, and replays a table of starts
// (papers/cole_maggs_sitaraman/discard.md): Passes*Levels levels of nodes, the links between them, Injections sources at
// each input, and the counter of steps.
//
// Source i of column w has number w*Injections + i. What comes by input link a of output w is at
// link w*2 + a of ej_*; on wide links its lane v at (w*2 + a)*NumVcs + v, on multiplexed ones its
// flit of this cycle at w*2 + a.
// Timing: with wide links a source is at its node in the same cycle, with multiplexed ones a step
// later, so a source gives the flit of a step in the last cycle of the step before. ej_* are
// functions of registers, but with one level of nodes and wide links of src_* as well.

// The start of the counters is not read with wide links.
// verilator lint_off UNUSEDSIGNAL

module anl_discard_butterfly #(
  parameter  int Levels      = 3,                     // of one pass, at least 1
  parameter  int Passes      = 1,                     // 1 or 2
  parameter  int NumVcs      = 2,                     // lanes of a link, at least 1
  parameter  int Injections  = 4,                     // sources of a column, 1 .. 31
  parameter  int FlitW       = 32,                    // data bits of a flit (docs/link.md)
  parameter  int StepW       = 12,                    // bits of a step; starts are below 2**StepW - 1
  parameter  int Multiplexed = 0,                     // 1: links are multiplexed
  localparam int Columns     = 1 << Levels,
  localparam int Depth       = Passes * Levels,       // levels of nodes
  localparam int S           = Columns * Injections,
  localparam int Wires       = (Multiplexed != 0) ? 1 : NumVcs,  // flits of a link in a cycle
  localparam int VcW         = anl_pkg::index_width(NumVcs),
  localparam int LinkW       = FlitW + 2,
  localparam int E           = Columns * 2 * Wires
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  input  logic                     run_i,           // the step counts
  output logic [StepW-1:0]         step_o,
  output logic [VcW-1:0]           lane_o,          // multiplexed: owns this cycle

  // Starts and worms of each source (anl_replay).
  input  logic [S-1:0]             start_valid_i,
  input  logic [S*StepW-1:0]       start_i,
  output logic [S-1:0]             start_ready_o,
  input  logic [S-1:0]             src_valid_i,
  input  logic [S*LinkW-1:0]       src_flit_i,
  output logic [S-1:0]             src_ready_o,
  output logic [S-1:0]             late_o,          // its start has passed

  // What the outputs take in this cycle.
  output logic [E-1:0]             ej_valid_o,
  output logic [E*LinkW-1:0]       ej_flit_o,

  output logic [Depth*Columns-1:0] discard_o        // this node discards a worm in this step
);

  localparam int Out = 2 * Wires;                   // flits that leave a node in a cycle

  logic [StepW-1:0] step_d, step_q, starting;
  logic [VcW-1:0]   lane_q;
  logic             last;                           // cycle of a step

  assign last   = Multiplexed == 0 || lane_q == VcW'(NumVcs - 1);
  assign step_d = (run_i && last && step_q != '1) ? step_q + 1'b1 : step_q;
  assign step_o = step_q;
  assign lane_o = lane_q;

  // The step of the flits that the sources give in this cycle.
  assign starting = (Multiplexed != 0) ? step_d : step_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) begin
      step_q <= '0;
      lane_q <= '0;
    end else begin
      step_q <= step_d;
      lane_q <= last ? '0 : lane_q + 1'b1;
    end
  end

  logic [S-1:0]       inj_valid;
  logic [S*LinkW-1:0] inj_flit;
  logic [S-1:0]       ready;

  assign src_ready_o = last ? ready : '0;

  for (genvar s = 0; s < S; s++) begin : g_source
    anl_replay #(.FlitW(FlitW), .StepW(StepW)) u_source (
      .clk_i, .rst_i, .step_i(starting),
      .start_valid_i(start_valid_i[s]), .start_i(start_i[s*StepW +: StepW]),
      .start_ready_o(start_ready_o[s]),
      .src_valid_i(src_valid_i[s] && last), .src_flit_i(src_flit_i[s*LinkW +: LinkW]),
      .src_ready_o(ready[s]),
      .inj_valid_o(inj_valid[s]), .inj_flit_o(inj_flit[s*LinkW +: LinkW]), .late_o(late_o[s])
    );
  end

  for (genvar i = 0; i < Depth; i++) begin : g_level
    localparam int Above  = Levels - 1 - (i + Levels - 1) % Levels;  // the bit that the level above decides
    localparam int Bit    = anl_discard_pkg::head_bit(Levels, Passes, i);
    localparam int Inputs = (i == 0) ? Injections : 2 * NumVcs;
    localparam int Ports  = (i == 0) ? Injections : Out;

    logic [Columns*Out-1:0]       valid;            // what leaves the nodes of this level
    logic [Columns*Out*LinkW-1:0] flit;

    for (genvar w = 0; w < Columns; w++) begin : g_node
      logic [Ports-1:0]       in_valid;
      logic [Ports*LinkW-1:0] in_flit;
      logic [Inputs-1:0]      discard;

      if (i == 0) begin : g_sources
        assign in_valid = inj_valid[w*Injections +: Injections];
        assign in_flit  = inj_flit[w*Injections*LinkW +: Injections*LinkW];
      end else begin : g_links
        for (genvar a = 0; a < 2; a++) begin : g_input
          localparam int From = anl_discard_pkg::with_bit(w, Above, a) * 2 + (w >> Above) % 2;
          assign in_valid[a*Wires +: Wires]              = g_level[i-1].valid[From*Wires +: Wires];
          assign in_flit[a*Wires*LinkW +: Wires*LinkW] =
                                              g_level[i-1].flit[From*Wires*LinkW +: Wires*LinkW];
        end
      end

      if (Multiplexed != 0) begin : g_multiplexed
        anl_discard_multiplexed_switch #(
          .FlitW(FlitW), .NumVcs(NumVcs), .Inputs(Inputs), .Bit(Bit), .Landing(i == 0 ? 0 : 1)
        ) u_switch (
          .clk_i, .rst_i, .lane_i(lane_q), .valid_i(in_valid), .flit_i(in_flit), .discard_o(discard),
          .valid_o(valid[w*Out +: Out]), .flit_o(flit[w*Out*LinkW +: Out*LinkW])
        );
      end else begin : g_wide
        anl_discard_switch #(
          .FlitW(FlitW), .NumVcs(NumVcs), .Inputs(Inputs), .Bit(Bit), .Registers(i == 0 ? 0 : 1)
        ) u_switch (
          .clk_i, .rst_i, .valid_i(in_valid), .flit_i(in_flit), .discard_o(discard),
          .valid_o(valid[w*Out +: Out]), .flit_o(flit[w*Out*LinkW +: Out*LinkW])
        );
      end

      assign discard_o[i*Columns + w] = discard != '0;
    end
  end

  // Output w has its links from the nodes whose columns differ from w in the bit of the last level.
  for (genvar w = 0; w < Columns; w++) begin : g_output
    for (genvar a = 0; a < 2; a++) begin : g_input
      localparam int From = anl_discard_pkg::with_bit(w, 0, a) * 2 + w % 2;
      localparam int To   = w * 2 + a;
      assign ej_valid_o[To*Wires +: Wires] = g_level[Depth-1].valid[From*Wires +: Wires];
      assign ej_flit_o[To*Wires*LinkW +: Wires*LinkW] =
                                     g_level[Depth-1].flit[From*Wires*LinkW +: Wires*LinkW];
    end
  end

endmodule
