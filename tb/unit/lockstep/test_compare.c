// SPDX-License-Identifier: Apache-2.0
//
// The comparison against compare.h: a network seen as it is has no difference, and any one thing
// that is seen otherwise is the one difference, at its place.

#include "scene.h"

#include "compare/compare.h"

#include <stdio.h>
#include <string.h>

// A net, and what the probes would have seen of it.
struct match {
    struct scene scene;
    struct harness harness;
    struct difference difference;
    const struct anl_flit *flits;  // flits of the last cycle
    size_t count;
    bool closed, unwatched;
};

// The networks: one class of messages on shared links; two of them with terminals that refuse; wide
// links.
enum kind { PLAIN, CLASSES, WIDE, KINDS };

static struct comparison comparison_of(struct match *match)
{
    return (struct comparison){
        .harness = &match->harness,
        .history = &match->scene.history,
        .cycle = 77,
        .difference = &match->difference,
        .closed = match->closed,
        .unwatched = match->unwatched,
    };
}

static void see(struct match *match, struct wires *wires, uint32_t number,
                const struct anl_flit *flit)
{
    const struct anl_config *config = &match->scene.config;
    uint32_t bits[FLIT_WORDS];
    flit_pack(config, &match->harness.worms.worm[flit->worm].worm, flit->index, flit->link, bits);
    wires_put(wires, number, flit->vc, bits, flit_words(config));
}

// Returns the wire by which a flit crosses its link.
static uint32_t wire_of(const struct match *match, const struct anl_flit *flit)
{
    const bool wide = match->scene.config.link == ANL_WIDE;
    return wide ? flit->link * match->scene.config.num_vcs + flit->vc : flit->link;
}

static void toggle(struct match *match, const struct anl_flit *flit)
{
    const uint32_t wire = wire_of(match, flit);
    match->harness.observed.links.valid[wire / 64] ^= UINT64_C(1) << wire % 64;
}

// Each sink gives out the front flit of its lowest lane that holds one, or of the one that it has
// refused. It has the lanes of a class or, if links are wide, one lane.
static void see_sinks(struct match *match)
{
    const struct anl_config *config = &match->scene.config;
    const uint32_t ends = match->harness.observed.ends, lanes = config->num_vcs / ends;
    for (uint32_t s = 0; s < match->harness.observed.sinks.size; s++) {
        const uint32_t t = s / ends, first = t * config->num_vcs + s % ends * lanes;
        const struct anl_sink_state *sink =
            config->reply_queue ? &match->scene.state.sinks[s] : NULL;
        for (uint32_t i = 0; i < lanes; i++) {
            const uint32_t count = match->scene.state.terminal_lanes[first + i].count;
            const uint32_t vc = s % ends * lanes + i;
            if (count == 0 || (sink && sink->refuses && sink->vc != vc)) continue;
            const struct passage *front =
                history_last(&match->scene.history, anl_ejection_link(config, t), vc, count);
            const struct anl_flit flit = {
                .worm = front->worm, .index = front->index, .vc = (uint8_t)vc};
            see(match, &match->harness.observed.sinks, s, &flit);
            break;
        }
    }
}

static void see_state(struct match *match)
{
    const struct anl_shape *shape = &match->scene.history.shape;
    struct anl_state *seen = &match->harness.observed.state, *is = &match->scene.state;
    size_t ports = (size_t)shape->switches * shape->ports;
    uint32_t vcs = match->scene.config.num_vcs;
    memcpy(seen->lanes, is->lanes, ports * vcs * sizeof *is->lanes);
    memcpy(seen->ports, is->ports, ports * sizeof *is->ports);
    memcpy(seen->random, is->random, shape->switches * sizeof *is->random);
    memcpy(seen->terminal_lanes, is->terminal_lanes,
           (size_t)shape->terminals * vcs * sizeof *is->terminal_lanes);
    const uint32_t classes = match->harness.observed.classes;
    memcpy(seen->in_ptrs, is->in_ptrs, ports * classes * sizeof *is->in_ptrs);
    memcpy(seen->favours, is->favours, ports * sizeof *is->favours);
    memcpy(seen->injections, is->injections, shape->terminals * sizeof *is->injections);
    for (uint32_t t = 0; t < shape->terminals; t++)
        match->harness.terminals.reservations[t] = is->reservations[t];
    for (uint32_t s = 0; s < shape->terminals * classes; s++)
        match->harness.terminals.sink[s].refuses = is->sinks[s].refuses;
}

