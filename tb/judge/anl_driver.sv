// SPDX-License-Identifier: Apache-2.0
//
// All terminals of a network that is judged (docs/judge.md), and the watch of its links, of which
// live_o is the handle for the probes. What terminals drive changes at the falling edge of the
// clock, when the cycle that was sampled at the rising edge has been judged. Cycle 0 is the first one
// with rst_i = 0. over_o: the run is over; it ends with the simulation, or when this rises.

module anl_driver #(
  parameter  int NumTerminals = 1,
  parameter  int NumVcs = 1,
  parameter  int FlitW = 34,      // wires of a flit
  parameter  int BackW = 1,       // wires that a receiver drives
  localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  logic        clk_i,
  input  logic        rst_i,
  output logic [63:0] live_o,
  output logic        over_o,

  // injection links
  output logic [NumTerminals-1:0]       valid_o,
  output logic [NumTerminals*VcW-1:0]   vc_o,
  output logic [NumTerminals*FlitW-1:0] flit_o,
  input  logic [NumTerminals*BackW-1:0] back_i,

  // ejection links
  input  logic [NumTerminals-1:0]       valid_i,
  input  logic [NumTerminals*VcW-1:0]   vc_i,
  input  logic [NumTerminals*FlitW-1:0] flit_i,
  output logic [NumTerminals*BackW-1:0] back_o
);
  localparam int WidestFlit = anl_driver_pkg::WidestFlit;

  longint unsigned drive = 0;
  bit watched = 1'b0;  // the cycle that was sampled counts

  assign live_o = anl_driver_pkg::anl_driver_sv_live(drive);

  // Puts what the terminals drive in the cycle that comes on the wires.
  function automatic void show();
    for (int t = 0; t < NumTerminals; t++) begin
      automatic int unsigned vc = 0;
      automatic bit [WidestFlit-1:0] flit = '0;
      valid_o[t] = anl_driver_pkg::anl_driver_sv_sends(drive, t, vc, flit);
      vc_o[t*VcW+:VcW] = VcW'(vc);
      flit_o[t*FlitW+:FlitW] = flit[FlitW-1:0];
      back_o[t*BackW+:BackW] = BackW'(anl_driver_pkg::anl_driver_sv_takes(drive, t));
    end
  endfunction

  initial begin : create
    automatic string scenario = "", links = "", settings = "", trace = "", report = "";
    automatic longint unsigned patience = 1000;
    automatic real hesitation = 0.0;
    valid_o = '0;
    vc_o = '0;
    flit_o = '0;
    back_o = '0;
    over_o = 1'b0;
    void'($value$plusargs("scenario=%s", scenario));
    void'($value$plusargs("links=%s", links));
    void'($value$plusargs("settings=%s", settings));
    void'($value$plusargs("trace=%s", trace));
    void'($value$plusargs("report=%s", report));
    void'($value$plusargs("patience=%d", patience));
    void'($value$plusargs("hesitation=%f", hesitation));
    drive = anl_driver_pkg::anl_driver_sv_create(scenario, links, settings, trace, report,
                                               patience, hesitation, $test$plusargs("json") != 0);
    if (drive == 0) $finish;
    else show();
  end

  always @(posedge clk_i) begin : sample
    watched <= !rst_i && drive != 0 && !over_o;
    if (!rst_i && drive != 0 && !over_o)
      for (int t = 0; t < NumTerminals; t++)
        anl_driver_pkg::anl_driver_sv_saw(drive, t, 32'(back_i[t*BackW+:BackW]), valid_i[t],
            32'(vc_i[t*VcW+:VcW]), WidestFlit'(flit_i[t*FlitW+:FlitW]));
  end

  // verilator lint_off BLKSEQ
  always @(negedge clk_i) begin : cycle
    if (watched && !over_o) begin
      over_o = !anl_driver_pkg::anl_driver_sv_cycle(drive);
      if (!over_o) show();
    end
  end
  // verilator lint_on BLKSEQ

  final begin : stop
    if (drive != 0) begin
      void'(anl_driver_pkg::anl_driver_sv_end(drive));
      anl_driver_pkg::anl_driver_sv_destroy(drive);
    end
  end
endmodule
