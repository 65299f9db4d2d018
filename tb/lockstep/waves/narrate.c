// SPDX-License-Identifier: Apache-2.0

#include "narrate.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 64, TEXT_BYTES = 256, RUNS_AT_MOST = 8 };

static const char nothing[] = "-", dim[] = "gray15", unknown[] = "unknown: RTL and model differ";

// X11 names of colours that are dark enough for white letters.
static const char *const wait_colours[ANL_LOST + 1] = {
    [ANL_MOVING] = "dark green",     [ANL_BOUND_ELSEWHERE] = "firebrick",
    [ANL_NO_CREDIT] = "DarkOrange3", [ANL_LOST_ARBITRATION] = "DarkGoldenrod4",
    [ANL_NOT_YET] = "MediumPurple4", [ANL_BEHIND] = "IndianRed4",
    [ANL_QUEUED] = "gray30",         [ANL_REFUSED] = "firebrick",
    [ANL_LOST] = "firebrick",
};

// Of the worms that are shown, in the order of the chain: neighbours are as far from each other as
// colours can be, and so are the first and the last. The two behind them are of all other worms.
static const char *const worm_colours[] = {
    "RoyalBlue3", "SpringGreen4", "sienna4",    "DarkOrchid4", "turquoise4",
    "DeepPink4",  "gold4",        "SteelBlue4", "OliveDrab4",  "VioletRed3",
};
enum { WORM_COLOURS = sizeof worm_colours / sizeof *worm_colours };

// Returns the colour of a worm. The worms that waves show have colours of their own, the others
// share the rest.
static const char *colour_of_worm(const struct wave_worms *wave_worms, uint32_t worm)
{
    if (worm == ANL_NOTHING) return dim;
    for (uint32_t i = 0; i < wave_worms->worms; i++)
        if (wave_worms->worm[i].worm.id == worm) return worm_colours[i];
    return worm_colours[WAVE_WORMS_WORMS + worm % (WORM_COLOURS - WAVE_WORMS_WORMS)];
}

// --- declaring ---

// Writes "0_s3_plus0_lane1": characters that any tool accepts; the number keeps the order of the
// path.
static void name_scope(const struct anl_config *config, uint32_t buffer, uint32_t number,
                       char *name)
{
    char text[NAME_BYTES];
    uint32_t lanes = anl_shape_of(config).links * config->num_vcs;
    if (buffer >= lanes) {
        const uint32_t terminals = anl_shape_of(config).terminals, source = buffer - lanes;
        const int used = snprintf(name, NAME_BYTES, "%u_source_T%u", number, source % terminals);
        if (source >= terminals)  // of a class of messages, or a sender
            snprintf(name + used, NAME_BYTES - (size_t)used, "_%u", source / terminals);
        return;
    }
    anl_link_name(config, buffer / config->num_vcs, text, sizeof text);
    const char *port = strrchr(text, '.');
    const char *sign = port[1] == '+' ? "plus" : port[1] == '-' ? "minus" : "";
    snprintf(name, NAME_BYTES, "%u_%s%.*s_%s%s_lane%u", number, text[0] == 'T' ? "" : "s",
             (int)strcspn(text, "(."), text, sign, port + 1 + (*sign != '\0'),
             buffer % config->num_vcs);
}

static void declare_lane(struct narration *narration, struct lane_signals *lane, uint32_t buffer,
                         uint32_t number)
{
    struct wave *wave = narration->wave;
    char name[NAME_BYTES];
    name_scope(narration->config, buffer, number, name);
    wave_scope(wave, name);
    lane->state = wave_word(wave, "state");
    lane->worm = wave_word(wave, "worm");
    lane->front = wave_word(wave, "front");
    lane->fill = wave_number(wave, "fill", 16);
    lane->wants = wave_word(wave, "wants");
    lane->cause = wave_word(wave, "cause");
    wave_up(wave);
}

