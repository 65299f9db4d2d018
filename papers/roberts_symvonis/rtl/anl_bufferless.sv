// SPDX-License-Identifier: Apache-2.0
//
// A switch without buffers: a register at the end of each link, a latch for each input port, and a
// crossbar between them (papers/roberts_symvonis/bufferless.md). A policy outside says the way of each head.
//
// A flit leaves in the cycle in which it stands in its register. What cannot be right is lost and
// raises fault_o, which stays until reset: several flits want one output port, a flit has no way, a
// worm has no end, or late_i.
// Timing: a flit of a link leaves in the cycle after the one in which it comes, a flit of the terminal
// in the same cycle. So valid_o and flit_o are functions of registers, inj_* and way_i; head_o and
// front_o are functions of registers and inj_*, and way_i may depend on them. fault_o is a register.

// Some state is read only by the probes (papers/roberts_symvonis/bufferless.md, "What is compared").
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_bufferless #(
  parameter  int FlitW = 32,                              // data bits of a flit (docs/link.md)
  parameter  int Turns = anl_bufferless_pkg::AllTurns,    // wired turns (anl_bufferless_pkg)
  localparam int P     = anl_bufferless_pkg::NumPorts,
  localparam int T     = anl_bufferless_pkg::Terminal,
  localparam int LinkW = FlitW + 2
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [P-1:0]       links_i,   // output ports that lead anywhere; constant

  // Links into the switch, by input port.
  input  logic [T-1:0]       valid_i,
  input  logic [T*LinkW-1:0] flit_i,

  // What the source of the terminal sends.
  input  logic               inj_valid_i,
  input  logic [LinkW-1:0]   inj_flit_i,
  input  logic               late_i,    // it has missed a start

  // The flit that each input port forwards in this cycle, whether it is there and a head, and the
  // way of each head, one-hot or 0.
  output logic [P-1:0]       head_o,
  output logic [P*LinkW-1:0] front_o,
  input  logic [P*P-1:0]     way_i,

  // What leaves by each output port.
  output logic [P-1:0]       valid_o,
  output logic [P*LinkW-1:0] flit_o,

  output logic               fault_o
);

  logic [P*P-1:0] latch;      // state that the lock-step compares: the way in each latch
  logic [P*P-1:0] want;       // bit o*P + p: the flit of input p wants output o
  logic [P-1:0]   astray;     // the flit of this input has no way
  logic [P-1:0]   broken;     // the worm of the cycle before goes on, and no flit of it is here
  logic [P-1:0]   collision;  // several flits want this output
  logic           fault_d, fault_q;

  for (genvar p = 0; p < P; p++) begin : g_input
    localparam logic [P-1:0] Turn = P'(Turns >> (p * P));
    logic             valid, head, tail;
    logic [LinkW-1:0] flit;
    logic [P-1:0]     way, latch_d, latch_q;

    if (p == T) begin : g_terminal
      assign valid = inj_valid_i;
      assign flit  = inj_flit_i;
    end else begin : g_link
      logic             valid_q;
      logic [LinkW-1:0] flit_q;
      always_ff @(posedge clk_i) begin : regs
        if (rst_i) valid_q <= 1'b0;
        else       valid_q <= valid_i[p];
        flit_q <= flit_i[p*LinkW +: LinkW];
      end
      assign valid = valid_q;
      assign flit  = flit_q;
    end

    assign head    = flit[FlitW+1];
    assign tail    = flit[FlitW];
    assign way     = head ? way_i[p*P +: P] & Turn & links_i : latch_q;
    assign latch_d = (valid && !tail) ? way : '0;

    always_ff @(posedge clk_i) begin : latch_regs
      if (rst_i) latch_q <= '0;
      else       latch_q <= latch_d;
    end

    assign astray[p]               = valid && way == '0;
    assign broken[p]               = latch_q != '0 && (!valid || head);
    assign latch[p*P +: P]         = latch_q;
    assign head_o[p]               = valid && head;
    assign front_o[p*LinkW +: LinkW] = flit;
    for (genvar o = 0; o < P; o++) begin : g_want
      assign want[o*P + p] = valid && way[o];
    end

    `ANL_ASSERT(AssumeOneWayOfAHead, !(valid && head) || (way_i[p*P +: P] & (way_i[p*P +: P] - 1'b1)) == '0)
    `ANL_ASSERT(LatchHasOneWayAtMost, (latch_q & (latch_q - 1'b1)) == '0)
  end

  for (genvar o = 0; o < P; o++) begin : g_output
    localparam int Members = anl_bufferless_pkg::turns_into(Turns, o);
    localparam int WayW    = anl_pkg::index_width(anl_pkg::members(Members, P));
    logic [P-1:0]    wants;
    logic            one, two;   // a flit wants this output; another one does, too
    logic [WayW-1:0] index;      // of the one that wants it among the members

    assign wants = want[o*P +: P];
    always_comb begin : count
      one = 1'b0;
      two = 1'b0;
      for (int p = 0; p < P; p++) begin
        two = two || (one && wants[p]);
        one = one || wants[p];
      end
    end
    assign collision[o] = two;
    assign valid_o[o]   = one && !two;

    for (genvar b = 0; b < WayW; b++) begin : g_bit
      localparam int With = anl_bufferless_pkg::ranked_with(Members, b);
      assign index[b] = (wants & With[P-1:0]) != '0;
    end
    anl_select #(.Size(P), .Width(LinkW), .Members(Members)) u_flit (
      .index_i(index), .data_i(front_o), .data_o(flit_o[o*LinkW +: LinkW])
    );
  end

  assign fault_d = fault_q || late_i || astray != '0 || broken != '0 || collision != '0;
  assign fault_o = fault_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) fault_q <= 1'b0;
    else       fault_q <= fault_d;
  end

endmodule
