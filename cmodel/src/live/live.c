// SPDX-License-Identifier: Apache-2.0
//
// The interface of a watch: it collects what crosses the links in a cycle, and at its end hands it
// to the referee, then to the trace, and then to the blocking analysis. So the trace ends with the
// last cycle in which no rule was broken, and all commands can read it.

#include "live.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- create, destroy ---

static enum anl_status refuse(const char *scenario, const char *what, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_ARGUMENT, scenario, 0, "%s cannot be watched in a simulation",
                    what);
}

enum anl_status anl_live_takes(const struct anl_config *config, const char *path,
                               struct anl_error *error)
{
    if (config->routing == ANL_SOURCE) return refuse(path, "routing source", error);
    if (config->routing == ANL_VALIANT) return refuse(path, "routing valiant", error);
    if (config->topology == ANL_BUTTERFLY && anl_num_passes(config) == 2)
        return refuse(path, "passes 2", error);
    if (config->routing == ANL_UP_DOWN_FIXED) return refuse(path, "routing up_down_fixed", error);
    if (!anl_has(config, ANL_TRAIT_WAITS)) return refuse(path, "a switch without buffers", error);
    if (config->link == ANL_WIDE) return refuse(path, "link wide", error);
    if (anl_link_cycles(config) > 1) return refuse(path, "link_cycles above 1", error);
    if (config->reply_queue) return refuse(path, "traffic.reply_queue", error);
    return ANL_OK;
}

static enum anl_status make_tables(struct anl_live *live)
{
    const struct anl_shape *shape = &live->shape;
    const size_t lanes = (size_t)shape->links * live->config->num_vcs;
    const size_t queues = (size_t)shape->terminals * anl_num_classes(live->config);
    const size_t ports = (size_t)shape->switches * shape->ports;
    live->queues = calloc(queues, sizeof *live->queues);
    live->lanes = calloc(lanes, sizeof *live->lanes);
    live->places = calloc(lanes * live->config->depth, sizeof *live->places);
    live->into = calloc(ports, sizeof *live->into);
    live->wires = calloc(shape->links, sizeof *live->wires);
    live->flits = calloc(shape->links, sizeof *live->flits);
    live->credits = calloc(shape->links, sizeof *live->credits);
    live->heard = calloc(shape->links, sizeof *live->heard);
    if (!live->queues || !live->lanes || !live->places || !live->into || !live->wires ||
        !live->flits || !live->credits || !live->heard)
        return ANL_ERR_MEMORY;
    for (size_t i = 0; i < lanes; i++)
        live->lanes[i].entering = live->lanes[i].last.worm = ANL_NOTHING;
    for (size_t i = 0; i < ports; i++)
        live->into[i] = ANL_NOTHING;
    for (uint32_t link = 0; link < shape->links; link++) {
        const struct anl_end end = anl_end_of(live->config, link);
        if (end.exists && !end.is_terminal) live->into[end.node * shape->ports + end.port] = link;
    }
    return ANL_OK;
}

static bool is_binary(const char *path)
{
    const size_t length = strlen(path), suffix = strlen(".anlt");
    return length >= suffix && strcasecmp(path + length - suffix, ".anlt") == 0;
}

static enum anl_status open_trace(struct anl_live *live, struct anl_error *error)
{
    const char *path = live->options.trace;
    if (!path || !*path) return ANL_OK;
    live->trace_path = strdup(path);
    if (!live->trace_path) return ANL_ERR_MEMORY;
    return anl_trace_create(path, is_binary(path) ? ANL_TRACE_BINARY : ANL_TRACE_TEXT,
                            live->scenario.run.seed, live->scenario.text, &live->trace, error);
}

// Takes the links of another style, if a file describes some.
static enum anl_status take_links(struct anl_live *live, struct anl_error *error)
{
    const char *path = live->options.links;
    const struct anl_link_description *description = &live->description;
    live->width = live->config->flit_width_bits;
    live->judges_credits = !live->options.no_credits;
    if (path && *path) {
        enum anl_status status = anl_link_load(path, &live->description, error);
        if (!status) status = anl_link_fit(description, live->config, path, error);
        if (status) return status;
        live->width = description->width;
        live->judges_credits = live->judges_credits && !description->credits_of_lanes &&
                               anl_style_has_credits(description->style);
        status = anl_links_create(description, live->shape.links, live->config->num_vcs,
                                  anl_link_slots(description, live->config), &live->links);
        if (status) return status;
    }
    live->words = (live->width + 31) / 32;
    return ANL_OK;
}

