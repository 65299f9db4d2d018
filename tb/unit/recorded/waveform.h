// SPDX-License-Identifier: Apache-2.0
//
// Writes a run of the golden model as the waveform of a bench of somebody else, in several forms,
// with the map of probes that fits it.

#ifndef ANNELID_UNIT_RECORDED_WAVEFORM_H
#define ANNELID_UNIT_RECORDED_WAVEFORM_H

#include "live/replay.h"

enum form {
    VECTORS,      // one vector for all links; flits have two names
    SCOPES,       // a scope for each link; marks and data apart; an escaped name
    SINGLE_BITS,  // each bit a variable of its own
    UPWARDS,      // vectors numbered upwards, inverted
    NUM_FORMS
};

enum wire { VALID, VC, FLIT, BACK, LENGTH, WIRES };
enum { RESET_CYCLES = 3, VC_BITS = 4, LENGTH_BITS = 16, STEPS = 10 };

static const char *const maps[NUM_FORMS] = {
    "    valid: valid[{link}]\n    vc: vc[{link}*4+:4]\n"
    "    flit: ['flit[{link}*%1$u+%1$u-1-:2]', 'again[{link}*%1$u+:%1$u-2]']\n"
    "    back: back[%2$u*({link}+1)-1-:%2$u]\n    length: length[{link}*16+:16]\n",
    "    valid: l[{link}].valid\n    vc: l[{link}].vc\n"
    "    flit: ['l[{link}].\\flit[1] ', 'l_{link}.flit_0']\n"
    "    back: l[{link}].back\n    length: l[{link}].lengths[{link}]\n",
    "    valid: valid_{link}[0]\n    vc: vc_{link}[3:0]\n    flit: flit_{link}[%1$u-1:0]\n"
    "    back: back_{link}[%2$u-1:0]\n    length: length_{link}[15:0]\n",
    "    valid: ~valid[{link}]\n    vc: ~vc_{link}\n    flit: ~flit_{link}[0:%1$u-1]\n"
    "    back: ~back_{link}\n    length: ~length_{link}\n",
};

struct waveform {
    struct replay *replay;
    enum form form;
    FILE *file;
    uint32_t links, bits[WIRES], first[WIRES];  // all wires of a link stand side by side in a cycle
    uint32_t of_link;                           // of one link
    uint8_t *now, *last;                        // 2: never written
};

static inline void waveform_map(const struct replay *replay, enum form form, const char *path)
{
    const struct anl_config *config = &replay->settings.network;
    const char *const of[] = {"switches", "terminals"};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "network: %s\nscope: bench.net\nclock: clk\nreset: %s\nprobes:\n",
            *replay->scenario == '/' ? replay->scenario : "", form == UPWARDS ? "rst" : "~rst_n");
    for (unsigned i = 0; i < 2; i++) {
        fprintf(file, "  - of: %s\n", of[i]);
        fprintf(file, maps[form], config->flit_width_bits + 2, config->num_vcs);
    }
    assert_int_equal(fclose(file), 0);
}

static inline const char *waveform_code(uint32_t number)
{
    static char code[8];
    unsigned length = 0;
    for (number++; number; number /= 90)
        code[length++] = (char)('!' + number % 90);
    code[length] = '\0';
    return code;
}

static inline void waveform_declare_link(const struct waveform *waveform, uint32_t link)
{
    static const char *const names[WIRES] = {"valid", "vc", "flit", "back", "length"};
    FILE *file = waveform->file;
    if (waveform->form == SCOPES) fprintf(file, "$scope module l%s%u%s $end\n", "[", link, "]");
    for (unsigned wire = 0; wire < WIRES; wire++) {
        const uint32_t bits = waveform->bits[wire], code = 8 * (link + 1) + wire;
        const char *name = names[wire];
        if (waveform->form == SINGLE_BITS)
            for (uint32_t bit = 0; bit < bits; bit++)
                fprintf(
                    file, "$var wire 1 %s %s_%u [%u] $end\n",
                    waveform_code(2000 + (link * waveform->of_link + waveform->first[wire] + bit)),
                    name, link, bit);
        else if (waveform->form == UPWARDS && wire != VALID)
            fprintf(file, "$var reg %u %s %s_%u [0:%u] $end\n", bits, waveform_code(code), name,
                    link, bits - 1);
        else if (waveform->form == SCOPES && wire == FLIT)
            fprintf(file, "$var wire %u %s \\flit[1] [%u:0] $end\n", bits - 1, waveform_code(code),
                    bits - 2);
        else if (waveform->form == SCOPES && wire == LENGTH)  // an element of an array
            fprintf(file, "$var wire %u %s lengths[%u] [%u:0] $end\n", bits, waveform_code(code),
                    link, bits - 1);
        else if (waveform->form == SCOPES)
            fprintf(file,
                    bits > 1 ? "$var wire %u %s %s [%u:0] $end\n" : "$var wire %u %s %s $end\n",
                    bits, waveform_code(code), name, bits - 1);
    }
    if (waveform->form != SCOPES) return;
    fprintf(file,
            "$upscope $end\n$scope module l_%u $end\n$var wire 1 %s flit_0 $end\n$upscope $end\n",
            link, waveform_code(8 * (link + 1) + WIRES));
}

