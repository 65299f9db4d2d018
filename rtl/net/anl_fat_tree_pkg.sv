// SPDX-License-Identifier: Apache-2.0
//
// The butterfly fat-tree of n levels: kinds, ports, and the formulas of docs/networks.md.

package anl_fat_tree_pkg;

  // Kind of a fat-tree: how a head that goes up chooses between two links.
  localparam int Fixed  = 8;   // as the path in the head says
  localparam int Random = 9;   // as the random state says, in every cycle anew
  localparam int Greedy = 10;  // whichever is free

  // Ports of a switch: 0 .. NumDown - 1 lead down, the others up.
  localparam int NumDown  = 4;
  localparam int NumUp    = 2;
  localparam int NumPorts = NumDown + NumUp;

  function automatic int path_choice(input int kind);
    path_choice = kind - Fixed + anl_pkg::PathCarried;
  endfunction

  function automatic int num_terminals(input int n);
    num_terminals = 1 << (2 * n);
  endfunction

  function automatic int label_width(input int n);
    label_width = 2 * n;
  endfunction

  // Turns that routes make (anl_pkg::TurnsW): they go up, then down.
  function automatic logic [anl_pkg::TurnsW-1:0] turns(input int ports);
    turns = '0;
    for (int p = 0; p < ports; p++)
      for (int o = 0; o < ports; o++)
        turns[p*anl_pkg::MaxPorts + o] = (p < NumDown || o < NumDown);
  endfunction

  // The first switch of a level, that is, the number of switches below it, and the level of
  // switch s.
  function automatic int first(input int n, input int level);
    first = (1 << (2 * n - 1)) - (1 << (2 * n - level));
  endfunction

  function automatic int level_of(input int n, input int s);
    level_of = 1;
    for (int l = 2; l <= n; l++)
      if (s >= (1 << (2 * n - 1)) - (1 << (2 * n - l))) level_of = l;
  endfunction

  // Address in level + 1 of the switch where up link `up` (0 or 1) of (level, a) ends, and the port
  // there, which is the same for both.
  function automatic int parent(input int level, input int a, input int up);
    parent = (a >> (level + 1) << level) + (a + (up << (level - 1))) % (1 << level);
  endfunction

  function automatic int parent_port(input int level, input int a);
    parent_port = (a % (1 << (level + 1))) >> (level - 1);
  endfunction

  // The other way: address in level - 1 of the child at port c of (level, a), and which of its up
  // links comes from there.
  function automatic int child(input int level, input int a, input int c);
    child = (a >> (level - 1) << level) + (c << (level - 2)) + a % (1 << (level - 2));
  endfunction

  function automatic int child_up(input int level, input int a, input int c);
    child_up = (c + (a >> (level - 2))) % 2;
  endfunction

endpackage
