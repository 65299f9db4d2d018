// SPDX-License-Identifier: Apache-2.0
//
// What a run counts: latencies, loads, and the rest that the caller asked for.

#include "run.h"

#include <annelid/network.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD_WINDOWS = 200, LEAST_WINDOWS = 8 };

// Makes the windows in which the load of an open loop is watched. What does not fill a window is
// left out at the end.
static enum anl_status make_load_windows(struct anl_windows *load,
                                         const struct anl_scenario *scenario)
{
    const uint64_t cycles = scenario->run.cycles;
    if (!anl_process_is_open_loop(scenario->traffic.process)) return ANL_OK;
    load->cycles = cycles < LOAD_WINDOWS ? 1 : cycles / LOAD_WINDOWS;
    load->count = cycles / load->cycles;
    load->at = calloc(load->count, sizeof *load->at);
    return load->at ? ANL_OK : ANL_ERR_MEMORY;
}

enum anl_status statistics_begin(struct run_statistics *statistics,
                                 const struct anl_scenario *scenario,
                                 const struct anl_run_options *options)
{
    *statistics = (struct run_statistics){
        .scenario = scenario,
        .options = options,
        .terminals = anl_shape_of(&scenario->network).terminals,
        .num_classes = anl_num_classes(&scenario->network) > 1 ? scenario->network.classes : 0,
    };
    if (options->windows)
        *options->windows = (struct anl_windows){.cycles = options->windows->cycles};
    return make_load_windows(&statistics->load, scenario);
}

void statistics_worm(struct run_statistics *statistics, const struct anl_worm *worm)
{
    statistics->created_flits += worm->length;
}

// --- windows ---

// Makes sure that window `at` and those before it exist.
static enum anl_status reach_window(struct run_statistics *statistics, size_t at)
{
    struct anl_windows *windows = statistics->options->windows;
    if (at >= statistics->room) {
        const size_t room = 2 * at + 64;
        struct anl_window *grown = realloc(windows->at, room * sizeof *grown);
        if (!grown) return ANL_ERR_MEMORY;
        windows->at = grown;
        statistics->room = room;
    }
    while (windows->count <= at)
        windows->at[windows->count++] = (struct anl_window){0};
    return ANL_OK;
}

static enum anl_status count_in_windows(struct run_statistics *statistics,
                                        const struct anl_worm *delivered, size_t count,
                                        uint64_t cycle)
{
    const struct anl_windows *windows = statistics->options->windows;
    if (reach_window(statistics, cycle / windows->cycles)) return ANL_ERR_MEMORY;
    struct anl_window *now = &windows->at[cycle / windows->cycles];
    now->created_flits += statistics->created_flits - statistics->created_before;
    now->ejected_flits += statistics->ejected - statistics->ejected_before;
    for (size_t i = 0; i < count; i++) {
        struct anl_window *window = &windows->at[delivered[i].created / windows->cycles];
        window->worms++;
        window->latency += cycle - delivered[i].created + 1;
    }
    return ANL_OK;
}

// --- the backlog of an open loop ---

static void count_load(struct run_statistics *statistics, uint64_t cycle)
{
    const struct anl_windows *load = &statistics->load;
    if (!load->at || cycle / load->cycles >= load->count) return;
    struct anl_window *now = &load->at[cycle / load->cycles];
    now->created_flits += statistics->created_flits - statistics->created_before;
    now->ejected_flits += statistics->ejected - statistics->ejected_before;
}

struct level {
    double mean, most;
};

// Returns mean and maximum of the backlog at the ends of windows begin .. end - 1. *backlog is the
// backlog before window begin, and then that after the last one.
static struct level level_of(const struct anl_window *windows, size_t begin, size_t end,
                             double *backlog)
{
    struct level level = {.most = -INFINITY};
    for (size_t i = begin; i < end; i++) {
        *backlog += (double)windows[i].created_flits - (double)windows[i].ejected_flits;
        level.mean += *backlog / (double)(end - begin);
        level.most = fmax(level.most, *backlog);
    }
    return level;
}

