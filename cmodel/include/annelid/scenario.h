// SPDX-License-Identifier: Apache-2.0
//
// Scenarios: network, switch, traffic and run of one simulation in one text. Keys, ranges and
// defaults: docs/scenario.md.

#ifndef ANNELID_SCENARIO_H
#define ANNELID_SCENARIO_H

#include <annelid/workload.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_run_config {
    uint64_t seed;
    uint64_t cycles;
    uint64_t warmup_cycles;  // worms created before this cycle are left out of statistics
    uint64_t max_cycles;     // the run ends at this cycle at the latest
};

// What a head does that finds no free lane.
enum anl_when_blocked { ANL_WAIT = 0, ANL_DROP = 1 };

struct anl_scenario {
    struct anl_config network;
    struct anl_graph *graph;             // topology graph only, network.graph points to it; owned
    struct anl_cube cube;                // topology cube only, as written
    uint32_t num_kinds;                  // of cube.kinds that are written
    uint32_t num_class_weights;          // of network.class_weights that are written
    enum anl_truth unsafe;               // it may be able to deadlock
    enum anl_when_blocked when_blocked;  // drop makes network.kind discarding
    struct anl_traffic_config traffic;
    struct anl_run_config run;
    struct anl_message *messages;  // replay only; owned by the scenario, their routes too
    size_t num_messages;
    struct anl_demand *demand;  // traffic.demand points to it; owned. NULL: none
    char *text;  // the file as read or as rewritten, terminated; owned by the scenario
    size_t text_bytes;
    // The paths of network.graph, switch.table, traffic.messages, traffic.matrix and traffic.rates
    // as they were written; NULL: not given. Owned by the scenario.
    char *graph_path, *table_path, *messages_path, *matrix_path, *rates_path;
    // Names of other programs that were read, for people: "scan as arbiter, oldest_first as
    // age"; NULL: none. Owned by the scenario.
    char *synonyms;
};

// Reads a scenario file and its message file. On success the caller frees *scenario with
// anl_scenario_free(). On failure (ANL_ERR_IO, ANL_ERR_FORMAT, ANL_ERR_ARGUMENT, ANL_ERR_MEMORY)
// *error says file, line and what was expected, and *scenario is empty.
enum anl_status anl_scenario_load(const char *path, struct anl_scenario *scenario,
                                  struct anl_error *error);

// Reads a scenario from memory, like anl_scenario_load(). name stands for the file in messages. The
// path of the message file is relative to directory ("": the current one). If directory is NULL,
// the message file is not opened and replay has no messages; that is enough to check a trace.
enum anl_status anl_scenario_parse(const char *text, size_t bytes, const char *name,
                                   const char *directory, struct anl_scenario *scenario,
                                   struct anl_error *error);

// Reads a scenario file with settings "section.key=value", which replace or complete what the file
// says; a list is written 1,2,8 or [1, 2, 8]. Of two settings of one key the last one holds. The
// text of the scenario is rewritten so that it gives the same run by itself. Errors as for
// anl_scenario_load().
enum anl_status anl_scenario_load_with(const char *path, const char *const *settings,
                                       size_t num_settings, struct anl_scenario *scenario,
                                       struct anl_error *error);

// Writes a graph as a file that a scenario may name (network.graph).
void anl_scenario_write_graph(FILE *stream, const struct anl_graph *graph);

// Returns what decides the traffic of the scenario. It points into *scenario.
struct anl_workload anl_scenario_workload(const struct anl_scenario *scenario);

// Frees what the scenario owns and empties it; it may be empty (all zero).
void anl_scenario_free(struct anl_scenario *scenario);

enum anl_key_kind {
    ANL_KEY_CHOICE,   // one of several names
    ANL_KEY_INTEGER,  // decimal digits
    ANL_KEY_REAL,     // a decimal number
    ANL_KEY_LIST,     // integers or names
    ANL_KEY_PATH      // of a file
};

// One key of scenario files, described for people. All strings but range are constant.
struct anl_scenario_key {
    const char *section, *name;
    enum anl_key_kind kind;
    char range[256];       // type and range: "1..8", "mesh, torus, …"
    const char *fallback;  // the value that holds if the key is not given, or "required"
    const char *meaning;
};

// Describes key number index, in the order of docs/scenario.md; returns false if there is none.
bool anl_scenario_key(size_t index, struct anl_scenario_key *key);

// Writes the name "section.key" of a key that is named so or by a word of others that means just
// the same (docs/scenario.md, "Names of others"); another name is written as it is. Cut at size
// - 1.
void anl_scenario_usual_key(const char *name, char *text, size_t size);
// Returns the word of a value of the key that is written so or by such a word of others; the value
// itself if it is none.
const char *anl_scenario_usual_value(const char *key, const char *value);

// Writes the value that key number index has in the scenario, whether the file gives it or not: a
// name, digits, "[1, 2, 8]", a path as it was written. The text is cut at size - 1 bytes, and "" if
// it cannot be written. Returns false if the key has no meaning in this scenario (radix in a mesh,
// load of a batch), or there is no such key.
bool anl_scenario_setting(const struct anl_scenario *scenario, size_t index, char *text,
                          size_t size);

// Return a hash (XXH3, seeded by `hash`) of all that decides a run: values, whoever gives them,
// graph, messages and demand, but no names of files; of the messages alone; of a demand, which may
// be NULL. The first one, with hash 0, is `scenario_xxh3` of docs/run.md, and what `annelid run`
// gives as the question of a checkpoint (annelid/run.h).
uint64_t anl_scenario_hash(const struct anl_scenario *scenario, uint64_t hash);
uint64_t anl_scenario_hash_messages(const struct anl_scenario *scenario, uint64_t hash);
uint64_t anl_scenario_hash_demand(const struct anl_demand *demand, uint64_t hash);

#ifdef __cplusplus
}
#endif

#endif
