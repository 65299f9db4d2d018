// SPDX-License-Identifier: Apache-2.0
//
// One-hot multiplexer: entry i of data_i where sel_i[i] is 1; all zero if sel_i is 0.
//
// Timing: combinational, no state. sel_i must be one-hot or 0.

module anl_mux #(
  parameter int Size  = 4,
  parameter int Width = 8
) (
  input  logic [Size-1:0]       sel_i,
  input  logic [Size*Width-1:0] data_i,
  output logic [Width-1:0]      data_o
);

  // The output is written once: steps on the way would be events that keep Icarus busy for ever.
  logic [Width-1:0] data;

  always_comb begin : select
    data = '0;
    for (int i = 0; i < Size; i++) begin
      data = data | (data_i[i*Width +: Width] & {Width{sel_i[i]}});
    end
    data_o = data;
  end

endmodule
