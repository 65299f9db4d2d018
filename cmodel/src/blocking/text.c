// SPDX-License-Identifier: Apache-2.0
//
// The texts of a blocking analysis: one short line for what a buffer does.

#include "blocking.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINK_BYTES = 80, BUFFER_BYTES = 128 };

const char *anl_wait_name(enum anl_wait wait)
{
    static const char *const names[] = {
        "moving",  "bound_elsewhere", "no_credit", "lost_arbitration",
        "not_yet", "behind",          "queued"};
    if (wait == ANL_REFUSED) return "refused";
    if (wait == ANL_LOST) return "lost";
    return (unsigned)wait < ANL_WAITS ? names[wait] : "?";
}

void anl_buffer_name(const struct anl_config *config, uint32_t buffer, char *text, size_t size)
{
    const uint32_t lanes = anl_shape_of(config).links * config->num_vcs;
    char link[LINK_BYTES];
    if (buffer >= lanes) {
        const uint32_t terminals = anl_shape_of(config).terminals;
        const uint32_t number = (buffer - lanes) / terminals;  // of the class, or of the sender
        const int used = snprintf(text, size, "source of T%" PRIu32, (buffer - lanes) % terminals);
        const bool classes = anl_num_classes(config) > 1;
        if ((classes || anl_link_flits(config) > 1) && (size_t)used < size)
            snprintf(text + used, size - (size_t)used, " %s %" PRIu32, classes ? "class" : "sender",
                     number);
        return;
    }
    anl_link_name(config, buffer / config->num_vcs, link, sizeof link);
    snprintf(text, size, "lane %" PRIu32 " of %s", buffer % config->num_vcs, link);
}

size_t anl_buffer_wanted(const struct anl_config *config, const struct anl_buffer *buffer,
                         uint32_t *lanes)
{
    const uint32_t first = buffer->wants * config->num_vcs;
    size_t count = 0;
    for (uint32_t set = buffer->options.ports ? 0 : buffer->wants_vcs; set; set &= set - 1)
        lanes[count++] = first + lowest(set);
    for (uint32_t ports = buffer->options.ports; ports; ports &= ports - 1) {
        const uint32_t port = lowest(ports), lower = lowest(buffer->options.ports);
        const uint32_t base = first + (port - lower) * config->num_vcs;
        for (uint32_t set = buffer->options.vcs[port]; set; set &= set - 1)
            lanes[count++] = base + lowest(set);
    }
    return count;
}

// "a lane of 3(1,0).+0 or +1".
static void options_wish(const struct anl_config *config, const struct anl_buffer *buffer,
                         char *text, size_t size)
{
    const uint32_t ports = anl_shape_of(config).ports, first = buffer->wants / ports * ports;
    size_t used = 0;
    for (uint32_t rest = buffer->options.ports; rest && used < size; rest &= rest - 1) {
        char link[LINK_BYTES];
        anl_link_name(config, first + lowest(rest), link, sizeof link);
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " or " : "a lane of ",
                                 used ? strrchr(link, '.') + 1 : link);
    }
}

void anl_buffer_wish(const struct anl_config *config, const struct anl_buffer *buffer, char *text,
                     size_t size)
{
    const uint32_t set = buffer->wants_vcs;
    if (buffer->worm != NONE && (buffer->options.ports & (buffer->options.ports - 1))) {
        options_wish(config, buffer, text, size);
        return;
    }
    char link[LINK_BYTES], name[LINK_BYTES], other[LINK_BYTES + 4] = "";
    if (buffer->worm == NONE || set == 0) {
        snprintf(text, size, buffer->worm == NONE ? "nothing" : "to leave");
        return;
    }
    if ((set & (set - 1)) == 0) {
        anl_buffer_name(config, buffer->wants * config->num_vcs + lowest(set), text, size);
        return;
    }
    anl_link_name(config, buffer->wants, link, sizeof link);
    if (set >> config->num_vcs) {
        anl_link_name(config, buffer->wants + 1, name, sizeof name);
        snprintf(other, sizeof other, " or %s", strrchr(name, '.') + 1);
    }
    snprintf(text, size, "a lane of %s%s", link, other);
}

static void empty_text(const struct anl_blocking *blocking, uint32_t owner, char *text, size_t size)
{
    if (owner == NONE)
        snprintf(text, size, "empty");
    else
        snprintf(text, size, "held by worm %" PRIu32 ", whose next flit is on its way",
                 worm_id(blocking, owner));
}

// Returns the wanted link of a flit that lost an arbitration: of two the lower one that is crossed,
// or else the one that it could have taken.
static uint32_t link_lost(const struct anl_blocking *blocking, uint32_t at)
{
    const struct blocking_buffer *buffer = &blocking->buffers[at];
    if (is_selecting(blocking, buffer)) {
        const uint32_t crossed = blocking_crossed_option(blocking, buffer);
        return crossed == NONE ? blocking_could_take(blocking, at) : crossed;
    }
    if (blocking->config.link == ANL_WIDE) return blocking_could_take(blocking, at);
    for (uint32_t link = buffer->wants; link <= buffer->wants + wants_two(blocking, buffer); link++)
        if (blocking_is_crossed(blocking, link)) return link;
    return blocking_could_take(blocking, at);
}

