# SPDX-License-Identifier: Apache-2.0
"""How scripts run others: processes that end with the script that started them, and its own end."""

import concurrent.futures
import contextlib
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
