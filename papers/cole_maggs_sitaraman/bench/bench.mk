# SPDX-License-Identifier: Apache-2.0
#
# The rooms of benches that the slice has, and their modules (rtl/rtl.mk).

BENCH_OF_PAPERS += discard
BENCH_discard := anl_discard anl_discard_butterfly
