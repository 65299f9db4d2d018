// SPDX-License-Identifier: Apache-2.0

#include "recorded.h"

#include "base/base.h"

#include <annelid/network.h>
#include <annelid/scenario.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- find ---

struct search {
    struct signals *signals;
    const struct vcd *vcd;
    const struct anl_probes *probes;
    struct anl_error *error;
    struct below *below;  // all variables, ascending
    uint32_t *signal_of;  // of each variable; ANL_NOTHING: it is not watched
    size_t twin;          // of what was found last: its name, too, but other values; count: none
};

// Writes the name of a probe as waveforms have it: names that begin with a backslash lose it, and
// the blank at their end.
static char *plain_name(const char *name)
{
    char *plain = malloc(strlen(name) + 1), *to = plain;
    bool escaped = false;
    if (!plain) return NULL;
    for (bool begins = true; *name; name++) {
        const bool marks = (begins && *name == '\\') || (escaped && *name == ' ');
        if (marks) escaped = *name == '\\';
        begins = !escaped && *name == '.';
        if (!marks) *to++ = *name;
    }
    *to = '\0';
    return plain;
}

// A variable by its name without the outermost scope, so that a map need not name the one that a
// simulator adds.
struct below {
    const char *name;
    size_t variable;
};

static const char *without_scope(const char *name)
{
    const char *point = strchr(name, '.');
    return point ? point + 1 : "";
}

static bool list_below(struct search *search)
{
    const size_t count = search->vcd->count;
    search->below = malloc((count + 1) * sizeof *search->below);
    if (!search->below) return false;
    for (size_t i = 0; i < count; i++)
        search->below[i] = (struct below){without_scope(search->vcd->variables[i].name), i};
    qsort(search->below, count, sizeof *search->below, vcd_by_name);
    return true;
}

// Notes that a variable has the name of another one.
static void note_twin(struct search *search, size_t variable, size_t other)
{
    const struct vcd_variable *variables = search->vcd->variables;
    if (strcmp(variables[variable].code, variables[other].code) != 0) search->twin = other;
}

// Returns the variable of a name, which may lack the outermost scope; count of the variables: there
// is none.
static size_t variable_of(struct search *search, const char *name)
{
    const struct vcd *vcd = search->vcd;
    const size_t whole = vcd_find(vcd->variables, vcd->count, sizeof *vcd->variables, name);
    const size_t below = vcd_find(search->below, vcd->count, sizeof *search->below, name);
    search->twin = vcd->count;
    for (size_t i = whole; i < vcd->count && !strcmp(vcd->variables[i].name, name); i++)
        note_twin(search, whole, i);
    if (whole < vcd->count && !strcmp(vcd->variables[whole].name, name)) return whole;
    if (below == vcd->count || strcmp(search->below[below].name, name) != 0) return vcd->count;
    const size_t found = search->below[below].variable;
    for (size_t i = below; i < vcd->count && !strcmp(search->below[i].name, name); i++)
        note_twin(search, found, search->below[i].variable);
    return found;
}

static uint32_t alike(const char *a, const char *b)
{
    uint32_t same = 0;
    while (a[same] && a[same] == b[same])
        same++;
    return same;
}

// Returns how many letters two names have in common at their end.
static uint32_t alike_at_the_end(const char *a, const char *b)
{
    const size_t a_bytes = strlen(a), b_bytes = strlen(b);
    uint32_t same = 0;
    while (same < a_bytes && same < b_bytes && a[a_bytes - 1 - same] == b[b_bytes - 1 - same])
        same++;
    return same;
}

// Returns the name in the waveform that has most letters in common with this one, at its beginning,
// without its outermost scope, or at its end; "": none has any.
static const char *nearest(const struct search *search, const char *name)
{
    const struct vcd *vcd = search->vcd;
    const char *best = "";
    uint32_t most = 0;
    for (size_t i = 0; i < vcd->count; i++) {
        const char *whole = vcd->variables[i].name;
        const uint32_t same[] = {alike(whole, name), alike(without_scope(whole), name),
                                 alike_at_the_end(whole, name)};
        for (unsigned way = 0; way < 3; way++) {
            if (same[way] <= most) continue;
            most = same[way];
            best = whole;
        }
    }
    return best;
}

static enum anl_status refuse(const struct search *search, const struct anl_probe *probe,
                              const char *format, const char *what)
{
    char text[200], said[400];
    anl_probe_text(probe, text, sizeof text);
    snprintf(said, sizeof said, format, what);
    return anl_fail(search->error, ANL_ERR_FORMAT, anl_probes_path(search->probes), probe->line,
                    "%s: %s has no signal '%s'%s", anl_probe_role_name(probe->role),
                    search->vcd->path, text, said);
}

