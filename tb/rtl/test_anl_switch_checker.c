// SPDX-License-Identifier: Apache-2.0
//
// The checker of a switch beside the referee: both see the links of a switch that keeps all rules
// (one_switch.h), spoiled in one of the ways of a table, and must name the same rule in the same
// cycle. The referee is asked through the watch (annelid/live.h), which knows flits by their data
// as the checker does. It knows links with credits; what other styles forbid is read from
// link_rule.h.

#include "bench.h"
#include "one_switch.h"

#include <annelid/live.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FLIT_BITS = 32, LENGTH_BITS = 8, NUM_RULES = 18, NO_RULE = 31, REST_CYCLES = 64 };

static const char *const names[NUM_RULES] = {
    "bad_link",    "no_credit",    "early_credit", "sent_at_stop",  "withdrawn",    "changed",
    "lane_shared", "bad_marks",    "lost_credit",  "bad_link",      "made_up_flit", "two_alike",
    "too_early",   "out_of_order", "split_worm",   "illegal_route", "overflow",     "stalled",
};

static unsigned long times_named[NUM_RULES], times_good;

struct state {
    struct switch_story story;
    struct link_state links[SWITCH_LINKS];
    struct anl_live *live;
    FILE *nowhere;
    const char *damage;
    unsigned now, patience, number;
    bool restart, asked_rest;
};

// --- what can be spoiled: each returns false if the story has no place for it ---

struct place {
    unsigned cycle, link;
};

enum kind { ANY, HEAD, BODY, TAIL, OPEN };  // OPEN: no tail, so the worm goes on
enum where { OUT, IN };

static struct link_wires *at(struct switch_story *story, struct place place)
{
    return &story->wires[place.cycle][place.link];
}

static bool crosses(const struct switch_story *story, const struct link_wires *wires)
{
    const struct link_state link = {.style = story->size.style, .num_vcs = story->size.num_vcs};
    return link_crosses(&link, wires);
}

static bool is_kind(const struct link_wires *wires, enum kind kind)
{
    if (kind == HEAD) return wires->head;
    if (kind == BODY) return !wires->head;
    if (kind == TAIL) return wires->tail && !wires->head;
    return kind == ANY || !wires->tail;
}

// Finds any flit that crosses a link, of those that the predicate takes.
static bool find(struct switch_story *story, enum where where, enum kind kind,
                 bool (*fits)(struct switch_story *, struct place), struct place *found)
{
    unsigned many = 0;
    const unsigned first = where == OUT ? 0 : story->size.ports;
    for (unsigned c = 0; c + story->quiet < story->cycles; c++)
        for (unsigned l = first; l < first + story->size.ports; l++) {
            const struct place place = {c, l};
            const struct link_wires *wires = at(story, place);
            if (!crosses(story, wires) || !is_kind(wires, kind)) continue;
            if (fits && !fits(story, place)) continue;
            if (random_below(++many) == 0) *found = place;
        }
    return many > 0;
}

static struct place place_of_data(struct switch_story *story, enum where where, uint64_t data)
{
    const unsigned first = where == OUT ? 0 : story->size.ports;
    for (unsigned c = 0; c < story->cycles; c++)
        for (unsigned l = first; l < first + story->size.ports; l++) {
            const struct place place = {c, l};
            if (crosses(story, at(story, place)) && at(story, place)->flit == data) return place;
        }
    return (struct place){SWITCH_CYCLES, 0};
}

static void set_ready(struct switch_story *story, struct link_wires *wires)
{
    if (story->size.style == LINK_READY) wires->back |= 1;
    if (story->size.style == LINK_READY_LANES) wires->back |= UINT64_C(1) << wires->vc;
}

// A copy of what crosses one place crosses another one, if nothing does there.
static bool put_at(struct switch_story *story, struct place place, struct link_wires copy)
{
    if (place.cycle >= story->cycles || at(story, place)->valid) return false;
    copy.back = at(story, place)->back;
    *at(story, place) = copy;
    set_ready(story, at(story, place));
    return true;
}

