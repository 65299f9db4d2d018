// SPDX-License-Identifier: Apache-2.0

#include "judge.h"

#include <math.h>
#include <string.h>

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"pass", "FAIL", "differs", "shown", "not run"};
    return names[verdict];
}

// --- cells ---

// Standard errors between the paper's mean of count runs and ours, whose error is given. The
// deviation of one run is taken to be the same. Without any error only equality is none.
static double distance(const struct cell *cell, const struct sample *ours, size_t count)
{
    const double difference = cell->paper - ours->mean;
    const double variance = ours->deviation * ours->deviation / (double)count +
                            ours->error * ours->error + cell->unit * cell->unit / 12;
    return difference / sqrt(variance);
}

struct cell_judgement judge_cell(const struct results *results, const struct cell *cell)
{
    const enum measure measure = cell->quantity == QUANTITY_TIME ? MEASURE_TIME : MEASURE_LOAD;
    struct cell_judgement judgement = {
        .ours = results_sample(results, cell->series, cell->n, measure, false),
        .all = results_sample(results, cell->series, cell->n, measure, true),
        .verdict = VERDICT_NONE,
    };
    if (!judgement.ours.count) return judgement;
    judgement.deviation = 100 * (judgement.ours.mean - cell->paper) / cell->paper;
    judgement.z = distance(cell, &judgement.ours, judgement.ours.count);
    judgement.z_all = distance(cell, &judgement.all, judgement.ours.count);
    const bool exact = judgement.all.least == cell->paper && judgement.all.most == cell->paper;
    const bool near =
        fabs(judgement.z) <= cell->tolerance && fabs(judgement.z_all) <= cell->tolerance;
    judgement.verdict = (cell->tolerance > 0 ? near : exact) ? VERDICT_PASS : VERDICT_FAIL;
    if (cell->shown) judgement.verdict = VERDICT_SHOWN;
    return judgement;
}

// --- claims ---

// The value of a claim; false if what it needs was not run.
struct asked {
    const struct plan *plan;
    const struct results *results;
    const struct claim *claim;
};

static bool judge_gain(const struct asked *asked, struct claim_judgement *judgement)
{
    const struct series *series[2] = {plan_find(asked->plan, asked->claim->first),
                                      plan_find(asked->plan, asked->claim->second)};
    struct sample times[2];
    for (int i = 0; i < 2; i++) {
        times[i] = results_sample(asked->results, series[i], asked->claim->n, MEASURE_TIME, true);
        if (!times[i].count) return false;
    }
    const double ratio = times[1].mean / times[0].mean;
    judgement->value = 100 * (1 - ratio);
    judgement->error =
        100 * ratio * hypot(times[0].error / times[0].mean, times[1].error / times[1].mean);
    return true;
}

enum { MAX_POINTS = 32 };

static bool judge_straight(const struct asked *asked, struct claim_judgement *judgement)
{
    struct power_point points[MAX_POINTS];
    size_t count = 0;
    const size_t prefix = strlen(asked->claim->first);
    for (size_t i = 0; i < asked->plan->num_series && count < MAX_POINTS; i++) {
        const struct series *series = &asked->plan->series[i];
        if (strncmp(series->name, asked->claim->first, prefix) != 0) continue;
        const struct sample time =
            results_sample(asked->results, series, asked->claim->n, MEASURE_TIME, false);
        if (!time.count) continue;
        points[count++] = (struct power_point){
            results_length(asked->results, series, asked->claim->n), 1, time.mean};
    }
    if (count < 3) return false;
    judgement->value = straightness(points, count);
    return true;
}

static void note_law(struct claim_judgement *judgement, struct power_law law)
{
    judgement->value = law.power;
    judgement->low = law.low;
    judgement->high = law.high;
    judgement->factor = law.factor;
}

// c of the fit, as the claim's first name says.
static double congestion_of(const struct asked *asked, const struct series *worm, uint32_t n)
{
    const char *what = asked->claim->first;
    enum measure measure = MEASURE_CONGESTION;
    if (strncmp(what, "one", 3) == 0) return 1;
    if (strncmp(what, "load", 4) == 0) measure = MEASURE_LOAD;
    if (strncmp(what, "mean", 4) == 0) measure = MEASURE_MEAN_CONGESTION;
    return results_sample(asked->results, worm, n, measure, false).mean;
}