static void declare_worm(struct narration *narration, uint32_t number)
{
    const struct wave_worms_worm *worm = &narration->wave_worms->worm[number];
    struct worm_signals *signals = &narration->worm[number];
    struct wave *wave = narration->wave;
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "worm_%u", worm->worm.id);
    wave_scope(wave, name);
    signals->state = wave_word(wave, "state");
    signals->waits_for = wave_word(wave, "waits_for");
    signals->buffer = wave_word(wave, "buffer");
    signals->waited = wave_number(wave, "waited", 32);
    for (uint32_t i = 0; i < worm->lanes; i++)
        declare_lane(narration, &signals->lane[i], worm->lane[i], i);
    wave_up(wave);
}

void narration_create(struct narration *narration, const struct anl_config *config,
                      const struct wave_worms *wave_worms, struct wave *wave)
{
    *narration = (struct narration){.config = config, .wave_worms = wave_worms, .wave = wave};
    wave_scope(wave, "blocking");
    narration->clock = wave_number(wave, "clk", 1);
    narration->cycle = wave_number(wave, "cycle", 32);
    narration->title = wave_word(wave, "title");
    narration->expected = wave_word(wave, "expected");
    narration->seen = wave_word(wave, "seen");
    for (uint32_t i = 0; i < wave_worms->worms; i++)
        declare_worm(narration, i);
    wave_up(wave);
}

void narrate_title(struct narration *narration, uint64_t cycle, const char *title,
                   const char *expected, const char *seen)
{
    uint64_t time = cycle * WAVE_CYCLE;
    wave_set_word(narration->wave, narration->title, time, title, "navy");
    wave_set_word(narration->wave, narration->expected, time, *expected ? expected : nothing,
                  "dark green");
    wave_set_word(narration->wave, narration->seen, time, *seen ? seen : nothing, "firebrick");
}

// --- one cycle ---

// What is narrated, and for which time.
struct moment {
    struct narration *narration;
    const struct anl_blocking *blocking;
    const struct worms *worms;
    uint64_t time;
};

static void say(const struct moment *moment, uint32_t signal, const char *text, const char *colour)
{
    wave_set_word(moment->narration->wave, signal, moment->time, text, colour);
}

static void say_worm(const struct moment *moment, uint32_t signal, uint32_t worm)
{
    char text[NAME_BYTES];
    snprintf(text, sizeof text, "worm %u", worm);
    say(moment, signal, worm == ANL_NOTHING ? nothing : text,
        colour_of_worm(moment->narration->wave_worms, worm));
}

static void say_front(const struct moment *moment, uint32_t signal, const struct anl_buffer *buffer)
{
    char text[TEXT_BYTES];
    if (buffer->worm == ANL_NOTHING) {
        say(moment, signal, nothing, dim);
        return;
    }
    const struct anl_worm *worm = &moment->worms->worm[buffer->worm].worm;
    const char *kind = worm->length == 1                   ? "single"
                       : buffer->index == 0                ? "head"
                       : buffer->index + 1 == worm->length ? "tail"
                                                           : "body";
    snprintf(text, sizeof text, "%s %u of %u, %u to %u", kind, buffer->index, worm->length,
             worm->source, worm->destination);
    say(moment, signal, text, colour_of_worm(moment->narration->wave_worms, buffer->worm));
}

// Returns the wanted link, or both: "5(2,1).u0 or u1". The text is kept in wish.
static const char *name_wanted(const struct anl_config *config, const struct anl_buffer *buffer,
                               char wish[NAME_BYTES])
{
    anl_buffer_wish(config, buffer, wish, NAME_BYTES);
    const char *link = strstr(wish, " of ");
    return link ? link + strlen(" of ") : wish;
}