static bool nowhere(struct switch_story *story) { return story != NULL; }

static bool flip(struct switch_story *story, enum where where, enum kind kind, uint64_t data,
                 bool head, bool tail)
{
    struct place place;
    if (!find(story, where, kind, NULL, &place)) return false;
    struct link_wires *wires = at(story, place);
    wires->flit ^= data;
    wires->head ^= head;
    wires->tail ^= tail;
    if (!head || !wires->head || where == OUT) return true;
    wires->length = 3;
    wires->flit &= ~ones(index_width(story->size.ports));  // port 0
    return true;
}

static bool change_head(struct switch_story *s) { return flip(s, OUT, HEAD, 1u << 30, 0, 0); }
static bool change_body(struct switch_story *s) { return flip(s, OUT, BODY, 1u << 29, 0, 0); }
static bool unmark_head(struct switch_story *s) { return flip(s, OUT, HEAD, 0, 1, 0); }
static bool unmark_tail(struct switch_story *s) { return flip(s, OUT, TAIL, 0, 0, 1); }
static bool mark_head(struct switch_story *s) { return flip(s, OUT, BODY, 0, 1, 0); }
static bool mark_tail(struct switch_story *s) { return flip(s, OUT, OPEN, 0, 0, 1); }
static bool in_unmark_head(struct switch_story *s) { return flip(s, IN, HEAD, 0, 1, 0); }
static bool in_unmark_tail(struct switch_story *s) { return flip(s, IN, TAIL, 0, 0, 1); }
static bool in_mark_head(struct switch_story *s) { return flip(s, IN, BODY, 0, 1, 0); }
static bool in_mark_tail(struct switch_story *s) { return flip(s, IN, OPEN, 0, 0, 1); }
static bool in_change(struct switch_story *s) { return flip(s, IN, BODY, 1u << 29, 0, 0); }

static bool lose(struct switch_story *story, enum where where, enum kind kind)
{
    struct place place;
    if (!find(story, where, kind, NULL, &place)) return false;
    at(story, place)->valid = false;
    return true;
}

static bool lose_head(struct switch_story *s) { return lose(s, OUT, HEAD); }
static bool lose_body(struct switch_story *s) { return lose(s, OUT, BODY); }
static bool in_lose_head(struct switch_story *s) { return lose(s, IN, HEAD); }
static bool in_lose_body(struct switch_story *s) { return lose(s, IN, BODY); }

static bool change_vc(struct switch_story *story, enum where where, enum kind kind)
{
    struct place place;
    const unsigned num_vcs = story->size.num_vcs;
    if (num_vcs == 1 || !find(story, where, kind, NULL, &place)) return false;
    struct link_wires *wires = at(story, place);
    wires->vc = (wires->vc + 1 + (unsigned)random_below(num_vcs - 1)) % num_vcs;
    set_ready(story, wires);
    return true;
}

static bool change_lane(struct switch_story *s) { return change_vc(s, OUT, BODY); }
static bool change_lane_of_head(struct switch_story *s) { return change_vc(s, OUT, HEAD); }
static bool in_change_lane(struct switch_story *s) { return change_vc(s, IN, BODY); }
static bool in_change_lane_of_head(struct switch_story *s) { return change_vc(s, IN, HEAD); }

static bool no_such_vc(struct switch_story *story, enum where where)
{
    struct place place;
    const unsigned num_vcs = story->size.num_vcs;
    if (num_vcs == 1u << index_width(num_vcs) || !find(story, where, ANY, NULL, &place))
        return false;
    at(story, place)->vc = num_vcs;
    return true;
}

static bool no_such_lane(struct switch_story *s) { return no_such_vc(s, OUT); }
static bool in_no_such_lane(struct switch_story *s) { return no_such_vc(s, IN); }

