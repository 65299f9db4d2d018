// SPDX-License-Identifier: Apache-2.0
//
// Only the terminals with a port are wired to C: first the subordinate ports, then the manager ports. A checker watches
// each port, and each rule that it finds broken fails the test.

`include "bench.svh"

module tb_anl_axi_cube #(
  parameter int Index,
  parameter int K,
  parameter int N,
  parameter int Users,
  parameter int Memories,
  parameter int Depth,
  parameter int Stages,
  parameter int Bursts,
  parameter int MaxBeats,
  parameter int Room,
  parameter int Reorder,
  parameter int DataW
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int S = anl_cube_pkg::power(K, N);
  localparam int DstW = anl_cube_pkg::label_width(K, N);
  localparam int IdW = 3;
  localparam int AddrW = 32;
  localparam int StrbW = DataW / 8;
  localparam int RowW = 2 * AddrW + DstW;
  localparam int Rows = anl_pkg::members(Memories, S);
  localparam int AskW = AddrW + 8 + 3 + 2 + 1 + 11;
  localparam int UserIn = 2 * (1 + IdW + AskW) + 1 + DataW + StrbW + 1 + 2;
  localparam int UserOut = 64 + 3 + 2 * (1 + IdW + 2) + DataW + 1;
  localparam int MemoryIn = 3 + 2 * (1 + 2) + DataW + 1;
  localparam int MemoryOut = 2 * (1 + AskW) + 1 + DataW + StrbW + 1 + 2;
  localparam int MemoriesIn = anl_pkg::members(Users, S) * UserIn;
  localparam int MemoriesOut = anl_pkg::members(Users, S) * UserOut;
  localparam int AllOut = MemoriesOut + Rows * MemoryOut;

  logic [Rows*RowW-1:0] map;
  logic [S-1:0] awvalid, awready, awlock, wvalid, wready, wlast, bvalid, bready, arvalid, arready, arlock, rvalid, rready, rlast;
  logic [S-1:0] m_awvalid, m_awready, m_awlock, m_wvalid, m_wready, m_wlast, m_bvalid, m_bready;
  logic [S-1:0] m_arvalid, m_arready, m_arlock, m_rvalid, m_rready, m_rlast;
  logic [S*IdW-1:0] awid, bid, arid, rid;
  logic [S*AddrW-1:0] awaddr, araddr, m_awaddr, m_araddr;
  logic [S*8-1:0] awlen, arlen, m_awlen, m_arlen;
  logic [S*3-1:0] awsize, arsize, m_awsize, m_arsize, awprot, arprot, m_awprot, m_arprot;
  logic [S*2-1:0] awburst, arburst, m_awburst, m_arburst, bresp, rresp, m_bresp, m_rresp;
  logic [S*4-1:0] awcache, arcache, m_awcache, m_arcache, awqos, arqos, m_awqos, m_arqos;
  logic [S*DataW-1:0] wdata, rdata, m_wdata, m_rdata;
  logic [S*StrbW-1:0] wstrb, m_wstrb;
  logic [S*32-1:0] write_stalls, read_stalls;

  `BENCH("anl_axi_cube", Index, {DataW, Reorder, Room, MaxBeats, Bursts, Stages, Depth, Memories, Users, N, K})
  assign out[2047:AllOut] = '0;

  for (genvar t = 0; t < S; t++) begin : g_terminal
    localparam int Label = anl_cube_pkg::label(K, N, t);
    if ((Users >> t) % 2 == 1) begin : g_user
      localparam int AtIn = anl_pkg::members(Users, t) * UserIn;
      localparam int AtOut = anl_pkg::members(Users, t) * UserOut;
      logic [anl_axi_pkg::Rules-1:0] broken;
      assign {rready[t], arqos[t*4 +: 4], arprot[t*3 +: 3], arcache[t*4 +: 4], arlock[t], arburst[t*2 +: 2], arsize[t*3 +: 3],
              arlen[t*8 +: 8], araddr[t*AddrW +: AddrW], arid[t*IdW +: IdW], arvalid[t],
              bready[t], wlast[t], wstrb[t*StrbW +: StrbW], wdata[t*DataW +: DataW], wvalid[t],
              awqos[t*4 +: 4], awprot[t*3 +: 3], awcache[t*4 +: 4], awlock[t], awburst[t*2 +: 2], awsize[t*3 +: 3],
              awlen[t*8 +: 8], awaddr[t*AddrW +: AddrW], awid[t*IdW +: IdW], awvalid[t]} = in[AtIn +: UserIn];
      assign out[AtOut +: UserOut] = {rlast[t], rresp[t*2 +: 2], rdata[t*DataW +: DataW], rid[t*IdW +: IdW], rvalid[t], arready[t],
                                      bresp[t*2 +: 2], bid[t*IdW +: IdW], bvalid[t], wready[t], awready[t],
                                      read_stalls[t*32 +: 32], write_stalls[t*32 +: 32]};
      anl_axi_checker #(.Bursts((Reorder > Bursts ? Reorder : Bursts) + 6), .IdW(IdW), .AddrW(AddrW), .DataW(DataW)) u_checker (
        .clk_i, .rst_i, .awvalid_i(awvalid[t]), .awready_i(awready[t]), .awid_i(awid[t*IdW +: IdW]),
        .awaddr_i(awaddr[t*AddrW +: AddrW]), .awlen_i(awlen[t*8 +: 8]), .awsize_i(awsize[t*3 +: 3]),
        .awburst_i(awburst[t*2 +: 2]), .awlock_i(awlock[t]),
        .awattr_i({awqos[t*4 +: 4], awprot[t*3 +: 3], awcache[t*4 +: 4]}),
        .wvalid_i(wvalid[t]), .wready_i(wready[t]), .wdata_i(wdata[t*DataW +: DataW]),
        .wstrb_i(wstrb[t*StrbW +: StrbW]), .wlast_i(wlast[t]),
        .bvalid_i(bvalid[t]), .bready_i(bready[t]), .bid_i(bid[t*IdW +: IdW]), .bresp_i(bresp[t*2 +: 2]),
        .arvalid_i(arvalid[t]), .arready_i(arready[t]), .arid_i(arid[t*IdW +: IdW]),
        .araddr_i(araddr[t*AddrW +: AddrW]), .arlen_i(arlen[t*8 +: 8]), .arsize_i(arsize[t*3 +: 3]),
        .arburst_i(arburst[t*2 +: 2]), .arlock_i(arlock[t]),
        .arattr_i({arqos[t*4 +: 4], arprot[t*3 +: 3], arcache[t*4 +: 4]}),
        .rvalid_i(rvalid[t]), .rready_i(rready[t]), .rid_i(rid[t*IdW +: IdW]), .rdata_i(rdata[t*DataW +: DataW]),
        .rresp_i(rresp[t*2 +: 2]), .rlast_i(rlast[t]), .broken_o(broken)
      );
      always @(posedge clk_i)
        if (broken != '0) bench_assertion::bench_failed("a rule of a subordinate port", `__FILE__, `__LINE__);
    end else begin : g_no_user
      assign {awvalid[t], awlock[t], wvalid[t], wlast[t], bready[t], arvalid[t], arlock[t], rready[t]} = '0;
      assign {awid[t*IdW +: IdW], arid[t*IdW +: IdW], awaddr[t*AddrW +: AddrW], araddr[t*AddrW +: AddrW]} = '0;
      assign {awlen[t*8 +: 8], arlen[t*8 +: 8], awsize[t*3 +: 3], arsize[t*3 +: 3], awprot[t*3 +: 3], arprot[t*3 +: 3]} = '0;
      assign {awburst[t*2 +: 2], arburst[t*2 +: 2], awcache[t*4 +: 4], arcache[t*4 +: 4], awqos[t*4 +: 4]} = '0;
      assign {arqos[t*4 +: 4], wdata[t*DataW +: DataW], wstrb[t*StrbW +: StrbW]} = '0;
    end
    if ((Memories >> t) % 2 == 1) begin : g_memory
      localparam int Row = anl_pkg::members(Memories, t);
      localparam int AtIn = MemoriesIn + Row * MemoryIn;
      localparam int AtOut = MemoriesOut + Row * MemoryOut;
      logic [anl_axi_pkg::Rules-1:0] broken;
      assign map[Row*RowW +: RowW] = {Label[DstW-1:0], 32'hf0000000, 4'(Row), 28'b0};
      assign {m_rlast[t], m_rresp[t*2 +: 2], m_rdata[t*DataW +: DataW], m_rvalid[t], m_arready[t], m_bresp[t*2 +: 2], m_bvalid[t],
              m_wready[t], m_awready[t]} = in[AtIn +: MemoryIn];
      assign out[AtOut +: MemoryOut] = {m_rready[t],
              m_arqos[t*4 +: 4], m_arprot[t*3 +: 3], m_arcache[t*4 +: 4], m_arlock[t], m_arburst[t*2 +: 2], m_arsize[t*3 +: 3],
              m_arlen[t*8 +: 8], m_araddr[t*AddrW +: AddrW], m_arvalid[t],
              m_bready[t], m_wlast[t], m_wstrb[t*StrbW +: StrbW], m_wdata[t*DataW +: DataW], m_wvalid[t],
              m_awqos[t*4 +: 4], m_awprot[t*3 +: 3], m_awcache[t*4 +: 4], m_awlock[t], m_awburst[t*2 +: 2], m_awsize[t*3 +: 3],
              m_awlen[t*8 +: 8], m_awaddr[t*AddrW +: AddrW], m_awvalid[t]};
      anl_axi_checker #(.Bursts(Bursts + 1), .IdW(1), .AddrW(AddrW), .DataW(DataW)) u_checker (
        .clk_i, .rst_i, .awvalid_i(m_awvalid[t]), .awready_i(m_awready[t]), .awid_i(1'b0),
        .awaddr_i(m_awaddr[t*AddrW +: AddrW]), .awlen_i(m_awlen[t*8 +: 8]), .awsize_i(m_awsize[t*3 +: 3]),
        .awburst_i(m_awburst[t*2 +: 2]), .awlock_i(m_awlock[t]),
        .awattr_i({m_awqos[t*4 +: 4], m_awprot[t*3 +: 3], m_awcache[t*4 +: 4]}),
        .wvalid_i(m_wvalid[t]), .wready_i(m_wready[t]), .wdata_i(m_wdata[t*DataW +: DataW]),
        .wstrb_i(m_wstrb[t*StrbW +: StrbW]), .wlast_i(m_wlast[t]),
        .bvalid_i(m_bvalid[t]), .bready_i(m_bready[t]), .bid_i(1'b0), .bresp_i(m_bresp[t*2 +: 2]),
        .arvalid_i(m_arvalid[t]), .arready_i(m_arready[t]), .arid_i(1'b0),
        .araddr_i(m_araddr[t*AddrW +: AddrW]), .arlen_i(m_arlen[t*8 +: 8]), .arsize_i(m_arsize[t*3 +: 3]),
        .arburst_i(m_arburst[t*2 +: 2]), .arlock_i(m_arlock[t]),
        .arattr_i({m_arqos[t*4 +: 4], m_arprot[t*3 +: 3], m_arcache[t*4 +: 4]}),
        .rvalid_i(m_rvalid[t]), .rready_i(m_rready[t]), .rid_i(1'b0), .rdata_i(m_rdata[t*DataW +: DataW]),
        .rresp_i(m_rresp[t*2 +: 2]), .rlast_i(m_rlast[t]), .broken_o(broken)
      );
      always @(posedge clk_i)
        if (broken != '0) bench_assertion::bench_failed("a rule of a manager port", `__FILE__, `__LINE__);
    end else begin : g_no_memory
      assign {m_awready[t], m_wready[t], m_bvalid[t], m_arready[t], m_rvalid[t], m_rlast[t]} = '0;
      assign {m_bresp[t*2 +: 2], m_rresp[t*2 +: 2], m_rdata[t*DataW +: DataW]} = '0;
    end
  end

  anl_axi_cube #(
    .K(K), .N(N), .Users(Users), .Memories(Memories), .Depth(Depth), .Stages(Stages), .Bursts(Bursts),
    .MaxBeats(MaxBeats), .Room(Room), .Reorder(Reorder), .Rows(Rows), .IdW(IdW), .AddrW(AddrW), .DataW(DataW)
  ) u_dut (
    .clk_i, .rst_i, .seed_i('0), .map_i(map),
    .s_awvalid_i(awvalid), .s_awready_o(awready), .s_awid_i(awid), .s_awaddr_i(awaddr), .s_awlen_i(awlen), .s_awsize_i(awsize),
    .s_awburst_i(awburst), .s_awlock_i(awlock), .s_awcache_i(awcache), .s_awprot_i(awprot), .s_awqos_i(awqos),
    .s_wvalid_i(wvalid), .s_wready_o(wready), .s_wdata_i(wdata), .s_wstrb_i(wstrb), .s_wlast_i(wlast),
    .s_bvalid_o(bvalid), .s_bready_i(bready), .s_bid_o(bid), .s_bresp_o(bresp),
    .s_arvalid_i(arvalid), .s_arready_o(arready), .s_arid_i(arid), .s_araddr_i(araddr), .s_arlen_i(arlen), .s_arsize_i(arsize),
    .s_arburst_i(arburst), .s_arlock_i(arlock), .s_arcache_i(arcache), .s_arprot_i(arprot), .s_arqos_i(arqos),
    .s_rvalid_o(rvalid), .s_rready_i(rready), .s_rid_o(rid), .s_rdata_o(rdata), .s_rresp_o(rresp), .s_rlast_o(rlast),
    .s_write_stalls_o(write_stalls), .s_read_stalls_o(read_stalls),
    .m_awvalid_o(m_awvalid), .m_awready_i(m_awready), .m_awaddr_o(m_awaddr), .m_awlen_o(m_awlen), .m_awsize_o(m_awsize),
    .m_awburst_o(m_awburst), .m_awlock_o(m_awlock), .m_awcache_o(m_awcache), .m_awprot_o(m_awprot), .m_awqos_o(m_awqos),
    .m_wvalid_o(m_wvalid), .m_wready_i(m_wready), .m_wdata_o(m_wdata), .m_wstrb_o(m_wstrb), .m_wlast_o(m_wlast),
    .m_bvalid_i(m_bvalid), .m_bready_o(m_bready), .m_bresp_i(m_bresp),
    .m_arvalid_o(m_arvalid), .m_arready_i(m_arready), .m_araddr_o(m_araddr), .m_arlen_o(m_arlen), .m_arsize_o(m_arsize),
    .m_arburst_o(m_arburst), .m_arlock_o(m_arlock), .m_arcache_o(m_arcache), .m_arprot_o(m_arprot), .m_arqos_o(m_arqos),
    .m_rvalid_i(m_rvalid), .m_rready_o(m_rready), .m_rdata_i(m_rdata), .m_rresp_i(m_rresp), .m_rlast_i(m_rlast)
  );

endmodule
