// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_axis_checker #(
  parameter int Index,
  parameter int TdataW,
  parameter int TidW = 1,
  parameter int TdestW = 1,
  parameter int TuserW = 1,
  parameter int Patience = 0,
  parameter int Rules = 1023
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int TkeepW = TdataW / 8;
  logic restart, tvalid, tready, tlast;
  logic [TdataW-1:0] tdata;
  logic [TkeepW-1:0] tkeep;
  logic [TidW-1:0] tid;
  logic [TdestW-1:0] tdest;
  logic [TuserW-1:0] tuser;
  logic [9:0] broken;

  `BENCH("anl_axis_checker", Index, {Rules, Patience, TuserW, TdestW, TidW, TdataW})
  // restart is a reset of the checker in the middle of a run.
  assign {tuser, tdest, tid, tlast, tkeep, tdata, tready, tvalid, restart} = in;
  assign out = broken;

  anl_axis_checker #(
    .TdataW(TdataW), .TidW(TidW), .TdestW(TdestW), .TuserW(TuserW), .Patience(Patience), .Rules(Rules), .Say(0)
  ) u_dut (
    .clk_i, .rst_i(rst_i || restart), .tvalid_i(tvalid), .tready_i(tready), .tdata_i(tdata), .tkeep_i(tkeep),
    .tlast_i(tlast), .tid_i(tid), .tdest_i(tdest), .tuser_i(tuser), .broken_o(broken)
  );

endmodule
