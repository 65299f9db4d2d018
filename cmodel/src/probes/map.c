// SPDX-License-Identifier: Apache-2.0
//
// Reads the file that says which signals the links are, and writes its templates out into a list.

#include "probes.h"

#include "base/base.h"
#include "tree/tree.h"

#include <annelid/live.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct anl_probes {
    struct anl_scenario scenario;
    struct anl_link_description description;
    struct anl_shape shape;
    char *path, *network, *links;  // links is NULL if they are ours
    struct anl_probe *list;
    size_t count, room;
    bool have_back;
};

// --- questions ---

static const char *const role_names[ANL_NUM_PROBE_ROLES] = {"clock", "reset", "valid", "vc",
                                                            "flit",  "back",  "length"};

const char *anl_probe_role_name(enum anl_probe_role role)
{
    return (unsigned)role < ANL_NUM_PROBE_ROLES ? role_names[role] : "?";
}

const struct anl_probe *anl_probes_list(const struct anl_probes *probes, size_t *count)
{
    *count = probes->count;
    return probes->list;
}

const char *anl_probes_path(const struct anl_probes *probes) { return probes->path; }

const char *anl_probes_network(const struct anl_probes *probes) { return probes->network; }

const char *anl_probes_links(const struct anl_probes *probes) { return probes->links; }

const struct anl_scenario *anl_probes_scenario(const struct anl_probes *probes)
{
    return &probes->scenario;
}

const struct anl_link_description *anl_probes_description(const struct anl_probes *probes)
{
    return probes->links ? &probes->description : NULL;
}

bool anl_probes_have_back(const struct anl_probes *probes) { return probes->have_back; }

uint32_t anl_probes_bits(const struct anl_probes *probes, enum anl_probe_role role)
{
    const struct anl_config *config = &probes->scenario.network;
    switch (role) {
    case ANL_PROBE_CLOCK:
    case ANL_PROBE_RESET:
    case ANL_PROBE_VALID:
        return 1;
    case ANL_PROBE_FLIT:
        return probes->links ? probes->description.width : config->flit_width_bits + 2;
    case ANL_PROBE_BACK:
        return probes->links ? anl_link_back_bits(probes->description.style, config->num_vcs)
                             : config->num_vcs;
    default:
        return 0;
    }
}

void anl_probe_text(const struct anl_probe *probe, char *text, size_t size)
{
    const char *sign = probe->inverted ? "~" : "";
    if (!probe->name)
        snprintf(text, size, "%s%" PRIu32 "'d%" PRIu32, sign, probe->width, probe->value);
    else if (probe->high < 0)
        snprintf(text, size, "%s%s", sign, probe->name);
    else if (probe->high == probe->low)
        snprintf(text, size, "%s%s[%" PRId32 "]", sign, probe->name, probe->high);
    else
        snprintf(text, size, "%s%s[%" PRId32 ":%" PRId32 "]", sign, probe->name, probe->high,
                 probe->low);
}

void anl_probes_destroy(struct anl_probes *probes)
{
    if (!probes) return;
    for (size_t i = 0; i < probes->count; i++)
        free((char *)probes->list[i].name);
    free(probes->list);
    free(probes->path);
    free(probes->network);
    free(probes->links);
    anl_scenario_free(&probes->scenario);
    free(probes);
}

// --- nodes ---

struct entry {
    uint64_t line;
    enum { OF_NOTHING, OF_SWITCHES, OF_TERMINALS, OF_ONE } of;
    const yaml_node_t *label, *ports, *only, *out;
    const yaml_node_t *roles[ANL_NUM_PROBE_ROLES];
};

struct reading {
    struct tree tree;
    const char *const *settings;  // in place of the scenario's values
    size_t num_settings;
    struct anl_probes *made;
    const yaml_node_t *network, *links, *scope, *clock, *reset, *entries_node;
    struct entry *entries;
    uint32_t num_entries;
    const struct entry **of_link;  // which entry speaks of a link; NULL: none
};

#define REFUSE_LINE(reading, line, ...) TREE_REFUSE(&(reading)->tree, line, __VA_ARGS__)
#define REFUSE(reading, node, ...) REFUSE_LINE(reading, tree_line(node), __VA_ARGS__)

