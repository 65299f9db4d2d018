// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the switch's policies, which are those of the C API, and functions for the sizes that
// every module needs. The fields of a head are in anl_head_pkg; each family of networks has a
// package of its own.

package anl_pkg;

  localparam int Fixed    = 0;  // scan: the order in which an arbiter looks at requests
  localparam int Rotating = 1;
  localparam int Random   = 2;
  localparam int Oldest   = 3;
  localparam int Farthest = 4;

  localparam int Wormhole        = 0;  // admission: the credits a head needs
  localparam int CutThrough      = 1;
  localparam int StoreAndForward = 2;
  localparam int WormholeLength  = 3;  // as Wormhole, but heads carry the length of their worm

  localparam int PathNone    = 0;  // path: every route names one port
  localparam int PathCarried = 1;  // the port depends on a field of the head
  localparam int PathRandom  = 2;  // the port depends on the random state
  localparam int PathGreedy  = 3;  // the route names either of the last two ports
  localparam int PathListed  = 8;  // PathListed + W: the port is in the lowest W bits of a field

  // One number, the parameter Policy of a switch, holds scan, admission and path; the functions
  // below it take them out again.
  function automatic int policy(input int scan, input int admission, input int path);
    policy = scan + 8 * admission + 64 * path;
  endfunction

  function automatic int scan_of(input int policy_bits);
    scan_of = policy_bits % 8;
  endfunction

  function automatic int admission_of(input int policy_bits);
    admission_of = policy_bits / 8 % 8;
  endfunction

  function automatic int path_of(input int policy_bits);
    path_of = policy_bits / 64;
  endfunction

  // The rule by which an admission lets heads in: one of the first three admissions.
  function automatic int rule_of(input int admission);
    rule_of = (admission == WormholeLength) ? Wormhole : admission;
  endfunction

  // Whether a scan compares ranks (stamps or distances), and whether it reads the random state.
  function automatic int ranked(input int scan);
    ranked = (scan == Oldest || scan == Farthest) ? 1 : 0;
  endfunction

  function automatic int reads_random(input int scan);
    reads_random = (scan == Random || scan == Farthest) ? 1 : 0;
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
