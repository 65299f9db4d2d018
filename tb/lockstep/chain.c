// SPDX-License-Identifier: Apache-2.0

#include "chain.h"

enum { LINES_AT_MOST = 16, NAME_BYTES = 64 };

static const struct anl_lane_state *lane_at(const struct network_view *view, uint32_t switch_,
                                            uint32_t port, uint32_t vc)
{
    const struct history *history = view->history;
    size_t number = (size_t)switch_ * history->shape.ports + port;
    return &view->state->lanes[number * history->config->num_vcs + vc];
}

// The flit at the front of an input lane; NULL: empty.
static const struct passage *front_of(const struct network_view *view, struct chain_lane lane)
{
    const struct history *history = view->history;
    uint32_t link = history->into[lane.switch_ * history->shape.ports + lane.port];
    uint32_t count = lane_at(view, lane.switch_, lane.port, lane.vc)->count;
    return link == UINT32_MAX ? NULL : history_last(history, link, lane.vc, count);
}

bool chain_find_worm(const struct network_view *view, uint32_t switch_, uint32_t worm,
                     struct chain_lane *lane)
{
    for (uint32_t port = 0; port < view->history->shape.ports; port++) {
        for (uint32_t vc = 0; vc < view->history->config->num_vcs; vc++) {
            *lane = (struct chain_lane){switch_, port, vc};
            const struct passage *front = front_of(view, *lane);
            if (front && front->worm == worm) return true;
        }
    }
    return false;
}

bool chain_find_oldest(const struct network_view *view, struct chain_lane *lane)
{
    const struct anl_shape *shape = &view->history->shape;
    uint32_t num_vcs = view->history->config->num_vcs;
    uint32_t lanes = shape->switches * shape->ports * num_vcs;
    uint64_t oldest = UINT64_MAX;
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t port = i / num_vcs;
        struct chain_lane at = {port / shape->ports, port % shape->ports, i % num_vcs};
        const struct passage *front = front_of(view, at);
        if (!front || front->cycle >= oldest) continue;
        oldest = front->cycle;
        *lane = at;
    }
    return oldest != UINT64_MAX;
}

// What the front flit of a lane wants, and why it may not get it.
struct want {
    uint32_t port, vc;  // output lane
    const char *why;
    bool owned;  // by another worm: owner is the lane to look at next
    struct chain_lane owner;
    bool full;    // no credit: the lane at the end of the link is the one to look at next
    bool choice;  // another lane of the route would do as well
};

static uint32_t need_of(const struct anl_config *config, const struct anl_worm *worm)
{
    return config->admission == ANL_WORMHOLE ? 1 : worm->length;
}

static struct want want_of_body(const struct network_view *view, struct chain_lane lane)
{
    const struct anl_lane_state *in = lane_at(view, lane.switch_, lane.port, lane.vc);
    struct want want = {.port = in->bound_port, .vc = in->bound_vc};
    want.full = lane_at(view, lane.switch_, want.port, want.vc)->credit == 0;
    want.why = want.full ? "no credit" : "can move";
    return want;
}

static struct want want_of_head(const struct network_view *view, struct chain_lane lane,
                                const struct anl_worm *worm)
{
    const struct anl_config *config = view->history->config;
    struct anl_route route = anl_route_at(config, lane.switch_, worm->destination);
    struct want want = {
        .port = route.port, .vc = ANL_MAX_VCS, .choice = (route.vcs & (route.vcs - 1)) != 0};
    for (uint32_t vc = 0; vc < config->num_vcs; vc++) {
        const struct anl_lane_state *out = lane_at(view, lane.switch_, route.port, vc);
        if (!(route.vcs >> vc & 1)) continue;
        bool short_of_credit = !out->owned && out->credit < need_of(config, worm);
        if (!out->owned && !short_of_credit)
            return (struct want){.port = route.port, .vc = vc, .why = "can move"};
        if (want.vc != ANL_MAX_VCS) continue;
        want.vc = vc;
        want.owned = out->owned;
        want.full = short_of_credit;
        want.owner = (struct chain_lane){lane.switch_, out->owner_port, out->owner_vc};
        want.why = out->owned ? "owned by the next" : "too few credits";
    }
    return want;
}

// The lane that the front of this one waits for; false: it waits for none.
static bool next_of(const struct network_view *view, struct chain_lane lane,
                    const struct want *want, struct chain_lane *next)
{
    if (want->owned) {
        *next = want->owner;
        return true;
    }
    if (!want->full) return false;
    struct anl_end end = anl_link_end(view->history->config, lane.switch_, want->port);
    *next = (struct chain_lane){end.node, end.port, want->vc};
    return end.exists && !end.is_terminal;
}

static void print_lane(FILE *out, const struct network_view *view, struct chain_lane lane,
                       const struct passage *front, const struct want *want)
{
    const struct history *history = view->history;
    uint32_t ports = history->shape.ports;
    char in[NAME_BYTES], to[NAME_BYTES];
    anl_link_name(history->config, lane.switch_ * ports + lane.port, in, sizeof in);
    anl_link_name(history->config, lane.switch_ * ports + want->port, to, sizeof to);
    fprintf(out, "worm %u flit %u in %s lane %u since cycle %llu, wants %s lane %u: %s\n",
            front->worm, front->index, in, lane.vc, (unsigned long long)front->cycle + 1, to,
            want->vc, want->why);
}

// A lane that a worm holds but that is empty for now: its next flit is further back.
static void print_empty(FILE *out, const struct network_view *view, struct chain_lane lane)
{
    char in[NAME_BYTES];
    anl_link_name(view->history->config, lane.switch_ * view->history->shape.ports + lane.port, in,
                  sizeof in);
    fprintf(out, "%s lane %u is empty: the worm's next flit is on its way\n", in, lane.vc);
}

static bool same_lane(struct chain_lane a, struct chain_lane b)
{
    return a.switch_ == b.switch_ && a.port == b.port && a.vc == b.vc;
}

// Position of lane among the visited ones, or count.
static int find_visited(const struct chain_lane *visited, int count, struct chain_lane lane)
{
    int i = 0;
    while (i < count && !same_lane(visited[i], lane))
        i++;
    return i;
}

// A circle is a deadlock if none in it has another lane to wait for.
static void print_circle(FILE *out, const bool *choice, int first, int count)
{
    bool certain = true;
    for (int i = first; i < count; i++)
        certain = certain && !choice[i];
    fprintf(out, "            which is line %d again: a circle%s\n", first + 1,
            certain ? ", deadlock" : ", unless another lane of a route comes free");
}

void chain_print(FILE *out, const struct network_view *view, struct chain_lane lane)
{
    struct chain_lane visited[LINES_AT_MOST];
    bool choice[LINES_AT_MOST];
    for (int line = 0; line < LINES_AT_MOST; line++) {
        fputs(line == 0 ? "  waits     " : "            ", out);
        visited[line] = lane;
        const struct passage *front = front_of(view, lane);
        if (!front) {
            print_empty(out, view, lane);
            return;
        }
        const struct anl_worm *worm = &view->worms->worm[front->worm].worm;
        struct want want = lane_at(view, lane.switch_, lane.port, lane.vc)->bound
                               ? want_of_body(view, lane)
                               : want_of_head(view, lane, worm);
        choice[line] = want.choice;
        print_lane(out, view, lane, front, &want);
        if (!next_of(view, lane, &want, &lane)) return;
        const int first = find_visited(visited, line + 1, lane);
        if (first <= line) {
            print_circle(out, choice, first, line + 1);
            return;
        }
    }
    fprintf(out, "            …\n");
}
