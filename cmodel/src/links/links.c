// SPDX-License-Identifier: Apache-2.0
//
// What crosses a link in a cycle, and the rules of one link alone. It is written from the table of
// docs/link.md; the checker in RTL is another reading of it.

#include "links.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// What the sender of a lane has.
struct lane {
    uint32_t credits;
    bool offered;   // a flit that has not crossed
    uint32_t left;  // flits of this worm that are still to come, if its length says where it ends
};

struct anl_links {
    const struct anl_link_description *description;
    uint32_t num_links, num_vcs, slots, words;
    struct lane *lanes;    // [num_links * num_vcs]
    uint32_t *offers;      // [num_links * num_vcs * words] of flits that are offered
    uint32_t *stopped;     // [num_links] lanes that were stopped in the cycle before
    bool *pending;         // [num_links] ready_valid: valid was 1 and ready 0 in the cycle before
    uint32_t *pending_vc;  // [num_links] lane that was offered last
};

static const char *const styles[ANL_NUM_STYLES] = {"credit", "credit_pulse_shared", "ready_valid",
                                                   "ready_valid_per_lane", "stop_go"};

static const struct {
    const char *name, *text;
} rules[ANL_NUM_LINK_RULES] = {
    [ANL_LINK_BAD_LINK] = {"bad_link", "the link does not exist, or its lane"},
    [ANL_LINK_NO_CREDIT] = {"no_credit",
                            "a flit is sent to a lane for which its sender has no credit"},
    [ANL_LINK_EARLY_CREDIT] = {"early_credit", "a credit comes back that is one too many"},
    [ANL_LINK_SENT_AT_STOP] = {"sent_at_stop", "a flit is sent to a lane that was stopped"},
    [ANL_LINK_WITHDRAWN] = {"withdrawn", "a flit is offered and taken back before it has crossed"},
    [ANL_LINK_CHANGED] = {"changed",
                          "another flit is offered before the one offered first has crossed"},
    [ANL_LINK_LANE_SHARED] = {"lane_shared", "two worms interleave in one lane"},
    [ANL_LINK_BAD_MARKS] = {"bad_marks", "the head or tail mark does not fit"},
    [ANL_LINK_LOST_CREDIT] = {"lost_credit", "the network is at rest, and a credit is missing"},
};

const char *anl_style_name(enum anl_link_style style)
{
    return (unsigned)style < ANL_NUM_STYLES ? styles[style] : "?";
}

const char *anl_link_rule_name(enum anl_link_rule rule)
{
    return (unsigned)rule < ANL_NUM_LINK_RULES ? rules[rule].name : "?";
}

const char *anl_link_rule_text(enum anl_link_rule rule)
{
    return (unsigned)rule < ANL_NUM_LINK_RULES ? rules[rule].text : "?";
}

static uint32_t lane_bits(uint32_t num_vcs)
{
    uint32_t bits = 1;
    while (1u << bits < num_vcs)
        bits++;
    return bits;
}

uint32_t anl_link_back_bits(enum anl_link_style style, uint32_t num_vcs)
{
    switch (style) {
    case ANL_STYLE_READY_VALID:
        return 1;
    case ANL_STYLE_CREDIT_PULSE_SHARED:
        return 1 + lane_bits(num_vcs);
    default:
        return num_vcs;
    }
}

bool anl_style_has_credits(enum anl_link_style style)
{
    return style == ANL_STYLE_CREDIT || style == ANL_STYLE_CREDIT_PULSE_SHARED;
}

uint32_t anl_link_slots(const struct anl_link_description *description,
                        const struct anl_config *config)
{
    return description->slots ? description->slots : config->depth;
}

// --- what is on the wires ---

uint32_t anl_link_lane(const struct anl_link_description *description,
                       const struct anl_wires *wires)
{
    return description->lane.width ? links_bits(wires->flit, description->lane) : wires->vc;
}

bool anl_link_crosses(enum anl_link_style style, const struct anl_wires *wires, uint32_t vc)
{
    if (style == ANL_STYLE_READY_VALID) return wires->valid && wires->back & 1;
    if (style == ANL_STYLE_READY_VALID_PER_LANE) return wires->valid && wires->back >> vc & 1;
    return wires->valid;
}

static bool is_marked(const uint32_t *flit, uint32_t bit) { return flit[bit / 32] >> bit % 32 & 1; }

