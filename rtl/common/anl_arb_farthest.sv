// SPDX-License-Identifier: Apache-2.0
//
// Picks the request with the largest distance; of several, the first one in cyclic order from
// the start (docs/switch.md, scan policy farthest).
//
// from_i is the start and all behind it: 1 from some bit upwards (anl_arb_cyclic).
// gnt_o is one-hot, or 0 if nothing is requested. Timing: combinational, no state; a tree of
// comparators.

module anl_arb_farthest #(
  parameter int Size = 4
) (
  input  logic [Size-1:0]                 req_i,
  input  logic [Size*anl_head_pkg::RankW-1:0] distance_i,
  input  logic [Size-1:0]                 from_i,
  output logic [Size-1:0]                 gnt_o
);

  localparam int DistanceW = anl_head_pkg::RankW;
  localparam int Leaves    = 1 << $clog2(Size);

  // Node 1 is the largest of all, node i the larger of nodes 2i and 2i + 1; the leaves are the
  // requests. What is not requested counts as 0, which beats nothing.
  for (genvar i = 1; i < 2 * Leaves; i++) begin : g_node
    logic [DistanceW-1:0] largest;
    if (i < Leaves) begin : g_larger
      assign largest = (g_node[2*i].largest > g_node[2*i+1].largest) ? g_node[2*i].largest
                                                                     : g_node[2*i+1].largest;
    end else if (i - Leaves < Size) begin : g_leaf
      assign largest = distance_i[(i-Leaves)*DistanceW +: DistanceW]
                       & {DistanceW{req_i[i-Leaves]}};
    end else begin : g_absent
      assign largest = '0;
    end
  end

  logic [Size-1:0] farthest;
  for (genvar i = 0; i < Size; i++) begin : g_farthest
    assign farthest[i] = req_i[i] && distance_i[i*DistanceW +: DistanceW] == g_node[1].largest;
  end

  anl_arb_cyclic #(.Size(Size)) u_arb (.req_i(farthest), .from_i, .gnt_o, .index_o());

endmodule
