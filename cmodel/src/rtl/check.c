// SPDX-License-Identifier: Apache-2.0

#include <annelid/rtl.h>

enum anl_status anl_rtl_check(const struct anl_config *config, const char *path,
                              struct anl_error *error)
{
    if (config->routing == ANL_VALIANT)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "switch.routing is valiant, which the model has and the RTL has not");
    return ANL_OK;
}
