// SPDX-License-Identifier: Apache-2.0
//
// The tables of the second part of the paper.

#include "roberts_symvonis.h"
#include "snakes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void print_layouts(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrrrrrl"};
    puts("\nSupernodes: steps of a cycle, of a superstep, and of a round with 1, 2 and 3 "
         "supersteps");
    table_row(&table, "f, k\tperiod\tsuperstep\t1\t2\t3\t");
    for (size_t i = 0; i < results->num_layouts; i++) {
        const struct layout_result *result = &results->layouts[i];
        table_row(&table, "%" PRIu32 ", %" PRIu32 "\t%" PRIu32 "\t%" PRIu32, result->layout->f,
                  result->layout->k, result->period, result->superstep);
        for (size_t j = 0; j < 3; j++)
            table_add(&table, "%" PRIu32, result->rounds[j]);
        table_add(&table, "%s", tally_note(tally, check_layout(result)));
    }
    table_print(&table, 2);
}

static void print_snakes(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lllrrrrrrrrl"};
    puts("\nSnakes beside the packet algorithm; queues are equal after each superstep; charge: "
         "steps "
         "of all rounds / (f k)^2.5 n");
    table_row(&table, "f, k, N\ttraffic\talgorithm\trounds\tsupersteps\tlongest\tworms\t"
                      "moves\tsteps\tqueue\tcharge\t");
    for (size_t i = 0; i < results->num_snakes; i++) {
        const struct snake_result *result = &results->snakes[i];
        const struct snake_case *of = result->of;
        const bool full = of->traffic == TRAFFIC_FULL;
        const enum verdict verdict = check_snakes(result);
        table_row(&table, "%" PRIu32 ", %" PRIu32 ", %" PRIu32 "\t%s\t%s", of->f, of->k, of->n,
                  traffic_name(of->traffic), full ? "push" : algorithm_name(of->algorithm));
        table_row(&table,
                  "%" PRIu64 "\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
                  "\t%" PRIu32,
                  result->rounds, result->compared, result->longest, result->worms, result->moves,
                  result->steps, result->queue);
        if (full)
            table_add(&table, "%s", "");
        else
            table_add(&table, "%.3g", measure_charge(of->f, of->k, of->n, result->total));
        table_add(&table, "%s%s%s", tally_note(tally, verdict), result->wrong ? ": " : "",
                  result->wrong ? result->wrong : "");
    }
    table_print(&table, 2);
}

static void print_coloured(const struct results *results)
{
    struct table table = {.align = "lrrrrrr"};
    puts(
        "\nRounds that are chosen off-line, after Newman and Schuster, beside starts for one bend");
    table_row(&table, "f, k, N\tn\trounds\tsteps\tover k^1.5 n\tone bend\ttimes");
    for (size_t i = 0; i < results->num_snakes; i++) {
        const struct snake_result *result = &results->snakes[i];
        const struct snake_case *of = result->of;
        if (of->traffic != TRAFFIC_COLOURED) continue;
        const double n = of->n * (sqrt((of->f + 4.0) * of->k) + 1), steps = (double)result->total;
        table_row(&table, "%" PRIu32 ", %" PRIu32 ", %" PRIu32 "\t%.0f\t%" PRIu64 "\t%" PRIu64,
                  of->f, of->k, of->n, n, result->rounds / result->runs, result->total);
        table_add(&table, "%.0f", steps / (pow(of->k, 1.5) * n));
        table_row(&table, "%" PRIu32 "\t%.0f", result->one_bend, steps / result->one_bend);
    }
    table_print(&table, 2);
}

static void print_controls(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lll"};
    puts("\nFull supernodes with a rule broken");
    table_row(&table, "broken\tfound\t");
    for (uint32_t i = 0; i < results->num_controls; i++) {
        const char *found = results->controls[i].found;
        table_row(&table, "%s\t%s\t%s", control_name(i), found ? found : "nothing",
                  tally_note(tally, check_control(results, i)));
    }
    table_print(&table, 2);
}

static void print_packets(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "rrrrrrrl"};
    puts("\nPacket algorithms: most supersteps / N and longest queue, of random and fixed "
         "permutations");
    table_row(&table, "N");
    for (int i = 0; i < (int)ALGORITHMS; i++)
        table_row(&table, "%s\tqueue", algorithm_name((enum algorithm)i));
    table_add(&table, "%s", "");
    for (size_t i = 0; i < results->num_packets; i++) {
        const struct packet_result *result = &results->packets[i];
        table_row(&table, "%" PRIu32, result->of->n);
        for (int j = 0; j < (int)ALGORITHMS; j++)
            table_row(&table, "%.2f\t%" PRIu32,
                      (double)result->algorithms[j].supersteps / result->of->n,
                      result->algorithms[j].queue);
        table_add(&table, "%s", tally_note(tally, check_packets(result)));
    }
    table_print(&table, 2);
}

void report_snakes(const struct results *results, struct tally *tally)
{
    print_layouts(results, tally);
    print_packets(results, tally);
    print_snakes(results, tally);
    print_coloured(results);
    print_controls(results, tally);
}
