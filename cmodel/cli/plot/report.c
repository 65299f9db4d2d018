// SPDX-License-Identifier: Apache-2.0

#include "cli/shared/drawing.h"
#include "plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS_LISTED = 500 };

// --- pictures ---

static const char *const names[PLOT_NUM_CURVES] = {[PLOT_LATENCY] = "latency",
                                                   [PLOT_THROUGHPUT] = "throughput",
                                                   [PLOT_PERCENTILES] = "percentiles"};

struct curves {
    const struct plot_sweep *sweep;
    enum plot_curves what;
};

static void put_script(const void *user, FILE *script)
{
    const struct curves *curves = user;
    plot_curves(script, curves->sweep, curves->what);
}

static enum anl_status put_picture(FILE *html, const struct curves *curves, const char *name,
                                   const char *path, struct anl_error *error)
{
    const struct plot_drawing drawing = {
        .name = name,
        .title = curves->sweep->title,
        .gnuplot = {.script = put_script, .user = curves, .path = path}};
    fputs("<figure>\n", html);
    const enum anl_status status = plot_gnuplot(&drawing, html, error);
    fputs("</figure>\n", html);
    return status;
}

// Puts a picture into the page, or the reason why there is none.
static enum anl_status put_picture_of(FILE *html, const struct plot_report *report,
                                      enum plot_curves what, const char *title,
                                      struct anl_error *error)
{
    struct plot_sweep sweep = *report->sweep;
    const struct curves curves = {&sweep, what};
    struct anl_error reason = {0};
    sweep.title = title;
    if (plot_curves_check(&sweep, what, &reason) == ANL_OK)
        return put_picture(html, &curves, names[what], report->path, error);
    fprintf(html, "<p>No picture of the %s: ", names[what]);
    draw_escaped(html, reason.text);
    fputs(".</p>\n", html);
    return ANL_OK;
}

// Puts a picture of the percentiles of each curve, which has three lines.
static enum anl_status put_percentiles(FILE *html, const struct plot_report *report,
                                       struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (struct plot_curve at = {0}; !status && plot_next_curve(report->sweep, &at);) {
        char title[PLOT_WORDS_BYTES + 32], name[48];
        struct plot_file part = *at.file;
        const struct plot_sweep sweep = {.title = title, .files = &part, .num_files = 1};
        const struct curves curves = {&sweep, PLOT_PERCENTILES};
        part.points.curves += at.curve - at.file->points.curves;
        part.points.num_curves = 1;
        snprintf(title, sizeof title, "Percentiles: %s", at.words);
        snprintf(name, sizeof name, "percentiles%zu", at.number);
        if (plot_curves_check(&sweep, PLOT_PERCENTILES, NULL) == ANL_OK)
            status = put_picture(html, &curves, name, report->path, error);
    }
    return status;
}

static enum anl_status put_pictures(FILE *html, const struct plot_report *report,
                                    struct anl_error *error)
{
    fputs("<h2>Curves</h2>\n", html);
    enum anl_status status = put_picture_of(html, report, PLOT_LATENCY, "Latency over load", error);
    if (!status)
        status = put_picture_of(html, report, PLOT_THROUGHPUT, "Accepted over offered load", error);
    fputs("<div class=\"small\">\n", html);
    if (!status) status = put_percentiles(html, report, error);
    fputs("</div>\n", html);
    return status;
}

// --- numbers ---

static void put_mean(FILE *html, struct sample mean, int digits)
{
    char words[SWEEP_MEAN_BYTES];
    sweep_mean_words(mean, digits, words, sizeof words);
    fprintf(html, "<td>%s</td>", *words ? words : "–");
}

static void put_number(FILE *html, double number, int digits)
{
    put_mean(html, (struct sample){.mean = number, .half_width = NAN}, digits);
}

static void put_warmup(FILE *html, const struct sweep_point *point)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < point->num_runs; i++) {
        const uint64_t warmup = point->runs[i].warmup;
        least = warmup < least ? warmup : least;
        most = warmup > most ? warmup : most;
    }
    if (least == most)
        fprintf(html, "<td>%" PRIu64 "</td>", most);
    else
        fprintf(html, "<td>%" PRIu64 " to %" PRIu64 "</td>", least, most);
}

static void put_point(FILE *html, const struct sweep_point *point)
{
    char states[96];
    sweep_states_words(point, states, sizeof states);
    fputs(plot_point_is_saturated(point) ? "<tr class=\"beyond\">" : "<tr>", html);
    fprintf(html, isnan(point->load) ? "<td>–</td>" : "<td>%.6g</td>", point->load);
    put_mean(html, point->latency, 2);
    put_mean(html, point->latency_p50, 1);
    put_mean(html, point->latency_p95, 1);
    put_mean(html, point->latency_p99, 1);
    put_mean(html, point->offered, 4);
    put_mean(html, point->accepted, 4);
    put_number(html, point->links.mean, 2);
    put_warmup(html, point);
    fprintf(html, "<td%s>%s</td></tr>\n", point->steady ? "" : " class=\"alarm\"", states);
}