// A flit leaves in the cycle in which it comes.
static bool in_no_time(struct switch_story *story, enum kind kind)
{
    struct place place;
    if (!find(story, OUT, kind, NULL, &place)) return false;
    const struct link_wires copy = *at(story, place);
    const struct place came = place_of_data(story, IN, copy.flit);
    at(story, place)->valid = false;
    return put_at(story, (struct place){came.cycle, place.link}, copy);
}

static bool head_in_no_time(struct switch_story *s) { return in_no_time(s, HEAD); }
static bool body_in_no_time(struct switch_story *s) { return in_no_time(s, BODY); }

// A flit leaves too soon, as long as it is in the lane.
static bool sooner(struct switch_story *story, enum kind kind)
{
    struct place place;
    if (!find(story, OUT, kind, NULL, &place)) return false;
    const struct link_wires copy = *at(story, place);
    const struct place came = place_of_data(story, IN, copy.flit);
    if (place.cycle < came.cycle + 2) return false;
    at(story, place)->valid = false;
    const unsigned cycle = came.cycle + 1 + (unsigned)random_below(place.cycle - came.cycle - 1);
    return put_at(story, (struct place){cycle, place.link}, copy);
}

static bool overtake(struct switch_story *s) { return sooner(s, HEAD); }
static bool body_sooner(struct switch_story *s) { return sooner(s, BODY); }

static bool again(struct switch_story *story, enum kind kind, unsigned later, bool other_port,
                  bool other_lane)
{
    struct place place;
    if (!find(story, OUT, kind, NULL, &place)) return false;
    struct link_wires copy = *at(story, place);
    const unsigned ports = story->size.ports;
    if (other_lane && story->size.num_vcs == 1) return false;
    if (other_lane) copy.vc = (copy.vc + 1) % story->size.num_vcs;
    const unsigned link =
        other_port ? (place.link + 1 + (unsigned)random_below(ports - 1)) % ports : place.link;
    return put_at(story, (struct place){place.cycle + later, link}, copy);
}

static bool head_again(struct switch_story *s) { return again(s, HEAD, 1, false, false); }
static bool body_again(struct switch_story *s) { return again(s, BODY, 1, false, false); }
static bool again_by_another_port(struct switch_story *s) { return again(s, ANY, 1, true, false); }
static bool again_by_another_lane(struct switch_story *s) { return again(s, OPEN, 1, false, true); }
static bool head_twice_at_once(struct switch_story *s) { return again(s, HEAD, 0, true, false); }
static bool body_twice_at_once(struct switch_story *s) { return again(s, BODY, 0, true, false); }

static bool by_another_port(struct switch_story *story, enum kind kind)
{
    struct place place;
    if (!find(story, OUT, kind, NULL, &place)) return false;
    const struct link_wires copy = *at(story, place);
    const unsigned ports = story->size.ports;
    const unsigned link = (place.link + 1 + (unsigned)random_below(ports - 1)) % ports;
    at(story, place)->valid = false;
    return put_at(story, (struct place){place.cycle, link}, copy);
}

static bool misroute(struct switch_story *s) { return by_another_port(s, HEAD); }
static bool split(struct switch_story *s) { return by_another_port(s, BODY); }

static bool exchange_ports(struct switch_story *story)
{
    struct place place;
    if (!find(story, OUT, ANY, NULL, &place)) return false;
    const unsigned ports = story->size.ports;
    const struct place other = {place.cycle, (place.link + 1) % ports};
    if (!crosses(story, at(story, other))) return false;
    struct link_wires *a = at(story, place), *b = at(story, other), kept = *a;
    const uint64_t back_a = a->back, back_b = b->back;
    *a = *b, *b = kept;
    a->back = back_a, b->back = back_b;
    set_ready(story, a), set_ready(story, b);
    return true;
}

