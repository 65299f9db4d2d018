// SPDX-License-Identifier: Apache-2.0

#include "view.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 1024, NAME_BYTES = 96, LETTERS = 26 };
enum { WINDOW_WIDTH = 1600, WINDOW_HEIGHT = 960, NAMES_WIDTH = 540, WAVES_WIDTH = 990 };
enum { PIXELS_OF_ZOOM_0 = 200 };  // this many pixels show one time unit at zoom 0

// Flags of a trace in a save file of GTKWave.
enum {
    HEX = 0x22,
    DECIMAL = 0x24,
    STAIRS = 0x8024,  // decimal, drawn as a height
    BIT = 0x28,
    TRANSLATED = 0x2022,
    REMARK = 0x200,
    OPEN_BEGIN = 0x800200,
    OPEN_END = 0x1000200,
    CLOSED_BEGIN = 0xc00200,
    CLOSED_END = 0x1401200,
};

struct view {
    FILE *out;
    const char *fst;   // path of the FST file
    const char *stem;  // name of the files without directory and suffix
    const struct wave_window *wave_window;
    const struct narration *narration;
};

// --- rows ---

static void remark(const struct view *view, unsigned flags, const char *text)
{
    fprintf(view->out, "@%x\n-%s\n", flags, text);
}

// GTKWave takes what follows the last dot as the name, so a character that looks like a dot
// replaces it.
static void print_label(FILE *out, const char *label)
{
    for (; *label; label++) {
        if (*label == '.')
            fputs("\u2024", out);
        else
            fputc(*label, out);
    }
}

static void number(const struct view *view, unsigned flags, const char *label, uint32_t signal)
{
    const struct wave *wave = view->narration->wave;
    fprintf(view->out, "@%x\n+{%s} %s[%u:0]\n", flags, label, wave_path(wave, signal),
            wave_bits(wave, signal) - 1);
}

// Adds a word by its number, which the table of words translates into text and colour.
static void word(const struct view *view, const char *label, uint32_t signal)
{
    fprintf(view->out, "@%x\n^1 /annelid/%s.words\n+{", TRANSLATED, view->stem);
    print_label(view->out, label);
    fprintf(view->out, "} %s_code[%u:0]\n", wave_path(view->narration->wave, signal),
            wave_bits(view->narration->wave, signal) - 1);
}

// --- groups ---

static void who_waits_for_whom(const struct view *view)
{
    static const char title[] = "who waits for whom";
    const struct wave_worms *wave_worms = view->narration->wave_worms;
    char label[NAME_BYTES];
    remark(view, OPEN_BEGIN, title);
    for (uint32_t i = 0; i < wave_worms->worms; i++) {
        const struct worm_signals *signals = &view->narration->worm[i];
        snprintf(label, sizeof label, "worm %u", wave_worms->worm[i].worm.id);
        word(view, label, signals->state);
        snprintf(label, sizeof label, "worm %u waits for", wave_worms->worm[i].worm.id);
        word(view, label, signals->waits_for);
    }
    remark(view, OPEN_END, title);
}

static void lane_details(const struct view *view, const struct lane_signals *lane)
{
    word(view, "worm", lane->worm);
    word(view, "front flit", lane->front);
    number(view, DECIMAL, "flits in it", lane->fill);
    word(view, "wants", lane->wants);
    word(view, "cause", lane->cause);
}

// Adds the contents of the lanes after the first, folded.
static void more_details(const struct view *view, const struct wave_worms_worm *worm,
                         const struct worm_signals *signals)
{
    static const char title[] = "details of the lanes behind";
    char name[NAME_BYTES];
    if (worm->lanes < 2) return;
    remark(view, CLOSED_BEGIN, title);
    for (uint32_t l = 1; l < worm->lanes; l++) {
        anl_buffer_name(view->narration->config, worm->lane[l], name, sizeof name);
        remark(view, REMARK, name);
        lane_details(view, &signals->lane[l]);
    }
    remark(view, CLOSED_END, title);
}

