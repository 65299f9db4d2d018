// SPDX-License-Identifier: Apache-2.0
//
// Each rule of one link in each style, cycle by cycle; descriptions that are refused; and the
// fields of flits, read back from flits that were made.

#include "unit.h"

#include <annelid/links.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { VCS = 2, SLOTS = 2, MOST = 12 };

// What is on the wires in a cycle: a flit of `vc` with this data, or none; and `back`.
struct step {
    int flit;  // data of the flit; -1: valid is 0
    uint32_t vc, back;
};

struct trial {
    enum anl_link_style style;
    struct step steps[MOST];
    unsigned count;
    int cycle;  // in which the rule is broken; -1: none is
    enum anl_link_rule rule;
};

static const struct trial trials[] = {
    // credits: two are there, a third flit needs one that has come in a cycle before
    {ANL_STYLE_CREDIT, {{1, 0, 0}, {2, 0, 0}, {-1, 0, 1}, {3, 0, 0}}, 4, -1, ANL_LINK_KEPT},
    {ANL_STYLE_CREDIT, {{1, 0, 0}, {2, 0, 0}, {3, 0, 1}}, 3, 2, ANL_LINK_NO_CREDIT},
    {ANL_STYLE_CREDIT, {{1, 0, 0}, {2, 0, 0}, {-1, 0, 2}}, 3, 2, ANL_LINK_EARLY_CREDIT},
    {ANL_STYLE_CREDIT, {{1, 0, 0}, {-1, 0, 1}, {-1, 0, 1}}, 3, 2, ANL_LINK_EARLY_CREDIT},
    {ANL_STYLE_CREDIT, {{1, 0, 1}, {-1, 0, 1}}, 2, 1, ANL_LINK_EARLY_CREDIT},
    {ANL_STYLE_CREDIT, {{1, 2, 0}}, 1, 0, ANL_LINK_BAD_LINK},
    // pulses: {pulse, lane}
    {ANL_STYLE_CREDIT_PULSE_SHARED,
     {{1, 1, 0}, {2, 1, 0}, {-1, 0, 3}, {3, 1, 0}},
     4,
     -1,
     ANL_LINK_KEPT},
    {ANL_STYLE_CREDIT_PULSE_SHARED,
     {{1, 1, 0}, {2, 1, 0}, {-1, 0, 1}, {3, 1, 0}},
     4,
     3,
     ANL_LINK_NO_CREDIT},
    {ANL_STYLE_CREDIT_PULSE_SHARED, {{1, 1, 0}, {-1, 0, 2}}, 2, 1, ANL_LINK_EARLY_CREDIT},
    // ready and valid: a flit waits as it is
    {ANL_STYLE_READY_VALID, {{1, 0, 0}, {1, 0, 0}, {1, 0, 1}, {2, 1, 1}}, 4, -1, ANL_LINK_KEPT},
    {ANL_STYLE_READY_VALID, {{1, 0, 0}, {-1, 0, 1}}, 2, 1, ANL_LINK_WITHDRAWN},
    {ANL_STYLE_READY_VALID, {{1, 0, 0}, {2, 0, 1}}, 2, 1, ANL_LINK_CHANGED},
    {ANL_STYLE_READY_VALID, {{1, 0, 0}, {1, 1, 1}}, 2, 1, ANL_LINK_CHANGED},
    {ANL_STYLE_READY_VALID,
     {{1, 0, 1}, {-1, 0, 0}, {2, 1, 0}, {-1, 0, 0}},
     4,
     3,
     ANL_LINK_WITHDRAWN},
    // a ready bit a lane: another lane may be offered, and the flit of each lane waits as it is
    {ANL_STYLE_READY_VALID_PER_LANE,
     {{1, 0, 2}, {5, 1, 0}, {-1, 0, 0}, {1, 0, 1}, {5, 1, 2}},
     5,
     -1,
     ANL_LINK_KEPT},
    {ANL_STYLE_READY_VALID_PER_LANE, {{1, 0, 2}, {5, 1, 2}, {2, 0, 1}}, 3, 2, ANL_LINK_CHANGED},
    {ANL_STYLE_READY_VALID_PER_LANE, {{1, 0, 1}, {2, 0, 1}}, 2, -1, ANL_LINK_KEPT},
    // stop: what was 1 in the cycle before
    {ANL_STYLE_STOP_GO, {{1, 0, 1}, {-1, 0, 0}, {2, 0, 2}, {3, 0, 0}}, 4, -1, ANL_LINK_KEPT},
    {ANL_STYLE_STOP_GO, {{1, 0, 1}, {2, 0, 0}}, 2, 1, ANL_LINK_SENT_AT_STOP},
    {ANL_STYLE_STOP_GO, {{1, 0, 0}, {-1, 0, 2}, {2, 1, 0}}, 3, 2, ANL_LINK_SENT_AT_STOP},
};

