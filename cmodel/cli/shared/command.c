// SPDX-License-Identifier: Apache-2.0

#include "cli.h"

#include <annelid/rtl.h>
#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum anl_trace_form cli_trace_form(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".anlt") == 0 ? ANL_TRACE_BINARY : ANL_TRACE_TEXT;
}

bool cli_ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), rest = strlen(ending);
    return length > rest && strcasecmp(text + length - rest, ending) == 0;
}

const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

// --- words of a shell ---

char *shell_words(char **words, int count)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    fputs(words[0], out);
    for (int i = 1; i < count; i++) {
        fputc(' ', out);
        anl_print_word(out, words[i]);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

// --- the arguments of a command ---

static const struct cli_option setting_options[] = {
    {"set", 0, "SECTION.KEY=VALUE", "Value in place of the scenario's, e.g. switch.depth=2",
     .setting = ""},
    {"seed", 's', "N", "Short for --set run.seed=N", .setting = "run.seed="},
    {"cycles", 'c', "N", "Short for --set run.cycles=N", .setting = "run.cycles="},
    {"load", 'l', "X", "Short for --set traffic.load=X (flits per terminal and cycle)",
     .setting = "traffic.load="},
    {0},
};

const struct cli_inputs cli_one_scenario = {"SCENARIO",
                                            1,
                                            1,
                                            "a scenario file is missing",
                                            "one scenario, please",
                                            "In place of the scenario's values:"};

const struct cli_inputs cli_trace_or_scenario = {
    "TRACE|SCENARIO", 1, 1, "a trace or a scenario is missing", "one trace or scenario, please",
    "Scenarios only:"};

struct parsing {
    const struct cli_command *command;
    struct cli_given *given;  // the command's arguments begin with it
    const struct cli_option *options[2 * CLI_MAX_OPTIONS];
    struct argp_option known[2 * CLI_MAX_OPTIONS];  // the same for argp, with titles
    size_t count;
};

// Returns whether a command has an option of its own with the name of a setting.
static bool is_known(const struct parsing *parsing, const char *name)
{
    for (size_t i = 0; i < parsing->count; i++)
        if (parsing->known[i].name && strcmp(parsing->known[i].name, name) == 0) return true;
    return false;
}

static void add_options(struct parsing *parsing, const struct cli_option *option, int group)
{
    for (; option && option->name; option++) {
        if (is_known(parsing, option->name)) continue;
        const size_t at = parsing->count++;
        const int key = option->letter ? option->letter : UCHAR_MAX + 1 + (int)at;
        parsing->options[at] = option;
        parsing->known[at] =
            (struct argp_option){option->name, key, option->value, 0, option->help, group};
    }
}

static void add_setting(struct cli_given *given, const char *key, const char *value,
                        struct argp_state *state)
{
    if (given->num_settings == CLI_MAX_SETTINGS) argp_error(state, "too many settings");
    char *text = given->texts[given->num_settings];
    const int length = snprintf(text, CLI_SETTING_BYTES, "%s%s", key, value);
    if (length >= CLI_SETTING_BYTES) argp_error(state, "setting is too long: %s%s", key, value);
    given->settings[given->num_settings++] = text;
}

static void store_number(const struct cli_option *option, void *to, const char *text,
                         struct argp_state *state)
{
    const uint64_t value = cli_number(option->name, text, option->least, option->most, state);
    const uint32_t word = (uint32_t)value;
    assert(option->bytes == sizeof value || option->bytes == sizeof word);
    if (option->bytes == sizeof value)
        memcpy(to, &value, sizeof value);
    else
        memcpy(to, &word, sizeof word);
}

static void note_option(const struct cli_option *option, struct cli_given *given, const char *value,
                        struct argp_state *state)
{
    const bool once = option->value && option->bytes;  // it has a place for one value
    for (size_t i = 0; once && i < given->num_taken; i++)
        if (strcmp(given->taken[i].option, option->name) == 0)
            argp_error(state, "--%s is given twice", option->name);
    if (given->num_taken == CLI_MAX_TAKEN) argp_error(state, "too many options");
    given->taken[given->num_taken].option = option->name;
    given->taken[given->num_taken].aside = option->aside;
    given->taken[given->num_taken++].value = value;
}

bool cli_sets(const struct cli_given *given, const char *key)
{
    char name[CLI_SETTING_BYTES], usual[CLI_SETTING_BYTES];
    for (size_t i = 0; i < given->num_settings; i++) {
        const char *setting = given->settings[i];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
        anl_scenario_usual_key(name, usual, sizeof usual);
        if (strcmp(usual, key) == 0) return true;
    }
    return false;
}

// The value of a key may be standard input: traffic.messages=-.
static void read_setting_input(const char *setting)
{
    const char *value = strchr(setting, '=');
    if (value && !cli_read_input(value + 1)) exit(CLI_BAD);
}

const char *cli_name_in_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool cli_same_folder(const char *a, const char *b)
{
    const char *const paths[] = {a, b};
    struct stat folders[2];
    for (size_t i = 0; i < 2; i++) {
        char folder[PATH_MAX];
        const size_t bytes = (size_t)(cli_name_in_folder(paths[i]) - paths[i]);
        if (bytes + 2 > sizeof folder) return false;
        memcpy(folder, paths[i], bytes);
        memcpy(folder + bytes, ".", 2);
        if (stat(folder, &folders[i])) return false;
    }
    return folders[0].st_dev == folders[1].st_dev && folders[0].st_ino == folders[1].st_ino;
}

// Returns whether two paths are one place, at which there need not be a file.
static bool is_same_place(const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return true;
    return strcmp(cli_name_in_folder(a), cli_name_in_folder(b)) == 0 && cli_same_folder(a, b);
}

// Returns whether the second of two outputs would replace the first one, or be mixed with it.
static bool is_same_output(const char *a, const char *b)
{
    struct stat at_a, at_b;
    if (cli_is_stdout(a)) return cli_is_stdout(b);
    if (stat(a, &at_a) || stat(b, &at_b)) return is_same_place(a, b);
    return S_ISREG(at_a.st_mode) && at_a.st_dev == at_b.st_dev && at_a.st_ino == at_b.st_ino;
}

// Returns the path to write to.
static const char *take_output(struct cli_given *given, const char *path, struct argp_state *state)
{
    path = cli_write_output(path);
    for (size_t i = 0; i < given->num_outputs; i++)
        if (is_same_output(given->outputs[i], path))
            argp_error(state, "%s is named twice",
                       cli_is_stdout(path) ? "-, standard output," : path);
    if (given->num_outputs == CLI_MAX_OUTPUTS) argp_error(state, "too many outputs");
    given->outputs[given->num_outputs++] = path;
    return path;
}

// The name of a file is a text, for "" would stand for a folder or for nothing.
static void refuse_empty(const char *name, struct argp_state *state)
{
    if (!*name) argp_error(state, "the name of a file is empty");
}

static void take_option(const struct cli_option *option, struct cli_given *given, const char *value,
                        struct argp_state *state)
{
    char *to = (char *)given + option->offset;
    note_option(option, given, value, state);
    if (option->input || option->output) refuse_empty(value, state);
    if (option->output) value = take_output(given, value, state);
    if (option->input && !cli_read_input(value)) exit(CLI_BAD);
    if (option->setting) read_setting_input(value);
    if (option->setting)
        add_setting(given, option->setting, value, state);
    else if (option->read)
        option->read(to, value, state);
    else if (!option->value)
        *(bool *)to = true;
    else if (option->most)
        store_number(option, to, value, state);
    else
        memcpy(to, &value, sizeof value);
}

// Standard input can be read once for all, not as two files.
static void take_inputs(const struct parsing *parsing, struct argp_state *state)
{
    struct cli_given *given = parsing->given;
    const size_t outputs = parsing->command->outputs;
    size_t standard = 0;
    for (size_t i = 0; i < given->num_inputs; i++) {
        refuse_empty(given->inputs[i], state);
        if (i + outputs >= given->num_inputs) {
            given->inputs[i] = (char *)(uintptr_t)take_output(given, given->inputs[i], state);
            continue;
        }
        const char *path = given->inputs[i];
        if ((strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0) && standard++)
            argp_error(state, "-, standard input, is named twice");
        if (!cli_read_input(path)) exit(CLI_BAD);
    }
}

static void check_arguments(const struct parsing *parsing, struct argp_state *state)
{
    const struct cli_command *command = parsing->command;
    const size_t count = parsing->given->num_inputs;
    if (count > command->inputs->most) argp_error(state, "%s", command->inputs->too_many);
    if (count < command->inputs->least) argp_error(state, "%s", command->inputs->too_few);
    cli_check_rules(command, parsing->given, state);
    take_inputs(parsing, state);
    if (command->check) command->check(parsing->given, state);
}

// The names that are nearest to one that is written, "; did you mean --set or --seed?"; "" if none
// is near.
struct nearest {
    const char *written;
    unsigned apart;
    char text[160];
};

// Offers a name that may be meant.
static void offer(struct nearest *nearest, const char *dashes, const char *name)
{
    const unsigned apart = anl_letters_apart(name, nearest->written);
    if (!anl_resembles(name, nearest->written) || (*nearest->text && apart > nearest->apart))
        return;
    if (apart < nearest->apart) *nearest->text = '\0';
    nearest->apart = apart;
    const size_t used = strlen(nearest->text);
    if (used) nearest->text[used - 1] = '\0';  // the question mark
    text_append(nearest->text, sizeof nearest->text, "%s%s%s?", used ? " or " : "; did you mean ",
                dashes, name);
}

// Returns the option that a word without its dashes is, or is the beginning of; NULL if it is none.
static const struct argp_option *option_of(const struct parsing *parsing, const char *word,
                                           size_t length)
{
    for (size_t i = 0; i < parsing->count; i++)
        if (parsing->known[i].name && strncmp(parsing->known[i].name, word, length) == 0)
            return &parsing->known[i];
    return NULL;
}

// Returns whether the last of some short options together, "-dw", takes the next word as its value.
static bool takes_next_word(const struct parsing *parsing, const char *letters)
{
    for (; *letters; letters++)
        for (size_t i = 0; i < parsing->count; i++)
            if (parsing->known[i].arg && parsing->known[i].key == *letters) return !letters[1];
    return false;
}

// Names the option that was probably meant in the place of an unknown one.
static void suggest_option(const struct parsing *parsing, const char *word, size_t length,
                           struct argp_state *state)
{
    char name[64];
    struct nearest nearest = {.written = name};
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    for (size_t i = 0; i < parsing->count; i++)
        if (parsing->known[i].name) offer(&nearest, "--", parsing->known[i].name);
    offer(&nearest, "--", "help");
    offer(&nearest, "--", "usage");
    state->name = state->argv[0];
    if (*nearest.text) argp_error(state, "unrecognized option '--%s'%s", name, nearest.text);
}

// Looks for an unknown option before the parser does, which knows no name that is near.
static void check_options(const struct parsing *parsing, struct argp_state *state)
{
    for (int i = 1; i < state->argc; i++) {
        const char *word = state->argv[i];
        if (strcmp(word, "--") == 0) return;
        if (word[0] != '-' || !word[1]) continue;
        if (word[1] != '-') {
            i += takes_next_word(parsing, word + 1);
            continue;
        }
        const size_t length = strcspn(word + 2, "=");
        const struct argp_option *option = option_of(parsing, word + 2, length);
        if (option)
            i += option->arg && !word[2 + length];
        else if (strncmp("help", word + 2, length) != 0 && strncmp("usage", word + 2, length) != 0)
            suggest_option(parsing, word + 2, length, state);
    }
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    if (key == ARGP_KEY_INIT) check_options(parsing, state);
    for (size_t i = 0; i < parsing->count; i++)
        if (parsing->options[i] && parsing->known[i].key == key) {
            take_option(parsing->options[i], parsing->given, value, state);
            return 0;
        }
    if (key == ARGP_KEY_ARGS) {
        parsing->given->inputs = state->argv + state->next;
        parsing->given->num_inputs = (size_t)(state->argc - state->next);
    } else if (key == ARGP_KEY_END) {
        check_arguments(parsing, state);
    } else {
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// --- manual pages and completions are made of this ---

// Returns a text, or null in its place.
static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

static json_t *option_object(const struct argp_option *option)
{
    const char letter[] = {option->key <= UCHAR_MAX ? (char)option->key : '\0', '\0'};
    return json_pack("{s:s, s:s, s:o, s:s, s:b}", "name", option->name, "letter", letter, "value",
                     text_or_null(option->arg), "help", option->doc, "setting", option->group == 1);
}

static int print_command(const char *name, const struct parsing *parsing)
{
    const struct cli_command *command = parsing->command;
    json_t *list = json_array();
    for (size_t i = 0; i < parsing->count; i++)
        if (parsing->known[i].name) json_array_append_new(list, option_object(&parsing->known[i]));
    return cli_print_json(json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", name, "inputs",
                                    command->inputs->names, "help", command->help, "settings",
                                    text_or_null(command->inputs->settings), "options", list));
}

static int print_menu(const struct cli_menu *menu)
{
    json_t *list = json_array();
    for (const struct cli_entry *entry = menu->entries; entry->name; entry++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s}", "name", entry->name, "what", entry->what));
    return cli_print_json(json_pack("{s:s, s:s, s:s, s:o}", "name", menu->name, "head", menu->head,
                                    "foot", menu->foot, "commands", list));
}

static bool asks_for_manual(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "--manual") == 0;
}

// The parser prints what --help asks for, and ends the program.
static bool may_print_help;

static void check_help(void)
{
    if (may_print_help && !cli_output_whole()) _exit(CLI_BAD);
}

void cli_parse(const struct cli_command *command, int argc, char **argv, void *arguments)
{
    const struct cli_inputs *inputs = command->inputs;
    struct parsing parsing = {.command = command, .given = arguments};
    const struct argp argp = {parsing.known, parse, inputs->names, command->help, NULL, NULL, NULL};
    parsing.given->words = argv;
    parsing.given->num_words = argc;
    add_options(&parsing, command->options, 0);
    if (inputs->settings) {
        parsing.known[parsing.count++] = (struct argp_option){.doc = inputs->settings, .group = 1};
        add_options(&parsing, setting_options, 1);
    }
    if (asks_for_manual(argc, argv))
        exit(print_command(argv[0], &parsing) || !cli_output_whole() ? CLI_BAD : CLI_OK);
    argp_err_exit_status = CLI_BAD;
    cli_end_at_interrupt();
    may_print_help = atexit(check_help) == 0;
    argp_parse(&argp, argc, argv, 0, NULL, &parsing);
    may_print_help = false;
    if (anl_input_protect(parsing.given->inputs, parsing.given->num_inputs - command->outputs))
        exit(cli_complain(&(struct anl_error){.text = "no memory for the names of the inputs"}));
}

enum anl_status cli_expect_buffered(const struct anl_config *config, const char *path,
                                    struct anl_error *error)
{
    const struct anl_machine *machine = anl_machine_of(config->kind);
    if (machine->traits & ANL_TRAIT_WAITS) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                    "switch.%s is %s; this command expects %s (%s says which ones know the "
                    "other)",
                    machine->key, machine->word, machine->usual, machine->page);
}

