// SPDX-License-Identifier: Apache-2.0
//
// Traffic: one random generator per terminal, and one calendar of the terminals that are due. A
// cycle costs what it creates, whatever the size of the network, and allocates nothing.

#include "workload.h"

#include <annelid/network.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct anl_traffic {
    struct anl_workload workload;
    const struct process *process;  // its row of the table
    uint32_t first, terminals;  // whose worms it creates; below, they are counted from the first
    struct pattern pattern;
    struct open_loop open;
    struct calendar calendar;

    struct anl_rng *rng;             // per terminal
    uint32_t *created;               // per terminal: worms (requests) created so far
    struct anl_new_worm *new_worms;  // of this cycle; room for as many as one cycle can have
    size_t num_worms;
    uint64_t cycle;       // the next cycle to be asked for
    struct ahead *ahead;  // NULL: worms are drawn in the cycle in which they are created

    // Worms that are known before the run: the messages of a replay, or a batch with delays.
    const struct anl_message *messages;
    size_t num_messages, num_sent;
    struct anl_message *delayed;  // the batch with delays, owned; messages points to it
    struct waiting waiting;       // if messages of a replay wait for others, which is due

    // Process request_reply:
    uint32_t *outstanding;         // per terminal: its requests that are not yet answered
    struct anl_new_worm *replies;  // replies due in the next cycle, room for most_replies()
    size_t num_replies;
    uint64_t next_id;      // id of the next worm
    uint8_t *is_reply;     // bit per worm
    uint64_t num_untaken;  // requests that were delivered and that terminals have not taken

    struct anl_emit emit;  // worms of the caller's own; of other processes it is never due
};

// What a process is: a row of the table at the end of this file. Besides, worms come from the
// messages that are known before the run. A function that is NULL does nothing.
struct process {
    const char *name;
    bool open_loop, has_pattern;
    bool has_parts;    // each terminal decides alone, whatever is delivered
    bool draws_ahead;  // what it creates can be drawn before it is due
    bool answers;      // what is delivered decides what is created
    size_t (*most)(const struct anl_traffic *traffic);  // worms in a cycle, but for messages
    // Returns when the terminal is due for the first time; OPEN_NEVER: not. NULL: none ever is.
    uint64_t (*first)(struct anl_traffic *traffic, uint32_t terminal);
    void (*create)(struct anl_traffic *traffic, uint64_t cycle);
    void (*delivered)(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count);
    void (*taken)(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count);
};
static const struct process *row_of(enum anl_process process);

// --- create ---

static size_t most_messages_in_a_cycle(const struct anl_traffic *traffic)
{
    if (traffic->waiting.count) return traffic->waiting.count;
    size_t most = 0, begin = 0;
    for (size_t i = 0; i < traffic->num_messages; i++) {
        if (traffic->messages[i].cycle != traffic->messages[begin].cycle) begin = i;
        if (i - begin + 1 > most) most = i - begin + 1;
    }
    return most;
}

static bool delays(const struct anl_traffic_config *config)
{
    return config->process == ANL_BATCH && config->delays > 1;
}

// A request ends with each flit that an ejection link carries in a cycle.
static size_t most_replies(const struct anl_traffic *traffic)
{
    return (size_t)traffic->terminals * anl_link_flits(traffic->workload.network);
}

static size_t most_of_open(const struct anl_traffic *traffic) { return traffic->terminals; }

static size_t most_of_terminals(const struct anl_traffic *traffic)
{
    const struct anl_traffic_config *config = traffic->workload.traffic;
    return delays(config) ? 0 : (size_t)traffic->terminals * config->worms_per_terminal;
}

static size_t most_of_requests(const struct anl_traffic *traffic)
{
    return traffic->terminals + most_replies(traffic);
}

static size_t most_worms_in_a_cycle(const struct anl_traffic *traffic)
{
    const size_t most = traffic->process->most ? traffic->process->most(traffic) : 0;
    const size_t messages = most_messages_in_a_cycle(traffic);
    return most > messages ? most : messages;
}

