// SPDX-License-Identifier: Apache-2.0
//
// Feeds bytes to the parsers of scenario files, message files, graphs and routing tables. What they
// accept must have the properties that they promise, and must be accepted again when it is written
// out.

#include "scenario/scenario.h"

#include <annelid/network.h>
#include <stdlib.h>
#include <string.h>

#define PROMISE(what)                                                                              \
    do {                                                                                           \
        if (!(what)) abort();                                                                      \
    } while (0)

static void check_refusal(const struct anl_error *error)
{
    PROMISE(error->text[0] != '\0');
    PROMISE(strchr(error->text, '\n') == NULL);
}

static void check_scenario(const struct anl_scenario *s)
{
    PROMISE(anl_config_check(&s->network, NULL) == ANL_OK);
    PROMISE(s->traffic.load >= 0 && s->traffic.load <= 1);
    PROMISE(s->traffic.hotspot_fraction >= 0 && s->traffic.hotspot_fraction <= 1);
    PROMISE(s->traffic.sphere_fraction >= 0 && s->traffic.sphere_fraction <= 1);
    PROMISE(s->traffic.num_lengths >= 1 && s->traffic.num_lengths <= ANL_MAX_LENGTHS);
    for (uint32_t i = 0; i < s->traffic.num_lengths; i++)
        PROMISE(s->traffic.lengths[i] >= 1);
    PROMISE(s->traffic.hotspot_terminal < anl_shape_of(&s->network).terminals);
    PROMISE(s->run.cycles >= 1 && s->run.max_cycles >= 1);
    PROMISE(s->messages == NULL);
}

static void feed_scenario(const char *text, size_t bytes)
{
    struct anl_scenario scenario, again;
    struct anl_error error = {0};
    if (anl_scenario_parse(text, bytes, "fuzz", NULL, &scenario, &error)) {
        check_refusal(&error);
        return;
    }
    check_scenario(&scenario);
    PROMISE(anl_scenario_parse(scenario.text, scenario.text_bytes, "again", NULL, &again, NULL) ==
            ANL_OK);
    PROMISE(memcmp(&again.traffic, &scenario.traffic, sizeof again.traffic) == 0);
    PROMISE((again.graph ? again.graph->hash : 0) == (scenario.graph ? scenario.graph->hash : 0));
    anl_scenario_free(&again);
    anl_scenario_free(&scenario);
}

static void feed_setting(const char *text, size_t bytes)
{
    struct anl_scenario scenario = {0};
    struct anl_error error = {0};
    char *setting = calloc(bytes + 1, 1);
    PROMISE(setting);
    memcpy(setting, text, bytes);
    struct scenario_reading reading = {.scenario = &scenario, .error = &error, .file = "setting"};
    if (scenario_read_setting(&reading, setting)) check_refusal(&error);
    for (unsigned key = 0; key < NUM_KEYS; key++)
        free(reading.paths[key]);
    anl_scenario_free(&scenario);
    free(setting);
}

static void free_reading(struct scenario_reading *reading)
{
    scenario_graph_free(reading->graph);
    anl_graph_destroy(reading->scenario->graph);
}

static void feed_graph(const char *text, size_t bytes)
{
    struct anl_scenario scenario = {.network = {.num_vcs = 2}};
    struct anl_error error = {0};
    struct scenario_reading reading = {.scenario = &scenario, .error = &error, .file = "graph"};
    if (scenario_read_graph_file(&reading, text, bytes) || scenario_build_graph(&reading) ||
        anl_graph_route(scenario.graph, ANL_UP_DOWN, 2, &error))
        check_refusal(&error);
    else
        PROMISE(anl_graph_route(scenario.graph, ANL_SHORTEST, 2, NULL) == ANL_OK);
    free_reading(&reading);
}

static void feed_table(const char *text, size_t bytes)
{
    static const char graph[] = "switches: 3\nterminals: [0.2, 1.2, 2.2, 2.3]\n"
                                "links: [[0.0, 1.1], [1.0, 2.1], {from: 2.0, to: 0.1}]\n";
    struct anl_scenario scenario = {.network = {.num_vcs = 3}};
    struct anl_error error = {0};
    struct scenario_reading reading = {.scenario = &scenario, .error = &error, .file = "graph"};
    PROMISE(scenario_read_graph_file(&reading, graph, sizeof graph - 1) == ANL_OK);
    if (scenario_read_table(&reading, text, bytes, "table") || scenario_build_graph(&reading) ||
        anl_graph_route(scenario.graph, ANL_TABLE, 3, &error))
        check_refusal(&error);
    free_reading(&reading);
}

