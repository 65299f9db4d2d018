// SPDX-License-Identifier: Apache-2.0

#include "cole_maggs_sitaraman.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void write_levelled(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("width,dilation,congestion,length,vcs,instances,messages,colours,drawn,theorem,schedule,"
          "greedy\n",
          out);
    for (size_t i = 0; i < results->plan->num_levelled; i++) {
        const struct levelled_result *result = &results->levelled[i];
        const struct levelled *row = result->row;
        if (result->done)
            fprintf(out,
                    "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32
                    ",%zu,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n",
                    row->width, row->dilation, row->congestion, row->length, row->vcs,
                    result->messages.count, result->messages.mean, result->colours.mean,
                    result->drawn, result->theorem.mean, result->schedule.mean,
                    result->greedy.mean);
    }
}

static void write_worst(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("vcs,distinct,copies,length,lanes,order,link,dilation,messages,bound,greedy,colours,"
          "schedule\n",
          out);
    for (size_t i = 0; i < results->plan->num_worst; i++) {
        const struct worst_result *result = &results->worst[i];
        const struct worst *row = result->row;
        if (result->done)
            fprintf(out,
                    "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%s,%" PRIu32
                    ",%" PRIu32 ",%.1f,%" PRIu64 ",%" PRIu32 ",%" PRIu64 "\n",
                    row->vcs, row->distinct, row->copies, row->length, row->lanes,
                    row->interleaved ? "interleaved" : "grouped",
                    row->link == LINK_WIDE ? "wide" : "shared", result->measures.dilation,
                    result->messages, result->bound, result->greedy.steps, result->colours,
                    result->schedule);
    }
}

static void write_single(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("inputs,vcs,trials,exact,measured,error\n", out);
    for (size_t i = 0; i < results->plan->num_single; i++) {
        const struct single_result *result = &results->single[i];
        if (result->done)
            fprintf(out, "%u,%" PRIu32 ",%zu,%.6f,%.6f,%.6f\n", 1u << result->row->levels,
                    result->row->vcs, result->fraction.count, result->exact, result->fraction.mean,
                    result->fraction.error);
    }
}

static void write_rounds(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("inputs,q,length,vcs,beta,trials,colours,steps,recursion,undelivered,rounds,most_rounds,"
          "most_copies,total\n",
          out);
    for (size_t i = 0; i < results->plan->num_rounds; i++) {
        const struct rounds_result *result = &results->rounds[i];
        const struct rounds *row = result->row;
        if (result->done)
            fprintf(out,
                    "%u,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%g,%zu,%" PRIu32 ",%" PRIu32
                    ",%.6f,%.6f,%.4f,%" PRIu32 ",%" PRIu32 ",%.2f\n",
                    1u << row->levels, row->q, row->length, row->vcs, row->beta,
                    result->undelivered.count, result->colours, result->steps, result->recursion,
                    result->undelivered.mean, result->rounds.mean, result->most_rounds,
                    result->most_copies, result->total.mean);
    }
}

static void write_stalling(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("inputs,q,length,vcs,trials,congestion,steps\n", out);
    for (size_t i = 0; i < results->plan->num_stalling; i++) {
        const struct stalling_result *result = &results->stalling[i];
        const struct stalling *row = result->row;
        if (result->done)
            fprintf(out, "%u,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%zu,%.2f,%.2f\n",
                    1u << row->levels, row->q, row->length, row->vcs, result->steps.count,
                    result->congestion.mean, result->steps.mean);
    }
}

static void write_experiments(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("kind,what,size,x,vcs,value,error\n", out);
    for (size_t i = 0; i < results->plan->num_experiments; i++) {
        const struct experiment_result *result = &results->experiments[i];
        const struct experiment *row = result->row;
        if (result->done)
            fprintf(out, "%s,%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%.6g,%.3g\n", row->texts[0],
                    row->texts[1], row->size, row->x, row->vcs, result->value, result->error);
    }
}

static void write_claims(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("kind,value,least,most,verdict\n", out);
    for (size_t i = 0; i < results->plan->num_claims; i++) {
        const struct claim *claim = &results->plan->claims[i];
        double value;
        const enum verdict verdict = check_claim(results, claim, &value);
        fprintf(out, "%s,%.6g,%g,%g,%s\n", claim->name, value, claim->range.least,
                claim->range.most, verdict_name(verdict));
    }
}

