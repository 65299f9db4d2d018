// SPDX-License-Identifier: Apache-2.0
//
// The phases of a batch as a strip of pictures. What is drawn are the registers of the machine;
// only labels have positions of their own.

#include "film.h"

#include <inttypes.h>
#include <string.h>

enum { NODES = FILM_SIDE * FILM_SIDE, REGISTERS = 4 * NODES };
enum {
    UNIT = 15,
    PICTURE = FILM_SIDE * UNIT,
    GAP = 26,
    LEFT = 22,
    TOP = 66,
    CAPTION = 76,
    COLUMNS = 4
};

struct frame {
    uint64_t step;
    const char *title, *words[3];
    int32_t slid;  // steps that the diagonals have slid; -1: worms are on none
};

enum { FRAMES = 8 };

static void frames_of(const struct anl_diagonals_config *config, struct frame *frames)
{
    const struct times times = film_times(config);
    const struct frame all[FRAMES] = {
        {2,
         "Distribution begins",
         {"Worms leave their terminals to the left,", "and turn at the first turn node that is",
          "free, to stand in a slot."},
         0},
        {times.inside - 1,
         "Distribution ends",
         {"All stand in slots, two steps behind their", "turn nodes. The slots are on diagonals",
          "(dotted)."},
         0},
        {times.inside + 6,
         "Phase 1a",
         {"The diagonals slide to the right. A worm", "turns up in a column of the block of its",
          "destination, if none comes up there."},
         6},
        {times.reorder - 1,
         "Phase 1b ends",
         {"All have turned: in 1a in their block, in", "1b anywhere. Each of the two phases goes",
          "once around the torus."},
         -1},
        {times.search,
         "Reorder ends",
         {"All have gone c columns to the left. The", "column of each destination is to the",
          "right, less than 2 c columns away."},
         -1},
        {times.search + times.forward - 1,
         "Phase 2, first round",
         {"Worms go right. One that comes to its own", "column takes it, up to the top of its row",
          "block, and down again."},
         -1},
        {times.delivery - 1,
         "Phase 2 ends",
         {"62 worms stand in reservoirs: queues on", "the links down their columns. Two found",
          "theirs full, and left at its top."},
         -1},
        {times.delivery + 4,
         "Delivery",
         {"All queues go down. A head leaves the", "network in the row of its destination, and",
          "its worm follows."},
         -1},
    };
    memcpy(frames, all, sizeof all);
}

struct strip {
    FILE *out;
    struct frame frames[FRAMES];
};

static void put_diagonals(FILE *out, const struct anl_diagonals_config *config, int32_t slid)
{
    const uint32_t apart = config->b * config->length;
    fputs("<g stroke=\"#8a94a0\" stroke-width=\"1\" stroke-dasharray=\"1.5 3.5\">", out);
    for (uint32_t sum = (uint32_t)slid % apart; sum < 2 * FILM_SIDE; sum += apart)
        fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\"/>", (sum + 1.0) * UNIT, PICTURE + 0.0,
                (sum + 1.0 - FILM_SIDE) * UNIT, 0.0);
    fputs("</g>\n", out);
}

static void put_ground(FILE *out, const struct anl_diagonals_config *config)
{
    const uint32_t column = config->c * UNIT, row = config->c * config->length * UNIT;
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>", out);
    for (uint32_t x = 0; x < PICTURE; x += 2 * column)
        fprintf(out,
                "<rect x=\"%" PRIu32 "\" width=\"%" PRIu32 "\" height=\"%d\" fill=\"#f1f4f8\"/>", x,
                column, PICTURE);
    for (uint32_t y = row; y < PICTURE; y += row)
        fprintf(out, "<path d=\"M0 %" PRIu32 "H%d\" stroke=\"#aeb8c4\"/>", PICTURE - y, PICTURE);
    fputs("<g fill=\"#c9d1da\">", out);
    for (uint32_t node = 0; node < NODES; node++)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1\"/>", (node % FILM_SIDE + 0.5) * UNIT,
                PICTURE - (node / FILM_SIDE + 0.5) * UNIT);
    fputs("</g>\n", out);
}

static const char *const colours[] = {"#0072b2", "#d98200", "#009e73", "#8e44ad"};

// Draws a flit along the link at whose end it stands, a little to the right of the middle.
static void put_flit(FILE *out, const struct film *film, uint32_t register_, bool halo)
{
    static const double ways[4][2] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1}};
    const struct anl_diagonals_register *flit = &film->at[register_];
    const uint32_t node = register_ / 4, side = register_ % 4;
    const double dx = ways[side][0], dy = ways[side][1];
    const double x = (node % FILM_SIDE + 0.5) * UNIT - 2.6 * dy;
    const double y = PICTURE - (node / FILM_SIDE + 0.5) * UNIT + 2.6 * dx;
    const bool head = flit->index == 0, stands = film->stands[register_];
    if (halo) {
        fprintf(out,
                "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#ff3b30\" stroke-opacity=\"0.45\" "
                "stroke-width=\"10\" stroke-linecap=\"round\"/>",
                x - UNIT * dx, y - UNIT * dy, x, y);
        return;
    }
    fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"%s\"/>",
            x - UNIT * dx, y - UNIT * dy, x, y, colours[side], stands ? "4.2" : "2.4");
    if (head && stands)
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"6.4\" height=\"6.4\" fill=\"%s\"/>",
                x - 3.2, y - 3.2, colours[side]);
    else if (head)
        fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\" fill=\"%s\"/>", x + 4 * dx,
                y + 4 * dy, x - 4 * dx - 4 * dy, y - 4 * dy + 4 * dx, x - 4 * dx + 4 * dy,
                y - 4 * dy - 4 * dx, colours[side]);
}

