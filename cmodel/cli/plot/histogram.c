// SPDX-License-Identifier: Apache-2.0
//
// The histogram of latencies, with mean and percentiles. If a few worms are far slower than the
// others, the axis of latencies is long, and that of worms is logarithmic.

#include "plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// Bin i counts the worms with a latency of first + i * width to first + (i + 1) * width - 1 cycles.
struct bins {
    uint64_t first, width, count;
};

static struct bins bins_of(uint64_t least, uint64_t most)
{
    enum { MOST_BINS = 100 };
    static const uint64_t steps[] = {2, 5, 10};
    uint64_t width = 1, power = 1;
    for (int i = 0; (most - least) / width >= MOST_BINS; i = (i + 1) % 3) {
        width = power * steps[i];
        if (i == 2) power *= 10;
    }
    const uint64_t first = least - least % width;
    return (struct bins){first, width, (most - first) / width + 1};
}

static uint64_t count_in(const struct anl_latencies *latencies, const struct bins *bins,
                         uint64_t bin)
{
    uint64_t worms = 0;
    const uint64_t from = bins->first + bin * bins->width;
    for (uint64_t i = from; i < from + bins->width && i < latencies->size; i++)
        worms += latencies->count[i];
    return worms;
}

// Writes the bins. Returns how many worms the fullest one has.
static uint64_t put_bins(FILE *script, const struct anl_latencies *latencies,
                         const struct bins *bins)
{
    uint64_t most = 0;
    fputs("# first latency, last latency, worms\n$bins << end\n", script);
    for (uint64_t bin = 0; bin < bins->count; bin++) {
        const uint64_t worms = count_in(latencies, bins, bin);
        const uint64_t from = bins->first + bin * bins->width;
        fprintf(script, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", from, from + bins->width - 1,
                worms);
        if (worms > most) most = worms;
    }
    fputs("end\n", script);
    return most;
}

// --- marks ---

struct mark {
    const char *name;
    double at;
    bool whole;  // an integer: the latency of some worm
};

static int ascending(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

// Draws each mark as a line up to its name, which is above the lines to the right of it. The dashed
// lines are also wider: gnuplot's SVG has one path for all lines of one width and colour, whatever
// their dashes.
static void put_marks(FILE *script, const struct anl_run_result *result)
{
    struct mark marks[] = {{"mean", result->latency_mean, false},
                           {"50 %", (double)result->latency_p50, true},
                           {"95 %", (double)result->latency_p95, true},
                           {"99 %", (double)result->latency_p99, true}};
    qsort(marks, 4, sizeof *marks, ascending);
    for (int i = 0; i < 4; i++) {
        const double top = 0.98 - 0.055 * i;
        fprintf(script,
                "set arrow from first %.2f, graph 0 to first %.2f, graph %.3f nohead front "
                "dashtype %d linewidth %s linecolor '#000000'\n",
                marks[i].at, marks[i].at, top, marks[i].whole ? 1 : 2,
                marks[i].whole ? "1" : "1.4");
        fprintf(script, "set label '%s: %.*f' at first %.2f, graph %.3f left offset 0.5,0 front\n",
                marks[i].name, marks[i].whole ? 0 : 2, marks[i].at, marks[i].at, top - 0.02);
    }
}

// --- axes ---

static void put_axes(FILE *script, const struct anl_run_result *result, const struct bins *bins,
                     uint64_t most)
{
    const double first = (double)bins->first, width = (double)bins->width;
    const double span = width * (double)bins->count;
    const double marked = ((double)result->latency_p99 - first) / 0.84;
    const bool powers = (double)(result->latency_max - result->latency_p99) > 0.3 * span;
    const double top = powers ? 0.5 * pow(2.0 * (double)most, 1 / 0.76) : (double)most / 0.76;
    fprintf(script, "set xrange [%.1f:%.1f]\nset xlabel 'latency, cycles'\n", first - 0.5,
            first + fmax(span, marked) - 0.5);
    if (powers) fputs("set logscale y 10\nset format y '%.0f'\n", script);
    if (!powers && most <= 5) fputs("set ytics 1\n", script);
    fprintf(script, "set yrange [%s:%.1f]\nset ylabel '", powers ? "0.5" : "0", top);
    if (bins->width > 1)
        fprintf(script, "worms per %" PRIu64 " cycles of latency'\n", bins->width);
    else
        fputs("worms per cycle of latency'\n", script);
}

static void put_title(FILE *script, const struct plot_run *run)
{
    char traffic[256], words[512];
    plot_describe_traffic(run->scenario, traffic, sizeof traffic);
    snprintf(words, sizeof words, "%s: %" PRIu64 " worms, %" PRIu64 " to %" PRIu64 " cycles%s",
             traffic, run->result.measured, run->result.latency_min, run->result.latency_max,
             run->result.end == ANL_RUN_STALLED ? "; the run stalled" : "");
    plot_begin(script, PLOT_WIDTH, run->title, words);
}

void plot_histogram(FILE *script, const struct plot_run *run)
{
    const struct bins bins = bins_of(run->result.latency_min, run->result.latency_max);
    put_title(script, run);
    const uint64_t most = put_bins(script, &run->latencies, &bins);
    put_axes(script, &run->result, &bins, most);
    put_marks(script, &run->result);
    fprintf(script,
            "set boxwidth %" PRIu64 "\nset key off\n"
            "plot $bins using (($1 + $2) / 2.0):($3 > 0 ? $3 : NaN) with boxes "
            "linecolor '#56a0d0' title 'worms', \\\n"
            "  '' using (($1 + $2) / 2.0):3:(($1 == $2 ? sprintf('%%d', $1) : "
            "sprintf('%%d to %%d', $1, $2)).sprintf(' cycles: %%d worms', $3)) "
            "with labels hypertext point pointtype 5 pointsize 1.4 linecolor '#ff000000' notitle\n",
            bins.width);
}
