// SPDX-License-Identifier: Apache-2.0
//
// annelid worst: the network and the messages on which every schedule is slow, after Cole, Maggs
// and Sitaraman (2001). papers/cole_maggs_sitaraman/colour.md explains them.

#include "shared/cli.h"

#include <annelid/colour.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    struct cli_given given;
    uint32_t vcs, messages, copies, congestion, dilation, length;
    bool interleaved;
    const char *output;
};

static const struct cli_option options[] = {
    {"vcs", 'B', "B", "Every B + 1 messages share a link, 1 to 8; required",
     CLI_AT(struct arguments, vcs), .least = 1, .most = ANL_MAX_VCS},
    {"messages", 'M', "M",
     "Messages with different paths, more than B; required, but for --dilation",
     CLI_AT(struct arguments, messages), .least = 2, .most = 1000},
    {"copies", 'c', "N", "Each message N times, so that N (B + 1) share a link (1)",
     CLI_AT(struct arguments, copies), .least = 1, .most = 1000},
    {"congestion", 'C', "C", "So many messages share a link, at least B + 1; in place of --copies",
     CLI_AT(struct arguments, congestion), .least = 2, .most = 10000},
    {"dilation", 'D', "D",
     "Links of a path: links of its own are added to the end of each. Without --messages there are "
     "as many as D allows",
     CLI_AT(struct arguments, dilation), .least = 1, .most = 10000},
    {"interleaved", 0, NULL, "The copies of a message come M messages apart, not one after another",
     CLI_AT(struct arguments, interleaved)},
    {"length", 'l', "L", "Flits of a message (2 D: twice the links of a path)",
     CLI_AT(struct arguments, length), .least = 1, .most = ANL_MAX_WORM_LENGTH},
    {"output", 'o', "FILE.yaml",
     "Write the scenario to this file, and its messages to FILE.txt; required",
     CLI_AT(struct arguments, output), .output = true, .aside = true},
    {0},
};

static const struct cli_rule rules[] = {
    {"interleaved", .needs = "copies|congestion"}, {"copies", .bars = "congestion"}, {0}};

static const struct cli_inputs no_inputs = {"", .too_many = "no argument is expected"};

static void check_options(void *user, struct argp_state *state)
{
    const struct arguments *arguments = user;
    if (!arguments->vcs || !(arguments->messages || arguments->dilation) || !arguments->output)
        argp_error(state, "say which network and where to write it: -B B -M M -o FILE.yaml");
    if (arguments->congestion && arguments->congestion <= arguments->vcs)
        argp_error(state, "--congestion %" PRIu32 ": expected more than the %" PRIu32 " lanes",
                   arguments->congestion, arguments->vcs);
    if (arguments->output && !cli_ends_in(arguments->output, ".yaml"))
        argp_error(state, "--output %s: expected a name that ends in .yaml",
                   cli_is_stdout(arguments->output) ? "-" : arguments->output);
}

struct text {
    const struct anl_instance *instance;
    const struct anl_instance_scenario *how;
    const struct arguments *arguments;
    const struct anl_worst_case *worst;
};

static enum anl_status write_scenario(FILE *out, const struct text *text, struct anl_error *error)
{
    const struct arguments *arguments = text->arguments;
    fprintf(out,
            "# Every %" PRIu32 " of the %" PRIu32
            " paths share a link (papers/cole_maggs_sitaraman/colour.md); each message is there "
            "%" PRIu32 " time%s%s",
            arguments->vcs + 1, text->worst->distinct, text->worst->copies,
            plural(text->worst->copies), arguments->interleaved ? ", interleaved" : "");
    if (text->worst->more) fprintf(out, ", the first %" PRIu32 " once more", text->worst->more);
    fputs(".\n", out);
    return anl_instance_write_scenario(out, text->instance, text->how, error);
}

// The user has not named the file of the messages, so it says that it may be replaced.
#define MARK "# Written by annelid worst."

static enum anl_status write_messages(FILE *out, const struct text *text, struct anl_error *error)
{
    fputs(MARK "\n", out);
    return anl_instance_write_messages(out, text->instance, text->how, error);
}