struct anl_backlog anl_backlog_of(const struct anl_window *windows, size_t begin, size_t end)
{
    static const double allowed = 0.01;
    const size_t half = begin + (end - begin) / 2, quarter = half + (end - half) / 2;
    if (half == quarter) return (struct anl_backlog){0};
    double backlog = 0, created = 0;
    level_of(windows, 0, half, &backlog);
    const double at_half = backlog;
    const struct level third = level_of(windows, half, quarter, &backlog);
    const struct level last = level_of(windows, quarter, end, &backlog);
    for (size_t i = half; i < end; i++)
        created += (double)windows[i].created_flits;
    const double left = backlog - at_half;
    return (struct anl_backlog){.left_behind = created > 0 ? left / created : 0,
                                .grows = left > allowed * created && last.mean > third.most};
}

// Judges the load of the measured cycles, but not those of the first tenth of the run, in which an
// empty network fills.
static void judge_load(const struct run_statistics *statistics, struct anl_run_result *result)
{
    const struct anl_run_config *config = &statistics->scenario->run;
    const struct anl_windows *load = &statistics->load;
    const uint64_t tenth = config->cycles / 10;
    const uint64_t least = config->warmup_cycles > tenth ? config->warmup_cycles : tenth;
    if (anl_has(&statistics->scenario->network, ANL_TRAIT_DISCARDS)) return;  // nothing queues up
    if (!load->at || result->end == ANL_RUN_STALLED || result->end == ANL_RUN_STOPPED) return;
    const size_t first = (least + load->cycles - 1) / load->cycles;
    if (first + LEAST_WINDOWS > load->count) return;
    result->saturation_known = true;
    result->backlog = anl_backlog_of(load->at, first, load->count);
}

// --- latencies ---

static enum anl_status count_latency(struct anl_latencies *latencies, uint64_t latency)
{
    if (latency >= latencies->size) {
        const uint64_t size = latency * 2 + 64;
        uint64_t *grown = realloc(latencies->count, size * sizeof *grown);
        if (!grown) return ANL_ERR_MEMORY;
        memset(grown + latencies->size, 0, (size - latencies->size) * sizeof *grown);
        latencies->count = grown;
        latencies->size = size;
    }
    latencies->count[latency]++;
    return ANL_OK;
}

static enum anl_status count_worm(struct run_statistics *statistics, const struct anl_worm *worm,
                                  uint64_t latency)
{
    const enum anl_status status = count_latency(&statistics->latencies, latency);
    if (status || statistics->num_classes == 0) return status;
    return count_latency(&statistics->classes[worm->class_], latency);
}

static enum anl_status count_latencies(struct run_statistics *statistics,
                                       const struct anl_worm *delivered, size_t count,
                                       uint64_t cycle)
{
    for (size_t i = 0; i < count; i++)
        if (delivered[i].created >= statistics->scenario->run.warmup_cycles &&
            count_worm(statistics, &delivered[i], cycle - delivered[i].created + 1))
            return ANL_ERR_MEMORY;
    return ANL_OK;
}

uint64_t anl_latencies_worms(const struct anl_latencies *latencies)
{
    uint64_t worms = 0;
    for (size_t i = 0; i < latencies->size; i++)
        worms += latencies->count[i];
    return worms;
}

uint64_t anl_latencies_quantile(const struct anl_latencies *latencies, double fraction)
{
    const double wanted = fraction * (double)anl_latencies_worms(latencies);
    uint64_t seen = 0;
    for (size_t i = 0; i < latencies->size; i++) {
        seen += latencies->count[i];
        if (seen > 0 && (double)seen >= wanted) return i;
    }
    return 0;
}

double anl_latencies_mean(const struct anl_latencies *latencies)
{
    const uint64_t worms = anl_latencies_worms(latencies);
    double sum = 0;
    for (size_t i = 0; i < latencies->size; i++)
        sum += (double)i * (double)latencies->count[i];
    return worms ? sum / (double)worms : 0;
}

// --- the measured window ---

// Returns the end of the measured window: open-loop processes are measured while they create worms,
// the others to the end of the run.
static uint64_t last_end(const struct anl_scenario *scenario)
{
    return anl_process_is_open_loop(scenario->traffic.process) ? scenario->run.cycles : UINT64_MAX;
}

