// SPDX-License-Identifier: Apache-2.0
//
// What a kind of switch is: one struct of data and functions. The makefile writes the table of the
// kinds that are built (papers/papers.mk). Code that is not a kind's own asks the row what its
// switches do, and never which kind it is. docs/architecture.md says where a new kind has its
// other parts.

#ifndef ANNELID_MACHINE_H
#define ANNELID_MACHINE_H

#include <annelid/base.h>
#include <annelid/records.h>

#ifdef __cplusplus
extern "C" {
#endif

// What switches of a kind do, and which tools know them.
enum anl_trait {
    // Worms wait in lanes for credits and arbiters, and may wait for each other in a circle: all
    // settings of lanes mean something.
    ANL_TRAIT_WAITS = 1 << 0,
    ANL_TRAIT_LOSES = 1 << 1,        // flits that meet are lost, and the run ends in a fault
    ANL_TRAIT_DISCARDS = 1 << 2,     // a worm that finds no free lane is discarded
    ANL_TRAIT_FAILS = 1 << 3,        // a worm may leave the network where it does not want to
    ANL_TRAIT_STARTS = 1 << 4,       // a worm is sent at its start: sources have no queue
    ANL_TRAIT_LOADS = 1 << 5,        // worms are sent in loads, each of which begins as a whole
    ANL_TRAIT_BLOCKING = 1 << 6,     // the blocking analysis knows where its flits are
    ANL_TRAIT_BATCH = 1 << 7,        // many runs at once
    ANL_TRAIT_PARTS = 1 << 8,        // the network can be cut into parts
    ANL_TRAIT_CHECKPOINTS = 1 << 9,  // a run can be kept and gone on with
};

// What other rooms of the library ask of a kind: each declares its own struct.
struct engine_machine;    // cmodel/src/engine/machine.h
struct referee_game;      // cmodel/src/referee/referee.h
struct scenario_reading;  // cmodel/src/scenario/scenario.h
struct anl_rtl_parameters;

struct anl_machine {
    const char *called;  // in messages: "kind bufferless"
    // The key and word of a scenario that choose the kind, the word that chooses waiting lanes
    // instead, and the page of its rules.
    const char *key, *word, *usual, *page;
    uint32_t traits;  // mask of enum anl_trait

    // Refuses what the kind refuses of a configuration whose k and n are in range:
    // ANL_ERR_ARGUMENT. NULL: nothing.
    enum anl_status (*check)(const struct anl_config *config, struct anl_error *error);
    // Does the same for the RTL, which may have less; NULL: what all RTL refuses of networks
    // with lanes.
    enum anl_status (*check_rtl)(const struct anl_config *config, const char *path,
                                 struct anl_error *error);
    // Writes the parameters of the module that has its network in the lock-step, K first
    // (annelid/rtl.h). NULL: those of networks with lanes.
    void (*parameters)(const struct anl_config *config, struct anl_rtl_parameters *all);
    // Returns the latency in cycles of a worm of so many flits that is alone in the network, over
    // distance links between switches. NULL: it depends on the cycle in which it is created.
    uint64_t (*alone)(const struct anl_config *config, uint64_t distance, uint64_t length);
    // Returns whether a tail that crosses its link ends the way of its worm to a destination. NULL:
    // it does so where the link ends at a terminal.
    bool (*delivers)(const struct anl_config *config, const struct anl_flit *tail,
                     uint32_t destination);
    uint32_t ends;  // links of terminals on the way of a worm
    // Write the switch in a few words, behind the name of a network, and in a sentence; at most
    // size bytes, terminated. NULL: they are those of lanes.
    void (*words)(const struct anl_config *config, char *text, size_t size);
    void (*sentence)(const struct anl_config *config, char *text, size_t size);
    // Writes how long worms take, where alone() does not say it.
    void (*times)(const struct anl_config *config, char *text, size_t size);

    // The kind as a machine of the engine and as a game of the referee; NULL: the engine and the
    // referee have the rules of lanes themselves.
    const struct engine_machine *engine;
    const struct referee_game *referee;
    // The keys of section switch that mean something, with blanks between them; NULL: all but
    // those that belong to another kind.
    const char *keys;
    // Settles what the kind asks of the rest of a scenario, or refuses it; NULL: nothing.
    enum anl_status (*settle)(struct scenario_reading *reading);
};

// Returns the row of a kind; NULL: there is no such kind, or it is not built.
const struct anl_machine *anl_machine_of(enum anl_switch_kind kind);
// Returns whether the kind of a network has a trait. Its configuration has passed
// anl_config_check().
bool anl_has(const struct anl_config *config, enum anl_trait trait);

// Returns the latency in cycles of a worm of so many flits that no other worm delays, from terminal
// to terminal over distance links between switches (docs/switch.md, "Latency"), as the kind of the
// network says it; it must be one that has alone().
uint64_t anl_latency_alone(const struct anl_config *config, uint64_t distance, uint64_t length);

#ifdef __cplusplus
}
#endif

#endif
