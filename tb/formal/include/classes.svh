// SPDX-License-Identifier: Apache-2.0
//
// Common to the route units of tori: which of the two classes of lanes a worm may take. A second unit
// is asked at the switch where the first one sends the worm. Needs route.svh, vcs, and next_port and
// next_vcs, the answer of the second unit.

  localparam int Half = NumVcs / 2;        // lanes below are class 0
  wire [NumVcs-1:0] low       = {NumVcs{1'b1}} >> (NumVcs - Half);
  wire              class_0   = vcs == low;
  wire              class_1   = vcs == ~low;
  wire              same_ring = 32'(next_port) == 32'(port);

  `PROVE(AllLanesOfOneClass, eject || Dateline == 0 || (class_0 != class_1))
  `PROVE(AllLanesWithoutDateline, (!eject && Dateline != 0) || vcs == {NumVcs{1'b1}})
  `PROVE(WrapLinkIsInClassZero, eject || Dateline == 0 || !wraps || class_0)
  `PROVE(BehindTheWrapLinkIsClassOne, eject || Dateline == 0 || !wraps || !same_ring
                                      || next_vcs == ~low)
  `PROVE(ClassChangesAtTheWrapLinkOnly, eject || Dateline == 0 || wraps || !same_ring
                                        || next_vcs == vcs)
