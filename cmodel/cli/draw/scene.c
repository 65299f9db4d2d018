// SPDX-License-Identifier: Apache-2.0

#include "draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum anl_status draw_begin(void *user, const struct anl_scenario *scenario, struct anl_error *error)
{
    (void)user;
    return anl_layout_check(&scenario->network, error);
}

const char *draw_palette(uint32_t number)
{
    static const char *const colours[DRAW_COLOURS] = {
        "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#6a51a3",
        "#9aa81d", "#a0522d", "#117a8b", "#4d5b6b", "#004c77", "#b36b00", "#006b4f",
        "#99447a", "#1f8ac0", "#963f00", "#9e8ad0", "#6b760f", "#d08a5f", "#57b3bf",
    };
    return colours[number % DRAW_COLOURS];
}

const char *draw_colour(const struct draw_chain *chain, uint32_t worm)
{
    const size_t place = draw_chain_find(chain, worm);
    if (place == SIZE_MAX) return draw_palette(worm);
    const bool meets_first = chain->back_to == 0 && place > 0 && place % DRAW_COLOURS == 0;
    return draw_palette((uint32_t)place + (meets_first ? DRAW_COLOURS / 2 : 0));
}

// --- words, the same as those of a page (viewer_state.js) ---

void draw_worm_words(FILE *out, const struct anl_blocking *blocking, uint32_t worm)
{
    struct anl_worm fed;
    fprintf(out, "worm %" PRIu32, worm);
    if (anl_blocking_worm(blocking, worm, &fed))
        fprintf(out, ", T%" PRIu32 " → T%" PRIu32 ", %u flit%s%s", fed.source, fed.destination,
                fed.length, plural(fed.length), cli_message_name(&fed).text);
}

// Writes for which worm a front flit waits.
static void whom_words(const struct anl_blocking *blocking, const struct anl_buffer *here,
                       char *text, size_t size)
{
    char name[96];
    *text = '\0';
    if (here->next == ANL_NOTHING) return;
    const uint32_t whom = anl_blocking_buffer(blocking, here->next).worm;
    anl_buffer_name(anl_blocking_config(blocking), here->next, name, sizeof name);
    if (whom == here->worm)
        snprintf(text, size, ", behind its own flits");
    else
        snprintf(text, size, ", waits for worm %" PRIu32 " in %s", whom, name);
}

// Writes what a blocked front flit waits for.
static void wait_words(const struct anl_blocking *blocking, const struct anl_buffer *here,
                       char *text, size_t size)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    char wish[160], whom[160];
    anl_buffer_wish(config, here, wish, sizeof wish);
    const char *links = strstr(wish, " of ");
    whom_words(blocking, here, whom, sizeof whom);
    snprintf(text, size, "%s on %s%s (since cycle %" PRIu64 ")", anl_wait_name(here->wait),
             links ? links + strlen(" of ") : wish, whom, here->since);
    char *blank = strchr(text, '_');
    if (blank) *blank = ' ';
}

void draw_state_words(const struct anl_blocking *blocking, uint32_t worm, uint32_t buffer,
                      char *text, size_t size)
{
    char where[96], what[400];
    const struct anl_buffer here = anl_blocking_buffer(blocking, buffer);
    anl_buffer_name(anl_blocking_config(blocking), buffer, where, sizeof where);
    if (here.worm != worm)
        snprintf(what, sizeof what, "behind worm %" PRIu32, here.worm);
    else if (here.wait == ANL_LOST)
        snprintf(what, sizeof what, "is lost");
    else if (here.wait == ANL_REFUSED)
        anl_blocking_text(blocking, buffer, what, sizeof what);
    else if (here.wait == ANL_MOVING || here.wants == ANL_NOTHING)
        snprintf(what, sizeof what, "moves");
    else
        wait_words(blocking, &here, what, sizeof what);
    snprintf(text, size, "%s: %s", where, what);
}

const char *draw_sign_words(enum anl_wait wait)
{
    static const char *const words[ANL_LOST + 1] = {
        [ANL_BOUND_ELSEWHERE] = "bound elsewhere: the lane belongs to another worm",
        [ANL_NO_CREDIT] = "no credit: the lane is full",
        [ANL_LOST_ARBITRATION] = "lost arbitration: another flit took the link",
        [ANL_NOT_YET] = "not yet: waits for its tail, or for an earlier worm of its source",
        [ANL_REFUSED] = "refused: the terminal has no free reservation for a reply",
        [ANL_LOST] = "lost: another flit wants the same link",
    };
    return words[wait];
}

