// SPDX-License-Identifier: Apache-2.0

#include "cole_maggs_sitaraman.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct tally {
    size_t count[VERDICT_NONE + 1];  // [verdicts]
};

static const char *judge(struct tally *tally, enum verdict verdict)
{
    tally->count[verdict]++;
    return verdict_name(verdict);
}

static enum verdict worse(enum verdict a, enum verdict b)
{
    if (a == VERDICT_FAIL || b == VERDICT_FAIL) return VERDICT_FAIL;
    return a == VERDICT_PASS || b == VERDICT_PASS ? VERDICT_PASS : VERDICT_SHOWN;
}

// Prints a number and, if there is one, what is printed elsewhere.
static void beside(struct table *table, double ours, double printed)
{
    if (printed > 0)
        table_add(table, "%.5g (%.5g)", ours, printed);
    else
        table_add(table, "%.5g", ours);
}

// Colours are few, so that one more or less is a large part of them.
static enum verdict check_colours(double colours, const struct levelled *row)
{
    return fabs(colours - row->colours) <= 1 ? VERDICT_PASS
                                             : check_within(colours, row->colours, row->tolerance);
}

static void print_levelled(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrrrrrrrrl"};
    puts("Random levelled networks: means over instances; in brackets an older program's one "
         "instance");
    table_row(&table,
              "W, D, C, L\tB\tcount\tmessages\tfirst fit\tdrawn\ttheorem\tschedule\tgreedy\t");
    for (size_t i = 0; i < results->plan->num_levelled; i++) {
        const struct levelled_result *result = &results->levelled[i];
        const struct levelled *row = result->row;
        if (!result->done) {
            judge(tally, VERDICT_NONE);
            continue;
        }
        const double schedule = row->colours * (row->length + row->dilation - 1);
        enum verdict verdict = check_within(result->messages.mean, row->messages, row->tolerance);
        verdict = worse(verdict, check_colours(result->colours.mean, row));
        verdict = worse(verdict, check_within(result->greedy.mean, row->greedy, row->tolerance));
        table_row(&table, "%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 "\t%" PRIu32 "\t%zu",
                  row->width, row->dilation, row->congestion, row->length, row->vcs,
                  result->messages.count);
        beside(&table, result->messages.mean, row->messages);
        beside(&table, result->colours.mean, row->colours);
        if (row->drawn > 0)
            beside(&table, result->drawn, row->drawn);
        else
            table_add(&table, "-");
        table_add(&table, "%.0f", result->theorem.mean);
        beside(&table, result->schedule.mean, schedule);
        beside(&table, result->greedy.mean, row->greedy);
        table_add(&table, "%s", judge(tally, verdict));
    }
    table_print(&table, 2);
}

// The bound holds for lanes of one flit; a worm in lanes of two need not have all links of its
// path.
static enum verdict check_worst(const struct worst_result *result)
{
    const struct worst *row = result->row;
    const bool colours =
        row->link == LINK_SHARED || row->colours == 0 || row->colours == result->colours;
    const bool above = result->bound <= 0 ||
                       ((double)result->greedy.steps >= result->bound &&
                        (row->link == LINK_SHARED || (double)result->schedule >= result->bound));
    const enum verdict greedy =
        check_within((double)result->greedy.steps, row->greedy, row->tolerance);
    if (!colours || !above || result->blocked || result->uneven) return VERDICT_FAIL;
    return worse(greedy, VERDICT_PASS);
}

static void print_worst(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrrllrrrrrl"};
    puts("\nNetworks that are the worst for B lanes; in brackets an older program's greedy times");
    table_row(&table, "B, M', C, L\tD\tM\torder\tlink\tlanes\tbound\tgreedy\tcolours\tschedule\t");
    for (size_t i = 0; i < results->plan->num_worst; i++) {
        const struct worst_result *result = &results->worst[i];
        const struct worst *row = result->row;
        if (!result->done) {
            judge(tally, VERDICT_NONE);
            continue;
        }
        table_row(&table,
                  "%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 "\t%" PRIu32 "\t%" PRIu32
                  "\t%s\t%s\t%" PRIu32,
                  row->vcs, row->distinct, result->measures.congestion, row->length,
                  result->measures.dilation, result->messages,
                  row->interleaved ? "interleaved" : "grouped",
                  row->link == LINK_WIDE ? "wide" : "shared", row->lanes);
        table_add(&table, result->bound > 0 ? "%.0f" : "-", result->bound);
        beside(&table, (double)result->greedy.steps, row->greedy);
        if (row->link == LINK_WIDE)
            table_row(&table, "%" PRIu32 "\t%" PRIu64, result->colours, result->schedule);
        else
            table_row(&table, "-\t-");
        table_add(&table, "%s", judge(tally, check_worst(result)));
    }
    table_print(&table, 2);
}

