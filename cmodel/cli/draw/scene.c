// SPDX-License-Identifier: Apache-2.0

#include "draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const char *draw_colour(uint32_t worm)
{
    static const char *const colours[DRAW_COLOURS] = {
        "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#6a51a3",
        "#9aa81d", "#a0522d", "#117a8b", "#4d5b6b", "#004c77", "#b36b00", "#006b4f",
        "#99447a", "#1f8ac0", "#963f00", "#9e8ad0", "#6b760f", "#d08a5f", "#57b3bf",
    };
    return colours[worm % DRAW_COLOURS];
}

// --- words ---

void draw_worm_words(const struct anl_blocking *blocking, uint32_t worm, char *text, size_t size)
{
    struct anl_life life;
    if (!anl_blocking_life(blocking, worm, &life))
        snprintf(text, size, "worm %" PRIu32, worm);
    else
        snprintf(text, size, "worm %" PRIu32 ", T%" PRIu32 " → T%" PRIu32 ", %u flit%s", worm,
                 life.worm.source, life.worm.destination, life.worm.length,
                 life.worm.length == 1 ? "" : "s");
}

void draw_state_words(const struct anl_blocking *blocking, uint32_t worm, uint32_t buffer,
                      char *text, size_t size)
{
    char where[96], what[192];
    const struct anl_buffer here = anl_blocking_buffer(blocking, buffer);
    anl_buffer_name(anl_blocking_config(blocking), buffer, where, sizeof where);
    anl_blocking_text(blocking, buffer, what, sizeof what);
    if (here.worm != worm && here.worm != ANL_NOTHING)
        snprintf(text, size, "%s: behind worm %" PRIu32, where, here.worm);
    else if (here.worm == worm && here.wait != ANL_MOVING)
        snprintf(text, size, "%s: %s (since cycle %" PRIu64 ")", where, what, here.since);
    else
        snprintf(text, size, "%s: %s", where, what);
}

// --- the worms ---

struct gathering {
    uint32_t *worms;
    size_t count, room;
    bool failed;
};

static void gather(void *user, uint32_t worm)
{
    struct gathering *gathering = user;
    uint32_t *worms =
        gather_room(gathering->worms, gathering->count, &gathering->room, sizeof *worms);
    gathering->failed |= !worms;
    if (!worms) return;
    gathering->worms = worms;
    worms[gathering->count++] = worm;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void count_queued(struct draw_scene *scene)
{
    for (size_t i = 0; i < scene->num_worms; i++) {
        struct anl_life life;
        if (anl_blocking_life(scene->blocking, scene->worms[i], &life))
            scene->queued[life.worm.source] += life.wait == ANL_QUEUED;
    }
}

enum anl_status draw_scene_open(struct draw_scene *scene)
{
    struct gathering gathering = {0};
    anl_blocking_worms(scene->blocking, gather, &gathering);
    scene->worms = gathering.worms;
    scene->num_worms = gathering.count;
    if (gathering.count) qsort(scene->worms, scene->num_worms, sizeof *scene->worms, ascending);
    scene->most_buffers = scene->layout->shape.links;
    scene->buffers = calloc(scene->most_buffers, sizeof *scene->buffers);
    scene->queued = calloc(scene->layout->shape.terminals, sizeof *scene->queued);
    if (gathering.failed || !scene->buffers || !scene->queued) return ANL_ERR_MEMORY;
    count_queued(scene);
    return ANL_OK;
}

void draw_scene_close(struct draw_scene *scene)
{
    free(scene->worms);
    free(scene->queued);
    free(scene->buffers);
}

// --- bodies ---

static bool is_source(const struct draw_scene *scene, uint32_t buffer)
{
    return buffer >= scene->layout->shape.links * scene->config->num_vcs;
}

static struct anl_lane_shape lane_of(const struct draw_scene *scene, uint32_t buffer)
{
    const uint32_t vcs = scene->config->num_vcs;
    return anl_layout_lane(scene->layout, buffer / vcs, buffer % vcs);
}

// Return the switch that a link comes from, or ends at; ANL_NOTHING if it is a terminal.
static uint32_t comes_from(const struct draw_scene *scene, uint32_t link)
{
    const struct anl_shape *shape = &scene->layout->shape;
    return link < shape->switches * shape->ports ? link / shape->ports : ANL_NOTHING;
}

static uint32_t ends_at(const struct draw_scene *scene, uint32_t link)
{
    const struct anl_shape *shape = &scene->layout->shape;
    const uint32_t injections = shape->switches * shape->ports;
    if (link >= injections)
        return anl_ejection_link(scene->config, link - injections) / shape->ports;
    const struct anl_end end =
        anl_link_end(scene->config, link / shape->ports, link % shape->ports);
    return end.is_terminal ? ANL_NOTHING : end.node;
}

// Draws the slots of a buffer that hold flits of the worm.
static void put_flits(const struct draw_scene *scene, uint32_t worm, uint32_t buffer)
{
    struct anl_flit_run runs[ANL_MAX_DEPTH];
    const struct anl_layout *layout = scene->layout;
    const struct anl_lane_shape lane = lane_of(scene, buffer);
    const double length = layout->slot_length, half = layout->lane_pitch / 2 - 1;
    const struct anl_point along = {lane.step.x / 2 * 0.86, lane.step.y / 2 * 0.86};
    const struct anl_point side = {-lane.step.y / length * half, lane.step.x / length * half};
    const size_t count = anl_blocking_runs(scene->blocking, buffer, runs, ANL_MAX_DEPTH);
    uint32_t slot = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < runs[i].flits; j++, slot++) {
            if (runs[i].worm != worm) continue;
            const struct anl_point at = {lane.front.x + slot * lane.step.x,
                                         lane.front.y + slot * lane.step.y};
            fprintf(scene->out, "M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ",
                    at.x - along.x - side.x, at.y - along.y - side.y, at.x + along.x - side.x,
                    at.y + along.y - side.y, at.x + along.x + side.x, at.y + along.y + side.y,
                    at.x - along.x + side.x, at.y - along.y + side.y);
        }
}