static void say_wants(const struct moment *moment, uint32_t signal, const struct anl_buffer *buffer)
{
    const struct anl_config *config = moment->narration->config;
    char wish[NAME_BYTES], text[TEXT_BYTES];
    if (buffer->worm == ANL_NOTHING || buffer->wants == ANL_NOTHING) {
        say(moment, signal, nothing, dim);
        return;
    }
    uint32_t lanes[ANL_MAX_PORTS * ANL_MAX_VCS];
    const size_t count = anl_buffer_wanted(config, buffer, lanes);
    const char *link = name_wanted(config, buffer, wish);
    if (count == 1)
        snprintf(text, sizeof text, "lane %u of %s", lanes[0] % config->num_vcs, link);
    else
        snprintf(text, sizeof text, "any of %zu lanes of %s", count, link);
    say(moment, signal, text, "gray25");
}

// A head that may take one of several lanes is held up by all worms that have them. The blocking
// analysis names only the nearest of these worms, which changes from cycle to cycle, so this names
// all.
static void describe_choice(const struct anl_blocking *blocking, const struct anl_config *config,
                            const struct anl_buffer *buffer, char *text)
{
    char wish[NAME_BYTES], worms[TEXT_BYTES / 2] = "";
    uint32_t lanes[ANL_MAX_PORTS * ANL_MAX_VCS], full = 0;
    size_t used = 0;
    const char *link = name_wanted(config, buffer, wish);
    const size_t count = anl_buffer_wanted(config, buffer, lanes);
    for (size_t i = 0; i < count; i++) {
        uint32_t owner = anl_blocking_buffer(blocking, lanes[i]).owner;
        full += owner == ANL_NOTHING;
        if (owner != ANL_NOTHING)
            used += (size_t)snprintf(worms + used, sizeof worms - used, "%s%u", used ? ", " : "",
                                     owner);
    }
    if (used == 0)
        snprintf(text, TEXT_BYTES, "waits: all lanes of %s are full", link);
    else if (full)
        snprintf(text, TEXT_BYTES, "waits: worms %s hold lanes of %s, %u full", worms, link, full);
    else
        snprintf(text, TEXT_BYTES, "waits: worms %s hold the lanes of %s", worms, link);
}

static void describe_buffer(const struct anl_blocking *blocking, const struct anl_config *config,
                            uint32_t number, char *text)
{
    struct anl_buffer buffer = anl_blocking_buffer(blocking, number);
    bool choice = buffer.worm != ANL_NOTHING && (buffer.wants_vcs & (buffer.wants_vcs - 1)) != 0;
    if (choice && (buffer.wait == ANL_BOUND_ELSEWHERE || buffer.wait == ANL_NO_CREDIT))
        describe_choice(blocking, config, &buffer, text);
    else
        anl_blocking_text(blocking, number, text, TEXT_BYTES);
}

static void narrate_lane(const struct moment *moment, const struct lane_signals *signals,
                         uint32_t number)
{
    struct anl_buffer buffer = anl_blocking_buffer(moment->blocking, number);
    char text[TEXT_BYTES];
    bool empty = buffer.worm == ANL_NOTHING;
    describe_buffer(moment->blocking, moment->narration->config, number, text);
    say(moment, signals->state, text, empty ? dim : wait_colours[buffer.wait]);
    say_worm(moment, signals->worm, empty ? buffer.owner : buffer.worm);
    say_front(moment, signals->front, &buffer);
    wave_set_number(moment->narration->wave, signals->fill, moment->time, buffer.flits);
    say_wants(moment, signals->wants, &buffer);
    say(moment, signals->cause, empty ? "empty" : anl_wait_name(buffer.wait),
        empty ? dim : wait_colours[buffer.wait]);
}

// Returns the worm that holds this one up now, or ANL_NOTHING.
static uint32_t blocker_of(const struct anl_blocking *blocking, const struct anl_life *life)
{
    if (life->wait == ANL_MOVING || life->wait == ANL_QUEUED) return ANL_NOTHING;
    struct anl_buffer buffer = anl_blocking_buffer(blocking, life->buffer);
    if (life->wait == ANL_BEHIND) return buffer.worm;
    return buffer.next == ANL_NOTHING ? ANL_NOTHING
                                      : anl_blocking_buffer(blocking, buffer.next).worm;
}