// Refuses a name, and says which one is most like it.
static enum anl_status refuse_name(const struct search *search, const struct anl_probe *probe,
                                   const char *name)
{
    const char *near = nearest(search, name);
    return refuse(search, probe, *near ? ", expected one; the name most like it is '%s'" : "%s",
                  near);
}

static bool add_piece(struct signals *signals, struct piece piece)
{
    struct piece *pieces =
        base_room(signals->pieces, signals->num_pieces, &signals->room, sizeof *pieces);
    if (!pieces) return false;
    signals->pieces = pieces;
    signals->pieces[signals->num_pieces++] = piece;
    return true;
}

// Adds the bits of a variable, by the numbers of its range; -1: all of it. Returns false without
// memory.
static bool add_bits(struct search *search, size_t variable, const struct anl_probe *probe,
                     int32_t high, int32_t low)
{
    const struct vcd_variable *found = &search->vcd->variables[variable];
    struct signals *signals = search->signals;
    const bool down = found->left >= found->right;
    const int32_t lowest = down ? low : high;
    struct piece piece = {.width = found->width, .inverted = probe->inverted};
    if (high >= 0) {
        piece.at = (uint32_t)abs(lowest - found->right);
        piece.width = (uint32_t)(high - low) + 1;
    }
    if (search->signal_of[variable] == ANL_NOTHING) {
        struct signal *made = &signals->at[signals->count];
        *made = (struct signal){.width = found->width, .same_code = ANL_NOTHING};
        memcpy(made->code, found->code, sizeof made->code);
        search->signal_of[variable] = signals->count++;
    }
    piece.signal = search->signal_of[variable];
    return add_piece(signals, piece);
}

static bool has_bits(const struct vcd_variable *variable, int32_t high, int32_t low)
{
    const bool down = variable->left >= variable->right;
    const int32_t least = down ? variable->right : variable->left;
    const int32_t most = down ? variable->left : variable->right;
    return low >= least && high <= most;
}

static enum anl_status no_memory(const struct search *search)
{
    return anl_fail(search->error, ANL_ERR_MEMORY, search->vcd->path, 0, "out of memory");
}

// Finds "name[i]", a variable of its own. Returns count of the variables: there is none.
static size_t element_of(struct search *search, const char *name, int32_t index)
{
    const size_t size = strlen(name) + 16;
    char *text = malloc(size);
    if (!text) return search->vcd->count;
    snprintf(text, size, "%s[%" PRId32 "]", name, index);
    const size_t found = variable_of(search, text);
    free(text);
    return found;
}

// Takes bits of the variable that was found last, if no other one has its name.
static enum anl_status take_bits(struct search *search, size_t variable,
                                 const struct anl_probe *probe, int32_t high, int32_t low)
{
    const struct vcd *vcd = search->vcd;
    char text[200];
    if (search->twin == vcd->count)
        return add_bits(search, variable, probe, high, low) ? ANL_OK : no_memory(search);
    anl_probe_text(probe, text, sizeof text);
    return anl_fail(search->error, ANL_ERR_FORMAT, anl_probes_path(search->probes), probe->line,
                    "%s: %s has signals '%s' and '%s' for '%s', expected one",
                    anl_probe_role_name(probe->role), vcd->path, vcd->variables[variable].name,
                    vcd->variables[search->twin].name, text);
}

// Finds bits each of which is a variable of its own, as in waveforms of netlists.
static enum anl_status find_single_bits(struct search *search, const struct anl_probe *probe,
                                        const char *name)
{
    for (int32_t bit = probe->high; bit >= probe->low && bit >= 0; bit--) {
        const size_t found = element_of(search, name, bit);
        if (found < search->vcd->count && search->vcd->variables[found].width == 1) {
            const enum anl_status status = take_bits(search, found, probe, -1, -1);
            if (status) return status;
            continue;
        }
        return refuse_name(search, probe, name);
    }
    return ANL_OK;
}

static enum anl_status find_named(struct search *search, const struct anl_probe *probe,
                                  const char *name)
{
    const struct vcd *vcd = search->vcd;
    const bool one = probe->high >= 0 && probe->high == probe->low;
    const size_t element = one ? element_of(search, name, probe->high) : vcd->count;
    if (element < vcd->count) return take_bits(search, element, probe, -1, -1);
    const size_t whole = variable_of(search, name);
    if (whole == vcd->count)
        return probe->high < 0 ? refuse_name(search, probe, name)
                               : find_single_bits(search, probe, name);
    const struct vcd_variable *found = &vcd->variables[whole];
    if (probe->high >= 0 && !has_bits(found, probe->high, probe->low)) {
        char range[64];
        snprintf(range, sizeof range, "[%" PRId32 ":%" PRId32 "]", found->left, found->right);
        return refuse(search, probe, ", whose bits are %s", range);
    }
    return take_bits(search, whole, probe, probe->high, probe->low);
}

