// SPDX-License-Identifier: Apache-2.0
//
// A small network with its terminals in a simulator with four states (Icarus), from power-up and
// with resets in the middle of traffic. (The benches in Verilator start from random bits and cannot
// see an X.)
//
// In each round the sinks take nothing until the network is nearly full; then reset comes, in the
// first round and each other one while flits move again; then every terminal sends some worms.
// After every reset the state must be the one that docs/switch.md gives, and no switch may send
// a flit or a credit, or get a credit. In no cycle may a valid, credit, pointer, bound or owned bit be unknown. No flit that
// arrives may have an unknown bit, and every flit sent since the reset must arrive. A round ends five cycles after the
// last of them, and the test with the first value that is wrong or unknown. With nine rounds or more, every lane that ever
// held a flit must have held one in some reset. A test of one round has fewer worms and a smaller butterfly. The test
// prints PASS and the numbers of flits and of lanes reset. With GRAPH defined the network is the graph whose RTL is
// compiled with this file, and GRAPH_<name> says which. If links are wide there is a terminal for each line.

// Each parameter of the network has a macro.
`ifndef TOPOLOGY
`define TOPOLOGY 0
`endif
`ifndef ROUTING
`define ROUTING 0
`endif
`ifndef SELECT
`define SELECT 0
`endif
`ifndef ATOMIC
`define ATOMIC 0
`endif
`ifndef NUM_VCS
`ifdef FAT_TREE
`define NUM_VCS 1
`else
`define NUM_VCS 2
`endif
`endif
`ifndef DEPTH
`define DEPTH 3
`endif
`ifndef ARBITER
`define ARBITER 1
`endif
`ifndef FLOW_CONTROL
`define FLOW_CONTROL 0
`endif
`ifndef LENGTH_IN_HEAD
`define LENGTH_IN_HEAD 0
`endif
`ifndef CREDIT_BYPASS
`define CREDIT_BYPASS 0
`endif
`ifndef WIDE
`define WIDE 0
`endif
`ifndef LINK_CYCLES
`define LINK_CYCLES 1
`endif
`ifndef STAGES
`define STAGES 1
`endif
`ifndef CLASSES
`define CLASSES 1
`endif
`ifndef WEIGHTS
`define WEIGHTS 0
`endif
`ifndef ROUNDS
`define ROUNDS 1
`endif

module four_state;
`ifdef GRAPH
  localparam int S      = anl_graph_pkg::NumSwitches, P = anl_graph_pkg::NumPorts;
  localparam int T      = anl_graph_pkg::NumTerminals, DstW = anl_pkg::index_width(T);
`else
`ifdef BUTTERFLY
  localparam bit Fly    = 1, Tree = 0, Ring = 0;
`elsif FAT_TREE
  localparam bit Fly    = 0, Tree = 1, Ring = 0;
`else
  localparam bit Fly    = 0, Tree = 0;
  localparam bit Ring   = `ROUTING == anl_pkg::Dateline;
`endif
  localparam int K      = (Tree || Ring) ? 4 : 2;
  localparam int N      = Ring ? 1 : (Fly && `ROUNDS > 1) ? 3 : 2;
  localparam int DigitW = (K > 2) ? 2 : 1, DstW = N * DigitW;
  localparam int T      = K ** N;
  localparam int S      = Tree ? 6 : Fly ? (`ROUTING == anl_pkg::Valiant ? 2 * N - 1 : N) * T / K : T;
  localparam int P      = Tree ? 6 : Fly ? K : (`TOPOLOGY <= anl_cube_pkg::Torus ? 2 * N : N) + 1;
