// SPDX-License-Identifier: Apache-2.0
//
// A run of a network of anybody's switches: the worms of a scenario, cycle by cycle, and the
// figures at its end.

#include "driver.h"

#include "base/base.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// --- create, destroy ---

void anl_driver_destroy(struct anl_driver *drive)
{
    if (!drive) return;
    for (uint32_t t = 0; drive->sources && t < drive->terminals; t++) {
        free(drive->sources[t].queue);
        free(drive->sources[t].credits);
    }
    for (uint32_t t = 0; drive->sinks && t < drive->terminals; t++)
        free(drive->sinks[t].owed);
    free(drive->sources);
    free(drive->sinks);
    free(drive->worms.all);
    free(drive->arrived);
    anl_traffic_destroy(drive->traffic);
    anl_live_destroy(drive->live);
    free(drive);
}

static bool make_terminal(struct anl_driver *drive, uint32_t terminal)
{
    struct drive_source *source = &drive->sources[terminal];
    struct drive_sink *sink = &drive->sinks[terminal];
    source->credits = calloc(drive->num_vcs, sizeof *source->credits);
    sink->owed = calloc(drive->num_vcs, sizeof *sink->owed);
    for (uint32_t vc = 0; source->credits && vc < drive->num_vcs; vc++)
        source->credits[vc] = drive->slots;
    source->usable = UINT32_MAX;
    return source->credits && sink->owed;
}

static enum anl_status make_terminals(struct anl_driver *drive)
{
    drive->sources = calloc(drive->terminals, sizeof *drive->sources);
    drive->sinks = calloc(drive->terminals, sizeof *drive->sinks);
    drive->arrived = calloc(drive->terminals, sizeof *drive->arrived);
    if (!drive->sources || !drive->sinks || !drive->arrived) return ANL_ERR_MEMORY;
    for (uint32_t t = 0; t < drive->terminals; t++)
        if (!make_terminal(drive, t)) return ANL_ERR_MEMORY;
    for (uint32_t t = 0; t < drive->terminals; t++)
        drive_sink_decide(drive, t);
    return ANL_OK;
}

static void create_worms(struct anl_driver *drive);

// Returns whether the type has a value for each flit of a worm: a head and tail, or one each and,
// between them, one that is neither.
static bool has_types(const struct anl_link_description *links, uint16_t length)
{
    const uint64_t head = links->type_head, tail = links->type_tail;
    const uint64_t others = ~(head | tail) << (64 - (1u << links->type.width));
    if (links->ends != ANL_ENDS_TYPE) return true;
    if (length == 1) return head & tail;
    return head & ~tail && tail & ~head && (length == 2 || others);
}

// Returns whether a head that we make says where its worm goes, and how long it is if it does. One
// whose field is too narrow says another thing, for which the switch would be blamed.
static bool can_say(const struct anl_driver *drive, uint32_t destination, uint16_t length)
{
    const struct anl_link_description *links = drive->links;
    const struct anl_worm worm = {.destination = destination, .length = length};
    uint32_t flit[ANL_WIRE_WORDS];
    anl_link_make_flit(links, drive->config, &worm, 0, 0, flit);
    const bool says = links->fields[ANL_FIELD_LENGTH].width || links->ends == ANL_ENDS_LENGTH;
    return has_types(links, length) &&
           anl_link_destination(links, drive->config, flit) == destination &&
           (!says || anl_link_length(links, flit) == length);
}

static enum anl_status check_head(const struct anl_driver *drive, uint32_t destination,
                                  uint16_t length, struct anl_error *error)
{
    if (can_say(drive, destination, length)) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, drive->options.live.links, drive->links->line,
                    "head: found fields that cannot say a worm of %d flits to terminal %" PRIu32
                    ", expected fields for all worms of the scenario",
                    length, destination);
}

