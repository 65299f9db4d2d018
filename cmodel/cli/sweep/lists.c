// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct listing {
    const char *text;  // the whole list, for messages
    struct sweep_list *list;
    size_t room;
    struct anl_error *error;
};

// --- lists ---

static enum anl_status refuse(const struct listing *listing, const char *why)
{
    return anl_fail(listing->error, ANL_ERR_ARGUMENT, "", 0, "'%s': %s", listing->text, why);
}

static enum anl_status add(struct listing *listing, uint64_t value)
{
    struct sweep_list *list = listing->list;
    if (list->count == SWEEP_MAX_LIST) return refuse(listing, "more than a million");
    uint64_t *values = gather_room(list->values, list->count, &listing->room, sizeof *values);
    if (!values) return cli_fail(ANL_ERR_MEMORY, listing->error);
    list->values = values;
    values[list->count++] = value;
    return ANL_OK;
}

static enum anl_status add_all(struct listing *listing, uint64_t from, uint64_t to, uint64_t step)
{
    enum anl_status status = add(listing, from);
    while (!status && to - from >= step)
        status = add(listing, from += step);
    return status;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Calls read_part for each part between commas, which it may change, and sorts the values.
static enum anl_status read_list(struct listing *listing,
                                 enum anl_status (*read_part)(struct listing *listing, char *part))
{
    struct sweep_list *list = listing->list;
    *list = (struct sweep_list){0};
    char *copy = strdup(listing->text), *rest = copy;
    enum anl_status status = cli_fail(copy ? ANL_OK : ANL_ERR_MEMORY, listing->error);
    while (!status && rest)
        status = read_part(listing, strsep(&rest, ","));
    free(copy);
    if (!status) qsort(list->values, list->count, sizeof *list->values, ascending);
    for (size_t i = 1; i < list->count && !status; i++)
        if (list->values[i] == list->values[i - 1]) status = refuse(listing, "one is there twice");
    if (!status) return ANL_OK;
    free(list->values);
    *list = (struct sweep_list){0};
    return status;
}

// --- loads ---

// Reads a decimal number from 0 to 1 with at most nine decimals. Returns false if text is none.
static bool read_load(const char *text, uint64_t *load)
{
    const size_t whole = strspn(text, "0123456789");
    const char *point = text + whole;
    const size_t decimals = *point == '.' ? strspn(point + 1, "0123456789") : 0;
    if (whole != 1 || decimals > 9 || (*point == '.' && decimals == 0)) return false;
    if (point[decimals ? decimals + 1 : 0]) return false;
    *load = (uint64_t)(text[0] - '0');
    for (size_t i = 0; i < 9; i++)
        *load = *load * 10 + (i < decimals ? (uint64_t)(point[1 + i] - '0') : 0);
    return *load <= SWEEP_LOAD_1;
}

static enum anl_status read_loads(struct listing *listing, char *part)
{
    uint64_t bounds[3];
    int count = 0;
    for (; part && count < 3; count++)
        if (!read_load(strsep(&part, ":"), &bounds[count]))
            return refuse(listing, "expected loads from 0 to 1 with at most nine decimals, or "
                                   "FROM:TO:STEP, separated by commas");
    if (count == 1) return add(listing, bounds[0]);
    if (count != 3 || part || bounds[0] > bounds[1] || bounds[2] == 0)
        return refuse(listing, "a range is FROM:TO:STEP, FROM not above TO, STEP above 0");
    return add_all(listing, bounds[0], bounds[1], bounds[2]);
}

enum anl_status sweep_list_loads(const char *text, struct sweep_list *list, struct anl_error *error)
{
    struct listing listing = {.text = text, .list = list, .error = error};
    return read_list(&listing, read_loads);
}

static uint64_t four_digits(double load)
{
    uint64_t value = (uint64_t)(load * (double)SWEEP_LOAD_1 + 0.5), unit = 1;
    while (value / unit >= 10000)
        unit *= 10;
    return (value + unit / 2) / unit * unit;
}

enum anl_status sweep_list_up_to(double saturation, size_t count, struct sweep_list *list,
                                 struct anl_error *error)
{
    struct listing listing = {.text = "", .list = list, .error = error};
    enum anl_status status = ANL_OK;
    *list = (struct sweep_list){0};
    for (size_t i = 1; !status && i <= count; i++) {
        const double left = 1 - (double)i / (double)count;
        const uint64_t load = four_digits(0.98 * saturation * (1 - left * left));
        if (load && (!list->count || load > list->values[list->count - 1]))
            status = add(&listing, load);
    }
    return status;
}

void sweep_load_text(uint64_t load, char text[SWEEP_LOAD_BYTES])
{
    *text = '\0';
    if (load == SWEEP_NO_LOAD) return;
    size_t length = (size_t)snprintf(text, SWEEP_LOAD_BYTES, "%" PRIu64 ".%09" PRIu64,
                                     load / SWEEP_LOAD_1, load % SWEEP_LOAD_1);
    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.') text[length - 1] = '\0';
}

double sweep_load_number(uint64_t load)
{
    return load == SWEEP_NO_LOAD ? NAN : (double)load / (double)SWEEP_LOAD_1;
}

// --- seeds ---

static bool read_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static enum anl_status read_seeds(struct listing *listing, char *part)
{
    uint64_t from, to;
    bool good = read_seed(strsep(&part, "-"), &from);
    to = from;
    if (good && part) good = read_seed(part, &to) && from <= to;
    if (!good) return refuse(listing, "expected how many seeds, or seeds and ranges A-B");
    return add_all(listing, from, to, 1);
}

enum anl_status sweep_list_seeds(const char *text, struct sweep_list *list, struct anl_error *error)
{
    struct listing listing = {.text = text, .list = list, .error = error};
    uint64_t count;
    if (!read_seed(text, &count)) return read_list(&listing, read_seeds);
    *list = (struct sweep_list){0};
    if (count < 1 || count > SWEEP_MAX_LIST) return refuse(&listing, "expected 1 to 1000000 seeds");
    return add_all(&listing, 1, count, 1);
}

// --- options ---

static void read_option(const char *name, struct sweep_list *list, const char *text,
                        struct argp_state *state,
                        enum anl_status (*read)(const char *text, struct sweep_list *list,
                                                struct anl_error *error))
{
    struct anl_error error;
    free(list->values);
    if (read(text, list, &error)) argp_error(state, "--%s %s", name, error.text);
}

void sweep_read_loads(void *place, const char *text, struct argp_state *state)
{
    read_option("loads", place, text, state, sweep_list_loads);
}

void sweep_read_seeds(void *place, const char *text, struct argp_state *state)
{
    read_option("seeds", place, text, state, sweep_list_seeds);
}
