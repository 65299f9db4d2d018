// SPDX-License-Identifier: Apache-2.0
//
// The watch of one network in a bench of your own (docs/own_bench.md): an instance of it opens the
// watch and ends each of its cycles; its probes are anl_live_links, or of links of another style
// anl_live_wires. The cycle in which a link is
// sampled ends at the falling edge of the clock. Cycle 0 is the first one with rst_i = 0. If rst_i
// rises again, the watch ends.

module anl_live #(
  parameter string Scenario = "",   // file that describes the network
  parameter string Links = "",      // file that describes links of another style; "": they are ours
  parameter string Trace = "",      // flit trace to be written; "": none
  parameter string Report = "",     // list of what is found, as JSON; "": none
  parameter int Patience = 1000,    // cycles without a flit after which a stall is told; 0: never
  parameter bit Credits = 1'b1,     // the probes see the credits of all links
  parameter bit Stop = 1'b1         // $fatal ends the simulation with what is found
) (
  input  logic        clk_i,
  input  logic        rst_i,
  output logic [63:0] live_o        // for live_i of the probes
);
  longint unsigned live = 0;
  bit good = 1'b1;     // nothing was found so far
  bit watched = 1'b0;  // the present cycle counts
  bit begun = 1'b0;    // the cycle before it counted

  assign live_o = live;

  initial begin : create
    live = anl_live_pkg::anl_live_sv_create(Scenario, Links, Trace, Report, 64'(Patience),
                                            Credits);
    if (live == 0) $fatal(1, "%m: the network of the file '%s' cannot be watched", Scenario);
  end

  // Announces a worm that joins the source queue of a terminal. Without this a worm is created when
  // its head crosses the injection link, and the probe has to tell its length.
  function automatic void announce(int unsigned source, int unsigned destination,
                                   int unsigned length, int unsigned class_number = 0);
    anl_live_pkg::anl_live_sv_worm(live, source, destination, length, class_number);
  endfunction

  // Prints who waits for whom.
  function automatic void print();
    anl_live_pkg::anl_live_sv_print(live);
  endfunction

  // Ends the watch and finishes the trace. Returns 1 if nothing was found. What is told after it is
  // ignored.
  function automatic bit finish();
    finish = anl_live_pkg::anl_live_sv_end(live);
  endfunction

  // The call stands alone: in one condition with Stop = 0, Verilator 5.006 would leave it out.
  function automatic void stop();
    automatic bit is_good = finish();
    if (Stop && !is_good) $fatal(1, "%m: see what annelid says above");
  endfunction

  always @(posedge clk_i) begin : count
    watched <= !rst_i;
  end

  // The watch is asked at the falling edge alone, when no probe speaks to it; its answers count at
  // once. Verilator 5.006 calls a function whatever stands before it in a condition.
  // verilator lint_off BLKSEQ
  always @(negedge clk_i) begin : cycle
    if (watched) begin
      if (!anl_live_pkg::anl_live_sv_cycle(live)) good = 1'b0;
    end
    if ((begun && !watched) || (Stop && !good)) stop();
    begun = watched;
  end
  // verilator lint_on BLKSEQ

  final begin : free
    if (live != 0) stop();
    anl_live_pkg::anl_live_sv_destroy(live);
  end
endmodule