// Allocates zeros like calloc(), but a block of no elements is not NULL.
static void *rows(size_t count, size_t size) { return calloc(count ? count : 1, size); }

static enum anl_status create_request_reply(struct anl_traffic *traffic)
{
    if (traffic->workload.traffic->process != ANL_REQUEST_REPLY) return ANL_OK;
    const size_t terminals = traffic->terminals;
    const size_t worms = 2 * terminals * traffic->workload.traffic->worms_per_terminal;
    traffic->outstanding = rows(terminals, sizeof *traffic->outstanding);
    traffic->replies = rows(most_replies(traffic), sizeof *traffic->replies);
    traffic->is_reply = rows(worms / 8 + 1, 1);
    return traffic->outstanding && traffic->replies && traffic->is_reply ? ANL_OK : ANL_ERR_MEMORY;
}

static enum anl_status create_generators(struct anl_traffic *traffic)
{
    traffic->rng = rows(traffic->terminals, sizeof *traffic->rng);
    if (!traffic->rng) return ANL_ERR_MEMORY;
    for (uint32_t t = 0; t < traffic->terminals; t++)
        traffic->rng[t] = anl_rng_seed(traffic->workload.seed, traffic->first + t);
    return ANL_OK;
}

static enum anl_status create_messages(struct anl_traffic *traffic)
{
    const struct anl_workload *workload = &traffic->workload;
    traffic->messages = workload->messages;
    traffic->num_messages = workload->num_messages;
    if (!delays(workload->traffic))
        return waiting_create(&traffic->waiting, traffic->messages, traffic->num_messages);

    traffic->num_messages = (size_t)traffic->terminals * workload->traffic->worms_per_terminal;
    traffic->messages = traffic->delayed =
        delays_sample(workload, traffic->terminals, &traffic->pattern, traffic->rng);
    return traffic->delayed ? ANL_OK : ANL_ERR_MEMORY;
}

static enum anl_status create_rows(struct anl_traffic *traffic)
{
    const uint32_t terminals = traffic->terminals;
    traffic->created = rows(terminals, sizeof *traffic->created);
    traffic->new_worms = rows(most_worms_in_a_cycle(traffic), sizeof *traffic->new_worms);
    if (!traffic->created || !traffic->new_worms) return ANL_ERR_MEMORY;
    const enum anl_status status = create_request_reply(traffic);
    return status ? status : emit_create(&traffic->emit, &traffic->workload);
}

static enum anl_status create_all(struct anl_traffic *traffic)
{
    const struct anl_workload *workload = &traffic->workload;
    const uint32_t first = traffic->first, terminals = traffic->terminals;
    enum anl_status status = create_generators(traffic);
    if (!status) status = pattern_create(&traffic->pattern, workload, first, terminals);
    if (!status) status = create_messages(traffic);
    if (!status) status = calendar_create(&traffic->calendar, terminals);
    if (!status) status = open_create(&traffic->open, workload, first, terminals);
    return status ? status : create_rows(traffic);
}

static void schedule(struct anl_traffic *traffic, uint64_t cycle, uint32_t terminal)
{
    if (cycle != OPEN_NEVER) calendar_add(&traffic->calendar, cycle, terminal);
}

static uint64_t first_of_open(struct anl_traffic *traffic, uint32_t terminal)
{
    return open_first(&traffic->open, traffic->first + terminal, &traffic->rng[terminal]);
}

// All terminals are due in the first cycle, unless delays say when.
static uint64_t first_of_all(struct anl_traffic *traffic, uint32_t terminal)
{
    (void)terminal;
    return delays(traffic->workload.traffic) ? OPEN_NEVER : 0;
}

bool anl_workload_has_parts(const struct anl_workload *workload)
{
    return row_of(workload->traffic->process)->has_parts && !delays(workload->traffic);
}

bool anl_workload_answers(const struct anl_workload *workload)
{
    bool waits = false;
    for (size_t i = 0; i < workload->num_messages; i++)
        waits |= workload->messages[i].num_after > 0;
    return waits || row_of(workload->traffic->process)->answers;
}

