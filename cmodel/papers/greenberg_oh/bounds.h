// SPDX-License-Identifier: Apache-2.0
//
// What the theory says about the time of a set of worms: at least, and by Theorem 2 at most.

#ifndef GREENBERG_OH_BOUNDS_H
#define GREENBERG_OH_BOUNDS_H

#include <stdint.h>

// max(c L, d + L - 1) flit-steps: the worms over one link follow each other, and the last flit of
// the worm with the longest path follows its head.
uint64_t bounds_lower(uint64_t congestion, uint64_t dilation, uint64_t length);

// Theorem 2 as its proof has it. A worm waits for x phases, x uniform in 0 … delays - 1, and is
// delivered in the phase in which it starts with probability 1 - 1/P^2; so all worms are by the end
// of the last phase with probability 1 - 1/P.
struct bounds_schedule {
    uint64_t eta;           // min(d, L)
    double t1;              // max(d / L, ln P, 1)
    uint64_t delays;        // R: 5 c L if L < d, else 5 c d
    uint64_t phase_cycles;  // k T1 L flit-steps, rounded up, k = 10
    uint64_t cycles;        // R phases
};
// worms, congestion, dilation, length >= 1.
//
// The logarithm is the natural one: the proof needs Pr <= e^(-2 log P) to be 1 / P^2. It also needs
// 8 T1 L + d + L <= 10 T1 L, so T1 >= 1 where d <= L; for P >= 3 the logarithm gives that.
struct bounds_schedule bounds_theorem_2(uint64_t worms, uint64_t congestion, uint64_t dilation,
                                        uint64_t length);

#endif
