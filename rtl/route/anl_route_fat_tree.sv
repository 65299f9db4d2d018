// SPDX-License-Identifier: Apache-2.0
//
// Route in a switch of level Level of a butterfly fat-tree: down if the destination is below the
// switch, otherwise up; all lanes are allowed (docs/networks.md, "The butterfly fat-tree").
//
// Ports 0 .. 3 lead down, 4 and 5 up. The up port is chosen by the path of the head, or by
// random_i, or it is either one: then either_o is 1 and port_o names port 4. If heads have no path
// (anl_pkg::PathNone) a bit of the destination chooses it (docs/networks.md, destination_tag).
// Timing: the outputs are combinational; the module has no state.

// A level of a fat-tree reads some bits of an address and of a path. Not every kind of fat-tree reads
// the path or the random state.
// verilator lint_off UNUSEDSIGNAL

module anl_route_fat_tree #(
  parameter  int N      = 2,
  parameter  int Level  = 1,
  parameter  int NumVcs = 4,
  parameter  int Path   = anl_pkg::PathCarried,
  localparam int DstW   = anl_fat_tree_pkg::label_width(N),
  localparam int PathW  = (Path == anl_pkg::PathCarried && N > 1) ? N - 1 : 1
) (
  input  logic [DstW-1:0]   here_i,    // address of the switch in its level
  input  logic [DstW-1:0]   dst_i,
  input  logic [PathW-1:0]  path_i,
  input  logic              random_i,
  output logic [5:0]        port_o,    // one-hot
  output logic              either_o,
  output logic [NumVcs-1:0] vcs_o
);

  logic       up, second;   // second: the head goes up by port 5
  logic [3:0] child;        // port that leads to the destination, if it is below

  if (Level == N) begin : g_root
    assign up     = 1'b0;
    assign second = 1'b0;
  end else begin : g_below
    localparam int SubtreeW = DstW - 2 * Level;   // bits of the number of a subtree of this level
    assign up = here_i[Level-1 +: SubtreeW] != dst_i[2*Level +: SubtreeW];

    if (Path == anl_pkg::PathCarried) begin : g_carried
      assign second = path_i[Level-1];
    end else if (Path == anl_pkg::PathRandom) begin : g_drawn
      assign second = random_i;
    end else if (Path == anl_pkg::PathNone) begin : g_tag
      assign second = dst_i[Level-1];
    end else begin : g_second_port
      assign second = 1'b0;
    end
  end

  anl_decode #(.Size(4)) u_child (.index_i(dst_i[2*(Level-1) +: 2]), .onehot_o(child));

  assign port_o   = {up && second, up && !second, child & {4{!up}}};
  assign either_o = up && Path == anl_pkg::PathGreedy;
  assign vcs_o    = '1;

endmodule