static enum anl_status write_file(const char *path,
                                  enum anl_status (*write)(FILE *, const struct text *,
                                                           struct anl_error *),
                                  const struct text *text, struct anl_error *error)
{
    struct anl_output output;
    enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    status = write(output.file, text, error);
    if (!status) return anl_output_finish(&output, error);
    anl_output_abandon(&output);
    return status;
}

// Writes both files; the messages are beside the scenario, with its name.
static enum anl_status write_files(const struct arguments *arguments,
                                   const struct anl_worst_case *worst,
                                   const struct anl_instance *instance, uint32_t dilation,
                                   struct anl_error *error)
{
    char *messages = strdup(arguments->output);
    if (!messages) return cli_fail(ANL_ERR_MEMORY, error);
    strcpy(strrchr(messages, '.'), ".txt");
    const char *slash = strrchr(messages, '/');
    const struct anl_instance_scenario how = {
        .num_vcs = arguments->vcs,
        .depth = 1,
        .more = ", link: wide, credits: bypass, arbiter: fixed",
        .messages = slash ? slash + 1 : messages,
        .length = (uint16_t)(arguments->length ? arguments->length : 2 * dilation)};
    const struct text text = {instance, &how, arguments, worst};
    enum anl_status status = cli_may_replace(messages, MARK, error);
    if (!status) status = write_file(messages, write_messages, &text, error);
    if (!status) status = write_file(arguments->output, write_scenario, &text, error);
    free(messages);
    return status;
}

// Returns the most messages whose paths have no more links than are asked for: the paper's M'.
static uint32_t messages_within(uint32_t vcs, uint32_t dilation)
{
    struct anl_worst_case how = {.vcs = vcs, .distinct = vcs + 1};
    while (anl_worst_case_links(&how) <= dilation)
        how.distinct++;
    return how.distinct - 1;
}

// Returns what is asked for.
static struct anl_worst_case worst_of(const struct arguments *arguments)
{
    const uint32_t share = arguments->vcs + 1, congestion = arguments->congestion;
    return (struct anl_worst_case){
        .vcs = arguments->vcs,
        .distinct = arguments->messages ? arguments->messages
                                        : messages_within(arguments->vcs, arguments->dilation),
        .copies = congestion ? congestion / share : arguments->copies,
        .interleaved = arguments->interleaved,
        .more = congestion % share,
        .dilation = arguments->dilation};
}

static void print(const struct arguments *arguments, const struct anl_instance *instance,
                  const struct anl_link_measures *measures)
{
    const uint64_t length = arguments->length ? arguments->length : 2 * measures->dilation;
    const uint32_t messages = instance->paths.messages;
    printf("messages    M = %" PRIu32 ", L = %" PRIu64 "\npaths       congestion C = %" PRIu32
           ", dilation D = %" PRIu32 "\n",
           messages, length, measures->congestion, measures->dilation);
    if (length > measures->dilation)
        printf("at least    (L - D) M / B = %.0f cycles with %" PRIu32 " lane%s\n",
               (double)(length - measures->dilation) * messages / arguments->vcs, arguments->vcs,
               plural(arguments->vcs));
}

int cmd_worst(int argc, char **argv);  // parts.inc
int cmd_worst(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &no_inputs,
        .options = options,
        .rules = rules,
        .check = check_options,
        .help =
            "Writes a network, and messages with their routes, on which every schedule is slow "
            "if links have B lanes: every B + 1 messages share a link, so only B of them can "
            "move at a time, however they are scheduled (papers/cole_maggs_sitaraman/colour.md).\v"
            "Exit status: 0 done, 2 bad usage."};
    struct arguments arguments = {.copies = 1};
    struct anl_error error = {0};
    struct anl_instance instance;
    struct anl_link_measures measures;
    cli_parse(&command, argc, argv, &arguments);
    const struct anl_worst_case how = worst_of(&arguments);
    enum anl_status status = anl_worst_case_make(&how, &instance, &error);
    if (!status) status = cli_fail(anl_link_paths_measure(&instance.paths, &measures), &error);
    if (!status) status = write_files(&arguments, &how, &instance, measures.dilation, &error);
    if (!status) print(&arguments, &instance, &measures);
    anl_instance_free(&instance);
    return status ? cli_complain(&error) : CLI_OK;
}
