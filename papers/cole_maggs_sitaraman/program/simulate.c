// SPDX-License-Identifier: Apache-2.0
//
// Instances on the golden model. The scenarios stay in the directory of the results, for the model
// and for the RTL.

#include "cole_maggs_sitaraman.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

// What is written, with the error of writing.
struct writing {
    const struct anl_instance *instance;
    const struct anl_instance_scenario *how;
    struct anl_error *error;
    enum anl_status status;
};

static void write_scenario(const void *user, FILE *out)
{
    struct writing *writing = *(struct writing *const *)user;
    writing->status =
        anl_instance_write_scenario(out, writing->instance, writing->how, writing->error);
}

static void write_messages(const void *user, FILE *out)
{
    struct writing *writing = *(struct writing *const *)user;
    writing->status =
        anl_instance_write_messages(out, writing->instance, writing->how, writing->error);
}

static enum anl_status write_files(const struct anl_instance *instance,
                                   const struct how_to_run *how, struct anl_error *error)
{
    char scenario[128], messages[128];
    snprintf(scenario, sizeof scenario, "%s.yaml", how->name);
    snprintf(messages, sizeof messages, "%s.txt", how->name);
    // The paper's lanes have one flit and are wide; lanes of two flits go at full rate on a shared
    // link, where credits are registered.
    const bool wide = how->link == LINK_WIDE;
    const char *shared = how->stored ? ", flow_control: store_and_forward" : "";
    const struct anl_instance_scenario what = {
        .num_vcs = how->lanes,
        .depth = how->depth ? how->depth
                 : wide     ? 1
                            : 2,
        .more = wide ? ", link: wide, credits: bypass, arbiter: fixed" : shared,
        .messages = messages,
        .length = how->length,
        .length_in_head = how->stored,
        .starts = how->starts};
    struct writing writing = {instance, &what, error, ANL_OK}, *user = &writing;
    enum anl_status status = paper_write(how->directory, messages, write_messages, &user, error);
    if (!status) status = writing.status;
    if (!status) status = paper_write(how->directory, scenario, write_scenario, &user, error);
    return status ? status : writing.status;
}

// Is called after every cycle. A worm that is never blocked takes as many cycles as it has links,
// the injection and the ejection link among them, and flits behind the first one.
static bool note_delivered(void *user, const struct anl_engine *engine)
{
    struct run *run = user;
    size_t count;
    const struct anl_worm *worms = anl_engine_delivered(engine, &count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t alone = worms[i].route_length + 1u + worms[i].length - 1u;
        run->blocked += anl_engine_cycle(engine) - worms[i].created != alone;
        if (run->delivered) run->delivered[worms[i].id] = anl_engine_cycle(engine);
    }
    return !cli_interrupted();
}

static enum anl_status run_scenario(const struct anl_scenario *scenario, struct run *run,
                                    struct anl_error *error)
{
    const struct anl_run_options options = {
        .progress_cycles = 1, .progress = note_delivered, .user = run};
    struct anl_run_result result;
    const enum anl_status status = anl_run(scenario, &options, &result, error);
    if (status) return status;
    run->complete = result.end == ANL_RUN_COMPLETE;
    run->steps = result.cycles - 2;  // the injection link and the ejection link, a cycle each
    return ANL_OK;
}

enum anl_status simulate(const struct anl_instance *instance, const struct how_to_run *how,
                         struct run *run, struct anl_error *error)
{
    char path[PATH_BYTES];
    struct anl_scenario scenario;
    *run = (struct run){.delivered = how->delivered};
    snprintf(path, sizeof path, "%s/%s.yaml", how->directory, how->name);
    enum anl_status status = write_files(instance, how, error);
    if (!status) status = anl_scenario_load(path, &scenario, error);
    if (status) cli_name_file(error, path);
    if (status) return status;
    status = run_scenario(&scenario, run, error);
    anl_scenario_free(&scenario);
    return status;
}
