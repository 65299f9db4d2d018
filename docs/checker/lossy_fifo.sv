// SPDX-License-Identifier: Apache-2.0
//
// A switch of one port in five lines of behaviour: a FIFO with credits. With Lossy it forgets the credit
// of every fourth flit. The example of docs/checker.md.

module lossy_fifo #(
  parameter int FlitW = 8,                 // {head, tail, data}
  parameter bit Lossy = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             in_valid_i,
  input  logic [FlitW-1:0] in_flit_i,
  output logic             in_credit_o,
  output logic             out_valid_o,
  output logic [FlitW-1:0] out_flit_o,
  input  logic             out_credit_i
);

  logic [FlitW-1:0] memory [0:3];
  logic [2:0]       written, read, credits;
  logic             go;

  assign go          = written != read && credits != 3'd0;
  assign out_valid_o = go;
  assign out_flit_o  = memory[read[1:0]];
  assign in_credit_o = go && !(Lossy && read[1:0] == 2'd3);

  always_ff @(posedge clk_i) begin
    if (in_valid_i) memory[written[1:0]] <= in_flit_i;
    written <= written + 3'(in_valid_i);
    read    <= read + 3'(go);
    credits <= credits + 3'(out_credit_i) - 3'(go);
    if (rst_i) begin
      {written, read} <= '0;
      credits <= 3'd4;
    end
  end
endmodule
