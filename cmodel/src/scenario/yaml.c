// SPDX-License-Identifier: Apache-2.0
//
// Walks through the YAML of a scenario event by event: sections, keys and values, nothing deeper.
// It refuses an error as soon as it sees it, so the memory used does not depend on the shape of the
// text.

#include "scenario.h"

#include <stdio.h>
#include <string.h>

uint64_t scenario_line(const struct scenario_walk *walk)
{
    return (uint64_t)walk->event.start_mark.line + 1;
}

#define REFUSE(walk, ...)                                                                          \
    return anl_fail((walk)->reading->error, ANL_ERR_FORMAT, (walk)->reading->file,                 \
                    scenario_line(walk), __VA_ARGS__)

static uint64_t line_at(const char *text, size_t offset)
{
    uint64_t line = 1;
    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    return line;
}

// Returns whether libyaml stopped at a tab. It counts letters, which may have several bytes.
static bool stopped_at_tab(const yaml_parser_t *parser)
{
    const unsigned char *at = parser->input.string.start, *const end = parser->input.string.end;
    for (size_t letters = 0; at < end; at++) {
        letters += (*at & 0xC0) != 0x80;
        if (letters > parser->problem_mark.index) return *at == '\t';
    }
    return false;
}

// Fails with the reason for which libyaml stopped.
static enum anl_status broken(const struct scenario_walk *walk, const char *text)
{
    const yaml_parser_t *parser = &walk->parser;
    struct scenario_reading *reading = walk->reading;
    if (parser->error == YAML_MEMORY_ERROR)
        return anl_fail(reading->error, ANL_ERR_MEMORY, reading->file, 0, "no memory for YAML");
    if (parser->error == YAML_READER_ERROR)
        return anl_fail(reading->error, ANL_ERR_FORMAT, reading->file,
                        line_at(text, parser->problem_offset),
                        "found bytes that are not text (%s), expected UTF-8", parser->problem);
    const bool tab = stopped_at_tab(parser);
    return anl_fail(reading->error, ANL_ERR_FORMAT, reading->file,
                    (uint64_t)parser->problem_mark.line + 1, "expected YAML: %s%s%s%s",
                    parser->context ? parser->context : "", parser->context ? ", " : "",
                    parser->problem, tab ? "; lines are indented by blanks, not by tabs" : "");
}

// Refuses anchors, aliases, tags and directives, which no scenario needs.
static enum anl_status refuse_ornaments(const struct scenario_walk *walk)
{
    const yaml_event_t *event = &walk->event;
    const yaml_char_t *anchor = NULL, *tag = NULL;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor, tag = event->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor, tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor, tag = event->data.mapping_start.tag;
        break;
    case YAML_ALIAS_EVENT:
        REFUSE(walk, "found an alias, expected a value");
    case YAML_DOCUMENT_START_EVENT:
        if (event->data.document_start.version_directive ||
            event->data.document_start.tag_directives.start !=
                event->data.document_start.tag_directives.end)
            REFUSE(walk, "found a directive, expected the sections alone");
        break;
    default:
        break;
    }
    if (anchor) REFUSE(walk, "found an anchor, expected a value without one");
    if (tag) REFUSE(walk, "found a tag, expected a value without one");
    return ANL_OK;
}

enum anl_status scenario_next(struct scenario_walk *walk)
{
    yaml_event_delete(&walk->event);
    const char *text = (const char *)walk->parser.input.string.start;
    if (!yaml_parser_parse(&walk->parser, &walk->event)) return broken(walk, text);
    walk->reading->last_line = scenario_line(walk);
    return refuse_ornaments(walk);
}

struct scenario_scalar scenario_scalar_of(const struct scenario_walk *walk)
{
    return (struct scenario_scalar){(const char *)walk->event.data.scalar.value,
                                    walk->event.data.scalar.length,
                                    walk->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE};
}

const char *scenario_describe(const struct scenario_walk *walk, char shown[SCENARIO_SHOWN_BYTES])
{
    switch (walk->event.type) {
    case YAML_SCALAR_EVENT:
        return scenario_show(scenario_scalar_of(walk), shown);
    case YAML_SEQUENCE_START_EVENT:
        return "a list";
    case YAML_MAPPING_START_EVENT:
        return "a mapping";
    default:
        return "nothing";
    }
}

static enum anl_status expect_mapping(const struct scenario_walk *walk, const char *where,
                                      const char *what)
{
    char shown[SCENARIO_SHOWN_BYTES];
    if (walk->event.type == YAML_MAPPING_START_EVENT) return ANL_OK;
    REFUSE(walk, "%sfound %s, expected a mapping of %s", where, scenario_describe(walk, shown),
           what);
}

// Returns the name of a section or key in *name, or fails if the event is no name.
static enum anl_status expect_name(const struct scenario_walk *walk, const char *what,
                                   const char **name)
{
    char shown[SCENARIO_SHOWN_BYTES];
    const struct scenario_scalar scalar = scenario_scalar_of(walk);
    if (walk->event.type != YAML_SCALAR_EVENT)
        REFUSE(walk, "found %s, expected the name of a %s", scenario_describe(walk, shown), what);
    if (strlen(scalar.text) != scalar.bytes)
        REFUSE(walk, "found a zero byte in %s, expected the name of a %s",
               scenario_show(scalar, shown), what);
    *name = scalar.text;
    return ANL_OK;
}

