// SPDX-License-Identifier: Apache-2.0
//
// annelid schedule --paths: worms with given paths on any graph. Nodes are numbers, and a link
// leads from each node of a path to the next one.

#include "starts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Nodes from .. to, and where the path has it.
struct hop {
    uint32_t from, to, place;
};

// The worms of a file. first and of are what paths points to.
struct graph {
    struct anl_given_paths paths;
    uint32_t *first, *of;
    struct hop *hops;        // of all paths; later by link
    struct hop *links;       // [paths.links]
    uint32_t nodes, h1, h2;  // nodes of all paths; worms of a source, of a destination: the most
    uint32_t *ends;          // [2 * worms] sources, then destinations
    uint32_t *order, *starts;
    struct anl_schedule schedule;
    struct anl_given_paths_bounds bounds;
    struct anl_given_paths_clash clash;
    const char *order_name;  // NULL: the schedule came from a file
};

static void graph_free(struct graph *graph)
{
    free(graph->first);
    free(graph->of);
    free(graph->hops);
    free(graph->links);
    free(graph->ends);
    free(graph->order);
    free(graph->starts);
}

// --- reading ---

static enum anl_status refuse(const struct csv *csv, struct anl_error *error, const char *what,
                              const char *text)
{
    return anl_fail(error, ANL_ERR_FORMAT, csv->file, csv->record_line, "%s '%s', expected %s",
                    what, text, "nodes separated by blanks, each a number below 2^32 - 1");
}

// Takes the next node of a path. Returns false at its end, and after an error.
static bool next_node(const struct csv *csv, char **at, uint32_t *node, enum anl_status *status,
                      struct anl_error *error)
{
    char *end;
    while (**at == ' ' || **at == '\t')
        ++*at;
    if (!**at) return false;
    errno = 0;
    const unsigned long long value = strtoull(*at, &end, 10);
    const bool number = **at >= '0' && **at <= '9' && !errno && value < UINT32_MAX;
    if (!number || (*end && *end != ' ' && *end != '\t')) {
        *status = refuse(csv, error, "node", *at);
        return false;
    }
    *node = (uint32_t)value;
    *at = end;
    return true;
}

static enum anl_status take_path(const struct csv *csv, struct graph *graph,
                                 struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    const uint32_t worm = graph->paths.worms++;
    uint32_t node = 0, before = 0, length = graph->first[worm];
    char *at = csv->fields[0];
    if (csv->num_fields != 1) return refuse(csv, error, "more than one cell behind", at);
    if (!next_node(csv, &at, &before, &status, error))
        return status ? status : refuse(csv, error, "path", at);
    graph->ends[2 * worm] = before;
    while (next_node(csv, &at, &node, &status, error)) {
        graph->hops[length] = (struct hop){before, node, length};
        length++;
        before = node;
    }
    graph->ends[2 * worm + 1] = before;
    graph->first[worm + 1] = length;
    return status;
}

// Each node of a file has a character at least, and each worm a line.
static enum anl_status allocate(const char *text, struct graph *graph)
{
    const size_t most = strlen(text) / 2 + 2;
    graph->first = calloc(most, sizeof *graph->first);
    graph->of = calloc(most, sizeof *graph->of);
    graph->hops = calloc(most, sizeof *graph->hops);
    graph->links = calloc(most, sizeof *graph->links);
    graph->ends = calloc(2 * most, sizeof *graph->ends);
    graph->order = calloc(most, sizeof *graph->order);
    graph->starts = calloc(most, sizeof *graph->starts);
    return graph->first && graph->of && graph->hops && graph->links && graph->ends &&
                   graph->order && graph->starts
               ? ANL_OK
               : ANL_ERR_MEMORY;
}

