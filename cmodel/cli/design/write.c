// SPDX-License-Identifier: Apache-2.0
//
// The files of a design.

#include "design.h"

#include <annelid/rtl.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 4096 };

// --- which files of rtl/ ---

static bool is_word(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Returns the number of the file rtl/*/WORD.sv, or design_num_files.
static uint64_t file_of(const char *word, size_t length)
{
    uint64_t i = 0;
    for (; i < design_num_files; i++) {
        const char *slash = strrchr(design_files[i].path, '/');
        if (slash && strncmp(slash + 1, word, length) == 0 &&
            strcmp(slash + 1 + length, ".sv") == 0)
            break;
    }
    return i;
}

// Marks the files whose modules or packages a text names, and those that these name in turn.
static void need(const char *text, bool *needed)
{
    while ((text = strstr(text, "anl_"))) {
        size_t length = 0;
        while (is_word(text[length]))
            length++;
        const uint64_t file = file_of(text, length);
        text += length;
        if (file == design_num_files || needed[file]) continue;
        needed[file] = true;
        need(design_files[file].text, needed);
    }
}

void design_needs(const struct design *design, bool *needed)
{
    memset(needed, 0, design_num_files * sizeof *needed);
    need("anl_axis_terminal anl_prng", needed);
    need(design_switches(design->config), needed);
    if (anl_link_cycles(design->config) > 1) need("anl_link_slices", needed);
    for (uint64_t i = 0; i < design_num_files; i++)
        needed[i] |= strcmp(design_files[i].path, "rtl/include/anl_assert.svh") == 0;
}

// --- writing ---

struct writing {
    const struct design *design;
    const char *directory;
    struct anl_error *error;
};

// Makes the directories of a path, up to its last slash.
static enum anl_status make_directories(const char *path, struct anl_error *error)
{
    char part[PATH_BYTES];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return anl_fail(error, ANL_ERR_IO, part, 0, "cannot make the directory: %s",
                            strerror(errno));
    }
    return ANL_OK;
}

static enum anl_status open_file(const struct writing *writing, const char *name,
                                 struct anl_output *output)
{
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/%s", writing->directory, name) >= PATH_BYTES)
        return anl_fail(writing->error, ANL_ERR_IO, writing->directory, 0, "the path is too long");
    const enum anl_status status = make_directories(path, writing->error);
    return status ? status : anl_output_open(path, output, writing->error);
}

static enum anl_status write_template(const struct writing *writing, const char *template,
                                      const char *before, const char *behind)
{
    char name[PATH_BYTES];
    struct anl_output output;
    struct design design = *writing->design;
    snprintf(name, sizeof name, "%s%s%s", before, *behind ? design.name : "", behind);
    const enum anl_status status = open_file(writing, name, &output);
    if (status) return status;
    design.in_bench = strcmp(template, "bench.sv") == 0;
    design_fill(output.file, &design, template);
    return anl_output_finish(&output, writing->error);
}

static enum anl_status write_copies(const struct writing *writing)
{
    bool needed[design_num_files];
    struct anl_output output;
    enum anl_status status = ANL_OK;
    design_needs(writing->design, needed);
    for (uint64_t i = 0; i < design_num_files && !status; i++) {
        if (!needed[i]) continue;
        status = open_file(writing, design_files[i].path, &output);
        if (status) break;
        fputs(design_files[i].text, output.file);
        status = anl_output_finish(&output, writing->error);
    }
    return status;
}

static enum anl_status write_part(const struct writing *writing, const char *name,
                                  enum anl_status (*put)(const struct anl_config *, FILE *))
{
    struct anl_output output;
    enum anl_status status = open_file(writing, name, &output);
    if (status) return status;
    status = put(writing->design->config, output.file);
    if (!status) return anl_output_finish(&output, writing->error);
    anl_output_abandon(&output);
    return cli_fail(status, writing->error);
}

static enum anl_status write_graph(const struct writing *writing)
{
    enum anl_status status = write_part(writing, "rtl/net/anl_graph_pkg.sv", anl_rtl_graph_package);
    if (!status) status = write_part(writing, "rtl/net/anl_graph.sv", anl_rtl_graph);
    if (status || writing->design->config->routing != ANL_SOURCE) return status;
    return write_part(writing, DESIGN_LISTS, anl_rtl_graph_lists);
}

static enum anl_status write_list(const struct writing *writing)
{
    const struct design *design = writing->design;
    bool needed[design_num_files];
    char name[PATH_BYTES];
    struct anl_output output;
    snprintf(name, sizeof name, "%s.f", design->name);
    const enum anl_status status = open_file(writing, name, &output);
    if (status) return status;
    design_needs(design, needed);
    fputs("+incdir+rtl/include\n", output.file);
    for (uint64_t i = 0; i < design_num_files; i++)
        if (needed[i] && cli_ends_in(design_files[i].path, ".sv"))
            fprintf(output.file, "%s\n", design_files[i].path);
    if (design->config->graph)
        fputs("rtl/net/anl_graph_pkg.sv\nrtl/net/anl_graph.sv\n", output.file);
    if (design->config->routing == ANL_SOURCE) fprintf(output.file, "%s\n", DESIGN_LISTS);
    fprintf(output.file, "%s.sv\n", design->name);
    return anl_output_finish(&output, writing->error);
}

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

static enum anl_status check(const struct design *design, struct anl_error *error)
{
    const struct anl_config *config = design->config;
    if (config->flit_width_bits <= anl_head_bits(config))
        REFUSE("flit_width_bits is %u, a design expects at least %u: a bit for your data beside "
               "the fields of a head",
               config->flit_width_bits, anl_head_bits(config) + 1);
    if (design->ports == DESIGN_AXIS && config->scan == ANL_FARTHEST &&
        !design_has_distances(config))
        REFUSE("--ports axis with scan farthest expects fewer terminals: the table of distances "
               "between %" PRIu32 " terminals would be too large",
               anl_shape_of(config).terminals);
    const uint32_t radix = anl_path_radix(config);
    if (design->ports == DESIGN_AXIS && (radix & (radix - 1)) != 0)
        REFUSE("k is %u, --ports axis with two passes expects a power of two: the intermediate "
               "column is made of random bits",
               config->k);
    if (config->link == ANL_WIDE && config->graph && config->graph->layers)
        REFUSE("the lanes of wide links are split among layers, a design expects lanes that every "
               "worm may take");
    if (config->routing == ANL_SOURCE && config->graph->own_routes)
        REFUSE("messages give worms routes of their own, a design expects routes between all "
               "terminals: leave the messages out");
    return ANL_OK;
}

enum anl_status design_write(const struct design *design, const char *directory,
                             struct anl_error *error)
{
    const struct writing writing = {design, directory, error};
    enum anl_status status = check(design, error);
    if (!status) status = write_copies(&writing);
    if (!status && design->config->graph) status = write_graph(&writing);
    if (!status)
        status = write_template(
            &writing, design->ports == DESIGN_AXIS ? "top_axis.sv" : "top_links.sv", "", ".sv");
    if (!status) status = write_template(&writing, "bench.sv", "tb_", ".sv");
    if (!status) status = write_template(&writing, "network.core", "", ".core");
    if (!status) status = write_template(&writing, "readme.md", "README.md", "");
    return status ? status : write_list(&writing);
}
