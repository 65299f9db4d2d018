// SPDX-License-Identifier: Apache-2.0
//
// Reads packet traces of Netrace 1.0 (docs/netrace.md) and writes them as a message file. A packet
// names those that wait for it; a message names those that it waits for.

#include "import.h"

#include <bzlib.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 72,
    REGION_BYTES = 24,
    PACKET_BYTES = 21,
    NAME_BYTES = 30,
    MOST_NOTES = 1 << 20,  // bytes
    MOST_REGIONS = 1 << 16,
    NUM_TYPES = 31
};
static const uint32_t magic = 0x484A5455;
static const uint64_t most_packets = UINT64_C(1) << 27;

// Bytes of a packet of each type; 0: no packet has this type.
static const uint8_t type_bytes[NUM_TYPES] = {
    [1] = 8,    // read request
    [2] = 72,   // read response
    [3] = 72,   // read response with invalidation
    [4] = 72,   // write request
    [5] = 8,    // write response
    [6] = 72,   // write-back
    [13] = 8,   // upgrade request
    [14] = 8,   // upgrade response
    [15] = 8,   // read-exclusive request
    [16] = 72,  // read-exclusive response
    [25] = 8,   // bad address
    [27] = 8,   // invalidate request
    [28] = 8,   // invalidate response
    [29] = 8,   // downgrade request
    [30] = 72,  // downgrade response
};

struct packet {
    uint64_t cycle;
    uint32_t id;
    uint16_t length;  // flits
    uint8_t source, destination;
    bool waited_for;
};

// Packet number `waiting`, or before packets are looked up its id, waits for packet number
// `before`.
struct edge {
    uint32_t waiting, before;
};

struct netrace {
    const char *path;
    struct anl_error *error;
    const struct netrace_options *options;
    FILE *file;
    BZFILE *bz;
    bool over;  // no more bytes come
    char name[NAME_BYTES + 1];
    uint32_t nodes;
    uint64_t cycles, num_packets;  // as the header says
    struct packet *packets;
    uint32_t count, room;
    struct edge *edges;
    size_t num_edges, edges_room;
    struct left_out left_out;
};

#define REFUSE(...) return anl_fail(trace->error, ANL_ERR_FORMAT, trace->path, 0, __VA_ARGS__)

static enum anl_status no_memory(const struct netrace *trace)
{
    return anl_fail(trace->error, ANL_ERR_MEMORY, trace->path, 0, "no memory for its packets");
}

// --- bytes ---

// Opens the next of several compressed streams that follow each other; unused are bytes of it that
// were read with the one before.
static bool open_stream(struct netrace *trace, void *unused, int count)
{
    int result;
    trace->bz = BZ2_bzReadOpen(&result, trace->file, 0, 0, unused, count);
    return result == BZ_OK;
}

// Ends a stream whose end was read. *over: it was the last one.
static bool next_stream(struct netrace *trace)
{
    char kept[BZ_MAX_UNUSED];
    void *unused;
    int result, count, byte;
    BZ2_bzReadGetUnused(&result, trace->bz, &unused, &count);
    if (result != BZ_OK) return false;
    memcpy(kept, unused, (size_t)count);
    BZ2_bzReadClose(&result, trace->bz);
    trace->bz = NULL;
    if (count == 0) {
        byte = fgetc(trace->file);
        trace->over = byte == EOF;
        if (trace->over) return true;
        kept[count++] = (char)byte;
    }
    return open_stream(trace, kept, count);
}

// Reads bytes, fewer at the end of the trace alone. *got: how many.
static enum anl_status read_bytes(struct netrace *trace, uint8_t *to, size_t bytes, size_t *got)
{
    *got = 0;
    while (*got < bytes && !trace->over) {
        int result;
        const int count = BZ2_bzRead(&result, trace->bz, to + *got, (int)(bytes - *got));
        if (result == BZ_IO_ERROR || ferror(trace->file))
            return anl_fail(trace->error, ANL_ERR_IO, trace->path, 0, "%s", strerror(errno));
        if (result == BZ_MEM_ERROR) return no_memory(trace);
        if (result == BZ_UNEXPECTED_EOF)
            REFUSE("the file ends in its compressed data; it is truncated");
        if (result != BZ_OK && result != BZ_STREAM_END)
            REFUSE("found no bzip2 file, or a damaged one");
        *got += (size_t)count;
        if (result == BZ_STREAM_END && !next_stream(trace))
            REFUSE("found no bzip2 file, or a damaged one");
    }
    return ANL_OK;
}

