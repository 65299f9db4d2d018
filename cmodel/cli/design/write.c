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
#include <unistd.h>

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

static void need_only(const char *text, bool *needed)
{
    memset(needed, 0, design_num_files * sizeof *needed);
    need(text, needed);
    for (uint64_t i = 0; i < design_num_files; i++)
        needed[i] |= strcmp(design_files[i].path, "rtl/include/anl_assert.svh") == 0;
}

void design_needs(const struct design *design, bool *needed)
{
    const struct anl_config *config = design->config;
    need_only("anl_axis_terminal anl_prng anl_axis_checker", needed);
    need(config->graph ? anl_rtl_switch(config) : anl_rtl_module(config), needed);
    if (anl_link_cycles(config) > 1) need("anl_link_slices", needed);
    if (design->kind->modules) need(design->kind->modules, needed);
    if (design_has_domains(design)) need("anl_link_cdc anl_reset_synchronizer", needed);
}

void design_shared(bool *shared)
{
    need_only("anl_graph_switch anl_options_switch anl_source_switch anl_link_slices "
              "anl_axis_terminal anl_prng anl_axis_checker anl_link_cdc anl_reset_synchronizer",
              shared);
    for (enum anl_topology t = ANL_MESH; t <= ANL_LAST_TOPOLOGY; t++)
        need(anl_rtl_module(&(struct anl_config){.topology = t}), shared);
    for (size_t i = 0; i < design_num_kinds; i++)
        if (design_kinds[i].modules) need(design_kinds[i].modules, shared);
}

// --- the files ---

// A file that is written: its path below the directory, and what writes it.
struct piece {
    char path[PATH_BYTES];
    bool shared;       // all designs have it, and it is the same in all of them
    bool absent;       // this design does not have it, others of its name may
    const char *text;  // name of its template, or the text of a file of rtl/
    enum anl_status (*put)(const struct piece *, const struct design *, FILE *);
    enum anl_status (*part)(const struct anl_config *, const struct design *, FILE *);
};

// Returns whether a template is of constraints for clocks.
static bool is_constraint(const struct piece *piece)
{
    for (size_t i = 0; i < design_num_constraints; i++)
        if (cli_ends_in(piece->path, design_constraints[i])) return true;
    return false;
}

static enum anl_status put_template(const struct piece *piece, const struct design *design,
                                    FILE *out)
{
    struct design filled = *design;
    filled.in_bench = strcmp(piece->text, design->kind->tb) == 0;
    filled.remark = cli_ends_in(piece->path, ".core") || cli_ends_in(piece->path, ".yml") ||
                            is_constraint(piece)
                        ? "# "
                    : cli_ends_in(piece->path, ".md") ? ""
                                                      : "// ";
    design_fill(out, &filled, piece->text);
    return ANL_OK;
}

// Reads a module once, in however many lists of one design its file stands.
static enum anl_status put_copy(const struct piece *piece, const struct design *design, FILE *out)
{
    (void)design;
    const char *slash = strrchr(piece->path, '/');
    const int length = (int)strcspn(slash + 1, ".");
    design_put_shared_origin(out, "// ");
    fprintf(out, "`ifndef ANNELID_%.*s\n`define ANNELID_%.*s\n\n", length, slash + 1, length,
            slash + 1);
    fprintf(out, "%s\n`endif\n", piece->text);
    return ANL_OK;
}

static enum anl_status put_licence(const struct piece *piece, const struct design *design,
                                   FILE *out)
{
    (void)design;
    design_put_shared_origin(out, "");
    fprintf(out, "\n%s", piece->text);
    return ANL_OK;
}

static enum anl_status put_part(const struct piece *piece, const struct design *design, FILE *out)
{
    struct anl_config config = *design->config;
    // Beats of streams may be wider than flits of the model. What is written says FlitW nowhere but
    // in a parameter, which the top module sets.
    if (config.flit_width_bits > ANL_MAX_FLIT_WIDTH_BITS)
        config.flit_width_bits = ANL_MAX_FLIT_WIDTH_BITS;
    design_put_origin(out, design, "// ");
    return piece->part(&config, design, out);
}

// What is done with each file of a design, or with each that is absent.
struct visit {
    const struct design *design;
    const char *directory;
    struct anl_error *error;
    enum anl_status (*one)(const struct visit *visit, const struct piece *piece, const char *path);
    size_t *removed;  // the number of files; NULL: those of the design are visited
};

static enum anl_status visit_piece(const struct visit *visit, const struct piece *piece)
{
    char path[PATH_BYTES];
    if (piece->absent != (visit->removed != NULL)) return ANL_OK;
    if (snprintf(path, sizeof path, "%s/%s", visit->directory, piece->path) >= PATH_BYTES)
        return anl_fail(visit->error, ANL_ERR_IO, visit->directory, 0, "the path is too long");
    return visit->one(visit, piece, path);
}

// Visits the files of rtl/, a copy of each.
static enum anl_status visit_copies(const struct visit *visit)
{
    bool shared[design_num_files];
    enum anl_status status = ANL_OK;
    design_shared(shared);
    for (uint64_t i = 0; i < design_num_files && !status; i++) {
        struct piece piece = {.shared = true, .text = design_files[i].text, .put = put_copy};
        snprintf(piece.path, sizeof piece.path, "%s", design_files[i].path);
        if (shared[i]) status = visit_piece(visit, &piece);
    }
    return status;
}

