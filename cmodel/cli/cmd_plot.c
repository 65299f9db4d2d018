// SPDX-License-Identifier: Apache-2.0
//
// annelid plot: draws curves or a report of what sweeps measured, or a picture of one run.

#include "plot/plot.h"
#include "shared/drawing.h"

#include <annelid/layout.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The pictures: first the curves of plot/plot.h, then those of a run.
enum what {
    WHAT_LATENCY = PLOT_LATENCY,
    WHAT_THROUGHPUT = PLOT_THROUGHPUT,
    WHAT_PERCENTILES = PLOT_PERCENTILES,
    WHAT_HISTOGRAM,
    WHAT_LINKS,
    NUM_WHATS
};
static const char *const whats[NUM_WHATS] = {"latency", "throughput", "percentiles", "histogram",
                                             "links"};

enum { MAX_INPUTS = 16 };

struct arguments {
    struct cli_given given;
    const char *output, *title, *scenario, *what_name;
    enum what what;
    enum cli_form form;
    bool is_sweep, predict;
};

#define AT(member) CLI_AT(struct arguments, member)

static const struct cli_option options[] = {
    {"output", 'o', "FILE",
     "Where to draw: FILE.svg, FILE.png, FILE.pdf, FILE.gnuplot (the script with its data), or "
     "FILE.html (a "
     "report of one or more CSV files)",
     AT(output), .output = true, .aside = true},
    {"what", 0, "latency|throughput|percentiles|histogram|links",
     "Of CSV files: latency (if not given), throughput, percentiles; of a scenario: histogram (if "
     "not given), links",
     AT(what_name)},
    {"title", 0, "TEXT", "Title of the picture (the name of the input)", AT(title)},
    {"scenario", 0, "FILE",
     "Scenario of the sweep, for the report to tell of it, and for --predict", AT(scenario),
     .input = true},
    {"predict", 0, NULL, "Draw what the model says beside latencies (docs/predict.md)",
     AT(predict)},
    {0},
};

static enum what what_of(const struct arguments *arguments, struct argp_state *state)
{
    if (!arguments->what_name) return arguments->is_sweep ? WHAT_LATENCY : WHAT_HISTOGRAM;
    for (enum what what = 0; what < NUM_WHATS; what++) {
        if (strcmp(arguments->what_name, whats[what]) != 0) continue;
        if (arguments->is_sweep && what >= WHAT_HISTOGRAM)
            argp_error(state, "%s is drawn of a scenario, not of a CSV file", whats[what]);
        if (!arguments->is_sweep && what < WHAT_HISTOGRAM)
            argp_error(state, "%s is drawn of the CSV files of sweeps (FILE.csv)", whats[what]);
        return what;
    }
    argp_error(state, "'%s' is none of latency, throughput, percentiles, histogram and links",
               arguments->what_name);
    return NUM_WHATS;
}

// Returns whether the first row of a text has the names that those of sweeps have.
static bool has_names_of_sweep(char *text)
{
    struct csv csv = {.file = "", .at = text, .line = 1};
    enum anl_status status = ANL_OK;
    struct anl_error error;
    if (!csv_next(&csv, &status, &error)) return false;
    size_t at = 0;
    while (at < csv.num_fields && strcmp(csv.fields[at], "load") != 0)
        at++;
    return at + 1 < csv.num_fields && strcmp(csv.fields[at + 1], "seed") == 0;
}

// Of a name that does not say what the file is, such as that of standard input, the content does.
static bool is_csv(const char *path)
{
    struct stat there;
    struct anl_error error;
    char *text = NULL;
    bool found = strcmp(path, "-") == 0 || (stat(path, &there) == 0 && S_ISREG(there.st_mode));
    if (cli_ends_in(path, ".csv")) return true;
    found = found && !csv_text(path, &text, &error) && has_names_of_sweep(text);
    free(text);
    return found;
}