bool anl_link_ends(const struct anl_link_description *description, const uint32_t *flit,
                   struct anl_transfer *crossing)
{
    if (description->ends == ANL_ENDS_MARKS) {
        crossing->head = is_marked(flit, description->head_mark);
        crossing->tail = is_marked(flit, description->tail_mark);
    } else if (description->ends == ANL_ENDS_TYPE) {
        const uint32_t type = links_bits(flit, description->type);
        crossing->head = description->type_head >> type & 1;
        crossing->tail = description->type_tail >> type & 1;
    }
    return description->ends != ANL_ENDS_LENGTH;
}

uint64_t anl_link_credits(enum anl_link_style style, uint32_t num_vcs, uint32_t back)
{
    const uint32_t bits = lane_bits(num_vcs);
    if (style == ANL_STYLE_CREDIT) return back & ((UINT64_C(1) << num_vcs) - 1);
    if (style != ANL_STYLE_CREDIT_PULSE_SHARED || !(back >> bits & 1)) return 0;
    return UINT64_C(1) << (back & ((1u << bits) - 1));
}

// --- create, destroy ---

void anl_links_destroy(struct anl_links *links)
{
    if (!links) return;
    free(links->lanes);
    free(links->offers);
    free(links->stopped);
    free(links->pending);
    free(links->pending_vc);
    free(links);
}

enum anl_status anl_links_create(const struct anl_link_description *description, uint32_t num_links,
                                 uint32_t num_vcs, uint32_t slots, struct anl_links **links)
{
    const size_t lanes = (size_t)num_links * num_vcs;
    struct anl_links *made = calloc(1, sizeof *made);
    *links = NULL;
    if (!made) return ANL_ERR_MEMORY;
    *made = (struct anl_links){.description = description,
                               .num_links = num_links,
                               .num_vcs = num_vcs,
                               .slots = slots,
                               .words = (description->width + 31) / 32};
    made->lanes = calloc(lanes, sizeof *made->lanes);
    made->offers = calloc(lanes * made->words, sizeof *made->offers);
    made->stopped = calloc(num_links, sizeof *made->stopped);
    made->pending = calloc(num_links, sizeof *made->pending);
    made->pending_vc = calloc(num_links, sizeof *made->pending_vc);
    if (!made->lanes || !made->offers || !made->stopped || !made->pending || !made->pending_vc) {
        anl_links_destroy(made);
        return ANL_ERR_MEMORY;
    }
    for (size_t i = 0; i < lanes; i++)
        made->lanes[i].credits = slots;
    *links = made;
    return ANL_OK;
}

// --- a cycle of a link ---

// A link in a cycle.
struct at {
    struct anl_links *links;
    uint32_t link;
    const struct anl_wires *wires;
    struct anl_transfer *crossing;
};

static struct lane *lane_of(const struct at *at, uint32_t vc)
{
    return &at->links->lanes[(size_t)at->link * at->links->num_vcs + vc];
}

static uint32_t *offer_of(const struct at *at, uint32_t vc)
{
    return &at->links->offers[((size_t)at->link * at->links->num_vcs + vc) * at->links->words];
}

#define BREAK(at, rule, ...)                                                                       \
    return (snprintf((at)->crossing->text, sizeof(at)->crossing->text, __VA_ARGS__), (rule))

// Reads the lanes for which credits come back.
static enum anl_link_rule read_credits(const struct at *at)
{
    const uint32_t num_vcs = at->links->num_vcs;
    const uint64_t lanes =
        anl_link_credits(at->links->description->style, num_vcs, at->wires->back);
    if (lanes >> num_vcs)
        BREAK(at, ANL_LINK_BAD_LINK, "a credit comes back for lane %d, but lanes are 0 to %" PRIu32,
              __builtin_ctzll(lanes), num_vcs - 1);
    at->crossing->credits = (uint32_t)lanes;
    return ANL_LINK_KEPT;
}

static enum anl_link_rule count_credits(const struct at *at)
{
    const struct anl_links *links = at->links;
    if (!anl_style_has_credits(links->description->style)) return ANL_LINK_KEPT;
    const uint32_t vc = at->crossing->vc;
    if (at->crossing->crosses && !lane_of(at, vc)->credits--) {
        lane_of(at, vc)->credits = 0;
        BREAK(at, ANL_LINK_NO_CREDIT, "a flit is sent to lane %" PRIu32 " without a credit", vc);
    }
    for (uint32_t v = 0; v < links->num_vcs; v++) {
        if (!(at->crossing->credits >> v & 1)) continue;
        if (lane_of(at, v)->credits == links->slots)
            BREAK(at, ANL_LINK_EARLY_CREDIT,
                  "a credit comes back for lane %" PRIu32 ", whose sender has all %" PRIu32, v,
                  links->slots);
        lane_of(at, v)->credits++;
    }
    return ANL_LINK_KEPT;
}

