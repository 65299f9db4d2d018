// SPDX-License-Identifier: Apache-2.0
//
// Prints what make needs to know of scenarios: for each file a line "file key switches".
// With --rules the flit width is the one that rules mode uses.

#include "identify.h"
#include "key.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool rules = argc > 1 && strcmp(argv[1], "--rules") == 0;
    for (int i = rules ? 2 : 1; i < argc; i++) {
        struct anl_scenario scenario;
        struct anl_error error;
        char key[KEY_BYTES];
        if (anl_scenario_load(argv[i], &scenario, &error) != ANL_OK) {
            fprintf(stderr, "%s:%llu: %s\n", error.file, (unsigned long long)error.line,
                    error.text);
            return 2;
        }
        if (rules) scenario.network.flit_width_bits = identify_width(&scenario.network);
        key_of(&scenario.network, key);
        printf("%s %s %u\n", argv[i], key, anl_shape_of(&scenario.network).switches);
        anl_scenario_free(&scenario);
    }
    return 0;
}