static size_t length_of(const yaml_node_t *list)
{
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

static const yaml_node_t *item_of(struct reading *reading, const yaml_node_t *list, size_t i)
{
    return tree_node(&reading->tree, list->data.sequence.items.start[i]);
}

// A key of a mapping, where its value goes, and whether read_root() wants it to be there.
struct key {
    const char *name;
    const yaml_node_t **value;
    bool needed;
};

static enum anl_status read_keys(struct reading *reading, const yaml_node_t *node,
                                 const struct key *keys, size_t count)
{
    if (node->type != YAML_MAPPING_NODE)
        REFUSE(reading, node, "found '%.60s', expected a mapping", tree_text(node));
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *word = tree_node(&reading->tree, pair->key);
        size_t k;
        const enum anl_status status =
            tree_find_key(&reading->tree, word, TREE_KEYS(keys, count), &k);
        if (status) return status;
        if (*keys[k].value)
            REFUSE(reading, word, "found key '%s' a second time, expected it once", keys[k].name);
        *keys[k].value = tree_node(&reading->tree, pair->value);
    }
    return ANL_OK;
}

static enum anl_status check_text(const struct reading *reading, const yaml_node_t *node,
                                  const char *name)
{
    if (node->type != YAML_SCALAR_NODE || !*tree_text(node))
        REFUSE(reading, node, "%s: found '%.60s', expected a word", name, tree_text(node));
    return ANL_OK;
}

static enum anl_status check_list(const struct reading *reading, const yaml_node_t *node,
                                  const char *name)
{
    if (node->type != YAML_SEQUENCE_NODE)
        REFUSE(reading, node, "%s: found '%.60s', expected a list", name, tree_text(node));
    return ANL_OK;
}

// --- entries ---

static enum anl_status read_of(const struct reading *reading, const yaml_node_t *node,
                               struct entry *entry)
{
    if (!strcmp(tree_text(node), "switches"))
        entry->of = OF_SWITCHES;
    else if (!strcmp(tree_text(node), "terminals"))
        entry->of = OF_TERMINALS;
    else
        REFUSE(reading, node, "of: found '%.40s', expected switches or terminals", tree_text(node));
    return ANL_OK;
}

static enum anl_status check_entry(const struct reading *reading, struct entry *entry,
                                   const yaml_node_t *of)
{
    enum anl_status status = ANL_OK;
    const bool one = entry->label;
    if (!of == !one)
        REFUSE_LINE(reading, entry->line, "found %s, expected one of them",
                    one ? "both of and link" : "neither of nor link");
    if (one && (entry->only || entry->out))
        REFUSE_LINE(reading, entry->line, "found %s beside link, expected it beside of",
                    entry->only ? "only" : "out");
    entry->of = OF_ONE;
    status = one ? check_text(reading, entry->label, "link") : read_of(reading, of, entry);
    if (!status && entry->of == OF_TERMINALS && entry->out)
        REFUSE(reading, entry->out, "found out beside of: terminals, expected of: switches");
    if (!status && entry->ports) status = check_list(reading, entry->ports, "ports");
    if (!status && entry->only) status = check_list(reading, entry->only, "only");
    if (!status && entry->out) status = check_list(reading, entry->out, "out");
    for (unsigned role = ANL_PROBE_VALID; !status && role <= ANL_PROBE_FLIT; role++)
        if (!entry->roles[role] && role != ANL_PROBE_VC)
            REFUSE_LINE(reading, entry->line, "found no %s, expected it", role_names[role]);
    return status;
}

static enum anl_status read_entry(struct reading *reading, const yaml_node_t *node,
                                  struct entry *entry)
{
    const yaml_node_t *of = NULL;
    struct key keys[5 + ANL_NUM_PROBE_ROLES - ANL_PROBE_VALID] = {
        {.name = "of", .value = &of},
        {.name = "link", .value = &entry->label},
        {.name = "ports", .value = &entry->ports},
        {.name = "only", .value = &entry->only},
        {.name = "out", .value = &entry->out}};
    size_t count = 5;
    for (unsigned role = ANL_PROBE_VALID; role < ANL_NUM_PROBE_ROLES; role++)
        keys[count++] = (struct key){.name = role_names[role], .value = &entry->roles[role]};
    entry->line = tree_line(node);
    const enum anl_status status = read_keys(reading, node, keys, count);
    return status ? status : check_entry(reading, entry, of);
}

