// SPDX-License-Identifier: Apache-2.0
//
// The annelid command without room on the disk: whatever it writes, it reports the failure, ends
// with status 2 and leaves nothing behind. A limit on the size of files stands for the full disk.

#include "unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("mesh.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                            "traffic: {load: 0.4, length: 4}\nrun: {cycles: 400, seed: 5}\n");
    write_file("large.yaml", "network: {topology: mesh, k: 8, n: 2}\nswitch: {num_vcs: 4}\n"
                             "traffic: {load: 0.4, length: 4}\nrun: {cycles: 700, seed: 5}\n");
    return shell("\"$ANNELID\" run --trace mesh.anlt mesh.yaml > printed") ||
           shell("\"$ANNELID\" run --trace large.anlt large.yaml > printed");
}

struct writing {
    const char *arguments, *output;  // arguments: %s is mesh or large
    const char *says;
};

// Runs the command with files limited to `blocks` blocks of 1024 bytes.
static void expect_no_room(int blocks, const struct writing *writing, const char *name)
{
    char arguments[128], line[512];
    const char *at = strstr(writing->arguments, "%s");
    snprintf(arguments, sizeof arguments, "%.*s%s%s", (int)(at - writing->arguments),
             writing->arguments, name, at + 2);
    snprintf(line, sizeof line,
             "bash -c 'trap \"\" XFSZ; ulimit -f %d; \"$ANNELID\" %s 2>&1 > /dev/null; "
             "echo \"status $?\"' | cat > said; "
             "[ \"$(cat said)\" = \"annelid: %s: %s"
             "$(printf '\\nstatus 2')\" ] || { cat said; exit 1; }",
             blocks, arguments, writing->output, writing->says);
    expect_shell(line);
    if (remains(writing->output)) fail_msg("annelid %s: leaves a file", arguments);
}

// A small file fails when it is closed, a large one when it is written.
static void files_without_room_are_reported(void **state)
{
    (void)state;
    static const char full[] = "cannot write: File too large";
    static const struct writing writings[] = {
        {"run --trace o.txt %s.yaml", "o.txt", full},
        {"run --trace o.anlt %s.yaml", "o.anlt", full},
        {"trace convert %s.anlt o.txt", "o.txt", full},
        {"worms --stalls o.csv %s.yaml", "o.csv", full},
        {"draw -o o.svg %s.yaml", "o.svg", full},
        {"draw -o o.png %s.yaml", "o.png",
         "cannot draw: no room for its SVG in the directory of temporary files"},
        {"draw --to 90 -o o.html %s.yaml", "o.html", full},
    };
    for (size_t i = 0; i < sizeof writings / sizeof *writings; i++) {
        expect_no_room(0, &writings[i], "mesh");
        expect_no_room(8, &writings[i], "large");
        if (i % unit_step(4)) continue;
        expect_no_room(0, &writings[i], "large");
        expect_no_room(100, &writings[i], "large");
    }
}

static void print_without_room_is_reported(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "run mesh.yaml",
        "run --json mesh.yaml",
        "worms mesh.yaml",
        "worms --json large.yaml",
        "worms --stalls - large.yaml",
        "trace show large.anlt",
        "trace digest mesh.anlt",
        "check mesh.anlt",
        "describe mesh.yaml",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char output[1024], line[256];
        assert_int_equal(run(commands[i], "2>&1 >/dev/full", output, sizeof output), 2);
        assert_non_null(strstr(output, "annelid: cannot print: No space left"));
        snprintf(line, sizeof line,
                 "bash -c 'trap \"\" XFSZ; ulimit -f 0; \"$ANNELID\" %s > printed; [ $? = 2 ]' "
                 "2> /dev/null",
                 commands[i]);
        expect_shell(line);
    }
}

// A device is written to and stays what it is: no new file takes its place.
static void a_device_is_written_directly(void **state)
{
    (void)state;
    expect("run --trace /dev/full mesh.yaml", 2, "", "/dev/full: cannot write: No space left");
    expect("draw -o link.svg mesh.yaml", 0, NULL, NULL);
    expect_shell("ln -sf /dev/full link.svg");
    expect("draw -o link.svg mesh.yaml", 2, "", "link.svg: cannot write: No space left");
    expect_shell("[ -c /dev/full ] && [ -L link.svg ]");
}

// Several runs at once write to one file; each must write a whole trace.
static void two_runs_do_not_clobber_one_another(void **state)
{
    (void)state;
    expect_shell(
        "for i in 1 2 3 4 5 6; do \"$ANNELID\" run --seed $i --trace both.anlt mesh.yaml > "
        "said.$i 2>&1 & eval p$i=$!; done; wait $p1 && wait $p2 && wait $p3 && wait $p4 && "
        "wait $p5 && wait $p6 || { cat said.*; exit 1; }");
    expect("check both.anlt", 0, "no rule broken", NULL);
    expect_shell("[ \"$(ls both.anlt*)\" = both.anlt ]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_without_room_are_reported),
        cmocka_unit_test(print_without_room_is_reported),
        cmocka_unit_test(a_device_is_written_directly),
        cmocka_unit_test(two_runs_do_not_clobber_one_another),
    };
    return cmocka_run_group_tests_name("cli_disk", tests, prepare, remove_directory);
}
