# SPDX-License-Identifier: Apache-2.0
"""How scripts run others: processes that end with the script that started them; its own end; and one at a time in a build
directory, as those that build and run RTL there would write the same files."""

import concurrent.futures
import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import threading

HANGS = 4 * 3600  # seconds after which a program hangs: ten times what the longest takes on a slow machine that is busy


class Wrong(Exception):
    """It cannot be done, or is not as it should be; the text says why or how."""


class Children:
    """Every process started, each in a group of its own, so that all can be ended."""

    def __init__(self):
        self.lock, self.live, self.stopped = threading.Lock(), set(), False
        ours = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")  # of the make that called us
        self.environment = {k: v for k, v in os.environ.items() if k not in ours}

    def run(self, command, environment=None, **options):
        """(exit status, output if options say stdout=PIPE). KeyboardInterrupt after stop()."""
        with self.lock:
            if self.stopped:
                raise KeyboardInterrupt
            child = subprocess.Popen(
                [str(word) for word in command], stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                start_new_session=True, env={**self.environment, **(environment or {})}, **options)
            self.live.add(child)
        try:
            output, _ = child.communicate()
        except BaseException:  # interrupted here, and not in stop()
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
        """The same of a program that may hang; Wrong if it does, and had to be ended."""
        status, output = self.run(["timeout", str(HANGS), *command], environment, **options)
        if status == 124:
            raise Wrong(f"no end after {HANGS} s: {' '.join(map(str, command))}")
        return status, output

    def output(self, command, environment=None, **options):
        """(exit status, output as text) of a program that may hang."""
        return self.run_to_end(command, environment, stdout=subprocess.PIPE, text=True, errors="replace", **options)

    def make(self, build, *words, **options):
        """What make says, which must succeed."""
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
        """Threads that do at most so many things at once; whatever goes wrong, all ends."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as threads:
            try:
                yield threads
            except BaseException:
                self.stop()
                threads.shutdown(wait=True, cancel_futures=True)
                raise


def end(child):
    """Asks a process and its group to end."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGTERM)


def script(action):
    """Exit status of action(children); 2 and a line if it is Wrong, 130 if it is interrupted."""
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
    """Returns when nobody else has the directory; it is kept until the returned file is closed.

    Waits, and says for whom: what and process that the other has left in the lock. A process that
    ends in whatever way lets go of it. OSError: the directory cannot be written to.
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