bool draw_has_sign(const struct anl_config *config, enum anl_wait wait)
{
    const bool loses = anl_has(config, ANL_TRAIT_LOSES);
    if (!draw_sign_words(wait) || (wait == ANL_LOST) != loses) return false;
    return wait != ANL_REFUSED || config->reply_queue > 0;
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

// Writes a piece of the way that a lane has.
static void put_piece(const struct draw_scene *scene, uint32_t lane, enum draw_piece piece)
{
    draw_piece(scene->out, scene->layout, draw_way(scene->layout, lane), piece);
}

static void put_part(const struct draw_scene *scene, uint32_t buffer, enum draw_part part)
{
    draw_part(scene->out, scene->layout, buffer, part);
}

// Draws a piece in each slot of a lane that holds a flit of the worm; or its head flit, if heads.
static void put_flits(const struct draw_scene *scene, uint32_t worm, uint32_t lane, bool heads)
{
    struct anl_flit_run runs[ANL_MAX_DEPTH];
    const size_t count = anl_blocking_runs(scene->blocking, lane, runs, ANL_MAX_DEPTH);
    fputc('M', scene->out);
    put_part(scene, lane, DRAW_FRONT);
    for (size_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < runs[i].flits; j++) {
            if (runs[i].worm == worm && (!heads || runs[i].first + j == 0))
                put_piece(scene, lane, heads ? DRAW_HEAD : DRAW_FLIT);
            put_piece(scene, lane, DRAW_BACK);
        }
}

// Draws wire and free slots of a lane that the worm owns, from `before`, the buffer before it.
static void put_held(const struct draw_scene *scene, uint32_t worm, uint32_t lane, uint32_t before)
{
    const struct anl_buffer here = anl_blocking_buffer(scene->blocking, lane);
    if (here.owner != worm) return;
    if (draw_is_source(scene->layout, before)) {
        fputc('M', scene->out);
    } else {
        put_part(scene, before, DRAW_LEAVE);
        put_part(scene, lane, DRAW_ENTER);
    }
    put_part(scene, lane, DRAW_WIRE);
    for (uint32_t free = draw_slots(scene->layout, lane); free > here.flits; free--)
        put_piece(scene, lane, DRAW_AHEAD);
}

static const char *class_of(const struct draw_scene *scene, uint32_t worm)
{
    if (scene->chain->count == 0) return "worm";
    return draw_chain_find(scene->chain, worm) == SIZE_MAX ? "worm dim" : "worm";
}

static void put_sign(const struct draw_scene *scene, enum anl_wait wait, uint32_t buffer)
{
    if (!draw_sign_words(wait)) return;
    fprintf(scene->out, "<use href=\"#%s\" transform=\"translate(", anl_wait_name(wait));
    put_part(scene, buffer, DRAW_SIGN);
    fputc(')', scene->out);
    put_piece(scene, buffer, DRAW_SIGN_SIZE);
    fputs("\"/>", scene->out);
}

static void put_title(const struct draw_scene *scene, uint32_t worm, uint32_t buffer)
{
    char state[512];
    fputs("<title>", scene->out);
    draw_worm_words(scene->out, scene->blocking, worm);
    draw_state_words(scene->blocking, worm, buffer, state, sizeof state);
    fprintf(scene->out, "\n%s</title>", state);
}

static void put_body(const struct draw_scene *scene, uint32_t worm)
{
    const uint32_t *lanes = scene->buffers;
    size_t count = anl_blocking_body(scene->blocking, worm, scene->buffers, scene->most_buffers);
    if (count > scene->most_buffers) count = scene->most_buffers;
    if (count > 0 && draw_is_source(scene->layout, lanes[count - 1])) count--;
    fputs("<path class=\"held\" d=\"", scene->out);
    for (size_t i = 0; i < count; i++)
        put_held(scene, worm, lanes[i], i + 1 < count ? lanes[i + 1] : ANL_NOTHING);
    for (int heads = 0; heads < 2; heads++) {
        fprintf(scene->out, "\"/><path class=\"%s\" d=\"", heads ? "head" : "flits");
        for (size_t i = 0; i < count; i++)
            put_flits(scene, worm, lanes[i], heads);
    }
    fputs("\"/>", scene->out);
}

static void draw_worm(const struct draw_scene *scene, uint32_t worm)
{
    struct anl_life life;
    if (!anl_blocking_life(scene->blocking, worm, &life) || life.wait == ANL_QUEUED) return;
    fprintf(scene->out, "<g class=\"%s\" id=\"worm-%" PRIu32 "\" color=\"%s\">",
            class_of(scene, worm), worm, draw_colour(scene->chain, worm));
    put_title(scene, worm, life.buffer);
    put_body(scene, worm);
    put_sign(scene, life.wait, life.buffer);
    fputs("</g>\n", scene->out);
}

// Draws the worms of the chain last, above the others.
void draw_bodies(const struct draw_scene *scene)
{
    for (int in_chain = 0; in_chain < 2; in_chain++)
        for (size_t i = 0; i < scene->num_worms; i++)
            if ((draw_chain_find(scene->chain, scene->worms[i]) != SIZE_MAX) == in_chain)
                draw_worm(scene, scene->worms[i]);
}

// --- terminals that refuse ---

// Draws the flits of a run that stands in a lane of a terminal although its worm was delivered.
static void draw_left(const struct draw_scene *scene, uint32_t lane, uint32_t worm)
{
    struct anl_life life;
    if (anl_blocking_life(scene->blocking, worm, &life)) return;
    fprintf(scene->out, "<g class=\"%s\" id=\"worm-%" PRIu32 "\" color=\"%s\">",
            class_of(scene, worm), worm, draw_colour(scene->chain, worm));
    put_title(scene, worm, lane);
    fputs("<path class=\"held\" d=\"\"/>", scene->out);
    for (int heads = 0; heads < 2; heads++) {
        fprintf(scene->out, "<path class=\"%s\" d=\"", heads ? "head" : "flits");
        put_flits(scene, worm, lane, heads);
        fputs("\"/>", scene->out);
    }
    fputs("</g>\n", scene->out);
}

void draw_refusals(const struct draw_scene *scene)
{
    const uint32_t vcs = scene->config->num_vcs, terminals = scene->layout->shape.terminals;
    if (!scene->config->reply_queue) return;
    for (uint32_t i = 0; i < terminals * vcs; i++) {
        const uint32_t lane = anl_ejection_link(scene->config, i / vcs) * vcs + i % vcs;
        struct anl_flit_run runs[ANL_MAX_DEPTH];
        const size_t count = anl_blocking_runs(scene->blocking, lane, runs, ANL_MAX_DEPTH);
        for (size_t r = 0; r < count; r++)
            draw_left(scene, lane, runs[r].worm);
        if (anl_blocking_buffer(scene->blocking, lane).wait == ANL_REFUSED && count)
            put_sign(scene, ANL_REFUSED, lane);
    }
}

// --- queues ---

// Writes at each terminal how many worms have flits in its source queue: those that are queued, and
// those at senders.
void draw_queues(const struct draw_scene *scene)
{
    const struct anl_shape *shape = &scene->layout->shape;
    const uint32_t first = shape->links * scene->config->num_vcs;
    const uint32_t end = anl_blocking_num_buffers(scene->blocking);
    for (uint32_t t = 0; t < shape->terminals; t++) {
        uint32_t count = scene->queued[t];
        for (uint32_t source = first + t; source < end; source += shape->terminals)  // each sender
            count += anl_blocking_buffer(scene->blocking, source).worm != ANL_NOTHING;
        char worms[80];
        snprintf(worms, sizeof worms, "%" PRIu32, count);
        if (count) draw_queue(scene->out, scene->layout, t, worms);
    }
}

// --- the chain ---

static void draw_arrow(const struct draw_scene *scene, const struct draw_link *link)
{
    fprintf(scene->out, "<path class=\"wait\" marker-end=\"url(#%s)\" d=\"M",
            scene->chain->deadlock ? "point-dead" : "point");
    put_part(scene, link->buffer, DRAW_SIGN);
    fputc('Q', scene->out);
    put_part(scene, link->buffer, DRAW_BEND);
    fputc(' ', scene->out);
    put_part(scene, link->next, DRAW_FRONT);
    fputs("\"/>\n", scene->out);
}

// Draws the tag of a worm, further back than the tags of the same link before it.
static void draw_tag(const struct draw_scene *scene, const struct draw_link *link)
{
    const uint32_t vcs = scene->config->num_vcs;
    char worm[16];
    const int digits = snprintf(worm, sizeof worm, "%" PRIu32, link->worm);
    fprintf(scene->out, "<g color=\"%s\" transform=\"translate(",
            draw_colour(scene->chain, link->worm));
    put_part(scene, link->buffer, DRAW_TAG);
    fputc(')', scene->out);
    for (int i = 0; i < digits; i++)
        put_piece(scene, link->buffer, DRAW_TAG_DIGIT);
    for (const struct draw_link *l = scene->chain->links; l < link; l++)
        if (l->buffer / vcs == link->buffer / vcs && !draw_is_source(scene->layout, l->buffer))
            put_piece(scene, link->buffer, DRAW_TAG_BACK);
    fprintf(scene->out, "\"><use href=\"#tag-%d\"/><text class=\"tag\" y=\"3.6\">%s</text></g>\n",
            digits, worm);
}

void draw_arrows(const struct draw_scene *scene)
{
    const struct draw_chain *chain = scene->chain;
    fprintf(scene->out, "<g class=\"%s\">\n", chain->deadlock ? "chain dead" : "chain");
    for (size_t i = 0; i < chain->count; i++)
        if (chain->links[i].next != ANL_NOTHING && chain->links[i].next != chain->links[i].buffer)
            draw_arrow(scene, &chain->links[i]);
    for (size_t i = 0; i < chain->count; i++)
        if (chain->fault) put_sign(scene, ANL_LOST, chain->links[i].buffer);
    for (size_t i = 0; i < chain->count; i++)
        draw_tag(scene, &chain->links[i]);
    fputs("</g>\n", scene->out);
}