enum anl_status anl_traffic_create_part(struct anl_workload workload, uint32_t first,
                                        uint32_t terminals, struct anl_traffic **traffic)
{
    struct anl_traffic *made = calloc(1, sizeof *made);
    *traffic = NULL;
    if (!made) return ANL_ERR_MEMORY;
    made->workload = workload;
    made->process = row_of(workload.traffic->process);
    made->first = first;
    made->terminals = terminals;
    const enum anl_status status = create_all(made);
    if (status) {
        anl_traffic_destroy(made);
        return status;
    }
    for (uint32_t t = 0; made->process->first && t < made->terminals; t++)
        schedule(made, made->process->first(made, t), t);
    *traffic = made;
    return ANL_OK;
}

enum anl_status anl_traffic_create(struct anl_workload workload, struct anl_traffic **traffic)
{
    const uint32_t terminals = anl_shape_of(workload.network).terminals;
    return anl_traffic_create_part(workload, 0, terminals, traffic);
}

enum anl_status anl_traffic_draw_ahead(struct anl_traffic *traffic)
{
    enum { MOST_TERMINALS = 4096 };  // all of them are looked at for so many cycles
    const uint32_t terminals = traffic->terminals;
    if (!traffic->process->draws_ahead) return ANL_OK;
    if (terminals > MOST_TERMINALS) return ANL_OK;
    struct ahead *ahead = malloc(sizeof *ahead);
    if (!ahead) return ANL_ERR_MEMORY;
    traffic->ahead = ahead;
    if (ahead_create(ahead, terminals)) return ANL_ERR_MEMORY;
    calendar_read(&traffic->calendar, 0, terminals, ahead->due);
    ahead->next = calendar_next(&traffic->calendar);
    return ANL_OK;
}

void anl_traffic_destroy(struct anl_traffic *traffic)
{
    if (!traffic) return;
    pattern_destroy(&traffic->pattern);
    open_destroy(&traffic->open);
    calendar_destroy(&traffic->calendar);
    emit_destroy(&traffic->emit);
    if (traffic->ahead) ahead_destroy(traffic->ahead);
    free(traffic->ahead);
    waiting_destroy(&traffic->waiting);
    free(traffic->rng);
    free(traffic->created);
    free(traffic->new_worms);
    free(traffic->outstanding);
    free(traffic->replies);
    free(traffic->delayed);
    free(traffic->is_reply);
    free(traffic);
}

// --- one cycle ---

// Draws the next worm of a terminal by pattern and length.
static struct anl_new_worm draw_worm(struct anl_traffic *traffic, uint32_t terminal)
{
    struct anl_rng *rng = &traffic->rng[terminal];
    const uint32_t index = traffic->created[terminal]++, source = traffic->first + terminal;
    const uint32_t destination = pattern_destination(&traffic->pattern, source, index, rng);
    return (struct anl_new_worm){.source = source,
                                 .destination = destination,
                                 .length = pattern_length(&traffic->pattern, rng),
                                 .class_ =
                                     (uint8_t)(index % anl_num_classes(traffic->workload.network))};
}

// Returns its length.
static uint16_t create_worm(struct anl_traffic *traffic, uint32_t terminal)
{
    struct anl_new_worm *worm = &traffic->new_worms[traffic->num_worms++];
    *worm = draw_worm(traffic, terminal);
    return worm->length;
}

// Returns when a terminal creates the worm after one of an open loop.
static uint64_t due_after(struct anl_traffic *traffic, uint32_t terminal, uint64_t cycle,
                          uint16_t length)
{
    return open_next(&traffic->open, traffic->first + terminal, cycle, length,
                     &traffic->rng[terminal]);
}

static void create_open(struct anl_traffic *traffic, uint64_t cycle)
{
    uint32_t t;
    while (calendar_due(&traffic->calendar, cycle, &t))
        schedule(traffic, due_after(traffic, t, cycle, create_worm(traffic, t)), t);
}

