// SPDX-License-Identifier: Apache-2.0
//
// Writes the page: its template with the network, the record and the scripts.

#include "draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct page {
    FILE *out;
    const struct draw_page_request *request;
    const struct analysed *analysed;
    const struct anl_layout *layout;
    const struct draw_record *record;
};

// --- text and bytes in JSON ---

// Writes a JSON string that may be within <script>.
static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' || c == 0x7f)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void put_base64(FILE *out, const struct draw_bytes *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    fputc('"', out);
    for (size_t i = 0; i < bytes->count; i += 3) {
        const size_t left = bytes->count - i;
        const uint32_t b = left > 1 ? bytes->at[i + 1] : 0, c = left > 2 ? bytes->at[i + 2] : 0;
        const uint32_t bits = (uint32_t)bytes->at[i] << 16 | b << 8 | c;
        fputc(digits[bits >> 18], out);
        fputc(digits[bits >> 12 & 63], out);
        fputc(left > 1 ? digits[bits >> 6 & 63] : '=', out);
        fputc(left > 2 ? digits[bits & 63] : '=', out);
    }
    fputc('"', out);
}

// --- the data ---

// Writes the elements of a JSON array, with which put() is called in turn.
static void put_array(const struct page *page, const char *name, uint32_t count,
                      void (*put)(const struct page *page, uint32_t i))
{
    fprintf(page->out, ",\n\"%s\":[", name);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) fputc(',', page->out);
        put(page, i);
    }
    fputc(']', page->out);
}

static void put_colour(const struct page *page, uint32_t i)
{
    put_string(page->out, draw_palette(i));
}

// Writes the pieces of a way as strings.
static void put_way(const struct page *page, uint32_t way)
{
    for (enum draw_piece piece = 0; piece < DRAW_PIECES; piece++) {
        fputs(piece ? ",\"" : "[\"", page->out);
        draw_piece(page->out, page->layout, way, piece);
        fputc('"', page->out);
    }
    fputc(']', page->out);
}

// Writes [way, slots, parts as strings] of a buffer, or [] if there is no such link.
static void put_buffer(const struct page *page, uint32_t buffer)
{
    const uint32_t slots = draw_slots(page->layout, buffer);
    fputc('[', page->out);
    if (slots) fprintf(page->out, "%" PRIu32 ",%" PRIu32, draw_way(page->layout, buffer), slots);
    for (enum draw_part part = 0; slots && part < DRAW_PARTS; part++) {
        fputs(",\"", page->out);
        draw_part(page->out, page->layout, buffer, part);
        fputc('"', page->out);
    }
    fputc(']', page->out);
}

static void put_link(const struct page *page, uint32_t link)
{
    char name[96];
    anl_link_name(&page->analysed->scenario.network, link, name, sizeof name);
    put_string(page->out, page->layout->paths[link].count ? name : "");
}

// Writes the first lane of the ejection link of a terminal.
static void put_ejection(const struct page *page, uint32_t terminal)
{
    fprintf(page->out, "%" PRIu32,
            anl_ejection_link(&page->analysed->scenario.network, terminal) * page->layout->num_vcs);
}

static void put_deadlock(const struct page *page)
{
    const struct anl_blocking *blocking = page->analysed->blocking;
    size_t count;
    const uint32_t *circle = anl_blocking_circle(blocking, &count);
    if (count == 0) {
        fputs(",\n\"deadlock\":null", page->out);
        return;
    }
    fprintf(page->out, ",\n\"deadlock\":{\"cycle\":%" PRIu64 ",\"circle\":[",
            anl_blocking_deadlocked(blocking));
    for (size_t i = 0; i < count; i++)
        fprintf(page->out, i ? ",%" PRIu32 : "%" PRIu32, circle[i]);
    fputs("],\"terminals\":[", page->out);
    for (size_t i = 0; i < count; i++)
        fprintf(page->out, i ? ",%d" : "%d", (int)anl_blocking_circle_terminals(blocking)[i]);
    fputs("]}", page->out);
}

