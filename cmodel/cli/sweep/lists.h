// SPDX-License-Identifier: Apache-2.0
//
// Lists of loads and of seeds, as they are asked for: docs/sweep.md. Loads are counted in
// billionths, so that steps and halves are the same on every machine.

#ifndef ANNELID_SWEEP_LISTS_H
#define ANNELID_SWEEP_LISTS_H

#include <annelid/base.h>
#include <stddef.h>
#include <stdint.h>

#define SWEEP_LOAD_1 UINT64_C(1000000000)
#define SWEEP_NO_LOAD UINT64_MAX  // of a closed loop

enum { SWEEP_MAX_LIST = 1000000, SWEEP_LOAD_BYTES = 24 };

struct sweep_list {
    uint64_t *values;  // ascending, each once; owned, to be given to free()
    size_t count;
};

// "0.02:0.40:0.02,0.5". ANL_ERR_ARGUMENT with the reason in error->text, ANL_ERR_MEMORY; *list is
// then empty.
enum anl_status sweep_list_loads(const char *text, struct sweep_list *list,
                                 struct anl_error *error);

// "10" is 1 to 10; else "3-7,12".
enum anl_status sweep_list_seeds(const char *text, struct sweep_list *list,
                                 struct anl_error *error);

// count loads up to 0.98 of saturation, the denser the nearer to it; four significant digits.
enum anl_status sweep_list_up_to(double saturation, size_t count, struct sweep_list *list,
                                 struct anl_error *error);

// A load as a decimal number without needless digits; nothing for SWEEP_NO_LOAD.
void sweep_load_text(uint64_t load, char text[SWEEP_LOAD_BYTES]);
// The same as a number; NAN for SWEEP_NO_LOAD.
double sweep_load_number(uint64_t load);

#endif