enum anl_status cli_expect_one_cycle(const struct anl_config *config, const char *path,
                                     struct anl_error *error)
{
    if (anl_stages(config) == 1) return cli_expect_short_links(config, path, error);
    return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                    "switch.stages is %" PRIu32 "; this command expects 1, for its theory has hops "
                    "of one cycle (docs/switch.md says which ones know more)",
                    anl_stages(config));
}

enum anl_status cli_expect_short_links(const struct anl_config *config, const char *path,
                                       struct anl_error *error)
{
    if (anl_link_cycles(config) == 1) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                    "switch.link_cycles is %" PRIu32 "; this command expects 1 (docs/link.md says "
                    "which ones know more)",
                    anl_link_cycles(config));
}

enum anl_status cli_expect_shared(const struct anl_config *config, const char *path,
                                  struct anl_error *error)
{
    enum anl_status status = cli_expect_buffered(config, path, error);
    if (!status) status = cli_expect_one_cycle(config, path, error);
    if (status || config->link == ANL_SHARED) return status;
    return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                    "switch.link is %s; this command expects shared, where a link carries one flit "
                    "a cycle",
                    anl_link_kind_name(config->link));
}

enum anl_status cli_expect_ordinary(const char *path, struct anl_error *error)
{
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode)) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, path, 0,
                    "is not an ordinary file; expected one, as it is read more than once, or - for "
                    "standard input");
}

