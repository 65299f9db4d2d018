// SPDX-License-Identifier: Apache-2.0
//
// Reads the file that describes a link. The text is small, so it is read as a tree.

#include "links.h"

#include "tree/tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct tree tree;
    struct anl_link_description *made;
    bool has_style, has_width, has_ends;
};

struct key {
    const char *name;
    enum anl_status (*read)(struct reading *reading, const yaml_node_t *value, unsigned detail);
    unsigned detail;
};

static const char *const field_names[ANL_NUM_HEAD_FIELDS] = {
    "destination", "x", "y", "z", "source", "source_x", "source_y", "source_z", "length", "number"};

const char *anl_head_field_name(enum anl_head_field field)
{
    return (unsigned)field < ANL_NUM_HEAD_FIELDS ? field_names[field] : "?";
}

#define REFUSE(reading, node, ...) TREE_REFUSE(&(reading)->tree, tree_line(node), __VA_ARGS__)

// --- values ---

static enum anl_status read_number(const struct reading *reading, const yaml_node_t *node,
                                   const char *name, int64_t least, int64_t most, int64_t *value)
{
    char *end = NULL;
    const char *text = tree_text(node);
    *value = strtoll(text, &end, strncmp(text, "0x", 2) ? 10 : 16);
    if (node->type != YAML_SCALAR_NODE || end == text || *end || *value < least || *value > most)
        REFUSE(reading, node, "%s: found '%.60s', expected %" PRId64 " .. %" PRId64, name, text,
               least, most);
    return ANL_OK;
}

static enum anl_status read_keys(struct reading *reading, const yaml_node_t *node, const char *name,
                                 const struct key *keys, size_t count)
{
    enum anl_status status = ANL_OK;
    uint64_t seen = 0;
    if (node->type != YAML_MAPPING_NODE)
        REFUSE(reading, node, "%s: found '%.60s', expected a mapping", name, tree_text(node));
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         !status && pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *word = tree_node(&reading->tree, pair->key);
        size_t k;
        status = tree_find_key(&reading->tree, word, TREE_KEYS(keys, count), &k);
        if (status) break;
        if (seen >> k & 1)
            REFUSE(reading, word, "found key '%s' a second time, expected it once", keys[k].name);
        seen |= UINT64_C(1) << k;
        status = keys[k].read(reading, tree_node(&reading->tree, pair->value), keys[k].detail);
    }
    return status;
}

// The keys of neighbouring wires, in this order.
enum { AT, WIDTH, PLUS, VALUE, HEADS, TAILS, NUM_PARTS };
static const char *const part_names[NUM_PARTS] = {"at", "width", "plus", "value", "head", "tail"};

struct parts {
    const yaml_node_t *nodes[NUM_PARTS];
};

// Takes the values of a mapping whose keys are some of the parts.
static enum anl_status read_parts(struct reading *reading, const yaml_node_t *node,
                                  const char *name, unsigned allowed, struct parts *parts)
{
    *parts = (struct parts){0};
    if (node->type != YAML_MAPPING_NODE)
        REFUSE(reading, node, "%s: found '%.60s', expected a mapping", name, tree_text(node));
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *word = tree_node(&reading->tree, pair->key);
        unsigned part = 0;
        while (part < NUM_PARTS &&
               (!(allowed >> part & 1) || strcmp(tree_text(word), part_names[part]) != 0))
            part++;
        if (part == NUM_PARTS)
            REFUSE(reading, word, "%s: found key '%.40s', expected %s%s%s%s", name, tree_text(word),
                   allowed >> AT & 1 ? "at, width" : "head, tail",
                   allowed >> PLUS & 1 ? ", plus" : "", allowed >> VALUE & 1 ? ", value" : "",
                   allowed >> AT & allowed >> HEADS & 1 ? ", head, tail" : "");
        if (parts->nodes[part])
            REFUSE(reading, word, "%s: found key '%s' a second time, expected it once", name,
                   part_names[part]);
        parts->nodes[part] = tree_node(&reading->tree, pair->value);
    }
    return ANL_OK;
}

