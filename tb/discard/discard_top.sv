// SPDX-License-Identifier: Apache-2.0
//
// A butterfly that discards beside the model: C gives worms and starts at the falling edge, and sees
// all registers and what crosses the links at the rising edge. Only Verilator reads this file.

module discard_top #(
  parameter int Levels      = 3,
  parameter int Passes      = 2,
  parameter int NumVcs      = 2,
  parameter int Multiplexed = 0,
  parameter int FlitW       = 44,
  parameter int StepW       = 12
) (
  input logic clk_i,
  input logic rst_i
);

  // More than the lanes of a link, so that sources, too, have more worms than a link has lanes; and
  // no power of two.
  localparam int Injections = NumVcs + 2;
  localparam int Columns = 1 << Levels;
  localparam int Depth   = Passes * Levels;
  localparam int S       = Columns * Injections;
  localparam int Lanes   = Depth * Columns * 2 * NumVcs;  // of all links
  localparam int Wires   = Multiplexed != 0 ? 1 : NumVcs;
  localparam int W       = Depth * Columns * 2 * Wires;   // flits that cross links in a cycle
  localparam int VcW     = anl_pkg::index_width(NumVcs);
  localparam int LinkW   = FlitW + 2;
  localparam int OwnerW  = 8;
  localparam int Most    = Injections > 2 * NumVcs ? Injections : 2 * NumVcs;  // input lanes
  localparam int D       = Depth * Columns * Most;
  localparam int E       = Columns * 2 * Wires;

  // What all sources show.
  import "DPI-C" function void discard_drive(
      input bit reset, output bit run, output bit [S-1:0] start_valid, output bit [S*StepW-1:0] start,
      output bit [S-1:0] src_valid, output bit [S*LinkW-1:0] src_flit);
  // What the sources take in this cycle, what stands in the input lanes of all nodes, the owners of
  // all lanes, what crosses links, which heads are discarded, and what the outputs take.
  import "DPI-C" function void discard_see(
      input int step, input int lane, input bit [S-1:0] start_ready, input bit [S-1:0] src_ready,
      input bit [S-1:0] late, input bit [D-1:0] valid, input bit [D*LinkW-1:0] flit,
      input bit [Lanes-1:0] busy, input bit [Lanes*OwnerW-1:0] owner, input bit [W-1:0] crosses,
      input bit [W*LinkW-1:0] crossing, input bit [D-1:0] discards, input bit [Depth*Columns-1:0] nodes,
      input bit [E-1:0] ej_valid, input bit [E*LinkW-1:0] ej_flit);
  import "DPI-C" function void discard_parameters(
      input int levels, input int passes, input int num_vcs, input int injections, input int multiplexed,
      input int flit_w, input int step_w);

  bit run;
  bit [S-1:0] start_valid, src_valid;
  bit [S*StepW-1:0] start;
  bit [S*LinkW-1:0] src_flit;
  logic [StepW-1:0] step;
  logic [VcW-1:0] lane;
  logic [S-1:0] start_ready, src_ready, late;
  logic [E-1:0] ej_valid;
  logic [E*LinkW-1:0] ej_flit;
  logic [D-1:0] valid, discards;
  logic [D*LinkW-1:0] flit;
  logic [Lanes-1:0] busy;
  logic [Lanes*OwnerW-1:0] owner;
  logic [W-1:0] crosses;
  logic [W*LinkW-1:0] crossing;
  logic [Depth*Columns-1:0] nodes;

  anl_discard_butterfly #(
    .Levels(Levels), .Passes(Passes), .NumVcs(NumVcs), .Injections(Injections), .FlitW(FlitW),
    .StepW(StepW), .Multiplexed(Multiplexed)
  ) u_net (
    .clk_i, .rst_i, .run_i(run), .step_o(step), .lane_o(lane),
    .start_valid_i(start_valid), .start_i(start), .start_ready_o(start_ready),
    .src_valid_i(src_valid), .src_flit_i(src_flit), .src_ready_o(src_ready), .late_o(late),
    .ej_valid_o(ej_valid), .ej_flit_o(ej_flit), .discard_o(nodes)
  );

`define ANL_SWITCH u_net.g_level[i].g_node[w].`ANL_KIND.u_switch
  for (genvar i = 0; i < Depth; i++) begin : g_level
    localparam int Out    = Columns * 2 * Wires;
    localparam int Inputs = i == 0 ? Injections : 2 * NumVcs;
    localparam int InW    = anl_pkg::index_width(Inputs);
    assign crosses[i*Out +: Out]              = u_net.g_level[i].valid;
    assign crossing[i*Out*LinkW +: Out*LinkW] = u_net.g_level[i].flit;
    for (genvar w = 0; w < Columns; w++) begin : g_node
      localparam int Node = i * Columns + w;
      assign busy[Node*2*NumVcs +: 2*NumVcs] = `ANL_SWITCH.u_lanes.busy;
      for (genvar o = 0; o < 2 * NumVcs; o++) begin : g_lane
        assign owner[(Node*2*NumVcs + o)*OwnerW +: OwnerW] = OwnerW'(`ANL_SWITCH.u_lanes.owner[o*InW +: InW]);
      end
      for (genvar n = 0; n < Most; n++) begin : g_input
        if (n < Inputs) begin : g_is
          assign discards[Node*Most + n] = `ANL_SWITCH.u_lanes.discard_o[n];
          assign valid[Node*Most + n] = `ANL_SWITCH.u_lanes.valid_i[n];
          assign flit[(Node*Most + n)*LinkW +: LinkW] = `ANL_SWITCH.`ANL_FLIT[n*LinkW +: LinkW];
        end else begin : g_none
          assign {valid[Node*Most + n], flit[(Node*Most + n)*LinkW +: LinkW], discards[Node*Most + n]} = '0;
        end
      end
    end
  end

  initial discard_parameters(Levels, Passes, NumVcs, Injections, Multiplexed, FlitW, StepW);
  always @(negedge clk_i) discard_drive(rst_i, run, start_valid, start, src_valid, src_flit);
  always @(posedge clk_i)
    if (!rst_i)
      discard_see(32'(step), Multiplexed != 0 ? 32'(lane) : 0, start_ready, src_ready, late, valid, flit, busy, owner,
                  crosses, crossing, discards, nodes, ej_valid, ej_flit);

endmodule
