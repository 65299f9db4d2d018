// SPDX-License-Identifier: Apache-2.0
//
// k-ary n-cubes: topologies, sizes, labels, turns and neighbours by the formulas of docs/networks.md.

// A package names all choices of a policy, also those that no code compares with.
// verilator lint_off UNUSEDPARAM

package anl_cube_pkg;

  // Topology of a cube. The numbers are those of the C API.
  localparam int Mesh                = 0;
  localparam int Torus               = 1;
  localparam int UnidirectionalTorus = 2;
  localparam int Hypercube           = 3;

  // Number of ports of a switch; the last port is the terminal's.
  function automatic int num_ports(input int topology, input int n);
    num_ports = (topology <= Torus) ? 2 * n + 1 : n + 1;
  endfunction

  // Number of escape lanes of each link: under adaptive routing one in a mesh, two in a torus.
  function automatic int escape_vcs(input int topology, input int routing);
    escape_vcs = (routing != anl_pkg::Adaptive) ? 0 : (topology == Mesh) ? 1 : 2;
  endfunction

  // Turns that routes make (anl_pkg::TurnsW). No route turns back. Under dimension order the
  // dimensions are corrected one after the other in ascending order. In a mesh, a head that came in
  // by an even port has gone down in its dimension, and one that came in by an odd port up. So west
  // first forbids turns to port 1, north last those of heads from port 3, and negative first those
  // from up to down, which are the ones from an odd to an odd port.
  function automatic logic [anl_pkg::TurnsW-1:0] turns(input int topology, input int routing,
                                                        input int n);
    // Ports of one dimension; the number of the terminal's port; whether p to o is a turn.
    int each, last, turn;
    each  = (topology <= Torus) ? 2 : 1;
    last  = each * n;
    turns = '0;
    for (int p = 0; p <= last; p++)
      for (int o = 0; o <= last; o++) begin
        if (p == last || o == last)                      turn = 1;
        else if (routing >= anl_pkg::WestFirst && routing <= anl_pkg::Adaptive && p / each != o / each)
          case (routing)
            anl_pkg::WestFirst:     turn = (o != 1) ? 1 : 0;
            anl_pkg::NorthLast:     turn = (p != 3) ? 1 : 0;
            anl_pkg::NegativeFirst: turn = (p % 2 == 0 || o % 2 == 0) ? 1 : 0;
            default:                turn = 1;
          endcase
        else if (p / each != o / each)                   turn = (p / each < o / each) ? 1 : 0;
        else if (topology == Hypercube)                  turn = 0;
        else                                             turn = (each == 1 || p != o) ? 1 : 0;
        turns[p*anl_pkg::MaxPorts + o] = (turn != 0);
      end
  endfunction

  // The port straight on from input port p, one-hot; 0 if p is the terminal's port.
  function automatic int straight(input int topology, input int n, input int p);
    if (topology > Torus) straight = (p < n) ? 1 << p : 0;
    else                  straight = (p < 2 * n) ? 1 << (p + 1 - 2 * (p % 2)) : 0;
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
  function automatic int neighbour(input int topology, input int k, input int s,
                                   input int stride, input int step);
    int x, y;
    x = (s / stride) % k;
    y = x + step;
    neighbour = s + ((y + k) % k - x) * stride;
    if (topology == Mesh && (y < 0 || y >= k)) neighbour = -1;
  endfunction

endpackage