static struct anl_link_description plain(enum anl_link_style style)
{
    struct anl_link_description description = {
        .style = style, .width = 34, .ends = ANL_ENDS_MARKS, .head_mark = 33, .tail_mark = 32};
    description.fields[ANL_FIELD_DESTINATION] = (struct anl_bits){0, 4, 0};
    return description;
}

static void try_trial(const struct trial *trial, const char *name)
{
    const struct anl_link_description description = plain(trial->style);
    struct anl_links *links;
    assert_int_equal(anl_links_create(&description, 3, VCS, SLOTS, &links), ANL_OK);
    for (unsigned i = 0; i < trial->count; i++) {
        const struct step *step = &trial->steps[i];
        const uint32_t flit[ANL_WIRE_WORDS] = {(uint32_t)step->flit};
        const struct anl_wires wires = {step->flit >= 0, step->vc, step->back, flit};
        struct anl_transfer transfer;
        const enum anl_link_rule rule = anl_links_take(links, 1, &wires, &transfer);
        const enum anl_link_rule expected = (int)i == trial->cycle ? trial->rule : ANL_LINK_KEPT;
        if (rule != expected)
            fail_msg("%s, cycle %u: %s, expected %s", name, i, anl_link_rule_name(rule),
                     anl_link_rule_name(expected));
        assert_true(rule == ANL_LINK_KEPT || transfer.text[0]);
    }
    anl_links_destroy(links);
}

static void each_rule_is_told_in_its_cycle(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        try_trial(&trials[i], anl_style_name(trials[i].style));
}

// If a link does not promise to keep an offer up, the next one is still the same (docs/link.md).
static void a_flit_that_is_withdrawn_is_not_forgotten(void **unused)
{
    (void)unused;
    static const struct {
        struct step last;
        enum anl_link_rule rule;
    } ends[] = {
        {{1, 0, 1}, ANL_LINK_KEPT}, {{2, 0, 1}, ANL_LINK_CHANGED}, {{1, 1, 1}, ANL_LINK_CHANGED}};
    const struct anl_link_description description = plain(ANL_STYLE_READY_VALID);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct anl_links *links;
        assert_int_equal(anl_links_create(&description, 1, VCS, SLOTS, &links), ANL_OK);
        const struct step steps[] = {{1, 0, 0}, {-1, 0, 0}, ends[i].last};
        const enum anl_link_rule told[] = {ANL_LINK_KEPT, ANL_LINK_WITHDRAWN, ends[i].rule};
        for (unsigned cycle = 0; cycle < 3; cycle++) {
            const uint32_t flit[ANL_WIRE_WORDS] = {(uint32_t)steps[cycle].flit};
            const struct anl_wires wires = {steps[cycle].flit >= 0, steps[cycle].vc,
                                            steps[cycle].back, flit};
            struct anl_transfer transfer;
            assert_int_equal(anl_links_take(links, 0, &wires, &transfer), told[cycle]);
        }
        anl_links_destroy(links);
    }
}

static void a_flit_crosses_when_it_is_taken(void **unused)
{
    (void)unused;
    static const bool crossed[ANL_NUM_STYLES][4] = {// back 0, 1, 2, 3; the flit is of lane 1
                                                    {true, true, true, true},
                                                    {true, true, true, true},
                                                    {false, true, false, true},
                                                    {false, false, true, true},
                                                    {true, true, true, true}};
    for (unsigned style = 0; style < ANL_NUM_STYLES; style++)
        for (uint32_t back = 0; back < 4; back++) {
            const struct anl_link_description description = plain(style);
            const uint32_t flit[ANL_WIRE_WORDS] = {5, 2};
            const struct anl_wires wires = {true, 1, back, flit};
            struct anl_transfer transfer;
            struct anl_links *links;
            assert_int_equal(anl_links_create(&description, 1, VCS, SLOTS, &links), ANL_OK);
            anl_links_take(links, 0, &wires, &transfer);
            assert_int_equal(transfer.crosses, crossed[style][back]);
            if (transfer.crosses) assert_true(transfer.head && !transfer.tail && transfer.vc == 1);
            anl_links_destroy(links);
        }
}

