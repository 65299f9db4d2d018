// SPDX-License-Identifier: Apache-2.0
//
// Traces against docs/trace.md: what is written is read back, the digest is that of the bytes that
// the page gives, and no damaged trace is accepted.

#include "unit.h"

#include <annelid/base.h>
#include <annelid/trace.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#define LENGTH_OF(array) (sizeof(array) / sizeof *(array))
#define HEAD "annelid-trace 1\nseed 7\n| a: 1\n"
#define WORM "worm 0 3 0 2 0\n"

static char directory[] = "/tmp/test_trace.XXXXXX";

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

struct path {
    char text[64];
};

static struct path in_directory(const char *name)
{
    struct path path;
    snprintf(path.text, sizeof path.text, "%s/%s", directory, name);
    return path;
}

// --- bytes ---

struct bytes {
    uint8_t *at;
    size_t size;
};

static void append(struct bytes *bytes, const void *from, size_t size)
{
    bytes->at = realloc(bytes->at, bytes->size + size + 1);
    assert_non_null(bytes->at);
    if (size > 0) memcpy(bytes->at + bytes->size, from, size);
    bytes->size += size;
}

static void append_number(struct bytes *bytes, uint64_t value, unsigned count)
{
    for (; count > 0; count--, value >>= 8)
        append(bytes, &(uint8_t){(uint8_t)value}, 1);
}

static struct bytes from_hex(const char *hex)
{
    struct bytes bytes = {0};
    unsigned value;
    for (int used; sscanf(hex, "%2x%n", &value, &used) == 1; hex += used)
        append_number(&bytes, value, 1);
    return bytes;
}

static struct bytes file_bytes(const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &status), 0);
    struct bytes bytes = {malloc((size_t)status.st_size + 1), (size_t)status.st_size};
    assert_non_null(bytes.at);
    assert_int_equal(fread(bytes.at, 1, bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

// --- records in memory ---

struct records {
    struct anl_record *at;
    size_t count, worms, flits;
};

static void add_record(struct records *records, struct anl_record record)
{
    if ((records->count & (records->count - 1)) == 0)  // 0 or a power of two: the room is used up
        records->at = realloc(records->at, (2 * records->count + 1) * sizeof record);
    assert_non_null(records->at);
    records->at[records->count++] = record;
}

static void add_worm(struct records *records, struct anl_worm worm)
{
    worm.id = (uint32_t)records->worms++;
    add_record(records, (struct anl_record){ANL_RECORD_WORM, worm.created, .worm = worm});
}

static uint16_t length_of(const struct records *records, uint32_t id)
{
    for (size_t i = 0; i < records->count; i++)
        if (records->at[i].kind == ANL_RECORD_WORM && records->at[i].worm.id == id)
            return records->at[i].worm.length;
    fail_msg("no worm %" PRIu32, id);
    return 0;
}

static void add_flit(struct records *records, uint64_t cycle, struct anl_flit flit)
{
    flit.head = flit.index == 0;
    flit.tail = flit.index == length_of(records, flit.worm) - 1;
    records->flits++;
    add_record(records, (struct anl_record){ANL_RECORD_FLIT, cycle, .flit = flit});
}

static void hash_number(XXH3_state_t *hash, uint64_t value, unsigned count)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < count; i++, value >>= 8)
        bytes[i] = (uint8_t)value;
    XXH3_64bits_update(hash, bytes, count);
}

// The digest of the bytes that docs/trace.md says are hashed.
static uint64_t expected_digest(const struct records *records)
{
    XXH3_state_t *hash = XXH3_createState();
    assert_non_null(hash);
    XXH3_64bits_reset(hash);
    for (size_t i = 0; i < records->count; i++) {
        const struct anl_record *record = &records->at[i];
        bool worm = record->kind == ANL_RECORD_WORM;
        const bool classed = worm && (record->worm.class_ > 0 || record->worm.role > 0);
        const struct anl_dependencies *waited = worm ? record->worm.dependencies : NULL;
        const unsigned worm_tag = record->worm.route ? (classed ? 7 : 5) : (classed ? 6 : 1);
        const bool given = worm && record->worm.has_path;
        hash_number(hash, worm ? worm_tag + (waited ? 8 : 0) + (given ? 16 : 0) : 2, 1);
        hash_number(hash, record->cycle, 8);
        hash_number(hash, worm ? record->worm.id : record->flit.link, 4);
        hash_number(hash, worm ? record->worm.source : record->flit.worm, 4);
        if (worm) hash_number(hash, record->worm.destination, 4);
        hash_number(hash, worm ? record->worm.length : record->flit.index, 2);
        if (classed) hash_number(hash, record->worm.class_, 1);
        if (classed) hash_number(hash, record->worm.role, 1);
        if (worm && record->worm.route) hash_number(hash, record->worm.route_length, 2);
        for (unsigned p = 0; worm && p < record->worm.route_length; p++)
            hash_number(hash, record->worm.route[p], 1);
        if (given) hash_number(hash, record->worm.path, 4);
        if (waited) hash_number(hash, waited->earliest, 8);
        if (waited) hash_number(hash, waited->count, 2);
        for (uint32_t w = 0; waited && w < waited->count; w++) {
            hash_number(hash, waited->after[w].worm, 4);
            hash_number(hash, waited->after[w].cycles, 4);
        }
        if (!worm) hash_number(hash, record->flit.vc, 1);
        if (!worm) hash_number(hash, record->flit.head + 2u * record->flit.tail, 1);
    }
    uint64_t digest = XXH3_64bits_digest(hash);
    XXH3_freeState(hash);
    return digest;
}

static void write_trace(const struct records *records, const char *path, enum anl_trace_form form,
                        uint64_t seed, const char *scenario, uint64_t cycles)
{
    struct anl_error error = {0};
    struct anl_trace_writer *writer;
    assert_int_equal(anl_trace_create(path, form, seed, scenario, &writer, &error), ANL_OK);
    for (size_t i = 0; i < records->count; i++) {
        if (records->at[i].kind == ANL_RECORD_WORM)
            anl_trace_worm(writer, &records->at[i].worm);
        else
            anl_trace_flits(writer, records->at[i].cycle, &records->at[i].flit, 1);
    }
    assert_int_equal(anl_trace_finish(writer, cycles, &error), ANL_OK);
}

static void assert_same_record(const struct anl_record *seen, const struct anl_record *expected)
{
    assert_int_equal(seen->kind, expected->kind);
    assert_int_equal(seen->cycle, expected->cycle);
    assert_int_equal(seen->worm.id, expected->worm.id);
    assert_int_equal(seen->worm.source, expected->worm.source);
    assert_int_equal(seen->worm.destination, expected->worm.destination);
    assert_int_equal(seen->worm.length, expected->worm.length);
    assert_int_equal(seen->worm.created, expected->worm.created);
    assert_int_equal(seen->worm.class_, expected->worm.class_);
    assert_int_equal(seen->worm.role, expected->worm.role);
    assert_int_equal(seen->worm.route_length, expected->worm.route_length);
    assert_int_equal(!seen->worm.route, !expected->worm.route);
    assert_int_equal(seen->worm.has_path, expected->worm.has_path);
    assert_int_equal(seen->worm.path, expected->worm.path);
    for (unsigned p = 0; p < seen->worm.route_length; p++)
        assert_int_equal(seen->worm.route[p], expected->worm.route[p]);
    const struct anl_dependencies *a = seen->worm.dependencies, *b = expected->worm.dependencies;
    assert_int_equal(!a, !b);
    assert_int_equal(a ? a->earliest : 0, b ? b->earliest : 0);
    assert_int_equal(a ? a->count : 0, b ? b->count : 0);
    if (a) assert_memory_equal(a->after, b->after, a->count * sizeof *a->after);
    assert_int_equal(seen->flit.link, expected->flit.link);
    assert_int_equal(seen->flit.worm, expected->flit.worm);
    assert_int_equal(seen->flit.index, expected->flit.index);
    assert_int_equal(seen->flit.vc, expected->flit.vc);
    assert_int_equal(seen->flit.head, expected->flit.head);
    assert_int_equal(seen->flit.tail, expected->flit.tail);
}

