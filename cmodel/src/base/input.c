// SPDX-License-Identifier: Apache-2.0

#include <annelid/base.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

FILE *anl_input_open(const char *path)
{
    if (strcmp(path, "-") != 0) return fopen(path, "rb");
    FILE *file = fopen("/dev/stdin", "rb");
    if (file) return file;
    const int copy =
        fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);  // of a socket, which cannot be opened
    return copy < 0 ? NULL : fdopen(copy, "rb");
}

const char *anl_skip_mark(const char *text, size_t *bytes)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t length = sizeof mark - 1;
    if (*bytes < length || memcmp(text, mark, length) != 0) return text;
    *bytes -= length;
    return text + length;
}