static inline void waveform_declare(const struct waveform *waveform)
{
    FILE *file = waveform->file;
    const uint32_t links = waveform->links;
    fputs("$date today $end\n$version\n  nobody's\n$end\n$timescale\n 1 ns\n$end\n"
          "$scope module bench $end\n$var real 64 r temperature $end\n$var event 1 e done $end\n"
          "$scope module net $end\n$var wire 1 # clk $end\n$var wire 1 $ rst_n $end\n"
          "$var wire 1 % rst $end\n",
          file);
    if (waveform->form == VECTORS)
        fprintf(file,
                "$var wire %u ! valid [%u:0] $end\n$var wire %u \" vc [%u:0] $end\n"
                "$var wire %u & flit[%u:0] $end\n$var wire %u & again [%u:0] $end\n"
                "$var wire %u ' back [%u:0] $end\n"
                "$var wire %u ( length [%u:0] $end\n",
                links, links - 1, VC_BITS * links, VC_BITS * links - 1,
                waveform->bits[FLIT] * links, waveform->bits[FLIT] * links - 1,
                waveform->bits[FLIT] * links, waveform->bits[FLIT] * links - 1,
                waveform->bits[BACK] * links, waveform->bits[BACK] * links - 1, LENGTH_BITS * links,
                LENGTH_BITS * links - 1);
    if (waveform->form == UPWARDS)
        fprintf(file, "$var wire %u ! valid [0:%u] $end\n", links, links - 1);
    for (uint32_t link = 0; link < links && waveform->form != VECTORS; link++)
        waveform_declare_link(waveform, link);
    fputs("$upscope $end\n$upscope $end\n$enddefinitions $end\n$dumpvars\n", file);
}

// Writes the bits of one wire of a link, highest first.
static inline void waveform_bits(const struct waveform *waveform, uint32_t link, enum wire wire,
                                 uint32_t from, uint32_t count)
{
    const uint8_t *bits =
        waveform->now + (size_t)link * waveform->of_link + waveform->first[wire] + from;
    const bool inverted = waveform->form == UPWARDS;
    for (uint32_t bit = count; bit-- > 0;)
        fputc(bits[bit] > 1 ? 'x' : "01"[bits[bit] ^ inverted], waveform -> file);
}

static inline bool waveform_changed(const struct waveform *waveform, uint32_t link, enum wire wire)
{
    const size_t at = (size_t)link * waveform->of_link + waveform->first[wire];
    return memcmp(waveform->now + at, waveform->last + at, waveform->bits[wire]) != 0;
}

static inline void waveform_write_link(const struct waveform *waveform, uint32_t link)
{
    FILE *file = waveform->file;
    for (unsigned wire = 0; wire < WIRES; wire++) {
        const uint32_t bits = waveform->bits[wire], code = 8 * (link + 1) + wire;
        const uint32_t low = waveform->form == SCOPES && wire == FLIT;  // a bit stands apart
        if (!waveform_changed(waveform, link, wire)) continue;
        for (uint32_t bit = 0; bit < bits && waveform->form == SINGLE_BITS; bit++) {
            waveform_bits(waveform, link, wire, bit, 1);
            fprintf(file, "%s\n",
                    waveform_code(2000 + (link * waveform->of_link + waveform->first[wire] + bit)));
        }
        if (waveform->form == SINGLE_BITS || (waveform->form == UPWARDS && wire == VALID)) continue;
        if (bits - low > 1) fputc('b', file);
        waveform_bits(waveform, link, wire, low, bits - low);
        fprintf(file, "%s%s\n", bits - low > 1 ? " " : "", waveform_code(code));
        if (!low) continue;
        waveform_bits(waveform, link, wire, 0, 1);
        fprintf(file, "%s\n", waveform_code(8 * (link + 1) + WIRES));
    }
}

// Writes a vector that has a wire of all links.
static inline void waveform_write_all(const struct waveform *waveform, enum wire wire, char code)
{
    fputc('b', waveform->file);
    for (uint32_t i = waveform->links; i-- > 0;)
        waveform_bits(waveform, waveform->form == UPWARDS ? waveform->links - 1 - i : i, wire, 0,
                      waveform->bits[wire]);
    fprintf(waveform->file, " %c\n", code);
}