static void assert_reads_as(const char *path, enum anl_trace_form form, uint64_t seed,
                            const char *scenario, const struct records *records, uint64_t cycles)
{
    struct anl_error error = {0};
    struct anl_trace_reader *reader;
    struct anl_record record;
    if (anl_trace_open(path, &reader, &error) != ANL_OK) fail_msg("%s", error.text);
    assert_int_equal(anl_trace_form_of(reader), form);
    assert_int_equal(anl_trace_seed(reader), seed);
    assert_string_equal(anl_trace_scenario_text(reader), scenario);
    for (size_t i = 0; i < records->count; i++) {
        if (anl_trace_next(reader, &record, &error) != ANL_OK) fail_msg("%zu: %s", i, error.text);
        assert_same_record(&record, &records->at[i]);
    }
    if (anl_trace_next(reader, &record, &error) != ANL_OK) fail_msg("%s", error.text);
    assert_int_equal(record.kind, ANL_RECORD_END);
    assert_int_equal(record.cycle, cycles);
    assert_int_equal(record.flits, records->flits);
    assert_int_equal(record.digest, expected_digest(records));
    anl_trace_close(reader);
}

// The same records, three at a time.
static void assert_reads_in_parts(const char *path, const struct records *records)
{
    struct anl_error error = {0};
    struct anl_trace_reader *reader;
    if (anl_trace_open(path, &reader, &error) != ANL_OK) fail_msg("%s", error.text);
    struct anl_record part[3];
    size_t read = 0, count;
    do {
        if (anl_trace_read(reader, part, LENGTH_OF(part), &count, &error) != ANL_OK)
            fail_msg("%zu: %s", read, error.text);
        for (size_t i = 0; i < count && read + i < records->count; i++)
            assert_same_record(&part[i], &records->at[read + i]);
        read += count;
    } while (count == LENGTH_OF(part) && part[count - 1].kind != ANL_RECORD_END);
    assert_int_equal(read, records->count + 1);
    assert_int_equal(part[count - 1].kind, ANL_RECORD_END);
    assert_int_equal(anl_trace_read(reader, part, LENGTH_OF(part), &count, &error), ANL_OK);
    assert_int_equal(count, 0);
    anl_trace_close(reader);
}

static void assert_round_trip(const struct records *records, uint64_t seed, const char *given,
                              const char *scenario, uint64_t cycles)
{
    struct path path = in_directory("trace");
    for (enum anl_trace_form form = ANL_TRACE_TEXT; form <= ANL_TRACE_BINARY; form++) {
        write_trace(records, path.text, form, seed, given, cycles);
        assert_reads_as(path.text, form, seed, scenario, records, cycles);
        assert_reads_in_parts(path.text, records);
        remove(path.text);
    }
}

// Reads to the end or to the first error.
static enum anl_status read_to_end(const void *bytes, size_t size, struct anl_record *record,
                                   struct anl_error *error)
{
    struct anl_trace_reader *reader;
    enum anl_status status = anl_trace_open_memory(bytes, size, "trace", &reader, error);
    if (status != ANL_OK) return status;
    do
        status = anl_trace_next(reader, record, error);
    while (status == ANL_OK && record->kind != ANL_RECORD_END);
    anl_trace_close(reader);
    return status;
}

static enum anl_status read_all(const void *bytes, size_t size, struct anl_error *error)
{
    struct anl_record record;
    return read_to_end(bytes, size, &record, error);
}

// --- round trips ---

static void reads_back_edge_values(void **state)
{
    (void)state;
    struct records records = {0};
    add_worm(&records, (struct anl_worm){
                           .source = UINT32_MAX, .destination = UINT32_MAX, .length = UINT16_MAX});
    add_worm(&records, (struct anl_worm){.length = 1});
    add_flit(&records, 0, (struct anl_flit){.link = 0, .worm = 1});
    add_flit(&records, 0, (struct anl_flit){.link = 1, .worm = 0, .vc = UINT8_MAX});
    add_flit(&records, 0, (struct anl_flit){.link = UINT32_MAX, .index = UINT16_MAX - 1});
    add_worm(&records, (struct anl_worm){
                           .source = 1, .destination = 2, .length = 2, .created = UINT64_MAX - 1});
    add_flit(&records, UINT64_MAX - 1, (struct anl_flit){.link = UINT32_MAX, .worm = 2});
    assert_round_trip(&records, UINT64_MAX, "a: 1\n\n| b\n", "a: 1\n\n| b\n", UINT64_MAX);
    free(records.at);
}

static void reads_back_an_empty_run(void **state)
{
    (void)state;
    struct records none = {0};
    assert_round_trip(&none, 0, "", "", 0);
    assert_round_trip(&none, 1, "no newline", "no newline\n", 5);
}

// Gives a worm a part of a long route, often a short one.
static void give_route(struct anl_rng *rng, struct anl_worm *worm)
{
    static uint8_t ports[1024];
    for (size_t i = 0; i < sizeof ports; i++)
        ports[i] = (uint8_t)(i * i % 211 % ANL_MAX_PORTS);
    const uint32_t longest = anl_rng_below(rng, 4) ? 12 : ANL_MAX_FLIT_WIDTH_BITS;
    worm->route_length = (uint16_t)(1 + anl_rng_below(rng, longest));
    worm->route = ports + anl_rng_below(rng, sizeof ports - ANL_MAX_FLIT_WIDTH_BITS);
}

// Lets a worm have waited for some before it.
static void give_dependencies(struct anl_rng *rng, struct anl_worm *worm, uint32_t worms)
{
    static struct anl_after after[64][ANL_MAX_AFTER];
    static struct anl_dependencies made[64];
    const bool many = worms >= 32 && anl_rng_below(rng, 8) == 0;  // not in short traces
    const uint32_t place = worms % 64, most = many ? ANL_MAX_AFTER : 3;
    made[place] = (struct anl_dependencies){anl_rng_next(rng) >> anl_rng_below(rng, 64),
                                            after[place], 1 + anl_rng_below(rng, most)};
    for (uint32_t i = 0; i < made[place].count; i++)
        after[place][i] =
            (struct anl_after){anl_rng_below(rng, worms),
                               1 + (uint32_t)(anl_rng_next(rng) >> 33 >> anl_rng_below(rng, 31))};
    worm->dependencies = &made[place];
}

static struct records random_records(struct anl_rng *rng, unsigned busy_cycles, uint64_t *cycles)
{
    struct records records = {0};
    uint64_t cycle = 0;
    for (unsigned busy = 0; busy < busy_cycles; busy++) {
        cycle +=
            anl_rng_below(rng, 3) ? 1 : 1 + (anl_rng_next(rng) >> anl_rng_below(rng, 64)) / 999;
        for (uint32_t i = anl_rng_below(rng, 3); i > 0; i--) {
            struct anl_worm worm = {.source = (uint32_t)anl_rng_next(rng),
                                    .destination = (uint32_t)anl_rng_next(rng),
                                    .length = (uint16_t)(1 + anl_rng_below(rng, 300)),
                                    .created = cycle};
            const uint32_t way = anl_rng_below(rng, 4);
            if (way == 0) give_route(rng, &worm);
            worm.has_path = way == 1;
            if (way == 1) worm.path = (uint32_t)anl_rng_next(rng);
            if (anl_rng_below(rng, 2)) worm.class_ = (uint8_t)anl_rng_below(rng, ANL_MAX_VCS);
            if (anl_rng_below(rng, 2)) worm.role = (uint8_t)anl_rng_below(rng, ANL_REPLY + 1);
            if (records.worms && records.worms < 64 && anl_rng_below(rng, 2))
                give_dependencies(rng, &worm, (uint32_t)records.worms);
            add_worm(&records, worm);
        }
        uint64_t link = anl_rng_next(rng) >> (32 + anl_rng_below(rng, 32));
        while (records.worms > 0 && link <= UINT32_MAX && anl_rng_below(rng, 8)) {
            uint32_t worm = anl_rng_below(rng, (uint32_t)records.worms);
            uint32_t length = length_of(&records, worm);
            add_flit(&records, cycle,
                     (struct anl_flit){(uint32_t)link, worm, (uint16_t)anl_rng_below(rng, length),
                                       (uint8_t)anl_rng_below(rng, 256), 0, 0});
            link += 1 + (anl_rng_next(rng) >> (32 + anl_rng_below(rng, 32)));
        }
    }
    *cycles = cycle + 1;
    return records;
}