static enum anl_status read_entries(struct reading *reading)
{
    const yaml_node_t *list = reading->entries_node;
    enum anl_status status = check_list(reading, list, "probes");
    if (status) return status;
    const size_t count = length_of(list);
    reading->entries = calloc(count + 1, sizeof *reading->entries);
    if (!reading->entries) return ANL_ERR_MEMORY;
    for (size_t i = 0; !status && i < count; i++) {
        status = read_entry(reading, item_of(reading, list, i), &reading->entries[i]);
        reading->num_entries = (uint32_t)i + 1;
    }
    return status;
}

// --- which entry speaks of a link ---

// Marks the numbers below `below` that a list has; without a list all of them.
static enum anl_status mark_numbers(struct reading *reading, const yaml_node_t *list,
                                    const char *name, uint32_t below, bool *marked)
{
    memset(marked, !list, below * sizeof *marked);
    for (size_t i = 0; list && i < length_of(list); i++) {
        const yaml_node_t *node = item_of(reading, list, i);
        char *end;
        const unsigned long value = strtoul(tree_text(node), &end, 10);
        if (*end || !strspn(tree_text(node), "0123456789") || value >= below)
            REFUSE(reading, node, "%s: found '%.40s', expected 0 .. %" PRIu32, name,
                   tree_text(node), below - 1);
        marked[value] = true;
    }
    return ANL_OK;
}

static bool exists(const struct reading *reading, uint32_t link)
{
    return anl_end_of(&reading->made->scenario.network, link).exists;
}

// Says that an entry speaks of a link. A template gives way to an entry of this link alone.
static enum anl_status claim(struct reading *reading, uint32_t link, const struct entry *entry)
{
    const struct entry *other = reading->of_link[link];
    char name[80];
    anl_link_name(&reading->made->scenario.network, link, name, sizeof name);
    if (other && (other->of == OF_ONE) == (entry->of == OF_ONE))
        REFUSE_LINE(reading, entry->line,
                    "link %s: found a second entry, expected that of line %" PRIu64 " alone", name,
                    other->line);
    if (!other || entry->of == OF_ONE) reading->of_link[link] = entry;
    return ANL_OK;
}

static enum anl_status claim_all(struct reading *reading, const struct entry *entry)
{
    const struct anl_shape *shape = &reading->made->shape;
    const bool switches = entry->of == OF_SWITCHES;
    const uint32_t first = switches ? 0 : shape->switches * shape->ports;
    const uint32_t nodes = switches ? shape->switches : shape->terminals;
    const uint32_t ports = switches ? shape->ports : 1;
    bool *only = calloc(nodes + ports, sizeof *only);
    if (!only) return ANL_ERR_MEMORY;
    bool *out = only + nodes;
    enum anl_status status = mark_numbers(reading, entry->only, "only", nodes, only);
    if (!status) status = mark_numbers(reading, entry->out, "out", ports, out);
    for (uint32_t i = 0; !status && i < nodes * ports; i++)
        if (only[i / ports] && out[i % ports] && exists(reading, first + i))
            status = claim(reading, first + i, entry);
    free(only);
    return status;
}

// Returns the first link whose name may be this one: names begin with the number of a switch, or T
// and that of a terminal.
static uint32_t first_like(const struct anl_shape *shape, const char *name)
{
    const bool terminal = *name == 'T';
    const unsigned long number = strtoul(name + terminal, NULL, 10);
    const uint32_t below = terminal ? shape->terminals : shape->switches;
    if (number >= below) return shape->links;
    return terminal ? shape->switches * shape->ports + (uint32_t)number
                    : (uint32_t)number * shape->ports;
}

static enum anl_status claim_one(struct reading *reading, const struct entry *entry)
{
    const struct anl_shape *shape = &reading->made->shape;
    const char *wanted = tree_text(entry->label);
    const uint32_t first = first_like(shape, wanted);
    char name[80];
    for (uint32_t link = first; link < shape->links && link - first < shape->ports; link++) {
        anl_link_name(&reading->made->scenario.network, link, name, sizeof name);
        if (exists(reading, link) && !strcmp(name, wanted)) return claim(reading, link, entry);
    }
    REFUSE(reading, entry->label,
           "link: found '%.60s', expected the name of a link such as T0.inject", wanted);
}

