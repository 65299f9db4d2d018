// SPDX-License-Identifier: Apache-2.0
//
// No command of `annelid` replaces a file that it reads, whoever names the file: the command line,
// the scenario, or both.

#include "unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("mesh.yaml", "network: {topology: mesh, k: 2, n: 2}\n"
                            "traffic: {load: 0.1, length: 3}\nrun: {cycles: 100}\n");
    write_file("graph.yaml", "switches: 2\nterminals: [0, 1]\nlinks: [[0, 1]]\n");
    write_file("table.csv", "switch,destination,port,lanes\n0,1,0,all\n1,0,0,all\n");
    write_file("replay.txt", "0 0 1 3\n2 1 0 2\n");
    write_file("all.yaml", "network: {topology: graph, graph: graph.yaml}\n"
                           "switch: {routing: table, table: table.csv}\n"
                           "traffic: {process: replay, messages: replay.txt}\n"
                           "run: {max_cycles: 100}\n");
    write_file("matrix.csv", "source,destination,rate\n0,3,0.2\n1,2,0.1\n");
    write_file("matrix.yaml", "network: {topology: mesh, k: 2, n: 2}\n"
                              "traffic: {pattern: matrix, matrix: matrix.csv, length: 3}\n"
                              "run: {cycles: 100}\n");
    write_file("rates.csv", "terminal,rate\n0,0.2\n1,0.1\n");
    write_file("rates.yaml", "network: {topology: mesh, k: 2, n: 2}\n"
                             "traffic: {pattern: complement, rates: rates.csv, length: 3}\n"
                             "run: {cycles: 100}\n");
    write_file("worms.csv", "source,destination\n0,5\n3,4\n8,8\n");
    write_file("order.csv", "source\n8\n3\n0\n");
    return shell("\"$ANNELID\" run -t mesh.anlt mesh.yaml > /dev/null && "
                 "\"$ANNELID\" sweep --seeds 1 --loads 0.1 -o swept.csv mesh.yaml > /dev/null && "
                 "\"$ANNELID\" run all.yaml > /dev/null") ||
           (is_built("schedule") &&
            shell("\"$ANNELID\" schedule -n 3 -k 2 -f worms.csv -o starts.csv > /dev/null"));
}

static void no_input_is_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *command, *input;  // %s of the command is the input
    } cases[] = {
        {"run --worms %s mesh.yaml", "mesh.yaml"},
        {"run -t %s mesh.yaml", "mesh.yaml"},
        {"run -t %s - < mesh.yaml", "mesh.yaml"},
        {"run -t %s all.yaml", "graph.yaml"},
        {"run -t %s all.yaml", "table.csv"},
        {"run -t %s all.yaml", "replay.txt"},
        {"run -t %s --set traffic.messages=- all.yaml < replay.txt", "replay.txt"},
        {"run -t %s matrix.yaml", "matrix.csv"},
        {"run -t %s rates.yaml", "rates.csv"},
        {"run --worms %s all.yaml", "graph.yaml"},
        {"run --worms %s all.yaml", "replay.txt"},
        {"run --worms %s matrix.yaml", "matrix.csv"},
        {"cdg --dot %s mesh.yaml", "mesh.yaml"},
        {"cdg --dot %s all.yaml", "graph.yaml"},
        {"cdg --dot %s all.yaml", "table.csv"},
        {"describe --graph %s mesh.yaml", "mesh.yaml"},
        {"describe --graph %s all.yaml", "graph.yaml"},
        {"describe --dot %s all.yaml", "table.csv"},
        {"sweep --seeds 1 --loads 0.1 -o %s mesh.yaml", "mesh.yaml"},
        {"sweep --seeds 1 --loads 0.1 -o %s matrix.yaml", "matrix.csv"},
        {"sweep --seeds 1 --loads 0.1 -o %s rates.yaml", "rates.csv"},
        {"draw --at 2 -o %s all.yaml", "graph.svg"},
        {"plot -o %s swept.csv", "swept.svg"},
        {"trace worms mesh.anlt -o %s", "mesh.anlt"},
        {"trace convert mesh.anlt %s", "mesh.anlt"},
        {"worms --stalls %s mesh.anlt", "mesh.anlt"},
        {"worms --stalls %s all.yaml", "table.csv"},
        {"import anynet -o %s graph.yaml", "graph.yaml"},
        {"schedule -n 3 -k 2 -f worms.csv -o %s", "worms.csv"},
        {"schedule -n 3 -k 2 -f worms.csv --order-file order.csv -o %s", "order.csv"},
        {"schedule -n 3 -k 2 --check starts.csv --svg %s", "starts.csv"},
    };
    expect_shell(
        "ln -s graph.yaml graph.svg && ln -s graph.yaml graph.sv && ln swept.csv swept.svg");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[128], said[64], line[128];
        if (!is_built(cases[i].command)) continue;
        snprintf(line, sizeof line, "cp %s before", cases[i].input);
        expect_shell(line);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(command, sizeof command, cases[i].command, cases[i].input);
