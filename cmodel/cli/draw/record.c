// SPDX-License-Identifier: Apache-2.0

#include "draw.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_DELAYS = 12 };  // so many delays of a worm are recorded, the longest ones

// --- buffers ---

static void put_byte(struct draw_record *record, struct draw_bytes *bytes, uint8_t byte)
{
    uint8_t *at = gather_room(bytes->at, bytes->count, &bytes->room, 1);
    if (!at) {
        record->status = ANL_ERR_MEMORY;
        return;
    }
    bytes->at = at;
    at[bytes->count++] = byte;
}

static void put(struct draw_record *record, struct draw_bytes *bytes, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_byte(record, bytes, (uint8_t)(value | 0x80));
    put_byte(record, bytes, (uint8_t)value);
}

// Returns the size of the record in the page, where steps are in base 64. A text has a size when it
// is closed, before that a position in its file.
static size_t bytes_of(const struct draw_record *record)
{
    size_t bytes = (record->steps.count + 2) / 3 * 4;
    for (size_t i = 0; i < DRAW_TEXTS; i++)
        bytes +=
            record->texts[i].file ? (size_t)ftell(record->texts[i].file) : record->texts[i].bytes;
    return bytes;
}

static void open_text(struct draw_record *record, struct draw_text *text)
{
    text->file = open_memstream(&text->text, &text->bytes);
    if (!text->file) record->status = ANL_ERR_MEMORY;
}

// Closes a text and removes its last comma.
static void close_text(struct draw_record *record, struct draw_text *text)
{
    if (!text->file) return;
    if (fclose(text->file) != 0) record->status = ANL_ERR_MEMORY;
    text->file = NULL;
    if (text->text && text->bytes > 0) text->text[text->bytes - 1] = '\0';
}

enum anl_status draw_record_open(struct draw_record *record, uint64_t from, uint64_t to)
{
    *record = (struct draw_record){.from = from, .to = to};
    for (size_t i = 0; i < DRAW_TEXTS; i++)
        open_text(record, &record->texts[i]);
    return record->status;
}

void draw_record_close(struct draw_record *record)
{
    for (size_t i = 0; i < DRAW_TEXTS; i++) {
        if (record->texts[i].file) fclose(record->texts[i].file);
        free(record->texts[i].text);
    }
    free(record->steps.at);
    free(record->waits.at);
    free(record->queued.list);
    free(record->known);
    free(record->sizes);
}

// --- worms and stalls ---

static void put_cycle(FILE *file, uint64_t cycle)
{
    if (cycle == UINT64_MAX)
        fputs(",null", file);
    else
        fprintf(file, ",%" PRIu64, cycle);
}

static void put_delays(struct draw_record *record, const struct anl_life *life)
{
    FILE *file = record->texts[DRAW_WORMS].file;
    struct anl_delay *sorted = sorted_delays(life);
    if (!sorted) {
        record->status = ANL_ERR_MEMORY;
        return;
    }
    for (size_t i = 0; i < life->num_delays && i < MOST_DELAYS; i++)
        fprintf(file, "%s[%" PRIu32 ",%" PRIu64 "]", i ? "," : "", sorted[i].by, sorted[i].cycles);
    free(sorted);
}

// Writes the first fields of a worm.
static void put_first_fields(FILE *file, const struct anl_worm *worm)
{
    fprintf(file, "[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%u,%d,\"%s\",%" PRIu64, worm->id,
            worm->source, worm->destination, worm->length, worm->class_,
            cli_message_name(worm).text, worm->created);
}

static void put_life(struct draw_record *record, const struct anl_life *life)
{
    FILE *file = record->texts[DRAW_WORMS].file;
    put_first_fields(file, &life->worm);
    put_cycle(file, life->injected);
    put_cycle(file, life->delivered);
    for (int wait = 0; wait < ANL_WAITS; wait++)
        fprintf(file, "%s%" PRIu64, wait ? "," : ",[", life->cycles[wait]);
    fputs("],[", file);
    put_delays(record, life);
    fputs("]],", file);
}

