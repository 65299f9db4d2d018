// SPDX-License-Identifier: Apache-2.0
//
// anl_route_fat_tree: at every switch of a level and for every destination, the port leads to a
// switch (or the terminal) that is one link nearer, and so do both ports where either may be taken.
//
// Levels, addresses and links are those of docs/networks.md. The switch below, (Level - 1,
// child_i), is any one whose up link up_i ends at this switch.

`include "prove.svh"

module prove_route_fat_tree #(
  parameter  int N      = 2,
  parameter  int Level  = 1,
  parameter  int NumVcs = 2,
  parameter  int Path   = anl_pkg::PathCarried,
  localparam int DstW   = anl_fat_tree_pkg::label_width(N),
  localparam int PathW  = (Path == anl_pkg::PathCarried && N > 1) ? N - 1 : 1
) (
  input logic             clk_i,
  input logic [DstW-1:0]  here_i,
  input logic [DstW-1:0]  dst_i,
  input logic [PathW-1:0] path_i,
  input logic             random_i,
  input logic [DstW-1:0]  child_i,
  input logic             up_i
);

  `PROVE_RESET

  localparam int T      = 4 ** N;
  localparam int Number = T / 2 ** (Level + 1);            // number of switches of this level
  localparam int Below  = 2 * Number;                      // number of switches of the level below

  logic [5:0]        port;
  logic              either;
  logic [NumVcs-1:0] vcs;

  anl_route_fat_tree #(.N(N), .Level(Level), .NumVcs(NumVcs), .Path(Path)) u_dut (
    .here_i, .dst_i, .path_i, .random_i, .port_o(port), .either_o(either), .vcs_o(vcs)
  );

  // Returns the address of the parent at the end of up link 0 or 1 of (l, a).
  function automatic int parent(input int l, input int a, input int up);
    parent = (a / 2 ** (l + 1)) * 2 ** l + ((up != 0) ? (a + 2 ** (l - 1)) % 2 ** l : a % 2 ** l);
  endfunction

  // Returns the links from (l, a) to terminal t: up to the lowest level whose subtree contains
  // both, and down.
  function automatic int distance(input int l, input int a, input int t);
    distance = 2 * N - l;
    for (int h = N; h >= l; h--)
      if (t / 4 ** h == a / 2 ** (l - 1) / 4 ** (h - l)) distance = 2 * h - l;
  endfunction

  wire [31:0] here = 32'(here_i), dst = 32'(dst_i), child = 32'(child_i);
  wire        below = dst / 4 ** Level == here / 2 ** (Level - 1);
  wire        down  = port[3:0] != '0, first = port[4], second = port[5];
  // Number of the down port that the route names.
  wire [31:0] digit = {30'b0, port[3] || port[2], port[3] || port[1]};

  `GIVEN(SwitchExists, here < Number)

  `PROVE(NamesOnePort, $onehot(port))
  `PROVE(DownIffBelow, down == below)
  `PROVE(AllLanes, vcs == {NumVcs{1'b1}})

  if (Level == 1) begin : g_terminals      // terminals 4b .. 4b + 3 are at ports 0 .. 3
    `COVER(LastTerminal, port[3] && dst == T - 1)
    `PROVE(DownToTheTerminal, !down || 4 * here + digit == dst)
  end else begin : g_children
    wire at_port = child < Below && parent(Level - 1, child, up_i) == here
                   && (child % 2 ** Level) / 2 ** (Level - 2) == digit;
    `COVER(DownToALastChild, port[3] && at_port && here == Number - 1)
    `PROVE(DownIsOneNearer, !down || !at_port
                            || distance(Level - 1, child, dst) + 1 == distance(Level, here, dst))
  end

  if (Level < N) begin : g_up
    wire [31:0] by_4 = parent(Level, here, 0), by_5 = parent(Level, here, 1);
    wire takes_4 = first || either, takes_5 = second || either;
    `COVER(UpByEither, takes_4 && here == Number - 1)
    `COVER(UpBySecond, takes_5 && here == 0)
    `PROVE(UpIsOneNearer, (!takes_4 || distance(Level + 1, by_4, dst) + 1 == distance(Level, here, dst))
                       && (!takes_5 || distance(Level + 1, by_5, dst) + 1 == distance(Level, here, dst)))
    if (Path == anl_pkg::PathCarried) begin : g_carried
      `PROVE(UpAsThePathSays, down || second == path_i[Level-1])
    end
    if (Path == anl_pkg::PathRandom) begin : g_drawn
      `PROVE(UpAsDrawn, down || second == random_i)
    end
    if (Path == anl_pkg::PathNone) begin : g_tag
      `PROVE(UpAsTheDestinationSays, down || 32'(second) == dst / 2 ** (Level - 1) % 2)
    end
  end

  `PROVE(EitherIffGreedyAndUp, either == (!below && Path == anl_pkg::PathGreedy))
  `PROVE(EitherNamesTheFirst, !either || first)

endmodule
