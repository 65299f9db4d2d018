// SPDX-License-Identifier: Apache-2.0
//
// Traffic: every process against its law.

#include <annelid/base.h>
#include <annelid/network.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit_traffic.h"

// --- open loop ---

struct tally {
    double worms, flits;      // of all terminals
    double per_terminal[16];  // worms of each of the first terminals
    double dispersion;        // variance / mean of a terminal's flits in windows of 500 cycles
    double empty_gaps;        // share of creations in the cycle after the previous one
};

enum { WINDOW = 500 };

static void check_order(const struct anl_new_worm *new_worms, size_t count)
{
    for (size_t i = 1; i < count; i++)
        assert_true(new_worms[i].source > new_worms[i - 1].source);
}

static struct tally tally_of(const char *network, const char *traffic_text, unsigned cycles)
{
    char text[512];
    snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s}\nrun: {cycles: %u, max_cycles: %u}\n",
             network, traffic_text, cycles, cycles);
    struct anl_scenario s = scenario_of(text);
    struct anl_traffic *traffic = traffic_of(&s);
    const uint32_t terminals = anl_shape_of(&s.network).terminals;
    double *window = calloc(terminals, sizeof *window);
    uint64_t *last = calloc(terminals, sizeof *last);
    struct tally tally = {0};
    double sum = 0, squares = 0, samples = 0, at_once = 0;
    for (uint64_t cycle = 0; cycle < cycles; cycle++) {
        size_t count;
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
        check_order(new_worms, count);
        for (size_t i = 0; i < count; i++) {
            tally.worms++;
            tally.flits += new_worms[i].length;
            window[new_worms[i].source] += new_worms[i].length;
            if (new_worms[i].source < 16) tally.per_terminal[new_worms[i].source]++;
            at_once += last[new_worms[i].source] == cycle;
            last[new_worms[i].source] = cycle + 1;
        }
        for (uint32_t t = 0; cycle % WINDOW == WINDOW - 1 && t < terminals; t++) {
            sum += window[t], squares += window[t] * window[t], samples++;
            window[t] = 0;
        }
    }
    assert_true(anl_traffic_done(traffic));
    for (uint64_t cycle = cycles; cycle < cycles + 10; cycle++) {
        size_t count;
        anl_traffic_cycle(traffic, cycle, &count);
        assert_int_equal(count, 0);
    }
    const double mean = sum / samples;
    tally.dispersion = mean > 0 ? (squares / samples - mean * mean) / mean : 0;
    tally.empty_gaps = at_once / tally.worms;
    free(window);
    free(last);
    anl_traffic_destroy(traffic);
    anl_scenario_free(&s);
    return tally;
}

static void bernoulli_has_its_rate(void **state)
{
    (void)state;
    static const struct {
        const char *network, *text;
        double terminals, rate;
        unsigned cycles;
    } runs[] = {
        {"topology: mesh, k: 4, n: 2", "load: 0.3, length: 8", 16, 0.0375, 200000},
        {"topology: mesh, k: 16, n: 2", "load: 0.3, length: 8", 256, 0.0375, 12500},
        {"topology: mesh, k: 64, n: 2", "load: 0.3, length: 8", 4096, 0.0375, 1000},
        {"topology: mesh, k: 1, n: 1", "load: 0.5, length: 1", 1, 0.5, 200000},
        {"topology: mesh, k: 4, n: 2", "load: 0.9, length: [1, 2]", 16, 0.6, 20000},
        {"topology: mesh, k: 4, n: 2", "load: 0.001, length: 100", 16, 0.00001, 2000000},
        {"topology: mesh, k: 4, n: 2", "load: 1, length: 1", 16, 1, 1000},
        {"topology: mesh, k: 4, n: 2", "load: 0", 16, 0, 1000},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const double rate = runs[i].rate;
        const struct tally tally = tally_of(runs[i].network, runs[i].text, runs[i].cycles);
        const double expected = runs[i].terminals * rate * runs[i].cycles;
        const double sigma = sqrt(expected * (1 - rate));
        if (fabs(tally.worms - expected) > 4 * sigma)
            fail_msg("%s: %g worms, expected %g +- %g", runs[i].text, tally.worms, expected, sigma);
        for (unsigned t = 0; t < 16 && t < runs[i].terminals; t++) {
            const double each = expected / runs[i].terminals;
            assert_true(fabs(tally.per_terminal[t] - each) <= 5 * sqrt(each * (1 - rate)));
        }
        // Trials are independent, so the next cycle has a creation with the same probability.
        if (expected > 0)
            assert_true(fabs(tally.empty_gaps - rate) <=
                        5 * sqrt(rate * (1 - rate) / tally.worms) + 2 / tally.worms);
    }
}