static enum anl_status claim_links(struct reading *reading)
{
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; !status && i < reading->num_entries; i++) {
        const struct entry *entry = &reading->entries[i];
        status = entry->of == OF_ONE ? claim_one(reading, entry) : claim_all(reading, entry);
    }
    return status;
}

static enum anl_status check_all_claimed(const struct reading *reading)
{
    const struct anl_shape *shape = &reading->made->shape;
    char name[80] = "";
    uint32_t missing = 0;
    for (uint32_t link = shape->links; link-- > 0;) {
        if (reading->of_link[link] || !exists(reading, link)) continue;
        anl_link_name(&reading->made->scenario.network, link, name, sizeof name);
        missing++;
    }
    if (missing)
        REFUSE(reading, reading->entries_node,
               "found no entry for link %s%s, expected one for each link", name,
               missing > 1 ? " and others" : "");
    return ANL_OK;
}

// --- the list ---

static void add_word(struct probes_words *words, const char *name, const char *text)
{
    struct probes_word *word = &words->at[words->count++];
    word->name = name;
    snprintf(word->text, sizeof word->text, "%s", text);
}

static void add_number(struct probes_words *words, const char *name, uint32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%" PRIu32, number);
    add_word(words, name, text);
}

// Says what stands for {port}: the number of a port, or what an entry has for it.
static enum anl_status add_port(struct reading *reading, const struct entry *entry, uint32_t port,
                                struct probes_words *words)
{
    if (!entry->ports) {
        add_number(words, "port", port);
        return ANL_OK;
    }
    const uint32_t ports = reading->made->shape.ports;
    if (length_of(entry->ports) != ports)
        REFUSE(reading, entry->ports,
               "ports: found %zu words, expected %" PRIu32 ", one for each port of a switch",
               length_of(entry->ports), ports);
    const yaml_node_t *node = item_of(reading, entry->ports, port);
    const enum anl_status status = check_text(reading, node, "ports");
    if (status) return status;
    if (strlen(tree_text(node)) >= PROBES_WORD_BYTES)
        REFUSE(reading, node, "ports: found '%.40s…', expected at most %d letters", tree_text(node),
               PROBES_WORD_BYTES - 1);
    add_word(words, "port", tree_text(node));
    return ANL_OK;
}

static enum anl_status words_of(struct reading *reading, const struct entry *entry, uint32_t link,
                                struct probes_words *words)
{
    static const char *const axes[] = {"x", "y", "z"};
    const struct anl_config *config = &reading->made->scenario.network;
    const struct anl_shape *shape = &reading->made->shape;
    const uint32_t injection = shape->switches * shape->ports;
    uint32_t switch_ = link / shape->ports, port = link % shape->ports;
    words->count = 0;
    add_number(words, "link", link);
    if (link >= injection) {
        const struct anl_end end = anl_end_of(config, link);
        switch_ = end.node, port = end.port;
        add_number(words, "terminal", link - injection);
    }
    add_number(words, "switch", switch_);
    for (uint32_t d = 0; anl_is_k_ary_cube(config->topology) && d < config->n && d < 3; d++)
        add_number(words, axes[d], anl_coordinate(config, switch_, d));
    return add_port(reading, entry, port, words);
}

static bool append(struct anl_probes *made, const struct anl_probe *probe)
{
    struct anl_probe *list = base_room(made->list, made->count, &made->room, sizeof *list);
    if (!list) return false;
    made->list = list;
    made->list[made->count++] = *probe;
    return true;
}

