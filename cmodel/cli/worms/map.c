// SPDX-License-Identifier: Apache-2.0
//
// Prints a map of the network in characters: the flits of every lane, and what its front flit does.
// WORMS_MAP_HELP explains the signs.

#include "worms.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct map {
    const struct findings *findings;
    const struct anl_config *config;
    struct anl_shape shape;
    bool *on_chain;  // [buffers]
    bool colours;
    uint32_t box;   // width, in characters, of a switch and of the injection lanes under it
    uint32_t owed;  // blanks not yet printed
};

static bool wraps(const struct anl_config *config)
{
    return config->topology == ANL_TORUS || config->topology == ANL_UNIDIRECTIONAL_TORUS;
}

static uint32_t box_columns(const struct anl_config *config)
{
    char number[16];
    const uint32_t last = anl_shape_of(config).switches - 1;
    const uint32_t digits = (uint32_t)snprintf(number, sizeof number, "%" PRIu32, last);
    const uint32_t lanes = 1 + 2 * config->num_vcs;
    return digits + 2 > lanes ? digits + 2 : lanes;
}

static uint32_t link_columns(const struct anl_config *config) { return 2 * config->num_vcs + 2; }

bool worms_can_map(const struct anl_config *config)
{
    return anl_is_k_ary_cube(config->topology) && config->n <= 2;
}

uint32_t worms_map_columns(const struct anl_config *config)
{
    const uint32_t edges = wraps(config) ? 1 : 0;
    return config->k * (box_columns(config) + link_columns(config)) + edges * link_columns(config);
}

// --- characters ---

static void put_blanks(struct map *map, uint32_t count) { map->owed += count; }

// Prints a text in a colour; paint NULL: in none. Without a text, no blanks are printed either.
static void put(struct map *map, const char *text, const char *paint)
{
    if (!*text) return;
    printf("%*s", (int)map->owed, "");
    map->owed = 0;
    if (map->colours && paint)
        printf("\033[%sm%s\033[0m", paint, text);
    else
        fputs(text, stdout);
}

static void end_line(struct map *map)
{
    putchar('\n');
    map->owed = 0;
}

static char sign_of(const struct map *map, uint32_t number, const struct anl_buffer *buffer)
{
    const bool moves = buffer->worm == ANL_NOTHING || buffer->wait == ANL_MOVING;
    if (map->on_chain[number]) return moves ? '=' : '*';
    return moves ? ' ' : '!';
}

static const char *paint_of(const struct anl_buffer *buffer, char sign)
{
    if (sign == '*' || sign == '=') return "1;7";
    if (sign == '!') return "31";
    return buffer->worm == ANL_NOTHING ? "2" : "32";
}

static char fill_of(const struct anl_buffer *buffer)
{
    if (buffer->flits > 9) return '#';
    if (buffer->flits > 0) return (char)('0' + buffer->flits);
    return buffer->owner == ANL_NOTHING ? '.' : 'o';
}

static void put_lanes(struct map *map, uint32_t link)
{
    for (uint32_t vc = 0; vc < map->config->num_vcs; vc++) {
        const uint32_t number = link * map->config->num_vcs + vc;
        const struct anl_buffer buffer =
            anl_blocking_buffer(map->findings->analysed.blocking, number);
        const char sign = sign_of(map, number, &buffer);
        const char text[] = {fill_of(&buffer), sign == ' ' ? '\0' : sign, '\0'};
        put(map, text, paint_of(&buffer, sign));
        put_blanks(map, sign == ' ');
    }
}

// Returns the lowest sender of a source, or the source of the lowest class, that is not empty; the
// first one if all are.
static uint32_t source_of(const struct map *map, uint32_t terminal)
{
    const struct anl_blocking *blocking = map->findings->analysed.blocking;
    const uint32_t first = map->shape.links * map->config->num_vcs + terminal;
    for (uint32_t at = first; at < anl_blocking_num_buffers(blocking); at += map->shape.terminals)
        if (anl_blocking_buffer(blocking, at).worm != ANL_NOTHING) return at;
    return first;
}

static void put_source(struct map *map, uint32_t terminal)
{
    const uint32_t number = source_of(map, terminal);
    const struct anl_buffer buffer = anl_blocking_buffer(map->findings->analysed.blocking, number);
    const char sign = sign_of(map, number, &buffer);
    const char text[] = {sign == ' ' ? 'T' : sign, '\0'};
    put(map, text, paint_of(&buffer, sign));
}

// --- links ---