static void a_terminal_does_not_depend_on_the_others(void **state)
{
    (void)state;
    struct anl_scenario small = scenario_of("network: {topology: mesh, k: 2, n: 1}\n"
                                            "traffic: {pattern: many_to_one, length: [1, 9]}\n");
    struct anl_scenario large = scenario_of("network: {topology: mesh, k: 9, n: 2}\n"
                                            "traffic: {pattern: many_to_one, length: [1, 9]}\n");
    struct anl_traffic *a = traffic_of(&small), *b = traffic_of(&large);
    for (uint64_t cycle = 0; cycle < 1000; cycle++) {
        size_t in_a, in_b;
        const struct anl_new_worm *of_a = anl_traffic_cycle(a, cycle, &in_a);
        const struct anl_new_worm *of_b = anl_traffic_cycle(b, cycle, &in_b);
        assert_true(in_b >= in_a);
        for (size_t i = 0; i < in_a; i++) {
            assert_int_equal(of_a[i].source, of_b[i].source);
            assert_int_equal(of_a[i].length, of_b[i].length);
        }
        assert_true(in_b == in_a || of_b[in_a].source >= 2);
    }
    anl_traffic_destroy(a);
    anl_traffic_destroy(b);
    anl_scenario_free(&small);
    anl_scenario_free(&large);
}

static void bursty_has_its_load_and_bursts(void **state)
{
    (void)state;
    unit_leave_out();
    static const struct {
        const char *text;
        double load;
    } runs[] = {{"length: 8, load: 0.3", 0.3},
                {"length: 1, load: 0.05, burst_cycles: 20", 0.05},
                {"length: [1, 20], load: 0.5, burst_cycles: 100", 0.5},
                {"length: 3, load: 0.9, burst_cycles: 50", 0.9},
                {"length: 4, load: 1", 1},
                {"length: 4, load: 0", 0}};
    enum { CYCLES = 400000, TERMINALS = 64 };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char bursty[128], smooth[128];
        snprintf(bursty, sizeof bursty, "process: bursty, %s", runs[i].text);
        const char *burst = strstr(runs[i].text, ", burst");
        snprintf(smooth, sizeof smooth, "%.*s", burst ? (int)(burst - runs[i].text) : 64,
                 runs[i].text);
        const struct tally b = tally_of("topology: mesh, k: 8, n: 2", bursty, CYCLES);
        const struct tally s = tally_of("topology: mesh, k: 8, n: 2", smooth, CYCLES);
        const double load = b.flits / CYCLES / TERMINALS;
        // The periods have infinite variance, so the mean converges slowly.
        if (fabs(load - runs[i].load) > 0.05 * runs[i].load * (1.1 - runs[i].load) + 1e-4)
            fail_msg("%s: load is %g", runs[i].text, load);
        if (runs[i].load > 0 && runs[i].load < 1 && b.dispersion < 2 * s.dispersion)
            fail_msg("%s: dispersion %g, bernoulli %g", runs[i].text, b.dispersion, s.dispersion);
    }
}