static enum anl_status add_part(struct reading *reading, const yaml_node_t *node,
                                const struct probes_words *words, struct anl_probe probe)
{
    const char *scope = reading->scope ? tree_text(reading->scope) : NULL;
    struct probes_part part;
    struct probes_why why;
    const char *name = role_names[probe.role];
    enum anl_status status = check_text(reading, node, name);
    if (status) return status;
    if (!probes_make(tree_text(node), words, &part, &why))
        REFUSE(reading, node, "%s: %s", name, why.text);
    probe.high = part.high, probe.low = part.low, probe.inverted = part.inverted;
    probe.width = part.width, probe.value = part.value, probe.line = tree_line(node);
    if (!part.constant) {
        const size_t size = strlen(part.text) + (scope ? strlen(scope) : 0) + 2;
        char *whole = malloc(size);
        if (!whole) return ANL_ERR_MEMORY;
        snprintf(whole, size, "%s%s%s", scope ? scope : "", scope ? "." : "", part.text);
        probe.name = whole;
    }
    if (append(reading->made, &probe)) return ANL_OK;
    free((char *)probe.name);
    return ANL_ERR_MEMORY;
}

// Checks the wires of a role, where its parts say how many they are.
static enum anl_status check_width(const struct reading *reading, const yaml_node_t *node,
                                   size_t first)
{
    const struct anl_probes *made = reading->made;
    const enum anl_probe_role role = made->list[first].role;
    const uint32_t wanted = anl_probes_bits(made, role);
    uint64_t wires = 0;
    for (size_t i = first; i < made->count; i++) {
        const struct anl_probe *probe = &made->list[i];
        if (probe->name && probe->high < 0) return ANL_OK;
        wires += probe->name ? (uint64_t)(probe->high - probe->low) + 1 : probe->width;
    }
    // A single bit may be an element of an array, which has any number of wires.
    const bool element = made->count - first == 1 && made->list[first].name && wires == 1;
    if (element || (wanted ? wires == wanted : wires <= 32)) return ANL_OK;
    REFUSE(reading, node, "%s: found %" PRIu64 " wires, expected %s%" PRIu32, role_names[role],
           wires, wanted ? "" : "at most ", wanted ? wanted : 32);
}

static enum anl_status add_role(struct reading *reading, const yaml_node_t *node,
                                const struct probes_words *words, uint32_t link,
                                enum anl_probe_role role)
{
    const struct anl_probe probe = {.link = link, .role = role};
    const size_t first = reading->made->count;
    enum anl_status status = ANL_OK;
    if (!node) return ANL_OK;
    if (node->type != YAML_SEQUENCE_NODE) {
        status = add_part(reading, node, words, probe);
    } else if (!length_of(node)) {
        REFUSE(reading, node, "%s: found an empty list, expected names of signals",
               role_names[role]);
    } else {
        for (size_t i = 0; !status && i < length_of(node); i++)
            status = add_part(reading, item_of(reading, node, i), words, probe);
    }
    return status ? status : check_width(reading, node, first);
}

// Checks that an entry says what its links need.
static enum anl_status check_roles(const struct reading *reading, const struct entry *entry)
{
    const struct anl_probes *made = reading->made;
    const bool credits = !made->links || anl_style_has_credits(made->description.style);
    const uint32_t num_vcs = made->scenario.network.num_vcs;
    if (num_vcs > 1 && !entry->roles[ANL_PROBE_VC] && !made->description.lane.width)
        REFUSE_LINE(reading, entry->line,
                    "found no vc, expected it, for there are %" PRIu32 " lanes", num_vcs);
    if (!entry->roles[ANL_PROBE_BACK] && !credits)
        REFUSE_LINE(reading, entry->line, "found no back, expected it, for links of style %s",
                    anl_style_name(made->description.style));
    if (!entry->roles[ANL_PROBE_BACK] != !reading->entries[0].roles[ANL_PROBE_BACK])
        REFUSE_LINE(reading, entry->line, "found %s back, expected it in all entries or in none",
                    entry->roles[ANL_PROBE_BACK] ? "a" : "no");
    return ANL_OK;
}

static enum anl_status list_links(struct reading *reading)
{
    enum anl_status status = ANL_OK;
    for (uint32_t link = 0; !status && link < reading->made->shape.links; link++) {
        const struct entry *entry = reading->of_link[link];
        struct probes_words words;
        if (!entry) continue;
        status = words_of(reading, entry, link, &words);
        for (unsigned role = ANL_PROBE_VALID; !status && role < ANL_NUM_PROBE_ROLES; role++)
            status = add_role(reading, entry->roles[role], &words, link, role);
    }
    return status;
}

