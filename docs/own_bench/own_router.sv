// SPDX-License-Identifier: Apache-2.0
//
// A router that is none of Annelid's: one block, registered outputs, and an arbiter that begins at
// another input lane in each cycle. Port 0 leads on round a ring and port 1 to a terminal. A head
// takes any free lane. The links are those of docs/link.md.

module own_router #(
  parameter int Here = 0,  // number of the router and of its terminal
  parameter int NumVcs = 2,
  parameter int Depth = 4,
  parameter int FlitW = 32,
  localparam int LinkW = FlitW + 2
) (
  input logic clk_i,
  input logic rst_i,

  // links that arrive
  input logic [1:0] valid_i,
  input logic [1:0] vc_i,
  input logic [2*LinkW-1:0] flit_i,
  output logic [2*NumVcs-1:0] credit_o,

  // links that leave
  output logic [1:0] valid_o,
  output logic [1:0] vc_o,
  output logic [2*LinkW-1:0] flit_o,
  input logic [2*NumVcs-1:0] credit_i
);
  localparam int Lanes = 2 * NumVcs;  // lane v of port p is p * NumVcs + v

  logic [LinkW-1:0] slot[Lanes][Depth];
  int first[Lanes], count[Lanes];  // of the flits in an input lane
  int room[Lanes], owner[Lanes];   // of an output lane: credits; input lane of its worm, -1: none
  int turn;

  // Returns the output lane to which the front flit of an input lane may go by a port; -1: none.
  function automatic int way(int lane, int port);
    automatic logic [LinkW-1:0] flit = slot[lane][first[lane]];
    automatic bit is_head = flit[LinkW-1], here = 32'(flit[1:0]) == Here;
    way = -1;
    for (int to = port * NumVcs; to < (port + 1) * NumVcs; to++)
      if (count[lane] > 0 && room[to] > 0 && way < 0)
        if (is_head ? owner[to] < 0 && here == (port == 1) : owner[to] == lane) way = to;
  endfunction

  function automatic void go(int lane, int port, int to);
    automatic logic [LinkW-1:0] flit = slot[lane][first[lane]];
    owner[to] = flit[LinkW-2] ? -1 : lane;
    room[to] = room[to] - 1;
    valid_o[port] <= 1'b1;
    vc_o[port] <= 1'(to % NumVcs);
    flit_o[port*LinkW+:LinkW] <= flit;
    credit_o[lane] <= 1'b1;
    first[lane] = (first[lane] + 1) % Depth;
    count[lane] = count[lane] - 1;
  endfunction

  always_ff @(posedge clk_i) begin : route
    valid_o  <= '0;
    credit_o <= '0;
    turn = rst_i ? 0 : (turn + 1) % Lanes;
    for (int port = 0; port < 2; port++) begin
      automatic bit gone = 1'b0;
      for (int i = 0; i < Lanes; i++) begin
        automatic int lane = (turn + i) % Lanes, to = way(lane, port);
        if (!gone && to >= 0) go(lane, port, to);
        gone = gone || to >= 0;
      end
    end
    for (int port = 0; port < 2; port++)
      if (valid_i[port]) begin
        automatic int lane = port * NumVcs + 32'(vc_i[port]);
        slot[lane][(first[lane]+count[lane])%Depth] = flit_i[port*LinkW+:LinkW];
        count[lane] = count[lane] + 1;
      end
    for (int lane = 0; lane < Lanes; lane++) begin
      room[lane] = room[lane] + 32'(credit_i[lane]);
      if (rst_i) begin
        first[lane] = 0;
        count[lane] = 0;
        room[lane]  = Depth;
        owner[lane] = -1;
      end
    end
    if (rst_i) valid_o <= '0;
  end
endmodule