// Two flits of a worm that follow one another change places.
static bool swap(struct switch_story *story)
{
    struct place first, second;
    if (!find(story, OUT, OPEN, NULL, &first)) return false;
    second = first;
    do
        if (++second.cycle >= story->cycles) return false;
    while (!crosses(story, at(story, second)) || at(story, second)->vc != at(story, first)->vc);
    struct link_wires *a = at(story, first), *b = at(story, second);
    const struct link_wires kept = *a;
    a->flit = b->flit, a->head = b->head, a->tail = b->tail;
    b->flit = kept.flit, b->head = kept.head, b->tail = kept.tail;
    return true;
}

static bool worm_is_there(struct switch_story *story, struct place place)
{
    const struct link_wires *flit = at(story, place);
    for (unsigned c = place.cycle; c-- > 0;) {
        const struct link_wires *before = &story->wires[c][place.link];
        if (crosses(story, before) && before->vc != flit->vc) return !before->tail;
    }
    return false;
}

// A head takes the lane of another worm.
static bool interleave(struct switch_story *story)
{
    struct place place = {0};
    if (!find(story, OUT, HEAD, worm_is_there, &place)) return false;
    unsigned c = place.cycle;
    do
        c--;
    while (!crosses(story, &story->wires[c][place.link]) ||
           story->wires[c][place.link].vc == at(story, place)->vc);
    at(story, place)->vc = story->wires[c][place.link].vc;
    set_ready(story, at(story, place));
    return true;
}

static bool make_up(struct switch_story *story, enum kind kind)
{
    struct place place;
    if (!find(story, OUT, kind, NULL, &place)) return false;
    struct link_wires copy = *at(story, place);
    copy.flit = copy.flit ^ 3u << 29;
    return put_at(story, (struct place){place.cycle + 1 + (unsigned)random_below(3), place.link},
                  copy);
}

static bool make_up_head(struct switch_story *s) { return make_up(s, HEAD); }
static bool make_up_body(struct switch_story *s) { return make_up(s, BODY); }

static bool less_room(struct switch_story *story) { return --story->size.depth > 0; }

// --- credits ---

static bool has_credits(const struct switch_story *story)
{
    return story->size.style == LINK_CREDIT || story->size.style == LINK_PULSE;
}

static bool some_credit(struct switch_story *story, enum where where, struct place *found)
{
    unsigned many = 0;
    const unsigned first = where == OUT ? 0 : story->size.ports;
    for (unsigned c = 0; has_credits(story) && c + story->quiet < story->cycles; c++)
        for (unsigned l = first; l < first + story->size.ports; l++)
            if (story->wires[c][l].back && random_below(++many) == 0) *found = (struct place){c, l};
    return many > 0;
}

static bool lose_credit(struct switch_story *story)
{
    struct place place;
    if (!some_credit(story, IN, &place)) return false;
    at(story, place)->back = 0;
    return true;
}

static bool withhold(struct switch_story *story, enum where where)
{
    struct place place;
    if (!some_credit(story, where, &place)) return false;
    for (unsigned c = place.cycle; c < story->cycles; c++)
        story->wires[c][place.link].back = 0;
    return true;
}

static bool withhold_in(struct switch_story *s) { return withhold(s, IN); }

// At rest a switch does not know whether its neighbours owe these credits.
static bool withhold_out(struct switch_story *story)
{
    story->quiet = 0;
    return withhold(story, OUT);
}

static bool one_more(struct switch_story *story, enum where where)
{
    const struct switch_size *size = &story->size;
    const unsigned v = (unsigned)random_below(size->num_vcs);
    struct link_wires *wires =
        &story->wires[random_below(story->cycles)]
                     [random_below(size->ports) + (where == OUT ? 0 : size->ports)];
    if (!has_credits(story)) return false;
    if (size->style == LINK_PULSE && wires->back) return false;
    if (wires->back >> v & 1) return false;
    wires->back |= size->style == LINK_PULSE ? UINT64_C(1) << index_width(size->num_vcs) | v
                                             : UINT64_C(1) << v;
    return true;
}

