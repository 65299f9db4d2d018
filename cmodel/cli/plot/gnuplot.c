// SPDX-License-Identifier: Apache-2.0

#include "cli/shared/drawing.h"
#include "plot.h"

#include <stdlib.h>
#include <string.h>

static const char font[] = "DejaVu Sans";

// --- scripts ---

struct plot_look plot_look(size_t curve)
{
    static const struct plot_look looks[PLOT_LOOKS] = {
        {"#0072b2", 7, 6, 1},   {"#d55e00", 5, 4, 2},   {"#009e73", 9, 8, 4},
        {"#aa4499", 13, 12, 3}, {"#b8860b", 11, 10, 5}, {"#3d9dd9", 7, 6, 2},
        {"#882255", 5, 4, 4},   {"#6b760f", 9, 8, 1},   {"#0072b2", 13, 12, 5},
        {"#d55e00", 9, 8, 3},   {"#009e73", 7, 6, 5},   {"#aa4499", 11, 10, 2},
        {"#b8860b", 5, 4, 1},   {"#3d9dd9", 9, 8, 5},   {"#882255", 11, 10, 1},
        {"#6b760f", 13, 12, 4},
    };
    return looks[curve % PLOT_LOOKS];
}

// Returns the text with characters that XML forbids replaced as by draw_escaped(), but without its
// escapes. The caller frees it with free(); NULL if there is no memory.
static char *in_xml(const char *text)
{
    char *clean = NULL;
    size_t bytes;
    FILE *out = open_memstream(&clean, &bytes);
    if (!out) return NULL;
    draw_escaped(out, text);
    if (fclose(out) != 0) {
        free(clean);
        return NULL;
    }
    char *to = clean;
    for (char *at = clean; *at; at++) {
        const bool code = at[0] == '&' && at[1] == '#';
        *to++ = code ? (char)strtol(at + 2, &at, 10) : *at == '\n' ? ' ' : *at;
    }
    *to = '\0';
    return clean;
}

void plot_quote(FILE *script, const char *text)
{
    char *clean = in_xml(text);
    fputc('\'', script);
    for (const char *at = clean; at && *at; at++) {
        if (*at == '\'') fputc(*at, script);
        fputc(*at, script);
    }
    fputc('\'', script);
    free(clean);
}

void plot_plain(FILE *script, const char *text)
{
    char *clean = in_xml(text);
    for (const char *at = clean; at && *at; at++)
        fputc(strchr("\"'\\<>&", *at) ? ' ' : *at, script);
    free(clean);
}

void plot_begin(FILE *script, int width, const char *title, const char *words)
{
    fprintf(script,
            "set terminal svg size %d,%d noenhanced font '%s,13' background '#ffffff'\n"
            "set encoding utf8\n"
            "set border 3 linewidth 0.8\nset tics nomirror out scale 0.6\n"
            "set grid linetype 1 linewidth 0.6 linecolor '#c9d0d8'\n"
            "set tmargin 3.9\nset rmargin 2.5\n"
            "set style fill solid 0.75 noborder\n"
            "set bars 0.6\n",
            width, PLOT_HEIGHT, font);
    fputs("set label 1 ", script);
    plot_quote(script, title);
    fprintf(script, " at graph 0, screen 0.955 left font '%s:Bold,16'\nset label 2 ", font);
    plot_quote(script, words);
    fprintf(script, " at graph 0, screen 0.905 left font '%s,11' textcolor '#5b6673'\n", font);
}

// --- the SVG that gnuplot writes ---

// Pieces of gnuplot's SVG and what replaces them: fonts are named once for the whole picture, the
// page's colour replaces black, and ids differ from those of other pictures in the page.
static const struct rule {
    const char *from, *to;
    const char *behind;  // follows the picture's name, which follows `to`; NULL: neither does
} rules[] = {
    {" font-size=\"13.00\"", "", NULL},
    {" font-family=\"DejaVu Sans\"", "", NULL},
    {" font-family=\"DejaVu Sans:Bold\"", " font-weight=\"700\"", NULL},
    {"stroke='black' ", "", NULL},
    {" color=\"black\"", "", NULL},
    {"stroke=\"black\"", "stroke=\"currentColor\"", NULL},
    {"fill=\"black\"", "fill=\"currentColor\"", NULL},
    {"rgb(  0,   0,   0)", "currentColor", NULL},
    {"color='#FFFFFF'", "class='paper' color='#ffffff'", NULL},
    {"gnuplot_", "", "-"},
    {"id='gp", "id='", ""},
    {"href='#gp", "href='#", ""},
    {NULL, NULL, NULL},
};

static const char hint[] = "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'";
static const char hint_end[] = "')\" onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>";

static size_t begins(const char *text, const char *with)
{
    const size_t length = strlen(with);
    return strncmp(text, with, length) == 0 ? length : 0;
}

// Returns how many bytes of text there are to the end of the first `end`; 0 if it does not occur.
static size_t up_to(const char *text, const char *end)
{
    const char *at = strstr(text, end);
    return at ? (size_t)(at - text) + strlen(end) : 0;
}

// Returns the length of a useless piece at the beginning of text: an empty group, a title that
// gnuplot made up, a filter; 0 if there is none.
static size_t useless(const char *text)
{
    if (begins(text, "<title>gnuplot_plot_")) return up_to(text, "</title>");
    if (begins(text, "<filter ")) return up_to(text, "</filter>\n");
    if (!begins(text, "<g fill=\"none\"")) return 0;
    const size_t length = up_to(text, ">"), nothing = begins(text + length, "\n</g>\n");
    return nothing ? length + nothing : 0;
}

// Writes the replacement of the beginning of text. Returns how many bytes of text it replaces.
static size_t put_piece(FILE *svg, const char *text, const char *name)
{
    const size_t length = useless(text);
    if (length) return length;
    const char *words = text + begins(text, hint);
    const char *end = words > text ? strstr(words, hint_end) : NULL;
    if (end) {
        fprintf(svg, "<g><title>%.*s</title>", (int)(end - words), words);
        return (size_t)(end - text) + strlen(hint_end);
    }
    const struct rule *rule = rules;
    while (rule->from && !begins(text, rule->from))
        rule++;
    if (rule->from)
        fprintf(svg, "%s%s%s", rule->to, rule->behind ? name : "",
                rule->behind ? rule->behind : "");
    else
        fputc(*text, svg);
    return rule->from ? strlen(rule->from) : 1;
}

static int width_of(const char *raw)
{
    const char *box = strstr(raw, "viewBox=\"0 0 ");
    const int width = box ? atoi(box + strlen("viewBox=\"0 0 ")) : 0;
    return width > 0 ? width : PLOT_WIDTH;
}

static void put_svg(FILE *svg, const char *raw, const struct plot_drawing *drawing)
{
    const int width = width_of(raw);
    fprintf(svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""
            " width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" color=\"#1f2933\" "
            "font-family=\"'%s', 'Segoe UI', Helvetica, Arial, sans-serif\" font-size=\"13\">\n"
            "<title>",
            width, PLOT_HEIGHT, width, PLOT_HEIGHT, font);
    draw_escaped(svg, drawing->title);
    fputs("</title>\n", svg);
    for (const char *at = strstr(raw, "<g id=\"gnuplot_canvas\">"); *at;)
        at += put_piece(svg, at, drawing->name);
}

enum anl_status plot_gnuplot(const struct plot_drawing *drawing, FILE *svg, struct anl_error *error)
{
    char *raw;
    const enum anl_status status = gnuplot_draw(&drawing->gnuplot, &raw, error);
    if (!status) put_svg(svg, raw, drawing);
    free(raw);
    return status;
}