// Looks at the heads of all lengths, and of all terminals, to which the scenario sends worms.
static enum anl_status check_heads(const struct anl_driver *drive, struct anl_error *error)
{
    const struct anl_workload workload = anl_scenario_workload(drive->scenario);
    const struct anl_traffic_config *traffic = workload.traffic;
    enum anl_status status = ANL_OK;
    for (size_t i = 0; !status && i < workload.num_messages; i++)
        status =
            check_head(drive, workload.messages[i].destination, workload.messages[i].length, error);
    if (traffic->process == ANL_REPLAY) return status;
    if (traffic->process == ANL_REQUEST_REPLY)
        status = check_head(drive, 0, traffic->reply_length, error);
    for (uint32_t i = 0; !status && i < traffic->num_lengths; i++)
        for (uint32_t t = 0; !status && t < drive->terminals; t++)
            status = check_head(drive, t, traffic->lengths[i], error);
    return status;
}

static enum anl_status prepare(struct anl_driver *drive, const char *path, struct anl_error *error)
{
    enum anl_status status = anl_live_create(path, &drive->options.live, &drive->live, error);
    if (status) return status;
    drive->scenario = anl_live_scenario(drive->live);
    drive->config = &drive->scenario->network;
    drive->links = anl_live_links(drive->live);
    if (!drive->links)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0, "no file describes its links");
    drive->terminals = anl_shape_of(drive->config).terminals;
    drive->num_vcs = drive->config->num_vcs;
    drive->slots = anl_link_slots(drive->links, drive->config);
    drive->random = anl_rng_seed(drive->scenario->run.seed, drive->terminals + 1);
    status = check_heads(drive, error);
    if (!status) status = make_terminals(drive);
    if (!status)
        status = anl_traffic_create(anl_scenario_workload(drive->scenario), &drive->traffic);
    if (!status) create_worms(drive);
    return drive->out_of_memory ? ANL_ERR_MEMORY : status;
}

enum anl_status anl_driver_create(const char *scenario, const struct anl_driver_options *options,
                                  struct anl_driver **drive, struct anl_error *error)
{
    struct anl_error said = {0};
    *drive = NULL;
    struct anl_driver *made = calloc(1, sizeof *made);
    if (!made) return anl_fail(error, ANL_ERR_MEMORY, scenario, 0, "out of memory");
    made->options = *options;
    made->options.live.has_seed = true;
    made->good = true;
    const enum anl_status status = prepare(made, scenario, &said);
    if (!status) {
        *drive = made;
        return ANL_OK;
    }
    anl_driver_destroy(made);
    if (!said.text[0]) anl_fail(&said, status, scenario, 0, "%s", anl_status_text(status));
    if (error) *error = said;
    return status;
}

struct anl_live *anl_driver_live(const struct anl_driver *drive) { return drive->live; }

// --- worms ---

// Makes room for one more entry of `bytes` bytes each. Returns NULL, and notes it, without memory.
static void *grow(struct anl_driver *drive, void *entries, size_t count, size_t *room, size_t bytes)
{
    void *grown = base_room(entries, count, room, bytes);
    if (!grown) drive->out_of_memory = true;
    return grown;
}

static bool add_worm(struct anl_driver *drive, const struct anl_new_worm *created)
{
    struct drive_worms *worms = &drive->worms;
    struct drive_source *source = &drive->sources[created->source];
    void *grown = grow(drive, worms->all, worms->count, &worms->room, sizeof *worms->all);
    if (!grown) return false;
    worms->all = grown;
    grown = grow(drive, source->queue, source->count, &source->room, sizeof *source->queue);
    if (!grown) return false;
    source->queue = grown;
    source->queue[source->count++] = (uint32_t)worms->count;
    worms->all[worms->count] = (struct drive_worm){.worm = {.id = (uint32_t)worms->count,
                                                            .source = created->source,
                                                            .destination = created->destination,
                                                            .length = created->length,
                                                            .class_ = created->class_,
                                                            .role = created->role,
                                                            .dependencies = created->dependencies,
                                                            .created = anl_live_now(drive->live)}};
    worms->count++;
    return true;
}

