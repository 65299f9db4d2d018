// SPDX-License-Identifier: Apache-2.0
//
// State as bytes: what packs and what unpacks is one function.

#include <annelid/base.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256, MOST_NUMBER = 8 };

static bool make_room(struct anl_pack *pack, size_t more)
{
    if (pack->count + more <= pack->room) return true;
    const size_t room = 2 * (pack->count + more) + FIRST_ROOM;
    uint8_t *grown = realloc(pack->bytes, room);
    if (!grown) return false;
    pack->bytes = grown;
    pack->room = room;
    return true;
}

// Returns where the next bytes are; NULL: there are none.
static const uint8_t *next(struct anl_pack *pack, size_t count)
{
    const uint8_t *at = pack->from;
    if (!anl_pack_expect(pack, !pack->failed && count <= pack->count)) return NULL;
    pack->from += count;
    pack->count -= count;
    return at;
}

void anl_pack_bytes(struct anl_pack *pack, void *bytes, size_t count)
{
    if (count == 0) return;
    if (pack->from) {
        const uint8_t *at = next(pack, count);
        if (at)
            memcpy(bytes, at, count);
        else
            memset(bytes, 0, count);
    } else if (anl_pack_expect(pack, !pack->failed && make_room(pack, count))) {
        memcpy(&pack->bytes[pack->count], bytes, count);
        pack->count += count;
    }
}

static uint64_t value_of(const void *number, size_t bytes)
{
    switch (bytes) {
    case 1:
        return *(const uint8_t *)number;
    case 2:
        return *(const uint16_t *)number;
    case 4:
        return *(const uint32_t *)number;
    default:
        return *(const uint64_t *)number;
    }
}

static void set_value(void *number, size_t bytes, uint64_t value)
{
    switch (bytes) {
    case 1:
        *(uint8_t *)number = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)number = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)number = (uint32_t)value;
        break;
    default:
        *(uint64_t *)number = value;
    }
}

void anl_pack_number(struct anl_pack *pack, void *number, size_t bytes)
{
    uint8_t packed[MOST_NUMBER];
    uint64_t value = pack->from ? 0 : value_of(number, bytes);
    for (size_t i = 0; i < bytes; i++)
        packed[i] = (uint8_t)(value >> 8 * i);
    anl_pack_bytes(pack, packed, bytes);
    if (!pack->from) return;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)packed[i] << 8 * i;
    set_value(number, bytes, value);
}

void anl_pack_bool(struct anl_pack *pack, bool *truth)
{
    uint8_t byte = *truth;
    ANL_PACK_BELOW(pack, byte, 2);
    *truth = byte;
}

bool anl_pack_expect(struct anl_pack *pack, bool right)
{
    pack->failed |= !right;
    return right;
}

struct anl_pack anl_pack_take(struct anl_pack *pack, size_t count)
{
    const uint8_t *at = next(pack, count);
    return (struct anl_pack){.from = at ? at : (const uint8_t *)"", .count = at ? count : 0};
}

void anl_pack_free(struct anl_pack *pack)
{
    free(pack->bytes);
    *pack = (struct anl_pack){0};
}
