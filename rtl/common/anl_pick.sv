// SPDX-License-Identifier: Apache-2.0
//
// Picks the first request in cyclic order from a start: start, start + 1, …, Size - 1, 0, …
//
// from_i is the start and all behind it: 1 from some bit upwards, at least at the highest. It is a
// mask, so that nothing has to be decoded.
// gnt_o is one-hot, or 0 if nothing is requested. With from_i tied to ones it is a fixed-priority
// pick and the half that looks from the start folds away.
// Timing: combinational, no state.

module anl_pick #(
  parameter int Size = 4
) (
  input  logic [Size-1:0] req_i,
  input  logic [Size-1:0] from_i,
  output logic [Size-1:0] gnt_o
);

  logic [Size-1:0] ahead;        // requests at or after the start
  logic [Size-1:0] one_ahead;    // one of these is lower than this one
  logic [Size-1:0] one;          // one of all is

  assign ahead        = req_i & from_i;
  assign one_ahead[0] = 1'b0;
  assign one[0]       = 1'b0;
  for (genvar i = 1; i < Size; i++) begin : g_below
    assign one_ahead[i] = ahead[i-1:0] != '0;
    assign one[i]       = req_i[i-1:0] != '0;
  end
  assign gnt_o = (ahead != '0) ? (ahead & ~one_ahead) : (req_i & ~one);

endmodule
