// SPDX-License-Identifier: Apache-2.0
//
// Prints what the regression needs to know of scenarios, for each "FILE [--set KEY=VALUE]…" a line
// "key switches seed evaluations part…", without parts if the network cannot be put together of
// them (run/parts.h). Evaluations are, about, the cycles of a run times its switches. With --rules
// in front the flit width is the one that rules mode needs. With --graphs DIR before the files it
// writes the RTL of graphs to DIR/<key>.sv. With --wires a line "instance port instance port"
// follows for each link, from where to where; terminal t is an instance behind all switches, and
// has the port 0; and a line "switch input value" for each input of a switch that is constant
// (docs/networks.md), the value in hexadecimal.

#include "compare/identify.h"
#include "key.h"
#include "run/parts.h"
#include "run/tables.h"

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

// Returns about how many cycles a run takes: those in which worms are created, or as many as a
// terminal needs to send its flits.
static uint64_t cycles_of(const struct anl_scenario *scenario)
{
    const struct anl_traffic_config *traffic = &scenario->traffic;
    uint64_t cycles = scenario->run.cycles;
    if (traffic->process == ANL_REPLAY) {
        cycles = 0;
        for (size_t i = 0; i < scenario->num_messages; i++)
            cycles += scenario->messages[i].length;
        cycles /= anl_shape_of(&scenario->network).terminals;
        if (scenario->num_messages) cycles += scenario->messages[scenario->num_messages - 1].cycle;
    } else if (!anl_process_is_open_loop(traffic->process)) {
        cycles = (uint64_t)traffic->worms_per_terminal *
                 (anl_traffic_longest(traffic) + traffic->reply_length);
    }
    return cycles < scenario->run.max_cycles ? cycles : scenario->run.max_cycles;
}

// Prints a constant, whose bits are then 0 again.
static void print_constant(uint32_t switch_, const char *input, struct bits value)
{
    printf("%u %s ", switch_, input);
    for (size_t i = value.size; i-- > 0;)
        printf("%08" PRIx32, value.words[i]);
    putchar('\n');
    memset(value.words, 0, value.size * sizeof *value.words);
}

static void print_tables(const struct anl_config *config, uint32_t switch_, struct bits value)
{
    if (config->graph->turns) return;
    tables_routes(config, switch_, value);
    print_constant(switch_, "table_i", value);
    tables_lanes(config, value);
    print_constant(switch_, "lanes_i", value);
    if (!tables_have_options(config)) return;
    tables_straight(config, value);
    print_constant(switch_, "straight_i", value);
    tables_terminals(config, switch_, value);
    print_constant(switch_, "terminals_i", value);
}

// Returns false if there is no memory.
static bool print_constants(const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    const size_t words = 2 + tables_words(config);
    const struct bits value = {calloc(words, sizeof *value.words), words};
    if (!value.words) return false;
    for (uint32_t s = 0; s < shape.switches; s++) {
        const uint64_t here = parts_here(config, s);
        value.words[0] = (uint32_t)here;
        value.words[1] = (uint32_t)(here >> 32);
        print_constant(s, "here_i", value);
        if (config->graph) print_tables(config, s, value);
    }
    free(value.words);
    return true;
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
        const uint32_t switches = anl_shape_of(network).switches;
        printf("%s %u %" PRIu64 " %" PRIu64, key, switches, scenario.run.seed,
               cycles_of(&scenario) * switches);
        print_parts(network);
        putchar('\n');
        if (options->wires) print_wires(network);
        if (options->wires && !print_constants(network)) status = ANL_ERR_MEMORY;
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
