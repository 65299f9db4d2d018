// SPDX-License-Identifier: Apache-2.0
//
// Common part of the proofs of the route units of tori; the macro ROUTE names the unit. Routes are
// legal and minimal (route.svh), and a worm may take the right one of the two classes of lanes. A
// second instance of the unit is at the switch to which the first one sends the worm.
//
// The including harness provides K, N, NumVcs, Dateline, NumPorts, DstW, OneWay, here_i, dst_i and
// d_i.

  `PROVE_RESET

  localparam bit Ring = 1'b1;

  logic [NumPorts-1:0] port, next_port;
  logic [NumVcs-1:0]   vcs, next_vcs;

  `ROUTE #(.K(K), .N(N), .NumVcs(NumVcs), .Dateline(Dateline)) u_dut (
    .here_i, .dst_i, .port_o(port), .vcs_o(vcs)
  );
  `ROUTE #(.K(K), .N(N), .NumVcs(NumVcs), .Dateline(Dateline)) u_next (
    .here_i(there), .dst_i, .port_o(next_port), .vcs_o(next_vcs)
  );

  `include "route.svh"

  localparam int Half = NumVcs / 2;        // lanes below Half are class 0
  wire [NumVcs-1:0] low       = {NumVcs{1'b1}} >> (NumVcs - Half);
  wire              class_0   = vcs == low;
  wire              class_1   = vcs == ~low;
  wire              same_ring = next_port == port;

  `COVER(ClassChanges, !eject && wraps && same_ring && vcs != next_vcs)
  `COVER(ClassZeroBeforeTheWrapLink, !eject && !wraps && class_0 && next_vcs == vcs && same_ring)
  `COVER(ClassOneAllTheWay, !eject && class_1 && same_ring)

  `PROVE(AllLanesOfOneClass, eject || Dateline == 0 || (class_0 != class_1))
  `PROVE(AllLanesWithoutDateline, (!eject && Dateline != 0) || vcs == {NumVcs{1'b1}})
  `PROVE(WrapLinkIsInClassZero, eject || Dateline == 0 || !wraps || class_0)
  `PROVE(BehindTheWrapLinkIsClassOne, eject || Dateline == 0 || !wraps || !same_ring
                                      || next_vcs == ~low)
  `PROVE(ClassChangesAtTheWrapLinkOnly, eject || Dateline == 0 || wraps || !same_ring
                                        || next_vcs == vcs)

  // The worm still has to cross the wrap link of its ring if its way passes the end of the
  // coordinates.
  wire [31:0] to_x    = 32'(coordinate(dst_i, dimension));
  wire        crosses = minus ? to_x > 32'(here_x) : to_x < 32'(here_x);

  `PROVE(ClassZeroIffTheWrapLinkIsAhead, eject || Dateline == 0 || class_0 == crosses)
