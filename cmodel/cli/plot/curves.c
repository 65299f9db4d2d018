// SPDX-License-Identifier: Apache-2.0

#include "plot.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_TIMES_ZERO_LOAD = 6, ENTRIES_BESIDE = 7 };

// A line of a picture: one measure of one curve.
struct line {
    struct plot_curve of;
    size_t percentile;        // index in percentile_names; for PLOT_PERCENTILES only
    bool bars, full, hollow;  // whether any point that is shown has an interval, is steady, is not
};

bool plot_point_is_saturated(const struct sweep_point *point)
{
    return 2 * (point->in_state[SWEEP_SATURATED] + (size_t)point->in_state[SWEEP_STALLED]) >
           point->num_runs;
}

double plot_saturated_from(const struct sweep_curve *curve)
{
    for (size_t i = 0; i < curve->num_points; i++) {
        const struct sweep_point *point = &curve->points[i];
        if (plot_point_is_saturated(point)) return point->load;
    }
    return NAN;
}

// --- measures ---

static const char *const percentile_names[] = {"50 %", "95 %", "99 %"};
enum { NUM_PERCENTILES = sizeof percentile_names / sizeof *percentile_names };
static const int percentile_dashes[NUM_PERCENTILES] = {1, 2, 3};

static struct sample measure(const struct sweep_point *point, enum plot_curves what,
                             size_t percentile)
{
    if (what == PLOT_LATENCY) return point->latency;
    if (what == PLOT_THROUGHPUT) return point->accepted;
    return percentile == 0   ? point->latency_p50
           : percentile == 1 ? point->latency_p95
                             : point->latency_p99;
}

static double position(const struct sweep_point *point, enum plot_curves what)
{
    return what == PLOT_THROUGHPUT && !isnan(point->offered.mean) ? point->offered.mean
                                                                  : point->load;
}

// Returns whether a point is shown. Of saturated networks only throughput is.
static bool is_shown(const struct sweep_point *point, enum plot_curves what, size_t percentile)
{
    return !isnan(point->load) && !isnan(measure(point, what, percentile).mean) &&
           (what == PLOT_THROUGHPUT || !plot_point_is_saturated(point));
}

// --- all lines of a picture ---

enum { MOST_LINES = PLOT_LOOKS * NUM_PERCENTILES };

struct drawing {
    FILE *script;
    enum plot_curves what;
    struct line lines[MOST_LINES];
    size_t num_lines;
    double right, top;       // ends of the axes, which begin at 0: load; cycles or load
    double zero_load, most;  // the largest value of the first points of the lines; of all points
    size_t entries;          // of the legend
    size_t longest;          // characters of the longest text of the legend
    bool hollow, hints;      // whether there are hollow points, marks of saturation
    const struct anl_predictor *predictors;  // [num_lines] of latencies; NULL: no model is drawn
    const char *between;                     // separates two parts of the plot command
};

static void find_lines(struct drawing *drawing, const struct plot_sweep *sweep)
{
    const size_t measures = drawing->what == PLOT_PERCENTILES ? NUM_PERCENTILES : 1;
    for (struct plot_curve curve = {0}; plot_next_curve(sweep, &curve);)
        for (size_t i = 0; i < measures; i++) {
            assert(drawing->num_lines < MOST_LINES);
            drawing->lines[drawing->num_lines++] = (struct line){.of = curve, .percentile = i};
        }
}

// --- legend ---

// Measures the legend: the curves, and what other lines mean.
static void find_legend(struct drawing *drawing)
{
    static const size_t others[PLOT_NUM_CURVES] = {
        [PLOT_THROUGHPUT] = 1, [PLOT_PERCENTILES] = NUM_PERCENTILES};
    drawing->entries = others[drawing->what] + (drawing->predictors != NULL);
    drawing->longest = drawing->entries ? sizeof "accepted = offered" : 0;
    for (size_t i = 0; i < drawing->num_lines; i++) {
        size_t length = 0;
        if (drawing->lines[i].percentile > 0) continue;
        for (const char *at = drawing->lines[i].of.words; *at; at++)
            length += ((unsigned char)*at & 0xC0) != 0x80;
        drawing->entries++;
        if (length > drawing->longest) drawing->longest = length;
    }
}

// Returns whether the legend is beside the picture, since it is so long that it would hide curves.
static bool is_beside(const struct drawing *drawing) { return drawing->entries >= ENTRIES_BESIDE; }

