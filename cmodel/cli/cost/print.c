// SPDX-License-Identifier: Apache-2.0
//
// The estimate in words.

#include "columns.h"
#include "model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 11 };

static void begin(FILE *out, const char *word) { fprintf(out, "%-*s", INDENT, word); }

// A number with commas, "13,340".
struct number {
    char text[32];
};

static struct number number(double value)
{
    struct number number;
    char *to = number.text;
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%.0f", value);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return number;
}

// What is printed.
struct page {
    FILE *out;
    const struct cost_model *model;
    const struct anl_config *config;
    const struct cost_shape *shape;
    enum cost_streams streams;
    const struct cost_ports *ports;
};

static void put_of(const struct page *page, double cells, const struct cost_resource *resource)
{
    fputs(number(cells).text, page->out);
    if (!resource->capacity) return;
    fprintf(page->out, " of %s (%.0f %%%s)", number(resource->capacity).text,
            100 * cells / resource->capacity, cells > resource->capacity ? ", does not fit" : "");
}

static void put_resource(const struct page *page, const struct cost_resource *resource)
{
    const struct cost_estimate cells = cost_of(page->model, page->shape, resource->figure);
    const double streams = cells.network + cells.terminals;
    const bool all = page->streams == COST_WITH_STREAMS;
    if (streams < 0.5) return;
    begin(page->out, "");
    fprintf(page->out, "%s: ", resource->name);
    put_of(page, all ? streams + cells.ports : cells.network, resource);
    if (page->streams == COST_BOTH && cells.terminals >= 0.5) {
        fputs("; with streams ", page->out);
        put_of(page, streams, resource);
    }
    fputc('\n', page->out);
}

// Returns whether ports of AXI4 were measured on a part.
static bool has_ports(const struct cost_part *part)
{
    for (size_t i = 0; i < cost_num_sets; i++)
        if (cost_sets[i].kind == COST_USER && cost_sets[i].figures[part->resources[0].figure] > 0)
            return true;
    return false;
}

// Writes what some ports take, and of which kind they are.
static void put_port(const struct page *page, const struct cost_part *part, const char *before,
                     const char *what, struct cost_ports ports)
{
    struct cost_shape shape;
    if (!cost_shape_of(page->config, &ports, true, &shape)) return;
    const double cells = cost_of(page->model, &shape, part->resources[0].figure).ports;
    fprintf(page->out, "%s%s %s", before, number(cells).text, what);
}

static void put_ports(const struct page *page, const struct cost_part *part)
{
    struct cost_ports one = *page->ports;
    if (cost_num_ports(page->ports) == 0) return;
    begin(page->out, "");
    if (!has_ports(part)) {
        fputs("ports of AXI4: not counted, since their stores were measured on ECP5 alone\n",
              page->out);
        return;
    }
    one.users = one.lite = one.memories = 0;
    fprintf(page->out, "a port of AXI4 with %" PRIu32 " bits of data: %s", one.data_bits,
            part->resources[0].name);
    struct cost_ports user = one, lite = one, memory = one;
    user.users = lite.lite = memory.memories = 1;
    put_port(page, part, " ", "for a manager", user);
    put_port(page, part, ", ", "of AXI4-Lite", lite);
    put_port(page, part, ", ", "for a memory", memory);
    fputc('\n', page->out);
}

static void put_clock(const struct page *page, const struct cost_part *part)
{
    struct cost_clocks clocks;
    const struct cost_set *set =
        cost_clock(page->model, page->config, page->shape, part->clock, NULL, &clocks);
    if (!set) return;
    begin(page->out, "");
    fprintf(page->out, "clock: %.0f MHz%s, that of the nearest network measured on %s:\n",
            set->figures[part->clock], clocks.same ? "" : ", extrapolated", part->clock_of);
    begin(page->out, "");
    fprintf(page->out, "  %s (%s)\n", set->text, set->name);
    if (!clocks.faster) return;
    begin(page->out, "");
    fprintf(page->out,
            "for clock: switch.arbiter %s, stages %" PRIu32 ": %.0f MHz instead of %.0f\n",
            anl_arbiter_name(clocks.how->arbiter), anl_stages(clocks.how),
            clocks.faster->figures[part->clock], set->figures[part->clock]);
}

static void put_part(const struct page *page, const struct cost_part *part)
{
    fprintf(page->out, "%s\n", part->name);
    for (size_t i = 0; i < COST_RESOURCES; i++)
        put_resource(page, &part->resources[i]);
    put_ports(page, part);
    put_clock(page, part);
}

static double estimate_of(const struct cost_model *model, size_t set, enum cost_figure figure)
{
    const struct cost_estimate cells = cost_of(model, &model->sets[set].shape, figure);
    switch (cost_sets[set].kind) {
    case COST_TERMINAL:
        return cells.terminals;
    case COST_DESIGN:
        return cells.network + cells.terminals + cells.ports;
    case COST_USER:
    case COST_MEMORY:
        return cells.ports;
    default:
        return cells.network;
    }
}

