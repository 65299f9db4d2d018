// SPDX-License-Identifier: Apache-2.0
//
// Templates of names: words in braces, whole numbers in brackets, and constants.

#include "probes.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(struct probes_why *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return false;
}

// --- words ---

static const char *find_word(const struct probes_words *words, const char *name, size_t length)
{
    for (unsigned i = 0; i < words->count; i++)
        if (strlen(words->at[i].name) == length && !strncmp(words->at[i].name, name, length))
            return words->at[i].text;
    return NULL;
}

static bool refuse_word(const struct probes_words *words, const char *name, size_t length,
                        struct probes_why *why)
{
    char all[200] = "";
    for (unsigned i = 0; i < words->count; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s{%s}", i ? ", " : "", words->at[i].name);
    }
    return refuse(why, "found '{%.*s}', expected %s", (int)(length < 40 ? length : 40), name,
                  words->count ? all : "no word in braces here");
}

// Copies a text with its words replaced.
static bool replace_words(const char *from, const struct probes_words *words, char *to, size_t size,
                          struct probes_why *why)
{
    size_t used = 0;
    while (*from) {
        const char *text = from;
        size_t length = 1;
        if (*from == '{') {
            const char *end = strchr(from, '}');
            if (!end) return refuse(why, "found '{' without '}' in '%.60s'", from);
            text = find_word(words, from + 1, (size_t)(end - from) - 1);
            if (!text) return refuse_word(words, from + 1, (size_t)(end - from) - 1, why);
            length = strlen(text);
            from = end + 1;
        } else {
            from++;
        }
        if (used + length >= size)
            return refuse(why, "found a name of more than %zu letters", size - 1);
        memcpy(to + used, text, length);
        used += length;
    }
    to[used] = '\0';
    return true;
}

// --- whole numbers ---

enum { MOST_NESTING = 16 };

struct sum {
    const char *at;
    unsigned nesting;
    struct probes_why *why;
};

static bool read_sum(struct sum *sum, int64_t *value);

static void skip_blanks(struct sum *sum)
{
    while (*sum->at == ' ')
        sum->at++;
}

static bool read_number(struct sum *sum, int64_t *value)
{
    skip_blanks(sum);
    if (*sum->at == '(') {
        if (++sum->nesting > MOST_NESTING) return refuse(sum->why, "found too many brackets");
        sum->at++;
        if (!read_sum(sum, value)) return false;
        sum->nesting--;
        if (*sum->at != ')') return refuse(sum->why, "found '%.20s', expected ')'", sum->at);
        sum->at++;
    } else if (isdigit((unsigned char)*sum->at)) {
        char *end;
        *value = strtoll(sum->at, &end, 10);
        sum->at = end;
    } else {
        return refuse(sum->why, "found '%.20s' in brackets, expected a whole number", sum->at);
    }
    skip_blanks(sum);
    return true;
}

static bool read_product(struct sum *sum, int64_t *value)
{
    if (!read_number(sum, value)) return false;
    while (*sum->at == '*' || *sum->at == '/' || *sum->at == '%') {
        const char sign = *sum->at++;
        int64_t other;
        if (!read_number(sum, &other)) return false;
        if (sign != '*' && other == 0) return refuse(sum->why, "found a division by 0");
        // The least number has no positive counterpart.
        const bool least = *value == INT64_MIN && other == -1;
        if (sign == '*' ? __builtin_mul_overflow(*value, other, value) : least)
            return refuse(sum->why, "found a product that is too large");
        if (sign == '/') *value /= other;
        if (sign == '%') *value %= other;
    }
    return true;
}

// Reads a sum, up to a sign that belongs to "+:" or "-:" or to none.
static bool read_sum(struct sum *sum, int64_t *value)
{
    if (!read_product(sum, value)) return false;
    while ((*sum->at == '+' || *sum->at == '-') && sum->at[1] != ':') {
        const char sign = *sum->at++;
        int64_t other;
        if (!read_product(sum, &other)) return false;
        if (sign == '+' ? __builtin_add_overflow(*value, other, value)
                        : __builtin_sub_overflow(*value, other, value))
            return refuse(sum->why, "found a sum that is too large");
    }
    return true;
}

// What stands in a pair of brackets: one number, or bits high to low.
struct select {
    bool range;
    int32_t high, low;
};

static bool read_bit(struct sum *sum, int64_t *bit)
{
    if (!read_sum(sum, bit)) return false;
    return (*bit >= 0 && *bit <= INT32_MAX) ||
           refuse(sum->why, "found %" PRId64 " in brackets, expected 0 .. %d", *bit, INT32_MAX);
}

