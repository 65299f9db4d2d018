// SPDX-License-Identifier: Apache-2.0
//
// What each cycle of a handshake does, as the watch judges it: annelid describe --handshakes. The
// diagrams of docs/link.md are drawn from it.

#include "cmd_describe.h"

#include <annelid/links.h>
#include <stdlib.h>

// Returns the wires that the receiver drives, each with its name and its value.
static json_t *json_back(enum anl_link_style style, uint32_t num_vcs, uint32_t back)
{
    static const char *const names[ANL_NUM_STYLES] = {[ANL_STYLE_CREDIT] = "credit",
                                                      [ANL_STYLE_READY_VALID_PER_LANE] = "ready",
                                                      [ANL_STYLE_STOP_GO] = "stop"};
    const uint32_t wires = anl_link_back_bits(style, num_vcs);
    if (style == ANL_STYLE_READY_VALID) return json_pack("{s:i}", "ready", (int)back);
    if (style == ANL_STYLE_CREDIT_PULSE_SHARED)
        return json_pack("{s:i, s:i}", "pulse", (int)(back >> (wires - 1)), "lane",
                         (int)(back & ((1u << (wires - 1)) - 1)));
    json_t *list = json_object();
    for (uint32_t v = 0; v < num_vcs; v++) {
        char name[24];
        snprintf(name, sizeof name, "%s[%u]", names[style], (unsigned)v);
        json_object_set_new(list, name, json_integer(back >> v & 1));
    }
    return list;
}

// Returns the credits that the sender has for each lane at the start of a cycle.
static json_t *json_credits(const struct anl_links *links, enum anl_link_style style,
                            uint32_t num_vcs)
{
    json_t *list = json_array();
    for (uint32_t v = 0; anl_style_has_credits(style) && v < num_vcs; v++)
        json_array_append_new(list, json_integer(anl_links_credits(links, 0, v)));
    return list;
}

static json_t *json_cycle(struct anl_links *links, const struct anl_handshake *handshake,
                          uint32_t num_vcs, uint32_t cycle)
{
    const char name[] = {handshake->cycles[cycle].flit, '\0'};
    const uint32_t flit[ANL_WIRE_WORDS] = {(unsigned char)*name};
    const uint32_t vc = handshake->cycles[cycle].vc, back = handshake->cycles[cycle].back;
    const struct anl_wires wires = {*name != '\0', vc, back, flit};
    json_t *credits = json_credits(links, handshake->style, num_vcs);
    struct anl_transfer transfer;
    const enum anl_link_rule rule = anl_links_take(links, 0, &wires, &transfer);
    return json_pack("{s:s?, s:i, s:o, s:b, s:o, s:s?, s:s}", "flit", *name ? name : NULL, "vc",
                     (int)vc, "back", json_back(handshake->style, num_vcs, back), "crosses",
                     (int)transfer.crosses, "credits", credits, "broken",
                     rule == ANL_LINK_KEPT ? NULL : anl_link_rule_name(rule), "text",
                     transfer.text);
}

// Returns NULL if there is no memory. Where worms end is no matter here: each flit is one.
static json_t *json_handshake(const struct anl_config *config,
                              const struct anl_handshake *handshake)
{
    const struct anl_link_description description = {
        .style = handshake->style, .width = 8, .ends = ANL_ENDS_LENGTH};
    struct anl_links *links;
    if (anl_links_create(&description, 1, config->num_vcs, config->depth, &links)) return NULL;
    json_t *cycles = json_array();
    for (uint32_t cycle = 0; cycle < handshake->num_cycles; cycle++)
        json_array_append_new(cycles, json_cycle(links, handshake, config->num_vcs, cycle));
    anl_links_destroy(links);
    // A comment that is no UTF-8 is null.
    return json_pack("{s:s, s:i, s:o?, s:o}", "style", anl_style_name(handshake->style), "line",
                     (int)handshake->line, "says", json_string(handshake->says), "cycles", cycles);
}

int describe_handshakes(const struct anl_config *config, const char *path)
{
    struct anl_handshake *handshakes;
    size_t count;
    struct anl_error error = {0};
    if (anl_handshakes_load(path, config->num_vcs, &handshakes, &count, &error))
        return cli_complain(&error);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_handshake(config, &handshakes[i]));
    free(handshakes);
    return cli_print_json(json_pack("{s:i, s:i, s:o}", "num_vcs", (int)config->num_vcs, "depth",
                                    (int)config->depth, "handshakes", list));
}