static bool credit_twice(struct switch_story *s) { return one_more(s, IN); }
static bool credit_twice_out(struct switch_story *s) { return one_more(s, OUT); }

static bool sooner_credit(struct switch_story *story, enum where where)
{
    struct place place;
    if (!some_credit(story, where, &place) || !place.cycle) return false;
    struct link_wires *before = &story->wires[place.cycle - 1][place.link];
    if (before->back) return false;
    before->back = at(story, place)->back;
    at(story, place)->back = 0;
    return true;
}

static bool credit_sooner(struct switch_story *s) { return sooner_credit(s, IN); }
static bool credit_sooner_out(struct switch_story *s) { return sooner_credit(s, OUT); }

static bool credit_of_another_lane(struct switch_story *story)
{
    struct place place;
    const unsigned num_vcs = story->size.num_vcs;
    if (num_vcs == 1 || !some_credit(story, IN, &place)) return false;
    uint64_t *back = &at(story, place)->back;
    if (story->size.style == LINK_PULSE) {
        const unsigned width = index_width(num_vcs);
        *back = UINT64_C(1) << width | ((*back & ones(width)) + 1) % num_vcs;
    } else {
        *back = (*back << 1 | *back >> (num_vcs - 1)) & ones(num_vcs);
    }
    return true;
}

static bool bad_pulse(struct switch_story *story)
{
    struct place place;
    const unsigned num_vcs = story->size.num_vcs, width = index_width(num_vcs);
    if (story->size.style != LINK_PULSE || num_vcs == 1u << width) return false;
    if (!some_credit(story, chance(50) ? IN : OUT, &place)) return false;
    at(story, place)->back = UINT64_C(1) << width | num_vcs;
    return true;
}

// --- other styles ---

static bool stop_before(struct switch_story *story)
{
    struct place place;
    if (story->size.style != LINK_STOP_GO) return false;
    if (!find(story, chance(50) ? OUT : IN, ANY, NULL, &place) || !place.cycle) return false;
    story->wires[place.cycle - 1][place.link].back |= UINT64_C(1) << at(story, place)->vc;
    return true;
}

static struct link_wires *some_offer(struct switch_story *story)
{
    struct link_wires *found = NULL;
    unsigned many = 0;
    for (unsigned c = 0; c + 1 + story->quiet < story->cycles; c++)
        for (unsigned l = 0; l < 2 * story->size.ports; l++) {
            struct link_wires *wires = &story->wires[c][l];
            const bool waits =
                wires->valid && !crosses(story, wires) && story->wires[c + 1][l].valid;
            if (waits && random_below(++many) == 0) found = wires;
        }
    return found;
}

static bool withdraw(struct switch_story *story)
{
    struct place place = {0, 0};
    unsigned many = 0;
    if (story->size.style != LINK_READY) return false;
    for (unsigned c = 1; c < story->cycles; c++)
        for (unsigned l = 0; l < 2 * story->size.ports; l++) {
            const struct link_wires *before = &story->wires[c - 1][l];
            if (before->valid && !crosses(story, before) && random_below(++many) == 0)
                place = (struct place){c, l};
        }
    if (many) at(story, place)->valid = false;
    return many > 0;
}

static bool change_offer(struct switch_story *story)
{
    struct link_wires *wires = some_offer(story);
    if (wires) wires->flit ^= 1u << 29;
    return wires != NULL;
}

// Nothing happens from some cycle on.
static bool stop_all(struct switch_story *story)
{
    struct place place;
    if (!find(story, OUT, ANY, NULL, &place)) return false;
    for (unsigned c = place.cycle; c < SWITCH_CYCLES; c++)
        memset(story->wires[c], 0, sizeof story->wires[c]);
    story->cycles = place.cycle + 60 < SWITCH_CYCLES ? place.cycle + 60 : SWITCH_CYCLES;
    return true;
}

