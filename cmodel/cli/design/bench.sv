// SPDX-License-Identifier: Apache-2.0
//
@ORIGIN@//
// Self-checking bench of @NAME@: every terminal sends packets of every class of messages, and on
// every line of its link, to terminals drawn at random, and sinks that are not always ready take
// them. At the end each terminal must have got as many packets, beats and sums of data of each class
// as were sent to it, and every packet must have kept its length.
// It prints PASS or FAIL; FAIL ends the simulation with $fatal.

module tb_@NAME@;

  localparam int Packets = 20;              // that each stream sends
  localparam int Patience = 2000;           // cycles without a beat after which a run has stalled

  localparam int NumVcs    = @NUM_VCS@;
  localparam int Depth     = @DEPTH@;
  localparam int FlitW     = @FLIT_W@;
  localparam int Arbiter   = @ARBITER@;
  localparam int FlowControl = @FLOW_CONTROL@;
  localparam int LengthInHead = @LENGTH_IN_HEAD@;
  localparam int Wide      = @WIDE@;
  localparam int Stages    = @STAGES@;
  localparam int Classes   = @CLASSES@;
  localparam logic [anl_pkg::WeightsW-1:0] Weights = @WEIGHTS@;
  localparam int T         = @TERMINALS@;
  localparam int DstW      = @DST_W@;
  localparam int VcW       = anl_pkg::index_width(NumVcs);
  localparam int LengthW   = anl_head_pkg::LengthW;
  localparam int PathW     = @PATH_W@;
  localparam int DataW     = FlitW - anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead) - PathW;
  localparam int Lines     = anl_pkg::lines_of(Wide, NumVcs);   // of a link: 1, or of NumVcs lanes
  localparam int LineVcs   = NumVcs / Lines;
  localparam int LineVcW   = anl_pkg::index_width(LineVcs);
  localparam int Sinks     = T * Classes;   // number t * Classes + c is of terminal t and class c
  localparam int Streams   = Sinks * Lines; // the sink of stream s is s / Lines
  localparam int ClassVcs  = LineVcs / Classes;
  localparam int TidW      = anl_pkg::index_width(ClassVcs);
  // Unless the flow control is wormhole, a packet must fit into a lane.
  localparam int Longest   = (FlowControl != anl_pkg::Wormhole && Depth < 8) ? Depth : 8;

  logic                       clk = 1'b0, rst = 1'b1;
  logic [Streams-1:0]         s_tvalid = '0, s_tready, s_tlast = '0;
  logic [Streams*DataW-1:0]   s_tdata = '0;
  logic [Streams*DstW-1:0]    s_tdest = '0;
  logic [Streams*LengthW-1:0] s_tuser = '0;
  logic [Streams-1:0]         m_tvalid, m_tready = '0, m_tlast;
  logic [Streams*DataW-1:0]   m_tdata;
  logic [Streams*TidW-1:0]    m_tid;
  logic [T*DstW-1:0]          labels;       // of the terminals

  for (genvar t = 0; t < T; t++) begin : g_label
    localparam logic [31:0] Label = @LABEL@;
    assign labels[t*DstW +: DstW] = Label[DstW-1:0];
  end

