// SPDX-License-Identifier: Apache-2.0
//
// What somebody has probably meant who wrote another name, or other separators; and names as a
// shell reads them.

#include <annelid/base.h>
#include <limits.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

enum { LONGEST_WORD = 32 };

unsigned anl_letters_apart(const char *a, const char *b)
{
    if (strlen(a) > LONGEST_WORD || strlen(b) > LONGEST_WORD) return UINT_MAX;
    unsigned apart[LONGEST_WORD + 1][LONGEST_WORD + 1];  // the first i letters of a, j of b
    const unsigned length = (unsigned)strlen(a), width = (unsigned)strlen(b);
    for (unsigned i = 0; i <= length; i++)
        for (unsigned j = 0; j <= width; j++) {
            apart[i][j] = i + j;
            if (!i || !j) continue;
            apart[i][j] = least(apart[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                                1 + least(apart[i - 1][j], apart[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                apart[i][j] = least(apart[i][j], 1 + apart[i - 2][j - 2]);
        }
    return apart[length][width];
}

bool anl_resembles(const char *meant, const char *written)
{
    const size_t length = strlen(meant);
    return anl_letters_apart(meant, written) <= (length < 3 ? 0 : length < 6 ? 1 : 2);
}

const char *anl_separator_hint(const char *line, size_t bytes)
{
    if (memchr(line, ',', bytes) && !memchr(line, ';', bytes) && !memchr(line, '\t', bytes))
        return "";
    if (memchr(line, ';', bytes)) return "; fields are separated by commas, not by semicolons";
    if (memchr(line, '\t', bytes)) return "; fields are separated by commas, not by tabs";
    return "";
}

void anl_print_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./=,:+-";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
    fputc('\'', out);
}
