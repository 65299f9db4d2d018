// SPDX-License-Identifier: Apache-2.0
//
// Takes the first port off the list of a head that leaves a switch (docs/link.md, "Data of a
// flit"): the other ports move down by PortW bits, and the uppermost PortW bits become 0. All other
// bits, and all bits of flits that are no heads, stay.
// Timing: the output is combinational; the module has no state.

module anl_list_shift #(
  parameter  int FlitW   = 32,
  parameter  int ListLsb = 4,              // first bit of the list, at least 1
  parameter  int PortW   = 3,              // bits of a port
  parameter  int Longest = 4,              // ports of the list
  localparam int ListW   = Longest * PortW
) (
  input  logic [FlitW+1:0] flit_i,         // {head, tail, data}
  output logic [FlitW+1:0] flit_o
);

  logic [ListW-1:0] list, rest;
  logic             head;

  assign {head, list} = {flit_i[FlitW+1], flit_i[ListLsb +: ListW]};
  assign rest         = list >> PortW;
  assign flit_o       = {flit_i[FlitW+1:ListLsb+ListW], head ? rest : list, flit_i[ListLsb-1:0]};

endmodule