static enum anl_status list_all(struct reading *reading)
{
    struct anl_probes *made = reading->made;
    const struct probes_words none = {.count = 0};
    reading->of_link = calloc(made->shape.links, sizeof *reading->of_link);
    if (!reading->of_link) return ANL_ERR_MEMORY;
    enum anl_status status = claim_links(reading);
    if (!status) status = check_all_claimed(reading);
    for (uint32_t i = 0; !status && i < reading->num_entries; i++)
        status = check_roles(reading, &reading->entries[i]);
    if (!status) status = add_role(reading, reading->clock, &none, ANL_NOTHING, ANL_PROBE_CLOCK);
    if (!status) status = add_role(reading, reading->reset, &none, ANL_NOTHING, ANL_PROBE_RESET);
    made->have_back = reading->num_entries && reading->entries[0].roles[ANL_PROBE_BACK];
    return status ? status : list_links(reading);
}

// --- the file ---

// Returns a path that a file names, which is relative to that file, in memory of its own.
static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash && *name != '/' ? (size_t)(slash - path) + 1 : 0;
    char *whole = malloc(folder + strlen(name) + 1);
    if (!whole) return NULL;
    memcpy(whole, path, folder);
    strcpy(whole + folder, name);
    return whole;
}

static enum anl_status read_root(struct reading *reading, const yaml_node_t *root)
{
    const struct key keys[] = {
        {"network", &reading->network, true}, {"links", &reading->links, false},
        {"scope", &reading->scope, false},    {"clock", &reading->clock, true},
        {"reset", &reading->reset, false},    {"probes", &reading->entries_node, true}};
    const size_t count = sizeof keys / sizeof *keys;
    if (!root) REFUSE_LINE(reading, 1, "found nothing, expected a map of probes");
    enum anl_status status = read_keys(reading, root, keys, count);
    for (size_t i = 0; !status && i < count; i++) {
        if (!*keys[i].value && keys[i].needed)
            REFUSE(reading, root, "found no %s, expected it", keys[i].name);
        if (*keys[i].value && keys[i].value != &reading->entries_node)
            status = check_text(reading, *keys[i].value, keys[i].name);
    }
    return status ? status : read_entries(reading);
}

static enum anl_status load_network(struct reading *reading)
{
    struct anl_probes *made = reading->made;
    const char *links = reading->links ? tree_text(reading->links) : NULL;
    made->path = strdup(reading->tree.path);
    made->network = beside(reading->tree.path, tree_text(reading->network));
    made->links = links ? beside(reading->tree.path, links) : NULL;
    if (!made->path || !made->network || (links && !made->links)) return ANL_ERR_MEMORY;
    enum anl_status status =
        anl_scenario_load_with(made->network, reading->settings, reading->num_settings,
                               &made->scenario, reading->tree.error);
    if (!status)
        status = anl_live_takes(&made->scenario.network, made->network, reading->tree.error);
    if (status) return status;
    made->shape = anl_shape_of(&made->scenario.network);
    if (!links) return ANL_OK;
    status = anl_link_load(made->links, &made->description, reading->tree.error);
    return status ? status
                  : anl_link_fit(&made->description, &made->scenario.network, made->links,
                                 reading->tree.error);
}

static enum anl_status read_all(void *user, const yaml_node_t *root)
{
    struct reading *reading = user;
    enum anl_status status = read_root(reading, root);
    if (!status) status = load_network(reading);
    return status ? status : list_all(reading);
}

enum anl_status anl_probes_load(const char *path, const char *const *settings, size_t num_settings,
                                struct anl_probes **probes, struct anl_error *error)
{
    struct anl_error said = {0};
    struct reading reading = {.tree = {.path = path, .error = &said},
                              .settings = settings,
                              .num_settings = num_settings,
                              .made = calloc(1, sizeof *reading.made)};
    *probes = NULL;
    const enum anl_status status =
        reading.made ? tree_read(&reading.tree, read_all, &reading) : ANL_ERR_MEMORY;
    free(reading.entries);
    free(reading.of_link);
    if (!status) {
        *probes = reading.made;
        return ANL_OK;
    }
    anl_probes_destroy(reading.made);
    if (!said.text[0]) anl_fail(&said, status, path, 0, "%s", anl_status_text(status));
    if (error) *error = said;
    return status;
}
