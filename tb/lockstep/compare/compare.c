// SPDX-License-Identifier: Apache-2.0

#include "compare.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 64, DATA_BYTES = 2 + ANL_MAX_FLIT_WIDTH_BITS / 4 + 1 };

// Counts a difference. Returns true if it is the first one, which must be described.
static bool first_of(struct comparison *comparison)
{
    struct difference *difference = comparison->difference;
    if (difference->count++ != 0) return false;
    difference->cycle = comparison->cycle;
    difference->link = difference->switch_ = difference->port = NOWHERE;
    difference->vc = difference->worm = difference->index = NOWHERE;
    return true;
}

void name_link(struct difference *difference, const struct anl_config *config, uint32_t link,
               uint32_t vc)
{
    char name[NAME_BYTES];
    struct anl_shape shape = anl_shape_of(config);
    anl_link_name(config, link, name, sizeof name);
    difference->link = link;
    difference->vc = vc;
    if (link < shape.switches * shape.ports) {
        difference->switch_ = link / shape.ports;
        difference->port = link % shape.ports;
    }
    if (vc == NOWHERE)
        snprintf(difference->where, sizeof difference->where, "link %s", name);
    else
        snprintf(difference->where, sizeof difference->where, "link %s lane %u", name, vc);
}

static void write_data(const struct anl_config *config, const uint32_t *flit, char *text)
{
    uint32_t width = config->flit_width_bits, digits = (width + 3) / 4;
    text += sprintf(text, "0x");
    for (uint32_t d = digits; d-- > 0;) {
        uint32_t nibble = flit[d / 8] >> (d % 8 * 4) & 15;
        if (d == digits - 1 && width % 4) nibble &= (1u << width % 4) - 1;
        text += sprintf(text, "%x", nibble);
    }
}

static const char *mark_name(bool head, bool tail)
{
    static const char *const names[] = {"body", "head", "tail", "head and tail"};
    return names[head + 2 * tail];
}

void describe_flit(const struct harness *harness, const struct anl_flit *flit, char *text,
                   size_t size)
{
    const struct anl_worm *worm = &harness->worms.worm[flit->worm].worm;
    const struct anl_config *config = harness->worms.config;
    uint32_t bits[FLIT_WORDS];
    char data[DATA_BYTES];
    flit_pack(config, worm, flit->index, flit->link, bits);
    write_data(config, bits, data);
    snprintf(text, size, "%s, lane %u, data %s (worm %u from %u to %u, flit %u of %u)",
             mark_name(flit->head, flit->tail), flit->vc, data, flit->worm, worm->source,
             worm->destination, flit->index, worm->length);
}

void describe_wire(const struct anl_config *config, const struct wire *wire, char *text,
                   size_t size)
{
    char data[DATA_BYTES];
    write_data(config, wire->flit, data);
    snprintf(text, size, "%s, lane %u, data %s",
             mark_name(wire_head(config, wire), wire_tail(config, wire)), wire->vc, data);
}

static bool same_flit(const struct harness *harness, const struct anl_flit *flit,
                      const struct wire *wire)
{
    const struct anl_config *config = harness->worms.config;
    uint32_t bits[FLIT_WORDS];
    flit_pack(config, &harness->worms.worm[flit->worm].worm, flit->index, flit->link, bits);
    return wire->vc == flit->vc && wire_head(config, wire) == flit->head &&
           wire_tail(config, wire) == flit->tail &&
           memcmp(bits, wire->flit, flit_words(config) * sizeof *bits) == 0;
}