// Returns the width of the picture, with enough for a legend beside the curves.
static int width_of(const struct drawing *drawing)
{
    enum { CHARACTER = 8, SAMPLE = 60, MOST_CHARACTERS = 80 };
    const size_t longest = drawing->longest < MOST_CHARACTERS ? drawing->longest : MOST_CHARACTERS;
    return is_beside(drawing) ? PLOT_WIDTH + SAMPLE + CHARACTER * (int)longest : PLOT_WIDTH;
}

// --- axes ---

static void measure_line(struct drawing *drawing, struct line *line)
{
    bool first = true;
    for (size_t i = 0; i < line->of.curve->num_points; i++) {
        const struct sweep_point *point = &line->of.curve->points[i];
        const struct sample sample = measure(point, drawing->what, line->percentile);
        if (!isnan(point->load))
            drawing->right = fmax(drawing->right, position(point, drawing->what));
        drawing->hints |= plot_point_is_saturated(point);
        if (!is_shown(point, drawing->what, line->percentile)) continue;
        *(point->steady ? &line->full : &line->hollow) = true;
        line->bars |= !isnan(sample.half_width);
        drawing->most = fmax(drawing->most, sample.mean + fmax(0, sample.half_width));
        if (first) drawing->zero_load = fmax(drawing->zero_load, sample.mean);
        first = false;
    }
    drawing->hollow |= line->hollow;
}

// Sets the ends of the axes. Latency has no bound near saturation, so its axis ends where the knees
// of the curves can still be read.
static void find_axes(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->num_lines; i++)
        measure_line(drawing, &drawing->lines[i]);
    drawing->right *= 1.04;
    drawing->top = 1.08 * drawing->most;
    if (drawing->what == PLOT_THROUGHPUT) return;
    drawing->top = fmin(drawing->top, MOST_TIMES_ZERO_LOAD * drawing->zero_load);
}

// Writes the axes. "Load" is that of the scenario; "offered load" is what the runs really offered.
static void put_axes(const struct drawing *drawing)
{
    const bool throughput = drawing->what == PLOT_THROUGHPUT;
    fprintf(drawing->script,
            "set xrange [0:%.6g]\nset yrange [0:%.6g]\nset xlabel '%s, flits per terminal and "
            "cycle'\nset ylabel '%s'\n",
            drawing->right, drawing->top, throughput ? "offered load" : "load",
            throughput ? "accepted load, flits per terminal and cycle" : "latency, cycles");
    if (is_beside(drawing))
        fprintf(drawing->script,
                "set rmargin at screen %.4f\nset key at screen %.4f, graph 1 left top Left reverse "
                "horizontal maxcols 1 samplen 3 spacing 1\n",
                (PLOT_WIDTH - 20.0) / width_of(drawing), (PLOT_WIDTH - 5.0) / width_of(drawing));
    else
        fputs("set key top left Left reverse samplen 3 spacing 1.15 width 1\n", drawing->script);
}

// --- data ---

static void put_hint(const struct drawing *drawing, const struct line *line,
                     const struct sweep_point *point)
{
    const bool throughput = drawing->what == PLOT_THROUGHPUT;
    char states[96], mean[SWEEP_MEAN_BYTES];
    sweep_states_words(point, states, sizeof states);
    sweep_mean_words(measure(point, drawing->what, line->percentile), throughput ? 4 : 2, mean,
                     sizeof mean);
    fputc('"', drawing->script);
    plot_plain(drawing->script, line->of.words);
    fprintf(drawing->script, ", load %.4g: ", point->load);
    if (drawing->what == PLOT_PERCENTILES)
        fprintf(drawing->script, "%s within ", percentile_names[line->percentile]);
    fprintf(drawing->script, throughput ? "accepted %s (runs: %s)\"" : "%s cycles (runs: %s)\"",
            mean, states);
}

static void put_points(const struct drawing *drawing, const struct line *line)
{
    FILE *script = drawing->script;
    fprintf(script, "$line%zu_%zu << end\n", line->of.number, line->percentile);
    for (size_t i = 0; i < line->of.curve->num_points; i++) {
        const struct sweep_point *point = &line->of.curve->points[i];
        const struct sample sample = measure(point, drawing->what, line->percentile);
        if (!is_shown(point, drawing->what, line->percentile)) continue;
        fprintf(script, "%.6g %.6g ", position(point, drawing->what), sample.mean);
        fprintf(script, isnan(sample.half_width) ? "?" : "%.6g", sample.half_width);
        fprintf(script, " %d ", point->steady);
        put_hint(drawing, line, point);
        fputc('\n', script);
    }
    fputs("end\n", script);
}

