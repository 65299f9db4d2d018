// SPDX-License-Identifier: Apache-2.0
//
// The terminals of a network of anybody's switches, and the figures of a run.

#ifndef ANL_DRIVER_PRIVATE_H
#define ANL_DRIVER_PRIVATE_H

#include <annelid/driver.h>
#include <annelid/scenario.h>

// A worm that was created.
struct drive_worm {
    struct anl_worm worm;
    uint64_t crossed;  // cycle in which its head crossed the last link
};

struct drive_worms {
    struct drive_worm *all;  // [count] by id
    size_t count, room;
};

// A source sends its worms one after the other. next is the first that waits or is being sent.
struct drive_source {
    uint32_t *queue;  // ids
    size_t next, count, room;
    uint32_t index;     // flit of worm queue[next] that is to be sent
    uint32_t vc;        // lane of this worm
    uint32_t turn;      // lane with which the search for a lane begins
    uint32_t *credits;  // [num_vcs]
    uint32_t usable;    // lanes that are not stopped, or were ready in the last cycle
    bool valid;         // a flit is on the wires
    uint32_t flit[ANL_WIRE_WORDS];
};

struct drive_sink {
    uint32_t *owed;  // [num_vcs] credits of flits that were taken
    uint32_t turn;   // lane with which the search for a pulse begins
    uint32_t back;   // what it drives
};

struct anl_driver {
    struct anl_driver_options options;
    struct anl_live *live;
    const struct anl_scenario *scenario;  // of the watch, as all behind it
    const struct anl_config *config;
    const struct anl_link_description *links;
    uint32_t terminals, num_vcs, slots;
    struct anl_traffic *traffic;
    struct anl_rng random;
    struct drive_source *sources;
    struct drive_sink *sinks;
    struct drive_worms worms;
    struct anl_worm *arrived;  // [terminals] worms that were delivered in a cycle
    bool out_of_memory, good;
    // figures
    uint64_t flits, delivered, measured, taken;  // taken: flits that arrived in the measured time
    double latencies, hops;
    uint64_t num_hops;
    uint32_t least_hop;
};

// terminals.c

// Lets a source see what the receiver of its injection link drives, and a sink what comes.
void drive_source_saw(struct anl_driver *drive, uint32_t terminal, uint32_t back);
void drive_sink_saw(struct anl_driver *drive, uint32_t terminal, bool valid, uint32_t vc,
                    const uint32_t *flit);
// Decide what terminals drive in the cycle that comes.
void drive_source_decide(struct anl_driver *drive, uint32_t terminal);
void drive_sink_decide(struct anl_driver *drive, uint32_t terminal);

#endif