typedef enum anl_status expect_fn(const struct anl_config *config, const char *path,
                                  struct anl_error *error);

static int load_and_expect(const struct cli_given *given, struct anl_scenario *scenario,
                           expect_fn *expect)
{
    struct anl_error error = {0};
    if (cli_load_any(given, scenario)) return CLI_BAD;
    if (!expect(&scenario->network, given->inputs[0], &error)) return CLI_OK;
    anl_scenario_free(scenario);
    return cli_complain(&error);
}

int cli_load(const struct cli_given *given, struct anl_scenario *scenario)
{
    return load_and_expect(given, scenario, cli_expect_buffered);
}

int cli_load_shared(const struct cli_given *given, struct anl_scenario *scenario)
{
    return load_and_expect(given, scenario, cli_expect_shared);
}

void cli_tell_synonyms(const struct anl_scenario *scenario, const char *path)
{
    if (scenario->synonyms) fprintf(stderr, "annelid: %s: read %s\n", path, scenario->synonyms);
}

enum anl_status cli_read_scenario(const char *path, const struct cli_given *given,
                                  struct anl_scenario *scenario, struct anl_error *error)
{
    const enum anl_status status =
        anl_scenario_load_with(path, given->settings, given->num_settings, scenario, error);
    if (!status) cli_tell_synonyms(scenario, path);
    return status;
}

