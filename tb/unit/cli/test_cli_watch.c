// SPDX-License-Identifier: Apache-2.0
//
// `annelid trace --from-vcd` and `--from-fst`: the page, waveforms of both forms, and what is
// refused. Reading VCD files and maps: tb/unit/recorded, tb/unit/probes.

#include "unit_cli.h"

#define LINKS "--links docs/probes/ring.yaml"
#define RING "trace --from-vcd docs/probes/ring.vcd " LINKS

static int prepare(void **state)
{
    (void)state;
    return make_directory() ? link_project() : -1;
}

static void the_page_says_what_is_printed(void **state)
{
    (void)state;
    expect_shown("docs/probes.md", 2);
}

static void both_forms_and_a_pipe_say_the_same(void **state)
{
    (void)state;
    expect(RING " -o a.txt", 1, "deadlock in cycle 8, worm 0", NULL);
    expect("trace watch --from-vcd - " LINKS " -o b.txt < docs/probes/ring.vcd", 1,
           "-: cycle 0 of the watch is cycle 0, at time 25 ps; found at time 105 ps", NULL);
    expect_shell("cmp a.txt b.txt");
    expect("check --incomplete a.txt", 0, "no rule broken", NULL);
    if (shell("command -v vcd2fst fst2vcd > tools")) return;
    expect_shell("vcd2fst -v docs/probes/ring.vcd -f ring.fst > /dev/null");
    expect("trace --from-fst ring.fst " LINKS " -o c.txt", 1, "deadlock in cycle 8, worm 0", NULL);
    expect_shell("cmp a.txt c.txt && cp ring.fst ./-r.fst");
    expect("trace --from-fst=-r.fst " LINKS, 1, "deadlock in cycle 8, worm 0", NULL);
}

static void parts_of_a_waveform_are_watched(void **state)
{
    (void)state;
    expect(RING " --last 7", 0, "annelid: 8 cycles, 48 flits, 4 worms, 0 delivered", NULL);
    expect(RING " --first 97", 2, NULL, "found no flit on any link in 98 cycles");
    expect(RING " --first 200", 2, NULL,
           "found 98 cycles, rising edges of the clock in which reset");
    expect(RING " --first 3 --json found.json", 1, "cycle 0 of the watch is cycle 3, at time 55 ps",
           NULL);
    expect_shell("grep -q made_up_flit found.json");
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    expect("trace --from-vcd docs/probes/ring.vcd", 2, NULL, "--links is missing");
    expect("trace watch " LINKS, 2, NULL, "one of --from-fst and --from-vcd, please");
    expect(RING " --from-fst x.fst", 2, NULL, "one of --from-fst and --from-vcd, please");
    expect(RING " --first 8 --last 7", 2, NULL, "--first 8 is after --last 7");
    expect(RING " more", 2, NULL, "no files but those of options");
    expect("trace --from-vcd no.vcd " LINKS, 2, NULL, "no.vcd: No such file");
    expect("trace --from-fst no.fst " LINKS, 2, NULL, "no.fst: No such file");
    expect("trace --from-vcd docs/probes/ring.vcd --links docs/own_bench/own_ring.yaml", 2, NULL,
           "own_ring.yaml:3: found key 'switch', expected one of network, links, scope, clock");
    expect_shell("sed 's/b01010101 ,/b0101010x ,/' docs/probes/ring.vcd > x.vcd");
    expect("trace --from-vcd x.vcd " LINKS " -o x.anlt", 2, NULL,
           " of link 0.0 is neither 0 nor 1 at the edge of time ");
    assert_false(remains("x.anlt"));
    expect_shell("sed 's/[01] [.]$/x ./' docs/probes/ring.vcd > d.vcd");  // data of link 0.0
    expect("trace --from-vcd d.vcd " LINKS, 1,
           "d.vcd: 1 flits were offered with bits that are neither", NULL);
    expect_shell("mkdir none && ln -s \"$(command -v sh)\" none/sh");
    expect_shell("PATH=none \"$ANNELID\" trace --from-fst docs/probes/ring.vcd " LINKS
                 " 2> said; [ $? = 2 ] && grep -q 'needs the program fst2vcd of GTKWave' said");
    if (shell("command -v fst2vcd > tools")) return;
    expect("trace --from-fst docs/probes/ring.vcd " LINKS, 2, NULL,
           "ring.vcd: fst2vcd cannot read it as an FST file");
}

