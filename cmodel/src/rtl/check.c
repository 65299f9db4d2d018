// SPDX-License-Identifier: Apache-2.0

#include <annelid/rtl.h>

// The proofs of docs/proofs.md go as far as this.
enum { MOST_TERMINALS = 1 << 20 };

static enum anl_status check_size(const struct anl_config *config, const char *path,
                                  struct anl_error *error)
{
    const uint32_t terminals = anl_shape_of(config).terminals;
    const bool cube = anl_is_k_ary_cube(config->topology);
    if (cube && config->k > ANL_MAX_OTHER_RADIX)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "network.k is %u, which the model has; the RTL expects at most %d",
                        config->k, ANL_MAX_OTHER_RADIX);
    if (terminals <= MOST_TERMINALS) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                    "the network has %u terminals; the RTL expects at most %d", terminals,
                    MOST_TERMINALS);
}

enum anl_status anl_rtl_check(const struct anl_config *config, const char *path,
                              struct anl_error *error)
{
    const struct anl_machine *machine = anl_machine_of(config->kind);
    if (machine->check_rtl) return machine->check_rtl(config, path, error);
    if (config->routing == ANL_VALIANT)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "switch.routing is valiant, which the model has and the RTL has not");
    return check_size(config, path, error);
}
