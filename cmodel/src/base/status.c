// SPDX-License-Identifier: Apache-2.0

#include <annelid/base.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

const char *anl_version(void) { return ANL_VERSION; }

const char *anl_status_text(enum anl_status status)
{
    static const char *const texts[] = {"ok",
                                        "value out of range",
                                        "out of memory",
                                        "input or output failed",
                                        "not in the expected format",
                                        "stalled"};
    const unsigned number = 0u - (unsigned)status;
    return number < sizeof texts / sizeof *texts ? texts[number] : "unknown status";
}

enum anl_status anl_fail(struct anl_error *error, enum anl_status status, const char *file,
                         uint64_t line, const char *format, ...)
{
    if (!error) return status;
    *error = (struct anl_error){.line = line};
    snprintf(error->file, sizeof error->file, "%s", file);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    // What stands in a file may steer the terminal, or begin a line of its own.
    for (char *c = error->text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
    return status;
}

void anl_error_print(const struct anl_error *error, const char *who, FILE *out)
{
    fprintf(out, "%s: ", who);
    if (error->file[0]) fprintf(out, "%s:", error->file);
    if (error->file[0] && error->line) fprintf(out, "%" PRIu64 ":", error->line);
    fprintf(out, "%s%s\n", error->file[0] ? " " : "", error->text);
}
