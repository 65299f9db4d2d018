// SPDX-License-Identifier: Apache-2.0

#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// --- standard input and output as files ---

static char stdout_path[32];  // "": standard output is what is printed to

static bool names(const char *path, int descriptor)
{
    char text[32];
    snprintf(text, sizeof text, "/dev/fd/%d", descriptor);
    return strcmp(path, "-") == 0 || strcmp(path, text) == 0 ||
           strcmp(path, descriptor == STDIN_FILENO ? "/dev/stdin" : "/dev/stdout") == 0;
}

// Returns the descriptor of this process that a path is, as a shell hands over a pipe,
// "/dev/fd/63"; -1: it is none.
static int descriptor_of(const char *path)
{
    int descriptor, end = 0;
    if (names(path, STDIN_FILENO)) return STDIN_FILENO;
    if (sscanf(path, "/dev/fd/%9d%n", &descriptor, &end) != 1 || path[end]) return -1;
    return descriptor;
}

// Copies what a descriptor reads to a file. Returns 0, or errno.
static int copy_input(int descriptor, FILE *to)
{
    char bytes[1 << 16];
    ssize_t count;
    while ((count = read(descriptor, bytes, sizeof bytes)) > 0)
        if (fwrite(bytes, 1, (size_t)count, to) != (size_t)count) return errno;
    return count < 0 || fflush(to) ? errno : 0;
}

static bool is_pipe(int descriptor)
{
    struct stat there;
    return fstat(descriptor, &there) == 0 && S_ISFIFO(there.st_mode);
}

bool cli_read_input(const char *path)
{
    const int descriptor = descriptor_of(path);
    const bool standard = descriptor == STDIN_FILENO;
    if (descriptor < 0 || (!standard && !is_pipe(descriptor))) return true;
    const bool safe = !standard || !anl_input_protect((char *[]){"/dev/stdin"}, 1);
    FILE *kept = safe ? tmpfile() : NULL;
    int failed = kept ? copy_input(descriptor, kept) : errno;
    if (!failed && (fseek(kept, 0, SEEK_SET) || dup2(fileno(kept), descriptor) < 0)) failed = errno;
    if (kept) fclose(kept);
    if (failed)
        fprintf(stderr, "annelid: cannot read %s: %s\n", standard ? "standard input" : path,
                strerror(failed));
    return !failed;
}

const char *cli_write_output(const char *path)
{
    if (!names(path, STDOUT_FILENO)) return path;
    if (*stdout_path) return stdout_path;
    fflush(stdout);
    const int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (kept < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return path;
    snprintf(stdout_path, sizeof stdout_path, "/dev/fd/%d", kept);
    return stdout_path;
}

bool cli_is_stdout(const char *path) { return *stdout_path && strcmp(path, stdout_path) == 0; }

// Returns whether a text is in the first bytes of a file.
static bool has_mark(FILE *file, const char *mark)
{
    char head[4096 + 1];
    const size_t count = fread(head, 1, sizeof head - 1, file);
    head[count] = '\0';
    return strlen(head) == count && strstr(head, mark);
}

enum anl_status cli_may_replace(const char *path, const char *mark, struct anl_error *error)
{
    struct stat there;
    if (stat(path, &there) != 0) return ANL_OK;
    if (S_ISDIR(there.st_mode))
        return anl_fail(error, ANL_ERR_IO, path, 0, "cannot write: not an ordinary file");
    if (!S_ISREG(there.st_mode)) return ANL_OK;
    FILE *file = fopen(path, "r");
    const bool own = file && has_mark(file, mark);
    if (file) fclose(file);
    if (own) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, path, 0,
                    "is there and is not replaced, since \"%s\" does not stand at its top: move it "
                    "away, or write to another place",
                    mark);
}

// --- messages ---

int cli_complain(const struct anl_error *error)
{
    struct anl_error said = *error;
    if (cli_is_stdout(said.file)) snprintf(said.file, sizeof said.file, "standard output");
    anl_error_print(&said, "annelid", stderr);
    return CLI_BAD;
}

void cli_name_file(struct anl_error *error, const char *path)
{
    if (!error->file[0]) snprintf(error->file, sizeof error->file, "%s", path);
}