static enum anl_status take_bits(struct reading *reading, const yaml_node_t *node, const char *name,
                                 const struct parts *parts, int64_t widest, struct anl_bits *bits)
{
    int64_t at = 0, width = 0, plus = 0;
    if (!parts->nodes[AT] || !parts->nodes[WIDTH])
        REFUSE(reading, node, "%s: found no %s, expected at and width", name,
               parts->nodes[AT] ? "width" : "at");
    enum anl_status status =
        read_number(reading, parts->nodes[AT], "at", 0, ANL_MAX_WIRES - 1, &at);
    if (!status) status = read_number(reading, parts->nodes[WIDTH], "width", 1, widest, &width);
    if (!status && parts->nodes[PLUS])
        status = read_number(reading, parts->nodes[PLUS], "plus", -65535, 65535, &plus);
    *bits = (struct anl_bits){(uint16_t)at, (uint16_t)width, (int32_t)plus};
    return status;
}

static enum anl_status read_bits(struct reading *reading, const yaml_node_t *node, const char *name,
                                 unsigned allowed, struct anl_bits *bits)
{
    struct parts parts;
    const enum anl_status status = read_parts(reading, node, name, allowed, &parts);
    return status ? status : take_bits(reading, node, name, &parts, 32, bits);
}

enum { PLACE = 1 << AT | 1 << WIDTH, FIELD = PLACE | 1 << PLUS, FIXED = PLACE | 1 << VALUE };

// Walks through a list.
static enum anl_status
read_list(struct reading *reading, const yaml_node_t *node, const char *name, uint32_t most,
          enum anl_status (*read)(struct reading *, const yaml_node_t *, const char *, void *),
          void *user)
{
    enum anl_status status = ANL_OK;
    uint32_t count = 0;
    if (node->type != YAML_SEQUENCE_NODE)
        REFUSE(reading, node, "%s: found '%.60s', expected a list", name, tree_text(node));
    for (const yaml_node_item_t *item = node->data.sequence.items.start;
         !status && item < node->data.sequence.items.top; item++) {
        if (count++ == most)
            REFUSE(reading, node, "%s: found more than %" PRIu32 " entries", name, most);
        status = read(reading, tree_node(&reading->tree, *item), name, user);
    }
    return status;
}

// --- keys ---

static enum anl_status read_style(struct reading *reading, const yaml_node_t *node, unsigned detail)
{
    (void)detail;
    reading->has_style = true;
    for (unsigned style = 0; style < ANL_NUM_STYLES; style++)
        if (strcmp(tree_text(node), anl_style_name(style)) == 0) {
            reading->made->style = style;
            return ANL_OK;
        }
    REFUSE(reading, node,
           "style: found '%.40s', expected credit, credit_pulse_shared, ready_valid, "
           "ready_valid_per_lane or stop_go",
           tree_text(node));
}

enum { NUMBER_WIDTH, NUMBER_SLOTS, NUMBER_COLUMNS };

static enum anl_status read_size(struct reading *reading, const yaml_node_t *node, unsigned detail)
{
    static const struct {
        const char *name;
        int64_t most;
    } sizes[] = {{"width", ANL_MAX_WIRES}, {"slots", 65535}, {"columns", 65535}};
    int64_t value = 0;
    const enum anl_status status =
        read_number(reading, node, sizes[detail].name, 1, sizes[detail].most, &value);
    if (detail == NUMBER_WIDTH) reading->made->width = (uint32_t)value, reading->has_width = true;
    if (detail == NUMBER_SLOTS) reading->made->slots = (uint32_t)value;
    if (detail == NUMBER_COLUMNS) reading->made->columns = (uint32_t)value;
    return status;
}

static enum anl_status read_credits(struct reading *reading, const yaml_node_t *node,
                                    unsigned detail)
{
    (void)detail;
    reading->made->credits_of_lanes = strcmp(tree_text(node), "lane") == 0;
    if (!reading->made->credits_of_lanes && strcmp(tree_text(node), "switch") != 0)
        REFUSE(reading, node, "credits: found '%.40s', expected switch or lane", tree_text(node));
    return ANL_OK;
}

static enum anl_status read_queues(struct reading *reading, const yaml_node_t *node,
                                   unsigned detail)
{
    (void)detail;
    reading->made->output_queues = strcmp(tree_text(node), "outputs") == 0;
    if (!reading->made->output_queues && strcmp(tree_text(node), "inputs") != 0)
        REFUSE(reading, node, "queues: found '%.40s', expected inputs or outputs", tree_text(node));
    return ANL_OK;
}

static enum anl_status claim_ends(struct reading *reading, const yaml_node_t *node,
                                  enum anl_worm_ends ends)
{
    if (reading->has_ends) REFUSE(reading, node, "found marks and type, expected one of them");
    reading->has_ends = true;
    reading->made->ends = ends;
    return ANL_OK;
}

