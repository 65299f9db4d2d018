// SPDX-License-Identifier: Apache-2.0
//
// The SystemVerilog of networks in regions (docs/clocks.md, "Regions of switches"): a crossing in
// each link between two domains and nowhere else, between the clocks of its ends; and every input
// of a switch and of a terminal once.

#include "random_networks.h"

#include <annelid/rtl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 60, LINE_BYTES = 160 };

// A network in domains, with its text.
struct trial {
    struct anl_config config;
    struct anl_shape shape;
    uint32_t *of_switch, *of_terminal;
    char *text;
};

static uint32_t count(const char *text, const char *word)
{
    uint32_t found = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        found++;
    return found;
}

#define EXPECT_TIMES(times, ...)                                                                   \
    do {                                                                                           \
        char line_[LINE_BYTES];                                                                    \
        snprintf(line_, sizeof line_, __VA_ARGS__);                                                \
        if (count(trial->text, line_) != (times))                                                  \
            fail_msg("'%s' is there %u times", line_, count(trial->text, line_));                  \
    } while (0)

static char *text_of(const struct trial *trial, uint32_t domains)
{
    const struct anl_rtl_domains cut = {domains, trial->of_switch, trial->of_terminal};
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_int_equal(anl_rtl_regions(&trial->config, &cut, "anl", stream), ANL_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void begin(struct trial *trial, struct anl_rng *rng, const struct anl_config *config)
{
    const uint32_t regions = unit_draw(rng, 1, 4);
    const bool alone = anl_rng_below(rng, 2);
    *trial = (struct trial){.config = *config, .shape = anl_shape_of(config)};
    trial->of_switch = calloc(trial->shape.switches, sizeof(uint32_t));
    trial->of_terminal = calloc(trial->shape.terminals, sizeof(uint32_t));
    assert_non_null(trial->of_switch);
    assert_non_null(trial->of_terminal);
    for (uint32_t s = 0; s < trial->shape.switches; s++)
        trial->of_switch[s] = anl_rng_below(rng, regions);
    for (uint32_t t = 0; t < trial->shape.terminals; t++)
        trial->of_terminal[t] = alone ? regions + t : anl_rng_below(rng, regions);
    trial->text = text_of(trial, regions + (alone ? trial->shape.terminals : 0));
}

static void end(struct trial *trial)
{
    free(trial->of_switch);
    free(trial->of_terminal);
    free(trial->text);
}

// Where the block of a crossing begins; NULL: there is none.
static const char *crossing_of(const struct trial *trial, uint32_t link)
{
    char line[LINE_BYTES];
    snprintf(line, sizeof line, "begin : g_crossing_%u\n", link);
    assert_true(count(trial->text, line) <= 1);
    return strstr(trial->text, line);
}

static void check_crossing(const struct trial *trial, uint32_t link, uint32_t from, uint32_t to)
{
    const char *at = crossing_of(trial, link);
    char clocks[LINE_BYTES];
    assert_int_equal(at != NULL, from != to);
    if (!at) return;
    snprintf(clocks, sizeof clocks, ".sender_clk_i(clk_d_i[%u]), .sender_rst_i(rst_d_i[%u])", from,
             from);
    const char *sender = strstr(at, clocks);
    snprintf(clocks, sizeof clocks, ".receiver_clk_i(clk_d_i[%u]), .receiver_rst_i(rst_d_i[%u])",
             to, to);
    const char *receiver = strstr(at, clocks), *last = strstr(at, "\n  end\n");
    assert_true(sender && receiver && last && sender < receiver && receiver < last);
}

// Every input of a switch gets its flits in one place.
static void check_input(const struct trial *trial, uint32_t s, uint32_t p)
{
    char whole[LINE_BYTES], line[LINE_BYTES], sliced[LINE_BYTES];
    snprintf(whole, sizeof whole, "assign g_switch[%u].in_valid[%u*Lines +: Lines] = ", s, p);
    snprintf(line, sizeof line, ".valid_o(g_switch[%u].in_valid[(%u*Lines+l) +: 1])", s, p);
    snprintf(sliced, sizeof sliced, ".valid_o(g_switch[%u].in_valid[%u*Lines +: Lines])", s, p);
    assert_int_equal(
        count(trial->text, whole) + count(trial->text, line) + count(trial->text, sliced), 1);
}

static void check_trial(const struct trial *trial)
{
    const uint32_t ports = trial->shape.ports, outputs = trial->shape.switches * ports;
    uint32_t crossings = 0;
    for (uint32_t link = 0; link < trial->shape.links; link++) {
        const struct anl_end to = anl_end_of(&trial->config, link);
        if (!to.exists) continue;
        const uint32_t from =
            link < outputs ? trial->of_switch[link / ports] : trial->of_terminal[link - outputs];
        const uint32_t domain = (to.is_terminal ? trial->of_terminal : trial->of_switch)[to.node];
        check_crossing(trial, link, from, domain);
        crossings += from != domain;
    }
    EXPECT_TIMES(crossings, "anl_link_cdc #(");
    for (uint32_t port = 0; port < outputs; port++)
        check_input(trial, port / ports, port % ports);
}

static void links_cross_between_domains_alone(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(61, 0);
    for (uint32_t i = unit_trials(TRIALS); i > 0; i--) {
        struct anl_graph *graph;
        struct trial trial;
        struct anl_config config = draw_config(&rng, &graph);
        draw_hops(&rng, &config);
        begin(&trial, &rng, &config);
        check_trial(&trial);
        end(&trial);
        anl_graph_destroy(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(links_cross_between_domains_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
