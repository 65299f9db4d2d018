// SPDX-License-Identifier: Apache-2.0
//
// The paths of a set of worms, and what the theory asks of them: congestion, dilation, a dependency
// graph without a cycle, no two paths that part and meet again. A channel is a lane of a link,
// link * num_vcs + vc.

#ifndef GREENBERG_OH_PATHS_H
#define GREENBERG_OH_PATHS_H

#include <annelid/network.h>
#include <stddef.h>

struct paths_hop {
    uint32_t worm, channel;
};

// Plain data; zero is not valid, paths_begin() makes it.
struct paths {
    uint32_t links, num_vcs;
    uint32_t worms;  // 1 + the highest number of a worm that has moved
    struct paths_hop *hops;
    size_t num_hops, size;
    // After paths_settle(): the channels of worm w, in their order, are channels[begin[w]] to
    // channels[begin[w + 1] - 1].
    size_t *begin;
    uint32_t *channels;
};

void paths_begin(struct paths *paths, const struct anl_config *config);
void paths_free(struct paths *paths);

// The head of worm takes channel. The hops of one worm come in their order. ANL_ERR_MEMORY.
enum anl_status paths_add(struct paths *paths, uint32_t worm, uint32_t channel);

// All hops of a worm that is alone in the network: where several lanes are as good, the lowest one.
// Where the routing leaves the choice between ports to the run, the first one. ANL_ERR_MEMORY.
enum anl_status paths_add_route(struct paths *paths, const struct anl_config *config,
                                const struct anl_worm *worm);

// Sorts the hops by worm; none can be added afterwards. ANL_ERR_MEMORY.
enum anl_status paths_settle(struct paths *paths);

// --- of settled paths ---

struct paths_measures {
    uint32_t congestion;  // c: worms over the link that most worms cross
    uint32_t dilation;    // d: links of the longest path
    uint32_t link;        // the first one with congestion worms
    double mean;          // worms over a link, mean over the links that are crossed
};
// ANL_ERR_MEMORY.
enum anl_status paths_measure(const struct paths *paths, struct paths_measures *measures);

// The dependency graph: from channel u to v if some path goes from u to v at once. *length
// receives the number of channels on a cycle of it, 0 if there is none; *cycle the channels in
// their order, to be freed with free(). ANL_ERR_MEMORY.
enum anl_status paths_find_cycle(const struct paths *paths, uint32_t **cycle, size_t *length);

// Two worms that share two links, and between them go different ways; reversed: the first worm
// takes part before meet, the second one meet before part.
struct paths_meeting {
    bool found, reversed;
    uint32_t worms[2], part, meet;  // links
};
// No two paths meet in more than one contiguous stretch of links, or here is where two do.
// ANL_ERR_MEMORY.
enum anl_status paths_find_meeting(const struct paths *paths, struct paths_meeting *meeting);

#endif
