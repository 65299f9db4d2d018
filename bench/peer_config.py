# SPDX-License-Identifier: Apache-2.0
"""Configuration files of BookSim2 (`key = value;`), made from our scenarios and turned into them."""

import re
from dataclasses import dataclass

from annelid.children import Wrong
from work import LENGTH, facts_of

PATTERNS = {"uniform": "uniform", "transpose": "transpose", "bitcomp": "complement", "bitrev": "bit_reverse",
            "shuffle": "shuffle", "tornado": "tornado", "neighbor": "neighbour"}
DIMENSION_ORDER = {"mesh": ("dor", "dim_order"), "torus": ("dim_order",)}
WARMUP, PERIODS = 1, 4  # sample periods of the warm-up, and of the whole run

# The shortest way through a router that there is.
SHORTEST = {"routing_delay": 0, "vc_alloc_delay": 1, "sw_alloc_delay": 1, "st_final_delay": 1, "credit_delay": 0}

# Keys that say when a flit moves and how long is measured, but neither how many flits there are nor where they go.
TIMING = frozenset("""
    router credit_delay routing_delay vc_alloc_delay sw_alloc_delay st_prepare_delay st_final_delay output_delay
    speculative spec_check_elig spec_check_cred spec_mask_by_reqs spec_sw_allocator vc_allocator sw_allocator
    alloc_iters arb_type wait_for_tail_credit vc_busy_when_full vc_prioritize_empty vc_shuffle_requests hold_switch_for_packet
    input_speedup output_speedup internal_speedup output_buffer_size noq use_noc_latency sim_type sample_period
    warmup_periods max_samples latency_thres warmup_thres acc_warmup_thres stopping_thres acc_stopping_thres
    deadlock_warn_timeout include_queuing seed print_csv_results print_activity""".split())
# Keys that must have this value if they are given: other values have no counterpart here.
FIXED = {"c": "1", "subnets": "1", "classes": "1", "sim_count": "1", "injection_process": "bernoulli",
         "buffer_policy": "private", "use_read_write": "0", "priority": "none", "sim_power": "0"}
# The peer's defaults for keys that a file does not give.
DEFAULTS = {"topology": "torus", "k": "8", "n": "2", "num_vcs": "16", "vc_buf_size": "8", "packet_size": "1",
            "injection_rate": "0.1", "injection_rate_uses_flits": "0", "traffic": "uniform"}


def config_of(scenario, cycles):
    """Returns the text of a configuration that does what one of our scenarios does, measured in periods of equal
    length."""
    facts = facts_of(scenario)
    keys = {
        "topology": facts["topology"], "k": facts["k"], "n": facts["n"],
        "routing_function": DIMENSION_ORDER[facts["topology"]][0],
        "num_vcs": facts["num_vcs"], "vc_buf_size": facts["depth"],
        **SHORTEST, **measured("uniform", facts["length"], facts["load"], cycles // PERIODS),
    }
    return text_of(keys)


def measured(traffic, length, load, period, unstable="-1.0"):
    """Returns the keys of traffic that is measured in periods of equal length. From a mean latency of `unstable` on a run is
    given up; nothing else ends it early. Every link takes a cycle."""
    return {"use_noc_latency": 0, "traffic": traffic, "packet_size": length, "injection_rate_uses_flits": 1, "injection_rate": load,
            "sim_type": "latency", "sample_period": period, "warmup_periods": WARMUP, "max_samples": PERIODS,
            "latency_thres": unstable, "stopping_thres": "-1.0", "acc_stopping_thres": "-1.0"}


def text_of(keys):
    return "".join(f"{key} = {value};\n" for key, value in keys.items())


@dataclass
class Value:
    text: str
    where: str  # file:line


def read_keys(path):
    """Returns {key: Value} of a configuration. Of a key that is given twice the last one counts, as for the peer."""
    try:
        text = path.read_text()
    except (OSError, UnicodeError) as error:
        raise Wrong(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    text = re.sub(r"//[^\n]*", "", text)
    keys, at = {}, 0
    while text[at:].strip():
        start = at + len(text[at:]) - len(text[at:].lstrip())
        where = f"{path}:{text.count(chr(10), 0, start) + 1}"
        match = re.compile(r"(\w+)\s*=\s*([^;=]*?)\s*;").match(text, start)
        if not match:
            raise Wrong(f"{where}: '{text[start:].splitlines()[0]}', expected key = value;")
        keys[match[1]] = Value(match[2], where)
        at = match.end()
    return keys


def number(keys, key, kind=int):
    value = keys[key]
    try:
        result = kind(value.text)
    except ValueError:
        result = -1
    if not result >= 0:
        raise Wrong(f"{value.where}: {key} = {value.text}, expected one number, not negative")
    return result


def expect(keys, key, allowed):
    if key in keys and keys[key].text not in allowed:
        raise Wrong(f"{keys[key].where}: {key} = {keys[key].text} has no counterpart here, "
                      f"expected {' or '.join(allowed)}")


def check_keys(keys):
    known = TIMING | FIXED.keys() | DEFAULTS.keys() | {"routing_function"}
    for key, value in keys.items():
        if key not in known:
            raise Wrong(f"{value.where}: key '{key}' has no counterpart here (docs/bench.md says which have)")
    for key, value in FIXED.items():
        expect(keys, key, [value])
    expect(keys, "topology", list(DIMENSION_ORDER))
    expect(keys, "routing_function", DIMENSION_ORDER[keys["topology"].text])
    expect(keys, "traffic", list(PATTERNS))
    expect(keys, "injection_rate_uses_flits", ["0", "1"])


def scenario_of(path):
    """Returns the text of our scenario for a configuration, without its section run; raises Wrong if there is none."""
    defaults = {key: Value(value, f"{path} (the default of {key})") for key, value in DEFAULTS.items()}
    keys = defaults | read_keys(path)
    check_keys(keys)
    length = number(keys, "packet_size")
    load = number(keys, "injection_rate", float)
    if keys["injection_rate_uses_flits"].text == "0":
        load *= length
    return (f"network: {{topology: {keys['topology'].text}, k: {number(keys, 'k')}, n: {number(keys, 'n')}}}\n"
            f"switch: {{num_vcs: {number(keys, 'num_vcs')}, depth: {number(keys, 'vc_buf_size')}}}\n"
            f"traffic: {{pattern: {PATTERNS[keys['traffic'].text]}, load: {load:.12g}, length: {length}}}\n")


def cycles_for(facts, worms):
    """Returns the cycles in which about so many worms are created, a multiple of the periods."""
    switches = int(facts["k"]) ** int(facts["n"])
    cycles = worms * LENGTH / (switches * float(facts["load"]))
    return max(PERIODS, int(cycles) // PERIODS * PERIODS)
