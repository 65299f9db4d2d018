// SPDX-License-Identifier: Apache-2.0
//
// A mesh or hypercube with ports of AXI4: subordinate ports at the terminals of Users, manager ports at those of
// Memories (docs/axi.md). A terminal may have both.
//
// Each terminal is an anl_axis_terminal with two classes of one lane each: requests in class 0, replies in class 1. Each
// port is a vector with an entry for each terminal, terminal 0 in the lowest bits. Entries of terminals without such a
// port are not read, or are 0. All subordinate ports have the same address map.
// Timing: that of anl_axi_subordinate and anl_axi_manager.

// Terminals without a port leave theirs unread, and outputs that are not needed here are left open.
// verilator lint_off UNUSEDSIGNAL
// verilator lint_off PINCONNECTEMPTY

module anl_axi_cube #(
  parameter  int K         = 2,                     // switches in each dimension
  parameter  int N         = 2,                     // dimensions
  parameter  int Topology  = anl_cube_pkg::Mesh,    // Mesh or Hypercube (anl_cube_pkg)
  parameter  int Users     = 9,                     // bit t: terminal t, 0 .. 30, has a subordinate port
  parameter  int Memories  = 6,                     // bit t: terminal t, 0 .. 30, has a manager port
  parameter  int Depth     = 4,                     // flits of a lane, as of anl_cube
  parameter  int Stages    = 1,                     // of a switch, 1 or 2
  parameter  int LinkCycles = 1,                    // of a link between switches, 1 .. 16
  parameter  int Bursts    = 4,                     // under way at most, of each port and direction
  parameter  int MaxBeats  = 256,                   // of a burst
  parameter  int Room      = 256,                   // beats of data in each direction of a subordinate port
  parameter  int Reorder   = 0,                     // slots of a reorder buffer, 0 .. 16; 0: none (anl_axi_subordinate)
  parameter  int Rows      = 1,                     // of the address map
  parameter  int IdW       = 4,
  parameter  int AddrW     = 32,
  parameter  int DataW     = 64,
  localparam int S         = anl_cube_pkg::power(K, N),
  localparam int DstW      = anl_cube_pkg::label_width(K, N),
  localparam int RowW      = 2 * AddrW + DstW,
  localparam int StrbW     = DataW / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [S*32-1:0]      seed_i,              // of the switches, sampled in reset
  input  logic [Rows*RowW-1:0] map_i,               // constant (anl_axi_map)

  // AXI4, from the users' managers.
  input  logic [S-1:0]         s_awvalid_i,
  output logic [S-1:0]         s_awready_o,
  input  logic [S*IdW-1:0]     s_awid_i,
  input  logic [S*AddrW-1:0]   s_awaddr_i,
  input  logic [S*8-1:0]       s_awlen_i,
  input  logic [S*3-1:0]       s_awsize_i,
  input  logic [S*2-1:0]       s_awburst_i,
  input  logic [S-1:0]         s_awlock_i,
  input  logic [S*4-1:0]       s_awcache_i,
  input  logic [S*3-1:0]       s_awprot_i,
  input  logic [S*4-1:0]       s_awqos_i,
  input  logic [S-1:0]         s_wvalid_i,
  output logic [S-1:0]         s_wready_o,
  input  logic [S*DataW-1:0]   s_wdata_i,
  input  logic [S*StrbW-1:0]   s_wstrb_i,
  input  logic [S-1:0]         s_wlast_i,
  output logic [S-1:0]         s_bvalid_o,
  input  logic [S-1:0]         s_bready_i,
  output logic [S*IdW-1:0]     s_bid_o,
  output logic [S*2-1:0]       s_bresp_o,
  input  logic [S-1:0]         s_arvalid_i,
  output logic [S-1:0]         s_arready_o,
  input  logic [S*IdW-1:0]     s_arid_i,
  input  logic [S*AddrW-1:0]   s_araddr_i,
  input  logic [S*8-1:0]       s_arlen_i,
  input  logic [S*3-1:0]       s_arsize_i,
  input  logic [S*2-1:0]       s_arburst_i,
  input  logic [S-1:0]         s_arlock_i,
  input  logic [S*4-1:0]       s_arcache_i,
  input  logic [S*3-1:0]       s_arprot_i,
  input  logic [S*4-1:0]       s_arqos_i,
  output logic [S-1:0]         s_rvalid_o,
  input  logic [S-1:0]         s_rready_i,
  output logic [S*IdW-1:0]     s_rid_o,
  output logic [S*DataW-1:0]   s_rdata_o,
  output logic [S*2-1:0]       s_rresp_o,
  output logic [S-1:0]         s_rlast_o,
  output logic [S*32-1:0]      s_write_stalls_o,    // anl_axi_subordinate
  output logic [S*32-1:0]      s_read_stalls_o,

  // AXI4, to the memories. AxID is 0.
  output logic [S-1:0]         m_awvalid_o,
  input  logic [S-1:0]         m_awready_i,
  output logic [S*AddrW-1:0]   m_awaddr_o,
  output logic [S*8-1:0]       m_awlen_o,
  output logic [S*3-1:0]       m_awsize_o,
  output logic [S*2-1:0]       m_awburst_o,
  output logic [S-1:0]         m_awlock_o,
  output logic [S*4-1:0]       m_awcache_o,
  output logic [S*3-1:0]       m_awprot_o,
  output logic [S*4-1:0]       m_awqos_o,
  output logic [S-1:0]         m_wvalid_o,
  input  logic [S-1:0]         m_wready_i,
  output logic [S*DataW-1:0]   m_wdata_o,
  output logic [S*StrbW-1:0]   m_wstrb_o,
  output logic [S-1:0]         m_wlast_o,
  input  logic [S-1:0]         m_bvalid_i,
  output logic [S-1:0]         m_bready_o,
  input  logic [S*2-1:0]       m_bresp_i,
  output logic [S-1:0]         m_arvalid_o,
  input  logic [S-1:0]         m_arready_i,
  output logic [S*AddrW-1:0]   m_araddr_o,
  output logic [S*8-1:0]       m_arlen_o,
  output logic [S*3-1:0]       m_arsize_o,
  output logic [S*2-1:0]       m_arburst_o,
  output logic [S-1:0]         m_arlock_o,
  output logic [S*4-1:0]       m_arcache_o,
  output logic [S*3-1:0]       m_arprot_o,
  output logic [S*4-1:0]       m_arqos_o,
  input  logic [S-1:0]         m_rvalid_i,
  output logic [S-1:0]         m_rready_o,
  input  logic [S*DataW-1:0]   m_rdata_i,
  input  logic [S*2-1:0]       m_rresp_i,
  input  logic [S-1:0]         m_rlast_i
);

  localparam int Classes = 2;                       // requests, replies
  localparam int BeatW   = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW);
  localparam int FlitW   = DstW + BeatW;
  localparam int LinkW   = FlitW + 2;
  localparam int LengthW = anl_head_pkg::LengthW;
  localparam int RankW   = anl_head_pkg::RankW;

  // Each class has one lane, so rings have no dateline lanes. Modules that are wanted beyond a limit are nowhere, which
  // ends the elaboration of every tool.
  if (Topology != anl_cube_pkg::Mesh && Topology != anl_cube_pkg::Hypercube) begin : g_topology
    topology_of_anl_axi_cube_is_mesh_or_hypercube u_refused ();
  end
  if (Users < 0 || Memories < 0 || (S < 31 && (Users >> S != 0 || Memories >> S != 0))) begin : g_ports
    users_and_memories_of_anl_axi_cube_are_terminals_of_it u_refused ();
  end

  logic [S-1:0]         inj_valid, inj_vc, ej_valid, ej_vc;
  logic [S*LinkW-1:0]   inj_flit, ej_flit;
  logic [S*Classes-1:0] inj_credit, ej_credit;

  anl_cube #(
    .K(K), .N(N), .Topology(Topology), .NumVcs(Classes), .Depth(Depth), .FlitW(FlitW), .Stages(Stages),
    .LinkCycles(LinkCycles), .Classes(Classes)
  ) u_cube (
    .clk_i, .rst_i, .seed_i,
    .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
    .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
  );

  for (genvar t = 0; t < S; t++) begin : g_terminal
    localparam int Label = anl_cube_pkg::label(K, N, t);
    logic             req_valid, req_ready, req_last, rep_valid, rep_ready, rep_last;              // to the network
    logic             in_req_valid, in_req_ready, in_req_last, in_rep_valid, in_rep_ready, in_rep_last;  // from it
    logic [BeatW-1:0] req_data, rep_data, in_req_data, in_rep_data;
    logic [DstW-1:0]  req_dest, rep_dest;

    anl_axis_terminal #(
      .NumVcs(Classes), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .Classes(Classes)
    ) u_terminal (
      .clk_i, .rst_i,
      .s_tvalid_i({rep_valid, req_valid}), .s_tready_o({rep_ready, req_ready}), .s_tdata_i({rep_data, req_data}),
      .s_tlast_i({rep_last, req_last}), .s_tdest_i({rep_dest, req_dest}), .s_beats_i({Classes*LengthW{1'b0}}),
      .s_vcs_i({Classes{1'b1}}), .distance_i({Classes*RankW{1'b0}}), .path_i({Classes{1'b0}}),
      .m_tvalid_o({in_rep_valid, in_req_valid}), .m_tready_i({in_rep_ready, in_req_ready}),
      .m_tdata_o({in_rep_data, in_req_data}), .m_tlast_o({in_rep_last, in_req_last}), .m_lane_o(),
      .inj_valid_o(inj_valid[t]), .inj_vc_o(inj_vc[t]), .inj_flit_o(inj_flit[t*LinkW +: LinkW]),
      .inj_credit_i(inj_credit[t*Classes +: Classes]),
      .ej_valid_i(ej_valid[t]), .ej_vc_i(ej_vc[t]), .ej_flit_i(ej_flit[t*LinkW +: LinkW]),
      .ej_credit_o(ej_credit[t*Classes +: Classes])
    );

    if (t < 31 && (Users >> t) % 2 == 1) begin : g_user
      anl_axi_subordinate #(
        .Bursts(Bursts), .MaxBeats(MaxBeats), .WriteRoom(Room), .ReadRoom(Room), .Reorder(Reorder), .Rows(Rows),
        .IdW(IdW), .AddrW(AddrW), .DataW(DataW), .DstW(DstW)
      ) u_port (
        .clk_i, .rst_i, .map_i, .here_i(Label[DstW-1:0]),
        .s_awvalid_i(s_awvalid_i[t]), .s_awready_o(s_awready_o[t]), .s_awid_i(s_awid_i[t*IdW +: IdW]),
        .s_awaddr_i(s_awaddr_i[t*AddrW +: AddrW]), .s_awlen_i(s_awlen_i[t*8 +: 8]), .s_awsize_i(s_awsize_i[t*3 +: 3]),
        .s_awburst_i(s_awburst_i[t*2 +: 2]), .s_awlock_i(s_awlock_i[t]), .s_awcache_i(s_awcache_i[t*4 +: 4]),
        .s_awprot_i(s_awprot_i[t*3 +: 3]), .s_awqos_i(s_awqos_i[t*4 +: 4]),
        .s_wvalid_i(s_wvalid_i[t]), .s_wready_o(s_wready_o[t]), .s_wdata_i(s_wdata_i[t*DataW +: DataW]),
        .s_wstrb_i(s_wstrb_i[t*StrbW +: StrbW]), .s_wlast_i(s_wlast_i[t]),
        .s_bvalid_o(s_bvalid_o[t]), .s_bready_i(s_bready_i[t]), .s_bid_o(s_bid_o[t*IdW +: IdW]),
        .s_bresp_o(s_bresp_o[t*2 +: 2]),
        .s_arvalid_i(s_arvalid_i[t]), .s_arready_o(s_arready_o[t]), .s_arid_i(s_arid_i[t*IdW +: IdW]),
        .s_araddr_i(s_araddr_i[t*AddrW +: AddrW]), .s_arlen_i(s_arlen_i[t*8 +: 8]), .s_arsize_i(s_arsize_i[t*3 +: 3]),
        .s_arburst_i(s_arburst_i[t*2 +: 2]), .s_arlock_i(s_arlock_i[t]), .s_arcache_i(s_arcache_i[t*4 +: 4]),
        .s_arprot_i(s_arprot_i[t*3 +: 3]), .s_arqos_i(s_arqos_i[t*4 +: 4]),
        .s_rvalid_o(s_rvalid_o[t]), .s_rready_i(s_rready_i[t]), .s_rid_o(s_rid_o[t*IdW +: IdW]),
        .s_rdata_o(s_rdata_o[t*DataW +: DataW]), .s_rresp_o(s_rresp_o[t*2 +: 2]), .s_rlast_o(s_rlast_o[t]),
        .req_valid_o(req_valid), .req_ready_i(req_ready), .req_data_o(req_data), .req_last_o(req_last),
        .req_dest_o(req_dest),
        .rep_valid_i(in_rep_valid), .rep_ready_o(in_rep_ready), .rep_data_i(in_rep_data), .rep_last_i(in_rep_last),
        .write_stalls_o(s_write_stalls_o[t*32 +: 32]), .read_stalls_o(s_read_stalls_o[t*32 +: 32])
      );
    end else begin : g_no_user
      assign {req_valid, req_last, req_data, req_dest, in_rep_ready} = '0;
      assign {s_awready_o[t], s_wready_o[t], s_bvalid_o[t], s_arready_o[t], s_rvalid_o[t], s_rlast_o[t]} = '0;
      assign {s_bid_o[t*IdW +: IdW], s_rid_o[t*IdW +: IdW], s_bresp_o[t*2 +: 2], s_rresp_o[t*2 +: 2]} = '0;
      assign s_rdata_o[t*DataW +: DataW] = '0;
      assign {s_write_stalls_o[t*32 +: 32], s_read_stalls_o[t*32 +: 32]} = '0;
    end

    if (t < 31 && (Memories >> t) % 2 == 1) begin : g_memory
      anl_axi_manager #(.Bursts(Bursts), .IdW(IdW), .AddrW(AddrW), .DataW(DataW), .DstW(DstW)) u_port (
        .clk_i, .rst_i,
        .req_valid_i(in_req_valid), .req_ready_o(in_req_ready), .req_data_i(in_req_data), .req_last_i(in_req_last),
        .rep_valid_o(rep_valid), .rep_ready_i(rep_ready), .rep_data_o(rep_data), .rep_last_o(rep_last),
        .rep_dest_o(rep_dest),
        .m_awvalid_o(m_awvalid_o[t]), .m_awready_i(m_awready_i[t]), .m_awaddr_o(m_awaddr_o[t*AddrW +: AddrW]),
        .m_awlen_o(m_awlen_o[t*8 +: 8]), .m_awsize_o(m_awsize_o[t*3 +: 3]), .m_awburst_o(m_awburst_o[t*2 +: 2]),
        .m_awlock_o(m_awlock_o[t]), .m_awcache_o(m_awcache_o[t*4 +: 4]), .m_awprot_o(m_awprot_o[t*3 +: 3]),
        .m_awqos_o(m_awqos_o[t*4 +: 4]),
        .m_wvalid_o(m_wvalid_o[t]), .m_wready_i(m_wready_i[t]), .m_wdata_o(m_wdata_o[t*DataW +: DataW]),
        .m_wstrb_o(m_wstrb_o[t*StrbW +: StrbW]), .m_wlast_o(m_wlast_o[t]),
        .m_bvalid_i(m_bvalid_i[t]), .m_bready_o(m_bready_o[t]), .m_bresp_i(m_bresp_i[t*2 +: 2]),
        .m_arvalid_o(m_arvalid_o[t]), .m_arready_i(m_arready_i[t]), .m_araddr_o(m_araddr_o[t*AddrW +: AddrW]),
        .m_arlen_o(m_arlen_o[t*8 +: 8]), .m_arsize_o(m_arsize_o[t*3 +: 3]), .m_arburst_o(m_arburst_o[t*2 +: 2]),
        .m_arlock_o(m_arlock_o[t]), .m_arcache_o(m_arcache_o[t*4 +: 4]), .m_arprot_o(m_arprot_o[t*3 +: 3]),
        .m_arqos_o(m_arqos_o[t*4 +: 4]),
        .m_rvalid_i(m_rvalid_i[t]), .m_rready_o(m_rready_o[t]), .m_rdata_i(m_rdata_i[t*DataW +: DataW]),
        .m_rresp_i(m_rresp_i[t*2 +: 2]), .m_rlast_i(m_rlast_i[t])
      );
    end else begin : g_no_memory
      assign {rep_valid, rep_last, rep_data, rep_dest, in_req_ready} = '0;
      assign {m_awvalid_o[t], m_awlock_o[t], m_wvalid_o[t], m_wlast_o[t], m_bready_o[t], m_arvalid_o[t]} = '0;
      assign {m_arlock_o[t], m_rready_o[t]} = '0;
      assign {m_awaddr_o[t*AddrW +: AddrW], m_araddr_o[t*AddrW +: AddrW]} = '0;
      assign {m_awlen_o[t*8 +: 8], m_arlen_o[t*8 +: 8], m_awsize_o[t*3 +: 3], m_arsize_o[t*3 +: 3]} = '0;
      assign {m_awburst_o[t*2 +: 2], m_arburst_o[t*2 +: 2], m_awcache_o[t*4 +: 4], m_arcache_o[t*4 +: 4]} = '0;
      assign {m_awprot_o[t*3 +: 3], m_arprot_o[t*3 +: 3], m_awqos_o[t*4 +: 4], m_arqos_o[t*4 +: 4]} = '0;
      assign {m_wdata_o[t*DataW +: DataW], m_wstrb_o[t*StrbW +: StrbW]} = '0;
    end
  end

endmodule