static enum anl_link_rule look_at_stop(const struct at *at)
{
    uint32_t *stopped = &at->links->stopped[at->link];
    const bool broken = at->crossing->crosses && *stopped >> at->crossing->vc & 1;
    *stopped = at->wires->back;
    if (broken)
        BREAK(at, ANL_LINK_SENT_AT_STOP,
              "a flit is sent to lane %" PRIu32 ", which was stopped in the cycle before",
              at->crossing->vc);
    return ANL_LINK_KEPT;
}

// Compares the flit that is offered with the one that was offered before, on its lane or at all.
static bool is_offered_again(const struct at *at, uint32_t slot)
{
    return memcmp(offer_of(at, slot), at->wires->flit, at->links->words * sizeof(uint32_t)) == 0;
}

static enum anl_link_rule look_at_offer(const struct at *at)
{
    struct anl_links *links = at->links;
    const bool one_ready = links->description->style == ANL_STYLE_READY_VALID;
    const uint32_t vc = at->crossing->vc;
    const uint32_t slot = one_ready ? 0 : vc;  // of the flit that is offered and has not crossed
    const bool was = links->pending[at->link];
    const uint32_t was_vc = links->pending_vc[at->link];
    links->pending[at->link] = one_ready && at->wires->valid && !at->crossing->crosses;
    if (was && !at->wires->valid)
        BREAK(at, ANL_LINK_WITHDRAWN,
              "the flit of lane %" PRIu32 " was offered in the cycle before, and ready was 0",
              was_vc);
    if (!at->wires->valid) return ANL_LINK_KEPT;
    struct lane *lane = lane_of(at, slot);
    const bool other_lane = one_ready && was_vc != vc;
    const bool changed = lane->offered && (other_lane || !is_offered_again(at, slot));
    lane->offered = !at->crossing->crosses;
    links->pending_vc[at->link] = vc;
    memcpy(offer_of(at, slot), at->wires->flit, links->words * sizeof(uint32_t));
    if (changed)
        BREAK(at, ANL_LINK_CHANGED,
              "another flit is offered in lane %" PRIu32 " than before, which was not taken", vc);
    return ANL_LINK_KEPT;
}

static enum anl_link_rule look_at_handshake(const struct at *at)
{
    switch (at->links->description->style) {
    case ANL_STYLE_READY_VALID:
    case ANL_STYLE_READY_VALID_PER_LANE:
        return look_at_offer(at);
    case ANL_STYLE_STOP_GO:
        return look_at_stop(at);
    default:
        return count_credits(at);
    }
}

// Reads whether the flit that crosses is a head and a tail.
static void read_ends(const struct at *at)
{
    const struct anl_link_description *description = at->links->description;
    struct anl_transfer *crossing = at->crossing;
    struct lane *lane = lane_of(at, crossing->vc);
    if (anl_link_ends(description, at->wires->flit, crossing)) return;
    crossing->head = !lane->left;
    if (crossing->head) lane->left = anl_link_length(description, at->wires->flit);
    lane->left -= lane->left > 0;
    crossing->tail = !lane->left;
}

enum anl_link_rule anl_links_take(struct anl_links *links, uint32_t link,
                                  const struct anl_wires *wires, struct anl_transfer *crossing)
{
    const struct at at = {links, link, wires, crossing};
    *crossing = (struct anl_transfer){0};
    if (wires->valid) crossing->vc = anl_link_lane(links->description, wires);
    if (crossing->vc >= links->num_vcs)
        BREAK(&at, ANL_LINK_BAD_LINK,
              "a flit crosses lane %" PRIu32 ", but lanes are 0 to %" PRIu32, crossing->vc,
              links->num_vcs - 1);
    const enum anl_link_rule bad = read_credits(&at);
    if (bad != ANL_LINK_KEPT) return bad;
    crossing->crosses = anl_link_crosses(links->description->style, wires, crossing->vc);
    const enum anl_link_rule rule = look_at_handshake(&at);
    if (crossing->crosses) read_ends(&at);
    return rule;
}

uint32_t anl_links_credits(const struct anl_links *links, uint32_t link, uint32_t vc)
{
    return links->lanes[(size_t)link * links->num_vcs + vc].credits;
}

bool anl_links_rest(const struct anl_links *links, uint32_t *link, uint32_t *vc)
{
    if (!anl_style_has_credits(links->description->style)) return true;
    for (uint32_t i = 0; i < links->num_links * links->num_vcs; i++)
        if (links->lanes[i].credits != links->slots) {
            *link = i / links->num_vcs;
            *vc = i % links->num_vcs;
            return false;
        }
    return true;
}
