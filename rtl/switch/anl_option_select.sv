// SPDX-License-Identifier: Apache-2.0
//
// Selects one option for the head at the front of an input lane (docs/switch.md, "Adaptive
// routes"): an output port, and the lanes of it that the head could take.
//
// An option is open if the head could take one of its lanes. Escape lanes are considered only if no
// option is open without them. Of the open options the most preferred one is selected, or a random
// one. If no option is open both outputs are 0.
// Timing: the outputs are combinational; the module has no state.

// Each selection, and each flow control, reads some of the inputs.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_option_select #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int Select    = anl_pkg::MostCredits,
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int CntW      = $clog2(Depth + 1)
) (
  // The options of the head: bit o*NumVcs + w is lane w of port o, as in all vectors of lanes.
  input  logic [NumLanes-1:0]              options_i,
  input  logic [NumLanes-1:0]              escape_i,      // lanes that are escape lanes; constant
  input  logic [anl_head_pkg::LengthW-1:0] length_i,      // flits; not read under wormhole

  // State of the output lanes, and the order in which their ports are preferred: bit q*NumPorts + o
  // says that port q is ahead of port o. It is not read if the selection is random.
  input  logic [NumLanes-1:0]              free_i,
  input  logic [NumLanes-1:0]              has_credit_i,
  input  logic [NumLanes*CntW-1:0]         credits_i,
  input  logic [NumPorts*NumPorts-1:0]     ahead_i,
  input  logic [7:0]                       random_i,      // read if the selection is random

  output logic [NumPorts-1:0]              port_o,        // one-hot or 0
  output logic [NumVcs-1:0]                vcs_o
);

  logic [NumLanes-1:0] takeable, considered;
  logic [NumPorts-1:0] open;

  anl_admit #(.NumVcs(NumLanes), .Depth(Depth), .FlowControl(FlowControl)) u_admit (
    .head_i(1'b1), .length_i, .set_i(options_i), .bound_vc_i({NumLanes{1'b0}}), .free_i,
    .has_credit_i, .credits_i, .can_o(takeable)
  );

  assign considered = ((takeable & ~escape_i) != '0) ? takeable & ~escape_i : takeable;

  for (genvar o = 0; o < NumPorts; o++) begin : g_open
    assign open[o] = considered[o*NumVcs +: NumVcs] != '0;
  end

  if (Select == anl_pkg::SelectRandom) begin : g_random
    localparam int RankW = $clog2(NumPorts + 1);
    logic [RankW-1:0]        count, number;        // of the open options; the one that is selected
    logic [NumPorts*RankW-1:0] below;              // number of open options below each port

    always_comb begin : rank
      count = '0;
      for (int o = 0; o < NumPorts; o++) begin
        below[o*RankW +: RankW] = count;
        count = count + RankW'(open[o]);
      end
    end

    assign number = RankW'(((RankW+8)'(random_i) * (RankW+8)'(count)) >> 8);
    for (genvar o = 0; o < NumPorts; o++) begin : g_port
      assign port_o[o] = open[o] && below[o*RankW +: RankW] == number;
    end
  end else begin : g_preferred
    for (genvar o = 0; o < NumPorts; o++) begin : g_port
      logic [NumPorts-1:0] first;                  // ports that come before this one
      for (genvar q = 0; q < NumPorts; q++) begin : g_other
        assign first[q] = q != o && ahead_i[q*NumPorts + o];
      end
      assign port_o[o] = open[o] && (open & first) == '0;
    end
  end

  anl_mux #(.Size(NumPorts), .Width(NumVcs)) u_vcs (
    .sel_i(port_o), .data_i(considered), .data_o(vcs_o)
  );

endmodule