int cli_load_any(const struct cli_given *given, struct anl_scenario *scenario)
{
    struct anl_error error = {0};
    return cli_read_scenario(given->inputs[0], given, scenario, &error) ? cli_complain(&error)
                                                                        : CLI_OK;
}

// --- commands of a command ---

static int print_usage(FILE *out, const struct cli_menu *menu)
{
    fputs(menu->head, out);
    for (const struct cli_entry *entry = menu->entries; entry->name; entry++)
        fprintf(out, "  %-9s %s\n", entry->name, entry->what);
    fprintf(out, "\n`%s COMMAND --help` tells more. %s", menu->name, menu->foot);
    return out == stdout ? CLI_OK : CLI_BAD;
}

// Says that a name is none of a menu, and which one was probably meant.
static int refuse_name(const struct cli_menu *menu, const char *name)
{
    struct nearest nearest = {.written = name};
    for (const struct cli_entry *entry = menu->entries; entry->name; entry++)
        offer(&nearest, "", entry->name);
    fprintf(stderr, "annelid: unknown %s '%s'%s\n", menu->what, name, nearest.text);
    if (!*nearest.text) return print_usage(stderr, menu);
    fprintf(stderr, "Try `%s --help' for all of them.\n", menu->name);
    return CLI_BAD;
}

