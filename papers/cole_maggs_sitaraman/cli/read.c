// SPDX-License-Identifier: Apache-2.0

#include "colours.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void colours_free(struct colours *colours)
{
    anl_scenario_free(&colours->scenario);
    free(colours->messages);
    anl_link_paths_free(&colours->paths);
    free(colours->lengths);
    anl_colouring_free(&colours->colouring);
    free(colours->starts);
}

// --- a file of paths ---

bool colours_is_of_paths(const char *path)
{
    char *text;
    struct anl_error error;
    bool digit = false;
    if (!csv_lines(path, &text, &error)) {  // else it fails as a scenario, too, and says why
        const char *at = text;
        while (*at && strchr("# \t\n,", *at))
            at += *at == '#' ? strcspn(at, "\n") : 1;
        digit = *at >= '0' && *at <= '9';
    }
    free(text);
    return digit;
}

struct path_reader {
    const char *file, *at;
    uint64_t line;
    struct anl_link_paths *paths;
    size_t hops, room_hops, room_begin;
    uint32_t *seen;  // [room_seen] 1 + the message that crosses a link and was read last
    size_t room_seen;
    struct anl_error *error;
};

#define REFUSE(reader, ...)                                                                        \
    return anl_fail((reader)->error, ANL_ERR_FORMAT, (reader)->file, (reader)->line, __VA_ARGS__)

enum { MOST_LINKS = 1 << 28 };

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == ','; }

static enum anl_status no_memory(const struct path_reader *reader)
{
    return anl_fail(reader->error, ANL_ERR_MEMORY, reader->file, 0, "no memory for the paths");
}

static enum anl_status mark(struct path_reader *reader, uint32_t link)
{
    if (link >= reader->room_seen) {
        const size_t room = 2 * (size_t)link + 1024;
        uint32_t *seen = realloc(reader->seen, room * sizeof *seen);
        if (!seen) return no_memory(reader);
        memset(seen + reader->room_seen, 0, (room - reader->room_seen) * sizeof *seen);
        reader->seen = seen;
        reader->room_seen = room;
    }
    if (reader->seen[link] == reader->paths->messages + 1)
        REFUSE(reader, "link %" PRIu32 " again, expected each link of a path once", link);
    reader->seen[link] = reader->paths->messages + 1;
    if (link >= reader->paths->links) reader->paths->links = link + 1;
    return ANL_OK;
}

static enum anl_status read_link(struct path_reader *reader)
{
    struct anl_link_paths *paths = reader->paths;
    const char *const begin = reader->at;
    uint64_t link = 0;
    while (*reader->at >= '0' && *reader->at <= '9' && link < MOST_LINKS)
        link = link * 10 + (uint64_t)(*reader->at++ - '0');
    const bool over = is_blank(*reader->at) || strchr("\n#", *reader->at);
    if (reader->at == begin || !over || link >= MOST_LINKS)
        REFUSE(reader, "'%.*s', expected the number of a link from 0 to %d",
               (int)strcspn(begin, " \t\n,#"), begin, MOST_LINKS - 1);
    uint32_t *on = gather_room(paths->on, reader->hops, &reader->room_hops, sizeof *on);
    if (!on) return no_memory(reader);
    paths->on = on;
    on[reader->hops++] = (uint32_t)link;
    return mark(reader, (uint32_t)link);
}

static enum anl_status read_line(struct path_reader *reader)
{
    struct anl_link_paths *paths = reader->paths;
    const size_t before = reader->hops;
    enum anl_status status = ANL_OK;
    for (; !status && !strchr("\n#", *reader->at);)
        if (is_blank(*reader->at))
            reader->at++;
        else
            status = read_link(reader);
    if (status || reader->hops == before) return status;
    size_t *begin =
        gather_room(paths->begin, (size_t)paths->messages + 1, &reader->room_begin, sizeof *begin);
    if (!begin) return no_memory(reader);
    paths->begin = begin;
    begin[0] = 0;
    begin[++paths->messages] = reader->hops;
    return ANL_OK;
}

static enum anl_status read_lines(struct path_reader *reader)
{
    enum anl_status status = ANL_OK;
    for (; !status && *reader->at; reader->line++) {
        status = read_line(reader);
        if (status) break;
        reader->at += strcspn(reader->at, "\n");
        reader->at += *reader->at == '\n';
    }
    if (!status && !reader->paths->messages) REFUSE(reader, "no path, expected at least one");
    return status;
}

