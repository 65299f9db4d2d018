// SPDX-License-Identifier: Apache-2.0
//
// Writes the VCD file of which wave_fst.c makes the FST file: copies what is wanted of the RTL's
// own file and inserts our changes between its changes by time.

#include "wave_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CODE_BYTES = 8 };

// --- our own signals ---

static void put_code(uint32_t code, char text[CODE_BYTES])
{
    size_t used = 0;
    for (; code > 0; code = (code - 1) / WAVE_CODE_BASE)
        text[used++] = (char)('!' + (code - 1) % WAVE_CODE_BASE);
    text[used] = '\0';
}

static void declare_number(struct wave_merge *merge, uint32_t code, uint32_t bits, const char *name)
{
    char text[CODE_BYTES];
    put_code(code, text);
    fprintf(merge->out, "$var reg %" PRIu32 " %s %s", bits, text, name);
    if (bits > 1) fprintf(merge->out, " [%" PRIu32 ":0]", bits - 1);
    fputs(" $end\n", merge->out);
}

static void declare_ours(struct wave_merge *merge)
{
    char name[WAVE_PATH_BYTES], text[CODE_BYTES];
    uint32_t code = WAVE_OUR_FIRST_CODE;
    for (size_t i = 0; i < merge->wave->num_items; i++) {
        struct wave_item *item = &merge->wave->items[i];
        switch (item->kind) {
        case WAVE_SCOPE:
            fprintf(merge->out, "$scope module %s $end\n", item->name);
            break;
        case WAVE_UP:
            fputs("$upscope $end\n", merge->out);
            break;
        case WAVE_WORD:
            put_code(item->code = code++, text);
            fprintf(merge->out, "$var string 1 %s %s $end\n", text, item->name);
            snprintf(name, sizeof name, "%s_code", item->name);
            declare_number(merge, item->number_code = code++, WAVE_CODE_BITS, name);
            break;
        case WAVE_NUMBER:
            declare_number(merge, item->code = code++, item->bits, item->name);
            break;
        }
    }
}

// --- changes ---

static void go_to(struct wave_merge *merge, uint64_t time)
{
    if (merge->begun && time <= merge->time) return;
    fprintf(merge->out, "#%" PRIu64 "\n", time);
    merge->time = time;
    merge->begun = true;
}

static void put_number(struct wave_merge *merge, uint32_t code, uint32_t bits, uint32_t value)
{
    char text[CODE_BYTES];
    put_code(code, text);
    fputc('b', merge->out);
    while (bits-- > 0)
        fputc('0' + (int)(value >> bits & 1), merge->out);
    fprintf(merge->out, " %s\n", text);
}

// What is not a plain character is written in octal digits.
static void put_word(struct wave_merge *merge, uint32_t code, const char *word)
{
    char text[CODE_BYTES];
    put_code(code, text);
    fputc('s', merge->out);
    for (; *word; word++)
        if (isgraph((unsigned char)*word) && *word != '\\')
            fputc(*word, merge->out);
        else
            fprintf(merge->out, "\\%03o", (unsigned char)*word);
    fprintf(merge->out, " %s\n", text);
}

static void put_unknown(struct wave_merge *merge, uint32_t code)
{
    char text[CODE_BYTES];
    put_code(code, text);
    fprintf(merge->out, "bx %s\n", text);
}

static void write_change(struct wave_merge *merge, const struct wave_change *change)
{
    const struct wave_item *item = &merge->wave->items[change->item];
    go_to(merge, change->time);
    if (change->unknown) {
        put_unknown(merge, item->code);
    } else if (item->kind == WAVE_NUMBER) {
        put_number(merge, item->code, item->bits, change->value);
    } else {
        put_word(merge, item->code, merge->wave->texts[change->value].text);
        put_number(merge, item->number_code, WAVE_CODE_BITS, change->value);
    }
}

