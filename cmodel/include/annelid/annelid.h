// SPDX-License-Identifier: Apache-2.0
//
// libannelid: golden model of the Annelid switches. This header includes the whole public API.

#ifndef ANNELID_ANNELID_H
#define ANNELID_ANNELID_H

#include <annelid/base.h>
#include <annelid/batch.h>
#include <annelid/blocking.h>
#include <annelid/board.h>
#include <annelid/bufferless.h>
#include <annelid/colour.h>
#include <annelid/diagonals.h>
#include <annelid/discard.h>
#include <annelid/engine.h>
#include <annelid/layout.h>
#include <annelid/live.h>
#include <annelid/network.h>
#include <annelid/predict.h>
#include <annelid/referee.h>
#include <annelid/rtl.h>
#include <annelid/run.h>
#include <annelid/scenario.h>
#include <annelid/schedule.h>
#include <annelid/theory.h>
#include <annelid/trace.h>
#include <annelid/workload.h>

#endif