static void at_rest_all_credits_are_back(void **unused)
{
    (void)unused;
    const struct anl_link_description description = plain(ANL_STYLE_CREDIT);
    const uint32_t flit[ANL_WIRE_WORDS] = {1};
    struct anl_transfer transfer;
    struct anl_links *links;
    uint32_t link = 9, vc = 9;
    assert_int_equal(anl_links_create(&description, 3, VCS, SLOTS, &links), ANL_OK);
    assert_true(anl_links_rest(links, &link, &vc));
    anl_links_take(links, 2, &(struct anl_wires){true, 1, 0, flit}, &transfer);
    assert_false(anl_links_rest(links, &link, &vc));
    assert_true(link == 2 && vc == 1);
    assert_int_equal(anl_links_credits(links, 2, 1), SLOTS - 1);
    assert_int_equal(anl_links_credits(links, 2, 0), SLOTS);
    assert_int_equal(anl_links_credits(links, 1, 1), SLOTS);
    anl_links_take(links, 2, &(struct anl_wires){false, 0, 2, flit}, &transfer);
    assert_true(anl_links_rest(links, &link, &vc));
    anl_links_destroy(links);
}

// --- worms that end by their length, types and lanes in flits ---

static void worms_end_where_their_length_says(void **unused)
{
    (void)unused;
    struct anl_link_description description = plain(ANL_STYLE_STOP_GO);
    struct anl_links *links;
    description.ends = ANL_ENDS_LENGTH;
    description.fields[ANL_FIELD_LENGTH] = (struct anl_bits){4, 4, 1};
    assert_int_equal(anl_links_create(&description, 1, VCS, SLOTS, &links), ANL_OK);
    // lane 0: three flits; lane 1 between them: one flit
    static const struct {
        uint32_t vc, data;
        bool head, tail;
    } flits[] = {{0, 0x20, true, false},
                 {1, 0x00, true, true},
                 {0, 0x70, false, false},
                 {0, 0x50, false, true},
                 {0, 0x00, true, true}};
    for (size_t i = 0; i < sizeof flits / sizeof *flits; i++) {
        const uint32_t flit[ANL_WIRE_WORDS] = {flits[i].data};
        struct anl_transfer transfer;
        anl_links_take(links, 0, &(struct anl_wires){true, flits[i].vc, 0, flit}, &transfer);
        assert_int_equal(transfer.head, flits[i].head);
        assert_int_equal(transfer.tail, flits[i].tail);
    }
    anl_links_destroy(links);
}

