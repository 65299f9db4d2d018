// SPDX-License-Identifier: Apache-2.0
//
// The butterfly that discards: which bit of a head each level reads, and columns that differ in a
// bit (papers/cole_maggs_sitaraman/discard.md).

package anl_discard_pkg;

  // The bit of a head's data that is the link which it needs on a level: bit 0 of the label chooses
  // among the terminals of a column; above are the bits of the destination column, and above these
  // those of the intermediate column.
  function automatic int head_bit(input int levels, input int passes, input int level);
    head_bit = levels - level % levels;
    if (passes == 2 && level < levels) head_bit = head_bit + levels;
  endfunction

  // Column w with its bit at a position replaced.
  function automatic int with_bit(input int w, input int position, input int b);
    with_bit = w - (((w >> position) & 1) << position) + (b << position);
  endfunction

endpackage