static enum anl_status visit_shared(const struct visit *visit)
{
    const struct piece licence = {
        .path = "rtl/LICENSE", .shared = true, .text = design_text("LICENSE"), .put = put_licence};
    const struct piece check = {
        .path = DESIGN_CHECK, .shared = true, .text = "shared.sv", .put = put_template};
    const struct piece core = {
        .path = "annelid_rtl.core", .shared = true, .text = "shared.core", .put = put_template};
    const struct piece package = {.path = "bender/annelid_rtl/Bender.yml",
                                  .shared = true,
                                  .text = "shared.bender",
                                  .put = put_template};
    enum anl_status status = visit_copies(visit);
    if (!status) status = visit_piece(visit, &licence);
    if (!status) status = visit_piece(visit, &check);
    if (!status) status = visit_piece(visit, &core);
    return status ? status : visit_piece(visit, &package);
}

static enum anl_status visit_parts(const struct visit *visit)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < design_num_parts && !status; i++) {
        const struct design_part *part = &design_parts[i];
        struct piece piece = {.absent = !part->there(visit->design),
                              .text = part->template,
                              .put = part->put ? put_part : put_template,
                              .part = part->put};
        snprintf(piece.path, sizeof piece.path, "%s%s", visit->design->name, part->ending);
        status = visit_piece(visit, &piece);
    }
    return status;
}

static enum anl_status visit_own(const struct visit *visit)
{
    const struct {
        const char *before, *behind, *template;
    } own[] = {{"bender/", "/Bender.yml", "network.bender"},
               {"", ".sv", visit->design->kind->top},
               {"tb_", ".sv", visit->design->kind->tb},
               {"", ".core", "network.core"},
               {"", ".md", "readme.md"},
               {"", ".f", "network.f"}};
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < sizeof own / sizeof *own && !status; i++) {
        struct piece piece = {.text = own[i].template, .put = put_template};
        snprintf(piece.path, sizeof piece.path, "%s%s%s", own[i].before, visit->design->name,
                 own[i].behind);
        status = visit_piece(visit, &piece);
    }
    return status;
}

static enum anl_status visit_constraints(const struct visit *visit)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < design_num_constraints && !status; i++) {
        char template[PATH_BYTES];
        struct piece piece = {
            .absent = !design_has_domains(visit->design), .text = template, .put = put_template};
        snprintf(template, sizeof template, "clocks%s", design_constraints[i]);
        snprintf(piece.path, sizeof piece.path, "%s%s", visit->design->name, design_constraints[i]);
        status = visit_piece(visit, &piece);
    }
    return status;
}

static enum anl_status visit_all(const struct visit *visit)
{
    enum anl_status status = visit_shared(visit);
    if (!status) status = visit_parts(visit);
    if (!status) status = visit_constraints(visit);
    return status ? status : visit_own(visit);
}

// --- writing ---

static enum anl_status check_piece(const struct visit *visit, const struct piece *piece,
                                   const char *path)
{
    return design_may_replace(path, piece->shared ? DESIGN_EVERYONE : visit->design->name,
                              visit->error);
}

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

static enum anl_status write_piece(const struct visit *visit, const struct piece *piece,
                                   const char *path)
{
    struct anl_output output;
    enum anl_status status = make_directories(path, visit->error);
    if (!status) status = anl_output_open(path, &output, visit->error);
    if (status) return status;
    status = piece->put(piece, visit->design, output.file);
    if (!status) return anl_output_finish(&output, visit->error);
    anl_output_abandon(&output);
    return cli_fail(status, visit->error);
}

// Removes a file that an earlier run has written for a design of this name, and says so.
static enum anl_status remove_piece(const struct visit *visit, const struct piece *piece,
                                    const char *path)
{
    (void)piece;
    if (!design_has_written(path, visit->design->name)) return ANL_OK;
    if (unlink(path) != 0)
        return anl_fail(visit->error, ANL_ERR_IO, path, 0, "cannot remove: %s", strerror(errno));
    printf("%s%s", (*visit->removed)++ ? ", " : "removed, since this design has none: ", path);
    return ANL_OK;
}

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

static enum anl_status check(const struct design *design, struct anl_error *error)
{
    const struct anl_config *config = design->config;
    const char *option = design->clocks ? "--clock-per-terminal" : "--clock-regions";
    if (config->flit_width_bits <= anl_head_bits(config))
        REFUSE("flit_width_bits is %u, a design expects at least %u: a bit for your data beside "
               "the fields of a head",
               config->flit_width_bits, anl_head_bits(config) + 1);
    const enum anl_status of_kind =
        design->kind->check ? design->kind->check(design, error) : ANL_OK;
    if (of_kind) return of_kind;
    if (design_has_domains(design) && anl_arbiter_has(config->arbiter, ANL_ARBITER_STAMPS))
        REFUSE("arbiter is \"%s\", %s expects one without stamps: parts with "
               "clocks of their own do not agree on the cycle",
               anl_arbiter_name(config->arbiter), option);
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
    size_t removed = 0;
    const struct visit checking = {design, directory, error, check_piece, NULL};
    const struct visit writing = {design, directory, error, write_piece, NULL};
    const struct visit removing = {design, directory, error, remove_piece, &removed};
    enum anl_status status = check(design, error);
    if (!status) status = visit_all(&checking);
    if (!status) status = visit_all(&writing);
    if (!status) status = visit_all(&removing);
    if (removed) putchar('\n');
    return status;
}
