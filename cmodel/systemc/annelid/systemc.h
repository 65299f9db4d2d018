// SPDX-License-Identifier: Apache-2.0
//
// A network as a module of SystemC: the golden model, the verilated RTL, or both beside each other,
// behind the same ports; terminals for it; and the base protocol of TLM-2.0 over it. Header only:
// a program links with libannelid and with SystemC. Page: docs/systemc.md.
//
//   annelid::scenario mesh("mesh.yaml");
//   annelid::network noc("noc", mesh, annelid::golden());
//   annelid::network noc("noc", mesh, annelid::rtl<Vnoc>());
//   annelid::network noc("noc", mesh, annelid::compare(annelid::golden(), annelid::rtl<Vnoc>()));
//
// All is in steps of one clock and belongs to the thread of the simulation. Whatever is wrong is an
// error of SystemC (SC_REPORT_ERROR, type /annelid/…), with the message of the library.

#ifndef ANNELID_SYSTEMC_H
#define ANNELID_SYSTEMC_H

#include <annelid/systemc/golden.h>
#include <annelid/systemc/machine.h>
#include <annelid/systemc/network.h>
#include <annelid/systemc/rtl.h>
#include <annelid/systemc/scenario.h>
#include <annelid/systemc/stream.h>
#include <annelid/systemc/terminal.h>
#include <annelid/systemc/tlm.h>

#endif
