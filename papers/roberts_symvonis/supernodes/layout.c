// SPDX-License-Identifier: Apache-2.0
//
// Writes the layout of a supernode as a package of the RTL: layout F K

#include "papers/roberts_symvonis/program/snakes.h"

#include <stdlib.h>

int main(int count, char **words)
{
    struct layout layout;
    struct anl_error error = {0};
    if (count != 3) {
        fputs("usage: layout F K\n", stderr);
        return 2;
    }
    const uint32_t f = (uint32_t)strtoul(words[1], NULL, 10);
    enum anl_status status =
        layout_create(f, (uint32_t)strtoul(words[2], NULL, 10), &layout, &error);
    if (!status) {
        status = layout_inspect(&layout, &error);
        if (!status) status = layout_emit(&layout, stdout, &error);
        layout_free(&layout);
    }
    if (status) fprintf(stderr, "%s\n", error.text);
    return status ? 2 : 0;
}
