// SPDX-License-Identifier: Apache-2.0
//
// A program with libannelid whose traffic is its own (docs/own_traffic.md): processors read lines
// from memories. Each of them sends a request, waits for the line, works for some cycles, and sends
// the next one. A memory serves one request after the other.
// usage: traffic SCENARIO
//
//   cc -o traffic traffic.c $(pkg-config --cflags --libs annelid)

#include <annelid/annelid.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    READS = 200,  // of each processor
    MEMORIES = 4,
    SERVICE = 12,       // cycles in which a memory does nothing else
    WORK = 64,          // cycles, fewer than these, between two reads of a processor
    REQUEST_FLITS = 1,  // of a worm that asks for a line
    LINE_FLITS = 5,     // of a worm that carries one
};

// The first terminals are memories, the others processors. A processor and its only request are
// always in one of four places: it works, the request is on its way, the memory has it, the line is
// on its way.
struct processor {
    uint64_t due;  // when it has worked, or when the memory sends its line; ANL_NEVER: on the way
    uint32_t memory;
    bool served;  // the memory has the request
    uint32_t reads;
    uint64_t asked;  // cycle of its request
    struct anl_rng rng;
};

struct platform {
    uint32_t terminals;
    struct processor *processors;  // [terminals], of which those of memories do nothing
    uint64_t free_from[MEMORIES];  // the first cycle in which a memory can serve the next request
    uint64_t lines, cycles;        // that were read, and how long all of them took
};

// --- what the run asks ---

static uint64_t next_due(const struct platform *platform)
{
    uint64_t next = ANL_NEVER;
    for (uint32_t t = MEMORIES; t < platform->terminals; t++)
        if (platform->processors[t].due < next) next = platform->processors[t].due;
    return next;
}

// Creates the worm that a processor is due for: its request, or its line.
static void send(struct processor *processor, uint32_t terminal, uint64_t cycle,
                 struct anl_emit *emit)
{
    struct anl_new_worm worm = {
        .source = processor->memory, .destination = terminal, .length = LINE_FLITS};
    if (!processor->served) {
        processor->memory = anl_rng_below(&processor->rng, MEMORIES);
        processor->asked = cycle;
        worm.source = terminal;
        worm.destination = processor->memory;
        worm.length = REQUEST_FLITS;
    }
    processor->served = false;
    processor->due = ANL_NEVER;
    anl_emit_worm(emit, &worm);  // if it refuses, the run ends and says why
}

static uint64_t create(void *user, uint64_t cycle, struct anl_emit *emit)
{
    struct platform *platform = user;
    for (uint32_t t = MEMORIES; t < platform->terminals; t++)
        if (platform->processors[t].due == cycle) send(&platform->processors[t], t, cycle, emit);
    return next_due(platform);
}

static void serve(struct platform *platform, struct processor *processor, uint64_t cycle)
{
    uint64_t *free_from = &platform->free_from[processor->memory];
    *free_from = (*free_from > cycle ? *free_from : cycle + 1) + SERVICE;
    processor->due = *free_from;
    processor->served = true;
}

static void take_line(struct platform *platform, struct processor *processor, uint64_t cycle)
{
    platform->lines++;
    platform->cycles += cycle - processor->asked + 1;
    if (++processor->reads < READS)
        processor->due = cycle + 1 + anl_rng_below(&processor->rng, WORK);
}

static uint64_t delivered(void *user, uint64_t cycle, const struct anl_worm *worms, size_t count)
{
    struct platform *platform = user;
    for (size_t i = 0; i < count; i++) {
        if (worms[i].destination < MEMORIES)
            serve(platform, &platform->processors[worms[i].source], cycle);
        else
            take_line(platform, &platform->processors[worms[i].destination], cycle);
    }
    return next_due(platform);
}

// --- the run ---

static int complain(const struct anl_error *error)
{
    anl_error_print(error, "traffic", stderr);
    return 2;
}

// Returns false if there are no processors, or no memory for them.
static bool begin(struct platform *platform, const struct anl_scenario *scenario)
{
    *platform = (struct platform){.terminals = anl_shape_of(&scenario->network).terminals};
    if (platform->terminals <= MEMORIES) return false;
    platform->processors = calloc(platform->terminals, sizeof *platform->processors);
    for (uint32_t t = 0; platform->processors && t < platform->terminals; t++)
        platform->processors[t].rng = anl_rng_seed(scenario->run.seed, t);
    return platform->processors != NULL;
}

static int print(const struct anl_run_result *result, const struct platform *platform)
{
    char text[ANL_RUN_LINE_BYTES];
    for (enum anl_run_line line = ANL_LINE_END; line < ANL_RUN_LINES; line++)
        if (line != ANL_LINE_SPEED && anl_run_line(result, line, text, sizeof text)) puts(text);
    printf("lines       %" PRIu64 " read, mean %.2f cycles from the request to the line\n",
           platform->lines, (double)platform->cycles / (double)platform->lines);
    return result->end != ANL_RUN_COMPLETE || result->violation.rule;
}

int main(int argc, char **argv)
{
    struct anl_scenario scenario;
    struct anl_error error = {0};
    struct anl_run_result result;
    struct platform platform;
    if (argc != 2) {
        fputs("usage: traffic SCENARIO\n", stderr);
        return 2;
    }
    if (anl_scenario_load(argv[1], &scenario, &error)) return complain(&error);
    if (!begin(&platform, &scenario)) {
        fprintf(stderr,
                "traffic: %s: found %" PRIu32 " terminals, expected more than %d, and memory\n",
                argv[1], platform.terminals, MEMORIES);
        anl_scenario_free(&scenario);
        return 2;
    }
    const struct anl_own_traffic traffic = {
        .user = &platform, .create = create, .delivered = delivered};
    const struct anl_run_options options = {.digest = true, .referee = true, .traffic = &traffic};
    const enum anl_status status = anl_run(&scenario, &options, &result, &error);
    anl_scenario_free(&scenario);
    free(platform.processors);
    return status ? complain(&error) : print(&result, &platform);
}
