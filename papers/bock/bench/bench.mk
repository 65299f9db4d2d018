# SPDX-License-Identifier: Apache-2.0
#
# The rooms of benches that the slice has, and their modules (rtl/rtl.mk).

BENCH_OF_PAPERS += diagonals
BENCH_diagonals := anl_diagonals anl_diagonals_clock anl_diagonals_torus
