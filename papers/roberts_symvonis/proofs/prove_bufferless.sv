// SPDX-License-Identifier: Apache-2.0
//
// anl_bufferless under any policy: each flit leaves by its way in the cycle in which it stands in its
// register, the flits behind a head go the way of the head, no output sends two flits or one that
// nobody brought, and what is lost raises the fault line, which nothing else raises. The input and
// the output of the properties are any two.

`include "prove.svh"

module prove_bufferless #(
  parameter  int FlitW = 1,
  parameter  int Turns = anl_bufferless_pkg::AllTurns,
  localparam int P     = anl_bufferless_pkg::NumPorts,
  localparam int T     = anl_bufferless_pkg::Terminal,
  localparam int PortW = 3,
  localparam int LinkW = FlitW + 2
) (
  input logic               clk_i,
  input logic [P-1:0]       links_i,       // sampled in reset
  input logic [T-1:0]       valid_i,
  input logic [T*LinkW-1:0] flit_i,
  input logic               inj_valid_i,
  input logic [LinkW-1:0]   inj_flit_i,
  input logic               late_i,
  input logic [P*PortW-1:0] way_i,         // the policy's way of a head; P or more: none
  input logic [PortW-1:0]   in_i,          // sampled in reset
  input logic [PortW-1:0]   out_i          // sampled in reset
);

  `PROVE_RESET

  logic [P-1:0]       links_q, valid, head, here, has_way, wants_out, body, due;
  logic [P*LinkW-1:0] front, out;
  logic [P*P-1:0]     way;
  logic               fault;
  logic [PortW-1:0]   in_q, out_q;

  anl_bufferless #(.FlitW(FlitW), .Turns(Turns)) u_dut (
    .clk_i, .rst_i, .links_i(links_q), .valid_i, .flit_i, .inj_valid_i, .inj_flit_i, .late_i,
    .head_o(head), .front_o(front), .way_i(way), .valid_o(valid), .flit_o(out), .fault_o(fault)
  );

  always_ff @(posedge clk_i) begin : constants
    if (rst_i) {links_q, in_q, out_q} <= {links_i, in_i, out_i};
  end
  `GIVEN(PortsExist, 32'(in_q) < P && 32'(out_q) < P)

  // What stands at each input, and its way as a number: P if it has none.
  for (genvar p = 0; p < P; p++) begin : g_input
    logic               here_q, inside_q;   // a flit of the link stands here; a worm is on its way
    logic [LinkW-1:0]   came_q;
    logic [PortW-1:0]   follow_q, goes;
    wire [LinkW-1:0]    flit = (p == T) ? inj_flit_i : came_q;
    wire                head = flit[FlitW+1];
    wire                tail = flit[FlitW];
    wire [PortW-1:0]    asks = way_i[p*PortW +: PortW];
    wire                wired = 32'(asks) < P && links_q[asks] && ((Turns >> (p * P + 32'(asks))) & 1) != 0;

    assign way[p*P +: P] = (32'(asks) < P) ? P'(1) << asks : '0;

    always_comb begin : where
      if (head)          goes = wired ? asks : PortW'(P);
      else if (inside_q) goes = follow_q;
      else               goes = PortW'(P);
    end

    always_ff @(posedge clk_i) begin : model
      here_q   <= (p < T) ? valid_i[p < T ? p : 0] : 1'b0;
      came_q   <= (p < T) ? flit_i[(p < T ? p : 0)*LinkW +: LinkW] : '0;
      follow_q <= goes;
      inside_q <= here[p] && !tail && goes != PortW'(P);
      if (rst_i) {here_q, inside_q} <= '0;
    end

    assign here[p]      = (p == T) ? inj_valid_i : here_q;
    assign has_way[p]   = here[p] && goes != PortW'(P);
    assign wants_out[p] = here[p] && goes == out_q;
    assign body[p]      = inside_q && here[p] && !head;
    assign due[p]       = (here[p] && !has_way[p]) || (inside_q && (!here[p] || head));
  end

  // Of any two inputs that want one output.
  logic [P*P-1:0] collides;
  for (genvar p = 0; p < P; p++) begin : g_pair
    for (genvar o = 0; o < P; o++) begin : g_other
      assign collides[p*P + o] = (p < o) && has_way[p] && has_way[o] && g_input[p].goes == g_input[o].goes;
    end
  end

  logic fault_q;
  always_ff @(posedge clk_i) begin : faults
    fault_q <= !rst_i && (fault_q || late_i || due != '0 || collides != '0);
  end

  wire [P-1:0]     others = wants_out & (wants_out - 1'b1);
  wire [LinkW-1:0] sent  = LinkW'(out >> (out_q * LinkW));
  wire [LinkW-1:0] mine  = LinkW'(front >> (in_q * LinkW));
  logic [LinkW-1:0] stands;
  always_comb begin : chosen
    case (in_q)
      0:       stands = g_input[0].flit;
      1:       stands = g_input[1].flit;
      2:       stands = g_input[2].flit;
      3:       stands = g_input[3].flit;
      default: stands = g_input[4].flit;
    endcase
  end

  `PROVE(SendsIfOneFlitWants, valid[out_q] == (wants_out != '0 && others == '0))
  `PROVE(SendsTheFlitThatWants, !valid[out_q] || !wants_out[in_q] || sent == stands)
  `PROVE(ShowsTheFlitThatStands, mine == stands)
  `PROVE(NothingIsLostInSilence, due != '0 || collides != '0 || $countones(valid) == $countones(here))
  `PROVE(FaultIffSomethingWasWrong, fault == fault_q)

  `COVER(FourLinksSendAtOnce, valid[T-1:0] == '1)
  `COVER(BodiesInAllInputs, body == '1)
  `COVER(CollisionFirst, collides != '0 && !fault)
  `COVER(LateStartAlone, late_i && due == '0 && !fault)

endmodule
