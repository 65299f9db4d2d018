// SPDX-License-Identifier: Apache-2.0
//
// The picture of a schedule: the mesh with the start of each worm at its source, from light (early)
// to dark (late).

#include "starts.h"

#include "cli/shared/drawing.h"

#include <annelid/schedule.h>
#include <inttypes.h>

enum { SIDE = 640, TOP = 84, EDGE = 24, BAR = 14, MOST_NUMBERS = 24 };

// Returns the colour of a start, as one byte each of red, green and blue.
static uint32_t colour(uint32_t start, uint32_t largest)
{
    static const double light[] = {236, 242, 250}, dark[] = {20, 52, 110};
    const double part = largest > 1 ? (double)(start - 1) / (largest - 1) : 0;
    uint32_t bytes = 0;
    for (int i = 0; i < 3; i++)
        bytes = bytes << 8 | (uint32_t)(light[i] + part * (dark[i] - light[i]));
    return bytes;
}

static void draw_cell(FILE *out, const struct starts *starts, uint32_t node, uint32_t largest)
{
    const uint32_t n = starts->permutation.n, to = starts->permutation.destinations[node];
    const double cell = (double)SIDE / n, x = EDGE + node % n * cell, y = TOP + node / n * cell;
    const bool moves = to != ANL_NO_NODE && to != node;
    const uint32_t start = starts->starts[node];
    fprintf(out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06" PRIx32
            "\" stroke=\"#ffffff\" stroke-width=\"%.2f\"><title>",
            x, y, cell, cell, moves ? colour(start, largest) : 0xf3f3f3, cell > 8 ? 1.0 : 0.0);
    fprintf(out, "(%" PRIu32 ",%" PRIu32 ")", node / n, node % n);
    if (moves) fprintf(out, " to (%" PRIu32 ",%" PRIu32 "), start %" PRIu32, to / n, to % n, start);
    fputs("</title></rect>\n", out);
    if (!moves || n > MOST_NUMBERS) return;
    const char *ink = 2 * start > largest ? "#ffffff" : "#1f2933";
    fprintf(out,
            "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" text-anchor=\"middle\" fill=\"%s\">"
            "%" PRIu32 "</text>\n",
            x + cell / 2, y + cell / 2 + cell / 8, cell / 3, ink, start);
}

static void draw_scale(FILE *out, uint32_t largest)
{
    enum { PARTS = 32 };
    const double y = TOP + SIDE + 16, part = 240.0 / PARTS;
    for (uint32_t i = 0; i < PARTS; i++)
        fprintf(
            out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\" fill=\"#%06" PRIx32 "\"/>\n",
            EDGE + i * part, y, part + 0.5, BAR, colour(1 + i * (largest - 1) / PARTS, largest));
    fprintf(out,
            "<text class=\"line\" x=\"%.0f\" y=\"%.0f\">start 1 to %" PRIu32
            "; grey: no worm, or one that stays</text>\n",
            EDGE + 250.0, y + 11, largest);
}

enum anl_status starts_draw(const char *path, const struct starts *starts,
                            const struct anl_schedule *schedule, struct anl_error *error)
{
    const uint32_t n = starts->permutation.n, width = SIDE + 2 * EDGE, height = TOP + SIDE + 48;
    const uint32_t largest = schedule->largest ? schedule->largest : 1;
    struct anl_output output;
    const enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    fprintf(output.file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu32 "\" height=\"%" PRIu32
            "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32 "\">\n",
            width, height, width, height);
    draw_style(output.file);
    fprintf(output.file,
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
            "<text class=\"title\" x=\"%d\" y=\"34\">Starts on a mesh of %" PRIu32 " × %" PRIu32
            ", worms of %" PRIu32 " flits</text>\n<text class=\"line\" x=\"%d\" y=\"58\">%" PRIu32
            " worms use links, the last flit crosses its last link in step %" PRIu32 "</text>\n",
            EDGE, n, n, starts->k, EDGE, schedule->worms, schedule->makespan);
    for (uint32_t node = 0; node < n * n; node++)
        draw_cell(output.file, starts, node, largest);
    draw_scale(output.file, largest);
    fputs("</svg>\n", output.file);
    return anl_output_finish(&output, error);
}
