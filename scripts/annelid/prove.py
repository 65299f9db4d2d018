# SPDX-License-Identifier: Apache-2.0
"""Prove the properties of the RTL, and show of each that a mutant breaks it (docs/proofs.md).

Each harness of tb/formal/ is proved at the corners of its parameters that tb/formal/proofs.toml names,
and its covers must be reached; each mutant of tb/formal/mutants*.toml must break the property that it
names. A proof that fails leaves a trace (VCD). Prints a line a job, a table, and "N passed, N failed".
`make prove` calls it.
"""

import collections
import os
import re
import shutil
import textwrap
import threading

from annelid import aig, data_independence, formal, idle, planted
from annelid.children import Wrong, abc, tool
from annelid.options import JOBS, JUNIT, parser
from annelid.results import Results, attempt, markdown, run_campaign
from annelid.sources import chparam, needed, write

KINDS = ("proof", "cover", "mutant")
ONE_IN = {"cover": 4, "mutant": 6}  # of so many proofs, a short run does the covers and a mutant of one
HEAD = ["proof", "proofs", "covers", "mutants", "seconds", "slowest proof"]
# What Yosys does. A module is made of gates once, however many instances it has, and only then are all put together. The list of
# what is asserted comes before the first optimization, which may prove an assertion and drop it.
READ = "read_verilog -defer -sv -formal -DANL_RANDOM_SETTLE {define} {include} {files}"
NETLIST = READ + """
read_verilog -sv -formal {define} {include} {harness}
{chparam}
hierarchy -check -top {top}
tee -q -o {directory}/asserted.txt select -list c:$assert$*
prep -run coarse
async2sync
dffunmap
chformal -cover -remove
{only}
memory_map
opt_clean
{ticks}
write_rtlil {directory}/design.il
setundef -undriven -anyseq
setundef -anyseq
setattr -unset keep
opt -full -nodffe -nosdff
techmap
setundef -anyseq
opt -fast -nodffe -nosdff
simplemap
dffunmap
aigmap
flatten
setundef -undriven -anyseq
setattr -unset keep
delete -output
opt_merge
opt_clean
tee -q -o {directory}/asserts.txt select -list t:$assert
write_aiger -I -B -zinit -no-startoffset -map {directory}/design.aim {directory}/design.aig
"""


