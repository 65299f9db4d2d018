// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints of a run (docs/checkpoint.md). The members of a team pack their items, and the leader
// writes them in the order of their numbers, some at a time; each member reads the whole file and
// unpacks its own ones. A file is mapped, and nothing of it is used before its hash is right.

#include "run.h"

#include <annelid/base.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { MAGIC_BYTES = 8, END_BYTES = 16, SOME_ITEMS = 1024, NAME_BYTES = 256, VERSION_BYTES = 16 };

// The last byte is the version of the format.
static const uint8_t magic[MAGIC_BYTES] = {0x89, 'A', 'N', 'L', 'C', '\r', '\n', 2};

// What a checkpoint is of.
struct label {
    char program[VERSION_BYTES];
    char name[NAME_BYTES];
    uint64_t question;
    bool digest, referee, trace;
    uint64_t cycle, idle_cycles;
    struct anl_engine_totals totals;  // of the whole network
};

static void pack_label(struct label *label, struct anl_pack *pack)
{
    uint64_t *const counts[] = {&label->totals.enqueued, &label->totals.delivered,
                                &label->totals.flit_hops, &label->totals.ejected_flits};
    anl_pack_bytes(pack, label->program, sizeof label->program);
    anl_pack_bytes(pack, label->name, sizeof label->name);
    ANL_PACK(pack, label->question);
    anl_pack_bool(pack, &label->digest);
    anl_pack_bool(pack, &label->referee);
    anl_pack_bool(pack, &label->trace);
    ANL_PACK(pack, label->cycle);
    ANL_PACK(pack, label->idle_cycles);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        ANL_PACK(pack, *counts[i]);
}

static struct label label_of(const struct run_kept *kept)
{
    const struct anl_run_options *options = kept->options;
    struct label label = {.program = ANL_VERSION,
                          .question = options->checkpoint->question,
                          .digest = options->digest,
                          .referee = options->referee,
                          .trace = options->trace != NULL,
                          .cycle = anl_engine_cycle(kept->engine),
                          .idle_cycles = kept->idle_cycles,
                          .totals = kept->totals};
    strncpy(label.name, options->checkpoint->name, sizeof label.name - 1);
    return label;
}

// The kinds of items, and what terminals will create.
enum { TERMINALS = ANL_ITEMS, KINDS };

static uint32_t count_of(const struct run_kept *kept, uint32_t kind)
{
    const struct anl_shape shape = anl_shape_of(&kept->scenario->network);
    return kind == ANL_ITEM_SWITCH ? shape.switches : shape.terminals;
}

static uint32_t some_of(uint32_t first, uint32_t count)
{
    return count - first < SOME_ITEMS ? count - first : SOME_ITEMS;
}

struct range {
    uint32_t first, count;
};

// Returns those of some terminals whose traffic this member has.
static struct range own_terminals(const struct run_kept *kept, uint32_t first, uint32_t count)
{
    struct range own = {first, count};
    if (!kept->divides) return own;
    const uint32_t end = kept->first + kept->terminals, last = first + count;
    own.first = kept->first > first ? kept->first : first;
    if (own.first > end) own.first = end;
    own.count = (last < end ? last : end) > own.first ? (last < end ? last : end) - own.first : 0;
    return own;
}

static bool leads(const struct run_kept *kept) { return !kept->team || kept->team->rank == 0; }

static bool tie(void *user, struct anl_worm *worm) { return anl_traffic_tie(user, worm); }

static enum anl_status pack_observers(struct run_kept *kept, struct anl_pack *pack,
                                      struct anl_error *error)
{
    struct anl_trace_writer *trace = kept->options->trace;
    if (kept->digest) anl_digest_pack(kept->digest, pack);
    if (kept->referee) anl_referee_pack(kept->referee, pack, tie, kept->traffic);
    return trace ? anl_trace_pack(trace, pack, error) : ANL_OK;
}

// ---------------------------------------------------------------- write

