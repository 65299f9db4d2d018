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

  localparam int Fixed              = 0;  // arbiter: who comes first of several requests
  localparam int RoundRobin         = 1;
  localparam int Random             = 2;
  localparam int Age                = 3;
  localparam int Farthest           = 4;
  localparam int Matrix             = 5;
  localparam int RegisteredPriority = 6;

  localparam int Wormhole        = 0;  // flow control: the credits a head needs
  localparam int CutThrough      = 1;
  localparam int StoreAndForward = 2;

  localparam int PathNone    = 0;  // path: every route names one port
  localparam int PathCarried = 1;  // the port depends on a field of the head
  localparam int PathRandom  = 2;  // the port depends on the random state
  localparam int PathGreedy  = 3;  // the route names either of the last two ports
  localparam int PathListed  = 4;  // the port is in the lowest bits of a field

  localparam int MostCredits   = 0;  // select: which of its open options a head asks for
  localparam int SelectRandom  = 1;
  localparam int StraightFirst = 2;

  localparam int DimensionOrder = 0;   // routing: the ports that a head may go by
  localparam int Dateline       = 1;
  localparam int ECube          = 2;
  localparam int UpDownFixed    = 3;
  localparam int UpDownRandom   = 4;
  localparam int UpDownGreedy   = 5;
  localparam int WestFirst      = 9;
  localparam int NorthLast      = 10;
  localparam int NegativeFirst  = 11;
  localparam int OddEven        = 12;
  localparam int Adaptive       = 13;
  localparam int DestinationTag = 16;
  localparam int Valiant        = 17;

  // Whether a routing gives heads several options.
  function automatic int has_options(input int routing);
    has_options = (routing >= WestFirst && routing <= Adaptive) ? 1 : 0;
  endfunction

  // The set of the last `count` of each `lanes` lanes of a link with `all` lanes.
  function automatic int last_of_each(input int count, input int lanes, input int all);
    last_of_each = 0;
    for (int v = 0; v < all; v++)
      if (v % lanes >= lanes - count) last_of_each = last_of_each + (1 << v);
  endfunction

  // Classes of messages (docs/switch.md, "Message classes"). Weight c of the parameter Weights is at
  // c*WeightW +: WeightW; 0 stands for 1.
  localparam int MaxClasses = 8;
  localparam int WeightW    = 8;                        // bits of a weight
  localparam int WeightsW   = MaxClasses * WeightW;

  function automatic int weight_of(input logic [WeightsW-1:0] weights, input int c);
    weight_of = (weights[c*WeightW +: WeightW] == '0) ? 1 : 32'(weights[c*WeightW +: WeightW]);
  endfunction

  // Bits of the largest weight.
  function automatic int quota_width(input logic [WeightsW-1:0] weights);
    quota_width = 1;
    for (int i = 0; i < WeightsW; i++)
      if (weights[i] && i % WeightW >= quota_width) quota_width = i % WeightW + 1;
  endfunction

  // The flits that a link can carry in a cycle. A link has so many lines, each with valid, vc and
  // flit (docs/link.md).
  function automatic int lines_of(input int wide, input int vcs);
    lines_of = (wide != 0) ? vcs : 1;
  endfunction

  // Whether an arbiter compares ranks (stamps or distances), and whether it reads the random state.
  function automatic int ranked(input int order);
    ranked = (order == Age || order == Farthest) ? 1 : 0;
  endfunction

  // Whether arbiters of a policy have a module of their own with a state.
  function automatic int has_state(input int order);
    has_state = (order == Matrix || order == RegisteredPriority) ? 1 : 0;
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
