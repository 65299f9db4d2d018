// SPDX-License-Identifier: Apache-2.0
//
// Prints what the regression needs to know of scenarios, for each "FILE [--set KEY=VALUE]…" a line
// "key switches seed part…", without parts if the network cannot be put together of them
// (run/parts.h). With --rules in front the flit width is the one that rules mode needs. With
// --graphs DIR before the files it writes the RTL of graphs to DIR/<key>.sv. With --wires a line
// "instance port instance port" follows for each link, from where to where; terminal t is an
// instance behind all switches, and has the port 0.

#include "compare/identify.h"
#include "key.h"
#include "run/parts.h"

#include <annelid/rtl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Reads the settings that follow a file; returns the number of words read.
static int read_settings(int count, char **words, const char **settings, size_t *num_settings)
{
    int used = 0;
    for (*num_settings = 0; used + 1 < count && strcmp(words[used], "--set") == 0; used += 2)
        settings[(*num_settings)++] = words[used + 1];
    return used;
}

static void complain(const struct anl_error *error)
{
    if (error->line)
        fprintf(stderr, "%s:%" PRIu64 ": %s\n", error->file, error->line, error->text);
    else
        fprintf(stderr, "%s: %s\n", error->file, error->text);
}

struct options {
    const char *graphs;  // directory for the RTL of graphs; NULL: it is not written
    bool rules, wires;
};

// Returns the RTL of a graph, which the caller frees; NULL: no memory.
static char *text_of(const struct anl_config *config)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream) return NULL;
    const bool written =
        !anl_rtl_graph_package(config, "anl", stream) && !anl_rtl_graph(config, "anl", stream);
    if (fclose(stream) == 0 && written) return text;
    free(text);
    return NULL;
}

// Returns whether a file has a text already; it is then not written again, so that make sees no
// newer one.
static bool has_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "r");
    if (!file) return false;
    while (*text && getc(file) == (unsigned char)*text)
        text++;
    const bool same = !*text && getc(file) == EOF;
    fclose(file);
    return same;
}

static enum anl_status write_graph(const struct anl_config *config, const char *directory,
                                   const char *key, struct anl_error *error)
{
    char path[4096];
    struct anl_output output;
    snprintf(path, sizeof path, "%s/%s.sv", directory, key);
    char *text = text_of(config);
    if (!text) return anl_fail(error, ANL_ERR_MEMORY, path, 0, "no memory for the RTL");
    enum anl_status status = ANL_OK;
    if (!has_text(path, text)) {
        mkdir(directory, 0777);
        status = anl_output_open(path, &output, error);
        if (!status) {
            fputs(text, output.file);
            status = anl_output_finish(&output, error);
        }
    }
    free(text);
    return status;
}

// Prints the names of the parts of a network, if it can be put together of parts.
static void print_parts(const struct anl_config *config)
{
    char name[PART_BYTES];
    if (parts_refuse(config)) return;
    for (uint32_t part = 0; part < parts_count(config); part++) {
        parts_name_switch(config, part, name);
        printf(" %s", name);
    }
    parts_name_terminal(config, name);
    printf(" %s", name);
    parts_name_link(config, name);
    printf("%s%s", name[0] ? " " : "", name);
}

static void print_wires(const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    const uint32_t own =
        shape.switches * shape.ports;  // links that leave switches; those of terminals follow
    for (uint32_t link = 0; link < shape.links; link++) {
        const struct anl_end end = anl_end_of(config, link);
        const bool injects = link >= own;
        if (!end.exists) continue;
        printf("%u %u %u %u\n", injects ? shape.switches + link - own : link / shape.ports,
               injects ? 0 : link % shape.ports,
               end.is_terminal ? shape.switches + end.node : end.node, end.port);
    }
}

static bool print_one(const char *path, const char *const *settings, size_t num_settings,
                      const struct options *options)
{
    struct anl_scenario scenario;
    struct anl_error error;
    char key[KEY_BYTES];
    if (anl_scenario_load_with(path, settings, num_settings, &scenario, &error) != ANL_OK) {
        complain(&error);
        return false;
    }
    struct anl_config *network = &scenario.network;
    enum anl_status status = anl_rtl_check(network, path, &error);
    if (options->rules) network->flit_width_bits = identify_width(network);
    key_of(network, key);
    if (!status && options->graphs && network->graph)
        status = write_graph(network, options->graphs, key, &error);
    if (status) {
        complain(&error);
    } else {
        printf("%s %u %" PRIu64, key, anl_shape_of(network).switches, scenario.run.seed);
        print_parts(network);
        putchar('\n');
        if (options->wires) print_wires(network);
    }
    anl_scenario_free(&scenario);
    return !status;
}

// Reads the options in front of the files; returns the number of words read.
static int read_options(int count, char **words, struct options *options)
{
    int used = 0;
    for (bool more = true; more;) {
        more = false;
        if (used < count && strcmp(words[used], "--rules") == 0) {
            options->rules = more = true;
            used++;
        } else if (used < count && strcmp(words[used], "--wires") == 0) {
            options->wires = more = true;
            used++;
        } else if (used + 1 < count && strcmp(words[used], "--graphs") == 0) {
            options->graphs = words[used + 1];
            more = true;
            used += 2;
        }
    }
    return used;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    const int first = 1 + read_options(argc - 1, argv + 1, &options);
    const char **settings = calloc((size_t)argc, sizeof *settings);
    bool good = settings != NULL;
    for (int i = first; i < argc && good;) {
        const char *path = argv[i++];
        size_t num_settings;
        i += read_settings(argc - i, argv + i, settings, &num_settings);
        good = print_one(path, settings, num_settings, &options);
    }
    free(settings);
    return good ? 0 : 2;
}
