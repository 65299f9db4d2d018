// SPDX-License-Identifier: Apache-2.0
//
// Scenarios: network, switch, traffic and run in one text. Keys, ranges, defaults:
// docs/scenario.md.

#ifndef ANNELID_SCENARIO_H
#define ANNELID_SCENARIO_H

#include <annelid/workload.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_run_config {
    uint64_t seed;
    uint64_t cycles;
    uint64_t warmup_cycles;
    uint64_t max_cycles;
};

struct anl_scenario {
    struct anl_config network;
    struct anl_traffic_config traffic;
    struct anl_run_config run;
    struct anl_message *messages;  // replay only, owned by the scenario
    size_t num_messages;
    char *text;  // the file as read, terminated; owned by the scenario
    size_t text_bytes;
};

// Reads a scenario file (and its message file). On failure *error says file, line, what was
// expected; *scenario is then empty. On success give it to anl_scenario_free().
enum anl_status anl_scenario_load(const char *path, struct anl_scenario *scenario,
                                  struct anl_error *error);

// The same from memory; name is used in messages, directory resolves the message file ("" = current
// directory; NULL: a message file is not opened and replay gets no messages, for traces that are
// only judged).
enum anl_status anl_scenario_parse(const char *text, size_t bytes, const char *name,
                                   const char *directory, struct anl_scenario *scenario,
                                   struct anl_error *error);

// Like anl_scenario_load(), with settings "section.key=value" that stand for, or are added to, what
// the file says (a list is written 1,2,8); of two for one key the last holds. The text of the
// scenario is then rewritten so that it alone gives the same run.
enum anl_status anl_scenario_load_with(const char *path, const char *const *settings,
                                       size_t num_settings, struct anl_scenario *scenario,
                                       struct anl_error *error);

// What decides the traffic of the scenario; it points into *scenario.
struct anl_workload anl_scenario_workload(const struct anl_scenario *scenario);

// scenario may be empty (all zero).
void anl_scenario_free(struct anl_scenario *scenario);

// One key of scenario files, for people; all strings are constant but range.
struct anl_scenario_key {
    const char *section, *name;
    char range[256];       // type and range: "1..8", "mesh, torus, …"
    const char *fallback;  // what holds if the key is not given, or "required"
    const char *meaning;
};

// Describes key index, in the order of docs/scenario.md; false if there are no more.
bool anl_scenario_key(size_t index, struct anl_scenario_key *key);

#ifdef __cplusplus
}
#endif

#endif
