// SPDX-License-Identifier: Apache-2.0
//
// Draws one cycle as SVG: title, network, and beside it the delay chain in words.

#include "draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 62, PANEL = 400, LEGEND = 196, LEGEND_ROW = 21, COLUMNS = 56, MOST_ENTRIES = 14 };

// --- text of several lines ---

// Writes text in lines of at most COLUMNS bytes, from y downwards. Returns the y of the next line.
static double put_lines(FILE *out, const char *text, double x, double y)
{
    while (*text) {
        size_t length = strlen(text);
        if (length > COLUMNS) {
            length = COLUMNS;
            while (length > 0 && text[length] != ' ')
                length--;
            if (length == 0) length = strcspn(text, " ");
        }
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        fprintf(out, "<text class=\"line\" x=\"%.1f\" y=\"%.1f\">", x, y);
        draw_escaped(out, line);
        fputs("</text>\n", out);
        y += 15;
        for (text += length; *text == ' ';)
            text++;
    }
    return y;
}

// --- the panel ---

static double put_entry(const struct draw_scene *scene, const struct draw_link *link, double y)
{
    char state[512];
    draw_state_words(scene->blocking, link->worm, link->buffer, state, sizeof state);
    fprintf(scene->out,
            "<rect x=\"0\" y=\"%.1f\" width=\"13\" height=\"13\" rx=\"3\" fill=\"%s\"/>"
            "<text class=\"entry\" x=\"22\" y=\"%.1f\">",
            y - 11, draw_colour(scene->chain, link->worm), y);
    draw_worm_words(scene->out, scene->blocking, link->worm);
    fputs("</text>\n", scene->out);
    return put_lines(scene->out, state, 22, y + 17) + 13;
}

static void put_heading(const struct draw_scene *scene)
{
    const struct draw_chain *chain = scene->chain;
    const char *heading = "Nobody waits";
    if (chain->fault)
        heading = "Fault: flits want one link and are lost";
    else if (chain->deadlock)
        heading = "Deadlock: they wait for each other for ever";
    else if (chain->count > 0)
        heading = "Who waits for whom";
    fprintf(scene->out, "<text class=\"heading%s\" x=\"0\" y=\"0\">%s</text>\n",
            chain->deadlock || chain->fault ? " alarm" : "", heading);
}

static double put_chain(const struct draw_scene *scene)
{
    const struct draw_chain *chain = scene->chain;
    double y = 28;
    put_heading(scene);
    for (size_t i = 0; i < chain->count && i < MOST_ENTRIES; i++)
        y = put_entry(scene, &chain->links[i], y);
    char more[96] = "";
    if (chain->count > MOST_ENTRIES)
        snprintf(more, sizeof more, "… and %zu more", chain->count - MOST_ENTRIES);
    else if (chain->back_to != SIZE_MAX && chain->count > 0)
        snprintf(more, sizeof more, "… which waits for worm %" PRIu32 " again",
                 chain->links[chain->back_to].worm);
    return put_lines(scene->out, more, 22, y) + 20;
}

static void put_sign_words(FILE *out, enum anl_wait wait, int row)
{
    fprintf(out,
            "<use href=\"#%s\" transform=\"translate(7 %d) scale(1.1)\"/>"
            "<text class=\"line\" x=\"22\" y=\"%d\">%s</text>\n",
            anl_wait_name(wait), 1 + 21 * row, 5 + 21 * row, draw_sign_words(wait));
}

// Writes the legend of what only worms with buffers do: they wait.
static void put_waiting_legend(FILE *out)
{
    fputs("<path d=\"M0 148H12\" class=\"wait\" marker-end=\"url(#point)\"/>"
          "<text class=\"line\" x=\"22\" y=\"152\">waits for</text>\n"
          "<rect class=\"terminal\" x=\"-1\" y=\"162\" width=\"17\" height=\"14\" rx=\"7\"/>"
          "<text class=\"queue\" x=\"7.5\" y=\"172\">3</text>"
          "<text class=\"line\" x=\"22\" y=\"173\">worms in the source queue of a terminal"
          "</text>\n",
          out);
}

