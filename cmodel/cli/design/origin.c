// SPDX-License-Identifier: Apache-2.0
//
// Where a design comes from, which each of its files says near its top, and by which a later call
// knows the files that it may replace.

#include "design.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

enum { MARK_BYTES = 128 };

struct mark {
    char text[MARK_BYTES];
};

static struct mark mark_of(const char *owner)
{
    struct mark mark;
    snprintf(mark.text, sizeof mark.text, DESIGN_MARK " rtl for %s.", owner);
    return mark;
}

uint64_t design_shared_digest(void)
{
    bool shared[design_num_files];
    uint64_t hash = 0;
    design_shared(shared);
    for (uint64_t i = 0; i < design_num_files; i++) {
        const struct design_file *file = &design_files[i];
        if (!shared[i]) continue;
        hash = XXH3_64bits_withSeed(file->path, strlen(file->path), hash);
        hash = XXH3_64bits_withSeed(file->text, strlen(file->text), hash);
    }
    return hash;
}

// Writes a text of the user on one line, whatever it holds.
static void put_line(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? '?' : *text, out);
    fputc('\n', out);
}

void design_put_origin(FILE *out, const struct design *design, const char *prefix)
{
    char *command = cli_command_text(design->given);
    fprintf(out, "%s%s\n", prefix, mark_of(design->name).text);
    fprintf(out, "%s  version   %s, shared RTL %016" PRIx64 "\n", prefix, CLI_PROGRAM,
            design_shared_digest());
    fprintf(out, "%s  command   ", prefix);
    put_line(out, command ? command : "");
    fprintf(out, "%s  scenario  digest %016" PRIx64 ", ", prefix,
            anl_scenario_hash(design->scenario, 0));
    put_line(out, design->given->inputs[0]);
    free(command);
}

void design_put_shared_origin(FILE *out, const char *prefix)
{
    fprintf(out, "%s%s\n", prefix, mark_of(DESIGN_EVERYONE).text);
    fprintf(out, "%s  version   %s, shared RTL %016" PRIx64 "\n", prefix, CLI_PROGRAM,
            design_shared_digest());
}

enum anl_status design_may_replace(const char *path, const char *owner, struct anl_error *error)
{
    return cli_may_replace(path, mark_of(owner).text, error);
}

bool design_has_written(const char *path, const char *owner)
{
    struct stat there;
    struct anl_error other;
    return lstat(path, &there) == 0 && S_ISREG(there.st_mode) &&
           design_may_replace(path, owner, &other) == ANL_OK;
}
