// SPDX-License-Identifier: Apache-2.0
//
// A batch step by step: a page with a slider, which needs nothing but a browser.

#include "film.h"

#include <inttypes.h>

enum { REGISTERS = 4 * FILM_SIDE * FILM_SIDE };

struct page {
    FILE *out;
    struct anl_diagonals_worm worms[FILM_SIDE * FILM_SIDE];
    uint32_t followed;
};

// Two numbers for each flit: its register; its worm, its index and whether it stands.
static void put_step(void *user, const struct film *film, uint64_t step)
{
    struct page *page = user;
    bool more = false;
    fprintf(page->out, "%s[", step ? ",\n" : "");
    for (uint32_t i = 0; i < REGISTERS; i++) {
        const struct anl_diagonals_register *flit = &film->at[i];
        if (!flit->valid) continue;
        fprintf(page->out, "%s%" PRIu32 ",%" PRIu32, more ? "," : "", i,
                flit->worm << 2 | flit->index << 1 | film->stands[i]);
        more = true;
    }
    fputs("]", page->out);
    page->followed = film->followed;
    for (uint32_t i = 0; i < FILM_SIDE * FILM_SIDE; i++)
        page->worms[i] = film->worms[i];
}

static void put_worms(const struct page *page)
{
    fputs("],\n\"worms\":[", page->out);
    for (uint32_t i = 0; i < FILM_SIDE * FILM_SIDE; i++) {
        const struct anl_diagonals_worm *worm = &page->worms[i];
        fprintf(page->out, "%s[%" PRIu32 ",%" PRIu32 ",\"%s", i ? ",\n" : "", worm->source,
                worm->destination, anl_diagonals_state_name(worm->state));
        if (worm->state > ANL_DIAGONALS_ON_LINKS)
            fprintf(page->out, " in step %" PRIu64, worm->cycle);
        fputs("\"]", page->out);
    }
}

static void put_phases(FILE *out, const struct times *times)
{
    fprintf(out,
            "],\n\"phases\":[[0,\"distribution\"],[%" PRIu64 ",\"phase 1a\"],[%" PRIu64
            ",\"phase 1b\"],[%" PRIu64 ",\"reorder\"],[%" PRIu64 ",\"phase 2\"],[%" PRIu64
            ",\"delivery\"]],\n\"round\":%" PRIu32,
            times->inside, times->anywhere, times->reorder, times->search, times->delivery,
            times->round);
}

enum anl_status film_page(FILE *out, struct anl_error *error)
{
    struct page page = {.out = out};
    const struct anl_diagonals_config config = film_config();
    const struct times times = film_times(&config);
    fputs(phases_html, out);
    fputs("const film={\"steps\":[", out);
    const enum anl_status status = film_play(put_step, &page, error);
    put_worms(&page);
    put_phases(out, &times);
    fprintf(out, ",\"n\":%d,\"c\":%" PRIu32 ",\"length\":%" PRIu32 ",\"followed\":%" PRIu32 "};\n",
            FILM_SIDE, config.c, config.length, page.followed);
    fprintf(out, "%s</script></body></html>\n", phases_js);
    return status;
}
