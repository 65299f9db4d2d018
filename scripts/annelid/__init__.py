# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this folder share, and what they do: each of them calls main() of its module here."""
