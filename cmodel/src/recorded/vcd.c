// SPDX-License-Identifier: Apache-2.0
//
// Reads words; of declarations the variables with bits; of changes what has bits. A file that ends
// anywhere behind its declarations is read up to there.

#include "recorded.h"

#include "base/base.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORD = VCD_MOST_BITS + 64, MOST_DEPTH = 1000 };

#define REFUSE(vcd, error, ...)                                                                    \
    return anl_fail(error, ANL_ERR_FORMAT, (vcd)->path, (vcd)->line, __VA_ARGS__)

// --- words ---

static bool add_letter(struct vcd_word *word, char letter)
{
    if (word->length + 1 >= word->room) {
        char *text = base_room(word->text, word->length + 1, &word->room, 1);
        if (!text) return false;
        word->text = text;
    }
    word->text[word->length++] = letter;
    word->text[word->length] = '\0';
    return true;
}

static int next_letter(struct vcd *vcd)
{
    if (vcd->input_at == vcd->input_end) {
        vcd->input_at = 0;
        vcd->input_end = fread(vcd->input, 1, sizeof vcd->input, vcd->file);
        if (!vcd->input_end) return EOF;
    }
    return (unsigned char)vcd->input[vcd->input_at++];
}

// Reads the next word; it is empty at the end of the file.
static enum anl_status read_word(struct vcd *vcd, struct vcd_word *word, struct anl_error *error)
{
    int letter;
    word->length = 0;
    while ((letter = next_letter(vcd)) != EOF && isspace(letter))
        vcd->line += letter == '\n';
    for (; letter != EOF && !isspace(letter); letter = next_letter(vcd)) {
        if (word->length == MOST_WORD)
            REFUSE(vcd, error, "found a word of more than %d letters", MOST_WORD);
        if (!letter) REFUSE(vcd, error, "found a byte 0, expected text");
        if (!add_letter(word, (char)letter))
            return anl_fail(error, ANL_ERR_MEMORY, vcd->path, vcd->line, "out of memory");
    }
    if (letter == '\n') vcd->line++;
    vcd->cut = letter == EOF;
    if (vcd->cut && ferror(vcd->file))
        return anl_fail(error, ANL_ERR_IO, vcd->path, 0, "%s", strerror(errno));
    if (!word->length && !add_letter(word, '\0'))
        return anl_fail(error, ANL_ERR_MEMORY, vcd->path, vcd->line, "out of memory");
    if (!*word->text) word->length = 0;
    return ANL_OK;
}

static bool is(const struct vcd_word *word, const char *text) { return !strcmp(word->text, text); }

// Reads the next word of a declaration.
static enum anl_status read_inside(struct vcd *vcd, struct anl_error *error)
{
    const enum anl_status status = read_word(vcd, &vcd->word, error);
    if (!status && !vcd->word.length)
        REFUSE(vcd, error, "found the end of the file, expected $end");
    return status;
}

static enum anl_status skip_to_end(struct vcd *vcd, struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    while (!status && !is(&vcd->word, "$end"))
        status = read_inside(vcd, error);
    return status;
}

// --- declarations ---

static enum anl_status enter_scope(struct vcd *vcd, struct anl_error *error)
{
    enum anl_status status = read_inside(vcd, error);  // its kind
    if (!status) status = read_inside(vcd, error);
    if (status) return status;
    if (vcd->depth == MOST_DEPTH)
        REFUSE(vcd, error, "found more than %d scopes in scopes", MOST_DEPTH);
    size_t *ends = base_room(vcd->scope_ends, vcd->depth, &vcd->depth_room, sizeof *ends);
    if (!ends) return anl_fail(error, ANL_ERR_MEMORY, vcd->path, vcd->line, "out of memory");
    vcd->scope_ends = ends;
    vcd->scope_ends[vcd->depth++] = vcd->scope.length;
    bool room = true;
    for (const char *c = vcd->word.text + (*vcd->word.text == '\\'); *c && room; c++)
        room = add_letter(&vcd->scope, *c);
    if (!room || !add_letter(&vcd->scope, '.'))
        return anl_fail(error, ANL_ERR_MEMORY, vcd->path, vcd->line, "out of memory");
    return skip_to_end(vcd, error);
}

static enum anl_status leave_scope(struct vcd *vcd, struct anl_error *error)
{
    if (!vcd->depth) REFUSE(vcd, error, "found $upscope, expected $scope before it");
    vcd->scope.length = vcd->scope_ends[--vcd->depth];
    vcd->scope.text[vcd->scope.length] = '\0';
    return skip_to_end(vcd, error);
}

static enum anl_status read_timescale(struct vcd *vcd, struct anl_error *error)
{
    enum anl_status status = read_inside(vcd, error);
    while (!status && !is(&vcd->word, "$end")) {
        const size_t used = strlen(vcd->timescale);
        snprintf(vcd->timescale + used, sizeof vcd->timescale - used, "%s", vcd->word.text);
        status = read_inside(vcd, error);
    }
    return status;
}

