# SPDX-License-Identifier: Apache-2.0
"""Programs of the lock-step: which of them a scenario needs, and what one says in the end."""

import json

from annelid.children import Wrong


def key_of(children, build, scenario, *words):
    """The name of the parameter set that a scenario needs."""
    status, output = children.output([build / "lockstep/params", *words, scenario])
    if status:
        raise Wrong(output.strip())
    return output.split()[0]


def json_object(line):
    """{} if it is none."""
    try:
        result = json.loads(line)
    except ValueError:
        return {}
    return result if isinstance(result, dict) else {}


def result_of(status, output):
    """The result that a program prints last. Wrong: there is none."""
    result = json_object(output.rstrip().rpartition("\n")[2])
    if not result:
        raise Wrong(f"lock-step ends with {status}: {output[-1500:]}")
    return result


def difference(result):
    """In words, what a lock-step that did not pass has seen."""
    if "cycle" in result:
        return f"cycle {result['cycle']}: {result['what']} at {result['place']}"
    return result["reason"]
