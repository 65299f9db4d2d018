// SPDX-License-Identifier: Apache-2.0

#include "draper_ghosh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct tally {
    size_t count[VERDICT_NONE + 1];  // [verdicts]
};

static const char *judge(struct tally *tally, double value, struct claimed claimed)
{
    const enum verdict verdict = isnan(claimed.most) ? VERDICT_SHOWN : verdict_of(&claimed, value);
    tally->count[verdict]++;
    return verdict_name(verdict);
}

// Returns a goal of a case, which may be known to be missed.
static struct claimed goal_of(const struct plan *plan, const struct study *study, const char *what,
                              double least, double most)
{
    struct claimed claimed = {.least = least, .most = most};
    for (size_t i = 0; i < plan->num_differs; i++) {
        const struct known *known = &plan->differs[i];
        if (strcmp(known->name, study->name) != 0 || strcmp(known->what, what) != 0) continue;
        claimed.differs = true;
        claimed.our_least = known->least;
        claimed.our_most = known->most;
    }
    return claimed;
}

// Returns the largest error that a latency may have at this part of saturation; NAN: any.
static double goal_at(const struct study *study, double part)
{
    for (size_t i = 0; i < GOALS; i++)
        if (part <= goal_parts[i] + 1e-9) return study->goals[i];
    return NAN;
}

// --- tables ---

static void print_saturations(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrrrrrrl"};
    puts("Saturation, worms per node and cycle");
    table_row(&table, "\tmeasured\tplain\terror\tcalibrated\terror\tgoal\t");
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->of[i];
        const double plain = 100 * (result->predicted[PLAIN] / result->measured - 1);
        const double error = 100 * (result->predicted[CALIBRATED] / result->measured - 1);
        table_row(&table, "%s\t%.5f\t%.5f\t%+.1f %%\t%.5f\t%+.1f %%\t%+g … %+g %%\t%s",
                  result->study->name, result->measured, result->predicted[PLAIN], plain,
                  result->predicted[CALIBRATED], error, result->study->least, result->study->most,
                  judge(tally, error,
                        goal_of(results->plan, result->study, "saturation", result->study->least,
                                result->study->most)));
    }
    table_print(&table, 2);
}

// Adds a latency of the model and its error.
static void add_model(struct table *table, const struct point *point, int form)
{
    const bool solved = !isnan(point->model[form]);
    table_add(table, solved ? "%.2f" : "saturated", point->model[form]);
    table_add(table, solved ? "%+.1f %%" : "", point_error(point, form));
}

static void print_latencies(const struct plan *plan, const struct result *result,
                            struct tally *tally)
{
    struct table table = {.align = "rrrrrrrrl"};
    printf("\n%s: latency, cycles\n", result->study->name);
    table_row(&table, "part\tworms\tmeasured\t95 %%\tplain\terror\tcalibrated\terror\t");
    for (size_t i = 0; i < result->num_points; i++) {
        const struct point *point = &result->points[i];
        const double error = point_error(point, CALIBRATED),
                     goal = goal_at(result->study, parts[i]);
        char what[16];
        snprintf(what, sizeof what, "%g", parts[i]);
        table_add(&table, "%g", parts[i]);
        table_add(&table, "%.5f", point->worms);
        table_add(&table, "%.2f", point->latency.mean);
        table_add(&table, "± %.2f", point->latency.half_width);
        add_model(&table, point, PLAIN);
        add_model(&table, point, CALIBRATED);
        table_add(&table, "%s",
                  judge(tally, error, goal_of(plan, result->study, what, -goal, goal)));
    }
    table_print(&table, 2);
}

static void print_noise(const struct results *results, struct tally *tally)
{
    double most = 0;
    for (size_t i = 0; i < results->count; i++)
        for (size_t j = 0; j < results->of[i].num_points && parts[j] < 0.71; j++) {
            const struct sample *latency = &results->of[i].points[j].latency;
            most = fmax(most, 100 * latency->half_width / latency->mean);
        }
    printf("\nWidest 95 %% interval up to 70 %% of saturation: ± %.2f %%  %s\n", most,
           results->only_short ? "" : judge(tally, most, (struct claimed){.most = 1}));
}

static void print_equals(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrrrrrl"};
    puts("\nError of the load at equal latency, in multiples of the latency without load; "
         "calibrated");
    table_row(&table, "\t1.5\t2\t3\t4\t5\t");
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->of[i];
        double worst = 0;
        table_add(&table, "%s", result->study->name);
        for (size_t j = 0; j < EQUALS; j++) {
            const double error = result->equal[j];
            table_add(&table, isnan(error) ? "" : "%+.1f %%", error);
            if (!isnan(error)) worst = fmax(worst, fabs(error));
        }
        table_add(&table, "%s",
                  judge(tally, worst, (struct claimed){.most = result->study->equal}));
    }
    table_print(&table, 2);
}

static void print_gains(const struct results *results, struct tally *tally)
{
    const struct plan *plan = results->plan;
    struct table table = {.align = "lllrrl"};
    puts("\nWhat one case has over another");
    table_row(&table, "case\tover\tin\tgain\texpected\t");
    for (size_t i = 0; i < plan->num_gains; i++) {
        const struct gain *gain = &plan->gains[i];
        const struct result *of = &results->of[gain->of], *over = &results->of[gain->over];
        const double worms = gain->part * over->measured;
        const double part = gain->part > 0
                                ? measured_latency(of, worms) / measured_latency(over, worms)
                                : of->measured / over->measured;
        table_row(&table, "%s\t%s\t%s%s\t%+.1f %%\t%+g … %+g %%\t%s", of->study->name,
                  over->study->name, gain->part > 0 ? "latency at " : "", gain->what,
                  100 * (part - 1), gain->least, gain->most,
                  judge(tally, 100 * (part - 1),
                        (struct claimed){.least = gain->least, .most = gain->most}));
    }
    table_print(&table, 2);
}

bool report_print(const struct results *results)
{
    struct tally tally = {0};
    print_saturations(results, &tally);
    for (size_t i = 0; i < results->count; i++)
        print_latencies(results->plan, &results->of[i], &tally);
    print_noise(results, &tally);
    print_equals(results, &tally);
    if (!results->only_short) print_gains(results, &tally);
    printf("\n%zu goals are missed as is known\n%zu passed, %zu failed\n",
           tally.count[VERDICT_DIFFERS], tally.count[VERDICT_PASS], tally.count[VERDICT_FAIL]);
    return tally.count[VERDICT_FAIL] == 0;
}