#pragma GCC diagnostic pop
        snprintf(said, sizeof said, "%s: cannot write: it is the input", cases[i].input);
        expect(command, 2, NULL, said);
        snprintf(line, sizeof line, "cmp %s before && ! ls *.tmp 2> /dev/null", cases[i].input);
        expect_shell(line);
    }
    expect_shell("cp graph.yaml before");
    expect("rtl -o graph.sv all.yaml", 2, NULL, "graph.sv: is there and is not replaced");
    expect_shell("cmp graph.yaml before");
}

static void other_files_are_replaced(void **state)
{
    (void)state;
    write_file("old.txt", "old");
    expect("trace convert mesh.anlt old.txt", 0, "", NULL);
    expect("run -t old.txt mesh.yaml", 0, NULL, NULL);
    expect_shell("grep -q 'cycles: 100' old.txt");
}

static void one_output_is_standard_output(void **state)
{
    (void)state;
    static const char said[] = "-, standard output, is named twice";
    expect("run -t - --worms - mesh.yaml", 2, "", said);
    expect("run -t /dev/stdout --worms - mesh.yaml", 2, "", said);
    expect("describe --dot - --graph - mesh.yaml", 2, "", said);
    expect("run --worms - mesh.yaml", 0, ",source,destination", NULL);
    expect("run --checkpoint kept --every 5 -t - mesh.yaml", 2, "", "cannot go on from a");
    assert_false(remains("kept"));
}

// Two outputs are two files, but for a device, which can take both.
static void no_output_replaces_another(void **state)
{
    (void)state;
    expect("run -t new.txt --worms new.txt mesh.yaml", 2, "", "new.txt is named twice");
    assert_false(remains("new.txt"));
    expect_shell("echo old > old.txt && ln -s old.txt other.txt");
    expect("run -t old.txt --worms other.txt mesh.yaml", 2, "", "other.txt is named twice");
    expect_shell("[ \"$(cat old.txt)\" = old ]");
    expect("describe --dot two --graph two mesh.yaml", 2, "", "two is named twice");
    expect("run -t /dev/null --worms /dev/null mesh.yaml", 0, NULL, NULL);
    // Two names of one place, at which there is no file.
    expect("describe --dot new.out --graph ./new.out mesh.yaml", 2, "", "./new.out is named twice");
    expect("run -t ./new.out --worms new.out mesh.yaml", 2, "", "new.out is named twice");
    if (is_built("schedule"))
        expect("schedule -n 4 -k 2 -p transpose -o new.out --messages new.out", 2, "",
               "new.out is named twice");
    assert_false(remains("new.out"));
}

// No file that is written gets the number of a standard output that the caller has closed.
static void a_closed_output_is_no_file(void **state)
{
    (void)state;
    write_file("g.dot", "graph g { a -- b; b -- c }");
    expect_shell("! \"$ANNELID\" import dot -o closed.yaml g.dot >&- 2> said");
    expect_shell("grep -q 'cannot print: Bad file descriptor' said");
    assert_false(remains("closed.yaml"));
    expect_shell("! \"$ANNELID\" rtl mesh.yaml -o - >&- 2> said && [ ! -e ./- ]");
}

