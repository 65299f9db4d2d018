// SPDX-License-Identifier: Apache-2.0

#include "journeys.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- collecting ---

enum anl_status journeys_worm(struct journeys *journeys, const struct anl_worm *worm)
{
    struct journey *list =
        gather_room(journeys->list, journeys->count, &journeys->size, sizeof *list);
    if (!list) return ANL_ERR_MEMORY;
    journeys->list = list;
    list[journeys->count++] = (struct journey){.id = worm->id,
                                               .source = worm->source,
                                               .destination = worm->destination,
                                               .length = worm->length,
                                               .class_ = worm->class_,
                                               .created = worm->created,
                                               .injected = UINT64_MAX,
                                               .delivered = UINT64_MAX};
    return ANL_OK;
}

void journeys_flit(struct journeys *journeys, uint64_t cycle, const struct anl_flit *flit)
{
    if (!flit->head && !flit->tail) return;
    if (flit->worm >= journeys->count || flit->link >= anl_shape_of(journeys->config).links) return;
    struct journey *journey = &journeys->list[flit->worm];
    if (flit->head && journey->injected == UINT64_MAX) journey->injected = cycle;
    journey->hops += flit->head;
    if (anl_is_delivery(journeys->config, flit, journey->destination)) journey->delivered = cycle;
}

void journeys_free(struct journeys *journeys) { free(journeys->list); }

void journeys_read_per(void *per, const char *text, struct argp_state *state)
{
    static const char *const names[] = {"worm", "source", "destination", "pair", "class"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *(enum journeys_per *)per = (enum journeys_per)i;
        return;
    }
    argp_error(state, "--per %s: expected worm, source, destination, pair or class", text);
}

// --- a row for each worm ---

static bool is_delivered(const struct journey *journey) { return journey->delivered != UINT64_MAX; }

static uint64_t latency_of(const struct journey *journey)
{
    return journey->delivered - journey->created + 1;
}

// Returns by how many cycles the worm took longer than it would have alone; UINT64_MAX: that is not
// known of the kind of switch.
static uint64_t waited(const struct anl_config *config, const struct journey *journey)
{
    const struct anl_machine *machine = anl_machine_of(config->kind);
    if (!machine->alone) return UINT64_MAX;
    const uint64_t distance = journey->hops > machine->ends ? journey->hops - machine->ends : 0;
    const uint64_t alone = anl_latency_alone(config, distance, journey->length);
    const uint64_t latency = latency_of(journey);
    return latency > alone ? latency - alone : 0;
}

static void put_cycle(FILE *out, uint64_t cycle)
{
    if (cycle == UINT64_MAX)
        fputc(',', out);
    else
        fprintf(out, ",%" PRIu64, cycle);
}

static void write_worms(FILE *out, const struct journeys *journeys)
{
    fputs("id,source,destination,class,length,created,injected,delivered,hops,waited\r\n", out);
    for (size_t i = 0; i < journeys->count; i++) {
        const struct journey *journey = &journeys->list[i];
        fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%u,%u,%" PRIu64, journey->id,
                journey->source, journey->destination, journey->class_, journey->length,
                journey->created);
        put_cycle(out, journey->injected);
        put_cycle(out, journey->delivered);
        put_cycle(out, is_delivered(journey) ? journey->hops : UINT64_MAX);
        put_cycle(out, is_delivered(journey) ? waited(journeys->config, journey) : UINT64_MAX);
        fputs("\r\n", out);
    }
}

// --- a row for each group ---

struct member {
    uint64_t group;    // number of the group
    uint64_t latency;  // UINT64_MAX: not delivered
    uint64_t waited;
    uint32_t length, hops;
};

static uint64_t group_of(const struct journey *journey, enum journeys_per per)
{
    switch (per) {
    case PER_SOURCE:
        return journey->source;
    case PER_DESTINATION:
        return journey->destination;
    case PER_PAIR:
        return (uint64_t)journey->source << 32 | journey->destination;
    case PER_CLASS:
        return journey->class_;
    case PER_WORM:
        break;
    }
    return journey->id;
}