// Reads "[7:0]" at the end of a text. Returns false if there is none.
static bool read_range(const char *text, int32_t *left, int32_t *right)
{
    char *end;
    const long first = strtol(text + 1, &end, 10);
    if (*text != '[' || end == text + 1 || *end != ':') return false;
    const char *rest = end + 1;
    const long last = strtol(rest, &end, 10);
    if (end == rest || strcmp(end, "]") != 0 || labs(first) > VCD_MOST_BITS ||
        labs(last) > VCD_MOST_BITS)
        return false;
    *left = (int32_t)first;
    *right = (int32_t)last;
    return true;
}

// Takes a word of the reference of a variable: its name, an index, which joins the name, or a
// range.
static bool take_reference(struct vcd_word *name, const char *word, bool first,
                           struct vcd_variable *made, bool *ranged)
{
    int32_t left = 0, right = 0;
    const char *range = strrchr(word, '[');
    const size_t behind =
        range && read_range(range, &left, &right) ? (size_t)(range - word) : strlen(word);
    if (word[behind]) {
        made->left = left, made->right = right;
        *ranged = true;
    }
    for (size_t i = first && *word == '\\'; i < behind; i++)
        if (!add_letter(name, word[i])) return false;
    return true;
}

static enum anl_status keep_variable(struct vcd *vcd, const struct vcd_variable *made,
                                     struct anl_error *error)
{
    struct vcd_variable *variables =
        base_room(vcd->variables, vcd->count, &vcd->room, sizeof *variables);
    if (!variables) return anl_fail(error, ANL_ERR_MEMORY, vcd->path, vcd->line, "out of memory");
    vcd->variables = variables;
    vcd->variables[vcd->count] = *made;
    vcd->variables[vcd->count].name = strdup(vcd->scope.text);
    if (!vcd->variables[vcd->count].name)
        return anl_fail(error, ANL_ERR_MEMORY, vcd->path, vcd->line, "out of memory");
    vcd->count++;
    return ANL_OK;
}

// Reads kind, width and code. *bits receives whether the variable has bits.
static enum anl_status read_shape(struct vcd *vcd, struct vcd_variable *made, bool *bits,
                                  struct anl_error *error)
{
    static const char *const without[] = {"real", "realtime", "shortreal", "string", "event"};
    enum anl_status status = read_inside(vcd, error);
    if (status) return status;
    *bits = true;
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        *bits = *bits && !is(&vcd->word, without[i]);
    status = read_inside(vcd, error);
    if (status) return status;
    char *end;
    const unsigned long width = strtoul(vcd->word.text, &end, 10);
    if (*end || !isdigit((unsigned char)*vcd->word.text))
        REFUSE(vcd, error, "found '%.40s', expected the width of a variable", vcd->word.text);
    *bits = *bits && width > 0 && width <= VCD_MOST_BITS;
    made->width = *bits ? (uint32_t)width : 0;
    status = read_inside(vcd, error);
    if (status) return status;
    if (vcd->word.length >= VCD_CODE_BYTES)
        REFUSE(vcd, error, "found the code '%.40s', expected at most %d letters", vcd->word.text,
               VCD_CODE_BYTES - 1);
    memcpy(made->code, vcd->word.text, vcd->word.length + 1);
    return ANL_OK;
}

static enum anl_status read_variable(struct vcd *vcd, struct anl_error *error)
{
    struct vcd_variable made = {0};
    const size_t scope = vcd->scope.length;
    bool bits, ranged = false, first = true;
    enum anl_status status = read_shape(vcd, &made, &bits, error);
    if (!status) status = read_inside(vcd, error);
    for (; !status && !is(&vcd->word, "$end"); first = false) {
        if (!take_reference(&vcd->scope, vcd->word.text, first, &made, &ranged))
            return anl_fail(error, ANL_ERR_MEMORY, vcd->path, vcd->line, "out of memory");
        status = read_inside(vcd, error);
    }
    if (!status && first) REFUSE(vcd, error, "found no name of a variable, expected one");
    if (!ranged || (uint32_t)abs(made.left - made.right) + 1 != made.width)
        made.left = (int32_t)made.width - 1, made.right = 0;
    if (!status && bits) status = keep_variable(vcd, &made, error);
    vcd->scope.length = scope;
    if (vcd->scope.text) vcd->scope.text[scope] = '\0';
    return status;
}

static enum anl_status read_declaration(struct vcd *vcd, struct anl_error *error)
{
    static const struct {
        const char *word;
        enum anl_status (*read)(struct vcd *vcd, struct anl_error *error);
    } known[] = {{"$scope", enter_scope},
                 {"$upscope", leave_scope},
                 {"$var", read_variable},
                 {"$timescale", read_timescale}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is(&vcd->word, known[i].word)) return known[i].read(vcd, error);
    return *vcd->word.text == '$' ? skip_to_end(vcd, error) : ANL_OK;
}

