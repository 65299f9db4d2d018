// SPDX-License-Identifier: Apache-2.0
//
// Checks one AXI4-Stream by the rules of docs/checker.md, "Streams". Bit r of broken_o is 1 in the cycle
// in which rule r is broken (anl_checker_pkg). A beat is taken in a cycle in which tvalid_i and tready_i
// are 1. Signals that a stream has not are tied: tkeep_i to ones, the others to 0.
//
// In a simulation the first broken rule is named once. For a prover, which defines FORMAL, rules of
// Assert are asserted and those of Assume are assumed.
// Timing: broken_o is a function of all inputs.

// Not all rules read all inputs, and a simulation does not read the masks of a prover.
// verilator lint_off UNUSEDPARAM
// verilator lint_off UNUSEDSIGNAL

module anl_axis_checker #(
  parameter  int TdataW   = 32,                    // a multiple of 8
  parameter  int TidW     = 1,
  parameter  int TdestW   = 1,
  parameter  int TuserW   = 1,
  parameter  int Patience = 0,                     // cycles that a beat may wait; 0: any number
  parameter  int Rules    = -1,                    // bit r: rule r is looked for
  parameter  int Assert   = -1,                    // of these, what a prover asserts
  parameter  int Assume   = 0,                     // and what it assumes
  parameter  int Say      = 1,                     // 0: silent, 1: $display, 2: $error
  localparam int TkeepW   = TdataW / 8
) (
  input  logic              clk_i,
  input  logic              rst_i,                 // active high: a stream's ARESETn inverted

  input  logic              tvalid_i,
  input  logic              tready_i,
  input  logic [TdataW-1:0] tdata_i,
  input  logic [TkeepW-1:0] tkeep_i,
  input  logic              tlast_i,
  input  logic [TidW-1:0]   tid_i,
  input  logic [TdestW-1:0] tdest_i,
  input  logic [TuserW-1:0] tuser_i,

  output logic [anl_checker_pkg::AxisRules-1:0] broken_o
);

  localparam int DataW  = TdataW + TkeepW + TuserW;
  localparam int RouteW = TidW + TdestW;
  localparam int WaitW  = $clog2(Patience + 2);

  logic [DataW-1:0]  data, data_q;                 // of the beat, and of the beat in the cycle before
  logic [RouteW-1:0] route, route_q, packet_q;     // the same; and of the packet that is open
  logic              last_q;
  logic              waits_q;                      // a beat was shown in the cycle before and not taken
  logic              open_q;                       // a packet has begun and not ended
  logic              fresh_q;                      // the cycle before was one of reset
  logic [WaitW-1:0]  waited_q;                     // cycles for which the beat has waited, Patience + 1 at most
  logic              taken, gap, unknown;
  logic [anl_checker_pkg::AxisRules-1:0] broken, in_reset;

  assign data  = {tuser_i, tkeep_i, tdata_i};
  assign route = {tdest_i, tid_i};
  assign taken = tvalid_i && tready_i;
  // Bytes from the lowest on, without a gap, are a number of ones: with one added, no bit is in both.
  assign gap   = tlast_i ? tkeep_i == '0 || (tkeep_i & (tkeep_i + 1'b1)) != '0 : tkeep_i != '1;

`ifdef FORMAL
  assign unknown = 1'b0;
`elsif SYNTHESIS
  assign unknown = 1'b0;
`else
  // In two states nothing is ever unknown.
  assign unknown = (^{tvalid_i, tready_i}) === 1'bx
                   || (tvalid_i === 1'b1 && (^{tlast_i, tkeep_i, route}) === 1'bx);
`endif

  assign broken = {Patience != 0 && tvalid_i && !tready_i && 32'(waited_q) == Patience, unknown, 1'b0,
                   tvalid_i && gap, tvalid_i && open_q && route != packet_q,
                   tvalid_i && waits_q && route != route_q, tvalid_i && waits_q && tlast_i != last_q,
                   tvalid_i && waits_q && data != data_q, !tvalid_i && waits_q, tvalid_i && fresh_q};
  assign in_reset = {2'b00, tready_i, {(anl_checker_pkg::AxisRules - 4){1'b0}}, tvalid_i};
  assign broken_o = (rst_i ? in_reset : broken) & anl_checker_pkg::AxisRules'(Rules);

  always_ff @(posedge clk_i) begin : regs
    fresh_q <= rst_i;
    waits_q <= !rst_i && tvalid_i && !tready_i;
    data_q  <= data;
    route_q <= route;
    last_q  <= tlast_i;
    if (rst_i)      open_q <= 1'b0;
    else if (taken) open_q <= !tlast_i;
    if (taken && !open_q) packet_q <= route;
    if (rst_i || !tvalid_i || taken)   waited_q <= '0;
    else if (32'(waited_q) <= Patience) waited_q <= waited_q + 1'b1;
  end

`ifdef FORMAL
  for (genvar r = 0; r < anl_checker_pkg::AxisRules; r++) begin : g_rule
    if (Assert[r]) begin : g_assert
      always_comb assert (!broken_o[r]);
    end else if (Assume[r]) begin : g_assume
      always_comb assume (!broken_o[r]);
    end
  end
`elsif SYNTHESIS
`else
  if (Say != 0) begin : g_say
    logic        said_q;
    logic [31:0] cycle_q, packets_q, beat_q;       // since reset; packets begun; beats taken of this one
    int          rule;

    always_comb begin : first
      rule = 0;
      for (int r = anl_checker_pkg::AxisRules - 1; r >= 0; r--) if (broken_o[r]) rule = r;
    end

    initial said_q = 1'b0;

    always @(posedge clk_i) begin : say
      cycle_q <= rst_i ? '0 : cycle_q + 1'b1;
      if (rst_i) {packets_q, beat_q} <= '0;
      else if (taken && tlast_i) begin
        packets_q <= packets_q + 1'b1;
        beat_q    <= '0;
      end else if (taken) beat_q <= beat_q + 1'b1;
      if (broken_o != '0 && !said_q) begin
        said_q <= 1'b1;
        if (rst_i) $write("anl_axis_checker: in reset: ");
        else       $write("anl_axis_checker: cycle %0d, packet %0d, beat %0d: ", cycle_q, packets_q, beat_q);
        case (rule)
          anl_checker_pkg::AxisValidInReset:
            $write("valid_in_reset: tvalid is 1 in reset or in the first cycle after it");
          anl_checker_pkg::AxisWithdrawn:
            $write("withdrawn: a beat was shown and not taken, and is shown no more");
          anl_checker_pkg::AxisChangedData:
            $write("changed_data: tdata, tkeep or tuser of a beat that waits has changed");
          anl_checker_pkg::AxisChangedLast:
            $write("changed_last: tlast of a beat that waits has changed");
          anl_checker_pkg::AxisChangedRoute:
            $write("changed_route: tid or tdest of a beat that waits has changed");
          anl_checker_pkg::AxisMixed:
            $write("mixed: tid or tdest is another one than in the first beat of the packet");
          anl_checker_pkg::AxisGap:
            $write("gap: tkeep misses bytes that are not the last ones of the packet, or all of a beat");
          anl_checker_pkg::AxisReadyInReset:
            $write("ready_in_reset: tready is 1 in reset");
          anl_checker_pkg::AxisUnknown:
            $write("unknown: a signal that counts is x or z");
          default:
            $write("stalled: a beat has waited too long");
        endcase
        $display(" (%m)");
        if (Say > 1) $error("a rule of the stream is broken");
      end
    end
  end
`endif

endmodule