static struct anl_config config_of(enum kind kind)
{
    struct anl_config config = unit_networks[6];
    config.depth = 2;
    config.flit_width_bits = 65;
    config.arbiter = kind == CLASSES ? ANL_ROUND_ROBIN : ANL_RANDOM;
    if (kind == CLASSES) config.classes = 2, config.reply_queue = 1;
    if (kind == WIDE) config.link = ANL_WIDE;
    return config;
}

// A small torus under traffic: flits on links and in terminals, and lanes that are bound or wait.
// Where there are two classes, requests of one of them are refused.
static void create_after(struct match *match, enum kind kind, int cycles)
{
    *match = (struct match){.harness.seed = 0};
    scene_create(&match->scene, config_of(kind));
    assert_int_equal(observed_create(&match->harness.observed, &match->scene.config, NULL), ANL_OK);
    assert_int_equal(terminals_create(&match->harness.terminals, &match->scene.config), ANL_OK);
    for (uint32_t t = 0; t < 12; t++) {  // none for terminals 0 .. 4
        const uint32_t to = t + 5 < 10 ? t + 5 : 9;
        if (kind == CLASSES)
            scene_enqueue_worm(
                &match->scene,
                (struct anl_worm){
                    .source = t, .destination = to, .length = 1, .class_ = 1, .role = ANL_REQUEST});
        scene_enqueue(&match->scene, t, to, 6);
    }
    scene_step(&match->scene, cycles);
    match->harness.worms = match->scene.worms;  // the scene owns them
    match->flits = anl_engine_flits(match->scene.net, &match->count);
    assert_true(match->count > 2);
    for (size_t i = 0; i < match->count; i++)
        see(match, &match->harness.observed.links, wire_of(match, &match->flits[i]),
            &match->flits[i]);
    see_sinks(match);
    see_state(match);
}

static void create(struct match *match, enum kind kind) { create_after(match, kind, 8); }

static void destroy(struct match *match)
{
    observed_destroy(&match->harness.observed);
    terminals_destroy(&match->harness.terminals);
    scene_destroy(&match->scene);
}

static void compare(struct match *match)
{
    struct comparison comparison = comparison_of(match);
    match->difference = (struct difference){0};
    compare_flits(&comparison, match->flits, match->count);
    compare_sinks(&comparison, &match->scene.state);
    compare_state(&comparison, &match->scene.state);
}

static void expect(struct match *match, uint32_t count, const char *what, const char *buffer)
{
    compare(match);
    assert_int_equal(match->difference.count, count);
    if (count == 0) return;
    assert_int_equal(match->difference.cycle, 77);
    assert_string_equal(match->difference.what, what);
    assert_string_equal(match->difference.where, buffer);
}

static void buffer_of_link(const struct match *match, const struct anl_flit *flit, char buffer[96])
{
    char name[64];
    anl_link_name(&match->scene.config, flit->link, name, sizeof name);
    snprintf(buffer, 96, "link %s lane %u", name, flit->vc);
}

static void same_network_has_no_difference(void **unused)
{
    (void)unused;
    struct match match;
    for (enum kind kind = PLAIN; kind < KINDS; kind++) {
        create(&match, kind);
        expect(&match, 0, NULL, NULL);
        observed_clear(&match.harness.observed);
        match.count = 0;
        compare(&match);
        assert_int_not_equal(match.difference.count, 0);  // the sinks
        destroy(&match);
    }
}

// A difference in any bit of any flit that crosses counts, also in its marks.
static void any_bit_of_a_flit_counts(void **unused)
{
    (void)unused;
    char buffer[96];
    struct match match;
    for (enum kind kind = PLAIN; kind < KINDS; kind++) {
        create(&match, kind);
        for (size_t i = 0; i < match.count; i++) {
            const struct anl_flit *flit = &match.flits[i];
            struct wire *wire = &match.harness.observed.links.wire[wire_of(&match, flit)];
            buffer_of_link(&match, flit, buffer);
            for (uint32_t bit = 0; bit < match.scene.config.flit_width_bits + 2; bit++) {
                wire->flit[bit / 32] ^= 1u << bit % 32;
                expect(&match, 1, "flit", buffer);
                assert_int_equal(match.difference.link, flit->link);
                assert_int_equal(match.difference.vc, flit->vc);
                assert_int_equal(match.difference.worm, flit->worm);
                assert_string_not_equal(match.difference.expected, match.difference.seen);
                wire->flit[bit / 32] ^= 1u << bit % 32;
            }
            if (kind == WIDE) continue;  // the wires are those of the lane
            wire->vc ^= 1;
            expect(&match, 1, "flit", buffer);
            wire->vc ^= 1;
        }
        expect(&match, 0, NULL, NULL);
        destroy(&match);
    }
}

