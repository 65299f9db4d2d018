// SPDX-License-Identifier: Apache-2.0
//
// Lock-step of sliding diagonals (papers/bock/diagonals.md, "RTL").
//
//   diagonals RUNS [SEED]   one worm from each node to a random one, and clean-up batches until all
//                           are delivered
//   diagonals [--rules] FILE
//                           the worms of a file, SOURCE,DESTINATION,BATCH, without clean-up; with
//                           --rules the model is left out, and the referee alone judges

#include "lockstep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sums {
    uint64_t runs, failed, flits, cycles, digest, batches, clean, strayed;
    uint64_t states[ANL_DIAGONALS_STATES];
};

static _Noreturn void die(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(2);
}

static uint32_t draw(const struct anl_diagonals_config *config, struct anl_rng *rng,
                     struct anl_diagonals_worm *worms)
{
    const uint32_t n = config->n, batches = config->a * config->b * config->length;
    for (uint32_t node = 0; node < n * n; node++)
        worms[node] = (struct anl_diagonals_worm){.source = node,
                                                  .destination = anl_rng_below(rng, n * n),
                                                  .batch = (node % n + node / n) % batches};
    return n * n;
}

// Keeps the worms that failed, where they are, in batches. Returns how many there are.
static uint32_t clean_up(const struct anl_diagonals_config *config,
                         struct anl_diagonals_worm *worms, uint32_t count, struct sums *sums)
{
    uint32_t left = 0, batches;
    for (uint32_t i = 0; i < count; i++) {
        sums->states[worms[i].state]++;
        sums->strayed += worms[i].strayed;
        if (worms[i].state == ANL_DIAGONALS_DELIVERED) continue;
        worms[left++] = (struct anl_diagonals_worm){.source = worms[i].node,
                                                    .destination = worms[i].destination};
    }
    if (anl_diagonals_batch(config, worms, left, &batches)) die("no batches");
    sums->clean += batches;
    return left;
}

static void add(struct sums *sums, const struct lockstep_result *result)
{
    sums->flits += result->flits;
    sums->cycles += result->cycles;
    sums->digest = anl_mix(sums->digest ^ result->digest);
}

static bool agrees(const struct lockstep_result *result, uint32_t number)
{
    if (result->differs)
        printf("FIRST DIFFERENCE of run %" PRIu32 " in %s\n", number, result->text);
    if (result->assertion[0]) printf("assertion %s\n", result->assertion);
    const struct anl_diagonals_violation *broken = &result->violation;
    if (broken->rule)
        printf("referee: %s in step %" PRIu64 " at %s\n", anl_diagonals_rule_name(broken->rule),
               broken->step, lockstep_place(broken->link));
    return !result->differs && !result->assertion[0] && !broken->rule;
}

static void run_one(struct anl_diagonals *machine, const struct anl_diagonals_config *config,
                    uint64_t seed, uint32_t number, struct sums *sums)
{
    static struct anl_diagonals_worm worms[MOST_NODES];
    struct anl_rng rng = anl_rng_seed(seed, number);
    uint32_t count = draw(config, &rng, worms);
    bool good = true;
    sums->runs++;
    sums->batches += config->a * config->b * config->length;
    while (good && count > 0) {
        const struct lockstep_result result = lockstep_run(machine, worms, count, false);
        add(sums, &result);
        good = agrees(&result, number);
        if (good) count = clean_up(config, worms, count, sums);
    }
    sums->failed += !good;
}

// --- a file ---

static uint32_t read_worms(const char *path, const struct anl_diagonals_config *config,
                           struct anl_diagonals_worm *worms)
{
    const uint32_t nodes = config->n * config->n;
    FILE *file = anl_input_open(path);
    char line[256], rest;
    uint32_t count = 0;
    if (!file) die("cannot open the file");
    for (; fgets(line, sizeof line, file); count++) {
        struct anl_diagonals_worm worm = {0};
        if (count == nodes) die("expected one worm a node at most");
        if (sscanf(line, "%" SCNu32 ",%" SCNu32 ",%" SCNu32 " %c", &worm.source, &worm.destination,
                   &worm.batch, &rest) != 3 ||
            worm.source >= nodes || worm.destination >= nodes || worm.batch >= nodes) {
            fprintf(stderr,
                    "%s:%" PRIu32 ": expected source,destination,batch, all below %" PRIu32 "\n",
                    path, count + 1, nodes);
            exit(2);
        }
        worms[count] = worm;
    }
    fclose(file);
    return count;
}

static int run_file(struct anl_diagonals *machine, const struct anl_diagonals_config *config,
                    const char *path, bool rules)
{
    static struct anl_diagonals_worm worms[MOST_NODES];
    const uint32_t count = read_worms(path, config, worms);
    const struct lockstep_result result = lockstep_run(machine, worms, count, rules);
    const bool good = agrees(&result, 0);
    if (good)
        printf("agree, %" PRIu64 " flit events, %" PRIu64 " cycles, delivered %" PRIu32 "\n",
               result.flits, result.cycles,
               anl_diagonals_totals(machine).states[ANL_DIAGONALS_DELIVERED]);
    return !good;
}

int main(int count, char **words)
{
    char *end = "";
    const bool rules = count == 3 && strcmp(words[1], "--rules") == 0;
    const unsigned long runs = count > 1 && !rules ? strtoul(words[1], &end, 10) : 0;
    const uint64_t seed = count > 2 && !rules && !*end ? strtoull(words[2], &end, 10) : 1;
    const bool is_file = rules || (count == 2 && *end);
    if (count < 2 || count > 3 || (!is_file && (*end || runs == 0)))
        die("usage: diagonals RUNS [SEED], or diagonals [--rules] FILE");
    const struct anl_diagonals_config config = lockstep_config();
    struct anl_diagonals *machine;
    struct anl_error error;
    struct sums sums = {0};
    if (anl_diagonals_create(&config, &machine, &error)) die(error.text);
    if (is_file) {
        const int status = run_file(machine, &config, words[count - 1], rules);
        anl_diagonals_destroy(machine);
        return status;
    }
    for (uint32_t number = 0; number < runs; number++)
        run_one(machine, &config, seed, number, &sums);
    anl_diagonals_destroy(machine);
    printf("n %u, L %u, a %u, b %u, c %u, F %u, Z %u: %" PRIu64 " runs, worms %" PRIu64
           " delivered, %" PRIu64 " row full, %" PRIu64 " reservoir full, %" PRIu64
           " left, %" PRIu64 " strayed, batches %" PRIu64 ", clean-up %" PRIu64 ", %" PRIu64
           " cycles, %" PRIu64 " flit events, digest %016" PRIx64 "\n",
           config.n, config.length, config.a, config.b, config.c, config.forward,
           config.round_cycles, sums.runs, sums.states[ANL_DIAGONALS_DELIVERED],
           sums.states[ANL_DIAGONALS_ROW_FULL], sums.states[ANL_DIAGONALS_RESERVOIR_FULL],
           sums.states[ANL_DIAGONALS_LEFT], sums.strayed, sums.batches, sums.clean, sums.cycles,
           sums.flits, sums.digest);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", sums.runs - sums.failed, sums.failed);
    return sums.failed > 0;
}
