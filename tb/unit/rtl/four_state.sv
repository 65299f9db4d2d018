// SPDX-License-Identifier: Apache-2.0
//
// A small network (2 x 2 switches of a cube, or a fat-tree of 16 terminals) in a 4-state simulator
// (Icarus): after reset no valid, lane or credit is unknown, no flit that arrives has an unknown
// bit, and all that were sent arrive. (The benches in Verilator start from random bits and cannot
// see an X.) Prints PASS and the number of flits.

`ifndef KIND
`define KIND 0
`endif
`ifndef SCAN
`define SCAN 0
`endif
`ifndef ADMISSION
`define ADMISSION 0
`endif
`ifndef CHAINED
`define CHAINED 0
`endif

module four_state;
  localparam bit Tree = `KIND >= anl_pkg::FatTree;
  localparam int V = 2, FlitW = 32, LinkW = FlitW + 2, DstW = Tree ? 4 : 2;
  localparam int T = 1 << DstW, S = Tree ? 6 : 4;
  localparam int Worms = Tree ? 6 : 24, Period = Tree ? 16 : 8;  // of each terminal, 2 flits long
  localparam int StampLsb = DstW + (`ADMISSION == 0 ? 0 : 7);

  logic               clk = 0, rst = 1;
  logic [S*32-1:0]    seed;
  logic [T-1:0]       inj_valid = '0, inj_vc = '0, ej_valid, ej_vc;
  logic [T*LinkW-1:0] inj_flit = '0, ej_flit;
  logic [T*V-1:0]     inj_credit, ej_credit = '0;
  integer             cycle = 0, arrived = 0, unknown = 0;

  for (genvar s = 0; s < S; s++) begin : g_seed
    assign seed[s*32 +: 32] = 32'h2545f491 ^ s;
  end

  if (Tree) begin : g_tree
    anl_fat_tree #(
      .N(2), .Kind(`KIND), .NumVcs(V), .Depth(3), .FlitW(FlitW), .Scan(`SCAN),
      .Admission(`ADMISSION), .Chained(`CHAINED)
    ) dut (
      .clk_i(clk), .rst_i(rst), .seed_i(seed),
      .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
      .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
    );
  end else begin : g_cube
    anl_cube #(
      .K(2), .N(2), .Kind(`KIND), .NumVcs(V), .Depth(3), .FlitW(FlitW), .Scan(`SCAN),
      .Admission(`ADMISSION)
    ) dut (
      .clk_i(clk), .rst_i(rst), .seed_i(seed),
      .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
      .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
    );
  end

  // Head: destination, length 2, stamp or distance or path (docs/link.md); what a policy does not
  // read is free data.
  function [LinkW-1:0] flit(input integer s, input integer worm, input integer index);
    logic [FlitW-1:0] data;
    data = (s + worm) % T;
    if (`ADMISSION != 0) data = data | 2 << DstW;
    data = data | (cycle % 65536) << StampLsb | worm << (StampLsb + 16);
    flit = {index == 0, index == 1, data};
  endfunction

  logic sending;
  assign sending = !rst && cycle >= Period && cycle / Period <= Worms && cycle % Period < 2;

  always @(posedge clk) begin : drive
    cycle <= cycle + 1;
    for (int s = 0; s < T; s++) begin
      inj_valid[s]               <= sending;
      inj_flit[s*LinkW +: LinkW] <= flit(s, cycle / Period, cycle % Period);
      for (int v = 0; v < V; v++) ej_credit[s*V+v] <= !rst && ej_valid[s] && ej_vc[s] == v[0];
    end
  end

  always @(negedge clk) if (!rst) begin : watch
    if (^{inj_credit, ej_valid} === 1'bx) unknown = unknown + 1;
    for (int s = 0; s < T; s++) if (ej_valid[s] === 1'b1) begin
      arrived = arrived + 1;
      if (^{ej_vc[s], ej_flit[s*LinkW +: LinkW]} === 1'bx) unknown = unknown + 1;
    end
  end

  initial begin
    repeat (4) @(posedge clk);
    #1 rst = 0;
    repeat (Period * (Worms + 5)) @(posedge clk);
    if (unknown == 0 && arrived == 2 * Worms * T) $display("PASS %0d flits", arrived);
    else $display("FAIL: %0d of %0d flits arrived, %0d unknown values",
                  arrived, 2 * Worms * T, unknown);
    $finish;
  end
  always #5 clk = !clk;
endmodule
