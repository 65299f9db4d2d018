// SPDX-License-Identifier: Apache-2.0
//
// A run: traffic offers worms, the net steps, and whoever was asked to looks on.

#include <annelid/run.h>

#include <annelid/topology.h>
#include <annelid/traffic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Exact histogram of latencies; count[i] worms took i cycles.
struct histogram {
    uint32_t *count;
    uint64_t size, total;
    double sum;
};

struct run {
    const struct anl_scenario *scenario;
    const struct anl_run_options *options;
    struct anl_net *net;
    struct anl_traffic *traffic;
    struct anl_digest *digest;
    struct anl_referee *referee;
    struct anl_error *error;  // text "" until the story has one
    struct histogram latency;
    uint64_t idle_cycles;                  // in a row without a move
    uint64_t created_flits, created_warm;  // flits of all worms created; before warm-up ended
    uint64_t ejected_warm,
        ejected_end;       // flits ejected before warm-up's end, before creation ended
    uint64_t created_end;  // flits created before creation ended
    uint64_t measure_end;  // cycle at which the measured window ends
};

static enum anl_status count_latency(struct histogram *histogram, uint64_t latency)
{
    if (latency >= histogram->size) {
        const uint64_t size = latency * 2 + 64;
        uint32_t *grown = realloc(histogram->count, size * sizeof *grown);
        if (!grown) return ANL_ERR_MEMORY;
        memset(grown + histogram->size, 0, (size - histogram->size) * sizeof *grown);
        histogram->count = grown;
        histogram->size = size;
    }
    histogram->count[latency]++;
    histogram->total++;
    histogram->sum += (double)latency;
    return ANL_OK;
}

// Smallest latency that at least the fraction of all worms does not exceed.
static uint64_t quantile(const struct histogram *histogram, double fraction)
{
    uint64_t seen = 0;
    for (uint64_t i = 0; i < histogram->size; i++) {
        seen += histogram->count[i];
        if (seen > 0 && (double)seen >= fraction * (double)histogram->total) return i;
    }
    return 0;
}

static enum anl_status create(struct run *run)
{
    enum anl_status status = anl_net_create(&run->scenario->network, &run->net);
    if (!status) status = anl_traffic_create(run->scenario, &run->traffic);
    if (!status && run->options->digest) status = anl_digest_create(&run->digest);
    if (!status && run->options->referee)
        status = anl_referee_create(&run->scenario->network, &run->referee);
    if (!status) anl_net_reset(run->net, run->scenario->run.seed);
    if (!status) status = anl_net_shuffle(run->net, run->options->shuffle);
    if (!status)
        anl_net_record(run->net, run->options->record || run->digest || run->referee ||
                                     run->options->trace || run->options->story);
    return status;
}

static void destroy(struct run *run)
{
    anl_net_destroy(run->net);
    anl_traffic_destroy(run->traffic);
    anl_digest_destroy(run->digest);
    anl_referee_destroy(run->referee);
    free(run->latency.count);
}

static enum anl_status offer(struct run *run, const struct anl_offer *offer)
{
    uint32_t id;
    const enum anl_status status =
        anl_net_offer(run->net, offer->source, offer->destination, offer->length, &id);
    if (status) return status;

    const struct anl_worm *worm = anl_net_worm(run->net, id);
    run->created_flits += worm->length;
    if (run->digest) anl_digest_worm(run->digest, worm);
    if (run->referee) anl_referee_worm(run->referee, worm);
    if (run->options->trace) anl_trace_worm(run->options->trace, worm);
    return run->options->story ? anl_story_worm(run->options->story, worm, run->error) : ANL_OK;
}

static enum anl_status show_flits(struct run *run, uint64_t cycle)
{
    size_t count;
    const struct anl_flit *flits = anl_net_flits(run->net, &count);
    if (run->digest) anl_digest_flits(run->digest, cycle, flits, count);
    if (run->referee) anl_referee_flits(run->referee, cycle, flits, count);
    if (run->options->trace) anl_trace_flits(run->options->trace, cycle, flits, count);
    if (!run->options->story) return ANL_OK;
    return anl_story_flits(run->options->story, cycle, flits, count, run->error);
}

static enum anl_status count_delivered(struct run *run, uint64_t cycle)
{
    size_t count;
    const struct anl_worm *worms = anl_net_delivered(run->net, &count);
    enum anl_status status = ANL_OK;

    anl_traffic_delivered(run->traffic, worms, count);
    for (size_t i = 0; i < count && !status; i++)
        if (worms[i].created >= run->scenario->run.warmup_cycles)
            status = count_latency(&run->latency, cycle - worms[i].created + 1);
    return status;
}