// Creates the worms of the cycle that comes, and announces them to the watch.
static void create_worms(struct anl_driver *drive)
{
    size_t count = 0;
    const struct anl_new_worm *created =
        anl_traffic_cycle(drive->traffic, anl_live_now(drive->live), &count);
    for (size_t i = 0; i < count && add_worm(drive, &created[i]); i++)
        anl_live_worm(drive->live, created[i].source, created[i].destination, created[i].length,
                      created[i].class_);
}

// --- figures ---

static bool is_measured(const struct anl_driver *drive, uint64_t cycle)
{
    const struct anl_run_config *run = &drive->scenario->run;
    const bool open = anl_process_is_open_loop(drive->scenario->traffic.process);
    return cycle >= run->warmup_cycles && (!open || cycle < run->cycles);
}

static void note_head(struct anl_driver *drive, struct drive_worm *worm, bool enters,
                      uint64_t cycle)
{
    const uint32_t hop = (uint32_t)(cycle - worm->crossed);
    worm->crossed = cycle;
    if (enters) return;
    if (!drive->least_hop || hop < drive->least_hop) drive->least_hop = hop;
    drive->hops += hop;
    drive->num_hops++;
}

// Notes a flit that has crossed a link. Returns whether it is a tail that has arrived.
static bool note_flit(struct anl_driver *drive, const struct anl_flit *flit, uint64_t cycle)
{
    const struct anl_shape shape = anl_shape_of(drive->config);
    struct drive_worm *worm = &drive->worms.all[flit->worm];
    const bool enters = flit->link >= shape.switches * shape.ports;
    if (flit->index == 0) note_head(drive, worm, enters, cycle);
    if (enters || !anl_end_of(drive->config, flit->link).is_terminal) return false;
    drive->taken += is_measured(drive, cycle);
    if (!flit->tail) return false;
    drive->delivered++;
    if (!is_measured(drive, worm->worm.created)) return true;
    drive->measured++;
    drive->latencies += (double)(cycle - worm->worm.created);
    return true;
}

static void note_cycle(struct anl_driver *drive, uint64_t cycle)
{
    size_t count = 0, arrived = 0;
    const struct anl_flit *flits = anl_live_flits(drive->live, &count);
    for (size_t i = 0; i < count; i++)
        if (note_flit(drive, &flits[i], cycle))
            drive->arrived[arrived++] = drive->worms.all[flits[i].worm].worm;
    drive->flits += count;
    anl_traffic_delivered(drive->traffic, drive->arrived, arrived);
}

struct anl_driver_result anl_driver_result(const struct anl_driver *drive)
{
    const struct anl_run_config *run = &drive->scenario->run;
    const uint64_t now = anl_live_now(drive->live);
    const bool open = anl_process_is_open_loop(drive->scenario->traffic.process);
    const uint64_t end = open && now > run->cycles ? run->cycles : now;
    const uint64_t cycles = end > run->warmup_cycles ? end - run->warmup_cycles : 0;
    struct anl_driver_result result = {.cycles = now,
                                       .flits = drive->flits,
                                       .worms = drive->worms.count,
                                       .delivered = drive->delivered,
                                       .measured = drive->measured,
                                       .least_hop = drive->least_hop};
    if (drive->measured) result.latency = drive->latencies / (double)drive->measured;
    if (drive->num_hops) result.mean_hop = drive->hops / (double)drive->num_hops;
    if (cycles) result.accepted = (double)drive->taken / (double)cycles / drive->terminals;
    return result;
}

// --- a cycle ---

bool anl_driver_sends(const struct anl_driver *drive, uint32_t terminal, uint32_t *vc,
                      const uint32_t **flit)
{
    const struct drive_source *source = &drive->sources[terminal];
    *vc = source->vc;
    *flit = source->flit;
    return source->valid;
}

uint32_t anl_driver_takes(const struct anl_driver *drive, uint32_t terminal)
{
    return drive->sinks[terminal].back;
}

void anl_driver_saw(struct anl_driver *drive, uint32_t terminal, uint32_t back, bool valid,
                    uint32_t vc, const uint32_t *flit)
{
    drive_source_saw(drive, terminal, back);
    drive_sink_saw(drive, terminal, valid, vc, flit);
}

