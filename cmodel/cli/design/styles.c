// SPDX-License-Identifier: Apache-2.0
//
// The words for links of other styles than those of the network (docs/link.md).

#include "design.h"

#define RULE_OF_READY                                                                              \
    "A flit crosses the link in a cycle in which `valid` and the ready of\nits lane are 1. "

const struct design_style design_ready_valid = {
    .module = "ready",
    .back = "ready",
    .back_width = "1",
    .back_bits = "1",
    .valid = "a flit is offered to the network",
    .meaning = "the flit is taken; a function of `inj_vc_i`, not of `inj_valid_i`",
    .rule = RULE_OF_READY "Until then\nneither `valid` nor the lane nor the flit may change.",
    .timing = "inj_ready_o follows inj_vc_i; there is no other combinational path."};

const struct design_style design_ready_valid_per_lane = {
    .module = "lane_ready",
    .back = "ready",
    .back_width = "LineVcs",
    .back_bits = "NumVcs",
    .valid = "a flit is offered to the network",
    .meaning = "bit v: a flit of lane v would be taken",
    .rule = RULE_OF_READY
    "Until then\nno other flit may be offered on the same lane, but one of another lane may.",
    .timing = "ej_vc_o and ej_flit_o follow ej_ready_i; there is no other combinational "
              "path."};

const struct design_style design_stop_go = {
    .module = "stop",
    .back = "stop",
    .back_width = "LineVcs",
    .back_bits = "NumVcs",
    .valid = "a flit enters the network",
    .meaning = "bit v: no flit may be sent on lane v in the next cycle",
    .rule = "A flit crosses the link if `valid` is 1. None\nmay be sent on a "
            "lane whose stop was 1 in the cycle before.",
    .timing = "no combinational path leads from any input to any output."};

const struct design_style design_credit_pulse_shared = {
    .module = "pulse",
    .back = "pulse",
    .back_width = "1 + LineVcW",
    .back_bits = "1 + bits of a lane",
    .valid = "a flit enters the network",
    .meaning = "{pulse, lane}, lane lowest: a flit has left this lane, if pulse is 1",
    .rule = "A sender has Depth credits for\neach lane, spends one with each flit, and gets one "
            "back with each pulse for the lane. It sends only with a credit.",
    .timing = "no combinational path leads from any input to any output.",
    .pulses = true};

enum anl_status design_pulses_check(const struct design *design, struct anl_error *error)
{
    if (design->config->link != ANL_WIDE || design->config->credits != ANL_BYPASS) return ANL_OK;
    if (design->clocks) return ANL_OK;  // between two clocks no flit follows a credit
    return anl_fail(
        error, ANL_ERR_ARGUMENT, "", 0,
        "--ports credit_pulse_shared expects credits that count in the next cycle: with wide "
        "links and credits bypass, flits that leave follow the pulses of their cycle");
}