static void check_sweep(const struct arguments *arguments, struct argp_state *state)
{
    for (size_t i = 0; i < arguments->given.num_inputs; i++)
        if (!is_csv(arguments->given.inputs[i]))
            argp_error(state, "CSV files or one scenario, please, not both");
    if (arguments->given.num_settings)
        argp_error(state, "--set, --seed, --cycles and --load are for scenarios; the runs of a CSV "
                          "file are over");
    if (arguments->form == FORM_HTML && arguments->what_name)
        argp_error(state, "a report shows all curves: no --what");
    if (arguments->form != FORM_HTML && arguments->scenario && !arguments->predict)
        argp_error(state, "--scenario is for reports (.html) and --predict");
    if (arguments->predict && !arguments->scenario)
        argp_error(state, "--predict needs the scenario of the sweep: --scenario FILE");
    if (arguments->predict && arguments->what != WHAT_LATENCY)
        argp_error(state, "--predict is about latency");
}

static void check_run(const struct arguments *arguments, struct argp_state *state)
{
    if (arguments->given.num_inputs > 1) argp_error(state, "one scenario, please");
    if (arguments->form == FORM_HTML)
        argp_error(state, "reports (.html) are made of the CSV files of sweeps (FILE.csv)");
    if (arguments->what == WHAT_LINKS && arguments->form == FORM_GNUPLOT)
        argp_error(state, "gnuplot does not draw links; ask for .svg, .png or .pdf");
    if (arguments->scenario) argp_error(state, "--scenario is for reports (.html) and --predict");
    if (arguments->predict)
        argp_error(state, "--predict is for the CSV files of sweeps (FILE.csv)");
}

static void check(void *user, struct argp_state *state)
{
    struct arguments *arguments = user;
    if (arguments->given.num_inputs > MAX_INPUTS)
        argp_error(state, "at most %d files in one picture", MAX_INPUTS);
    if (!arguments->output) argp_error(state, "where to draw is missing: -o FILE");
    arguments->form = cli_form_of(arguments->output, true, state);
    arguments->is_sweep = is_csv(arguments->given.inputs[0]);
    arguments->what = what_of(arguments, state);
    (arguments->is_sweep ? check_sweep : check_run)(arguments, state);
}

static const char *title_of(const struct arguments *arguments)
{
    return arguments->title ? arguments->title : basename(arguments->given.inputs[0]);
}

// --- pictures ---

// A picture that put() writes as SVG, PNG or PDF: of a run or of a sweep, the other is NULL.
struct picture {
    enum anl_status (*put)(FILE *svg, const void *picture, struct anl_error *error);
    const struct arguments *arguments;
    const struct plot_run *run;
    const struct plot_sweep *sweep;
};

static void put_script(const void *user, FILE *script)
{
    const struct picture *picture = user;
    if (picture->run)
        plot_histogram(script, picture->run);
    else
        plot_curves(script, picture->sweep, (enum plot_curves)picture->arguments->what);
}

static enum anl_status put_gnuplot(FILE *svg, const void *user, struct anl_error *error)
{
    const struct picture *picture = user;
    const struct arguments *arguments = picture->arguments;
    const struct plot_drawing drawing = {
        .name = whats[arguments->what],
        .title = title_of(arguments),
        .gnuplot = {.script = put_script, .user = picture, .path = arguments->output}};
    return plot_gnuplot(&drawing, svg, error);
}

static enum anl_status put_links(FILE *svg, const void *user, struct anl_error *error)
{
    return plot_links(svg, ((const struct picture *)user)->run, error);
}

static enum anl_status put(FILE *out, const struct picture *picture, struct anl_error *error)
{
    const struct arguments *arguments = picture->arguments;
    if (arguments->form == FORM_GNUPLOT) {
        put_script(picture, out);
        return ANL_OK;
    }
    const struct draw_sheet sheet = {
        .out = out, .form = arguments->form, .path = arguments->output, .put = picture->put};
    return draw_form(&sheet, picture, error);
}

// --- pictures of a run ---