// Reports a difference on a link. flit or wire may be NULL: no flit was expected, or none was seen.
static void differ_on_link(struct comparison *comparison, uint32_t link,
                           const struct anl_flit *flit, const struct wire *wire)
{
    const struct anl_config *config = comparison->harness->worms.config;
    struct difference *difference = comparison->difference;
    if (!first_of(comparison)) return;
    name_link(difference, config, link, flit ? flit->vc : wire->vc);
    difference->worm = flit ? flit->worm : NOWHERE;
    difference->index = flit ? flit->index : NOWHERE;
    snprintf(difference->what, sizeof difference->what, "flit");
    snprintf(difference->expected, sizeof difference->expected, "no flit");
    snprintf(difference->seen, sizeof difference->seen, "no flit");
    if (flit)
        describe_flit(comparison->harness, flit, difference->expected, sizeof difference->expected);
    if (wire) describe_wire(config, wire, difference->seen, sizeof difference->seen);
}

// Returns the first link that is watched if no link between switches is.
static uint32_t first_outside(const struct comparison *comparison)
{
    const struct injections *injections = &comparison->harness->injections;
    const struct anl_shape *shape = &comparison->history->shape;
    return injections->num_lanes ? injections->outputs : shape->switches * shape->ports;
}

void compare_flits(struct comparison *comparison, const struct anl_flit *expected, size_t count)
{
    const struct wires *links = &comparison->harness->observed.links;
    const uint32_t first = comparison->closed ? first_outside(comparison) : 0;
    const uint32_t lines = comparison->harness->observed.lines;
    uint32_t seen = wires_next(links, 0);
    for (size_t i = 0; i < count; i++) {
        const struct anl_flit *flit = &expected[i];
        const uint32_t line = flit->link * lines + (lines > 1 ? flit->vc : 0);
        if (flit->link < first) continue;
        for (; seen < line; seen = wires_next(links, seen + 1))
            differ_on_link(comparison, seen / lines, NULL, &links->wire[seen]);
        if (seen != line) {
            differ_on_link(comparison, flit->link, flit, NULL);
            continue;
        }
        if (!same_flit(comparison->harness, flit, &links->wire[seen]))
            differ_on_link(comparison, flit->link, flit, &links->wire[seen]);
        seen = wires_next(links, seen + 1);
    }
    for (; seen < links->size; seen = wires_next(links, seen + 1))
        differ_on_link(comparison, seen / lines, NULL, &links->wire[seen]);
}

static void differ_at_sink(struct comparison *comparison, uint32_t terminal,
                           const struct anl_flit *flit, const struct wire *wire)
{
    struct difference *difference = comparison->difference;
    differ_on_link(comparison, anl_ejection_link(comparison->history->config, terminal), flit,
                   wire);
    if (difference->count > 1) return;
    snprintf(difference->what, sizeof difference->what, "flit handed out");
    snprintf(difference->where, sizeof difference->where, "terminal T%u lane %u", terminal,
             difference->vc);
}

// Returns the lane whose flit the sink of a class shows: the lowest one of the class that holds a
// flit, unless the model says that the sink has refused another one. num_vcs: it shows none. If
// links are wide each lane has a sink in place of each class.
static uint32_t lane_at_sink(const struct comparison *comparison, const struct anl_state *state,
                             uint32_t terminal, uint32_t class_)
{
    const struct anl_config *config = comparison->history->config;
    const uint32_t num_vcs = config->num_vcs;
    const uint32_t lanes = num_vcs / comparison->harness->observed.ends;
    const struct anl_terminal_lane_state *lane = &state->terminal_lanes[terminal * num_vcs];
    if (config->reply_queue) {
        const struct anl_sink_state *sink =
            &state->sinks[terminal * anl_num_classes(config) + class_];
        return sink->shows ? sink->vc : num_vcs;
    }
    for (uint32_t vc = class_ * lanes; vc < (class_ + 1) * lanes; vc++)
        if (lane[vc].count) return vc;
    return num_vcs;
}