static enum anl_status read_marks(struct reading *reading, const yaml_node_t *node, unsigned detail)
{
    struct parts parts;
    int64_t head = 0, tail = 0;
    (void)detail;
    enum anl_status status = claim_ends(reading, node, ANL_ENDS_MARKS);
    if (!status) status = read_parts(reading, node, "marks", 1 << HEADS | 1 << TAILS, &parts);
    if (status) return status;
    if (!parts.nodes[HEADS] || !parts.nodes[TAILS])
        REFUSE(reading, node, "marks: expected head and tail");
    status = read_number(reading, parts.nodes[HEADS], "head", 0, ANL_MAX_WIRES - 1, &head);
    if (!status)
        status = read_number(reading, parts.nodes[TAILS], "tail", 0, ANL_MAX_WIRES - 1, &tail);
    reading->made->head_mark = (uint16_t)head;
    reading->made->tail_mark = (uint16_t)tail;
    return status;
}

static enum anl_status add_type(struct reading *reading, const yaml_node_t *node, const char *name,
                                void *user)
{
    int64_t value = 0;
    const enum anl_status status = read_number(reading, node, name, 0, 63, &value);
    if (!status) *(uint64_t *)user |= UINT64_C(1) << value;
    return status;
}

static enum anl_status read_type(struct reading *reading, const yaml_node_t *node, unsigned detail)
{
    struct anl_link_description *made = reading->made;
    struct parts parts;
    (void)detail;
    enum anl_status status = claim_ends(reading, node, ANL_ENDS_TYPE);
    if (!status)
        status = read_parts(reading, node, "type", PLACE | 1 << HEADS | 1 << TAILS, &parts);
    if (!status) status = take_bits(reading, node, "type", &parts, 6, &made->type);
    if (status) return status;
    if (!parts.nodes[HEADS] || !parts.nodes[TAILS])
        REFUSE(reading, node, "type: expected head and tail, lists of values");
    status = read_list(reading, parts.nodes[HEADS], "head", 64, add_type, &made->type_head);
    if (!status)
        status = read_list(reading, parts.nodes[TAILS], "tail", 64, add_type, &made->type_tail);
    const unsigned values = 1u << made->type.width;
    if (!status && values < 64 && (made->type_head | made->type_tail) >> values)
        REFUSE(reading, node, "type: found a value above %u, expected 0 .. %u", values - 1,
               values - 1);
    return status;
}

static enum anl_status read_field(struct reading *reading, const yaml_node_t *node, unsigned detail)
{
    return read_bits(reading, node, field_names[detail], FIELD, &reading->made->fields[detail]);
}

static enum anl_status read_head(struct reading *reading, const yaml_node_t *node, unsigned detail)
{
    struct key keys[ANL_NUM_HEAD_FIELDS];
    (void)detail;
    for (unsigned field = 0; field < ANL_NUM_HEAD_FIELDS; field++)
        keys[field] = (struct key){field_names[field], read_field, field};
    reading->made->line = tree_line(node);
    return read_keys(reading, node, "head", keys, ANL_NUM_HEAD_FIELDS);
}

static enum anl_status read_lane(struct reading *reading, const yaml_node_t *node, unsigned detail)
{
    (void)detail;
    return read_bits(reading, node, "lane", PLACE, &reading->made->lane);
}

static enum anl_status add_fixed(struct reading *reading, const yaml_node_t *node, const char *name,
                                 struct anl_fixed_bits *fixed)
{
    struct parts parts;
    int64_t value = 0;
    enum anl_status status = read_parts(reading, node, name, FIXED, &parts);
    if (!status) status = take_bits(reading, node, name, &parts, 32, &fixed->bits);
    if (status) return status;
    if (!parts.nodes[VALUE]) REFUSE(reading, node, "%s: expected a value", name);
    status = read_number(reading, parts.nodes[VALUE], "value", 0,
                         (INT64_C(1) << fixed->bits.width) - 1, &value);
    fixed->value = (uint32_t)value;
    return status;
}

static enum anl_status add_always(struct reading *reading, const yaml_node_t *node,
                                  const char *name, void *user)
{
    struct anl_link_description *made = reading->made;
    (void)user;
    return add_fixed(reading, node, name, &made->always[made->num_always++]);
}

static enum anl_status add_head_always(struct reading *reading, const yaml_node_t *node,
                                       const char *name, void *user)
{
    struct anl_link_description *made = reading->made;
    (void)user;
    return add_fixed(reading, node, name, &made->head_always[made->num_head_always++]);
}

