// SPDX-License-Identifier: Apache-2.0
//
// annelid predict: predicts latency and saturation of a scenario without a run, or beside runs
// (docs/predict.md).

#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    struct cli_given given;
    struct sweep_list loads, seeds;
    bool compare, json;
    unsigned workers;
};

#define AT(member) CLI_AT(struct arguments, member)

static const struct cli_option options[] = {
    {"loads", 0, "LIST",
     "Flits per terminal and cycle: loads and ranges FROM:TO:STEP, separated by commas (without: "
     "the scenario's load)",
     AT(loads), .read = sweep_read_loads},
    {"compare", 0, NULL,
     "Also run the scenario at each load, and print the error of the prediction", AT(compare)},
    {"seeds", 0, "LIST", "Of --compare; N: 1 to N (3); or seeds and ranges A-B", AT(seeds),
     .read = sweep_read_seeds},
    {"workers", 'w', "N", "Threads of --compare (without: as many as there are cores)", AT(workers),
     .least = 1, .most = SWEEP_MOST_WORKERS},
    {"json", 0, NULL, "Print the result as one JSON object", AT(json)},
    {0},
};

// The answer for a load.
struct point {
    double load;
    struct anl_prediction prediction;
    uint32_t validated;     // percent; 0: extrapolated
    struct sample latency;  // of the runs; without --compare there are none
    bool steady;            // all runs were
};

struct answer {
    const struct arguments *arguments;
    const struct sweep_variant *variant;
    struct anl_predictor predictor;
    struct point *points;    // [variant->loads.count]
    struct sweep_run *runs;  // [variant->loads.count * seeds]
};

// --- predictions and runs ---

static enum anl_status predict(struct answer *answer, struct anl_error *error)
{
    const struct sweep_list *loads = &answer->variant->loads;
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < loads->count && !status; i++) {
        struct point *point = &answer->points[i];
        point->load = sweep_load_number(loads->values[i]);
        point->latency = sample_of(NULL, 0);
        point->validated = anl_predict_validated(&answer->variant->scenario,
                                                 point->load / answer->predictor.saturation);
        status =
            cli_fail(anl_predictor_at(&answer->predictor, point->load, &point->prediction), error);
    }
    return status;
}

static enum anl_status run_one(void *user, size_t task, struct pool_worker *worker,
                               struct anl_error *error)
{
    const struct answer *answer = user;
    const struct sweep_list *seeds = &answer->arguments->seeds;
    const struct sweep_job job = {.variant = &answer->variant->scenario,
                                  .load = answer->points[task / seeds->count].load,
                                  .seed = seeds->values[task % seeds->count]};
    return sweep_measure(&job, 1, worker, &answer->runs[task], error);
}

static void gather(struct answer *answer, double *values)
{
    const size_t seeds = answer->arguments->seeds.count;
    for (size_t i = 0; i < answer->variant->loads.count; i++) {
        struct point *point = &answer->points[i];
        size_t count = 0;
        point->steady = true;
        for (size_t j = 0; j < seeds; j++) {
            const struct sweep_run *run = &answer->runs[i * seeds + j];
            point->steady &= run->state == SWEEP_STEADY;
            if (!isnan(run->latency)) values[count++] = run->latency;
        }
        point->latency = sample_of(values, count);
    }
}

static enum anl_status compare(struct answer *answer, struct anl_error *error)
{
    const size_t seeds = answer->arguments->seeds.count,
                 tasks = answer->variant->loads.count * seeds;
    const struct pool_work work = {.what = "running",
                                   .unit = "runs",
                                   .tasks = tasks,
                                   .workers = answer->arguments->workers,
                                   .run = run_one,
                                   .user = answer};
    double *values = calloc(seeds, sizeof *values);
    answer->runs = calloc(tasks, sizeof *answer->runs);
    if (!values || !answer->runs) {
        free(values);
        return cli_fail(ANL_ERR_MEMORY, error);
    }
    const enum anl_status status = pool_run(&work, error);
    if (!status) gather(answer, values);
    free(values);
    return status;
}

// --- words ---

// Returns the error of the prediction in percent; NAN: there is none.
static double error_of(const struct point *point)
{
    if (point->prediction.saturated) return NAN;
    return 100 * (point->prediction.latency / point->latency.mean - 1);
}

// Writes the name of a tier, that of links between switches as anl_link_tier_name() does.
static void name_tier(const struct answer *answer, uint32_t tier, char *text, size_t size)
{
    const struct anl_config *network = &answer->variant->scenario.network;
    if (tier == ANL_TIER_INJECTION)
        snprintf(text, size, "injection");
    else if (tier == ANL_TIER_EJECTION)
        snprintf(text, size, "ejection");
    else
        anl_link_tier_name(network, tier, text, size);
}

static void write_trust(uint32_t validated, char *text, size_t size)
{
    if (validated)
        snprintf(text, size, "validated within %u %%", validated);
    else
        snprintf(text, size, "extrapolated");
}

