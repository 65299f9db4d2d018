// SPDX-License-Identifier: Apache-2.0
//
// What a domain shows in an edge of its clock, beside the model: registers, and the flits of
// terminals.

#include "run_internal.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- differences

struct comparison clocks_comparison_of(struct run *run)
{
    return (struct comparison){.harness = &run->harness,
                               .history = &run->history,
                               .cycle = cycle_of(run),
                               .difference = &run->difference};
}

void clocks_note(struct run *run, uint32_t link, uint32_t vc, const char *what,
                 const char *expected, const char *seen)
{
    struct difference *difference = &run->difference;
    if (difference->count++) return;
    difference->cycle = cycle_of(run);
    name_link(difference, run->config, link, vc);
    snprintf(difference->what, sizeof difference->what, "%s", what);
    snprintf(difference->expected, sizeof difference->expected, "%s", expected);
    snprintf(difference->seen, sizeof difference->seen, "%s", seen);
}

void clocks_note_flit(struct run *run, const char *what, const struct anl_flit *flit,
                      const struct wire *wire)
{
    char expected[512], seen[512];
    describe_flit(&run->harness, flit, expected, sizeof expected);
    describe_wire(run->config, wire, seen, sizeof seen);
    clocks_note(run, flit->link, flit->vc, what, expected, seen);
}

void clocks_note_failure(struct run *run)
{
    const struct failure *failure = &run->harness.failure;
    char seen[512];
    if (!failure->name[0]) return;
    failure_describe(failure, seen, sizeof seen);
    clocks_note(run, 0, NOWHERE, "assertion", failure->condition, seen);
    if (run->difference.count == 1)
        snprintf(run->difference.where, sizeof run->difference.where, "%.95s", failure->scope);
}

bool clocks_is_same(const struct run *run, const struct anl_flit *flit, const struct wire *wire)
{
    uint32_t bits[FLIT_WORDS];
    flit_pack(run->config, &run->harness.worms.worm[flit->worm].worm, flit->index, flit->link,
              bits);
    return wire->vc == flit->vc && memcmp(bits, wire->flit, flit_words(run->config) * 4) == 0;
}

// ---------------------------------------------------------------- registers

// Copies the elements of a switch, or of a terminal, from the state of a part.
#define SCATTER(run, from, member, own, number, each)                                              \
    memcpy(&(run)->expected.member[(size_t)(number) * (each)],                                     \
           &(from)->member[(size_t)(own) * (each)], (each) * sizeof *(from)->member)

static void scatter_switches(struct run *run, const struct anl_state *from, uint32_t domain)
{
    const uint32_t ports = run->shape.ports, classes = anl_num_classes(run->config);
    for (uint32_t s = 0, own = 0; s < run->shape.switches; s++) {
        if (run->domains.of_switch[s] != domain) continue;
        SCATTER(run, from, lanes, own, s, ports * run->config->num_vcs);
        SCATTER(run, from, ports, own, s, ports);
        SCATTER(run, from, random, own, s, 1);
        SCATTER(run, from, in_ptrs, own, s, ports * classes);
        SCATTER(run, from, favours, own, s, ports);
        own++;
    }
}

static void scatter_terminals(struct run *run, const struct anl_state *from, uint32_t domain)
{
    for (uint32_t t = 0, own = 0; t < run->shape.terminals; t++) {
        if (run->domains.of_terminal[t] != domain) continue;
        SCATTER(run, from, terminal_lanes, own, t, run->config->num_vcs);
        SCATTER(run, from, injections, own, t, 1);
        own++;
    }
}

void clocks_read_model(struct run *run, uint32_t domain)
{
    struct model *model = &run->models[domain];
    anl_engine_state(model->engine, &model->state);
    scatter_switches(run, &model->state, domain);
    scatter_terminals(run, &model->state, domain);
}

// Terminals without a model are as they are.
static void take_terminals(struct run *run)
{
    const struct anl_state *seen = &run->harness.observed.state;
    const uint32_t lanes = run->config->num_vcs;
    for (uint32_t t = 0; t < run->shape.terminals; t++) {
        if (run->domains.of_terminal[t] < run->domains.with_switches) continue;
        memcpy(&run->expected.terminal_lanes[t * lanes], &seen->terminal_lanes[t * lanes],
               lanes * sizeof *seen->terminal_lanes);
        run->expected.injections[t] = seen->injections[t];
    }
}