void draw_record_delivered(void *user, const struct anl_life *life)
{
    struct draw_record *record = user;
    if (life->delivered >= record->from) put_life(record, life);
}

static void put_worm(FILE *file, uint32_t worm)
{
    if (worm == ANL_NOTHING)
        fputs(",-1", file);
    else
        fprintf(file, ",%" PRIu32, worm);
}

void draw_record_stall(void *user, const struct anl_stall *stall)
{
    struct draw_record *record = user;
    if (stall->end < record->from) return;
    fprintf(record->texts[DRAW_STALLS].file, "[%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64,
            stall->worm, stall->buffer, stall->begin, stall->end);
    put_worm(record->texts[DRAW_STALLS].file, stall->blocker);
    put_worm(record->texts[DRAW_STALLS].file, stall->root_blocker);
    fputs("],", record->texts[DRAW_STALLS].file);
}

// --- the state at the start of the first cycle ---

static uint32_t lanes_of(const struct anl_blocking *blocking)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    return anl_shape_of(config).links * config->num_vcs;
}

// Returns how many sources there are.
static uint32_t num_sources(const struct anl_blocking *blocking)
{
    return anl_blocking_num_buffers(blocking) - lanes_of(blocking);
}

// Returns the number of the source of a worm; on wide links that of its sender, or of sender 0 if
// it is queued behind.
static uint32_t source_of(const struct anl_blocking *blocking, const struct anl_worm *worm)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    const uint32_t terminals = anl_shape_of(config).terminals;
    if (config->link == ANL_SHARED) return worm->class_ * terminals + worm->source;
    for (uint32_t sender = worm->source; sender < num_sources(blocking); sender += terminals)
        if (anl_blocking_buffer(blocking, lanes_of(blocking) + sender).worm == worm->id)
            return sender;
    return worm->source;
}

// Writes [worm, flits injected, [buffers, source first]] of a worm that is not queued behind
// others.
static void put_alive(void *user, uint32_t worm)
{
    struct draw_record *record = user;
    const struct anl_blocking *blocking = record->blocking;
    struct anl_life life;
    if (!anl_blocking_life(blocking, worm, &life) || life.worm.created >= record->from) return;
    if (life.wait == ANL_QUEUED) return;
    const uint32_t source = lanes_of(blocking) + source_of(blocking, &life.worm);
    const struct anl_buffer front = anl_blocking_buffer(blocking, source);
    const uint32_t left = front.worm == worm ? front.flits : 0;

    const size_t count = anl_blocking_body(blocking, worm, NULL, 0);
    uint32_t *buffers = calloc(count + 1, sizeof *buffers);
    if (!buffers) {
        record->status = ANL_ERR_MEMORY;
        return;
    }
    anl_blocking_body(blocking, worm, buffers, count);
    fprintf(record->texts[DRAW_ALIVE].file, "[%" PRIu32 ",%" PRIu32 ",[", worm,
            life.worm.length - left);
    for (size_t i = count; i-- > 0;)
        fprintf(record->texts[DRAW_ALIVE].file, "%" PRIu32 "%s", buffers[i], i ? "," : "");
    if (count == 0) fprintf(record->texts[DRAW_ALIVE].file, "%" PRIu32, source);
    fputs("]],", record->texts[DRAW_ALIVE].file);
    free(buffers);
}

static void add_queued(struct draw_record *record, struct draw_queue *queue,
                       const struct anl_life *life)
{
    struct draw_queued *list = gather_room(queue->list, queue->count, &queue->room, sizeof *list);
    if (!list) {
        record->status = ANL_ERR_MEMORY;
        return;
    }
    queue->list = list;
    list[queue->count++] = (struct draw_queued){source_of(record->blocking, &life->worm),
                                                life->worm.id, life->worm.created};
}