// Returns the link that leaves a switch upwards or downwards in a dimension; ANL_NOTHING if there
// is none.
static uint32_t link_from(const struct map *map, uint32_t from, uint32_t dimension, bool up)
{
    uint32_t port = 2 * dimension + !up;
    if (map->config->topology == ANL_UNIDIRECTIONAL_TORUS) {
        if (!up) return ANL_NOTHING;
        port = dimension;
    } else if (map->config->topology == ANL_HYPERCUBE) {
        if (up != (anl_coordinate(map->config, from, dimension) == 0)) return ANL_NOTHING;
        port = dimension;
    }
    if (!anl_link_end(map->config, from, port).exists) return ANL_NOTHING;
    return from * map->shape.ports + port;
}

// Returns the link that arrives at coordinate `at` of a line of switches from the switch before it
// (up) or after it. The line begins at switch base and goes along a dimension.
static uint32_t link_to(const struct map *map, uint32_t base, uint32_t dimension, uint32_t at,
                        bool up)
{
    const uint32_t k = map->config->k, stride = dimension == 0 ? 1 : k;
    const uint32_t from = up ? (at + k - 1) % k : (at + 1) % k;
    return link_from(map, base + from * stride, dimension, up);
}

// --- lines ---

// Prints the lanes of a link between two arrows; blanks if it is ANL_NOTHING.
static void put_link(struct map *map, const char *before, uint32_t link, const char *after)
{
    if (link == ANL_NOTHING) {
        put_blanks(map, (uint32_t)(strlen(before) + strlen(after)) + 2 * map->config->num_vcs);
        return;
    }
    put(map, before, NULL);
    put_lanes(map, link);
    put(map, after, NULL);
}

static void print_boxes(struct map *map, uint32_t base)
{
    const uint32_t k = map->config->k;
    for (uint32_t x = 0; x < k; x++) {
        if (x > 0 || wraps(map->config)) put_link(map, "-", link_to(map, base, 0, x, true), ">");
        char box[16];
        const int length = snprintf(box, sizeof box, "[%" PRIu32 "]", base + x);
        put(map, box, NULL);
        put_blanks(map, map->box - (uint32_t)length);
    }
    end_line(map);
}

static void print_sources(struct map *map, uint32_t base)
{
    const uint32_t k = map->config->k;
    if (wraps(map->config)) put_blanks(map, link_columns(map->config));
    for (uint32_t x = 0; x < k; x++) {
        put_source(map, base + x);
        put_lanes(map, map->shape.switches * map->shape.ports + base + x);
        put_blanks(map, map->box - 1 - 2 * map->config->num_vcs);
        if (x + 1 < k || wraps(map->config))
            put_link(map, "<", link_to(map, base, 0, x, false), "-");
    }
    end_line(map);
}

// Prints the links between row y - 1 and row y; for y = 0 and y = k those round the edge.
static void print_between(struct map *map, uint32_t y)
{
    const uint32_t k = map->config->k, lanes = 1 + 2 * map->config->num_vcs;
    if (wraps(map->config)) put_blanks(map, link_columns(map->config));
    for (uint32_t x = 0; x < k; x++) {
        put_link(map, "v", y < k ? link_to(map, x, 1, y, true) : ANL_NOTHING, "");
        put_link(map, "^", y > 0 ? link_to(map, x, 1, y - 1, false) : ANL_NOTHING, "");
        put_blanks(map, map->box + link_columns(map->config) - 2 * lanes);
    }
    end_line(map);
}

static void print_legend(const struct map *map)
{
    puts("\n  lanes: . empty   o empty, but held by a worm   1-9 flits   # more than 9");
    puts("  front: blank moves   ! blocked   * blocked, on the chain   = moves, ends the chain");
    printf("  T: lanes of the injection link (the sign in place of T: of its source)%s\n",
           wraps(map->config) ? "; at the edges: links round the torus" : "");
}

void worms_print_map(const struct findings *findings)
{
    const struct anl_config *config = &findings->analysed.scenario.network;
    struct map map = {
        .findings = findings,
        .config = config,
        .shape = anl_shape_of(config),
        .on_chain = calloc(anl_blocking_num_buffers(findings->analysed.blocking), sizeof(bool)),
        .colours = cli_colours(),
        .box = box_columns(config)};
    if (!map.on_chain) return;
    for (size_t i = 0; i < findings->chain.count; i++)
        map.on_chain[findings->chain.buffers[i]] = true;
    const bool plane = config->n == 2;
    const bool round = plane && wraps(config);

    putchar('\n');
    if (round) print_between(&map, 0);
    for (uint32_t y = 0; y < (plane ? config->k : 1); y++) {
        if (plane && y > 0) print_between(&map, y);
        print_boxes(&map, y * config->k);
        print_sources(&map, y * config->k);
    }
    if (round && config->topology == ANL_TORUS) print_between(&map, config->k);
    print_legend(&map);
    free(map.on_chain);
}