// --- tables ---

// Returns the last load up to which all points are steady; NAN if not even the first one is.
static double steady_up_to(const struct sweep_curve *curve)
{
    double load = NAN;
    for (size_t i = 0; i < curve->num_points && curve->points[i].steady; i++)
        load = curve->points[i].load;
    return load;
}

// Puts the saturation load that the sweep found, or a dash.
static void put_saturation(FILE *html, const struct plot_curve *at)
{
    const struct sweep_saturation *found = at->file->searched.found;
    char words[64] = "–";
    if (found) found += at->curve - at->file->points.curves;
    if (found && found->seeds) sweep_saturation_words(found, words, sizeof words);
    fprintf(html, "<td>%s</td>", words);
}

static void put_summary(FILE *html, const struct plot_curve *at)
{
    const struct sweep_curve *curve = at->curve;
    struct sample most = {.mean = NAN, .half_width = NAN};
    for (size_t i = 0; i < curve->num_points; i++) {
        const struct sample accepted = curve->points[i].accepted;
        if (!isnan(accepted.mean) && !(most.mean >= accepted.mean)) most = accepted;
    }
    fputs("<tr><th scope=\"row\">", html);
    draw_escaped(html, at->words);
    fputs("</th>", html);
    put_mean(html, curve->points->latency, 2);
    put_number(html, steady_up_to(curve), 4);
    put_number(html, plot_saturated_from(curve), 4);
    put_saturation(html, at);
    put_mean(html, most, 4);
    fputs("<td></td></tr>\n", html);
}

static void put_table(FILE *html, const struct plot_curve *at)
{
    fputs("<h3>", html);
    draw_escaped(html, at->words);
    fputs("</h3>\n<div class=\"table\"><table class=\"points\">\n<thead><tr><th>load</th>"
          "<th>latency,<br>cycles</th><th>50 %</th><th>95 %</th><th>99 %</th><th>offered</th>"
          "<th>accepted</th><th>links</th><th>warm-up,<br>cycles</th><th>runs</th></tr></thead>\n"
          "<tbody>\n",
          html);
    for (size_t i = 0; i < at->curve->num_points; i++)
        put_point(html, &at->curve->points[i]);
    fputs("</tbody></table></div>\n", html);
}

static void put_summaries(FILE *html, const struct plot_sweep *sweep)
{
    fputs("<h2>Summary</h2>\n<div class=\"table\"><table id=\"summary\">\n<thead><tr>"
          "<th class=\"words\">variant</th><th>latency at the<br>lowest load, cycles</th>"
          "<th>steady up to<br>load</th><th>saturated from<br>load</th><th>saturation,<br>searched "
          "for</th><th>most accepted,<br>"
          "flits per terminal and cycle</th><th></th></tr></thead>\n<tbody>\n",
          html);
    for (struct plot_curve at = {0}; plot_next_curve(sweep, &at);)
        put_summary(html, &at);
    fputs("</tbody></table></div>\n", html);
}

static void put_tables(FILE *html, const struct plot_sweep *sweep)
{
    fputs("<h2>Points</h2>\n"
          "<p class=\"faint\">Mean over the runs ± half of its 95 % interval. Loads: flits per "
          "terminal and cycle. Links: that a flit crosses, injection and ejection too. Warm-up: "
          "cycles cut off before the measured interval. Grey: most runs were saturated or stalled, "
          "latencies there depend on the length of the run.</p>\n",
          html);
    for (struct plot_curve at = {0}; plot_next_curve(sweep, &at);)
        put_table(html, &at);
}

// --- runs that were not steady ---

static size_t not_steady(const struct plot_sweep *sweep, size_t *all)
{
    size_t count = 0;
    *all = 0;
    for (size_t f = 0; f < sweep->num_files; f++)
        for (size_t i = 0; i < sweep->files[f].points.num_runs; i++, ++*all)
            count += sweep->files[f].points.runs[i].state != SWEEP_STEADY;
    return count;
}

static void list_runs(FILE *html, const struct plot_file *file, size_t *left)
{
    for (size_t i = 0; i < file->points.num_runs; i++) {
        const struct sweep_run *run = &file->points.runs[i];
        if (run->state == SWEEP_STEADY || *left == 0) continue;
        --*left;
        fputs("<tr><th scope=\"row\">", html);
        draw_escaped(html, file->path);
        fprintf(html, "</th><td>%" PRIu64 "</td>", run->line);
        put_number(html, run->load, 4);
        fprintf(html,
                "<td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64
                "</td><td>%s, %s</td></tr>\n",
                run->seed, run->cycles, run->warmup, sweep_state_name(run->state),
                sweep_end_name(run->end));
    }
}