static void reads_back_random_traces(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct anl_rng rng = anl_rng_seed(seed, 0);
        uint64_t cycles;
        struct records records = random_records(&rng, 200, &cycles);
        assert_round_trip(&records, seed, "x", "x\n", cycles);
        free(records.at);
    }
}

static void reads_remarks_anywhere(void **state)
{
    (void)state;
    struct records none = {0};
    char text[256];
    struct anl_error error = {0};
    int size = snprintf(text, sizeof text,
                        "annelid-trace 1\n#\nseed 7\n# a\n| a\n#\n| b\n# c\nend 1 0 %016" PRIx64
                        "\n# after\n",
                        expected_digest(&none));
    assert_int_equal(read_all(text, (size_t)size, &error), ANL_OK);
    struct anl_trace_reader *reader;
    assert_int_equal(anl_trace_open_memory(text, (size_t)size, "trace", &reader, &error), ANL_OK);
    assert_string_equal(anl_trace_scenario_text(reader), "a\nb\n");
    anl_trace_close(reader);
}

static void large_traces_stay_ordered(void **state)
{
    (void)state;
    enum { CYCLES = 3000, LINKS = 100 };
    struct path path = in_directory("trace");
    struct anl_trace_writer *writer;
    struct anl_error error = {0};
    struct anl_flit flits[LINKS] = {0};
    for (enum anl_trace_form form = ANL_TRACE_TEXT; form <= ANL_TRACE_BINARY; form++) {
        assert_int_equal(anl_trace_create(path.text, form, 1, "x", &writer, &error), ANL_OK);
        anl_trace_worm(writer, &(struct anl_worm){.length = UINT16_MAX});
        for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
            for (unsigned i = 0; i < LINKS; i++)
                flits[i] = (struct anl_flit){.link = 7 * i, .index = (uint16_t)(cycle + 1)};
            anl_trace_flits(writer, cycle, flits, LINKS);
        }
        assert_int_equal(anl_trace_finish(writer, CYCLES, &error), ANL_OK);
        struct bytes bytes = file_bytes(path.text);
        if (read_all(bytes.at, bytes.size, &error) != ANL_OK) fail_msg("%s", error.text);
        free(bytes.at);
        struct anl_trace_reader *reader;
        assert_int_equal(anl_trace_open(path.text, &reader, &error), ANL_OK);
        struct anl_record record = {.kind = ANL_RECORD_WORM};
        while (record.kind != ANL_RECORD_END)
            assert_int_equal(anl_trace_next(reader, &record, &error), ANL_OK);
        assert_int_equal(record.flits, CYCLES * LINKS);
        anl_trace_close(reader);
        remove(path.text);
    }
}

// --- digest ---

static void a_route_is_in_the_digest(void **state)
{
    (void)state;
    static const uint8_t packed[] = {5, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3,
                                     0, 0, 0, 1, 2, 0, 0, 2, 0, 3, 0, 7, 0, 31};
    struct anl_digest *digest;
    assert_int_equal(anl_digest_create(&digest), ANL_OK);
    anl_digest_worm(digest, &(struct anl_worm){.source = 3,
                                               .destination = 513,
                                               .length = 2,
                                               .created = 5,
                                               .route = (const uint8_t[]){7, 0, 31},
                                               .route_length = 3});
    assert_int_equal(anl_digest_value(digest), XXH3_64bits(packed, sizeof packed));
    anl_digest_destroy(digest);
}

static void a_path_is_in_the_digest(void **state)
{
    (void)state;
    static const uint8_t packed[] = {17, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3,
                                     0,  0, 0, 1, 2, 0, 0, 2, 0, 9, 1, 0, 0};
    struct anl_digest *digest;
    assert_int_equal(anl_digest_create(&digest), ANL_OK);
    anl_digest_worm(digest, &(struct anl_worm){.source = 3,
                                               .destination = 513,
                                               .length = 2,
                                               .created = 5,
                                               .path = 265,
                                               .has_path = true});
    assert_int_equal(anl_digest_value(digest), XXH3_64bits(packed, sizeof packed));
    anl_digest_destroy(digest);
}

static void class_and_role_are_in_the_digest(void **state)
{
    (void)state;
    static const uint8_t plain[] = {6, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                    3, 0, 0, 0, 1, 2, 0, 0, 2, 0, 0, 1};
    static const uint8_t routed[] = {7, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3,
                                     0, 0, 0, 1, 2, 0, 0, 2, 0, 4, 0, 1, 0, 31};
    struct anl_worm worm = {
        .source = 3, .destination = 513, .length = 2, .created = 5, .role = ANL_REQUEST};
    struct anl_digest *digest;
    assert_int_equal(anl_digest_create(&digest), ANL_OK);
    anl_digest_worm(digest, &worm);
    assert_int_equal(anl_digest_value(digest), XXH3_64bits(plain, sizeof plain));
    anl_digest_destroy(digest);
    worm.class_ = 4;
    worm.role = ANL_PLAIN;
    worm.route = (const uint8_t[]){31};
    worm.route_length = 1;
    assert_int_equal(anl_digest_create(&digest), ANL_OK);
    anl_digest_worm(digest, &worm);
    assert_int_equal(anl_digest_value(digest), XXH3_64bits(routed, sizeof routed));
    anl_digest_destroy(digest);
}

