// SPDX-License-Identifier: Apache-2.0
//
// anl_list_shift: of a head, each port of the list is the one that stood behind it, and the last
// one is 0; all other bits stay. Bit i of the flit is any bit.

`include "prove.svh"

module prove_list_shift #(
  parameter  int FlitW   = 16,
  parameter  int ListLsb = 3,
  parameter  int PortW   = 2,
  parameter  int Longest = 4,
  localparam int ListW   = Longest * PortW,
  localparam int BitW    = $clog2(FlitW + 2)
) (
  input logic             clk_i,
  input logic [FlitW+1:0] flit_i,
  input logic [BitW-1:0]  bit_i
);

  `PROVE_RESET

  logic [FlitW+1:0] flit;
  wire  head = flit_i[FlitW+1];
  wire  list = 32'(bit_i) >= ListLsb && 32'(bit_i) < ListLsb + ListW;
  wire  last = 32'(bit_i) >= ListLsb + ListW - PortW;

  anl_list_shift #(
    .FlitW(FlitW), .ListLsb(ListLsb), .PortW(PortW), .Longest(Longest)
  ) u_dut (.flit_i, .flit_o(flit));

  `GIVEN(BitExists, 32'(bit_i) < FlitW + 2)

  wire [FlitW+1:0] behind = flit_i >> (32'(bit_i) + PortW);

  `PROVE(NextPortOfTheList, !(head && list && !last) || flit[bit_i] == behind[0])
  `PROVE(NoPortAtTheEnd, !(head && list && last) || !flit[bit_i])
  `PROVE(OtherBitsStay, (head && list) || flit[bit_i] == flit_i[bit_i])
  `COVER(LastPortMoves, Longest == 1 || (head && flit != '0 && flit != flit_i))

endmodule