static void bursty_creates_back_to_back(void **state)
{
    (void)state;
    struct anl_scenario s = scenario_of("network: {topology: mesh, k: 1, n: 1}\n"
                                        "traffic: {process: bursty, length: 7, load: 0.4,\n"
                                        "  burst_cycles: 70}\n"
                                        "run: {cycles: 200000}\n");
    struct anl_traffic *traffic = traffic_of(&s);
    uint64_t last = 0, gaps[3] = {0};
    uint32_t in_burst = 0, shortest = UINT32_MAX, bursts = 0;
    for (uint64_t cycle = 0; cycle < 200000; cycle++) {
        size_t count;
        anl_traffic_cycle(traffic, cycle, &count);
        if (count == 0) continue;
        const uint64_t gap = cycle - last;
        last = cycle;
        gaps[gap < 7 ? 0 : gap == 7 ? 1 : 2]++;
        in_burst++;
        // The shortest off period is 70 * 0.6 / 0.4 = 105 cycles.
        if (gap < 105) continue;
        if (bursts++ && in_burst < shortest) shortest = in_burst;
        in_burst = 0;
    }
    assert_int_equal(gaps[0], 0);
    assert_true(gaps[1] > 20 * gaps[2]);
    assert_true(bursts > 100);
    assert_between(shortest, 10, 11);
    anl_traffic_destroy(traffic);
    anl_scenario_free(&s);
}

// --- request and reply, on a network that delivers after random delays ---

enum { MAX_FLYING = 4096 };

struct fake {
    struct anl_worm worms[MAX_FLYING];
    size_t count;
    uint32_t next_id;
    struct anl_rng rng;
};

static void launch(struct fake *fake, const struct anl_new_worm *new_worm, uint64_t cycle)
{
    assert_true(fake->count < MAX_FLYING);
    fake->worms[fake->count++] = (struct anl_worm){.id = fake->next_id++,
                                                   .source = new_worm->source,
                                                   .destination = new_worm->destination,
                                                   .length = new_worm->length,
                                                   .created = cycle};
}

// Delivers at most one worm at each destination, in ascending order.
static size_t land(struct fake *fake, struct anl_worm *landed, uint32_t terminals)
{
    size_t count = 0;
    for (uint32_t t = 0; t < terminals; t++)
        for (size_t i = 0; i < fake->count; i++) {
            if (fake->worms[i].destination != t || anl_rng_below(&fake->rng, 3)) continue;
            landed[count++] = fake->worms[i];
            fake->worms[i] = fake->worms[--fake->count];
            break;
        }
    return count;
}

struct ledger {
    uint32_t requests[16], open[16], replies, most_open;
    struct {
        uint32_t source, destination;
    } due[16];  // replies that must be created in the next cycle
    size_t num_due;
};

static void book_worms(struct ledger *ledger, const struct anl_new_worm *new_worms, size_t count,
                       uint32_t window)
{
    assert_true(count >= ledger->num_due);
    for (size_t i = 0; i < ledger->num_due; i++) {
        assert_int_equal(new_worms[i].source, ledger->due[i].source);
        assert_int_equal(new_worms[i].destination, ledger->due[i].destination);
        assert_int_equal(new_worms[i].length, 5);
    }
    check_order(new_worms + ledger->num_due, count - ledger->num_due);
    for (size_t i = ledger->num_due; i < count; i++) {
        const uint32_t t = new_worms[i].source;
        assert_int_equal(new_worms[i].length, 2);
        ledger->requests[t]++;
        assert_true(++ledger->open[t] <= window);
        if (ledger->open[t] > ledger->most_open) ledger->most_open = ledger->open[t];
    }
    ledger->num_due = 0;
}

static void book_deliveries(struct ledger *ledger, const struct anl_worm *worms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (worms[i].length == 5) {
            ledger->replies++;
            assert_true(ledger->open[worms[i].destination]-- > 0);
            continue;
        }
        ledger->due[ledger->num_due].source = worms[i].destination;
        ledger->due[ledger->num_due++].destination = worms[i].source;
    }
}

