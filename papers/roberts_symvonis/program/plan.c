// SPDX-License-Identifier: Apache-2.0

#include "roberts_symvonis.h"
#include "snakes.h"

#include <annelid/schedule.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PERMUTATIONS = 1000000 };

static void read_study(struct paper_row *row, void *element)
{
    *(struct study *)element = (struct study){
        paper_whole(row, 0, 1, ANL_SCHEDULE_MAX_N), paper_whole(row, 1, 1, ANL_SCHEDULE_MAX_K),
        paper_whole(row, 2, 0, MOST_PERMUTATIONS), paper_whole(row, 3, 0, MOST_PERMUTATIONS)};
    const struct study *study = element;
    if (study->permutations == 0 && study->n > 3)
        paper_refuse(row, 0, "at most 3 for all permutations");
}

static enum anl_order read_order(struct paper_row *row, size_t column)
{
    enum anl_order order = ANL_ORDER_ROW_MAJOR;
    if (!anl_order_find(paper_text(row, column), &order))
        paper_refuse(row, column, "the name of an order");
    return order;
}

// Returns the unit of the last digit that is printed.
static double unit_of(const char *text)
{
    const char *point = strchr(text, '.');
    return point ? pow(10, -(double)strlen(point + 1)) : 1;
}

static void read_mean(struct paper_row *row, void *element)
{
    *(struct cell *)element = (struct cell){.n = paper_whole(row, 0, 1, ANL_SCHEDULE_MAX_N),
                                            .k = paper_whole(row, 1, 1, ANL_SCHEDULE_MAX_K),
                                            .order = read_order(row, 2),
                                            .mean = paper_number(row, 3, 0, 1e9),
                                            .unit = unit_of(paper_text(row, 3)),
                                            .count = paper_whole(row, 4, 1, MOST_PERMUTATIONS),
                                            .tolerance = paper_number(row, 5, 0.1, 10)};
}

static void read_all(struct paper_row *row, void *element)
{
    *(struct cell *)element = (struct cell){.n = paper_whole(row, 0, 1, 3),
                                            .k = paper_whole(row, 1, 1, ANL_SCHEDULE_MAX_K),
                                            .order = read_order(row, 2),
                                            .largest = paper_whole(row, 3, 0, 1e9),
                                            .mean = paper_number(row, 4, 0, 1e9),
                                            .unit = unit_of(paper_text(row, 4))};
}

// Returns a value that is `less` below the square of an even number, as layout_make() wants it.
static uint32_t read_square(struct paper_row *row, size_t column, uint32_t less,
                            uint32_t least_root, uint32_t most_root)
{
    char expected[80];
    const uint32_t value = paper_whole(row, column, 1, 2 * MOST_SLOTS);
    for (uint32_t root = least_root; root <= most_root; root += 2)
        if (root * root == value + less) return value;
    snprintf(expected, sizeof expected,
             "%" PRIu32 " below the square of an even number from %" PRIu32 " to %" PRIu32, less,
             least_root, most_root);
    paper_refuse(row, column, less ? expected : expected + sizeof "0 below");
    return value;
}

static uint32_t read_f(struct paper_row *row, size_t column)
{
    return read_square(row, column, 4, 4, 16);
}

static uint32_t read_k(struct paper_row *row, size_t column)
{
    return read_square(row, column, 0, 2, 10);
}

static void read_layout(struct paper_row *row, void *element)
{
    struct layout_case *layout = element;
    *layout = (struct layout_case){.f = read_f(row, 0),
                                   .k = read_k(row, 1),
                                   .period = paper_whole(row, 2, 1, 1e6),
                                   .superstep = paper_whole(row, 3, 1, 1e6),
                                   .brief = paper_whole(row, 7, 0, 1)};
    for (size_t i = 0; i < 3; i++)
        layout->rounds[i] = paper_whole(row, 4 + i, 1, 1e6);
}

static const char *const traffics[] = {"permutation", "random", "early", "coloured", "full", NULL};
static const char *const algorithms[] = {"greedy", "deflecting", "sorting", NULL};

const char *traffic_name(enum traffic traffic) { return traffics[traffic]; }
const char *algorithm_name(enum algorithm algorithm) { return algorithms[algorithm]; }

static void read_snakes(struct paper_row *row, void *element)
{
    const bool full = strcmp(paper_text(row, 0), traffics[TRAFFIC_FULL]) == 0;
    *(struct snake_case *)element = (struct snake_case){
        .traffic = (enum traffic)paper_choice(row, 0, traffics),
        .f = read_f(row, 1),
        .k = read_k(row, 2),
        .n = paper_whole(row, 3, 1, 64),
        .algorithm = full ? 0 : (enum algorithm)paper_choice(row, 4, algorithms),
        .count = paper_whole(row, 5, 1, MOST_PERMUTATIONS),
        .brief = paper_whole(row, 6, 0, MOST_PERMUTATIONS)};
}

static void read_packets(struct paper_row *row, void *element)
{
    *(struct packet_case *)element =
        (struct packet_case){.n = paper_whole(row, 0, 2, ANL_SCHEDULE_MAX_N),
                             .permutations = paper_whole(row, 1, 1, MOST_PERMUTATIONS),
                             .brief = paper_whole(row, 2, 0, MOST_PERMUTATIONS)};
}