static void draw_ahead(struct anl_traffic *traffic, uint64_t cycle)
{
    struct ahead *ahead = traffic->ahead;
    ahead_begin(ahead, cycle);
    for (uint32_t t = 0; t < traffic->terminals; t++) {
        uint64_t due = ahead->due[t];
        while (due < ahead->end) {
            const struct anl_new_worm worm = draw_worm(traffic, t);
            ahead_add(ahead, due, worm);
            due = due_after(traffic, t, due, worm.length);
        }
        ahead->due[t] = due;
        if (due < ahead->next) ahead->next = due;
    }
    ahead_end(ahead);
}

// Returns the worms of a cycle that were drawn ahead.
static const struct anl_new_worm *drawn_worms(struct anl_traffic *traffic, uint64_t cycle,
                                              size_t *count)
{
    const struct ahead *ahead = traffic->ahead;
    if (cycle >= ahead->end) draw_ahead(traffic, cycle);
    const uint32_t *begin = &ahead->begins[cycle - ahead->begin];
    traffic->cycle = cycle + 1;
    *count = begin[1] - begin[0];
    return &ahead->worms[begin[0]];
}

static void create_batch(struct anl_traffic *traffic, uint64_t cycle)
{
    uint32_t t;
    while (calendar_due(&traffic->calendar, cycle, &t))
        for (uint32_t i = 0; i < traffic->workload.traffic->worms_per_terminal; i++)
            create_worm(traffic, t);
}

static void create_generated(struct anl_traffic *traffic, uint64_t cycle)
{
    uint32_t t;
    while (calendar_due(&traffic->calendar, cycle, &t)) {
        const uint32_t source = traffic->first + t;
        uint32_t random = anl_generator_seed(&traffic->workload, source);
        for (uint32_t i = 0; i < traffic->workload.traffic->worms_per_terminal; i++)
            traffic->new_worms[traffic->num_worms++] =
                anl_generator_worm(&traffic->workload, source, &random);
    }
}

// Returns true if terminals can refuse requests. Then it matters which worm is one, and its role
// says so.
static bool can_refuse(const struct anl_traffic *traffic)
{
    return traffic->workload.network->reply_queue > 0;
}

// Requests have class 0, replies the last class.
static void create_request(struct anl_traffic *traffic, uint32_t terminal)
{
    create_worm(traffic, terminal);
    struct anl_new_worm *request = &traffic->new_worms[traffic->num_worms - 1];
    request->class_ = 0;
    if (can_refuse(traffic)) request->role = ANL_REQUEST;
}

// Returns true if the terminal may create a request; the calendar holds exactly these terminals.
static bool may_request(const struct anl_traffic *traffic, uint32_t terminal)
{
    const struct anl_traffic_config *config = traffic->workload.traffic;
    return traffic->created[terminal] < config->worms_per_terminal &&
           traffic->outstanding[terminal] < config->window;
}

static void create_replies(struct anl_traffic *traffic)
{
    for (size_t i = 0; i < traffic->num_replies; i++) {
        const uint64_t id = traffic->next_id + i;
        traffic->is_reply[id / 8] |= (uint8_t)(1u << id % 8);
        traffic->new_worms[traffic->num_worms++] = traffic->replies[i];
    }
    traffic->num_replies = 0;
}

static void create_request_reply_worms(struct anl_traffic *traffic, uint64_t cycle)
{
    uint32_t t;
    create_replies(traffic);
    while (calendar_due(&traffic->calendar, cycle, &t)) {
        create_request(traffic, t);
        traffic->outstanding[t]++;
        if (may_request(traffic, t)) calendar_add(&traffic->calendar, cycle + 1, t);
    }
    traffic->next_id += traffic->num_worms;
}

static void create_own(struct anl_traffic *traffic, uint64_t cycle)
{
    traffic->num_worms = emit_cycle(&traffic->emit, cycle, &traffic->new_worms);
}

