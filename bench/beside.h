// SPDX-License-Identifier: Apache-2.0
//
// Another model beside the buffered engine: both take turns on one machine.

#ifndef BENCH_BESIDE_H
#define BENCH_BESIDE_H

#include <stdint.h>

// Ends the program with exit status 2.
_Noreturn void beside_die(const char *text);

// Measures `play`, which returns the flits that crossed links, and runs of the buffered engine on a
// scenario. Prints both medians: flit-moves of what is called `name`, and flit-hops, per CPU
// second. Returns the exit status of a program: 1 if the first is less than `least` times the
// second.
int beside_the_buffered_engine(const char *scenario, const char *name, double least,
                               uint64_t (*play)(void *user), void *user);

#endif