// Returns how far the estimates of whole networks are from what was measured, as parts of 1.
static void errors_of(const struct cost_model *model, enum cost_figure figure, double *below,
                      double *above)
{
    for (size_t i = 0; i < cost_num_sets; i++) {
        const enum cost_kind kind = cost_sets[i].kind;
        const double measured = cost_sets[i].figures[figure];
        if ((kind != COST_NETWORK && kind != COST_DESIGN) || measured <= 0) continue;
        const double error = estimate_of(model, i, figure) / measured - 1;
        *below = error < *below ? error : *below;
        *above = error > *above ? error : *above;
    }
}

static void put_errors(const struct page *page, const struct cost_part *part)
{
    double below = INFINITY, above = -INFINITY;
    errors_of(page->model, part->resources[0].figure, &below, &above);
    if (below > above) return;
    begin(page->out, "");
    fprintf(page->out,
            "networks measured whole: the estimate of %s was off by %+.0f %% to %+.0f %%\n",
            part->resources[0].name, 100 * below, 100 * above);
}

static void put_reasons(const struct page *page)
{
    char *text = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes);
    if (!memory) return;
    cost_beyond(page->model, page->config, page->shape, page->ports, page->streams, memory);
    fclose(memory);
    for (char *line = text; *line; line += strcspn(line, "\n") + 1)
        fprintf(page->out, "extrapolated: %.*s\n", (int)strcspn(line, "\n"), line);
    free(text);
}

static void put_all(const struct page *page, const struct cost_part *part)
{
    bool told[COST_FIGURES] = {false};
    for (const struct cost_part *one = cost_parts; one->name; one++) {
        if (part ? one != part : told[one->clock]) continue;
        told[one->clock] = true;
        put_part(page, one);
        put_errors(page, one);
    }
    put_reasons(page);
}

static double clock_of_others(const struct cost_model *model, size_t set, enum cost_figure figure)
{
    struct cost_clocks clocks;
    const struct cost_set *other =
        cost_clock(model, &model->sets[set].scenario.network, &model->sets[set].shape, figure,
                   &cost_sets[set], &clocks);
    return other ? other->figures[figure] : 0;
}

int cost_print_sets(void)
{
    static const char *const kinds[] = {"switch",   "network",       "design",
                                        "terminal", "port of users", "port of memories"};
    static const char *const names[COST_FIGURES] = {"ice40_lut",       "ice40_ff", "ice40_bram",
                                                    "ecp5_narrow_lut", "ecp5_ff",  "ecp5_sites",
                                                    "ice40_mhz",       "ecp5_mhz"};
    struct anl_error error;
    struct cost_model *model = cost_fit(&error);
    if (!model) return cli_complain(&error);
    fputs("set,kind", stdout);
    for (enum cost_figure figure = 0; figure < COST_FIGURES; figure++)
        printf(",%s,%s_estimate", names[figure], names[figure]);
    putchar('\n');
    for (size_t i = 0; i < cost_num_sets; i++) {
        printf("%s,%s", cost_sets[i].name, kinds[cost_sets[i].kind]);
        for (enum cost_figure figure = 0; figure < COST_FIGURES; figure++)
            if (figure < COST_ICE40_MHZ)
                printf(",%.0f,%.0f", cost_sets[i].figures[figure], estimate_of(model, i, figure));
            else
                printf(",%g,%g", cost_sets[i].figures[figure], clock_of_others(model, i, figure));
        putchar('\n');
    }
    cost_free(model);
    return CLI_OK;
}

static enum anl_status check(const struct anl_config *config, const char *path,
                             struct anl_error *error)
{
    const enum anl_status status = anl_rtl_check(config, path, error);
    if (status) return status;
    if (config->kind != ANL_BUFFERED)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "no switch of kind \"%s\" was measured, the estimate expects buffered",
                        anl_switch_kind_name(config->kind));
    if (config->link == ANL_WIDE)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "switches with \"link: wide\" are no sets of the estimate, it expects "
                        "shared (docs/fpga.md has some of them)");
    return ANL_OK;
}

enum anl_status cost_print(FILE *out, const struct anl_config *config, const char *path,
                           const struct cost_part *part, enum cost_streams streams,
                           const struct cost_ports *ports, struct anl_error *error)
{
    struct cost_shape shape;
    const enum anl_status status = check(config, path, error);
    if (status) return status;
    if (!cost_shape_of(config, ports, false, &shape))
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "%" PRIu32 " switches with %" PRIu32
                        " terminals: the estimate expects fewer, as it follows all routes",
                        anl_shape_of(config).switches, anl_shape_of(config).terminals);
    struct cost_model *model = cost_fit(error);
    if (!model) return ANL_ERR_ARGUMENT;
    put_all(&(struct page){out, model, config, &shape, streams, ports}, part);
    cost_free(model);
    return ANL_OK;
}
