// SPDX-License-Identifier: Apache-2.0
//
// annelid cdg: says whether the channel-dependency graph of a scenario's network has a cycle, and
// whether the RTL has the same graph (docs/cdg.md).

#include "shared/cli.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AFTER = ANL_MAX_PORTS * ANL_MAX_VCS };  // in a graph that is no extended one

struct arguments {
    struct cli_given given;
    const char *routes, *dot, *waits;
};

// What terminals wait for: bit b of after[a] is 1 if they take class a only if they can send class
// b.
struct waits {
    uint8_t after[ANL_MAX_VCS];
};

// A graph and one of its shortest cycles.
struct graph {
    const struct anl_config *config;
    const char *path;  // of the scenario; for messages
    struct anl_cdg *cdg;
    uint32_t *cycle;
    size_t length;  // of the cycle; 0: there is none
};

static const struct cli_option options[] = {
    {"routes", 0, "FILE",
     "Also make the graph of this list of links and routes (of the RTL), and compare",
     CLI_AT(struct arguments, routes), .input = true},
    {"waits", 0, "A:B,...",
     "A terminal takes messages of class A only if it can send messages of class B",
     CLI_AT(struct arguments, waits)},
    {"dot", 0, "FILE", "Write the graph in DOT, the cycle in red", CLI_AT(struct arguments, dot),
     .output = true, .aside = true},
    {0},
};

// --- words ---

static struct cli_name name_of(const struct graph *graph, uint32_t lane)
{
    return cli_lane_name(graph->config, lane);
}

static void print_cycle(const struct graph *graph, const char *which)
{
    printf(
        "CYCLE of %zu %slane%s, a shortest one: a head in each may wait for the next, in the last "
        "for the first.\n",
        graph->length, which, plural(graph->length));
    for (size_t i = 0; i < graph->length; i++)
        printf("  %s\n", name_of(graph, graph->cycle[i]).text);
}

static void print_verdict(const struct graph *graph)
{
    if (graph->length > 0)
        print_cycle(graph, "");
    else
        puts("acyclic     no lane depends on itself, so no deadlock can happen");
}

// --- terminals that wait ---

// Reads "0:1,1:2".
static enum anl_status read_waits(const char *text, const struct anl_config *config,
                                  struct waits *waits, struct anl_error *error)
{
    const uint32_t classes = anl_num_classes(config);
    while (text) {
        unsigned a, b;
        int end = 0;
        char pair[24];
        const int length = (int)strcspn(text, ",");
        snprintf(pair, sizeof pair, "%.*s", length, text);
        if (!isdigit((unsigned char)*pair) || sscanf(pair, "%9u:%n", &a, &end) != 1 || !end ||
            !isdigit((unsigned char)pair[end]) || sscanf(pair, "%9u:%9u%n", &a, &b, &end) != 2 ||
            pair[end] || a >= classes || b >= classes)
            return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                            "--waits: found '%s', expected classes 0 … %" PRIu32
                            " in pairs, 0:1, with commas between them",
                            pair, classes - 1);
        waits->after[a] |= (uint8_t)(1u << b);
        text = text[length] ? text + length + 1 : NULL;
    }
    return ANL_OK;
}

// Returns whether some class waits, by way of others or not, for itself.
static bool is_circle(const struct waits *waits)
{
    struct waits all = *waits;
    for (unsigned via = 0; via < ANL_MAX_VCS; via++)
        for (unsigned a = 0; a < ANL_MAX_VCS; a++)
            if (all.after[a] >> via & 1) all.after[a] |= all.after[via];
    for (unsigned a = 0; a < ANL_MAX_VCS; a++)
        if (all.after[a] >> a & 1) return true;
    return false;
}

static enum anl_status add_waits(const struct anl_config *config, const struct waits *waits,
                                 struct anl_cdg *cdg)
{
    enum anl_status status = ANL_OK;
    for (uint32_t a = 0; a < ANL_MAX_VCS; a++)
        for (uint32_t rest = waits->after[a]; rest && !status; rest &= rest - 1)
            status = anl_cdg_wait(config, cdg, a, (uint32_t)__builtin_ctz(rest));
    return status;
}

static void print_waits(const struct waits *waits)
{
    for (uint32_t a = 0; a < ANL_MAX_VCS; a++)
        for (uint32_t rest = waits->after[a]; rest; rest &= rest - 1)
            printf("waits       terminals take class %" PRIu32 " only if they can send class %d\n",
                   a, __builtin_ctz(rest));
}

// --- DOT ---

// Returns whether the dependency from a to b is on the cycle.
static bool is_step(const struct graph *graph, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < graph->length; i++)
        if (graph->cycle[i] == a && graph->cycle[(i + 1) % graph->length] == b) return true;
    return false;
}

static void write_dependencies(const struct graph *graph, uint32_t lane, FILE *file)
{
    uint32_t after[MOST_AFTER];
    const size_t count = anl_cdg_after(graph->cdg, lane, after);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "  \"%s\" -> \"%s\"%s;\n", name_of(graph, lane).text,
                name_of(graph, after[i]).text,
                is_step(graph, lane, after[i]) ? " [color=red, penwidth=3]" : "");
}