// Runs the command that argv[0] names.
static int run_entry(const struct cli_menu *menu, int argc, char **argv)
{
    for (const struct cli_entry *entry = menu->entries; entry->name; entry++) {
        if (strcmp(argv[0], entry->name) != 0) continue;
        char name[32];  // its full name, for its usage texts
        snprintf(name, sizeof name, "%s %s", menu->name, entry->name);
        argv[0] = name;
        return entry->run(argc, argv);
    }
    return refuse_name(menu, argv[0]);
}

int cli_choose(const struct cli_menu *menu, int argc, char **argv)
{
    static char help[] = "--help";
    if (argc < 2) return print_usage(stderr, menu);
    if (asks_for_manual(argc, argv)) return print_menu(menu);
    const bool word = strcmp(argv[1], help + 2) == 0;
    if (strcmp(argv[1], help) == 0 || (word && argc == 2)) return print_usage(stdout, menu);
    if (!word) return run_entry(menu, argc - 1, argv + 1);
    char *asked[] = {argv[2], argc > 3 ? argv[3] : help, help, NULL};  // help trace show
    return run_entry(menu, argc > 3 ? 3 : 2, asked);
}

enum cli_form cli_form_of(const char *path, bool gnuplot, struct argp_state *state)
{
    static const char *const endings[] = {".svg", ".png", ".pdf", ".html", ".gnuplot"};
    if (cli_is_stdout(path)) return FORM_SVG;
    for (enum cli_form form = FORM_SVG; form <= (gnuplot ? FORM_GNUPLOT : FORM_HTML); form++)
        if (cli_ends_in(path, endings[form])) return form;
    argp_error(state, "'%s' ends in none of .svg, .png, .pdf%s and .html", path,
               gnuplot ? ", .gnuplot" : "");
    return FORM_SVG;
}

