// SPDX-License-Identifier: Apache-2.0
//
// libannelid: golden model of the Annelid switches. This header includes the whole public API, but
// for what came with papers, each part of which has a header of its own: annelid/schedule.h,
// annelid/colour.h, and those of kinds of switches, annelid/bufferless.h,
// annelid/discard.h, annelid/diagonals.h with their machines and referees.

#ifndef ANNELID_ANNELID_H
#define ANNELID_ANNELID_H

#include <annelid/base.h>
#include <annelid/batch.h>
#include <annelid/blocking.h>
#include <annelid/board.h>
#include <annelid/driver.h>
#include <annelid/engine.h>
#include <annelid/layout.h>
#include <annelid/links.h>
#include <annelid/live.h>
#include <annelid/network.h>
#include <annelid/predict.h>
#include <annelid/probes.h>
#include <annelid/recorded.h>
#include <annelid/referee.h>
#include <annelid/report.h>
#include <annelid/rim.h>
#include <annelid/rtl.h>
#include <annelid/run.h>
#include <annelid/scenario.h>
#include <annelid/theory.h>
#include <annelid/trace.h>
#include <annelid/workload.h>

#endif