// Returns whether the run is over: all is delivered and at rest, or too long, or nothing moves.
static bool is_over(const struct anl_driver *drive)
{
    const uint64_t rest = anl_live_rest_cycles(drive->live);
    const uint64_t quiet = anl_live_quiet_cycles(drive->live);
    const uint64_t patience = drive->options.live.patience_cycles;
    const bool done = anl_traffic_done(drive->traffic) && drive->delivered == drive->worms.count;
    if (anl_live_now(drive->live) >= drive->scenario->run.max_cycles) return true;
    if (done) return quiet >= rest;
    return patience && anl_live_stuck_cycles(drive->live) >= (patience > rest ? patience : rest);
}

bool anl_driver_cycle(struct anl_driver *drive)
{
    const uint64_t cycle = anl_live_now(drive->live);
    drive->good = anl_live_cycle(drive->live) && drive->good;
    if (!drive->good || drive->out_of_memory) return false;
    note_cycle(drive, cycle);
    create_worms(drive);
    for (uint32_t t = 0; t < drive->terminals; t++) {
        drive_source_decide(drive, t);
        drive_sink_decide(drive, t);
    }
    return !is_over(drive);
}

// --- the end ---

static void print(const struct anl_driver *drive, FILE *out)
{
    const struct anl_driver_result result = anl_driver_result(drive);
    fprintf(out,
            "judge: latency %.2f of %" PRIu64 " worms, accepted %.4f flits/terminal/cycle, "
            "%" PRIu32 " cycles a hop at least, %.2f in the mean\n",
            result.latency, result.measured, result.accepted, result.least_hop, result.mean_hop);
}

// Returns the lanes of links that the network has and that no flit has crossed, and sets *all to
// how many lanes it has.
static json_t *json_never_used(const struct anl_driver *drive, uint32_t *all)
{
    const uint32_t links = anl_shape_of(drive->config).links;
    json_t *never = json_array();
    *all = 0;
    for (uint32_t lane = 0; lane < links * drive->num_vcs; lane++) {
        const uint32_t link = lane / drive->num_vcs, vc = lane % drive->num_vcs;
        char name[96];
        if (!anl_end_of(drive->config, link).exists) continue;
        ++*all;
        if (anl_live_was_used(drive->live, link, vc)) continue;
        anl_link_name(drive->config, link, name, sizeof name);
        json_array_append_new(never, json_sprintf("lane %" PRIu32 " of %s", vc, name));
    }
    return never;
}

static void print_json(const struct anl_driver *drive, bool good, FILE *out)
{
    const struct anl_driver_result result = anl_driver_result(drive);
    const struct anl_finding *finding = anl_live_finding(drive->live);
    uint32_t lanes;
    json_t *never = json_never_used(drive, &lanes);
    json_t *object =
        json_pack("{s:b, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:i, s:f, s:i, s:o}", "good",
                  good, "what", finding ? finding->what : "", "cycle",
                  (json_int_t)(finding ? finding->cycle : 0), "cycles", (json_int_t)result.cycles,
                  "flits", (json_int_t)result.flits, "worms", (json_int_t)result.worms, "delivered",
                  (json_int_t)result.delivered, "measured", (json_int_t)result.measured, "latency",
                  result.latency, "accepted", result.accepted, "least_hop", (int)result.least_hop,
                  "mean_hop", result.mean_hop, "lanes", (int)lanes, "never", never);
    if (object) json_dumpf(object, out, JSON_REAL_PRECISION(9));
    fputc('\n', out);
    json_decref(object);
}

bool anl_driver_end(struct anl_driver *drive)
{
    const bool kept = anl_live_end(drive->live);
    const bool good = kept && !drive->out_of_memory && drive->delivered == drive->worms.count &&
                      anl_traffic_done(drive->traffic);
    FILE *out = drive->options.live.out ? drive->options.live.out : stderr;
    if (drive->out_of_memory) fputs("judge: out of memory\n", out);
    if (drive->options.json)
        print_json(drive, good, stdout);
    else
        print(drive, out);
    return good;
}
