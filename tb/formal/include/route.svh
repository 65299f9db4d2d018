// SPDX-License-Identifier: Apache-2.0
//
// Common part of the proofs of the route units of k-ary n-cubes: one step in the network as
// docs/networks.md wires it, and distances, for every switch and every destination. It reads
// coordinates one at a time and uses no formula of the route units.
//
// The including harness provides the parameters K, N, NumPorts; the inputs here_i, dst_i, d_i;
// port, the one-hot output of the route unit; Ring, the coordinates wrap; and OneWay, ports lead
// only to higher coordinates.

  localparam int CoordW = DstW / N;

  function automatic int coordinate(input logic [DstW-1:0] from, input int d);
    coordinate = 32'(CoordW'(from >> (d * CoordW)));
  endfunction

  // Returns the links from x to y in one dimension, by the shortest way that its links allow.
  function automatic int way(input int x, input int y);
    int up, down;
    up   = (y >= x) ? y - x : (Ring ? y - x + K : 2 * K);
    down = OneWay ? 2 * K : (x >= y) ? x - y : (Ring ? x - y + K : 2 * K);
    way  = (up < down) ? up : down;
  endfunction

  function automatic int distance(input logic [DstW-1:0] from, input logic [DstW-1:0] to);
    distance = 0;
    for (int d = 0; d < N; d++) distance = distance + way(coordinate(from, d), coordinate(to, d));
  endfunction

  function automatic logic exists(input logic [DstW-1:0] where);
    exists = 1'b1;
    for (int d = 0; d < N; d++) if (coordinate(where, d) >= K) exists = 1'b0;
  endfunction

  function automatic int number_of(input logic [NumPorts-1:0] onehot);
    number_of = 0;
    for (int o = 0; o < NumPorts; o++) if (onehot[o]) number_of = o;
  endfunction

  wire [31:0] number    = number_of(port);
  wire [31:0] dimension = OneWay ? number : number >> 1;
  wire        minus     = !OneWay && number[0];
  wire        eject     = port[NumPorts-1];

  // The switch to which the port leads. Past the edge of a mesh its coordinate does not exist.
  int              here_x, there_x;
  logic [DstW-1:0] there;
  logic            wraps;

  always_comb begin : step
    here_x  = coordinate(here_i, dimension);
    wraps   = minus ? here_x == 0 : here_x == K - 1;
    there_x = !wraps ? (minus ? here_x - 1 : here_x + 1) : (minus ? K - 1 : 0);
    there   = here_i;
    for (int d = 0; d < N; d++) if (d == dimension) there[d*CoordW +: CoordW] = CoordW'(there_x);
  end

  `GIVEN(SwitchAndTerminalExist, exists(here_i) && exists(dst_i))
  `GIVEN(DimensionExists, 32'(d_i) < N)

  logic [N-1:0] apart;                     // bit d: the destination differs in dimension d
  for (genvar d = 0; d < N; d++) begin : g_apart
    assign apart[d] = coordinate(here_i, d) != coordinate(dst_i, d);
  end

  `COVER(InTheCorner, exists({DstW{1'b0}}) && apart == '1 && here_i == '0 && !eject)
  `COVER(InTheLastDimension, 32'(dimension) == N - 1 && !eject)
  `COVER(Ejects, eject && here_i != '0)

  `PROVE(NamesOnePort, $onehot(port))
  `PROVE(EjectsAtTheDestination, eject == (here_i == dst_i))
  `PROVE(EachHopIsOneNearer, eject || distance(there, dst_i) + 1 == distance(here_i, dst_i))
  `PROVE(LowestDimensionFirst, eject || 32'(d_i) >= dimension
                               || coordinate(here_i, d_i) == coordinate(dst_i, d_i))
