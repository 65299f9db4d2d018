// SPDX-License-Identifier: Apache-2.0
//
// A butterfly that discards, its sources, and a passive probe for each node. The first steps
// behind a reset precede cycle 0: first the step does not count, and in the last one of them, which
// is step 0, sources with multiplexed links give the flits of step 1. With ANL_UNWATCHED
// defined no register is watched, with ANL_CLOSED only what the outputs take. No tool but Verilator
// reads this file.

module anl_lockstep_discarding #(
  parameter int K = 2,
  parameter int N = 4,
  parameter int Passes = 1,
  parameter int NumVcs = 2,
  parameter int FlitW = 32,
  parameter int Wide = 0
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] harness_i
);

  localparam int Injections = 16;  // as in tb/lockstep/compare/injections.h
  localparam int Levels = N - 1;
  localparam int Columns = K ** Levels;
  localparam int Multiplexed = Wide == 0;
  localparam int Depth = Passes * Levels;
  localparam int S = Columns * Injections;
  localparam int Wires = Multiplexed != 0 ? 1 : NumVcs;  // flits of a link in a cycle
  localparam int Lanes = 2 * NumVcs;                     // of the links that leave a node
  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int LinkW = FlitW + 2;
  localparam int StepW = 32;
  localparam int E = Columns * 2 * Wires;

  // Reports that a node says that it discards a worm, and the input lanes whose heads it discards.
  import "DPI-C" function void anl_lockstep_discards(
    input longint unsigned harness, input int unsigned node, input bit says,
    input int unsigned heads);

  logic [S-1:0] start_valid, start_ready, src_valid, src_ready, late;
  logic [S*StepW-1:0] start;
  logic [S*LinkW-1:0] src_flit;
  logic [StepW-1:0] step;
  logic [VcW-1:0] lane;
  logic [E-1:0] ej_valid;
  logic [E*LinkW-1:0] ej_flit;
  logic [Depth*Columns-1:0] discards;
  logic [Depth*Columns*Injections-1:0] heads;  // that are discarded, by input lane
  logic run;

  anl_discard_butterfly #(
    .Levels(Levels),
    .Passes(Passes),
    .NumVcs(NumVcs),
    .Injections(Injections),
    .FlitW(FlitW),
    .StepW(StepW),
    .Multiplexed(Multiplexed)
  ) dut (
    .clk_i,
    .rst_i,
    .run_i(run),
    .step_o(step),
    .lane_o(lane),
    .start_valid_i(start_valid),
    .start_i(start),
    .start_ready_o(start_ready),
    .src_valid_i(src_valid),
    .src_flit_i(src_flit),
    .src_ready_o(src_ready),
    .late_o(late),
    .ej_valid_o(ej_valid),
    .ej_flit_o(ej_flit),
    .discard_o(discards)
  );

  anl_lockstep_steps #(
    .Nodes(1),
    .StepW(StepW)
  ) u_steps (
    .clk_i,
    .rst_i,
    .harness_i,
    .run_o (run),
    .step_i(step),
    .lane_i(Multiplexed != 0 ? StepW'(lane) : '0),
    .fault_i(1'b0)
  );

  anl_lockstep_starts #(
    .S(S),
    .FlitW(FlitW),
    .StepW(StepW)
  ) u_starts (
    .clk_i,
    .rst_i,
    .harness_i,
    .start_valid_o(start_valid),
    .start_o(start),
    .start_ready_i(start_ready),
    .src_valid_o(src_valid),
    .src_flit_o(src_flit),
    .src_ready_i(src_ready)
  );

  always @(posedge clk_i)
    for (int n = 0; n < Depth * Columns; n++)
      if (!rst_i && (discards[n] || heads[n*Injections+:Injections] != '0))
        anl_lockstep_discards(harness_i, n, discards[n], 32'(heads[n*Injections+:Injections]));

  always @(posedge clk_i)
    if (!rst_i && late != '0)
      anl_lockstep_assertion::anl_lockstep_failed(
        harness_i, "NoStartIsMissed", "late_o == '0", 0, 0);

`ifdef ANL_UNWATCHED
  localparam int StateW = 1;
  assign heads = '0;
`else
  localparam int StateW = Lanes * (1 + 8 + 1 + LinkW);
`endif
`ifdef ANL_CLOSED
  localparam int First = Depth - 1;  // level whose links are watched
`else
  localparam int First = 0;
`endif

  for (genvar i = First; i < Depth; i++) begin : g_level
    for (genvar w = 0; w < Columns; w++) begin : g_node
      logic [2*Wires-1:0] valid;
      logic [2*Wires*VcW-1:0] vc;
      logic [2*Wires*LinkW-1:0] flit;
      logic [StateW-1:0] state;

      for (genvar b = 0; b < 2; b++) begin : g_link
        for (genvar v = 0; v < Wires; v++) begin : g_wire
          localparam int Wire = b * Wires + v;
          assign vc[Wire*VcW+:VcW] = Multiplexed != 0 ? lane : VcW'(v);
          if (i == Depth - 1) begin : g_output
            localparam int To = ((w - w % 2 + b) * 2 + w % 2) * Wires + v;
            assign valid[Wire] = ej_valid[To];
            assign flit[Wire*LinkW+:LinkW] = ej_flit[To*LinkW+:LinkW];
`ifndef ANL_CLOSED
          end else begin : g_inside
            localparam int From = w * 2 * Wires + Wire;
            assign valid[Wire] = dut.g_level[i].valid[From];
            assign flit[Wire*LinkW+:LinkW] = dut.g_level[i].flit[From*LinkW+:LinkW];
`endif
          end
        end
      end

`ifdef ANL_UNWATCHED
      assign state = '0;
`else
      localparam int Inputs = i == 0 ? Injections : Lanes;
      localparam int InW = anl_pkg::index_width(Inputs);
      logic [Lanes-1:0] busy, held;
      logic [Lanes*InW-1:0] owner;
      logic [Lanes*8-1:0] owners;
      logic [Lanes*LinkW-1:0] register;
      logic [Inputs-1:0] discarded;
      assign heads[(i*Columns+w)*Injections+:Injections] = Injections'(discarded);

      if (Multiplexed != 0) begin : g_multiplexed
        assign discarded = dut.g_level[i].g_node[w].g_multiplexed.u_switch.u_lanes.discard_o;
        assign busy = dut.g_level[i].g_node[w].g_multiplexed.u_switch.u_lanes.busy;
        assign owner = dut.g_level[i].g_node[w].g_multiplexed.u_switch.u_lanes.owner;
      end else begin : g_wide
        assign discarded = dut.g_level[i].g_node[w].g_wide.u_switch.u_lanes.discard_o;
        assign busy = dut.g_level[i].g_node[w].g_wide.u_switch.u_lanes.busy;
        assign owner = dut.g_level[i].g_node[w].g_wide.u_switch.u_lanes.owner;
      end
      for (genvar o = 0; o < Lanes; o++) begin : g_owner
        assign owners[o*8+:8] = 8'(owner[o*InW+:InW]);
      end

      // The nodes of level 0 have no link registers.
      if (i == 0) begin : g_none
        assign {held, register} = '0;
      end else if (Multiplexed != 0) begin : g_landed
        assign held = dut.g_level[i].g_node[w].g_multiplexed.u_switch.valid_q;
        assign register = dut.g_level[i].g_node[w].g_multiplexed.u_switch.flit_q;
      end else begin : g_register
        assign held = dut.g_level[i].g_node[w].g_wide.u_switch.g_registers.valid_q;
        assign register = dut.g_level[i].g_node[w].g_wide.u_switch.g_registers.flit_q;
      end
      assign state = {register, held, owners, busy};
`endif

      anl_lockstep_probe #(
        .N(1),
        .DigitW(32),
        .NumPorts(2),
        .NumVcs(NumVcs),
        .FlitW(FlitW),
        .Lines(Wires),
        .StateW(StateW)
      ) u_probe (
        .clk_i,
        .rst_i,
        .harness_i,
        .here_i(32'(i * Columns + w)),
        .valid_i(valid),
        .vc_i(vc),
        .flit_i(flit),
        .credit_i('0),
        .state_i(state)
      );
    end
  end
endmodule
