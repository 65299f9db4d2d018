// SPDX-License-Identifier: Apache-2.0
//
// The layout of a supernode for f = 12 and k = 4, with the tables of its cells
// (papers/roberts_symvonis/supernodes.md, "Cells"). Written by: make layout LAYOUT=12.4
//
// Cell y * (S + 1) + x has an octal digit for each input port: an output port, or 7 for none.
// The digit of port 0 is the last one of a cell; the last cell comes first, and a line has a
// row of cells.

// A package names all numbers, also those that no code reads.
// verilator lint_off UNUSEDPARAM

package anl_layout_pkg;

  localparam int F      = 12;  // worms that a supernode stores
  localparam int K      = 4;  // flits of a worm
  localparam int W      = 2;  // side of a buffer
  localparam int S      = 8;  // the last row and column
  localparam int M      = 4;  // those of the lanes
  localparam int Side   = 9;  // S + 1
  localparam int Cells  = 81;  // Side * Side
  localparam int Slots  = 6;  // of a train
  localparam int Train  = 24;  // flits of a train
  localparam int Period = 42;  // steps of a cycle of a train
  localparam int Half   = 36;  // steps of half of the joined cycle
  localparam int SlotW  = $clog2(Slots + 2);  // bits that hold -1 .. Slots

  localparam logic [971:0] Map = {
    12'o7737, 12'o0717, 12'o7703, 12'o0777, 12'o2377, 12'o7737, 12'o0777, 12'o7737, 12'o0777,
    12'o7317, 12'o3702, 12'o7017, 12'o7702, 12'o0737, 12'o7077, 12'o7727, 12'o7077, 12'o2777,
    12'o1377, 12'o7372, 12'o1777, 12'o7773, 12'o2377, 12'o7737, 12'o0777, 12'o1777, 12'o7772,
    12'o7237, 12'o7077, 12'o7727, 12'o7077, 12'o2377, 12'o7177, 12'o7772, 12'o7727, 12'o0777,
    12'o7301, 12'o7701, 12'o7701, 12'o7777, 12'o2377, 12'o7777, 12'o7701, 12'o7701, 12'o2701,
    12'o7177, 12'o7773, 12'o7737, 12'o0777, 12'o2377, 12'o1777, 12'o7773, 12'o1777, 12'o3772,
    12'o7737, 12'o7077, 12'o7177, 12'o7772, 12'o2377, 12'o7727, 12'o7077, 12'o2737, 12'o2077,
    12'o7377, 12'o1777, 12'o7773, 12'o1777, 12'o7172, 12'o7731, 12'o1770, 12'o7231, 12'o2770,
    12'o7177, 12'o7772, 12'o7177, 12'o7772, 12'o2377, 12'o7177, 12'o7721, 12'o7170, 12'o7772};

  localparam logic [1214:0] Births = {
    15'o37737, 15'o10717, 15'o07703, 15'o00777, 15'o12377, 15'o37733, 15'o00777, 15'o37737, 15'o00777,
    15'o17317, 15'o03702, 15'o17017, 15'o07702, 15'o30737, 15'o07077, 15'o27727, 15'o07077, 15'o22777,
    15'o31377, 15'o27322, 15'o01777, 15'o17773, 15'o32332, 15'o07737, 15'o10777, 15'o11771, 15'o27772,
    15'o27237, 15'o07007, 15'o07727, 15'o17077, 15'o32332, 15'o07177, 15'o17772, 15'o27722, 15'o00777,
    15'o37331, 15'o07701, 15'o07701, 15'o17777, 15'o32332, 15'o07707, 15'o07701, 15'o17701, 15'o22702,
    15'o17177, 15'o37733, 15'o07737, 15'o10777, 15'o32332, 15'o01777, 15'o17773, 15'o11771, 15'o33772,
    15'o37737, 15'o07007, 15'o07177, 15'o17772, 15'o32332, 15'o07727, 15'o17077, 15'o32733, 15'o22077,
    15'o37377, 15'o11777, 15'o37773, 15'o11777, 15'o17172, 15'o17731, 15'o01770, 15'o17231, 15'o02770,
    15'o17177, 15'o27772, 15'o17177, 15'o27772, 15'o12377, 15'o17171, 15'o17721, 15'o07170, 15'o27772};

endpackage
