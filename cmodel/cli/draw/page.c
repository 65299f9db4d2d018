// SPDX-License-Identifier: Apache-2.0
//
// Writes the page: its template with the network, the record and the scripts.

#include "draw.h"

#include <inttypes.h>
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

// Writes [front x, y, step x, y, end x, y, first point of the wire x, y, second point x, y, wire].
static void put_lane(const struct page *page, uint32_t link, uint32_t vc)
{
    const struct anl_lane_shape lane = anl_layout_lane(page->layout, link, vc);
    fprintf(page->out, "[%.1f,%.1f,%.2f,%.2f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,\"", lane.front.x,
            lane.front.y, lane.step.x, lane.step.y, lane.end.x, lane.end.y, lane.wire[0].x,
            lane.wire[0].y, lane.wire[1].x, lane.wire[1].y);
    draw_wire(page->out, &lane);
    fputs("\"]", page->out);
}

static void put_links(const struct page *page)
{
    const struct anl_layout *layout = page->layout;
    const struct anl_shape *shape = &layout->shape;
    fputs(",\n\"lanes\":[", page->out);
    for (uint32_t link = 0; link < shape->links; link++)
        for (uint32_t vc = 0; vc < layout->num_vcs; vc++) {
            if (link || vc) fputc(',', page->out);
            if (layout->paths[link].count)
                put_lane(page, link, vc);
            else
                fputs("null", page->out);
        }
    fputs("],\n\"links\":[", page->out);
    for (uint32_t link = 0; link < shape->links; link++) {
        char name[96];
        anl_link_name(&page->analysed->scenario.network, link, name, sizeof name);
        if (link) fputc(',', page->out);
        put_string(page->out, layout->paths[link].count ? name : "");
    }
    fputs("],\n\"ejection\":[", page->out);
    for (uint32_t t = 0, some = 0; t < shape->terminals; t++)
        for (uint32_t vc = 0; vc < layout->num_vcs; vc++)
            fprintf(page->out, some++ ? ",%" PRIu32 : "%" PRIu32,
                    anl_ejection_link(&page->analysed->scenario.network, t) * layout->num_vcs + vc);
    fputs("]", page->out);
}

static void put_terminals(const struct page *page)
{
    const struct anl_layout *layout = page->layout;
    const struct anl_shape *shape = &layout->shape;
    fputs(",\n\"terminals\":[", page->out);
    for (uint32_t t = 0; t < shape->terminals; t++)
        fprintf(page->out, "%s[%.1f,%.1f]", t ? "," : "", layout->terminals[t].x,
                layout->terminals[t].y);
    fputs("],\n\"gates\":[", page->out);
    for (uint32_t t = 0; t < shape->terminals; t++) {
        const struct anl_lane_shape lane =
            anl_layout_lane(layout, shape->switches * shape->ports + t, layout->num_vcs / 2);
        fprintf(page->out, "%s[%.1f,%.1f]", t ? "," : "", lane.wire[0].x, lane.wire[0].y);
    }
    fputs("]", page->out);
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
    fputs("]}", page->out);
}

static void put_texts(const struct page *page)
{
    const struct draw_record *record = page->record;
    const struct {
        const char *name;
        const struct draw_text *text;
    } texts[] = {{"worms", &record->worms},       {"stalls", &record->stalls},
                 {"contents", &record->contents}, {"alive", &record->alive},
                 {"queues", &record->queues},     {"hidden", &record->hidden}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        fprintf(page->out, ",\n\"%s\":[%s]", texts[i].name, texts[i].text->text);
}

static void put_data(const struct page *page)
{
    FILE *out = page->out;
    const struct anl_layout *layout = page->layout;
    char words[256];
    draw_describe(&page->analysed->scenario.network, words, sizeof words);
    fputs("{\"network\":", out);
    put_string(out, words);
    fprintf(out, ",\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"vcs\":%" PRIu32, page->record->from,
            page->record->from + page->record->cycles - 1, layout->num_vcs);
    fprintf(out,
            ",\"width\":%.1f,\"height\":%.1f,\"lane_pitch\":%.2f,\"slot_length\":%.2f,"
            "\"terminal_height\":%.1f,\"held_width\":%.2f,\"colours\":[",
            layout->width, layout->height, layout->lane_pitch, layout->slot_length,
            layout->terminal_height, layout->wire_pitch * 0.85);
    for (uint32_t i = 0; i < DRAW_COLOURS; i++)
        fprintf(out, "%s\"%s\"", i ? "," : "", draw_colour(i));
    fputs("]", out);
    put_links(page);
    put_terminals(page);
    put_deadlock(page);
    put_texts(page);
    fputs(",\n\"record\":", out);
    put_base64(out, &page->record->steps);
    fputs("}", out);
}

// --- the template ---

static void put_network(const struct page *page)
{
    fprintf(page->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\">\n",
            page->layout->width, page->layout->height);
    draw_style(page->out);
    draw_network(page->out, &page->analysed->scenario.network, page->layout);
    fputs("<g id=\"worms\"></g>\n</svg>", page->out);
}

// Writes the part whose name @NAME@ is at the beginning of text. Returns the length of the name; 0
// if there is none.
static size_t put_part(const struct page *page, const char *text)
{
    static const char *const names[] = {"@TITLE@", "@NETWORK@", "@DATA@", "@SCRIPT@"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(text, names[i], strlen(names[i])) != 0) continue;
        if (i == 0) draw_escaped(page->out, page->request->input);
        if (i == 1) put_network(page);
        if (i == 2) put_data(page);
        if (i == 3) fputs(viewer_js, page->out);
        return strlen(names[i]);
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

static enum anl_status write_page(struct page *page, struct anl_error *error)
{
    struct anl_layout layout = {0};
    enum anl_status status = check(page, error);
    if (!status) status = anl_layout_create(&page->analysed->scenario.network, &layout, error);
    page->layout = &layout;
    if (!status) put_page(page);
    anl_layout_free(&layout);
    return status;
}

static int record_and_write(const struct draw_page_request *request, struct draw_record *record,
                            FILE *out)
{
    struct analyse_options how = request->analyse;
    struct analysed analysed;
    struct anl_error error = {0};
    how.last = request->to;
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