static void find_queued(void *user, uint32_t worm)
{
    struct draw_record *record = user;
    struct anl_life life;
    const struct anl_blocking *blocking = record->blocking;
    if (!anl_blocking_life(blocking, worm, &life) || life.worm.created >= record->from) return;
    const uint32_t source = lanes_of(blocking) + source_of(blocking, &life.worm);
    const bool front = anl_blocking_buffer(blocking, source).worm == worm;
    if (life.wait == ANL_QUEUED || front) add_queued(record, &record->queued, &life);
}

// Returns how many flits of the owner have entered a lane that has none of them now: this is the
// index of the owner's first flit upstream.
static uint32_t entered_and_gone(struct draw_record *record, uint32_t buffer, uint32_t owner)
{
    struct anl_flit_run runs[ANL_MAX_DEPTH];
    const size_t count = anl_blocking_body(record->blocking, owner, NULL, 0);
    uint32_t *buffers = calloc(count + 1, sizeof *buffers), entered = 0;
    bool found = false, upstream = false;
    if (!buffers) {
        record->status = ANL_ERR_MEMORY;
        return 0;
    }
    anl_blocking_body(record->blocking, owner, buffers, count);
    for (size_t i = 0; i < count && !found; upstream |= buffers[i++] == buffer) {
        const size_t num_runs =
            anl_blocking_runs(record->blocking, buffers[i], runs, ANL_MAX_DEPTH);
        for (size_t j = 0; j < num_runs && upstream && !found; j++) {
            found = runs[j].worm == owner;
            entered = runs[j].first;
        }
    }
    free(buffers);
    return entered;
}

