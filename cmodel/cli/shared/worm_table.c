// SPDX-License-Identifier: Apache-2.0

#include "worm_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- collecting ---

enum anl_status worm_table_add(struct worm_table *table, const struct anl_worm *worm)
{
    struct worm_row *list = gather_room(table->list, table->count, &table->size, sizeof *list);
    if (!list) return ANL_ERR_MEMORY;
    table->list = list;
    list[table->count++] = (struct worm_row){.id = worm->id,
                                             .source = worm->source,
                                             .destination = worm->destination,
                                             .length = worm->length,
                                             .class_ = worm->class_,
                                             .created = worm->created,
                                             .injected = UINT64_MAX,
                                             .delivered = UINT64_MAX};
    return ANL_OK;
}

void worm_table_flit(struct worm_table *table, uint64_t cycle, const struct anl_flit *flit)
{
    if (!flit->head && !flit->tail) return;
    if (flit->worm >= table->count || flit->link >= anl_shape_of(table->config).links) return;
    struct worm_row *row = &table->list[flit->worm];
    if (flit->head && row->injected == UINT64_MAX) row->injected = cycle;
    row->hops += flit->head;
    if (anl_is_delivery(table->config, flit, row->destination)) row->delivered = cycle;
}

void worm_table_free(struct worm_table *table) { free(table->list); }

void worm_table_read_per(void *per, const char *text, struct argp_state *state)
{
    static const char *const names[] = {"worm", "source", "destination", "pair", "class"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *(enum worm_table_per *)per = (enum worm_table_per)i;
        return;
    }
    argp_error(state, "--per %s: expected worm, source, destination, pair or class", text);
}

// --- a row for each worm ---

static bool is_delivered(const struct worm_row *row) { return row->delivered != UINT64_MAX; }

static uint64_t latency_of(const struct worm_row *row) { return row->delivered - row->created + 1; }

// Returns by how many cycles the worm took longer than it would have alone; UINT64_MAX: that is not
// known of the kind of switch.
static uint64_t waited(const struct anl_config *config, const struct worm_row *row)
{
    const struct anl_machine *machine = anl_machine_of(config->kind);
    if (!machine->alone) return UINT64_MAX;
    const uint64_t distance = row->hops > machine->ends ? row->hops - machine->ends : 0;
    const uint64_t alone = anl_latency_alone(config, distance, row->length);
    const uint64_t latency = latency_of(row);
    return latency > alone ? latency - alone : 0;
}

static void put_cycle(FILE *out, uint64_t cycle)
{
    if (cycle == UINT64_MAX)
        fputc(',', out);
    else
        fprintf(out, ",%" PRIu64, cycle);
}

static void write_worms(FILE *out, const struct worm_table *table)
{
    fputs("id,source,destination,class,length,created,injected,delivered,hops,waited\r\n", out);
    for (size_t i = 0; i < table->count; i++) {
        const struct worm_row *row = &table->list[i];
        fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%u,%u,%" PRIu64, row->id, row->source,
                row->destination, row->class_, row->length, row->created);
        put_cycle(out, row->injected);
        put_cycle(out, row->delivered);
        put_cycle(out, is_delivered(row) ? row->hops : UINT64_MAX);
        put_cycle(out, is_delivered(row) ? waited(table->config, row) : UINT64_MAX);
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

static uint64_t group_of(const struct worm_row *row, enum worm_table_per per)
{
    switch (per) {
    case PER_SOURCE:
        return row->source;
    case PER_DESTINATION:
        return row->destination;
    case PER_PAIR:
        return (uint64_t)row->source << 32 | row->destination;
    case PER_CLASS:
        return row->class_;
    case PER_WORM:
        break;
    }
    return row->id;
}

static int in_order(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return (x->latency > y->latency) - (x->latency < y->latency);
}

// Returns the members of the groups, in their order and then by latency; NULL if memory runs out.
static struct member *gather(const struct worm_table *table, const struct worm_table_file *file,
                             size_t *count)
{
    struct member *members = calloc(table->count + 1, sizeof *members);
    *count = 0;
    for (size_t i = 0; members && i < table->count; i++) {
        const struct worm_row *row = &table->list[i];
        if (row->created < file->warmup) continue;
        const bool delivered = is_delivered(row);
        members[(*count)++] = (struct member){
            .group = group_of(row, file->per),
            .latency = delivered ? latency_of(row) : UINT64_MAX,
            .waited = delivered ? waited(table->config, row) : 0,
            .length = row->length,
            .hops = row->hops,
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
                        enum worm_table_per per)
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

static enum anl_status write_groups(FILE *out, const struct worm_table *table,
                                    const struct worm_table_file *file, struct anl_error *error)
{
    static const char *const names[] = {[PER_SOURCE] = "source",
                                        [PER_DESTINATION] = "destination",
                                        [PER_PAIR] = "source,destination",
                                        [PER_CLASS] = "class"};
    size_t count;
    struct member *members = gather(table, file, &count);
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

enum anl_status worm_table_write(struct worm_table *table, const struct worm_table_file *file,
                                 struct anl_error *error)
{
    struct anl_output output;
    enum anl_status status = anl_output_open(file->path, &output, error);
    if (status) return status;
    cli_write_provenance(output.file, file->given, file->scenario);
    if (file->per == PER_WORM)
        write_worms(output.file, table);
    else
        status = write_groups(output.file, table, file, error);
    if (!status) return anl_output_finish(&output, error);
    anl_output_abandon(&output);
    return status;
}
