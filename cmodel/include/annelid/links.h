// SPDX-License-Identifier: Apache-2.0
//
// Links of other people's switches: how flits cross them, what is forbidden on one link alone, and
// where in a flit the fields are. The rules and the file that describes a link: docs/link.md,
// "Links of other styles".

#ifndef ANNELID_LINKS_H
#define ANNELID_LINKS_H

#include <annelid/base.h>
#include <annelid/network.h>

#ifdef __cplusplus
extern "C" {
#endif

enum anl_link_style {
    ANL_STYLE_CREDIT,
    ANL_STYLE_CREDIT_PULSE_SHARED,
    ANL_STYLE_READY_VALID,
    ANL_STYLE_READY_VALID_PER_LANE,
    ANL_STYLE_STOP_GO,
    ANL_NUM_STYLES
};

// The rules of one link, with the numbers of docs/link.md. The watch finds lane_shared and
// bad_marks by the worms that it knows, so anl_links_take() never returns them.
enum anl_link_rule {
    ANL_LINK_BAD_LINK,
    ANL_LINK_NO_CREDIT,
    ANL_LINK_EARLY_CREDIT,
    ANL_LINK_SENT_AT_STOP,
    ANL_LINK_WITHDRAWN,
    ANL_LINK_CHANGED,
    ANL_LINK_LANE_SHARED,
    ANL_LINK_BAD_MARKS,
    ANL_LINK_LOST_CREDIT,
    ANL_NUM_LINK_RULES,
    ANL_LINK_KEPT = ANL_NUM_LINK_RULES  // no rule is broken
};

// The wires of a flit, marks included: the widest flit of ours with its marks.
enum { ANL_MAX_WIRES = 514, ANL_WIRE_WORDS = (ANL_MAX_WIRES + 31) / 32 };

// Neighbouring wires of a flit. The value meant is that of the wires plus `plus`.
struct anl_bits {
    uint16_t at, width;  // width 0: there are none; at most 32
    int32_t plus;
};

enum anl_head_field {
    ANL_FIELD_DESTINATION,
    ANL_FIELD_X,
    ANL_FIELD_Y,
    ANL_FIELD_Z,
    ANL_FIELD_SOURCE,
    ANL_FIELD_SOURCE_X,
    ANL_FIELD_SOURCE_Y,
    ANL_FIELD_SOURCE_Z,
    ANL_FIELD_LENGTH,
    ANL_FIELD_NUMBER,
    ANL_NUM_HEAD_FIELDS
};

enum anl_worm_ends { ANL_ENDS_MARKS, ANL_ENDS_TYPE, ANL_ENDS_LENGTH };

struct anl_fixed_bits {
    struct anl_bits bits;
    uint32_t value;
};

enum { ANL_MAX_FIXED = 16 };

// What a file says of a link. Plain data.
struct anl_link_description {
    enum anl_link_style style;
    uint32_t width;           // wires of a flit, 1..ANL_MAX_WIRES
    uint32_t slots;           // credits of a lane; 0: the depth of the scenario
    bool credits_of_lanes;    // a credit comes back when its flit leaves the lane, not the switch
    bool output_queues;       // worms of an input lane may overtake each other in the switch
    enum anl_worm_ends ends;  // where a worm begins and ends
    uint16_t head_mark, tail_mark;
    struct anl_bits type;           // of ANL_ENDS_TYPE, at most 6 wires
    uint64_t type_head, type_tail;  // bit v: the value v marks a head, a tail
    struct anl_bits fields[ANL_NUM_HEAD_FIELDS];
    struct anl_bits lane;  // of every flit, if no wire says its lane
    uint32_t columns;      // of a graph; 0: not said
    struct anl_fixed_bits always[ANL_MAX_FIXED], head_always[ANL_MAX_FIXED];
    uint32_t num_always, num_head_always;
    struct anl_bits changes[ANL_MAX_FIXED];
    uint32_t num_changes;
    uint32_t ignored;  // bit r: rule r is not checked
    uint64_t line;     // of the file, where it speaks of heads; if it does not, where it begins
};

// Reads the description of a link, whose heads need not say where they go. ANL_ERR_IO,
// ANL_ERR_FORMAT, ANL_ERR_MEMORY: *error says file, line, what was found and what was expected.
enum anl_status anl_link_load(const char *path, struct anl_link_description *description,
                              struct anl_error *error);
// Returns whether the terminals of the network of a configuration can make flits for these links:
// ANL_ERR_ARGUMENT otherwise, with *error about the file at path.
enum anl_status anl_link_fit(const struct anl_link_description *description,
                             const struct anl_config *config, const char *path,
                             struct anl_error *error);

// Returns the name of a style, of a field or of a rule, as in docs/link.md, and what breaks the
// rule in words; "?" if it is out of range.
const char *anl_style_name(enum anl_link_style style);
const char *anl_head_field_name(enum anl_head_field field);
const char *anl_link_rule_name(enum anl_link_rule rule);
const char *anl_link_rule_text(enum anl_link_rule rule);
// Returns how many wires the receiver drives.
uint32_t anl_link_back_bits(enum anl_link_style style, uint32_t num_vcs);
// Returns whether the receiver gives credits back, and how many a sender has of a lane at first.
bool anl_style_has_credits(enum anl_link_style style);
uint32_t anl_link_slots(const struct anl_link_description *description,
                        const struct anl_config *config);

// --- flits ---

// Returns the terminal to which a head goes; UINT32_MAX: there is none with such a number or
// coordinates.
uint32_t anl_link_destination(const struct anl_link_description *description,
                              const struct anl_config *config, const uint32_t *flit);
// Returns the flits of the worm of a head; 0: it does not say so, but each worm has one flit if
// nothing else says where worms end.
uint32_t anl_link_length(const struct anl_link_description *description, const uint32_t *flit);
// Writes the wires of flit number `index` of a worm that crosses in lane vc: ANL_WIRE_WORDS words,
// those above the width 0. The wires that mean nothing have a number that is another one for each
// flit, if they are enough.
void anl_link_make_flit(const struct anl_link_description *description,
                        const struct anl_config *config, const struct anl_worm *worm,
                        uint32_t index, uint32_t vc, uint32_t *flit);
// Makes the wires 0 by which a flit is not known again: marks, type, lane, and what switches may
// change.
void anl_link_mask(const struct anl_link_description *description, bool head, uint32_t *flit);

// --- what crosses ---

// The wires of a link in a cycle. If a field of the flit says the lane, vc is not read.
struct anl_wires {
    bool valid;
    uint32_t vc;
    uint32_t back;
    const uint32_t *flit;
};

struct anl_transfer {
    bool crosses, head, tail;
    uint32_t vc;
    uint32_t credits;  // bit v: a credit comes back for lane v
    char text[160];    // of a broken rule: what was seen, one line
};

// Return the lane of the flit on the wires; whether it crosses the link, if it is of lane vc; and
// the lanes for which credits come back, which may be lanes that there are not.
uint32_t anl_link_lane(const struct anl_link_description *description,
                       const struct anl_wires *wires);
bool anl_link_crosses(enum anl_link_style style, const struct anl_wires *wires, uint32_t vc);
uint64_t anl_link_credits(enum anl_link_style style, uint32_t num_vcs, uint32_t back);
// Says in *crossing whether a flit is head and tail. Returns false, and says nothing, if neither
// marks nor a type tell it.
bool anl_link_ends(const struct anl_link_description *description, const uint32_t *flit,
                   struct anl_transfer *crossing);

struct anl_links;

// Makes what is known of the links of a network at the start of cycle 0. slots are the credits of a
// lane. *description must stay. On success *links is the caller's, who frees it with
// anl_links_destroy(). ANL_ERR_MEMORY: *links is NULL.
enum anl_status anl_links_create(const struct anl_link_description *description, uint32_t num_links,
                                 uint32_t num_vcs, uint32_t slots, struct anl_links **links);
void anl_links_destroy(struct anl_links *links);  // may be NULL

// Takes the wires of a link in a cycle; it must be told in every cycle, once. Returns the first
// rule that is broken, or ANL_LINK_KEPT.
enum anl_link_rule anl_links_take(struct anl_links *links, uint32_t link,
                                  const struct anl_wires *wires, struct anl_transfer *crossing);
// Returns the credits that the sender of a lane has now; without credits, those of its first cycle.
uint32_t anl_links_credits(const struct anl_links *links, uint32_t link, uint32_t vc);
// Says that the network is at rest. Returns false, with the first link and lane whose sender has
// not all credits.
bool anl_links_rest(const struct anl_links *links, uint32_t *link, uint32_t *vc);

// --- handshakes as text ---

// What is on the wires of a link, cycle by cycle, as docs/link.md draws it.
enum { ANL_MAX_HANDSHAKE = 32 };
struct anl_handshake {
    enum anl_link_style style;
    uint64_t line;  // of the file, of its flits
    uint32_t num_cycles;
    struct {
        char flit;  // its letter; 0: valid is 0
        uint32_t vc, back;
    } cycles[ANL_MAX_HANDSHAKE];
    char says[160];  // what stands behind the flits, for people
};

// Reads all handshakes of links with num_vcs lanes in a text, whatever else stands there. On
// success there is at least one, and *handshakes is the caller's, who frees it with free().
// ANL_ERR_IO, ANL_ERR_FORMAT, ANL_ERR_MEMORY: *handshakes is NULL, and *error says file, line, what
// was found and what was expected.
enum anl_status anl_handshakes_load(const char *path, uint32_t num_vcs,
                                    struct anl_handshake **handshakes, size_t *count,
                                    struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