static int by_nodes(const void *a, const void *b)
{
    const struct hop *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

static void number_links(struct graph *graph)
{
    const uint32_t all = graph->first[graph->paths.worms];
    qsort(graph->hops, all, sizeof *graph->hops, by_nodes);
    for (uint32_t i = 0; i < all; i++) {
        const struct hop *hop = &graph->hops[i];
        const bool same = i && hop[-1].from == hop->from && hop[-1].to == hop->to;
        if (!same) graph->links[graph->paths.links++] = *hop;
        graph->of[hop->place] = graph->paths.links - 1;
    }
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Returns how often the value comes that is most frequent; *different: how many there are.
static uint32_t most_frequent(uint32_t *values, uint32_t count, uint32_t *different)
{
    uint32_t most = 0, run = 0;
    *different = 0;
    qsort(values, count, sizeof *values, by_value);
    for (uint32_t i = 0; i < count; i++) {
        const bool same = i && values[i] == values[i - 1];
        run = same ? run + 1 : 1;
        *different += !same;
        if (run > most) most = run;
    }
    return most;
}

static enum anl_status count_nodes(struct graph *graph)
{
    const uint32_t worms = graph->paths.worms, links = graph->paths.links;
    uint32_t *values = calloc(2 * (worms + links) + 1, sizeof *values), different;
    if (!values) return ANL_ERR_MEMORY;
    for (uint32_t end = 0; end < 2; end++) {
        for (uint32_t worm = 0; worm < worms; worm++)
            values[worm] = graph->ends[2 * worm + end];
        *(end ? &graph->h2 : &graph->h1) = most_frequent(values, worms, &different);
    }
    memcpy(values, graph->ends, 2 * worms * sizeof *values);
    for (uint32_t link = 0; link < links; link++) {
        values[2 * (worms + link)] = graph->links[link].from;
        values[2 * (worms + link) + 1] = graph->links[link].to;
    }
    most_frequent(values, 2 * (worms + links), &graph->nodes);
    free(values);
    return ANL_OK;
}

static enum anl_status read_paths(const char *path, struct graph *graph, struct anl_error *error)
{
    char *text = NULL;
    enum anl_status status = csv_text(path, &text, error);
    struct csv csv = {.file = path, .at = text, .line = 1};
    if (!status) status = cli_fail(allocate(text, graph), error);
    while (!status && csv_next(&csv, &status, error))
        if (graph->paths.worms || strcmp(csv.fields[0], "path") != 0)
            status = take_path(&csv, graph, error);
    free(text);
    if (!status && graph->paths.worms == 0)
        status = anl_fail(error, ANL_ERR_FORMAT, path, 0, "no row, expected at least one worm");
    if (status) return status;
    number_links(graph);
    graph->paths.first = graph->first;
    graph->paths.of = graph->of;
    status = cli_fail(count_nodes(graph), error);
    return status ? status : anl_given_paths_check(&graph->paths, error);
}

static enum anl_status read_starts(const char *path, struct graph *graph, struct anl_error *error)
{
    char *text = NULL;
    enum anl_status status = csv_text(path, &text, error);
    struct csv csv = {.file = path, .at = text, .line = 1};
    uint32_t seen = 0;
    const uint64_t latest = graph->bounds.makespan ? graph->bounds.makespan : 1;
    while (!status && csv_next(&csv, &status, error)) {
        if (seen == 0 && strcmp(csv.fields[0], "worm") == 0) continue;
        char *end = csv.fields[0], *last = csv.num_fields == 2 ? csv.fields[1] : end;
        const unsigned long worm = strtoul(csv.fields[0], &end, 10);
        const unsigned long long start = strtoull(last, &last, 10);
        const bool good = csv.num_fields == 2 && !*end && !*last && worm < graph->paths.worms &&
                          start >= 1 && start <= latest && !graph->starts[worm];
        if (!good)
            status = anl_fail(error, ANL_ERR_FORMAT, path, csv.record_line,
                              "expected worm,start: each worm below %" PRIu32
                              " once, with a start from 1 to %" PRIu64,
                              graph->paths.worms, latest);
        else
            graph->starts[worm] = (uint32_t)start;
        seen++;
    }
    free(text);
    if (!status && seen < graph->paths.worms)
        status = anl_fail(error, ANL_ERR_FORMAT, path, 0,
                          "%" PRIu32 " worms, expected all %" PRIu32, seen, graph->paths.worms);
    return status;
}

// --- scheduling ---

static enum anl_status run_order(struct graph *graph, enum anl_order order, uint32_t k)
{
    enum anl_status status = anl_given_paths_order(&graph->paths, order, graph->order);
    graph->order_name = anl_order_name(order);
    return status ? status
                  : anl_given_paths_schedule(&graph->paths, k, graph->order, graph->starts,
                                             &graph->schedule);
}

// Takes the shortest of the three orders.
static enum anl_status run_best(struct graph *graph, uint32_t k)
{
    static const enum anl_order orders[] = {ANL_ORDER_LONGEST, ANL_ORDER_ROW_MAJOR,
                                            ANL_ORDER_SHORTEST};
    enum anl_order best = orders[0];
    uint32_t makespan = UINT32_MAX;
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < sizeof orders / sizeof *orders && !status; i++) {
        status = run_order(graph, orders[i], k);
        if (graph->schedule.makespan >= makespan) continue;
        makespan = graph->schedule.makespan;
        best = orders[i];
    }
    return status ? status : run_order(graph, best, k);
}

// Fills in what is said of a schedule of a file.
static void measure(struct graph *graph, uint32_t k)
{
    for (uint32_t worm = 0; worm < graph->paths.worms; worm++) {
        const uint32_t length = graph->first[worm + 1] - graph->first[worm];
        const uint32_t start = graph->starts[worm], last = start + length + k - 2;
        if (length == 0) continue;
        graph->schedule.worms++;
        graph->schedule.sum += start;
        if (start > graph->schedule.largest) graph->schedule.largest = start;
        if (last > graph->schedule.makespan) graph->schedule.makespan = last;
    }
}

static enum anl_status make(const struct paths_arguments *arguments, struct graph *graph,
                            struct anl_error *error)
{
    enum anl_order order = ANL_ORDER_RANDOM;
    enum anl_status status = ANL_OK;
    if (arguments->check) {
        status = read_starts(arguments->check, graph, error);
        if (!status) measure(graph, arguments->k);
        return status;
    }
    if (!arguments->order || strcmp(arguments->order, "best") == 0)
        return cli_fail(run_best(graph, arguments->k), error);
    if (anl_order_find(arguments->order, &order)) status = run_order(graph, order, arguments->k);
    if (order == ANL_ORDER_RANDOM || status == ANL_ERR_ARGUMENT)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "order '%s', expected best, row-major, longest or shortest with --paths",
                        arguments->order);
    return cli_fail(status, error);
}

