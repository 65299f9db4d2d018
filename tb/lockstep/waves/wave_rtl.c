// SPDX-License-Identifier: Apache-2.0
//
// Reads the VCD file that Verilator wrote of the RTL: which of its signals are wanted, and how
// GTKWave will name them.

#include "wave_internal.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 512 };

static const char top[] = "TOP.anl_lockstep_top.dut.g_switch[";
static const char part[] = "anl_lockstep_switch";

bool wave_next_line(struct wave_merge *merge)
{
    return getline(&merge->line, &merge->room, merge->in) > 0;
}

uint32_t wave_code_of(const char *text)
{
    size_t length = strcspn(text, " \n");
    uint64_t code = 0;
    while (length-- > 0 && code < WAVE_OUR_FIRST_CODE)
        code = code * WAVE_CODE_BASE + (uint64_t)(text[length] - '!') + 1;
    return code < WAVE_OUR_FIRST_CODE ? (uint32_t)code : 0;
}

// Notes that the RTL's signal of a code is copied.
static void keep(struct wave_merge *merge, uint32_t code)
{
    if (code >= merge->codes) {
        const size_t codes = 2 * (size_t)code + 1;
        bool *moved = realloc(merge->kept, codes * sizeof *moved);
        if (!moved) {
            merge->wave->out_of_memory = true;
            return;
        }
        memset(moved + merge->codes, 0, (codes - merge->codes) * sizeof *moved);
        merge->kept = moved;
        merge->codes = codes;
    }
    merge->kept[code] = true;
}

// --- which scopes of the RTL ---

// Returns 2 if the scope is in a switch that is wanted, 1 if it leads to such a switch, else 0.
// *number becomes the switch.
static int place_of_scope(const struct wave_rtl *rtl, const char *scope, uint32_t *number)
{
    size_t length = strlen(scope), common = strlen(top);
    if (length < common) return strncmp(top, scope, length) == 0 && strchr(".[", top[length]);
    if (strncmp(scope, top, common) != 0) return 0;
    char *rest = NULL;
    unsigned long value = strtoul(scope + common, &rest, 10);
    if (*rest != ']') return 0;
    bool wanted = false;
    for (size_t i = 0; i < rtl->count; i++)
        wanted = wanted || rtl->switches[i] == value;
    *number = (uint32_t)value;
    if (!wanted) return 0;
    if (strcmp(rest, "]") == 0) return 1;
    static const char instance[] = "].u_switch";
    bool in = strncmp(rest, instance, strlen(instance)) == 0 &&
              (rest[strlen(instance)] == '\0' || rest[strlen(instance)] == '.');
    return in ? 2 : 0;
}

// Returns true for the signals that people look for first: the ports of the switch and those of its
// core.
static bool is_near(const char *scope)
{
    const char *inside = strstr(scope, "].u_switch");
    return inside &&
           (strcmp(inside, "].u_switch") == 0 || strcmp(inside, "].u_switch.u_core") == 0);
}

// Shortens [0:0] to [0], as GTKWave writes it.
static void shorten_range(char *name)
{
    char *range = strrchr(name, '['), *colon = range ? strchr(range, ':') : NULL;
    if (!colon || strtol(range + 1, NULL, 10) != strtol(colon + 1, NULL, 10)) return;
    strcpy(colon, "]");
}

// Remembers the name of the RTL's signal that ends before end, without blanks.
static void remember_name(struct wave_merge *merge, const char *name, const char *end)
{
    struct wave *wave = merge->wave;
    if (!wave_grow(wave, (void **)&wave->names, wave->num_names, &wave->room_names,
                   sizeof *wave->names))
        return;
    char *path = malloc(strlen(merge->scope) + (size_t)(end - name) + 2);
    if (!path) {
        wave->out_of_memory = true;
        return;
    }
    char *to = path + sprintf(path, "%s.", merge->scope);
    for (; name < end; name++)
        if (*name != ' ') *to++ = *name;
    *to = '\0';
    shorten_range(path);
    wave->names[wave->num_names++] = (struct wave_rtl_name){merge->switch_, path};
}

// --- the RTL's declarations ---

static bool copies_scope(const struct wave_merge *merge)
{
    return merge->rtl->all || merge->place[merge->level - 1];
}

// Opens a scope of a name without points.
static bool enter(struct wave_merge *merge, const char *type, const char *name)
{
    const size_t length = strlen(merge->scope);
    if (merge->level == WAVE_SCOPES || length + strlen(name) + 2 > sizeof merge->scope)
        return false;
    sprintf(merge->scope + length, "%s%s", length ? "." : "", name);
    merge->length[merge->level] = length;
    merge->place[merge->level++] = place_of_scope(merge->rtl, merge->scope, &merge->switch_);
    if (copies_scope(merge)) fprintf(merge->out, "$scope %s %s $end\n", type, name);
    return true;
}

static void leave(struct wave_merge *merge)
{
    if (copies_scope(merge)) fputs("$upscope $end\n", merge->out);
    merge->scope[merge->length[--merge->level]] = '\0';
}

// Opens what a scope of the RTL's file stands for: "$scope module u_switch $end". A part of a
// network by switches has the name of its place, which is that of several scopes, and in it the
// module that makes a part of the switch, which is none of the network.
static bool enter_scopes(struct wave_merge *merge, const char *line)
{
    char type[WORD_BYTES], name[WORD_BYTES];
    if (merge->opened == WAVE_SCOPES || sscanf(line, "$scope %511s %511s", type, name) != 2)
        return false;
    int *count = &merge->opens[merge->opened++];
    *count = 0;
    if (strncmp(name, part, strlen(part)) == 0) return true;
    for (char *next = name; next; ++*count) {
        const char *piece = next;
        next = strchr(next, '.');
        if (next) *next++ = '\0';
        if (!enter(merge, type, piece)) return false;
    }
    return true;
}

static bool leave_scopes(struct wave_merge *merge)
{
    if (merge->opened == 0) return false;
    for (int count = merge->opens[--merge->opened]; count > 0; count--)
        leave(merge);
    return true;
}

// Copies a signal if it is wanted: "$var wire 8 # count [7:0] $end".
static bool declare(struct wave_merge *merge, const char *line)
{
    char type[WORD_BYTES], code[WORD_BYTES];
    int name = 0;
    const char *end = strstr(line, " $end");
    if (!end || sscanf(line, "$var %511s %*u %511s %n", type, code, &name) != 2 ||
        !wave_code_of(code) || line + name >= end)
        return false;
    const int place = merge->level ? merge->place[merge->level - 1] : 0;
    if (!merge->rtl->all && place != 2) return true;
    keep(merge, wave_code_of(code));
    fputs(line, merge->out);
    if (strcmp(type, "parameter") != 0 && place == 2 && is_near(merge->scope))
        remember_name(merge, line + name, end);
    return true;
}

bool wave_copy_declarations(struct wave_merge *merge)
{
    bool good = true;
    while (good && wave_next_line(merge)) {
        const char *line = merge->line + strspn(merge->line, " ");
        if (strncmp(line, "$enddefinitions", 15) == 0) return true;
        if (strncmp(line, "$scope ", 7) == 0) good = enter_scopes(merge, line);
        if (strncmp(line, "$upscope ", 9) == 0) good = leave_scopes(merge);
        if (strncmp(line, "$var ", 5) == 0) good = declare(merge, line);
    }
    return false;
}
