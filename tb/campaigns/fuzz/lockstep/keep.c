// SPDX-License-Identifier: Apache-2.0

#include "keep.h"

#include <annelid/base.h>
#include <inttypes.h>

enum { PATH_BYTES = 4096, SETTING_BYTES = 32 };

static bool refuse(const char *path, const struct anl_error *error, enum anl_status status)
{
    fprintf(stderr, "%s: %s\n", path, error->text[0] ? error->text : anl_status_text(status));
    return false;
}

struct text {
    const char *bytes;
    size_t size;
};

static bool write_file(const char *directory, const char *name, struct text text)
{
    struct anl_output output;
    struct anl_error error = {0};
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    enum anl_status status = anl_output_open(path, &output, &error);
    if (status == ANL_OK) {
        fwrite(text.bytes, 1, text.size, output.file);
        status = anl_output_finish(&output, &error);
    }
    return status == ANL_OK || refuse(path, &error, status);
}

// Writes the text of the network's scenario, with the seed of the case.
static bool keep_scenario(const struct trial *trial, const struct test_case *test,
                          const char *directory)
{
    char setting[SETTING_BYTES];
    const char *settings[] = {setting};
    struct anl_scenario scenario;
    struct anl_error error = {0};
    snprintf(setting, sizeof setting, "run.seed=%u", test->seed);
    enum anl_status status = anl_scenario_load_with(trial->path, settings, 1, &scenario, &error);
    if (status != ANL_OK) return refuse(trial->path, &error, status);
    bool kept =
        write_file(directory, "scenario.yaml", (struct text){scenario.text, scenario.text_bytes});
    anl_scenario_free(&scenario);
    return kept;
}

static bool keep_messages(const struct test_case *test, const char *directory)
{
    enum { LINE_BYTES = 64 };
    char text[(CASE_WORMS + 1) * LINE_BYTES];
    struct anl_message messages[CASE_WORMS];
    int size = snprintf(text, sizeof text, "# cycle source destination length\n");
    case_messages(test, messages);
    for (uint32_t i = 0; i < test->count; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, "%" PRIu64 " %u %u %u\n",
                         messages[i].cycle, messages[i].source, messages[i].destination,
                         messages[i].length);
    return write_file(directory, "messages.txt", (struct text){text, (size_t)size});
}

bool keep(const struct trial *trial, const struct test_case *test, const char *directory)
{
    uint8_t bytes[CASE_BYTES];
    size_t size = case_encode(&trial->limits, test, bytes);
    return keep_scenario(trial, test, directory) && keep_messages(test, directory) &&
           write_file(directory, "case", (struct text){(const char *)bytes, size});
}

void tell(const struct trial *trial, const struct test_case *test, FILE *out)
{
    uint8_t bytes[CASE_BYTES];
    struct anl_message messages[CASE_WORMS];
    fprintf(out, "%u worms, %zu bytes, seed %u\n", test->count,
            case_encode(&trial->limits, test, bytes), test->seed);
    case_messages(test, messages);
    for (uint32_t i = 0; i < test->count; i++)
        fprintf(out, "  worm %-2u cycle %3" PRIu64 "  from %2u to %2u  %u flit%s\n", i,
                messages[i].cycle, messages[i].source, messages[i].destination, messages[i].length,
                messages[i].length == 1 ? "" : "s");
}
