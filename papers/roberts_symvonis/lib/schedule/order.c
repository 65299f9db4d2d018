// SPDX-License-Identifier: Apache-2.0
//
// Orders in which worms are scheduled. A fixed order sorts by two sums of the distances h and v,
// each with its sign, and then by the number of the worm.

#include <annelid/schedule.h>
#include <ctype.h>
#include <stdlib.h>

struct sum {
    int h, v;
};

static const struct {
    const char *name;
    struct sum first, second;
    bool last_first;  // equal worms by descending number
} orders[ANL_ORDERS] = {
    [ANL_ORDER_ROW_MAJOR] = {"row-major", {0, 0}, {0, 0}, false},
    [ANL_ORDER_H_V_DESC] = {"lex-desc(h,v)", {-1, 0}, {0, -1}, false},
    [ANL_ORDER_H_V_ASC] = {"lex-asc(h,v)", {1, 0}, {0, 1}, false},
    [ANL_ORDER_LONGEST] = {"longest", {-1, -1}, {0, 0}, false},
    [ANL_ORDER_SHORTEST] = {"shortest", {1, 1}, {0, 0}, true},
    [ANL_ORDER_V_H_DESC] = {"lex-desc(v,h)", {0, -1}, {-1, 0}, false},
    [ANL_ORDER_H_DESC_V_ASC] = {"h-desc,v-asc", {-1, 0}, {0, 1}, false},
    [ANL_ORDER_RANDOM] = {"random", {0, 0}, {0, 0}, false},
};

const char *anl_order_name(enum anl_order order) { return orders[order].name; }

// Returns the next letter of a text, in lower case, and steps behind it; '\0' at the end.
static int next_letter(const char **text)
{
    while (**text && !isalpha((unsigned char)**text))
        ++*text;
    return **text ? tolower((unsigned char)*(*text)++) : '\0';
}

static bool same_letters(const char *a, const char *b)
{
    int letter;
    do {
        letter = next_letter(&a);
        if (letter != next_letter(&b)) return false;
    } while (letter);
    return true;
}

bool anl_order_find(const char *name, enum anl_order *order)
{
    for (int i = 0; i < (int)ANL_ORDERS; i++)
        if (same_letters(name, orders[i].name)) {
            *order = (enum anl_order)i;
            return true;
        }
    return false;
}

// --- sorting ---
//
// The sums and the number of a worm are digits of one number, by which worms are sorted.

enum { WORM_BITS = 18, SUM_BITS = 12, SUM_ZERO = 1 << (SUM_BITS - 1) };
_Static_assert((uint32_t)ANL_SCHEDULE_MAX_N *ANL_SCHEDULE_MAX_N <= 1u << WORM_BITS, "worms fit");
_Static_assert(2 * ANL_SCHEDULE_MAX_N < SUM_ZERO, "sums fit");

static uint64_t digit(struct sum sum, uint32_t h, uint32_t v)
{
    return (uint64_t)(SUM_ZERO + sum.h * (int)h + sum.v * (int)v);
}

static uint32_t apart(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

static uint64_t key_of(const struct anl_permutation *permutation, enum anl_order order,
                       uint32_t worm)
{
    const uint32_t n = permutation->n, to = permutation->destinations[worm];
    const uint32_t h = apart(worm % n, to % n), v = apart(worm / n, to / n);
    const uint64_t sums =
        digit(orders[order].first, h, v) << SUM_BITS | digit(orders[order].second, h, v);
    return sums << WORM_BITS | (orders[order].last_first ? n * n - 1 - worm : worm);
}

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void shuffle(uint32_t *worms, uint32_t count, struct anl_rng rng)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = anl_rng_below(&rng, i), kept = worms[i - 1];
        worms[i - 1] = worms[other];
        worms[other] = kept;
    }
}

enum anl_status anl_order_make(const struct anl_permutation *permutation, enum anl_order order,
                               uint64_t seed, uint32_t *worms)
{
    const uint32_t nodes = permutation->n * permutation->n;
    uint64_t *keys = malloc(nodes * sizeof *keys);
    uint32_t count = 0;
    if (!keys) return ANL_ERR_MEMORY;
    for (uint32_t worm = 0; worm < nodes; worm++)
        if (permutation->destinations[worm] != ANL_NO_NODE)
            keys[count++] = key_of(permutation, order, worm);
    qsort(keys, count, sizeof *keys, by_key);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t low = (uint32_t)keys[i] & ((1u << WORM_BITS) - 1);
        worms[i] = orders[order].last_first ? nodes - 1 - low : low;
    }
    free(keys);
    if (order == ANL_ORDER_RANDOM) shuffle(worms, count, anl_rng_seed(seed, nodes + 1));
    return ANL_OK;
}