// A byte order mark changes nothing, also where the content of a file says what it is.
static void a_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    static const struct {
        const char *input, *command;
    } cases[] = {
        {"mesh.yaml", "run mesh.yaml"},
        {"mesh.yaml", "worms mesh.yaml"},
        {"mesh.yaml", "colour mesh.yaml"},
        {"mesh.yaml", "plot -o - mesh.yaml"},
        {"mesh.yaml", "plot -o - - < mesh.yaml"},
        {"graph.yaml", "run all.yaml"},
        {"table.csv", "run all.yaml"},
        {"replay.txt", "run all.yaml"},
        {"matrix.csv", "run matrix.yaml"},
        {"rates.csv", "run rates.yaml"},
        {"paths.txt", "colour -B 1 paths.txt"},
        {"paths.txt", "colour -B 1 - < paths.txt"},
        {"comma.txt", "colour -B 1 comma.txt"},
        {"text.trace", "check text.trace"},
        {"text.trace", "check - < text.trace"},
        {"text.trace", "trace digest text.trace"},
        {"text.trace", "worms text.trace"},
        {"text.trace", "worms - < text.trace"},
        {"text.trace", "draw -o - text.trace"},
        {"routes.txt", "cdg --routes routes.txt line.yaml"},
        {"swept.csv", "plot -o - --title t swept.csv"},
        {"swept.csv", "plot -o - --title t - < swept.csv"},
        {"swept.csv", "plot -o - --title t /dev/stdin < swept.csv"},
        {"swept.txt", "plot -o - --title t swept.txt"},
        {"worms.csv", "schedule -n 3 -k 2 -f worms.csv"},
        {"starts.csv", "schedule -n 3 -k 2 --check starts.csv"},
        {"order.csv", "schedule -n 3 -k 2 -f worms.csv --order-file order.csv"},
        {"net.dot", "import dot -o - net.dot"},
        {"net.anynet", "import anynet -o - net.anynet"},
    };
    write_file("paths.txt", "# a remark\n0 1\n1 2\n");
    write_file("comma.txt", ",0,1\n1,2\n");
    write_file("net.dot", "graph g { a -- b }\n");
    write_file("net.anynet", "router 0 node 0 router 1\nrouter 1 node 1\n");
    write_file("line.yaml", "network: {topology: mesh, k: 2, n: 1}\n");
    // A list of these lines is refused; the message has the number of the second one.
    write_file("routes.txt", "link 0 switch 0 port 0\nlink 9999 switch 1 port 2\n");
    expect_shell("cp swept.csv swept.txt; $ANNELID run -t text.trace mesh.yaml > told");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[1024];
        if (!is_built(cases[i].command)) continue;
        snprintf(command, sizeof command,
                 "cp %s kept; $ANNELID %s > plain 2> plain.said; one=$?; "
                 "{ printf '\\357\\273\\277'; cat kept; } > %s; "
                 "$ANNELID %s > marked 2> marked.said; two=$?; cp kept %s; "
                 "for f in plain marked; do grep -v '^speed' $f > $f.rest; done; "
                 "test $one = $two && cmp plain.rest marked.rest && cmp plain.said marked.said",
                 cases[i].input, cases[i].command, cases[i].input, cases[i].command,
                 cases[i].input);
        expect_shell(command);
        expect(cases[i].command, strstr(cases[i].command, "line.yaml") ? 2 : 0, NULL, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_input_is_replaced),
        cmocka_unit_test(other_files_are_replaced),
        cmocka_unit_test(one_output_is_standard_output),
        cmocka_unit_test(no_output_replaces_another),
        cmocka_unit_test(a_closed_output_is_no_file),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
    };
    return cmocka_run_group_tests_name("cli_inputs", tests, prepare, remove_directory);
}
