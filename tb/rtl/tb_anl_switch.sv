// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_switch #(
  parameter int Index,
  parameter int NumPorts,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int DstW,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int Path = anl_pkg::PathNone,
  parameter int BypassPorts  = 0,
  parameter int Classes = 1
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int ClassVcs = NumVcs / Classes;
  localparam logic [63:0] Weights = Classes > 1 ? 64'h0105010401030102 : 0;   // as set_classes()
  localparam int LengthInHead = 0;
  localparam int PathW = Path == anl_pkg::PathCarried ? DstW / 2 - 1 : 0;   // as in a fat-tree
  localparam int PathOutW = PathW > 0 ? PathW : 1;
  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int L = NumPorts * NumVcs;
  logic [31:0] seed;
  logic [NumPorts-1:0] valid, valid_out;
  logic [NumPorts*VcW-1:0] vc, vc_out;
  logic [NumPorts*(FlitW+2)-1:0] flit, flit_out;
  logic [L-1:0] credit, credit_in;
  logic [L*DstW-1:0] dst;
  logic [L*PathOutW-1:0] path;
  logic [31:0] random;
  logic [L-1:0] route_either, chained;
  logic [L*NumPorts-1:0] route_port;
  logic [L*ClassVcs-1:0] route_vcs;

  `BENCH("anl_switch", Index, {Classes, BypassPorts, PathW, Path, LengthInHead, FlowControl, Arbiter, DstW, FlitW, Depth, NumVcs,
    NumPorts})
  assign {credit, flit, vc, valid, seed} = in;
  assign out = {u_dut.quota, u_dut.favoured, u_dut.random, u_dut.out_ptr, u_dut.in_ptr, u_dut.owner_vc, u_dut.owner_port,
    u_dut.owned, u_dut.credit, u_dut.bound_vc, u_dut.bound_port, u_dut.bound, u_dut.count,
    credit_in, flit_out, vc_out, valid_out};

  // The destination spells out the route (test_anl_switch.c).
  for (genvar l = 0; l < L; l++) begin : g_route
    logic [DstW-1:0] to;
    logic [ClassVcs-1:0] vcs;
    int wanted;
    assign to = dst[l*DstW +: DstW];
    // On a link that is not chained chained_i must not be read, so it gets the wrong value there.
    assign chained[l] = credit[l] ^ !(BypassPorts >> (l / NumVcs) & 1);
    for (genvar w = 0; w < ClassVcs; w++) begin : g_vc
      assign vcs[w] = to[w % DstW];
    end
    case (Path)
      anl_pkg::PathCarried: begin : g_carried
        assign wanted = (to + path[l*PathOutW +: PathOutW]) % NumPorts;
      end
      anl_pkg::PathRandom: begin : g_random
        assign wanted = (to + random[l/NumVcs]) % NumPorts;
      end
      default: begin : g_plain
        assign wanted = to % NumPorts;
      end
    endcase
    assign route_port[l*NumPorts +: NumPorts] = NumPorts'(1) << wanted;
    assign route_either[l] = Path == anl_pkg::PathGreedy && to[DstW-1]
                             && to % NumPorts == NumPorts - 2;
    assign route_vcs[l*ClassVcs +: ClassVcs] = vcs == 0 ? '1 : vcs;
  end

  // While another bench of the room runs, the inputs are 0; a generator must not get 0 as its
  // seed.
  anl_switch #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead),
    .Path(Path), .PathW(PathW), .CreditBypass(BypassPorts), .Classes(Classes), .Weights(Weights)
  ) u_dut (
    .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed), .valid_i(valid), .vc_i(vc), .flit_i(flit),
    .credit_o(credit_in), .valid_o(valid_out), .vc_o(vc_out), .flit_o(flit_out),
    .credit_i(credit), .chained_i(chained), .here_i({DstW{1'b0}}), .dst_o(dst), .differs_o(),
    .path_o(path), .random_o(random),
    .route_port_i(route_port), .route_vcs_i(route_vcs), .route_either_i(route_either),
    .free_o(), .has_credit_o(), .all_credits_o(), .credits_o(), .length_o()
  );

endmodule
