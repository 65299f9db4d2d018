// SPDX-License-Identifier: Apache-2.0
//
// Waves against wave.h: what was set is read back from the file, with those signals of the RTL's
// own file that are wanted and no others, all in order of time.

#include "unit.h"

#include "waves/wave.h"

#include <gtkwave/fstapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 128, MOST = 64 };

struct buffer {
    char directory[PATH_BYTES / 2], rtl[PATH_BYTES], ours[PATH_BYTES];
};

static void create_buffer(struct buffer *buffer)
{
    snprintf(buffer->directory, sizeof buffer->directory, "/tmp/annelid-wave-XXXXXX");
    assert_non_null(mkdtemp(buffer->directory));
    snprintf(buffer->rtl, sizeof buffer->rtl, "%s/rtl.fst", buffer->directory);
    snprintf(buffer->ours, sizeof buffer->ours, "%s/ours.fst", buffer->directory);
}

static void destroy_buffer(struct buffer *buffer)
{
    unlink(buffer->rtl);
    unlink(buffer->ours);
    assert_int_equal(rmdir(buffer->directory), 0);  // no other file is left
}

static void scope(void *writer, const char *name)
{
    fstWriterSetScope(writer, FST_ST_VCD_MODULE, name, NULL);
}

// Two switches count in 8 bits from time 0 on; each has a core and a scope below it.
static void write_rtl(const struct buffer *buffer)
{
    void *writer = fstWriterCreate(buffer->rtl, 1);
    fstHandle handle[6];
    size_t handles = 0;
    assert_non_null(writer);
    scope(writer, "TOP");
    scope(writer, "anl_lockstep_top");
    scope(writer, "dut");
    fstHandle clock = fstWriterCreateVar(writer, FST_VT_VCD_WIRE, FST_VD_INPUT, 1, "clk_i", 0);
    for (int s = 3; s <= 30; s += 27) {
        char name[PATH_BYTES];
        snprintf(name, sizeof name, "g_switch[%d]", s);
        scope(writer, name);
        handle[handles++] =
            fstWriterCreateVar(writer, FST_VT_SV_LOGIC, FST_VD_IMPLICIT, 8, "beside [7:0]", 0);
        scope(writer, "u_switch");
        fstWriterCreateVar(writer, FST_VT_VCD_WIRE, FST_VD_INPUT, 1, "clk_i", clock);
        handle[handles++] =
            fstWriterCreateVar(writer, FST_VT_SV_LOGIC, FST_VD_IMPLICIT, 8, "count [7:0]", 0);
        scope(writer, "u_core");
        fstWriterCreateVar(writer, FST_VT_VCD_WIRE, FST_VD_INPUT, 1, "one_i [0:0]", clock);
        scope(writer, "u_fifo");
        handle[handles++] =
            fstWriterCreateVar(writer, FST_VT_SV_LOGIC, FST_VD_IMPLICIT, 8, "deep [7:0]", 0);
        for (int up = 0; up < 4; up++)
            fstWriterSetUpscope(writer);
    }
    for (unsigned time = 0; time < 40; time += 5) {
        fstWriterEmitTimeChange(writer, time);
        fstWriterEmitValueChange(writer, clock, time % 10 ? "1" : "0");
        for (size_t i = 0; i < handles; i++)
            fstWriterEmitValueChange32(writer, handle[i], 8, time + (unsigned)i);
    }
    fstWriterClose(writer);
}

// --- what a file holds ---

struct seen {
    char name[MOST][PATH_BYTES];  // [handle] its first name
    unsigned names;
    uint64_t time;
    unsigned changes[MOST];
    char last[MOST][PATH_BYTES];
    char history[MOST][4 * PATH_BYTES];  // [handle] "time=value " of all changes
};

static void on_text(void *user, uint64_t time, fstHandle handle, const unsigned char *value,
                    uint32_t length)
{
    struct seen *seen = user;
    char *history = seen->history[handle];
    assert_true(time >= seen->time);
    seen->time = time;
    seen->changes[handle]++;
    snprintf(seen->last[handle], PATH_BYTES, "%.*s", (int)length, (const char *)value);
    size_t used = strlen(history);
    snprintf(history + used, sizeof seen->history[handle] - used, "%u=%.*s ", (unsigned)time,
             (int)length, (const char *)value);
}

static void on_value(void *user, uint64_t time, fstHandle handle, const unsigned char *value)
{
    on_text(user, time, handle, value, (uint32_t)strlen((const char *)value));
}