static void missing_flit_counts(void **unused)
{
    (void)unused;
    char buffer[96];
    struct match match;
    for (enum kind kind = PLAIN; kind < KINDS; kind++) {
        create(&match, kind);
        for (size_t i = 0; i < match.count; i++) {
            const struct anl_flit *flit = &match.flits[i];
            buffer_of_link(&match, flit, buffer);
            toggle(&match, flit);
            expect(&match, 1, "flit", buffer);
            assert_string_equal(match.difference.seen, "no flit");
            toggle(&match, flit);
        }
        destroy(&match);
    }
}

static void registers_of_switches_need_not_be_seen(void **unused)
{
    (void)unused;
    struct match match;
    create(&match, PLAIN);
    struct anl_state *state = &match.harness.observed.state;
    match.unwatched = true;
    state->lanes[0].credit ^= 1;
    state->ports[0].in_ptr ^= 1;
    state->random[0] ^= 1;
    expect(&match, 0, NULL, NULL);
    for (size_t i = 0; i < match.count; i++) {
        toggle(&match, &match.flits[i]);
        compare(&match);
        assert_int_equal(match.difference.count, 1);
        toggle(&match, &match.flits[i]);
    }
    state->terminal_lanes[0].credit ^= 1;
    compare(&match);
    assert_int_equal(match.difference.count, 1);
    destroy(&match);
}

static void of_a_closed_network_the_ends_count(void **unused)
{
    (void)unused;
    struct match match;
    create_after(&match, PLAIN, 4);
    const uint32_t first = match.scene.history.shape.switches * match.scene.history.shape.ports;
    uint32_t inside = 0, outside = 0;
    match.closed = match.unwatched = true;
    for (size_t i = 0; i < match.count; i++)
        if (match.flits[i].link < first) toggle(&match, &match.flits[i]);
    expect(&match, 0, NULL, NULL);
    for (size_t i = 0; i < match.count; i++) {  // a flit is added, or one is missing
        inside += match.flits[i].link < first;
        outside += match.flits[i].link >= first;
        toggle(&match, &match.flits[i]);
        compare(&match);
        assert_int_equal(match.difference.count, 1);
        toggle(&match, &match.flits[i]);
    }
    assert_true(inside > 0 && outside > 0);
    destroy(&match);
}

// A flit is added on every link that has none: before the first, between two, behind the last.
static void flit_too_many_counts(void **unused)
{
    (void)unused;
    char buffer[96];
    struct match match;
    for (enum kind kind = PLAIN; kind < KINDS; kind++) {
        create(&match, kind);
        struct wires *links = &match.harness.observed.links;
        uint32_t tried = 0;
        const uint32_t lines = match.harness.observed.lines;
        for (uint32_t wire = 0; wire < links->size; wire++) {
            struct anl_flit extra = match.flits[0];
            if (wires_next(links, wire) == wire) continue;
            extra.link = wire / lines;
            if (lines > 1) extra.vc = (uint8_t)(wire % lines);
            see(&match, links, wire, &extra);
            buffer_of_link(&match, &extra, buffer);
            expect(&match, 1, "flit", buffer);
            assert_string_equal(match.difference.expected, "no flit");
            assert_int_equal(match.difference.worm, NOWHERE);
            toggle(&match, &extra);
            tried++;
        }
        assert_true(tried > 0);
        expect(&match, 0, NULL, NULL);
        destroy(&match);
    }
}