static enum anl_status add_change(struct reading *reading, const yaml_node_t *node,
                                  const char *name, void *user)
{
    struct anl_link_description *made = reading->made;
    (void)user;
    return read_bits(reading, node, name, PLACE, &made->changes[made->num_changes++]);
}

static enum anl_status add_ignored(struct reading *reading, const yaml_node_t *node,
                                   const char *name, void *user)
{
    (void)user;
    for (unsigned rule = ANL_LINK_SENT_AT_STOP; rule <= ANL_LINK_BAD_MARKS; rule++)
        if (strcmp(tree_text(node), anl_link_rule_name(rule)) == 0) {
            reading->made->ignored |= 1u << rule;
            return ANL_OK;
        }
    REFUSE(reading, node,
           "%s: found '%.40s', expected sent_at_stop, withdrawn, changed, lane_shared or bad_marks",
           name, tree_text(node));
}

enum { LIST_ALWAYS, LIST_HEAD_ALWAYS, LIST_CHANGES, LIST_IGNORE };

static enum anl_status read_some(struct reading *reading, const yaml_node_t *node, unsigned detail)
{
    static const struct {
        const char *name;
        enum anl_status (*add)(struct reading *, const yaml_node_t *, const char *, void *);
    } lists[] = {{"always", add_always},
                 {"head_always", add_head_always},
                 {"changes", add_change},
                 {"ignore", add_ignored}};
    return read_list(reading, node, lists[detail].name, ANL_MAX_FIXED, lists[detail].add, NULL);
}

static const struct key keys[] = {
    {"style", read_style, 0},
    {"width", read_size, NUMBER_WIDTH},
    {"slots", read_size, NUMBER_SLOTS},
    {"columns", read_size, NUMBER_COLUMNS},
    {"credits", read_credits, 0},
    {"queues", read_queues, 0},
    {"marks", read_marks, 0},
    {"type", read_type, 0},
    {"head", read_head, 0},
    {"lane", read_lane, 0},
    {"always", read_some, LIST_ALWAYS},
    {"head_always", read_some, LIST_HEAD_ALWAYS},
    {"changes", read_some, LIST_CHANGES},
    {"ignore", read_some, LIST_IGNORE},
};

// --- the file ---

static bool is_inside(const struct reading *reading, struct anl_bits bits)
{
    return bits.at + bits.width <= reading->made->width;
}

// Returns the name of wires that the flit has not; NULL: it has all.
static const char *outside(const struct reading *reading)
{
    const struct anl_link_description *made = reading->made;
    for (unsigned field = 0; field < ANL_NUM_HEAD_FIELDS; field++)
        if (!is_inside(reading, made->fields[field])) return field_names[field];
    for (uint32_t i = 0; i < made->num_always; i++)
        if (!is_inside(reading, made->always[i].bits)) return "always";
    for (uint32_t i = 0; i < made->num_head_always; i++)
        if (!is_inside(reading, made->head_always[i].bits)) return "head_always";
    for (uint32_t i = 0; i < made->num_changes; i++)
        if (!is_inside(reading, made->changes[i])) return "changes";
    if (!is_inside(reading, made->lane)) return "lane";
    if (!is_inside(reading, made->type)) return "type";
    const bool marks = made->ends == ANL_ENDS_MARKS;
    return marks && (made->head_mark >= made->width || made->tail_mark >= made->width) ? "marks"
                                                                                       : NULL;
}

// Claims wires. Returns false if another field has one of them.
static bool claim(uint32_t *taken, struct anl_bits bits)
{
    bool free_ = true;
    for (uint32_t bit = bits.at; bit < (uint32_t)bits.at + bits.width; bit++) {
        free_ = free_ && !(taken[bit / 32] >> bit % 32 & 1);
        taken[bit / 32] |= 1u << bit % 32;
    }
    return free_;
}

