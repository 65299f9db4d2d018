// SPDX-License-Identifier: Apache-2.0

#include <annelid/rtl.h>

static enum anl_status check_diagonals(const struct anl_config *config, const char *path,
                                       struct anl_error *error)
{
    if (config->n != 2)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "n is %u; the RTL of sliding diagonals expects 2", config->n);
    if (config->diagonals.rounds == ANL_LEAST_ROUNDS)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "switch.rounds is least; the RTL of sliding diagonals expects paper or "
                        "short");
    return ANL_OK;
}

enum anl_status anl_rtl_check(const struct anl_config *config, const char *path,
                              struct anl_error *error)
{
    if (config->kind == ANL_DIAGONALS) return check_diagonals(config, path, error);
    if (config->routing == ANL_VALIANT)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "switch.routing is valiant, which the model has and the RTL has not");
    return ANL_OK;
}
