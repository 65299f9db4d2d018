// SPDX-License-Identifier: Apache-2.0

#include "cole_maggs_sitaraman.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000000, MOST_LEVELS = 16 };

// Returns the unit of the last digit that is printed.
static double unit_of(const char *text)
{
    const char *point = strchr(text, '.');
    return point ? pow(10, -(double)strlen(point + 1)) : 1;
}

static void read_levelled(struct paper_row *row, void *element)
{
    *(struct levelled *)element = (struct levelled){.width = paper_whole(row, 0, 2, 4096),
                                                    .dilation = paper_whole(row, 1, 1, 256),
                                                    .congestion = paper_whole(row, 2, 1, 255),
                                                    .length = paper_whole(row, 3, 1, 4096),
                                                    .vcs = paper_whole(row, 4, 1, ANL_MAX_VCS),
                                                    .messages = paper_number(row, 5, 0, MOST),
                                                    .colours = paper_number(row, 6, 0, MOST),
                                                    .drawn = paper_number(row, 7, 0, MOST),
                                                    .greedy = paper_number(row, 8, 0, MOST),
                                                    .seeds = paper_whole(row, 9, 0, MOST_SEEDS),
                                                    .brief = paper_whole(row, 10, 0, MOST_SEEDS),
                                                    .tolerance = paper_number(row, 11, 0, 1)};
}

static void read_worst(struct paper_row *row, void *element)
{
    static const char *const orders[] = {"grouped", "interleaved", NULL};
    static const char *const links[] = {"wide", "shared", NULL};
    *(struct worst *)element = (struct worst){.vcs = paper_whole(row, 0, 1, ANL_MAX_VCS),
                                              .distinct = paper_whole(row, 1, 2, 1000),
                                              .copies = paper_whole(row, 2, 1, 1000),
                                              .length = paper_whole(row, 3, 1, 4096),
                                              .lanes = paper_whole(row, 4, 1, ANL_MAX_VCS),
                                              .interleaved = paper_choice(row, 5, orders) == 1,
                                              .link = (enum link_kind)paper_choice(row, 6, links),
                                              .colours = paper_whole(row, 7, 0, MOST),
                                              .greedy = paper_number(row, 8, 0, MOST),
                                              .tolerance = paper_number(row, 9, 0, 1),
                                              .brief = paper_whole(row, 10, 0, 1)};
}

static void read_single(struct paper_row *row, void *element)
{
    *(struct single *)element = (struct single){.levels = paper_whole(row, 0, 1, MOST_LEVELS),
                                                .vcs = paper_whole(row, 1, 1, ANL_MAX_VCS),
                                                .trials = paper_whole(row, 2, 2, MOST_TRIALS),
                                                .brief = paper_whole(row, 3, 0, MOST_TRIALS),
                                                .fraction = paper_number(row, 4, 0, 1),
                                                .unit = unit_of(paper_text(row, 4))};
}

static void read_rounds(struct paper_row *row, void *element)
{
    *(struct rounds *)element = (struct rounds){.levels = paper_whole(row, 0, 1, MOST_LEVELS),
                                                .q = paper_whole(row, 1, 1, 64),
                                                .length = paper_whole(row, 2, 1, 4096),
                                                .vcs = paper_whole(row, 3, 1, ANL_MAX_VCS),
                                                .beta = paper_number(row, 4, 0.01, 1000),
                                                .trials = paper_whole(row, 5, 0, MOST_TRIALS),
                                                .brief = paper_whole(row, 6, 0, MOST_TRIALS),
                                                .undelivered = paper_number(row, 7, 0, 1),
                                                .unit = unit_of(paper_text(row, 7)),
                                                .measured = paper_number(row, 8, 0, 1),
                                                .steps = paper_whole(row, 9, 0, MOST),
                                                .total = paper_number(row, 10, 0, MOST)};
}

static void read_stalling(struct paper_row *row, void *element)
{
    *(struct stalling *)element = (struct stalling){.levels = paper_whole(row, 0, 1, MOST_LEVELS),
                                                    .q = paper_whole(row, 1, 1, 16),
                                                    .length = paper_whole(row, 2, 1, 4096),
                                                    .vcs = paper_whole(row, 3, 1, ANL_MAX_VCS),
                                                    .trials = paper_whole(row, 4, 0, MOST_SEEDS),
                                                    .brief = paper_whole(row, 5, 0, MOST_SEEDS),
                                                    .steps = paper_number(row, 6, 0, MOST),
                                                    .tolerance = paper_number(row, 7, 0, 1)};
}