// --- what is drawn of them ---

// Draws a mark where the points of a line end because the network is saturated.
static void put_saturation(const struct drawing *drawing, const struct line *line)
{
    const double from = plot_saturated_from(line->of.curve);
    if (line->percentile > 0 || isnan(from) || drawing->what == PLOT_THROUGHPUT) return;
    fprintf(drawing->script,
            "set arrow from first %.6g, graph 0 to first %.6g, graph 1 nohead back linewidth 1.2 "
            "dashtype (3,4) linecolor '%s'\n",
            from, from, plot_look(line->of.number).colour);
}

// Writes and draws what the model says, as a thin line of the curve's colour.
static void put_model_points(const struct drawing *drawing, const struct line *line)
{
    fprintf(drawing->script, "$model%zu << end\n", line->of.number);
    plot_model_points(drawing->script, &drawing->predictors[line->of.number], drawing->right,
                      drawing->top);
    fputs("end\n", drawing->script);
}

static void put_model(const struct drawing *drawing, const struct line *line)
{
    fprintf(drawing->script,
            ", \\\n  $model%zu using 1:2 with lines linewidth 1.2 dashtype (1,2) linecolor '%s' "
            "notitle",
            line->of.number, plot_look(line->of.number).colour);
}

static int dash_of(const struct drawing *drawing, const struct line *line)
{
    return drawing->what == PLOT_PERCENTILES ? percentile_dashes[line->percentile]
                                             : plot_look(line->of.number).dash;
}

static void put_marks(const struct drawing *drawing, const struct plot_look *look, bool full)
{
    fprintf(drawing->script,
            ", \\\n  '' using 1:($4 == %d ? $2 : NaN):5 with labels hypertext point pointtype %d "
            "pointsize %s linecolor '%s' notitle",
            full, full ? look->mark : look->hollow, full ? "0.75" : "0.85", look->colour);
}

// Draws what the line has: gnuplot must not be asked to draw data that are not there.
static void put_line(struct drawing *drawing, const struct line *line)
{
    const struct plot_look look = plot_look(line->of.number);
    if (!line->full && !line->hollow) return;
    fprintf(drawing->script,
            "%s$line%zu_%zu using 1:2 with lines linewidth 1.8 dashtype %d linecolor '%s' notitle",
            drawing->between, line->of.number, line->percentile, dash_of(drawing, line),
            look.colour);
    if (line->bars)
        fprintf(drawing->script,
                ", \\\n  '' using 1:2:3 with yerrorbars pointtype -1 linewidth %s linecolor '%s' "
                "notitle",
                drawing->what == PLOT_PERCENTILES ? "0.8" : "1.2", look.colour);
    if (line->full) put_marks(drawing, &look, true);
    if (line->hollow) put_marks(drawing, &look, false);
    drawing->between = ", \\\n  ";
}

static void put_entry(const struct drawing *drawing, const struct line *line)
{
    const struct plot_look look = plot_look(line->of.number);
    if (line->percentile > 0) return;
    fprintf(drawing->script,
            ", \\\n  keyentry with linespoints linewidth 1.8 dashtype %d pointtype %d pointsize "
            "0.75 linecolor '%s' title ",
            drawing->what == PLOT_PERCENTILES ? 1 : look.dash, look.mark, look.colour);
    plot_quote(drawing->script, line->of.words);
}

static const char diagonal[] = "with lines linewidth 1 dashtype (2,4) linecolor '#8a939e'";

static void put_diagonal(struct drawing *drawing)
{
    fprintf(drawing->script, "%sx %s notitle", drawing->between, diagonal);
    drawing->between = ", \\\n  ";
}

static void put_other_entries(const struct drawing *drawing)
{
    if (drawing->what == PLOT_THROUGHPUT)
        fprintf(drawing->script, ", \\\n  keyentry %s title 'accepted = offered'", diagonal);
    if (drawing->predictors)
        fputs(", \\\n  keyentry with lines linewidth 1.2 dashtype (1,2) linecolor '#5b6673' title "
              "'the model'",
              drawing->script);
    for (size_t i = 0; drawing->what == PLOT_PERCENTILES && i < NUM_PERCENTILES; i++)
        fprintf(drawing->script,
                ", \\\n  keyentry with lines linewidth 1.8 dashtype %d linecolor '#5b6673' title "
                "'%s of the worms'",
                percentile_dashes[i], percentile_names[i]);
}