enum anl_status cli_fail(enum anl_status status, struct anl_error *error)
{
    return status ? anl_fail(error, status, "", 0, "%s", anl_status_text(status)) : ANL_OK;
}

bool cli_output_whole(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    struct anl_error error = {0};
    anl_fail(&error, ANL_ERR_IO, "", 0, "cannot print: %s", strerror(errno));
    cli_complain(&error);
    return false;
}

uint32_t cli_columns(void)
{
    const char *columns = getenv("COLUMNS");
    const int wanted = columns ? atoi(columns) : 0;
    struct winsize size;
    if (wanted > 0) return (uint32_t)wanted;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

bool cli_colours(void)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no && *no) && terminal && strcmp(terminal, "dumb") != 0;
}

uint64_t cli_number(const char *option, const char *text, uint64_t least, uint64_t most,
                    struct argp_state *state)
{
    char *end, hint[40] = "";
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (!errno && *text >= '0' && *text <= '9' && !*end && value >= least && value <= most)
        return value;
    const double meant = strtod(text, &end);  // of 1e6
    if (end != text && !*end && meant >= (double)least && meant <= (double)most && meant < 9e15 &&
        meant == (double)(uint64_t)meant)
        snprintf(hint, sizeof hint, "; write %" PRIu64, (uint64_t)meant);
    argp_error(state, "--%s: '%s' is not a number from %" PRIu64 " to %" PRIu64 "%s", option, text,
               least, most, hint);
    return 0;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_words(const char *what, double fraction, const char *detail, double elapsed,
                        bool terminal, char *text, size_t size)
{
    static const char done[] = "##############################";
    static const char rest[] = "..............................";
    char left[40] = "";
    if (fraction > 0) snprintf(left, sizeof left, ", %.0f s left", elapsed / fraction - elapsed);
    if (fraction >= 1) {
        snprintf(text, size, "%s: %s", what, detail);
    } else if (terminal) {
        const int filled = (int)(fraction * (int)strlen(done));
        snprintf(text, size, "%s [%.*s%s] %3.0f %% %s%s", what, filled, done, rest + filled,
                 100 * fraction, detail, left);
    } else {
        snprintf(text, size, "%s: %.0f %%, %s%s", what, 100 * fraction, detail, left);
    }
}

void cli_progress_update(struct cli_progress *progress, double fraction, const char *detail)
{
    const double now = seconds_now();
    const bool terminal = isatty(STDERR_FILENO);
    if (progress->begin == 0) progress->begin = progress->last = now;
    if (now - progress->begin < 2 || now - progress->last < (terminal ? 0.2 : 10)) return;
    if (fraction < 0) fraction = 0;
    char text[256];
    cli_progress_words(progress->what, fraction, detail, now - progress->begin, terminal, text,
                       sizeof text);
    fprintf(stderr, terminal ? "\r\033[K%s" : "%s\n", text);
    progress->last = now;
    progress->shown = true;
}

void cli_progress_end(struct cli_progress *progress)
{
    if (progress->shown && isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    progress->shown = false;
}

// Several threads read it. It needs no lock, so a signal handler may set it.
static atomic_int interrupted;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a handler sets it");

static void note_interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, 1);
}

// A program that outlives its terminal, as nohup makes it, goes on without it.
static void act_at_the_end(const struct sigaction *action)
{
    struct sigaction hangup;
    sigaction(SIGINT, action, NULL);
    sigaction(SIGTERM, action, NULL);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaction(SIGHUP, action, NULL);
}

void cli_catch_interrupt(void)
{
    const struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
    act_at_the_end(&action);
}

static void end(int signal_number)
{
    static const char said[] = "annelid: interrupted\n";
    (void)signal_number;
    anl_output_remove_all();
    const ssize_t printed = write(STDERR_FILENO, said, sizeof said - 1);
    (void)printed;
    _exit(CLI_BAD);
}

void cli_end_at_interrupt(void)
{
    const struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND};
    act_at_the_end(&action);
}

bool cli_interrupted(void) { return atomic_load_explicit(&interrupted, memory_order_relaxed); }
