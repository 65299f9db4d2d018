// SPDX-License-Identifier: Apache-2.0

#include "unit_traffic.h"

struct anl_scenario scenario_of(const char *text)
{
    struct anl_scenario scenario;
    struct anl_error error = {0};
    if (anl_scenario_parse(text, strlen(text), "test", NULL, &scenario, &error))
        fail_msg("%s\n%s", error.text, text);
    return scenario;
}

struct anl_traffic *traffic_of(const struct anl_scenario *scenario)
{
    struct anl_traffic *traffic;
    assert_int_equal(anl_traffic_create(anl_scenario_workload(scenario), &traffic), ANL_OK);
    return traffic;
}

struct anl_traffic *packed_again(struct anl_traffic *traffic, const struct anl_scenario *scenario)
{
    const uint32_t terminals = anl_shape_of(&scenario->network).terminals, half = terminals / 2;
    struct anl_traffic *again = traffic_of(scenario);
    struct anl_pack pack = {0};
    anl_traffic_pack(traffic, &pack);
    anl_traffic_pack_terminals(traffic, 0, half, &pack);
    anl_traffic_pack_terminals(traffic, half, terminals - half, &pack);
    struct anl_pack read = {.from = pack.bytes, .count = pack.count};
    anl_traffic_pack(again, &read);
    anl_traffic_pack_terminals(again, 0, half, &read);
    anl_traffic_pack_terminals(again, half, terminals - half, &read);
    assert_true(!pack.failed && !read.failed && read.count == 0);
    anl_pack_free(&pack);
    anl_traffic_destroy(traffic);
    return again;
}
