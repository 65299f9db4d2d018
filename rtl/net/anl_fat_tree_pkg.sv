// SPDX-License-Identifier: Apache-2.0
//
// The butterfly fat-tree of n levels: ports, turns and the formulas of docs/networks.md.

// A package names all choices of a policy, also those that no code compares with.
// verilator lint_off UNUSEDPARAM

package anl_fat_tree_pkg;

  // Ports of a switch: 0 .. NumDown - 1 lead down and the others lead up.
  localparam int NumDown  = 4;
  localparam int NumUp    = 2;
  localparam int NumPorts = NumDown + NumUp;

  // How a head that goes up chooses between the two up links: by the path that it carries, by the random
  // state, anew in every cycle, the first one that can accept it, or by the label of its destination.
  function automatic int path_of(input int routing);
    case (routing)
      anl_pkg::UpDownFixed:  path_of = anl_pkg::PathCarried;
      anl_pkg::UpDownRandom: path_of = anl_pkg::PathRandom;
      anl_pkg::UpDownGreedy: path_of = anl_pkg::PathGreedy;
      default:               path_of = anl_pkg::PathNone;
    endcase
  endfunction

  function automatic int num_terminals(input int n);
    num_terminals = 1 << (2 * n);
  endfunction

  function automatic int label_width(input int n);
    label_width = 2 * n;
  endfunction

  // Turns that routes make (anl_pkg::TurnsW). Routes go up first and then down.
  function automatic logic [anl_pkg::TurnsW-1:0] turns(input int ports);
    turns = '0;
    for (int p = 0; p < ports; p++)
      for (int o = 0; o < ports; o++)
        turns[p*anl_pkg::MaxPorts + o] = (p < NumDown || o < NumDown);
  endfunction

  // The number of the first switch of a level, which is the number of switches below that level;
  // and the level of switch s.
  function automatic int first(input int n, input int level);
    first = (1 << (2 * n - 1)) - (1 << (2 * n - level));
  endfunction

  function automatic int level_of(input int n, input int s);
    level_of = 1;
    for (int l = 2; l <= n; l++)
      if (s >= (1 << (2 * n - 1)) - (1 << (2 * n - l))) level_of = l;
  endfunction

  // The switch (level, a) has two up links, 0 and 1. parent() is the address in level + 1 of the
  // switch at which up link `up` ends; parent_port() is the port there, the same for both links.
  function automatic int parent(input int level, input int a, input int up);
    parent = (a >> (level + 1) << level) + (a + (up << (level - 1))) % (1 << level);
  endfunction

  function automatic int parent_port(input int level, input int a);
    parent_port = (a % (1 << (level + 1))) >> (level - 1);
  endfunction

  // The way down: child() is the address in level - 1 of the switch at port c of (level, a), and
  // child_up() is the number of the up link of that switch which ends here.
  function automatic int child(input int level, input int a, input int c);
    child = (a >> (level - 1) << level) + (c << (level - 2)) + a % (1 << (level - 2));
  endfunction

  function automatic int child_up(input int level, input int a, input int c);
    child_up = (c + (a >> (level - 2))) % 2;
  endfunction

endpackage
