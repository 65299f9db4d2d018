// SPDX-License-Identifier: Apache-2.0
//
// The rules of a command about its options (struct cli_rule): an option that would change nothing
// beside the others is refused.

#include "cli.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

// A name, or a name and a value, "method=refinement", out of a list with | between them.
struct term {
    const char *name, *value;
    size_t name_length, value_length;
};

static struct term term_of(const char *text)
{
    const size_t length = strcspn(text, "|"), name = strcspn(text, "=|");
    struct term term = {.name = text, .name_length = name};
    if (name == length) return term;
    term.value = text + name + 1;
    term.value_length = length - name - 1;
    return term;
}

static const char *behind(const char *text)
{
    text += strcspn(text, "|");
    return *text ? text + 1 : NULL;
}

static bool is_term(const struct term *term, const char *option, const char *value)
{
    if (strlen(option) != term->name_length || memcmp(option, term->name, term->name_length) != 0)
        return false;
    return !term->value || (value && strlen(value) == term->value_length &&
                            strncasecmp(value, term->value, term->value_length) == 0);
}

// Returns whether an option was given, with its value if the term has one.
static bool is_given(const struct cli_given *given, const struct term *term)
{
    for (size_t i = 0; i < given->num_taken; i++)
        if (is_term(term, given->taken[i].option, given->taken[i].value)) return true;
    return false;
}

// Finds the first term of a list that is given. The list may be NULL.
static bool any_given(const struct cli_given *given, const char *list, struct term *found)
{
    for (; list; list = behind(list)) {
        *found = term_of(list);
        if (is_given(given, found)) return true;
    }
    return false;
}

static void put_term(char *text, size_t size, const struct term *term)
{
    text_append(text, size, "--%.*s", (int)term->name_length, term->name);
    if (term->value) text_append(text, size, " %.*s", (int)term->value_length, term->value);
}

static void refuse_without(const char *option, const char *list, struct argp_state *state)
{
    char text[160] = "";
    for (const char *at = list; at; at = behind(at)) {
        const struct term term = term_of(at);
        if (at != list) text_append(text, sizeof text, behind(at) ? ", " : " or ");
        put_term(text, sizeof text, &term);
    }
    argp_error(state, "--%s has no effect without %s", option, text);
}

static void refuse_with(const char *option, const struct term *other, struct argp_state *state)
{
    char text[80] = "";
    put_term(text, sizeof text, other);
    argp_error(state, "--%s has no effect with %s", option, text);
}

// An option that stands alone asks for something that no other option or input has a part in.
static void check_alone(const struct cli_given *given, const char *option, struct argp_state *state)
{
    for (size_t i = 0; i < given->num_taken; i++)
        if (strcmp(given->taken[i].option, option) != 0)
            argp_error(state, "--%s has no effect with --%s", given->taken[i].option, option);
    if (given->num_inputs)
        argp_error(state, "'%s' has no effect with --%s", given->inputs[0], option);
}

// Returns whether a command has all options of a list, which may be NULL.
static bool has_options(const struct cli_command *command, const char *list)
{
    for (; list; list = behind(list)) {
        const struct term term = term_of(list);
        const struct cli_option *option = command->options;
        while (option->name &&
               !is_term(&(struct term){.name = term.name, .name_length = term.name_length},
                        option->name, NULL))
            option++;
        if (!option->name) return false;
    }
    return true;
}

void cli_check_rules(const struct cli_command *command, const struct cli_given *given,
                     struct argp_state *state)
{
    struct term found;
    for (const struct cli_rule *rule = command->rules; rule && rule->option; rule++) {
        const struct term option = term_of(rule->option);
        assert(has_options(command, rule->option) && has_options(command, rule->needs) &&
               has_options(command, rule->bars) && has_options(command, rule->unless));
        if (!is_given(given, &option) || any_given(given, rule->unless, &found)) continue;
        if (rule->alone) check_alone(given, rule->option, state);
        if (rule->needs && !any_given(given, rule->needs, &found))
            refuse_without(rule->option, rule->needs, state);
        if (any_given(given, rule->bars, &found)) refuse_with(rule->option, &found, state);
    }
}