// --- the whole ---

static void put_title(const struct drawing *drawing, const struct plot_sweep *sweep)
{
    char seeds[64], words[320];
    plot_seeds_words(sweep, seeds, sizeof seeds);
    const bool one = strcmp(seeds, "one seed") == 0;
    snprintf(words, sizeof words, "%s%s%s%s", one ? "" : "mean and 95 % interval over ", seeds,
             drawing->hollow ? "; hollow: not all runs were steady" : "",
             drawing->hints && drawing->what != PLOT_THROUGHPUT ? "; vertical line: saturated"
                                                                : "");
    plot_begin(drawing->script, width_of(drawing), sweep->title, words);
}

static bool any(const struct plot_sweep *sweep, bool (*holds)(const struct sweep_point *point))
{
    for (struct plot_curve at = {0}; plot_next_curve(sweep, &at);)
        for (size_t i = 0; i < at.curve->num_points; i++)
            if (holds(&at.curve->points[i])) return true;
    return false;
}

static bool has_load(const struct sweep_point *point) { return !isnan(point->load); }
static bool has_accepted(const struct sweep_point *point)
{
    return is_shown(point, PLOT_THROUGHPUT, 0) && position(point, PLOT_THROUGHPUT) > 0;
}
static bool has_latency(const struct sweep_point *point)
{
    return is_shown(point, PLOT_LATENCY, 0) && point->load > 0;
}

enum anl_status plot_curves_check(const struct plot_sweep *sweep, enum plot_curves what,
                                  struct anl_error *error)
{
    const char *path = sweep->files[0].path;
    size_t curves = 0;
    for (size_t f = 0; f < sweep->num_files; f++)
        curves += sweep->files[f].points.num_curves;
    if (curves > PLOT_LOOKS)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "%zu curves cannot be told apart in one picture, %d can: draw fewer files, "
                        "or keep the rows of fewer variants; -o FILE.html has tables of all",
                        curves, PLOT_LOOKS);
    if (any(sweep, what == PLOT_THROUGHPUT ? has_accepted : has_latency)) return ANL_OK;
    if (!any(sweep, has_load))
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "no row has a load: runs of closed loops lie on no curve; -o FILE.html "
                        "makes a table of them");
    if (what != PLOT_THROUGHPUT && any(sweep, plot_point_is_saturated))
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "all points are saturated: there is no latency to show, but --what "
                        "throughput");
    return anl_fail(error, ANL_ERR_ARGUMENT, path, 0, "nothing to show: in no run was a worm %s",
                    what == PLOT_THROUGHPUT ? "created" : "measured");
}

void plot_curves(FILE *script, const struct plot_sweep *sweep, enum plot_curves what)
{
    struct drawing drawing = {.script = script, .what = what, .between = "plot "};
    if (what == PLOT_LATENCY) drawing.predictors = sweep->predictors;
    find_lines(&drawing, sweep);
    find_axes(&drawing);
    find_legend(&drawing);
    put_title(&drawing, sweep);
    put_axes(&drawing);
    fputs("set datafile missing '?'\n# load, value, half of its 95 % interval, all runs steady\n",
          script);
    for (size_t i = 0; i < drawing.num_lines; i++)
        put_points(&drawing, &drawing.lines[i]);
    for (size_t i = 0; drawing.predictors && i < drawing.num_lines; i++)
        put_model_points(&drawing, &drawing.lines[i]);
    for (size_t i = 0; i < drawing.num_lines; i++)
        put_saturation(&drawing, &drawing.lines[i]);
    if (what == PLOT_THROUGHPUT) put_diagonal(&drawing);
    for (size_t i = 0; i < drawing.num_lines; i++)
        put_line(&drawing, &drawing.lines[i]);
    for (size_t i = 0; drawing.predictors && i < drawing.num_lines; i++)
        put_model(&drawing, &drawing.lines[i]);
    for (size_t i = 0; i < drawing.num_lines; i++)
        put_entry(&drawing, &drawing.lines[i]);
    put_other_entries(&drawing);
    fputc('\n', script);
}
