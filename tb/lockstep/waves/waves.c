// SPDX-License-Identifier: Apache-2.0

#include "waves.h"

#include "narrate.h"
#include "snapshot.h"
#include "view.h"
#include "wave_window.h"

#include <stdlib.h>
#include <unistd.h>

enum { SNAPSHOTS = 12, FIRST_DISTANCE = 256, PATH_BYTES = 1024 };

enum role { FIRST_PROCESS, SCOUT, WRITER };

struct waves {
    struct lockstep *run;
    struct rtl *rtl;
    const struct lockstep_options *options;
    struct snapshots *snapshots;
    struct wave_window *wave_window;  // shared by all processes
    enum role role;
    struct wave *wave;  // of the writer only
    struct narration narration;
    char rtl_path[PATH_BYTES];
    uint32_t switches[WAVE_WORMS_SWITCHES];  // whose signals are shown
    size_t num_switches;
};

enum anl_status waves_create(struct lockstep *run, struct rtl *rtl,
                             const struct lockstep_options *options, struct waves **waves,
                             struct anl_error *error)
{
    *waves = NULL;
    if (!options->waves_path) return ANL_OK;
    if (!rtl_has_waves(rtl))
        return anl_fail(error, ANL_ERR_ARGUMENT, options->waves_path, 0,
                        "cannot write waves: the program must be built with them (make waves)");
    if (!view_takes(options->waves_path))
        return anl_fail(error, ANL_ERR_ARGUMENT, options->waves_path, 0,
                        "expected a path that ends in .fst");
    if (anl_has(&run->scenario->network, ANL_TRAIT_DISCARDS))
        return anl_fail(error, ANL_ERR_ARGUMENT, options->waves_path, 0,
                        "cannot write waves of switches that discard, in which nobody waits; "
                        "expected switch.when_blocked wait");
    const char *unknown = anl_blocking_unknown(&run->scenario->network);
    if (unknown)
        return anl_fail(error, ANL_ERR_ARGUMENT, options->waves_path, 0,
                        "cannot write waves of %s, of which the blocking analysis knows nothing",
                        unknown);
    struct waves *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    *made = (struct waves){.run = run, .rtl = rtl, .options = options};
    enum anl_status status =
        snapshots_create(SNAPSHOTS, FIRST_DISTANCE, sizeof *made->wave_window, &made->snapshots);
    if (status == ANL_OK) {
        made->wave_window = snapshots_shared(made->snapshots);
        *waves = made;
    } else {
        free(made);
    }
    return status;
}

void waves_destroy(struct waves *waves)
{
    if (!waves) return;
    snapshots_destroy(waves->snapshots);
    free(waves);
}

// --- a copy ---

static _Noreturn void leave(struct waves *waves, enum anl_status status)
{
    wave_destroy(waves->wave);
    waves->wave_window->status = status;
    _exit(0);
}

static _Noreturn void leave_scouting(struct waves *waves)
{
    wave_window_scouted(waves->wave_window);
    leave(waves, ANL_OK);
}

// Writes the waves of the RTL to a file beside the one into which they are merged.
static void open_waves(struct waves *waves)
{
    snprintf(waves->rtl_path, sizeof waves->rtl_path, "%s.rtl", waves->options->waves_path);
    const struct wave_window *wave_window = waves->wave_window;
    waves->num_switches =
        wave_worms_switches(&wave_window->wave_worms, &waves->run->scenario->network,
                            wave_window->switch_, waves->switches);
    if (!rtl_waves(waves->rtl, waves->rtl_path,
                   waves->options->waves_of_all ? NULL : waves->switches, waves->num_switches))
        leave(waves, anl_fail(&waves->wave_window->error, ANL_ERR_IO, waves->rtl_path, 0,
                              "cannot be written"));
    if (wave_create(&waves->wave) != ANL_OK) leave(waves, ANL_ERR_MEMORY);
    narration_create(&waves->narration, &waves->run->scenario->network,
                     &waves->wave_window->wave_worms, waves->wave);
    narrate_title(&waves->narration, lockstep_cycle(waves->run), waves->wave_window->title,
                  waves->wave_window->expected, waves->wave_window->seen);
}

static _Noreturn void close_waves(struct waves *waves, uint64_t last)
{
    struct wave_window *wave_window = waves->wave_window;
    const char *path = waves->options->waves_path;
    if (!waves->wave) leave(waves, ANL_ERR_IO);
    rtl_waves_end(waves->rtl);
    struct wave_rtl rtl = {
        .path = waves->rtl_path,
        .unit = WAVE_CYCLE / RTL_CYCLE,
        .switches = waves->switches,
        .count = waves->num_switches,
        .all = waves->options->waves_of_all,
        .end = (last + 1) * WAVE_CYCLE,
    };
    if (wave_window->to > last) wave_window->to = last;
    enum anl_status status = wave_write(waves->wave, path, &rtl, &wave_window->error);
    unlink(waves->rtl_path);
    if (status == ANL_OK)
        status = view_write(path, wave_window, &waves->narration, &wave_window->error);
    leave(waves, status);
}