static enum anl_status find_one(struct search *search, const struct anl_probe *probe)
{
    if (!probe->name) {
        const struct piece piece = {.signal = ANL_NOTHING,
                                    .width = probe->width,
                                    .value = probe->value,
                                    .inverted = probe->inverted};
        return add_piece(search->signals, piece) ? ANL_OK : no_memory(search);
    }
    char *name = plain_name(probe->name);
    if (!name) return no_memory(search);
    const enum anl_status status = find_named(search, probe, name);
    free(name);
    return status;
}

static struct wires *wires_of(struct signals *signals, const struct anl_probe *probe)
{
    if (probe->role == ANL_PROBE_CLOCK) return &signals->clock;
    if (probe->role == ANL_PROBE_RESET) return &signals->reset;
    return &signals->links[(size_t)probe->link * ANL_NUM_PROBE_ROLES + probe->role];
}

// Sums up the wires of a role, whose last part this is, and checks how many they are.
static enum anl_status sum_up(const struct search *search, const struct anl_probe *probe,
                              struct wires *wires)
{
    const struct signals *signals = search->signals;
    const uint32_t wanted = anl_probes_bits(search->probes, probe->role);
    uint64_t width = 0;
    char link[80] = "", of[100] = "";
    for (uint32_t i = 0; i < wires->count; i++)
        width += signals->pieces[wires->first + i].width;
    wires->width = (uint32_t)width;
    if (wanted ? width == wanted : width <= 32) return ANL_OK;
    if (probe->link != ANL_NOTHING) {
        anl_link_name(&anl_probes_scenario(search->probes)->network, probe->link, link,
                      sizeof link);
        snprintf(of, sizeof of, " of link %s", link);
    }
    return anl_fail(search->error, ANL_ERR_FORMAT, anl_probes_path(search->probes), probe->line,
                    "%s%s: found %" PRIu64 " wires in %s, expected %s%" PRIu32,
                    anl_probe_role_name(probe->role), of, width, search->vcd->path,
                    wanted ? "" : "at most ", wanted ? wanted : 32);
}

static enum anl_status find_all(struct search *search, const struct anl_probe *list, size_t count)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; !status && i < count; i++) {
        const struct anl_probe *probe = &list[i];
        struct wires *wires = wires_of(search->signals, probe);
        if (!wires->count) wires->first = search->signals->num_pieces;
        status = find_one(search, probe);
        wires->count = search->signals->num_pieces - wires->first;
        const bool last =
            i + 1 == count || list[i + 1].link != probe->link || list[i + 1].role != probe->role;
        if (!status && last) status = sum_up(search, probe, wires);
    }
    return status;
}

// --- codes ---

static uint32_t bucket_of(const struct signals *signals, const char *code)
{
    uint32_t hash = 2166136261u;
    for (; *code; code++)
        hash = (hash ^ (unsigned char)*code) * 16777619u;
    return hash % signals->buckets;
}

// Returns where a code is in the table, or would be.
static uint32_t place_of(const struct signals *signals, const char *code)
{
    uint32_t bucket = bucket_of(signals, code);
    while (signals->by_code[bucket] != ANL_NOTHING &&
           strcmp(signals->at[signals->by_code[bucket]].code, code) != 0)
        bucket = (bucket + 1) % signals->buckets;
    return bucket;
}

static bool make_values(struct signals *signals)
{
    signals->buckets = 2 * signals->count + 1;
    signals->by_code = malloc(signals->buckets * sizeof *signals->by_code);
    signals->changed = malloc((signals->count + 1) * sizeof *signals->changed);
    if (!signals->by_code || !signals->changed) return false;
    for (uint32_t i = 0; i < signals->buckets; i++)
        signals->by_code[i] = ANL_NOTHING;
    for (uint32_t i = 0; i < signals->count; i++) {
        struct signal *signal = &signals->at[i];
        signal->words = (signal->width + 31) / 32;
        signal->now = calloc(4 * (size_t)signal->words, sizeof *signal->now);
        if (!signal->now) return false;
        signal->unknown = signal->now + signal->words;
        signal->next = signal->unknown + signal->words;
        signal->next_unknown = signal->next + signal->words;
        memset(signal->unknown, 0xff, signal->words * sizeof *signal->unknown);
        const uint32_t place = place_of(signals, signal->code);
        signal->same_code = signals->by_code[place];
        signals->by_code[place] = i;
    }
    return true;
}

