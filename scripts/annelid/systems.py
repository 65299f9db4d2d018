# SPDX-License-Identifier: Apache-2.0
"""Run both commands of the README on other systems, from nothing (docs/install.md).

Each system is a minimal Debian in a folder of its own, BUILD/systems/<system>-<account>/, which debootstrap makes anew. It
has git, make and certificates, a clone of this working tree, and nothing else. There `make regress` and `make test` run: as
root, and as an account without rights, in a folder with a blank in its name, after root has run the line that setup prints.
Logs are beside the folder. Root must call this. `make systems` does.
"""

import datetime
import itertools
import json
import pathlib
import re
import shlex
import shutil
import time

from annelid.children import Wrong
from annelid.options import JOBS, check_names, parser
from annelid.results import Results, attempt, commit_of, markdown, run_campaign
from annelid.targets import clone, snapshot

TARGETS = ["regress", "test"]
SYSTEMS = {"bookworm": "Debian 12", "trixie": "Debian 13", "sid": "Debian unstable"}
ACCOUNTS = {"root": "/root/annelid", "guest": "/home/guest/a clone"}  # and where the clone is
MINIMAL = "git,make,ca-certificates"
TOOLS = dict(GCC="gcc", clang="clang", Verilator="verilator", Yosys="yosys", Icarus="iverilog", SystemC="libsystemc-dev")  # packages
# How the machine reaches its packages: names, certificates and settings of apt. What is not there is left out.
HOST = ["etc/resolv.conf", "etc/hosts", "etc/ssl/certs/ca-certificates.crt", *(f"etc/apt/apt.conf.d/{path.name}" for path in
        sorted(pathlib.Path("/etc/apt/apt.conf.d").glob("*")))]
MOUNTS = [("proc", "rw", "proc"), ("sysfs", "ro", "sys"), ("devpts", "ptmxmode=666", "dev/pts"), ("tmpfs", "rw", "dev/shm")]
ENVIRONMENT = {"LANG": "C.UTF-8", "TERM": "dumb", "DEBIAN_FRONTEND": "noninteractive"}
PATHS = {"root": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "guest": "/usr/local/bin:/usr/bin:/bin"}
PRINTED = re.compile(r"^ *Debian: +(apt-get install .*)$", re.MULTILINE)  # the line of setup
LAST = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)


class System:
    """A minimal system in a folder, and commands that run there."""

    def __init__(self, name, account, room, children):
        self.name, self.account, self.children = name, account, children
        self.folder = room / f"{name}-{account}"

    def log(self, what):
        return self.folder.with_name(f"{self.folder.name}.{what}.log")

    def make(self):
        """Makes the folder anew. Wrong: debootstrap fails, as it does without rights or network."""
        shutil.rmtree(self.folder, ignore_errors=True)
        command = ["debootstrap", "--variant=minbase", f"--include={MINIMAL}", self.name, self.folder]
        if self.children.logged(command, self.log("debootstrap"))[0]:
            raise Wrong(f"debootstrap failed: {self.log('debootstrap')}")
        for path in HOST:
            if pathlib.Path("/", path).exists():
                (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(f"/{path}", self.folder / path)

    def enter(self, account):
        """Returns the words that run a shell in the folder, with processes and mounts that end with it."""
        environment = {**ENVIRONMENT, "PATH": PATHS[account], "HOME": str(pathlib.Path(ACCOUNTS[account]).parent)}
        mounts = "; ".join(f"mount -t {kind} -o {option} {kind} $0/{place}" for kind, option, place in MOUNTS)
        other = ["setpriv", "--reuid=guest", "--regid=guest", "--init-groups"] if account == "guest" else []
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", f'{mounts}; exec "$@"', self.folder,
                "chroot", self.folder, "env", "-i", *(f"{name}={value}" for name, value in environment.items()), *other,
                "bash", "-c"]

    def shell(self, text, what, account=None):
        """Runs a line of the shell. Returns (exit status, output, minutes)."""
        begin = time.monotonic()
        status, said = self.children.logged([*self.enter(account or self.account), text], self.log(what))
        return status, said, (time.monotonic() - begin) / 60

    def must(self, text, what):
        status, said, _ = self.shell(text, what, "root")
        if status:
            raise Wrong(f"{text}: status {status}: {self.log(what)}\n{said[-2000:]}")
        return said

    def clone(self, commit):
        """Puts a clone of the commit where the account has it."""
        inside = self.folder / ACCOUNTS[self.account].lstrip("/")
        if self.account == "guest":
            self.must("useradd --create-home guest", "account")
        clone(commit, inside, self.children)
        self.children.must(["git", "-C", inside, "repack", "-a", "-d", "-q"])
        (inside / ".git/objects/info/alternates").unlink()
        self.must(f"chown -R {self.account}: {shlex.quote(ACCOUNTS[self.account])}", "account")

    def install(self, said):
        """Runs, as root, the line that setup has printed for an account without rights."""
        if not (line := PRINTED.search(said)):
            raise Wrong(f"setup did not print what root must install\n{said[-2000:]}")
        self.must(f"apt-get update -q && {line[1]} -y", "packages")

    def target(self, words, jobs):
        """Runs a target of make. Returns what is known of it for the table."""
        what, line = words.split()[0], f"cd {shlex.quote(ACCOUNTS[self.account])} && time make JOBS={jobs} {words}"
        status, said, minutes = self.shell(line, what)
        if status and self.account == "guest" and "setup: missing" in said:
            self.install(said)
            status, said, minutes = self.shell(line, what)
        last = LAST.findall(said)
        passed, failed, skipped = (int(number or 0) for number in (last[-1] if last else (0, 1, 0)))
        return dict(passed=passed, failed=failed or int(status != 0), skipped=skipped, minutes=round(minutes, 1),
                    names=re.findall(r"^SKIP  (.*)$", said, re.MULTILINE), log=str(self.log(what)))

    def versions(self):
        """Returns {tool: version} of what has been installed, without what Debian adds to the numbers of others."""
        _, said, _ = self.shell(f"dpkg-query -W -f '${{Package}} ${{Version}}\\n' {' '.join(TOOLS.values())}", "versions")
        known = dict(line.split() for line in said.splitlines() if len(line.split()) == 2)
        return {tool: re.sub(r"^\d+:|[-+~].*$", "", known.get(package, "–")) for tool, package in TOOLS.items()}