#define DAMAGE(name)                                                                               \
    {                                                                                              \
#name, name                                                                                \
    }
static const struct {
    const char *name;
    bool (*spoil)(struct switch_story *story);
} damages[] = {
    DAMAGE(nowhere),
    DAMAGE(change_head),
    DAMAGE(change_body),
    DAMAGE(unmark_head),
    DAMAGE(unmark_tail),
    DAMAGE(mark_head),
    DAMAGE(mark_tail),
    DAMAGE(in_unmark_head),
    DAMAGE(in_unmark_tail),
    DAMAGE(in_mark_head),
    DAMAGE(in_mark_tail),
    DAMAGE(in_change),
    DAMAGE(lose_head),
    DAMAGE(lose_body),
    DAMAGE(in_lose_head),
    DAMAGE(in_lose_body),
    DAMAGE(change_lane),
    DAMAGE(change_lane_of_head),
    DAMAGE(in_change_lane),
    DAMAGE(in_change_lane_of_head),
    DAMAGE(no_such_lane),
    DAMAGE(in_no_such_lane),
    DAMAGE(head_in_no_time),
    DAMAGE(body_in_no_time),
    DAMAGE(overtake),
    DAMAGE(body_sooner),
    DAMAGE(head_again),
    DAMAGE(body_again),
    DAMAGE(again_by_another_port),
    DAMAGE(again_by_another_lane),
    DAMAGE(head_twice_at_once),
    DAMAGE(body_twice_at_once),
    DAMAGE(misroute),
    DAMAGE(split),
    DAMAGE(exchange_ports),
    DAMAGE(swap),
    DAMAGE(interleave),
    DAMAGE(make_up_head),
    DAMAGE(make_up_body),
    DAMAGE(less_room),
    DAMAGE(lose_credit),
    DAMAGE(withhold_in),
    DAMAGE(withhold_out),
    DAMAGE(credit_twice),
    DAMAGE(credit_twice_out),
    DAMAGE(credit_sooner),
    DAMAGE(credit_sooner_out),
    DAMAGE(credit_of_another_lane),
    DAMAGE(bad_pulse),
    DAMAGE(stop_before),
    DAMAGE(withdraw),
    DAMAGE(change_offer),
    DAMAGE(stop_all),
};
enum { NUM_DAMAGES = sizeof damages / sizeof *damages };
static unsigned long times_done[NUM_DAMAGES];

// --- the watch ---

static void end_watch(struct state *s)
{
    if (s->live) anl_live_destroy(s->live);
    if (s->nowhere) fclose(s->nowhere);
    s->live = NULL;
    s->nowhere = NULL;
}

static void write_scenario(const char *path, const struct switch_size *size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "network: {topology: graph, unsafe: true}\n"
            "switch: {num_vcs: %u, depth: %u, flit_width_bits: %d, routing: shortest}\n"
            "graph:\n  switches: 1\n  links: []\n  terminals: [",
            size->num_vcs, size->depth, FLIT_BITS);
    for (unsigned p = 0; p < size->ports; p++)
        fprintf(file, "%s0.%u", p ? ", " : "", p);
    fprintf(file, "]\n");
    assert_int_equal(fclose(file), 0);
}

static void begin_watch(struct state *s)
{
    char path[64];
    struct anl_error error = {0};
    snprintf(path, sizeof path, "/tmp/anl_switch_%ld.yaml", (long)getpid());
    write_scenario(path, &s->story.size);
    s->nowhere = fopen("/dev/null", "w");
    const struct anl_live_options options = {
        .patience_cycles = s->patience, .no_credits = !has_credits(&s->story), .out = s->nowhere};
    if (anl_live_create(path, &options, &s->live, &error)) fail_msg("%s", error.text);
    unlink(path);
}

