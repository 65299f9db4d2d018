// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the styles of links and of the rules that the checkers know (docs/link.md, "Links of
// other styles"; docs/checker.md). Rules 0 to 8 have the numbers of that page. Rules of AXI4-Streams have
// the numbers of docs/checker.md, "Streams".

// A package names all rules, also those that no code compares with.
// verilator lint_off UNUSEDPARAM

package anl_checker_pkg;

  localparam int Credit            = 0;  // style
  localparam int CreditPulseShared = 1;
  localparam int ReadyValid        = 2;
  localparam int ReadyValidPerLane = 3;
  localparam int StopGo            = 4;

  localparam int BadLink    = 0;   // rules of one link
  localparam int NoCredit   = 1;
  localparam int EarlyCredit = 2;
  localparam int SentAtStop = 3;
  localparam int Withdrawn  = 4;
  localparam int Changed    = 5;
  localparam int LaneShared = 6;
  localparam int BadMarks   = 7;
  localparam int LostCredit = 8;
  localparam int BadPulse   = 9;   // bad_link of the receiver: a credit for a lane that there is not
  localparam int LinkRules  = 10;

  localparam int MadeUpFlit   = 10;  // rules of a switch
  localparam int TwoAlike     = 11;
  localparam int TooEarly     = 12;
  localparam int OutOfOrder   = 13;
  localparam int SplitWorm    = 14;
  localparam int IllegalRoute = 15;
  localparam int Overflow     = 16;
  localparam int Stalled      = 17;
  localparam int Rules        = 18;

  localparam int AxisValidInReset = 0;  // rules of one AXI4-Stream
  localparam int AxisWithdrawn    = 1;
  localparam int AxisChangedData  = 2;
  localparam int AxisChangedLast  = 3;
  localparam int AxisChangedRoute = 4;
  localparam int AxisMixed        = 5;
  localparam int AxisGap          = 6;
  localparam int AxisReadyInReset = 7;
  localparam int AxisUnknown      = 8;
  localparam int AxisStalled      = 9;
  localparam int AxisRules        = 10;

  // Wires from the receiver of a link to its sender.
  function automatic int back_width(input int style, input int vcs);
    back_width = (style == ReadyValid) ? 1 : (style != CreditPulseShared) ? vcs : (vcs > 1) ? 1 + $clog2(vcs) : 2;
  endfunction

endpackage
