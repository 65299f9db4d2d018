// SPDX-License-Identifier: Apache-2.0
//
// Files of annelid/base.h that appear whole or not at all, and the lines of files that are read.

#include "unit.h"

#include <annelid/base.h>
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[] = "/tmp/test_output.XXXXXX";
static char path[sizeof directory + 16];

static int prepare(void **state)
{
    (void)state;
    if (!mkdtemp(directory)) return -1;
    snprintf(path, sizeof path, "%s/file", directory);
    return 0;
}

static int clear(void **state)
{
    (void)state;
    return rmdir(directory);  // fails if a file is left in it
}

static size_t files(void)
{
    char pattern[sizeof directory + 4];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*", directory);
    const size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

static void expect_content(const char *text)
{
    char seen[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    seen[fread(seen, 1, sizeof seen - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(seen, text);
}

static void open_output(struct anl_output *output)
{
    struct anl_error error = {0};
    assert_int_equal(anl_output_open(path, output, &error), ANL_OK);
}

static void a_file_appears_when_it_is_whole(void **state)
{
    (void)state;
    struct anl_output output;
    struct stat there;
    const mode_t mask = umask(027);
    open_output(&output);
    umask(mask);
    fputs("whole", output.file);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(anl_output_finish(&output, NULL), ANL_OK);
    expect_content("whole");
    assert_null(output.file);
    assert_true(stat(path, &there) == 0 && (there.st_mode & 0777) == 0640);
    open_output(&output);
    fputs("half", output.file);
    anl_output_abandon(&output);
    anl_output_abandon(&output);
    expect_content("whole");
    assert_int_equal(files(), 1);
    unlink(path);
}

static void two_do_not_meet(void **state)
{
    (void)state;
    struct anl_output one, other, third;
    open_output(&one);
    open_output(&other);
    open_output(&third);
    assert_int_equal(files(), 3);
    fputs("one", one.file);
    fputs("other", other.file);
    assert_int_equal(anl_output_finish(&other, NULL), ANL_OK);
    expect_content("other");
    anl_output_abandon(&third);
    assert_int_equal(anl_output_finish(&one, NULL), ANL_OK);
    expect_content("one");
    assert_int_equal(files(), 1);
    unlink(path);
}

// Ends the process as a handler of signals does.
static void end(int signal_number)
{
    (void)signal_number;
    anl_output_remove_all();
    _exit(0);
}

static void expect_end(pid_t child)
{
    int status;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

// What is open then is taken away, and nothing that is in its place already.
static void all_can_be_removed(void **state)
{
    (void)state;
    struct anl_output one, other, done;
    const pid_t child = fork();
    if (child == 0) {
        open_output(&one);
        open_output(&done);
        open_output(&other);
        if (anl_output_finish(&done, NULL) || files() != 3) _exit(1);
        end(0);
    }
    expect_end(child);
    assert_int_equal(files(), 1);
    assert_int_equal(access(path, F_OK), 0);
    unlink(path);
}

static void open_and_abandon(void)
{
    struct anl_output output;
    signal(SIGINT, end);
    for (;;) {
        open_output(&output);
        anl_output_abandon(&output);
    }
}

// Whenever a signal comes: between the making of a file and the noting of its name, too.
static void nothing_is_left_by_a_signal(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        const pid_t child = fork();
        if (child == 0) open_and_abandon();
        while (!files() && waitpid(child, NULL, WNOHANG) == 0)
            continue;
        usleep((useconds_t)(i % 50));
        kill(child, SIGINT);
        expect_end(child);
        assert_int_equal(files(), 0);
    }
}

static void what_must_stay_stays(void **state)
{
    (void)state;
    struct anl_output output;
    struct anl_error error = {0};
    assert_int_equal(anl_output_open(directory, &output, &error), ANL_ERR_IO);
    assert_string_equal(error.text, "cannot write: not an ordinary file");
    open_output(&output);
    assert_int_equal(anl_output_finish(&output, NULL), ANL_OK);
    unlink(path);
}

// A link stays, and what it leads to is replaced; one that leads nowhere is refused.
static void a_link_stays(void **state)
{
    (void)state;
    struct anl_output output;
    struct anl_error error = {0};
    struct stat there;
    char target[sizeof path + sizeof ".target"];
    snprintf(target, sizeof target, "%s.target", path);
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(anl_output_open(path, &output, &error), ANL_ERR_IO);
    assert_string_equal(error.file, path);
    assert_int_equal(files(), 1);
    fclose(fopen(target, "w"));
    open_output(&output);
    fputs("whole", output.file);
    assert_int_equal(anl_output_finish(&output, &error), ANL_OK);
    expect_content("whole");
    assert_true(lstat(path, &there) == 0 && S_ISLNK(there.st_mode));
    assert_int_equal(files(), 2);
    unlink(target);
    unlink(path);
}

static void expect_input(enum anl_status status, const struct anl_output *output,
                         const struct anl_error *error)
{
    assert_int_equal(status, ANL_ERR_IO);
    assert_string_equal(error->text, "cannot write: it is the input");
    assert_null(output->file);
    assert_int_equal(files(), 1);
    expect_content("read");
    unlink(path);
}

// As long as the file is open, no other file has its number.
static FILE *make_input(void)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("read", file) >= 0 && fflush(file) == 0);
    return file;
}

static void read_input(void)
{
    FILE *file = anl_input_open(path);
    assert_non_null(file);
    fclose(file);
}

// With few bytes the limit is met only when the file is closed, with many long before.
static void a_full_disk_is_reported(void **state)
{
    (void)state;
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_IGN);
    for (int bytes = 100; bytes <= 1000000; bytes *= 100) {
        struct anl_output output;
        struct anl_error error = {0};
        small = (struct rlimit){30, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        open_output(&output);
        for (int i = 0; i < bytes; i++)
            fputc('.', output.file);
        if (bytes > 100) fflush(output.file);  // nothing is left to write when it is closed
        const enum anl_status status = anl_output_finish(&output, &error);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_int_equal(status, ANL_ERR_IO);
        assert_string_equal(error.file, path);
        assert_non_null(strstr(error.text, strerror(EFBIG)));
        assert_int_equal(files(), 0);
    }
}

// It is the last test, because nothing ends the protection.
static void inputs_are_protected_on_demand(void **state)
{
    (void)state;
    struct anl_output output;
    struct anl_error error = {0};
    fclose(make_input());
    read_input();
    open_output(&output);
    fputs("new", output.file);
    assert_int_equal(anl_output_finish(&output, &error), ANL_OK);
    expect_content("new");
    FILE *named = make_input();
    assert_int_equal(anl_input_protect((char *[]){path}, 1), ANL_OK);
    expect_input(anl_output_open(path, &output, &error), &output, &error);
    FILE *opened = make_input();
    read_input();
    expect_input(anl_output_open(path, &output, &error), &output, &error);
    FILE *later = make_input();
    open_output(&output);
    read_input();
    expect_input(anl_output_finish(&output, &error), &output, &error);
    fclose(named);
    fclose(opened);
    fclose(later);
}

static void ends_of_lines_become_one_kind(void **state)
{
    (void)state;
    char text[] = "a\r\nb\rc\n\r", none[] = "a\nb", last[] = "a\r";
    assert_int_equal(anl_unify_line_ends(text, strlen(text)), 7);
    assert_memory_equal(text, "a\nb\nc\n\n\0", 9);
    assert_int_equal(anl_unify_line_ends(none, strlen(none)), 3);
    assert_string_equal(none, "a\nb");
    assert_int_equal(anl_unify_line_ends(last, 2), 2);
    assert_string_equal(last, "a\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_lines_become_one_kind),
        cmocka_unit_test(a_file_appears_when_it_is_whole),
        cmocka_unit_test(two_do_not_meet),
        cmocka_unit_test(all_can_be_removed),
        cmocka_unit_test(nothing_is_left_by_a_signal),
        cmocka_unit_test(what_must_stay_stays),
        cmocka_unit_test(a_link_stays),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(inputs_are_protected_on_demand),
    };
    return cmocka_run_group_tests_name("output", tests, prepare, clear);
}
