// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: keys.c (the table of keys that drives the reader, the writer,
// the help and the test of the documentation), yaml.c and settings.c (which read a file and a
// setting), values.c (which turns written values into numbers), settle_network.c and settle.c
// (defaults and contradictions), hints.c (what was probably meant), messages.c (message files),
// graph.c and wiring.c (graphs), scenario.c (which calls the others).

#ifndef ANL_SCENARIO_ROOM_H
#define ANL_SCENARIO_ROOM_H

#include <annelid/scenario.h>
#include <yaml.h>

// --- keys ---

enum scenario_section { IN_NETWORK, IN_SWITCH, IN_TRAFFIC, IN_RUN, IN_GRAPH, NUM_SECTIONS };

enum {
    KEY_TOPOLOGY,
    KEY_K,
    KEY_N,
    KEY_PASSES,
    KEY_RADIX,
    KEY_DIMENSIONS,
    KEY_CONCENTRATION,
    KEY_GRAPH,
    KEY_UNSAFE,
    KEY_KIND,
    KEY_WHEN_BLOCKED,
    KEY_NUM_VCS,
    KEY_CLASSES,
    KEY_CLASS_WEIGHTS,
    KEY_DEPTH,
    KEY_FLIT_WIDTH_BITS,
    KEY_ROUTING,
    KEY_CLASS_ROUTING,
    KEY_PATHS,
    KEY_TABLE,
    KEY_ESCAPE_VCS,
    KEY_SELECT,
    KEY_ATOMIC,
    KEY_ARBITER,
    KEY_FLOW_CONTROL,
    KEY_LENGTH_IN_HEAD,
    KEY_CREDITS,
    KEY_LINK,
    KEY_LINK_CYCLES,
    KEY_STAGES,
    KEY_A,
    KEY_B,
    KEY_C,
    KEY_ROUNDS,
    KEY_PROCESS,
    KEY_PATTERN,
    KEY_LOAD,
    KEY_LENGTH,
    KEY_BURST_CYCLES,
    KEY_WORMS_PER_TERMINAL,
    KEY_DELAYS,
    KEY_DELAY_CYCLES,
    KEY_WINDOW,
    KEY_REPLY_LENGTH,
    KEY_REPLY_QUEUE,
    KEY_HOTSPOT_TERMINAL,
    KEY_HOTSPOT_FRACTION,
    KEY_SPHERE_RADIUS,
    KEY_SPHERE_FRACTION,
    KEY_FIRST_ID,
    KEY_MESSAGES,
    KEY_MATRIX,
    KEY_RATES,
    KEY_SEED,
    KEY_CYCLES,
    KEY_WARMUP_CYCLES,
    KEY_MAX_CYCLES,
    NUM_KEYS,
};

struct scenario_key {
    enum scenario_section section;
    const char *name;
    enum anl_key_kind kind;
    size_t offset, size;         // of the value in struct anl_scenario, or of the first element of
                                 // a list; unused for ANL_KEY_PATH
    size_t count;                // ANL_KEY_LIST: offset of the number of elements, an uint32_t
    uint32_t most;               // ANL_KEY_LIST: elements
    uint64_t min, max;           // ANL_KEY_CHOICE: values of the first and the last choice
    const char *(*choice)(int);  // returns the name of a choice, or NULL if a value is none; NULL:
                                 // elements of a list are integers
    const char *fallback;        // the default value, as it would be written; NULL: none
    const char *fallback_meaning;  // the default described for people, if fallback is NULL
    const char *condition;         // for people, appended to the range; may be NULL
    const char *meaning;
    uint32_t processes, patterns;  // masks of the processes and of the patterns that use the key;
                                   // one that uses it is enough; both 0: all use it
    bool foreign;  // of section switch: only other kinds than buffered have it (annelid/machine.h)
};

extern const struct scenario_key scenario_keys[NUM_KEYS];
extern const char *const scenario_sections[NUM_SECTIONS];

enum { SCENARIO_RANGE_BYTES = 256 };

// Writes the range of a key: "1..8", "mesh, torus or hypercube" (with " or " for last). The key's
// condition is not included.
void scenario_range(const struct scenario_key *key, const char *last, char *text, size_t size);

// --- hints ---

// Names that others use in a section, "" for sections, or for the value of "section.key".
struct scenario_synonym {
    const char *where;
    const char *names;  // with blanks between them
    const char *meant;  // a section, "section.key", or a value
    bool same;  // it means just that, and is read so; else it is only what was probably meant
};
extern const struct scenario_synonym scenario_synonyms[];  // up to one with where NULL