void clocks_check_registers(struct run *run)
{
    struct comparison comparison = clocks_comparison_of(run);
    if (run->at < run->domains.with_switches) clocks_read_model(run, run->at);
    take_terminals(run);
    compare_state(&comparison, &run->expected);
}

// ---------------------------------------------------------------- terminals

static struct shown *lane_at(const struct run *run, uint32_t terminal, uint32_t vc)
{
    return &run->lanes[(size_t)terminal * run->config->num_vcs + vc];
}

void clocks_arrive(struct run *run, const struct anl_flit *flit)
{
    const struct anl_end end = anl_end_of(run->config, flit->link);
    const struct queued_worm *queued = &run->harness.worms.worm[flit->worm];
    if (!end.is_terminal) return;
    struct shown *lane = lane_at(run, end.node, flit->vc);
    if (lane->count == run->config->depth)
        clocks_note(run, flit->link, flit->vc, "lane of a terminal", "room for a flit",
                    "it is full");
    else
        lane->flits[(lane->first + lane->count++) % run->config->depth] = *flit;
    if (!anl_is_delivery(run->config, flit, queued->destination)) return;
    run->delivered[run->num_delivered] = queued->worm;
    run->delivered[run->num_delivered++].destination = queued->destination;
    run->arrived++;
}

void clocks_check_sinks(struct run *run)
{
    const struct wires *sinks = &run->harness.observed.sinks;
    const uint32_t ends = run->harness.observed.ends;
    for (uint32_t s = wires_next(sinks, 0); s < sinks->size; s = wires_next(sinks, s + 1)) {
        const struct wire *wire = &sinks->wire[s];
        const uint32_t terminal = s / ends;
        struct shown *lane = lane_at(run, terminal, wire->vc % run->config->num_vcs);
        char seen[512];
        describe_wire(run->config, wire, seen, sizeof seen);
        if (lane->count == 0) {
            clocks_note(run, anl_ejection_link(run->config, terminal), wire->vc, "flit handed out",
                        "no flit", seen);
            return;
        }
        const struct anl_flit *front = &lane->flits[lane->first];
        if (!clocks_is_same(run, front, wire))
            clocks_note_flit(run, "flit handed out", front, wire);
        lane->first = (lane->first + 1) % run->config->depth;
        lane->count--;
    }
}

// Returns the next worm of a terminal and class behind one, in the order in which they were
// created; NOWHERE: there is none.
static uint32_t next_worm(const struct run *run, uint32_t from, uint32_t terminal, uint32_t class_)
{
    for (uint32_t id = from; id < run->harness.worms.count; id++) {
        const struct anl_worm *worm = &run->harness.worms.worm[id].worm;
        if (worm->source == terminal && worm->class_ == class_) return id;
    }
    return NOWHERE;
}

static void send_flit(struct run *run, uint32_t terminal, const struct wire *wire)
{
    const uint32_t link = anl_injection_link(run->config, terminal);
    const uint32_t lanes = anl_class_lanes(run->config), classes = anl_num_classes(run->config);
    const uint32_t class_ = wire->vc / lanes < classes ? wire->vc / lanes : 0;
    struct sender *sender = &run->sources[terminal * classes + class_];
    char seen[512];
    if (sender->index == 0) {
        sender->worm = next_worm(run, sender->worm, terminal, class_);
        sender->vc = wire->vc;
    }
    describe_wire(run->config, wire, seen, sizeof seen);
    if (sender->worm == NOWHERE) {
        clocks_note(run, link, wire->vc, "flit", "no flit", seen);
        return;
    }
    const struct anl_worm *worm = &run->harness.worms.worm[sender->worm].worm;
    const struct anl_flit flit = {.link = link,
                                  .worm = sender->worm,
                                  .index = sender->index,
                                  .vc = sender->vc,
                                  .head = sender->index == 0,
                                  .tail = sender->index + 1 == worm->length};
    if (!clocks_is_same(run, &flit, wire)) clocks_note_flit(run, "flit", &flit, wire);
    run->flits[run->num_flits++] = flit;
    sender->index = flit.tail ? 0 : (uint16_t)(sender->index + 1);
    sender->worm += flit.tail;
}

void clocks_check_sent(struct run *run)
{
    const struct wires *links = &run->harness.observed.links;
    for (uint32_t l = wires_next(links, 0); l < links->size; l = wires_next(links, l + 1))
        send_flit(run, l - run->switch_links, &links->wire[l]);
}
