// SPDX-License-Identifier: Apache-2.0
//
@ORIGIN@//
// Self-checking bench of @NAME@: every terminal sends packets of every class of messages, and on
// every line of its link, to terminals drawn at random, and sinks that are not always ready take
// them. At the end each terminal must have got as many packets, beats and sums of data of each class
// as were sent to it (from each terminal, if packets say where they come from), and every packet must
// have kept its length. If packets come out whole, so that a stream gives one at a time, those that
// interleave have other lengths.
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
@BENCH_BEATS@  localparam int Lines     = anl_pkg::lines_of(Wide, NumVcs);   // of a link: 1, or of NumVcs lanes
  localparam int LineVcs   = NumVcs / Lines;
  localparam int LineVcW   = anl_pkg::index_width(LineVcs);
  localparam int Sinks     = T * Classes;   // number t * Classes + c is of terminal t and class c
  localparam int Streams   = Sinks * Lines; // the sink of stream s is s / Lines
  localparam int ClassVcs  = LineVcs / Classes;
  localparam int LaneW     = anl_pkg::index_width(ClassVcs);
  localparam int Sources   = (@HAS_SOURCE@ != 0) ? 1 << DstW : 1;   // that packets tell apart
  localparam int Counts    = Sinks * Sources;       // number sink * Sources + label of the source
  // Unless the flow control is wormhole, a packet must fit into a lane.
  localparam int Longest   = (FlowControl != anl_pkg::Wormhole && Depth < 8) ? Depth : 8;

  logic                       clk = 1'b0, rst = 1'b1;
  logic [Streams-1:0]         s_tvalid = '0, s_tready, s_tlast = '0;
  logic [Streams*BeatW-1:0]   s_beat = '0;  // what a beat carries beside the others
  logic [Streams*DstW-1:0]    s_tdest = '0;
  logic [Streams*LengthW-1:0] s_beats = '0;
  logic [Streams-1:0]         m_tvalid, m_tready = '0, m_tlast;
  logic [Streams*BeatW-1:0]   m_beat;
  logic [Streams*LaneW-1:0]   m_lane;       // if packets interleave
  logic [Streams*DstW-1:0]    m_source;     // label, if packets say it
  logic [Streams-1:0]         broken;       // a rule of AXI4-Stream is broken
  logic [T*DstW-1:0]          labels;       // of the terminals

  for (genvar t = 0; t < T; t++) begin : g_label
    localparam logic [31:0] Label = @LABEL@;
    assign labels[t*DstW +: DstW] = Label[DstW-1:0];
  end

@DUT@
  // What was sent to each sink and what it got: packets, beats, squares of lengths, data.
  int               packets_to [Counts], packets_at [Counts], beats_to [Counts], beats_at [Counts];
  int               squares_to [Counts], squares_at [Counts];
  logic [BeatW-1:0] data_to [Counts], data_at [Counts];

  // Of each source: packets begun, the packet's length, its terminal, where it is counted, its beats so
  // far. Of each lane of a sink: beats of the packet that arrives.
  int                 begun [Streams], length [Streams], goal [Streams], target [Streams], beat [Streams];
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
    goal[s]   = random[30:0] % T;
    target[s] = goal[s] * Classes + s / Lines % Classes;
    if (Sources != 1) target[s] = target[s] * Sources + 32'(labels[s/Lines/Classes*DstW +: DstW]);
    step;
    length[s] = 1 + random[30:0] % Longest;
    begun[s]  = begun[s] + 1;
    beat[s]   = 0;
    packets_to[target[s]] = packets_to[target[s]] + 1;
    beats_to[target[s]]   = beats_to[target[s]] + length[s];
    squares_to[target[s]] = squares_to[target[s]] + length[s] * length[s];
    s_tdest[s*DstW +: DstW]       = labels[goal[s]*DstW +: DstW];
    s_beats[s*LengthW +: LengthW] = length[s][LengthW-1:0];
  endtask

  task automatic show_beat(input int s);
    for (int i = 0; i < BeatW; i += 1) begin
      if (i % 32 == 0) step;
      s_beat[s*BeatW + i] = random[i%32];
    end
    data_to[target[s]] = data_to[target[s]] + s_beat[s*BeatW +: BeatW];
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

  // n is where the packet is counted.
  task automatic take(input int s, input int lane, input int n);
    arrived[lane] = arrived[lane] + 1;
    beats_at[n]   = beats_at[n] + 1;
    data_at[n]    = data_at[n] + m_beat[s*BeatW +: BeatW];
    quiet         = 0;
    if (m_tlast[s]) begin
      packets_at[n] = packets_at[n] + 1;
      squares_at[n] = squares_at[n] + arrived[lane] * arrived[lane];
      arrived[lane] = 0;
      received      = received + 1;
    end
  endtask

  task automatic check(input int s);
    if (packets_at[s] != packets_to[s] || beats_at[s] != beats_to[s] || squares_at[s] != squares_to[s]
        || data_at[s] !== data_to[s]) begin
      $display("terminal %0d, class %0d, from label %0d:", s / Sources / Classes, s / Sources % Classes, s % Sources);
      $display("sent to it %0d packets, %0d beats, squares %0d, data %h", packets_to[s], beats_to[s],
               squares_to[s], data_to[s]);
      $display("it has got %0d packets, %0d beats, squares %0d, data %h", packets_at[s], beats_at[s],
               squares_at[s], data_at[s]);
      good = 1'b0;
    end
  endtask

  task automatic judge;
    for (int s = 0; s < Counts; s++) check(s);
    if (good && received == Streams * Packets) begin
      $display("PASS %0d packets in %0d cycles", received, cycles);
      $finish;
    end else begin
      $fatal(1, "FAIL after %0d cycles, %0d of %0d packets arrived", cycles, received, Streams * Packets);
    end
  endtask

  initial begin : clear
    for (int s = 0; s < Counts; s++) begin
      {packets_to[s], packets_at[s], beats_to[s], beats_at[s], squares_to[s], squares_at[s]} = '0;
      {data_to[s], data_at[s]} = '0;
    end
    for (int s = 0; s < Streams; s++) {begun[s], length[s], goal[s], target[s], beat[s]} = '0;
    for (int l = 0; l < T * NumVcs; l++) arrived[l] = 0;
  end

@CLOCKING@
endmodule
