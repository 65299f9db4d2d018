// SPDX-License-Identifier: Apache-2.0

#include "activity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The words of a flit and one more with its marks.
enum { WORDS = ANL_FLIT_WORDS + 1 };

// Returns how many sets of wires a link has: one for each lane, or one that they share.
static uint32_t wires_of(const struct anl_config *config)
{
    return config->link == ANL_WIDE ? config->num_vcs : 1;
}

enum anl_status activity_begin(const struct anl_config *config, uint64_t from,
                               struct activity *activity)
{
    const struct anl_shape shape = anl_shape_of(config);
    *activity = (struct activity){.config = config, .from = from, .shape = shape};
    activity->links = calloc(shape.links, sizeof *activity->links);
    activity->last = calloc((size_t)shape.links * wires_of(config), WORDS * sizeof *activity->last);
    activity->in = calloc(shape.switches, sizeof *activity->in);
    return activity->links && activity->last && activity->in ? ANL_OK : ANL_ERR_MEMORY;
}

enum anl_status activity_worm(struct activity *activity, const struct anl_worm *worm)
{
    struct anl_worm *worms =
        gather_room(activity->worms, activity->count, &activity->size, sizeof *worms);
    if (!worms) return ANL_ERR_MEMORY;
    activity->worms = worms;
    worms[activity->count++] = *worm;
    return ANL_OK;
}

void activity_flit(struct activity *activity, uint64_t cycle, const struct anl_flit *flit)
{
    const uint32_t wires = wires_of(activity->config);
    uint32_t *last =
        &activity->last[((size_t)flit->link * wires + (wires > 1 ? flit->vc : 0)) * WORDS];
    uint32_t words[WORDS] = {0};
    anl_flit_data(activity->config, &activity->worms[flit->worm], flit->index, flit->link, words);
    words[ANL_FLIT_WORDS] = (uint32_t)flit->head | (uint32_t)flit->tail << 1;
    struct activity_link *link = &activity->links[flit->link];
    const bool counts = cycle >= activity->from;
    for (size_t i = 0; counts && i < WORDS; i++)
        link->toggled += (uint64_t)__builtin_popcount(words[i] ^ last[i]);
    link->flits += counts;
    link->heads += counts && flit->head;
    memcpy(last, words, sizeof words);
}

void activity_free(struct activity *activity)
{
    free(activity->links);
    free(activity->last);
    free(activity->worms);
    free(activity->in);
}

// --- the file ---

static void write_link(FILE *out, const struct activity *activity, uint32_t link)
{
    const struct activity_link *seen = &activity->links[link];
    if (!anl_end_of(activity->config, link).exists) return;
    fprintf(out, "link,%" PRIu32 ",", link);
    csv_write(out, cli_link_name(activity->config, link).text);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",,\r\n", seen->flits, seen->heads,
            seen->toggled);
}

// What enters a switch, by the links that end at it.
static void write_switches(FILE *out, const struct activity *activity)
{
    const struct anl_shape shape = activity->shape;
    for (uint32_t link = 0; link < shape.links; link++) {
        const struct anl_end end = anl_end_of(activity->config, link);
        if (end.exists && !end.is_terminal) activity->in[end.node] += activity->links[link].flits;
    }
    for (uint32_t s = 0; s < shape.switches; s++) {
        struct activity_link sum = {0};
        char name[64];
        for (uint32_t port = 0; port < shape.ports; port++) {
            sum.flits += activity->links[s * shape.ports + port].flits;
            sum.heads += activity->links[s * shape.ports + port].heads;
        }
        anl_switch_name(activity->config, s, name, sizeof name);
        fprintf(out, "switch,%" PRIu32 ",", s);
        csv_write(out, name);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",,%" PRIu64 ",%" PRIu64 "\r\n", sum.flits, sum.heads,
                activity->in[s], sum.flits);
    }
}

enum anl_status activity_write(const struct activity *activity, const char *path, uint64_t cycles,
                               const struct cli_given *given, const struct anl_scenario *scenario,
                               struct anl_error *error)
{
    struct anl_output output;
    const enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    cli_write_provenance(output.file, given, scenario);
    fprintf(output.file, "# counted: %" PRIu64 " cycles\r\n",
            cycles > activity->from ? cycles - activity->from : 0);
    fputs("what,number,name,flits,heads,toggled_bits,buffer_writes,buffer_reads\r\n", output.file);
    for (uint32_t link = 0; link < activity->shape.links; link++)
        write_link(output.file, activity, link);
    write_switches(output.file, activity);
    return anl_output_finish(&output, error);
}
