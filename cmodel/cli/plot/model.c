// SPDX-License-Identifier: Apache-2.0
//
// The model's curves beside those that were measured (docs/predict.md).

#include "plot.h"

#include <math.h>
#include <stdlib.h>

static enum anl_status predict_curve(const struct plot_curve *at, const char *path,
                                     struct anl_predictor *predictor, struct anl_error *error)
{
    const struct sweep_points *points = &at->file->points;
    char settings[SWEEP_MAX_KEYS][SWEEP_SETTING_BYTES];
    const char *list[SWEEP_MAX_KEYS];
    struct anl_scenario scenario;
    for (size_t i = 0; i < points->num_keys; i++) {
        list[i] = settings[i];
        if (!sweep_setting(settings[i], points->keys[i], at->curve->values[i]))
            return anl_fail(error, ANL_ERR_ARGUMENT, at->file->path, 0, "%s: a value is too long",
                            points->keys[i]);
    }
    enum anl_status status = anl_scenario_load_with(path, list, points->num_keys, &scenario, error);
    if (status) return status;
    status = anl_predictor_create(&scenario, predictor, error);
    if (status) cli_name_file(error, path);
    anl_scenario_free(&scenario);
    return status;
}

enum anl_status plot_predict(struct plot_sweep *sweep, const char *scenario,
                             struct anl_error *error)
{
    size_t curves = 0;
    for (size_t f = 0; f < sweep->num_files; f++)
        curves += sweep->files[f].points.num_curves;
    sweep->predictors = calloc(curves + 1, sizeof *sweep->predictors);
    if (!sweep->predictors) return cli_fail(ANL_ERR_MEMORY, error);
    enum anl_status status = ANL_OK;
    for (struct plot_curve at = {0}; !status && plot_next_curve(sweep, &at);)
        status = predict_curve(&at, scenario, &sweep->predictors[sweep->num_predictors++], error);
    return status;
}

void plot_predict_free(struct plot_sweep *sweep)
{
    for (size_t i = 0; i < sweep->num_predictors; i++)
        anl_predictor_free(&sweep->predictors[i]);
    free(sweep->predictors);
}

void plot_model_points(FILE *script, const struct anl_predictor *predictor, double right,
                       double top)
{
    enum { POINTS = 200 };
    const double end = fmin(right, predictor->saturation);
    for (int i = 0; i <= POINTS; i++) {
        struct anl_prediction prediction;
        const double load = end * i / POINTS;
        if (anl_predictor_at(predictor, load, &prediction) || prediction.saturated) break;
        fprintf(script, "%.6g %.6g\n", load, prediction.latency);
        if (prediction.latency > top) break;
    }
}