// Draws an arrow head on the head flit, in the direction in which it moves.
static void put_head(const struct draw_scene *scene, uint32_t worm, uint32_t buffer)
{
    struct anl_flit_run runs[ANL_MAX_DEPTH];
    const struct anl_lane_shape lane = lane_of(scene, buffer);
    const double size = fmin(scene->layout->lane_pitch, scene->layout->slot_length) / 2 - 1;
    const double length = scene->layout->slot_length;
    const struct anl_point d = {-lane.step.x / length, -lane.step.y / length};
    const size_t count = anl_blocking_runs(scene->blocking, buffer, runs, ANL_MAX_DEPTH);
    uint32_t slot = 0;
    for (size_t i = 0; i < count; slot += runs[i++].flits) {
        if (runs[i].worm != worm || runs[i].first != 0) continue;
        const struct anl_point at = {lane.front.x + slot * lane.step.x,
                                     lane.front.y + slot * lane.step.y};
        fprintf(scene->out, "<path class=\"head\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>",
                at.x + d.x * size, at.y + d.y * size, at.x - d.x * size - d.y * size,
                at.y - d.y * size + d.x * size, at.x - d.x * size + d.y * size,
                at.y - d.y * size - d.x * size);
    }
}

// Draws the worm through a switch, from the end of one lane to the wire of the next.
static void put_crossing(const struct draw_scene *scene, uint32_t from, uint32_t to)
{
    const struct anl_lane_shape in = lane_of(scene, from), out = lane_of(scene, to);
    const double length = scene->layout->slot_length;
    const struct anl_point a = in.end, b = out.wire[0];
    const double stretch = hypot(b.x - a.x, b.y - a.y) * 0.45;
    const double leg = hypot(out.wire[1].x - b.x, out.wire[1].y - b.y);
    fprintf(scene->out, "M%.1f %.1fL%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f",
            in.front.x - in.step.x / 2, in.front.y - in.step.y / 2, a.x, a.y,
            a.x - in.step.x / length * stretch, a.y - in.step.y / length * stretch,
            b.x - (out.wire[1].x - b.x) / leg * stretch,
            b.y - (out.wire[1].y - b.y) / leg * stretch, b.x, b.y);
}

// Draws wire and free slots of a lane that the worm owns, and the crossing before the lane.
static void put_held(const struct draw_scene *scene, uint32_t worm, size_t count, uint32_t buffer)
{
    if (anl_blocking_buffer(scene->blocking, buffer).owner != worm) return;
    const uint32_t vcs = scene->config->num_vcs;
    const struct anl_lane_shape lane = lane_of(scene, buffer);
    const double full = anl_blocking_buffer(scene->blocking, buffer).flits - 0.5;
    draw_wire(scene->out, &lane);
    fprintf(scene->out, "L%.1f %.1f", lane.front.x + full * lane.step.x,
            lane.front.y + full * lane.step.y);
    const uint32_t node = comes_from(scene, buffer / vcs);
    for (size_t i = 0; i < count && node != ANL_NOTHING; i++)
        if (!is_source(scene, scene->buffers[i]) && ends_at(scene, scene->buffers[i] / vcs) == node)
            put_crossing(scene, scene->buffers[i], buffer);
}