// Writes the flit that the sink of a class must show; returns false if it must show none.
static bool expected_at_sink(const struct comparison *comparison, const struct anl_state *state,
                             uint32_t terminal, uint32_t class_, struct anl_flit *flit)
{
    const struct history *history = comparison->history;
    const uint32_t num_vcs = history->config->num_vcs;
    const uint32_t link = anl_ejection_link(history->config, terminal);
    const uint32_t vc = lane_at_sink(comparison, state, terminal, class_);
    if (vc == num_vcs) return false;
    const struct passage *front =
        history_last(history, link, vc, state->terminal_lanes[terminal * num_vcs + vc].count);
    if (!front) return false;
    *flit = (struct anl_flit){
        .link = link,
        .worm = front->worm,
        .index = front->index,
        .vc = (uint8_t)vc,
        .head = front->index == 0,
        .tail = front->tail,
    };
    return true;
}

void compare_sinks(struct comparison *comparison, const struct anl_state *expected)
{
    const struct wires *sinks = &comparison->harness->observed.sinks;
    uint32_t seen = wires_next(sinks, 0);
    const uint32_t ends = comparison->harness->observed.ends;
    for (uint32_t s = 0; s < sinks->size; s++) {
        struct anl_flit flit;
        const uint32_t terminal = s / ends;
        bool wanted = expected_at_sink(comparison, expected, terminal, s % ends, &flit);
        const struct wire *wire = seen == s ? &sinks->wire[s] : NULL;
        if (wire) seen = wires_next(sinks, s + 1);
        bool agree = wanted ? wire && same_flit(comparison->harness, &flit, wire) : !wire;
        if (!agree) differ_at_sink(comparison, terminal, wanted ? &flit : NULL, wire);
    }
}

// --- state ---

void compare_field(struct comparison *comparison, const struct field *field, uint32_t switch_,
                   uint32_t port, uint32_t vc)
{
    if (field->expected == field->seen || !first_of(comparison)) return;
    struct difference *difference = comparison->difference;
    const struct history *history = comparison->history;
    char name[NAME_BYTES];
    name_link(difference, history->config, switch_ * history->shape.ports + port, vc);
    anl_link_name(history->config, difference->link, name, sizeof name);
    if (strcmp(field->side, "switch") == 0)
        snprintf(difference->where, sizeof difference->where, "switch %.*s",
                 (int)strcspn(name, "."), name);
    else if (vc == NOWHERE)
        snprintf(difference->where, sizeof difference->where, "%s %s", field->side, name);
    else
        snprintf(difference->where, sizeof difference->where, "%s %s lane %u", field->side, name,
                 vc);
    // What flits have done there is known of the link that ends at the port.
    if (strcmp(field->side, "input") == 0 || strcmp(field->side, "injection") == 0)
        difference->link = history->into[switch_ * history->shape.ports + port];
    if (anl_has(history->config, ANL_TRAIT_STARTS) && port + 1 == history->shape.ports)
        difference->link = NOWHERE;  // what a source sends crosses no link before
    snprintf(difference->what, sizeof difference->what, "%s", field->name);
    snprintf(difference->expected, sizeof difference->expected, "%u", field->expected);
    snprintf(difference->seen, sizeof difference->seen, "%u", field->seen);
}

void compare_register(struct comparison *comparison, uint32_t switch_, uint32_t port,
                      const struct anl_flit *flit, const struct wire *wire)
{
    struct difference *difference = comparison->difference;
    const struct history *history = comparison->history;
    const uint32_t link = history->into[switch_ * history->shape.ports + port];
    char name[NAME_BYTES];
    if (flit && wire ? same_flit(comparison->harness, flit, wire) : !flit && !wire) return;
    differ_on_link(comparison, link, flit, wire);
    if (difference->count > 1) return;
    difference->switch_ = switch_;
    difference->port = port;
    anl_link_name(history->config, switch_ * history->shape.ports + port, name, sizeof name);
    snprintf(difference->where, sizeof difference->where, "input %s", name);
    snprintf(difference->what, sizeof difference->what, "link register");
}

#define FIELD(side, member) side, #member, expected->member, seen->member