// Open loops are measured while worms are created, closed ones to the end of the run.
static uint64_t window_end(const struct anl_scenario *scenario)
{
    return anl_process_is_open_loop(scenario->traffic.process) ? scenario->run.cycles : UINT64_MAX;
}

// Notes what was created and ejected at the two ends of the measured window.
static void mark_window(struct run *run, uint64_t cycle)
{
    const uint64_t ejected = anl_net_totals(run->net).ejected_flits;
    if (cycle + 1 == run->scenario->run.warmup_cycles) {
        run->created_warm = run->created_flits;
        run->ejected_warm = ejected;
    }
    if (cycle >= window_end(run->scenario)) return;
    run->measure_end = cycle + 1;
    run->created_end = run->created_flits;
    run->ejected_end = ejected;
}

static enum anl_status cycle(struct run *run, uint64_t now)
{
    size_t count;
    const struct anl_offer *offers = anl_traffic_cycle(run->traffic, now, &count);
    enum anl_status status = ANL_OK;

    for (size_t i = 0; i < count && !status; i++)
        status = offer(run, &offers[i]);
    if (status) return status;
    anl_net_step(run->net);
    status = show_flits(run, now);
    if (status) return status;
    mark_window(run, now);
    return count_delivered(run, now);
}

// True when the run is over; *end says why.
static bool is_over(struct run *run, enum anl_run_end *end)
{
    const struct anl_net_totals totals = anl_net_totals(run->net);
    const uint64_t patience = 4 * run->scenario->network.depth + 64;
    const uint64_t cycles = anl_net_cycle(run->net);
    const uint64_t every = run->options->progress_cycles;
    const bool go_on =
        !every || cycles % every != 0 || run->options->progress(run->options->user, run->net);

    run->idle_cycles = totals.moved || !totals.in_network ? 0 : run->idle_cycles + 1;
    *end = ANL_RUN_COMPLETE;
    if (totals.offered == totals.delivered && anl_traffic_done(run->traffic)) return true;
    *end = ANL_RUN_STALLED;
    if (run->idle_cycles >= patience) return true;
    *end = ANL_RUN_MAX_CYCLES;
    if (cycles >= run->scenario->run.max_cycles) return true;
    *end = ANL_RUN_STOPPED;
    return !go_on;
}

static void conclude(struct run *run, struct anl_run_result *result)
{
    const struct histogram *latency = &run->latency;
    const uint64_t warmup = run->scenario->run.warmup_cycles;
    const double terminals = anl_shape_of(&run->scenario->network).terminals;

    result->cycles = anl_net_cycle(run->net);
    result->totals = anl_net_totals(run->net);
    if (run->digest) result->digest = anl_digest_value(run->digest);
    if (run->referee) {
        anl_referee_end(run->referee, result->cycles, result->end == ANL_RUN_COMPLETE);
        const struct anl_violation *violation = anl_referee_violation(run->referee);
        if (violation) result->violation = *violation;
    }
    result->measured = latency->total;
    result->latency_mean = latency->total ? latency->sum / (double)latency->total : 0;
    result->latency_min = quantile(latency, 0);
    result->latency_p50 = quantile(latency, 0.50);
    result->latency_p95 = quantile(latency, 0.95);
    result->latency_p99 = quantile(latency, 0.99);
    result->latency_max = quantile(latency, 1);
    if (run->measure_end <= warmup) return;
    const double window = terminals * (double)(run->measure_end - warmup);
    result->offered_load = (double)(run->created_end - run->created_warm) / window;
    result->accepted_load = (double)(run->ejected_end - run->ejected_warm) / window;
}

enum anl_status anl_run(const struct anl_scenario *scenario, const struct anl_run_options *options,
                        struct anl_run_result *result, struct anl_error *error)
{
    struct anl_error first = {0};
    struct run run = {.scenario = scenario, .options = options, .error = &first};
    const clock_t begin = clock();
    enum anl_status status = create(&run);

    *result = (struct anl_run_result){0};
    do {
        if (!status) status = cycle(&run, anl_net_cycle(run.net));
    } while (!status && !is_over(&run, &result->end));
    if (!status) conclude(&run, result);
    if (!status && run.referee) status = anl_referee_status(run.referee);
    result->cpu_seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    destroy(&run);
    if (!status) return ANL_OK;
    return anl_fail(error, status, "", 0, "%s", *first.text ? first.text : anl_status_text(status));
}
