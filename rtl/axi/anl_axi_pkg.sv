// SPDX-License-Identifier: Apache-2.0
//
// Codes of AXI4 and the sizes of the beats that carry it (docs/axi.md, "Packets").

// The package names all codes, also those that no module compares with.
// verilator lint_off UNUSEDPARAM

package anl_axi_pkg;

  localparam int Fixed = 0;             // AxBURST
  localparam int Incr  = 1;
  localparam int Wrap  = 2;

  localparam int Okay   = 0;            // BRESP, RRESP
  localparam int ExOkay = 1;
  localparam int SlvErr = 2;
  localparam int DecErr = 3;

  localparam int LenW  = 8;
  localparam int RespW = 2;

  // The attributes of a burst as one vector: {AxQOS, AxPROT, AxCACHE, AxBURST, AxSIZE, AxLEN}.
  localparam int SizeLsb  = 8;
  localparam int BurstLsb = 11;
  localparam int AttrW    = 24;

  // The rules of anl_axi_checker (docs/axi.md, "Rules").
  localparam int AwChanged   = 0;
  localparam int WChanged    = 1;
  localparam int ArChanged   = 2;
  localparam int BChanged    = 3;
  localparam int RChanged    = 4;
  localparam int InReset     = 5;       // the manager
  localparam int AlsoInReset = 6;       // the subordinate
  localparam int BadBurst    = 7;
  localparam int Crosses4K   = 8;
  localparam int BadWLast    = 9;
  localparam int EarlyB      = 10;
  localparam int StrayR      = 11;
  localparam int BadRLast    = 12;
  localparam int StrayExOkay = 13;
  localparam int Interleaved = 14;
  localparam int TooMany     = 15;
  localparam int AfterReset  = 16;
  localparam int BadStrobe   = 17;
  localparam int Unknown     = 18;      // of the manager
  localparam int AlsoUnknown = 19;      // of the subordinate
  localparam int Rules       = 20;

  // Sets of rules: bit r is rule r.
  localparam int OfManager     = 32'h0703a7;
  localparam int OfSubordinate = 32'h087c58;

  // The head of a request: {address, attributes, ID, source, write}.
  function automatic int head_width(input int id_w, input int addr_w, input int dst_w);
    head_width = 1 + dst_w + id_w + AttrW + addr_w;
  endfunction

  // The beat of a write: {WSTRB, WDATA}.
  function automatic int write_width(input int data_w);
    write_width = data_w + data_w / 8;
  endfunction

  // The beat of a reply: {RDATA, ID, RESP, write}.
  function automatic int reply_width(input int id_w, input int data_w);
    reply_width = 1 + RespW + id_w + data_w;
  endfunction

  // Bits of a beat of either class, the widest of the three.
  function automatic int beat_width(input int id_w, input int addr_w, input int data_w, input int dst_w);
    beat_width = head_width(id_w, addr_w, dst_w);
    if (write_width(data_w) > beat_width) beat_width = write_width(data_w);
    if (reply_width(id_w, data_w) > beat_width) beat_width = reply_width(id_w, data_w);
  endfunction

endpackage