// Reads exactly so many bytes; `where` says what ends too early otherwise.
static enum anl_status read_exactly(struct netrace *trace, uint8_t *to, size_t bytes,
                                    const char *where)
{
    size_t got;
    const enum anl_status status = read_bytes(trace, to, bytes, &got);
    if (status || got == bytes) return status;
    REFUSE("the trace ends in %s; it is truncated", where);
}

static uint64_t number(const uint8_t *from, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

// --- header ---

static enum anl_status skip(struct netrace *trace, uint64_t bytes, const char *where)
{
    uint8_t skipped[1024];
    while (bytes) {
        const size_t part = bytes < sizeof skipped ? (size_t)bytes : sizeof skipped;
        const enum anl_status status = read_exactly(trace, skipped, part, where);
        if (status) return status;
        bytes -= part;
    }
    return ANL_OK;
}

static enum anl_status check_header(struct netrace *trace, const uint8_t *header)
{
    float version;
    const uint32_t bits = (uint32_t)number(header + 4, 4), found = (uint32_t)number(header, 4);
    memcpy(&version, &bits, sizeof version);
    if (found != magic)
        REFUSE("magic: found 0x%08" PRIx32 ", expected 0x%08" PRIx32 " of Netrace", found, magic);
    if (!(version >= 1 && version <= 1)) REFUSE("version: found %g, expected 1", (double)version);
    if (trace->nodes == 0) REFUSE("nodes: found 0, expected 1..255");
    if (trace->num_packets == 0 || trace->num_packets > most_packets)
        REFUSE("packets: found %" PRIu64 ", expected 1..%" PRIu64, trace->num_packets,
               most_packets);
    return ANL_OK;
}

static enum anl_status read_header(struct netrace *trace)
{
    uint8_t header[HEADER_BYTES];
    enum anl_status status = read_exactly(trace, header, sizeof header, "its header");
    if (status) return status;
    memcpy(trace->name, header + 8, NAME_BYTES);
    trace->nodes = header[38];
    trace->cycles = number(header + 40, 8);
    trace->num_packets = number(header + 48, 8);
    const uint64_t notes = number(header + 56, 4), regions = number(header + 60, 4);
    status = check_header(trace, header);
    if (status) return status;
    leave_out(&trace->left_out, notes, "byte of notes", "bytes of notes");
    leave_out(&trace->left_out, regions, "region", "regions");
    if (notes > MOST_NOTES)
        REFUSE("notes: found %" PRIu64 " bytes, expected at most %d", notes, MOST_NOTES);
    if (regions > MOST_REGIONS)
        REFUSE("regions: found %" PRIu64 ", expected at most %d", regions, MOST_REGIONS);
    status = skip(trace, notes, "its notes");
    return status ? status : skip(trace, regions * REGION_BYTES, "its regions");
}

// --- packets ---

static enum anl_status add_edge(struct netrace *trace, uint32_t waiting)
{
    if (trace->num_edges == trace->edges_room) {
        const size_t room = trace->edges_room ? 2 * trace->edges_room : 1024;
        struct edge *edges = realloc(trace->edges, room * sizeof *edges);
        if (!edges) return no_memory(trace);
        trace->edges = edges;
        trace->edges_room = room;
    }
    trace->edges[trace->num_edges++] = (struct edge){waiting, trace->count};
    return ANL_OK;
}

static enum anl_status add_packet(struct netrace *trace, struct packet packet)
{
    if (trace->count == trace->room) {
        const uint32_t room = trace->room ? 2 * trace->room : 1024;
        struct packet *packets = realloc(trace->packets, room * sizeof *packets);
        if (!packets) return no_memory(trace);
        trace->packets = packets;
        trace->room = room;
    }
    trace->packets[trace->count++] = packet;
    return ANL_OK;
}

static enum anl_status check_packet(const struct netrace *trace, const struct packet *packet,
                                    unsigned type)
{
    const uint32_t id = packet->id;
    if (type >= NUM_TYPES || type_bytes[type] == 0)
        REFUSE("packet %" PRIu32 ": found type %u, which no packet has", id, type);
    if (packet->source >= trace->nodes || packet->destination >= trace->nodes)
        REFUSE("packet %" PRIu32 ": found node %u, expected 0..%" PRIu32, id,
               packet->source >= trace->nodes ? packet->source : packet->destination,
               trace->nodes - 1);
    if (trace->count && packet->cycle < trace->packets[trace->count - 1].cycle)
        REFUSE("packet %" PRIu32 ": found cycle %" PRIu64 ", expected at least %" PRIu64
               " as before",
               id, packet->cycle, trace->packets[trace->count - 1].cycle);
    return ANL_OK;
}

static enum anl_status read_packet(struct netrace *trace)
{
    uint8_t record[PACKET_BYTES], id[4];
    enum anl_status status = read_exactly(trace, record, sizeof record, "its packets");
    if (status) return status;
    struct packet packet = {.cycle = number(record, 8),
                            .id = (uint32_t)number(record + 8, 4),
                            .source = record[17],
                            .destination = record[18]};
    status = check_packet(trace, &packet, record[16]);
    if (status) return status;
    const uint32_t width = trace->options->flit_width_bits;
    packet.length = (uint16_t)((8u * type_bytes[record[16]] + width - 1) / width);
    for (unsigned i = 0; !status && i < record[20]; i++) {
        status = read_exactly(trace, id, sizeof id, "its packets");
        if (!status) status = add_edge(trace, (uint32_t)number(id, 4));
    }
    return status ? status : add_packet(trace, packet);
}

static enum anl_status read_packets(struct netrace *trace)
{
    const uint64_t most = trace->options->packets;
    const uint64_t wanted = most && most < trace->num_packets ? most : trace->num_packets;
    enum anl_status status = ANL_OK;
    uint8_t more;
    size_t got = 0;
    for (uint64_t i = 0; !status && i < wanted; i++)
        status = read_packet(trace);
    if (status || wanted < trace->num_packets) return status;
    status = read_bytes(trace, &more, 1, &got);
    if (status || got == 0) return status;
    REFUSE("found more than the %" PRIu64 " packets that its header says", trace->num_packets);
}

// --- who waits for whom ---

struct place {
    uint32_t id, packet;
};

static int by_id(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_waiting(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->waiting != y->waiting) return x->waiting < y->waiting ? -1 : 1;
    return (x->before > y->before) - (x->before < y->before);
}

static enum anl_status check_ids(const struct netrace *trace, const struct place *places)
{
    for (uint32_t i = 1; i < trace->count; i++)
        if (places[i].id == places[i - 1].id)
            REFUSE("found two packets with the id %" PRIu32, places[i].id);
    return ANL_OK;
}

// Puts numbers of packets in the place of ids. What waits but was not read is left out.
static enum anl_status look_up(struct netrace *trace, const struct place *places)
{
    const bool whole = trace->count == trace->num_packets;
    size_t kept = 0;
    for (size_t i = 0; i < trace->num_edges; i++) {
        const struct edge edge = trace->edges[i];
        const struct place wanted = {.id = edge.waiting};
        const struct place *found = bsearch(&wanted, places, trace->count, sizeof *places, by_id);
        if (!found && whole)
            REFUSE("packet %" PRIu32 ": found the dependent packet %" PRIu32
                   ", which is not in the trace",
                   trace->packets[edge.before].id, edge.waiting);
        if (!found) continue;
        trace->packets[edge.before].waited_for = true;
        trace->edges[kept++] = (struct edge){found->packet, edge.before};
    }
    leave_out(&trace->left_out, trace->num_packets - trace->count, "packet", "packets");
    leave_out(&trace->left_out, trace->num_edges - kept, "dependency of such a packet",
              "dependencies of such packets");
    trace->num_edges = kept;
    return ANL_OK;
}

static enum anl_status check_edges(const struct netrace *trace)
{
    for (size_t i = ANL_MAX_AFTER; i < trace->num_edges; i++)
        if (trace->edges[i].waiting == trace->edges[i - ANL_MAX_AFTER].waiting)
            REFUSE("packet %" PRIu32 ": found more than %d packets that it waits for",
                   trace->packets[trace->edges[i].waiting].id, ANL_MAX_AFTER);
    return ANL_OK;
}

// --- circles ---

// Takes away one packet after the other for which no packet waits that is still there. What is left
// is a circle, or leads to one. The edges are sorted by waiting packet.
struct peeling {
    uint32_t *dependents;  // [packets] how many packets wait for a packet and are still there
    uint32_t *next;        // [packets] the stack of those to take away; then one of the dependents
    size_t *begins;        // [packets + 1] the first edge of what a packet waits for
};

static void count_edges(const struct netrace *trace, const struct peeling *peeling)
{
    for (size_t i = 0; i < trace->num_edges; i++) {
        peeling->dependents[trace->edges[i].before]++;
        peeling->begins[trace->edges[i].waiting + 1]++;
    }
    for (uint32_t i = 0; i < trace->count; i++)
        peeling->begins[i + 1] += peeling->begins[i];
}

// Returns how many packets are left.
static uint32_t peel(const struct netrace *trace, const struct peeling *peeling)
{
    uint32_t left = trace->count, height = 0;
    for (uint32_t i = 0; i < trace->count; i++)
        if (!peeling->dependents[i]) peeling->next[height++] = i;
    for (; height; left--) {
        const uint32_t packet = peeling->next[--height];
        for (size_t i = peeling->begins[packet]; i < peeling->begins[packet + 1]; i++) {
            const uint32_t before = trace->edges[i].before;
            if (--peeling->dependents[before] == 0) peeling->next[height++] = before;
        }
    }
    return left;
}

// Returns a packet of a circle, and lets peeling->next lead around it from each packet to one that
// it waits for. Each packet that is left has a dependent that is left, too, so dependents are
// followed for as many steps as there are packets; the way around is then turned.
static uint32_t find_circle(const struct netrace *trace, const struct peeling *peeling)
{
    uint32_t at = 0, *dependent = peeling->next;
    for (size_t i = 0; i < trace->num_edges; i++)
        if (peeling->dependents[trace->edges[i].waiting])
            dependent[trace->edges[i].before] = trace->edges[i].waiting;
    while (!peeling->dependents[at])
        at++;
    for (uint32_t step = 0; step < trace->count; step++)
        at = dependent[at];
    const uint32_t first = at;
    for (uint32_t from = at, to = dependent[at];;) {
        const uint32_t after = dependent[to];
        dependent[to] = from;
        if (to == first) return first;
        from = to;
        to = after;
    }
}

static enum anl_status refuse_circle(const struct netrace *trace, const struct peeling *peeling)
{
    enum { MOST_SHOWN = 8 };
    char text[128];
    size_t used = 0, packets = 0;
    const uint32_t begin = find_circle(trace, peeling);
    uint32_t first = begin, at = begin;  // the circle is told from its first packet in the file
    do {
        if (at < first) first = at;
        packets++;
        at = peeling->next[at];
    } while (at != begin);
    at = first;
    for (size_t i = 0; i < packets && i < MOST_SHOWN; i++, at = peeling->next[at])
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu32, i ? ", " : "",
                                 trace->packets[at].id);
    if (packets == 1) REFUSE("packet %s: found that it waits for itself", text);
    REFUSE("found packets that wait for each other in a circle of %zu, each for the next one: %s%s",
           packets, text, packets > MOST_SHOWN ? ", …" : "");
}

