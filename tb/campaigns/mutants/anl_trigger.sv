// SPDX-License-Identifier: Apache-2.0
//
// Rare conditions for mutants of a switch of a cube (docs/mutants.md, "Rare mutants"). Each signal
// under "triggers" is one condition; the sets of mutants.toml name them.
// Timing: triggers are functions of this module's registers and of the links in the same cycle. The
// stand-in keeps a trigger for one cycle, so a mutant acts in the cycle after its condition.

module anl_trigger #(
  parameter  int NumPorts = 3,
  parameter  int NumVcs   = 4,
  parameter  int FlitW    = 32,   // at least 32
  parameter  int DstW     = 2,
  localparam int VcW      = anl_pkg::index_width(NumVcs),
  localparam int LinkW    = FlitW + 2,
  localparam int NumLanes = NumPorts * NumVcs
) (
  input logic                      clk_i,
  input logic                      rst_i,

  // The links of the switch (docs/link.md). The last port is the terminal's.
  input logic [NumPorts-1:0]       valid_i,
  input logic [NumPorts*VcW-1:0]   vc_i,
  input logic [NumPorts*LinkW-1:0] flit_i,
  input logic [NumLanes-1:0]       credit_o,
  input logic [NumPorts-1:0]       valid_o,
  input logic [NumPorts*VcW-1:0]   vc_o,
  input logic [NumLanes-1:0]       credit_i
);

  // Flits that entered by all links, and worms that entered by the terminal's link.
  logic [23:0]         flits_q, flits_d;
  logic [15:0]         worms_q;
  logic [NumPorts-1:0] head_in, body_in, far_head, is_word, is_half, is_plain, is_upper, is_65536, is_long, crosses, returns;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    logic [FlitW-1:0]  data;
    logic              head, tail;
    logic [VcW-1:0]    vc;
    logic [16:0]       passed_q;              // flits that entered by this link
    logic [NumVcs-1:0] over;                  // a worm of more than 64 flits is on its way in this lane

    assign {head, tail, data} = flit_i[p*LinkW +: LinkW];
    assign vc                 = vc_i[p*VcW +: VcW];
    assign head_in[p]         = valid_i[p] && head;
    assign body_in[p]         = valid_i[p] && !head;
    assign far_head[p]        = head_in[p] && data[DstW-1];
    assign is_word[p]         = body_in[p] && data[31:0] == 32'hdeadbeef;
    assign is_half[p]         = body_in[p] && data[15:0] == 16'hbeef;
    assign is_plain[p]        = body_in[p] && data[15:0] == 16'h5a3c;
    assign is_upper[p]        = body_in[p] && data[FlitW-1 -: 12] == 12'hb6d;
    assign is_65536[p]        = valid_i[p] && passed_q == 17'd65535;
    assign is_long[p]         = valid_i[p] && over[vc];
    assign crosses[p]         = valid_i[p] && 32'(vc) == NumVcs - 1 && credit_o[p*NumVcs + NumVcs - 2];
    assign returns[p]         = valid_o[p] && credit_i[p*NumVcs + 32'(vc_o[p*VcW +: VcW])];

    always_ff @(posedge clk_i) begin : count
      if (rst_i)           passed_q <= '0;
      else if (valid_i[p]) passed_q <= passed_q + 1'b1;
    end

    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      logic [6:0] length_q;                   // flits of the worm so far, at most 64
      assign over[v] = !head && length_q == 7'd64;
      always_ff @(posedge clk_i) begin : measure
        if (rst_i) length_q <= '0;
        else if (valid_i[p] && 32'(vc) == v)
          length_q <= head ? 7'd1 : over[v] ? length_q : length_q + 1'b1;
      end
    end
  end

  assign flits_d = flits_q + 24'($countones(valid_i));

  always_ff @(posedge clk_i) begin : totals
    if (rst_i) flits_q <= '0;
    else       flits_q <= flits_d;
    if (rst_i) worms_q <= '0;
    else       worms_q <= worms_q + 16'(head_in[NumPorts-1]);
  end

  // Triggers.
  logic flits_16, flits_256, flits_4096, flits_65536, link_65536, worms_512;
  logic special_word, special_half, plain_half, upper_bits;
  logic two_heads, credit_and_eject, lanes_cross, all_links;
  logic long_worm, far;

  assign flits_16         = valid_i != '0 && flits_q[3:0] == 4'd11;
  assign flits_256        = valid_i != '0 && flits_q[7:0] == 8'd200;
  assign flits_4096       = valid_i != '0 && flits_q[11:0] == 12'd2047;
  assign flits_65536      = !flits_q[16] && flits_d[16];   // flit number 2^16 of the switch has come
  assign link_65536       = is_65536 != '0;   // once in each link: its flit number 2^16 has come
  assign worms_512        = head_in[NumPorts-1] && worms_q[8:0] == 9'd511;
  assign special_word     = is_word != '0;    // a special word of docs/link.md
  assign special_half     = is_half != '0;
  assign plain_half       = is_plain != '0;   // a word that is not special
  assign upper_bits       = is_upper != '0;
  assign two_heads        = head_in[0] && head_in[NumPorts-1];
  assign credit_and_eject = valid_o[NumPorts-1] && returns[NumPorts-2:0] != '0;
  assign lanes_cross      = crosses != '0;
  assign all_links        = valid_i == '1 && valid_o == '1;
  assign long_worm        = is_long != '0;
  assign far              = far_head != '0;   // the upper bit of the destination is set

endmodule