// --- printing ---

static void fault_text(const struct graph *graph, char *text, size_t size)
{
    const struct hop *link = &graph->links[graph->clash.link];
    if (graph->clash.step)
        snprintf(text, size,
                 "step %" PRIu32 ", link %" PRIu32 " to %" PRIu32 ": worms %" PRIu32 " and %" PRIu32
                 " want it",
                 graph->clash.step, link->from, link->to, graph->clash.worms[0],
                 graph->clash.worms[1]);
    else
        snprintf(text, size, "no two flits want one link");
}

static void print_text(const struct graph *graph, uint32_t k)
{
    char fault[160];
    const struct anl_given_paths_bounds *bounds = &graph->bounds;
    fault_text(graph, fault, sizeof fault);
    printf("worms       %" PRIu32 " on %" PRIu32 " nodes and %" PRIu32 " links, k = %" PRIu32
           "; %" PRIu32 " use links\n",
           graph->paths.worms, graph->nodes, graph->paths.links, k, graph->schedule.worms);
    printf("problem     (%" PRIu32 ", %" PRIu32 "): most worms of a source, of a destination\n",
           graph->h1, graph->h2);
    printf("paths       congestion %" PRIu32 ", dilation %" PRIu32 "\n", bounds->congestion,
           bounds->dilation);
    if (graph->order_name) printf("order       %s\n", graph->order_name);
    printf("makespan    %" PRIu32 "\nstarts      sum %" PRIu64 ", largest %" PRIu32 "\n",
           graph->schedule.makespan, graph->schedule.sum, graph->schedule.largest);
    printf("bound       %" PRIu64 " in any order, with starts to %" PRIu64 "\nmeetings    %" PRIu32
           " of a worm at most\nlower bound %" PRIu64 " for these paths\ncheck       %s\n",
           bounds->makespan, bounds->start, bounds->meetings, bounds->lower, fault);
}

static int print_json(const struct graph *graph, uint32_t k)
{
    char fault[160];
    const struct anl_given_paths_bounds *bounds = &graph->bounds;
    fault_text(graph, fault, sizeof fault);
    json_t *clash = graph->clash.step ? json_pack("{s:o, s:s}", "step",
                                                  cli_integer(graph->clash.step), "text", fault)
                                      : NULL;
    return cli_print_json(json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:b, s:o?}",
        "k", cli_integer(k), "worms", cli_integer(graph->paths.worms), "moving",
        cli_integer(graph->schedule.worms), "nodes", cli_integer(graph->nodes), "links",
        cli_integer(graph->paths.links), "h1", cli_integer(graph->h1), "h2", cli_integer(graph->h2),
        "congestion", cli_integer(bounds->congestion), "dilation", cli_integer(bounds->dilation),
        "order", graph->order_name, "makespan", cli_integer(graph->schedule.makespan),
        "sum_of_starts", cli_integer(graph->schedule.sum), "largest_start",
        cli_integer(graph->schedule.largest), "meetings", cli_integer(bounds->meetings), "bound",
        cli_integer(bounds->makespan), "bound_start", cli_integer(bounds->start), "lower_bound",
        cli_integer(bounds->lower), "valid", !graph->clash.step, "fault", clash));
}

static enum anl_status write_starts(const char *path, const struct graph *graph,
                                    struct anl_error *error)
{
    struct anl_output output;
    const enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    fputs("worm,start\n", output.file);
    for (uint32_t worm = 0; worm < graph->paths.worms; worm++)
        fprintf(output.file, "%" PRIu32 ",%" PRIu32 "\n", worm, graph->starts[worm]);
    return anl_output_finish(&output, error);
}

int schedule_paths(const struct paths_arguments *arguments)
{
    struct graph graph = {0};
    struct anl_error error = {0};
    const uint32_t k = arguments->k;
    enum anl_status status = read_paths(arguments->paths, &graph, &error);
    if (!status) status = cli_fail(anl_given_paths_bounds(&graph.paths, k, &graph.bounds), &error);
    if (!status) status = make(arguments, &graph, &error);
    if (!status)
        status = cli_fail(anl_given_paths_run(&graph.paths, k, graph.starts, &graph.clash), &error);
    const bool kept = graph.clash.step == 0;
    if (!status && kept && arguments->output)
        status = write_starts(arguments->output, &graph, &error);
    int exit_status = kept ? CLI_OK : CLI_NO;
    if (status)
        exit_status = cli_complain(&error);
    else if (arguments->json)
        exit_status = print_json(&graph, k) == CLI_OK ? exit_status : CLI_BAD;
    else
        print_text(&graph, k);
    graph_free(&graph);
    return exit_status;
}