static void fields_are_read_as_they_were_made(void **unused)
{
    (void)unused;
    struct anl_config config = {.topology = ANL_MESH, .k = 3, .n = 2, .num_vcs = 2, .depth = 4};
    struct anl_link_description description = {.style = ANL_STYLE_CREDIT,
                                               .width = 70,
                                               .ends = ANL_ENDS_TYPE,
                                               .type = {66, 2, 0},
                                               .type_head = 1 << 1 | 1 << 3,
                                               .type_tail = 1 << 2 | 1 << 3,
                                               .lane = {64, 1, 0},
                                               .always = {{{0, 2, 0}, 2}},
                                               .num_always = 1,
                                               .changes = {{40, 4, 0}},
                                               .num_changes = 1};
    description.fields[ANL_FIELD_X] = (struct anl_bits){4, 3, -1};
    description.fields[ANL_FIELD_Y] = (struct anl_bits){30, 4, -2};
    description.fields[ANL_FIELD_SOURCE_Y] = (struct anl_bits){8, 4, 0};
    description.fields[ANL_FIELD_LENGTH] = (struct anl_bits){12, 6, 1};
    for (uint32_t id = 0; id < 500; id++) {
        const struct anl_worm worm = {.id = id,
                                      .source = id % 9,
                                      .destination = id * 5 % 9,
                                      .length = (uint16_t)(1 + id % 20)};
        uint32_t flit[ANL_WIRE_WORDS], body[ANL_WIRE_WORDS], other[ANL_WIRE_WORDS];
        anl_link_make_flit(&description, &config, &worm, 0, id & 1, flit);
        assert_int_equal(anl_link_destination(&description, &config, flit), worm.destination);
        assert_int_equal(anl_link_length(&description, flit), worm.length);
        assert_int_equal(flit[0] & 3, 2);
        assert_int_equal(flit[2] & 1, id & 1);
        assert_int_equal(flit[2] >> 2 & 3, worm.length == 1 ? 3 : 1);
        assert_int_equal(flit[0] >> 8 & 15, worm.source / 3);
        assert_int_equal(flit[2] >> 6, 0);
        // heads of all worms differ, whatever a switch may change; so do the flits of a worm
        struct anl_worm next = worm;
        next.id += 1 + id % 7;
        anl_link_make_flit(&description, &config, &next, 0, id & 1, other);
        anl_link_mask(&description, true, flit);
        anl_link_mask(&description, true, other);
        assert_memory_not_equal(flit, other, sizeof flit);
        anl_link_make_flit(&description, &config, &worm, 1, 0, body);
        anl_link_make_flit(&description, &config, &worm, 2, 0, other);
        assert_memory_not_equal(body, other, sizeof body);
    }
    uint32_t none[ANL_WIRE_WORDS] = {0};  // x = -1
    assert_int_equal(anl_link_destination(&description, &config, none), UINT32_MAX);
}

// --- descriptions ---

static const char *const good =
    "style: stop_go\nwidth: 40\ntype: {at: 38, width: 2, head: [1, 3], "
    "tail: [2, 3]}\nhead:\n  x: {at: 0, width: 4}\n  y: {at: 4, width: 4, "
    "plus: -1}\n  length: {at: 8, width: 4, plus: 1}\nlane: {at: 36, width: "
    "1}\nalways: [{at: 20, width: 2, value: 3}]\nchanges: [{at: 16, width: "
    "3}]\nslots: 7\ncredits: lane\nignore: [withdrawn, changed]\n";

