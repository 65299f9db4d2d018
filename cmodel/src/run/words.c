// SPDX-License-Identifier: Apache-2.0
//
// The numbers of a run as people read them.

#include <annelid/run.h>
#include <inttypes.h>
#include <stdio.h>

const char *anl_run_end_name(enum anl_run_end end)
{
    static const char *const names[] = {"complete", "max_cycles", "stalled", "stopped", "fault"};
    return (unsigned)end < sizeof names / sizeof *names ? names[end] : "?";
}

#define PUT(...) return snprintf(text, size, __VA_ARGS__) > 0

static bool put_worms(const struct anl_run_result *r, char *text, size_t size)
{
    const int used = snprintf(text, size, "worms       %" PRIu64 " created, %" PRIu64 " delivered",
                              r->totals.enqueued, r->totals.delivered);
    if (r->totals.discarded && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", %" PRIu64 " discarded (%.1f %%)",
                 r->totals.discarded,
                 100.0 * (double)r->totals.discarded / (double)r->totals.enqueued);
    if (r->totals.failed && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", %" PRIu64 " times one failed on its way",
                 r->totals.failed);
    return used > 0;
}

static bool put_load(const struct anl_run_result *r, char *text, size_t size)
{
    if (!r->window_cycles) return false;
    PUT("load        %.4f offered, %.4f accepted (flits per terminal and cycle)", r->offered_load,
        r->accepted_load);
}

static bool put_latency(const struct anl_run_result *r, char *text, size_t size)
{
    if (!r->measured) return false;
    PUT("latency     mean %.2f, min %" PRIu64 ", median %" PRIu64 ", 95 %% %" PRIu64
        ", 99 %% %" PRIu64 ", max %" PRIu64 " (cycles, %" PRIu64 " worms)",
        r->latency_mean, r->latency_min, r->latency_p50, r->latency_p95, r->latency_p99,
        r->latency_max, r->measured);
}

static bool put_classes(const struct anl_run_result *r, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t c = 0; r->measured && c < r->num_classes && used < size; c++) {
        const char *newline = c ? "\n" : "";
        if (r->classes[c].measured)
            used += (size_t)snprintf(text + used, size - used,
                                     "%s  class %" PRIu32 "   mean %.2f, 99 %% %" PRIu64
                                     " (cycles, %" PRIu64 " worms)",
                                     newline, c, r->classes[c].latency_mean,
                                     r->classes[c].latency_p99, r->classes[c].measured);
        else
            used += (size_t)snprintf(text + used, size - used,
                                     "%s  class %" PRIu32 "   no worm was measured", newline, c);
    }
    return used > 0;
}

static bool put_saturated(const struct anl_run_result *r, char *text, size_t size)
{
    if (!r->backlog.grows) return false;
    PUT("saturated   no steady state: in the second half of the measured cycles %.1f %% of the "
        "flits created\n"
        "            were left behind, and the queues at the sources grew. The latencies depend on "
        "how long\n"
        "            the run is and say nothing of the network (docs/run.md).",
        100 * r->backlog.left_behind);
}

static bool put_speed(const struct anl_run_result *r, char *text, size_t size)
{
    if (r->cpu_seconds <= 0) return false;
    PUT("speed       %" PRIu64 " flit-hops, %.2f million per CPU second, %.0f cycles/s",
        r->totals.flit_hops, (double)r->totals.flit_hops / r->cpu_seconds * 1e-6,
        (double)r->cycles / r->cpu_seconds);
}

bool anl_run_line(const struct anl_run_result *r, enum anl_run_line line, char *text, size_t size)
{
    switch (line) {
    case ANL_LINE_END:
        PUT("end         %s after %" PRIu64 " cycles", anl_run_end_name(r->end), r->cycles);
    case ANL_LINE_FAULT:
        if (!*r->fault) return false;
        PUT("fault       %s", r->fault);
    case ANL_LINE_WORMS:
        return put_worms(r, text, size);
    case ANL_LINE_LOAD:
        return put_load(r, text, size);
    case ANL_LINE_LATENCY:
        return put_latency(r, text, size);
    case ANL_LINE_CLASSES:
        return put_classes(r, text, size);
    case ANL_LINE_SATURATED:
        return put_saturated(r, text, size);
    case ANL_LINE_SPEED:
        return put_speed(r, text, size);
    case ANL_LINE_DIGEST:
        if (!r->has_digest) return false;
        PUT("digest      %016" PRIx64, r->digest);
    case ANL_LINE_REFEREE:
        if (!r->has_referee) return false;
        PUT("referee     %s", r->violation.rule ? r->violation.text : "no rule broken");
    case ANL_RUN_LINES:
        break;
    }
    return false;
}