struct writing {
    struct anl_output output;
    XXH3_state_t *hash;
    uint64_t bytes;
    enum anl_status status;
};

static void put(struct writing *writing, const void *bytes, size_t count)
{
    if (!writing->output.file || !count) return;  // of a member that does not lead
    fwrite(bytes, 1, count, writing->output.file);
    XXH3_64bits_update(writing->hash, bytes, count);
    writing->bytes += count;
}

static void put_number(struct writing *writing, uint64_t number)
{
    struct anl_pack pack = {0};
    ANL_PACK(&pack, number);
    if (pack.failed)
        writing->status = ANL_ERR_MEMORY;
    else
        put(writing, pack.bytes, pack.count);
    anl_pack_free(&pack);
}

// Writes what was packed behind its length, and frees it.
static void put_block(struct writing *writing, struct anl_pack *pack)
{
    if (pack->failed) writing->status = ANL_ERR_MEMORY;
    put_number(writing, pack->count);
    put(writing, pack->bytes, pack->count);
    anl_pack_free(pack);
}

// Packs those of some items that are in this part: each behind its number and length.
static enum anl_status pack_own(const struct run_kept *kept, enum anl_item item, uint32_t first,
                                uint32_t count, struct anl_pack *all)
{
    for (uint32_t number = first; number < first + count; number++) {
        struct anl_pack pack = {0};
        if (!anl_engine_has(kept->engine, item, number)) continue;
        const enum anl_status status = anl_engine_pack(kept->engine, item, number, &pack);
        uint32_t bytes = (uint32_t)pack.count;
        ANL_PACK(all, number);
        ANL_PACK(all, bytes);
        anl_pack_bytes(all, pack.bytes, pack.count);
        all->failed |= status || pack.failed;
        anl_pack_free(&pack);
    }
    return all->failed ? ANL_ERR_MEMORY : ANL_OK;
}

// Sorts items behind each other by their numbers and writes them as a block.
static void put_sorted(struct writing *writing, const void *items, size_t bytes, uint32_t first,
                       uint32_t count)
{
    struct anl_pack list = {.from = items, .count = bytes}, sorted = {0};
    struct anl_pack at[SOME_ITEMS] = {0};
    while (list.count && !list.failed) {
        uint32_t number, length;
        ANL_PACK(&list, number);
        ANL_PACK(&list, length);
        at[number - first] = anl_pack_take(&list, length);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = (uint32_t)at[i].count;
        ANL_PACK(&sorted, length);
        if (length) anl_pack_bytes(&sorted, (void *)at[i].from, length);
    }
    put_block(writing, &sorted);
}

static void put_items(struct run_kept *kept, struct writing *writing, enum anl_item item,
                      uint32_t first, uint32_t count)
{
    const struct anl_team *team = kept->team;
    struct anl_pack own = {0};
    const enum anl_status status = pack_own(kept, item, first, count, &own);
    if (status) writing->status = status;
    size_t bytes = own.count;
    const void *items = own.bytes;
    if (team) items = team->gather(team->user, own.bytes, own.count, false, &bytes);
    if (items && !writing->status) put_sorted(writing, items, bytes, first, count);
    anl_pack_free(&own);
}

// Members with higher numbers have the traffic of terminals with higher numbers, or all have that
// of all.
static void put_terminals(struct run_kept *kept, struct writing *writing, uint32_t first,
                          uint32_t count)
{
    const struct anl_team *team = kept->team;
    const struct range own = own_terminals(kept, first, count);
    struct anl_pack pack = {0};
    anl_traffic_pack_terminals(kept->traffic, own.first, own.count, &pack);
    if (kept->divides) {
        size_t bytes;
        const void *all = team->gather(team->user, pack.bytes, pack.count, false, &bytes);
        struct anl_pack joined = {.failed = pack.failed};
        if (all) anl_pack_bytes(&joined, (void *)(uintptr_t)all, bytes);
        anl_pack_free(&pack);
        pack = joined;
    }
    put_block(writing, &pack);
}

