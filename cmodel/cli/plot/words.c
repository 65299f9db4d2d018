// SPDX-License-Identifier: Apache-2.0
//
// The names of scenarios, curves and points in pictures of measurements.

#include "plot.h"

#include <inttypes.h>
#include <string.h>

// --- scenarios ---

static void append_lengths(const struct anl_traffic_config *traffic, char *text, size_t size)
{
    text_append(text, size, ", worms of ");
    for (uint32_t i = 0; i < traffic->num_lengths; i++) {
        const bool last = i + 1 == traffic->num_lengths;
        text_append(text, size, "%s%u", i == 0 ? "" : last ? " or " : ", ", traffic->lengths[i]);
    }
    const bool one = traffic->num_lengths == 1 && traffic->lengths[0] == 1;
    text_append(text, size, one ? " flit" : " flits");
}

void plot_describe_traffic(const struct anl_scenario *scenario, char *text, size_t size)
{
    const struct anl_traffic_config *traffic = &scenario->traffic;
    const bool replay = traffic->process == ANL_REPLAY;
    *text = '\0';
    if (replay)
        text_append(text, size, "%zu messages", scenario->num_messages);
    else
        text_append(text, size, "%s",
                    anl_process_has_pattern(traffic->process) ? anl_pattern_name(traffic->pattern)
                                                              : anl_process_name(traffic->process));
    if (anl_process_is_open_loop(traffic->process))
        text_append(text, size, ", load %.3g", traffic->load);
    else if (!replay)
        text_append(text, size, ", %" PRIu32 " worm%s a terminal", traffic->worms_per_terminal,
                    traffic->worms_per_terminal == 1 ? "" : "s");
    if (!replay) append_lengths(traffic, text, size);
    text_append(text, size, ", seed %" PRIu64, scenario->run.seed);
}

// --- curves ---

// How the value of a key is named; %s is the value, and `few` is for the value 1.
static const struct {
    const char *key, *many, *few;
} ways[] = {
    {"switch.num_vcs", "%s lanes", "%s lane"},
    {"switch.depth", "lanes of %s flits", "lanes of %s flit"},
    {"switch.arbiter", "arbiter %s", NULL},
    {"switch.credits", "credits %s", NULL},
    {"switch.link", "%s links", NULL},
    {"switch.routing", "%s", NULL},
    {"switch.flow_control", "%s", NULL},
    {"switch.flit_width_bits", "flits of %s bits", NULL},
    {"network.topology", "%s", NULL},
    {"network.k", "k = %s", NULL},
    {"network.n", "n = %s", NULL},
    {"traffic.pattern", "%s", NULL},
    {"traffic.process", "%s", NULL},
    {"traffic.length", "worms of %s flits", "worms of %s flit"},
};

// Appends the name of a value, with blanks instead of underscores; keys that are not in the table
// are named without their section.
static void append_way(char *text, size_t size, const char *key, const char *value)
{
    const char *dot = strchr(key, '.'), *way = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !way; i++)
        if (strcmp(ways[i].key, key) == 0)
            way = ways[i].few && strcmp(value, "1") == 0 ? ways[i].few : ways[i].many;
    const char *gap = way ? strstr(way, "%s") : NULL;
    char *from = text + strlen(text);
    if (gap)
        text_append(text, size, "%.*s%s%s", (int)(gap - way), way, value, gap + 2);
    else
        text_append(text, size, "%s %s", dot ? dot + 1 : key, value);
    for (; *from; from++)
        if (*from == '_') *from = ' ';
}

// Returns the last so many parts of a path.
static const char *tail_of(const char *path, size_t parts)
{
    const char *tail = path + strlen(path);
    while (tail > path && !(tail[-1] == '/' && --parts == 0))
        tail--;
    return tail;
}

static bool is_unique(const struct plot_sweep *sweep, const struct plot_file *file, size_t parts)
{
    for (size_t i = 0; i < sweep->num_files; i++) {
        const char *other = sweep->files[i].path;
        if (other != file->path && strcmp(tail_of(other, parts), tail_of(file->path, parts)) == 0)
            return false;
    }
    return true;
}

// Appends the name of a file without its ending, with as much of its path as distinguishes it from
// the other files.
static void append_name(char *text, size_t size, const struct plot_sweep *sweep,
                        const struct plot_file *file)
{
    size_t parts = 1;
    while (tail_of(file->path, parts) > file->path && !is_unique(sweep, file, parts))
        parts++;
    const char *name = tail_of(file->path, parts), *dot = strrchr(name, '.');
    const bool ends = dot && dot > name && !strchr(dot, '/');
    text_append(text, size, "%.*s", ends ? (int)(dot - name) : (int)strlen(name), name);
}

static void write_name(const struct plot_sweep *sweep, struct plot_curve *curve)
{
    const struct sweep_points *points = &curve->file->points;
    const bool named = sweep->num_files > 1 || points->num_keys == 0;
    char *words = curve->words;
    *words = '\0';
    if (named) append_name(words, PLOT_WORDS_BYTES, sweep, curve->file);
    for (size_t i = 0; i < points->num_keys; i++) {
        text_append(words, PLOT_WORDS_BYTES, "%s", i ? ", " : named ? ": " : "");
        append_way(words, PLOT_WORDS_BYTES, points->keys[i],
                   sweep_value_shown(curve->curve->values[i]).text);
    }
}

bool plot_next_curve(const struct plot_sweep *sweep, struct plot_curve *at)
{
    if (at->curve) at->number++;
    size_t left = at->number;
    for (size_t f = 0; f < sweep->num_files; left -= sweep->files[f++].points.num_curves)
        if (left < sweep->files[f].points.num_curves) {
            at->file = &sweep->files[f];
            at->curve = &at->file->points.curves[left];
            write_name(sweep, at);
            return true;
        }
    return false;
}

// --- points ---

void plot_seeds_words(const struct plot_sweep *sweep, char *text, size_t size)
{
    size_t least = SIZE_MAX, most = 0;
    for (size_t f = 0; f < sweep->num_files; f++)
        for (size_t i = 0; i < sweep->files[f].points.num_points; i++) {
            const size_t runs = sweep->files[f].points.points[i].num_runs;
            least = runs < least ? runs : least;
            most = runs > most ? runs : most;
        }
    if (most <= 1)
        snprintf(text, size, "one seed");
    else if (least == most)
        snprintf(text, size, "%zu seeds", most);
    else
        snprintf(text, size, "%zu to %zu seeds", least, most);
}
