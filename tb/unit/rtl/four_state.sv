// SPDX-License-Identifier: Apache-2.0
//
// A network of 2 x 2 switches in a 4-state simulator (Icarus): after reset no valid, lane or credit
// is unknown, no flit that arrives has an unknown bit, and all that were sent arrive. (The benches
// in Verilator start from random bits and cannot see an X.) Prints PASS and the number of flits.

`ifndef KIND
`define KIND 0
`endif
`ifndef SCAN
`define SCAN 0
`endif
`ifndef ADMISSION
`define ADMISSION 0
`endif

module four_state;
  localparam int V = 2, FlitW = 32, S = 4, LinkW = FlitW + 2;
  localparam int Worms = 24, Period = 8;  // of each terminal: 2 flits long, one every Period cycles

  logic               clk = 0, rst = 1;
  logic [S-1:0]       inj_valid = '0, inj_vc = '0, ej_valid, ej_vc;
  logic [S*LinkW-1:0] inj_flit = '0, ej_flit;
  logic [S*V-1:0]     inj_credit, ej_credit = '0;
  integer             cycle = 0, arrived = 0, unknown = 0;

  anl_cube #(
    .K(2), .N(2), .Kind(`KIND), .NumVcs(V), .Depth(3), .FlitW(FlitW), .Scan(`SCAN),
    .Admission(`ADMISSION)
  ) dut (
    .clk_i(clk), .rst_i(rst), .seed_i({S{32'h2545f491}}),
    .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
    .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
  );

  // Head: destination, length 2, stamp (docs/link.md); what a policy does not read is free data.
  function [LinkW-1:0] flit(input integer s, input integer worm, input integer index);
    logic [1:0] destination;
    destination = 2'(s + worm);
    flit        = {index == 0, index == 1, 7'(worm),
                   `ADMISSION == 0 ? 23'(cycle) : {16'(cycle), 7'd2}, destination};
  endfunction

  logic sending;
  assign sending = !rst && cycle >= Period && cycle / Period <= Worms && cycle % Period < 2;

  always @(posedge clk) begin : drive
    cycle <= cycle + 1;
    for (int s = 0; s < S; s++) begin
      inj_valid[s]               <= sending;
      inj_flit[s*LinkW +: LinkW] <= flit(s, cycle / Period, cycle % Period);
      for (int v = 0; v < V; v++) ej_credit[s*V+v] <= !rst && ej_valid[s] && ej_vc[s] == v[0];
    end
  end

  always @(negedge clk) if (!rst) begin : watch
    if (^{inj_credit, ej_valid} === 1'bx) unknown = unknown + 1;
    for (int s = 0; s < S; s++) if (ej_valid[s] === 1'b1) begin
      arrived = arrived + 1;
      if (^{ej_vc[s], ej_flit[s*LinkW +: LinkW]} === 1'bx) unknown = unknown + 1;
    end
  end

  initial begin
    repeat (4) @(posedge clk);
    #1 rst = 0;
    repeat (Period * (Worms + 8)) @(posedge clk);
    if (unknown == 0 && arrived == 2 * Worms * S) $display("PASS %0d flits", arrived);
    else $display("FAIL: %0d of %0d flits arrived, %0d unknown values",
                  arrived, 2 * Worms * S, unknown);
    $finish;
  end
  always #5 clk = !clk;
endmodule