class Bench:
    """Runs jobs, each in its own directory below build/prove/."""

    def __init__(self, options, children):
        self.options, self.children = options, children
        self.room = options.build / "prove"
        self.covers = set()    # (harness, name) of the covers that were reached
        self.asserted = set()  # (harness, file:line) of what proofs assert, and (None, file:line)

    def netlist(self, job, directory):
        """Makes an and-inverter graph of harness and RTL; of a mutant with only the property that it must break.
        Returns file:line of its outputs."""
        files, only = formal.RTL, ""
        define = "-DPROVE_COVERS -DSYNTHESIS" if job.kind == "cover" else ""
        ticks = f"dffunmap\ntechmap -map {formal.TICKS}\nopt_clean" if formal.TWO_CLOCKS in formal.text_of(job.harness) else ""
        if job.mutant:
            files = planted.rtl([job.mutant], directory)
            target = formal.property_of(job)
            path = next((file for file in files if file.name == target.path.name), target.path)
            lines = next(item.lines for item in formal.properties_of(path) if item.name == target.name)
            places = " ".join(f"a:src=*{path}:{line}.*" for line in lines) + " %u" * (len(lines) - 1)
            only = (f"select -set wanted t:$assert {places} %i\nselect -assert-min 1 @wanted\n"
                    "chformal -assert -remove t:$assert @wanted %d")
        top = job.harness.stem
        script = directory / "netlist.ys"
        script.write_text(NETLIST.format(
            define=define, include=" ".join(f"-I{path}" for path in formal.INCLUDE),
            directory=directory, top=top,
            files=" ".join(map(str, needed(formal.text_of(job.harness), files))), harness=job.harness, only=only, ticks=ticks,
            chparam=chparam(job.parameters, top)))
        status, output = self.children.logged([*tool("YOSYS"), "-q", "-e", "implicitly declared", str(script)], directory / "yosys.log")
        if status:
            raise Wrong(f"yosys: {output[-1500:]}")
        places, asserted = (re.findall(r"\$assert\$(\S+:\d+)\$", (directory / name).read_text())
                            for name in ("asserts.txt", "asserted.txt"))
        if not places:
            raise Wrong("there is nothing to prove")
        if job.kind == "proof":
            self.asserted.update((harness, place) for place in asserted for harness in (job.harness, None))
        return places

    def ask(self, question, directory):
        return self.children.logged([*abc(), "-c", f"read_aiger {directory}/design.aig; fold; strash; {question}"],
                        directory / "abc.log")

    def decide(self, job, directory, places):
        """Returns None if all is proved, else the cycle of a failure and the property that fails."""
        def ask(engine):
            return self.ask(f"{engine}; write_cex -a {directory}/cex.aiw", directory)[1]
        output = aig.asked(ask) if job.engine == "pdr" else ask(f"bmc3 -F {job.depth}")
        failed = re.search(r"Output +(\d+) .*?asserted in frame +(\d+)", output)
        if failed:
            return int(failed[2]), places[int(failed[1])]
        proved = (aig.proved(output) if job.engine == "pdr" else
                  f"No output asserted in {job.depth} frames" in output or "Explored all reachable states" in output)
        if not proved:
            raise Wrong(f"abc: {output[-1500:]}")
        return None

    def trace(self, directory):
        """Runs the counterexample again to write a VCD. Returns in words where that is."""
        vcd, log = directory / "trace.vcd", directory / "trace.log"
        status, _ = self.children.logged([*tool("YOSYS"), "-q", "-p", f"read_rtlil {directory}/design.il; flatten; "
                              f"sim -r {directory}/cex.aiw -map {directory}/design.aim "
                              f"-clock clk_i -vcd {vcd}"], log)
        return f"no trace, see {log}" if status else f"trace {vcd}"

    def proved(self, job, directory, places):
        failed = self.decide(job, directory, places)
        if failed:
            raise Wrong(f"{failed[1]} fails in cycle {failed[0]}; {self.trace(directory)}")
        depth = f", {job.depth} cycles" if job.engine == "bmc3" else ""
        return f"{len(places)} assertions hold ({job.engine}{depth})"

    def reached(self, job, directory, places):
        """Checks covers: each is an assertion of the contrary, which must fail in every instance."""
        status, output = self.ask(f"bmc3 -a -x -F {job.depth}", directory)  # without -x it may crash
        frames = {int(place): int(frame) for place, frame in
                  re.findall(r"Output +(\d+) .*?asserted in frame +(\d+)", output)}
        if status:
            raise Wrong(f"abc: {output[-1500:]}")
        covers = {f"{item.path}:{line}": item.name for item in formal.covers_of(job.harness)
                  for line in item.lines}
        names = [covers[place] for place in places]
        missed = {name for i, name in enumerate(names) if i not in frames}
        if missed:
            raise Wrong(f"not reached in {job.depth} cycles: {', '.join(sorted(missed))}")
        self.covers.update((job.harness, name) for name in names)
        return f"{len(set(names))} covers reached, the last in cycle {max(frames.values())}"

    def broken(self, job, directory, places):
        failed = self.decide(job, directory, places)
        if not failed:
            raise Wrong(f"{job.mutant['breaks']} holds in spite of {[edit.new for edit in job.mutant['edits']]}")
        text = f"breaks {job.mutant['breaks']} in cycle {failed[0]}"
        return f"{text}; {self.trace(directory)}" if self.options.waves else text

    def do(self, job):
        """Does a job. Returns its result in words. Wrong: it is not the right one."""
        directory = self.room / job.name
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        if isinstance(job, data_independence.Job | idle.Job):
            return job.do(directory, self.children)
        verdict = {"proof": self.proved, "cover": self.reached, "mutant": self.broken}[job.kind]
        return verdict(job, directory, self.netlist(job, directory))


