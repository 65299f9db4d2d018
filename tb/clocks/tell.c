// SPDX-License-Identifier: Apache-2.0
//
// What crosses: both sides of each crossing are looked at, and what comes out of it in the RTL is
// told to the model of the domain there in the name of its peers.

#include "run_internal.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- crossings

static struct wire wire_of(const struct run *run, const struct side *side)
{
    struct wire wire = {.vc = side->vc};
    memcpy(wire.flit, side->flit, flit_words(run->config) * sizeof *wire.flit);
    return wire;
}

static bool is_sender(const struct run *run, const struct journey *journey)
{
    return journey->crossing->sender.domain == run->at;
}

static bool is_receiver(const struct run *run, const struct journey *journey)
{
    return journey->crossing->receiver.domain == run->at;
}

// Has a rule of one link be looked at on a side of a crossing: number is that of the crossing.
static void check_rules(struct run *run, struct anl_links *links, uint32_t number,
                        const struct side *side)
{
    static const uint32_t nothing[ANL_WIRE_WORDS];
    const struct anl_wires wires = {side->valid, side->vc, side->credits,
                                    side->valid ? side->flit : nothing};
    struct anl_transfer transfer;
    const enum anl_link_rule rule = anl_links_take(links, number, &wires, &transfer);
    if (rule == ANL_LINK_KEPT) return;
    clocks_note(run, run->journeys[number].crossing->link, side->vc, anl_link_rule_name(rule),
                links == run->senders ? "the rules of the link kept before the crossing"
                                      : "the rules of the link kept behind the crossing",
                transfer.text);
}

void clocks_go_in(struct run *run, const struct anl_flit *flit)
{
    const uint32_t number = run->at_link[flit->link];
    if (number == NOWHERE) return;
    struct journey *journey = &run->journeys[number];
    const uint32_t receiver = journey->crossing->receiver.domain;
    if (!journey_begin(journey, flit, run->domains.clock[receiver].edges))
        clocks_note(run, flit->link, flit->vc, "crossing", "room for a flit", "it is full");
}

// Takes the flit that comes out of a crossing, which becomes a flit of the message to the model.
static void come_out(struct run *run, struct journey *journey, struct anl_border *told)
{
    const struct side *side = &journey->crossing->receiver;
    const uint32_t link = journey->crossing->link;
    const struct wire wire = wire_of(run, side);
    struct anl_flit flit;
    bool settled_late = false;
    const char *wrong =
        journey_end(journey, run->options->sync_stages, cycle_of(run), &flit, &settled_late);
    if (wrong) {
        char seen[512];
        describe_wire(run->config, &wire, seen, sizeof seen);
        clocks_note(run, link, side->vc, "flit behind a crossing", wrong, seen);
        return;
    }
    if (!clocks_is_same(run, &flit, &wire))
        clocks_note_flit(run, "flit behind a crossing", &flit, &wire);
    run->result->crossed++;
    run->result->settled_late += settled_late;
    clocks_arrive(run, &flit);
    if (!told) return;
    anl_border_flits(told)[told->num_flits++] = (struct anl_crossing){
        .link = journey->rank, .vc = flit.vc, .head = flit.head, .tail = flit.tail};
}

// Takes the credits that come back to the sender of a crossing.
static void come_back(struct run *run, struct journey *journey, struct anl_border *told)
{
    const struct side *side = &journey->crossing->sender;
    for (uint32_t vc = 0; vc < run->config->num_vcs; vc++) {
        if (!(side->credits >> vc & 1)) continue;
        const char *wrong =
            journey_end_credit(journey, vc, run->options->sync_stages, cycle_of(run));
        if (wrong) clocks_note(run, journey->crossing->link, vc, "credit", wrong, "a credit");
        if (told)
            anl_border_credits(told)[told->num_credits++] =
                (struct anl_crossing){.link = journey->rank, .vc = (uint8_t)vc};
    }
}

static void give_credits(struct run *run, struct journey *journey)
{
    const uint32_t sender = journey->crossing->sender.domain;
    for (uint32_t vc = 0; vc < run->config->num_vcs; vc++)
        if (journey->crossing->receiver.credits >> vc & 1 &&
            !journey_begin_credit(journey, vc, run->domains.clock[sender].edges))
            clocks_note(run, journey->crossing->link, vc, "credit", "room for it",
                        "the crossing is full");
}

// The rules of the links on the sides of crossings in this domain.
static void check_sides(struct run *run)
{
    for (uint32_t j = 0; j < run->num_journeys && !differs(run); j++) {
        struct journey *journey = &run->journeys[j];
        if (is_sender(run, journey)) check_rules(run, run->senders, j, &journey->crossing->sender);
        if (is_receiver(run, journey))
            check_rules(run, run->receivers, j, &journey->crossing->receiver);
    }
}

