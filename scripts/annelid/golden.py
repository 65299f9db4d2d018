# SPDX-License-Identifier: Apache-2.0
"""The golden digests of runs, and why they have changed (docs/lockstep.md)."""

import pathlib

from annelid.children import Wrong
from annelid.sources import write

DIGESTS = pathlib.Path("sim/golden/digests.txt")
CHANGES = pathlib.Path("sim/golden/changes.txt")
TITLE = "# scenario seed digest; written by make golden"


def read(path=DIGESTS):
    """Returns {(run, seed): digest}."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")] if path.exists() else []
    rows = [line.rsplit(maxsplit=2) for line in lines]
    return {(name, int(seed)): digest for name, seed, digest in rows}


def update(made, reason, digests=DIGESTS, changes=CHANGES):
    """Writes the digests {(run, seed): digest} of runs that were made; those of other runs stay. Prints which are new and which
    change. A digest changes only for a reason, which is kept with the old and the new one."""
    old, reason = read(digests), " ".join(reason.split())
    new = [f"{name} {seed}: {digest}" for (name, seed), digest in sorted(made.items()) if (name, seed) not in old]
    changed = [f"{name} {seed}: {old[name, seed]} -> {digest}" for (name, seed), digest in sorted(made.items())
               if old.get((name, seed), digest) != digest]
    for line in [*(f"new digest      {line}" for line in new), *(f"digest changes  {line}" for line in changed)]:
        print(line)
    if changed and not reason:
        raise Wrong(f"golden: digests of {len(changed)} runs change, so none was written: if that is meant, say why with REASON='…'")
    if changed:
        before = changes.read_text() if changes.exists() else ""
        write(changes, "\n".join([f"{before}{reason}", *(f"  {line}" for line in changed), ""]))
    lines = sorted(f"{name} {seed} {digest}" for (name, seed), digest in (old | made).items())
    write(digests, "\n".join([TITLE, *lines, ""]))