static inline void waveform_write(struct waveform *waveform)
{
    static const char codes[WIRES] = {'!', '"', '&', '\'', '('};
    for (unsigned wire = 0; wire < WIRES; wire++)
        if (waveform->form == VECTORS || (waveform->form == UPWARDS && wire == VALID))
            waveform_write_all(waveform, wire, codes[wire]);
    for (uint32_t link = 0; link < waveform->links && waveform->form != VECTORS; link++)
        waveform_write_link(waveform, link);
    memcpy(waveform->last, waveform->now, (size_t)waveform->links * waveform->of_link);
}

static inline void waveform_put(struct waveform *waveform, uint32_t link, enum wire wire,
                                const uint32_t *words)
{
    uint8_t *bits = waveform->now + (size_t)link * waveform->of_link + waveform->first[wire];
    for (uint32_t bit = 0; bit < waveform->bits[wire]; bit++)
        bits[bit] = words[bit / 32] >> bit % 32 & 1;
}

// Puts the events of a cycle on the wires. Returns the first event of a later cycle.
static inline size_t waveform_cycle(struct waveform *waveform, size_t next, uint64_t cycle)
{
    const struct replay *replay = waveform->replay;
    const uint32_t one = 1, none = 0;
    for (uint32_t link = 0; link < waveform->links; link++) {
        waveform_put(waveform, link, VALID, &none);
        uint8_t *back = waveform->now + (size_t)link * waveform->of_link + waveform->first[BACK];
        memset(back, 0, waveform->bits[BACK]);
    }
    for (; next < replay->num_events && replay->events[next].cycle == cycle; next++) {
        const struct event *event = &replay->events[next];
        if (event->credits) {
            uint8_t *back = waveform->now + (size_t)event->link * waveform->of_link;
            for (uint32_t vc = 0; vc < waveform->bits[BACK]; vc++)
                if (event->credits >> vc & 1) back[waveform->first[BACK] + vc] = 1;
            continue;
        }
        const uint32_t length = replay->worms[event->worm].length;
        waveform_put(waveform, event->link, VALID, &one);
        waveform_put(waveform, event->link, VC, &event->vc);
        waveform_put(waveform, event->link, FLIT, event->words);
        waveform_put(waveform, event->link, LENGTH, &length);
    }
    return next;
}

// Writes a run, behind a reset in which nothing is known.
static inline void waveform_create(struct replay *replay, enum form form, const char *path)
{
    const struct anl_config *config = &replay->settings.network;
    struct waveform waveform = {
        .replay = replay,
        .form = form,
        .links = anl_shape_of(config).links,
        .bits = {1, VC_BITS, config->flit_width_bits + 2, config->num_vcs, LENGTH_BITS}};
    for (unsigned wire = 0; wire < WIRES; wire++) {
        waveform.first[wire] = waveform.of_link;
        waveform.of_link += waveform.bits[wire];
    }
    const size_t bits = (size_t)waveform.links * waveform.of_link;
    waveform.now = malloc(bits);
    waveform.last = malloc(bits);
    waveform.file = fopen(path, "w");
    assert_true(waveform.now && waveform.last && waveform.file);
    memset(waveform.now, 2, bits);
    memset(waveform.last, 3, bits);
    qsort(replay->events, replay->num_events, sizeof *replay->events, replay_before);
    waveform_declare(&waveform);
    fputs("0#\n0$\n1%\nr0.5 r\n$end\n", waveform.file);
    size_t next = 0;
    for (uint64_t edge = 0; edge < RESET_CYCLES + replay->cycles; edge++) {
        // What the edge makes comes at its own time, before it, with the time once more between, or
        // behind it in the file.
        const bool runs = edge + 1 >= RESET_CYCLES;
        fprintf(waveform.file, "#%ju\n%s", (uintmax_t)(STEPS * edge), edge % 2 ? "1#\n" : "");
        if (edge + 1 == RESET_CYCLES) fputs("1$\n0%\n$comment now it runs $end\n", waveform.file);
        if (runs && edge + 1 - RESET_CYCLES < replay->cycles)
            next = waveform_cycle(&waveform, next, edge + 1 - RESET_CYCLES);
        waveform_write(&waveform);
        if (edge % 2 == 0) fprintf(waveform.file, "#%ju\n1#\n", (uintmax_t)(STEPS * edge));
        fprintf(waveform.file, "#%ju\n0#\n", (uintmax_t)(STEPS * edge + STEPS / 2));
    }
    assert_int_equal(fclose(waveform.file), 0);
    free(waveform.now);
    free(waveform.last);
}

#endif