// --- names ---

struct cli_name cli_link_name(const struct anl_config *config, uint32_t link)
{
    struct cli_name name;
    anl_link_name(config, link, name.text, sizeof name.text);
    return name;
}

struct cli_name cli_lane_name(const struct anl_config *config, uint32_t lane)
{
    struct cli_name name = cli_link_name(config, lane / config->num_vcs);
    const size_t used = strlen(name.text);
    snprintf(name.text + used, sizeof name.text - used, " lane %" PRIu32, lane % config->num_vcs);
    return name;
}

// Returns whether another command can read an input: not what came from a pipe, or by a number that
// only this process has.
static bool is_there_again(const char *path)
{
    struct stat there;
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0) return false;
    if (strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/self/", 11) == 0) return false;
    return stat(path, &there) != 0 || S_ISREG(there.st_mode);
}

// What stands in the place of such an input.
static const char saved[] = "SAVED";

static bool print_setting(const char *setting)
{
    const char *value = strchr(setting, '=') + 1;
    const bool gone = strcmp(value, "-") == 0;
    char text[CLI_SETTING_BYTES + sizeof saved];
    snprintf(text, sizeof text, "%.*s%s", (int)(value - setting), setting, gone ? saved : value);
    printf(" --set ");
    anl_print_word(stdout, text);
    return gone;
}

bool cli_print_given(const struct cli_given *given)
{
    const char *input = given->inputs[0];
    bool gone = !is_there_again(input);
    if (gone) input = saved;
    for (size_t i = 0; i < given->num_settings; i++)
        gone |= print_setting(given->settings[i]);
    printf(input[0] == '-' ? " -- " : " ");
    anl_print_word(stdout, input);
    return gone;
}

void cli_print_saved(bool gone)
{
    if (gone) printf(" (%s: a file with what was read from a pipe)", saved);
}

