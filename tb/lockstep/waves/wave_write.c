// SPDX-License-Identifier: Apache-2.0
//
// Writes the FST file: copies what is wanted of the RTL's own file and inserts our changes between
// its changes by time. Reader and writer are those that come with Verilator.

#include "wave_internal.h"

#include <gtkwave/fstapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 1024, SCOPES_AT_MOST = 64 };

static const char top[] = "TOP.anl_lockstep_top.dut.g_switch[";

// The file while it is written.
struct merge {
    struct wave *wave;
    const struct wave_rtl *rtl;
    void *reader, *writer;
    fstHandle *handle;  // [reader's handle] our handle; 0: the signal is left out
    size_t next;        // index of our next change
    uint64_t time;      // of the last change written
    bool begun;
};

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

static void remember_name(struct wave *wave, uint32_t number, const char *scope, const char *name)
{
    if (!wave_grow(wave, (void **)&wave->names, wave->num_names, &wave->room_names,
                   sizeof *wave->names))
        return;
    size_t bytes = strlen(scope) + strlen(name) + 2;
    char *path = malloc(bytes);
    if (!path) {
        wave->out_of_memory = true;
        return;
    }
    char *end = path + sprintf(path, "%s.", scope);
    for (; *name; name++)
        if (*name != ' ') *end++ = *name;
    *end = '\0';
    shorten_range(path);
    wave->names[wave->num_names++] = (struct wave_rtl_name){number, path};
}

static void copy_variable(struct merge *merge, const struct fstHierVar *var)
{
    fstHandle known = merge->handle[var->handle];
    fstHandle made =
        fstWriterCreateVar(merge->writer, (enum fstVarType)var->typ, (enum fstVarDir)var->direction,
                           var->length, var->name, known);
    if (!known) merge->handle[var->handle] = made;
}

// Declares the signals of the RTL that are wanted.
static void copy_hierarchy(struct merge *merge)
{
    int kept[SCOPES_AT_MOST] = {0}, level = 0;
    uint32_t number = 0;
    const struct fstHier *item;
    while ((item = fstReaderIterateHier(merge->reader)) != NULL) {
        bool in = merge->rtl->all || (level > 0 && kept[level - 1] == 2);
        if (item->htyp == FST_HT_SCOPE) {
            const char *scope = fstReaderPushScope(merge->reader, item->u.scope.name, NULL);
            if (level == SCOPES_AT_MOST) return;
            kept[level] = place_of_scope(merge->rtl, scope, &number);
            if (merge->rtl->all || kept[level])
                fstWriterSetScope(merge->writer, (enum fstScopeType)item->u.scope.typ,
                                  item->u.scope.name, NULL);
            level++;
        } else if (item->htyp == FST_HT_UPSCOPE) {
            level--;
            fstReaderPopScope(merge->reader);
            if (merge->rtl->all || kept[level]) fstWriterSetUpscope(merge->writer);
        } else if (item->htyp == FST_HT_VAR && in) {
            const char *scope = fstReaderGetCurrentFlatScope(merge->reader);
            bool constant = item->u.var.typ == FST_VT_VCD_PARAMETER;
            copy_variable(merge, &item->u.var);
            if (!constant && level > 0 && kept[level - 1] == 2 && is_near(scope))
                remember_name(merge->wave, number, scope, item->u.var.name);
        }
    }
}

// --- our own signals ---

static void declare_ours(struct merge *merge)
{
    char name[PATH_BYTES];
    for (size_t i = 0; i < merge->wave->num_items; i++) {
        struct wave_item *item = &merge->wave->items[i];
        switch (item->kind) {
        case WAVE_SCOPE:
            fstWriterSetScope(merge->writer, FST_ST_VCD_MODULE, item->name, NULL);
            break;
        case WAVE_UP:
            fstWriterSetUpscope(merge->writer);
            break;
        case WAVE_WORD:
            snprintf(name, sizeof name, "%s_code [%d:0]", item->name, WAVE_CODE_BITS - 1);
            item->handle = fstWriterCreateVar(merge->writer, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0,
                                              item->name, 0);
            item->code_handle = fstWriterCreateVar(merge->writer, FST_VT_VCD_REG, FST_VD_IMPLICIT,
                                                   WAVE_CODE_BITS, name, 0);
            break;
        case WAVE_NUMBER:
            snprintf(name, sizeof name, item->bits > 1 ? "%s [%u:0]" : "%s", item->name,
                     item->bits - 1);
            item->handle = fstWriterCreateVar(merge->writer, FST_VT_VCD_REG, FST_VD_IMPLICIT,
                                              item->bits, name, 0);
            break;
        }
    }
}

