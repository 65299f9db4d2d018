// SPDX-License-Identifier: Apache-2.0
//
// Fields of a head, from bit 0 upwards: destination, length, rank (stamp or distance), path
// (docs/link.md, "Data of a flit"). A field is there only if a policy reads it.

package anl_head_pkg;

  localparam int LengthW = 7;
  localparam int RankW   = 16;

  // Position of the rank: above destination and length.
  function automatic int rank_lsb(input int dst_w, input int admission);
    rank_lsb = dst_w + ((admission != anl_pkg::Wormhole) ? LengthW : 0);
  endfunction

  // Bits of a head that a switch reads, without the path.
  function automatic int head_width(input int dst_w, input int scan, input int admission);
    head_width = dst_w + ((admission != anl_pkg::Wormhole) ? LengthW : 0)
                 + ((scan == anl_pkg::Oldest || scan == anl_pkg::Farthest) ? RankW : 0);
  endfunction

  // Bits of the path that a head carries above the other fields: one for each level of a fat-tree
  // but the highest, if it carries one.
  function automatic int path_width(input int path, input int dst_w);
    path_width = (path == anl_pkg::PathCarried) ? dst_w / 2 - 1 : 0;
  endfunction

endpackage
