// SPDX-License-Identifier: Apache-2.0
//
// The domains of a design (docs/clocks.md, "Regions of switches"): the table of regions that
// --clock-regions names, and the number of the domain of each switch and terminal.

#include "design.h"

#include <annelid/rtl.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A table while it is read.
struct reading {
    const char *path;  // NULL: the option itself has the rows
    uint64_t line;
    struct design *design;
    struct anl_error *error;
    size_t room;       // of the names
    uint64_t *row_of;  // [switches] the line that names it; 0: none
};

#define FOUND(reading, ...)                                                                        \
    return anl_fail((reading)->error, ANL_ERR_FORMAT,                                              \
                    (reading)->path ? (reading)->path : "--clock-regions", (reading)->line,        \
                    __VA_ARGS__)

// --- rows ---

// Clocks of terminals are called t, or t and a number.
static bool is_region_name(const char *word)
{
    const char *at = word;
    if (!isalpha((unsigned char)*at) || strlen(word) >= DESIGN_REGION_BYTES) return false;
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    return !*at && !(*word == 't' && strspn(word + 1, "0123456789") == strlen(word + 1));
}

static enum anl_status begin_region(struct reading *reading, const char *word)
{
    struct design_regions *regions = &reading->design->regions;
    if (!is_region_name(word))
        FOUND(reading,
              "found region '%s', expected a letter, then letters, digits or _, at most %d in all, "
              "but not t or t and a number",
              word, DESIGN_REGION_BYTES - 1);
    for (uint32_t i = 1; i < regions->count; i++)
        if (strcmp(regions->names[i].text, word) == 0)
            FOUND(reading, "found region '%s' again, expected one row for each", word);
    struct design_region_name *names =
        gather_room(regions->names, regions->count, &reading->room, sizeof *names);
    if (!names) return cli_fail(ANL_ERR_MEMORY, reading->error);
    regions->names = names;
    snprintf(names[regions->count++].text, DESIGN_REGION_BYTES, "%s", word);
    return ANL_OK;
}

// Reads "3", "4-7" or the name of a switch of a graph.
static bool read_switches(const struct anl_config *config, const char *word, uint32_t *first,
                          uint32_t *last)
{
    const uint32_t switches = anl_shape_of(config).switches;
    int one = 0, two = 0;
    const int count = sscanf(word, "%9" SCNu32 "%n-%9" SCNu32 "%n", first, &one, last, &two);
    if (isdigit((unsigned char)*word)) {
        if (count == 1) *last = *first;
        return !word[count == 2 ? two : one] && *first <= *last && *last < switches;
    }
    for (uint32_t s = 0; s < switches; s++) {
        char wanted[128], name[128];
        snprintf(wanted, sizeof wanted, "%" PRIu32 "(%s)", s, word);
        anl_switch_name(config, s, name, sizeof name);
        *first = *last = s;
        if (strcmp(name, wanted) == 0) return true;
    }
    return false;
}

static enum anl_status take_switches(struct reading *reading, const char *word)
{
    struct design_regions *regions = &reading->design->regions;
    const struct anl_config *config = reading->design->config;
    uint32_t first, last;
    if (!read_switches(config, word, &first, &last))
        FOUND(reading,
              "found '%s', expected switches 0 … %" PRIu32
              ": 3, 4-7, or the name of one in a graph",
              word, anl_shape_of(config).switches - 1);
    for (uint32_t s = first; s <= last; s++) {
        if (reading->row_of[s])
            FOUND(reading, "found switch %" PRIu32 " of row %" PRIu64 " again, expected it once", s,
                  reading->row_of[s]);
        reading->row_of[s] = reading->line;
        regions->of_switch[s] = regions->count - 1;
    }
    return ANL_OK;
}