static void go_to(struct merge *merge, uint64_t time)
{
    if (merge->begun && time <= merge->time) return;
    fstWriterEmitTimeChange(merge->writer, time);
    merge->time = time;
    merge->begun = true;
}

static void write_change(struct merge *merge, const struct wave_change *change)
{
    const struct wave_item *item = &merge->wave->items[change->item];
    go_to(merge, change->time);
    if (change->unknown) {
        // At least as long as any number.
        static const char unknown[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
        fstWriterEmitValueChange(merge->writer, item->handle, unknown);
        return;
    }
    if (item->kind == WAVE_NUMBER) {
        fstWriterEmitValueChange32(merge->writer, item->handle, item->bits, change->value);
        return;
    }
    const char *text = merge->wave->texts[change->value].text;
    fstWriterEmitVariableLengthValueChange(merge->writer, item->handle, text,
                                           (uint32_t)strlen(text));
    fstWriterEmitValueChange32(merge->writer, item->code_handle, WAVE_CODE_BITS, change->value);
}

// Writes our changes up to a time.
static void write_ours(struct merge *merge, uint64_t time)
{
    const struct wave *wave = merge->wave;
    while (merge->next < wave->num_changes && wave->changes[merge->next].time <= time)
        write_change(merge, &wave->changes[merge->next++]);
}

static void on_rtl_change(void *user, uint64_t time, fstHandle handle, const unsigned char *value)
{
    struct merge *merge = user;
    if (!merge->handle[handle]) return;
    write_ours(merge, time * merge->rtl->unit);
    go_to(merge, time * merge->rtl->unit);
    fstWriterEmitValueChange(merge->writer, merge->handle[handle], value);
}

// --- the file ---

static enum anl_status merge_into(struct wave *wave, const char *path, const struct wave_rtl *rtl,
                                  void *reader, struct anl_error *error)
{
    struct merge merge = {.wave = wave, .rtl = rtl, .reader = reader};
    merge.handle = calloc((size_t)fstReaderGetMaxHandle(reader) + 1, sizeof *merge.handle);
    if (!merge.handle) return ANL_ERR_MEMORY;
    merge.writer = fstWriterCreate(path, 1);
    if (!merge.writer) {
        free(merge.handle);
        return anl_fail(error, ANL_ERR_IO, path, 0, "cannot be written");
    }
    fstWriterSetPackType(merge.writer, FST_WR_PT_LZ4);
    fstWriterSetTimescale(merge.writer, -9);
    fstWriterSetVersion(merge.writer, "Annelid lock-step");
    declare_ours(&merge);
    copy_hierarchy(&merge);
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocksSetNativeDoublesOnCallback(reader, 1);
    fstReaderIterBlocks(reader, on_rtl_change, &merge, NULL);
    write_ours(&merge, UINT64_MAX);
    go_to(&merge, rtl->end);
    fstWriterClose(merge.writer);
    free(merge.handle);
    return wave->out_of_memory ? ANL_ERR_MEMORY : ANL_OK;
}

// Returns true if the file is complete. The writer does not report a full disk, so the file is read
// again.
static bool is_whole(const char *path, uint64_t end)
{
    void *reader = fstReaderOpen(path);
    bool whole = reader && fstReaderGetEndTime(reader) >= end;
    if (reader) fstReaderClose(reader);
    return whole;
}

enum anl_status wave_write(struct wave *wave, const char *path, const struct wave_rtl *rtl,
                           struct anl_error *error)
{
    char draft[PATH_BYTES];
    snprintf(draft, sizeof draft, "%s.draft", path);
    if (wave->out_of_memory) return ANL_ERR_MEMORY;
    void *reader = fstReaderOpen(rtl->path);
    if (!reader) return anl_fail(error, ANL_ERR_FORMAT, rtl->path, 0, "is not a whole FST file");
    enum anl_status status = merge_into(wave, draft, rtl, reader, error);
    fstReaderClose(reader);
    if (status == ANL_OK && (!is_whole(draft, rtl->end) || rename(draft, path) != 0))
        status = anl_fail(error, ANL_ERR_IO, path, 0, "cannot be written");
    if (status != ANL_OK) unlink(draft);
    return status;
}
