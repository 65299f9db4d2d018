// SPDX-License-Identifier: Apache-2.0
// The configuration of ProNoC's router, in place of the file of the same name that ProNoC's tools write.
`ifdef NOC_LOCAL_PARAM
  // A mesh of at most 4 x 4 switches with a terminal each. T1, T2 and T3 are its sizes.
  localparam TOPOLOGY = "MESH", ROUTE_NAME = "XY", SELF_LOOP_EN = "NO";
  localparam T1 = 4, T2 = 4, T3 = 1;
  // Lanes, and flits that each of them holds at links between switches (B) and at the terminal's (LB).
  localparam V = 2, B = 4, LB = 4;
  // Flits of 32 bits, worms of one flit or more, to one terminal.
  localparam Fpay = 32, BYTE_EN = 0, MIN_PCK_SIZE = 1, MAX_PCK_SIZ = 16383;
  localparam PCK_TYPE = "MULTI_FLIT", CAST_TYPE = "UNICAST", MCAST_ENDP_LIST = 32'hf;
  // A router of two stages without bypasses; all lanes are for all worms.
  localparam SSA_EN = "NO", SMART_MAX = 0, ADD_PIPREG_AFTER_CROSSBAR = 1'b0;
  localparam COMBINATION_TYPE = "COMB_NONSPEC", VC_REALLOCATION_TYPE = "NONATOMIC", MUX_TYPE = "BINARY";
  localparam FIRST_ARBITER_EXT_P_EN = 1, SWA_ARBITER_TYPE = "RRA", WEIGHTw = 4;
  localparam C = 0, CVw = V, CLASS_SETTING = {V{1'b1}}, ESCAP_VC_MASK = 2'b01, AVC_ATOMIC_EN = 0, CONGESTION_INDEX = 3;
  // Of simulations.
  localparam DEBUG_EN = 0, MAX_PCK_NUM = 1000000000, MAX_SIM_CLKs = 1000000000, TIMSTMP_FIFO_NUM = 16;
`endif
