# SPDX-License-Identifier: Apache-2.0
"""Processes that end when the script that started them is interrupted."""

import os
import signal
import subprocess
import threading


class Children:
    """Every process started, each in a group of its own, so that all can be ended."""

    def __init__(self):
        self.lock, self.live, self.stopped = threading.Lock(), set(), False
        ours = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")  # of the make that called us
        self.environment = {k: v for k, v in os.environ.items() if k not in ours}

    def run(self, command, **options):
        """Exit status, and the output if options say stdout=PIPE; (None, None) after stop()."""
        with self.lock:
            if self.stopped:
                return None, None
            child = subprocess.Popen(command, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                     start_new_session=True, env=self.environment, **options)
            self.live.add(child)
        try:
            output, _ = child.communicate()
            return child.returncode, output
        finally:
            with self.lock:
                self.live.discard(child)

    def stop(self):
        with self.lock:
            self.stopped = True
            for child in self.live:
                try:
                    os.killpg(child.pid, signal.SIGTERM)
                except ProcessLookupError:
                    pass
