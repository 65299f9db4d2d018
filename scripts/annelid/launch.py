# SPDX-License-Identifier: Apache-2.0
"""Jobs of a regression: commands that run here or, with LAUNCH=, where a queue or ssh runs them (docs/lockstep.md).

A launched job is a shell script in a directory that all machines share. It writes its output and its exit status to files
there, so that a launcher need do nothing but run the script and end after it. A job that leaves no exit status, or that of a
signal, was lost; it is launched once more.
"""

import pathlib
import shlex
import shutil
import threading
import time

from annelid.children import Wrong

ARRIVES = 10  # seconds in which a file of another machine must be seen; file systems may be so late
SIGNALS = 128  # exit statuses from here on are those of signals


class Launcher:
    def __init__(self, text):
        """text: the words that come before the name of a script; "": jobs run here."""
        self.text, self.lock, self.lost = text, threading.Lock(), []
        try:
            self.words = shlex.split(text)
        except ValueError as error:
            raise Wrong(f"{self}: {error}") from error
        if self.words and not shutil.which(self.words[0]):
            raise Wrong(f"{self}: there is no command {self.words[0]}")

    def __str__(self):
        return f"LAUNCH={shlex.quote(self.text)}"

    def try_it(self, children, room):
        """Wrong: the launcher does not run a script of a directory."""
        job = Job(self.words, ["true"], room / "launch.log")
        if self.words and job.run(children) != 0:
            raise Wrong(f"{self}: no job of it leaves {job.status}\n{job.said()}".rstrip())

    def run(self, children, command, log):
        """Runs a job, whose output goes to a file. Returns its exit status."""
        if not self.words:
            with log.open("w") as output:
                return children.run(command, stdout=output)[0]
        job = Job(self.words, command, log)
        status = job.run(children)
        if status is None:
            with self.lock:
                self.lost.append(log.stem)
            status = job.run(children)
        if status is None:
            with log.open("a") as output:
                output.write(f"{job.said()}lost twice by {self}\n")
            return SIGNALS
        return status

    def remark(self):
        """Returns what is to be said of the jobs that were lost once or twice, or ""."""
        names = ", ".join(sorted(set(self.lost)))
        return f"{len(self.lost)} {'job was' if len(self.lost) == 1 else 'jobs were'} lost and launched again: {names}" if names else ""


class Job:
    def __init__(self, words, command, log):
        self.log, self.words = log, words
        self.script, self.status, self.out = (log.with_suffix(suffix) for suffix in (".sh", ".status", ".launch"))
        self.script = self.script.absolute()
        self.command = shlex.join(map(str, command))

    def run(self, children):
        """Returns the exit status of the job, or None if it was lost."""
        names = [shlex.quote(str(path)) for path in (pathlib.Path.cwd(), self.log, self.status)]
        self.script.write_text("#!/bin/sh\ncd {0} || exit\n{3} > {1} 2>&1\necho $? > {2}\n".format(*names, self.command))
        self.script.chmod(0o755)
        self.status.unlink(missing_ok=True)
        self.log.unlink(missing_ok=True)
        with self.out.open("w") as output:
            children.run([*self.words, self.script], stdout=output)
        status = self.wait()
        self.log.touch()
        return status

    def wait(self):
        """Returns what run() does, as soon as it is known. The exit status of the launcher itself says nothing."""
        until = time.monotonic() + ARRIVES
        while not (text := self.status.read_text() if self.status.exists() else "").endswith("\n"):
            if time.monotonic() > until:
                return None
            time.sleep(0.05)
        return int(text) if int(text) < SIGNALS else None

    def said(self):
        """Returns what the launcher has printed."""
        return self.out.read_text(errors="replace")[-2000:]