static void put_state(struct run_kept *kept, struct writing *writing, struct anl_error *error)
{
    struct label label = label_of(kept);
    struct anl_pack pack = {0};
    pack_label(&label, &pack);
    put_block(writing, &pack);
    anl_traffic_pack(kept->traffic, &pack);
    put_block(writing, &pack);
    enum anl_status status = statistics_pack(kept->statistics, kept->team, &pack);
    if (status) writing->status = status;
    put_block(writing, &pack);
    status = pack_observers(kept, &pack, error);
    if (status) writing->status = status;
    put_block(writing, &pack);
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (uint32_t first = 0, all = count_of(kept, kind); first < all; first += SOME_ITEMS) {
            if (kind < ANL_ITEMS) {
                put_items(kept, writing, (enum anl_item)kind, first, some_of(first, all));
                continue;
            }
            put_terminals(kept, writing, first, some_of(first, all));
        }
}

// The end is the length of the file and the hash of all bytes before the hash.
static enum anl_status finish(struct writing *writing, struct anl_error *error)
{
    put_number(writing, writing->bytes + END_BYTES);
    put_number(writing, XXH3_64bits_digest(writing->hash));
    // What a rename has put in place must not be empty after the machine has failed.
    if (!writing->status && fflush(writing->output.file) == 0) fsync(fileno(writing->output.file));
    if (!writing->status) return anl_output_finish(&writing->output, error);
    anl_output_abandon(&writing->output);
    return writing->status;
}

enum anl_status run_checkpoint_write(struct run_kept *kept, struct anl_error *error)
{
    struct writing writing = {.hash = leads(kept) ? XXH3_createState() : NULL};
    if (leads(kept)) {
        if (!writing.hash) return ANL_ERR_MEMORY;
        XXH3_64bits_reset(writing.hash);
        writing.status = anl_output_open(kept->options->checkpoint->path, &writing.output, error);
        put(&writing, magic, sizeof magic);
    }
    if (!writing.status) put_state(kept, &writing, error);
    enum anl_status status = writing.status;
    if (writing.output.file) status = finish(&writing, error);
    XXH3_freeState(writing.hash);
    return status;
}

// ---------------------------------------------------------------- read

static enum anl_status refuse(const struct run_kept *kept, struct anl_error *error,
                              const char *reason)
{
    return anl_fail(error, ANL_ERR_FORMAT, kept->options->checkpoint->path, 0, "%s", reason);
}

struct mapped {
    const uint8_t *bytes;  // NULL: there is no file
    size_t count;
};

// Refuses a path at which there is something else than a file, and one at which none can be
// written, before hours are spent.
static enum anl_status check_path(const struct run_kept *kept, struct anl_error *error)
{
    const char *path = kept->options->checkpoint->path;
    struct anl_output output;
    struct stat there;
    if (strcmp(path, "-") == 0 || (stat(path, &there) == 0 && !S_ISREG(there.st_mode)))
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0, "a checkpoint is an ordinary file");
    if (!leads(kept)) return ANL_OK;
    const enum anl_status status = anl_output_open(path, &output, error);
    if (!status) anl_output_abandon(&output);
    return status;
}

static enum anl_status map_file(const struct run_kept *kept, struct mapped *mapped,
                                struct anl_error *error)
{
    const char *path = kept->options->checkpoint->path;
    struct stat there;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) return ANL_OK;
    void *bytes = MAP_FAILED;
    const bool known = file >= 0 && fstat(file, &there) == 0;
    if (known && there.st_size > 0)
        bytes = mmap(NULL, (size_t)there.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    const int reason = errno;
    if (file >= 0) close(file);
    if (known && there.st_size == 0)
        return kept->options->checkpoint->restart
                   ? ANL_OK
                   : refuse(kept, error, "this is no checkpoint: it is empty");
    if (bytes == MAP_FAILED)
        return anl_fail(error, ANL_ERR_IO, path, 0, "cannot read: %s", strerror(reason));
    *mapped = (struct mapped){bytes, (size_t)there.st_size};
    return ANL_OK;
}

