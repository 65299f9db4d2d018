// SPDX-License-Identifier: Apache-2.0
//
// Lock-step of a butterfly that discards (papers/cole_maggs_sitaraman/discard.md, "Lock-step").
//
//   discard RUNS [SEED]           worms at random, in rounds of colours, to few outputs, and in a
//   row discard [--rules] FILE K      the worms of a file, SOURCE,INTERMEDIATE,DESTINATION,START,
//   of K
//                                 flits

#include "lockstep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sums {
    uint64_t runs, failed, flits, steps, cycles, discarded, delivered, digest;
};

static struct anl_worm worms[MOST_WORMS];
static uint32_t lanes[MOST_WORMS];

static _Noreturn void die(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(2);
}

// --- worms ---

// Adds a worm, unless all injection lanes of its source are taken in its start.
static void add_worm(struct cast *cast, struct anl_worm worm)
{
    if (cast->count == MOST_WORMS || !lockstep_find_lane(cast, &worm, &cast->lanes[cast->count]))
        return;
    worm.id = cast->count;
    cast->worms[cast->count++] = worm;
}

static uint32_t draw_path(const struct lockstep_shape *shape, struct anl_rng *rng)
{
    return shape->passes == 2 ? anl_rng_below(rng, 1u << shape->levels) : 0;
}

static struct anl_worm draw_worm(const struct lockstep_shape *shape, struct anl_rng *rng,
                                 uint64_t start, uint32_t length)
{
    const uint32_t columns = 1u << shape->levels;
    return (struct anl_worm){.source = anl_rng_below(rng, columns),
                             .destination = anl_rng_below(rng, columns),
                             .path = draw_path(shape, rng),
                             .created = start,
                             .length = (uint16_t)length};
}

// Worms of 1 to 8 flits, of which some start in each step, at few or many outputs.
static void fill(const struct lockstep_shape *shape, struct anl_rng *rng, struct cast *cast)
{
    const uint32_t columns = 1u << shape->levels, longest = 1 + anl_rng_below(rng, 8);
    const uint32_t some = 1 + anl_rng_below(rng, columns), outputs = anl_rng_below(rng, 3);
    for (uint64_t start = 1; start <= 40; start++)
        for (uint32_t i = anl_rng_below(rng, some + 1); i > 0; i--) {
            struct anl_worm worm = draw_worm(shape, rng, start, 1 + anl_rng_below(rng, longest));
            if (outputs == 0) worm.destination %= 2;
            add_worm(cast, worm);
        }
}

// A round of the two-pass algorithm: colours, each a worm from most inputs. Its worms follow each
// other in the lanes without a gap.
static void fill_colours(const struct lockstep_shape *shape, struct anl_rng *rng, struct cast *cast)
{
    const uint32_t length = 1 + anl_rng_below(rng, 6), columns = 1u << shape->levels;
    const uint32_t some = 1 + anl_rng_below(rng, shape->injections);
    for (uint32_t colour = 0; colour < 6; colour++)
        for (uint32_t source = 0; source < columns; source++)
            for (uint32_t i = 0; i < some; i++) {
                struct anl_worm worm = draw_worm(shape, rng, 1 + colour * length, length);
                worm.source = source;
                if (anl_rng_below(rng, 8)) add_worm(cast, worm);
            }
}

// --- verdicts ---

static const char *failure(const struct lockstep_result *result)
{
    if (result->differs) return "RTL and model differ";
    if (result->assertion[0]) return "an assertion of the RTL failed";
    if (result->violation.rule) return "a rule is broken";
    return NULL;
}

static void report(const struct lockstep_result *result)
{
    const struct anl_discard_violation *violation = &result->violation;
    char place[50];
    if (result->differs) printf("FIRST DIFFERENCE in %s\n", result->text);
    if (result->assertion[0]) printf("assertion %s\n", result->assertion);
    if (!violation->rule) return;
    lockstep_place(place, sizeof place, violation->link, violation->vc);
    printf("referee: %s in step %" PRIu64 " at %s\n", anl_discard_rule_name(violation->rule),
           violation->step, place);
}

