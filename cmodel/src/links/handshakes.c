// SPDX-License-Identifier: Apache-2.0
//
// Reads handshakes that a text has cycle by cycle, as docs/link.md draws them. A handshake is two
// lines: a style, "flit" and what is offered in each cycle, then "back" and what is on these wires.
// Behind the word is more than one blank, which tells them from sentences.

#include "links.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const char *path;
    struct anl_error *error;
    FILE *file;
    uint32_t num_vcs;
    char *line;  // without its end
    size_t room;
    uint64_t number;
};

#define REFUSE(reading, ...)                                                                       \
    return anl_fail((reading)->error, ANL_ERR_FORMAT, (reading)->path, (reading)->number,          \
                    __VA_ARGS__)

static bool read_line(struct reading *reading)
{
    if (getline(&reading->line, &reading->room, reading->file) < 0) return false;
    reading->line[strcspn(reading->line, "\r\n")] = '\0';
    reading->number++;
    return true;
}

// --- the line of flits ---

static bool is_flit(const char *word)
{
    return strcmp(word, ".") == 0 ||
           (isupper((unsigned char)word[0]) && isdigit((unsigned char)word[1]) && !word[2]);
}

// Returns where the flits of a line begin, and the word before "flit"; NULL: it has none.
static char *flits_of(char *line, char style[40])
{
    int end = 0;
    if (sscanf(line, " %39s flit%n", style, &end) != 1 || !end) return NULL;
    return strncmp(line + end, "  ", 2) == 0 ? line + end : NULL;
}

static enum anl_status read_style(const struct reading *reading, const char *name,
                                  enum anl_link_style *style)
{
    char all[120] = "";
    for (unsigned i = 0; i < ANL_NUM_STYLES; i++) {
        *style = i;
        if (strcmp(name, anl_style_name(i)) == 0) return ANL_OK;
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", anl_style_name(i));
    }
    REFUSE(reading, "found style '%s', expected one of %s", name, all);
}

static enum anl_status read_flits(const struct reading *reading, char *text,
                                  struct anl_handshake *made)
{
    char *rest = NULL;
    const char *word = strtok_r(text, " ", &rest);
    for (; word && is_flit(word); word = strtok_r(NULL, " ", &rest), made->num_cycles++) {
        if (made->num_cycles == ANL_MAX_HANDSHAKE)
            REFUSE(reading, "found flit '%s', expected at most %d cycles", word, ANL_MAX_HANDSHAKE);
        if (*word == '.') continue;
        made->cycles[made->num_cycles].flit = word[0];
        made->cycles[made->num_cycles].vc = (uint32_t)(word[1] - '0');
    }
    const int bytes = snprintf(made->says, sizeof made->says, "%s%s%s", word ? word : "",
                               rest && *rest ? " " : "", rest ? rest : "");
    if (bytes >= (int)sizeof made->says)
        REFUSE(reading, "found '%.60s…', expected at most %zu bytes behind the flits", made->says,
               sizeof made->says - 1);
    if (!made->num_cycles)
        REFUSE(reading, "found '%.60s', expected flits, such as A0, or . for none", made->says);
    return ANL_OK;
}

// --- the line of wires ---

static enum anl_status read_back(struct reading *reading, struct anl_handshake *made)
{
    const uint32_t wires = anl_link_back_bits(made->style, reading->num_vcs);
    int end = 0;
    if (!read_line(reading)) REFUSE(reading, "found the end, expected a line of back behind this");
    if (sscanf(reading->line, " back%n", &end), !end)
        REFUSE(reading, "found '%.60s', expected back, and a number for each cycle", reading->line);
    char *rest = NULL;
    uint32_t count = 0;
    for (const char *word = strtok_r(reading->line + end, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest), count++) {
        char *behind = NULL;
        const unsigned long value = strtoul(word, &behind, 16);
        if (!isxdigit((unsigned char)*word) || *behind || value >> wires)
            REFUSE(reading, "found '%.60s', expected a hexadecimal number of %" PRIu32 " wire%s",
                   word, wires, wires == 1 ? "" : "s");
        if (count < made->num_cycles) made->cycles[count].back = (uint32_t)value;
    }
    if (count != made->num_cycles)
        REFUSE(reading, "numbers of back: found %" PRIu32 ", expected %" PRIu32, count,
               made->num_cycles);
    return ANL_OK;
}

// --- the text ---

static enum anl_status read_all(struct reading *reading, struct anl_handshake **list, size_t *count)
{
    while (read_line(reading)) {
        char name[40], *flits = flits_of(reading->line, name);
        if (!flits) continue;
        struct anl_handshake *more = realloc(*list, (*count + 1) * sizeof **list);
        if (!more) return anl_fail(reading->error, ANL_ERR_MEMORY, reading->path, 0, "no memory");
        *list = more;
        struct anl_handshake *made = &more[(*count)++];
        *made = (struct anl_handshake){.line = reading->number};
        enum anl_status status = read_style(reading, name, &made->style);
        if (!status) status = read_flits(reading, flits, made);
        if (!status) status = read_back(reading, made);
        if (status) return status;
    }
    if (ferror(reading->file))
        return anl_fail(reading->error, ANL_ERR_IO, reading->path, 0, "%s", strerror(errno));
    if (!*count)
        return anl_fail(reading->error, ANL_ERR_FORMAT, reading->path, 0,
                        "found no handshake, expected two lines such as ' credit flit  A0 .' and "
                        "' back  0 1'");
    return ANL_OK;
}

enum anl_status anl_handshakes_load(const char *path, uint32_t num_vcs,
                                    struct anl_handshake **handshakes, size_t *count,
                                    struct anl_error *error)
{
    struct reading reading = {
        .path = path, .error = error, .file = anl_input_open(path), .num_vcs = num_vcs};
    *handshakes = NULL;
    *count = 0;
    if (!reading.file) return anl_fail(error, ANL_ERR_IO, path, 0, "%s", strerror(errno));
    const enum anl_status status = read_all(&reading, handshakes, count);
    if (reading.file != stdin) fclose(reading.file);
    free(reading.line);
    if (!status) return ANL_OK;
    free(*handshakes);
    *handshakes = NULL;
    return status;
}
