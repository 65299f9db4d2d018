# SPDX-License-Identifier: Apache-2.0
"""What scripts/run runs: main() of a module here; the other modules are shared."""
