// SPDX-License-Identifier: Apache-2.0
//
// What the terminals of a design can be, and the words for links of other styles (docs/link.md).

#include "design.h"

#include <string.h>

#define RULE_OF_READY                                                                              \
    "A flit crosses the link in a cycle in which `valid` and the ready of\nits lane are 1. "

static const struct design_style styles[] = {
    [DESIGN_LINKS] = {.word = "links"},
    [DESIGN_AXIS] = {.word = "axis"},
    [DESIGN_READY_VALID] =
        {.word = "ready_valid",
         .module = "ready",
         .back = "ready",
         .back_width = "1",
         .back_bits = "1",
         .valid = "a flit is offered to the network",
         .meaning = "the flit is taken; a function of `inj_vc_i`, not of `inj_valid_i`",
         .rule = RULE_OF_READY "Until then\nneither `valid` nor the lane nor the flit may change.",
         .timing = "inj_ready_o follows inj_vc_i; there is no other combinational path."},
    [DESIGN_READY_VALID_PER_LANE] =
        {.word = "ready_valid_per_lane",
         .module = "lane_ready",
         .back = "ready",
         .back_width = "LineVcs",
         .back_bits = "NumVcs",
         .valid = "a flit is offered to the network",
         .meaning = "bit v: a flit of lane v would be taken",
         .rule = RULE_OF_READY
         "Until then\nno other flit may be offered on the same lane, but one of another lane may.",
         .timing = "ej_vc_o and ej_flit_o follow ej_ready_i; there is no other combinational "
                   "path."},
    [DESIGN_STOP_GO] = {.word = "stop_go",
                        .module = "stop",
                        .back = "stop",
                        .back_width = "LineVcs",
                        .back_bits = "NumVcs",
                        .valid = "a flit enters the network",
                        .meaning = "bit v: no flit may be sent on lane v in the next cycle",
                        .rule = "A flit crosses the link if `valid` is 1. None\nmay be sent on a "
                                "lane whose stop was 1 in the cycle before.",
                        .timing = "no combinational path leads from any input to any output."},
    [DESIGN_CREDIT_PULSE_SHARED] =
        {.word = "credit_pulse_shared",
         .module = "pulse",
         .back = "pulse",
         .back_width = "1 + LineVcW",
         .back_bits = "1 + bits of a lane",
         .valid = "a flit enters the network",
         .meaning = "{pulse, lane}, lane lowest: a flit has left this lane, if pulse is 1",
         .rule =
             "A sender has Depth credits for\neach lane, spends one with each flit, and gets one "
             "back with each pulse for the lane. It sends only with a credit.",
         .timing = "no combinational path leads from any input to any output."},
};

enum { NUM_STYLES = sizeof styles / sizeof *styles };

const struct design_style *design_style_of(enum design_ports ports) { return &styles[ports]; }

bool design_ports_named(const char *word, enum design_ports *ports)
{
    // Links of the style credit are those of the network itself.
    if (strcmp(word, "credit") == 0) word = styles[DESIGN_LINKS].word;
    for (int i = 0; i < NUM_STYLES; i++) {
        if (strcmp(styles[i].word, word) != 0) continue;
        *ports = (enum design_ports)i;
        return true;
    }
    return false;
}