static void create_message(struct anl_traffic *traffic, const struct anl_message *message,
                           const struct anl_dependencies *dependencies)
{
    traffic->new_worms[traffic->num_worms++] =
        (struct anl_new_worm){.source = message->source,
                              .destination = message->destination,
                              .length = message->length,
                              .route_length = message->route_length,
                              .route = message->route,
                              .path = message->path,
                              .has_path = message->has_path,
                              .class_ = message->class_,
                              .dependencies = dependencies};
}

static void create_waiting(struct anl_traffic *traffic, uint64_t cycle)
{
    uint32_t m;
    const struct anl_dependencies *dependencies;
    while (waiting_due(&traffic->waiting, cycle, &m, &dependencies))
        create_message(traffic, &traffic->messages[m], dependencies);
}

static void create_messages_of(struct anl_traffic *traffic, uint64_t cycle)
{
    for (; traffic->num_sent < traffic->num_messages; traffic->num_sent++) {
        const struct anl_message *message = &traffic->messages[traffic->num_sent];
        if (message->cycle != cycle) break;
        create_message(traffic, message, NULL);
    }
}

static uint64_t next_message(const struct anl_traffic *traffic)
{
    if (traffic->waiting.count) return calendar_next(&traffic->waiting.calendar);
    const bool all_sent = traffic->num_sent == traffic->num_messages;
    return all_sent ? UINT64_MAX : traffic->messages[traffic->num_sent].cycle;
}

uint64_t anl_traffic_next(const struct anl_traffic *traffic)
{
    if (traffic->num_replies > 0) return traffic->cycle;
    if (traffic->ahead) return ahead_next(traffic->ahead, traffic->cycle);
    const uint64_t due = calendar_next(&traffic->calendar), sent = next_message(traffic);
    const uint64_t known = due < sent ? due : sent, asks = traffic->emit.next;
    const uint64_t next = known < asks ? known : asks;
    return next > traffic->cycle ? next : traffic->cycle;
}

const struct anl_new_worm *anl_traffic_cycle(struct anl_traffic *traffic, uint64_t cycle,
                                             size_t *count)
{
    assert(cycle >= traffic->cycle && cycle <= anl_traffic_next(traffic));
    if (traffic->ahead) return drawn_worms(traffic, cycle, count);
    traffic->num_worms = 0;
    if (traffic->process->create) traffic->process->create(traffic, cycle);
    if (traffic->waiting.count)
        create_waiting(traffic, cycle);
    else
        create_messages_of(traffic, cycle);
    traffic->cycle = cycle + 1;
    *count = traffic->num_worms;
    return traffic->new_worms;
}

// --- deliveries ---

static struct anl_new_worm reply_to(const struct anl_traffic *traffic,
                                    const struct anl_worm *request)
{
    const uint32_t classes = anl_num_classes(traffic->workload.network);
    return (struct anl_new_worm){.source = request->destination,
                                 .destination = request->source,
                                 .length = traffic->workload.traffic->reply_length,
                                 .class_ = (uint8_t)(classes - 1),
                                 .role = can_refuse(traffic) ? ANL_REPLY : ANL_PLAIN};
}

static void answer(struct anl_traffic *traffic, const struct anl_worm *request)
{
    assert(traffic->num_replies < most_replies(traffic));
    traffic->replies[traffic->num_replies++] = reply_to(traffic, request);
}

static void close_request(struct anl_traffic *traffic, uint32_t terminal)
{
    const bool waited = !may_request(traffic, terminal);
    assert(traffic->outstanding[terminal] > 0);
    traffic->outstanding[terminal]--;
    if (waited && may_request(traffic, terminal))
        calendar_add(&traffic->calendar, traffic->cycle, terminal);
}

static bool is_reply(const struct anl_traffic *traffic, const struct anl_worm *worm)
{
    return traffic->is_reply[worm->id / 8] >> worm->id % 8 & 1;
}

static void close_or_answer(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert(worms[i].id < traffic->next_id);
        if (is_reply(traffic, &worms[i]))
            close_request(traffic, worms[i].destination);
        else if (can_refuse(traffic))
            traffic->num_untaken++;
        else
            answer(traffic, &worms[i]);
    }
}