def run_one(campaign, commit, system):
    """Makes a system, runs the targets there, and prints a line for each. Returns what the table says."""
    options, found = campaign.options, {}
    def made():
        system.make()
        system.clone(commit)
    reason = attempt(made)[1]
    for words in options.targets:
        one, wrong, _ = (None, reason, 0) if reason else attempt(system.target, words, options.jobs)
        wrong = wrong or (f"{one['failed']} failed: {one['log']}" if one["failed"] else None)
        found[words] = one
        campaign.suite.case(f"{system.name}, {system.account}", words, wrong)
        campaign.screen.say(f"{'FAIL' if wrong else 'PASS'}  {system.name:9} {system.account:6} make {words:24} " + (wrong or
                            f"{one['passed']} passed, {one['skipped']} skipped in {one['minutes']} min"))
    versions = {} if reason else system.versions()
    return dict(system=system.name, account=system.account, date=datetime.date.today().isoformat(), versions=versions, targets=found,
                commit=commit_of(campaign.children))


def rows_of(page):
    """Returns {(system, account): cells} of the table on a page."""
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in page.splitlines()]
    return {(row[0], row[1]): row for row in rows if len(row) > 2 and row[0] in SYSTEMS.values() and row[1] in ACCOUNTS}


def table(report, page=""):
    """Returns a table with a row a system and account, each as of its last run. Of those that the report lacks the row stays as
    the page has it."""
    def cell(one):
        if not one:
            return "–"
        names = f" ({'; '.join(one['names'])})" if one["names"] else ""
        return f"{one['passed']:,} passed, {one['failed']} failed, {one['skipped']} skipped{names}; {one['minutes']} min"
    words = list(report["rows"][0]["targets"])
    known = rows_of(page)
    for row in report["rows"]:
        named = SYSTEMS[row["system"]], row["account"]
        known[named] = [*named, row["date"], row["commit"], *(row["versions"].get(tool, "–") for tool in TOOLS),
                        *(cell(row["targets"][word]) for word in words)]
    rows = [known[key] for key in itertools.product(SYSTEMS.values(), ACCOUNTS) if key in known]
    return markdown(["system", "account", "date", "commit", *TOOLS, *(f"`make {word}`" for word in words)], rows)


def joined(path, rows):
    """Returns the rows of the last report, with these in place of those of the same systems, in the order of the tables above."""
    old = json.loads(path.read_text())["rows"] if path.exists() else []
    known = {(row["system"], row["account"]): row for row in [*old, *rows]}
    return [known[key] for key in itertools.product(SYSTEMS, ACCOUNTS) if key in known]


def run_all(campaign):
    options, children = campaign.options, campaign.children
    check_names(options.systems, SYSTEMS, "system")
    check_names(options.accounts, ACCOUNTS, "account")
    if not shutil.which("debootstrap"):
        raise Wrong("no debootstrap, which makes a minimal system in a folder (Debian's debootstrap)")
    commit = snapshot(campaign.room, children)
    systems = [System(name, account, campaign.room.absolute(), children)
               for name in options.systems for account in options.accounts]
    rows = []
    for system in systems:
        campaign.screen.progress(f"{system.name}, {system.account}: its logs are {system.log('*')}")
        try:
            rows.append(run_one(campaign, commit, system))
        finally:
            if not options.keep:
                shutil.rmtree(system.folder, ignore_errors=True)
    print(table(dict(rows=rows)))
    whole = options.targets == TARGETS
    rows = joined(campaign.room / "systems.json", rows) if whole else rows
    failed = sum(not one or one["failed"] > 0 for row in rows for one in row["targets"].values())
    return campaign.end(f"{len(systems)} systems, each from nothing", part=not whole, rows=rows, failed=failed,
                        tools="the versions of tools are in the rows", passed=sum(len(row["targets"]) for row in rows) - failed)


def old_page():
    return RESULTS.path.read_text() if RESULTS.path.exists() else ""


RESULTS = Results("systems", "Other systems", "install.md", "systems --docs", lambda report: table(report, old_page()))


def parse():
    one = parser(__doc__, jobs=JOBS, docs=f"write {RESULTS.path} from the last report")
    one.add_argument("--systems", nargs="*", default=list(SYSTEMS), help=f"of {', '.join(SYSTEMS)}")
    one.add_argument("--accounts", nargs="*", default=list(ACCOUNTS), help=f"of {', '.join(ACCOUNTS)}")
    one.add_argument("--targets", nargs="*", default=TARGETS, help="words that follow make, a target each")
    one.add_argument("--keep", action="store_true", help="leave the folders of the systems")
    return one.parse_args()


def main(children):
    return run_campaign("systems", parse(), children, run_all, results=RESULTS)