static const char *name_of(const void *row) { return *(const char *const *)row; }

int vcd_by_name(const void *a, const void *b) { return strcmp(name_of(a), name_of(b)); }

size_t vcd_find(const void *rows, size_t count, size_t bytes, const char *name)
{
    size_t least = 0, most = count;
    while (least < most) {
        const size_t middle = least + (most - least) / 2;
        if (strcmp(name_of((const char *)rows + middle * bytes), name) < 0)
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

enum anl_status vcd_open(FILE *file, const char *path, struct vcd *vcd, struct anl_error *error)
{
    *vcd = (struct vcd){.file = file, .path = path, .line = 1};
    for (bool over = false; !over;) {
        enum anl_status status = read_word(vcd, &vcd->word, error);
        if (status) return status;
        if (!vcd->word.length)
            REFUSE(vcd, error, "found the end of the file, expected $enddefinitions of a VCD file");
        if (*vcd->word.text != '$')
            REFUSE(vcd, error, "found '%.40s', expected a declaration of a VCD file, such as $var",
                   vcd->word.text);
        over = is(&vcd->word, "$enddefinitions");
        status = over ? skip_to_end(vcd, error) : read_declaration(vcd, error);
        if (status) return status;
    }
    if (vcd->count) qsort(vcd->variables, vcd->count, sizeof *vcd->variables, vcd_by_name);
    return ANL_OK;
}

void vcd_free(struct vcd *vcd)
{
    for (size_t i = 0; i < vcd->count; i++)
        free(vcd->variables[i].name);
    free(vcd->variables);
    free(vcd->word.text);
    free(vcd->code.text);
    free(vcd->scope.text);
    free(vcd->scope_ends);
}

// --- changes ---

static enum anl_status read_time(struct vcd *vcd, enum vcd_event *event, struct anl_error *error)
{
    char *end;
    errno = 0;
    const unsigned long long time = strtoull(vcd->word.text + 1, &end, 10);
    const bool number = isdigit((unsigned char)vcd->word.text[1]) && !*end && !errno;
    *event = VCD_TIME;
    if (number && time >= vcd->time) {
        vcd->time = time;
        return ANL_OK;
    }
    if (vcd->cut) {  // the number may have had more digits
        *event = VCD_END;
        return ANL_OK;
    }
    REFUSE(vcd, error, "found '%.40s', expected a time of %" PRIu64 " or later", vcd->word.text,
           vcd->time);
}

static bool are_bits(const char *text) { return *text && !text[strspn(text, "01xXzZuUwWlLhH-")]; }

// Takes a change of one bit, "1!": the value is the first letter, the rest is the code.
static enum anl_status take_bit(struct vcd *vcd, struct anl_error *error)
{
    vcd->code.length = 0;
    for (const char *c = vcd->word.text + 1; *c; c++)
        if (!add_letter(&vcd->code, *c))
            return anl_fail(error, ANL_ERR_MEMORY, vcd->path, vcd->line, "out of memory");
    if (!vcd->code.length && !vcd->cut)
        REFUSE(vcd, error, "found '%.40s', expected a value and the code of a variable",
               vcd->word.text);
    vcd->word.length = 1;
    vcd->word.text[1] = '\0';
    return ANL_OK;
}

// Takes a change of several bits, "b0101 !".
static enum anl_status take_bits(struct vcd *vcd, struct anl_error *error)
{
    if (!are_bits(vcd->word.text + 1) && !vcd->cut)
        REFUSE(vcd, error, "found '%.40s', expected b and bits", vcd->word.text);
    memmove(vcd->word.text, vcd->word.text + 1, vcd->word.length--);
    return read_word(vcd, &vcd->code, error);
}

enum anl_status vcd_next(struct vcd *vcd, enum vcd_event *event, struct anl_error *error)
{
    for (;;) {
        enum anl_status status = read_word(vcd, &vcd->word, error);
        const char first = *vcd->word.text;
        *event = VCD_END;
        if (status || !vcd->word.length) return status;
        if (first == '#') return read_time(vcd, event, error);
        if (first == '$') {
            // $dumpvars and the like have changes up to their $end.
            if (is(&vcd->word, "$comment")) status = skip_to_end(vcd, error);
        } else if (first == 'r' || first == 'R' || first == 's' || first == 'S') {
            status = read_word(vcd, &vcd->code, error);
        } else {
            const bool many = first == 'b' || first == 'B';
            if (!many && !strchr("01xXzZuUwWlLhH-", first))
                REFUSE(vcd, error, "found '%.40s', expected a time, or a change of a variable",
                       vcd->word.text);
            status = many ? take_bits(vcd, error) : take_bit(vcd, error);
            // The file ends within a change, whose code may have had more letters.
            if (!status && vcd->cut) return ANL_OK;
            *event = VCD_CHANGE;
            return status;
        }
        if (status) return status == ANL_ERR_FORMAT && vcd->cut ? ANL_OK : status;
    }
}