static void count_links(const struct run_statistics *statistics, const struct anl_engine *engine)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(engine, &count);
    for (size_t i = 0; i < count; i++)
        statistics->options->link_flits[flits[i].link]++;
}

// Notes how many flits were created and ejected at the begin and the end of the measured window.
static void mark_window(struct run_statistics *statistics, const struct anl_engine *engine,
                        uint64_t cycle)
{
    const uint64_t warmup = statistics->scenario->run.warmup_cycles;
    if (cycle + 1 == warmup) {
        statistics->created_at_begin = statistics->created_flits;
        statistics->ejected_at_begin = statistics->ejected;
    }
    if (cycle >= last_end(statistics->scenario)) return;
    statistics->end = cycle + 1;
    statistics->created_at_end = statistics->created_flits;
    statistics->ejected_at_end = statistics->ejected;
    if (statistics->options->link_flits && cycle >= warmup) count_links(statistics, engine);
}

// --- a run ---

enum anl_status statistics_cycle(struct run_statistics *statistics, const struct anl_engine *engine,
                                 uint64_t cycle)
{
    size_t count;
    const struct anl_worm *delivered = anl_engine_delivered(engine, &count);
    statistics->ejected = anl_engine_totals(engine).ejected_flits;
    mark_window(statistics, engine, cycle);
    count_load(statistics, cycle);
    enum anl_status status = count_latencies(statistics, delivered, count, cycle);
    if (!status && statistics->options->windows)
        status = count_in_windows(statistics, delivered, count, cycle);
    statistics->created_before = statistics->created_flits;
    statistics->ejected_before = statistics->ejected;
    return status;
}

static struct anl_class_result class_result(const struct anl_latencies *latencies)
{
    return (struct anl_class_result){anl_latencies_worms(latencies), anl_latencies_mean(latencies),
                                     anl_latencies_quantile(latencies, 0.99)};
}

void statistics_conclude(const struct run_statistics *statistics, struct anl_run_result *result)
{
    const uint64_t warmup = statistics->scenario->run.warmup_cycles;
    const struct anl_latencies *latencies = &statistics->latencies;
    result->measured = anl_latencies_worms(latencies);
    result->latency_mean = anl_latencies_mean(latencies);
    result->latency_min = anl_latencies_quantile(latencies, 0);
    result->latency_p50 = anl_latencies_quantile(latencies, 0.50);
    result->latency_p95 = anl_latencies_quantile(latencies, 0.95);
    result->latency_p99 = anl_latencies_quantile(latencies, 0.99);
    result->latency_max = anl_latencies_quantile(latencies, 1);
    result->num_classes = statistics->num_classes;
    for (uint32_t c = 0; c < statistics->num_classes; c++)
        result->classes[c] = class_result(&statistics->classes[c]);
    judge_load(statistics, result);
    if (statistics->end <= warmup) return;
    result->window_cycles = statistics->end - warmup;
    const double window = (double)statistics->terminals * (double)result->window_cycles;
    const uint64_t created = statistics->created_at_end - statistics->created_at_begin;
    const uint64_t ejected = statistics->ejected_at_end - statistics->ejected_at_begin;
    result->offered_load = (double)created / window;
    result->accepted_load = (double)ejected / window;
}

// --- a team ---

void statistics_cut(struct run_statistics *statistics, uint64_t cycles)
{
    struct anl_windows *windows = statistics->options->windows;
    if (statistics->end > cycles) statistics->end = cycles;
    if (windows && windows->count > (cycles - 1) / windows->cycles + 1)
        windows->count = (cycles - 1) / windows->cycles + 1;
}

// Returns the list of latencies of a number, first those of all worms, then those of the classes.
static struct anl_latencies *latencies_of(struct run_statistics *statistics, uint32_t number)
{
    return number == 0 ? &statistics->latencies : &statistics->classes[number - 1];
}

static enum anl_status grow_latencies(struct anl_latencies *latencies, uint64_t size)
{
    if (size <= latencies->size) return ANL_OK;
    uint64_t *grown = realloc(latencies->count, size * sizeof *grown);
    if (!grown) return ANL_ERR_MEMORY;
    memset(grown + latencies->size, 0, (size - latencies->size) * sizeof *grown);
    *latencies = (struct anl_latencies){grown, size};
    return ANL_OK;
}

