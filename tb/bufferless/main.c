// SPDX-License-Identifier: Apache-2.0
//
// Lock-step of a mesh without buffers (papers/roberts_symvonis/bufferless.md, "Lock-step").
//
//   bufferless PERMUTATIONS [SEED]   schedules, each also with a start too early, and random starts
//   bufferless [--rules] FILE K      the worms of a file, SOURCE,DESTINATION,START, of K flits
//
// Scenarios are the business of make regress.

#include "lockstep.h"

#include <annelid/schedule.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 3 };

static const uint32_t lengths[] = {1, 4, 8};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

struct sums {
    uint64_t runs, failed, flits, cycles, faults, digest;
};

static _Noreturn void die(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(2);
}

// --- worms ---

struct trial {
    uint32_t n, k, rounds;
    uint64_t seed;
    const char *permutation;
    enum anl_order order;
};

static const char *const names[] = {"transpose", "reversal", "shift", "rotate", "bitrev"};
enum { NAMES = sizeof names / sizeof *names };

static struct trial trial_of(uint32_t n, uint32_t number, uint64_t seed, uint32_t k)
{
    const bool power = (n & (n - 1)) == 0;
    const uint32_t named = power ? NAMES : NAMES - 1;
    return (struct trial){.n = n,
                          .k = k,
                          .rounds = 1 + number % MOST_ROUNDS,
                          .seed = seed + number,
                          .permutation = number < named ? names[number] : "random",
                          .order = (enum anl_order)((number + k) % ANL_ORDERS)};
}

// Appends the worms of one permutation, whose steps begin behind `after`. Returns their last step.
static uint32_t schedule(const struct trial *trial, uint32_t round, uint32_t after,
                         struct cast *cast)
{
    struct anl_permutation permutation;
    struct anl_scheduler *scheduler;
    uint32_t order[MOST_NODES], starts[MOST_NODES];
    if (anl_permutation_make(trial->permutation, trial->n, trial->seed + 1000000 * round,
                             &permutation, NULL) ||
        anl_order_make(&permutation, trial->order, trial->seed, order) ||
        anl_scheduler_create(&permutation, trial->k, &scheduler))
        die("no schedule");
    const struct anl_schedule made =
        anl_scheduler_run(scheduler, order, anl_permutation_worms(&permutation), starts);
    for (uint32_t node = 0; node < trial->n * trial->n; node++) {
        if (permutation.destinations[node] == node) continue;
        cast->worms[cast->count] = (struct anl_worm){.id = cast->count,
                                                     .source = node,
                                                     .destination = permutation.destinations[node],
                                                     .length = (uint16_t)trial->k,
                                                     .created = after + starts[node]};
        cast->count++;
    }
    anl_scheduler_destroy(scheduler);
    anl_permutation_free(&permutation);
    return after + made.makespan;
}

// --- verdicts ---

static void report(const struct trial *trial, const char *what,
                   const struct lockstep_result *result)
{
    printf("FAIL  n %u, k %u, %s seed %" PRIu64 ", order %s, %u rounds: %s\n", trial->n, trial->k,
           trial->permutation, trial->seed, anl_order_name(trial->order), trial->rounds, what);
    if (result->differs) printf("FIRST DIFFERENCE in %s\n", result->text);
    if (result->assertion[0]) printf("assertion %s\n", result->assertion);
    if (result->violation.rule)
        printf("referee: %s in step %" PRIu64 "\n",
               anl_bufferless_rule_name(result->violation.rule), result->violation.step);
}

static void add(struct sums *sums, const struct trial *trial, const char *failure,
                const struct lockstep_result *result)
{
    sums->runs++;
    sums->flits += result->flits;
    sums->cycles += result->cycles;
    sums->digest = anl_mix(sums->digest ^ result->digest);
    if (!failure) return;
    sums->failed++;
    report(trial, failure, result);
}

// A schedule is replayed: RTL and model agree, no fault line rises, no rule is broken.
static const char *fails_clean(const struct lockstep_result *result)
{
    if (result->differs) return "RTL and model differ";
    if (result->assertion[0]) return "an assertion of the RTL failed";
    if (result->violation.rule) return "a rule is broken";
    if (result->fault_step) return "a fault line is 1";
    if (result->fault.cause) return "the model has a fault";
    return NULL;
}

