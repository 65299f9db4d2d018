// SPDX-License-Identifier: Apache-2.0
//
// k-ary n-cubes: kinds, sizes, labels, turns and neighbours by the formulas of docs/networks.md.

// A package names all choices of a policy, also those that no code compares with.
// verilator lint_off UNUSEDPARAM

package anl_cube_pkg;

  // Kind of a cube: its topology, plus WithoutDateline if a torus is routed without dateline lanes.
  // Such a torus can deadlock.
  localparam int Mesh                = 0;
  localparam int Torus               = 1;
  localparam int UnidirectionalTorus = 2;
  localparam int Hypercube           = 3;
  localparam int WithoutDateline     = 4;

  function automatic int topology(input int kind);
    topology = kind % WithoutDateline;
  endfunction

  // Number of ports of a switch; the last port is the terminal's.
  function automatic int num_ports(input int kind, input int n);
    num_ports = (kind % WithoutDateline <= Torus) ? 2 * n + 1 : n + 1;
  endfunction

  // Turns that routes make (anl_pkg::TurnsW). Routes correct one dimension after the other in
  // ascending order and never turn back.
  function automatic logic [anl_pkg::TurnsW-1:0] turns(input int kind, input int n);
    // Ports of one dimension; the number of the terminal's port; whether p to o is a turn.
    int each, last, turn;
    each  = (kind % WithoutDateline <= Torus) ? 2 : 1;
    last  = each * n;
    turns = '0;
    for (int p = 0; p <= last; p++)
      for (int o = 0; o <= last; o++) begin
        if (p == last || o == last)                      turn = 1;
        else if (p / each != o / each)                   turn = (p / each < o / each) ? 1 : 0;
        else if (kind % WithoutDateline == Hypercube)    turn = 0;
        else                                             turn = (each == 1 || p != o) ? 1 : 0;
        turns[p*anl_pkg::MaxPorts + o] = (turn != 0);
      end
  endfunction

  function automatic int power(input int base, input int exponent);
    power = 1;
    for (int i = 0; i < exponent; i++) power = power * base;
  endfunction

  // Bits of a label, which is the packed coordinates of a terminal.
  function automatic int label_width(input int k, input int n);
    label_width = n * ((k > 1) ? $clog2(k) : 1);
  endfunction

  // Label of a terminal, given by its number.
  function automatic int label(input int k, input int n, input int terminal);
    int rest;
    rest  = terminal;
    label = 0;
    for (int d = 0; d < n; d++) begin
      label = label + ((rest % k) << (d * ((k > 1) ? $clog2(k) : 1)));
      rest  = rest / k;
    end
  endfunction

  // The switch that is one step (1 or -1) away from switch s in one dimension, or -1 past the edge
  // of a mesh. stride is k to the power of the dimension: the difference between neighbours'
  // numbers.
  function automatic int neighbour(input int kind, input int k, input int s, input int stride,
                                   input int step);
    int x, y;
    x = (s / stride) % k;
    y = x + step;
    neighbour = s + ((y + k) % k - x) * stride;
    if (kind % WithoutDateline == Mesh && (y < 0 || y >= k)) neighbour = -1;
  endfunction

endpackage