static void what_a_worm_has_waited_for_is_in_the_digest(void **state)
{
    (void)state;
    static const uint8_t plain[] = {9, 5, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0,
                                    1, 2, 0, 0, 2, 0, 2, 1, 0, 0, 0, 0, 0, 0, 2, 0, 6,
                                    0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    const struct anl_after after[] = {{6, 1}, {1, 256}};
    const struct anl_dependencies waited = {258, after, 2};
    struct anl_digest *digest;
    assert_int_equal(anl_digest_create(&digest), ANL_OK);
    anl_digest_worm(digest, &(struct anl_worm){.id = 7,
                                               .source = 3,
                                               .destination = 513,
                                               .length = 2,
                                               .created = 5,
                                               .dependencies = &waited});
    assert_int_equal(anl_digest_value(digest), XXH3_64bits(plain, sizeof plain));
    anl_digest_destroy(digest);
}

static void digest_is_that_of_the_document(void **state)
{
    (void)state;
    static const uint8_t packed[] = {
        1, 5, 0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 3, 0, 0, 0, 1, 2, 0, 0, 2, 0,  // worm 0 3 513 2 5
        2, 5, 0, 0, 0, 0, 0, 0, 0, 23, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1,        // flit 5 23 4 H 0 0
        2, 0, 1, 0, 0, 0, 0, 0, 0, 9,  0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2,        // flit 256 9 0 T 0 1
    };
    struct anl_digest *digest;
    assert_int_equal(anl_digest_create(&digest), ANL_OK);
    assert_int_equal(anl_digest_value(digest), XXH3_64bits(NULL, 0));
    anl_digest_worm(digest,
                    &(struct anl_worm){.source = 3, .destination = 513, .length = 2, .created = 5});
    assert_int_equal(anl_digest_value(digest), XXH3_64bits(packed, 23));
    anl_digest_flits(digest, 5, &(struct anl_flit){23, 0, 0, 4, true, false}, 1);
    anl_digest_flits(digest, 256, &(struct anl_flit){9, 0, 1, 0, false, true}, 1);
    assert_int_equal(anl_digest_value(digest), XXH3_64bits(packed, sizeof packed));
    anl_digest_destroy(digest);
}

static void digest_does_not_depend_on_batches(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static struct anl_flit flits[COUNT];
    struct anl_digest *whole, *single;
    struct records records = {0};
    assert_int_equal(anl_digest_create(&whole), ANL_OK);
    assert_int_equal(anl_digest_create(&single), ANL_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        flits[i] = (struct anl_flit){3 * i, i, (uint16_t)i, (uint8_t)i, i % 2, i % 3 == 0};
        add_record(&records, (struct anl_record){ANL_RECORD_FLIT, 8, .flit = flits[i]});
        anl_digest_flits(single, 8, &flits[i], 1);
        if (i % 100 == 0) anl_digest_value(single);
    }
    anl_digest_flits(whole, 8, flits, COUNT);
    assert_int_equal(anl_digest_value(whole), expected_digest(&records));
    assert_int_equal(anl_digest_value(single), expected_digest(&records));
    anl_digest_destroy(whole);
    anl_digest_destroy(single);
    free(records.at);
}

// --- damage: text ---

struct damaged_text {
    const char *text;
    uint64_t line;
    const char *message;
};

static const struct damaged_text damaged_texts[] = {
    {"", 0, "empty; expected a trace"},
    {"annelid-trace 1", 1, "line without newline"},
    {"hello\n", 1, "first line \"hello\"; expected \"annelid-trace 1\""},
    {"annelid-trace 2\nseed 7\n", 1, "first line \"annelid-trace 2\""},
    {"annelid-trace 1\r\nseed 7\r\n", 1, "first line \"annelid-trace 1\\x0d\""},
    {"# remark\nannelid-trace 1\n", 1, "first line \"# remark\""},
    {"annelid-trace 1\n", 2, "file ends here; expected \"seed\""},
    {"annelid-trace 1\n| a: 1\n", 2, "\"| a: 1\"; expected \"seed\""},
    {"annelid-trace 1\nseed\n", 2, "seed with 0 fields; expected 1, seed is missing"},
    {"annelid-trace 1\nseed -1\n", 2, "seed \"-1\"; expected a number 0..18446744073709551615"},
    {"annelid-trace 1\nseed 18446744073709551616\n", 2, "seed \"18446744073709551616\""},
    {"annelid-trace 1\nseed 99999999999999999999999\n", 2, "seed \"99999999999999999999999\""},
    {"annelid-trace 1\nseed 07\n", 2, "seed \"07\""},
    {"annelid-trace 1\nseed 7\n|a: 1\n", 3, "\"|a: 1\"; expected a space after the bar"},
    {HEAD, 4, "file ends here without an end record; it is truncated"},
    {HEAD WORM, 5, "file ends here without an end record; it is truncated"},
    {HEAD WORM "| b: 2\n", 5, "\"| b: 2\"; expected \"worm\", \"flit\" or \"end\""},
    {HEAD WORM "\n", 5, "\"\"; expected \"worm\""},
    {HEAD WORM "seed 8\n", 5, "\"seed 8\"; expected \"worm\""},
    {HEAD WORM "wurm 1 0 0 1 0\n", 5, "\"wurm 1 0 0 1 0\"; expected"},
    {HEAD WORM "Worm 1 0 0 1 0\n", 5, "\"Worm 1 0 0 1 0\"; expected"},
    {HEAD WORM "\x1b[2Jworm\n", 5, "\"\\x1b[2Jworm\"; expected"},
    {HEAD "worm 0 3 0 4 0 1 \n", 4, "\"\" after the last field of worm; expected nothing"},
    {HEAD "worm 0 3 0 4 0 1.2 1\n", 4, "\"1\" after the last field of worm"},
    {HEAD "worm 0 3 0 4 0 \n", 4, "route \"\"; expected 1..512 ports 0..31, such as 2.0.1"},
    {HEAD "worm 0 3 0 4 0 path:\n", 4, "\"path:\"; expected path and its number, such as path:5"},
    {HEAD "worm 0 3 0 4 0 path:01\n", 4, "\"path:01\"; expected path and its number"},
    {HEAD "worm 0 3 0 4 0 path:4294967296\n", 4, "\"path:4294967296\"; expected path"},
    {HEAD "worm 0 3 0 4 0 path:1 2.0\n", 4, "\"2.0\" after the last field of worm"},
    {HEAD "worm 0 3 0 4 0 path:1 path:1\n", 4, "\"path:1\" after the last field of worm"},
    {HEAD "worm 0 3 0 4 0 2.0 path:1\n", 4, "\"path:1\" after the last field of worm"},
    {HEAD "worm 0 3 0 4 0 1.\n", 4, "route \"1.\"; expected 1..512 ports"},
    {HEAD "worm 0 3 0 4 0 1.32\n", 4, "route \"1.32\"; expected 1..512 ports 0..31"},
    {HEAD "worm 0 3 0 4 0 01\n", 4, "route \"01\"; expected"},
    {HEAD "worm 0 3 0 4 0 8:reply\n", 4, "class \"8:reply\"; expected a class 0..7 and a role"},
    {HEAD "worm 0 3 0 4 0 1:answer\n", 4, "class \"1:answer\"; expected a class 0..7"},
    {HEAD "worm 0 3 0 4 0 0:plain\n", 4, "class \"0:plain\"; expected a class 0..7"},
    {HEAD "worm 0 3 0 4 0 :reply\n", 4, "class \":reply\"; expected a class 0..7"},
    {HEAD "worm 0 3 0 4 0 1:\n", 4, "class \"1:\"; expected a class 0..7"},
    {HEAD "worm 0 3 0 4 0 after:\n", 4, "\"after:\"; expected after, the earliest cycle, and 1"},
    {HEAD WORM "worm 1 3 0 4 0 after:0:\n", 5, "\"after:0:\"; expected after"},
    {HEAD WORM "worm 1 3 0 4 0 after:0:0\n", 5, "\"after:0:0\"; expected after"},
    {HEAD WORM "worm 1 3 0 4 0 after:0:0+0\n", 5, "\"after:0:0+0\"; expected after"},
    {HEAD WORM "worm 1 3 0 4 0 after:0:0+1,\n", 5, "\"after:0:0+1,\"; expected after"},
    {HEAD WORM "worm 1 3 0 4 0 after::0+1\n", 5, "\"after::0+1\"; expected after"},
    {HEAD WORM "worm 1 3 0 4 0 after:0:0+4294967296\n", 5, "expected after"},
    {HEAD WORM "worm 1 3 0 4 0 after:0:1+1\n", 5, "worm 1 has waited for worm 1; expected one"},
    {HEAD WORM "worm 1 3 0 4 0 after:0:0+1 1\n", 5, "\"1\" after the last field of worm"},
    {HEAD WORM "worm 1 3 0 4 0 after:0:0+1 1:reply\n", 5, "\"1:reply\" after the last field"},
    {HEAD "worm 0 3 0 4 0 1:reply \n", 4, "route \"\"; expected 1..512 ports"},
    {HEAD "worm 0 3 0 4 0 1:reply 2 3\n", 4, "\"3\" after the last field of worm"},
    {HEAD "worm 0 3 0 4 0 2 1:reply\n", 4, "\"1:reply\" after the last field of worm"},
    {HEAD "worm 0 3 0 4 0 1,2\n", 4, "route \"1,2\"; expected"},
    {HEAD "worm  0 3 0 4 0\n", 4, "id \"\"; expected a number"},
    {HEAD " worm 0 3 0 4 0\n", 4, "\" worm 0 3 0 4 0\"; expected"},
    {HEAD "worm\t0 3 0 4 0\n", 4, "\"worm\\x090 3 0 4 0\"; expected"},
    {HEAD "worm 0 3 0 4 0\r\n", 4, "created \"0\\x0d\""},
    {HEAD "worm 0 3 0 4\n", 4, "worm with 4 fields; expected 5, created is missing"},
    {HEAD "worm 1 3 0 4 0\n", 4, "worm 1; expected worm 0"},
    {HEAD "worm -1 3 0 4 0\n", 4, "id \"-1\"; expected a number 0..4294967295"},
    {HEAD "worm 0 4294967296 0 4 0\n", 4, "source \"4294967296\""},
    {HEAD "worm 0 +3 0 4 0\n", 4, "source \"+3\""},
    {HEAD "worm 0 3 0x1 4 0\n", 4, "destination \"0x1\""},
    {HEAD "worm 0 3 0 0 0\n", 4, "length \"0\"; expected a number 1..65535"},
    {HEAD "worm 0 3 0 65536 0\n", 4, "length \"65536\""},
    {HEAD WORM WORM, 5, "worm 0; expected worm 1"},
    {HEAD WORM "worm 2 3 0 1 0\n", 5, "worm 2; expected worm 1"},
    {HEAD "worm 0 3 0 1 5\nworm 1 3 0 1 4\n", 5, "cycle 4 after cycle 5; expected ascending"},
    {HEAD WORM "flit 0 1 0 H 0 0\nworm 1 0 0 1 0\n", 6, "worm 1 after flits of its cycle 0"},
    {HEAD WORM "flit 3 1 0 H 0 0\nflit 2 1 0 T 0 1\n", 6, "cycle 2 after cycle 3"},
    {HEAD WORM "flit 3 1 0 H 0 0\nflit 3 1 0 T 0 1\n", 6, "link 1 after link 1 in cycle 3"},
    {HEAD WORM "flit 3 5 0 H 0 0\nflit 3 4 0 T 0 1\n", 6, "link 4 after link 5 in cycle 3"},
    {HEAD "flit 0 1 0 H 0 0\n", 4, "flit of worm 0; expected one of the 0 worms created so far"},
    {HEAD WORM "flit 0 1 0 H 1 0\n", 5, "flit of worm 1; expected one of the 1 worms"},
    {HEAD WORM "flit 0 1 0 B 0 2\n", 5, "flit 2 of worm 0; expected an index below its length 2"},
    {HEAD WORM "flit 0 1 0 B 0 0\n", 5, "flit 0 of worm 0 marked B; expected H, its length is 2"},
    {HEAD WORM "flit 0 1 0 H 0 1\n", 5, "flit 1 of worm 0 marked H; expected T"},
    {HEAD WORM "flit 0 1 0 S 0 0\n", 5, "flit 0 of worm 0 marked S; expected H"},
    {HEAD WORM "flit 0 1 0 X 0 0\n", 5, "kind \"X\"; expected H, B, T or S"},
    {HEAD WORM "flit 0 1 0 HT 0 0\n", 5, "kind \"HT\""},
    {HEAD WORM "flit 0 1 256 H 0 0\n", 5, "lane \"256\"; expected a number 0..255"},
    {HEAD WORM "flit 0 4294967296 0 H 0 0\n", 5, "link \"4294967296\""},
    {HEAD WORM "flit 0 1 0 H 0 65536\n", 5, "index \"65536\""},
    {HEAD WORM "flit 0 1 0 H 0 0\nend 0 1 0000000000000000\n", 6,
     "end after 0 cycles; expected more, the last record is of cycle 0"},
    {HEAD "worm 0 3 0 1 9\nend 8 0 0000000000000000\n", 5, "end after 8 cycles"},
    {HEAD "worm 0 3 0 1 9\nend 9 0 0000000000000000\n", 5,
     "end after 9 cycles; expected more, the last record is of cycle 9"},
    {HEAD WORM "end 1 1 0000000000000000\n", 5, "end counts 1 flits; expected the 0 read"},
    {HEAD WORM "flit 0 1 0 H 0 0\nend 1 0 0000000000000000\n", 6, "end counts 0 flits"},
    {HEAD WORM "end 1 0 0000000000000000\n", 5, "digest 0000000000000000; expected"},
    {HEAD WORM "end 1 0 0\n", 5, "digest \"0\"; expected 16 digits"},
    {HEAD WORM "end 1 0 000000000000000G\n", 5, "digest \"000000000000000G\""},
    {HEAD WORM "end 1 0 2D06800538D394C2\n", 5, "digest \"2D06800538D394C2\""},
    {HEAD WORM "end 1 0\n", 5, "end with 2 fields; expected 3, digest is missing"},
    // 2d06800538d394c2 is XXH3 of no bytes, for a run without records.
    {HEAD "end 1 0 2d06800538d394c2\n\n", 5, "\"\" after the end record; expected nothing"},
    {HEAD "end 1 0 2d06800538d394c2\nworm 0 0 0 1 0\n", 5, "\"worm 0 0 0 1 0\" after the end"},
    {HEAD "end 1 0 2d06800538d394c2\n# cut", 5, "line without newline"},
    {HEAD "end 1 0 2d06800538d394c2", 4, "line without newline"},
};

static void assert_refused(const void *bytes, size_t size, uint64_t line, uint64_t offset,
                           const char *message)
{
    struct anl_error error = {0};
    enum anl_status status = read_all(bytes, size, &error);
    if (status != ANL_ERR_FORMAT || error.line != line || !strstr(error.text, message) ||
        (line == 0 && error.offset != offset))
        fail_msg("status %d, line %" PRIu64 ", offset %" PRIu64 ": %s\nexpected line %" PRIu64
                 ", offset %" PRIu64 ": %s",
                 status, error.line, error.offset, error.text, line, offset, message);
    assert_string_equal(error.file, "trace");
}

static void refuses_damaged_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH_OF(damaged_texts); i++) {
        const struct damaged_text *damaged = &damaged_texts[i];
        assert_refused(damaged->text, strlen(damaged->text), damaged->line, 0, damaged->message);
    }
}

