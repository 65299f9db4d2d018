# SPDX-License-Identifier: Apache-2.0
"""The code of the scripts: each script calls main() of its module here, and the other modules are shared."""