// Writes a text to a file, which it names unless it has a name.
static void write_text(char *path, const char *text)
{
    if (strstr(path, "XXXXXX")) close(mkstemp(path));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static enum anl_status load(const char *text, struct anl_link_description *made,
                            struct anl_error *error)
{
    char path[] = "/tmp/annelid-links-XXXXXX";
    write_text(path, text);
    const enum anl_status status = anl_link_load(path, made, error);
    remove(path);
    return status;
}

static void a_description_is_read(void **unused)
{
    (void)unused;
    struct anl_link_description made;
    struct anl_error error = {0};
    if (load(good, &made, &error)) fail_msg("line %d: %s", (int)error.line, error.text);
    assert_int_equal(made.style, ANL_STYLE_STOP_GO);
    assert_int_equal(made.width, 40);
    assert_int_equal(made.slots, 7);
    assert_int_equal(made.ends, ANL_ENDS_TYPE);
    assert_int_equal(made.type_tail, 12);
    assert_int_equal(made.fields[ANL_FIELD_Y].plus, -1);
    assert_int_equal(made.ignored, 1 << ANL_LINK_WITHDRAWN | 1 << ANL_LINK_CHANGED);
    assert_true(made.credits_of_lanes && made.num_always == 1 && made.num_changes == 1);
}

static void what_is_wrong_is_said_with_its_line(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } bad[] = {
        {"", 1, "found nothing"},
        {"style: handshake\n", 1, "found 'handshake'"},
        {"style: credit\nwidth: 0\n", 2, "found '0', expected 1 .. 514"},
        {"style: credit\nwidth: 515\n", 2, "found '515'"},
        {"style: credit\nhead: {x: {at: 0, width: 1}}\n", 1, "found no width"},
        {"width: 3\nhead: {x: {at: 0, width: 1}}\n", 1, "found no style"},
        {"style: credit\nwidth: 8\nhead: {x: {at: 0, width: 1}, destination: {at: 0, width: 1}}\n",
         1, "both destination"},
        {"style: credit\nwidth: 8\nhead:\n  x: {at: 7, width: 2}\n", 1,
         "x: found wires above the width"},
        {"style: credit\nwidth: 8\nmarks: {head: 8, tail: 7}\nhead: {x: {at: 0, width: 1}}\n", 1,
         "marks: found wires above"},
        {"style: credit\nwidth: 8\nmarks: {head: 6}\n", 3, "expected head and tail"},
        {"style: credit\nwidth: 8\nmarks: {head: 6, tail: 7}\ntype: {at: 0, width: 2, head: [1], "
         "tail: [2]}\n",
         4, "expected one of them"},
        {"style: credit\nwidth: 8\nhead:\n  row: {at: 0, width: 1}\n", 4, "found key 'row'"},
        {"style: credit\nwidth: 8\nhead:\n  x: {at: 0, size: 1}\n", 4, "found key 'size'"},
        {"style: credit\nwidth: 8\nhead:\n  x: {at: 0}\n", 4, "found no width"},
        {"style: credit\nwidth: 8\nhead: 3\n", 3, "found '3', expected a mapping"},
        {"style: credit\nwidth: 8\nalways: 3\n", 3, "expected a list"},
        {"style: credit\nwidth: 8\nalways: [{at: 0, width: 2, value: 4}]\n", 3,
         "found '4', expected 0 .. 3"},
        {"style: credit\nwidth: 8\nalways: [{at: 0, width: 2}]\n", 3, "expected a value"},
        {"style: credit\nwidth: 8\nignore: [no_credit]\n", 3, "found 'no_credit'"},
        {"style: credit\nwidth: 8\nwidth: 9\n", 3, "a second time"},
        {"style: credit\nwidth: 8\ncredits: later\n", 3, "found 'later'"},
        {"style: credit\nwidth: 8\nhead:\n  x: {at: 0, at: 1, width: 1}\n", 4,
         "found key 'at' a second time"},
        {"style: credit\nwidth: 8\ntype: {at: 0, width: 2, head: [1, 4], tail: [2]}\n", 3,
         "found a value above 3"},
        {"style: credit\nwidth: 8\ntype: {at: 0, width: 2, head: [100], tail: [2]}\n", 3,
         "found '100', expected 0 .. 63"},
        {"style: credit\nwidth: 8\nmarks: {head: 7, tail: 6, at: 3}\n", 3, "expected head, tail"},
        {"style: credit\nwidth: 8\nhead:\n  x: {at: 0, length: 1}\n", 4,
         "expected at, width, plus"},
        {"style: credit\nwidth: 08x\n", 2, "found '08x'"},
        {"style: [credit\n", 2, "expected YAML"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct anl_link_description made;
        struct anl_error error = {0};
        assert_int_equal(load(bad[i].text, &made, &error), ANL_ERR_FORMAT);
        if (!strstr(error.text, bad[i].says) || error.line != bad[i].line)
            fail_msg("%zu: line %d: %s; expected line %u: %s", i, (int)error.line, error.text,
                     bad[i].line, bad[i].says);
    }
    struct anl_link_description made;
    struct anl_error error = {0};
    assert_int_equal(anl_link_load("/no/such/file", &made, &error), ANL_ERR_IO);
}

static void fields_must_be_wide_enough(void **unused)
{
    (void)unused;
    struct anl_link_description made;
    struct anl_error error = {0};
    struct anl_config mesh = {.topology = ANL_MESH, .k = 4, .n = 2, .num_vcs = 2};
    assert_int_equal(load(good, &made, &error), ANL_OK);
    assert_int_equal(anl_link_fit(&made, &mesh, "x", &error), ANL_OK);
    mesh.num_vcs = 4;  // a lane of one wire
    assert_int_equal(anl_link_fit(&made, &mesh, "x", &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "lane: found"));
    mesh = (struct anl_config){.topology = ANL_MESH, .k = 17, .n = 2, .num_vcs = 2};
    assert_int_equal(anl_link_fit(&made, &mesh, "x", &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "x: found"));
    mesh = (struct anl_config){.topology = ANL_MESH, .k = 4, .n = 3, .num_vcs = 2};
    assert_int_equal(anl_link_fit(&made, &mesh, "x", &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "z: found"));
    static const char *const overlaps[] = {
        "style: credit\nwidth: 8\nhead:\n  x: {at: 0, width: 2}\n  y: {at: 1, width: 2}\n",
        "style: credit\nwidth: 8\nmarks: {head: 6, tail: 6}\nhead: {x: {at: 0, width: 2}}\n",
        "style: credit\nwidth: 8\nlane: {at: 1, width: 1}\nhead: {x: {at: 0, width: 2}}\n"};
    for (size_t i = 0; i < sizeof overlaps / sizeof *overlaps; i++) {
        assert_int_equal(load(overlaps[i], &made, &error), ANL_ERR_FORMAT);
        assert_non_null(strstr(error.text, "found wires that another field has"));
    }
}

// A prover makes heads of its own, and a terminal cannot.
static void only_terminals_need_a_destination(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        uint64_t line;
    } without[] = {{"# a link\nstyle: credit\nwidth: 8\n", 2},
                   {"style: credit\nwidth: 8\nhead:\n  length: {at: 0, width: 4}\n", 4}};
    const struct anl_config mesh = {.topology = ANL_MESH, .k = 4, .n = 2, .num_vcs = 2};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        struct anl_link_description made;
        struct anl_error error = {0};
        assert_int_equal(load(without[i].text, &made, &error), ANL_OK);
        assert_int_equal(anl_link_fit(&made, &mesh, "x", &error), ANL_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, "found no destination, expected destination, or x"));
        assert_int_equal(error.line, without[i].line);
    }
}

