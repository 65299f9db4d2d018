// SPDX-License-Identifier: Apache-2.0
//
// Self-checking bench of @NAME@: every terminal sends packets to terminals drawn at random, and
// sinks that are not always ready take them. At the end each terminal must have got as many
// packets, beats and sums of data as were sent to it, and every packet must have kept its length.
// It prints PASS or FAIL; FAIL ends the simulation with $fatal.

module tb_@NAME@;

  localparam int Packets = 20;              // that each terminal sends
  localparam int Patience = 2000;           // cycles without a beat after which a run has stalled

  localparam int NumVcs    = @NUM_VCS@;
  localparam int Depth     = @DEPTH@;
  localparam int FlitW     = @FLIT_W@;
  // verilator lint_off WIDTH
  localparam logic [anl_pkg::PolicyW-1:0] Scan = @SCAN@;
  // verilator lint_on WIDTH
  localparam int Admission = @ADMISSION@;
  localparam int T         = @TERMINALS@;
  localparam int DstW      = @DST_W@;
  localparam int VcW       = anl_pkg::index_width(NumVcs);
  localparam int LengthW   = anl_head_pkg::LengthW;
  localparam int PathW     = @PATH_W@;
  localparam int DataW     = FlitW - anl_head_pkg::head_width(DstW, Scan, Admission) - PathW;
  // Unless the admission is wormhole, a packet must fit into a lane.
  localparam int Longest   = (Admission != anl_pkg::Wormhole && Depth < 8) ? Depth : 8;

  logic                 clk = 1'b0, rst = 1'b1;
  logic [T-1:0]         s_tvalid = '0, s_tready, s_tlast = '0;
  logic [T*DataW-1:0]   s_tdata = '0;
  logic [T*DstW-1:0]    s_tdest = '0;
  logic [T*LengthW-1:0] s_tuser = '0;
  logic [T-1:0]         m_tvalid, m_tready = '0, m_tlast;
  logic [T*DataW-1:0]   m_tdata;
  logic [T*VcW-1:0]     m_tid;
  logic [T*DstW-1:0]    labels;             // of the terminals

  for (genvar t = 0; t < T; t++) begin : g_label
    localparam logic [31:0] Label = @LABEL@;
    assign labels[t*DstW +: DstW] = Label[DstW-1:0];
  end

@DUT@
  // What was sent to each terminal and what it got: packets, beats, squares of lengths, data.
  int               packets_to [T], packets_at [T], beats_to [T], beats_at [T];
  int               squares_to [T], squares_at [T];
  logic [DataW-1:0] data_to [T], data_at [T];

  // Of each source: packets begun, the packet's length and destination, its beats so far. Of each
  // lane of a sink: beats of the packet that arrives.
  int           begun [T], length [T], target [T], beat [T];
  int           arrived [T*NumVcs];
  logic [T-1:0] taken = '0;
  logic [31:0]  random = 32'd2463534242;
  int           cycles = 0, quiet = 0, received = 0;
  bit           good = 1'b1;

  // Steps the generator xorshift32.
  task automatic step;
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
  endtask

  task automatic begin_packet(input int t);
    step;
    target[t] = random[30:0] % T;
    step;
    length[t] = 1 + random[30:0] % Longest;
    begun[t]  = begun[t] + 1;
    beat[t]   = 0;
    packets_to[target[t]] = packets_to[target[t]] + 1;
    beats_to[target[t]]   = beats_to[target[t]] + length[t];
    squares_to[target[t]] = squares_to[target[t]] + length[t] * length[t];
    s_tdest[t*DstW +: DstW]       = labels[target[t]*DstW +: DstW];
    s_tuser[t*LengthW +: LengthW] = length[t][LengthW-1:0];
  endtask

  task automatic show_beat(input int t);
    for (int i = 0; i < DataW; i += 1) begin
      if (i % 32 == 0) step;
      s_tdata[t*DataW + i] = random[i%32];
    end
    data_to[target[t]] = data_to[target[t]] + s_tdata[t*DataW +: DataW];
    s_tlast[t] = beat[t] + 1 == length[t];
  endtask

  task automatic drive(input int t);
    if (taken[t]) begin
      beat[t] = beat[t] + 1;
      s_tvalid[t] = beat[t] != length[t];
      if (s_tvalid[t]) show_beat(t);
    end
    step;
    if (!s_tvalid[t] && begun[t] < Packets && random[1:0] == 2'd0) begin
      s_tvalid[t] = 1'b1;
      begin_packet(t);
      show_beat(t);
    end
    m_tready[t] = random[4:2] != 3'd0;
  endtask

  task automatic take(input int t, input int lane);
    arrived[lane] = arrived[lane] + 1;
    beats_at[t]   = beats_at[t] + 1;
    data_at[t]    = data_at[t] + m_tdata[t*DataW +: DataW];
    quiet         = 0;
    if (m_tlast[t]) begin
      packets_at[t] = packets_at[t] + 1;
      squares_at[t] = squares_at[t] + arrived[lane] * arrived[lane];
      arrived[lane] = 0;
      received      = received + 1;
    end
  endtask

  task automatic check(input int t);
    if (packets_at[t] != packets_to[t] || beats_at[t] != beats_to[t] || squares_at[t] != squares_to[t]
        || data_at[t] !== data_to[t]) begin
      $display("terminal %0d: sent to it %0d packets, %0d beats, squares %0d, data %h", t, packets_to[t],
               beats_to[t], squares_to[t], data_to[t]);
      $display("terminal %0d: it has got %0d packets, %0d beats, squares %0d, data %h", t, packets_at[t],
               beats_at[t], squares_at[t], data_at[t]);
      good = 1'b0;
    end
  endtask

  task automatic judge;
    for (int t = 0; t < T; t++) check(t);
    if (good) begin
      $display("PASS %0d packets in %0d cycles", received, cycles);
      $finish;
    end else begin
      $fatal(1, "FAIL after %0d cycles, %0d of %0d packets arrived", cycles, received, T * Packets);
    end
  endtask

  initial begin : clear
    for (int t = 0; t < T; t++) begin
      {packets_to[t], packets_at[t], beats_to[t], beats_at[t], squares_to[t], squares_at[t]} = '0;
      {data_to[t], data_at[t]} = '0;
      {begun[t], length[t], target[t], beat[t]} = '0;
    end
    for (int l = 0; l < T * NumVcs; l++) arrived[l] = 0;
  end

  always #5 clk = !clk;

  always @(negedge clk) begin : sources
    rst = cycles < 4;
    if (!rst) for (int t = 0; t < T; t++) drive(t);
  end

  always @(posedge clk) begin : sinks
    cycles = cycles + 1;
    quiet  = quiet + 1;
    taken  = rst ? '0 : s_tvalid & s_tready;
    if (!rst)
      for (int t = 0; t < T; t++)
        if (m_tvalid[t] && m_tready[t]) take(t, t * NumVcs + 32'(m_tid[t*VcW +: VcW]));
    if (received == T * Packets || quiet == Patience) judge;
  end

endmodule
