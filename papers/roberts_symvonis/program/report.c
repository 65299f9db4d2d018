// SPDX-License-Identifier: Apache-2.0

#include "roberts_symvonis.h"

#include <annelid/schedule.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *tally_note(struct tally *tally, enum verdict verdict)
{
    tally->count[verdict]++;
    return verdict_name(verdict);
}

static bool is_all(const struct result *result) { return result->study->permutations == 0; }

static void print_means(const struct results *results)
{
    struct table table = {.align = "lrrrrrrrrrrr"};
    puts("Random permutations: mean makespan; over: of the shortest, over the lower bound");
    table_row(&table, "n, k\tcount\tbound");
    for (int order = 0; order < (int)ANL_ORDERS; order++)
        table_add(&table, "%s", anl_order_name((enum anl_order)order));
    table_add(&table, "over");
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->of[i];
        const struct study *study = result->study;
        if (is_all(result)) continue;
        table_row(&table, "%" PRIu32 ", %" PRIu32 "\t%zu\t%" PRIu32, study->n, study->k,
                  result->orders[0].sample.count, anl_schedule_bound(study->n, study->k));
        for (int order = 0; order < (int)ANL_ORDERS; order++)
            table_add(&table, "%.1f", result->orders[order].sample.mean);
        table_add(&table, "%.3f", result->over);
    }
    table_print(&table, 2);
}

static void print_moving(const struct results *results)
{
    struct table table = {.align = "lrr"};
    puts("\nWorms that move in one step, the most of all schedules that were checked");
    table_row(&table, "n, k\tworms\tover n^2 / k");
    for (size_t i = 0; i < results->count; i++) {
        const struct study *study = results->of[i].study;
        const double most = results->of[i].moving;
        table_row(&table, "%" PRIu32 ", %" PRIu32 "\t%.0f\t%.2f", study->n, study->k,
                  most * study->n * study->n / study->k, most);
    }
    table_print(&table, 2);
}

static void print_cells(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrlrrrl"};
    puts("\nThe same held against the means of oracle/oracle.py");
    table_row(&table, "n, k\tcount\torder\ttheirs\tours\terrors\t");
    for (size_t i = 0; i < results->plan->num_cells; i++) {
        const struct cell *cell = &results->plan->cells[i];
        double distance = 0;
        const enum verdict verdict = check_mean(results, cell, &distance);
        tally_note(tally, verdict);
        if (verdict == VERDICT_NONE) continue;
        table_row(&table, "%" PRIu32 ", %" PRIu32 "\t%" PRIu32 "\t%s\t%.1f\t%.2f\t%+.2f\t%s",
                  cell->n, cell->k, cell->count, anl_order_name(cell->order), cell->mean,
                  results_find(results, cell->n, cell->k, false)->orders[cell->order].sample.mean,
                  distance, verdict_name(verdict));
    }
    table_print(&table, 2);
}

static void print_all(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrlrrl"};
    puts("\nAll permutations: largest and mean makespan");
    table_row(&table, "n, k\tcount\torder\tlargest\tmean\t");
    for (size_t i = 0; i < results->plan->num_all_cells; i++) {
        const struct cell *cell = &results->plan->all_cells[i];
        const struct result *result = results_find(results, cell->n, cell->k, true);
        const enum verdict verdict = check_all(results, cell);
        tally_note(tally, verdict);
        if (!result) continue;
        const struct outcome *ours = &result->orders[cell->order];
        table_row(&table, "%" PRIu32 ", %" PRIu32 "\t%zu\t%s\t%" PRIu32 "\t%.4f\t%s", cell->n,
                  cell->k, ours->sample.count, anl_order_name(cell->order), ours->makespan,
                  ours->sample.mean, verdict_name(verdict));
    }
    table_print(&table, 2);
}