// Returns the row of a name that others use; NULL if it is none.
const struct scenario_synonym *scenario_synonym_of(const char *where, const char *name);

// Of several candidates the one whose spelling is closest to a name. It begins with zeros; each
// call offers a candidate.
struct scenario_nearest {
    const char *name;  // NULL: none resembles it
    unsigned apart;
};
void scenario_nearest(const char *candidate, const char *name, struct scenario_nearest *nearest);

// Returns what to say to somebody who gave a key several sizes of a network; "" if nobody did.
const char *scenario_shape_hint(unsigned key, const char *found);

// Writes "; write 1000000" if somebody who wrote 1e6 meant a number that is allowed; else "".
void scenario_number_hint(enum anl_key_kind kind, const char *found, uint64_t min, uint64_t max,
                          char *text, size_t size);

// Writes the unit and an example: " (flits), such as 4".
void scenario_example(unsigned key, char *text, size_t size);

// --- a scenario while it is being read: its values so far, and where each of them was given ---

struct scenario_reading {
    struct anl_scenario *scenario;
    struct anl_error *error;
    const char *file;  // where the reader is: a file or a setting
    struct {
        const char *file;  // file or setting that gave the key; NULL: not given
        uint64_t line;     // 0: given in a setting
    } given[NUM_KEYS];
    uint64_t section_line[NUM_SECTIONS];  // 0: the file has no such section
    uint64_t last_line;
    char *paths[NUM_KEYS];         // of ANL_KEY_PATH: the path as given, owned; NULL: none
    char *opened[NUM_KEYS];        // the same with the directory, while messages may name the file
    struct scenario_graph *graph;  // owned; NULL: none
};

// A value as it was written; the text need not be terminated.
struct scenario_scalar {
    const char *text;
    size_t bytes;
    bool plain;  // written without quotes, so it may be a number
};

// Returns what to say to somebody who wrote a terminal as pictures and links have it, "T3"; "" if
// nobody did.
const char *scenario_terminal_hint(struct scenario_scalar found);

enum { SCENARIO_SHOWN_BYTES = 48 };

// Returns how a message quotes the value: on one line, cut if it is long, "nothing" if it is empty.
// scenario_show puts it in quotes only if it would be misread without.
const char *scenario_quote(struct scenario_scalar scalar, char shown[SCENARIO_SHOWN_BYTES]);
const char *scenario_show(struct scenario_scalar scalar, char shown[SCENARIO_SHOWN_BYTES]);

// Notes that a key is about to get its value, or the elements of its list. ANL_ERR_FORMAT: the key
// was given twice.
enum anl_status scenario_give(struct scenario_reading *reading, unsigned key, uint64_t line);

// Returns where the number of elements of a list stands.
uint32_t *scenario_count(const struct scenario_key *key, struct anl_scenario *scenario);

// Sets the value of a key, or appends one element to its list. ANL_ERR_FORMAT: the value is not
// what the key expects.
enum anl_status scenario_value(struct scenario_reading *reading, unsigned key,
                               struct scenario_scalar scalar, uint64_t line);

// Fails with ANL_ERR_FORMAT and says what was found and what the key expects.
enum anl_status scenario_unfit(struct scenario_reading *reading, unsigned key, uint64_t line,
                               const char *found);

// Look up a section or a key by its name. ANL_ERR_FORMAT: there is none; *error says which name was
// probably meant.
enum anl_status scenario_find_section(struct scenario_reading *reading, const char *name,
                                      uint64_t line, enum scenario_section *section);
enum anl_status scenario_find_key(struct scenario_reading *reading, enum scenario_section section,
                                  const char *name, uint64_t line, unsigned *key);

// Read the document of a scenario file, and one setting "section.key=value".
enum anl_status scenario_read_yaml(struct scenario_reading *reading, const char *text,
                                   size_t bytes);
enum anl_status scenario_read_setting(struct scenario_reading *reading, const char *setting);

// --- a walk through YAML, event by event ---

struct scenario_walk {
    yaml_parser_t parser;
    yaml_event_t event;  // the present event
    struct scenario_reading *reading;
};

