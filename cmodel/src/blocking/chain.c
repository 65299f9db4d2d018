// SPDX-License-Identifier: Apache-2.0
//
// Delay chains and the deadlock in words: a line for each buffer or worm.

#include <annelid/blocking.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { LINES_AT_MOST = 16, NAME_BYTES = 64, TEXT_BYTES = 512 };

uint32_t anl_blocking_oldest(const struct anl_blocking *blocking)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    uint32_t lanes = anl_shape_of(config).links * config->num_vcs, oldest = ANL_NOTHING;
    uint64_t since = UINT64_MAX;
    for (uint32_t buffer = 0; buffer < lanes; buffer++) {
        struct anl_buffer at = anl_blocking_buffer(blocking, buffer);
        if (at.worm == ANL_NOTHING || at.since >= since) continue;
        since = at.since;
        oldest = buffer;
    }
    return oldest;
}

uint32_t anl_blocking_leading(const struct anl_blocking *blocking, uint32_t worm)
{
    struct anl_life life;
    return anl_blocking_life(blocking, worm, &life) ? life.buffer : ANL_NOTHING;
}

// Who is told the lines.
struct listener {
    anl_chain_told *told;
    void *user;
};

static void tell(const struct listener *listener, const struct anl_chain_line *line)
{
    listener->told(listener->user, line);
}

// Tells a line that is of no worm.
static void remark(const struct listener *listener, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void remark(const struct listener *listener, const char *format, ...)
{
    struct anl_chain_line line = {.buffer = ANL_NOTHING, .worm = ANL_NOTHING, .index = ANL_NOTHING};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line.text, sizeof line.text, format, arguments);
    va_end(arguments);
    tell(listener, &line);
}

static void tell_buffer(const struct listener *listener, const struct anl_blocking *blocking,
                        uint32_t buffer)
{
    const struct anl_buffer at = anl_blocking_buffer(blocking, buffer);
    const bool empty = at.worm == ANL_NOTHING;
    struct anl_chain_line line = {.buffer = buffer,
                                  .worm = at.worm,
                                  .index = empty ? ANL_NOTHING : at.index,
                                  .since = at.since,
                                  .wait = at.wait};
    char name[NAME_BYTES], text[TEXT_BYTES];
    anl_buffer_name(anl_blocking_config(blocking), buffer, name, sizeof name);
    anl_blocking_text(blocking, buffer, text, sizeof text);
    if (empty)
        snprintf(line.text, sizeof line.text, "%s: %s", name, text);
    else
        snprintf(line.text, sizeof line.text,
                 "worm %" PRIu32 " flit %" PRIu32 " in %s since cycle %" PRIu64 ", %s", line.worm,
                 line.index, name, at.since, text);
    tell(listener, &line);
}

// Returns the index of the buffer among the visited ones, or count.
static int find_visited(const uint32_t *visited, int count, uint32_t buffer)
{
    int i = 0;
    while (i < count && visited[i] != buffer)
        i++;
    return i;
}

static void tell_circle(const struct listener *listener, const struct anl_blocking *blocking,
                        int line)
{
    const uint64_t closed = anl_blocking_deadlocked(blocking);
    if (closed == UINT64_MAX)
        remark(listener,
               "which is line %d again: a circle, unless another lane of a route comes free", line);
    else
        remark(listener, "which is line %d again: the network is deadlocked since cycle %" PRIu64,
               line, closed);
}

void anl_blocking_tell_chain(const struct anl_blocking *blocking, uint32_t buffer,
                             anl_chain_told *told, void *user)
{
    const struct listener listener = {told, user};
    uint32_t visited[LINES_AT_MOST];
    for (int line = 0; line < LINES_AT_MOST; line++) {
        visited[line] = buffer;
        tell_buffer(&listener, blocking, buffer);
        buffer = anl_blocking_buffer(blocking, buffer).next;
        if (buffer == ANL_NOTHING) return;
        int first = find_visited(visited, line + 1, buffer);
        if (first > line) continue;
        tell_circle(&listener, blocking, first + 1);
        return;
    }
    remark(&listener, "…");
}

// Tells of a worm whose leading flit stands behind another worm.
static void tell_behind(const struct listener *listener, const struct anl_blocking *blocking,
                        const struct anl_life *life)
{
    struct anl_chain_line line = {.buffer = life->buffer,
                                  .worm = life->worm.id,
                                  .index = ANL_NOTHING,
                                  .since = life->stall.begin,
                                  .wait = ANL_BEHIND};
    char name[NAME_BYTES];
    anl_buffer_name(anl_blocking_config(blocking), life->buffer, name, sizeof name);
    snprintf(line.text, sizeof line.text, "worm %" PRIu32 " in %s, behind worm %" PRIu32, line.worm,
             name, anl_blocking_buffer(blocking, life->buffer).worm);
    tell(listener, &line);
}

// Tells what stands in the lanes of a terminal that refuses; ANL_NOTHING: there is none.
static void tell_terminal(const struct listener *listener, const struct anl_blocking *blocking,
                          uint32_t terminal)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    if (terminal == ANL_NOTHING) return;
    const uint32_t first = anl_ejection_link(config, terminal) * config->num_vcs;
    for (uint32_t lane = first; lane < first + config->num_vcs; lane++)
        if (anl_blocking_buffer(blocking, lane).worm != ANL_NOTHING)
            tell_buffer(listener, blocking, lane);
}

void anl_blocking_tell_deadlock(const struct anl_blocking *blocking, anl_chain_told *told,
                                void *user)
{
    const struct listener listener = {told, user};
    size_t count = 0;
    const uint32_t *circle = anl_blocking_circle(blocking, &count);
    const uint32_t *terminals = anl_blocking_circle_terminals(blocking);
    for (size_t i = 0; i < count && i < LINES_AT_MOST; i++) {
        struct anl_life life;
        if (!anl_blocking_life(blocking, circle[i], &life)) continue;
        if (life.wait == ANL_BEHIND)
            tell_behind(&listener, blocking, &life);
        else
            tell_buffer(&listener, blocking, life.buffer);
        tell_terminal(&listener, blocking, terminals[i]);
    }
    if (count > LINES_AT_MOST) remark(&listener, "… %zu worms in all", count);
    if (count > 0)
        remark(&listener, "which worm %" PRIu32 " holds up: deadlock, closed in cycle %" PRIu64,
               circle[0], anl_blocking_deadlocked(blocking));
}

// --- printing ---

struct printing {
    FILE *out;
    const char *label;  // of the first line
    size_t lines;       // that were printed
};

static void print_line(void *user, const struct anl_chain_line *line)
{
    struct printing *printing = user;
    fprintf(printing->out, "%*s%s\n", (int)strlen(printing->label),
            printing->lines++ ? "" : printing->label, line->text);
}

void anl_blocking_print_chain(FILE *out, const char *label, const struct anl_blocking *blocking,
                              uint32_t buffer)
{
    struct printing printing = {out, label, 0};
    anl_blocking_tell_chain(blocking, buffer, print_line, &printing);
}

void anl_blocking_print_deadlock(FILE *out, const char *label, const struct anl_blocking *blocking)
{
    struct printing printing = {out, label, 0};
    anl_blocking_tell_deadlock(blocking, print_line, &printing);
}
