// SPDX-License-Identifier: Apache-2.0

#include "bock.h"

#include <inttypes.h>

struct tally {
    size_t count[VERDICT_NONE + 1];  // [verdicts]
};

static const char *judge(struct tally *tally, enum verdict verdict)
{
    tally->count[verdict]++;
    return verdict_name(verdict);
}

static void print_runs(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrrrrlrrrrlr"};
    puts("Steps, steps / (L + d) n, and worms that failed, of all seeds\n"
         "  (rounds of phase 2 that were needed; most worms in a reservoir)");
    table_row(&table,
              "worms\tn, d, L\ta, b, c\tbatches\tsteps\t\tratio\tof worms\tfailed\trounds\t\t"
              "reservoir");
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->of[i];
        const struct anl_diagonals_config *config = &result->study->config;
        const struct run sum = result_sum(result);
        double per_million;
        const enum verdict steps = check_cycles(result);
        const enum verdict failures = check_failures(result, &per_million);
        table_row(&table,
                  "%s, %s\t%" PRIu32 ", %" PRIu32 ", %" PRIu32 "\t%" PRIu32 ", %" PRIu32
                  ", %" PRIu32 "\t%" PRIu32 "\t%" PRIu64 "\t%s\t%.1f\t%" PRIu32 "\t%" PRIu32
                  "\t%" PRIu32 "\t%s\t%" PRIu32,
                  result->study->traffic_name, result->study->rounds, config->n, config->d,
                  config->length, config->a, config->b, config->c, sum.batches, sum.cycles,
                  judge(tally, steps), result_ratio(result), sum.worms, sum.failed, sum.rounds,
                  judge(tally, failures), sum.reservoir);
    }
    table_print(&table, 2);
}

static void print_claims(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrrlll"};
    puts("\nWhat the paper says");
    table_row(&table, "claim\tL\tvalue\texpected\t\tsentence");
    for (size_t i = 0; i < results->plan->num_claims; i++) {
        const struct claim *claim = &results->plan->claims[i];
        double value;
        const enum verdict verdict = check_claim(results, claim, &value);
        char length[16] = "any";
        if (claim->length) snprintf(length, sizeof length, "%" PRIu32, claim->length);
        table_row(&table, "%s\t%s\t%.4g\t%g … %g\t%s\t%s", claim->name, length, value,
                  claim->range.least, claim->range.most, judge(tally, verdict), claim->sentence);
    }
    table_print(&table, 2);
}

bool report_print(const struct results *results)
{
    struct tally tally = {0};
    print_runs(results, &tally);
    print_claims(results, &tally);
    printf("%zu cells and claims were not run\n%zu passed, %zu failed\n", tally.count[VERDICT_NONE],
           tally.count[VERDICT_PASS], tally.count[VERDICT_FAIL]);
    return tally.count[VERDICT_FAIL] == 0;
}