static int in_order(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return (x->latency > y->latency) - (x->latency < y->latency);
}

// Returns the members of the groups, in their order and then by latency; NULL if memory runs out.
static struct member *gather(const struct journeys *journeys, const struct journeys_file *file,
                             size_t *count)
{
    struct member *members = calloc(journeys->count + 1, sizeof *members);
    *count = 0;
    for (size_t i = 0; members && i < journeys->count; i++) {
        const struct journey *journey = &journeys->list[i];
        if (journey->created < file->warmup) continue;
        const bool delivered = is_delivered(journey);
        members[(*count)++] = (struct member){
            .group = group_of(journey, file->per),
            .latency = delivered ? latency_of(journey) : UINT64_MAX,
            .waited = delivered ? waited(journeys->config, journey) : 0,
            .length = journey->length,
            .hops = journey->hops,
        };
    }
    if (members) qsort(members, *count, sizeof *members, in_order);
    return members;
}

// Returns the latency that at least num / den of the members do not exceed.
static uint64_t quantile(const struct member *members, size_t count, uint64_t num, uint64_t den)
{
    const uint64_t at = (count * num + den - 1) / den;
    return members[at ? at - 1 : 0].latency;
}

static void write_group(FILE *out, const struct member *members, size_t count,
                        enum journeys_per per)
{
    size_t delivered = 0;
    uint64_t flits = 0, latency = 0, waited = 0, hops = 0;
    for (size_t i = 0; i < count; i++) {
        flits += members[i].length;
        if (members[i].latency == UINT64_MAX) continue;
        delivered++;
        latency += members[i].latency;
        waited += members[i].waited;
        hops += members[i].hops;
    }
    if (per == PER_PAIR)
        fprintf(out, "%" PRIu64 ",%" PRIu64, members->group >> 32, members->group & UINT32_MAX);
    else
        fprintf(out, "%" PRIu64, members->group);
    fprintf(out, ",%zu,%zu,%" PRIu64, count, delivered, flits);
    if (!delivered) {
        fputs(",,,,,,,,\r\n", out);
        return;
    }
    const double n = (double)delivered;
    fprintf(out, ",%.9g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.9g,",
            (double)latency / n, members->latency, quantile(members, delivered, 50, 100),
            quantile(members, delivered, 95, 100), quantile(members, delivered, 99, 100),
            quantile(members, delivered, 1, 1), (double)hops / n);
    if (members->waited != UINT64_MAX) fprintf(out, "%.9g", (double)waited / n);
    fputs("\r\n", out);
}

static enum anl_status write_groups(FILE *out, const struct journeys *journeys,
                                    const struct journeys_file *file, struct anl_error *error)
{
    static const char *const names[] = {[PER_SOURCE] = "source",
                                        [PER_DESTINATION] = "destination",
                                        [PER_PAIR] = "source,destination",
                                        [PER_CLASS] = "class"};
    size_t count;
    struct member *members = gather(journeys, file, &count);
    if (!members) return cli_fail(ANL_ERR_MEMORY, error);
    fprintf(out,
            "%s,worms,delivered,flits,latency,latency_min,latency_p50,latency_p95,latency_p99,"
            "latency_max,hops,waited\r\n",
            names[file->per]);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && members[end].group == members[i].group;)
            end++;
        write_group(out, &members[i], end - i, file->per);
    }
    free(members);
    return ANL_OK;
}

enum anl_status journeys_write(struct journeys *journeys, const struct journeys_file *file,
                               struct anl_error *error)
{
    struct anl_output output;
    enum anl_status status = anl_output_open(file->path, &output, error);
    if (status) return status;
    cli_write_provenance(output.file, file->given, file->scenario);
    if (file->per == PER_WORM)
        write_worms(output.file, journeys);
    else
        status = write_groups(output.file, journeys, file, error);
    if (!status) return anl_output_finish(&output, error);
    anl_output_abandon(&output);
    return status;
}
