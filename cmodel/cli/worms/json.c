// SPDX-License-Identifier: Apache-2.0
//
// Prints the blocking analysis as one JSON object, with all that the text says. docs/worms.md lists
// its keys. Functions return a new object; NULL means that there is no memory for it, and then
// jansson makes the object that would contain it NULL too.

#include "worms.h"

static json_t *worm_or_null(uint32_t worm)
{
    return worm == ANL_NOTHING ? json_null() : cli_integer(worm);
}

// Returns a cycle; null if it is UINT64_MAX, that is, has not come.
static json_t *cycle_or_null(uint64_t cycle)
{
    return cycle == UINT64_MAX ? json_null() : cli_integer(cycle);
}

static json_t *name(const struct name name) { return json_string(name.text); }

static json_t *waits(const uint64_t *cycles)
{
    json_t *object = json_object();
    for (enum anl_wait wait = 0; wait < ANL_WAITS; wait++)
        json_object_set_new(object, anl_wait_name(wait), cli_integer(cycles[wait]));
    return object;
}

// Adds the members of `more` to the object and frees `more`. Returns the object.
static json_t *with(json_t *object, json_t *more)
{
    json_object_update(object, more);
    json_decref(more);
    return object;
}

static json_t *worm_members(const struct anl_worm *worm)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "worm", cli_integer(worm->id), "source",
                     cli_integer(worm->source), "destination", cli_integer(worm->destination),
                     "length", cli_integer(worm->length), "created", cli_integer(worm->created));
}

// --- the run ---

static json_t *network_object(const struct anl_config *network)
{
    const struct anl_shape shape = anl_shape_of(network);
    const bool regular = network->topology < ANL_GRAPH;
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:s, s:s}", "topology",
        anl_topology_name(network->topology), regular ? "k" : "switches",
        cli_integer(regular ? network->k : shape.switches), regular ? "n" : "terminals",
        cli_integer(regular ? network->n : shape.terminals), "num_vcs",
        cli_integer(network->num_vcs), "depth", cli_integer(network->depth), "classes",
        cli_integer(anl_num_classes(network)), "stages", cli_integer(anl_stages(network)), "link",
        anl_link_kind_name(network->link), "routing", cli_routing_name(network).text, "arbiter",
        anl_arbiter_name(network->arbiter), "flow_control",
        anl_flow_control_name(network->flow_control), "credits",
        anl_credit_return_name(network->credits));
}

static json_t *run_members(const struct findings *findings)
{
    const struct analysed *analysed = &findings->analysed;
    const struct anl_blocking_totals *totals = &findings->totals;
    return json_pack(
        "{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "network",
        network_object(&analysed->scenario.network), "seed",
        cli_integer(analysed->scenario.run.seed), "cycles", cli_integer(analysed->cycles), "ended",
        analysed->ended, "last_move", cycle_or_null(findings->last_move), "created",
        cli_integer(totals->worms), "delivered", cli_integer(totals->delivered), "waiting",
        cli_integer(findings->waiting), "moving", cli_integer(findings->moving), "queued",
        cli_integer(findings->queued), "congestion", cli_integer(totals->congestion), "dilation",
        cli_integer(totals->dilation), "worm_cycles", waits(totals->cycles));
}

// --- the deadlock ---

// Returns the terminal between a worm and the one that holds it, with what stands in its lanes.
static json_t *terminal_or_null(const struct findings *findings,
                                const struct deadlocked_worm *deadlocked_worm)
{
    if (deadlocked_worm->terminal == ANL_NOTHING) return json_null();
    json_t *lanes = json_array();
    for (size_t i = 0; i < deadlocked_worm->num_lanes; i++) {
        const struct refused_lane *lane = &deadlocked_worm->lanes[i];
        json_array_append_new(lanes, json_pack("{s:o, s:o, s:o, s:o, s:s}", "buffer",
                                               name(name_of_buffer(findings, lane->buffer)),
                                               "flits", cli_integer(lane->at.flits), "worm",
                                               worm_or_null(lane->at.worm), "owner",
                                               worm_or_null(lane->at.owner), "text", lane->text));
    }
    return json_pack("{s:o, s:o}", "terminal", cli_integer(deadlocked_worm->terminal), "lanes",
                     lanes);
}

