// SPDX-License-Identifier: Apache-2.0
//
// Every status has a text of its own, and a number that is no status has one too.

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_status_has_its_own_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