static void put_not_steady(FILE *html, const struct plot_sweep *sweep)
{
    size_t all, left = MOST_RUNS_LISTED;
    const size_t count = not_steady(sweep, &all);
    fprintf(html,
            "<h2>Runs that were not steady</h2>\n<p id=\"unsteady\">%zu of %zu runs were not "
            "steady.</p>\n",
            count, all);
    if (!count) return;
    fputs("<details><summary>Which</summary><div class=\"table\"><table id=\"runs\">\n<thead><tr>"
          "<th class=\"words\">file</th><th>line</th><th>load</th><th>seed</th><th>cycles</th>"
          "<th>warm-up</th><th>state, end</th></tr></thead>\n<tbody>\n",
          html);
    for (size_t f = 0; f < sweep->num_files; f++)
        list_runs(html, &sweep->files[f], &left);
    fputs("</tbody></table></div></details>\n", html);
    if (count > MOST_RUNS_LISTED)
        fprintf(html, "<p>… and %zu more.</p>\n", count - MOST_RUNS_LISTED);
}

// --- the head ---

static void put_scenario(FILE *html, const struct plot_report *report)
{
    char network[256], traffic[256];
    draw_describe(&report->scenario->network, network, sizeof network);
    plot_describe_traffic(report->scenario, traffic, sizeof traffic);
    fprintf(html, "<h2>Scenario</h2>\n<p>%s</p>\n<p>%s</p>\n<p class=\"faint\">as ", network,
            traffic);
    draw_escaped(html, report->scenario_path);
    fputs(" says; load, seed and what is varied are those of the tables</p>\n<pre "
          "id=\"scenario\">",
          html);
    draw_escaped(html, report->scenario->text);
    fputs("</pre>\n", html);
}

static void put_command(FILE *html, const char *id, const char *command)
{
    fprintf(html, "<pre%s>", id);
    draw_escaped(html, command ? command : "");
    fputs("</pre>\n", html);
}

// Puts the program and the command that made the rows of a file, as the remarks at its head say;
// those of a file without remarks may be known from the one with its saturation loads.
static void put_origin(FILE *html, const struct plot_file *file)
{
    const struct sweep_saturation_record *record = &file->searched;
    const char *remarks = file->points.remarks;
    if (!*remarks && !record->command) return;
    fputs("<p class=\"faint\">", html);
    draw_escaped(html, file->path);
    fputs(" was made by", html);
    if (!*remarks) fputc(' ', html);
    if (!*remarks) draw_escaped(html, record->program);
    fputs(":</p>\n", html);
    put_command(html, " class=\"origin\"", *remarks ? remarks : record->command);
}

static void put_origins(FILE *html, const struct plot_sweep *sweep)
{
    for (size_t f = 0; f < sweep->num_files; f++) {
        put_origin(html, &sweep->files[f]);
        if (!sweep->files[f].searched.foreign) continue;
        fputs("<p class=\"faint\">", html);
        draw_escaped(html, sweep->files[f].path);
        fputs(": the .saturation.csv beside it is not of the same sweep and is left out</p>\n",
              html);
    }
}

static void put_head(FILE *html, const struct plot_report *report)
{
    const struct plot_sweep *sweep = report->sweep;
    char seeds[64];
    plot_seeds_words(sweep, seeds, sizeof seeds);
    draw_html_begin(html, sweep->title, report_css);
    fputs("<h1>", html);
    draw_escaped(html, sweep->title);
    fputs("</h1>\n<p class=\"faint\">", html);
    for (size_t f = 0; f < sweep->num_files; f++) {
        if (f) fputs(", ", html);
        draw_escaped(html, sweep->files[f].path);
    }
    fprintf(html, ": %s a point; this page is by %s:</p>\n", seeds, CLI_PROGRAM);
    char *command = shell_words(report->command, report->num_words);
    put_command(html, " id=\"command\"", command);
    free(command);
    put_origins(html, sweep);
}

// --- the whole ---

enum anl_status plot_report(FILE *html, const struct plot_report *report, struct anl_error *error)
{
    put_head(html, report);
    if (report->scenario_path) put_scenario(html, report);
    put_summaries(html, report->sweep);
    const enum anl_status status = put_pictures(html, report, error);
    if (status) return status;
    put_tables(html, report->sweep);
    put_not_steady(html, report->sweep);
    draw_html_end(html);
    return ANL_OK;
}