// Goes on to the next event.
enum anl_status scenario_next(struct scenario_walk *walk);
// Return of the present event: its line, its value if it is a scalar, and its description for
// messages.
uint64_t scenario_line(const struct scenario_walk *walk);
struct scenario_scalar scenario_scalar_of(const struct scenario_walk *walk);
const char *scenario_describe(const struct scenario_walk *walk, char shown[SCENARIO_SHOWN_BYTES]);

// --- graphs ---

#define BY_ORDER UINT32_MAX  // a port that the text does not number
#define ALL UINT32_MAX       // the end of a range that goes as far as there are numbers

struct place {
    uint32_t switch_, port;
};

// A link, both links of a pair, or the port of a terminal.
struct connection {
    struct place from, to;  // terminal: from alone
    bool both;
    uint64_t line;
};

struct connections {
    struct connection *items;
    size_t count, room;
};

// Numbers from one to another.
struct range {
    uint32_t first, last;  // last may be ALL
};

// Options of entries of the routing table that differ in their classes of messages, their input
// ports and terminals alone.
struct table_entry {
    uint32_t switch_, port;
    struct range classes;  // of a table whose rows name classes
    struct range inputs;   // of a table whose rows name input ports
    struct range terminals, lanes;
    uint64_t line;
};

struct scenario_graph {
    const char *file, *table_file;  // in which the graph and its table are described
    uint32_t switches, ports;
    uint64_t switches_line, ports_line;  // 0: not given
    char (*names)[ANL_GRAPH_NAME_BYTES];
    uint32_t *by_name;  // [NAME_PLACES] switches + 1 in an open hash table of their names; 0: none
    struct connections terminals, links;
    struct table_entry *table;
    size_t num_entries, table_room;
    bool by_class;  // the rows of the table name classes of messages
    bool by_input;  // the rows of the table name input ports
};

// Fails with ANL_ERR_MEMORY.
enum anl_status scenario_no_memory(const struct scenario_reading *reading);

// Reads decimal digits without a sign or a leading zero; returns false if it is something else.
bool scenario_integer(struct scenario_scalar scalar, uint64_t *value);

// Reads digits, perhaps followed by a point and at most 15 more digits, below 10; returns false if
// it is something else.
bool scenario_real(struct scenario_scalar scalar, double *value);

// Read the text of a CSV file with a traffic matrix, and with the rates of terminals.
enum anl_status scenario_read_matrix(struct scenario_reading *reading, const char *text,
                                     size_t bytes, const char *name);
enum anl_status scenario_read_rates(struct scenario_reading *reading, const char *text,
                                    size_t bytes, const char *name);
// Once they are read: settles the load, which is the mean of the rates if the scenario gives none;
// then it counts as given.
enum anl_status scenario_settle_demand(struct scenario_reading *reading);

// Reads the mapping of a graph, which begins with the present event, into reading->graph.
enum anl_status scenario_read_graph(struct scenario_walk *walk);
// Reads the text of a file that holds a graph alone; reading->file is its name.
enum anl_status scenario_read_graph_file(struct scenario_reading *reading, const char *text,
                                         size_t bytes);
// --- CSV files ---

// A text that is read row by row: empty lines and those that begin with # are skipped, and so are
// blanks around a field and quotes.
enum { SCENARIO_CSV_FIELDS = 6 };
struct scenario_csv {
    const char *at, *end;  // the rest of the text
    const char *name;
    struct anl_error *error;
    uint64_t line;  // of the row
    struct scenario_scalar row, fields[SCENARIO_CSV_FIELDS];
    unsigned count;  // of fields; those behind the last one that has room are counted
};

// Reads the next row. Returns false if there is none.
bool scenario_csv_next(struct scenario_csv *csv);
// Returns whether the fields of the row are those of a first line.
bool scenario_csv_is(const struct scenario_csv *csv, const char *head);
// Return the error of a row that is no first line, and of one with another number of fields than
// its first line has; the latter ANL_OK if it is the number.
enum anl_status scenario_csv_refuse_head(const struct scenario_csv *csv, const char *heads);
enum anl_status scenario_csv_expect(const struct scenario_csv *csv, unsigned fields,
                                    const char *head);

// --- graphs ---

// Reads the text of a CSV file with a routing table for the graph that was read.
enum anl_status scenario_read_table(struct scenario_reading *reading, const char *text,
                                    size_t bytes, const char *name);
// Makes scenario->graph of what was read, without routes; a graph for each class of messages, if
// they have routings or tables of their own.
enum anl_status scenario_build_graph(struct scenario_reading *reading);
// Writes a graph as a mapping of YAML, each line behind indent.
void scenario_write_graph(FILE *stream, const struct anl_graph *graph, const char *indent);
void scenario_graph_free(struct scenario_graph *graph);  // may be NULL

