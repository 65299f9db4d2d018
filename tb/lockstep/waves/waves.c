// SPDX-License-Identifier: Apache-2.0

#include "waves.h"

#include "drive/snapshot.h"
#include "narrate.h"
#include "plot.h"
#include "view.h"

#include <stdlib.h>
#include <unistd.h>

enum { SNAPSHOTS = 12, FIRST_DISTANCE = 256, PATH_BYTES = 1024 };

enum role { FIRST_PROCESS, SCOUT, WRITER };

struct waves {
    struct lockstep *run;
    struct rtl *rtl;
    const struct lockstep_options *options;
    struct snapshots *snapshots;
    struct plot *plot;  // shared by all processes
    enum role role;
    struct wave *wave;  // writer only
    struct narration narration;
    char rtl_path[PATH_BYTES];
};

enum anl_status waves_create(struct lockstep *run, struct rtl *rtl,
                             const struct lockstep_options *options, struct waves **waves,
                             struct anl_error *error)
{
    *waves = NULL;
    if (!options->waves_path) return ANL_OK;
    if (!rtl_has_waves())
        return anl_fail(error, ANL_ERR_ARGUMENT, options->waves_path, 0,
                        "cannot write waves: the program must be built with them (make waves)");
    if (!view_takes(options->waves_path))
        return anl_fail(error, ANL_ERR_ARGUMENT, options->waves_path, 0,
                        "expected a path that ends in .fst");
    struct waves *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    *made = (struct waves){.run = run, .rtl = rtl, .options = options};
    enum anl_status status =
        snapshots_create(SNAPSHOTS, FIRST_DISTANCE, sizeof *made->plot, &made->snapshots);
    if (status == ANL_OK) {
        made->plot = snapshots_shared(made->snapshots);
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
    waves->plot->status = status;
    _exit(0);
}

static _Noreturn void leave_scouting(struct waves *waves)
{
    plot_scouted(waves->plot);
    leave(waves, ANL_OK);
}

// The waves of the RTL are written beside the file that they go into.
static void open_waves(struct waves *waves)
{
    snprintf(waves->rtl_path, sizeof waves->rtl_path, "%s.rtl", waves->options->waves_path);
    if (!rtl_waves(waves->rtl, waves->rtl_path))
        leave(waves,
              anl_fail(&waves->plot->error, ANL_ERR_IO, waves->rtl_path, 0, "cannot be written"));
    if (wave_create(&waves->wave) != ANL_OK) leave(waves, ANL_ERR_MEMORY);
    narration_create(&waves->narration, &waves->run->scenario->network, &waves->plot->cast,
                     waves->wave);
    narrate_title(&waves->narration, lockstep_cycle(waves->run), waves->plot->title,
                  waves->plot->expected, waves->plot->seen);
}

static _Noreturn void close_waves(struct waves *waves, uint64_t last)
{
    struct plot *plot = waves->plot;
    const char *path = waves->options->waves_path;
    uint32_t switches[CAST_SWITCHES];
    if (!waves->wave) leave(waves, ANL_ERR_IO);
    rtl_waves_end(waves->rtl);
    struct wave_rtl rtl = {
        .path = waves->rtl_path,
        .unit = WAVE_CYCLE / RTL_CYCLE,
        .switches = switches,
        .count =
            cast_switches(&plot->cast, &waves->run->scenario->network, plot->switch_, switches),
        .all = waves->options->waves_of_all,
        .end = (last + 1) * WAVE_CYCLE,
    };
    if (plot->to > last) plot->to = last;
    enum anl_status status = wave_write(waves->wave, path, &rtl, &plot->error);
    unlink(waves->rtl_path);
    if (status == ANL_OK) status = view_write(path, plot, &waves->narration, &plot->error);
    leave(waves, status);
}

static void narrate_now(struct waves *waves, uint64_t cycle, const struct anl_blocking *blocking)
{
    if (waves->wave && cycle >= waves->plot->from)
        narrate(&waves->narration, cycle, blocking, &waves->run->harness.worms);
}

// After a difference the RTL goes on alone: the waves reach a little further.
static void run_on(struct waves *waves, uint64_t cycle)
{
    for (; cycle <= waves->plot->to; cycle++) {
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
        waves->role = waves->plot->scouting ? SCOUT : WRITER;
        lockstep_copy(waves->run);
    }
    if (waves->role == WRITER && !waves->wave && cycle >= waves->plot->from) open_waves(waves);
}

bool waves_end(struct waves *waves)
{
    if (!waves) return true;
    struct lockstep *run = waves->run;
    bool differs = run->result->difference.count > 0;
    uint64_t cycle = lockstep_cycle(run) - !differs;  // the one that has just been run
    if (waves->role == FIRST_PROCESS) {
        subject_look(&run->subject, run->blocking);
        return !subject_settled(&run->subject, cycle);
    }
    if (run->cycles_fed <= cycle)
        return true;  // no blocking analysis of this cycle: waves_over() says so
    if (waves->role == SCOUT) {
        plot_scout(waves->plot, run);
        if (cycle >= waves->plot->end) leave_scouting(waves);
        return true;
    }
    narrate_now(waves, cycle, run->blocking);
    if (cycle >= waves->plot->to) close_waves(waves, cycle);
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
    close_waves(waves, waves->plot->to);
}

// --- after the run ---

// What a copy that broke off leaves behind.
static void remove_drafts(const char *fst)
{
    static const char *const endings[] = {".rtl", ".rtl.hier", ".draft", ".draft.hier"};
    char path[PATH_BYTES + 16];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(path, sizeof path, "%s%s", fst, endings[i]);
        unlink(path);
    }
}

static enum anl_status take_up(struct waves *waves, bool scouting, uint64_t cycle,
                               struct anl_error *error)
{
    waves->plot->scouting = scouting;
    waves->plot->status = ANL_ERR_IO;
    enum anl_status status = snapshots_take_up(waves->snapshots, cycle);
    if (status != ANL_OK) {
        remove_drafts(waves->options->waves_path);
        return anl_fail(error, ANL_ERR_IO, waves->options->waves_path, 0,
                        "the copy of the run that should write waves broke off");
    }
    if (waves->plot->status != ANL_OK) *error = waves->plot->error;
    return waves->plot->status;
}

enum anl_status waves_finish(struct waves *waves, struct anl_error *error)
{
    if (!waves) return ANL_OK;
    enum anl_status status = ANL_OK;
    subject_over(&waves->run->subject, waves->run->blocking);
    if (!plot_choose(waves->plot, waves->run, error)) return ANL_ERR_ARGUMENT;
    if (plot_wants_scout(waves->plot)) status = take_up(waves, true, waves->plot->begin, error);
    if (status == ANL_OK) status = take_up(waves, false, waves->plot->from, error);
    return status;
}