static void unmap(struct mapped *mapped)
{
    if (mapped->bytes) munmap((void *)(uintptr_t)mapped->bytes, mapped->count);
    *mapped = (struct mapped){0};
}

static uint64_t number_at(const uint8_t *bytes)
{
    struct anl_pack pack = {.from = bytes, .count = sizeof(uint64_t)};
    uint64_t number;
    ANL_PACK(&pack, number);
    return number;
}

// Checks that the file is a checkpoint, though perhaps not a whole one: no other file is replaced.
static enum anl_status check_kind(const struct run_kept *kept, const struct mapped *mapped,
                                  struct anl_error *error)
{
    if (mapped->count >= MAGIC_BYTES && memcmp(mapped->bytes, magic, MAGIC_BYTES - 1) == 0)
        return ANL_OK;
    return refuse(kept, error, "this is no checkpoint: it does not begin as one");
}

// Checks that the file is a whole checkpoint, and cuts off its ends.
static enum anl_status check_whole(const struct run_kept *kept, const struct mapped *mapped,
                                   struct anl_pack *inside, struct anl_error *error)
{
    const size_t count = mapped->count;
    if (mapped->bytes[MAGIC_BYTES - 1] != magic[MAGIC_BYTES - 1])
        return refuse(kept, error, "the checkpoint has another version of the format");
    if (count < MAGIC_BYTES + END_BYTES || number_at(&mapped->bytes[count - END_BYTES]) != count)
        return refuse(kept, error, "the checkpoint is damaged: it has another length than it says");
    const size_t hashed = count - sizeof(uint64_t);
    if (number_at(&mapped->bytes[hashed]) != XXH3_64bits(mapped->bytes, hashed))
        return refuse(kept, error, "the checkpoint is damaged: it has another hash than it says");
    *inside = (struct anl_pack){.from = &mapped->bytes[MAGIC_BYTES],
                                .count = count - MAGIC_BYTES - END_BYTES};
    return ANL_OK;
}

static struct anl_pack next_block(struct anl_pack *inside)
{
    uint64_t bytes;
    ANL_PACK(inside, bytes);
    return anl_pack_take(inside, bytes);
}

// Notes that a block was not what it should be, or not all of it was read.
static void end_block(struct anl_pack *inside, const struct anl_pack *block)
{
    anl_pack_expect(inside, !block->failed && block->count == 0);
}

static const char *observer_missing(const struct label *label, const struct label *own)
{
    if (label->digest != own->digest) return "--digest";
    if (label->referee != own->referee) return "--referee";
    return label->trace != own->trace ? "--trace" : NULL;
}

static enum anl_status check_label(const struct run_kept *kept, const struct label *label,
                                   struct anl_error *error)
{
    const struct label own = label_of(kept);
    const char *path = kept->options->checkpoint->path, *missing = observer_missing(label, &own);
    if (strncmp(label->program, own.program, sizeof own.program) != 0)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "the checkpoint is of annelid %.*s, this is %s; --restart throws it away",
                        VERSION_BYTES, label->program, own.program);
    if (label->question != own.question)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "the checkpoint is of another scenario, %.*s, or of other values of its "
                        "keys; --restart throws it away",
                        NAME_BYTES, label->name);
    if (!leads(kept) || !missing) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                    "the run was begun with other options: %s was or was not among them; --restart "
                    "throws the checkpoint away",
                    missing);
}

// Unpacks those of some items that are in this part.
static enum anl_status read_items(struct run_kept *kept, struct anl_pack *block, enum anl_item item,
                                  uint32_t first, uint32_t count)
{
    enum anl_status status = ANL_OK;
    for (uint32_t number = first; number < first + count && !status; number++) {
        uint32_t length;
        ANL_PACK(block, length);
        struct anl_pack pack = anl_pack_take(block, length);
        if (!anl_engine_has(kept->engine, item, number)) continue;
        status = anl_engine_pack(kept->engine, item, number, &pack);
        end_block(block, &pack);
    }
    return status;
}

