// SPDX-License-Identifier: Apache-2.0
//
// Runs a verilated board to the end once for each argument and prints the outcome of each run as a
// line of JSON. In every cycle LEDs and UART must agree: exactly one of running, pass and fail is
// lit, the verdict comes in the right cycle and stays, the beat is regular, and each line on the
// UART says what the LEDs say.

#include "clock.h"
#include "listen.h"

#include <argp.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svdpi.h>

void board_drive(svBit *upset);
void board_see(svBit running, svBit pass, svBit fail, svBit beat, svBit uart);

enum { LONGEST = 64, LINES = 2, JUDGING = 5 };

struct settings {
    uint64_t cycles, terminals, bit_cycles, line_cycles;
    uint32_t expected;
    char **runs;
    int num_runs;
};

// A DPI call has no pointer of the user, so the run is a static variable.
static struct {
    const struct settings *settings;
    uint64_t cycle, upset;  // cycle in which the board is upset
    bool pass, in_reset;
    struct listener ear;
    char line[LONGEST], signature[9];
    unsigned length, lines, wrong;
    uint64_t line_began, first_began;
} run;

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void complain(const char *format, ...)
{
    va_list arguments;
    if (run.wrong++ > 0) return;
    va_start(arguments, format);
    fprintf(stderr, "cycle %" PRIu64 ": ", run.cycle);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void anl_clock_stopped(const char *file, int line)
{
    complain("an assertion fails at %s:%d", file, line);
}

void board_drive(svBit *upset) { *upset = !run.in_reset && run.cycle == run.upset; }

static void look_at_leds(bool running, bool pass, bool fail, bool beat)
{
    const struct settings *settings = run.settings;
    const bool judged = run.cycle >= settings->cycles + settings->terminals + JUDGING;
    if (running != !judged) complain("running is %d", running);
    if (running + pass + fail != 1) complain("running %d, pass %d, fail %d", running, pass, fail);
    if (beat != (run.cycle / settings->line_cycles & 1)) complain("beat is %d", beat);
    if (run.lines > 0 && pass != run.pass) complain("the verdict changes");
    run.pass = pass;
}

static void end_line(void)
{
    char wanted[LONGEST];
    run.line[run.length] = '\0';
    run.length = 0;
    if (sscanf(run.line, run.pass ? "annelid pass %8[0-9a-f]" : "annelid FAIL %8[0-9a-f]",
               run.signature) != 1)
        complain("the line is %s", run.line);
    if (run.pass)
        snprintf(wanted, sizeof wanted, "annelid pass %08" PRIx32 "\r\n", run.settings->expected);
    else
        snprintf(wanted, sizeof wanted, "annelid FAIL %s wants %08" PRIx32 "\r\n", run.signature,
                 run.settings->expected);
    if (strcmp(run.line, wanted) != 0) complain("the line is %sand not %s", run.line, wanted);
    if (++run.lines == 1)
        run.first_began = run.line_began;
    else if (run.line_began - run.first_began != (run.lines - 1) * run.settings->line_cycles)
        complain("line %u began in cycle %" PRIu64 ", the first in %" PRIu64, run.lines,
                 run.line_began, run.first_began);
}

static void hear(bool level)
{
    if (run.length == 0 && run.ear.wait == 0 && !level) run.line_began = run.cycle;
    const int code = listen_to(&run.ear, level, (unsigned)run.settings->bit_cycles);
    if (code == LISTEN_NOTHING) return;
    if (code == LISTEN_NO_STOP) complain("no stop bit");
    if (run.length + 1 == LONGEST) complain("the line does not end");
    if (run.length + 1 < LONGEST) run.line[run.length++] = (char)code;
    if (code == '\n') end_line();
}

void board_see(svBit running, svBit pass, svBit fail, svBit beat, svBit uart)
{
    look_at_leds(running, pass, fail, beat);
    hear(uart);
    if (running && !uart) complain("speaks while it runs");
    run.cycle++;
}

static void run_once(const struct settings *settings, uint64_t upset)
{
    const uint64_t end = settings->cycles + (LINES + 3) * settings->line_cycles;
    memset(&run, 0, sizeof run);
    run.settings = settings;
    run.upset = upset;
    struct anl_clock *clock = anl_clock_create();
    run.in_reset = true;
    for (int i = 0; i < 4; i++)
        anl_clock_cycle(clock);
    run.in_reset = false;
    anl_clock_reset(clock, false);
    while (run.lines < LINES && !run.wrong && run.cycle < end)
        anl_clock_cycle(clock);
    anl_clock_destroy(clock);
    if (run.lines < LINES) complain("%u lines heard", run.lines);
}

static bool run_all(const struct settings *settings)
{
    bool good = true;
    for (int i = 0; i < settings->num_runs; i++) {
        const char *word = settings->runs[i];
        const bool undisturbed = strcmp(word, "none") == 0;
        run_once(settings, undisturbed ? UINT64_MAX : strtoull(word, NULL, 10));
        printf("{\"upset\": %s, \"pass\": %s, \"signature\": \"%s\", \"cycles\": %" PRIu64
               ", \"good\": %s}\n",
               undisturbed ? "null" : word, run.pass ? "true" : "false", run.signature, run.cycle,
               run.wrong ? "false" : "true");
        good = good && !run.wrong;
    }
    return good;
}

static const struct argp_option options[] = {
    {"cycles", 'c', "N", 0, "Cycles of the run", 0},
    {"terminals", 't', "N", 0, "Terminals of the network", 0},
    {"expected", 'e', "HEX", 0, "Signature that the board expects", 0},
    {"bit-cycles", 'b', "N", 0, "Cycles of a bit on the UART", 0},
    {"line-cycles", 'l', "N", 0, "Cycles from line to line", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct settings *settings = state->input;
    switch (key) {
    case 'c':
        settings->cycles = strtoull(value, NULL, 10);
        break;
    case 't':
        settings->terminals = strtoull(value, NULL, 10);
        break;
    case 'e':
        settings->expected = (uint32_t)strtoull(value, NULL, 16);
        break;
    case 'b':
        settings->bit_cycles = strtoull(value, NULL, 10);
        break;
    case 'l':
        settings->line_cycles = strtoull(value, NULL, 10);
        break;
    case ARGP_KEY_ARGS:
        settings->runs = state->argv + state->next;
        settings->num_runs = state->argc - state->next;
        break;
    case ARGP_KEY_END:
        if (!settings->num_runs || !settings->bit_cycles || !settings->line_cycles)
            argp_error(state, "a run, --bit-cycles and --line-cycles, please");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse_option,
        "RUN...",
        "Runs a verilated board to the end. RUN: none, or the cycle in which upset_i is 1.\v"
        "Exit status: 0 LEDs and UART kept the rules, 1 they did not, 2 bad usage.",
        NULL,
        NULL,
        NULL};
    struct settings settings = {0};
    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &settings);
    return run_all(&settings) ? 0 : 1;
}