static bool read_select(struct sum *sum, struct select *select)
{
    int64_t first, second;
    if (!read_bit(sum, &first)) return false;
    const char sign = *sum->at;
    int64_t low = first, high = first;
    select->range = sign == ':' || ((sign == '+' || sign == '-') && sum->at[1] == ':');
    if (select->range) {
        sum->at += sign == ':' ? 1 : 2;
        if (!read_bit(sum, &second)) return false;
        if (sign != ':' && second == 0) return refuse(sum->why, "found 0 bits, expected 1 or more");
        low = sign == ':' ? second : sign == '-' ? first - second + 1 : first;
        high = sign == '+' ? first + second - 1 : first;
    }
    if (*sum->at != ']') return refuse(sum->why, "found '%.20s', expected ']'", sum->at);
    if (low < 0 || high > INT32_MAX)
        return refuse(sum->why, "found bit %" PRId64 ", expected 0 .. %d", low < 0 ? low : high,
                      INT32_MAX);
    // A vector may be numbered upwards, [0:7].
    select->low = (int32_t)(low < high ? low : high);
    select->high = (int32_t)(low < high ? high : low);
    return true;
}

// --- names ---

// Returns how long the name is that begins with a backslash and ends with a blank.
static size_t escaped(const char *text)
{
    return *text == '\\' ? strcspn(text, " ") + (text[strcspn(text, " ")] == ' ') : 0;
}

static bool append(struct probes_part *part, size_t *used, const char *text, size_t length,
                   struct probes_why *why)
{
    if (*used + length >= sizeof part->text)
        return refuse(why, "found a name of more than %zu letters", sizeof part->text - 1);
    memcpy(part->text + *used, text, length);
    *used += length;
    part->text[*used] = '\0';
    return true;
}

// Takes a pair of brackets: the last one says the bits, all others stay in the name.
static bool take_brackets(const char **at, struct probes_part *part, size_t *used,
                          struct probes_why *why)
{
    struct sum sum = {.at = *at + 1, .why = why};
    struct select select = {0};
    char number[24];
    if (!read_select(&sum, &select)) return false;
    *at = sum.at + 1;
    if (!**at) {
        part->high = select.high, part->low = select.low;
        return true;
    }
    if (select.range)
        return refuse(why, "found a range of bits before '%.20s', expected it at the end", *at);
    const int length = snprintf(number, sizeof number, "[%" PRId32 "]", select.low);
    return append(part, used, number, (size_t)length, why);
}

static bool make_name(const char *text, struct probes_part *part, struct probes_why *why)
{
    size_t used = 0;
    part->high = part->low = -1;
    while (*text) {
        const size_t literal = escaped(text);
        if (*text == '[') {
            if (!used) return refuse(why, "found '%.40s', expected a name before '['", text);
            if (!take_brackets(&text, part, &used, why)) return false;
            continue;
        }
        if (!literal && (*text == ' ' || *text == ']' || *text == '}'))
            return refuse(why, "found '%c' in the name '%.60s'", *text, part->text);
        const size_t length = literal ? literal : 1;
        if (!append(part, &used, text, length, why)) return false;
        text += length;
    }
    return used > 0 || refuse(why, "found nothing, expected the name of a signal");
}

// --- constants ---

// Makes a part of 4'd5, 1'b1, 8'hff.
static bool make_constant(const char *text, struct probes_part *part, struct probes_why *why)
{
    static const char bases[] = "bdh";
    static const int radix[] = {2, 10, 16};
    char *end;
    const long width = strtol(text, &end, 10);
    const char *base =
        *end == '\'' && end[1] ? strchr(bases, tolower((unsigned char)end[1])) : NULL;
    if (!base || !isxdigit((unsigned char)end[2]) || width < 1 || width > 32)
        return refuse(why,
                      "found '%.40s', expected a name, or a constant of 1 to 32 bits such as 1'b1",
                      text);
    const unsigned long long value = strtoull(end + 2, &end, radix[base - bases]);
    if (*end || value >> width)
        return refuse(why, "found '%.40s', expected a number of %ld bits", text, width);
    part->constant = true;
    part->width = (uint32_t)width;
    part->value = (uint32_t)value;
    return true;
}

bool probes_make(const char *text, const struct probes_words *words, struct probes_part *part,
                 struct probes_why *why)
{
    char whole[PROBES_TEXT_BYTES];
    *part = (struct probes_part){0};
    if (!replace_words(text, words, whole, sizeof whole, why)) return false;
    part->inverted = *whole == '~';
    const char *rest = whole + part->inverted;
    return isdigit((unsigned char)*rest) ? make_constant(rest, part, why)
                                         : make_name(rest, part, why);
}
