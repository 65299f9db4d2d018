// SPDX-License-Identifier: Apache-2.0
//
// Processes that are given the same command run a scenario together, each with a part of the
// network (docs/scale.md).

#include "cli.h"

#include <string.h>
#include <xxhash.h>

static const struct run_together *together;  // NULL: this process is alone

void cli_run_together(const struct run_together *processes) { together = processes; }

const struct anl_team *cli_team(void) { return together ? together->members : NULL; }

bool cli_leads(void) { return !together || together->members->rank == 0; }

enum anl_status cli_agree(enum anl_status status, const struct anl_scenario *scenario,
                          struct anl_error *error)
{
    if (!together) return status;
    struct anl_error others = {0};
    const uint64_t read = status ? 0 : XXH3_64bits(scenario->text, strlen(scenario->text));
    const enum anl_status agreed = together->agree(status, read, &others);
    if (agreed && !status) *error = others;
    return agreed;
}

int cli_follow(const struct cli_given *given)
{
    const struct anl_run_options options = {.team = cli_team()};
    struct anl_run_result result;
    struct anl_scenario scenario;
    struct anl_error error;
    enum anl_status status = anl_scenario_load_with(given->inputs[0], given->settings,
                                                    given->num_settings, &scenario, &error);
    const bool loaded = !status;
    status = cli_agree(status, &scenario, &error);
    if (!status) status = anl_run(&scenario, &options, &result, &error);
    if (loaded) anl_scenario_free(&scenario);
    return status ? CLI_BAD : CLI_OK;
}