static void read_back(const char *path, struct seen *seen)
{
    const struct fstHier *item;
    memset(seen, 0, sizeof *seen);
    void *reader = fstReaderOpen(path);
    assert_non_null(reader);
    while ((item = fstReaderIterateHier(reader)) != NULL) {
        if (item->htyp == FST_HT_SCOPE) {
            fstReaderPushScope(reader, item->u.scope.name, NULL);
        } else if (item->htyp == FST_HT_UPSCOPE) {
            fstReaderPopScope(reader);
        } else if (item->htyp == FST_HT_VAR) {
            assert_true(item->u.var.handle < MOST);
            seen->names++;
            if (seen->name[item->u.var.handle][0]) continue;
            snprintf(seen->name[item->u.var.handle], PATH_BYTES, "%.60s.%.40s",
                     fstReaderGetCurrentFlatScope(reader), item->u.var.name);
        }
    }
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocks2(reader, on_value, on_text, seen, NULL);
    fstReaderClose(reader);
}

static unsigned handle_of(const struct seen *seen, const char *name)
{
    for (unsigned handle = 0; handle < MOST; handle++)
        if (strcmp(seen->name[handle], name) == 0) return handle;
    fail_msg("no signal %s", name);
    return 0;
}

static const char *last_of(const struct seen *seen, const char *name)
{
    return seen->last[handle_of(seen, name)];
}

// --- tests ---

struct signals {
    uint32_t state, fill, top;
};

static void feed(struct wave *wave, struct signals *signals)
{
    wave_scope(wave, "blocking");
    signals->top = wave_number(wave, "cycle", 32);
    wave_scope(wave, "worm_9");
    signals->state = wave_word(wave, "state");
    signals->fill = wave_number(wave, "fill", 3);
    wave_up(wave);
    wave_up(wave);
    wave_set_number(wave, signals->top, 0, 70000);
    wave_set_word(wave, signals->state, 0, "moves", "dark green");
    wave_set_number(wave, signals->fill, 0, 5);
    wave_set_word(wave, signals->state, 7, "moves", "dark green");  // nothing changes
    wave_set_word(wave, signals->state, 10, "waits: lane 0 of 3(1,0).+0 held by worm 9",
                  "firebrick");
    wave_set_number(wave, signals->fill, 12, 2);
    wave_set_unknown(wave, signals->fill, 20);
    wave_set_unknown(wave, signals->fill, 21);  // nothing changes
    wave_set_number(wave, signals->fill, 30, 0);
    wave_set_word(wave, signals->state, 33, "moves", "dark green");
}

static void words_and_numbers_come_back(void **unused)
{
    (void)unused;
    struct buffer buffer;
    struct signals signals;
    struct wave *wave;
    static struct seen seen;
    create_buffer(&buffer);
    write_rtl(&buffer);
    assert_int_equal(wave_create(&wave), ANL_OK);
    feed(wave, &signals);
    assert_string_equal(wave_path(wave, signals.state), "blocking.worm_9.state");
    assert_string_equal(wave_path(wave, signals.top), "blocking.cycle");
    struct wave_rtl rtl = {.path = buffer.rtl, .unit = 1, .end = 50};
    assert_int_equal(wave_write(wave, buffer.ours, &rtl, NULL), ANL_OK);
    read_back(buffer.ours, &seen);
    assert_int_equal(seen.names, 4);  // a word has two; no signal of the RTL is wanted
    assert_string_equal(seen.history[handle_of(&seen, "blocking.worm_9.state")],
                        "0=moves 10=waits: lane 0 of 3(1,0).+0 held by worm 9 33=moves ");
    assert_string_equal(seen.history[handle_of(&seen, "blocking.worm_9.state_code [15:0]")],
                        "0=0000000000000000 10=0000000000000001 33=0000000000000000 ");
    assert_string_equal(seen.history[handle_of(&seen, "blocking.worm_9.fill [2:0]")],
                        "0=101 12=010 20=xxx 30=000 ");
    assert_string_equal(last_of(&seen, "blocking.cycle [31:0]"),
                        "00000000000000010001000101110000");
    wave_destroy(wave);
    destroy_buffer(&buffer);
}

