// SPDX-License-Identifier: Apache-2.0
//
// A report for people.

#include <annelid/report.h>
#include <inttypes.h>
#include <string.h>

// Prints "  seen      no flit", unless there is no such text.
static void print_words(FILE *out, const char *label, const char *words)
{
    if (*words) fprintf(out, "  %-9s %s\n", label, words);
}

static void print_lines(FILE *out, const char *label, const struct anl_report_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        fprintf(out, "  %-9s %s\n", i ? "" : label, lines->list[i].text);
}

// --- the first line ---

static void print_difference(const struct anl_report *report, FILE *out)
{
    fprintf(out, "FIRST DIFFERENCE in cycle %" PRIu64 " at %s: %s%s", report->cycle,
            report->place.text, *report->rule ? "referee: " : "", report->what);
    if (report->more) fprintf(out, " (and %" PRIu32 " more in this cycle)", report->more);
    fputc('\n', out);
}

enum { FEW = 3 };  // lanes, and worms of a circle, in the first line

static void print_held(const struct anl_report *report, FILE *out)
{
    char name[ANL_REPORT_NAME_BYTES];
    if (!report->num_held) fputs("no flit is in a lane", out);
    for (size_t i = 0; i < report->num_held && i < FEW; i++) {
        anl_link_name(report->config, report->held[i].link, name, sizeof name);
        fprintf(out, "%s lane %" PRIu32 " of %s", i ? "," : "flits stand in", report->held[i].vc,
                name);
    }
    if (report->num_held > FEW) fprintf(out, " and %zu more", report->num_held - FEW);
}

// Says which flit is at the end of the chain of the worm that has waited longest.
static void print_chain_end(const struct anl_report *report, FILE *out)
{
    const size_t count = report->waits.count;
    const struct anl_chain_line *last = &report->waits.list[count ? count - 1 : 0];
    if (count && last->index != ANL_NOTHING) fprintf(out, "; %s", last->text);
}

// Says who waits for whom in a circle.
static void print_circle(const struct anl_report *report, FILE *out)
{
    const uint32_t *worms = report->circle;
    const size_t count = report->in_circle;
    fprintf(out, "; worm %" PRIu32 " waits for worm %" PRIu32, worms[0], worms[1 % count]);
    for (size_t i = 2; i < count && i <= FEW; i++)
        fprintf(out, ", that for %" PRIu32, worms[i]);
    if (count > FEW + 1)
        fprintf(out, ", … the last of %zu for %" PRIu32, count, worms[0]);
    else if (count > 1)
        fprintf(out, ", that for %" PRIu32, worms[0]);
}

static void print_stall(const struct anl_report *report, FILE *out)
{
    fprintf(out, "annelid: %s since cycle %" PRIu64 ": ", report->what, report->cycle);
    print_held(report, out);
    (report->in_circle ? print_circle : print_chain_end)(report, out);
    fputc('\n', out);
}

static void print_finding(const struct anl_report *report, FILE *out)
{
    fprintf(out, "annelid: %s in cycle %" PRIu64, report->what, report->cycle);
    if (*report->place.text) fprintf(out, " at %s", report->place.text);
    if (report->worm != ANL_NOTHING) fprintf(out, ", worm %" PRIu32, report->worm);
    fputc('\n', out);
    print_words(out, "rule", report->rule);
}

// --- the flits before ---

static void print_passages(const struct anl_report *report, FILE *out)
{
    char name[ANL_REPORT_NAME_BYTES];
    bool any = false;
    anl_link_name(report->config, report->before_link, name, sizeof name);
    fprintf(out, "  before    on link %s", name);
    for (uint32_t vc = 0; vc < report->config->num_vcs; vc++) {
        if (!report->before[vc].count) continue;
        fprintf(out, "%s lane %" PRIu32 ":", any ? ";" : "", vc);
        any = true;
        for (size_t i = 0; i < report->before[vc].count; i++) {
            const struct anl_report_passage *one = &report->before[vc].list[i];
            fprintf(out, " %" PRIu32 ".%" PRIu32 "@%" PRIu64, one->worm, one->index, one->cycle);
        }
    }
    fputs(any ? "   (worm.flit@cycle)\n" : " nothing yet\n", out);
}