static void write_status(const struct point *point, char *text, size_t size)
{
    if (point->prediction.saturated)
        snprintf(text, size, "saturated");
    else
        write_trust(point->validated, text, size);
}

// Returns the name of the link that is nearest to its capacity; in the class form that of its
// tier.
static struct cli_name name_nearest(const struct answer *answer, uint32_t class_)
{
    const struct anl_channel_class *nearest = &answer->predictor.rates.classes[class_];
    struct cli_name name;
    if (nearest->link != ANL_NO_PORT)
        return cli_link_name(&answer->variant->scenario.network, nearest->link);
    name_tier(answer, nearest->tier, name.text, sizeof name.text);
    return name;
}

static bool has_tier(const struct answer *answer, uint32_t tier)
{
    return tier < answer->predictor.rates.tiers || tier >= ANL_MAX_TIERS;
}

// --- text ---

static void print_head(const struct answer *answer)
{
    const struct anl_predictor *predictor = &answer->predictor;
    const enum anl_topology topology = answer->variant->scenario.network.topology;
    printf("model       %s, %u channel classes; a reconstruction of the model of Draper and Ghosh "
           "(docs/predict.md)\n",
           predictor->form == ANL_FORM_ROUTES ? "all routes walked" : "class form",
           predictor->rates.num_classes);
    char trust[64];
    write_trust(anl_predict_validated_saturation(&answer->variant->scenario), trust, sizeof trust);
    printf("saturation  %.4f predicted, %s\n", predictor->saturation, trust);
    printf("ceiling     %.4f, where the busiest link is full", predictor->channel_bound);
    if (isfinite(predictor->bisection_bound))
        printf("; %.4f, where the links %s are", predictor->bisection_bound, anl_halves(topology));
    putchar('\n');
}

static void print_latencies(const struct answer *answer)
{
    const bool runs = answer->arguments->compare;
    struct table table = {.align = runs ? "rrrrl" : "rrl"};
    table_row(&table, runs ? "load\tpredicted\tmeasured\terror\tstatus" : "load\tlatency\tstatus");
    for (size_t i = 0; i < answer->variant->loads.count; i++) {
        const struct point *point = &answer->points[i];
        char status[64], measured[SWEEP_MEAN_BYTES];
        table_add(&table, "%g", point->load);
        if (point->prediction.saturated)
            table_add(&table, "-");
        else
            table_add(&table, "%.2f", point->prediction.latency);
        sweep_mean_words(point->latency, 2, measured, sizeof measured);
        if (runs) table_add(&table, "%s", *measured ? measured : "-");
        if (runs && isnan(error_of(point))) table_add(&table, "-");
        if (runs && !isnan(error_of(point))) table_add(&table, "%+.1f %%", error_of(point));
        write_status(point, status, sizeof status);
        table_add(&table, "%s%s", status, runs && !point->steady ? ", not steady" : "");
    }
    table_print(&table, 0);
}

// Prints the parts of a latency, and how busy links are.
static void print_parts(const struct answer *answer, const struct point *point)
{
    const struct anl_prediction *prediction = &point->prediction;
    struct table table = {.align = "lrrr"};
    printf("\nload %g: %.2f cycles, nearest to capacity is %s\n", point->load, prediction->latency,
           name_nearest(answer, prediction->at).text);
    table_row(&table, "\twait\tmean use\tmost");
    for (uint32_t tier = 0; tier < ANL_NUM_TIERS; tier++) {
        char name[32];
        if (!has_tier(answer, tier)) continue;
        name_tier(answer, tier, name, sizeof name);
        const bool source = tier == ANL_TIER_INJECTION;
        table_row(&table, "%s\t%.2f\t%.4f\t%.4f", name,
                  source ? prediction->source_wait : prediction->wait[tier],
                  prediction->mean_use[tier], prediction->most_use[tier]);
    }
    table_row(&table, "shared links\t%.2f\t\t", prediction->sharing);
    table_row(&table, "transfer\t%.2f\t\t", prediction->transfer);
    table_print(&table, 2);
}

static void print_text(const struct answer *answer)
{
    print_head(answer);
    print_latencies(answer);
    for (size_t i = 0; i < answer->variant->loads.count; i++)
        if (!answer->points[i].prediction.saturated) print_parts(answer, &answer->points[i]);
}

// --- JSON ---

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *tiers_object(const struct answer *answer, const struct anl_prediction *prediction)
{
    json_t *tiers = json_object();
    for (uint32_t tier = 0; tier < ANL_NUM_TIERS; tier++) {
        char name[32];
        if (!has_tier(answer, tier)) continue;
        name_tier(answer, tier, name, sizeof name);
        const bool source = tier == ANL_TIER_INJECTION;
        json_object_set_new(tiers, name,
                            json_pack("{s:f, s:f, s:f}", "wait",
                                      source ? prediction->source_wait : prediction->wait[tier],
                                      "mean_use", prediction->mean_use[tier], "most_use",
                                      prediction->most_use[tier]));
    }
    return tiers;
}