// Here fst2vcd fails behind some lines, before the deadlock and behind it.
static void a_reader_that_fails_is_told(void **state)
{
    (void)state;
    expect_shell("mkdir failing && printf '#!/bin/sh\nhead -$LINES docs/probes/ring.vcd\nexit 3\n' "
                 "> failing/fst2vcd && chmod +x failing/fst2vcd");
    expect_shell("LINES=90 PATH=\"$PWD/failing:$PATH\" \"$ANNELID\" trace --from-fst "
                 "docs/probes/ring.vcd " LINKS " -o failed.anlt 2> said; [ $? = 2 ] && "
                 "grep -q 'fst2vcd has failed behind 8 cycles, in which no rule was broken' said");
    assert_false(remains("failed.anlt"));
    expect_shell("LINES=300 PATH=\"$PWD/failing:$PATH\" \"$ANNELID\" trace --from-fst "
                 "docs/probes/ring.vcd " LINKS " > said; [ $? = 1 ] && "
                 "grep -q 'deadlock in cycle 8, worm 0' said");
}

static void inputs_are_not_replaced(void **state)
{
    static const char *const inputs[] = {"r.vcd", "r.yaml", "own.yaml"};
    char command[128], said[64], line[64];
    (void)state;
    expect_shell("cp docs/probes/ring.vcd r.vcd && cp docs/own_bench/own_ring.yaml own.yaml && "
                 "sed 's|[.][.]/own_bench/own_ring|own|' docs/probes/ring.yaml > r.yaml");
    expect("trace --from-vcd r.vcd --links r.yaml -o r.txt", 1, "deadlock in cycle 8", NULL);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        snprintf(line, sizeof line, "cp %s before", inputs[i]);
        expect_shell(line);
        snprintf(command, sizeof command, "trace --from-vcd r.vcd --links r.yaml -o %s", inputs[i]);
        snprintf(said, sizeof said, "%s: cannot write: it is the input", inputs[i]);
        expect(command, 2, NULL, said);
        snprintf(line, sizeof line, "cmp %s before", inputs[i]);
        expect_shell(line);
    }
}

// Here fst2vcd writes for ever, which ends when nobody reads.
static void ctrl_c_ends_the_child_too(void **state)
{
    char path[4096];
    char *before = strdup(getenv("PATH"));
    (void)state;
    assert_non_null(before);
    expect_shell("mkdir endless && printf '#!/bin/sh\\necho $$ > pid; mv pid its_pid\\n"
                 "exec yes \"\\$date \\$end\"\\n' > endless/fst2vcd && chmod +x endless/fst2vcd");
    snprintf(path, sizeof path, "%s/endless:%s", directory, before);
    setenv("PATH", path, 1);
    expect_interrupted("trace --from-fst docs/probes/ring.vcd " LINKS " -o i.anlt", "-e its_pid");
    setenv("PATH", before, 1);
    free(before);
    expect_shell("[ \"$(cat said)\" = 'annelid: interrupted' ]");
    expect_shell("i=0; while kill -0 $(cat its_pid) 2> /dev/null; do i=$((i + 1)); [ $i -lt 600 ] "
                 "|| exit 1; sleep 0.1; done");
    assert_false(remains("i.anlt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_says_what_is_printed),
        cmocka_unit_test(both_forms_and_a_pipe_say_the_same),
        cmocka_unit_test(parts_of_a_waveform_are_watched),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(a_reader_that_fails_is_told),
        cmocka_unit_test(inputs_are_not_replaced),
        cmocka_unit_test(ctrl_c_ends_the_child_too),
    };
    return cmocka_run_group_tests_name("cli_watch", tests, prepare, remove_directory);
}
