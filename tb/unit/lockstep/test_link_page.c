// SPDX-License-Identifier: Apache-2.0
//
// docs/link.md: the referee judges the table of credits as the page says; docs/lockstep.md names
// every mode of the lock-step.

#include "unit.h"

#include "run/lockstep.h"

#include <annelid/referee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 1 << 16, FIRST_COLUMN = 18, COLUMNS = 7, REST = 12 };

// The lane of the table is at the end of T0.inject in a row of three switches; the worm goes on to
// terminal 2 without a stop, by the links 0, 3 and 8.
enum { INJECT = 9 };

static const struct anl_config row = {
    .topology = ANL_MESH, .k = 3, .n = 1, .num_vcs = 1, .depth = 2, .flit_width_bits = 32};

static const uint32_t way[] = {0, 3, 8};

static char *read_page(const char *path)
{
    char *page = calloc(PAGE_BYTES, 1);
    FILE *file = fopen(path, "r");
    assert_non_null(page);
    assert_non_null(file);
    assert_between(fread(page, 1, PAGE_BYTES - 1, file), 1, PAGE_BYTES - 2);
    fclose(file);
    return page;
}

// Returns the cells of the line of that name; each has three columns.
static const char *line_of(const char *page, const char *name)
{
    char begin[64];
    snprintf(begin, sizeof begin, "\n %-*s", FIRST_COLUMN - 1, name);
    const char *line = strstr(page, begin);
    if (!line) fail_msg("docs/link.md has no line '%s'", name);
    return line + 1 + FIRST_COLUMN;
}

// Returns the flits of a cycle: those of the line `in`, and those of `out`, which go on.
static size_t flits_of(const char *page, uint64_t cycle, struct anl_flit flits[4])
{
    static const char order[] = "HBT";
    size_t count = 0;
    for (uint64_t hop = 0; hop <= cycle && hop < 4; hop++) {
        const uint64_t column = hop == 0 ? cycle : cycle - (hop - 1);
        if (column >= COLUMNS) continue;
        const char cell = line_of(page, hop == 0 ? "in" : "out")[3 * column];
        const char *found = cell == '.' ? NULL : strchr(order, cell);
        if (!found) continue;
        const uint16_t index = (uint16_t)(found - order);
        flits[count++] = (struct anl_flit){.link = hop == 0 ? INJECT : way[hop - 1],
                                           .index = index,
                                           .head = index == 0,
                                           .tail = index == 2};
    }
    return count;
}

// Returns the credits of a cycle: of the lane in the table, and of those behind it, which give each
// flit one cycle.
static size_t credits_of(const char *page, const char *name, uint64_t cycle,
                         struct anl_credits credits[4])
{
    size_t count = 0;
    if (cycle < COLUMNS && line_of(page, name)[3 * cycle] == '1')
        credits[count++] = (struct anl_credits){INJECT, 1};
    for (uint64_t hop = 0; hop < 3 && hop + 1 <= cycle; hop++) {
        const uint64_t column = cycle - 1 - hop;
        if (column < COLUMNS && line_of(page, "out")[3 * column] != '.')
            credits[count++] = (struct anl_credits){way[hop], 1};
    }
    return count;
}

// Returns what the referee says of a line of the table; more credits come in cycle COLUMNS and
// after.
static struct anl_violation judge(const char *page, const char *name, uint64_t more)
{
    static const struct anl_worm worm = {.source = 0, .destination = 2, .length = 3};
    struct anl_referee *referee;
    assert_int_equal(anl_referee_create(&row, &referee), ANL_OK);
    anl_referee_worm(referee, &worm);
    for (uint64_t cycle = 0; cycle < COLUMNS + REST; cycle++) {
        struct anl_flit flits[4];
        struct anl_credits credits[5];
        const size_t count = flits_of(page, cycle, flits);
        size_t num_credits = credits_of(page, name, cycle, credits);
        if (cycle >= COLUMNS && cycle < COLUMNS + more)
            credits[num_credits++] = (struct anl_credits){INJECT, 1};
        anl_referee_cycle(referee, cycle, flits, count, credits, num_credits);
    }
    anl_referee_rest(referee);
    const struct anl_violation *violation = anl_referee_violation(referee);
    const struct anl_violation verdict = violation ? *violation : (struct anl_violation){0};
    anl_referee_destroy(referee);
    return verdict;
}

static void expect(const char *page, const char *name, uint64_t more)
{
    const struct anl_violation verdict = judge(page, name, more);
    char said[64] = "allowed";
    if (verdict.rule != ANL_RULE_NONE)
        snprintf(said, sizeof said, "%s in %u:", anl_rule_name(verdict.rule),
                 (unsigned)verdict.cycle);
    const char *text = line_of(page, name) + 3 * COLUMNS;
    text += strspn(text, " ");
    if (strncmp(text, said, strlen(said)) != 0)
        fail_msg("%s: docs/link.md says '%.40s', the referee '%s' (%s)", name, text, said,
                 verdict.text);
}

static void referee_judges_as_the_page_says(void **state)
{
    (void)state;
    static const char *const lines[] = {"at once",      "a cycle later", "when it comes",
                                        "one too many", "one is lost",   "after the next"};
    char *page = read_page("docs/link.md");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        expect(page, lines[i], 0);
    expect(page, "much later", 2);
    assert_int_equal(judge(page, "much later", 0).rule, ANL_RULE_LOST_CREDIT);
    free(page);
}

static void page_names_every_mode(void **state)
{
    (void)state;
    char *page = read_page("docs/lockstep.md");
    for (enum lockstep_mode mode = LOCKSTEP_EXACT; mode <= LOCKSTEP_RULES; mode++) {
        char named[32];
        snprintf(named, sizeof named, " mode (`MODE=%s`", lockstep_mode_name(mode));
        if (!strstr(page, named)) fail_msg("docs/lockstep.md does not name%s", named);
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(referee_judges_as_the_page_says),
        cmocka_unit_test(page_names_every_mode),
    };
    return cmocka_run_group_tests_name("link_page", tests, NULL, NULL);
}
