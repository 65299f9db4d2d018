// SPDX-License-Identifier: Apache-2.0
//
// State as bytes: what is packed is unpacked, bytes are those of the page on any machine, and what
// makes no sense is noted.

#include "unit.h"

#include <annelid/base.h>
#include <string.h>

struct some {
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t pair;
    bool truth;
    char text[3];
};

static void pack_some(struct anl_pack *pack, struct some *some)
{
    ANL_PACK(pack, some->byte);
    ANL_PACK(pack, some->half);
    ANL_PACK(pack, some->word);
    ANL_PACK(pack, some->pair);
    anl_pack_bool(pack, &some->truth);
    anl_pack_bytes(pack, some->text, sizeof some->text);
}

static const struct some some = {0x12, 0x3456, 0x789abcde, 0x0123456789abcdef, true, "ok"};
static const uint8_t bytes_of_some[] = {0x12, 0x56, 0x34, 0xde, 0xbc, 0x9a, 0x78, 0xef, 0xcd, 0xab,
                                        0x89, 0x67, 0x45, 0x23, 0x01, 1,    'o',  'k',  0};

static void low_bytes_come_first(void **state)
{
    struct anl_pack pack = {0};
    struct some packed = some;
    (void)state;
    pack_some(&pack, &packed);
    assert_false(pack.failed);
    assert_int_equal(pack.count, sizeof bytes_of_some);
    assert_memory_equal(pack.bytes, bytes_of_some, sizeof bytes_of_some);
    anl_pack_free(&pack);
    assert_null(pack.bytes);
}

static void what_is_packed_is_unpacked(void **state)
{
    struct anl_pack pack = {.from = bytes_of_some, .count = sizeof bytes_of_some};
    struct some unpacked = {0};
    (void)state;
    pack_some(&pack, &unpacked);
    assert_false(pack.failed);
    assert_int_equal(pack.count, 0);
    assert_int_equal(unpacked.byte, some.byte);
    assert_int_equal(unpacked.half, some.half);
    assert_int_equal(unpacked.word, some.word);
    assert_true(unpacked.pair == some.pair && unpacked.truth);
    assert_string_equal(unpacked.text, some.text);
}

static void too_few_bytes_give_zeros(void **state)
{
    (void)state;
    for (size_t count = 0; count < sizeof bytes_of_some; count++) {
        struct anl_pack pack = {.from = bytes_of_some, .count = count};
        struct some unpacked = {.text = {'o', 'l', 'd'}};
        pack_some(&pack, &unpacked);
        assert_true(pack.failed);
        assert_int_equal(unpacked.text[0], 0);
    }
}

static void what_makes_no_sense_is_noted(void **state)
{
    const uint8_t bytes[] = {7, 7, 2};
    struct anl_pack pack = {.from = bytes, .count = sizeof bytes};
    uint8_t byte = 0;
    bool truth = true;
    (void)state;
    ANL_PACK_BELOW(&pack, byte, 8);
    assert_false(pack.failed);
    assert_int_equal(byte, 7);
    ANL_PACK_BELOW(&pack, byte, 7);
    assert_true(pack.failed);
    assert_int_equal(byte, 0);
    pack.failed = false;
    anl_pack_bool(&pack, &truth);
    assert_true(pack.failed);
    assert_false(truth);
}

static void what_is_taken_is_a_part(void **state)
{
    struct anl_pack pack = {.from = bytes_of_some, .count = sizeof bytes_of_some};
    struct anl_pack taken = anl_pack_take(&pack, 1);
    uint8_t byte;
    (void)state;
    ANL_PACK(&taken, byte);
    assert_false(taken.failed);
    assert_int_equal(byte, some.byte);
    ANL_PACK(&taken, byte);
    assert_true(taken.failed);
    assert_false(pack.failed);
    assert_int_equal(pack.count, sizeof bytes_of_some - 1);
    taken = anl_pack_take(&pack, sizeof bytes_of_some);
    assert_true(pack.failed);
    ANL_PACK(&taken, byte);
    assert_true(taken.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_bytes_come_first),     cmocka_unit_test(what_is_packed_is_unpacked),
        cmocka_unit_test(too_few_bytes_give_zeros), cmocka_unit_test(what_makes_no_sense_is_noted),
        cmocka_unit_test(what_is_taken_is_a_part),
    };
    return cmocka_run_group_tests_name("pack", tests, NULL, NULL);
}
