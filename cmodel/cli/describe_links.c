// SPDX-License-Identifier: Apache-2.0
//
// What a bench needs to know of a network with links of another style: annelid describe --links.

#include "cmd_describe.h"

#include <annelid/links.h>

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

int describe_links(const struct anl_config *config, const char *path)
{
    const struct anl_shape shape = anl_shape_of(config);
    struct anl_link_description description;
    struct anl_error error = {0};
    if (anl_link_load(path, &description, &error)) return cli_complain(&error);
    if (anl_link_fit(&description, config, path, &error)) return cli_complain(&error);
    const uint32_t back = anl_link_back_bits(description.style, config->num_vcs);
    return cli_print_json(
        json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o}", "style",
                  anl_style_name(description.style), "width", (int)description.width, "back",
                  (int)back, "num_vcs", (int)config->num_vcs, "ports", (int)shape.ports, "switches",
                  (int)shape.switches, "terminals", (int)shape.terminals, "radix", (int)config->k,
                  "into", json_ends(config), "ejection", json_ejection(config)));
}
