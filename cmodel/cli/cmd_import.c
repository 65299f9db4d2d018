// SPDX-License-Identifier: Apache-2.0
//
// annelid import: makes a graph of a file of another program, for network.graph, or a message file
// of its trace, for traffic.messages.

#include "import/import.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct arguments {
    struct cli_given given;
    const char *output;
};

static const struct cli_option options[] = {
    {"output", 'o', "FILE", "Write the graph to this file; required",
     CLI_AT(struct arguments, output), .output = true, .aside = true},
    {0},
};

static const struct cli_inputs one_file = {"FILE", .least = 1, .most = 1,
                                           .too_few = "a file is missing",
                                           .too_many = "one file is enough"};

static void check(void *user, struct argp_state *state)
{
    const struct arguments *arguments = user;
    if (!arguments->output) argp_error(state, "say where to write the graph: -o FILE");
}

typedef enum anl_status reader(const char *path, struct draft *draft, struct anl_error *error);

// Reads a file and writes the graph.
static enum anl_status convert(reader *read, const char *path, FILE *file, struct anl_error *error)
{
    struct draft draft = {0};
    struct anl_graph *graph = NULL;
    enum anl_status status = read(path, &draft, error);
    if (!status) status = draft_make(&draft, &graph, error);
    if (!status) anl_scenario_write_graph(file, graph);
    if (!status) draft_report(&draft, graph);
    anl_graph_destroy(graph);
    draft_free(&draft);
    return status;
}

// --- a process of its own ---

// Keeps what a library does with a hostile file within bounds. The address sanitizer needs an
// address space without a limit.
static void limit_process(void)
{
    const struct rlimit seconds = {600, 600}, core = {0, 0};
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &core);
#ifndef __SANITIZE_ADDRESS__
    const struct rlimit bytes = {UINT64_C(2) << 30, UINT64_C(2) << 30};
    setrlimit(RLIMIT_AS, &bytes);
#endif
}

static enum anl_status ended(const char *path, int end, struct anl_error *error)
{
    if (WIFSIGNALED(end))
        return anl_fail(error, ANL_ERR_FORMAT, path, 0, "Graphviz's reader fails on it (signal %d)",
                        WTERMSIG(end));
    return WEXITSTATUS(end) == CLI_OK ? ANL_OK : ANL_ERR_FORMAT;
}

// Does what convert() does, in a child, which prints its own error. Returns ANL_ERR_FORMAT without
// filling *error if it did.
static enum anl_status convert_apart(reader *read, const char *path, const char *output, FILE *file,
                                     struct anl_error *error)
{
    int end;
    const pid_t child = fork();
    if (child < 0) return anl_fail(error, ANL_ERR_IO, path, 0, "fork: %s", strerror(errno));
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        limit_process();
        if (convert(read, path, file, error)) _exit(cli_complain(error));
        if (fflush(file)) {
            anl_fail(error, ANL_ERR_IO, output, 0, "cannot write: %s", strerror(errno));
            _exit(cli_complain(error));
        }
        _exit(cli_output_whole() ? CLI_OK : CLI_BAD);
    }
    while (waitpid(child, &end, 0) < 0)
        if (errno != EINTR) return anl_fail(error, ANL_ERR_IO, path, 0, "%s", strerror(errno));
    return ended(path, end, error);
}

// --- the commands ---

static int import(int argc, char **argv, const char *help, reader *read, bool apart)
{
    const struct cli_command command = {
        .inputs = &one_file, .options = options, .check = check, .help = help};
    struct arguments arguments = {0};
    struct anl_output output;
    struct anl_error error = {0};
    cli_parse(&command, argc, argv, &arguments);
    const char *path = arguments.given.inputs[0];
    enum anl_status status = anl_output_open(arguments.output, &output, &error);
    if (status) return cli_complain(&error);
    status = apart ? convert_apart(read, path, arguments.output, output.file, &error)
                   : convert(read, path, output.file, &error);
    if (!status) status = anl_output_finish(&output, &error);
    if (!status) return CLI_OK;
    anl_output_abandon(&output);
    return error.text[0] ? cli_complain(&error) : CLI_BAD;
}

static int import_anynet(int argc, char **argv)
{
    return import(argc, argv, "Makes a graph of a file for BookSim2's topology anynet.",
                  anynet_read, false);
}

static int import_dot(int argc, char **argv)
{
    return import(argc, argv, "Makes a graph of a file in Graphviz's language DOT.", dot_read,
                  true);
}

// --- traces ---

struct trace_arguments {
    struct cli_given given;
    const char *output;
    struct netrace_options options;
};

static const struct cli_option trace_options[] = {
    {"output", 'o', "FILE", "Write the messages to this file; required",
     CLI_AT(struct trace_arguments, output), .output = true, .aside = true},
    {"flit-width-bits", 0, "N", "Bits of a flit, 8..512 (32)",
     CLI_AT(struct trace_arguments, options.flit_width_bits), .least = 8,
     .most = ANL_MAX_FLIT_WIDTH_BITS},
    {"packets", 0, "N", "Read the first N packets alone",
     CLI_AT(struct trace_arguments, options.packets), .least = 1, .most = UINT32_MAX},
    {0},
};

static void check_trace(void *user, struct argp_state *state)
{
    const struct trace_arguments *arguments = user;
    if (!arguments->output) argp_error(state, "say where to write the messages: -o FILE");
}

static int import_netrace(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &one_file,
        .options = trace_options,
        .check = check_trace,
        .help = "Makes a message file of a packet trace of Netrace (docs/netrace.md)."};
    struct trace_arguments arguments = {.options.flit_width_bits = 32};
    struct anl_output output;
    struct anl_error error = {0};
    cli_parse(&command, argc, argv, &arguments);
    const char *path = arguments.given.inputs[0];
    enum anl_status status = anl_output_open(arguments.output, &output, &error);
    if (status) return cli_complain(&error);
    status = netrace_convert(path, &arguments.options, output.file, &error);
    if (!status) status = anl_output_finish(&output, &error);
    if (!status) return CLI_OK;
    anl_output_abandon(&output);
    return cli_complain(&error);
}

int cmd_import(int argc, char **argv)
{
    static const struct cli_menu menu = {
        .name = "annelid import",
        .what = "import command",
        .head = "Usage: annelid import COMMAND -o OUTPUT FILE\n"
                "Networks of other programs as graphs (docs/scenario.md), for network.graph,\n"
                "and their traces as message files (docs/netrace.md), for traffic.messages.\n\n",
        .foot = "Exit status: 0 done, 2 bad usage or bad input.\n",
        .entries = {
            {"anynet", import_anynet, "BookSim2's topology anynet"},
            {"dot", import_dot, "Graphviz's language DOT"},
            {"netrace", import_netrace, "packet traces of Netrace"},
        }};
    return cli_choose(&menu, argc, argv);
}