static enum anl_status make_all(struct search *search, const struct anl_probe *list, size_t count)
{
    struct signals *signals = search->signals;
    const size_t links = anl_shape_of(&anl_probes_scenario(search->probes)->network).links;
    const size_t variables = search->vcd->count;
    signals->at = calloc(variables + 1, sizeof *signals->at);
    signals->links = calloc(links * ANL_NUM_PROBE_ROLES, sizeof *signals->links);
    search->signal_of = malloc((variables + 1) * sizeof *search->signal_of);
    if (!signals->at || !signals->links || !search->signal_of || !list_below(search))
        return no_memory(search);
    for (size_t i = 0; i < variables; i++)
        search->signal_of[i] = ANL_NOTHING;
    const enum anl_status status = find_all(search, list, count);
    if (status) return status;
    return make_values(signals) ? ANL_OK : no_memory(search);
}

enum anl_status signals_find(struct signals *signals, const struct vcd *vcd,
                             const struct anl_probes *probes, struct anl_error *error)
{
    struct search search = {.signals = signals, .vcd = vcd, .probes = probes, .error = error};
    size_t count;
    const struct anl_probe *list = anl_probes_list(probes, &count);
    const enum anl_status status = make_all(&search, list, count);
    free(search.below);
    free(search.signal_of);
    return status;
}

void signals_free(struct signals *signals)
{
    for (uint32_t i = 0; i < signals->count; i++)
        free(signals->at[i].now);
    free(signals->at);
    free(signals->pieces);
    free(signals->by_code);
    free(signals->changed);
    free(signals->links);
}

// --- values ---

// Writes bits, highest first, to words. Of a shorter value the bits above are 0, or unknown if its
// highest one is.
static void write_bits(struct signal *signal, const struct vcd_word *bits)
{
    memset(signal->next, 0, 2 * signal->words * sizeof *signal->next);
    for (uint32_t bit = 0; bit < signal->width; bit++) {
        const bool there = bit < bits->length;
        const char letter = bits->text[there ? bits->length - 1 - bit : 0];
        const bool one = letter == '1' || letter == 'h' || letter == 'H';
        const bool zero = letter == '0' || letter == 'l' || letter == 'L';
        if (one && there) signal->next[bit / 32] |= UINT32_C(1) << bit % 32;
        if (!one && !zero) signal->next_unknown[bit / 32] |= UINT32_C(1) << bit % 32;
    }
}

void signals_note(struct signals *signals, const struct vcd_word *code, const struct vcd_word *bits)
{
    if (code->length >= VCD_CODE_BYTES) return;
    uint32_t i = signals->by_code[place_of(signals, code->text)];
    for (; i != ANL_NOTHING; i = signals->at[i].same_code) {
        struct signal *signal = &signals->at[i];
        write_bits(signal, bits);
        if (!signal->changed) signals->changed[signals->num_changed++] = i;
        signal->changed = true;
    }
}

void signals_pass(struct signals *signals)
{
    for (uint32_t i = 0; i < signals->num_changed; i++) {
        struct signal *signal = &signals->at[signals->changed[i]];
        memcpy(signal->now, signal->next, 2 * signal->words * sizeof *signal->now);
        signal->changed = false;
    }
    signals->num_changed = 0;
}

int signals_bit(const struct signals *signals, const struct wires *wires, bool next)
{
    const struct piece *piece = &signals->pieces[wires->first];
    if (piece->signal == ANL_NOTHING) return (int)((piece->value & 1) ^ piece->inverted);
    const struct signal *signal = &signals->at[piece->signal];
    const uint32_t *values = next && signal->changed ? signal->next : signal->now;
    const uint32_t *unknown = values + signal->words;
    if (unknown[piece->at / 32] >> piece->at % 32 & 1) return 2;
    return (int)((values[piece->at / 32] >> piece->at % 32 & 1) ^ piece->inverted);
}

bool signals_read(const struct signals *signals, const struct wires *wires, uint32_t *words)
{
    bool known = true;
    uint32_t to = 0;
    memset(words, 0, (wires->width + 31) / 32 * sizeof *words);
    for (uint32_t p = wires->count; p-- > 0;) {
        const struct piece *piece = &signals->pieces[wires->first + p];
        const bool constant = piece->signal == ANL_NOTHING;
        const struct signal *signal = constant ? NULL : &signals->at[piece->signal];
        for (uint32_t i = 0; i < piece->width; i++, to++) {
            const uint32_t from = piece->at + i;
            const bool lost = signal && (signal->unknown[from / 32] >> from % 32 & 1);
            const uint32_t bit =
                (signal ? signal->now[from / 32] >> from % 32 : piece->value >> i) & 1;
            known = known && !lost;
            if (!lost) words[to / 32] |= (bit ^ piece->inverted) << to % 32;
        }
    }
    return known;
}
