// SPDX-License-Identifier: Apache-2.0

#include "cole_maggs_sitaraman.h"

#include <math.h>

// --- cells ---

enum verdict check_within(double ours, double printed, double tolerance)
{
    if (printed <= 0) return VERDICT_SHOWN;
    return fabs(ours / printed - 1) <= tolerance ? VERDICT_PASS : VERDICT_FAIL;
}

// Returns how many standard errors the mean is from what is exact. The spread of trials that are
// all alike is unknown; it is then taken for that of messages that are lost one by one.
static double errors_of(const struct single_result *result)
{
    const double exact = result->exact, away = result->fraction.mean - exact;
    const double messages = (double)result->fraction.count * ldexp(1, (int)result->row->levels);
    const double spread = result->fraction.error;
    if (fabs(away) < 1e-12) return 0;
    return away / (spread > 0 ? spread : sqrt(exact * (1 - exact) / messages));
}

// The recursion must give the printed digits, and the mean of our trials must be within three
// standard errors of it.
enum verdict check_single(const struct single_result *result, double *errors)
{
    const struct single *row = result->row;
    if (!result->done) return VERDICT_NONE;
    *errors = errors_of(result);
    const bool as_printed =
        row->fraction <= 0 || fabs(result->exact - row->fraction) <= 0.51 * row->unit;
    return as_printed && fabs(*errors) <= 3 && !result->broken ? VERDICT_PASS : VERDICT_FAIL;
}

// The recursion takes all links for independent, which those of a q-relation are not quite: I8
// allows it 5 % and 0.005.
enum verdict check_rounds(const struct rounds_result *result)
{
    const struct rounds *row = result->row;
    if (!result->done) return VERDICT_NONE;
    const bool as_printed =
        row->undelivered <= 0 || fabs(result->recursion - row->undelivered) <= 0.51 * row->unit;
    const bool near =
        fabs(result->undelivered.mean - result->recursion) <= 0.05 * result->recursion + 0.005;
    const bool steps = row->steps == 0 || row->steps == result->steps;
    const bool total = row->total <= 0 || fabs(result->total.mean / row->total - 1) <= 0.15;
    return as_printed && near && steps && total && !result->broken ? VERDICT_PASS : VERDICT_FAIL;
}

enum verdict check_experiment(const struct experiment_result *result)
{
    return result->done ? verdict_of(&result->row->range, result->value) : VERDICT_NONE;
}

// --- claims ---
//
// The functions below fill in a value; they return false if runs that they need were not made.

static bool find_of_levelled(const struct results *results, enum claim_kind kind, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->plan->num_levelled; i++) {
        const struct levelled_result *result = &results->levelled[i];
        if (!result->done) continue;
        some = true;
        if (kind == CLAIM_BLOCKED) *value += (double)result->blocked;
        if (kind == CLAIM_MAKESPAN) *value += (double)result->uneven;
        if (kind == CLAIM_FIRST_FIT) *value = fmax(*value, result->of_bound);
    }
    return some;
}

static uint32_t classes_of(const struct worst_result *result)
{
    return (result->messages + result->row->lanes - 1) / result->row->lanes;
}

static bool find_of_worst(const struct results *results, enum claim_kind kind, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->plan->num_worst; i++) {
        const struct worst_result *result = &results->worst[i];
        if (!result->done || result->row->link == LINK_SHARED) continue;
        some = true;
        if (kind == CLAIM_BLOCKED) *value += (double)result->blocked;
        if (kind == CLAIM_MAKESPAN) *value += (double)result->uneven;
        if (kind == CLAIM_CLASSES && result->row->lanes == result->row->vcs)
            *value += result->colours != classes_of(result);
    }
    return some;
}

// Returns what a run is held against: the bound of the theorem, or the flits that B lanes carry.
static double measure_of(const struct worst_result *result, enum claim_kind kind)
{
    const struct worst *row = result->row;
    const bool work = kind == CLAIM_WORK_LEAST || kind == CLAIM_WORK_MOST;
    return work ? (double)result->messages * row->length / row->vcs : result->bound;
}

// The largest or least time over the bound, of the runs whose switches have B lanes and wide links;
// the least one of schedules, too.
static bool find_time(const struct results *results, enum claim_kind kind, double *value)
{
    const bool least = kind == CLAIM_LEAST || kind == CLAIM_WORK_LEAST;
    bool some = false;
    for (size_t i = 0; i < results->plan->num_worst; i++) {
        const struct worst_result *result = &results->worst[i];
        if (!result->done || result->bound <= 0 || result->row->lanes != result->row->vcs) continue;
        if (result->row->link == LINK_SHARED) continue;
        double ratio = (double)result->greedy.steps / measure_of(result, kind);
        if (kind == CLAIM_LEAST && result->schedule)
            ratio = fmin(ratio, (double)result->schedule / measure_of(result, kind));
        *value = !some ? ratio : least ? fmin(*value, ratio) : fmax(*value, ratio);
        some = true;
    }
    return some;
}

