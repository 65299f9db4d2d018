// SPDX-License-Identifier: Apache-2.0
//
// The referee's interface: takes the records, keeps the time and writes the text of a violation.
// The rules are in rules.c.

#include "referee.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_VISITS = 256 };

// Returns the game of a kind that has a rule; NULL: the rule is one of lanes, or there is none.
static const struct referee_game *game_of(enum anl_rule rule)
{
    const struct anl_machine *machine =
        anl_machine_of((enum anl_switch_kind)(rule / ANL_RULES_OF_A_KIND));
    const bool known = machine && machine->referee;
    return known && rule % ANL_RULES_OF_A_KIND < machine->referee->num_rules ? machine->referee
                                                                             : NULL;
}

const char *anl_rule_name(enum anl_rule rule)
{
    static const char *const names[] = {
        [ANL_RULE_NONE] = "none",
        [ANL_RULE_UNKNOWN_WORM] = "unknown_worm",
        [ANL_RULE_BAD_LINK] = "bad_link",
        [ANL_RULE_LINK_BUSY] = "link_busy",
        [ANL_RULE_BROKEN_PATH] = "broken_path",
        [ANL_RULE_TOO_EARLY] = "too_early",
        [ANL_RULE_OUT_OF_ORDER] = "out_of_order",
        [ANL_RULE_BAD_MARKS] = "bad_marks",
        [ANL_RULE_LANE_SHARED] = "lane_shared",
        [ANL_RULE_SPLIT_WORM] = "split_worm",
        [ANL_RULE_OVERFLOW] = "overflow",
        [ANL_RULE_WRONG_CLASS] = "wrong_class",
        [ANL_RULE_ILLEGAL_ROUTE] = "illegal_route",
        [ANL_RULE_NOT_EMPTY] = "not_empty",
        [ANL_RULE_NOT_ADMITTED] = "not_admitted",
        [ANL_RULE_WRONG_TERMINAL] = "wrong_terminal",
        [ANL_RULE_UNDELIVERED] = "undelivered",
        [ANL_RULE_NO_CREDIT] = "no_credit",
        [ANL_RULE_EARLY_CREDIT] = "early_credit",
        [ANL_RULE_LOST_CREDIT] = "lost_credit",
        [ANL_RULE_BAD_REPLY] = "bad_reply",
        [ANL_RULE_WRONG_CYCLE] = "wrong_cycle",
    };
    const struct referee_game *game = game_of(rule);
    if (game) return game->name(rule % ANL_RULES_OF_A_KIND);
    return (size_t)rule < sizeof names / sizeof *names ? names[rule] : "?";
}

enum anl_rule anl_rule_named(const char *name)
{
    for (enum anl_rule rule = ANL_RULE_NONE + 1; rule <= ANL_RULE_LAST; rule++)
        if (strcmp(name, anl_rule_name(rule)) == 0) return rule;
    return ANL_RULE_NONE;
}

const char *anl_rule_text(enum anl_rule rule)
{
    static const char *const texts[] = {
        [ANL_RULE_NONE] = "no rule is broken",
        [ANL_RULE_UNKNOWN_WORM] = "a flit belongs to a worm that was not created or cannot exist",
        [ANL_RULE_BAD_LINK] = "the network has no such link or lane",
        [ANL_RULE_LINK_BUSY] = "two flits cross one link in one cycle",
        [ANL_RULE_BROKEN_PATH] = "a flit leaves a switch that it is not in",
        [ANL_RULE_TOO_EARLY] = "a flit leaves a lane in the cycle in which it entered it",
        [ANL_RULE_OUT_OF_ORDER] = "a flit of a worm is lost, repeated, made up or reordered",
        [ANL_RULE_BAD_MARKS] = "a head or tail mark is where none should be, or is missing",
        [ANL_RULE_LANE_SHARED] = "two worms interleave in one lane",
        [ANL_RULE_SPLIT_WORM] = "flits of one worm leave by different ports or lanes",
        [ANL_RULE_OVERFLOW] = "a lane holds more flits than it has slots",
        [ANL_RULE_WRONG_CLASS] = "a head takes a lane of another class than that of its worm",
        [ANL_RULE_ILLEGAL_ROUTE] = "a head goes where the routing does not lead it",
        [ANL_RULE_NOT_EMPTY] = "a head moves to an atomic lane that is not empty",
        [ANL_RULE_NOT_ADMITTED] = "a head moves before the flow_control lets it",
        [ANL_RULE_WRONG_TERMINAL] = "a worm arrives at a terminal that is not its destination",
        [ANL_RULE_UNDELIVERED] = "a worm has not arrived at the end of the run",
        [ANL_RULE_NO_CREDIT] = "a flit is sent to a lane for which its sender has no credit",
        [ANL_RULE_EARLY_CREDIT] = "a credit comes back before its flit has left, or twice",
        [ANL_RULE_LOST_CREDIT] = "a credit of a flit that has left its lane does not come back",
        [ANL_RULE_BAD_REPLY] = "a reply is created in another cycle than its request is taken",
        [ANL_RULE_WRONG_CYCLE] = "a worm is created in another cycle than what it waits for says",
    };
    const struct referee_game *game = game_of(rule);
    if (game) return game->words(rule % ANL_RULES_OF_A_KIND);
    return (size_t)rule < sizeof texts / sizeof *texts ? texts[rule] : "?";
}

