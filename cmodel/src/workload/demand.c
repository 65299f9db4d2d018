// SPDX-License-Identifier: Apache-2.0
//
// Terminals that create different loads, and where their worms go: a traffic matrix.

#include "workload.h"

#include <stdlib.h>
#include <string.h>

void anl_demand_destroy(struct anl_demand *demand)
{
    if (!demand) return;
    free(demand->rates);
    free(demand->begins);
    free(demand->destinations);
    free(demand->sums);
    free(demand);
}

static int by_source(const void *a, const void *b)
{
    const struct anl_demand_entry *x = a, *y = b;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    if (x->destination != y->destination) return x->destination < y->destination ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static bool allocate(struct anl_demand *demand, size_t entries, bool matrix)
{
    demand->rates = calloc(demand->terminals, sizeof *demand->rates);
    if (!matrix) return demand->rates != NULL;
    demand->begins = calloc((size_t)demand->terminals + 1, sizeof *demand->begins);
    demand->destinations = calloc(entries + 1, sizeof *demand->destinations);
    demand->sums = calloc(entries + 1, sizeof *demand->sums);
    return demand->rates && demand->begins && demand->destinations && demand->sums;
}

// Adds the entries, which are in order; no worm goes where the rate is 0. Sums are made from left
// to right, so that every machine makes the same ones.
static void fill(struct anl_demand *demand, const struct anl_demand_entry *entries, size_t count,
                 bool matrix)
{
    size_t filled = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t source = entries[i].source;
        demand->rates[source] += entries[i].rate;
        if (!matrix || entries[i].rate <= 0) continue;
        demand->destinations[filled] = entries[i].destination;
        demand->sums[filled] = demand->rates[source];
        demand->begins[source + 1] = ++filled;
    }
    for (uint32_t t = 0; t < demand->terminals; t++) {
        demand->mean += demand->rates[t] / demand->terminals;
        if (matrix && demand->begins[t + 1] < demand->begins[t])
            demand->begins[t + 1] = demand->begins[t];
    }
}

enum anl_status anl_demand_create(uint32_t terminals, struct anl_demand_entry *entries,
                                  size_t count, bool matrix, struct anl_demand **demand)
{
    *demand = calloc(1, sizeof **demand);
    if (!*demand) return ANL_ERR_MEMORY;
    (*demand)->terminals = terminals;
    if (!allocate(*demand, count, matrix)) {
        anl_demand_destroy(*demand);
        *demand = NULL;
        return ANL_ERR_MEMORY;
    }
    if (count) qsort(entries, count, sizeof *entries, by_source);
    fill(*demand, entries, count, matrix);
    return ANL_OK;
}

double anl_demand_most_load(const struct anl_demand *demand)
{
    double most = 0;
    for (uint32_t t = 0; t < demand->terminals; t++)
        if (demand->rates[t] > most) most = demand->rates[t];
    return most > 0 ? demand->mean / most : 1;
}

double anl_terminal_load(const struct anl_traffic_config *traffic, uint32_t terminal)
{
    const struct anl_demand *demand = traffic->demand;
    if (!demand) return traffic->load;
    const double load =
        demand->mean > 0 ? traffic->load * (demand->rates[terminal] / demand->mean) : 0;
    return load < 1 ? load : 1;
}

uint32_t demand_destination(const struct anl_demand *demand, uint32_t source, double unit)
{
    size_t first = demand->begins[source], last = demand->begins[source + 1] - 1;
    const double wanted = unit * demand->rates[source];
    while (first < last) {  // the first entry whose sum is above
        const size_t middle = first + (last - first) / 2;
        if (demand->sums[middle] > wanted)
            last = middle;
        else
            first = middle + 1;
    }
    return demand->destinations[first];
}

double demand_probability(const struct anl_demand *demand, uint32_t source, uint32_t destination)
{
    for (size_t i = demand->begins[source]; i < demand->begins[source + 1]; i++) {
        if (demand->destinations[i] != destination) continue;
        const double before = i > demand->begins[source] ? demand->sums[i - 1] : 0;
        return (demand->sums[i] - before) / demand->rates[source];
    }
    return 0;
}