// --- the figure: how many times faster with B lanes, over B ---

enum { FIGURE_DILATION = 19, FIGURE_CONGESTION = 12, MOST_CURVE = ANL_MAX_VCS + 1 };

// Times of B = 1, 2, …; 0: there is none.
struct curve {
    const char *name;
    double steps[MOST_CURVE];
};

static struct curve worst_curve(const struct results *results, bool colours)
{
    struct curve curve = {colours ? "worst networks, colours" : "worst networks, greedy", {0}};
    for (size_t i = 0; i < results->plan->num_worst; i++) {
        const struct worst_result *result = &results->worst[i];
        const struct worst *row = result->row;
        if (result->done && row->link == LINK_WIDE && row->lanes == row->vcs && !row->interleaved &&
            result->measures.dilation == FIGURE_DILATION &&
            result->measures.congestion == FIGURE_CONGESTION)
            curve.steps[row->vcs] = (double)(colours ? result->schedule : result->greedy.steps);
    }
    return curve;
}

static struct curve levelled_curve(const struct results *results)
{
    struct curve curve = {"levelled network, colours", {0}};
    for (size_t i = 0; i < results->plan->num_levelled; i++) {
        const struct levelled_result *result = &results->levelled[i];
        const struct levelled *row = result->row, *first = &results->plan->levelled[0];
        if (result->done && row->dilation == first->dilation &&
            row->congestion == first->congestion)
            curve.steps[row->vcs] = result->schedule.mean;
    }
    return curve;
}

static struct curve rounds_curve(const struct results *results)
{
    struct curve curve = {"butterfly, two passes", {0}};
    for (size_t i = 0; i < results->plan->num_rounds; i++) {
        const struct rounds_result *result = &results->rounds[i];
        if (result->done && result->row->total > 0)
            curve.steps[result->row->vcs] = result->total.mean;
    }
    return curve;
}

static void write_figure(const void *user, FILE *out)
{
    const struct results *results = user;
    const struct curve curves[] = {worst_curve(results, true), worst_curve(results, false),
                                   levelled_curve(results), rounds_curve(results)};
    const size_t count = sizeof curves / sizeof *curves;
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "$curve%zu << end\n", i);
        for (int vcs = 1; vcs < MOST_CURVE; vcs++)
            if (curves[i].steps[1] > 0 && curves[i].steps[vcs] > 0)
                fprintf(out, "%d %.6g\n", vcs, curves[i].steps[vcs] / curves[i].steps[1]);
        fputs("end\n", out);
    }
    fputs("set terminal svg size 720,480 font 'sans-serif,13' background 'white'\n"
          "set title 'Time with B lanes, over the time with one'\n"
          "set grid\nset key left bottom\nset xlabel 'lanes B of a link'\nset ylabel 'time'\n"
          "set logscale xy\nset xrange [1:4.2]\nset xtics (1, 2, 3, 4)\nplot ",
          out);
    fprintf(out,
            "1 / x with lines lw 1.5 dt 2 title '1 / B', x**-1 * %d**(1 / x - 1) with lines lw 1.5 "
            "dt 3 title '1 / B D^{1 - 1/B}, D = %d'",
            FIGURE_DILATION, FIGURE_DILATION);
    for (size_t i = 0; i < count; i++)
        if (curves[i].steps[1] > 0)
            fprintf(out, ", $curve%zu using 1:2 with linespoints pt 7 ps 0.5 title '%s'", i,
                    curves[i].name);
    fputs("\n", out);
}

enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error)
{
    static const struct {
        const char *name;
        void (*write)(const void *user, FILE *out);
    } files[] = {{"levelled.csv", write_levelled},      {"worst.csv", write_worst},
                 {"single.csv", write_single},          {"rounds.csv", write_rounds},
                 {"stalling.csv", write_stalling},      {"claims.csv", write_claims},
                 {"experiments.csv", write_experiments}};
    enum anl_status status = ANL_OK;
    for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++)
        status = paper_write(directory, files[i].name, files[i].write, results, error);
    return status ? status : paper_draw(directory, "speedup", write_figure, results, error);
}