// Returns the name of a field that shares wires with one before it; NULL: none does.
static const char *overlapping(const struct anl_link_description *made)
{
    uint32_t taken[ANL_WIRE_WORDS] = {0};
    for (unsigned field = 0; field < ANL_NUM_HEAD_FIELDS; field++)
        if (!claim(taken, made->fields[field])) return field_names[field];
    for (uint32_t i = 0; i < made->num_head_always; i++)
        if (!claim(taken, made->head_always[i].bits)) return "head_always";
    for (uint32_t i = 0; i < made->num_always; i++)
        if (!claim(taken, made->always[i].bits)) return "always";
    if (!claim(taken, made->lane)) return "lane";
    if (!claim(taken, made->type)) return "type";
    const struct anl_bits head = {made->head_mark, 1, 0}, tail = {made->tail_mark, 1, 0};
    return made->ends == ANL_ENDS_MARKS && (!claim(taken, head) || !claim(taken, tail)) ? "marks"
                                                                                        : NULL;
}

static enum anl_status settle(struct reading *reading, const yaml_node_t *root)
{
    struct anl_link_description *made = reading->made;
    if (!reading->has_style || !reading->has_width)
        REFUSE(reading, root, "found no %s, expected style and width",
               reading->has_style ? "width" : "style");
    if (!reading->has_ends) made->ends = ANL_ENDS_LENGTH;
    if (!made->line) made->line = tree_line(root);
    const char *name = outside(reading);
    if (name)
        REFUSE(reading, root, "%s: found wires above the width, expected wires 0 .. %" PRIu32, name,
               made->width - 1);
    const bool number = made->fields[ANL_FIELD_DESTINATION].width;
    const bool coordinates = made->fields[ANL_FIELD_X].width || made->fields[ANL_FIELD_Y].width;
    if (number && coordinates)
        REFUSE(reading, root,
               "head: found both destination and x or y, expected destination, or x and y");
    name = overlapping(made);
    if (name)
        REFUSE(reading, root, "%s: found wires that another field has, expected wires of its own",
               name);
    return ANL_OK;
}

static enum anl_status read_root(void *user, const yaml_node_t *root)
{
    struct reading *reading = user;
    if (!root) TREE_REFUSE(&reading->tree, 1, "found nothing, expected the description of a link");
    const enum anl_status status =
        read_keys(reading, root, "the file", keys, sizeof keys / sizeof *keys);
    return status ? status : settle(reading, root);
}

enum anl_status anl_link_load(const char *path, struct anl_link_description *description,
                              struct anl_error *error)
{
    struct reading reading = {.tree = {.path = path, .error = error}, .made = description};
    *description = (struct anl_link_description){0};
    return tree_read(&reading.tree, read_root, &reading);
}

// Returns whether wires can say each number below count.
static bool can_count(struct anl_bits bits, uint32_t count)
{
    return bits.width >= 32 || count <= UINT32_C(1) << bits.width;
}

// Returns the name of a field that is missing or too narrow for a network; NULL: all do.
static const char *narrow(const struct anl_link_description *description,
                          const struct anl_config *config)
{
    const struct anl_bits *fields = description->fields;
    const bool cube = anl_is_k_ary_cube(config->topology);
    if (description->lane.width && !can_count(description->lane, config->num_vcs)) return "lane";
    if (fields[ANL_FIELD_DESTINATION].width)
        return can_count(fields[ANL_FIELD_DESTINATION], anl_shape_of(config).terminals)
                   ? NULL
                   : "destination";
    const uint32_t columns = description->columns ? description->columns : config->k;
    if (!can_count(fields[ANL_FIELD_X], columns)) return "x";
    if (cube && config->n > 1 && !can_count(fields[ANL_FIELD_Y], columns)) return "y";
    if (cube && config->n > 2 && !can_count(fields[ANL_FIELD_Z], columns)) return "z";
    return cube && config->n > 3 ? "destination" : NULL;
}

enum anl_status anl_link_fit(const struct anl_link_description *description,
                             const struct anl_config *config, const char *path,
                             struct anl_error *error)
{
    const char *name;
    const struct anl_bits *fields = description->fields;
    const bool coordinates = !fields[ANL_FIELD_DESTINATION].width;
    if (coordinates && !fields[ANL_FIELD_X].width && !fields[ANL_FIELD_Y].width)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, description->line,
                        "head: found no destination, expected destination, or x and y");
    if (coordinates && !anl_is_k_ary_cube(config->topology) && !description->columns)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "found x and y without columns, which a network other than a k-ary n-cube "
                        "needs");
    if (description->columns && anl_is_k_ary_cube(config->topology))
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "columns: found %" PRIu32 ", expected none, since a k-ary n-cube has its k",
                        description->columns);
    if ((name = narrow(description, config)))
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "%s: found none, or one that is too narrow for the network; expected as "
                        "many wires as its numbers need",
                        name);
    return ANL_OK;
}
