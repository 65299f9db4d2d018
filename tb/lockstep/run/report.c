// SPDX-License-Identifier: Apache-2.0

#include "report.h"

#include <string.h>

enum { LAST_FLITS = 4 };

// Prints "mesh4" for "sim/scenarios/mesh4.yaml", other paths unchanged.
static void print_scenario(FILE *out, const char *path)
{
    static const char room[] = "sim/scenarios/", suffix[] = ".yaml";
    size_t length = strlen(path);
    bool ours = strncmp(path, room, strlen(room)) == 0 && length > strlen(room) + strlen(suffix) &&
                strcmp(path + length - strlen(suffix), suffix) == 0;
    if (ours)
        fprintf(out, "%.*s", (int)(length - strlen(room) - strlen(suffix)), path + strlen(room));
    else
        anl_print_word(out, path);
}

static void print_command(const struct report *report, const char *target)
{
    FILE *out = report->options->report;
    fprintf(out, "make %s SCENARIO=", target);
    print_scenario(out, report->options->scenario_path);
    fprintf(out, " SEED=%llu", (unsigned long long)report->scenario->run.seed);
    for (size_t i = 0; i < report->options->num_settings; i++)
        fprintf(out, i ? " %s" : " SET='%s", report->options->settings[i]);
    if (report->options->num_settings) fputc('\'', out);
    if (report->options->mode != LOCKSTEP_EXACT)
        fprintf(out, " MODE=%s", lockstep_mode_name(report->options->mode));
    if (report->options->dut) fprintf(out, " DUT=%s", report->options->dut);
    if (report->options->prelude_given) fprintf(out, " PRELUDE=%u", report->options->prelude);
}

// Prints the last flits on the lanes of the link, on one line.
static void print_history(const struct report *report)
{
    const struct difference *difference = report->difference;
    const struct history *history = report->history;
    FILE *out = report->options->report;
    char name[64];
    if (difference->link == NOWHERE || report->late) return;
    anl_link_name(history->config, difference->link, name, sizeof name);
    fprintf(out, "  before    on link %s", name);
    bool any = false;
    for (uint32_t vc = 0; vc < history->config->num_vcs; vc++) {
        const struct passage *last = history_last(history, difference->link, vc, 1);
        if (!last) continue;
        fprintf(out, "%s lane %u:", any ? ";" : "", vc);
        any = true;
        for (uint64_t back = LAST_FLITS; back > 0; back--) {
            const struct passage *one = history_last(history, difference->link, vc, back);
            if (one)
                fprintf(out, " %u.%u@%llu", one->worm, one->index, (unsigned long long)one->cycle);
        }
    }
    fputs(any ? "   (worm.flit@cycle)\n" : " nothing yet\n", out);
}

// Prints the chain of the buffer in question. Where no model says which flits were expected in the
// cycle of the difference, it is that of the cycle before.
static void print_chain(const struct report *report, const char *label)
{
    FILE *out = report->options->report;
    const uint64_t cycle = anl_blocking_cycle(report->blocking);
    const bool before = cycle < report->difference->cycle;
    const bool stands = strcmp(report->difference->what, "stalled") == 0;
    if (before && !stands)
        fprintf(out, "%sin cycle %llu, the one before:\n", label, (unsigned long long)cycle);
    anl_blocking_print_chain(out, before && !stands ? "            " : label, report->blocking,
                             report->buffer);
}

// Prints a deadlock worm by worm, or else the chain of the buffer in question.
static void print_blocking(const struct report *report)
{
    if (!report->blocking) return;
    static const char label[] = "  waits     ";
    const char *what = report->difference->what;
    bool stands = strcmp(what, "stalled") == 0 || strcmp(what, "deadlock") == 0;
    if (stands && anl_blocking_deadlocked(report->blocking) != UINT64_MAX)
        anl_blocking_print_deadlock(report->options->report, label, report->blocking);
    else if (report->buffer != ANL_NOTHING)
        print_chain(report, label);
}

// Returns the cycle that waves should show: the one in which a deadlock closed, or the last cycle
// of another stall.
static uint64_t cycle_to_show(const struct report *report)
{
    const uint64_t cycle = report->difference->cycle;
    if (strcmp(report->difference->what, "stalled") != 0) return cycle;
    const struct anl_blocking *blocking = report->blocking;
    const uint64_t closed = blocking ? anl_blocking_deadlocked(blocking) : UINT64_MAX;
    return closed != UINT64_MAX ? closed : cycle - 1;
}

// Prints the assertion that failed beside another difference, with its instance.
static void print_assertion(const struct report *report)
{
    char text[sizeof report->difference->seen];
    if (!report->failure->name[0] || strcmp(report->difference->what, "assertion") == 0) return;
    failure_describe(report->failure, text, sizeof text);
    fprintf(report->options->report, "  assertion %s", text);
    if (report->failure->switch_ != NOWHERE)
        fprintf(report->options->report, " (switch %u)", report->failure->switch_);
    fputc('\n', report->options->report);
}

// Returns whether the assertion that failed is in a part of a switch, of which the waveform has
// signals with ALL=1 alone (tb/lockstep/probes/waves.vlt).
static bool is_in_part(const struct failure *failure)
{
    static const char core[] = "u_core.";
    return failure->name[0] && strncmp(failure_path(failure), core, strlen(core)) == 0;
}

// Prints the command for waves, where there can be any. Of a difference that is found later they
// are made after the whole run, so that command names no cycle.
static void print_waves(const struct report *report)
{
    FILE *out = report->options->report;
    if (!report->blocking) return;
    fputs("\n  waves     ", out);
    print_command(report, "waves");
    if (is_in_part(report->failure)) fputs(" ALL=1", out);
    if (!report->late) fprintf(out, " AT=%llu", (unsigned long long)cycle_to_show(report));
}

void report_difference(const struct report *report)
{
    const struct difference *difference = report->difference;
    FILE *out = report->options->report;
    unsigned long long cycle = difference->cycle;
    fprintf(out, "FIRST DIFFERENCE in cycle %llu at %s: %s", cycle, difference->where,
            difference->what);
    if (difference->count > 1) fprintf(out, " (and %u more in this cycle)", difference->count - 1);
    fprintf(out, "\n  expected  %s\n  seen      %s\n", difference->expected, difference->seen);
    print_history(report);
    if (report->referee) fprintf(out, "  referee   %s\n", report->referee);
    print_assertion(report);
    print_blocking(report);
    fputs("  replay    ", out);
    print_command(report, "regress");
    print_waves(report);
    fputc('\n', out);
}
