// SPDX-License-Identifier: Apache-2.0
//
@ORIGIN@//
// Self-checking bench of @NAME@: a manager at each subordinate port sends bursts drawn at random, to
// all rows of the address map, to holes, and longer ones than are carried; a memory is at each manager port, and
// all of them hold back transfers at random. Data of reads and writes are functions of the address and of the
// memory, so that what is lost, doubled, changed, or comes to the wrong place or in the wrong order of its
// ID is seen. The rules of AXI4 are checked at each port (anl_axi_checker).
// It prints PASS or FAIL; FAIL ends the simulation with $fatal.

// What both ends know.
package tb_@NAME@_pkg;

  localparam int MostW = 1024;              // bits of data

  // Data of a beat of the burst at an address.
  function automatic logic [MostW-1:0] data_of(input logic [63:0] addr, input int beat, input logic [31:0] salt);
    logic [31:0] x;
    x = (addr[31:0] ^ addr[63:32] ^ salt) * 32'h9E3779B1 + beat * 32'h85EBCA6B;
    x = (x ^ (x >> 15)) * 32'hC2B2AE35;
    x = x ^ (x >> 13);
    data_of = {8{x, ~x, x[15:0], x[31:16], x[7:0], x[31:8]}};
  endfunction

  // Strobes of a beat of a write of the whole width: none below an address that is not aligned, in the first
  // beat or, if the burst is FIXED, in each.
  function automatic logic [MostW/8-1:0] strobes_of(input logic [63:0] addr, input int beat, input int fixed, input int bytes);
    logic [MostW-1:0]   data;
    logic [MostW/8-1:0] all;
    data = data_of(addr, beat, 32'h5bd1);
    all  = data[MostW/8-1:0];
    strobes_of = (beat == 0 || fixed != 0) ? all & ({MostW/8{1'b1}} << (addr[6:0] & (7'(bytes) - 7'd1))) : all;
  endfunction

  function automatic logic [31:0] step_of(input logic [31:0] random);
    step_of = random ^ (random << 13);
    step_of = step_of ^ (step_of >> 17);
    step_of = step_of ^ (step_of << 5);
  endfunction

endpackage

// A manager.
module tb_@NAME@_user #(
  parameter int Number   = 0,
  parameter int Lite     = 0,               // its port is AXI4-Lite
  parameter int Packets  = 20,              // bursts that it sends
  parameter int MaxBeats = 16,
  parameter int Rows     = 1,
  parameter int IdW      = 4,
  parameter int AddrW    = 32,
  parameter int DataW    = 64,
  parameter int DstW     = 1,
  parameter logic [Rows*(2*AddrW+DstW)-1:0] Map = '0
) (
  input  logic               clk_i,
  input  logic               rst_i,
  output logic [IdW-1:0]     awid_o,
  output logic [AddrW-1:0]   awaddr_o,
  output logic [7:0]         awlen_o,
  output logic [2:0]         awsize_o,
  output logic [1:0]         awburst_o,
  output logic               awvalid_o,
  input  logic               awready_i,
  output logic [DataW-1:0]   wdata_o,
  output logic [DataW/8-1:0] wstrb_o,
  output logic               wlast_o,
  output logic               wvalid_o,
  input  logic               wready_i,
  input  logic [IdW-1:0]     bid_i,
  input  logic [1:0]         bresp_i,
  input  logic               bvalid_i,
  output logic               bready_o,
  output logic [IdW-1:0]     arid_o,
  output logic [AddrW-1:0]   araddr_o,
  output logic [7:0]         arlen_o,
  output logic [2:0]         arsize_o,
  output logic [1:0]         arburst_o,
  output logic               arvalid_o,
  input  logic               arready_i,
  input  logic [IdW-1:0]     rid_i,
  input  logic [DataW-1:0]   rdata_i,
  input  logic [1:0]         rresp_i,
  input  logic               rlast_i,
  input  logic               rvalid_i,
  output logic               rready_o,
  output int                 done_o,        // bursts that have their response
  output int                 sent_o,        // bursts that a memory must see
  output int                 moves_o,       // transfers
  output logic               bad_o
);

  localparam int RowW   = 2 * AddrW + DstW;
  localparam int Full   = $clog2(DataW / 8);                    // AxSIZE of the whole width
  localparam int Ids    = (Lite != 0) ? 1 : (IdW == 1) ? 2 : 4;
  localparam int Queue  = 4;                                    // bursts under way of each ID and direction
  localparam int Lists  = 2 * Ids;                              // writes, then reads
  localparam int Most   = (Lite != 0) ? 1 : (MaxBeats < 256) ? MaxBeats + 1 : 256;

  // The burst that was drawn, and those under way: number list * Queue + n % Queue.
  logic [31:0]      random = 32'd2463534242 ^ (Number * 32'h9E3779B1), wild;
  logic [RowW-1:0]  row;
  logic [63:0]      addr;
  logic [AddrW-1:0] short_addr;
  int               id, beats, size, kind, list, at, begun = 0;
  logic             hit;
  logic [31:0]      dest;
  logic [1:0]       resp;
  logic [1:0]       resp_of [Lists*Queue];
  logic [63:0]      addr_of [Lists*Queue];
  logic [31:0]      dest_of [Lists*Queue];
  int               beats_of [Lists*Queue], first [Lists], next [Lists], got [Lists];
  logic [DataW-1:0] data;
  // The write whose data leave.
  logic [63:0]      w_addr = '0;
  int               w_beats = 0, w_beat = 0, w_fixed = 0;

  initial begin
    {awvalid_o, wvalid_o, arvalid_o, bready_o, rready_o, bad_o} = '0;
    {awid_o, awaddr_o, awlen_o, awsize_o, awburst_o, arid_o, araddr_o, arlen_o, arsize_o, arburst_o} = '0;
    {wdata_o, wstrb_o, wlast_o} = '0;
    {done_o, sent_o, moves_o} = '0;
    for (int i = 0; i < Lists; i++) {first[i], next[i], got[i]} = '0;
  end

  task automatic step;
    random = tb_@NAME@_pkg::step_of(random);
  endtask

  // Draws an address: in a row of the map, or anywhere.
  task automatic draw_address;
    step;
    row = Map[(random[30:8] % Rows)*RowW +: RowW];
    wild = random;
    step;
    addr = {wild, random};
    if (wild[3:0] != 4'd0) addr = (64'(row[AddrW-1:0])) | (addr & ~64'(row[2*AddrW-1:AddrW]));
    addr = addr & ({64{1'b1}} >> (64 - AddrW));
  endtask

  // Says where an address leads.
  task automatic look_up;
    hit  = 1'b0;
    dest = '0;
    for (int r = Rows - 1; r >= 0; r--) begin
      row = Map[r*RowW +: RowW];
      if (((short_addr ^ row[AddrW-1:0]) & row[2*AddrW-1:AddrW]) == '0) begin
        hit  = 1'b1;
        dest = 32'(row[RowW-1:2*AddrW]);
      end
    end
  endtask

  // Draws a burst; one in four has any size and kind, and writes have the whole width.
  task automatic draw(input int reads);
    draw_address;
    step;
    id    = random[30:24] % Ids;
    kind  = (Lite != 0) ? 1 : (random[9:8] == 2'd3) ? 0 : (random[9:8] == 2'd2) ? 2 : 1;
    size  = (Lite == 0 && reads != 0 && random[0]) ? random[6:1] % (Full + 1) : Full;
    step;
    beats = 1 + random[30:0] % ((random[31] && Most > 8) ? 8 : Most);
    if (kind == 2) beats = (Most < 17) ? ((Most < 3) ? 1 : 2) : 2 << (random[5:4] % 4);
    if (kind == 2 && beats == 1) kind = 1;
    if (kind == 0 && beats > 16) beats = 16;
    if (kind == 2) addr = addr & ~((64'd1 << size) - 64'd1);
    if (kind == 1 && beats > (4096 >> size)) beats = 4096 >> size;
    if (kind == 1 && (32'(addr[11:0]) >> size << size) + (beats << size) > 4096) addr[11:0] = '0;
    if (Lite != 0) addr = addr & ~((64'd1 << size) - 64'd1);
    short_addr = addr[AddrW-1:0];
    look_up;
    resp = !hit ? 2'd3 : (beats > MaxBeats) ? 2'd2 : 2'd0;
    list = reads * Ids + id;
  endtask

  // Puts it among those under way.
  task automatic note;
    at           = list * Queue + next[list] % Queue;
    resp_of[at]  = resp;
    addr_of[at]  = addr;
    dest_of[at]  = dest;
    beats_of[at] = beats;
    next[list]   = next[list] + 1;
    begun        = begun + 1;
    if (resp == 2'd0) sent_o = sent_o + 1;
  endtask

  task automatic show_data;
    wdata_o <= tb_@NAME@_pkg::data_of(w_addr, w_beat, 32'd1);
    wstrb_o <= tb_@NAME@_pkg::strobes_of(w_addr, w_beat, w_fixed, DataW / 8);
    wlast_o <= w_beat + 1 == w_beats;
    wvalid_o <= 1'b1;
    w_beat  = w_beat + 1;
  endtask

  task automatic write;
    if (awvalid_o && awready_i) awvalid_o <= 1'b0;
    if (w_beat == w_beats && !awvalid_o && !wvalid_o && begun < Packets && random[4]) begin
      draw(0);
      if (next[list] - first[list] < Queue) begin
        note;
        awvalid_o <= 1'b1;
        {awaddr_o, awlen_o, awsize_o, awburst_o} <= {short_addr, 8'(beats - 1), 3'(size), 2'(kind)};
        awid_o  <= IdW'(id);
        w_addr  = addr;
        w_beats = beats;
        w_beat  = 0;
        w_fixed = (kind == 0) ? 1 : 0;
      end
    end
    step;
    if (!wvalid_o || wready_i) begin
      wvalid_o <= 1'b0;
      if (w_beat != w_beats && random[1:0] != 2'd0) show_data;
    end
  endtask

  task automatic read;
    if (arvalid_o && arready_i) arvalid_o <= 1'b0;
    else if (!arvalid_o && begun < Packets && random[5]) begin
      draw(1);
      if (next[list] - first[list] < Queue) begin
        note;
        arvalid_o <= 1'b1;
        {araddr_o, arlen_o, arsize_o, arburst_o} <= {short_addr, 8'(beats - 1), 3'(size), 2'(kind)};
        arid_o <= IdW'(id);
      end
    end
  endtask

  // Looks up the oldest burst of an ID. An ID that no burst has is an error.
  task automatic oldest(input int reads, input int of_id);
    list = reads * Ids + of_id % Ids;
    at   = list * Queue + first[list] % Queue;
    if (of_id >= Ids || first[list] == next[list]) bad_o = 1'b1;
  endtask

  task automatic take_write;
    oldest(0, 32'(bid_i));
    if (bresp_i !== resp_of[at]) bad_o = 1'b1;
    first[list] = first[list] + 1;
    done_o = done_o + 1;
  endtask

  task automatic take_read;
    oldest(1, 32'(rid_i));
    if (rresp_i !== resp_of[at]) bad_o = 1'b1;
    data = tb_@NAME@_pkg::data_of(addr_of[at], got[list], dest_of[at]);
    if (resp_of[at] != 2'd0) data = '0;
    if (rdata_i !== data) bad_o = 1'b1;
    got[list] = got[list] + 1;
    if (Lite == 0 && rlast_i !== (got[list] == beats_of[at])) bad_o = 1'b1;
    if (got[list] == beats_of[at]) begin
      got[list]   = 0;
      first[list] = first[list] + 1;
      done_o      = done_o + 1;
    end
  endtask

  always @(posedge clk_i) begin
    if (!rst_i) begin
      if (bvalid_i && bready_o) take_write;
      if (rvalid_i && rready_o) take_read;
      if ((awvalid_o && awready_i) || (wvalid_o && wready_i) || (bvalid_i && bready_o) || (arvalid_o && arready_i)
          || (rvalid_i && rready_o)) moves_o = moves_o + 1;
      write;
      read;
    end
    step;
    bready_o <= random[0];
    rready_o <= random[3:2] != 2'd0;
  end

endmodule

// A memory, whose data are functions of addresses.
module tb_@NAME@_memory #(
  parameter int Number = 0,
  parameter int AddrW  = 32,
  parameter int DataW  = 64,
  parameter logic [31:0] Label = '0         // of its terminal
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [AddrW-1:0]   awaddr_i,
  input  logic [7:0]         awlen_i,
  input  logic [1:0]         awburst_i,
  input  logic               awvalid_i,
  output logic               awready_o,
  input  logic [DataW-1:0]   wdata_i,
  input  logic [DataW/8-1:0] wstrb_i,
  input  logic               wlast_i,
  input  logic               wvalid_i,
  output logic               wready_o,
  output logic [1:0]         bresp_o,
  output logic               bvalid_o,
  input  logic               bready_i,
  input  logic [AddrW-1:0]   araddr_i,
  input  logic [7:0]         arlen_i,
  input  logic               arvalid_i,
  output logic               arready_o,
  output logic [DataW-1:0]   rdata_o,
  output logic [1:0]         rresp_o,
  output logic               rlast_o,
  output logic               rvalid_o,
  input  logic               rready_i,
  output int                 seen_o,        // bursts
  output logic               bad_o
);

  localparam int Queue = 4;                 // bursts of each direction that it has taken

  logic [31:0] random = 32'd88675123 ^ (Number * 32'h85EBCA6B);
  logic [63:0] w_addr [Queue], r_addr [Queue];
  logic [DataW-1:0]   data;
  logic [DataW/8-1:0] strobes;
  int          w_beats [Queue], w_fixed [Queue], r_beats [Queue];
  int          w_first = 0, w_next = 0, w_beat = 0, w_due = 0, r_first = 0, r_next = 0, r_beat = 0;

  assign bresp_o = 2'd0;
  assign rresp_o = 2'd0;

  initial begin
    {awready_o, wready_o, arready_o, bvalid_o, rvalid_o, rlast_o, bad_o} = '0;
    rdata_o = '0;
    seen_o  = 0;
  end

  task automatic take_data;
    data    = tb_@NAME@_pkg::data_of(w_addr[w_first%Queue], w_beat, 32'd1);
    strobes = tb_@NAME@_pkg::strobes_of(w_addr[w_first%Queue], w_beat, w_fixed[w_first%Queue], DataW / 8);
    if (wdata_i !== data || wstrb_i !== strobes) bad_o = 1'b1;
    w_beat = w_beat + 1;
    if (wlast_i !== (w_beat == w_beats[w_first%Queue])) bad_o = 1'b1;
    if (w_beat == w_beats[w_first%Queue]) begin
      w_beat  = 0;
      w_first = w_first + 1;
      w_due   = w_due + 1;
    end
  endtask

  task automatic take_addresses;
    if (awvalid_i && awready_o) begin
      w_addr[w_next%Queue]  = 64'(awaddr_i);
      w_beats[w_next%Queue] = 32'(awlen_i) + 1;
      w_fixed[w_next%Queue] = (awburst_i == 2'd0) ? 1 : 0;
      w_next = w_next + 1;
      seen_o = seen_o + 1;
    end
    if (arvalid_i && arready_o) begin
      r_addr[r_next%Queue]  = 64'(araddr_i);
      r_beats[r_next%Queue] = 32'(arlen_i) + 1;
      r_next = r_next + 1;
      seen_o = seen_o + 1;
    end
  endtask

  task automatic give_data;
    rvalid_o <= 1'b0;
    if (r_first != r_next && random[9:8] != 2'd0) begin
      rvalid_o <= 1'b1;
      rdata_o  <= tb_@NAME@_pkg::data_of(r_addr[r_first%Queue], r_beat, Label);
      rlast_o  <= r_beat + 1 == r_beats[r_first%Queue];
      r_beat   = r_beat + 1;
      if (r_beat == r_beats[r_first%Queue]) begin
        r_beat  = 0;
        r_first = r_first + 1;
      end
    end
  endtask

  always @(posedge clk_i) begin
    random = tb_@NAME@_pkg::step_of(random);
    if (!rst_i) begin
      if (wvalid_i && wready_o) take_data;
      take_addresses;
      if (!bvalid_o || bready_i) begin
        bvalid_o <= w_due != 0 && random[12];
        if (w_due != 0 && random[12]) w_due = w_due - 1;
      end
      if (!rvalid_o || rready_i) give_data;
    end
    awready_o <= w_next - w_first < Queue - 1 && random[0];
    wready_o  <= w_first != w_next && random[3:2] != 2'd0 && !(w_first + 1 == w_next && wvalid_i && wlast_i && wready_o);
    arready_o <= r_next - r_first < Queue - 1 && random[4];
  end

endmodule

module tb_@NAME@;

  localparam int Packets = 20;              // bursts that each user sends
  localparam int Patience = 2000;           // cycles without a transfer after which a run has stalled

  localparam int DstW     = @DST_W@;
  localparam int MaxBeats = @AXI_MAX_BEATS@;
  localparam int IdW      = @AXI_ID_W@;
  localparam int AddrW    = @AXI_ADDR_W@;
  localparam int DataW    = @AXI_DATA_W@;
  localparam int StrbW    = DataW / 8;
  localparam int Users    = @AXI_USERS@;
  localparam int Memories = @AXI_MEMORIES@;
  localparam int UnderWay = 16;             // bursts that a checker follows
  localparam logic [Users-1:0] Lites = @AXI_LITES@;               // those with AXI4-Lite
  localparam logic [Memories*DstW-1:0] Labels = @AXI_LABELS@;
@AXI_MAP@
  logic clk = 1'b0, rst = 1'b1;
@CLOCK_SIGNALS@  wire [Users-1:0]    s_clk, s_rst;          // of the ports
  wire [Memories-1:0] m_clk, m_rst;
@AXI_CLOCKS@
@AXI_SIGNALS@
  logic [Users-1:0]    users_bad;
  logic [Memories-1:0] memories_bad;
  logic [Users*anl_axi_pkg::Rules-1:0]    s_broken;
  logic [Memories*anl_axi_pkg::Rules-1:0] m_broken;
  logic [Users*32-1:0]    done, sent, moves;
  logic [Memories*32-1:0] seen;

  @NAME@ u_dut (
    .aclk(clk), .aresetn(!rst)@CLOCK_PINS@@AXI_PINS@  );
@AXI_REST@
  assign s_awlock  = '0;
  assign s_awcache = {Users{4'd3}};
  assign s_awprot  = '0;
  assign s_awqos   = '0;
  assign s_arlock  = '0;
  assign s_arcache = {Users{4'd3}};
  assign s_arprot  = '0;
  assign s_arqos   = '0;
  assign {m_awid, m_arid, m_bid, m_rid} = '0;

  for (genvar u = 0; u < Users; u++) begin : g_user
    tb_@NAME@_user #(
      .Number(u), .Lite(32'(Lites[u])), .Packets(Packets), .MaxBeats(MaxBeats), .Rows(Rows), .IdW(IdW), .AddrW(AddrW),
      .DataW(DataW), .DstW(DstW), .Map(Map)
    ) u_user (
      .clk_i(s_clk[u]), .rst_i(s_rst[u]),
      .awid_o(s_awid[u*IdW +: IdW]), .awaddr_o(s_awaddr[u*AddrW +: AddrW]), .awlen_o(s_awlen[u*8 +: 8]),
      .awsize_o(s_awsize[u*3 +: 3]), .awburst_o(s_awburst[u*2 +: 2]), .awvalid_o(s_awvalid[u]), .awready_i(s_awready[u]),
      .wdata_o(s_wdata[u*DataW +: DataW]), .wstrb_o(s_wstrb[u*StrbW +: StrbW]), .wlast_o(s_wlast[u]),
      .wvalid_o(s_wvalid[u]), .wready_i(s_wready[u]),
      .bid_i(s_bid[u*IdW +: IdW]), .bresp_i(s_bresp[u*2 +: 2]), .bvalid_i(s_bvalid[u]), .bready_o(s_bready[u]),
      .arid_o(s_arid[u*IdW +: IdW]), .araddr_o(s_araddr[u*AddrW +: AddrW]), .arlen_o(s_arlen[u*8 +: 8]),
      .arsize_o(s_arsize[u*3 +: 3]), .arburst_o(s_arburst[u*2 +: 2]), .arvalid_o(s_arvalid[u]), .arready_i(s_arready[u]),
      .rid_i(s_rid[u*IdW +: IdW]), .rdata_i(s_rdata[u*DataW +: DataW]), .rresp_i(s_rresp[u*2 +: 2]), .rlast_i(s_rlast[u]),
      .rvalid_i(s_rvalid[u]), .rready_o(s_rready[u]),
      .done_o(done[u*32 +: 32]), .sent_o(sent[u*32 +: 32]), .moves_o(moves[u*32 +: 32]), .bad_o(users_bad[u])
    );
    anl_axi_checker #(.Bursts(UnderWay), .IdW(IdW), .AddrW(AddrW), .DataW(DataW)) u_checker (
      .clk_i(s_clk[u]), .rst_i(s_rst[u]),
      .awvalid_i(s_awvalid[u]), .awready_i(s_awready[u]), .awid_i(s_awid[u*IdW +: IdW]), .awaddr_i(s_awaddr[u*AddrW +: AddrW]),
      .awlen_i(s_awlen[u*8 +: 8]), .awsize_i(s_awsize[u*3 +: 3]), .awburst_i(s_awburst[u*2 +: 2]), .awlock_i(1'b0),
      .awattr_i(11'd3),
      .wvalid_i(s_wvalid[u]), .wready_i(s_wready[u]), .wdata_i(s_wdata[u*DataW +: DataW]), .wstrb_i(s_wstrb[u*StrbW +: StrbW]),
      .wlast_i(s_wlast[u]),
      .bvalid_i(s_bvalid[u]), .bready_i(s_bready[u]), .bid_i(s_bid[u*IdW +: IdW]), .bresp_i(s_bresp[u*2 +: 2]),
      .arvalid_i(s_arvalid[u]), .arready_i(s_arready[u]), .arid_i(s_arid[u*IdW +: IdW]), .araddr_i(s_araddr[u*AddrW +: AddrW]),
      .arlen_i(s_arlen[u*8 +: 8]), .arsize_i(s_arsize[u*3 +: 3]), .arburst_i(s_arburst[u*2 +: 2]), .arlock_i(1'b0),
      .arattr_i(11'd3),
      .rvalid_i(s_rvalid[u]), .rready_i(s_rready[u]), .rid_i(s_rid[u*IdW +: IdW]), .rdata_i(s_rdata[u*DataW +: DataW]),
      .rresp_i(s_rresp[u*2 +: 2]), .rlast_i(s_rlast[u]),
      .broken_o(s_broken[u*anl_axi_pkg::Rules +: anl_axi_pkg::Rules])
    );
  end

  for (genvar m = 0; m < Memories; m++) begin : g_memory
    tb_@NAME@_memory #(.Number(m), .AddrW(AddrW), .DataW(DataW), .Label(32'(Labels[m*DstW +: DstW]))) u_memory (
      .clk_i(m_clk[m]), .rst_i(m_rst[m]),
      .awaddr_i(m_awaddr[m*AddrW +: AddrW]), .awlen_i(m_awlen[m*8 +: 8]), .awburst_i(m_awburst[m*2 +: 2]),
      .awvalid_i(m_awvalid[m]), .awready_o(m_awready[m]),
      .wdata_i(m_wdata[m*DataW +: DataW]), .wstrb_i(m_wstrb[m*StrbW +: StrbW]), .wlast_i(m_wlast[m]),
      .wvalid_i(m_wvalid[m]), .wready_o(m_wready[m]),
      .bresp_o(m_bresp[m*2 +: 2]), .bvalid_o(m_bvalid[m]), .bready_i(m_bready[m]),
      .araddr_i(m_araddr[m*AddrW +: AddrW]), .arlen_i(m_arlen[m*8 +: 8]), .arvalid_i(m_arvalid[m]),
      .arready_o(m_arready[m]),
      .rdata_o(m_rdata[m*DataW +: DataW]), .rresp_o(m_rresp[m*2 +: 2]), .rlast_o(m_rlast[m]), .rvalid_o(m_rvalid[m]),
      .rready_i(m_rready[m]),
      .seen_o(seen[m*32 +: 32]), .bad_o(memories_bad[m])
    );
    anl_axi_checker #(.Bursts(UnderWay), .IdW(1), .AddrW(AddrW), .DataW(DataW)) u_checker (
      .clk_i(m_clk[m]), .rst_i(m_rst[m]),
      .awvalid_i(m_awvalid[m]), .awready_i(m_awready[m]), .awid_i(1'b0), .awaddr_i(m_awaddr[m*AddrW +: AddrW]),
      .awlen_i(m_awlen[m*8 +: 8]), .awsize_i(m_awsize[m*3 +: 3]), .awburst_i(m_awburst[m*2 +: 2]), .awlock_i(m_awlock[m]),
      .awattr_i({m_awqos[m*4 +: 4], m_awprot[m*3 +: 3], m_awcache[m*4 +: 4]}),
      .wvalid_i(m_wvalid[m]), .wready_i(m_wready[m]), .wdata_i(m_wdata[m*DataW +: DataW]), .wstrb_i(m_wstrb[m*StrbW +: StrbW]),
      .wlast_i(m_wlast[m]),
      .bvalid_i(m_bvalid[m]), .bready_i(m_bready[m]), .bid_i(1'b0), .bresp_i(m_bresp[m*2 +: 2]),
      .arvalid_i(m_arvalid[m]), .arready_i(m_arready[m]), .arid_i(1'b0), .araddr_i(m_araddr[m*AddrW +: AddrW]),
      .arlen_i(m_arlen[m*8 +: 8]), .arsize_i(m_arsize[m*3 +: 3]), .arburst_i(m_arburst[m*2 +: 2]), .arlock_i(m_arlock[m]),
      .arattr_i({m_arqos[m*4 +: 4], m_arprot[m*3 +: 3], m_arcache[m*4 +: 4]}),
      .rvalid_i(m_rvalid[m]), .rready_i(m_rready[m]), .rid_i(1'b0), .rdata_i(m_rdata[m*DataW +: DataW]),
      .rresp_i(m_rresp[m*2 +: 2]), .rlast_i(m_rlast[m]),
      .broken_o(m_broken[m*anl_axi_pkg::Rules +: anl_axi_pkg::Rules])
    );
  end

  int cycles = 0, quiet = 0, total, last_total = 0, answered, asked, taken;
  bit good = 1'b1;

  task automatic count;
    {total, answered, asked, taken} = '0;
    for (int u = 0; u < Users; u++) begin
      total    = total + 32'(moves[u*32 +: 32]);
      answered = answered + 32'(done[u*32 +: 32]);
      asked    = asked + 32'(sent[u*32 +: 32]);
    end
    for (int m = 0; m < Memories; m++) taken = taken + 32'(seen[m*32 +: 32]);
  endtask

  task automatic judge;
    if (good && answered == Users * Packets && asked == taken) begin
      $display("PASS %0d bursts in %0d cycles", answered, cycles);
      $finish;
    end else begin
      $fatal(1, "FAIL after %0d cycles, %0d of %0d bursts answered, %0d of %0d at memories", cycles, answered, Users * Packets,
             taken, asked);
    end
  endtask

  always @(negedge clk) begin
@AXI_RESET@    cycles = cycles + 1;
    count;
    quiet = (total == last_total) ? quiet + 1 : 0;
    last_total = total;
    if (users_bad != '0 || memories_bad != '0 || (!(@AXI_IN_RESET@) && (s_broken != '0 || m_broken != '0))) good = 1'b0;
    if (!good || answered == Users * Packets || quiet == Patience) judge;
  end

endmodule