static void every_request_is_answered(void **state)
{
    (void)state;
    static const unsigned windows[] = {1, 3, 16, 1024};
    for (size_t w = 0; w < 4; w++) {
        char text[256];
        snprintf(text, sizeof text,
                 "network: {topology: mesh, k: 4, n: 2}\n"
                 "traffic: {process: request_reply, worms_per_terminal: 100, window: %u,\n"
                 "  length: 2, reply_length: 5}\n",
                 windows[w]);
        struct anl_scenario s = scenario_of(text);
        struct anl_traffic *traffic = traffic_of(&s);
        struct fake *fake = calloc(1, sizeof *fake);
        struct ledger ledger = {0};
        struct anl_worm landed[16];
        fake->rng = anl_rng_seed(9, 0);
        uint64_t cycle = 0;
        for (; cycle < 100000 && (fake->count || !anl_traffic_done(traffic)); cycle++) {
            size_t count;
            const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
            book_worms(&ledger, new_worms, count, windows[w]);
            for (size_t i = 0; i < count; i++)
                launch(fake, &new_worms[i], cycle);
            const size_t arrived = land(fake, landed, 16);
            book_deliveries(&ledger, landed, arrived);
            anl_traffic_delivered(traffic, landed, arrived);
        }
        assert_true(cycle < 100000);
        assert_int_equal(ledger.replies, 1600);
        assert_int_equal(ledger.most_open, windows[w] < 100 ? windows[w] : ledger.most_open);
        for (size_t t = 0; t < 16; t++)
            assert_true(ledger.requests[t] == 100 && ledger.open[t] == 0);
        free(fake);
        anl_traffic_destroy(traffic);
        anl_scenario_free(&s);
    }
}

static void without_answers_only_the_window_is_created(void **state)
{
    (void)state;
    struct anl_scenario s = scenario_of("network: {topology: mesh, k: 3, n: 1}\n"
                                        "traffic: {process: request_reply, window: 4,\n"
                                        "  worms_per_terminal: 10, pattern: neighbour}\n");
    struct anl_traffic *traffic = traffic_of(&s);
    for (uint64_t cycle = 0; cycle < 20; cycle++) {
        size_t count;
        anl_traffic_cycle(traffic, cycle, &count);
        assert_int_equal(count, cycle < 4 ? 3 : 0);
    }
    assert_true(anl_traffic_done(traffic));  // no further delivery is needed
    // A request arrives, so its reply is created in the next cycle.
    anl_traffic_delivered(traffic, &(struct anl_worm){.id = 0, .source = 0, .destination = 1}, 1);
    assert_false(anl_traffic_done(traffic));
    size_t count;
    const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, 20, &count);
    assert_true(count == 1 && new_worms[0].source == 1 && new_worms[0].destination == 0);
    assert_true(anl_traffic_done(traffic));
    // The reply, worm 12, arrives, so one more request is created in the next cycle.
    anl_traffic_delivered(traffic, &(struct anl_worm){.id = 12, .source = 1, .destination = 0}, 1);
    assert_false(anl_traffic_done(traffic));
    new_worms = anl_traffic_cycle(traffic, 21, &count);
    assert_true(count == 1 && new_worms[0].source == 0 && new_worms[0].destination == 1);
    anl_traffic_destroy(traffic);
    anl_scenario_free(&s);
}

// A wide link delivers a request by each of its lanes in a cycle, and all are answered in the next.
static void wide_links_deliver_several_requests(void **state)
{
    (void)state;
    enum { TERMINALS = 3, LANES = 4 };
    struct anl_scenario s = scenario_of("network: {topology: mesh, k: 3, n: 1}\n"
                                        "switch: {num_vcs: 4, link: wide}\n"
                                        "traffic: {process: request_reply, window: 4,\n"
                                        "  worms_per_terminal: 10, pattern: neighbour}\n");
    struct anl_traffic *traffic = traffic_of(&s);
    struct anl_worm landed[TERMINALS * LANES];
    size_t count, requests = 0;
    for (uint64_t cycle = 0; cycle < LANES; cycle++) {
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
        for (size_t i = 0; i < count; i++, requests++)
            landed[requests] = (struct anl_worm){.id = (uint32_t)requests,
                                                 .source = new_worms[i].source,
                                                 .destination = new_worms[i].destination};
    }
    assert_int_equal(requests, TERMINALS * LANES);
    anl_traffic_delivered(traffic, landed, requests);
    const struct anl_new_worm *replies = anl_traffic_cycle(traffic, LANES, &count);
    assert_int_equal(count, requests);
    for (size_t i = 0; i < count; i++)
        assert_true(replies[i].source == landed[i].destination &&
                    replies[i].destination == landed[i].source);
    anl_traffic_destroy(traffic);
    anl_scenario_free(&s);
}

