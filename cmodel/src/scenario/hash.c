// SPDX-License-Identifier: Apache-2.0
//
// What decides a run, as a number.

#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

enum { VALUE_BYTES = 4096 };

// Writes all keys that have a meaning, in the order of their list, but for the names of files; then
// the graph. So it does not matter who gives a value: the file, an option or the default.
static void write_settled(FILE *out, const struct anl_scenario *scenario)
{
    struct anl_scenario_key key;
    char value[VALUE_BYTES];
    for (size_t i = 0; anl_scenario_key(i, &key); i++)
        if (key.kind != ANL_KEY_PATH && anl_scenario_setting(scenario, i, value, sizeof value))
            fprintf(out, "%s.%s=%s\n", key.section, key.name, value);
    if (scenario->graph) anl_scenario_write_graph(out, scenario->graph);
}

static uint64_t hash_settled(const struct anl_scenario *scenario, uint64_t hash)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (out) write_settled(out, scenario);
    if (!out || fclose(out)) return hash;
    hash = XXH3_64bits_withSeed(text, bytes, hash);
    free(text);
    return hash;
}

uint64_t anl_scenario_hash_messages(const struct anl_scenario *scenario, uint64_t hash)
{
    for (size_t i = 0; i < scenario->num_messages; i++) {
        const struct anl_message *message = &scenario->messages[i];
        const uint64_t all[] = {message->cycle,    message->source,       message->destination,
                                message->length,   message->route_length, message->class_,
                                message->num_after};
        hash = XXH3_64bits_withSeed(all, sizeof all, hash);
        if (message->after)
            hash = XXH3_64bits_withSeed(message->after, message->num_after * sizeof *message->after,
                                        hash);
        if (message->has_path)
            hash = XXH3_64bits_withSeed(&message->path, sizeof message->path, hash);
        if (message->route)
            hash = XXH3_64bits_withSeed(message->route, message->route_length, hash);
    }
    return hash;
}

uint64_t anl_scenario_hash_demand(const struct anl_demand *demand, uint64_t hash)
{
    if (!demand) return hash;
    hash = XXH3_64bits_withSeed(demand->rates, demand->terminals * sizeof *demand->rates, hash);
    if (!demand->begins) return hash;
    const size_t entries = demand->begins[demand->terminals];
    hash = XXH3_64bits_withSeed(demand->destinations, entries * sizeof *demand->destinations, hash);
    return XXH3_64bits_withSeed(demand->sums, entries * sizeof *demand->sums, hash);
}

uint64_t anl_scenario_hash(const struct anl_scenario *scenario, uint64_t hash)
{
    hash = anl_scenario_hash_messages(scenario, hash_settled(scenario, hash));
    return anl_scenario_hash_demand(scenario->demand, hash);
}
