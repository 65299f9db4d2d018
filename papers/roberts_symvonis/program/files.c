// SPDX-License-Identifier: Apache-2.0

#include "figures.h"
#include "roberts_symvonis.h"

#include <annelid/schedule.h>
#include <inttypes.h>
#include <stdio.h>

static void write_runs(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("n,k,permutations,order,mean,error,largest,largest_start,bound,bound_h_descending\n",
          out);
    for (size_t i = 0; i < results->count; i++)
        for (int order = 0; order < (int)ANL_ORDERS; order++) {
            const struct study *study = results->of[i].study;
            const struct outcome *outcome = &results->of[i].orders[order];
            fprintf(out, "%" PRIu32 ",%" PRIu32 ",%zu,", study->n, study->k, outcome->sample.count);
            csv_write(out, anl_order_name((enum anl_order)order));
            fprintf(out, ",%.4f,%.4f,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n",
                    outcome->sample.mean, outcome->sample.error, outcome->makespan, outcome->start,
                    anl_schedule_bound(study->n, study->k),
                    anl_schedule_bound_h_descending(study->n, study->k));
        }
}

static void write_claims(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("kind,order,k,value,least,most,verdict\n", out);
    for (size_t i = 0; i < results->plan->num_claims; i++) {
        const struct claim *claim = &results->plan->claims[i];
        double value;
        const enum verdict verdict = check_claim(results, claim, &value);
        fprintf(out, "%s,", claim->name);
        csv_write(out, anl_order_name(claim->order));
        fprintf(out, ",%" PRIu32 ",%.6g,%g,%g,%s\n", claim->k, value, claim->range.least,
                claim->range.most, verdict_name(verdict));
    }
}

static void write_layouts(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("f,k,period,superstep,round_1,round_2,round_3,verdict\n", out);
    for (size_t i = 0; i < results->num_layouts; i++) {
        const struct layout_result *result = &results->layouts[i];
        fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32, result->layout->f,
                result->layout->k, result->period, result->superstep);
        for (size_t j = 0; j < 3; j++)
            fprintf(out, ",%" PRIu32, result->rounds[j]);
        fprintf(out, ",%s\n", verdict_name(check_layout(result)));
    }
}

static void write_snakes(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("traffic,f,k,supernodes,algorithm,runs,rounds,supersteps,longest,worms,sent,moves,steps,"
          "queue,together,total,one_bend,verdict\n",
          out);
    for (size_t i = 0; i < results->num_snakes; i++) {
        const struct snake_result *result = &results->snakes[i];
        const struct snake_case *of = result->of;
        fprintf(out, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64,
                traffic_name(of->traffic), of->f, of->k, of->n,
                of->traffic == TRAFFIC_FULL ? "push" : algorithm_name(of->algorithm), result->runs,
                result->rounds, result->compared);
        fprintf(out,
                ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32
                ",%" PRIu64 ",%" PRIu32 ",%s\n",
                result->longest, result->worms, result->sent, result->moves, result->steps,
                result->queue, result->together, result->total, result->one_bend,
                verdict_name(check_snakes(result)));
    }
}

static void write_packets(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("n,algorithm,supersteps,queue,late\n", out);
    for (size_t i = 0; i < results->num_packets; i++)
        for (int j = 0; j < (int)ALGORITHMS; j++)
            fprintf(out, "%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32 ",%" PRIu64 "\n",
                    results->packets[i].of->n, algorithm_name((enum algorithm)j),
                    results->packets[i].algorithms[j].supersteps,
                    results->packets[i].algorithms[j].queue,
                    results->packets[i].algorithms[j].late);
}

static void write_climbs(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("n,k,order,seed,tries,makespan,bound,verdict\n", out);
    for (size_t i = 0; i < results->num_climbs; i++) {
        const struct climb_result *result = &results->climbs[i];
        const struct climb_case *of = result->of;
        fprintf(out, "%" PRIu32 ",%" PRIu32 ",", of->n, of->k);
        csv_write(out, of->any_order ? "any" : anl_order_name(of->order));
        fprintf(out, ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s\n", of->seed, of->tries,
                result->makespan, anl_schedule_bound(of->n, of->k),
                verdict_name(check_climb(result)));
    }
}

