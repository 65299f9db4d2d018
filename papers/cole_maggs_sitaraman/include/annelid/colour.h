// SPDX-License-Identifier: Apache-2.0
//
// Colours for messages whose paths are known: of one colour, at most B messages cross any link, so
// messages of one colour never block each other where links have B lanes. The algorithms and bounds
// are those of Cole, Maggs and Sitaraman (2001); papers/cole_maggs_sitaraman/colour.md has the
// rules. Any list of paths will do, of any network: this room knows links by their numbers alone.

#ifndef ANNELID_COLOUR_H
#define ANNELID_COLOUR_H

#include <annelid/base.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- the paths of messages ---

// Message m crosses the links on[begin[m]] … on[begin[m + 1] - 1], in this order, none of them
// twice.
struct anl_link_paths {
    uint32_t messages, links;
    size_t *begin;  // [messages + 1]
    uint32_t *on;   // numbers of links, each less than links
};
// Frees the arrays and empties *paths, which may be empty.
void anl_link_paths_free(struct anl_link_paths *paths);

struct anl_link_measures {
    uint32_t congestion;  // C: messages over the link that most messages cross
    uint32_t dilation;    // D: links of the longest path
};
// Measures the paths. ANL_ERR_MEMORY.
enum anl_status anl_link_paths_measure(const struct anl_link_paths *paths,
                                       struct anl_link_measures *measures);

// --- bounds on the number of colours, vcs >= 1 ---

// Returns ceil(C / B), below which there is no colouring.
uint32_t anl_colour_lower(const struct anl_link_measures *measures, uint32_t vcs);
// Returns floor(D (C - 1) / B) + 1, which first fit never exceeds.
uint64_t anl_colour_first_fit_bound(const struct anl_link_measures *measures, uint32_t vcs);
// Returns the number of colours with which the proof of Theorem 2.1.6 does, its constants included;
// 1 if C <= B.
double anl_colour_theorem(const struct anl_link_measures *measures, uint32_t vcs);

// --- colourings ---

enum anl_colour_method { ANL_FIRST_FIT, ANL_MOSER_TARDOS, ANL_REFINEMENT };
// Returns "first_fit", …, or "?" if method is out of range.
const char *anl_colour_method_name(enum anl_colour_method method);

enum { ANL_COLOUR_MAX_VCS = 255 };

struct anl_colouring {
    uint32_t count;      // colours
    uint32_t *of;        // [messages] the colour of each, 0 … count - 1; freed by the caller
    uint64_t resamples;  // (link, colour) pairs whose messages drew colours anew; first fit: 0
    double drawn_from;   // colours from which messages drew, those that none drew included; first
                         // fit: count
};
// Frees the colours; there may be none.
void anl_colouring_free(struct anl_colouring *colouring);

struct anl_colour_options {
    enum anl_colour_method method;
    uint32_t vcs;        // B, 1..ANL_COLOUR_MAX_VCS
    uint32_t colours;    // Moser-Tardos: from how many messages draw; 0: the least that is found
    uint64_t seed;       // first fit draws nothing
    uint64_t resamples;  // that an attempt may take before it is given up
    // Is called from time to time; returning false gives up. May be NULL.
    bool (*go_on)(void *user);
    void *user;
};

// Colours the messages. Returns ANL_ERR_ARGUMENT if vcs is out of range; ANL_ERR_STALLED if the
// attempt took more than options->resamples or go_on gave up; ANL_ERR_MEMORY. The caller frees
// *colouring in any case. Equal arguments give equal colours.
enum anl_status anl_colour(const struct anl_link_paths *paths,
                           const struct anl_colour_options *options,
                           struct anl_colouring *colouring);

// A link that more than B messages of one colour cross.
struct anl_colour_fault {
    bool found;
    uint32_t link, colour, messages;
};
// Looks for the first one, by link and colour, and fills *fault. ANL_ERR_MEMORY.
enum anl_status anl_colour_check(const struct anl_link_paths *paths,
                                 const struct anl_colouring *colouring, uint32_t vcs,
                                 struct anl_colour_fault *fault);