static enum anl_status open_reports(struct anl_live *live, const char *scenario,
                                    struct anl_error *error)
{
    const char *path = live->options.report;
    live->scenario_path = strdup(scenario);
    if (!live->scenario_path) return ANL_ERR_MEMORY;
    if (!path || !*path) return ANL_OK;
    live->report_path = strdup(path);
    live->reports = anl_reports_create();
    if (!live->report_path || !live->reports) return ANL_ERR_MEMORY;
    return anl_reports_check(path, error);
}

static enum anl_status prepare(struct anl_live *live, const char *path, struct anl_error *error)
{
    const struct anl_live_options *options = &live->options;
    enum anl_status status =
        options->num_settings
            ? anl_scenario_load_with(path, options->settings, options->num_settings,
                                     &live->scenario, error)
            : anl_scenario_load(path, &live->scenario, error);
    if (status) return status;
    live->config = &live->scenario.network;
    live->shape = anl_shape_of(live->config);
    status = anl_live_takes(live->config, path, error);
    if (!status) status = take_links(live, error);
    if (!status) status = make_tables(live);
    if (!status) status = anl_referee_create(live->config, &live->referee);
    if (!status && live->description.output_queues) anl_referee_allow_overtaking(live->referee);
    if (!status) status = anl_blocking_create(live->config, NULL, &live->blocking);
    if (!status) status = open_reports(live, path, error);
    return status ? status : open_trace(live, error);
}

void anl_live_destroy(struct anl_live *live)
{
    if (!live) return;
    anl_trace_abandon(live->trace);
    anl_blocking_destroy(live->blocking);
    anl_referee_destroy(live->referee);
    anl_links_destroy(live->links);
    live_worms_free(live);
    free(live->queues);
    free(live->lanes);
    free(live->places);
    free(live->into);
    free(live->wires);
    free(live->flits);
    free(live->credits);
    free(live->heard);
    free(live->trace_path);
    free(live->scenario_path);
    free(live->report_path);
    anl_reports_destroy(live->reports);
    anl_scenario_free(&live->scenario);
    free(live);
}

enum anl_status anl_live_create(const char *scenario, const struct anl_live_options *options,
                                struct anl_live **live, struct anl_error *error)
{
    struct anl_error said = {0};
    *live = NULL;
    struct anl_live *made = calloc(1, sizeof *made);
    if (!made) return anl_fail(error, ANL_ERR_MEMORY, scenario, 0, "out of memory");
    made->options = *options;
    made->out = options->out ? options->out : stderr;
    const enum anl_status status = prepare(made, scenario, &said);
    made->fed = !made->description.output_queues;
    if (!status) {
        *live = made;
        return ANL_OK;
    }
    anl_live_destroy(made);
    if (!said.text[0]) anl_fail(&said, status, scenario, 0, "%s", anl_status_text(status));
    if (error) *error = said;
    return status;
}

// --- what is told in a cycle ---

void anl_live_worm(struct anl_live *live, uint32_t source, uint32_t destination, uint32_t length,
                   uint32_t class_)
{
    if (live->over) return;
    struct live_worm *worm = live_worm_create(live, source, destination, length, class_);
    if (worm) live_worm_announce(live, worm);
}

static bool take_wire(struct anl_live *live, uint32_t link, uint32_t vc)
{
    if (link >= live->shape.links || !anl_end_of(live->config, link).exists)
        return live_break(live, "bad_link", ANL_NOTHING, ANL_NOTHING,
                          "a flit crosses link %" PRIu32 ", which the network does not have", link);
    if (vc >= live->config->num_vcs)
        return live_break(live, "bad_link", link, ANL_NOTHING,
                          "a flit crosses lane %" PRIu32 ", but lanes are 0 to %" PRIu32, vc,
                          live->config->num_vcs - 1);
    if (live->wires[link].valid)
        return live_break(live, "link_busy", link, ANL_NOTHING,
                          "two flits are told to cross one link; does it have two probes?");
    return true;
}

// Takes a flit that crosses a link. Returns its wire, whose data are those of the flit; NULL: it
// cannot cross, which is found.
static struct live_wire *take_flit(struct anl_live *live, uint32_t link, struct live_wire what,
                                   const uint32_t *flit)
{
    if (!take_wire(live, link, what.vc)) return NULL;
    struct live_wire *wire = &live->wires[link];
    *wire = what;
    wire->valid = true;
    memcpy(wire->data, flit, live->words * sizeof *flit);
    live->num_wires++;
    live->heard[link] = LIVE_FLITS;
    return wire;
}