// --- create, destroy ---

static void make_links(struct anl_referee *referee)
{
    const struct referee_shape *shape = &referee->shape;
    for (uint32_t i = 0; i < shape->links; i++) {
        struct referee_link *link = &referee->links[i];
        link->end = referee_link_end(shape, i);
        link->is_chained = referee_link_is_chained(shape, i);
        link->cycles = referee_link_cycles(shape, i);
        link->passage = referee_passage_cycles(shape, i);
        if (link->end < shape->switches) link->input = (uint8_t)referee_link_input(shape, i);
    }
}

static enum anl_status make_tables(struct anl_referee *referee, const struct anl_config *config)
{
    const enum anl_status status = referee_shape_init(&referee->shape, config);
    if (status) return status;

    const size_t links = referee->shape.links;
    referee->links = calloc(links, sizeof *referee->links);
    referee->lanes = calloc(links * config->num_vcs, sizeof *referee->lanes);
    referee->visits = calloc(FIRST_VISITS, sizeof *referee->visits);
    if (!referee->links || !referee->lanes || !referee->visits ||
        !referee_worms_init(&referee->worms))
        return ANL_ERR_MEMORY;

    make_links(referee);
    if (!referee_sinks_init(referee)) return ANL_ERR_MEMORY;
    referee->num_visits = FIRST_VISITS;
    for (uint32_t i = 1; i + 1 < FIRST_VISITS; i++)
        referee->visits[i].behind = i + 1;
    referee->free_visit = 1;
    return ANL_OK;
}

static enum anl_status make(struct anl_referee *referee, const struct anl_config *config)
{
    referee->game = anl_machine_of(config->kind)->referee;
    return referee->game ? referee->game->create(referee, config) : make_tables(referee, config);
}

enum anl_status anl_referee_create(const struct anl_config *config, struct anl_referee **referee)
{
    *referee = NULL;
    if (anl_config_check(config, NULL) != ANL_OK) return ANL_ERR_ARGUMENT;

    struct anl_referee *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    const enum anl_status status = make(made, config);
    if (status)
        anl_referee_destroy(made);
    else
        *referee = made;
    return status;
}

void anl_referee_destroy(struct anl_referee *referee)
{
    if (!referee) return;
    referee_shape_free(&referee->shape);
    referee_worms_free(&referee->worms);
    referee_sinks_free(referee);
    if (referee->game) referee->game->destroy(referee);
    free(referee->links);
    free(referee->lanes);
    free(referee->visits);
    free(referee->deliveries.times);
    free(referee);
}

bool referee_list_add(struct referee_list *list, const struct anl_flit *flit)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        struct anl_flit *flits = realloc(list->flits, room * sizeof *flits);
        if (!flits) return false;
        list->flits = flits;
        list->room = room;
    }
    list->flits[list->count++] = *flit;
    return true;
}

// --- violations ---

static bool is_stopped(const struct anl_referee *referee)
{
    return referee->violation.rule != ANL_RULE_NONE || referee->status != ANL_OK;
}

