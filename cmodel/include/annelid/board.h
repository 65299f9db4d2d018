// SPDX-License-Identifier: Apache-2.0
//
// The signature that a board which checks itself must report. Rules: docs/board.md.

#ifndef ANNELID_BOARD_H
#define ANNELID_BOARD_H

#include <annelid/engine.h>
#include <annelid/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

// Returns the signature that follows when a word is signed.
uint32_t anl_board_sign(uint32_t signature, uint32_t word);

// Returns the word by which a terminal signs a flit that crosses its ejection link in cycle. data
// are the flit_width_bits bits of the flit, in words as anl_flit_data() writes them.
uint32_t anl_board_word(const struct anl_config *config, const struct anl_flit *flit,
                        const uint32_t *data, uint64_t cycle);

// Writes the data bits of a flit of *worm to words, like anl_flit_data(). random is the state of
// the source's generator while it sends the flit.
void anl_board_data(const struct anl_config *config, const struct anl_worm *worm, bool head,
                    uint32_t random, uint32_t *words);

enum { ANL_BOARD_MAX_CYCLES = INT32_MAX };

struct anl_board_options {
    uint64_t progress_cycles;  // cycles between two calls of progress(); 0: never
    // If it returns false, the run stops.
    bool (*progress)(void *user, const struct anl_engine *engine);
    void *user;
};

struct anl_board_result {
    uint32_t signature;
    uint64_t flits;    // flits that crossed ejection links
    uint64_t worms;    // worms created
    uint64_t arrived;  // worms whose tail was among these flits
    bool stopped;      // by progress(); the fields above are meaningless then
};

// Runs the golden model for run.cycles cycles, or until all worms have arrived. ANL_ERR_ARGUMENT:
// the process is not generator, or run.cycles is more than ANL_BOARD_MAX_CYCLES; ANL_ERR_MEMORY.
enum anl_status anl_board_run(const struct anl_scenario *scenario,
                              const struct anl_board_options *options,
                              struct anl_board_result *result, struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
