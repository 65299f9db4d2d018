// SPDX-License-Identifier: Apache-2.0
//
// Numbers of topologies and policies (the same as in the C API), and the sizes that follow from
// them. Formulas: docs/networks.md, docs/link.md.

package anl_pkg;

  // Kind of a network: its topology, plus WithoutDateline for a torus kind routed without classes
  // of lanes (which is not deadlock-free).
  localparam int Mesh                = 0;
  localparam int Torus               = 1;
  localparam int UnidirectionalTorus = 2;
  localparam int Hypercube           = 3;
  localparam int WithoutDateline     = 4;
  localparam int FatTree             = 8;   // path as the head says; the next two kinds:
  localparam int FatTreeRandom       = 9;   // drawn in every cycle
  localparam int FatTreeGreedy       = 10;  // whichever up link is free
  localparam int AnyKind             = -1;  // of a switch that knows nothing of its network

  localparam int Fixed    = 0;  // scan
  localparam int Rotating = 1;
  localparam int Random   = 2;
  localparam int Oldest   = 3;
  localparam int Farthest = 4;

  localparam int Wormhole        = 0;  // admission
  localparam int CutThrough      = 1;
  localparam int StoreAndForward = 2;

  localparam int PathNone    = 0;  // choice of path: every route names one port
  localparam int PathCarried = 1;  // and depends on a field of the head
  localparam int PathRandom   = 2;  // and depends on the random state
  localparam int PathGreedy  = 3;  // or either of the last two ports

  localparam int LengthW = 7;   // bits of the fields of a head
  localparam int RankW  = 16;  // stamp or distance

  // Bits of an index 0 .. count - 1, at least 1.
  function automatic int index_width(input int count);
    index_width = (count > 1) ? $clog2(count) : 1;
  endfunction

  function automatic int topology(input int kind);
    topology = (kind < FatTree) ? kind % WithoutDateline : FatTree;
  endfunction

  // Choice of path that goes with a kind.
  function automatic int path_choice(input int kind);
    path_choice = (kind < FatTree) ? PathNone : kind - FatTree + PathCarried;
  endfunction

  // Ports of a switch; in a cube the last one is the terminal's.
  function automatic int num_ports(input int kind, input int n);
    if (kind >= FatTree)                        num_ports = 6;
    else if (kind % WithoutDateline <= Torus)   num_ports = 2 * n + 1;
    else                                        num_ports = n + 1;
  endfunction

  // Turns that routes make, as bits: the output ports they lead to from input port `port` or, if
  // `into`, the input ports they lead from to output port `port`. In a cube they correct one
  // dimension after the other in ascending order and never turn back; in a fat-tree they go up, then
  // down. (One function: Icarus takes none that calls another one in a loop as constant.)
  function automatic int turns(input int kind, input int ports, input int port, input bit into);
    int each, p, o, turn;                                // ports of a dimension; it is a turn
    each  = (kind % WithoutDateline <= Torus) ? 2 : 1;
    turns = 0;
    for (int i = 0; i < ports; i++) begin
      p = into ? i : port;
      o = into ? port : i;
      if (kind == AnyKind)                               turn = 1;
      else if (kind >= FatTree)                          turn = (p < 4 || o < 4) ? 1 : 0;
      else if (p == ports - 1 || o == ports - 1)         turn = 1;
      else if (p / each != o / each)                     turn = (p / each < o / each) ? 1 : 0;
      else if (kind % WithoutDateline == Hypercube)      turn = 0;
      else                                               turn = (each == 1 || p != o) ? 1 : 0;
      turns = turns + (turn << i);
    end
  endfunction

  // How many of the lowest `count` bits of a set are 1.
  function automatic int members(input int set, input int count);
    members = 0;
    for (int i = 0; i < count; i++) members = members + (set >> i) % 2;
  endfunction

  function automatic int power(input int base, input int exponent);
    power = 1;
    for (int i = 0; i < exponent; i++) power = power * base;
  endfunction

  // Bits of a label: the packed coordinates of a terminal.
  function automatic int label_width(input int k, input int n);
    label_width = n * ((k > 1) ? $clog2(k) : 1);
  endfunction

  // Label of a terminal.
  function automatic int label(input int k, input int n, input int terminal);
    int rest;
    rest  = terminal;
    label = 0;
    for (int d = 0; d < n; d++) begin
      label = label + ((rest % k) << (d * ((k > 1) ? $clog2(k) : 1)));
      rest  = rest / k;
    end
  endfunction

  // The switch step (1 or -1) away from switch s in the dimension whose coordinate counts in
  // strides of stride = k**dimension; -1 past the edge of a mesh.
  function automatic int neighbour(input int kind, input int k, input int s, input int stride,
                                   input int step);
    int x, y;
    x = (s / stride) % k;
    y = x + step;
    neighbour = s + ((y + k) % k - x) * stride;
    if (kind % WithoutDateline == Mesh && (y < 0 || y >= k)) neighbour = -1;
  endfunction

  // Fat-tree of n levels: the first switch of a level, that is, the number of those below it, and
  // the level of switch s.
  function automatic int tree_first(input int n, input int level);
    tree_first = (1 << (2 * n - 1)) - (1 << (2 * n - level));
  endfunction

  function automatic int tree_level(input int n, input int s);
    tree_level = 1;
    for (int l = 2; l <= n; l++)
      if (s >= (1 << (2 * n - 1)) - (1 << (2 * n - l))) tree_level = l;
  endfunction

  // Address in level + 1 of the switch where up link `up` (0 or 1) of (level, a) ends, and the port
  // there, which is the same for both.
  function automatic int tree_parent(input int level, input int a, input int up);
    tree_parent = (a >> (level + 1) << level) + (a + (up << (level - 1))) % (1 << level);
  endfunction

  function automatic int tree_parent_port(input int level, input int a);
    tree_parent_port = (a % (1 << (level + 1))) >> (level - 1);
  endfunction

  // The other way: address in level - 1 of the child at port c of (level, a), and which of its up
  // links comes from there.
  function automatic int tree_child(input int level, input int a, input int c);
    tree_child = (a >> (level - 1) << level) + (c << (level - 2)) + a % (1 << (level - 2));
  endfunction

  function automatic int tree_child_up(input int level, input int a, input int c);
    tree_child_up = (c + (a >> (level - 2))) % 2;
  endfunction

  // Position of the stamp in a head: above destination and length.
  function automatic int rank_lsb(input int dst_w, input int admission);
    rank_lsb = dst_w + ((admission != Wormhole) ? LengthW : 0);
  endfunction

  // Whether a scan compares stamps (distances), and whether it reads the random state.
  function automatic int ranked(input int scan);
    ranked = (scan == Oldest || scan == Farthest) ? 1 : 0;
  endfunction

  function automatic int reads_random(input int scan);
    reads_random = (scan == Random || scan == Farthest) ? 1 : 0;
  endfunction

  // Bits of a head that a switch reads, without the path.
  function automatic int head_width(input int dst_w, input int scan, input int admission);
    head_width = dst_w + ((admission != Wormhole) ? LengthW : 0)
                 + ((scan == Oldest || scan == Farthest) ? RankW : 0);
  endfunction

  // Bits of the path that a head carries above the other fields: one a level of a fat-tree but the
  // highest, if it carries one.
  function automatic int path_width(input int choice, input int dst_w);
    path_width = (choice == PathCarried) ? dst_w / 2 - 1 : 0;
  endfunction

endpackage
