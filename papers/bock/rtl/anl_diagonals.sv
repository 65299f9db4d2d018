// SPDX-License-Identifier: Apache-2.0
//
// Node of a torus on which worms ride diagonals (papers/bock/diagonals.md): a register at the end of each
// link to it, which holds a flit or nothing, and no other buffer. Port 2 d is that of flits that move in +d,
// port 2 d + 1 that of -d, for each dimension d; stage s works in dimensions s (x) and s + 1 (y).
//
// A head goes where the command of the step, its destination and the place of the node say. The flits
// behind it follow its latch, and stand if it stands. What cannot be right raises fault_o, which stays
// until reset: two flits for one register, a flit without a way, a worm without an end, or late_i.
// Timing: valid_o, flit_o, exit_* and failed_o are functions of registers and inputs; stops_* and waits_*
// do not depend on stands_* and ahead_y_i.

// Some state is read only by the probes (papers/bock/diagonals.md, "RTL").
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_diagonals #(
  parameter  int N      = 8,                                // side of the torus
  parameter  int D      = 2,                                // dimensions
  parameter  int C      = 2,                                // columns of a column block
  parameter  int FlitW  = 32,                               // data bits of a flit (docs/link.md)
  localparam int W      = anl_pkg::index_width(N),
  localparam int CmdW   = anl_diagonals_pkg::CommandW,
  localparam int T      = D - 1,                            // stages
  localparam int L      = 2 * D,                            // links
  localparam int LinkW  = FlitW + 2
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [CmdW-1:0]    command_i,
  input  logic               odd_i,       // 1: the odd stages work, 0: the even ones

  // The place of the node; constant. Entry s is that of stage s.
  input  logic [D*W-1:0]     here_i,      // coordinates, that of dimension 0 lowest
  input  logic [T*W-1:0]     first_i,     // first column of its column block
  input  logic [T-1:0]       slot_i,      // it is a slot
  input  logic [T-1:0]       turn_i,      // it is a turn node
  input  logic [T-1:0]       top_i,       // it is in the top row of its row block,
  input  logic [T-1:0]       fits_i,      // whose reservoir has room for a worm
  input  logic [T-1:0]       bottom_i,    // its register of -y is the bottom of a reservoir

  // Links into the node, and what the source of its terminal sends.
  input  logic [L-1:0]       valid_i,
  input  logic [L*LinkW-1:0] flit_i,
  input  logic               inj_valid_i,
  input  logic [LinkW-1:0]   inj_flit_i,
  input  logic               late_i,      // it has missed a start

  // Of each stage: the flit on +x stands; it stands if the one ahead does; the same for -y. The torus
  // says then whether they stand in this step, and the one ahead of -y.
  output logic [T-1:0]       stops_x_o,
  output logic [T-1:0]       waits_x_o,
  output logic [T-1:0]       stops_y_o,
  output logic [T-1:0]       waits_y_o,
  input  logic [T-1:0]       stands_x_i,
  input  logic [T-1:0]       stands_y_i,
  input  logic [T-1:0]       ahead_y_i,

  output logic [L-1:0]       valid_o,
  output logic [L*LinkW-1:0] flit_o,

  // What leaves the network from each register; a worm that leaves from another one than the last
  // has failed.
  output logic [L-1:0]       exit_valid_o,
  output logic [L*LinkW-1:0] exit_flit_o,
  output logic               failed_o,
  output logic               fault_o
);

  localparam int P    = L + 1;   // ways of a flit: a link, or out of the network
  localparam int Exit = L;
  localparam int Last = L - 1;   // the port on which worms are delivered

  // Ways in a stage, and the turns to which the rules come in it.
  localparam int S = anl_diagonals_pkg::NumSides;
  localparam int R = anl_diagonals_pkg::NumWays;
  localparam logic [S*R-1:0] Turns = {5'b0_1000, 5'b1_1110, 5'b1_0011, 5'b0_1111};

  // The ways of stage s, as those of the node.
  function automatic logic [P-1:0] of_node(input logic [R-1:0] way, input int s);
    of_node = (P'(way[S-1:0]) << 2*s) | (P'(way[S]) << Exit);
  endfunction

  logic [L-1:0]       valid, head, tail, stands;
  logic [L*LinkW-1:0] flit;
  logic [T*S*R-1:0]   in_stage;         // ways of the heads of each stage
  logic [L*P-1:0]     goes;             // bit p*P + o: the flit in register p goes to o
  logic [L*P-1:0]     latch;            // state that the lock-step compares: the way in each latch,
  logic [T-1:0]       taken;            // and whether its turn node of each stage is taken
  logic [L-1:0]       astray, broken, meets, collision;
  logic               begins, fault_d, fault_q;

  for (genvar s = 0; s < T; s++) begin : g_stage
    logic works;
    assign works = odd_i == (s % 2 != 0);
    anl_diagonals_stage #(.W(W), .C(C)) u_stage (
      .clk_i, .rst_i, .command_i, .works_i(works),
      .column_i(here_i[s*W +: W]), .first_i(first_i[s*W +: W]),
      .slot_i(slot_i[s]), .turn_i(turn_i[s]), .top_i(top_i[s]), .fits_i(fits_i[s]), .bottom_i(bottom_i[s]),
      .valid_i(valid[2*s +: S]), .head_i(head[2*s +: S]), .to_i(flit[2*s*LinkW + s*W +: W]),
      .ahead_y_i(ahead_y_i[s]),
      .stops_x_o(stops_x_o[s]), .waits_x_o(waits_x_o[s]), .stops_y_o(stops_y_o[s]), .waits_y_o(waits_y_o[s]),
      .way_o(in_stage[s*S*R +: S*R]), .taken_o(taken[s])
    );
  end

  // Some stage begins, and what stood behind that before it ends: behind the last one, deliveries.
  assign begins = 32'(command_i) == anl_diagonals_pkg::Distribute
                  || 32'(command_i) == anl_diagonals_pkg::DistributeEnd;

  // --- registers and latches ---

  for (genvar p = 0; p < L; p++) begin : g_input
    localparam int Dim = p / 2;

    logic             valid_q;
    logic [LinkW-1:0] flit_q;
    logic [P-1:0]     as_x, as_y, behind;  // ways of a head in stage Dim, in stage Dim - 1, and behind a stage
    logic [P-1:0]     may_x, may_y, may_behind;
    logic [P-1:0]     way, latch_d, latch_q;

    assign valid[p]               = valid_q;
    assign flit[p*LinkW +: LinkW] = flit_q;
    assign head[p]                = flit_q[FlitW+1];
    assign tail[p]                = flit_q[FlitW];
    assign latch[p*P +: P]        = latch_q;

    // In the stage of which it is +x or -x, and in that of which it is +y or -y.
    if (Dim < T) begin : g_x
      assign as_x  = of_node(in_stage[(Dim*S + p%2)*R +: R], Dim);
      assign may_x = of_node(Turns[p%2*R +: R], Dim);
    end else begin : g_no_x
      assign {may_x, as_x} = '0;
    end
    if (Dim > 0) begin : g_y
      assign as_y  = of_node(in_stage[(Dim*S - S + p%2 + 2)*R +: R], Dim - 1);
      assign may_y = of_node(Turns[(p%2 + 2)*R +: R], Dim - 1);
    end else begin : g_no_y
      assign {may_y, as_y} = '0;
    end
    // Behind stage Dim a head on +x leaves; behind the last stage heads are delivered.
    if (p == Last) begin : g_delivery
      wire home = flit_q[Dim*W +: W] == here_i[Dim*W +: W];
      assign behind     = !(begins && odd_i == (Dim % 2 != 0)) ? '0 : home ? P'(1 << Exit) : P'(1 << Last);
      assign may_behind = P'(1 << Exit) | P'(1 << Last);
    end else if (p % 2 == 0 && Dim < T) begin : g_left
      assign behind     = (begins && odd_i == (Dim % 2 == 0)) ? P'(1 << Exit) : '0;
      assign may_behind = P'(1 << Exit);
    end else begin : g_stays
      assign {may_behind, behind} = '0;
    end

    assign way             = (head[p] ? as_x | as_y | behind : latch_q) & (may_x | may_y | may_behind);
    assign goes[p*P +: P]  = (valid_q && !stands[p]) ? way : '0;
    assign latch_d         = stands[p] ? latch_q : (valid_q && !tail[p]) ? way : '0;

    if (p % 2 == 0 && Dim < T) begin : g_row
      assign stands[p] = stands_x_i[Dim];
    end else if (p % 2 != 0 && Dim > 0) begin : g_reservoir
      assign stands[p] = stands_y_i[Dim-1];
    end else begin : g_moves
      assign stands[p] = 1'b0;
    end

    assign astray[p] = valid_q && !stands[p] && way == '0;
    assign broken[p] = latch_q != '0 && (!valid_q || head[p]);
    assign meets[p]  = stands[p] && valid_i[p];

    `ANL_ASSERT(LatchHasOneWayAtMost, (latch_q & (latch_q - 1'b1)) == '0)

    assign exit_valid_o[p]               = goes[p*P + Exit];
    assign exit_flit_o[p*LinkW +: LinkW] = flit_q;

    always_ff @(posedge clk_i) begin : regs
      if (rst_i) begin
        valid_q <= 1'b0;
        latch_q <= '0;
      end else begin
        valid_q <= stands[p] || valid_i[p];
        latch_q <= latch_d;
      end
      if (!stands[p]) flit_q <= flit_i[p*LinkW +: LinkW];
    end
  end

  // --- links; the terminal sends by -0 ---

  for (genvar o = 0; o < L; o++) begin : g_output
    logic [L-1:0] wants;
    wire          injects = o == anl_diagonals_pkg::XMinus && inj_valid_i;

    for (genvar p = 0; p < L; p++) begin : g_want
      assign wants[p] = goes[p*P + o];
    end

    always_comb begin : crossbar
      logic             one, two;   // a flit wants this link; another one does, too
      logic [LinkW-1:0] sent;
      one  = injects;
      two  = 1'b0;
      sent = injects ? inj_flit_i : '0;
      for (int p = 0; p < L; p++) begin
        two  = two || (one && wants[p]);
        one  = one || wants[p];
        sent = sent | (wants[p] ? flit[p*LinkW +: LinkW] : '0);
      end
      valid_o[o]               = one;
      collision[o]             = two;
      flit_o[o*LinkW +: LinkW] = sent;
    end
  end

  assign failed_o = exit_valid_o[Last-1:0] != '0;
  assign fault_d  = fault_q || late_i || astray != '0 || broken != '0 || meets != '0 || collision != '0;
  assign fault_o  = fault_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) fault_q <= 1'b0;
    else       fault_q <= fault_d;
  end

  `ANL_ASSERT(AssumeCommandExists, 32'(command_i) <= anl_diagonals_pkg::SeekWait)
  `ANL_ASSERT(AssumeDestinationFitsFlit, FlitW >= D * W)

endmodule
