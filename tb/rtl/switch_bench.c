// SPDX-License-Identifier: Apache-2.0

#include "switch_bench.h"

#include "heads.h"

// ---------------------------------------------------------------- bits of flits

static uint64_t field(uint64_t bits, unsigned lsb, unsigned width)
{
    return bits >> lsb & ones(width);
}

static uint64_t with_field(uint64_t bits, unsigned lsb, unsigned width, uint64_t value)
{
    return (bits & ~(ones(width) << lsb)) | value << lsb;
}

static bool has_length(const struct switch_bench *b)
{
    return says_length(b->s.shape.flow_control, b->layout.length_in_head);
}

static struct head_places places(const struct switch_bench *b)
{
    return head_places(b->layout.dst_w, b->s.shape.arbiter, b->s.shape.flow_control,
                       b->layout.length_in_head);
}

struct oracle_flit flit_of(const struct switch_bench *b, uint64_t bits)
{
    const bool stamped = scan_is_stamped(b->s.shape.arbiter);
    return (struct oracle_flit){.head = field(bits, b->layout.flit_w + 1, 1) != 0,
                                .tail = field(bits, b->layout.flit_w, 1) != 0,
                                .length = (uint16_t)field(bits, b->layout.dst_w, 7),
                                .rank = (uint16_t)(stamped ? field(bits, places(b).rank, 16) : 0),
                                .data = bits};
}

uint64_t bits_behind(const struct switch_bench *b, const struct oracle_flit *flit)
{
    const unsigned lsb = places(b).path, width = b->layout.list_w;
    if (!flit->head) return flit->data;
    return with_field(flit->data, lsb, width, field(flit->data, lsb, width) >> b->layout.path_w);
}

void enter_lane(struct switch_bench *b, unsigned p, unsigned v, uint64_t bits)
{
    const struct oracle_flit flit = flit_of(b, bits);
    oracle_enter(&b->s.in[p][v], &flit);
}

// Most distances are equal for a while; the others differ from them in one bit, which then decides.
static uint64_t random_distance(void)
{
    const uint64_t usual = (mood(1) * 0x9E37u ^ mood(2) * 0x3C6Fu) & 0xffff;
    return chance(50) ? usual : usual ^ UINT64_C(1) << random_below(16);
}

static uint64_t head_of(const struct switch_bench *b, unsigned p, unsigned length, uint64_t bits)
{
    const struct layout *layout = &b->layout;
    const int arbiter = b->s.shape.arbiter;
    bits = with_field(bits, 0, layout->dst_w, b->destination(b, p));
    if (has_length(b)) bits = with_field(bits, layout->dst_w, 7, length);
    if (arbiter == AGE)
        bits = with_field(bits, places(b).rank, 16, (bench_cycle() - random_below(300)) & 0xffff);
    if (arbiter == FARTHEST) bits = with_field(bits, places(b).rank, 16, random_distance());
    if (layout->list_w)
        bits = with_field(bits, places(b).path, layout->path_w, b->first_port(b, p));
    return bits;
}

uint64_t random_flit(const struct switch_bench *b, unsigned p, unsigned *left)
{
    const struct oracle_shape *shape = &b->s.shape;
    const unsigned longest = admits_whole(shape->flow_control) ? shape->depth : 6;
    const unsigned flit_w = b->layout.flit_w;
    const bool head = *left == 0;
    uint64_t bits = random_bits(flit_w);
    if (head) {
        *left = 1 + (unsigned)random_below(longest);
        bits = head_of(b, p, *left, bits);
    }
    (*left)--;
    return bits | (uint64_t)(*left == 0) << flit_w | (uint64_t)head << (flit_w + 1);
}

// ---------------------------------------------------------------- shapes and routes

static struct oracle_route route_by_bits(const struct oracle_switch *s, struct oracle_place at,
                                         const struct oracle_flit *head)
{
    const struct switch_bench *b = (const void *)s;
    struct oracle_route route = b->route(b, at, field(head->data, 0, b->layout.dst_w),
                                         field(head->data, places(b).path, b->layout.path_w));
    for (unsigned o = 0; b->keeps[at.vc] && o < s->shape.num_ports; o++)
        route.lanes[o] &= (uint8_t)b->keeps[at.vc];
    return route;
}

void reset_bench(struct switch_bench *b)
{
    if (b->layout.path == PATH_DRAWN) b->s.shape.draws = true;
    b->s.route = route_by_bits;
    b->seed = (uint32_t)random_bits(32) | 1;
    oracle_switch_reset(&b->s, b->seed);
}

void set_classes(struct oracle_shape *shape, int classes)
{
    shape->classes = (unsigned)classes;
    for (unsigned c = 0; c < shape->classes; c++)
        shape->weights[c] = c % 2 ? 1 : 2 + c / 2;
}

void set_shape(struct switch_bench *b, const int *p)
{
    b->s.shape = (struct oracle_shape){.num_ports = (unsigned)p[0],
                                       .num_vcs = (unsigned)p[1],
                                       .depth = (unsigned)p[2],
                                       .arbiter = p[5],
                                       .flow_control = p[6]};
    b->layout = (struct layout){.flit_w = (unsigned)p[3],
                                .dst_w = (unsigned)p[4],
                                .length_in_head = p[7] != 0,
                                .path = p[8],
                                .path_w = (unsigned)p[9]};
}

static unsigned spelled_port(const struct switch_bench *b, uint64_t dst, uint64_t path)
{
    return (unsigned)((dst + path) % b->s.shape.num_ports);
}

static struct oracle_route spelled_route(const struct switch_bench *b, struct oracle_place at,
                                         uint64_t dst, uint64_t path)
{
    const unsigned port = spelled_port(b, dst, path);
    struct oracle_route route = oracle_one_port(port, ones(b->s.shape.num_vcs));
    (void)at;
    if (b->layout.path == PATH_GREEDY && port == b->s.shape.num_ports - 2)
        route.lanes[port + 1] = route.lanes[port];
    return route;
}

static uint64_t spelled_destination(const struct switch_bench *b, unsigned p)
{
    uint64_t dst;
    (void)p;
    do
        dst = random_bits(b->layout.dst_w);
    while (b->layout.path == PATH_GREEDY && spelled_port(b, dst, 0) == b->s.shape.num_ports - 1);
    return dst;
}

void spelled_reset(struct switch_bench *b, const int *p)
{
    set_shape(b, p);
    b->route = spelled_route;
    b->destination = spelled_destination;
    reset_bench(b);
}
