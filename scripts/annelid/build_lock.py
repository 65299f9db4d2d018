# SPDX-License-Identifier: Apache-2.0
"""One at a time in a build directory: those that build and run RTL there would write the same files."""

import fcntl
import os
import sys


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
