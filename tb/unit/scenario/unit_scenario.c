// SPDX-License-Identifier: Apache-2.0

#include "unit_scenario.h"

enum anl_status parse(const char *text, struct anl_scenario *scenario, struct anl_error *error)
{
    return anl_scenario_parse(text, strlen(text), "test.yaml", NULL, scenario, error);
}

struct anl_scenario must_parse(const char *text)
{
    struct anl_scenario scenario;
    struct anl_error error = {0};
    if (parse(text, &scenario, &error) != ANL_OK)
        fail_msg("refused: line %" PRIu64 ": %s\n%.1000s", error.line, error.text, text);
    return scenario;
}

static bool is_refused_as_it_should(const struct refused *bad)
{
    struct anl_scenario s;
    struct anl_error error = {0};
    const enum anl_status status = parse(bad->text, &s, &error);
    const bool right = (status == ANL_ERR_FORMAT || status == ANL_ERR_ARGUMENT) &&
                       error.line == bad->line && strcmp(error.file, "test.yaml") == 0 &&
                       strstr(error.text, bad->found) && strstr(error.text, bad->expected);
    if (!right)
        print_error("%sstatus %d, %s:%" PRIu64 ": %s\nexpected line %" PRIu64
                    " with \"%s\", \"%s\"\n\n",
                    bad->text, status, error.file, error.line, error.text, bad->line, bad->found,
                    bad->expected);
    if (!status) anl_scenario_free(&s);
    return right && s.text == NULL && s.graph == NULL && parse(bad->text, &s, NULL) == status;
}

void all_are_refused(const struct refused *refused, size_t count)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += !is_refused_as_it_should(&refused[i]);
    assert_int_equal(wrong, 0);
}

struct folder make_folder(void)
{
    struct folder folder = {.path = "/tmp/annelid-test-XXXXXX"};
    assert_non_null(mkdtemp(folder.path));
    snprintf(folder.scenario, sizeof folder.scenario, "%s/s.yaml", folder.path);
    snprintf(folder.messages, sizeof folder.messages, "%s/it's.txt", folder.path);
    snprintf(folder.graph, sizeof folder.graph, "%s/g.yaml", folder.path);
    snprintf(folder.table, sizeof folder.table, "%s/t.csv", folder.path);
    return folder;
}

void remove_folder(const struct folder *folder)
{
    unlink(folder->scenario);
    unlink(folder->messages);
    unlink(folder->graph);
    unlink(folder->table);
    assert_int_equal(rmdir(folder->path), 0);
}

void write_bytes(const char *path, const char *text, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

void write_file(const char *path, const char *text) { write_bytes(path, text, strlen(text)); }