static void print_last_flits(const struct anl_report *report, FILE *out)
{
    for (uint32_t vc = 0; vc < report->config->num_vcs; vc++) {
        const size_t count = report->before[vc].count;
        const struct anl_report_passage *last = &report->before[vc].list[count ? count - 1 : 0];
        fprintf(out, "  before    lane %" PRIu32 ": ", vc);
        if (count)
            fprintf(out, "flit %" PRIu32 " of worm %" PRIu32 " in cycle %" PRIu64 "\n", last->index,
                    last->worm, last->cycle);
        else
            fputs("nothing yet\n", out);
    }
}

// --- who waits for whom ---

static void print_waiter(const struct anl_config *config, const struct anl_report_waiter *waiter,
                         FILE *out)
{
    char name[ANL_REPORT_NAME_BYTES];
    anl_buffer_name(config, waiter->buffer, name, sizeof name);
    fprintf(out,
            "  worm %" PRIu32 "  T%" PRIu32 " -> T%" PRIu32 ", %" PRIu32
            " flits, in %s since cycle %" PRIu64 ", %s, ",
            waiter->worm.id, waiter->worm.source, waiter->worm.destination, waiter->worm.length,
            name, waiter->since, anl_wait_name(waiter->wait));
    if (waiter->root_blocker == ANL_NOTHING)
        fputs("no worm moves at the end of its chain\n", out);
    else
        fprintf(out, "root blocker worm %" PRIu32 "\n", waiter->root_blocker);
}

static void print_waiters(const struct anl_report *report, FILE *out)
{
    if (report->waiting_cycle == UINT64_MAX) return;
    fprintf(out,
            "Cycle %" PRIu64 ": of the worms %zu wait, %zu move, %zu are queued at the sources\n",
            report->waiting_cycle, report->waiting, report->moving, report->queued);
    for (size_t i = 0; i < report->waiting && i < ANL_REPORT_WORMS; i++)
        print_waiter(report->config, &report->waiters[i], out);
    if (report->waiting > ANL_REPORT_WORMS) fprintf(out, "  … %zu in all\n", report->waiting);
}

static void print_waits(const struct anl_report *report, FILE *out)
{
    if (report->waits_before && report->waits.count)
        fprintf(out, "  waits     in cycle %" PRIu64 ", the one before:\n", report->waits_cycle);
    print_lines(out, report->waits_before ? "" : "waits", &report->waits);
    print_lines(out, report->from == ANL_REPORT_LOCKSTEP ? "waits" : "deadlock", &report->deadlock);
}

void anl_report_print_waiting(const struct anl_report *report, FILE *out)
{
    print_waiters(report, out);
    print_waits(report, out);
}

// --- the whole ---

static void print_commands(const struct anl_report *report, FILE *out)
{
    if (report->replay && report->from == ANL_REPORT_LOCKSTEP)
        print_words(out, "replay", report->replay);
    if (report->waves) print_words(out, "waves", report->waves);
    if (!report->trace) return;
    fprintf(out, "  trace     %s has the cycles before it: annelid worms %s", report->trace,
            *report->trace == '-' ? "-- " : "");
    anl_print_word(out, report->trace);
    fputc('\n', out);
}

void anl_report_print(const struct anl_report *report, FILE *out)
{
    const bool is_difference = report->from == ANL_REPORT_LOCKSTEP;
    if (report->from == ANL_REPORT_REFEREE) {
        fprintf(out, "%s: %s: %s\n", report->file, report->what, report->seen);
        return;
    }
    if (report->told != UINT64_MAX)
        print_stall(report, out);
    else
        (is_difference ? print_difference : print_finding)(report, out);
    print_words(out, "expected", report->expected);
    print_words(out, "seen", report->seen);
    print_words(out, "probe", report->probe);
    if (report->before_link != ANL_NOTHING)
        (is_difference ? print_passages : print_last_flits)(report, out);
    print_words(out, "referee", report->referee);
    print_words(out, "assertion", report->assertion);
    anl_report_print_waiting(report, out);
    print_commands(report, out);
}