`endif
  localparam int V      = `NUM_VCS, Depth = `DEPTH, FlitW = 40, LinkW = FlitW + 2;
  localparam int CntW   = $clog2(Depth + 1), Length = 3, Rounds = `ROUNDS;
  localparam int Worms  = (Rounds == 1 && `CLASSES == 1) ? 1 : 3;  // of a terminal in a round
  localparam int Flood  = (Rounds == 1) ? 6 : 5 * Rounds - 4;     // cycles in the first round
  localparam bit HasLength = `FLOW_CONTROL != 0 || `LENGTH_IN_HEAD != 0;
  localparam int Moving = 2;  // cycles in which sinks take flits before a reset
  localparam int Lines  = anl_pkg::lines_of(`WIDE, V), LineVcs = V / Lines, Nodes = T * Lines;
  localparam int StampLsb = DstW + (HasLength ? 7 : 0);

  logic               clk = 0, rst = 1;
  logic [S*32-1:0]    seed;
  logic [Nodes-1:0]   inj_valid, inj_vc, ej_valid, ej_vc;
  logic [Nodes*LinkW-1:0] inj_flit, ej_flit;
  logic [T*V-1:0]     inj_credit, ej_credit;
  integer             round = 0, cycle = 0, sent = 0, arrived = 0, unknown = 0, wrong = 0;
  logic               flooding = 1, draining = 0;

  for (genvar s = 0; s < S; s++) begin : g_seed
    assign seed[s*32 +: 32] = 32'h2545f491 ^ s;
  end

