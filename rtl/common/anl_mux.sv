// SPDX-License-Identifier: Apache-2.0
//
// One-hot multiplexer: data_o is entry i of data_i if bit i of sel_i is 1, and 0 if sel_i is 0.
//
// sel_i must be one-hot or 0. Timing: data_o is combinational; the module has no state.

module anl_mux #(
  parameter int Size  = 4,
  parameter int Width = 8
) (
  input  logic [Size-1:0]       sel_i,
  input  logic [Size*Width-1:0] data_i,
  output logic [Width-1:0]      data_o
);

  // The block writes the output once: Icarus would take each intermediate value of an output as a
  // new event, and never finish.
  logic [Width-1:0] data;

  always_comb begin : select
    data = '0;
    for (int i = 0; i < Size; i++) begin
      data = data | (data_i[i*Width +: Width] & {Width{sel_i[i]}});
    end
    data_o = data;
  end

endmodule