struct cli_name cli_network_name(const struct anl_config *config, const char *is)
{
    struct cli_name name;
    const size_t size = sizeof name.text;
    const struct anl_cube cube = anl_coordinates_of(config);
    snprintf(name.text, size, "%s, ", anl_topology_name(config->topology));
    if (config->topology == ANL_GRAPH)
        text_append(name.text, size, "%" PRIu32 " terminal%s", config->k, plural(config->k));
    else if (config->topology != ANL_CUBE)
        text_append(name.text, size, "k%s%" PRIu32 ", n%s%" PRIu32, is, config->k, is, config->n);
    for (uint32_t d = 0; config->topology == ANL_CUBE && d < cube.dimensions; d++)
        text_append(name.text, size, "%s%" PRIu32, d ? " " : "radix ", cube.radix[d]);
    if (anl_num_passes(config) > 1)
        text_append(name.text, size, ", passes%s%" PRIu32, is, anl_num_passes(config));
    if (cube.concentration > 1)
        text_append(name.text, size, ", concentration %" PRIu32, cube.concentration);
    return name;
}

struct cli_name cli_routing_name(const struct anl_config *config)
{
    struct cli_name name;
    const size_t size = sizeof name.text;
    const uint32_t classes = config->num_class_routings;
    snprintf(name.text, size, "%s", classes ? "" : anl_routing_name(config->routing));
    for (uint32_t c = 0; c < classes; c++)
        text_append(name.text, size, "%s%s%s", c ? ", " : "[",
                    anl_routing_name((enum anl_routing)config->class_routing[c]),
                    c + 1 == classes ? "]" : "");
    return name;
}

struct cli_name cli_unusual_name(const struct anl_config *config)
{
    struct cli_name name;
    snprintf(name.text, sizeof name.text, "%s%s%s",
             config->credits == ANL_BYPASS ? ", credits bypass" : "",
             config->link == ANL_WIDE ? ", links wide" : "",
             anl_stages(config) > 1 ? ", two stages" : "");
    const uint32_t classes = anl_num_classes(config), reservations = config->reply_queue;
    if (classes > 1) text_append(name.text, sizeof name.text, ", %" PRIu32 " classes", classes);
    if (reservations)
        text_append(name.text, sizeof name.text, ", %" PRIu32 " reservation%s for replies",
                    reservations, plural(reservations));
    return name;
}

struct cli_words cli_switch_words(const struct anl_config *config)
{
    struct cli_words words;
    const struct anl_machine *machine = anl_machine_of(config->kind);
    if (machine->words)
        machine->words(config, words.text, sizeof words.text);
    else
        snprintf(words.text, sizeof words.text,
                 "%" PRIu32 " lane%s of %" PRIu32 " flit%s, %s, %s, %s%s", config->num_vcs,
                 plural(config->num_vcs), config->depth, plural(config->depth),
                 cli_routing_name(config).text, anl_arbiter_name(config->arbiter),
                 anl_flow_control_name(config->flow_control), cli_unusual_name(config).text);
    return words;
}

struct cli_name cli_message_name(const struct anl_worm *worm)
{
    struct cli_name name = {""};
    if (worm->class_ || worm->role)
        text_append(name.text, sizeof name.text, ", class %d", worm->class_);
    if (worm->role) text_append(name.text, sizeof name.text, ", a %s", anl_role_name(worm->role));
    return name;
}

void cli_print_parameters(const struct anl_config *config)
{
    const struct anl_rtl_parameters all = anl_rtl_parameters(config);
    for (size_t i = 0; i < all.count; i++)
        printf("%s%s=%" PRIu64, i ? " " : "", all.list[i].name, all.list[i].value);
}

// --- what is read of traces ---

enum anl_status cli_trace_scenario(const struct anl_trace_reader *reader, const char *path,
                                   struct anl_scenario *scenario, struct anl_error *error)
{
    char name[sizeof error->file];
    const char *text = anl_trace_scenario_text(reader);
    snprintf(name, sizeof name, "%s (scenario)", path);
    return anl_scenario_parse(text, strlen(text), name, NULL, scenario, error);
}

struct anl_worm cli_trace_worm(const struct anl_config *config,
                               const struct anl_trace_reader *reader, struct anl_worm worm)
{
    worm.path = anl_path_of(config, anl_trace_seed(reader), &worm);
    return worm;
}

