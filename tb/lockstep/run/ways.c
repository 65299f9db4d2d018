// SPDX-License-Identifier: Apache-2.0
//
// All ways are found by following the routes from every terminal to every other. They are kept in a
// table by a key, which has all that tells two of them apart.

#include "ways.h"

#include <annelid/blocking.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PORT_BITS = 5,
    LANES_BITS = 5,
    CLASS_BITS = 3,
    INPUT_BITS = 6,      // of a place in a table; its highest value: at any input port
    TERMINAL_BITS = 20,  // of a place in a table
    SIGNS = 5,           // of a dimension
    FIRST_SIZE = 64,     // of the table
};

// Which of the lanes a head has taken, where it may not have all.
enum { ALL_LANES = 0, LANES_FROM = 1, ESCAPES_FROM = LANES_FROM + ANL_MAX_VCS };

struct way {
    uint64_t key, times;
    bool used;
};

struct ways {
    const struct anl_config *config;
    struct anl_shape shape;
    uint32_t *into;                           // [switches * ports] link that ends at an input port
    uint32_t *heads;                          // [links * num_vcs] worm whose head stands there
    struct anl_config of_class[ANL_MAX_VCS];  // the network of each class, or of all of them
    struct way *table;
    size_t size, count;  // size is a power of 2
};

// A head that is about to leave a switch.
struct standing {
    struct anl_input_lane at;
    uint32_t destination;
};

// --- places: what a head wants where it stands ---

// A family of networks: the place of a head as a number, and its name.
struct family {
    bool own;
    uint64_t (*place)(const struct anl_config *config, const struct standing *head);
    void (*name)(const struct anl_config *config, uint64_t place, char *text, size_t size);
};

enum sign { SAME, PLUS, MINUS, HALF_EVEN, HALF_ODD };

static enum sign sign_on_ring(uint32_t k, uint32_t c, uint32_t t)
{
    const uint32_t forward = (t + k - c) % k;
    if (2 * forward == k) return c % 2 ? HALF_ODD : HALF_EVEN;
    return 2 * forward < k ? PLUS : MINUS;
}

static enum sign sign_of(const struct anl_config *config, uint32_t c, uint32_t t)
{
    if (c == t) return SAME;
    if (config->topology == ANL_TORUS) return sign_on_ring(config->k, c, t);
    if (config->topology == ANL_MESH) return t > c ? PLUS : MINUS;
    return PLUS;
}

// What odd_even asks besides: the column, whether that of the destination is the next one and
// whether the head comes from the west.
enum { ODD_COLUMN = 1, NEXT_COLUMN = 2, FROM_WEST = 4, MORE = 8 };

static uint64_t more_of(const struct anl_config *config, const struct standing *head)
{
    if (config->routing != ANL_ODD_EVEN) return 0;
    const uint32_t c = anl_coordinate(config, head->at.switch_, 0);
    const uint32_t t = anl_coordinate(config, head->destination, 0);
    return (c % 2 ? ODD_COLUMN : 0) | (t == c + 1 ? NEXT_COLUMN : 0) |
           (head->at.port == 1 && t > c ? FROM_WEST : 0);
}

static uint64_t place_in_cube(const struct anl_config *config, const struct standing *head)
{
    uint64_t place = 0;
    for (uint32_t d = config->n; d-- > 0;)
        place = place * SIGNS + sign_of(config, anl_coordinate(config, head->at.switch_, d),
                                        anl_coordinate(config, head->destination, d));
    return place * MORE + more_of(config, head);
}

