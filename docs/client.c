// SPDX-License-Identifier: Apache-2.0
//
// A program with libannelid: runs a scenario on the golden model and prints what came of it.
// usage: client SCENARIO
//
//   cc -o client client.c $(pkg-config --cflags --libs annelid)

#include <annelid/annelid.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#if ANL_VERSION_NUMBER < 100
#error "this program needs Annelid 0.1.0 or newer"
#endif

static int complain(const struct anl_error *error)
{
    fprintf(stderr, "client: %s", error->file);
    if (error->line) fprintf(stderr, ":%" PRIu64, error->line);
    fprintf(stderr, ": %s\n", error->text);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: client SCENARIO\n", stderr);
        return 2;
    }
    struct anl_scenario scenario;
    struct anl_error error = {0};
    if (anl_scenario_load(argv[1], &scenario, &error)) return complain(&error);

    struct anl_latencies latencies = {0};
    const struct anl_run_options options = {
        .digest = true, .referee = true, .latencies = &latencies};
    struct anl_run_result result;
    const enum anl_status status = anl_run(&scenario, &options, &result, &error);
    anl_scenario_free(&scenario);
    if (status) free(latencies.count);
    if (status) return complain(&error);
    // The same lines as `annelid run --digest --referee SCENARIO`, and one number of its own.
    char text[ANL_RUN_LINE_BYTES];
    for (enum anl_run_line line = ANL_LINE_END; line < ANL_RUN_LINES; line++)
        if (line != ANL_LINE_SPEED && anl_run_line(&result, line, text, sizeof text)) puts(text);
    printf("90 %%        %" PRIu64 " cycles\n", anl_latencies_quantile(&latencies, 0.9));
    free(latencies.count);
    return result.end != ANL_RUN_COMPLETE || result.violation.rule;
}