static void read_terminals(struct run_kept *kept, struct anl_pack *block, uint32_t first,
                           uint32_t count)
{
    const struct range own = own_terminals(kept, first, count);
    const size_t bytes = block->count / count, after = first + count - own.first - own.count;
    if (!own.count) {
        anl_pack_take(block, block->count);
        return;
    }
    anl_pack_take(block, (own.first - first) * bytes);
    anl_traffic_pack_terminals(kept->traffic, own.first, own.count, block);
    anl_pack_take(block, after * bytes);
}

static enum anl_status read_all_items(struct run_kept *kept, struct anl_pack *inside)
{
    enum anl_status status = ANL_OK;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (uint32_t first = 0, all = count_of(kept, kind); first < all && !status;
             first += SOME_ITEMS) {
            struct anl_pack block = next_block(inside);
            if (kind < ANL_ITEMS)
                status = read_items(kept, &block, (enum anl_item)kind, first, some_of(first, all));
            else
                read_terminals(kept, &block, first, some_of(first, all));
            end_block(inside, &block);
        }
    return status;
}

static enum anl_status read_state(struct run_kept *kept, struct anl_pack *inside,
                                  struct anl_error *error)
{
    struct label label = {0};
    struct anl_pack block = next_block(inside);
    pack_label(&label, &block);
    end_block(inside, &block);
    enum anl_status status = check_label(kept, &label, error);
    if (status) return status;
    kept->idle_cycles = label.idle_cycles;
    kept->totals = label.totals;
    anl_engine_resume(kept->engine, kept->scenario->run.seed, label.cycle, &label.totals,
                      leads(kept));
    block = next_block(inside);
    anl_traffic_pack(kept->traffic, &block);
    end_block(inside, &block);
    block = next_block(inside);
    status = statistics_pack(kept->statistics, kept->team, &block);
    end_block(inside, &block);
    block = next_block(inside);
    if (leads(kept) && !status) {
        status = pack_observers(kept, &block, error);
        end_block(inside, &block);
    }
    if (!status) status = read_all_items(kept, inside);
    anl_pack_expect(inside, inside->count == 0);
    if (!status && !inside->failed) status = anl_engine_resumed(kept->engine, tie, kept->traffic);
    if (!*error->text && (status == ANL_ERR_FORMAT || inside->failed))
        return refuse(kept, error, "the checkpoint makes no sense");
    return status;
}

// All members must have read the same file, or none.
static enum anl_status agree(const struct run_kept *kept, enum anl_status status,
                             const struct mapped *mapped, struct anl_error *error)
{
    const struct anl_team *team = kept->team;
    if (!team) return status;
    const uint64_t hash =
        mapped->bytes && !status ? number_at(&mapped->bytes[mapped->count - sizeof hash]) : 0;
    uint64_t seen[] = {hash, ~hash};
    team->most(team->user, seen, 2);
    if (status || (seen[0] == hash && seen[1] == ~hash)) return status;
    return anl_fail(error, ANL_ERR_ARGUMENT, kept->options->checkpoint->path, 0,
                    "not all ranks read the same checkpoint");
}

enum anl_status run_checkpoint_read(struct run_kept *kept, bool *found, struct anl_error *error)
{
    struct mapped mapped = {0};
    struct anl_pack inside = {0};
    enum anl_status status = check_path(kept, error);
    if (!status) status = map_file(kept, &mapped, error);
    if (!status && mapped.bytes) status = check_kind(kept, &mapped, error);
    if (kept->options->checkpoint->restart) unmap(&mapped);
    *found = mapped.bytes != NULL;
    if (!status && *found) status = check_whole(kept, &mapped, &inside, error);
    status = agree(kept, status, &mapped, error);
    if (!status && *found) status = read_state(kept, &inside, error);
    unmap(&mapped);
    return status;
}