static void tell(struct state *s, unsigned link, const struct link_wires *wires)
{
    uint32_t words[(FLIT_BITS + 2 + 31) / 32] = {(uint32_t)wires->flit};
    const struct switch_size *size = &s->story.size;
    words[1] = (uint32_t)wires->head << 1 | wires->tail;
    const bool bad = wires->valid && wires->vc >= size->num_vcs;
    if (bad || link_crosses(&s->links[link], wires))
        anl_live_flit(s->live, link, wires->vc, words, link >= size->ports ? wires->length : 0);
    uint32_t lanes = 0;
    for (unsigned v = 0; v < 2 * LINK_LANES && has_credits(&s->story); v++)
        lanes |= (uint32_t)link_credit(&s->links[link], wires, v) << v;
    if (lanes) anl_live_credits(s->live, link, lanes);
}

// Returns the number of a rule that the watch has named.
static unsigned number_of(const struct state *s, const struct anl_finding *finding)
{
    const char *what = finding->what;
    const bool comes = finding->link != ANL_NOTHING && finding->link >= s->story.size.ports;
    // A switch does not know what its links lead to, and the page of links has one name for marks.
    if (!strcmp(what, "wrong_terminal")) what = "illegal_route";
    if (!strcmp(what, "no_probe")) what = "made_up_flit";
    if (!strcmp(what, "made_up_flit") && comes) what = "bad_marks";
    for (unsigned rule = 0; rule < NUM_RULES; rule++)
        if (!strcmp(what, names[rule])) return rule;
    fail_msg("the watch says %s: %s", finding->what, finding->text);
    return NO_RULE;
}

static unsigned said_by_watch(struct state *s, bool rest)
{
    const bool good = anl_live_cycle(s->live) && !(rest && !anl_live_end(s->live));
    return good ? NO_RULE : number_of(s, anl_live_finding(s->live));
}

// What other styles forbid, in the order of the rules.
static unsigned said_by_page(const struct state *s, const struct link_wires *wires)
{
    for (unsigned rule = RULE_SENT_AT_STOP; rule <= RULE_CHANGED; rule++)
        for (unsigned link = 0; link < 2 * s->story.size.ports; link++)
            if (link_broken(&s->links[link], &wires[link]) >> rule & 1) return rule;
    return NO_RULE;
}

// --- the bench ---

static struct switch_size size_of(const int *p)
{
    return (struct switch_size){(enum link_style)p[0], (unsigned)p[1], (unsigned)p[2],
                                (unsigned)p[3]};
}

static void begin(struct state *s, const int *p)
{
    const unsigned which =
        bench_directed() ? s->number++ % NUM_DAMAGES : (unsigned)random_below(NUM_DAMAGES);
    const bool less = damages[which].spoil == less_room;
    struct switch_size size = size_of(p);
    const unsigned quiet = has_credits(&s->story) || size.style <= LINK_PULSE
                               ? chance(12) || damages[which].spoil == lose_credit
                                     ? 4 * size.depth + REST_CYCLES + 2
                                     : 2
                               : 2;
    end_watch(s);
    size.depth += less;
    switch_story_write(&s->story, size, 20 + (unsigned)random_below(40), quiet);
    s->damage = damages[which].spoil(&s->story) ? damages[which].name : "spoiled in vain";
    times_done[which] += strcmp(s->damage, "spoiled in vain") != 0;
    s->story.size = size_of(p);
    for (unsigned link = 0; link < 2 * size.ports; link++)
        link_state_reset(&s->links[link], size.style, size.num_vcs, s->story.size.depth);
    s->patience = (unsigned)p[4];
    s->now = 0;
    s->restart = true;
    s->asked_rest = false;
    begin_watch(s);
}

static void reset(void *state, const int *p) { begin(state, p); }