// A start is one too early: RTL and model still agree in every step. The fault line of the node
// that the model names rises when the model says so, and the referee sees the loss in the same
// step. `known` is what the check of schedules says, which is a machine of its own.
static const char *fails_early(const struct lockstep_result *result, uint64_t known_step,
                               uint32_t known_node)
{
    const struct anl_bufferless_fault *fault = &result->fault;
    if (result->differs) return "RTL and model differ";
    if (result->assertion[0]) return "an assertion of the RTL failed";
    if (fault->cause != ANL_BUFFERLESS_COLLISION) return "the model saw no collision";
    if (result->fault_step != fault->step + 1 || !(result->fault_nodes >> fault->node & 1))
        return "no fault line rose when the model had its fault";
    if (fault->step != known_step || fault->node != known_node)
        return "the check of schedules names another place";
    if (result->violation.rule == ANL_BUFFERLESS_KEPT || result->violation.step != fault->step + 1)
        return "the referee does not see what is lost";
    return NULL;
}

static const char *fails_wild(const struct lockstep_result *result)
{
    const bool fault = result->fault.cause != ANL_BUFFERLESS_NO_FAULT;
    if (result->differs) return "RTL and model differ";
    if (result->assertion[0]) return "an assertion of the RTL failed";
    if (fault && result->fault_step != result->fault.step + 1)
        return "the fault line rose in another step";
    if (fault == (result->violation.rule == ANL_BUFFERLESS_KEPT))
        return "the referee sees a loss without a fault, or none with one";
    return NULL;
}

// Returns what the check of schedules says of the worms of one round.
static struct anl_schedule_fault check(const struct trial *trial, const struct cast *cast)
{
    struct anl_permutation permutation;
    struct anl_schedule_fault fault;
    uint32_t starts[MOST_NODES] = {0};
    if (anl_permutation_begin(trial->n, &permutation, NULL)) die("no memory");
    for (uint32_t i = 0; i < cast->count; i++) {
        permutation.destinations[cast->worms[i].source] = cast->worms[i].destination;
        starts[cast->worms[i].source] = (uint32_t)cast->worms[i].created;
    }
    if (anl_schedule_check(&permutation, trial->k, starts, NULL, &fault)) die("no memory");
    anl_permutation_free(&permutation);
    return fault;
}

// --- trials ---

static void run_schedule(const struct trial *trial, struct sums *sums)
{
    static struct anl_worm worms[MOST_ROUNDS * MOST_NODES];
    struct cast cast = {worms, 0};
    uint32_t after = 0;
    for (uint32_t round = 0; round < trial->rounds; round++)
        after = schedule(trial, round, after, &cast);
    const struct lockstep_options options = {.wait = trial->seed % 4};
    const struct lockstep_result result = lockstep_run(&cast, &options);
    add(sums, trial, fails_clean(&result), &result);
}

// Lets one worm, which could start earlier were it not for others, start one step too early.
static void run_early(const struct trial *trial, struct sums *sums)
{
    struct anl_worm worms[MOST_NODES];
    struct cast cast = {worms, 0};
    struct anl_rng rng = anl_rng_seed(trial->seed, trial->k);
    schedule(trial, 0, 0, &cast);
    for (uint32_t tries = 0; tries < 1000; tries++) {
        struct anl_worm *worm = &worms[anl_rng_below(&rng, cast.count)];
        if (worm->created == 1) continue;
        worm->created--;
        const struct anl_schedule_fault known = check(trial, &cast);
        const struct lockstep_options options = {.wait = 0};
        const struct lockstep_result result = lockstep_run(&cast, &options);
        sums->faults++;
        add(sums, trial, fails_early(&result, known.step, known.node), &result);
        return;
    }
}

