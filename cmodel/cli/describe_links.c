// SPDX-License-Identifier: Apache-2.0
//
// What a bench needs to know of a network with links of another style: annelid describe --links.

#include "cmd_describe.h"

#include <annelid/links.h>
#include <inttypes.h>

// Prints the links that end at switches, injection links among them, each as its number, the switch
// and the port.
static void print_ends(const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    const char *comma = "";
    printf("\"into\": [");
    for (uint32_t link = 0; link < shape.links; link++) {
        const struct anl_end end = anl_end_of(config, link);
        if (!end.exists || end.is_terminal) continue;
        printf("%s[%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", comma, link, end.node, end.port);
        comma = ", ";
    }
    printf("], ");
}

// Prints the ejection link of each terminal.
static void print_ejection(const struct anl_config *config)
{
    const uint32_t terminals = anl_shape_of(config).terminals;
    printf("\"ejection\": [");
    for (uint32_t t = 0; t < terminals; t++)
        printf("%s%" PRIu32, t ? ", " : "", anl_ejection_link(config, t));
    printf("]");
}

int describe_links(const struct anl_config *config, const char *path)
{
    const struct anl_shape shape = anl_shape_of(config);
    struct anl_link_description description;
    struct anl_error error = {0};
    if (anl_link_load(path, &description, &error)) return cli_complain(&error);
    if (anl_link_fit(&description, config, path, &error)) return cli_complain(&error);
    printf("{\"style\": \"%s\", \"width\": %" PRIu32 ", \"back\": %" PRIu32
           ", \"num_vcs\": %" PRIu32 ", \"ports\": %" PRIu32 ", \"switches\": %" PRIu32
           ", \"terminals\": %" PRIu32 ", \"radix\": %" PRIu32 ", ",
           anl_style_name(description.style), description.width,
           anl_link_back_bits(description.style, config->num_vcs), config->num_vcs, shape.ports,
           shape.switches, shape.terminals, config->k);
    print_ends(config);
    print_ejection(config);
    puts("}");
    return CLI_OK;
}