static void refuses_byte_0_in_text(void **state)
{
    (void)state;
    static const char scenario[] = "annelid-trace 1\nseed 7\n| a\0b\n";
    static const char record[] = HEAD "worm 0\0 3 0 4 0\n";
    assert_refused(scenario, sizeof scenario - 1, 3, 0, "byte 0 in the scenario");
    assert_refused(record, sizeof record - 1, 4, 0, "id \"0\\x00\"");
}

static void refuses_endless_text(void **state)
{
    (void)state;
    struct bytes bytes = {0};
    size_t size = ANL_MAX_SCENARIO_BYTES + 4096;
    char *line = malloc(size);
    assert_non_null(line);
    memset(line, 'a', size);
    append(&bytes, "annelid-trace 1\nseed 7\n", 23);
    append(&bytes, line, size);
    append(&bytes, "\n", 1);
    assert_refused(bytes.at, bytes.size, 3, 0, "line of more than 1048578 bytes");
    bytes.size = 23;
    for (unsigned i = 0; i < 1024; i++) {
        memcpy(line + 1026 * i, "| ", 2);
        line[1026 * i + 1025] = '\n';
    }
    append(&bytes, line, 1024 * 1026);
    assert_refused(bytes.at, bytes.size, 1027, 0, "without an end record");
    append(&bytes, "| \n", 3);
    assert_refused(bytes.at, bytes.size, 1027, 0, "scenario is longer than 1048576 bytes");
    free(line);
    free(bytes.at);
}

// --- damage: binary ---