static void compare_lane(struct comparison *comparison, size_t lane,
                         const struct anl_lane_state *expected, const struct anl_lane_state *seen)
{
    const struct field fields[] = {
        {FIELD("input", count)},       {FIELD("input", bound)},     {FIELD("input", bound_port)},
        {FIELD("input", bound_vc)},    {FIELD("output", credit)},   {FIELD("output", owned)},
        {FIELD("output", owner_port)}, {FIELD("output", owner_vc)},
    };
    uint32_t num_vcs = comparison->history->config->num_vcs,
             ports = comparison->history->shape.ports;
    uint32_t port = (uint32_t)(lane / num_vcs);
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        compare_field(comparison, &fields[f], port / ports, port % ports,
                      (uint32_t)(lane % num_vcs));
}

static void compare_port(struct comparison *comparison, size_t port,
                         const struct anl_port_state *expected, const struct anl_port_state *seen)
{
    const struct field fields[] = {{FIELD("input", in_ptr)}, {FIELD("output", out_ptr)}};
    uint32_t ports = comparison->history->shape.ports;
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        compare_field(comparison, &fields[f], (uint32_t)(port / ports), (uint32_t)(port % ports),
                      NOWHERE);
}

// Names of in_ptr where each class of an input port has one.
static const char *const in_ptr_names[ANL_MAX_VCS] = {
    "in_ptr of class 0", "in_ptr of class 1", "in_ptr of class 2", "in_ptr of class 3",
    "in_ptr of class 4", "in_ptr of class 5", "in_ptr of class 6", "in_ptr of class 7",
};

// The scans over classes of the input ports.
static void compare_classes(struct comparison *comparison, const struct anl_state *expected)
{
    const struct anl_state *seen = &comparison->harness->observed.state;
    const uint32_t ports = comparison->history->shape.ports;
    const uint32_t classes = comparison->harness->observed.classes;
    for (uint32_t i = 0; i < comparison->history->shape.switches * ports * classes; i++)
        compare_field(comparison,
                      &(struct field){"input", in_ptr_names[i % classes], expected->in_ptrs[i],
                                      seen->in_ptrs[i]},
                      i / classes / ports, i / classes % ports, NOWHERE);
    for (uint32_t i = 0; i < comparison->history->shape.switches * ports; i++) {
        const struct anl_favour_state *model = &expected->favours[i], *rtl = &seen->favours[i];
        const struct field favoured = {"input", "favoured class", model->class_, rtl->class_};
        const struct field quota = {"input", "quota", model->quota, rtl->quota};
        compare_field(comparison, &favoured, i / ports, i % ports, NOWHERE);
        compare_field(comparison, &quota, i / ports, i % ports, NOWHERE);
    }
}

// Compares a register of a terminal. It is at the port from which the terminal receives, or at that
// into which it sends.
static void compare_at_terminal(struct comparison *comparison, const struct field *field,
                                uint32_t terminal, uint32_t vc)
{
    const struct anl_config *config = comparison->history->config;
    const uint32_t ports = comparison->history->shape.ports;
    const uint32_t link = anl_ejection_link(config, terminal);
    struct anl_end at = {.node = link / ports, .port = link % ports};
    if (strcmp(field->side, "injection") == 0)
        at = anl_end_of(config, anl_injection_link(config, terminal));
    compare_field(comparison, field, at.node, at.port, vc);
}

