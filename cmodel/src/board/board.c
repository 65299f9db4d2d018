// SPDX-License-Identifier: Apache-2.0
//
// The golden model of a board. A flit that arrives is signed with the bits that the generator of
// its source had while the flit was sent. The flits of a worm arrive in the order in which they
// were sent, so one state per worm, that of its next flit, is enough.

#include <annelid/base.h>
#include <annelid/board.h>
#include <annelid/network.h>
#include <inttypes.h>
#include <stdlib.h>

// --- rules ---

uint32_t anl_board_sign(uint32_t signature, uint32_t word)
{
    return anl_xorshift32(signature ^ word);
}

static uint32_t bit_of(uint32_t value, uint32_t position) { return value << position % 32; }

uint32_t anl_board_word(const struct anl_config *config, const struct anl_flit *flit,
                        const uint32_t *data, uint64_t cycle)
{
    const uint32_t width = config->flit_width_bits, low = (uint32_t)cycle;
    uint32_t word = low << 16 | low >> 16;
    for (uint32_t i = 0; i < (width + 31) / 32; i++)
        word ^= data[i];
    word ^= bit_of(flit->tail, width) ^ bit_of(flit->head, width + 1);
    for (uint32_t i = 0; flit->vc >> i; i++)
        word ^= bit_of(flit->vc >> i & 1, width + 2 + i);
    return word;
}

static uint32_t ones(uint32_t bits) { return bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX; }

void anl_board_data(const struct anl_config *config, const struct anl_worm *worm, bool head,
                    uint32_t random, uint32_t *words)
{
    const uint32_t width = config->flit_width_bits, count = (width + 31) / 32;
    const uint32_t label_bits = anl_label_bits(config);
    for (uint32_t i = 0; i < count; i++)
        words[i] = random;
    if (head) {
        uint32_t fields = (uint32_t)anl_label(config, worm->destination);
        if (anl_head_has_length(config)) fields |= (uint32_t)worm->length << label_bits;
        words[0] = (random & ~ones(anl_head_bits(config))) | fields;
    }
    words[count - 1] &= ones(width - 32 * (count - 1));
}

// --- a run ---

struct board {
    const struct anl_scenario *scenario;
    struct anl_engine *engine;
    uint32_t terminals;
    uint32_t *randoms;     // per worm: state of its generator while its next flit is sent
    uint32_t *signatures;  // per terminal
};

static enum anl_status enqueue_worms(struct board *board)
{
    const struct anl_workload workload = anl_scenario_workload(board->scenario);
    uint32_t id = 0;
    for (uint32_t t = 0; t < board->terminals; t++) {
        uint32_t random = anl_generator_seed(&workload, t);
        for (uint32_t i = 0; i < board->scenario->traffic.worms_per_terminal; i++) {
            board->randoms[id++] = random;
            const struct anl_new_worm new_worm = anl_generator_worm(&workload, t, &random);
            const enum anl_status status = anl_engine_enqueue(
                board->engine, new_worm.source, new_worm.destination, new_worm.length, NULL);
            if (status) return status;
        }
    }
    return ANL_OK;
}

static enum anl_status create(struct board *board)
{
    const struct anl_scenario *scenario = board->scenario;
    board->terminals = anl_shape_of(&scenario->network).terminals;
    const size_t worms = (size_t)board->terminals * scenario->traffic.worms_per_terminal;
    board->randoms = calloc(worms, sizeof *board->randoms);
    board->signatures = calloc(board->terminals, sizeof *board->signatures);
    if (!board->randoms || !board->signatures) return ANL_ERR_MEMORY;
    const enum anl_status status = anl_engine_create(&scenario->network, &board->engine);
    if (status) return status;
    anl_engine_reset(board->engine, scenario->run.seed);
    anl_engine_record(board->engine, true);
    return enqueue_worms(board);
}

static void destroy(struct board *board)
{
    anl_engine_destroy(board->engine);
    free(board->randoms);
    free(board->signatures);
}

static void sign(struct board *board, const struct anl_flit *flit, uint64_t cycle)
{
    const struct anl_config *config = &board->scenario->network;
    const struct anl_end end = anl_end_of(config, flit->link);
    if (!end.is_terminal) return;
    uint32_t *random = &board->randoms[flit->worm], words[ANL_FLIT_WORDS];
    anl_board_data(config, anl_engine_worm(board->engine, flit->worm), flit->head, *random, words);
    *random = anl_xorshift32(*random);
    uint32_t *signature = &board->signatures[end.node];
    *signature = anl_board_sign(*signature, anl_board_word(config, flit, words, cycle));
}

static void step(struct board *board)
{
    const uint64_t cycle = anl_engine_cycle(board->engine);
    size_t count;
    anl_engine_step(board->engine);
    const struct anl_flit *flits = anl_engine_flits(board->engine, &count);
    for (size_t i = 0; i < count; i++)
        sign(board, &flits[i], cycle);
}

// Returns false if progress() stopped the run.
static bool run(struct board *board, const struct anl_board_options *options)
{
    const uint64_t end = board->scenario->run.cycles, between = options->progress_cycles;
    while (anl_engine_cycle(board->engine) < end && !anl_engine_idle(board->engine)) {
        step(board);
        if (between && anl_engine_cycle(board->engine) % between == 0 &&
            !options->progress(options->user, board->engine))
            return false;
    }
    return true;
}

static struct anl_board_result conclude(const struct board *board)
{
    const struct anl_engine_totals totals = anl_engine_totals(board->engine);
    uint32_t signature = 0;
    for (uint32_t t = 0; t < board->terminals; t++)
        signature = anl_board_sign(signature, board->signatures[t]);
    signature = anl_board_sign(signature, (uint32_t)totals.ejected_flits);
    return (struct anl_board_result){.signature = signature,
                                     .flits = totals.ejected_flits,
                                     .worms = totals.enqueued,
                                     .arrived = totals.delivered};
}

static enum anl_status check(const struct anl_scenario *scenario, struct anl_error *error)
{
    if (scenario->traffic.process != ANL_GENERATOR)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "process is %s, a board expects process generator",
                        anl_process_name(scenario->traffic.process));
    if (scenario->run.cycles > ANL_BOARD_MAX_CYCLES)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "cycles is %" PRIu64 ", a board counts to %d", scenario->run.cycles,
                        ANL_BOARD_MAX_CYCLES);
    return ANL_OK;
}

enum anl_status anl_board_run(const struct anl_scenario *scenario,
                              const struct anl_board_options *options,
                              struct anl_board_result *result, struct anl_error *error)
{
    struct board board = {.scenario = scenario};
    enum anl_status status = check(scenario, error);
    if (status) return status;
    status = create(&board);
    *result = (struct anl_board_result){.stopped = true};
    if (status)
        anl_fail(error, status, "", 0, "%s", anl_status_text(status));
    else if (run(&board, options))
        *result = conclude(&board);
    destroy(&board);
    return status;
}
