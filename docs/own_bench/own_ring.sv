// SPDX-License-Identifier: Apache-2.0
//
// A bench of your own: four routers in a ring, a terminal at each, and the watch of Annelid beside
// them. Each terminal sends worms to the terminal that is +distance routers on (1); with 3 the
// worms hold each other all around the ring.

module own_ring;
  localparam int Routers = 4, NumVcs = 2, Depth = 4, FlitW = 32, LinkW = FlitW + 2;
  localparam int Worms = 40, Length = 16;  // of each terminal; flits of a worm

  logic clk = 1'b0, rst = 1'b1;
  int distance = 1, cycles = 0;

  // Of the routers: link s * 2 + p leaves router s by port p.
  logic [7:0] valid, vc;
  logic [8*LinkW-1:0] flit;
  logic [8*NumVcs-1:0] credit;
  // Of the terminals: injection links, and credits of the ejection links.
  logic [3:0] inj_valid, inj_vc;
  logic [4*LinkW-1:0] inj_flit;
  logic [4*NumVcs-1:0] inj_credit, ej_credit;

  for (genvar s = 0; s < Routers; s++) begin : g_router
    localparam int From = (s + Routers - 1) % Routers * 2;  // the link that arrives at port 0
    own_router #(.Here(s)) u_router (
      .clk_i(clk),
      .rst_i(rst),
      .valid_i({inj_valid[s], valid[From]}),
      .vc_i({inj_vc[s], vc[From]}),
      .flit_i({inj_flit[s*LinkW+:LinkW], flit[From*LinkW+:LinkW]}),
      .credit_o({inj_credit[s*NumVcs+:NumVcs], credit[From*NumVcs+:NumVcs]}),
      .valid_o(valid[s*2+:2]),
      .vc_o(vc[s*2+:2]),
      .flit_o(flit[s*2*LinkW+:2*LinkW]),
      .credit_i(credit[s*2*NumVcs+:2*NumVcs])
    );
    assign credit[(s*2+1)*NumVcs+:NumVcs] = ej_credit[s*NumVcs+:NumVcs];
  end

  // The watch, and one probe for all links. Link 8 + t is the injection link of terminal t.
  logic [63:0] live;

  anl_live #(
    .Scenario("own_ring.yaml"),
    .Trace("own_ring.anlt"),
    .Patience(200)
  ) u_live (
    .clk_i(clk),
    .rst_i(rst),
    .live_o(live)
  );

  anl_live_links #(
    .NumLinks(12),
    .NumVcs(NumVcs),
    .FlitW(FlitW)
  ) u_probe (
    .clk_i(clk),
    .rst_i(rst),
    .live_i(live),
    .first_i(0),
    .valid_i({inj_valid, valid}),
    .vc_i({inj_vc, vc}),
    .flit_i({inj_flit, flit}),
    .credit_i({inj_credit, credit}),
    .length_i('0)  // worms are announced
  );

  // Terminals: worm n goes into lane n % 2; what arrives is taken at once.
  int sent[Routers], index[Routers], taken[Routers], room[Routers][NumVcs];

  function automatic logic [LinkW-1:0] flit_of(int terminal, int worm, int number);
    automatic logic [31:0] data = 32'(terminal) << 24 | 32'(worm) << 12 | 32'(number) << 4
                                | 32'((terminal + distance) % Routers);
    flit_of = {number == 0, number == Length - 1, data};
  endfunction

  task automatic drive(int t);
    automatic int lane = sent[t] % NumVcs;
    for (int v = 0; v < NumVcs; v++) room[t][v] = room[t][v] + 32'(inj_credit[t*NumVcs+v]);
    inj_valid[t] <= sent[t] < Worms && room[t][lane] > 0;
    if (sent[t] == Worms || room[t][lane] == 0) return;
    if (index[t] == 0) u_live.announce(t, (t + distance) % Routers, Length);
    inj_vc[t] <= 1'(lane);
    inj_flit[t*LinkW+:LinkW] <= flit_of(t, sent[t], index[t]);
    room[t][lane] = room[t][lane] - 1;
    index[t] = (index[t] + 1) % Length;
    if (index[t] == 0) sent[t] = sent[t] + 1;
  endtask

  task automatic take(int t);
    ej_credit[t*NumVcs+:NumVcs] <= '0;
    if (valid[t*2+1]) begin
      ej_credit[t*NumVcs+32'(vc[t*2+1])] <= 1'b1;
      taken[t] = taken[t] + 32'(flit[(t*2+1)*LinkW+FlitW]);
    end
  endtask

  always #5 clk = !clk;

  initial begin : begin_run
    void'($value$plusargs("distance=%d", distance));
    for (int t = 0; t < Routers; t++) room[t] = '{default: Depth};
    #20 rst = 1'b0;
  end

  always @(posedge clk) begin : terminals
    cycles <= cycles + 1;
    for (int t = 0; t < Routers; t++)
      if (rst) begin
        inj_valid[t] <= 1'b0;
        ej_credit[t*NumVcs+:NumVcs] <= '0;
      end else begin
        drive(t);
        take(t);
      end
    if (cycles == 2000) $finish;
  end
endmodule