static enum anl_status write_dot(const struct graph *graph, const char *path,
                                 struct anl_error *error)
{
    struct anl_output output;
    const enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    fputs("digraph cdg {\n  node [shape=box];\n", output.file);
    for (uint32_t lane = 0; lane < anl_cdg_lanes(graph->cdg); lane++)
        write_dependencies(graph, lane, output.file);
    fputs("}\n", output.file);
    return anl_output_finish(&output, error);
}

// --- two graphs ---

static bool has(const uint32_t *lanes, size_t count, uint32_t lane)
{
    for (size_t i = 0; i < count; i++)
        if (lanes[i] == lane) return true;
    return false;
}

// Prints the first dependency of graph a that graph b lacks. Returns whether there is one.
static bool print_missing(const struct graph *a, const struct graph *b, const char *whose)
{
    for (uint32_t lane = 0; lane < anl_cdg_lanes(a->cdg); lane++) {
        uint32_t in_a[MOST_AFTER], in_b[MOST_AFTER];
        const size_t num_a = anl_cdg_after(a->cdg, lane, in_a);
        const size_t num_b = anl_cdg_after(b->cdg, lane, in_b);
        for (size_t i = 0; i < num_a; i++) {
            if (has(in_b, num_b, in_a[i])) continue;
            printf("DIFFERENCE  only %s lets a head in %s go on in %s\n", whose,
                   name_of(a, lane).text, name_of(a, in_a[i]).text);
            return true;
        }
    }
    return false;
}

static bool is_same(const struct graph *model, const struct graph *list)
{
    const bool more = print_missing(list, model, "the list");
    return !print_missing(model, list, "the model") && !more;
}

// --- the answer ---

// Returns how many lanes the links that exist have.
static uint32_t count_lanes(const struct anl_config *config)
{
    const uint32_t links = anl_shape_of(config).links;
    uint32_t count = 0;
    for (uint32_t link = 0; link < links; link++)
        count += anl_end_of(config, link).exists ? config->num_vcs : 0;
    return count;
}

static enum anl_status examine(struct graph *graph, struct anl_error *error)
{
    const enum anl_status status = anl_cdg_cycle(graph->cdg, &graph->cycle, &graph->length);
    return cli_fail(status, error);
}

static enum anl_status make_model(struct graph *graph, const struct waits *waits,
                                  struct anl_error *error)
{
    const struct anl_shape shape = anl_shape_of(graph->config);
    enum anl_status status = anl_cdg_of(graph->config, &graph->cdg);
    if (!status) status = add_waits(graph->config, waits, graph->cdg);
    if (status == ANL_ERR_ARGUMENT)
        return anl_fail(error, status, graph->path, 0,
                        "found %" PRIu32 " switches and %" PRIu32
                        " terminals, expected a product of at most %" PRIu64,
                        shape.switches, shape.terminals, ANL_CDG_ROUTES);
    if (status) return cli_fail(status, error);
    return examine(graph, error);
}

static enum anl_status make_list(struct graph *graph, const char *path, const struct waits *waits,
                                 uint64_t *heads, struct anl_error *error)
{
    const enum anl_status status = cdg_routes_read(path, graph->config, &graph->cdg, heads, error);
    if (status) return status;
    if (add_waits(graph->config, waits, graph->cdg)) return cli_fail(ANL_ERR_MEMORY, error);
    return examine(graph, error);
}

static void forget(struct graph *graph)
{
    anl_cdg_destroy(graph->cdg);
    free(graph->cycle);
}

// Compares the graphs of model and RTL. Returns the exit status, or -1 with the reason in *error.
static int compare(const struct graph *model, const struct arguments *arguments,
                   const struct waits *waits, bool is_safe, struct anl_error *error)
{
    struct graph list = {.config = model->config};
    uint64_t heads;
    if (make_list(&list, arguments->routes, waits, &heads, error)) return -1;
    printf("list        %" PRIu64 " heads followed, %" PRIu64 " dependencies: %s\n", heads,
           anl_cdg_dependencies(list.cdg), list.length ? "a cycle" : "acyclic");
    const bool same = is_same(model, &list);
    if (same) puts("same        the list lets heads go where the model does, and nowhere else");
    if (!same && list.length) print_cycle(&list, "");
    const bool good = same && is_safe;
    forget(&list);
    return good ? CLI_OK : CLI_NO;
}

// --- escape lanes ---

// Prints which part of Duato's condition holds for the escape lanes of a class of messages. Returns
// whether all do.
static bool print_escapes(const struct graph *escapes, uint32_t class_,
                          const struct anl_stranded *stranded)
{
    const struct anl_config *config = escapes->config;
    char name[64], of_class[64] = "";
    if (anl_num_classes(config) > 1)
        snprintf(of_class, sizeof of_class, ", of class %" PRIu32 "%s", class_,
                 anl_classes_differ(config) ? "" : "; the other classes are like it");
    anl_switch_name(config, stranded->at.switch_, name, sizeof name);
    printf("escape      %" PRIu64 " dependencies of escape lanes, direct and indirect%s\n",
           anl_cdg_dependencies(escapes->cdg), of_class);
    if (stranded->found)
        printf("STRANDED    at switch %s a head for T%" PRIu32 " has no escape lane\n", name,
               stranded->destination);
    if (escapes->length > 0) print_cycle(escapes, "escape ");
    if (!anl_escapes_are_asked(config))
        puts(
            "BEHIND      with atomic none a head in an adaptive lane may stand behind another worm "
            "and ask for no escape lane");
    if (stranded->found || escapes->length > 0 || !anl_escapes_are_asked(config)) return false;
    puts("safe        each head may ask for an escape lane, and no escape lane depends on itself, "
         "so "
         "no deadlock can happen");
    return true;
}