class Score:
    """The results of the jobs."""

    def __init__(self, campaign, bench, total):
        self.lock, self.rows, self.total = threading.Lock(), [], total
        self.campaign, self.bench = campaign, bench

    def run(self, job):
        text, reason, seconds = attempt(self.bench.do, job)
        self.note(job.kind, job.name, text, reason, seconds, proof=job.proof, engine=job.engine, depth=job.depth,
                  sample=job.sample, breaks=job.mutant["breaks"] if job.mutant else None)

    def note(self, kind, name, text, reason, seconds=0.0, **more):
        with self.lock:
            self.rows.append(dict(kind=kind, name=name, text=text, passed=reason is None,
                                  seconds=round(seconds, 2), **more))
            self.campaign.screen.say(f"{'FAIL' if reason else 'PASS'}  {len(self.rows):3}/{self.total} {kind:<6} {name:<44} "
                                     f"{seconds:6.1f} s  {reason or text}")
        self.campaign.suite.case(kind, name, reason, seconds=seconds)


def promises(jobs):
    """Returns the properties of the harnesses, and what the modules promise: not what they assume of their user, nor the
    modules of the board around a network, which have benches and no proofs (docs/proofs.md)."""
    found = [item for path in dict.fromkeys(job.harness for job in jobs) for item in formal.properties_of(path)]
    return found + [item for path in formal.RTL if path.parent.name != "board" for item in formal.properties_of(path)
                    if not item.name.startswith("Assume")]


def check_companions(jobs):
    """Checks that a mutant breaks each promise."""
    seen = {str(formal.property_of(job)) for job in jobs if job.mutant}
    return [str(item) for item in promises(jobs) if str(item) not in seen]


def check_asserted(jobs, asserted):
    """Checks that each promise is in a proof that was done: that of a harness in one of its own, for several may include
    it. Returns those that are not."""
    harnesses = {job.harness.stem: job.harness for job in jobs}
    return {str(item) for item in promises(jobs)
            if not any((harnesses.get(item.module), f"{item.path}:{line}") in asserted for line in item.lines)}


def check_covers(jobs, reached):
    """Checks that each harness has covers, and that each of them is among those reached, unless that is None."""
    paths = list(dict.fromkeys(job.harness for job in jobs))
    return ([path.stem for path in paths if not formal.covers_of(path)]
            + [str(item) for path in paths for item in formal.covers_of(path)
               if reached is not None and (path, item.name) not in reached])


def lines(rows):
    """Returns for each proof how many proofs, covers and mutants it has, their seconds, and the slowest proof."""
    by_proof = collections.defaultdict(list)
    for row in rows:
        if "proof" in row:
            by_proof[row["proof"]].append(row)
    for proof, some in sorted(by_proof.items()):
        counts = [sum(row["kind"] == kind for row in some) for kind in KINDS]
        slowest = max((row for row in some if row["kind"] == "proof"), key=lambda row: row["seconds"], default=None)
        yield [proof, *counts, round(sum(row["seconds"] for row in some)),
               f"{slowest['seconds']:.1f} {slowest['name'].partition('/')[2]}" if slowest else "–"]


def print_table(rows):
    print()
    for proof, *numbers, slowest in [HEAD, *lines(rows)]:
        print(f"{proof:<20}" + "".join(f"{number:>9}" for number in numbers) + f"   {slowest}")


def tables(data):
    proofs, covers, mutants = (sum(row.get("kind") == kind for row in data["jobs"]) for kind in KINDS)
    text = (f"One run of `make prove`: {proofs} proofs, covers of harnesses at {covers} corners, {mutants} mutants, each of a "
            f"property of its own or of one of the RTL's assertions; {data['processor']:.0f} s of processor time, "
            f"{data['seconds'] / 60:.0f} minutes.")
    return textwrap.fill(text, 120) + "\n\n" + markdown(HEAD, lines(data["jobs"]))