static void write_graphs(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("network,n,h1,h2,k,queue,problems,mean,over,part,start,verdict\n", out);
    for (size_t i = 0; i < results->num_graphs; i++) {
        const struct graph_result *result = &results->graphs[i];
        const struct graph_case *of = result->of;
        fprintf(out, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",",
                network_name(of->network), of->n, of->h1, of->h2, of->k);
        if (of->queues) fprintf(out, "%" PRIu32, of->queue);
        fprintf(out, ",%" PRIu32 ",%.4f,%.4f,%.4f,%.4f,%s\n", of->count, result->mean, result->over,
                result->part, result->start, verdict_name(check_graph(result)));
    }
}

// --- figures: makespan over the side of the mesh, k = 4 ---

enum { FIGURE_K = 4 };

static bool is_in_figure(const struct study *study)
{
    return study->k == FIGURE_K && study->permutations > 0 && study->n > 1;
}

static bool has_figure(const struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (is_in_figure(results->of[i].study)) return true;
    return false;
}

static void write_curve(const struct results *results, enum anl_order order, FILE *out)
{
    fprintf(out, "$order%d << end\n", (int)order);
    for (size_t i = 0; i < results->count; i++) {
        const struct study *study = results->of[i].study;
        if (!is_in_figure(study)) continue;
        fprintf(out, "%" PRIu32 " %.6g %" PRIu32 "\n", study->n,
                results->of[i].orders[order].sample.mean, anl_schedule_bound(study->n, study->k));
    }
    fputs("end\n", out);
}

static void write_figure(const void *user, FILE *out)
{
    static const enum anl_order shown[] = {ANL_ORDER_SHORTEST, ANL_ORDER_ROW_MAJOR,
                                           ANL_ORDER_V_H_DESC, ANL_ORDER_LONGEST};
    const struct results *results = user;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        write_curve(results, shown[i], out);
    fputs("set terminal svg size 720,480 font 'sans-serif,13' background 'white'\n"
          "set title 'Random permutations, worms of 4 flits: mean makespan'\n"
          "set grid\nset key left top\nset xlabel 'side n of the mesh'\nset ylabel 'steps'\n"
          "set logscale xy 2\nplot ",
          out);
    fprintf(out, "$order%d using 1:3 with lines lw 1.5 dt 2 title 'bound, any order'",
            (int)shown[0]);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        fprintf(out, ", $order%d using 1:2 with linespoints pt 7 ps 0.5 title '%s'", (int)shown[i],
                anl_order_name(shown[i]));
    fputs("\n", out);
}

static void write_queues(const void *user, FILE *out)
{
    const struct results *results = user;
    for (int i = 0; i < (int)ALGORITHMS; i++) {
        fprintf(out, "$%s << end\n", algorithm_name((enum algorithm)i));
        for (size_t j = 0; j < results->num_packets; j++)
            fprintf(out, "%" PRIu32 " %" PRIu32 "\n", results->packets[j].of->n,
                    results->packets[j].algorithms[i].queue);
        fputs("end\n", out);
    }
    fputs("set terminal svg size 720,480 font 'sans-serif,13' background 'white'\n"
          "set title 'Packet algorithms: longest queue of random and fixed permutations'\n"
          "set grid\nset key left top\nset xlabel 'side N of the mesh'\nset ylabel 'packets'\n"
          "set logscale xy 2\nplot ",
          out);
    for (int i = 0; i < (int)ALGORITHMS; i++)
        fprintf(out, "%s$%s using 1:2 with linespoints pt 7 ps 0.5 title '%s'", i ? ", " : "",
                algorithm_name((enum algorithm)i), algorithm_name((enum algorithm)i));
    fputs("\n", out);
}

enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error)
{
    enum anl_status status = paper_write(directory, "runs.csv", write_runs, results, error);
    if (!status) status = paper_write(directory, "claims.csv", write_claims, results, error);
    if (!status) status = paper_write(directory, "layouts.csv", write_layouts, results, error);
    if (!status) status = paper_write(directory, "snakes.csv", write_snakes, results, error);
    if (!status) status = paper_write(directory, "packets.csv", write_packets, results, error);
    if (!status) status = paper_write(directory, "climb.csv", write_climbs, results, error);
    if (!status) status = paper_write(directory, "graphs.csv", write_graphs, results, error);
    if (!status && has_figure(results))
        status = paper_draw(directory, "makespan", write_figure, results, error);
    if (!status) status = paper_draw(directory, "queues", write_queues, results, error);
    return status ? status : figures_write(directory, error);
}
