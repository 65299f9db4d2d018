// SPDX-License-Identifier: Apache-2.0
//
// A command as text that a shell reads back as the same words.

#ifndef ANNELID_SHELL_WORDS_H
#define ANNELID_SHELL_WORDS_H

// The first word stays as it is: it may be two ("annelid sweep"). To be given to free(); NULL: no
// memory.
char *shell_words(char **words, int count);

#endif