static void put_wires(struct state *s, struct bits *in)
{
    static const struct link_wires silent[SWITCH_LINKS];
    const struct switch_size *size = &s->story.size;
    const unsigned links = 2 * size->ports;
    const struct link_wires *wires = s->restart ? silent : s->story.wires[s->now];
    for (unsigned l = 0; l < links; l++)
        put(in, 1, wires[l].valid);
    for (unsigned l = 0; l < links; l++)
        put(in, index_width(size->num_vcs), wires[l].vc);
    for (unsigned l = 0; l < links; l++)
        put(in, 1, wires[l].head);
    for (unsigned l = 0; l < links; l++)
        put(in, 1, wires[l].tail);
    for (unsigned l = 0; l < links; l++)
        put(in, FLIT_BITS, wires[l].flit);
    for (unsigned l = 0; l < links; l++)
        put(in, link_back_width(&s->links[l]), wires[l].back);
    for (unsigned l = 0; l < links; l++)
        put(in, LENGTH_BITS, wires[l].head ? wires[l].length : 0);
}

static bool at_rest(const struct state *s)
{
    return s->now + 1 == s->story.cycles && s->story.quiet > REST_CYCLES && has_credits(&s->story);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    if (!s->live) begin(s, p);
    put(in, 1, s->restart);
    put(in, 1, !s->restart && at_rest(s));
    put_wires(s, in);
}

static void note(unsigned rule)
{
    if (rule == NO_RULE)
        times_good++;
    else
        times_named[rule]++;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    (void)in;
    if (s->restart) {
        s->restart = false;
        return;
    }
    const struct link_wires *wires = s->story.wires[s->now];
    const unsigned links = 2 * s->story.size.ports;
    for (unsigned link = 0; link < links; link++)
        tell(s, link, &wires[link]);
    unsigned rule = said_by_watch(s, at_rest(s));
    if (rule == NO_RULE || rule == 17) {
        const unsigned page = said_by_page(s, wires);
        if (page != NO_RULE) rule = page;
    }
    const uint64_t by_switch = take(out, "switch_broken", NUM_RULES);
    const uint64_t by_user = take(out, "user_broken", NUM_RULES);
    uint64_t seen = by_switch | by_user;
    if (rule == RULE_BAD_LINK && seen == 1u << RULE_BAD_PULSE) seen = 1;
    require(s->damage, seen, rule == NO_RULE ? 0 : UINT64_C(1) << rule);
    require("one side", (by_switch != 0) != (by_user != 0), rule != NO_RULE);
    require("cycle of the story", s->now, s->now);
    expect(out, "over", 1, 0);
    for (unsigned link = 0; link < links; link++)
        link_step(&s->links[link], &wires[link]);
    if (++s->now < s->story.cycles && rule == NO_RULE) return;
    note(rule);
    begin(s, p);
}

static const struct bench_module module = {
    .name = "anl_switch_checker",
    .parameters = "Style, NumPorts, NumVcs, Depth, Patience",
    .state_bytes = sizeof(struct state),
    .cycles = 6000,
    .reset = reset,
    .drive = drive,
    .check = check,
    .directed = drive,
};

// Each rule has been named by both, and each way of the table was there.
static bool all_was_there(void)
{
    bool all = times_good > 0;
    const bool tell_all = getenv("BENCH_COUNTS") != NULL;
    for (unsigned rule = 0; rule < NUM_RULES; rule++) {
        const bool missed = !times_named[rule] && rule != 9 && rule != 11;
        if (missed || tell_all)
            fprintf(stderr, "%s was named %lu times\n", names[rule], times_named[rule]);
        all = all && !missed;
    }
    for (unsigned i = 0; i < NUM_DAMAGES; i++) {
        if (!times_done[i] || tell_all)
            fprintf(stderr, "%s: %lu times\n", damages[i].name, times_done[i]);
        all = all && times_done[i];
    }
    return all;
}

int main(void)
{
    const int failed = bench_main(&module);
    return failed || !all_was_there();
}