static json_t *deadlocked_worm_object(const struct findings *findings,
                                      const struct deadlocked_worm *deadlocked_worm)
{
    const bool has_head = deadlocked_worm->head.worm == deadlocked_worm->worm.id;
    json_t *holds = json_array();
    for (size_t i = 0; i < deadlocked_worm->num_holds; i++)
        json_array_append_new(holds,
                              json_pack("{s:o, s:o}", "buffer",
                                        name(name_of_buffer(findings, deadlocked_worm->holds[i])),
                                        "flits", cli_integer(deadlocked_worm->flits[i])));
    json_t *head = json_pack(
        "{s:o, s:o, s:o}", "buffer", name(name_of_buffer(findings, deadlocked_worm->head_buffer)),
        "since", cli_integer(deadlocked_worm->head.since), "wants",
        has_head ? name(name_of_wish(findings, &deadlocked_worm->head)) : json_null());
    return with(worm_members(&deadlocked_worm->worm),
                json_pack("{s:o, s:o, s:o, s:o}", "head", head, "holds", holds, "held_by",
                          worm_or_null(deadlocked_worm->held_by), "refused_by",
                          terminal_or_null(findings, deadlocked_worm)));
}

static json_t *deadlock_or_null(const struct findings *findings)
{
    const struct deadlock *deadlock = &findings->deadlock;
    if (deadlock->cycle == UINT64_MAX) return json_null();
    json_t *worms = json_array(), *dead = json_array();
    for (size_t i = 0; i < deadlock->count; i++)
        json_array_append_new(worms, deadlocked_worm_object(findings, &deadlock->circle[i]));
    for (size_t i = 0; i < deadlock->num_dead; i++)
        json_array_append_new(dead, cli_integer(deadlock->dead[i]));
    return json_pack("{s:o, s:o, s:o}", "cycle", cli_integer(deadlock->cycle), "worms", worms,
                     "dead", dead);
}

// Returns the links that carried most flits; null for the state in a cycle.
static json_t *busiest_or_null(const struct findings *findings)
{
    if (!findings->loads) return json_null();
    json_t *links = json_array();
    for (size_t i = 0; i < findings->num_loads && i < findings->question->top; i++)
        if (findings->loads[i].flits)
            json_array_append_new(links,
                                  json_pack("{s:o, s:o, s:o}", "link",
                                            name(name_of_link(findings, findings->loads[i].link)),
                                            "flits", cli_integer(findings->loads[i].flits), "worms",
                                            cli_integer(findings->loads[i].worms)));
    return links;
}

// --- stalls ---

static json_t *stall_members(const struct findings *findings, const struct anl_stall *stall)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "begin", cli_integer(stall->begin),
                     "end", cli_integer(stall->end), "cycles", cli_integer(stall_cycles(stall)),
                     "buffer", name(name_of_buffer(findings, stall->buffer)), "cause",
                     anl_wait_name(main_cause(stall)), "blocker", worm_or_null(stall->blocker),
                     "root_blocker", worm_or_null(stall->root_blocker), "waits",
                     waits(stall->cycles));
}

// Returns an object with the member "now", which says what holds the worm up in the last cycle; an
// empty object if the worm is not on its way.
static json_t *now_members(const struct findings *findings, uint32_t worm)
{
    struct anl_life life;
    if (!anl_blocking_life(findings->analysed.blocking, worm, &life)) return json_object();
    const struct hold_up hold_up = hold_up_of(findings, &life);
    return json_pack("{s:{s:s, s:o, s:o}}", "now", "wait", anl_wait_name(life.wait), "blocker",
                     worm_or_null(hold_up.blocker), "root_blocker",
                     worm_or_null(hold_up.root_blocker));
}

static json_t *waiters_array(const struct findings *findings)
{
    json_t *array = json_array();
    for (size_t i = 0; i < findings->waiters.count; i++) {
        const struct waiter *waiter = &findings->waiters.list[i];
        json_t *object = with(worm_members(&waiter->worm), stall_members(findings, &waiter->stall));
        with(object, json_pack("{s:o, s:o, s:o}", "delayed_most_by", worm_or_null(waiter->most.by),
                               "delayed_most_cycles", cli_integer(waiter->most.cycles), "waited",
                               cli_integer(waiter->waited)));
        if (findings->question->has_at) with(object, now_members(findings, waiter->worm.id));
        json_array_append_new(array, object);
    }
    return array;
}

// --- one worm ---

static json_t *path_array(const struct findings *findings, const struct worm_history *worm)
{
    json_t *array = json_array();
    for (size_t i = 0; i < worm->num_path; i++) {
        const struct crossing *crossing = &worm->path[i];
        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o}", "link",
                                               name(name_of_link(findings, crossing->link)), "lane",
                                               cli_integer(crossing->vc), "head",
                                               cli_integer(crossing->head), "tail",
                                               cycle_or_null(crossing->tail)));
    }
    return array;
}