static void sinks_count(void **unused)
{
    (void)unused;
    struct match match;
    for (enum kind kind = PLAIN; kind < KINDS; kind++) {
        create(&match, kind);
        struct wires *sinks = &match.harness.observed.sinks;
        uint32_t with_flit = 0, without = 0;
        for (uint32_t t = 0; t < sinks->size; t++) {
            bool holds = wires_next(sinks, t) == t;
            struct wire kept = sinks->wire[t];
            char buffer[96];
            if (!holds) see(&match, sinks, t, &match.flits[0]);
            snprintf(buffer, sizeof buffer, "terminal T%u lane %u", t / match.harness.observed.ends,
                     sinks->wire[t].vc);
            if (holds) {
                sinks->wire[t].flit[2] ^= 1;  // the highest data bit
                expect(&match, 1, "flit handed out", buffer);
                sinks->wire[t] = kept;
                sinks->valid[t / 64] ^= UINT64_C(1) << t % 64;
                expect(&match, 1, "flit handed out", buffer);
                sinks->valid[t / 64] ^= UINT64_C(1) << t % 64;
                with_flit++;
            } else {
                expect(&match, 1, "flit handed out", buffer);
                sinks->valid[t / 64] ^= UINT64_C(1) << t % 64;
                without++;
            }
        }
        assert_true(with_flit > 0);
        assert_true(without > 0);
        destroy(&match);
    }
}

// ---------------------------------------------------------------- registers

// Adds one to each byte of seen in turn; names has the names of the bytes of an element.
static void each_byte_counts(struct match *match, void *seen, size_t bytes,
                             const char *const *names, size_t num_names)
{
    uint8_t *byte = seen;
    for (size_t i = 0; i < bytes; i++) {
        const char *name = names[i % num_names];
        if (!name) continue;
        byte[i]++;
        compare(match);
        assert_int_equal(match->difference.count, 1);
        assert_string_equal(match->difference.what, name);
        assert_int_not_equal(match->difference.switch_, NOWHERE);
        byte[i]--;
    }
}

static void refusals_count(struct match *match)
{
    struct terminals *terminals = &match->harness.terminals;
    uint32_t refused = 0;
    for (uint32_t t = 0; t < terminals->number; t++) {
        terminals->reservations[t]++;
        compare(match);
        assert_int_equal(match->difference.count, 1);
        assert_string_equal(match->difference.what, "reservations taken");
        terminals->reservations[t]--;
    }
    for (uint32_t s = 0; s < terminals->number * terminals->classes; s++) {
        refused += terminals->sink[s].refuses;
        terminals->sink[s].refuses ^= true;
        compare(match);
        assert_int_equal(match->difference.count, 1);
        assert_string_equal(match->difference.what, "refusal");
        terminals->sink[s].refuses ^= true;
    }
    assert_true(refused > 0);
}

static void every_register_counts(void **unused)
{
    (void)unused;
    static const char *const lane[] = {"count",  "bound", "bound_port", "bound_vc",
                                       "credit", "owned", "owner_port", "owner_vc"};
    static const char *const port[] = {"in_ptr", "out_ptr"};
    static const char *const terminal[] = {"count", "credit", "bound", NULL};
    static const char *const random[] = {"random"};
    static const char *const in_ptrs[] = {"in_ptr of class 0", "in_ptr of class 1"};
    static const char *const favour[] = {"favoured class", "quota"};
    struct match match;
    for (enum kind kind = PLAIN; kind < KINDS; kind++) {
        create(&match, kind);
        struct anl_state *seen = &match.harness.observed.state;
        const struct anl_shape *shape = &match.scene.history.shape;
        size_t ports = (size_t)shape->switches * shape->ports;
        uint32_t vcs = match.scene.config.num_vcs;
        each_byte_counts(&match, seen->lanes, ports * vcs * sizeof *seen->lanes, lane, 8);
        each_byte_counts(&match, seen->ports, ports * sizeof *seen->ports, port, 2);
        each_byte_counts(&match, seen->random, shape->switches * sizeof *seen->random, random, 1);
        each_byte_counts(&match, seen->terminal_lanes,
                         (size_t)shape->terminals * vcs * sizeof *seen->terminal_lanes, terminal,
                         4);
        if (kind == CLASSES) {
            each_byte_counts(&match, seen->in_ptrs, ports * 2, in_ptrs, 2);
            each_byte_counts(&match, seen->favours, ports * sizeof *seen->favours, favour, 2);
            each_byte_counts(&match, seen->injections, shape->terminals * sizeof *seen->injections,
                             favour, 2);
            refusals_count(&match);
        }
        expect(&match, 0, NULL, NULL);
        destroy(&match);
    }
}

