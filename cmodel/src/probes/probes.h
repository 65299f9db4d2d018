// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: the list that grows while a map is read, and the templates.

#ifndef ANL_PROBES_PRIVATE_H
#define ANL_PROBES_PRIVATE_H

#include <annelid/probes.h>
#include <annelid/scenario.h>

enum { PROBES_TEXT_BYTES = 1024 };  // of the name of a signal, with the end
enum { PROBES_WORD_BYTES = 64 };    // of what stands for a word

// A word of templates, {port}, and what stands for it.
struct probes_word {
    const char *name;
    char text[PROBES_WORD_BYTES];
};

enum { PROBES_MOST_WORDS = 4 + 3 };  // link, terminal, switch, port, and coordinates

struct probes_words {
    struct probes_word at[PROBES_MOST_WORDS];
    unsigned count;
};

// A part of a role as a template gives it; name stands in text.
struct probes_part {
    char text[PROBES_TEXT_BYTES];
    bool constant, inverted;
    int32_t high, low;
    uint32_t width, value;
};

// Makes a part of a text: words in braces are replaced, sums in brackets are worked out. Returns
// false, with a line about what was found and what was expected in *why.
struct probes_why {
    char text[300];
};
bool probes_make(const char *text, const struct probes_words *words, struct probes_part *part,
                 struct probes_why *why);

#endif