`ifdef GRAPH
  if (1) begin : g_network
    anl_graph #(
      .NumVcs(V), .Depth(Depth), .FlitW(FlitW), .Arbiter(`ARBITER),
      .FlowControl(`FLOW_CONTROL), .LengthInHead(`LENGTH_IN_HEAD), .CreditBypass(`CREDIT_BYPASS), .Wide(`WIDE), .Stages(`STAGES),
      .Classes(`CLASSES), .Weights(`WEIGHTS)
    ) dut (
      .clk_i(clk), .rst_i(rst), .seed_i(seed),
      .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
      .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
    );
  end
`else
  if (Tree) begin : g_network
    anl_fat_tree #(
      .N(N), .Routing(`ROUTING), .LinkCycles(`LINK_CYCLES), .NumVcs(V), .Depth(Depth), .FlitW(FlitW), .Arbiter(`ARBITER),
      .FlowControl(`FLOW_CONTROL), .LengthInHead(`LENGTH_IN_HEAD), .CreditBypass(`CREDIT_BYPASS), .Wide(`WIDE), .Stages(`STAGES),
      .Classes(`CLASSES), .Weights(`WEIGHTS)
    ) dut (
      .clk_i(clk), .rst_i(rst), .seed_i(seed),
      .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
      .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
    );
  end else if (Fly) begin : g_network
    anl_butterfly #(
      .K(K), .N(N), .Routing(`ROUTING), .LinkCycles(`LINK_CYCLES), .NumVcs(V), .Depth(Depth), .FlitW(FlitW), .Arbiter(`ARBITER),
      .FlowControl(`FLOW_CONTROL), .LengthInHead(`LENGTH_IN_HEAD), .CreditBypass(`CREDIT_BYPASS), .Wide(`WIDE), .Stages(`STAGES),
      .Classes(`CLASSES), .Weights(`WEIGHTS)
    ) dut (
      .clk_i(clk), .rst_i(rst), .seed_i(seed),
      .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
      .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
    );
  end else begin : g_network
    anl_cube #(
      .K(K), .N(N), .Topology(`TOPOLOGY), .Routing(`ROUTING), .Select(`SELECT), .Atomic(`ATOMIC),
      .LinkCycles(`LINK_CYCLES), .NumVcs(V), .Depth(Depth), .FlitW(FlitW), .Arbiter(`ARBITER),
      .FlowControl(`FLOW_CONTROL), .LengthInHead(`LENGTH_IN_HEAD), .CreditBypass(`CREDIT_BYPASS), .Wide(`WIDE), .Stages(`STAGES),
      .Classes(`CLASSES), .Weights(`WEIGHTS)
    ) dut (
      .clk_i(clk), .rst_i(rst), .seed_i(seed),
      .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
      .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
    );
  end
`endif

  // ---------------------------------------------------------------- terminals

  function [DstW-1:0] label_of(input integer terminal);
    label_of = DstW'(terminal);         // in a cube or tree K is a power of two
  endfunction

  // A head has destination, length, and stamp or distance or path (docs/link.md). Fields that the
  // policy does not read are free data.
  function [LinkW-1:0] flit_of(input integer to, input integer index, input integer rank);
    logic [FlitW-1:0] head;
    head = label_of(to);
    if (HasLength) head = head | Length << DstW;
`ifdef GRAPH_source
    head = head | label_of(to) << DstW;  // the list of ports
`else
    head = head | (rank % 65536) << StampLsb;
`endif
    flit_of = {index == 0, index == Length - 1, (index == 0) ? head : ~head};
  endfunction

  logic [Nodes*32-1:0] sent_here, arrived_here, unknown_here;
  logic [Nodes-1:0]    wrong_here;

  for (genvar t = 0; t < Nodes; t++) begin : g_node
    logic             src_valid, src_ready, snk_valid, snk_vc, lane_vc;
    logic [LinkW-1:0] src_flit, snk_flit;
    integer           index, left, to, rank;
    integer           sends = 0, arrives = 0, unknowns = 0;

    anl_terminal #(
      .NumVcs(LineVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .FlowControl(`FLOW_CONTROL),
      .LengthInHead(`LENGTH_IN_HEAD), .CreditBypass(`CREDIT_BYPASS), .Wide(`WIDE)
    ) u_terminal (
      .clk_i(clk), .rst_i(rst), .src_valid_i(src_valid), .src_flit_i(src_flit),
      .src_vcs_i({LineVcs{1'b1}}), .src_ready_o(src_ready),
      .inj_valid_o(inj_valid[t]), .inj_vc_o(lane_vc), .inj_flit_o(inj_flit[t*LinkW +: LinkW]),
      .inj_credit_i(inj_credit[t*LineVcs +: LineVcs]),
      .ej_valid_i(ej_valid[t]), .ej_vc_i((Lines > 1) ? 1'b0 : ej_vc[t]), .ej_flit_i(ej_flit[t*LinkW +: LinkW]),
      .ej_credit_o(ej_credit[t*LineVcs +: LineVcs]),
      .snk_valid_o(snk_valid), .snk_flit_o(snk_flit), .snk_vc_o(snk_vc), .snk_ready_i(!flooding)
    );

    assign inj_vc[t] = (Lines > 1) ? 1'(t % Lines) : lane_vc;

    // Sends one worm after another; while the network drains, only the worms that are left.
    always @(posedge clk) begin : source
      if (rst) begin
        index <= 0;
        left  <= Worms;
        to    <= (7 * t + 5 * round) % T;
        sends <= 0;
        rank <= cycle;
      end else if (src_valid && src_ready) begin
        index <= (index + 1) % Length;
        sends <= sends + 1;
        if (index == Length - 1) begin
          to    <= (to * 5 + cycle + t) % T;
          rank <= cycle;
          if (!flooding) left <= left - 1;
        end
      end
    end
    assign src_valid = !rst && left > 0;
    assign src_flit  = flit_of(to, index, rank);

    always @(negedge clk) begin : sink
      if (rst) arrives = 0;
      else begin
        if (snk_valid === 1'b1 && !flooding) begin
          arrives = arrives + 1;
          if (^{snk_flit, snk_vc} === 1'bx) unknowns = unknowns + 1;
        end
        if (^{snk_valid, src_ready, u_terminal.count, u_terminal.credit, u_terminal.bound,
              u_terminal.shown_q} === 1'bx)
          unknowns = unknowns + 1;
      end
    end

    assign sent_here[t*32 +: 32]    = sends;
    assign arrived_here[t*32 +: 32] = arrives;
    assign unknown_here[t*32 +: 32] = unknowns;
    assign wrong_here[t] = u_terminal.count !== '0 || u_terminal.credit !== {LineVcs{CntW'(Depth)}}
                           || u_terminal.bound !== '0 || u_terminal.shown_q !== '0;
  end

  // ---------------------------------------------------------------- switches

  logic [S*P*V-1:0] held, ever_held, held_in_reset;
  logic [S-1:0]     unclear, not_reset;
  initial begin
    ever_held = '0;
    held_in_reset = '0;
  end

  for (genvar s = 0; s < S; s++) begin : g_state
    logic [P*V*CntW-1:0] count, credit;
    logic [P*V-1:0]      bound, owned;
    // A bit for each class of each port, since a class has two lanes at most.
    logic [P*`CLASSES-1:0] in_ptr;
    logic [P*8-1:0]      out_ptr;
    logic [31:0]         random;

    assign {count, credit, bound, owned, in_ptr, random} = {
      g_network.dut.g_switch[s].u_switch.u_core.count,  g_network.dut.g_switch[s].u_switch.u_core.credit,
      g_network.dut.g_switch[s].u_switch.u_core.bound,  g_network.dut.g_switch[s].u_switch.u_core.owned,
      g_network.dut.g_switch[s].u_switch.u_core.in_ptr, g_network.dut.g_switch[s].u_switch.u_core.random};
    assign out_ptr = g_network.dut.g_switch[s].u_switch.u_core.out_ptr;

    for (genvar l = 0; l < P * V; l++) begin : g_lane
      assign held[s*P*V+l] = count[l*CntW +: CntW] != '0;
    end
    assign unclear[s]   = ^{count, credit, bound, owned, in_ptr, out_ptr, random} === 1'bx;
    assign not_reset[s] = count !== '0 || credit !== {P*V{CntW'(Depth)}} || bound !== '0 || owned !== '0
                          || in_ptr !== '0 || out_ptr !== '0
                          || (random !== '0 && random !== seed[s*32 +: 32])
                          || g_network.dut.g_switch[s].u_switch.u_core.valid_o !== '0
                          || g_network.dut.g_switch[s].u_switch.u_core.credit_o !== '0
                          || g_network.dut.g_switch[s].u_switch.u_core.credit_i !== '0;
  end

  always @(negedge clk) if (!rst) begin : watch
    ever_held = ever_held | held;
    if (^{inj_credit, inj_valid, ej_valid, ej_credit} === 1'bx || unclear != '0) unknown = unknown + 1;
    for (int t = 0; t < Nodes; t++)
      if (ej_valid[t] === 1'b1 && ^{ej_vc[t], ej_flit[t*LinkW +: LinkW]} === 1'bx) unknown = unknown + 1;
  end

  // ---------------------------------------------------------------- rounds

  localparam int Due = Length * Worms * Nodes;  // flits of a round

  function integer sum(input [Nodes*32-1:0] numbers);
    sum = 0;
    for (int t = 0; t < Nodes; t++) sum = sum + numbers[t*32 +: 32];
  endfunction

  function failed(input integer dummy);
    failed = unknown + wrong + sum(unknown_here) != 0;
  endfunction

  // Waits until all flits have arrived, and five cycles more. The cycles of the longest wait that it leaves out are
  // counted, because destinations and ranks depend on the cycle.
  task drain;
    integer left;
    left = 9 * Length * Worms;
    while (left > 0 && !failed(0)) begin
      @(posedge clk);
      #1 left = left - 1;
      if (sum(arrived_here) == Due && left > 5) begin
        cycle = cycle + left - 5;
        left  = 5;
      end
    end
    sent    = sent + sum(sent_here);
    arrived = arrived + sum(arrived_here);
  endtask

  task reset_network;
    rst = 1;
    @(posedge clk);
    #1 rst = 0;
    #1 if (not_reset != '0 || wrong_here != '0) wrong = wrong + 1;
  endtask

  initial begin
    @(posedge clk);
    #1;
    for (round = 0; round < Rounds && !failed(0); round++) begin
      reset_network;
      flooding = 1;
      repeat (Flood - 5 * round) @(posedge clk);
      #1 flooding = 0;
      repeat (round % 2 == 0 ? Moving : 0) @(posedge clk);
      #1 held_in_reset = held_in_reset | held;
      reset_network;
      drain;
    end
    unknown = unknown + sum(unknown_here);
    if (unknown == 0 && wrong == 0 && sent == Rounds * Due && arrived == sent
        && (Rounds < 9 || held_in_reset == ever_held))
      $display("PASS %0d flits, %0d of %0d lanes reset", arrived, $countones(held_in_reset),
               $countones(ever_held));
    else
      $display("FAIL: %0d of %0d flits arrived, %0d unknown values, %0d resets that left state, %0d of %0d lanes reset",
               arrived, sent, unknown, wrong, $countones(held_in_reset), $countones(ever_held));
    $finish;
  end
  always @(posedge clk) cycle <= cycle + 1;
  always #5 clk = !clk;
endmodule
