// SPDX-License-Identifier: Apache-2.0
//
// A router that is none of Annelid's, for the page docs/judge.md: a mesh of any size, wormhole, one
// lane, ready and valid on each link, two flits behind each input port. A head is {…, length - 1, y,
// x}. It routes by x first. The ports are east, west, north, south, local.
//
// It has an error, which the page finds.

module my_router #(
  parameter int Width = 32
) (
  input  logic             clk,
  input  logic             reset,
  input  logic [3:0]       my_x,
  input  logic [3:0]       my_y,
  input  logic [Width-1:0] in_data [5],
  input  logic             in_valid [5],
  output logic             in_ready [5],
  output logic [Width-1:0] out_data [5],
  output logic             out_valid [5],
  input  logic             out_ready [5]
);
  logic [Width-1:0] fifo [5][2];
  logic [1:0] count [5];
  logic [4:0] left [5];     // flits of the worm at the front that are still to be sent; 0: a head
  logic [2:0] owner [5];    // of an output: the input whose worm it sends
  logic       owned [5];
  logic [2:0] turn;

  function automatic logic [2:0] way(input logic [Width-1:0] head);
    if (head[3:0] != my_x) way = head[3:0] > my_x ? 3'd0 : 3'd1;
    else if (head[7:4] != my_y) way = head[7:4] > my_y ? 3'd2 : 3'd3;
    else way = 3'd4;
  endfunction

  // An output stays with its worm as long as flits of it are there; else the next head in turn has it.
  always_comb begin : choose
    for (int o = 0; o < 5; o++) begin
      logic [2:0] i;
      owner[o] = '0;
      owned[o] = 1'b0;
      for (int k = 0; k < 5; k++) begin
        i = 3'((32'(turn) + k) % 5);
        if (!owned[o] && count[i] != 0 && left[i] == 0 && way(fifo[i][0]) == 3'(o)) begin
          owner[o] = i;
          owned[o] = 1'b1;
        end
      end
      if (kept[o] && count[keeper[o]] != 0) begin
        owner[o] = keeper[o];
        owned[o] = 1'b1;
      end
      out_valid[o] = owned[o];
      out_data[o] = fifo[owner[o]][0];
    end
    for (int p = 0; p < 5; p++) in_ready[p] = count[p] < 2;
  end

  logic       kept [5];
  logic [2:0] keeper [5];

  always_ff @(posedge clk) begin : go
    logic [1:0] after [5];
    for (int p = 0; p < 5; p++) after[p] = count[p];
    turn <= (turn == 3'd4) ? 3'd0 : turn + 3'd1;
    for (int o = 0; o < 5; o++)
      if (owned[o]) begin
        kept[o] <= 1'b1;
        keeper[o] <= owner[o];
        if (out_ready[o]) begin
          fifo[owner[o]][0] <= fifo[owner[o]][1];
          after[owner[o]] = after[owner[o]] - 2'd1;
          left[owner[o]] <= (left[owner[o]] == 0) ? 5'(fifo[owner[o]][0][11:8]) : left[owner[o]] - 5'd1;
          if (left[owner[o]] == 1 || (left[owner[o]] == 0 && fifo[owner[o]][0][11:8] == 0)) kept[o] <= 1'b0;
        end
      end
    for (int p = 0; p < 5; p++) begin
      if (in_valid[p] && in_ready[p]) begin
        fifo[p][after[p][0]] <= in_data[p];
        after[p] = after[p] + 2'd1;
      end
      count[p] <= after[p];
      if (reset) begin
        count[p] <= '0;
        left[p] <= '0;
        kept[p] <= 1'b0;
      end
    end
    if (reset) turn <= '0;
  end
endmodule
