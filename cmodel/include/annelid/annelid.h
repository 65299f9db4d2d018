// SPDX-License-Identifier: Apache-2.0
//
// libannelid: golden model of the Annelid switches. This header includes the whole public API.

#ifndef ANNELID_ANNELID_H
#define ANNELID_ANNELID_H

#include <annelid/blocking.h>
#include <annelid/board.h>
#include <annelid/cdg.h>
#include <annelid/config.h>
#include <annelid/flit.h>
#include <annelid/layout.h>
#include <annelid/net.h>
#include <annelid/output.h>
#include <annelid/random.h>
#include <annelid/referee.h>
#include <annelid/run.h>
#include <annelid/scenario.h>
#include <annelid/status.h>
#include <annelid/topology.h>
#include <annelid/trace.h>
#include <annelid/traffic.h>

#endif