// Adds the lanes of a worm in path order, one row each, and the contents of the first one below it.
static void worm_group(const struct view *view, uint32_t index)
{
    const struct wave_worms_worm *worm = &view->narration->wave_worms->worm[index];
    const struct worm_signals *signals = &view->narration->worm[index];
    bool wave_target = index == 0 && view->wave_window->worm != ANL_NOTHING;
    bool waits = view->wave_window->mark[WAVE_WINDOW_A].cycle != UINT64_MAX;
    const char *role = !wave_target ? "" : waits ? ": the one that waits" : ": the one to look at";
    char title[NAME_BYTES], name[NAME_BYTES];
    snprintf(title, sizeof title, "worm %u, %u to %u, %u flits%s", worm->worm.id, worm->worm.source,
             worm->worm.destination, worm->worm.length, role);
    remark(view, index < 2 ? OPEN_BEGIN : CLOSED_BEGIN, title);
    number(view, STAIRS, "cycles waited", signals->waited);
    for (uint32_t l = 0; l < worm->lanes; l++) {
        anl_buffer_name(view->narration->config, worm->lane[l], name, sizeof name);
        word(view, name, signals->lane[l].state);
        if (l == 0) lane_details(view, &signals->lane[l]);
    }
    more_details(view, worm, signals);
    remark(view, index < 2 ? OPEN_END : CLOSED_END, title);
}

static void rtl_group(const struct view *view, uint32_t switch_)
{
    const struct anl_config *config = view->narration->config;
    const struct wave *wave = view->narration->wave;
    char link[NAME_BYTES], title[2 * NAME_BYTES];
    if (!wave_rtl_name(wave, switch_, 0)) return;
    anl_link_name(config, switch_ * anl_shape_of(config).ports, link, sizeof link);
    snprintf(title, sizeof title, "RTL of switch %.*s", (int)strcspn(link, "."), link);
    remark(view, CLOSED_BEGIN, title);
    const char *name;
    for (size_t i = 0; (name = wave_rtl_name(wave, switch_, i)) != NULL; i++)
        fprintf(view->out, "@%x\n%s\n", strchr(strrchr(name, '.'), '[') ? HEX : BIT, name);
    remark(view, CLOSED_END, title);
}

static void rtl_groups(const struct view *view)
{
    uint32_t switches[WAVE_WORMS_SWITCHES];
    size_t count = wave_worms_switches(view->narration->wave_worms, view->narration->config,
                                       view->wave_window->switch_, switches);
    for (size_t i = 0; i < count; i++)
        rtl_group(view, switches[i]);
}

// --- the file ---

static int64_t time_of_mark(const struct wave_window *wave_window, enum wave_window_mark mark)
{
    uint64_t cycle = wave_window->mark[mark].cycle;
    return cycle == UINT64_MAX ? -1 : (int64_t)cycle * WAVE_CYCLE;
}

// Zoom z means that PIXELS_OF_ZOOM_0 pixels show 2^-z time units.
static void print_marks(const struct view *view)
{
    const struct wave_window *wave_window = view->wave_window;
    double units = (double)(wave_window->to + 1 - wave_window->from) * WAVE_CYCLE;
    double zoom = -log2(units * PIXELS_OF_ZOOM_0 / WAVES_WIDTH);
    int64_t first = time_of_mark(wave_window, wave_window->first);
    fprintf(view->out, "*%.6f %" PRId64, zoom, first);
    for (int letter = 0; letter < LETTERS; letter++)
        fprintf(view->out, " %" PRId64,
                letter < WAVE_WINDOW_MARKS ? time_of_mark(wave_window, letter) : -1);
    fputc('\n', view->out);
    for (int mark = 0; mark < WAVE_WINDOW_MARKS; mark++)
        if (wave_window->mark[mark].cycle != UINT64_MAX)
            fprintf(view->out, "[markername] %c%s\n", 'A' + mark, wave_window->mark[mark].name);
}