static void every_word_has_a_number_and_a_colour(void **unused)
{
    (void)unused;
    struct signals signals;
    struct wave *wave;
    struct wave_entry entry;
    assert_int_equal(wave_create(&wave), ANL_OK);
    feed(wave, &signals);
    assert_true(wave_entry(wave, 0, &entry));
    assert_string_equal(entry.text, "moves");
    assert_string_equal(entry.colour, "dark green");
    assert_true(wave_entry(wave, 1, &entry));
    assert_int_equal(entry.number, 1);
    assert_string_equal(entry.colour, "firebrick");
    assert_false(wave_entry(wave, 2, &entry));
    wave_destroy(wave);
}

static void only_the_wanted_switch_is_copied(void **unused)
{
    (void)unused;
    struct buffer buffer;
    struct signals signals;
    struct wave *wave;
    static struct seen seen;
    create_buffer(&buffer);
    write_rtl(&buffer);
    assert_int_equal(wave_create(&wave), ANL_OK);
    feed(wave, &signals);
    struct wave_rtl rtl = {
        .path = buffer.rtl, .unit = 1, .switches = (uint32_t[]){3}, .count = 1, .end = 50};
    assert_int_equal(wave_write(wave, buffer.ours, &rtl, NULL), ANL_OK);
    read_back(buffer.ours, &seen);
    assert_int_equal(seen.names, 4 + 4);  // none of switch 30, none beside the switch
    assert_string_equal(last_of(&seen, "TOP.anl_lockstep_top.dut.g_switch[3].u_switch.count [7:0]"),
                        "00100100");
    assert_string_equal(
        seen.history[handle_of(&seen, "TOP.anl_lockstep_top.dut.g_switch[3].u_switch.clk_i")],
        "0=0 5=1 10=0 15=1 20=0 25=1 30=0 35=1 ");
    assert_string_equal(wave_rtl_name(wave, 3, 0),
                        "TOP.anl_lockstep_top.dut.g_switch[3].u_switch.clk_i");
    assert_string_equal(wave_rtl_name(wave, 3, 1),
                        "TOP.anl_lockstep_top.dut.g_switch[3].u_switch.count[7:0]");
    assert_string_equal(wave_rtl_name(wave, 3, 2),
                        "TOP.anl_lockstep_top.dut.g_switch[3].u_switch.u_core.one_i[0]");
    assert_null(wave_rtl_name(wave, 3, 3));
    assert_null(wave_rtl_name(wave, 30, 0));
    wave_destroy(wave);
    destroy_buffer(&buffer);
}

static void all_of_the_rtl_is_copied_if_wanted(void **unused)
{
    (void)unused;
    struct buffer buffer;
    struct signals signals;
    struct wave *wave;
    static struct seen seen;
    create_buffer(&buffer);
    write_rtl(&buffer);
    assert_int_equal(wave_create(&wave), ANL_OK);
    feed(wave, &signals);
    struct wave_rtl rtl = {.path = buffer.rtl, .unit = 1, .all = true, .end = 50};
    assert_int_equal(wave_write(wave, buffer.ours, &rtl, NULL), ANL_OK);
    read_back(buffer.ours, &seen);
    assert_int_equal(seen.names, 4 + 11);
    assert_string_equal(last_of(&seen, "TOP.anl_lockstep_top.dut.g_switch[30].beside [7:0]"),
                        "00100110");
    wave_destroy(wave);
    destroy_buffer(&buffer);
}

static void trouble_leaves_no_file(void **unused)
{
    (void)unused;
    struct buffer buffer;
    struct signals signals;
    struct wave *wave;
    struct anl_error error = {0};
    create_buffer(&buffer);
    assert_int_equal(wave_create(&wave), ANL_OK);
    feed(wave, &signals);
    struct wave_rtl rtl = {.path = buffer.rtl, .unit = 1, .end = 50};
    assert_int_equal(wave_write(wave, buffer.ours, &rtl, &error), ANL_ERR_FORMAT);
    assert_string_equal(error.file, buffer.rtl);
    write_rtl(&buffer);
    assert_int_equal(wave_write(wave, "/tmp/annelid-no-such-buffer/x.fst", &rtl, &error),
                     ANL_ERR_IO);
    wave_destroy(wave);
    destroy_buffer(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_numbers_come_back),
        cmocka_unit_test(every_word_has_a_number_and_a_colour),
        cmocka_unit_test(only_the_wanted_switch_is_copied),
        cmocka_unit_test(all_of_the_rtl_is_copied_if_wanted),
        cmocka_unit_test(trouble_leaves_no_file),
    };
    return cmocka_run_group_tests_name("wave", tests, NULL, NULL);
}