@DUT@
  // What was sent to each sink and what it got: packets, beats, squares of lengths, data.
  int               packets_to [Sinks], packets_at [Sinks], beats_to [Sinks], beats_at [Sinks];
  int               squares_to [Sinks], squares_at [Sinks];
  logic [DataW-1:0] data_to [Sinks], data_at [Sinks];

  // Of each source: packets begun, the packet's length and sink, its beats so far. Of each lane of a
  // sink: beats of the packet that arrives.
  int                 begun [Streams], length [Streams], target [Streams], beat [Streams];
  int                 arrived [T*NumVcs];
  logic [Streams-1:0] taken = '0;
  logic [31:0]        random = 32'd2463534242;
  int                 cycles = 0, quiet = 0, received = 0;
  bit                 good = 1'b1;

  // Steps the generator xorshift32.
  task automatic step;
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
  endtask

  task automatic begin_packet(input int s);
    step;
    target[s] = random[30:0] % T * Classes + s / Lines % Classes;
    step;
    length[s] = 1 + random[30:0] % Longest;
    begun[s]  = begun[s] + 1;
    beat[s]   = 0;
    packets_to[target[s]] = packets_to[target[s]] + 1;
    beats_to[target[s]]   = beats_to[target[s]] + length[s];
    squares_to[target[s]] = squares_to[target[s]] + length[s] * length[s];
    s_tdest[s*DstW +: DstW]       = labels[target[s]/Classes*DstW +: DstW];
    s_tuser[s*LengthW +: LengthW] = length[s][LengthW-1:0];
  endtask

  task automatic show_beat(input int s);
    for (int i = 0; i < DataW; i += 1) begin
      if (i % 32 == 0) step;
      s_tdata[s*DataW + i] = random[i%32];
    end
    data_to[target[s]] = data_to[target[s]] + s_tdata[s*DataW +: DataW];
    s_tlast[s] = beat[s] + 1 == length[s];
  endtask

  task automatic drive(input int s);
    if (taken[s]) begin
      beat[s] = beat[s] + 1;
      s_tvalid[s] = beat[s] != length[s];
      if (s_tvalid[s]) show_beat(s);
    end
    step;
    if (!s_tvalid[s] && begun[s] < Packets && random[1:0] == 2'd0) begin
      s_tvalid[s] = 1'b1;
      begin_packet(s);
      show_beat(s);
    end
    m_tready[s] = random[4:2] != 3'd0;
  endtask

  task automatic take(input int s, input int lane);
    arrived[lane]     = arrived[lane] + 1;
    beats_at[s/Lines] = beats_at[s/Lines] + 1;
    data_at[s/Lines]  = data_at[s/Lines] + m_tdata[s*DataW +: DataW];
    quiet             = 0;
    if (m_tlast[s]) begin
      packets_at[s/Lines] = packets_at[s/Lines] + 1;
      squares_at[s/Lines] = squares_at[s/Lines] + arrived[lane] * arrived[lane];
      arrived[lane]       = 0;
      received            = received + 1;
    end
  endtask

  task automatic check(input int s);
    if (packets_at[s] != packets_to[s] || beats_at[s] != beats_to[s] || squares_at[s] != squares_to[s]
        || data_at[s] !== data_to[s]) begin
      $display("terminal %0d, class %0d:", s / Classes, s % Classes);
      $display("sent to it %0d packets, %0d beats, squares %0d, data %h", packets_to[s], beats_to[s],
               squares_to[s], data_to[s]);
      $display("it has got %0d packets, %0d beats, squares %0d, data %h", packets_at[s], beats_at[s],
               squares_at[s], data_at[s]);
      good = 1'b0;
    end
  endtask

  task automatic judge;
    for (int s = 0; s < Sinks; s++) check(s);
    if (good) begin
      $display("PASS %0d packets in %0d cycles", received, cycles);
      $finish;
    end else begin
      $fatal(1, "FAIL after %0d cycles, %0d of %0d packets arrived", cycles, received, Streams * Packets);
    end
  endtask

  initial begin : clear
    for (int s = 0; s < Sinks; s++) begin
      {packets_to[s], packets_at[s], beats_to[s], beats_at[s], squares_to[s], squares_at[s]} = '0;
      {data_to[s], data_at[s]} = '0;
    end
    for (int s = 0; s < Streams; s++) {begun[s], length[s], target[s], beat[s]} = '0;
    for (int l = 0; l < T * NumVcs; l++) arrived[l] = 0;
  end

  always #5 clk = !clk;

  always @(negedge clk) begin : sources
    rst = cycles < 4;
    for (int s = 0; s < Streams; s++) drive(s);   // in reset, too, where nothing may be taken
  end

  always @(posedge clk) begin : sinks
    cycles = cycles + 1;
    quiet  = quiet + 1;
    taken  = s_tvalid & s_tready;
    for (int s = 0; s < Streams; s++)
      if (m_tvalid[s] && m_tready[s]) take(s, s * ClassVcs + 32'(m_tid[s*TidW +: TidW]));
    if (received == Streams * Packets || quiet == Patience) judge;
  end

endmodule
