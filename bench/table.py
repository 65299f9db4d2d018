# SPDX-License-Identifier: Apache-2.0
"""Tables of results for people."""

from measure import width

TOO_WIDE = 0.15  # of the median: largest difference between the fastest and the slowest measurement
MEASURABLE = 16384  # switches; with fewer, the memory is less than the variation of a process


def line(*cells):
    """Prints a line of cells (text, width), the first one to the left and the others to the right."""
    (first, wide), *others = cells
    print((f"{first:<{wide}}" + "".join(f"  {text:>{wide}}" for text, wide in others)).rstrip())


def millions(value):
    return "-" if value is None else f"{value / 1e6:.2f}"


def whole(value):
    return "-" if value is None else f"{value:,.0f}"


def spread_of(result):
    """Returns how far the slowest and the fastest measurement are from the median rate, in per cent."""
    seconds = result["seconds"]
    low, high = (100 * (seconds["median"] / seconds[end] - 1) for end in ("max", "min"))
    return f"{low:+.0f}..{high:+.0f}"


def verdict(result):
    rate, marks = result["switch_hops_per_second"] / 1e6, result["marks"]
    return "aim reached" if rate >= marks["aim"] else "least reached" if rate >= marks["least"] else "below least"


def print_head(data):
    print(f"Annelid {data['commit'][:12]}{' with changes' if data['changed'] else ''}, {data['compiler']}, "
          f"{data['flags']}\n{data['machine']['cpu']}, {data['machine']['cores']} cores, "
          f"load {data['machine']['load_average']}; CPU time of {data['rounds']} rounds, medians; "
          "spread: slowest and fastest, %")


def print_calibration(data):
    for name, seconds in data["calibration"].items():
        what, wide = name.removesuffix("_seconds"), width(seconds)
        print(f"calibration, {what:<10}  {1000 * seconds['median']:.1f} ms, spread {100 * wide:.0f} %"
              + ("  (this machine is not steady now: look at ratios only)" if wide > TOO_WIDE else ""))


def print_engine(results):
    print("\nEngine: uniform traffic, worms of 8 flits; M flit-hops/s over all links, and over links that leave a "
          "switch, as\nthe peer counts them and as least and aim are meant. Peer: the best known open simulator, measured "
          "once on another\nmachine of this kind; ratio: cycles/s over its. mesh512 takes so few cycles that it only fills "
          "and empties again: a\nquarter of the flits move that the load means when it lasts (docs/bench.md).")
    line(("", 20), ("cycles/s", 11), ("all links", 9), ("switch", 7), ("spread", 8), ("least", 5), ("aim", 4),
         ("peer c/s", 8), ("peer M/s", 8), ("ratio", 6))
    for result in results:
        marks = result["marks"]
        ratio = result["cycles_per_second"] / marks["peer_cycles"] if marks["peer_cycles"] else None
        line((result["name"], 20), (whole(result["cycles_per_second"]), 11),
             (millions(result["flit_hops_per_second"]), 9), (millions(result["switch_hops_per_second"]), 7),
             (spread_of(result), 8), (f"{marks['least']:g}", 5), (f"{marks['aim']:g}", 4),
             (whole(marks["peer_cycles"]), 8), (marks["peer_hops"] or "-", 8), (whole(ratio), 6), (verdict(result), 13))


def print_size(results):
    print("\nSize: meshes k x k, 2 lanes, load 0.4/k; ends with the last worm created. Memory: largest resident size "
          f"over that of\na run of nothing; from {MEASURABLE:,} switches on.")
    line(("", 20), ("switches", 9), ("cycles/s", 11), ("M hops/s", 9), ("spread", 8), ("hops/switch/cycle", 17),
         ("bytes/switch", 12))
    for result in results:
        line((result["name"], 20), (whole(result["switches"]), 9), (whole(result["cycles_per_second"]), 11),
             (millions(result["flit_hops_per_second"]), 9), (spread_of(result), 8),
             (f"{result['flit_hops'] / result['cycles'] / result['switches']:.3f}", 17),
             (whole(result["bytes_per_switch"] if result["switches"] >= MEASURABLE else None), 12))


def print_load(results):
    print("\nLoad: 8x8 mesh, 4 lanes. Beyond saturation accepted is less than offered.")
    line(("", 20), ("accepted", 9), ("cycles/s", 11), ("M hops/s", 9), ("spread", 8))
    for result in results:
        line((result["name"], 20), (f"{result['accepted_load']:.4f}", 9), (whole(result["cycles_per_second"]), 11),
             (millions(result["flit_hops_per_second"]), 9), (spread_of(result), 8))


def print_rtl(results, engine):
    print("\nVerilated RTL: alone (flits watched only), with all registers watched, and the whole lock-step; ratio: "
          "the engine's cycles/s over it.")
    line(("", 28), ("cycles/s", 11), ("M hops/s", 9), ("spread", 8), ("ratio", 7))
    rates = {result["scenario"]: result["cycles_per_second"] for result in engine}
    for result in results:
        ours = rates.get(result["scenario"])
        ratio = f"{ours / result['cycles_per_second']:.1f}" if ours else "-"
        line((result["name"], 28), (whole(result["cycles_per_second"]), 11),
             (millions(result["flit_hops_per_second"]), 9), (spread_of(result), 8), (ratio, 7))


def print_warning(results):
    wide = [result["name"] for result in results if width(result["seconds"]) > TOO_WIDE]
    if wide:
        print(f"\nMore than {100 * TOO_WIDE:.0f} % between the slowest and the fastest of: {', '.join(wide)}.\n"
              "Something else ran on this machine: measure again, or compare with `make bench-ab`.")


def print_results(data):
    groups = {}
    for result in data["results"]:
        groups.setdefault(result["group"], []).append(result)
    print_head(data)
    print_calibration(data)
    for group, show in (("engine", print_engine), ("size", print_size), ("load", print_load)):
        if group in groups:
            show(groups[group])
    if "rtl" in groups:
        print_rtl(groups["rtl"], groups.get("engine", []))
    print_warning(data["results"])