static void check_after(const struct anl_scenario *scenario, const struct anl_message *message)
{
    PROMISE(message->num_after <= ANL_MAX_AFTER && !message->after == !message->num_after);
    for (uint32_t i = 0; i < message->num_after; i++) {
        PROMISE(message->after[i].worm < scenario->num_messages);
        PROMISE(&scenario->messages[message->after[i].worm] != message);
        PROMISE(message->after[i].cycles >= 1);
    }
}

// Each message is created at some time if all others are delivered.
static void create_all(struct anl_scenario *scenario)
{
    struct anl_traffic *traffic;
    uint32_t created = 0;
    scenario->traffic.process = ANL_REPLAY;
    PROMISE(!anl_traffic_create(anl_scenario_workload(scenario), &traffic));
    for (uint64_t next; (next = anl_traffic_next(traffic)) != UINT64_MAX;) {
        size_t count;
        anl_traffic_cycle(traffic, next, &count);
        for (size_t i = 0; i < count; i++)
            anl_traffic_delivered(traffic, &(struct anl_worm){.id = created++}, 1);
    }
    PROMISE(created == scenario->num_messages && anl_traffic_done(traffic));
    anl_traffic_destroy(traffic);
}

static void feed_messages(const char *text, size_t bytes)
{
    struct anl_scenario scenario = {.network = {.topology = ANL_MESH, .k = 5, .n = 2},
                                    .run = {.max_cycles = 1000}};
    struct anl_error error = {0};
    if (scenario_read_messages(text, bytes, "fuzz", &scenario, &scenario.messages,
                               &scenario.num_messages, &error)) {
        check_refusal(&error);
        return;
    }
    PROMISE(scenario.num_messages >= 1);
    for (size_t i = 0; i < scenario.num_messages; i++) {
        PROMISE(scenario.messages[i].source < 25 && scenario.messages[i].destination < 25);
        PROMISE(scenario.messages[i].length >= 1 && scenario.messages[i].cycle < 1000);
        check_after(&scenario, &scenario.messages[i]);
    }
    create_all(&scenario);
    free(scenario.messages);
}

// Two networks whose messages may say which way a worm goes: by a route, and by a path.
static const char by_route[] =
    "network: {topology: graph}\nswitch: {routing: source}\n"
    "traffic: {process: replay, messages: none}\nrun: {max_cycles: 1000}\n"
    "graph: {switches: 2, terminals: [0.2, 1.2], links: [[0.0, 1.0], [0.1, 1.1]]}\n";
static const char by_path[] = "network: {topology: butterfly, k: 3, n: 2, passes: 2}\n"
                              "traffic: {process: replay, messages: none}\n"
                              "run: {max_cycles: 1000}\n";

static void feed_messages_of(const char *network, const char *text, size_t bytes)
{
    struct anl_scenario scenario;
    struct anl_error error = {0};
    PROMISE(!anl_scenario_parse(network, strlen(network), "fuzz", NULL, &scenario, &error));
    if (scenario_read_messages(text, bytes, "fuzz", &scenario, &scenario.messages,
                               &scenario.num_messages, &error))
        check_refusal(&error);
    for (size_t i = 0; i < scenario.num_messages; i++) {
        const struct anl_message *message = &scenario.messages[i];
        const struct anl_worm worm = {.source = message->source,
                                      .destination = message->destination,
                                      .route = message->route,
                                      .route_length = message->route_length};
        PROMISE(!message->has_path || message->path < anl_num_paths(&scenario.network));
        PROMISE(!worm.route == !worm.route_length);
        PROMISE(!worm.route || !anl_own_route_check(&scenario.network, &worm, NULL));
    }
    anl_scenario_free(&scenario);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    feed_scenario((const char *)data, size);
    feed_setting((const char *)data, size);
    feed_messages((const char *)data, size);
    feed_messages_of(by_route, (const char *)data, size);
    feed_messages_of(by_path, (const char *)data, size);
    feed_graph((const char *)data, size);
    feed_table((const char *)data, size);
    return 0;
}