static void append_frame(struct bytes *bytes, const struct bytes *records)
{
    struct bytes frame = {malloc(ZSTD_compressBound(records->size)), 0};
    assert_non_null(frame.at);
    frame.size =
        ZSTD_compress(frame.at, ZSTD_compressBound(records->size), records->at, records->size, 3);
    assert_false(ZSTD_isError(frame.size));
    append(bytes, frame.at, frame.size);
    free(frame.at);
}

enum { FRAME_START = 26 };

static struct bytes binary_head(void)
{
    struct bytes bytes = {0};
    append(&bytes,
           "\x89"
           "ANLT\r\n\x01",
           8);
    append_number(&bytes, 7, 8);
    append_number(&bytes, 6, 4);
    append(&bytes, "a: 1\nb", 6);
    return bytes;
}

static struct bytes binary_trace(const char *records_hex)
{
    struct bytes bytes = binary_head();
    struct bytes records = from_hex(records_hex);
    append_frame(&bytes, &records);
    free(records.at);
    return bytes;
}

#define EMPTY_END "04 01 00 c2 94 d3 38 05 80 06 2d"

struct damaged_records {
    const char *records;
    const char *message;
};

// The records are: 01 id source destination length; 02 link lane·4+marks worm index; 03 cycles; 04
// end.
static const struct damaged_records damaged_binaries[] = {
    {"", "unpacked byte 0: frame ends without an end record"},
    {"01 00 03 00 02", "unpacked byte 5: frame ends without an end record"},
    {"00", "unpacked byte 0: tag 0; expected 1..7"},
    {"01 00 03 00 02 08", "unpacked byte 5: tag 8; expected 1..7"},
    {"09 00 03 00 02", "unpacked byte 0: earliest cycle: the frame ends here"},
    {"09 00 03 00 02 00 00", "worms waited for 0; expected 1..1024"},
    {"09 00 03 00 02 00 81 08", "worms waited for 1025; expected 1..1024"},
    {"09 00 03 00 02 00 01 00", "cycles: the frame ends here"},
    {"09 00 03 00 02 00 01 00 00", "cycles 0; expected 1..4294967295"},
    {"09 00 03 00 02 00 01 00 01", "worm 0 has waited for worm 0; expected one that was created"},
    {"0a 00 03 00 02", "tag 10; expected 1..7, 9, 13..15"},
    {"06 00 03 00 02", "unpacked byte 0: class: the frame ends here"},
    {"06 00 03 00 02 08 00", "class 8; expected 0..7"},
    {"06 00 03 00 02 07 03", "role 3; expected 0..2"},
    {"06 00 03 00 02 00 00", "class: class 0 and role 0; expected a record without them"},
    {"07 00 03 00 02 01 00 00", "ports 0; expected 1..512"},
    {"05 00 03 00 02", "unpacked byte 0: ports: the frame ends here"},
    {"05 00 03 00 02 00", "ports 0; expected 1..512"},
    {"05 00 03 00 02 81 04", "ports 513; expected 1..512"},
    {"05 00 03 00 02 02 01", "unpacked byte 0: port: the frame ends here"},
    {"05 00 03 00 02 02 01 20", "port 32; expected 0..31"},
    {"01 00 03 00", "unpacked byte 0: length: the frame ends here; expected the rest"},
    {"01 00 83", "unpacked byte 0: source: the frame ends here"},
    {"01 80 00 03 00 02", "unpacked byte 0: id: over-long integer; expected the shortest form"},
    {"01 00 ff ff ff ff 10 00 02", "source 4563402751; expected 0..4294967295"},
    {"03 ff ff ff ff ff ff ff ff ff 02", "advance: over-long integer; expected at most 64 bits"},
    {"03 ff ff ff ff ff ff ff ff ff 81 00", "over-long integer; expected at most 64 bits"},
    {"03 00", "advance 0; expected 1..18446744073709551615"},
    {"03 05 03 fb ff ff ff ff ff ff ff ff 01", "unpacked byte 2: advance 18446744073709551611"},
    {"01 01 03 00 02", "unpacked byte 0: worm 1; expected worm 0"},
    {"01 00 03 00 00", "length 0; expected 1..65535"},
    {"01 00 03 00 80 80 04", "length 65536; expected 1..65535"},
    {"02 01 01 00 00", "flit of worm 0; expected one of the 0 worms created so far"},
    {"01 00 03 00 02 02 01 01 00 00 02 00 02 00 01", "unpacked byte 10: link 1 after link 1"},
    {"01 00 03 00 02 02 01 01 00 00 02 ff ff ff ff 0f 02 00 01", "expected 0..4294967294"},
    {"01 00 03 00 02 02 01 01 00 00 01 01 03 00 02", "worm 1 after flits of its cycle 0"},
    {"01 00 03 00 02 02 01 80 08 00 00", "lane and marks 1024; expected 0..1023"},
    {"01 00 03 00 02 02 01 03 00 00", "flit 0 of worm 0 marked S; expected H"},
    {"01 00 03 00 02 02 01 00 00 02", "flit 2 of worm 0; expected an index below its length 2"},
    {"01 00 03 00 02 02 01 01 00 00 04 00 01 0000000000000000", "end after 0 cycles"},
    {"03 09 01 00 03 00 02 04 08 00 0000000000000000", "end after 8 cycles"},
    {"03 09 01 00 03 00 02 04 09 00 0000000000000000", "end after 9 cycles"},
    {"01 00 03 00 02 04 01 01 0000000000000000", "end counts 1 flits; expected the 0 read"},
    {"01 00 03 00 02 04 01 00 0000000000000000", "digest 0000000000000000; expected"},
    {"04 01 00 c2 94 d3 38 05 80 06", "digest: the frame ends here"},
    {EMPTY_END "04", "unpacked byte 11: bytes after the end record; expected nothing"},
};

static void refuses_damaged_records(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH_OF(damaged_binaries); i++) {
        struct bytes bytes = binary_trace(damaged_binaries[i].records);
        assert_refused(bytes.at, bytes.size, 0, FRAME_START, damaged_binaries[i].message);
        free(bytes.at);
    }
    struct bytes bytes = binary_trace(EMPTY_END);
    assert_int_equal(read_all(bytes.at, bytes.size, NULL), ANL_OK);
    free(bytes.at);
}

static void refuses_damaged_header(void **state)
{
    (void)state;
    static const struct {
        size_t place;
        uint8_t byte;
        uint64_t offset;
        const char *message;
    } damages[] = {
        {2, 'n', 0, "byte 0: magic 89 41 6e 4c 54 0d 0a; expected 89 41 4e 4c 54 0d 0a"},
        {5, '\n', 0, "magic 89 41 4e 4c 54 0a 0a; expected"},
        {7, 2, 0, "version 2; expected 1"},
        {18, 0x11, 0, "scenario of 1114118 bytes; expected at most 1048576"},
        {17, 1, 20, "file ends in the scenario; it is truncated"},
        {16, 7, 27, "byte 27: expected a zstd frame here"},
        {22, 0, 20, "byte 0 in the scenario; expected text"},
        {26, 0x29, 26, "expected a zstd frame here"},
    };
    for (size_t i = 0; i < LENGTH_OF(damages); i++) {
        struct bytes bytes = binary_trace(EMPTY_END);
        bytes.at[damages[i].place] = damages[i].byte;
        assert_refused(bytes.at, bytes.size, 0, damages[i].offset, damages[i].message);
        free(bytes.at);
    }
}

