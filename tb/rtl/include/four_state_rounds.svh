// SPDX-License-Identifier: Apache-2.0
//
// The rounds of a bench in four states whose network ends by itself: a reset of one cycle, then
// cycles_of(round) cycles. The last round must bring all flits. The including module has the
// parameters Rounds and Flits and the function cycles_of(); it counts the flits of the round, and the
// cycles with an unknown bit or with what must not be. Prints PASS or FAIL.

  logic   clk = 0, rst = 1;
  integer round = 0;    // 0: before the first reset
  integer arrived = 0;  // flits of this round
  integer unknown = 0, wrong = 0;

  task tick;
    #1 clk = 1;
    #1 clk = 0;
  endtask

  initial begin : rounds
    for (int r = 1; r <= Rounds; r++) begin
      rst = 1;
      tick;
      rst     = 0;
      round   = r;
      arrived = 0;
      repeat (cycles_of(r)) tick;
    end
    if (unknown == 0 && wrong == 0 && arrived == Flits) $display("PASS %0d flits", arrived);
    else $display("FAIL %0d flits, %0d with unknown bits, %0d cycles with what must not be", arrived, unknown, wrong);
    $finish;
  end
