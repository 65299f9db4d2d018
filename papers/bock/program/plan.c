// SPDX-License-Identifier: Apache-2.0

#include "bock.h"

#include <stdlib.h>

enum { MOST_SEEDS = 1000 };

static struct anl_diagonals_config read_config(struct paper_row *row)
{
    static const char *const names[] = {"paper", "short", "least", NULL};
    static void (*const set_rounds[])(struct anl_diagonals_config *) = {
        anl_diagonals_paper_rounds, anl_diagonals_short_rounds, anl_diagonals_least_rounds};
    struct anl_diagonals_config config = {.n = paper_whole(row, 1, 2, 4096),
                                          .d = paper_whole(row, 2, 2, ANL_DIAGONALS_MAX_D),
                                          .length =
                                              paper_whole(row, 3, 1, ANL_DIAGONALS_MAX_LENGTH),
                                          .a = paper_whole(row, 4, 1, 4096),
                                          .b = paper_whole(row, 5, 1, 4096),
                                          .c = paper_whole(row, 6, 2, 4096)};
    set_rounds[paper_choice(row, 7, names)](&config);
    struct anl_error error;
    if (!row->status && anl_diagonals_check(&config, &error)) paper_refuse(row, 1, error.text);
    return config;
}

static void read_study(struct paper_row *row, void *element)
{
    static const char *const traffics[] = {"function",   "transpose",   "reversal", "tornado",
                                           "complement", "permutation", "relation", NULL};
    struct study *study = element;
    *study = (struct study){
        .traffic = (enum traffic)paper_choice(row, 0, traffics),
        .traffic_name = paper_text(row, 0),
        .rounds = paper_text(row, 7),
        .config = read_config(row),
        .batches = paper_whole(row, 8, 0, 4096),
        .seeds = paper_whole(row, 9, 1, MOST_SEEDS),
        .brief = paper_whole(row, 10, 0, MOST_SEEDS),
        .cycles = paper_number(row, 11, 0, 1e12),
        .range = {.least = paper_number(row, 12, 0, 1e6), .most = paper_number(row, 13, 0, 1e6)}};
    const struct anl_diagonals_config *config = &study->config;
    if (study->batches == 0) study->batches = config->a * config->b * config->length;
    if (!row->status && config->n % study->batches != 0)
        paper_refuse(row, 8, "a number of batches that divides n");
}

static void read_claim(struct paper_row *row, void *element)
{
    static const char *const kinds[] = {"rounds",  "falls",     "scaled",   "dimensions",
                                        "columns", "blocks",    "distance", "work",
                                        "valiant", "delivered", NULL};
    *(struct claim *)element =
        (struct claim){.name = paper_text(row, 0),
                       .kind = (enum claim_kind)paper_choice(row, 0, kinds),
                       .length = paper_whole(row, 1, 0, ANL_DIAGONALS_MAX_LENGTH),
                       .range = {.least = paper_number(row, 2, -1e9, 1e9),
                                 .most = paper_number(row, 3, -1e9, 1e9)},
                       .sentence = paper_text(row, 4)};
}

enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error)
{
    static const struct paper_file studies = {"cases.csv", 14, sizeof(struct study), read_study,
                                              false};
    static const struct paper_file claims = {"claims.csv", 5, sizeof(struct claim), read_claim,
                                             false};
    struct paper_row row = {.directory = directory, .error = error};
    *plan = (struct plan){0};
    plan->studies = paper_read(&row, &studies, &plan->texts[0], &plan->num_studies);
    plan->claims = paper_read(&row, &claims, &plan->texts[1], &plan->num_claims);
    return row.status;
}

void plan_free(struct plan *plan)
{
    free(plan->studies);
    free(plan->claims);
    for (size_t i = 0; i < sizeof plan->texts / sizeof *plan->texts; i++)
        free(plan->texts[i]);
}