static void put_texts(const struct page *page)
{
    static const char *const names[DRAW_TEXTS] = {"worms", "stalls", "contents",
                                                  "alive", "queues", "hidden"};
    for (enum draw_texts text = 0; text < DRAW_TEXTS; text++)
        fprintf(page->out, ",\n\"%s\":[%s]", names[text], page->record->texts[text].text);
}

static void put_data(const struct page *page)
{
    FILE *out = page->out;
    const struct anl_layout *layout = page->layout;
    const struct anl_shape *shape = &layout->shape;
    const struct anl_config *network = &page->analysed->scenario.network;
    char words[256];
    draw_describe(network, words, sizeof words);
    fputs("{\"network\":", out);
    put_string(out, words);
    fprintf(out, ",\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"vcs\":%" PRIu32, page->record->from,
            page->record->from + page->record->cycles - 1, layout->num_vcs);
    fprintf(out, ",\"classes\":%" PRIu32 ",\"wide\":%s,\"refuses\":%s", anl_num_classes(network),
            network->link == ANL_WIDE ? "true" : "false", network->reply_queue ? "true" : "false");
    fprintf(out, ",\"width\":%.1f,\"height\":%.1f", layout->width, layout->height);
    put_array(page, "colours", DRAW_COLOURS, put_colour);
    put_array(page, "ways", DRAW_WAYS, put_way);
    put_array(page, "buffers", anl_blocking_num_buffers(page->analysed->blocking), put_buffer);
    put_array(page, "links", shape->links, put_link);
    put_array(page, "ejection", shape->terminals, put_ejection);
    put_deadlock(page);
    put_texts(page);
    fputs(",\n\"record\":", out);
    put_base64(out, &page->record->steps);
    fputs("}", out);
}

// --- the template ---

// There are two layers, so that the network is not painted again when worms move.
static void put_network(const struct page *page)
{
    const struct anl_layout *layout = page->layout;
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\">\n", page->out);
    draw_network(page->out, &page->analysed->scenario.network, layout);
    fputs("</svg>\n<svg><g id=\"worms\"></g><g id=\"queues\">\n", page->out);
    for (uint32_t t = 0; t < layout->shape.terminals; t++)
        draw_queue(page->out, layout, t, "");
    fputs("</g><g id=\"arrows\"></g></svg>", page->out);
}

static void put_legend(const struct page *page)
{
    for (enum anl_wait wait = 0; wait <= ANL_LOST; wait++)
        if (draw_has_sign(&page->analysed->scenario.network, wait))
            fprintf(page->out, "<p><svg viewBox=\"-7 -7 14 14\"><use href=\"#%s\"/></svg>%s</p>\n",
                    anl_wait_name(wait), draw_sign_words(wait));
}

static void put_title(const struct page *page) { draw_escaped(page->out, page->request->input); }

static void put_command(const struct page *page)
{
    char *command = cli_command_text(page->request->analyse.given);
    draw_escaped(page->out, CLI_PROGRAM ": ");
    draw_escaped(page->out, command ? command : "");
    free(command);
}

static void put_script(const struct page *page) { fputs(viewer_js, page->out); }

// Writes the part whose name @NAME@ is at the beginning of text. Returns the length of the name; 0
// if there is none.
static size_t put_part(const struct page *page, const char *text)
{
    static const struct {
        const char *name;
        void (*put)(const struct page *page);
    } parts[] = {{"@TITLE@", put_title},     {"@NETWORK@", put_network}, {"@LEGEND@", put_legend},
                 {"@COMMAND@", put_command}, {"@DATA@", put_data},       {"@SCRIPT@", put_script}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const size_t length = strlen(parts[i].name);
        if (strncmp(text, parts[i].name, length) != 0) continue;
        parts[i].put(page);
        return length;
    }
    return 0;
}

