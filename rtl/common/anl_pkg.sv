// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the switch's policies, which are those of the C API, and functions for the sizes that
// every module needs. The fields of a head are in anl_head_pkg; each family of networks has a
// package of its own.

// A package names all choices of a policy, also those that no code compares with.
// verilator lint_off UNUSEDPARAM
// A function reads some bits of a policy, and the low bits of a small number.
// verilator lint_off UNUSEDSIGNAL

package anl_pkg;

  localparam int Fixed    = 0;  // scan: the order in which an arbiter looks at requests
  localparam int Rotating = 1;
  localparam int Random   = 2;
  localparam int Oldest   = 3;
  localparam int Farthest = 4;
  localparam int Matrix   = 5;
  localparam int Favour   = 6;

  localparam int Wormhole        = 0;  // admission: the credits a head needs
  localparam int CutThrough      = 1;
  localparam int StoreAndForward = 2;
  localparam int WormholeLength  = 3;  // as Wormhole, but heads carry the length of their worm

  localparam int PathNone    = 0;  // path: every route names one port
  localparam int PathCarried = 1;  // the port depends on a field of the head
  localparam int PathRandom  = 2;  // the port depends on the random state
  localparam int PathGreedy  = 3;  // the route names either of the last two ports
  localparam int PathListed  = 8;  // PathListed + W: the port is in the lowest W bits of a field
  localparam int EarlyRoute  = 512; // added to a path: heads are routed when they enter a lane

  localparam int MostCredits   = 0;  // select: which of its open options a head asks for
  localparam int SelectRandom  = 1;
  localparam int StraightFirst = 2;

  // The parameter Kind of a network or switch: the number of its topology below 32 (docs/rtl.md),
  // and from there on the rule that gives heads several options, how one of them is selected,
  // whether adaptive lanes are atomic, and by a table which lanes of a link are escape lanes: a bit
  // for each lane, that of lane 0 lowest.
  localparam int NoOptions     = 0;
  localparam int WestFirst     = 1;
  localparam int NorthLast     = 2;
  localparam int NegativeFirst = 3;
  localparam int OddEven       = 4;
  localparam int Adaptive      = 5;
  localparam int OptionsTable  = 6;

  function automatic int base_of(input int kind);
    base_of = kind % 32;
  endfunction

  function automatic int options_of(input int kind);
    options_of = kind / 32 % 8;
  endfunction

  function automatic int select_of(input int kind);
    select_of = kind / 256 % 4;
  endfunction

  function automatic int atomic_of(input int kind);
    atomic_of = kind / 1024 % 2;
  endfunction

  function automatic int escapes_of(input int kind);
    escapes_of = kind / 2048;
  endfunction

  // The set of the last `count` of each `lanes` lanes of a link with `all` lanes.
  function automatic int last_of_each(input int count, input int lanes, input int all);
    last_of_each = 0;
    for (int v = 0; v < all; v++)
      if (v % lanes >= lanes - count) last_of_each = last_of_each + (1 << v);
  endfunction

  // The path of a switch whose heads have several options: its core has a generator if the
  // selection reads random bits.
  function automatic int options_path(input int kind);
    options_path = (kind / 32 % 8 != NoOptions && kind / 256 % 4 == SelectRandom) ? PathRandom
                                                                                  : PathNone;
  endfunction

  // One number, the parameter Policy of a switch, holds scan, admission and path, and the classes
  // of messages with their weights (docs/switch.md, "Message classes"). The parameter Scan of a
  // network has the same form without admission and path. So the number of a scan alone stands for
  // one class. A weight of 0 stands for 1. Beside the number of classes two bits say that links are
  // wide, and that wide links are chained (docs/switch.md, "Wide links"): WideClasses and
  // ChainedClasses are added to the number. The cycles of a link (docs/link.md) stand in front of
  // the classes; where a policy has none, links take one cycle. The bit behind them says that a
  // switch has two stages (docs/switch.md), the next one that heads are routed early (EarlyRoute).
  localparam int MaxClasses = 8;
  localparam int WeightW    = 8;                        // bits of a weight
  localparam int CyclesLsb  = 10;
  localparam int CyclesW    = 4;
  localparam int StagesLsb  = CyclesLsb + CyclesW;
  localparam int ClassesLsb = 16;
  localparam int WideLsb    = 20;
  localparam int WeightsLsb = 24;
  localparam int PolicyW    = WeightsLsb + MaxClasses * WeightW;

  localparam int WideClasses    = 16;
  localparam int ChainedClasses = 32;

  // The scan of a network; weight c is at weights[c*WeightW +: WeightW]. With one class it is the
  // number of the order, so that equal scans are equal numbers.
  function automatic logic [PolicyW-1:0] scan(input int order, input int classes,
                                              input logic [MaxClasses*WeightW-1:0] weights);
    scan = (classes == 1) ? PolicyW'(order) : {weights, 8'(classes), 16'(order)};
  endfunction

  function automatic logic [PolicyW-1:0] policy(input logic [PolicyW-1:0] scan_bits,
                                                input int admission, input int path);
    policy = scan_bits | PolicyW'(8 * admission + 64 * path);
  endfunction

  // A scan, or a policy, in which links between switches take so many cycles, 1 .. 16.
  function automatic logic [PolicyW-1:0] with_cycles(input logic [PolicyW-1:0] policy_bits,
                                                     input int cycles);
    with_cycles = policy_bits | (PolicyW'(1024 * cycles) - PolicyW'(1024));
  endfunction

  // A scan, or a policy, in which a switch has so many stages, 1 or 2.
  function automatic logic [PolicyW-1:0] with_stages(input logic [PolicyW-1:0] policy_bits,
                                                     input int stages);
    with_stages = policy_bits | (stages > 1 ? PolicyW'(1 << StagesLsb) : '0);
  endfunction

  // These functions take out again what a policy or a scan holds.
  function automatic int scan_of(input logic [PolicyW-1:0] policy_bits);
    scan_of = 32'(policy_bits[2:0]);
  endfunction

  function automatic int admission_of(input logic [PolicyW-1:0] policy_bits);
    admission_of = 32'(policy_bits[5:3]);
  endfunction

  function automatic int path_of(input logic [PolicyW-1:0] policy_bits);
    path_of = 32'(policy_bits[CyclesLsb-1:6]);
  endfunction

  function automatic int early_of(input logic [PolicyW-1:0] policy_bits);
    early_of = 32'(policy_bits[ClassesLsb-1]);
  endfunction

  function automatic int cycles_of(input logic [PolicyW-1:0] policy_bits);
    cycles_of = 1 + 32'(policy_bits[CyclesLsb +: CyclesW]);
  endfunction

  function automatic int stages_of(input logic [PolicyW-1:0] policy_bits);
    stages_of = 1 + 32'(policy_bits[StagesLsb]);
  endfunction

  function automatic int classes_of(input logic [PolicyW-1:0] policy_bits);
    classes_of = (policy_bits[ClassesLsb +: 4] == '0) ? 1 : 32'(policy_bits[ClassesLsb +: 4]);
  endfunction

  // Whether links are wide, and whether they are wide and chained.
  function automatic int wide_of(input logic [PolicyW-1:0] policy_bits);
    wide_of = 32'(policy_bits[WideLsb]);
  endfunction

  function automatic int wide_chained_of(input logic [PolicyW-1:0] policy_bits);
    wide_chained_of = 32'(policy_bits[WideLsb+1]);
  endfunction

  // The flits that a link can carry in a cycle. A link has so many lines, each with valid, vc and
  // flit (docs/link.md).
  function automatic int lines_of(input logic [PolicyW-1:0] policy_bits, input int vcs);
    lines_of = policy_bits[WideLsb] ? vcs : 1;
  endfunction

  function automatic int weight_of(input logic [PolicyW-1:0] policy_bits, input int c);
    weight_of = (policy_bits[WeightsLsb + c*WeightW +: WeightW] == '0)
                ? 1 : 32'(policy_bits[WeightsLsb + c*WeightW +: WeightW]);
  endfunction

  // Bits of the largest weight.
  function automatic int quota_width(input logic [PolicyW-1:0] policy_bits);
    quota_width = 1;
    for (int i = 0; i < MaxClasses * WeightW; i++)
      if (policy_bits[WeightsLsb + i] && i % WeightW >= quota_width) quota_width = i % WeightW + 1;
  endfunction

  // The rule by which an admission lets heads in: one of the first three admissions.
  function automatic int rule_of(input int admission);
    rule_of = (admission == WormholeLength) ? Wormhole : admission;
  endfunction

  // Whether a scan compares ranks (stamps or distances), and whether it reads the random state.
  function automatic int ranked(input int order);
    ranked = (order == Oldest || order == Farthest) ? 1 : 0;
  endfunction

  // Whether an output port keeps an order of the input ports.
  function automatic int keeps_order(input int order);
    keeps_order = (order == Matrix || order == Favour) ? 1 : 0;
  endfunction

  function automatic int reads_random(input int order);
    reads_random = (order == Random || order == Farthest) ? 1 : 0;
  endfunction

  // Bits of an index 0 .. count - 1; at least 1.
  function automatic int index_width(input int count);
    index_width = (count > 1) ? $clog2(count) : 1;
  endfunction

  // Number of members of a set among its lowest `count` bits.
  function automatic int members(input int set, input int count);
    members = 0;
    for (int i = 0; i < count; i++) members = members + ((set >> i) & 1);
  endfunction

  // Turns that a switch wires (the parameter Turns): bit p * MaxPorts + o is 1 if some route leads
  // from input port p to output port o (docs/switch.md, "Turns").
  localparam int MaxPorts = 32;
  localparam int TurnsW   = MaxPorts * MaxPorts;

  // The set of input ports with a turn to output port o: bit p is 1 for input port p.
  function automatic int turns_into(input logic [TurnsW-1:0] wired, input int ports, input int o);
    turns_into = 0;
    for (int p = 0; p < ports; p++)
      if (wired[p*MaxPorts + o]) turns_into = turns_into + (1 << p);
  endfunction

  // An entry of a routing table (anl_route_table): the number of an output port from bit 0 on, and
  // bit v of the set of lanes at EntryVcsLsb + v.
  localparam int EntryW      = 16;
  localparam int EntryVcsLsb = 8;

endpackage
