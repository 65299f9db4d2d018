// SPDX-License-Identifier: Apache-2.0
//
// anl_pick_oldest: the rule of docs/switch.md, for all stamps; and what it is for: if the stamps lie
// in one half of the circle of 2^16, the request granted is truly the oldest, of several the lowest.
// Requests a_i and b_i are any two, base_i is any stamp.

`include "prove.svh"

module prove_pick_oldest #(
  parameter  int Size   = 4,
  localparam int IdxW   = anl_pkg::index_width(Size),
  localparam int StampW = anl_pkg::StampW
) (
  input logic                   clk_i,
  input logic [Size-1:0]        req_i,
  input logic [Size*StampW-1:0] stamp_i,
  input logic [StampW-1:0]      base_i,
  input logic [IdxW-1:0]        a_i,
  input logic [IdxW-1:0]        b_i
);

  `PROVE_RESET

  logic [Size-1:0] gnt;

  anl_pick_oldest #(.Size(Size)) u_dut (.req_i, .stamp_i, .gnt_o(gnt));

  logic [StampW-1:0] best_stamp, age;
  logic [Size-1:0]   best;

  always_comb begin : scan
    best       = '0;
    best_stamp = '0;
    for (int i = 0; i < Size; i++) begin
      age = stamp_i[i*StampW +: StampW] - best_stamp;
      if (req_i[i] && (best == '0 || age[StampW-1])) begin
        best       = Size'(1) << i;
        best_stamp = stamp_i[i*StampW +: StampW];
      end
    end
  end

  // Cycles from base_i.
  wire [StampW-1:0] since_a = stamp_i[a_i*StampW +: StampW] - base_i;
  wire [StampW-1:0] since_b = stamp_i[b_i*StampW +: StampW] - base_i;
  logic [Size-1:0]  early;                 // before base_i or more than half the circle behind it
  for (genvar i = 0; i < Size; i++) begin : g_early
    wire [StampW-1:0] since = stamp_i[i*StampW +: StampW] - base_i;
    assign early[i] = req_i[i] && since[StampW-1];
  end

  `GIVEN(IndicesInRange, 32'(a_i) < Size && 32'(b_i) < Size)

  `PROVE(GrantImpliesRequest, !gnt[a_i] || req_i[a_i])
  `PROVE(OneGrant, !gnt[a_i] || !gnt[b_i] || a_i == b_i)
  `PROVE(GrantIfAnyRequest, !req_i[a_i] || gnt != '0)
  `PROVE(AsScanned, gnt == best)
  `PROVE(TrulyOldest, early != '0 || !gnt[a_i] || !req_i[b_i] || since_a < since_b
                      || (since_a == since_b && a_i <= b_i))

  `COVER(OldestHasTheLargestNumber, early == '0 && gnt[a_i] && req_i[b_i]
                                    && stamp_i[a_i*StampW +: StampW] > stamp_i[b_i*StampW +: StampW])
  `COVER(LowestOfTheSame, early == '0 && gnt[a_i] && req_i[b_i] && since_a == since_b && a_i < b_i)
  `COVER(AllAsk, req_i == '1 && gnt[Size-1])

endmodule