// --- classes of messages ---

static void worms_take_the_classes_in_turn(void **state)
{
    (void)state;
    static const char *const traffics[] = {
        "{process: bernoulli, load: 0.5, length: 2}", "{process: bursty, load: 0.3, length: 3}",
        "{process: batch, worms_per_terminal: 20}",
        "{process: batch, worms_per_terminal: 20, delays: 7, pattern: neighbour}"};
    for (size_t i = 0; i < 4; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "network: {topology: mesh, k: 3, n: 1}\nswitch: {num_vcs: 3, classes: 3}\n"
                 "traffic: %s\n%s",
                 traffics[i], i < 2 ? "run: {cycles: 500}\n" : "");
        struct anl_scenario s = scenario_of(text);
        struct anl_traffic *traffic = traffic_of(&s);
        uint32_t of_terminal[3] = {0}, of_class[3] = {0};
        for (uint64_t cycle = 0; cycle < 500; cycle++) {
            size_t count;
            const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
            for (size_t j = 0; j < count; j++) {
                const uint32_t number = of_terminal[new_worms[j].source]++;
                if (i < 3)
                    assert_int_equal(new_worms[j].class_, number % 3);  // the last are sorted
                assert_int_equal(new_worms[j].role, ANL_PLAIN);
                of_class[new_worms[j].class_]++;
            }
        }
        if (i >= 2) assert_true(of_class[0] == 21 && of_class[1] == 21 && of_class[2] == 18);
        anl_traffic_destroy(traffic);
        anl_scenario_free(&s);
    }
}

// Where terminals can refuse, a request is answered when it is taken, not when it is delivered.
static void a_reply_follows_when_its_request_is_taken(void **state)
{
    (void)state;
    struct anl_scenario s =
        scenario_of("network: {topology: mesh, k: 2, n: 1}\n"
                    "switch: {num_vcs: 3, classes: 3}\n"
                    "traffic: {process: request_reply, window: 1,\n"
                    "  pattern: complement, reply_length: 7, reply_queue: 1}\n");
    struct anl_traffic *traffic = traffic_of(&s);
    size_t count;
    const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, 0, &count);
    assert_int_equal(count, 2);
    assert_true(new_worms[0].class_ == 0 && new_worms[0].role == ANL_REQUEST);
    const struct anl_worm request = {.id = 0, .source = 0, .destination = 1, .role = ANL_REQUEST};
    anl_traffic_delivered(traffic, &request, 1);
    assert_false(anl_traffic_done(traffic));
    anl_traffic_cycle(traffic, 1, &count);
    assert_int_equal(count, 0);
    anl_traffic_taken(traffic, &request, 1);
    new_worms = anl_traffic_cycle(traffic, 2, &count);
    assert_int_equal(count, 1);
    assert_true(new_worms[0].source == 1 && new_worms[0].destination == 0 &&
                new_worms[0].length == 7);
    assert_true(new_worms[0].class_ == 2 && new_worms[0].role == ANL_REPLY);
    assert_true(anl_traffic_done(traffic));
    // A terminal takes the reply, number 2, too; nothing follows.
    const struct anl_worm reply = {.id = 2, .source = 1, .destination = 0, .role = ANL_REPLY};
    anl_traffic_delivered(traffic, &reply, 1);
    anl_traffic_taken(traffic, &reply, 1);
    anl_traffic_cycle(traffic, 3, &count);
    assert_int_equal(count, 0);
    anl_traffic_destroy(traffic);
    anl_scenario_free(&s);
}

// --- replay ---

