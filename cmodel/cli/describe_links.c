// SPDX-License-Identifier: Apache-2.0
//
// What a file says of links of another style, and what a bench needs to know of a network with
// them: annelid describe --links. Scripts read descriptions by it alone.

#include "cmd_describe.h"

#include <annelid/links.h>
#include <annelid/live.h>

// --- what the file says ---

static json_t *json_field(struct anl_bits bits)
{
    return json_pack("{s:i, s:i, s:i}", "at", bits.at, "width", bits.width, "plus", bits.plus);
}

static json_t *json_field_or_null(struct anl_bits bits)
{
    return bits.width ? json_field(bits) : json_null();
}

static json_t *json_head(const struct anl_link_description *description)
{
    json_t *head = json_object();
    for (unsigned field = 0; field < ANL_NUM_HEAD_FIELDS; field++)
        if (description->fields[field].width)
            json_object_set_new(head, anl_head_field_name(field),
                                json_field(description->fields[field]));
    return head;
}

static json_t *json_marks(const struct anl_link_description *description)
{
    if (description->ends != ANL_ENDS_MARKS) return json_null();
    return json_pack("{s:i, s:i}", "head", description->head_mark, "tail", description->tail_mark);
}

static json_t *json_values(uint64_t values)
{
    json_t *list = json_array();
    for (int value = 0; value < 64; value++)
        if (values >> value & 1) json_array_append_new(list, json_integer(value));
    return list;
}

static json_t *json_type_field(const struct anl_link_description *description)
{
    if (description->ends != ANL_ENDS_TYPE) return json_null();
    json_t *type = json_field(description->type);
    json_object_set_new(type, "head", json_values(description->type_head));
    json_object_set_new(type, "tail", json_values(description->type_tail));
    return type;
}

static json_t *json_fixed(const struct anl_fixed_bits *fixed, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *bits = json_field(fixed[i].bits);
        json_object_set_new(bits, "value", json_integer(fixed[i].value));
        json_array_append_new(list, bits);
    }
    return list;
}

static json_t *json_changes(const struct anl_link_description *description)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < description->num_changes; i++)
        json_array_append_new(list, json_field(description->changes[i]));
    return list;
}

static json_t *json_ignored(const struct anl_link_description *description)
{
    json_t *list = json_array();
    for (unsigned rule = 0; rule < ANL_NUM_LINK_RULES; rule++)
        if (description->ignored >> rule & 1)
            json_array_append_new(list, json_string(anl_link_rule_name(rule)));
    return list;
}

static json_t *json_description(const struct anl_link_description *description)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "style", anl_style_name(description->style), "width", (int)description->width,
                     "slots", (int)description->slots, "columns", (int)description->columns,
                     "credits", description->credits_of_lanes ? "lane" : "switch", "queues",
                     description->output_queues ? "outputs" : "inputs", "marks",
                     json_marks(description), "type", json_type_field(description), "head",
                     json_head(description), "lane", json_field_or_null(description->lane),
                     "always", json_fixed(description->always, description->num_always),
                     "head_always",
                     json_fixed(description->head_always, description->num_head_always), "changes",
                     json_changes(description), "ignore", json_ignored(description));
}

// --- the network ---

// Returns the links that end at switches, injection links among them, each as its number, the
// switch and the port.
static json_t *json_ends(const struct anl_config *config)
{
    const uint32_t links = anl_shape_of(config).links;
    json_t *list = json_array();
    for (uint32_t link = 0; link < links; link++) {
        const struct anl_end end = anl_end_of(config, link);
        if (!end.exists || end.is_terminal) continue;
        json_array_append_new(list,
                              json_pack("[i, i, i]", (int)link, (int)end.node, (int)end.port));
    }
    return list;
}

// Returns the ejection link of each terminal.
static json_t *json_ejection(const struct anl_config *config)
{
    const uint32_t terminals = anl_shape_of(config).terminals;
    json_t *list = json_array();
    for (uint32_t t = 0; t < terminals; t++)
        json_array_append_new(list, json_integer(anl_ejection_link(config, t)));
    return list;
}

static json_t *json_network(const struct anl_config *config, enum anl_link_style style)
{
    const struct anl_shape shape = anl_shape_of(config);
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o}", "back",
                     (int)anl_link_back_bits(style, config->num_vcs), "num_vcs",
                     (int)config->num_vcs, "depth", (int)config->depth, "ports", (int)shape.ports,
                     "switches", (int)shape.switches, "terminals", (int)shape.terminals, "radix",
                     (int)config->k, "into", json_ends(config), "ejection", json_ejection(config));
}

int describe_links(const struct anl_config *config, const char *scenario, const char *path)
{
    struct anl_link_description description;
    struct anl_error error = {0};
    if (anl_link_load(path, &description, &error)) return cli_complain(&error);
    if (config && anl_live_takes(config, scenario, &error)) return cli_complain(&error);
    if (config && anl_link_fit(&description, config, path, &error)) return cli_complain(&error);
    json_t *object = json_description(&description);
    if (config) json_object_update_new(object, json_network(config, description.style));
    return cli_print_json(object);
}
