// SPDX-License-Identifier: Apache-2.0
//
// Which signals of a design are the links of a network: a map of probes, read from a file whose
// templates say it of many links in a few lines. What reads a waveform, or asks a simulator by
// names, looks up the signals of the list and tells a watch (annelid/live.h) what is on them.
// The file: docs/probes.md.

#ifndef ANNELID_PROBES_H
#define ANNELID_PROBES_H

#include <annelid/blocking.h>
#include <annelid/links.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_scenario;
struct anl_probes;

// What a signal tells. Clock and reset are those of all links.
enum anl_probe_role {
    ANL_PROBE_CLOCK,
    ANL_PROBE_RESET,
    ANL_PROBE_VALID,
    ANL_PROBE_VC,
    ANL_PROBE_FLIT,    // all wires of a flit; of links of ours {head, tail, data}
    ANL_PROBE_BACK,    // what the receiver drives; of links of ours its credits
    ANL_PROBE_LENGTH,  // with heads on injection links: the flits of the worm
    ANL_NUM_PROBE_ROLES
};

// A part of what a role of a link is made of. Plain data.
struct anl_probe {
    uint32_t link;  // ANL_NOTHING: clock, reset
    enum anl_probe_role role;
    const char *name;   // of the signal, with all scopes; NULL: this part is a constant
    int32_t high, low;  // bits of it, by its declared numbers; -1: all of it. If both are the same
                        // number i and there is a signal "name[i]", an element of an array, it is
                        // meant, and all of it
    bool inverted;      // ~
    uint32_t width;     // of a constant, 1..32
    uint32_t value;     // of a constant
    uint64_t line;      // of the file
};

// Reads a map of probes, the scenario with settings "section.key=value", and the description of its
// links if there is one. On success *probes is the caller's, who frees it with
// anl_probes_destroy(). On failure *probes is NULL and *error says file, line, what was found and
// what was expected: ANL_ERR_IO, ANL_ERR_FORMAT, ANL_ERR_ARGUMENT, ANL_ERR_MEMORY, and the errors
// of anl_scenario_load_with(), anl_live_takes() and anl_link_load().
enum anl_status anl_probes_load(const char *path, const char *const *settings, size_t num_settings,
                                struct anl_probes **probes, struct anl_error *error);
void anl_probes_destroy(struct anl_probes *probes);  // may be NULL

// Returns the list, which *probes owns: clock and reset first, then all links ascending, of each
// link its roles ascending, and of a role its parts, highest bits first.
const struct anl_probe *anl_probes_list(const struct anl_probes *probes, size_t *count);

// Return the path of the map as it was given, that of the scenario, and that of the description of
// the links, NULL: they are ours. *probes owns them, and the scenario and the description
// themselves (NULL: links of ours).
const char *anl_probes_path(const struct anl_probes *probes);
const char *anl_probes_network(const struct anl_probes *probes);
const char *anl_probes_links(const struct anl_probes *probes);
const struct anl_scenario *anl_probes_scenario(const struct anl_probes *probes);
const struct anl_link_description *anl_probes_description(const struct anl_probes *probes);

// Returns how many wires a role has, which its parts must have together; 0: any number up to 32.
uint32_t anl_probes_bits(const struct anl_probes *probes, enum anl_probe_role role);
// Returns whether the map says what receivers drive; if not, a watch reads no credits.
bool anl_probes_have_back(const struct anl_probes *probes);

// Returns the name of a role, as in the file; "?" if it is out of range.
const char *anl_probe_role_name(enum anl_probe_role role);
// Writes a part as it stands in a file, "~tb.full[3]", at most size bytes with the end.
void anl_probe_text(const struct anl_probe *probe, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