void clocks_check_late(struct run *run)
{
    const uint32_t stages = run->options->sync_stages;
    for (size_t j = 0; j < run->num_journeys && !differs(run); j++) {
        const struct journey *journey = &run->journeys[j];
        const uint32_t link = journey->crossing->link;
        for (uint32_t vc = 0; is_sender(run, journey) && vc < run->config->num_vcs; vc++)
            if (journey_is_late_credit(journey, vc, stages, cycle_of(run)))
                clocks_note(run, link, vc, "credit", "a credit, by this cycle", "none");
        if (is_receiver(run, journey) && journey_is_late(journey, stages, cycle_of(run)))
            clocks_note(run, link, NOWHERE, "flit behind a crossing", "a flit, by this cycle",
                        "none");
    }
}

// ---------------------------------------------------------------- the model is told

// The credits that the RTL gives to crossings from a peer are those of the model.
static void check_credits(struct run *run, const struct anl_border *message, uint32_t part)
{
    for (uint32_t j = 0; j < run->num_journeys; j++) {
        const struct journey *journey = &run->journeys[j];
        uint32_t lanes = 0;
        char expected[16], seen[16];
        if (!is_receiver(run, journey) || journey->crossing->sender.domain != part) continue;
        for (uint32_t c = 0; c < message->num_credits; c++) {
            const struct anl_crossing *credit = &anl_border_credits(message)[c];
            if (credit->link == journey->rank) lanes |= 1u << credit->vc;
        }
        if (lanes == journey->crossing->receiver.credits) continue;
        snprintf(expected, sizeof expected, "%02x", lanes);
        snprintf(seen, sizeof seen, "%02x", (unsigned)journey->crossing->receiver.credits);
        clocks_note(run, journey->crossing->link, NOWHERE, "credits into a crossing", expected,
                    seen);
    }
}

// Lists the worms whose heads come from a peer in this edge, in front of its flits.
static void tell_worms(const struct run *run, uint32_t part, struct anl_border *told)
{
    for (uint32_t j = 0; j < run->num_journeys; j++) {
        const struct journey *journey = &run->journeys[j];
        const struct anl_flit *front = &journey->flits[journey->first].flit;
        if (!is_receiver(run, journey) || journey->crossing->sender.domain != part) continue;
        if (journey->crossing->receiver.valid && journey->count && front->head)
            anl_border_worms(told)[told->num_worms++] = run->harness.worms.worm[front->worm].worm;
    }
}

static void tell(struct run *run, uint32_t part, struct anl_border *told)
{
    tell_worms(run, part, told);
    for (uint32_t j = 0; j < run->num_journeys; j++) {
        struct journey *journey = &run->journeys[j];
        if (is_receiver(run, journey) && journey->crossing->sender.domain == part) {
            give_credits(run, journey);
            if (journey->crossing->receiver.valid) come_out(run, journey, told);
        }
    }
    for (uint32_t j = 0; j < run->num_journeys; j++)
        if (is_sender(run, &run->journeys[j]) && run->journeys[j].crossing->receiver.domain == part)
            come_back(run, &run->journeys[j], told);
}

// Tells the model what has come from all its peers. Returns ANL_OK also at a difference.
static enum anl_status tell_all(struct run *run, struct anl_error *error)
{
    struct model *model = &run->models[run->at];
    for (uint32_t i = 0; i < anl_engine_num_peers(model->engine); i++) {
        const struct anl_peer peer = anl_engine_peer(model->engine, i);
        check_credits(run, peer.message, peer.part);
        *model->told[i] = anl_engine_expects(model->engine, i);
        tell(run, peer.part, model->told[i]);
        if (differs(run)) return ANL_OK;
        const enum anl_status status = anl_engine_take(model->engine, i, model->told[i], error);
        if (status) return status;
    }
    return anl_engine_end(model->engine);
}

enum anl_status clocks_step_model(struct run *run, struct anl_error *error)
{
    struct anl_engine *engine = run->models[run->at].engine;
    struct comparison comparison = clocks_comparison_of(run);
    anl_engine_decide(engine);
    anl_engine_tell(engine);
    anl_engine_move(engine);
    const struct anl_flit *flits = anl_engine_flits(engine, &run->num_flits);
    compare_flits(&comparison, flits, run->num_flits);
    memcpy(run->flits, flits, run->num_flits * sizeof *flits);
    check_sides(run);
    return differs(run) ? ANL_OK : tell_all(run, error);
}

void clocks_step_terminal(struct run *run)
{
    clocks_check_sent(run);
    check_sides(run);
    for (uint32_t j = 0; j < run->num_journeys && !differs(run); j++) {
        struct journey *journey = &run->journeys[j];
        if (is_sender(run, journey)) come_back(run, journey, NULL);
        if (!is_receiver(run, journey)) continue;
        give_credits(run, journey);
        if (journey->crossing->receiver.valid) come_out(run, journey, NULL);
    }
}