static void put_flits(FILE *out, const struct film *film)
{
    for (int halo = 1; halo >= 0; halo--)
        for (uint32_t i = 0; i < REGISTERS; i++)
            if (film->at[i].valid && (!halo || film->at[i].worm == film->followed))
                put_flit(out, film, i, halo);
    const uint32_t to = film->worms[film->followed].destination;
    fprintf(out,
            "\n<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6.5\" fill=\"none\" stroke=\"#ff3b30\" "
            "stroke-width=\"2\"/>\n",
            (to % FILM_SIDE + 0.5) * UNIT, PICTURE - (to / FILM_SIDE + 0.5) * UNIT);
}

static void put_frame(struct strip *strip, const struct film *film, uint32_t number)
{
    const struct frame *frame = &strip->frames[number];
    const uint32_t x = LEFT + number % COLUMNS * (PICTURE + GAP);
    const uint32_t y = TOP + number / COLUMNS * (PICTURE + CAPTION + GAP);
    FILE *out = strip->out;
    fprintf(out,
            "<svg x=\"%" PRIu32 "\" y=\"%" PRIu32
            "\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
            x, y, PICTURE, PICTURE, PICTURE, PICTURE);
    put_ground(out, &film->config);
    if (frame->slid >= 0) put_diagonals(out, &film->config, frame->slid);
    put_flits(out, film);
    fprintf(out,
            "</svg>\n<rect x=\"%" PRIu32 "\" y=\"%" PRIu32
            "\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#8a94a0\"/>\n"
            "<text x=\"%" PRIu32 "\" y=\"%" PRIu32
            "\" font-size=\"13\" font-weight=\"700\">%" PRIu32 " %s"
            "<tspan font-weight=\"400\" fill=\"#5b6673\" dx=\"9\">step %" PRIu64
            "</tspan></text>\n",
            x, y, PICTURE, PICTURE, x, y + PICTURE + 19, number + 1, frame->title, frame->step);
    for (uint32_t line = 0; line < 3; line++)
        fprintf(out, "<text x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" font-size=\"11.5\">%s</text>\n", x,
                y + PICTURE + 36 + 15 * line, frame->words[line]);
}

static void show_frame(void *user, const struct film *film, uint64_t step)
{
    struct strip *strip = user;
    for (uint32_t i = 0; i < FRAMES; i++)
        if (strip->frames[i].step == step) put_frame(strip, film, i);
}

static void put_words(FILE *out, uint32_t x, const char *words)
{
    fprintf(out, "<text x=\"%" PRIu32 "\" y=\"50\" font-size=\"12\">%s</text>\n", x, words);
}

static void put_title(FILE *out, uint32_t width, uint32_t height)
{
    static const char *const names[] = {"right", "left", "up", "down"};
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu32 "\" height=\"%" PRIu32
            "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32
            "\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" fill=\"#1f2933\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
            "<text x=\"%d\" y=\"26\" font-size=\"17\" font-weight=\"700\">A batch of 64 worms of "
            "two flits on a torus of 16 × 16 nodes that hold nothing</text>\n",
            width, height, width, height, LEFT);
    for (uint32_t i = 0; i < 4; i++)
        fprintf(out,
                "<path d=\"M%" PRIu32 " 46h22\" stroke=\"%s\" stroke-width=\"3\"/>"
                "<text x=\"%" PRIu32 "\" y=\"50\" font-size=\"12\">%s</text>\n",
                LEFT + 86 * i, colours[i], LEFT + 28 + 86 * i, names[i]);
    put_words(out, LEFT + 360, "thick, with a square head: stands");
    put_words(out, LEFT + 590, "red: one worm, and where it goes");
    put_words(out, LEFT + 810, "stripes: column blocks; lines: row blocks");
}

enum anl_status film_strip(FILE *out, struct anl_error *error)
{
    struct strip strip = {.out = out};
    const struct anl_diagonals_config config = film_config();
    const uint32_t rows = FRAMES / COLUMNS;
    frames_of(&config, strip.frames);
    put_title(out, 2 * LEFT + COLUMNS * PICTURE + (COLUMNS - 1) * GAP,
              TOP + rows * (PICTURE + CAPTION) + (rows - 1) * GAP + 10);
    const enum anl_status status = film_play(show_frame, &strip, error);
    fputs("</svg>\n", out);
    return status;
}