void anl_live_flit(struct anl_live *live, uint32_t link, uint32_t vc, const uint32_t *flit,
                   uint32_t length)
{
    const uint32_t width = live->width;
    if (live->over) return;
    const struct live_wire what = {.vc = vc,
                                   .length = length,
                                   .tail = flit[width / 32] >> width % 32 & 1,
                                   .head = flit[(width + 1) / 32] >> (width + 1) % 32 & 1};
    struct live_wire *wire = take_flit(live, link, what, flit);
    if (wire && width % 32) wire->data[live->words - 1] &= (UINT32_C(1) << width % 32) - 1;
}

void anl_live_credits(struct anl_live *live, uint32_t link, uint32_t lanes)
{
    if (live->over || !live->judges_credits || !lanes) return;
    if (link < live->shape.links && live->heard[link] == LIVE_NOTHING)
        live->heard[link] = LIVE_CREDITS;
    if (live->num_credits == live->shape.links)
        live_break(live, "misuse", ANL_NOTHING, ANL_NOTHING,
                   "credits of more links are told than the network has");
    else
        live->credits[live->num_credits++] = (struct anl_credits){link, lanes};
}

// Ends the watch at a rule of one link. The worm is the one that enters the lane.
static void break_link(struct anl_live *live, uint32_t link, enum anl_link_rule rule,
                       const struct anl_transfer *crossing)
{
    const uint32_t num_vcs = live->config->num_vcs;
    const size_t lane = (size_t)link * num_vcs + (crossing->vc < num_vcs ? crossing->vc : 0);
    live_break(live, anl_link_rule_name(rule), link, live->lanes[lane].entering, "%s",
               crossing->text);
}

static void take_crossing(struct anl_live *live, uint32_t link, const struct anl_transfer *crossing,
                          const uint32_t *flit, uint32_t length)
{
    const struct live_wire what = {
        .vc = crossing->vc, .head = crossing->head, .tail = crossing->tail, .length = length};
    struct live_wire *wire = take_flit(live, link, what, flit);
    if (wire) anl_link_mask(&live->description, wire->head, wire->data);
}

void anl_live_wires(struct anl_live *live, uint32_t link, const struct anl_wires *wires,
                    uint32_t length)
{
    struct anl_transfer crossing;
    if (live->over) return;
    if (!live->links || link >= live->shape.links) {
        live_break(live, "misuse", ANL_NOTHING, ANL_NOTHING,
                   "wires of link %" PRIu32 " are told, but %s", link,
                   live->links ? "the network does not have it" : "no file describes the links");
        return;
    }
    if (!anl_end_of(live->config, link).exists) {
        if (wires->valid)
            live_break(live, "bad_link", ANL_NOTHING, ANL_NOTHING,
                       "switch %" PRIu32 " offers a flit at port %" PRIu32 ", which has no link",
                       link / live->shape.ports, link % live->shape.ports);
        return;
    }
    const enum anl_link_rule rule = anl_links_take(live->links, link, wires, &crossing);
    if (rule != ANL_LINK_KEPT && !(live->description.ignored >> rule & 1)) {
        break_link(live, link, rule, &crossing);
        return;
    }
    if (crossing.crosses) take_crossing(live, link, &crossing, wires->flit, length);
    anl_live_credits(live, link, crossing.credits);
}

// --- the end of a cycle ---

static bool referee_allows(struct anl_live *live, size_t count)
{
    if (!live->judges_credits)
        return anl_referee_flits(live->referee, live->now, live->flits, count);
    return anl_referee_cycle(live->referee, live->now, live->flits, count, live->credits,
                             live->num_credits);
}

// The blocking analysis wants the worms of a terminal and class one after the other. A design that
// sends several at once, in several lanes, breaks no rule; then the analysis ends.
static void feed(struct anl_live *live, size_t count)
{
    struct anl_error error = {0};
    if (!live->fed) return;
    if (anl_blocking_feed_flits(live->blocking, live->now, live->flits, count, &error) == ANL_OK)
        return;
    live->fed = false;
    fprintf(live->out, "annelid: the blocking analysis ends: %s\n", error.text);
}

// A network is at rest when nothing has moved for so long that every credit must be back.
static void check_rest(struct anl_live *live)
{
    uint32_t link, vc;
    if (live->over || live->options.no_credits) return;
    if (live->quiet_cycles < anl_live_rest_cycles(live)) return;
    if (live->judges_credits && !anl_referee_rest(live->referee))
        live_break_rule(live);
    else if (live->links && !live->judges_credits && live->worms_created == live->worms_delivered &&
             !anl_links_rest(live->links, &link, &vc))
        live_break(live, anl_link_rule_name(ANL_LINK_LOST_CREDIT), link, ANL_NOTHING,
                   "nothing has moved for %" PRIu64 " cycles, and a credit of lane %" PRIu32
                   " is missing",
                   live->quiet_cycles, vc);
}

