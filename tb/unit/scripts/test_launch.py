#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LAUNCH=: jobs that a launcher runs, loses, or cannot run. Real queues: make test-scale.

usage: tb/unit/scripts/test_launch.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import shlex
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import launch
from annelid.children import Children, Wrong
from annelid.launch import Launcher

launch.ARRIVES = 0.1  # seconds: files of this machine are there at once
FORGETS = 'n=$(cat "$0.n" 2>/dev/null || echo 0); echo $((n + 1)) > "$0.n"; [ $n -lt {times} ] && {{ echo "node 7 is down"; exit 1; }}; exec "$@"'


def launcher_of(room, text):
    """Returns LAUNCH= with a shell script as the launcher."""
    script = room / "my launcher"
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)
    return Launcher(shlex.quote(str(script)))


def job(launcher, room, command):
    """Returns (exit status, log) of a job in a directory."""
    log = room / "job 1.log"
    return launcher.run(Children(), ["sh", "-c", command], log), log.read_text()


def complaint(action):
    try:
        action()
    except Wrong as wrong:
        return str(wrong)
    return ""


def a_job_has_the_same_end_here_and_launched(room, _build):
    for command in ("echo 'a  b'; echo $((1 + 1)) >&2; exit 3", "pwd", "true"):
        here, there = (job(launcher, room, command) for launcher in (Launcher(""), launcher_of(room, 'cd / && exec "$@"')))
        expect(here == there, f"the end of {command}", there)


def the_launchers_own_status_and_words_do_not_matter(room, _build):
    chatty = launcher_of(room, 'echo "job 5 is queued"; "$@"; echo "job 5 is finished"; exit 9')
    expect(job(chatty, room, "echo seen; exit 2") == (2, "seen\n"), "status and output of the job alone")
    expect(not chatty.lost, "no job lost", chatty.lost)


def a_lost_job_is_launched_again(room, _build):
    forgets = launcher_of(room, FORGETS.format(times=1))
    expect(job(forgets, room, "echo seen") == (0, "seen\n"), "the end of the second launch")
    expect(forgets.remark() == "1 job was lost and launched again: job 1", "a remark", forgets.remark())


def a_job_that_a_signal_ends_is_launched_again(room, _build):
    killed = job(launcher_of(room, 'exec "$@"'), room, f"[ -e {room.name} ] && echo seen || {{ touch {room.name}; kill -9 $$; }}")
    Path(room.name).unlink()
    expect(killed == (0, "seen\n"), "the end of the second launch", killed)


def a_job_lost_twice_fails(room, _build):
    status, text = job(launcher_of(room, FORGETS.format(times=2)), room, "echo seen")
    expect(status and "node 7 is down\nlost twice by LAUNCH=" in text, "what the launcher said", (status, text))


def old_results_are_not_taken_for_new_ones(room, _build):
    job(launcher_of(room, 'exec "$@"'), room, "echo seen")
    status, text = job(launcher_of(room, "exit 1"), room, "echo seen")
    expect(status and "seen" not in text, "no result", (status, text))


def launchers_that_run_nothing_are_refused(room, _build):
    expect(complaint(lambda: Launcher("no_such_queue -n1")) == "LAUNCH='no_such_queue -n1': there is no command no_such_queue", "its name")
    expect("No closing quotation" in complaint(lambda: Launcher("srun '")), "the open quotation mark")
    lazy = launcher_of(room, "echo not today; exit 1")
    expect("no job of it leaves" in (said := complaint(lambda: lazy.try_it(Children(), room))) and said.endswith("not today"),
           "what the launcher said", said)
    launcher_of(room, 'exec "$@"').try_it(Children(), room)
    Launcher("").try_it(Children(), room)


def a_late_file_system_is_waited_for(room, _build):
    late = launcher_of(room, '("$@"; ) & sleep 0.1; exit 0')
    launch.ARRIVES, soon = 600, launch.ARRIVES
    seen = job(late, room, "sleep 0.5; echo seen")
    launch.ARRIVES = soon
    expect(seen == (0, "seen\n"), "what came later than the launcher's end", seen)


TESTS = [a_job_has_the_same_end_here_and_launched, the_launchers_own_status_and_words_do_not_matter,
         a_lost_job_is_launched_again, a_job_that_a_signal_ends_is_launched_again, a_job_lost_twice_fails,
         old_results_are_not_taken_for_new_ones, launchers_that_run_nothing_are_refused,
         a_late_file_system_is_waited_for]

if __name__ == "__main__":
    sys.exit(main("launch", TESTS, __doc__.splitlines()[2]))