// Writes our changes up to a time.
static void write_ours(struct wave_merge *merge, uint64_t time)
{
    const struct wave *wave = merge->wave;
    while (merge->next < wave->num_changes && wave->changes[merge->next].time <= time)
        write_change(merge, &wave->changes[merge->next++]);
}

// Copies a change of the RTL, "1#" or "b0101 #", if its signal is wanted.
static void copy_change(struct wave_merge *merge)
{
    const char *line = merge->line;
    const bool scalar = strchr("01xXzZ", line[0]) != NULL;
    const char *space = scalar ? line : strrchr(line, ' ');
    const uint32_t code = space ? wave_code_of(space + 1) : 0;
    if (code >= merge->codes || !merge->kept[code]) return;
    write_ours(merge, merge->rtl_time);
    go_to(merge, merge->rtl_time);
    fputs(line, merge->out);
}

// Copies the changes of the RTL that are wanted, with ours between them. Returns false if the file
// breaks off.
static bool copy_changes(struct wave_merge *merge)
{
    bool whole = true;
    while (wave_next_line(merge)) {
        whole = strchr(merge->line, '\n') != NULL;
        if (merge->line[0] == '#')
            merge->rtl_time = strtoull(merge->line + 1, NULL, 10) * merge->rtl->unit;
        else if (whole && merge->line[0] != '\n' && merge->line[0] != '$')
            copy_change(merge);
    }
    write_ours(merge, UINT64_MAX);
    go_to(merge, merge->rtl->end);
    return whole && merge->rtl_time + WAVE_CYCLE >= merge->rtl->end;
}

// --- the file ---

static enum anl_status merge_files(struct wave_merge *merge, struct anl_error *error)
{
    fputs("$version Annelid lock-step $end\n$timescale 1ns $end\n", merge->out);
    declare_ours(merge);
    bool whole = wave_copy_declarations(merge);
    fputs("$enddefinitions $end\n", merge->out);
    whole = whole && copy_changes(merge);
    if (merge->wave->out_of_memory) return ANL_ERR_MEMORY;
    if (!whole)
        return anl_fail(error, ANL_ERR_FORMAT, merge->rtl->path, 0, "is not a whole VCD file");
    return ANL_OK;
}

// Writes the VCD file at path.
static enum anl_status write_vcd(struct wave *wave, const char *path, const struct wave_rtl *rtl,
                                 struct anl_error *error)
{
    struct wave_merge merge = {.wave = wave, .rtl = rtl, .in = fopen(rtl->path, "r")};
    if (!merge.in) return anl_fail(error, ANL_ERR_FORMAT, rtl->path, 0, "cannot be read");
    merge.out = fopen(path, "w");
    enum anl_status status = ANL_ERR_IO;
    if (merge.out) {
        status = merge_files(&merge, error);
        const bool failed = ferror(merge.out) != 0;
        if (fclose(merge.out) != 0 || failed) status = ANL_ERR_IO;
    }
    if (status == ANL_ERR_IO) anl_fail(error, status, path, 0, "cannot be written");
    fclose(merge.in);
    free(merge.line);
    free(merge.kept);
    return status;
}

enum anl_status wave_write(struct wave *wave, const char *path, const struct wave_rtl *rtl,
                           struct anl_error *error)
{
    char draft[WAVE_PATH_BYTES], vcd[WAVE_PATH_BYTES + 8];
    snprintf(draft, sizeof draft, "%s.draft", path);
    snprintf(vcd, sizeof vcd, "%s.vcd", draft);
    if (wave->out_of_memory) return ANL_ERR_MEMORY;
    enum anl_status status = write_vcd(wave, vcd, rtl, error);
    if (status == ANL_OK) status = wave_fst(vcd, draft, rtl->end, error);
    if (status == ANL_OK && rename(draft, path) != 0)
        status = anl_fail(error, ANL_ERR_IO, path, 0, "cannot be written");
    unlink(vcd);
    if (status != ANL_OK) unlink(draft);
    return status;
}
