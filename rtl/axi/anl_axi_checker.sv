// SPDX-License-Identifier: Apache-2.0
//
// Checks a port of AXI4 by the rules of docs/axi.md, "Rules". Bit r of broken_o is 1 in the cycle in which rule r is
// broken (anl_axi_pkg names them).
//
// It follows at most Bursts bursts of each direction. In a simulation the first broken rule is named once. For a prover,
// which defines FORMAL, rules of Assert are asserted and those of Assume are assumed.
// Timing: broken_o is a function of registers and of all inputs.

// A simulation does not read the masks of a prover.
// verilator lint_off UNUSEDPARAM
// Of an address the checker reads what decides alignment and the 4 KiB boundary.
// verilator lint_off UNUSEDSIGNAL

module anl_axi_checker #(
  parameter  int Bursts = 16,                      // bursts under way at most, 1 .. 64
  parameter  int IdW    = 4,
  parameter  int AddrW  = 32,
  parameter  int DataW  = 64,
  parameter  int Rules  = -1,                      // bit r: rule r is looked for
  parameter  int Assert = -1,                      // of these, what a prover asserts
  parameter  int Assume = 0,                       // and what it assumes
  parameter  int Say    = 1,                       // 0: silent, 1: $display, 2: $error
  localparam int LenW   = anl_axi_pkg::LenW,
  localparam int NumRules = anl_axi_pkg::Rules
) (
  input  logic               clk_i,
  input  logic               rst_i,

  input  logic               awvalid_i,
  input  logic               awready_i,
  input  logic [IdW-1:0]     awid_i,
  input  logic [AddrW-1:0]   awaddr_i,
  input  logic [7:0]         awlen_i,
  input  logic [2:0]         awsize_i,
  input  logic [1:0]         awburst_i,
  input  logic               awlock_i,
  input  logic [10:0]        awattr_i,             // {AWQOS, AWPROT, AWCACHE}

  input  logic               wvalid_i,
  input  logic               wready_i,
  input  logic [DataW-1:0]   wdata_i,
  input  logic [DataW/8-1:0] wstrb_i,
  input  logic               wlast_i,

  input  logic               bvalid_i,
  input  logic               bready_i,
  input  logic [IdW-1:0]     bid_i,
  input  logic [1:0]         bresp_i,

  input  logic               arvalid_i,
  input  logic               arready_i,
  input  logic [IdW-1:0]     arid_i,
  input  logic [AddrW-1:0]   araddr_i,
  input  logic [7:0]         arlen_i,
  input  logic [2:0]         arsize_i,
  input  logic [1:0]         arburst_i,
  input  logic               arlock_i,
  input  logic [10:0]        arattr_i,             // {ARQOS, ARPROT, ARCACHE}

  input  logic               rvalid_i,
  input  logic               rready_i,
  input  logic [IdW-1:0]     rid_i,
  input  logic [DataW-1:0]   rdata_i,
  input  logic [1:0]         rresp_i,
  input  logic               rlast_i,

  output logic [NumRules-1:0] broken_o
);

  localparam int CntW = $clog2(Bursts + 1);
  localparam int AskW = IdW + AddrW + LenW + 3 + 2 + 1 + 11;
  localparam int DatW = DataW + DataW / 8 + 1;
  localparam int RdW  = IdW + DataW + 3;
  localparam int Bytes = DataW / 8;
  localparam int LowW = 7;                         // bits of an address that say the lane of a byte
  localparam int ShapeW = LowW + 2 + 3;            // {low bits of the address, AxBURST, AxSIZE}

  // The module that is wanted beyond a limit is nowhere, which ends the elaboration of every tool.
  if (Bursts < 1 || Bursts > 64) begin : g_bursts
    bursts_of_anl_axi_checker_are_1_to_64 u_refused ();
  end

  logic [NumRules-1:0] broken;

  // What was shown in the cycle before and not taken.
  logic                aw_waits_q, w_waits_q, b_waits_q, ar_waits_q, r_waits_q;
  logic [AskW-1:0]     aw_q, ar_q;
  logic [DatW-1:0]     w_q;
  logic [IdW+1:0]      b_q;
  logic [RdW-1:0]      r_q;
  wire  [AskW-1:0]     aw = {awid_i, awaddr_i, awlen_i, awsize_i, awburst_i, awlock_i, awattr_i};
  wire  [AskW-1:0]     ar = {arid_i, araddr_i, arlen_i, arsize_i, arburst_i, arlock_i, arattr_i};
  wire  [DatW-1:0]     w  = {wdata_i, wstrb_i, wlast_i};
  wire  [IdW+1:0]      b  = {bid_i, bresp_i};
  wire  [RdW-1:0]      r  = {rid_i, rdata_i, rresp_i, rlast_i};

  always_ff @(posedge clk_i) begin : waits
    {aw_q, w_q, b_q, ar_q, r_q} <= {aw, w, b, ar, r};
    aw_waits_q <= !rst_i && awvalid_i && !awready_i;
    w_waits_q  <= !rst_i && wvalid_i && !wready_i;
    b_waits_q  <= !rst_i && bvalid_i && !bready_i;
    ar_waits_q <= !rst_i && arvalid_i && !arready_i;
    r_waits_q  <= !rst_i && rvalid_i && !rready_i;
  end

  // Whether a burst is one that the standard forbids.
  function automatic logic bad(input logic [2:0] size, input logic [1:0] kind, input logic [7:0] len, input logic [6:0] low);
    logic [6:0] in_beat;
    in_beat = low & ~(7'h7f << size);
    bad = (1 << size) > Bytes || kind == 2'b11 || (32'(kind) == anl_axi_pkg::Fixed && len > 8'd15)
          || (32'(kind) == anl_axi_pkg::Wrap && (in_beat != '0 || (len != 8'd1 && len != 8'd3 && len != 8'd7 && len != 8'd15)));
  endfunction

  // Whether an INCR burst leaves its 4 KiB.
  function automatic logic crosses(input logic [2:0] size, input logic [1:0] kind, input logic [7:0] len, input logic [11:0] low);
    logic [11:0] first;
    first   = low & (12'hfff << size);
    crosses = 32'(kind) == anl_axi_pkg::Incr && 32'(first) + ((32'(len) + 1) << size) > 4096;
  endfunction

  // The byte lanes of transfer n of a burst.
  function automatic logic [Bytes-1:0] lanes(input logic [ShapeW-1:0] shape, input logic [LenW-1:0] len, input logic [LenW-1:0] n);
    int low, size, step, total, at, first;
    low   = 32'(shape[5 +: LowW]);
    size  = 32'(shape[2:0]);
    step  = 1 << size;
    total = (32'(len) + 1) << size;
    case (32'(shape[4:3]))
      anl_axi_pkg::Fixed: at = low;
      anl_axi_pkg::Wrap:  at = (low & ~(total - 1)) | ((low + (32'(n) << size)) & (total - 1));
      default:            at = n == '0 ? low : (low & ~(step - 1)) + (32'(n) << size);
    endcase
    at    = at & (Bytes - 1);
    first = at & ~(step - 1);
    for (int l = 0; l < Bytes; l++) lanes[l] = l >= at && l < first + step;
  endfunction

  // Writes under way, oldest first. Addresses and data come in the same order, each ahead of the other or not: the
  // first n_aw_q of the list have their address, the first n_w_q all their data.
  logic [Bursts*IdW-1:0]  w_id_d, w_id_q;
  logic [Bursts*LenW-1:0] w_len_d, w_len_q;        // as AWLEN; if data came first, as many as they are
  logic [Bursts-1:0]      w_lock_d, w_lock_q;
  logic [Bursts*ShapeW-1:0] w_shape_d, w_shape_q;
  logic [CntW-1:0]        n_aw_d, n_aw_q, n_w_d, n_w_q;
  logic [LenW-1:0]        w_sent_d, w_sent_q;      // transfers of the burst that is coming
  logic [CntW-1:0]        b_at;                    // the oldest write of the ID of the response
  logic                   b_found, b_early, aw_full, w_full, wlast_wrong, w_known;
  logic [LenW-1:0]        w_due;                   // AWLEN of the burst that is coming, if it is known
  logic [ShapeW-1:0]      w_shape;                 // the same of its shape
  wire  [ShapeW-1:0]      aw_shape = {LowW'(awaddr_i), awburst_i, awsize_i};

  always_comb begin : follow_writes
    w_id_d   = w_id_q;
    w_len_d  = w_len_q;
    w_lock_d = w_lock_q;
    w_shape_d = w_shape_q;
    n_aw_d   = n_aw_q;
    n_w_d    = n_w_q;
    w_sent_d = w_sent_q;
    w_known  = awvalid_i && awready_i && n_aw_q == n_w_q;
    w_due    = awlen_i;
    w_shape  = aw_shape;
    aw_full  = 32'(n_aw_q) == Bursts;
    w_full   = 32'(n_w_q) == Bursts;
    wlast_wrong = 1'b0;

    b_at    = '0;
    b_found = 1'b0;
    for (int i = Bursts - 1; i >= 0; i--) begin
      if (i < 32'(n_aw_q) && w_id_q[i*IdW +: IdW] == bid_i) begin
        b_at    = CntW'(i);
        b_found = 1'b1;
      end
      if (i < 32'(n_aw_q) && i == 32'(n_w_q)) begin
        w_known = 1'b1;
        w_due   = w_len_q[i*LenW +: LenW];
        w_shape = w_shape_q[i*ShapeW +: ShapeW];
      end
    end
    b_early = !b_found || b_at >= n_w_q;

    // Data.
    if (wvalid_i && wready_i && !w_full) begin
      wlast_wrong = w_known ? wlast_i != (w_sent_q == w_due) : !wlast_i && w_sent_q == '1;
      w_sent_d    = wlast_i ? '0 : w_sent_q + 1'b1;
      if (wlast_i) begin
        n_w_d = n_w_q + 1'b1;
        if (!w_known)
          for (int i = 0; i < Bursts; i++) if (i == 32'(n_w_q)) w_len_d[i*LenW +: LenW] = w_sent_q;
      end
    end
    // Addresses.
    if (awvalid_i && awready_i && !aw_full) begin
      n_aw_d = n_aw_q + 1'b1;
      for (int i = 0; i < Bursts; i++) begin
        if (i == 32'(n_aw_q)) begin
          if (i < 32'(n_w_q) && w_len_q[i*LenW +: LenW] != awlen_i) wlast_wrong = 1'b1;
          w_id_d[i*IdW +: IdW]    = awid_i;
          w_len_d[i*LenW +: LenW] = awlen_i;
          w_lock_d[i]             = awlock_i;
          w_shape_d[i*ShapeW +: ShapeW] = aw_shape;
        end
      end
      if (n_aw_q == n_w_q && w_sent_q > awlen_i) wlast_wrong = 1'b1;
    end
    // Responses.
    if (bvalid_i && bready_i && !b_early) begin
      for (int i = 0; i < Bursts - 1; i++) begin
        if (i >= 32'(b_at)) begin
          w_id_d[i*IdW +: IdW]    = w_id_d[(i+1)*IdW +: IdW];
          w_len_d[i*LenW +: LenW] = w_len_d[(i+1)*LenW +: LenW];
          w_lock_d[i]             = w_lock_d[i+1];
          w_shape_d[i*ShapeW +: ShapeW] = w_shape_d[(i+1)*ShapeW +: ShapeW];
        end
      end
      n_aw_d = n_aw_d - 1'b1;
      n_w_d  = n_w_d - 1'b1;
    end
  end

  wire strobe_wrong = wvalid_i && wready_i && !w_full && w_known
                      && !bad(w_shape[2:0], w_shape[4:3], w_due, w_shape[5 +: LowW])
                      && (wstrb_i & ~lanes(w_shape, w_due, w_sent_q)) != '0;

  // Reads under way, oldest first.
  logic [Bursts*IdW-1:0]  r_id_d, r_id_q;
  logic [Bursts*LenW-1:0] r_left_d, r_left_q;      // beats still to come, less one
  logic [Bursts-1:0]      r_lock_d, r_lock_q;
  logic [CntW-1:0]        n_ar_d, n_ar_q, r_at;
  logic                   r_found, ar_full, r_end, r_locked, b_locked;
  logic                   open_q;                  // a burst of the ID open_id_q has begun and not ended
  logic [IdW-1:0]         open_id_q;

  always_comb begin : follow_reads
    r_id_d   = r_id_q;
    r_left_d = r_left_q;
    r_lock_d = r_lock_q;
    n_ar_d   = n_ar_q;
    ar_full  = 32'(n_ar_q) == Bursts;
    r_at     = '0;
    r_found  = 1'b0;
    r_end    = 1'b0;
    r_locked = 1'b0;
    b_locked = 1'b0;
    for (int i = Bursts - 1; i >= 0; i--) begin
      if (i < 32'(n_ar_q) && r_id_q[i*IdW +: IdW] == rid_i) begin
        r_at     = CntW'(i);
        r_found  = 1'b1;
        r_end    = r_left_q[i*LenW +: LenW] == '0;
        r_locked = r_lock_q[i];
      end
      if (i == 32'(b_at)) b_locked = w_lock_q[i];
    end

    if (arvalid_i && arready_i && !ar_full) begin
      n_ar_d = n_ar_q + 1'b1;
      for (int i = 0; i < Bursts; i++) begin
        if (i == 32'(n_ar_q)) begin
          r_id_d[i*IdW +: IdW]     = arid_i;
          r_left_d[i*LenW +: LenW] = arlen_i;
          r_lock_d[i]              = arlock_i;
        end
      end
    end
    if (rvalid_i && rready_i && r_found) begin
      for (int i = 0; i < Bursts; i++)
        if (i == 32'(r_at)) r_left_d[i*LenW +: LenW] = r_left_q[i*LenW +: LenW] - 1'b1;
      if (r_end) begin
        for (int i = 0; i < Bursts - 1; i++) begin
          if (i >= 32'(r_at)) begin
            r_id_d[i*IdW +: IdW]     = r_id_d[(i+1)*IdW +: IdW];
            r_left_d[i*LenW +: LenW] = r_left_d[(i+1)*LenW +: LenW];
            r_lock_d[i]              = r_lock_d[i+1];
          end
        end
        n_ar_d = n_ar_d - 1'b1;
      end
    end
  end

  logic fresh_q;                                   // the cycle before was one of reset
  logic unknown, also_unknown;

`ifdef FORMAL
  assign {unknown, also_unknown} = '0;
`elsif SYNTHESIS
  assign {unknown, also_unknown} = '0;
`else
  assign unknown      = (^{awvalid_i, wvalid_i, arvalid_i, bready_i, rready_i}) === 1'bx
                        || (awvalid_i === 1'b1 && (^aw) === 1'bx) || (arvalid_i === 1'b1 && (^ar) === 1'bx)
                        || (wvalid_i === 1'b1 && (^{wstrb_i, wlast_i}) === 1'bx);
  assign also_unknown = (^{awready_i, wready_i, arready_i, bvalid_i, rvalid_i}) === 1'bx
                        || (bvalid_i === 1'b1 && (^b) === 1'bx)
                        || (rvalid_i === 1'b1 && (^{rid_i, rresp_i, rlast_i}) === 1'bx);
`endif

  always_ff @(posedge clk_i) begin : regs
    fresh_q   <= rst_i;
    w_shape_q <= w_shape_d;
    {w_id_q, w_len_q, w_lock_q, r_id_q, r_left_q, r_lock_q} <= {w_id_d, w_len_d, w_lock_d, r_id_d, r_left_d, r_lock_d};
    {n_aw_q, n_w_q, w_sent_q, n_ar_q} <= {n_aw_d, n_w_d, w_sent_d, n_ar_d};
    if (rvalid_i && rready_i) {open_q, open_id_q} <= {!rlast_i, rid_i};
    if (rst_i) {n_aw_q, n_w_q, w_sent_q, n_ar_q, open_q} <= '0;
  end

  wire w_over   = (awvalid_i && awready_i && aw_full) || (wvalid_i && wready_i && w_full);
  wire exokay_b = 32'(bresp_i) == anl_axi_pkg::ExOkay && !b_locked;
  wire exokay_r = 32'(rresp_i) == anl_axi_pkg::ExOkay && !r_locked;
  wire aw_bad   = awvalid_i && bad(awsize_i, awburst_i, awlen_i, 7'(awaddr_i));
  wire ar_bad   = arvalid_i && bad(arsize_i, arburst_i, arlen_i, 7'(araddr_i));
  wire aw_4k    = awvalid_i && crosses(awsize_i, awburst_i, awlen_i, 12'(awaddr_i));
  wire ar_4k    = arvalid_i && crosses(arsize_i, arburst_i, arlen_i, 12'(araddr_i));

  assign broken[anl_axi_pkg::AwChanged]   = aw_waits_q && (!awvalid_i || aw != aw_q);
  assign broken[anl_axi_pkg::WChanged]    = w_waits_q && (!wvalid_i || w != w_q);
  assign broken[anl_axi_pkg::ArChanged]   = ar_waits_q && (!arvalid_i || ar != ar_q);
  assign broken[anl_axi_pkg::BChanged]    = b_waits_q && (!bvalid_i || b != b_q);
  assign broken[anl_axi_pkg::RChanged]    = r_waits_q && (!rvalid_i || r != r_q);
  assign broken[anl_axi_pkg::BadBurst]    = aw_bad || ar_bad;
  assign broken[anl_axi_pkg::Crosses4K]   = aw_4k || ar_4k;
  assign broken[anl_axi_pkg::BadWLast]    = wlast_wrong && !w_over;
  assign broken[anl_axi_pkg::EarlyB]      = bvalid_i && b_early;
  assign broken[anl_axi_pkg::StrayR]      = rvalid_i && !r_found;
  assign broken[anl_axi_pkg::BadRLast]    = rvalid_i && r_found && rlast_i != r_end;
  assign broken[anl_axi_pkg::StrayExOkay] = (bvalid_i && !b_early && exokay_b) || (rvalid_i && r_found && exokay_r);
  assign broken[anl_axi_pkg::Interleaved] = rvalid_i && open_q && rid_i != open_id_q;
  assign broken[anl_axi_pkg::TooMany]     = w_over || (arvalid_i && arready_i && ar_full);
  assign broken[anl_axi_pkg::AfterReset]  = fresh_q && (awvalid_i || wvalid_i || arvalid_i);
  assign broken[anl_axi_pkg::BadStrobe]   = strobe_wrong;
  assign broken[anl_axi_pkg::Unknown]     = unknown;
  assign broken[anl_axi_pkg::AlsoUnknown] = also_unknown;
  assign broken[anl_axi_pkg::InReset]     = 1'b0;
  assign broken[anl_axi_pkg::AlsoInReset] = 1'b0;

  localparam logic [NumRules-1:0] OfReset = NumRules'((1 << anl_axi_pkg::InReset) | (1 << anl_axi_pkg::AlsoInReset));
  logic [NumRules-1:0] in_reset;

  always_comb begin : reset_rules
    in_reset = '0;
    in_reset[anl_axi_pkg::InReset]     = awvalid_i || wvalid_i || arvalid_i;
    in_reset[anl_axi_pkg::AlsoInReset] = bvalid_i || rvalid_i;
  end

  assign broken_o = (rst_i ? in_reset & OfReset : broken) & NumRules'(Rules);

`ifdef FORMAL
  for (genvar n = 0; n < NumRules; n++) begin : g_rule
    if (Assert[n]) begin : g_assert
      always_comb assert (!broken_o[n]);
    end else if (Assume[n]) begin : g_assume
      always_comb assume (!broken_o[n]);
    end
  end
`elsif SYNTHESIS
`else
  if (Say != 0) begin : g_say
    logic        said_q;
    logic [31:0] cycle_q;
    int          rule;

    always_comb begin : first
      rule = 0;
      for (int n = NumRules - 1; n >= 0; n--) if (broken_o[n]) rule = n;
    end

    initial said_q = 1'b0;

    always @(posedge clk_i) begin : say
      cycle_q <= rst_i ? '0 : cycle_q + 1'b1;
      if (broken_o != '0 && !said_q) begin
        said_q <= 1'b1;
        $write("anl_axi_checker: cycle %0d: ", rst_i ? 0 : cycle_q);
        case (rule)
          anl_axi_pkg::AwChanged:   $write("aw_changed: AW was shown and not taken, and has changed or gone");
          anl_axi_pkg::WChanged:    $write("w_changed: W was shown and not taken, and has changed or gone");
          anl_axi_pkg::ArChanged:   $write("ar_changed: AR was shown and not taken, and has changed or gone");
          anl_axi_pkg::BChanged:    $write("b_changed: B was shown and not taken, and has changed or gone");
          anl_axi_pkg::RChanged:    $write("r_changed: R was shown and not taken, and has changed or gone");
          anl_axi_pkg::InReset:     $write("in_reset: AWVALID, WVALID or ARVALID is 1 in reset");
          anl_axi_pkg::AlsoInReset: $write("also_in_reset: BVALID or RVALID is 1 in reset");
          anl_axi_pkg::BadBurst:    $write("bad_burst: type, size, length or alignment of a burst is not allowed");
          anl_axi_pkg::Crosses4K:   $write("crosses_4k: a burst leaves its 4 KiB");
          anl_axi_pkg::BadWLast:    $write("bad_wlast: WLAST and AWLEN do not agree");
          anl_axi_pkg::EarlyB:      $write("early_b: no write of the ID has its address and all its data taken");
          anl_axi_pkg::StrayR:      $write("stray_r: no read of the ID is under way");
          anl_axi_pkg::BadRLast:    $write("bad_rlast: RLAST and ARLEN do not agree");
          anl_axi_pkg::StrayExOkay: $write("stray_exokay: EXOKAY for a burst that is not exclusive");
          anl_axi_pkg::Interleaved: $write("interleaved: beats of two bursts of data interleave");
          anl_axi_pkg::TooMany:     $write("too_many: more bursts are under way than the checker follows");
          anl_axi_pkg::AfterReset:  $write("after_reset: AWVALID, WVALID or ARVALID is 1 in the first cycle behind a reset");
          anl_axi_pkg::BadStrobe:   $write("bad_strobe: WSTRB has a 1 outside of the byte lanes of its transfer");
          anl_axi_pkg::Unknown:     $write("unknown: a signal of the manager is x or z");
          default:                  $write("also_unknown: a signal of the subordinate is x or z");
        endcase
        $display(" (%m)");
        if (Say > 1) $error("a rule of AXI4 is broken");
      end
    end
  end
`endif

endmodule
