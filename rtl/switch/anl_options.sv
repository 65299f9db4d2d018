// SPDX-License-Identifier: Apache-2.0
//
// Selects one option for the head at the front of each input lane of a switch (docs/switch.md,
// "Adaptive routes"), from registers alone.
//
// What all heads share is computed once: the credits of each output port, which of two ports has
// more, and which lanes are atomic ones that are not empty. Ports of terminals have no escape lanes.
// Each class of messages selects by the state of its own lanes: its credits of each port, and its
// escape lanes, are computed for it alone. A class without escape lanes has no atomic ones.
// Timing: the outputs are combinational; the module has no state.

// Each selection, and each flow control, reads some of the inputs.
// verilator lint_off UNUSEDSIGNAL

module anl_options #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int ClassVcs  = NumVcs,                // lanes of each class of messages
  parameter  int Depth     = 4,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int Select    = anl_pkg::MostCredits,
  parameter  int Atomic    = 0,                     // 1: adaptive lanes are atomic
  parameter  int Escapes   = 0,                     // the escape lanes of a link, a bit for each lane
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam int CntW      = $clog2(Depth + 1)
) (
  // The head of each input lane: its options, and its length. Lane w of its class of output port o
  // is bit o*ClassVcs + w of its options.
  input  logic [NumLanes*NumPorts*ClassVcs-1:0] options_i,
  input  logic [NumLanes*LengthW-1:0]  length_i,

  // Constants: bit p*NumPorts + o says that port o is straight on from input port p, and bit o that
  // port o leads to a terminal.
  input  logic [NumPorts*NumPorts-1:0] straight_i,
  input  logic [NumPorts-1:0]          terminals_i,

  // State of the switch. Lane w of class c of output port o is at index (c*NumPorts + o)*ClassVcs + w.
  input  logic [7:0]                   random_i,
  input  logic [NumLanes-1:0]          free_i,
  input  logic [NumLanes-1:0]          has_credit_i,
  input  logic [NumLanes-1:0]          all_credits_i,
  input  logic [NumLanes*CntW-1:0]     credits_i,

  // The selected option of each input lane: its port, one-hot, and those of its lanes that the head
  // could take. Both are 0 if no option is open.
  output logic [NumLanes*NumPorts-1:0] port_o,
  output logic [NumLanes*ClassVcs-1:0] vcs_o
);

  localparam int SumW   = $clog2(ClassVcs * Depth + 1);
  localparam int EntryW = NumPorts * ClassVcs;         // output lanes of a class

  for (genvar c = 0; c < NumVcs / ClassVcs; c++) begin : g_class
    localparam int First = c * EntryW;
    localparam logic [ClassVcs-1:0] EscapeVcs = ClassVcs'(Escapes >> (c * ClassVcs));
    localparam bit HasAtomic = Atomic != 0 && EscapeVcs != '0;
    logic [EntryW-1:0]            escape, atomic;
    logic [EntryW-1:0]            free, has_credit;
    logic [EntryW*CntW-1:0]       credits;
    logic [NumPorts*SumW-1:0]     sum;               // credits of each port
    logic [NumPorts*NumPorts-1:0] richer;            // bit q*NumPorts + o: q is preferred to o

    for (genvar o = 0; o < NumPorts; o++) begin : g_escape
      assign escape[o*ClassVcs +: ClassVcs] = EscapeVcs & {ClassVcs{!terminals_i[o]}};
      assign atomic[o*ClassVcs +: ClassVcs] = ~EscapeVcs & {ClassVcs{HasAtomic && !terminals_i[o]}};
    end

    assign free       = free_i[First +: EntryW] & (all_credits_i[First +: EntryW] | ~atomic);
    assign has_credit = has_credit_i[First +: EntryW];
    assign credits    = credits_i[First*CntW +: EntryW*CntW];

    for (genvar o = 0; o < NumPorts; o++) begin : g_output
      logic [SumW-1:0] total;
      always_comb begin : add
        total = '0;
        for (int w = 0; w < ClassVcs; w++) total = total + SumW'(credits[(o*ClassVcs + w)*CntW +: CntW]);
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

    for (genvar p = 0; p < NumPorts; p++) begin : g_input
      logic [NumPorts*NumPorts-1:0] ahead;

      if (Select == anl_pkg::StraightFirst) begin : g_straight
        logic [NumPorts-1:0] straight;
        assign straight = straight_i[p*NumPorts +: NumPorts];
        for (genvar i = 0; i < NumPorts * NumPorts; i++) begin : g_pair
          localparam int One = i / NumPorts, Then = i % NumPorts;
          assign ahead[i] = straight[One] || (One < Then && !straight[Then]);
        end
      end else begin : g_richer
        assign ahead = richer;
      end

      for (genvar v = 0; v < ClassVcs; v++) begin : g_lane
        localparam int L = p * NumVcs + c * ClassVcs + v;
        anl_option_select #(
          .NumPorts(NumPorts), .NumVcs(ClassVcs), .Depth(Depth), .FlowControl(FlowControl), .Select(Select)
        ) u_select (
          .options_i(options_i[L*EntryW +: EntryW]), .escape_i(escape),
          .length_i(length_i[L*LengthW +: LengthW]), .free_i(free), .has_credit_i(has_credit),
          .credits_i(credits), .ahead_i(ahead), .random_i,
          .port_o(port_o[L*NumPorts +: NumPorts]), .vcs_o(vcs_o[L*ClassVcs +: ClassVcs])
        );
      end
    end
  end

endmodule
