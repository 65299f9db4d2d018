// SPDX-License-Identifier: Apache-2.0
//
// The oracle: one slow reading of the rules of the buffered switch, beside the golden model, the
// RTL and the referee. It is written from the pages below, and from none of these three. Unit tests
// of the engine hold a network of it against the engine; benches of the RTL drive one switch of it,
// or one of its rules, beside a module, and compare ports, registers and pointers. So a rule that
// is misread here shows on both sides, and there is one place to change when a page changes.
//
// It is meant to be obviously right. Plain loops look at every lane in every cycle, nothing is
// remembered that could be looked up, and a word of the page is a name of the code. All decisions
// of a cycle are functions of the state at its start that change nothing; then everything moves.
//
// What is where, and the page of its rules:
//   words     the words that choose a rule: rtl.md has their numbers
//   scan      who comes first of ports, lanes and classes: switch.md, "Arbitration policies", "The
//             favoured lane", "Message classes"; random.md
//   lanes     both ends of a lane, which lanes a flit may enter, selection, injection: switch.md,
//             rules 2, 5 and 6, "Adaptive routes", "Terminals"
//   switch    a switch with shared links, of one or two stages: switch.md, rules 1 to 6, "Credits",
//             "Two stages"; link.md
//   wide      a switch with wide links: switch.md, "Wide links"
//   routes    ways in cubes and fat-trees: networks.md
//   network   switches, links and terminals in a cycle: link.md, "Links of several cycles";
//             switch.md, "Credits"
//   wiring, graph, ways, terminals   the parts of a network: networks.md; switch.md, "Terminals",
//             "Requests and replies", "Message classes"
//
// Sizes. A switch has at most 32 ports with 8 lanes of 64 flits, a network 48 switches of 7 ports,
// 64 terminals and 4000 worms. An arbiter has at most 64 candidates. Numbers of ports, lanes and
// classes begin with 0. Sets are masks: bit i is number i. Times are cycles, depths and credits are
// flits. Stamps are cycles modulo 2^16 and distances are links; both are the rank of a head.
//
// Ownership. The user owns every structure and gives it as bytes of 0; no function allocates or
// frees, and none keeps a pointer but to what the user has put into a switch (its routes) or a
// configuration (its graph). A switch holds no pointer into itself, so it can be copied. A network
// is large (about 15 MB): it is not for the stack.
//
// Wrong use, such as a flit for a lane without room, ends the program by assert(). Of the library
// the network needs <annelid/records.h> (configurations, worms, flits) and the mix of
// docs/random.md; what benches use needs nothing.

#ifndef ANL_ORACLE_H
#define ANL_ORACLE_H

#include "oracle/network.h"

#endif