// Writes [lane, worm that entered last, how many of its flits have entered, [[worm, is head] of
// each flit]] of a lane that is not empty or has an owner.
static void put_lane(struct draw_record *record, uint32_t buffer)
{
    struct anl_flit_run runs[ANL_MAX_DEPTH], last = {.worm = ANL_NOTHING};
    FILE *file = record->texts[DRAW_CONTENTS].file;
    const uint32_t owner = anl_blocking_buffer(record->blocking, buffer).owner;
    const size_t count = anl_blocking_runs(record->blocking, buffer, runs, ANL_MAX_DEPTH);
    if (count == 0 && owner == ANL_NOTHING) return;
    if (count > 0) last = runs[count - 1];
    uint32_t entered = (uint32_t)last.first + last.flits;
    if (owner != ANL_NOTHING && last.worm != owner)
        entered = entered_and_gone(record, buffer, owner);
    fprintf(file, "[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",[", buffer,
            owner != ANL_NOTHING ? owner : last.worm, entered);
    for (size_t i = 0, some = 0; i < count; i++)
        for (uint32_t j = 0; j < runs[i].flits; j++)
            fprintf(file, "%s[%" PRIu32 ",%d]", some++ ? "," : "", runs[i].worm,
                    runs[i].first + j == 0);
    fputs("]],", file);
}

// Writes the worms that were delivered before the first cycle and of which flits stand in a lane of
// a terminal that refuses. Their delivery is -1.
static void put_left(struct draw_record *record, uint32_t buffer)
{
    struct anl_flit_run runs[ANL_MAX_DEPTH];
    struct anl_life life;
    struct anl_worm worm;
    FILE *file = record->texts[DRAW_WORMS].file;
    const size_t count = anl_blocking_runs(record->blocking, buffer, runs, ANL_MAX_DEPTH);
    for (size_t i = 0; i < count; i++) {
        if (anl_blocking_life(record->blocking, runs[i].worm, &life)) continue;
        if (!anl_blocking_worm(record->blocking, runs[i].worm, &worm)) continue;
        put_first_fields(file, &worm);
        fputs(",null,-1,[],[]],", file);
    }
}

static void put_start(struct draw_record *record)
{
    const uint32_t lanes = lanes_of(record->blocking);
    record->known = calloc(anl_blocking_num_buffers(record->blocking), sizeof *record->known);
    if (!record->known) record->status = ANL_ERR_MEMORY;
    for (uint32_t buffer = 0; buffer < lanes; buffer++) {
        put_lane(record, buffer);
        put_left(record, buffer);
    }
    anl_blocking_worms(record->blocking, put_alive, record);
    anl_blocking_worms(record->blocking, find_queued, record);
}

// --- cycles ---

static void put_flits(struct draw_record *record, const struct anl_flit *flits, size_t count)
{
    const uint32_t vcs = anl_blocking_config(record->blocking)->num_vcs;
    uint32_t before = 0;
    put(record, &record->steps, count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t buffer = flits[i].link * vcs + flits[i].vc;
        put(record, &record->steps, (uint64_t)(buffer - before) * 2 + flits[i].head);
        if (flits[i].head) put(record, &record->steps, flits[i].worm);
        before = buffer;
    }
}

static struct draw_wait wait_of(const struct anl_blocking *blocking,
                                const struct anl_buffer *buffer)
{
    if (buffer->worm != ANL_NOTHING && buffer->wait == ANL_LOST)
        return (struct draw_wait){DRAW_LOST, ANL_NOTHING, 0, false};
    if (buffer->worm != ANL_NOTHING && buffer->wait == ANL_REFUSED)
        return (struct draw_wait){DRAW_REFUSED, buffer->next, 0, false};
    if (buffer->worm == ANL_NOTHING || buffer->wait == ANL_MOVING || buffer->wants == ANL_NOTHING)
        return (struct draw_wait){0};
    const bool two = buffer->wants_vcs >> anl_blocking_config(blocking)->num_vcs != 0;
    return (struct draw_wait){(uint8_t)buffer->wait, buffer->next, buffer->wants, two};
}

static bool same_wait(const struct draw_wait *a, const struct draw_wait *b)
{
    return a->cause == b->cause && a->next == b->next && a->wants == b->wants && a->two == b->two;
}

static void put_waits(struct draw_record *record)
{
    const uint32_t buffers = anl_blocking_num_buffers(record->blocking);
    const uint64_t cycle = anl_blocking_cycle(record->blocking);
    uint32_t before = 0;
    size_t count = 0;
    record->waits.count = 0;
    for (uint32_t p = 0; p < buffers; p++) {
        const struct anl_buffer buffer = anl_blocking_buffer(record->blocking, p);
        const struct draw_wait wait = wait_of(record->blocking, &buffer);
        if (same_wait(&wait, &record->known[p])) continue;
        record->known[p] = wait;
        put(record, &record->waits, p - before);
        put(record, &record->waits, wait.cause);
        if (wait.cause) {
            put(record, &record->waits, (uint32_t)(wait.next + 1));
            put(record, &record->waits, (uint64_t)wait.wants * 2 + wait.two);
            put(record, &record->waits, cycle - buffer.since);
        }
        before = p;
        count++;
    }
    put(record, &record->steps, count);
    for (size_t i = 0; i < record->waits.count; i++)
        put_byte(record, &record->steps, record->waits.at[i]);
}

static void note_size(struct draw_record *record)
{
    size_t *sizes =
        gather_room(record->sizes, record->cycles, &record->room_sizes, sizeof *record->sizes);
    if (!sizes) {
        record->status = ANL_ERR_MEMORY;
        return;
    }
    record->sizes = sizes;
    sizes[record->cycles++] = bytes_of(record);
    record->too_long = sizes[record->cycles - 1] > DRAW_RECORD_MOST_BYTES;
}

bool draw_record_cycle(void *user, const struct anl_blocking *blocking,
                       const struct anl_flit *flits, size_t count)
{
    struct draw_record *record = user;
    record->blocking = blocking;
    if (anl_blocking_cycle(blocking) < record->from) return true;
    if (record->cycles == 0) put_start(record);
    if (record->status) return false;
    put_flits(record, flits, count);
    put_waits(record);
    note_size(record);
    return !record->status && !record->too_long;
}

// --- source queues, at the end, when it is known which worms never left them ---

static bool is_hidden(const struct draw_record *record, uint32_t worm)
{
    struct anl_life life;
    return anl_blocking_life(record->blocking, worm, &life) && life.wait == ANL_QUEUED;
}

static int by_source_then_worm(const void *a, const void *b)
{
    const struct draw_queued *x = a, *y = b;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return (x->worm > y->worm) - (x->worm < y->worm);
}

static void sort(struct draw_queue *queue)
{
    if (queue->count) qsort(queue->list, queue->count, sizeof *queue->list, by_source_then_worm);
}

// Writes the queue of each source at the start of the first cycle: [worms, front first].
static void put_queues(struct draw_record *record)
{
    const uint32_t sources = num_sources(record->blocking);
    const struct draw_queue *queue = &record->queued;
    FILE *file = record->texts[DRAW_QUEUES].file;
    sort(&record->queued);
    size_t i = 0;
    for (uint32_t source = 0; source < sources; source++) {
        fputs("[", file);
        for (size_t some = 0; i < queue->count && queue->list[i].source == source; i++)
            if (!is_hidden(record, queue->list[i].worm))
                fprintf(file, some++ ? ",%" PRIu32 : "%" PRIu32, queue->list[i].worm);
        fputs("],", file);
    }
}

struct hiding {
    struct draw_record *record;
    struct draw_queue queue;
};

static void find_hidden(void *user, uint32_t worm)
{
    struct hiding *hiding = user;
    struct anl_life life;
    if (is_hidden(hiding->record, worm) && anl_blocking_life(hiding->record->blocking, worm, &life))
        add_queued(hiding->record, &hiding->queue, &life);
}

// Writes the hidden worms of each source: [how many at the start of the first cycle, then the
// cycle of creation of each later one].
static void put_hidden(struct draw_record *record)
{
    const uint32_t sources = num_sources(record->blocking);
    struct hiding hiding = {.record = record};
    FILE *file = record->texts[DRAW_HIDDEN].file;
    anl_blocking_worms(record->blocking, find_hidden, &hiding);
    sort(&hiding.queue);
    const struct draw_queue *queue = &hiding.queue;
    size_t i = 0;
    for (uint32_t source = 0; source < sources; source++) {
        const size_t first = i;
        while (i < queue->count && queue->list[i].source == source &&
               queue->list[i].created < record->from)
            i++;
        fprintf(file, "[%zu", i - first);
        for (; i < queue->count && queue->list[i].source == source; i++)
            fprintf(file, ",%" PRIu64, queue->list[i].created);
        fputs("],", file);
    }
    free(hiding.queue.list);
}

// --- the end ---

static void put_rest(void *user, uint32_t worm)
{
    struct draw_record *record = user;
    struct anl_life life;
    if (!anl_blocking_life(record->blocking, worm, &life) || life.delivered != UINT64_MAX) return;
    if (life.wait != ANL_QUEUED) put_life(record, &life);
}

static void put_lasting_stall(void *user, uint32_t worm)
{
    struct draw_record *record = user;
    struct anl_life life;
    if (anl_blocking_life(record->blocking, worm, &life) && life.stall.worm != ANL_NOTHING)
        draw_record_stall(record, &life.stall);
}

enum anl_status draw_record_end(struct draw_record *record, const struct analysed *analysed)
{
    record->blocking = analysed->blocking;
    anl_blocking_worms(record->blocking, put_rest, record);
    if (!analysed->ended) anl_blocking_worms(record->blocking, put_lasting_stall, record);
    put_queues(record);
    put_hidden(record);
    for (size_t i = 0; i < DRAW_TEXTS; i++)
        close_text(record, &record->texts[i]);
    record->too_long = record->too_long || bytes_of(record) > DRAW_RECORD_MOST_BYTES;
    return record->status;
}

// What the end adds may be more after fewer cycles, so some room is left for it.
uint64_t draw_record_cycles_that_fit(const struct draw_record *record)
{
    const size_t spare = DRAW_RECORD_MOST_BYTES / 32;
    uint64_t cycles = record->cycles;
    const size_t end = cycles ? bytes_of(record) - record->sizes[cycles - 1] + spare : 0;
    while (cycles > 0 && record->sizes[cycles - 1] + end > DRAW_RECORD_MOST_BYTES)
        cycles--;
    return cycles;
}