static const char *class_of(const struct draw_scene *scene, uint32_t worm)
{
    if (scene->chain->count == 0) return "worm";
    return draw_chain_find(scene->chain, worm) == SIZE_MAX ? "worm dim" : "worm";
}

// Returns the point where the flits of a terminal enter the network.
static struct anl_point gate_of(const struct draw_scene *scene, uint32_t source)
{
    const struct anl_layout *layout = scene->layout;
    const uint32_t vcs = scene->config->num_vcs, terminal = source - layout->shape.links * vcs;
    const uint32_t link = layout->shape.switches * layout->shape.ports + terminal;
    return anl_layout_lane(layout, link, vcs / 2).wire[0];
}

static struct anl_point front_of(const struct draw_scene *scene, uint32_t buffer)
{
    return is_source(scene, buffer) ? gate_of(scene, buffer) : lane_of(scene, buffer).front;
}

// Returns the point for the sign of a blocked front flit, just before the node that it waits at.
static struct anl_point sign_of(const struct draw_scene *scene, uint32_t buffer)
{
    if (is_source(scene, buffer)) return gate_of(scene, buffer);
    const struct anl_lane_shape lane = lane_of(scene, buffer);
    const double length = scene->layout->slot_length;
    return (struct anl_point){lane.end.x - lane.step.x / length * 3,
                              lane.end.y - lane.step.y / length * 3};
}

static void put_sign(const struct draw_scene *scene, uint32_t worm)
{
    struct anl_life life;
    if (!anl_blocking_life(scene->blocking, worm, &life)) return;
    const enum anl_wait wait = life.wait;
    if (wait == ANL_MOVING || wait == ANL_BEHIND || wait == ANL_QUEUED) return;
    const struct anl_point at = sign_of(scene, life.buffer);
    const double scale = fmax(0.7, fmin(1.1, scene->layout->lane_pitch / 9));
    fprintf(scene->out, "<use href=\"#%s\" transform=\"translate(%.1f %.1f) scale(%.2f)\"/>",
            anl_wait_name(wait), at.x, at.y, scale);
}

static void draw_worm(const struct draw_scene *scene, uint32_t worm)
{
    FILE *out = scene->out;
    char words[128], state[320];
    struct anl_life life;
    size_t count = anl_blocking_body(scene->blocking, worm, scene->buffers, scene->most_buffers);
    if (count > scene->most_buffers) count = scene->most_buffers;
    if (!anl_blocking_life(scene->blocking, worm, &life) || life.wait == ANL_QUEUED) return;
    draw_worm_words(scene->blocking, worm, words, sizeof words);
    draw_state_words(scene->blocking, worm, life.buffer, state, sizeof state);
    fprintf(out, "<g class=\"%s\" id=\"worm-%" PRIu32 "\"><title>", class_of(scene, worm), worm);
    draw_escaped(out, words);
    fputs("\n", out);
    draw_escaped(out, state);
    fprintf(out, "</title><path class=\"held\" stroke=\"%s\" stroke-width=\"%.1f\" d=\"",
            draw_colour(worm), scene->layout->wire_pitch * 0.85);
    for (size_t i = 0; i < count; i++)
        if (!is_source(scene, scene->buffers[i])) put_held(scene, worm, count, scene->buffers[i]);
    fprintf(out, "\"/><path class=\"flits\" fill=\"%s\" d=\"", draw_colour(worm));
    for (size_t i = 0; i < count; i++)
        if (!is_source(scene, scene->buffers[i])) put_flits(scene, worm, scene->buffers[i]);
    fputs("\"/>", out);
    for (size_t i = 0; i < count; i++)
        if (!is_source(scene, scene->buffers[i])) put_head(scene, worm, scene->buffers[i]);
    put_sign(scene, worm);
    fputs("</g>\n", out);
}

