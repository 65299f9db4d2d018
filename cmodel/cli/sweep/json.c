// SPDX-License-Identifier: Apache-2.0
//
// The tables of a sweep as JSON (docs/sweep.md, "Tables for programs").

#include "sweep.h"

#include <math.h>

// Adds a number that is known; NAN is not.
static void add_number(json_t *object, const char *name, double value)
{
    if (!isnan(value)) json_object_set_new(object, name, json_real(value));
}

static void add_sample(json_t *object, const char *name, struct sample value)
{
    if (isnan(value.mean)) return;
    json_t *sample = json_object();
    add_number(sample, "mean", value.mean);
    add_number(sample, "half_width", value.half_width);
    json_object_set_new(sample, "runs", cli_integer(value.count));
    json_object_set_new(object, name, sample);
}

// Returns a new object with the values of the varied keys, as they were given.
static json_t *variant_json(size_t count, const struct sweep_key *keys, char *const *names,
                            char *const *values)
{
    json_t *variant = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(variant, keys ? keys[i].name : names[i], json_string(values[i]));
    return variant;
}

static json_t *point_json(const struct sweep_points *points, const struct sweep_curve *curve,
                          const struct sweep_point *point)
{
    json_t *object = json_object(), *states = json_object();
    json_object_set_new(object, "variant",
                        variant_json(points->num_keys, NULL, points->keys, curve->values));
    add_number(object, "load", point->load);
    for (enum sweep_state state = 0; state <= SWEEP_STALLED; state++)
        json_object_set_new(states, sweep_state_name(state), cli_integer(point->in_state[state]));
    json_object_set_new(object, "runs", states);
    add_sample(object, "offered", point->offered);
    add_sample(object, "accepted", point->accepted);
    add_sample(object, "latency", point->latency);
    add_sample(object, "latency_p50", point->latency_p50);
    add_sample(object, "latency_p95", point->latency_p95);
    add_sample(object, "latency_p99", point->latency_p99);
    add_sample(object, "links", point->links);
    return object;
}

json_t *sweep_points_json(const struct sweep_points *points)
{
    json_t *list = json_array();
    for (size_t i = 0; i < points->num_curves; i++)
        for (size_t j = 0; j < points->curves[i].num_points; j++)
            json_array_append_new(
                list, point_json(points, &points->curves[i], &points->curves[i].points[j]));
    return list;
}

json_t *sweep_saturation_json(const struct sweep_variants *variants,
                              const struct sweep_saturation *found, const struct sweep_flows *flows)
{
    json_t *list = json_array();
    for (size_t i = 0; i < variants->count; i++) {
        json_t *object = json_object();
        json_object_set_new(object, "variant",
                            variant_json(variants->num_keys, variants->keys, NULL,
                                         (char *const *)variants->list[i].values));
        add_number(object, "load", found[i].load);
        add_number(object, "half_width", found[i].half_width);
        json_object_set_new(object, "seeds", cli_integer(found[i].seeds));
        json_object_set_new(object, "unreached", cli_integer(found[i].unreached));
        json_object_set_new(object, "stalled", cli_integer(found[i].stalled));
        add_number(object, "ceiling", flows[i].ceiling);
        add_number(object, "first_flow", flows[i].first);
        json_object_set_new(object, "starving", cli_integer(flows[i].starving));
        json_array_append_new(list, object);
    }
    return list;
}

json_t *sweep_head_json(const struct sweep_variants *variants, const struct cli_given *given)
{
    json_t *head = cli_provenance_json(given, &variants->list[0].scenario);
    json_object_del(head, "seed");
    json_object_del(head, "scenario_xxh3");
    json_t *scenario = json_object_get(head, "scenario");
    struct anl_scenario_key key;
    for (size_t i = 0; anl_scenario_key(i, &key); i++)
        if (!sweep_variants_agree(variants, i))
            json_object_del(json_object_get(scenario, key.section), key.name);
    json_object_del(json_object_get(scenario, "run"), "seed");
    json_object_del(json_object_get(scenario, "traffic"), "load");
    return head;
}
