// SPDX-License-Identifier: Apache-2.0
//
// anl_port_map_switch: a head that comes alone goes to the terminal of its destination, else where it
// is chosen, else by the births, else by the map; and never where no link is. The tables and the label
// are any ones.

`include "prove.svh"

module prove_port_map #(
  parameter  int FlitW  = 4,
  parameter  int DstW   = 4,
  localparam int P      = anl_bufferless_pkg::NumPorts,
  localparam int T      = anl_bufferless_pkg::Terminal,
  localparam int LinkW  = FlitW + 2
) (
  input logic               clk_i,
  input logic [DstW-1:0]    here_i,       // this, the links and the tables are sampled in reset
  input logic [T-1:0]       links_i,
  input logic [3*T-1:0]     map_i,
  input logic [3*P-1:0]     births_i,
  input logic [2:0]         in_i,         // sampled in reset
  input logic               birth_i,
  input logic               consume_i,
  input logic [P-1:0]       chosen_i,
  input logic [2:0]         choice_i,     // of the port in_i; P or more: none
  input logic [T-1:0]       valid_i,
  input logic [T*LinkW-1:0] flit_i,
  input logic               inj_valid_i,
  input logic [LinkW-1:0]   inj_flit_i
);

  `PROVE_RESET

  logic [DstW-1:0]    here_q;
  logic [T-1:0]       links_q;
  logic [3*T-1:0]     map_q;
  logic [3*P-1:0]     births_q;
  logic [2:0]         in_q;
  logic [P-1:0]       head, out_valid;
  logic [P*LinkW-1:0] front, out;
  logic               fault;

  always_ff @(posedge clk_i) begin : constants
    if (rst_i) {here_q, links_q, map_q, births_q, in_q} <= {here_i, links_i, map_i, births_i, in_i};
  end
  `GIVEN(PortExists, 32'(in_q) < P)

  wire [P-1:0] choice = (32'(choice_i) < P) ? P'(1) << choice_i : '0;

  anl_port_map_switch #(.FlitW(FlitW), .DstW(DstW)) u_dut (
    .clk_i, .rst_i, .here_i(here_q), .links_i({1'b1, links_q}), .map_i(map_q), .births_i(births_q),
    .birth_i, .consume_i, .chosen_i, .choice_i((P*P)'({P{choice}})),
    .valid_i, .flit_i, .inj_valid_i, .inj_flit_i, .late_i(1'b0),
    .head_o(head), .front_o(front), .valid_o(out_valid), .flit_o(out), .fault_o(fault)
  );

  // What stands at the inputs.
  logic [T-1:0]       valid_q;
  logic [T*LinkW-1:0] flit_q;
  always_ff @(posedge clk_i) begin : registers
    valid_q <= rst_i ? '0 : valid_i;
    flit_q  <= flit_i;
  end
  wire [P-1:0]     stands = {inj_valid_i, valid_q};
  wire [LinkW-1:0] flit   = LinkW'({inj_flit_i, flit_q} >> (in_q * LinkW));
  wire             link   = 32'(in_q) < T;
  wire [2:0]       mapped = 3'(map_q >> (3 * in_q));
  wire [2:0]       born   = 3'(births_q >> (3 * in_q));

  logic [2:0] way;
  always_comb begin : rules
    if (link && consume_i && flit[DstW-1:0] == here_q) way = 3'(T);
    else if (chosen_i[in_q])                           way = choice_i;
    else if (!link || birth_i)                         way = born;
    else                                               way = mapped;
  end
  wire [P-1:0] wired      = {1'b1, links_q};
  wire         leads      = 32'(way) < P && wired[way];
  wire         head_alone = stands == P'(1) << in_q && flit[FlitW+1];

  `PROVE(HeadGoesByTheRules, !head_alone || !leads || out_valid == P'(1) << way)
  `PROVE(HeadHasNoOtherWay, !head_alone || leads || out_valid == '0)
  `PROVE(ShowsHeads, head[in_q] == (stands[in_q] && flit[FlitW+1]))

  `COVER(AtHome, head_alone && link && consume_i && leads && way == 3'(T) && mapped == 3'd0)
  `COVER(Chosen, head_alone && chosen_i[in_q] && leads && way == 3'd2)
  `COVER(ChosenToBeLost, head_alone && chosen_i[in_q] && !leads)
  `COVER(Born, head_alone && link && birth_i && !chosen_i[in_q] && leads && way == 3'd1 && mapped == 3'd3)
  `COVER(ByTheMap, head_alone && link && !birth_i && !consume_i && !chosen_i[in_q] && leads && way == 3'd3)

endmodule
