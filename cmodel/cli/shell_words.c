// SPDX-License-Identifier: Apache-2.0

#include "shell_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./=,:+-";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

char *shell_words(char **words, int count)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    fputs(words[0], out);
    for (int i = 1; i < count; i++) {
        fputc(' ', out);
        put_word(out, words[i]);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}