static void answer_taken(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_reply(traffic, &worms[i])) continue;
        assert(traffic->num_untaken > 0);
        traffic->num_untaken--;
        answer(traffic, &worms[i]);
    }
}

static void tell_own(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count)
{
    emit_delivered(&traffic->emit, traffic->cycle - 1, worms, count);
}

static void tell_own_taken(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count)
{
    emit_taken(&traffic->emit, traffic->cycle, worms, count);
}

void anl_traffic_delivered(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count)
{
    for (size_t i = 0; traffic->waiting.count && i < count; i++)
        waiting_delivered(&traffic->waiting, worms[i].id, traffic->cycle - 1);
    if (traffic->process->delivered) traffic->process->delivered(traffic, worms, count);
}

void anl_traffic_taken(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count)
{
    if (traffic->process->taken) traffic->process->taken(traffic, worms, count);
}

bool anl_traffic_done(const struct anl_traffic *traffic)
{
    if (traffic->ahead) return ahead_next(traffic->ahead, traffic->cycle) == OPEN_NEVER;
    const bool sent = next_message(traffic) == UINT64_MAX;
    return traffic->calendar.count == 0 && traffic->num_replies == 0 && traffic->num_untaken == 0 &&
           sent && traffic->emit.next == ANL_NEVER;
}

enum anl_status anl_traffic_status(const struct anl_traffic *traffic, struct anl_error *error)
{
    if (traffic->emit.status) *error = traffic->emit.error;
    return traffic->emit.status;
}

uint64_t anl_traffic_signature(const struct anl_traffic *traffic)
{
    return traffic->emit.signature;
}

// --- state ---

static void pack_terminal(struct anl_traffic *traffic, uint32_t terminal, uint64_t due,
                          struct anl_pack *pack)
{
    for (int i = 0; i < 4; i++)
        ANL_PACK(pack, traffic->rng[terminal].s[i]);
    ANL_PACK(pack, traffic->created[terminal]);
    if (traffic->outstanding) ANL_PACK(pack, traffic->outstanding[terminal]);
    open_pack(&traffic->open, traffic->first + terminal, pack);
    ANL_PACK(pack, due);
    if (pack->from && !pack->failed) schedule(traffic, due, terminal);
}

void anl_traffic_pack_terminals(struct anl_traffic *traffic, uint32_t first, uint32_t count,
                                struct anl_pack *pack)
{
    assert(!traffic->ahead);
    const uint32_t begin = first - traffic->first;
    uint64_t *due = malloc((count + 1) * sizeof *due);
    if (!anl_pack_expect(pack, due != NULL)) return;
    calendar_read(&traffic->calendar, begin, count, due);
    for (uint32_t i = 0; i < count; i++)
        pack_terminal(traffic, begin + i, due[i], pack);
    free(due);
}

static void pack_reply(struct anl_traffic *traffic, struct anl_new_worm *reply,
                       struct anl_pack *pack)
{
    struct anl_worm request = {.source = reply->destination, .destination = reply->source};
    ANL_PACK_BELOW(pack, request.source, traffic->terminals);
    ANL_PACK_BELOW(pack, request.destination, traffic->terminals);
    if (pack->from) *reply = reply_to(traffic, &request);
}

static void pack_replies(struct anl_traffic *traffic, struct anl_pack *pack)
{
    const size_t worms =
        2 * (size_t)traffic->terminals * traffic->workload.traffic->worms_per_terminal;
    ANL_PACK_BELOW(pack, traffic->num_replies, most_replies(traffic) + 1);
    for (size_t i = 0; i < traffic->num_replies; i++)
        pack_reply(traffic, &traffic->replies[i], pack);
    ANL_PACK_BELOW(pack, traffic->next_id, worms + 1);
    anl_pack_bytes(pack, traffic->is_reply, traffic->next_id / 8 + 1);
    ANL_PACK(pack, traffic->num_untaken);
}

