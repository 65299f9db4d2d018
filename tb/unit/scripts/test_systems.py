#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make systems, with stand-ins for debootstrap and for what runs inside a system.

usage: tb/unit/scripts/test_systems.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid.systems import joined, rows_of, table

RUN = Path("scripts/run").resolve()
# What a system says: to an account without rights first that something is missing; unstable has one failed test.
UNSHARE = """for line; do :; done
echo "$line" >> "$ROOM/lines"
case $line in
    dpkg-query*) echo "gcc 4:14.2.0-1"; echo "verilator 5.032-1" ;;
    *apt-get*) touch "$ROOM/installed" ;;
    *make*) case "$*" in *HOME=/home/guest*) if ! [ -e "$ROOM/installed" ]; then
                echo "setup: missing: yosys"; echo "  Debian:        apt-get install --no-install-recommends yosys"; exit 1; fi ;; esac
            case "$*" in *sid-*) echo "7 passed, 1 failed"; exit 1 ;; esac
            echo "SKIP  test-ranks: no MPI"; echo "8 passed, 0 failed, 1 skipped" ;;
esac"""


def systems(room, *words, **tools):
    """Runs the script with these tools in place of what it calls. Returns (exit status, what it printed)."""
    tools = {"debootstrap": 'for folder; do :; done; echo "$folder" >> "$ROOM/made"; mkdir -p "$folder/etc"', "unshare": UNSHARE} | tools
    (room / "bin").mkdir(exist_ok=True)
    for name, text in tools.items():
        (room / "bin" / name).write_text(f"#!/bin/bash\n{text}\n")
        (room / "bin" / name).chmod(0o755)
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    seen = subprocess.run([sys.executable, str(RUN), "systems", "--build", str(room / "build"), *words], capture_output=True, text=True,
                          env=plain | {"PATH": f"{room}/bin:/usr/bin:/bin", "ROOM": str(room)}, check=False)
    return seen.returncode, seen.stdout + seen.stderr


def every_system_is_made_and_told_of(room, _build):
    status, said = systems(room, "--systems", "trixie", "sid", "--targets", "regress REGRESS=smoke", "--keep")
    names = [f"{system}-{account}" for system in ("trixie", "sid") for account in ("root", "guest")]
    made = [Path(line).name for line in (room / "made").read_text().splitlines()]
    expect(status == 1 and made == names, "all systems, and a failure", (status, made, said))
    expect(said.count("PASS  ") == 2 and said.count("FAIL  sid") == 2 and said.endswith("2 passed, 2 failed\n"), "a line each", said)
    expect(re.search(r"\| Debian 13 \| root \| \d+-\d+-\d+ \| \w+(-dirty)? \| 14.2.0 \| – \| 5.032 \|", said) and "1 skipped (test-ranks: no MPI)" in said, "a table", said)
    lines = (room / "lines").read_text()
    expect("cd '/home/guest/a clone' && time make" in lines and "cd /root/annelid && time make" in lines, "where it runs", lines)
    report = json.loads((room / "build/systems/some.json").read_text())
    expect((report["passed"], report["failed"], len(report["rows"])) == (2, 2, 4), "a report", report)
    inside = room / "build/systems/trixie-guest/home/guest/a clone"
    log = subprocess.run(["git", "-C", str(inside), "log", "--oneline"], capture_output=True, text=True, check=False)
    expect(log.stdout and (inside / "Makefile").exists(), "a clone that stands alone", log.stderr)


def an_account_without_rights_gets_what_setup_prints(room, _build):
    status, said = systems(room, "--systems", "trixie", "--accounts", "guest", "--targets", "regress")
    lines = (room / "lines").read_text().splitlines()
    expect(status == 0 and "apt-get update -q && apt-get install --no-install-recommends yosys -y" in lines, "the line", (said, lines))
    expect(not (room / "build/systems/trixie-guest").exists(), "no folder that is left", "")


def the_report_keeps_the_systems_of_other_runs(room, _build):
    systems(room, "--systems", "sid", "--accounts", "root")
    path = room / "build/systems/systems.json"
    report = json.loads(path.read_text())
    expect((report["passed"], report["failed"]) == (0, 2), "a system", report)
    row = report["rows"][0]
    both = joined(path, [{**row, "system": "trixie"}])
    expect([one["system"] for one in both] == ["trixie", "sid"] and both[1] == row, "both systems", both)
    expect(joined(path, [{**row, "commit": "later"}]) == [{**row, "commit": "later"}], "the last run of a system", row)
    page = table(dict(rows=[{**row, "account": "guest"}, {**row, "commit": "before"}]))
    after = rows_of(table(report, page))
    expect(list(after) == [("Debian unstable", "root"), ("Debian unstable", "guest")], "rows of other runs stay on the page", after)
    expect(after["Debian unstable", "root"][3] == row["commit"] != "before", "the newer row", after)
    systems(room, "--systems", "sid", "--accounts", "root", "--targets", "model")
    report = json.loads(path.read_text())
    expect(all(list(row["targets"]) == ["regress", "test"] for row in report["rows"]), "other targets change nothing", report)


def what_cannot_be_made_fails(room, _build):
    status, said = systems(room, "--systems", "sid", "--accounts", "root", "--targets", "test", debootstrap="exit 1")
    expect(status == 1 and "debootstrap failed" in said and said.endswith("0 passed, 1 failed\n"), "a failure", said)
    seen = subprocess.run([sys.executable, str(RUN), "systems", "--build", str(room / "build"), "--systems", "buster"], capture_output=True,
                          text=True, check=False)
    expect(seen.returncode == 2 and "no system buster; there are bookworm, trixie, sid" in seen.stderr, "an error", seen.stderr)


TESTS = [every_system_is_made_and_told_of, an_account_without_rights_gets_what_setup_prints,
         the_report_keeps_the_systems_of_other_runs, what_cannot_be_made_fails]

if __name__ == "__main__":
    sys.exit(main("systems", TESTS, __doc__.splitlines()[2]))
