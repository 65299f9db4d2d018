// SPDX-License-Identifier: Apache-2.0
//
// Delay chains and the deadlock in words: a line for each buffer or worm.

#include <annelid/blocking.h>
#include <inttypes.h>
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

static void print_buffer(FILE *out, const struct anl_blocking *blocking, uint32_t buffer)
{
    struct anl_buffer at = anl_blocking_buffer(blocking, buffer);
    char name[NAME_BYTES], text[TEXT_BYTES];
    anl_buffer_name(anl_blocking_config(blocking), buffer, name, sizeof name);
    anl_blocking_text(blocking, buffer, text, sizeof text);
    if (at.worm == ANL_NOTHING)
        fprintf(out, "%s: %s\n", name, text);
    else
        fprintf(out, "worm %u flit %u in %s since cycle %" PRIu64 ", %s\n", at.worm, at.index, name,
                at.since, text);
}

// Returns the index of the buffer among the visited ones, or count.
static int find_visited(const uint32_t *visited, int count, uint32_t buffer)
{
    int i = 0;
    while (i < count && visited[i] != buffer)
        i++;
    return i;
}

static void print_circle(FILE *out, int indent, const struct anl_blocking *blocking, int line)
{
    uint64_t closed = anl_blocking_deadlocked(blocking);
    fprintf(out, "%*swhich is line %d again: ", indent, "", line);
    if (closed == UINT64_MAX)
        fputs("a circle, unless another lane of a route comes free\n", out);
    else
        fprintf(out, "the network is deadlocked since cycle %" PRIu64 "\n", closed);
}

void anl_blocking_print_chain(FILE *out, const char *label, const struct anl_blocking *blocking,
                              uint32_t buffer)
{
    int indent = (int)strlen(label);
    uint32_t visited[LINES_AT_MOST];
    for (int line = 0; line < LINES_AT_MOST; line++) {
        visited[line] = buffer;
        fprintf(out, "%*s", indent, line == 0 ? label : "");
        print_buffer(out, blocking, buffer);
        buffer = anl_blocking_buffer(blocking, buffer).next;
        if (buffer == ANL_NOTHING) return;
        int first = find_visited(visited, line + 1, buffer);
        if (first > line) continue;
        print_circle(out, indent, blocking, first + 1);
        return;
    }
    fprintf(out, "%*s…\n", indent, "");
}

// Prints a worm of the deadlock whose leading flit is not at the front of its buffer; it is dead as
// well.
static void print_behind(FILE *out, const struct anl_blocking *blocking,
                         const struct anl_life *life)
{
    char name[NAME_BYTES];
    anl_buffer_name(anl_blocking_config(blocking), life->buffer, name, sizeof name);
    fprintf(out, "worm %u in %s, behind worm %u\n", life->worm.id, name,
            anl_blocking_buffer(blocking, life->buffer).worm);
}

// Prints what stands in the lanes of a terminal that refuses; ANL_NOTHING: there is none.
static void print_terminal(FILE *out, int indent, const struct anl_blocking *blocking,
                           uint32_t terminal)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    if (terminal == ANL_NOTHING) return;
    const uint32_t first = anl_ejection_link(config, terminal) * config->num_vcs;
    for (uint32_t lane = first; lane < first + config->num_vcs; lane++) {
        if (anl_blocking_buffer(blocking, lane).worm == ANL_NOTHING) continue;
        fprintf(out, "%*s", indent, "");
        print_buffer(out, blocking, lane);
    }
}

void anl_blocking_print_deadlock(FILE *out, const char *label, const struct anl_blocking *blocking)
{
    int indent = (int)strlen(label);
    size_t count = 0;
    const uint32_t *circle = anl_blocking_circle(blocking, &count);
    const uint32_t *terminals = anl_blocking_circle_terminals(blocking);
    for (size_t i = 0; i < count; i++) {
        struct anl_life life;
        fprintf(out, "%*s", indent, i == 0 ? label : "");
        if (i == LINES_AT_MOST) {
            fprintf(out, "… %zu worms in all\n", count);
            break;
        }
        if (!anl_blocking_life(blocking, circle[i], &life)) continue;
        if (life.wait == ANL_BEHIND)
            print_behind(out, blocking, &life);
        else
            print_buffer(out, blocking, life.buffer);
        print_terminal(out, indent, blocking, terminals[i]);
    }
    if (count > 0)
        fprintf(out, "%*swhich worm %u holds up: deadlock, closed in cycle %" PRIu64 "\n", indent,
                "", circle[0], anl_blocking_deadlocked(blocking));
}