// Switch 6 is at (2,1); its port 4 of 5 is the terminal's.
static void registers_are_named_by_their_buffer(void **unused)
{
    (void)unused;
    struct match match;
    create(&match, PLAIN);
    struct anl_state *seen = &match.harness.observed.state;
    seen->lanes[(6 * 5 + 3) * 4 + 2].bound += 1;
    expect(&match, 1, "bound", "input 6(2,1).-1 lane 2");
    assert_int_equal(match.difference.link, 2 * 5 + 2);  // 2(2,0).+1 ends there
    seen->lanes[(6 * 5 + 2) * 4 + 1].owned += 1;
    expect(&match, 2, "owned", "output 6(2,1).+1 lane 1");
    assert_int_equal(match.difference.switch_, 6);
    assert_int_equal(match.difference.port, 2);
    assert_int_equal(match.difference.vc, 1);
    see_state(&match);
    seen->ports[6 * 5 + 4].out_ptr += 1;
    expect(&match, 1, "out_ptr", "output 6(2,1).T");
    see_state(&match);
    seen->random[6] += 1;
    expect(&match, 1, "random", "switch 6(2,1)");
    see_state(&match);
    seen->terminal_lanes[6 * 4 + 3].credit += 1;
    expect(&match, 1, "credit", "injection 6(2,1).T lane 3");
    destroy(&match);
}

// ---------------------------------------------------------------- words

static void first_is_kept_all_are_counted(void **unused)
{
    (void)unused;
    char buffer[96];
    struct match match;
    create(&match, PLAIN);
    for (size_t i = 0; i < match.count; i++)
        match.harness.observed.links.wire[match.flits[i].link].flit[0] ^= 1;
    buffer_of_link(&match, &match.flits[0], buffer);
    expect(&match, (uint32_t)match.count, "flit", buffer);
    destroy(&match);
}

static void flit_is_described(void **unused)
{
    (void)unused;
    char text[512], cut[16];
    struct match match;
    create(&match, PLAIN);
    uint32_t data[ANL_FLIT_WORDS];
    const struct anl_flit head = {.worm = 3, .index = 0, .vc = 2, .head = true};
    anl_flit_data(&match.scene.config, &match.harness.worms.worm[3].worm, 0, 0, data);
    char expected[512];
    snprintf(expected, sizeof expected,
             "head, lane 2, data 0x%x%08x%08x (worm 3 from 3 to 8, flit 0 of 6)", data[2], data[1],
             data[0]);
    describe_flit(&match.harness, &head, text, sizeof text);
    assert_string_equal(text, expected);
    describe_flit(&match.harness, &head, cut, sizeof cut);
    assert_int_equal(strlen(cut), sizeof cut - 1);
    destroy(&match);
}

static void link_is_named(void **unused)
{
    (void)unused;
    struct anl_config config = unit_networks[6];
    struct difference difference = {.switch_ = NOWHERE, .port = NOWHERE};
    name_link(&difference, &config, 16 * 5 + 3, 1);
    assert_string_equal(difference.where, "link T3.inject lane 1");
    assert_int_equal(difference.switch_, NOWHERE);
    assert_int_equal(difference.port, NOWHERE);
    name_link(&difference, &config, 15 * 5 + 4, NOWHERE);
    assert_string_equal(difference.where, "link 15(3,3).T");
    assert_int_equal(difference.link, 15 * 5 + 4);
    assert_int_equal(difference.switch_, 15);
    assert_int_equal(difference.port, 4);
    assert_int_equal(difference.vc, NOWHERE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_network_has_no_difference),
        cmocka_unit_test(any_bit_of_a_flit_counts),
        cmocka_unit_test(missing_flit_counts),
        cmocka_unit_test(registers_of_switches_need_not_be_seen),
        cmocka_unit_test(of_a_closed_network_the_ends_count),
        cmocka_unit_test(flit_too_many_counts),
        cmocka_unit_test(sinks_count),
        cmocka_unit_test(every_register_counts),
        cmocka_unit_test(registers_are_named_by_their_buffer),
        cmocka_unit_test(first_is_kept_all_are_counted),
        cmocka_unit_test(flit_is_described),
        cmocka_unit_test(link_is_named),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
