// SPDX-License-Identifier: Apache-2.0

#include "cli.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum anl_trace_form cli_trace_form(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".anlt") == 0 ? ANL_TRACE_BINARY : ANL_TRACE_TEXT;
}

bool cli_ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), rest = strlen(ending);
    return length > rest && strcmp(text + length - rest, ending) == 0;
}

const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

uint64_t cli_latency_alone(const struct anl_config *config, uint64_t distance, uint64_t length)
{
    const uint64_t links = distance + 2;
    if (config->admission == ANL_STORE_AND_FORWARD) return links * length;
    return links + (length - 1) * (config->depth == 1 ? 2 : 1);
}

// --- words of a shell ---

void shell_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./=,:+-";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

char *shell_words(char **words, int count)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    fputs(words[0], out);
    for (int i = 1; i < count; i++) {
        fputc(' ', out);
        shell_word(out, words[i]);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

// --- scenarios and their options ---

enum { KEY_SET = 1000 };

static const struct argp_option options[] = {
    {"set", KEY_SET, "SECTION.KEY=VALUE", 0,
     "Value in place of the scenario's, e.g. switch.depth=2", 0},
    {"seed", 's', "N", 0, "Short for --set run.seed=N", 0},
    {"cycles", 'c', "N", 0, "Short for --set run.cycles=N", 0},
    {"load", 'l', "X", 0, "Short for --set traffic.load=X (flits per terminal and cycle)", 0},
    {0},
};

static void add(struct running_settings *settings, const char *key, const char *value,
                struct argp_state *state)
{
    if (settings->count == RUNNING_MAX_SETTINGS) argp_error(state, "too many settings");
    char *text = settings->text[settings->count];
    const int length = snprintf(text, RUNNING_SETTING_BYTES, "%s%s", key, value);
    if (length >= RUNNING_SETTING_BYTES) argp_error(state, "setting is too long: %s%s", key, value);
    settings->list[settings->count++] = text;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    switch (key) {
    case KEY_SET:
        add(state->input, "", value, state);
        break;
    case 's':
        add(state->input, "run.seed=", value, state);
        break;
    case 'c':
        add(state->input, "run.cycles=", value, state);
        break;
    case 'l':
        add(state->input, "traffic.load=", value, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp running_settings_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};

static error_t parse_scenario(int key, char *value, struct argp_state *state)
{
    struct running_scenario *scenario = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &scenario->settings;
        break;
    case ARGP_KEY_ARG:
        if (scenario->path) argp_error(state, "one scenario, please");
        scenario->path = value;
        break;
    case ARGP_KEY_NO_ARGS:
        if (!scenario->optional) argp_error(state, "a scenario file is missing");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child settings_child[] = {
    {&running_settings_argp, 0, "In place of the scenario's values:", 1}, {0}};

const struct argp running_scenario_argp = {NULL,           parse_scenario, NULL, NULL,
                                           settings_child, NULL,           NULL};

enum anl_status running_load(const struct running_scenario *from, struct anl_scenario *scenario,
                             struct anl_error *error)
{
    return anl_scenario_load_with(from->path, from->settings.list, from->settings.count, scenario,
                                  error);
}

// --- the progress of a run ---

uint64_t running_cycles_between_looks(const struct anl_scenario *scenario)
{
    const uint32_t terminals = anl_shape_of(&scenario->network).terminals;
    return terminals < 65536 ? 65536 / terminals : 1;
}

static double fraction_of(const struct anl_scenario *scenario, uint64_t cycles, uint64_t delivered)
{
    const struct anl_traffic_config *traffic = &scenario->traffic;
    const double requests =
        (double)traffic->worms_per_terminal * (double)anl_shape_of(&scenario->network).terminals;
    switch (traffic->process) {
    case ANL_BERNOULLI:
    case ANL_BURSTY:
        break;
    case ANL_BATCH:
    case ANL_GENERATOR:
        return (double)delivered / requests;
    case ANL_REQUEST_REPLY:
        return (double)delivered / (2 * requests);
    case ANL_REPLAY:
        if (scenario->num_messages == 0) return 0;
        return (double)delivered / (double)scenario->num_messages;
    }
    return (double)cycles / (double)scenario->run.cycles;
}

void running_show(struct running_view *view, uint64_t cycles, uint64_t delivered)
{
    char detail[64];
    snprintf(detail, sizeof detail, "cycle %" PRIu64, cycles);
    const double fraction = view->cycles ? (double)cycles / (double)view->cycles
                                         : fraction_of(view->scenario, cycles, delivered);
    cli_progress_update(&view->progress, fraction, detail);
}

bool running_look(void *user, const struct anl_engine *net)
{
    running_show(user, anl_engine_cycle(net), anl_engine_totals(net).delivered);
    return !cli_interrupted();
}

int cli_print_json(json_t *object)
{
    struct anl_error error = {0};
    if (!object) {
        anl_fail(&error, ANL_ERR_MEMORY, "", 0, "no memory for the JSON object");
        return cli_complain(&error);
    }
    json_dumpf(object, stdout, JSON_REAL_PRECISION(9));  // cli_output_whole() reports its errors
    putchar('\n');
    json_decref(object);
    return CLI_OK;
}