static void read_climb(struct paper_row *row, void *element)
{
    const bool any_order = !*paper_text(row, 2);
    *(struct climb_case *)element =
        (struct climb_case){.n = paper_whole(row, 0, 2, ANL_SCHEDULE_MAX_N),
                            .k = paper_whole(row, 1, 1, ANL_SCHEDULE_MAX_K),
                            .any_order = any_order,
                            .order = any_order ? ANL_ORDER_ROW_MAJOR : read_order(row, 2),
                            .seed = paper_whole(row, 3, 0, UINT32_MAX),
                            .tries = paper_whole(row, 4, 1, 1e9),
                            .makespan = paper_whole(row, 5, 1, 1e9),
                            .brief = paper_whole(row, 6, 0, 1)};
}

static const char *const networks[] = {"mesh", "torus", "tree", "hypercube", "chain", NULL};

const char *network_name(enum network network) { return networks[network]; }

static void read_graph(struct paper_row *row, void *element)
{
    const bool queues = *paper_text(row, 5);
    *(struct graph_case *)element =
        (struct graph_case){.network = (enum network)paper_choice(row, 0, networks),
                            .n = paper_whole(row, 1, 2, 64),
                            .h1 = paper_whole(row, 2, 1, 64),
                            .h2 = paper_whole(row, 3, 1, 64),
                            .k = paper_whole(row, 4, 1, queues ? 1 : ANL_SCHEDULE_MAX_K),
                            .queues = queues,
                            .queue = queues ? paper_whole(row, 5, 0, MOST_PERMUTATIONS) : 0,
                            .count = paper_whole(row, 6, 1, MOST_PERMUTATIONS),
                            .mean = paper_number(row, 7, 0, 1e9),
                            .brief = paper_whole(row, 8, 0, 1)};
    const struct graph_case *graph = element;
    if (graph->network == NETWORK_HYPERCUBE && graph->n > 10)
        paper_refuse(row, 1, "at most 10 dimensions");
}

static void read_claim(struct paper_row *row, void *element)
{
    static const char *const kinds[] = {
        "bound",      "start",     "packets",         "lexical",        "descending",
        "cost-least", "cost-most", "power",           "gain",           "over",
        "broken",     "outside",   "layouts",         "wrong",          "occupancy",
        "together",   "missed",    "sorting-steps",   "sorting-queue",  "greedy-queue",
        "theorem",    "charged",   "early",           "coloured-least", "coloured-most",
        "one-bend",   "climbed",   "climbed-lexical", "moving",         "graphs",
        "relation",   NULL};
    *(struct claim *)element =
        (struct claim){.name = paper_text(row, 0),
                       .kind = (enum claim_kind)paper_choice(row, 0, kinds),
                       .order = *paper_text(row, 1) ? read_order(row, 1) : ANL_ORDER_ROW_MAJOR,
                       .k = paper_whole(row, 2, 0, ANL_SCHEDULE_MAX_K),
                       .range = {.least = paper_number(row, 3, -1e9, 1e9),
                                 .most = paper_number(row, 4, -1e9, 1e9)},
                       .sentence = paper_text(row, 5)};
}

enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error)
{
    static const struct paper_file studies = {"cases.csv", 4, sizeof(struct study), read_study,
                                              false};
    static const struct paper_file means = {"means.csv", 6, sizeof(struct cell), read_mean, false};
    static const struct paper_file all = {"exhaustive.csv", 5, sizeof(struct cell), read_all,
                                          false};
    static const struct paper_file claims = {"claims.csv", 6, sizeof(struct claim), read_claim,
                                             false};
    static const struct paper_file layouts = {"layouts.csv", 8, sizeof(struct layout_case),
                                              read_layout, false};
    static const struct paper_file snakes = {"snakes.csv", 7, sizeof(struct snake_case),
                                             read_snakes, false};
    static const struct paper_file packets = {"packets.csv", 3, sizeof(struct packet_case),
                                              read_packets, false};
    static const struct paper_file climbs = {"climb.csv", 7, sizeof(struct climb_case), read_climb,
                                             false};
    static const struct paper_file graphs = {"graphs.csv", 9, sizeof(struct graph_case), read_graph,
                                             false};
    struct paper_row row = {.directory = directory, .error = error};
    *plan = (struct plan){0};
    plan->studies = paper_read(&row, &studies, &plan->texts[0], &plan->num_studies);
    plan->cells = paper_read(&row, &means, &plan->texts[1], &plan->num_cells);
    plan->all_cells = paper_read(&row, &all, &plan->texts[2], &plan->num_all_cells);
    plan->claims = paper_read(&row, &claims, &plan->texts[3], &plan->num_claims);
    plan->layouts = paper_read(&row, &layouts, &plan->texts[4], &plan->num_layouts);
    plan->snakes = paper_read(&row, &snakes, &plan->texts[5], &plan->num_snakes);
    plan->packets = paper_read(&row, &packets, &plan->texts[6], &plan->num_packets);
    plan->climbs = paper_read(&row, &climbs, &plan->texts[7], &plan->num_climbs);
    plan->graphs = paper_read(&row, &graphs, &plan->texts[8], &plan->num_graphs);
    return row.status;
}

void plan_free(struct plan *plan)
{
    free(plan->studies);
    free(plan->cells);
    free(plan->all_cells);
    free(plan->claims);
    free(plan->layouts);
    free(plan->snakes);
    free(plan->packets);
    free(plan->climbs);
    free(plan->graphs);
    for (size_t i = 0; i < sizeof plan->texts / sizeof *plan->texts; i++)
        free(plan->texts[i]);
}
