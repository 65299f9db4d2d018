// SPDX-License-Identifier: Apache-2.0
//
// Grants the request with the largest distance; among several of them, the first one in cyclic
// order from the start (docs/switch.md, arbitration policy farthest).
//
// distance_i counts links between the worm's source and its destination. Bit i of from_i is 1 if i
// is the start or above it (anl_arb_cyclic). gnt_o is one-hot, or 0 if there is no request.
// Timing: gnt_o is combinational, behind a tree of comparators; the module has no state.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

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

  // A tree of maxima: node 1 is the largest distance of all, node i is the larger of nodes 2i and
  // 2i + 1, and the leaves are the inputs. An input that does not request counts as 0, which is
  // never larger than the distance of a request.
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