// Draws the worms of the chain last, above the others.
void draw_bodies(const struct draw_scene *scene)
{
    for (int in_chain = 0; in_chain < 2; in_chain++)
        for (size_t i = 0; i < scene->num_worms; i++)
            if ((draw_chain_find(scene->chain, scene->worms[i]) != SIZE_MAX) == in_chain)
                draw_worm(scene, scene->worms[i]);
}

// --- queues ---

// Writes at each terminal how many worms have flits in its source queue: those that are queued, and
// the one that is being injected.
void draw_queues(const struct draw_scene *scene)
{
    const struct anl_layout *layout = scene->layout;
    const uint32_t first = layout->shape.links * scene->config->num_vcs;
    for (uint32_t t = 0; t < layout->shape.terminals; t++) {
        const bool first_one = anl_blocking_buffer(scene->blocking, first + t).worm != ANL_NOTHING;
        const uint32_t waiting = scene->queued[t] + first_one;
        const struct anl_point at = layout->terminals[t];
        if (waiting)
            fprintf(scene->out,
                    "<text class=\"queue\" x=\"%.1f\" y=\"%.1f\">%" PRIu32 "<title>%" PRIu32
                    " worms in the source queue</title></text>\n",
                    at.x, at.y + 8.5, waiting, waiting);
    }
}

// --- the chain ---

static void draw_arrow(const struct draw_scene *scene, const struct draw_link *link)
{
    const struct anl_point a = sign_of(scene, link->buffer), b = front_of(scene, link->next);
    const double length = hypot(b.x - a.x, b.y - a.y), bow = fmin(40, length * 0.2);
    if (length < 1) return;
    const struct anl_point middle = {(a.x + b.x) / 2 - (b.y - a.y) / length * bow,
                                     (a.y + b.y) / 2 + (b.x - a.x) / length * bow};
    fprintf(scene->out,
            "<path class=\"wait\" marker-end=\"url(#%s)\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>\n",
            scene->chain->deadlock ? "point-dead" : "point", a.x, a.y, middle.x, middle.y, b.x,
            b.y);
}

// Returns the point for a worm's tag: beside the front flit of the buffer, on the side away from
// the opposite link, further back if `before` other tags are there; of a source queue above its
// terminal.
static struct anl_point tag_of(const struct draw_scene *scene, uint32_t buffer, double width,
                               int before)
{
    const struct anl_layout *layout = scene->layout;
    const uint32_t vcs = scene->config->num_vcs;
    if (is_source(scene, buffer)) {
        const struct anl_point at = layout->terminals[buffer - layout->shape.links * vcs];
        return (struct anl_point){at.x, at.y - layout->terminal_height / 2 - 9};
    }
    const struct anl_lane_shape lane = lane_of(scene, buffer);
    const double band = (vcs - buffer % vcs - 0.5) * layout->lane_pitch;
    const struct anl_point right = {lane.step.y / layout->slot_length,
                                    -lane.step.x / layout->slot_length};
    const double back_x = -right.y * before * (width + 4);
    const double back_y = right.x * before * 17;
    return (struct anl_point){lane.front.x + back_x + right.x * (band + 3 + width / 2),
                              lane.front.y + back_y + right.y * (band + 10)};
}

static void draw_tag(const struct draw_scene *scene, const struct draw_link *link)
{
    const uint32_t vcs = scene->config->num_vcs;
    int before = 0;
    for (const struct draw_link *l = scene->chain->links; l < link; l++)
        before += l->buffer / vcs == link->buffer / vcs && !is_source(scene, l->buffer);
    char name[16];
    const int digits = snprintf(name, sizeof name, "%" PRIu32, link->worm);
    const double width = 8 + 7 * digits;
    const struct anl_point at = tag_of(scene, link->buffer, width, before);
    fprintf(scene->out,
            "<rect class=\"tag-box\" stroke=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"14\" rx=\"7\"/><text class=\"tag\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
            draw_colour(link->worm), at.x - width / 2, at.y - 7, width, at.x, at.y + 3.6, name);
}

void draw_arrows(const struct draw_scene *scene)
{
    const struct draw_chain *chain = scene->chain;
    fprintf(scene->out, "<g class=\"%s\">\n", chain->deadlock ? "chain dead" : "chain");
    for (size_t i = 0; i < chain->count; i++)
        if (chain->links[i].next != ANL_NOTHING && chain->links[i].next != chain->links[i].buffer)
            draw_arrow(scene, &chain->links[i]);
    for (size_t i = 0; i < chain->count; i++)
        draw_tag(scene, &chain->links[i]);
    fputs("</g>\n", scene->out);
}
