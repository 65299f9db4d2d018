// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_axi_checker #(
  parameter int Index,
  parameter int Bursts,
  parameter int IdW,
  parameter int DataW,
  parameter int Rules = -1
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int AddrW = 13;
  localparam int StrbW = DataW / 8;
  logic restart;
  logic awvalid, awready, awlock, wvalid, wready, wlast, bvalid, bready, arvalid, arready, arlock, rvalid, rready, rlast;
  logic [IdW-1:0] awid, bid, arid, rid;
  logic [AddrW-1:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [2:0] awsize, arsize;
  logic [1:0] awburst, arburst, bresp, rresp;
  logic [StrbW-1:0] wstrb;
  logic [10:0] awattr, arattr;
  logic [DataW-1:0] wdata, rdata;
  logic [anl_axi_pkg::Rules-1:0] broken;

  `BENCH("anl_axi_checker", Index, {Rules, DataW, IdW, Bursts})
  assign {rlast, rresp, rdata, rid, rready, rvalid, bresp, bid, bready, bvalid, wlast, wstrb, wdata, wready, wvalid,
          arattr, arlock, arburst, arsize, arlen, araddr, arid, arready, arvalid,
          awattr, awlock, awburst, awsize, awlen, awaddr, awid, awready, awvalid, restart} = in;
  assign out = 2048'(broken);

  anl_axi_checker #(.Bursts(Bursts), .IdW(IdW), .AddrW(AddrW), .DataW(DataW), .Rules(Rules), .Say(0)) u_dut (
    .clk_i, .rst_i(rst_i || restart),
    .awvalid_i(awvalid), .awready_i(awready), .awid_i(awid), .awaddr_i(awaddr), .awlen_i(awlen), .awsize_i(awsize),
    .awburst_i(awburst), .awlock_i(awlock), .awattr_i(awattr),
    .wvalid_i(wvalid), .wready_i(wready), .wdata_i(wdata), .wstrb_i(wstrb), .wlast_i(wlast),
    .bvalid_i(bvalid), .bready_i(bready), .bid_i(bid), .bresp_i(bresp),
    .arvalid_i(arvalid), .arready_i(arready), .arid_i(arid), .araddr_i(araddr), .arlen_i(arlen), .arsize_i(arsize),
    .arburst_i(arburst), .arlock_i(arlock), .arattr_i(arattr),
    .rvalid_i(rvalid), .rready_i(rready), .rid_i(rid), .rdata_i(rdata), .rresp_i(rresp), .rlast_i(rlast),
    .broken_o(broken)
  );

endmodule