// --- the release of the messages ---

// Writes to starts[count] the step in which the messages of each colour are released. Flit j of
// message m crosses link i of its path in step start + i + j if nothing is in its way. A colour
// starts in the first step in which its messages find all their links free of earlier colours and,
// unless compact, the colour before has left the network: `interval` steps after it, or `gap` more
// where a last link of that one is a first link of this one. lengths[messages] are in flits. Fills
// *release. ANL_ERR_MEMORY.
struct anl_release_rule {
    bool compact;
    uint64_t gap;  // steps that a lane stays taken after the last flit of a message: 1 for lanes of
                   // one flit on wide links, else 0
};
struct anl_release {
    uint64_t interval;  // L + D - 1: the most steps that a message takes
    uint64_t steps;     // until the last flit has crossed its last link
};
enum anl_status anl_colour_release(const struct anl_link_paths *paths,
                                   const struct anl_colouring *colouring, const uint16_t *lengths,
                                   const struct anl_release_rule *rule, uint64_t *starts,
                                   struct anl_release *release);

// --- instances: a network of switches with messages and their paths ---

struct anl_instance {
    uint32_t switches;
    uint32_t *from, *to;          // [paths.links] switches that a link leaves and enters
    struct anl_link_paths paths;  // no path is empty, and no switch is on it twice
};
// Frees what the instance holds; it may be empty.
void anl_instance_free(struct anl_instance *instance);

// The network on which every schedule is slow (Theorem 2.2.1). `distinct` paths are such that every
// vcs + 1 of them share a link, and every message is there `copies` times. The first `more`
// messages are there once more, behind all others, so that C is copies * (vcs + 1) + more.
struct anl_worst_case {
    uint32_t vcs;       // B >= 1
    uint32_t distinct;  // M' > B
    uint32_t copies;    // C / (B + 1) >= 1, rounded down
    bool interleaved;   // message i has path i % distinct; else path i / copies
    uint32_t more;      // C mod (B + 1), at most B
    uint32_t dilation;  // D; 0: no link is added at the ends of paths
};
// Returns the links of a path without added ones, 2 (M' - 1 over B) - 1; UINT32_MAX if there are
// too many.
uint32_t anl_worst_case_links(const struct anl_worst_case *how);
enum { ANL_WORST_MAX_LINKS = 1 << 20 };
// Makes one. Returns ANL_ERR_ARGUMENT, with an error, if values are out of range or there would be
// more than ANL_WORST_MAX_LINKS links on all paths; ANL_ERR_MEMORY. The caller frees *instance in
// any case.
enum anl_status anl_worst_case_make(const struct anl_worst_case *how, struct anl_instance *instance,
                                    struct anl_error *error);

// What an instance is as a scenario. Message m has a terminal of its own at its first switch, m,
// and shares one at its last switch with those that come by the same link, so that it waits for
// nobody outside of the links of its path.
struct anl_instance_scenario {
    uint32_t num_vcs, depth;
    const char *more;        // further keys of section switch, ", link: wide"; may be ""
    const char *messages;    // name of the message file
    uint16_t length;         // flits of each message
    const uint64_t *starts;  // [messages] when each is created; NULL: in cycle 0
    bool length_in_head;     // the flow control that `more` gives reads it
};
// Write the scenario, and the messages with their routes, in the order of their starts. Return
// ANL_ERR_ARGUMENT, with an error, if a switch would have more ports than there can be or the
// routes do not fit into a head; ANL_ERR_MEMORY.
enum anl_status anl_instance_write_scenario(FILE *stream, const struct anl_instance *instance,
                                            const struct anl_instance_scenario *how,
                                            struct anl_error *error);
enum anl_status anl_instance_write_messages(FILE *stream, const struct anl_instance *instance,
                                            const struct anl_instance_scenario *how,
                                            struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
