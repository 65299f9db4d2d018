// SPDX-License-Identifier: Apache-2.0
//
// The fields of a head, where docs/link.md, "Data of a flit", has them.

#include "bench.h"
#include "heads.h"

#include "oracle/scan.h"

struct state {
    int unused;
};

static struct head_places places(const int *p)
{
    return head_places((unsigned)p[0], p[1], p[2], p[3] != 0);
}

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned width = places(p).path + (unsigned)p[4];
    (void)state;
    put(in, width, random_bits(width));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct head_places at = places(p);
    const unsigned dst_w = (unsigned)p[0], path_w = (unsigned)p[4];
    const uint64_t data = take(in, "data", at.path + path_w);
    (void)state;

    expect(out, "dst", dst_w, data & ones(dst_w));
    expect(out, "length", 7, admits_whole(p[2]) ? data >> at.length & ones(7) : 0);
    expect(out, "rank", 16, scan_is_stamped(p[1]) ? data >> at.rank & ones(16) : 0);
    expect(out, "path", path_w ? path_w : 1, path_w ? data >> at.path : 0);
}

static const struct bench_module module = {
    .name = "anl_head_fields",
    .parameters = "DstW, Arbiter, FlowControl, LengthInHead, PathW",
    .state_bytes = sizeof(struct state),
    .cycles = 2000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