enum anl_status colours_read_paths(const char *path, uint16_t length, struct colours *colours,
                                   struct anl_error *error)
{
    char *text;
    struct path_reader reader = {.file = path, .line = 1, .paths = &colours->paths, .error = error};
    enum anl_status status = csv_lines(path, &text, error);
    if (!status) {
        reader.at = text;
        status = read_lines(&reader);
    }
    free(text);
    free(reader.seen);
    if (status) return status;
    colours->lengths = malloc(colours->paths.messages * sizeof *colours->lengths);
    if (!colours->lengths) return cli_fail(ANL_ERR_MEMORY, error);
    for (uint32_t m = 0; m < colours->paths.messages; m++)
        colours->lengths[m] = length;
    colours->longest = length;
    colours->slower = 1;
    return ANL_OK;
}

// --- the worms of a scenario ---

static bool is_tree_of_paths(const struct anl_config *network)
{
    return network->routing == ANL_UP_DOWN_FIXED || network->routing == ANL_UP_DOWN_RANDOM ||
           network->routing == ANL_UP_DOWN_GREEDY;
}

// A schedule needs worms that are never delayed when they are alone on their lanes.
static enum anl_status check_scenario(const struct anl_scenario *scenario, const char *path,
                                      struct anl_error *error)
{
    const struct anl_config *network = &scenario->network;
    if (is_tree_of_paths(network))
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "routing %s chooses paths by the order of the worms, which a schedule "
                        "changes",
                        anl_routing_name(network->routing));
    if (network->flow_control == ANL_STORE_AND_FORWARD)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "under flow_control store_and_forward a worm does not move as one");
    if (network->depth == 1 && network->credits == ANL_REGISTERED)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "lanes of one flit run at half rate; expected depth 2 or more, or credits "
                        "bypass");
    return ANL_OK;
}

// Notes what a worm of the scenario is as a message.
static enum anl_status take_worm(struct colours *colours, const struct anl_new_worm *new_worm,
                                 size_t *room)
{
    const size_t count = colours->paths.messages;
    struct anl_message *messages =
        gather_room(colours->messages, count, room, sizeof *colours->messages);
    if (!messages) return ANL_ERR_MEMORY;
    colours->messages = messages;
    messages[count] = (struct anl_message){.source = new_worm->source,
                                           .destination = new_worm->destination,
                                           .length = new_worm->length,
                                           .route = new_worm->route,
                                           .route_length = new_worm->route_length,
                                           .path = new_worm->path,
                                           .has_path = new_worm->has_path,
                                           .class_ = new_worm->class_};
    colours->paths.messages++;
    if (new_worm->length > colours->longest) colours->longest = new_worm->length;
    return ANL_OK;
}

static enum anl_status take_worms(struct colours *colours)
{
    struct anl_traffic *traffic;
    size_t room = 0;
    enum anl_status status =
        anl_traffic_create(anl_scenario_workload(&colours->scenario), &traffic);
    for (uint64_t cycle = 0; !status && !anl_traffic_done(traffic); cycle++) {
        size_t count;
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
        for (size_t i = 0; !status && i < count; i++)
            status = take_worm(colours, &new_worms[i], &room);
    }
    anl_traffic_destroy(traffic);
    return status;
}

// Keeps of each channel of a path its link.
static enum anl_status keep_links(struct colours *colours, struct anl_paths *drawn)
{
    struct anl_link_paths *paths = &colours->paths;
    const enum anl_status status = anl_paths_settle(drawn);
    if (status) return status;
    colours->narrowest = drawn->narrowest;
    paths->links = drawn->links;
    paths->begin = drawn->begin;
    paths->on = drawn->channels;
    drawn->begin = NULL;
    drawn->channels = NULL;
    for (size_t i = 0; i < drawn->num_hops; i++)
        paths->on[i] /= drawn->num_vcs;
    colours->lengths = malloc(((size_t)paths->messages + 1) * sizeof *colours->lengths);
    if (!colours->lengths) return ANL_ERR_MEMORY;
    for (uint32_t m = 0; m < paths->messages; m++)
        colours->lengths[m] = colours->messages[m].length;
    return ANL_OK;
}

enum anl_status colours_take_scenario(struct colours *colours, const char *path,
                                      struct anl_error *error)
{
    struct anl_paths drawn;
    struct anl_trial trial;
    enum anl_status status = check_scenario(&colours->scenario, path, error);
    if (status) return status;
    anl_paths_begin(&drawn, &colours->scenario.network);
    status = anl_trial_draw(&colours->scenario, &drawn, &trial, error);
    if (!status) status = cli_fail(take_worms(colours), error);
    if (!status && !colours->paths.messages)
        status = anl_fail(error, ANL_ERR_ARGUMENT, path, 0, "no worm is created in this scenario");
    if (!status) status = cli_fail(keep_links(colours, &drawn), error);
    anl_paths_free(&drawn);
    return status;
}
