# SPDX-License-Identifier: Apache-2.0
"""Pin files of boards (PCF, LPF, XDC): which ports they place, and which clocks they ask for."""

import re

from annelid.fpga_flow import Unfit

# suffix: (a port that is placed, a port with a clock and its MHz or, of XDC, its period in ns)
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
    """(number, line without a comment) of what is not blank."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.partition("#")[0].strip()
        if line:
            yield number, line


def bits(ports):
    """{'led_o[0]', …} of {'led_o': 8}: each wire of the ports of a module, by the name pin files give it."""
    return {f"{name}[{bit}]" if width > 1 else name for name, width in ports.items() for bit in range(width)}


def check(path, ports, clock, mhz):
    """Unfit unless every wire of the ports has one pin, every name is a port, and clock has its frequency."""
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