static enum anl_status check_measured(const struct arguments *arguments, const struct plot_run *run,
                                      struct anl_error *error)
{
    if (arguments->what == WHAT_HISTOGRAM && run->result.measured == 0)
        return anl_fail(error, ANL_ERR_ARGUMENT, arguments->given.inputs[0], 0,
                        "no worm was measured: none was delivered that was created after the "
                        "warm-up");
    if (arguments->what == WHAT_LINKS && run->cycles == 0)
        return anl_fail(error, ANL_ERR_ARGUMENT, arguments->given.inputs[0], 0,
                        "no cycle was measured: the run was over before its warm-up");
    return ANL_OK;
}

// Returns how many cycles were measured: in an open loop, those in which worms are created
// (annelid/run.h).
static uint64_t cycles_measured(const struct anl_scenario *scenario,
                                const struct anl_run_result *result)
{
    const struct anl_run_config *run = &scenario->run;
    const bool open = anl_process_is_open_loop(scenario->traffic.process);
    const uint64_t end = open && run->cycles < result->cycles ? run->cycles : result->cycles;
    return end > run->warmup_cycles ? end - run->warmup_cycles : 0;
}

// Runs the scenario and draws what was counted.
static enum anl_status run_and_put(FILE *out, const struct arguments *arguments,
                                   struct plot_run *run, struct anl_error *error)
{
    struct running_view view = {.progress = {.what = "running"}, .scenario = run->scenario};
    const struct anl_run_options how = {.latencies = &run->latencies,
                                        .link_flits = run->link_flits,
                                        .progress_cycles =
                                            running_cycles_between_looks(run->scenario),
                                        .progress = running_look,
                                        .user = &view};
    enum anl_status status = anl_run(run->scenario, &how, &run->result, error);
    cli_progress_end(&view.progress);
    if (status) return status;
    run->cycles = cycles_measured(run->scenario, &run->result);
    status = check_measured(arguments, run, error);
    const struct picture picture = {.put = arguments->what == WHAT_LINKS ? put_links : put_gnuplot,
                                    .arguments = arguments,
                                    .run = run};
    return status ? status : put(out, &picture, error);
}

// Refuses what can be known to be impossible before the run.
static enum anl_status check_scenario(const struct arguments *arguments,
                                      const struct anl_scenario *scenario, struct anl_error *error)
{
    const bool open = anl_process_is_open_loop(scenario->traffic.process);
    const uint64_t end = open ? scenario->run.cycles : scenario->run.max_cycles;
    if (scenario->run.warmup_cycles >= end)
        return anl_fail(error, ANL_ERR_ARGUMENT, arguments->given.inputs[0], 0,
                        "nothing would be measured: all %" PRIu64
                        " cycles are warm-up (run.warmup_cycles)",
                        end);
    if (arguments->what == WHAT_LINKS) return anl_layout_check(&scenario->network, error);
    return ANL_OK;
}

static enum anl_status plot_scenario(FILE *out, const struct arguments *arguments,
                                     struct anl_error *error)
{
    struct anl_scenario scenario;
    enum anl_status status =
        cli_read_scenario(arguments->given.inputs[0], &arguments->given, &scenario, error);
    if (!status) status = cli_expect_buffered(&scenario.network, arguments->given.inputs[0], error);
    if (!status) status = check_scenario(arguments, &scenario, error);
    if (status) {
        anl_scenario_free(&scenario);
        return status;
    }
    struct plot_run run = {.title = title_of(arguments), .scenario = &scenario};
    if (arguments->what == WHAT_LINKS)
        run.link_flits = calloc(anl_shape_of(&scenario.network).links, sizeof *run.link_flits);
    if (arguments->what == WHAT_LINKS && !run.link_flits)
        status = cli_fail(ANL_ERR_MEMORY, error);
    else
        status = run_and_put(out, arguments, &run, error);
    free(run.link_flits);
    free(run.latencies.count);
    anl_scenario_free(&scenario);
    return status;
}

// --- pictures of a sweep ---

static enum anl_status put_report(FILE *out, const struct arguments *arguments,
                                  const struct plot_sweep *sweep, struct anl_error *error)
{
    struct anl_scenario scenario = {0};
    enum anl_status status = ANL_OK;
    if (arguments->scenario) status = anl_scenario_load(arguments->scenario, &scenario, error);
    const struct plot_report report = {.sweep = sweep,
                                       .command = arguments->given.words,
                                       .num_words = arguments->given.num_words,
                                       .path = arguments->output,
                                       .scenario_path = arguments->scenario,
                                       .scenario = &scenario};
    if (!status) status = plot_report(out, &report, error);
    anl_scenario_free(&scenario);
    return status;
}

