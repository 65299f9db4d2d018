// SPDX-License-Identifier: Apache-2.0
//
// The RTL of a network whose domains have clocks of their own, as C sees it: verilated switches and
// terminals (tb/lockstep/run/assembly.h), and a verilated crossing in each link between two
// domains. An edge of the clock of a domain is
//
//   clocked_low; clocked_show; clocked_pulse

#ifndef ANL_CLOCKS_NETWORK_H
#define ANL_CLOCKS_NETWORK_H

#include <annelid/network.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_error;
struct clocked;

// What is on one side of a crossing in a cycle of the domain there. flit is NULL unless valid.
struct side {
    uint32_t domain;
    bool valid;
    uint8_t vc;
    uint8_t credits;       // bit v: of lane v
    const uint32_t *flit;  // {head, tail, data}
};

// A link between two domains: of the sender, the flit goes in and credits come out.
struct crossing {
    uint32_t link;
    struct side sender, receiver;
};

// Which domain a switch and a terminal is in.
struct clocked_cut {
    const uint32_t *of_switch, *of_terminal;
    uint32_t sync_stages;
};

// Writes the name of the part that crosses (tb/lockstep/run/parts.h).
void clocked_name(const struct anl_config *config, uint32_t sync_stages, char *name, size_t bytes);

// Makes the network. DPI calls get the address harness. Registers without reset and bits that
// settle late depend on seed. The caller frees it with clocked_destroy(). NULL: a part is missing,
// *error says which.
struct clocked *clocked_create(const struct anl_config *config, const struct clocked_cut *cut,
                               const void *harness, uint64_t seed, struct anl_error *error);
void clocked_destroy(struct clocked *network);

// Return how many crossings there are, ascending by link, and one of them as it was shown last.
size_t clocked_num_crossings(const struct clocked *network);
const struct crossing *clocked_crossing(const struct clocked *network, size_t number);

// Sets the reset of a domain.
void clocked_reset(struct clocked *network, uint32_t domain, bool on);
// The sources of the terminals of a domain give their next flits.
void clocked_low(struct clocked *network, uint32_t domain);
// What all of the domain shows goes to the other ends of links, and is reported: flits where links
// begin, and what sinks show.
void clocked_show(struct clocked *network, uint32_t domain);
// The clock of the domain has its edge, and the registers are reported.
void clocked_pulse(struct clocked *network, uint32_t domain);

#ifdef __cplusplus
}
#endif

#endif