static void refuses_damaged_frames(void **state)
{
    (void)state;
    struct bytes bytes = binary_trace(EMPTY_END);
    size_t whole = bytes.size;
    append(&bytes, "x", 1);
    assert_refused(bytes.at, bytes.size, 0, whole, "bytes after the zstd frame; expected nothing");
    assert_refused(bytes.at, 10, 0, 0, "file ends in the header; it is truncated");
    assert_refused(bytes.at, FRAME_START + 2, 0, FRAME_START, "file ends before its records");
    assert_refused(bytes.at, whole - 1, 0, whole - 1, "file ends in the zstd frame");
    bytes.size = whole;
    struct bytes none = {0};
    append_frame(&bytes, &none);
    assert_refused(bytes.at, bytes.size, 0, whole, "bytes after the zstd frame");
    free(bytes.at);

    bytes = binary_head();
    append(&bytes, "\x28\xB5\x2F\xFDgarbage", 11);
    assert_refused(bytes.at, bytes.size, 0, FRAME_START, "zstd frame is damaged: ");
    free(bytes.at);
}

static void refuses_huge_windows(void **state)
{
    (void)state;
    struct bytes bytes = binary_head();
    uint8_t packed[256];
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, 24);
    ZSTD_outBuffer out = {packed, sizeof packed, 0};
    ZSTD_inBuffer in = {"\x03\x01", 2, 0};
    ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush);
    assert_int_equal(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_end), 0);
    append(&bytes, packed, out.pos);
    assert_refused(bytes.at, bytes.size, 0, FRAME_START, "too much memory");
    ZSTD_freeCCtx(zstd);
    free(bytes.at);
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

// 128 MiB of advances in a file of some 10 KiB, or half as many, must be read in little memory.
static void bombs_are_unpacked_piece_by_piece(void **state)
{
    (void)state;
    struct bytes bytes = binary_head();
    uint8_t plain[4096], packed[4096];
    const unsigned pieces = (1 << 15) / unit_step(2);
    for (size_t i = 0; i < sizeof plain; i++)
        plain[i] = i % 2 ? 1 : 3;
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    for (unsigned i = 0; i < pieces; i++) {
        ZSTD_inBuffer in = {plain, sizeof plain, 0};
        ZSTD_EndDirective directive = i + 1 < pieces ? ZSTD_e_continue : ZSTD_e_end;
        size_t left = 1;
        while (in.pos < in.size || (directive == ZSTD_e_end && left > 0)) {
            ZSTD_outBuffer out = {packed, sizeof packed, 0};
            left = ZSTD_compressStream2(zstd, &out, &in, directive);
            append(&bytes, packed, out.pos);
        }
    }
    ZSTD_freeCCtx(zstd);
    assert_true(bytes.size < 1 << 16);
    long before = peak_kilobytes();
    char said[64];
    snprintf(said, sizeof said, "unpacked byte %zu: frame ends", pieces * sizeof plain);
    assert_refused(bytes.at, bytes.size, 0, FRAME_START, said);
    assert_true(peak_kilobytes() - before < 32 << 10);
    free(bytes.at);
}

// --- every cut, every flipped bit ---

static struct bytes sample(enum anl_trace_form form, uint64_t seed)
{
    struct path path = in_directory("sample");
    struct anl_rng rng = anl_rng_seed(seed, 0);
    uint64_t cycles;
    struct records records = random_records(&rng, 12, &cycles);
    write_trace(&records, path.text, form, seed, "network: {k: 2}\nrun: {}\n", cycles);
    struct bytes bytes = file_bytes(path.text);
    remove(path.text);
    free(records.at);
    return bytes;
}

static void refuses_every_cut(void **state)
{
    (void)state;
    for (enum anl_trace_form form = ANL_TRACE_TEXT; form <= ANL_TRACE_BINARY; form++) {
        struct bytes bytes = sample(form, 3);
        struct anl_error error;
        for (size_t size = 0; size < bytes.size; size++) {
            error = (struct anl_error){0};
            if (read_all(bytes.at, size, &error) != ANL_ERR_FORMAT || !error.text[0])
                fail_msg("form %d passes when cut to %zu bytes", form, size);
        }
        if (read_all(bytes.at, bytes.size, &error) != ANL_OK) fail_msg("%s", error.text);
        free(bytes.at);
    }
}

// Returns whether place is in the number of cycles in the last line of a text, the only field that
// nothing else confirms.
static bool counts_cycles(const struct bytes *text, size_t place)
{
    size_t line = text->size - 1;
    while (text->at[line - 1] != '\n')
        line--;
    const uint8_t *space = memchr(text->at + line + 4, ' ', text->size - line);
    return place >= line + 4 && text->at + place <= space;
}

