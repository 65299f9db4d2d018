// SPDX-License-Identifier: Apache-2.0
//
// Scenarios: network, switch, traffic and run in one text. Keys, ranges, defaults:
// docs/scenario.md.

#ifndef ANNELID_SCENARIO_H
#define ANNELID_SCENARIO_H

#include <annelid/network.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ANL_MAX_LENGTHS = 16, ANL_MAX_SCENARIO_BYTES = 1 << 20 };

enum anl_process {
    ANL_BERNOULLI,
    ANL_BURSTY,
    ANL_BATCH,
    ANL_REQUEST_REPLY,
    ANL_REPLAY,
    ANL_GENERATOR,
};

enum anl_pattern {
    ANL_UNIFORM,
    ANL_COMPLEMENT,
    ANL_TRANSPOSE,
    ANL_BIT_REVERSE,
    ANL_SHUFFLE,
    ANL_TORNADO,
    ANL_NEIGHBOUR,
    ANL_HOTSPOT,
    ANL_MANY_TO_ONE,
    ANL_PERMUTATION,
    ANL_Q_RELATION,
    ANL_RANDOM_FUNCTION,
    ANL_FAR_CORNER,
};

// A message to be sent, from a message file.
struct anl_message {
    uint64_t cycle;
    uint32_t source, destination;
    uint16_t length;
};

struct anl_traffic_config {
    enum anl_process process;
    enum anl_pattern pattern;
    double load;                        // flits per terminal and cycle, 0..1
    uint16_t lengths[ANL_MAX_LENGTHS];  // flits
    uint32_t num_lengths;               // 1..ANL_MAX_LENGTHS
    uint32_t burst_cycles;
    uint32_t worms_per_terminal;
    uint32_t delays;        // batch: 1 is none
    uint32_t delay_cycles;  // unit of the delays
    uint32_t window;
    uint16_t reply_length;
    uint32_t hotspot_terminal;
    double hotspot_fraction;
};

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

const char *anl_process_name(enum anl_process process);
// Worms are created at a load in cycles 0 .. run.cycles - 1, whatever is delivered.
bool anl_process_is_open_loop(enum anl_process process);
// Worms go where a pattern says.
bool anl_process_has_pattern(enum anl_process process);
const char *anl_pattern_name(enum anl_pattern pattern);

#ifdef __cplusplus
}
#endif

#endif
