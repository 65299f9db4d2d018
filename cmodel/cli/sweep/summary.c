// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void sweep_mean_words(struct sample value, int digits, char *text, size_t size)
{
    *text = '\0';
    if (!isnan(value.mean)) text_append(text, size, "%.*f", digits, value.mean);
    if (!isnan(value.half_width)) text_append(text, size, " ± %.*f", digits, value.half_width);
}

static void add_mean(struct table *table, struct sample value, int digits)
{
    char words[SWEEP_MEAN_BYTES];
    sweep_mean_words(value, digits, words, sizeof words);
    table_add(table, "%s", *words ? words : "-");
}

// --- saturation ---

// An interval is cut at load 1, for there are no loads above.
void sweep_saturation_words(const struct sweep_saturation *found, char *text, size_t size)
{
    const double load = found->load, half = found->half_width;
    if (found->unreached == found->seeds)
        snprintf(text, size, "not up to load 1");
    else if (found->unreached)
        snprintf(text, size, "at least %.4f", load);
    else if (load + half > 1)
        snprintf(text, size, "%.4f, %.4f to 1", load, load - half);
    else if (isnan(half))
        snprintf(text, size, "%.4f", load);
    else
        snprintf(text, size, "%.4f ± %.4f", load, half);
}

// Returns whether the interval is so wide that longer runs or more seeds are needed.
static bool is_wide(const struct sweep_saturation *found)
{
    return found->half_width > 0.05 * found->load;
}

static void add_remarks(struct table *table, const struct sweep_saturation *found)
{
    char text[TABLE_CELL_BYTES] = "";
    if (found->unreached)
        text_append(text, sizeof text, "%" PRIu64 " not up to load 1", found->unreached);
    if (found->stalled)
        text_append(text, sizeof text, "%s%" PRIu64 " stalled", *text ? ", " : "", found->stalled);
    if (is_wide(found)) text_append(text, sizeof text, "%stoo noisy", *text ? ", " : "");
    table_add(table, "%s", text);
}

static void add_load(struct table *table, double load)
{
    table_add(table, isnan(load) ? "-" : "%.4f", load);
}

// Names the terminals that starve below the saturation load of a variant.
static void print_starving(const struct sweep_variant *variant, const struct sweep_flows *flows,
                           double saturation)
{
    const uint32_t terminals = anl_shape_of(&variant->scenario.network).terminals;
    const uint32_t named = flows->starving < SWEEP_NAMED ? flows->starving : SWEEP_NAMED;
    if (!flows->starving) return;
    printf("At load %.4f %" PRIu32 " of %" PRIu32 " terminals starve%s", saturation,
           flows->starving, terminals, flows->starving < terminals ? ":" : ".");
    for (uint32_t i = 0; i < named && flows->starving < terminals; i++)
        printf(" %" PRIu32, flows->named[i]);
    puts(flows->starving < terminals && named < flows->starving ? " …" : "");
}

static void print_flows(const struct sweep_variants *variants, const struct sweep_saturation *found,
                        const struct sweep_flows *flows)
{
    bool any = false;
    for (size_t i = 0; i < variants->count; i++) {
        print_starving(&variants->list[i], &flows[i], found[i].load);
        any |= flows[i].starving > 0;
    }
    if (any)
        puts("Saturation: 1 % of all flits are left behind.\n"
             "First flow: the least load at which what a terminal sends is left behind;\n"
             "it is the one that every terminal can have (docs/sweep.md, \"Flows\").");
}

static void print_remarks(const struct sweep_saturation *found, size_t count)
{
    bool any = false, wide = false;
    uint64_t runs = 0;
    for (size_t i = 0; i < count; i++) {
        runs += found[i].runs;
        any |= !isnan(found[i].half_width);
        wide |= is_wide(&found[i]);
    }
    printf("Found by %" PRIu64 " run%s.\n", runs, plural(runs));
    if (any)
        puts("Mean ± 95 % interval of the estimate at this run length, without its bias: look what "
             "four times the run.cycles give.");
    if (wide)
        puts(
            "Too noisy: the interval is wider than 5 % of the load; raise run.cycles, or --seeds.");
}

void sweep_print_saturation(const struct sweep_variants *variants,
                            const struct sweep_saturation *found, const struct sweep_flows *flows)
{
    char align[SWEEP_MAX_KEYS + 6] = "";
    memset(align, 'l', variants->num_keys);
    strcat(align, "lllll");
    struct table table = {.align = align};
    for (size_t i = 0; i < variants->num_keys; i++)
        table_add(&table, "%s", variants->keys[i].name);
    table_row(&table, "saturation\tseeds\tceiling\tfirst flow\t");
    for (size_t i = 0; i < variants->count; i++) {
        for (size_t key = 0; key < variants->num_keys; key++)
            table_add(&table, "%s", sweep_value_shown(variants->list[i].values[key]).text);
        char words[64];
        sweep_saturation_words(&found[i], words, sizeof words);
        table_row(&table, "%s\t%" PRIu64, words, found[i].seeds);
        add_load(&table, flows[i].ceiling);
        add_load(&table, flows[i].first);
        add_remarks(&table, &found[i]);
    }
    table_print(&table, 0);
    print_remarks(found, variants->count);
    print_flows(variants, found, flows);
}

// --- points ---

void sweep_states_words(const struct sweep_point *point, char *text, size_t size)
{
    *text = '\0';
    for (enum sweep_state state = 0; state <= SWEEP_STALLED; state++)
        if (point->in_state[state])
            text_append(text, size, "%s%u %s", *text ? ", " : "", point->in_state[state],
                        sweep_state_name(state));
}

static void add_point(struct table *table, const struct sweep_points *points,
                      const struct sweep_curve *curve, const struct sweep_point *point)
{
    char text[TABLE_CELL_BYTES] = "";
    if (point == curve->points) sweep_curve_name(points, curve, text, sizeof text);
    if (points->num_keys) table_add(table, "%s", text);
    table_add(table, isnan(point->load) ? "-" : "%.9g", point->load);
    add_mean(table, point->accepted, 4);
    add_mean(table, point->latency, 2);
    add_mean(table, point->latency_p95, 1);
    add_mean(table, point->latency_p99, 1);
    sweep_states_words(point, text, sizeof text);
    table_add(table, "%s", text);
}

static void print_notes(const struct sweep_points *points)
{
    uint32_t others = 0, empty = 0;
    for (size_t i = 0; i < points->num_points; i++)
        others += (uint32_t)points->points[i].num_runs - points->points[i].in_state[SWEEP_STEADY];
    for (size_t i = 0; i < points->num_runs; i++)
        empty += points->runs[i].state == SWEEP_UNSTEADY && !points->runs[i].worms;
    if (others)
        printf("%u of %zu runs are not steady: their values are no property of the network.\n",
               others, points->num_runs);
    if (empty)
        printf("%u of them measured no worm: at this load, or between run.warmup_cycles and "
               "run.cycles, none was created.\n",
               empty);
}

void sweep_print_points(const struct sweep_points *points)
{
    struct table table = {.align = points->num_keys ? "lllllll" : "llllll"};
    if (points->num_keys) table_add(&table, "variant");
    table_row(&table, "load\taccepted\tlatency\t95 %%\t99 %%\truns");
    for (size_t i = 0; i < points->num_curves; i++)
        for (size_t j = 0; j < points->curves[i].num_points; j++)
            add_point(&table, points, &points->curves[i], &points->curves[i].points[j]);
    table_print(&table, 0);
    puts("Mean ± 95 % interval over the runs; flits per terminal and cycle, cycles.");
    print_notes(points);
}
