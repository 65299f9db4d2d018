// SPDX-License-Identifier: Apache-2.0
//
// Fields of a head, from bit 0 upwards: destination, length, rank (stamp or distance), path or list
// (docs/link.md, "Data of a flit"). A head has a field only if some policy reads it, or, with
// LengthInHead under wormhole, a switch that is not ours.

// A package names all choices of a policy, also those that no code compares with.
// verilator lint_off UNUSEDPARAM

package anl_head_pkg;

  localparam int LengthW = 7;
  localparam int RankW   = 16;

  // Bit position of the rank: it follows the destination and the length.
  function automatic int rank_lsb(input int dst_w, input int flow_control, input int length_in_head);
    rank_lsb = dst_w + ((flow_control != anl_pkg::Wormhole || length_in_head != 0) ? LengthW : 0);
  endfunction

  // Bits of the fields of a head, not counting the path and the list. (Icarus fails if this function
  // calls another one and gives the width of a port.)
  function automatic int head_width(input int dst_w, input int arbiter, input int flow_control,
                                    input int length_in_head);
    head_width = dst_w + ((flow_control != anl_pkg::Wormhole || length_in_head != 0) ? LengthW : 0)
                 + ((arbiter == anl_pkg::Age || arbiter == anl_pkg::Farthest) ? RankW : 0);
  endfunction

endpackage
