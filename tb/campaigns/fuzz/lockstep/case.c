// SPDX-License-Identifier: Apache-2.0

#include "case.h"

#include <annelid/network.h>
#include <string.h>

enum { LONGEST = 8, VALUES_OF_A_BYTE = 256 };

bool case_limits_of(const struct anl_config *config, struct case_limits *limits)
{
    bool whole = config->flow_control != ANL_WORMHOLE;  // worms must fit into a lane
    limits->terminals = anl_shape_of(config).terminals;
    limits->longest = whole && config->depth < LONGEST ? config->depth : LONGEST;
    return limits->terminals * CASE_GAPS <= VALUES_OF_A_BYTE;
}

uint8_t case_gap_of(uint32_t g) { return (uint8_t)(g > CASE_AT_ONCE ? g - CASE_AT_ONCE : 0); }

void case_leave_out(struct test_case *test, uint32_t first, uint32_t count)
{
    uint32_t behind = test->count - first - count;
    memmove(&test->worm[first], &test->worm[first + count], behind * sizeof *test->worm);
    test->count -= count;
}

static struct case_worm decode_worm(const struct case_limits *limits, uint32_t first,
                                    uint32_t second)
{
    return (struct case_worm){
        .gap = case_gap_of(first / limits->terminals % CASE_GAPS),
        .source = (uint8_t)(first % limits->terminals),
        .destination = (uint8_t)(second % limits->terminals),
        .length = (uint8_t)(second / limits->terminals % limits->longest + 1),
    };
}

void case_decode(const struct case_limits *limits, const uint8_t *bytes, size_t size,
                 struct test_case *test)
{
    *test = (struct test_case){.seed = size ? bytes[0] : 0};
    for (size_t at = 1; at < size && test->count < CASE_WORMS; at += 2)
        test->worm[test->count++] =
            decode_worm(limits, bytes[at], at + 1 < size ? bytes[at + 1] : 0);
}

size_t case_encode(const struct case_limits *limits, const struct test_case *test, uint8_t *bytes)
{
    size_t size = 0;
    bytes[size++] = test->seed;
    for (uint32_t i = 0; i < test->count; i++) {
        const struct case_worm *worm = &test->worm[i];
        uint32_t g = worm->gap ? worm->gap + CASE_AT_ONCE : 0u;
        bytes[size++] = (uint8_t)(worm->source + limits->terminals * g);
        bytes[size++] = (uint8_t)(worm->destination + limits->terminals * (worm->length - 1u));
    }
    return size;
}

void case_messages(const struct test_case *test, struct anl_message *messages)
{
    uint64_t cycle = 0;
    for (uint32_t i = 0; i < test->count; i++) {
        const struct case_worm *worm = &test->worm[i];
        cycle += worm->gap;
        messages[i] = (struct anl_message){.cycle = cycle,
                                           .source = worm->source,
                                           .destination = worm->destination,
                                           .length = worm->length};
    }
}
