// SPDX-License-Identifier: Apache-2.0

#include "draper_ghosh.h"

#include <math.h>
#include <stdio.h>

// Writes what the model says of a point and its error: two empty cells if it is saturated.
static void write_model(const struct point *point, int form, FILE *out)
{
    if (isnan(point->model[form]))
        fputs(",,", out);
    else
        fprintf(out, ",%.4f,%.2f", point->model[form], point_error(point, form));
}

static void write_points(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("case,part,worms,measured,half_width,plain,plain_error_percent,calibrated,"
          "calibrated_error_percent\n",
          out);
    for (size_t i = 0; i < results->count; i++)
        for (size_t j = 0; j < results->of[i].num_points; j++) {
            const struct point *point = &results->of[i].points[j];
            fprintf(out, "%s,%g,%.6f,%.4f,%.4f", results->of[i].study->name, parts[j], point->worms,
                    point->latency.mean, point->latency.half_width);
            write_model(point, PLAIN, out);
            write_model(point, CALIBRATED, out);
            fputs("\n", out);
        }
}

static void write_saturations(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("case,measured,plain,calibrated\n", out);
    for (size_t i = 0; i < results->count; i++)
        fprintf(out, "%s,%.6f,%.6f,%.6f\n", results->of[i].study->name, results->of[i].measured,
                results->of[i].predicted[PLAIN], results->of[i].predicted[CALIBRATED]);
}

// --- curves ---

static void write_data(const struct result *result, FILE *out)
{
    fputs("$measured << end\n", out);
    for (size_t i = 0; i < result->num_points; i++) {
        const struct point *point = &result->points[i];
        fprintf(out, "%.6g %.6g %.6g %.6g %.6g\n", point->worms, point->latency.mean,
                point->latency.half_width, point->model[PLAIN], point->model[CALIBRATED]);
    }
    fputs("end\n", out);
}

static void write_curve(const void *user, FILE *out)
{
    const struct result *result = user;
    fputs("set terminal svg size 720,480 font 'sans-serif,13' background 'white'\n", out);
    fprintf(out, "set title '%s: reconstruction of the model of Draper and Ghosh'\n",
            result->study->name);
    write_data(result, out);
    fprintf(out,
            "set datafile missing 'nan'\nset grid\nset key left top\nset xlabel 'worms per node "
            "and cycle'\nset ylabel 'latency, cycles'\nset yrange [0:%.6g]\n"
            "plot $measured using 1:2:3 with yerrorbars pt 7 ps 0.6 title 'engine', "
            "'' using 1:4 with lines lw 1.5 title 'plain', '' using 1:5 with lines lw 1.5 title "
            "'calibrated'\n",
            6 * result->points[0].latency.mean);
}

enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error)
{
    enum anl_status status = paper_write(directory, "points.csv", write_points, results, error);
    if (!status)
        status = paper_write(directory, "saturation.csv", write_saturations, results, error);
    for (size_t i = 0; !status && i < results->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "case%zu", i + 1);
        status = paper_draw(directory, name, write_curve, &results->of[i], error);
    }
    return status;
}
