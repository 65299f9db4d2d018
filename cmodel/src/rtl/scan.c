// SPDX-License-Identifier: Apache-2.0
//
// The parameter Scan of networks and switches: the scan, and the classes of messages with their
// weights, or that links are wide, the cycles of a link, and the stages of a switch (anl_pkg.sv).

#include "rtl.h"

#include <inttypes.h>

enum { WEIGHT_BITS = 8 };

uint64_t anl_rtl_weights(const struct anl_config *config)
{
    uint64_t weights = 0;
    bool all_are_1 = true;
    for (uint32_t c = 0; c < anl_num_classes(config); c++) {
        weights |= (uint64_t)anl_class_weight(config, c) << WEIGHT_BITS * c;
        all_are_1 &= anl_class_weight(config, c) == 1;
    }
    return all_are_1 ? 0 : weights;
}

static void put_order(const struct anl_config *config, FILE *file)
{
    const uint32_t classes = anl_num_classes(config);
    const uint64_t weights = anl_rtl_weights(config);
    if (config->link == ANL_WIDE)
        fprintf(file, "anl_pkg::scan(%d, anl_pkg::WideClasses%s, 64'h0)", (int)config->scan,
                config->space == ANL_CHAINED ? " + anl_pkg::ChainedClasses" : "");
    else if (classes == 1)
        fprintf(file, "%d", (int)config->scan);
    else
        fprintf(file, "anl_pkg::scan(%d, %" PRIu32 ", 64'h%" PRIX64 ")", (int)config->scan, classes,
                weights);
}

void anl_rtl_put_scan(const struct anl_config *config, FILE *file)
{
    const uint32_t cycles = anl_link_cycles(config), stages = anl_stages(config);
    if (stages > 1) fputs("anl_pkg::with_stages(", file);
    if (cycles > 1) fputs("anl_pkg::with_cycles(", file);
    put_order(config, file);
    if (cycles > 1) fprintf(file, ", %" PRIu32 ")", cycles);
    if (stages > 1) fprintf(file, ", %" PRIu32 ")", stages);
}
