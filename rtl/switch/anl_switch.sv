// SPDX-License-Identifier: Apache-2.0
//
// The buffered switch of docs/switch.md, for any topology: routes are asked from outside.
//
// Lane (p, v) is at index p*NumVcs + v everywhere; a flit is {head, tail, data}.
// Timing: one cycle from the front of an input lane to the lane at the other end of the link.
// valid_o, vc_o, flit_o and credit_o are functions of registers and of the routes, which must be
// combinational functions of dst_o: no combinational path leads through the switch.
//
//   link in ─▶ anl_input ──offer──▶ anl_output ─▶ link out
//    credit ◀──  (× P)   ◀──grant──   (× P)    ◀─ credit

module anl_switch #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlitW     = 32,
  parameter  int DstW      = 4,
  parameter  int Scan      = anl_pkg::Rotating,
  parameter  int Admission = anl_pkg::Wormhole,
  localparam int PortW     = anl_pkg::index_width(NumPorts),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LinkW     = FlitW + 2,
  localparam int NumLanes  = NumPorts * NumVcs
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [31:0]                seed_i,        // of the policy random, sampled in reset

  // Links in.
  input  logic [NumPorts-1:0]        valid_i,
  input  logic [NumPorts*VcW-1:0]    vc_i,
  input  logic [NumPorts*LinkW-1:0]  flit_i,
  output logic [NumLanes-1:0]        credit_o,

  // Links out.
  output logic [NumPorts-1:0]        valid_o,
  output logic [NumPorts*VcW-1:0]    vc_o,
  output logic [NumPorts*LinkW-1:0]  flit_o,
  input  logic [NumLanes-1:0]        credit_i,

  // Route of the head at the front of each input lane: output port and set of lanes.
  output logic [NumLanes*DstW-1:0]   dst_o,
  input  logic [NumLanes*PortW-1:0]  route_port_i,
  input  logic [NumLanes*NumVcs-1:0] route_vcs_i
);

  localparam int StampW = anl_pkg::StampW;

  // State, under the names of docs/switch.md.
  logic [NumLanes*CntW-1:0]   count;
  logic [NumLanes-1:0]        bound;
  logic [NumLanes*PortW-1:0]  bound_port;
  logic [NumLanes*VcW-1:0]    bound_vc;
  logic [NumLanes*CntW-1:0]   credit;
  logic [NumLanes-1:0]        owned;
  logic [NumLanes*PortW-1:0]  owner_port;
  logic [NumLanes*VcW-1:0]    owner_vc;
  logic [NumPorts*VcW-1:0]    in_ptr;
  logic [NumPorts*PortW-1:0]  out_ptr;
  logic [31:0]                random;

  logic [NumLanes-1:0]          held, free, has_credit, home;
  logic [NumPorts*NumPorts-1:0] request;          // [p*NumPorts + o]: input p offers to output o
  logic [NumPorts*NumPorts-1:0] grant;            // [o*NumPorts + p]: output o grants input p
  logic [NumPorts*NumVcs-1:0]   take;
  logic [NumPorts*VcW-1:0]      lane;
  logic [NumPorts*StampW-1:0]   stamp;
  logic [NumPorts*LinkW-1:0]    offer;

  assign free = ~owned;

  for (genvar p = 0; p < NumPorts; p++) begin : g_input
    logic [NumPorts-1:0] granted;
    for (genvar o = 0; o < NumPorts; o++) begin : g_grant
      assign granted[o] = grant[o*NumPorts + p];
    end
    anl_input #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
      .Scan(Scan), .Admission(Admission)
    ) u_input (
      .clk_i, .rst_i, .random_i(random[23:16]),
      .valid_i(valid_i[p]), .vc_i(vc_i[p*VcW +: VcW]), .flit_i(flit_i[p*LinkW +: LinkW]),
      .credit_o(credit_o[p*NumVcs +: NumVcs]),
      .dst_o(dst_o[p*NumVcs*DstW +: NumVcs*DstW]),
      .route_port_i(route_port_i[p*NumVcs*PortW +: NumVcs*PortW]),
      .route_vcs_i(route_vcs_i[p*NumVcs*NumVcs +: NumVcs*NumVcs]),
      .free_i(free), .has_credit_i(has_credit), .home_i(home), .credits_i(credit),
      .request_o(request[p*NumPorts +: NumPorts]), .take_o(take[p*NumVcs +: NumVcs]),
      .lane_o(lane[p*VcW +: VcW]), .stamp_o(stamp[p*StampW +: StampW]),
      .flit_o(offer[p*LinkW +: LinkW]), .granted_i(granted != '0),
      .held_o(held[p*NumVcs +: NumVcs]), .count_o(count[p*NumVcs*CntW +: NumVcs*CntW]),
      .bound_o(bound[p*NumVcs +: NumVcs]),
      .bound_port_o(bound_port[p*NumVcs*PortW +: NumVcs*PortW]),
      .bound_vc_o(bound_vc[p*NumVcs*VcW +: NumVcs*VcW]), .in_ptr_o(in_ptr[p*VcW +: VcW])
    );
  end

  for (genvar o = 0; o < NumPorts; o++) begin : g_output
    logic [NumPorts-1:0] requests;
    for (genvar p = 0; p < NumPorts; p++) begin : g_request
      assign requests[p] = request[p*NumPorts + o];
    end
    anl_output #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Scan(Scan)
    ) u_output (
      .clk_i, .rst_i, .random_i(random[15:8]),
      .request_i(requests), .take_i(take), .lane_i(lane), .stamp_i(stamp), .flit_i(offer),
      .grant_o(grant[o*NumPorts +: NumPorts]),
      .valid_o(valid_o[o]), .vc_o(vc_o[o*VcW +: VcW]), .flit_o(flit_o[o*LinkW +: LinkW]),
      .credit_i(credit_i[o*NumVcs +: NumVcs]),
      .has_credit_o(has_credit[o*NumVcs +: NumVcs]), .home_o(home[o*NumVcs +: NumVcs]),
      .credits_o(credit[o*NumVcs*CntW +: NumVcs*CntW]), .owned_o(owned[o*NumVcs +: NumVcs]),
      .owner_port_o(owner_port[o*NumVcs*PortW +: NumVcs*PortW]),
      .owner_vc_o(owner_vc[o*NumVcs*VcW +: NumVcs*VcW]), .out_ptr_o(out_ptr[o*PortW +: PortW])
    );
  end

  if (Scan == anl_pkg::Random) begin : g_random
    anl_prng u_prng (.clk_i, .rst_i, .seed_i, .step_i(held != '0), .random_o(random));
  end else begin : g_no_random
    assign random = '0;
  end

endmodule
