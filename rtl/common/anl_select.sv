// SPDX-License-Identifier: Apache-2.0
//
// Multiplexer of the crossbar: data_o is entry number index_i of those entries of data_i that are in
// the set Members, counted from 0 at the lowest.
//
// If index_i is past the last member, data_o has no meaning. The select is a binary index because a
// look-up table then takes more entries than with one-hot bits.
// Timing: data_o is combinational; the module has no state.

// Entries of ports without a turn to this one are not read.
// verilator lint_off UNUSEDSIGNAL

module anl_select #(
  parameter  int Size       = 5,
  parameter  int Width      = 8,
  parameter  int Members    = 31,  // bit i: entry i can be chosen; at least one
  localparam int NumMembers = anl_pkg::members(Members, Size),
  localparam int IndexW     = anl_pkg::index_width(NumMembers)
) (
  input  logic [IndexW-1:0]     index_i,  // index among the members
  input  logic [Size*Width-1:0] data_i,
  output logic [Width-1:0]      data_o
);

  localparam int Steps = (NumMembers > 1) ? $clog2(NumMembers) : 0;

  logic [NumMembers*Width-1:0] entries;

  for (genvar i = 0; i < Size; i++) begin : g_member
    if ((Members >> i) % 2 != 0) begin : g_one
      localparam int W = anl_pkg::members(Members, i);
      assign entries[W*Width +: Width] = data_i[i*Width +: Width];
    end
  end

  if (NumMembers == 1) begin : g_only
    assign data_o = entries;
  end else begin : g_tree
    for (genvar s = 0; s < Steps; s++) begin : g_step     // one level of the tree
      localparam int Nodes  = (NumMembers + (1 << s) - 1) >> s;
      localparam int Picked = (Nodes + 1) / 2;
      logic [Nodes*Width-1:0]  nodes;
      logic [Picked*Width-1:0] picked;

      if (s == 0) begin : g_entries
        assign nodes = entries;
      end else begin : g_halved
        assign nodes = g_step[s-1].picked;
      end
      for (genvar j = 0; j < Picked; j++) begin : g_pair
        if (2*j + 1 < Nodes) begin : g_two
          assign picked[j*Width +: Width] = index_i[s] ? nodes[(2*j + 1)*Width +: Width]
                                                       : nodes[2*j*Width +: Width];
        end else begin : g_one
          assign picked[j*Width +: Width] = nodes[2*j*Width +: Width];
        end
      end
    end
    assign data_o = g_step[Steps-1].picked;
  end

endmodule