static void narrate_now(struct waves *waves, uint64_t cycle, const struct anl_blocking *blocking)
{
    if (waves->wave && cycle >= waves->wave_window->from)
        narrate(&waves->narration, cycle, blocking, &waves->run->harness.worms);
}

// After a difference the RTL runs on alone, so that the waves reach a little further.
static void run_on(struct waves *waves, uint64_t cycle)
{
    for (; cycle <= waves->wave_window->to; cycle++) {
        rtl_low(waves->rtl);
        rtl_high(waves->rtl);
        narrate_now(waves, cycle, NULL);
    }
}

// --- cycle by cycle ---

void waves_begin(struct waves *waves)
{
    if (!waves) return;
    uint64_t cycle = lockstep_cycle(waves->run);
    if (waves->role == FIRST_PROCESS && snapshots_pass(waves->snapshots, cycle)) {
        waves->role = waves->wave_window->scouting ? SCOUT : WRITER;
        lockstep_copy(waves->run);
    }
    if (waves->role == WRITER && !waves->wave && cycle >= waves->wave_window->from)
        open_waves(waves);
}

bool waves_end(struct waves *waves)
{
    if (!waves) return true;
    struct lockstep *run = waves->run;
    bool differs = run->result->difference.count > 0;
    uint64_t cycle = lockstep_cycle(run) - !differs;  // the cycle that has just been run
    if (waves->role == FIRST_PROCESS) {
        wave_target_look(&run->wave_target, run->blocking);
        return !wave_target_settled(&run->wave_target, cycle);
    }
    if (run->cycles_fed <= cycle) return true;  // this cycle was not fed; waves_over() narrates it
    if (waves->role == SCOUT) {
        wave_window_scout(waves->wave_window, run);
        if (cycle >= waves->wave_window->end) leave_scouting(waves);
        return true;
    }
    narrate_now(waves, cycle, run->blocking);
    if (cycle >= waves->wave_window->to) close_waves(waves, cycle);
    return true;
}

void waves_over(struct waves *waves)
{
    if (!waves || waves->role == FIRST_PROCESS) return;
    if (waves->role == SCOUT) leave_scouting(waves);
    uint64_t cycle = lockstep_cycle(waves->run);
    if (rtl_is_low(waves->rtl)) rtl_high(waves->rtl);
    if (waves->run->result->difference.count == 0) close_waves(waves, cycle - 1);
    if (waves->run->cycles_fed <= cycle) narrate_now(waves, cycle, NULL);
    run_on(waves, cycle + 1);
    close_waves(waves, waves->wave_window->to);
}

// --- after the run ---

// Removes the files that a copy has left because it broke off.
static void remove_drafts(const char *fst)
{
    static const char *const endings[] = {".rtl", ".draft", ".draft.vcd", ".draft.hier"};
    char path[PATH_BYTES + 16];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(path, sizeof path, "%s%s", fst, endings[i]);
        unlink(path);
    }
}

static enum anl_status take_up(struct waves *waves, bool scouting, uint64_t cycle,
                               struct anl_error *error)
{
    waves->wave_window->scouting = scouting;
    waves->wave_window->status = ANL_ERR_IO;
    enum anl_status status = snapshots_take_up(waves->snapshots, cycle);
    if (status != ANL_OK) {
        remove_drafts(waves->options->waves_path);
        return anl_fail(error, ANL_ERR_IO, waves->options->waves_path, 0,
                        "the copy of the run that should write waves broke off");
    }
    if (waves->wave_window->status != ANL_OK) *error = waves->wave_window->error;
    return waves->wave_window->status;
}

enum anl_status waves_finish(struct waves *waves, struct anl_error *error)
{
    if (!waves) return ANL_OK;
    enum anl_status status = ANL_OK;
    wave_target_over(&waves->run->wave_target, waves->run->blocking);
    if (!wave_window_choose(waves->wave_window, waves->run, error)) return ANL_ERR_ARGUMENT;
    if (wave_window_wants_scout(waves->wave_window))
        status = take_up(waves, true, waves->wave_window->begin, error);
    if (status == ANL_OK) status = take_up(waves, false, waves->wave_window->from, error);
    return status;
}
