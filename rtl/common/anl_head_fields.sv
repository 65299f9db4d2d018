// SPDX-License-Identifier: Apache-2.0
//
// The fields of a head, each found at its place (anl_head_pkg).
//
// A field that heads do not carry is 0, and so is a length that the flow control does not read.
// Timing: the outputs are combinational; the module has no state.

// Under wormhole nobody reads the length that heads carry.
// verilator lint_off UNUSEDSIGNAL

module anl_head_fields #(
  parameter  int DstW      = 4,
  parameter  int Arbiter   = anl_pkg::RoundRobin,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int LengthInHead = 0,                  // 1: heads say their length under wormhole, too
  parameter  int PathW     = 0,                     // bits of a path or list that heads carry
  localparam int PathOutW  = (PathW > 0) ? PathW : 1,
  localparam int PathLsb   = anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead),
  localparam int FieldsW   = PathLsb + PathW
) (
  input  logic [FieldsW-1:0]               data_i,    // lowest data bits of the head
  output logic [DstW-1:0]                  dst_o,
  output logic [anl_head_pkg::LengthW-1:0] length_o,
  output logic [anl_head_pkg::RankW-1:0]   rank_o,
  output logic [PathOutW-1:0]              path_o
);

  localparam int LengthW = anl_head_pkg::LengthW;
  localparam int RankW   = anl_head_pkg::RankW;
  localparam int RankLsb = anl_head_pkg::rank_lsb(DstW, FlowControl, LengthInHead);

  // What lies behind the fields is 0.
  logic [FieldsW+RankW-1:0] data;

  assign data     = (FieldsW+RankW)'(data_i);
  assign dst_o    = data[DstW-1:0];
  assign length_o = (FlowControl == anl_pkg::Wormhole) ? '0 : data[DstW +: LengthW];
  assign rank_o   = (anl_pkg::ranked(Arbiter) == 0) ? '0 : data[RankLsb +: RankW];
  assign path_o   = data[PathLsb +: PathOutW];

endmodule
