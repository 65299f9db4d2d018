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

  localparam int Fixed    = 0;  // scan
  localparam int Rotating = 1;
  localparam int Random   = 2;
  localparam int Oldest   = 3;

  localparam int Wormhole        = 0;  // admission
  localparam int CutThrough      = 1;
  localparam int StoreAndForward = 2;

  localparam int LengthW = 7;   // bits of the fields of a head
  localparam int StampW  = 16;

  // Bits of an index 0 .. count - 1, at least 1.
  function automatic int index_width(input int count);
    index_width = (count > 1) ? $clog2(count) : 1;
  endfunction

  function automatic int topology(input int kind);
    topology = kind % WithoutDateline;
  endfunction

  // Ports of a switch; the last one is the terminal's.
  function automatic int num_ports(input int kind, input int n);
    num_ports = (kind % WithoutDateline <= Torus) ? 2 * n + 1 : n + 1;
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

  // Position of the stamp in a head: above destination and length.
  function automatic int stamp_lsb(input int dst_w, input int admission);
    stamp_lsb = dst_w + ((admission != Wormhole) ? LengthW : 0);
  endfunction

  // Bits of a head that a switch reads.
  function automatic int head_width(input int dst_w, input int scan, input int admission);
    head_width = dst_w + ((admission != Wormhole) ? LengthW : 0) + ((scan == Oldest) ? StampW : 0);
  endfunction

endpackage
