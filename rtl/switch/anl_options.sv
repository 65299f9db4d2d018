// SPDX-License-Identifier: Apache-2.0
//
// Selects one option for the head at the front of each input lane of a switch (docs/switch.md,
// "Adaptive routes"), from registers alone.
//
// What all heads share is computed once: the credits of each output port, which of two ports has
// more, and which lanes are atomic ones that are not empty. Escape lanes are the last ones of each
// port, but for ports of terminals.
// Timing: the outputs are combinational; the module has no state.

// Each selection, and each admission, reads some of the inputs.
// verilator lint_off UNUSEDSIGNAL

module anl_options #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int Admission = anl_pkg::Wormhole,
  parameter  int Select    = anl_pkg::MostCredits,
  parameter  int Atomic    = 0,                     // 1: adaptive lanes are atomic
  parameter  int Escape    = 0,                     // escape lanes of each link
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam int CntW      = $clog2(Depth + 1)
) (
  // The head of each input lane: its options, and its length. Lane w of output port o is at index
  // o*NumVcs + w of each vector of lanes.
  input  logic [NumLanes*NumLanes-1:0] options_i,
  input  logic [NumLanes*LengthW-1:0]  length_i,

  // Constants: bit p*NumPorts + o says that port o is straight on from input port p, and bit o that
  // port o leads to a terminal.
  input  logic [NumPorts*NumPorts-1:0] straight_i,
  input  logic [NumPorts-1:0]          terminals_i,

  // State of the switch.
  input  logic [7:0]                   random_i,
  input  logic [NumLanes-1:0]          free_i,
  input  logic [NumLanes-1:0]          has_credit_i,
  input  logic [NumLanes-1:0]          all_credits_i,
  input  logic [NumLanes*CntW-1:0]     credits_i,

  // The selected option of each input lane: its port, one-hot, and those of its lanes that the head
  // could take. Both are 0 if no option is open.
  output logic [NumLanes*NumPorts-1:0] port_o,
  output logic [NumLanes*NumVcs-1:0]   vcs_o
);

  localparam int SumW = $clog2(NumVcs * Depth + 1);
  localparam logic [NumVcs-1:0] EscapeVcs = NumVcs'(((1 << Escape) - 1) << (NumVcs - Escape));

  logic [NumLanes-1:0]          escape, atomic, free;
  logic [NumPorts*SumW-1:0]     sum;               // credits of each port
  logic [NumPorts*NumPorts-1:0] richer;            // bit q*NumPorts + o: q is preferred to o

  for (genvar o = 0; o < NumPorts; o++) begin : g_output
    assign escape[o*NumVcs +: NumVcs] = EscapeVcs & {NumVcs{!terminals_i[o]}};
    assign atomic[o*NumVcs +: NumVcs] = ~EscapeVcs & {NumVcs{Atomic != 0 && !terminals_i[o]}};

    logic [SumW-1:0] total;
    always_comb begin : add
      total = '0;
      for (int w = 0; w < NumVcs; w++) total = total + SumW'(credits_i[(o*NumVcs + w)*CntW +: CntW]);
    end
    assign sum[o*SumW +: SumW] = total;

    assign richer[o*NumPorts + o] = 1'b0;
    for (genvar q = 0; q < o; q++) begin : g_lower
      logic enough;
      assign enough = sum[q*SumW +: SumW] >= sum[o*SumW +: SumW];
      assign richer[q*NumPorts + o] = enough;
      assign richer[o*NumPorts + q] = !enough;
    end
  end

  assign free = free_i & (all_credits_i | ~atomic);

  for (genvar p = 0; p < NumPorts; p++) begin : g_input
    logic [NumPorts*NumPorts-1:0] ahead;

    if (Select == anl_pkg::StraightFirst) begin : g_straight
      logic [NumPorts-1:0] straight;
      assign straight = straight_i[p*NumPorts +: NumPorts];
      for (genvar i = 0; i < NumPorts * NumPorts; i++) begin : g_pair
        localparam int First = i / NumPorts, Then = i % NumPorts;
        assign ahead[i] = straight[First] || (First < Then && !straight[Then]);
      end
    end else begin : g_richer
      assign ahead = richer;
    end

    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      localparam int L = p * NumVcs + v;
      anl_option_select #(
        .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .Admission(Admission), .Select(Select)
      ) u_select (
        .options_i(options_i[L*NumLanes +: NumLanes]), .escape_i(escape),
        .length_i(length_i[L*LengthW +: LengthW]), .free_i(free), .has_credit_i, .credits_i,
        .ahead_i(ahead), .random_i,
        .port_o(port_o[L*NumPorts +: NumPorts]), .vcs_o(vcs_o[L*NumVcs +: NumVcs])
      );
    end
  end

endmodule