// Lets all worms start at random, so that many are lost, and the rest of them goes where it should
// not. RTL and model must agree in every step, and on which step had the first fault.
static void run_wild(const struct trial *trial, struct sums *sums)
{
    struct anl_worm worms[MOST_NODES];
    struct cast cast = {worms, 0};
    struct anl_rng rng = anl_rng_seed(trial->seed, trial->k + 100);
    schedule(trial, 0, 0, &cast);
    for (uint32_t i = 0; i < cast.count; i++)
        worms[i].created = 1 + anl_rng_below(&rng, 2 * trial->k);
    const struct lockstep_options options = {.wait = 0};
    const struct lockstep_result result = lockstep_run(&cast, &options);
    sums->faults += result.fault.cause != ANL_BUFFERLESS_NO_FAULT;
    add(sums, trial, fails_wild(&result), &result);
}

static int run_permutations(uint32_t count, uint64_t seed)
{
    struct sums sums = {0};
    const uint32_t n = lockstep_side();
    for (uint32_t number = 0; number < count; number++)
        for (uint32_t i = 0; i < LENGTHS; i++) {
            const struct trial trial = trial_of(n, number, seed, lengths[i]);
            run_schedule(&trial, &sums);
            run_early(&trial, &sums);
            run_wild(&trial, &sums);
        }
    printf("n = %u: %u permutations, %" PRIu64 " runs, %" PRIu64
           " of them with a fault line, %" PRIu64 " cycles, %" PRIu64
           " flit events, digest %016" PRIx64 "\n",
           n, count, sums.runs, sums.faults, sums.cycles, sums.flits, sums.digest);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", sums.runs - sums.failed, sums.failed);
    return sums.failed > 0;
}

// --- a file ---

static void read_worms(const char *path, uint32_t k, struct cast *cast)
{
    FILE *file = anl_input_open(path);
    char line[256];
    const uint32_t nodes = lockstep_side() * lockstep_side();
    if (!file) die("cannot open the file");
    while (fgets(line, sizeof line, file)) {
        uint32_t source, destination, start;
        if (sscanf(line, "%" SCNu32 ",%" SCNu32 ",%" SCNu32, &source, &destination, &start) != 3)
            continue;
        if (source >= nodes || destination >= nodes || source == destination || start < 1 ||
            cast->count == MOST_NODES)
            die("the file has a worm that cannot be");
        cast->worms[cast->count] = (struct anl_worm){.id = cast->count,
                                                     .source = source,
                                                     .destination = destination,
                                                     .length = (uint16_t)k,
                                                     .created = start};
        cast->count++;
    }
    fclose(file);
}

static int run_cast(const struct cast *cast, bool rules)
{
    const struct lockstep_options options = {.rules = rules};
    const struct lockstep_result result = lockstep_run(cast, &options);
    const struct anl_bufferless_violation *violation = &result.violation;
    if (result.differs)
        printf("%s in %s\n", rules ? "fault line" : "FIRST DIFFERENCE", result.text);
    if (violation->rule)
        printf("referee: %s in step %" PRIu64 " at (%u,%u).%c\n",
               anl_bufferless_rule_name(violation->rule), violation->step,
               violation->link / ANL_BUFFERLESS_PORTS / lockstep_side(),
               violation->link / ANL_BUFFERLESS_PORTS % lockstep_side(),
               "EWSNT"[violation->link % ANL_BUFFERLESS_PORTS]);
    if (!result.differs && !violation->rule)
        printf("agree, %" PRIu64 " flit events, digest %016" PRIx64 "\n", result.flits,
               result.digest);
    return result.differs || violation->rule;
}

static int run_file(const char *path, uint32_t k, bool rules)
{
    struct anl_worm worms[MOST_NODES];
    struct cast cast = {worms, 0};
    read_worms(path, k, &cast);
    return run_cast(&cast, rules);
}

int main(int count, char **words)
{
    const bool rules = count == 4 && strcmp(words[1], "--rules") == 0;
    if (count < 2 || count > 4 || (count == 4 && !rules)) die("bufferless PERMUTATIONS [SEED]");
    char **const rest = words + 1 + rules;
    char *end;
    const unsigned long number = strtoul(rest[0], &end, 10);
    if (*end == '\0' && !rules)
        return run_permutations((uint32_t)number, count > 2 ? strtoul(rest[1], NULL, 10) : 1);
    if (count < 3) die("bufferless [--rules] FILE K");
    return run_file(rest[0], (uint32_t)strtoul(rest[1], NULL, 10), rules);
}
