// SPDX-License-Identifier: Apache-2.0
//
// Sliding diagonals: ports, commands, places of a torus, and lengths of phases (papers/bock/diagonals.md).

// A package names all ports, also those that no code compares with.
// verilator lint_off UNUSEDPARAM

package anl_diagonals_pkg;

  // The sides of a stage; a port is named after the direction in which its flits move.
  localparam int XPlus    = 0;
  localparam int XMinus   = 1;
  localparam int YPlus    = 2;
  localparam int YMinus   = 3;
  localparam int NumSides = 4;
  localparam int Exit     = 4;   // out of the network
  localparam int NumWays  = 5;

  // What the number of the step tells all nodes to do.
  localparam int CommandW      = 4;
  localparam int Distribute    = 0;   // look for slots
  localparam int DistributeEnd = 1;   // the same, and a head on -x that finds none leaves
  localparam int TurnInBlock   = 2;   // phase 1a
  localparam int TurnAnywhere  = 3;   // phase 1b
  localparam int Straighten    = 4;   // at the end of both
  localparam int Back          = 5;   // reorder
  localparam int Forth         = 6;
  localparam int Seek          = 7;   // a round of phase 2
  localparam int SeekBack      = 8;
  localparam int SeekForth     = 9;
  localparam int SeekWait      = 10;

  // --- places ---

  function automatic int is_slot(input int n, input int length, input int a, input int b,
                                 input int x, input int y);
    int sum;
    sum     = (x + y) % n;
    is_slot = (sum % (b * length) == 0 && (sum / (b * length)) % a == y % a) ? 1 : 0;
  endfunction

  // The first row of the row block of row y, and how many rows it has.
  function automatic int block_first(input int length, input int c, input int y);
    block_first = y - y % (c * length);
  endfunction

  function automatic int block_rows(input int n, input int length, input int c, input int y);
    block_rows = c * length;
    if (block_first(length, c, y) + block_rows > n) block_rows = n - block_first(length, c, y);
  endfunction

  function automatic int is_top(input int n, input int length, input int c, input int y);
    is_top = (y == block_first(length, c, y) + block_rows(n, length, c, y) - 1) ? 1 : 0;
  endfunction

  function automatic int is_bottom(input int n, input int length, input int c, input int y);
    is_bottom = (y - block_first(length, c, y) == (block_rows(n, length, c, y) - 1) % length) ? 1 : 0;
  endfunction

  // The coordinate of node s in dimension d, and the node that is `ahead` nodes on from it there.
  function automatic int at(input int n, input int s, input int d);
    at = s / n**d % n;
  endfunction

  function automatic int neighbour(input int n, input int s, input int d, input int ahead);
    neighbour = s + ((at(n, s, d) + ahead) % n - at(n, s, d)) * n**d;
  endfunction

  // For node s of a torus of d dimensions, in bit i for stage i: whether the node `ahead` nodes on in its
  // row is a slot; whether the node is in the top row of a block; is a bottom; and is in a block that has
  // room for a worm.
  function automatic int slots(input int n, input int d, input int length, input int a, input int b,
                               input int s, input int ahead);
    int i;
    slots = 0;
    for (i = 0; i < d - 1; i++)
      slots = slots | is_slot(n, length, a, b, (at(n, s, i) + ahead) % n, at(n, s, i + 1)) << i;
  endfunction

  function automatic int tops(input int n, input int d, input int length, input int c, input int s);
    int i;
    tops = 0;
    for (i = 0; i < d - 1; i++) tops = tops | is_top(n, length, c, at(n, s, i + 1)) << i;
  endfunction

  function automatic int bottoms(input int n, input int d, input int length, input int c, input int s);
    int i;
    bottoms = 0;
    for (i = 0; i < d - 1; i++) bottoms = bottoms | is_bottom(n, length, c, at(n, s, i + 1)) << i;
  endfunction

  function automatic int fits(input int n, input int d, input int length, input int c, input int s);
    int i;
    fits = 0;
    for (i = 0; i < d - 1; i++)
      fits = fits | ((block_rows(n, length, c, at(n, s, i + 1)) > length) ? 1 : 0) << i;
  endfunction

  // --- lengths, in steps; brief: 1: the rounds are the short ones, 0: those of the paper ---

  function automatic int rounds(input int c, input int brief);
    rounds = (brief != 0) ? 8 : c;
  endfunction

  function automatic int forward(input int length, input int c, input int brief);
    forward = (brief != 0) ? 2 * c : 2 * c * length;
  endfunction

  function automatic int round_steps(input int length, input int c, input int brief);
    int back, up_and_down;
    back        = forward(length, c, brief) + 2 * length;
    up_and_down = 2 * c * length + length;
    round_steps = forward(length, c, brief)
                  + ((brief != 0 && up_and_down > back) ? up_and_down : back);
  endfunction

endpackage
