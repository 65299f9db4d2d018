// SPDX-License-Identifier: Apache-2.0

#include "unit_papers.h"

char directory[] = "/tmp/test_paper.XXXXXX";

void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g, expected %.12g within %g", value, expected, tolerance);
}

int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

int remove_directory(void **state)
{
    (void)state;
    DIR *stream = opendir(directory);
    if (!stream) return -1;
    for (const struct dirent *entry; (entry = readdir(stream));) {
        char path[sizeof directory + sizeof entry->d_name];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        unlink(path);  // fails for the directory itself and the one above
    }
    closedir(stream);
    return rmdir(directory);
}