// Gives the keys that were not given their default values.
enum anl_status scenario_fall_back(struct scenario_reading *reading);

// Returns true if the file or a setting gives the key.
bool scenario_is_given(const struct scenario_reading *reading, unsigned key);

// Returns whether the key has a meaning for a kind of switch; for networks of a topology; for
// traffic of a process and a pattern; in the scenario.
bool scenario_fits_kind(unsigned key, enum anl_switch_kind kind);
bool scenario_fits_topology(unsigned key, enum anl_topology topology);
bool scenario_fits_traffic(const struct scenario_key *key,
                           const struct anl_traffic_config *traffic);
bool scenario_has_key(const struct anl_scenario *scenario, unsigned key);

// Returns the first of two keys that was given, or a if none was.
unsigned scenario_given_of(const struct scenario_reading *reading, unsigned a, unsigned b);

// Returns the file, and in *line the line, at which a message about key points: the key itself, its
// section, or the end of the text.
const char *scenario_place_of(const struct scenario_reading *reading, unsigned key, uint64_t *line);

// Returns from the function with a message that points at the key.
#define SCENARIO_REFUSE(reading, key, ...)                                                         \
    do {                                                                                           \
        uint64_t refused_line;                                                                     \
        const char *refused_file = scenario_place_of(reading, key, &refused_line);                 \
        return anl_fail((reading)->error, ANL_ERR_ARGUMENT, refused_file, refused_line,            \
                        __VA_ARGS__);                                                              \
    } while (0)

// Refuses a scenario without the key; unless completes the message.
enum anl_status scenario_require(const struct scenario_reading *reading, unsigned key,
                                 const char *unless);

// Refuses what a switch without buffers has not: keys of the other kind, and processes that choose
// no starts. Its depth is that of a link register.
enum anl_status scenario_settle_kind(struct scenario_reading *reading);

// Gives each class its weight and refuses classes that do not divide the lanes; graphs are built
// with the lanes of a class.
enum anl_status scenario_settle_classes(struct scenario_reading *reading);

// Settles the network, its heads and routes, and refuses one that is none or can deadlock.
enum anl_status scenario_settle_network(struct scenario_reading *reading);

// Once messages are read: settles the routes of a network with routing source, which are those of
// the messages if some message has one of its own, and refuses it if they do not fit into a head or
// can deadlock.
enum anl_status scenario_settle_routes(struct scenario_reading *reading);

// Settles what depends on several keys and refuses contradictions.
enum anl_status scenario_settle(struct scenario_reading *reading);

// Writes a scenario file with the keys that were given, which gives the same scenario. Returns its
// text, terminated, which the caller frees; NULL if memory runs out.
char *scenario_write(const struct scenario_reading *reading, size_t *bytes);

// Reads a file of at most limit bytes. *text is terminated; the caller frees it.
enum anl_status scenario_read_file(const char *path, size_t limit, char **text, size_t *bytes,
                                   struct anl_error *error);

// --- after.c: messages that wait for others ---

struct after_id {
    uint64_t id, line;
    uint32_t message;
};

struct after_wait {
    uint64_t id, line;  // of the message that is waited for, and in which line it is
    uint32_t message, cycles;
};

// The fields id and after that have been read, in the order of their messages.
struct after_reader {
    const char *file;
    struct anl_error *error;
    struct after_id *ids;
    size_t num_ids, ids_room;
    struct after_wait *waits;
    size_t num_waits, waits_room;
};

// Reads one field of message number `message` that has a name; an equals sign is in it.
enum anl_status scenario_read_after(struct after_reader *reader, struct scenario_scalar field,
                                    uint32_t message, uint64_t line);
// Once all fields are read: lets the messages point to what they wait for, which is written to
// after [num_waits], and refuses messages that are not there or that wait in a circle.
enum anl_status scenario_settle_after(struct after_reader *reader, struct anl_message *messages,
                                      size_t count, struct anl_after *after);
void scenario_free_after(struct after_reader *reader);

// Reads the text of a message file. The caller frees *messages, and their routes and what they wait
// for with them.
enum anl_status scenario_read_messages(const char *text, size_t bytes, const char *name,
                                       const struct anl_scenario *scenario,
                                       struct anl_message **messages, size_t *num_messages,
                                       struct anl_error *error);

#endif