static void messages_are_replayed_in_order(void **state)
{
    (void)state;
    struct anl_scenario s = scenario_of("network: {topology: mesh, k: 3, n: 1}\n"
                                        "traffic: {process: replay, messages: none}\n");
    struct anl_message messages[] = {{.cycle = 2, .source = 2, .destination = 0, .length = 1},
                                     {.cycle = 2, .source = 0, .destination = 1, .length = 9},
                                     {.cycle = 2, .source = 2, .destination = 2, .length = 3},
                                     {.cycle = 7, .source = 1, .destination = 0, .length = 65535}};
    struct anl_traffic *empty = traffic_of(&s);
    assert_true(anl_traffic_done(empty));
    anl_traffic_destroy(empty);
    s.messages = messages;
    s.num_messages = 4;
    struct anl_traffic *traffic = traffic_of(&s);
    for (uint64_t cycle = 0, next = 0; cycle < 10; cycle++) {
        size_t count;
        assert_int_equal(anl_traffic_done(traffic), next == 4);
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
        assert_int_equal(count, cycle == 2 ? 3 : cycle == 7 ? 1 : 0);
        for (size_t i = 0; i < count; i++, next++) {
            assert_int_equal(new_worms[i].source, messages[next].source);
            assert_int_equal(new_worms[i].destination, messages[next].destination);
            assert_int_equal(new_worms[i].length, messages[next].length);
        }
    }
    anl_traffic_destroy(traffic);
    s.messages = NULL;
    anl_scenario_free(&s);
}

// --- determinism ---

static uint64_t fingerprint(const char *text, uint64_t seed)
{
    struct anl_scenario s = scenario_of(text);
    s.run.seed = seed;
    struct anl_traffic *traffic = traffic_of(&s);
    uint64_t print = 0;
    for (uint64_t cycle = 0; cycle < 1000; cycle++) {
        size_t count;
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
        for (size_t i = 0; i < count; i++) {
            print = anl_mix(print + cycle);
            print = anl_mix(print + new_worms[i].source);
            print = anl_mix(print + new_worms[i].destination);
            print = anl_mix(print + new_worms[i].length);
        }
    }
    anl_traffic_destroy(traffic);
    anl_scenario_free(&s);
    return print;
}

// The values are those of the first version, because traffic is part of every digest.
static void the_seed_decides(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t print;  // hash of the traffic with seed 1
    } runs[] = {
#define NETWORK "network: {topology: mesh, k: 4, n: 2}\n"
        {NETWORK "traffic: {length: [1, 4]}\n", UINT64_C(0x1f25041063df58c1)},
        {NETWORK "traffic: {process: bursty, pattern: hotspot}\n", UINT64_C(0xd3d9ccb79152164e)},
        {NETWORK "traffic: {process: batch, pattern: q_relation, worms_per_terminal: 3}\n",
         UINT64_C(0x5830d70aac63074a)},
        {NETWORK "traffic: {process: request_reply, pattern: permutation}\n",
         UINT64_C(0xde154974d5046c39)},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        assert_true(fingerprint(runs[i].text, 1) != fingerprint(runs[i].text, 2));
        if (fingerprint(runs[i].text, 1) != runs[i].print)
            fail_msg("%s: 0x%016llx", runs[i].text,
                     (unsigned long long)fingerprint(runs[i].text, 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bernoulli_has_its_rate),
        cmocka_unit_test(a_terminal_does_not_depend_on_the_others),
        cmocka_unit_test(bursty_has_its_load_and_bursts),
        cmocka_unit_test(bursty_creates_back_to_back),
        cmocka_unit_test(every_request_is_answered),
        cmocka_unit_test(without_answers_only_the_window_is_created),
        cmocka_unit_test(wide_links_deliver_several_requests),
        cmocka_unit_test(worms_take_the_classes_in_turn),
        cmocka_unit_test(a_reply_follows_when_its_request_is_taken),
        cmocka_unit_test(messages_are_replayed_in_order),
        cmocka_unit_test(the_seed_decides),
    };
    return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