// Takes off the zeros at the end, of which there are more or fewer as the list has grown.
static void trim_latencies(struct anl_latencies *latencies)
{
    while (latencies->size && !latencies->count[latencies->size - 1])
        latencies->size--;
}

// Makes the lists of all members equally long.
static enum anl_status level_latencies(struct run_statistics *statistics,
                                       const struct anl_team *team)
{
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; i <= statistics->num_classes && !status; i++) {
        struct anl_latencies *latencies = latencies_of(statistics, i);
        uint64_t size = latencies->size;
        team->most(team->user, &size, 1);
        status = grow_latencies(latencies, size);
    }
    return status;
}

// Calls a function for each list of counters that add up over the members of a team.
typedef void each_counters(void *user, uint64_t *counters, size_t count);
static void each_list(struct run_statistics *statistics, each_counters *each, void *user)
{
    uint64_t *const counters[] = {
        &statistics->created_flits, &statistics->created_at_begin, &statistics->created_at_end,
        &statistics->ejected,       &statistics->ejected_at_begin, &statistics->ejected_at_end,
    };
    const size_t in_window = sizeof(struct anl_window) / sizeof(uint64_t);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        each(user, counters[i], 1);
    const struct anl_windows *windows = statistics->options->windows;
    if (windows) each(user, (uint64_t *)windows->at, windows->count * in_window);
    each(user, (uint64_t *)statistics->load.at, statistics->load.count * in_window);
    for (uint32_t i = 0; i <= statistics->num_classes; i++)
        each(user, latencies_of(statistics, i)->count, latencies_of(statistics, i)->size);
}

static void sum_list(void *user, uint64_t *counters, size_t count)
{
    const struct anl_team *team = user;
    team->sum(team->user, counters, count);
}

enum anl_status statistics_join(struct run_statistics *statistics, const struct anl_team *team)
{
    struct anl_team members = *team;
    const enum anl_status status = level_latencies(statistics, team);
    if (!status) each_list(statistics, sum_list, &members);
    return status;
}

// --- checkpoints ---

struct packing {
    const struct anl_team *team;
    struct anl_pack *pack;
};

// Packs the sums of all members; what is unpacked counts for one of them, and the others begin with
// zeros.
static void pack_list(void *user, uint64_t *counters, size_t count)
{
    const struct packing *packing = user;
    const struct anl_team *team = packing->team;
    uint64_t *sums = calloc(count + 1, sizeof *sums);
    if (!anl_pack_expect(packing->pack, sums != NULL)) return;
    if (count) memcpy(sums, counters, count * sizeof *sums);
    if (team && !packing->pack->from) team->sum(team->user, sums, count);
    for (size_t i = 0; i < count; i++)
        ANL_PACK(packing->pack, sums[i]);
    if (packing->pack->from && count && (!team || team->rank == 0))
        memcpy(counters, sums, count * sizeof *sums);
    free(sums);
}

enum anl_status statistics_pack(struct run_statistics *statistics, const struct anl_team *team,
                                struct anl_pack *pack)
{
    struct packing packing = {team, pack};
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; i <= statistics->num_classes && !pack->from; i++)
        trim_latencies(latencies_of(statistics, i));
    if (team && !pack->from) status = level_latencies(statistics, team);
    for (uint32_t i = 0; i <= statistics->num_classes && !status; i++) {
        uint64_t size = latencies_of(statistics, i)->size;
        ANL_PACK(pack, size);
        if (!anl_pack_expect(pack, !pack->from || size <= pack->count / sizeof size)) return ANL_OK;
        status = grow_latencies(latencies_of(statistics, i), size);
    }
    if (status) return status;
    ANL_PACK(pack, statistics->end);
    each_list(statistics, pack_list, &packing);
    statistics->created_before = statistics->created_flits;
    statistics->ejected_before = statistics->ejected;
    return ANL_OK;
}

void statistics_end(struct run_statistics *statistics)
{
    free(statistics->load.at);
    if (statistics->options->latencies)
        *statistics->options->latencies = statistics->latencies;
    else
        free(statistics->latencies.count);
    for (uint32_t c = 0; c < statistics->num_classes; c++)
        free(statistics->classes[c].count);
}
