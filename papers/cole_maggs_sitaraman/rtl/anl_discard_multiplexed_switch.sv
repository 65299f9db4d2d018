// SPDX-License-Identifier: Apache-2.0
//
// Node of a butterfly that discards, with multiplexed links: a link has wires for one flit, and lane
// v owns the cycles in which lane_i is v (papers/cole_maggs_sitaraman/discard.md, "Wide and multiplexed links").
//
// A step is NumVcs cycles, in which lane_i counts from 0. Bit Bit of a head's data is the link that
// it needs. The inputs are two multiplexed links, whose flits wait in landing registers up to the
// last cycle of the step; or the lanes of a source, which are read in this cycle alone.
// Timing: the outputs are functions of registers and lane_i. A flit that comes in a step leaves in
// the next one.

// Of the flits behind a head no data bit is read here.
// verilator lint_off UNUSEDSIGNAL

module anl_discard_multiplexed_switch #(
  parameter  int FlitW   = 32,                          // data bits of a flit (docs/link.md)
  parameter  int NumVcs  = 2,                           // lanes of a link, at least 1
  parameter  int Inputs  = 4,                           // input lanes: 2*NumVcs, or those of a source
  parameter  int Bit     = 0,
  parameter  int Landing = 1,                           // 0: the inputs are those of a source
  localparam int Links   = 2,
  localparam int Ports   = (Landing != 0) ? Links : Inputs,
  localparam int VcW     = anl_pkg::index_width(NumVcs),
  localparam int LinkW   = FlitW + 2
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [VcW-1:0]         lane_i,

  input  logic [Ports-1:0]       valid_i,
  input  logic [Ports*LinkW-1:0] flit_i,
  output logic [Inputs-1:0]      discard_o,  // the head that stands here takes no lane

  output logic [Links-1:0]       valid_o,
  output logic [Links*LinkW-1:0] flit_o
);

  localparam int Outputs = Links * NumVcs;
  localparam int InW     = anl_pkg::index_width(Inputs);

  logic [Inputs-1:0]       next_valid, valid_q, head, tail, link;
  logic [Inputs*LinkW-1:0] next_flit, flit_q;
  logic [Outputs-1:0]      sends;
  logic [Outputs*InW-1:0]  index;
  logic                    last;

  assign last = lane_i == VcW'(NumVcs - 1);

  // What the link registers hold in the next step.
  if (Landing != 0) begin : g_landing
    for (genvar i = 0; i < Inputs; i++) begin : g_input
      localparam int L = i / NumVcs;
      localparam int V = i % NumVcs;
      if (V == NumVcs - 1) begin : g_last
        assign next_valid[i]               = valid_i[L];
        assign next_flit[i*LinkW +: LinkW] = flit_i[L*LinkW +: LinkW];
      end else begin : g_waits
        logic             landed_q;
        logic [LinkW-1:0] landing_q;
        always_ff @(posedge clk_i) begin : regs
          if (lane_i == VcW'(V)) begin
            landed_q  <= valid_i[L];
            landing_q <= flit_i[L*LinkW +: LinkW];
          end
        end
        assign next_valid[i]               = landed_q;
        assign next_flit[i*LinkW +: LinkW] = landing_q;
      end
    end
  end else begin : g_source
    assign next_valid = valid_i;
    assign next_flit  = flit_i;
  end

  always_ff @(posedge clk_i) begin : regs
    if (rst_i)     valid_q <= '0;
    else if (last) valid_q <= next_valid;
    if (last) flit_q <= next_flit;
  end

  for (genvar i = 0; i < Inputs; i++) begin : g_marks
    assign head[i] = flit_q[i*LinkW + FlitW + 1];
    assign tail[i] = flit_q[i*LinkW + FlitW];
    assign link[i] = flit_q[i*LinkW + Bit];
  end

  anl_discard #(.NumVcs(NumVcs), .Inputs(Inputs)) u_lanes (
    .clk_i, .rst_i, .step_i(last), .valid_i(valid_q), .head_i(head), .tail_i(tail), .link_i(link),
    .discard_o, .valid_o(sends), .input_o(index)
  );

  for (genvar l = 0; l < Links; l++) begin : g_output
    logic [NumVcs*(InW+1)-1:0] lanes;  // of each lane whether it sends, and from which input
    logic [InW-1:0]            from;

    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      localparam int O = l * NumVcs + v;
      assign lanes[v*(InW+1) +: InW+1] = {sends[O], index[O*InW +: InW]};
    end
    anl_select #(.Size(NumVcs), .Width(InW + 1), .Members((1 << NumVcs) - 1)) u_lane (
      .index_i(lane_i), .data_i(lanes), .data_o({valid_o[l], from})
    );
    anl_select #(.Size(Inputs), .Width(LinkW), .Members((1 << Inputs) - 1)) u_flit (
      .index_i(from), .data_i(flit_q), .data_o(flit_o[l*LinkW +: LinkW])
    );
  end

endmodule
