// SPDX-License-Identifier: Apache-2.0
//
// What programs share: tasks over threads, and CSV with remarks. Tables, child processes and the
// CSV of sweeps are seen through the commands (tb/unit/cli).

#include "unit.h"

#include "common/common.h"

#include <stdlib.h>
#include <string.h>

// --- tasks ---

enum { TASKS = 500 };

struct pad {
    int done[TASKS];
    size_t fails;  // this task and every seventh after it; SIZE_MAX: none
};

static enum anl_status do_task(void *user, size_t task, struct pool_worker *worker,
                               struct anl_error *error)
{
    struct pad *pad = user;
    pad->done[task]++;
    pool_progress(worker, 0.5);
    if (task >= pad->fails && (task - pad->fails) % 7 == 0)
        return anl_fail(error, ANL_ERR_FORMAT, "", 0, "task %zu", task);
    return ANL_OK;
}

static void every_task_is_done_once(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 8; workers *= 2) {
        struct pad pad = {.fails = SIZE_MAX};
        struct anl_error error = {0};
        const struct pool_work work = {"",      "",   TASKS, workers,    NULL,
                                       do_task, &pad, NULL,  POOL_SCALAR};
        assert_int_equal(pool_run(&work, &error), ANL_OK);
        for (int i = 0; i < TASKS; i++)
            assert_int_equal(pad.done[i], 1);
    }
}

static void the_first_error_ends_the_tasks(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 8; workers *= 2) {
        struct pad pad = {.fails = 7};
        struct anl_error error = {0};
        const struct pool_work work = {"",      "",   TASKS, workers,    NULL,
                                       do_task, &pad, NULL,  POOL_SCALAR};
        assert_int_equal(pool_run(&work, &error), ANL_ERR_FORMAT);
        assert_string_equal(error.text, "task 7");
        if (workers == 1) assert_int_equal(pad.done[8], 0);
    }
}

// --- CSV ---

static void remarks_and_empty_lines_are_skipped_if_asked(void **state)
{
    (void)state;
    char text[] = "# remark, with \"\n\r\na,\"b, \"\"c\"\"\",#d\r\n\n# end";
    struct csv csv = {.file = "f", .at = text, .line = 1, .remarks = true};
    struct anl_error error = {0};
    enum anl_status status;
    assert_true(csv_next(&csv, &status, &error));
    assert_int_equal(csv.num_fields, 3);
    assert_int_equal(csv.record_line, 3);
    assert_string_equal(csv.fields[1], "b, \"c\"");
    assert_string_equal(csv.fields[2], "#d");
    assert_false(csv_next(&csv, &status, &error));
    assert_int_equal(status, ANL_OK);

    char plain[] = "\n#x\n";
    csv = (struct csv){.file = "f", .at = plain, .line = 1};
    assert_true(csv_next(&csv, &status, &error) && csv.num_fields == 1 && !*csv.fields[0]);
    assert_true(csv_next(&csv, &status, &error) && strcmp(csv.fields[0], "#x") == 0);
    assert_false(csv_next(&csv, &status, &error));
}

static void remarks_are_read_as_they_were_written(void **state)
{
    (void)state;
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    csv_remark(stream, "one\ntwo\r\n# three\n");
    fputs("a,b\r\n# none\r\n", stream);
    fclose(stream);
    assert_string_equal(text, "# one\r\n# two\r\n# # three\r\na,b\r\n# none\r\n");
    char *remarks = csv_remarks_of(text);
    assert_string_equal(remarks, "one\ntwo\n# three\n");
    free(remarks);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_is_done_once),
        cmocka_unit_test(the_first_error_ends_the_tasks),
        cmocka_unit_test(remarks_and_empty_lines_are_skipped_if_asked),
        cmocka_unit_test(remarks_are_read_as_they_were_written),
    };
    return cmocka_run_group_tests_name("common", tests, NULL, NULL);
}