// Writes to whom a head lost a lane of a wide link. Returns false if there is no such worm.
static bool lost_lane_text(const struct anl_blocking *blocking,
                           const struct blocking_buffer *buffer, char *text, size_t size)
{
    const uint32_t lane = blocking_lost_lane(blocking, buffer);
    char name[BUFFER_BYTES];
    if (lane == NONE) return false;
    anl_buffer_name(&blocking->config, lane, name, sizeof name);
    snprintf(text, size, "lost %s to worm %" PRIu32, name,
             worm_id(blocking, blocking->buffers[blocking->lines[lane].crossed].front));
    return true;
}

static void lost_text(const struct anl_blocking *blocking, uint32_t buffer, char *text, size_t size)
{
    if (blocking->config.link == ANL_WIDE &&
        lost_lane_text(blocking, &blocking->buffers[buffer], text, size))
        return;
    const uint32_t next = blocking_way(blocking, buffer)->next;
    const uint32_t crossed = blocking_crossed(blocking, &blocking->buffers[buffer]);
    char link[LINK_BYTES];
    anl_link_name(&blocking->config, link_lost(blocking, buffer), link, sizeof link);
    if (next == NONE)
        snprintf(text, size, "could cross %s, but did not", link);
    else
        snprintf(text, size, "lost %s to worm %" PRIu32, crossed == next ? link : "its input port",
                 worm_id(blocking, blocking->buffers[next].front));
}

// Returns the wanted lane because of which the buffer waits for its next one.
static uint32_t lane_waited_for(const struct anl_blocking *blocking, uint32_t at)
{
    const struct blocking_buffer *buffer = &blocking->buffers[at];
    const uint32_t next = blocking_way(blocking, at)->next;
    if (buffer->index > 0) return bound_lane(buffer);
    uint32_t lanes[MOST_WANTED], i = 0;
    blocking_wanted(blocking, buffer, lanes);
    while (blocking_buffer_behind(blocking, buffer, lanes[i]) != next)
        i++;
    return lanes[i];
}

static void waits_text(const struct anl_blocking *blocking, uint32_t buffer, char *text,
                       size_t size)
{
    const uint32_t at = lane_waited_for(blocking, buffer), slot = blocking->buffers[buffer].front;
    const struct blocking_buffer *lane = &blocking->buffers[at];
    char name[BUFFER_BYTES];
    anl_buffer_name(&blocking->config, at, name, sizeof name);
    if (blocking_way(blocking, buffer)->next == NONE)
        snprintf(text, size, "waits: the credit for %s is on its way", name);
    else if (lane->owner != NONE && lane->owner != slot)
        snprintf(text, size, "waits: %s held by worm %" PRIu32, name,
                 worm_id(blocking, lane->owner));
    else if (lane->front == slot)
        snprintf(text, size, "waits: no credit for %s, behind its own flits", name);
    else
        snprintf(text, size, "waits: no credit for %s, behind worm %" PRIu32, name,
                 worm_id(blocking, lane->front));
}

static void moves_text(const struct anl_blocking *blocking, const struct blocking_buffer *buffer,
                       char *text, size_t size)
{
    char name[BUFFER_BYTES];
    if (buffer->moved == TAKEN) {
        snprintf(text, size, "taken by T%" PRIu32,
                 anl_end_of(&blocking->config, buffer->link).node);
        return;
    }
    if (buffer->moved == ARRIVES) {
        snprintf(text, size, "is in the first stage");
        return;
    }
    const bool in_register = blocking->two_stages && buffer->link < blocking->shape.links;
    anl_buffer_name(&blocking->config, buffer->wanted + buffer->moved, name, sizeof name);
    snprintf(text, size, "%smoves to %s", in_register ? "in the register, " : "", name);
}

static void not_yet_text(const struct anl_blocking *blocking, uint32_t at, char *text, size_t size)
{
    if (is_source(blocking, at))
        snprintf(text, size, "waits for worm %" PRIu32 " to begin",
                 worm_id(blocking, blocking->buffers[blocking_not_begun(blocking, at)].front));
    else
        snprintf(text, size, "waits for its tail");
}

static void refused_text(const struct anl_blocking *blocking, uint32_t lane, char *text,
                         size_t size)
{
    const uint32_t next = blocking_way(blocking, lane)->next;
    const uint32_t terminal = anl_end_of(&blocking->config, blocking->buffers[lane].link).node;
    char name[BUFFER_BYTES];
    if (next == NONE) {
        snprintf(text, size, "refused by T%" PRIu32 " until a reply leaves", terminal);
    } else if (is_source(blocking, next)) {
        snprintf(text, size, "refused by T%" PRIu32 " until a reply leaves, behind worm %" PRIu32,
                 terminal, worm_id(blocking, blocking->buffers[next].front));
    } else {
        anl_buffer_name(&blocking->config, next, name, sizeof name);
        snprintf(text, size, "waits: T%" PRIu32 " refuses %s", terminal, name);
    }
}

void anl_blocking_text(const struct anl_blocking *blocking, uint32_t at, char *text, size_t size)
{
    const struct blocking_buffer *buffer = &blocking->buffers[at];
    if (buffer->front == NONE) {
        empty_text(blocking, buffer->owner, text, size);
        return;
    }
    switch (blocking_cause(blocking, at)) {
    case ANL_MOVING:
        moves_text(blocking, buffer, text, size);
        return;
    case ANL_LOST_ARBITRATION:
        lost_text(blocking, at, text, size);
        return;
    case ANL_NOT_YET:
        not_yet_text(blocking, at, text, size);
        return;
    case ANL_REFUSED:
        refused_text(blocking, at, text, size);
        return;
    case ANL_LOST:
        snprintf(text, size, "is lost");
        return;
    default:
        waits_text(blocking, at, text, size);
    }
}
