// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_output #(
  parameter int Index,
  parameter int NumPorts,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int CreditBypass = 0,
  parameter int Turns = 2 ** NumPorts - 1,
  parameter int Stages = 1
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int PortW = anl_pkg::index_width(NumPorts);
  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int CntW = $clog2(Depth + 1);
  localparam int L = NumPorts * NumVcs;
  logic [7:0] random;
  logic [NumPorts-1:0] request, grant;
  logic [L-1:0] take;
  logic [NumPorts*VcW-1:0] lane;
  logic [NumPorts*16-1:0] rank;
  logic [NumPorts*2-1:0] ends;
  logic [NumPorts*(FlitW+2)-1:0] flit, flit_q;
  logic valid;
  logic [VcW-1:0] vc;
  logic [FlitW+1:0] flit_out;
  logic [NumVcs-1:0] credit, has_credit, all_credits, owned;
  logic [NumVcs*CntW-1:0] credits, usable;
  logic [NumVcs*PortW-1:0] owner_port;
  logic [NumVcs*VcW-1:0] owner_vc;
  logic [PortW-1:0] out_ptr;

  `BENCH("anl_output", Index, {Stages, Turns, CreditBypass, Arbiter, FlitW, Depth, NumVcs, NumPorts})
  assign {credit, flit, rank, lane, take, request, random} = in;
  assign out = {out_ptr, owner_vc, owner_port, owned, credits, usable, all_credits, has_credit, flit_out, vc,
    valid, grant};

  always_ff @(posedge clk_i) begin : keep
    flit_q <= flit;
  end
  for (genvar p = 0; p < NumPorts; p++) begin : g_ends
    assign ends[p*2+:2] = flit[p*(FlitW+2)+FlitW+:2];
  end

  anl_output #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
    .CreditBypass(CreditBypass), .Turns(Turns), .Stages(Stages)
  ) u_dut (
    .clk_i, .rst_i, .random_i(random), .request_i(request), .take_i(take), .lane_i(lane),
    .rank_i(rank), .ends_i(ends), .flit_i(Stages == 2 ? flit_q : flit), .grant_o(grant),
    .valid_o(valid), .vc_o(vc),
    .flit_o(flit_out), .credit_i(credit), .chained_i(CreditBypass != 0 ? credit : ~credit),
    .usable_o(usable), .has_credit_o(has_credit), .all_credits_o(all_credits),
    .credits_o(credits), .owned_o(owned), .owner_port_o(owner_port), .owner_vc_o(owner_vc),
    .out_ptr_o(out_ptr)
  );

endmodule