static void print_single(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "rrrrrrrl"};
    puts("\nOne pass, a message from each input: the part that is delivered");
    table_row(&table, "n\tB\ttrials\tprinted\texact\tmeasured\terrors\t");
    for (size_t i = 0; i < results->plan->num_single; i++) {
        const struct single_result *result = &results->single[i];
        double errors = 0;
        const enum verdict verdict = check_single(result, &errors);
        judge(tally, verdict);
        if (verdict == VERDICT_NONE) continue;
        table_row(&table, "%u\t%" PRIu32 "\t%zu", 1u << result->row->levels, result->row->vcs,
                  result->fraction.count);
        if (result->row->fraction > 0)
            table_add(&table, "%.5f", result->row->fraction);
        else
            table_add(&table, "-");
        table_row(&table, "%.5f\t%.5f\t%+.2f\t%s", result->exact, result->fraction.mean, errors,
                  verdict_name(verdict));
    }
    table_print(&table, 2);
}

static void print_rounds(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrrrrrrrrrl"};
    puts("\nTwo passes, a random q-relation: not delivered after round 0; rounds and steps in all");
    table_row(&table, "n, q, L, B\tbeta\ttrials\tcolours\tsteps\trecursion\tmeasured\trounds\t"
                      "copies\ttotal\t");
    for (size_t i = 0; i < results->plan->num_rounds; i++) {
        const struct rounds_result *result = &results->rounds[i];
        const struct rounds *row = result->row;
        const enum verdict verdict = check_rounds(result);
        judge(tally, verdict);
        if (verdict == VERDICT_NONE) continue;
        table_row(&table,
                  "%u, %" PRIu32 ", %" PRIu32 ", %" PRIu32 "\t%g\t%zu\t%" PRIu32 "\t%" PRIu32
                  "\t%.4f",
                  1u << row->levels, row->q, row->length, row->vcs, row->beta,
                  result->undelivered.count, result->colours, result->steps, result->recursion);
        if (row->measured > 0)
            table_add(&table, "%.4f (%.4f)", result->undelivered.mean, row->measured);
        else
            table_add(&table, "%.4f", result->undelivered.mean);
        table_row(&table, "%.2f, at most %" PRIu32 "\t%" PRIu32, result->rounds.mean,
                  result->most_rounds, result->most_copies);
        beside(&table, result->total.mean, row->total);
        table_add(&table, "%s", verdict_name(verdict));
    }
    table_print(&table, 2);
}

static void print_stalling(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrrrrl"};
    puts("\nOne pass, worms wait: steps until all are delivered");
    table_row(&table, "n, q, L\tB\ttrials\tcongestion\tsteps\t");
    for (size_t i = 0; i < results->plan->num_stalling; i++) {
        const struct stalling_result *result = &results->stalling[i];
        const struct stalling *row = result->row;
        if (!result->done) {
            judge(tally, VERDICT_NONE);
            continue;
        }
        table_row(&table, "%u, %" PRIu32 ", %" PRIu32 "\t%" PRIu32 "\t%zu\t%.1f", 1u << row->levels,
                  row->q, row->length, row->vcs, result->steps.count, result->congestion.mean);
        beside(&table, result->steps.mean, row->steps);
        table_add(&table, "%s",
                  judge(tally, check_within(result->steps.mean, row->steps, row->tolerance)));
    }
    table_print(&table, 2);
}

static void print_experiments(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "llrrrrlll"};
    puts("\nExperiments: what each kind is, papers/cole_maggs_sitaraman/data/experiments.csv says");
    table_row(&table, "kind\twhat\tsize\tx\tB\tvalue\terror\texpected\t");
    for (size_t i = 0; i < results->plan->num_experiments; i++) {
        const struct experiment_result *result = &results->experiments[i];
        const struct experiment *row = result->row;
        const enum verdict verdict = check_experiment(result);
        judge(tally, verdict);
        if (verdict == VERDICT_NONE) continue;
        table_row(&table, "%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%.5g", row->texts[0],
                  row->texts[1], row->size, row->x, row->vcs, result->value);
        if (result->error > 0)
            table_add(&table, "+- %.2g", result->error);
        else
            table_add(&table, "-");
        table_row(&table, "%g … %g\t%s", row->range.least, row->range.most, verdict_name(verdict));
    }
    table_print(&table, 2);
}

static void print_claims(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrlll"};
    puts("\nWhat the paper says, and what must hold in every run");
    table_row(&table, "claim\tvalue\texpected\t\tsentence");
    for (size_t i = 0; i < results->plan->num_claims; i++) {
        const struct claim *claim = &results->plan->claims[i];
        double value;
        const enum verdict verdict = check_claim(results, claim, &value);
        table_row(&table, "%s\t%.4g\t%g … %g\t%s\t%s", claim->name, value, claim->range.least,
                  claim->range.most, judge(tally, verdict), claim->sentence);
    }
    table_print(&table, 2);
}

bool report_print(const struct results *results)
{
    struct tally tally = {0};
    print_levelled(results, &tally);
    print_worst(results, &tally);
    print_single(results, &tally);
    print_rounds(results, &tally);
    print_stalling(results, &tally);
    print_experiments(results, &tally);
    print_claims(results, &tally);
    printf("\n%zu rows and claims were not run\n%zu passed, %zu failed\n",
           tally.count[VERDICT_NONE], tally.count[VERDICT_PASS], tally.count[VERDICT_FAIL]);
    return tally.count[VERDICT_FAIL] == 0;
}