static void describe_life(const struct anl_blocking *blocking, const struct anl_config *config,
                          const struct anl_life *life, const char *buffer, char *text)
{
    if (life->wait == ANL_BEHIND)
        snprintf(text, TEXT_BYTES, "behind worm %u in %s",
                 anl_blocking_buffer(blocking, life->buffer).worm, buffer);
    else if (life->wait == ANL_QUEUED)
        snprintf(text, TEXT_BYTES, "queued in %s", buffer);
    else
        describe_buffer(blocking, config, life->buffer, text);
}

static void narrate_worm(const struct moment *moment, uint32_t number)
{
    const struct worm_signals *signals = &moment->narration->worm[number];
    struct anl_life life;
    char buffer[NAME_BYTES], text[TEXT_BYTES];
    if (!anl_blocking_life(moment->blocking, moment->narration->wave_worms->worm[number].worm.id,
                           &life)) {
        say(moment, signals->state, "not in the network", dim);
        say_worm(moment, signals->waits_for, ANL_NOTHING);
        say(moment, signals->buffer, nothing, dim);
        wave_set_number(moment->narration->wave, signals->waited, moment->time, 0);
        return;
    }
    anl_buffer_name(moment->narration->config, life.buffer, buffer, sizeof buffer);
    describe_life(moment->blocking, moment->narration->config, &life, buffer, text);
    const bool lost = anl_blocking_buffer(moment->blocking, life.buffer).wait == ANL_LOST;
    say(moment, signals->state, text, wait_colours[lost ? ANL_LOST : life.wait]);
    say_worm(moment, signals->waits_for, blocker_of(moment->blocking, &life));
    say(moment, signals->buffer, buffer, "gray25");
    uint64_t waited = life.stall.worm == ANL_NOTHING ? 0 : life.stall.end - life.stall.begin + 1;
    wave_set_number(moment->narration->wave, signals->waited, moment->time, (uint32_t)waited);
}

static void forget_lane(const struct moment *moment, const struct lane_signals *signals)
{
    const uint32_t words[] = {signals->state, signals->worm, signals->front, signals->wants,
                              signals->cause};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        say(moment, words[i], unknown, dim);
    wave_set_unknown(moment->narration->wave, signals->fill, moment->time);
}

static void forget_worm(const struct moment *moment, uint32_t number)
{
    const struct worm_signals *signals = &moment->narration->worm[number];
    const uint32_t words[] = {signals->state, signals->waits_for, signals->buffer};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        say(moment, words[i], unknown, dim);
    wave_set_unknown(moment->narration->wave, signals->waited, moment->time);
    for (uint32_t i = 0; i < moment->narration->wave_worms->worm[number].lanes; i++)
        forget_lane(moment, &signals->lane[i]);
}

void narrate(struct narration *narration, uint64_t cycle, const struct anl_blocking *blocking,
             const struct worms *worms)
{
    struct moment moment = {narration, blocking, worms, cycle * WAVE_CYCLE};
    wave_set_number(narration->wave, narration->clock, moment.time, 0);
    wave_set_number(narration->wave, narration->cycle, moment.time, (uint32_t)cycle);
    for (uint32_t i = 0; i < narration->wave_worms->worms; i++) {
        const struct wave_worms_worm *worm = &narration->wave_worms->worm[i];
        if (!blocking) {
            forget_worm(&moment, i);
            continue;
        }
        narrate_worm(&moment, i);
        for (uint32_t l = 0; l < worm->lanes; l++)
            narrate_lane(&moment, &narration->worm[i].lane[l], worm->lane[l]);
    }
    wave_set_number(narration->wave, narration->clock, moment.time + WAVE_CYCLE / 2, 1);
}
