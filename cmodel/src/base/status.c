// SPDX-License-Identifier: Apache-2.0

#include <annelid/base.h>

#include <stdarg.h>
#include <stdio.h>

const char *anl_status_text(enum anl_status status)
{
    switch (status) {
    case ANL_OK:
        return "ok";
    case ANL_ERR_ARGUMENT:
        return "value out of range";
    case ANL_ERR_MEMORY:
        return "out of memory";
    case ANL_ERR_IO:
        return "input or output failed";
    case ANL_ERR_FORMAT:
        return "not in the expected format";
    case ANL_ERR_STALLED:
        return "stalled";
    }
    return "unknown status";
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
    return status;
}
