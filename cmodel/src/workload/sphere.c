// SPDX-License-Identifier: Apache-2.0
//
// Pattern sphere: a worm stays near its source with some probability, and goes farther without. In
// both cases all such terminals are equally likely; if there are none, it goes to one of the
// others.

#include "workload.h"

#include <annelid/network.h>
#include <stdlib.h>

// Notes the terminals within the radius of source, itself included; with inside NULL it counts
// only.
static size_t gather(const struct anl_workload *workload, uint32_t terminals, uint32_t source,
                     uint32_t *inside)
{
    const uint32_t radius = workload->traffic->sphere_radius;
    size_t count = 0;
    for (uint32_t t = 0; t < terminals; t++) {
        if (t != source && anl_distance(workload->network, source, t) > radius) continue;
        if (inside) inside[count] = t;
        count++;
    }
    return count;
}

enum anl_status spheres_create(struct spheres *spheres, const struct anl_workload *workload,
                               uint32_t first, uint32_t count)
{
    *spheres = (struct spheres){.traffic = workload->traffic, .first = first};
    spheres->terminals = anl_shape_of(workload->network).terminals;
    spheres->begins = calloc(count + (size_t)1, sizeof *spheres->begins);
    if (!spheres->begins) return ANL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        spheres->begins[i + 1] =
            spheres->begins[i] + gather(workload, spheres->terminals, first + i, NULL);
    spheres->inside = malloc((spheres->begins[count] + 1) * sizeof *spheres->inside);
    if (!spheres->inside) {
        spheres_destroy(spheres);
        return ANL_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++)
        gather(workload, spheres->terminals, first + i, &spheres->inside[spheres->begins[i]]);
    return ANL_OK;
}

void spheres_destroy(struct spheres *spheres)
{
    free(spheres->begins);
    free(spheres->inside);
    *spheres = (struct spheres){0};
}

// The sphere of one terminal: itself and the terminals inside, ascending.
struct sphere {
    const uint32_t *terminals;
    uint32_t count;
    double fraction;  // of its worms that stay inside
};

static struct sphere sphere_of(const struct spheres *spheres, uint32_t source)
{
    const size_t *begins = &spheres->begins[source - spheres->first];
    struct sphere sphere = {.terminals = &spheres->inside[begins[0]],
                            .count = (uint32_t)(begins[1] - begins[0]),
                            .fraction = spheres->traffic->sphere_fraction};
    if (sphere.count == spheres->terminals) sphere.fraction = 1;
    if (sphere.count == 1) sphere.fraction = 0;
    return sphere;
}

uint32_t spheres_destination(const struct spheres *spheres, uint32_t source, struct anl_rng *rng)
{
    const struct sphere sphere = sphere_of(spheres, source);
    if (anl_rng_unit(rng) < sphere.fraction) {
        const uint32_t sampled = anl_rng_below(rng, sphere.count - 1);
        return sphere.terminals[sampled + (sphere.terminals[sampled] >= source)];
    }
    uint32_t before = 0, sampled = anl_rng_below(rng, spheres->terminals - sphere.count);
    while (before < sphere.count && sphere.terminals[before] <= sampled + before)
        before++;
    return sampled + before;
}

double spheres_probability(const struct spheres *spheres, uint32_t source, uint32_t destination)
{
    const struct sphere sphere = sphere_of(spheres, source);
    if (source == destination) return 0;
    for (uint32_t i = 0; i < sphere.count; i++)
        if (sphere.terminals[i] == destination) return sphere.fraction / (sphere.count - 1);
    return (1 - sphere.fraction) / (spheres->terminals - sphere.count);
}