static void numbers_are_decimal_or_hexadecimal(void **unused)
{
    (void)unused;
    struct anl_link_description made;
    struct anl_error error = {0};
    assert_int_equal(load("style: credit\nwidth: 010\nslots: 0x10\n", &made, &error), ANL_OK);
    assert_true(made.width == 10 && made.slots == 16);
}

static void coordinates_of_a_graph_need_columns(void **unused)
{
    (void)unused;
    struct anl_link_description made;
    struct anl_error error = {0};
    const struct anl_config graph = {.topology = ANL_GRAPH};
    const struct anl_config mesh = {.topology = ANL_MESH, .k = 4, .n = 2};
    assert_int_equal(load(good, &made, &error), ANL_OK);
    assert_int_equal(anl_link_fit(&made, &mesh, "x", &error), ANL_OK);
    assert_int_equal(anl_link_fit(&made, &graph, "x", &error), ANL_ERR_ARGUMENT);
    made.columns = 4;
    assert_int_equal(anl_link_fit(&made, &graph, "x", &error), ANL_OK);
    assert_int_equal(anl_link_fit(&made, &mesh, "x", &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "columns: found 4, expected none"));
}

// --- the page ---

static void judge_example(const struct anl_handshake *example)
{
    struct trial trial = {
        .style = example->style, .count = example->num_cycles, .cycle = -1, .rule = ANL_LINK_KEPT};
    char rule[40] = "";
    assert_in_range(trial.count, 1, MOST);
    for (unsigned i = 0; i < trial.count; i++)
        trial.steps[i] = (struct step){example->cycles[i].flit ? example->cycles[i].flit : -1,
                                       example->cycles[i].vc, example->cycles[i].back};
    if (sscanf(example->says, "%39[a-z_] in %d", rule, &trial.cycle) == 2)
        for (unsigned i = 0; i < ANL_NUM_LINK_RULES; i++)
            if (strcmp(rule, anl_link_rule_name(i)) == 0) trial.rule = i;
    assert_true(strncmp(example->says, "allowed", 7) == 0 ? trial.cycle == -1
                                                          : trial.rule != ANL_LINK_KEPT);
    try_trial(&trial, anl_style_name(example->style));
}

static void the_page_says_what_is_allowed(void **unused)
{
    (void)unused;
    struct anl_handshake *examples;
    struct anl_error error = {0};
    size_t count;
    if (anl_handshakes_load("docs/link.md", VCS, &examples, &count, &error))
        fail_msg("line %d: %s", (int)error.line, error.text);
    for (size_t i = 0; i < count; i++)
        judge_example(&examples[i]);
    free(examples);
    assert_int_equal(count, 13);
}

