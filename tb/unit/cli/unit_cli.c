// SPDX-License-Identifier: Apache-2.0

#include "unit_cli.h"

char directory[64];
char *sanitized_command, *quick_command, *only_command;

// Returns whether a line has a command of annelid, or an option of one, that no earlier line had.
static inline bool has_new_option(const char *line)
{
    static char seen[1 << 14];
    char words[1 << 13], command[32] = "", option[64];
    const char *before = "";
    bool some = false;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " ;"); word; before = word, word = strtok(NULL, " ;")) {
        const bool names = strstr(before, "ANNELID");
        if (names) snprintf(command, sizeof command, "%s", word);
        if (!names && *word != '-') continue;
        snprintf(option, sizeof option, " %s %s ", command, word);
        if (strstr(seen, option)) continue;
        strncat(seen, option, sizeof seen - strlen(seen) - 1);
        some = true;
    }
    return some;
}

// Makes $ANNELID the command that the calls of a line are of.
static void choose_command(const char *line)
{
    static uint32_t calls;
    const bool quick = quick_command && !has_new_option(line) && calls++ % 4;
    setenv("ANNELID", only_command ? only_command : quick ? quick_command : sanitized_command, 1);
}

void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

bool exists(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

bool remains(const char *name)
{
    char pattern[128];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%s*", directory, name);
    const bool some = glob(pattern, 0, NULL, &found) == 0;
    globfree(&found);
    return some;
}

int run(const char *arguments, const char *redirection, char *output, size_t size)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && \"$ANNELID\" %s %s", directory, arguments,
             redirection);
    choose_command(command);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t used = fread(output, 1, size - 1, pipe);
    output[used] = '\0';
    while (fgetc(pipe) != EOF)
        continue;
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

// Does the same, and keeps the first bytes of its standard error, too. They go by a file beside the
// directory.
static int run_both(const char *arguments, char *output, size_t size, char *said, size_t said_size)
{
    char path[sizeof directory + 8], redirection[sizeof path + 4];
    snprintf(path, sizeof path, "%s.said", directory);
    snprintf(redirection, sizeof redirection, "2>%s", path);
    const int status = run(arguments, redirection, output, size);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    said[fread(said, 1, said_size - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    return status;
}

void expect(const char *arguments, int status, const char *on_stdout, const char *on_stderr)
{
    char output[16384], said[16384];
    const int got = run_both(arguments, output, sizeof output, said, sizeof said);
    if (got != status)
        fail_msg("annelid %s: exit status %d, expected %d:\n%s", arguments, got, status, said);
    if (on_stdout && !strstr(output, on_stdout))
        fail_msg("annelid %s: standard output lacks '%s':\n%s", arguments, on_stdout, output);
    if (on_stderr && !strstr(said, on_stderr))
        fail_msg("annelid %s: standard error lacks '%s':\n%s", arguments, on_stderr, said);
}

bool is_built(const char *arguments)
{
    static char help[8192];
    char line[64];
    if (!*help) run("--help", "", help, sizeof help);
    snprintf(line, sizeof line, "\n  %.*s ", (int)strcspn(arguments, " "), arguments);
    return strstr(help, line);
}

int shell(const char *command)
{
    char line[8192];
    snprintf(line, sizeof line, "cd %s && %s", directory, command);
    choose_command(line);
    const int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

void expect_shell(const char *command)
{
    const int status = shell(command);
    if (status) fail_msg("exit status %d of: %s", status, command);
}

void expect_interrupted(const char *arguments, const char *begun)
{
    char command[1024];
    snprintf(command, sizeof command,
             "{ (ulimit -t 600; exec \"$ANNELID\" %s > /dev/null 2> said) & pid=$!; "
             "until [ %s ] || ! kill -0 $pid; do sleep 0.01; done 2> /dev/null; "
             "kill -INT $pid; wait $pid; [ $? = 2 ]; }",
             arguments, begun);
    expect_shell(command);
}

void expect_interrupted_in(const char *program, const char *arguments)
{
    char command[1024], path[4096];
    snprintf(
        command, sizeof command,
        "mkdir slow && printf '#!/bin/sh\\n[ \"$1\" = --version ] || { touch started; exec sleep "
        "600; }\\n' > slow/%s && chmod +x slow/%s",
        program, program);
    expect_shell(command);
    char *before = strdup(getenv("PATH"));
    assert_non_null(before);
    snprintf(path, sizeof path, "%s/slow:%s", directory, before);
    setenv("PATH", path, 1);
    expect_interrupted(arguments, "-e started");
    setenv("PATH", before, 1);
    free(before);
    expect_shell("[ \"$(cat said)\" = 'annelid: interrupted' ]");
}

// Returns a path of a command; NULL if there is none. Lines of the shell name it without quotes, so
// it is a link in a folder beside the directory, and has no blank.
static char *linked(const char *command, const char *ending)
{
    enum { LONGER = 16 };  // by .quick/annelid
    char *path = realpath(command, NULL), *link = malloc(sizeof directory + LONGER);
    bool made = path && link;
    if (made) {
        snprintf(link, sizeof directory + LONGER, "%s.%s", directory, ending);
        made = mkdir(link, 0700) == 0;
        strcat(link, "/annelid");
        made = made && symlink(path, link) == 0;
    }
    free(path);
    return made ? link : NULL;
}

int link_project(void)
{
    char line[2048], here[256];
    if (!getcwd(here, sizeof here)) return -1;
    snprintf(line, sizeof line, "ln -s '%s'/sim '%s'/docs '%s'/papers '%s'/README.md .", here, here,
             here, here);
    return shell(line);
}

void expect_shown(const char *page, unsigned least)
{
    char line[256];
    write_file("shown.py",
               "import os, re, subprocess, sys\n"
               "page, least = sys.argv[1], int(sys.argv[2])\n"
               "shown = re.findall(r'```\\n\\$ (?:build/)?annelid ((?:worms|trace) "
               ".*)\\n((?:.*\\n)*?)```', "
               "open(page).read())\n"
               "assert len(shown) >= least, shown\n"
               "for command, said in shown:\n"
               "  said += '…\\n' * (page == 'README.md')\n"
               "  out = subprocess.run([os.environ['ANNELID']] + command.split(), "
               "stdout=subprocess.PIPE).stdout.decode()\n"
               "  parts = [re.escape(part) for part in said.split('…\\n')]\n"
               "  assert re.fullmatch('(?:.*\\n)+?'.join(parts), out), (page, command)\n");
    snprintf(line, sizeof line, "$PYTHON shown.py %s %u", page, least);
    expect_shell(line);
}

bool make_directory(void)
{
    strcpy(directory, "/tmp/annelid-test-cli-XXXXXX");
    if (!getenv("ANNELID") || !mkdtemp(directory)) return false;
    sanitized_command = linked(getenv("ANNELID"), "run");
    const char *quick = unit_slow_sample() ? getenv("ANNELID_QUICK") : NULL;
    if (quick && !(quick_command = linked(quick, "quick"))) return false;
    setenv("PYTHON", "python3", 0);
    return sanitized_command;
}

int remove_directory(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s %s.run %s.quick", directory, directory, directory);
    return system(command);
}