enum anl_status cli_batch_add(struct cli_batch *batch, const struct anl_flit *flit)
{
    struct anl_flit *flits = gather_room(batch->flits, batch->count, &batch->size, sizeof *flits);
    if (!flits) return ANL_ERR_MEMORY;
    batch->flits = flits;
    flits[batch->count++] = *flit;
    return ANL_OK;
}

// --- the progress of a run ---

uint64_t running_cycles_between_looks(const struct anl_scenario *scenario)
{
    const uint32_t terminals = anl_shape_of(&scenario->network).terminals;
    return terminals < 65536 ? 65536 / terminals : 1;
}

// Returns how many worms a closed process creates.
static double worms_of(const struct anl_scenario *scenario)
{
    const struct anl_traffic_config *traffic = &scenario->traffic;
    const double requests =
        (double)traffic->worms_per_terminal * (double)anl_shape_of(&scenario->network).terminals;
    if (traffic->process == ANL_REPLAY) return (double)scenario->num_messages;
    return traffic->process == ANL_REQUEST_REPLY ? 2 * requests : requests;
}

// Returns the cycle up to which a closed process may create worms, as far as it is known.
static double last_creation(const struct anl_scenario *scenario)
{
    const struct anl_traffic_config *traffic = &scenario->traffic;
    if (traffic->process == ANL_REPLAY && scenario->num_messages)
        return (double)scenario->messages[scenario->num_messages - 1].cycle;
    if (traffic->process != ANL_BATCH) return 0;
    return (double)(traffic->delays - 1) * (double)traffic->delay_cycles;
}

// Returns the part of a run that is done. One of a closed process needs all worms delivered, and
// the cycles until the last one is created; or the last cycle that it may have.
static double fraction_of(const struct anl_scenario *scenario, uint64_t cycles, uint64_t delivered)
{
    const struct anl_run_config *run = &scenario->run;
    if (anl_process_is_open_loop(scenario->traffic.process))
        return (double)cycles / (double)run->cycles;
    const double worms = worms_of(scenario), time = (double)cycles / (last_creation(scenario) + 1);
    const double done = worms > 0 ? fmin((double)delivered / worms, time) : 0;
    return fmax(done, (double)cycles / (double)run->max_cycles);
}

double running_words(const struct running_view *view, const struct running_state *state, char *text,
                     size_t size)
{
    const struct anl_scenario *scenario = view->scenario;
    snprintf(text, size, "cycle %" PRIu64, state->cycles);
    if (view->cycles) return (double)state->cycles / (double)view->cycles;
    if (!anl_process_is_open_loop(scenario->traffic.process) ||
        state->cycles < scenario->run.cycles)
        return fraction_of(scenario, state->cycles, state->delivered);
    const uint64_t left = state->created - state->delivered;
    text_append(text, size, ", draining, %" PRIu64 " worm%s left", left, plural(left));
    return 1;
}

void running_show(struct running_view *view, const struct running_state *state)
{
    char detail[96];
    const double fraction = running_words(view, state, detail, sizeof detail);
    cli_progress_update(&view->progress, fraction, detail);
}

bool running_look(void *user, const struct anl_engine *net)
{
    const struct anl_engine_totals totals = anl_engine_totals(net);
    running_show(user,
                 &(struct running_state){anl_engine_cycle(net), totals.enqueued, totals.delivered});
    return !cli_interrupted();
}

json_t *cli_reports_json(const struct anl_reports *reports)
{
    char *text = reports ? anl_reports_text(reports) : NULL;
    json_t *list = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return list;
}

void cli_begin_report(struct anl_report *report, const struct cli_given *given,
                      const struct anl_scenario *scenario, const char *path,
                      const struct anl_violation *violation)
{
    anl_report_begin(report, ANL_REPORT_REFEREE, anl_rule_name(violation->rule), violation->cycle);
    anl_report_violation(report, &scenario->network, violation);
    report->file = path;
    report->seed = &scenario->run.seed;
    report->replay = cli_command_text(given);
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