RESULTS = Results("proofs", "Proofs", "proofs.md", "prove --docs", tables, ("YOSYS",))


def choose(options, jobs):
    names = {part for job in jobs for part in (job.proof, job.name)}
    strange = set(options.only) - names
    if strange:
        raise Wrong(f"no proof and no mutant: {', '.join(sorted(strange))}")
    chosen = [job for job in jobs
              if (not options.only or job.proof in options.only or job.name in options.only)
              and not (options.mutants and not job.mutant)]
    return sample(chosen) if options.short else chosen


def sample(jobs):
    """Returns the proofs of the sample; the first covers of every fourth proof that is in it, and the first mutant of every
    sixth."""
    first = {(job.kind, job.proof): job for job in reversed(jobs)}
    proofs = list(dict.fromkeys(job.proof for job in jobs if job.sample))
    some = [first.get((kind, proof)) for kind, step in ONE_IN.items() for proof in proofs[::-step]]
    return [job for job in jobs if (job.sample if job.kind == "proof" else job in some)]


def check_sample(score, proofs, jobs):
    """Notes whether each property is in a proof that was done, but in a short run those that proofs.toml leaves out."""
    alone = {name for proof in proofs.values() for name in proof.get("alone", [])} if score.campaign.options.short else set()
    strange = check_asserted(jobs, score.bench.asserted) ^ alone
    score.note("table", "asserted", f"each property is in a proof that was done, but {len(alone)}",
               f"in no proof, or said to be in none (alone): {', '.join(sorted(strange))}" if strange else None)


def check_all(score, proofs, jobs):
    """Notes whether the page is up to date, each property has a mutant that breaks it, and each cover is reached."""
    old = not formal.PAGE.exists() or formal.PAGE.read_text() != formal.page()
    score.note("table", "page", f"{formal.PAGE} says what is proved",
               f"{formal.PAGE} is not up to date: scripts/run prove --list" if old else None)
    alone = check_companions(jobs)
    score.note("table", "companions", "each property has a mutant that breaks it",
               f"broken by no mutant: {', '.join(alone)}" if alone else None)
    if not score.campaign.options.mutants:
        check_sample(score, proofs, jobs)
    some = score.campaign.options.short
    never = [] if score.campaign.options.mutants else check_covers(jobs, None if some else score.bench.covers)
    score.note("table", "covers", f"each harness has covers{'' if some else ', each is reached'}",
               f"no cover, or never reached: {', '.join(never)}" if never else None)


def run_all(campaign):
    options, (proofs, jobs) = campaign.options, formal.load()
    chosen = choose(options, [*jobs, *data_independence.jobs(), *idle.jobs()])
    score = Score(campaign, Bench(options, campaign.children), len(chosen) + 4 * (not options.only))
    chosen.sort(key=lambda job: (job.sample, bool(job.mutant)))  # jobs that may take long come first
    campaign.each(score.run, chosen, "jobs")
    if not options.only:
        check_all(score, proofs, jobs)
    times = os.times()
    processor = times.children_user + times.children_system
    print_table(score.rows)
    return campaign.end(f"{processor:.0f} s of processors", campaign.part or options.mutants,
                        processor=round(processor, 1), jobs=score.rows)


def parse():
    one = parser(__doc__, jobs=JOBS, short="the proofs of the sample, and of some proofs the first covers or the first mutant", junit=JUNIT,
                 only="proofs, or single jobs: proof/corner, proof/mutant",
                 docs=f"write {RESULTS.path} from the last report; prove nothing")
    one.add_argument("--list", action="store_true", help=f"write {formal.PAGE}; prove nothing")
    one.add_argument("--waves", action="store_true", help="a trace (VCD) of each mutant, too")
    one.add_argument("--mutants", action="store_true", help="nothing but the mutants")
    return one.parse_args()


def main(children):
    options = parse()
    if options.list:
        write(formal.PAGE, formal.page())
        return 0
    return run_campaign("prove", options, children, run_all, results=RESULTS)
