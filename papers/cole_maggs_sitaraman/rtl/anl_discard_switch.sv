// SPDX-License-Identifier: Apache-2.0
//
// Node of a butterfly that discards, with wide links: a flit for each lane in each cycle
// (papers/cole_maggs_sitaraman/discard.md).
//
// Bit Bit of a head's data is the link that it needs. Lane v of link l has number l*NumVcs + v, at
// inputs and outputs.
// Timing: a flit of a link leaves in the cycle after the one in which it comes, a flit of a source in
// the same cycle.

// Of the flits behind a head no data bit is read here.
// verilator lint_off UNUSEDSIGNAL

module anl_discard_switch #(
  parameter  int FlitW     = 32,                      // data bits of a flit (docs/link.md)
  parameter  int NumVcs    = 2,                       // lanes of a link, at least 1
  parameter  int Inputs    = 4,                       // input lanes: 2*NumVcs, or those of a source
  parameter  int Bit       = 0,
  parameter  int Registers = 1,                       // 0: the inputs are those of a source
  localparam int Outputs   = 2 * NumVcs,
  localparam int LinkW     = FlitW + 2
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  input  logic [Inputs-1:0]        valid_i,
  input  logic [Inputs*LinkW-1:0]  flit_i,
  output logic [Inputs-1:0]        discard_o,  // the head that stands here takes no lane

  output logic [Outputs-1:0]       valid_o,
  output logic [Outputs*LinkW-1:0] flit_o
);

  localparam int InW = anl_pkg::index_width(Inputs);

  logic [Inputs-1:0]       valid, head, tail, link;
  logic [Inputs*LinkW-1:0] flit;
  logic [Outputs*InW-1:0]  index;

  if (Registers != 0) begin : g_registers
    logic [Inputs-1:0]       valid_q;
    logic [Inputs*LinkW-1:0] flit_q;
    always_ff @(posedge clk_i) begin : regs
      if (rst_i) valid_q <= '0;
      else       valid_q <= valid_i;
      flit_q <= flit_i;
    end
    assign valid = valid_q;
    assign flit  = flit_q;
  end else begin : g_source
    assign valid = valid_i;
    assign flit  = flit_i;
  end

  for (genvar i = 0; i < Inputs; i++) begin : g_input
    assign head[i] = flit[i*LinkW + FlitW + 1];
    assign tail[i] = flit[i*LinkW + FlitW];
    assign link[i] = flit[i*LinkW + Bit];
  end

  anl_discard #(.NumVcs(NumVcs), .Inputs(Inputs)) u_lanes (
    .clk_i, .rst_i, .step_i(1'b1), .valid_i(valid), .head_i(head), .tail_i(tail), .link_i(link),
    .discard_o, .valid_o, .input_o(index)
  );

  for (genvar o = 0; o < Outputs; o++) begin : g_output
    anl_select #(.Size(Inputs), .Width(LinkW), .Members((1 << Inputs) - 1)) u_flit (
      .index_i(index[o*InW +: InW]), .data_i(flit), .data_o(flit_o[o*LinkW +: LinkW])
    );
  end

endmodule
