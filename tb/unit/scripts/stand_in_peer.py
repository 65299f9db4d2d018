#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the peer of make bench-peer: it prints what the peer prints of a run, from what it reads in its
configuration. The word unstable makes it report an unstable run. The hops are those of a mesh under uniform traffic.
Its latency has a pole at load 1."""
import re
import sys
import time

FACTOR = 1  # accepted load over offered load
text = open(sys.argv[1]).read()
keys = dict(re.findall(r"(\w+) *= *([^;]*);", text))
k, length, load = int(keys["k"]), int(keys["packet_size"]), float(keys["injection_rate"])
if keys.get("injection_rate_uses_flits", "0") == "0":
    load *= length
hops = 2 * (k * k - 1) / (3 * k) + 1
end = time.process_time() + 0.2
while time.process_time() < end:
    pass
print("Accepted flit rate average= 0.99\nHops average = 99")
if "unstable" in text:
    print("Simulation unstable, ending ...")
    sys.exit(0)
print(f"Time taken is {int(keys['sample_period']) * int(keys['max_samples']) + 30} cycles")
print("====== Overall Traffic Statistics ======\n====== Traffic class 0 ======")
print(f"Injected flit rate average = {load} (1 samples)\n\tminimum = 0.01 (1 samples)")
print(f"Packet latency average = {(3 * hops + 1 + length) / max(0.01, 1 - load)} (1 samples)")
print(f"Accepted flit rate average = {load * FACTOR} (1 samples)\n\tminimum = 0.01 (1 samples)")
print(f"Hops average = {hops} (1 samples)\nTotal run time 1.5")
sys.exit(255)