static enum anl_status take_row(struct reading *reading, char *text)
{
    static const char between[] = " \t,=";
    char *rest;
    enum anl_status status = ANL_OK;
    text[strcspn(text, "#")] = '\0';
    char *word = strtok_r(text, between, &rest);
    if (!word) return ANL_OK;
    status = begin_region(reading, word);
    if (status) return status;
    char *next = strtok_r(NULL, between, &rest);
    if (!next) FOUND(reading, "found region '%s' alone, expected its switches behind it", word);
    for (; next && !status; next = strtok_r(NULL, between, &rest))
        status = take_switches(reading, next);
    return status;
}

// --- the table ---

// Returns the rows: what the option says if it has a "=" or nothing at all, else what is in the
// file that it names.
static enum anl_status read_text(struct reading *reading, char **text)
{
    const char *table = reading->design->regions.table;
    if (*table && !strchr(table, '=')) {
        reading->path = table;
        return csv_lines(table, text, reading->error);
    }
    *text = strdup(table);
    if (!*text) return cli_fail(ANL_ERR_MEMORY, reading->error);
    for (char *at = *text; (at = strchr(at, ';'));)
        *at = '\n';
    return ANL_OK;
}

static enum anl_status check_table(struct reading *reading)
{
    const uint32_t switches = anl_shape_of(reading->design->config).switches;
    const bool any = reading->design->regions.count > 1;
    reading->line = 0;
    for (uint32_t s = 0; s < switches && any; s++)
        if (!reading->row_of[s]) return ANL_OK;
    if (any)
        FOUND(reading,
              "found all switches in its rows, expected one at least that keeps the clock of the "
              "network");
    FOUND(reading, "found no row, expected one at least: a name and switches");
}

static enum anl_status read_table(struct design *design, struct anl_error *error)
{
    const uint32_t switches = anl_shape_of(design->config).switches;
    struct reading reading = {.design = design, .error = error};
    char *text = NULL, *next;
    reading.row_of = calloc(switches, sizeof *reading.row_of);
    design->regions.names = gather_room(NULL, 0, &reading.room, sizeof *design->regions.names);
    if (!reading.row_of || !design->regions.names) {
        free(reading.row_of);
        return cli_fail(ANL_ERR_MEMORY, error);
    }
    design->regions.names[0].text[0] = '\0';
    enum anl_status status = read_text(&reading, &text);
    for (char *line = text; !status && *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = '\0';
        reading.line++;
        status = take_row(&reading, line);
    }
    if (!status) status = check_table(&reading);
    free(text);
    free(reading.row_of);
    return status;
}

enum anl_status design_regions_prepare(struct design *design, struct anl_error *error)
{
    struct design_regions *regions = &design->regions;
    const struct anl_shape shape = anl_shape_of(design->config);
    regions->count = 1;
    regions->of_switch = calloc(shape.switches, sizeof *regions->of_switch);
    regions->of_terminal = calloc(shape.terminals, sizeof *regions->of_terminal);
    if (!regions->of_switch || !regions->of_terminal) return cli_fail(ANL_ERR_MEMORY, error);
    if (regions->table) {
        const enum anl_status status = read_table(design, error);
        if (status) return status;
    }
    for (uint32_t t = 0; t < shape.terminals; t++)
        regions->of_terminal[t] =
            design->clocks
                ? regions->count + t
                : regions->of_switch
                      [anl_end_of(design->config, anl_injection_link(design->config, t)).node];
    return ANL_OK;
}

void design_regions_forget(struct design *design)
{
    free(design->regions.names);
    free(design->regions.of_switch);
    free(design->regions.of_terminal);
}

// --- domains ---

bool design_has_regions(const struct design *design) { return design->regions.count > 1; }

uint32_t design_num_domains(const struct design *design)
{
    const uint32_t terminals = design->clocks ? anl_shape_of(design->config).terminals : 0;
    return design->regions.count + terminals;
}

enum anl_status design_put_regions(const struct anl_config *config, const struct design *design,
                                   FILE *out)
{
    const struct anl_rtl_domains domains = {design_num_domains(design), design->regions.of_switch,
                                            design->regions.of_terminal};
    return anl_rtl_regions(config, &domains, design->name, out);
}