static void name_in_cube(const struct anl_config *config, uint64_t place, char *text, size_t size)
{
    static const char *const signs[SIGNS] = {"", " +%u", " -%u", " even~%u", " odd~%u"};
    static const char *const more[] = {" odd column", " next column", " from -0"};
    size_t used = 0;
    uint64_t rest = place / MORE;
    for (uint32_t d = 0; d < config->n; d++, rest /= SIGNS) {
        const char *sign = signs[rest % SIGNS];
        if (*sign && used < size) used += (size_t)snprintf(text + used, size - used, sign, d);
    }
    if (used == 0) used += (size_t)snprintf(text, size, " here");
    for (int i = 0; i < 3; i++)
        if (place >> i & 1 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s", more[i]);
}

static uint64_t place_in_tree(const struct anl_config *config, const struct standing *head)
{
    const uint32_t level = anl_tree_place(config, head->at.switch_).level;
    return level * 2 + (head->at.port >= ANL_TREE_UP);
}

static void name_in_tree(const struct anl_config *config, uint64_t place, char *text, size_t size)
{
    (void)config;
    snprintf(text, size, " level %u from %s", (unsigned)(place / 2), place % 2 ? "above" : "below");
}

static uint64_t place_in_fly(const struct anl_config *config, const struct standing *head)
{
    return anl_fly_place(config, head->at.switch_).level;
}

static void name_in_fly(const struct anl_config *config, uint64_t place, char *text, size_t size)
{
    (void)config;
    snprintf(text, size, " level %u", (unsigned)place);
}

// An entry of a table.
static uint64_t place_in_table(const struct anl_config *config, const struct standing *head)
{
    const uint32_t any = (1u << INPUT_BITS) - 1;
    const uint64_t input = anl_reads_input(config) ? head->at.port : any;
    return ((uint64_t)head->at.switch_ << INPUT_BITS | input) << TERMINAL_BITS | head->destination;
}

static void name_in_table(const struct anl_config *config, uint64_t place, char *text, size_t size)
{
    char name[64], from[24] = "";
    const uint32_t terminal = place & ((1u << TERMINAL_BITS) - 1);
    const uint32_t input = place >> TERMINAL_BITS & ((1u << INPUT_BITS) - 1);
    anl_switch_name(config, (uint32_t)(place >> (TERMINAL_BITS + INPUT_BITS)), name, sizeof name);
    if (anl_reads_input(config)) snprintf(from, sizeof from, " from port %u", input);
    snprintf(text, size, " %s%s for T%u", name, from, terminal);
}

static const struct family *family_of(const struct anl_config *config)
{
    static const struct family cube = {false, place_in_cube, name_in_cube},
                               tree = {false, place_in_tree, name_in_tree},
                               fly = {false, place_in_fly, name_in_fly},
                               table = {true, place_in_table, name_in_table};
    if (anl_is_k_ary_cube(config->topology)) return &cube;
    if (config->topology == ANL_FAT_TREE) return &tree;
    return config->topology == ANL_BUTTERFLY ? &fly : &table;
}

// --- lanes ---

static uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

// Says in which lanes, of those that it may have (mask), a head has taken a lane of a link between
// switches: by the lowest of its escape lanes, or by the class of the dateline, or, in a table, by
// the lowest of all.
static uint32_t lanes_of(const struct anl_config *config, uint32_t vcs, uint32_t vc)
{
    const uint32_t all = (1u << config->num_vcs) - 1, escapes = anl_escape_lanes(config);
    if (escapes >> vc & 1) return ESCAPES_FROM + lowest(vcs & escapes) - lowest(escapes);
    if ((vcs | escapes) == all) return ALL_LANES;
    return LANES_FROM + (family_of(config)->own ? lowest(vcs) : !(vcs & 1));
}

static void name_lanes(const struct anl_config *config, uint32_t lanes, char *text, size_t size)
{
    const char *words = family_of(config)->own ? "lanes from" : "class";
    text[0] = '\0';
    if (lanes >= ESCAPES_FROM)
        snprintf(text, size, ", escape lane %u", lanes - ESCAPES_FROM);
    else if (lanes != ALL_LANES)
        snprintf(text, size, ", %s %u", words, lanes - LANES_FROM);
}

// --- the table ---

static uint64_t key_of_way(const struct ways *ways, const struct standing *head, uint32_t port,
                           uint32_t vcs, uint32_t vc)
{
    const uint32_t link = head->at.switch_ * ways->shape.ports + port;
    const uint32_t class_ = anl_class_of(ways->config, vc);
    const uint32_t first = class_ * anl_class_lanes(ways->config);
    const struct anl_config *config = &ways->of_class[class_];
    uint64_t key = family_of(config)->place(config, head);
    key = key << CLASS_BITS | (anl_classes_differ(ways->config) ? class_ : 0);
    key = key << LANES_BITS;
    if (!anl_end_of(ways->config, link).is_terminal)
        key |= lanes_of(config, vcs >> first, vc - first);
    return key << PORT_BITS | port;
}

// Returns the way with a key, or the place in the table that it would have.
static struct way *find(const struct ways *ways, uint64_t key)
{
    size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (ways->size - 1);
    while (ways->table[i].used && ways->table[i].key != key)
        i = (i + 1) & (ways->size - 1);
    return &ways->table[i];
}

static bool grow(struct ways *ways)
{
    const struct ways old = *ways;
    const size_t size = old.size ? 2 * old.size : FIRST_SIZE;
    struct way *table = calloc(size, sizeof *table);
    if (!table) return false;
    ways->size = size;
    ways->table = table;
    for (size_t i = 0; i < old.size; i++)
        if (old.table[i].used) *find(ways, old.table[i].key) = old.table[i];
    free(old.table);
    return true;
}

static bool list(struct ways *ways, uint64_t key)
{
    if (2 * ways->count >= ways->size && !grow(ways)) return false;
    struct way *way = find(ways, key);
    ways->count += !way->used;
    *way = (struct way){.key = key, .used = true};
    return true;
}

// --- following the routes ---

// Lanes to which heads for one terminal come.
struct search {
    uint8_t *seen;   // [links] mask of its lanes
    uint32_t *open;  // [links * num_vcs] lanes from which the search has to go on
    size_t count;
};

static void come_to(const struct ways *ways, struct search *search, uint32_t link, uint32_t vcs)
{
    vcs &= ~(uint32_t)search->seen[link];
    search->seen[link] |= (uint8_t)vcs;
    for (; vcs; vcs &= vcs - 1)
        search->open[search->count++] = link * ways->config->num_vcs + lowest(vcs);
}

static bool leave(struct ways *ways, struct search *search, const struct standing *head)
{
    const struct anl_route route = anl_route_at(ways->config, head->at, head->destination);
    for (uint32_t ports = route.ports; ports; ports &= ports - 1) {
        const uint32_t port = lowest(ports);
        for (uint32_t vcs = route.vcs[port]; vcs; vcs &= vcs - 1)
            if (!list(ways, key_of_way(ways, head, port, route.vcs[port], lowest(vcs))))
                return false;
        come_to(ways, search, head->at.switch_ * ways->shape.ports + port, route.vcs[port]);
    }
    return true;
}

static bool follow(struct ways *ways, struct search *search, uint32_t destination)
{
    const uint32_t num_vcs = ways->config->num_vcs;
    memset(search->seen, 0, ways->shape.links);
    for (uint32_t source = 0; source < ways->shape.terminals; source++)
        come_to(ways, search, anl_injection_link(ways->config, source),
                anl_injection_vcs(ways->config, source, destination));
    while (search->count) {
        const uint32_t lane = search->open[--search->count];
        const struct anl_end end = anl_end_of(ways->config, lane / num_vcs);
        const struct standing head = {{end.node, end.port, lane % num_vcs}, destination};
        if (!end.is_terminal && !leave(ways, search, &head)) return false;
    }
    return true;
}

static bool list_all(struct ways *ways)
{
    struct search search = {
        .seen = calloc(ways->shape.links, 1),
        .open = calloc((size_t)ways->shape.links * ways->config->num_vcs, sizeof *search.open)};
    bool good = search.seen && search.open && grow(ways);
    for (uint32_t t = 0; t < ways->shape.terminals && good; t++)
        good = follow(ways, &search, t);
    free(search.seen);
    free(search.open);
    return good;
}

static bool find_ends(struct ways *ways)
{
    const size_t ports = (size_t)ways->shape.switches * ways->shape.ports;
    const size_t lanes = (size_t)ways->shape.links * ways->config->num_vcs;
    ways->into = calloc(ports, sizeof *ways->into);
    ways->heads = malloc(lanes * sizeof *ways->heads);
    if (!ways->into || !ways->heads) return false;
    memset(ways->heads, 0xff, lanes * sizeof *ways->heads);
    for (size_t port = 0; port < ports; port++)
        ways->into[port] = ANL_NOTHING;
    for (uint32_t link = 0; link < ways->shape.links; link++) {
        const struct anl_end end = anl_end_of(ways->config, link);
        if (end.exists && !end.is_terminal)
            ways->into[end.node * ways->shape.ports + end.port] = link;
    }
    return true;
}

enum anl_status ways_create(const struct anl_config *config, struct ways **ways)
{
    *ways = NULL;
    if (!anl_has(config, ANL_TRAIT_WAITS)) return ANL_OK;
    *ways = calloc(1, sizeof **ways);
    if (!*ways) return ANL_ERR_MEMORY;
    (*ways)->config = config;
    (*ways)->shape = anl_shape_of(config);
    for (uint32_t c = 0; c < anl_num_classes(config); c++)
        (*ways)->of_class[c] = anl_config_of_class(config, c);
    if (find_ends(*ways) && list_all(*ways)) return ANL_OK;
    ways_destroy(*ways);
    *ways = NULL;
    return ANL_ERR_MEMORY;
}

void ways_destroy(struct ways *ways)
{
    if (!ways) return;
    free(ways->into);
    free(ways->heads);
    free(ways->table);
    free(ways);
}

// --- heads ---

// Returns the lane of a switch in which the head of a worm stands, which it leaves.
static struct anl_input_lane taken_from(struct ways *ways, uint32_t switch_, uint32_t worm)
{
    const uint32_t num_vcs = ways->config->num_vcs;
    for (uint32_t port = 0; port < ways->shape.ports; port++) {
        const uint32_t link = ways->into[switch_ * ways->shape.ports + port];
        for (uint32_t vc = 0; vc < num_vcs && link != ANL_NOTHING; vc++) {
            uint32_t *head = &ways->heads[link * num_vcs + vc];
            if (*head != worm) continue;
            *head = ANL_NOTHING;
            return (struct anl_input_lane){switch_, port, vc};
        }
    }
    return (struct anl_input_lane){switch_, ANL_NOTHING, 0};
}

void ways_head(struct ways *ways, const struct anl_flit *flit, uint32_t destination)
{
    const uint32_t ports = ways->shape.ports, port = flit->link % ports;
    if (flit->link < ways->shape.switches * ports) {
        const struct standing head = {taken_from(ways, flit->link / ports, flit->worm),
                                      destination};
        if (head.at.port == ANL_NOTHING) return;
        const uint32_t vcs = anl_route_at(ways->config, head.at, destination).vcs[port];
        if (!vcs) return;  // a worm that has a route of its own
        struct way *way = find(ways, key_of_way(ways, &head, port, vcs, flit->vc));
        way->times += way->used;
    }
    if (!anl_end_of(ways->config, flit->link).is_terminal)
        ways->heads[flit->link * ways->config->num_vcs + flit->vc] = flit->worm;
}

// --- what was taken ---

static void name_kind(const struct anl_config *config, char *text, size_t size)
{
    const char *passes = anl_num_passes(config) > 1 ? " two passes" : "";
    char dimensions[32] = "";
    if (!family_of(config)->own) snprintf(dimensions, sizeof dimensions, " n=%u", config->n);
    snprintf(text, size, "%s%s%s %s", anl_topology_name(config->topology), dimensions, passes,
             anl_routing_name(config->routing));
}

// Names a port as the links that leave by it.
static void name_port(const struct anl_config *config, uint32_t port, char *text, size_t size)
{
    char link[64];
    anl_link_name(config, port, link, sizeof link);
    const char *dot = strrchr(link, '.');
    snprintf(text, size, "%s", dot ? dot + 1 : link);
}

static struct way_taken describe(const struct ways *ways, const struct way *way)
{
    const uint32_t port = way->key & ((1u << PORT_BITS) - 1);
    const uint32_t lanes = way->key >> PORT_BITS & ((1u << LANES_BITS) - 1);
    const uint32_t class_ = way->key >> (PORT_BITS + LANES_BITS) & ((1u << CLASS_BITS) - 1);
    const struct anl_config *config = &ways->of_class[class_];
    struct way_taken taken = {.own = family_of(config)->own, .times = way->times};
    char place[128] = "", by[64], in[32];
    name_kind(config, taken.kind, sizeof taken.kind);
    family_of(config)->name(config, way->key >> (PORT_BITS + LANES_BITS + CLASS_BITS), place,
                            sizeof place);
    name_port(config, port, by, sizeof by);
    name_lanes(config, lanes, in, sizeof in);
    snprintf(taken.name, sizeof taken.name, "%s by %s%s", place + 1, by, in);
    return taken;
}

bool ways_next(const struct ways *ways, size_t *at, struct way_taken *taken)
{
    while (ways && *at < ways->size) {
        const struct way *way = &ways->table[(*at)++];
        if (!way->used) continue;
        *taken = describe(ways, way);
        return true;
    }
    return false;
}
