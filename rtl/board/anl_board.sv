// SPDX-License-Identifier: Apache-2.0
//
// A board that checks itself: a network, its sources, signers, a checker and a UART
// (docs/board.md).
//
// `annelid signature --parameters` prints the parameters that belong to a scenario. A run begins
// when reset ends. While upset_i is 1, bit 0 of the data on the ejection link of terminal 0 is
// inverted, two cycles later.
// Timing: all outputs are registers; upset_i may change at any time.

module anl_board #(
  parameter  int          K                = 2,
  parameter  int          N                = 2,  // at most 3
  parameter  int          Topology         = anl_cube_pkg::Mesh,
  parameter  int          Routing          = anl_pkg::DimensionOrder,
  parameter  int          NumVcs           = 1,
  parameter  int          Depth            = 2,
  parameter  int          FlitW            = 32,
  parameter  int          Arbiter          = anl_pkg::RoundRobin,  // neither age nor farthest
  parameter  int          FlowControl      = anl_pkg::Wormhole,
  parameter  int          LengthInHead     = 0,
  parameter  int          WormsPerTerminal = 1,
  parameter  int          Length           = 8,
  parameter  int          Cycles           = 1000,
  parameter  logic [63:0] Seed             = 64'd1,
  parameter  logic [31:0] Expected         = 32'd0,
  parameter  int          BitCycles        = 104,       // clock in Hz / baud
  parameter  int          LineCycles       = 12000000   // cycles between two lines
) (
  input  logic clk_i,
  input  logic rst_i,
  input  logic upset_i,

  output logic running_o,
  output logic pass_o,
  output logic fail_o,
  output logic beat_o,
  output logic uart_o
);

  localparam int T      = anl_cube_pkg::power(K, N);
  localparam int DstW   = anl_cube_pkg::label_width(K, N);
  localparam int VcW    = anl_pkg::index_width(NumVcs);
  localparam int LinkW  = FlitW + 2;
  localparam int CycleW = $clog2(Cycles + 1);
  localparam int CntW   = $clog2(T + 1);

  // Seed of generator number s (docs/random.md): a switch's, or at T and above a source's.
  function automatic logic [31:0] seed_of(input int s);
    logic [63:0] z;
    z = Seed + (64'(s) + 64'd1) * 64'h9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 64'hBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 64'h94D049BB133111EB;
    z = z ^ (z >> 31);
    seed_of = (z[63:32] != '0) ? z[63:32] : 32'd1;
  endfunction

  logic [T*32-1:0]     seeds, signatures;
  logic [T-1:0]        inj_valid, ej_valid, taken;
  logic [T*VcW-1:0]    inj_vc, ej_vc;
  logic [T*LinkW-1:0]  inj_flit, ej_flit, landed;      // landed: ej_flit after the upset
  logic [T*NumVcs-1:0] inj_credit, ej_credit;
  logic [31:0]         signature;
  logic [1:0]          upset_q;

  // A sink takes a flit in the cycle after it crossed the ejection link, so cycle is the number of
  // the previous cycle.
  logic [CycleW-1:0] cycle_q;
  logic [31:0]       cycle;
  logic              over_q;
  logic [CntW-1:0]   taken_q;
  logic [31:0]       arrived_q;

  anl_cube #(
    .K(K), .N(N), .Topology(Topology), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead)
  ) u_network (
    .clk_i, .rst_i, .seed_i(seeds),
    .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
    .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
  );

  assign landed = ej_flit ^ (T*LinkW)'(upset_q[1]);
  assign cycle  = 32'(cycle_q);

  for (genvar t = 0; t < T; t++) begin : g_terminal
    localparam logic [31:0] SourceSeed = seed_of(T + t);
    localparam logic [31:0] SwitchSeed = seed_of(t);

    logic             src_valid, src_ready, snk_valid;
    logic [LinkW-1:0] src_flit, snk_flit;
    logic [VcW-1:0]   snk_vc;

    assign seeds[t*32 +: 32] = SwitchSeed;

    anl_board_source #(
      .K(K), .N(N), .FlitW(FlitW), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Worms(WormsPerTerminal),
      .Length(Length)
    ) u_source (
      .clk_i, .rst_i, .seed_i(SourceSeed),
      .src_valid_o(src_valid), .src_flit_o(src_flit), .src_ready_i(src_ready)
    );

    anl_terminal #(
      .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .FlowControl(FlowControl), .LengthInHead(LengthInHead)
    ) u_terminal (
      .clk_i, .rst_i,
      .src_valid_i(src_valid), .src_flit_i(src_flit), .src_vcs_i({NumVcs{1'b1}}),
      .src_ready_o(src_ready),
      .inj_valid_o(inj_valid[t]), .inj_vc_o(inj_vc[t*VcW +: VcW]),
      .inj_flit_o(inj_flit[t*LinkW +: LinkW]), .inj_credit_i(inj_credit[t*NumVcs +: NumVcs]),
      .ej_valid_i(ej_valid[t]), .ej_vc_i(ej_vc[t*VcW +: VcW]),
      .ej_flit_i(landed[t*LinkW +: LinkW]), .ej_credit_o(ej_credit[t*NumVcs +: NumVcs]),
      .snk_valid_o(snk_valid), .snk_flit_o(snk_flit), .snk_vc_o(snk_vc), .snk_ready_i(1'b1)
    );

    assign taken[t] = snk_valid && !over_q;

    anl_board_signer #(.NumVcs(NumVcs), .FlitW(FlitW)) u_signer (
      .clk_i, .rst_i, .valid_i(taken[t]), .flit_i(snk_flit), .vc_i(snk_vc), .cycle_i(cycle),
      .signature_o(signatures[t*32 +: 32])
    );
  end

  anl_board_checker #(.Terminals(T), .Expected(Expected)) u_checker (
    .clk_i, .rst_i, .over_i(over_q), .signatures_i(signatures), .arrived_i(arrived_q),
    .signature_o(signature), .running_o, .pass_o, .fail_o
  );

  anl_board_reporter #(
    .Expected(Expected), .BitCycles(BitCycles), .LineCycles(LineCycles)
  ) u_reporter (
    .clk_i, .rst_i, .pass_i(pass_o), .fail_i(fail_o), .signature_i(signature), .beat_o, .uart_o
  );

  always_ff @(posedge clk_i) begin : regs
    upset_q <= {upset_q[0], upset_i};
    if (rst_i) begin
      cycle_q   <= '1;
      over_q    <= 1'b0;
      taken_q   <= '0;
      arrived_q <= '0;
    end else begin
      cycle_q   <= cycle_q + 1'b1;
      over_q    <= over_q || cycle_q == CycleW'(Cycles - 1);
      taken_q   <= CntW'($countones(taken));
      arrived_q <= arrived_q + 32'(taken_q);
    end
  end

endmodule
