// SPDX-License-Identifier: Apache-2.0
//
// The butterfly, a k-ary n-fly passed once or twice: sizes, turns and the formulas of
// docs/networks.md.

// A package names all choices of a policy, also those that no code compares with.
// verilator lint_off UNUSEDPARAM

package anl_butterfly_pkg;

  // Switches of a level.
  function automatic int columns(input int k, input int n);
    columns = 1;
    for (int i = 1; i < n; i++) columns = columns * k;
  endfunction

  // Levels of switches: one more than levels of links between them. Under Valiant's routing worms pass
  // the butterfly twice.
  function automatic int levels(input int n, input int routing);
    levels = ((routing == anl_pkg::Valiant) ? 2 * (n - 1) : n - 1) + 1;
  endfunction

  // Bits of one digit in a label or a path, and of a label, which has n digits.
  function automatic int digit_width(input int k);
    digit_width = (k > 1) ? $clog2(k) : 1;
  endfunction

  function automatic int label_width(input int k, input int n);
    label_width = n * ((k > 1) ? $clog2(k) : 1);
  endfunction

  // Label of a terminal, given by its number: its digits.
  function automatic int label(input int k, input int n, input int terminal);
    int rest;
    rest  = terminal;
    label = 0;
    for (int d = 0; d < n; d++) begin
      label = label + ((rest % k) << (d * ((k > 1) ? $clog2(k) : 1)));
      rest  = rest / k;
    end
  endfunction

  // Turns that routes make (anl_pkg::TurnsW): all of them.
  function automatic logic [anl_pkg::TurnsW-1:0] turns(input int ports);
    turns = '0;
    for (int p = 0; p < ports; p++)
      for (int o = 0; o < ports; o++) turns[p*anl_pkg::MaxPorts + o] = 1'b1;
  endfunction

  // The digit that is the port of a head in a level: 0 .. n - 1 are those of its destination, n + d
  // is digit d of its intermediate column.
  function automatic int tag(input int n, input int routing, input int level);
    tag = (routing == anl_pkg::Valiant && level < n - 1) ? n + (n - 2 - level)
                                               : ((routing == anl_pkg::Valiant) ? 2 * (n - 1) : n - 1) - level;
  endfunction

  // k to the power of the digit of a column that the links behind a level decide.
  function automatic int weight(input int k, input int n, input int level);
    weight = 1;
    for (int d = 0; d < n - 2 - level % (n - 1); d++) weight = weight * k;
  endfunction

  // A column with one digit replaced, given by its weight; and that digit.
  function automatic int replaced(input int k, input int column, input int digit_weight,
                                  input int digit);
    replaced = column + (digit - (column / digit_weight) % k) * digit_weight;
  endfunction

  function automatic int digit_of(input int k, input int column, input int digit_weight);
    digit_of = (column / digit_weight) % k;
  endfunction

endpackage
