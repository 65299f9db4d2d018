# SPDX-License-Identifier: Apache-2.0
#
# The rooms of benches that the slice has, and their modules (rtl/rtl.mk).

BENCH_OF_PAPERS += papers
BENCH_papers := anl_replay