static void look_for_stall(struct anl_live *live)
{
    const uint64_t patience = live->options.patience_cycles;
    if (!patience || live->told_stall || live->stuck_cycles < patience) return;
    live->told_stall = true;
    live_tell_stall(live);
    check_rest(live);
}

static void look_for_blocking(struct anl_live *live, size_t count)
{
    const bool waits = live->worms_created > live->worms_delivered;
    live->quiet_cycles = count ? 0 : live->quiet_cycles + 1;
    live->stuck_cycles = count || !waits ? 0 : live->stuck_cycles + 1;
    if (count) live->told_stall = false;
    if (live->fed && !live->told_dead && anl_blocking_deadlocked(live->blocking) != UINT64_MAX)
        live_tell_deadlock(live);
    look_for_stall(live);
}

// Writes a cycle in which no rule was broken to the trace. The worms that were created in it come
// only now, so that a cycle that is not whole leaves nothing there.
static void trace_cycle(struct anl_live *live, size_t count)
{
    if (!live->trace) return;
    for (; live->worms_traced < live->worms_created; live->worms_traced++)
        anl_trace_worm(live->trace, &live_worm_find(live, (uint32_t)live->worms_traced)->worm);
    anl_trace_flits(live->trace, live->now, live->flits, count);
}

static void judge(struct anl_live *live)
{
    const size_t count = live_name_flits(live);
    live->num_flits = 0;
    if (live->over) return;
    if (!referee_allows(live, count)) {
        live_break_rule(live);
        return;
    }
    trace_cycle(live, count);
    live_move_flits(live, count);
    live->num_flits = count;
    feed(live, count);
    look_for_blocking(live, count);
}

static void forget_cycle(struct anl_live *live)
{
    for (uint32_t link = 0; live->num_wires && link < live->shape.links; link++)
        live->wires[link].valid = false;
    live->num_wires = live->num_credits = 0;
    live->hint[0] = '\0';
}

bool anl_live_cycle(struct anl_live *live)
{
    if (!live->over) judge(live);
    if (!live->over) {
        forget_cycle(live);
        live->now++;
    }
    const bool good = !live->found_now;
    live->found_now = false;
    return good;
}

// --- questions, end ---

const struct anl_finding *anl_live_finding(const struct anl_live *live)
{
    return live->finding.what[0] ? &live->finding : NULL;
}

const struct anl_blocking *anl_live_blocking(const struct anl_live *live) { return live->blocking; }

const struct anl_scenario *anl_live_scenario(const struct anl_live *live)
{
    return &live->scenario;
}

const struct anl_link_description *anl_live_links(const struct anl_live *live)
{
    return live->links ? &live->description : NULL;
}

uint64_t anl_live_now(const struct anl_live *live) { return live->now; }

uint64_t anl_live_quiet_cycles(const struct anl_live *live) { return live->quiet_cycles; }

uint64_t anl_live_stuck_cycles(const struct anl_live *live) { return live->stuck_cycles; }

uint64_t anl_live_rest_cycles(const struct anl_live *live)
{
    enum { CREDIT_CYCLES = 64 };
    return 4 * live->config->depth + CREDIT_CYCLES;
}

const struct anl_flit *anl_live_flits(const struct anl_live *live, size_t *count)
{
    *count = live->num_flits;
    return live->flits;
}

bool anl_live_was_used(const struct anl_live *live, uint32_t link, uint32_t vc)
{
    return live->lanes[(size_t)link * live->config->num_vcs + vc].last.worm != ANL_NOTHING;
}

void live_finish_trace(struct anl_live *live)
{
    struct anl_error error = {0};
    struct anl_trace_writer *trace = live->trace;
    live->trace = NULL;
    if (!trace || anl_trace_finish(trace, live->now, &error) == ANL_OK) return;
    free(live->trace_path);
    live->trace_path = NULL;
    live_lose_file(live, "no_trace", &error);
}

bool anl_live_end(struct anl_live *live)
{
    if (!live->ended) {
        live->ended = true;
        check_rest(live);
        live_finish_trace(live);
        live_tell_end(live);
        live->over = true;
    }
    return !anl_live_finding(live);
}
