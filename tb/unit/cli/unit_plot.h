// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of `annelid plot`: Python reads a picture back, from pixels to numbers
// by the ticks of its axes, and fails the test unless a promise holds.

#ifndef ANNELID_UNIT_PLOT_H
#define ANNELID_UNIT_PLOT_H

#include "unit_cli.h"

// Writes the program by which Python reads a picture.
void write_picture_reader(void);
// The promise, which contains no single quotes, is about these names. texts: all texts; marks: (x,
// y, title, sign) of every mark that has a title, in numbers of the axes; bars: (x, from, to) of
// the error bars; right, top: the ends of the axes.
void judge_picture(const char *file, const char *promise);
// Plots to file and checks that gnuplot accepts the same script without a message.
void expect_plot(const char *arguments, const char *file);

#endif
