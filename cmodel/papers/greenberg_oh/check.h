// SPDX-License-Identifier: Apache-2.0
//
// Ours against the paper's: cells of Table 1, and sentences.

#ifndef GREENBERG_OH_CHECK_H
#define GREENBERG_OH_CHECK_H

#include "results.h"

// SHOWN: not judged; NONE: was not run
enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_DIFFERS, VERDICT_SHOWN, VERDICT_NONE };
const char *verdict_name(enum verdict verdict);

struct cell_verdict {
    struct sample ours, all;  // of the runs as in the paper, and of all of ours
    double deviation;         // of ours from the paper's, per cent
    double z, z_all;          // how many standard errors the paper's mean is above ours
    enum verdict verdict;
};
struct cell_verdict check_cell(const struct results *results, const struct cell *cell);

struct claim_verdict {
    double value;
    double error;      // standard error of a gain, else 0
    double low, high;  // 95 % of a power, else 0
    double factor;     // k of a power law
    enum verdict verdict;
};
struct claim_verdict check_claim(const struct plan *plan, const struct results *results,
                                 const struct claim *claim);

#endif