static enum anl_status plot_csv(FILE *out, const struct arguments *arguments,
                                struct anl_error *error)
{
    struct plot_file files[MAX_INPUTS] = {0};
    struct plot_sweep sweep = {title_of(arguments), files, arguments->given.num_inputs, NULL, 0};
    const struct picture picture = {.put = put_gnuplot, .arguments = arguments, .sweep = &sweep};
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < arguments->given.num_inputs && !status; i++) {
        files[i].path = arguments->given.inputs[i];
        status = sweep_points_read(files[i].path, &files[i].points, error);
        if (!status && arguments->form == FORM_HTML)
            status =
                sweep_saturation_read(files[i].path, &files[i].points, &files[i].searched, error);
    }
    if (!status && arguments->predict) status = plot_predict(&sweep, arguments->scenario, error);
    if (!status && arguments->form != FORM_HTML)
        status = plot_curves_check(&sweep, (enum plot_curves)arguments->what, error);
    if (!status)
        status = arguments->form == FORM_HTML ? put_report(out, arguments, &sweep, error)
                                              : put(out, &picture, error);
    plot_predict_free(&sweep);
    for (size_t i = 0; i < arguments->given.num_inputs; i++) {
        sweep_points_free(&files[i].points);
        sweep_saturation_record_free(&files[i].searched);
    }
    return status;
}

// --- the command ---

// Checks that the programs that are needed can be run, before the run, which may take long.
static enum anl_status check_tools(const struct arguments *arguments, struct anl_error *error)
{
    enum anl_status status = draw_form_check(arguments->form, arguments->output, error);
    if (!status && arguments->what != WHAT_LINKS && arguments->form != FORM_GNUPLOT)
        status = gnuplot_check(arguments->output, error);
    return status;
}

static enum anl_status check_twice(const struct arguments *arguments, struct anl_error *error)
{
    struct stat files[MAX_INPUTS] = {0};
    for (size_t i = 0; i < arguments->given.num_inputs; i++) {
        if (stat(arguments->given.inputs[i], &files[i]))
            return ANL_OK;  // reading this file will say why
        for (size_t j = 0; j < i; j++)
            if (files[i].st_dev == files[j].st_dev && files[i].st_ino == files[j].st_ino)
                return anl_fail(error, ANL_ERR_ARGUMENT, arguments->given.inputs[i], 0,
                                "the same file as %s", arguments->given.inputs[j]);
    }
    return ANL_OK;
}

static int plot(const struct arguments *arguments)
{
    struct anl_output output = {0};
    struct anl_error error = {0};
    enum anl_status status = check_tools(arguments, &error);
    if (!status) status = check_twice(arguments, &error);
    if (!status) status = anl_output_open(arguments->output, &output, &error);
    if (!status)
        status = (arguments->is_sweep ? plot_csv : plot_scenario)(output.file, arguments, &error);
    if (!status) status = anl_output_finish(&output, &error);
    anl_output_abandon(&output);
    return status ? cli_complain(&error) : CLI_OK;
}

int cmd_plot(int argc, char **argv)
{
    static const struct cli_inputs inputs = {"FILE.csv...|SCENARIO", .least = 1, .most = SIZE_MAX,
                                             .too_few = "a CSV file or a scenario is missing",
                                             .settings = "Scenarios only:"};
    static const struct cli_command command = {
        .inputs = &inputs,
        .options = options,
        .check = check,
        .help = "Draws what was measured (docs/plot.md): of the CSV files of sweeps curves over "
                "the load, or a report; of a scenario, which is run, its latencies or its links.\v"
                "Exit status: 0 done, 2 bad usage or bad input."};
    struct arguments arguments = {0};
    cli_parse(&command, argc, argv, &arguments);
    return plot(&arguments);
}