static enum anl_status check_circles(const struct netrace *trace)
{
    const struct peeling peeling = {
        .dependents = calloc(trace->count, sizeof *peeling.dependents),
        .next = calloc(trace->count, sizeof *peeling.next),
        .begins = calloc((size_t)trace->count + 1, sizeof *peeling.begins),
    };
    enum anl_status status = ANL_OK;
    if (!peeling.dependents || !peeling.next || !peeling.begins) {
        status = no_memory(trace);
    } else {
        count_edges(trace, &peeling);
        if (peel(trace, &peeling)) status = refuse_circle(trace, &peeling);
    }
    free(peeling.dependents);
    free(peeling.next);
    free(peeling.begins);
    return status;
}

// --- from ids to packets ---

static enum anl_status connect(struct netrace *trace)
{
    struct place *places = calloc(trace->count, sizeof *places);
    if (!places) return no_memory(trace);
    for (uint32_t i = 0; i < trace->count; i++)
        places[i] = (struct place){trace->packets[i].id, i};
    qsort(places, trace->count, sizeof *places, by_id);
    enum anl_status status = check_ids(trace, places);
    if (!status) status = look_up(trace, places);
    free(places);
    if (status || !trace->num_edges) return status;
    qsort(trace->edges, trace->num_edges, sizeof *trace->edges, by_waiting);
    status = check_edges(trace);
    return status ? status : check_circles(trace);
}