static void handshakes_are_read_as_they_stand(void **unused)
{
    (void)unused;
    char path[] = "/tmp/annelid-links-XXXXXX";
    struct anl_handshake *read;
    struct anl_error error = {0};
    size_t count;
    write_text(path, "A flit is no handshake.\r\n"
                     "| stop_go flit | A0 |\n"
                     " credit_pulse_shared  flit  A0 .  Z1 what  is said\r\n"
                     "        back  0  3 2\r\n");
    assert_int_equal(anl_handshakes_load(path, VCS, &read, &count, &error), ANL_OK);
    remove(path);
    assert_int_equal(count, 1);
    assert_int_equal(read->style, ANL_STYLE_CREDIT_PULSE_SHARED);
    assert_true(read->line == 3 && read->num_cycles == 3);
    assert_string_equal(read->says, "what  is said");
    assert_true(read->cycles[0].flit == 'A' && !read->cycles[1].flit &&
                read->cycles[2].flit == 'Z');
    assert_true(read->cycles[0].vc == 0 && read->cycles[2].vc == 1);
    assert_true(read->cycles[0].back == 0 && read->cycles[1].back == 3 &&
                read->cycles[2].back == 2);
    free(read);
}

#define EIGHT "A0 A0 A0 A0 A0 A0 A0 A0 "
#define LONG "forty letters are said behind the flits."

static void what_is_wrong_in_handshakes_is_said_with_its_line(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } bad[] = {
        {"", 0, "found no handshake"},
        {"A flit  is no handshake.\n", 1, "found style 'A'"},
        {" credit flit  " EIGHT EIGHT EIGHT EIGHT "B0\n", 1,
         "found flit 'B0', expected at most 32"},
        {" credit flit  A0 " LONG LONG LONG LONG "\n", 1, "expected at most 159 bytes behind"},
        {"\n credits flit  A0\n back 0\n", 2, "found style 'credits', expected one of credit,"},
        {" credit flit  a0 .\n back 0\n", 1, "found 'a0 .', expected flits"},
        {" credit flit  A0\n", 1, "found the end, expected a line of back"},
        {" credit flit  A0\n flit 0\n", 2, "found ' flit 0', expected back"},
        {" credit flit  A0\n back\n", 2, "numbers of back: found 0, expected 1"},
        {" credit flit  A0 B0\n back 0 0 1\n", 2, "numbers of back: found 3, expected 2"},
        {" credit flit  A0\n back 4\n", 2, "found '4', expected a hexadecimal number of 2 wires"},
        {" credit flit  A0\n back -1\n", 2, "found '-1'"},
        {" ready_valid flit  A0\n back 2\n", 2,
         "found '2', expected a hexadecimal number of 1 wire"},
        {" stop_go flit  A0\n back 1x\n", 2, "found '1x'"},
    };
    char path[] = "/tmp/annelid-links-XXXXXX";
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct anl_handshake *read;
        struct anl_error error = {0};
        size_t count;
        write_text(path, bad[i].text);
        assert_int_equal(anl_handshakes_load(path, VCS, &read, &count, &error), ANL_ERR_FORMAT);
        assert_null(read);
        if (!strstr(error.text, bad[i].says) || error.line != bad[i].line)
            fail_msg("%zu: line %d: %s; expected line %u: %s", i, (int)error.line, error.text,
                     bad[i].line, bad[i].says);
    }
    remove(path);
    struct anl_handshake *read;
    struct anl_error error = {0};
    size_t count;
    assert_int_equal(anl_handshakes_load("/no/such/file", VCS, &read, &count, &error), ANL_ERR_IO);
    // A folder is opened and cannot be read.
    assert_int_equal(anl_handshakes_load("/", VCS, &read, &count, &error), ANL_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_is_told_in_its_cycle),
        cmocka_unit_test(the_page_says_what_is_allowed),
        cmocka_unit_test(handshakes_are_read_as_they_stand),
        cmocka_unit_test(what_is_wrong_in_handshakes_is_said_with_its_line),
        cmocka_unit_test(a_flit_that_is_withdrawn_is_not_forgotten),
        cmocka_unit_test(a_flit_crosses_when_it_is_taken),
        cmocka_unit_test(at_rest_all_credits_are_back),
        cmocka_unit_test(worms_end_where_their_length_says),
        cmocka_unit_test(fields_are_read_as_they_were_made),
        cmocka_unit_test(a_description_is_read),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(fields_must_be_wide_enough),
        cmocka_unit_test(only_terminals_need_a_destination),
        cmocka_unit_test(numbers_are_decimal_or_hexadecimal),
        cmocka_unit_test(coordinates_of_a_graph_need_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
