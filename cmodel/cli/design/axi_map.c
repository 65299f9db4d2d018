// SPDX-License-Identifier: Apache-2.0
//
// The address map of a design with AXI4 ports, and lists of terminals (docs/axi.md, "Written
// designs").

#include "axi.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 12, WORDS = 3 };
static const uint64_t page = UINT64_C(1) << PAGE_BITS;

struct range {
    uint64_t base, last, line;
};

// A map while it is read.
struct reading {
    const char *path;
    uint64_t line;
    struct design *design;
    struct anl_error *error;
    struct range *ranges;  // [count] of the rows that were read
    size_t count, room;
};

#define FOUND(reading, ...)                                                                        \
    return anl_fail((reading)->error, ANL_ERR_FORMAT, (reading)->path, (reading)->line, __VA_ARGS__)

static enum anl_status no_memory(struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for the address map");
}

// --- numbers ---

static unsigned shift_of(char suffix)
{
    static const char suffixes[] = "KMGT";
    const char *at = suffix ? strchr(suffixes, suffix) : NULL;
    return at ? 10 * (unsigned)(at - suffixes + 1) : 0;
}

// Reads "4096", "0x4000_0000" or "64K". Returns false if a word is none of these, or is too large.
static bool read_number(const char *word, uint64_t *number)
{
    char digits[72], *end;
    size_t length = 0;
    if (strlen(word) >= sizeof digits || !isdigit((unsigned char)*word)) return false;
    for (const char *at = word; *at; at++)
        if (*at != '_') digits[length++] = *at;
    digits[length] = '\0';
    const unsigned shift = shift_of(digits[length - 1]);
    if (shift) digits[length - 1] = '\0';
    const bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (hex && !isxdigit((unsigned char)digits[2])) return false;
    errno = 0;
    const uint64_t value = strtoull(digits, &end, hex ? 16 : 10);
    *number = value << shift;
    return !*end && !errno && *number >> shift == value;
}

// --- rows ---

// Cuts a range into blocks of a power of two, each at a multiple of its size.
static enum anl_status add_blocks(struct reading *reading, uint64_t base, uint64_t last,
                                  uint32_t terminal)
{
    struct design_axi *axi = &reading->design->axi;
    for (uint64_t left = last - base;; left -= axi->rows[axi->num_rows - 1].rest + 1) {
        uint64_t rest = page - 1;  // of the block: its size, less one
        while (rest < left && !(base & (2 * rest + 1)) && 2 * rest + 1 <= left)
            rest = 2 * rest + 1;
        if (axi->num_rows == DESIGN_MOST_ROWS)
            FOUND(reading, "found more than %d blocks, expected at most %d", DESIGN_MOST_ROWS,
                  DESIGN_MOST_ROWS);
        axi->rows[axi->num_rows++] = (struct design_row){base, rest, terminal};
        if (rest == left) return ANL_OK;
        base += rest + 1;
    }
}

static enum anl_status check_range(struct reading *reading, uint64_t base, uint64_t last)
{
    const uint32_t bits = reading->design->axi.address_bits;
    if (bits < 64 && last >> bits)
        FOUND(reading, "found a range up to 0x%" PRIx64 ", expected addresses of %" PRIu32 " bits",
              last, bits);
    for (size_t i = 0; i < reading->count; i++) {
        const struct range *other = &reading->ranges[i];
        if (base <= other->last && other->base <= last)
            FOUND(reading,
                  "found 0x%" PRIx64 " … 0x%" PRIx64 ", which overlaps with line %" PRIu64
                  " (0x%" PRIx64 " … 0x%" PRIx64 "), expected ranges apart",
                  base, last, other->line, other->base, other->last);
    }
    return ANL_OK;
}

static bool keep(struct reading *reading, uint64_t base, uint64_t last)
{
    struct range *ranges =
        gather_room(reading->ranges, reading->count, &reading->room, sizeof *ranges);
    if (!ranges) return false;
    reading->ranges = ranges;
    ranges[reading->count++] = (struct range){base, last, reading->line};
    return true;
}

static enum anl_status take_row(struct reading *reading, char *words[WORDS])
{
    const uint32_t terminals = anl_shape_of(reading->design->config).terminals;
    uint64_t numbers[WORDS];
    for (size_t i = 0; i < WORDS; i++)
        if (!read_number(words[i], &numbers[i]))
            FOUND(reading, "found '%s', expected a number: 4096, 0x1000 or 4K", words[i]);
    const uint64_t base = numbers[0], last = base + numbers[1] - 1;
    for (size_t i = 0; i < 2; i++)
        if (numbers[i] % page != 0)
            FOUND(reading, "found %s '%s', expected a multiple of 4 KiB", i ? "size" : "base",
                  words[i]);
    if (numbers[1] == 0 || last < base)
        FOUND(reading, "found size '%s', expected one that ends below 2^64", words[1]);
    if (numbers[2] >= terminals)
        FOUND(reading, "found terminal '%s', expected 0 … %" PRIu32, words[2], terminals - 1);
    enum anl_status status = check_range(reading, base, last);
    if (!status && !keep(reading, base, last)) status = no_memory(reading->error);
    if (!status) status = add_blocks(reading, base, last, (uint32_t)numbers[2]);
    reading->design->axi.ports[numbers[2]] |= DESIGN_MEMORY;
    return status;
}

static enum anl_status take_line(struct reading *reading, char *text)
{
    char *words[WORDS], *rest;
    size_t count = 0;
    text[strcspn(text, "#")] = '\0';
    for (char *word = strtok_r(text, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest)) {
        if (count == WORDS) FOUND(reading, "found '%s' behind a row, expected a line's end", word);
        words[count++] = word;
    }
    if (count == 0) return ANL_OK;
    if (count < WORDS) FOUND(reading, "found %zu words, expected base, size, terminal", count);
    return take_row(reading, words);
}

enum anl_status axi_map_read(struct design *design, const char *path, struct anl_error *error)
{
    struct reading reading = {.path = path, .design = design, .error = error};
    char *text, *next;
    enum anl_status status = csv_lines(path, &text, error);
    for (char *line = text; !status && *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = '\0';
        reading.line++;
        status = take_line(&reading, line);
    }
    if (!status && design->axi.num_rows == 0)
        status = anl_fail(error, ANL_ERR_FORMAT, path, 0, "found no row, expected one at least");
    free(text);
    free(reading.ranges);
    return status;
}

// --- lists of terminals ---

// Reads "0,3,5-7" and gives each of these terminals a kind of port.
enum anl_status axi_list_read(struct design *design, const char *option, const char *list,
                              uint8_t port, struct anl_error *error)
{
    const uint32_t terminals = anl_shape_of(design->config).terminals;
    for (const char *at = list; at;) {
        unsigned first, last;
        int one = 0, two = 0;
        const int length = (int)strcspn(at, ",");
        char item[32];
        snprintf(item, sizeof item, "%.*s", length, at);
        const int count = sscanf(item, "%9u%n-%9u%n", &first, &one, &last, &two);
        if (count == 1 && !item[one]) last = first;
        if (!isdigit((unsigned char)*item) || count < 1 || item[count == 2 ? two : one] ||
            last < first || last >= terminals)
            return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                            "--%s: found '%s', expected terminals 0 … %" PRIu32
                            " with commas between them, 0,2-3",
                            option, item, terminals - 1);
        for (; first <= last; first++)
            design->axi.ports[first] |= port;
        at = at[length] ? at + length + 1 : NULL;
    }
    return ANL_OK;
}
