// SPDX-License-Identifier: Apache-2.0

#include "report.h"

#include <annelid/report.h>
#include <string.h>

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

static void print_command(const struct report *report, const char *target, FILE *out)
{
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

// Adds the last flits on the lanes of the link.
static void add_history(const struct report *report, struct anl_report *made)
{
    const struct difference *difference = report->difference;
    const struct history *history = report->history;
    if (difference->link == NOWHERE || report->late) return;
    made->before_link = difference->link;
    for (uint32_t vc = 0; vc < history->config->num_vcs; vc++)
        for (uint64_t back = ANL_REPORT_PASSAGES; back > 0; back--) {
            const struct passage *one = history_last(history, difference->link, vc, back);
            if (one)
                anl_report_add_passage(
                    made, vc, (struct anl_report_passage){one->worm, one->index, one->cycle});
        }
}

// Adds the chain of the buffer in question. Where no model says which flits were expected in the
// cycle of the difference, it is that of the cycle before.
static void add_chain(const struct report *report, struct anl_report *made)
{
    const bool stands = strcmp(report->difference->what, "stalled") == 0;
    made->waits_before =
        anl_blocking_cycle(report->blocking) < report->difference->cycle && !stands;
    anl_report_chain(made, report->blocking, report->buffer);
}

// Adds a deadlock worm by worm, or else the chain of the buffer in question.
static void add_blocking(const struct report *report, struct anl_report *made)
{
    if (!report->blocking) return;
    const char *what = report->difference->what;
    bool stands = strcmp(what, "stalled") == 0 || strcmp(what, "deadlock") == 0;
    if (stands && anl_blocking_deadlocked(report->blocking) != UINT64_MAX)
        anl_report_deadlock(made, report->blocking);
    else
        add_chain(report, made);
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

// Adds the assertion that failed beside another difference, with its instance.
static void add_assertion(const struct report *report, struct anl_report *made)
{
    char text[sizeof report->difference->seen];
    if (!report->failure->name[0] || strcmp(report->difference->what, "assertion") == 0) return;
    failure_describe(report->failure, text, sizeof text);
    const int used = snprintf(made->assertion, sizeof made->assertion, "%s", text);
    if (report->failure->switch_ != NOWHERE)
        snprintf(made->assertion + used, sizeof made->assertion - (size_t)used, " (switch %u)",
                 report->failure->switch_);
}

// Returns whether the assertion that failed is in a part of a switch, of which the waveform has
// signals with ALL=1 alone (tb/lockstep/probes/waves.vlt).
static bool is_in_part(const struct failure *failure)
{
    static const char core[] = "u_core.";
    return failure->name[0] && strncmp(failure_path(failure), core, strlen(core)) == 0;
}

// Prints the command for waves. Of a difference that is found later they are made after the whole
// run, so that command names no cycle.
static void print_waves(const struct report *report, FILE *out)
{
    print_command(report, "waves", out);
    if (is_in_part(report->failure)) fputs(" ALL=1", out);
    if (!report->late) fprintf(out, " AT=%llu", (unsigned long long)cycle_to_show(report));
}

// Adds the commands that repeat the run and that show waves, where there can be any.
static void add_commands(const struct report *report, struct anl_report *made)
{
    size_t bytes;
    FILE *out = open_memstream(&made->replay, &bytes);
    if (out) {
        print_command(report, "regress", out);
        fclose(out);
    }
    out = report->blocking ? open_memstream(&made->waves, &bytes) : NULL;
    if (out) {
        print_waves(report, out);
        fclose(out);
    }
}

// Adds where it is: for programs also by numbers, for people in the words of the difference.
static void add_place(const struct difference *difference, struct anl_report *made)
{
    snprintf(made->place.text, sizeof made->place.text, "%s", difference->where);
    made->place.link = difference->link;
    made->place.switch_ = difference->switch_;
    made->place.port = difference->port;
    made->place.vc = difference->vc;
}

// Says what differs. What the referee has found has the name of its rule.
static void begin(const struct report *report, struct anl_report *made)
{
    static const char by_referee[] = "referee: ";
    const struct difference *difference = report->difference;
    const char *what = difference->what;
    const bool is_rule = strncmp(what, by_referee, strlen(by_referee)) == 0;
    if (is_rule) what += strlen(by_referee);
    anl_report_begin(made, ANL_REPORT_LOCKSTEP, what, difference->cycle);
    if (is_rule) snprintf(made->rule, sizeof made->rule, "%s", anl_rule_text(anl_rule_named(what)));
    made->config = report->history->config;
    made->file = report->options->scenario_path;
    made->seed = &report->scenario->run.seed;
    made->more = difference->count - 1;
    made->worm = difference->worm;
    snprintf(made->expected, sizeof made->expected, "%s", difference->expected);
    snprintf(made->seen, sizeof made->seen, "%s", difference->seen);
    if (report->referee) snprintf(made->referee, sizeof made->referee, "%s", report->referee);
    add_place(difference, made);
}

// Adds the worm in question, of which the model says more than the blocking analysis, which may not
// be there or not know it.
static void add_worm(const struct report *report, struct anl_report *made)
{
    const uint32_t id = report->difference->worm;
    if (id == NOWHERE) return;
    anl_report_add_worm(made, report->blocking, id, report->difference->index);
    if (!report->worm || !made->num_worms) return;
    made->worms[0].known = true;
    made->worms[0].source = report->worm->source;
    made->worms[0].destination = report->worm->destination;
    made->worms[0].length = report->worm->length;
}

void report_difference(const struct report *report)
{
    struct anl_report made;
    begin(report, &made);
    add_worm(report, &made);
    add_history(report, &made);
    add_assertion(report, &made);
    add_blocking(report, &made);
    add_commands(report, &made);
    anl_report_print(&made, report->options->report);
    if (report->options->reports) anl_reports_add(report->options->reports, &made);
    anl_report_end(&made);
}
