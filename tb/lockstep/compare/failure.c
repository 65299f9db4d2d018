// SPDX-License-Identifier: Apache-2.0

#include "failure.h"

#include "difference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char top[] = "TOP.anl_lockstep_top.";

// Copies text with one blank for each run of blanks and line ends, and none at its end.
static void copy_words(char *to, size_t size, const char *text)
{
    size_t used = 0;
    for (; *text && used + 1 < size; text++) {
        const bool blank = strchr(" \t\r\n\\", *text) != NULL;
        if (blank && (used == 0 || to[used - 1] == ' ')) continue;
        to[used++] = *text;
        if (blank) to[used - 1] = ' ';
    }
    while (used && to[used - 1] == ' ')
        used--;
    to[used] = '\0';
}

// Returns the member in a C++ expression, which begins with "vlSelf->" or "vlSelfRef.", as
// Verilator's version will have it.
static const char *member_of(const char *expression)
{
    const char *point = strrchr(expression, '.'), *arrow = strrchr(expression, '>');
    const char *end = arrow && (!point || arrow > point) ? arrow : point;
    return end ? end + 1 : expression;
}

// Appends a C++ name as the RTL has it: __DOT__ is a point, __BRA__ and __KET__ are brackets.
static void append_name(char *to, size_t size, const char *name)
{
    static const struct {
        const char *code, *sign;
    } codes[] = {{"__PVT__", ""}, {"__DOT__", "."}, {"__BRA__", "["}, {"__KET__", "]"}};
    size_t used = strlen(to);
    while (*name && used + 1 < size) {
        size_t i = 0;
        while (i < sizeof codes / sizeof *codes &&
               strncmp(name, codes[i].code, strlen(codes[i].code)) != 0)
            i++;
        if (i == sizeof codes / sizeof *codes) {
            to[used++] = *name++;
            continue;
        }
        if (codes[i].sign[0]) to[used++] = codes[i].sign[0];
        name += strlen(codes[i].code);
    }
    to[used] = '\0';
}

// Takes the last names off, which are those of the variable and of the assertion.
static void cut_names(char *scope, int names)
{
    for (char *point; names-- > 0 && (point = strrchr(scope, '.')) != NULL;)
        *point = '\0';
}

// Returns the number in "name[number]" in the text, or NOWHERE.
static uint32_t number_of(const char *text, const char *name)
{
    const char *found = strstr(text, name);
    return found ? (uint32_t)strtoul(found + strlen(name), NULL, 10) : NOWHERE;
}

// Finds the switch and the port in the scope.
static void place(struct failure *failure)
{
    failure->switch_ = number_of(failure->scope, ".g_switch[");
    failure->port = number_of(failure_path(failure), "g_input[");
    if (failure->port == NOWHERE) failure->port = number_of(failure_path(failure), "g_output[");
}

void failure_set(struct failure *failure, const char *name, const char *condition,
                 const char *outer, const char *inner)
{
    *failure = (struct failure){.switch_ = NOWHERE, .port = NOWHERE};
    snprintf(failure->name, sizeof failure->name, "%s", name);
    copy_words(failure->condition, sizeof failure->condition, condition);
    if (!outer || !inner) return;
    snprintf(failure->scope, sizeof failure->scope, "%s.", outer);
    append_name(failure->scope, sizeof failure->scope, member_of(inner));
    cut_names(failure->scope, 2);
    place(failure);
}

// Takes the scope off a message that names it. Returns the words behind it.
static const char *take_scope(struct failure *failure, const char *message)
{
    static const char before[] = "Assertion failed in ", root[] = "TOP.";
    const char *found = strstr(message, before);
    if (!found) return message;
    found += strlen(before);
    const size_t length = strcspn(found, ": \n");
    snprintf(failure->scope, sizeof failure->scope, "%s%.*s",
             strncmp(found, root, strlen(root)) == 0 ? "" : root, (int)length, found);
    return found + length + (found[length] == ':');
}

void failure_say(struct failure *failure, const char *place_, const char *message, bool in_reset)
{
    char words[sizeof failure->values];
    *failure = (struct failure){.switch_ = NOWHERE, .port = NOWHERE};
    snprintf(failure->name, sizeof failure->name, "%s", place_);
    copy_words(words, sizeof words, take_scope(failure, message));
    const bool is_plain = strcmp(words, "'assert' failed.") == 0;
    if (!is_plain)
        snprintf(failure->condition, sizeof failure->condition,
                 "no $error, $fatal, $stop or $finish");
    snprintf(failure->values, sizeof failure->values, "%s%.200s", in_reset ? "in reset: " : "",
             *words ? words : "an error without words");
    place(failure);
}

const char *failure_path(const struct failure *failure)
{
    static const char in_switch[] = ".u_switch";
    const char *found = strstr(failure->scope, in_switch);
    if (found) return found + strlen(in_switch) + (found[strlen(in_switch)] == '.');
    return failure->scope + (strncmp(failure->scope, top, strlen(top)) == 0 ? strlen(top) : 0);
}

void failure_describe(const struct failure *failure, char *text, size_t size)
{
    const char *path = failure_path(failure);
    snprintf(text, size, "%s%s%s%s%s", failure->name, *path ? " in " : "", path,
             failure->values[0] ? ": " : "", failure->values);
}
