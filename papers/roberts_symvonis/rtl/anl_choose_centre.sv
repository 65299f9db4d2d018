// SPDX-License-Identifier: Apache-2.0
//
// Choosing cell of a supernode: the centre (papers/roberts_symvonis/supernodes.md, "Choosing cells").
//
// Heads of slots that the trains exchange, and worms that have come two steps early, go back where
// they came from.
// Timing: combinational.

// The centre reads a few of the clock's events.
// verilator lint_off UNUSEDSIGNAL

module anl_choose_centre #(
  localparam int P        = anl_bufferless_pkg::NumPorts,
  localparam int T        = anl_bufferless_pkg::Terminal,
  localparam int NumTimes = anl_snakes_pkg::NumTimes
) (
  input  logic [NumTimes-1:0] time_i,
  input  logic                exchange_i,   // the command: the trains exchange this slot

  output logic [P-1:0]        chosen_o,     // input ports
  output logic [P*P-1:0]      choice_o      // a way for each, one-hot
);

  logic returns;

  assign returns = time_i[anl_snakes_pkg::AtBack] ||
                   (time_i[anl_snakes_pkg::Balance] && time_i[anl_snakes_pkg::AtCentre] && exchange_i);

  always_comb begin : choose
    chosen_o = '0;
    choice_o = '0;
    for (int p = 0; p < T; p++) begin
      chosen_o[p]       = returns;
      choice_o[p*P + p] = 1'b1;
    end
  end

endmodule