static void print_climbs(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrlrrrl"};
    puts("\nPermutations with long schedules, found by hill climbing");
    table_row(&table, "n, k\ttries\torder\tmakespan\tbound\tover\t");
    for (size_t i = 0; i < results->num_climbs; i++) {
        const struct climb_result *result = &results->climbs[i];
        const struct climb_case *of = result->of;
        const uint32_t bound = anl_schedule_bound(of->n, of->k);
        table_row(&table, "%" PRIu32 ", %" PRIu32 "\t%" PRIu32 "\t%s\t%" PRIu32 "\t%" PRIu32, of->n,
                  of->k, of->tries, of->any_order ? "any" : anl_order_name(of->order),
                  result->makespan, bound);
        table_add(&table, "%.3f", (double)result->makespan / bound);
        table_add(&table, "%s", tally_note(tally, check_climb(result)));
    }
    table_print(&table, 2);
}

static void print_graphs(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrlrrrrrl"};
    puts("\nOther networks and (h1, h2) problems; queue: packets that may wait in a node");
    table_row(&table, "network\tn\th1, h2\tk\tqueue\tmakespan\tover\tof the bound\t");
    for (size_t i = 0; i < results->num_graphs; i++) {
        const struct graph_result *result = &results->graphs[i];
        const struct graph_case *of = result->of;
        char queue[16] = "none";
        if (of->queues) snprintf(queue, sizeof queue, "%" PRIu32, of->queue);
        table_row(&table, "%s\t%" PRIu32 "\t%" PRIu32 ", %" PRIu32 "\t%" PRIu32 "\t%s",
                  network_name(of->network), of->n, of->h1, of->h2, of->k, queue);
        table_row(&table, "%.2f\t%.3f\t%.3f", result->mean, result->over, result->part);
        table_add(&table, "%s", tally_note(tally, check_graph(result)));
    }
    table_print(&table, 2);
}

static void print_claims(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "llrrlll"};
    puts("\nWhat the paper says");
    table_row(&table, "claim\torder\tk\tvalue\texpected\t\tsentence");
    for (size_t i = 0; i < results->plan->num_claims; i++) {
        const struct claim *claim = &results->plan->claims[i];
        double value;
        const enum verdict verdict = check_claim(results, claim, &value);
        const bool one_order = claim->kind >= CLAIM_LEXICAL && claim->kind <= CLAIM_GAIN;
        char k[16] = "any";
        if (claim->k) snprintf(k, sizeof k, "%" PRIu32, claim->k);
        table_row(&table, "%s\t%s\t%s\t%.4g\t%g … %g\t%s\t%s", claim->name,
                  one_order ? anl_order_name(claim->order) : "", k, value, claim->range.least,
                  claim->range.most, tally_note(tally, verdict), claim->sentence);
    }
    table_print(&table, 2);
}

static void print_checked(const struct results *results)
{
    uint64_t schedules = 0, checked = 0;
    double worst = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->of[i];
        schedules += result->orders[0].sample.count * ANL_ORDERS;
        checked += result->checked;
        const double bound = anl_schedule_bound(result->study->n, result->study->k);
        for (int order = 0; order < (int)ANL_ORDERS; order++)
            worst = fmax(worst, result->orders[order].makespan / bound);
    }
    printf("\n%" PRIu64 " schedules, of which the machine without buffers ran %" PRIu64
           "; worst makespan / bound %.3f\n",
           schedules, checked, worst);
}

bool report_print(const struct results *results)
{
    struct tally tally = {0};
    print_means(results);
    print_moving(results);
    print_cells(results, &tally);
    print_all(results, &tally);
    print_climbs(results, &tally);
    print_graphs(results, &tally);
    report_snakes(results, &tally);
    print_claims(results, &tally);
    print_checked(results);
    printf("%zu cells and claims were not run\n%zu passed, %zu failed\n", tally.count[VERDICT_NONE],
           tally.count[VERDICT_PASS], tally.count[VERDICT_FAIL]);
    return tally.count[VERDICT_FAIL] == 0;
}