static size_t append(struct anl_violation *violation, size_t used, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static size_t append_list(struct anl_violation *violation, size_t used, const char *format,
                          va_list arguments)
{
    const size_t size = sizeof violation->text;
    if (used >= size) return size;
    const int written = vsnprintf(violation->text + used, size - used, format, arguments);
    return written < 0 ? used : used + (size_t)written;
}

static size_t append(struct anl_violation *violation, size_t used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    used = append_list(violation, used, format, arguments);
    va_end(arguments);
    return used;
}

void referee_blames(struct anl_violation *violation, uint32_t source, uint32_t destination,
                    uint32_t length)
{
    violation->has_worm = true;
    violation->source = source;
    violation->destination = destination;
    violation->length = length;
}

static size_t append_worm(struct anl_referee *referee, size_t used, uint32_t id)
{
    struct anl_violation *violation = &referee->violation;
    const struct referee_worm *worm = referee_worms_find(&referee->worms, id);
    used = append(violation, used, "worm %" PRIu32, id);
    if (!worm) return used;
    referee_blames(violation, worm->source, worm->destination, worm->length);
    return append(violation, used, " (%" PRIu32 "->%" PRIu32 ", %d %s)", worm->source,
                  worm->destination, worm->length, worm->length == 1 ? "flit" : "flits");
}

bool referee_breaks(struct anl_referee *referee, enum anl_rule rule, const struct anl_flit *flit,
                    const char *format, ...)
{
    struct anl_violation *violation = &referee->violation;
    char name[REFEREE_NAME_BYTES];
    va_list arguments;

    *violation = (struct anl_violation){
        .rule = rule, .cycle = referee->now - 1, .link = flit->link, .worm = flit->worm};
    violation->has_flit = true;
    violation->vc = flit->vc;
    violation->index = flit->index;
    referee_link_name(&referee->shape, flit->link, name);
    size_t used =
        append(violation, 0, "cycle %" PRIu64 ": flit %d of ", violation->cycle, flit->index);
    used = append_worm(referee, used, flit->worm);
    used = append(violation, used, " crosses %s lane %d, but ", name, flit->vc);
    va_start(arguments, format);
    append_list(violation, used, format, arguments);
    va_end(arguments);
    return false;
}

// --- records ---

// Returns how many flits a worm can have. Where its head carries the length, there are 7 bits for
// it (docs/link.md).
static uint32_t longest_worm(const struct anl_referee *referee)
{
    const struct anl_config *config = &referee->shape.config;
    const bool carried = config->flow_control == ANL_CUT_THROUGH ||
                         config->flow_control == ANL_STORE_AND_FORWARD ||
                         config->length_in_head == ANL_TRUE;
    return carried ? 127 : UINT16_MAX;
}

bool referee_refuses_worm(struct anl_referee *referee, const struct anl_worm *worm, uint32_t link,
                          const char *but)
{
    referee->violation = (struct anl_violation){
        .rule = ANL_RULE_UNKNOWN_WORM, .cycle = worm->created, .link = link, .worm = worm->id};
    referee_blames(&referee->violation, worm->source, worm->destination, worm->length);
    append(&referee->violation, 0,
           "cycle %" PRIu64 ": worm %" PRIu32 " (%" PRIu32 "->%" PRIu32
           ", %d flits) is created, but %s",
           worm->created, worm->id, worm->source, worm->destination, worm->length, but);
    return false;
}

// Refuses a worm that cannot exist; it counts as not created.
static bool refuse_worm(struct anl_referee *referee, const struct anl_worm *worm)
{
    struct anl_violation *violation = &referee->violation;
    const uint32_t injection = referee->shape.switches * referee->shape.ports;

    *violation = (struct anl_violation){.rule = ANL_RULE_UNKNOWN_WORM,
                                        .cycle = worm->created,
                                        .link = injection + worm->source,
                                        .worm = worm->id};
    referee_blames(violation, worm->source, worm->destination, worm->length);
    append(violation, 0,
           "cycle %" PRIu64 ": worm %" PRIu32 " (%" PRIu32 "->%" PRIu32
           ", %d flits) of class %d is created, "
           "but terminals are 0 to %" PRIu32 ", a worm has 1 to %" PRIu32
           " flits, classes are 0 to %" PRIu32 ", and numbers ascend",
           worm->created, worm->id, worm->source, worm->destination, worm->length, worm->class_,
           referee->shape.terminals - 1, longest_worm(referee), referee->shape.classes - 1);
    return false;
}

// Refuses a worm whose message gives it a way that it cannot go.
static bool refuse_way(struct anl_referee *referee, const struct anl_worm *worm)
{
    struct anl_violation *violation = &referee->violation;
    const uint32_t injection = referee->shape.switches * referee->shape.ports;

    *violation = (struct anl_violation){.rule = ANL_RULE_UNKNOWN_WORM,
                                        .cycle = worm->created,
                                        .link = injection + worm->source,
                                        .worm = worm->id};
    referee_blames(violation, worm->source, worm->destination, worm->length);
    const size_t used =
        append(violation, 0,
               "cycle %" PRIu64 ": worm %" PRIu32 " (%" PRIu32 "->%" PRIu32 ") is created, but ",
               worm->created, worm->id, worm->source, worm->destination);
    if (worm->has_path)
        append(violation, used, "its path is %" PRIu32 " of %" PRIu32, worm->path,
               referee_num_paths(&referee->shape));
    else
        append(violation, used,
               "its own route of %d ports does not lead to its destination, or passes a link twice",
               worm->route_length);
    return false;
}

bool anl_referee_worm(struct anl_referee *referee, const struct anl_worm *worm)
{
    const uint32_t terminals = referee->shape.terminals;
    if (is_stopped(referee)) return false;
    if (referee->game) return referee->game->worm(referee, worm);
    if (worm->source >= terminals || worm->destination >= terminals || worm->length == 0 ||
        worm->length > longest_worm(referee) || worm->class_ >= referee->shape.classes ||
        worm->id < referee->next_worm)
        return refuse_worm(referee, worm);
    if (!referee_way_exists(&referee->shape, worm)) return refuse_way(referee, worm);
    if (!referee_check_created(referee, worm)) return false;

    referee->next_worm = (uint64_t)worm->id + 1;
    if (!referee_worms_add(&referee->worms, worm)) referee->status = ANL_ERR_MEMORY;
    if (referee->status == ANL_OK) referee_sinks_announce(referee, worm);
    return referee->status == ANL_OK;
}

// Notes all flits of the cycle beforehand: a flit that enters a full chained lane may be checked
// before the one that leaves it.
static void note_tries(struct anl_referee *referee)
{
    for (size_t i = 0; i < referee->count; i++) {
        const struct anl_flit *flit = &referee->flits[i];
        if (flit->link >= referee->shape.links) continue;
        struct referee_link *link = &referee->links[flit->link];
        if (link->tried == referee->now) continue;  // the second flit on the link will be refused
        link->tried = referee->now;
        link->trier = flit->worm;
    }
}

static void note_leaving(struct anl_referee *referee)
{
    if (referee->shape.config.link == ANL_WIDE)
        referee_note_origins(referee);
    else
        note_tries(referee);
}

bool anl_referee_flits(struct anl_referee *referee, uint64_t cycle, const struct anl_flit *flits,
                       size_t count)
{
    if (is_stopped(referee)) return false;
    if (referee->game) return referee->game->flits(referee, cycle, flits, count);
    assert(cycle + 1 >= referee->now);
    if (!referee_check_sinks(referee, cycle + 1)) return false;

    referee->now = cycle + 1;
    referee->flits = flits;
    referee->count = count;
    if (referee->shape.config.credits == ANL_BYPASS) note_leaving(referee);
    for (size_t i = 0; i < count; i++)
        if (!referee_check_flit(referee, &flits[i])) return false;
    return true;
}

bool anl_referee_cycle(struct anl_referee *referee, uint64_t cycle, const struct anl_flit *flits,
                       size_t count, const struct anl_credits *credits, size_t num_credits)
{
    return anl_referee_flits(referee, cycle, flits, count) &&
           referee_check_credits(referee, credits, num_credits);
}

bool anl_referee_rest(struct anl_referee *referee)
{
    return !is_stopped(referee) && referee_check_rest(referee);
}

bool anl_referee_end(struct anl_referee *referee, uint64_t cycles, bool complete)
{
    if (is_stopped(referee)) return false;
    if (referee->game) return referee->game->end(referee, cycles, complete);
    if (!referee_check_sinks(referee, cycles)) return false;
    const struct referee_worm *worm = referee_worms_first(&referee->worms);
    if (!complete || !worm) return true;

    struct anl_violation *violation = &referee->violation;
    const uint32_t injection = referee->shape.switches * referee->shape.ports;
    const uint32_t at = worm->at ? referee->visits[worm->at].link : injection + worm->source;
    char name[REFEREE_NAME_BYTES];
    *violation = (struct anl_violation){
        .rule = ANL_RULE_UNDELIVERED, .cycle = cycles, .link = at, .worm = worm->id};
    referee_link_name(&referee->shape, at, name);
    size_t used = append(violation, 0, "cycle %" PRIu64 ": the run ends and ", cycles);
    used = append_worm(referee, used, worm->id);
    append(violation, used, " is not delivered: its head %s %s",
           worm->at ? "came as far as" : "has not crossed", name);
    return false;
}

const struct anl_violation *anl_referee_violation(const struct anl_referee *referee)
{
    return referee->violation.rule == ANL_RULE_NONE ? NULL : &referee->violation;
}

enum anl_status anl_referee_status(const struct anl_referee *referee) { return referee->status; }
