// SPDX-License-Identifier: Apache-2.0
//
// Fields of a head, from bit 0 upwards: destination, length, rank (stamp or distance), path or list
// (docs/link.md, "Data of a flit"). A head has a field only if some policy reads it, or, under the
// admission WormholeLength, a switch that is not ours.

// A package names all choices of a policy, also those that no code compares with.
// verilator lint_off UNUSEDPARAM
// A function reads some bits of a scan.
// verilator lint_off UNUSEDSIGNAL

package anl_head_pkg;

  localparam int LengthW = 7;
  localparam int RankW   = 16;

  // Bit position of the rank: it follows the destination and the length.
  function automatic int rank_lsb(input int dst_w, input int admission);
    rank_lsb = dst_w + ((admission != anl_pkg::Wormhole) ? LengthW : 0);
  endfunction

  // Bits of the fields of a head, not counting the path and the list. (Icarus fails if this function
  // calls anl_pkg::scan_of() and gives the width of a port.)
  function automatic int head_width(input int dst_w, input logic [anl_pkg::PolicyW-1:0] scan,
                                    input int admission);
    head_width = dst_w + ((admission != anl_pkg::Wormhole) ? LengthW : 0)
                 + ((32'(scan[2:0]) == anl_pkg::Oldest || 32'(scan[2:0]) == anl_pkg::Farthest) ? RankW : 0);
  endfunction

  // Bits that a switch reads of the highest field. A head that carries a path has one bit for each
  // level of the fat-tree but the highest. Of a head that carries a list of output ports only the
  // first port is read. Other heads have none.
  function automatic int path_width(input int path, input int dst_w);
    path_width = (path > anl_pkg::PathListed)     ? path - anl_pkg::PathListed
                 : (path == anl_pkg::PathCarried) ? dst_w / 2 - 1 : 0;
  endfunction

endpackage