static void run_one(const struct lockstep_shape *shape, uint64_t seed, uint32_t number,
                    struct sums *sums)
{
    struct anl_rng rng = anl_rng_seed(seed, number);
    struct cast cast = {worms, lanes, 0};
    if (number % 3 == 2)
        fill_colours(shape, &rng, &cast);
    else
        fill(shape, &rng, &cast);
    const struct lockstep_options options = {.wait = number % 5};
    const struct lockstep_result result = lockstep_run(&cast, &options);
    sums->runs++;
    sums->flits += result.flits;
    sums->steps += result.steps;
    sums->cycles += result.cycles;
    sums->discarded += result.discarded;
    sums->delivered += result.delivered;
    sums->digest = anl_mix(sums->digest ^ result.digest);
    if (!failure(&result)) return;
    sums->failed++;
    printf("FAIL  run %u, seed %" PRIu64 ": %s\n", number, seed, failure(&result));
    report(&result);
}

static int run_all(uint32_t count, uint64_t seed)
{
    const struct lockstep_shape shape = lockstep_shape();
    struct sums sums = {0};
    for (uint32_t number = 0; number < count; number++)
        run_one(&shape, seed, number, &sums);
    printf("%u inputs, passes %u, lanes %u, %s: %" PRIu64 " runs, worms %" PRIu64
           " delivered, %" PRIu64 " discarded, %" PRIu64 " steps, %" PRIu64 " cycles, %" PRIu64
           " flit events, digest %016" PRIx64 "\n",
           1u << shape.levels, shape.passes, shape.num_vcs,
           shape.multiplexed ? "multiplexed" : "wide", sums.runs, sums.delivered, sums.discarded,
           sums.steps, sums.cycles, sums.flits, sums.digest);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", sums.runs - sums.failed, sums.failed);
    return sums.failed > 0;
}

// --- a file ---

static void read_worms(const char *path, uint32_t k, struct cast *cast)
{
    FILE *file = anl_input_open(path);
    char line[256];
    if (!file) die("cannot open the file");
    while (fgets(line, sizeof line, file)) {
        struct anl_worm worm = {.length = (uint16_t)k};
        const uint32_t before = cast->count;
        if (sscanf(line, "%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu64, &worm.source, &worm.path,
                   &worm.destination, &worm.created) != 4)
            die("expected lines source,intermediate,destination,start");
        add_worm(cast, worm);
        if (cast->count == before) die("no injection lane is free for a worm");
    }
    fclose(file);
}

static int run_file(const char *path, uint32_t k, bool rules)
{
    struct cast cast = {worms, lanes, 0};
    const struct lockstep_options options = {.rules = rules};
    lockstep_shape();
    read_worms(path, k, &cast);
    const struct lockstep_result result = lockstep_run(&cast, &options);
    report(&result);
    if (!failure(&result))
        printf("agree, %" PRIu64 " flit events, %" PRIu64 " cycles, worms %" PRIu64
               " delivered, %" PRIu64 " discarded\n",
               result.flits, result.cycles, result.delivered, result.discarded);
    return failure(&result) != NULL;
}

int main(int count, char **words)
{
    const bool rules = count == 4 && strcmp(words[1], "--rules") == 0;
    if (count < 2 || count > 4 || (count == 4 && !rules)) die("discard RUNS [SEED]");
    char **const rest = words + 1 + rules;
    char *end;
    const unsigned long number = strtoul(rest[0], &end, 10);
    if (*end == '\0' && !rules)
        return run_all((uint32_t)number, count > 2 ? strtoul(rest[1], NULL, 10) : 1);
    if (count < 3) die("discard [--rules] FILE K");
    return run_file(rest[0], (uint32_t)strtoul(rest[1], NULL, 10), rules);
}