static json_t *point_object(const struct answer *answer, const struct point *point)
{
    const struct anl_prediction *prediction = &point->prediction;
    const bool solved = !prediction->saturated, runs = answer->arguments->compare;
    char status[64];
    write_status(point, status, sizeof status);
    return json_pack("{s:f, s:b, s:s, s:s, s:o?, s:o?, s:o?, s:o?, s:o?, s:o?, s:o?, s:o?}", "load",
                     point->load, "saturated", prediction->saturated, "status", status, "nearest",
                     name_nearest(answer, prediction->at).text, "validated_percent",
                     solved && point->validated ? cli_integer(point->validated) : NULL, "latency",
                     solved ? json_real(prediction->latency) : NULL, "transfer",
                     solved ? json_real(prediction->transfer) : NULL, "sharing",
                     solved ? json_real(prediction->sharing) : NULL, "tiers",
                     solved ? tiers_object(answer, prediction) : NULL, "measured",
                     runs ? number_or_null(point->latency.mean) : NULL, "half_width",
                     runs ? number_or_null(point->latency.half_width) : NULL, "error_percent",
                     runs ? number_or_null(error_of(point)) : NULL);
}

static int print_json(const struct answer *answer)
{
    const struct anl_predictor *predictor = &answer->predictor;
    json_t *points = json_array();
    for (size_t i = 0; i < answer->variant->loads.count; i++)
        json_array_append_new(points, point_object(answer, &answer->points[i]));
    char trust[64];
    write_trust(anl_predict_validated_saturation(&answer->variant->scenario), trust, sizeof trust);
    return cli_print_json(json_pack("{s:s, s:o, s:f, s:s, s:f, s:o, s:o}", "form",
                                    predictor->form == ANL_FORM_ROUTES ? "routes" : "classes",
                                    "classes", cli_integer(predictor->rates.num_classes),
                                    "saturation", predictor->saturation, "saturation_status", trust,
                                    "channel_bound", predictor->channel_bound, "bisection_bound",
                                    number_or_null(predictor->bisection_bound), "points", points));
}

// --- the command ---

static enum anl_status make_answer(struct answer *answer, struct anl_error *error)
{
    answer->points = calloc(answer->variant->loads.count, sizeof *answer->points);
    if (!answer->points) return cli_fail(ANL_ERR_MEMORY, error);
    enum anl_status status = predict(answer, error);
    if (!status && answer->arguments->compare) status = compare(answer, error);
    return status;
}

static int answer_question(const struct arguments *arguments, const struct sweep_variant *variant)
{
    struct answer answer = {.arguments = arguments, .variant = variant};
    struct anl_error error = {0};
    enum anl_status status = anl_predictor_create(&variant->scenario, &answer.predictor, &error);
    if (status)
        cli_name_file(&error, arguments->given.inputs[0]);
    else
        status = make_answer(&answer, &error);
    int exit_status = status ? cli_complain(&error) : CLI_OK;
    if (!status && arguments->json) exit_status = print_json(&answer);
    if (!status && !arguments->json) print_text(&answer);
    anl_predictor_free(&answer.predictor);
    free(answer.points);
    free(answer.runs);
    return exit_status;
}

static const struct cli_rule rules[] = {
    {"seeds", .needs = "compare"},
    {"workers", .needs = "compare"},
    {0},
};

static void check(void *user, struct argp_state *state)
{
    const struct arguments *arguments = user;
    if (cli_sets(&arguments->given, "traffic.load") && arguments->loads.count)
        argp_error(state, "--load, or --loads");
    if (cli_sets(&arguments->given, "run.seed") && arguments->compare)
        argp_error(state, "seeds are what --seeds says");
}

int cmd_predict(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &cli_one_scenario,
        .options = options,
        .rules = rules,
        .check = check,
        .help =
            "Predicts latency and saturation of a scenario (docs/scenario.md) without a run, by "
            "a queueing model (docs/predict.md).\v"
            "Exit status: 0 done, 2 bad usage, bad input, or the model does not reach so far."};
    struct arguments arguments = {.workers = pool_cores()};
    struct sweep_variants variants;
    struct anl_error error;
    if (sweep_list_seeds("3", &arguments.seeds, &error)) return cli_complain(&error);
    cli_parse(&command, argc, argv, &arguments);
    const struct sweep_source source = {.path = arguments.given.inputs[0],
                                        .settings = arguments.given.settings,
                                        .num_settings = arguments.given.num_settings,
                                        .loads = arguments.loads.count ? &arguments.loads : NULL};
    const int exit_status = sweep_variants_load(&source, &variants, &error)
                                ? cli_complain(&error)
                                : answer_question(&arguments, &variants.list[0]);
    sweep_variants_free(&variants);
    free(arguments.loads.values);
    free(arguments.seeds.values);
    return exit_status;
}