void anl_traffic_pack(struct anl_traffic *traffic, struct anl_pack *pack)
{
    assert(!traffic->ahead);
    if (pack->from) traffic->calendar.count = 0;
    ANL_PACK(pack, traffic->cycle);
    ANL_PACK_BELOW(pack, traffic->num_sent, traffic->num_messages + 1);
    if (traffic->replies) pack_replies(traffic, pack);
    if (traffic->waiting.count) waiting_pack(&traffic->waiting, pack);
    emit_pack(&traffic->emit, pack);
}

bool anl_traffic_tie(const struct anl_traffic *traffic, struct anl_worm *worm)
{
    const struct waiting *waiting = &traffic->waiting;
    const size_t created = waiting->count ? waiting->created : traffic->num_sent;
    if (traffic->emit.from) return worm->id < traffic->emit.created;
    if (worm->id >= created) return false;
    const size_t number = waiting->count ? waiting->message_of[worm->id] : worm->id;
    worm->dependencies = waiting->count ? waiting_for(waiting, worm->id) : NULL;
    worm->route = traffic->messages[number].route;
    worm->route_length = traffic->messages[number].route_length;
    return true;
}

// --- processes ---

static const struct process processes[] = {
    [ANL_BERNOULLI] = {.name = "bernoulli",
                       .open_loop = true,
                       .has_pattern = true,
                       .has_parts = true,
                       .draws_ahead = true,
                       .most = most_of_open,
                       .first = first_of_open,
                       .create = create_open},
    [ANL_BURSTY] = {.name = "bursty",
                    .open_loop = true,
                    .has_pattern = true,
                    .has_parts = true,
                    .draws_ahead = true,
                    .most = most_of_open,
                    .first = first_of_open,
                    .create = create_open},
    [ANL_BATCH] = {.name = "batch",
                   .has_pattern = true,
                   .has_parts = true,
                   .most = most_of_terminals,
                   .first = first_of_all,
                   .create = create_batch},
    [ANL_REQUEST_REPLY] = {.name = "request_reply",
                           .has_pattern = true,
                           .answers = true,
                           .most = most_of_requests,
                           .first = first_of_all,
                           .create = create_request_reply_worms,
                           .delivered = close_or_answer,
                           .taken = answer_taken},
    [ANL_REPLAY] = {.name = "replay"},
    [ANL_GENERATOR] = {.name = "generator",
                       .has_parts = true,
                       .most = most_of_terminals,
                       .first = first_of_all,
                       .create = create_generated},
    [ANL_OWN] = {.name = "own",
                 .answers = true,
                 .create = create_own,
                 .delivered = tell_own,
                 .taken = tell_own_taken},
    [ANL_OWN_OPEN] = {.name = "own_open",
                      .open_loop = true,
                      .answers = true,
                      .create = create_own,
                      .delivered = tell_own,
                      .taken = tell_own_taken},
};
enum { PROCESSES = sizeof processes / sizeof *processes };

static const struct process *row_of(enum anl_process process)
{
    static const struct process none = {.name = "?"};
    return (unsigned)process < PROCESSES ? &processes[process] : &none;
}

// --- names ---

static const char *const pattern_names[] = {
    "uniform",    "complement",     "transpose",   "bit_reverse", "shuffle",    "tornado",
    "neighbour",  "hotspot",        "many_to_one", "permutation", "q_relation", "random_function",
    "far_corner", "uniform_others", "matrix",      "sphere"};

uint32_t anl_traffic_longest(const struct anl_traffic_config *config)
{
    uint32_t longest = 0;
    for (uint32_t i = 0; i < config->num_lengths; i++)
        if (config->lengths[i] > longest) longest = config->lengths[i];
    return longest;
}

bool anl_process_is_open_loop(enum anl_process value) { return row_of(value)->open_loop; }
bool anl_process_has_pattern(enum anl_process value) { return row_of(value)->has_pattern; }
const char *anl_process_name(enum anl_process value) { return row_of(value)->name; }

const char *anl_pattern_name(enum anl_pattern value)
{
    return (unsigned)value <= ANL_SPHERE ? pattern_names[value] : "?";
}
