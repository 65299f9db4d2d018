# SPDX-License-Identifier: Apache-2.0
"""What a script shows while it works."""

import sys
import threading


class Screen:
    """Lines that stay, and on a terminal one below them that says how far it is."""

    def __init__(self):
        self.lock, self.bar = threading.Lock(), sys.stdout.isatty()

    def say(self, text):
        with self.lock:
            print(("\r\033[K" if self.bar else "") + text, flush=True)

    def progress(self, text):
        if self.bar:
            with self.lock:
                print(f"\r\033[K{text}", end="", flush=True)
