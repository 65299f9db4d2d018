// SPDX-License-Identifier: Apache-2.0
//
// The digest of a run: XXH3 over its records, packed as docs/trace.md says. Records are collected
// before they are hashed, so the hash is called once per some hundred flits.

#include "trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define XXH_STATIC_LINKING_ONLY  // the fields of its state
#include <xxhash.h>

enum { CAPACITY = 16384, WORM_BYTES = 23, FLIT_BYTES = 21 };

struct anl_digest {
    XXH3_state_t *state;     // hash of all bytes but those below
    XXH3_state_t *snapshot;  // working copy of anl_digest_value()
    size_t used;
    uint8_t bytes[CAPACITY];
};

enum anl_status anl_digest_create(struct anl_digest **digest)
{
    struct anl_digest *made = calloc(1, sizeof *made);
    *digest = NULL;
    if (!made) return ANL_ERR_MEMORY;
    made->state = XXH3_createState();
    made->snapshot = XXH3_createState();
    if (!made->state || !made->snapshot) {
        anl_digest_destroy(made);
        return ANL_ERR_MEMORY;
    }
    XXH3_64bits_reset(made->state);
    *digest = made;
    return ANL_OK;
}

void anl_digest_destroy(struct anl_digest *digest)
{
    if (!digest) return;
    XXH3_freeState(digest->state);
    XXH3_freeState(digest->snapshot);
    free(digest);
}

static uint8_t *room_for(struct anl_digest *digest, size_t bytes)
{
    if (digest->used + bytes > CAPACITY) {
        XXH3_64bits_update(digest->state, digest->bytes, digest->used);
        digest->used = 0;
    }
    uint8_t *place = digest->bytes + digest->used;
    digest->used += bytes;
    return place;
}

void anl_digest_worm(struct anl_digest *digest, const struct anl_worm *worm)
{
    const size_t route_bytes = worm->route ? 2u + worm->route_length : 0;
    const size_t class_bytes = anl_has_class_or_role(worm) ? 2 : 0;
    const size_t path_bytes = worm->has_path ? 4 : 0;
    const struct anl_dependencies *waited = worm->dependencies;
    const size_t waited_bytes = waited ? 10 + (size_t)waited->count * 8 : 0;
    uint8_t *at =
        room_for(digest, WORM_BYTES + class_bytes + route_bytes + path_bytes + waited_bytes);
    *at++ = anl_tag_of(worm);
    at = anl_put_bytes(at, worm->created, 8);
    at = anl_put_bytes(at, worm->id, 4);
    at = anl_put_bytes(at, worm->source, 4);
    at = anl_put_bytes(at, worm->destination, 4);
    at = anl_put_bytes(at, worm->length, 2);
    if (class_bytes) at = anl_put_bytes(anl_put_bytes(at, worm->class_, 1), worm->role, 1);
    if (worm->route) {
        at = anl_put_bytes(at, worm->route_length, 2);
        memcpy(at, worm->route, worm->route_length);
        at += worm->route_length;
    }
    if (worm->has_path) at = anl_put_bytes(at, worm->path, 4);
    if (!waited) return;
    at = anl_put_bytes(anl_put_bytes(at, waited->earliest, 8), waited->count, 2);
    for (uint32_t i = 0; i < waited->count; i++)
        at = anl_put_bytes(anl_put_bytes(at, waited->after[i].worm, 4), waited->after[i].cycles, 4);
}

void anl_digest_flits(struct anl_digest *digest, uint64_t cycle, const struct anl_flit *flits,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct anl_flit *flit = &flits[i];
        assert(i == 0 || anl_flit_place(&flits[i - 1]) < anl_flit_place(flit));
        uint8_t *at = room_for(digest, FLIT_BYTES);
        *at++ = ANL_TAG_FLIT;
        at = anl_put_bytes(at, cycle, 8);
        at = anl_put_bytes(at, flit->link, 4);
        at = anl_put_bytes(at, flit->worm, 4);
        at = anl_put_bytes(at, flit->index, 2);
        *at++ = flit->vc;
        *at = (uint8_t)(flit->head + 2 * flit->tail);
    }
}

uint64_t anl_digest_value(const struct anl_digest *digest)
{
    XXH3_copyState(digest->snapshot, digest->state);
    XXH3_64bits_update(digest->snapshot, digest->bytes, digest->used);
    return XXH3_64bits_digest(digest->snapshot);
}

// Clears the bytes of the buffer that the hash will not read: it reads those that it has not yet
// mixed, and those at the end, which it has mixed last.
static void clear_unread(XXH3_state_t *state)
{
    enum { LAST_MIXED = 64 };
    const bool mixed = state->totalLen > state->bufferedSize;
    const size_t end = sizeof state->buffer - (mixed ? LAST_MIXED : 0);
    if (state->bufferedSize < end)
        memset(&state->buffer[state->bufferedSize], 0, end - state->bufferedSize);
}

// Packs the state of the hash, of which the secret is the one of a new state. Its fields have their
// meaning in one version of the library.
static void pack_hash(XXH3_state_t *state, struct anl_pack *pack)
{
    uint32_t version = XXH_versionNumber();
    uint64_t stripes = state->nbStripesSoFar;
    if (!pack->from) clear_unread(state);
    ANL_PACK(pack, version);
    anl_pack_expect(pack, version == XXH_versionNumber() && version == XXH_VERSION_NUMBER);
    for (size_t i = 0; i < sizeof state->acc / sizeof *state->acc; i++)
        ANL_PACK(pack, state->acc[i]);
    ANL_PACK_BELOW(pack, state->bufferedSize, sizeof state->buffer + 1);
    anl_pack_bytes(pack, state->buffer, sizeof state->buffer);
    ANL_PACK_BELOW(pack, stripes, state->nbStripesPerBlock + 1);
    state->nbStripesSoFar = stripes;
    ANL_PACK(pack, state->totalLen);
}

void anl_digest_pack(struct anl_digest *digest, struct anl_pack *pack)
{
    uint32_t used = (uint32_t)digest->used;
    pack_hash(digest->state, pack);
    ANL_PACK_BELOW(pack, used, CAPACITY + 1);
    digest->used = used;
    anl_pack_bytes(pack, digest->bytes, used);
}