static json_t *life_object(const struct findings *findings)
{
    const struct worm_history *worm = &findings->worm;
    const struct anl_life *life = &worm->life;
    json_t *stalls = json_array(), *delays = json_array();
    for (size_t i = 0; i < worm->stalls.count; i++)
        json_array_append_new(stalls, stall_members(findings, &worm->stalls.list[i]));
    for (size_t i = 0; i < life->num_delays; i++)
        json_array_append_new(delays, json_pack("{s:o, s:o}", "by", cli_integer(worm->delays[i].by),
                                                "cycles", cli_integer(worm->delays[i].cycles)));
    return with(worm_members(&life->worm),
                json_pack("{s:o, s:o, s:s, s:o, s:b, s:o, s:o, s:o, s:o}", "injected",
                          cycle_or_null(life->injected), "delivered",
                          cycle_or_null(life->delivered), "wait", anl_wait_name(life->wait),
                          "buffer", name(name_of_buffer(findings, life->buffer)), "dead",
                          is_dead(findings, life->worm.id), "cycles", waits(life->cycles), "path",
                          path_array(findings, worm), "stalls", stalls, "delays", delays));
}

// --- one cycle ---

static json_t *buffer_object(const struct findings *findings, uint32_t buffer)
{
    const struct anl_buffer now = anl_blocking_buffer(findings->analysed.blocking, buffer);
    char text[256];
    anl_blocking_text(findings->analysed.blocking, buffer, text, sizeof text);
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o}", "buffer", name(name_of_buffer(findings, buffer)), "flits",
        cli_integer(now.flits), "worm", worm_or_null(now.worm), "owner", worm_or_null(now.owner));
    if (now.worm != ANL_NOTHING)
        with(object, json_pack("{s:o, s:o, s:s}", "index", cli_integer(now.index), "since",
                               cli_integer(now.since), "wait", anl_wait_name(now.wait)));
    json_object_set_new(object, "text", json_string(text));
    return object;
}

static json_t *state_members(const struct findings *findings)
{
    const struct anl_blocking *blocking = findings->analysed.blocking;
    const struct chain *chain = &findings->chain;
    const bool has_circle = chain->count && chain->back != SIZE_MAX;
    json_t *chained = json_array(), *buffers = json_array();
    for (size_t i = 0; i < chain->count; i++)
        json_array_append_new(chained, buffer_object(findings, chain->buffers[i]));
    for (uint32_t number = 0; number < anl_blocking_num_buffers(blocking); number++) {
        const struct anl_buffer buffer = anl_blocking_buffer(blocking, number);
        if (buffer.worm != ANL_NOTHING || buffer.owner != ANL_NOTHING)
            json_array_append_new(buffers, buffer_object(findings, number));
    }
    return json_pack("{s:o, s:{s:o, s:o, s:o}, s:o}", "at", cli_integer(findings->last), "chain",
                     "back", has_circle ? cli_integer(chain->back) : json_null(), "of",
                     worm_or_null(chain->count ? findings->chain_worm : ANL_NOTHING), "buffers",
                     chained, "buffers", buffers);
}

// --- meshes without buffers ---

static json_t *lost_array(const struct findings *findings)
{
    json_t *array = json_array();
    for (size_t i = 0; i < findings->num_lost; i++) {
        const struct lost_flit *lost = &findings->lost[i];
        json_array_append_new(
            array, json_pack("{s:o, s:o, s:o, s:o, s:o}", "worm", cli_integer(lost->worm), "index",
                             cli_integer(lost->index), "buffer",
                             name(name_of_buffer(findings, lost->buffer)), "link",
                             name(name_of_link(findings, lost->link)), "first_good_start",
                             cycle_or_null(first_good_start(findings, lost->worm))));
    }
    return array;
}

int worms_print_json(const struct findings *findings)
{
    json_t *object = run_members(findings);
    json_object_set_new(object, "deadlock", deadlock_or_null(findings));
    json_object_set_new(object, "busiest", busiest_or_null(findings));
    json_object_set_new(object, "longest", waiters_array(findings));
    if (worms_are_lost(findings)) json_object_set_new(object, "lost", lost_array(findings));
    if (findings->question->has_worm) json_object_set_new(object, "worm", life_object(findings));
    if (findings->question->has_at) with(object, state_members(findings));
    return cli_print_json(object);
}