static void put_legend(FILE *out, double y, const struct anl_config *config)
{
    int rows = 0;
    fprintf(out, "<g transform=\"translate(0 %.1f)\">\n<path class=\"rule\" d=\"M0 0H%d\"/>\n", y,
            PANEL - 24);
    fputs("<g transform=\"translate(0 21)\">\n", out);
    for (enum anl_wait wait = 0; wait <= ANL_LOST; wait++)
        if (draw_has_sign(config, wait)) put_sign_words(out, wait, rows++);
    fprintf(out, "</g>\n<g transform=\"translate(0 %d)\">\n", 21 * rows - 84);
    fputs("<path d=\"M0 101h14v10h-14Z\" fill=\"#4d5b6b\"/>"
          "<path class=\"head\" d=\"M11 106L4 102V110Z\"/>"
          "<text class=\"line\" x=\"22\" y=\"110\">head of a worm, a flit in its slot</text>\n"
          "<path d=\"M0 127H14\" class=\"held\" color=\"#4d5b6b\"/>"
          "<text class=\"line\" x=\"22\" y=\"131\">lane held by a worm whose tail is still to come"
          "</text>\n",
          out);
    if (!anl_has(config, ANL_TRAIT_LOSES)) put_waiting_legend(out);
    fputs("</g>\n</g>\n", out);
}

static double panel_height(const struct draw_scene *scene)
{
    char *scratch = NULL;
    size_t bytes;
    struct draw_scene measured = *scene;
    measured.out = open_memstream(&scratch, &bytes);
    if (!measured.out) return 0;
    const double more = draw_has_sign(scene->config, ANL_REFUSED) ? LEGEND_ROW : 0;
    const double height = put_chain(&measured) + LEGEND + more;
    fclose(measured.out);
    free(scratch);
    return height;
}

// --- the whole ---

static void put_header(FILE *out, const struct draw_request *request,
                       const struct draw_scene *scene)
{
    char words[256];
    const uint64_t deadlocked = anl_blocking_deadlocked(scene->blocking);
    const uint64_t cycle = anl_blocking_cycle(scene->blocking);
    draw_describe(scene->config, words, sizeof words);
    fputs("<text class=\"title\" x=\"20\" y=\"30\">", out);
    draw_escaped(out, request->input);
    fprintf(out, ", cycle %" PRIu64, cycle);
    if (deadlocked <= cycle)
        fprintf(out, " <tspan class=\"alarm\">deadlocked since cycle %" PRIu64 "</tspan>",
                deadlocked);
    fputs("</text>\n<text class=\"line\" x=\"20\" y=\"49\">", out);
    draw_escaped(out, words);
    fputs("</text>\n", out);
}

// Returns the scale of title and panel. They grow with the network, so that they can be read when
// the whole picture is on the screen.
static double zoom_of(const struct anl_layout *layout)
{
    return fmax(1, fmin(3, fmax(layout->height, layout->width) / 1500));
}

static void put_picture(const struct draw_request *request, const struct draw_scene *scene)
{
    FILE *out = scene->out;
    const struct anl_layout *layout = scene->layout;
    const double zoom = zoom_of(layout), top = HEADER * zoom;
    const double width = layout->width + PANEL * zoom;
    const double height = fmax(layout->height, (panel_height(scene) + 24) * zoom) + top;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\">\n",
            width, height, width, height);
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", out);
    fprintf(out, "<g transform=\"scale(%.2f)\">\n", zoom);
    put_header(out, request, scene);
    fprintf(out, "</g>\n<g transform=\"translate(0 %.0f)\">\n", top);
    draw_network(out, scene->config, layout);
    draw_bodies(scene);
    draw_refusals(scene);
    draw_queues(scene);
    draw_arrows(scene);
    fprintf(out, "</g>\n<g transform=\"translate(%.0f %.0f) scale(%.2f)\">\n",
            layout->width + 8 * zoom, top + 24 * zoom, zoom);
    put_legend(out, put_chain(scene), scene->config);
    fputs("</g>\n</svg>\n", out);
}

enum anl_status draw_svg(FILE *out, const struct draw_request *request,
                         const struct analysed *analysed, const struct anl_layout *layout,
                         struct anl_error *error)
{
    struct draw_chain chain;
    struct draw_scene scene = {.out = out,
                               .blocking = analysed->blocking,
                               .config = &analysed->scenario.network,
                               .layout = layout,
                               .chain = &chain};
    enum anl_status status = draw_chain_of(analysed->blocking, request->worm, &chain);
    if (!status) status = draw_scene_open(&scene);
    if (!status) put_picture(request, &scene);
    draw_scene_close(&scene);
    draw_chain_free(&chain);
    return cli_fail(status, error);
}
