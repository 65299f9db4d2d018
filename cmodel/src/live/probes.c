// SPDX-License-Identifier: Apache-2.0
//
// What speaks for a probe that is missing, or has the number of another link: a flit that nobody
// has seen come, or one that stands elsewhere.

#include "live.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

void live_hint(struct anl_live *live, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(live->hint, sizeof live->hint, format, arguments);
    va_end(arguments);
}

struct live_link_name live_name_link(const struct anl_live *live, uint32_t link)
{
    struct live_link_name name;
    anl_link_name(live->config, link, name.text, sizeof name.text);
    return name;
}

// Writes the links into a switch of which nothing more was ever told than this, "T0.inject,
// 3(1,0).+0". Returns whether there are any.
static bool list_inputs(const struct anl_live *live, uint32_t switch_, enum live_heard heard,
                        char *text, size_t size)
{
    const uint32_t ports = live->shape.ports;
    size_t used = 0;
    *text = '\0';
    for (uint32_t port = ports; port-- > 0 && used < size;) {  // from the terminals' ports on
        const uint32_t link = live->into[switch_ * ports + port];
        if (link == ANL_NOTHING || live->heard[link] != heard) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                 live_name_link(live, link).text);
    }
    return used > 0;
}

// Writes the links into a switch of which no flit was ever told. Those on which credits came back
// have had some, so they are listed alone.
static bool list_silent(const struct anl_live *live, uint32_t switch_, char *text, size_t size)
{
    return list_inputs(live, switch_, LIVE_CREDITS, text, size) ||
           list_inputs(live, switch_, LIVE_NOTHING, text, size);
}

static uint32_t silent_injection(const struct anl_live *live)
{
    for (uint32_t t = 0; t < live->shape.terminals; t++)
        if (live->heard[anl_injection_link(live->config, t)] != LIVE_FLITS)
            return anl_injection_link(live->config, t);
    return ANL_NOTHING;
}

static uint32_t bits_apart(const struct anl_live *live, const uint32_t *a, const uint32_t *b)
{
    uint32_t bits = 0;
    for (uint32_t word = 0; word < live->words; word++)
        bits += (uint32_t)__builtin_popcount(a[word] ^ b[word]);
    return bits;
}

// Returns the flit in the network whose data are most like those on a wire, and in *bits in how
// many they differ. It has no worm if they differ in so many that the likeness may be chance.
static struct live_name most_like(const struct anl_live *live, const struct live_wire *wire,
                                  uint32_t *bits)
{
    struct live_name like = {ANL_NOTHING, 0};
    *bits = live->width / 8 + 1;
    for (size_t i = 0; i < live->worms.count; i++) {
        const struct live_worm *worm = live->worms.at[i];
        for (uint32_t index = 0; worm && index < worm->entered; index++) {
            const uint32_t apart =
                bits_apart(live, &worm->data[(size_t)index * live->words], wire->data);
            if (apart >= *bits) continue;
            *bits = apart;
            like = (struct live_name){worm->worm.id, (uint16_t)index};
        }
    }
    return like;
}

void live_break_unknown(struct anl_live *live, uint32_t link)
{
    const struct live_wire *wire = &live->wires[link];
    const uint32_t elsewhere = silent_injection(live);
    char data[48], like[80] = "", silent[128];
    uint32_t bits;
    const struct live_name name = most_like(live, wire, &bits);
    snprintf(data, sizeof data, "0x%s%08" PRIx32, live->words > 1 ? "…" : "", wire->data[0]);
    if (live->words == 2)
        snprintf(data, sizeof data, "0x%08" PRIx32 "%08" PRIx32, wire->data[1], wire->data[0]);
    if (name.worm != ANL_NOTHING)
        snprintf(like, sizeof like,
                 "; most like it is flit %d of worm %" PRIu32 ": %" PRIu32 " bit%s", name.index,
                 name.worm, bits, bits == 1 ? " differs" : "s differ");
    if (name.worm == ANL_NOTHING &&
        list_silent(live, link / live->shape.ports, silent, sizeof silent)) {
        live_break(live, "no_probe", link, ANL_NOTHING,
                   "a flit crosses lane %" PRIu32
                   " with data %s, which no flit in the network has; no flit was ever told of %s, "
                   "by which it may have come",
                   wire->vc, data, silent);
        return;
    }
    if (name.worm == ANL_NOTHING && elsewhere != ANL_NOTHING)
        live_hint(live, "of %s no flit was told so far: has its probe the number of %s?",
                  live_name_link(live, elsewhere).text, live_name_link(live, link).text);
    live_break(live, "made_up_flit", link, ANL_NOTHING,
               "a flit crosses lane %" PRIu32 " with data %s, which no flit in the network has%s",
               wire->vc, data, like);
}

void live_hint_displaced(struct anl_live *live, uint32_t link, struct live_name name)
{
    const uint32_t at = live_stands_at(live, name);
    if (at == ANL_NOTHING) return;
    const struct anl_end end = anl_end_of(live->config, at);
    if (end.is_terminal ||
        (link < live->shape.switches * live->shape.ports && end.node == link / live->shape.ports))
        return;
    char node[LIVE_NAME_BYTES], other[200] = "";
    anl_switch_name(live->config, end.node, node, sizeof node);
    if (at >= live->shape.switches * live->shape.ports)
        snprintf(other, sizeof other, ", or that of another terminal the number of %s",
                 live_name_link(live, at).text);
    live_hint(live,
              "flit %d of worm %" PRIu32 " with these data stands at the end of %s, before switch "
              "%s: has the probe of a link of that switch the number of %s%s?",
              name.index, name.worm, live_name_link(live, at).text, node,
              live_name_link(live, link).text, other);
}

void live_hint_announced(struct anl_live *live, uint32_t source, uint32_t destination,
                         uint32_t length)
{
    const uint32_t queues = live->shape.terminals * anl_num_classes(live->config);
    for (uint32_t q = 0; q < queues; q++) {
        const struct live_worm *first = live->queues[q].first;
        if (!first || first->worm.source == source || first->worm.destination != destination ||
            (length && first->worm.length != length))
            continue;
        const uint32_t fits = anl_injection_link(live->config, first->worm.source);
        live_hint(live,
                  "the first worm announced at T%" PRIu32
                  " fits: has the probe of %s the number of %s?",
                  first->worm.source, live_name_link(live, fits).text,
                  live_name_link(live, anl_injection_link(live->config, source)).text);
        return;
    }
}