// Examines the escape lanes and sets *is_safe.
static enum anl_status examine_escapes(const struct anl_config *config, bool *is_safe,
                                       struct anl_error *error)
{
    struct graph escapes = {.config = config};
    struct anl_stranded stranded;
    enum anl_status status = anl_cdg_of_escapes(config, 0, &escapes.cdg, &stranded);
    if (status == ANL_ERR_ARGUMENT)
        return anl_fail(error, status, "", 0, "the escape lanes are too many to be searched");
    if (!status) status = anl_cdg_cycle(escapes.cdg, &escapes.cycle, &escapes.length);
    if (!status) *is_safe = print_escapes(&escapes, 0, &stranded);
    forget(&escapes);
    return cli_fail(status, error);
}

// Examines classes with routings of their own, and sets *is_safe.
static enum anl_status examine_classes(const struct anl_config *config, bool *is_safe,
                                       struct anl_error *error)
{
    struct anl_safety safety;
    enum anl_status status = anl_safety_of(config, &safety);
    if (status) return cli_fail(status, error);
    struct graph worst = {.config = config, .cdg = safety.escapes ? safety.escapes : safety.graph};
    *is_safe = safety.is_safe;
    if (*is_safe)
        puts("safe        each class of messages is safe by itself, and none waits for another, so "
             "no deadlock can happen");
    else
        status = anl_cdg_cycle(worst.cdg, &worst.cycle, &worst.length);
    if (!status && !*is_safe && safety.escapes)
        print_escapes(&worst, safety.class_, &safety.stranded);
    else if (!status && !*is_safe)
        print_verdict(&worst);
    free(worst.cycle);
    anl_safety_free(&safety);
    return cli_fail(status, error);
}

static int answer(const struct arguments *arguments, const struct anl_config *config)
{
    struct graph model = {.config = config, .path = arguments->given.inputs[0]};
    struct anl_error error = {0};
    int exit_status = -1;
    bool is_safe = false;
    struct waits waits = {0};
    const bool replies_wait = config->reply_queue > 0 && anl_num_classes(config) == 1;
    enum anl_status status =
        arguments->waits ? read_waits(arguments->waits, config, &waits, &error) : ANL_OK;
    if (config->reply_queue) waits.after[0] |= (uint8_t)(1u << (anl_num_classes(config) - 1));
    const bool circle = is_circle(&waits);
    if (!status) status = make_model(&model, &waits, &error);
    if (!status && arguments->dot) status = write_dot(&model, arguments->dot, &error);
    if (!status) {
        printf("graph       %" PRIu32 " lanes, %" PRIu64 " dependencies\n", count_lanes(config),
               anl_cdg_dependencies(model.cdg));
        is_safe = model.length == 0;
        if (arguments->waits) print_waits(&waits);
        if (is_safe || circle || (!anl_escape_lanes(config) && !anl_classes_differ(config)))
            print_verdict(&model);
        else if (anl_classes_differ(config))
            status = examine_classes(config, &is_safe, &error);
        else
            status = examine_escapes(config, &is_safe, &error);
        if (replies_wait)
            puts("REPLIES     terminals refuse requests while replies wait, in the same class of "
                 "messages");
        exit_status = status ? -1 : is_safe ? CLI_OK : CLI_NO;
    }
    if (!status && arguments->routes)
        exit_status = compare(&model, arguments, &waits, is_safe, &error);
    forget(&model);
    return exit_status < 0 ? cli_complain(&error) : exit_status;
}

int cmd_cdg(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &cli_one_scenario,
        .options = options,
        .help = "Makes the channel-dependency graph of a scenario's network (Dally and Seitz "
                "1987): which lanes a head in a lane may wait for. Without a cycle no deadlock can "
                "happen; else a shortest one is printed, lane by lane. Where there are escape "
                "lanes, Duato's condition for them is examined (docs/cdg.md).\v"
                "Exit status: 0 no deadlock can happen, and the list's graph is the same, 1 not, 2 "
                "bad usage or bad input."};
    // What can deadlock is examined as well.
    struct arguments arguments = {
        .given = {.settings = {"network.unsafe=true"}, .num_settings = 1}};
    struct anl_scenario scenario;
    cli_parse(&command, argc, argv, &arguments);
    if (cli_load(&arguments.given, &scenario)) return CLI_BAD;
    const int exit_status = answer(&arguments, &scenario.network);
    anl_scenario_free(&scenario);
    return exit_status;
}
