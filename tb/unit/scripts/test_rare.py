#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rare mutants: which are chosen, when a gate that does not work is refused, and what the score is.

usage: tb/unit/scripts/test_rare.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import collections
import sys
import types

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import benches, mutants, mutate, rare
from annelid.children import Wrong
from annelid.mutants import Mutant, Set
from annelid.results import Suite


def a_set(**fields):
    fields = dict(triggers=("far", "two_heads", "long_worm"), runs=8, least=0.5, seed=1, parameters={"K": 3, "Topology": 0}) | fields
    return Set(name="a", text="", module="anl_cube_switch", mutants=20, **fields)


def refusal(action, *arguments):
    """Returns what is wrong; "" if nothing is."""
    try:
        action(*arguments)
    except Wrong as wrong:
        return str(wrong)
    return ""


def row(verdict, text=""):
    return dict(verdict=verdict, text=text, trigger="far")


# --- tests: each gets a directory of its own and the build directory ---

def each_trigger_has_its_share(*_):
    some = [Mutant(number, "") for number in range(1, 21)]
    chosen = rare.sample(a_set(), some)
    shares = collections.Counter(mutant.trigger for mutant in chosen)
    expect(sorted(shares.values()) == [2, 3, 3] and sorted(shares) == [1, 2, 3], "8 mutants after 3 triggers", shares)
    pairs = {(mutant.number, mutant.trigger) for mutant in chosen}
    expect(len(pairs) == 8, "no pair twice", pairs)
    expect(rare.sample(a_set(), some[::-1])[0].number == chosen[0].number, "the same choice in any order", chosen)
    expect(rare.sample(a_set(seed=2), some) != chosen, "another choice with another seed", chosen)


def counts_are_taken_from_the_output(*_):
    output = f"{rare.COUNTS} 10 10 3 0\n{{}}\n{rare.COUNTS} 10 10 4 0\n"
    seen = rare.counted(output)
    expect(seen == ("{}", [20, 20, 7, 0]), "the sum of both lines, and the rest of the output", seen)
    expect(rare.counted("{}") == ("{}", []), "no counts", rare.counted("{}"))


def gates_that_do_not_work_are_refused(*_):
    one = a_set(triggers=("far",))
    fired = rare.check_counts(one, [100, 100, 7, 0])
    expect(fired == {"far": 7}, "7 cycles", fired)
    for counts, said in (([100, 99, 7, 0], "always fires does not"), ([100, 100, 7, 1], "never fires does"),
                         ([100, 100, 100, 0], "not rare"), ([100, 100, 7], "3 counts"), ([], "0 counts")):
        seen = refusal(rare.check_counts, one, counts)
        expect(said in seen, said, seen)


def sets_that_cannot_be_meant_are_refused(*_):
    expect(not refusal(rare.check, a_set()), "a good set", refusal(rare.check, a_set()))
    for fields, said in ((dict(triggers=("fare",)), "no trigger fare"), (dict(triggers=("flits_q",)), "no trigger flits_q"),
                         (dict(least=0.0), "`least`"), (dict(runs=2), "`runs`"),
                         (dict(parameters={"K": 2, "Topology": 0}), "K = 3 or more")):
        seen = refusal(rare.check, a_set(**fields))
        expect(said in seen, said, seen)


def triggers_have_the_numbers_of_their_bits(*_):
    text = rare.gate(a_set(), "ANL_MUTANT")
    expect("fires = {1'b0, u_trigger.long_worm, u_trigger.two_heads, u_trigger.far, 1'b1};" in text, "the bits", text)
    expect(rare.names(a_set()) == ("always", "far", "two_heads", "long_worm", "never"), "names", rare.names(a_set()))


def rare_mutants_are_made_of_quick_ones(*_):
    for verdict, text, quick in (("lock-step", "mesh: cycle 9: flit at 0", True), ("bench", "x: cycle 100: y", True),
                                 ("lock-step", "mesh: cycle 101: flit at 0", False),
                                 ("harmless", "cycle 1", False), ("lock-step", "does not settle", False)):
        expect(rare.is_quick(row(verdict, text)) == quick, f"{quick}", (verdict, text))


def score_counts_what_a_trigger_did_not_meet(*_):
    rows = [*[row("lock-step")] * 3, row("bench"), row("harmless"), row("not met"), row("gap")]
    expect(rare.count(rows) == {"killed": 4, "harmless": 1, "not met": 1, "gap": 1}, "counts", rare.count(rows))
    expect(rare.score(rows) == 4 / 6, "4 of 6", rare.score(rows))
    expect(rare.score([row("harmless")]) == 0, "no score without a mutant that can be killed")


def score_below_the_least_fails(*_):
    for killed, failed in ((5, 0), (4, 1)):
        suite = Suite("a")
        rows = [*[row("lock-step")] * killed, *[row("not met")] * 5, row("harmless")]
        mutate.judge(suite, types.SimpleNamespace(one=a_set(), rows=rows))
        expect((suite.passed, suite.failed) == (1 - failed, failed), f"{failed} failed", (killed, suite.failed))


def trigger_that_never_fires_is_not_met(*_):
    """No run is needed then. A mutant whose trigger fires, and that nothing notices, is a gap."""
    def tried(seen, fired):
        trial = types.SimpleNamespace(one=a_set(), fired={"far": fired}, shop=types.SimpleNamespace(
            try_one=lambda number, trigger: seen), screen=types.SimpleNamespace(progress=lambda text: None))
        mutant = Mutant(3, "mutate -mode inv -module m -cell c -port P -portbit 0", trigger=1)
        return mutate.Trial.kill_rare(trial, mutant)["verdict"]
    seen = [tried(("lock-step", "x"), 0), tried(None, 2), tried(("lock-step", "x"), 2)]
    expect(seen == ["not met", "gap", "lock-step"], "three verdicts", seen)


def sets_of_the_file_are_good(*_):
    some = [one for one in mutants.load().values() if one.triggers]
    expect(any(one.parameters["NumVcs"] == 7 for one in some), "a set with seven lanes", some)
    expect(all(one.parameters["FlitW"] >= 32 for one in some), "32 bits, which the triggers read", some)


def the_bench_of_every_set_has_one_corner(_room, _build):
    for one in mutants.load().values():
        if one.bench:
            text, corner = mutants.bench(one), benches.corner_with(one.module, one.parameters)
            expect(text.count(f"tb_{one.module} #(.Index(") == 1 and f" u_{corner.index} (" in text, f"one corner in the bench of {one.name}", text)
    try:
        seen = benches.corner_with("anl_fifo", {"Depth": 65, "Width": 2})
    except Wrong as wrong:
        seen = str(wrong)
    expect("[bench] has no corner of anl_fifo with {'Depth': 65, 'Width': 2}" in str(seen), "a refusal of other parameters", seen)


TESTS = [each_trigger_has_its_share, counts_are_taken_from_the_output, gates_that_do_not_work_are_refused,
         sets_that_cannot_be_meant_are_refused, triggers_have_the_numbers_of_their_bits,
         rare_mutants_are_made_of_quick_ones, score_counts_what_a_trigger_did_not_meet,
         score_below_the_least_fails, trigger_that_never_fires_is_not_met, sets_of_the_file_are_good,
         the_bench_of_every_set_has_one_corner]


if __name__ == "__main__":
    sys.exit(main("rare", TESTS, __doc__.splitlines()[2]))
