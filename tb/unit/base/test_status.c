// SPDX-License-Identifier: Apache-2.0
//
// Every status has a text of its own, and a number that is no status has one too; library and
// header are of one version.

#include "unit.h"

#include <annelid/base.h>
#include <string.h>

static void every_status_has_its_own_text(void **state)
{
    (void)state;
    const int last = ANL_ERR_STALLED;
    for (int status = ANL_OK; status >= last; status--) {
        assert_string_not_equal(anl_status_text((enum anl_status)status), "unknown status");
        for (int other = status + 1; other <= ANL_OK; other++)
            assert_string_not_equal(anl_status_text((enum anl_status)status),
                                    anl_status_text((enum anl_status)other));
    }
    assert_string_equal(anl_status_text((enum anl_status)1), "unknown status");
    assert_string_equal(anl_status_text((enum anl_status)(last - 1)), "unknown status");
}

static void the_library_has_the_version_of_its_header(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", ANL_VERSION_NUMBER / 10000,
             ANL_VERSION_NUMBER / 100 % 100, ANL_VERSION_NUMBER % 100);
    assert_string_equal(anl_version(), text);
    assert_string_equal(ANL_VERSION, text);
}

static void a_message_is_one_line_without_control_characters(void **state)
{
    (void)state;
    struct anl_error error;
    assert_int_equal(anl_fail(&error, ANL_ERR_FORMAT, "in", 3, "found '%s', expected \xc3\xbc",
                              "\x1b[31mred\r\nx\x7f"),
                     ANL_ERR_FORMAT);
    assert_string_equal(error.text, "found '?[31mred??x?', expected \xc3\xbc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_own_text),
        cmocka_unit_test(a_message_is_one_line_without_control_characters),
        cmocka_unit_test(the_library_has_the_version_of_its_header)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
