// SPDX-License-Identifier: Apache-2.0
//
// What a board that checks itself must come to. Rules: docs/board.md.

#ifndef ANNELID_BOARD_H
#define ANNELID_BOARD_H

#include <annelid/engine.h>
#include <annelid/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

// A step of a signature.
uint32_t anl_board_sign(uint32_t signature, uint32_t word);

// The word by which a terminal signs a flit that crosses its ejection link in cycle. data: its
// flit_width_bits bits, as anl_flit_data() has them.
uint32_t anl_board_word(const struct anl_config *config, const struct anl_flit *flit,
                        const uint32_t *data, uint64_t cycle);

// Data of a flit of *worm; random: the state of the generator while the flit is shown. words as for
// anl_flit_data().
void anl_board_data(const struct anl_config *config, const struct anl_worm *worm, bool head,
                    uint32_t random, uint32_t *words);

enum { ANL_BOARD_MAX_CYCLES = INT32_MAX };

struct anl_board_options {
    uint64_t progress_cycles;  // progress() is called after so many cycles each; 0: never
    bool (*progress)(void *user, const struct anl_engine *net);  // false stops the run
    void *user;
};

struct anl_board_result {
    uint32_t signature;
    uint64_t flits;    // that crossed ejection links
    uint64_t worms;    // in all
    uint64_t arrived;  // of them, whose tail was among the flits
    bool stopped;      // by progress(): nothing above holds
};

// Runs the golden model for run.cycles cycles. ANL_ERR_ARGUMENT: the process is not generator, or
// run.cycles is more than ANL_BOARD_MAX_CYCLES; ANL_ERR_MEMORY.
enum anl_status anl_board_run(const struct anl_scenario *scenario,
                              const struct anl_board_options *options,
                              struct anl_board_result *result, struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
