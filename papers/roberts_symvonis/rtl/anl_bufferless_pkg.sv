// SPDX-License-Identifier: Apache-2.0
//
// The mesh without buffers: ports, and the turns of policies (papers/roberts_symvonis/bufferless.md).

// A package names all ports, also those that no code compares with.
// verilator lint_off UNUSEDPARAM

package anl_bufferless_pkg;

  localparam int East     = 0;
  localparam int West     = 1;
  localparam int South    = 2;
  localparam int North    = 3;
  localparam int Terminal = 4;
  localparam int NumPorts = 5;

  // Turns: bit p * NumPorts + o is 1 if a flit may go from input port p to output port o.
  localparam int AllTurns = (1 << (NumPorts * NumPorts)) - 1;

  // The turns of paths with one bend: from a row into it or a column, from a column into it, from
  // everywhere to the terminal, and never back.
  function automatic int one_bend_turns(input int ports);
    one_bend_turns = 0;
    for (int p = 0; p < ports; p++)
      for (int o = 0; o < ports; o++)
        if (p != o && (p < South || p == Terminal || o >= South))
          one_bend_turns = one_bend_turns | (1 << (p * NumPorts + o));
  endfunction

  // The input ports with a turn to output port o.
  function automatic int turns_into(input int turns, input int o);
    turns_into = 0;
    for (int p = 0; p < NumPorts; p++)
      turns_into = turns_into | (((turns >> (p * NumPorts + o)) & 1) << p);
  endfunction

  // Those members of a set of ports whose index among the members has bit b.
  function automatic int ranked_with(input int members, input int b);
    int rank;
    rank        = 0;
    ranked_with = 0;
    for (int p = 0; p < NumPorts; p++)
      if (((members >> p) & 1) != 0) begin
        if (((rank >> b) & 1) != 0) ranked_with = ranked_with | (1 << p);
        rank = rank + 1;
      end
  endfunction

  // The output ports of node s of a k x k mesh that lead anywhere.
  function automatic int links(input int k, input int s);
    links = 1 << Terminal;
    if (s % k < k - 1) links = links | (1 << East);
    if (s % k > 0)     links = links | (1 << West);
    if (s / k < k - 1) links = links | (1 << South);
    if (s / k > 0)     links = links | (1 << North);
  endfunction

endpackage