static bool judge_power(const struct asked *asked, struct claim_judgement *judgement)
{
    const struct series *worm = plan_find(asked->plan, "worm");
    struct power_point points[MAX_POINTS];
    size_t count = 0;
    for (uint32_t n = worm ? worm->least : 1; worm && n <= worm->most; n++) {
        const struct sample time = results_sample(asked->results, worm, n, MEASURE_TIME, false);
        if (!time.count) return false;
        points[count++] = (struct power_point){
            n, congestion_of(asked, worm, n) * results_length(asked->results, worm, n), time.mean};
    }
    if (count < 3) return false;
    const bool values = strstr(asked->claim->first, "-values") != NULL;
    note_law(judgement, values ? fit_values(points, count) : fit_logarithms(points, count));
    return true;
}

static bool judge_growth(const struct asked *asked, enum measure measure,
                         struct claim_judgement *judgement)
{
    const struct series *series = plan_find(asked->plan, asked->claim->first);
    struct power_point points[MAX_POINTS];
    size_t count = 0;
    for (uint32_t n = series->least; n <= series->most; n++) {
        const struct sample sample = results_sample(asked->results, series, n, measure, false);
        if (sample.count) points[count++] = (struct power_point){2 * n, 1, sample.mean};
    }
    if (count < 3) return false;
    note_law(judgement, fit_logarithms(points, count));
    return true;
}

static bool judge_outside(const struct asked *asked, struct claim_judgement *judgement)
{
    bool some = false;
    for (size_t i = 0; i < asked->plan->num_cells; i++) {
        const struct cell *cell = &asked->plan->cells[i];
        if (strcmp(cell->group, asked->claim->first) != 0) continue;
        const struct cell_judgement judged = judge_cell(asked->results, cell);
        if (judged.verdict == VERDICT_NONE) continue;
        some = true;
        judgement->value += fabs(judged.z) > 2 || fabs(judged.z_all) > 2;
    }
    return some;
}

static bool judge_missed(const struct asked *asked, struct claim_judgement *judgement)
{
    const struct series *series = plan_find(asked->plan, asked->claim->first);
    bool some = false;
    for (uint32_t n = series->least; n <= series->most; n++) {
        const struct sample missed =
            results_sample(asked->results, series, n, MEASURE_MISSED, true);
        judgement->value += missed.mean * (double)missed.count;
        some |= missed.count > 0;
    }
    return some;
}

static bool judge_twice(const struct asked *asked, struct claim_judgement *judgement)
{
    const struct series *series = plan_find(asked->plan, asked->claim->first);
    const struct sample twice =
        results_sample(asked->results, series, asked->claim->n, MEASURE_TWICE, false);
    judgement->value = round(twice.mean * (double)twice.count);
    return twice.count > 0;
}

static bool find_value(const struct asked *asked, struct claim_judgement *judgement)
{
    switch (asked->claim->kind) {
    case CLAIM_GAIN:
        return judge_gain(asked, judgement);
    case CLAIM_STRAIGHT:
        return judge_straight(asked, judgement);
    case CLAIM_POWER:
        return judge_power(asked, judgement);
    case CLAIM_SLOWDOWN:
        return judge_growth(asked, MEASURE_SLOWDOWN, judgement);
    case CLAIM_CROWDING:
        return judge_growth(asked, MEASURE_CONGESTION, judgement);
    case CLAIM_OUTSIDE:
        return judge_outside(asked, judgement);
    case CLAIM_MISSED:
        return judge_missed(asked, judgement);
    case CLAIM_TWICE:
        return judge_twice(asked, judgement);
    }
    return false;
}

// A claim that is known to differ passes if the paper's sentence holds after all.
static enum verdict verdict_of(const struct claim *claim, double value)
{
    if (value >= claim->least && value <= claim->most) return VERDICT_PASS;
    const bool as_known = claim->differs && value >= claim->our_least && value <= claim->our_most;
    return as_known ? VERDICT_DIFFERS : VERDICT_FAIL;
}

struct claim_judgement judge_claim(const struct plan *plan, const struct results *results,
                                   const struct claim *claim)
{
    const struct asked asked = {plan, results, claim};
    struct claim_judgement judgement = {.verdict = VERDICT_NONE};
    if (find_value(&asked, &judgement)) judgement.verdict = verdict_of(claim, judgement.value);
    return judgement;
}