// The scan over classes of a terminal's injection link, and what the terminal refuses by the rule
// and by the model.
static void compare_terminal(struct comparison *comparison, uint32_t terminal,
                             const struct anl_state *expected)
{
    const struct anl_config *config = comparison->history->config;
    const struct anl_state *seen = &comparison->harness->observed.state;
    const struct terminals *terminals = &comparison->harness->terminals;
    const uint32_t classes = comparison->harness->observed.classes;
    const struct anl_favour_state *model = &expected->injections[terminal];
    const struct anl_favour_state *rtl = &seen->injections[terminal];
    const struct field fields[] = {
        {"injection", "favoured class", model->class_, rtl->class_},
        {"injection", "quota", model->quota, rtl->quota},
        {"ejection", "reservations taken", expected->reservations[terminal],
         config->reply_queue ? terminals->reservations[terminal]
                             : expected->reservations[terminal]},
    };
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        compare_at_terminal(comparison, &fields[f], terminal, NOWHERE);
    for (uint32_t s = terminal * classes; config->reply_queue && s < (terminal + 1) * classes; s++)
        compare_at_terminal(comparison,
                            &(struct field){"ejection", "refusal", expected->sinks[s].refuses,
                                            terminals->sink[s].refuses},
                            terminal, NOWHERE);
}

static void compare_terminal_lane(struct comparison *comparison, size_t lane,
                                  const struct anl_terminal_lane_state *expected,
                                  const struct anl_terminal_lane_state *seen)
{
    const struct field fields[] = {
        {FIELD("ejection", count)},
        {FIELD("injection", credit)},
        {FIELD("injection", bound)},
    };
    const uint32_t num_vcs = comparison->history->config->num_vcs;
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        compare_at_terminal(comparison, &fields[f], (uint32_t)(lane / num_vcs),
                            (uint32_t)(lane % num_vcs));
}

static void compare_switches(struct comparison *comparison, const struct anl_state *expected)
{
    const struct anl_state *seen = &comparison->harness->observed.state;
    const struct anl_shape *shape = &comparison->history->shape;
    size_t ports = (size_t)shape->switches * shape->ports;
    size_t lanes = ports * comparison->history->config->num_vcs;
    if (memcmp(expected->lanes, seen->lanes, lanes * sizeof *seen->lanes) != 0)
        for (size_t i = 0; i < lanes; i++)
            compare_lane(comparison, i, &expected->lanes[i], &seen->lanes[i]);
    if (memcmp(expected->ports, seen->ports, ports * sizeof *seen->ports) != 0)
        for (size_t i = 0; i < ports; i++)
            compare_port(comparison, i, &expected->ports[i], &seen->ports[i]);
    if (comparison->harness->observed.classes > 1) compare_classes(comparison, expected);
    if (memcmp(expected->random, seen->random, shape->switches * sizeof *seen->random) != 0)
        for (uint32_t i = 0; i < shape->switches; i++)
            compare_field(comparison,
                          &(struct field){"switch", "random", expected->random[i], seen->random[i]},
                          i, shape->ports - 1, NOWHERE);
}

void compare_state(struct comparison *comparison, const struct anl_state *expected)
{
    const struct anl_state *seen = &comparison->harness->observed.state;
    const struct anl_shape *shape = &comparison->history->shape;
    size_t terminal_lanes = (size_t)shape->terminals * comparison->history->config->num_vcs;
    if (!comparison->unwatched) compare_switches(comparison, expected);
    if (memcmp(expected->terminal_lanes, seen->terminal_lanes,
               terminal_lanes * sizeof *seen->terminal_lanes) != 0)
        for (size_t i = 0; i < terminal_lanes; i++)
            compare_terminal_lane(comparison, i, &expected->terminal_lanes[i],
                                  &seen->terminal_lanes[i]);
    const bool special =
        comparison->harness->observed.classes > 1 || comparison->history->config->reply_queue > 0;
    for (uint32_t t = 0; special && t < shape->terminals; t++)
        compare_terminal(comparison, t, expected);
}

void compare_step(struct comparison *comparison, uint64_t step, uint32_t turn)
{
    const struct observed *observed = &comparison->harness->observed;
    const uint32_t port = comparison->history->shape.ports - 1;
    const struct field number = {"switch", "number of the step", (uint32_t)step, observed->step};
    const struct field lane = {"switch", "number of the lane", turn, observed->turn};
    compare_field(comparison, &number, 0, port, NOWHERE);
    compare_field(comparison, &lane, 0, port, NOWHERE);
}
