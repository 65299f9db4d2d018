# SPDX-License-Identifier: Apache-2.0
"""Run every documented target of make from nothing, in a short form (tb/targets.toml).

Each target gets a clone of this working tree, with its changes but without build/, and `make` is run there with the words that
the table says. The clone must not be changed by it. Their folder has a blank in its name, as those of users may. Logs are in
BUILD/targets/a clone/<target>.log; the clone of a target that fails stays beside its log. `make targets` and `make test-targets` call this.
"""

import dataclasses
import functools
import pathlib
import shutil

from annelid.children import Wrong
from annelid.options import JOBS, JUNIT, check_names, parser
from annelid.results import attempt, run_campaign
from annelid.slices import costs, kinds
from annelid.sources import made, read_toml, write

TABLE = pathlib.Path("tb/targets.toml")
OURS = ("ONLY", "SHORT", "BUILD", "JOBS", "JUNIT")  # variables of make targets, which mean something else in a clone
WHO = ["-c", "user.name=annelid", "-c", "user.email=annelid@localhost"]  # of a commit that only a clone sees


@dataclasses.dataclass
class Target:
    """What is run for a target in a clone, in words of the shell, and what must be true afterwards."""
    name: str
    short: str           # follows `make`
    before: str = ""     # a command that must succeed first
    makes: str = ""      # a file that is there afterwards
    removes: str = ""    # what is no longer there
    says: str = ""       # a text in the output
    status: int = 0      # of make
    sample: bool = False  # it takes seconds, and make test-targets runs it

    def wrong(self, room, status, said):
        """Returns what is not as it must be after `make`, or None."""
        if status != self.status:
            return f"exit status {status}, not {self.status}"
        if self.makes and not (room / self.makes).exists():
            return f"did not make {self.makes}"
        if self.removes and (room / self.removes).exists():
            return f"did not remove {self.removes}"
        return None if self.says in said else f"did not say {self.says!r}"


def table():
    """Returns {name: what runs it}: what the table says, and what runs the targets of each kind of switch of a slice."""
    rows = {target: {"row": module.NETWORK} for target, module in kinds().items()}
    speeds = {target: {"short": target, "says": "flit-moves per CPU second"} for target in costs()}
    return read_toml(TABLE) | rows | speeds | {f"test-{target}": {"step": f"test-{target}"} for target in rows}


def targets():
    """Returns {name: Target} of all targets that nothing else runs."""
    return {name: made(Target, f"{TABLE}: {name}", name=name, **how) for name, how in table().items() if "short" in how}


def chosen(options):
    known = targets()
    check_names(options.only, known, "target with a short form")
    return [one for one in known.values()
            if (not options.only or one.name in options.only) and (one.sample or not options.short)]


def snapshot(room, children):
    """Returns a commit of the working tree as it is, which no branch knows, with files that git does not know yet."""
    index = room / "index"
    index.unlink(missing_ok=True)
    here = {"GIT_INDEX_FILE": str(index.absolute())}
    children.must(["git", "add", "--all"], environment=here)
    tree = children.must(["git", "write-tree"], environment=here).strip()
    return children.must(["git", *WHO, "commit-tree", "-p", "HEAD", "-m", "as it is", tree]).strip()


def clone(commit, room, children):
    """Makes a clone of a commit, without anything that git ignores. It takes its objects from this repository, which may be
    shallow; `git clone` would take only what a branch knows."""
    def git_path(name):
        return pathlib.Path(children.must(["git", "rev-parse", "--git-path", name]).strip()).absolute()
    shutil.rmtree(room, ignore_errors=True)
    children.must(["git", "init", "--quiet", room])
    write(room / ".git/objects/info/alternates", f"{git_path('objects')}\n")
    if git_path("shallow").exists():
        shutil.copyfile(git_path("shallow"), room / ".git/shallow")
    children.must(["git", "-C", room, "checkout", "--quiet", "--detach", commit])


def run_in(room, target, jobs, children):
    """Runs a target in its clone. Wrong: something is not as it must be."""
    log = room.with_suffix(".log")
    def shell(words, to):
        return children.logged(["bash", "-e", "-o", "pipefail", "-c", words], to, cwd=room)
    if target.before:
        status, said = shell(target.before, room.with_suffix(".before.log"))
        if status:
            raise Wrong(f"status {status} before make: {target.before}\n{said[-3000:]}")
    status, said = shell(f"make --no-print-directory -j{jobs} JOBS={jobs} {target.short}", log)
    if reason := target.wrong(room, status, said):
        raise Wrong(f"{reason}: make {target.short}\n{said[-3000:]}")
    if changes := children.must(["git", "-C", room, "status", "--porcelain"]):
        raise Wrong(f"changed files: {changes}")


def run_one(campaign, commit, jobs, target):
    """Runs a target in a clone of its own, and prints its line."""
    room = campaign.room.absolute() / "a clone" / target.name
    def run():
        clone(commit, room, campaign.children)
        run_in(room, target, jobs, campaign.children)
    _, reason, seconds = attempt(run)
    if not reason:
        shutil.rmtree(room)
    campaign.suite.case("targets", target.name, reason, seconds=seconds)
    campaign.screen.say(f"{'FAIL' if reason else 'PASS'}  {target.name:18} {seconds:6.0f} s  make {target.short}"
                        + (f"\n      {reason}\n      log: {room.with_suffix('.log')}" if reason else ""))


def run_all(campaign):
    options, children = campaign.options, campaign.children
    for name in OURS:
        children.environment.pop(name, None)
    wanted, commit = chosen(options), snapshot(campaign.room, children)
    jobs = max(1, options.jobs // len(wanted))
    campaign.each(functools.partial(run_one, campaign, commit, jobs), wanted, "targets")
    return campaign.end(f"{len(wanted)} targets, each in a clone of its own")


def parse():
    one = parser(__doc__, jobs=JOBS, junit=JUNIT, short="only those that take seconds", only="these targets")
    return one.parse_args()


def main(children):
    return run_campaign("targets", parse(), children, run_all)