static void read_experiment(struct paper_row *row, void *element)
{
    static const char *const kinds[] = {
        "passes", "power", "away",  "exponent", "rounds", "stored", "buffers", "lanes",    "short",
        "any",    "balls", "apart", "phases",   "time",   "copies", "lost",    "distinct", NULL};
    static const char *const whats[] = {"-",    "random", "bit-reverse", "transpose",  "worst",
                                        "wide", "shared", "once",        "duplicated", "2D",
                                        "4D",   "16D",    NULL};
    *(struct experiment *)element =
        (struct experiment){.kind = (enum experiment_kind)paper_choice(row, 0, kinds),
                            .what = (enum what)paper_choice(row, 1, whats),
                            .size = paper_whole(row, 2, 0, MOST),
                            .x = paper_whole(row, 3, 0, MOST),
                            .vcs = paper_whole(row, 4, 1, ANL_MAX_VCS),
                            .trials = paper_whole(row, 5, 0, MOST_TRIALS),
                            .brief = paper_whole(row, 6, 0, MOST_TRIALS),
                            .range = {.least = paper_number(row, 7, -1e9, 1e9),
                                      .most = paper_number(row, 8, -1e9, 1e9)},
                            .texts = {paper_text(row, 0), paper_text(row, 1)}};
}

static void read_claim(struct paper_row *row, void *element)
{
    static const char *const kinds[] = {"blocked", "makespan",     "first-fit",     "classes",
                                        "least",   "most",         "work-least",    "work-most",
                                        "gain",    "gain-colours", "gain-levelled", "gain-rounds",
                                        "rounds",  "allowed",      "broken",        NULL};
    *(struct claim *)element = (struct claim){.name = paper_text(row, 0),
                                              .kind = (enum claim_kind)paper_choice(row, 0, kinds),
                                              .range = {.least = paper_number(row, 1, -1e9, 1e9),
                                                        .most = paper_number(row, 2, -1e9, 1e9)},
                                              .sentence = paper_text(row, 3)};
}

enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error)
{
    static const struct paper_file levelled = {"levelled.csv", 12, sizeof(struct levelled),
                                               read_levelled, false};
    static const struct paper_file worst = {"worst.csv", 11, sizeof(struct worst), read_worst,
                                            false};
    static const struct paper_file single = {"single.csv", 5, sizeof(struct single), read_single,
                                             false};
    static const struct paper_file rounds = {"rounds.csv", 11, sizeof(struct rounds), read_rounds,
                                             false};
    static const struct paper_file stalling = {"stalling.csv", 8, sizeof(struct stalling),
                                               read_stalling, false};
    static const struct paper_file experiments = {"experiments.csv", 9, sizeof(struct experiment),
                                                  read_experiment, false};
    static const struct paper_file claims = {"claims.csv", 4, sizeof(struct claim), read_claim,
                                             false};
    struct paper_row row = {.directory = directory, .error = error};
    *plan = (struct plan){0};
    plan->levelled = paper_read(&row, &levelled, &plan->texts[0], &plan->num_levelled);
    plan->worst = paper_read(&row, &worst, &plan->texts[1], &plan->num_worst);
    plan->single = paper_read(&row, &single, &plan->texts[2], &plan->num_single);
    plan->rounds = paper_read(&row, &rounds, &plan->texts[3], &plan->num_rounds);
    plan->stalling = paper_read(&row, &stalling, &plan->texts[4], &plan->num_stalling);
    plan->claims = paper_read(&row, &claims, &plan->texts[5], &plan->num_claims);
    plan->experiments = paper_read(&row, &experiments, &plan->texts[6], &plan->num_experiments);
    return row.status;
}

void plan_free(struct plan *plan)
{
    free(plan->levelled);
    free(plan->worst);
    free(plan->single);
    free(plan->rounds);
    free(plan->stalling);
    free(plan->claims);
    free(plan->experiments);
    for (size_t i = 0; i < sizeof plan->texts / sizeof *plan->texts; i++)
        free(plan->texts[i]);
}
