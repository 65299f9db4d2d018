# SPDX-License-Identifier: Apache-2.0
"""Reads pin files of boards (PCF, LPF, XDC): the ports that have pins, and the clocks that are constrained."""

import re

from annelid.fpga_flow import Unfit

# suffix: (pattern of a port with a pin, pattern of a clock port and its MHz; in XDC its period in ns)
PATTERNS = {
    ".pcf": (r"^set_io\s+(?:-\S+\s+\S+\s+)*(?P<port>[^\s-]\S*)\s+\S+",
             r"^set_frequency\s+(?P<port>\S+)\s+(?P<mhz>\S+)"),
    ".lpf": (r'^LOCATE\s+COMP\s+"(?P<port>[^"]+)"\s+SITE',
             r'^FREQUENCY\s+PORT\s+"(?P<port>[^"]+)"\s+(?P<mhz>\S+)\s+MHZ'),
    ".xdc": (r"^set_property\s.*\bPACKAGE_PIN\b.*\[get_ports\s+\{?\s*(?P<port>[^}\s]+)",
             r"^create_clock\s.*-period\s+(?P<ns>\S+).*\[get_ports\s+\{?\s*(?P<port>[^}\s\]]+)"),
}
NAMED = {".xdc": r"\[get_ports\s+(\{[^}]*\}|\S+?)\]", ".lpf": r'^\w+\s+(?:COMP|PORT)\s+"([^"]+)"'}


def lines(path):
    """Yields (number, line without a comment) of the lines that are not blank."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.partition("#")[0].strip()
        if line:
            yield number, line


def bits(ports):
    """Returns {'led_o[0]', …} for {'led_o': 8}: each wire of a module's ports, as pin files name it."""
    return {f"{name}[{bit}]" if width > 1 else name for name, width in ports.items() for bit in range(width)}


def check(path, ports, clock, mhz):
    """Raises Unfit unless every wire of the ports has one pin, every name is a port, and the clock has its frequency."""
    place, period = PATTERNS[path.suffix]
    wanted, placed, clocks = bits(ports), {}, {}
    for number, line in lines(path):
        for words in re.findall(NAMED.get(path.suffix, place), line):
            for name in (words if isinstance(words, str) else words[0]).strip("{}").split():
                if name not in wanted and not (name.endswith("[*]") and name[:-3] in ports):
                    raise Unfit(f"{path}:{number}: {name} is no port of the top, which has "
                                f"{', '.join(sorted(wanted))}")
        if found := re.search(place, line):
            if found["port"] in placed:
                raise Unfit(f"{path}:{number}: {found['port']} has a pin already, in line {placed[found['port']]}")
            placed[found["port"]] = number
        if found := re.search(period, line):
            named = found.groupdict()
            clocks[named["port"]] = float(named["mhz"]) if "mhz" in named else 1000 / float(named["ns"])
    if wanted - placed.keys():
        raise Unfit(f"{path}: no pin for {', '.join(sorted(wanted - placed.keys()))}")
    if clocks != {clock: mhz}:
        raise Unfit(f"{path}: expected one clock, {clock} with {mhz} MHz; found {clocks or 'none'}")