// --- the message file ---

// Writes what the packet waits for; its edges begin at *edge.
static void write_after(const struct netrace *trace, uint32_t packet, size_t *edge, FILE *file)
{
    for (bool first = true; *edge < trace->num_edges && trace->edges[*edge].waiting == packet;
         first = false, ++*edge)
        fprintf(file, "%s%" PRIu32, first ? " after=" : ",",
                trace->packets[trace->edges[*edge].before].id);
}

static void write_messages(const struct netrace *trace, FILE *file)
{
    size_t edge = 0;
    char shown[NAME_BYTES + 1];
    for (size_t i = 0; i <= NAME_BYTES; i++)
        shown[i] =
            trace->name[i] && (trace->name[i] < ' ' || trace->name[i] > '~') ? '?' : trace->name[i];
    fprintf(file,
            "# Netrace: %s, %" PRIu32 " nodes, %" PRIu32 " of %" PRIu64 " packets\n"
            "# cycle source destination length\n",
            shown, trace->nodes, trace->count, trace->num_packets);
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct packet *packet = &trace->packets[i];
        fprintf(file, "%" PRIu64 " %u %u %u", packet->cycle, packet->source, packet->destination,
                packet->length);
        if (packet->waited_for) fprintf(file, " id=%" PRIu32, packet->id);
        write_after(trace, i, &edge, file);
        fputc('\n', file);
    }
}

static enum anl_status read_all(struct netrace *trace)
{
    enum anl_status status = read_header(trace);
    if (!status) status = read_packets(trace);
    return status ? status : connect(trace);
}

enum anl_status netrace_convert(const char *path, const struct netrace_options *options, FILE *to,
                                struct anl_error *error)
{
    struct netrace trace = {.path = path, .error = error, .options = options};
    int ignored;
    trace.file = anl_input_open(path);
    if (!trace.file) return anl_fail(error, ANL_ERR_IO, path, 0, "%s", strerror(errno));
    enum anl_status status = open_stream(&trace, NULL, 0) ? read_all(&trace) : no_memory(&trace);
    if (!status) write_messages(&trace, to);
    if (!status)
        printf("%s: read %" PRIu32 " packet%s with %zu dependenc%s, %" PRIu32
               " node%s; left out: %s\n",
               path, trace.count, plural(trace.count), trace.num_edges,
               trace.num_edges == 1 ? "y" : "ies", trace.nodes, plural(trace.nodes),
               left_out_text(&trace.left_out));
    if (trace.bz) BZ2_bzReadClose(&ignored, trace.bz);
    fclose(trace.file);
    free(trace.packets);
    free(trace.edges);
    return status;
}
