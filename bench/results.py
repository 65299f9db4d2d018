# SPDX-License-Identifier: Apache-2.0
"""Writes bench.json whole, and reads one only if it is as docs/bench.md says."""

import json
import os

from annelid.children import Wrong

SCHEMA = "annelid-bench-1"
NUMBER = (int, float)
SPREAD = {"min": NUMBER, "median": NUMBER, "max": NUMBER, "all": list}
RESULT = {"group": str, "name": str, "scenario": str, "settings": dict, "switches": int, "cycles": int,
          "flit_hops": int, "seconds": SPREAD, "cycles_per_second": NUMBER, "flit_hops_per_second": NUMBER,
          "peak_bytes": int}
OF_GROUP = {"engine": {"switch_hops_per_second": NUMBER, "marks": dict, "accepted_load": NUMBER},
            "size": {"bytes_per_switch": NUMBER}, "load": {"accepted_load": NUMBER}, "rtl": {}}
WHOLE = {"schema": str, "commit": str, "changed": bool,
         "machine": {"cpu": str, "cores": int, "kernel": str, "load_average": NUMBER}, "compiler": str, "flags": str,
         "rounds": int, "scale": NUMBER,
         "calibration": {"arithmetic_seconds": SPREAD, "memory_seconds": SPREAD}, "results": list}


def check(value, shape, where):
    """Raises Wrong unless a value has a type, or is an object with such keys."""
    if not isinstance(shape, dict):
        good = isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
        kind = " or ".join(one.__name__ for one in shape) if isinstance(shape, tuple) else shape.__name__
        if not good:
            raise Wrong(f"{where}: {json.dumps(value)[:60]}, expected {kind}")
        return
    check(value, dict, where)
    for key, inner in shape.items():
        if key not in value:
            raise Wrong(f"{where}: no key '{key}'")
        check(value[key], inner, f"{where}: {key}")


def check_results(data, where):
    check(data, {"schema": str}, where)
    if data["schema"] != SCHEMA:
        raise Wrong(f"{where}: schema '{data['schema']}', expected '{SCHEMA}'")
    check(data, WHOLE, where)
    if not data["results"]:
        raise Wrong(f"{where}: no results")
    for number, result in enumerate(data["results"]):
        here = f"{where}: results[{number}]"
        check(result, RESULT, here)
        check(result, OF_GROUP.get(result["group"], {}), here)
        if min(result["seconds"]["min"], result["cycles"], result["flit_hops"]) <= 0:
            raise Wrong(f"{here}: no work or no time")


def read_results(path):
    try:
        data = json.loads(path.read_text())
    except (OSError, UnicodeError) as error:
        raise Wrong(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    except ValueError as error:
        raise Wrong(f"{path}: not JSON: {error}") from error
    check_results(data, str(path))
    return data


def write_results(path, data):
    """Writes the file whole or not at all."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        draft.write_text(json.dumps(data, indent=1) + "\n")
        draft.replace(path)
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
