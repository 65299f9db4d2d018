// SPDX-License-Identifier: Apache-2.0

#include "parts.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CYCLES = 4000, TEXT = 1024 };

// A network with switch fields that its routing can have: %u is the number of lanes, even.
static const char *const networks[] = {
    "network: {topology: mesh, k: 5, n: 2}\nswitch: {num_vcs: %u",
    "network: {topology: mesh, k: 3, n: 3}\nswitch: {num_vcs: %u, link: wide",
    "network: {topology: mesh, k: 2, n: 2}\nswitch: {num_vcs: %u",
    "network: {topology: torus, k: 4, n: 2}\nswitch: {num_vcs: %u, classes: 2, routing: "
    "dimension_order",
    "network: {topology: torus, k: 5, n: 2}\nswitch: {num_vcs: %u",
    "network: {topology: torus, k: 3, n: 2}\nswitch: {num_vcs: %u, link: wide",
    "network: {topology: unidirectional_torus, k: 4, n: 2}\nswitch: {num_vcs: %u",
    "network: {topology: hypercube, k: 2, n: 4}\nswitch: {num_vcs: %u",
    "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: %u, routing: up_down_greedy, "
    "credits: registered",
    "network: {topology: fat_tree, n: 3}\nswitch: {num_vcs: %u, routing: up_down_random, "
    "credits: registered",
    "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: %u, routing: up_down_fixed, "
    "credits: registered, classes: 2",
    "network: {topology: butterfly, k: 2, n: 3}\nswitch: {num_vcs: %u, credits: registered",
    "network: {topology: butterfly, k: 3, n: 2, passes: 2}\nswitch: {num_vcs: %u, credits: "
    "registered, link: wide",
    "network: {topology: cube, radix: [3, 4], concentration: 2}\nswitch: {num_vcs: %u",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {routing: odd_even, num_vcs: %u, select: "
    "most_credits",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {routing: west_first, num_vcs: %u, select: "
    "random",
    "network: {topology: torus, k: 4, n: 2}\nswitch: {routing: adaptive, num_vcs: 4, select: "
    "most_credits",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {routing: adaptive, num_vcs: %u, atomic: "
    "adaptive",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {routing: valiant, num_vcs: 4",
    "network: {topology: graph}\n"
    "graph: {switches: [a, b, c, d, e], terminals: [e, b, a, c, b],\n"
    "  links: [[a, b], [b, c], [c, d], [d, e], [e, a], [a, c], [b, d]]}\nswitch: {routing: "
    "up_down, num_vcs: %u",
    "network: {topology: graph}\n"
    "graph: {switches: [a, b, c, d], terminals: [a, b, c, d],\n"
    "  links: [[a, b], [b, c], [c, d], [a, c]]}\nswitch: {routing: source, paths: shortest, "
    "num_vcs: %u",
    "network: {topology: graph}\n"
    "graph: {switches: [a, b, c, d, e, f], terminals: [a, b, c, d, e, f],\n"
    "  links: [[a, b], [b, c], [c, d], [d, e], [e, f], [f, a]]}\n"
    "switch: {routing: layered, link: wide, num_vcs: %u",
    "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: %u, classes: 2",
    "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: %u, classes: 2, class_weights: [3, "
    "2]",
    // Space is chained.
    "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: %u, routing: up_down_greedy, "
    "credits: bypass",
    "network: {topology: fat_tree, n: 3}\nswitch: {num_vcs: %u, routing: up_down_random, "
    "credits: bypass",
    "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: %u, routing: up_down_fixed, "
    "credits: bypass, classes: 2",
    "network: {topology: butterfly, k: 2, n: 3}\nswitch: {num_vcs: %u, credits: bypass",
    "network: {topology: butterfly, k: 2, n: 4, passes: 2}\nswitch: {num_vcs: %u, credits: bypass",
    "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: %u, link: wide, credits: bypass",
    "network: {topology: hypercube, k: 2, n: 4}\nswitch: {num_vcs: %u, link: wide, credits: bypass",
    "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: %u, routing: up_down_greedy, "
    "link: wide, credits: bypass",
    "network: {topology: butterfly, k: 3, n: 2}\nswitch: {num_vcs: %u, link: wide, credits: bypass",
    "network: {topology: graph}\n"
    "graph: {switches: [a, b, c, d, e], terminals: [e, b, a, c, d],\n"
    "  links: [[a, b], [b, c], [b, d], [d, e]]}\nswitch: {routing: up_down, num_vcs: %u, "
    "link: wide, credits: bypass",
    // Links take several cycles.
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: %u, link_cycles: 3",
    "network: {topology: torus, k: 3, n: 2}\nswitch: {num_vcs: %u, link_cycles: 2, link: wide",
    "network: {topology: unidirectional_torus, k: 4, n: 2}\nswitch: {num_vcs: %u, link_cycles: 4",
    "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: %u, routing: up_down_random, "
    "link_cycles: 2, credits: registered",
    "network: {topology: butterfly, k: 3, n: 2}\nswitch: {num_vcs: %u, link_cycles: 7, credits: "
    "registered",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {routing: adaptive, num_vcs: %u, "
    "link_cycles: 2, select: most_credits",
    "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: %u, classes: 2, link_cycles: 2",
};

static const char *const flow_controls[] = {"wormhole", "cut_through", "store_and_forward"};
static const char *const traffics[] = {
    "traffic: {load: 0.3, length: [1, 2, 4]}\nrun: {cycles: 400",
    "traffic: {load: 0.9, length: 3, pattern: uniform_others}\nrun: {cycles: 200",
    "traffic: {process: bursty, load: 0.2, length: 2}\nrun: {cycles: 400",
    "traffic: {process: batch, worms_per_terminal: 9, length: [1, 4]}\nrun: {max_cycles: 100000",
    "traffic: {process: request_reply, worms_per_terminal: 9, window: 2, length: 2, "
    "reply_length: 4}\nrun: {max_cycles: 100000",
    "traffic: {process: request_reply, worms_per_terminal: 7, window: 3, reply_length: 2, "
    "reply_queue: 2}\nrun: {max_cycles: 100000",
};

static const char *one_of(struct anl_rng *rng, const char *const *texts, uint32_t count)
{
    return texts[anl_rng_below(rng, count)];
}
#define ONE_OF(rng, texts) one_of(rng, texts, sizeof(texts) / sizeof *(texts))

const char *part_network(uint32_t number) { return networks[number % num_part_networks()]; }

uint32_t num_part_networks(void) { return sizeof networks / sizeof *networks; }

struct anl_scenario draw_scenario(struct anl_rng *rng, const char *network)
{
    char text[TEXT];
    struct anl_scenario scenario;
    for (;;) {
        int used = snprintf(text, sizeof text, network, 2 + 2 * anl_rng_below(rng, 2));
        const uint32_t seed = anl_rng_below(rng, 1000);
        const char *traffic = ONE_OF(rng, traffics), *flow_control = ONE_OF(rng, flow_controls);
        const char *arbiter =
            anl_arbiter_name((enum anl_arbiter)anl_rng_below(rng, ANL_LAST_ARBITER + 1));
        snprintf(text + used, sizeof text - (size_t)used,
                 ", depth: %u, arbiter: %s, flow_control: %s}\n%s, seed: %u}\n",
                 4 - anl_rng_below(rng, 4), arbiter, flow_control, traffic, seed);
        if (!anl_scenario_parse(text, strlen(text), "test", NULL, &scenario, NULL)) return scenario;
    }
}

uint32_t *draw_cut(struct anl_rng *rng, uint32_t switches, uint32_t parts)
{
    uint32_t *part_of = calloc(switches, sizeof *part_of);
    assert_non_null(part_of);
    const bool slabs = anl_rng_below(rng, 3) == 0;
    for (uint32_t s = 0; s < switches; s++)
        part_of[s] = slabs ? (uint32_t)((uint64_t)s * parts / switches) : anl_rng_below(rng, parts);
    for (uint32_t p = 0; p < parts && !slabs; p++)
        part_of[p * (switches / parts)] = p;
    return part_of;
}

void make_part(struct parts *parts, uint32_t p, const uint32_t *part_of, uint64_t seed)
{
    struct anl_error error = {0};
    if (anl_engine_create_part(parts->network, part_of, p, &parts->engines[p], &error))
        fail_msg("part %u of %u: %s", p, parts->count, error.text);
    anl_engine_record(parts->engines[p], true);
    anl_engine_reset(parts->engines[p], seed);
}

struct parts make_parts(const struct anl_scenario *scenario, uint32_t count, uint32_t *part_of)
{
    struct parts parts = {.count = count, .part_of = part_of};
    assert_int_equal(anl_network_create(&scenario->network, &parts.network), ANL_OK);
    for (uint32_t p = 0; p < count; p++)
        make_part(&parts, p, count > 1 ? part_of : NULL, scenario->run.seed);
    return parts;
}

static void forget_messages(struct parts *parts)
{
    for (uint32_t from = 0; from < parts->count; from++)
        for (uint32_t to = 0; to < parts->count; to++) {
            free(parts->messages[from][to]);
            parts->messages[from][to] = NULL;
        }
}

void destroy_parts(struct parts *parts)
{
    forget_messages(parts);
    for (uint32_t p = 0; p < parts->count; p++)
        anl_engine_destroy(parts->engines[p]);
    anl_network_destroy(parts->network);
    free(parts->part_of);
}

// Returns a copy with room for one more flit.
static struct anl_border *copy_of(const struct anl_border *message)
{
    const size_t bytes = anl_border_bytes(message);
    struct anl_border *copy = calloc(1, bytes + sizeof(struct anl_crossing));
    assert_non_null(copy);
    memcpy(copy, message, bytes);
    return copy;
}

// Takes the last credit, or the last flit that is no head, out of a message.
static bool take_out(struct parts *parts, struct anl_border *message, bool credit)
{
    struct anl_crossing *flits = anl_border_flits(message);
    if (credit) {
        if (!message->num_credits) return false;
        parts->late = anl_border_credits(message)[--message->num_credits];
        return true;
    }
    uint32_t i = message->num_flits;
    while (i > 0 && flits[i - 1].head)
        i--;
    if (i-- == 0) return false;
    parts->late = flits[i];
    memmove(&flits[i], &flits[i + 1],
            (message->num_flits - i - 1 + message->num_credits) * sizeof *flits);
    message->num_flits--;
    return true;
}

static bool carries(const struct anl_border *message, const struct anl_crossing *flit)
{
    for (uint32_t i = 0; i < message->num_flits; i++)
        if (anl_border_flits(message)[i].link == flit->link) return true;
    return false;
}

// Puts the late flit into the message, unless another one crosses its link now, or the late space.
static void put_late(struct parts *parts, struct anl_border *message)
{
    struct anl_crossing *flits = anl_border_flits(message);
    if (carries(message, &parts->late)) return;
    memmove(&flits[1], &flits[0], (message->num_flits + message->num_credits) * sizeof *flits);
    flits[0] = parts->late;
    if (parts->spaces)
        message->num_credits++;
    else
        message->num_flits++;
    parts->is_late = false;
}

// Returns how many links lead from a part to another.
static uint32_t links_between(const struct parts *parts, uint32_t from, uint32_t to)
{
    const struct part *part = parts->engines[to]->part;
    uint32_t i = 0;
    while (part->peers[i].part != from)
        i++;
    return part->peers[i].num_in;
}

// Makes a message one that no part sends; returns false if it has no head.
static bool spoil(const struct parts *parts, struct anl_border *message, uint32_t links)
{
    struct anl_crossing *flits = anl_border_flits(message);
    if (!message->num_worms) return false;
    while (!flits->head)
        flits++;
    if (parts->fault == NO_SUCH_LINK) flits->link = links;
    if (parts->fault == NO_SUCH_LANE) flits->vc = 2;
    if (parts->fault == LOST_WORM) flits->head = 0;
    return true;
}

// Takes something out of a message, which a later one brings if it is only late.
static bool lose(struct parts *parts, uint32_t from, uint32_t to)
{
    const bool credit = parts->spaces || parts->fault == LOST_CREDIT;
    if (!take_out(parts, parts->messages[from][to], credit)) return false;
    parts->missing[from][to]++;
    parts->is_late = parts->fault == LATE_FLIT || parts->fault == LATE_SPACE;
    parts->late_from = from;
    parts->late_to = to;
    return true;
}

// Makes the fault in a message; returns false if it has nothing of the kind.
static bool make_fault(struct parts *parts, uint32_t from, uint32_t to)
{
    struct anl_border *message = parts->messages[from][to];
    if (parts->spaces != (parts->fault >= LOST_SPACE)) return false;
    switch (parts->fault) {
    case LATE_MESSAGE:
        message->cycle--;
        return true;
    case EARLY_ROUND:
        message->round++;
        return true;
    case NO_SUCH_LINK:
    case NO_SUCH_LANE:
    case LOST_WORM:
        return spoil(parts, message, links_between(parts, from, to));
    default:
        return lose(parts, from, to);
    }
}

static void disturb(struct parts *parts, uint32_t from, uint32_t to, uint64_t now)
{
    struct anl_border *message = parts->messages[from][to];
    uint64_t *missing = &parts->missing[from][to];
    const bool of_late = parts->spaces == (parts->late_of == LATE_SPACE);
    if (parts->lies) message->told -= *missing;
    if (parts->is_late && of_late && parts->late_from == from && parts->late_to == to) {
        put_late(parts, message);
        *missing -= !parts->is_late;
    }
    if (now < parts->fault_at || parts->fault == NO_FAULT || !make_fault(parts, from, to)) return;
    parts->late_of = parts->fault;
    parts->fault = NO_FAULT;
}

static void send_all(struct parts *parts)
{
    forget_messages(parts);
    for (uint32_t p = 0; p < parts->count; p++) {
        const struct anl_engine *engine = parts->engines[p];
        for (uint32_t i = 0; i < anl_engine_num_peers(engine); i++) {
            const struct anl_peer peer = anl_engine_peer(engine, i);
            parts->messages[p][peer.part] = copy_of(peer.message);
            disturb(parts, p, peer.part, anl_engine_cycle(engine));
        }
    }
}

static void take_all(struct parts *parts, uint32_t p)
{
    struct anl_engine *engine = parts->engines[p];
    struct anl_error error = {0};
    for (uint32_t i = 0; i < anl_engine_num_peers(engine) && !*parts->refused; i++) {
        const struct anl_peer peer = anl_engine_peer(engine, i);
        const struct anl_border *message = parts->messages[peer.part][p];
        if (!message)
            strcpy(parts->refused, "there is none");
        else if (anl_engine_take(engine, i, message, &error))
            memcpy(parts->refused, error.text, sizeof parts->refused);
        else
            assert_true(anl_border_bytes(message) <= peer.most_bytes);
    }
    assert_int_equal(error.line, 0);
}

// With shared links all parts ask equally often.
static bool some_ask(const struct parts *parts)
{
    uint32_t asking = 0;
    if (*parts->refused) return false;
    for (uint32_t p = 0; p < parts->count; p++)
        asking += anl_engine_asks(parts->engines[p]);
    if (parts->network->config.link == ANL_SHARED)
        assert_true(asking == 0 || asking == parts->count);
    return asking > 0;
}

static void exchange_space(struct parts *parts)
{
    parts->spaces = true;
    send_all(parts);
    parts->spaces = false;
    for (uint32_t p = 0; p < parts->count && !*parts->refused; p++) {
        take_all(parts, p);
        if (!*parts->refused) assert_int_equal(anl_engine_decide_on(parts->engines[p]), ANL_OK);
    }
}

void step_parts(struct parts *parts)
{
    if (parts->count == 1) {
        anl_engine_step(parts->engines[0]);
        return;
    }
    for (uint32_t p = 0; p < parts->count; p++)
        anl_engine_decide(parts->engines[p]);
    while (some_ask(parts))
        exchange_space(parts);
    if (*parts->refused) return;
    for (uint32_t p = 0; p < parts->count; p++)
        anl_engine_tell(parts->engines[p]);
    send_all(parts);
    for (uint32_t p = 0; p < parts->count && !*parts->refused; p++) {
        anl_engine_move(parts->engines[p]);
        take_all(parts, p);
        if (!*parts->refused) assert_int_equal(anl_engine_end(parts->engines[p]), ANL_OK);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct anl_flit *x = a, *y = b;
    if (x->link != y->link) return x->link < y->link ? -1 : 1;
    return (x->vc > y->vc) - (x->vc < y->vc);
}

static void digest_flits(const struct parts *parts, uint64_t now, struct anl_digest *digest)
{
    static struct anl_flit all[1 << 14];
    size_t count = 0, some;
    for (uint32_t p = 0; p < parts->count; p++) {
        const struct anl_flit *flits = anl_engine_flits(parts->engines[p], &some);
        assert_true(count + some <= sizeof all / sizeof *all);
        if (some) memcpy(&all[count], flits, some * sizeof *flits);
        count += some;
    }
    qsort(all, count, sizeof *all, by_place);
    anl_digest_flits(digest, now, all, count);
}

typedef const struct anl_worm *list_of(const struct anl_engine *engine, size_t *count);

// Collects worms that the parts list, ascending by destination; those of one terminal keep their
// order.
static size_t collect(const struct parts *parts, list_of *list, struct anl_worm *all)
{
    size_t count = 0, some;
    for (uint32_t p = 0; p < parts->count; p++) {
        const struct anl_worm *worms = list(parts->engines[p], &some);
        for (size_t i = 0; i < some; i++) {
            size_t at = count++;
            assert_true(count < 1024);
            if (parts->count == 1 && at > 0)
                assert_true(all[at - 1].destination <= worms[i].destination);
            for (; at > 0 && all[at - 1].destination > worms[i].destination; at--)
                all[at] = all[at - 1];
            all[at] = worms[i];
        }
    }
    return count;
}

static void create_worms(struct parts *parts, struct anl_traffic *traffic, uint64_t now)
{
    size_t count;
    const struct anl_new_worm *worms = anl_traffic_cycle(traffic, now, &count);
    for (size_t i = 0; i < count; i++) {
        const struct anl_worm worm = {.source = worms[i].source,
                                      .destination = worms[i].destination,
                                      .length = worms[i].length,
                                      .class_ = worms[i].class_,
                                      .role = worms[i].role};
        for (uint32_t p = 0; p < parts->count; p++)
            assert_int_equal(anl_engine_enqueue_worm(parts->engines[p], &worm, NULL), ANL_OK);
    }
}

struct anl_engine_totals totals_of(const struct parts *parts)
{
    struct anl_engine_totals sum = {0};
    for (uint32_t p = 0; p < parts->count; p++) {
        const struct anl_engine_totals totals = anl_engine_totals(parts->engines[p]);
        sum.enqueued += totals.enqueued;
        sum.delivered += totals.delivered;
        sum.flit_hops += totals.flit_hops;
        sum.ejected_flits += totals.ejected_flits;
        sum.in_network += totals.in_network;
        sum.queued += totals.queued;
        sum.moved += totals.moved;
        sum.taken += totals.taken;
    }
    return sum;
}

static bool goes_on(const struct parts *parts, const struct anl_traffic *traffic)
{
    if (*parts->refused || anl_engine_cycle(parts->engines[0]) >= MOST_CYCLES) return false;
    const struct anl_engine_totals totals = totals_of(parts);
    return totals.in_network + totals.queued > 0 || !anl_traffic_done(traffic);
}

struct play begin_play(const struct anl_scenario *scenario)
{
    struct play play = {.traffic = traffic_of(scenario)};
    assert_int_equal(anl_digest_create(&play.digest), ANL_OK);
    return play;
}

static void play_cycle(struct parts *parts, struct play *play)
{
    static struct anl_worm worms[1024];
    const uint64_t now = anl_engine_cycle(parts->engines[0]);
    anl_traffic_taken(play->traffic, worms, collect(parts, anl_engine_taken, worms));
    create_worms(parts, play->traffic, now);
    step_parts(parts);
    if (*parts->refused) return;
    digest_flits(parts, now, play->digest);
    const size_t count = collect(parts, anl_engine_delivered, worms);
    anl_traffic_delivered(play->traffic, worms, count);
    for (size_t i = 0; i < count; i++)
        play->outcome.delivered = anl_mix(play->outcome.delivered ^ worms[i].id ^ now << 32) + 1;
}

void play_to(struct parts *parts, struct play *play, uint64_t cycle)
{
    while (goes_on(parts, play->traffic) && anl_engine_cycle(parts->engines[0]) < cycle)
        play_cycle(parts, play);
}

struct outcome end_play(const struct parts *parts, struct play *play)
{
    struct outcome outcome = play->outcome;
    outcome.cycles = anl_engine_cycle(parts->engines[0]);
    outcome.totals = totals_of(parts);
    outcome.digest = anl_digest_value(play->digest);
    anl_digest_destroy(play->digest);
    anl_traffic_destroy(play->traffic);
    return outcome;
}

struct outcome run_parts(struct parts *parts, const struct anl_scenario *scenario)
{
    struct play play = begin_play(scenario);
    play_to(parts, &play, UINT64_MAX);
    return end_play(parts, &play);
}

struct outcome run_whole(const struct anl_scenario *scenario)
{
    struct parts whole = make_parts(scenario, 1, NULL);
    const struct outcome outcome = run_parts(&whole, scenario);
    destroy_parts(&whole);
    return outcome;
}

bool is_same(const struct outcome *a, const struct outcome *b)
{
    return a->digest == b->digest && a->delivered == b->delivered && a->cycles == b->cycles &&
           memcmp(&a->totals, &b->totals, sizeof a->totals) == 0;
}

static uint32_t draw_parts(struct anl_rng *rng, const struct anl_scenario *scenario)
{
    const uint32_t switches = anl_shape_of(&scenario->network).switches;
    const uint32_t most = switches < MOST_PARTS ? switches : MOST_PARTS;
    return 2 + anl_rng_below(rng, most - 1);
}

struct parts draw_parts_of(struct anl_rng *rng, const struct anl_scenario *scenario)
{
    const uint32_t count = draw_parts(rng, scenario);
    return make_parts(scenario, count,
                      draw_cut(rng, anl_shape_of(&scenario->network).switches, count));
}