static void put_page(const struct page *page)
{
    draw_html_begin(page->out, page->request->input, viewer_css);
    for (const char *at = viewer_html; *at;) {
        const size_t part = *at == '@' ? put_part(page, at) : 0;
        if (part == 0) fputc(*at, page->out);
        at += part ? part : 1;
    }
    draw_html_end(page->out);
}

// --- the request ---

static enum anl_status refuse(const struct page *page, struct anl_error *error)
{
    const struct draw_record *record = page->record;
    const uint64_t cycles = draw_record_cycles_that_fit(record);
    const int most = DRAW_RECORD_MOST_BYTES >> 20;
    if (cycles == 0)
        return anl_fail(error, ANL_ERR_ARGUMENT, page->request->analyse.given->inputs[0], 0,
                        "what is in the network in cycle %" PRIu64 " is too much for a page of at "
                        "most %d MiB: --from an earlier cycle makes it smaller, or draw a still "
                        "picture (.svg, --at)",
                        record->from, most);
    return anl_fail(error, ANL_ERR_ARGUMENT, page->request->analyse.given->inputs[0], 0,
                    "too long for a page of at most %d MiB: from cycle %" PRIu64
                    " it can go to about %" PRIu64 " (--to)",
                    most, record->from, record->from + cycles - 1);
}

static enum anl_status check(const struct page *page, struct anl_error *error)
{
    const struct draw_page_request *request = page->request;
    const struct draw_record *record = page->record;
    if (record->status) return anl_fail(error, record->status, "", 0, "out of memory");
    if (record->too_long) return refuse(page, error);
    if (record->cycles > 0) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, request->analyse.given->inputs[0], 0,
                    "there is no cycle %" PRIu64 ", the last one is %" PRIu64, record->from,
                    page->analysed->cycles ? page->analysed->cycles - 1 : 0);
}

// Says where the page ends, if the user asked for more cycles than there are.
static void remark_end(const struct page *page)
{
    const struct draw_page_request *request = page->request;
    if (request->to == UINT64_MAX || request->to < page->analysed->cycles) return;
    fprintf(stderr,
            "annelid: %s: --to %" PRIu64 " is after the last cycle, %" PRIu64
            ": the page ends there\n",
            request->analyse.given->inputs[0], request->to, page->analysed->cycles - 1);
}

static enum anl_status write_page(struct page *page, struct anl_error *error)
{
    struct anl_layout layout = {0};
    enum anl_status status = check(page, error);
    if (!status) status = anl_layout_create(&page->analysed->scenario.network, &layout, error);
    page->layout = &layout;
    if (!status) put_page(page);
    if (!status) remark_end(page);
    anl_layout_free(&layout);
    return status;
}

static int record_and_write(const struct draw_page_request *request, struct draw_record *record,
                            FILE *out)
{
    struct analyse_options how = request->analyse;
    struct analysed analysed;
    struct anl_error error = {0};
    how.first = request->from;
    how.last = request->to;
    how.begin = draw_begin;
    how.listener = (struct anl_blocking_listener){draw_record_stall, draw_record_delivered, record};
    how.cycle = draw_record_cycle;
    how.user = record;
    const int failed = analyse(&how, &analysed);
    if (failed) return failed;
    draw_record_end(record, &analysed);
    struct page page = {.out = out, .request = request, .analysed = &analysed, .record = record};
    const enum anl_status status = write_page(&page, &error);
    analysed_free(&analysed);
    return status ? cli_complain(&error) : CLI_OK;
}

int draw_page(const struct draw_page_request *request, FILE *out)
{
    struct draw_record record;
    int exit_status;
    if (draw_record_open(&record, request->from, request->to)) {
        struct anl_error error = {0};
        anl_fail(&error, ANL_ERR_MEMORY, "", 0, "out of memory");
        exit_status = cli_complain(&error);
    } else {
        exit_status = record_and_write(request, &record, out);
    }
    draw_record_close(&record);
    return exit_status;
}