static enum anl_status read_element(struct scenario_walk *walk, unsigned key)
{
    char shown[SCENARIO_SHOWN_BYTES];
    if (walk->event.type != YAML_SCALAR_EVENT)
        return scenario_unfit(walk->reading, key, scenario_line(walk),
                              scenario_describe(walk, shown));
    return scenario_value(walk->reading, key, scenario_scalar_of(walk), scenario_line(walk));
}

static enum anl_status read_list(struct scenario_walk *walk, unsigned key)
{
    const uint64_t line = scenario_line(walk);
    unsigned elements = 0;
    for (;;) {
        enum anl_status status = scenario_next(walk);
        if (status) return status;
        if (walk->event.type == YAML_SEQUENCE_END_EVENT) break;
        status = read_element(walk, key);
        if (status) return status;
        elements++;
    }
    return elements ? ANL_OK : scenario_unfit(walk->reading, key, line, "an empty list");
}

static enum anl_status read_key(struct scenario_walk *walk, enum scenario_section section)
{
    const char *name = "";
    unsigned key = NUM_KEYS;
    enum anl_status status = expect_name(walk, "key", &name);
    if (!status)
        status = scenario_find_key(walk->reading, section, name, scenario_line(walk), &key);
    if (!status) status = scenario_give(walk->reading, key, scenario_line(walk));
    if (!status) status = scenario_next(walk);
    if (status) return status;
    const bool list = walk->event.type == YAML_SEQUENCE_START_EVENT;
    return list && scenario_keys[key].kind == ANL_KEY_LIST ? read_list(walk, key)
                                                           : read_element(walk, key);
}

static enum anl_status begin_section(struct scenario_walk *walk, enum scenario_section *section)
{
    const char *name = "";
    enum anl_status status = expect_name(walk, "section", &name);
    if (!status) status = scenario_find_section(walk->reading, name, scenario_line(walk), section);
    if (status) return status;
    uint64_t *line = &walk->reading->section_line[*section];
    if (*line)
        REFUSE(walk, "found section %s a second time, expected once (first in line %llu)", name,
               (unsigned long long)*line);
    *line = scenario_line(walk);
    status = scenario_next(walk);
    if (!status && *section == IN_GRAPH) return scenario_read_graph(walk);
    char where[16];
    snprintf(where, sizeof where, "%s: ", scenario_sections[*section]);
    return status ? status : expect_mapping(walk, where, "keys");
}

static enum anl_status read_section(struct scenario_walk *walk)
{
    enum scenario_section section;
    enum anl_status status = begin_section(walk, &section);
    while (!status && section != IN_GRAPH) {
        status = scenario_next(walk);
        if (status || walk->event.type == YAML_MAPPING_END_EVENT) break;
        status = read_key(walk, section);
    }
    return status;
}

static enum anl_status read_sections(struct scenario_walk *walk)
{
    enum anl_status status = expect_mapping(walk, "", "sections");
    while (!status) {
        status = scenario_next(walk);
        if (status || walk->event.type == YAML_MAPPING_END_EVENT) break;
        status = read_section(walk);
    }
    return status;
}

// The body is what stands in the document: the sections of a scenario, or a graph.
static enum anl_status read_stream(struct scenario_walk *walk,
                                   enum anl_status (*body)(struct scenario_walk *walk),
                                   const char *expected)
{
    enum anl_status status = scenario_next(walk);  // the stream begins
    if (!status) status = scenario_next(walk);     // the document begins
    if (status) return status;
    if (walk->event.type == YAML_STREAM_END_EVENT)
        REFUSE(walk, "found nothing, expected %s", expected);
    status = scenario_next(walk);
    if (!status) status = body(walk);
    if (!status) status = scenario_next(walk);  // the document ends
    if (!status) status = scenario_next(walk);  // the stream ends
    if (!status && walk->event.type != YAML_STREAM_END_EVENT)
        REFUSE(walk, "found a second document, expected one");
    return status;
}

static enum anl_status read_text(struct scenario_reading *reading, const char *text, size_t bytes,
                                 enum anl_status (*body)(struct scenario_walk *walk),
                                 const char *expected)
{
    struct scenario_walk walk = {.reading = reading};
    if (!yaml_parser_initialize(&walk.parser))
        return anl_fail(reading->error, ANL_ERR_MEMORY, reading->file, 0, "no memory for YAML");
    yaml_parser_set_encoding(&walk.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&walk.parser, (const yaml_char_t *)text, bytes);
    const enum anl_status status = read_stream(&walk, body, expected);
    yaml_event_delete(&walk.event);
    yaml_parser_delete(&walk.parser);
    return status;
}

enum anl_status scenario_read_yaml(struct scenario_reading *reading, const char *text, size_t bytes)
{
    return read_text(reading, text, bytes, read_sections,
                     "the sections network, switch, traffic, run");
}

enum anl_status scenario_read_graph_file(struct scenario_reading *reading, const char *text,
                                         size_t bytes)
{
    return read_text(reading, text, bytes, scenario_read_graph, "a graph");
}