// The digest guards the records: a text with any bit of a record flipped is refused.
static void refuses_every_flipped_bit_of_text(void **state)
{
    (void)state;
    struct bytes bytes = sample(ANL_TRACE_TEXT, 4);
    size_t head = strlen("annelid-trace 1\nseed 4\n| network: {k: 2}\n| run: {}\n");
    for (size_t i = 8 * head; i < 8 * bytes.size; i += unit_step(5)) {
        if (counts_cycles(&bytes, i / 8)) continue;
        struct anl_error error = {0};
        bytes.at[i / 8] ^= (uint8_t)(1 << i % 8);
        if (read_all(bytes.at, bytes.size, &error) != ANL_ERR_FORMAT || !error.text[0])
            fail_msg("passes with bit %zu of byte %zu flipped", i % 8, i / 8);
        bytes.at[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    free(bytes.at);
}

// Some bits of a zstd frame have no meaning: if a flipped bit is accepted, the records must be the
// same.
static void no_flipped_bit_changes_binary_records(void **state)
{
    (void)state;
    struct bytes bytes = sample(ANL_TRACE_BINARY, 4);
    struct anl_record whole, record;
    unsigned passed = 0;
    assert_int_equal(read_to_end(bytes.at, bytes.size, &whole, NULL), ANL_OK);
    for (size_t i = 8 * (20 + strlen("network: {k: 2}\nrun: {}\n")); i < 8 * bytes.size; i++) {
        struct anl_error error = {0};
        bytes.at[i / 8] ^= (uint8_t)(1 << i % 8);
        enum anl_status status = read_to_end(bytes.at, bytes.size, &record, &error);
        if (status == ANL_OK) {
            assert_int_equal(record.digest, whole.digest);
            assert_int_equal(record.cycle, whole.cycle);
            assert_int_equal(record.flits, whole.flits);
            passed++;
        } else if (status != ANL_ERR_FORMAT || !error.text[0]) {
            fail_msg("status %d with bit %zu of byte %zu flipped", status, i % 8, i / 8);
        }
        bytes.at[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    assert_true(passed < 16);
    free(bytes.at);
}

// --- the system fails ---

static void opening_reports_the_system(void **state)
{
    (void)state;
    struct anl_trace_reader *reader;
    struct anl_error error = {0};
    struct path path = in_directory("missing");
    assert_int_equal(anl_trace_open(path.text, &reader, &error), ANL_ERR_IO);
    assert_null(reader);
    assert_string_equal(error.file, path.text);
    assert_non_null(strstr(error.text, strerror(ENOENT)));
    assert_int_equal(anl_trace_open(directory, &reader, &error), ANL_ERR_IO);
    assert_non_null(strstr(error.text, strerror(EISDIR)));
}

// Returns how many files have names that begin so: the file itself, and temporary files.
static size_t files_of(const char *path)
{
    char pattern[128];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s*", path);
    const size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

static void creating_in_no_directory_fails(void **state)
{
    (void)state;
    struct path path = in_directory("missing/trace");
    struct anl_trace_writer *writer;
    struct anl_error error = {0};
    assert_int_equal(anl_trace_create(path.text, ANL_TRACE_TEXT, 1, "", &writer, &error),
                     ANL_ERR_IO);
    assert_null(writer);
    assert_non_null(strstr(error.text, strerror(ENOENT)));
}

static void abandoning_leaves_nothing(void **state)
{
    (void)state;
    struct path path = in_directory("trace");
    struct anl_trace_writer *writer;
    struct anl_error error = {0};
    struct records none = {0};
    write_trace(&none, path.text, ANL_TRACE_TEXT, 1, "old", 1);
    assert_int_equal(anl_trace_create(path.text, ANL_TRACE_BINARY, 2, "new", &writer, &error),
                     ANL_OK);
    assert_int_equal(files_of(path.text), 2);
    anl_trace_abandon(writer);
    anl_trace_abandon(NULL);
    assert_int_equal(files_of(path.text), 1);
    assert_reads_as(path.text, ANL_TRACE_TEXT, 1, "old\n", &none, 1);
    remove(path.text);
}

// Each writer leaves a whole trace, and the last one stays.
static void two_may_write_at_once(void **state)
{
    (void)state;
    struct path path = in_directory("trace");
    struct anl_trace_writer *one, *other;
    struct anl_error error = {0};
    struct records none = {0};
    assert_int_equal(anl_trace_create(path.text, ANL_TRACE_TEXT, 1, "one", &one, &error), ANL_OK);
    assert_int_equal(anl_trace_create(path.text, ANL_TRACE_BINARY, 2, "other", &other, &error),
                     ANL_OK);
    assert_int_equal(anl_trace_finish(one, 1, &error), ANL_OK);
    assert_reads_as(path.text, ANL_TRACE_TEXT, 1, "one\n", &none, 1);
    assert_int_equal(anl_trace_finish(other, 1, &error), ANL_OK);
    assert_reads_as(path.text, ANL_TRACE_BINARY, 2, "other\n", &none, 1);
    assert_int_equal(files_of(path.text), 1);
    remove(path.text);
}

static void finishing_over_a_directory_fails(void **state)
{
    (void)state;
    struct path path = in_directory("trace");
    struct anl_trace_writer *writer;
    struct anl_error error = {0};
    assert_int_equal(anl_trace_create(path.text, ANL_TRACE_TEXT, 1, "", &writer, &error), ANL_OK);
    assert_int_equal(mkdir(path.text, 0777), 0);
    assert_int_equal(anl_trace_finish(writer, 1, &error), ANL_ERR_IO);
    assert_non_null(strstr(error.text, strerror(EISDIR)));
    assert_int_equal(files_of(path.text), 1);  // only the directory
    rmdir(path.text);
}

static void a_pipe_is_written_directly(void **state)
{
    (void)state;
    struct path path = in_directory("pipe");
    struct anl_trace_writer *writer;
    struct anl_error error = {0};
    char text[256] = "";
    assert_int_equal(mkfifo(path.text, 0600), 0);
    const int reader = open(path.text, O_RDONLY | O_NONBLOCK);  // else its writer waits for one
    assert_true(reader >= 0);
    assert_int_equal(anl_trace_create(path.text, ANL_TRACE_TEXT, 1, "", &writer, &error), ANL_OK);
    assert_int_equal(anl_trace_finish(writer, 1, &error), ANL_OK);
    assert_true(read(reader, text, sizeof text - 1) > 0);
    assert_memory_equal(text, "annelid-trace 1\nseed 1\nend 1 0 ", 31);
    assert_int_equal(files_of(path.text), 1);
    close(reader);
    remove(path.text);
}

static enum anl_status write_flits(const char *path, enum anl_trace_form form, uint64_t count,
                                   struct anl_error *error)
{
    struct anl_trace_writer *writer;
    struct anl_rng rng = anl_rng_seed(1, 0);
    enum anl_status status = anl_trace_create(path, form, 1, "x", &writer, error);
    if (status != ANL_OK) return status;
    anl_trace_worm(writer, &(struct anl_worm){.length = 1});
    for (uint64_t cycle = 0; cycle < count; cycle++) {
        struct anl_flit flit = {(uint32_t)anl_rng_next(&rng), 0, 0, 0, true, true};
        anl_trace_flits(writer, cycle, &flit, 1);
    }
    return anl_trace_finish(writer, count + 1, error);
}

// With few bytes the limit is met only when the file is closed, with many long before.
static void a_full_disk_is_reported(void **state)
{
    (void)state;
    struct path path = in_directory("trace");
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_IGN);
    for (unsigned i = 0; i < 4; i++) {
        struct anl_error error = {0};
        small = (struct rlimit){i < 2 ? 30 : 200000, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        enum anl_status status = write_flits(path.text, i % 2 ? ANL_TRACE_BINARY : ANL_TRACE_TEXT,
                                             i < 2 ? 1 : 50000, &error);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_int_equal(status, ANL_ERR_IO);
        assert_non_null(strstr(error.text, strerror(EFBIG)));
        assert_int_equal(files_of(path.text), 0);
    }
}

static void a_scenario_of_a_mebibyte_is_the_most(void **state)
{
    (void)state;
    struct path path = in_directory("trace");
    struct records none = {0};
    struct anl_trace_writer *writer;
    struct anl_error error = {0};
    char *scenario = malloc(ANL_MAX_SCENARIO_BYTES + 1);
    assert_non_null(scenario);
    memset(scenario, 'a', ANL_MAX_SCENARIO_BYTES);
    scenario[ANL_MAX_SCENARIO_BYTES] = '\0';
    assert_int_equal(anl_trace_create(path.text, ANL_TRACE_TEXT, 1, scenario, &writer, &error),
                     ANL_ERR_ARGUMENT);
    scenario[ANL_MAX_SCENARIO_BYTES - 1] = '\n';
    assert_round_trip(&none, 1, scenario, scenario, 1);
    free(scenario);
}

static void a_route_of_too_many_ports_is_refused(void **state)
{
    (void)state;
    static char text[2048] = HEAD "worm 0 3 0 4 0 1";
    struct anl_error error = {0};
    size_t used = strlen(text);
    for (int i = 0; i < ANL_MAX_FLIT_WIDTH_BITS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ".1");
    snprintf(text + used, sizeof text - used, "\n");
    assert_int_equal(read_all(text, strlen(text), &error), ANL_ERR_FORMAT);
    assert_non_null(strstr(error.text, "route of more than 512 ports"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back_edge_values),
        cmocka_unit_test(reads_back_an_empty_run),
        cmocka_unit_test(reads_back_random_traces),
        cmocka_unit_test(reads_remarks_anywhere),
        cmocka_unit_test(large_traces_stay_ordered),
        cmocka_unit_test(digest_is_that_of_the_document),
        cmocka_unit_test(a_route_is_in_the_digest),
        cmocka_unit_test(a_path_is_in_the_digest),
        cmocka_unit_test(class_and_role_are_in_the_digest),
        cmocka_unit_test(what_a_worm_has_waited_for_is_in_the_digest),
        cmocka_unit_test(a_route_of_too_many_ports_is_refused),
        cmocka_unit_test(digest_does_not_depend_on_batches),
        cmocka_unit_test(refuses_damaged_text),
        cmocka_unit_test(refuses_byte_0_in_text),
        cmocka_unit_test(refuses_endless_text),
        cmocka_unit_test(refuses_damaged_records),
        cmocka_unit_test(refuses_damaged_header),
        cmocka_unit_test(refuses_damaged_frames),
        cmocka_unit_test(refuses_huge_windows),
        cmocka_unit_test(bombs_are_unpacked_piece_by_piece),
        cmocka_unit_test(refuses_every_cut),
        cmocka_unit_test(refuses_every_flipped_bit_of_text),
        cmocka_unit_test(no_flipped_bit_changes_binary_records),
        cmocka_unit_test(opening_reports_the_system),
        cmocka_unit_test(creating_in_no_directory_fails),
        cmocka_unit_test(abandoning_leaves_nothing),
        cmocka_unit_test(two_may_write_at_once),
        cmocka_unit_test(finishing_over_a_directory_fails),
        cmocka_unit_test(a_pipe_is_written_directly),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(a_scenario_of_a_mebibyte_is_the_most),
    };
    return cmocka_run_group_tests_name("trace", tests, make_directory, remove_directory);
}
