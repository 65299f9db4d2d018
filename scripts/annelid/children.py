# SPDX-License-Identifier: Apache-2.0
"""Child processes of scripts, which end with the script, and exit statuses. The build lock lets one script at a time work
in a build directory, since those that build and run RTL there would write the same files."""

import concurrent.futures
import contextlib
import fcntl
import os
import re
import signal
import subprocess
import sys
import threading
import time

TIMED = ["bash", "-c", '"$@"; status=$?; times; exit $status', "timed"]  # runs a command, then prints its times
HANGS = 4 * 3600  # seconds after which a program must hang: ten times what the longest one takes on a slow, busy machine


def tool(name):
    """Returns the command that a variable of make names, as a list of words: YOSYS, CLANG, …"""
    return os.environ.get(name, name.lower()).split()


def abc():
    """Returns the command of the ABC that comes with Yosys, as a list of words."""
    *words, yosys = tool("YOSYS")
    return [*words, f"{yosys}-abc"]


class Wrong(Exception):
    """Something cannot be done, or is not as it should be; the text says what."""


class Children:
    """All processes that the script started, each in its own process group, so that all can be ended."""

    def __init__(self):
        self.lock, self.live, self.stopped = threading.Lock(), set(), False
        ours = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")  # of the make that called this script
        self.environment = {k: v for k, v in os.environ.items() if k not in ours}

    def run(self, command, environment=None, patience=None, **options):
        """Returns (exit status, output if options have stdout=PIPE). KeyboardInterrupt after stop(). Wrong: it took more
        than so many seconds, and was ended with all that it had started."""
        with self.lock:
            if self.stopped:
                raise KeyboardInterrupt
            child = subprocess.Popen(
                [str(word) for word in command], stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                start_new_session=True, env={**self.environment, **(environment or {})}, **options)
            self.live.add(child)
        try:
            output, _ = child.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            end(child)
            time.sleep(0.5)  # before it ends, a virtual X server ends those that it shows
            end(child, signal.SIGKILL)
            said = child.communicate()[0] or ""
            raise Wrong(f"{' '.join(map(str, command[:4]))}: no end after {patience} seconds, was stopped\n{said}") from None
        except BaseException:  # the interrupt came here, and not in stop()
            end(child)
            child.wait()
            raise
        finally:
            with self.lock:
                self.live.discard(child)
        if self.stopped:
            raise KeyboardInterrupt
        return child.returncode, output

    def run_to_end(self, command, environment=None, **options):
        """Does the same for a program that may hang; Wrong if it hangs and was ended."""
        return self.run(command, environment, **{"patience": HANGS, **options})

    def output(self, command, environment=None, **options):
        """Returns (exit status, output as text) of a program that may hang."""
        return self.run_to_end(command, environment, stdout=subprocess.PIPE, text=True, errors="replace", **options)

    def logged(self, command, log, environment=None, **options):
        """Does the same, but the output goes to a file, too."""
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("w") as out:
            status, _ = self.run_to_end(command, environment, stdout=out, **options)
        return status, log.read_text(errors="replace")

    def must(self, command, *good, **options):
        """Returns the output of a program that must end with 0, or with one of the statuses in `good`."""
        status, said = self.output(command, **options)
        if status not in (good or (0,)):
            raise Wrong(f"{' '.join(map(str, command[:4]))}: status {status}\n{said[-3000:]}")
        return said

    def make(self, build, *words, **options):
        """Runs make, which must succeed. Returns its output."""
        status, said = self.output(["make", "--no-print-directory", f"BUILD={build}", *words], **options)
        if status:
            raise Wrong(f"make {' '.join(map(str, words))} failed: {said[-3000:]}")
        return said

    def stop(self):
        with self.lock:
            self.stopped = True
            for child in self.live:
                end(child)

    @contextlib.contextmanager
    def pool(self, jobs):
        """Yields a pool of so many threads. After any exception all processes are ended."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as threads:
            try:
                yield threads
            except BaseException:
                self.stop()
                threads.shutdown(wait=True, cancel_futures=True)
                raise


def untimed(output):
    """Returns (output of a command after TIMED, seconds of processor time that it took, which depend less on other
    programs than those of the clock)."""
    *lines, _, times = output.rstrip("\n").splitlines()
    return "\n".join(lines), sum(60 * int(whole) + float(rest) for whole, rest in re.findall(r"(\d+)m([\d.]+)s", times))


def end(child, how=signal.SIGTERM):
    """Asks a process and its group to end."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, how)


def script(action):
    """Returns the exit status of action(children); 2 after Wrong, which is printed; 130 after an interrupt."""
    children, name = Children(), os.path.basename(sys.argv[0])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return action(children)
    except (Wrong, OSError) as wrong:
        print(f"{name}: {wrong}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(("\n" if sys.stdout.isatty() else "") + f"{name}: interrupted", file=sys.stderr)
        return 130
    finally:
        children.stop()


def take_build_lock(build, what):
    """Waits until no other process has the lock of the directory, and says for which one it waits, and what that does.

    Returns a file that keeps the lock until it is closed, or until this process ends in whatever way. OSError: the
    directory cannot be written to.
    """
    build.mkdir(parents=True, exist_ok=True)
    lock = (build / "lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        print(f"{what}: waits for {lock.read().strip() or 'another one'}, which works in {build} "
              "(another BUILD= would not have to wait)", file=sys.stderr, flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    lock.truncate(0)
    print(f"{what} (process {os.getpid()})", file=lock, flush=True)
    return lock