static bool are_a_family(const struct worst_result *one, const struct worst_result *many)
{
    return one->row->vcs == 1 && one->row->lanes == 1 && many->row->lanes == many->row->vcs &&
           many->row->vcs > 1 && one->row->link == LINK_WIDE && many->row->link == LINK_WIDE &&
           one->measures.dilation == many->measures.dilation &&
           one->measures.congestion == many->measures.congestion &&
           one->row->length == many->row->length && one->row->interleaved == many->row->interleaved;
}

// The least speed-up over B of networks with the same D, C and L: each the worst for its B.
static bool find_gain(const struct results *results, enum claim_kind kind, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->plan->num_worst; i++)
        for (size_t j = 0; j < results->plan->num_worst; j++) {
            const struct worst_result *one = &results->worst[i], *many = &results->worst[j];
            if (!one->done || !many->done || !are_a_family(one, many)) continue;
            const double gain = kind == CLAIM_GAIN
                                    ? (double)one->greedy.steps / (double)many->greedy.steps
                                    : (double)one->schedule / (double)many->schedule;
            *value = some ? fmin(*value, gain / many->row->vcs) : gain / many->row->vcs;
            some = true;
        }
    return some;
}

static bool find_levelled_gain(const struct results *results, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->plan->num_levelled; i++)
        for (size_t j = 0; j < results->plan->num_levelled; j++) {
            const struct levelled_result *one = &results->levelled[i];
            const struct levelled_result *many = &results->levelled[j];
            if (!one->done || !many->done || one->row->vcs != 1 || many->row->vcs == 1 ||
                one->row->dilation != many->row->dilation ||
                one->row->congestion != many->row->congestion)
                continue;
            const double gain = one->schedule.mean / many->schedule.mean / many->row->vcs;
            *value = some ? fmin(*value, gain) : gain;
            some = true;
        }
    return some;
}

static bool find_rounds_gain(const struct results *results, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->plan->num_rounds; i++)
        for (size_t j = 0; j < results->plan->num_rounds; j++) {
            const struct rounds_result *one = &results->rounds[i], *many = &results->rounds[j];
            if (!one->done || !many->done || one->row->vcs != 1 || many->row->vcs == 1 ||
                one->row->levels != many->row->levels || one->row->q != many->row->q ||
                one->row->length != many->row->length || one->row->beta < many->row->beta ||
                one->row->beta > many->row->beta)
                continue;
            const double gain = one->total.mean / many->total.mean / many->row->vcs;
            *value = some ? fmin(*value, gain) : gain;
            some = true;
        }
    return some;
}

static bool find_of_rounds(const struct results *results, enum claim_kind kind, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->plan->num_rounds; i++) {
        const struct rounds_result *result = &results->rounds[i];
        if (!result->done) continue;
        some = true;
        if (kind == CLAIM_ROUNDS) *value = fmax(*value, result->most_rounds);
        if (kind == CLAIM_ALLOWED) *value += (double)result->over;
        if (kind == CLAIM_BROKEN) *value += (double)result->broken;
    }
    for (size_t i = 0; kind == CLAIM_BROKEN && i < results->plan->num_single; i++) {
        *value += (double)results->single[i].broken;
        some |= results->single[i].done;
    }
    return some;
}

static bool find_value(const struct results *results, const struct claim *claim, double *value)
{
    bool some;
    switch (claim->kind) {
    case CLAIM_BLOCKED:
    case CLAIM_MAKESPAN:
        some = find_of_levelled(results, claim->kind, value);
        return find_of_worst(results, claim->kind, value) || some;
    case CLAIM_FIRST_FIT:
        return find_of_levelled(results, claim->kind, value);
    case CLAIM_CLASSES:
        return find_of_worst(results, claim->kind, value);
    case CLAIM_LEAST:
    case CLAIM_MOST:
    case CLAIM_WORK_LEAST:
    case CLAIM_WORK_MOST:
        return find_time(results, claim->kind, value);
    case CLAIM_GAIN:
    case CLAIM_GAIN_COLOURS:
        return find_gain(results, claim->kind, value);
    case CLAIM_GAIN_LEVELLED:
        return find_levelled_gain(results, value);
    case CLAIM_GAIN_ROUNDS:
        return find_rounds_gain(results, value);
    case CLAIM_ROUNDS:
    case CLAIM_ALLOWED:
    case CLAIM_BROKEN:
        return find_of_rounds(results, claim->kind, value);
    }
    return false;
}

enum verdict check_claim(const struct results *results, const struct claim *claim, double *value)
{
    *value = 0;
    return find_value(results, claim, value) ? verdict_of(&claim->range, *value) : VERDICT_NONE;
}
