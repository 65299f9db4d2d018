// SPDX-License-Identifier: Apache-2.0
//
// anl_link_slices: what goes in in any one cycle comes out Cycles - 1 cycles later, flits on one
// side and credits on the other, and after reset nothing comes out that has not gone in. The model
// keeps what went in in a single cycle, which mark_i chooses; it has no register for any other one.
// That no lane overflows behind such a link, and that no credit is lost, is the proof credits.

`include "prove.svh"

module prove_link_slices #(
  parameter  int Cycles = 2,
  parameter  int NumVcs = 2,
  parameter  int FlitW  = 1,
  parameter  int Lines  = 1,
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int LinkW  = FlitW + 2,
  localparam int AgeW   = 5
) (
  input logic                   clk_i,
  input logic                   mark_i,     // what goes in in this cycle is followed
  input logic [Lines-1:0]       valid_i,
  input logic [Lines*VcW-1:0]   vc_i,
  input logic [Lines*LinkW-1:0] flit_i,
  input logic [NumVcs-1:0]      credit_i
);

  `PROVE_RESET

  logic [Lines-1:0]       valid_o;
  logic [Lines*VcW-1:0]   vc_o;
  logic [Lines*LinkW-1:0] flit_o;
  logic [NumVcs-1:0]      credit_o;

  anl_link_slices #(.Cycles(Cycles), .NumVcs(NumVcs), .FlitW(FlitW), .Lines(Lines)) u_dut (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o, .credit_i
  );

  // age is that of what is followed, in cycles; nothing is followed if it is Cycles or more. since
  // counts the cycles behind the reset, and stops at Cycles.
  logic [AgeW-1:0]        age_q, since_q;
  logic [Lines-1:0]       valid_q;
  logic [Lines*VcW-1:0]   vc_q;
  logic [Lines*LinkW-1:0] flit_q;
  logic [NumVcs-1:0]      credit_q;
  wire                    begins = mark_i && (32'(age_q) >= Cycles);
  wire [AgeW-1:0]         age    = begins ? '0 : age_q;
  wire                    due    = !rst_i && (32'(age) == Cycles - 1);

  always_ff @(posedge clk_i) begin : model
    age_q   <= rst_i ? AgeW'(Cycles) : (32'(age) >= Cycles) ? AgeW'(Cycles) : age + 1'b1;
    since_q <= rst_i ? '0 : (32'(since_q) == Cycles) ? since_q : since_q + 1'b1;
    if (begins) {valid_q, vc_q, flit_q, credit_q} <= {valid_i, vc_i, flit_i, credit_i};
  end

  wire [Lines-1:0]        valid  = begins ? valid_i : valid_q;
  wire [Lines*VcW-1:0]    vc     = begins ? vc_i : vc_q;
  wire [Lines*LinkW-1:0]  flit   = begins ? flit_i : flit_q;
  wire [NumVcs-1:0]       credit = begins ? credit_i : credit_q;

  `PROVE(FlitsComeAfterTheirCycles, !due || valid_o == valid)
  `PROVE(CreditsComeAfterTheirCycles, !due || credit_o == credit)
  `PROVE(LinkIsEmptyAfterReset, 32'(since_q) >= Cycles - 1 || (valid_o == '0 && credit_o == '0))
  for (genvar l = 0; l < Lines; l++) begin : g_line
    `PROVE(FlitIsTheSame, !(due && valid[l])
                          || (flit_o[l*LinkW +: LinkW] == flit[l*LinkW +: LinkW]
                              && vc_o[l*VcW +: VcW] == vc[l*VcW +: VcW]))
    `COVER(FlitComesBehindAFlit, due && valid[l] && valid_i[l] && credit_o != '0)
  end

endmodule