static void print_head(const struct view *view)
{
    fprintf(view->out, "[*] %s\n", view->wave_window->title);
    fprintf(view->out, "[dumpfile] \"/annelid/%s.fst\"\n[savefile] \"/annelid/%s.gtkw\"\n",
            view->stem, view->stem);
    fprintf(view->out, "[timestart] %" PRIu64 "\n[size] %d %d\n[pos] -1 -1\n",
            view->wave_window->from * WAVE_CYCLE, WINDOW_WIDTH, WINDOW_HEIGHT);
    print_marks(view);
    fprintf(view->out, "[sst_width] 20\n[signals_width] %d\n[sst_expanded] 0\n", NAMES_WIDTH);
}

static void print_view(const struct view *view)
{
    print_head(view);
    fprintf(view->out, "@%x\n+{clk} %s\n", BIT,
            wave_path(view->narration->wave, view->narration->clock));
    number(view, DECIMAL, "cycle", view->narration->cycle);
    word(view, "blocking", view->narration->title);
    if (view->wave_window->expected[0]) word(view, "expected", view->narration->expected);
    if (view->wave_window->seen[0]) word(view, "seen", view->narration->seen);
    if (view->narration->wave_worms->worms) who_waits_for_whom(view);
    for (uint32_t i = 0; i < view->narration->wave_worms->worms; i++)
        worm_group(view, i);
    rtl_groups(view);
}

static void print_words(const struct view *view)
{
    struct wave_entry entry;
    for (uint32_t i = 0; wave_entry(view->narration->wave, i, &entry); i++)
        fprintf(view->out, "%04X ?%s?%s\n", entry.number, entry.colour, entry.text);
}

static void print_text(const struct view *view) { fputs(view->wave_window->text, view->out); }

// Writes one of the files beside the FST, as a whole or not at all.
static enum anl_status write_file(const struct view *view, const char *suffix,
                                  void (*print)(const struct view *), struct anl_error *error)
{
    char path[PATH_BYTES], draft[PATH_BYTES + 8];
    snprintf(path, sizeof path, "%.*s%s", (int)strlen(view->fst) - 4, view->fst, suffix);
    snprintf(draft, sizeof draft, "%s.draft", path);
    struct view with_file = *view;
    with_file.out = fopen(draft, "w");
    if (!with_file.out) return anl_fail(error, ANL_ERR_IO, path, 0, "cannot be written");
    print(&with_file);
    bool whole = !ferror(with_file.out);
    whole = fclose(with_file.out) == 0 && whole;
    if (whole && rename(draft, path) == 0) return ANL_OK;
    unlink(draft);
    return anl_fail(error, ANL_ERR_IO, path, 0, "cannot be written");
}

bool view_takes(const char *fst)
{
    const char *slash = strrchr(fst, '/'), *name = slash ? slash + 1 : fst;
    size_t length = strlen(name);
    return length > 4 && strlen(fst) < PATH_BYTES - 8 && strcmp(name + length - 4, ".fst") == 0;
}

enum anl_status view_write(const char *fst, const struct wave_window *wave_window,
                           const struct narration *narration, struct anl_error *error)
{
    const char *slash = strrchr(fst, '/'), *name = slash ? slash + 1 : fst;
    char stem[PATH_BYTES];
    assert(view_takes(fst));
    snprintf(stem, sizeof stem, "%.*s", (int)strlen(name) - 4, name);
    struct view view = {
        .fst = fst, .stem = stem, .wave_window = wave_window, .narration = narration};
    enum anl_status status = write_file(&view, ".words", print_words, error);
    if (status == ANL_OK) status = write_file(&view, ".gtkw", print_view, error);
    if (status == ANL_OK) status = write_file(&view, ".txt", print_text, error);
    return status;
}
